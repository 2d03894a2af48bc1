/* Places in a text, and what stands there. */
#include "io/text.h"

#include <stdarg.h>
#include <stdio.h>

ksda_status ksda_i_text_error(const ksda_i_text *t, const char *place, const char *format, ...) {
    uint64_t line = 1;
    const char *start = t->begin;
    char message[512];
    va_list arguments;
    for (const char *newline; start < place && (newline = memchr(start, '\n', (size_t)(place - start)));) {
        start = newline + 1;
        line++;
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return ksda_i_error_at(t->ctx, KSDA_PARSE, t->name, line, (uint64_t)(place - start) + 1, "%s", message);
}

static bool ends_word(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

const char *ksda_i_text_show(const ksda_i_text *t, const char *place, char buffer[KSDA_I_SHOWN]) {
    size_t used = 0;
    if (place >= t->end) return "the end of the file";
    if (*place == '\n' || *place == '\r') return "the end of the line";
    buffer[used++] = '\'';
    for (; place < t->end && !ends_word(*place); place++) {
        unsigned char c = (unsigned char)*place;
        if (used > KSDA_I_SHOWN - 10) {
            used += (size_t)sprintf(buffer + used, "...");
            break;
        }
        if (c < ' ' || c >= 127)
            used += (size_t)sprintf(buffer + used, "\\x%02x", c);
        else
            buffer[used++] = (char)c;
    }
    buffer[used++] = '\'';
    buffer[used] = '\0';
    return buffer;
}

static bool skip_digits(ksda_i_text *t) {
    const char *start = t->at;
    while (t->at < t->end && (unsigned char)(*t->at - '0') <= 9) t->at++;
    return t->at > start;
}

bool ksda_i_text_skip_number(ksda_i_text *t) {
    const char *start = t->at;
    bool digits;
    if (t->at < t->end && (*t->at == '+' || *t->at == '-')) t->at++;
    digits = skip_digits(t);
    if (t->at < t->end && *t->at == '.') {
        t->at++;
        digits |= skip_digits(t);
    }
    if (digits && t->at < t->end && (*t->at == 'e' || *t->at == 'E')) {
        t->at++;
        if (t->at < t->end && (*t->at == '+' || *t->at == '-')) t->at++;
        digits = skip_digits(t);
    }
    if (digits && ksda_i_text_word_done(t)) return true;
    t->at = start;
    return false;
}
