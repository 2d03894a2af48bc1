/* parts.h: a network or a map in several files of one folder, as several processes write them: part-00000, part-00001
 * and so on, read in the order of their names as if they were one file. */
#ifndef KSDA_I_PARTS_H
#define KSDA_I_PARTS_H

#include "core/ctx.h"

#include <limits.h>

typedef struct ksda_i_parts {
    char **path; /* [count] in order */
    uint64_t count, capacity;
} ksda_i_parts;

/* While such files are read, one after the other: their edges gather in the builder, and the last one makes the graph.
 */
typedef struct ksda_i_gathering {
    struct ksda_i_builder *builder; /* NULL before the first */
    bool last;
} ksda_i_gathering;

bool ksda_i_is_folder(const char *path);
/* The files of a folder that hold anything; names that begin with "." or "_" do not count. KSDA_IO, also when
 * there are none; KSDA_PARSE: a folder is among them, or a part is missing between others or there twice. */
ksda_status ksda_i_parts_list(ksda_ctx *ctx, const char *folder, ksda_i_parts *out);
/* Say how many there are, and what they are taken for together: "network". Nothing to say where there are none. */
void ksda_i_parts_note(const ksda_i_parts *parts, const char *together, char *note, size_t size);
void ksda_i_parts_clear(ksda_ctx *ctx, ksda_i_parts *parts);
/* What the number-th part is called. False when that is too long. */
bool ksda_i_part_name(const char *folder, uint32_t number, char path[PATH_MAX]);

/* The builder that edges go to: that of the files before, or a new one. */
ksda_status ksda_i_gathering_builder(ksda_ctx *ctx, struct ksda_i_builder **out);

#endif
