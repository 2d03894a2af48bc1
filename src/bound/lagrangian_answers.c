/* The Lagrangian relaxation at given multipliers: prices of levels, every community's answer, and their sum.
 *
 * Prices are rounded to a grid, the safe way, so that every sum of them is exact. In a case some levels are closed, and
 * nobody may use them, and some are open: k communities use each, which has a multiplier of its own. */
#include "bound/lagrangian_answers.h"
#include "core/parallel.h"
#include "core/simd.h"

#include <math.h>

#define GRID KSDA_I_LAGRANGIAN_GRID
#define EXACT 0x1p31 /* sums of prices, needs and halves of needs are exact in doubles up to four times as much */
#define MIXTURES 256 /* a mixture is a whole number of parts of this many */
#define CARRIES 1024 /* and what an edge of a piece costs likewise */
#define FADING 0.04f /* of the means is replaced by every answer */

uint64_t ksda_i_lagrangian_cells(const ksda_i_lagrangian *b) {
    uint64_t cells = 1;
    for (uint32_t c = 0; c < b->communities; c++)
        cells += (uint64_t)b->levels.count * (b->list[c].start[b->list[c].states] + 1) * (b->list[c].pairs + 1);
    return cells;
}

uint64_t ksda_i_lagrangian_variables(const ksda_i_lagrangian *b) {
    return (uint64_t)(b->communities + 1) * b->levels.count + b->communities +
           (b->weight == INFINITY ? 0 : 3 * (uint64_t)b->communities + 1);
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

/* What an edge that a piece carries costs at most: half of one, and so that no vertex costs more than its splits. */
static double most_carry(const ksda_i_lagrangian *b, uint64_t c, double weight) {
    double low = b->list[c].supply, pieces = b->most_splits;
    return fmin(0.5, weight / (fmax(low, pieces) + 2));
}

static double carry_on_grid(double carry) {
    return floor(fmax(0, carry) * CARRIES) / CARRIES;
}

/* What a split vertex and its pieces cost, and what needs save by edges to pieces. */
static void set_split_prices(ksda_i_lagrangian *b, const double *variable) {
    const double *piece = ksda_i_lagrangian_pieces(b, variable), *carry = ksda_i_lagrangian_carries(b, variable);
    double weight = counted_weight(b, variable), highest = b->level[0], most = 0;
    for (uint64_t c = 0; c < b->communities; c++) {
        ksda_i_bound_list *x = b->list + c;
        double limit = most_carry(b, c, weight),
               whole = carry_on_grid(fmin(carry[c] / highest, fmin(x->mix / 2, limit)));
        x->carry_half = carry_on_grid(fmin(carry[b->communities + c] / highest, fmin((1 - x->mix) / 2, limit - whole)));
        x->carry = whole + x->carry_half;
        double room = fmin((weight - x->carry * (x->supply + 2.0)) / 2, weight - x->carry * (b->most_splits + 2.0));
        if (room < 0) x->carry = x->carry_half = 0, room = weight / 2; /* if that was rounded */
        x->piece = on_grid(fmin(piece[c], room));
        x->vanish = ksda_i_bound_vanish(weight, x->piece);
        most = fmax(most, x->carry);
    }
    for (uint64_t c = 0; c < b->communities; c++) {
        ksda_i_bound_list *x = b->list + c;
        x->some = b->most_splits;
        x->to_more = x->carry - x->carry_half;
        x->to_some = fmax(x->to_more, most - (1 - x->mix) / 2);
    }
}

/* In whole numbers of the grid: what one community pays for the levels, which is added to the sums. */
KSDA_I_INLINE void round_prices(uint32_t levels, const double *restrict variable, double *restrict price,
                                double *restrict sum) {
    for (uint32_t l = 0; l < levels; l++) price[l] = floor(variable[l] / GRID);
    for (uint32_t l = 0; l < levels; l++) sum[l] += price[l];
}
KSDA_I_KERNEL(add_prices, round_prices,
              (uint32_t levels, const double *restrict variable, double *restrict price, double *restrict sum),
              (levels, variable, price, sum))

/* From the variables to prices: s, and what a k-th of their sum is at least, in whole numbers of the grid; they are
 * prices when that is subtracted, where they are answered. The last division is rounded up exactly, because the sum has
 * less than 53 bits. False where it has more. */
static bool set_prices(ksda_i_lagrangian *b, const double *variable) {
    uint32_t levels = b->levels.count;
    bool exact = true;
    memset(b->sum, 0, levels * sizeof *b->sum);
    for (uint64_t c = 0; c < b->communities; c++)
        add_prices(levels, variable + c * levels, b->price + c * levels, b->sum);
    for (uint32_t l = 0; l < levels; l++) {
        if (!(b->sum[l] < 0x1p53)) exact = false;
        b->sum[l] = ceil(b->sum[l] / b->k) + open_price(b, variable, l) / GRID;
        if (!(b->sum[l] < 0x1p53)) exact = false;
    }
    const double *mix = ksda_i_lagrangian_mixes(b, variable);
    for (uint64_t c = 0; c < b->communities; c++)
        b->list[c].mix = fmin(1, floor(mix[c] / b->mix * MIXTURES) / MIXTURES);
    if (b->weight != INFINITY) set_split_prices(b, variable);
    return exact;
}

/* What c pays for each level; returns what it is paid in all where that is less than nothing. */
static double set_prices_of(const ksda_i_lagrangian *b, uint64_t c) {
    double *price = b->price + c * b->levels.count, paid = 0;
    for (uint32_t l = 0; l < b->levels.count; l++) {
        price[l] = b->state[l] == KSDA_I_LEVEL_CLOSED ? KSDA_I_BOUND_FAR : (price[l] - b->sum[l]) * GRID;
        paid -= price[l] < 0 ? price[l] : 0;
    }
    for (uint32_t i = 0; i < b->list[c].members; i++) {
        double vanish = ksda_i_bound_vanish_member(b->list + c, i);
        paid -= vanish < 0 ? vanish : 0;
    }
    return paid;
}

static void answer_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const ksda_i_lagrangian *b = data;
    for (uint64_t c = begin; c < end; c++) {
        double paid = set_prices_of(b, c);
        b->value[c] = ksda_i_lagrangian_community(b->list + c, &b->levels, b->price + c * b->levels.count,
                                                  b->space[thread], b->use + c);
        b->use[c].paid = paid;
    }
}

/* The sum of the answers, if it is exact, else -infinity. A cell of the dynamic program that was rounded is above 4 *
 * EXACT, and all negative prices together do not bring it down to the answer. A community that has no answer but at a
 * level that is closed, or out of reach, has none: whatever else it pays adds up to far less. */
static double sum_of_answers(const ksda_i_lagrangian *b) {
    double sum = 0, size = 0;
    bool none = false;
    for (uint64_t c = 0; c < b->communities; c++) {
        if (!(b->use[c].paid < EXACT)) return -INFINITY;
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

/* Are edges to some pieces of all communities worth more than those to pieces of c? */
static bool looks_away(const ksda_i_bound_list *x) {
    return x->to_some > x->to_more;
}

/* What needs of all save by edges to pieces counts for those whose pieces' edges are the dearest. */
static void carry_gradient(const ksda_i_lagrangian *b, double *gradient) {
    double highest = b->level[0], most = 0, away = 0, dearest = 0;
    for (uint64_t c = 0; c < b->communities; c++) most = fmax(most, b->list[c].carry);
    for (uint64_t c = 0; c < b->communities; c++) {
        if (looks_away(b->list + c)) away += b->use[c].to_some;
        dearest += b->list[c].carry == most;
    }
    for (uint64_t c = 0; c < b->communities; c++) {
        const ksda_i_bound_use *use = b->use + c;
        double both = use->carry + (b->list[c].carry == most ? away / dearest : 0);
        double own = use->to_more + (looks_away(b->list + c) ? 0 : use->to_some);
        gradient[c] = (both + use->unmet + own) / highest;
        gradient[b->communities + c] = (both + use->halved) / highest;
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
    for (uint64_t c = 0; c < b->communities; c++)
        mix[c] = (b->use[c].mix + (looks_away(b->list + c) ? b->use[c].to_some / 2 : 0)) / b->mix;
    if (b->weight == INFINITY) return total;
    double *carry = ksda_i_lagrangian_carries(b, gradient);
    memset(carry, 0, 2 * (uint64_t)b->communities * sizeof *carry);
    if (b->carries) carry_gradient(b, carry);
    double *piece = ksda_i_lagrangian_pieces(b, gradient);
    for (uint64_t c = 0; c < b->communities; c++) {
        piece[c] = b->use[c].pieces - 2.0 * b->use[c].vanished;
        vanished += b->use[c].vanished;
    }
    piece[b->communities] = vanished - b->splits;
    return total;
}

/* To the nearest point at which the sum of n[i] * x[i] is at most so much. */
static void project_onto(uint32_t count, const double *n, double most, double *const *x) {
    double above = -most, norm = 0;
    for (uint32_t i = 0; i < count; i++) above += n[i] * *x[i], norm += n[i] * n[i];
    for (uint32_t i = 0; i < count && above > 0; i++) *x[i] -= above / norm * n[i];
}

/* A split vertex and its pieces do not cost more than the splits, nor edges of pieces more than half of what needs do.
 */
static void project_pieces(const ksda_i_lagrangian *b, double *variable, double weight) {
    double highest = b->level[0], *carry = ksda_i_lagrangian_carries(b, variable);
    for (uint64_t c = 0; c < b->communities; c++) {
        double *mix = ksda_i_lagrangian_mixes(b, variable) + c, *piece = ksda_i_lagrangian_pieces(b, variable) + c;
        double *whole = carry + c, *half = carry + b->communities + c, *split[] = {piece, whole, half};
        double low = (b->list[c].supply + 2.0) / highest, many = (b->most_splits + 2.0) / highest;
        project_onto(3, (double[]){2, low, low}, weight, split);
        project_onto(3, (double[]){1, many, many}, weight, split);
        *whole = fmax(0, *whole), *half = fmax(0, *half);
        project_onto(2, (double[]){2 / highest, -1 / b->mix}, 0, (double *[]){whole, mix});
        project_onto(2, (double[]){2 / highest, 1 / b->mix}, 1, (double *[]){half, mix});
        *whole = fmax(0, *whole), *half = fmax(0, *half);
        *mix = fmax(0, fmin(*mix, b->mix)), *piece = fmax(0, fmin(*piece, weight / 2));
    }
}

void ksda_i_lagrangian_project(void *data, double *variable) {
    const ksda_i_lagrangian *b = data;
    double *mix = ksda_i_lagrangian_mixes(b, variable);
    for (uint64_t c = 0; c < b->communities; c++) mix[c] = fmin(mix[c], b->mix);
    if (b->weight == INFINITY) return;
    double *weight = ksda_i_lagrangian_weight(b, variable);
    if (*weight > b->weight || b->splits == 0) *weight = b->weight;
    *weight = fmin(*weight, KSDA_I_LAGRANGIAN_HEAVIEST);
    project_pieces(b, variable, *weight);
}
