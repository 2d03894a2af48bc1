/* source.h: bytes from a file, a compressed file, standard input or memory, all alike to the readers. */
#ifndef KSDA_I_SOURCE_H
#define KSDA_I_SOURCE_H

#include "core/ctx.h"
#include "io/text.h"

typedef struct ksda_i_source ksda_i_source;

/* Open a path; "-" is standard input. What it holds is told by its first bytes: gzip and zstd are unpacked as they are
 * read, and a byte order mark is passed over. KSDA_IO names the path and the reason (absent, unreadable, a directory).
 */
ksda_status ksda_i_source_open(ksda_ctx *ctx, const char *path, ksda_i_source **out);
/* The same for bytes that are no text and may look like anything: compressed only where the name ends in .gz or .zst.
 */
ksda_status ksda_i_source_open_bytes(ksda_ctx *ctx, const char *path, ksda_i_source **out);
/* The same for a text in another encoding (NULL: UTF-8), which is recoded as it is read; one that begins with the mark
 * of UTF-8 is not. KSDA_INVALID: no encoding is called so. */
ksda_status ksda_i_source_open_text(ksda_ctx *ctx, const char *path, const char *encoding, ksda_i_source **out);
/* Read from memory, which is borrowed; name stands in messages. For tests and fuzzers. */
ksda_status ksda_i_source_memory(ksda_ctx *ctx, const char *name, const void *data, size_t size, ksda_i_source **out);
ksda_status ksda_i_source_memory_bytes(ksda_ctx *ctx, const char *name, const void *data, size_t size,
                                       ksda_i_source **out);
void ksda_i_source_close(ksda_ctx *ctx, ksda_i_source *source);

const char *ksda_i_source_name(const ksda_i_source *source); /* as the user gave it; "<stdin>" for "-" */

/* The first bytes, at most 64 KiB, without consuming them: to tell the format by. */
ksda_status ksda_i_source_peek(ksda_i_source *source, const char **data, size_t *size);
/* Read up to capacity bytes; *size is 0 at the end. A truncated or damaged compressed file is KSDA_PARSE. */
ksda_status ksda_i_source_read(ksda_i_source *source, char *buffer, size_t capacity, size_t *size);
/* All bytes if they are already in memory or mapped (a plain file, nothing consumed yet), else NULL: for parsers that
 * cut the input into pieces for several threads. */
const char *ksda_i_source_mapped(ksda_i_source *source, size_t *size);
/* Everything that is left as one block, whatever the source: mapped, or read into memory owned by the source. */
ksda_status ksda_i_source_whole(ksda_i_source *source, const char **data, size_t *size);
/* The same as a text, from its beginning; its name and context are there already. */
ksda_status ksda_i_source_text(ksda_i_source *source, ksda_i_text *t);
/* The next block of some ten MiB that ends at a line end or at the end of the input; *size is 0 when nothing is left.
 * For the line formats: only the block is in memory (or mapped). A block without any line end is one line that is far
 * too long. */
ksda_status ksda_i_source_block(ksda_i_source *source, const char **data, size_t *size);
/* Where several processes read together: pass over the first lines, and from there on show only the rank-th of count
 * shares of about the same length. A line belongs to the share that it begins in. KSDA_UNSUPPORTED: no plain file. */
ksda_status ksda_i_source_share(ksda_i_source *source, uint64_t lines, uint32_t rank, uint32_t count);
/* The same for records of that many bytes. */
ksda_status ksda_i_source_share_records(ksda_i_source *source, size_t record, uint32_t rank, uint32_t count);
/* These mapped bytes are not needed any more: their pages need not stay in memory. Safe from any thread. */
void ksda_i_source_forget(ksda_i_source *source, const char *data, size_t size);
/* Bytes of the file taken so far, and in all (0: unknown); compressed files count as they lie on disk. For progress. */
void ksda_i_source_position(const ksda_i_source *source, uint64_t *done, uint64_t *total);

#endif
