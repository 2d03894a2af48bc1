/* Logistic regression on what tells added edges from own ones at the same end.
 *
 * Each trait is divided by how much it varies, and a small ridge keeps weights finite where a trait decides everything.
 * Newton's method; time O(rows * traits^2) a step. */
#include "attack/traits.h"

#include <math.h>

enum {
    NEWTON = 8 /* steps */
};
#define RIDGE 1e-3
#define LEAST 1e-9

static const char *const names[] = {"common_neighbours",
                                    "jaccard",
                                    "adamic_adar",
                                    "share",
                                    "degree",
                                    "common_neighbours_rank",
                                    "jaccard_rank",
                                    "adamic_adar_rank",
                                    "share_rank",
                                    "degree_rank",
                                    "degree_log",
                                    "level_log",
                                    "larger"};
_Static_assert(sizeof names / sizeof *names == KSDA_TRAIT_COUNT, "a name for every trait");
_Static_assert((int)KSDA_TRAIT_COUNT == (int)KSDA_I_TRAITS, "the same traits");

const char *ksda_trait_id_name(ksda_trait_id id) {
    return (unsigned)id < KSDA_TRAIT_COUNT ? names[id] : NULL;
}

int ksda_trait_id_from_name(const char *name, ksda_trait_id *out) {
    int i = 0;
    while (i < KSDA_TRAIT_COUNT && strcmp(names[i], name) != 0) i++;
    if (i < KSDA_TRAIT_COUNT) *out = (ksda_trait_id)i;
    return i < KSDA_TRAIT_COUNT;
}

void ksda_i_traits_fill(const double score[KSDA_I_LIKENESSES], const double *rank, double level, uint32_t degree,
                        double out[KSDA_I_TRAITS]) {
    double other = score[KSDA_I_LIKE_DEGREE], *habit = out + KSDA_I_TRAIT_HABITS;
    memcpy(out, score, KSDA_I_LIKENESSES * sizeof *out);
    memcpy(out + KSDA_I_TRAIT_RANKS, rank, KSDA_I_LIKENESSES * sizeof *out);
    habit[0] = log(other);
    habit[1] = level;
    habit[2] = other > degree;
}

double ksda_i_traits_weigh(const double *weight, const double *traits) {
    double sum = 0;
    for (int t = 0; t < KSDA_I_TRAITS; t++) sum += weight[t] * traits[t];
    return sum;
}

ksda_status ksda_i_contrasts_note(ksda_ctx *ctx, ksda_i_contrasts *c, const double *traits, const double *own,
                                  uint64_t count, ksda_i_rng *rng) {
    uint64_t need = (c->rows + KSDA_I_CONTRASTS) * KSDA_I_TRAITS;
    ksda_status status = ksda_i_reserve(ctx, &c->row, &c->capacity, need, sizeof *c->row);
    for (int i = 0; i < KSDA_I_CONTRASTS && status >= 0; i++) {
        const double *other = own + ksda_i_rng_below(rng, count) * KSDA_I_TRAITS;
        double *row = c->row + KSDA_I_TRAITS * c->rows++;
        for (int t = 0; t < KSDA_I_TRAITS; t++) row[t] = traits[t] - other[t];
    }
    return status;
}

/* --- regression --------------------------------------------------------------------------------------------------- */

typedef double matrix[KSDA_I_TRAITS][KSDA_I_TRAITS];

/* Cholesky's factor in the place of the lower half; the matrix has a ridge. */
static void factor(matrix a) {
    for (int i = 0; i < KSDA_I_TRAITS; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++) sum -= a[i][k] * a[j][k];
            a[i][j] = i == j ? sqrt(fmax(sum, LEAST)) : sum / a[j][j];
        }
}

static void solve(matrix a, double *x) {
    for (int i = 0; i < KSDA_I_TRAITS; i++) {
        for (int k = 0; k < i; k++) x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    for (int i = KSDA_I_TRAITS - 1; i >= 0; i--) {
        for (int k = i + 1; k < KSDA_I_TRAITS; k++) x[i] -= a[k][i] * x[k];
        x[i] /= a[i][i];
    }
}

/* Every trait is divided by how much it varies, which is returned in scale. */
static void scale_traits(ksda_i_contrasts *c, double *scale) {
    for (int t = 0; t < KSDA_I_TRAITS; t++) {
        double sum = 0, squares = 0;
        for (uint64_t r = 0; r < c->rows; r++) {
            double x = c->row[r * KSDA_I_TRAITS + (uint64_t)t];
            sum += x, squares += x * x;
        }
        double mean = sum / (double)c->rows;
        scale[t] = sqrt(fmax(0, squares / (double)c->rows - mean * mean)) + LEAST;
        for (uint64_t r = 0; r < c->rows; r++) c->row[r * KSDA_I_TRAITS + (uint64_t)t] /= scale[t];
    }
}

static void newton_step(const ksda_i_contrasts *c, double *weight) {
    double gradient[KSDA_I_TRAITS] = {0}, rows = (double)c->rows;
    matrix hessian = {{0}};
    for (uint64_t r = 0; r < c->rows; r++) {
        const double *x = c->row + r * KSDA_I_TRAITS;
        double sum = 0;
        for (int t = 0; t < KSDA_I_TRAITS; t++) sum += weight[t] * x[t];
        double p = 1 / (1 + exp(-fmax(-30, fmin(30, sum)))), steep = p * (1 - p);
        for (int t = 0; t < KSDA_I_TRAITS; t++) {
            gradient[t] += (1 - p) * x[t];
            for (int u = 0; u <= t; u++) hessian[t][u] += steep * x[t] * x[u];
        }
    }
    for (int t = 0; t < KSDA_I_TRAITS; t++) gradient[t] -= RIDGE * rows * weight[t], hessian[t][t] += RIDGE * rows;
    factor(hessian);
    solve(hessian, gradient);
    for (int t = 0; t < KSDA_I_TRAITS; t++) weight[t] += gradient[t];
}

ksda_status ksda_i_contrasts_fit(ksda_ctx *ctx, ksda_i_contrasts *c, double weight[KSDA_I_TRAITS]) {
    double scale[KSDA_I_TRAITS];
    memset(weight, 0, KSDA_I_TRAITS * sizeof *weight);
    if (!c->rows) return KSDA_OK;
    scale_traits(c, scale);
    for (int i = 0; i < NEWTON; i++) {
        newton_step(c, weight);
        ksda_i_work(ctx, c->rows * KSDA_I_TRAITS);
        if (ksda_i_cancelled(ctx)) return ksda_i_interrupted(ctx);
    }
    for (int t = 0; t < KSDA_I_TRAITS; t++) weight[t] /= scale[t];
    return KSDA_OK;
}
