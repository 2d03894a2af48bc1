/* Writing communities: a vertex and its community a line; who is in several has several. */
#include "io/clu.h"
#include "io/names.h"
#include "io/parquet.h"

/* How names are written, and what stands between them: CSV where the file is called so, else blanks where no name has
 * any. */
static ksda_i_naming naming_of(const ksda_graph *graph, const ksda_communities *communities, const char *path,
                               char *between) {
    const ksda_i_format *format = ksda_i_format_by_name(path);
    bool words = ksda_i_names_fit(&graph->ids, KSDA_I_NAMING_WORD) &&
                 ksda_i_names_fit(ksda_i_community_names(communities), KSDA_I_NAMING_WORD);
    *between = format == &ksda_i_format_csv ? ',' : words && format != &ksda_i_format_tsv ? ' ' : '\t';
    return *between == ',' ? KSDA_I_NAMING_CSV : *between == ' ' ? KSDA_I_NAMING_WORD : KSDA_I_NAMING_TAB;
}

/* A row for each vertex and community. */
static ksda_status write_parquet(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                 ksda_i_output *out) {
    static const char *const names[2] = {"vertex", "community"};
    const ksda_i_ids *ids[2] = {&graph->ids, ksda_i_community_names(communities)};
    ksda_i_parquet_writer *writer;
    ksda_status status = ksda_i_parquet_create(ctx, names, ids, out, &writer);
    for (uint32_t v = 0; status >= 0 && v < graph->n; v++) {
        uint32_t size;
        const uint32_t *set = ksda_communities_set(communities, v, &size);
        for (uint32_t i = 0; i < size && status >= 0; i++) status = ksda_i_parquet_add(writer, v, set[i]);
        if (status >= 0 && v % 65536 == 0) status = ksda_i_progress(ctx, "writing", v, graph->n);
    }
    return ksda_i_parquet_finish(writer, status);
}

ksda_status ksda_i_write_communities(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                     ksda_i_output *out) {
    char between;
    if (ksda_i_format_by_name(ksda_i_output_path(out)) == &ksda_i_format_parquet)
        return write_parquet(ctx, graph, communities, out);
    if (ksda_i_clu_named(ksda_i_output_path(out))) return ksda_i_clu_write(ctx, graph, communities, out);
    ksda_i_naming naming = naming_of(graph, communities, ksda_i_output_path(out), &between);
    ksda_status status = ksda_i_names_check(ctx, &graph->ids, naming, "a communities file");
    if (status >= 0)
        status = ksda_i_names_check(ctx, ksda_i_community_names(communities), naming, "a communities file");
    if (naming == KSDA_I_NAMING_CSV)
        ksda_i_output_text(out, "vertex,community\n");
    else if (graph->ids.kind == KSDA_I_IDS_NAMES && graph->n > 0 &&
             ksda_i_degree(graph, 0) == 0) /* no header follows */
        ksda_i_output_format(out, "# vertex%ccommunity\n", between);
    for (uint32_t v = 0; status >= 0 && v < graph->n; v++) {
        uint32_t size;
        const uint32_t *set = ksda_communities_set(communities, v, &size);
        for (uint32_t i = 0; i < size; i++) {
            ksda_i_names_write(&graph->ids, v, naming, between, out);
            ksda_i_output_write(out, &between, 1);
            ksda_i_names_write(ksda_i_community_names(communities), set[i], naming, between, out);
            ksda_i_output_text(out, "\n");
        }
        if (v % 65536 == 0) status = ksda_i_progress(ctx, "writing", v, graph->n);
    }
    return status;
}

ksda_status ksda_write_communities(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                   const char *path) {
    ksda_i_output *out;
    ksda_status status = ksda_i_output_open(ctx, path, false, &out);
    if (status < 0) return status;
    status = ksda_i_write_communities(ctx, graph, communities, out);
    if (status >= 0) return ksda_i_output_commit(out);
    ksda_i_output_abandon(out);
    return status;
}
