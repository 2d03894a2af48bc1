/* Formats that are not read, told by how they begin. */
#include "io/foreign.h"

#include "io/header.h"

#include <strings.h>

#define CONVERT "; NetworkX, igraph and Gephi write GraphML from it"

/* What a file begins with, blanks and capitals apart. */
static const struct {
    const char *begins, *what;
} beginnings[] = {
    {"*vertices", "Pajek" CONVERT},
    {"*network", "Pajek" CONVERT},
    {"*arcs", "Pajek" CONVERT},
    {"*edges", "Pajek" CONVERT},
    {"nodedef>", "GDF" CONVERT},
    {"dl n", "UCINET DL" CONVERT},
    {"dl\n", "UCINET DL" CONVERT},
    {"graph{", "Graphviz" CONVERT},
    {"digraph ", "Graphviz" CONVERT},
    {"strict graph", "Graphviz" CONVERT},
    {"strict digraph", "Graphviz" CONVERT},
    {">>graph6<<", "graph6" CONVERT},
    {">>sparse6<<", "sparse6" CONVERT},
    {"<", "XML or HTML, but no GraphML"},
    {"{", "JSON"},
    {"[", "JSON"},
};

/* What no file of lines begins with, whatever it is taken for. */
static const struct {
    const char *begins, *what;
} binaries[] = {
    {"PK\x03\x04", "a spreadsheet (.xlsx, .ods) or another archive: save it as CSV (in Excel \"CSV UTF-8\")"},
    {"\xd0\xcf\x11\xe0", "an old spreadsheet (.xls): save it as CSV (in Excel \"CSV UTF-8\")"},
    {"%PDF-", "PDF, which is not read"},
};

static bool begins(const char *data, size_t size, const char *with) {
    size_t length = strlen(with);
    return size >= length && strncasecmp(data, with, length) == 0;
}

/* Does the first line end by opening a brace? */
static bool begins_block(const char *data, size_t size) {
    const char *line;
    size_t length;
    return ksda_i_window_line(&data, &size, true, &line, &length) && length > 0 && line[length - 1] == '{';
}

/* "p edge 5 7" behind lines that begin with c. */
static bool is_dimacs(const char *data, size_t size) {
    static const ksda_i_syntax blanks = {.comment = ""};
    const char *line;
    size_t length;
    bool all = size < 65536;
    while (ksda_i_window_line(&data, &size, all, &line, &length)) {
        ksda_i_field field[4];
        ksda_i_problem ignored;
        uint64_t number;
        if (length == 0 || (line[0] == 'c' && (length == 1 || line[1] == ' '))) continue;
        return ksda_i_split(&blanks, line, length, field, 4, &ignored) == 4 && field[0].length == 1 && line[0] == 'p' &&
               ksda_i_parse_number(field[2].text, field[2].length, &number) &&
               ksda_i_parse_number(field[3].text, field[3].length, &number);
    }
    return false;
}

/* "# name", and below it the neighbours of that vertex, twice at least. */
static bool is_lgl(const char *data, size_t size) {
    static const ksda_i_syntax blanks = {.comment = ""};
    const char *line;
    size_t length;
    bool all = size < 65536, under = false;
    unsigned vertices = 0;
    while (ksda_i_window_line(&data, &size, all, &line, &length)) {
        ksda_i_field field[2];
        ksda_i_problem ignored;
        int count = ksda_i_split(&blanks, line, length, field, 2, &ignored);
        if (count == 0) continue;
        bool vertex = count == 2 && field[0].length == 1 && *field[0].text == '#';
        if (!vertex && (count > 2 || *field[0].text == '#' || (!under && vertices == 0))) return false;
        vertices += under && !vertex;
        under = vertex;
    }
    return vertices >= 2;
}

const char *ksda_i_no_text(const char *data, size_t size) {
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (begins(data, size, binaries[i].begins)) return binaries[i].what;
    return NULL;
}

const char *ksda_i_foreign(const char *name, const char *data, size_t size) {
    size_t length = strlen(name);
    while (size > 0 && strchr(" \t\r\n", *data) && *data) data++, size--;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (begins(data, size, beginnings[i].begins)) return beginnings[i].what;
    if (begins(data, size, "graph ") && begins_block(data, size)) return "Graphviz" CONVERT;
    if (is_dimacs(data, size)) return "DIMACS" CONVERT;
    if (is_lgl(data, size) || (length > 4 && strcasecmp(name + length - 4, ".lgl") == 0)) return "LGL" CONVERT;
    return NULL;
}
