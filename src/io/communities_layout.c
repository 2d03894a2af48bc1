/* How the lines of a communities file are cut, and which layout it has: a vertex and its community a line, a table with
 * more columns, or lists with the members of one community a line. Decided by its first lines; what was assumed is
 * told. */
#include "io/communities_reader.h"

#include "io/names.h"
#include "io/extras.h"

#include <stdio.h>

typedef ksda_i_communities_reader reader;

/* --- fields ------------------------------------------------------------------------------------------------------ */

ksda_status ksda_i_communities_refuse(const reader *x, uint64_t column, const char *what) {
    ksda_i_problem problem = {.column = column};
    snprintf(problem.text, sizeof problem.text, "%s", what);
    return ksda_i_lines_error(&x->lines, &problem);
}

/* How this line is cut, and to what length. Blanks at its end do not count, nor do tabs, unless a tab is what stands
 * between a vertex and a community that is not there. */
static ksda_i_syntax syntax_of(const reader *x, const char *line, size_t *length) {
    ksda_i_syntax syntax = x->syntax;
    size_t short_length;
    while (*length > 0 && strchr(" \r", line[*length - 1]) && line[*length - 1]) --*length;
    for (short_length = *length; short_length > 0 && (line[short_length - 1] == ' ' || line[short_length - 1] == '\t');)
        short_length--;
    if (syntax.separator) return syntax;
    bool tabs = memchr(line, '\t', short_length) != NULL;
    if (tabs || (short_length < *length && !memchr(line, ' ', short_length))) syntax.separator = '\t';
    if (!syntax.separator) *length = short_length;
    return syntax;
}

/* All fields of a line; *count is 0 for blank lines and comments. */
ksda_status ksda_i_communities_split(reader *x, const char *line, size_t length, int *count) {
    ksda_i_problem problem;
    size_t first = 0;
    *count = 0;
    while (first < length && (line[first] == ' ' || line[first] == '\t' || line[first] == '\r')) first++;
    if (first == length || (line[first] != '\0' && strchr(x->syntax.comment, line[first]))) return KSDA_OK;
    if (x->syntax.separator == 0) line += first, length -= first;
    ksda_i_syntax syntax = syntax_of(x, line, &length);
    const char *end = memchr(line, '\r', length);
    if (end)
        return ksda_i_communities_refuse(x, (uint64_t)(end - line) + 1,
                                         "a carriage return inside a line: lines end with LF or CR LF");
    *count = ksda_i_split(&syntax, line, length, x->field, (unsigned)x->field_capacity, &problem);
    if (*count > (int)x->field_capacity) {
        ksda_status status = ksda_i_reserve(x->ctx, &x->field, &x->field_capacity, (uint64_t)*count, sizeof *x->field);
        if (status < 0) return status;
        ksda_i_split(&syntax, line, length, x->field, (unsigned)x->field_capacity, &problem);
    }
    return *count < 0 ? ksda_i_lines_error(&x->lines, &problem) : KSDA_OK;
}

void ksda_i_communities_drop_empty(const reader *x, unsigned columns, int *count) {
    while (*count > (int)columns && x->field[*count - 1].length == 0) --*count;
}

/* --- the layout --------------------------------------------------------------------------------------------------- */

/* The first line that has fields, into x->field. */
static ksda_status peek_fields(reader *x, ksda_i_source *source, int *count) {
    const char *data, *line;
    size_t size, length;
    ksda_status status = ksda_i_source_peek(source, &data, &size);
    *count = 0;
    for (uint64_t i = 1; status >= 0 && *count == 0 && ksda_i_window_line(&data, &size, true, &line, &length); i++) {
        x->lines.number = i; /* for messages */
        if (i > x->top.says && !ksda_i_top_comment(line, length, &x->syntax))
            status = ksda_i_communities_split(x, line, length, count);
    }
    x->lines.number = 0;
    ksda_i_communities_drop_empty(x, x->top.named, count);
    return status;
}

ksda_status ksda_i_communities_tell_column(reader *x, ksda_i_source *source, ksda_reading *reading) {
    char shown[KSDA_I_SHOWN];
    unsigned column = x->syntax.column[1];
    int count;
    ksda_status status = peek_fields(x, source, &count);
    if (status >= 0 && (int)column < count)
        ksda_i_note(reading->note, sizeof reading->note,
                    "the community is taken from column %u of %d, %s; --community-column takes another", column + 1,
                    count, ksda_i_show(x->field[column].text, x->field[column].length, shown));
    return status;
}

/* Several columns, and nobody says which one holds the community. */
static ksda_status which_column(reader *x, ksda_i_source *source) {
    char list[320] = "", shown[KSDA_I_SHOWN];
    size_t used = 0;
    int count;
    ksda_status status = peek_fields(x, source, &count);
    if (status < 0) return status;
    for (int i = 0; i < count && used + KSDA_I_SHOWN + 4 < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 ksda_i_show(x->field[i].text, x->field[i].length, shown));
    return ksda_i_error_at(x->ctx, KSDA_PARSE, ksda_i_source_name(source), x->top.skip ? x->top.skip : 1, 1,
                           "%d columns, and the community may stand in any: --community-column says which (there are "
                           "%s); or are these --communities-format lists?",
                           count, list);
}

/* A vertex and all its communities behind it: neither layout. */
static ksda_status several_a_line(const reader *x, ksda_i_source *source) {
    return ksda_i_error_at(
        x->ctx, KSDA_PARSE, ksda_i_source_name(source), 0, 0,
        "lines begin with a vertex of the graph, some have three fields or more, and no field behind "
        "the first is a vertex: for several communities of a vertex write a line 'vertex community' "
        "for each; if a line is the members of one community, say --communities-format lists");
}

/* Does a whole line among the first ones have three fields or more? Then these are lists of members, unless all lines
 * have as many and not all of what they hold are vertices: that is a table. */
static ksda_status looks_like_lists(reader *x, ksda_i_source *source, bool *lists, bool *table) {
    const char *data, *line;
    size_t size, length;
    int columns = 0;
    bool even = true;
    uint64_t lines = 0, known[2] = {0}, strangers = 0; /* vertices in the first field, and in those behind it */
    ksda_status status = ksda_i_source_peek(source, &data, &size);
    bool all = size < 65536;
    *lists = *table = false;
    for (uint64_t number = 1; status >= 0 && ksda_i_window_line(&data, &size, all, &line, &length); number++) {
        int count;
        if (number <= x->top.says) continue;
        x->lines.number = number; /* for messages */
        status = ksda_i_communities_split(x, line, length, &count);
        if (status < 0 || ksda_i_all_empty(x->field, (unsigned)count)) continue;
        ksda_i_communities_drop_empty(x, x->top.named, &count);
        *lists |= count > 2;
        even &= columns == 0 || count == columns;
        columns = count;
        lines++;
        for (int i = 0; i < count; i++) {
            bool stranger = ksda_i_ids_find(&x->graph->ids, x->field[i].text, x->field[i].length) == KSDA_NO_VERTEX;
            known[i > 0] += !stranger;
            strangers += i > 0 && stranger;
        }
    }
    x->lines.number = 0;
    *table = *lists && even && strangers && lines > 1;
    return status >= 0 && *lists && !*table && known[0] && !known[1] ? several_a_line(x, source) : status;
}

ksda_status ksda_i_communities_layout(reader *x, ksda_i_source *source, bool *lists, uint64_t *skip) {
    const ksda_load_options *o = x->options;
    bool chosen = o->vertex_column || o->community_column || x->top.known, table = false;
    ksda_status status = KSDA_OK;
    *lists = o->communities_format == KSDA_COMMUNITIES_LISTS;
    if (o->communities_format == KSDA_COMMUNITIES_AUTO && !chosen) status = looks_like_lists(x, source, lists, &table);
    *lists = *lists && !table;
    if (status >= 0 && !*lists && !o->community_column && !x->top.known && x->top.named > 2)
        return which_column(x, source);
    *skip = x->top.skip - (*lists && x->top.unsure);
    return status;
}
