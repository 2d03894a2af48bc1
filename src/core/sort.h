/* sort.h: numbers in ascending order, several times faster than qsort(), and items by label. */
#ifndef KSDA_I_SORT_H
#define KSDA_I_SORT_H

#include <stdint.h>

/* scratch has room for count numbers; its content is lost. Safe from any thread. Time O(count) for long lists. */
void ksda_i_sort_u32(uint32_t *list, uint64_t count, uint32_t *scratch);
void ksda_i_sort_u64(uint64_t *list, uint64_t count, uint64_t *scratch);

/* Group the items 0 .. count-1 by label: those with label l are order[start[l]] .. order[start[l + 1] - 1], ascending.
 * start is [labels + 1], order [count]; every label is below labels. */
void ksda_i_group(uint32_t count, const uint32_t *label, uint32_t labels, uint32_t *start, uint32_t *order);

#endif
