/* Brandes' accumulation for eight sources at once.
 *
 * Brandes (2001, doi:10.1080/0022250X.2001.9990249): with s(v) the number of shortest paths from the source, a forward
 * search by levels adds s of the predecessors; backward, the dependency of v is s(v) * sum over successors w of
 * (weight(w) + members(w) dependency(w)) / s(w). Here members of a class stand for each other: passing through a class
 * of m twins multiplies paths by m, and its weight counts everybody who is reached through it.
 *
 * Eight sources share each step: one lane of a 64-byte vector for each, bits of a byte saying in which lanes a vertex
 * is at the front. Predecessors are not stored: the front of each level is kept as a list of (class, lanes), walked
 * forward and then backward; lanes outside the level hold zero, so that neighbours are added without a look at their
 * distance. Sources that are near each other have nearly the same fronts, so a class stands in few lists. The term kept
 * for level d is c(w) = weight / s + members * (sum of c over successors), which is all that level d - 1 needs. Time
 * O(m) vector operations a level list it stands in; memory 192 bytes a class for the vectors and 8 for each of its
 * entries in the lists. */
#include "measure/brandes.h"

#include "core/simd.h"

#define LANES KSDA_I_BRANDES_LANES
#define AHEAD 4 /* entries for which rows are fetched before they are due */

/* Half a line is what AVX2 has a register for; compilers make a poor job of vectors twice as long. */
typedef double half __attribute__((vector_size(32)));
typedef int64_t bits __attribute__((vector_size(32)));
typedef struct vec {
    half low, high; /* lanes 0 to 3, 4 to 7 */
} vec;

typedef struct entry {
    uint32_t c;
    uint32_t lanes;
} entry;

struct ksda_i_brandes {
    ksda_ctx *ctx;
    void *block;
    vec *paths; /* [room] s */
    vec *now,
        *other; /* [room] forward: s of the front, and sums arriving; backward: c of this level, and of the next */
    unsigned char *seen;  /* [room] lanes that have reached the class */
    unsigned char *fresh; /* [room] lanes that reach it in this level: zero between levels */
    entry *list;          /* [room * 8] levels one after the other */
    uint64_t *level;      /* [room + 2] where each begins */
    uint32_t *near;       /* [room + 1] neighbours that matter */
};

void ksda_i_brandes_free(ksda_ctx *ctx, ksda_i_brandes *b) {
    if (!b) return;
    ksda_i_free(ctx, b->block);
    ksda_i_free(ctx, b->seen);
    ksda_i_free(ctx, b->fresh);
    ksda_i_free(ctx, b->list);
    ksda_i_free(ctx, b->level);
    ksda_i_free(ctx, b->near);
    ksda_i_free(ctx, b);
}

ksda_status ksda_i_brandes_new(ksda_ctx *ctx, uint32_t room, ksda_i_brandes **out) {
    ksda_i_brandes *b = *out = ksda_i_calloc(ctx, 1, sizeof *b);
    if (!b) return KSDA_NOMEM;
    b->ctx = ctx;
    b->paths = ksda_i_malloc_lines(ctx, 3 * (uint64_t)room, sizeof(vec), &b->block);
    b->seen = ksda_i_malloc(ctx, room, 1);
    b->fresh = ksda_i_malloc(ctx, room, 1);
    b->list = ksda_i_malloc(ctx, (uint64_t)room * LANES + 1, sizeof *b->list);
    b->near = ksda_i_malloc(ctx, (uint64_t)room + 1, sizeof *b->near);
    b->level = ksda_i_malloc(ctx, (uint64_t)room + 2, sizeof *b->level);
    if (b->paths && b->seen && b->fresh && b->list && b->near && b->level) {
        b->now = b->paths + room;
        b->other = b->now + room;
        return KSDA_OK;
    }
    ksda_i_brandes_free(ctx, b);
    *out = NULL;
    return KSDA_NOMEM;
}

/* All ones in the lanes, zeros elsewhere. */
#define LOW_MASK(lanes) ((((bits){0} + (int64_t)(lanes)) & (bits){1, 2, 4, 8}) != 0)
#define HIGH_MASK(lanes) ((((bits){0} + (int64_t)(lanes)) & (bits){16, 32, 64, 128}) != 0)

/* The neighbours of v that have one of the lanes in `has`, to b->near; `flip` asks for those that lack one. Without a
 * branch: which neighbours are wanted is as good as random, and a wrong guess costs more than the whole step. What the
 * caller looks at next, `soon` of these neighbours, is asked for: in a large graph it comes from memory. */
KSDA_I_INLINE uint32_t filter(const ksda_i_brandes *b, const ksda_i_classes *g, uint32_t v, uint32_t lanes,
                              const unsigned char *has, uint32_t flip, const vec *soon) {
    uint32_t count = 0;
    for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) {
        b->near[count] = g->adj[e];
        count += ((has[g->adj[e]] ^ flip) & lanes) != 0;
    }
    for (uint32_t k = 0; k < count; k++) __builtin_prefetch(&soon[b->near[k]], 1);
    return count;
}

/* What arrived at a class becomes its number of paths, in the lanes that reach it now; the other lanes got what they
 * must not have. */
KSDA_I_INLINE void finish_class(ksda_i_brandes *b, const ksda_i_classes *g, uint32_t u, uint32_t lanes) {
    double members = g->members[u];
    half low = (half)((bits)b->other[u].low & LOW_MASK(lanes)),
         high = (half)((bits)b->other[u].high & HIGH_MASK(lanes));
    b->other[u].low = b->other[u].high = (half){0};
    b->paths[u].low += low;
    b->paths[u].high += high;
    b->now[u].low = low * members;
    b->now[u].high = high * members;
}

/* One level forward: the entries begin .. end - 1 push to their neighbours, whose new entries follow at end. Returns
 * where those end. */
KSDA_I_INLINE uint64_t forward(ksda_i_brandes *b, const ksda_i_classes *g, uint64_t begin, uint64_t end) {
    uint64_t to = end;
    for (uint64_t i = begin; i < end; i++) {
        if (i + AHEAD < end) __builtin_prefetch(&g->adj[g->off[b->list[i + AHEAD].c]]);
        uint32_t v = b->list[i].c, lanes = b->list[i].lanes, count = filter(b, g, v, lanes, b->seen, 255, b->other);
        half low = b->now[v].low, high = b->now[v].high;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t u = b->near[k];
            b->list[to].c = u;
            to += b->fresh[u] == 0;
            b->fresh[u] |= (unsigned char)(lanes & ~(uint32_t)b->seen[u]);
            b->other[u].low += low;
            b->other[u].high += high;
        }
    }
    for (uint64_t i = end; i < to; i++) {
        uint32_t u = b->list[i].c, lanes = b->fresh[u];
        b->list[i].lanes = lanes;
        b->fresh[u] = 0;
        b->seen[u] |= (unsigned char)lanes;
        finish_class(b, g, u, lanes);
    }
    return to;
}

/* One level backward: c of the entries begin .. end - 1 (to b->other) from that of the next level (b->now, in the lanes
 * of b->fresh), and their dependencies. */
KSDA_I_INLINE void backward(ksda_i_brandes *b, const ksda_i_classes *g, uint64_t begin, uint64_t end, const vec *factor,
                            double *out) {
    for (uint64_t i = begin; i < end; i++) {
        if (i + AHEAD < end) {
            __builtin_prefetch(&g->adj[g->off[b->list[i + AHEAD].c]]);
            __builtin_prefetch(&b->paths[b->list[i + AHEAD].c]);
        }
        uint32_t v = b->list[i].c, lanes = b->list[i].lanes, count = filter(b, g, v, lanes, b->fresh, 0, b->now);
        half low = {0}, high = {0};
        for (uint32_t k = 0; k < count; k++) {
            low += b->now[b->near[k]].low;
            high += b->now[b->near[k]].high;
        }
        bits low_mask = LOW_MASK(lanes), high_mask = HIGH_MASK(lanes);
        low = (half)((bits)low & low_mask);
        high = (half)((bits)high & high_mask);
        b->other[v].low = (half)((bits)(g->weight[v] / b->paths[v].low + g->members[v] * low) & low_mask);
        b->other[v].high = (half)((bits)(g->weight[v] / b->paths[v].high + g->members[v] * high) & high_mask);
        half share = b->paths[v].low * low * factor->low + b->paths[v].high * high * factor->high;
        out[v] += (share[0] + share[1]) + (share[2] + share[3]);
    }
}

static void swap_vectors(ksda_i_brandes *b) {
    vec *v = b->now;
    b->now = b->other;
    b->other = v;
}

static void mark_level(ksda_i_brandes *b, uint64_t level, bool on) {
    for (uint64_t i = b->level[level]; i < b->level[level + 1]; i++)
        b->fresh[b->list[i].c] = on ? (unsigned char)b->list[i].lanes : 0;
}

static void begin_sources(ksda_i_brandes *b, const ksda_i_classes *g, uint32_t count, const uint32_t *source) {
    memset(b->seen, 0, g->count);
    memset(b->fresh, 0, g->count);
    memset(b->paths, 0, g->count * sizeof *b->paths);
    memset(b->other, 0, g->count * sizeof *b->other);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = source[i];
        memset(&b->now[v], 0, sizeof b->now[v]);
        ((double *)&b->now[v])[i] = 1; /* one member is the source, the others of its class lie on no path from it */
        b->seen[v] = (unsigned char)(1u << i);
        b->list[i] = (entry){v, 1u << i};
    }
    b->level[0] = 0;
    b->level[1] = count;
}

KSDA_I_INLINE void run_body(ksda_i_brandes *b, const ksda_i_classes *g, uint32_t count, const uint32_t *source,
                            const double *factor, double *sum) {
    uint32_t last = 0; /* level */
    vec factors;
    memset(&factors, 0, sizeof factors);
    memcpy(&factors, factor, count * sizeof *factor);
    begin_sources(b, g, count, source);
    while (b->level[last] < b->level[last + 1] && !ksda_i_cancelled(b->ctx)) {
        last++;
        b->level[last + 1] = forward(b, g, b->level[last - 1], b->level[last]);
    }
    for (uint32_t level = last; level-- > 1 && !ksda_i_cancelled(b->ctx);) {
        backward(b, g, b->level[level], b->level[level + 1], &factors, sum);
        mark_level(b, level + 1, false);
        mark_level(b, level, true);
        swap_vectors(b);
    }
}
KSDA_I_KERNEL(run, run_body,
              (ksda_i_brandes * b, const ksda_i_classes *g, uint32_t count, const uint32_t *source,
               const double *factor, double *sum),
              (b, g, count, source, factor, sum))

void ksda_i_brandes_run(ksda_i_brandes *b, const ksda_i_classes *g, uint32_t count, const uint32_t *source,
                        const double *factor, double *sum) {
    run(b, g, count, source, factor, sum);
}
