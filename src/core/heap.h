/* heap.h: a binary heap in an array of the caller's: the smallest rank first, of equals the smallest item. */
#ifndef KSDA_I_HEAP_H
#define KSDA_I_HEAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ksda_i_ranked {
    uint64_t rank;
    uint32_t item;
} ksda_i_ranked;

static inline bool ksda_i_ranked_before(const ksda_i_ranked *a, const ksda_i_ranked *b) {
    return a->rank < b->rank || (a->rank == b->rank && a->item < b->item);
}

/* The heap has room for one more. O(log size). */
static inline void ksda_i_heap_push(ksda_i_ranked *heap, uint32_t *size, ksda_i_ranked x) {
    uint32_t i = (*size)++;
    for (; i && ksda_i_ranked_before(&x, &heap[(i - 1) / 2]); i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = x;
}

/* The heap is not empty. O(log size). */
static inline ksda_i_ranked ksda_i_heap_pop(ksda_i_ranked *heap, uint32_t *size) {
    ksda_i_ranked top = heap[0], x = heap[--*size];
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < *size; i = child) {
        if (child + 1 < *size && ksda_i_ranked_before(&heap[child + 1], &heap[child])) child++;
        if (!ksda_i_ranked_before(&heap[child], &x)) break;
        heap[i] = heap[child];
    }
    heap[i] = x;
    return top;
}

#endif
