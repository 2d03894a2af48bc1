/* Communities files, both kinds: "vertex community" a line, and SNAP's lists with one community a line. Fields are
 * separated by blanks; in a line that has a tab, by tabs only, so that names may hold blanks; in a .csv file by commas
 * or semicolons. Lines that begin with # or % are passed over, a header "vertex community" too.
 *
 * A vertex may appear twice in the same community, but not in two: overlaps are refused with the place of the second.
 * Cost: a hash look-up for each field, on one thread. */
#include "io/communities_file.h"

#include "core/sort.h"
#include "io/header.h"
#include "io/names.h"
#include "io/text.h"

#include <stdio.h>

typedef struct reader {
    ksda_ctx *ctx;
    ksda_i_lines lines;
    const ksda_graph *graph;
    bool closed;
    ksda_i_syntax syntax;
    ksda_i_membership *m;
    ksda_i_field *field; /* of a line */
    uint64_t field_capacity;
    char *buffer; /* [KSDA_I_MAX_LINE] for quoted names */
} reader;

void ksda_i_membership_clear(ksda_ctx *ctx, ksda_i_membership *m) {
    ksda_i_free(ctx, m->of);
    ksda_i_free(ctx, m->extra_of);
    ksda_i_ids_clear(ctx, &m->names);
    ksda_i_ids_clear(ctx, &m->extra);
    memset(m, 0, sizeof *m);
}

/* --- fields ------------------------------------------------------------------------------------------------------ */

static ksda_status refuse(const reader *x, uint64_t column, const char *what) {
    ksda_i_problem problem = {.column = column};
    snprintf(problem.text, sizeof problem.text, "%s", what);
    return ksda_i_lines_error(&x->lines, &problem);
}

/* All fields of a line; *count is 0 for blank lines and comments. */
static ksda_status split(reader *x, const char *line, size_t length, int *count) {
    ksda_i_syntax syntax = x->syntax;
    ksda_i_problem problem;
    size_t first = 0;
    *count = 0;
    while (length > 0 && strchr(" \t\r", line[length - 1])) length--;
    while (first < length && (line[first] == ' ' || line[first] == '\t')) first++;
    if (first == length || (line[first] != '\0' && strchr(syntax.comment, line[first]))) return KSDA_OK;
    line += first, length -= first;
    if (syntax.separator == 0 && memchr(line, '\t', length)) syntax.separator = '\t';
    *count = ksda_i_split(&syntax, line, length, x->field, (unsigned)x->field_capacity, &problem);
    if (*count > (int)x->field_capacity) {
        ksda_status status = ksda_i_reserve(x->ctx, &x->field, &x->field_capacity, (uint64_t)*count, sizeof *x->field);
        if (status < 0) return status;
        ksda_i_split(&syntax, line, length, x->field, (unsigned)x->field_capacity, &problem);
    }
    return *count < 0 ? ksda_i_lines_error(&x->lines, &problem) : KSDA_OK;
}

static ksda_status check_name(const reader *x, const char *line, ksda_i_field *field) {
    ksda_i_problem problem;
    uint64_t number;
    if (!ksda_i_parse_number(field->text, field->length, &number) && !ksda_i_name_is_fine(field, line, &problem))
        return ksda_i_lines_error(&x->lines, &problem);
    *field = ksda_i_plain_field(field, x->buffer);
    return KSDA_OK;
}

/* --- assigning --------------------------------------------------------------------------------------------------- */

/* Where the community of that vertex is kept. */
static ksda_status place_of(reader *x, const ksda_i_field *vertex, uint64_t column, uint32_t **of) {
    ksda_i_membership *m = x->m;
    char shown[KSDA_I_SHOWN], text[200];
    uint32_t v = ksda_i_ids_find(&x->graph->ids, vertex->text, vertex->length), known = m->extra.count;
    if (v != KSDA_NO_VERTEX) {
        *of = &m->of[v];
        return KSDA_OK;
    }
    if (x->closed) {
        snprintf(text, sizeof text, "vertex %s is not in the graph, whose format lists all vertices",
                 ksda_i_show(vertex->text, vertex->length, shown));
        return refuse(x, column, text);
    }
    ksda_status status =
        ksda_i_reserve(x->ctx, &m->extra_of, &m->extra_capacity, (uint64_t)known + 1, sizeof *m->extra_of);
    if (status >= 0) status = ksda_i_ids_intern(x->ctx, &m->extra, vertex->text, vertex->length, &v);
    if (status < 0) return status;
    if (m->extra.count > known) m->extra_of[v] = KSDA_NO_VERTEX;
    *of = &m->extra_of[v];
    return KSDA_OK;
}

static ksda_status assign(reader *x, const char *line, ksda_i_field *vertex, uint32_t community) {
    uint32_t *of = NULL;
    char shown[KSDA_I_SHOWN], text[240], one[24], two[24];
    uint64_t column = (uint64_t)(vertex->text - line) + 1;
    ksda_status status = check_name(x, line, vertex);
    if (status >= 0) status = place_of(x, vertex, column, &of);
    if (status < 0) return status;
    if (*of == KSDA_NO_VERTEX || *of == community) {
        *of = community;
        return KSDA_OK;
    }
    ksda_i_ids_name(&x->m->names, *of, one, sizeof one);
    ksda_i_ids_name(&x->m->names, community, two, sizeof two);
    snprintf(text, sizeof text,
             "vertex %s is in community %s and in community %s: overlapping communities are not supported",
             ksda_i_show(vertex->text, vertex->length, shown), one, two);
    return refuse(x, column, text);
}

static ksda_status pair_line(reader *x, const char *line, int count) {
    uint32_t community;
    char text[200];
    if (count != 2) {
        snprintf(text, sizeof text, "a vertex and its community expected, but this line has %d field%s%s", count,
                 count == 1 ? "" : "s", x->syntax.separator ? "" : " (is it a list of the members of each community?)");
        return refuse(x, 1, text);
    }
    ksda_status status = check_name(x, line, &x->field[1]);
    if (status >= 0) status = ksda_i_ids_intern(x->ctx, &x->m->names, x->field[1].text, x->field[1].length, &community);
    return status < 0 ? status : assign(x, line, &x->field[0], community);
}

static ksda_status list_line(reader *x, const char *line, int count) {
    ksda_status status = KSDA_OK;
    ksda_i_ids *names = &x->m->names; /* a range 0, 1, ... */
    if (names->count == KSDA_MAX_VERTICES) return refuse(x, 1, "too many communities");
    names->count++;
    for (int i = 0; i < count && status >= 0; i++) status = assign(x, line, &x->field[i], names->count - 1);
    return status;
}

/* --- the file ---------------------------------------------------------------------------------------------------- */

/* Does a whole line among the first ones have three fields or more? */
static ksda_status looks_like_lists(reader *x, ksda_i_source *source, bool *lists) {
    const char *data, *end;
    size_t size;
    ksda_status status = ksda_i_source_peek(source, &data, &size);
    *lists = false;
    for (bool all = size < 65536; status >= 0 && size > 0 && !*lists;) {
        int count;
        end = memchr(data, '\n', size);
        if (!end && !all) break;
        size_t length = end ? (size_t)(end - data) : size;
        status = split(x, data, length, &count);
        *lists = count > 2;
        data += length + (end != NULL);
        size -= length + (end != NULL);
    }
    return status;
}

static ksda_status read_lines(reader *x, uint64_t skip, bool lists) {
    const char *line;
    size_t length;
    for (;;) {
        int count;
        ksda_status status = ksda_i_lines_next(&x->lines, &line, &length);
        if (status < 0 || !line) return status;
        if (x->lines.number <= skip) continue;
        if (length > KSDA_I_MAX_LINE && !lists)
            return refuse(x, 1, "a line of more than 1 MiB: this is no communities file");
        status = split(x, line, length, &count);
        if (status >= 0 && count > 0) status = lists ? list_line(x, line, count) : pair_line(x, line, count);
        if (status < 0) return status;
    }
}

static ksda_status prepare(reader *x, ksda_i_source *source, const char *path, uint64_t *skip) {
    const char *data;
    size_t size;
    ksda_status status = ksda_i_source_peek(source, &data, &size);
    if (status < 0) return status;
    x->syntax = (ksda_i_syntax){.comment = "#%", .column = {0, 1}};
    if (ksda_i_sniff_csv(data, size) || ksda_i_format_by_name(path) == &ksda_i_format_csv)
        x->syntax = (ksda_i_syntax){.separator = ',', .quotes = true, .comment = "", .column = {0, 1}};
    x->field_capacity = 2;
    x->field = ksda_i_malloc(x->ctx, x->field_capacity, sizeof *x->field);
    x->buffer = ksda_i_malloc(x->ctx, KSDA_I_MAX_LINE, 1);
    x->m->of = ksda_i_malloc(x->ctx, x->graph->n, sizeof *x->m->of);
    if (!x->field || !x->buffer || !x->m->of) return KSDA_NOMEM;
    for (uint32_t v = 0; v < x->graph->n; v++) x->m->of[v] = KSDA_NO_VERTEX;
    x->m->n = x->graph->n;
    ksda_i_lines_open(&x->lines, x->ctx, source);
    return ksda_i_find_header(source, &x->syntax, KSDA_I_COMMUNITY_HEADER, skip);
}

ksda_status ksda_i_read_communities(ksda_ctx *ctx, const char *path, ksda_communities_format format,
                                    const ksda_graph *graph, bool closed, ksda_i_membership *m) {
    ksda_status status;
    ksda_i_source *source = NULL;
    reader x = {.ctx = ctx, .graph = graph, .closed = closed, .m = m};
    bool lists = format == KSDA_COMMUNITIES_LISTS;
    uint64_t skip = 0;
    memset(m, 0, sizeof *m);
    ksda_i_ids_names(&m->extra);
    KSDA_I_TRY(ksda_i_source_open(ctx, path, &source));
    KSDA_I_TRY(prepare(&x, source, path, &skip));
    if (format == KSDA_COMMUNITIES_AUTO && skip == 0) KSDA_I_TRY(looks_like_lists(&x, source, &lists));
    if (lists)
        ksda_i_ids_range(&m->names, 0, 0);
    else
        ksda_i_ids_names(&m->names);
    KSDA_I_TRY(read_lines(&x, skip, lists));
    if (m->names.count == 0)
        KSDA_I_TRY(ksda_i_error_at(ctx, KSDA_PARSE, ksda_i_source_name(source), 0, 0, "no communities in this file"));
done:
    ksda_i_free(ctx, x.field);
    ksda_i_free(ctx, x.buffer);
    ksda_i_source_close(ctx, source);
    if (status < 0) ksda_i_membership_clear(ctx, m);
    return status;
}

/* --- extra vertices ---------------------------------------------------------------------------------------------- */

/* As numbers, ascending, if that is what they are and the graph's ids are; *numbers is NULL if not. */
static ksda_status as_numbers(ksda_ctx *ctx, const ksda_graph *graph, const ksda_i_ids *extra, uint64_t **numbers) {
    ksda_status status = KSDA_NOMEM;
    uint64_t *number = ksda_i_malloc(ctx, extra->count, sizeof *number), *scratch = NULL;
    bool fine = graph->ids.kind != KSDA_I_IDS_NAMES;
    *numbers = NULL;
    if (!number) return KSDA_NOMEM;
    for (uint32_t i = 0; i < extra->count && fine; i++)
        fine = ksda_i_parse_number(extra->text + extra->start[i], extra->start[i + 1] - extra->start[i], &number[i]);
    if (fine) {
        scratch = ksda_i_malloc(ctx, extra->count, sizeof *scratch);
        if (!scratch) goto done;
        ksda_i_sort_u64(number, extra->count, scratch);
        *numbers = number;
        number = NULL;
    }
    status = KSDA_OK;
done:
    ksda_i_free(ctx, number);
    ksda_i_free(ctx, scratch);
    return status;
}

ksda_status ksda_i_adopt_vertices(ksda_ctx *ctx, ksda_graph *graph, const ksda_i_ids *extra, uint32_t *place) {
    ksda_status status = KSDA_OK;
    uint64_t *number = NULL;
    uint32_t n = graph->n, item;
    if (extra->count == 0) return KSDA_OK;
    if (extra->count > KSDA_MAX_VERTICES - n)
        return ksda_i_error(ctx, KSDA_INVALID, "%llu vertices; at most %u are possible",
                            (unsigned long long)n + extra->count, KSDA_MAX_VERTICES);
    KSDA_I_TRY(as_numbers(ctx, graph, extra, &number));
    if (number) {
        KSDA_I_TRY(ksda_i_ids_append_numbers(ctx, &graph->ids, extra->count, number));
    } else {
        KSDA_I_TRY(ksda_i_ids_to_names(ctx, &graph->ids));
        for (uint32_t i = 0; i < extra->count; i++)
            KSDA_I_TRY(ksda_i_ids_intern(ctx, &graph->ids, extra->text + extra->start[i],
                                         extra->start[i + 1] - extra->start[i], &item));
    }
    KSDA_I_TRY(ksda_i_graph_extend(ctx, graph, extra->count));
    for (uint32_t i = 0; i < extra->count; i++)
        place[i] = ksda_i_ids_find(&graph->ids, extra->text + extra->start[i], extra->start[i + 1] - extra->start[i]);
done:
    ksda_i_free(ctx, number);
    return status;
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

ksda_status ksda_i_write_communities(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                     ksda_i_output *out) {
    bool words =
        ksda_i_names_fit(&graph->ids, KSDA_I_NAMING_WORD) && ksda_i_names_fit(&communities->names, KSDA_I_NAMING_WORD);
    ksda_i_naming naming = words ? KSDA_I_NAMING_WORD : KSDA_I_NAMING_TAB;
    ksda_status status = ksda_i_names_check(ctx, &graph->ids, naming, "a communities file");
    if (status >= 0) status = ksda_i_names_check(ctx, &communities->names, naming, "a communities file");
    for (uint32_t v = 0; status >= 0 && v < graph->n; v++) {
        ksda_i_names_write(&graph->ids, v, naming, 0, out);
        ksda_i_output_text(out, words ? " " : "\t");
        ksda_i_names_write(&communities->names, communities->of[v], naming, 0, out);
        ksda_i_output_text(out, "\n");
        if (v % 65536 == 0) status = ksda_i_progress(ctx, "writing", v, graph->n);
    }
    return status;
}

ksda_status ksda_write_communities(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                   const char *path) {
    ksda_i_output *out;
    ksda_status status = ksda_i_output_open(ctx, path, false, &out);
    if (status < 0) return status;
    status = ksda_i_write_communities(ctx, graph, communities, out);
    if (status >= 0) return ksda_i_output_commit(out);
    ksda_i_output_abandon(out);
    return status;
}
