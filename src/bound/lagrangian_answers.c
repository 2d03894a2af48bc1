/* The Lagrangian relaxation at given multipliers: prices of levels, every community's answer, and their sum.
 *
 * Prices are rounded to a grid, the safe way, so that every sum of them is exact. In a case some levels are closed, and
 * nobody may use them, and some are open: k communities use each, which has a multiplier of its own. */
#include "bound/lagrangian_answers.h"
#include "core/parallel.h"

#include <math.h>

#define GRID KSDA_I_LAGRANGIAN_GRID
#define EXACT 0x1p31 /* sums of prices, needs and halves of needs are exact in doubles up to four times as much */
#define MIXTURES 256 /* a mixture is a whole number of parts of this many */
#define FADING 0.04f /* of the means is replaced by every answer */

uint64_t ksda_i_lagrangian_cells(const ksda_i_lagrangian *b) {
    uint64_t cells = 1;
    for (uint32_t c = 0; c < b->communities; c++)
        cells += (uint64_t)b->levels.count * (b->list[c].start[b->list[c].states] + 1) * (b->list[c].pairs + 1);
    return cells;
}

uint64_t ksda_i_lagrangian_variables(const ksda_i_lagrangian *b) {
    return (uint64_t)(b->communities + 1) * b->levels.count + b->communities +
           (b->weight == INFINITY ? 0 : b->communities + 1);
}

static void answer_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const ksda_i_lagrangian *b = data;
    for (uint64_t c = begin; c < end; c++)
        b->value[c] = ksda_i_lagrangian_community(b->list + c, &b->levels, b->price + c * b->levels.count,
                                                  b->space[thread], b->use + c);
}

static double on_grid(double x) {
    return floor(x / GRID) * GRID;
}

/* What a split counts at these variables, at most its weight. */
static double counted_weight(const ksda_i_lagrangian *b, const double *variable) {
    return on_grid(fmin(*ksda_i_lagrangian_weight(b, variable), KSDA_I_LAGRANGIAN_HEAVIEST));
}

/* What the multiplier of an open level counts. */
static double open_price(const ksda_i_lagrangian *b, const double *variable, uint32_t l) {
    return b->state[l] == KSDA_I_LEVEL_OPEN ? on_grid(ksda_i_lagrangian_opens(b, variable)[l]) : 0;
}

/* From the variables to prices: s and what a k-th of their sum is at least, in whole numbers of the grid. The last
 * division is rounded up exactly, because the sum has less than 53 bits. False where it has more. */
static bool set_prices(ksda_i_lagrangian *b, const double *variable) {
    uint32_t levels = b->levels.count;
    bool exact = true;
    memset(b->sum, 0, levels * sizeof *b->sum);
    for (uint64_t c = 0; c < b->communities; c++)
        for (uint32_t l = 0; l < levels; l++)
            b->sum[l] += b->price[c * levels + l] = floor(variable[c * levels + l] / GRID);
    for (uint32_t l = 0; l < levels; l++) {
        if (!(b->sum[l] < 0x1p53)) exact = false;
        b->sum[l] = ceil(b->sum[l] / b->k) + open_price(b, variable, l) / GRID;
        if (!(b->sum[l] < 0x1p53)) exact = false;
    }
    for (uint64_t c = 0; c < b->communities; c++)
        for (uint32_t l = 0; l < levels; l++)
            b->price[c * levels + l] =
                b->state[l] == KSDA_I_LEVEL_CLOSED ? KSDA_I_BOUND_FAR : (b->price[c * levels + l] - b->sum[l]) * GRID;
    const double *mix = ksda_i_lagrangian_mixes(b, variable);
    for (uint64_t c = 0; c < b->communities; c++)
        b->list[c].mix = fmin(1, floor(mix[c] / b->mix * MIXTURES) / MIXTURES);
    if (b->weight == INFINITY) return exact;
    const double *piece = ksda_i_lagrangian_pieces(b, variable);
    double weight = counted_weight(b, variable);
    for (uint64_t c = 0; c < b->communities; c++) {
        b->list[c].piece = on_grid(fmin(piece[c], weight / 2));
        b->list[c].vanish = ksda_i_bound_vanish(weight, b->list[c].piece);
    }
    return exact;
}

/* The sum of the answers, if it is exact, else -infinity. A cell of the dynamic program that was rounded is above 4 *
 * EXACT, and all negative prices together do not bring it down to the answer. A community that has no answer but at a
 * level that is closed, or out of reach, has none: whatever else it pays adds up to far less. */
static double sum_of_answers(const ksda_i_lagrangian *b) {
    double sum = 0, size = 0;
    bool none = false;
    for (uint64_t c = 0; c < b->communities; c++) {
        double less = 0;
        for (uint32_t l = 0; l < b->levels.count; l++) less -= fmin(0, b->price[c * b->levels.count + l]);
        if (!(less < EXACT)) return -INFINITY;
        if (b->value[c] > KSDA_I_BOUND_FAR / 4)
            none = true;
        else if (!(b->value[c] < EXACT))
            return -INFINITY;
        sum += b->value[c], size += fabs(b->value[c]);
    }
    return none ? INFINITY : size < EXACT ? sum : -INFINITY;
}

/* k times what each open level's multiplier counts; NaN where that is not exact. */
static double paid_by_open(const ksda_i_lagrangian *b, const double *variable) {
    double sum = 0;
    for (uint32_t l = 0; l < b->levels.count; l++) sum += b->k * open_price(b, variable, l);
    return sum < EXACT ? sum : NAN;
}

/* Where s splits are needed at least, n_a + w' n_s >= v gives n_a + w n_s >= v + (w - w') s. That is rounded down where
 * it has to be. */
double ksda_i_lagrangian_value(ksda_i_lagrangian *b, const double *variable) {
    bool exact = set_prices(b, variable);
    double open = paid_by_open(b, variable);
    uint32_t units = KSDA_I_BOUND_UNITS + (b->weight != INFINITY); /* members may be split in every cell */
    ksda_i_work(b->ctx, units * ksda_i_lagrangian_cells(b));
    ksda_i_parallel(b->ctx, b->communities, 1, answer_range, b);
    double total = sum_of_answers(b);
    if (!exact || !(open < EXACT)) return -INFINITY;
    if (isinf(total)) return total;
    total += open;
    if (b->weight == INFINITY || b->splits == 0) return total;
    double rest = b->splits * (b->weight - counted_weight(b, variable));
    if (b->weight == on_grid(b->weight) && rest < EXACT) return total + rest;
    return total + rest - 0x1p-50 * (fabs(total) + b->splits * b->weight); /* three roundings, of 2^-53 */
}

/* How many communities use each level, to b->sum, and how much each has of late. */
static void count_uses(ksda_i_lagrangian *b) {
    uint32_t levels = b->levels.count;
    memset(b->sum, 0, levels * sizeof *b->sum);
    for (uint64_t c = 0; c < b->communities; c++)
        for (uint32_t l = 0; l < levels; l++) {
            float *lately = b->lately + c * levels + l;
            b->sum[l] += b->used[c * levels + l];
            *lately += FADING * (b->used[c * levels + l] - *lately);
        }
}

/* By how much the levels are in use beyond a k-th of what all use, by how much open levels are used too little, and the
 * same for splits. */
double ksda_i_lagrangian_value_and_gradient(void *data, const double *variable, double *gradient) {
    ksda_i_lagrangian *b = data;
    uint32_t levels = b->levels.count;
    double total = ksda_i_lagrangian_value(b, variable), vanished = 0, *open = ksda_i_lagrangian_opens(b, gradient);
    count_uses(b);
    for (uint64_t c = 0; c < b->communities; c++)
        for (uint32_t l = 0; l < levels; l++) gradient[c * levels + l] = b->used[c * levels + l] - b->sum[l] / b->k;
    for (uint32_t l = 0; l < levels; l++) open[l] = b->state[l] == KSDA_I_LEVEL_OPEN ? b->k - b->sum[l] : 0;
    double *mix = ksda_i_lagrangian_mixes(b, gradient);
    for (uint64_t c = 0; c < b->communities; c++) mix[c] = b->use[c].lean / b->mix;
    if (b->weight == INFINITY) return total;
    double *piece = ksda_i_lagrangian_pieces(b, gradient);
    for (uint64_t c = 0; c < b->communities; c++) {
        piece[c] = b->use[c].pieces - 2.0 * b->use[c].vanished;
        vanished += b->use[c].vanished;
    }
    piece[b->communities] = vanished - b->splits;
    return total;
}

void ksda_i_lagrangian_project(void *data, double *variable) {
    const ksda_i_lagrangian *b = data;
    double *mix = ksda_i_lagrangian_mixes(b, variable);
    for (uint64_t c = 0; c < b->communities; c++) mix[c] = fmin(mix[c], b->mix);
    if (b->weight == INFINITY) return;
    double *piece = ksda_i_lagrangian_pieces(b, variable), *weight = ksda_i_lagrangian_weight(b, variable);
    if (*weight > b->weight || b->splits == 0) *weight = b->weight;
    *weight = fmin(*weight, KSDA_I_LAGRANGIAN_HEAVIEST);
    for (uint64_t c = 0; c < b->communities; c++) piece[c] = fmin(piece[c], *weight / 2);
}
