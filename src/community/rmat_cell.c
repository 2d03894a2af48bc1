/* Drawing one square of an R-MAT matrix (Chakrabarti, Zhan, Faloutsos 2004, doi:10.1137/1.9781611972740.43).
 *
 * R-MAT throws pairs, bit by bit, until enough different ones have come. Instead of counting throws we let pairs arrive
 * in time, as a Poisson process with a rate for each pair equal to its probability: the order in which different pairs
 * first arrive is the same, but now no square of the matrix depends on another, and each can be drawn on its own.
 *
 * Where no pair of a square is likely to come twice, arrivals are drawn one after the other. A square that holds a
 * pair expected more than once is cut in four, and at 4 x 4 pairs each pair is asked whether it has come: so the work
 * is in proportion to the different pairs found, also when nearly all of them are. The pairs u-v and v-u are one edge:
 * a square above the diagonal draws for its mirror image too. */
#include "community/rmat_cell.h"

#include <math.h>

enum {
    ASK_LEVELS = 2
}; /* squares of this many levels ask each pair */

/* A square: rows from u, columns from v, both of 2^levels; p is the probability of the square, mirror that of its
 * mirror image. On the diagonal u == v, and mirror is not used. */
typedef struct square {
    uint64_t u, v;
    uint32_t levels;
    double p, mirror;
} square;

typedef struct painter {
    ksda_ctx *ctx;
    const ksda_i_rmat *m;
    ksda_i_rng *rng;
    ksda_i_keys *keys;
    uint64_t u, v; /* corner of the cell */
    uint32_t levels;
} painter;

/* --- tables ------------------------------------------------------------------------------------------------------ */

static double probability(const ksda_i_rmat *m, uint64_t u, uint64_t v, uint32_t levels) {
    double p = 1;
    for (uint32_t i = 0; i < levels; i++) p *= m->p[u >> i & 1][v >> i & 1];
    return p;
}

/* Vose's alias method for all outcomes of `levels` levels. */
static void make_alias(ksda_i_rmat *m, uint32_t levels) {
    enum {
        MOST = 1 << 2 * KSDA_I_RMAT_TABLE
    };
    uint32_t count = 1U << 2 * levels, small[MOST], large[MOST], smalls = 0, larges = 0;
    double weight[MOST];
    for (uint32_t i = 0; i < count; i++) {
        weight[i] = probability(m, i >> levels, i & ((1U << levels) - 1), levels) * count;
        m->alias[levels][i] = (ksda_i_alias){UINT32_MAX, (uint8_t)i, (uint8_t)i};
        if (weight[i] < 1)
            small[smalls++] = i;
        else
            large[larges++] = i;
    }
    while (smalls && larges) {
        uint32_t i = small[--smalls], j = large[larges - 1];
        m->alias[levels][i].threshold = (uint32_t)(weight[i] * 0x1.0p32);
        m->alias[levels][i].other = (uint8_t)j;
        weight[j] -= 1 - weight[i];
        if (weight[j] < 1) small[smalls++] = j, larges--;
    }
}

double ksda_i_rmat_rate(const ksda_i_rmat *m, uint64_t u, uint64_t v) {
    return probability(m, u, v, m->scale) + probability(m, v, u, m->scale);
}

void ksda_i_rmat_tables(ksda_i_rmat *m) {
    m->largest = fmax(fmax(m->p[0][0], m->p[0][1]), fmax(m->p[1][0], m->p[1][1]));
    for (uint32_t levels = 1; levels <= KSDA_I_RMAT_TABLE; levels++) make_alias(m, levels);
}

/* A random pair of `levels` bits each. */
static void draw_bits(const painter *t, uint32_t levels, uint64_t *u, uint64_t *v) {
    *u = *v = 0;
    while (levels) {
        uint32_t now = levels < KSDA_I_RMAT_TABLE ? levels : KSDA_I_RMAT_TABLE;
        uint64_t x = ksda_i_rng_next(t->rng);
        const ksda_i_alias *entry = &t->m->alias[now][x & ((1U << 2 * now) - 1)];
        uint32_t outcome = (uint32_t)(x >> 32) < entry->threshold ? entry->self : entry->other;
        *u = *u << now | outcome >> now;
        *v = *v << now | (outcome & ((1U << now) - 1));
        levels -= now;
    }
}

/* --- squares ----------------------------------------------------------------------------------------------------- */

static double square_rate(const square *s) {
    return s->u == s->v ? s->p : s->p + s->mirror;
}

static ksda_status put_edge(painter *t, uint64_t u, uint64_t v, bool late) {
    ksda_i_keys *k = t->keys;
    if (u >= t->m->vertices || v >= t->m->vertices || u == v) return KSDA_OK;
    if (u > v) {
        uint64_t swap = u;
        u = v, v = swap;
    }
    if (k->count == k->capacity) {
        ksda_status status = ksda_i_reserve(t->ctx, &k->key, &k->capacity, k->count + 1, sizeof *k->key);
        if (status < 0) return status;
    }
    k->key[k->count++] = ((u - t->u) << t->levels | (v - t->v)) << 1 | late;
    return KSDA_OK;
}

/* One arrival after the other. */
static ksda_status draw_arrivals(painter *t, const square *s) {
    double r = square_rate(s), direct = s->u == s->v ? 1 : s->p / r;
    for (double time = 0;;) {
        uint64_t u, v;
        time -= log1p(-ksda_i_rng_unit(t->rng)) / r;
        if (!(time <= t->m->late)) return KSDA_OK;
        draw_bits(t, s->levels, &u, &v);
        bool swapped = direct < 1 && ksda_i_rng_unit(t->rng) >= direct;
        ksda_status status = swapped ? put_edge(t, s->u + v, s->v + u, time > t->m->early)
                                     : put_edge(t, s->u + u, s->v + v, time > t->m->early);
        if (status < 0) return status;
    }
}

/* Every pair by itself. */
static ksda_status try_all_pairs(painter *t, const square *s) {
    uint64_t side = UINT64_C(1) << s->levels;
    bool diagonal = s->u == s->v;
    for (uint64_t u = 0; u < side; u++) {
        for (uint64_t v = diagonal ? u + 1 : 0; v < side; v++) {
            double p = s->p * probability(t->m, u, v, s->levels);
            p += (diagonal ? s->p : s->mirror) * probability(t->m, v, u, s->levels);
            double x = ksda_i_rng_unit(t->rng);
            if (p <= 0 || x >= -expm1(-t->m->late * p)) continue;
            ksda_status status = put_edge(t, s->u + u, s->v + v, x >= -expm1(-t->m->early * p));
            if (status < 0) return status;
        }
    }
    return KSDA_OK;
}

static ksda_status paint_square(painter *t, const square *s);

static ksda_status paint_quarters(painter *t, const square *s) {
    uint64_t half = UINT64_C(1) << (s->levels - 1);
    ksda_status status = KSDA_OK;
    for (unsigned i = 0; i < 4 && status >= 0; i++) {
        unsigned a = i >> 1, b = i & 1;
        bool diagonal = s->u == s->v;
        if (diagonal && a > b) continue; /* the mirror image of 0, 1 */
        square part = {s->u + a * half, s->v + b * half, s->levels - 1, s->p * t->m->p[a][b],
                       (diagonal ? s->p : s->mirror) * t->m->p[b][a]};
        status = paint_square(t, &part);
    }
    return status;
}

static ksda_status paint_square(painter *t, const square *s) {
    const ksda_i_rmat *m = t->m;
    uint64_t side = UINT64_C(1) << s->levels;
    double r = square_rate(s);
    if (s->u >= m->vertices || s->v >= m->vertices || r <= 0) return KSDA_OK;
    bool saturated = m->late * r * pow(m->largest, s->levels) > 1;
    bool straddles = (s->u + side > m->vertices || s->v + side > m->vertices) && m->late * r > 64;
    if (!saturated && !straddles) return draw_arrivals(t, s);
    return s->levels <= ASK_LEVELS ? try_all_pairs(t, s) : paint_quarters(t, s);
}

ksda_status ksda_i_rmat_cell(ksda_ctx *ctx, const ksda_i_rmat *m, uint32_t row, uint32_t column, uint32_t levels,
                             ksda_i_rng *rng, ksda_i_keys *keys) {
    uint64_t u = (uint64_t)row << levels, v = (uint64_t)column << levels;
    square whole = {u, v, levels, probability(m, row, column, m->scale - levels),
                    probability(m, column, row, m->scale - levels)};
    painter t = {ctx, m, rng, keys, u, v, levels};
    return paint_square(&t, &whole);
}
