/* One plan of one way of splitting: made, realized, and what is learned where it could not be.
 *
 * A plan knows only how many of each community stand at each level; that two are adjacent already, and have nobody else
 * to share an edge with, is seen when it is realized. */
#include "methods/levelplan/limits.h"
#include "methods/levelplan/share_search.h"

#include <math.h>

#define KINDS 5u            /* of plans: see make_plan() */
#define SCARCITY 0.02       /* edges, for everybody whose need was not met */
#define QUICK_PART 8u       /* of the steps, for such a plan */
#define MEND_PART 8u        /* likewise, for one that begins with a plan that could not be realized */
#define MEET_LESS 0.8       /* pairs that can still meet, for everybody whose need was not met in a wary plan */
#define MOST_SCARCE 1e6     /* edges: above it prices say nothing any more */
#define LEAST_STEPS 10000u  /* of the search for a plan */
#define MOST_STEPS 2000000u /* likewise */
#define STEPS_EACH 300u     /* for each level and community */
#define UNMET_UNITS 1000u   /* of work, for each need that is not met, and each edge of its community */
#define PIVOT_PART 32u      /* what a pivot is counted for, beside what it takes */

/* --- realizing ---------------------------------------------------------------------------------------------------- */

/* Who could not be raised as far as planned is not asked for so much again, and where somebody could not, needs had
 * better meet each other. */
static void learn_from_realization(ksda_i_share_search *s, const ksda_i_pieces *p, const uint32_t *wanted,
                                   const ksda_i_realization *made) {
    for (uint32_t x = 0; x < p->count; x++) {
        uint32_t v = p->owner[x], asked = wanted[x] - p->degree[x],
                 reached = asked > made->short_of[x] ? asked - made->short_of[x] : 0;
        if (made->short_of[x] && reached < s->slack[v]) s->slack[v] = reached;
        uint32_t c = s->r->communities->of[v];
        double *scarce = &s->scarce[c];
        if (made->short_of[x] && s->wary && made->unmet <= KSDA_I_SHARE_FAR) s->meet[c] *= MEET_LESS;
        if (made->short_of[x])
            *scarce = fmin((made->unmet <= KSDA_I_SHARE_FEW ? 4 * *scarce : *scarce) + SCARCITY, MOST_SCARCE);
    }
}

/* For what was not met, ways round were looked for among all new edges of the community. */
static uint64_t work_for_unmet(const ksda_i_share_search *s, const ksda_i_pieces *p, const ksda_i_realization *made) {
    uint64_t work = 0;
    for (uint32_t x = 0; x < p->count; x++)
        work += made->short_of[x] * made->edges_of[s->r->communities->of[p->owner[x]]];
    return UNMET_UNITS * work;
}

/* What its members rise by in this plan, to begin the next one with. */
static ksda_status keep_plan(ksda_i_share_search *s, const ksda_i_share_plan *plan) {
    uint64_t cells = (uint64_t)plan->levels->levels * plan->levels->communities;
    ksda_i_free(s->r->ctx, s->lately);
    s->lately = ksda_i_malloc(s->r->ctx, cells, sizeof *s->lately);
    if (!s->lately) return KSDA_NOMEM;
    for (uint64_t i = 0; i < cells; i++) s->lately[i] = plan->rise[i];
    return KSDA_OK;
}

/* Offer the release of a plan, if its edges are found. */
static ksda_status realize_plan(ksda_i_share_search *s, const ksda_i_share_plan *plan, ksda_i_pieces *p,
                                bool *complete) {
    ksda_i_plan_run *r = s->r;
    ksda_status status = KSDA_NOMEM;
    ksda_i_plan levels = {.share = r->options->max_share};
    ksda_i_realization made = {0};
    ksda_edits *edits = NULL;
    uint32_t *wanted = ksda_i_malloc(r->ctx, p->count, sizeof *wanted);
    levels.level = ksda_i_malloc(r->ctx, plan->levels->levels, sizeof *levels.level);
    *complete = false;
    if (!wanted || !levels.level) goto done;
    for (uint32_t i = plan->levels->levels; i-- > 0;)
        if (plan->people[i]) levels.level[levels.levels++] = plan->levels->degree[i];
    KSDA_I_TRY(ksda_i_share_targets(plan, s->slack, p));
    memcpy(wanted, p->target, p->count * sizeof *wanted);
    ksda_i_work(r->ctx, KSDA_I_REALIZE_UNITS * (r->graph->n + r->graph->m));
    KSDA_I_TRY(ksda_i_realize(r->ctx, r->graph, r->communities, &levels, p, r->options->k, r->options->favour, &made));
    ksda_i_work(r->ctx, work_for_unmet(s, p, &made));
    *complete = made.unmet == 0;
    if (*complete) {
        KSDA_I_TRY(ksda_i_plan_join(r->ctx, p, &made, &edits));
        double before = r->cost;
        status = ksda_i_plan_offer(r, edits);
        if (r->cost < before) s->best_cap = s->cap, s->best_extra = s->extra, s->best_key = s->key;
    } else {
        learn_from_realization(s, p, wanted, &made);
        s->last_unmet = made.unmet;
        status = keep_plan(s, plan);
        if (made.unmet < s->unmet) s->unmet = made.unmet;
    }
done:
    ksda_i_free(r->ctx, wanted);
    ksda_i_free(r->ctx, levels.level);
    ksda_i_realization_clear(r->ctx, &made);
    return status;
}

/* --- one plan ----------------------------------------------------------------------------------------------------- */

static ksda_status read_levels(const ksda_i_share_search *s, const ksda_i_pieces *p, ksda_i_share_levels *out) {
    ksda_ctx *ctx = s->r->ctx;
    uint32_t *of = ksda_i_malloc(ctx, p->count, sizeof *of), *slack = ksda_i_malloc(ctx, p->count, sizeof *slack);
    ksda_status status = of && slack ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t x = 0; x < p->count && status >= 0; x++)
        of[x] = s->r->communities->of[p->owner[x]], slack[x] = s->slack[p->owner[x]];
    if (status >= 0) status = ksda_i_share_levels_make(ctx, p->count, p->degree, of, slack, s->r->communities, out);
    ksda_i_free(ctx, of);
    ksda_i_free(ctx, slack);
    return status;
}

/* The first time: what the linear program says of this way of splitting. A pivot is counted for more than it takes in a
 * program as sparse as this one: only a part of that comes off the work for plans. */
static ksda_status ask_program(ksda_i_share_search *s, const ksda_i_share_levels *levels, bool split) {
    ksda_i_plan_run *r = s->r;
    double bound;
    bool solved;
    if (s->asked || ksda_i_share_is_large(r)) return KSDA_OK; /* the plan would take less than the program */
    if (split && s->long_program) return KSDA_OK;             /* and so here */
    s->asked = true;
    ksda_i_free(r->ctx, s->rise);
    s->rise = ksda_i_malloc(r->ctx, (uint64_t)levels->levels * levels->communities, sizeof *s->rise);
    if (!s->rise) return KSDA_NOMEM;
    uint64_t before = ksda_i_work_done(r->ctx), around = ksda_i_work_begin(r->ctx, KSDA_I_SHARE_ASK_WORK);
    ksda_status status = ksda_i_share_bound(r->ctx, levels, split ? NULL : &r->rounds.lists, r->options->max_share,
                                            &bound, s->rise, &solved);
    s->long_program |= split && ksda_i_work_over(r->ctx);
    ksda_i_work_finish(r->ctx, around);
    if (status < 0) return status;
    if (r->ctx->work_end != UINT64_MAX)
        r->ctx->work_end += (ksda_i_work_done(r->ctx) - before) / PIVOT_PART * (PIVOT_PART - 1);
    if (!split && ceil(bound - 1e-9) > r->proof.unsplit) r->proof.unsplit = ceil(bound - 1e-9);
    s->hopeless = isinf(bound);
    if (!solved) ksda_i_free(r->ctx, s->rise), s->rise = NULL;
    return KSDA_OK;
}

static uint64_t steps_for(const ksda_i_share_levels *l, uint32_t part) {
    uint64_t steps = STEPS_EACH * (uint64_t)l->levels * l->communities / part;
    return steps < LEAST_STEPS ? LEAST_STEPS : steps > MOST_STEPS ? MOST_STEPS : steps;
}

/* The first plan is that of a beam search as it is; where it could not be realized, the next one too, which knows that.
 * The others are changed until they are cheap. Of these one begins warm, near the linear program's solution; but where
 * people are split it has to go further. In one, and where a plan is left lacking others, single pieces change level,
 * never several together: such plans are dearer, but easier to find and to realize. */
static ksda_status make_plan(ksda_i_share_search *s, uint32_t number, ksda_i_share_plan *plan) {
    uint32_t kind = number % KINDS;
    s->beamed = false;
    if (s->mending) {
        plan->chain = KSDA_I_SHARE_CHAIN;
        ksda_i_share_plan_round(plan, s->lately);
        return ksda_i_share_plan_search(plan, number, true, steps_for(plan->levels, MEND_PART));
    }
    if (s->beams && !s->quick && !ksda_i_share_is_large(s->r)) {
        uint64_t most = ksda_i_plan_work(s->r, KSDA_I_SHARE_BEAM_WORK), begun = ksda_i_work_done(s->r->ctx),
                 around = ksda_i_work_begin(s->r->ctx, most);
        ksda_status status = ksda_i_share_beam(plan, &s->beamed);
        s->long_beam |= ksda_i_work_over(s->r->ctx) || (!s->beamed && ksda_i_work_done(s->r->ctx) - begun > most / 2);
        ksda_i_work_finish(s->r->ctx, around);
        s->beams = s->beamed ? s->beams - 1 : 0;
        if (status < 0 || s->beamed) return status;
    }
    ksda_status status = KSDA_OK;
    for (plan->chain = kind == 3 || ksda_i_share_is_large(s->r) ? 1 : KSDA_I_SHARE_CHAIN; status >= 0;
         plan->chain = 1) {
        if (s->rise && kind != KINDS - 1) ksda_i_share_plan_round(plan, s->rise);
        status = ksda_i_share_plan_search(plan, number, !s->split && kind == 1,
                                          steps_for(plan->levels, s->quick ? QUICK_PART : 1));
        if (plan->lacking == 0 || plan->chain == 1) break;
    }
    return status;
}

ksda_status ksda_i_share_attempt(ksda_i_share_search *s, uint32_t number, bool *complete) {
    ksda_i_plan_run *r = s->r;
    ksda_status status;
    ksda_i_pieces p = {0};
    ksda_i_share_levels levels = {0};
    ksda_i_share_plan plan = {.ctx = r->ctx};
    bool found;
    *complete = false;
    KSDA_I_TRY(ksda_i_progress(r->ctx, "planning", number, KSDA_I_SHARE_TRIES));
    KSDA_I_TRY(ksda_i_share_cut(s, &p, &found));
    if (!found) goto done;
    KSDA_I_TRY(read_levels(s, &p, &levels));
    s->split = p.count > p.n;
    KSDA_I_TRY(ask_program(s, &levels, s->split));
    if (s->hopeless || s->only_ask) goto done;
    KSDA_I_TRY(ksda_i_share_plan_open(r->ctx, &levels, r->options->max_share, r->options->k, s->meet, &plan));
    plan.scarce = s->scarce;
    KSDA_I_TRY(make_plan(s, number, &plan));
    s->held |= plan.lacking == 0, s->last_unmet = UINT64_MAX;
    if (plan.lacking == 0) KSDA_I_TRY(realize_plan(s, &plan, &p, complete));
done:
    ksda_i_share_plan_close(&plan);
    ksda_i_share_levels_clear(r->ctx, &levels);
    ksda_i_pieces_clear(r->ctx, &p);
    return status;
}
