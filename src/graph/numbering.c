/* Vertex numbers for arbitrary 64-bit ids, ascending.
 *
 * Dense ids (their range is not much larger than their number): mark the ids that occur in a bitmap, count the marks
 * before each word, and an id's number is that count plus the marks below it in its word. 1.5 bits of memory an id in
 * the range, and the tables of a million vertices stay in the cache. Sparse ids: sort each stretch, keep what is
 * distinct, merge the lists two by two, and look numbers up in a hash table. Both are parallel over stretches, and both
 * answers depend on the set of ids only. Who knows which ids there are (a release that is read back) says so, and they
 * stay as they are. */
#include "graph/numbering.h"

#include "core/parallel.h"
#include "core/sort.h"
#include "core/bits.h"
#include "graph/peers.h"

#define DENSE_RANGE 16 /* up to that many ids of the range for each id that was read */

typedef struct id_list {
    uint64_t *id; /* strictly ascending */
    uint64_t count;
} id_list;

typedef struct numbering {
    ksda_ctx *ctx;
    ksda_i_stretch *stretch;
    uint64_t stretches;
    uint64_t least, greatest, *limits; /* limits: [2 * stretches] of each stretch */
    atomic_uint_fast64_t *mark;        /* bitmap of id - least */
    uint32_t *before;                  /* marks before each word */
    id_list *list;                     /* sparse: of each stretch, then merged */
    uint64_t step;                     /* merging: list[i] and list[i + step] become list[i] */
    const uint64_t *number;            /* sparse: the distinct ids */
    struct slot *slot;
    uint64_t slots;
    atomic_bool failed;
} numbering;

typedef struct slot {
    uint64_t id;
    atomic_uint_least32_t item; /* vertex + 1; 0 is empty */
} slot;

/* Wide ids are read bytewise, because narrow numbers are written over them as we go. */
static inline uint64_t wide_at(const ksda_i_stretch *s, uint64_t i) {
    uint64_t id;
    memcpy(&id, (const char *)s->id + i * sizeof id, sizeof id);
    return id;
}

static inline uint64_t stretch_id(const ksda_i_stretch *s, bool wide, uint64_t i) {
    return wide ? wide_at(s, i) : ((const uint32_t *)s->id)[i];
}

static bool stopped(numbering *x) {
    return ksda_i_cancelled(x->ctx) || atomic_load_explicit(&x->failed, memory_order_relaxed);
}

/* --- the range --------------------------------------------------------------------------------------------------- */

static inline void range_of(const ksda_i_stretch *s, bool wide, uint64_t *limits) {
    uint64_t least = UINT64_MAX, greatest = 0;
    for (uint64_t i = 0; i < s->count; i++) {
        uint64_t id = stretch_id(s, wide, i);
        least = id < least ? id : least;
        greatest = id > greatest ? id : greatest;
    }
    limits[0] = least;
    limits[1] = greatest;
}

static void find_ranges(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    numbering *x = data;
    (void)thread;
    for (uint64_t k = begin; k < end; k++) {
        if (x->stretch[k].wide)
            range_of(&x->stretch[k], true, x->limits + 2 * k);
        else
            range_of(&x->stretch[k], false, x->limits + 2 * k);
    }
}

/* --- dense ------------------------------------------------------------------------------------------------------- */

/* Nearly every mark is there already: look first, so that threads do not fight for the cache lines. */
static inline void mark_ids(numbering *x, const ksda_i_stretch *s, bool wide) {
    for (uint64_t i = 0; i < s->count; i++) {
        uint64_t id = stretch_id(s, wide, i) - x->least, bit = UINT64_C(1) << (id & 63);
        if (!(atomic_load_explicit(&x->mark[id >> 6], memory_order_relaxed) & bit))
            atomic_fetch_or_explicit(&x->mark[id >> 6], bit, memory_order_relaxed);
    }
}

static void mark_stretches(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    numbering *x = data;
    (void)thread;
    for (uint64_t k = begin; k < end && !stopped(x); k++) {
        if (x->stretch[k].wide)
            mark_ids(x, &x->stretch[k], true);
        else
            mark_ids(x, &x->stretch[k], false);
    }
}

static inline uint32_t rank_of_id(const numbering *x, uint64_t id) {
    uint64_t word = atomic_load_explicit(&x->mark[id >> 6], memory_order_relaxed);
    return x->before[id >> 6] + ksda_i_bits_set(word & ((UINT64_C(1) << (id & 63)) - 1));
}

static inline void rank_ids(numbering *x, ksda_i_stretch *s, bool wide) {
    uint32_t *to = s->id;
    for (uint64_t i = 0; i < s->count; i++) to[i] = rank_of_id(x, stretch_id(s, wide, i) - x->least);
}

static void rank_stretches(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    numbering *x = data;
    (void)thread;
    for (uint64_t k = begin; k < end && !stopped(x); k++) {
        if (!x->stretch[k].renumber) continue;
        if (x->stretch[k].wide)
            rank_ids(x, &x->stretch[k], true);
        else
            rank_ids(x, &x->stretch[k], false);
    }
}

static ksda_status too_many(numbering *x, uint64_t count) {
    return ksda_i_error(x->ctx, KSDA_INVALID, "%llu vertices; at most %u are possible", (unsigned long long)count,
                        KSDA_MAX_VERTICES);
}

/* The names of the marked ids: a range costs nothing. */
static ksda_status name_marked(numbering *x, uint64_t words, uint32_t count, ksda_i_ids *ids) {
    if (count == x->greatest - x->least + 1) {
        ksda_i_ids_range(ids, count, x->least);
        return KSDA_OK;
    }
    uint64_t *number = ksda_i_malloc(x->ctx, count, sizeof *number), at = 0;
    if (!number) return KSDA_NOMEM;
    for (uint64_t w = 0; w < words; w++)
        for (uint64_t left = x->mark[w]; left; left &= left - 1)
            number[at++] = x->least + 64 * w + (uint64_t)__builtin_ctzll(left);
    ksda_i_ids_numbers_take(ids, count, number);
    return KSDA_OK;
}

static ksda_status number_dense(numbering *x, ksda_i_ids *ids) {
    ksda_status status = KSDA_NOMEM;
    uint64_t words = (x->greatest - x->least) / 64 + 1, count = 0;
    x->mark = ksda_i_calloc(x->ctx, words, sizeof *x->mark);
    x->before = ksda_i_malloc(x->ctx, words, sizeof *x->before);
    status = x->mark && x->before ? KSDA_OK : KSDA_NOMEM;
    KSDA_I_TRY(ksda_i_agree(x->ctx, status));
    ksda_i_parallel(x->ctx, x->stretches, 1, mark_stretches, x);
    if (x->ctx->peers) x->ctx->peers->reduce(KSDA_I_REDUCE_OR, (uint64_t *)x->mark, words);
    for (uint64_t w = 0; w < words; w++) {
        x->before[w] = (uint32_t)count;
        count += ksda_i_bits_set(x->mark[w]);
    }
    if (count > KSDA_MAX_VERTICES) KSDA_I_TRY(too_many(x, count));
    KSDA_I_TRY(name_marked(x, words, (uint32_t)count, ids));
    if (ids->kind == KSDA_I_IDS_RANGE)
        ksda_i_shift_ids(x->ctx, x->stretch, x->stretches, x->least);
    else
        ksda_i_parallel(x->ctx, x->stretches, 1, rank_stretches, x);
done:
    ksda_i_free(x->ctx, x->mark);
    ksda_i_free(x->ctx, x->before);
    return status;
}

/* --- sparse ------------------------------------------------------------------------------------------------------ */

static ksda_status distinct(numbering *x, const ksda_i_stretch *s, id_list *list) {
    uint64_t *id = ksda_i_malloc(x->ctx, s->count, sizeof *id), kept = 0;
    uint64_t *scratch = ksda_i_malloc(x->ctx, s->count, sizeof *scratch);
    if (id && scratch) {
        for (uint64_t i = 0; i < s->count; i++) id[i] = stretch_id(s, s->wide, i);
        ksda_i_sort_u64(id, s->count, scratch);
        for (uint64_t i = 0; i < s->count; i++)
            if (kept == 0 || id[kept - 1] != id[i]) id[kept++] = id[i];
        uint64_t *smaller = ksda_i_realloc(x->ctx, id, kept, sizeof *id);
        if (smaller) *list = (id_list){smaller, kept};
        if (smaller) id = NULL;
    }
    ksda_i_free(x->ctx, id);
    ksda_i_free(x->ctx, scratch);
    return list->id ? KSDA_OK : KSDA_NOMEM;
}

static void list_stretches(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    numbering *x = data;
    (void)thread;
    for (uint64_t k = begin; k < end && !stopped(x); k++)
        if (distinct(x, &x->stretch[k], &x->list[k]) < 0) atomic_store(&x->failed, true);
}

static ksda_status merge_ids(numbering *x, id_list *into, id_list *other) {
    uint64_t *id = ksda_i_malloc(x->ctx, into->count + other->count, sizeof *id), kept = 0;
    if (!id) return KSDA_NOMEM;
    for (uint64_t i = 0, j = 0; i < into->count || j < other->count;) {
        uint64_t a = i < into->count ? into->id[i] : UINT64_MAX, b = j < other->count ? other->id[j] : UINT64_MAX;
        id[kept++] = a < b ? a : b;
        i += i < into->count && a <= b;
        j += j < other->count && b <= a;
    }
    ksda_i_free(x->ctx, into->id);
    ksda_i_free(x->ctx, other->id);
    *into = (id_list){id, kept};
    *other = (id_list){NULL, 0};
    return KSDA_OK;
}

static void merge_lists(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    numbering *x = data;
    (void)thread;
    for (uint64_t k = begin; k < end && !stopped(x); k++) {
        uint64_t left = 2 * x->step * k, right = left + x->step;
        if (right < x->stretches && merge_ids(x, &x->list[left], &x->list[right]) < 0) atomic_store(&x->failed, true);
    }
}

/* Several threads fill the table at once: the one that swaps an empty slot for its item owns it. */
static void fill_slots(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    numbering *x = data;
    (void)thread;
    for (uint64_t item = begin; item < end; item++) {
        uint64_t i = ksda_i_hash_number(&x->ctx->hash_key, x->number[item]) & (x->slots - 1);
        for (;; i = (i + 1) & (x->slots - 1)) {
            uint_least32_t empty = 0;
            if (atomic_compare_exchange_strong_explicit(&x->slot[i].item, &empty, (uint32_t)item + 1,
                                                        memory_order_relaxed, memory_order_relaxed))
                break;
        }
        x->slot[i].id = x->number[item];
    }
}

static inline uint32_t look_up(const numbering *x, uint64_t id) {
    uint64_t i = ksda_i_hash_number(&x->ctx->hash_key, id) & (x->slots - 1);
    while (x->slot[i].id != id || !atomic_load_explicit(&x->slot[i].item, memory_order_relaxed))
        i = (i + 1) & (x->slots - 1);
    return atomic_load_explicit(&x->slot[i].item, memory_order_relaxed) - 1;
}

static void look_up_stretches(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    numbering *x = data;
    (void)thread;
    for (uint64_t k = begin; k < end && !stopped(x); k++) {
        ksda_i_stretch *s = &x->stretch[k];
        uint32_t *to = s->id;
        for (uint64_t i = 0; s->renumber && i < s->count; i++) to[i] = look_up(x, stretch_id(s, s->wide, i));
    }
}

static ksda_status number_sparse(numbering *x, ksda_i_ids *ids) {
    ksda_status status = KSDA_NOMEM;
    x->list = ksda_i_calloc(x->ctx, x->stretches + 1, sizeof *x->list); /* there may be none of them here */
    if (x->list) ksda_i_parallel(x->ctx, x->stretches, 1, list_stretches, x);
    for (x->step = 1; x->list && x->step < x->stretches && !stopped(x); x->step *= 2)
        ksda_i_parallel(x->ctx, (x->stretches + 2 * x->step - 1) / (2 * x->step), 1, merge_lists, x);
    status = x->list && !atomic_load(&x->failed) ? ksda_i_interrupted(x->ctx) : KSDA_NOMEM;
    KSDA_I_TRY(ksda_i_agree(x->ctx, status));
    if (x->ctx->peers) KSDA_I_TRY(x->ctx->peers->join(x->ctx, &x->list[0].id, &x->list[0].count));
    uint64_t count = x->list[0].count;
    if (count > KSDA_MAX_VERTICES) KSDA_I_TRY(too_many(x, count));
    for (x->slots = 64; x->slots < 2 * count;) x->slots *= 2;
    x->number = x->list[0].id;
    x->slot = ksda_i_calloc(x->ctx, x->slots, sizeof *x->slot);
    status = x->slot ? KSDA_OK : KSDA_NOMEM;
    KSDA_I_TRY(ksda_i_agree(x->ctx, status));
    ksda_i_parallel(x->ctx, count, 65536, fill_slots, x);
    ksda_i_parallel(x->ctx, x->stretches, 1, look_up_stretches, x);
    ksda_i_ids_numbers_take(ids, (uint32_t)count, x->list[0].id);
    x->list[0].id = NULL;
    status = KSDA_OK;
done:
    for (uint64_t k = 0; x->list && k <= x->stretches; k++) ksda_i_free(x->ctx, x->list[k].id);
    ksda_i_free(x->ctx, x->list);
    ksda_i_free(x->ctx, x->slot);
    return status;
}

/* --- expected ---------------------------------------------------------------------------------------------------- */

/* Ids are numbers already. */
static void take_expected(numbering *x, ksda_i_ids *ids) {
    ksda_i_ids_range(ids, x->ctx->expected, 0);
    ksda_i_shift_ids(x->ctx, x->stretch, x->stretches, 0);
}

/* --- entries ----------------------------------------------------------------------------------------------------- */

ksda_status ksda_i_number_ids(ksda_ctx *ctx, ksda_i_stretch *stretches, uint64_t count, ksda_i_ids *ids) {
    numbering x = {.ctx = ctx, .stretch = stretches, .stretches = count, .least = UINT64_MAX};
    uint64_t total = 0;
    atomic_init(&x.failed, false);
    ksda_i_ids_range(ids, 0, 0);
    x.limits = ksda_i_malloc(ctx, 2 * count, sizeof *x.limits);
    ksda_status status = ksda_i_agree(ctx, x.limits ? KSDA_OK : KSDA_NOMEM);
    if (status < 0) {
        ksda_i_free(ctx, x.limits);
        return status;
    }
    ksda_i_parallel(ctx, count, 1, find_ranges, &x);
    for (uint64_t k = 0; k < count; k++) {
        total += stretches[k].count;
        if (x.limits[2 * k] < x.least) x.least = x.limits[2 * k];
        if (x.limits[2 * k + 1] > x.greatest) x.greatest = x.limits[2 * k + 1];
    }
    ksda_i_free(ctx, x.limits);
    if (ctx->peers) {
        ctx->peers->reduce(KSDA_I_REDUCE_MIN, &x.least, 1);
        ctx->peers->reduce(KSDA_I_REDUCE_MAX, &x.greatest, 1);
        ctx->peers->reduce(KSDA_I_REDUCE_SUM, &total, 1);
    }
    if (total == 0) return KSDA_OK;
    bool dense = (x.greatest - x.least) / DENSE_RANGE <= total + 4096, expected = x.greatest < ctx->expected;
    if (expected)
        take_expected(&x, ids);
    else
        status = dense ? number_dense(&x, ids) : number_sparse(&x, ids);
    if (status >= 0) status = ksda_i_interrupted(ctx);
    status = ksda_i_agree(ctx, status);
    if (status < 0) ksda_i_ids_clear(ctx, ids);
    return status;
}

typedef struct shift_job {
    ksda_i_stretch *stretch;
    uint64_t first;
} shift_job;

static void shift_stretches(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    shift_job *job = data;
    (void)thread;
    for (uint64_t k = begin; k < end; k++) {
        ksda_i_stretch *s = &job->stretch[k];
        uint32_t *to = s->id;
        if (!s->renumber || (!s->wide && job->first == 0)) continue;
        if (s->wide)
            for (uint64_t i = 0; i < s->count; i++) to[i] = (uint32_t)(wide_at(s, i) - job->first);
        else
            for (uint64_t i = 0; i < s->count; i++) to[i] -= (uint32_t)job->first;
    }
}

void ksda_i_shift_ids(ksda_ctx *ctx, ksda_i_stretch *stretches, uint64_t count, uint64_t first) {
    shift_job job = {stretches, first};
    ksda_i_parallel(ctx, count, 1, shift_stretches, &job);
}
