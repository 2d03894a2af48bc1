/* Releases within a share bound: plan, realize, learn from what could not be realized, plan again.
 *
 * Where edges alone cannot do it, people are split in two ways. A vertex may leave further pieces at degree 2, each
 * with one of its edges and a link, and keep its own degree: that gives a community more published vertices, which the
 * largest one's share is counted against. And the largest vertices may be cut into pieces of a lower degree, the cap,
 * where nobody else can follow them. Caps come down until a plan holds; with a cap of 1 everybody is in pieces of one
 * edge, which needs no plan. A linear program, where there is a solver, says at once which of these are hopeless.
 *
 * A first release comes of a quick plan for a few of these ways. Only then is each of them searched that splits less,
 * nobody split first, for as much work as the size of the network allows. */
#include "core/heap.h"
#include "methods/levelplan/limits.h"
#include "methods/levelplan/share_plan.h"
#include "methods/levelplan/stages.h"

#include <math.h>
#include <stdlib.h>

#define TINY 8000u      /* vertices and edges: plans take no time */
#define PATIENCE 6u     /* times as many plans there, where one holds and none is realized; half with splits */
#define TRIES 6u        /* plans of one way of splitting; more of a small network, one of a large one */
#define KINDS 5u        /* of plans: see make_plan() */
#define FURTHER 2u      /* plans of a way once another one has led to a release */
#define SCARCITY 0.02   /* edges, for everybody whose need was not met */
#define FAR 24u         /* needs that are not met: too many for further plans of the same way, with a release */
#define FEW 8u          /* needs that are not met: such a plan comes again unless its price rises fast */
#define HALVINGS 3u     /* numbers of pieces between one that was too few and one that will do */
#define LEAST_LAST 4u   /* plans of the best way without a cheaper release before the search of a tiny network ends, */
#define LAST_SIZE 4u    /* one more for so many vertices and edges, */
#define MOST_LAST 120u  /* up to so many, */
#define LAST_PART 5u    /* with this part of all work at most */
#define FRESH 3u        /* so many plans learn from each other before it is forgotten */
#define MOST_EXTRA 729u /* further pieces that are asked for, by factors of 3, before hubs are cut */
#define CAP_FACTOR 1.4  /* from one cap to the next */
#define CAP_HALVINGS 5u /* caps between one that will do and one that was too high */
#define QUICK_CAPS 2u   /* likewise, for the first release */
#define QUICK_PLANS 2u  /* of a way, for the first release */
#define QUICK_PART 8u   /* of the steps, for such a plan */
#define LEAST_STEPS 10000u  /* of the search for a plan */
#define MOST_STEPS 2000000u /* likewise */
#define STEPS_EACH 300u     /* for each level and community */
#define UNMET_UNITS 250u    /* of work, for each need that is not met, and each edge */
#define PIVOT_PART 4u       /* what a pivot is counted for, beside what it takes */
#define MUTUAL 24u          /* largest members of a community, among whom many edges are */

/* One way of splitting, and what is known of it. */
typedef struct share_search {
    ksda_i_plan_run *r;
    uint32_t cap;        /* larger degrees are cut; UINT32_MAX: none */
    uint64_t extra;      /* pieces beside what pigeonhole asks for */
    uint32_t *spawn;     /* [n] further pieces of degree 2 that each vertex leaves */
    uint32_t *slack;     /* [n] by vertex: edges that it could gain, as far as was found */
    double *scarce;      /* [communities] what it costs that a need does not meet another one, in edges */
    double *free;        /* [communities] what part of the pairs of its largest members is not adjacent */
    double *rise;        /* of the linear program, or NULL */
    bool hopeless;       /* it has no solution */
    bool asked;          /* it was solved for this cap and these pieces */
    uint32_t beams;      /* plans that may still come of a beam search */
    bool beamed;         /* the last one has */
    bool long_beam;      /* one took more work than it may */
    bool held;           /* some plan lacked nothing */
    uint64_t unmet;      /* needs that the most complete one of its plans left, or UINT64_MAX */
    uint64_t last_unmet; /* likewise, the last one */
    bool split;          /* somebody is */
    bool quick;          /* a first release is looked for */
    bool only_ask;       /* what the linear program says is enough */
    bool long_program;   /* a linear program with splits took too long: no other is asked */
    bool probing;        /* caps are halved between what does and what does not */
    uint32_t cap_found;  /* the highest cap that has led to a release; 0 before there is one */
    uint32_t best_cap;   /* cap and further pieces of the cheapest release; 0: it came of no such way */
    uint64_t best_extra; /* likewise */
    uint64_t begun;      /* on the context's count of work */
} share_search;

/* --- how to split ------------------------------------------------------------------------------------------------- */

/* Into how many pieces a vertex of this degree is cut: linked where the cap leaves room for two links and an edge. */
static uint32_t parts_of(uint32_t degree, uint32_t cap) {
    if (degree <= cap) return 1;
    return cap > 2 ? (degree - 2 + cap - 3) / (cap - 2) : (degree + cap - 1) / cap;
}

/* The pieces of each community before it leaves any further ones. */
static void count_parts(const share_search *s, uint64_t *pieces) {
    const ksda_i_plan_run *r = s->r;
    for (uint32_t v = 0; v < r->graph->n; v++)
        pieces[r->communities->of[v]] += parts_of(ksda_i_degree(r->graph, v), s->cap);
}

/* The first member of the community that is not cut, by its place in the lists, which have larger degrees first. */
static uint32_t first_whole(const share_search *s, uint32_t c) {
    const ksda_i_ranks *l = &s->r->rounds.lists;
    uint32_t low = l->start[c], high = l->start[c + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (l->degree[middle] > s->cap)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* One more piece from the community, whose members take turns; false where nobody has an edge to spare. next: whose
 * turn it is. Whoever comes after one that has none to spare has no more edges and has left as many pieces: it has none
 * either. */
static bool spawn_one(const share_search *s, uint32_t c, uint32_t *next) {
    const ksda_i_ranks *l = &s->r->rounds.lists;
    for (int turn = 0; turn < 2; turn++, *next = first_whole(s, c)) {
        if (*next == l->start[c + 1] || s->spawn[l->vertex[*next]] + 1 >= l->degree[*next]) continue;
        s->spawn[l->vertex[(*next)++]]++;
        return true;
    }
    return false;
}

/* So many further pieces, for the smallest communities first. next: whose turn it is in each; smallest: room for a
 * heap of them. */
static ksda_status spawn_from_smallest(const share_search *s, const uint64_t *pieces, uint64_t count, uint32_t *next,
                                       ksda_i_ranked *smallest, bool *possible) {
    ksda_status status = KSDA_OK;
    uint32_t size = 0;
    for (uint32_t c = 0; c < s->r->communities->counted; c++)
        ksda_i_heap_push(smallest, &size, (ksda_i_ranked){pieces[c], c}), next[c] = first_whole(s, c);
    for (uint64_t i = 0; i < count && size; i++) {
        ksda_i_ranked x = ksda_i_heap_pop(smallest, &size);
        KSDA_I_TRY(ksda_i_look(s->r->ctx, i));
        if (spawn_one(s, x.item, &next[x.item]))
            ksda_i_heap_push(smallest, &size, (ksda_i_ranked){x.rank + 1, x.item});
        else
            count++; /* nobody of it can leave any more */
    }
    *possible = size > 0 || count == 0;
done:
    return status;
}

/* Further pieces: as many as pigeonhole asks for, and s->extra. */
static ksda_status choose_spawn(share_search *s, bool *possible) {
    const ksda_i_plan_run *r = s->r;
    uint32_t m = r->communities->count;
    ksda_share share = r->options->max_share;
    uint64_t *pieces = ksda_i_calloc(r->ctx, m, sizeof *pieces), sum = 0, largest = 0;
    uint32_t *next = ksda_i_malloc(r->ctx, m, sizeof *next);
    ksda_i_ranked *smallest = ksda_i_malloc(r->ctx, m, sizeof *smallest);
    ksda_status status = pieces && next && smallest ? KSDA_OK : KSDA_NOMEM;
    memset(s->spawn, 0, r->graph->n * sizeof *s->spawn);
    if (status >= 0) {
        count_parts(s, pieces);
        for (uint32_t c = 0; c < r->communities->counted; c++)
            sum += pieces[c], largest = pieces[c] > largest ? pieces[c] : largest;
        uint64_t wanted = (largest * share.denominator + share.numerator - 1) / share.numerator,
                 count = (wanted > sum ? wanted - sum : 0) + s->extra;
        *possible = count == 0 || s->cap >= 2;
        if (*possible) status = spawn_from_smallest(s, pieces, count, next, smallest, possible);
    }
    ksda_i_free(r->ctx, pieces), ksda_i_free(r->ctx, next), ksda_i_free(r->ctx, smallest);
    return status;
}

static ksda_status place_piece(ksda_ctx *ctx, ksda_i_plan *plan, uint64_t *capacity, uint32_t v, uint32_t level) {
    ksda_status status = ksda_i_reserve(ctx, &plan->piece, capacity, (uint64_t)plan->pieces + 1, sizeof *plan->piece);
    if (status >= 0) plan->piece[plan->pieces++] = (ksda_i_placing){v, level};
    return status;
}

/* Where the pieces of a vertex stand. */
static ksda_status place_parts(const share_search *s, uint32_t v, uint32_t parts, ksda_i_plan *plan,
                               uint64_t *capacity) {
    ksda_status status = KSDA_OK;
    uint32_t degree = ksda_i_degree(s->r->graph, v), sum = degree + (s->cap > 2 ? 2 * (parts - 1) : 0);
    if (s->spawn[v]) KSDA_I_TRY(place_piece(s->r->ctx, plan, capacity, v, degree));
    for (uint32_t i = 0; i < s->spawn[v]; i++) KSDA_I_TRY(place_piece(s->r->ctx, plan, capacity, v, 2));
    for (uint32_t i = 0; i < parts && parts > 1; i++) {
        uint32_t level = sum / (parts - i) + (sum % (parts - i) > 0);
        KSDA_I_TRY(place_piece(s->r->ctx, plan, capacity, v, level));
        sum -= level;
    }
done:
    return status;
}

/* Everybody in pieces, each at the degree that it has. */
static ksda_status cut_into_parts(const share_search *s, ksda_i_pieces *pieces, bool *found) {
    const ksda_i_plan_run *r = s->r;
    ksda_status status = KSDA_NOMEM;
    ksda_i_plan plan = {.target = ksda_i_malloc(r->ctx, r->graph->n, sizeof *plan.target),
                        .level = ksda_i_malloc(r->ctx, 1, sizeof *plan.level),
                        .levels = 1};
    uint64_t capacity = 0;
    if (!plan.target || !plan.level) goto done;
    plan.level[0] = 1; /* every piece has its place: nothing is left to be cut freely */
    for (uint32_t v = 0; v < r->graph->n; v++) {
        uint32_t degree = ksda_i_degree(r->graph, v), parts = parts_of(degree, s->cap);
        plan.target[v] = parts > 1 || s->spawn[v] ? KSDA_I_SPLIT : degree;
        if (plan.target[v] == KSDA_I_SPLIT) KSDA_I_TRY(place_parts(s, v, parts, &plan, &capacity));
    }
    KSDA_I_TRY(ksda_i_pieces_make(r->ctx, r->graph, r->communities, &plan, r->options->split_weight, pieces, found));
    if (pieces->count) memcpy(pieces->target, pieces->degree, pieces->count * sizeof *pieces->target);
done:
    ksda_i_plan_clear(r->ctx, &plan);
    return status;
}

/* --- realizing ---------------------------------------------------------------------------------------------------- */

/* Who could not be raised as far as planned is not asked for so much again, and where somebody could not, needs had
 * better meet each other. */
static void learn_from_realization(share_search *s, const ksda_i_pieces *p, const uint32_t *wanted,
                                   const ksda_i_realization *made) {
    for (uint32_t x = 0; x < p->count; x++) {
        uint32_t v = p->owner[x], asked = wanted[x] - p->degree[x],
                 reached = asked > made->short_of[x] ? asked - made->short_of[x] : 0;
        if (made->short_of[x] && reached < s->slack[v]) s->slack[v] = reached;
        double *scarce = &s->scarce[s->r->communities->of[v]];
        if (made->short_of[x]) *scarce = (made->unmet <= FEW ? 4 * *scarce : *scarce) + SCARCITY;
    }
}

/* Offer the release of a plan, if its edges are found. */
static ksda_status realize_plan(share_search *s, const ksda_i_share_plan *plan, ksda_i_pieces *p, bool *complete) {
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
    ksda_i_work(r->ctx, UNMET_UNITS * made.unmet * made.edges); /* ways round were looked for among all edges */
    *complete = made.unmet == 0;
    if (*complete) {
        KSDA_I_TRY(ksda_i_plan_join(r->ctx, p, &made, &edits));
        double before = r->cost;
        status = ksda_i_plan_offer(r, edits);
        if (r->cost < before) s->best_cap = s->cap, s->best_extra = s->extra;
    } else {
        learn_from_realization(s, p, wanted, &made);
        s->last_unmet = made.unmet;
        if (made.unmet < s->unmet) s->unmet = made.unmet;
    }
done:
    ksda_i_free(r->ctx, wanted);
    ksda_i_free(r->ctx, levels.level);
    ksda_i_realization_clear(r->ctx, &made);
    return status;
}

/* --- one plan ----------------------------------------------------------------------------------------------------- */

static ksda_status read_levels(const share_search *s, const ksda_i_pieces *p, ksda_i_share_levels *out) {
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
static ksda_status ask_program(share_search *s, const ksda_i_share_levels *levels, bool split) {
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

static uint64_t steps_for(const ksda_i_share_levels *l, bool quick) {
    uint64_t steps = STEPS_EACH * (uint64_t)l->levels * l->communities;
    if (quick) steps /= QUICK_PART;
    return steps < LEAST_STEPS ? LEAST_STEPS : steps > MOST_STEPS ? MOST_STEPS : steps;
}

/* The first plan is that of a beam search as it is; where it could not be realized, the next one too, which knows that.
 * The others are changed until they are cheap. Of these one begins warm, near the linear program's solution; but where
 * people are split it has to go further. In one, and where a plan is left lacking others, single pieces change level,
 * never several together: such plans are dearer, but easier to find and to realize. */
static ksda_status make_plan(share_search *s, uint32_t number, ksda_i_share_plan *plan) {
    uint32_t kind = number % KINDS;
    s->beamed = false;
    if (s->beams && !s->quick && !ksda_i_share_is_large(s->r)) {
        uint64_t around = ksda_i_work_begin(s->r->ctx, ksda_i_plan_work(s->r, KSDA_I_SHARE_BEAM_WORK));
        ksda_status status = ksda_i_share_beam(plan, &s->beamed);
        s->long_beam |= ksda_i_work_over(s->r->ctx);
        ksda_i_work_finish(s->r->ctx, around);
        s->beams = s->beamed ? s->beams - 1 : 0;
        if (status < 0 || s->beamed) return status;
    }
    ksda_status status = KSDA_OK;
    for (plan->chain = kind == 3 || ksda_i_share_is_large(s->r) ? 1 : KSDA_I_SHARE_CHAIN; status >= 0;
         plan->chain = 1) {
        if (s->rise && kind != KINDS - 1) ksda_i_share_plan_round(plan, s->rise);
        status = ksda_i_share_plan_search(plan, number, !s->split && kind == 1, steps_for(plan->levels, s->quick));
        if (plan->lacking == 0 || plan->chain == 1) break;
    }
    return status;
}

static ksda_status attempt_plan(share_search *s, uint32_t number, bool *complete) {
    ksda_i_plan_run *r = s->r;
    ksda_status status;
    ksda_i_pieces p = {0};
    ksda_i_share_levels levels = {0};
    ksda_i_share_plan plan = {.ctx = r->ctx};
    bool found;
    *complete = false;
    KSDA_I_TRY(ksda_i_progress(r->ctx, "planning", number, TRIES));
    KSDA_I_TRY(cut_into_parts(s, &p, &found));
    if (!found) goto done;
    KSDA_I_TRY(read_levels(s, &p, &levels));
    s->split = p.count > p.n;
    if (number == 0) KSDA_I_TRY(ask_program(s, &levels, s->split));
    if (s->hopeless || s->only_ask) goto done;
    KSDA_I_TRY(ksda_i_share_plan_open(r->ctx, &levels, r->options->max_share, r->options->k, s->free, &plan));
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

/* --- all ways ----------------------------------------------------------------------------------------------------- */

/* Once there is a release: would the splits of this way alone cost less? */
static bool splits_may_pay(const share_search *s) {
    const ksda_i_plan_run *r = s->r;
    uint64_t splits = 0;
    for (uint32_t v = 0; v < r->graph->n; v++)
        splits += parts_of(ksda_i_degree(r->graph, v), s->cap) - 1 + (uint64_t)s->spawn[v];
    return r->options->split_weight * (double)splits < r->cost;
}

/* Times as many plans: while there are some that hold, and none has led to a release, but nearly. */
static uint32_t times_as_many_plans(const share_search *s, bool found) {
    bool tiny = (uint64_t)s->r->graph->n + s->r->graph->m < TINY || s->best_cap == 0;
    if (found || s->quick || !s->held || s->unmet > FEW || (s->split && !tiny && !s->probing)) return 1;
    return s->split ? PATIENCE / 2 : PATIENCE;
}

/* A release is there, and there is no time or work left for another one. One that only had to exist is worth twice as
 * much work. */
static bool is_over(const share_search *s) {
    const ksda_i_plan_run *r = s->r;
    uint64_t twice = 2 * ksda_i_stage_share_budget(r);
    bool done = ksda_i_work_over(r->ctx) && (s->best_cap || ksda_i_work_done(r->ctx) - s->begun > twice);
    return r->best && (done || ksda_i_plan_late_now(s->r));
}

static uint32_t plans_of_a_way(const share_search *s, bool found) {
    const ksda_i_plan_run *r = s->r;
    if (ksda_i_share_is_large(r)) return 1;
    if (s->quick) return QUICK_PLANS;
    if (found) return r->graph->n + r->graph->m < TINY ? TRIES : FURTHER;
    if (s->probing) return FRESH;
    return r->graph->n + r->graph->m < KSDA_I_SMALL_SIZE ? 2 * TRIES : TRIES;
}

/* Forget what plans have learned from each other of who can be raised so far. */
static void forget_slack(share_search *s) {
    const ksda_i_ranks *l = &s->r->rounds.lists;
    for (uint32_t v = 0; v < s->r->graph->n; v++) s->slack[l->vertex[v]] = l->slack[v];
}

/* Begin with a way; possible: it can be had, and its splits might pay. */
static ksda_status begin_way(share_search *s, uint32_t cap, uint64_t extra, bool *possible) {
    ksda_i_plan_run *r = s->r;
    if (s->cap != cap || s->extra != extra) s->asked = s->hopeless = false;
    s->cap = cap, s->extra = extra, s->held = false, s->unmet = s->last_unmet = UINT64_MAX;
    s->beams = s->long_beam ? 0 : FRESH;
    if (!s->asked) ksda_i_free(r->ctx, s->rise), s->rise = NULL;
    memset(s->scarce, 0, r->communities->count * sizeof *s->scarce);
    ksda_status status = choose_spawn(s, possible);
    if (status >= 0 && r->best && !splits_may_pay(s)) *possible = false;
    return status;
}

static ksda_status try_cap_and_extra(share_search *s, uint32_t cap, uint64_t extra, bool *found) {
    ksda_i_plan_run *r = s->r;
    ksda_status status = KSDA_OK;
    uint32_t tries = plans_of_a_way(s, *found);
    bool possible;
    KSDA_I_TRY(begin_way(s, cap, extra, &possible));
    for (uint32_t i = 0; i < tries * times_as_many_plans(s, *found) && possible && !s->hopeless; i++) {
        bool complete;
        if (is_over(s) || (s->quick && *found) || (s->only_ask && i > 0)) break;
        if (s->best_cap && !s->split && i >= tries &&
            ksda_i_work_left(r->ctx) < (double)ksda_i_stage_share_budget(r) / 2)
            break;
        if (s->best_cap && i >= FRESH && s->held && s->unmet > FAR) break;
        bool nearly = s->last_unmet <= FEW && i % (FRESH * PATIENCE) > 0; /* what was learned is worth keeping */
        if (i % FRESH == 0 && !nearly) forget_slack(s);
        if (s->beamed && nearly && s->beams == 0) s->beams = 1;
        KSDA_I_TRY(attempt_plan(s, i, &complete));
        if (complete || !s->beamed) s->beams = 0;
        *found |= complete;
    }
done:
    return status;
}

/* Has the linear program no solution with that cap and so many further pieces? */
static ksda_status is_hopeless(share_search *s, uint32_t cap, uint64_t extra, bool *yes) {
    bool found = false;
    s->only_ask = true;
    ksda_status status = try_cap_and_extra(s, cap, extra, &found);
    s->only_ask = false;
    *yes = s->hopeless;
    return status;
}

/* Fewer pieces than are known to do, down to a number that was too few. */
static ksda_status try_fewer_pieces(share_search *s, uint32_t cap, uint64_t few, uint64_t enough, uint32_t times) {
    ksda_status status = KSDA_OK;
    bool found = true;
    for (uint32_t i = 0; i < times && enough > few + 1; i++) {
        uint64_t middle = few + (enough - few) / 2;
        double cost = s->r->cost;
        KSDA_I_TRY(try_cap_and_extra(s, cap, middle, &found));
        *(s->r->cost < cost ? &enough : &few) = middle;
    }
done:
    return status;
}

/* More and more pieces below the cap, until a plan holds; then fewer again. Where splits are cheap the others may still
 * lead to something. */
static ksda_status try_pieces(share_search *s, uint32_t cap, bool *found) {
    ksda_status status = KSDA_OK;
    uint64_t few = 0, enough = 0;
    if (cap != UINT32_MAX) KSDA_I_TRY(try_cap_and_extra(s, cap, 0, found));
    uint64_t most = s->r->best && ksda_i_plan_splits(s->r) <= MOST_EXTRA ? ksda_i_plan_splits(s->r) : MOST_EXTRA + 1;
    KSDA_I_TRY(is_hopeless(s, cap, most ? most - 1 : 0, &s->hopeless));
    if (s->hopeless) goto done; /* further pieces do not help */
    for (uint64_t extra = 1; extra <= MOST_EXTRA; extra *= 3) {
        bool before = *found;
        KSDA_I_TRY(try_cap_and_extra(s, cap, extra, found));
        if (!*found) few = extra;
        if (*found && !before) enough = extra;
    }
    KSDA_I_TRY(try_fewer_pieces(s, cap, few, enough, HALVINGS));
done:
    return status;
}

/* Higher caps than the one that will do, up to one that is too high; few plans of each. */
static ksda_status try_higher_caps(share_search *s, uint32_t high) {
    ksda_status status = KSDA_OK;
    uint32_t enough = s->cap_found;
    s->probing = true;
    for (uint32_t i = 0; i < CAP_HALVINGS && high > enough + 1; i++) {
        uint32_t middle = (uint32_t)sqrt((double)enough * high);
        double cost = s->r->cost;
        bool found = false;
        KSDA_I_TRY(try_cap_and_extra(s, middle > enough ? middle : enough + 1, 0, &found));
        *(s->r->cost < cost ? &enough : &high) = s->cap;
    }
    s->cap_found = enough;
done:
    s->probing = false;
    return status;
}

/* A first release: one after the other further pieces, one in so many of the vertices, and lower and lower caps, then
 * higher ones again. *known: how many further pieces it took, where nobody was cut. */
static ksda_status find_first_release(share_search *s, uint32_t top, uint64_t *known) {
    static const uint32_t one_in[] = {UINT32_MAX, 1024, 128, 16};
    ksda_status status = KSDA_OK;
    bool found = false;
    s->quick = true;
    for (uint32_t cap = UINT32_MAX; !found && cap > 0; cap = (cap == UINT32_MAX ? top : cap) / QUICK_CAPS) {
        bool hopeless;
        KSDA_I_TRY(is_hopeless(s, cap, (s->r->graph->n + UINT64_C(15)) / 16, &hopeless));
        if (hopeless) KSDA_I_TRY(is_hopeless(s, cap, 0, &hopeless));
        for (size_t i = 0; i < sizeof one_in / sizeof *one_in && !found && !hopeless; i++) {
            uint64_t extra = (s->r->graph->n + (uint64_t)one_in[i] - 1) / one_in[i] - (i == 0);
            KSDA_I_TRY(try_cap_and_extra(s, cap, extra, &found));
            if (found && cap == UINT32_MAX) *known = extra;
        }
    }
    s->cap_found = found ? s->cap : 0;
    if (found && s->cap != UINT32_MAX) KSDA_I_TRY(try_higher_caps(s, s->cap * QUICK_CAPS));
done:
    s->quick = false;
    return status;
}

/* What part of the pairs of a community's largest members is not adjacent. */
static double free_pairs(const ksda_i_ranks *l, uint32_t c) {
    uint64_t size = l->near[c + 1] - l->near[c], tied = 0;
    if (size > MUTUAL) size = MUTUAL;
    for (uint64_t i = 0; i < size; i++)
        tied += (uint64_t)__builtin_popcountll(l->adjacent[l->near[c] + i] & ((UINT64_C(1) << size) - 1));
    return size > 1 ? 1 - (double)(tied - size) / (double)(size * (size - 1)) : 1;
}

/* Tiny networks: what work is left, or a part of it, goes to further plans of the way that has led to the cheapest
 * release. */
static ksda_status search_best_way(share_search *s) {
    ksda_i_plan_run *r = s->r;
    ksda_status status = KSDA_OK;
    uint64_t size = r->graph->n + r->graph->m, idle = 0, most = LEAST_LAST + size / LAST_SIZE;
    bool possible, hopeless;
    if (!r->best || s->best_cap == 0 || size >= TINY || is_over(s)) return KSDA_OK;
    if (most > MOST_LAST) most = MOST_LAST;
    if (ksda_i_plan_splits(r) == 0 && r->cost <= r->proof.unsplit) return KSDA_OK;
    uint64_t around = ksda_i_work_begin(r->ctx, ksda_i_stage_share_budget(r) / LAST_PART);
    forget_slack(s);
    KSDA_I_TRY(is_hopeless(s, s->best_cap, s->best_extra, &hopeless)); /* the program's solution, to begin with */
    KSDA_I_TRY(begin_way(s, s->best_cap, s->best_extra, &possible));
    s->beams = 0;
    for (uint32_t i = 0; idle < most && possible && !hopeless && !is_over(s); i++) {
        double cost = r->cost;
        bool complete;
        if (i % FRESH == 0) forget_slack(s);
        KSDA_I_TRY(attempt_plan(s, TRIES * PATIENCE * FRESH + i, &complete));
        idle = r->cost < cost ? 0 : idle + 1;
    }
done:
    ksda_i_work_finish(r->ctx, around);
    return status;
}

/* Ways that treat communities differently. */
static ksda_status try_even_ways(share_search *s) {
    double cost = s->r->cost;
    forget_slack(s);
    ksda_status status = ksda_i_share_even(s->r, s->slack);
    if (s->r->cost < cost) s->best_cap = 0;
    return status;
}

ksda_status ksda_i_stage_share(ksda_i_plan_run *r) {
    ksda_status status = KSDA_NOMEM;
    share_search s = {.r = r, .begun = ksda_i_work_done(r->ctx)};
    uint32_t top = 0;
    uint64_t known = 0;
    bool found = false;
    if (ksda_i_share_parity_forbids(r)) return KSDA_OK; /* nobody is to search for what is not there */
    s.spawn = ksda_i_malloc(r->ctx, r->graph->n, sizeof *s.spawn);
    s.slack = ksda_i_malloc(r->ctx, r->graph->n, sizeof *s.slack);
    s.scarce = ksda_i_malloc(r->ctx, r->communities->count, sizeof *s.scarce);
    s.free = ksda_i_malloc(r->ctx, r->communities->count, sizeof *s.free);
    if (!s.spawn || !s.slack || !s.scarce || !s.free) goto done;
    for (uint32_t c = 0; c < r->communities->count; c++) s.free[c] = free_pairs(&r->rounds.lists, c);
    for (uint32_t i = 0; i < r->graph->n; i++)
        if (r->rounds.lists.degree[i] > top) top = r->rounds.lists.degree[i];
    if (!ksda_i_share_is_large(r)) KSDA_I_TRY(find_first_release(&s, top, &known));
    if (!ksda_i_share_is_large(r) && !r->best) KSDA_I_TRY(try_even_ways(&s));
    KSDA_I_TRY(try_cap_and_extra(&s, UINT32_MAX, 0, &found)); /* nobody split */
    KSDA_I_TRY(try_fewer_pieces(&s, UINT32_MAX, 0, known, 2 * HALVINGS));
    KSDA_I_TRY(try_pieces(&s, UINT32_MAX, &found));
    if (s.cap_found && s.cap_found < top) KSDA_I_TRY(try_higher_caps(&s, top));
    for (double cap = top / CAP_FACTOR; cap >= 1; cap = cap > 1 ? fmax(cap / CAP_FACTOR, 1) : 0)
        KSDA_I_TRY(try_cap_and_extra(&s, (uint32_t)cap, 0, &found));
    for (double cap = top / CAP_FACTOR; !found && cap >= 2; cap /= CAP_FACTOR)
        KSDA_I_TRY(try_pieces(&s, (uint32_t)cap, &found));
    if (!is_over(&s)) KSDA_I_TRY(try_even_ways(&s)); /* last, or what does nearly as well would not be looked at */
    KSDA_I_TRY(search_best_way(&s));
done:
    ksda_i_free(r->ctx, s.spawn);
    ksda_i_free(r->ctx, s.slack);
    ksda_i_free(r->ctx, s.scarce);
    ksda_i_free(r->ctx, s.free);
    ksda_i_free(r->ctx, s.rise);
    return status;
}
