/* Choose again whom the added edges connect, so that the network stays nearer to what it was.
 *
 * A plan says how many edges everybody gets, and leaves open to whom. This pass takes a complete release and exchanges
 * added edges inside communities (rewire_moves.c) so that the degrees of the release stay as they are: the cost does
 * not change, nor which communities are at which degree. What it wants small is a weighted sum of the relative changes
 * of clustering, mean distance and the largest betweenness, and of the distance between the eigenvectors.
 *
 * Rounds: measure the release; price what each kind of change does; exchange; measure again. A round that does not
 * lessen the sum is undone, so what is handed over is never worse by this sum than what came in. Where vertices are
 * split, their edges are dealt out again first (rewire_deal.c), by the same sum. At last added edges may be exchanged
 * so that they look like own ones, where that makes the sum with how far they can be told apart smaller. Prices are
 * linear estimates: distances to landmarks without the added edges say how much nearer an edge brings its ends to
 * everybody, triangles are counted, and the eigenvector's response is (radius - A)^-1, by its series. They are scaled
 * by what the added edges did in truth.
 *
 * Time per round: O(m) times the series' length, the samples of the measures, and the exchanges. Networks of more than
 * KSDA_I_REWIRE_SIZE vertices and edges are left as they are: there the added edges are a vanishing share. */
#include "methods/levelplan/rewire.h"

#include "core/sort.h"
#include "methods/levelplan/limits.h"
#include "methods/levelplan/plausible.h"
#include "core/parallel.h"
#include "graph/communities.h"
#include "graph/edits.h"
#include "graph/graph.h"
#include "privacy/census.h"

#include <ksda/measure.h>
#include <math.h>
#include <stdlib.h>

#define EXCHANGES 2000000u /* candidates of each kind looked at in a round */
#define SMALL 5e7          /* vertices * edges up to which distances and betweenness are measured exactly */
#define DEALINGS 1e8       /* the same times the tries at dealing single vertices */
#define CIRCLES 0.02       /* the same of pieces that carry circles of friends */
#define DISGUISE 5         /* weight of how far the worst score of added edges is from chance */
#define ROUNDS 8u
#define LOOK_UNITS 500u    /* of work, for measuring a network, for every vertex and edge */
#define PATH_UNITS 3u      /* the same for every vertex times every edge, where paths are measured exactly */
#define EXCHANGE_UNITS 20u /* for every candidate of an exchange, and so on for landmarks and neighbours */
#define LANDMARKS_A_UNIT 4u
#define NEIGHBOUR_UNITS 2u
#define SURVEY_UNITS 2u /* for every vertex and edge that a landmark reaches */
#define TERMS 30        /* of the series */
#define FARTHEST 100u   /* distances above are not told apart */

/* What is compared: one network. */
typedef struct look {
    double clustering, paths, betweenness;
    uint32_t centre; /* who has the largest betweenness */
    double radius;
} look;

/* --- distances ---------------------------------------------------------------------------------------------------- */

/* Distances from one piece, cut off at FARTHEST, to out[v * step]; returns their mean. */
static double distances_from(const ksda_graph *g, uint32_t from, uint32_t *queue, unsigned char *out, uint64_t step) {
    uint32_t head = 0, tail = 0;
    uint64_t sum = 0;
    for (uint32_t v = 0; v < g->n; v++) out[v * step] = KSDA_I_UNREACHED;
    out[from * step] = 0;
    queue[tail++] = from;
    while (head < tail) {
        uint32_t v = queue[head++], next = out[v * step] + 1u;
        if (next > FARTHEST) next = FARTHEST;
        sum += out[v * step];
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) {
            uint32_t w = g->adj[e];
            if (out[w * step] != KSDA_I_UNREACHED) continue;
            out[w * step] = (unsigned char)next;
            queue[tail++] = w;
        }
    }
    return tail > 1 ? (double)sum / (tail - 1) : 0;
}

/* Many searches, each into a column of a table or into scratch. */
typedef struct surveying {
    const ksda_i_rewiring *p;
    const ksda_graph *g;
    uint32_t *queue;        /* [threads * g->n] */
    unsigned char *scratch; /* [threads * g->n] */
    unsigned char *far;     /* [g->n * landmarks], or NULL */
    double *mean;           /* [landmarks] */
} surveying;

static void survey_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const surveying *s = data;
    const ksda_i_rewiring *p = s->p;
    uint64_t own = (uint64_t)thread * s->g->n;
    for (uint64_t i = begin; i < end && !ksda_i_cancelled(p->ctx); i++)
        s->mean[i] = distances_from(s->g, (uint32_t)(i * p->graph->n / p->landmarks), s->queue + own,
                                    s->far ? s->far + i : s->scratch + own, s->far ? p->landmarks : 1);
}

/* The mean distance from the landmarks, always the same ones, and in far, unless it is NULL, all distances. */
static ksda_status survey_distances(const ksda_i_rewiring *p, const ksda_graph *g, unsigned char *far, double *mean) {
    ksda_status status = KSDA_NOMEM;
    uint64_t room = (uint64_t)ksda_ctx_threads(p->ctx) * g->n;
    surveying s = {.p = p,
                   .g = g,
                   .far = far,
                   .queue = ksda_i_malloc(p->ctx, room, sizeof *s.queue),
                   .scratch = ksda_i_malloc(p->ctx, room, 1),
                   .mean = ksda_i_calloc(p->ctx, p->landmarks, sizeof *s.mean)};
    *mean = 0;
    if (!s.queue || !s.scratch || !s.mean) goto done;
    ksda_i_parallel(p->ctx, p->landmarks, 1, survey_range, &s);
    for (uint32_t i = 0; i < p->landmarks; i++) *mean += s.mean[i] / p->landmarks;
    status = ksda_i_interrupted(p->ctx);
done:
    ksda_i_free(p->ctx, s.queue);
    ksda_i_free(p->ctx, s.scratch);
    ksda_i_free(p->ctx, s.mean);
    return status;
}

/* The distances of the base to the landmarks and to the centre. */
static ksda_status survey_base(ksda_i_rewiring *p) {
    double unused;
    uint32_t *queue = ksda_i_malloc(p->ctx, p->pieces, sizeof *queue);
    p->far = ksda_i_malloc(p->ctx, (uint64_t)p->pieces * p->landmarks, 1);
    ksda_status status = queue && p->far ? survey_distances(p, p->base, p->far, &unused) : KSDA_NOMEM;
    if (status >= 0) distances_from(p->base, p->centre, queue, p->hub, 1);
    ksda_i_free(p->ctx, queue);
    return status;
}

/* --- measuring ---------------------------------------------------------------------------------------------------- */

/* The mean distance and the largest betweenness; exactly on small networks. On large ones betweenness is left out: a
 * sample that could tell two releases apart would take longer than everything else. */
static ksda_status look_at_paths(const ksda_i_rewiring *p, const ksda_graph *g, look *out) {
    ksda_status status;
    ksda_measure_options o;
    ksda_measures m = KSDA_INIT(ksda_measures);
    double most = -1, all = 0, n = g->n, *b = NULL;
    if (n * (double)g->m > SMALL) return survey_distances(p, g, NULL, &out->paths);
    ksda_measure_options_init(&o);
    o.measures = KSDA_MEASURE_BIT(KSDA_MEASURE_ASPL);
    KSDA_I_TRY(ksda_measure(p->ctx, g, NULL, &o, &m));
    out->paths = m.value[KSDA_MEASURE_ASPL].value;
    b = ksda_i_malloc(p->ctx, g->n, sizeof *b);
    KSDA_I_TRY(b ? ksda_betweenness(p->ctx, g, b) : KSDA_NOMEM);
    for (uint32_t v = 0; v < g->n; v++) {
        all += b[v];
        if (b[v] > most) most = b[v], out->centre = v;
    }
    out->betweenness = (n * most - all) / (n * n * n);
done:
    ksda_measures_clear(p->ctx, &m);
    ksda_i_free(p->ctx, b);
    return status;
}

/* local [n] and value [n] receive clustering and eigenvector centrality. */
static ksda_status take_look(const ksda_i_rewiring *p, const ksda_graph *g, double *local, double *value, look *out) {
    ksda_status status;
    double sum = 0;
    uint64_t count = 0;
    *out = (look){0};
    bool small = (double)g->n * (double)g->m <= SMALL;
    ksda_i_work(p->ctx, LOOK_UNITS * (g->n + g->m) +
                            (small ? PATH_UNITS * g->n * g->m : SURVEY_UNITS * p->landmarks * (g->n + g->m)));
    KSDA_I_TRY(look_at_paths(p, g, out));
    KSDA_I_TRY(ksda_local_clustering(p->ctx, g, local));
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) >= 2) sum += local[v], count++;
    out->clustering = count ? sum / (double)count : 0;
    memset(value, 0, g->n * sizeof *value);
    if (p->weight[KSDA_I_CENTRALITY] > 0) KSDA_I_TRY(ksda_eigenvector_centrality(p->ctx, g, value, &out->radius));
done:
    return status;
}

static double relative(double now, double before) {
    return before > 0 && isfinite(now) ? (now - before) / before : 0;
}

/* --- the edges ---------------------------------------------------------------------------------------------------- */

/* Edges that represent an original one again stay where they are. */
static bool may_move(const ksda_i_rewiring *p, uint64_t e) {
    uint32_t a = p->owner[p->edge[e].u], b = p->owner[p->edge[e].v];
    return a != b && ksda_i_may_connect(p->communities, a, b) && !ksda_graph_adjacent(p->graph, a, b);
}

/* order and first: the movable edges by community. */
static void sort_edges(ksda_i_rewiring *p) {
    uint32_t m = p->communities->count;
    for (uint64_t e = 0; e < p->edges; e++)
        if (may_move(p, e)) p->first[p->communities->of[p->owner[p->edge[e].u]] + 2]++;
    for (uint32_t c = 0; c < m; c++) p->first[c + 2] += p->first[c + 1];
    for (uint64_t e = 0; e < p->edges; e++)
        if (may_move(p, e)) p->order[p->first[p->communities->of[p->owner[p->edge[e].u]] + 1]++] = e;
    p->movable = p->first[m];
}

static void chain_edges(ksda_i_rewiring *p) {
    memset(p->chain_first, 0, p->graph->n * sizeof *p->chain_first);
    for (uint64_t e = 0; e < p->edges; e++)
        for (uint32_t end = 0; end < 2; end++) {
            uint32_t v = p->owner[end ? p->edge[e].v : p->edge[e].u], entry = (uint32_t)(2 * e + end);
            p->chain[entry] = p->chain_first[v];
            p->chain_first[v] = entry + 1;
        }
}

typedef struct standing {
    uint32_t community, degree, piece;
} standing;

static int by_standing(const void *a, const void *b) {
    const standing *x = a, *y = b;
    if (x->community != y->community) return x->community < y->community ? -1 : 1;
    if (x->degree != y->degree) return x->degree < y->degree ? -1 : 1;
    return (x->piece > y->piece) - (x->piece < y->piece);
}

/* member, place, level, start: who stands where in the release. */
static ksda_status line_up_pieces(ksda_i_rewiring *p, const ksda_graph *release) {
    standing *s = ksda_i_malloc(p->ctx, p->pieces, sizeof *s);
    if (!s) return KSDA_NOMEM;
    for (uint32_t x = 0; x < p->pieces; x++)
        s[x] = (standing){p->communities->of[p->owner[x]], ksda_i_degree(release, x), x};
    ksda_i_sort_by(s, p->pieces, sizeof *s, by_standing);
    memset(p->start, 0, ((uint64_t)p->communities->count + 1) * sizeof *p->start);
    for (uint32_t i = 0; i < p->pieces; i++) {
        p->member[i] = s[i].piece, p->place[s[i].piece] = i, p->level[i] = s[i].degree;
        p->start[s[i].community + 1] = i + 1;
    }
    ksda_i_free(p->ctx, s);
    return KSDA_OK;
}

/* --- the eigenvector ---------------------------------------------------------------------------------------------- */

/* Scale value so that the sums over the pieces of each vertex have length 1; sum [n] receives them. */
static void normalize_by_vertex(const ksda_i_rewiring *p, double *value, double *sum) {
    double length = 0;
    memset(sum, 0, p->graph->n * sizeof *sum);
    for (uint32_t x = 0; x < p->pieces; x++) sum[p->owner[x]] += value[x];
    for (uint32_t v = 0; v < p->graph->n; v++) length += sum[v] * sum[v];
    length = length > 0 ? sqrt(length) : 1;
    for (uint32_t x = 0; x < p->pieces; x++) value[x] /= length;
    for (uint32_t v = 0; v < p->graph->n; v++) sum[v] /= length;
}

static void project_off(double *t, const double *value, uint32_t count) {
    double dot = 0, length = 0;
    for (uint32_t x = 0; x < count; x++) dot += t[x] * value[x], length += value[x] * value[x];
    for (uint32_t x = 0; x < count && length > 0; x++) t[x] -= dot / length * value[x];
}

/* eigen_gradient = (radius - A)^-1 (now - before), on what is orthogonal to the eigenvector. */
static ksda_status respond_to_shift(ksda_i_rewiring *p, const ksda_graph *g, const double *before, const double *now) {
    ksda_status status = KSDA_NOMEM;
    double *t = ksda_i_malloc(p->ctx, p->pieces, sizeof *t), *next = ksda_i_malloc(p->ctx, p->pieces, sizeof *next);
    if (!t || !next) goto done;
    for (uint32_t x = 0; x < p->pieces; x++)
        t[x] = (now[p->owner[x]] - before[p->owner[x]]) / p->radius, p->eigen_gradient[x] = 0;
    for (int term = 0; term < TERMS; term++) {
        project_off(t, p->value, p->pieces);
        for (uint32_t x = 0; x < p->pieces; x++) p->eigen_gradient[x] += t[x];
        for (uint32_t x = 0; x < p->pieces; x++) {
            double sum = 0;
            for (uint64_t e = g->off[x]; e < g->off[x + 1]; e++) sum += t[g->adj[e]];
            next[x] = sum / p->radius;
        }
        double *swap = t;
        t = next, next = swap;
    }
    status = KSDA_OK;
done:
    ksda_i_free(p->ctx, t);
    ksda_i_free(p->ctx, next);
    return status;
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

typedef struct nearing {
    ksda_i_rewiring p;
    look original;
    double *before;                      /* [n] eigenvector of the original */
    double *now;                         /* [n] of the release */
    ksda_pair *saved;                    /* [edges] before the round */
    uint32_t components, now_components; /* at first, and now */
    uint32_t severed;                    /* pieces that are cut off from their person's first */
    double best;                         /* the sum of the edges as they are, after the rounds, */
    uint32_t best_severed;               /* and these pieces */
    double circles;                      /* what dealing by circles of friends is worth */
    ksda_i_mover *scratch;               /* [threads] */
} nearing;

static double weighted_distortion(const nearing *s) {
    double sum = 0;
    for (int i = 0; i < KSDA_I_DISTORTIONS; i++) sum += s->p.weight[i] * fabs(s->p.distortion[i]);
    return sum;
}

/* The sum that is to be small; nobody may be cut off who was connected at first. */
static double total_distortion(const nearing *s) {
    return s->now_components > s->components ? INFINITY : weighted_distortion(s);
}

/* Pieces that are not connected with the first of their person, by the components of all pieces. Who was connected in
 * the original is so in the release where there are none. */
static uint32_t count_severed(const ksda_i_rewiring *p, const uint32_t *component) {
    uint32_t severed = 0;
    for (uint32_t x = p->graph->n; x < p->pieces; x++) severed += component[x] != component[p->owner[x]];
    return severed;
}

/* Measure the release and make the tables that depend on it. */
static ksda_status take_stock(nearing *s) {
    ksda_i_rewiring *p = &s->p;
    ksda_status status;
    ksda_graph *release = NULL;
    look l;
    KSDA_I_TRY(ksda_edits_apply(p->ctx, p->edits, &release));
    KSDA_I_TRY(ksda_components(p->ctx, release, p->member, &s->now_components));
    s->severed = count_severed(p, p->member);
    KSDA_I_TRY(take_look(p, release, p->closed, p->value, &l));
    p->radius = l.radius > 0 ? l.radius : 1;
    for (uint32_t x = 0; x < p->pieces; x++) {
        double d = ksda_i_degree(release, x);
        p->share[x] = p->shown[x] = d >= 2 ? 2 / (d * (d - 1)) : 0;
        p->closed[x] = d >= 2 ? p->closed[x] / p->share[x] : 0;
    }
    normalize_by_vertex(p, p->value, s->now);
    p->distortion[KSDA_I_CLUSTERING] = relative(l.clustering, s->original.clustering);
    p->distortion[KSDA_I_PATHS] = relative(l.paths, s->original.paths);
    p->distortion[KSDA_I_BETWEENNESS] = relative(l.betweenness, s->original.betweenness);
    p->distortion[KSDA_I_CENTRALITY] = 0;
    for (uint32_t v = 0; v < p->graph->n; v++)
        p->distortion[KSDA_I_CENTRALITY] += 0.5 * (s->now[v] - s->before[v]) * (s->now[v] - s->before[v]);
    KSDA_I_TRY(respond_to_shift(p, release, s->before, s->now));
    KSDA_I_TRY(line_up_pieces(p, release));
    chain_edges(p);
done:
    ksda_graph_free(p->ctx, release);
    return status;
}

/* What a unit of each trait is worth: what the added edges did in truth, by what their traits say. */
static void set_scales(nearing *s, const look *base) {
    ksda_i_rewiring *p = &s->p;
    double n = p->graph->n, sum[KSDA_I_DISTORTIONS] = {0};
    double without[3] = {relative(base->clustering, s->original.clustering), relative(base->paths, s->original.paths),
                         relative(base->betweenness, s->original.betweenness)};
    double plain[3] = {1 / (n * s->original.clustering), 2 / (p->landmarks * n * s->original.paths),
                       1 / (p->landmarks * n * n * s->original.betweenness)};
    for (uint64_t i = 0; i < p->movable && !ksda_i_cancelled(p->ctx); i++) {
        ksda_i_traits t = ksda_i_rewire_traits(&s->scratch[0], p->edge[p->order[i]].u, p->edge[p->order[i]].v);
        for (int k = 0; k < KSDA_I_DISTORTIONS; k++) sum[k] += t.of[k];
    }
    for (int k = 0; k < 3; k++) {
        double guess = plain[k] * sum[k], truth = p->distortion[k] - without[k],
               ratio = fabs(guess) > 1e-9 ? truth / guess : 1;
        p->scale[k] = isfinite(plain[k]) ? plain[k] * (ratio < 0.5 ? 0.5 : ratio > 4 ? 4 : ratio) : 0;
    }
    p->scale[KSDA_I_CLUSTERING] = isfinite(plain[0]) ? plain[0] : 0; /* triangles are counted, not guessed */
    p->scale[KSDA_I_CENTRALITY] = 1;
}

/* Where the exchanges did more than was estimated, such changes become dearer, and the other way round. */
static void correct_estimates(ksda_i_rewiring *p, const double *before) {
    for (unsigned k = 0; k < KSDA_I_CENTRALITY; k++) {
        double guess = 0, truth = p->distortion[k] - before[k];
        for (uint32_t c = 0; c < p->communities->count; c++) guess += p->moved[(uint64_t)c * KSDA_I_DISTORTIONS + k];
        if (fabs(truth - guess) > fabs(before[k]) / 8 + 1e-4) p->scale[k] *= fabs(truth) > fabs(guess) ? 2 : 0.7;
    }
}

static void exchange_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    nearing *s = data;
    for (uint64_t c = begin; c < end; c++) ksda_i_rewire_community(&s->scratch[thread], (uint32_t)c);
}

/* A round that helps is kept, another is undone; two of these in a row are the end. */
static ksda_status run_rounds(nearing *s) {
    ksda_i_rewiring *p = &s->p;
    ksda_status status = KSDA_OK;
    double before[KSDA_I_DISTORTIONS];
    uint32_t failed = 0;
    uint64_t candidate =
        EXCHANGE_UNITS + p->landmarks / LANDMARKS_A_UNIT + NEIGHBOUR_UNITS * 2 * p->graph->m / p->graph->n;
    s->best = total_distortion(s), s->best_severed = s->severed;
    for (p->round = 0; p->round < ROUNDS && failed < 2 && ksda_i_time_left(p->ctx) > 0; p->round++) {
        if (ksda_i_work_over(p->ctx)) break;
        ksda_i_work(p->ctx, candidate * 3 * p->movable * p->tries);
        KSDA_I_TRY(ksda_i_progress_stage(p->ctx, p->round, ROUNDS));
        memcpy(s->saved, p->edge, p->edges * sizeof *p->edge);
        memcpy(before, p->distortion, sizeof before);
        ksda_i_parallel(p->ctx, p->communities->count, 1, exchange_range, s);
        KSDA_I_TRY(ksda_i_interrupted(p->ctx));
        if (memcmp(s->saved, p->edge, p->edges * sizeof *p->edge) == 0) break;
        KSDA_I_TRY(take_stock(s));
        correct_estimates(p, before);
        if (total_distortion(s) < s->best) {
            s->best = total_distortion(s), s->best_severed = s->severed, failed = 0;
            continue;
        }
        memcpy(p->edge, s->saved, p->edges * sizeof *p->edge);
        if (++failed < 2) KSDA_I_TRY(take_stock(s));
    }
done:
    return status;
}

/* Added edges that look more like own ones, where that is worth more than what it distorts. */
static ksda_status disguise(nearing *s, const ksda_i_disguising *how) {
    ksda_i_rewiring *p = &s->p;
    double nearer = 0;
    memcpy(s->saved, p->edge, p->edges * sizeof *p->edge);
    ksda_status status = ksda_i_plausible(p->ctx, p->graph, p->communities, how->k, how->share, 0, p->edits, &nearer);
    if (status < 0 || nearer <= 0) return status;
    status = take_stock(s);
    if (status < 0 || s->severed > s->best_severed || weighted_distortion(s) - s->best > DISGUISE * nearer)
        memcpy(p->edge, s->saved, p->edges * sizeof *p->edge);
    return status;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static ksda_status open_tables(nearing *s) {
    ksda_i_rewiring *p = &s->p;
    ksda_ctx *ctx = p->ctx;
    uint32_t n = p->graph->n, m = p->communities->count;
    unsigned threads = ksda_ctx_threads(ctx);
    p->trait = ksda_i_malloc(ctx, p->edges, sizeof *p->trait);
    p->order = ksda_i_malloc(ctx, p->edges, sizeof *p->order);
    p->first = ksda_i_calloc(ctx, (uint64_t)m + 2, sizeof *p->first);
    p->owner = ksda_i_malloc(ctx, p->pieces, sizeof *p->owner);
    p->hub = ksda_i_malloc(ctx, p->pieces, 1);
    p->start = ksda_i_malloc(ctx, (uint64_t)m + 1, sizeof *p->start);
    p->member = ksda_i_malloc(ctx, p->pieces, sizeof *p->member);
    p->place = ksda_i_malloc(ctx, p->pieces, sizeof *p->place);
    p->level = ksda_i_malloc(ctx, p->pieces, sizeof *p->level);
    p->share = ksda_i_malloc(ctx, p->pieces, sizeof *p->share);
    p->shown = ksda_i_malloc(ctx, p->pieces, sizeof *p->shown);
    p->closed = ksda_i_malloc(ctx, p->pieces, sizeof *p->closed);
    p->value = ksda_i_malloc(ctx, p->pieces, sizeof *p->value);
    p->eigen_gradient = ksda_i_malloc(ctx, p->pieces, sizeof *p->eigen_gradient);
    p->chain_first = ksda_i_malloc(ctx, n, sizeof *p->chain_first);
    p->chain = ksda_i_malloc(ctx, 2 * p->edges, sizeof *p->chain);
    s->before = ksda_i_malloc(ctx, n, sizeof *s->before);
    s->now = ksda_i_malloc(ctx, n, sizeof *s->now);
    s->saved = ksda_i_malloc(ctx, p->edges, sizeof *s->saved);
    s->scratch = ksda_i_calloc(ctx, threads, sizeof *s->scratch);
    p->moved = ksda_i_malloc(ctx, (uint64_t)m * KSDA_I_DISTORTIONS, sizeof *p->moved);
    if (!p->trait || !p->order || !p->first || !p->owner || !p->hub || !p->start || !p->member || !p->place ||
        !p->level || !p->share || !p->shown || !p->closed || !p->value || !p->eigen_gradient || !p->chain_first ||
        !p->chain || !s->before || !s->now || !s->saved || !s->scratch || !p->moved)
        return KSDA_NOMEM;
    for (unsigned t = 0; t < threads; t++) {
        s->scratch[t].p = p;
        for (int i = 0; i < 2; i++)
            if (!(s->scratch[t].mark[i] = ksda_i_calloc(ctx, p->pieces, sizeof **s->scratch[t].mark)))
                return KSDA_NOMEM;
    }
    for (uint32_t x = 0; x < p->pieces; x++) p->owner[x] = ksda_edits_owner(p->edits, x);
    return KSDA_OK;
}

static void close_tables(nearing *s) {
    ksda_i_rewiring *p = &s->p;
    void *block[] = {p->trait,          p->order,       p->first, p->owner,  p->hub,   p->far,    p->start,
                     p->member,         p->place,       p->level, p->share,  p->shown, p->closed, p->value,
                     p->eigen_gradient, p->chain_first, p->chain, s->before, s->now,   s->saved,  p->moved};
    for (unsigned t = 0; s->scratch && t < ksda_ctx_threads(p->ctx); t++)
        for (int i = 0; i < 2; i++) ksda_i_free(p->ctx, s->scratch[t].mark[i]);
    ksda_i_free(p->ctx, s->scratch);
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) ksda_i_free(p->ctx, block[i]);
    ksda_graph_free(p->ctx, p->base);
}

static ksda_status look_before(nearing *s) {
    ksda_i_rewiring *p = &s->p;
    double length = 0;
    ksda_status status = take_look(p, p->graph, p->closed, s->before, &s->original);
    if (status ==
        KSDA_LIMIT) { /* the eigenvector is hard to find, or there are several: then it says little, and is left out */
        p->weight[KSDA_I_CENTRALITY] = 0;
        memset(s->before, 0, p->graph->n * sizeof *s->before);
    }
    for (uint32_t v = 0; v < p->graph->n; v++) length += s->before[v] * s->before[v];
    for (uint32_t v = 0; v < p->graph->n && length > 0; v++) s->before[v] /= sqrt(length);
    return status;
}

/* The network with everybody split and nothing added. */
static ksda_status look_at_base(nearing *s, look *base) {
    ksda_i_rewiring *p = &s->p;
    ksda_status status;
    uint64_t added = p->edits->added.count;
    double *local = NULL, *value = NULL; /* the tables have those of the release */
    p->edits->added.count = 0;
    status = ksda_edits_apply(p->ctx, p->edits, &p->base);
    p->edits->added.count = added;
    if (status < 0) return status;
    local = ksda_i_malloc(p->ctx, p->pieces, sizeof *local);
    value = ksda_i_malloc(p->ctx, p->pieces, sizeof *value);
    KSDA_I_TRY(local && value ? take_look(p, p->base, local, value, base) : KSDA_NOMEM);
    p->centre = base->centre;
    KSDA_I_TRY(survey_base(p));
done:
    ksda_i_free(p->ctx, local);
    ksda_i_free(p->ctx, value);
    return status;
}

static ksda_status measure_distortion(void *payload, double *distortion) {
    nearing *s = payload;
    ksda_status status = take_stock(s);
    *distortion = total_distortion(s);
    return status;
}

static ksda_status bring_nearer(nearing *s, const ksda_i_disguising *disguising) {
    ksda_i_rewiring *p = &s->p;
    ksda_status status;
    look base;
    uint64_t around = ksda_i_work_begin(p->ctx, disguising ? disguising->rewire_work : UINT64_MAX);
    double singles = fmin(64, DEALINGS / (1 + (double)p->graph->n * (double)p->graph->m));
    KSDA_I_TRY(look_before(s));
    KSDA_I_TRY(take_stock(s));
    s->components = s->now_components;
    if (p->edits->splits) {
        KSDA_I_TRY(ksda_i_deal_again(p->ctx, p->graph, p->communities, p->edits, measure_distortion, s,
                                     total_distortion(s), s->circles, (uint32_t)singles));
        if (p->movable) KSDA_I_TRY(take_stock(s)); /* the last way tried need not be the best */
    }
    if (!p->movable) goto done;
    if (!ksda_i_work_over(p->ctx)) { /* otherwise there are no rounds */
        KSDA_I_TRY(look_at_base(s, &base));
        set_scales(s, &base);
    }
    KSDA_I_TRY(run_rounds(s));
    ksda_i_work_finish(p->ctx, around);
    if (disguising && disguising->work && ksda_i_time_left(p->ctx) > 0) {
        ksda_i_work_begin(p->ctx, disguising->work);
        KSDA_I_TRY(disguise(s, disguising));
    }
done:
    ksda_i_work_finish(p->ctx, around);
    return status;
}

static const double weights[3][KSDA_I_DISTORTIONS] = {
    [KSDA_FAVOUR_BALANCED] = {0.25, 1, 0.5, 8},
    [KSDA_FAVOUR_CLUSTERING] = {4, 0.25, 0.1, 1},
    [KSDA_FAVOUR_PATHS] = {0.1, 4, 0.2, 1},
};

ksda_status ksda_i_rewire(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                          ksda_favour favour, const ksda_i_disguising *disguising, ksda_edits *edits) {
    ksda_status status;
    nearing s = {.p = {.ctx = ctx,
                       .graph = graph,
                       .communities = communities,
                       .edits = edits,
                       .edge = edits->added.pair,
                       .edges = edits->added.count,
                       .pieces = ksda_edits_pieces(edits)}};
    if ((!edits->splits && !edits->added.count) || ksda_i_time_left(ctx) <= 0) return KSDA_OK;
    if (s.p.pieces + graph->m > KSDA_I_REWIRE_SIZE || s.p.edges > KSDA_I_REWIRE_SIZE) return KSDA_OK;
    memcpy(s.p.weight, weights[favour <= KSDA_FAVOUR_PATHS ? favour : KSDA_FAVOUR_BALANCED], sizeof s.p.weight);
    s.circles = favour == KSDA_FAVOUR_BALANCED ? CIRCLES : 0;
    s.p.landmarks = graph->n < 256 ? graph->n : s.p.pieces <= 8192 ? 256 : 64;
    KSDA_I_TRY(open_tables(&s));
    sort_edges(&s.p);
    s.p.tries = s.p.movable < EXCHANGES / 48 ? 48 : (uint32_t)(EXCHANGES / s.p.movable);
    KSDA_I_TRY(bring_nearer(&s, disguising));
done:
    close_tables(&s);
    return status < 0 ? status : KSDA_OK;
}
