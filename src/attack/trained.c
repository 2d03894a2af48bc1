/* Attackers who were trained to tell added edges from own ones, on releases of other networks by the same method.
 *
 * An edge is seen by its traits: the five scores, the rank of each among the edges of the vertex inside its community,
 * and what the habits of a method give away: the degree of the other end, how many vertices share it, and whether it is
 * the larger one. Logistic regression on differences between an added edge and own edges of the same vertex (traits.c)
 * learns how to weigh them, so that only what tells edges of one vertex apart is learned. trained.def has what was
 * learned on generated networks; the options may have further releases.
 *
 * Training looks at TRAINING_ENDS ends of added edges of each release at most, drawn at random, and at
 * KSDA_I_EDGE_SAMPLE edges of their vertices: releases count alike, small ones aside. The threads have no part in it.
 */
#include "attack/whole.h"

#include <math.h>

enum {
    TRAINING_ENDS = 4096
};

#define TRAINED(name, label, ...) {name, label, (const double[]){__VA_ARGS__}},
static const ksda_trained_row table[] = {
#include "attack/trained.def"
};
_Static_assert(sizeof table / sizeof *table == KSDA_I_TRAINED, "a row for every training");

const ksda_trained_row *ksda_trained_info(uint32_t training) {
    return training < KSDA_I_TRAINED ? &table[training] : NULL;
}

static ksda_status measure_levels(ksda_ctx *ctx, const ksda_graph *g, double **out) {
    uint32_t most = 0;
    for (uint32_t v = 0; v < g->n; v++) most = ksda_i_degree(g, v) > most ? ksda_i_degree(g, v) : most;
    double *level = *out = ksda_i_calloc(ctx, (uint64_t)most + 1, sizeof *level);
    if (!level) return KSDA_NOMEM;
    for (uint32_t v = 0; v < g->n; v++) level[ksda_i_degree(g, v)]++;
    for (uint64_t d = 0; d <= most; d++) level[d] = log(fmax(1, level[d]));
    return KSDA_OK;
}

/* --- training ----------------------------------------------------------------------------------------------------- */

static ksda_status note_ends(ksda_i_attacking *a, const ksda_i_ends *ends, const double *level, ksda_i_edge_row *row,
                             ksda_i_contrasts *contrasts) {
    bool all = ends->count <= TRAINING_ENDS;
    ksda_status status = KSDA_OK;
    for (uint64_t i = 0; i < (all ? ends->count : TRAINING_ENDS) && status >= 0; i++) {
        ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(a->ctx), 0x747261696e, i);
        uint64_t end = all ? i : ksda_i_rng_below(&rng, ends->count);
        ksda_i_edge_row_read(a, ends, end, end + 1, &rng, row);
        if (!row->own) continue;
        ksda_i_edge_row_see(a->release.g, level, row);
        status = ksda_i_contrasts_note(a->ctx, contrasts, row->traits + row->own * KSDA_I_TRAITS, row->traits, row->own,
                                       &rng);
        if (status >= 0 && ksda_i_cancelled(a->ctx)) status = ksda_i_interrupted(a->ctx);
    }
    return status;
}

static ksda_status note_release(ksda_ctx *ctx, const ksda_training_release *t, ksda_i_contrasts *contrasts) {
    ksda_communities *pulled = NULL;
    ksda_i_ends ends = {.count = 0};
    ksda_i_edge_row row = {.own = 0};
    double *level = NULL;
    ksda_status status = KSDA_OK;
    ksda_i_graph_need_all(t->original), ksda_i_graph_need_all(t->published);
    KSDA_I_TRY(ksda_i_communities_pull(ctx, t->communities, t->published->n, t->owner, NULL, &pulled));
    ksda_i_attacking a = {.ctx = ctx,
                          .release = {t->published, pulled, 0},
                          .original = {t->original, t->communities, t->published->n},
                          .owner = t->owner};
    KSDA_I_TRY(ksda_i_ends_find(&a, &ends));
    KSDA_I_TRY(measure_levels(ctx, t->published, &level));
    KSDA_I_TRY(ksda_i_edge_row_open(ctx, KSDA_I_EDGE_SAMPLE + 1, true, &row));
    KSDA_I_TRY(note_ends(&a, &ends, level, &row, contrasts));
done:
    ksda_i_edge_row_close(ctx, &row);
    ksda_i_ends_clear(ctx, &ends);
    ksda_i_free(ctx, level);
    ksda_communities_free(ctx, pulled);
    return status;
}

static ksda_status train(ksda_i_attacking *a, double *weight) {
    ksda_i_contrasts contrasts = {.rows = 0};
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < a->options->training_releases && status >= 0; i++)
        status = note_release(a->ctx, &a->options->training[i], &contrasts);
    if (status >= 0) status = ksda_i_contrasts_fit(a->ctx, &contrasts, weight);
    ksda_i_free(a->ctx, contrasts.row);
    return status;
}

/* --- the attackers ------------------------------------------------------------------------------------------------ */

ksda_status ksda_i_trained_open(ksda_i_attacking *a, double *given, ksda_i_trained *out) {
    *out = (ksda_i_trained){.count = KSDA_I_TRAINED};
    for (uint32_t t = 0; t < KSDA_I_TRAINED; t++) out->weight[t] = table[t].weight;
    if (a->options->training_releases) out->weight[out->count++] = given;
    ksda_status status = a->options->training_releases ? train(a, given) : KSDA_OK;
    return status < 0 ? status : measure_levels(a->ctx, a->release.g, &out->level);
}

void ksda_i_trained_close(ksda_ctx *ctx, ksda_i_trained *trained) {
    ksda_i_free(ctx, trained->level);
}
