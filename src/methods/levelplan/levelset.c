/* Releases with few levels, for k near the number of communities.
 *
 * If (nearly) all communities must be at every level, the smallest community decides: a single vertex of degree 3
 * becomes at most three pieces, so there are at most three levels, and it reaches a high one only by its neighbours:
 * every further piece of a neighbour may carry a further representative of their edge. So hubs that must be split
 * anyway lift their small neighbours, and a piece of u can reach the level t if the vertices around it (neighbours and
 * community) have t pieces in all.
 *
 * For a set of levels everybody goes to the next one above, larger ones in as few pieces as there must be; communities
 * that are missing at a level raise somebody or leave a piece there; where a level is out of reach, whoever helps most
 * is split further; levelset_edges.c finds the edges, and what it cannot meet again asks for further pieces. Degrees
 * that k communities have anyway are always levels; sets of up to three more, the cheapest way down from each top level
 * (levelset_ladder.c) and, from the best, changes of one level are ranked by what they would cost before edges are
 * looked for. Stops at the time limit. Heuristic; no guarantee that one is found. Time O(sets * levels * n + tries *
 * pieces^3 / 64); only for networks of up to KSDA_I_LEVELSET_VERTICES.
 */
#include "methods/levelplan/levelset.h"

#include "core/sort.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>

#define GRID 10u       /* degrees that may be levels besides those that fill themselves, to begin with */
#define EXTRAS 64u     /* the most levels besides those that fill themselves */
#define TRIES 8u       /* sets of levels for which edges are looked for */
#define REPAIRS 12u    /* with further pieces that bring less than a sixteenth of what is unmet */
#define CHANGES 21u    /* see make_change() */
#define NEAR 4u        /* how many tops away another way down may begin */
#define FAR_DEARER 1.5 /* times what the best costs: a way down that by degrees costs more is not gone */
#define STALE 300u     /* changes in a row that lead to nothing cheaper than the best */
#define DETOUR 0.06    /* of what the best costs, that may be lost on the way */
#define SET_UNITS 16u  /* of work, for laying out a set of levels, for every vertex */

typedef struct level_set {
    double estimate;
    uint32_t extra[EXTRAS], extras;
} level_set;

typedef struct few_search {
    ksda_i_levelset few;
    const ksda_i_levelset_task *task;
    double below;    /* the cheapest one known costs so much */
    double most;     /* splits of the sets considered at first: better ones may lie beyond dear ones */
    uint32_t *was;   /* [KSDA_I_LEVELSET_PIECES] levels before edges were looked for */
    uint32_t *level; /* the set being tried */
    uint32_t *base;  /* [bases] degrees that k communities have, ascending */
    uint32_t bases, top;
    bool *fixed;           /* by degree: is it one of them? */
    uint32_t *peak, peaks; /* [peaks] degrees that occur, from the largest base on: tops that a set may have */
    uint64_t tried;        /* sets of levels */
    level_set list[TRIES]; /* the most promising ones, best first */
    uint32_t listed;
    double cost; /* of the release that was found last; INFINITY: none was */
} few_search;

/* --- sets of levels -------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Lay out the pieces for a set of levels, with fewer than so many splits. */
static bool lay_out_pieces(few_search *s, const level_set *set, double splits) {
    s->tried++;
    ksda_i_work(s->few.ctx, SET_UNITS * (uint64_t)s->few.graph->n);
    memcpy(s->level, s->base, s->bases * sizeof *s->level);
    memcpy(s->level + s->bases, set->extra, set->extras * sizeof *s->level);
    s->few.levels = s->bases + set->extras;
    ksda_i_sort_by(s->level, s->few.levels, sizeof *s->level, ascending);
    return ksda_i_levelset_lay_out(&s->few, splits);
}

/* Look for the edges of a release that costs less than `below`: with others raised where some were raised too far, as
 * long as that leaves less unmet; then with further pieces where they are missing; a vertex that lacks `enough` is cut
 * in two instead. */
static ksda_status attempt_release(few_search *s, const level_set *set, uint32_t enough, double below) {
    ksda_status status = KSDA_OK;
    ksda_edits *edits = NULL;
    ksda_i_levelset *f = &s->few;
    double splits = below / s->few.weight;
    s->cost = INFINITY;
    bool on = lay_out_pieces(s, set, splits);
    uint64_t least = UINT64_MAX;
    bool learning = f->learning; /* until there are further pieces, which would be lost */
    for (uint32_t idle = 0; idle < REPAIRS && on;) {
        uint64_t unmet;
        if (ksda_i_levelset_least(f) >= below) break;
        uint32_t before = f->count;
        memcpy(s->was, f->at, before * sizeof *s->was);
        KSDA_I_TRY(ksda_i_levelset_edges(f, &unmet, &edits));
        if (edits || ksda_i_work_over(f->ctx)) break;
        learning &= unmet < least;
        if (unmet >= least - least / 16) idle++;
        if (unmet < least) least = unmet;
        for (uint32_t x = 0; x < f->count; x++) {
            if (f->at[x] != s->was[x]) ksda_i_levelset_move(f, x, s->was[x]);
        }
        if (learning && ksda_i_levelset_learn(f)) {
            on = lay_out_pieces(s, set, splits);
            continue;
        }
        learning = false;
        for (uint32_t x = 0; x < before; x++) {
            if (x < f->graph->n && s->few.lacks[x] >= enough && ksda_i_levelset_cut(f, x)) s->few.lacks[x] = 0;
            s->few.lacks[x] -= s->few.lacks[x] / 2;
        }
        for (uint32_t x = before; x < f->count; x++) s->few.lacks[x] = 0;
        on = ksda_i_levelset_help(&s->few, splits) && f->count > before;
    }
    if (edits) {
        s->cost = (double)ksda_edits_added(edits, NULL) + f->weight * (f->count - f->graph->n);
        if (s->cost < s->below) s->below = s->cost;
        return s->task->offer(s->task->payload, edits);
    }
done:
    return status;
}

static int by_estimate(const void *a, const void *b) {
    const level_set *x = a, *y = b;
    return (x->estimate > y->estimate) - (x->estimate < y->estimate);
}

/* Remember a set if it is among the most promising ones; true if it is the best. */
static bool judge_level_set(few_search *s, const level_set *set) {
    double bar = s->listed == TRIES ? s->list[TRIES - 1].estimate : INFINITY;
    double splits = bar < INFINITY ? bar / s->few.weight : s->most;
    s->few.bar = bar;
    bool on = lay_out_pieces(s, set, splits);
    s->few.bar = INFINITY;
    if (!on) return false;
    double value = ksda_i_levelset_estimate(&s->few);
    if (s->listed && value >= bar) return false;
    for (uint32_t i = 0; i < s->listed; i++)
        if (s->list[i].estimate == value) return false; /* the same set, most likely */
    bool first = !s->listed || value < s->list[0].estimate;
    if (s->listed < TRIES) s->listed++;
    s->list[s->listed - 1] = *set;
    s->list[s->listed - 1].estimate = value;
    ksda_i_sort_by(s->list, s->listed, sizeof *s->list, by_estimate);
    return first;
}

/* All sets of up to three levels from the grid. */
static ksda_status try_grid(few_search *s, const uint32_t *grid, uint32_t size) {
    ksda_status status = KSDA_OK;
    for (uint32_t a = 0; a < size; a++)
        for (uint32_t b = a; b < size; b++)
            for (uint32_t c = b; c < size; c++) {
                level_set set = {.extra = {grid[a]}, .extras = 1};
                if (b > a)
                    set.extra[set.extras++] = grid[b];
                else if (c > b)
                    continue;
                if (c > b) set.extra[set.extras++] = grid[c];
                KSDA_I_TRY(ksda_i_progress_stage(s->few.ctx, a, size));
                if (s->listed && ksda_i_work_over(s->few.ctx)) goto done;
                judge_level_set(s, &set);
            }
done:
    return status;
}

static bool is_level(const few_search *s, const level_set *set, uint32_t degree) {
    for (uint32_t i = 0; i < set->extras; i++)
        if (set->extra[i] == degree) return true;
    for (uint32_t i = 0; i < s->bases; i++)
        if (s->base[i] == degree) return true;
    return degree == 0 || degree > s->top;
}

/* One change of a set: number 0 removes a level, the others move it or put another beside it. */
static bool make_change(const few_search *s, level_set *set, uint32_t which, uint32_t number) {
    static const int32_t by[] = {1, -1, 2, -2, 4, -4, 8, -8, 16, -16};
    const uint32_t moves = sizeof by / sizeof *by;
    if (number == 0) {
        set->extra[which] = set->extra[--set->extras];
        return s->bases || set->extras;
    }
    uint32_t degree = set->extra[which] + (uint32_t)by[(number - 1) % moves];
    if (is_level(s, set, degree) || (number > moves && set->extras == EXTRAS)) return false;
    set->extra[number <= moves ? which : set->extras++] = degree;
    return true;
}

static bool change_best_set(few_search *s, uint32_t which, uint32_t number) {
    level_set set = s->list[0];
    return make_change(s, &set, which, number) && judge_level_set(s, &set);
}

/* Change one level of the best set after the other while that helps and the work lasts. */
static ksda_status climb_level_by_level(few_search *s, uint64_t most) {
    ksda_status status = KSDA_OK;
    for (bool better = true; better && s->listed && s->tried < most;) {
        better = false;
        if (ksda_i_time_left(s->few.ctx) <= 0 || ksda_i_work_over(s->few.ctx)) break;
        KSDA_I_TRY(ksda_i_progress_stage(s->few.ctx, s->tried, most));
        for (uint32_t number = 0; number < CHANGES && s->tried < most; number++)
            for (uint32_t which = 0; which < s->list[0].extras && s->tried < most; which++) {
                KSDA_I_TRY(ksda_i_interrupted(s->few.ctx));
                if (ksda_i_work_over(s->few.ctx)) goto done;
                better |= change_best_set(s, which, number);
            }
    }
done:
    return status;
}

/* The levels of a release that was found otherwise; false when there are too many. */
static bool known_set(const few_search *s, level_set *set) {
    *set = (level_set){0};
    for (uint32_t i = 0; i < s->task->count; i++) {
        if (is_level(s, set, s->task->known[i])) continue;
        if (set->extras == EXTRAS) return false;
        set->extra[set->extras++] = s->task->known[i];
    }
    return s->task->count > 0;
}

/* Degrees that enough communities have, into base; and from the others up to the largest, GRID of them. */
static ksda_status choose_grid(few_search *s, uint32_t *grid, uint32_t *size) {
    ksda_i_levelset *f = &s->few;
    const ksda_graph *g = f->graph;
    ksda_status status = KSDA_NOMEM;
    uint32_t m = f->communities->count, top = 0, others = 0;
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) > top) top = ksda_i_degree(g, v);
    ksda_i_census original = {.degrees = 0};
    uint32_t *other = ksda_i_malloc(f->ctx, (uint64_t)top + 2, sizeof *other);
    s->base = ksda_i_malloc(f->ctx, (uint64_t)top + 2, sizeof *s->base);
    s->level = ksda_i_malloc(f->ctx, (uint64_t)top + 2 + EXTRAS, sizeof *s->level);
    s->fixed = ksda_i_calloc(f->ctx, (uint64_t)top + 2, sizeof *s->fixed);
    if (!other || !s->base || !s->level || !s->fixed) goto done;
    KSDA_I_TRY(ksda_i_census_open(f->ctx, f->communities, f->k, top + 2 + EXTRAS, KSDA_I_LEVELSET_PIECES, &f->census));
    KSDA_I_TRY(ksda_i_census_open_ordered(f->ctx, f->communities, f->k, top + 2, &original));
    f->level = s->level, f->fixed = s->fixed, s->top = top + 1;
    for (uint32_t c = 0; c < m; c++)
        for (uint32_t i = f->communities->start[c]; i < f->communities->start[c + 1]; i++)
            ksda_i_census_see(&original, ksda_i_degree(g, f->communities->member[i]), c);
    for (uint32_t d = 0; d <= top + 1; d++) {
        if (ksda_i_census_enough(&original, d))
            s->base[s->bases++] = d, s->fixed[d] = true;
        else if (d > 0)
            other[others++] = d;
    }
    *size = others < GRID ? others : GRID;
    for (uint32_t i = 0; i < *size; i++) { /* dense below, sparse above */
        uint64_t at = others <= GRID ? i : (uint64_t)i * i * (others - 1) / ((GRID - 1) * (GRID - 1));
        grid[i] = other[at > i ? at : i];
    }
    status = KSDA_OK;
done:
    ksda_i_census_close(f->ctx, &original);
    ksda_i_free(f->ctx, other);
    return status;
}

/* The degrees that occur and are not below a base, ascending. */
static ksda_status choose_peaks(few_search *s) {
    const ksda_graph *g = s->few.graph;
    uint32_t least = s->bases && s->base[s->bases - 1] ? s->base[s->bases - 1] : 1;
    bool *occurs = ksda_i_calloc(s->few.ctx, s->top, sizeof *occurs);
    s->peak = ksda_i_malloc(s->few.ctx, s->top, sizeof *s->peak);
    for (uint32_t v = 0; occurs && v < g->n; v++) occurs[ksda_i_degree(g, v)] = true;
    for (uint32_t d = least; occurs && s->peak && d < s->top; d++)
        if (occurs[d]) s->peak[s->peaks++] = d;
    ksda_i_free(s->few.ctx, occurs);
    return occurs && s->peak ? KSDA_OK : KSDA_NOMEM;
}

static const uint32_t enough_lacks[] = {5, 3, 2, 8};

/* One of so many parts of the work that is left. */
static uint64_t begin_part(few_search *s, uint32_t parts) {
    uint64_t done = ksda_i_work_done(s->few.ctx), end = s->few.ctx->work_end;
    return ksda_i_work_begin(s->few.ctx, end > done ? (end - done) / parts : 0);
}

/* From the listed sets, climb, and look for the edges. */
static ksda_status try_listed(few_search *s) {
    ksda_status status;
    uint64_t most = 200 + 8000000 / (s->few.graph->n + s->few.graph->m);
    uint64_t around = begin_part(s, 3);
    status = climb_level_by_level(s, most);
    ksda_i_work_finish(s->few.ctx, around);
    if (status < 0) return status;
    for (uint32_t i = 0; i < s->listed; i++) {
        KSDA_I_TRY(ksda_i_progress_stage(s->few.ctx, i, s->listed));
        if (ksda_i_time_left(s->few.ctx) <= 0 || ksda_i_work_over(s->few.ctx)) break;
        s->few.high = i % 2, s->few.learning = (i + 1) / 2 % 2;
        KSDA_I_TRY(attempt_release(s, &s->list[i], enough_lacks[i / 2 % 4], s->below));
    }
    s->listed = 0, s->tried = 0;
done:
    return status;
}

/* The cheapest way down from the top, by degrees alone; *any is false when it is far dearer than what is known. */
static ksda_status climb_down(few_search *s, uint32_t top, level_set *set, bool *any) {
    const ksda_graph *g = s->few.graph;
    uint64_t splits = 0;
    *set = (level_set){0};
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) > top) splits += (ksda_i_degree(g, v) - 1) / top;
    double below = FAR_DEARER * s->below - s->few.weight * (double)splits;
    ksda_status status =
        below > 0 ? ksda_i_levelset_ladder(&s->few, top, below, set->extra, EXTRAS, &set->extras) : KSDA_OK;
    *any = set->extras > 0;
    return status;
}

/* The ways down from all tops, the largest first. */
static ksda_status try_ladders(few_search *s) {
    ksda_status status = KSDA_OK;
    uint64_t around = begin_part(s, 3);
    s->few.shake = 0;
    for (uint32_t i = s->peaks; i-- > 0 && !ksda_i_work_over(s->few.ctx);) {
        level_set set;
        bool any;
        if (ksda_i_time_left(s->few.ctx) <= 0) break;
        KSDA_I_TRY(climb_down(s, s->peak[i], &set, &any));
        if (any) judge_level_set(s, &set);
    }
done:
    ksda_i_work_finish(s->few.ctx, around);
    return status < 0 ? status : try_listed(s);
}

/* A way down, priced with some chance, from a top near that of another set. */
static ksda_status change_by_ladder(few_search *s, ksda_i_rng *rng, const level_set *from, level_set *set, bool *any) {
    uint32_t top = 0, at = 0;
    uint32_t down = (uint32_t)ksda_i_rng_below(rng, 2 * NEAR + 1);
    for (uint32_t i = 0; i < from->extras; i++)
        if (from->extra[i] > top) top = from->extra[i];
    while (at + 1 < s->peaks && s->peak[at + 1] <= top) at++;
    at = at + NEAR > down ? at + NEAR - down : 0;
    s->few.shake = ksda_i_rng_next(rng);
    return climb_down(s, s->peak[at < s->peaks ? at : s->peaks - 1], set, any);
}

/* A set with one level changed at random, or two, or none: *same. */
static bool change_at_random(const few_search *s, ksda_i_rng *rng, level_set *set, bool *same) {
    uint64_t changes = ksda_i_rng_below(rng, 4); /* now and then the same set, for others who are raised */
    *same = changes == 0;
    if (changes == 0) return true;
    for (uint64_t more = changes == 1; set->extras; more--) {
        uint32_t which = (uint32_t)ksda_i_rng_below(rng, set->extras),
                 number = (uint32_t)ksda_i_rng_below(rng, CHANGES);
        if (!make_change(s, set, which, number)) return false;
        if (!more) return true;
    }
    return false;
}

/* Change a set at random, again and again, and judge by the edges that are found and not by what they seem to cost.
 * The next change is one of what was found last, unless that costs too much more than the best: less and less may be
 * lost on the way (record-to-record travel; Dueck 1993, doi:10.1006/jcph.1993.1010). */
static ksda_status travel_at_random(few_search *s, const level_set *from) {
    ksda_status status = KSDA_OK;
    ksda_i_rng rng = ksda_i_rng_stream(0, 0x6c657673, s->task->number);
    level_set here = *from;
    uint64_t begun = ksda_i_work_done(s->few.ctx), end = s->few.ctx->work_end;
    for (uint32_t stale = 0; stale < STALE && here.extras; stale++) {
        level_set set = here;
        uint64_t done = ksda_i_work_done(s->few.ctx);
        uint32_t how = (uint32_t)ksda_i_rng_below(&rng, 16);
        if (ksda_i_time_left(s->few.ctx) <= 0 || done >= end) break;
        KSDA_I_TRY(ksda_i_progress_stage(s->few.ctx, done - begun, end - begun));
        bool same = false, changed;
        if (s->peaks && !ksda_i_rng_below(&rng, 4))
            KSDA_I_TRY(change_by_ladder(s, &rng, &here, &set, &changed));
        else
            changed = change_at_random(s, &rng, &set, &same);
        if (!changed) continue;
        if (same && how < 8) how += 8; /* without chance it was found before */
        double record = s->below, bar = record * (1 + DETOUR * (double)(end - done) / (double)(end - begun));
        s->few.high = how % 2, s->few.learning = ksda_i_rng_below(&rng, 2),
        s->few.shake = how < 8 ? 0 : ksda_i_rng_next(&rng);
        KSDA_I_TRY(attempt_release(s, &set, enough_lacks[how / 2 % 4], bar));
        if (s->cost < bar) here = set;
        if (s->cost < record) stale = 0;
    }
done:
    return status;
}

/* The largest degree becomes a level, so that nobody has to be split; false when it is one. */
static bool with_top(const few_search *s, level_set *set) {
    if (set->extras == EXTRAS || is_level(s, set, s->top - 1)) return false;
    set->extra[set->extras++] = s->top - 1;
    return true;
}

static ksda_status try_known(few_search *s, level_set *known) {
    ksda_status status = KSDA_OK;
    if (judge_level_set(s, known)) KSDA_I_TRY(try_listed(s));
    if (with_top(s, known) && judge_level_set(s, known)) KSDA_I_TRY(try_listed(s));
done:
    return status;
}

/* From the known set, down from all tops and from the grid, or from one of them; where others follow, with half of the
 * work that is left. In later passes the known set is changed. */
static ksda_status try_all_sets(few_search *s) {
    const ksda_i_levelset_start start = s->task->start;
    ksda_status status;
    uint32_t grid[GRID], size, parts = start == KSDA_I_LEVELSET_EVERYWHERE ? 2 : 1;
    uint64_t around;
    level_set known;
    KSDA_I_TRY(choose_grid(s, grid, &size));
    KSDA_I_TRY(choose_peaks(s));
    bool any = known_set(s, &known);
    if (s->task->pass > 0) return any ? travel_at_random(s, &known) : KSDA_OK;
    if (any && (start == KSDA_I_LEVELSET_KNOWN || start == KSDA_I_LEVELSET_EVERYWHERE)) {
        around = begin_part(s, parts);
        status = try_known(s, &known);
        ksda_i_work_finish(s->few.ctx, around);
        if (status < 0) goto done;
    }
    if (start == KSDA_I_LEVELSET_LADDER || start == KSDA_I_LEVELSET_EVERYWHERE) {
        around = begin_part(s, parts);
        status = try_ladders(s);
        ksda_i_work_finish(s->few.ctx, around);
        if (status < 0) goto done;
    }
    if (start == KSDA_I_LEVELSET_KNOWN || start == KSDA_I_LEVELSET_LADDER || ksda_i_work_over(s->few.ctx)) goto done;
    around = begin_part(s, 3);
    status = try_grid(s, grid, size);
    ksda_i_work_finish(s->few.ctx, around);
    if (status >= 0) status = try_listed(s);
done:
    return status;
}

static void close_search(few_search *s) {
    ksda_i_levelset *f = &s->few;
    ksda_ctx *ctx = f->ctx;
    ksda_i_free(ctx, f->owner);
    ksda_i_free(ctx, f->at);
    ksda_i_free(ctx, f->pieces);
    ksda_i_free(ctx, f->around);
    ksda_i_free(ctx, f->whole);
    ksda_i_free(ctx, f->reach);
    ksda_i_free(ctx, f->raised);
    ksda_i_free(ctx, f->extra);
    ksda_i_free(ctx, f->lacking);
    ksda_i_free(ctx, f->around_row);
    ksda_i_free(ctx, f->inside);
    ksda_i_free(ctx, f->ranked);
    ksda_i_free(ctx, f->mirror);
    ksda_i_free(ctx, f->needing);
    ksda_i_free(ctx, f->deal_order);
    ksda_i_free(ctx, f->option);
    ksda_i_census_close(ctx, &f->census);
    ksda_i_free(ctx, f->lacks);
    ksda_i_free(ctx, s->was);
    ksda_i_free(ctx, f->score);
    ksda_i_free(ctx, f->near);
    ksda_i_free(ctx, s->base);
    ksda_i_free(ctx, s->fixed);
    ksda_i_free(ctx, s->peak);
    ksda_i_free(ctx, s->level);
}

ksda_status ksda_i_levelset_search(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                   const ksda_i_levelset_task *task) {
    ksda_status status = KSDA_OK;
    few_search s = {.few = {.ctx = ctx,
                            .graph = graph,
                            .communities = communities,
                            .k = task->k,
                            .weight = task->split_weight,
                            .bar = INFINITY},
                    .task = task,
                    .below = task->below,
                    .most = 4 * task->below / task->split_weight};
    ksda_i_levelset *f = &s.few;
    if (graph->n > KSDA_I_LEVELSET_VERTICES || !graph->m) return KSDA_OK;
    f->owner = ksda_i_malloc(ctx, KSDA_I_LEVELSET_PIECES, sizeof *f->owner);
    f->at = ksda_i_malloc(ctx, KSDA_I_LEVELSET_PIECES, sizeof *f->at);
    f->pieces = ksda_i_malloc(ctx, graph->n, sizeof *f->pieces);
    f->around = ksda_i_malloc(ctx, graph->n, sizeof *f->around);
    f->whole = ksda_i_malloc(ctx, graph->n, sizeof *f->whole);
    f->reach = ksda_i_malloc(ctx, graph->n, sizeof *f->reach);
    f->raised = ksda_i_malloc(ctx, communities->count, sizeof *f->raised);
    f->extra = ksda_i_malloc(ctx, communities->count, sizeof *f->extra);
    f->lacking = ksda_i_malloc(ctx, communities->count, sizeof *f->lacking);
    f->around_row = ksda_i_malloc(ctx, 2 * graph->m, sizeof *f->around_row);
    f->inside = ksda_i_malloc(ctx, graph->n, sizeof *f->inside);
    f->ranked = ksda_i_malloc(ctx, graph->n, sizeof *f->ranked);
    f->mirror = ksda_i_malloc(ctx, 2 * graph->m, sizeof *f->mirror);
    f->needing = ksda_i_malloc(ctx, KSDA_I_LEVELSET_PIECES, sizeof *f->needing);
    f->deal_order = ksda_i_malloc(ctx, 2 * graph->m, sizeof *f->deal_order);
    f->option = ksda_i_malloc(ctx, communities->count, sizeof *f->option);
    s.few.lacks = ksda_i_malloc(ctx, KSDA_I_LEVELSET_PIECES, sizeof *s.few.lacks);
    s.was = ksda_i_malloc(ctx, KSDA_I_LEVELSET_PIECES, sizeof *s.was);
    s.few.score = ksda_i_malloc(ctx, graph->n, sizeof *s.few.score);
    s.few.near = ksda_i_calloc(ctx, graph->n, sizeof *s.few.near);
    if (!f->owner || !f->at || !f->pieces || !f->around || !f->whole || !f->reach || !f->raised || !f->extra ||
        !f->lacking || !f->around_row || !f->inside || !f->ranked || !f->mirror || !f->needing || !f->deal_order ||
        !f->option || !s.few.lacks || !s.was || !s.few.score || !s.few.near) {
        status = KSDA_NOMEM;
        goto done;
    }
    memset(f->reach, 0xff, graph->n * sizeof *f->reach);
    memset(f->deal_order, 0xff, 2 * graph->m * sizeof *f->deal_order);
    KSDA_I_TRY(ksda_i_levelset_look_around(f));
    KSDA_I_TRY(try_all_sets(&s));
done:
    close_search(&s);
    return status;
}
