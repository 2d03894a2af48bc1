/* Breadth-first search from 512 sources at once, one bit a source.
 *
 * seen[v] holds the sources that have reached v, front[v] those that reached it in the last level. A level is, for
 * every vertex that some source has still to reach, next[v] = OR of front over its neighbours, without seen[v]: one
 * pass over the edges serves all sources. Where the front is small its vertices push instead, so a long path costs no
 * more than its edges. Cost: (levels in which a vertex is waiting) * degree words of 64 bytes; memory 192 bytes a
 * vertex. (Then et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", 2014,
 * doi:10.14778/2735496.2735507. Ours orders vertices so that the sources of a batch are near each other, and counts
 * distances on the way.) */
#include "measure/msbfs.h"

#include "core/simd.h"

#define WORDS (KSDA_I_LANES / 64)
#define PLANES 32 /* bits of a counter of vertices */
#define SPARSE 24 /* push while the front has fewer than 1 / SPARSE of the edges of those waiting */

/* Half a word is what AVX2 has a register for; compilers make a poor job of vectors twice as long. */
typedef uint64_t half __attribute__((vector_size(32)));
typedef struct word {
    half low, high;
} word;

typedef struct list {
    uint32_t *item;
    uint32_t count;
    uint64_t edges; /* of all items */
} list;

struct ksda_i_msbfs {
    ksda_ctx *ctx;
    const ksda_i_ordered *g;
    void *block;
    word *seen, *front, *next; /* [n]; front and next are zero but for the vertices listed in active */
    word *goal;                /* [components] the sources in each component of the batch */
    word *plane;               /* [PLANES] counters of the lanes, bit by bit */
    list waiting, active, coming;
    uint64_t *pairs;
    uint32_t *by_source;
    uint64_t pairs_capacity, by_source_capacity;
};

/* One level: what it reads, and what it found. */
typedef struct level {
    uint64_t distance;
    uint64_t reached;  /* (source, vertex) pairs */
    uint64_t *farness; /* NULL, or [n] */
} level;

void ksda_i_msbfs_free(ksda_ctx *ctx, ksda_i_msbfs *s) {
    if (!s) return;
    ksda_i_free(ctx, s->block);
    ksda_i_free(ctx, s->waiting.item);
    ksda_i_free(ctx, s->active.item);
    ksda_i_free(ctx, s->coming.item);
    ksda_i_free(ctx, s->pairs);
    ksda_i_free(ctx, s->by_source);
    ksda_i_free(ctx, s);
}

ksda_status ksda_i_msbfs_new(ksda_ctx *ctx, const ksda_i_ordered *g, ksda_i_msbfs **out) {
    ksda_i_msbfs *s = *out = ksda_i_calloc(ctx, 1, sizeof *s);
    if (!s) return KSDA_NOMEM;
    uint64_t n = g->n;
    s->ctx = ctx;
    s->g = g;
    s->seen = ksda_i_malloc_lines(ctx, 3 * n + g->components + PLANES, sizeof(word), &s->block);
    s->waiting.item = ksda_i_malloc(ctx, n, sizeof(uint32_t));
    s->active.item = ksda_i_malloc(ctx, n, sizeof(uint32_t));
    s->coming.item = ksda_i_malloc(ctx, n, sizeof(uint32_t));
    if (!s->seen || !s->waiting.item || !s->active.item || !s->coming.item) {
        ksda_i_msbfs_free(ctx, s);
        *out = NULL;
        return KSDA_NOMEM;
    }
    s->front = s->seen + n;
    s->next = s->front + n;
    s->goal = s->next + n;
    s->plane = s->goal + g->components;
    memset(s->front, 0, 2 * n * sizeof(word));
    memset(s->plane, 0, PLANES * sizeof(word));
    return KSDA_OK;
}

/* --- one level --------------------------------------------------------------------------------------------------- */

KSDA_I_INLINE bool any(const word *w) {
    half both = w->low | w->high;
    return ((both[0] | both[1]) | (both[2] | both[3])) != 0;
}

KSDA_I_INLINE uint64_t ones(const word *w) {
    const uint64_t *x = (const uint64_t *)w;
    uint64_t count = 0;
    for (int i = 0; i < WORDS; i++) count += (uint64_t)__builtin_popcountll(x[i]);
    return count;
}

KSDA_I_INLINE void arrive(ksda_i_msbfs *s, level *l, uint32_t v, const word *fresh) {
    uint64_t count = ones(fresh);
    l->reached += count;
    if (l->farness) l->farness[v] += l->distance * count;
    s->coming.item[s->coming.count++] = v;
    s->coming.edges += s->g->off[v + 1] - s->g->off[v];
}

/* Every waiting vertex looks at its neighbours; those whom all sources have reached wait no longer. */
KSDA_I_INLINE void pull_body(ksda_i_msbfs *s, level *l) {
    const uint64_t *off = s->g->off;
    const uint32_t *adj = s->g->adj, *of = s->g->of;
    uint32_t kept = 0;
    uint64_t edges = 0;
    for (uint32_t i = 0; i < s->waiting.count; i++) {
        uint32_t v = s->waiting.item[i];
        const word *goal = &s->goal[of[v]], *seen = &s->seen[v];
        word missing = {goal->low & ~seen->low, goal->high & ~seen->high};
        half low = {0}, high = {0};
        if (!any(&missing)) continue;
        s->waiting.item[kept++] = v;
        edges += off[v + 1] - off[v];
        for (uint64_t e = off[v]; e < off[v + 1]; e++) {
            low |= s->front[adj[e]].low;
            high |= s->front[adj[e]].high;
        }
        word sum = {low & missing.low, high & missing.high};
        if (!any(&sum)) continue;
        s->next[v] = sum;
        s->seen[v].low |= sum.low;
        s->seen[v].high |= sum.high;
        arrive(s, l, v, &sum);
    }
    s->waiting.count = kept;
    s->waiting.edges = edges;
}
KSDA_I_KERNEL(pull, pull_body, (ksda_i_msbfs * s, level *l), (s, l))

/* The vertices of the front look at theirs. */
KSDA_I_INLINE void push_body(ksda_i_msbfs *s, level *l) {
    const uint64_t *off = s->g->off;
    const uint32_t *adj = s->g->adj;
    uint32_t touched = 0;
    for (uint32_t i = 0; i < s->active.count; i++) {
        uint32_t v = s->active.item[i];
        for (uint64_t e = off[v]; e < off[v + 1]; e++) {
            uint32_t u = adj[e];
            word fresh = {s->front[v].low & ~s->seen[u].low, s->front[v].high & ~s->seen[u].high};
            if (!any(&fresh)) continue;
            if (!any(&s->next[u])) s->coming.item[touched++] = u;
            s->next[u].low |= fresh.low;
            s->next[u].high |= fresh.high;
        }
    }
    for (uint32_t i = 0; i < touched; i++) { /* arrive() writes the list that is read, one behind */
        uint32_t u = s->coming.item[i];
        s->seen[u].low |= s->next[u].low;
        s->seen[u].high |= s->next[u].high;
        arrive(s, l, u, &s->next[u]);
    }
}
KSDA_I_KERNEL(push, push_body, (ksda_i_msbfs * s, level *l), (s, l))

/* Count, for every source, the vertices that it has just reached: add each word to counters that are spread over bit
 * planes. */
KSDA_I_INLINE void count_body(ksda_i_msbfs *s, uint32_t *counts) {
    for (uint32_t i = 0; i < s->active.count; i++) {
        word carry = s->front[s->active.item[i]];
        for (int p = 0; p < PLANES && any(&carry); p++) {
            word *plane = &s->plane[p], old = *plane;
            plane->low = old.low ^ carry.low;
            plane->high = old.high ^ carry.high;
            carry.low &= old.low;
            carry.high &= old.high;
        }
    }
    memset(counts, 0, KSDA_I_LANES * sizeof *counts);
    for (int p = 0; p < PLANES; p++) {
        const uint64_t *bits = (const uint64_t *)&s->plane[p];
        for (uint32_t lane = 0; lane < KSDA_I_LANES; lane++)
            counts[lane] |= (uint32_t)(bits[lane / 64] >> (lane % 64) & 1) << p;
    }
    memset(s->plane, 0, PLANES * sizeof *s->plane);
}
KSDA_I_KERNEL(count_lanes, count_body, (ksda_i_msbfs * s, uint32_t *counts), (s, counts))

/* --- a search ---------------------------------------------------------------------------------------------------- */

static void set_lane(word *w, uint32_t lane) {
    ((uint64_t *)w)[lane / 64] |= UINT64_C(1) << (lane % 64);
}

/* Sources ascend, and components stand one after the other: only the vertices of those with a source wait. */
static void begin_sources(ksda_i_msbfs *s, const uint32_t *source, uint32_t count) {
    const ksda_i_ordered *g = s->g;
    uint32_t first = g->of[source[0]], last = g->of[source[count - 1]];
    s->waiting.count = s->active.count = 0;
    s->active.edges = 0;
    uint32_t lane = 0;
    for (uint32_t c = first; c <= last; c++) {
        word *goal = &s->goal[c];
        if (lane < count && g->of[source[lane]] != c) continue;
        memset(goal, 0, sizeof *goal);
        for (; lane < count && g->of[source[lane]] == c; lane++) set_lane(goal, lane);
        for (uint32_t v = g->start[c]; v < g->start[c + 1]; v++) s->waiting.item[s->waiting.count++] = v;
        memset(s->seen + g->start[c], 0, (g->start[c + 1] - g->start[c]) * sizeof *s->seen);
    }
    for (lane = 0; lane < count; lane++) {
        uint32_t v = source[lane];
        set_lane(&s->front[v], lane);
        set_lane(&s->seen[v], lane);
        s->active.item[s->active.count++] = v;
        s->active.edges += g->off[v + 1] - g->off[v];
    }
    s->waiting.edges = g->off[g->start[last + 1]] - g->off[g->start[first]];
}

static void swap_fronts(ksda_i_msbfs *s) {
    for (uint32_t i = 0; i < s->active.count; i++) memset(&s->front[s->active.item[i]], 0, sizeof(word));
    word *w = s->front;
    s->front = s->next;
    s->next = w;
    list l = s->active;
    s->active = s->coming;
    s->coming = l;
}

static ksda_status make_room(ksda_i_msbfs *s, uint64_t levels, bool by_source) {
    ksda_status status = ksda_i_reserve(s->ctx, &s->pairs, &s->pairs_capacity, levels, sizeof *s->pairs);
    if (status >= 0 && by_source)
        status =
            ksda_i_reserve(s->ctx, &s->by_source, &s->by_source_capacity, levels * KSDA_I_LANES, sizeof *s->by_source);
    return status;
}

ksda_status ksda_i_msbfs_run(ksda_i_msbfs *s, const uint32_t *source, uint32_t count, uint64_t *farness,
                             uint32_t *levels, const uint64_t **pairs, const uint32_t **by_source) {
    ksda_status status = KSDA_OK;
    level l = {.farness = farness};
    begin_sources(s, source, count);
    for (l.distance = 0; status >= 0 && s->active.count > 0; l.distance++) {
        if (ksda_i_cancelled(s->ctx)) status = KSDA_INTERRUPTED;
        if (status >= 0) status = make_room(s, l.distance + 1, by_source != NULL);
        if (status >= 0) {
            s->pairs[l.distance] = l.distance == 0 ? count : l.reached;
            if (by_source) count_lanes(s, s->by_source + l.distance * KSDA_I_LANES);
        }
        s->coming.count = 0;
        s->coming.edges = 0;
        l.reached = 0;
        l.distance++;
        if (status >= 0 && s->active.edges < s->waiting.edges / SPARSE)
            push(s, &l);
        else if (status >= 0)
            pull(s, &l);
        l.distance--;
        swap_fronts(s); /* after a failure too: it leaves the fronts clean */
    }
    *levels = (uint32_t)l.distance;
    *pairs = s->pairs;
    if (by_source) *by_source = s->by_source;
    return status;
}
