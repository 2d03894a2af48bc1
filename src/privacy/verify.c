/* Is a release what it claims? Recounted from the original, its communities, the published graph and the map alone.
 *
 * Conditions, for every original vertex u with pieces S_u:
 *   1. S_u is not empty, and a split u has at most as many pieces as edges;
 *   2. every original edge u-v stands at least once between S_u and S_v;
 *   3. every other published edge is a link inside S_u, or joins two vertices of one community, or of sets of them that
 *      meet;
 *   4. every piece of a split u carries an original edge of u: any representative counts;
 * and the published graph is k-structurally diverse in the communities of the pieces' owners, with no more than the
 * largest share of each degree in one community where there is such a bound.
 *
 * All of 2-4 can be seen from u's side: set a bit for every original neighbour, walk the rows of u's pieces and clear
 * the bit of each neighbour's owner. A bit that is set is an original edge not seen before; the others, few, are looked
 * up. So vertices are inspected in parallel, and where something is wrong each published edge from both its ends: the
 * complaint is about the lowest original vertex with something wrong, whatever the number of threads.
 *
 * Most releases are right, and then one side of most edges will do. Who is not split has one published vertex p, and
 * no two edges join the same two such people: so of p's row only the neighbours q > p are looked at, a bit of a person
 * who is not split that is cleared is one original edge kept, and all of 2 hold if as many are kept as there are. Edges
 * at people who are split are seen from the side of these, in full. That the other sides tell of the same edges is
 * shown by a sum of secretly keyed hashes, of p-q for every q > p in a row less those for every q < p, which is 0. If
 * anything is amiss all is inspected from both sides, and only that counts.
 *
 * Time O(n + m) plus O(log degree) for each edge added; memory 24 bytes a published vertex and a bit per vertex and
 * thread. */
#include "core/parallel.h"
#include "core/sized.h"
#include "core/sort.h"
#include "graph/communities.h"
#include "graph/peers.h"
#include "privacy/diversity.h"
#include "privacy/verify_degrees.h"

#include <stdio.h>

#define VERTEX_GRAIN 2048
#define AHEAD 16     /* entries between asking for an owner and using it */
#define ROWS_AHEAD 4 /* vertices between asking for a published row and using it; twice that for where it is */

typedef struct tally {
    uint64_t added_ends; /* ends of edges between people who are not adjacent */
    uint64_t link_ends;
    uint64_t further_ends; /* ends of representatives beyond the first of their edge */
    uint64_t kept_ends;    /* one-sided: ends of original edges that are there, or are inspected from both sides */
    uint64_t balance;      /* one-sided: hashes of the edges seen at their smaller end less those at the larger one */
    uint32_t wrong;        /* the first vertex with something wrong, or KSDA_NO_VERTEX */
} tally;

/* What a thread works with. */
typedef struct desk {
    uint64_t *wanted;        /* one bit for every original vertex; all 0 between vertices */
    uint32_t *row, *scratch; /* for a published row that is not there and is made; scratch: for what is above as well */
} desk;

typedef struct verify_job {
    ksda_ctx *ctx;
    const ksda_graph *original, *published;
    const ksda_communities *communities;
    const uint32_t *owner;
    const uint32_t *witness; /* [witnesses], or NULL: nobody has told any */
    uint64_t witnesses;
    uint32_t *start;   /* [n + 1] pieces of u are piece[start[u]] .. piece[start[u + 1] - 1] */
    uint32_t *piece;   /* [n'] */
    uint64_t *split;   /* a bit for every original vertex; NULL: nobody is split */
    bool one_sided;    /* look at one side of each edge, where that is enough */
    struct desk *desk; /* [threads] */
    tally *tally;      /* [ranges] */
} verify_job;

/* --- messages ---------------------------------------------------------------------------------------------------- */

static void complain_edge(const verify_job *j, uint32_t p, uint32_t q, char *error, size_t size) {
    char a[KSDA_I_NAME_SHOWN], b[KSDA_I_NAME_SHOWN], c[KSDA_I_NAME_SHOWN], d[KSDA_I_NAME_SHOWN];
    snprintf(
        error, size,
        "published edge %s-%s joins vertices %s and %s, which are not adjacent in the original and belong to different "
        "communities",
        ksda_i_verify_name(j->published, p, a), ksda_i_verify_name(j->published, q, b),
        ksda_i_verify_name(j->original, j->owner[p], c), ksda_i_verify_name(j->original, j->owner[q], d));
}

static void complain_lost(const verify_job *j, uint32_t u, uint32_t v, char *error, size_t size) {
    char a[KSDA_I_NAME_SHOWN], b[KSDA_I_NAME_SHOWN];
    snprintf(error, size,
             "original edge %s-%s is missing: no published vertex of the one is adjacent to one of the other",
             ksda_i_verify_name(j->original, u, a), ksda_i_verify_name(j->original, v, b));
}

static void complain_idle(const verify_job *j, uint32_t p, char *error, size_t size) {
    char a[KSDA_I_NAME_SHOWN], b[KSDA_I_NAME_SHOWN];
    snprintf(error, size,
             "published vertex %s, one of those that vertex %s was split into, carries none of its original edges",
             ksda_i_verify_name(j->published, p, a), ksda_i_verify_name(j->original, j->owner[p], b));
}

/* --- one vertex -------------------------------------------------------------------------------------------------- */

/* Are the two in one community? By the definition, each with each. */
static bool together(const verify_job *j, uint32_t u, uint32_t v) {
    uint32_t a_size, b_size;
    const uint32_t *a = ksda_communities_set(j->communities, u, &a_size),
                   *b = ksda_communities_set(j->communities, v, &b_size);
    for (uint32_t i = 0; i < a_size; i++)
        for (uint32_t k = 0; k < b_size; k++)
            if (a[i] == b[k]) return true;
    return false;
}

static bool is_split(const verify_job *j, uint32_t u) {
    return j->split && j->split[u >> 6] >> (u & 63) & 1;
}

/* Of an edge that is seen from u's side, how many ends: both if nobody looks from the other one. */
static uint32_t ends_seen(const verify_job *j, uint32_t v) {
    return j->one_sided && !is_split(j, v) ? 2 : 1;
}

/* Walk the row of piece p of u. False, with a complaint where one is wanted, for an edge that may not be there; the
 * others are counted nevertheless. */
static bool inspect_piece(const verify_job *j, uint32_t u, uint32_t p, const desk *d, tally *t, bool *carries,
                          char *error, size_t size) {
    const ksda_graph *g = j->original, *h = j->published;
    const uint32_t *owner = j->owner,
                   *row = ksda_i_graph_row(h, p, error ? KSDA_I_ROW_SORTED : KSDA_I_ROW_ANY, d->row, d->scratch);
    uint64_t *wanted = d->wanted;
    bool right = true;
    for (uint32_t i = 0, end = ksda_i_degree(h, p); i < end; i++) {
        if (i + AHEAD < end) __builtin_prefetch(&owner[row[i + AHEAD]]); /* the one access that misses the cache */
        uint32_t v = owner[row[i]];
        uint64_t mask = UINT64_C(1) << (v & 63);
        if (wanted[v >> 6] & mask) {
            wanted[v >> 6] ^= mask;
            *carries = true;
        } else if (v == u) {
            t->link_ends++;
        } else if (ksda_i_graph_position(g, u, v) != UINT64_MAX) {
            t->further_ends += ends_seen(j, v);
            *carries = true;
        } else if (together(j, u, v)) {
            t->added_ends += ends_seen(j, v);
        } else {
            if (error && right) complain_edge(j, p, row[i], error, size);
            right = false;
        }
    }
    return right;
}

/* Clear the bits of u's original neighbours; the first that was still set, or KSDA_NO_VERTEX. */
static uint32_t first_wanted(const ksda_graph *g, uint32_t u, uint64_t *wanted) {
    uint32_t first = KSDA_NO_VERTEX;
    for (uint64_t i = g->off[u]; i < g->off[u + 1]; i++) {
        uint32_t v = g->adj[i];
        if (first == KSDA_NO_VERTEX && wanted[v >> 6] >> (v & 63) & 1) first = v;
        wanted[v >> 6] &= ~(UINT64_C(1) << (v & 63));
    }
    return first;
}

/* Conditions 2-4 for u. */
static bool inspect_vertex(const verify_job *j, uint32_t u, const desk *d, tally *t, char *error, size_t size) {
    const ksda_graph *g = j->original;
    uint64_t *wanted = d->wanted;
    uint32_t idle = KSDA_NO_VERTEX;
    bool split = j->start[u + 1] - j->start[u] > 1, right = true;
    ksda_i_graph_need(g, u);
    for (uint64_t i = g->off[u]; i < g->off[u + 1]; i++) wanted[g->adj[i] >> 6] |= UINT64_C(1) << (g->adj[i] & 63);
    for (uint32_t i = j->start[u]; i < j->start[u + 1]; i++) {
        bool carries = false;
        if (!inspect_piece(j, u, j->piece[i], d, t, &carries, right ? error : NULL, size)) right = false;
        if (split && !carries && idle == KSDA_NO_VERTEX) idle = j->piece[i];
    }
    uint32_t lost = first_wanted(g, u, wanted);
    if (!right) return false;
    if (lost != KSDA_NO_VERTEX && error) complain_lost(j, u, lost, error, size);
    if (lost != KSDA_NO_VERTEX) return false;
    if (idle != KSDA_NO_VERTEX && error) complain_idle(j, idle, error, size);
    return idle == KSDA_NO_VERTEX;
}

/* --- one side ---------------------------------------------------------------------------------------------------- */

/* The hashes of the edges from p to those of a list, who are all above it or all below. */
static uint64_t hash_edges(const verify_job *j, uint32_t p, const uint32_t *list, uint32_t count, bool above) {
    const ksda_i_hash_key key = j->ctx->hash_key;
    const unsigned own = above ? 32 : 0, other = 32 - own; /* the smaller end stands in the upper half */
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += ksda_i_hash_number(&key, (uint64_t)p << own | (uint64_t)list[i] << other);
    return sum;
}

/* How many of an ascending row are below p. */
static uint32_t count_below(const uint32_t *row, uint32_t degree, uint32_t p) {
    uint32_t low = 0;
    while (low < degree) {
        uint32_t middle = low + (degree - low) / 2;
        if (row[middle] < p)
            low = middle + 1;
        else
            degree = middle;
    }
    return low;
}

/* Of a row in no order, those above p into one list and the others into another. Returns how many are below. */
static uint32_t part_row(const uint32_t *row, uint32_t degree, uint32_t p, uint32_t *below, uint32_t *above) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < degree; i++) {
        uint32_t q = row[i]; /* what does not count is overwritten by the next one */
        above[i - count] = q;
        below[count] = q;
        count += q < p;
    }
    return count;
}

/* The neighbours of p above it; the whole row goes into the balance. */
static const uint32_t *neighbours_above(const verify_job *j, uint32_t p, const desk *d, uint64_t *balance,
                                        uint32_t *count) {
    const ksda_graph *h = j->published;
    const uint32_t *row = ksda_i_graph_row(h, p, KSDA_I_ROW_ANY, d->row, d->scratch), *above;
    uint32_t degree = ksda_i_degree(h, p), below;
    if (ksda_i_graph_makes_rows(h)) {
        below = part_row(row, degree, p, d->row, d->scratch);
        above = d->scratch;
    } else {
        below = count_below(row, degree, p);
        above = row + below;
    }
    *count = degree - below;
    *balance += hash_edges(j, p, above, *count, true) - hash_edges(j, p, row, below, false);
    return above;
}

/* Set the bits of u's original neighbours, but for those who are split. */
static void want_unsplit(const verify_job *j, uint32_t u, uint64_t *wanted) {
    const ksda_graph *g = j->original;
    const uint32_t *adj = g->adj;
    for (uint64_t i = g->off[u], end = g->off[u + 1]; i < end; i++) {
        uint64_t bit = !is_split(j, adj[i]);
        wanted[adj[i] >> 6] |= bit << (adj[i] & 63);
    }
}

/* Conditions 2 and 3 for u, who is not split, as far as the neighbours above its published vertex p tell. */
static bool inspect_above(const verify_job *j, uint32_t u, uint32_t p, const desk *d, tally *t) {
    const ksda_graph *g = j->original;
    const uint32_t *owner = j->owner, *above;
    uint64_t *wanted = d->wanted;
    uint32_t count;
    bool right = true;
    above = neighbours_above(j, p, d, &t->balance, &count);
    for (uint32_t i = 0; i < count && i < AHEAD; i++) __builtin_prefetch(&owner[above[i]]);
    want_unsplit(j, u, wanted);
    for (uint32_t i = 0; i < count; i++) {
        if (i + AHEAD < count) __builtin_prefetch(&owner[above[i + AHEAD]]);
        uint32_t v = owner[above[i]];
        uint64_t mask = UINT64_C(1) << (v & 63);
        if (wanted[v >> 6] & mask) {
            wanted[v >> 6] ^= mask;
            t->kept_ends += 2;
        } else if (!is_split(j, v)) {
            right = right && v != u && ksda_i_graph_position(g, u, v) == UINT64_MAX && together(j, u, v);
            t->added_ends += 2;
        }
    }
    for (uint64_t i = g->off[u]; i < g->off[u + 1]; i++) wanted[g->adj[i] >> 6] = 0;
    return right;
}

/* What is counted about the edges of u, who is split, beside inspect_vertex(). */
static void count_split(const verify_job *j, uint32_t u, const desk *d, tally *t) {
    const ksda_graph *g = j->original;
    for (uint64_t i = g->off[u]; i < g->off[u + 1]; i++) t->kept_ends += ends_seen(j, g->adj[i]);
    for (uint32_t i = j->start[u], count; i < j->start[u + 1]; i++)
        neighbours_above(j, j->piece[i], d, &t->balance, &count);
}

static bool inspect_one_side(const verify_job *j, uint32_t u, const desk *d, tally *t) {
    if (!is_split(j, u)) return inspect_above(j, u, j->piece[j->start[u]], d, t);
    count_split(j, u, d, t);
    return inspect_vertex(j, u, d, t, NULL, 0);
}

/* Have the published rows of the vertices that come soon at hand. */
static void ask_for_rows(const verify_job *j, uint64_t u, uint64_t end) {
    const ksda_graph *h = j->published;
    if (u + 2 * ROWS_AHEAD >= end || ksda_i_graph_makes_rows(h)) return;
    uint32_t next = j->piece[j->start[u + ROWS_AHEAD]], later = j->piece[j->start[u + 2 * ROWS_AHEAD]];
    const uint32_t *middle = h->adj + h->off[next] + ksda_i_degree(h, next) / 2;
    __builtin_prefetch(&h->off[later]);
    __builtin_prefetch(middle);
    __builtin_prefetch(middle + 16);
}

static void inspect_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    verify_job *j = data;
    const desk *d = &j->desk[thread];
    tally t = {.wrong = KSDA_NO_VERTEX};
    if (ksda_i_cancelled(j->ctx)) return;
    for (uint64_t u = begin; u < end; u++) {
        bool right;
        if (j->one_sided) ask_for_rows(j, u, end);
        right = j->one_sided ? inspect_one_side(j, (uint32_t)u, d, &t) : inspect_vertex(j, (uint32_t)u, d, &t, NULL, 0);
        if (!right && t.wrong == KSDA_NO_VERTEX) t.wrong = (uint32_t)u;
    }
    j->tally[begin / VERTEX_GRAIN] = t;
}

/* --- all of them ------------------------------------------------------------------------------------------------- */

static bool check_owners(const verify_job *j, ksda_verification *out) {
    char a[KSDA_I_NAME_SHOWN];
    for (uint32_t p = 0; p < j->published->n; p++) {
        if (j->owner[p] < j->original->n) continue;
        snprintf(out->error, sizeof out->error,
                 "the map gives published vertex %s to original vertex number %u, but there are only %u",
                 ksda_i_verify_name(j->published, p, a), j->owner[p], j->original->n);
        return false;
    }
    return true;
}

/* Condition 1, and the counts that follow from the pieces alone. */
static bool count_pieces(const verify_job *j, ksda_verification *out) {
    bool right = true;
    char a[KSDA_I_NAME_SHOWN];
    for (uint32_t u = 0; u < j->original->n; u++) {
        uint32_t count = j->start[u + 1] - j->start[u];
        if (count == 1) continue;
        if (count > 1) out->split_vertices++, out->added_vertices += count - 1;
        if (!right || (count > 1 && count <= ksda_i_degree(j->original, u))) continue;
        right = false;
        if (count == 0)
            snprintf(out->error, sizeof out->error, "original vertex %s has no published vertex",
                     ksda_i_verify_name(j->original, u, a));
        else
            snprintf(out->error, sizeof out->error,
                     "original vertex %s of degree %u is split into %u published vertices, more than it has edges",
                     ksda_i_verify_name(j->original, u, a), ksda_i_degree(j->original, u), count);
    }
    return right;
}

/* Where the rows of both graphs are with several processes, they inspect them. */
static bool rows_are_apart(const verify_job *j) {
    return j->original->far && j->original->far->inspect && j->published->far == j->original->far &&
           !j->communities->sets;
}

static ksda_status inspect_apart(const verify_job *j, tally *sum) {
    ksda_i_inspected found;
    ksda_status status =
        j->original->far->inspect(j->ctx, j->original, j->published, j->owner, j->communities->of, &found);
    if (status >= 0)
        *sum = (tally){.added_ends = 2 * found.added,
                       .link_ends = 2 * found.links,
                       .further_ends = 2 * found.further,
                       .wrong = found.wrong};
    return status;
}

static ksda_status inspect_here(verify_job *j, bool one_sided, tally *sum) {
    uint64_t ranges = ((uint64_t)j->original->n + VERTEX_GRAIN - 1) / VERTEX_GRAIN;
    *sum = (tally){.wrong = KSDA_NO_VERTEX};
    j->one_sided = one_sided;
    ksda_i_parallel(j->ctx, j->original->n, VERTEX_GRAIN, inspect_range, j);
    for (uint64_t i = 0; i < ranges; i++) {
        const tally *t = &j->tally[i];
        sum->added_ends += t->added_ends;
        sum->link_ends += t->link_ends;
        sum->further_ends += t->further_ends;
        sum->kept_ends += t->kept_ends;
        sum->balance += t->balance;
        if (sum->wrong == KSDA_NO_VERTEX) sum->wrong = t->wrong;
    }
    j->one_sided = false;
    return ksda_i_interrupted(j->ctx);
}

/* From one side, where everybody is there, and if that does not show that all is well, from both. */
static ksda_status inspect_sides(verify_job *j, bool pieces_right, tally *sum) {
    ksda_status status = pieces_right ? inspect_here(j, true, sum) : KSDA_OK;
    bool well =
        pieces_right && sum->wrong == KSDA_NO_VERTEX && sum->kept_ends == 2 * j->original->m && sum->balance == 0;
    return status < 0 || well ? status : inspect_here(j, false, sum);
}

/* Conditions 2-4. */
static ksda_status inspect_all(verify_job *j, bool complain, ksda_verification *out, bool *right) {
    tally sum = {.wrong = KSDA_NO_VERTEX};
    ksda_status status = rows_are_apart(j) ? inspect_apart(j, &sum) : inspect_sides(j, *right, &sum);
    if (status >= 0) status = ksda_i_interrupted(j->ctx);
    if (status < 0) return status;
    out->added_edges = (sum.added_ends + sum.further_ends) / 2;
    out->links = sum.link_ends / 2;
    if (sum.wrong == KSDA_NO_VERTEX) return KSDA_OK;
    *right = false;
    if (complain) inspect_vertex(j, sum.wrong, &j->desk[0], &sum, out->error, sizeof out->error);
    return KSDA_OK;
}

/* --- diversity --------------------------------------------------------------------------------------------------- */

/* Where people have several communities: the witnesses that were told, or those that a packing finds. */
static ksda_status check_sets(const verify_job *j, const ksda_i_view *view, ksda_share most, bool complain,
                              ksda_verification *out) {
    char error[sizeof out->error] = "";
    uint32_t *found = NULL;
    uint64_t count = j->witnesses;
    bool right = true;
    ksda_status status = KSDA_OK;
    if (!j->witness) KSDA_I_TRY(ksda_i_witnesses_find(view, &found, &count, &right, error, sizeof error));
    if (right) KSDA_I_TRY(ksda_i_witnesses_check(view, found ? found : j->witness, count, &right, error, sizeof error));
    if (right && most.denominator) KSDA_I_TRY(ksda_i_sets_within(view, most, &right, error, sizeof error));
    out->satisfied = right;
    if (complain) memcpy(out->error, error, sizeof error);
done:
    ksda_i_free(j->ctx, found);
    return status;
}

static ksda_status check_diversity(const verify_job *j, uint32_t k, ksda_share most, bool complain,
                                   ksda_verification *out) {
    const ksda_i_view view = {j->ctx, j->published, j->communities, j->owner, k};
    return j->communities->sets ? check_sets(j, &view, most, complain, out)
                                : ksda_i_verify_degrees(&view, j->original, most, complain, out);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static ksda_status make_buffers(verify_job *j) {
    uint32_t n = j->original->n;
    unsigned threads = ksda_ctx_threads(j->ctx);
    j->start = ksda_i_malloc(j->ctx, (uint64_t)n + 1, sizeof *j->start);
    j->piece = ksda_i_malloc(j->ctx, j->published->n, sizeof *j->piece);
    j->tally = ksda_i_calloc(j->ctx, n / VERTEX_GRAIN + 1, sizeof *j->tally);
    j->desk = ksda_i_calloc(j->ctx, threads, sizeof *j->desk);
    if (!j->start || !j->piece || !j->tally || !j->desk) return KSDA_NOMEM;
    uint64_t longest = ksda_i_graph_makes_rows(j->published) ? ksda_i_graph_longest_row(j->published) : 0;
    for (unsigned t = 0; t < threads; t++) {
        desk *d = &j->desk[t];
        d->wanted = ksda_i_calloc(j->ctx, (uint64_t)n / 64 + 1, sizeof *d->wanted);
        d->row = ksda_i_malloc(j->ctx, 2 * longest, sizeof *d->row);
        if (!d->wanted || !d->row) return KSDA_NOMEM;
        d->scratch = d->row + longest;
    }
    return KSDA_OK;
}

/* Who has several pieces. */
static ksda_status mark_split(verify_job *j) {
    j->split = ksda_i_calloc(j->ctx, (uint64_t)j->original->n / 64 + 1, sizeof *j->split);
    if (!j->split) return KSDA_NOMEM;
    for (uint32_t u = 0; u < j->original->n; u++)
        if (j->start[u + 1] - j->start[u] > 1) j->split[u >> 6] |= UINT64_C(1) << (u & 63);
    return KSDA_OK;
}

static void free_buffers(verify_job *j) {
    for (unsigned t = 0; j->desk && t < ksda_ctx_threads(j->ctx); t++) {
        ksda_i_free(j->ctx, j->desk[t].wanted);
        ksda_i_free(j->ctx, j->desk[t].row);
    }
    ksda_i_free(j->ctx, j->desk);
    ksda_i_free(j->ctx, j->split);
    ksda_i_free(j->ctx, j->start);
    ksda_i_free(j->ctx, j->piece);
    ksda_i_free(j->ctx, j->tally);
}

static const ksda_i_sized kind = KSDA_I_RESULT(ksda_verification, error);

ksda_status ksda_verify_witnesses(ksda_ctx *ctx, const ksda_graph *original, const ksda_communities *communities,
                                  const ksda_graph *published, const uint32_t *owner, uint32_t k,
                                  const ksda_share *max_share, uint64_t witnesses, const uint32_t *witness,
                                  ksda_verification *out) {
    verify_job job = {.ctx = ctx,
                      .original = original,
                      .published = published,
                      .communities = communities,
                      .owner = owner,
                      .witness = witness,
                      .witnesses = witnesses};
    ksda_verification told = KSDA_INIT(ksda_verification);
    ksda_status status = ksda_i_result_check(ctx, &kind, out);
    bool right;
    if (status < 0) return status;
    KSDA_I_TRY(ksda_i_communities_fit(ctx, communities, original));
    KSDA_I_TRY(ksda_i_check_k(ctx, k, ksda_i_most_k(communities), "communities"));
    KSDA_I_TRY(ksda_i_check_share(ctx, max_share, &told.max_share));
    if (!rows_are_apart(&job)) ksda_i_graph_need_all(original);
    if (!rows_are_apart(&job) && !ksda_i_graph_makes_rows(published)) ksda_i_graph_need_all(published);
    KSDA_I_TRY(make_buffers(&job));
    if (!check_owners(&job, &told)) goto done;
    ksda_i_group(published->n, owner, original->n, job.start, job.piece);
    right = count_pieces(&job, &told);
    if (told.split_vertices > 0) KSDA_I_TRY(mark_split(&job));
    KSDA_I_TRY(inspect_all(&job, right, &told, &right));
    told.valid = right;
    KSDA_I_TRY(check_diversity(&job, k, told.max_share, right, &told));
done:
    ksda_i_result_give(&kind, out, &told);
    free_buffers(&job);
    return status;
}

ksda_status ksda_verify_share(ksda_ctx *ctx, const ksda_graph *original, const ksda_communities *communities,
                              const ksda_graph *published, const uint32_t *owner, uint32_t k,
                              const ksda_share *max_share, ksda_verification *out) {
    return ksda_verify_witnesses(ctx, original, communities, published, owner, k, max_share, 0, NULL, out);
}

ksda_status ksda_verify(ksda_ctx *ctx, const ksda_graph *original, const ksda_communities *communities,
                        const ksda_graph *published, const uint32_t *owner, uint32_t k, ksda_verification *out) {
    return ksda_verify_share(ctx, original, communities, published, owner, k, NULL, out);
}

ksda_status ksda_i_holds(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *c, const ksda_edits *edits,
                         uint32_t k, bool *yes) {
    ksda_graph *published = NULL;
    ksda_verification v = KSDA_INIT(ksda_verification);
    ksda_status status = KSDA_NOMEM;
    uint32_t pieces = ksda_edits_pieces(edits), *owner = ksda_i_malloc(ctx, pieces, sizeof *owner);
    int finishing = atomic_exchange(&ctx->finishing, 0);
    double end = ctx->end;
    ctx->end = 0;
    if (!owner) goto done;
    for (uint32_t i = 0; i < pieces; i++) owner[i] = ksda_edits_owner(edits, i);
    KSDA_I_TRY(ksda_edits_apply(ctx, edits, &published));
    KSDA_I_TRY(ksda_verify(ctx, graph, c, published, owner, k, &v));
    *yes = v.valid && v.satisfied;
done:
    ksda_graph_free(ctx, published);
    ksda_i_free(ctx, owner);
    ctx->end = end;
    if (finishing) ksda_ctx_finish(ctx);
    return status;
}
