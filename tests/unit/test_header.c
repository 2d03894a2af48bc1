/* Is the first line a header? Random small files against the rule as ksda-formats(5) tells it, written down the slow
 * way. */
#include "core/random.h"
#include "format_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include <cmocka.h>

enum {
    ROWS = 6,
    CASES = 20000
};

typedef struct table {
    const char *cell[ROWS][3];
    unsigned rows, columns;
    char separator; /* ' ' for an edge list */
} table;

static const char *const pool[] = {"source", "target", "Source", "TARGET", "from",  "to", "id1",
                                   "id2",    "id3",    "id4",    "user1",  "user2", "1",  "2",
                                   "3",      "007",    "Anna",   "Bob",    "Carl",  "x7", "weight"};
#define POOL (sizeof pool / sizeof *pool)

static const char *const known[][2] = {{"source", "target"}, {"from", "to"}, {"id1", "id2"}, {"user1", "user2"}};

/* --- the rule ----------------------------------------------------------------------------------------------------- */

static bool is_number(const char *text) {
    uint64_t number;
    return ksda_i_parse_number(text, strlen(text), &number);
}

static bool looks_like_a_number(const char *text) {
    char *end;
    strtod(text, &end);
    return *end == '\0';
}

/* Does the word occur as an id below the first line? */
static bool below(const table *t, const unsigned column[2], const char *word) {
    for (unsigned r = 1; r < t->rows; r++)
        for (int i = 0; i < 2; i++)
            if (strcmp(t->cell[r][column[i]], word) == 0) return true;
    return false;
}

static bool only_numbers_below(const table *t, const unsigned column[2]) {
    for (unsigned r = 1; r < t->rows; r++)
        for (int i = 0; i < 2; i++)
            if (!is_number(t->cell[r][column[i]])) return false;
    return true;
}

/* id1 above id3: the same letters, and digits behind them. */
static bool numbered(const char *one, const char *two) {
    size_t a = strcspn(one, "0123456789"), b = strcspn(two, "0123456789");
    return a > 0 && a == b && one[a] && two[b] && strncasecmp(one, two, a) == 0 &&
           strspn(one + a, "0123456789") == strlen(one + a) && strspn(two + b, "0123456789") == strlen(two + b);
}

static bool find_known(const table *t, unsigned column[2]) {
    for (size_t w = 0; w < sizeof known / sizeof *known; w++) {
        int at[2] = {-1, -1};
        for (int side = 0; side < 2; side++)
            for (unsigned c = t->columns; c-- > 0;)
                if (strcasecmp(t->cell[0][c], known[w][side]) == 0) at[side] = (int)c;
        if (at[0] < 0 || at[1] < 0) continue;
        column[0] = (unsigned)at[0], column[1] = (unsigned)at[1];
        return true;
    }
    return false;
}

/* Which columns hold the ids, and is the first line a header? said: whether that is a guess that must be told. */
static bool is_header(const table *t, unsigned column[2], bool *said) {
    const char *const *first = t->cell[0];
    *said = false;
    if (find_known(t, column)) {
        bool one = below(t, column, first[column[0]]), two = below(t, column, first[column[1]]);
        bool siblings = t->rows > 1 && numbered(first[column[0]], t->cell[1][column[0]]) &&
                        numbered(first[column[1]], t->cell[1][column[1]]);
        if (!siblings) {
            *said = one || two;
            return !(one && two);
        }
    }
    column[0] = 0, column[1] = 1;
    if (looks_like_a_number(first[0]) || looks_like_a_number(first[1])) return false;
    if (t->rows > 1 && !only_numbers_below(t, column) && (below(t, column, first[0]) || below(t, column, first[1])))
        return false;
    *said = true;
    if (t->rows == 1) return false;
    return only_numbers_below(t, column) || t->separator != ' ';
}

/* --- random files ------------------------------------------------------------------------------------------------- */

static void make(ksda_i_rng *random, table *t) {
    static const char separators[] = ",;\t ";
    const char *weights[] = {"0.5", "1.25", "2.0"};
    unsigned some = (unsigned)ksda_i_rng_below(random, 3);
    t->rows = 1 + (unsigned)ksda_i_rng_below(random, ROWS);
    t->columns = 2 + (ksda_i_rng_below(random, 3) == 0);
    t->separator = separators[ksda_i_rng_below(random, 4)];
    for (unsigned r = 0; r < t->rows; r++)
        for (unsigned c = 0; c < t->columns; c++) {
            size_t from = some == 1 && r ? 12 : 0, count = some == 1 && r ? 3 : POOL - 1; /* numbers below words */
            if (some == 2) from = r ? 6 : 0, count = r ? 6 : 12; /* few words: they occur again */
            t->cell[r][c] = c == 2 ? (r ? weights[ksda_i_rng_below(random, 3)] : "weight")
                                   : pool[from + ksda_i_rng_below(random, count)];
        }
    if (t->columns == 3 && ksda_i_rng_below(random, 2)) { /* the weight first: only known words find the ids */
        for (unsigned r = 0; r < t->rows; r++) {
            const char *weight = t->cell[r][2];
            t->cell[r][2] = t->cell[r][1], t->cell[r][1] = t->cell[r][0], t->cell[r][0] = weight;
        }
    }
}

static size_t spell(const table *t, char *text, size_t size) {
    size_t used = 0;
    for (unsigned r = 0; r < t->rows; r++)
        for (unsigned c = 0; c < t->columns; c++)
            used += (size_t)snprintf(text + used, size - used, "%s%c", t->cell[r][c],
                                     c + 1 < t->columns ? t->separator : '\n');
    return used;
}

static bool has_edge(const ksda_graph *g, const char *one, const char *two) {
    uint32_t u = ksda_i_ids_find(&g->ids, one, strlen(one)), v = ksda_i_ids_find(&g->ids, two, strlen(two));
    if (u == KSDA_NO_VERTEX || v == KSDA_NO_VERTEX) return false;
    return u == v || ksda_graph_adjacent(g, u, v);
}

/* The edges of these rows and no others, each once. */
static uint64_t distinct_edges(const table *t, const unsigned column[2], unsigned from) {
    uint64_t count = 0;
    for (unsigned r = from; r < t->rows; r++) {
        const char *a = t->cell[r][column[0]], *b = t->cell[r][column[1]];
        bool again = strcmp(a, b) == 0;
        for (unsigned s = from; s < r; s++) {
            const char *c = t->cell[s][column[0]], *d = t->cell[s][column[1]];
            again |= (strcmp(a, c) == 0 && strcmp(b, d) == 0) || (strcmp(a, d) == 0 && strcmp(b, c) == 0);
        }
        count += !again;
    }
    return count;
}

static void headers_are_told_by_the_rule(void **state) {
    uint64_t refused = 0, headers = 0, told = 0;
    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        ksda_i_rng random = ksda_i_rng_stream(4711, 1, i);
        const ksda_i_format *row;
        ksda_i_read r;
        unsigned column[2];
        bool said;
        char text[1024];
        table t;
        make(&random, &t);
        size_t size = spell(&t, text, sizeof text);
        bool header = is_header(&t, column, &said);
        row = t.separator == ' ' ? &ksda_i_format_edges : t.separator == '\t' ? &ksda_i_format_tsv : &ksda_i_format_csv;
        ksda_status status = read_text(check_ctx, row, text, size, NULL, &r);
        if (header && t.rows == 1) { /* nothing but a header */
            assert_int_equal(status, KSDA_PARSE);
            continue;
        }
        if (status < 0) { /* another column holds names of vertices, or the ids are not where they should be */
            assert_true(t.columns == 3);
            refused++;
            continue;
        }
        if ((r.reading.header != 0) != header)
            fail_msg("case %u: header is %d, not %d:\n%s%s", i, r.reading.header != 0, header, text, r.reading.note);
        if ((r.reading.assumed != 0) != said)
            fail_msg("case %u: told %d, not %d:\n%s%s", i, r.reading.assumed, said, text, r.reading.note);
        assert_true(!said || strstr(r.reading.note, "--header")); /* and how to overrule it */
        for (unsigned line = header; line < t.rows; line++)
            if (!has_edge(r.graph, t.cell[line][column[0]], t.cell[line][column[1]]))
                fail_msg("case %u: line %u is no edge:\n%s", i, line + 1, text);
        if (ksda_graph_edges(r.graph) != distinct_edges(&t, column, header))
            fail_msg("case %u: more edges than lines:\n%s", i, text);
        headers += header, told += said;
        ksda_i_read_clear(check_ctx, &r);
    }
    print_message("%u files: %llu headers, %llu guesses told, %llu refused\n", (unsigned)CASES,
                  (unsigned long long)headers, (unsigned long long)told, (unsigned long long)refused);
    assert_true(headers > CASES / 10 && told > CASES / 10 && refused < CASES / 4);
}

/* --- what is written is read again ----------------------------------------------------------------------------------
 */

/* The same edges by name; the order of the vertices is that of the file. */
static void assert_reads_again(const ksda_i_format *row, const ksda_graph *g) {
    ksda_i_output *out;
    ksda_i_read r;
    char *text;
    size_t size;
    assert_int_equal(ksda_i_output_memory(check_ctx, &out), KSDA_OK);
    assert_int_equal(row->write(check_ctx, g, NULL, out), KSDA_OK);
    assert_int_equal(ksda_i_output_take(out, &text, &size), KSDA_OK);
    assert_int_equal(read_text(check_ctx, row, text, size, NULL, &r), KSDA_OK);
    if (ksda_graph_edges(r.graph) != ksda_graph_edges(g))
        fail_msg("%s: other edges in\n%.*s", row->name, (int)size, text);
    for (uint32_t u = 0; u < g->n; u++)
        for (uint64_t i = g->off[u]; i < g->off[u + 1]; i++) {
            char one[64], two[64];
            ksda_graph_name(g, u, one, sizeof one);
            ksda_graph_name(g, g->adj[i], two, sizeof two);
            if (!has_edge(r.graph, one, two))
                fail_msg("%s: %s %s is lost in\n%.*s", row->name, one, two, (int)size, text);
        }
    ksda_i_read_clear(check_ctx, &r);
    ksda_i_free(check_ctx, text);
}

static void words_of_headers_may_be_vertices(void **state) {
    static const char *const texts[] = {"# source target\nsource target\n",
                                        "# source target\nsource target\ntarget x\n",
                                        "source target\nx source\ny target\n",
                                        "# source target\nsource target\nx y\ny z\n",
                                        "from to\nto source\nsource target\ntarget from\nsrc dst\ndst from\n",
                                        "id1 id2\nid3 id4\n"};
    static const uint64_t edges[] = {1, 2, 3, 3, 6, 2};
    const ksda_i_format *const rows[] = {&ksda_i_format_edges, &ksda_i_format_csv, &ksda_i_format_tsv};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ksda_i_read r = read_good(&ksda_i_format_edges, texts[i], NULL);
        assert_int_equal(ksda_graph_edges(r.graph), edges[i]);
        for (size_t j = 0; j < 3; j++) assert_reads_again(rows[j], r.graph);
        ksda_i_read_clear(check_ctx, &r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_are_told_by_the_rule),
        cmocka_unit_test(words_of_headers_may_be_vertices),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
