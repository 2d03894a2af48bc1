/* Community detection: are the communities that a tool finds in the release those it finds in the original?
 *
 * The same tool with the same settings (METIS with the same number of parts, or Leiden) runs on both graphs. What comes
 * out depends on the seed, and with METIS still more on the order of the vertices: so it runs several times, each with
 * its own seed and its own order of the people, the same in both graphs; the mean is the measure, and the spread is
 * told. Published ids are random, and change nothing: the vertices of the release stand in the order of their people.
 *
 * People are compared, not vertices: a person's community in the release is the one that holds most of their
 * substitutes; on a tie the one whose substitutes have more edges, then the lower number. Against the communities
 * detected in the original, and against those given, unless people are in several of these. Time: twenty detections,
 * six for networks of more than MANY vertices and edges, and O(n log n + m) each; memory: both graphs once more. */
#include "core/random.h"

#include "core/sort.h"
#include "measure/measure.h"

#include <ksda/detect.h>
#include <stdlib.h>

#define MANY 20000000
enum {
    RUNS = 10,
    FEW_RUNS = 3,
    FIGURES = 3 /* accuracy, NMI, ARI */
};

typedef struct vote {
    uint32_t person, community;
    uint32_t substitutes;
    uint64_t edges;
} vote;

static int by_person(const void *a, const void *b) {
    const vote *x = a, *y = b;
    if (x->person != y->person) return x->person < y->person ? -1 : 1;
    return x->community < y->community ? -1 : x->community > y->community;
}

static bool better(const vote *a, const vote *b) {
    if (a->substitutes != b->substitutes) return a->substitutes > b->substitutes;
    return a->edges > b->edges;
}

/* The community of every person, from that of the vertices of the release. A person without a vertex there gets one of
 * their own kind: number `communities`. */
static ksda_status people_communities(ksda_i_comparing *c, const uint32_t *of, uint32_t communities, uint32_t *out) {
    uint32_t n = c->published->n;
    vote *votes = ksda_i_malloc(c->ctx, n, sizeof *votes);
    if (!votes) return KSDA_NOMEM;
    for (uint32_t p = 0; p < n; p++) votes[p] = (vote){c->owner[p], of[p], 1, ksda_i_degree(c->published, p)};
    if (n) ksda_i_sort_by(votes, n, sizeof *votes, by_person);
    for (uint32_t v = 0; v < c->original->n; v++) out[v] = communities;
    for (uint32_t i = 0, end; i < n; i = end) {
        vote best = {.substitutes = 0};
        for (end = i; end < n && votes[end].person == votes[i].person;) {
            vote sum = votes[end++];
            for (; end < n && by_person(&votes[end], &sum) == 0; end++)
                sum.substitutes++, sum.edges += votes[end].edges;
            if (better(&sum, &best)) best = sum;
        }
        out[votes[i].person] = best.community;
    }
    ksda_i_free(c->ctx, votes);
    return KSDA_OK;
}

static ksda_status detect(ksda_i_comparing *c, const ksda_graph *g, ksda_communities **out) {
    *out = NULL;
    if (c->options->detector == KSDA_DETECTOR_LEIDEN) return ksda_detect_leiden(c->ctx, g, out);
    uint32_t parts = c->out->parts < g->n ? c->out->parts : g->n;
    return ksda_detect_metis(c->ctx, g, parts, NULL, out);
}

/* One more run of a figure: value is the sum, low and high are the extremes until all runs are in. */
static void add_run(ksda_value *v, double x) {
    if (v->runs == 0) *v = (ksda_value){.low = x, .high = x};
    v->value += x, v->runs++;
    v->low = fmin(v->low, x), v->high = fmax(v->high, x);
}

static void add_agreement(ksda_value *first, const ksda_agreement *a) {
    add_run(&first[0], a->accuracy);
    add_run(&first[1], a->nmi);
    add_run(&first[2], a->ari);
}

static void finish(ksda_value *first) {
    for (int i = 0; i < FIGURES && first->runs; i++) {
        uint32_t runs = first[i].runs;
        double spread = first[i].high - first[i].low;
        ksda_i_set_exact(&first[i], spread > 0 ? first[i].value / runs : first[i].low);
        first[i].runs = runs, first[i].spread = spread;
    }
}

/* METIS needs a number of parts; without communities to count there is none. */
static bool can_detect(ksda_i_comparing *c) {
    const ksda_measure_options *o = c->options;
    bool metis = o->detector == KSDA_DETECTOR_METIS;
    c->out->parts = !metis ? 0 : o->parts ? o->parts : c->communities ? ksda_communities_set_count(c->communities) : 0;
    bool can =
        o->detector != KSDA_DETECTOR_NONE && (!metis || c->out->parts > 0) && c->original->n > 0 && c->published->n > 0;
    c->out->detector = !can ? "none" : metis ? "metis" : "leiden";
    return can;
}

/* --- the order of the people -------------------------------------------------------------------------------------- */

/* A published vertex, known by whose it is, then by its degree, then by its neighbours' people. */
typedef struct substitute {
    uint32_t place, degree, vertex; /* place: of its person */
    uint64_t friends;               /* a hash of the people at its edges, whatever their order */
} substitute;

static int by_substitute(const void *a, const void *b) {
    const substitute *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    if (x->degree != y->degree) return x->degree < y->degree ? -1 : 1;
    return x->friends < y->friends ? -1 : x->friends > y->friends;
}

/* to [published] where each vertex goes when its person goes to `place` [people]. */
static ksda_status follow(ksda_i_comparing *c, const uint32_t *place, uint32_t *to) {
    const ksda_graph *g = c->published;
    substitute *s = ksda_i_malloc(c->ctx, g->n, sizeof *s);
    if (!s) return KSDA_NOMEM;
    for (uint32_t p = 0; p < g->n; p++) {
        s[p] = (substitute){place[c->owner[p]], ksda_i_degree(g, p), p, 0};
        for (uint64_t i = g->off[p]; i < g->off[p + 1]; i++) s[p].friends += ksda_i_mix(c->owner[g->adj[i]]);
    }
    ksda_i_sort_by(s, g->n, sizeof *s, by_substitute);
    for (uint32_t i = 0; i < g->n; i++) to[s[i].vertex] = i;
    ksda_i_free(c->ctx, s);
    return KSDA_OK;
}

/* --- the runs ----------------------------------------------------------------------------------------------------- */

/* What one run needs, made once. */
typedef struct rooms {
    uint32_t *place, *before, *people; /* [people] */
    uint32_t *to, *after;              /* [published] */
} rooms;

/* of [n]: the community of each vertex of g, detected with the vertices where `to` puts them. */
static ksda_status detect_moved(ksda_i_comparing *c, const ksda_graph *g, const uint32_t *to, uint32_t *of,
                                uint32_t *count) {
    ksda_graph *moved = NULL;
    ksda_communities *found = NULL;
    ksda_status status;
    KSDA_I_TRY(ksda_i_interrupted(c->ctx));
    KSDA_I_TRY(ksda_i_graph_relabel(c->ctx, g, to, &moved));
    KSDA_I_TRY(detect(c, moved, &found));
    for (uint32_t v = 0; v < g->n; v++) of[v] = found->of[to[v]];
    *count = found->count;
done:
    ksda_communities_free(c->ctx, found);
    ksda_graph_free(c->ctx, moved);
    return status;
}

static ksda_status run_once(ksda_i_comparing *c, rooms *r) {
    ksda_agreement a = KSDA_INIT(ksda_agreement);
    uint32_t n = c->original->n, count;
    ksda_status status;
    ksda_i_permutation_seeded(c->ctx, n, r->place);
    KSDA_I_TRY(follow(c, r->place, r->to));
    KSDA_I_TRY(detect_moved(c, c->original, r->place, r->before, &count));
    KSDA_I_TRY(detect_moved(c, c->published, r->to, r->after, &count));
    KSDA_I_TRY(people_communities(c, r->after, count, r->people));
    KSDA_I_TRY(ksda_partition_agreement(c->ctx, n, r->before, r->people, &a));
    add_agreement(&c->out->difference[KSDA_DIFFERENCE_DETECTION_ACCURACY], &a);
    if (c->communities && !c->communities->sets) {
        KSDA_I_TRY(ksda_partition_agreement(c->ctx, n, c->communities->of, r->people, &a));
        add_agreement(&c->out->difference[KSDA_DIFFERENCE_GIVEN_ACCURACY], &a);
    }
done:
    return status;
}

static bool make_rooms(ksda_i_comparing *c, rooms *r) {
    r->place = ksda_i_malloc(c->ctx, c->original->n, sizeof *r->place);
    r->before = ksda_i_malloc(c->ctx, c->original->n, sizeof *r->before);
    r->people = ksda_i_malloc(c->ctx, c->original->n, sizeof *r->people);
    r->to = ksda_i_malloc(c->ctx, c->published->n, sizeof *r->to);
    r->after = ksda_i_malloc(c->ctx, c->published->n, sizeof *r->after);
    return r->place && r->before && r->people && r->to && r->after;
}

ksda_status ksda_i_pass_detection(ksda_i_comparing *c) {
    uint64_t seed = ksda_ctx_seed(c->ctx);
    uint32_t runs = c->original->n + c->original->m > MANY ? FEW_RUNS : RUNS;
    rooms r = {.place = NULL};
    if (!can_detect(c)) return KSDA_OK;
    ksda_status status = make_rooms(c, &r) ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t i = 0; i < runs && status >= 0; i++) {
        ksda_ctx_set_seed(c->ctx, ksda_i_mix(seed + i));
        status = run_once(c, &r);
    }
    ksda_ctx_set_seed(c->ctx, seed);
    finish(&c->out->difference[KSDA_DIFFERENCE_DETECTION_ACCURACY]);
    finish(&c->out->difference[KSDA_DIFFERENCE_GIVEN_ACCURACY]);
    if (status >= 0) c->out->detections = runs;
    if (status == KSDA_UNSUPPORTED) { /* built without METIS: not measured, which the report says */
        c->out->detector = "none";
        status = KSDA_OK;
    }
    uint32_t *blocks[] = {r.place, r.before, r.people, r.to, r.after};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) ksda_i_free(c->ctx, blocks[i]);
    return status;
}
