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
#include "methods/levelplan/limits.h"
#include "methods/levelplan/share_search.h"

#include <math.h>
#include <stdlib.h>

#define TINY 8000u        /* vertices and edges: plans take no time */
#define PATIENCE 6u       /* times as many plans there, where one holds and none is realized; half with splits */
#define FURTHER 2u        /* plans of a way once another one has led to a release */
#define MENDS 24u         /* times that a plan that could not be realized is changed, at most, */
#define MEND_IDLE 4u      /* and without fewer needs that are not met */
#define MEND_FAR 1000u    /* needs that are not met: too many for that */
#define MEND_NUMBER 1000u /* from one such plan's numbers to the next one's */
#define MENDED_PART 8u    /* of all work, for the first release */
#define HALVINGS 3u       /* numbers of pieces between one that was too few and one that will do */
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
#define MUTUAL 24u      /* largest members of a community, among whom many edges are */

/* Once there is a release: would the splits of this way alone cost less? */
static bool splits_may_pay(const ksda_i_share_search *s) {
    const ksda_i_plan_run *r = s->r;
    uint64_t splits = 0;
    for (uint32_t v = 0; v < r->graph->n; v++)
        splits += ksda_i_share_parts(ksda_i_degree(r->graph, v), s->cap) - 1 + (uint64_t)s->spawn[v];
    return r->options->split_weight * (double)splits < r->cost;
}

/* Times as many plans: while there are some that hold, and none has led to a release, but nearly. */
static uint32_t times_as_many_plans(const ksda_i_share_search *s, bool found) {
    bool tiny = (uint64_t)s->r->graph->n + s->r->graph->m < TINY || s->best_cap == 0;
    if (found || s->quick || !s->held || s->unmet > KSDA_I_SHARE_FEW || (s->split && !tiny && !s->probing)) return 1;
    return s->split ? PATIENCE / 2 : PATIENCE;
}

/* A release is there, and there is no time or work left for another one. One that only had to exist is worth twice as
 * much work. */
static bool is_over(const ksda_i_share_search *s) {
    const ksda_i_plan_run *r = s->r;
    uint64_t twice = 2 * ksda_i_stage_share_budget(r);
    bool done = ksda_i_work_over(r->ctx) && (s->best_cap || ksda_i_work_done(r->ctx) - s->begun > twice);
    return r->best && (done || ksda_i_plan_late_now(s->r));
}

static uint32_t plans_of_a_way(const ksda_i_share_search *s, bool found) {
    const ksda_i_plan_run *r = s->r;
    if (ksda_i_share_is_large(r)) return 1;
    if (s->quick) return QUICK_PLANS;
    if (found) return r->graph->n + r->graph->m < TINY ? KSDA_I_SHARE_TRIES : FURTHER;
    if (s->probing) return FRESH;
    return r->graph->n + r->graph->m < KSDA_I_SMALL_SIZE ? 2 * KSDA_I_SHARE_TRIES : KSDA_I_SHARE_TRIES;
}

/* Forget what plans have learned from each other of who can be raised so far. */
static void forget_slack(ksda_i_share_search *s) {
    const ksda_i_ranks *l = &s->r->rounds.lists;
    for (uint32_t v = 0; v < s->r->graph->n; v++) s->slack[l->vertex[v]] = l->slack[v];
}

/* Begin with a way; possible: it can be had, and its splits might pay. */
static ksda_status begin_way(ksda_i_share_search *s, uint32_t cap, uint64_t extra, bool *possible) {
    ksda_i_plan_run *r = s->r;
    if (s->cap != cap || s->extra != extra) s->asked = s->hopeless = false;
    s->cap = cap, s->extra = extra, s->held = false, s->unmet = s->last_unmet = UINT64_MAX;
    s->beams = s->long_beam ? 0 : FRESH, s->wary = false;
    if (!s->asked) ksda_i_free(r->ctx, s->rise), s->rise = NULL;
    memset(s->scarce, 0, r->communities->count * sizeof *s->scarce);
    memcpy(s->meet, s->free, r->communities->count * sizeof *s->meet);
    ksda_status status = ksda_i_share_spawn(s, possible);
    if (status >= 0) s->key = ksda_i_share_key(s);
    if (status >= 0 && r->best && !splits_may_pay(s)) *possible = false;
    return status;
}

/* A plan that could not be realized is changed a little, knowing what was learned, as long as less and less is left
 * unmet: that takes a small part of the work for another plan, and leads to a release more often. */
static ksda_status mend_plans(ksda_i_share_search *s, uint32_t number, bool *complete) {
    ksda_status status = KSDA_OK;
    uint64_t least = s->last_unmet, begun = ksda_i_work_done(s->r->ctx), before = s->mended;
    for (uint32_t i = 0, idle = 0; i < MENDS && idle < MEND_IDLE && status >= 0; i++) {
        if (*complete || s->last_unmet > MEND_FAR || ksda_i_work_over(s->r->ctx) || is_over(s)) break;
        if (s->quick && s->mended > ksda_i_stage_share_budget(s->r) / MENDED_PART) break;
        s->mending = true;
        status = ksda_i_share_attempt(s, (number + 1) * MEND_NUMBER + i, complete);
        s->mending = false;
        if (s->quick) s->mended = before + ksda_i_work_done(s->r->ctx) - begun;
        idle = s->last_unmet < least ? 0 : idle + 1;
        if (s->last_unmet < least) least = s->last_unmet;
    }
    return status;
}

/* What is known of the way; NULL without memory. */
static ksda_i_share_way *recall_way(ksda_i_share_search *s) {
    for (uint64_t i = 0; i < s->ways; i++)
        if (s->way[i].key == s->key) return &s->way[i];
    if (ksda_i_reserve(s->r->ctx, &s->way, &s->way_capacity, s->ways + 1, sizeof *s->way) < 0) return NULL;
    s->way[s->ways] = (ksda_i_share_way){.key = s->key};
    return &s->way[s->ways++];
}

static ksda_status try_cap_and_extra(ksda_i_share_search *s, uint32_t cap, uint64_t extra, bool *found) {
    ksda_i_plan_run *r = s->r;
    ksda_status status = KSDA_OK;
    uint32_t tries = plans_of_a_way(s, *found);
    bool possible;
    KSDA_I_TRY(begin_way(s, cap, extra, &possible));
    ksda_i_share_way *known = recall_way(s);
    if (!known) KSDA_I_TRY(KSDA_NOMEM);
    s->hopeless |= known->hopeless;
    uint32_t *done = &known->plans[!s->quick], first = s->only_ask ? 0 : *done; /* the same ones would come again */
    if (first) s->beams = 0;
    for (uint32_t i = first; i < tries * times_as_many_plans(s, *found) && possible && !s->hopeless; i++) {
        bool complete;
        if (is_over(s) || (s->quick && *found) || (s->only_ask && i > first)) break;
        if (s->best_cap && !s->split && i >= tries &&
            ksda_i_work_left(r->ctx) < (double)ksda_i_stage_share_budget(r) / 2)
            break;
        if (s->best_cap && i >= FRESH && s->held && s->unmet > KSDA_I_SHARE_FAR) break;
        bool nearly =
            s->last_unmet <= KSDA_I_SHARE_FEW && i % (FRESH * PATIENCE) > 0; /* what was learned is worth keeping */
        if (i % FRESH == 0 && !nearly) forget_slack(s);
        s->wary = i % 2 == 1;
        if (!s->wary) memcpy(s->meet, s->free, r->communities->count * sizeof *s->meet);
        if (s->beamed && nearly && s->beams == 0) s->beams = 1;
        KSDA_I_TRY(ksda_i_share_attempt(s, i, &complete));
        if (complete || !s->beamed) s->beams = 0;
        KSDA_I_TRY(mend_plans(s, i, &complete));
        if (!s->only_ask) *done = i + 1;
        *found |= complete;
    }
    known->hopeless |= s->hopeless;
done:
    return status;
}

/* Has the linear program no solution with that cap and so many further pieces? */
static ksda_status is_hopeless(ksda_i_share_search *s, uint32_t cap, uint64_t extra, bool *yes) {
    bool found = false;
    s->only_ask = true;
    ksda_status status = try_cap_and_extra(s, cap, extra, &found);
    s->only_ask = false;
    *yes = s->hopeless;
    return status;
}

/* Fewer pieces than are known to do, down to a number that was too few. */
static ksda_status try_fewer_pieces(ksda_i_share_search *s, uint32_t cap, uint64_t few, uint64_t enough,
                                    uint32_t times) {
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
static ksda_status try_pieces(ksda_i_share_search *s, uint32_t cap, bool *found) {
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
static ksda_status try_higher_caps(ksda_i_share_search *s, uint32_t high) {
    ksda_status status = KSDA_OK;
    uint32_t enough = s->cap_found;
    s->probing = true;
    for (uint32_t i = 0; i < CAP_HALVINGS && high > enough + 1; i++) {
        uint32_t middle = (uint32_t)sqrt((double)enough * high);
        double cost = s->r->cost;
        bool found = false;
        KSDA_I_TRY(try_cap_and_extra(s, middle > enough ? middle : enough + 1, 0, &found));
        *(s->r->cost < cost || s->key == s->best_key ? &enough : &high) = s->cap;
    }
    s->cap_found = enough;
done:
    s->probing = false;
    return status;
}

/* A first release: one after the other further pieces, one in so many of the vertices, and lower and lower caps, then
 * higher ones again. *known: how many further pieces it took, where nobody was cut. */
static ksda_status find_first_release(ksda_i_share_search *s, uint32_t top, uint64_t *known) {
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
static ksda_status search_best_way(ksda_i_share_search *s) {
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
        KSDA_I_TRY(ksda_i_share_attempt(s, KSDA_I_SHARE_TRIES * PATIENCE * FRESH + i, &complete));
        idle = r->cost < cost ? 0 : idle + 1;
    }
done:
    ksda_i_work_finish(r->ctx, around);
    return status;
}

/* Ways that treat communities differently. */
static ksda_status try_even_ways(ksda_i_share_search *s) {
    double cost = s->r->cost;
    forget_slack(s);
    ksda_status status = ksda_i_share_even(s->r, s->slack);
    if (s->r->cost < cost) s->best_cap = 0;
    return status;
}

ksda_status ksda_i_stage_share(ksda_i_plan_run *r) {
    ksda_status status = KSDA_NOMEM;
    ksda_i_share_search s = {.r = r, .begun = ksda_i_work_done(r->ctx)};
    uint32_t top = 0;
    uint64_t known = 0;
    bool found = false;
    if (ksda_i_share_parity_forbids(r)) return KSDA_OK; /* nobody is to search for what is not there */
    s.spawn = ksda_i_malloc(r->ctx, r->graph->n, sizeof *s.spawn);
    s.slack = ksda_i_malloc(r->ctx, r->graph->n, sizeof *s.slack);
    s.scarce = ksda_i_malloc(r->ctx, r->communities->count, sizeof *s.scarce);
    s.free = ksda_i_malloc(r->ctx, r->communities->count, sizeof *s.free);
    s.meet = ksda_i_malloc(r->ctx, r->communities->count, sizeof *s.meet);
    if (!s.spawn || !s.slack || !s.scarce || !s.free || !s.meet) goto done;
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
    ksda_i_free(r->ctx, s.meet);
    ksda_i_free(r->ctx, s.rise);
    ksda_i_free(r->ctx, s.lately);
    ksda_i_free(r->ctx, s.way);
    return status;
}
