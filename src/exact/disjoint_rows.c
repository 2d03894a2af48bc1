/* Both of the paper's programs where people have several communities: instead of theta, who has a degree, there are
 *
 *   y_d   degree d occurs                lambda_vd  v, or a piece of it, is a witness of degree d
 *   delta_vd <= y_d        lambda_vd <= delta_vd        sum_{v: c in S_v} lambda_vd <= 1 for every community c
 *   sum_v lambda_vd >= k y_d
 *
 * Only people whose communities count have a lambda. */
#include "exact/formulation.h"

#include <math.h>

/* At most one witness of each community. */
static void community_rows(ksda_i_model *m, const ksda_i_degree_columns *f, const uint32_t *lambda, uint32_t d) {
    const ksda_communities *c = f->communities;
    for (uint32_t i = 0; i < c->sets->counted; i++) {
        uint32_t terms = 0, size;
        for (uint32_t p = 0; p < f->pieces; p++) {
            const uint32_t *set = ksda_communities_set(c, f->owner(f->data, p), &size);
            if (lambda[p] == KSDA_I_NO_COLUMN || !ksda_i_lists_meet(set, size, &i, 1)) continue;
            ksda_i_model_term(m, lambda[p], 1);
            terms++;
        }
        if (terms) ksda_i_model_row(m, -INFINITY, 1, "c_%u_%u", i, d);
    }
}

static void degree_rows(ksda_i_model *m, const ksda_i_degree_columns *f, uint32_t *lambda, uint32_t k, uint32_t d) {
    uint32_t occurs = KSDA_I_NO_COLUMN;
    for (uint32_t p = 0; p < f->pieces; p++) {
        uint32_t delta = f->delta(f->data, p, d);
        lambda[p] = KSDA_I_NO_COLUMN;
        if (delta == KSDA_I_NO_COLUMN) continue;
        if (occurs == KSDA_I_NO_COLUMN) occurs = ksda_i_model_column(m, 0, 1, 0, true, "y_%u", d);
        ksda_i_model_term(m, delta, 1);
        ksda_i_model_term(m, occurs, -1);
        ksda_i_model_row(m, -INFINITY, 0, "has_%u_%u", p, d);
        if (f->communities->of[f->owner(f->data, p)] >= f->communities->counted) continue;
        lambda[p] = ksda_i_model_column(m, 0, 1, 0, true, "l_%u_%u", p, d);
        ksda_i_model_term(m, lambda[p], 1);
        ksda_i_model_term(m, delta, -1);
        ksda_i_model_row(m, -INFINITY, 0, "is_%u_%u", p, d);
    }
    if (occurs == KSDA_I_NO_COLUMN) return;
    community_rows(m, f, lambda, d);
    for (uint32_t p = 0; p < f->pieces; p++) ksda_i_model_term(m, lambda[p], 1);
    ksda_i_model_term(m, occurs, -(double)k);
    ksda_i_model_row(m, 0, INFINITY, "k_%u", d);
}

ksda_status ksda_i_disjoint_rows(ksda_i_model *m, const ksda_i_degree_columns *f, uint32_t k) {
    uint32_t *lambda = ksda_i_malloc(m->ctx, f->pieces, sizeof *lambda);
    if (!lambda) return KSDA_NOMEM;
    for (uint32_t d = 0; d < f->degrees && m->status == KSDA_OK; d++) degree_rows(m, f, lambda, k, d);
    ksda_i_free(m->ctx, lambda);
    return m->status;
}
