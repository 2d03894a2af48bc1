/* parquet_page.h: the values of one column of a row group, page by page. */
#ifndef KSDA_I_PARQUET_PAGE_H
#define KSDA_I_PARQUET_PAGE_H

#include "io/parquet_file.h"

typedef struct ksda_i_parquet_text {
    const char *text;
    uint32_t length;
} ksda_i_parquet_text;

/* The rows of the page that was read last. Which arrays are there depends on the column: numbers, or texts. */
typedef struct ksda_i_parquet_cursor {
    const ksda_i_parquet *file;
    const ksda_i_parquet_column *column;
    const ksda_i_parquet_chunk *chunk;
    uint64_t rows;              /* of this page */
    uint64_t *number;           /* [rows] of numbers; those of signed columns may be negative */
    uint32_t *index;            /* [rows] of texts: into text */
    ksda_i_parquet_text *text;  /* those of the dictionary first, which stay the same until the chunk ends */
    uint64_t texts, dictionary; /* how many; how many of them are the dictionary's */
    unsigned char *null;        /* [rows] not 0 where there is no value; NULL: all have one */

    /* inside */
    const char *at, *end;                 /* pages that follow */
    uint64_t left;                        /* rows that follow */
    uint64_t *dictionary_number;          /* of numbers */
    char *page, *dictionary_page, *arena; /* unpacked */
    uint64_t page_capacity, dictionary_capacity, arena_capacity;
    uint64_t number_capacity, index_capacity, text_capacity, level_capacity, dictionary_numbers, scratch_capacity;
    unsigned char *level;
    uint32_t *scratch;
} ksda_i_parquet_cursor;

/* At the first page of that column in that row group. The cursor is all zeros, or was used before. */
ksda_status ksda_i_parquet_start(const ksda_i_parquet *file, const ksda_i_parquet_column *column, uint32_t group,
                                 ksda_i_parquet_cursor *c);
/* The next page that has rows; rows is 0 when there is none. */
ksda_status ksda_i_parquet_next(ksda_i_parquet_cursor *c);
void ksda_i_parquet_stop(ksda_ctx *ctx, ksda_i_parquet_cursor *c);

#endif
