/* What is proved between the weights that were run: the least cost is concave in the weight and begins at 0, so chords
 * between two bounds, rounded down, are bounds. */
#include "bound/certificate.h"

#include <ksda/anonymize.h>
#include <math.h>

double ksda_frontier_lower_bound(const ksda_frontier *f, double weight) {
    double best = 0;
    for (uint32_t i = 0; i < f->bounds; i++) {
        const ksda_frontier_bound *low = &f->bound[i];
        double from_zero = weight < low->split_weight ? low->lower_bound * (weight / low->split_weight) * (1 - 0x1p-50)
                                                      : low->lower_bound;
        best = fmax(best, from_zero);
        for (uint32_t j = i + 1; j < f->bounds && low->split_weight <= weight; j++) {
            const ksda_frontier_bound *high = &f->bound[j];
            if (high->split_weight < weight || high->split_weight <= low->split_weight) continue;
            double share = (weight - low->split_weight) / (high->split_weight - low->split_weight);
            double rounded = share > 0 && share < 1 ? 0x1p-50 * (low->lower_bound + high->lower_bound) : 0;
            best = fmax(best, low->lower_bound + share * (high->lower_bound - low->lower_bound) - rounded);
        }
    }
    return best;
}

uint64_t ksda_frontier_least_edges(const ksda_frontier *f, uint64_t splits) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < f->bounds; i++) {
        uint64_t least = ksda_i_least_edges(f->bound[i].lower_bound, f->bound[i].split_weight, splits);
        if (least > most) most = least;
    }
    return most;
}
