/* encoding.h: text in other encodings, on its way to readers that know UTF-8 only. */
#ifndef KSDA_I_ENCODING_H
#define KSDA_I_ENCODING_H

#include "core/ctx.h"

typedef enum ksda_i_encoding {
    KSDA_I_UTF_8,
    KSDA_I_LATIN_1,
    KSDA_I_WINDOWS_1252,
    KSDA_I_UTF_16 /* in the order that a mark at its beginning says, or else the zeros of ASCII characters */
} ksda_i_encoding;

/* By name; NULL is UTF-8. KSDA_INVALID: no encoding is called so. */
ksda_status ksda_i_encoding_find(ksda_ctx *ctx, const char *name, ksda_i_encoding *out);

/* Is this text in 16 or 32 bits a character, by a mark or by the zeros of ASCII characters? */
bool ksda_i_is_utf16(const unsigned char *first, size_t size);

/* The state between two pieces of a text. */
typedef struct ksda_i_recoder {
    ksda_i_encoding encoding;
    bool begun, big; /* UTF-16: the order of its bytes is known; the higher one comes first */
    unsigned char rest[4];
    size_t rest_size; /* bytes of a character that the last piece began */
    uint64_t done;    /* bytes read before */
} ksda_i_recoder;

enum {
    KSDA_I_RECODED = 3 /* bytes of UTF-8 that a byte may become */
};

/* Turn the next bytes into UTF-8. out: [KSDA_I_RECODED * (size + 4)]; *used: how much of it. size 0: the text ends.
 * KSDA_PARSE: they are no text in this encoding; name is that of the source. */
ksda_status ksda_i_recode(ksda_ctx *ctx, ksda_i_recoder *r, const char *name, const char *data, size_t size, char *out,
                          size_t *used);

#endif
