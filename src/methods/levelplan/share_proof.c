/* What is told of a share bound beside a release: why there is none, what every release costs at least, and what work
 * looking for one may take. */
#include "methods/levelplan/share_plan.h"
#include "methods/levelplan/stages.h"

#include <math.h>

#define LARGE (UINT64_C(1) << 21) /* vertices and edges */

bool ksda_i_share_is_large(const ksda_i_plan_run *r) {
    return r->graph->n + r->graph->m > LARGE;
}

uint64_t ksda_i_stage_share_budget(const ksda_i_plan_run *r) {
    uint64_t size = r->graph->n + r->graph->m;
    return size > KSDA_I_HUBS_SIZE ? KSDA_I_SHARE_WORK / KSDA_I_HUBS_SIZE * size : KSDA_I_SHARE_WORK;
}

/* --- nothing found ------------------------------------------------------------------------------------------------ */

/* A community whose members have in all an odd number (or an even one) of ends of edges; the number of communities
 * where there is none. Of its published vertices so many, odd or even, have an odd degree, whatever is added inside it,
 * as long as every edge across is there once. */
static uint32_t community_of_parity(const ksda_i_plan_run *r, unsigned parity) {
    const ksda_communities *c = r->communities;
    for (uint32_t i = 0; i < c->counted; i++) {
        unsigned sum = 0;
        for (uint32_t j = c->start[i]; j < c->start[i + 1]; j++) sum ^= ksda_i_degree(r->graph, c->member[j]) & 1;
        if (sum == parity) return i;
    }
    return c->counted;
}

/* Where all communities would have to have equally many of odd degree, but not all can. */
bool ksda_i_share_parity_forbids(const ksda_i_plan_run *r) {
    uint32_t counted = r->communities->counted;
    return (uint64_t)r->options->max_share.numerator * counted == r->options->max_share.denominator &&
           community_of_parity(r, 1) < counted && community_of_parity(r, 0) < counted;
}

ksda_status ksda_i_share_give_up(const ksda_i_plan_run *r) {
    ksda_share most = r->options->max_share;
    uint32_t odd = community_of_parity(r, 1), even = community_of_parity(r, 0), counted = r->communities->counted;
    char a[128], b[128];
    if (!ksda_i_share_parity_forbids(r))
        return ksda_i_error(r->ctx, KSDA_NOT_FOUND,
                            "level-plan found no release in which every community has at most %u/%u of each degree; "
                            "that there is none is not proved",
                            most.numerator, most.denominator);
    ksda_communities_name(r->communities, odd, a, sizeof a);
    ksda_communities_name(r->communities, even, b, sizeof b);
    return ksda_i_error(r->ctx, KSDA_NOT_FOUND,
                        "level-plan has no release in which each of the %u communities has at most %u/%u of each "
                        "degree: all would have equally many vertices of odd degree, but community %s has an odd "
                        "number of ends of edges and community %s an even one, so some edge between communities would "
                        "have to be there twice, which level-plan does not do",
                        counted, most.numerator, most.denominator, a, b);
}

/* --- the proof ---------------------------------------------------------------------------------------------------- */

/* With --bound: the same program in whole numbers, as long as was asked for. */
static ksda_status prove_whole(ksda_i_plan_run *r) {
    const ksda_i_ranks *l = &r->rounds.lists;
    uint32_t *of = ksda_i_malloc(r->ctx, r->graph->n, sizeof *of);
    ksda_i_share_levels levels = {0};
    double bound = r->proof.unsplit;
    ksda_status status = of ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t i = 0; i < r->graph->n && of; i++) of[i] = r->communities->of[l->vertex[i]];
    if (status >= 0)
        status = ksda_i_share_levels_make(r->ctx, r->graph->n, l->degree, of, l->slack, r->communities, &levels);
    if (status >= 0)
        status = ksda_i_share_bound_whole(r->ctx, &levels, l, r->options->max_share, r->options->bound_seconds, &bound);
    if (status >= 0 && bound > r->proof.unsplit) r->proof.unsplit = bound;
    ksda_i_share_levels_clear(r->ctx, &levels);
    ksda_i_free(r->ctx, of);
    return status;
}

/* After the other bounds, which hold as well: within the share every degree is in as many communities as it takes. */
ksda_status ksda_i_stage_share_bound(ksda_i_plan_run *r) {
    uint32_t largest = 0, known = r->communities->start[r->communities->counted];
    for (uint32_t c = 0; c < r->communities->counted; c++)
        if (ksda_i_community_size(r->communities, c) > largest) largest = ksda_i_community_size(r->communities, c);
    uint64_t needed = ksda_i_share_splits_needed(r->options->max_share, known, largest);
    if (needed > r->proof.needed) r->proof.needed = (uint32_t)needed;
    if (r->options->bound_seconds > 0 && r->proof.needed == 0 && !ksda_i_share_is_large(r) &&
        ksda_i_plan_proved(r) < r->cost) {
        ksda_status status = prove_whole(r);
        if (status < 0) return status;
    }
    if (isinf(r->proof.unsplit) && r->proof.needed == 0) r->proof.needed = 1;
    if (r->proof.needed) r->proof.unsplit = INFINITY;
    double least = r->options->split_weight * (r->proof.needed ? r->proof.needed : 1);
    if (least > r->proof.split) r->proof.split = least;
    return KSDA_OK;
}
