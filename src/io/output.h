/* output.h: a buffered output that appears whole or not at all. */
#ifndef KSDA_I_OUTPUT_H
#define KSDA_I_OUTPUT_H

#include "graph/ids.h"

typedef struct ksda_i_output ksda_i_output;

/* Open for writing; "-" is standard output. Other paths are written under a temporary name beside the target and
 * renamed by commit; special files (/dev/full, a pipe) are written directly. A link is followed: what it points to is
 * replaced. private_file: mode 0600; else an existing file keeps its mode and a new one honours the umask. A path
 * ending in .gz or .zst is compressed. KSDA_IO names the path and the reason. */
ksda_status ksda_i_output_open(ksda_ctx *ctx, const char *path, bool private_file, ksda_i_output **out);
/* Append bytes. Errors are remembered and told by commit, so calls in a loop need no check of their own. */
void ksda_i_output_write(ksda_i_output *out, const void *data, size_t size);
void ksda_i_output_text(ksda_i_output *out, const char *text);
void ksda_i_output_number(ksda_i_output *out, uint64_t number);
void ksda_i_output_id(ksda_i_output *out, const ksda_i_ids *ids, uint32_t item); /* its name, as it stands */
void ksda_i_output_format(ksda_i_output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Flush, check and close, but keep the temporary name: a commit that follows has only the renaming left. Finishing all
 * outputs of a command before committing any makes them appear together or not at all. Errors are told here; after one,
 * abandon. */
ksda_status ksda_i_output_finish(ksda_i_output *out);
/* Flush, check, rename. Frees out whatever happens; after a failure the old file, or none, is there. */
ksda_status ksda_i_output_commit(ksda_i_output *out);
/* An output that goes to memory, uncompressed; ended by take, which hands out the bytes (to be freed; NULL when there
 * are none) and frees out whatever happens. */
ksda_status ksda_i_output_memory(ksda_ctx *ctx, ksda_i_output **out);
ksda_status ksda_i_output_take(ksda_i_output *out, char **data, size_t *size);
/* Forget it: remove the temporary file and free. NULL is fine. */
void ksda_i_output_abandon(ksda_i_output *out);
/* Remove the temporary files of all open outputs: async-signal-safe, for an interrupt handler that is about to exit. */
void ksda_i_output_abandon_all(void);

#endif
