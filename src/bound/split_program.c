/* How many vertices must be added at least, by linear programs and cases.
 *
 * splits_needed.c lets everybody get one higher for every vertex that is added anywhere. But a further vertex makes
 * room only for those who are adjacent to the one it was split from, or in its community; a vertex stands at one level
 * only, however many its community is wanted at; and one that cannot reach a level that k communities reach is split as
 * well. Suppose that at most s vertices are added. Columns: which levels are open, who is split into how many more
 * pieces, who stands where. Costs are the vertices added. Where every case costs more than s, more than s are needed,
 * and the same is asked of s + 1. docs/level-plan.md, 5.1, has the rows and the proof.
 *
 * Every bound is recomputed from the prices of the rows (lp.c). The work is counted. */
#include "bound/ranks.h"

#include "core/sort.h"
#include "lp/lp.h"
#include "lp/solver.h"

#include <math.h>

#define FIRST_CELLS UINT64_C(4000) /* members and communities times levels, at first; then */
#define CELLS_GROW 3u              /* times as many, */
#define MOST_CELLS UINT64_C(40000) /* up to this */
#define CELL_UNITS 2000u           /* of work, for making a program */
#define LOOK_UNITS 2u              /* for everybody and every level, looking who can be there */
#define MOST_DEPTH 512u            /* decisions on the way to a case */
#define UNDECIDED 1e-6             /* nearer to a whole number is decided */
#define SURELY 1e-6                /* a bound that is larger than s by this is */
#define NONE KSDA_I_NO_COLUMN

/* The program for at most s vertices added. Positions are those of the lists; the first held[c] of community c, whose
 * degrees are above the floor, are its members, the others its supply. */
typedef struct split_program {
    ksda_ctx *ctx;
    const ksda_i_ranks *l;
    uint32_t k, splits, floor;
    uint32_t certain, *pieces; /* [n] by position: so many are surely added by splitting it; and by all together */
    uint32_t *highest;         /* [2 * communities] scratch */
    uint32_t *around;          /* [n] so many of these are adjacent to it, or may become so */
    uint32_t levels, *level;   /* descending, above the floor */
    uint32_t *held;            /* [communities] */
    uint32_t *lacks;           /* [levels] communities, beside those that are there whenever it is open */
    uint32_t *open;            /* [levels] columns */
    uint32_t *added, *split; /* [n] vertices added by splitting this one, and whether it is split; all of the supply of
                                a community have the same two columns */
    uint32_t *has;           /* [communities * levels] columns, NONE: it cannot be there, or always is */
    uint32_t total;          /* column: all vertices added; those that are about splits end before */
    uint32_t others;         /* this one */
    uint32_t *at;            /* [most members * levels] of the community in hand: who stands where */
    uint32_t *seen;          /* [n] by position: for whose row it was looked at last */
    ksda_i_model model;
} split_program;

static uint32_t top_of(const split_program *p, uint32_t i) {
    return p->l->degree[i] + p->l->slack[i];
}

/* And with the vertices that are surely added. */
static uint32_t sure_top(const split_program *p, uint32_t i) {
    return top_of(p, i) + p->around[i];
}

static uint32_t size_of(const ksda_i_ranks *l, uint32_t c) {
    return l->start[c + 1] - l->start[c];
}

static uint32_t supply_begin(const split_program *p, uint32_t c) {
    return p->l->start[c] + p->held[c];
}

/* The highest of these of positions begin .. end - 1; 0 without. */
static uint32_t highest_of(const split_program *p, uint32_t begin, uint32_t end) {
    uint32_t highest = 0;
    for (uint32_t i = begin; i < end; i++)
        if (sure_top(p, i) > highest) highest = sure_top(p, i);
    return highest;
}

/* --- who is looked at --------------------------------------------------------------------------------------------- */

/* The lowest floor, not below `least`, with which there are at most so many cells. */
static uint32_t choose_floor(const ksda_i_ranks *l, uint32_t least, uint64_t cells) {
    uint64_t members = 0;
    for (uint32_t i = 0, levels = 0; i < l->levels && l->level[i] > least; i++) {
        for (uint64_t r = l->group[i]; r < l->group[i + 1]; r++) members += l->run[r].end - l->run[r].begin;
        levels += ksda_i_ranks_occurs(l, i);
        if ((members + l->communities) * levels > cells) return l->level[i];
    }
    return least;
}

/* How many vertices may be added beside those that surely are. */
static uint32_t free_splits(const split_program *p) {
    return p->splits - p->certain;
}

/* No piece of position i gets above this. */
static uint64_t reach_of(const split_program *p, uint32_t i) {
    return (uint64_t)sure_top(p, i) + free_splits(p);
}

/* It surely becomes one more piece: who has more room around then? */
static void split_surely(split_program *p, uint32_t c, uint32_t i) {
    const ksda_i_ranks *l = p->l;
    const ksda_graph *g = l->graph;
    uint32_t v = l->vertex[i];
    p->pieces[i]++, p->certain++;
    for (uint32_t j = l->start[c]; j < l->start[c + 1]; j++) p->around[j]++;
    ksda_i_graph_need(g, v);
    for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++)
        if (l->partition->of[g->adj[e]] != c) p->around[l->place[g->adj[e]]]++;
}

/* Whom community c can have at level `to`: nobody, pieces of vertices that need not be split, or others. */
typedef enum presence {
    ABSENT,
    BY_SPLITS,
    PRESENT
} presence;
static presence can_be_at(const split_program *p, uint32_t c, uint32_t to) {
    const ksda_i_ranks *l = p->l;
    presence best = ABSENT;
    bool split = false;
    for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++) {
        split |= p->pieces[i] > 0;
        if (reach_of(p, i) < to) continue;
        if (l->degree[i] <= to && p->pieces[i] == 0) return PRESENT;
        best = BY_SPLITS;
    }
    return best == BY_SPLITS && split ? PRESENT : best;
}

static bool may_be_open(const split_program *p, uint32_t to) {
    uint32_t count[3] = {0};
    for (uint32_t c = 0; c < p->l->communities; c++) count[can_be_at(p, c, to)]++;
    uint32_t by_splits = count[BY_SPLITS] < free_splits(p) ? count[BY_SPLITS] : free_splits(p);
    return count[PRESENT] + by_splits >= p->k;
}

/* The levels above the floor that may be open. */
static void find_levels(split_program *p) {
    const ksda_i_ranks *l = p->l;
    p->levels = 0;
    for (uint32_t i = 0; i < l->levels && l->level[i] > p->floor; i++)
        if (ksda_i_ranks_occurs(l, i) && may_be_open(p, l->level[i])) p->level[p->levels++] = l->level[i];
    ksda_i_work(p->ctx, LOOK_UNITS * (uint64_t)l->n * l->levels);
}

/* No release has a degree above this: k communities get as far. */
static uint32_t k_reach(const split_program *p) {
    const ksda_i_ranks *l = p->l;
    for (uint32_t c = 0; c < l->communities; c++)
        p->highest[c] = highest_of(p, l->start[c], l->start[c + 1]) + free_splits(p);
    ksda_i_sort_u32(p->highest, l->communities, p->highest + l->communities);
    return p->highest[l->communities - p->k];
}

static bool can_stand(const split_program *p, uint32_t i) {
    for (uint32_t t = 0; t < p->levels; t++)
        if (p->level[t] >= p->l->degree[i] && p->level[t] <= reach_of(p, i)) return true;
    return false;
}

/* Members that can stand nowhere are split, so that fewer may be split elsewhere, so that fewer levels may be open.
 * False: more must be split than may be. */
static bool split_who_cannot_stand(split_program *p) {
    const ksda_i_ranks *l = p->l;
    for (bool again = true; again && !ksda_i_work_over(p->ctx);) {
        again = false;
        find_levels(p);
        uint32_t highest = k_reach(p);
        for (uint32_t c = 0; c < l->communities; c++)
            for (uint32_t i = l->start[c]; i < supply_begin(p, c); i++) {
                uint32_t carry = highest ? (l->degree[i] - 1) / highest : 1; /* no piece carries more edges than that */
                uint32_t least = can_stand(p, i) ? 0 : carry > 1 ? carry : 1;
                for (; p->pieces[i] < least; again = true) {
                    if (free_splits(p) == 0) return false;
                    split_surely(p, c, i);
                }
            }
    }
    return true;
}

static void list_members(split_program *p) {
    const ksda_i_ranks *l = p->l;
    for (uint32_t i = 0; i < l->levels && l->level[i] > p->floor; i++)
        for (uint64_t r = l->group[i]; r < l->group[i + 1]; r++) p->held[l->run[r].community] = l->run[r].end;
}

static ksda_status open_cells(split_program *p) {
    const ksda_i_ranks *l = p->l;
    uint32_t members = 0;
    for (uint32_t c = 0; c < l->communities; c++)
        if (p->held[c] > members) members = p->held[c];
    uint64_t cells = (uint64_t)l->communities * p->levels;
    p->has = ksda_i_malloc(p->ctx, cells, sizeof *p->has);
    p->at = ksda_i_malloc(p->ctx, (uint64_t)members * p->levels, sizeof *p->at);
    if (!p->has || !p->at) return KSDA_NOMEM;
    for (uint64_t i = 0; i < cells; i++) p->has[i] = NONE;
    for (uint32_t t = 0; t < p->levels; t++) p->lacks[t] = p->k;
    ksda_i_work(p->ctx, CELL_UNITS * (cells + (uint64_t)members * p->levels));
    return KSDA_OK;
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

/* Who is split, into how many more pieces: one more at least. */
static void add_split_columns(split_program *p) {
    const ksda_i_ranks *l = p->l;
    double most = p->splits;
    for (uint32_t t = 0; t < p->levels; t++)
        p->open[t] = ksda_i_model_column(&p->model, 0, 1, 0, true, "open_%u", p->level[t]);
    p->total = ksda_i_model_column(&p->model, 0, most * l->n, 1, true, "added");
    for (uint32_t c = 0; c < l->communities; c++)
        for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++) {
            bool member = i < supply_begin(p, c);
            if (i > supply_begin(p, c)) {
                p->added[i] = p->added[i - 1], p->split[i] = p->split[i - 1];
                continue;
            }
            uint32_t least = p->pieces[i], more = free_splits(p);
            p->added[i] = ksda_i_model_column(&p->model, least, least + more, 0, true, "added_%u", i);
            p->split[i] =
                ksda_i_model_column(&p->model, least > 0, member ? least + more > 0 : more, 0, true, "split_%u", i);
            ksda_i_model_term(&p->model, p->added[i], 1);
            ksda_i_model_term(&p->model, p->split[i], -1);
            ksda_i_model_row(&p->model, 0, INFINITY, "pieces_%u", i);
        }
    for (uint32_t c = 0; c < l->communities; c++)
        for (uint32_t i = l->start[c]; i < l->start[c + 1] && i <= supply_begin(p, c); i++)
            ksda_i_model_term(&p->model, p->added[i], -1);
    ksda_i_model_term(&p->model, p->total, 1);
    ksda_i_model_row(&p->model, 0, INFINITY, "total");
    p->others = p->model.columns;
}

/* --- one member --------------------------------------------------------------------------------------------------- */

/* The vertices that are added around member i: by splitting its neighbours and those of its community. */
static void add_around(split_program *p, uint32_t c, uint32_t i) {
    const ksda_i_ranks *l = p->l;
    const ksda_graph *g = l->graph;
    uint32_t v = l->vertex[i];
    ksda_i_graph_need(g, v);
    for (uint32_t j = l->start[c]; j < l->start[c + 1] && j <= supply_begin(p, c); j++)
        ksda_i_model_term(&p->model, p->added[j], 1);
    for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) {
        uint32_t other = l->partition->of[g->adj[e]], j = l->place[g->adj[e]];
        if (other == c) continue;
        if (j > supply_begin(p, other)) j = supply_begin(p, other);
        if (p->seen[j] == i) continue;
        p->seen[j] = i;
        ksda_i_model_term(&p->model, p->added[j], 1);
    }
}

/* It stands at one level, or is split. Above what it surely reaches, more vertices must be
 * added around it. */
static void add_member(split_program *p, uint32_t c, uint32_t i, uint32_t *at) {
    const ksda_i_ranks *l = p->l;
    ksda_i_model *m = &p->model;
    uint32_t degree = l->degree[i], top = sure_top(p, i), lifts = 0, stands = 0;
    for (uint32_t t = 0; t < p->levels; t++) {
        uint32_t to = p->level[t];
        at[t] = NONE;
        if (to < degree || to > reach_of(p, i) || p->pieces[i] > 0) continue;
        at[t] = ksda_i_model_column(m, 0, 1, 0, to > top, "at_%u_%u", i, to);
        stands++, lifts += to > top;
        if (to <= top) continue;
        ksda_i_model_term(m, at[t], 1);
        ksda_i_model_term(m, p->open[t], -1);
        ksda_i_model_row(m, -INFINITY, 0, "up_%u_%u", i, to);
    }
    ksda_i_model_term(m, p->split[i], 1);
    for (uint32_t t = 0; t < p->levels; t++)
        if (at[t] != NONE) ksda_i_model_term(m, p->level[t] > top ? at[t] : p->open[t], 1);
    ksda_i_model_row(m, 1, INFINITY, "somewhere_%u", i);
    if (stands == 0) return;
    ksda_i_model_term(m, p->split[i], 1);
    for (uint32_t t = 0; t < p->levels; t++) ksda_i_model_term(m, at[t], 1);
    ksda_i_model_row(m, -INFINITY, 1, "once_%u", i);
    if (lifts == 0) return;
    for (uint32_t t = 0; t < p->levels && p->level[t] > top; t++)
        ksda_i_model_term(m, at[t], -(double)(p->level[t] - top));
    add_around(p, c, i);
    ksda_i_model_row(m, p->around[i], INFINITY, "around_%u", i);
}

/* --- one community ------------------------------------------------------------------------------------------------ */

/* One more of the supply, or a piece, of a community whose highest surely gets to `highest`, at level t. */
static uint32_t add_stand_in(split_program *p, uint32_t c, uint32_t t, uint32_t highest, const char *what) {
    ksda_i_model *m = &p->model;
    uint32_t to = p->level[t];
    if (to > (uint64_t)highest + free_splits(p)) return NONE;
    uint32_t column = ksda_i_model_column(m, 0, 1, 0, false, "%s_%u_%u", what, c, to);
    if (to <= highest) return column;
    ksda_i_model_term(m, column, -(double)(to - highest));
    ksda_i_model_term(m, p->total, 1);
    ksda_i_model_row(m, p->certain, INFINITY, "%s_up_%u_%u", what, c, to);
    return column;
}

/* How many of c's supply get to that level, with so many vertices added beside those that surely are. */
static uint32_t supply_reaches(const split_program *p, uint32_t c, uint32_t to, uint32_t splits) {
    uint32_t count = 0;
    for (uint32_t i = supply_begin(p, c); i < p->l->start[c + 1]; i++) count += (uint64_t)sure_top(p, i) + splits >= to;
    return count;
}

/* The first level at which c has so many of its supply that it can be there, and at all others. */
static uint32_t always_from(const split_program *p, uint32_t c, uint32_t highest) {
    uint32_t t = 0, first;
    while (t < p->levels && p->level[t] > (uint64_t)highest + free_splits(p)) t++;
    for (first = t; t < p->levels && supply_reaches(p, c, p->level[t], 0) < p->levels - first; t++) continue;
    return t;
}

/* Levels have one of the supply each. */
static void limit_supply(split_program *p, uint32_t c, const uint32_t *supply, uint32_t end) {
    uint32_t used = 0;
    for (uint32_t t = 0; t < end; t++) {
        if (supply[t] == NONE) continue;
        uint32_t limit = supply_reaches(p, c, p->level[t], free_splits(p));
        used++;
        bool lower = t + 1 == end || supply_reaches(p, c, p->level[t + 1], free_splits(p)) > limit;
        if (used <= limit || !lower) continue;
        for (uint32_t q = 0; q <= t; q++) ksda_i_model_term(&p->model, supply[q], 1);
        ksda_i_model_row(&p->model, -INFINITY, limit, "supply_%u_%u", c, p->level[t]);
    }
}

/* There are as many pieces as vertices split and vertices added. */
static void limit_pieces(split_program *p, uint32_t c, const uint32_t *piece, uint32_t end) {
    for (uint32_t i = p->l->start[c]; i < p->l->start[c + 1] && i <= supply_begin(p, c); i++) {
        ksda_i_model_term(&p->model, p->added[i], 1);
        ksda_i_model_term(&p->model, p->split[i], 1);
    }
    for (uint32_t t = 0; t < end; t++) ksda_i_model_term(&p->model, piece[t], -1);
    ksda_i_model_row(&p->model, 0, INFINITY, "pieces_of_%u", c);
}

/* c is at a level only where somebody of it is, and only at open ones. */
static void add_presence(split_program *p, uint32_t c, uint32_t t, uint32_t supply, uint32_t piece) {
    ksda_i_model *m = &p->model;
    bool any = supply != NONE || piece != NONE;
    for (uint32_t q = 0; q < p->held[c]; q++) any |= p->at[(uint64_t)q * p->levels + t] != NONE;
    if (!any) return;
    uint32_t has = ksda_i_model_column(m, 0, 1, 0, true, "has_%u_%u", c, p->level[t]);
    p->has[(uint64_t)c * p->levels + t] = has;
    ksda_i_model_term(m, has, -1);
    ksda_i_model_term(m, supply, 1);
    ksda_i_model_term(m, piece, 1);
    for (uint32_t q = 0; q < p->held[c]; q++) ksda_i_model_term(m, p->at[(uint64_t)q * p->levels + t], 1);
    ksda_i_model_row(m, 0, INFINITY, "there_%u_%u", c, p->level[t]);
    ksda_i_model_term(m, has, 1);
    ksda_i_model_term(m, p->open[t], -1);
    ksda_i_model_row(m, -INFINITY, 0, "opens_%u_%u", c, p->level[t]);
}

static ksda_status add_community(split_program *p, uint32_t c) {
    const ksda_i_ranks *l = p->l;
    uint32_t supply_top = highest_of(p, supply_begin(p, c), l->start[c + 1]);
    uint32_t top = highest_of(p, l->start[c], l->start[c + 1]), end = p->levels;
    uint32_t *stand_in = ksda_i_malloc(p->ctx, 2 * (uint64_t)p->levels, sizeof *stand_in);
    uint32_t *supply = stand_in, *piece = stand_in + p->levels;
    if (!stand_in) return KSDA_NOMEM;
    if (p->held[c] < size_of(l, c)) end = always_from(p, c, supply_top);
    for (uint32_t q = 0; q < p->held[c]; q++) add_member(p, c, l->start[c] + q, p->at + (uint64_t)q * p->levels);
    for (uint32_t t = 0; t < p->levels; t++) {
        supply[t] = piece[t] = NONE;
        if (t >= end) {
            if (p->lacks[t]) p->lacks[t]--;
            continue;
        }
        if (p->held[c] < size_of(l, c)) supply[t] = add_stand_in(p, c, t, supply_top, "supply");
        piece[t] = add_stand_in(p, c, t, top, "piece");
        add_presence(p, c, t, supply[t], piece[t]);
    }
    limit_supply(p, c, supply, end);
    limit_pieces(p, c, piece, end);
    ksda_i_free(p->ctx, stand_in);
    return p->model.status;
}

/* --- the program -------------------------------------------------------------------------------------------------- */

static void program_clear(split_program *p) {
    ksda_i_free(p->ctx, p->level), ksda_i_free(p->ctx, p->held), ksda_i_free(p->ctx, p->lacks);
    ksda_i_free(p->ctx, p->open), ksda_i_free(p->ctx, p->added), ksda_i_free(p->ctx, p->split);
    ksda_i_free(p->ctx, p->has), ksda_i_free(p->ctx, p->at), ksda_i_free(p->ctx, p->seen);
    ksda_i_free(p->ctx, p->pieces), ksda_i_free(p->ctx, p->around), ksda_i_free(p->ctx, p->highest);
    ksda_i_model_clear(&p->model);
}

/* *possible: more need not be split than may be, as far as that is seen without a linear program, which is made then.
 */
static ksda_status program_make(split_program *p, bool *possible) {
    const ksda_i_ranks *l = p->l;
    ksda_status status;
    ksda_i_model_init(&p->model, p->ctx);
    p->model.timed = true;
    p->level = ksda_i_malloc(p->ctx, l->levels, sizeof *p->level);
    p->lacks = ksda_i_malloc(p->ctx, l->levels, sizeof *p->lacks);
    p->open = ksda_i_malloc(p->ctx, l->levels, sizeof *p->open);
    p->held = ksda_i_calloc(p->ctx, l->communities, sizeof *p->held);
    p->added = ksda_i_malloc(p->ctx, l->n, sizeof *p->added);
    p->split = ksda_i_malloc(p->ctx, l->n, sizeof *p->split);
    p->seen = ksda_i_malloc(p->ctx, l->n, sizeof *p->seen);
    p->pieces = ksda_i_calloc(p->ctx, l->n, sizeof *p->pieces);
    p->highest = ksda_i_malloc(p->ctx, 2 * (uint64_t)l->communities, sizeof *p->highest);
    p->around = ksda_i_calloc(p->ctx, l->n, sizeof *p->around);
    if (!p->level || !p->lacks || !p->open || !p->held || !p->added || !p->split || !p->seen || !p->pieces ||
        !p->around || !p->highest)
        return KSDA_NOMEM;
    for (uint32_t i = 0; i < l->n; i++) p->seen[i] = UINT32_MAX;
    list_members(p);
    *possible = split_who_cannot_stand(p);
    if (!*possible) return KSDA_OK;
    KSDA_I_TRY(open_cells(p));
    add_split_columns(p);
    for (uint32_t c = 0; c < l->communities; c++) KSDA_I_TRY(add_community(p, c));
    for (uint32_t t = 0; t < p->levels; t++) {
        if (p->lacks[t] == 0) continue;
        for (uint32_t c = 0; c < l->communities; c++)
            ksda_i_model_term(&p->model, p->has[(uint64_t)c * p->levels + t], 1);
        ksda_i_model_term(&p->model, p->open[t], -(double)p->lacks[t]);
        ksda_i_model_row(&p->model, 0, INFINITY, "diverse_%u", p->level[t]);
    }
    status = p->model.status;
done:
    return status;
}

/* --- cases -------------------------------------------------------------------------------------------------------- */

/* A column is at most a whole number, or more. */
typedef struct decision {
    uint32_t column;
    double lower, upper, below; /* its bounds before, and that number */
    bool both;                  /* the first of the two is done with */
} decision;

typedef struct search {
    const split_program *p;
    ksda_i_lp *lp;
    double *lower, *upper; /* [columns] */
    decision way[MOST_DEPTH];
    uint32_t depth;
} search;

static double undecided(double x) {
    return fmin(x - floor(x), ceil(x) - x);
}

/* Who is split before which levels are open, before who is where; the most undecided of a kind. */
static uint32_t most_undecided(const search *s, const double *x) {
    const split_program *p = s->p;
    uint32_t best = NONE, best_kind = 3;
    double most = 0;
    for (uint32_t j = 0; j < p->model.columns; j++) {
        if (!p->model.integer[j] || j == p->total || undecided(x[j]) < UNDECIDED) continue;
        uint32_t kind = j < p->total ? 1 : j < p->others ? 0 : 2;
        if (kind > best_kind || (kind == best_kind && undecided(x[j]) <= most)) continue;
        best = j, best_kind = kind, most = undecided(x[j]);
    }
    return best;
}

static void set_bounds(search *s, uint32_t column, double lower, double upper) {
    s->lower[column] = lower, s->upper[column] = upper;
    ksda_i_lp_bounds(s->lp, column, lower, upper);
}

static void decide(search *s, uint32_t column, double x) {
    decision *d = &s->way[s->depth++];
    *d = (decision){column, s->lower[column], s->upper[column], floor(x), false};
    set_bounds(s, column, d->below + 1, d->upper);
}

/* The other one of the last decision of which only one was looked at; false when there is none. */
static bool turn(search *s) {
    for (; s->depth > 0; s->depth--) {
        decision *d = &s->way[s->depth - 1];
        if (!d->both) {
            d->both = true;
            set_bounds(s, d->column, d->lower, d->below);
            return true;
        }
        set_bounds(s, d->column, d->lower, d->upper);
    }
    return false;
}

/* Do all cases cost more than s? Not known where the search is stopped, or a case has a solution. */
static ksda_status refute_cases(search *s, bool cases, bool *refuted) {
    double enough = s->p->splits + SURELY;
    ksda_i_lp_answer a;
    ksda_status status;
    for (;;) {
        KSDA_I_TRY(ksda_i_lp_solve(s->lp, enough, &a));
        if (status != KSDA_OK) break;
        if (a.verdict == KSDA_I_NONE || a.bound > enough) {
            *refuted = !turn(s);
            if (*refuted) break;
            continue;
        }
        uint32_t column = a.verdict == KSDA_I_CHEAPEST && cases ? most_undecided(s, a.x) : NONE;
        if (column == NONE || s->depth == MOST_DEPTH || ksda_i_work_over(s->p->ctx)) break;
        decide(s, column, a.x[column]);
    }
done:
    return status;
}

static ksda_status refute(split_program *p, bool cases, bool *refuted) {
    search s = {.p = p};
    bool possible = true;
    ksda_status status;
    KSDA_I_TRY(program_make(p, &possible));
    *refuted = !possible;
    if (status != KSDA_OK || !possible) goto done;
    KSDA_I_TRY(ksda_i_lp_new(ksda_i_solver_default(), &p->model, &s.lp));
    if (status != KSDA_OK) goto done;
    ksda_i_lp_within_work(s.lp);
    s.lower = ksda_i_malloc(p->ctx, 2 * (uint64_t)p->model.columns, sizeof *s.lower);
    if (!s.lower) {
        status = KSDA_NOMEM;
        goto done;
    }
    s.upper = s.lower + p->model.columns;
    memcpy(s.lower, p->model.lower, p->model.columns * sizeof *s.lower);
    memcpy(s.upper, p->model.upper, p->model.columns * sizeof *s.upper);
    status = refute_cases(&s, cases, refuted);
done:
    ksda_i_lp_free(p->ctx, s.lp);
    ksda_i_free(p->ctx, s.lower);
    return status;
}

/* Raise *needed with that floor. While the linear program alone is enough, by larger and larger steps. */
static ksda_status raise_needed(ksda_ctx *ctx, const ksda_i_ranks *l, uint32_t k, uint32_t floor, uint32_t enough,
                                uint32_t *needed) {
    ksda_status status = KSDA_OK;
    for (uint32_t step = 1; *needed < enough && !ksda_i_work_over(ctx) && ksda_i_time_left(ctx) > 0;) {
        uint32_t left = enough - *needed;
        split_program p = {.ctx = ctx, .l = l, .k = k, .floor = floor};
        bool refuted = false;
        if (step > left) step = left;
        p.splits = *needed + step - 1;
        status = refute(&p, step == 1, &refuted);
        program_clear(&p);
        if (status != KSDA_OK || (!refuted && step == 1)) break;
        if (refuted) *needed += step;
        step = refuted ? 2 * step : 1;
    }
    return status;
}

ksda_status ksda_i_splits_program(ksda_ctx *ctx, const ksda_i_ranks *l, uint32_t k, uint32_t enough, uint32_t *needed) {
    ksda_status status = KSDA_OK;
    uint32_t last = UINT32_MAX;
    if (!ksda_i_solver_default() || l->levels == 0 || k < 2 || k > l->communities) return KSDA_OK;
    for (uint64_t cells = FIRST_CELLS; cells <= MOST_CELLS && *needed < enough; cells *= CELLS_GROW) {
        uint32_t floor = choose_floor(l, ksda_i_ranks_floor(l, k), cells);
        if (floor == last || l->level[0] <= floor) continue;
        last = floor;
        KSDA_I_TRY(raise_needed(ctx, l, k, floor, enough, needed));
        if (status != KSDA_OK || ksda_i_work_over(ctx)) break;
    }
done:
    return status == KSDA_LIMIT ? KSDA_OK : status;
}
