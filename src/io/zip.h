/* zip.h: the members of a zip archive in memory, stored or deflated, zip64 too. */
#ifndef KSDA_I_ZIP_H
#define KSDA_I_ZIP_H

#include "io/source.h"

typedef struct ksda_i_zip {
    ksda_ctx *ctx;
    const char *name; /* of the source, for messages */
    const char *data;
    size_t size;
    const char *directory, *directory_end;
} ksda_i_zip;

typedef struct ksda_i_zip_member {
    const char *data; /* all of it; NULL: the archive has none of that name */
    size_t size;
    char *owned; /* to be freed */
} ksda_i_zip_member;

/* KSDA_PARSE at a place in the archive. */
ksda_status ksda_i_zip_error(const ksda_i_zip *zip, const char *place, const char *what);
/* Find the directory of the archive, which is all that the source has left. */
ksda_status ksda_i_zip_open(ksda_ctx *ctx, ksda_i_source *source, ksda_i_zip *zip);
/* Unpack a member and check it. */
ksda_status ksda_i_zip_read(const ksda_i_zip *zip, const char *name, ksda_i_zip_member *member);

/* Little-endian numbers of 1 to 8 bytes. */
static inline uint64_t ksda_i_zip_number(const char *at, unsigned bytes) {
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++) number |= (uint64_t)(unsigned char)at[i] << (8 * i);
    return number;
}

#endif
