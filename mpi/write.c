/* Parts: every process writes its own rows, by the library's writers, to a file of the folder that the first one has
 * made. Together, in the order of their names, the files are what one process would write. */
#include "world.h"

#include "io/formats.h"
#include "io/parts.h"

#include <stdlib.h>

/* All rows, those of others empty. */
static ksda_status open_rows(ksda_ctx *ctx, const mpi_share *s, ksda_graph *g) {
    uint64_t *off = ksda_i_malloc(ctx, (uint64_t)s->n + 1, sizeof *off);
    if (!off) return KSDA_NOMEM;
    for (uint32_t v = 0; v < s->first; v++) off[v] = 0;
    for (uint32_t v = s->first; v <= s->last; v++) off[v] = s->off[v - s->first];
    for (uint64_t v = (uint64_t)s->last + 1; v <= s->n; v++) off[v] = s->off[s->last - s->first];
    *g = (ksda_graph){.n = s->n, .m = off[s->n], .off = off, .adj = s->adj};
    ksda_i_ids_range(&g->ids, s->n, 0);
    return KSDA_OK;
}

static ksda_status write_part(ksda_ctx *ctx, const mpi_share *s, const char *folder, ksda_format format) {
    char path[PATH_MAX];
    ksda_i_output *out = NULL;
    ksda_graph g = {.off = NULL};
    ksda_status status = open_rows(ctx, s, &g);
    if (status >= 0 && !ksda_i_part_name(folder, (uint32_t)world.rank, path))
        status = ksda_i_error(ctx, KSDA_IO, "%s: a name that is too long", folder);
    if (status >= 0) status = ksda_i_output_open(ctx, path, false, &out);
    if (status >= 0) status = ksda_i_format_row(format)->write(ctx, &g, NULL, out);
    if (status >= 0)
        status = ksda_i_output_commit(out);
    else
        ksda_i_output_abandon(out);
    ksda_i_free(ctx, g.off);
    return mpi_agree_on_status(ctx, status, 0);
}

ksda_status mpi_write(ksda_ctx *ctx, const ksda_graph *graph, const char *folder, ksda_format format) {
    const mpi_share *s = graph->far_data;
    uint64_t length = strlen(folder) + 1;
    mpi_send_order_to_all(MPI_ORDER_WRITE, s->handle, (uint64_t)format, length);
    mpi_broadcast((char *)folder, length, 0);
    return write_part(ctx, s, folder, format);
}

void mpi_write_serve(unsigned handle, ksda_format format, uint64_t length) {
    char *folder = malloc(length);
    if (!folder) MPI_Abort(MPI_COMM_WORLD, 1);
    mpi_broadcast(folder, length, 0);
    write_part(world.ctx, world.share[handle], folder, format);
    free(folder);
}
