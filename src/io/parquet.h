/* parquet.h: Parquet files as tables of which two columns matter: the ends of an edge, or a vertex and its community.
 */
#ifndef KSDA_I_PARQUET_H
#define KSDA_I_PARQUET_H

#include "io/header.h"

bool ksda_i_sniff_parquet(const char *data, size_t size);

/* One row: the two fields as text, empty where there is no value. */
typedef ksda_status (*ksda_i_parquet_row)(void *payload, uint64_t row, ksda_i_field field[2]);
/* Read two columns, those of the wish or those with known words, row by row. The reading tells which. */
ksda_status ksda_i_parquet_rows(ksda_ctx *ctx, ksda_i_source *source, const ksda_i_wish *wish, ksda_i_parquet_row fn,
                                void *payload, ksda_reading *reading);

/* A table of two columns, written row by row: items of two sets of ids, as numbers where all are. */
typedef struct ksda_i_parquet_writer ksda_i_parquet_writer;
ksda_status ksda_i_parquet_create(ksda_ctx *ctx, const char *const name[2], const ksda_i_ids *const ids[2],
                                  ksda_i_output *out, ksda_i_parquet_writer **writer);
ksda_status ksda_i_parquet_add(ksda_i_parquet_writer *writer, uint32_t one, uint32_t two);
/* Write what is left, and the footer, unless something failed before. Frees the writer. */
ksda_status ksda_i_parquet_finish(ksda_i_parquet_writer *writer, ksda_status status);

#endif
