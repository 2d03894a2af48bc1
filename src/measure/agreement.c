/* How alike two partitions of the same people are.
 *
 * Accuracy: the largest share of people in matching communities, over all one-to-one matchings (assignment.c). NMI:
 * mutual information over the mean of the two entropies. ARI: the Rand index, 0 for what chance gives and 1 for the
 * same partition (Hubert & Arabie 1985, doi:10.1007/BF01908075). For two trivial partitions (everybody together, or
 * everybody alone) NMI and ARI are 1. All from the table of how many people each pair of communities shares, of which
 * only the occupied cells are kept. Time O(n) by counting sort, and the assignment. */
#include "core/sized.h"
#include "measure/assignment.h"
#include "measure/measure.h"

typedef struct cells {
    uint32_t rows, columns;
    uint64_t *start;  /* [rows + 1] */
    uint32_t *column; /* of each cell */
    double *people;
    double *row_sum, *column_sum;
} cells;

static void cells_clear(ksda_ctx *ctx, cells *t) {
    ksda_i_free(ctx, t->start);
    ksda_i_free(ctx, t->column);
    ksda_i_free(ctx, t->people);
    ksda_i_free(ctx, t->row_sum);
    ksda_i_free(ctx, t->column_sum);
}

static uint32_t labels(uint32_t n, const uint32_t *a) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; i++) most = a[i] >= most ? a[i] + 1 : most;
    return most;
}

/* People sorted by a (order), then each row of the table by stamping columns. */
static ksda_status tabulate(ksda_ctx *ctx, uint32_t n, const uint32_t *a, const uint32_t *b, cells *t) {
    ksda_status status = KSDA_OK;
    uint32_t *order = ksda_i_malloc(ctx, n, sizeof *order), *next = NULL;
    uint64_t *cell = NULL, cells_used = 0;
    t->rows = labels(n, a);
    t->columns = labels(n, b);
    t->start = ksda_i_calloc(ctx, (uint64_t)t->rows + 1, sizeof *t->start);
    t->column = ksda_i_malloc(ctx, n, sizeof *t->column);
    t->people = ksda_i_calloc(ctx, n, sizeof *t->people);
    t->row_sum = ksda_i_calloc(ctx, t->rows, sizeof *t->row_sum);
    t->column_sum = ksda_i_calloc(ctx, t->columns, sizeof *t->column_sum);
    next = ksda_i_calloc(ctx, (uint64_t)t->rows + 1, sizeof *next);
    cell = ksda_i_malloc(ctx, t->columns, sizeof *cell);
    if (!order || !t->start || !t->column || !t->people || !t->row_sum || !t->column_sum || !next || !cell)
        KSDA_I_TRY(KSDA_NOMEM);
    for (uint32_t i = 0; i < n; i++) next[a[i] + 1]++, t->row_sum[a[i]] += 1, t->column_sum[b[i]] += 1;
    for (uint32_t r = 0; r < t->rows; r++) next[r + 1] += next[r];
    for (uint32_t i = 0; i < n; i++) order[next[a[i]]++] = i;
    for (uint32_t c = 0; c < t->columns; c++) cell[c] = UINT64_MAX;
    for (uint32_t r = 0, i = 0; r < t->rows; r++) {
        t->start[r] = cells_used;
        for (; i < n && a[order[i]] == r; i++) {
            uint32_t c = b[order[i]];
            if (cell[c] == UINT64_MAX || cell[c] < t->start[r]) cell[c] = cells_used, t->column[cells_used++] = c;
            t->people[cell[c]] += 1;
        }
    }
    t->start[t->rows] = cells_used;
done:
    ksda_i_free(ctx, order);
    ksda_i_free(ctx, next);
    ksda_i_free(ctx, cell);
    return status;
}

static double pairs_of(double x) {
    return x * (x - 1) / 2;
}

static double entropy(const double *sum, uint32_t count, double n) {
    double h = 0;
    for (uint32_t i = 0; i < count; i++)
        if (sum[i] > 0) h -= sum[i] / n * log(sum[i] / n);
    return h;
}

static double mutual_information(const cells *t, double n) {
    double h = 0;
    for (uint32_t r = 0; r < t->rows; r++)
        for (uint64_t e = t->start[r]; e < t->start[r + 1]; e++)
            h += t->people[e] / n * log(t->people[e] * n / (t->row_sum[r] * t->column_sum[t->column[e]]));
    return h;
}

static double adjusted_rand(const cells *t, double n) {
    double both = 0, rows = 0, columns = 0;
    for (uint64_t e = 0; e < t->start[t->rows]; e++) both += pairs_of(t->people[e]);
    for (uint32_t r = 0; r < t->rows; r++) rows += pairs_of(t->row_sum[r]);
    for (uint32_t c = 0; c < t->columns; c++) columns += pairs_of(t->column_sum[c]);
    double expected = pairs_of(n) > 0 ? rows * columns / pairs_of(n) : 0, most = (rows + columns) / 2;
    return most - expected > 0 ? (both - expected) / (most - expected) : 1;
}

static const ksda_i_sized kind = KSDA_I_RESULT(ksda_agreement, ari);

ksda_status ksda_partition_agreement(ksda_ctx *ctx, uint32_t n, const uint32_t *a, const uint32_t *b,
                                     ksda_agreement *out) {
    cells t = {.rows = 0};
    ksda_status status = KSDA_OK;
    double matched;
    ksda_agreement told = {.accuracy = NAN, .nmi = NAN, .ari = NAN};
    KSDA_I_TRY(ksda_i_result_check(ctx, &kind, out));
    ksda_i_result_give(&kind, out, &told);
    if (n == 0) return KSDA_OK;
    for (uint32_t i = 0; i < n; i++)
        if (a[i] == KSDA_NO_VERTEX || b[i] == KSDA_NO_VERTEX)
            return ksda_i_error(ctx, KSDA_INVALID, "person %u has no community", (unsigned)i);
    KSDA_I_TRY(tabulate(ctx, n, a, b, &t));
    KSDA_I_TRY(ksda_i_assignment(ctx, t.rows, t.columns, t.start, t.column, t.people, &matched));
    double h = entropy(t.row_sum, t.rows, n) + entropy(t.column_sum, t.columns, n);
    told.accuracy = matched / n;
    told.nmi = h > 0 ? fmin(1, fmax(0, 2 * mutual_information(&t, n) / h)) : 1;
    told.ari = adjusted_rand(&t, n);
    ksda_i_result_give(&kind, out, &told);
done:
    cells_clear(ctx, &t);
    return status;
}
