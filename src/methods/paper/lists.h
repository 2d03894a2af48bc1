/* lists.h: items kept in order of their degree, in chains, with every operation the methods need in constant time.
 *
 * A chain is a row of buckets in ascending order of degree; a bucket holds the items of one degree, in the order in
 * which they came to it. Only degrees that occur have a bucket, so a chain costs nothing for the gaps, and an item
 * whose degree changes by one moves to the bucket next door. Used twice: for the not-yet-placed vertices (one chain a
 * community), and for the communities by the degree of their first vertex (one chain). */
#ifndef KSDA_I_LISTS_H
#define KSDA_I_LISTS_H

#include "core/ctx.h"

#define KSDA_I_NONE UINT32_MAX

/* In which order to walk a chain. Within a bucket who came first goes first, except in the reversed order. */
typedef enum ksda_i_order {
    KSDA_I_DESCENDING,         /* largest degree first */
    KSDA_I_ASCENDING,          /* smallest degree first */
    KSDA_I_DESCENDING_REVERSED /* exactly the descending order, backwards */
} ksda_i_order;

typedef struct ksda_i_bucket {
    uint32_t degree;
    uint32_t below, above; /* neighbouring buckets of the chain */
    uint32_t first, last;  /* items */
    uint32_t size;         /* 0: what was in it is in no chain any more */
} ksda_i_bucket;

typedef struct ksda_i_link {
    uint32_t prev, next; /* in the bucket */
    uint32_t bucket;     /* KSDA_I_NONE, or an empty one: in no chain */
    uint32_t chain;      /* where it is, or was last */
} ksda_i_link;

typedef struct ksda_i_lists {
    uint32_t items, chains;
    ksda_i_link *link;           /* [items] */
    ksda_i_bucket *bucket;       /* [items + 1]: there are never more, as each has an item, or had some that are out */
    uint32_t *lowest, *highest;  /* [chains] buckets */
    uint32_t free_bucket, fresh; /* recycled ones, linked by above; and the first never used */
} ksda_i_lists;

ksda_status ksda_i_lists_init(ksda_ctx *ctx, ksda_i_lists *lists, uint32_t items, uint32_t chains);
void ksda_i_lists_clear(ksda_ctx *ctx, ksda_i_lists *lists);

/* Put an item that is in no chain into one. Constant time when degree is at least the highest in the chain; otherwise
 * the buckets from the top down to it are walked. */
void ksda_i_lists_insert(ksda_i_lists *lists, uint32_t chain, uint32_t item, uint32_t degree);
/* Put all items into chains that are empty, in O(items + largest degree), equal degrees in order of their numbers.
 * degree: [items]; chain: [items], or NULL for chain 0. */
ksda_status ksda_i_lists_insert_sorted(ksda_ctx *ctx, ksda_i_lists *lists, const uint32_t *degree,
                                       const uint32_t *chain);
void ksda_i_lists_remove(ksda_i_lists *lists, uint32_t item);
/* Take all items of the lowest degree out of a chain, in constant time. They never come back, nor does their bucket: it
 * tells them that they are out. */
void ksda_i_lists_remove_lowest(ksda_i_lists *lists, uint32_t chain);
/* Give an item another degree: it goes to the end of that bucket. Walks the buckets in between. */
void ksda_i_lists_move(ksda_i_lists *lists, uint32_t item, uint32_t degree);

static inline bool ksda_i_lists_has(const ksda_i_lists *lists, uint32_t item) {
    uint32_t b = lists->link[item].bucket;
    return b != KSDA_I_NONE && lists->bucket[b].size > 0;
}

static inline uint32_t ksda_i_lists_degree(const ksda_i_lists *lists, uint32_t item) {
    return lists->bucket[lists->link[item].bucket].degree;
}

/* The first item of a chain, or KSDA_I_NONE. */
static inline uint32_t ksda_i_lists_begin(const ksda_i_lists *lists, uint32_t chain, ksda_i_order order) {
    uint32_t b = order == KSDA_I_DESCENDING ? lists->highest[chain] : lists->lowest[chain];
    if (b == KSDA_I_NONE) return KSDA_I_NONE;
    return order == KSDA_I_DESCENDING_REVERSED ? lists->bucket[b].last : lists->bucket[b].first;
}

/* The item after this one, or KSDA_I_NONE. */
static inline uint32_t ksda_i_lists_after(const ksda_i_lists *lists, uint32_t item, ksda_i_order order) {
    const ksda_i_link *l = &lists->link[item];
    uint32_t next = order == KSDA_I_DESCENDING_REVERSED ? l->prev : l->next;
    if (next != KSDA_I_NONE) return next;
    const ksda_i_bucket *b = &lists->bucket[l->bucket];
    uint32_t other = order == KSDA_I_DESCENDING ? b->below : b->above;
    if (other == KSDA_I_NONE) return KSDA_I_NONE;
    return order == KSDA_I_DESCENDING_REVERSED ? lists->bucket[other].last : lists->bucket[other].first;
}

/* Read the item's place in memory in advance, where it will be first soon. */
static inline void ksda_i_lists_prefetch(const ksda_i_lists *lists, uint32_t item) {
    __builtin_prefetch(&lists->link[item], 1);
}

#endif
