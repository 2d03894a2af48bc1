/* Latin-1, Windows-1252 and UTF-16 become UTF-8, piece by piece. Time O(bytes), no memory. */
#include "io/encoding.h"

#include "io/text.h"

#include <strings.h>

/* What Windows-1252 has where Latin-1 has control characters, 0x80 to 0x9f; 0: nothing. */
static const uint16_t windows[32] = {0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                     0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017d, 0,
                                     0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                     0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

ksda_status ksda_i_encoding_find(ksda_ctx *ctx, const char *name, ksda_i_encoding *out) {
    static const struct {
        const char *name;
        ksda_i_encoding encoding;
    } known[] = {{"utf-8", KSDA_I_UTF_8},         {"latin-1", KSDA_I_LATIN_1},
                 {"iso-8859-1", KSDA_I_LATIN_1},  {"windows-1252", KSDA_I_WINDOWS_1252},
                 {"cp1252", KSDA_I_WINDOWS_1252}, {"utf-16", KSDA_I_UTF_16}};
    *out = KSDA_I_UTF_8;
    if (!name) return KSDA_OK;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcasecmp(name, known[i].name) == 0) {
            *out = known[i].encoding;
            return KSDA_OK;
        }
    return ksda_i_error(ctx, KSDA_INVALID, "no encoding '%s' is known: utf-8, latin-1, windows-1252 or utf-16", name);
}

bool ksda_i_is_utf16(const unsigned char *first, size_t size) {
    if (size >= 2 && ((first[0] == 0xff && first[1] == 0xfe) || (first[0] == 0xfe && first[1] == 0xff))) return true;
    return size >= 4 && (first[0] == 0) != (first[1] == 0) && (first[0] == 0) == (first[2] == 0) &&
           (first[1] == 0) == (first[3] == 0);
}

/* --- one byte a character ---------------------------------------------------------------------------------------- */

static ksda_status recode_bytes(ksda_ctx *ctx, ksda_i_recoder *r, const char *name, const unsigned char *data,
                                size_t size, char *out, size_t *used) {
    for (size_t i = 0; i < size; i++) {
        uint32_t code = data[i];
        if (r->encoding == KSDA_I_WINDOWS_1252 && code >= 0x80 && code < 0xa0) code = windows[code - 0x80];
        if (code == 0 && data[i] != 0)
            return ksda_i_error_at(ctx, KSDA_PARSE, name, 0, 0,
                                   "byte %llu, 0x%02x, stands for nothing in Windows-1252: --encoding is another",
                                   (unsigned long long)(r->done + i + 1), data[i]);
        *used += ksda_i_utf8_put(code, out + *used);
    }
    r->done += size;
    return KSDA_OK;
}

/* --- two or four bytes a character ------------------------------------------------------------------------------- */

/* The order of the bytes; returns how many of them a mark takes. */
static ksda_status begin_utf16(ksda_ctx *ctx, ksda_i_recoder *r, const char *name, const unsigned char *data,
                               size_t size, size_t *mark) {
    *mark = 0;
    r->begun = true;
    if (size == 0) return KSDA_OK;
    if (!ksda_i_is_utf16(data, size))
        return ksda_i_error_at(ctx, KSDA_PARSE, name, 1, 1, "this is not UTF-16: --encoding is another");
    r->big = data[0] == 0xfe || data[0] == 0;
    *mark = data[0] >= 0xfe ? 2 : 0;
    return KSDA_OK;
}

static uint32_t code_unit(const ksda_i_recoder *r, const unsigned char *at) {
    return r->big ? (uint32_t)at[0] << 8 | at[1] : (uint32_t)at[1] << 8 | at[0];
}

/* The character at the front of these bytes: how many it has, 0 where there are too few; -1 where it is none. */
static int utf16_character(const ksda_i_recoder *r, const unsigned char *at, size_t size, uint32_t *code) {
    if (size < 2) return 0;
    *code = code_unit(r, at);
    if (*code < 0xd800 || *code > 0xdfff) return 2;
    if (*code > 0xdbff) return -1;
    if (size < 4) return 0;
    uint32_t low = code_unit(r, at + 2);
    if (low < 0xdc00 || low > 0xdfff) return -1;
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    return 4;
}

static ksda_status bad_utf16(ksda_ctx *ctx, const ksda_i_recoder *r, const char *name) {
    return ksda_i_error_at(ctx, KSDA_PARSE, name, 0, 0, "byte %llu is not the beginning of a character in UTF-16",
                           (unsigned long long)r->done + 1);
}

static ksda_status recode_utf16(ksda_ctx *ctx, ksda_i_recoder *r, const char *name, const unsigned char *data,
                                size_t size, char *out, size_t *used) {
    ksda_status status = KSDA_OK;
    uint32_t code;
    int length;
    size_t at = 0;
    if (!r->begun) KSDA_I_TRY(begin_utf16(ctx, r, name, data, size, &at));
    r->done += at;
    while (r->rest_size > 0 && at < size) { /* a character that the last piece began */
        r->rest[r->rest_size++] = data[at++];
        length = utf16_character(r, r->rest, r->rest_size, &code);
        if (length < 0) return bad_utf16(ctx, r, name);
        if (length == 0) continue;
        *used += ksda_i_utf8_put(code, out + *used);
        r->done += r->rest_size;
        r->rest_size = 0;
    }
    while ((length = utf16_character(r, data + at, size - at, &code)) > 0) {
        *used += ksda_i_utf8_put(code, out + *used);
        at += (size_t)length;
        r->done += (size_t)length;
    }
    if (length < 0 || (size == 0 && r->rest_size > 0)) return bad_utf16(ctx, r, name);
    for (; at < size; at++) r->rest[r->rest_size++] = data[at];
done:
    return status;
}

ksda_status ksda_i_recode(ksda_ctx *ctx, ksda_i_recoder *r, const char *name, const char *data, size_t size, char *out,
                          size_t *used) {
    const unsigned char *bytes = (const unsigned char *)data;
    *used = 0;
    return r->encoding == KSDA_I_UTF_16 ? recode_utf16(ctx, r, name, bytes, size, out, used)
                                        : recode_bytes(ctx, r, name, bytes, size, out, used);
}
