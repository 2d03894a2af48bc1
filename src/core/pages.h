/* pages.h: hints about big arrays. They never fail and change no result, only time and memory. */
#ifndef KSDA_I_PAGES_H
#define KSDA_I_PAGES_H

#include <stddef.h>

/* This block will be filled: let the system use huge pages for it where it can (fewer faults, fewer TLB misses). */
void ksda_i_pages_huge(void *block, size_t bytes);
/* The contents of this block are no longer needed: give its pages back at once, whatever the allocator does on free. */
void ksda_i_pages_drop(void *block, size_t bytes);

#endif
