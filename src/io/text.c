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

ksda_status ksda_i_text_progress(const ksda_i_text *t) {
    return ksda_i_progress(t->ctx, "reading", (uint64_t)(t->at - t->begin), (uint64_t)(t->end - t->begin));
}

static bool ends_word(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

const char *ksda_i_show(const char *text, size_t length, char buffer[KSDA_I_SHOWN]) {
    size_t used = 0, step;
    buffer[used++] = '\'';
    for (size_t i = 0; i < length; i += step) {
        unsigned char c = (unsigned char)text[i];
        if (used > KSDA_I_SHOWN - 10) {
            used += (size_t)sprintf(buffer + used, "...");
            break;
        }
        step = ksda_i_utf8(text + i, length - i, NULL);
        if (step > 0 && c >= ' ' && c != 127) {
            memcpy(buffer + used, text + i, step);
            used += step;
        } else {
            used += (size_t)sprintf(buffer + used, "\\x%02x", c);
            step = 1;
        }
    }
    buffer[used++] = '\'';
    buffer[used] = '\0';
    return buffer;
}

const char *ksda_i_text_show(const ksda_i_text *t, const char *place, char buffer[KSDA_I_SHOWN]) {
    const char *end = place;
    if (place >= t->end) return "the end of the file";
    if (*place == '\n' || *place == '\r') return "the end of the line";
    while (end < t->end && !ends_word(*end) && end - place < KSDA_I_SHOWN) end++;
    return ksda_i_show(place, (size_t)(end - place), buffer);
}

size_t ksda_i_utf8(const char *text, size_t size, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)text[0];
    size_t length = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : 0;
    if (length == 0 || length > size) return 0;
    uint32_t value = length == 1 ? lead : lead & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80) return 0;
        value = value << 6 | ((unsigned char)text[i] & 0x3f);
    }
    if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 0;
    if (code) *code = value;
    return length;
}

size_t ksda_i_utf8_put(uint32_t code, char *out) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)((0xf00u >> length & 0xf0u) | code);
    return length;
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
