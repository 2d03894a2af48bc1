/* Measures against igraph's on one network, in one run.
 *
 *     bench_measures [-t THREADS] [SECTION...]      clustering eigenvector distances betweenness compare sampled; all
 * without any
 *
 * igraph computes with one thread, as it comes: its seconds are processor seconds, so a busy machine does not flatter
 * us. Ours are elapsed seconds, the best of several runs; beside them stand our processor seconds over all threads,
 * which tell on a busy machine what elapsed ones do not. Every section also says how far the two answers are apart.
 * Networks come from the data folder; without it there is nothing to run. */
#include "bench.h"
#include "in_igraph.h"
#include "graph/graph.h"

#include <igraph.h>
#include <ksda/ksda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct bench {
    ksda_ctx *ctx;
    ksda_network net;
    igraph_t peer;
    double *ours;
    igraph_vector_t theirs;
    double betweenness_seconds; /* of igraph; 0 when that section was not run */
} bench;

static double elapsed(void) {
    return clock_seconds(CLOCK_MONOTONIC);
}
static double busy(void) {
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* The best elapsed and processor seconds of several runs. */
typedef struct stopwatch {
    double elapsed, busy;
    double elapsed_start, busy_start;
} stopwatch;
static void start_run(stopwatch *w) {
    w->elapsed_start = elapsed();
    w->busy_start = busy();
}
static void end_run(stopwatch *w) {
    w->elapsed = fmin(w->elapsed, elapsed() - w->elapsed_start);
    w->busy = fmin(w->busy, busy() - w->busy_start);
}
#define STOPWATCH                                                                                                      \
    { INFINITY, INFINITY, 0, 0 }

/* Largest difference of the two answers, relative to the largest value. */
static double apart(const bench *b) {
    double worst = 0, most = 0;
    for (igraph_integer_t i = 0; i < igraph_vector_size(&b->theirs); i++) {
        double x = b->ours[i], y = VECTOR(b->theirs)[i];
        if (isnan(x) && isnan(y)) continue;
        worst = fmax(worst, fabs(x - y));
        most = fmax(most, fabs(y));
    }
    return most > 0 ? worst / most : worst;
}

static void line(const char *what, const stopwatch *ours, double theirs, double target, double difference) {
    printf(
        "%-28s %9.4f s (busy %9.4f)  igraph %9.4f s  %6.1f x (busy %6.1f x; at least %g x)  answers differ by %.1e\n",
        what, ours->elapsed, ours->busy, theirs, theirs / ours->elapsed, theirs / ours->busy, target, difference);
    fflush(stdout);
}

static void clustering(bench *b) {
    stopwatch ours = STOPWATCH;
    for (int i = 0; i < 15; i++) {
        start_run(&ours);
        must(b->ctx, ksda_local_clustering(b->ctx, b->net.graph, b->ours));
        end_run(&ours);
    }
    double theirs = INFINITY;
    for (int i = 0; i < 15; i++) {
        double start = busy();
        igraph_transitivity_local_undirected(&b->peer, &b->theirs, igraph_vss_all(), IGRAPH_TRANSITIVITY_NAN);
        theirs = fmin(theirs, busy() - start);
    }
    line("local clustering", &ours, theirs, 3, apart(b));
}

static void eigenvector(bench *b) {
    stopwatch ours = STOPWATCH;
    double theirs = INFINITY;
    igraph_real_t value;
    igraph_arpack_options_t arpack;
    for (int i = 0; i < 5; i++) {
        start_run(&ours);
        must(b->ctx, ksda_eigenvector_centrality(b->ctx, b->net.graph, b->ours, NULL));
        end_run(&ours);
        igraph_arpack_options_init(&arpack);
        double start = busy();
        igraph_eigenvector_centrality(&b->peer, &b->theirs, &value, IGRAPH_UNDIRECTED, true, NULL, &arpack);
        theirs = fmin(theirs, busy() - start);
    }
    line("eigenvector centrality", &ours, theirs, 1, apart(b));
}

static void distances(bench *b) {
    stopwatch ours = STOPWATCH;
    ksda_measure_options options;
    ksda_measures m = KSDA_INIT(ksda_measures);
    igraph_real_t aspl;
    ksda_measure_options_init(&options);
    options.exact = 1;
    options.measures = KSDA_MEASURE_BIT(KSDA_MEASURE_ASPL) | KSDA_MEASURE_BIT(KSDA_MEASURE_CLOSENESS) |
                       KSDA_MEASURE_BIT(KSDA_MEASURE_EFFECTIVE_DIAMETER) | KSDA_MEASURE_BIT(KSDA_MEASURE_DIAMETER);
    for (int i = 0; i < 5; i++) {
        start_run(&ours);
        must(b->ctx, ksda_measure(b->ctx, b->net.graph, NULL, &options, &m));
        end_run(&ours);
        if (i < 4) ksda_measures_clear(b->ctx, &m);
    }
    double start = busy();
    igraph_average_path_length(&b->peer, &aspl, NULL, IGRAPH_UNDIRECTED, true);
    line("ASPL, closeness, eff. diam.", &ours, busy() - start, 60,
         fabs(m.value[KSDA_MEASURE_ASPL].value - aspl) / aspl);
    ksda_measures_clear(b->ctx, &m);
}

static void betweenness(bench *b) {
    stopwatch ours = STOPWATCH;
    for (int i = 0; i < 3; i++) {
        start_run(&ours);
        must(b->ctx, ksda_betweenness(b->ctx, b->net.graph, b->ours));
        end_run(&ours);
    }
    printf("%-28s %9.4f s (busy %9.4f), now igraph\n", "betweenness", ours.elapsed, ours.busy);
    fflush(stdout);
    double start = busy();
    igraph_betweenness(&b->peer, &b->theirs, igraph_vss_all(), IGRAPH_UNDIRECTED, NULL);
    b->betweenness_seconds = busy() - start;
    line("betweenness", &ours, b->betweenness_seconds, 8, apart(b));
}

/* A release by FlexSplit, which both adds edges and splits vertices. */
static void compare(bench *b) {
    ksda_anonymize_options options;
    ksda_edits *edits;
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_comparison c = KSDA_INIT(ksda_comparison);
    ksda_anonymize_options_init(&options);
    options.k = 20;
    must(b->ctx, ksda_anonymize(b->ctx, b->net.graph, b->net.communities, ksda_method_find("flex-split"), &options,
                                &edits, NULL));
    must(b->ctx, ksda_release_make(b->ctx, edits, b->net.communities, 1, &release));
    stopwatch ours = STOPWATCH;
    start_run(&ours);
    must(b->ctx, ksda_compare(b->ctx, b->net.graph, b->net.communities, release.graph, release.owner, 20, NULL, &c));
    end_run(&ours);
    printf("%-28s %9.4f s (busy %9.4f)", "compare, everything, k = 20", ours.elapsed, ours.busy);
    if (b->betweenness_seconds > 0)
        printf("  1/%.1f of igraph's time for betweenness alone (busy 1/%.1f; at most 1/5)",
               b->betweenness_seconds / ours.elapsed, b->betweenness_seconds / ours.busy);
    printf("\n  of which");
    for (int i = 0; i < KSDA_MEASURE_COUNT; i++)
        if (c.original->value[i].seconds + c.published->value[i].seconds > 0.02)
            printf(" %s %.2f", ksda_measure_info((ksda_measure_id)i)->name,
                   c.original->value[i].seconds + c.published->value[i].seconds);
    for (int i = 0; i < KSDA_DIFFERENCE_COUNT; i++)
        if (c.difference[i].seconds > 0.02)
            printf(" %s %.2f", ksda_difference_info((ksda_difference_id)i)->name, c.difference[i].seconds);
    printf("\n");
    ksda_comparison_clear(b->ctx, &c);
    ksda_release_clear(b->ctx, &release);
    ksda_edits_free(b->ctx, edits);
}

static void print_sampled(const char *what, const ksda_value *v) {
    printf("%-28s %.7g in %.7g .. %.7g: +-%.2f %%, %.2f s\n", what, v->value, v->low, v->high,
           100 * fmax(v->high - v->value, v->value - v->low) / v->value, v->seconds);
}

static void sampled(bench *b) {
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_measure_options options;
    ksda_measures m = KSDA_INIT(ksda_measures);
    must(b->ctx, ksda_load(b->ctx, KSDA_DATA_DIR "/com-dblp.edges.gz", NULL, &net));
    ksda_measure_options_init(&options);
    options.measures = KSDA_MEASURE_BIT(KSDA_MEASURE_ASPL) | KSDA_MEASURE_BIT(KSDA_MEASURE_BETWEENNESS_MEAN) |
                       KSDA_MEASURE_BIT(KSDA_MEASURE_BETWEENNESS_CENTRALIZATION);
    stopwatch ours = STOPWATCH;
    start_run(&ours);
    must(b->ctx, ksda_measure(b->ctx, net.graph, NULL, &options, &m));
    end_run(&ours);
    printf(
        "com-dblp, both sampled       %9.4f s (busy %9.4f; at most 20 s), error of the mean at 95 %% (below 1 %%):\n",
        ours.elapsed, ours.busy);
    print_sampled("  ASPL", &m.value[KSDA_MEASURE_ASPL]);
    print_sampled("  mean betweenness", &m.value[KSDA_MEASURE_BETWEENNESS_MEAN]);
    print_sampled("  BC centralization", &m.value[KSDA_MEASURE_BETWEENNESS_CENTRALIZATION]);
    ksda_measures_clear(b->ctx, &m);
    ksda_network_clear(b->ctx, &net);
}

static const struct section {
    const char *name;
    void (*run)(bench *b);
} sections[] = {{"clustering", clustering},   {"eigenvector", eigenvector}, {"distances", distances},
                {"betweenness", betweenness}, {"compare", compare},         {"sampled", sampled}};

static void bench_open(bench *b, unsigned threads) {
    ksda_load_options load;
    ksda_load_options_init(&load);
    load.communities = KSDA_DATA_DIR "/ca-CondMat.metis100.communities";
    must(NULL, ksda_ctx_new(NULL, &b->ctx));
    ksda_ctx_set_threads(b->ctx, threads);
    must(b->ctx, ksda_load(b->ctx, KSDA_DATA_DIR "/ca-CondMat.edges.gz", &load, &b->net));
    to_igraph(b->net.graph, &b->peer);
    igraph_vector_init(&b->theirs, 0);
    b->ours = malloc(sizeof *b->ours * b->net.graph->n);
    printf("ca-CondMat: %u vertices, %llu edges; %u threads\n", (unsigned)b->net.graph->n,
           (unsigned long long)b->net.graph->m, threads);
}

int main(int argc, char **argv) {
    bench b = {.net = KSDA_INIT(ksda_network)};
    int first = 1;
    unsigned threads = 2;
    if (argc > 2 && strcmp(argv[1], "-t") == 0) threads = (unsigned)atoi(argv[2]), first = 3;
    bench_open(&b, threads);
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
        int wanted = argc <= first;
        for (int i = first; i < argc; i++) wanted |= strcmp(argv[i], sections[s].name) == 0;
        if (wanted) sections[s].run(&b);
    }
    igraph_vector_destroy(&b.theirs);
    igraph_destroy(&b.peer);
    free(b.ours);
    ksda_network_clear(b.ctx, &b.net);
    ksda_ctx_free(b.ctx);
    return 0;
}
