/* Releases within a share bound that have everybody at a few degrees, each community in as many pieces as it takes.
 *
 * Where a community is large or dense its people cannot be split, or cannot rise, as those of others do, and plans that
 * treat all communities alike find nothing. Here a ladder of odd degrees is given, down to 1. Everybody stands at the
 * highest of them at which it can in the fewest pieces: links between the pieces of a person, which are free, raise
 * them, and edges inside the community do the rest; in pieces of one edge everybody who has one can stand at degree 1.
 * From the top down, where one community is too large for what the others can have, its smallest members stand lower.
 * Then the others are cut into more pieces, up to one edge each, until the share holds. Who has no edge and nobody to
 * get one from stays at degree 0, beside others who have none.
 *
 * As all degrees are odd, the needs of a community can be paired exactly where it has an odd number of pieces and of
 * ends of edges, or an even number of both, and that is a matter of one piece more or less.
 *
 * Many ladders are counted out and those with the fewest splits are realized. Where that leads to no release, a linear
 * program says who stands where to begin with: so that hubs of others are not all spent on the highest degrees. Time
 * O((n + m) * levels) for a ladder that is counted out, and a realization for one that is tried; memory 24 bytes a
 * vertex. */
#include "methods/levelplan/share_ladder.h"
#include "methods/levelplan/share_plan.h"

#include "core/sort.h"
#include "methods/levelplan/stages.h"

#include <stdlib.h>

#define TOP_STEP 16u    /* from one ladder to the next the top goes down by this part, and by 2 at least */
#define PLACED_STEP 1.3 /* likewise, by this factor, where a linear program is asked */
#define STEPS 4u        /* factors from one degree of a ladder to the next that are tried */
#define MOST_LADDERS 512u
#define MOST_TRIES 24u  /* ladders that are realized without leading to a release */
#define LESSONS 6u      /* realizations of a ladder, each of which knows what the ones before could not do */
#define LARGER 256u     /* numbers of the largest community's pieces that are tried, one after the other */
#define WORK_PART 16u   /* of all work, once there is a release */
#define AT_A_TIME 64u   /* one part in so many of a community's pieces leaves a level at a time */
#define COUNT_UNITS 40u /* of work, for a vertex and each of its edges */
#define ANY 2u          /* as a parity */

typedef struct even_ladder {
    uint32_t top;
    ksda_i_ladder_edges edges;
    double step;
    uint64_t splits;
} even_ladder;

/* --- one person --------------------------------------------------------------------------------------------------- */

static uint32_t min_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t most_parts(const ksda_i_ladder *s, uint32_t v, uint32_t at_most) {
    uint32_t edges = ksda_i_degree(s->r->graph, v) - s->ones[v],
             parts = ksda_i_ladder_most(s, v, s->level[s->at[v]], edges, at_most);
    return parts ? parts : s->parts[v];
}

/* Have v stand at the highest level from this one on, but where fewer pieces do further down; false where it can at
 * none. */
static bool stand_from(ksda_i_ladder *s, uint32_t v, uint32_t from) {
    uint32_t best = 0, edges = ksda_i_degree(s->r->graph, v) - s->ones[v];
    for (uint32_t i = from; i < s->levels && best != 1; i++) {
        uint32_t parts = ksda_i_ladder_fewest(s, v, s->level[i], edges);
        if (parts && (!best || parts < best)) best = parts, s->at[v] = i;
    }
    if (best) s->parts[v] = best;
    return best > 0;
}

/* Have v stand where the linear program has it, or could have it as long as it could rise further; false where it has
 * no edge and gets none. */
static bool stand_in_place(ksda_i_ladder *s, uint32_t v) {
    uint32_t level = s->place[v];
    if (level == s->levels) return stand_from(s, v, s->levels - 1) || stand_from(s, v, 0);
    s->at[v] = level, s->parts[v] = ksda_i_ladder_fewest(s, v, s->level[level], ksda_i_degree(s->r->graph, v));
    return s->parts[v] || stand_from(s, v, 0);
}

/* --- how many of each community ----------------------------------------------------------------------------------- */

/* So many pieces of c, as far as it can, and of the right parity; no more than the most. */
static uint64_t fitted(const ksda_i_ladder *s, uint32_t c, uint64_t each, uint64_t most) {
    uint64_t high = s->high[c] < most ? s->high[c] : most, x = each < s->low[c] ? s->low[c] : each > high ? high : each;
    if (s->parity[c] == ANY || (x & 1) == s->parity[c]) return x;
    return x > s->low[c] ? x - 1 : x + 1;
}

static uint64_t filled(const ksda_i_ladder *s, uint64_t each, uint64_t most) {
    uint64_t sum = 0;
    for (uint32_t c = 0; c < s->r->communities->counted; c++) sum += fitted(s, c, each, most);
    return sum;
}

static uint64_t needed_beside(const ksda_i_ladder *s, uint64_t most) {
    ksda_share share = s->r->options->max_share;
    return (most * share.denominator + share.numerator - 1) / share.numerator;
}

/* The largest community's pieces: as few as it needs. What all can have grows no faster than the largest, so that more
 * help only with parity. 0 where the share cannot hold. */
static uint64_t largest_that_can_be_met(const ksda_i_ladder *s) {
    uint64_t most = 0, highest = 0;
    for (uint32_t c = 0; c < s->r->communities->counted; c++) {
        uint64_t low = fitted(s, c, s->low[c], UINT64_MAX);
        if (low > most) most = low;
        if (s->high[c] > highest) highest = s->high[c];
    }
    for (uint32_t i = 0; i < LARGER && most && most <= highest; i++, most++)
        if (filled(s, most, most) >= needed_beside(s, most)) return most;
    return 0;
}

/* Share out as few pieces as the share and k ask for, those of the smallest communities first. False where it cannot be
 * done; where nobody has to be there nobody is. */
static bool share_out(ksda_i_ladder *s) {
    uint32_t counted = s->r->communities->counted, present = 0;
    uint64_t sum = 0, each = 0, over = 0;
    memcpy(s->wanted, s->low, s->r->communities->count * sizeof *s->wanted);
    for (uint32_t c = 0; c < counted; c++) sum += s->low[c];
    if (sum == 0) return true;
    uint64_t most = largest_that_can_be_met(s), high = most;
    if (most == 0) return false;
    while (each < high) { /* the least number that will do */
        uint64_t middle = each + (high - each) / 2;
        if (filled(s, middle, most) >= needed_beside(s, most))
            high = middle;
        else
            each = middle + 1;
    }
    over = filled(s, each, most) - needed_beside(s, most);
    for (uint32_t c = 0; c < counted; c++) {
        uint64_t step = s->parity[c] == ANY ? 1 : 2;
        s->wanted[c] = fitted(s, c, each, most);
        if (over >= step && s->wanted[c] >= s->low[c] + step && s->wanted[c] > step) s->wanted[c] -= step, over -= step;
        present += s->wanted[c] > 0;
    }
    for (uint32_t c = 0; c < counted && present < s->r->options->k; c++)
        if (s->wanted[c] == 0 && s->high[c]) s->wanted[c] = 1, present++;
    return present >= s->r->options->k;
}

/* --- who stands where --------------------------------------------------------------------------------------------- */

static void forget_counts(ksda_i_ladder *s) {
    uint32_t m = s->r->communities->count;
    memset(s->low, 0, m * sizeof *s->low), memset(s->high, 0, m * sizeof *s->high), memset(s->parity, ANY, m);
}

/* At degree 0 are those who have to be, and as many as it takes of others without edges. */
static bool keep_some_isolated(ksda_i_ladder *s) {
    const ksda_communities *c = s->r->communities;
    forget_counts(s);
    for (uint32_t v = 0; v < s->r->graph->n; v++) {
        if (ksda_i_degree(s->r->graph, v)) continue;
        s->low[c->of[v]] += s->parts[v] == 0, s->high[c->of[v]]++;
    }
    if (!share_out(s)) return false;
    for (uint32_t i = 0; i < c->counted; i++)
        for (uint32_t j = c->start[i]; j < c->start[i + 1] && s->wanted[i] > s->low[i]; j++) {
            uint32_t v = c->member[j];
            if (ksda_i_degree(s->r->graph, v) == 0 && s->parts[v]) s->parts[v] = 0, s->wanted[i]--;
        }
    return true;
}

/* Who is at a level: what each community needs there, and can have. */
static void count_level(ksda_i_ladder *s, uint32_t level) {
    forget_counts(s);
    for (uint32_t v = 0; v < s->r->graph->n; v++) {
        uint32_t c = s->r->communities->of[v];
        if (s->at[v] != level || s->parts[v] == 0) continue;
        s->low[c] += s->parts[v], s->high[c] += most_parts(s, v, UINT32_MAX);
    }
}

/* The smallest member of c at the level who can stand lower does; false where nobody can. next: where to look on. */
static bool stand_lower(ksda_i_ladder *s, uint32_t level, uint32_t c, uint32_t *next) {
    const ksda_i_ranks *l = &s->r->rounds.lists;
    while (*next > l->start[c]) {
        uint32_t v = l->vertex[--*next], parts = s->parts[v];
        if (s->at[v] != level || parts == 0) continue;
        uint32_t most = most_parts(s, v, UINT32_MAX);
        if (!stand_from(s, v, level + 1)) continue;
        s->low[c] -= parts, s->high[c] -= most;
        return true;
    }
    return false;
}

/* Where the largest community at a level has more than the others can meet its smallest members stand lower, one by one
 * where there are few, else a small part of them at a time, so that what the others can have is asked some hundred
 * times a community at most. False as well where we must stop. */
static bool balance_level(ksda_i_ladder *s, uint32_t level, uint32_t *next) {
    const ksda_communities *c = s->r->communities;
    count_level(s, level);
    for (uint32_t i = 0; i < c->count; i++) next[i] = c->start[i + 1];
    while (!share_out(s)) {
        uint32_t largest = c->counted;
        for (uint32_t i = 0; i < c->counted; i++)
            if (s->low[i] && (largest == c->counted || s->low[i] > s->low[largest])) largest = i;
        if (largest == c->counted) return true; /* nobody is there any more */
        uint64_t lower = s->low[largest] - s->low[largest] / AT_A_TIME - 1;
        while (s->low[largest] > lower)
            if (!stand_lower(s, level, largest, &next[largest])) return false;
        if (ksda_i_cancelled(s->r->ctx)) return false;
    }
    return true;
}

/* Edges that v, who stands higher, can leave in pieces of one and still stand there. */
static uint32_t spare_edges(const ksda_i_ladder *s, uint32_t v) {
    return s->parts[v] ? ksda_i_ladder_spare(s, v, s->level[s->at[v]]) : 0;
}

/* At degree 1, beside those who stand there, are pieces that the largest of others leave. */
static bool leave_some_ones(ksda_i_ladder *s) {
    const ksda_communities *c = s->r->communities;
    const ksda_i_ranks *l = &s->r->rounds.lists;
    count_level(s, s->levels - 1);
    for (uint32_t v = 0; v < s->r->graph->n; v++) s->high[c->of[v]] += spare_edges(s, v);
    if (!share_out(s)) return false;
    for (uint32_t i = 0; i < c->counted; i++)
        for (uint32_t j = l->start[i]; j < l->start[i + 1] && s->wanted[i] > s->low[i]; j++) {
            uint32_t v = l->vertex[j], spare = spare_edges(s, v);
            uint64_t open = s->wanted[i] - s->low[i];
            if (spare == 0) continue;
            s->ones[v] = spare < open ? spare : (uint32_t)open, s->wanted[i] -= s->ones[v];
            s->parts[v] = ksda_i_ladder_fewest(s, v, s->level[s->at[v]], ksda_i_degree(s->r->graph, v) - s->ones[v]);
            if (s->parts[v] == 0) return false;
        }
    return true;
}

/* Members of c are cut into more pieces, the largest first and each as far as it goes: the more pieces, the more links.
 */
static void cut_more(ksda_i_ladder *s, uint32_t level, uint32_t c) {
    const ksda_i_ranks *l = &s->r->rounds.lists;
    for (uint32_t j = l->start[c]; j < l->start[c + 1] && s->low[c] < s->wanted[c]; j++) {
        uint32_t v = l->vertex[j];
        if (s->at[v] != level || s->parts[v] == 0) continue;
        uint64_t open = s->wanted[c] - s->low[c];
        uint32_t more = most_parts(s, v, s->parts[v] + (uint32_t)min_of((uint32_t)open, UINT32_MAX / 2));
        if (more > s->parts[v]) s->low[c] += more - s->parts[v], s->parts[v] = more;
    }
}

/* What there is at a level, as it stands in low: in all, of the largest communities, and how many these are. */
typedef struct fill {
    uint64_t sum, most;
    uint32_t present, largest;
} fill;

static fill fill_of(const ksda_i_ladder *s) {
    fill f = {0};
    for (uint32_t c = 0; c < s->r->communities->counted; c++) {
        f.sum += s->low[c], f.present += s->low[c] > 0;
        if (s->low[c] > f.most) f.most = s->low[c], f.largest = 0;
        f.largest += s->low[c] == f.most;
    }
    return f;
}

/* Is nobody above the share? */
static bool fill_holds(const ksda_i_ladder *s, const fill *f) {
    ksda_share share = s->r->options->max_share;
    return f->sum == 0 || (f->most * share.denominator <= f->sum * share.numerator && f->present >= s->r->options->k);
}

/* Pieces come one by one or in pairs, so that a community may have one fewer than it was to have: others are cut into
 * more then, as long as none has more than the largest. */
static bool cut_until_it_holds(ksda_i_ladder *s, uint32_t level) {
    uint32_t counted = s->r->communities->counted;
    fill f = fill_of(s);
    for (bool more = true; more && !fill_holds(s, &f) && !ksda_i_cancelled(s->r->ctx);) {
        more = false;
        for (uint32_t c = 0; c < counted && !fill_holds(s, &f); c++) {
            uint64_t before = s->low[c];
            s->wanted[c] = before + 2 < f.most ? before + 2 : f.most;
            cut_more(s, level, c);
            f.sum += s->low[c] - before, f.present += before == 0 && s->low[c] > 0;
            more |= s->low[c] > before;
        }
    }
    return fill_holds(s, &f);
}

/* Who is at a level, with the pieces that others have left there. */
static void count_all_at(ksda_i_ladder *s, uint32_t level) {
    const ksda_communities *c = s->r->communities;
    count_level(s, level);
    if (level == 0 || level + 1 < s->levels) return;
    for (uint32_t v = 0; v < s->r->graph->n; v++)
        s->low[c->of[v]] += s->parts[v] ? s->ones[v] : 0, s->high[c->of[v]] += s->ones[v];
}

/* With one piece more or less of c, which counts. Without one of the largest, which is then one less, nobody has more.
 */
static fill fill_with(const ksda_i_ladder *s, const fill *f, uint32_t c, int change) {
    uint64_t now = s->low[c] + (uint64_t)change;
    fill g = *f;
    if (c >= s->r->communities->counted) return g;
    g.sum += (uint64_t)change, g.present -= now == 0;
    if (now > f->most || (change < 0 && s->low[c] == f->most && f->largest == 1)) g.most = now;
    return g;
}

/* One piece more or less of c at the level, which is counted. */
static bool change_one(ksda_i_ladder *s, uint32_t level, uint32_t c, fill *f) {
    const ksda_i_ranks *l = &s->r->rounds.lists;
    for (int change = -1; change <= 1; change += 2) {
        fill with = fill_with(s, f, c, change);
        for (uint32_t j = l->start[c]; j < l->start[c + 1] && fill_holds(s, &with); j++) {
            uint32_t v = l->vertex[j], parts = s->parts[v] + (uint32_t)change,
                     edges = ksda_i_degree(s->r->graph, v) - s->ones[v];
            if (s->at[v] != level || s->parts[v] == 0 || parts == 0) continue;
            if (!ksda_i_ladder_stands(s, v, s->level[level], edges, parts)) continue;
            bool among_largest = s->low[c] + 1 >= f->most; /* how many of them there are may change */
            s->parts[v] = parts, s->low[c] += (uint64_t)change, s->others[c] += (uint64_t)change;
            *f = among_largest ? fill_of(s) : with;
            return true;
        }
    }
    return false;
}

/* A community that has oddly many pieces, and ends of edges evenly, or the other way round, gets one more or less, at
 * the highest level where the share holds then. */
static bool fit_parity(ksda_i_ladder *s) {
    uint32_t communities = s->r->communities->count, odd = 0;
    for (uint32_t c = 0; c < communities; c++) odd += s->others[c] & 1;
    for (uint32_t i = 0; i < s->levels && odd && !ksda_i_cancelled(s->r->ctx); i++) {
        count_all_at(s, i);
        fill f = fill_of(s);
        for (uint32_t c = 0; c < communities && !ksda_i_cancelled(s->r->ctx); c++)
            if (s->low[c] && s->others[c] & 1) odd -= change_one(s, i, c, &f);
    }
    return odd == 0;
}

/* As many pieces at a level as the share asks for. The top is filled last, and sees to parity. */
static bool fill_level(ksda_i_ladder *s, uint32_t level) {
    const ksda_communities *c = s->r->communities;
    count_all_at(s, level);
    for (uint32_t i = 0; i < c->count && level == 0; i++)
        if (s->high[i] > s->low[i]) s->parity[i] = s->others[i] & 1;
    if (!share_out(s)) return false;
    for (uint32_t i = 0; i < c->count; i++) cut_more(s, level, i);
    bool holds = cut_until_it_holds(s, level);
    for (uint32_t i = 0; i < c->count; i++) s->others[i] += s->low[i];
    return holds && (level > 0 || fit_parity(s));
}

/* Might a release with so many splits be the cheapest? */
static bool may_pay(const ksda_i_plan_run *r, uint64_t splits) {
    return splits < UINT64_MAX && (!r->best || r->options->split_weight * (double)splits < r->cost);
}

/* Count a ladder out; *splits is UINT64_MAX where it cannot be had. */
static ksda_status count_out(ksda_i_ladder *s, uint32_t *next, uint64_t *splits) {
    const ksda_graph *g = s->r->graph;
    bool holds;
    *splits = UINT64_MAX;
    ksda_i_work(s->r->ctx, COUNT_UNITS * s->levels * (g->n + g->m));
    memset(s->ones, 0, g->n * sizeof *s->ones), memset(s->parts, 0, g->n * sizeof *s->parts);
    memset(s->others, 0, s->r->communities->count * sizeof *s->others);
    uint64_t least = 0;
    for (uint32_t v = 0; v < g->n; v++) {
        s->at[v] = 0;
        if (s->placed ? stand_in_place(s, v) : stand_from(s, v, 0)) least += s->parts[v] - 1;
    }
    if (!may_pay(s->r, least)) return ksda_i_interrupted(s->r->ctx);
    for (uint32_t v = 0; v < g->n; v++) s->others[s->r->communities->of[v]] += ksda_i_degree(g, v);
    holds = keep_some_isolated(s);
    for (uint32_t i = 0; i + 1 < s->levels && holds; i++) holds = balance_level(s, i, next);
    holds = holds && (s->levels == 1 || leave_some_ones(s));
    for (uint32_t i = s->levels; i-- > 0 && holds;) holds = fill_level(s, i);
    if (holds) *splits = 0;
    for (uint32_t v = 0; v < g->n && holds; v++)
        if (s->parts[v] + s->ones[v] > 1) *splits += (uint64_t)s->parts[v] + s->ones[v] - 1;
    return ksda_i_interrupted(s->r->ctx);
}

/* --- realizing ---------------------------------------------------------------------------------------------------- */

static ksda_status write_plan(const ksda_i_ladder *s, ksda_i_plan *plan) {
    const ksda_graph *g = s->r->graph;
    uint64_t pieces = 0;
    for (uint32_t v = 0; v < g->n; v++) pieces += (uint64_t)s->parts[v] + s->ones[v];
    plan->target = ksda_i_malloc(s->r->ctx, g->n, sizeof *plan->target);
    plan->level = ksda_i_malloc(s->r->ctx, KSDA_I_LADDER_LEVELS + 1, sizeof *plan->level);
    plan->piece = ksda_i_malloc(s->r->ctx, pieces, sizeof *plan->piece);
    if (!plan->target || !plan->level || !plan->piece) return KSDA_NOMEM;
    plan->share = s->r->options->max_share, plan->spread = true;
    bool open[KSDA_I_LADDER_LEVELS + 1] = {false};
    for (uint32_t v = 0; v < g->n; v++) {
        bool split = s->parts[v] + s->ones[v] > 1;
        plan->target[v] = split ? KSDA_I_SPLIT : s->parts[v] ? s->level[s->at[v]] : 0;
        open[s->parts[v] ? s->at[v] : s->levels] = true, open[s->levels - 1] |= s->ones[v] > 0;
        for (uint32_t i = 0; split && i < s->parts[v] + s->ones[v]; i++)
            plan->piece[plan->pieces++] = (ksda_i_placing){v, i < s->parts[v] ? s->level[s->at[v]] : 1};
    }
    for (uint32_t i = 0; i <= s->levels; i++)
        if (open[i]) plan->level[plan->levels++] = i < s->levels ? s->level[i] : 0;
    return KSDA_OK;
}

/* Who could not be raised as far as planned is not asked for so much again. */
static void learn_slack(ksda_i_ladder *s, const ksda_i_pieces *p, const ksda_i_realization *made) {
    for (uint32_t x = 0; x < p->count; x++) {
        uint32_t v = p->owner[x], asked = p->target[x] - p->degree[x], lacking = min_of(made->short_of[x], asked);
        if (lacking && s->slack[v] > asked - lacking) s->slack[v] = asked - lacking;
    }
}

/* What was counted out last is offered, if the edges are found. */
static ksda_status realize_ladder(ksda_i_ladder *s, bool *complete) {
    ksda_i_plan_run *r = s->r;
    ksda_i_plan plan = {0};
    ksda_i_pieces p = {0};
    ksda_i_realization made = {0};
    ksda_edits *edits = NULL;
    bool found = false;
    ksda_status status;
    *complete = false;
    KSDA_I_TRY(write_plan(s, &plan));
    KSDA_I_TRY(ksda_i_pieces_make(r->ctx, r->graph, r->communities, &plan, r->options->split_weight, &p, &found));
    if (!found) goto done;
    ksda_i_work(r->ctx, KSDA_I_REALIZE_UNITS * (r->graph->n + r->graph->m));
    KSDA_I_TRY(ksda_i_realize(r->ctx, r->graph, r->communities, &plan, &p, r->options->k, r->options->favour, &made));
    *complete = made.unmet == 0;
    if (*complete) {
        KSDA_I_TRY(ksda_i_plan_join(r->ctx, &p, &made, &edits));
        status = ksda_i_plan_offer(r, edits);
    } else {
        learn_slack(s, &p, &made);
    }
done:
    ksda_i_realization_clear(r->ctx, &made);
    ksda_i_pieces_clear(r->ctx, &p);
    ksda_i_plan_clear(r->ctx, &plan);
    return status;
}

/* --- all ladders -------------------------------------------------------------------------------------------------- */

static int by_splits(const void *a, const void *b) {
    const even_ladder *x = a, *y = b;
    if (x->splits != y->splits) return x->splits < y->splits ? -1 : 1;
    if (x->top != y->top) return x->top < y->top ? -1 : 1;
    if (x->step != y->step) return x->step < y->step ? -1 : 1;
    return (int)x->edges - (int)y->edges;
}

/* From the top down by a factor; odd numbers, and 1 at last. */
static void make_ladder(ksda_i_ladder *s, const even_ladder *x) {
    s->levels = 0, s->edges = x->edges;
    for (double next = x->top; next >= 3 && s->levels + 1 < KSDA_I_LADDER_LEVELS; next /= x->step) {
        uint32_t level = (uint32_t)next | 1;
        if (s->levels && s->level[s->levels - 1] <= level) level = s->level[s->levels - 1] - 2;
        if (level < 3) break;
        s->level[s->levels++] = level;
        if (level < next) next = level;
    }
    s->level[s->levels++] = 1;
}

static uint32_t largest_degree(const ksda_graph *g) {
    uint32_t top = 1;
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) > top) top = ksda_i_degree(g, v);
    return top;
}

/* From the largest degree down. */
static ksda_status count_ladders(ksda_i_ladder *s, uint32_t *next, even_ladder *out, uint32_t *count) {
    static const double steps[STEPS] = {1e9, 4, 2, 1.4};
    ksda_status status = KSDA_OK;
    uint32_t top = largest_degree(s->r->graph);
    *count = 0;
    for (uint32_t level = top | 1; *count + 2 * STEPS <= MOST_LADDERS;) {
        for (uint32_t i = 0; i < 2 * STEPS; i++) {
            even_ladder *x = &out[*count];
            *x = (even_ladder){level, i % 2 ? KSDA_I_LADDER_NONE : KSDA_I_LADDER_ANY, steps[i / 2], 0};
            make_ladder(s, x);
            KSDA_I_TRY(count_out(s, next, &x->splits));
            if (may_pay(s->r, x->splits)) ++*count;
            if (s->r->best && (ksda_i_work_over(s->r->ctx) || ksda_i_plan_late_now(s->r))) goto done;
        }
        uint32_t step = level / TOP_STEP;
        if (level == 1) break;
        level -= step < 2 ? 2 : step + step % 2;
    }
done:
    return status;
}

/* One ladder, with what each realization has taught about who cannot be raised. placing: by a linear program. */
static ksda_status try_ladder(ksda_i_ladder *s, const uint32_t *slack, uint32_t *next, const even_ladder *x,
                              bool placing, bool *complete) {
    ksda_status status = KSDA_OK;
    uint64_t splits;
    memcpy(s->slack, slack, s->r->graph->n * sizeof *slack);
    make_ladder(s, x);
    *complete = false;
    for (uint32_t i = 0; i < LESSONS && !*complete; i++) {
        if (placing) KSDA_I_TRY(ksda_i_ladder_place(s));
        if (placing && !s->placed) break;
        KSDA_I_TRY(count_out(s, next, &splits));
        if (!may_pay(s->r, splits)) break;
        KSDA_I_TRY(realize_ladder(s, complete));
    }
done:
    return status;
}

static ksda_status try_ladders(ksda_i_ladder *s, const uint32_t *slack, uint32_t *next, const even_ladder *x,
                               uint32_t count) {
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0, failed = 0; i < count && failed < MOST_TRIES; i++) {
        bool complete;
        if (!may_pay(s->r, x[i].splits)) continue;
        if (s->r->best && (ksda_i_work_over(s->r->ctx) || ksda_i_plan_late_now(s->r))) break;
        KSDA_I_TRY(try_ladder(s, slack, next, &x[i], false, &complete));
        failed += !complete;
    }
done:
    return status;
}

/* Where nothing else has led to a release: ladders at which a linear program has everybody stand. */
static ksda_status try_placed_ladders(ksda_i_ladder *s, const uint32_t *slack, uint32_t *next) {
    static const ksda_i_ladder_edges edges[] = {KSDA_I_LADDER_FEW, KSDA_I_LADDER_ANY, KSDA_I_LADDER_NONE};
    static const double steps[] = {1.4, 2, 4};
    ksda_status status = KSDA_OK;
    if (s->r->best) return KSDA_OK;
    for (uint32_t level = largest_degree(s->r->graph) | 1;; level = (uint32_t)(level / PLACED_STEP) | 1) {
        for (uint32_t i = 0; i < 9; i++) {
            even_ladder x = {level, edges[i % 3], steps[i / 3], 0};
            bool complete;
            if (s->r->best && (ksda_i_work_over(s->r->ctx) || ksda_i_plan_late_now(s->r))) goto done;
            KSDA_I_TRY(try_ladder(s, slack, next, &x, true, &complete));
        }
        if (level <= 3) break;
    }
done:
    return status;
}

ksda_status ksda_i_share_even(ksda_i_plan_run *r, const uint32_t *slack) {
    ksda_status status = KSDA_NOMEM;
    uint32_t n = r->graph->n, m = r->communities->count, count;
    if (!may_pay(r, 1)) return KSDA_OK;
    ksda_i_ladder s = {.r = r, .slack = ksda_i_malloc(r->ctx, 5 * (uint64_t)n, sizeof *s.slack)};
    even_ladder *ladder = ksda_i_malloc(r->ctx, MOST_LADDERS, sizeof *ladder);
    uint32_t *next = ksda_i_malloc(r->ctx, m, sizeof *next);
    s.low = ksda_i_malloc(r->ctx, 4 * (uint64_t)m, sizeof *s.low);
    s.parity = ksda_i_malloc(r->ctx, m, sizeof *s.parity);
    uint64_t around = ksda_i_work_begin(r->ctx, ksda_i_stage_share_budget(r) / WORK_PART);
    if (!s.slack || !ladder || !next || !s.low || !s.parity) goto done;
    s.at = s.slack + n, s.parts = s.at + n, s.ones = s.parts + n, s.place = s.ones + n;
    s.high = s.low + m, s.wanted = s.high + m, s.others = s.wanted + m;
    memcpy(s.slack, slack, n * sizeof *slack);
    KSDA_I_TRY(count_ladders(&s, next, ladder, &count));
    ksda_i_sort_by(ladder, count, sizeof *ladder, by_splits);
    KSDA_I_TRY(try_ladders(&s, slack, next, ladder, count));
    KSDA_I_TRY(try_placed_ladders(&s, slack, next));
done:
    ksda_i_work_finish(r->ctx, around);
    ksda_i_free(r->ctx, s.slack);
    ksda_i_free(r->ctx, ladder);
    ksda_i_free(r->ctx, next);
    ksda_i_free(r->ctx, s.low);
    ksda_i_free(r->ctx, s.parity);
    return status;
}
