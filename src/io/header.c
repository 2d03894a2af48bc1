/* The top of a file of lines: everything here works on the first 64 KiB. Where neither the caller nor known words say
 * whether the first line is a header, it is handed to the reader as unsure: the reader sees whether what it says occurs
 * again. */
#include "io/header.h"

#include "io/extras.h"
#include "io/text.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

static const char *const edge_words[][2] = {
    {"source", "target"},       {"src", "dst"},           {"from", "to"},       {"fromnodeid", "tonodeid"},
    {"node1", "node2"},         {"node_1", "node_2"},     {"id1", "id2"},       {"id_1", "id_2"},
    {"vertex1", "vertex2"},     {"vertex_1", "vertex_2"}, {"from_id", "to_id"}, {"user1", "user2"},
    {"source_id", "target_id"},
};
static const char *const community_words[][2] = {
    {"vertex", "community"}, {"node", "community"},      {"id", "community"},
    {"name", "community"},   {"vertex", "group"},        {"node", "group"},
    {"id", "group"},         {"vertex", "label"},        {"node", "label"},
    {"id", "label"},         {"vertex", "cluster"},      {"node", "cluster"},
    {"id", "cluster"},       {"id", "modularity_class"}, {"node", "class"},
    {"id", "class"},         {"id", "department"},       {"name", "department"},
};

typedef struct line {
    const char *text; /* NULL: none */
    size_t length;
} line;

/* The next whole line; a last one that the window cuts off does not count, unless the window holds everything. */
static line next_line(const char **data, size_t *size, bool all) {
    const char *end = *size ? memchr(*data, '\n', *size) : NULL;
    size_t length = end ? (size_t)(end - *data) : *size;
    line l = {end || (all && *size) ? *data : NULL, length};
    size_t whole = end ? length + 1 : *size;
    *data += whole;
    *size -= whole;
    while (l.text && l.length > 0 && strchr(" \r", l.text[l.length - 1])) l.length--;
    return l;
}

/* Nothing but separators: a row of a spreadsheet that was cleared. Which of them the file uses need not be known. */
static bool is_empty_row(line l, const ksda_i_syntax *syntax) {
    size_t i = 0;
    while (i < l.length && l.text[i] && strchr(" \t,;", l.text[i])) i++;
    return syntax->separator && i == l.length;
}

static bool is_comment(line l, const ksda_i_syntax *syntax) {
    size_t i = 0;
    if (is_empty_row(l, syntax)) return true;
    while (i < l.length && (l.text[i] == ' ' || l.text[i] == '\t')) i++;
    if (i == l.length || l.text[i] == '\0') return i == l.length;
    if (*syntax->comment) return strchr(syntax->comment, l.text[i]) != NULL;
    return l.text[i] == '#' && !memchr(l.text, ',', l.length) && !memchr(l.text, ';', l.length) &&
           !memchr(l.text, '\t', l.length);
}

/* The first line that is neither blank nor a comment; *passed counts the lines before it. */
static line first_data(const char **data, size_t *size, bool all, const ksda_i_syntax *syntax, uint64_t *passed) {
    for (*passed = 0;; ++*passed) {
        line l = next_line(data, size, all);
        if (!l.text || !is_comment(l, syntax)) return l;
    }
}

/* The character of a line sep=; as Excel writes and heeds it, or 0. */
static char said_separator(line l) {
    bool quoted = l.length > 2 && l.text[0] == '"' && l.text[l.length - 1] == '"';
    if (quoted) l.text++, l.length -= 2;
    if (l.length != 5 || strncasecmp(l.text, "sep=", 4) != 0) return 0;
    char c = l.text[4];
    return c == '\t' || (ispunct((unsigned char)c) && c != '"') ? c : 0;
}

static bool is_word(const ksda_i_field *field, const char *word) {
    const char *text = field->text;
    size_t length = field->length;
    for (; length > 0 && (*text == '#' || *text == ' '); length--) text++; /* "# source" */
    return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

/* Which of several columns holds the community is known only if a single one is called so, and a label (often a
 * person's name) is no such word then. */
static bool one_community_column(const ksda_i_field *field, int count, unsigned column) {
    for (int i = 0; i < count && i < KSDA_I_COLUMNS; i++)
        for (size_t w = 0; w < sizeof community_words / sizeof *community_words; w++)
            if ((unsigned)i != column && is_word(&field[i], community_words[w][1]) && !is_word(&field[i], "label"))
                return false;
    return !is_word(&field[column], "label");
}

bool ksda_i_known_columns(const ksda_i_field *field, int count, ksda_i_header_kind kind, unsigned column[2]) {
    const char *const(*words)[2] = kind == KSDA_I_EDGE_HEADER ? edge_words : community_words;
    size_t pairs = kind == KSDA_I_EDGE_HEADER ? sizeof edge_words / sizeof *edge_words
                                              : sizeof community_words / sizeof *community_words;
    for (size_t w = 0; w < pairs; w++) {
        int at[2] = {-1, -1};
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < count && i < KSDA_I_COLUMNS; i++)
                if (is_word(&field[i], words[w][side]) && at[side] < 0) at[side] = i;
        if (at[0] < 0 || at[1] < 0) continue;
        if (kind != KSDA_I_EDGE_HEADER && count > 2 && !one_community_column(field, count, (unsigned)at[1])) continue;
        column[0] = (unsigned)at[0];
        column[1] = (unsigned)at[1];
        return true;
    }
    return false;
}

static bool known_header(line l, ksda_i_syntax *syntax, ksda_i_header_kind kind) {
    ksda_i_field field[KSDA_I_COLUMNS];
    ksda_i_problem ignored;
    int count = ksda_i_split(syntax, l.text, l.length, field, KSDA_I_COLUMNS, &ignored);
    return ksda_i_known_columns(field, count, kind, syntax->column);
}

bool ksda_i_edge_words(const char *one, size_t one_length, const char *two, size_t two_length) {
    ksda_i_field field[2] = {{one, one_length, false}, {two, two_length, false}};
    for (size_t w = 0; w < sizeof edge_words / sizeof *edge_words; w++)
        if ((is_word(&field[0], edge_words[w][0]) && is_word(&field[1], edge_words[w][1])) ||
            (is_word(&field[0], edge_words[w][1]) && is_word(&field[1], edge_words[w][0])))
            return true;
    return false;
}

ksda_status ksda_i_wish_columns(ksda_ctx *ctx, const char *columns, ksda_i_wish *wish) {
    const char *comma = columns ? strchr(columns, ',') : NULL;
    if (!columns) return KSDA_OK;
    if (!comma || comma == columns || !comma[1])
        return ksda_i_error(ctx, KSDA_INVALID, "columns '%s': two names or numbers with a comma between them expected",
                            columns);
    wish->column[0] = columns, wish->length[0] = (size_t)(comma - columns);
    wish->column[1] = comma + 1, wish->length[1] = strlen(comma + 1);
    return KSDA_OK;
}

/* The comma or semicolon that comes first outside quotes, or 0. */
static char separator_of(line l) {
    bool inside = false;
    for (size_t i = 0; i < l.length; i++) {
        if (l.text[i] == '"') inside = !inside;
        if (!inside && (l.text[i] == ',' || l.text[i] == ';')) return l.text[i];
    }
    return 0;
}

void ksda_i_top_clear(ksda_ctx *ctx, ksda_i_top *top) {
    ksda_i_free(ctx, top->unsure);
    ksda_i_free(ctx, top->words);
    *top = (ksda_i_top){.skip = 0};
}

void ksda_i_top_note(const ksda_i_top *top, const ksda_i_syntax *syntax, uint64_t further, char *note, size_t size) {
    uint64_t empty = top->empty + further;
    char said[] = {'\'', syntax->separator, '\'', '\0'};
    if (top->says)
        ksda_i_note(note, size, "line %llu says that %s separates the fields", (unsigned long long)top->says,
                    syntax->separator == '\t' ? "a tab" : said);
    if (top->tabs) ksda_i_note(note, size, "tabs separate the fields, not commas or semicolons");
    if (empty)
        ksda_i_note(note, size, "%llu empty row%s passed over", (unsigned long long)empty,
                    empty == 1 ? " is" : "s are");
}

bool ksda_i_window_line(const char **data, size_t *size, bool all, const char **text, size_t *length) {
    line l = next_line(data, size, all);
    *text = l.text, *length = l.length;
    return l.text != NULL;
}

bool ksda_i_top_comment(const char *text, size_t length, const ksda_i_syntax *syntax) {
    return is_comment((line){text, length}, syntax);
}

/* --- columns that were asked for --------------------------------------------------------------------------------- */

static bool called(const ksda_i_field *field, const char *name, size_t length, bool exactly) {
    if (field->length != length) return false;
    return exactly ? memcmp(field->text, name, length) == 0 : strncasecmp(field->text, name, length) == 0;
}

static ksda_status no_such_column(ksda_ctx *ctx, ksda_i_source *source, uint64_t number, const ksda_i_field *field,
                                  int count, const char *name, size_t length) {
    char wanted[KSDA_I_SHOWN], shown[KSDA_I_SHOWN], list[400] = "";
    size_t used = 0;
    for (int i = 0; i < count && used + KSDA_I_SHOWN + 8 < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 ksda_i_show(field[i].text, field[i].length, shown));
    return ksda_i_error_at(ctx, KSDA_PARSE, ksda_i_source_name(source), number, 1,
                           "no column is called %s; there are %s", ksda_i_show(name, length, wanted), list);
}

/* Columns by number need no header, columns by name make the first line one. */
static ksda_status wished_columns(ksda_ctx *ctx, ksda_i_source *source, const ksda_i_wish *wish, line first,
                                  ksda_i_syntax *syntax, ksda_i_top *top) {
    ksda_i_field field[KSDA_I_COLUMNS];
    ksda_i_problem problem;
    int count = ksda_i_split(syntax, first.text, first.length, field, KSDA_I_COLUMNS, &problem);
    if (count > KSDA_I_COLUMNS) count = KSDA_I_COLUMNS;
    for (int side = 0; side < 2; side++) {
        const char *name = wish->column[side];
        size_t length = wish->length[side];
        uint64_t number;
        int at = -1;
        if (!name) continue;
        if (ksda_i_parse_number(name, length, &number) && number >= 1 && number <= KSDA_I_COLUMNS) {
            syntax->column[side] = (unsigned)number - 1;
            continue;
        }
        if (wish->header == KSDA_HEADER_NO)
            return ksda_i_error(ctx, KSDA_INVALID, "a column is called '%.*s', but there is to be no header",
                                (int)length, name);
        for (int i = 0; i < count && at < 0; i++) at = called(&field[i], name, length, true) ? i : -1;
        for (int i = 0; i < count && at < 0; i++) at = called(&field[i], name, length, false) ? i : -1;
        if (at < 0) return no_such_column(ctx, source, top->skip + 1, field, count, name, length);
        syntax->column[side] = (unsigned)at;
        top->header = top->skip + 1;
    }
    return KSDA_OK;
}

/* --- the first line ---------------------------------------------------------------------------------------------- */

static unsigned fields_of(line l, const ksda_i_syntax *syntax) {
    ksda_i_problem ignored;
    int count = l.text ? ksda_i_split(syntax, l.text, l.length, NULL, 0, &ignored) : 0;
    return count > 0 ? (unsigned)count : 0;
}

/* How many of these fields there are when empty ones at the end do not count. */
static unsigned named_of(line l, const ksda_i_syntax *syntax) {
    ksda_i_field field[KSDA_I_COLUMNS];
    ksda_i_problem ignored;
    int count = l.text ? ksda_i_split(syntax, l.text, l.length, field, KSDA_I_COLUMNS, &ignored) : 0;
    if (count > KSDA_I_COLUMNS) return (unsigned)count;
    while (count > 0 && field[count - 1].length == 0) count--;
    return count > 0 ? (unsigned)count : 0;
}

/* No header says 007 or -1, which are names here. */
static bool like_a_number(const ksda_i_field *f) {
    ksda_i_text t = {.at = f->text, .end = f->text + f->length};
    return ksda_i_text_skip_number(&t) && t.at == t.end;
}

/* Is one of the ids of this line a number? (Or are they not there, or is the line no line?) Then it is data. */
static bool surely_data(line l, const ksda_i_syntax *syntax, ksda_i_header_kind kind) {
    ksda_i_field field[KSDA_I_COLUMNS];
    ksda_i_problem ignored;
    int count = ksda_i_split(syntax, l.text, l.length, field, KSDA_I_COLUMNS, &ignored);
    for (int i = 0; i < (kind == KSDA_I_EDGE_HEADER ? 2 : 1); i++) {
        if ((int)syntax->column[i] >= count || syntax->column[i] >= KSDA_I_COLUMNS) return true;
        const ksda_i_field *f = &field[syntax->column[i]];
        if (like_a_number(f) || !ksda_i_name_is_fine(f, l.text, &ignored)) return true;
    }
    return false;
}

/* "# FromNodeId ToNodeId" among the comments: then the first line is no second header. */
static bool commented_header(const char *data, size_t size, uint64_t comments, ksda_i_syntax syntax,
                             ksda_i_header_kind kind) {
    while (comments-- > 0) {
        line l = next_line(&data, &size, true);
        size_t i = 0;
        while (l.text && i < l.length && strchr(" \t#%", l.text[i])) i++;
        if (l.text && known_header((line){l.text + i, l.length - i}, &syntax, kind)) return true;
    }
    return false;
}

/* The letters before the digits that a name ends with; 0: there are none of the one or of the other. */
static size_t stem_of(const ksda_i_field *f) {
    size_t length = f->length;
    while (length > 0 && f->text[length - 1] >= '0' && f->text[length - 1] <= '9') length--;
    return length < f->length ? length : 0;
}

/* id1 and id2 above id3 and id4: numbered names, of which these are the first. */
static bool is_numbered(line l, line next, const ksda_i_syntax *syntax) {
    ksda_i_field one[KSDA_I_COLUMNS], two[KSDA_I_COLUMNS];
    ksda_i_problem ignored;
    int ones = ksda_i_split(syntax, l.text, l.length, one, KSDA_I_COLUMNS, &ignored);
    int twos = next.text ? ksda_i_split(syntax, next.text, next.length, two, KSDA_I_COLUMNS, &ignored) : 0;
    for (int i = 0; i < 2; i++) {
        unsigned at = syntax->column[i];
        if ((int)at >= ones || (int)at >= twos || at >= KSDA_I_COLUMNS) return false;
        size_t stem = stem_of(&one[at]);
        if (stem == 0 || stem_of(&two[at]) != stem || strncasecmp(one[at].text, two[at].text, stem) != 0) return false;
    }
    return true;
}

static ksda_status keep_line(ksda_ctx *ctx, line l, char **copy, size_t *length) {
    if (!(*copy = ksda_i_malloc(ctx, l.length, 1))) return KSDA_NOMEM;
    memcpy(*copy, l.text, l.length);
    *length = l.length;
    return KSDA_OK;
}

static ksda_status judge_first(ksda_ctx *ctx, const ksda_i_wish *wish, line first, line next, bool sure,
                               ksda_i_syntax *syntax, ksda_i_top *top) {
    bool asked = wish->column[0] || wish->column[1];
    ksda_i_syntax by_words = *syntax;
    if (!top->header && !sure && wish->header != KSDA_HEADER_NO && !asked &&
        known_header(first, &by_words, wish->kind) &&
        (wish->header == KSDA_HEADER_YES || !is_numbered(first, next, &by_words))) {
        top->known = true;
        *syntax = by_words;
    }
    if (top->known || wish->header == KSDA_HEADER_YES) top->header = top->skip + 1;
    if (top->known && wish->header == KSDA_HEADER_AUTO) return keep_line(ctx, first, &top->words, &top->words_length);
    if (top->header || sure || wish->header == KSDA_HEADER_NO || surely_data(first, syntax, wish->kind)) return KSDA_OK;
    return keep_line(ctx, first, &top->unsure, &top->unsure_length);
}

/* The first line of data of the window, past one that says the separator. */
static line find_first(const char **data, size_t *size, bool all, ksda_i_syntax *syntax, ksda_i_top *top) {
    const char *begin = *data;
    uint64_t further;
    line first = first_data(data, size, all, syntax, &top->skip);
    char said = first.text && syntax->separator ? said_separator(first) : 0;
    if (said) {
        syntax->separator = said;
        top->says = ++top->skip;
        first = first_data(data, size, all, syntax, &further);
        top->skip += further;
    } else if (first.text && syntax->separator == ',' && separator_of(first) != ',') {
        bool tabs = separator_of(first) == 0 && memchr(first.text, '\t', first.length);
        top->tabs = tabs ? top->skip + 1 : 0;
        syntax->separator = tabs ? '\t' : separator_of(first) ? ';' : ',';
    }
    for (size_t left = (size_t)(*data - begin); left > 0 && first.text;) {
        line l = next_line(&begin, &left, true);
        top->empty += l.text < first.text && l.length > 0 && is_empty_row(l, syntax);
    }
    return first;
}

ksda_status ksda_i_find_header(ksda_ctx *ctx, ksda_i_source *source, const ksda_i_wish *wish, ksda_i_syntax *syntax,
                               ksda_i_top *top) {
    const char *data, *begin;
    size_t size, window;
    uint64_t ignored;
    ksda_status status = ksda_i_source_peek(source, &data, &size);
    begin = data, window = size;
    *top = (ksda_i_top){.skip = 0};
    if (status < 0) return status;
    bool all = size < 65536;
    line first = find_first(&data, &size, all, syntax, top);
    if (!first.text || first.length > KSDA_I_MAX_LINE) {
        *top = (ksda_i_top){.skip = top->says, .says = top->says};
        return KSDA_OK;
    }
    KSDA_I_TRY(wished_columns(ctx, source, wish, first, syntax, top));
    bool sure = *syntax->comment && commented_header(begin, window, top->skip, *syntax, wish->kind);
    line next = first_data(&data, &size, all, syntax, &ignored);
    KSDA_I_TRY(judge_first(ctx, wish, first, next, sure, syntax, top));
    top->columns = fields_of(first, syntax);
    if (top->header && syntax->separator == 0) /* "from to" may stand above three columns */
        top->columns = fields_of(next, syntax);
    top->named = syntax->separator ? named_of(first, syntax) : top->columns;
    top->skip += top->header || top->unsure;
done:
    return status;
}

/* How many fields every line of the window has; 0: not all have as many, or there is only one line. */
static unsigned even_columns(const char *data, size_t size, const ksda_i_syntax *syntax) {
    bool all = size < 65536;
    uint64_t passed, lines = 0;
    unsigned columns = 0;
    for (line l = first_data(&data, &size, all, syntax, &passed); l.text; l = next_line(&data, &size, all)) {
        unsigned count = fields_of(l, syntax);
        if (l.length == 0 || (syntax->separator == 0 && is_comment(l, syntax))) continue;
        if (columns && count != columns) return 0;
        columns = count;
        lines++;
    }
    return lines > 1 ? columns : 0;
}

/* Do all lines have as many fields by this separator, two or more, but not by blanks? Then blanks belong to names. */
static bool blanks_in_names(const char *data, size_t size, char separator) {
    ksda_i_syntax by = {.separator = separator, .quotes = true, .comment = ""}, blanks = {.comment = "#%"};
    return even_columns(data, size, &by) > 1 && even_columns(data, size, &blanks) == 0;
}

bool ksda_i_sniff_csv(const char *data, size_t size) {
    ksda_i_syntax syntax = {.separator = ',', .quotes = true, .comment = ""};
    const char *window = data;
    size_t window_size = size;
    uint64_t passed;
    bool inside = false;
    line l = first_data(&data, &size, size < 65536, &syntax, &passed);
    if (!l.text || l.length == 0 || strchr("<{[%", l.text[0])) return false;
    if (said_separator(l)) return true;
    char separator = separator_of(l);
    if (!separator) return false;
    for (size_t i = 0; i < l.length; i++) { /* a blank between words means that blanks may be what separates them */
        if (l.text[i] == '"') inside = !inside;
        if (!inside && (l.text[i] == '\t' || (l.text[i] == ' ' && l.text[i - (i > 0)] != separator)))
            return blanks_in_names(window, window_size, separator);
    }
    return !inside;
}

bool ksda_i_sniff_tsv(const char *data, size_t size) {
    ksda_i_syntax syntax = {.separator = '\t', .quotes = true, .comment = ""};
    const char *window = data;
    size_t window_size = size;
    uint64_t passed;
    line l = first_data(&data, &size, size < 65536, &syntax, &passed);
    if (!l.text || !memchr(l.text, '\t', l.length)) return false;
    return known_header(l, &syntax, KSDA_I_EDGE_HEADER) || blanks_in_names(window, window_size, '\t');
}

ksda_status ksda_i_no_attribute(ksda_ctx *ctx, ksda_i_source *source, const char *attribute, ksda_i_read *r) {
    memset(r, 0, sizeof *r);
    if (!attribute) return KSDA_OK;
    return ksda_i_error_at(ctx, KSDA_UNSUPPORTED, ksda_i_source_name(source), 0, 0,
                           "vertex attribute '%s' asked for, but a list of edges has no attributes", attribute);
}
