/* Edits, and the one place that applies them.
 *
 * An original edge stands at both its ends in the original's rows; a split vertex keeps, beside its row, the piece that
 * carries each entry. So every original edge is there exactly once by construction, and applying is one pass over the rows. */
#include "core/parallel.h"
#include "core/random.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/edits.h>

#include <stdlib.h>

typedef struct pair_list {
    ksda_pair *pair;
    uint64_t count, capacity;
} pair_list;

typedef struct split_record {
    uint32_t vertex;
    uint32_t *carrier; /* [degree] */
} split_record;

struct ksda_edits {
    const ksda_graph *graph;
    pair_list added, links, removed;
    uint32_t *owner; /* of the pieces n, n + 1, ... */
    uint64_t extra, owner_capacity;
    uint32_t *split_of; /* [n] record + 1, or 0; NULL until something is split */
    split_record *split;
    uint64_t splits, split_capacity;
};

ksda_status ksda_edits_new(ksda_ctx *ctx, const ksda_graph *graph, ksda_edits **out) {
    *out = ksda_i_calloc(ctx, 1, sizeof **out);
    if (!*out) return KSDA_NOMEM;
    (*out)->graph = graph;
    return KSDA_OK;
}

void ksda_edits_free(ksda_ctx *ctx, ksda_edits *edits) {
    if (!edits) return;
    for (uint64_t i = 0; i < edits->splits; i++) ksda_i_free(ctx, edits->split[i].carrier);
    ksda_i_free(ctx, edits->split);
    ksda_i_free(ctx, edits->split_of);
    ksda_i_free(ctx, edits->owner);
    ksda_i_free(ctx, edits->added.pair);
    ksda_i_free(ctx, edits->links.pair);
    ksda_i_free(ctx, edits->removed.pair);
    ksda_i_free(ctx, edits);
}

/* --- recording --------------------------------------------------------------------------------------------------- */

static ksda_status append(ksda_ctx *ctx, pair_list *list, uint32_t u, uint32_t v) {
    ksda_status status = ksda_i_reserve(ctx, &list->pair, &list->capacity, list->count + 1, sizeof *list->pair);
    if (status >= 0) list->pair[list->count++] = (ksda_pair){u, v};
    return status;
}

ksda_status ksda_edits_add_edge(ksda_ctx *ctx, ksda_edits *edits, uint32_t p, uint32_t q) {
    return append(ctx, &edits->added, p, q);
}
ksda_status ksda_edits_link(ksda_ctx *ctx, ksda_edits *edits, uint32_t p, uint32_t q) {
    return append(ctx, &edits->links, p, q);
}
ksda_status ksda_edits_remove_edge(ksda_ctx *ctx, ksda_edits *edits, uint32_t u, uint32_t v) {
    return u < v ? append(ctx, &edits->removed, u, v) : append(ctx, &edits->removed, v, u);
}

/* The record of v, made at its first split. */
static ksda_status split_record_of(ksda_ctx *ctx, ksda_edits *e, uint32_t v) {
    if (!e->split_of) {
        e->split_of = ksda_i_calloc(ctx, e->graph->n, sizeof *e->split_of);
        if (!e->split_of) return KSDA_NOMEM;
    }
    if (e->split_of[v]) return KSDA_OK;
    ksda_status status = ksda_i_reserve(ctx, &e->split, &e->split_capacity, e->splits + 1, sizeof *e->split);
    if (status < 0) return status;
    uint32_t degree = ksda_i_degree(e->graph, v), *carrier = ksda_i_malloc(ctx, degree, sizeof *carrier);
    if (!carrier) return KSDA_NOMEM;
    for (uint32_t i = 0; i < degree; i++) carrier[i] = v;
    e->split[e->splits++] = (split_record){v, carrier};
    e->split_of[v] = (uint32_t)e->splits;
    return KSDA_OK;
}

ksda_status ksda_edits_split(ksda_ctx *ctx, ksda_edits *edits, uint32_t v, uint32_t *piece) {
    if (v >= edits->graph->n) return ksda_i_error(ctx, KSDA_INVALID, "no vertex %u to split", v);
    if (edits->graph->n + edits->extra >= KSDA_MAX_VERTICES)
        return ksda_i_error(ctx, KSDA_INVALID, "more than %u vertices after splitting", KSDA_MAX_VERTICES);
    ksda_status status = split_record_of(ctx, edits, v);
    if (status >= 0)
        status = ksda_i_reserve(ctx, &edits->owner, &edits->owner_capacity, edits->extra + 1, sizeof *edits->owner);
    if (status < 0) return status;
    *piece = edits->graph->n + (uint32_t)edits->extra;
    edits->owner[edits->extra++] = v;
    return KSDA_OK;
}

ksda_status ksda_edits_carry(ksda_ctx *ctx, ksda_edits *edits, uint32_t v, uint32_t i, uint32_t piece) {
    if (v >= edits->graph->n || i >= ksda_i_degree(edits->graph, v) || piece >= ksda_edits_pieces(edits) ||
        ksda_edits_owner(edits, piece) != v || !edits->split_of || !edits->split_of[v])
        return ksda_i_error(ctx, KSDA_INVALID, "piece %u cannot carry edge %u of vertex %u", piece, i, v);
    edits->split[edits->split_of[v] - 1].carrier[i] = piece;
    return KSDA_OK;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

static uint64_t list(const pair_list *l, const ksda_pair **pairs) {
    if (pairs) *pairs = l->pair;
    return l->count;
}
uint64_t ksda_edits_added(const ksda_edits *edits, const ksda_pair **pairs) {
    return list(&edits->added, pairs);
}
uint64_t ksda_edits_links(const ksda_edits *edits, const ksda_pair **pairs) {
    return list(&edits->links, pairs);
}
uint64_t ksda_edits_removed(const ksda_edits *edits, const ksda_pair **pairs) {
    return list(&edits->removed, pairs);
}
uint32_t ksda_edits_pieces(const ksda_edits *edits) {
    return edits->graph->n + (uint32_t)edits->extra;
}
uint32_t ksda_edits_split_vertices(const ksda_edits *edits) {
    return (uint32_t)edits->splits;
}
uint32_t ksda_edits_owner(const ksda_edits *edits, uint32_t piece) {
    return piece < edits->graph->n ? piece : edits->owner[piece - edits->graph->n];
}
uint32_t ksda_edits_carrier(const ksda_edits *edits, uint32_t v, uint32_t i) {
    uint32_t record = edits->split_of ? edits->split_of[v] : 0;
    return record ? edits->split[record - 1].carrier[i] : v;
}

/* --- applying ---------------------------------------------------------------------------------------------------- */

static int by_pair(const void *a, const void *b) {
    const ksda_pair *x = a, *y = b;
    if (x->u != y->u) return x->u < y->u ? -1 : 1;
    return (x->v > y->v) - (x->v < y->v);
}

static bool is_removed(const pair_list *removed, uint32_t u, uint32_t v) {
    ksda_pair wanted = u < v ? (ksda_pair){u, v} : (ksda_pair){v, u};
    return removed->count && bsearch(&wanted, removed->pair, removed->count, sizeof wanted, by_pair);
}

/* Call visit(data, p, q) for every edge of the result, once at each end. */
typedef void (*visit_fn)(void *data, uint32_t p, uint32_t q);

static void visit_pairs(const pair_list *l, visit_fn visit, void *data) {
    for (uint64_t i = 0; i < l->count; i++) {
        visit(data, l->pair[i].u, l->pair[i].v);
        visit(data, l->pair[i].v, l->pair[i].u);
    }
}

static void visit_ends(const ksda_edits *e, visit_fn visit, void *data) {
    const ksda_graph *g = e->graph;
    for (uint32_t u = 0; u < g->n; u++) {
        for (uint64_t i = g->off[u]; i < g->off[u + 1]; i++) {
            uint32_t v = g->adj[i], p = ksda_edits_carrier(e, u, (uint32_t)(i - g->off[u])), q = v;
            if (is_removed(&e->removed, u, v)) continue;
            if (e->split_of && e->split_of[v])
                q = ksda_edits_carrier(e, v, (uint32_t)(ksda_i_graph_position(g, v, u) - g->off[v]));
            visit(data, p, q);
        }
    }
    visit_pairs(&e->added, visit, data);
    visit_pairs(&e->links, visit, data);
}

static void count_end(void *data, uint32_t p, uint32_t q) {
    uint64_t *off = data;
    (void)q;
    off[p + 2]++;
}

typedef struct fill_job {
    uint64_t *off;
    uint32_t *adj;
} fill_job;

static void fill_end(void *data, uint32_t p, uint32_t q) {
    fill_job *job = data;
    job->adj[job->off[p + 1]++] = q;
}

static ksda_status check_pairs(ksda_ctx *ctx, const ksda_edits *e, const pair_list *l, const char *what) {
    uint32_t pieces = ksda_edits_pieces(e);
    for (uint64_t i = 0; i < l->count; i++) {
        uint32_t p = l->pair[i].u, q = l->pair[i].v;
        if (p >= pieces || q >= pieces || p == q)
            return ksda_i_error(ctx, KSDA_INVALID, "%s %u-%u: both ends must be different numbers below %u", what, p, q, pieces);
    }
    return KSDA_OK;
}

static ksda_status check_removed(ksda_ctx *ctx, const ksda_edits *e) {
    for (uint64_t i = 0; i < e->removed.count; i++) {
        ksda_pair r = e->removed.pair[i];
        if (r.v >= e->graph->n || ksda_i_graph_position(e->graph, r.u, r.v) == UINT64_MAX)
            return ksda_i_error(ctx, KSDA_INVALID, "removed edge %u-%u is not in the graph", r.u, r.v);
    }
    return KSDA_OK;
}

ksda_status ksda_edits_apply(ksda_ctx *ctx, const ksda_edits *edits, ksda_graph **out) {
    uint32_t pieces = ksda_edits_pieces(edits);
    uint64_t ends = 2 * (edits->graph->m - edits->removed.count + edits->added.count + edits->links.count);
    ksda_status status;
    *out = NULL;
    if ((status = check_pairs(ctx, edits, &edits->added, "added edge")) < 0 ||
        (status = check_pairs(ctx, edits, &edits->links, "link")) < 0 || (status = check_removed(ctx, edits)) < 0)
        return status;
    if (edits->removed.count) qsort(edits->removed.pair, edits->removed.count, sizeof(ksda_pair), by_pair);
    uint64_t *off = ksda_i_calloc(ctx, (uint64_t)pieces + 2, sizeof *off);
    uint32_t *adj = ksda_i_malloc(ctx, ends, sizeof *adj);
    if (!off || !adj) {
        ksda_i_free(ctx, off);
        ksda_i_free(ctx, adj);
        return KSDA_NOMEM;
    }
    visit_ends(edits, count_end, off);
    for (uint32_t p = 0; p < pieces; p++) off[p + 2] += off[p + 1];
    fill_job job = {off, adj};
    visit_ends(edits, fill_end, &job);
    status = ksda_i_graph_take_raw(ctx, pieces, off, adj, out);
    if (status >= 0 && (*out)->cleaning.duplicate_edges) {
        status = ksda_i_error(ctx, KSDA_INVALID, "%llu edits repeat an edge that is there already",
                              (unsigned long long)(*out)->cleaning.duplicate_edges);
        ksda_graph_free(ctx, *out);
        *out = NULL;
    }
    return status;
}

/* --- releasing --------------------------------------------------------------------------------------------------- */

void ksda_release_clear(ksda_ctx *ctx, ksda_release *release) {
    ksda_graph_free(ctx, release->graph);
    ksda_communities_free(ctx, release->communities);
    ksda_i_free(ctx, release->owner);
    *release = (ksda_release){NULL, NULL, NULL};
}

ksda_status ksda_release_make(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities,
                                       int insecure_ids, ksda_release *out) {
    ksda_status status = KSDA_NOMEM;
    uint32_t pieces = ksda_edits_pieces(edits);
    ksda_graph *plain = NULL;
    ksda_release release = {NULL, NULL, NULL};
    uint32_t *to = ksda_i_malloc(ctx, pieces, sizeof *to);
    *out = release;
    release.owner = ksda_i_malloc(ctx, pieces, sizeof *release.owner);
    if (!to || !release.owner) goto done;
    KSDA_I_TRY(ksda_edits_apply(ctx, edits, &plain));
    if (insecure_ids)
        ksda_i_permutation_seeded(ctx, pieces, to);
    else
        KSDA_I_TRY(ksda_i_permutation_secure(ctx, pieces, to));
    for (uint32_t p = 0; p < pieces; p++) release.owner[to[p]] = ksda_edits_owner(edits, p);
    KSDA_I_TRY(ksda_i_graph_relabel(ctx, plain, to, &release.graph));
    KSDA_I_TRY(ksda_i_communities_pull(ctx, communities, pieces, release.owner, &release.communities));
    *out = release;
    release = (ksda_release){NULL, NULL, NULL};
done:
    ksda_graph_free(ctx, plain);
    ksda_release_clear(ctx, &release);
    ksda_i_free(ctx, to);
    return status;
}
