/* What a trained attacker would go by: traits of edges, weighed so that added edges stand out among the own edges of
 * their ends, by logistic regression on the differences of an added edge and a few own ones at the same end.
 *
 * Each score by itself may be where those of own edges are, and yet scores do not go together as theirs do, or a few
 * edges lead to hubs and many to others. The weighing is one more score that is to be near a half; the last few are
 * kept, so that what was mended stays so. */
#include "methods/levelplan/plausible.h"

#include <math.h>

enum {
    BESIDE = 4,  /* own edges that an added one is compared with */
    ROWS = 8192, /* comparisons at most, about */
    NEWTON = 8   /* steps */
};
#define RIDGE 1e-3
#define LEAST 1e-9

void ksda_i_lesson_begin(ksda_i_disguise *d, uint64_t round) {
    ksda_i_lesson *lesson = &d->lesson;
    lesson->rows = 0;
    lesson->step = 2 * BESIDE * d->edges / ROWS + 1;
    lesson->rng = ksda_i_rng_stream(ksda_ctx_seed(d->ctx), 0x6c65726e, round);
}

void ksda_i_lesson_note(ksda_i_disguise *d, const double *traits, const double *own, uint32_t count) {
    ksda_i_lesson *lesson = &d->lesson;
    if (ksda_i_rng_below(&lesson->rng, lesson->step)) return;
    uint64_t need = (lesson->rows + BESIDE) * KSDA_I_TRAITS;
    if (ksda_i_reserve(d->ctx, &lesson->row, &lesson->capacity, need, sizeof *lesson->row) < 0) {
        d->status = KSDA_NOMEM;
        return;
    }
    for (int i = 0; i < BESIDE; i++) {
        const double *other = own + ksda_i_rng_below(&lesson->rng, count) * KSDA_I_TRAITS;
        double *row = lesson->row + KSDA_I_TRAITS * lesson->rows++;
        for (int t = 0; t < KSDA_I_TRAITS; t++) row[t] = traits[t] - other[t];
    }
}

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
static void scale_traits(ksda_i_lesson *lesson, double *scale) {
    for (int t = 0; t < KSDA_I_TRAITS; t++) {
        double sum = 0, squares = 0;
        for (uint64_t r = 0; r < lesson->rows; r++) {
            double x = lesson->row[r * KSDA_I_TRAITS + (uint64_t)t];
            sum += x, squares += x * x;
        }
        double mean = sum / (double)lesson->rows;
        scale[t] = sqrt(fmax(0, squares / (double)lesson->rows - mean * mean)) + LEAST;
        for (uint64_t r = 0; r < lesson->rows; r++) lesson->row[r * KSDA_I_TRAITS + (uint64_t)t] /= scale[t];
    }
}

static void newton_step(const ksda_i_lesson *lesson, double *weight) {
    double gradient[KSDA_I_TRAITS] = {0}, rows = (double)lesson->rows;
    matrix hessian = {{0}};
    for (uint64_t r = 0; r < lesson->rows; r++) {
        const double *x = lesson->row + r * KSDA_I_TRAITS;
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

ksda_status ksda_i_lesson_end(ksda_i_disguise *d, uint64_t round) {
    double *weight = d->learned[round % KSDA_I_LEARNED], scale[KSDA_I_TRAITS];
    memset(weight, 0, sizeof *d->learned);
    if (!d->lesson.rows) return KSDA_OK;
    d->trained = true;
    scale_traits(&d->lesson, scale);
    for (int i = 0; i < NEWTON; i++) {
        newton_step(&d->lesson, weight);
        ksda_i_work(d->ctx, d->lesson.rows * KSDA_I_TRAITS);
        if (ksda_i_cancelled(d->ctx)) return ksda_i_interrupted(d->ctx);
    }
    for (int t = 0; t < KSDA_I_TRAITS; t++) weight[t] /= scale[t];
    return KSDA_OK;
}
