/* Vertices by name. Edges may come before the vertices they join: a vertex is numbered when it is first mentioned, and
 * the place is kept until it is declared, so that one that never is can be told with its line and column. Where all
 * names are numbers the graph gets numeric ids, as if it had come from an edge list. O(n + m) and a hash table of the
 * names. */
#include "io/nodes.h"

#include "graph/builder.h"

void ksda_i_nodes_init(ksda_i_nodes *nodes, ksda_i_text *text) {
    *nodes = (ksda_i_nodes){.text = text};
    ksda_i_ids_names(&nodes->names);
    ksda_i_ids_names(&nodes->community_names);
}

void ksda_i_nodes_clear(ksda_i_nodes *nodes) {
    ksda_ctx *ctx = nodes->text->ctx;
    ksda_i_ids_clear(ctx, &nodes->names);
    ksda_i_ids_clear(ctx, &nodes->community_names);
    ksda_i_free(ctx, nodes->mention);
    ksda_i_free(ctx, nodes->community);
    ksda_i_free(ctx, nodes->edge);
    ksda_i_text *text = nodes->text;
    *nodes = (ksda_i_nodes){.text = text};
}

ksda_status ksda_i_nodes_mention(ksda_i_nodes *nodes, const char *name, size_t length, const char *place,
                                 uint32_t *item) {
    ksda_ctx *ctx = nodes->text->ctx;
    ksda_status status;
    uint32_t known = nodes->names.count;
    KSDA_I_TRY(
        ksda_i_reserve(ctx, &nodes->mention, &nodes->mention_capacity, (uint64_t)known + 1, sizeof *nodes->mention));
    KSDA_I_TRY(ksda_i_reserve(ctx, &nodes->community, &nodes->community_capacity, (uint64_t)known + 1,
                              sizeof *nodes->community));
    KSDA_I_TRY(ksda_i_ids_intern(ctx, &nodes->names, name, length, item));
    if (*item == known) {
        nodes->mention[known] = (uint64_t)(place - nodes->text->begin) + 1;
        nodes->community[known] = KSDA_NO_VERTEX;
    }
done:
    return status;
}

ksda_status ksda_i_nodes_declare(ksda_i_nodes *nodes, const char *name, size_t length, const char *place,
                                 uint32_t *item) {
    ksda_status status = ksda_i_nodes_mention(nodes, name, length, place, item);
    if (status < 0) return status;
    if (nodes->mention[*item] == 0) {
        char shown[KSDA_I_SHOWN];
        return ksda_i_text_error(nodes->text, place, "vertex %s is declared twice", ksda_i_show(name, length, shown));
    }
    nodes->mention[*item] = 0;
    return KSDA_OK;
}

ksda_status ksda_i_nodes_edge(ksda_i_nodes *nodes, uint32_t u, uint32_t v) {
    ksda_status status = ksda_i_reserve(nodes->text->ctx, &nodes->edge, &nodes->edge_capacity, 2 * nodes->edges + 2,
                                        sizeof *nodes->edge);
    if (status < 0) return status;
    nodes->edge[2 * nodes->edges] = u;
    nodes->edge[2 * nodes->edges + 1] = v;
    nodes->edges++;
    return KSDA_OK;
}

ksda_status ksda_i_nodes_community(ksda_i_nodes *nodes, uint32_t item, const char *name, size_t length) {
    return ksda_i_ids_intern(nodes->text->ctx, &nodes->community_names, name, length, &nodes->community[item]);
}

ksda_status ksda_i_nodes_check(const ksda_i_nodes *nodes) {
    const ksda_i_ids *names = &nodes->names;
    for (uint32_t i = 0; i < names->count; i++) {
        char shown[KSDA_I_SHOWN];
        if (nodes->mention[i] == 0) continue;
        return ksda_i_text_error(
            nodes->text, nodes->text->begin + nodes->mention[i] - 1,
            "an edge ends at vertex %s, which is never declared",
            ksda_i_show(names->text + names->start[i], names->start[i + 1] - names->start[i], shown));
    }
    return KSDA_OK;
}

/* The names as numbers, or *number NULL if one is no number. */
static ksda_status as_numbers(ksda_ctx *ctx, const ksda_i_ids *names, uint64_t **number) {
    *number = ksda_i_malloc(ctx, names->count, sizeof **number);
    if (!*number) return KSDA_NOMEM;
    for (uint32_t i = 0; i < names->count; i++) {
        if (ksda_i_parse_number(names->text + names->start[i], names->start[i + 1] - names->start[i], &(*number)[i]))
            continue;
        ksda_i_free(ctx, *number);
        *number = NULL;
        break;
    }
    return KSDA_OK;
}

static ksda_status fill_builder(const ksda_i_nodes *nodes, const uint64_t *number, ksda_i_builder *builder) {
    ksda_status status = KSDA_OK;
    if (number)
        for (uint32_t i = 0; i < nodes->names.count; i++) KSDA_I_TRY(ksda_i_builder_vertex(builder, 0, number[i]));
    else
        ksda_i_builder_declare(builder, 0, nodes->names.count);
    for (uint64_t i = 0; i < nodes->edges; i++) {
        uint32_t u = nodes->edge[2 * i], v = nodes->edge[2 * i + 1];
        KSDA_I_TRY(ksda_i_builder_edge(builder, 0, number ? number[u] : u, number ? number[v] : v));
    }
done:
    return status;
}

ksda_status ksda_i_nodes_finish(ksda_i_nodes *nodes, bool attribute, ksda_i_read *out) {
    ksda_ctx *ctx = nodes->text->ctx;
    ksda_status status;
    ksda_i_builder *builder = NULL;
    uint64_t *number = NULL;
    uint32_t n = nodes->names.count;
    KSDA_I_TRY(as_numbers(ctx, &nodes->names, &number));
    KSDA_I_TRY(ksda_i_builder_new(ctx, 1, &builder));
    KSDA_I_TRY(fill_builder(nodes, number, builder));
    status = ksda_i_builder_finish(builder, number ? NULL : &nodes->names, &out->graph);
    builder = NULL; /* freed, whatever happened */
    if (status < 0 || !attribute) goto done;
    if (!(out->community = ksda_i_malloc(ctx, n, sizeof *out->community))) {
        status = KSDA_NOMEM;
        goto done;
    }
    for (uint32_t i = 0; i < n; i++)
        out->community[number ? ksda_i_ids_find_number(&out->graph->ids, number[i]) : i] = nodes->community[i];
    out->names = nodes->community_names;
    ksda_i_ids_names(&nodes->community_names);
done:
    ksda_i_builder_free(ctx, builder);
    ksda_i_free(ctx, number);
    return status;
}
