/* Loading a network: the first, plain version for numeric ids. */
#include "graph/builder.h"
#include "graph/communities.h"

#include <ksda/io.h>

#include <inttypes.h>
#include <stdio.h>
#include <zlib.h>

void ksda_load_options_init(ksda_load_options *options) {
    *options = (ksda_load_options){.size = sizeof *options};
}

void ksda_network_clear(ksda_ctx *ctx, ksda_network *network) {
    ksda_graph_free(ctx, network->graph);
    ksda_communities_free(ctx, network->communities);
    *network = (ksda_network){.graph = NULL};
}

ksda_status ksda_load(ksda_ctx *ctx, const char *path, const ksda_load_options *options, ksda_network *out) {
    ksda_status status = KSDA_OK;
    ksda_i_builder *builder = NULL;
    uint32_t *of = NULL;
    gzFile file = gzopen(path, "rb");
    char line[4096];
    uint64_t u, v;
    *out = (ksda_network){.graph = NULL};
    if (!file) return ksda_i_error(ctx, KSDA_IO, "%s: cannot be opened", path);
    KSDA_I_TRY(ksda_i_builder_new(ctx, 1, &builder));
    while (gzgets(file, line, sizeof line))
        if (sscanf(line, "%" SCNu64 " %" SCNu64, &u, &v) == 2) KSDA_I_TRY(ksda_i_builder_edge(builder, 0, u, v));
    gzclose(file);
    file = NULL;
    if (options && options->communities) {
        char name[1024];
        file = gzopen(options->communities, "rb");
        if (!file) {
            status = ksda_i_error(ctx, KSDA_IO, "%s: cannot be opened", options->communities);
            goto done;
        }
        while (gzgets(file, line, sizeof line))
            if (sscanf(line, "%" SCNu64 " %1000s", &u, name) == 2) KSDA_I_TRY(ksda_i_builder_vertex(builder, 0, u));
    }
    status = ksda_i_builder_finish(builder, NULL, &out->graph);
    builder = NULL;
    if (status >= 0 && file) {
        char name[1024];
        ksda_i_ids names;
        ksda_i_ids_names(&names);
        of = ksda_i_calloc(ctx, out->graph->n, sizeof *of);
        gzrewind(file);
        while (of && gzgets(file, line, sizeof line))
            if (sscanf(line, "%" SCNu64 " %1000s", &u, name) == 2)
                KSDA_I_TRY(ksda_i_ids_intern(ctx, &names, name, strlen(name), &of[ksda_i_ids_find_number(&out->graph->ids, u)]));
        status = ksda_i_communities_take(ctx, out->graph->n, names.count, of, &names, &out->communities);
    }
done:
    if (file) gzclose(file);
    ksda_i_builder_free(ctx, builder);
    return status;
}
