/* Rows from pairs: given m pairs of vertex numbers below n in any order, make the CSR rows, each ascending and without
 * loops or repetitions. The result does not depend on the order of the pairs, nor on threads.
 *
 * Writing each end of each edge straight into its row misses the cache at every step. So the vertices are cut into
 * buckets of 2^shift consecutive ones, about as many entries in each as the second-level cache holds:
 *   1. count the ends that fall into each bucket;
 *   2. scatter: every end (u, v) goes to u's bucket, into the place where the rows of the bucket will finally stand. If
 * v and the low bits of u fit 32 bits together they go there as one key (packed: up to some million vertices); else v
 *      goes there and the low bits into a side array. Each thread collects a cache line's worth for a bucket before it
 *      reserves room for them with one atomic addition, so memory is written in whole lines;
 *   3. sort each bucket by (u, v) with a radix sort that stays in the cache, drop what is double, and leave the rows
 *      packed to the left of the bucket;
 *   4. close the gaps between buckets, if anything was dropped at all.
 * Time O(n + m) with some 12 steps an edge end. Memory: 8 bytes an edge for the rows, 4 for the side array if there is
 * one, 8 a vertex; the pairs themselves can be released as step 2 consumes them. */
#include "graph/rows.h"

#include "core/pages.h"
#include "core/parallel.h"

#define LINE 16              /* entries collected for a bucket before they are written: one cache line of targets */
#define BUCKET_ENTRIES 32768 /* aimed at, on average */
#define MANY_BUCKETS 4096    /* no more than that only in order to pack */
#define MAX_DIGIT 11         /* bits sorted by in one pass, at most */

typedef struct build {
    ksda_ctx *ctx;
    uint32_t n;
    unsigned shift;  /* a bucket has 2^shift vertices, at most 2^16 */
    unsigned digits; /* passes over the target, of digit bits each */
    unsigned digit;
    unsigned bits; /* of a target */
    bool packed;   /* low bits and target share a word: low << bits | target */
    uint64_t buckets;
    const ksda_i_slice *slices;
    uint64_t slice_count;
    ksda_i_consumed_fn consumed;
    void *data;
    uint64_t *off;                /* [n + 1] */
    uint32_t *adj;                /* [ends] */
    uint16_t *low;                /* [ends] unless packed */
    uint64_t *start;              /* [buckets + 1] where each bucket begins in adj */
    atomic_uint_fast64_t *cursor; /* [buckets] counts in step 1, next free place in step 2 */
    struct desk *desk;            /* [threads] */
    uint64_t *loops;              /* [buckets] ends of loops; then the removed ones */
    atomic_bool failed;
} build;

/* What a thread works on. */
typedef struct desk {
    uint32_t *target; /* [buckets * LINE] step 2 */
    uint16_t *source;
    uint8_t *filled; /* [buckets] */
    void
        *key[2]; /* step 3: uint32_t if packed, else uint64_t (low << 32 | target); as long as the largest bucket met */
    uint64_t capacity;
    uint32_t *place; /* [digits << digit] counters of the passes over the target ... */
    uint32_t *row;   /* [1 << shift] ... and of the rows */
} desk;

/* --- step 1 ------------------------------------------------------------------------------------------------------ */

static void count_ends(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    build *b = data;
    uint32_t *count = b->desk[thread].target; /* free for use until step 2: counters of this range of slices */
    if (ksda_i_cancelled(b->ctx)) return;
    memset(count, 0, b->buckets * sizeof *count);
    for (uint64_t s = begin; s < end; s++) {
        const uint32_t *pair = b->slices[s].pair;
        for (uint64_t i = 0, ends = 2 * (uint64_t)b->slices[s].count; i < ends; i++) count[pair[i] >> b->shift]++;
    }
    for (uint64_t k = 0; k < b->buckets; k++)
        if (count[k]) atomic_fetch_add_explicit(&b->cursor[k], count[k], memory_order_relaxed);
}

static ksda_status place_buckets(build *b) {
    uint64_t at = 0;
    for (uint64_t k = 0; k < b->buckets; k++) {
        uint64_t size = atomic_load_explicit(&b->cursor[k], memory_order_relaxed);
        if (size > UINT32_MAX)
            return ksda_i_error(b->ctx, KSDA_UNSUPPORTED, "more than %u edge ends at neighbouring vertices",
                                UINT32_MAX);
        b->start[k] = at;
        atomic_store_explicit(&b->cursor[k], at, memory_order_relaxed);
        at += size;
    }
    b->start[b->buckets] = at;
    return ksda_i_interrupted(b->ctx);
}

/* --- step 2 ------------------------------------------------------------------------------------------------------ */

static void flush_bucket(build *b, desk *w, uint64_t bucket, unsigned entries) {
    uint64_t at = atomic_fetch_add_explicit(&b->cursor[bucket], entries, memory_order_relaxed);
    memcpy(b->adj + at, w->target + bucket * LINE, entries * sizeof *b->adj);
    if (!b->packed) memcpy(b->low + at, w->source + bucket * LINE, entries * sizeof *b->low);
}

static inline void put_entry(build *b, desk *w, bool packed, uint32_t u, uint32_t v) {
    uint64_t bucket = u >> b->shift;
    uint32_t low = u & ((1u << b->shift) - 1);
    unsigned at = w->filled[bucket];
    w->target[bucket * LINE + at] = packed ? low << b->bits | v : v;
    if (!packed) w->source[bucket * LINE + at] = (uint16_t)low;
    if (++at == LINE) {
        flush_bucket(b, w, bucket, LINE);
        at = 0;
    }
    w->filled[bucket] = (uint8_t)at;
}

static inline void scatter_slice(build *b, desk *w, bool packed, const ksda_i_slice *slice) {
    for (uint64_t i = 0; i < slice->count; i++) {
        put_entry(b, w, packed, slice->pair[2 * i], slice->pair[2 * i + 1]);
        put_entry(b, w, packed, slice->pair[2 * i + 1], slice->pair[2 * i]);
    }
}

static void scatter(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    build *b = data;
    if (ksda_i_cancelled(b->ctx)) return;
    for (uint64_t s = begin; s < end; s++) {
        if (b->packed)
            scatter_slice(b, &b->desk[thread], true, &b->slices[s]);
        else
            scatter_slice(b, &b->desk[thread], false, &b->slices[s]);
        if (b->consumed) b->consumed(b->data, b->slices[s].owner);
    }
}

static void flush_rest(build *b) {
    for (unsigned t = 0; t < b->ctx->threads; t++)
        for (uint64_t k = 0; k < b->buckets; k++)
            if (b->desk[t].filled[k]) flush_bucket(b, &b->desk[t], k, b->desk[t].filled[k]);
}

/* --- step 3 ------------------------------------------------------------------------------------------------------ */

/* Turn counts into the places where each digit's entries begin. */
static void to_places(uint32_t *count, uint32_t digits) {
    uint32_t at = 0;
    for (uint32_t d = 0; d < digits; d++) {
        uint32_t here = count[d];
        count[d] = at;
        at += here;
    }
}

/* Entry i of a bucket: its low bits and its target. */
static inline uint32_t low_of(const build *b, bool packed, const uint32_t *entry, const uint16_t *low, uint32_t i) {
    return packed ? entry[i] >> b->bits : low[i];
}

/* Count every digit of the targets, and the rows, in one go. */
static inline void count_digits(const build *b, desk *w, bool packed, const uint32_t *entry, const uint16_t *low,
                                uint32_t size) {
    const uint32_t mask = (1u << b->digit) - 1, target = (uint32_t)((UINT64_C(1) << b->bits) - 1);
    uint32_t *second = w->place + mask + 1;
    memset(w->place, 0, (sizeof *w->place * b->digits) << b->digit);
    memset(w->row, 0, sizeof *w->row << b->shift);
    for (uint32_t i = 0; i < size; i++) {
        w->place[entry[i] & target & mask]++;
        w->row[low_of(b, packed, entry, low, i)]++;
        if (b->digits > 1) second[(entry[i] & target) >> b->digit & mask]++;
    }
    if (b->digits > 2)
        for (uint32_t i = 0; i < size; i++) second[mask + 1 + ((entry[i] & target) >> (2 * b->digit))]++;
    for (unsigned d = 0; d < b->digits; d++) to_places(w->place + ((uint64_t)d << b->digit), mask + 1);
    to_places(w->row, 1u << b->shift);
}

/* Sort a bucket by target, least digit first, then by row back into its place. The first and the last pass change
 * between the entries and the keys. */
static void sort_packed(const build *b, desk *w, uint32_t *entry, uint32_t size) {
    const uint32_t target = (uint32_t)((UINT64_C(1) << b->bits) - 1), mask = ((1u << b->digit) - 1) & target;
    const uint32_t *from = entry;
    count_digits(b, w, true, entry, NULL, size);
    for (unsigned d = 0; d < b->digits; d++) {
        uint32_t *to = w->key[d & 1], *place = w->place + ((uint64_t)d << b->digit);
        unsigned shift = d * b->digit;
        for (uint32_t i = 0; i < size; i++) to[place[(from[i] & target) >> shift & mask]++] = from[i];
        from = to;
    }
    for (uint32_t i = 0; i < size; i++) entry[w->row[from[i] >> b->bits]++] = from[i] & target;
}

static void sort_wide(const build *b, desk *w, uint32_t *entry, const uint16_t *low, uint32_t size) {
    const uint32_t mask = (1u << b->digit) - 1;
    uint64_t *from = w->key[0];
    count_digits(b, w, false, entry, low, size);
    for (uint32_t i = 0; i < size; i++) from[w->place[entry[i] & mask]++] = (uint64_t)low[i] << 32 | entry[i];
    for (unsigned d = 1; d < b->digits; d++) {
        uint64_t *to = w->key[d & 1];
        uint32_t *place = w->place + ((uint64_t)d << b->digit);
        unsigned shift = d * b->digit;
        for (uint32_t i = 0; i < size; i++) to[place[(uint32_t)from[i] >> shift & mask]++] = from[i];
        from = to;
    }
    for (uint32_t i = 0; i < size; i++) entry[w->row[from[i] >> 32]++] = (uint32_t)from[i];
}

/* Drop loops and repetitions of the sorted rows that stand in row; off[v + 1] gets the length that is left. */
static void pack_rows(build *b, uint64_t bucket, uint32_t *row, const uint32_t *row_end) {
    uint64_t first = bucket << b->shift, last = first + (UINT64_C(1) << b->shift), loops = 0;
    uint32_t at = 0, kept = 0, size = (uint32_t)(b->start[bucket + 1] - b->start[bucket]);
    if (last > b->n) last = b->n;
    for (uint64_t v = first; v < last; v++) {
        uint32_t before = kept, end = row_end[v - first], previous = KSDA_NO_VERTEX;
        for (; at < end; at++) {
            uint32_t target = row[at];
            loops += target == v;
            row[kept] = target; /* overwritten by the next one unless it counts */
            kept += target != v && target != previous;
            previous = target;
        }
        b->off[v + 1] = kept - before;
    }
    b->loops[2 * bucket] = loops;
    b->loops[2 * bucket + 1] = size - kept;
}

static ksda_status room_for(build *b, desk *w, uint64_t size) {
    if (size <= w->capacity) return KSDA_OK;
    uint64_t wanted = size + size / 4;
    for (int i = 0; i < 2; i++) {
        ksda_i_free(b->ctx, w->key[i]);
        w->key[i] = NULL;
    }
    w->capacity = 0;
    for (int i = 0; i < 2; i++)
        if (!(w->key[i] = ksda_i_malloc(b->ctx, wanted, b->packed ? 4 : 8))) return KSDA_NOMEM;
    w->capacity = wanted;
    return KSDA_OK;
}

static void sort_buckets(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    build *b = data;
    desk *w = &b->desk[thread];
    for (uint64_t k = begin; k < end; k++) {
        uint64_t size = b->start[k + 1] - b->start[k];
        uint32_t *row = b->adj + b->start[k];
        if (atomic_load_explicit(&b->failed, memory_order_relaxed) || ksda_i_cancelled(b->ctx)) return;
        if (room_for(b, w, size) < 0) {
            atomic_store_explicit(&b->failed, true, memory_order_relaxed);
            return;
        }
        if (b->packed)
            sort_packed(b, w, row, (uint32_t)size);
        else
            sort_wide(b, w, row, b->low + b->start[k], (uint32_t)size);
        pack_rows(b, k, row, w->row); /* which now holds the ends of the rows */
    }
}

/* --- step 4 and around ------------------------------------------------------------------------------------------- */

/* Turn lengths into offsets, move the buckets together and give back what is left over. */
static ksda_status close_gaps(build *b, ksda_cleaning *cleaning) {
    uint64_t loops = 0, removed = 0, at = 0, ends = b->start[b->buckets];
    b->off[0] = 0;
    for (uint64_t v = 0; v < b->n; v++) b->off[v + 1] += b->off[v];
    for (uint64_t k = 0; k < b->buckets; k++) {
        uint64_t size = b->start[k + 1] - b->start[k] - b->loops[2 * k + 1];
        if (at != b->start[k]) memmove(b->adj + at, b->adj + b->start[k], size * sizeof *b->adj);
        at += size;
        loops += b->loops[2 * k];
        removed += b->loops[2 * k + 1];
    }
    *cleaning = (ksda_cleaning){ends / 2, loops / 2, (removed - loops) / 2};
    if (removed == 0) return KSDA_OK;
    uint32_t *smaller = ksda_i_realloc(b->ctx, b->adj, at, sizeof *b->adj);
    if (smaller) b->adj = smaller;
    return smaller ? KSDA_OK : KSDA_NOMEM;
}

/* Buckets of about BUCKET_ENTRIES entries, but no more vertices than 16 bits tell apart; smaller if that lets us pack.
 */
static void plan_buckets(build *b, uint64_t ends) {
    uint64_t wanted = ends / BUCKET_ENTRIES + 1;
    while (b->shift < 16 && ((uint64_t)b->n >> b->shift) > wanted) b->shift++;
    b->bits = 1;
    while (b->n > 1 && (uint64_t)(b->n - 1) >> b->bits) b->bits++;
    if (b->shift + b->bits > 32 && b->bits < 32 && (uint64_t)b->n >> (32 - b->bits) <= MANY_BUCKETS)
        b->shift = 32 - b->bits;
    b->packed = b->shift + b->bits <= 32;
    b->buckets = b->n ? ((uint64_t)(b->n - 1) >> b->shift) + 1 : 0;
    b->digits = (b->bits + MAX_DIGIT - 1) / MAX_DIGIT;
    b->digit = (b->bits + b->digits - 1) / b->digits;
}

static ksda_status allocate(build *b, uint64_t ends) {
    ksda_ctx *ctx = b->ctx;
    b->off = ksda_i_malloc(ctx, (uint64_t)b->n + 1, sizeof *b->off);
    b->adj = ksda_i_malloc(ctx, ends, sizeof *b->adj);
    b->low = ksda_i_malloc(ctx, b->packed ? 0 : ends, sizeof *b->low);
    b->start = ksda_i_malloc(ctx, b->buckets + 1, sizeof *b->start);
    b->cursor = ksda_i_malloc(ctx, b->buckets, sizeof *b->cursor);
    b->loops = ksda_i_calloc(ctx, 2 * b->buckets, sizeof *b->loops);
    b->desk = ksda_i_calloc(ctx, ctx->threads, sizeof *b->desk);
    if (!b->off || !b->adj || !b->low || !b->start || !b->cursor || !b->loops || !b->desk) return KSDA_NOMEM;
    for (uint64_t k = 0; k < b->buckets; k++) atomic_init(&b->cursor[k], 0);
    for (unsigned t = 0; t < ctx->threads; t++) {
        desk *w = &b->desk[t];
        w->target = ksda_i_malloc(ctx, b->buckets * LINE, sizeof *w->target);
        w->source = ksda_i_malloc(ctx, b->packed ? 0 : b->buckets * LINE, sizeof *w->source);
        w->filled = ksda_i_calloc(ctx, b->buckets, sizeof *w->filled);
        w->place = ksda_i_malloc(ctx, (uint64_t)b->digits << b->digit, sizeof *w->place);
        w->row = ksda_i_malloc(ctx, UINT64_C(1) << b->shift, sizeof *w->row);
        if (!w->target || !w->source || !w->filled || !w->place || !w->row) return KSDA_NOMEM;
    }
    return KSDA_OK;
}

static void build_clear(build *b) {
    ksda_ctx *ctx = b->ctx;
    for (unsigned t = 0; b->desk && t < ctx->threads; t++) {
        desk *w = &b->desk[t];
        ksda_i_free(ctx, w->target);
        ksda_i_free(ctx, w->source);
        ksda_i_free(ctx, w->filled);
        ksda_i_free(ctx, w->key[0]);
        ksda_i_free(ctx, w->key[1]);
        ksda_i_free(ctx, w->place);
        ksda_i_free(ctx, w->row);
    }
    ksda_i_free(ctx, b->desk);
    ksda_i_free(ctx, b->off);
    ksda_i_free(ctx, b->adj);
    ksda_i_free(ctx, b->low);
    ksda_i_free(ctx, b->start);
    ksda_i_free(ctx, b->cursor);
    ksda_i_free(ctx, b->loops);
}

ksda_status ksda_i_rows_build(ksda_ctx *ctx, uint32_t n, const ksda_i_slice *slices, uint64_t count,
                              ksda_i_consumed_fn consumed, void *data, ksda_graph **out) {
    ksda_status status = KSDA_OK;
    ksda_cleaning cleaning;
    uint64_t ends = 0;
    build b = {.ctx = ctx, .n = n, .slices = slices, .slice_count = count, .consumed = consumed, .data = data};
    *out = NULL;
    atomic_init(&b.failed, false);
    for (uint64_t s = 0; s < count; s++) ends += 2 * (uint64_t)slices[s].count;
    plan_buckets(&b, ends);
    KSDA_I_TRY(allocate(&b, ends));
    ksda_i_parallel(ctx, count, 8, count_ends, &b);
    KSDA_I_TRY(place_buckets(&b));
    ksda_i_parallel(ctx, count, 2, scatter, &b);
    KSDA_I_TRY(ksda_i_interrupted(ctx));
    flush_rest(&b);
    ksda_i_parallel(ctx, b.buckets, 1, sort_buckets, &b);
    KSDA_I_TRY(ksda_i_interrupted(ctx));
    if (atomic_load(&b.failed)) KSDA_I_TRY(KSDA_NOMEM);
    if (!b.packed) ksda_i_pages_drop(b.low, ends * sizeof *b.low);
    KSDA_I_TRY(close_gaps(&b, &cleaning));
    uint64_t *off = b.off;
    uint32_t *adj = b.adj;
    b.off = NULL, b.adj = NULL;
    KSDA_I_TRY(ksda_i_graph_take(ctx, n, off, adj, out));
    (*out)->cleaning = cleaning;
done:
    build_clear(&b);
    return status;
}
