/* Edges between people whose sets meet, so that everybody gets to a level.
 *
 * Needs are paired first, the largest with each other, since an edge between two of them meets two. Where u and v
 * are left that cannot be joined, an edge a - b makes way: u - a and v - b instead (an augmenting path of length 3).
 * Who is left then is joined to absorbers: vertices that are no witnesses and stand one below a level, so that the edge
 * takes them there. Both are greedy: time O(needs * candidates looked at), and a look goes through the smaller set. */
#include "methods/levelplan/disjoint.h"

#include "core/sort.h"
#include "methods/levelplan/set_crowds.h"
#include "privacy/census.h"

#define MOST_PARTNERS 20000u          /* that are looked at for one vertex */
#define MOST_LOOKS UINT64_C(20000000) /* at pairs, while edges make way */

/* An added edge, in the list of one of its ends. */
typedef struct half {
    uint32_t to, next;
} half;

typedef struct pairing {
    ksda_i_disjoint_plan *p;
    uint32_t *degree; /* [n] now */
    uint32_t *newest; /* [n] its newest half + 1 */
    ksda_pair *edge;  /* [edges] added so far */
    uint64_t edges, edge_capacity;
    half *half; /* 0 is none */
    uint64_t halves, capacity;
    uint32_t *mark, epoch; /* [n] neighbours of the vertex at hand */
    ksda_i_rolls rolls;
    uint64_t *at;    /* [communities] where to look for the next absorber */
    uint64_t *needy; /* (need, vertex) of those that began with a need, descending by need */
    uint64_t needs;
    ksda_i_set_crowds crowds; /* vertices at their targets, with a share bound */
} pairing;

static ksda_status open_pairing(ksda_i_disjoint_plan *p, pairing *x) {
    uint32_t n = p->graph->n, communities = ksda_communities_set_count(p->communities);
    *x = (pairing){.p = p, .halves = 1};
    x->degree = ksda_i_malloc(p->ctx, n, sizeof *x->degree);
    x->newest = ksda_i_calloc(p->ctx, n, sizeof *x->newest);
    x->mark = ksda_i_calloc(p->ctx, n, sizeof *x->mark);
    x->at = ksda_i_calloc(p->ctx, communities, sizeof *x->at);
    x->needy = ksda_i_malloc(p->ctx, n, sizeof *x->needy);
    if (!x->degree || !x->newest || !x->mark || !x->at || !x->needy) return KSDA_NOMEM;
    for (uint32_t v = 0; v < n; v++) x->degree[v] = ksda_i_degree(p->graph, v);
    return ksda_i_rolls_new(p->ctx, p->communities, &x->rolls);
}

static void close_pairing(pairing *x) {
    void *blocks[] = {x->degree, x->newest, x->half, x->mark, x->at, x->needy, x->edge};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) ksda_i_free(x->p->ctx, blocks[i]);
    ksda_i_rolls_clear(x->p->ctx, &x->rolls);
    ksda_i_set_crowds_close(x->p->ctx, &x->crowds);
}

static ksda_status open_crowds(pairing *x, uint32_t from) {
    const ksda_i_disjoint_plan *p = x->p;
    uint64_t members = x->rolls.start[ksda_communities_set_count(p->communities)];
    ksda_status status =
        ksda_i_set_crowds_open(p->ctx, p->communities, p->share, p->degree[0] + 2, members, &x->crowds);
    for (uint32_t at = p->first[from]; at < p->graph->n && status >= 0; at++)
        ksda_i_set_crowds_count(&x->crowds, p->order[at], p->target[p->order[at]], true);
    return status;
}

/* --- edges -------------------------------------------------------------------------------------------------------- */

static uint32_t edges_needed(const pairing *x, uint32_t v) {
    return x->p->target[v] - x->degree[v];
}

static ksda_status connect(pairing *x, uint32_t u, uint32_t v) {
    ksda_status status = ksda_i_reserve(x->p->ctx, &x->half, &x->capacity, x->halves + 2, sizeof *x->half);
    if (status >= 0) status = ksda_i_reserve(x->p->ctx, &x->edge, &x->edge_capacity, x->edges + 1, sizeof *x->edge);
    if (status < 0) return status;
    x->edge[x->edges++] = (ksda_pair){u, v};
    x->half[x->halves] = (half){v, x->newest[u]};
    x->newest[u] = (uint32_t)x->halves++;
    x->half[x->halves] = (half){u, x->newest[v]};
    x->newest[v] = (uint32_t)x->halves++;
    x->degree[u]++, x->degree[v]++;
    x->mark[u] = x->mark[v] = x->epoch;
    return KSDA_OK;
}

/* Mark u, its neighbours, and the communities of u. */
static void look_from(pairing *x, uint32_t u) {
    const ksda_graph *g = x->p->graph;
    uint32_t size;
    const uint32_t *set = ksda_communities_set(x->p->communities, u, &size);
    x->epoch++;
    x->mark[u] = x->epoch;
    for (uint64_t i = g->off[u]; i < g->off[u + 1]; i++) x->mark[g->adj[i]] = x->epoch;
    for (uint32_t h = x->newest[u]; h; h = x->half[h].next) x->mark[x->half[h].to] = x->epoch;
    x->p->stamp++;
    for (uint32_t i = 0; i < size; i++) x->p->used[set[i]] = x->p->stamp;
}

/* May u, from which we look, be joined to v? */
static bool can_be_joined(const pairing *x, uint32_t v) {
    uint32_t size;
    const uint32_t *set = ksda_communities_set(x->p->communities, v, &size);
    if (x->mark[v] == x->epoch) return false;
    for (uint32_t i = 0; i < size; i++)
        if (x->p->used[set[i]] == x->p->stamp) return true;
    return false;
}

/* Needs with needs. */
static ksda_status pair_up(pairing *x) {
    ksda_status status = KSDA_OK;
    for (uint64_t i = 0; i < x->needs; i++) {
        uint32_t u = (uint32_t)x->needy[i];
        if (edges_needed(x, u) == 0) continue;
        look_from(x, u);
        for (uint64_t j = i + 1; j < x->needs && j - i < MOST_PARTNERS && edges_needed(x, u) > 0; j++) {
            uint32_t v = (uint32_t)x->needy[j];
            if (edges_needed(x, v) > 0 && can_be_joined(x, v)) KSDA_I_TRY(connect(x, u, v));
        }
        KSDA_I_TRY(ksda_i_progress_stage(x->p->ctx, i, x->needs));
    }
done:
    return status;
}

/* May v and b be joined? For pairs other than those of the vertex at hand. */
static bool joinable(const pairing *x, uint32_t v, uint32_t b) {
    if (v == b || !ksda_i_may_connect(x->p->communities, v, b) || ksda_graph_adjacent(x->p->graph, v, b)) return false;
    for (uint32_t h = x->newest[v]; h; h = x->half[h].next)
        if (x->half[h].to == b) return false;
    return true;
}

/* Who else has a need and may be joined to b; u itself where it needs two. KSDA_NO_VERTEX: nobody. */
static uint32_t other_end(const pairing *x, uint32_t u, uint32_t a, uint32_t b, uint64_t *looks) {
    if (edges_needed(x, u) > 1 && can_be_joined(x, b)) return u;
    for (uint64_t j = 0; j<x->needs && * looks> 0; j++) {
        uint32_t v = (uint32_t)x->needy[j];
        if (v == u || v == a || edges_needed(x, v) == 0) continue;
        --*looks;
        if (joinable(x, v, b)) return v;
    }
    return KSDA_NO_VERTEX;
}

/* In the list of a, the edge to b becomes one to u. */
static void relink(pairing *x, uint32_t a, uint32_t b, uint32_t u) {
    uint32_t h = x->newest[a];
    while (x->half[h].to != b) h = x->half[h].next;
    x->half[h].to = u;
}

/* Edge e, between a and b, becomes u - a, and v - b is added. */
static ksda_status make_way(pairing *x, uint64_t e, uint32_t u, uint32_t a, uint32_t b, uint32_t v) {
    ksda_status status = ksda_i_reserve(x->p->ctx, &x->half, &x->capacity, x->halves + 2, sizeof *x->half);
    if (status >= 0) status = ksda_i_reserve(x->p->ctx, &x->edge, &x->edge_capacity, x->edges + 1, sizeof *x->edge);
    if (status < 0) return status;
    relink(x, a, b, u);
    relink(x, b, a, v);
    x->half[x->halves] = (half){a, x->newest[u]};
    x->newest[u] = (uint32_t)x->halves++;
    x->half[x->halves] = (half){b, x->newest[v]};
    x->newest[v] = (uint32_t)x->halves++;
    x->edge[e] = (ksda_pair){u, a};
    x->edge[x->edges++] = (ksda_pair){v, b};
    x->degree[u]++, x->degree[v]++;
    return KSDA_OK;
}

static ksda_status augment(pairing *x) {
    ksda_status status = KSDA_OK;
    uint64_t looks = MOST_LOOKS;
    for (uint64_t i = 0; i < x->needs; i++) {
        uint32_t u = (uint32_t)x->needy[i];
        if (edges_needed(x, u) == 0) continue;
        look_from(x, u);
        for (uint64_t e = 0; e < 2 * x->edges && edges_needed(x, u) > 0 && looks > 0; e++) {
            ksda_pair pair = x->edge[e / 2];
            uint32_t a = e % 2 ? pair.v : pair.u, b = e % 2 ? pair.u : pair.v;
            looks--;
            if (b == u || !can_be_joined(x, a)) continue;
            uint32_t v = other_end(x, u, a, b, &looks);
            if (v == KSDA_NO_VERTEX) continue;
            KSDA_I_TRY(make_way(x, e / 2, u, a, b, v));
            look_from(x, u);
        }
        KSDA_I_TRY(ksda_i_progress_stage(x->p->ctx, i, x->needs));
    }
done:
    return status;
}

/* May an edge take v to the level above? */
static bool absorbs(const pairing *x, uint32_t v) {
    const ksda_i_disjoint_plan *p = x->p;
    return x->mark[v] != x->epoch && p->assigned[v] && !p->witness[v] && p->target[v] < p->degree[0] &&
           p->level[p->target[v] + 1];
}

/* The rest of u's need with absorbers, from each of its communities in turn. */
static ksda_status absorb(pairing *x, uint32_t u) {
    ksda_i_disjoint_plan *p = x->p;
    uint32_t size, idle = 0;
    const uint32_t *set = ksda_communities_set(p->communities, u, &size);
    ksda_status status = KSDA_OK;
    look_from(x, u);
    for (uint32_t i = 0; edges_needed(x, u) > 0 && idle < size; i = (i + 1) % size) {
        uint32_t c = set[i];
        uint64_t count = x->rolls.start[c + 1] - x->rolls.start[c], looked = 0;
        idle++;
        for (; looked < count && idle; looked++) {
            uint32_t v = x->rolls.member[x->rolls.start[c] + x->at[c]];
            x->at[c] = (x->at[c] + 1) % count;
            if (!absorbs(x, v) || !ksda_i_set_crowds_let_rise(&x->crowds, v, p->target[v])) continue;
            ksda_i_set_crowds_count(&x->crowds, v, p->target[v], false);
            ksda_i_set_crowds_count(&x->crowds, v, ++p->target[v], true);
            KSDA_I_TRY(connect(x, u, v));
            idle = 0;
        }
        KSDA_I_TRY(ksda_i_look(p->ctx, i));
    }
done:
    return status;
}

ksda_status ksda_i_disjoint_edges(ksda_i_disjoint_plan *p, uint32_t from, ksda_edits *edits, bool *complete) {
    pairing x;
    uint64_t *scratch = ksda_i_malloc(p->ctx, p->graph->n, sizeof *scratch);
    ksda_status status = open_pairing(p, &x);
    if (status >= 0 && !scratch) status = KSDA_NOMEM;
    KSDA_I_TRY(status);
    KSDA_I_TRY(open_crowds(&x, from));
    *complete = true;
    for (uint32_t at = p->first[from]; at < p->graph->n; at++) {
        uint32_t v = p->order[at];
        if (edges_needed(&x, v) > 0) x.needy[x.needs++] = (uint64_t)(UINT32_MAX - edges_needed(&x, v)) << 32 | v;
    }
    ksda_i_sort_u64(x.needy, x.needs, scratch);
    KSDA_I_TRY(pair_up(&x));
    KSDA_I_TRY(augment(&x));
    for (uint64_t i = 0; i < x.needs; i++) {
        uint32_t v = (uint32_t)x.needy[i];
        if (edges_needed(&x, v) > 0) KSDA_I_TRY(absorb(&x, v));
        if (edges_needed(&x, v) == 0) continue;
        *complete = false;
        p->reach[v] = x.degree[v];
    }
    for (uint64_t e = 0; e < x.edges; e++) KSDA_I_TRY(ksda_edits_add_edge(p->ctx, edits, x.edge[e].u, x.edge[e].v));
done:
    ksda_i_free(p->ctx, scratch);
    close_pairing(&x);
    return status;
}
