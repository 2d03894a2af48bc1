/* What a network looks like and what loading it dropped: `ksda stats`. O(n + m). */
#include "community/leiden.h"
#include "report/report.h"

#include <math.h>

/* The lower median by counting: how_often[x] of the values are x. */
static uint32_t median(const uint32_t *how_often, uint32_t n) {
    uint32_t seen = 0, x = 0;
    for (; n > 0; x++)
        if ((seen += how_often[x]) >= n - n / 2) return x;
    return 0;
}

static ksda_status count_degrees(ksda_ctx *ctx, const ksda_graph *g, ksda_i_stats *s) {
    uint32_t *how_often = ksda_i_calloc(ctx, (uint64_t)g->n + 1, sizeof *how_often);
    if (!how_often) return KSDA_NOMEM;
    s->degree_min = g->n ? UINT32_MAX : 0;
    for (uint32_t v = 0; v < g->n; v++) {
        uint32_t d = ksda_i_degree(g, v);
        how_often[d]++;
        if (d < s->degree_min) s->degree_min = d;
        if (d > s->degree_max) s->degree_max = d;
    }
    s->isolated = how_often[0];
    s->degree_median = median(how_often, g->n);
    s->degree_mean = g->n ? 2.0 * (double)g->m / g->n : 0;
    ksda_i_free(ctx, how_often);
    return KSDA_OK;
}

static void count_members(const ksda_communities *c, uint32_t *size) {
    for (uint32_t kind = 0, sets; kind < c->count; kind++) {
        const uint32_t *set = ksda_i_set(c, &kind, &sets);
        for (uint32_t i = 0; i < sets; i++) size[set[i]] += ksda_i_community_size(c, kind);
    }
}

/* Ends of edges whose other end has a community in common. */
static uint64_t count_meeting(const ksda_graph *g, const ksda_communities *c) {
    uint64_t ends = 0;
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++)
            ends += c->of[v] == c->of[g->adj[i]] || ksda_i_kinds_meet(c, c->of[v], c->of[g->adj[i]]);
    return ends;
}

static ksda_status count_communities(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_i_stats *s) {
    uint32_t communities = ksda_communities_set_count(c), *size = ksda_i_calloc(ctx, communities, sizeof *size);
    uint32_t *how_often = ksda_i_calloc(ctx, (uint64_t)c->n + 1, sizeof *how_often);
    uint64_t inside = 0;
    ksda_status status = size && how_often ? KSDA_OK : KSDA_NOMEM;
    KSDA_I_TRY(status);
    count_members(c, size);
    s->community_min = communities ? UINT32_MAX : 0;
    for (uint32_t i = 0; i < communities; i++) {
        how_often[size[i]]++;
        s->memberships += size[i];
        if (size[i] < s->community_min) s->community_min = size[i];
        if (size[i] > s->community_max) s->community_max = size[i];
    }
    s->community_median = median(how_often, communities);
    if (c->sets)
        inside = count_meeting(g, c);
    else
        KSDA_I_TRY(ksda_i_modularity(ctx, g, c, &inside, &s->modularity));
    s->inside = g->m ? (double)(inside / 2) / (double)g->m : NAN;
done:
    ksda_i_free(ctx, size);
    ksda_i_free(ctx, how_often);
    return status;
}

ksda_status ksda_i_stats_count(ksda_ctx *ctx, const ksda_network *net, ksda_i_stats *out) {
    ksda_status status;
    *out = (ksda_i_stats){.net = net, .modularity = NAN, .inside = NAN};
    KSDA_I_TRY(count_degrees(ctx, net->graph, out));
    if (net->communities) KSDA_I_TRY(count_communities(ctx, net->graph, net->communities, out));
done:
    return status;
}

void ksda_i_stats_json(const ksda_i_stats *s, json_t *object) {
    const ksda_cleaning *cleaning = ksda_graph_cleaning(s->net->graph);
    json_t *degree = json_object(), *cleaned = json_object(), *size = json_object();
    ksda_i_json_text(object, "format", ksda_format_name(s->net->format));
    ksda_i_json_count(object, "vertices", s->net->graph->n);
    ksda_i_json_count(object, "edges", s->net->graph->m);
    ksda_i_json_count(object, "isolated_vertices", s->isolated);
    ksda_i_json_count(degree, "min", s->degree_min);
    ksda_i_json_count(degree, "median", s->degree_median);
    ksda_i_json_real(degree, "mean", s->degree_mean);
    ksda_i_json_count(degree, "max", s->degree_max);
    ksda_i_json_set(object, "degree", degree);
    ksda_i_json_count(cleaned, "input_edges", cleaning->input_edges);
    ksda_i_json_count(cleaned, "self_loops", cleaning->self_loops);
    ksda_i_json_count(cleaned, "duplicate_edges", cleaning->duplicate_edges);
    ksda_i_json_set(object, "cleaning", cleaned);
    if (!s->net->communities) {
        ksda_i_json_set(object, "communities", json_null());
        json_decref(size);
        return;
    }
    ksda_i_json_count(object, "communities", ksda_communities_set_count(s->net->communities));
    ksda_i_json_text(object, "overlap", s->net->communities->sets ? ksda_overlap_name(KSDA_OVERLAP_DISJOINT) : NULL);
    ksda_i_json_count(object, "memberships", s->memberships);
    ksda_i_json_count(size, "min", s->community_min);
    ksda_i_json_count(size, "median", s->community_median);
    ksda_i_json_count(size, "max", s->community_max);
    ksda_i_json_set(object, "community_size", size);
    ksda_i_json_real(object, "edges_inside", s->inside);
    ksda_i_json_real(object, "modularity", s->modularity);
    ksda_i_json_count(object, "only_in_communities", s->net->only_in_communities);
    ksda_i_json_count(object, "unassigned", s->net->unassigned);
}

static void stats_line(FILE *out, const char *what, uint64_t value, const char *after) {
    char a[32];
    fprintf(out, "%-13s %s%s\n", what, ksda_grouped(value, a), after);
}

static void cleaning_text(const ksda_cleaning *c, FILE *out) {
    char a[32], b[32], d[32];
    if (c->input_edges == 0) return;
    fprintf(out, "%-13s %s %s in the input", "cleaning", ksda_grouped(c->input_edges, a),
            ksda_i_word((double)c->input_edges, "edges"));
    if (c->self_loops + c->duplicate_edges == 0)
        fputs(", nothing removed\n", out);
    else
        fprintf(out, "; removed %s %s and %s repeated or reversed %s\n", ksda_grouped(c->self_loops, b),
                ksda_i_word((double)c->self_loops, "self-loops"), ksda_grouped(c->duplicate_edges, d),
                ksda_i_word((double)c->duplicate_edges, "edges"));
}

void ksda_i_stats_text(const ksda_i_stats *s, FILE *out) {
    char isolated[64] = "", a[32];
    if (s->isolated) snprintf(isolated, sizeof isolated, " (%s without an edge)", ksda_grouped(s->isolated, a));
    stats_line(out, "vertices", s->net->graph->n, isolated);
    stats_line(out, "edges", s->net->graph->m, "");
    fprintf(out, "%-13s %u to %u, median %u, mean %.2f\n", "degrees", s->degree_min, s->degree_max, s->degree_median,
            s->degree_mean);
    fprintf(out, "%-13s %s\n", "read as", ksda_format_name(s->net->format));
    cleaning_text(ksda_graph_cleaning(s->net->graph), out);
    if (!s->net->communities) return;
    stats_line(out, "communities", ksda_communities_set_count(s->net->communities), "");
    if (s->net->communities->sets) stats_line(out, "  memberships", s->memberships, " of vertices, some in several");
    fprintf(out, "%-13s %u to %u %s, median %u\n", "  sizes", s->community_min, s->community_max,
            ksda_i_word(s->community_max, "vertices"), s->community_median);
    if (isfinite(s->inside) && s->net->communities->sets)
        fprintf(out, "%-13s %.1f %% of the edges join vertices whose sets meet; modularity is not defined for sets\n",
                "  inside", 100 * s->inside);
    else if (isfinite(s->inside))
        fprintf(out, "%-13s %.1f %% of the edges, modularity %.4f\n", "  inside", 100 * s->inside, s->modularity);
    if (s->net->only_in_communities)
        stats_line(out, "  no edges", s->net->only_in_communities,
                   s->net->only_in_communities == 1 ? " vertex stands only in the communities file"
                                                    : " vertices stand only in the communities file");
    if (s->net->unassigned)
        stats_line(out, "  unassigned", s->net->unassigned,
                   s->net->unassigned == 1 ? " vertex had no community" : " vertices had no community");
}
