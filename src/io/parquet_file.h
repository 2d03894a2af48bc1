/* parquet_file.h: what a Parquet file says about itself: its columns, row groups, and where their pages lie. */
#ifndef KSDA_I_PARQUET_FILE_H
#define KSDA_I_PARQUET_FILE_H

#include "io/source.h"

#define KSDA_I_PARQUET_MAGIC "PAR1"

typedef enum ksda_i_parquet_type {
    KSDA_I_PARQUET_BOOLEAN,
    KSDA_I_PARQUET_INT32,
    KSDA_I_PARQUET_INT64,
    KSDA_I_PARQUET_INT96,
    KSDA_I_PARQUET_FLOAT,
    KSDA_I_PARQUET_DOUBLE,
    KSDA_I_PARQUET_BYTE_ARRAY,
    KSDA_I_PARQUET_FIXED
} ksda_i_parquet_type;

/* A column of the table, as its users see it: one that stands at the top of the schema. */
typedef struct ksda_i_parquet_column {
    const char *name;
    size_t length;
    ksda_i_parquet_type type;
    const char *other; /* what it holds, if that cannot be read: "DOUBLE", "a list"; NULL: whole numbers or text */
    bool is_unsigned, optional;
    uint32_t leaf; /* which chunk of a row group */
} ksda_i_parquet_column;

/* The pages of one column in one row group. */
typedef struct ksda_i_parquet_chunk {
    uint64_t offset, size, values;
    int32_t type, codec;
    bool encrypted, elsewhere; /* in another file */
} ksda_i_parquet_chunk;

typedef struct ksda_i_parquet {
    ksda_ctx *ctx;
    const char *name; /* of the source, for messages */
    const char *data;
    size_t size;
    uint64_t rows;
    ksda_i_parquet_column *column;
    uint32_t columns, leaves, groups;
    uint64_t *group_rows;        /* [groups] */
    ksda_i_parquet_chunk *chunk; /* [groups * leaves] */
} ksda_i_parquet;

/* Read the footer. KSDA_PARSE names the offset and what was expected there; KSDA_UNSUPPORTED: encrypted. */
ksda_status ksda_i_parquet_open(ksda_ctx *ctx, ksda_i_source *source, ksda_i_parquet *file);
void ksda_i_parquet_close(ksda_i_parquet *file);

/* KSDA_PARSE at a place in the file. */
ksda_status ksda_i_parquet_error(const ksda_i_parquet *file, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether so much may come out of so many bytes of the file: a small file does not get much memory, whatever it says.
 */
bool ksda_i_parquet_plausible(uint64_t wanted, uint64_t bytes);

#endif
