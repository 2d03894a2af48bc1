/* bits.h: words of 64 bits as sets. */
#ifndef KSDA_I_BITS_H
#define KSDA_I_BITS_H

#include <stdint.h>

/* How many bits are set, without asking for a processor that has an instruction for it: a dozen steps, where the
 * compiler's builtin would call a function of its library. */
static inline uint32_t ksda_i_bits_set(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)((x * UINT64_C(0x0101010101010101)) >> 56);
}

#endif
