/* Choose again whom the added edges connect, so that nobody can tell them from the own edges of their ends.
 *
 * The attacker (attack/added.c) ranks the edges of a vertex inside its community by what the ends have in common. Where
 * an added edge stands among the own ones, as a share of these, is on the mean over all ends to be a half, for each of
 * his scores, and single edges are to be near the middle. Edges are exchanged (plausible_moves.c) where that makes the
 * sum of squares of both smaller; some of the exchanges cost an edge, and so many may be spent.
 *
 * Rounds: score the own edges in the release as it is, rank all added ones, exchange one after the other, those without
 * which the sum would be smallest first; the edges that may be spent are so over several rounds. An exchange also
 * changes how own edges and others score, which the round does not see; the more are exchanged, the farther is what it
 * believes from what is, so that later rounds leave most edges alone. The release of the
 * round whose worst score is nearest to a half is handed over: it is never farther from it than what came in. One
 * thread works; edges of different communities share the means. */
#include "methods/levelplan/plausible.h"

#include "core/sort.h"
#include "graph/communities.h"

#include <math.h>
#include <stdlib.h>

enum {
    ROUNDS = 60,
    SPENDING = 5,    /* of them until all edges may be spent */
    COARSE = 9,      /* of them that exchange all edges; the others */
    FINE = 4,        /* one out of so many, */
    FINER = 16,      /* and half as many after each so many rounds, where edges may be spent */
    ANYBODY = 64,    /* candidates for an end from anywhere in the community, */
    ANYBODY_FREE = 8 /* and where no edge may be spent, which is to be quick */
};
#define COMPARISONS UINT64_C(10000000) /* of neighbours, for one look at all groups of a degree */
#define UNMASKED 0.5                   /* weight of unmasking, beside the distance of a score from a half, */
#define UNMASKED_FREE 0.03             /* for what is above chance by more than this */

/* --- edges -------------------------------------------------------------------------------------------------------- */

/* order and start: the movable edges by community. */
static void sort_edges(ksda_i_disguise *d) {
    uint32_t m = ksda_communities_set_count(d->communities);
    memset(d->start, 0, ((uint64_t)m + 2) * sizeof *d->start);
    for (uint64_t e = 0; e < d->edges; e++)
        if (ksda_i_disguise_movable(d, d->edge[e])) d->start[ksda_i_disguise_home(d, d->edge[e]) + 2]++;
    for (uint32_t c = 0; c < m; c++) d->start[c + 2] += d->start[c + 1];
    for (uint64_t e = 0; e < d->edges; e++)
        if (ksda_i_disguise_movable(d, d->edge[e])) d->order[d->start[ksda_i_disguise_home(d, d->edge[e]) + 1]++] = e;
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

static ksda_status apply_disguise(const ksda_i_disguise *d, uint64_t edges, ksda_graph **out) {
    ksda_edits now = *d->edits;
    now.added.pair = d->edge, now.added.count = edges;
    return ksda_edits_apply(d->ctx, &now, out);
}

/* How all added edges look. */
static ksda_status look_at_all(ksda_i_disguise *d) {
    ksda_status status;
    d->all = (ksda_i_looks){.ends = 0};
    for (uint64_t e = 0; e < d->edges; e++) {
        double score[KSDA_I_LIKENESSES];
        uint32_t p = d->edge[e].u, q = d->edge[e].v;
        d->looks[e] = (ksda_i_looks){.ends = 0};
        if (!ksda_i_disguise_false(d, d->edge[e])) continue;
        ksda_i_likeness(d->then, p, q, true, score);
        ksda_i_disguise_rank(d, p, score, &d->looks[e]);
        score[KSDA_I_LIKE_DEGREE] = ksda_i_degree(d->then, p);
        ksda_i_disguise_rank(d, q, score, &d->looks[e]);
        ksda_i_looks_add(&d->all, &d->looks[e], 1);
        if ((status = ksda_i_look(d->ctx, e)) < 0) return status;
    }
    return d->status;
}

static ksda_status renew_release(ksda_i_disguise *d) {
    ksda_graph_free(d->ctx, d->then);
    d->then = NULL;
    return apply_disguise(d, d->edges, &d->then);
}

static void measure_levels(ksda_i_disguise *d) {
    memset(d->level, 0, d->degrees * sizeof *d->level);
    for (uint32_t p = 0; p < d->pieces; p++) d->level[ksda_i_degree(d->then, p)]++;
    for (uint32_t i = 0; i < d->degrees; i++) d->level[i] = log(fmax(1, d->level[i]));
}

/* How all added edges of the release look as it is, to an attacker who learned from it as well. Where no edge may be
 * spent nobody learns: what is exchanged then is weighed against the measures of the network. */
static ksda_status take_stock(ksda_i_disguise *d, uint64_t round, bool learn) {
    ksda_status status = KSDA_OK;
    ksda_i_own_begin(d);
    if (learn) {
        measure_levels(d);
        d->learning = true;
        ksda_i_lesson_begin(d, round);
        status = look_at_all(d);
        d->learning = false;
        if (status >= 0) status = ksda_i_lesson_end(d, round);
        if (status >= 0) ksda_i_disguise_weigh_again(d, round % KSDA_I_LEARNED);
    }
    return status < 0 ? status : look_at_all(d);
}

typedef struct turn {
    double without; /* the sum if the edge were not there */
    uint64_t edge;
} turn;

static int by_sum(const void *a, const void *b) {
    const turn *x = a, *y = b;
    if (x->without != y->without) return x->without < y->without ? -1 : 1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

uint64_t ksda_i_disguise_step(uint64_t round, bool spends) {
    if (round < COARSE) return 1;
    return spends ? (uint64_t)FINE << ((round - COARSE) / FINER) : FINE;
}

static ksda_status exchange_some(ksda_i_disguise *d, uint64_t round, uint64_t step, turn *turns) {
    uint64_t count = 0;
    for (uint64_t e = 0; e < d->edges; e++) {
        ksda_i_looks rest = d->all;
        if (!ksda_i_disguise_movable(d, d->edge[e])) continue;
        ksda_i_looks_add(&rest, &d->looks[e], -1);
        turns[count++] = (turn){ksda_i_disguise_sum(&rest), e};
    }
    if (count) ksda_i_sort_by(turns, count, sizeof *turns, by_sum);
    count = (count + step - 1) / step;
    for (uint64_t i = 0; i < count && d->status >= 0 && !ksda_i_work_over(d->ctx); i++) {
        ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(d->ctx), 0x706c6175 + round, i);
        ksda_i_disguise_edge(d, &rng, turns[i].edge);
        if (ksda_i_cancelled(d->ctx)) return ksda_i_interrupted(d->ctx);
    }
    return d->status;
}

typedef struct kept {
    ksda_pair *edge; /* [most] */
    uint64_t edges;
    bool spends;         /* edges may be spent: then it counts, too, how often untouched people are unmasked */
    double worst, score; /* the worst of all looks, and of the scores */
    double limit;        /* no score may be farther from chance than the worst was that came in */
} kept;

/* Unmasking is looked at only where the release would be the best one without it. */
static ksda_status keep_if_best(ksda_i_disguise *d, kept *best) {
    double score = ksda_i_disguise_worst_score(&d->all), worst = ksda_i_disguise_worst(&d->all), unmasked = 0;
    if (worst >= best->worst || score > best->limit) return KSDA_OK;
    ksda_status status = best->spends ? ksda_i_disguise_unmasked(d, &unmasked) : KSDA_OK;
    worst += UNMASKED * fmax(0, unmasked - UNMASKED_FREE);
    if (status < 0 || worst >= best->worst) return status;
    memcpy(best->edge, d->edge, d->edges * sizeof *d->edge);
    best->edges = d->edges, best->worst = worst, best->score = score;
    return KSDA_OK;
}

static ksda_status run_rounds(ksda_i_disguise *d, turn *turns, kept *best) {
    ksda_status status = KSDA_OK;
    uint64_t first = d->edges, most = d->most;
    for (uint64_t round = 0; round < ROUNDS && !ksda_i_work_over(d->ctx); round++) {
        KSDA_I_TRY(ksda_i_progress_stage(d->ctx, round, ROUNDS));
        if (round < COARSE && most > first) KSDA_I_TRY(ksda_i_disguise_circles(d, round));
        sort_edges(d);
        d->most = most;
        if (most > first) KSDA_I_TRY(ksda_i_disguise_groups(d, round));
        d->most = first + (round < SPENDING ? (most - first) * round / SPENDING : most - first);
        KSDA_I_TRY(exchange_some(d, round, ksda_i_disguise_step(round, most > first), turns));
        KSDA_I_TRY(renew_release(d));
        KSDA_I_TRY(take_stock(d, round, most > first));
        KSDA_I_TRY(keep_if_best(d, best));
    }
done:
    return status;
}

/* Mend pieces of people who are split: from then on no release without that will do, if one with it will. */
static ksda_status share_pieces(ksda_i_disguise *d, kept *best) {
    uint64_t before = d->edges;
    ksda_status status = KSDA_OK;
    KSDA_I_TRY(ksda_i_disguise_pieces(d));
    if (d->edges == before) return KSDA_OK;
    KSDA_I_TRY(renew_release(d));
    KSDA_I_TRY(take_stock(d, KSDA_I_LEARNED - 1, true));
    best->worst = INFINITY;
    KSDA_I_TRY(keep_if_best(d, best));
done:
    return status;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static ksda_status open_tables(ksda_i_disguise *d) {
    ksda_ctx *ctx = d->ctx;
    d->owner = ksda_i_malloc(ctx, d->pieces, sizeof *d->owner);
    d->degree = ksda_i_malloc(ctx, d->pieces, sizeof *d->degree);
    d->edge = ksda_i_malloc(ctx, d->most, sizeof *d->edge);
    d->looks = ksda_i_malloc(ctx, d->most, sizeof *d->looks);
    d->first = ksda_i_calloc(ctx, d->pieces, sizeof *d->first);
    d->next = ksda_i_malloc(ctx, 2 * d->most, sizeof *d->next);
    d->start = ksda_i_malloc(ctx, (uint64_t)ksda_communities_set_count(d->communities) + 2, sizeof *d->start);
    d->order = ksda_i_malloc(ctx, d->most, sizeof *d->order);
    d->own = ksda_i_malloc(ctx, d->pieces, sizeof *d->own);
    d->seen = ksda_i_calloc(ctx, d->pieces, sizeof *d->seen);
    d->keeps = ksda_i_calloc(ctx, d->pieces, 1);
    for (int i = 0; i < 2; i++)
        if (!(d->mark[i] = ksda_i_calloc(ctx, d->pieces, sizeof **d->mark))) return KSDA_NOMEM;
    if (!d->owner || !d->degree || !d->edge || !d->looks || !d->first || !d->next || !d->start || !d->order ||
        !d->own || !d->seen || !d->keeps)
        return KSDA_NOMEM;
    ksda_edits_owners(d->edits, d->owner);
    memcpy(d->edge, d->edits->added.pair, d->edges * sizeof *d->edge);
    return KSDA_OK;
}

/* What is told by degree. */
static ksda_status open_degrees(ksda_i_disguise *d, uint32_t k, ksda_share share) {
    for (uint32_t p = 0; p < d->pieces; p++) {
        d->degree[p] = ksda_i_degree(d->then, p);
        if (d->degree[p] + 2 > d->degrees) d->degrees = d->degree[p] + 2;
    }
    d->weight = ksda_i_calloc(d->ctx, d->degrees, sizeof *d->weight);
    d->level = ksda_i_malloc(d->ctx, d->degrees, sizeof *d->level);
    d->common = ksda_i_malloc(d->ctx, d->degrees, sizeof *d->common);
    if (!d->weight || !d->level || !d->common) return KSDA_NOMEM;
    for (uint32_t i = 2; i < d->degrees; i++) d->weight[i] = ksda_i_likeness_weight(i);
    for (int i = 0; i < 2; i++)
        if (!(d->around[i] = ksda_i_malloc(d->ctx, d->degrees, sizeof **d->around))) return KSDA_NOMEM;
    return ksda_i_disguise_count(d, k, share);
}

ksda_status ksda_i_disguise_open(ksda_i_disguise *d, uint32_t k, ksda_share share) {
    ksda_status status;
    ksda_i_graph_need_all(d->graph);
    d->edges = d->edits->added.count;
    d->pieces = ksda_edits_pieces(d->edits);
    d->foresees = d->most > d->edges;
    KSDA_I_TRY(open_tables(d));
    KSDA_I_TRY(apply_disguise(d, 0, &d->base));
    KSDA_I_TRY(renew_release(d));
    KSDA_I_TRY(open_degrees(d, k, share));
    KSDA_I_TRY(take_stock(d, KSDA_I_LEARNED - 1, d->most > d->edges));
    for (uint64_t e = 0; e < d->edges; e++) ksda_i_disguise_hook(d, e);
    sort_edges(d);
done:
    return status;
}

void ksda_i_disguise_close(ksda_i_disguise *d) {
    void *block[] = {d->owner,
                     d->degree,
                     d->edge,
                     d->looks,
                     d->first,
                     d->next,
                     d->start,
                     d->order,
                     d->own,
                     d->seen,
                     d->score,
                     d->mark[0],
                     d->mark[1],
                     d->around[0],
                     d->around[1],
                     d->weight,
                     d->lesson.contrasts.row,
                     d->keeps,
                     d->stays,
                     d->common,
                     d->safe,
                     d->level};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) ksda_i_free(d->ctx, block[i]);
    ksda_i_census_close(d->ctx, &d->census);
    ksda_i_set_crowds_close(d->ctx, &d->crowds);
    ksda_i_rolls_clear(d->ctx, &d->rolls);
    ksda_communities_free(d->ctx, d->published);
    ksda_graph_free(d->ctx, d->base);
    ksda_graph_free(d->ctx, d->then);
}

ksda_status ksda_i_plausible(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
                             ksda_share share, uint64_t extra, ksda_edits *edits, double *nearer) {
    ksda_status status;
    double first;
    ksda_i_disguise d = {.ctx = ctx,
                         .graph = graph,
                         .communities = communities,
                         .edits = edits,
                         .most = edits->added.count + extra,
                         .comparisons = COMPARISONS,
                         .anybody = extra ? ANYBODY : ANYBODY_FREE};
    kept best = {.spends = extra > 0, .worst = INFINITY, .limit = INFINITY};
    turn *turns = NULL;
    *nearer = 0;
    if (!edits->added.count) return KSDA_OK;
    best.edge = ksda_i_malloc(ctx, d.most, sizeof *best.edge);
    turns = ksda_i_malloc(ctx, d.most, sizeof *turns);
    KSDA_I_TRY(best.edge && turns ? ksda_i_disguise_open(&d, k, share) : KSDA_NOMEM);
    KSDA_I_TRY(keep_if_best(&d, &best));
    first = best.limit = best.score;
    KSDA_I_TRY(share_pieces(&d, &best));
    KSDA_I_TRY(run_rounds(&d, turns, &best));
    KSDA_I_TRY(ksda_i_reserve(ctx, &edits->added.pair, &edits->added.capacity, best.edges, sizeof *best.edge));
    memcpy(edits->added.pair, best.edge, best.edges * sizeof *best.edge);
    edits->added.count = best.edges;
    *nearer = first - best.score;
done:
    ksda_i_free(ctx, best.edge);
    ksda_i_free(ctx, turns);
    ksda_i_disguise_close(&d);
    return status;
}
