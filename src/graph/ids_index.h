/* ids_index.h: items by number, for who looks up many of them in no order. */
#ifndef KSDA_I_IDS_INDEX_H
#define KSDA_I_IDS_INDEX_H

#include "graph/ids.h"

typedef struct ksda_i_ids_index {
    const ksda_i_ids *ids; /* borrowed, and not changed as long as the index is used */
    uint64_t words;        /* 0: there are no tables, and ids are asked one by one */
    uint64_t *mark;        /* [words] a bit for every number from the least one on that is an id */
    uint32_t *before;      /* [words] bits before this word */
} ksda_i_ids_index;

/* Tables of 1.5 bits for every number in the range, where the ids are dense numbers. KSDA_NOMEM; to be closed in either
 * case. */
ksda_status ksda_i_ids_index_open(ksda_ctx *ctx, const ksda_i_ids *ids, ksda_i_ids_index *out);
void ksda_i_ids_index_close(ksda_ctx *ctx, ksda_i_ids_index *index);
/* As ksda_i_ids_find(). */
uint32_t ksda_i_ids_index_find(const ksda_i_ids_index *index, const char *name, size_t length);

#endif
