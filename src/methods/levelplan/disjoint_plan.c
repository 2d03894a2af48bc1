/* level-plan where people have several communities: levels with witnesses, edges, and splitting where these do not
 * suffice.
 *
 * Guarantee: every degree of the release has k witnesses, vertices in pairwise disjoint sets, and an edge is added only
 * where two sets meet. On a graph without isolated vertices a release is found whenever the packing finds k vertices in
 * disjoint sets among all: in the end everybody is split down to degree 1.
 * Idea: plan, look for edges; a vertex that cannot be raised as far as planned is told to the plan, which is made
 * again. After some rounds, or where there is no plan, the largest degrees are taken out of it and split into degrees
 * that are levels, the fewest pieces each. Releases with more and more of them split, and those of the paper's
 * heuristics that know sets, are found besides: the cheapest at the split weight is handed over, and the others are
 * what there is to choose from (--frontier). A share bound is kept beside it (disjoint_share.c), but that a release is
 * found is not certain then. With --favour plausible the added edges are chosen again at last, as where everybody has
 * one community. Bound: k people in disjoint sets are k people, and within a share of 1/k there are k as well, so
 * without splitting the degrees are at least raised as far as the k-degree anonymous sequence of Liu and Terzi
 * (doi:10.1145/1376616.1376629), an edge raises two, and a split costs omega. */
#include "methods/levelplan/disjoint.h"

#include "graph/edits.h"
#include "methods/levelplan/plausible.h"
#include "methods/levelplan/pool.h"
#include "methods/levelplan/rivals.h"
#include "methods/levelplan/stages.h"
#include "privacy/census.h"
#include "privacy/witnesses.h"

#include <math.h>
#include <stdio.h>

enum {
    ROUNDS = 40,
    PATIENCE = 12, /* rounds before the largest degrees are split, one more each round */
    RUNG_ROUNDS = 3,
    RUNG_PART = 8 /* of the trials, for each number of degrees that are split */
};

/* --- splitting ---------------------------------------------------------------------------------------------------- */

/* last[d]: one of the fewest levels that add up to d, or 0; count[d]: how many. */
static void count_coins(const ksda_i_disjoint_plan *p, uint32_t most, uint32_t *last, uint32_t *count) {
    for (uint32_t d = 1; d <= most; d++) count[d] = UINT32_MAX;
    for (uint32_t t = most; t > 0; t--)
        for (uint32_t d = t; p->level[t] && d <= most; d++)
            if (count[d - t] != UINT32_MAX && count[d - t] + 1 < count[d]) count[d] = count[d - t] + 1, last[d] = t;
}

static ksda_status split_vertex(ksda_i_disjoint_plan *p, uint32_t v, const uint32_t *last, ksda_edits *edits) {
    ksda_status status = KSDA_OK;
    uint32_t left = ksda_i_degree(p->graph, v), piece = v;
    while (left > 0 && status >= 0) {
        uint32_t size = last[left];
        for (uint32_t i = 0; i < size && piece != v && status >= 0; i++)
            status = ksda_edits_carry(p->ctx, edits, v, left - 1 - i, piece);
        left -= size;
        if (left > 0 && status >= 0) status = ksda_edits_split(p->ctx, edits, v, &piece);
    }
    return status;
}

ksda_status ksda_i_disjoint_split(ksda_i_disjoint_plan *p, uint32_t from, ksda_edits *edits, bool *complete) {
    ksda_status status = KSDA_NOMEM;
    uint32_t most = p->degree[0], *last = ksda_i_calloc(p->ctx, (uint64_t)most + 1, sizeof *last);
    uint32_t *count = ksda_i_calloc(p->ctx, (uint64_t)most + 1, sizeof *count);
    *complete = true;
    if (!last || !count) goto done;
    if (from > 0) count_coins(p, most, last, count);
    for (uint32_t i = 0; i < from; i++) *complete &= last[p->degree[i]] > 0;
    status = KSDA_OK;
    for (uint32_t at = 0; *complete && at < p->first[from]; at++)
        KSDA_I_TRY(split_vertex(p, p->order[at], last, edits));
done:
    ksda_i_free(p->ctx, last);
    ksda_i_free(p->ctx, count);
    return status;
}

/* Everybody with an edge in pieces of degree 1. *complete is false where too few of them have disjoint sets. */
static ksda_status split_all(ksda_i_disjoint_plan *p, ksda_edits *edits, bool *complete) {
    uint32_t from = p->groups, found = 0;
    ksda_i_packing packing;
    if (p->degree[p->groups - 1] == 0) from--;
    for (uint32_t at = 0; at < p->first[from]; at++) p->kind[at] = p->communities->of[p->order[at]];
    ksda_status status =
        ksda_i_pack(&p->packer, p->kind, p->first[from], p->k, KSDA_I_PACKING_WORK, p->chosen, &packing);
    if (status < 0) return status;
    found = packing.found;
    if (from < p->groups && isinf(p->cost[from])) found = 0;
    memset(p->level, 0, (uint64_t)p->degree[0] + 2);
    p->level[p->degree[0] > 0] = 1;
    *complete = found >= p->k;
    if (*complete) status = ksda_i_disjoint_split(p, from, edits, complete);
    return status >= 0 && *complete ? ksda_i_disjoint_within(p, edits, complete) : status;
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

/* One plan and its edges, with the largest degrees, `least` at least, split where that must be. */
static ksda_status attempt(ksda_i_disjoint_plan *p, uint32_t least, ksda_edits **out, bool *complete) {
    ksda_status status = ksda_i_disjoint_levels(p);
    double raised;
    *complete = false;
    for (uint32_t from = least; from < p->groups && status >= 0; from++) {
        if (isinf(p->cost[from])) continue;
        KSDA_I_TRY(ksda_i_disjoint_improve(p, from));
        KSDA_I_TRY(ksda_i_disjoint_assign(p, from, p->groups, &raised));
        if (isinf(raised)) continue;
        KSDA_I_TRY(ksda_edits_new(p->ctx, p->graph, out));
        KSDA_I_TRY(ksda_i_disjoint_edges(p, from, *out, complete));
        if (!*complete) break;
        KSDA_I_TRY(ksda_i_disjoint_split(p, from, *out, complete));
        if (*complete && from > 0) KSDA_I_TRY(ksda_i_disjoint_within(p, *out, complete));
        if (*complete) return KSDA_OK;
        ksda_edits_free(p->ctx, *out);
        *out = NULL;
    }
done:
    ksda_edits_free(p->ctx, *out);
    *out = NULL;
    return status;
}

static ksda_status give_up(const ksda_i_disjoint_plan *p) {
    char share[96] = "";
    if (p->share.denominator)
        snprintf(share, sizeof share, " and no community with more than %u/%u of it; that there is none is not proved",
                 p->share.numerator, p->share.denominator);
    return ksda_i_error(p->ctx, KSDA_NOT_FOUND,
                        "level-plan found no release with %u people in disjoint sets of communities at every degree%s",
                        p->k, share);
}

static ksda_status find_release(ksda_i_disjoint_plan *p, ksda_edits **out) {
    ksda_status status = KSDA_OK;
    bool complete = false;
    for (uint32_t round = 0; round < ROUNDS && !complete; round++)
        KSDA_I_TRY(attempt(p, round < PATIENCE ? 0 : round - PATIENCE, out, &complete));
    if (complete) return KSDA_OK;
    KSDA_I_TRY(ksda_edits_new(p->ctx, p->graph, out));
    KSDA_I_TRY(split_all(p, *out, &complete));
    if (complete) return KSDA_OK;
    status = give_up(p);
done:
    ksda_edits_free(p->ctx, *out);
    *out = NULL;
    return status;
}

/* --- the bound ---------------------------------------------------------------------------------------------------- */

/* What degrees must be raised by in all so that k vertices at least have each; more where a share takes more. Infinite
 * where there are fewer at all. */
static ksda_status least_raising(const ksda_i_disjoint_plan *p, double *out) {
    uint64_t n = p->graph->n, within = ksda_i_share_communities(p->share), k = p->k > within ? p->k : within;
    double *least = ksda_i_malloc(p->ctx, n + 1, sizeof *least), *sum = ksda_i_malloc(p->ctx, n + 1, sizeof *sum);
    if (least && sum) {
        least[0] = sum[0] = 0;
        for (uint64_t i = 1; i <= n; i++) {
            sum[i] = sum[i - 1] + ksda_i_degree(p->graph, p->order[i - 1]);
            least[i] = INFINITY;
            for (uint64_t size = k; size < 2 * k && size <= i; size++) {
                double top = ksda_i_degree(p->graph, p->order[i - size]);
                least[i] = fmin(least[i], least[i - size] + top * (double)size - (sum[i] - sum[i - size]));
            }
        }
        *out = least[n];
    }
    ksda_i_free(p->ctx, least);
    ksda_i_free(p->ctx, sum);
    return least && sum ? KSDA_OK : KSDA_NOMEM;
}

/* --- plausible edges ---------------------------------------------------------------------------------------------- */

/* Can the witnesses still be found, by whoever looks for them? */
static ksda_status are_witnesses_found(const ksda_i_disjoint_plan *p, const ksda_edits *edits, bool *yes) {
    ksda_graph *published = NULL;
    uint32_t *owner = ksda_i_malloc(p->ctx, ksda_edits_pieces(edits), sizeof *owner), *witness = NULL;
    uint64_t count;
    char error[512];
    ksda_status status;
    KSDA_I_TRY(owner ? ksda_edits_apply(p->ctx, edits, &published) : KSDA_NOMEM);
    ksda_edits_owners(edits, owner);
    const ksda_i_view view = {p->ctx, published, p->communities, owner, p->k};
    status = ksda_i_witnesses_find(&view, &witness, &count, yes, error, sizeof error);
done:
    ksda_graph_free(p->ctx, published);
    ksda_i_free(p->ctx, owner);
    ksda_i_free(p->ctx, witness);
    return status;
}

/* Choose again whom the added edges connect, for at most so many hundredths more of them. The release that came in
 * stays where the time is over. */
static ksda_status make_plausible(ksda_i_disjoint_plan *p, double cost, uint64_t work, ksda_edits **edits) {
    uint64_t extra = (uint64_t)floor((double)ksda_edits_added(*edits, NULL) * cost / 100);
    ksda_edits *found = NULL;
    bool right = false;
    double nearer;
    uint64_t around = ksda_i_work_begin(p->ctx, work);
    const char *stage_around = ksda_i_stage_begin(p->ctx, "plausible edges");
    ksda_status status = ksda_i_edits_copy(p->ctx, *edits, &found);
    if (status >= 0) status = ksda_i_plausible(p->ctx, p->graph, p->communities, p->k, p->share, extra, found, &nearer);
    if (status >= 0) status = are_witnesses_found(p, found, &right);
    ksda_i_stage_finish(p->ctx, stage_around);
    ksda_i_work_finish(p->ctx, around);
    if (status >= 0 && right) {
        ksda_edits *before = *edits;
        *edits = found, found = before;
    }
    ksda_edits_free(p->ctx, found);
    if (!ksda_i_cut_short(p->ctx, status)) return status;
    p->limited = true;
    return KSDA_OK;
}

/* Among releases of the same cost one whose edges are less conspicuous, unless single measures are favoured; for more
 * of them where plausible ones are. */
static ksda_status disguise_release(ksda_i_disjoint_plan *p, const ksda_anonymize_options *options,
                                    ksda_edits **edits) {
    const ksda_i_plan_run run = {.graph = p->graph};
    if (ksda_i_time_left(p->ctx) <= 0) return KSDA_OK;
    if (options->favour == KSDA_FAVOUR_PLAUSIBLE)
        return make_plausible(p, options->plausible_cost, ksda_i_stage_plausible_budget(&run), edits);
    if (options->favour != KSDA_FAVOUR_BALANCED || p->graph->n + p->graph->m > KSDA_I_REWIRE_SIZE) return KSDA_OK;
    return make_plausible(p, 0, ksda_i_plan_work(&run, KSDA_I_DISGUISE_WORK), edits);
}

/* --- what there is to choose from --------------------------------------------------------------------------------- */

/* Everything that one run finds. */
typedef struct disjoint_search {
    ksda_i_disjoint_plan plan;
    const ksda_anonymize_options *options;
    const ksda_i_plan_hooks *hooks;
    ksda_i_pool pool;
    uint64_t fewest; /* edges that every release without a split has, as far as is proved */
} disjoint_search;

/* What the cheapest release so far costs; INFINITY before there is one. */
static double cheapest_cost(const disjoint_search *s) {
    const ksda_i_pool_release *best = ksda_i_pool_cheapest(&s->pool, s->options->split_weight);
    return best ? ksda_i_pool_cost(best, s->options->split_weight) : INFINITY;
}

static bool is_late(disjoint_search *s) {
    if (ksda_i_time_left(s->plan.ctx) <= 0) s->plan.limited = true;
    return s->plan.limited;
}

static ksda_status offer(disjoint_search *s, ksda_edits *edits) {
    return ksda_i_pool_add(s->plan.ctx, &s->pool, s->plan.graph->n, edits);
}

/* A release that was found without levels and their witnesses: these are looked for, and the share is recounted. */
static ksda_status offer_if_right(disjoint_search *s, ksda_edits *edits) {
    ksda_i_pool_release x = ksda_i_pool_describe(s->plan.graph->n, edits);
    bool right = s->hooks->runner_up || ksda_i_pool_cost(&x, s->options->split_weight) < cheapest_cost(s);
    ksda_status status = right ? ksda_i_disjoint_within(&s->plan, edits, &right) : KSDA_OK;
    if (status >= 0 && right) status = are_witnesses_found(&s->plan, edits, &right);
    if (status >= 0 && right) return offer(s, edits);
    ksda_edits_free(s->plan.ctx, edits);
    return status;
}

/* The paper's heuristics may by chance do better, and split where plans do not. */
static ksda_status ask_rivals(disjoint_search *s) {
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < KSDA_I_RIVALS && status >= 0; i++) {
        ksda_edits *edits;
        if (s->pool.count && is_late(s)) break;
        status = ksda_i_rival(s->plan.ctx, s->plan.graph, s->plan.communities, s->options, i,
                              s->hooks->runner_up ? INFINITY : cheapest_cost(s), &edits);
        if (status >= 0 && edits) status = offer_if_right(s, edits);
    }
    return status;
}

/* Could a release with splits be cheaper than all that are known, or is it wanted anyway? */
static bool splits_may_pay(const disjoint_search *s) {
    const ksda_i_pool_release *best = ksda_i_pool_cheapest(&s->pool, s->options->split_weight);
    return s->hooks->runner_up || !best || best->splits > 0 || s->options->split_weight < (double)best->added;
}

/* More and more of the largest degrees are split, the first ones one by one. */
static ksda_status try_more_splits(disjoint_search *s) {
    ksda_i_disjoint_plan *p = &s->plan;
    ksda_status status = KSDA_OK;
    for (uint32_t least = 1; least < p->groups; least += 1 + least / 4) {
        ksda_edits *edits = NULL;
        bool complete = false;
        if (is_late(s)) break;
        ksda_i_disjoint_reach(p);
        p->trials = KSDA_I_DISJOINT_WORK / RUNG_PART;
        for (uint32_t round = 0; round < RUNG_ROUNDS && !complete; round++)
            KSDA_I_TRY(attempt(p, least, &edits, &complete));
        if (complete) KSDA_I_TRY(offer(s, edits));
    }
done:
    return status;
}

/* Small networks are looked through as a whole. */
static ksda_status look_through_all(disjoint_search *s) {
    const ksda_i_pool_release *first = s->pool.count ? s->pool.release : NULL;
    ksda_edits *edits = NULL;
    ksda_status status =
        ksda_i_disjoint_all(&s->plan, first && first->splits == 0 ? first->added : UINT64_MAX, &edits, &s->fewest);
    return status >= 0 && edits ? offer(s, edits) : status;
}

/* What is stopped counts for nothing where there is a release to hand over. */
static ksda_status unless_cut_short(disjoint_search *s, ksda_status status) {
    if (!s->pool.count || !ksda_i_cut_short(s->plan.ctx, status)) return status;
    s->plan.limited = true;
    return KSDA_OK;
}

static ksda_status search_disjoint(disjoint_search *s) {
    ksda_i_disjoint_plan *p = &s->plan;
    ksda_edits *edits = NULL;
    ksda_status status = s->hooks->found    ? ksda_i_edits_copy(p->ctx, s->hooks->found, &edits)
                         : p->graph->n == 0 ? ksda_edits_new(p->ctx, p->graph, &edits)
                                            : find_release(p, &edits);
    if (status >= 0) status = offer(s, edits);
    if (status < 0 && status != KSDA_NOT_FOUND) return status;
    status = unless_cut_short(s, look_through_all(s));
    if (s->hooks->found || p->graph->n == 0) return status;
    if (status >= 0) status = unless_cut_short(s, ask_rivals(s));
    if (status >= 0 && splits_may_pay(s)) status = unless_cut_short(s, try_more_splits(s));
    return status < 0 || s->pool.count ? status : give_up(p);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static ksda_status prove_disjoint(disjoint_search *s, ksda_anonymize_result *result) {
    double raising = 0, weight = s->options->split_weight;
    ksda_status status = least_raising(&s->plan, &raising);
    result->least_added_vertices = ksda_i_disjoint_splits_needed(&s->plan);
    result->lower_bound = result->least_added_vertices ? weight * (double)result->least_added_vertices
                                                       : fmin(fmax(ceil(raising / 2), (double)s->fewest), weight);
    return status;
}

/* The cheapest one for the caller, the others for whoever wants them. */
static ksda_edits *hand_over(disjoint_search *s) {
    const ksda_i_pool_release *best = ksda_i_pool_cheapest(&s->pool, s->options->split_weight);
    ksda_edits *edits = best ? ksda_i_pool_take(&s->pool, best) : NULL;
    while (s->hooks->runner_up && s->pool.count)
        s->hooks->runner_up(s->hooks->payload, ksda_i_pool_take(&s->pool, s->pool.release));
    return edits;
}

ksda_status ksda_i_level_plan_disjoint(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                       const ksda_anonymize_options *options, const ksda_i_plan_hooks *hooks,
                                       ksda_edits **out, ksda_anonymize_result *result) {
    disjoint_search s = {.options = options, .hooks = hooks};
    double begun = ksda_i_now();
    ksda_status status = ksda_i_disjoint_plan_open(ctx, graph, communities, options->k, options->max_share, &s.plan);
    if (status >= 0) status = search_disjoint(&s);
    result->search_seconds = ksda_i_now() - begun;
    if (status >= 0 && !options->no_proof && !hooks->search_only) {
        status = prove_disjoint(&s, result);
        result->proof_seconds = ksda_i_now() - begun - result->search_seconds;
    }
    *out = status < 0 ? NULL : hand_over(&s);
    if (status >= 0 && !hooks->search_only) status = disguise_release(&s.plan, options, out);
    result->search_seconds = ksda_i_now() - begun - result->proof_seconds;
    if (status < 0) ksda_edits_free(ctx, *out), *out = NULL;
    if (status == KSDA_OK && s.plan.limited) status = KSDA_LIMIT;
    ksda_i_pool_clear(ctx, &s.pool);
    ksda_i_disjoint_plan_close(&s.plan);
    return status;
}
