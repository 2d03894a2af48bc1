/* fuzz.h: what the fuzz targets share. A target defines LLVMFuzzerTestOneInput(); libFuzzer or replay.c calls it. */
#ifndef FUZZ_H
#define FUZZ_H

#include "io/formats.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The context of all runs of this program. */
ksda_ctx *fuzz_ctx(void);
/* Abort, so that the fuzzer keeps the input. */
void fuzz_require(bool holds, const char *what);
/* Abort unless the graph is what ksda_graph promises. */
void fuzz_check_graph(const ksda_graph *g);

/* A path under which the bytes can be opened; fuzz_close() when done. */
typedef struct fuzz_file {
    int fd;
    char path[32];
} fuzz_file;
fuzz_file fuzz_open(const void *data, size_t size);
void fuzz_close(fuzz_file file);

/* Read the bytes with a format. What it accepts must be a sound graph that is written (some names cannot be) and read
 * again as the same graph with the same communities; what it refuses must come with a status, a message and no graph.
 * attribute: as for the reader. A format that is only read is not written. */
void fuzz_format(const ksda_i_format *row, const char *attribute, const uint8_t *data, size_t size);
/* The same; name: the attribute that vertices are called by, or NULL. */
void fuzz_format_named(const ksda_i_format *row, const char *attribute, const char *name, const uint8_t *data,
                       size_t size);

#endif
