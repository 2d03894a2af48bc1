/* Pieces of one person that have friends in common, as strangers of their community have.
 *
 * The attacker (attack/pieces.c) compares two pieces of one person that are not adjacent with other pairs of their
 * community: pieces share no neighbour, since each edge is dealt to one of them, and that alone gives them away. So one
 * of the two gets further representatives of edges that the other one has, inside the community: each costs an added
 * edge, shows nothing false, and is a friend in common.
 *
 * For every pair numbers of such edges are tried, for either piece, that the census allows, one by one and then in
 * steps that grow, and the one is done under which the five scores of all pairs, ranked among strangers, are on the
 * mean nearest to a half: also that of the degrees, which grow. Nothing is done where that is near enough already. Time
 * O(the degree) for each stranger, and O(STEPS * the degree) for all numbers that are tried. */
#include "methods/levelplan/plausible.h"

#include "attack/whole.h"
#include "core/sort.h"

#include <math.h>
#include <stdlib.h>

enum {
    STRANGERS = 8192, /* pairs of pieces and others that are looked at, */
    OF_EACH = 256,    /* and of each piece */
    PIECES = 8,       /* of a person; with more of them edges would have to be told to all */
    PAIRS = 512,      /* at most, of all people */
    STEPS = 32        /* numbers of edges grow by one in so many */
};
#define NEAR_ENOUGH 0.2 /* from a half, on the mean over all pairs */
#define SPEND 2         /* one out of so many of the edges that may be spent, at most */
#define FRIEND_UNITS 20u

/* A pair of pieces. */
typedef struct couple {
    uint32_t piece[2];
    double rank[KSDA_I_LIKENESSES]; /* of the pair among strangers */
} couple;

typedef struct coupling {
    ksda_i_disguise *d;
    couple *pair; /* [pairs] */
    uint64_t pairs;
    double sum[KSDA_I_LIKENESSES]; /* of the ranks of all pairs */
    double *score;                 /* [KSDA_I_LIKENESSES * STRANGERS] of pieces and others, ascending */
    uint64_t strangers;
    uint32_t *could[2]; /* [degrees] friends of the other one, that either could have as well */
    uint64_t friends[2];
    uint64_t left; /* edges to spend */
} coupling;

/* --- ranks -------------------------------------------------------------------------------------------------------- */

/* Scores of pairs of a piece and others of its community, in the release at hand, and of both degrees together. */
static void score_strangers(coupling *c, uint32_t p, uint64_t most, ksda_i_rng *rng) {
    ksda_i_disguise *d = c->d;
    for (uint64_t i = 0; i < most && c->strangers < STRANGERS; i++) {
        double score[KSDA_I_LIKENESSES];
        uint32_t y = ksda_i_disguise_anybody(d, d->owner[p], rng);
        if (d->owner[y] == d->owner[p] || ksda_graph_adjacent(d->then, p, y)) continue;
        ksda_i_likeness(d->then, p, y, false, score);
        score[KSDA_I_LIKE_DEGREE] += ksda_i_degree(d->then, p);
        for (uint64_t s = 0; s < KSDA_I_LIKENESSES; s++) c->score[s * STRANGERS + c->strangers] = score[s];
        c->strangers++;
    }
    ksda_i_work(d->ctx, most * (100 + ksda_i_degree(d->then, p)));
}

/* Where a pair with so much in common stands. degree: of either piece. */
static void rank_pair(const coupling *c, uint64_t shared, uint64_t weight, const uint32_t degree[2], double *rank) {
    double score[KSDA_I_LIKENESSES];
    ksda_i_likeness_scores(shared, weight, degree[0], degree[1], false, score);
    score[KSDA_I_LIKE_DEGREE] += degree[0];
    for (uint64_t s = 0; s < KSDA_I_LIKENESSES; s++)
        rank[s] = ksda_i_below(c->score + s * STRANGERS, c->strangers, score[s]) / (double)c->strangers;
}

/* How far the mean of a score is from a half at worst, if the pair had these ranks. */
static double worst_with(const coupling *c, const couple *pair, const double *rank) {
    double most = 0;
    for (int s = 0; s < KSDA_I_LIKENESSES; s++)
        most = fmax(most, fabs((c->sum[s] - pair->rank[s] + rank[s]) / (double)c->pairs - 0.5));
    return most;
}

/* What the two have in common now; and which friends of each the other one could have as well. */
static uint64_t common_now(coupling *c, const couple *pair, uint64_t *weight) {
    ksda_i_disguise *d = c->d;
    uint64_t shared = 0;
    *weight = 0;
    for (int side = 0; side < 2; side++) {
        uint32_t p = pair->piece[side], q = pair->piece[!side];
        c->friends[side] = 0;
        d->stamp++;
        ksda_i_disguise_mark(d, 0, p);
        for (uint64_t e = d->base->off[q]; e < d->base->off[q + 1]; e++) {
            uint32_t z = d->base->adj[e];
            bool both = d->mark[0][z] == d->stamp;
            if (both && side == 0) shared++, *weight += d->weight[d->degree[z]];
            if (both || ksda_i_disguise_split(d, z) || !ksda_i_may_connect(d->communities, d->owner[p], d->owner[z]))
                continue;
            c->could[side][c->friends[side]++] = z;
        }
        ksda_i_work(d->ctx, FRIEND_UNITS * (uint64_t)ksda_i_degree(d->base, q));
    }
    return shared;
}

/* --- edges -------------------------------------------------------------------------------------------------------- */

/* Raise the piece by so many, and as many of those who could be its friends by one each; false, and nothing is done,
 * where there are not so many who may. They stand first in the list then. */
static bool raise_all(coupling *c, int side, uint32_t p, uint32_t by) {
    ksda_i_disguise *d = c->d;
    uint32_t found = 0;
    if (d->degree[p] + by + 2 > d->degrees) return false;
    ksda_i_disguise_shift(d, p, (int)by);
    bool fine = ksda_i_disguise_in_order(d, p, (int)by);
    for (uint64_t i = 0; i < c->friends[side] && found < by && fine; i++) {
        uint32_t z = c->could[side][i];
        if (!ksda_i_disguise_may_rise(d, z)) continue;
        ksda_i_disguise_shift(d, z, 1);
        c->could[side][i] = c->could[side][found], c->could[side][found++] = z;
    }
    if (found == by && fine) return true;
    while (found) ksda_i_disguise_shift(d, c->could[side][--found], -1);
    ksda_i_disguise_shift(d, p, -(int)by);
    return false;
}

static void lower_all(coupling *c, int side, uint32_t p, uint32_t by) {
    for (uint32_t i = by; i--;) ksda_i_disguise_shift(c->d, c->could[side][i], -1);
    ksda_i_disguise_shift(c->d, p, -(int)by);
}

typedef struct sharing {
    double worst;
    int side;
    uint32_t by;
    double rank[KSDA_I_LIKENESSES];
} sharing;

static void try_sharing(coupling *c, const couple *pair, uint64_t shared, uint64_t weight, sharing now, sharing *best) {
    ksda_i_disguise *d = c->d;
    int side = now.side;
    uint32_t by = now.by;
    ksda_i_work(d->ctx, FRIEND_UNITS * (uint64_t)by);
    if (!raise_all(c, side, pair->piece[side], by)) return;
    const uint32_t degree[2] = {d->degree[pair->piece[0]], d->degree[pair->piece[1]]};
    for (uint32_t i = 0; i < by; i++) weight += d->weight[d->degree[c->could[side][i]]];
    rank_pair(c, shared + by, weight, degree, now.rank);
    lower_all(c, side, pair->piece[side], by);
    now.worst = worst_with(c, pair, now.rank);
    if (now.worst < best->worst - 1e-9) *best = now;
}

static void share_friends(coupling *c, couple *pair, const sharing *how) {
    ksda_i_disguise *d = c->d;
    uint32_t p = pair->piece[how->side];
    if (!raise_all(c, how->side, p, how->by)) return;
    for (uint32_t i = 0; i < how->by; i++) {
        d->edge[d->edges] = (ksda_pair){p, c->could[how->side][i]};
        d->looks[d->edges] = (ksda_i_looks){.ends = 0};
        ksda_i_disguise_hook(d, d->edges++);
    }
    c->left -= how->by;
    for (int s = 0; s < KSDA_I_LIKENESSES; s++) c->sum[s] += how->rank[s] - pair->rank[s], pair->rank[s] = how->rank[s];
}

static void mend_pair(coupling *c, uint64_t i) {
    couple *pair = &c->pair[i];
    sharing best = {.worst = worst_with(c, pair, pair->rank)};
    uint64_t weight, shared = common_now(c, pair, &weight);
    for (int side = 0; side < 2; side++)
        for (uint32_t by = 1; by <= c->left && by <= c->friends[side] && !ksda_i_cancelled(c->d->ctx);
             by += 1 + by / STEPS)
            try_sharing(c, pair, shared, weight, (sharing){.side = side, .by = by}, &best);
    if (best.by) share_friends(c, pair, &best);
}

/* --- pairs -------------------------------------------------------------------------------------------------------- */

static ksda_status list_pairs(coupling *c) {
    ksda_i_disguise *d = c->d;
    uint32_t n = d->graph->n, *start = ksda_i_malloc(d->ctx, (uint64_t)n + 1, sizeof *start);
    uint32_t *piece = ksda_i_malloc(d->ctx, d->pieces, sizeof *piece);
    ksda_status status = start && piece ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0) ksda_i_group(d->pieces, d->owner, n, start, piece);
    for (uint32_t v = 0; v < n && status >= 0; v++) {
        if (start[v + 1] - start[v] > PIECES) continue;
        for (uint32_t i = start[v]; i < start[v + 1]; i++)
            for (uint32_t j = i + 1; j < start[v + 1] && c->pairs < PAIRS; j++)
                if (!ksda_graph_adjacent(d->then, piece[i], piece[j]))
                    c->pair[c->pairs++] = (couple){.piece = {piece[i], piece[j]}};
    }
    ksda_i_free(d->ctx, start);
    ksda_i_free(d->ctx, piece);
    return status;
}

static void rank_all(coupling *c) {
    ksda_i_disguise *d = c->d;
    uint64_t each = c->pairs ? STRANGERS / (2 * c->pairs) : 0;
    for (uint64_t i = 0; i < 2 * c->pairs; i++) {
        ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(d->ctx), 0x636f7570, i);
        score_strangers(c, c->pair[i / 2].piece[i % 2], each < OF_EACH ? each : OF_EACH, &rng);
    }
    for (uint64_t s = 0; s < KSDA_I_LIKENESSES; s++) ksda_i_sort_real(c->score + s * STRANGERS, c->strangers);
    for (uint64_t i = 0; i < c->pairs && c->strangers; i++) {
        couple *pair = &c->pair[i];
        const uint32_t degree[2] = {d->degree[pair->piece[0]], d->degree[pair->piece[1]]};
        uint64_t weight, shared = common_now(c, pair, &weight);
        rank_pair(c, shared, weight, degree, pair->rank);
        for (int s = 0; s < KSDA_I_LIKENESSES; s++) c->sum[s] += pair->rank[s];
    }
}

ksda_status ksda_i_disguise_pieces(ksda_i_disguise *d) {
    coupling c = {.d = d, .left = (d->most - d->edges) / SPEND};
    ksda_status status = KSDA_OK;
    if (d->pieces == d->graph->n || !c.left) return KSDA_OK;
    c.pair = ksda_i_malloc(d->ctx, PAIRS, sizeof *c.pair);
    c.score = ksda_i_malloc(d->ctx, (uint64_t)KSDA_I_LIKENESSES * STRANGERS, sizeof *c.score);
    for (int i = 0; i < 2; i++) c.could[i] = ksda_i_malloc(d->ctx, d->degrees, sizeof **c.could);
    KSDA_I_TRY(c.pair && c.score && c.could[0] && c.could[1] ? KSDA_OK : KSDA_NOMEM);
    KSDA_I_TRY(list_pairs(&c));
    rank_all(&c);
    for (uint64_t i = 0; i < c.pairs && c.strangers && !ksda_i_work_over(d->ctx); i++) {
        if (worst_with(&c, &c.pair[i], c.pair[i].rank) <= NEAR_ENOUGH) break;
        mend_pair(&c, i);
        KSDA_I_TRY(ksda_i_interrupted(d->ctx));
    }
done:
    for (int i = 0; i < 2; i++) ksda_i_free(d->ctx, c.could[i]);
    ksda_i_free(d->ctx, c.score);
    ksda_i_free(d->ctx, c.pair);
    return status;
}
