/* Vertices without an edge, which other files name: they join the graph behind its own. */
#include "io/adopt.h"

#include "core/sort.h"
#include "io/names.h"
#include "io/text.h"

/* As numbers, ascending, if that is what they are and the graph's ids are; *numbers is NULL if not. */
static ksda_status as_numbers(ksda_ctx *ctx, const ksda_graph *graph, const ksda_i_ids *extra, uint64_t **numbers) {
    ksda_status status = KSDA_NOMEM;
    uint64_t *number = ksda_i_malloc(ctx, extra->count, sizeof *number), *scratch = NULL;
    bool fine = graph->ids.kind != KSDA_I_IDS_NAMES;
    *numbers = NULL;
    if (!number) return KSDA_NOMEM;
    for (uint32_t i = 0; i < extra->count && fine; i++)
        fine = ksda_i_parse_number(extra->text + extra->start[i], extra->start[i + 1] - extra->start[i], &number[i]);
    if (fine) {
        scratch = ksda_i_malloc(ctx, extra->count, sizeof *scratch);
        if (!scratch) goto done;
        ksda_i_sort_u64(number, extra->count, scratch);
        *numbers = number;
        number = NULL;
    }
    status = KSDA_OK;
done:
    ksda_i_free(ctx, number);
    ksda_i_free(ctx, scratch);
    return status;
}

ksda_status ksda_i_adopt_vertices(ksda_ctx *ctx, ksda_graph *graph, const ksda_i_ids *extra, uint32_t *place) {
    ksda_status status = KSDA_OK;
    uint64_t *number = NULL;
    uint32_t n = graph->n, item;
    if (extra->count == 0) return KSDA_OK;
    if (extra->count > KSDA_MAX_VERTICES - n)
        return ksda_i_error(ctx, KSDA_INVALID, "%llu vertices; at most %u are possible",
                            (unsigned long long)n + extra->count, KSDA_MAX_VERTICES);
    KSDA_I_TRY(as_numbers(ctx, graph, extra, &number));
    if (number) {
        KSDA_I_TRY(ksda_i_ids_append_numbers(ctx, &graph->ids, extra->count, number));
    } else {
        KSDA_I_TRY(ksda_i_ids_to_names(ctx, &graph->ids));
        for (uint32_t i = 0; i < extra->count; i++)
            KSDA_I_TRY(ksda_i_ids_intern(ctx, &graph->ids, extra->text + extra->start[i],
                                         extra->start[i + 1] - extra->start[i], &item));
    }
    KSDA_I_TRY(ksda_i_graph_extend(ctx, graph, extra->count));
    for (uint32_t i = 0; i < extra->count; i++)
        place[i] = ksda_i_ids_find(&graph->ids, extra->text + extra->start[i], extra->start[i + 1] - extra->start[i]);
done:
    ksda_i_free(ctx, number);
    return status;
}
