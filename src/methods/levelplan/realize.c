/* Find the edges: inside one community, add edges until everybody has the planned degree.
 *
 * needs(u) = target - degree must become the degrees of a simple graph on the pairs that are not adjacent yet. Four
 * steps: pair the neediest with the next needy ones (Havel and Hakimi's rule, which is exact when all pairs are free);
 * exchange, where two needs are left over that are adjacent to each other: an added edge x-y becomes u-x and w-y; let
 * absorbers take what is left, vertices that move up to the next level while others of their community stay behind at
 * theirs; and report what nobody could take. An exchange saves the edge that two absorbers would cost.
 *
 * Absorbing looks only at the own community: a level may be left if another member stays, and entered if it is open. So
 * no community ever leaves a level, coverage stays as planned, communities are independent and run in parallel. Those
 * left with unmet needs go on afterwards, one by one, and may then use up what coverage a level has beyond k.
 *
 * Time per community O(sum of the degrees of the needy + needy^2 + added edges * exchanges), memory O(n) per thread. */
#include "methods/levelplan/realize.h"

#include "core/sort.h"
#include "methods/levelplan/limits.h"
#include "core/parallel.h"

#include <stdlib.h>

/* --- pairing ------------------------------------------------------------------------------------------------------ */

static int by_rest(const void *a, const void *b) {
    const ksda_i_need *x = a, *y = b;
    if (x->rest != y->rest) return x->rest > y->rest ? -1 : 1;
    return (x->piece > y->piece) - (x->piece < y->piece);
}

/* Who has met one need, in `lowered`, goes back to its place among `needy`, which begins with so many free places. */
static void put_back(ksda_i_need *needy, uint32_t count, const ksda_i_need *lowered, uint32_t back) {
    for (uint32_t to = 0, from = back, i = 0; i < back; to++)
        needy[to] = from < count && by_rest(&needy[from], &lowered[i]) < 0 ? needy[from++] : lowered[i++];
}

/* Pair the neediest with the next ones until nobody is left; what remains over is collected at the front again. Those
 * who are paired and still needy wait in d->lowered, in order; those passed by stay, and move up behind them. */
static ksda_status pair_needs(ksda_i_realizer *d) {
    uint32_t left = 0, count = d->needies;
    ksda_i_need *needy = d->needy;
    if (ksda_i_reserve(d->all->ctx, &d->lowered, &d->lowered_capacity, count, sizeof *d->lowered) < 0)
        return KSDA_NOMEM;
    for (uint32_t at = 0; at < count && !ksda_i_cancelled(d->all->ctx);) {
        ksda_i_need most = needy[at++];
        uint32_t i = at, passed = at, back = 0;
        ksda_i_realize_mark(d, most.piece);
        for (; i < count && most.rest; i++) {
            if (ksda_i_realize_marked(d, needy[i].piece)) {
                needy[passed++] = needy[i];
                continue;
            }
            if (ksda_i_realize_connect(d, most.piece, needy[i].piece) < 0) return KSDA_NOMEM;
            d->mark[d->all->pieces->owner[needy[i].piece]] = d->stamp;
            most.rest--;
            if (--needy[i].rest) d->lowered[back++] = needy[i];
        }
        if (most.rest) needy[left++] = most;
        memmove(needy + i - (passed - at), needy + at, (passed - at) * sizeof *needy);
        at = i - (passed - at) - back;
        put_back(needy + at, count - at, d->lowered, back);
    }
    d->needies = left;
    return KSDA_OK;
}

/* The same for a crowd, where it matters little which of those with equal needs comes first: a piece that is served
 * changes places with the last of his class, and the class ends before him. */
static ksda_status pair_crowd(ksda_i_realizer *d) {
    uint32_t left = 0, count = d->needies, most = d->needy[0].rest;
    ksda_i_need *needy = d->needy;
    uint32_t *end =
        ksda_i_calloc(d->all->ctx, (uint64_t)most + 1, sizeof *end); /* of those with at least this ksda_i_need */
    ksda_status status = end ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t i = 0; end && i < count; i++) end[needy[i].rest] = i + 1;
    for (uint32_t r = most; end && r-- > 1;)
        if (end[r] < end[r + 1]) end[r] = end[r + 1];
    for (uint32_t at = 0; end && at < end[1] && status >= 0 && !ksda_i_cancelled(d->all->ctx); at++) {
        ksda_i_need first = needy[at];
        ksda_i_realize_mark(d, first.piece);
        for (uint32_t i = at + 1; i < end[1] && first.rest && status >= 0;) {
            ksda_i_need next = needy[i];
            if (ksda_i_realize_marked(d, next.piece)) {
                i++;
                continue;
            }
            uint32_t last = --end[next.rest];
            needy[i] = needy[last];
            needy[last] = (ksda_i_need){next.piece, next.rest - 1};
            d->mark[d->all->pieces->owner[next.piece]] = d->stamp;
            first.rest--;
            status = ksda_i_realize_connect(d, first.piece, next.piece);
        }
        if (first.rest) needy[left++] = first;
    }
    ksda_i_free(d->all->ctx, end);
    d->needies = left;
    return status;
}

/* --- exchanging --------------------------------------------------------------------------------------------------- */

/* Meet one need of u and one of w (or two of u, when u == w) by opening one added edge. */
static ksda_status exchange(ksda_i_realizer *d, uint32_t u, uint32_t w, uint64_t *work, bool *done) {
    ksda_i_realize_mark(d, u);
    for (uint64_t e = 0; e < d->out->count && *work < KSDA_I_REALIZE_EXCHANGES; e++, ++*work) {
        for (int flip = 0; flip < 2; flip++) {
            uint32_t x = flip ? d->out->pair[e].v : d->out->pair[e].u, y = flip ? d->out->pair[e].u : d->out->pair[e].v;
            if (ksda_i_realize_marked(d, x) ||
                (u == w ? ksda_i_realize_marked(d, y) : ksda_i_realize_adjacent(d, w, y)))
                continue;
            if (d->all->pieces->owner[x] == d->all->pieces->owner[y]) continue;
            if (u == w && flip) continue;
            ksda_i_realize_rehang(d, (uint32_t)e, x, u); /* x-y becomes x-u */
            *done = true;
            return ksda_i_realize_connect(d, w, y);
        }
    }
    return KSDA_OK;
}

static ksda_status exchange_all(ksda_i_realizer *d) {
    uint64_t work = 0;
    for (uint32_t i = 0; i < d->needies; i++)
        for (uint32_t j = i; j < d->needies && d->needy[i].rest; j++)
            while (d->needy[j].rest >= (i == j ? 2u : 1u) && d->needy[i].rest && work < KSDA_I_REALIZE_EXCHANGES) {
                bool done = false;
                if (ksda_i_cancelled(d->all->ctx)) return KSDA_OK;
                if (exchange(d, d->needy[i].piece, d->needy[j].piece, &work, &done) < 0) return KSDA_NOMEM;
                if (!done) break;
                d->needy[i].rest--, d->needy[j].rest--;
            }
    return KSDA_OK;
}

/* --- one community ------------------------------------------------------------------------------------------------ */

static ksda_status collect(ksda_i_realizer *d) {
    const ksda_i_pieces *p = d->all->pieces;
    d->needies = 0;
    for (uint32_t i = p->home[d->community]; i < p->home[d->community + 1]; i++) {
        uint32_t u = p->member[i];
        d->count[p->target[u]]++;
        if (p->target[u] == p->degree[u]) continue;
        if (ksda_i_reserve(d->all->ctx, &d->needy, &d->needy_capacity, (uint64_t)d->needies + 1, sizeof *d->needy) < 0)
            return KSDA_NOMEM;
        d->needy[d->needies++] = (ksda_i_need){u, p->target[u] - p->degree[u]};
    }
    return KSDA_OK;
}

static void close_community(ksda_i_realizer *d) {
    const ksda_i_pieces *p = d->all->pieces;
    for (uint32_t i = p->home[d->community]; i < p->home[d->community + 1]; i++) {
        d->count[p->target[p->member[i]]] = 0;
        d->first[p->member[i]] = 0;
    }
    for (uint32_t i = 0; i < d->needies; i++) {
        d->all->short_of[d->needy[i].piece] += d->needy[i].rest;
        d->out->unmet += d->needy[i].rest;
    }
}

static void realize_community(ksda_i_realizer *d, uint32_t c) {
    d->community = c;
    d->out = &d->all->result[c];
    ksda_status status = collect(d);
    if (status >= 0 && d->needies) {
        ksda_i_sort_by(d->needy, d->needies, sizeof *d->needy, by_rest);
        status = d->needies > KSDA_I_REALIZE_SORTED ? pair_crowd(d) : pair_needs(d);
        if (status >= 0) status = exchange_all(d);
        if (status >= 0) status = ksda_i_realize_absorb(d);
        if (status >= 0) status = exchange_all(d);
        if (status >= 0) status = ksda_i_realize_take_over(d);
        if (status >= 0 && d->all->plan->share.denominator) status = ksda_i_realize_change_places(d);
    }
    close_community(d);
    d->out->status = status;
}

/* Go on with a community that has unmet needs, after all others are done: now a level may also be left by its last
 * member of the community, where more than k communities are present. One community after the other. */
static ksda_status resume_community(ksda_i_realizer *d, uint32_t c) {
    const ksda_i_pieces *p = d->all->pieces;
    ksda_status status = KSDA_OK;
    d->community = c;
    d->out = &d->all->result[c];
    d->needies = 0;
    for (uint32_t i = p->home[c]; i < p->home[c + 1]; i++) {
        uint32_t u = p->member[i];
        d->count[p->target[u]]++;
        if (!d->all->short_of[u]) continue;
        KSDA_I_TRY(
            ksda_i_reserve(d->all->ctx, &d->needy, &d->needy_capacity, (uint64_t)d->needies + 1, sizeof *d->needy));
        d->needy[d->needies++] = (ksda_i_need){u, d->all->short_of[u]};
        d->all->short_of[u] = 0;
    }
    KSDA_I_TRY(ksda_i_reserve(d->all->ctx, &d->chain, &d->chain_capacity, 2 * d->out->count, sizeof *d->chain));
    for (uint64_t e = 0; e < d->out->count; e++) {
        uint32_t u = d->out->pair[e].u, w = d->out->pair[e].v;
        d->chain[2 * e] = d->first[u], d->first[u] = (uint32_t)(2 * e + 1);
        d->chain[2 * e + 1] = d->first[w], d->first[w] = (uint32_t)(2 * e + 2);
    }
    d->out->unmet = 0;
    KSDA_I_TRY(ksda_i_realize_absorb(d));
    KSDA_I_TRY(exchange_all(d));
    KSDA_I_TRY(ksda_i_realize_take_over(d));
done:
    close_community(d);
    return status;
}

static ksda_status resume(ksda_i_realizing *all, ksda_i_realizer *d) {
    ksda_status status;
    const ksda_i_pieces *p = all->pieces;
    uint32_t m = all->communities->count;
    KSDA_I_TRY(ksda_i_census_open_ordered(all->ctx, all->communities, all->model.k, all->top + 1, &all->census));
    for (uint32_t c = 0; c < m; c++)
        for (uint32_t i = p->home[c]; i < p->home[c + 1]; i++)
            ksda_i_census_see(&all->census, p->target[p->member[i]], c);
    for (uint32_t c = 0; c < m; c++)
        if (all->result[c].unmet) KSDA_I_TRY(resume_community(d, c));
done:
    ksda_i_census_close(all->ctx, &all->census);
    return status;
}

typedef struct desks {
    ksda_i_realizer *desk; /* [threads] */
} desks;

static void realize_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    ksda_i_realizer *d = &((desks *)data)->desk[thread];
    for (uint64_t c = begin; c < end; c++)
        if (!ksda_i_cancelled(d->all->ctx)) realize_community(d, (uint32_t)c);
}

/* With a share bound an absorber of one community changes what others may do: one after the other, all counted. */
static ksda_status realize_in_turn(ksda_i_realizing *all, ksda_i_realizer *d) {
    const ksda_i_pieces *p = all->pieces;
    ksda_status status = ksda_i_census_open_share(all->ctx, all->communities, all->model.k, all->plan->share,
                                                  all->top + 1, p->count, &all->census);
    for (uint32_t c = 0; c < all->communities->count && status >= 0; c++)
        for (uint32_t i = p->home[c]; i < p->home[c + 1]; i++)
            ksda_i_census_add(&all->census, p->target[p->member[i]], c);
    for (uint32_t c = 0; c < all->communities->count && status >= 0; c++) {
        realize_community(d, c);
        status = ksda_i_interrupted(all->ctx);
    }
    ksda_i_census_close(all->ctx, &all->census);
    return status;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static ksda_status desk_open(ksda_i_realizing *all, ksda_i_realizer *d) {
    *d = (ksda_i_realizer){.all = all};
    d->mark = ksda_i_calloc(all->ctx, all->graph->n, sizeof *d->mark);
    d->count = ksda_i_calloc(all->ctx, (uint64_t)all->top + 1, sizeof *d->count);
    d->first = ksda_i_calloc(all->ctx, all->pieces->count, sizeof *d->first);
    if (all->favour != KSDA_FAVOUR_BALANCED) {
        d->tally = ksda_i_calloc(all->ctx, all->graph->n, sizeof *d->tally);
        if (!d->tally) return KSDA_NOMEM;
    }
    return d->mark && d->count && d->first ? KSDA_OK : KSDA_NOMEM;
}

static void desk_close(ksda_ctx *ctx, ksda_i_realizer *d) {
    ksda_i_free(ctx, d->mark);
    ksda_i_free(ctx, d->count);
    ksda_i_free(ctx, d->first);
    ksda_i_free(ctx, d->needy);
    ksda_i_free(ctx, d->lowered);
    ksda_i_free(ctx, d->tally);
    ksda_i_free(ctx, d->friends);
    ksda_i_free(ctx, d->chain);
}

static ksda_status join_communities(ksda_i_realizing *all, ksda_i_realization *out) {
    uint32_t m = all->communities->count;
    uint64_t total = 0;
    for (uint32_t c = 0; c < m; c++) {
        if (all->result[c].status < 0) return all->result[c].status;
        total += all->result[c].count;
    }
    out->edge = ksda_i_malloc(all->ctx, total, sizeof *out->edge);
    out->edges_of = ksda_i_malloc(all->ctx, m, sizeof *out->edges_of);
    if (!out->edge || !out->edges_of) return KSDA_NOMEM;
    for (uint32_t c = 0; c < m; c++) {
        const ksda_i_new_edges *r = &all->result[c];
        if (r->count) memcpy(out->edge + out->edges, r->pair, r->count * sizeof *r->pair);
        out->edges += r->count;
        out->edges_of[c] = r->count;
        out->unmet += r->unmet;
    }
    return KSDA_OK;
}

static ksda_status chart_levels(ksda_i_realizing *all) {
    const ksda_i_plan *plan = all->plan;
    all->top = plan->levels ? plan->level[0] : 0;
    all->up = ksda_i_calloc(all->ctx, (uint64_t)all->top + 1, sizeof *all->up);
    if (!all->up) return KSDA_NOMEM;
    for (uint32_t i = 1; i < plan->levels; i++) all->up[plan->level[i]] = plan->level[i - 1];
    return KSDA_OK;
}

void ksda_i_realization_clear(ksda_ctx *ctx, ksda_i_realization *r) {
    ksda_i_free(ctx, r->edge);
    ksda_i_free(ctx, r->edges_of);
    ksda_i_free(ctx, r->short_of);
    *r = (ksda_i_realization){0};
}

ksda_status ksda_i_realize(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                           const ksda_i_plan *plan, ksda_i_pieces *pieces, uint32_t k, ksda_favour favour,
                           ksda_i_realization *out) {
    ksda_status status = KSDA_NOMEM;
    uint32_t m = communities->count;
    unsigned threads = ksda_ctx_threads(ctx);
    ksda_i_realizing all = {.ctx = ctx,
                            .graph = graph,
                            .communities = communities,
                            .plan = plan,
                            .pieces = pieces,
                            .model = ksda_i_census_model_of(communities, k),
                            .favour = favour};
    desks work = {ksda_i_calloc(ctx, threads, sizeof *work.desk)};
    bool unmet = false;
    *out = (ksda_i_realization){0};
    all.result = ksda_i_calloc(ctx, m, sizeof *all.result);
    out->short_of = all.short_of = ksda_i_calloc(ctx, pieces->count, sizeof *all.short_of);
    if (!work.desk || !all.result || !all.short_of) goto done;
    KSDA_I_TRY(chart_levels(&all));
    for (unsigned t = 0; t < threads; t++) KSDA_I_TRY(desk_open(&all, &work.desk[t]));
    if (plan->share.denominator)
        KSDA_I_TRY(realize_in_turn(&all, &work.desk[0]));
    else
        ksda_i_parallel(ctx, m, 1, realize_range, &work);
    KSDA_I_TRY(ksda_i_interrupted(ctx));
    for (uint32_t c = 0; c < m && !plan->share.denominator; c++) unmet |= all.result[c].unmet > 0;
    if (unmet) KSDA_I_TRY(resume(&all, &work.desk[0]));
    KSDA_I_TRY(ksda_i_interrupted(ctx)); /* a thread that was stopped has done its work in part */
    KSDA_I_TRY(join_communities(&all, out));
done:
    for (unsigned t = 0; work.desk && t < threads; t++) desk_close(ctx, &work.desk[t]);
    for (uint32_t c = 0; all.result && c < m; c++) ksda_i_free(ctx, all.result[c].pair);
    ksda_i_free(ctx, work.desk);
    ksda_i_free(ctx, all.result);
    ksda_i_free(ctx, all.up);
    if (status < 0) ksda_i_realization_clear(ctx, out);
    return status;
}
