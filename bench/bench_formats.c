/* The formats: reading and writing GraphML and GML beside igraph, the others as speeds, and how many times faster than
 * the same network as an edge list each is read; the graph that is built from it is part of every time, and raw32,
 * which is copied, shows how much of it. Then text and Parquet again, where vertices have names. One R-MAT network with
 * communities, every step three times, the best counts. Both sides work in memory and in one thread, so seconds are
 * processor time, which other programs on the machine disturb least.
 *
 * Usage: bench_formats [SCALE]    2^SCALE vertices and eight times as many edges; default 16 */
#include "bench.h"
#include "io/formats.h"

#include <ksda/detect.h>

#include <igraph/igraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 3

static void must_igraph(igraph_error_t error) {
    if (error == IGRAPH_SUCCESS) return;
    fprintf(stderr, "bench_formats: igraph: %s\n", igraph_strerror(error));
    exit(1);
}

static void keep_least(double *best, double seconds) {
    if (*best == 0 || seconds < *best) *best = seconds;
}

/* Seconds for us to write and read the network; the text is left in *text. */
static void ours(ksda_ctx *ctx, const ksda_i_format *row, const ksda_graph *g, const ksda_communities *c, char **text,
                 size_t *size, double *write, double *read) {
    bool attributes = row->format == KSDA_FORMAT_GRAPHML || row->format == KSDA_FORMAT_GML;
    ksda_load_options options;
    ksda_load_options_init(&options);
    if (attributes) options.attribute = "community";
    for (int i = 0; i < ROUNDS; i++) {
        ksda_i_output *out;
        ksda_i_source *source;
        ksda_i_read r;
        ksda_i_free(ctx, *text);
        double start = processor_seconds();
        must(ctx, ksda_i_output_memory(ctx, &out));
        must(ctx, row->write(ctx, g, c, out));
        must(ctx, ksda_i_output_take(out, text, size));
        keep_least(write, processor_seconds() - start);
        must(ctx, ksda_i_format_is_raw(row) ? ksda_i_source_memory_bytes(ctx, row->name, *text, *size, &source)
                                            : ksda_i_source_memory(ctx, row->name, *text, *size, &source));
        start = processor_seconds();
        must(ctx, row->read(ctx, source, &options, &r));
        keep_least(read, processor_seconds() - start);
        ksda_i_source_close(ctx, source);
        ksda_i_read_clear(ctx, &r);
    }
}

/* Seconds for igraph to read our text and to write the network again. */
static void theirs(const ksda_i_format *row, char *text, size_t size, double *write, double *read) {
    bool graphml = row->format == KSDA_FORMAT_GRAPHML;
    for (int i = 0; i < ROUNDS; i++) {
        igraph_t h;
        char *copy = NULL;
        size_t copied;
        FILE *in = fmemopen(text, size, "r"), *out = open_memstream(&copy, &copied);
        double start = processor_seconds();
        must_igraph(graphml ? igraph_read_graph_graphml(&h, in, 0) : igraph_read_graph_gml(&h, in));
        keep_least(read, processor_seconds() - start);
        start = processor_seconds();
        must_igraph(graphml ? igraph_write_graph_graphml(&h, out, true)
                            : igraph_write_graph_gml(&h, out, IGRAPH_WRITE_GML_DEFAULT_SW, NULL, "igraph"));
        fflush(out);
        keep_least(write, processor_seconds() - start);
        fclose(in);
        fclose(out);
        free(copy);
        igraph_destroy(&h);
    }
}

/* One line for each format. */
static void print_rows(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, const ksda_i_format *const *rows,
                       size_t count) {
    double as_edges = 0;
    printf("%-8s %7s %9s %12s %12s %11s %14s %14s\n", "format", "MB", "read ms", "read MB/s", "write MB/s",
           "read/edges", "read/igraph", "write/igraph");
    for (size_t i = 0; i < count; i++) {
        double write = 0, read = 0, their_write = 0, their_read = 0;
        char *text = NULL;
        size_t size;
        ours(ctx, rows[i], g, c, &text, &size, &write, &read);
        if (i == 0) as_edges = read;
        printf("%-8s %7.1f %9.1f %12.0f %12.0f %9.2f x", rows[i]->name, 1e-6 * (double)size, 1e3 * read,
               1e-6 * (double)size / read, 1e-6 * (double)size / write, as_edges / read);
        if (rows[i] == &ksda_i_format_graphml || rows[i] == &ksda_i_format_gml) {
            theirs(rows[i], text, size, &their_write, &their_read);
            printf(" %12.1f x %12.1f x", their_read / read, their_write / write);
        }
        printf("\n");
        fflush(stdout);
        ksda_i_free(ctx, text);
    }
}

/* Vertices get names, user_ and a number, in no order. */
static void name_vertices(ksda_ctx *ctx, ksda_graph *g) {
    ksda_i_ids_clear(ctx, &g->ids);
    ksda_i_ids_names(&g->ids);
    for (uint64_t v = 0; v < g->n; v++) {
        char name[32];
        uint32_t item;
        int length = snprintf(name, sizeof name, "user_%llu", (unsigned long long)(v * 2654435761 % 4294967291));
        must(ctx, ksda_i_ids_intern(ctx, &g->ids, name, (size_t)length, &item));
    }
}

int main(int argc, char **argv) {
    const ksda_i_format *const rows[] = {&ksda_i_format_edges,   &ksda_i_format_graphml, &ksda_i_format_gml,
                                         &ksda_i_format_metis,   &ksda_i_format_mtx,     &ksda_i_format_npz,
                                         &ksda_i_format_parquet, &ksda_i_format_raw64,   &ksda_i_format_raw32};
    const ksda_i_format *const named[] = {&ksda_i_format_edges, &ksda_i_format_parquet};
    ksda_ctx *ctx;
    ksda_graph *g;
    ksda_communities *c;
    ksda_rmat_options options;
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    igraph_set_attribute_table(&igraph_cattribute_table);
    ksda_rmat_options_init(&options);
    options.scale = argc > 1 ? (uint32_t)atoi(argv[1]) : 16;
    options.edges = UINT64_C(8) << options.scale;
    options.block_bits = 4;
    must(ctx, ksda_generate_rmat(ctx, &options, &g, &c));
    printf("%u vertices, %llu edges\n", g->n, (unsigned long long)g->m);
    print_rows(ctx, g, c, rows, sizeof rows / sizeof *rows);
    printf("with names\n");
    name_vertices(ctx, g);
    print_rows(ctx, g, c, named, sizeof named / sizeof *named);
    ksda_communities_free(ctx, c);
    ksda_graph_free(ctx, g);
    ksda_ctx_free(ctx);
    return 0;
}
