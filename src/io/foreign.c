/* Formats that are not read, told by how they begin. */
#include "io/foreign.h"

#include "io/header.h"

#include <strings.h>

#define CONVERT "; NetworkX, igraph and Gephi write GraphML from it"

/* What a file begins with, blanks and capitals apart. */
static const struct {
    const char *begins, *what;
} beginnings[] = {
    {"nodedef>", "GDF" CONVERT},
    {"graph{", "Graphviz" CONVERT},
    {"digraph ", "Graphviz" CONVERT},
    {"strict graph", "Graphviz" CONVERT},
    {"strict digraph", "Graphviz" CONVERT},
    {">>graph6<<", "graph6" CONVERT},
    {">>sparse6<<", "sparse6" CONVERT},
    {"*arcs", "a part of a Pajek network, which begins with *Vertices"},
    {"*edges", "a part of a Pajek network, which begins with *Vertices"},
    {"*matrix", "a Pajek matrix; save the network as *Vertices with *Arcs or *Edges"},
    {"<", "XML or HTML, but neither GraphML nor GEXF"},
    {"{", "JSON, but no node-link object with nodes and links"},
    {"[", "JSON, but no node-link object with nodes and links"},
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

const char *ksda_i_no_text(const char *data, size_t size) {
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (begins(data, size, binaries[i].begins)) return binaries[i].what;
    return NULL;
}

const char *ksda_i_foreign(const char *data, size_t size) {
    while (size > 0 && strchr(" \t\r\n", *data) && *data) data++, size--;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (begins(data, size, beginnings[i].begins)) return beginnings[i].what;
    if (begins(data, size, "graph ") && begins_block(data, size)) return "Graphviz" CONVERT;
    return NULL;
}
