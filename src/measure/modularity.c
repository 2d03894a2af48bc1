/* Modularity of the given communities (Newman 2004); the sum stands in ksda_modularity(). NaN without edges, as there
 * is nothing to compare with chance. Not defined where people are in several communities. Time O(n + m). */
#include "measure/measure.h"

#include <ksda/detect.h>

ksda_status ksda_i_pass_modularity(ksda_i_measuring *m) {
    if (m->communities && !m->communities->sets)
        ksda_i_set_exact(&m->out->value[KSDA_MEASURE_MODULARITY],
                         m->g->m ? ksda_modularity(m->g, m->communities) : NAN);
    return KSDA_OK;
}
