/* The attacker on written releases. A file may depend on nothing but the published graph and ids that were drawn
 * uniformly: so its lines must be exactly the edges in order of the ids, and the ids must not go with the original
 * order, nor with who was split or got an edge. Each statistic is tried on hundreds of releases and must stay within
 * five standard deviations; those that a file without new ids would give away must stand out on such a file. */
#include "io/formats.h"
#include "random_edits.h"
#include "random_graph.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    PEOPLE = 60,
    RELEASES = 600,
    MOST_LINES = 2000,
    MOST_PIECES = 200
};

typedef struct fixture {
    ksda_ctx *ctx;
    ksda_network net;
    ksda_edits *edits;
    uint32_t pieces;
    uint64_t edges;
    char path[64];
} fixture;

/* What the attacker reads, and, for the test only, the piece behind each id. */
typedef struct reading {
    uint64_t lines;
    uint32_t line[MOST_LINES][2];
    uint32_t id[MOST_PIECES]; /* of a piece */
} reading;

/* --- the file ---------------------------------------------------------------------------------------------------- */

/* The bytes of the file, without waiting for a disk hundreds of times; the last test compares them with a file's. */
static char *file_text(const fixture *f, const ksda_graph *published) {
    ksda_i_output *out;
    char *data, *text;
    size_t size;
    assert_int_equal(ksda_i_output_memory(f->ctx, &out), KSDA_OK);
    assert_int_equal(ksda_i_write_graph(f->ctx, published, NULL, f->path, KSDA_FORMAT_EDGES, out), KSDA_OK);
    assert_int_equal(ksda_i_output_take(out, &data, &size), KSDA_OK);
    text = calloc(size + 1, 1);
    memcpy(text, data, size);
    assert_int_equal(strlen(text), size);
    ksda_free(f->ctx, data);
    return text;
}

static void read_text(const char *text, reading *r) {
    int used;
    r->lines = 0;
    for (const char *c = text; *c; c++) /* digits, white space, and nothing else: no comment, no header, no sign */
        assert_true((*c >= '0' && *c <= '9') || *c == ' ' || *c == '\t' || *c == '\n');
    for (; r->lines < MOST_LINES &&
           sscanf(text, "%u%*1[ \t]%u%*1[\n]%n", &r->line[r->lines][0], &r->line[r->lines][1], &used) == 2;
         text += used)
        r->lines++;
    assert_string_equal(text, "");
}

/* Smaller end first, ascending: the one order that says nothing. */
static void assert_in_order(const reading *r) {
    for (uint64_t i = 0; i < r->lines; i++) {
        assert_true(r->line[i][0] < r->line[i][1]);
        if (i == 0) continue;
        bool same = r->line[i][0] == r->line[i - 1][0];
        assert_true(same ? r->line[i][1] > r->line[i - 1][1] : r->line[i][0] > r->line[i - 1][0]);
    }
}

static void write_and_read(const fixture *f, const ksda_graph *published, reading *r) {
    char *text = file_text(f, published);
    read_text(text, r);
    free(text);
    assert_int_equal(r->lines, f->edges);
    assert_in_order(r);
}

/* Which piece has which id: the first piece of v and its others are told apart by their neighbours. In the test we know
 * better: the map gives the person, and pieces of one person are asked for all at once, in order of their ids. */
static void find_pieces(const fixture *f, const uint32_t *owner, reading *r) {
    bool used[MOST_PIECES] = {false};
    for (uint32_t p = 0; p < f->pieces; p++) {
        uint32_t q = 0;
        while (used[q] || owner[q] != ksda_edits_owner(f->edits, p)) q++;
        used[q] = true;
        r->id[p] = q;
    }
}

static void release(const fixture *f, reading *r) {
    ksda_release made = KSDA_INIT(ksda_release);
    assert_int_equal(ksda_release_make(f->ctx, f->edits, f->net.communities, 0, &made), KSDA_OK);
    write_and_read(f, made.graph, r);
    find_pieces(f, made.owner, r);
    ksda_release_clear(f->ctx, &made);
}

/* As it must not be: the pieces under their own numbers. */
static void careless_release(const fixture *f, reading *r) {
    ksda_graph *h;
    assert_int_equal(ksda_edits_apply(f->ctx, f->edits, &h), KSDA_OK);
    write_and_read(f, h, r);
    for (uint32_t p = 0; p < f->pieces; p++) r->id[p] = p;
    ksda_graph_free(f->ctx, h);
}

/* --- statistics, each a mean with a known expectation ------------------------------------------------------------ */

static bool is_split(const fixture *f, uint32_t p) {
    for (uint32_t q = 0; q < f->pieces; q++)
        if (q != p && ksda_edits_owner(f->edits, q) == ksda_edits_owner(f->edits, p)) return true;
    return false;
}

/* Does the id go with the place in the input? Rank correlation, over people who were not split. */
static double order_correlation(const fixture *f, const reading *r) {
    double sum = 0, squares_x = 0, squares_y = 0, mean_x = 0, mean_y = 0;
    uint32_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t p = 0; p < PEOPLE; p++) {
            double x = p - mean_x, y = r->id[p] - mean_y;
            if (is_split(f, p)) continue;
            if (pass == 0)
                sum += x, squares_y += y, count++;
            else
                sum += x * y, squares_x += x * x, squares_y += y * y;
        }
        if (pass == 0) mean_x = sum / count, mean_y = squares_y / count, sum = squares_y = 0;
    }
    return sum / sqrt(squares_x * squares_y);
}

/* Do the pieces of split people have particular ids? The mean, less that of all. */
static double split_ids(const fixture *f, const reading *r) {
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t p = 0; p < f->pieces; p++)
        if (is_split(f, p)) sum += r->id[p], count++;
    return sum / count - (f->pieces - 1) / 2.0;
}

/* Are the ids of two pieces of one person closer than those of any two? Random ids are (n + 1) / 3 apart. */
static double piece_distance(const fixture *f, const reading *r) {
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t p = 0; p < f->pieces; p++)
        for (uint32_t q = 0; q < p; q++)
            if (ksda_edits_owner(f->edits, q) == ksda_edits_owner(f->edits, p))
                sum += fabs((double)r->id[p] - r->id[q]), count++;
    return sum / count - (f->pieces + 1) / 3.0;
}

/* Are the ends of added edges closer than those of any two vertices? */
static double added_distance(const fixture *f, const reading *r) {
    const ksda_pair *pair;
    uint64_t all = ksda_edits_added(f->edits, &pair);
    double sum = 0;
    uint32_t count = 0;
    for (uint64_t i = 0; i < all; i++) {
        if (is_split(f, pair[i].u) || is_split(f, pair[i].v)) continue;
        sum += fabs((double)r->id[pair[i].u] - r->id[pair[i].v]), count++;
    }
    return sum / count - (f->pieces + 1) / 3.0;
}

/* Where in the file do added edges stand, as a share of its lines? Its expectation depends on the graph. */
static double added_place(const fixture *f, const reading *r) {
    const ksda_pair *pair;
    uint64_t all = ksda_edits_added(f->edits, &pair);
    double sum = 0;
    uint32_t count = 0;
    for (uint64_t i = 0; i < all; i++) {
        uint32_t a = r->id[pair[i].u], b = r->id[pair[i].v], low = a < b ? a : b, high = a < b ? b : a;
        if (is_split(f, pair[i].u) || is_split(f, pair[i].v)) continue;
        for (uint64_t line = 0; line < r->lines; line++)
            if (r->line[line][0] == low && r->line[line][1] == high) sum += (double)line / (double)r->lines, count++;
    }
    return sum / count;
}

typedef double (*statistic)(const fixture *, const reading *);

typedef struct sample {
    double mean, deviation; /* deviation of the mean */
} sample;

static sample summarize(const double *value, int count) {
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) sum += value[i];
    for (int i = 0; i < count; i++) squares += (value[i] - sum / count) * (value[i] - sum / count);
    return (sample){sum / count, sqrt(squares / (count - 1) / count)};
}

static const statistic statistics[] = {order_correlation, split_ids, piece_distance, added_distance, added_place};
enum {
    STATISTICS = sizeof statistics / sizeof *statistics,
    TELLING = 2,
    PLACE = STATISTICS - 1
};

static void collect(const fixture *f, double value[STATISTICS][RELEASES]) {
    static reading r;
    for (int i = 0; i < RELEASES; i++) {
        release(f, &r);
        for (int s = 0; s < STATISTICS; s++) value[s][i] = statistics[s](f, &r);
    }
}

/* The place of added edges when the test itself shuffles the ids: what is to be expected of this graph. */
static sample expected_place(const fixture *f) {
    static reading r;
    static double value[RELEASES];
    ksda_graph *h, *renamed;
    assert_int_equal(ksda_edits_apply(f->ctx, f->edits, &h), KSDA_OK);
    for (int i = 0; i < RELEASES; i++) {
        ksda_i_rng rng = ksda_i_rng_stream(77, 0x73687566, (uint64_t)i);
        for (uint32_t p = 0; p < f->pieces; p++) {
            uint32_t q = (uint32_t)ksda_i_rng_below(&rng, p + 1);
            r.id[p] = r.id[q], r.id[q] = p;
        }
        assert_int_equal(ksda_i_graph_relabel(f->ctx, h, r.id, &renamed), KSDA_OK);
        write_and_read(f, renamed, &r);
        value[i] = added_place(f, &r);
        ksda_graph_free(f->ctx, renamed);
    }
    ksda_graph_free(f->ctx, h);
    return summarize(value, RELEASES);
}

/* --- tests ------------------------------------------------------------------------------------------------------- */

static void the_attacker_learns_nothing(void **state) {
    const fixture *f = *state;
    static double value[STATISTICS][RELEASES];
    static reading careless;
    collect(f, value);
    careless_release(f, &careless);
    for (int s = 0; s < STATISTICS; s++) {
        sample seen = summarize(value[s], RELEASES), expected = {0, 0};
        if (s == PLACE) expected = expected_place(f);
        double z = (seen.mean - expected.mean) / hypot(seen.deviation, expected.deviation);
        double careless_z = (statistics[s](f, &careless) - expected.mean) / (seen.deviation * sqrt(RELEASES));
        if (fabs(z) > 5) fail_msg("statistic %d: %.1f standard deviations from what chance gives", s, z);
        if (s < TELLING &&
            fabs(careless_z) < 3) /* further pieces have the highest numbers, people those of the input */
            fail_msg("statistic %d sees nothing even without new ids: %.1f", s, careless_z);
    }
}

/* Every person gets every id equally often. */
static void ids_are_uniform(void **state) {
    enum {
        BINS = 6
    };
    const fixture *f = *state;
    static uint32_t count[MOST_PIECES][BINS];
    static reading r;
    double chi = 0;
    uint32_t people = 0;
    memset(count, 0, sizeof count);
    for (int i = 0; i < RELEASES; i++) {
        release(f, &r);
        for (uint32_t p = 0; p < PEOPLE; p++) count[p][(uint64_t)r.id[p] * BINS / f->pieces]++;
    }
    for (uint32_t p = 0; p < PEOPLE; p++) {
        if (is_split(f, p)) continue;
        people++;
        for (uint32_t b = 0; b < BINS; b++) {
            uint32_t width = 0;
            for (uint32_t id = 0; id < f->pieces; id++) width += (uint64_t)id * BINS / f->pieces == b;
            double mean = (double)RELEASES * width / f->pieces;
            chi += (count[p][b] - mean) * (count[p][b] - mean) / mean;
        }
    }
    double freedom = people * (BINS - 1.0), z = (chi - freedom) / sqrt(2 * freedom);
    if (fabs(z) > 5) fail_msg("ids are not uniform: chi-square is %.1f standard deviations off", z);
}

static char *whole_file(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 100000);
    assert_non_null(file);
    assert_true(fread(text, 1, 99999, file) > 0);
    fclose(file);
    return text;
}

static char *released_text(const fixture *f, uint64_t seed, int insecure) {
    ksda_release made = KSDA_INIT(ksda_release);
    ksda_ctx_set_seed(f->ctx, seed);
    assert_int_equal(ksda_release_make(f->ctx, f->edits, f->net.communities, insecure, &made), KSDA_OK);
    assert_int_equal(ksda_write_graph(f->ctx, made.graph, NULL, f->path, KSDA_FORMAT_EDGES), KSDA_OK);
    char *in_memory = file_text(f, made.graph), *text = whole_file(f->path);
    assert_string_equal(in_memory, text);
    free(in_memory);
    ksda_release_clear(f->ctx, &made);
    return text;
}

static void a_seed_repeats_ids_only_when_asked(void **state) {
    const fixture *f = *state;
    char *a = released_text(f, 5, 0), *b = released_text(f, 5, 0), *c = released_text(f, 5, 1),
         *d = released_text(f, 5, 1), *e = released_text(f, 6, 1);
    assert_string_not_equal(a, b);
    assert_string_equal(c, d);
    assert_string_not_equal(c, e);
    assert_string_not_equal(a, c);
    free(a), free(b), free(c), free(d), free(e);
}

/* --- set-up ------------------------------------------------------------------------------------------------------ */

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    edit_counts counts;
    ksda_i_rng rng = ksda_i_rng_stream(4, 0x6669, 0);
    *state = f;
    if (ksda_ctx_new(NULL, &f->ctx) < 0) return 1;
    random_network(f->ctx, 4, PEOPLE, 0.12, 3, &f->net);
    f->edits = random_edits(f->ctx, &rng, f->net.graph, f->net.communities, 8, 60, &counts);
    f->pieces = ksda_edits_pieces(f->edits);
    f->edges = ksda_graph_edges(f->net.graph) + counts.added + counts.links;
    snprintf(f->path, sizeof f->path, "/tmp/ksda-test-release-%ld.edges", (long)getpid());
    return f->pieces > MOST_PIECES || f->edges > MOST_LINES || counts.split < 3 || counts.added < 10;
}

static int tear_down(void **state) {
    fixture *f = *state;
    unlink(f->path);
    ksda_edits_free(f->ctx, f->edits);
    ksda_network_clear(f->ctx, &f->net);
    ksda_ctx_free(f->ctx);
    free(f);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_attacker_learns_nothing), cmocka_unit_test(ids_are_uniform),
                                       cmocka_unit_test(a_seed_repeats_ids_only_when_asked)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
