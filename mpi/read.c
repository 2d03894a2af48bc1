/* Reading together: what is read, and how, is told to the others; each then runs the library's own readers on its share
 * of the file (io/load.c). */
#include "world.h"

#include "io/formats.h"

#include <stdlib.h>

/* The options that readers of lines and pairs look at; the texts follow, each with its NUL. */
typedef struct order {
    int64_t format, header;
    uint64_t threads, halves, expected;
    uint64_t length[4]; /* path, attribute, encoding, columns, with the NUL; 0: NULL */
} order;

static uint64_t length_of(const char *text) {
    return text ? strlen(text) + 1 : 0;
}

void mpi_read(ksda_ctx *ctx, const char *path, const ksda_load_options *options) {
    const char *text[] = {path, options->attribute, options->encoding, options->columns};
    mpi_work_together(ctx);
    order o = {.format = options->format,
               .header = options->header,
               .threads = ksda_ctx_threads(ctx),
               .halves = ctx->halves,
               .expected = ctx->expected};
    mpi_send_order_to_all(MPI_ORDER_READ, 0, 0, 0);
    for (int i = 0; i < 4; i++) o.length[i] = length_of(text[i]);
    mpi_broadcast(&o, sizeof o, 0);
    for (int i = 0; i < 4; i++) mpi_broadcast((char *)text[i], o.length[i], 0);
}

void mpi_read_serve(void) {
    order o;
    char *text[4];
    ksda_load_options options;
    ksda_i_read r;
    ksda_format format;
    mpi_broadcast(&o, sizeof o, 0);
    for (int i = 0; i < 4; i++) {
        text[i] = o.length[i] ? malloc(o.length[i]) : NULL;
        if (o.length[i] && !text[i]) MPI_Abort(MPI_COMM_WORLD, 1);
        mpi_broadcast(text[i], o.length[i], 0);
    }
    ksda_load_options_init(&options);
    options.format = (ksda_format)o.format, options.header = (ksda_header)o.header;
    options.attribute = text[1], options.encoding = text[2], options.columns = text[3];
    ksda_ctx_set_threads(world.ctx, (unsigned)o.threads);
    world.ctx->halves = o.halves, world.ctx->expected = (uint32_t)o.expected;
    memset(&r, 0, sizeof r);
    ksda_i_read_together(world.ctx, text[0], &options, &r, &format);
    ksda_graph_free(world.ctx, r.graph); /* an empty shell: the rows stay */
    r.graph = NULL;
    ksda_i_read_clear(world.ctx, &r);
    for (int i = 0; i < 4; i++) free(text[i]);
}
