/* context.h: the context that a test works in. */
#ifndef CONTEXT_H
#define CONTEXT_H

#include <ksda/base.h>

/* A new context; the test frees it. */
ksda_ctx *new_ctx(void);

/* Set-up and tear-down of a test or of a group: *state is a new context, and so is check_ctx, for tests that ask for it
 * in many functions. */
extern ksda_ctx *check_ctx;
int make_ctx(void **state);
int free_ctx(void **state);

#endif
