/* Chains of buckets; see lists.h. Memory is taken once, so moving and removing cannot fail. */
#include "methods/paper/lists.h"

#include "core/pages.h"

enum {
    AHEAD = 16,      /* items */
    CELLS = 1u << 16 /* of a table of the buckets of low degrees */
};

ksda_status ksda_i_lists_init(ksda_ctx *ctx, ksda_i_lists *lists, uint32_t items, uint32_t chains) {
    *lists = (ksda_i_lists){.items = items, .chains = chains, .free_bucket = KSDA_I_NONE};
    lists->link = ksda_i_malloc(ctx, items, sizeof *lists->link);
    lists->bucket = ksda_i_malloc(ctx, (uint64_t)items + 1, sizeof *lists->bucket);
    lists->lowest = ksda_i_malloc(ctx, chains, sizeof *lists->lowest);
    lists->highest = ksda_i_malloc(ctx, chains, sizeof *lists->highest);
    if (!lists->link || !lists->bucket || !lists->lowest || !lists->highest) {
        ksda_i_lists_clear(ctx, lists);
        return KSDA_NOMEM;
    }
    ksda_i_pages_huge(lists->link, items * sizeof *lists->link);
    for (uint32_t i = 0; i < items; i++) lists->link[i].bucket = KSDA_I_NONE;
    for (uint32_t c = 0; c < chains; c++) lists->lowest[c] = lists->highest[c] = KSDA_I_NONE;
    return KSDA_OK;
}

void ksda_i_lists_clear(ksda_ctx *ctx, ksda_i_lists *lists) {
    ksda_i_free(ctx, lists->link);
    ksda_i_free(ctx, lists->bucket);
    ksda_i_free(ctx, lists->lowest);
    ksda_i_free(ctx, lists->highest);
    *lists = (ksda_i_lists){.items = 0};
}

/* A new bucket between two neighbours, each of which may be missing. */
static uint32_t bucket_new(ksda_i_lists *l, uint32_t chain, uint32_t degree, uint32_t below, uint32_t above) {
    uint32_t b = l->free_bucket;
    if (b != KSDA_I_NONE)
        l->free_bucket = l->bucket[b].above;
    else
        b = l->fresh++;
    l->bucket[b] = (ksda_i_bucket){degree, below, above, KSDA_I_NONE, KSDA_I_NONE, 0};
    *(below == KSDA_I_NONE ? &l->lowest[chain] : &l->bucket[below].above) = b;
    *(above == KSDA_I_NONE ? &l->highest[chain] : &l->bucket[above].below) = b;
    return b;
}

static void bucket_free(ksda_i_lists *l, uint32_t chain, uint32_t b) {
    uint32_t below = l->bucket[b].below, above = l->bucket[b].above;
    *(below == KSDA_I_NONE ? &l->lowest[chain] : &l->bucket[below].above) = above;
    *(above == KSDA_I_NONE ? &l->highest[chain] : &l->bucket[above].below) = below;
    l->bucket[b].above = l->free_bucket;
    l->free_bucket = b;
}

/* The bucket of that degree, made if it is missing; the walk starts at bucket b of the chain (KSDA_I_NONE: it is
 * empty). */
static uint32_t bucket_find(ksda_i_lists *l, uint32_t chain, uint32_t b, uint32_t degree) {
    if (b == KSDA_I_NONE) return bucket_new(l, chain, degree, KSDA_I_NONE, KSDA_I_NONE);
    while (l->bucket[b].degree < degree) {
        uint32_t above = l->bucket[b].above;
        if (above == KSDA_I_NONE || l->bucket[above].degree > degree) return bucket_new(l, chain, degree, b, above);
        b = above;
    }
    while (l->bucket[b].degree > degree) {
        uint32_t below = l->bucket[b].below;
        if (below == KSDA_I_NONE || l->bucket[below].degree < degree) return bucket_new(l, chain, degree, below, b);
        b = below;
    }
    return b;
}

static void append(ksda_i_lists *l, uint32_t chain, uint32_t b, uint32_t item) {
    uint32_t last = l->bucket[b].last;
    l->link[item] = (ksda_i_link){last, KSDA_I_NONE, b, chain};
    *(last == KSDA_I_NONE ? &l->bucket[b].first : &l->link[last].next) = item;
    l->bucket[b].last = item;
    l->bucket[b].size++;
}

/* Take the item out of its bucket, which may be left empty. */
static void unlink_item(ksda_i_lists *l, uint32_t item) {
    ksda_i_link *k = &l->link[item];
    ksda_i_bucket *b = &l->bucket[k->bucket];
    *(k->prev == KSDA_I_NONE ? &b->first : &l->link[k->prev].next) = k->next;
    *(k->next == KSDA_I_NONE ? &b->last : &l->link[k->next].prev) = k->prev;
    b->size--;
}

void ksda_i_lists_insert(ksda_i_lists *lists, uint32_t chain, uint32_t item, uint32_t degree) {
    append(lists, chain, bucket_find(lists, chain, lists->highest[chain], degree), item);
}

void ksda_i_lists_remove(ksda_i_lists *lists, uint32_t item) {
    uint32_t b = lists->link[item].bucket, chain = lists->link[item].chain;
    unlink_item(lists, item);
    if (lists->bucket[b].first == KSDA_I_NONE) bucket_free(lists, chain, b);
    lists->link[item].bucket = KSDA_I_NONE;
}

void ksda_i_lists_remove_lowest(ksda_i_lists *lists, uint32_t chain) {
    ksda_i_bucket *b = &lists->bucket[lists->lowest[chain]];
    lists->lowest[chain] = b->above;
    *(b->above == KSDA_I_NONE ? &lists->highest[chain] : &lists->bucket[b->above].below) = KSDA_I_NONE;
    b->size = 0;
}

void ksda_i_lists_move(ksda_i_lists *lists, uint32_t item, uint32_t degree) {
    uint32_t from = lists->link[item].bucket, chain = lists->link[item].chain,
             to = bucket_find(lists, chain, from, degree);
    unlink_item(lists, item);
    append(lists, chain, to, item);
    if (lists->bucket[from].first == KSDA_I_NONE) bucket_free(lists, chain, from);
}

/* --- all items --------------------------------------------------------------------------------------------------- */

typedef struct filling {
    ksda_i_lists *lists;
    const uint32_t *degree, *chain;
    uint32_t low;     /* degrees below this one are low: most items have one, and there are few of them */
    uint32_t *bucket; /* [chains * low] those of low degrees, plus 1; 0: there is none */
    uint32_t *start;  /* [largest degree + 2] */
    uint32_t *sorted; /* [items] those of other degrees */
} filling;

static uint32_t chain_of(const filling *f, uint32_t item) {
    return f->chain ? f->chain[item] : 0;
}

/* Items of low degrees in the order of their numbers: each goes to the end of its bucket, so memory is gone through in
 * order. The buckets are not in their chains yet. */
static void insert_low(const filling *f) {
    ksda_i_lists *l = f->lists;
    for (uint32_t i = 0; i < l->items; i++) {
        uint32_t degree = f->degree[i], chain = chain_of(f, i);
        if (degree >= f->low) continue;
        uint32_t *b = &f->bucket[chain * f->low + degree];
        if (!*b) {
            l->bucket[l->fresh] = (ksda_i_bucket){degree, KSDA_I_NONE, KSDA_I_NONE, KSDA_I_NONE, KSDA_I_NONE, 0};
            *b = ++l->fresh;
        }
        append(l, chain, *b - 1, i);
    }
}

static void chain_low(const filling *f) {
    ksda_i_lists *l = f->lists;
    for (uint32_t c = 0; c < l->chains; c++)
        for (uint32_t d = 0; d < f->low; d++) {
            uint32_t b = f->bucket[c * f->low + d], below = l->highest[c];
            if (!b--) continue;
            l->bucket[b].below = below;
            *(below == KSDA_I_NONE ? &l->lowest[c] : &l->bucket[below].above) = b;
            l->highest[c] = b;
        }
}

/* The others in the order of their degrees. */
static void insert_high(const filling *f, uint32_t largest) {
    ksda_i_lists *l = f->lists;
    uint32_t items = 0;
    for (uint32_t i = 0; i < l->items; i++)
        if (f->degree[i] >= f->low) f->start[f->degree[i] + 1]++, items++;
    for (uint32_t d = 0; d < largest; d++) f->start[d + 1] += f->start[d];
    for (uint32_t i = 0; i < l->items; i++)
        if (f->degree[i] >= f->low) f->sorted[f->start[f->degree[i]]++] = i;
    for (uint32_t i = 0; i < items; i++) {
        if (i + AHEAD < items) { /* the order of degrees is a random one in memory */
            ksda_i_lists_prefetch(l, f->sorted[i + AHEAD]);
            __builtin_prefetch(&f->degree[f->sorted[i + AHEAD]]);
            if (f->chain) __builtin_prefetch(&f->chain[f->sorted[i + AHEAD]]);
        }
        ksda_i_lists_insert(l, chain_of(f, f->sorted[i]), f->sorted[i], f->degree[f->sorted[i]]);
    }
}

ksda_status ksda_i_lists_insert_sorted(ksda_ctx *ctx, ksda_i_lists *lists, const uint32_t *degree,
                                       const uint32_t *chain) {
    uint32_t items = lists->items, largest = 0, cells = items < CELLS ? items : CELLS;
    for (uint32_t i = 0; i < items; i++) largest = degree[i] > largest ? degree[i] : largest;
    filling f = {.lists = lists, .degree = degree, .chain = chain, .low = lists->chains ? cells / lists->chains : 0};
    f.bucket = ksda_i_calloc(ctx, (uint64_t)lists->chains * f.low, sizeof *f.bucket);
    f.start = ksda_i_calloc(ctx, (uint64_t)largest + 2, sizeof *f.start);
    f.sorted = ksda_i_malloc(ctx, items, sizeof *f.sorted);
    ksda_status status = f.bucket && f.start && f.sorted ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0) {
        insert_low(&f);
        chain_low(&f);
        insert_high(&f, largest);
    }
    ksda_i_free(ctx, f.bucket);
    ksda_i_free(ctx, f.start);
    ksda_i_free(ctx, f.sorted);
    return status;
}
