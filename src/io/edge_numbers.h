/* edge_numbers.h: lines of two plain numbers, read eight bytes at a time. The inner loop of loading. */
#ifndef KSDA_I_EDGE_NUMBERS_H
#define KSDA_I_EDGE_NUMBERS_H

#include "io/digits.h"
#include "io/fields.h"

typedef struct ksda_i_cursor {
    const char *at;
    uint64_t edges, lines, empty;
} ksda_i_cursor;

static inline void ksda_i_store_pair(void *pairs, bool wide, uint64_t i, uint64_t u, uint64_t v) {
    if (wide)
        ((uint64_t *)pairs)[2 * i] = u, ((uint64_t *)pairs)[2 * i + 1] = v;
    else
        ((uint32_t *)pairs)[2 * i] = (uint32_t)u, ((uint32_t *)pairs)[2 * i + 1] = (uint32_t)v;
}

/* The end of the line behind `fields` further fields, none of them quoted; NULL: it is not as simple as that. */
static inline const char *ksda_i_pass_fields(const char *q, const char *end, char separator, char other,
                                             unsigned fields) {
    unsigned seen = 0;
    bool inside = false;
    for (; q < end && *q != '\n'; q++) {
        bool between = *q == separator || *q == other;
        if (*q == '"' || *q == '{' || (*q == '\r' && (q + 1 == end || q[1] != '\n'))) return NULL;
        if (separator != other) { /* runs of blanks */
            seen += !between && !inside && *q != '\r';
            inside = !between;
        } else {
            seen += between;
        }
    }
    return q < end && seen == fields ? q : NULL;
}

/* Read lines of the shape "number separator number", and then a line end or so many further columns, as long as they
 * come. Leaves c at the beginning of the first line of any other shape, or at stop. */
static inline void ksda_i_number_lines(ksda_i_cursor *c, const char *stop, const char *end, char separator, char other,
                                       void *pairs, bool wide, unsigned extras) {
    const char *p = c->at;
    uint64_t edges = c->edges, lines = c->lines;
    while (p < stop) {
        uint64_t u, v;
        unsigned length = ksda_i_read_number(p, &u);
        const char *q = p + length;
        if (length == 0 || (*q != separator && *q != other)) break;
        length = ksda_i_read_number(q + 1, &v);
        q += length + 1;
        if (length == 0 || (!wide && (u | v) > UINT32_MAX)) break;
        if (*q != '\n') {
            if (*q == '\r' && q[1] == '\n') {
                q++;
            } else if (extras && (*q == separator || *q == other)) { /* weights, times: not ours */
                q = ksda_i_pass_fields(q, end, separator, other, extras);
                if (!q || (size_t)(q - p) > KSDA_I_MAX_LINE) break;
            } else {
                break;
            }
        }
        ksda_i_store_pair(pairs, wide, edges++, u, v);
        lines++;
        p = q + 1;
    }
    c->at = p, c->edges = edges, c->lines = lines;
}

#endif
