/* Witnesses, found and checked. Checking trusts nobody: all communities of a degree's witnesses, sorted, have no two
 * the same; and every degree that occurs has k of them. What the packing finds is checked in the same way. */
#include "privacy/witnesses.h"

#include "core/sort.h"
#include "privacy/diversity.h"

#include <stdio.h>

#define NAME_SIZE 64

static const char *called(const ksda_i_view *x, uint32_t p, char name[NAME_SIZE]) {
    if (ksda_graph_name(x->graph, p, name, NAME_SIZE) >= NAME_SIZE) memcpy(name + NAME_SIZE - 4, "...", 4);
    return name;
}

/* degree * 2^32 + community for each membership of these vertices (NULL: of all that count), sorted; the caller's. */
static ksda_status sorted_memberships(const ksda_i_view *x, const uint32_t *vertex, uint64_t count, uint64_t **out,
                                      uint64_t *memberships) {
    uint64_t total = 0, at = 0;
    uint32_t size;
    for (uint64_t i = 0; i < count; i++)
        ksda_i_set(x->communities, ksda_i_view_kind(x, vertex ? vertex[i] : (uint32_t)i), &size), total += size;
    uint64_t *key = ksda_i_malloc(x->ctx, total, sizeof *key), *scratch = ksda_i_malloc(x->ctx, total, sizeof *key);
    for (uint64_t i = 0; key && scratch && i < count; i++) {
        uint32_t p = vertex ? vertex[i] : (uint32_t)i;
        const uint32_t *kind = ksda_i_view_kind(x, p), *set = ksda_i_set(x->communities, kind, &size);
        if (!vertex && !ksda_i_kind_counts(x->communities, *kind)) continue;
        for (uint32_t j = 0; j < size; j++) key[at++] = (uint64_t)ksda_i_degree(x->graph, p) << 32 | set[j];
    }
    if (key && scratch) ksda_i_sort_u64(key, at, scratch);
    ksda_i_free(x->ctx, scratch);
    if (!key || !scratch) ksda_i_free(x->ctx, key);
    *out = scratch ? key : NULL;
    *memberships = at;
    return *out ? KSDA_OK : KSDA_NOMEM;
}

static uint32_t largest_degree(const ksda_graph *g) {
    uint32_t largest = 0;
    for (uint32_t v = 0; v < g->n; v++) largest = ksda_i_degree(g, v) > largest ? ksda_i_degree(g, v) : largest;
    return largest;
}

/* Each may be a witness, and each degree has k. */
static bool enough(const ksda_i_view *x, const uint32_t *witness, uint64_t count, uint32_t *at, char *error,
                   size_t size) {
    char name[NAME_SIZE];
    for (uint64_t i = 0; i < count; i++) {
        bool known = witness[i] < x->graph->n;
        if (known && ksda_i_kind_counts(x->communities, *ksda_i_view_kind(x, witness[i]))) {
            at[ksda_i_degree(x->graph, witness[i])]++;
            continue;
        }
        snprintf(error, size, "witness %s %s", known ? called(x, witness[i], name) : "number out of range",
                 known ? "has no community that counts" : "is no published vertex");
        return false;
    }
    for (uint32_t p = 0; p < x->graph->n; p++) {
        uint32_t degree = ksda_i_degree(x->graph, p);
        if (at[degree] >= x->k) continue;
        snprintf(error, size, "published vertex %s has degree %u, which has %u witnesses; k is %u", called(x, p, name),
                 degree, at[degree], x->k);
        return false;
    }
    return true;
}

ksda_status ksda_i_witnesses_check(const ksda_i_view *x, const uint32_t *witness, uint64_t count, bool *right,
                                   char *error, size_t size) {
    uint64_t *key = NULL, memberships;
    uint32_t *at = ksda_i_calloc(x->ctx, (uint64_t)largest_degree(x->graph) + 1, sizeof *at);
    ksda_status status = at ? KSDA_OK : KSDA_NOMEM;
    KSDA_I_TRY(status);
    if (!(*right = enough(x, witness, count, at, error, size))) goto done;
    KSDA_I_TRY(sorted_memberships(x, witness, count, &key, &memberships));
    for (uint64_t i = 1; i < memberships && *right; i++) {
        char name[NAME_SIZE];
        if (key[i] != key[i - 1]) continue;
        ksda_communities_set_name(x->communities, (uint32_t)key[i], name, sizeof name);
        snprintf(error, size, "two witnesses of degree %u are both in community %s", (uint32_t)(key[i] >> 32), name);
        *right = false;
    }
done:
    ksda_i_free(x->ctx, key);
    ksda_i_free(x->ctx, at);
    return status;
}

/* --- finding them ------------------------------------------------------------------------------------------------- */

typedef struct hunt {
    ksda_i_packer packer;
    uint32_t *vertex, *kind, *chosen; /* [n] by degree; scratch */
    uint8_t *wanted;                  /* [kinds] */
} hunt;

static ksda_status open_hunt(const ksda_i_view *x, hunt *h) {
    ksda_status status = ksda_i_packer_open(x->ctx, x->communities, &h->packer);
    h->vertex = ksda_i_malloc(x->ctx, x->graph->n, sizeof *h->vertex);
    h->kind = ksda_i_malloc(x->ctx, x->graph->n, sizeof *h->kind);
    h->chosen = ksda_i_malloc(x->ctx, x->graph->n, sizeof *h->chosen);
    h->wanted = ksda_i_calloc(x->ctx, x->communities->count, 1);
    return status < 0 ? status : h->vertex && h->kind && h->chosen && h->wanted ? KSDA_OK : KSDA_NOMEM;
}

static void close_hunt(const ksda_i_view *x, hunt *h) {
    ksda_i_packer_close(&h->packer);
    ksda_i_free(x->ctx, h->vertex);
    ksda_i_free(x->ctx, h->kind);
    ksda_i_free(x->ctx, h->chosen);
    ksda_i_free(x->ctx, h->wanted);
}

/* The witnesses among these vertices of one degree, behind those that there are. */
static ksda_status hunt_degree(const ksda_i_view *x, hunt *h, const uint32_t *vertex, uint32_t size, uint32_t *witness,
                               uint64_t *count, ksda_i_packing *packing) {
    for (uint32_t i = 0; i < size; i++) h->kind[i] = *ksda_i_view_kind(x, vertex[i]);
    ksda_status status = ksda_i_pack(&h->packer, h->kind, size, x->k, KSDA_I_PACKING_WORK, h->chosen, packing);
    uint32_t taken = packing->found < x->k ? packing->found : x->k;
    for (uint32_t i = 0; i < taken; i++) h->wanted[h->chosen[i]] = 1;
    for (uint32_t i = 0; i < size && taken > 0; i++) {
        if (!h->wanted[h->kind[i]]) continue;
        h->wanted[h->kind[i]] = 0, taken--;
        witness[(*count)++] = vertex[i];
    }
    return status;
}

static ksda_status hunt_all(const ksda_i_view *x, hunt *h, uint32_t *start, uint32_t degrees, uint32_t *witness,
                            uint64_t *count, bool *right, char *error, size_t size) {
    ksda_status status = KSDA_OK;
    char name[NAME_SIZE];
    ksda_i_packing packing;
    for (uint32_t d = 0; d < degrees && *right; d++) {
        if (start[d + 1] == start[d]) continue;
        KSDA_I_TRY(hunt_degree(x, h, h->vertex + start[d], start[d + 1] - start[d], witness, count, &packing));
        if (packing.found >= x->k) continue;
        *right = false;
        called(x, h->vertex[start[d]], name);
        if (packing.most < x->k)
            snprintf(error, size,
                     "published vertex %s has degree %u, where at most %u vertices are in pairwise disjoint sets of "
                     "communities; k is %u",
                     name, d, packing.most, x->k);
        else
            snprintf(
                error, size,
                "published vertex %s has degree %u, where %u vertices in pairwise disjoint sets of communities were "
                "found; whether there are %u could not be decided",
                name, d, packing.found, x->k);
    }
done:
    return status;
}

ksda_status ksda_i_witnesses_find(const ksda_i_view *x, uint32_t **witness, uint64_t *count, bool *right, char *error,
                                  size_t size) {
    hunt h = {.packer = {.ctx = x->ctx}};
    uint32_t n = x->graph->n, degrees = largest_degree(x->graph) + 1;
    uint32_t *start = ksda_i_malloc(x->ctx, (uint64_t)degrees + 1, sizeof *start);
    uint32_t *degree = ksda_i_malloc(x->ctx, n, sizeof *degree);
    ksda_status status = open_hunt(x, &h);
    *count = 0;
    *right = true;
    *witness = ksda_i_malloc(x->ctx, n, sizeof **witness); /* everybody once at most */
    if (status >= 0 && (!start || !degree || !*witness)) status = KSDA_NOMEM;
    if (status >= 0) {
        for (uint32_t v = 0; v < n; v++) degree[v] = ksda_i_degree(x->graph, v);
        ksda_i_group(n, degree, degrees, start, h.vertex);
        status = hunt_all(x, &h, start, degrees, *witness, count, right, error, size);
    }
    close_hunt(x, &h);
    ksda_i_free(x->ctx, start);
    ksda_i_free(x->ctx, degree);
    return status;
}

ksda_status ksda_witnesses(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
                           uint32_t **out, uint64_t *count) {
    ksda_i_view x = {.ctx = ctx, .graph = graph, .communities = communities, .k = k};
    char error[512];
    bool right;
    *out = NULL;
    if (communities->n != graph->n)
        return ksda_i_error(ctx, KSDA_INVALID, "the communities are of %u vertices, but the graph has %u",
                            communities->n, graph->n);
    ksda_status status = ksda_i_check_k(ctx, k, ksda_i_most_k(communities), "communities");
    if (status >= 0) status = ksda_i_witnesses_find(&x, out, count, &right, error, sizeof error);
    if (status >= 0 && !right) status = ksda_i_error(ctx, KSDA_VIOLATED, "%s", error);
    if (status < 0) ksda_i_free(ctx, *out), *out = NULL;
    return status;
}

/* --- shares ------------------------------------------------------------------------------------------------------- */

ksda_status ksda_i_sets_within(const ksda_i_view *x, ksda_share most, bool *right, char *error, size_t size) {
    uint64_t *key = NULL, memberships = 0;
    uint32_t *known = ksda_i_calloc(x->ctx, (uint64_t)largest_degree(x->graph) + 1, sizeof *known);
    ksda_status status = known ? KSDA_OK : KSDA_NOMEM;
    *right = true;
    KSDA_I_TRY(status);
    for (uint32_t p = 0; p < x->graph->n; p++)
        known[ksda_i_degree(x->graph, p)] += ksda_i_kind_counts(x->communities, *ksda_i_view_kind(x, p));
    KSDA_I_TRY(sorted_memberships(x, NULL, x->graph->n, &key, &memberships));
    for (uint64_t i = 0, run; i < memberships && *right; i += run) {
        char name[NAME_SIZE];
        uint32_t degree = (uint32_t)(key[i] >> 32);
        for (run = 1; i + run < memberships && key[i + run] == key[i];) run++;
        if (run * most.denominator <= (uint64_t)known[degree] * most.numerator) continue;
        *right = false;
        ksda_communities_set_name(x->communities, (uint32_t)key[i], name, sizeof name);
        snprintf(error, size,
                 "%llu of the %u vertices of degree %u are in community %s; the largest share allowed is %u/%u",
                 (unsigned long long)run, known[degree], degree, name, most.numerator, most.denominator);
    }
done:
    ksda_i_free(x->ctx, key);
    ksda_i_free(x->ctx, known);
    return status;
}
