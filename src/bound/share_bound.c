/* A lower bound on what a share bound costs, by linear programming; see share_bound.h.
 *
 * Columns: r(c, i), and s(i), all who stay at level i, so that each row of the share has few terms, and e(c), the
 * edges. Communities that cannot get above their share anywhere still help others, so none is left out. */
#include "bound/share_program.h"

#include <math.h>

#define MOST_CELLS (UINT64_C(1) << 26) /* of a table */
#define MOST_COLUMNS 16000u            /* of the linear program */
#define MOST_ROUNDS 12u                /* of rows for the largest members */
#define SLACK 1e-4                     /* what an integer solver's tolerances may add to a bound ... */
#define SHARE 1e-7                     /* ... and as a share of it */
#define BROKEN 1e-6                    /* a row is broken by more than this */
#define SOME 1u                        /* rows of a level and community that are there */
#define SHARE_ROW 2u
#define TOPS 64u /* members of a community that are looked at for these */

/* --- levels ------------------------------------------------------------------------------------------------------- */

void ksda_i_share_levels_clear(ksda_ctx *ctx, ksda_i_share_levels *l) {
    ksda_i_free(ctx, l->degree);
    ksda_i_free(ctx, l->count);
    ksda_i_free(ctx, l->most);
    *l = (ksda_i_share_levels){0};
}

/* The level of the largest degree that is not above this one; there is one. */
static uint32_t level_below(const ksda_i_share_levels *l, uint64_t degree) {
    uint32_t low = 0, high = l->levels;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (l->degree[middle] <= degree)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static ksda_status list_degrees(ksda_ctx *ctx, uint32_t pieces, const uint32_t *degree, ksda_i_share_levels *out) {
    uint32_t top = 0;
    for (uint32_t p = 0; p < pieces; p++)
        if (degree[p] > top) top = degree[p];
    bool *occurs = ksda_i_calloc(ctx, (uint64_t)top + 1, sizeof *occurs);
    if (!occurs) return KSDA_NOMEM;
    for (uint32_t p = 0; p < pieces; p++) occurs[degree[p]] = true;
    for (uint32_t d = 0; d <= top; d++) out->levels += occurs[d];
    out->degree = ksda_i_malloc(ctx, out->levels, sizeof *out->degree);
    for (uint32_t d = 0, i = 0; d <= top && out->degree; d++)
        if (occurs[d]) out->degree[i++] = d;
    ksda_i_free(ctx, occurs);
    return out->degree ? KSDA_OK : KSDA_NOMEM;
}

ksda_status ksda_i_share_levels_make(ksda_ctx *ctx, uint32_t pieces, const uint32_t *degree, const uint32_t *of,
                                     const uint32_t *slack, const ksda_communities *c, ksda_i_share_levels *out) {
    ksda_status status;
    uint32_t communities = c->count;
    *out = (ksda_i_share_levels){.communities = communities, .counted = c->counted};
    KSDA_I_TRY(list_degrees(ctx, pieces, degree, out));
    if ((uint64_t)out->levels * communities > MOST_CELLS)
        KSDA_I_TRY(ksda_i_error(ctx, KSDA_UNSUPPORTED, "%u degrees in %u communities are too many for a share bound",
                                out->levels, communities));
    out->count = ksda_i_calloc(ctx, (uint64_t)out->levels * communities, sizeof *out->count);
    out->most = ksda_i_calloc(ctx, (uint64_t)out->levels * communities, sizeof *out->most);
    status = out->count && out->most ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t p = 0; p < pieces && status >= 0; p++) { /* most: first where it begins and ends */
        uint32_t level = level_below(out, degree[p]), highest = level_below(out, (uint64_t)degree[p] + slack[p]);
        out->count[ksda_i_share_cell(out, level, of[p])]++;
        out->most[ksda_i_share_cell(out, level, of[p])]++;
        out->most[ksda_i_share_cell(out, highest, of[p])]--;
    }
    for (uint64_t i = communities; i < (uint64_t)out->levels * communities && status >= 0; i++)
        out->most[i] += out->most[i - communities];
done:
    if (status < 0) ksda_i_share_levels_clear(ctx, out);
    return status;
}

/* --- the linear program ------------------------------------------------------------------------------------------- */

/* From the level to the next. */
static double degree_gap(const ksda_i_share_levels *l, uint32_t level) {
    return level + 1 < l->levels ? (double)(l->degree[level + 1] - l->degree[level]) : 0;
}

/* Who stays at the level, of one community, times a factor, into the row under construction. Returns what does not
 * depend on anybody rising. */
static double add_staying(ksda_i_model *m, const ksda_i_share_levels *l, uint32_t level, uint32_t c, double factor) {
    if (level > 0) ksda_i_model_term(m, ksda_i_share_rise_column(l, level - 1, c), factor);
    if (level + 1 < l->levels) ksda_i_model_term(m, ksda_i_share_rise_column(l, level, c), -factor);
    return factor * l->count[ksda_i_share_cell(l, level, c)];
}

/* Nobody rises who is not there. */
static void write_some(const ksda_i_share_levels *l, uint32_t level, uint32_t c, ksda_i_model *m) {
    double here = add_staying(m, l, level, c, 1);
    ksda_i_model_row(m, -here, INFINITY, "some_%u_%u", c, level);
}

/* No more of the community than its share stay. */
static void write_share(const ksda_i_share_levels *l, ksda_share share, uint32_t level, uint32_t c, ksda_i_model *m) {
    if (c >= l->counted) return;
    double here = add_staying(m, l, level, c, share.denominator);
    ksda_i_model_term(m, ksda_i_share_stay_column(l, level), -(double)share.numerator);
    ksda_i_model_row(m, -INFINITY, -here, "share_%u_%u", c, level);
}

static void write_columns(const ksda_i_share_levels *l, ksda_i_model *m) {
    double people = 0, rises = 0;
    for (uint32_t i = 0; i < l->levels; i++)
        for (uint32_t c = 0; c < l->communities; c++) {
            double most = i + 1 == l->levels ? 0 : l->most[ksda_i_share_cell(l, i, c)];
            rises += degree_gap(l, i) * most, people += l->count[ksda_i_share_cell(l, i, c)];
            ksda_i_model_column(m, 0, most, 0, false, "r%u_%u", c, i);
        } /* finite bounds make better proofs */
    for (uint32_t i = 0; i < l->levels; i++) ksda_i_model_column(m, 0, people, 0, false, "s%u", i);
    for (uint32_t c = 0; c < l->communities; c++) ksda_i_model_column(m, 0, rises, 1, false, "e%u", c);
}

/* all: with the rows of every level and community; or they come when a solution breaks them. */
static void write_program(const ksda_i_share_levels *l, ksda_share share, bool all, ksda_i_model *m) {
    write_columns(l, m);
    for (uint32_t c = 0; c < l->communities; c++) {
        ksda_i_model_term(m, ksda_i_share_edge_column(l, c), 2);
        for (uint32_t i = 0; i + 1 < l->levels; i++)
            ksda_i_model_term(m, ksda_i_share_rise_column(l, i, c), -degree_gap(l, i));
        ksda_i_model_row(m, 0, INFINITY, "edges_%u", c);
    }
    for (uint32_t i = 0; i < l->levels; i++) {
        double sum = 0;
        for (uint32_t c = 0; c < l->counted; c++) sum += add_staying(m, l, i, c, 1);
        ksda_i_model_term(m, ksda_i_share_stay_column(l, i), -1);
        ksda_i_model_row(m, -sum, -sum, "all_%u", i);
        for (uint32_t c = 0; c < l->communities && all; c++) {
            write_some(l, i, c, m);
            write_share(l, share, i, c, m);
        }
    }
}

/* --- the largest members ------------------------------------------------------------------------------------------ */

static ksda_status open_largest(ksda_ctx *ctx, const ksda_i_share_levels *l, ksda_i_share_largest *h) {
    h->met = ksda_i_malloc(ctx, h->lists->n, sizeof *h->met);
    h->slope = ksda_i_malloc(ctx, l->levels, sizeof *h->slope);
    h->more = ksda_i_malloc(ctx, l->levels, sizeof *h->more);
    return h->met && h->slope && h->more ? KSDA_OK : KSDA_NOMEM;
}

static void close_largest(ksda_ctx *ctx, ksda_i_share_largest *h) {
    ksda_i_free(ctx, h->met);
    ksda_i_free(ctx, h->slope);
    ksda_i_free(ctx, h->more);
}

/* Of the natives of a level, whose lists begin there and end before `end`, so many rise: the most meetings with the
 * largest members are those of the natives that are adjacent to the fewest. As a line that holds for any number.
 * largest: the natives are of the largest themselves, and nobody meets himself. */
static void bound_meetings(const ksda_i_share_largest *h, uint32_t begin, uint32_t end, bool largest, double rise,
                           double *slope, double *more) {
    uint32_t by[TOPS + 1] = {0}, left = rise < end - begin ? (uint32_t)rise : end - begin, steepness = h->members;
    for (uint32_t i = begin; i < end; i++) by[h->members - h->met[i] - largest]++;
    while (steepness && left >= by[steepness]) left -= by[steepness--];
    *slope = steepness, *more = 0;
    for (uint32_t i = steepness + 1; i <= h->members; i++) *more += (double)by[i] * (i - steepness);
}

/* The lines for all levels, `from` being the largest members' lowest. Returns what those below it say at x. */
static double bound_all_meetings(const ksda_i_share_levels *l, uint32_t c, uint32_t from, const double *x,
                                 ksda_i_share_largest *h) {
    const ksda_i_ranks *lists = h->lists;
    uint32_t at = lists->start[c + 1];
    double sum = 0;
    h->twice = 0;
    for (uint32_t i = 0; i < l->levels; i++) {
        uint32_t begin = at - l->count[ksda_i_share_cell(l, i, c)];
        bound_meetings(h, begin, at, i >= from, x[ksda_i_share_rise_column(l, i, c)], &h->slope[i], &h->more[i]);
        *(i < from ? &sum : &h->twice) += h->slope[i] * x[ksda_i_share_rise_column(l, i, c)] + h->more[i];
        at = begin;
    }
    return sum;
}

/* A row for the members of c from this level on, if x breaks it: their rises are ends of different edges, but for those
 * between two of them who rise. */
static bool pairing_row(const ksda_i_share_levels *l, uint32_t c, uint32_t from, const ksda_i_share_largest *h,
                        const double *x, ksda_i_model *m) {
    uint32_t edges = ksda_i_share_edge_column(l, c);
    double below = from ? x[ksda_i_share_rise_column(l, from - 1, c)] : 0, sum = 0, gaps = 0, standing = 0;
    for (uint32_t i = from; i + 1 < l->levels; i++)
        sum += degree_gap(l, i) * fmax(0, x[ksda_i_share_rise_column(l, i, c)] - below);
    if (sum - h->twice / 2 < x[edges] + 1e-6) return false;
    ksda_i_model_term(m, edges, 1);
    for (uint32_t i = from; i + 1 < l->levels; i++) {
        bool counts = x[ksda_i_share_rise_column(l, i, c)] > below;
        ksda_i_model_term(m, ksda_i_share_rise_column(l, i, c), h->slope[i] / 2 - (counts ? degree_gap(l, i) : 0));
        gaps += counts ? degree_gap(l, i) : 0, standing += h->more[i] / 2;
    }
    if (from) ksda_i_model_term(m, ksda_i_share_rise_column(l, from - 1, c), gaps);
    ksda_i_model_row(m, -standing, INFINITY, "pairs_%u_%u", c, from);
    return true;
}

/* A stronger one for the same members, if x breaks it: others meet each of them once, unless they are adjacent already,
 * and what they rise by beyond that takes edges of its own. Of a level no more others rise than go on from it. */
static bool meeting_row(const ksda_i_share_levels *l, uint32_t c, uint32_t from, const ksda_i_share_largest *h,
                        double meetings, const double *x, ksda_i_model *m) {
    uint32_t edges = ksda_i_share_edge_column(l, c);
    double below = from ? x[ksda_i_share_rise_column(l, from - 1, c)] : 0, sum = 0, gaps = 0, standing = 0;
    for (uint32_t i = 0; i + 1 < l->levels; i++) {
        double rise = x[ksda_i_share_rise_column(l, i, c)];
        sum += degree_gap(l, i) * (rise + (i >= from ? fmax(0, rise - below) : 0));
        if (i >= from && rise > below) gaps += degree_gap(l, i);
    }
    if (sum - meetings - h->twice < 2 * x[edges] + 1e-6) return false;
    ksda_i_model_term(m, edges, 2);
    for (uint32_t i = 0; i + 1 < l->levels; i++) {
        double factor = -degree_gap(l, i);
        if (i >= from && x[ksda_i_share_rise_column(l, i, c)] > below) factor *= 2;
        if (i + 1 == from) factor += gaps;
        ksda_i_model_term(m, ksda_i_share_rise_column(l, i, c), factor + h->slope[i]);
        standing += h->more[i];
    }
    ksda_i_model_row(m, -standing, INFINITY, "meetings_%u_%u", c, from);
    return true;
}

/* A row for all who rise beyond this level, if x breaks it: the largest members and those who have come up from below,
 * of whom so many can. Two of them share an edge only where they are not adjacent yet. */
static bool summit_row(const ksda_i_share_levels *l, uint32_t c, uint32_t from, const ksda_i_share_largest *h,
                       const double *x, ksda_i_model *m) {
    uint32_t edges = ksda_i_share_edge_column(l, c), below = ksda_i_share_rise_column(l, from ? from - 1 : 0, c);
    const ksda_i_ranks *lists = h->lists;
    double sum = 0, slope = 0, more = 0, most = from ? l->most[ksda_i_share_cell(l, from - 1, c)] : 0;
    if (most > 0) {
        bound_meetings(h, lists->start[c] + h->members, lists->start[c + 1], false, x[below], &slope, &more);
        slope += (most - 1) / 2;
    }
    for (uint32_t i = from; i + 1 < l->levels; i++) sum += degree_gap(l, i) * x[ksda_i_share_rise_column(l, i, c)];
    if (sum - h->twice / 2 - more - (most > 0 ? slope * x[below] : 0) < x[edges] + 1e-6) return false;
    ksda_i_model_term(m, edges, 1);
    for (uint32_t i = from; i + 1 < l->levels; i++) {
        ksda_i_model_term(m, ksda_i_share_rise_column(l, i, c), h->slope[i] / 2 - degree_gap(l, i));
        more += h->more[i] / 2;
    }
    if (most > 0) ksda_i_model_term(m, below, slope);
    ksda_i_model_row(m, -more, INFINITY, "summit_%u_%u", c, from);
    return true;
}

/* Who is adjacent to the member of c of that rank, in its community, has met one more of the largest. */
static void note_meetings(const ksda_i_ranks *lists, uint32_t c, uint32_t rank, uint8_t *met) {
    const ksda_graph *g = lists->graph;
    uint32_t v = lists->vertex[lists->start[c] + rank];
    ksda_i_graph_need(g, v);
    for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
        uint32_t w = g->adj[i];
        if (lists->partition->of[w] == c) met[lists->place[w]]++;
    }
}

/* Rows that x breaks; how many. Sets of the largest end where the next member has a smaller degree. */
static uint32_t pairing_rows(const ksda_i_share_levels *l, ksda_i_share_largest *known, const double *x,
                             ksda_i_model *m) {
    const ksda_i_ranks *lists = known->lists;
    uint32_t added = 0;
    memset(known->met, 0, lists->n * sizeof *known->met);
    for (uint32_t c = 0; c < l->communities; c++) {
        const uint32_t *degree = lists->degree + lists->start[c];
        uint32_t size = lists->start[c + 1] - lists->start[c], near = (uint32_t)(lists->near[c + 1] - lists->near[c]);
        for (uint32_t h = 0; h < near && h < TOPS; h++) {
            known->members = h + 1;
            note_meetings(lists, c, h, known->met);
            if (h + 1 < size && degree[h + 1] == degree[h]) continue;
            uint32_t from = level_below(l, degree[h]);
            double meetings = bound_all_meetings(l, c, from, x, known);
            added += pairing_row(l, c, from, known, x, m);
            added += meeting_row(l, c, from, known, meetings, x, m);
            added += summit_row(l, c, from, known, x, m);
        }
    }
    return added;
}

/* --- solving it --------------------------------------------------------------------------------------------------- */

/* The rows of levels and communities that x breaks and that are not there yet; how many. */
static uint32_t level_rows(ksda_i_share_program *p, const double *x) {
    const ksda_i_share_levels *l = p->levels;
    uint32_t before = p->model.rows;
    for (uint32_t i = 0; i < l->levels && p->written; i++)
        for (uint32_t c = 0; c < l->communities; c++) {
            uint64_t at = ksda_i_share_cell(l, i, c);
            double stay = l->count[at] + (i ? x[at - l->communities] : 0) - x[at];
            double most = x[ksda_i_share_stay_column(l, i)] * p->share.numerator / p->share.denominator;
            if (stay < -BROKEN && !(p->written[at] & SOME)) write_some(l, i, c, &p->model), p->written[at] |= SOME;
            if (stay > most + BROKEN && !(p->written[at] & SHARE_ROW))
                write_share(l, p->share, i, c, &p->model), p->written[at] |= SHARE_ROW;
        }
    return p->model.rows - before;
}

bool ksda_i_share_program_fits(const ksda_i_share_levels *l) {
    return ksda_i_solver_default() && (uint64_t)l->levels * l->communities <= MOST_COLUMNS;
}

ksda_status ksda_i_share_program_open(ksda_ctx *ctx, const ksda_i_share_levels *l, const ksda_i_ranks *lists,
                                      ksda_share share, bool all, ksda_i_share_program *out) {
    *out = (ksda_i_share_program){.levels = l, .share = share, .known = {.lists = lists}};
    ksda_i_model_init(&out->model, ctx);
    write_program(l, share, all, &out->model);
    ksda_status status = lists ? open_largest(ctx, l, &out->known) : KSDA_OK;
    if (!all) out->written = ksda_i_calloc(ctx, (uint64_t)l->levels * l->communities, sizeof *out->written);
    if (!all && !out->written) status = KSDA_NOMEM;
    return status < 0 ? status : ksda_i_lp_new(ksda_i_solver_default(), &out->model, &out->lp);
}

void ksda_i_share_program_close(ksda_i_share_program *p) {
    ksda_i_lp_free(p->model.ctx, p->lp);
    close_largest(p->model.ctx, &p->known);
    ksda_i_free(p->model.ctx, p->written);
    ksda_i_model_clear(&p->model);
}

ksda_status ksda_i_share_program_solve(ksda_i_share_program *p, uint32_t rounds, double enough, double *bound,
                                       ksda_i_lp_answer *answer) {
    uint64_t columns = (uint64_t)p->levels->levels * p->levels->communities;
    ksda_status status = KSDA_OK;
    for (uint32_t round = 0; status == KSDA_OK;) {
        status = ksda_i_lp_solve(p->lp, enough, answer);
        if (status >= 0 && answer->bound > *bound) *bound = answer->bound; /* rows only raise it */
        if (status != KSDA_OK || !answer->x || *bound > enough) break;
        if (p->rise && !p->solved) memcpy(p->rise, answer->x, columns * sizeof *p->rise); /* later ones round worse */
        p->solved = true;
        if (level_rows(p, answer->x) == 0) {
            if (!p->known.lists || round++ == rounds) break;
            if (pairing_rows(p->levels, &p->known, answer->x, &p->model) == 0) break;
        }
        if (p->model.status < 0) status = p->model.status;
    }
    return status;
}

/* --- the bound ---------------------------------------------------------------------------------------------------- */

ksda_status ksda_i_share_bound(ksda_ctx *ctx, const ksda_i_share_levels *l, const ksda_i_ranks *lists, ksda_share share,
                               double *bound, double *rise, bool *solved) {
    ksda_i_share_program p;
    ksda_i_lp_answer answer;
    *bound = 0, *solved = false;
    if (!ksda_i_share_program_fits(l)) return KSDA_OK;
    ksda_status status = ksda_i_share_program_open(ctx, l, lists, share, true, &p);
    p.rise = rise;
    if (status == KSDA_OK && !lists) ksda_i_lp_within_work(p.lp); /* one of many ways: the bound of all has lists */
    if (status == KSDA_OK) status = ksda_i_share_program_solve(&p, MOST_ROUNDS, INFINITY, bound, &answer);
    *solved = p.solved;
    ksda_i_share_program_close(&p);
    return status == KSDA_LIMIT ? KSDA_OK : status;
}

ksda_status ksda_i_share_bound_whole(ksda_ctx *ctx, const ksda_i_share_levels *l, const ksda_i_ranks *lists,
                                     ksda_share share, double seconds, double *bound) {
    const ksda_i_solve_options o = {
        .stage = "share bound", .cutoff = INFINITY, .seconds = seconds, .known_bound = *bound};
    ksda_i_solution s = {.x = NULL};
    ksda_i_share_program p;
    ksda_i_lp_answer answer;
    double first = 0;
    if (!ctx->processes || !ksda_i_share_program_fits(l)) return KSDA_OK;
    ksda_status status = ksda_i_share_program_open(ctx, l, lists, share, true, &p);
    if (status == KSDA_OK) status = ksda_i_share_program_solve(&p, MOST_ROUNDS, INFINITY, &first, &answer);
    if (status >= 0 && p.solved) {
        memset(p.model.integer, 1, p.model.columns); /* whoever rises and stays, and every edge, is there as a whole */
        status = ksda_i_mip_solve(ksda_i_solver_default(), &p.model, &o, &s);
        if (status >= 0 && isfinite(s.bound)) first = fmax(first, ceil(s.bound - SLACK - SHARE * fabs(s.bound)));
        *bound = fmax(*bound, first);
    }
    ksda_i_free(ctx, s.x);
    ksda_i_share_program_close(&p);
    return status == KSDA_LIMIT ? KSDA_OK : status;
}

uint64_t ksda_i_share_splits_needed(ksda_share share, uint32_t vertices, uint32_t largest) {
    uint64_t wanted = ((uint64_t)largest * share.denominator + share.numerator - 1) / share.numerator;
    return wanted > vertices ? wanted - vertices : 0;
}
