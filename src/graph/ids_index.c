/* Numbers that are nearly a range, looked up in a bitmap of those that occur: an item is the count of marks before it.
 * The tables of some million ids stay in the cache, where a binary search waits for memory several times. */
#include "graph/ids_index.h"

#include "core/bits.h"

#define DENSE_RANGE 16 /* up to that many numbers of the range for each id */

ksda_status ksda_i_ids_index_open(ksda_ctx *ctx, const ksda_i_ids *ids, ksda_i_ids_index *out) {
    *out = (ksda_i_ids_index){.ids = ids};
    if (ids->kind != KSDA_I_IDS_NUMBERS || ids->sorted == 0) return KSDA_OK;
    uint64_t least = ids->number[0], range = ids->number[ids->sorted - 1] - least;
    if (range / DENSE_RANGE >= ids->sorted) return KSDA_OK;
    uint64_t words = range / 64 + 1;
    out->mark = ksda_i_calloc(ctx, words, sizeof *out->mark);
    out->before = ksda_i_malloc(ctx, words, sizeof *out->before);
    if (!out->mark || !out->before) return KSDA_NOMEM;
    for (uint32_t i = 0; i < ids->sorted; i++) {
        uint64_t at = ids->number[i] - least;
        out->mark[at >> 6] |= UINT64_C(1) << (at & 63);
    }
    uint32_t before = 0;
    for (uint64_t w = 0; w < words; w++) {
        out->before[w] = before;
        before += ksda_i_bits_set(out->mark[w]);
    }
    out->words = words;
    return KSDA_OK;
}

void ksda_i_ids_index_close(ksda_ctx *ctx, ksda_i_ids_index *index) {
    ksda_i_free(ctx, index->mark);
    ksda_i_free(ctx, index->before);
    *index = (ksda_i_ids_index){.ids = NULL};
}

uint32_t ksda_i_ids_index_find(const ksda_i_ids_index *index, const char *name, size_t length) {
    uint64_t number;
    if (index->words && ksda_i_parse_number(name, length, &number) && number >= index->ids->number[0]) {
        uint64_t at = number - index->ids->number[0], bit = UINT64_C(1) << (at & 63);
        if (at >> 6 < index->words && (index->mark[at >> 6] & bit))
            return index->before[at >> 6] + ksda_i_bits_set(index->mark[at >> 6] & (bit - 1));
    }
    return ksda_i_ids_find(index->ids, name, length);
}
