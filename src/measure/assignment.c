/* Assignment on sparse profits: rows are matched one by one along a shortest augmenting path (Jonker & Volgenant 1987,
 * doi:10.1007/BF02278710, for sparse rows), found by Dijkstra's method on reduced costs.
 *
 * Costs are -profit, and every row has a column of its own at cost 0, which stands for "alone": so a matching always
 * exists and empty entries of the matrix are never looked at. With whole-number profits everything is exact. Time
 * O(rows * entries * log) at worst; a path rarely gets past the first few columns. Memory O(entries + columns). */
#include "measure/assignment.h"

#include <math.h>

typedef struct item {
    double key;
    uint32_t column;
} item;

typedef struct matching {
    ksda_ctx *ctx;
    uint32_t rows, columns;
    const uint64_t *start;
    const uint32_t *column;
    const double *profit;
    double *u, *v;       /* potentials of rows and columns: cost - u - v >= 0, 0 on matched pairs */
    uint32_t *row_of;    /* [columns] */
    uint32_t *column_of; /* [rows]; `columns` when alone */
    double *distance;    /* [columns] of the path at hand; infinite outside */
    uint32_t *parent;    /* [columns] the row it came from */
    uint32_t *touched;   /* columns with a distance */
    uint32_t touches;
    unsigned char *final; /* [columns] */
    item *heap;
    uint64_t heap_size, heap_capacity;
} matching;

/* --- a binary heap with stale entries ---------------------------------------------------------------------------- */

static ksda_status heap_add(matching *m, double key, uint32_t column) {
    ksda_status status = ksda_i_reserve(m->ctx, &m->heap, &m->heap_capacity, m->heap_size + 1, sizeof *m->heap);
    if (status < 0) return status;
    uint64_t i = m->heap_size++;
    for (; i > 0 && m->heap[(i - 1) / 2].key > key; i = (i - 1) / 2) m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = (item){key, column};
    return KSDA_OK;
}

static item heap_pop(matching *m) {
    item top = m->heap[0], last = m->heap[--m->heap_size];
    uint64_t i = 0, child;
    for (; (child = 2 * i + 1) < m->heap_size; i = child) {
        if (child + 1 < m->heap_size && m->heap[child + 1].key < m->heap[child].key) child++;
        if (m->heap[child].key >= last.key) break;
        m->heap[i] = m->heap[child];
    }
    m->heap[i] = last;
    return top;
}

/* --- one augmenting path ----------------------------------------------------------------------------------------- */

/* The shortest way found so far that ends in a row staying alone. */
typedef struct ending {
    double distance;
    uint32_t row;
} ending;

/* Look along a row reached at distance `at`. */
static ksda_status relax_row(matching *m, uint32_t row, double at, ending *alone) {
    if (at - m->u[row] < alone->distance) *alone = (ending){at - m->u[row], row};
    for (uint64_t e = m->start[row]; e < m->start[row + 1]; e++) {
        uint32_t c = m->column[e];
        double d = at - m->profit[e] - m->u[row] - m->v[c];
        if (m->final[c] || d >= m->distance[c] || d >= alone->distance) continue;
        if (m->distance[c] == INFINITY) m->touched[m->touches++] = c;
        m->distance[c] = d;
        m->parent[c] = row;
        ksda_status status = heap_add(m, d, c);
        if (status < 0) return status;
    }
    return KSDA_OK;
}

/* Give the row its column and its old one to the row before, back to the start. */
static void augment(matching *m, uint32_t column, uint32_t first) {
    for (;;) {
        uint32_t row = m->parent[column], old = m->column_of[row];
        m->column_of[row] = column;
        m->row_of[column] = row;
        if (row == first) return;
        column = old;
    }
}

static void finish(matching *m, uint32_t first, double length, uint32_t free_column, const ending *alone) {
    m->u[first] += length;
    for (uint32_t i = 0; i < m->touches; i++) {
        uint32_t c = m->touched[i];
        if (m->final[c] && m->distance[c] < length) {
            m->v[c] -= length - m->distance[c];
            if (c != free_column) m->u[m->row_of[c]] += length - m->distance[c];
        }
    }
    if (free_column != m->columns) {
        augment(m, free_column, first);
    } else {
        uint32_t column = m->column_of[alone->row];
        m->column_of[alone->row] = m->columns;
        if (alone->row != first) augment(m, column, first);
    }
    for (uint32_t i = 0; i < m->touches; i++) m->distance[m->touched[i]] = INFINITY, m->final[m->touched[i]] = 0;
    m->touches = 0;
    m->heap_size = 0;
}

static ksda_status match_row(matching *m, uint32_t first) {
    ending alone = {INFINITY, first};
    ksda_status status = relax_row(m, first, 0, &alone);
    while (status >= 0) {
        item next = m->heap_size ? heap_pop(m) : (item){INFINITY, m->columns};
        if (next.key >= alone.distance) {
            finish(m, first, alone.distance, m->columns, &alone);
            return KSDA_OK;
        }
        if (m->final[next.column]) continue;
        m->final[next.column] = 1;
        if (m->row_of[next.column] == m->rows) {
            finish(m, first, next.key, next.column, &alone);
            return KSDA_OK;
        }
        status = relax_row(m, m->row_of[next.column], next.key, &alone);
    }
    return status;
}

static ksda_status matching_new(matching *m) {
    ksda_ctx *ctx = m->ctx;
    m->u = ksda_i_calloc(ctx, m->rows, sizeof *m->u);
    m->v = ksda_i_calloc(ctx, m->columns, sizeof *m->v);
    m->row_of = ksda_i_malloc(ctx, m->columns, sizeof *m->row_of);
    m->column_of = ksda_i_malloc(ctx, m->rows, sizeof *m->column_of);
    m->distance = ksda_i_malloc(ctx, m->columns, sizeof *m->distance);
    m->parent = ksda_i_malloc(ctx, m->columns, sizeof *m->parent);
    m->touched = ksda_i_malloc(ctx, m->columns, sizeof *m->touched);
    m->final = ksda_i_calloc(ctx, m->columns, 1);
    if (!m->u || !m->v || !m->row_of || !m->column_of || !m->distance || !m->parent || !m->touched || !m->final)
        return KSDA_NOMEM;
    for (uint32_t r = 0; r < m->rows; r++) m->column_of[r] = m->columns;
    for (uint32_t c = 0; c < m->columns; c++) m->row_of[c] = m->rows, m->distance[c] = INFINITY;
    return KSDA_OK;
}

static void matching_clear(matching *m) {
    void *const all[] = {m->u, m->v, m->row_of, m->column_of, m->distance, m->parent, m->touched, m->final, m->heap};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) ksda_i_free(m->ctx, all[i]);
}

ksda_status ksda_i_assignment(ksda_ctx *ctx, uint32_t rows, uint32_t columns, const uint64_t *start,
                              const uint32_t *column, const double *profit, double *best) {
    matching m = {.ctx = ctx, .rows = rows, .columns = columns, .start = start, .column = column, .profit = profit};
    ksda_status status = KSDA_OK;
    *best = 0;
    KSDA_I_TRY(matching_new(&m));
    for (uint32_t r = 0; r < rows;
         r++) { /* the least potential that keeps all reduced costs of an empty row at 0 or more */
        double least = 0;
        for (uint64_t e = start[r]; e < start[r + 1]; e++) least = fmin(least, -profit[e]);
        m.u[r] = least;
    }
    for (uint32_t r = 0; r < rows; r++) {
        KSDA_I_TRY(match_row(&m, r));
        KSDA_I_TRY(r % 64 ? ksda_i_interrupted(ctx) : ksda_i_progress(ctx, "matching communities", r, rows));
    }
    for (uint32_t r = 0; r < rows; r++)
        for (uint64_t e = start[r]; e < start[r + 1]; e++)
            if (column[e] == m.column_of[r]) *best += profit[e];
done:
    matching_clear(&m);
    return status;
}
