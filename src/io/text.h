/* text.h: walking through a text in memory, and saying where in it something is wrong. For the formats whose readers
 * see the whole text at once. Lines and columns are counted only when there is an error to report. */
#ifndef KSDA_I_TEXT_H
#define KSDA_I_TEXT_H

#include "core/ctx.h"

typedef struct ksda_i_text {
    ksda_ctx *ctx;
    const char *name; /* of the source, for messages */
    const char *begin, *at, *end;
} ksda_i_text;

/* KSDA_PARSE at a place in the text, which may be its end. */
ksda_status ksda_i_text_error(const ksda_i_text *t, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* How far the reading is; KSDA_INTERRUPTED: stop. */
ksda_status ksda_i_text_progress(const ksda_i_text *t);

/* A string for a message: in quotes, cut, and with odd bytes escaped. */
#define KSDA_I_SHOWN 64
const char *ksda_i_show(const char *text, size_t length, char buffer[KSDA_I_SHOWN]);
/* The word that stands at a place, shown so; or "the end of the line" or "the end of the file". */
const char *ksda_i_text_show(const ksda_i_text *t, const char *place, char buffer[KSDA_I_SHOWN]);

/* Over blanks, but not over the end of the line. */
static inline void ksda_i_text_blanks(ksda_i_text *t) {
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\t' || *t->at == '\r')) t->at++;
}

static inline bool ksda_i_text_line_done(const ksda_i_text *t) {
    return t->at == t->end || *t->at == '\n';
}

/* Over the rest of the line and its end. */
static inline void ksda_i_text_next_line(ksda_i_text *t) {
    const char *newline = t->at < t->end ? memchr(t->at, '\n', (size_t)(t->end - t->at)) : NULL;
    t->at = newline ? newline + 1 : t->end;
}

/* Is this where a word ends? */
static inline bool ksda_i_text_word_done(const ksda_i_text *t) {
    return t->at == t->end || *t->at == ' ' || *t->at == '\t' || *t->at == '\r' || *t->at == '\n';
}

/* A whole number that fits 64 bits, and the word ends after it. On false, at has not moved. */
static inline bool ksda_i_text_number(ksda_i_text *t, uint64_t *number) {
    const char *start = t->at;
    uint64_t value = 0;
    while (t->at < t->end && (unsigned char)(*t->at - '0') <= 9) {
        unsigned digit = (unsigned char)(*t->at - '0');
        if (value > (UINT64_MAX - digit) / 10) break;
        value = value * 10 + digit;
        t->at++;
    }
    *number = value;
    if (t->at > start && ksda_i_text_word_done(t)) return true;
    t->at = start;
    return false;
}

/* The length of the well-formed UTF-8 character at the start of these bytes (size > 0), or 0. code may be NULL. */
size_t ksda_i_utf8(const char *text, size_t size, uint32_t *code);
/* The other way: the character into out, [4]; returns how many bytes it has. */
size_t ksda_i_utf8_put(uint32_t code, char *out);

/* Over a number of any kind (a weight, whose value does not matter). On false, at has not moved. */
bool ksda_i_text_skip_number(ksda_i_text *t);

#endif
