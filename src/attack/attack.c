/* The attack: every attacker whose row is wanted searches every network that is there.
 *
 * A signature attacker needs 16 bytes a vertex for the signatures and at most 20 to number equal ones; judging needs 12
 * and what refinement keeps, 4. Nothing depends on the number of threads, and nothing on the keys of the hashes:
 * classes are numbered by their first vertex, and sums run in that order. */
#include "attack/attack.h"
#include "attack/whole.h"
#include "core/sized.h"
#include "measure/measure.h"
#include "privacy/diversity.h"

#include <math.h>

static const ksda_i_sized options_kind = KSDA_I_OPTIONS(ksda_attack_options, samples);
static const ksda_i_sized result_kind = KSDA_I_RESULT(ksda_attack_result, overlap);

void ksda_attack_options_init_sized(ksda_attack_options *options, size_t size) {
    static const ksda_attack_options standard = {
        .attackers = UINT64_MAX, .k = 2, .tolerance = 1, .hubs = 5, .budget = UINT64_C(2000000000), .samples = 20000};
    ksda_i_options_init(&options_kind, options, size, &standard);
}

void ksda_attack_result_clear(ksda_ctx *ctx, ksda_attack_result *result) {
    if (!ksda_i_result_holds(&result_kind, result)) return;
    ksda_i_free(ctx, result->original);
    ksda_i_free(ctx, result->release);
    ksda_i_free(ctx, result->matched);
    ksda_i_free(ctx, result->alone_to);
    ksda_i_free(ctx, result->exposed_to);
    ksda_i_free(ctx, result->added_auc);
    ksda_i_free(ctx, result->linked_auc);
    ksda_i_free(ctx, result->apart_auc);
    ksda_i_result_empty(&result_kind, result);
}

/* --- one attacker ------------------------------------------------------------------------------------------------- */

typedef struct reading {
    ksda_i_search search;
    ksda_finding *found; /* NULL: there is no such reading */
} reading;

enum {
    READINGS = 3
};

static void list_readings(ksda_i_attacking *a, uint32_t attacker, reading out[READINGS]) {
    const ksda_attack_result *r = a->out;
    bool both = a->original.g != NULL;
    out[0] = (reading){{&a->original, &a->original, false, false}, r->original ? &r->original[attacker] : NULL};
    out[1] = (reading){{&a->release, &a->release, false, !both}, &r->release[attacker]};
    out[2] = (reading){{&a->original, &a->release, true, both}, r->matched ? &r->matched[attacker] : NULL};
    if (attacker == KSDA_ATTACKER_TRAIL) out[0].found = out[2].found = NULL; /* a trail is of releases */
}

/* The class of every vertex of the pool; what the signatures took is given back. */
static ksda_status classify(ksda_i_attacking *a, const ksda_i_attacker *row, uint32_t *label, uint32_t *labels) {
    ksda_status status = row->sign(a);
    if (status >= 0) status = ksda_i_interrupted(a->ctx);
    if (status >= 0) status = ksda_i_alike(a->ctx, a->pool, a->hash, label, labels);
    ksda_i_free(a->ctx, a->hash);
    a->hash = NULL;
    if (status >= 0 && a->refined) memcpy(a->colour, label, a->pool * sizeof *label), a->rounds = a->refined;
    a->refined = 0;
    return status;
}

static ksda_status run_attacker(ksda_i_attacking *a, uint32_t attacker) {
    const ksda_i_attacker *row = &ksda_i_attackers[attacker];
    ksda_status status = KSDA_OK;
    uint32_t labels = 0, *label = NULL;
    reading readings[READINGS];
    double begin = ksda_i_now();
    a->attacker = KSDA_ATTACKER_BIT(attacker);
    list_readings(a, attacker, readings);
    KSDA_I_TRY(ksda_i_progress(a->ctx, "attacking", attacker, ksda_i_attacker_count));
    if (row->sign) {
        label = ksda_i_malloc(a->ctx, a->pool, sizeof *label);
        KSDA_I_TRY(label ? classify(a, row, label, &labels) : KSDA_NOMEM);
    }
    for (int i = 0; i < READINGS; i++) {
        const reading *r = &readings[i];
        if (!r->found) continue;
        KSDA_I_TRY(row->sign ? ksda_i_search_classes(a, &r->search, label, labels, r->found)
                             : row->candidates(a, &r->search, r->found));
        ksda_i_finding_finish(r->found);
    }
    for (int i = 0; i < READINGS; i++)
        if (readings[i].found) readings[i].found->seconds = ksda_i_now() - begin;
done:
    ksda_i_free(a->ctx, label);
    return status;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static bool wanted(const ksda_i_attacking *a, uint32_t attacker) {
    if (attacker == KSDA_ATTACKER_TRAIL && a->options->earlier_releases == 0) return false;
    return (a->options->attackers & KSDA_ATTACKER_BIT(attacker)) != 0;
}

static void count_baseline(ksda_i_attacking *a) {
    const ksda_communities *c = a->release.communities;
    uint32_t n = a->release.g->n;
    double weighted = 0;
    for (uint32_t i = 0, sets; i < c->count; i++) {
        uint32_t here = ksda_i_community_size(c, i);
        const uint32_t *set = ksda_i_set(c, &i, &sets);
        for (uint32_t j = 0; j < sets; j++) a->size[set[j]] += here;
        if (here) weighted += here * log2(here);
    }
    for (uint32_t i = 0; i < a->out->communities; i++) {
        a->largest_ties = a->size[i] > a->largest ? 1 : a->largest_ties + (a->size[i] == a->largest);
        if (a->size[i] > a->largest) a->largest = a->size[i];
    }
    if (n == 0) return;
    a->out->baseline_success = (double)a->largest / n;
    a->out->baseline_entropy = c->count > 1 ? log2(n) - weighted / n : 0;
}

static ksda_status make_room(ksda_i_attacking *a) {
    ksda_attack_result *out = a->out;
    bool both = a->original.g != NULL;
    out->attackers = ksda_i_attacker_count;
    out->release = ksda_i_calloc(a->ctx, out->attackers, sizeof *out->release);
    if (both) out->original = ksda_i_calloc(a->ctx, out->attackers, sizeof *out->original);
    if (both) out->matched = ksda_i_calloc(a->ctx, out->attackers, sizeof *out->matched);
    a->size = ksda_i_calloc(a->ctx, out->communities, sizeof *a->size);
    if (!a->size || !out->release || (both && (!out->original || !out->matched))) return KSDA_NOMEM;
    if (!a->options->who) return KSDA_OK;
    out->people = both ? a->original.g->n : a->release.g->n;
    out->alone_to = ksda_i_calloc(a->ctx, out->people, sizeof *out->alone_to);
    out->exposed_to = ksda_i_calloc(a->ctx, out->people, sizeof *out->exposed_to);
    return out->alone_to && out->exposed_to ? KSDA_OK : KSDA_NOMEM;
}

/* The values of trained attackers, and the weights of the last one, stand behind those of the scores in one block: who
 * knows only an older struct frees them too. */
static ksda_status room_for_added(ksda_i_attacking *a, double **weight) {
    ksda_attack_result *out = a->out;
    bool given = a->options->training_releases > 0;
    uint32_t weights =
        (uint32_t)((KSDA_TRAIT_COUNT * sizeof **weight + sizeof *out->added_auc - 1) / sizeof *out->added_auc);
    uint32_t values = KSDA_LIKENESS_COUNT + KSDA_I_TRAINED + given;
    out->added_auc = ksda_i_values_new(a->ctx, values + weights);
    if (!out->added_auc) return KSDA_NOMEM;
    out->trainings = KSDA_I_TRAINED + given;
    out->trained_auc = out->added_auc + KSDA_LIKENESS_COUNT;
    *weight = (double *)(out->added_auc + values);
    if (given) out->trained_weight = *weight;
    return KSDA_OK;
}

/* Those who look at the release as a whole. */
static ksda_status attack_whole(ksda_i_attacking *a) {
    ksda_attack_result *out = a->out;
    ksda_i_ends ends = {.count = 0};
    ksda_i_trained trained = {.count = 0};
    double *weight;
    ksda_status status = KSDA_OK;
    out->unmasked = out->chance = ksda_i_unmeasured;
    KSDA_I_TRY(room_for_added(a, &weight));
    out->linked_auc = ksda_i_values_new(a->ctx, KSDA_LIKENESS_COUNT);
    out->apart_auc = ksda_i_values_new(a->ctx, KSDA_LIKENESS_COUNT);
    KSDA_I_TRY(out->added_auc && out->linked_auc && out->apart_auc ? KSDA_OK : KSDA_NOMEM);
    out->scores = KSDA_LIKENESS_COUNT;
    KSDA_I_TRY(ksda_i_ends_find(a, &ends));
    KSDA_I_TRY(ksda_i_trained_open(a, weight, &trained));
    KSDA_I_TRY(ksda_i_attack_added(a, &ends, &trained));
    KSDA_I_TRY(ksda_i_attack_unmask(a, &ends));
    KSDA_I_TRY(ksda_i_attack_pieces(a));
    out->added_worst = ksda_i_worst(out->added_auc, out->scores);
    out->trained_best = ksda_i_largest(out->trained_auc, out->trainings);
    out->linked_worst = ksda_i_worst(out->linked_auc, out->scores);
    out->apart_worst = ksda_i_worst(out->apart_auc, out->scores);
done:
    ksda_i_trained_close(a->ctx, &trained);
    ksda_i_ends_clear(a->ctx, &ends);
    return status;
}

static ksda_status run(ksda_i_attacking *a) {
    double begin = ksda_i_now();
    *a->out = (ksda_attack_result){.size = sizeof *a->out,
                                   .k = a->options->k,
                                   .tolerance = a->options->tolerance,
                                   .hubs = a->options->hubs,
                                   .vertices = a->release.g->n,
                                   .communities = ksda_communities_set_count(a->release.communities),
                                   .overlap = a->release.communities->sets != NULL};
    a->key = ksda_i_hash128_key_of(a->ctx);
    a->pool = a->release.g->n + (a->original.g ? a->original.g->n : 0);
    ksda_status status = make_room(a);
    if (status >= 0) count_baseline(a);
    for (uint32_t i = 0; i < ksda_i_attacker_count && status >= 0; i++)
        if (wanted(a, i)) status = run_attacker(a, i);
    ksda_i_free(a->ctx, a->colour);
    ksda_i_free(a->ctx, a->size);
    a->colour = a->size = NULL;
    if (status >= 0 && a->original.g && !a->options->vertices_only) status = attack_whole(a);
    a->out->seconds = ksda_i_now() - begin;
    return status;
}

/* --- entries ------------------------------------------------------------------------------------------------------ */

static ksda_status check_options(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                 const ksda_graph *release, const ksda_attack_options *o) {
    ksda_status status = ksda_i_communities_fit(ctx, communities, graph);
    if (status < 0) return status;
    if (o->hubs < 1 || o->hubs > KSDA_I_HUBS_MOST)
        return ksda_i_error(ctx, KSDA_INVALID, "hubs is %u, but must be between 1 and %d", o->hubs, KSDA_I_HUBS_MOST);
    for (uint32_t i = 0; i < o->earlier_releases; i++)
        for (uint32_t v = 0; v < release->n; v++)
            if (o->earlier[i].vertex[v] != KSDA_NO_VERTEX && o->earlier[i].vertex[v] >= o->earlier[i].graph->n)
                return ksda_i_error(ctx, KSDA_INVALID, "vertex %u is %u in earlier release %u, which has %u vertices",
                                    v, o->earlier[i].vertex[v], i, o->earlier[i].graph->n);
    return graph->n ? ksda_i_check_k(ctx, o->k, ksda_i_most_k(communities), "communities") : KSDA_OK;
}

ksda_status ksda_attack(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                        const ksda_attack_options *options, ksda_attack_result *out) {
    ksda_attack_options full;
    ksda_attack_result told = KSDA_INIT(ksda_attack_result);
    ksda_attack_options_init(&full);
    ksda_status status = ksda_i_result_check(ctx, &result_kind, out);
    if (status >= 0) status = ksda_i_options_take(ctx, &options_kind, options, &full);
    if (status >= 0) status = check_options(ctx, graph, communities, graph, &full);
    if (status < 0) return status;
    ksda_i_graph_need_all(graph);
    ksda_i_attacking a = {.ctx = ctx, .options = &full, .release = {graph, communities, 0}, .out = &told};
    status = run(&a);
    if (status < 0) ksda_attack_result_clear(ctx, &told);
    ksda_i_result_give(&result_kind, out, &told);
    return status;
}

static ksda_status check_owners(ksda_ctx *ctx, const ksda_graph *original, const ksda_graph *published,
                                const uint32_t *owner) {
    if ((uint64_t)original->n + published->n > KSDA_MAX_VERTICES)
        return ksda_i_error(ctx, KSDA_INVALID, "original and release have %u and %u vertices, together above %u",
                            original->n, published->n, KSDA_MAX_VERTICES);
    for (uint32_t p = 0; p < published->n; p++)
        if (owner[p] >= original->n)
            return ksda_i_error(ctx, KSDA_INVALID, "published vertex %u belongs to %u, the original has %u vertices", p,
                                owner[p], original->n);
    return KSDA_OK;
}

static ksda_status check_training(ksda_ctx *ctx, const ksda_training_release *t) {
    ksda_status status = ksda_i_communities_fit(ctx, t->communities, t->original);
    return status < 0 ? status : check_owners(ctx, t->original, t->published, t->owner);
}

ksda_status ksda_attack_release(ksda_ctx *ctx, const ksda_graph *original, const ksda_communities *communities,
                                const ksda_graph *published, const uint32_t *owner, const ksda_attack_options *options,
                                ksda_attack_result *out) {
    ksda_communities *pulled = NULL;
    ksda_attack_options full;
    ksda_attack_result told = KSDA_INIT(ksda_attack_result);
    ksda_attack_options_init(&full);
    ksda_status status = ksda_i_result_check(ctx, &result_kind, out);
    if (status >= 0) status = ksda_i_options_take(ctx, &options_kind, options, &full);
    if (status >= 0) status = check_options(ctx, original, communities, published, &full);
    if (status >= 0) status = check_owners(ctx, original, published, owner);
    if (status < 0) return status;
    for (uint32_t i = 0; i < full.training_releases && status >= 0; i++)
        status = check_training(ctx, &full.training[i]);
    if (status < 0) return status;
    ksda_i_graph_need_all(original), ksda_i_graph_need_all(published);
    status = ksda_i_communities_pull(ctx, communities, published->n, owner, NULL, &pulled);
    if (status < 0) return status;
    ksda_i_attacking a = {.ctx = ctx,
                          .options = &full,
                          .release = {published, pulled, 0},
                          .original = {original, communities, published->n},
                          .owner = owner,
                          .out = &told};
    status = run(&a);
    ksda_communities_free(ctx, pulled);
    if (status < 0) ksda_attack_result_clear(ctx, &told);
    ksda_i_result_give(&result_kind, out, &told);
    return status;
}
