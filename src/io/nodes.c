/* Vertices by name. Edges may come before the vertices they join: a vertex is numbered when it is first mentioned, and
 * the place is kept until it is declared, so that one that never is can be told with its line and column. Where all
 * names are numbers the graph gets numeric ids, as if it had come from an edge list. O(n + m) and a hash table of the
 * names. */
#include "io/nodes.h"

#include "core/sort.h"
#include "io/extras.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define MANY 65536         /* vertices that are announced need a byte of the file for each 64 of them */
#define MOST_ATTRIBUTES 64 /* that are kept for a message */

void ksda_i_nodes_init(ksda_i_nodes *nodes, ksda_i_text *text) {
    *nodes = (ksda_i_nodes){.text = text};
    ksda_i_ids_names(&nodes->names);
    ksda_i_ids_names(&nodes->community_names);
    ksda_i_ids_names(&nodes->titles);
    ksda_i_ids_names(&nodes->attributes);
}

ksda_status ksda_i_nodes_open(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_text *text,
                              ksda_i_nodes *nodes, ksda_i_read *out) {
    *out = (ksda_i_read){.closed = true};
    *text = (ksda_i_text){.ctx = ctx, .name = ksda_i_source_name(source)};
    ksda_i_nodes_init(nodes, text);
    nodes->several = options->overlap != KSDA_OVERLAP_REFUSE;
    return ksda_i_source_text(source, text);
}

void ksda_i_nodes_clear(ksda_i_nodes *nodes) {
    ksda_ctx *ctx = nodes->text->ctx;
    ksda_i_ids_clear(ctx, &nodes->names);
    ksda_i_ids_clear(ctx, &nodes->community_names);
    ksda_i_ids_clear(ctx, &nodes->titles);
    ksda_i_ids_clear(ctx, &nodes->attributes);
    ksda_i_free(ctx, nodes->mention);
    ksda_i_free(ctx, nodes->community);
    ksda_i_free(ctx, nodes->more);
    ksda_i_free(ctx, nodes->title);
    ksda_i_free(ctx, nodes->edge);
    ksda_i_free(ctx, nodes->direct);
    ksda_i_text *text = nodes->text;
    *nodes = (ksda_i_nodes){.text = text};
}

/* Let the table of small numbers have this one, unless it would become far larger than the number of vertices. */
static ksda_status remember_number(ksda_i_nodes *nodes, uint64_t number, uint32_t item) {
    if (number / 8 > item + UINT64_C(128)) return KSDA_OK;
    uint64_t old = nodes->direct_size;
    ksda_status status =
        ksda_i_reserve(nodes->text->ctx, &nodes->direct, &nodes->direct_size, number + 1, sizeof *nodes->direct);
    if (status < 0) return status;
    if (nodes->direct_size > old) memset(nodes->direct + old, 0, (nodes->direct_size - old) * sizeof *nodes->direct);
    nodes->direct[number] = item + 1;
    return KSDA_OK;
}

ksda_status ksda_i_nodes_mention(ksda_i_nodes *nodes, const char *name, size_t length, const char *place,
                                 uint32_t *item) {
    ksda_ctx *ctx = nodes->text->ctx;
    ksda_status status;
    uint64_t number;
    uint32_t known = nodes->names.count;
    bool is_number = ksda_i_parse_number(name, length, &number);
    if (is_number && number < nodes->direct_size && nodes->direct[number]) {
        *item = nodes->direct[number] - 1;
        return KSDA_OK;
    }
    KSDA_I_TRY(
        ksda_i_reserve(ctx, &nodes->mention, &nodes->mention_capacity, (uint64_t)known + 1, sizeof *nodes->mention));
    KSDA_I_TRY(ksda_i_reserve(ctx, &nodes->community, &nodes->community_capacity, (uint64_t)known + 1,
                              sizeof *nodes->community));
    KSDA_I_TRY(ksda_i_reserve(ctx, &nodes->title, &nodes->title_capacity, (uint64_t)known + 1, sizeof *nodes->title));
    KSDA_I_TRY(ksda_i_ids_intern(ctx, &nodes->names, name, length, item));
    if (is_number) KSDA_I_TRY(remember_number(nodes, number, *item));
    if (*item == known) {
        nodes->mention[known] = (uint64_t)(place - nodes->text->begin) + 1;
        nodes->community[known] = nodes->title[known] = KSDA_NO_VERTEX;
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

ksda_status ksda_i_nodes_count(ksda_i_text *t, uint64_t *n) {
    char shown[KSDA_I_SHOWN];
    uint64_t size = (uint64_t)(t->end - t->begin);
    const char *start = t->at;
    while (t->at < t->end && *t->at >= '0' && *t->at <= '9') t->at++;
    bool number = ksda_i_parse_number(start, (size_t)(t->at - start), n);
    if (!number || (!ksda_i_text_word_done(t) && *t->at != ','))
        return ksda_i_text_error(t, start, "expected the number of vertices, not %s",
                                 ksda_i_text_show(t, start, shown));
    if (*n > KSDA_MAX_VERTICES || (*n > MANY && *n / 64 > size))
        return ksda_i_text_error(t, start, "%llu vertices are announced, but the file has %llu bytes: hardly a graph",
                                 (unsigned long long)*n, (unsigned long long)size);
    return KSDA_OK;
}

ksda_status ksda_i_nodes_number(ksda_i_nodes *nodes, uint64_t n) {
    ksda_status status = KSDA_OK;
    ksda_i_ids range;
    ksda_i_ids_range(&range, (uint32_t)n, 1);
    for (uint32_t v = 0, item; v < n; v++) {
        char name[24];
        size_t length = ksda_i_ids_name(&range, v, name, sizeof name);
        KSDA_I_TRY(ksda_i_nodes_declare(nodes, name, length, nodes->text->at, &item));
        KSDA_I_TRY(ksda_i_look(nodes->text->ctx, v));
    }
done:
    return status;
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
    uint32_t community;
    if (length == 0) return KSDA_OK; /* blank: it has none */
    ksda_status status = ksda_i_ids_intern(nodes->text->ctx, &nodes->community_names, name, length, &community);
    if (status < 0) return status;
    if (nodes->community[item] == KSDA_NO_VERTEX || !nodes->several) {
        nodes->community[item] = community;
        return KSDA_OK;
    }
    status =
        ksda_i_reserve(nodes->text->ctx, &nodes->more, &nodes->more_capacity, nodes->mores + 1, sizeof *nodes->more);
    if (status >= 0) nodes->more[nodes->mores++] = (uint64_t)item << 32 | community;
    return status;
}

ksda_status ksda_i_nodes_title(ksda_i_nodes *nodes, uint32_t item, const char *name, size_t length) {
    if (length == 0) return KSDA_OK;
    return ksda_i_ids_intern(nodes->text->ctx, &nodes->titles, name, length, &nodes->title[item]);
}

static const char *show_item(const ksda_i_ids *ids, uint32_t item, char shown[KSDA_I_SHOWN]) {
    return ksda_i_show(ids->text + ids->start[item], ids->start[item + 1] - ids->start[item], shown);
}

/* Why the vertices cannot be called by their titles, as was asked for. */
static ksda_status no_titles(const ksda_i_nodes *nodes, const char *attribute, const uint32_t *first) {
    ksda_ctx *ctx = nodes->text->ctx;
    char one[KSDA_I_SHOWN], two[KSDA_I_SHOWN], title[KSDA_I_SHOWN], wanted[KSDA_I_SHOWN];
    ksda_i_show(attribute, strlen(attribute), wanted);
    for (uint32_t i = 0; i < nodes->names.count; i++) {
        uint32_t called = nodes->title[i];
        show_item(&nodes->names, i, one);
        if (called == KSDA_NO_VERTEX)
            return ksda_i_error_at(ctx, KSDA_PARSE, nodes->text->name, 0, 0,
                                   "vertex %s has no %s, which vertices are to be called by", one, wanted);
        if (first[called] != i)
            return ksda_i_error_at(ctx, KSDA_PARSE, nodes->text->name, 0, 0,
                                   "vertices %s and %s have the same %s, %s: they cannot be called by it",
                                   show_item(&nodes->names, first[called], two), one, wanted,
                                   show_item(&nodes->titles, called, title));
    }
    return KSDA_OK;
}

ksda_status ksda_i_nodes_rename(ksda_i_nodes *nodes, const char *attribute) {
    ksda_ctx *ctx = nodes->text->ctx;
    ksda_status status = KSDA_OK;
    ksda_i_ids names;
    uint32_t n = nodes->names.count, own = 0, *first = ksda_i_malloc(ctx, nodes->titles.count, sizeof *first);
    if (!first) return KSDA_NOMEM;
    ksda_i_ids_names(&names);
    for (uint32_t t = 0; t < nodes->titles.count; t++) first[t] = KSDA_NO_VERTEX;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t called = nodes->title[i];
        if (called == KSDA_NO_VERTEX || first[called] != KSDA_NO_VERTEX) continue;
        first[called] = i;
        own++;
    }
    if (own < n && attribute) KSDA_I_TRY(no_titles(nodes, attribute, first));
    if (own < n || n == 0) goto done;
    for (uint32_t i = 0, item; i < n; i++) {
        const uint64_t *start = nodes->titles.start + nodes->title[i];
        KSDA_I_TRY(ksda_i_ids_intern(ctx, &names, nodes->titles.text + start[0], start[1] - start[0], &item));
    }
    ksda_i_ids_clear(ctx, &nodes->names);
    nodes->names = names;
    ksda_i_ids_names(&names);
done:
    ksda_i_ids_clear(ctx, &names);
    ksda_i_free(ctx, first);
    return status;
}

ksda_status ksda_i_nodes_attribute(ksda_i_nodes *nodes, const char *name, size_t length) {
    uint32_t item;
    if (nodes->attributes.count == MOST_ATTRIBUTES) return KSDA_OK;
    return ksda_i_ids_intern(nodes->text->ctx, &nodes->attributes, name, length, &item);
}

ksda_status ksda_i_nodes_no_attribute(const ksda_i_nodes *nodes, const char *wanted) {
    const ksda_i_ids *known = &nodes->attributes;
    char list[400] = "", near[KSDA_I_SHOWN + 24] = "", shown[KSDA_I_SHOWN];
    size_t used = 0, length = strlen(wanted);
    for (uint32_t i = 0; i < known->count; i++) {
        const char *name = known->text + known->start[i];
        size_t size = known->start[i + 1] - known->start[i];
        ksda_i_show(name, size, shown);
        if (size == length && strncasecmp(name, wanted, size) == 0)
            snprintf(near, sizeof near, " (did you mean %s?)", shown);
        if (used + KSDA_I_SHOWN + 8 < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", shown);
        else if (used + 6 < sizeof list && list[used - 1] != '.')
            used += (size_t)snprintf(list + used, sizeof list - used, ", ...");
    }
    return ksda_i_error_at(nodes->text->ctx, KSDA_INVALID, nodes->text->name, 0, 0,
                           "no node attribute is called %s; there %s %s%s", ksda_i_show(wanted, length, shown),
                           known->count > 1 ? "are" : "is", known->count ? list : "none", near);
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

ksda_status ksda_i_nodes_complete(const ksda_i_nodes *nodes, const char *attribute, bool has_attribute,
                                  const char *called, bool has_called) {
    ksda_status status = ksda_i_nodes_check(nodes);
    if (status < 0) return status;
    if (attribute && !has_attribute) return ksda_i_nodes_no_attribute(nodes, attribute);
    return called && !has_called ? ksda_i_nodes_no_attribute(nodes, called) : KSDA_OK;
}

typedef struct numbered {
    uint64_t number;
    uint32_t item;
} numbered;

static int ascending(const void *a, const void *b) {
    uint64_t x = ((const numbered *)a)->number, y = ((const numbered *)b)->number;
    return (x > y) - (x < y);
}

/* If all names are numbers: the numbers in ascending order (*ids), and where each vertex stands there (*rank, the
 * caller's also after a failure). Else *rank is NULL. */
static ksda_status by_number(ksda_ctx *ctx, const ksda_i_ids *names, uint32_t **rank, ksda_i_ids *ids) {
    ksda_status status = KSDA_OK;
    uint32_t n = names->count;
    uint64_t *number = NULL;
    numbered *all = ksda_i_malloc(ctx, n, sizeof *all);
    *rank = NULL;
    if (!all) return KSDA_NOMEM;
    for (uint32_t i = 0; i < n; i++) {
        all[i].item = i;
        if (!ksda_i_parse_number(names->text + names->start[i], names->start[i + 1] - names->start[i], &all[i].number))
            goto done;
    }
    number = ksda_i_malloc(ctx, n, sizeof *number);
    *rank = ksda_i_malloc(ctx, n, sizeof **rank);
    if (!number || !*rank) {
        status = KSDA_NOMEM;
        goto done;
    }
    ksda_i_sort_by(all, n, sizeof *all, ascending);
    for (uint32_t i = 0; i < n; i++) {
        number[i] = all[i].number;
        (*rank)[all[i].item] = i;
    }
    if (n > 0 && number[n - 1] - number[0] == n - 1) {
        ksda_i_ids_range(ids, n, number[0]);
    } else {
        ksda_i_ids_numbers_take(ids, n, number);
        number = NULL;
    }
done:
    ksda_i_free(ctx, number);
    ksda_i_free(ctx, all);
    return status;
}

ksda_status ksda_i_nodes_finish(ksda_i_nodes *nodes, bool attribute, ksda_i_read *out) {
    ksda_ctx *ctx = nodes->text->ctx;
    ksda_status status;
    ksda_i_ids ids;
    uint32_t n = nodes->names.count, *rank = NULL;
    ksda_i_ids_range(&ids, 0, 0);
    KSDA_I_TRY(by_number(ctx, &nodes->names, &rank, &ids));
    for (uint64_t i = 0; i < 2 * nodes->edges && rank; i++) nodes->edge[i] = rank[nodes->edge[i]];
    KSDA_I_TRY(ksda_graph_from_edges(ctx, n, nodes->edges, nodes->edge, &out->graph));
    out->place = rank;
    rank = NULL;
    ksda_i_ids *names = out->place ? &ids : &nodes->names;
    out->graph->ids = *names; /* it had a range, which owns nothing */
    ksda_i_ids_range(names, 0, 0);
    if (nodes->directed && nodes->edges > 0)
        ksda_i_note(out->reading.note, sizeof out->reading.note,
                    "the edges of this file have directions, which are dropped: a degree is then the number of others "
                    "that a vertex is connected to either way");
    if (!attribute) goto done;
    if (!(out->community = ksda_i_malloc(ctx, n, sizeof *out->community))) {
        status = KSDA_NOMEM;
        goto done;
    }
    for (uint32_t i = 0; i < n; i++) out->community[out->place ? out->place[i] : i] = nodes->community[i];
    for (uint64_t i = 0; i < nodes->mores && out->place; i++)
        nodes->more[i] = (uint64_t)out->place[nodes->more[i] >> 32] << 32 | (uint32_t)nodes->more[i];
    out->more = nodes->more, out->mores = nodes->mores;
    nodes->more = NULL, nodes->mores = 0;
    out->names = nodes->community_names;
    ksda_i_ids_names(&nodes->community_names);
done:
    ksda_i_ids_clear(ctx, &ids);
    ksda_i_free(ctx, rank);
    return status;
}
