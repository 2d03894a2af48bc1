/* The degrees of a release, by the definition, with nothing of what methods count and ask: sort and look. Time O(n),
 * 16 bytes a published vertex. */
#include "privacy/verify_degrees.h"

#include "core/sort.h"
#include "graph/communities.h"

#include <stdio.h>

const char *ksda_i_verify_name(const ksda_graph *g, uint32_t v, char buffer[KSDA_I_NAME_SHOWN]) {
    if (ksda_graph_name(g, v, buffer, KSDA_I_NAME_SHOWN) >= KSDA_I_NAME_SHOWN)
        memcpy(buffer + KSDA_I_NAME_SHOWN - 4, "...", 4);
    return buffer;
}

static uint64_t degree_and_community(const ksda_i_view *x, uint32_t p) {
    return (uint64_t)ksda_i_degree(x->graph, p) * x->communities->count + x->communities->of[x->owner[p]];
}

/* What is wrong with a degree. */
typedef struct offence {
    uint32_t degree;
    uint32_t communities;    /* that have it */
    uint32_t largest, known; /* vertices of one community, and of all that count */
} offence;

/* From sorted keys, degree * communities + community, one for every published vertex: what there is at the degree of
 * the first one. Returns where the next degree begins. */
static uint64_t look_at_degree(const uint64_t *key, uint64_t size, const ksda_communities *c, offence *out) {
    uint64_t first = key[0] / c->count * c->count, i = 0;
    *out = (offence){.degree = (uint32_t)(key[0] / c->count)};
    while (i < size && key[i] < first + c->count) {
        uint64_t begin = i;
        while (i < size && key[i] == key[begin]) i++;
        uint32_t own = (uint32_t)(i - begin);
        if (key[begin] >= first + c->counted) continue;
        out->communities++, out->known += own;
        if (own > out->largest) out->largest = own;
    }
    return i;
}

/* The degrees that fewer than k communities have, or one in too large a part, ascending, into the front of the keys
 * where they were. Returns how many there are. */
static uint64_t offending(const ksda_i_view *x, uint64_t *key, uint64_t size, ksda_share most) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < size;) {
        offence o;
        i += look_at_degree(key + i, size - i, x->communities, &o);
        bool above = most.denominator && (uint64_t)o.largest * most.denominator > (uint64_t)o.known * most.numerator;
        if (o.communities < x->k || above) key[count++] = o.degree;
    }
    return count;
}

/* Why the degree of published vertex p will not do. */
static void complain_degree(const ksda_i_view *x, const ksda_graph *original, uint32_t p, const offence *o,
                            ksda_share most, ksda_verification *out) {
    char a[KSDA_I_NAME_SHOWN], b[KSDA_I_NAME_SHOWN];
    ksda_i_verify_name(x->graph, p, a), ksda_i_verify_name(original, x->owner[p], b);
    if (o->communities < x->k)
        snprintf(out->error, sizeof out->error,
                 "published vertex %s, of vertex %s, has degree %u, which occurs in %u communities only; k is %u", a, b,
                 o->degree, o->communities, x->k);
    else
        snprintf(out->error, sizeof out->error,
                 "published vertex %s, of vertex %s, has degree %u, where %u of %u vertices are of one community; the "
                 "largest share allowed is %u/%u",
                 a, b, o->degree, o->largest, o->known, most.numerator, most.denominator);
}

/* The lowest published vertex whose degree is one of these, of which there are some. */
static ksda_status complain_diversity(const ksda_i_view *x, const ksda_graph *original, const uint64_t *wrong,
                                      uint64_t size, ksda_share most, ksda_verification *out) {
    uint32_t p = 0, degree = 0, at_degree = 0;
    for (bool found = false; !found; p += !found) {
        uint64_t low = 0, high = size;
        degree = ksda_i_degree(x->graph, p);
        while (high - low > 1) {
            uint64_t middle = low + (high - low) / 2;
            if (wrong[middle] <= degree)
                low = middle;
            else
                high = middle;
        }
        found = wrong[low] == degree;
    }
    for (uint32_t q = 0; q < x->graph->n; q++) at_degree += ksda_i_degree(x->graph, q) == degree;
    uint64_t *key = ksda_i_malloc(x->ctx, at_degree, sizeof *key),
             *scratch = ksda_i_malloc(x->ctx, at_degree, sizeof *key);
    ksda_status status = key && scratch ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0) {
        offence o;
        for (uint32_t q = 0, i = 0; q < x->graph->n; q++)
            if (ksda_i_degree(x->graph, q) == degree) key[i++] = degree_and_community(x, q);
        ksda_i_sort_u64(key, at_degree, scratch);
        look_at_degree(key, at_degree, x->communities, &o);
        complain_degree(x, original, p, &o, most, out);
    }
    ksda_i_free(x->ctx, key);
    ksda_i_free(x->ctx, scratch);
    return status;
}

ksda_status ksda_i_verify_degrees(const ksda_i_view *x, const ksda_graph *original, ksda_share most, bool complain,
                                  ksda_verification *out) {
    uint32_t pieces = x->graph->n;
    uint64_t *key = ksda_i_malloc(x->ctx, pieces, sizeof *key), *scratch = ksda_i_malloc(x->ctx, pieces, sizeof *key);
    ksda_status status = key && scratch ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0) {
        for (uint32_t p = 0; p < pieces; p++) key[p] = degree_and_community(x, p);
        ksda_i_sort_u64(key, pieces, scratch);
        uint64_t wrong = offending(x, key, pieces, most);
        out->satisfied = wrong == 0;
        if (wrong && complain) status = complain_diversity(x, original, key, wrong, most, out);
    }
    ksda_i_free(x->ctx, key);
    ksda_i_free(x->ctx, scratch);
    return status;
}
