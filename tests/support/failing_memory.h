/* failing_memory.h: what happens when there is no memory, at every place where some is asked for. */
#ifndef FAILING_MEMORY_H
#define FAILING_MEMORY_H

#include <ksda/base.h>

/* Run work with the first, the second, ... allocation and all that follow failing, until it succeeds. Each run must end
 * with KSDA_OK or KSDA_NOMEM and leave no block behind. work frees what it has made, also on success. */
void assert_survives_failing_memory(ksda_status (*work)(ksda_ctx *ctx));

#endif
