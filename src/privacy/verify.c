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
 * up. So vertices are inspected in parallel, each published edge once from both its ends. Time O(n + m) plus O(log
 * degree) for each edge added; memory 24 bytes a published vertex and a bit per vertex and thread. The complaint is
 * about the lowest original vertex with something wrong, whatever the number of threads. */
#include "core/parallel.h"
#include "core/sized.h"
#include "core/sort.h"
#include "graph/communities.h"
#include "graph/peers.h"
#include "privacy/diversity.h"
#include "privacy/witnesses.h"

#include <stdio.h>

#define VERTEX_GRAIN 2048
#define NAME_SIZE 64
#define AHEAD 16 /* entries between asking for an owner and using it */

typedef struct tally {
    uint64_t added_ends; /* ends of edges between people who are not adjacent */
    uint64_t link_ends;
    uint64_t further_ends; /* ends of representatives beyond the first of their edge */
    uint32_t wrong;        /* the first vertex with something wrong, or KSDA_NO_VERTEX */
} tally;

/* What a thread works with. */
typedef struct desk {
    uint64_t *wanted;        /* one bit for every original vertex; all 0 between vertices */
    uint32_t *row, *scratch; /* for a published row that is not there and is made */
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
    struct desk *desk; /* [threads] */
    tally *tally;      /* [ranges] */
} verify_job;

/* --- messages ---------------------------------------------------------------------------------------------------- */

/* A name, cut to a readable length. */
static const char *short_name(const ksda_graph *g, uint32_t v, char buffer[NAME_SIZE]) {
    if (ksda_graph_name(g, v, buffer, NAME_SIZE) >= NAME_SIZE) memcpy(buffer + NAME_SIZE - 4, "...", 4);
    return buffer;
}

static void complain_edge(const verify_job *j, uint32_t p, uint32_t q, char *error, size_t size) {
    char a[NAME_SIZE], b[NAME_SIZE], c[NAME_SIZE], d[NAME_SIZE];
    snprintf(
        error, size,
        "published edge %s-%s joins vertices %s and %s, which are not adjacent in the original and belong to different "
        "communities",
        short_name(j->published, p, a), short_name(j->published, q, b), short_name(j->original, j->owner[p], c),
        short_name(j->original, j->owner[q], d));
}

static void complain_lost(const verify_job *j, uint32_t u, uint32_t v, char *error, size_t size) {
    char a[NAME_SIZE], b[NAME_SIZE];
    snprintf(error, size,
             "original edge %s-%s is missing: no published vertex of the one is adjacent to one of the other",
             short_name(j->original, u, a), short_name(j->original, v, b));
}

static void complain_idle(const verify_job *j, uint32_t p, char *error, size_t size) {
    char a[NAME_SIZE], b[NAME_SIZE];
    snprintf(error, size,
             "published vertex %s, one of those that vertex %s was split into, carries none of its original edges",
             short_name(j->published, p, a), short_name(j->original, j->owner[p], b));
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
            t->further_ends++;
            *carries = true;
        } else if (together(j, u, v)) {
            t->added_ends++;
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

static void inspect_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    verify_job *j = data;
    tally t = {.wrong = KSDA_NO_VERTEX};
    if (ksda_i_cancelled(j->ctx)) return;
    for (uint64_t u = begin; u < end; u++) {
        if (!inspect_vertex(j, (uint32_t)u, &j->desk[thread], &t, NULL, 0) && t.wrong == KSDA_NO_VERTEX)
            t.wrong = (uint32_t)u;
    }
    j->tally[begin / VERTEX_GRAIN] = t;
}

/* --- all of them ------------------------------------------------------------------------------------------------- */

static bool check_owners(const verify_job *j, ksda_verification *out) {
    char a[NAME_SIZE];
    for (uint32_t p = 0; p < j->published->n; p++) {
        if (j->owner[p] < j->original->n) continue;
        snprintf(out->error, sizeof out->error,
                 "the map gives published vertex %s to original vertex number %u, but there are only %u",
                 short_name(j->published, p, a), j->owner[p], j->original->n);
        return false;
    }
    return true;
}

/* Condition 1, and the counts that follow from the pieces alone. */
static bool count_pieces(const verify_job *j, ksda_verification *out) {
    bool right = true;
    char a[NAME_SIZE];
    for (uint32_t u = 0; u < j->original->n; u++) {
        uint32_t count = j->start[u + 1] - j->start[u];
        if (count == 1) continue;
        if (count > 1) out->split_vertices++, out->added_vertices += count - 1;
        if (!right || (count > 1 && count <= ksda_i_degree(j->original, u))) continue;
        right = false;
        if (count == 0)
            snprintf(out->error, sizeof out->error, "original vertex %s has no published vertex",
                     short_name(j->original, u, a));
        else
            snprintf(out->error, sizeof out->error,
                     "original vertex %s of degree %u is split into %u published vertices, more than it has edges",
                     short_name(j->original, u, a), ksda_i_degree(j->original, u), count);
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
    if (status >= 0) *sum = (tally){2 * found.added, 2 * found.links, 2 * found.further, found.wrong};
    return status;
}

/* Conditions 2-4. */
static ksda_status inspect_all(verify_job *j, bool complain, ksda_verification *out, bool *right) {
    tally sum = {.wrong = KSDA_NO_VERTEX};
    uint64_t ranges = ((uint64_t)j->original->n + VERTEX_GRAIN - 1) / VERTEX_GRAIN;
    ksda_status status = KSDA_OK;
    if (rows_are_apart(j))
        status = inspect_apart(j, &sum);
    else
        ksda_i_parallel(j->ctx, j->original->n, VERTEX_GRAIN, inspect_range, j);
    if (status >= 0) status = ksda_i_interrupted(j->ctx);
    if (status < 0) return status;
    for (uint64_t i = 0; i < ranges && !rows_are_apart(j); i++) {
        sum.added_ends += j->tally[i].added_ends;
        sum.link_ends += j->tally[i].link_ends;
        sum.further_ends += j->tally[i].further_ends;
        if (sum.wrong == KSDA_NO_VERTEX) sum.wrong = j->tally[i].wrong;
    }
    out->added_edges = (sum.added_ends + sum.further_ends) / 2;
    out->links = sum.link_ends / 2;
    if (sum.wrong == KSDA_NO_VERTEX) return KSDA_OK;
    *right = false;
    if (complain) inspect_vertex(j, sum.wrong, &j->desk[0], &sum, out->error, sizeof out->error);
    return KSDA_OK;
}

/* --- diversity --------------------------------------------------------------------------------------------------- */

static uint64_t degree_and_community(const verify_job *j, uint32_t p) {
    return (uint64_t)ksda_i_degree(j->published, p) * j->communities->count + j->communities->of[j->owner[p]];
}

/* What is wrong with a degree. */
typedef struct offence {
    uint32_t degree;
    uint32_t communities;    /* that have it */
    uint32_t largest, known; /* vertices of one community, and of all that count */
} offence;

/* From sorted keys, degree * communities + community, one for every published vertex: what there is at the degree of
 * the first one. Returns where the next degree begins. */
static uint64_t look_at_degree(const uint64_t *key, uint64_t size, const ksda_communities *c, offence *out) {
    uint64_t first = key[0] / c->count * c->count, i = 0;
    *out = (offence){.degree = (uint32_t)(key[0] / c->count)};
    while (i < size && key[i] < first + c->count) {
        uint64_t begin = i;
        while (i < size && key[i] == key[begin]) i++;
        uint32_t own = (uint32_t)(i - begin);
        if (key[begin] >= first + c->counted) continue;
        out->communities++, out->known += own;
        if (own > out->largest) out->largest = own;
    }
    return i;
}

/* The degrees that fewer than k communities have, or one in too large a part, ascending, into the front of the keys
 * where they were. Returns how many there are. */
static uint64_t offending(uint64_t *key, uint64_t size, const verify_job *j, uint32_t k, ksda_share most) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < size;) {
        offence o;
        i += look_at_degree(key + i, size - i, j->communities, &o);
        bool above = most.denominator && (uint64_t)o.largest * most.denominator > (uint64_t)o.known * most.numerator;
        if (o.communities < k || above) key[count++] = o.degree;
    }
    return count;
}

/* Why the degree of published vertex p will not do. */
static void complain_degree(const verify_job *j, uint32_t p, const offence *o, uint32_t k, ksda_share most,
                            ksda_verification *out) {
    char a[NAME_SIZE], b[NAME_SIZE];
    short_name(j->published, p, a), short_name(j->original, j->owner[p], b);
    if (o->communities < k)
        snprintf(out->error, sizeof out->error,
                 "published vertex %s, of vertex %s, has degree %u, which occurs in %u communities only; k is %u", a, b,
                 o->degree, o->communities, k);
    else
        snprintf(out->error, sizeof out->error,
                 "published vertex %s, of vertex %s, has degree %u, where %u of %u vertices are of one community; the "
                 "largest share allowed is %u/%u",
                 a, b, o->degree, o->largest, o->known, most.numerator, most.denominator);
}

/* The lowest published vertex whose degree is one of these, of which there are some. */
static ksda_status complain_diversity(const verify_job *j, const uint64_t *wrong, uint64_t size, uint32_t k,
                                      ksda_share most, ksda_verification *out) {
    uint32_t p = 0, degree = 0, at_degree = 0;
    for (bool found = false; !found; p += !found) {
        uint64_t low = 0, high = size;
        degree = ksda_i_degree(j->published, p);
        while (high - low > 1) {
            uint64_t middle = low + (high - low) / 2;
            if (wrong[middle] <= degree)
                low = middle;
            else
                high = middle;
        }
        found = wrong[low] == degree;
    }
    for (uint32_t q = 0; q < j->published->n; q++) at_degree += ksda_i_degree(j->published, q) == degree;
    uint64_t *key = ksda_i_malloc(j->ctx, at_degree, sizeof *key),
             *scratch = ksda_i_malloc(j->ctx, at_degree, sizeof *key);
    ksda_status status = key && scratch ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0) {
        offence o;
        for (uint32_t q = 0, i = 0; q < j->published->n; q++)
            if (ksda_i_degree(j->published, q) == degree) key[i++] = degree_and_community(j, q);
        ksda_i_sort_u64(key, at_degree, scratch);
        look_at_degree(key, at_degree, j->communities, &o);
        complain_degree(j, p, &o, k, most, out);
    }
    ksda_i_free(j->ctx, key);
    ksda_i_free(j->ctx, scratch);
    return status;
}

/* Where people have several communities: the witnesses that were told, or those that a packing finds. */
static ksda_status check_sets(verify_job *j, uint32_t k, ksda_share most, bool complain, ksda_verification *out) {
    const ksda_i_view view = {j->ctx, j->published, j->communities, j->owner, k};
    char error[sizeof out->error] = "";
    uint32_t *found = NULL;
    uint64_t count = j->witnesses;
    bool right = true;
    ksda_status status = KSDA_OK;
    if (!j->witness) KSDA_I_TRY(ksda_i_witnesses_find(&view, &found, &count, &right, error, sizeof error));
    if (right)
        KSDA_I_TRY(ksda_i_witnesses_check(&view, found ? found : j->witness, count, &right, error, sizeof error));
    if (right && most.denominator) KSDA_I_TRY(ksda_i_sets_within(&view, most, &right, error, sizeof error));
    out->satisfied = right;
    if (complain) memcpy(out->error, error, sizeof error);
done:
    ksda_i_free(j->ctx, found);
    return status;
}

/* By the definition, with nothing of what methods count and ask: sort and look. */
static ksda_status check_diversity(verify_job *j, uint32_t k, ksda_share most, bool complain, ksda_verification *out) {
    uint32_t pieces = j->published->n;
    uint64_t *key = ksda_i_malloc(j->ctx, pieces, sizeof *key), *scratch = ksda_i_malloc(j->ctx, pieces, sizeof *key);
    ksda_status status = key && scratch ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0) {
        for (uint32_t p = 0; p < pieces; p++) key[p] = degree_and_community(j, p);
        ksda_i_sort_u64(key, pieces, scratch);
        uint64_t wrong = offending(key, pieces, j, k, most);
        out->satisfied = wrong == 0;
        if (wrong && complain) status = complain_diversity(j, key, wrong, k, most, out);
    }
    ksda_i_free(j->ctx, key);
    ksda_i_free(j->ctx, scratch);
    return status;
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

static void free_buffers(verify_job *j) {
    for (unsigned t = 0; j->desk && t < ksda_ctx_threads(j->ctx); t++) {
        ksda_i_free(j->ctx, j->desk[t].wanted);
        ksda_i_free(j->ctx, j->desk[t].row);
    }
    ksda_i_free(j->ctx, j->desk);
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
    KSDA_I_TRY(inspect_all(&job, right, &told, &right));
    told.valid = right;
    KSDA_I_TRY((communities->sets ? check_sets : check_diversity)(&job, k, told.max_share, right, &told));
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
