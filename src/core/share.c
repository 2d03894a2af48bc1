/* Shares as exact fractions. */
#include "core/ctx.h"

#include <ctype.h>

#define DECIMALS 9u /* 10^9 is the largest power of ten in 32 bits */

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

/* Digits from *text on, which is moved behind them. False where there are none or too many. */
static bool digits(const char **text, uint64_t *value) {
    const char *begin = *text;
    for (; isdigit((unsigned char)**text); ++*text) {
        *value = 10 * *value + (uint64_t)(**text - '0');
        if (*value > UINT32_MAX) return false;
    }
    return *text > begin;
}

int ksda_share_from_text(const char *text, ksda_share *out) {
    uint64_t part = 0, whole = 1;
    bool started = digits(&text, &part);
    if (*text == '/') {
        whole = 0, text++;
        if (!started || !digits(&text, &whole)) return 0;
    } else if (*text == '.') {
        const char *point = ++text;
        if (part > 1 || (!digits(&text, &part) && !started) || text - point > DECIMALS) return 0;
        while (point++ < text) whole *= 10;
    } else if (!started) {
        return 0;
    }
    if (*text || part == 0 || part > whole) return 0;
    uint64_t common = common_divisor(part, whole);
    *out = (ksda_share){(uint32_t)(part / common), (uint32_t)(whole / common)};
    return 1;
}
