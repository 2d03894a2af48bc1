/* Every process writes its own rows, by the library's writers: to a file of the folder that the first one has made,
 * which together, in the order of their names, are what one process would write; or to its stretch of one file. The
 * latter only where all are on one machine: file systems of several, such as NFS, may lose bytes where two of them
 * write to one block. */
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

/* Whatever was opened, with the rows. */
static ksda_status write_rows(ksda_ctx *ctx, const ksda_graph *g, ksda_format format, ksda_i_output *out) {
    ksda_status status = ksda_i_format_row(format)->write(ctx, g, NULL, out);
    if (status >= 0) return ksda_i_output_commit(out);
    ksda_i_output_abandon(out);
    return status;
}

static ksda_status write_part(ksda_ctx *ctx, const mpi_share *s, const char *folder, ksda_format format) {
    char path[PATH_MAX];
    ksda_i_output *out = NULL;
    ksda_graph g = {.off = NULL};
    ksda_status status = open_rows(ctx, s, &g);
    if (status >= 0 && !ksda_i_part_name(folder, (uint32_t)world.rank, path))
        status = ksda_i_error(ctx, KSDA_IO, "%s: a name that is too long", folder);
    if (status >= 0) status = ksda_i_output_open(ctx, path, false, &out);
    if (status >= 0) status = write_rows(ctx, &g, format, out);
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

/* --- one file --------------------------------------------------------------------------------------------------------
 */

static ksda_status write_stretch(ksda_ctx *ctx, const mpi_share *s, const char *path, const char *temporary,
                                 ksda_format format) {
    ksda_i_output *out = NULL;
    ksda_graph g = {.off = NULL};
    ksda_status status;
    uint64_t bytes, at = 0;
    KSDA_I_TRY(mpi_agree_on_status(ctx, open_rows(ctx, s, &g), 0));
    bytes = ksda_i_format_row(format)->bytes(&g);
    MPI_Exscan(&bytes, &at, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    status = ksda_i_output_stretch(ctx, path, temporary, world.rank ? at : 0, &out);
    if (status >= 0) status = write_rows(ctx, &g, format, out);
    KSDA_I_TRY(mpi_agree_on_status(ctx, status, 0));
done:
    ksda_i_free(ctx, g.off);
    return status;
}

bool mpi_may_write_file(const ksda_graph *graph) {
    const mpi_share *s = graph->far_data;
    return world.neighbours == world.size && s->adj && !s->turns;
}

ksda_status mpi_write_file(ksda_ctx *ctx, const ksda_graph *graph, const char *path, const char *temporary,
                           ksda_format format) {
    const mpi_share *s = graph->far_data;
    uint64_t first = strlen(path) + 1, length = first + strlen(temporary) + 1;
    char *names = ksda_i_malloc(ctx, length, 1);
    if (!names) return KSDA_NOMEM;
    memcpy(names, path, first);
    memcpy(names + first, temporary, length - first);
    mpi_work_together(ctx);
    mpi_send_order_to_all(MPI_ORDER_WRITE_FILE, s->handle, (uint64_t)format, length);
    mpi_broadcast(names, length, 0);
    ksda_status status = write_stretch(ctx, s, path, temporary, format);
    mpi_work_alone(ctx);
    ksda_i_free(ctx, names);
    return status;
}

void mpi_write_file_serve(unsigned handle, ksda_format format, uint64_t length) {
    char *names = malloc(length);
    if (!names) MPI_Abort(MPI_COMM_WORLD, 1);
    mpi_broadcast(names, length, 0);
    write_stretch(world.ctx, world.share[handle], names, names + strlen(names) + 1, format);
    free(names);
}
