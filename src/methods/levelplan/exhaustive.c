/* Small networks exactly: try all sets of edges, fewest first.
 *
 * In a network of a dozen vertices no degree is crowded and no absorber is at hand, so a plan may miss what there is.
 * Here the non-adjacent pairs inside communities are few, and all sets of 0, 1, 2, ... of them can be tried until one
 * makes the network diverse: the fewest edges, proved. Where the work runs out, the sizes that were tried completely
 * are a lower bound. A set is extended pair by pair with counts of communities per degree kept up to date; an edge
 * moves two vertices and so mends at most four degrees, which prunes. Time at most `work` extensions, memory O(pairs +
 * degrees * communities). */
#include "methods/levelplan/level_plan.h"
#include "privacy/census.h"

typedef struct tiny {
    ksda_ctx *ctx;
    const ksda_communities *communities;
    uint32_t degrees;
    ksda_pair *pair;
    uint32_t pairs;
    uint32_t *degree; /* [n] */
    ksda_i_census census;
    bool *wrong;      /* [degrees] out of order */
    uint32_t bad;     /* how many of them */
    uint32_t *chosen; /* [depth] pairs taken */
    uint64_t work;
} tiny;

/* A vertex of another community came to degree d, or the last one of a community left it. */
static inline void count_bad_degree(tiny *t, uint32_t d) {
    bool wrong = !ksda_i_census_in_order(&t->census, d);
    t->bad += wrong, t->bad -= t->wrong[d];
    t->wrong[d] = wrong;
}

/* Move v from its degree to the one `by` higher or lower. */
static void move_degree(tiny *t, uint32_t v, int by) {
    uint32_t c = t->communities->of[v], from = t->degree[v], to = from + (uint32_t)by;
    t->degree[v] = to;
    if (ksda_i_census_remove(&t->census, from, c)) count_bad_degree(t, from);
    if (ksda_i_census_add(&t->census, to, c)) count_bad_degree(t, to);
}

/* Is there a set of `left` more pairs, from number `first` on? The pairs taken are then in chosen. */
static bool extend(tiny *t, uint32_t first, uint32_t depth, uint32_t left) {
    if (left == 0) return t->bad == 0;
    if (t->bad > 4 * left) return false;
    for (uint32_t i = first; i + left <= t->pairs && t->work; i++) {
        t->work--;
        move_degree(t, t->pair[i].u, 1), move_degree(t, t->pair[i].v, 1);
        t->chosen[depth] = i;
        if (extend(t, i + 1, depth + 1, left - 1)) return true;
        move_degree(t, t->pair[i].u, -1), move_degree(t, t->pair[i].v, -1);
    }
    return false;
}

static ksda_status list_pairs(tiny *t, const ksda_graph *g, uint64_t most) {
    uint64_t capacity = 0;
    for (uint32_t u = 0; u < g->n; u++) {
        uint32_t c = t->communities->of[u], size;
        const uint32_t *member = ksda_communities_members(t->communities, c, &size);
        for (uint32_t i = 0; i < size && t->pairs <= most; i++) {
            if (member[i] <= u || ksda_graph_adjacent(g, u, member[i])) continue;
            ksda_status status = ksda_i_reserve(t->ctx, &t->pair, &capacity, (uint64_t)t->pairs + 1, sizeof *t->pair);
            if (status < 0) return status;
            t->pair[t->pairs++] = (ksda_pair){u, member[i]};
        }
    }
    return KSDA_OK;
}

static ksda_status count_degrees(tiny *t, const ksda_graph *g, uint32_t k, ksda_share share) {
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) + 1 > t->degrees) t->degrees = ksda_i_degree(g, v) + 1;
    t->degrees += g->n; /* nobody gains more */
    t->degree = ksda_i_malloc(t->ctx, g->n, sizeof *t->degree);
    t->chosen = ksda_i_malloc(t->ctx, t->pairs, sizeof *t->chosen);
    t->wrong = ksda_i_calloc(t->ctx, t->degrees, sizeof *t->wrong);
    if (!t->degree || !t->chosen || !t->wrong) return KSDA_NOMEM;
    ksda_status status = ksda_i_census_open_share(t->ctx, t->communities, k, share, t->degrees, g->n, &t->census);
    if (status < 0) return status;
    for (uint32_t v = 0; v < g->n; v++) {
        t->degree[v] = ksda_i_degree(g, v);
        ksda_i_census_add(&t->census, t->degree[v], t->communities->of[v]);
    }
    for (uint32_t d = 0; d < t->degrees; d++) count_bad_degree(t, d);
    return KSDA_OK;
}

ksda_status ksda_i_exhaustive_search(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                     uint32_t k, ksda_share share, uint64_t work, uint32_t below, ksda_pair **out,
                                     uint32_t *found, uint32_t *proved) {
    ksda_status status;
    tiny t = {.ctx = ctx, .communities = communities, .work = work};
    *out = NULL, *found = UINT32_MAX, *proved = 0;
    KSDA_I_TRY(list_pairs(&t, graph, work));
    KSDA_I_TRY(count_degrees(&t, graph, k, share));
    for (uint32_t size = 0; size < below && size <= t.pairs && t.pairs <= work; size++) {
        KSDA_I_TRY(ksda_i_progress_stage(ctx, size, below));
        bool yes = extend(&t, 0, 0, size);
        if (!yes && !t.work) break;
        *proved = size + !yes;
        if (!yes) continue;
        ksda_pair *edge = ksda_i_malloc(ctx, size, sizeof *edge);
        if (!edge) {
            status = KSDA_NOMEM;
            goto done;
        }
        for (uint32_t i = 0; i < size; i++) edge[i] = t.pair[t.chosen[i]];
        *out = edge, *found = size;
        break;
    }
    if (*found == UINT32_MAX && *proved > t.pairs) *proved = UINT32_MAX; /* no set at all */
done:
    ksda_i_free(ctx, t.pair);
    ksda_i_free(ctx, t.degree);
    ksda_i_free(ctx, t.wrong);
    ksda_i_census_close(ctx, &t.census);
    ksda_i_free(ctx, t.chosen);
    return status;
}
