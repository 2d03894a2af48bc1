/* output.h: a buffered output that appears whole or not at all. */
#ifndef KSDA_I_OUTPUT_H
#define KSDA_I_OUTPUT_H

#include "graph/ids.h"

#include <limits.h>

typedef struct ksda_i_output ksda_i_output;

enum {
    KSDA_I_MOST_OUTPUTS = 8 /* that can be committed together */
};

/* Open for writing; "-" is standard output. Other paths are written under a temporary name beside the target and
 * renamed by commit; special files (/dev/full, a pipe) are written directly. A link is followed: what it points to is
 * replaced. private_file: mode 0600; else an existing file keeps its mode and a new one honours the umask. A path
 * ending in .gz or .zst is compressed. KSDA_IO names the path and the reason. */
ksda_status ksda_i_output_open(ksda_ctx *ctx, const char *path, bool private_file, ksda_i_output **out);
/* A folder for parts (parts.h), which somebody else fills: made under a temporary name and renamed by commit, together
 * with other outputs. The path may end in "/". Its files must be on the disk before commit. KSDA_IO: it is there
 * already. private_file: mode 0700. */
ksda_status ksda_i_output_folder(ksda_ctx *ctx, const char *path, bool private_file, ksda_i_output **out);
/* A stretch, from byte `at` on, of the temporary file that another process has opened as the output `path` and settled:
 * commit has it on the disk, and leaves the renaming, as abandon the removing, to that process. */
ksda_status ksda_i_output_stretch(ksda_ctx *ctx, const char *path, const char *temporary, uint64_t at,
                                  ksda_i_output **out);
/* Append bytes. Errors are remembered and told by commit, so calls in a loop need no check of their own. */
void ksda_i_output_write(ksda_i_output *out, const void *data, size_t size);
void ksda_i_output_text(ksda_i_output *out, const char *text);
void ksda_i_output_number(ksda_i_output *out, uint64_t number);
void ksda_i_output_id(ksda_i_output *out, const ksda_i_ids *ids, uint32_t item); /* its name, as it stands */
void ksda_i_output_format(ksda_i_output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What it is called; "" in memory. */
const char *ksda_i_output_path(const ksda_i_output *out);
/* What was to be written could not be made: as if writing it had failed with that errno. */
void ksda_i_output_fail(ksda_i_output *out, int error);
/* Nothing more will be written: flush and close a file that commit will rename, so that it can be read back under its
 * temporary name before. NULL for what is written directly. */
ksda_status ksda_i_output_settle(ksda_i_output *out, const char **temporary);
bool ksda_i_output_is_private(const ksda_i_output *out);
bool ksda_i_output_is_packed(const ksda_i_output *out);
/* Flush, check, rename. Frees out whatever happens; after a failure the old file, or none, is there. */
ksda_status ksda_i_output_commit(ksda_i_output *out);
/* The same for several: all of them get their names, private files first, or none. They are freed by abandon, after a
 * success as well. When a failure could not be undone, the fates of the outputs tell what is where. */
ksda_status ksda_i_outputs_commit(ksda_i_output **out, size_t count);
/* "PATH: new; the old file is PATH.ksda-old" and the like. False when nothing is but as it was before. */
bool ksda_i_output_fate(const ksda_i_output *out, char *text, size_t size);
/* Is there an old file of that path that a command left when it was killed while it replaced several? */
bool ksda_i_output_left_over(const char *path, char old[PATH_MAX]);
#define KSDA_I_LEFT_OVER                                                                                               \
    "cannot be written: %s is there, left by a run that was killed while it replaced files; see FILES in ksda(1)"
/* An output that goes to memory, uncompressed; ended by take, which hands out the bytes (to be freed; NULL when there
 * are none) and frees out whatever happens. */
ksda_status ksda_i_output_memory(ksda_ctx *ctx, ksda_i_output **out);
ksda_status ksda_i_output_take(ksda_i_output *out, char **data, size_t *size);
/* Forget it: remove the temporary file and free. NULL is fine. */
void ksda_i_output_abandon(ksda_i_output *out);
/* Remove the temporary files of all open outputs: async-signal-safe, for an interrupt handler that is about to exit. */
void ksda_i_output_abandon_all(void);

#endif
