/* InverseEdgeConnect, the paper's variant of EdgeConnect in its experiments.
 *
 * Problem, guarantee, idea and cost are EdgeConnect's. The one difference: a vertex is raised by connecting it to the
 * *last* vertices of its community's list, those of the smallest degrees, and edges are redirected to the last as well.
 * This spreads new edges away from the core (shortest paths and betweenness suffer less) and fails more often, because
 * the vertices left for the end have taken the edges. Differs from the text: as EdgeConnect; the text does not say
 * where redirected edges go (docs/algorithms.md). */
#include "methods/paper/largest_first.h"

const ksda_i_descent ksda_i_inverse_edge_connect_rules = {.reversed = true, .splitting = false};

KSDA_I_METHOD(inverse_edge_connect) {
    (void)result;
    return ksda_i_largest_first(ctx, graph, communities, options, &ksda_i_inverse_edge_connect_rules, INFINITY, out);
}
