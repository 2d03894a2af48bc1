/* Communities files, both kinds: "vertex community" a line, and SNAP's lists with one community a line. Fields are
 * separated by blanks; in a line that has a tab, by tabs only, so that names may hold blanks; in a .csv file by commas
 * or semicolons. Lines that begin with # or % are passed over, a header "vertex community" too.
 *
 * A vertex may appear twice in the same community, but in two only where overlaps are asked for: else they are refused
 * with the place of the second. Of a folder all files are read, in the order of their names: what the first one looks
 * like holds for all of them, but each may begin with a header.
 * Cost: a hash look-up for each field, on one thread. */
#include "io/communities_reader.h"

#include "io/clu.h"
#include "io/extras.h"
#include "io/names.h"
#include "io/parquet.h"

#include <stdio.h>

#define MOST_CONFLICTS 8 /* that are told by name */

typedef ksda_i_communities_reader reader;

void ksda_i_membership_clear(ksda_ctx *ctx, ksda_i_membership *m) {
    ksda_i_free(ctx, m->of);
    ksda_i_free(ctx, m->extra_of);
    ksda_i_free(ctx, m->more);
    ksda_i_ids_clear(ctx, &m->names);
    ksda_i_ids_clear(ctx, &m->extra);
    memset(m, 0, sizeof *m);
}

/* --- fields ------------------------------------------------------------------------------------------------------ */

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
        return ksda_i_communities_refuse(x, column, text);
    }
    ksda_status status =
        ksda_i_reserve(x->ctx, &m->extra_of, &m->extra_capacity, (uint64_t)known + 1, sizeof *m->extra_of);
    if (status >= 0) status = ksda_i_ids_intern(x->ctx, &m->extra, vertex->text, vertex->length, &v);
    if (status < 0) return status;
    if (m->extra.count > known) m->extra_of[v] = KSDA_NO_VERTEX;
    x->again |= x->held && v == 0;
    *of = &m->extra_of[v];
    return KSDA_OK;
}

/* A vertex in two communities: gather some, and go on. A vertex in three is told once. */
static ksda_status conflict(reader *x, const ksda_i_field *vertex, uint64_t column, uint32_t before, uint32_t now) {
    char shown[KSDA_I_SHOWN], one[24], two[24];
    uint32_t item, known = x->conflicts.count;
    ksda_status status = ksda_i_ids_intern(x->ctx, &x->conflicts, vertex->text, vertex->length, &item);
    if (status < 0 || x->conflicts.count == known) return status;
    if (known == 0) {
        ksda_i_ids_name(&x->m->names, before, one, sizeof one);
        ksda_i_ids_name(&x->m->names, now, two, sizeof two);
        x->conflict = (ksda_error){.source = x->where, .line = x->lines.number, .column = column};
        snprintf(x->conflict_text, sizeof x->conflict_text, "vertex %s is in community %s and in community %s",
                 ksda_i_show(vertex->text, vertex->length, shown), one, two);
    } else if (known < MOST_CONFLICTS) {
        size_t used = strlen(x->conflict_text);
        snprintf(x->conflict_text + used, sizeof x->conflict_text - used, ", %s too (%sline %llu)",
                 ksda_i_show(vertex->text, vertex->length, shown),
                 x->where == x->conflict.source ? "" : "another file, ", (unsigned long long)x->lines.number);
    }
    return KSDA_OK;
}

static ksda_status tell_conflicts(const reader *x) {
    char more[64] = "";
    uint32_t count = x->conflicts.count;
    if (count == 0) return KSDA_OK;
    if (count > MOST_CONFLICTS)
        snprintf(more, sizeof more, " and %u more, %u vertices in all", count - MOST_CONFLICTS, count);
    return ksda_i_error_at(
        x->ctx, KSDA_PARSE, x->conflict.source, x->conflict.line, x->conflict.column,
        "%s%s: overlapping communities are not expected here, keep one for each vertex; stats, "
        "check, anonymize, verify, optimal and convert take sets of communities with --overlap disjoint",
        x->conflict_text, more);
}

/* A further community of the vertex whose first one stands at `of`. */
static ksda_status one_more(reader *x, const uint32_t *of, uint32_t community) {
    ksda_i_membership *m = x->m;
    bool extra = of < m->of || of >= m->of + m->n;
    uint64_t vertex = extra ? m->n + (uint64_t)(of - m->extra_of) : (uint64_t)(of - m->of);
    ksda_status status = ksda_i_reserve(x->ctx, &m->more, &m->more_capacity, m->mores + 1, sizeof *m->more);
    if (status >= 0) m->more[m->mores++] = vertex << 32 | community;
    return status;
}

/* community: KSDA_NO_VERTEX where the field is blank; the vertex exists, and has none so far. */
static ksda_status assign(reader *x, const char *line, ksda_i_field *vertex, uint32_t community) {
    uint32_t *of = NULL;
    uint64_t column = (uint64_t)(vertex->text - line) + 1;
    ksda_status status = check_name(x, line, vertex);
    if (status >= 0) status = place_of(x, vertex, column, &of);
    if (status < 0 || community == KSDA_NO_VERTEX) return status;
    if (*of != KSDA_NO_VERTEX && *of != community && x->options->overlap) return one_more(x, of, community);
    if (*of != KSDA_NO_VERTEX && *of != community) return conflict(x, vertex, column, *of, community);
    *of = community;
    return KSDA_OK;
}

static ksda_status wrong_count(reader *x, int count) {
    char text[200];
    if (x->top.named > 2)
        snprintf(text, sizeof text, "%d column%s here, but %u in the lines before", count, count == 1 ? "" : "s",
                 x->top.named);
    else
        snprintf(text, sizeof text, "a vertex and its community expected, but this line has %d field%s%s", count,
                 count == 1 ? "" : "s", x->syntax.separator ? "" : " (is it a list of the members of each community?)");
    return ksda_i_communities_refuse(x, 1, text);
}

static ksda_status pair_line(reader *x, const char *line, int count) {
    unsigned columns = x->top.named > 2 ? x->top.named : 2;
    uint32_t community = KSDA_NO_VERTEX, known = x->m->names.count;
    ksda_status status = KSDA_OK;
    if (ksda_i_all_empty(x->field, (unsigned)count)) {
        x->empty++, x->read--;
        return KSDA_OK;
    }
    ksda_i_communities_drop_empty(x, columns, &count);
    if (count != (int)columns) return wrong_count(x, count);
    ksda_i_field *name = &x->field[x->syntax.column[1]], *vertex = &x->field[x->syntax.column[0]];
    if (name->length > 0) {
        status = check_name(x, line, name);
        if (status >= 0) status = ksda_i_ids_intern(x->ctx, &x->m->names, name->text, name->length, &community);
        x->again |= x->held && known > 0 && community == 0;
    }
    return status < 0 ? status : assign(x, line, vertex, community);
}

static ksda_status list_line(reader *x, const char *line, int count) {
    ksda_status status = KSDA_OK;
    ksda_i_ids *names = &x->m->names; /* a range 0, 1, ... */
    if (ksda_i_all_empty(x->field, (unsigned)count)) {
        x->empty++;
        return KSDA_OK;
    }
    if (names->count == KSDA_MAX_VERTICES) return ksda_i_communities_refuse(x, 1, "too many communities");
    names->count++;
    while (count > 0 && x->field[count - 1].length == 0) count--;
    for (int i = 0; i < count && status >= 0; i++) status = assign(x, line, &x->field[i], names->count - 1);
    return status;
}

/* --- the first line ---------------------------------------------------------------------------------------------- */

static void taken_for_header(reader *x, const char *why, ksda_reading *reading) {
    const ksda_i_field *vertex = &x->field[x->syntax.column[0]], *community = &x->field[x->syntax.column[1]];
    char one[KSDA_I_SHOWN], two[KSDA_I_SHOWN];
    reading->header = x->top.skip;
    reading->assumed = 1;
    ksda_i_note(reading->note, sizeof reading->note,
                "line %llu (%s, %s) is taken for a header: %s; --communities-header no if it is none",
                (unsigned long long)x->top.skip, ksda_i_show(vertex->text, vertex->length, one),
                ksda_i_show(community->text, community->length, two), why);
}

/* The line that may be a header. It is none if it names a vertex of the graph; it is one if the graph lists all its
 * vertices, but not this; else it is read, and forgotten if neither its vertex nor its community occurs again. */
static ksda_status first_line(reader *x, ksda_reading *reading) {
    const char *line = x->top.unsure;
    int count;
    ksda_status status = KSDA_OK;
    if (!line) return KSDA_OK;
    x->lines.number = x->top.skip; /* for messages */
    KSDA_I_TRY(ksda_i_communities_split(x, line, x->top.unsure_length, &count));
    if (count <= (int)x->syntax.column[0] || count <= (int)x->syntax.column[1]) KSDA_I_TRY(wrong_count(x, count));
    const ksda_i_field *vertex = &x->field[x->syntax.column[0]];
    x->held = ksda_i_ids_find(&x->graph->ids, vertex->text, vertex->length) == KSDA_NO_VERTEX;
    if (x->held && x->closed) {
        x->held = false;
        taken_for_header(x, "the graph has no such vertex", reading);
    } else {
        KSDA_I_TRY(pair_line(x, line, count));
        x->again = false;
        x->read++;
    }
done:
    x->lines.number = 0;
    return status;
}

/* Was it a header? */
static ksda_status judge_first(reader *x, ksda_reading *reading) {
    ksda_i_membership *m = x->m;
    int count;
    ksda_status status = KSDA_OK;
    if (!x->held || x->again || x->read < 2) return KSDA_OK;
    KSDA_I_TRY(ksda_i_communities_split(x, x->top.unsure, x->top.unsure_length, &count));
    taken_for_header(x, "neither occurs again", reading);
    KSDA_I_TRY(ksda_i_ids_drop(x->ctx, &m->extra, 1));
    if (m->extra_of[0] != KSDA_NO_VERTEX) {
        KSDA_I_TRY(ksda_i_ids_drop(x->ctx, &m->names, 1));
        for (uint32_t v = 0; v < m->n; v++) m->of[v] -= m->of[v] != KSDA_NO_VERTEX;
        for (uint32_t i = 1; i <= m->extra.count; i++) m->extra_of[i] -= m->extra_of[i] != KSDA_NO_VERTEX;
        for (uint64_t i = 0; i < m->mores; i++) m->more[i]--;
    }
    for (uint64_t i = 0; i < m->mores; i++) m->more[i] -= m->more[i] >> 32 >= m->n ? UINT64_C(1) << 32 : 0;
    memmove(m->extra_of, m->extra_of + 1, m->extra.count * sizeof *m->extra_of);
done:
    return status;
}

/* Known words, but the graph has a vertex that is called so and has no community by any other line: then this line
 * gives it. */
static ksda_status judge_known(reader *x, ksda_reading *reading) {
    char shown[KSDA_I_SHOWN];
    int count;
    if (!x->top.words) return KSDA_OK;
    ksda_status status = ksda_i_communities_split(x, x->top.words, x->top.words_length, &count);
    if (status < 0 || count <= (int)x->syntax.column[0] || count <= (int)x->syntax.column[1]) return status;
    const ksda_i_field *name = &x->field[x->syntax.column[0]];
    uint32_t v = ksda_i_ids_find(&x->graph->ids, name->text, name->length);
    if (v == KSDA_NO_VERTEX || x->m->of[v] != KSDA_NO_VERTEX) return KSDA_OK;
    x->lines.number = x->top.header; /* for messages */
    reading->header = 0;
    reading->assumed = 1;
    ksda_i_note(
        reading->note, sizeof reading->note,
        "line %llu is taken for the community of %s, a vertex of the graph; --communities-header yes if it is a "
        "header",
        (unsigned long long)x->top.header, ksda_i_show(name->text, name->length, shown));
    return pair_line(x, x->top.words, count);
}

/* --- the file ---------------------------------------------------------------------------------------------------- */

static ksda_status read_lines(reader *x, uint64_t skip, bool lists) {
    const char *line;
    size_t length;
    for (;;) {
        int count;
        ksda_status status = ksda_i_lines_next(&x->lines, &line, &length);
        if (status < 0 || !line) return status;
        if (x->lines.number <= skip) continue;
        if (length > KSDA_I_MAX_LINE && !lists)
            return ksda_i_communities_refuse(x, 1, "a line of more than 1 MiB: this is no communities file");
        status = ksda_i_communities_split(x, line, length, &count);
        x->read += count > 0;
        if (status >= 0 && count > 0) status = lists ? list_line(x, line, count) : pair_line(x, line, count);
        if (status < 0) return status;
    }
}

static void wish_for(const ksda_load_options *o, ksda_i_wish *wish) {
    *wish = (ksda_i_wish){.kind = KSDA_I_COMMUNITY_HEADER,
                          .header = o->communities_header,
                          .column = {o->vertex_column, o->community_column}};
    for (int i = 0; i < 2; i++) wish->length[i] = wish->column[i] ? strlen(wish->column[i]) : 0;
}

static ksda_status find_header(reader *x, ksda_i_source *source) {
    ksda_i_wish wish;
    ksda_i_syntax syntax = x->syntax;
    const char *data, *line;
    size_t size, length;
    ksda_status status = ksda_i_source_peek(source, &data, &size);
    wish_for(x->options, &wish);
    while (status >= 0 && ksda_i_window_line(&data, &size, true, &line, &length))
        if (!ksda_i_top_comment(line, length, &syntax)) {
            if (syntax.separator == 0 && memchr(line, '\t', length)) syntax.separator = '\t';
            break;
        }
    if (status >= 0) status = ksda_i_find_header(x->ctx, source, &wish, &syntax, &x->top);
    if (x->syntax.separator) x->syntax.separator = syntax.separator;
    memcpy(x->syntax.column, syntax.column, sizeof syntax.column);
    return status;
}

static ksda_status parquet_row(void *payload, uint64_t row, ksda_i_field field[2]) {
    reader *x = payload;
    x->lines.number = row; /* for messages */
    x->read++;
    memcpy(x->field, field, 2 * sizeof *field);
    return pair_line(x, field[0].text, 2);
}

static ksda_status read_parquet(reader *x, ksda_i_source *source, ksda_reading *reading) {
    ksda_i_wish wish;
    wish_for(x->options, &wish);
    *reading = (ksda_reading){.columns = 0};
    ksda_i_ids_names(&x->m->names);
    return ksda_i_parquet_rows(x->ctx, source, &wish, parquet_row, x, reading);
}

static ksda_status prepare(reader *x, ksda_i_source *source, bool *parquet) {
    const char *data;
    size_t size;
    ksda_status status = ksda_i_source_peek(source, &data, &size);
    if (status >= 0) status = ksda_i_must_be_text(x->ctx, source);
    if (status < 0) return status;
    *parquet = ksda_i_sniff_parquet(data, size);
    x->syntax = (ksda_i_syntax){.comment = "#%", .column = {0, 1}};
    if (ksda_i_sniff_csv(data, size) || ksda_i_format_by_name(x->options->communities) == &ksda_i_format_csv)
        x->syntax = (ksda_i_syntax){.separator = ',', .quotes = true, .comment = "", .column = {0, 1}};
    x->field_capacity = KSDA_I_COLUMNS;
    x->field = ksda_i_malloc(x->ctx, x->field_capacity, sizeof *x->field);
    x->buffer = ksda_i_malloc(x->ctx, KSDA_I_MAX_LINE, 1);
    x->m->of = ksda_i_malloc(x->ctx, x->graph->n, sizeof *x->m->of);
    if (!x->field || !x->buffer || !x->m->of) return KSDA_NOMEM;
    for (uint32_t v = 0; v < x->graph->n; v++) x->m->of[v] = KSDA_NO_VERTEX;
    x->m->n = x->graph->n;
    ksda_i_lines_open(&x->lines, x->ctx, source);
    return *parquet ? KSDA_OK : find_header(x, source);
}

/* The files after the first. A line at the top that may be a header is one if it is that of the first, too. */
static ksda_status read_part(reader *x, ksda_i_source *source, bool lists) {
    const ksda_i_top first = x->top;
    ksda_status status;
    x->top = (ksda_i_top){0};
    ksda_i_lines_open(&x->lines, x->ctx, source);
    KSDA_I_TRY(ksda_i_must_be_text(x->ctx, source));
    KSDA_I_TRY(find_header(x, source));
    bool same = first.unsure && x->top.unsure && !lists && first.unsure_length == x->top.unsure_length &&
                memcmp(first.unsure, x->top.unsure, first.unsure_length) == 0;
    uint64_t skip = x->top.skip - (x->top.unsure && !same);
    ksda_i_top_clear(x->ctx, &x->top);
    x->top = first;
    return read_lines(x, skip, lists);
done:
    ksda_i_top_clear(x->ctx, &x->top);
    x->top = first;
    return status;
}

static ksda_status read_further_parts(reader *x, bool lists) {
    ksda_i_source *first = x->lines.source;
    ksda_status status = KSDA_OK;
    for (uint64_t i = 1; i < x->parts->count && status >= 0; i++) {
        ksda_i_source *source = NULL;
        x->where = x->parts->path[i];
        status = ksda_i_source_open_text(x->ctx, x->where, x->options->encoding, &source);
        if (status >= 0) status = read_part(x, source, lists);
        ksda_i_source_close(x->ctx, source);
    }
    x->lines.source = first;
    return status;
}

static ksda_status must_be_lines(const reader *x, bool others) {
    if (!others || x->parts->count == 0) return KSDA_OK;
    return ksda_i_error_at(x->ctx, KSDA_UNSUPPORTED, x->where, 0, 0,
                           "the communities files of a folder are text with a vertex and its community, or the members "
                           "of a community, a line");
}

static ksda_status read_communities(reader *x, ksda_i_source *source, ksda_reading *reading) {
    ksda_status status;
    bool lists, parquet = false;
    uint64_t skip = 0;
    KSDA_I_TRY(prepare(x, source, &parquet));
    KSDA_I_TRY(must_be_lines(x, parquet));
    if (parquet) {
        KSDA_I_TRY(read_parquet(x, source, reading));
        KSDA_I_TRY(tell_conflicts(x));
        goto any;
    }
    KSDA_I_TRY(ksda_i_communities_layout(x, source, &lists, &skip));
    *reading = (ksda_reading){.columns = lists ? 0 : x->top.named, .header = x->top.header};
    for (int i = 0; i < 2 && !lists; i++) reading->column[i] = x->syntax.column[i] + 1;
    if (lists)
        ksda_i_ids_range(&x->m->names, 0, 0);
    else
        ksda_i_ids_names(&x->m->names);
    if (lists && x->options->communities_format == KSDA_COMMUNITIES_AUTO)
        ksda_i_note(reading->note, sizeof reading->note,
                    "lines of three fields or more: each line is taken for the members of one community; "
                    "--communities-format pairs if not");
    if (!lists && x->top.named > 2 && !x->options->community_column)
        KSDA_I_TRY(ksda_i_communities_tell_column(x, source, reading));
    if (!lists) KSDA_I_TRY(first_line(x, reading));
    KSDA_I_TRY(read_lines(x, skip, lists));
    KSDA_I_TRY(read_further_parts(x, lists));
    KSDA_I_TRY(tell_conflicts(x));
    KSDA_I_TRY(judge_first(x, reading));
    if (!lists) KSDA_I_TRY(judge_known(x, reading));
    ksda_i_top_note(&x->top, &x->syntax, x->empty, reading->note, sizeof reading->note);
    ksda_i_parts_note(x->parts, "list", reading->note, sizeof reading->note);
any:
    if (x->m->names.count == 0)
        KSDA_I_TRY(
            ksda_i_error_at(x->ctx, KSDA_PARSE, ksda_i_source_name(source), 0, 0, "no communities in this file"));
done:
    return status;
}

static ksda_status open_first(reader *x, ksda_i_parts *parts, ksda_i_source **source) {
    const char *path = x->options->communities;
    ksda_status status = ksda_i_is_folder(path) ? ksda_i_parts_list(x->ctx, path, parts) : KSDA_OK;
    if (status < 0) return status;
    status = ksda_i_source_open_text(x->ctx, parts->count ? parts->path[0] : path, x->options->encoding, source);
    if (status >= 0) x->where = ksda_i_source_name(*source);
    return status;
}

ksda_status ksda_i_read_communities(ksda_ctx *ctx, const ksda_load_options *options, const ksda_graph *graph,
                                    const ksda_i_read *r, ksda_i_membership *m, ksda_reading *reading) {
    ksda_i_source *source = NULL;
    ksda_i_parts parts = {.count = 0};
    reader x = {.ctx = ctx, .options = options, .parts = &parts, .graph = graph, .closed = r->closed, .m = m};
    memset(m, 0, sizeof *m);
    ksda_i_ids_names(&m->extra);
    ksda_i_ids_names(&x.conflicts);
    bool partition = false;
    ksda_status status = open_first(&x, &parts, &source);
    if (status >= 0) status = ksda_i_clu_sniff(ctx, source, x.closed, &partition);
    if (status >= 0) status = must_be_lines(&x, partition);
    if (status >= 0)
        status = partition ? ksda_i_clu_read(ctx, source, graph, r->place, m) : read_communities(&x, source, reading);
    ksda_i_free(ctx, x.field);
    ksda_i_free(ctx, x.buffer);
    ksda_i_ids_clear(ctx, &x.conflicts);
    ksda_i_top_clear(ctx, &x.top);
    ksda_i_source_close(ctx, source);
    ksda_i_parts_clear(ctx, &parts);
    if (status < 0) ksda_i_membership_clear(ctx, m);
    return status;
}
