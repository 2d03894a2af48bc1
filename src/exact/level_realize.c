/* From a solution of the relaxation to edges.
 *
 * The relaxation fixes who ends where above the floor and the edges among those; what remains are edges from them to
 * vertices at or below the floor, who must end at degrees that k communities have. We go through these needs one by one and
 * give each to a vertex that can safely move up by one: the degree it leaves keeps k communities (or nobody), the degree it
 * comes to has k. Low degrees are crowded, so this nearly always works; where it does not, other orders are tried, and at
 * last the answer is "no": the caller then lowers the floor. */
#include "core/random.h"
#include "exact/levels.h"

#define TRIES 40

typedef struct realizer {
    const ksda_i_level_model *m;
    const ksda_i_levels *l;
    const double *x;
    uint32_t *target;  /* [n] by position: a level above the floor, or KSDA_NO_VERTEX */
    uint32_t *degree;  /* [n] by position, as edges are added */
    uint32_t *need;    /* [n] what is still to be given to low ones */
    uint32_t *crowd;   /* [(top + 2) * count] members of c at degree d */
    uint32_t *present; /* [top + 2] communities at degree d */
    ksda_pair *added;  /* by position */
    uint64_t count, room;
    bool *mark;        /* [n] adjacent to the one being served, also by added edges */
} realizer;

/* The level i ends at, or KSDA_NO_VERTEX when it stays at or below the floor. */
static uint32_t target(const realizer *r, uint32_t i) {
    const ksda_i_level_model *m = r->m;
    for (uint32_t t = m->low; m->at[i] && t <= m->high; t++)
        if (ksda_i_ends(m, i, t) != KSDA_I_NO_COLUMN && r->x[ksda_i_ends(m, i, t)] > 0.5) return t;
    return KSDA_NO_VERTEX;
}

static bool above_floor(const realizer *r, uint32_t i) {
    return r->target[i] != KSDA_NO_VERTEX;
}

static ksda_status add(realizer *r, uint32_t i, uint32_t j) {
    ksda_status status = ksda_i_reserve(r->l->ctx, &r->added, &r->room, r->count + 1, sizeof *r->added);
    if (status == KSDA_OK) r->added[r->count++] = (ksda_pair){i, j};
    return status;
}

/* Degrees and needs before anything low is touched; false when the pool is raised or a target is unmet by the solution. */
static ksda_status begin(realizer *r, bool *ok) {
    const ksda_i_level_model *m = r->m;
    const ksda_i_levels *l = r->l;
    *ok = true;
    r->count = 0;
    for (uint32_t c = 0; c < l->count; c++) {
        if (m->pool_raised[c] != KSDA_I_NO_COLUMN && r->x[m->pool_raised[c]] > 0.5) *ok = false;
        for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++) {
            r->target[i] = target(r, i);
            r->degree[i] = above_floor(r, i) ? r->target[i] : l->degree[i];
            r->need[i] = r->degree[i] - l->degree[i];
        }
        for (uint32_t a = 0; a < m->held[c]; a++)
            for (uint32_t b = a + 1; b < m->held[c]; b++) {
                uint32_t i = l->start[c] + a, j = l->start[c] + b, column = ksda_i_pair_column(m, c, a, b);
                if (column == KSDA_I_NO_COLUMN || r->x[column] < 0.5 || !above_floor(r, i) || !above_floor(r, j)) continue;
                if (r->need[i] == 0 || r->need[j] == 0) *ok = false;
                else r->need[i]--, r->need[j]--;
                ksda_status status = add(r, i, j);
                if (status < 0) return status;
            }
    }
    memset(r->crowd, 0, (uint64_t)(l->top + 2) * l->count * sizeof *r->crowd);
    memset(r->present, 0, (l->top + 2) * sizeof *r->present);
    for (uint32_t c = 0; c < l->count; c++)
        for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++)
            if (r->crowd[(uint64_t)r->degree[i] * l->count + c]++ == 0) r->present[r->degree[i]]++;
    return KSDA_OK;
}

/* How willingly low position j of c moves up by one; negative: it must not. */
static int64_t willing(const realizer *r, uint32_t c, uint32_t j) {
    const ksda_i_levels *l = r->l;
    uint32_t d = r->degree[j], here = r->crowd[(uint64_t)d * l->count + c];
    uint32_t there = r->present[d + 1] + (r->crowd[(uint64_t)(d + 1) * l->count + c] == 0);
    if (d + 1 > l->top || there < l->k) return -1;
    if (here == 1 && r->present[d] <= l->k && r->present[d] > 1) return -1;
    return (int64_t)here * 4 + (here > 1);
}

static void move_up(realizer *r, uint32_t c, uint32_t j) {
    uint32_t count = r->l->count, d = r->degree[j]++;
    if (--r->crowd[(uint64_t)d * count + c] == 0) r->present[d]--;
    if (r->crowd[(uint64_t)(d + 1) * count + c]++ == 0) r->present[d + 1]++;
}

static void mark_neighbours(realizer *r, uint32_t i, bool value) {
    const ksda_i_levels *l = r->l;
    const ksda_graph *g = l->graph;
    uint32_t v = l->vertex[i];
    r->mark[i] = value;
    for (uint64_t p = g->off[v]; p < g->off[v + 1]; p++) r->mark[l->position[g->adj[p]]] = value;
    for (uint64_t e = 0; e < r->count; e++) {
        if (r->added[e].u == i) r->mark[r->added[e].v] = value;
        if (r->added[e].v == i) r->mark[r->added[e].u] = value;
    }
}

/* Give all of i's need to low ones of c; *ok is cleared when somebody is missing. */
static ksda_status serve(realizer *r, uint32_t c, uint32_t i, ksda_i_rng *rng, bool *ok) {
    const ksda_i_levels *l = r->l;
    ksda_status status = KSDA_OK;
    while (r->need[i] > 0 && *ok && status == KSDA_OK) {
        int64_t best = -1;
        uint32_t who = KSDA_NO_VERTEX;
        mark_neighbours(r, i, true);
        for (uint32_t j = l->start[c]; j < l->start[c + 1]; j++) {
            if (r->mark[j] || above_floor(r, j)) continue;
            int64_t w = willing(r, c, j);
            if (w < 0) continue;
            w = w * 16 + (rng ? (int64_t)ksda_i_rng_below(rng, 64) : 0);
            if (w > best) best = w, who = j;
        }
        mark_neighbours(r, i, false);
        if (who == KSDA_NO_VERTEX) *ok = false;
        else {
            move_up(r, c, who);
            status = add(r, i, who);
            r->need[i]--;
        }
    }
    return status;
}

static ksda_status attempt(realizer *r, ksda_i_rng *rng, bool *ok) {
    const ksda_i_levels *l = r->l;
    ksda_status status = begin(r, ok);
    for (uint32_t c = 0; c < l->count && *ok && status == KSDA_OK; c++) {
        for (;;) { /* the largest need first: it has the least choice */
            uint32_t most = KSDA_NO_VERTEX;
            for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++)
                if (r->need[i] > 0 && (most == KSDA_NO_VERTEX || r->need[i] > r->need[most])) most = i;
            if (most == KSDA_NO_VERTEX || !*ok || status < 0) break;
            status = serve(r, c, most, rng, ok);
        }
    }
    for (uint32_t d = 0; d <= l->top && *ok; d++)
        if (r->present[d] > 0 && r->present[d] < l->k) *ok = false;
    return status;
}

static ksda_status to_edits(const realizer *r, ksda_edits **out) {
    const ksda_i_levels *l = r->l;
    ksda_edits *edits = NULL;
    ksda_status status;
    KSDA_I_TRY(ksda_edits_new(l->ctx, l->graph, &edits));
    for (uint64_t e = 0; e < r->count; e++)
        KSDA_I_TRY(ksda_edits_add_edge(l->ctx, edits, l->vertex[r->added[e].u], l->vertex[r->added[e].v]));
    *out = edits;
    return KSDA_OK;
done:
    ksda_edits_free(l->ctx, edits);
    return status;
}

ksda_status ksda_i_level_realize(const ksda_i_level_model *m, const double *x, ksda_edits **out) {
    const ksda_i_levels *l = m->l;
    ksda_ctx *ctx = l->ctx;
    realizer r = {.m = m, .l = l, .x = x};
    ksda_status status = KSDA_NOMEM;
    bool ok = false;
    *out = NULL;
    r.target = ksda_i_malloc(ctx, l->n, sizeof *r.target);
    r.degree = ksda_i_malloc(ctx, l->n, sizeof *r.degree);
    r.need = ksda_i_malloc(ctx, l->n, sizeof *r.need);
    r.crowd = ksda_i_malloc(ctx, (uint64_t)(l->top + 2) * l->count, sizeof *r.crowd);
    r.present = ksda_i_malloc(ctx, (uint64_t)l->top + 2, sizeof *r.present);
    r.mark = ksda_i_calloc(ctx, l->n, sizeof *r.mark);
    if (!r.target || !r.degree || !r.need || !r.crowd || !r.present || !r.mark) goto done;
    status = KSDA_OK;
    for (uint32_t try = 0; try < TRIES && !ok && status == KSDA_OK; try++) {
        ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(ctx), 0x7265616c, try);
        status = ksda_i_interrupted(ctx);
        if (status == KSDA_OK) status = attempt(&r, try ? &rng : NULL, &ok);
    }
    if (status == KSDA_OK && ok) status = to_edits(&r, out);
done:
    ksda_i_free(ctx, r.target), ksda_i_free(ctx, r.degree), ksda_i_free(ctx, r.need), ksda_i_free(ctx, r.crowd), ksda_i_free(ctx, r.present);
    ksda_i_free(ctx, r.mark), ksda_i_free(ctx, r.added);
    return status;
}
