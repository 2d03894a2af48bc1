/* Hints to the system about the whole pages inside a block. Only pages that lie entirely in the block are touched, so
 * the allocator's own bookkeeping around it is safe. */
#include "core/pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define WORTH_IT ((size_t)1 << 22) /* smaller blocks gain nothing */

static void advise(void *block, size_t bytes, int advice) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)block, end = begin + bytes;
    begin = (begin + page - 1) / page * page;
    end = end / page * page;
    if (bytes >= WORTH_IT && end > begin) madvise((void *)begin, end - begin, advice);
}

void ksda_i_pages_huge(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
    advise(block, bytes, MADV_HUGEPAGE);
#else
    (void)block, (void)bytes;
#endif
}

void ksda_i_pages_drop(void *block, size_t bytes) {
    advise(block, bytes, MADV_DONTNEED);
}
