/* What stages of level-plan ask and tell. */
#include "methods/levelplan/stages.h"

#include <math.h>

bool ksda_i_plan_late_now(ksda_i_plan_run *r) {
    if (ksda_i_time_left(r->ctx) <= 0) r->limited = true;
    return r->limited;
}

uint32_t ksda_i_plan_splits(const ksda_i_plan_run *r) {
    return ksda_edits_pieces(r->best) - r->graph->n;
}

double ksda_i_plan_proved(const ksda_i_plan_run *r) {
    return ksda_i_proof_least(&r->proof, r->cost);
}

uint64_t ksda_i_plan_work(const ksda_i_plan_run *r, uint64_t small) {
    uint64_t size = r->graph->n + r->graph->m;
    return size > KSDA_I_SMALL_SIZE ? small / KSDA_I_SMALL_SIZE * size : small;
}

double ksda_i_plan_see(ksda_i_plan_run *r, const ksda_edits *edits) {
    uint32_t splits = ksda_edits_pieces(edits) - r->graph->n;
    double cost = (double)ksda_edits_added(edits, NULL) + r->options->split_weight * splits;
    ksda_i_proof_see(&r->proof, cost, splits > 0);
    return cost;
}

/* A large network is searched with one weight, and only the cheapest release is kept. */
bool ksda_i_plan_keeps_one(const ksda_i_plan_run *r) {
    return r->weights == 1 && !r->hooks->runner_up;
}

ksda_status ksda_i_plan_offer(ksda_i_plan_run *r, ksda_edits *edits) {
    double cost = ksda_i_plan_see(r, edits);
    if (ksda_i_plan_keeps_one(r) && r->best) {
        if (cost >= r->cost) {
            ksda_edits_free(r->ctx, edits);
            return KSDA_OK;
        }
        ksda_i_pool_clear(r->ctx, &r->pool);
    }
    ksda_status status = ksda_i_pool_add(r->ctx, &r->pool, r->graph->n, edits);
    const ksda_i_pool_release *best = ksda_i_pool_cheapest(&r->pool, r->options->split_weight);
    r->best = best ? best->edits : NULL;
    r->cost = best ? ksda_i_pool_cost(best, r->options->split_weight) : INFINITY;
    return status;
}

bool ksda_i_plan_is_large(const ksda_i_plan_run *r) {
    return r->graph->n + r->graph->m > KSDA_I_HUBS_SIZE;
}

double ksda_i_plan_cost_at(const ksda_i_plan_run *r, double weight) {
    const ksda_i_pool_release *best = ksda_i_pool_cheapest(&r->pool, weight);
    return best ? ksda_i_pool_cost(best, weight) : INFINITY;
}

bool ksda_i_level_plan_pools(const ksda_graph *graph, const ksda_communities *communities,
                             const ksda_anonymize_options *options) {
    return communities->sets || (graph->n + graph->m <= KSDA_I_POOL_SIZE && !options->max_share.denominator);
}

/* Into the list, unless one within a factor of 2 is there: at the end, or by descending `rank`. */
static void search_with(ksda_i_plan_run *r, double weight, double (*rank)(const ksda_i_plan_run *r, double weight)) {
    uint32_t at = r->weights;
    for (uint32_t j = 0; j < r->weights; j++)
        if (fabs(log(weight / r->weight[j])) < log(2)) return;
    if (!(weight > 0)) return;
    while (rank && at > 0 && rank(r, r->weight[at - 1]) < rank(r, weight)) at--;
    memmove(r->weight + at + 1, r->weight + at, (r->weights++ - at) * sizeof *r->weight);
    r->weight[at] = weight;
}

static double by_size(const ksda_i_plan_run *r, double weight) {
    (void)r;
    return weight;
}

static double by_nearness(const ksda_i_plan_run *r, double weight) {
    return -fabs(log(weight / r->options->split_weight));
}

/* Up to some size the weights of the search do not depend on the one asked for, so that no run returns what one with
 * another weight beats: both find the same releases. On somewhat larger networks there are fewer, that each is searched
 * with as long, and a small one joins them where it is asked for. Where the time is limited the nearest weight comes
 * first. On large networks plans are made with the weight asked for, and sets of levels are compared with others as
 * well: a huge one hides what edges cost, and a small one what splits do. */
void ksda_i_plan_choose_weights(ksda_i_plan_run *r) {
    const double n = r->graph->n, pooled[] = {n * n, 100, 20, 5, 1, 0.2}, few[] = {n * n, 20, KSDA_I_POOL_WEIGHT};
    const double others[] = {100, 20, 1e6}, asked = r->options->split_weight;
    double (*rank)(const ksda_i_plan_run *, double) = ksda_i_time_left(r->ctx) < INFINITY ? by_nearness : by_size;
    bool medium = !ksda_i_plan_is_large(r) && n <= KSDA_I_LEVELSET_VERTICES && !r->options->max_share.denominator;
    r->weights = 0;
    if (ksda_i_level_plan_pools(r->graph, r->communities, r->options)) {
        for (size_t i = 0; i < sizeof pooled / sizeof *pooled; i++) search_with(r, pooled[i], rank);
    } else if (medium) {
        for (size_t i = 0; i < sizeof few / sizeof *few; i++) search_with(r, few[i], rank);
        if (asked < KSDA_I_POOL_WEIGHT) search_with(r, asked, rank);
    } else {
        search_with(r, asked, NULL);
        r->plans = r->weights;
        for (size_t i = 0; i < sizeof others / sizeof *others && n <= KSDA_I_LEVELSET_VERTICES; i++)
            search_with(r, others[i], NULL);
        return;
    }
    r->plans = r->weights;
}

const ksda_anonymize_options *ksda_i_plan_with(ksda_i_plan_run *r, double weight) {
    r->planned = *r->options;
    r->planned.split_weight = weight;
    return &r->planned;
}

ksda_edits *ksda_i_plan_hand_over(ksda_i_plan_run *r) {
    const ksda_i_pool_release *best = ksda_i_pool_cheapest(&r->pool, r->options->split_weight);
    ksda_edits *edits = best ? ksda_i_pool_take(&r->pool, best) : NULL;
    while (r->hooks->runner_up && r->pool.count)
        r->hooks->runner_up(r->hooks->payload, ksda_i_pool_take(&r->pool, r->pool.release));
    return edits;
}

ksda_status ksda_i_plan_offer_rounds(ksda_i_plan_run *r) {
    if (r->rounds.limited) r->limited = true;
    return ksda_i_rounds_offer(&r->rounds);
}
