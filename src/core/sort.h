/* sort.h: numbers in ascending order, several times faster than qsort(), items by label, and qsort() itself. */
#ifndef KSDA_I_SORT_H
#define KSDA_I_SORT_H

#include <stddef.h>
#include <stdint.h>

/* scratch has room for count numbers; its content is lost. Safe from any thread. Time O(count) for long lists. */
void ksda_i_sort_u32(uint32_t *list, uint64_t count, uint32_t *scratch);
void ksda_i_sort_u64(uint64_t *list, uint64_t count, uint64_t *scratch);

/* Group the items 0 .. count-1 by label: those with label l are order[start[l]] .. order[start[l + 1] - 1], ascending.
 * start is [labels + 1], order [count]; every label is below labels. */
void ksda_i_group(uint32_t count, const uint32_t *label, uint32_t labels, uint32_t *start, uint32_t *order);

/* qsort(). It takes memory from malloc() for all but short lists, so no thread may fork meanwhile: see ksda_i_fork().
 */
void ksda_i_sort_by(void *list, uint64_t count, size_t size, int (*by)(const void *a, const void *b));

#endif
