/* Sorting numbers. Rows of a graph are mostly short, lists of keys long: short lists are sorted by insertion, middling
 * ones by merging, long ones by their bytes, lowest first, leaving out every byte in which all numbers agree. */
#include "core/sort.h"

#include <string.h>

enum { /* the longest list for each */
    INSERTION = 20,
    MERGE = 512
};

#define DEFINE_SORT(name, type)                                                                                        \
    static void name##_insert(type *list, uint64_t count) {                                                            \
        for (uint64_t i = 1; i < count; i++) {                                                                         \
            type x = list[i];                                                                                          \
            uint64_t j = i;                                                                                            \
            for (; j > 0 && list[j - 1] > x; j--) list[j] = list[j - 1];                                               \
            list[j] = x;                                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static void name##_merge(type *list, uint64_t count, type *scratch) {                                              \
        uint64_t half = count / 2, i = 0, j = half, to = 0;                                                            \
        if (count <= INSERTION) {                                                                                      \
            name##_insert(list, count);                                                                                \
            return;                                                                                                    \
        }                                                                                                              \
        name##_merge(list, half, scratch);                                                                             \
        name##_merge(list + half, count - half, scratch);                                                              \
        memcpy(scratch, list, half * sizeof *list);                                                                    \
        while (i < half && j < count) list[to++] = list[j] < scratch[i] ? list[j++] : scratch[i++];                    \
        memcpy(list + to, scratch + i, (half - i) * sizeof *list); /* what is left of the upper half is in place */    \
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
    void name(type *list, uint64_t count, type *scratch) {                                                             \
        if (count <= MERGE)                                                                                            \
            name##_merge(list, count, scratch);                                                                        \
        else                                                                                                           \
            name##_bytes(list, count, scratch);                                                                        \
    }

DEFINE_SORT(ksda_i_sort_u32, uint32_t)
DEFINE_SORT(ksda_i_sort_u64, uint64_t)

void ksda_i_group(uint32_t count, const uint32_t *label, uint32_t labels, uint32_t *start, uint32_t *order) {
    memset(start, 0, ((uint64_t)labels + 1) * sizeof *start);
    for (uint32_t i = 0; i < count; i++) start[label[i] + 1]++;
    for (uint32_t l = 0; l < labels; l++) start[l + 1] += start[l];
    for (uint32_t i = 0; i < count; i++) order[start[label[i]]++] = i; /* start[l] runs to the end of l ... */
    for (uint32_t l = labels; l > 0; l--) start[l] = start[l - 1];     /* ... which is where l + 1 starts */
    start[0] = 0;
}
