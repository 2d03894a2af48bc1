/* The table of formats, and how the right one is found: by content where the content is sure, else by the name of the
 * file, else an edge list. A new format is one file and one row of KSDA_I_FORMATS in
 * formats.h. */
#include "io/formats.h"

#include "io/foreign.h"

#include <stdio.h>
#include <strings.h>

#define ADDRESS(name) &ksda_i_format_##name,
static const ksda_i_format *const rows[] = {KSDA_I_FORMATS(ADDRESS)};
enum {
    ROWS = sizeof rows / sizeof *rows,
    UNNAMED = 1024 /* above the constants of ksda/io.h: a format without one is UNNAMED + its place in the table */
};

const ksda_i_format *const *ksda_i_formats(size_t *count) {
    *count = ROWS;
    return rows;
}

ksda_format ksda_i_format_number(const ksda_i_format *row) {
    int place = 0;
    while (rows[place] != row) place++;
    return row->format != KSDA_FORMAT_AUTO ? row->format : (ksda_format)(UNNAMED + place);
}

const ksda_i_format *ksda_i_format_row(ksda_format format) {
    for (size_t i = 0; i < ROWS; i++)
        if (ksda_i_format_number(rows[i]) == format) return rows[i];
    return NULL;
}

ksda_format ksda_format_find(const char *name) {
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i]->name, name) == 0) return ksda_i_format_number(rows[i]);
    return KSDA_FORMAT_AUTO;
}

int ksda_format_from_name(const char *name, ksda_format *out) {
    ksda_format found = ksda_format_find(name);
    if (found == KSDA_FORMAT_AUTO && strcmp(name, "auto") != 0) return 0;
    *out = found;
    return 1;
}

ksda_format ksda_format_next(ksda_format format) {
    ksda_format next = KSDA_FORMAT_AUTO;
    for (size_t i = 0; i < ROWS; i++) {
        ksda_format other = ksda_i_format_number(rows[i]);
        if (other > format && (next == KSDA_FORMAT_AUTO || other < next)) next = other;
    }
    return next;
}

const char *ksda_format_name(ksda_format format) {
    const ksda_i_format *row = ksda_i_format_row(format);
    return row ? row->name : "auto";
}

int ksda_format_is_written(ksda_format format) {
    const ksda_i_format *row = ksda_i_format_row(format);
    return row && row->write;
}

int ksda_format_carries_communities(ksda_format format) {
    const ksda_i_format *row = ksda_i_format_row(format);
    return row && row->carries;
}

/* --- which one --------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, size_t length, const char *ending, size_t ending_length) {
    return length > ending_length && strncasecmp(text + length - ending_length, ending, ending_length) == 0;
}

const ksda_i_format *ksda_i_format_by_name(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--; /* a folder */
    if (ends_with(path, length, ".gz", 3)) length -= 3;
    if (ends_with(path, length, ".zst", 4)) length -= 4;
    for (size_t i = 0; i < ROWS; i++)
        for (const char *ending = rows[i]->endings; *ending;) {
            size_t size = strcspn(ending, " ");
            if (ends_with(path, length, ending, size)) return rows[i];
            ending += size + (ending[size] == ' ');
        }
    return NULL;
}

ksda_status ksda_i_must_be_text(ksda_ctx *ctx, ksda_i_source *source) {
    const char *data, *other;
    size_t size;
    ksda_status status = ksda_i_source_peek(source, &data, &size);
    if (status < 0 || !(other = ksda_i_no_text(data, size))) return status;
    return ksda_i_error_at(ctx, KSDA_PARSE, ksda_i_source_name(source), 1, 1, "this looks like %s", other);
}

bool ksda_i_format_is_raw(const ksda_i_format *row) {
    return row && row->binary && !row->sniff;
}

static const ksda_i_format *sniffed(const char *data, size_t size, bool binary) {
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i]->binary == binary && rows[i]->sniff && rows[i]->sniff(data, size)) return rows[i];
    return NULL;
}

ksda_status ksda_i_format_guess(ksda_ctx *ctx, ksda_i_source *source, const ksda_i_format **row) {
    const char *data, *other;
    size_t size;
    ksda_status status = ksda_i_source_peek(source, &data, &size);
    *row = NULL;
    if (status < 0 || (*row = sniffed(data, size, true)) != NULL) return status;
    status = ksda_i_must_be_text(ctx, source);
    if (status < 0 || (*row = sniffed(data, size, false)) != NULL) return status;
    *row = ksda_i_format_by_name(ksda_i_source_name(source));
    if ((!*row || (*row)->lines) && (other = ksda_i_foreign(data, size)) != NULL)
        return ksda_i_error_at(ctx, KSDA_PARSE, ksda_i_source_name(source), 1, 1,
                               "this looks like %s (--format names the format if it is another)", other);
    if (!*row) *row = &ksda_i_format_edges;
    return KSDA_OK;
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

ksda_graph ksda_i_graph_as_written(const ksda_graph *graph, const char *path, ksda_format format) {
    const ksda_i_format *row = format == KSDA_FORMAT_AUTO ? ksda_i_format_by_name(path) : ksda_i_format_row(format);
    ksda_graph view = *graph;
    if (row && row->numbers) ksda_i_ids_range(&view.ids, graph->n, row->first);
    return view;
}

const ksda_i_format *ksda_i_format_to_write(const char *path) {
    const ksda_i_format *row = ksda_i_format_by_name(path);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    if (row) return row->write ? row : NULL;
    if (ends_with(name, length, ".gz", 3)) length -= 3;
    if (ends_with(name, length, ".zst", 4)) length -= 4;
    return length > 1 && memchr(name + 1, '.', length - 1) ? NULL : &ksda_i_format_edges;
}

const char *ksda_i_formats_text(char *buffer, size_t size) {
    size_t used = 0;
    for (size_t i = ROWS; i-- > 0 && used < size;)
        if (rows[i]->write)
            used += (size_t)snprintf(buffer + used, size - used, "%s%s (%s)", used ? ", " : "", rows[i]->name,
                                     rows[i]->endings);
    return buffer;
}

ksda_status ksda_i_write_graph(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               const char *path, ksda_format format, ksda_i_output *out) {
    const ksda_i_format *row = format == KSDA_FORMAT_AUTO ? ksda_i_format_to_write(path) : ksda_i_format_row(format);
    char known[512];
    if (!row && format != KSDA_FORMAT_AUTO)
        return ksda_i_error(ctx, KSDA_INVALID, "no format has the number %d", (int)format);
    if (!row)
        return ksda_i_error(ctx, KSDA_INVALID,
                            "%s: no format that is written is known by this ending; name the format: %s", path,
                            ksda_i_formats_text(known, sizeof known));
    if (!row->write)
        return ksda_i_error(ctx, KSDA_UNSUPPORTED, "%s: %s is only read; name another format: %s", path, row->name,
                            ksda_i_formats_text(known, sizeof known));
    if (!row->by_row) ksda_i_graph_need_all(graph);
    return row->write(ctx, graph, communities, out);
}

ksda_status ksda_write_graph(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                             const char *path, ksda_format format) {
    ksda_i_output *out;
    ksda_status status = ksda_i_output_open(ctx, path, false, &out);
    if (status < 0) return status;
    status = ksda_i_write_graph(ctx, graph, communities, path, format, out);
    if (status >= 0) return ksda_i_output_commit(out);
    ksda_i_output_abandon(out);
    return status;
}
