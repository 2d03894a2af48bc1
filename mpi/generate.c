/* Generating together: the options, the seed and the number of threads are told to the others; each then draws its part
 * of the R-MAT graph (community/rmat.c). */
#include "world.h"

#include "community/rmat_cell.h"

typedef struct order {
    ksda_rmat_options options;
    uint64_t seed, threads;
} order;

void mpi_generate(ksda_ctx *ctx, const ksda_rmat_options *options) {
    mpi_work_together(ctx);
    order o = {*options, ctx->seed, ksda_ctx_threads(ctx)};
    mpi_send_order_to_all(MPI_ORDER_GENERATE, 0, 0, 0);
    mpi_broadcast(&o, sizeof o, 0);
}

void mpi_generate_serve(void) {
    ksda_graph *shell;
    order o;
    mpi_broadcast(&o, sizeof o, 0);
    ksda_ctx_set_threads(world.ctx, (unsigned)o.threads);
    ksda_ctx_set_seed(world.ctx, o.seed);
    ksda_i_generate_together(world.ctx, &o.options, &shell);
    ksda_graph_free(world.ctx, shell); /* the rows stay */
}
