/* digits.h: reading decimal numbers eight bytes at a time. */
#ifndef KSDA_I_DIGITS_H
#define KSDA_I_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Eight characters as one number, the first in the lowest byte. */
static inline uint64_t ksda_i_load8(const char *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* How many of the eight bytes, from the lowest, are digits. t holds them with '0' already taken off by exclusive or: a
 * digit is then 0..9, and adding 0x76 carries into a byte's top bit exactly when it is more. (A byte above 0x7f may
 * carry into its upper neighbour, but only bytes below the first that is no digit matter.) */
static inline unsigned ksda_i_digit_count(uint64_t t) {
    uint64_t other = ((t + UINT64_C(0x7676767676767676)) | t) & UINT64_C(0x8080808080808080);
    return other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
}

/* The value of eight digits: neighbours are joined to pairs, pairs to fours, fours to eight, with three multiplications
 * (the technique of simdjson and fast_float). */
static inline uint64_t ksda_i_eight_digits(uint64_t t) {
    const uint64_t mask = UINT64_C(0x000000ff000000ff);
    t = t * 10 + (t >> 8);
    return ((t & mask) * UINT64_C(0x000f424000000064) + (t >> 16 & mask) * UINT64_C(0x0000271000000001)) >> 32;
}

/* Read the number at p, of which 24 bytes can be read. Returns its length: 0 when it is none that this function takes,
 * which are those without digits, with a leading zero, or with more than 16 digits. */
static inline unsigned ksda_i_read_number(const char *p, uint64_t *number) {
    static const uint32_t power[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    uint64_t t = ksda_i_load8(p) ^ UINT64_C(0x3030303030303030);
    unsigned length = ksda_i_digit_count(t);
    if (length < 8) { /* push the digits to the top: zeros come in below, which are leading zeros */
        if (length == 0 || ((t & 255) == 0 && length > 1)) return 0;
        *number = ksda_i_eight_digits((t << 8) << (56 - 8 * length));
        return length;
    }
    uint64_t high = ksda_i_eight_digits(t), u = ksda_i_load8(p + 8) ^ UINT64_C(0x3030303030303030);
    unsigned more = ksda_i_digit_count(u);
    if ((t & 255) == 0 || (more == 8 && (unsigned char)(p[16] - '0') < 10)) return 0;
    *number = high * power[more] + ksda_i_eight_digits(more == 8 ? u : (u << 8) << (56 - 8 * more));
    return 8 + more;
}

#endif
