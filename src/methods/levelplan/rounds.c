/* Plan and realization in turn, with prices shaken a little.
 *
 * The plan (beam.c) estimates what the edges will cost; the realization (realize.c) says what they do cost. Members
 * that could not be raised as far as planned are given less slack in later rounds; the cheapest release of all rounds
 * is kept. The number of rounds follows from the size of the network and the work allowed, not from the clock, unless a
 * time limit stops them: the first round is always finished. */
#include "methods/levelplan/rounds.h"
#include "core/random.h"
#include "methods/levelplan/limits.h"
#include "privacy/census.h"

/* Is the time over? Asked only where something is left to do. */
static bool time_is_over(ksda_i_rounds *r) {
    if (ksda_i_time_left(r->ctx) <= 0) r->limited = true;
    return r->limited;
}

/* --- releases that are not the best ------------------------------------------------------------------------------- */

ksda_status ksda_i_plan_join(ksda_ctx *ctx, ksda_i_pieces *p, const ksda_i_realization *made, ksda_edits **out) {
    for (uint64_t i = 0; i < made->edges; i++) {
        ksda_status status = ksda_edits_add_edge(ctx, p->edits, made->edge[i].u, made->edge[i].v);
        if (status < 0) return status;
    }
    *out = p->edits;
    p->edits = NULL;
    return KSDA_OK;
}

/* A complete release that something cheaper has taken the place of. */
static ksda_status pass_over_pieces(ksda_i_rounds *r, ksda_i_pieces *p, const ksda_i_realization *made) {
    ksda_edits *edits = NULL;
    if (!r->pass || !p->edits) return KSDA_OK;
    ksda_status status = ksda_i_plan_join(r->ctx, p, made, &edits);
    return status < 0 ? status : r->pass(r->payload, edits);
}

/* --- judging a realization ---------------------------------------------------------------------------------------- */

/* Are k communities at every degree that occurs? Counts targets, which a complete realization reaches. */
static ksda_status is_diverse(ksda_ctx *ctx, const ksda_communities *communities, uint32_t k, const ksda_i_pieces *p,
                              bool *diverse) {
    uint32_t top = 0;
    ksda_i_census census;
    for (uint32_t x = 0; x < p->count; x++)
        if (p->target[x] > top) top = p->target[x];
    ksda_status status = ksda_i_census_open_ordered(ctx, communities, k, top + 1, &census);
    for (uint32_t c = 0; c < communities->count && status >= 0; c++)
        for (uint32_t i = p->home[c]; i < p->home[c + 1]; i++) ksda_i_census_see(&census, p->target[p->member[i]], c);
    *diverse = status >= 0 && ksda_i_census_disorder(&census) == 0;
    ksda_i_census_close(ctx, &census);
    return status;
}

ksda_status ksda_i_plan_try(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                            const ksda_i_plan *plan, uint32_t k, double split_weight, ksda_favour favour,
                            ksda_i_pieces *p, ksda_i_realization *made, bool *complete) {
    bool found, diverse;
    *complete = false;
    ksda_i_work(ctx, KSDA_I_REALIZE_UNITS * (graph->n + graph->m));
    ksda_status status = ksda_i_pieces_make(ctx, graph, communities, plan, split_weight, p, &found);
    if (status < 0 || !found) return status;
    status = ksda_i_realize(ctx, graph, communities, plan, p, k, favour, made);
    if (status >= 0) status = is_diverse(ctx, communities, k, p, &diverse);
    *complete = status >= 0 && !made->unmet && diverse;
    return status;
}

static double cost_of(const ksda_i_rounds *r, const ksda_i_pieces *p, const ksda_i_realization *made) {
    return (double)made->edges + r->options->split_weight * (p->count - p->n);
}

static ksda_status keep_cheapest(ksda_i_rounds *r, ksda_i_pieces *p, ksda_i_realization *made) {
    ksda_status status = pass_over_pieces(r, &r->pieces, &r->made);
    if (status < 0) return status;
    ksda_i_pieces_clear(r->ctx, &r->pieces);
    ksda_i_realization_clear(r->ctx, &r->made);
    r->found = true, r->cost = cost_of(r, p, made);
    r->pieces = *p, r->made = *made;
    *p = (ksda_i_pieces){0};
    *made = (ksda_i_realization){0};
    return KSDA_OK;
}

/* --- one round ---------------------------------------------------------------------------------------------------- */

/* The member of c that the plan raises most gives up one, because a vertex it was to be joined to could not follow. */
static void ask_less(ksda_i_rounds *r, const ksda_i_plan *plan, uint32_t c) {
    uint32_t most = 0, who = 0;
    for (uint32_t at = r->lists.start[c]; at < r->lists.start[c + 1]; at++) {
        uint32_t target = plan->target[r->lists.vertex[at]], degree = r->lists.degree[at];
        if (target != KSDA_I_SPLIT && target - degree > most) most = target - degree, who = at;
    }
    if (most && most - 1 < r->slack[who]) r->slack[who] = most - 1;
    if (!most) r->strict[c] = true;
}

/* Who could not be raised as far as planned gets less slack, so that the next plan asks less of it. */
static void tighten_slack(ksda_i_rounds *r, const ksda_i_plan *plan, const ksda_i_pieces *p,
                          const ksda_i_realization *made) {
    for (uint32_t x = 0; x < p->count; x++) {
        if (!made->short_of[x]) continue;
        uint32_t v = p->owner[x], at = r->lists.place[v], degree = r->lists.degree[at];
        if (plan->target[v] == KSDA_I_SPLIT) {
            r->strict[r->communities->of[v]] = true;
        } else if (plan->target[v] == degree) {
            ask_less(r, plan, r->communities->of[v]);
        } else {
            uint32_t planned = plan->target[v] - degree,
                     reached = planned > made->short_of[x] ? planned - made->short_of[x] : 0;
            if (reached < r->slack[at]) r->slack[at] = reached;
        }
    }
}

ksda_status ksda_i_rounds_attempt(ksda_i_rounds *r, const ksda_i_plan *plan, double cut_weight, bool *complete) {
    ksda_status status;
    ksda_i_pieces p = {0};
    ksda_i_realization made = {0};
    KSDA_I_TRY(ksda_i_plan_try(r->ctx, r->graph, r->communities, plan, r->options->k, cut_weight, r->options->favour,
                               &p, &made, complete));
    if (!*complete) {
        if (made.short_of) tighten_slack(r, plan, &p, &made);
        goto done;
    }
    if (!r->found || cost_of(r, &p, &made) < r->cost)
        KSDA_I_TRY(keep_cheapest(r, &p, &made));
    else
        KSDA_I_TRY(pass_over_pieces(r, &p, &made));
done:
    ksda_i_pieces_clear(r->ctx, &p);
    ksda_i_realization_clear(r->ctx, &made);
    return status;
}

/* Prices of a round: 1 at first; then shaken a little so that ties fall differently. */
static void set_prices(ksda_i_rounds *r, uint32_t round) {
    ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(r->ctx), 0x6c657665, round);
    for (uint32_t c = 0; c < r->communities->count; c++) {
        double shake = round < 4 ? 1.0 : 0.9 + 0.2 * ksda_i_rng_unit(&rng);
        r->price[c] = round == 0 ? 1.0 : shake;
    }
}

/* The split weight a round plans with. A huge one hides the price of edges from the search, so where splitting is
 * needed some rounds plan with less; what counts in the end is the true one. */
static double search_weight(const ksda_i_rounds *r, uint32_t round) {
    static const double less[] = {0, 1000, 100}, more[] = {0, 0.5, 0.2};
    double weight = r->options->split_weight, other = less[round % 3];
    if (more[round % 3] > weight) return more[round % 3]; /* and a tiny one hides that of splits */
    bool splits = !r->found || r->pieces.count > r->pieces.n;
    return splits && other > 0 && other < weight ? other : weight;
}

static ksda_status one_round(ksda_i_rounds *r, uint32_t round, uint32_t width, uint32_t variants, bool *complete) {
    ksda_i_plan plan = {0};
    ksda_i_plan_options o = {.k = r->options->k,
                             .split_weight = r->options->split_weight,
                             .width = width,
                             .span = 48,
                             .variants = variants,
                             .price = r->price,
                             .strict = r->strict,
                             .slack = r->slack};
    static const double pairing[] = {1, 0, 0.5, 0.75};
    bool found;
    *complete = false;
    o.pairing = pairing[round % 4];
    o.split_weight = search_weight(r, round);
    set_prices(r, round);
    ksda_status status = ksda_i_plan_make(r->ctx, &r->lists, &o, &plan, &found);
    if (status >= 0 && found) {
        status = ksda_i_rounds_attempt(r, &plan, r->options->split_weight, complete);
    }
    ksda_i_plan_clear(r->ctx, &plan);
    return status;
}

/* The first round may take longer than was allowed, because it is worth more than the fallback, but leaves two thirds
 * of the time up to the deadline for that. */
static ksda_status first_round(ksda_i_rounds *r, uint32_t width, uint32_t variants, bool *complete) {
    ksda_ctx *ctx = r->ctx;
    double end = ctx->end;
    if (ctx->deadline > 0 && end > ctx->deadline) ctx->end = ctx->deadline + (end - ctx->deadline) / 3;
    ksda_status status = one_round(r, 0, width, variants, complete);
    ctx->end = end;
    if (status != KSDA_TIMEOUT) return status;
    r->limited = true;
    return KSDA_OK;
}

/* As many rounds as the size asks for, at most `most`, or until so many of them were complete. */
static ksda_status run_rounds(ksda_i_rounds *r, uint32_t most, uint32_t enough) {
    ksda_status status = KSDA_OK;
    uint64_t size = (uint64_t)r->lists.levels * r->communities->count;
    uint32_t width = size < 2048 ? 32 : size < 16384 ? 16 : size < 65536 ? 8 : 3;
    uint32_t variants = size < 2048 ? 12 : size < 16384 ? 6 : size < 65536 ? 12 : 4;
    uint32_t rounds = size < 2048 ? 24 : size < 65536 ? 16 : size < 1000000 ? 4 : 2, limit = rounds + 32;
    if (limit > most) limit = most;
    if (rounds > enough) rounds = enough;
    for (; r->round < limit && r->complete < rounds; r->round++) {
        bool complete = false;
        if (r->round > 0 && (time_is_over(r) || ksda_i_work_over(r->ctx))) break;
        if (r->round == 0)
            KSDA_I_TRY(first_round(r, width, variants, &complete));
        else
            KSDA_I_TRY(one_round(r, r->round, width, variants, &complete));
        r->complete += complete;
    }
done:
    return status;
}

ksda_status ksda_i_rounds_search(ksda_i_rounds *r, uint32_t most) {
    return run_rounds(r, most, UINT32_MAX);
}

ksda_status ksda_i_rounds_begin(ksda_i_rounds *r) {
    return run_rounds(r, UINT32_MAX, 1);
}

/* Of a release that is passed on only how many pieces it has is asked for again; the rest is 20 bytes a vertex. */
static void forget_arrays(ksda_i_rounds *r) {
    const ksda_i_pieces counts = {.n = r->pieces.n, .count = r->pieces.count};
    ksda_i_pieces_clear(r->ctx, &r->pieces);
    ksda_i_realization_clear(r->ctx, &r->made);
    r->pieces = counts;
}

ksda_status ksda_i_rounds_offer(ksda_i_rounds *r) {
    ksda_edits *edits = NULL;
    if (!r->found || !r->pieces.edits) return KSDA_OK;
    ksda_status status = ksda_i_plan_join(r->ctx, &r->pieces, &r->made, &edits);
    if (status < 0) return status;
    forget_arrays(r);
    return r->pass(r->payload, edits);
}

/* --- opening and closing ------------------------------------------------------------------------------------------ */

/* What rounds learn; the lists are there. */
static ksda_status open_notes(ksda_i_rounds *r) {
    uint32_t n = r->graph->n, m = r->communities->count;
    r->slack = ksda_i_malloc(r->ctx, n, sizeof *r->slack);
    r->price = ksda_i_malloc(r->ctx, m, sizeof *r->price);
    r->strict = ksda_i_calloc(r->ctx, m, sizeof *r->strict);
    if (!r->slack || !r->price || !r->strict) return KSDA_NOMEM;
    memcpy(r->slack, r->lists.slack, n * sizeof *r->slack);
    return KSDA_OK;
}

ksda_status ksda_i_rounds_open(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               const ksda_anonymize_options *options, ksda_i_rounds *out) {
    *out = (ksda_i_rounds){.ctx = ctx, .graph = graph, .communities = communities, .options = options};
    ksda_status status = ksda_i_ranks_make(ctx, graph, communities, &out->lists);
    return status < 0 ? status : open_notes(out);
}

ksda_status ksda_i_rounds_fork(ksda_ctx *ctx, const ksda_i_rounds *of, const ksda_anonymize_options *options,
                               ksda_i_rounds *out) {
    *out = (ksda_i_rounds){.ctx = ctx,
                           .graph = of->graph,
                           .communities = of->communities,
                           .options = options,
                           .lists = of->lists,
                           .borrowed = true};
    return open_notes(out);
}

void ksda_i_rounds_again(ksda_i_rounds *r, const ksda_anonymize_options *options) {
    ksda_i_pieces_clear(r->ctx, &r->pieces);
    ksda_i_realization_clear(r->ctx, &r->made);
    r->options = options, r->found = false, r->round = 0, r->complete = 0;
    memcpy(r->slack, r->lists.slack, r->graph->n * sizeof *r->slack);
    memset(r->strict, 0, r->communities->count * sizeof *r->strict);
}

void ksda_i_rounds_close(ksda_i_rounds *r) {
    if (!r->borrowed) ksda_i_ranks_clear(r->ctx, &r->lists);
    ksda_i_free(r->ctx, r->slack);
    ksda_i_free(r->ctx, r->price);
    ksda_i_free(r->ctx, r->strict);
    ksda_i_pieces_clear(r->ctx, &r->pieces);
    ksda_i_realization_clear(r->ctx, &r->made);
}
