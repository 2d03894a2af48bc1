/* The attacker who knows a degree give or take t: everybody within t is a candidate.
 *
 * The vertices stand by degree, so the candidates of degree d are a window of that order, which slides as d grows.
 * O(n), and for every degree that occurs the communities in its window. */
#include "attack/attack.h"

typedef struct window {
    uint32_t from, to;
} window;

static uint32_t below(uint32_t degree, uint32_t by) {
    return degree > by ? degree - by : 0;
}

static window window_of(const ksda_i_sorted *sorted, uint32_t degrees, uint32_t degree, uint32_t tolerance) {
    uint32_t most = degrees - 1, last = tolerance > most - degree ? most : degree + tolerance;
    return (window){sorted->start[below(degree, tolerance)], sorted->start[last + 1]};
}

static ksda_status slide(ksda_i_attacking *a, const ksda_i_search *search, uint32_t degrees,
                         const ksda_i_sorted *victims, const ksda_i_sorted *candidates, ksda_i_tallying *t,
                         ksda_finding *found) {
    const ksda_i_attacked *there = search->candidates;
    window now = {0, 0};
    ksda_i_candidates c;
    for (uint32_t d = 0; d < degrees; d++) {
        ksda_status status = ksda_i_look(a->ctx, d);
        if (status < 0) return status;
        if (victims->start[d] == victims->start[d + 1]) continue;
        window next = window_of(candidates, degrees, d, a->options->tolerance);
        ksda_i_tally_add(t, there, candidates, now.to, next.to);
        ksda_i_tally_drop(t, there, candidates, now.from, next.from);
        uint32_t size = next.to - next.from, last = size ? there->communities->member[candidates->order[next.from]] : 0;
        status = ksda_i_tallied(t, size, last, a->options->k, &c);
        if (status < 0) return status;
        ksda_i_judge_all(a, search, &c, t, victims, victims->start[d], victims->start[d + 1], found);
        now = next;
    }
    return KSDA_OK;
}

ksda_status ksda_i_candidates_degree_about(ksda_i_attacking *a, const ksda_i_search *search, ksda_finding *found) {
    ksda_status status = KSDA_OK;
    const ksda_i_attacked *here = search->victims, *there = search->candidates;
    ksda_i_sorted victims = {.start = NULL}, candidates = {.start = NULL};
    ksda_i_tallying t = {.communities = NULL};
    uint32_t *degree = ksda_i_malloc(a->ctx, a->pool, sizeof *degree);
    KSDA_I_TRY(degree ? KSDA_OK : KSDA_NOMEM);
    uint32_t degrees = ksda_i_degree_labels(a, degree);
    KSDA_I_TRY(ksda_i_tallying_new(a->ctx, there->communities, &t));
    KSDA_I_TRY(ksda_i_sorted_new(a->ctx, here, degree + here->first, degrees, &victims));
    KSDA_I_TRY(ksda_i_sorted_new(a->ctx, there, degree + there->first, degrees, &candidates));
    KSDA_I_TRY(slide(a, search, degrees, &victims, &candidates, &t, found));
done:
    ksda_i_sorted_clear(a->ctx, &victims);
    ksda_i_sorted_clear(a->ctx, &candidates);
    ksda_i_tallying_clear(a->ctx, &t);
    ksda_i_free(a->ctx, degree);
    return status;
}
