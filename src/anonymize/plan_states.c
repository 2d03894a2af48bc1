/* The states of the beam search: what a step changes, columns of the cheapest, and the plan read off the best path.
 *
 * A state remembers what its step changed and who its parent is, so that the plan can be read off in the end; the
 * cells, one a community, are kept only until the state is expanded. States with the same future are merged: the
 * cheaper one stays. Time per state O(communities), memory O(communities) for each state not yet expanded. */
#include "anonymize/plan_search.h"
#include "core/random.h"

#include <stdlib.h>

/* --- columns of states -------------------------------------------------------------------------------------------- */

void ksda_i_state_free(ksda_ctx *ctx, ksda_i_plan_state *x) {
    if (!x) return;
    ksda_i_free(ctx, x->log);
    ksda_i_free(ctx, x->cell);
    ksda_i_free(ctx, x);
}

int ksda_i_states_by_cost(const void *a, const void *b) {
    const ksda_i_plan_state *x = *(ksda_i_plan_state *const *)a, *y = *(ksda_i_plan_state *const *)b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

void ksda_i_states_trim(ksda_i_search *s, ksda_i_column *col) {
    if (col->count > 1) qsort(col->item, col->count, sizeof *col->item, ksda_i_states_by_cost);
    while (col->count > s->options->width) ksda_i_state_free(s->ctx, col->item[--col->count]);
    if (col->count == s->options->width) col->bar = col->item[col->count - 1]->cost;
}

static uint64_t hash_of(const ksda_i_cell *x, uint32_t communities, uint32_t top) {
    uint64_t h = ksda_i_mix(top);
    for (uint32_t c = 0; c < communities; c++) {
        uint64_t one = ksda_i_mix(((uint64_t)c << 32) ^ x[c].next);
        for (uint32_t i = 0; i < x[c].items; i++)
            one += ksda_i_mix(((uint64_t)x[c].item[i].rest << 32) ^ x[c].item[i].pieces);
        h += ksda_i_mix(one);
    }
    return h;
}

/* Where a state with that hash stands in the column, or its end. */
static uint64_t find(const ksda_i_column *col, uint64_t hash) {
    uint64_t i = 0;
    while (i < col->count && col->item[i]->hash != hash) i++;
    return i;
}

static ksda_status log_of(ksda_i_search *s, ksda_i_plan_state *x) {
    uint64_t size = 2 * (uint64_t)s->touches + 2 * s->placings + s->splits;
    x->log = ksda_i_malloc(s->ctx, size, sizeof *x->log);
    if (!x->log) return KSDA_NOMEM;
    uint32_t *out = x->log;
    for (uint32_t i = 0; i < s->touches; i++) *out++ = s->touched[i], *out++ = s->work[s->touched[i]].next;
    if (s->placings) memcpy(out, s->placing, 2 * s->placings * sizeof *out);
    if (s->splits) memcpy(out + 2 * s->placings, s->split, s->splits * sizeof *out);
    x->changes = s->touches, x->placings = (uint32_t)s->placings, x->splits = (uint32_t)s->splits;
    return KSDA_OK;
}

/* Put the state in s->work into column j, unless a cheaper one with the same future is there. */
ksda_status ksda_i_states_push(ksda_i_search *s, ksda_i_plan_state *parent, uint32_t j, uint32_t level) {
    ksda_i_column *col = &s->column[j];
    uint32_t m = s->lists->communities;
    if (s->cost > s->limit || (col->bar > 0 && s->cost >= col->bar)) return KSDA_OK;
    if (ksda_i_cancelled(s->ctx)) return ksda_i_interrupted(s->ctx);
    uint64_t hash = hash_of(s->work, m, s->top > 0), at = find(col, hash);
    if (at < col->count && col->item[at]->cost <= s->cost) return KSDA_OK;
    ksda_status status = ksda_i_reserve(s->ctx, &col->item, &col->capacity, col->count + 1, sizeof *col->item);
    if (status < 0) return status;
    ksda_i_plan_state *x = ksda_i_calloc(s->ctx, 1, sizeof *x);
    if (!x) return KSDA_NOMEM;
    x->cell = ksda_i_malloc(s->ctx, m, sizeof *x->cell);
    if (!x->cell || log_of(s, x) < 0) {
        ksda_i_state_free(s->ctx, x);
        return KSDA_NOMEM;
    }
    memcpy(x->cell, s->work, m * sizeof *x->cell);
    x->cost = s->cost, x->hash = hash, x->parent = parent, x->level = level, x->top = s->top, x->loose = s->loose;
    if (at < col->count) {
        ksda_i_state_free(s->ctx, col->item[at]);
        col->item[at] = x;
    } else {
        col->item[col->count++] = x;
        if (col->count >= 4 * (uint64_t)s->options->width + 16) ksda_i_states_trim(s, col);
    }
    return KSDA_OK;
}

/* --- extending a state -------------------------------------------------------------------------------------------- */

void ksda_i_search_start(ksda_i_search *s, const ksda_i_plan_state *x) {
    memcpy(s->work, x->cell, s->lists->communities * sizeof *s->work);
    s->cost = x->cost;
    s->top = x->top;
    s->loose = x->loose;
    s->trial = 0;
    s->touches = 0, s->splits = 0, s->placings = 0, s->placed = 0;
    s->stamp++;
}

void ksda_i_search_touch(ksda_i_search *s, uint32_t c) {
    if (s->seen[c] == s->stamp) return;
    s->seen[c] = s->stamp;
    s->touched[s->touches++] = c;
}

/* The cell of c, to be changed: while a step is being tried its old content is kept. */
ksda_i_cell *ksda_i_search_edit(ksda_i_search *s, uint32_t c) {
    if (s->trial && s->saved_in[c] != s->trial) {
        s->saved_in[c] = s->trial;
        s->saved[s->saves++] = (ksda_i_saved_cell){c, s->work[c]};
    }
    return &s->work[c];
}

void ksda_i_search_arrive(ksda_i_search *s, uint32_t c) {
    if (s->present[c] == s->stamp) return;
    s->present[c] = s->stamp;
    s->arrived[s->placed++] = c;
}

/* --- reading the plan off the best path --------------------------------------------------------------------------- */

static void count_path(const ksda_i_plan_state *end, ksda_i_plan *plan) {
    for (const ksda_i_plan_state *x = end; x; x = x->parent) {
        plan->levels += x->level != KSDA_I_NO_LEVEL;
        plan->pieces += x->placings;
    }
}

/* Members begin .. next-1 of every changed list go to the level of the step, but for those it splits. */
static void read_step(const ksda_i_ranks *l, const ksda_i_plan_state *x, uint32_t *consumed, ksda_i_plan *plan) {
    const uint32_t *log = x->log, *placing = x->log + 2 * (uint64_t)x->changes,
                   *split = placing + 2 * (uint64_t)x->placings;
    for (uint32_t i = 0; i < x->changes; i++) {
        uint32_t c = log[2 * i], next = log[2 * i + 1];
        for (uint32_t q = consumed[c]; q < next; q++) plan->target[l->vertex[l->start[c] + q]] = x->level;
        consumed[c] = next;
    }
    for (uint32_t i = 0; i < x->splits; i++) plan->target[l->vertex[split[i]]] = KSDA_I_SPLIT;
    for (uint32_t i = 0; i < x->placings; i++)
        plan->piece[plan->pieces++] = (ksda_i_placing){l->vertex[placing[2 * i]], placing[2 * i + 1]};
    if (x->level != KSDA_I_NO_LEVEL) plan->level[plan->levels++] = x->level;
}

ksda_status ksda_i_states_read(ksda_ctx *ctx, const ksda_i_ranks *l, const ksda_i_plan_state *end, ksda_i_plan *plan) {
    ksda_status status = KSDA_NOMEM;
    uint64_t steps = 0;
    for (const ksda_i_plan_state *x = end; x; x = x->parent) steps++;
    const ksda_i_plan_state **path = ksda_i_malloc(ctx, steps, sizeof *path);
    uint32_t *consumed = ksda_i_calloc(ctx, l->communities, sizeof *consumed);
    *plan = (ksda_i_plan){.estimate = end->cost};
    count_path(end, plan);
    plan->target = ksda_i_malloc(ctx, l->n, sizeof *plan->target);
    plan->level = ksda_i_malloc(ctx, plan->levels, sizeof *plan->level);
    plan->piece = ksda_i_malloc(ctx, plan->pieces, sizeof *plan->piece);
    if (!path || !consumed || !plan->target || !plan->level || !plan->piece) goto done;
    uint64_t at = steps;
    for (const ksda_i_plan_state *x = end; x; x = x->parent) path[--at] = x;
    plan->levels = plan->pieces = 0;
    for (uint64_t i = 0; i < steps; i++) read_step(l, path[i], consumed, plan);
    status = KSDA_OK;
done:
    ksda_i_free(ctx, path);
    ksda_i_free(ctx, consumed);
    if (status < 0) ksda_i_plan_clear(ctx, plan);
    return status;
}

void ksda_i_plan_clear(ksda_ctx *ctx, ksda_i_plan *plan) {
    ksda_i_free(ctx, plan->target);
    ksda_i_free(ctx, plan->level);
    ksda_i_free(ctx, plan->piece);
    *plan = (ksda_i_plan){0};
}
