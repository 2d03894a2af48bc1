/* What is told of a share bound beside a release: why there is none, what every release costs at least, and what work
 * looking for one may take. */
#include "methods/levelplan/share_plan.h"
#include "methods/levelplan/stages.h"

#include <math.h>

#define LARGE (UINT64_C(1) << 21)        /* vertices and edges */
#define PARITY_STEPS (UINT64_C(1) << 25) /* of looking for numbers of vertices, for all communities */

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
static bool odd_and_even_differ(const ksda_i_plan_run *r) {
    uint32_t counted = r->communities->counted;
    return (uint64_t)r->options->max_share.numerator * counted == r->options->max_share.denominator &&
           community_of_parity(r, 1) < counted && community_of_parity(r, 0) < counted;
}

/* No community has more than `odd` vertices of odd degree, nor more than `even` of even degree, and in all there are so
 * many that these are within the share, or there are none. Each begins with as many of odd degree as it can have, of
 * its parity, and as many of even degree as it can have beside; then two of odd degree are given for two of even
 * degree, and at last for one. */
static bool parity_numbers_fit(ksda_share share, uint32_t communities, const ksda_i_parity_range *x, uint64_t odd,
                               uint64_t even) {
    uint64_t odds = 0, evens = 0, pairs = 0, halves = 0, least_odd, least_even;
    for (uint32_t c = 0; c < communities; c++) {
        uint64_t o = x[c].most < odd ? x[c].most : odd;
        if (o == 0 && x[c].odd) return false;
        o -= (o & 1) != x[c].odd;
        uint64_t e = x[c].most - o < even ? x[c].most - o : even, more = (even - e) / 2;
        if (o + e < x[c].members) return false;
        odds += o, evens += e, pairs += more < o / 2 ? more : o / 2;
        halves += more < o / 2 && (even - e) % 2 && o + e > x[c].members;
    }
    least_odd = (odd * share.denominator + share.numerator - 1) / share.numerator;
    least_even = (even * share.denominator + share.numerator - 1) / share.numerator;
    if (odds < least_odd) return false;
    uint64_t spare = (odds - least_odd) / 2, full = spare < pairs ? spare : pairs, rest = spare - full;
    return evens + 2 * full + (rest < halves ? rest : halves) >= least_even;
}

bool ksda_i_share_parity_allows(ksda_share share, uint32_t communities, const ksda_i_parity_range *x) {
    uint64_t most = 0;
    for (uint32_t c = 0; c < communities; c++) most = x[c].most > most ? x[c].most : most;
    if ((most + 1) * (most + 1) > PARITY_STEPS / (communities + 1)) return true; /* not looked at */
    for (uint64_t odd = 0; odd <= most; odd++)
        for (uint64_t even = 0; even <= most; even++)
            if (parity_numbers_fit(share, communities, x, odd, even)) return true;
    return false;
}

/* Where no numbers of vertices of odd and of even degree are within the share. */
static bool no_numbers_fit(const ksda_i_plan_run *r) {
    const ksda_communities *c = r->communities;
    ksda_i_parity_range *x = ksda_i_calloc(r->ctx, c->counted, sizeof *x);
    for (uint32_t i = 0; x && i < c->counted; i++)
        for (uint32_t j = c->start[i]; j < c->start[i + 1]; j++) {
            uint32_t degree = ksda_i_degree(r->graph, c->member[j]);
            x[i].members++, x[i].most += degree ? degree : 1, x[i].odd ^= degree & 1;
        }
    bool allowed = !x || ksda_i_share_parity_allows(r->options->max_share, c->counted, x);
    ksda_i_free(r->ctx, x);
    return !allowed;
}

bool ksda_i_share_parity_forbids(const ksda_i_plan_run *r) {
    return odd_and_even_differ(r) || no_numbers_fit(r);
}

ksda_status ksda_i_share_give_up(const ksda_i_plan_run *r) {
    ksda_share most = r->options->max_share;
    uint32_t odd = community_of_parity(r, 1), even = community_of_parity(r, 0), counted = r->communities->counted;
    char a[128], b[128];
    if (!odd_and_even_differ(r) && no_numbers_fit(r))
        return ksda_i_error(r->ctx, KSDA_NOT_FOUND,
                            "level-plan has no release in which every community has at most %u/%u of each degree: how "
                            "many of a community have odd degrees is an odd or an even number, whatever is added "
                            "inside it, and no such numbers of published vertices, between its members and their ends "
                            "of edges, keep to the share, so some edge between communities would have to be there "
                            "twice, which level-plan does not do",
                            most.numerator, most.denominator);
    if (!odd_and_even_differ(r))
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

/* The linear program by cases, and with --bound in whole numbers, as long as was asked for. */
static ksda_status raise_bound(ksda_i_plan_run *r) {
    const ksda_i_ranks *l = &r->rounds.lists;
    uint32_t *of = ksda_i_malloc(r->ctx, r->graph->n, sizeof *of);
    ksda_i_share_levels levels = {0};
    double bound = r->proof.unsplit, cases = 0;
    ksda_status status = of ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t i = 0; i < r->graph->n && of; i++) of[i] = r->communities->of[l->vertex[i]];
    if (status >= 0)
        status = ksda_i_share_levels_make(r->ctx, r->graph->n, l->degree, of, l->slack, r->communities, &levels);
    if (status >= 0 && ksda_i_plan_splits(r) == 0) {
        uint64_t around = ksda_i_work_begin(r->ctx, KSDA_I_SHARE_CASES_WORK);
        status = ksda_i_share_bound_cases(r->ctx, &levels, l, r->options->max_share, r->cost - 1, &cases);
        ksda_i_work_finish(r->ctx, around);
        bound = fmax(bound, ceil(cases - 1e-9));
    }
    if (status >= 0 && r->options->bound_seconds > 0 && bound < r->cost)
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
    if ((r->options->bound_seconds > 0 || ksda_i_plan_splits(r) == 0) && r->proof.needed == 0 &&
        !ksda_i_share_is_large(r) && ksda_i_plan_proved(r) < r->cost) {
        ksda_status status = raise_bound(r);
        if (status < 0) return status;
    }
    if (isinf(r->proof.unsplit) && r->proof.needed == 0) r->proof.needed = 1;
    if (r->proof.needed) r->proof.unsplit = INFINITY;
    double least = r->options->split_weight * (r->proof.needed ? r->proof.needed : 1);
    if (least > r->proof.split) r->proof.split = least;
    return KSDA_OK;
}
