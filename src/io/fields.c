/* Cutting lines into fields, and the checks a name must pass. None of this is the fast path: lines made of two plain
 * numbers never come here (see digits.h). */
#include "io/fields.h"

#include "io/text.h"

#include <stdio.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static int bad_field(ksda_i_problem *problem, size_t column, const char *text) {
    problem->column = column;
    snprintf(problem->text, sizeof problem->text, "%s", text);
    return KSDA_I_LINE_BAD;
}

/* --- splitting --------------------------------------------------------------------------------------------------- */

static int split_blanks(const char *line, size_t length, ksda_i_field *field, unsigned room) {
    unsigned count = 0;
    for (size_t i = 0; i < length;) {
        while (i < length && (is_blank(line[i]) || line[i] == '\r')) i++;
        size_t begin = i;
        bool data = count >= 2 && i < length && line[i] == '{'; /* {'weight': 3}, as NetworkX writes: one column */
        while (i < length && (data || (!is_blank(line[i]) && line[i] != '\r'))) i++;
        if (i == begin) break;
        if (count < room) field[count] = (ksda_i_field){line + begin, i - begin, false};
        count++;
    }
    return (int)count;
}

/* A quoted field that begins at *at; afterwards *at is behind the closing quote. */
static int quoted(const char *line, size_t length, size_t *at, ksda_i_field *field, ksda_i_problem *problem) {
    size_t i = *at + 1;
    *field = (ksda_i_field){line + i, 0, false};
    for (;; i++) {
        if (i >= length)
            return bad_field(problem, *at + 1,
                             "a quoted field must end on the line it began: take line breaks out of the cells");
        if (line[i] != '"') continue;
        if (i + 1 >= length || line[i + 1] != '"') break;
        field->doubled = true;
        i++;
    }
    field->length = (size_t)(line + i - field->text);
    *at = i + 1;
    return 0;
}

static int split_separated(const ksda_i_syntax *syntax, const char *line, size_t length, ksda_i_field *field,
                           unsigned room, ksda_i_problem *problem) {
    char separator = syntax->separator;
    unsigned count = 0;
    for (size_t i = 0;; i++) { /* i stands at the first byte of a field */
        ksda_i_field one;
        while (i < length && line[i] != separator && is_blank(line[i])) i++;
        if (i < length && line[i] == '"' && syntax->quotes) {
            if (quoted(line, length, &i, &one, problem) < 0) return -1;
            while (i < length && line[i] != separator && is_blank(line[i])) i++;
            if (i < length && line[i] != separator)
                return bad_field(problem, i + 1, "a separator must follow a quoted field");
        } else {
            one = (ksda_i_field){line + i, 0, false};
            while (i < length && line[i] != separator) i++;
            one.length = (size_t)(line + i - one.text);
            while (one.length > 0 && is_blank(one.text[one.length - 1])) one.length--;
        }
        if (count < room) field[count] = one;
        count++;
        if (i >= length) return (int)count;
    }
}

int ksda_i_split(const ksda_i_syntax *syntax, const char *line, size_t length, ksda_i_field *field, unsigned room,
                 ksda_i_problem *problem) {
    if (syntax->separator == 0) return split_blanks(line, length, field, room);
    return split_separated(syntax, line, length, field, room, problem);
}

static int ragged(const ksda_i_syntax *syntax, int count, ksda_i_problem *problem) {
    problem->column = 1;
    snprintf(problem->text, sizeof problem->text,
             "%d column%s here, but %u in the lines before: adjacency lists are not read (one edge a line), %s; "
             "--columns 1,2 takes two columns whatever follows",
             count, count == 1 ? "" : "s", syntax->columns,
             syntax->separator ? "a name that holds the separator needs quotes" : "names with blanks need CSV or TSV");
    return -1;
}

bool ksda_i_all_empty(const ksda_i_field *field, unsigned count) {
    while (count > 0 && field[count - 1].length == 0) count--;
    return count == 0;
}

/* Has the line as many columns as the first one? Empty ones at the end may be there or not. */
static bool even_quotes(const ksda_i_syntax *syntax, const ksda_i_field *field, unsigned count) {
    unsigned most = syntax->columns, least = syntax->separator && syntax->named > 1 ? syntax->named : most;
    if (most == 0 || count == most || (count <= 2 && most <= 2)) return true;
    if (count < least) return false;
    return count < most || (syntax->separator && most < KSDA_I_COLUMNS && count <= KSDA_I_COLUMNS &&
                            ksda_i_all_empty(field + most, count - most));
}

ksda_i_line ksda_i_two_fields(const ksda_i_syntax *syntax, const char *line, size_t length, const char *what,
                              ksda_i_field field[2], ksda_i_problem *problem) {
    ksda_i_field all[KSDA_I_COLUMNS];
    size_t first = 0;
    if (length > KSDA_I_MAX_LINE)
        return bad_field(problem, 1, "a line of more than 1 MiB: this is no list of edges or communities");
    if (length > 0 && line[length - 1] == '\r') length--;
    while (first < length && is_blank(line[first])) first++;
    if (first == length) return KSDA_I_LINE_NONE;
    if (line[first] != '\0' && strchr(syntax->comment, line[first])) return KSDA_I_LINE_NONE;
    const char *end = memchr(line, '\r', length);
    if (end)
        return bad_field(problem, (size_t)(end - line) + 1,
                         "a carriage return inside a line: lines end with LF or CR LF");
    int count = ksda_i_split(syntax, line, length, all, KSDA_I_COLUMNS, problem);
    if (count < 0) return KSDA_I_LINE_BAD;
    if (count <= KSDA_I_COLUMNS && ksda_i_all_empty(all, (unsigned)count)) return KSDA_I_LINE_EMPTY;
    if (!even_quotes(syntax, all, (unsigned)count)) return ragged(syntax, count, problem);
    for (int i = 0; i < 2; i++) {
        unsigned wanted = syntax->column[i];
        if (wanted >= KSDA_I_COLUMNS || wanted >= (unsigned)count) {
            problem->column = length + 1;
            snprintf(problem->text, sizeof problem->text, "%s, but this line has %d field%s", what, count,
                     count == 1 ? "" : "s");
            return KSDA_I_LINE_BAD;
        }
        field[i] = all[wanted];
    }
    return KSDA_I_LINE_PAIR;
}

/* --- names ------------------------------------------------------------------------------------------------------- */

bool ksda_i_name_is_fine(const ksda_i_field *field, const char *line, ksda_i_problem *problem) {
    size_t column = (size_t)(field->text - line) + 1;
    if (field->length == 0) return bad_field(problem, column, "an empty field where an id was expected") == 0;
    for (size_t i = 0; i < field->length;) {
        unsigned char byte = (unsigned char)field->text[i];
        if (byte >= 0x20 && byte < 0x7f) { /* as nearly all are */
            i++;
            continue;
        }
        size_t length = ksda_i_utf8(field->text + i, field->length - i, NULL);
        bool control = byte < 0x20 || byte == 0x7f;
        if (control) {
            problem->column = column + i;
            snprintf(problem->text, sizeof problem->text,
                     "byte 0x%02x is a control character in a name: this is no text", byte);
            return false;
        }
        if (length == 0) {
            problem->column = column + i;
            snprintf(
                problem->text, sizeof problem->text,
                "byte 0x%02x is not valid UTF-8; where this is Windows-1252, as Excel saves plain CSV, read it with "
                "--encoding windows-1252, save it as \"CSV UTF-8\", or convert it: iconv -f WINDOWS-1252 -t UTF-8 "
                "OLD > NEW",
                byte);
            return false;
        }
        i += length;
    }
    return true;
}

ksda_i_field ksda_i_plain_field(const ksda_i_field *field, char *buffer) {
    if (!field->doubled) return *field;
    size_t length = 0;
    for (size_t i = 0; i < field->length; i++) {
        buffer[length++] = field->text[i];
        i += field->text[i] == '"'; /* its twin */
    }
    return (ksda_i_field){buffer, length, false};
}

/* --- lines one by one -------------------------------------------------------------------------------------------- */

void ksda_i_lines_open(ksda_i_lines *lines, ksda_ctx *ctx, ksda_i_source *source) {
    *lines = (ksda_i_lines){.ctx = ctx, .source = source};
}

ksda_status ksda_i_lines_next(ksda_i_lines *lines, const char **line, size_t *length) {
    *line = NULL, *length = 0;
    if (lines->left == 0 && !lines->ended) {
        uint64_t done, total;
        ksda_status status = ksda_i_source_block(lines->source, &lines->next, &lines->left);
        ksda_i_source_position(lines->source, &done, &total);
        if (status >= 0) status = ksda_i_progress(lines->ctx, "reading", done, total);
        if (status < 0) return status;
        lines->ended = lines->left == 0;
    }
    if (lines->ended) return KSDA_OK;
    const char *end = memchr(lines->next, '\n', lines->left);
    lines->number++;
    if (!end) { /* the last line of all, or one that does not fit a block */
        const char *more;
        size_t size;
        ksda_i_problem problem = {1, "a line of many MiB"};
        ksda_status status = ksda_i_source_peek(lines->source, &more, &size);
        if (status < 0 || size > 0) return status < 0 ? status : ksda_i_lines_error(lines, &problem);
    }
    size_t whole = end ? (size_t)(end - lines->next) + 1 : lines->left;
    *line = lines->next;
    *length = end ? whole - 1 : whole;
    if (*length > 0 && (*line)[*length - 1] == '\r') --*length;
    lines->next += whole;
    lines->left -= whole;
    return lines->number % 65536 == 0 ? ksda_i_interrupted(lines->ctx) : KSDA_OK;
}

ksda_status ksda_i_lines_error(const ksda_i_lines *lines, const ksda_i_problem *problem) {
    return ksda_i_error_at(lines->ctx, KSDA_PARSE, ksda_i_source_name(lines->source), lines->number, problem->column,
                           "%s", problem->text);
}
