/* The rows of a share bound, for either formulation: of the pieces that have a degree, no community has more than its
 * share. With delta_pd 1 where piece p ends at degree d, and share a/b, it is b * (those of c) <= a * (all), for every
 * community c and degree d. */
#include "exact/formulation.h"

#include <math.h>

ksda_status ksda_i_share_rows(ksda_i_model *m, const ksda_i_degree_columns *f, ksda_share share) {
    if (!share.denominator) return m->status;
    for (uint32_t d = 0; d < f->degrees && m->status >= 0; d++)
        for (uint32_t c = 0; c < f->communities->count; c++) {
            for (uint32_t p = 0; p < f->pieces; p++) {
                bool own = f->communities->of[f->owner(f->data, p)] == c;
                ksda_i_model_term(m, f->delta(f->data, p, d), (own ? (double)share.denominator : 0) - share.numerator);
            }
            ksda_i_model_row(m, -INFINITY, 0, "share_%u_%u", c, d);
        }
    return m->status;
}
