/* The states of the beam search: what a step changes, columns of the cheapest, and the plan read off the best path.
 *
 * A state remembers what its step changed and who its parent is, so that the plan can be read off in the end; the
 * cells, one a community, are kept only until the state is expanded, and of what few communities have only what is
 * used. States with the same future are merged: the cheaper one stays. Time per state O(communities), memory
 * O(communities) for each state not yet expanded. */
#include "methods/levelplan/beam.h"

#include "core/sort.h"
#include "methods/levelplan/limits.h"
#include "core/random.h"
#include "core/bits.h"

#include <stdlib.h>

/* --- columns of states -------------------------------------------------------------------------------------------- */

void ksda_i_state_free(ksda_ctx *ctx, ksda_i_plan_state *x) {
    if (!x) return;
    ksda_i_free(ctx, x->log);
    ksda_i_free(ctx, x->cell);
    ksda_i_free(ctx, x->packed);
    ksda_i_free(ctx, x);
}

int ksda_i_states_by_cost(const void *a, const void *b) {
    const ksda_i_plan_state *x = *(ksda_i_plan_state *const *)a, *y = *(ksda_i_plan_state *const *)b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

uint64_t ksda_i_states_most(const ksda_i_ranks *lists, const ksda_i_plan_options *options) {
    uint64_t width = options->width;
    return lists->communities < KSDA_I_BEAM_COMMUNITIES ? 4 * width + 16 : 2 * width + 2;
}

void ksda_i_states_trim(ksda_i_search *s, ksda_i_column *col) {
    if (col->count > 1) ksda_i_sort_by(col->item, col->count, sizeof *col->item, ksda_i_states_by_cost);
    while (col->count > s->options->width) ksda_i_state_free(s->ctx, col->item[--col->count]);
    if (col->count == s->options->width) col->bar = col->item[col->count - 1]->cost;
}

static uint64_t hash_of(const ksda_i_search *s) {
    uint64_t h = ksda_i_mix(s->top > 0);
    for (uint32_t c = 0; c < s->lists->communities; c++) {
        const ksda_i_cell *x = &s->work[c];
        const ksda_i_item *item = s->load[x->load].item;
        uint64_t one = ksda_i_mix(((uint64_t)c << 32) ^ x->next);
        for (uint32_t i = 0; i < x->items; i++) one += ksda_i_mix(((uint64_t)item[i].rest << 32) ^ item[i].pieces);
        h += ksda_i_mix(one);
    }
    return h;
}

/* Where a state with that hash stands in the column, or its end. */
static uint64_t find_state(const ksda_i_column *col, uint64_t hash) {
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

/* --- loads ---------------------------------------------------------------------------------------------------------
 *
 * A state keeps of each load only what is used: its items, and the needs of the members that are open. */

static size_t packed_size(const ksda_i_cell *x) {
    return x->items * sizeof(ksda_i_item) + (size_t)ksda_i_bits_set(x->open) * sizeof(uint16_t);
}

static void pack_cell(const ksda_i_cell *x, const ksda_i_load *load, unsigned char *at) {
    memcpy(at, load->item, x->items * sizeof *load->item);
    at += x->items * sizeof *load->item;
    for (uint64_t bits = x->open; bits; bits &= bits - 1, at += sizeof *load->rest)
        memcpy(at, &load->rest[__builtin_ctzll(bits)], sizeof *load->rest);
}

static void unpack(const ksda_i_cell *x, const unsigned char *at, ksda_i_load *load) {
    memcpy(load->item, at, x->items * sizeof *load->item);
    at += x->items * sizeof *load->item;
    for (uint64_t bits = x->open; bits; bits &= bits - 1, at += sizeof *load->rest)
        memcpy(&load->rest[__builtin_ctzll(bits)], at, sizeof *load->rest);
}

/* The cells of work, copied into a state. */
static ksda_status copy_cells(ksda_i_search *s, ksda_i_plan_state *x) {
    uint32_t m = s->lists->communities;
    uint64_t size = 0;
    for (uint32_t c = 0; c < m && s->loads > 1; c++) size += packed_size(&s->work[c]);
    x->cell = ksda_i_malloc(s->ctx, m, sizeof *x->cell);
    x->packed = ksda_i_malloc(s->ctx, size, 1);
    if (!x->cell || !x->packed) return KSDA_NOMEM;
    memcpy(x->cell, s->work, m * sizeof *x->cell);
    unsigned char *at = x->packed;
    for (uint32_t c = 0; c < m && size; c++) {
        if (!packed_size(&s->work[c])) continue;
        pack_cell(&s->work[c], &s->load[s->work[c].load], at);
        at += packed_size(&s->work[c]);
    }
    return KSDA_OK;
}

ksda_i_load *ksda_i_search_load(ksda_i_search *s, ksda_i_cell *x) {
    if (x->load) return &s->load[x->load];
    if (ksda_i_reserve(s->ctx, &s->load, &s->load_capacity, s->loads + 1, sizeof *s->load) < 0) {
        s->status = KSDA_NOMEM;
        return s->load;
    }
    x->load = (uint32_t)s->loads++;
    return &s->load[x->load];
}

void ksda_i_search_restore(ksda_i_search *s, uint32_t saves, uint64_t keeps) {
    for (uint32_t i = saves; i < s->saves; i++) {
        const ksda_i_saved_cell *x = &s->saved[i];
        s->work[x->community] = x->cell;
        if (x->cell.load && x->kept < s->keeps) /* not kept: out of memory, which ends the search */
            s->load[x->cell.load] = s->kept[x->kept];
    }
    s->saves = saves, s->keeps = keeps;
}

bool ksda_i_states_wanted(const ksda_i_search *s, uint32_t j, double cost) {
    double bar = s->column[j].bar;
    return cost <= s->limit && !(bar > 0 && cost >= bar);
}

/* Put the state in s->work into column j, unless a cheaper one with the same future is there. */
ksda_status ksda_i_states_push(ksda_i_search *s, ksda_i_plan_state *parent, uint32_t j, uint32_t level) {
    ksda_i_column *col = &s->column[j];
    if (s->status < 0) return s->status;
    if (!ksda_i_states_wanted(s, j, s->cost)) return KSDA_OK;
    if (ksda_i_cancelled(s->ctx)) return ksda_i_interrupted(s->ctx);
    uint64_t hash = hash_of(s), at = find_state(col, hash);
    if (at < col->count && col->item[at]->cost <= s->cost) return KSDA_OK;
    ksda_status status = ksda_i_reserve(s->ctx, &col->item, &col->capacity, col->count + 1, sizeof *col->item);
    if (status < 0) return status;
    ksda_i_plan_state *x = ksda_i_calloc(s->ctx, 1, sizeof *x);
    if (!x) return KSDA_NOMEM;
    if (copy_cells(s, x) < 0 || log_of(s, x) < 0) {
        ksda_i_state_free(s->ctx, x);
        return KSDA_NOMEM;
    }
    x->cost = s->cost, x->hash = hash, x->parent = parent, x->level = level, x->top = s->top, x->loose = s->loose;
    if (at < col->count) {
        ksda_i_state_free(s->ctx, col->item[at]);
        col->item[at] = x;
    } else {
        col->item[col->count++] = x;
        if (col->count >= ksda_i_states_most(s->lists, s->options)) ksda_i_states_trim(s, col);
    }
    return KSDA_OK;
}

/* --- extending a state -------------------------------------------------------------------------------------------- */

void ksda_i_search_start(ksda_i_search *s, const ksda_i_plan_state *x) {
    const unsigned char *at = x->packed;
    memcpy(s->work, x->cell, s->lists->communities * sizeof *s->work);
    s->loads = 1;
    for (uint32_t c = 0; c < s->lists->communities; c++) {
        ksda_i_cell *cell = &s->work[c];
        cell->load = 0;
        if (!packed_size(cell)) continue;
        unpack(cell, at, ksda_i_search_load(s, cell));
        at += packed_size(cell);
    }
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

static void keep_load(ksda_i_search *s, const ksda_i_load *load) {
    if (ksda_i_reserve(s->ctx, &s->kept, &s->kept_capacity, s->keeps + 1, sizeof *s->kept) < 0)
        s->status = KSDA_NOMEM;
    else
        s->kept[s->keeps++] = *load;
}

/* The cell of c, to be changed: while a step is being tried its old content is kept. */
ksda_i_cell *ksda_i_search_edit(ksda_i_search *s, uint32_t c) {
    if (s->trial && s->saved_in[c] != s->trial) {
        s->saved_in[c] = s->trial;
        s->saved[s->saves++] = (ksda_i_saved_cell){c, (uint32_t)s->keeps, s->work[c]};
        if (s->work[c].load) keep_load(s, &s->load[s->work[c].load]);
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
