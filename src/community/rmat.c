/* R-MAT graphs with an exact number of different edges.
 *
 * Guarantee: the edges are distributed as if pairs had been thrown one after the other until enough different ones had
 * come, loops and pairs beyond the last vertex thrown again; the same graph for a seed, whatever the number of threads.
 *
 * Idea: rmat_cell.c draws, square by square and in parallel, the pairs that have arrived up to a time. The probability
 * of a pair depends only on how often each quadrant was chosen, so the expected number of different pairs at any time
 * is a sum over some thousand kinds of pairs, and can be solved for the time. We draw up to a time that gives slightly
 * too many, knowing which came late, and drop the last ones. In a few runs of a million chance deviates more than the
 * slack allows; then we draw again.
 *
 * The cells of a row of blocks, taken in order, hold each row's neighbours in order: the graph is put together without
 * another sort. Time O((n + m) log n), memory 16 bytes an edge and 8 a vertex.
 *
 * Several processes (graph/peers.h) share out the cells; what each has drawn goes to the processes that keep the rows.
 */
#include "community/rmat_cell.h"
#include "core/parallel.h"
#include "core/sized.h"
#include "core/sort.h"
#include "graph/communities.h"
#include "graph/peers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
    STAGE_RMAT = 0x726d6174,
    ATTEMPTS = 64,
    MOST_BLOCK_BITS = 8,
    KEYS_PER_CELL = 4096
};
#define LEAST_PROBABILITY 1e-9 /* of a quadrant that is not 0: products over 32 levels stay normal numbers */

/* --- how many pairs have come when ------------------------------------------------------------------------------- */

/* Pairs u < v of the same probability. */
typedef struct pair_kind {
    double count, p;
} pair_kind;

typedef struct kinds {
    pair_kind *kind;
    uint32_t count;
    double pairs; /* that can come at all */
} kinds;

static uint64_t kind_slot(uint32_t side, uint32_t tight, uint32_t n00, uint32_t n01, uint32_t n11) {
    return (((uint64_t)tight * side + n00) * side + n01) * side + n11;
}

/* Count the ordered pairs below `vertices` by how often each quadrant was chosen, bit by bit from the top. tight has
 * bit 0 set while u, and bit 1 while v, still agree with the last vertex. table has room for 4 (levels + 1)^3 numbers.
 */
static void count_pairs(const ksda_i_rmat *m, double *table) {
    uint32_t side = m->scale + 1;
    uint64_t last = m->vertices - 1;
    table[kind_slot(side, 3, 0, 0, 0)] = 1;
    for (uint32_t done = 0; done < m->scale; done++) {
        unsigned bit = last >> (m->scale - 1 - done) & 1;
        /* n10 is what is missing to `done`; from large to small, as one pair of bits only adds to the three others */
        for (uint32_t n00 = done + 1; n00-- > 0;)
            for (uint32_t n01 = done - n00 + 1; n01-- > 0;)
                for (uint32_t n11 = done - n00 - n01 + 1; n11-- > 0;) {
                    double here[4];
                    for (uint32_t t = 0; t < 4; t++) {
                        here[t] = table[kind_slot(side, t, n00, n01, n11)];
                        table[kind_slot(side, t, n00, n01, n11)] = 0;
                    }
                    for (uint32_t t = 0; t < 16; t++) { /* a tightness and a pair of bits */
                        uint32_t from = t >> 2, a = t >> 1 & 1, b = t & 1, to = 0;
                        if (((from & 1) && a > bit) || ((from & 2) && b > bit)) continue;
                        to |= (from & 1) && a == bit ? 1U : 0U;
                        to |= (from & 2) && b == bit ? 2U : 0U;
                        table[kind_slot(side, to, n00 + (!a && !b), n01 + (!a && b), n11 + (a && b))] += here[from];
                    }
                }
    }
}

static ksda_status count_kinds(ksda_ctx *ctx, const ksda_i_rmat *m, kinds *out) {
    uint32_t side = m->scale + 1;
    uint64_t volume = (uint64_t)side * side * side;
    double *table = ksda_i_calloc(ctx, 4 * volume, sizeof *table);
    *out = (kinds){ksda_i_malloc(ctx, volume, sizeof *out->kind), 0, 0};
    if (!table || !out->kind) {
        ksda_i_free(ctx, table);
        return KSDA_NOMEM;
    }
    count_pairs(m, table);
    for (uint32_t n00 = 0; n00 < side; n00++)
        for (uint32_t n01 = 0; n00 + n01 < side; n01++)
            for (uint32_t n11 = 0; n00 + n01 + n11 < side; n11++) {
                uint32_t n10 = m->scale - n00 - n01 - n11;
                double count = 0, p = pow(m->p[0][0], n00) * pow(m->p[1][1], n11);
                for (uint32_t t = 0; t < 4; t++) count += table[kind_slot(side, t, n00, n01, n11)];
                p *= pow(m->p[0][1], n01) * pow(m->p[1][0], n10) + pow(m->p[0][1], n10) * pow(m->p[1][0], n01);
                if (n01 + n10 == 0 || count == 0 || p == 0) continue; /* loops, and what cannot come */
                out->kind[out->count++] = (pair_kind){count / 2, p};
                out->pairs += count / 2;
            }
    ksda_i_free(ctx, table);
    return KSDA_OK;
}

static double expected_pairs(const kinds *k, double time) {
    double sum = 0;
    for (uint32_t i = 0; i < k->count; i++) sum -= k->kind[i].count * expm1(-time * k->kind[i].p);
    return sum;
}

/* When `target` different pairs are expected to have come. */
static double time_of(const kinds *k, double target) {
    double low = 0, high = 1;
    if (target <= 0) return 0;
    if (target >= k->pairs) return INFINITY;
    while (expected_pairs(k, high) < target) {
        low = high, high *= 2;
        if (isinf(high)) return INFINITY;
    }
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (expected_pairs(k, middle) < target)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* --- drawing ----------------------------------------------------------------------------------------------------- */

typedef struct generator {
    ksda_ctx *ctx;
    ksda_i_rmat m;
    uint64_t edges;
    uint32_t levels; /* of a cell */
    uint32_t blocks; /* cells a side */
    uint64_t attempt;
    ksda_i_keys *cell;            /* [blocks * blocks], sorted and different; only row <= column */
    uint64_t *late;               /* [blocks * blocks] how many of them came late */
    ksda_i_keys *drawn, *scratch; /* [threads] */
    atomic_int status;
} generator;

/* Sort and keep the first of each edge, which is the early one if there is one. */
static ksda_status keep_different(generator *g, uint64_t index, ksda_i_keys *drawn, ksda_i_keys *scratch) {
    uint64_t count = 0, late = 0;
    ksda_status status = ksda_i_reserve(g->ctx, &scratch->key, &scratch->capacity, drawn->count, sizeof *scratch->key);
    if (status < 0) return status;
    ksda_i_sort_u64(drawn->key, drawn->count, scratch->key);
    for (uint64_t i = 0; i < drawn->count; i++) {
        if (count && drawn->key[count - 1] >> 1 == drawn->key[i] >> 1) continue;
        drawn->key[count++] = drawn->key[i];
        late += drawn->key[i] & 1;
    }
    ksda_i_keys *cell = &g->cell[index];
    cell->key = ksda_i_malloc(g->ctx, count, sizeof *cell->key);
    if (!cell->key) return KSDA_NOMEM;
    if (count) memcpy(cell->key, drawn->key, count * sizeof *cell->key);
    cell->count = count;
    g->late[index] = late;
    return KSDA_OK;
}

/* With several processes: is the cell this one's? Some cells hold many times more than others. */
static bool is_mine(const generator *g, uint64_t cell) {
    const ksda_i_peers *all = g->ctx->peers;
    return !all || ksda_i_mix(cell) % all->count == all->rank;
}

static void draw_cells(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    generator *g = data;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t row = (uint32_t)(i / g->blocks), column = (uint32_t)(i % g->blocks);
        if (row > column || !is_mine(g, i)) continue;
        if (ksda_i_cancelled(g->ctx) || atomic_load(&g->status) < 0) return;
        if (thread == 0 && ksda_i_progress(g->ctx, "generating", i, (uint64_t)g->blocks * g->blocks) < 0) return;
        ksda_i_rng rng = ksda_i_rng_stream(g->ctx->seed, STAGE_RMAT + g->attempt, i);
        g->drawn[thread].count = 0;
        ksda_status status = ksda_i_rmat_cell(g->ctx, &g->m, row, column, g->levels, &rng, &g->drawn[thread]);
        if (status >= 0) status = keep_different(g, i, &g->drawn[thread], &g->scratch[thread]);
        if (status < 0) atomic_store(&g->status, status);
    }
}

static void free_cells(generator *g) {
    for (uint64_t i = 0; g->cell && i < (uint64_t)g->blocks * g->blocks; i++) {
        ksda_i_free(g->ctx, g->cell[i].key);
        g->cell[i] = (ksda_i_keys){NULL, 0, 0};
    }
}

/* How many edges there are in all cells, and how many of them came late; late is told of every cell. */
static void count_cells(generator *g, uint64_t *all, uint64_t *late) {
    uint64_t cells = (uint64_t)g->blocks * g->blocks;
    *all = *late = 0;
    for (uint64_t i = 0; i < cells; i++) *all += g->cell[i].count;
    if (g->ctx->peers) {
        g->ctx->peers->reduce(KSDA_I_REDUCE_SUM, all, 1);
        g->ctx->peers->reduce(KSDA_I_REDUCE_SUM, g->late, cells);
    }
    for (uint64_t i = 0; i < cells; i++) *late += g->late[i];
}

/* Draw all cells until the wanted number lies between the early ones and all. */
static ksda_status draw_enough(generator *g, uint64_t *surplus) {
    for (g->attempt = 0; g->attempt < ATTEMPTS; g->attempt++) {
        uint64_t cells = (uint64_t)g->blocks * g->blocks, all, late;
        free_cells(g);
        memset(g->late, 0, cells * sizeof *g->late);
        ksda_i_parallel(g->ctx, cells, 1, draw_cells, g);
        ksda_status status = ksda_i_interrupted(g->ctx);
        if (status >= 0) status = (ksda_status)atomic_load(&g->status);
        if ((status = ksda_i_agree(g->ctx, status)) < 0) return status;
        count_cells(g, &all, &late);
        *surplus = all - g->edges;
        if (all >= g->edges && all - late <= g->edges) return KSDA_OK;
    }
    return ksda_i_error(g->ctx, KSDA_INTERNAL, "no %" PRIu64 " different edges in %d attempts", g->edges, ATTEMPTS);
}

/* --- dropping the surplus ---------------------------------------------------------------------------------------- */

/* One that came late; they are numbered through the cells. */
typedef struct latecomer {
    double time;
    uint64_t number;
} latecomer;

static int last_first(const void *a, const void *b) {
    const latecomer *x = a, *y = b;
    if (x->time != y->time) return x->time > y->time ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void edge_of(const generator *g, uint64_t cell, uint64_t key, uint64_t *u, uint64_t *v) {
    *u = (cell / g->blocks << g->levels) + (key >> 1 >> g->levels);
    *v = (cell % g->blocks << g->levels) + (key >> 1 & ((UINT64_C(1) << g->levels) - 1));
}

/* When did an edge first come, if all we know is that it was between early and late? Only the latecomers are asked, so
 * nobody else's time need be kept. */
static double arrival(const generator *g, uint64_t cell, uint64_t key, double x) {
    uint64_t u, v;
    edge_of(g, cell, key, &u, &v);
    double p = ksda_i_rmat_rate(&g->m, u, v);
    return -log1p(x * expm1(-p * (g->m.late - g->m.early))) / p;
}

/* The times of all latecomers, each told by the process that has drawn it. */
static void tell_times(const generator *g, latecomer *list, uint64_t count) {
    uint64_t cells = (uint64_t)g->blocks * g->blocks, number = 0;
    for (uint64_t i = 0; i < cells; i++) {
        uint64_t next = number + g->late[i];
        for (uint64_t j = 0; number < next && j < g->cell[i].count; j++) {
            if (!(g->cell[i].key[j] & 1)) continue;
            ksda_i_rng rng = ksda_i_rng_stream(g->ctx->seed, STAGE_RMAT + g->attempt, cells + number);
            list[number] = (latecomer){arrival(g, i, g->cell[i].key[j], ksda_i_rng_unit(&rng)), number};
            number++;
        }
        number = next;
    }
    if (g->ctx->peers) g->ctx->peers->reduce(KSDA_I_REDUCE_OR, (uint64_t *)list, 2 * count);
}

/* Those that are marked in dropped, a flag for every latecomer. */
static void drop_marked(generator *g, const bool *dropped) {
    for (uint64_t i = 0, number = 0; i < (uint64_t)g->blocks * g->blocks; i++) {
        ksda_i_keys *c = &g->cell[i];
        uint64_t kept = 0, at = number;
        for (uint64_t j = 0; g->late[i] && j < c->count; j++)
            if (!(c->key[j] & 1) || !dropped[at++]) c->key[kept++] = c->key[j];
        if (g->late[i]) c->count = kept;
        number += g->late[i];
    }
}

static ksda_status drop_surplus(generator *g, uint64_t surplus) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < (uint64_t)g->blocks * g->blocks; i++) count += g->late[i];
    latecomer *list = ksda_i_calloc(g->ctx, count, sizeof *list);
    bool *dropped = ksda_i_calloc(g->ctx, count, sizeof *dropped);
    ksda_status status = ksda_i_agree(g->ctx, list && dropped ? KSDA_OK : KSDA_NOMEM);
    if (status >= 0) {
        tell_times(g, list, count);
        ksda_i_sort_by(list, count, sizeof *list, last_first);
        for (uint64_t i = 0; i < surplus; i++) dropped[list[i].number] = true;
        drop_marked(g, dropped);
    }
    ksda_i_free(g->ctx, list);
    ksda_i_free(g->ctx, dropped);
    return status;
}

/* --- the graph --------------------------------------------------------------------------------------------------- */

typedef struct assembly {
    const generator *g;
    uint64_t *off; /* [n + 2]; while counting, row v's length goes to off[v + 2]; while filling, off[v + 1] is its end
                      so far */
    uint32_t *adj; /* NULL while counting */
} assembly;

static inline void place_neighbour(const assembly *a, uint64_t row, uint64_t neighbour) {
    if (a->adj)
        a->adj[a->off[row + 1]++] = (uint32_t)neighbour;
    else
        a->off[row + 2]++;
}

/* Put the edges of a cell into the rows of its rows, or of its columns. */
static void place_cell(const assembly *a, uint32_t row, uint32_t column, bool columns) {
    const generator *g = a->g;
    uint64_t index = (uint64_t)row * g->blocks + column;
    const ksda_i_keys *cell = &g->cell[index];
    for (uint64_t i = 0; i < cell->count; i++) {
        uint64_t u, v;
        edge_of(g, index, cell->key[i], &u, &v);
        if (columns)
            place_neighbour(a, v, u);
        else
            place_neighbour(a, u, v);
    }
}

/* All rows of some blocks: smaller neighbours come from the cells above the diagonal, in order, larger ones from those
 * right of it. */
static void place_blocks(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const assembly *a = data;
    (void)thread;
    for (uint32_t block = (uint32_t)begin; block < end; block++) {
        if (ksda_i_cancelled(a->g->ctx)) return;
        for (uint32_t row = 0; row <= block; row++) place_cell(a, row, block, true);
        for (uint32_t column = block; column < a->g->blocks; column++) place_cell(a, block, column, false);
    }
}

static ksda_status assemble(generator *g, ksda_graph **out) {
    ksda_status status = KSDA_NOMEM;
    uint32_t n = (uint32_t)g->m.vertices;
    assembly a = {g, ksda_i_calloc(g->ctx, (uint64_t)n + 2, sizeof *a.off), NULL};
    uint32_t *adj = ksda_i_malloc(g->ctx, 2 * g->edges, sizeof *adj);
    if (!a.off || !adj) goto done;
    ksda_i_parallel(g->ctx, g->blocks, 1, place_blocks, &a);
    for (uint32_t v = 0; v < n; v++) a.off[v + 2] += a.off[v + 1];
    a.adj = adj;
    KSDA_I_TRY(ksda_i_interrupted(g->ctx));
    ksda_i_parallel(g->ctx, g->blocks, 1, place_blocks, &a);
    KSDA_I_TRY(ksda_i_interrupted(g->ctx));
    status = ksda_i_graph_take(g->ctx, n, a.off, adj, out);
    return status;
done:
    ksda_i_free(g->ctx, a.off);
    ksda_i_free(g->ctx, adj);
    return status;
}

static void cell_consumed(void *data, uint32_t owner) {
    generator *g = data;
    ksda_i_free(g->ctx, g->cell[owner].key);
    g->cell[owner].key = NULL;
}

/* The keys of a cell become pairs of vertices, at their places. */
static ksda_i_slice pairs_of(generator *g, uint64_t index) {
    ksda_i_keys *cell = &g->cell[index];
    for (uint64_t i = 0; i < cell->count; i++) {
        uint64_t u, v;
        edge_of(g, index, cell->key[i], &u, &v);
        const uint32_t pair[2] = {(uint32_t)u, (uint32_t)v};
        memcpy(&cell->key[i], pair, sizeof pair);
    }
    return (ksda_i_slice){(const uint32_t *)cell->key, (uint32_t)cell->count, (uint32_t)index};
}

/* The rows of all processes' cells, each at the process that keeps it. */
static ksda_status assemble_together(generator *g, ksda_graph **out) {
    uint64_t cells = (uint64_t)g->blocks * g->blocks, count = 0;
    uint32_t n = (uint32_t)g->m.vertices;
    ksda_i_slice *slice = ksda_i_malloc(g->ctx, cells, sizeof *slice);
    ksda_status status;
    KSDA_I_TRY(ksda_i_agree(g->ctx, slice ? KSDA_OK : KSDA_NOMEM));
    for (uint64_t i = 0; i < cells; i++)
        if (g->cell[i].count) slice[count++] = pairs_of(g, i);
    KSDA_I_TRY(g->ctx->peers->rows(g->ctx, n, slice, count, cell_consumed, g, true, out));
    ksda_i_ids_range(&(*out)->ids, n, 0);
done:
    ksda_i_free(g->ctx, slice);
    return status;
}

static ksda_status make_blocks(ksda_ctx *ctx, const ksda_rmat_options *o, uint32_t n, ksda_communities **out) {
    uint32_t *of = ksda_i_malloc(ctx, n, sizeof *of), shift = o->scale - o->block_bits;
    ksda_i_ids names;
    if (!of) return KSDA_NOMEM;
    for (uint32_t v = 0; v < n; v++) of[v] = (uint32_t)((uint64_t)v >> shift);
    ksda_i_ids_range(&names, of[n - 1] + 1, 0);
    ksda_status status = ksda_i_communities_take(ctx, n, of[n - 1] + 1, of, &names, out);
    if (status < 0) ksda_i_free(ctx, of);
    return status;
}

/* --- the entry --------------------------------------------------------------------------------------------------- */

static const ksda_i_sized kind_of_options = KSDA_I_OPTIONS(ksda_rmat_options, vertices);

void ksda_rmat_options_init_sized(ksda_rmat_options *options, size_t size) {
    static const ksda_rmat_options standard = {
        .scale = 16, .edges = 1 << 20, .a = 0.45, .b = 0.15, .c = 0.15, .d = 0.25};
    ksda_i_options_init(&kind_of_options, options, size, &standard);
}

static ksda_status check_options(ksda_ctx *ctx, const ksda_rmat_options *o) {
    const double p[4] = {o->a, o->b, o->c, o->d};
    if (o->scale > 32 || (o->scale == 32 && o->vertices == 0))
        return ksda_i_error(ctx, KSDA_INVALID, "scale %u gives more than %u vertices", o->scale, KSDA_MAX_VERTICES);
    if (o->vertices > UINT64_C(1) << o->scale || o->vertices > KSDA_MAX_VERTICES)
        return ksda_i_error(ctx, KSDA_INVALID, "%u vertices do not fit into 2^%u", o->vertices, o->scale);
    if (o->block_bits > o->scale)
        return ksda_i_error(ctx, KSDA_INVALID, "2^%u blocks of 2^%u vertices", o->block_bits, o->scale);
    for (int i = 0; i < 4; i++)
        if (!(p[i] == 0 || (p[i] >= LEAST_PROBABILITY && p[i] <= 1)))
            return ksda_i_error(ctx, KSDA_INVALID, "quadrant probability %g is neither 0 nor between %g and 1", p[i],
                                LEAST_PROBABILITY);
    if (!(fabs(p[0] + p[1] + p[2] + p[3] - 1) <= 1e-6))
        return ksda_i_error(ctx, KSDA_INVALID, "quadrant probabilities sum to %g, not to 1", p[0] + p[1] + p[2] + p[3]);
    return KSDA_OK;
}

/* Times, cells and buffers for the options. */
static ksda_status prepare(generator *g, const ksda_rmat_options *o) {
    ksda_i_rmat *m = &g->m;
    kinds k = {NULL, 0, 0};
    double slack = 5 * sqrt((double)o->edges) + 5, edges = (double)o->edges;
    m->p[0][0] = o->a, m->p[0][1] = o->b, m->p[1][0] = o->c, m->p[1][1] = o->d;
    m->vertices = o->vertices ? o->vertices : UINT64_C(1) << o->scale;
    /* leading bits that no vertex has can only be 0: without them it is the same graph, drawn with fewer throws */
    while (m->scale < o->scale && m->vertices > UINT64_C(1) << m->scale) m->scale++;
    ksda_i_rmat_tables(m);
    ksda_status status = count_kinds(g->ctx, m, &k);
    if (status >= 0 && edges > k.pairs)
        status = ksda_i_error(g->ctx, KSDA_INVALID, "%" PRIu64 " edges, but only %.0f different ones can be drawn",
                              o->edges, k.pairs);
    m->early = time_of(&k, edges - slack);
    m->late = time_of(&k, fmin(edges + slack, (edges + k.pairs) / 2));
    ksda_i_free(g->ctx, k.kind);
    if (status < 0) return status;
    uint32_t bits = m->scale == 32;
    while (bits < MOST_BLOCK_BITS && bits < m->scale && o->edges >> 2 * bits > KEYS_PER_CELL) bits++;
    g->edges = o->edges;
    g->levels = m->scale - bits;
    g->blocks = (uint32_t)((m->vertices - 1) >> g->levels) + 1;
    g->cell = ksda_i_calloc(g->ctx, (uint64_t)g->blocks * g->blocks, sizeof *g->cell);
    g->late = ksda_i_calloc(g->ctx, (uint64_t)g->blocks * g->blocks, sizeof *g->late);
    g->drawn = ksda_i_calloc(g->ctx, ksda_ctx_threads(g->ctx), sizeof *g->drawn);
    g->scratch = ksda_i_calloc(g->ctx, ksda_ctx_threads(g->ctx), sizeof *g->scratch);
    return g->cell && g->late && g->drawn && g->scratch ? KSDA_OK : KSDA_NOMEM;
}

static void free_buffers(generator *g) {
    for (unsigned t = 0; t < ksda_ctx_threads(g->ctx); t++) {
        if (g->drawn) ksda_i_free(g->ctx, g->drawn[t].key);
        if (g->scratch) ksda_i_free(g->ctx, g->scratch[t].key);
    }
    ksda_i_free(g->ctx, g->drawn);
    ksda_i_free(g->ctx, g->scratch);
    g->drawn = g->scratch = NULL;
}

static void free_generator(generator *g) {
    free_buffers(g);
    free_cells(g);
    ksda_i_free(g->ctx, g->cell);
    ksda_i_free(g->ctx, g->late);
    ksda_i_free(g->ctx, g);
}

static ksda_status draw_graph(ksda_ctx *ctx, const ksda_rmat_options *o, ksda_graph **out) {
    ksda_status status;
    uint64_t surplus = 0;
    generator *g = ksda_i_calloc(ctx, 1, sizeof *g);
    if (g) g->ctx = ctx, atomic_init(&g->status, KSDA_OK);
    KSDA_I_TRY(ksda_i_agree(ctx, g ? prepare(g, o) : KSDA_NOMEM));
    KSDA_I_TRY(draw_enough(g, &surplus));
    free_buffers(g);
    KSDA_I_TRY(drop_surplus(g, surplus));
    KSDA_I_TRY(ctx->peers ? assemble_together(g, out) : assemble(g, out));
done:
    if (g) free_generator(g);
    return status;
}

ksda_status ksda_i_generate_together(ksda_ctx *ctx, const ksda_rmat_options *o, ksda_graph **out) {
    *out = NULL;
    if (ctx->company && ctx->company->rank == 0) ctx->company->generate(ctx, o);
    ctx->peers = ctx->company;
    ksda_status status = draw_graph(ctx, o, out);
    ctx->peers = NULL;
    return status;
}

ksda_status ksda_generate_rmat(ksda_ctx *ctx, const ksda_rmat_options *options, ksda_graph **out,
                               ksda_communities **communities) {
    ksda_rmat_options o;
    ksda_status status;
    ksda_rmat_options_init(&o);
    *out = NULL;
    if (communities) *communities = NULL;
    KSDA_I_TRY(ksda_i_options_take(ctx, &kind_of_options, options, &o));
    KSDA_I_TRY(check_options(ctx, &o));
    KSDA_I_TRY(ksda_i_generate_together(ctx, &o, out));
    if (communities && o.block_bits) KSDA_I_TRY(make_blocks(ctx, &o, ksda_graph_vertices(*out), communities));
done:
    if (status < 0) {
        ksda_graph_free(ctx, *out);
        *out = NULL;
    }
    return status;
}
