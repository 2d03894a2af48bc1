/* Plans in which members are raised out of turn.
 *
 * The beam search (beam.c) takes the members of a community in the order of their degrees. But who is raised to a level
 * that few reach decides much of the cost: a smaller one may meet others in need that the larger one is adjacent to,
 * and leaves the larger one where it is of use. So some members are *lifted*: they stand in the lists at the level that
 * they are to come to, with a need from the start, and the beam search, as narrow as it can be, plans the rest. Lifts
 * are changed at random, one or two at a time, and the next change is one of the last lifts that were taken: those are
 * whose plan costs little more than the cheapest, less and less (record-to-record travel; Dueck 1993,
 * doi:10.1006/jcph.1993.1010). States of the beam that cost more are dropped on the way, so most tries end early.
 *
 * Work is counted and chance is drawn from a number, so a run can be repeated. A try takes O(n) and a beam search of
 * width 1. */
#include "methods/levelplan/lifts.h"
#include "core/random.h"
#include "methods/levelplan/limits.h"

#define MOST_LIFTS 48u
#define DETOUR 0.03      /* plans may cost so much more than the cheapest at first, */
#define PROMISING 1.02   /* and up to so many times as much they are realized */
#define SPAN 48u         /* degrees that a level may collect */
#define MEMBER_UNITS 40u /* of work for a try, for every vertex, */
#define DRAW_UNITS 1000u /* and for drawing it */
#define RAISED_TRIES 400u
#define OTHER_TRIES 16u
#define NOBODY UINT32_MAX

typedef struct lift {
    uint32_t at;    /* the list position of who is lifted */
    uint32_t level; /* that it is to come to */
} lift;

typedef struct lift_set {
    lift lift[MOST_LIFTS];
    uint32_t count;
} lift_set;

typedef struct lift_search {
    ksda_i_rounds *r;
    ksda_i_rng rng;
    uint32_t *degree, *moved, *lifted, *slack; /* [n] of the lists with lifts, see plan_with() */
    uint32_t *target;                          /* [n] by list position, in the plan that is changed, */
    uint32_t *level;                           /* [levels] and its levels, descending */
    uint32_t levels;
    double record;   /* what the cheapest plan that could be realized is estimated at */
    uint64_t gained; /* the work that was done when something cheaper was found last */
} lift_search;

static uint32_t draw_below(lift_search *s, uint32_t bound) {
    return (uint32_t)ksda_i_rng_below(&s->rng, bound);
}

/* Below bound, each number less likely than the one before. */
static uint32_t draw_small(lift_search *s, uint32_t bound) {
    uint32_t x = 0;
    while (x + 1 < bound && draw_below(s, 3)) x++;
    return x;
}

/* --- plans -------------------------------------------------------------------------------------------------------- */

/* Plan with these lifts; *found is false where that costs as much as `below`. */
static ksda_status plan_with(lift_search *s, const lift_set *set, double below, ksda_i_plan *plan, bool *found) {
    ksda_i_rounds *r = s->r;
    const ksda_i_ranks *l = &r->lists;
    ksda_i_ranks lists;
    memcpy(s->degree, l->degree, l->n * sizeof *s->degree);
    for (uint32_t i = 0; i < set->count; i++) s->degree[set->lift[i].at] = set->lift[i].level;
    ksda_i_work(r->ctx, MEMBER_UNITS * (uint64_t)l->n);
    ksda_status status = ksda_i_ranks_lift(r->ctx, l, s->degree, s->moved, &lists);
    if (status < 0) return status;
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t was = s->moved[i];
        s->lifted[i] = s->degree[was] - l->degree[was];
        s->slack[i] = r->slack[was] > s->lifted[i] ? r->slack[was] - s->lifted[i] : 0;
    }
    const ksda_i_plan_options o = {.k = r->options->k,
                                   .split_weight = r->options->split_weight,
                                   .width = 1,
                                   .span = SPAN,
                                   .variants = 1,
                                   .pairing = 1,
                                   .strict = r->strict,
                                   .slack = s->slack,
                                   .lifted = s->lifted,
                                   .below = below};
    status = ksda_i_plan_make(r->ctx, &lists, &o, plan, found);
    ksda_i_ranks_clear(r->ctx, &lists);
    return status;
}

/* From here on this plan is the one that is changed. */
static void note_plan(lift_search *s, const ksda_i_plan *plan) {
    const ksda_i_ranks *l = &s->r->lists;
    for (uint32_t i = 0; i < l->n; i++) s->target[i] = plan->target[l->vertex[i]];
    s->levels = plan->levels < l->levels ? plan->levels : l->levels;
    memcpy(s->level, plan->level, s->levels * sizeof *s->level);
}

/* Look for the edges of a plan that may lead to something cheaper. */
static ksda_status realize_plan(lift_search *s, const ksda_i_plan *plan) {
    ksda_i_rounds *r = s->r;
    bool known = r->found, complete;
    double before = r->cost;
    if (plan->estimate > PROMISING * s->record) return KSDA_OK;
    ksda_status status = ksda_i_rounds_attempt(r, plan, r->options->split_weight, &complete);
    if (status < 0 || !complete) return status;
    if (!known || r->cost < before || plan->estimate < s->record) s->gained = ksda_i_work_done(r->ctx);
    if (plan->estimate < s->record) s->record = plan->estimate;
    return status;
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

/* Lift who stands there to that level, or further or less far than before; false where that cannot be. */
static bool put_lift(lift_search *s, lift_set *set, uint32_t at, uint32_t level) {
    uint32_t i = 0, degree = s->r->lists.degree[at];
    if (level <= degree || level - degree > s->r->slack[at]) return false;
    while (i < set->count && set->lift[i].at != at) i++;
    if (i == MOST_LIFTS) return false;
    if (i == set->count) set->count++;
    set->lift[i] = (lift){at, level};
    return true;
}

static void drop_lift(lift_set *set, uint32_t i) {
    set->lift[i] = set->lift[--set->count];
}

/* One of the larger members of c. */
static uint32_t draw_member(lift_search *s, uint32_t c) {
    const uint32_t *start = s->r->lists.start;
    return start[c] + draw_small(s, start[c + 1] - start[c]);
}

/* The list position of a member that the plan raises, rather of one that it raises far; NOBODY: none was met. */
static uint32_t draw_raised(lift_search *s) {
    const ksda_i_ranks *l = &s->r->lists;
    uint32_t best = NOBODY, most = 0;
    for (uint32_t i = 0; i < RAISED_TRIES; i++) {
        uint32_t at = draw_member(s, draw_below(s, l->communities)), to = s->target[at];
        if (to == KSDA_I_SPLIT || to <= l->degree[at]) continue;
        if (to - l->degree[at] > most) most = to - l->degree[at], best = at;
        if (draw_below(s, 3) == 0) break;
    }
    return best;
}

/* Somebody is lifted to another level, one of those near. */
static bool change_level(lift_search *s, lift_set *set) {
    const lift *x = &set->lift[draw_below(s, set->count)];
    uint32_t i = 0, by = 1 + draw_small(s, 4);
    while (i < s->levels && s->level[i] > x->level) i++;
    uint32_t to = draw_below(s, 2) ? (i > by ? i - by : 0) : i + by;
    return to < s->levels && put_lift(s, set, x->at, s->level[to]);
}

/* Another one of its community is lifted to where somebody is raised. */
static bool change_member(lift_search *s, lift_set *set, uint32_t raised) {
    uint32_t c = s->r->communities->of[s->r->lists.vertex[raised]];
    for (uint32_t i = 0; i < set->count; i++)
        if (set->lift[i].at == raised) drop_lift(set, i);
    for (uint32_t i = 0; i < OTHER_TRIES; i++) {
        uint32_t other = draw_member(s, c);
        if (other != raised && put_lift(s, set, other, s->target[raised])) return true;
    }
    return false;
}

/* Another community is lifted to where somebody is raised. */
static bool change_community(lift_search *s, lift_set *set, uint32_t raised) {
    uint32_t c = s->r->communities->of[s->r->lists.vertex[raised]];
    for (uint32_t i = 0; i < OTHER_TRIES; i++) {
        uint32_t d = draw_below(s, s->r->lists.communities), other = draw_member(s, d);
        if (d != c && put_lift(s, set, other, s->target[raised])) return true;
    }
    return false;
}

/* One change at random; false where that led to none. */
static bool change_lifts(lift_search *s, lift_set *set) {
    uint32_t kind = draw_below(s, 8), raised;
    if (set->count && kind < 2) {
        drop_lift(set, draw_below(s, set->count));
        return true;
    }
    if (set->count && kind == 2) return change_level(s, set);
    if ((raised = draw_raised(s)) == NOBODY) return false;
    return kind < 6 ? change_member(s, set, raised) : change_community(s, set, raised);
}

/* --- the search --------------------------------------------------------------------------------------------------- */

/* Has nothing cheaper been found for long? */
static bool is_stale(const lift_search *s, uint64_t begun, uint64_t done) {
    return done - s->gained > (s->r->ctx->work_end - begun) / 100 * KSDA_I_LIFTS_IDLE;
}

static ksda_status travel_at_random(lift_search *s) {
    ksda_i_rounds *r = s->r;
    ksda_status status;
    lift_set here = {.count = 0}, next;
    ksda_i_plan plan = {0};
    uint64_t begun = s->gained = ksda_i_work_done(r->ctx), end = r->ctx->work_end, done;
    bool found;
    KSDA_I_TRY(plan_with(s, &here, 0, &plan, &found));
    if (!found) goto done;
    s->record = plan.estimate;
    note_plan(s, &plan);
    while ((done = ksda_i_work_done(r->ctx)) < end && !is_stale(s, begun, done)) {
        if (ksda_i_time_left(r->ctx) <= 0) {
            r->limited = true;
            break;
        }
        KSDA_I_TRY(ksda_i_progress_stage(r->ctx, done - begun, end - begun));
        next = here;
        ksda_i_work(r->ctx, DRAW_UNITS);
        if (!change_lifts(s, &next) || (draw_below(s, 3) == 0 && !change_lifts(s, &next))) continue;
        double bar = s->record * (1 + DETOUR * (double)(end - done) / (double)(end - begun));
        ksda_i_plan_clear(r->ctx, &plan);
        KSDA_I_TRY(plan_with(s, &next, bar, &plan, &found));
        if (!found) continue;
        here = next;
        note_plan(s, &plan);
        KSDA_I_TRY(realize_plan(s, &plan));
    }
done:
    ksda_i_plan_clear(r->ctx, &plan);
    return status;
}

ksda_status ksda_i_lifts_search(ksda_i_rounds *r, uint64_t number) {
    uint32_t n = r->graph->n;
    ksda_status status = KSDA_NOMEM;
    lift_search s = {.r = r, .rng = ksda_i_rng_stream(ksda_ctx_seed(r->ctx), 0x6c696674, number)};
    s.degree = ksda_i_malloc(r->ctx, n, sizeof *s.degree);
    s.moved = ksda_i_malloc(r->ctx, n, sizeof *s.moved);
    s.lifted = ksda_i_malloc(r->ctx, n, sizeof *s.lifted);
    s.slack = ksda_i_malloc(r->ctx, n, sizeof *s.slack);
    s.target = ksda_i_malloc(r->ctx, n, sizeof *s.target);
    s.level = ksda_i_malloc(r->ctx, r->lists.levels, sizeof *s.level);
    if (s.degree && s.moved && s.lifted && s.slack && s.target && s.level) status = travel_at_random(&s);
    ksda_i_free(r->ctx, s.degree);
    ksda_i_free(r->ctx, s.moved);
    ksda_i_free(r->ctx, s.lifted);
    ksda_i_free(r->ctx, s.slack);
    ksda_i_free(r->ctx, s.target);
    ksda_i_free(r->ctx, s.level);
    return status;
}
