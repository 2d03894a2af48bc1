/* All sets of edges, on small networks of people in several communities: the fewest edges that will do without a split.
 *
 * Iterative deepening over pairs that may be joined. An edge changes what two people stand at, so four degrees at most:
 * where more than four times the edges left are out of order, none of their sets will do. Work is counted in degrees
 * that are looked at; when it is over nothing was found, and nothing is proved beyond the sizes that were finished. */
#include "methods/levelplan/disjoint.h"

#include "privacy/census.h"

#define MOST_PAIRS 400u
#define WORK 30000u /* looks at a degree */

typedef struct search {
    ksda_i_disjoint_plan *p;
    ksda_pair pair[MOST_PAIRS];
    uint32_t pairs, chosen[MOST_PAIRS];
    uint32_t *degree; /* [n] now */
    uint8_t *wrong;   /* [n] degrees that are out of order */
    uint32_t wrongs;
    uint32_t work;
    bool undecided; /* some degree was taken for wrong that may be right: nothing is proved */
    ksda_status status;
} search;

static bool list_pairs(search *s) {
    const ksda_i_disjoint_plan *p = s->p;
    for (uint32_t u = 0; u < p->graph->n; u++)
        for (uint32_t v = 0; v < u; v++) {
            if (!ksda_i_may_connect(p->communities, u, v) || ksda_graph_adjacent(p->graph, u, v)) continue;
            if (s->pairs == MOST_PAIRS) return false;
            s->pair[s->pairs++] = (ksda_pair){u, v};
        }
    return true;
}

/* Look at a degree again. */
static void recount_degree(search *s, uint32_t degree) {
    ksda_i_disjoint_plan *p = s->p;
    ksda_i_packing packing;
    uint32_t count = 0;
    for (uint32_t v = 0; v < p->graph->n; v++)
        if (s->degree[v] == degree) p->lent[count++] = v, p->kind[count - 1] = p->communities->of[v];
    bool wrong = count > 0 && !ksda_i_disjoint_share_holds(p, p->lent, count);
    if (count > 0 && !wrong && s->status >= 0) {
        s->status = ksda_i_pack(&p->packer, p->kind, count, p->k, KSDA_I_PACKING_WORK / 64, p->chosen, &packing);
        wrong = s->status < 0 || packing.found < p->k;
        s->undecided |= wrong && packing.most >= p->k;
    }
    s->wrongs += wrong, s->wrongs -= s->wrong[degree];
    s->wrong[degree] = wrong;
    if (s->work > 0) s->work--;
}

static void raise_vertex(search *s, uint32_t v, uint32_t by) {
    uint32_t before = s->degree[v];
    s->degree[v] += by;
    recount_degree(s, before), recount_degree(s, s->degree[v]);
}

/* Can so many further edges, from pair `first` on, put everything in order? They are chosen then. */
static bool extend(search *s, uint32_t first, uint32_t depth, uint32_t left) {
    if (left == 0) return s->wrongs == 0;
    if (s->wrongs > 4 * left) return false;
    for (uint32_t i = first; i + left <= s->pairs && s->work > 0 && s->status >= 0; i++) {
        ksda_pair e = s->pair[i];
        s->chosen[depth] = i;
        raise_vertex(s, e.u, 1), raise_vertex(s, e.v, 1);
        bool yes = extend(s, i + 1, depth + 1, left - 1);
        raise_vertex(s, e.u, UINT32_MAX), raise_vertex(s, e.v, UINT32_MAX);
        if (yes) return true;
    }
    return false;
}

/* The edges of the smallest set; *out stays NULL where none with fewer than `below` is found. */
static ksda_status try_sizes(search *s, uint64_t below, ksda_edits **out, uint64_t *proved) {
    ksda_status status = KSDA_OK;
    for (uint32_t size = 0; s->status >= 0 && size < below && size <= s->pairs && !*out; size++) {
        bool yes = extend(s, 0, 0, size);
        KSDA_I_TRY(s->status);
        KSDA_I_TRY(ksda_i_interrupted(s->p->ctx));
        if (!yes && (!s->work || s->undecided)) break;
        *proved = s->undecided ? *proved : size + !yes;
        if (!yes) continue;
        KSDA_I_TRY(ksda_edits_new(s->p->ctx, s->p->graph, out));
        for (uint32_t i = 0; i < size; i++)
            KSDA_I_TRY(ksda_edits_add_edge(s->p->ctx, *out, s->pair[s->chosen[i]].u, s->pair[s->chosen[i]].v));
    }
done:
    return status;
}

ksda_status ksda_i_disjoint_all(ksda_i_disjoint_plan *p, uint64_t below, ksda_edits **out, uint64_t *proved) {
    uint32_t n = p->graph->n;
    ksda_status status = KSDA_OK;
    *out = NULL, *proved = 0;
    if (n > MOST_PAIRS) return KSDA_OK;
    search *s = ksda_i_calloc(p->ctx, 1, sizeof *s);
    if (!s) return KSDA_NOMEM;
    *s = (search){.p = p, .work = WORK};
    s->degree = ksda_i_malloc(p->ctx, n, sizeof *s->degree);
    s->wrong = ksda_i_calloc(p->ctx, (uint64_t)n + 1, 1);
    if (!s->degree || !s->wrong) status = KSDA_NOMEM;
    for (uint32_t v = 0; v < n && status >= 0; v++) s->degree[v] = ksda_i_degree(p->graph, v);
    if (status >= 0 && list_pairs(s)) {
        for (uint32_t d = 0; d < n; d++) recount_degree(s, d);
        status = try_sizes(s, below, out, proved);
    }
    if (status < 0) ksda_edits_free(p->ctx, *out), *out = NULL;
    ksda_i_free(p->ctx, s->degree);
    ksda_i_free(p->ctx, s->wrong);
    ksda_i_free(p->ctx, s);
    return status;
}
