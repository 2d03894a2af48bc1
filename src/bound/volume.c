/* Raise a concave function whose supergradients are answers that jump, such as a Lagrangian bound.
 *
 * The volume algorithm of Barahona and Anbil (doi:10.1007/s101070050002) steps from the best point along an average of
 * the gradients so far, which tends to a solution of the relaxed problem, rather than along the last gradient. The
 * length of a step would reach a target a little above the best value if the function were linear, times a factor: it
 * grows while steps succeed in the direction of the average and shrinks after some failures in a row, four at first,
 * where the paper has twenty: on the bounds here that converges four times as fast. The paper's limit of 2 is not kept:
 * where gradients of many variables cancel out, their average is long in directions that matter little, and thousands
 * of steps succeeded that could have been a hundred times as long. When the factor is tiny a further round begins with
 * twice the patience, as long as rounds gain anything. Where only whole numbers count it ends when the next one is out
 * of reach of the steps that are left. One evaluation and O(size) a step. */
#include "bound/volume.h"

#include <math.h>

#define BLEND 0.05 /* so much of a new gradient goes into the mean at first, at most */
#define LEAST_BLEND 0.005
#define LEAST_PART 0.2 /* of the blend, where less would make the mean shorter */
#define LONGEST 1e3    /* the factor at most */
#define SHORT 1e-3     /* steps of this factor do not matter any more */
#define AGAIN 0.1      /* the factor to begin a further round with */
#define GAIN 0.0005    /* what a round must gain for a further one, and CHECK steps for the blend to stay */
#define SLACK 0.02     /* the same, absolutely */
#define CHECK 50u      /* steps from one check to the next */

typedef struct course {
    const ksda_i_volume *problem;
    double *x, *tried; /* the best point and the last one */
    double *mean, *gradient;
    double best, target; /* the best value; what the steps aim at */
    double factor, blend;
    double checked, begun;       /* the best value at the last check, and when this round began */
    double pace;                 /* what is gained from one check to the next, of late */
    uint32_t failures, patience; /* steps in a row that were not better, and how many of them make the factor smaller */
    uint32_t rounds;
} course;

/* The next point to try: from the best one along the mean. False when the mean is nothing. */
static bool move_along_mean(course *c) {
    uint64_t size = c->problem->size;
    double norm = 0;
    for (uint64_t i = 0; i < size; i++)
        if (c->x[i] > 0 || c->mean[i] > 0) norm += c->mean[i] * c->mean[i];
    if (norm < 1e-12) return false;
    double length = c->factor * (c->target - c->best) / norm;
    for (uint64_t i = 0; i < size; i++) {
        double x = c->x[i] + length * c->mean[i];
        c->tried[i] = x > 0 ? x : 0;
    }
    if (c->problem->project) c->problem->project(c->problem->data, c->tried);
    return true;
}

/* As much of the new gradient as makes the mean shortest, but not more than the blend, nor far less. */
static double best_blend(const course *c) {
    double up = 0, down = 0;
    for (uint64_t i = 0; i < c->problem->size; i++) {
        if (!(c->x[i] > 0 || c->mean[i] > 0 || c->gradient[i] > 0)) continue; /* at its limit, and stays there */
        double apart = c->mean[i] - c->gradient[i];
        up += c->mean[i] * apart, down += apart * apart;
    }
    return down > 0 ? fmin(c->blend, fmax(LEAST_PART * c->blend, up / down)) : c->blend;
}

/* Take the new gradient into the mean, and say whether it points where the mean does. */
static bool blend_gradient(course *c) {
    double along = 0, blend = best_blend(c);
    for (uint64_t i = 0; i < c->problem->size; i++) {
        along += c->mean[i] * c->gradient[i];
        c->mean[i] += blend * (c->gradient[i] - c->mean[i]);
    }
    return along > 0;
}

/* A better value: longer steps where the direction holds, and a target out of reach. Otherwise shorter steps. */
static void adapt_step(course *c, double now, bool same_way) {
    if (now <= c->best) {
        if (++c->failures >= c->patience) c->factor *= 0.66, c->failures = 0;
        return;
    }
    double *swap = c->x;
    c->x = c->tried, c->tried = swap;
    c->best = now, c->failures = 0;
    if (same_way) c->factor = fmin(LONGEST, 1.2 * c->factor);
    if (c->best <= 0.95 * c->target) return;
    c->target = 1.05 * c->best + 1;
    if (c->best < c->problem->ceiling)
        c->target = fmin(c->target, c->problem->ceiling); /* what was expected may be wrong */
}

/* Once steps are too short to matter: begin again with longer ones, if the last round was worth it. */
static bool begin_round_again(course *c) {
    const ksda_i_volume *p = c->problem;
    if (c->factor > SHORT) return true;
    if (++c->rounds == p->rounds) return false;
    if (p->between) {
        p->between(p->data, c->x);
        c->best = p->value(p->data, c->x, c->gradient);
    }
    if (c->best < (1 + GAIN) * c->begun + SLACK) return false;
    c->factor = AGAIN, c->blend = BLEND / 2, c->patience *= 2, c->begun = c->best;
    return true;
}

/* A further round may begin with steps that are too long, so that the pace is forgotten by halves only. Gains become
 * smaller with time: at the pace of late more would be gained than will be. */
static void check_pace(course *c) {
    double gained = c->best - c->checked;
    if (gained < GAIN * c->checked) c->blend = fmax(LEAST_BLEND, c->blend / 2);
    c->pace = fmax(gained, c->pace / 2), c->checked = c->best;
}

static bool is_out_of_reach(const ksda_ctx *ctx, const course *c, uint64_t begun, uint64_t steps) {
    const ksda_i_volume *p = c->problem;
    if (!p->whole || steps < 2 * CHECK) return false;
    double left = (double)(p->steps - steps), done = (double)(ksda_i_work_done(ctx) - begun);
    if (done > 0) left = fmin(left, steps * (ksda_i_work_left(ctx) / done));
    return c->best + c->pace * left / CHECK <= ceil(c->best);
}

static ksda_status raise_value(ksda_ctx *ctx, course *c) {
    ksda_status status = KSDA_OK;
    const ksda_i_volume *p = c->problem;
    uint64_t begun = ksda_i_work_done(ctx);
    c->best = c->checked = c->begun = p->value(p->data, c->x, c->mean);
    c->target = c->best + 0.3 * (p->ceiling - c->best);
    for (uint64_t i = 1; i < p->steps && c->best < p->enough && begin_round_again(c); i++) {
        KSDA_I_TRY(ksda_i_progress(ctx, p->stage, i, p->steps));
        if (ksda_i_time_left(ctx) <= 0 || ksda_i_work_over(ctx) || !move_along_mean(c)) break;
        double now = p->value(p->data, c->tried, c->gradient);
        adapt_step(c, now, blend_gradient(c));
        if (i % CHECK) continue;
        check_pace(c);
        if (is_out_of_reach(ctx, c, begun, i)) break;
    }
done:
    return status;
}

ksda_status ksda_i_volume_raise(ksda_ctx *ctx, const ksda_i_volume *problem, double *x, double *out) {
    ksda_status status = KSDA_NOMEM;
    course c = {.problem = problem, .x = x, .factor = 0.1, .blend = BLEND, .patience = 4};
    double *other = ksda_i_malloc(ctx, problem->size, sizeof *other);
    c.mean = ksda_i_malloc(ctx, problem->size, sizeof *c.mean);
    c.gradient = ksda_i_malloc(ctx, problem->size, sizeof *c.gradient);
    c.tried = other;
    if (!other || !c.mean || !c.gradient) goto done;
    KSDA_I_TRY(raise_value(ctx, &c));
    if (c.x != x) memcpy(x, c.x, problem->size * sizeof *x);
    *out = c.best;
done:
    ksda_i_free(ctx, other);
    ksda_i_free(ctx, c.mean);
    ksda_i_free(ctx, c.gradient);
    return status;
}
