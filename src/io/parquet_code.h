/* parquet_code.h: the encodings of whole numbers in Parquet files. All of them stop before the end of the bytes, and
 * hand back where they stopped, or NULL when the bytes are damaged. */
#ifndef KSDA_I_PARQUET_CODE_H
#define KSDA_I_PARQUET_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs and bit-packed groups of numbers of `width` bits, 32 at most, exactly count of them. */
const char *ksda_i_parquet_hybrid(const char *at, const char *end, unsigned width, uint64_t count, uint32_t *out);
/* DELTA_BINARY_PACKED: exactly count numbers. */
const char *ksda_i_parquet_delta(const char *at, const char *end, uint64_t count, uint64_t *out);

#endif
