/* Sorting numbers. Rows of a graph are mostly short, lists of keys long: short lists are sorted in blocks of eight, by
 * a sorting network, that are then merged two by two; long ones by their bytes, lowest first, leaving out every byte in
 * which all numbers agree. Nothing in the short ones branches on how two numbers compare, which no processor could
 * foresee; a merge goes from both ends at once, so that one does not wait for the other. Where the processor has AVX2,
 * short lists of 32-bit numbers are sorted eight at a time. */
#include "core/sort.h"

#include "core/ctx.h"
#include "core/simd.h"

#include <stdlib.h>
#include <string.h>

#if KSDA_I_AVX2
#include <immintrin.h>
#endif

enum {
    BLOCK = 8,
    MERGE = 128, /* the longest list that is merged, */
    LANES = 512  /* and of 32-bit numbers that is sorted eight at a time */
};

/* The network of Batcher for eight, 19 comparisons in six layers. */
/* clang-format off */
#define NETWORK(X)                                                                                                     \
    X(0, 1) X(2, 3) X(4, 5) X(6, 7)                                                                                    \
    X(0, 2) X(1, 3) X(4, 6) X(5, 7)                                                                                    \
    X(1, 2) X(5, 6) X(0, 4) X(3, 7)                                                                                    \
    X(1, 5) X(2, 6)                                                                                                    \
    X(1, 4) X(3, 6)                                                                                                    \
    X(2, 4) X(3, 5) X(3, 4)
#define COMPARE(i, j)                                                                                                  \
    x = list[i], y = list[j];                                                                                          \
    list[i] = x < y ? x : y, list[j] = x < y ? y : x;
/* clang-format on */

#define DEFINE_SORT(name, type)                                                                                        \
    static void name##_block(type *list) {                                                                             \
        type x, y;                                                                                                     \
        NETWORK(COMPARE)                                                                                               \
    }                                                                                                                  \
    static void name##_blocks(type *list, uint64_t count) {                                                            \
        uint64_t rest = count % BLOCK, whole = count - rest;                                                           \
        type last[BLOCK];                                                                                              \
        for (uint64_t i = 0; i < whole; i += BLOCK) name##_block(list + i);                                            \
        if (rest < 2) return;                                                                                          \
        memset(last, 0xff, sizeof last); /* what is not there comes last */                                            \
        memcpy(last, list + whole, rest * sizeof *list);                                                               \
        name##_block(last);                                                                                            \
        memcpy(list + whole, last, rest * sizeof *list);                                                               \
    }                                                                                                                  \
    /* first .. middle - 1 and middle .. end - 1 of from, both in order, to one list; no more steps from both ends     \
     * than the shorter has, so that neither runs out. */                                                              \
    static void name##_join(const type *from, uint64_t first, uint64_t middle, uint64_t end, type *to) {               \
        const type *a = from + first, *b = from + middle, *a_last = b - 1, *b_last = from + end - 1;                   \
        type *front = to + first, *back = to + end - 1;                                                                \
        uint64_t steps = middle - first < end - middle ? middle - first : end - middle;                                \
        for (uint64_t i = 0; i < steps; i++) {                                                                         \
            type x = *a, y = *b;                                                                                       \
            unsigned lower = y < x;                                                                                    \
            *front++ = lower ? y : x;                                                                                  \
            b += lower, a += !lower;                                                                                   \
            x = *a_last, y = *b_last;                                                                                  \
            unsigned higher = y < x;                                                                                   \
            *back-- = higher ? x : y;                                                                                  \
            a_last -= higher, b_last -= !higher;                                                                       \
        }                                                                                                              \
        while (front <= back) {                                                                                        \
            bool lower = a > a_last || (b <= b_last && *b < *a);                                                       \
            *front++ = lower ? *b++ : *a++;                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
    static void name##_merge(type *list, uint64_t count, type *scratch) {                                              \
        type *from = list, *to = scratch;                                                                              \
        name##_blocks(list, count);                                                                                    \
        for (uint64_t width = BLOCK; width < count; width *= 2) {                                                      \
            for (uint64_t i = 0; i < count; i += 2 * width) {                                                          \
                uint64_t middle = i + width < count ? i + width : count;                                               \
                name##_join(from, i, middle, middle + width < count ? middle + width : count, to);                     \
            }                                                                                                          \
            type *swap = from;                                                                                         \
            from = to, to = swap;                                                                                      \
        }                                                                                                              \
        if (from != list) memcpy(list, from, count * sizeof *list);                                                    \
    }                                                                                                                  \
    static void name##_bytes(type *list, uint64_t count, type *scratch) {                                              \
        type differ = 0, *from = list, *into = scratch;                                                                \
        for (uint64_t i = 1; i < count; i++) differ |= list[i] ^ list[0];                                              \
        for (unsigned shift = 0; shift < 8 * sizeof(type); shift += 8) {                                               \
            uint64_t start[257] = {0};                                                                                 \
            if ((differ >> shift & 255) == 0) continue;                                                                \
            for (uint64_t i = 0; i < count; i++) start[(from[i] >> shift & 255) + 1]++;                                \
            for (unsigned b = 0; b < 256; b++) start[b + 1] += start[b];                                               \
            for (uint64_t i = 0; i < count; i++) into[start[from[i] >> shift & 255]++] = from[i];                      \
            type *swap = from;                                                                                         \
            from = into, into = swap;                                                                                  \
        }                                                                                                              \
        if (from != list) memcpy(list, from, count * sizeof *list);                                                    \
    }                                                                                                                  \
    static void name##_plain(type *list, uint64_t count, type *scratch) {                                              \
        if (count <= MERGE)                                                                                            \
            name##_merge(list, count, scratch);                                                                        \
        else                                                                                                           \
            name##_bytes(list, count, scratch);                                                                        \
    }

DEFINE_SORT(ksda_i_sort_u32, uint32_t)
DEFINE_SORT(ksda_i_sort_u64, uint64_t)

/* --- eight at a time ---------------------------------------------------------------------------------------------- */

#if KSDA_I_AVX2

/* Each number x of a vector and the one at its place in `other`: the smaller, or the larger where the mask has a bit.
 */
#define EXCHANGE(x, other, larger) _mm256_blend_epi32(_mm256_min_epu32(x, other), _mm256_max_epu32(x, other), larger)
/* Pairs that are one, two and four places apart, and those of each four and each eight seen from both ends. */
#define APART_1(x) EXCHANGE(x, _mm256_shuffle_epi32(x, 0xb1), 0xaa)
#define APART_2(x) EXCHANGE(x, _mm256_shuffle_epi32(x, 0x4e), 0xcc)
#define APART_4(x) EXCHANGE(x, _mm256_permute2x128_si256(x, x, 1), 0xf0)
#define ENDS_OF_4(x) EXCHANGE(x, _mm256_shuffle_epi32(x, 0x1b), 0xcc)
#define ENDS_OF_8(x) EXCHANGE(x, backwards(x), 0xf0)

KSDA_I_TARGET_AVX2 static inline __m256i backwards(__m256i x) {
    return _mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0));
}

KSDA_I_TARGET_AVX2 static inline __m256i sort_lanes(__m256i x) {
    x = APART_1(x);
    x = ENDS_OF_4(x);
    x = APART_1(x);
    x = ENDS_OF_8(x);
    x = APART_2(x);
    return APART_1(x);
}

/* A vector that rises and falls, or falls and rises, in order. */
KSDA_I_TARGET_AVX2 static inline __m256i straighten_lanes(__m256i x) {
    x = APART_4(x);
    x = APART_2(x);
    return APART_1(x);
}

/* Two lists of `half` vectors, one behind the other and both in order, to one: Batcher's bitonic merge. */
KSDA_I_TARGET_AVX2 static inline void join_vectors(__m256i *x, unsigned half) {
    for (unsigned i = 0; i < half; i++) {
        __m256i other = backwards(x[2 * half - 1 - i]), low = _mm256_min_epu32(x[i], other);
        x[2 * half - 1 - i] = backwards(_mm256_max_epu32(x[i], other));
        x[i] = low;
    }
    for (unsigned apart = half / 2; apart > 0; apart /= 2)
        for (unsigned i = 0; i < 2 * half; i++) {
            if (i & apart) continue;
            __m256i low = _mm256_min_epu32(x[i], x[i + apart]);
            x[i + apart] = _mm256_max_epu32(x[i], x[i + apart]);
            x[i] = low;
        }
    for (unsigned i = 0; i < 2 * half; i++) x[i] = straighten_lanes(x[i]);
}

/* At most LANES of them. */
KSDA_I_TARGET_AVX2 static void sort_vectors(uint32_t *list, uint64_t count) {
    __m256i x[LANES / BLOCK], *to = (__m256i *)list;
    const __m256i rest = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(count % BLOCK)),
                                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)),
                  none = _mm256_set1_epi32(-1); /* what is not there comes last */
    unsigned vectors = 1, whole = (unsigned)(count / BLOCK);
    while (vectors * BLOCK < count) vectors *= 2;
    for (unsigned i = 0; i < whole; i++) x[i] = sort_lanes(_mm256_loadu_si256(to + i));
    for (unsigned i = whole; i < vectors; i++) x[i] = none;
    if (count % BLOCK)
        x[whole] = sort_lanes(_mm256_blendv_epi8(none, _mm256_maskload_epi32((const int *)(to + whole), rest), rest));
    for (unsigned half = 1; half < vectors; half *= 2)
        for (unsigned i = 0; i < vectors; i += 2 * half) join_vectors(x + i, half);
    for (unsigned i = 0; i < whole; i++) _mm256_storeu_si256(to + i, x[i]);
    if (count % BLOCK) _mm256_maskstore_epi32((int *)(to + whole), rest, x[whole]);
}

#endif

void ksda_i_sort_u32(uint32_t *list, uint64_t count, uint32_t *scratch) {
#if KSDA_I_AVX2
    if (count > 1 && count <= LANES && ksda_i_has_avx2()) {
        sort_vectors(list, count);
        return;
    }
#endif
    ksda_i_sort_u32_plain(list, count, scratch);
}

void ksda_i_sort_u64(uint64_t *list, uint64_t count, uint64_t *scratch) {
    ksda_i_sort_u64_plain(list, count, scratch);
}

enum {
    AHEAD = 16 /* labels between asking for a far place and using it */
};

/* Where everybody has a label of its own, one pass in no order does instead of three. False: not so. */
static bool group_apart(uint32_t count, const uint32_t *label, uint32_t *start, uint32_t *order) {
    memset(order, 0xff, (uint64_t)count * sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        if (i + AHEAD < count) __builtin_prefetch(&order[label[i + AHEAD]], 1);
        if (order[label[i]] != UINT32_MAX) return false;
        order[label[i]] = i;
    }
    for (uint32_t l = 0; l < count; l++) start[l] = l;
    start[count] = count;
    return true;
}

void ksda_i_group(uint32_t count, const uint32_t *label, uint32_t labels, uint32_t *start, uint32_t *order) {
    if (count > 0 && count == labels && group_apart(count, label, start, order)) return;
    memset(start, 0, ((uint64_t)labels + 1) * sizeof *start);
    for (uint32_t i = 0; i < count; i++) start[label[i] + 1]++;
    for (uint32_t l = 0; l < labels; l++) start[l + 1] += start[l];
    for (uint32_t i = 0; i < count; i++) order[start[label[i]]++] = i; /* start[l] runs to the end of l ... */
    for (uint32_t l = labels; l > 0; l--) start[l] = start[l - 1];     /* ... which is where l + 1 starts */
    start[0] = 0;
}

void ksda_i_sort_by(void *list, uint64_t count, size_t size, int (*by)(const void *a, const void *b)) {
    if (count < 2) return;
    ksda_i_allocator_enter();
    qsort(list, count, size, by);
    ksda_i_allocator_leave();
}
