/* The frontier: edges against substitutes.
 *
 * Problem: for one k, all releases of which none has both fewer added edges and fewer added vertices than another. A
 * person who is to choose a split weight wants to see what there is to choose from.
 *
 * Idea: level-plan minimizes n_a + omega n_s, so each weight gives a point (n_s, n_a), and every round of every run
 * gives another. Where two neighbouring points of the lower convex hull cost the same, a run looks for something below
 * the line through them: found, the gap becomes two smaller ones; not found, it is done (the dichotomic scheme for two
 * objectives; Aneja and Nair 1979, doi:10.1287/mnsc.25.1.73). level-plan is no exact method, so "not found" does not
 * prove that nothing is there; the lower bounds of the runs say how much could be.
 *
 * Points of the hull that came up by chance, in a run with another weight, get a run of their own in the end: a
 * user who repeats it with the weight that is shown gets what is shown. Weights have as few digits as will do, for they
 * are typed by people.
 *
 * All gaps of one generation are independent, so their runs go side by side; what they find is put together in the
 * order of the runs, whatever the number of threads. Cost: `runs` runs of level-plan, and memory for the edits of every
 * point. */
#include "anonymize/longer.h"

#include "core/sort.h"
#include "bound/certificate.h"
#include "core/parallel.h"
#include "core/sized.h"
#include "graph/edits.h"
#include "methods/levelplan/pool.h"
#include "privacy/diversity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RUNS 32u /* unless the caller says otherwise */

/* Releases that are found, none with both fewer edges and fewer vertices than another. */
typedef struct collection {
    ksda_ctx *ctx;
    uint32_t n; /* vertices of the original */
    ksda_i_pool pool;
    ksda_status status;                      /* of the first allocation that failed */
    ksda_ctx *run;                           /* of the run whose releases these are, for judging them */
    const struct frontier_search *judged_by; /* NULL: as they come */
} collection;

/* A release of the lower convex hull, and the weights between which it is the cheapest. */
typedef struct corner {
    uint64_t at; /* in the pool */
    double low, high;
} corner;

/* One run of level-plan, and what came of it. */
typedef struct trial {
    double weight, bound;
    uint64_t edges, vertices; /* of the release it hands over */
    ksda_edits *edits; /* that release, until a point takes it; the pool may have another one that costs the same */
    bool found;
} trial;

typedef struct job {
    const struct frontier_search *all;
    double weight;
    bool aside; /* see below */
    bool done;
    collection found;
    trial trial;
    ksda_status status;
    char message[256];
} job;

typedef struct frontier_search {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities; /* all of them count, but with a share bound or sets of them */
    const ksda_communities *given;       /* the same where some do not, NULL where all do */
    const ksda_anonymize_options *options;
    uint32_t most;
    collection all;
    collection
        known[2]; /* what one search has found for k, and for k + 1, where runs with other weights find the same */
    trial *trial;
    job aside; /* of the weight the caller asked for: must not steer, so that the rows shown do not depend on it */
    uint32_t trials;
    corner *corner; /* the hull, by ascending n_s */
    uint64_t corners, corner_capacity;
    job *next; /* the generation to come */
    uint32_t pending;
    bool limited;
} frontier_search;

/* --- releases ----------------------------------------------------------------------------------------------------- */

/* Its edits are the collection's from here on. Nothing is taken in once a release is missing. */
static void collect(collection *c, ksda_i_pool_release x) {
    if (c->status >= 0)
        c->status = ksda_i_pool_insert(c->ctx, &c->pool, x);
    else
        ksda_edits_free(c->ctx, x.edits);
}

static void collect_all(collection *c, collection *from) {
    for (uint64_t i = 0; i < from->pool.count; i++) collect(c, from->pool.release[i]);
    from->pool.count = 0; /* all of them are the other one's now, or freed */
}

static void collection_clear(collection *c) {
    if (c->ctx) ksda_i_pool_clear(c->ctx, &c->pool);
}

/* Is that a release with the communities that count? */
static ksda_status is_release(const frontier_search *s, ksda_ctx *ctx, const ksda_edits *edits, bool *yes) {
    *yes = true;
    return s->given ? ksda_i_holds(ctx, s->graph, s->given, edits, s->options->k, yes) : KSDA_OK;
}

static void take_runner_up(void *payload, ksda_edits *edits) {
    collection *c = payload;
    bool yes = true;
    if (c->judged_by && c->status >= 0) c->status = is_release(c->judged_by, c->run, edits, &yes);
    if (yes)
        collect(c, ksda_i_pool_describe(c->n, edits));
    else
        ksda_edits_free(c->ctx, edits);
}

/* --- weights ------------------------------------------------------------------------------------------------------ */

/* The number with the fewest digits strictly between low and high that is near to `wish`. */
static double plain_number(double wish, double low, double high) {
    for (int digits = 1; digits < 17; digits++) {
        char text[40];
        snprintf(text, sizeof text, "%.*g", digits, wish);
        double x = strtod(text, NULL);
        if (x > low && x < high) return x;
    }
    return wish;
}

/* Three digits of the weight at which two releases cost the same: exactness gains nothing, and people type them. */
static double tie_weight(const ksda_i_pool_release *a, const ksda_i_pool_release *b) {
    return (double)(a->added - b->added) / (double)(b->splits - a->splits);
}
static double tie_to_try(const ksda_i_pool_release *a, const ksda_i_pool_release *b) {
    double exact = tie_weight(a, b);
    return plain_number(exact, exact * 0.998, exact * 1.002);
}

static bool was_tried(const frontier_search *s, double weight) {
    for (uint32_t i = 0; i < s->trials; i++)
        if (s->trial[i].weight == weight) return true;
    for (uint32_t i = 0; i < s->pending; i++)
        if (s->next[i].weight == weight) return true;
    return false;
}

/* --- the hull ----------------------------------------------------------------------------------------------------- */

/* Is b above the line from a to c, or on it? Then it is never the only cheapest. */
static bool is_above_line(const ksda_i_pool_release *a, const ksda_i_pool_release *b, const ksda_i_pool_release *c) {
    return (long double)(a->added - b->added) * (c->splits - a->splits) <=
           (long double)(a->added - c->added) * (b->splits - a->splits);
}

static const ksda_i_pool_release *corner_release(const frontier_search *s, uint64_t i) {
    return &s->all.pool.release[s->corner[i].at];
}

static ksda_status find_hull(frontier_search *s) {
    const ksda_i_pool *pool = &s->all.pool;
    ksda_status status = ksda_i_reserve(s->ctx, &s->corner, &s->corner_capacity, pool->count, sizeof *s->corner);
    if (status < 0) return status;
    s->corners = 0;
    for (uint64_t i = 0; i < pool->count; i++) {
        while (s->corners >= 2 &&
               is_above_line(corner_release(s, s->corners - 2), corner_release(s, s->corners - 1), &pool->release[i]))
            s->corners--;
        s->corner[s->corners++] = (corner){.at = i, .low = 0, .high = INFINITY};
    }
    for (uint64_t i = 0; i + 1 < s->corners; i++)
        s->corner[i].low = s->corner[i + 1].high = tie_weight(corner_release(s, i), corner_release(s, i + 1));
    return KSDA_OK;
}

/* --- what to run next --------------------------------------------------------------------------------------------- */

static void ask_for_weight(frontier_search *s, double weight) {
    uint32_t besides = s->pending > 0 && s->next[0].aside;
    if (s->trials + s->pending - besides >= s->most || was_tried(s, weight)) return;
    if (s->aside.done && s->aside.weight == weight) { /* it is known already what that run gives */
        s->next[s->pending++] = s->aside;
        s->next[s->pending - 1].aside = false;
        s->aside = (job){.all = s};
    } else {
        s->next[s->pending++] = (job){.all = s, .weight = weight};
    }
}

/* Both ends; and some weights between them, as at the ends the method sees no price of the one or of the other. */
static void first_generation(frontier_search *s) {
    static const double between[] = {0.3, 3, 30, 300};
    double all = (double)s->graph->n * s->graph->n, almost_free = 0.1, own = s->options->split_weight;
    while (almost_free * s->graph->n > 1) almost_free /= 10;
    almost_free = plain_number(almost_free, almost_free * 0.99, almost_free * 1.01);
    if (own != all && own != almost_free)
        s->next[s->pending++] = (job){.all = s, .weight = own, .aside = true}; /* first if time is short */
    ask_for_weight(s, all);
    ask_for_weight(s, almost_free);
    for (size_t i = 0; i < sizeof between / sizeof *between && between[i] < all; i++) ask_for_weight(s, between[i]);
}

/* The untried gaps, those first that may hide most: a release below the line lies in a triangle of half this area. */
static bool ask_gaps(frontier_search *s, uint32_t most) {
    uint64_t gaps = 0;
    for (;;) {
        double largest = 0, weight = 0;
        for (uint64_t i = 0; i + 1 < s->corners; i++) {
            const ksda_i_pool_release *a = corner_release(s, i), *b = corner_release(s, i + 1);
            double area = (double)(a->added - b->added) * (double)(b->splits - a->splits), w = tie_to_try(a, b);
            if (area > largest && !was_tried(s, w)) largest = area, weight = w;
        }
        if (largest == 0) return gaps > 0;
        gaps++;
        if (s->trials + s->pending >= most) return true;
        ask_for_weight(s, weight);
    }
}

/* A run with a weight for which the corner is the cheapest, best one that hands over just this release, which is told
 * in *exact. Where two corners cost the same a run may give either: such a weight comes second. */
static trial *trial_of(const frontier_search *s, const corner *x, bool *exact) {
    const ksda_i_pool_release *release = &s->all.pool.release[x->at];
    trial *best = NULL;
    int most = 0;
    for (uint32_t i = 0; i < s->trials; i++) {
        trial *t = &s->trial[i];
        bool inside = t->weight > x->low && t->weight < x->high,
             same = t->edges == release->added && t->vertices == release->splits;
        int worth = same ? 2 + inside : inside;
        if (!t->found || t->weight < x->low || t->weight > x->high || worth <= most) continue;
        best = t, most = worth;
    }
    *exact = most >= 2;
    return best;
}

static double weight_inside(const corner *x) {
    if (isinf(x->high)) return x->low > 0 ? plain_number(2 * x->low, x->low, INFINITY) : 1;
    return plain_number(x->low > 0 ? sqrt(x->low * x->high) : x->high / 2, x->low, x->high);
}

/* Corners that no run of their own has given. */
static void ask_corners(frontier_search *s) {
    for (uint64_t i = 0; i < s->corners; i++) {
        const corner *x = &s->corner[i];
        bool exact;
        if (!trial_of(s, x, &exact)) ask_for_weight(s, weight_inside(x));
    }
}

/* --- running ------------------------------------------------------------------------------------------------------ */

/* What a run with this weight finds, where that is known. */
static const ksda_edits *known_release(const collection *known, double weight) {
    const ksda_i_pool_release *best = ksda_i_pool_cheapest(&known->pool, weight);
    return best ? best->edits : NULL;
}

/* One search is enough for all weights, unless the network is large: then every run searches for itself. */
static ksda_status search_once(frontier_search *s, uint32_t more, bool *cut_short) {
    ksda_anonymize_options options = *s->options;
    ksda_anonymize_result unused = {.lower_bound = NAN};
    ksda_edits *edits = NULL;
    const ksda_i_plan_hooks hooks = {.runner_up = take_runner_up, .payload = &s->known[more], .search_only = true};
    if (!ksda_i_level_plan_pools(s->graph, s->communities, s->options)) return KSDA_OK;
    options.step = NULL, options.k += more;
    ksda_status status = ksda_i_level_plan_with(s->ctx, s->graph, s->communities, &options, &hooks, &edits, &unused);
    if (status < 0) return ksda_i_found_none(status) ? KSDA_OK : status; /* the runs will say so */
    *cut_short |= status == KSDA_LIMIT;
    take_runner_up(&s->known[more], edits);
    return s->known[more].status;
}

/* All of it that is a release can be chosen from; *all: it is. */
static ksda_status collect_known(frontier_search *s, uint32_t more, bool *all) {
    ksda_status status = KSDA_OK;
    for (uint64_t i = 0; i < s->known[more].pool.count; i++) {
        ksda_i_pool_release x = s->known[more].pool.release[i];
        bool yes;
        KSDA_I_TRY(is_release(s, s->ctx, x.edits, &yes));
        if (!yes) *all = false;
        if (!yes) continue;
        KSDA_I_TRY(ksda_i_edits_copy(s->ctx, x.edits, &x.edits));
        collect(&s->all, x);
    }
    status = s->all.status;
done:
    return status;
}

/* One search for k; where not all of it are releases, as some communities do not count, another one for k + 1. */
static ksda_status search_known(frontier_search *s, bool *cut_short) {
    bool all = true;
    ksda_status status = KSDA_OK;
    for (uint32_t more = 0; more == 0 || (more == 1 && !all); more++) {
        KSDA_I_TRY(search_once(s, more, cut_short));
        KSDA_I_TRY(collect_known(s, more, &all));
    }
done:
    return status;
}

/* level-plan for k, or for one more. */
static ksda_status run_plan(job *j, ksda_ctx *ctx, uint32_t more, ksda_edits **edits, ksda_anonymize_result *result) {
    const frontier_search *s = j->all;
    ksda_anonymize_options options = *s->options;
    const ksda_i_plan_hooks hooks = {.runner_up = take_runner_up,
                                     .payload = &j->found,
                                     .longer = ksda_i_prove_longer,
                                     .found = known_release(&s->known[more], j->weight)};
    options.split_weight = j->weight, options.k += more;
    options.step = NULL;
    ksda_status status = more ? ksda_i_check_isolated(ctx, s->graph, s->communities, options.k) : KSDA_OK;
    return status < 0 ? status : ksda_i_level_plan_with(ctx, s->graph, s->communities, &options, &hooks, edits, result);
}

/* As ksda_anonymize() does it where some communities do not count: of k + 1 at least k do, and the bound is that for k.
 */
static ksda_status run_until_release(job *j, ksda_ctx *ctx, ksda_edits **edits, ksda_anonymize_result *result) {
    bool yes;
    ksda_status status = run_plan(j, ctx, 0, edits, result);
    ksda_status judged = status < 0 ? status : is_release(j->all, ctx, *edits, &yes);
    if (judged >= 0 && yes) return status;
    double bound = result->lower_bound;
    ksda_edits_free(ctx, *edits);
    *edits = NULL;
    status = judged < 0 ? judged : run_plan(j, ctx, 1, edits, result);
    result->lower_bound = bound;
    return status;
}

static void run_one(job *j, ksda_ctx *ctx) {
    const frontier_search *s = j->all;
    ksda_anonymize_result result = {.lower_bound = NAN};
    ksda_edits *edits = NULL;
    j->done = true;
    j->found = (collection){.ctx = s->ctx, .n = s->graph->n, .run = ctx, .judged_by = s};
    j->trial = (trial){.weight = j->weight};
    j->status = run_until_release(j, ctx, &edits, &result);
    if (j->status < 0) {
        snprintf(j->message, sizeof j->message, "%s", ksda_ctx_error(ctx)->message);
        return;
    }
    ksda_i_pool_release x = ksda_i_pool_describe(s->graph->n, edits);
    j->trial = (trial){j->weight, result.lower_bound, x.added, x.splits, edits, true};
    x.edits = NULL; /* they stay with the trial */
    collect(&j->found, x);
    if (j->found.status < 0) j->status = j->found.status;
}

static void run_trials(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    frontier_search *s = data;
    bool alone = s->pending == 1 || ksda_ctx_threads(s->ctx) == 1;
    for (uint64_t i = begin; i < end; i++) {
        ksda_ctx *child = s->ctx;
        job *j = &s->next[i];
        bool first = s->trials == 0 && i == 0;
        if (j->done) continue;
        if (ksda_i_cancelled(s->ctx) || (!first && ksda_i_time_left(s->ctx) <= 0)) {
            j->status = KSDA_LIMIT; /* not run at all */
            continue;
        }
        if (thread == 0 && ksda_i_progress(s->ctx, "searching the frontier", s->trials + i, s->most) < 0) continue;
        if (!alone && (j->status = ksda_i_ctx_child(s->ctx, &child)) < 0) continue;
        run_one(j, child);
        if (!alone) ksda_ctx_free(child);
    }
}

/* Put together what the runs of a generation have found, in their order. */
static ksda_status gather(frontier_search *s, ksda_status *failed) {
    ksda_status status = ksda_i_interrupted(s->ctx);
    for (uint32_t i = 0; i < s->pending; i++) {
        job *j = &s->next[i];
        bool empty = ksda_i_found_none(j->status);
        if (j->status == KSDA_LIMIT) s->limited = true;
        if (empty && *failed == KSDA_OK) *failed = ksda_i_error(s->ctx, j->status, "%s", j->message);
        if (j->status < 0 && !empty && status >= 0) status = ksda_i_error(s->ctx, j->status, "%s", j->message);
        if (j->aside) {
            s->aside = *j;
            continue;
        }
        if (j->trial.weight > 0) s->trial[s->trials++] = j->trial;
        collect_all(&s->all, &j->found);
        collection_clear(&j->found);
        if (s->all.status < 0 && status >= 0) status = s->all.status;
    }
    s->pending = 0;
    if (!s->all.pool.count || !ksda_i_cut_short(s->ctx, status)) return status;
    s->limited = true;
    return KSDA_OK;
}

/* What the caller's own weight has given comes in when everything else is there. */
static ksda_status merge_aside(frontier_search *s) {
    if (!s->aside.trial.found) return KSDA_OK;
    s->trial[s->trials++] = s->aside.trial;
    s->aside.trial.edits = NULL;
    collect_all(&s->all, &s->aside.found);
    return s->all.status < 0 ? s->all.status : find_hull(s);
}

static ksda_status search(frontier_search *s, bool *complete) {
    ksda_status status = KSDA_OK, failed = KSDA_OK;
    uint32_t gaps_most = s->most - s->most / 4; /* the rest is first for corners without a run of their own */
    bool cut_short = false;
    *complete = false;
    KSDA_I_TRY(search_known(s, &cut_short));
    first_generation(s);
    while (s->pending > 0 && !s->limited) {
        ksda_i_parallel(s->ctx, s->pending, 1, run_trials, s);
        KSDA_I_TRY(gather(s, &failed));
        if (s->all.pool.count == 0) break;
        KSDA_I_TRY(find_hull(s));
        *complete = !ask_gaps(s, gaps_most) && !s->limited;
        if (s->pending == 0) ask_corners(s);
        if (s->pending == 0) ask_gaps(s, s->most);
    }
    s->limited |= cut_short;
    KSDA_I_TRY(merge_aside(s));
    if (s->all.pool.count == 0) status = failed;
done:
    return status;
}

/* --- the outcome -------------------------------------------------------------------------------------------------- */

static int by_weight(const void *a, const void *b) {
    const ksda_frontier_bound *x = a, *y = b;
    return (x->split_weight > y->split_weight) - (x->split_weight < y->split_weight);
}

/* The release that a trial keeps becomes the one of the pool. */
static void show_release(frontier_search *s, ksda_i_pool_release *x, trial *t) {
    ksda_edits_free(s->ctx, x->edits);
    x->edits = t->edits, t->edits = NULL;
}

/* Points that only a run's own release has given, and that are no corners. */
static void show_others(frontier_search *s) {
    for (uint64_t i = 0; i < s->all.pool.count; i++) {
        ksda_i_pool_release *x = &s->all.pool.release[i];
        for (uint32_t j = 0; j < s->trials && !x->edits; j++)
            if (s->trial[j].edits && s->trial[j].edges == x->added && s->trial[j].vertices == x->splits)
                show_release(s, x, &s->trial[j]);
    }
}

/* KSDA_INTERNAL when more is proved at some weight than a release found at any weight costs there; then so it is with
 * no chord. */
static ksda_status check_bounds(const frontier_search *s, const ksda_frontier *f) {
    for (uint32_t i = 0; i < f->bounds; i++)
        for (uint64_t p = 0; p < s->all.pool.count; p++) {
            double bound = f->bound[i].lower_bound,
                   known = ksda_i_pool_cost(&s->all.pool.release[p], f->bound[i].split_weight);
            ksda_status status = ksda_i_bound_check(s->ctx, bound, known);
            if (status < 0) return status;
        }
    return KSDA_OK;
}

/* What is told of a corner: the weight to repeat it with, and what is proved there. */
static void report_corner(frontier_search *s, const corner *c, const ksda_frontier *f, ksda_frontier_point *out) {
    ksda_i_pool_release *x = &s->all.pool.release[c->at];
    bool exact;
    trial *t = trial_of(s, c, &exact);
    if (exact) show_release(s, x, t);
    out->low = c->low, out->high = c->high;
    out->split_weight = t ? t->weight : weight_inside(c);
    out->repeatable = exact;
    out->cost = ksda_i_pool_cost(x, out->split_weight);
    out->lower_bound = fmin(ksda_frontier_lower_bound(f, out->split_weight), out->cost); /* chords are rounded */
}

static ksda_status report_points(frontier_search *s, ksda_frontier *out) {
    ksda_i_pool *pool = &s->all.pool;
    out->point = ksda_i_malloc(s->ctx, pool->count, sizeof *out->point);
    if (!out->point) return KSDA_NOMEM;
    for (uint64_t i = 0; i < pool->count; i++)
        out->point[i] =
            (ksda_frontier_point){.low = NAN, .high = NAN, .split_weight = NAN, .cost = NAN, .lower_bound = NAN};
    for (uint64_t i = 0; i < s->corners; i++) report_corner(s, &s->corner[i], out, &out->point[s->corner[i].at]);
    show_others(s);
    for (uint64_t i = 0; i < pool->count; i++) {
        ksda_i_pool_release *x = &pool->release[i];
        out->point[i].added_edges = x->added, out->point[i].added_vertices = x->splits;
        out->point[i].split_vertices = ksda_edits_split_vertices(x->edits);
        out->point[i].edits = x->edits;
    }
    out->count = (uint32_t)pool->count, pool->count = 0;
    out->runs = s->trials;
    return KSDA_OK;
}

static ksda_status report_frontier(frontier_search *s, ksda_frontier *out) {
    out->bound = ksda_i_malloc(s->ctx, s->trials, sizeof *out->bound);
    if (!out->bound) return KSDA_NOMEM;
    for (uint32_t i = 0; i < s->trials; i++)
        if (s->trial[i].found && !isnan(s->trial[i].bound))
            out->bound[out->bounds++] = (ksda_frontier_bound){s->trial[i].weight, s->trial[i].bound};
    ksda_i_sort_by(out->bound, out->bounds, sizeof *out->bound, by_weight);
    ksda_status status = check_bounds(s, out);
    return status < 0 ? status : report_points(s, out);
}

static double cost_at(const ksda_frontier_point *p, double weight) {
    return (double)p->added_edges + weight * (double)p->added_vertices;
}

uint32_t ksda_frontier_cheapest(const ksda_frontier *f, double weight) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < f->count; i++)
        if (best == UINT32_MAX || cost_at(&f->point[i], weight) < cost_at(&f->point[best], weight)) best = i;
    return best;
}

static const ksda_i_sized kind = KSDA_I_RESULT(ksda_frontier, complete);

void ksda_frontier_clear(ksda_ctx *ctx, ksda_frontier *f) {
    if (!ksda_i_result_holds(&kind, f)) return;
    for (uint32_t i = 0; i < f->count; i++) ksda_edits_free(ctx, f->point[i].edits);
    ksda_i_free(ctx, f->point);
    ksda_i_free(ctx, f->bound);
    ksda_i_result_empty(&kind, f);
}

static void search_clear(frontier_search *s) {
    for (uint32_t i = 0; s->next && i < s->pending; i++) {
        collection_clear(&s->next[i].found);
        ksda_edits_free(s->ctx, s->next[i].trial.edits);
    }
    for (uint32_t i = 0; i < s->trials; i++) ksda_edits_free(s->ctx, s->trial[i].edits);
    ksda_edits_free(s->ctx, s->aside.trial.edits);
    collection_clear(&s->all);
    collection_clear(&s->known[0]), collection_clear(&s->known[1]);
    collection_clear(&s->aside.found);
    ksda_i_free(s->ctx, s->trial);
    ksda_i_free(s->ctx, s->corner);
    ksda_i_free(s->ctx, s->next);
}

ksda_status ksda_frontier_search(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                 const ksda_anonymize_options *options, uint32_t most_runs, ksda_frontier *out) {
    ksda_status status;
    ksda_anonymize_options full;
    ksda_communities all = *communities; /* borrows everything */
    frontier_search s = {.ctx = ctx,
                         .graph = graph,
                         .communities = &all,
                         .given = communities->counted < communities->count ? communities : NULL,
                         .options = &full,
                         .most = most_runs ? most_runs : RUNS,
                         .all = {.ctx = ctx, .n = graph->n},
                         .known = {{.ctx = ctx, .n = graph->n}, {.ctx = ctx, .n = graph->n}}};
    ksda_frontier told = KSDA_INIT(ksda_frontier);
    bool complete;
    double start = ksda_i_now();
    KSDA_I_TRY(ksda_i_result_check(ctx, &kind, out));
    if (!communities->sets) KSDA_I_TRY(ksda_i_check_together(ctx, communities));
    KSDA_I_TRY(ksda_i_anonymize_options(ctx, graph, communities, NULL, options, &full));
    if (full.max_share.denominator || communities->sets)
        s.given = NULL; /* who plans shares or witnesses leaves out of them who is not known */
    else
        all.counted = all.count;
    if (full.favour == KSDA_FAVOUR_PLAUSIBLE)
        KSDA_I_TRY(ksda_i_error(ctx, KSDA_INVALID,
                                "the frontier compares releases of least cost; plausible edges cost "
                                "more, and go with one run"));
    full.no_proof = 0; /* the frontier's own bounds come from the runs' */
    s.trial = ksda_i_malloc(ctx, (uint64_t)s.most + 1, sizeof *s.trial);
    s.next = ksda_i_malloc(ctx, (uint64_t)s.most + 1, sizeof *s.next);
    if (!s.trial || !s.next) {
        status = KSDA_NOMEM;
        goto done;
    }
    KSDA_I_TRY(search(&s, &complete));
    KSDA_I_TRY(report_frontier(&s, &told));
    told.complete = complete;
    told.k = full.k;
    told.max_share = full.max_share;
    told.limited = s.limited;
    told.seconds = ksda_i_now() - start;
    ksda_i_result_give(&kind, out, &told);
done:
    search_clear(&s);
    if (status < 0) ksda_frontier_clear(ctx, &told);
    return status < 0 ? status : s.limited ? KSDA_LIMIT : KSDA_OK;
}
