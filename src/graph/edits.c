/* Recording edits and reading them back.
 *
 * An original edge stands at both its ends in the original's rows; a split vertex keeps, beside its row, the piece that
 * carries each entry. So every original edge is there exactly once by construction. apply.c makes the graph. */
#include "graph/edits.h"

ksda_status ksda_edits_new(ksda_ctx *ctx, const ksda_graph *graph, ksda_edits **out) {
    *out = ksda_i_calloc(ctx, 1, sizeof **out);
    if (!*out) return KSDA_NOMEM;
    (*out)->graph = graph;
    return KSDA_OK;
}

void ksda_edits_free(ksda_ctx *ctx, ksda_edits *edits) {
    if (!edits) return;
    for (uint64_t i = 0; i < edits->splits; i++) ksda_i_free(ctx, edits->split[i].carrier);
    ksda_i_free(ctx, edits->split);
    ksda_i_free(ctx, edits->split_of);
    ksda_i_free(ctx, edits->owner);
    ksda_i_free(ctx, edits->added.pair);
    ksda_i_free(ctx, edits->links.pair);
    ksda_i_free(ctx, edits->removed.pair);
    ksda_i_free(ctx, edits);
}

static ksda_status copy_array(ksda_ctx *ctx, const void *from, uint64_t count, size_t size, void *to_pointer) {
    void *to = from ? ksda_i_malloc(ctx, count, size) : NULL;
    if (from && !to) return KSDA_NOMEM;
    if (to) memcpy(to, from, count * size);
    memcpy(to_pointer, &to, sizeof to);
    return KSDA_OK;
}

ksda_status ksda_i_edits_copy(ksda_ctx *ctx, const ksda_edits *from, ksda_edits **out) {
    const ksda_graph *g = from->graph;
    ksda_status status;
    ksda_edits *to = NULL;
    KSDA_I_TRY(ksda_edits_new(ctx, g, &to));
    KSDA_I_TRY(copy_array(ctx, from->added.pair, from->added.count, sizeof(ksda_pair), &to->added.pair));
    KSDA_I_TRY(copy_array(ctx, from->links.pair, from->links.count, sizeof(ksda_pair), &to->links.pair));
    KSDA_I_TRY(copy_array(ctx, from->removed.pair, from->removed.count, sizeof(ksda_pair), &to->removed.pair));
    to->added.count = to->added.capacity = from->added.count;
    to->links.count = to->links.capacity = from->links.count;
    to->removed.count = to->removed.capacity = from->removed.count;
    KSDA_I_TRY(copy_array(ctx, from->owner, from->extra, sizeof *to->owner, &to->owner));
    to->extra = to->owner_capacity = from->extra;
    KSDA_I_TRY(copy_array(ctx, from->split_of, g->n, sizeof *to->split_of, &to->split_of));
    KSDA_I_TRY(ksda_i_reserve(ctx, &to->split, &to->split_capacity, from->splits, sizeof *to->split));
    for (; to->splits < from->splits; to->splits++) {
        const ksda_i_split *x = &from->split[to->splits];
        to->split[to->splits].vertex = x->vertex;
        KSDA_I_TRY(copy_array(ctx, x->carrier, ksda_i_degree(g, x->vertex), sizeof *x->carrier,
                              &to->split[to->splits].carrier));
    }
    *out = to;
    return KSDA_OK;
done:
    ksda_edits_free(ctx, to);
    return status;
}

/* --- recording --------------------------------------------------------------------------------------------------- */

static ksda_status append(ksda_ctx *ctx, ksda_i_pairs *list, uint32_t u, uint32_t v) {
    ksda_status status = ksda_i_reserve(ctx, &list->pair, &list->capacity, list->count + 1, sizeof *list->pair);
    if (status >= 0) list->pair[list->count++] = (ksda_pair){u, v};
    return status;
}

ksda_status ksda_edits_add_edge(ksda_ctx *ctx, ksda_edits *edits, uint32_t p, uint32_t q) {
    return append(ctx, &edits->added, p, q);
}
ksda_status ksda_edits_link(ksda_ctx *ctx, ksda_edits *edits, uint32_t p, uint32_t q) {
    return append(ctx, &edits->links, p, q);
}
ksda_status ksda_edits_remove_edge(ksda_ctx *ctx, ksda_edits *edits, uint32_t u, uint32_t v) {
    return u < v ? append(ctx, &edits->removed, u, v) : append(ctx, &edits->removed, v, u);
}

/* The record of v, made at its first split. */
static ksda_status make_record(ksda_ctx *ctx, ksda_edits *e, uint32_t v) {
    if (!e->split_of) {
        e->split_of = ksda_i_calloc(ctx, e->graph->n, sizeof *e->split_of);
        if (!e->split_of) return KSDA_NOMEM;
    }
    if (e->split_of[v]) return KSDA_OK;
    ksda_status status = ksda_i_reserve(ctx, &e->split, &e->split_capacity, e->splits + 1, sizeof *e->split);
    if (status < 0) return status;
    uint32_t degree = ksda_i_degree(e->graph, v), *carrier = ksda_i_malloc(ctx, degree, sizeof *carrier);
    if (!carrier) return KSDA_NOMEM;
    for (uint32_t i = 0; i < degree; i++) carrier[i] = v;
    e->split[e->splits++] = (ksda_i_split){v, carrier};
    e->split_of[v] = (uint32_t)e->splits;
    return KSDA_OK;
}

ksda_status ksda_edits_split(ksda_ctx *ctx, ksda_edits *edits, uint32_t v, uint32_t *piece) {
    if (v >= edits->graph->n) return ksda_i_error(ctx, KSDA_INVALID, "no vertex %u to split", v);
    if (edits->graph->n + edits->extra >= KSDA_MAX_VERTICES)
        return ksda_i_error(ctx, KSDA_INVALID, "more than %u vertices after splitting", KSDA_MAX_VERTICES);
    ksda_status status = make_record(ctx, edits, v);
    if (status >= 0)
        status = ksda_i_reserve(ctx, &edits->owner, &edits->owner_capacity, edits->extra + 1, sizeof *edits->owner);
    if (status < 0) return status;
    *piece = edits->graph->n + (uint32_t)edits->extra;
    edits->owner[edits->extra++] = v;
    return KSDA_OK;
}

ksda_status ksda_edits_carry(ksda_ctx *ctx, ksda_edits *edits, uint32_t v, uint32_t i, uint32_t piece) {
    if (v >= edits->graph->n || i >= ksda_i_degree(edits->graph, v) || piece >= ksda_edits_pieces(edits) ||
        ksda_edits_owner(edits, piece) != v || !edits->split_of || !edits->split_of[v])
        return ksda_i_error(ctx, KSDA_INVALID, "piece %u cannot carry edge %u of vertex %u", piece, i, v);
    edits->split[edits->split_of[v] - 1].carrier[i] = piece;
    return KSDA_OK;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

static uint64_t list_pairs(const ksda_i_pairs *l, const ksda_pair **pairs) {
    if (pairs) *pairs = l->pair;
    return l->count;
}
uint64_t ksda_edits_added(const ksda_edits *edits, const ksda_pair **pairs) {
    return list_pairs(&edits->added, pairs);
}
uint64_t ksda_edits_links(const ksda_edits *edits, const ksda_pair **pairs) {
    return list_pairs(&edits->links, pairs);
}
uint64_t ksda_edits_removed(const ksda_edits *edits, const ksda_pair **pairs) {
    return list_pairs(&edits->removed, pairs);
}
uint32_t ksda_edits_pieces(const ksda_edits *edits) {
    return edits->graph->n + (uint32_t)edits->extra;
}
uint32_t ksda_edits_split_vertices(const ksda_edits *edits) {
    return (uint32_t)edits->splits;
}
uint32_t ksda_edits_owner(const ksda_edits *edits, uint32_t piece) {
    return piece < edits->graph->n ? piece : edits->owner[piece - edits->graph->n];
}
void ksda_edits_owners(const ksda_edits *edits, uint32_t *out) {
    for (uint32_t v = 0; v < edits->graph->n; v++) out[v] = v;
    if (edits->extra) memcpy(out + edits->graph->n, edits->owner, edits->extra * sizeof *out);
}
void ksda_edits_carriers(const ksda_edits *edits, uint32_t *out) {
    const ksda_graph *g = edits->graph;
    for (uint32_t v = 0; v < g->n; v++) {
        const ksda_i_split *split = ksda_i_split_of(edits, v);
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) out[i] = split ? split->carrier[i - g->off[v]] : v;
    }
}
uint32_t ksda_edits_carrier(const ksda_edits *edits, uint32_t v, uint32_t i) {
    uint32_t record = edits->split_of ? edits->split_of[v] : 0;
    return record ? edits->split[record - 1].carrier[i] : v;
}
