/* Pajek partitions (.clu): the communities of a network whose file lists all its vertices, one number a line, in the
 * order of that file.
 *
 *     *Vertices 3
 *     1
 *     1
 *     2
 *
 * As many numbers as vertices, or it is refused. Lines that begin with % are comments. Written where a communities file
 * is called .clu, if all communities are called by numbers. Time O(n). */
#include "io/clu.h"

#include "io/nodes.h"

#include <strings.h>

static const char banner[] = "*vertices";

ksda_status ksda_i_clu_sniff(ksda_ctx *ctx, ksda_i_source *source, bool closed, bool *partition) {
    const char *data;
    size_t size;
    ksda_status status = ksda_i_source_peek(source, &data, &size);
    *partition = status >= 0 && size > sizeof banner && strncasecmp(data, banner, sizeof banner - 1) == 0;
    if (!*partition || closed) return status;
    return ksda_i_error_at(ctx, KSDA_PARSE, ksda_i_source_name(source), 1, 1,
                           "a Pajek partition tells vertices by their places, but the graph's format does not list "
                           "them: read the network from the .net file that it belongs to");
}

bool ksda_i_clu_named(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".clu") == 0;
}

/* The value of one vertex; false at the end of the file. */
static bool next_value(ksda_i_text *t, const char **value, size_t *size) {
    for (;;) {
        ksda_i_text_blanks(t);
        if (t->at == t->end) return false;
        if (*t->at != '%' && *t->at != '\n') break;
        ksda_i_text_next_line(t);
    }
    *value = t->at;
    while (!ksda_i_text_word_done(t)) t->at++;
    *size = (size_t)(t->at - *value);
    return true;
}

static ksda_status read_values(ksda_i_text *t, uint64_t n, const uint32_t *place, ksda_i_membership *m) {
    ksda_status status = KSDA_OK;
    char shown[KSDA_I_SHOWN];
    const char *value;
    size_t size;
    uint64_t v = 0;
    for (; next_value(t, &value, &size); v++) {
        ksda_i_text number = {.at = value, .end = value + size};
        if (v == n)
            return ksda_i_text_error(t, value, "%llu vertices are announced, but more follow", (unsigned long long)n);
        if (!ksda_i_text_skip_number(&number) || number.at != number.end)
            return ksda_i_text_error(t, value, "expected the number of a community, not %s",
                                     ksda_i_show(value, size, shown));
        KSDA_I_TRY(ksda_i_ids_intern(t->ctx, &m->names, value, size, &m->of[place ? place[v] : v]));
        KSDA_I_TRY(ksda_i_look(t->ctx, v));
    }
    if (v < n)
        return ksda_i_text_error(t, t->end, "%llu vertices are announced, but there are only %llu values",
                                 (unsigned long long)n, (unsigned long long)v);
done:
    return status;
}

ksda_status ksda_i_clu_read(ksda_ctx *ctx, ksda_i_source *source, const ksda_graph *graph, const uint32_t *place,
                            ksda_i_membership *m) {
    ksda_i_text t = {.ctx = ctx, .name = ksda_i_source_name(source)};
    ksda_status status;
    uint64_t n;
    KSDA_I_TRY(ksda_i_source_text(source, &t));
    t.at += sizeof banner - 1;
    ksda_i_text_blanks(&t);
    KSDA_I_TRY(ksda_i_nodes_count(&t, &n));
    if (n != graph->n)
        return ksda_i_text_error(&t, t.begin, "a partition of %llu vertices, but the graph has %u",
                                 (unsigned long long)n, graph->n);
    ksda_i_text_next_line(&t);
    ksda_i_ids_names(&m->names);
    m->of = ksda_i_malloc(ctx, n, sizeof *m->of);
    if (!m->of) return KSDA_NOMEM;
    m->n = graph->n;
    KSDA_I_TRY(read_values(&t, n, place, m));
done:
    return status;
}

ksda_status ksda_i_clu_write(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *c, ksda_i_output *out) {
    ksda_status status = KSDA_OK;
    if (c->sets)
        return ksda_i_error(ctx, KSDA_UNSUPPORTED, "a Pajek partition (.clu) holds one community for each vertex");
    if (c->names.kind == KSDA_I_IDS_NAMES)
        return ksda_i_error(ctx, KSDA_UNSUPPORTED,
                            "a Pajek partition (.clu) holds numbers, but the communities are called by names; name a "
                            "file without that ending");
    ksda_i_output_format(out, "*Vertices %u\n", graph->n);
    for (uint32_t v = 0; v < graph->n; v++) {
        ksda_i_output_id(out, &c->names, c->of[v]);
        ksda_i_output_text(out, "\n");
        KSDA_I_TRY(ksda_i_look(ctx, v));
    }
done:
    return status;
}
