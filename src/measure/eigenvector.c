/* Eigenvector centrality: the eigenvector of the adjacency matrix for its largest eigenvalue, the spectral radius;
 * largest entry 1.
 *
 * Lanczos' method from the vector of degrees: after j products the best vector in the span of x, Ax, ..., A^j x, which
 * needs about the square root of the steps that repeated multiplication takes. Vectors are not orthogonalized again:
 * what is lost that way are second copies of a value already found, and the search stops when the first is there. After
 * at most CYCLE steps it starts again from the best vector, which is also checked by its true residual. It stops when
 * residual / (gap to the next eigenvalue), which bounds the error of the vector, is below 1e-10. Cost: some 30 to 100
 * products of O(m); memory (CYCLE + 3) * 8 bytes a vertex. Products are split by rows and sums are taken in a fixed
 * order: any number of threads gives the same numbers. */
#include "core/parallel.h"
#include "measure/measure.h"
#include "core/simd.h"

enum {
    CYCLE = 48,
    MAX_CYCLES = 200,
    ROWS = 16384,
    CHECK = 4
};
#define TOLERANCE 1e-10
#define ROUNDING 1e-14 /* of the eigenvalue: no residual gets much smaller */

typedef double vec __attribute__((vector_size(64), aligned(8)));

typedef struct lanczos {
    ksda_ctx *ctx;
    const ksda_graph *g;
    double *q;                        /* [(CYCLE + 1) * n] */
    double alpha[CYCLE], beta[CYCLE]; /* the tridiagonal matrix; beta[j] between j and j + 1 */
    double s[CYCLE];                  /* its eigenvector */
    const double *from;               /* of the product at hand */
    double *to;
} lanczos;

/* --- products and sums ------------------------------------------------------------------------------------------- */

static void multiply_rows(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const lanczos *l = data;
    const uint64_t *off = l->g->off;
    const uint32_t *adj = l->g->adj;
    (void)thread;
    for (uint64_t v = begin; v < end; v++) {
        double sum = 0;
        for (uint64_t e = off[v]; e < off[v + 1]; e++) sum += l->from[adj[e]];
        l->to[v] = sum;
    }
}

static void multiply(lanczos *l, const double *from, double *to) {
    l->from = from;
    l->to = to;
    if (l->g->m < 300000)
        multiply_rows(l, 0, l->g->n, 0); /* starting threads would cost more than it saves */
    else
        ksda_i_parallel(l->ctx, l->g->n, ROWS, multiply_rows, l);
}

KSDA_I_INLINE void dot_body(const double *x, const double *y, uint32_t n, double *out) {
    vec sum = {0};
    double rest = 0;
    uint32_t i = 0;
    for (; i + 8 <= n; i += 8) sum += *(const vec *)(x + i) * *(const vec *)(y + i);
    for (; i < n; i++) rest += x[i] * y[i];
    for (int lane = 0; lane < 8; lane++) rest += sum[lane];
    *out = rest;
}
KSDA_I_KERNEL(dot_into, dot_body, (const double *x, const double *y, uint32_t n, double *out), (x, y, n, out))

KSDA_I_INLINE void add_body(double *x, double factor, const double *y, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) x[i] += factor * y[i];
}
KSDA_I_KERNEL(add, add_body, (double *x, double factor, const double *y, uint32_t n), (x, factor, y, n))

static double dot_product(const double *x, const double *y, uint32_t n) {
    double out;
    dot_into(x, y, n, &out);
    return out;
}

/* Scale x to length 1; returns the length it had. */
static double normalize(double *x, uint32_t n) {
    double length = sqrt(dot_product(x, x, n));
    for (uint32_t i = 0; i < n && length > 0; i++) x[i] /= length;
    return length;
}

/* --- the tridiagonal matrix -------------------------------------------------------------------------------------- */

/* How many of its eigenvalues are above x (Sturm). */
static int eigenvalues_above(const lanczos *l, int size, double x) {
    int count = 0;
    double d = 1;
    for (int i = 0; i < size; i++) {
        d = l->alpha[i] - x - (i > 0 ? l->beta[i - 1] * l->beta[i - 1] / d : 0);
        if (d == 0) d = 1e-300;
        count += d > 0;
    }
    return count;
}

/* Its rank-th largest eigenvalue, from above, by bisection. */
static double eigenvalue(const lanczos *l, int size, int rank) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < size; i++) {
        double radius = (i > 0 ? l->beta[i - 1] : 0) + (i + 1 < size ? l->beta[i] : 0);
        low = fmin(low, l->alpha[i] - radius);
        high = fmax(high, l->alpha[i] + radius);
    }
    high += 1e-15 * fabs(high) + 1e-300;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (!(middle > low && middle < high)) return high;
        if (eigenvalues_above(l, size, middle) >= rank)
            low = middle;
        else
            high = middle;
    }
}

/* The eigenvector of the largest eigenvalue by inverse iteration; shift - T is positive definite with no positive entry
 * off the diagonal, so elimination without pivoting loses nothing. */
static void eigenvector(lanczos *l, int size, double value) {
    double shift = value + 4e-16 * fabs(value), pivot[CYCLE];
    for (int i = 0; i < size; i++) l->s[i] = 1;
    for (int round = 0; round < 3; round++) {
        double length = 0;
        for (int i = 0; i < size; i++) {
            double up = i > 0 ? l->beta[i - 1] / pivot[i - 1] : 0;
            pivot[i] = shift - l->alpha[i] - (i > 0 ? up * l->beta[i - 1] : 0);
            if (pivot[i] < 1e-300) pivot[i] = 1e-16 * fabs(value) + 1e-300;
            if (i > 0) l->s[i] += up * l->s[i - 1];
        }
        for (int i = size - 1; i >= 0; i--)
            l->s[i] = (l->s[i] + (i + 1 < size ? l->beta[i] * l->s[i + 1] : 0)) / pivot[i];
        for (int i = 0; i < size; i++) length = fmax(length, fabs(l->s[i]));
        for (int i = 0; i < size; i++) l->s[i] /= length;
    }
}

/* --- the iteration ----------------------------------------------------------------------------------------------- */

static double tolerance(const lanczos *l, int size, double value) {
    double gap = size > 1 ? value - eigenvalue(l, size, 2) : value;
    return fmax(TOLERANCE * gap, ROUNDING * value);
}

/* One cycle from q[0], which has length 1; returns the number of steps. */
static int run_cycle(lanczos *l) {
    uint32_t n = l->g->n;
    for (int j = 0; j < CYCLE; j++) {
        double *q = l->q + (uint64_t)j * n, *w = q + n;
        multiply(l, q, w);
        if (j > 0) add(w, -l->beta[j - 1], q - n, n);
        l->alpha[j] = dot_product(w, q, n);
        add(w, -l->alpha[j], q, n);
        add(w, -dot_product(w, q, n), q, n); /* once more: near convergence w is mostly rounding */
        l->beta[j] = normalize(w, n);
        if (l->beta[j] <= 1e-13 * l->alpha[0]) return j + 1; /* nothing more to find from this start */
        if ((j + 1) % CHECK || j < 2) continue;
        double length = 0, value = eigenvalue(l, j + 1, 1);
        eigenvector(l, j + 1, value);
        for (int i = 0; i <= j; i++) length += l->s[i] * l->s[i];
        if (l->beta[j] * fabs(l->s[j]) <= 0.3 * tolerance(l, j + 1, value) * sqrt(length)) return j + 1;
    }
    return CYCLE;
}

/* The vector that the cycle found, to q[0]; *residual is |Ax - value x|, and q[1] is overwritten. */
static double best_vector(lanczos *l, int size, double *residual) {
    uint32_t n = l->g->n;
    double *x = l->q, *ax = l->q + n;
    eigenvector(l, size, eigenvalue(l, size, 1));
    for (uint32_t i = 0; i < n; i++) x[i] *= l->s[0];
    for (int j = 1; j < size; j++) add(x, l->s[j], l->q + (uint64_t)j * n, n);
    normalize(x, n);
    multiply(l, x, ax);
    double value = dot_product(x, ax, n);
    add(ax, -value, x, n);
    *residual = sqrt(dot_product(ax, ax, n));
    return value;
}

static ksda_status iterate(lanczos *l, double *radius, double *residual) {
    uint32_t n = l->g->n;
    ksda_status status = KSDA_OK;
    for (uint32_t v = 0; v < n; v++) l->q[v] = ksda_i_degree(l->g, v);
    normalize(l->q, n);
    for (int cycle = 0; cycle < MAX_CYCLES; cycle++) {
        if ((status = ksda_i_progress(l->ctx, "eigenvector centrality", (uint64_t)cycle, 0)) < 0) return status;
        int size = run_cycle(l);
        *radius = best_vector(l, size, residual);
        if (*residual <= tolerance(l, size, *radius)) return KSDA_OK;
    }
    return KSDA_LIMIT;
}

/* *error bounds that of the eigenvalue when KSDA_LIMIT is returned. */
static ksda_status centrality(ksda_ctx *ctx, const ksda_graph *g, double *out, double *radius, double *error) {
    uint32_t n = g->n;
    double most = 0;
    lanczos l = {.ctx = ctx, .g = g};
    ksda_status status = KSDA_OK;
    *radius = *error = 0;
    for (uint32_t v = 0; v < n; v++) out[v] = 1;
    if (g->m == 0) return KSDA_OK;
    l.q = ksda_i_malloc(ctx, (uint64_t)n * (CYCLE + 1), sizeof *l.q);
    status = l.q ? iterate(&l, radius, error) : KSDA_NOMEM;
    for (uint32_t v = 0; status >= 0 && v < n; v++) most = fmax(most, out[v] = fabs(l.q[v]));
    for (uint32_t v = 0; status >= 0 && v < n; v++) out[v] /= most;
    ksda_i_free(ctx, l.q);
    return status;
}

ksda_status ksda_eigenvector_centrality(ksda_ctx *ctx, const ksda_graph *graph, double *out, double *radius) {
    double value, error;
    ksda_status status = centrality(ctx, graph, out, &value, &error);
    if (radius) *radius = value;
    return status;
}

ksda_status ksda_i_pass_eigenvector(ksda_i_measuring *m) {
    double radius, error;
    double *eigen = ksda_i_malloc(m->ctx, m->g->n, sizeof *eigen);
    if (!eigen) return KSDA_NOMEM;
    ksda_status status = centrality(m->ctx, m->g, eigen, &radius, &error);
    if (status < 0) {
        ksda_i_free(m->ctx, eigen);
        return status;
    }
    ksda_i_free(m->ctx, m->eigen);
    m->eigen = eigen;
    ksda_value *value = &m->out->value[KSDA_MEASURE_SPECTRAL_RADIUS];
    if (status == KSDA_LIMIT)
        ksda_i_set_sampled(value, radius, radius - error, radius + error);
    else
        ksda_i_set_exact(value, m->g->n ? radius : NAN);
    return KSDA_OK;
}
