/* The private map of a release: "original<TAB>published", one line for each published vertex. It says who is behind
 * whom, so it is written for the owner's eyes only (mode 0600), in order of the published vertices.
 *
 * Reading checks that every published vertex has exactly one line and that every original is known. A published vertex
 * of degree 0 stands in no edge list: the map is where it is known from. */
#include "graph/ids_index.h"
#include "io/adopt.h"
#include "io/communities_file.h"
#include "io/fields.h"
#include "io/formats.h"
#include "io/names.h"
#include "io/parts.h"
#include "io/text.h"

#include <stdio.h>

#define AHEAD 16 /* lines between asking for an original id and writing it: they come in no order */

ksda_status ksda_i_write_map_part(ksda_ctx *ctx, const ksda_graph *original, const ksda_release *release,
                                  uint32_t first, uint32_t last, ksda_i_output *out) {
    ksda_status status = ksda_i_names_check(ctx, &original->ids, KSDA_I_NAMING_TAB, "a map file");
    const uint64_t *number = original->ids.kind == KSDA_I_IDS_NUMBERS ? original->ids.number : NULL;
    for (uint32_t p = first; status >= 0 && p < last; p++) {
        if (number && last - p > AHEAD) __builtin_prefetch(&number[release->owner[p + AHEAD]]);
        ksda_i_names_write(&original->ids, release->owner[p], KSDA_I_NAMING_TAB, '\t', out);
        ksda_i_output_text(out, "\t");
        ksda_i_names_write(&release->graph->ids, p, KSDA_I_NAMING_TAB, '\t', out);
        ksda_i_output_text(out, "\n");
        if (p % 65536 == 0) status = ksda_i_progress(ctx, "writing", p, release->graph->n);
    }
    return status;
}

ksda_status ksda_i_write_map(ksda_ctx *ctx, const ksda_graph *original, const ksda_release *release,
                             ksda_i_output *out) {
    return ksda_i_write_map_part(ctx, original, release, 0, release->graph->n, out);
}

ksda_status ksda_write_map(ksda_ctx *ctx, const ksda_graph *original, const ksda_release *release, const char *path) {
    ksda_i_output *out;
    ksda_status status = ksda_i_output_open(ctx, path, true, &out);
    if (status < 0) return status;
    status = ksda_i_write_map(ctx, original, release, out);
    if (status >= 0) return ksda_i_output_commit(out);
    ksda_i_output_abandon(out);
    return status;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reader {
    ksda_ctx *ctx;
    const char *name;
    ksda_i_lines lines;
    const ksda_graph *original, *published;
    ksda_i_ids_index original_ids, published_ids;
    uint32_t *owner;  /* [n'] KSDA_NO_VERTEX: none yet */
    ksda_i_ids extra; /* published vertices that the graph does not have */
    uint32_t *extra_owner;
    uint64_t extra_capacity;
} reader;

static ksda_status refuse(const reader *x, const char *line, const ksda_i_field *field, const char *what) {
    ksda_i_problem problem = {.column = (uint64_t)(field->text - line) + 1};
    char shown[KSDA_I_SHOWN];
    snprintf(problem.text, sizeof problem.text, "%s %s", ksda_i_show(field->text, field->length, shown), what);
    return ksda_i_lines_error(&x->lines, &problem);
}

/* Where the owner of that published vertex is kept. */
static ksda_status place_of(reader *x, const ksda_i_field *published, uint32_t **place) {
    uint32_t p = ksda_i_ids_index_find(&x->published_ids, published->text, published->length), known = x->extra.count;
    if (p != KSDA_NO_VERTEX) {
        *place = &x->owner[p];
        return KSDA_OK;
    }
    ksda_status status =
        ksda_i_reserve(x->ctx, &x->extra_owner, &x->extra_capacity, (uint64_t)known + 1, sizeof *x->extra_owner);
    if (status >= 0) status = ksda_i_ids_intern(x->ctx, &x->extra, published->text, published->length, &p);
    if (status < 0) return status;
    if (x->extra.count > known) x->extra_owner[p] = KSDA_NO_VERTEX;
    *place = &x->extra_owner[p];
    return KSDA_OK;
}

static ksda_status read_line(reader *x, const char *line, size_t length) {
    bool tab = memchr(line, '\t', length) != NULL;
    ksda_i_syntax syntax = {.separator = tab ? '\t' : 0, .comment = "", .column = {0, 1}};
    ksda_i_field field[2];
    ksda_i_problem problem;
    uint32_t *place;
    ksda_i_line found =
        ksda_i_two_fields(&syntax, line, length, "a map needs an original and a published id", field, &problem);
    if (found != KSDA_I_LINE_PAIR) return found == KSDA_I_LINE_BAD ? ksda_i_lines_error(&x->lines, &problem) : KSDA_OK;
    for (int i = 0; i < 2; i++)
        if (!ksda_i_name_is_fine(&field[i], line, &problem)) return ksda_i_lines_error(&x->lines, &problem);
    uint32_t owner = ksda_i_ids_index_find(&x->original_ids, field[0].text, field[0].length);
    if (owner == KSDA_NO_VERTEX)
        return refuse(x, line, &field[0], "is no vertex of the original: this map belongs to another network");
    ksda_status status = place_of(x, &field[1], &place);
    if (status < 0) return status;
    if (*place != KSDA_NO_VERTEX)
        return refuse(x, line, &field[1], "has a line already: a published vertex has one original");
    *place = owner;
    return KSDA_OK;
}

static ksda_status read_lines(reader *x) {
    const char *line;
    size_t length;
    for (;;) {
        ksda_status status = ksda_i_lines_next(&x->lines, &line, &length);
        if (status >= 0 && line) status = read_line(x, line, length);
        if (status < 0 || !line) return status;
    }
}

static ksda_status check_complete(const reader *x) {
    char name[256], shown[KSDA_I_SHOWN];
    for (uint32_t p = 0; p < x->published->n; p++) {
        if (x->owner[p] != KSDA_NO_VERTEX) continue;
        size_t length = ksda_graph_name(x->published, p, name, sizeof name);
        return ksda_i_error_at(x->ctx, KSDA_PARSE, x->name, 0, 0,
                               "no line for the published vertex %s: this map belongs to another release, or is cut "
                               "off",
                               ksda_i_show(name, length < sizeof name ? length : sizeof name - 1, shown));
    }
    return KSDA_OK;
}

/* Both results at once, or neither: the graph with the extra vertices, and the owners. */
static ksda_status join_published(reader *x, ksda_graph *published) {
    ksda_status status = KSDA_NOMEM;
    uint32_t count = x->extra.count, *place = ksda_i_malloc(x->ctx, count, sizeof *place);
    uint32_t *owner = ksda_i_malloc(x->ctx, (uint64_t)published->n + count, sizeof *owner);
    if (!place || !owner) goto done;
    memcpy(owner, x->owner, published->n * sizeof *owner);
    KSDA_I_TRY(ksda_i_adopt_vertices(x->ctx, published, &x->extra, place));
    for (uint32_t i = 0; i < count; i++) owner[place[i]] = x->extra_owner[i];
    ksda_i_free(x->ctx, x->owner);
    x->owner = owner;
    owner = NULL;
done:
    ksda_i_free(x->ctx, place);
    ksda_i_free(x->ctx, owner);
    return status;
}

static ksda_status read_source(reader *x, ksda_i_source *source) {
    ksda_i_lines_open(&x->lines, x->ctx, source);
    return read_lines(x);
}

/* The lines of a file, or of the files of a folder. */
static ksda_status read_path(reader *x, const char *path) {
    bool folder = ksda_i_is_folder(path);
    ksda_i_parts parts = {.count = 0};
    ksda_status status = folder ? ksda_i_parts_list(x->ctx, path, &parts) : KSDA_OK;
    for (uint64_t i = 0; i < (folder ? parts.count : 1) && status >= 0; i++) {
        ksda_i_source *source = NULL;
        status = ksda_i_source_open(x->ctx, folder ? parts.path[i] : path, &source);
        if (status >= 0) status = read_source(x, source);
        x->lines.source = NULL;
        ksda_i_source_close(x->ctx, source);
    }
    ksda_i_parts_clear(x->ctx, &parts);
    return status;
}

/* From a source, or from a path where there is none. */
static ksda_status read_map(ksda_ctx *ctx, const ksda_graph *original, ksda_graph **published, ksda_i_source *source,
                            const char *path, uint32_t **owner) {
    ksda_status status;
    reader x = {.ctx = ctx, .name = path, .original = original, .published = *published};
    *owner = NULL;
    ksda_i_ids_names(&x.extra);
    x.owner = ksda_i_malloc(ctx, (*published)->n, sizeof *x.owner);
    if (!x.owner) KSDA_I_TRY(KSDA_NOMEM);
    KSDA_I_TRY(ksda_i_ids_index_open(ctx, &original->ids, &x.original_ids));
    KSDA_I_TRY(ksda_i_ids_index_open(ctx, &(*published)->ids, &x.published_ids));
    for (uint32_t p = 0; p < (*published)->n; p++) x.owner[p] = KSDA_NO_VERTEX;
    if (source) x.name = ksda_i_source_name(source);
    KSDA_I_TRY(source ? read_source(&x, source) : read_path(&x, path));
    KSDA_I_TRY(check_complete(&x));
    ksda_i_ids_index_close(ctx, &x.published_ids); /* they may change now */
    if (x.extra.count) KSDA_I_TRY(join_published(&x, *published));
    *owner = x.owner;
    x.owner = NULL;
done:
    ksda_i_ids_index_close(ctx, &x.original_ids);
    ksda_i_ids_index_close(ctx, &x.published_ids);
    ksda_i_free(ctx, x.owner);
    ksda_i_free(ctx, x.extra_owner);
    ksda_i_ids_clear(ctx, &x.extra);
    return status;
}

ksda_status ksda_i_read_map(ksda_ctx *ctx, const ksda_graph *original, ksda_graph **published, ksda_i_source *source,
                            uint32_t **owner) {
    return read_map(ctx, original, published, source, NULL, owner);
}

ksda_status ksda_load_map(ksda_ctx *ctx, const ksda_graph *original, ksda_graph **published, const char *path,
                          uint32_t **owner) {
    return read_map(ctx, original, published, NULL, path, owner);
}
