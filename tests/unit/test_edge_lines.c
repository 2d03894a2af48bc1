/* Edge lists, CSV and TSV: random graphs in random spellings against a slow reference, and everything that must be
 * refused. */
#include "core/random.h"
#include "format_check.h"
#include "random_graph.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include <cmocka.h>

/* --- a slow reference -------------------------------------------------------------------------------------------- */

#define NAMES 40

typedef struct list {
    char name[NAMES][32]; /* what vertices may be called */
    unsigned names;
    unsigned (*edge)[2];
    unsigned edges;
    bool extras; /* further columns in every line */
} list;

static bool numeric(const char *name) {
    uint64_t number;
    return ksda_i_parse_number(name, strlen(name), &number);
}

/* The vertex order the reader must find: ascending numbers, else first appearance. Returns how many there are. */
static unsigned order(const list *l, unsigned *vertex) {
    unsigned count = 0;
    bool numbers = true;
    for (unsigned e = 0; e < 2 * l->edges; e++) {
        unsigned v = l->edge[e / 2][e % 2], i = 0;
        while (i < count && vertex[i] != v) i++;
        if (i == count) vertex[count++] = v;
        numbers &= numeric(l->name[v]);
    }
    for (unsigned i = 0; numbers && i < count; i++)
        for (unsigned j = i + 1; j < count; j++)
            if (strtoull(l->name[vertex[j]], NULL, 10) < strtoull(l->name[vertex[i]], NULL, 10)) {
                unsigned swap = vertex[i];
                vertex[i] = vertex[j], vertex[j] = swap;
            }
    return count;
}

static void assert_is(const ksda_graph *g, const list *l, const char *text) {
    unsigned vertex[NAMES], count = order(l, vertex), loops = 0, distinct = 0;
    if (g->n != count) fail_msg("%u vertices, not %u, in:\n%s", g->n, count, text);
    for (unsigned i = 0; i < count; i++) {
        char name[64];
        ksda_graph_name(g, i, name, sizeof name);
        if (strcmp(name, l->name[vertex[i]]) != 0)
            fail_msg("vertex %u is %s, not %s, in:\n%s", i, name, l->name[vertex[i]], text);
        assert_int_equal(ksda_graph_find(g, name, strlen(name)), i);
        for (unsigned j = i + 1; j < count; j++) {
            bool there = false;
            for (unsigned e = 0; e < l->edges && !there; e++)
                there = (l->edge[e][0] == vertex[i] && l->edge[e][1] == vertex[j]) ||
                        (l->edge[e][1] == vertex[i] && l->edge[e][0] == vertex[j]);
            distinct += there;
            if (there != (bool)ksda_graph_adjacent(g, i, j))
                fail_msg("edge %s-%s in:\n%s", name, l->name[vertex[j]], text);
        }
    }
    for (unsigned e = 0; e < l->edges; e++) loops += l->edge[e][0] == l->edge[e][1];
    assert_int_equal(g->m, distinct);
    assert_int_equal(g->cleaning.input_edges, l->edges);
    assert_int_equal(g->cleaning.self_loops, loops);
    assert_int_equal(g->cleaning.duplicate_edges, l->edges - loops - distinct);
}

/* --- random lists and spellings ---------------------------------------------------------------------------------- */

static void random_name(ksda_i_rng *r, unsigned kind, unsigned i, char *name) {
    static const char *const odd[] = {"al", "\xc3\xa9", "x#", "-", "007", "1e5", "a%b", "99999999999999999999999",
                                      "+1", "0x"};
    switch (kind) {
    case 0: sprintf(name, "%u", i); break;
    case 1: sprintf(name, "%" PRIu64, ksda_i_mix(i) >> ksda_i_rng_below(r, 40)); break;
    case 2: sprintf(name, "%u", i + 99999990u); break;                        /* eight and nine digits */
    case 3: sprintf(name, "%" PRIu64, i + UINT64_C(9999999999999980)); break; /* sixteen and seventeen */
    case 4: sprintf(name, "%" PRIu64, UINT64_MAX - i); break;
    default:
        if (ksda_i_rng_below(r, 3) == 0)
            sprintf(name, "%u", i);
        else
            sprintf(name, "%s%u", odd[ksda_i_rng_below(r, sizeof odd / sizeof *odd)], i);
    }
}

static list random_list(ksda_i_rng *r, unsigned kind) {
    list l = {.names = 1 + (unsigned)ksda_i_rng_below(r, NAMES),
              .edges = 1 + (unsigned)ksda_i_rng_below(r, 60),
              .extras = ksda_i_rng_below(r, 3) == 0};
    for (unsigned i = 0; i < l.names; i++) random_name(r, kind, i, l.name[i]);
    l.edge = malloc(l.edges * sizeof *l.edge);
    for (unsigned e = 0; e < l.edges; e++)
        for (int i = 0; i < 2; i++) l.edge[e][i] = (unsigned)ksda_i_rng_below(r, l.names);
    return l;
}

static size_t some_blanks(ksda_i_rng *r, char *text, unsigned least) {
    size_t count = least + ksda_i_rng_below(r, 3) * ksda_i_rng_below(r, 2);
    for (size_t i = 0; i < count; i++) text[i] = ksda_i_rng_below(r, 2) ? ' ' : '\t';
    return count;
}

static size_t spell_blanks(ksda_i_rng *r, const list *l, unsigned e, char *text) {
    size_t at = 0;
    while (ksda_i_rng_below(r, 6) == 0)
        at += (size_t)sprintf(text + at, "%s",
                              ksda_i_rng_below(r, 2)   ? "# 1 2\n"
                              : ksda_i_rng_below(r, 2) ? "\r\n"
                                                       : "  %x\n");
    if (ksda_i_rng_below(r, 4) == 0) at += some_blanks(r, text + at, 0);
    at += (size_t)sprintf(text + at, "%s", l->name[l->edge[e][0]]);
    at += some_blanks(r, text + at, 1);
    at += (size_t)sprintf(text + at, "%s", l->name[l->edge[e][1]]);
    if (l->extras) at += (size_t)sprintf(text + at, " 0.5\t17 #");
    if (ksda_i_rng_below(r, 4) == 0) at += some_blanks(r, text + at, 0);
    if (e + 1 < l->edges || ksda_i_rng_below(r, 2))
        at += (size_t)sprintf(text + at, ksda_i_rng_below(r, 4) ? "\n" : "\r\n");
    return at;
}

static size_t spell_field(ksda_i_rng *r, const char *name, char *text) {
    size_t at = 0;
    if (ksda_i_rng_below(r, 5) == 0) text[at++] = ' ';
    at += (size_t)sprintf(text + at, ksda_i_rng_below(r, 3) ? "%s" : "\"%s\"", name);
    if (ksda_i_rng_below(r, 5) == 0) text[at++] = ' ';
    return at;
}

static size_t spell_separated(ksda_i_rng *r, const list *l, unsigned e, char separator, char *text) {
    size_t at = 0;
    if (ksda_i_rng_below(r, 9) == 0) at += (size_t)sprintf(text + at, "\n");
    at += spell_field(r, l->name[l->edge[e][0]], text + at);
    text[at++] = separator;
    at += spell_field(r, l->name[l->edge[e][1]], text + at);
    if (l->extras) at += (size_t)sprintf(text + at, "%c\"a,b\"%c", separator, separator);
    if (e + 1 < l->edges || ksda_i_rng_below(r, 2))
        at += (size_t)sprintf(text + at, ksda_i_rng_below(r, 4) ? "\n" : "\r\n");
    return at;
}

/* Without a header, unless one is spelled out. */
static ksda_status read_plain(ksda_ctx *ctx, const ksda_i_format *row, const char *text, size_t size, ksda_i_read *r) {
    ksda_load_options options;
    ksda_i_source *source;
    ksda_load_options_init(&options);
    if (strncmp(text, "# made", 6) != 0) options.header = KSDA_HEADER_NO;
    assert_int_equal(ksda_i_source_memory(ctx, "text", text, size, &source), KSDA_OK);
    ksda_status status = row->read(ctx, source, &options, r);
    ksda_i_source_close(ctx, source);
    return status;
}

static void check_text(ksda_ctx *ctx, const ksda_i_format *row, const list *l, const char *text, size_t size) {
    ksda_i_read r;
    char *exact = malloc(size); /* so that a byte read too far is noticed */
    memcpy(exact, text, size);
    if (read_plain(ctx, row, exact, size, &r) < 0) fail_msg("%s in:\n%s", ksda_ctx_error(ctx)->message, text);
    free(exact);
    assert_is(r.graph, l, text);
    ksda_i_read_clear(ctx, &r);
}

static void any_spelling_is_the_same_graph(void **state) {
    static char text[20000];
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t seed = 0; seed < 4000; seed++) {
        ksda_i_rng r = ksda_i_rng_stream(seed, 0x7370656c, 0);
        list l = random_list(&r, (unsigned)(seed % 6));
        size_t size = 0, csv = 0;
        char separator = seed % 3 == 0 ? ',' : seed % 3 == 1 ? ';' : '\t';
        ksda_ctx_set_threads(ctx, 1 + (unsigned)(seed % 3));
        for (unsigned e = 0; e < l.edges; e++) size += spell_blanks(&r, &l, e, text + size);
        check_text(ctx, &ksda_i_format_edges, &l, text, size);
        if (seed % 2) csv += (size_t)sprintf(text, "# made by hand\nweight%csource%cTARGET", separator, separator);
        if (seed % 2) csv += (size_t)sprintf(text + csv, l.extras ? "%cone%cmore\n" : "\n", separator, separator);
        for (unsigned e = 0; e < l.edges; e++) {
            if (seed % 2) csv += (size_t)sprintf(text + csv, "1.5%c", separator);
            csv += spell_separated(&r, &l, e, separator, text + csv);
        }
        if (seed % 2 && strstr(text, "\n1.5,\n")) goto next; /* a blank line was spelled where a weight stands */
        if (seed % 2 && strstr(text, "\n1.5;\n")) goto next;
        if (seed % 2 && strstr(text, "\n1.5\t\n")) goto next;
        check_text(ctx, separator == '\t' ? &ksda_i_format_tsv : &ksda_i_format_csv, &l, text, csv);
    next:
        free(l.edge);
    }
    ksda_ctx_free(ctx);
}

/* --- large files: many pieces, several blocks -------------------------------------------------------------------- */

/* Edges of a ring with chords; from edge `from` on, vertices have names. */
static char *large_text(unsigned edges, unsigned from, uint64_t add, size_t *size) {
    char *text = malloc((size_t)edges * 48 + 1);
    *size = 0;
    for (unsigned e = 0; e < edges; e++) {
        uint64_t u = add + e % 70001, v = add + (e * 7919ull + e / 70001) % 70001;
        *size +=
            (size_t)sprintf(text + *size, e >= from ? "%" PRIu64 " v%" PRIu64 "\n" : "%" PRIu64 " %" PRIu64 "\n", u, v);
    }
    return text;
}

/* The same read by a plain loop over the lines. */
static ksda_graph *read_plainly(ksda_ctx *ctx, const char *text) {
    ksda_i_ids ids;
    ksda_graph *g;
    uint32_t *pair = malloc(strlen(text) * sizeof *pair);
    uint64_t m = 0;
    ksda_i_ids_names(&ids);
    for (const char *at = text; *at; m++) {
        for (int i = 0; i < 2; i++) {
            size_t length = strcspn(at, " \n");
            assert_int_equal(ksda_i_ids_intern(ctx, &ids, at, length, &pair[2 * m + (unsigned)i]), KSDA_OK);
            at += length + 1;
        }
    }
    assert_int_equal(ksda_graph_from_edges(ctx, ids.count, m, pair, &g), KSDA_OK);
    g->ids = ids;
    free(pair);
    return g;
}

/* Compressed, so that it is read as a stream, in several blocks. */
static char *gzipped(char *text, size_t *size) {
    char *packed = malloc(*size + 1000);
    z_stream z = {.next_in = (unsigned char *)text, .avail_in = (unsigned)*size};
    z.next_out = (unsigned char *)packed;
    z.avail_out = (unsigned)*size + 1000;
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    *size = (size_t)(z.next_out - (unsigned char *)packed);
    free(text);
    return packed;
}

static void names_may_come_late(void **state) {
    static const unsigned from[] = {0, 40000, 419999};
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (unsigned k = 0; k < 3; k++) {
        size_t size;
        char *text = large_text(420000, from[k], k == 1 ? 0 : UINT64_C(1) << 33, &size);
        ksda_graph *slow = read_plainly(ctx, text);
        if (k == 2) text = gzipped(text, &size);
        for (unsigned threads = 1; threads <= 8; threads = threads == 1 ? 2 : 4 * threads) {
            ksda_i_read r;
            ksda_ctx_set_threads(ctx, threads);
            assert_int_equal(read_text(ctx, &ksda_i_format_edges, text, size, NULL, &r), KSDA_OK);
            assert_true(same_graph(slow, r.graph, false));
            ksda_i_read_clear(ctx, &r);
        }
        ksda_graph_free(ctx, slow);
        free(text);
    }
    ksda_ctx_free(ctx);
}

static void threads_do_not_matter(void **state) {
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (unsigned k = 0; k < 3; k++) {
        ksda_i_read r[3];
        size_t size;
        char *text = large_text(600000, UINT32_MAX, k == 0 ? 0 : k == 1 ? 1000000000 : UINT64_C(1) << 60, &size);
        for (unsigned i = 0; i < 3; i++) {
            ksda_ctx_set_threads(ctx, i == 0 ? 1 : i == 1 ? 2 : 8);
            assert_int_equal(read_text(ctx, &ksda_i_format_edges, text, size, NULL, &r[i]), KSDA_OK);
            assert_true(same_graph(r[0].graph, r[i].graph, false));
            assert_int_equal(r[i].graph->ids.kind, KSDA_I_IDS_RANGE); /* no number went through a string */
        }
        for (unsigned i = 0; i < 3; i++) ksda_i_read_clear(ctx, &r[i]);
        free(text);
    }
    ksda_ctx_free(ctx);
}

static void a_late_error_knows_its_line(void **state) {
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (unsigned threads = 1; threads <= 8; threads *= 8)
        for (unsigned from = 0; from <= 400000; from += 400000) {
            ksda_i_read r;
            size_t size;
            char *text = large_text(400000, from, UINT64_C(1) << 33, &size); /* some nine megabytes */
            ksda_ctx_set_threads(ctx, threads);
            size += (size_t)sprintf(text + size, "5 \t 7\n17 \n3 \x01\n");
            if (threads == 8) text = gzipped(text, &size);
            assert_int_equal(read_text(ctx, &ksda_i_format_edges, text, size, NULL, &r), KSDA_PARSE);
            assert_int_equal(ksda_ctx_error(ctx)->line, 400002);
            assert_non_null(strstr(ksda_ctx_error(ctx)->message, "has 1 field"));
            free(text);
        }
    ksda_ctx_free(ctx);
}

/* --- what must be refused ---------------------------------------------------------------------------------------- */

static void bad_lists(void **state) {
    static const bad_text bad[] = {
        {"", 0, 0, "no edges"},
        {"# nothing\n\n  \n", 0, 0, "no edges"},
        {"1 2\n3\n", 2, 2, "has 1 field"},
        {"1 2\nalice\n", 2, 6, "has 1 field"},
        {"1 2\n3 a\x01"
         "b\n",
         2, 4, "0x01"},
        {"1 2\n\n# c\nx \xff\xfe\n", 4, 3, "UTF-8"},
        {"a \xc3\n", 1, 3, "UTF-8"},
        {"a b\xed\xa0\x80\n", 1, 4, "UTF-8"}, /* a surrogate */
        {"a b\xc0\xaf\n", 1, 4, "UTF-8"},     /* overlong */
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(&ksda_i_format_edges, NULL, KSDA_PARSE, &bad[i]);
    const bad_text attribute = {"1 2\n", 0, 0, "no attributes"};
    assert_refused(&ksda_i_format_edges, "club", KSDA_UNSUPPORTED, &attribute);
    assert_refused(&ksda_i_format_csv, "club", KSDA_UNSUPPORTED, &attribute);
}

static void bad_csv(void **state) {
    static const bad_text bad[] = {
        {"", 0, 0, "no edges"},
        {"source,target\n", 0, 0, "no edges"},
        {"1,2\n3\n", 2, 2, "has 1 field"},
        {"1,2\n3,\n", 2, 3, "empty field"},
        {"1,2\n,3\n", 2, 1, "empty field"},
        {"1,2\n\"a,3\n", 2, 1, "must end on the line"},
        {"1,2\n\"a\"b,3\n", 2, 4, "separator must follow"},
        {"a,b\nc,\"d\te\"\n", 2, 5, "control character"},
        {"id,source,target\n1,2,3\n4,5\n", 3, 1, "2 columns here, but 3 in the lines before"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_refused(&ksda_i_format_csv, NULL, KSDA_PARSE, &bad[i]);
}

static void nul_bytes_and_endless_lines(void **state) {
    ksda_ctx *ctx;
    ksda_i_read r;
    const size_t size = 100000000;
    char *line = malloc(size);
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    assert_int_equal(read_text(ctx, &ksda_i_format_edges, "1 2\n3 a\0b\n", 10, NULL, &r), KSDA_PARSE);
    assert_int_equal(ksda_ctx_error(ctx)->line, 2);
    assert_int_equal(ksda_ctx_error(ctx)->column, 4);
    assert_int_equal(read_text(ctx, &ksda_i_format_edges, "\0\0\0\0", 4, NULL, &r), KSDA_PARSE);
    for (int spaces = 0; spaces < 2; spaces++) {
        memset(line, spaces ? ' ' : '7', size);
        memcpy(line, "1 2\n", 4);
        assert_int_equal(read_text(ctx, &ksda_i_format_edges, line, size, NULL, &r), KSDA_PARSE);
        assert_int_equal(ksda_ctx_error(ctx)->line, 2);
        assert_non_null(strstr(ksda_ctx_error(ctx)->message, "1 MiB"));
    }
    memcpy(line, "1 2 ", 4); /* two good ids and then no end */
    line[2000000] = '\n';
    assert_int_equal(read_text(ctx, &ksda_i_format_edges, line, 3000000, NULL, &r), KSDA_PARSE);
    assert_int_equal(ksda_ctx_error(ctx)->line, 1);
    free(line);
    ksda_ctx_free(ctx);
}

static void headers(void **state) {
    static const struct {
        const ksda_i_format *row;
        const char *text;
        uint32_t n, m;
    } cases[] = {
        {&ksda_i_format_csv, "u,v\n1,2\n", 2, 1},
        {&ksda_i_format_csv, "u,v\nv,w\n", 3, 2},
        {&ksda_i_format_csv, "from,to\na,b\n", 2, 1},
        {&ksda_i_format_csv, "1,2\n2,3\n", 3, 2},
        {&ksda_i_format_csv, "#a,#b\n#b,#c\n", 3, 2},
        {&ksda_i_format_csv, "Source;Target;Type\n1;2;0,5\n", 2, 1},
        {&ksda_i_format_csv, "a;b,c\n", 2, 1},
        {&ksda_i_format_csv, "\"a,b\",\"say \"\"x\"\"\"\n", 2, 1},
        {&ksda_i_format_tsv, "from\tto\nA B\tC D\n", 2, 1},
        {&ksda_i_format_edges, "FromNodeId ToNodeId\n1 2\n", 2, 1},
        {&ksda_i_format_edges, "a b\n1 2\n", 2, 1},
    };
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ksda_i_read r;
        assert_int_equal(read_text(ctx, cases[i].row, cases[i].text, strlen(cases[i].text), NULL, &r), KSDA_OK);
        if (r.graph->n != cases[i].n || r.graph->m != cases[i].m)
            fail_msg("%u vertices and %u edges in\n%s", r.graph->n, (unsigned)r.graph->m, cases[i].text);
        ksda_i_read_clear(ctx, &r);
    }
    ksda_ctx_free(ctx);
}

/* --- writing, and failing ---------------------------------------------------------------------------------------- */

/* Isolated vertices are lost, and names come back in order of appearance: compare by name. */
static void assert_same_edges(const ksda_graph *a, const ksda_graph *b) {
    char name[256];
    assert_int_equal(a->m, b->m);
    for (uint32_t u = 0; u < b->n; u++) {
        uint32_t x = ksda_graph_find(a, name, ksda_graph_name(b, u, name, sizeof name));
        assert_int_not_equal(x, KSDA_NO_VERTEX);
        for (uint64_t i = b->off[u]; i < b->off[u + 1]; i++) {
            uint32_t y = ksda_graph_find(a, name, ksda_graph_name(b, b->adj[i], name, sizeof name));
            assert_true(ksda_graph_adjacent(a, x, y));
        }
    }
}

static void what_is_written_is_read_back(void **state) {
    static const ksda_i_format *const rows[] = {&ksda_i_format_edges, &ksda_i_format_csv, &ksda_i_format_tsv};
    ksda_ctx *ctx;
    unsigned refused = 0;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t seed = 0; seed < 900; seed++) {
        ksda_network net;
        ksda_i_output *out;
        ksda_i_read r;
        char *text;
        size_t size;
        random_named_network(ctx, seed, (naming)(seed % 3), &net);
        const ksda_i_format *row = rows[seed / 3 % 3];
        assert_int_equal(ksda_i_output_memory(ctx, &out), KSDA_OK);
        ksda_status status = row->write(ctx, net.graph, net.communities, out);
        if (status < 0) { /* a name that looks like a comment */
            assert_int_equal(status, KSDA_UNSUPPORTED);
            assert_ptr_equal(row, &ksda_i_format_edges);
            ksda_i_output_abandon(out);
            refused++;
        } else {
            assert_int_equal(ksda_i_output_take(out, &text, &size), KSDA_OK);
            status = read_text(ctx, row, text, size, NULL, &r);
            if (net.graph->m == 0) assert_int_equal(status, KSDA_PARSE);
            if (net.graph->m > 0) assert_same_edges(net.graph, r.graph);
            ksda_i_read_clear(ctx, &r);
            ksda_i_free(ctx, text);
        }
        ksda_network_clear(ctx, &net);
    }
    assert_in_range(refused, 1, 100);
    ksda_ctx_free(ctx);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_survives_failing_allocations(&ksda_i_format_edges, "1 2\n2 3\n1 1\n3 2\n", NULL);
    assert_survives_failing_allocations(&ksda_i_format_edges, "1 2\n18446744073709551615 3\n5000000000 1\n", NULL);
    assert_survives_failing_allocations(&ksda_i_format_edges, "1 2\na b\n\nb 1\n", NULL);
    assert_survives_failing_allocations(&ksda_i_format_csv, "source;target\n\"a \"\"b\";c\nc;d\n", NULL);
    assert_survives_failing_allocations(&ksda_i_format_tsv, "1\t2\n2\t3\n", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_spelling_is_the_same_graph),
        cmocka_unit_test(names_may_come_late),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(a_late_error_knows_its_line),
        cmocka_unit_test(bad_lists),
        cmocka_unit_test(bad_csv),
        cmocka_unit_test(nul_bytes_and_endless_lines),
        cmocka_unit_test(headers),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
