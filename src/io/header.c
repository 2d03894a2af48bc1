/* The top of a file of lines. Everything here works on the first 64 KiB and errs on the side of "no header": a line
 * that is wrongly taken for data turns up as a strange vertex, a line wrongly taken for a header would be lost in
 * silence. */
#include "io/header.h"

#include <strings.h>

#define ROOM 16

static const char *const edge_words[][2] = {
    {"source", "target"},       {"src", "dst"},           {"from", "to"},       {"fromnodeid", "tonodeid"},
    {"node1", "node2"},         {"node_1", "node_2"},     {"id1", "id2"},       {"id_1", "id_2"},
    {"vertex1", "vertex2"},     {"vertex_1", "vertex_2"}, {"from_id", "to_id"}, {"user1", "user2"},
    {"source_id", "target_id"},
};
static const char *const community_words[][2] = {
    {"vertex", "community"}, {"node", "community"}, {"id", "community"}, {"name", "community"}, {"vertex", "group"},
    {"node", "group"},       {"id", "group"},       {"vertex", "label"}, {"node", "label"},     {"id", "label"},
    {"vertex", "cluster"},   {"node", "cluster"},   {"id", "cluster"},   {"node", "class"},     {"id", "class"},
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
    while (l.text && l.length > 0 && strchr(" \t\r", l.text[l.length - 1])) l.length--;
    return l;
}

static bool is_comment(line l, const ksda_i_syntax *syntax) {
    size_t i = 0;
    while (i < l.length && (l.text[i] == ' ' || l.text[i] == '\t')) i++;
    if (i == l.length || l.text[i] == '\0') return i == l.length;
    if (syntax->separator == 0) return strchr(syntax->comment, l.text[i]) != NULL;
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

static bool is_word(const ksda_i_field *field, const char *word) {
    const char *text = field->text;
    size_t length = field->length;
    for (; length > 0 && (*text == '#' || *text == ' '); length--) text++; /* "# source" */
    return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

static bool known_header(line l, ksda_i_syntax *syntax, ksda_i_header_kind kind) {
    const char *const(*words)[2] = kind == KSDA_I_EDGE_HEADER ? edge_words : community_words;
    size_t pairs = kind == KSDA_I_EDGE_HEADER ? sizeof edge_words / sizeof *edge_words
                                              : sizeof community_words / sizeof *community_words;
    ksda_i_field field[ROOM];
    ksda_i_problem ignored;
    int count = ksda_i_split(syntax, l.text, l.length, field, ROOM, &ignored);
    for (size_t w = 0; w < pairs; w++) {
        int at[2] = {-1, -1};
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < count && i < ROOM; i++)
                if (is_word(&field[i], words[w][side]) && at[side] < 0) at[side] = i;
        if (at[0] < 0 || at[1] < 0) continue;
        syntax->column[0] = (unsigned)at[0];
        syntax->column[1] = (unsigned)at[1];
        return true;
    }
    return false;
}

/* How many of a line's first `ids` fields (one or two) are numbers; -1 when there are no two fields. */
static int numbers_in(line l, const ksda_i_syntax *syntax, int ids) {
    ksda_i_field field[2];
    ksda_i_problem ignored;
    uint64_t number;
    int numbers = 0;
    if (!l.text || ksda_i_split(syntax, l.text, l.length, field, 2, &ignored) < 2) return -1;
    for (int i = 0; i < ids; i++) numbers += ksda_i_parse_number(field[i].text, field[i].length, &number);
    return numbers;
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

ksda_status ksda_i_find_header(ksda_i_source *source, ksda_i_syntax *syntax, ksda_i_header_kind kind, uint64_t *skip) {
    const char *data;
    size_t size;
    uint64_t ignored;
    ksda_status status = ksda_i_source_peek(source, &data, &size);
    *skip = 0;
    if (status < 0) return status;
    bool all = size < 65536;
    line first = first_data(&data, &size, all, syntax, skip);
    if (!first.text || first.length > KSDA_I_MAX_LINE) {
        *skip = 0;
        return KSDA_OK;
    }
    if (syntax->separator == ',' && separator_of(first) == ';') syntax->separator = ';';
    bool header = known_header(first, syntax, kind);
    int ids = kind == KSDA_I_EDGE_HEADER ? 2 : 1;
    if (!header && syntax->separator && numbers_in(first, syntax, ids) == 0)
        header = numbers_in(first_data(&data, &size, all, syntax, &ignored), syntax, ids) == ids;
    *skip += header;
    return KSDA_OK;
}

bool ksda_i_sniff_csv(const char *data, size_t size) {
    ksda_i_syntax syntax = {.separator = ',', .quotes = true, .comment = ""};
    uint64_t passed;
    bool inside = false;
    line l = first_data(&data, &size, size < 65536, &syntax, &passed);
    if (!l.text || l.length == 0 || strchr("<{[%", l.text[0])) return false;
    char separator = separator_of(l);
    if (!separator) return false;
    for (size_t i = 0; i < l.length; i++) { /* a blank between words means that blanks may be what separates them */
        if (l.text[i] == '"') inside = !inside;
        if (!inside && (l.text[i] == '\t' || (l.text[i] == ' ' && l.text[i - (i > 0)] != separator))) return false;
    }
    return !inside;
}

bool ksda_i_sniff_tsv(const char *data, size_t size) {
    ksda_i_syntax syntax = {.separator = '\t', .quotes = true, .comment = ""};
    uint64_t passed;
    line l = first_data(&data, &size, size < 65536, &syntax, &passed);
    return l.text && memchr(l.text, '\t', l.length) && known_header(l, &syntax, KSDA_I_EDGE_HEADER);
}

ksda_status ksda_i_no_attribute(ksda_ctx *ctx, ksda_i_source *source, const char *attribute, ksda_i_read *r) {
    memset(r, 0, sizeof *r);
    if (!attribute) return KSDA_OK;
    return ksda_i_error_at(ctx, KSDA_UNSUPPORTED, ksda_i_source_name(source), 0, 0,
                           "vertex attribute '%s' asked for, but a list of edges has no attributes", attribute);
}
