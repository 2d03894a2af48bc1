/* Community detection: are the communities that a tool finds in the release those it finds in the original?
 *
 * The same tool with the same settings (METIS with the same number of parts, or Leiden; same seed) runs on both graphs.
 * People are compared, not vertices: a person's community in the release is the one that holds most of their
 * substitutes; on a tie the one whose substitutes have more edges, then the lower number. Against the communities
 * detected in the original, and against those given. Time: two detections and O(n log n). */
#include "measure/measure.h"

#include <ksda/detect.h>
#include <stdlib.h>

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
static ksda_status people_communities(ksda_i_comparing *c, const ksda_communities *found, uint32_t *out) {
    uint32_t n = c->published->n;
    vote *votes = ksda_i_malloc(c->ctx, n, sizeof *votes);
    if (!votes) return KSDA_NOMEM;
    for (uint32_t p = 0; p < n; p++) votes[p] = (vote){c->owner[p], found->of[p], 1, ksda_i_degree(c->published, p)};
    if (n) qsort(votes, n, sizeof *votes, by_person);
    for (uint32_t v = 0; v < c->original->n; v++) out[v] = found->count;
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

static void set_agreement(ksda_value *first, const ksda_agreement *a) {
    ksda_i_set_exact(&first[0], a->accuracy);
    ksda_i_set_exact(&first[1], a->nmi);
    ksda_i_set_exact(&first[2], a->ari);
}

/* METIS needs a number of parts; without communities to count there is none. */
static bool can_detect(ksda_i_comparing *c) {
    const ksda_measure_options *o = c->options;
    bool metis = o->detector == KSDA_DETECTOR_METIS;
    c->out->parts = !metis ? 0 : o->parts ? o->parts : c->communities ? c->communities->count : 0;
    bool can =
        o->detector != KSDA_DETECTOR_NONE && (!metis || c->out->parts > 0) && c->original->n > 0 && c->published->n > 0;
    c->out->detector = !can ? "none" : metis ? "metis" : "leiden";
    return can;
}

ksda_status ksda_i_pass_detection(ksda_i_comparing *c) {
    ksda_status status = KSDA_OK;
    ksda_communities *before = NULL, *after = NULL;
    uint32_t n = c->original->n, *people = NULL;
    ksda_agreement a = KSDA_INIT(ksda_agreement);
    if (!can_detect(c)) return KSDA_OK;
    KSDA_I_TRY(detect(c, c->original, &before));
    KSDA_I_TRY(detect(c, c->published, &after));
    people = ksda_i_malloc(c->ctx, n, sizeof *people);
    if (!people) KSDA_I_TRY(KSDA_NOMEM);
    KSDA_I_TRY(people_communities(c, after, people));
    KSDA_I_TRY(ksda_partition_agreement(c->ctx, n, before->of, people, &a));
    set_agreement(&c->out->difference[KSDA_DIFFERENCE_DETECTION_ACCURACY], &a);
    if (c->communities) {
        KSDA_I_TRY(ksda_partition_agreement(c->ctx, n, c->communities->of, people, &a));
        set_agreement(&c->out->difference[KSDA_DIFFERENCE_GIVEN_ACCURACY], &a);
    }
done:
    if (status == KSDA_UNSUPPORTED) { /* built without METIS: not measured, which the report says */
        c->out->detector = "none";
        status = KSDA_OK;
    }
    ksda_communities_free(c->ctx, before);
    ksda_communities_free(c->ctx, after);
    ksda_i_free(c->ctx, people);
    return status;
}
