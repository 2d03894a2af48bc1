/* Equal hashes found by a table of open addressing. A slot holds the number of a kind plus one, and each kind the first
 * that had it: so the table has 4 bytes a slot, and kinds are numbered in an order that does not depend on the keys. */
#include "core/alike.h"

enum {
    AHEAD = 16 /* slots that are fetched before they are needed */
};

typedef struct table {
    uint32_t *slot; /* [mask + 1] kind + 1, or 0 */
    uint32_t *first;
    uint64_t mask;
} table;

static bool is_same_hash(const ksda_i_hash128 *a, const ksda_i_hash128 *b) {
    return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

static uint32_t find_kind(const table *t, const ksda_i_hash128 *hash, uint32_t i, uint32_t *kinds) {
    uint64_t at = hash[i].word[0] & t->mask;
    while (t->slot[at] && !is_same_hash(&hash[t->first[t->slot[at] - 1]], &hash[i])) at = (at + 1) & t->mask;
    if (t->slot[at]) return t->slot[at] - 1;
    t->first[*kinds] = i;
    t->slot[at] = *kinds + 1;
    return (*kinds)++;
}

ksda_status ksda_i_alike(ksda_ctx *ctx, uint32_t count, const ksda_i_hash128 *hash, uint32_t *of, uint32_t *kinds) {
    ksda_status status = KSDA_OK;
    table t = {.mask = 1};
    *kinds = 0;
    while (t.mask + 1 < count + (uint64_t)count / 2) t.mask = 2 * t.mask + 1;
    t.slot = ksda_i_calloc(ctx, t.mask + 1, sizeof *t.slot);
    t.first = ksda_i_malloc(ctx, count, sizeof *t.first);
    if (!t.slot || !t.first) status = KSDA_NOMEM;
    for (uint32_t i = 0; i < count && status >= 0 && (status = ksda_i_look(ctx, i)) >= 0; i++) {
        if (count - i > AHEAD) __builtin_prefetch(&t.slot[hash[i + AHEAD].word[0] & t.mask]);
        of[i] = find_kind(&t, hash, i, kinds);
    }
    ksda_i_free(ctx, t.slot);
    ksda_i_free(ctx, t.first);
    return status;
}
