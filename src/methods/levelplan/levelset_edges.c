/* The edges of a release with few levels: every piece gets exactly the degree of its level.
 *
 * Two pieces may be connected when their vertices are of one community, or are adjacent: then the edge is a further
 * representative of one that exists, tells nothing new, and is allowed across communities. Pieces of one vertex may be
 * linked, free of charge. So split neighbours lend degree even to a vertex that is alone in its community.
 *
 * First the original edges are dealt out. Then the piece with the fewest partners to spare is connected, again and
 * again, to its siblings and to those that lack most; where needs are left, added edges are handed on along a way from
 * one who lacks to another; a partner may also move up to its next level. Adjacency is a bit matrix, so a step looks at
 * 64 pieces at a time. Time O(pieces^3 / 64 + unmet * edges), memory pieces^2 / 8 bytes. */
#include "methods/levelplan/levelset.h"
#include "core/bits.h"

#include <stdlib.h>

#define NOTHING UINT32_MAX

/* How a piece came to look for another edge: `from` takes the place that it had beside `over`. */
typedef struct way {
    uint32_t stamp, from, over, edge;
} way;

/* That no way leads on from a piece, when there were so many edges, and what finding that out took. */
typedef struct dead_end {
    uint64_t edges, work;
} dead_end;

typedef struct table {
    ksda_i_levelset *f;
    uint32_t words;
    uint64_t *may;     /* [count * words] pairs that may still be connected */
    uint64_t *needy;   /* [words] */
    uint32_t *lacks;   /* [count] */
    uint32_t *carrier; /* [2m] the piece that carries each end */
    ksda_pair *edge;   /* added or linked */
    uint64_t edges, capacity;
    uint32_t *partners;     /* [count] needy ones that each may be connected to, while all are being connected */
    uint32_t *first, *next; /* the added edges of each piece, see list_end() */
    uint64_t next_capacity;
    uint32_t *added;  /* [count] how many each has */
    uint64_t *listed; /* [words] pieces that have any */
    uint64_t *open;   /* [words] of them, those that the way has not come over yet */
    way *way;         /* [count] */
    dead_end *dead;   /* [count] */
    uint32_t *queue;  /* [count] */
    uint32_t *some;   /* [words] which words of needy hold anybody, while a way is looked for */
    uint32_t somes;
    uint32_t stamp;
    uint64_t work;    /* edges looked at */
    uint64_t charged; /* of them */
} table;

#define WORK UINT64_C(3000000)
#define PIECE_UNITS 60u     /* of work, to lay out a piece, */
#define ORIGINAL_UNITS 100u /* and an original edge of a split vertex */
#define WORDS_A_UNIT 4u     /* of work, words of adjacency looked at */
#define EXCHANGE_UNITS 1u   /* the same, for an edge looked at */
#define FAR 64u             /* so many are asked to hand an edge on before that is given up */
#define RAISED 32u          /* so few needs may be left when partners begin to move up */

static bool row_has(const uint64_t *row, uint32_t x) {
    return row[x / 64] >> (x % 64) & 1;
}
static void flip_bit(uint64_t *row, uint32_t x) {
    row[x / 64] ^= UINT64_C(1) << (x % 64);
}
static uint64_t *connectable_row(const table *t, uint32_t x) {
    return t->may + (uint64_t)x * t->words;
}
static bool may_connect(const table *t, uint32_t x, uint32_t y) {
    return row_has(connectable_row(t, x), y);
}

/* --- who may be connected -------------------------------------------------------------------------------------- */

/* The further pieces of every vertex as lists: first[v] and next[x], UINT32_MAX at the end. */
static void list_pieces(const ksda_i_levelset *f, uint32_t *first, uint32_t *next) {
    for (uint32_t v = 0; v < f->graph->n; v++) first[v] = UINT32_MAX;
    for (uint32_t x = f->count; x-- > f->graph->n;) next[x] = first[f->owner[x]], first[f->owner[x]] = x;
}

/* Every piece of v, which is split, with every piece of its neighbours; mask [words] holds zeros before and after. */
static void allow_neighbours(table *t, const uint32_t *first, const uint32_t *next, uint32_t v, uint64_t *mask) {
    const ksda_graph *g = t->f->graph;
    for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
        uint32_t w = g->adj[i];
        for (uint32_t y = w; y != UINT32_MAX; y = y == w ? first[w] : next[y]) flip_bit(mask, y);
        for (uint32_t x = v; t->f->pieces[w] == 1 && x != UINT32_MAX; x = x == v ? first[v] : next[x])
            connectable_row(t, w)[x / 64] |= UINT64_C(1) << (x % 64);
    }
    for (uint32_t x = v; x != UINT32_MAX; x = x == v ? first[v] : next[x]) {
        uint64_t *row = connectable_row(t, x);
        for (uint32_t i = 0; i < t->words; i++) row[i] |= mask[i];
    }
    memset(mask, 0, t->words * sizeof *mask);
}

/* Everybody of one community with everybody, but for neighbours that are both whole; mask [words] holds zeros before
 * and after. */
static void allow_community(table *t, const uint32_t *first, const uint32_t *next, uint32_t c, uint64_t *mask) {
    const ksda_i_levelset *f = t->f;
    uint32_t size;
    const uint32_t *member = ksda_communities_members(f->communities, c, &size);
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t v = member[i], x = v; x != UINT32_MAX; x = x == v ? first[v] : next[x]) flip_bit(mask, x);
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t v = member[i], x = v; x != UINT32_MAX; x = x == v ? first[v] : next[x]) {
            uint64_t *row = connectable_row(t, x);
            memcpy(row, mask, t->words * sizeof *mask);
            flip_bit(row, x);
            if (f->pieces[v] > 1) continue;
            for (uint64_t e = f->inside[v]; e < f->graph->off[v + 1]; e++) /* others are not in the mask */
                row[f->around_row[e] / 64] &= ~(UINT64_C(1) << (f->around_row[e] % 64));
        }
    memset(mask, 0, t->words * sizeof *mask);
}

/* The order in which v's edges are dealt, found out once; v has edges, scratch is [n]. */
static const uint32_t *deal_order(const ksda_i_levelset *f, uint32_t v, uint64_t *scratch) {
    uint32_t *order = f->deal_order + f->graph->off[v];
    if (*order != NOTHING) return order;
    ksda_i_deal_order(f->graph, f->communities, v, scratch);
    for (uint32_t i = 0; i < ksda_i_degree(f->graph, v); i++) order[i] = (uint32_t)scratch[i];
    return order;
}

/* Deal v's edges out: one for each piece, and as many more as there is room for, the first piece before the others. */
static void deal_original_edges(table *t, const uint32_t *first, const uint32_t *next, uint32_t v, uint64_t *scratch) {
    const ksda_i_levelset *f = t->f;
    const ksda_graph *g = f->graph;
    uint32_t degree = ksda_i_degree(g, v), left = degree - f->pieces[v], x = v, quota = 0;
    const uint32_t *order = deal_order(f, v, scratch);
    for (uint32_t i = 0; i < degree; i++) {
        if (!quota) {
            if (i) x = x == v ? first[v] : next[x];
            uint32_t more = f->level[f->at[x]] - 1;
            if (more > left) more = left;
            quota = 1 + more, left -= more;
        }
        t->carrier[g->off[v] + order[i]] = x;
        quota--;
        t->lacks[x]--;
    }
}

/* Pairs of pieces that carry v's edges are connected. */
static void place_originals_of(table *t, uint32_t v) {
    const ksda_i_levelset *f = t->f;
    const ksda_graph *g = f->graph;
    for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
        uint32_t w = g->adj[i], x = t->carrier[i], y = w;
        if (f->pieces[w] > 1 && w < v) continue; /* done from there */
        if (f->pieces[w] > 1) y = t->carrier[g->off[w] + f->mirror[i]];
        flip_bit(connectable_row(t, x), y), flip_bit(connectable_row(t, y), x);
    }
}

/* Only where somebody is split is there anything to deal out. */
static void place_originals(table *t, const uint32_t *first, const uint32_t *next, uint64_t *scratch) {
    const ksda_graph *g = t->f->graph;
    for (uint32_t x = 0; x < t->f->count; x++) t->lacks[x] = t->f->level[t->f->at[x]];
    for (uint32_t v = 0; v < g->n; v++) {
        if (t->f->pieces[v] == 1)
            t->lacks[v] -= ksda_i_degree(g, v);
        else
            deal_original_edges(t, first, next, v, scratch);
    }
    for (uint32_t v = 0; v < g->n; v++)
        if (t->f->pieces[v] > 1) allow_neighbours(t, first, next, v, t->needy);
    for (uint32_t v = 0; v < g->n; v++)
        if (t->f->pieces[v] > 1) {
            place_originals_of(t, v);
            ksda_i_work(t->f->ctx, ORIGINAL_UNITS * (uint64_t)ksda_i_degree(g, v));
        }
    for (uint32_t x = 0; x < t->f->count; x++)
        if (t->lacks[x]) flip_bit(t->needy, x);
}

static ksda_status table_open(table *t) {
    uint32_t count = t->f->count, n = t->f->graph->n;
    ksda_status status = KSDA_NOMEM;
    uint32_t *first = ksda_i_malloc(t->f->ctx, n, sizeof *first), *next = ksda_i_malloc(t->f->ctx, count, sizeof *next);
    uint64_t *scratch = ksda_i_malloc(t->f->ctx, n, sizeof *scratch);
    t->words = (count + 63) / 64;
    t->may = ksda_i_malloc(t->f->ctx, (uint64_t)count * t->words, sizeof *t->may);
    t->needy = ksda_i_calloc(t->f->ctx, t->words, sizeof *t->needy);
    t->carrier = ksda_i_malloc(t->f->ctx, 2 * t->f->graph->m, sizeof *t->carrier);
    t->first = ksda_i_malloc(t->f->ctx, count, sizeof *t->first);
    t->added = ksda_i_calloc(t->f->ctx, count, sizeof *t->added);
    t->way = ksda_i_calloc(t->f->ctx, count, sizeof *t->way);
    t->dead = ksda_i_calloc(t->f->ctx, count, sizeof *t->dead);
    t->queue = ksda_i_malloc(t->f->ctx, count, sizeof *t->queue);
    t->some = ksda_i_malloc(t->f->ctx, t->words, sizeof *t->some);
    t->partners = ksda_i_malloc(t->f->ctx, count, sizeof *t->partners);
    t->listed = ksda_i_calloc(t->f->ctx, t->words, sizeof *t->listed);
    t->open = ksda_i_malloc(t->f->ctx, t->words, sizeof *t->open);
    if (first && next && scratch && t->may && t->needy && t->carrier && t->first && t->added && t->way && t->dead &&
        t->queue && t->some && t->partners && t->listed && t->open) {
        list_pieces(t->f, first, next);
        for (uint32_t c = 0; c < t->f->communities->count; c++) allow_community(t, first, next, c, t->needy);
        place_originals(t, first, next, scratch);
        memset(t->first, 0xff, count * sizeof *t->first); /* NOTHING */
        status = KSDA_OK;
    }
    ksda_i_free(t->f->ctx, first);
    ksda_i_free(t->f->ctx, next);
    ksda_i_free(t->f->ctx, scratch);
    return status;
}

static void table_close(table *t) {
    ksda_i_free(t->f->ctx, t->may);
    ksda_i_free(t->f->ctx, t->needy);
    ksda_i_free(t->f->ctx, t->carrier);
    ksda_i_free(t->f->ctx, t->edge);
    ksda_i_free(t->f->ctx, t->first);
    ksda_i_free(t->f->ctx, t->next);
    ksda_i_free(t->f->ctx, t->added);
    ksda_i_free(t->f->ctx, t->way);
    ksda_i_free(t->f->ctx, t->dead);
    ksda_i_free(t->f->ctx, t->some);
    ksda_i_free(t->f->ctx, t->partners);
    ksda_i_free(t->f->ctx, t->listed);
    ksda_i_free(t->f->ctx, t->open);
    ksda_i_free(t->f->ctx, t->queue);
}

/* --- connecting ------------------------------------------------------------------------------------------------ */

/* One need of x less, or more. */
static void spend_need(table *t, uint32_t x) {
    if (--t->lacks[x] == 0) flip_bit(t->needy, x);
}
static void owe_need(table *t, uint32_t x, uint32_t more) {
    if (!t->lacks[x] && more) flip_bit(t->needy, x);
    t->lacks[x] += more;
}

static bool is_link(const table *t, ksda_pair e) {
    return t->f->owner[e.u] == t->f->owner[e.v];
}

/* Which added edges a piece has, links left out: first[x], then next[], the number of an end being twice that of its
 * edge, and one more for v. */
static void list_end(table *t, uint32_t x, uint32_t end) {
    if (!t->added[x]++) flip_bit(t->listed, x);
    t->next[end] = t->first[x], t->first[x] = end;
}
static void unlist_end(table *t, uint32_t x, uint32_t end) {
    uint32_t *at = &t->first[x];
    while (*at != end) at = &t->next[*at];
    *at = t->next[end];
    if (!--t->added[x]) flip_bit(t->listed, x);
}

/* Connect two pieces; what they lack is the caller's business. */
static ksda_status connect_pieces(table *t, uint32_t x, uint32_t y) {
    ksda_status status = ksda_i_reserve(t->f->ctx, &t->edge, &t->capacity, t->edges + 1, sizeof *t->edge);
    if (status >= 0) status = ksda_i_reserve(t->f->ctx, &t->next, &t->next_capacity, 2 * t->edges + 2, sizeof *t->next);
    if (status < 0) return status;
    uint32_t end = (uint32_t)(2 * t->edges);
    t->edge[t->edges++] = (ksda_pair){x, y};
    flip_bit(connectable_row(t, x), y), flip_bit(connectable_row(t, y), x);
    if (!is_link(t, (ksda_pair){x, y})) list_end(t, x, end), list_end(t, y, end + 1);
    return KSDA_OK;
}

static void count_partners(table *t) {
    for (uint32_t x = 0; x < t->f->count; x++) {
        t->partners[x] = 0;
        for (uint32_t i = 0; t->lacks[x] && i < t->words; i++)
            t->partners[x] += ksda_i_bits_set(connectable_row(t, x)[i] & t->needy[i]);
    }
    ksda_i_work(t->f->ctx, (uint64_t)t->f->count * t->words / WORDS_A_UNIT);
}

/* x has one need less: with none left it is nobody's partner. */
static void spend_partner(table *t, uint32_t x) {
    spend_need(t, x);
    if (t->lacks[x]) return;
    for (uint32_t i = 0; i < t->words; i++)
        for (uint64_t bits = connectable_row(t, x)[i] & t->needy[i]; bits; bits &= bits - 1)
            t->partners[64 * i + (uint32_t)__builtin_ctzll(bits)]--;
    ksda_i_work(t->f->ctx, t->words / WORDS_A_UNIT + t->partners[x]);
}

/* The needy piece with the fewest partners to spare, not done yet; UINT32_MAX for none, and when the work is over. */
static uint32_t tightest(const table *t, const uint64_t *done) {
    uint32_t best = UINT32_MAX, looks = t->words;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < t->words; i++)
        for (uint64_t bits = t->needy[i] & ~done[i]; bits; bits &= bits - 1) {
            uint32_t x = 64 * i + (uint32_t)__builtin_ctzll(bits);
            int64_t spare = (int64_t)t->partners[x] - t->lacks[x];
            if (spare < least) least = spare, best = x;
            looks++;
        }
    ksda_i_work(t->f->ctx, looks);
    return ksda_i_work_over(t->f->ctx) ? UINT32_MAX : best;
}

/* The partner of x that lacks most, a sibling if there is one; UINT32_MAX for none. */
static uint32_t best_partner(const table *t, uint32_t x) {
    const uint64_t *row = connectable_row(t, x);
    uint32_t best = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < t->words; i++)
        for (uint64_t bits = row[i] & t->needy[i]; bits; bits &= bits - 1) {
            uint32_t y = 64 * i + (uint32_t)__builtin_ctzll(bits);
            uint32_t rank = t->lacks[y] + (t->f->owner[y] == t->f->owner[x] ? UINT32_C(1) << 30 : 0);
            if (rank > most) most = rank, best = y;
        }
    return best;
}

static ksda_status connect_all(table *t) {
    ksda_status status = KSDA_OK;
    uint64_t *done = ksda_i_calloc(t->f->ctx, t->words, sizeof *done);
    if (!done) return KSDA_NOMEM;
    count_partners(t);
    for (uint32_t x; (x = tightest(t, done)) != UINT32_MAX; flip_bit(done, x)) {
        KSDA_I_TRY(ksda_i_interrupted(t->f->ctx));
        for (uint32_t y; t->lacks[x] && (y = best_partner(t, x)) != UINT32_MAX;) {
            KSDA_I_TRY(connect_pieces(t, x, y));
            t->partners[x]--, t->partners[y]--;
            spend_partner(t, x), spend_partner(t, y);
        }
    }
done:
    ksda_i_free(t->f->ctx, done);
    return status;
}

/* --- what is left ---------------------------------------------------------------------------------------------- */

/* y, on the way from u, can be connected to x: the neighbour of x may look for another in its place. Whoever would
 * never be asked is not listed. */
static void step_over(table *t, uint32_t y, uint32_t x, uint32_t *ahead) {
    flip_bit(t->open, x);
    t->work += t->added[x];
    if (*ahead >= FAR) return;
    for (uint32_t end = t->first[x]; end != NOTHING; end = t->next[end]) {
        ksda_pair e = t->edge[end / 2];
        uint32_t z = e.u == x ? e.v : e.u;
        if (t->way[z].stamp == t->stamp) continue;
        t->way[z] = (way){t->stamp, y, x, end / 2};
        t->queue[(*ahead)++] = z;
    }
}

/* A vertex that lacks an edge, may be connected to y, and is not the only one that u lacks; or NOTHING. */
static uint32_t other_in_need(const table *t, uint32_t u, uint32_t y) {
    const uint64_t *row = connectable_row(t, y);
    for (uint32_t i = 0; i < t->somes; i++)
        for (uint64_t bits = row[t->some[i]] & t->needy[t->some[i]]; bits; bits &= bits - 1) {
            uint32_t w = 64 * t->some[i] + (uint32_t)__builtin_ctzll(bits);
            if (w != u || t->lacks[u] >= 2) return w;
        }
    return NOTHING;
}

/* Does the way from u to y use the edge by which it came to z again, further ahead? */
static bool used_before(const table *t, uint32_t u, uint32_t z) {
    for (uint32_t q = t->way[z].from; q != u; q = t->way[q].from)
        if (t->way[q].edge == t->way[z].edge) return true;
    return false;
}

/* The edge ends at y in place of x. */
static void take_over(table *t, uint32_t edge, uint32_t x, uint32_t y) {
    ksda_pair *e = &t->edge[edge];
    uint32_t end = 2 * edge + (e->v == x);
    unlist_end(t, x, end), list_end(t, y, end);
    *(e->v == x ? &e->v : &e->u) = y;
}

/* Every edge on the way from u to y is handed on; false, and nothing is done, when the way crosses itself so that an
 * edge would be there twice. */
static bool hand_edges_on(table *t, uint32_t u, uint32_t y, uint32_t w) {
    bool good = true;
    flip_bit(connectable_row(t, y), w), flip_bit(connectable_row(t, w), y); /* as if they were connected */
    for (uint32_t z = y; z != u; z = t->way[z].from) {
        uint32_t from = t->way[z].from, x = t->way[z].over;
        good &= may_connect(t, from, x) && !used_before(t, u, z);
        flip_bit(connectable_row(t, from), x), flip_bit(connectable_row(t, x), from);
    }
    flip_bit(connectable_row(t, y), w), flip_bit(connectable_row(t, w), y);
    for (uint32_t z = y; z != u; z = t->way[z].from) {
        uint32_t from = t->way[z].from, x = t->way[z].over;
        if (!good) {
            flip_bit(connectable_row(t, from), x), flip_bit(connectable_row(t, x), from);
            continue;
        }
        flip_bit(connectable_row(t, x), z), flip_bit(connectable_row(t, z), x);
        take_over(t, t->way[z].edge, z, from);
    }
    return good;
}

/* Meet one need of u and one of another vertex, or two of u: u takes an edge x-z over and becomes u-x, so that z looks
 * for another one, and so on, the shortest way first, until a vertex is found that lacks an edge as well. */
static ksda_status exchange(table *t, uint32_t u, bool *done) {
    uint32_t behind = 0, ahead = 0;
    memcpy(t->open, t->listed, t->words * sizeof *t->open);
    t->somes = 0;
    for (uint32_t i = 0; i < t->words; i++)
        if (t->needy[i]) t->some[t->somes++] = i;
    t->stamp++;
    t->way[u].stamp = t->stamp, t->queue[ahead++] = u;
    t->work += t->words;
    while (behind < ahead && behind < FAR && t->work < WORK) {
        uint32_t y = t->queue[behind++], w = other_in_need(t, u, y);
        t->work += 2 * t->words;
        if (w != NOTHING && y != u) {
            if (!hand_edges_on(t, u, y, w)) return KSDA_OK;
            spend_need(t, u), spend_need(t, w);
            *done = true;
            return connect_pieces(t, y, w);
        }
        for (uint32_t i = 0; i < t->words; i++)
            for (uint64_t bits = connectable_row(t, y)[i] & t->open[i]; bits; bits &= bits - 1)
                step_over(t, y, 64 * i + (uint32_t)__builtin_ctzll(bits), &ahead);
    }
    return KSDA_OK;
}

/* A vertex takes a need of u and moves up for it: the one with the least step, of equals the first or the highest. */
static ksda_status absorb_need(table *t, uint32_t u, uint32_t most, bool *done) {
    ksda_i_levelset *f = t->f;
    uint32_t best = UINT32_MAX, least = most < UINT32_MAX ? most + 1 : most;
    for (uint32_t i = 0; i < t->words; i++)
        for (uint64_t bits = connectable_row(t, u)[i]; bits; bits &= bits - 1) {
            uint32_t y = 64 * i + (uint32_t)__builtin_ctzll(bits);
            t->work++;
            if (f->at[y] + 1 >= f->levels || !ksda_i_levelset_may_leave(f, y)) continue;
            uint32_t step = f->level[f->at[y] + 1] - f->level[f->at[y]];
            bool better = step < least || (f->high && step == least && best != UINT32_MAX && f->at[y] > f->at[best]);
            if (better && f->level[f->at[y] + 1] <= ksda_i_levelset_around(f, f->owner[y])) least = step, best = y;
        }
    if (best == UINT32_MAX) return KSDA_OK;
    ksda_i_levelset_move(f, best, f->at[best] + 1);
    owe_need(t, best, least - 1);
    spend_need(t, u);
    *done = true;
    return connect_pieces(t, u, best);
}

/* May piece y be raised to that level, as far as those around it can tell? */
static bool can_reach(const ksda_i_levelset *f, uint32_t y, uint32_t level) {
    return level < f->levels && f->level[level] <= ksda_i_levelset_around(f, f->owner[y]);
}

/* A member of y's community that can take its place at its level, the nearest from below; NOTHING if there is none
 * within `most`. */
static uint32_t replacement(table *t, uint32_t y, uint32_t most) {
    const ksda_i_levelset *f = t->f;
    uint32_t size, best = NOTHING, c = f->communities->of[f->owner[y]];
    const uint32_t *member = ksda_communities_members(f->communities, c, &size);
    t->work += size;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t z = member[i];
        if (f->at[z] >= f->at[y] || z == y || f->pieces[z] > 1) continue;
        uint32_t step = f->level[f->at[y]] - f->level[f->at[z]];
        if (step < most && ksda_i_levelset_may_leave(f, z) && can_reach(f, z, f->at[y])) most = step, best = z;
    }
    return best;
}

/* A vertex takes a need of u and moves up although its level needs it, and another of its community comes to that level
 * in its place: the pair with the least step. */
static ksda_status absorb_and_replace(table *t, uint32_t u, bool *done) {
    ksda_i_levelset *f = t->f;
    uint32_t best = NOTHING, place = NOTHING, least = UINT32_MAX;
    for (uint32_t i = 0; i < t->words; i++)
        for (uint64_t bits = connectable_row(t, u)[i]; bits; bits &= bits - 1) {
            uint32_t y = 64 * i + (uint32_t)__builtin_ctzll(bits), z;
            t->work++;
            if (!can_reach(f, y, f->at[y] + 1) || f->pieces[f->owner[y]] > 1) continue;
            uint32_t step = f->level[f->at[y] + 1] - f->level[f->at[y]];
            if (step >= least || (z = replacement(t, y, least - step)) == NOTHING || z == u) continue;
            best = y, place = z, least = step + f->level[f->at[y]] - f->level[f->at[z]];
        }
    if (best == NOTHING) return KSDA_OK;
    uint32_t here = f->at[best], step = f->level[here + 1] - f->level[here];
    owe_need(t, place, least - step);
    ksda_i_levelset_move(f, place, here);
    ksda_i_levelset_move(f, best, here + 1);
    owe_need(t, best, step - 1);
    spend_need(t, u);
    *done = true;
    return connect_pieces(t, u, best);
}

/* Has neither a partner nor a way been found for u, and nothing changed since? Every change adds an edge. That costs
 * the same work again. */
static bool nothing_new(table *t, uint32_t u) {
    const dead_end *d = &t->dead[u];
    if (!d->work || d->edges != t->edges || t->work + d->work >= WORK) return false;
    t->work += d->work;
    return true;
}

static ksda_status pair_or_exchange(table *t, uint32_t u, bool *done) {
    uint32_t y = best_partner(t, u);
    uint64_t before = t->work;
    if (y != UINT32_MAX) {
        *done = true;
        spend_need(t, u), spend_need(t, y);
        return connect_pieces(t, u, y);
    }
    ksda_status status = exchange(t, u, done);
    if (!*done) t->dead[u] = (dead_end){t->edges, t->work - before};
    return status;
}

/* Any step that meets a need of u. */
static ksda_status settle_one(table *t, uint32_t u, uint32_t step, bool *done) {
    bool look = step != 1 && !nothing_new(t, u);
    ksda_status status = look ? pair_or_exchange(t, u, done) : KSDA_OK;
    if (!*done && step && status >= 0) status = absorb_need(t, u, step, done);
    if (!*done && step == UINT32_MAX && status >= 0) status = absorb_and_replace(t, u, done);
    return status;
}

static ksda_status meet_needs(table *t, uint32_t step, uint32_t moves) {
    ksda_status status = KSDA_OK;
    for (bool any = true; any && moves;) {
        any = false;
        KSDA_I_TRY(ksda_i_interrupted(t->f->ctx));
        for (uint32_t u = 0; u < t->f->count && moves; u++) {
            if (!t->lacks[u]) continue;
            bool done = false;
            KSDA_I_TRY(settle_one(t, u, step, &done));
            any |= done, moves--;
            ksda_i_work(t->f->ctx, EXCHANGE_UNITS * (t->work - t->charged));
            t->charged = t->work;
            if (ksda_i_work_over(t->f->ctx)) goto done;
        }
    }
done:
    return status;
}

static uint64_t sum_of_needs(const table *t) {
    uint64_t lacks = 0;
    for (uint32_t x = 0; x < t->f->count; x++) lacks += t->lacks[x];
    return lacks;
}

/* --- handing over ---------------------------------------------------------------------------------------------- */

static ksda_status to_edits(const table *t, ksda_edits **out) {
    const ksda_i_levelset *f = t->f;
    const ksda_graph *g = f->graph;
    ksda_edits *edits = NULL;
    ksda_status status;
    KSDA_I_TRY(ksda_edits_new(f->ctx, g, &edits));
    for (uint32_t x = g->n, piece; x < f->count; x++) KSDA_I_TRY(ksda_edits_split(f->ctx, edits, f->owner[x], &piece));
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++)
            if (f->pieces[v] > 1 && t->carrier[i] != v)
                KSDA_I_TRY(ksda_edits_carry(f->ctx, edits, v, (uint32_t)(i - g->off[v]), t->carrier[i]));
    for (uint64_t e = 0; e < t->edges; e++) {
        ksda_pair p = t->edge[e];
        KSDA_I_TRY(is_link(t, p) ? ksda_edits_link(f->ctx, edits, p.u, p.v)
                                 : ksda_edits_add_edge(f->ctx, edits, p.u, p.v));
    }
    *out = edits;
    return KSDA_OK;
done:
    ksda_edits_free(f->ctx, edits);
    return status;
}

ksda_status ksda_i_levelset_edges(ksda_i_levelset *f, uint64_t *unmet, ksda_edits **out) {
    ksda_status status;
    table t = {.f = f, .lacks = f->lacks};
    *unmet = 0;
    *out = NULL;
    KSDA_I_TRY(table_open(&t));
    ksda_i_work(f->ctx, (uint64_t)f->count * (t.words / WORDS_A_UNIT + PIECE_UNITS));
    KSDA_I_TRY(connect_all(&t));
    KSDA_I_TRY(meet_needs(&t, 0, UINT32_MAX));
    for (uint32_t step = 1; step <= 4; step++) KSDA_I_TRY(meet_needs(&t, step, f->count));
    *unmet = sum_of_needs(&t);
    if (*unmet && *unmet <= RAISED) KSDA_I_TRY(meet_needs(&t, UINT32_MAX, 16 * RAISED));
    *unmet = sum_of_needs(&t);
    if (!*unmet) KSDA_I_TRY(to_edits(&t, out));
done:
    table_close(&t);
    return status;
}
