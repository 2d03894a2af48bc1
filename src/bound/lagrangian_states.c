/* Who of a community may be placed before whom.
 *
 * u *dominates* v when some cheapest plan ends u at least as high as v: when at most d(u) - d(v) members may be joined
 * to v but not to u, and u can get as high as v (docs/level-plan.md, Lemma 3, which is about one pair). So only sets of
 * members need be looked at that hold, with a member, all who dominate it. Where these are too many, pairs are allowed
 * that are adjacent until only who can get how high matters; where they still are, members pass for getting as high as
 * any later one, and the sets are the beginnings of the list. Both weaken the bound and never make it wrong. */
#include "bound/lagrangian.h"

#include "core/sort.h"
#include "core/bits.h"

#include <stdlib.h>

#define MOST_MEMBERS 64u /* in a set */

/* --- beginnings of the list --------------------------------------------------------------------------------------- */

ksda_status ksda_i_bound_list_open(ksda_ctx *ctx, uint32_t members, ksda_i_bound_list *x) {
    uint64_t n = members;
    x->members = members, x->states = members + 1;
    x->start = ksda_i_malloc(ctx, 4 * n + 5, sizeof *x->start);
    x->step = ksda_i_malloc(ctx, n, sizeof *x->step);
    if (!x->start || !x->step) return KSDA_NOMEM;
    x->left = x->start + n + 2, x->limited = x->left + n + 1, x->max_degree = x->limited + n + 1;
    return KSDA_OK;
}

void ksda_i_bound_list_clear(ksda_ctx *ctx, ksda_i_bound_list *x) {
    ksda_i_free(ctx, x->start), ksda_i_free(ctx, x->step), ksda_i_free(ctx, x->set);
    x->start = NULL, x->step = NULL, x->set = NULL;
}

void ksda_i_bound_chain(ksda_i_bound_list *x, const uint32_t *earlier) {
    for (uint32_t s = 0; s < x->states; s++) {
        x->start[s] = s ? s - 1 : 0;
        x->left[s] = s < x->members ? x->degree[s] : 0;
        if (s) x->step[s - 1] = (ksda_i_bound_step){s - 1, s - 1, earlier[s - 1]};
    }
    x->start[x->states] = x->members;
}

void ksda_i_bound_reach(const ksda_i_ranks *l, uint32_t c, uint32_t splits, ksda_i_bound_list *x) {
    uint32_t begin = l->start[c], size = l->start[c + 1] - begin;
    x->max_degree[x->members] = x->highest = 0;
    x->supply = x->members < size ? l->degree[begin + x->members] : 0;
    x->carried = (size > 0 ? l->degree[begin] : 0) + splits;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t to = l->degree[begin + i] + l->slack[begin + i] + splits, *most = x->max_degree + x->members;
        if (i < x->members) x->max_degree[i] = to;
        if (i >= x->members && to > *most) *most = to;
        if (to > x->highest) x->highest = to;
    }
}

void ksda_i_bound_raise_reach(ksda_i_bound_list *x) {
    for (uint32_t i = x->members, highest = 0; i-- > 0;) {
        if (x->max_degree[i] > highest) highest = x->max_degree[i];
        x->max_degree[i] = highest;
    }
}

/* May i, who is not placed in state s, come to have a limit below a? */
static bool may_be_limited(const ksda_i_bound_list *x, uint32_t s, uint32_t i) {
    if (ksda_i_bits_set(x->allowed[i]) + 1 == x->members) return false;
    return ksda_i_bits_set(x->allowed[i] & x->set[s]) < x->pairs;
}

void ksda_i_bound_set_pairs(ksda_i_bound_list *x, uint32_t a) {
    x->pairs = a;
    for (uint32_t s = x->states; s-- > 0;) {
        x->limited[s] = !x->set && s < x->members ? x->limited[s + 1] + (x->step[s].partners < a) : 0;
        for (uint32_t i = 0; x->set && i < x->members; i++)
            x->limited[s] += !(x->set[s] >> i & 1) && may_be_limited(x, s, i);
    }
}

/* --- sets --------------------------------------------------------------------------------------------------------- */

typedef struct builder {
    ksda_ctx *ctx;
    const ksda_i_bound_list *list;
    uint32_t top, n, states, steps;
    uint64_t allowed[MOST_MEMBERS], dominators[MOST_MEMBERS]; /* bits: members */
    uint64_t *set;                                            /* [most + members] */
} builder;

static bool dominates(const builder *b, uint32_t u, uint32_t v) {
    uint64_t only = b->allowed[v] & ~b->allowed[u] & ~(UINT64_C(1) << u);
    if (b->list->max_degree[u] < b->list->max_degree[v] && b->list->max_degree[u] < b->top) return false;
    return ksda_i_bits_set(only) <= b->list->degree[u] - b->list->degree[v];
}

static void find_dominators(builder *b) {
    for (uint32_t v = 0; v < b->n; v++) {
        b->dominators[v] = 0;
        for (uint32_t u = 0; u < v; u++)
            if (dominates(b, u, v)) b->dominators[v] |= UINT64_C(1) << u;
    }
}

static bool may_follow(const builder *b, uint64_t set, uint32_t v) {
    return !(set >> v & 1) && !(b->dominators[v] & ~set);
}

/* All sets, by size: each grows by every member that may come next. False when there are more than `most`. */
static bool grow_sets(builder *b, uint32_t most) {
    b->set[0] = 0, b->states = 1, b->steps = 0;
    for (uint32_t at = 0; at < b->states; at++)
        for (uint32_t v = 0; v < b->n; v++) {
            uint64_t next = b->set[at] | UINT64_C(1) << v;
            uint32_t known = at;
            if (!may_follow(b, b->set[at], v)) continue;
            while (known < b->states && b->set[known] != next) known++;
            b->steps++;
            if (known < b->states) continue;
            if (b->states == most) return false;
            b->set[b->states++] = next;
        }
    return true;
}

static uint32_t first_left(uint64_t set) {
    return set == UINT64_MAX ? MOST_MEMBERS : (uint32_t)__builtin_ctzll(~set);
}

/* Those who leave out larger degrees come first, then the smaller ones: a set then comes after all sets it holds. */
static int by_left(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    uint32_t i = first_left(x), j = first_left(y);
    if (i != j) return i < j ? -1 : 1;
    uint32_t p = ksda_i_bits_set(x), q = ksda_i_bits_set(y);
    if (p != q) return p < q ? -1 : 1;
    return (x > y) - (x < y);
}

static uint32_t find_set(const builder *b, uint64_t set) {
    return (uint32_t)((const uint64_t *)bsearch(&set, b->set, b->states, sizeof set, by_left) - b->set);
}

/* Of those placed before, how many may be joined to v? */
static uint32_t partners(const builder *b, uint64_t before, uint32_t v) {
    uint32_t count = ksda_i_bits_set(b->allowed[v] & before);
    return count < ksda_i_bits_set(before) ? count : UINT32_MAX;
}

/* The sets become the states of the list. */
static ksda_status take_sets(const builder *b, ksda_i_bound_list *x) {
    ksda_i_bound_list y = *x;
    uint32_t at = 0;
    y.states = b->states;
    y.start = ksda_i_malloc(b->ctx, 3 * (uint64_t)b->states + b->n + 2, sizeof *y.start);
    y.step = ksda_i_malloc(b->ctx, b->steps, sizeof *y.step);
    y.set = ksda_i_malloc(b->ctx, (uint64_t)b->states + b->n, sizeof *y.set);
    if (!y.start || !y.step || !y.set) {
        ksda_i_bound_list_clear(b->ctx, &y);
        return KSDA_NOMEM;
    }
    y.left = y.start + b->states + 1, y.limited = y.left + b->states, y.max_degree = y.limited + b->states;
    y.allowed = y.set + b->states;
    memcpy(y.max_degree, x->max_degree, ((uint64_t)b->n + 1) * sizeof *y.max_degree);
    memcpy(y.set, b->set, b->states * sizeof *y.set);
    memcpy(y.allowed, b->allowed, b->n * sizeof *y.allowed);
    for (uint32_t s = 0; s < b->states; s++) {
        uint32_t left = first_left(b->set[s]);
        y.left[s] = left < b->n ? x->degree[left] : 0;
        y.start[s] = at;
        for (uint32_t v = 0; v < b->n; v++) {
            uint64_t before = b->set[s] & ~(UINT64_C(1) << v);
            if (!(b->set[s] >> v & 1) || (b->dominators[v] & ~before)) continue;
            if (bsearch(&before, b->set, b->states, sizeof before, by_left))
                y.step[at++] = (ksda_i_bound_step){find_set(b, before), v, partners(b, before, v)};
        }
    }
    y.start[b->states] = at;
    ksda_i_bound_list_clear(b->ctx, x);
    *x = y;
    return KSDA_OK;
}

/* Pairs as they are, or, closed, as many more as it takes. */
static bool find_sets(builder *b, ksda_i_bound_row *rows, bool closed, uint32_t most) {
    if (closed) ksda_i_bound_close(rows, b->list->degree, b->n, UINT32_MAX);
    for (uint32_t i = 0; i < b->n; i++) b->allowed[i] = rows[i][0];
    find_dominators(b);
    if (!grow_sets(b, most)) return false;
    ksda_i_sort_by(b->set, b->states, sizeof *b->set, by_left);
    return true;
}

ksda_status ksda_i_bound_use_sets(ksda_ctx *ctx, const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t c,
                                  uint32_t top, uint32_t most, ksda_i_bound_list *x) {
    ksda_i_bound_row rows[MOST_MEMBERS];
    builder b = {.ctx = ctx, .list = x, .top = top, .n = x->members};
    ksda_status status = KSDA_OK;
    if (x->members < 2 || x->members > MOST_MEMBERS || most <= x->members) return KSDA_OK;
    b.set = ksda_i_malloc(ctx, most, sizeof *b.set);
    if (!b.set) return KSDA_NOMEM;
    ksda_i_bound_apart(graph, lists, c, b.n, rows);
    if (find_sets(&b, rows, false, most) || find_sets(&b, rows, true, most)) status = take_sets(&b, x);
    ksda_i_free(ctx, b.set);
    return status;
}
