/* failing_memory.h: what happens when there is no memory, at every place where some is asked for. */
#ifndef FAILING_MEMORY_H
#define FAILING_MEMORY_H

#include <ksda/base.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Memory that counts what is asked for, and refuses. Zeros: refuses nothing. */
typedef struct failing_memory {
    atomic_long calls;   /* set to 0 to count from here */
    atomic_long blocks;  /* in use */
    atomic_long fail_at; /* the call that is refused, 1 the next after calls was set to 0; 0 for none */
    bool once;           /* only that call; else all that follow as well */
} failing_memory;

/* The allocator of m, which must outlive it. Safe from several threads. */
ksda_allocator failing_allocator(failing_memory *m);

/* Run work with the first, the second, ... allocation and all that follow failing, until it succeeds. Each run must end
 * with KSDA_OK or KSDA_NOMEM and leave no block behind. work frees what it has made, also on success. The later ones
 * come from places that were there before: of those from the 500th on only some are refused, unless KSDA_TEST_TIMES is
 * set. */
void assert_survives_failing_memory(ksda_status (*work)(ksda_ctx *ctx));
/* The same for work that needs to be told something. */
void assert_survives_failing_memory_with(ksda_status (*work)(ksda_ctx *ctx, const void *payload), const void *payload);

#endif
