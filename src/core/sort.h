/* sort.h: numbers in ascending order, several times faster than qsort(). */
#ifndef KSDA_I_SORT_H
#define KSDA_I_SORT_H

#include <stdint.h>

/* scratch has room for count numbers; its content is lost. Safe from any thread. Time O(count) for long lists. */
void ksda_i_sort_u32(uint32_t *list, uint64_t count, uint32_t *scratch);
void ksda_i_sort_u64(uint64_t *list, uint64_t count, uint64_t *scratch);

#endif
