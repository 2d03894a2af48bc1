/* Triangles at every vertex.
 *
 * Every edge points to the end with the larger degree (ties: larger number), which leaves each vertex at most sqrt(2m)
 * out-edges; a triangle is then found once, at its smallest corner, by marking that corner's out-neighbours and looking
 * through the out-edges of each of them. Vertices are renamed by that order, so marks of high-degree vertices, which
 * are looked at most, share cache lines. (Schank & Wagner 2005, doi:10.1007/11427186_54, "forward".)
 *
 * Out-edges are kept for a block of the order at a time, the block of the middle corner; a smallest corner that is not
 * in it has its row made again from the graph. So a third of the out-edges is there at once, which costs looking two
 * thirds of the rows up twice more at most. Counts are whole numbers that all threads add to, in any order. Time O(sum
 * over edges of the smaller degree) = O(m^1.5), memory 4m/3 + 8n bytes, and n/8 + 8 sqrt(2m) a thread. */
#include "core/parallel.h"
#include "measure/measure.h"

enum {
    BLOCKS = 3,  /* that out-edges are cut into, about */
    AHEAD = 4,   /* rows that are fetched before they are looked through */
    GRAIN = 1024 /* vertices that a thread takes at a time */
};

/* What a thread marks and finds. */
typedef struct corner {
    uint64_t *mark;  /* [n / 64 + 1] bits, by rank */
    uint32_t *row;   /* [longest] out-neighbours of the smallest corner, where they are not in the block */
    uint32_t *found; /* [longest] third corners */
} corner;

typedef struct counting {
    ksda_ctx *ctx;
    const ksda_graph *g;
    uint32_t *rank;      /* [n] */
    uint32_t *to;        /* [n] by rank: out-edges; in the block and before, where they end in out */
    uint32_t *out;       /* [capacity] ranks of out-neighbours of the block */
    uint32_t begin, end; /* ranks in the block */
    uint32_t longest;    /* most out-edges of a vertex */
    corner *corner;      /* [threads] */
    uint64_t *triangles; /* [n] by rank */
} counting;

/* Counting sort by degree, stable. */
static ksda_status rank_by_degree(ksda_ctx *ctx, const ksda_graph *g, uint32_t *rank) {
    uint32_t most = 0;
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) > most) most = ksda_i_degree(g, v);
    uint32_t *start = ksda_i_calloc(ctx, (uint64_t)most + 2, sizeof *start);
    if (!start) return KSDA_NOMEM;
    for (uint32_t v = 0; v < g->n; v++) start[ksda_i_degree(g, v) + 1]++;
    for (uint32_t d = 0; d <= most; d++) start[d + 1] += start[d];
    for (uint32_t v = 0; v < g->n; v++) rank[v] = start[ksda_i_degree(g, v)]++;
    ksda_i_free(ctx, start);
    return KSDA_OK;
}

/* --- out-edges ---------------------------------------------------------------------------------------------------- */

static void count_out_edges(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const counting *c = data;
    const ksda_graph *g = c->g;
    (void)thread;
    if (ksda_i_cancelled(c->ctx)) return;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t count = 0;
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) count += c->rank[v] < c->rank[g->adj[e]];
        c->to[c->rank[v]] = count;
    }
}

/* The out-neighbours of v, in any order; out has room for one more. */
static uint32_t out_neighbours(const counting *c, uint64_t v, uint32_t *out) {
    const ksda_graph *g = c->g;
    uint32_t count = 0;
    for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) {
        uint32_t r = c->rank[g->adj[e]];
        out[count] = r;
        count += c->rank[v] < r;
    }
    return count;
}

static uint32_t row_begin(const counting *c, uint32_t r) {
    return r > c->begin ? c->to[r - 1] : 0;
}

static void fill_block(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const counting *c = data;
    const ksda_graph *g = c->g;
    (void)thread;
    if (ksda_i_cancelled(c->ctx)) return;
    for (uint64_t v = begin; v < end; v++) {
        if (c->rank[v] < c->begin || c->rank[v] >= c->end) continue;
        uint32_t here = c->rank[v], at = row_begin(c, here);
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++)
            if (here < c->rank[g->adj[e]]) c->out[at++] = c->rank[g->adj[e]];
    }
}

/* The next block, as many ranks as there is room for. */
static void next_block(counting *c, uint64_t capacity) {
    uint64_t edges = 0;
    c->begin = c->end;
    while (c->end < c->g->n && edges + c->to[c->end] <= capacity) {
        edges += c->to[c->end];
        c->to[c->end++] = (uint32_t)edges;
    }
    ksda_i_parallel(c->ctx, c->g->n, GRAIN, fill_block, c);
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

static void add(uint64_t *count, uint64_t more) {
    if (more) __atomic_fetch_add(count, more, __ATOMIC_RELAXED);
}

/* Third corners of the smallest one, whose out-neighbours are marked, and the middle one. */
static uint32_t find_thirds(const counting *c, uint32_t middle, const uint64_t *mark, uint32_t *found) {
    uint32_t count = 0;
    for (uint32_t e = row_begin(c, middle); e < c->to[middle]; e++) {
        uint32_t r = c->out[e];
        found[count] = r;
        count += mark[r / 64] >> r % 64 & 1;
    }
    return count;
}

static void count_corner(const counting *c, corner *k, uint64_t v) {
    uint32_t here = c->rank[v], rows;
    const uint32_t *row = k->row;
    if (here >= c->begin)
        row = c->out + row_begin(c, here), rows = c->to[here] - row_begin(c, here);
    else
        rows = out_neighbours(c, v, k->row);
    uint32_t last = 0; /* no third corner is beyond it */
    uint64_t all = 0;
    if (rows < 2) return;
    for (uint32_t i = 0; i < rows; i++) {
        k->mark[row[i] / 64] |= UINT64_C(1) << row[i] % 64;
        __builtin_prefetch(&c->to[row[i]]);
        if (row[i] > last) last = row[i];
    }
    for (uint32_t i = 0; i < rows; i++) {
        if (i + AHEAD < rows && row[i + AHEAD] < c->end) __builtin_prefetch(&c->out[row_begin(c, row[i + AHEAD])]);
        if (row[i] < c->begin || row[i] >= c->end || row[i] == last) continue;
        uint32_t count = find_thirds(c, row[i], k->mark, k->found);
        for (uint32_t j = 0; j < count; j++) add(&c->triangles[k->found[j]], 1);
        add(&c->triangles[row[i]], count);
        all += count;
    }
    add(&c->triangles[here], all);
    for (uint32_t i = 0; i < rows; i++) k->mark[row[i] / 64] = 0;
}

static void count_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const counting *c = data;
    uint64_t n = c->g->n;
    if (ksda_i_cancelled(c->ctx)) return;
    if (thread == 0) ksda_i_progress(c->ctx, "clustering", c->begin + (c->end - c->begin) * begin / n, n);
    for (uint64_t v = begin; v < end; v++)
        if (c->rank[v] < c->end && ksda_i_degree(c->g, (uint32_t)v) > 1) count_corner(c, &c->corner[thread], v);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void counting_clear(counting *c) {
    for (unsigned t = 0; c->corner && t < ksda_ctx_threads(c->ctx); t++) {
        ksda_i_free(c->ctx, c->corner[t].mark);
        ksda_i_free(c->ctx, c->corner[t].row);
        ksda_i_free(c->ctx, c->corner[t].found);
    }
    ksda_i_free(c->ctx, c->corner);
    ksda_i_free(c->ctx, c->rank);
    ksda_i_free(c->ctx, c->to);
    ksda_i_free(c->ctx, c->out);
}

static ksda_status counting_open(counting *c) {
    uint64_t n = c->g->n;
    c->rank = ksda_i_malloc(c->ctx, n, sizeof *c->rank);
    c->to = ksda_i_malloc(c->ctx, n, sizeof *c->to);
    ksda_status status = c->rank && c->to ? rank_by_degree(c->ctx, c->g, c->rank) : KSDA_NOMEM;
    if (status < 0) return status;
    ksda_i_parallel(c->ctx, n, GRAIN, count_out_edges, c);
    if ((status = ksda_i_interrupted(c->ctx)) < 0) return status;
    for (uint64_t r = 0; r < n; r++)
        if (c->to[r] > c->longest) c->longest = c->to[r];
    c->corner = ksda_i_calloc(c->ctx, ksda_ctx_threads(c->ctx), sizeof *c->corner);
    if (!c->corner) return KSDA_NOMEM;
    for (unsigned t = 0; t < ksda_ctx_threads(c->ctx); t++) {
        corner *k = &c->corner[t];
        k->mark = ksda_i_calloc(c->ctx, n / 64 + 1, sizeof *k->mark);
        k->row = ksda_i_malloc(c->ctx, (uint64_t)c->longest + 1, sizeof *k->row);
        k->found = ksda_i_malloc(c->ctx, (uint64_t)c->longest + 1, sizeof *k->found);
        if (!k->mark || !k->row || !k->found) return KSDA_NOMEM;
    }
    return KSDA_OK;
}

/* Counts by rank become counts by vertex, and rank is used up: cycle by cycle. */
static void by_vertex(uint32_t n, uint32_t *rank, uint64_t *triangles) {
    for (uint32_t v = 0; v < n; v++) {
        uint64_t first = triangles[v];
        uint32_t at = v;
        while (rank[at] != v) {
            uint32_t from = rank[at];
            triangles[at] = triangles[from];
            rank[at] = at;
            at = from;
        }
        triangles[at] = first;
        rank[at] = at;
    }
}

ksda_status ksda_i_triangles(ksda_ctx *ctx, const ksda_graph *g, uint64_t *triangles) {
    ksda_status status = KSDA_OK;
    counting c = {.ctx = ctx, .g = g, .triangles = triangles};
    memset(triangles, 0, g->n * sizeof *triangles);
    KSDA_I_TRY(counting_open(&c));
    uint64_t capacity = g->m / BLOCKS + c.longest;
    if (capacity > UINT32_MAX) capacity = UINT32_MAX;
    c.out = ksda_i_malloc(ctx, capacity, sizeof *c.out);
    KSDA_I_TRY(c.out ? KSDA_OK : KSDA_NOMEM);
    while (c.end < g->n) {
        next_block(&c, capacity);
        ksda_i_parallel(ctx, g->n, GRAIN, count_range, &c);
        KSDA_I_TRY(ksda_i_interrupted(ctx));
    }
    by_vertex(g->n, c.rank, triangles);
done:
    counting_clear(&c);
    return status;
}
