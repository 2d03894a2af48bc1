/* The rows of a share bound, for either formulation: of the pieces that have a degree, no community has more than its
 * share. With delta_pd 1 where piece p ends at degree d, and share a/b, it is b * (those of c) <= a * (all whose
 * community is known), for every community c that is, and degree d. Where people have several communities those of c
 * are all who have it in their set. */
#include "exact/formulation.h"

#include <math.h>

ksda_status ksda_i_share_rows(ksda_i_model *m, const ksda_i_degree_columns *f, ksda_share share) {
    const ksda_communities *all = f->communities;
    uint32_t communities = all->sets ? all->sets->counted : all->counted, size;
    if (!share.denominator) return m->status;
    for (uint32_t d = 0; d < f->degrees && m->status >= 0; d++)
        for (uint32_t c = 0; c < communities; c++) {
            for (uint32_t p = 0; p < f->pieces; p++) {
                const uint32_t *kind = &all->of[f->owner(f->data, p)], *set = ksda_i_set(all, kind, &size);
                uint32_t delta = *kind < all->counted ? f->delta(f->data, p, d) : KSDA_I_NO_COLUMN;
                bool own = ksda_i_lists_meet(set, size, &c, 1);
                ksda_i_model_term(m, delta, (own ? (double)share.denominator : 0) - share.numerator);
            }
            ksda_i_model_row(m, -INFINITY, 0, "share_%u_%u", c, d);
        }
    return m->status;
}
