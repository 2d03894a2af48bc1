/* The communities of the plan, each with the sets of members that may be placed together.
 *
 * u *dominates* v when some cheapest plan ends u at least as high as v: when at most d(u) - d(v) members may be
 * joined to v but not to u, and u can get as high as v. If u ends lower, the two exchange their levels, and v hands
 * over to u the new edges it then has too many of (docs/level-plan.md, Lemma 3). Exchanges end, whichever pairs are
 * taken, because each moves a higher level to an earlier place in the list. So only sets need be looked at that hold,
 * with a member, all members that dominate it; where the hubs of a community know each other these are a few more than
 * the members. Those who are not held count as one of the largest degree left, joined to nobody; a member that
 * dominates such a one is placed before it.
 *
 * Where the sets are too many, pairs are allowed that are adjacent until every member dominates all later ones: then
 * the sets are the beginnings of the list. That weakens the bound and never makes it wrong. */
#include "bound/colgen.h"

#include "core/sort.h"
#include "core/bits.h"

#include <stdlib.h>

#define MOST_MEMBERS 64u /* members in a set */

typedef struct builder {
    const ksda_i_levels *l;
    ksda_i_colgen_members *out;
    uint32_t c, n, top;
    uint64_t *dominators; /* [n] bit u: u dominates the member */
    uint64_t *set;        /* [states] */
    ksda_i_colgen_step *step;
    uint32_t *start;
    uint64_t set_room, step_room, start_room, steps;
} builder;

static uint32_t degree_of(const builder *b, uint32_t i) {
    return b->l->degree[b->l->start[b->c] + i];
}

static uint32_t max_degree_of(const builder *b, uint32_t i) {
    return b->l->max_degree[b->l->start[b->c] + i];
}

/* May u be taken to end at least as high as v, who has degree d, can reach max_degree and be joined to those in row
 * (NULL: everybody)? */
static bool dominates(const builder *b, uint32_t u, const uint8_t *row, uint32_t v, uint32_t d, uint32_t max_degree) {
    uint32_t only = 0;
    if (max_degree_of(b, u) < max_degree && max_degree_of(b, u) < b->top) return false;
    for (uint32_t w = 0; w < b->n; w++)
        only += w != u && w != v && (!row || row[w]) && !b->out->allowed[(uint64_t)u * b->n + w];
    return only <= degree_of(b, u) - d;
}

static void find_allowed(builder *b) {
    const uint32_t *vertex = b->l->vertex + b->l->start[b->c];
    for (uint32_t u = 0; u < b->n; u++)
        for (uint32_t w = 0; w < b->n; w++)
            b->out->allowed[(uint64_t)u * b->n + w] = u != w && !ksda_graph_adjacent(b->l->graph, vertex[u], vertex[w]);
}

static void find_before(builder *b) {
    for (uint32_t v = 0; v < b->n; v++) {
        b->dominators[v] = 0;
        for (uint32_t u = 0; u < v; u++)
            if (dominates(b, u, b->out->allowed + (uint64_t)v * b->n, v, degree_of(b, v), max_degree_of(b, v)))
                b->dominators[v] |= UINT64_C(1) << u;
    }
}

static ksda_status add_step(builder *b, uint32_t from, uint32_t member) {
    ksda_status status = ksda_i_reserve(b->l->ctx, &b->step, &b->step_room, b->steps + 1, sizeof *b->step);
    if (status == KSDA_OK) b->step[b->steps++] = (ksda_i_colgen_step){from, member};
    return status;
}

/* All sets, by size: the set at `at` grows by each member that may come next. */
static ksda_status grow_sets(builder *b, uint32_t *states, uint32_t most) {
    ksda_ctx *ctx = b->l->ctx;
    ksda_status status = ksda_i_reserve(ctx, &b->set, &b->set_room, 1, sizeof *b->set);
    if (status < 0) return status;
    b->set[0] = 0, *states = 1;
    for (uint32_t at = 0; at < *states && *states <= most; at++)
        for (uint32_t v = 0; v < b->n; v++) {
            uint64_t next = b->set[at] | UINT64_C(1) << v;
            uint32_t known = at;
            if (next == b->set[at] || (b->dominators[v] & ~b->set[at])) continue;
            while (known < *states && b->set[known] != next) known++;
            if (known < *states) continue;
            if ((status = ksda_i_reserve(ctx, &b->set, &b->set_room, (uint64_t)*states + 1, sizeof *b->set)) < 0)
                return status;
            b->set[(*states)++] = next;
        }
    return KSDA_OK;
}

/* Who has the largest degree of those left out; n when nobody is. */
static uint32_t first_left(uint64_t set, uint32_t n) {
    uint32_t i = 0;
    while (i < n && set >> i & 1) i++;
    return i;
}

/* Those who leave out larger degrees come first, then the smaller ones: a set then comes after all sets it holds. */
static int by_left(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    uint32_t i = first_left(x, MOST_MEMBERS), j = first_left(y, MOST_MEMBERS);
    if (i != j) return i < j ? -1 : 1;
    uint32_t p = ksda_i_bits_set(x), q = ksda_i_bits_set(y);
    if (p != q) return p < q ? -1 : 1;
    return (x > y) - (x < y);
}

/* The steps into every set: from those without one of its members. */
static ksda_status link_sets(builder *b, uint32_t states) {
    ksda_status status = KSDA_OK;
    for (uint32_t s = 0; s < states && status == KSDA_OK; s++) {
        b->start[s] = (uint32_t)b->steps;
        for (uint32_t from = 0; from < s && status == KSDA_OK; from++) {
            uint64_t more = b->set[s] ^ b->set[from];
            if ((b->set[s] & b->set[from]) == b->set[from] && (more & (more - 1)) == 0)
                status = add_step(b, from, (uint32_t)__builtin_ctzll(more));
        }
    }
    b->start[states] = (uint32_t)b->steps;
    return status;
}

static void describe(builder *b, uint32_t states, uint32_t rest_degree, uint32_t rest_max) {
    uint64_t first = 0;
    int64_t *left = (int64_t *)b->out->list.left;
    uint8_t *others = (uint8_t *)b->out->list.others;
    for (uint32_t u = 0; u < b->n; u++)
        if (dominates(b, u, NULL, UINT32_MAX, rest_degree, rest_max)) first |= UINT64_C(1) << u;
    for (uint32_t s = 0; s < states; s++) {
        uint32_t i = first_left(b->set[s], b->n);
        left[s] = i < b->n ? (int64_t)degree_of(b, i) : -1;
        others[s] = (first & ~b->set[s]) == 0;
    }
}

/* The beginnings of the list, with more pairs allowed. */
static ksda_status sorted(builder *b, uint32_t rest_degree) {
    ksda_i_colgen_members *out = b->out;
    int64_t *left = (int64_t *)out->list.left;
    uint8_t *others = (uint8_t *)out->list.others;
    uint32_t highest = out->highest;
    ksda_i_bound_row *row = ksda_i_malloc(b->l->ctx, (uint64_t)b->n + 1, sizeof *row);
    if (!row) return KSDA_NOMEM;
    ksda_i_bound_allowed(b->l->graph, b->l->ranks, b->c, b->n, rest_degree, row);
    for (uint32_t u = 0; u < b->n; u++)
        for (uint32_t w = 0; w < b->n; w++) out->allowed[(uint64_t)u * b->n + w] = row[u][w / 64] >> w % 64 & 1;
    ksda_i_free(b->l->ctx, row);
    for (uint32_t i = b->n; i-- > 0;) {
        if (max_degree_of(b, i) > highest) highest = max_degree_of(b, i);
        out->max_degree[i] = highest; /* as high as anybody later */
    }
    for (uint32_t s = 0; s <= b->n; s++) {
        b->start[s] = (uint32_t)b->steps;
        left[s] = s < b->n ? (int64_t)degree_of(b, s) : -1, others[s] = s == b->n;
        ksda_status status = s > 0 ? add_step(b, s - 1, s - 1) : KSDA_OK;
        if (status < 0) return status;
    }
    b->start[b->n + 1] = (uint32_t)b->steps;
    return KSDA_OK;
}

static ksda_status make_room(builder *b, uint32_t states) {
    ksda_ctx *ctx = b->l->ctx;
    ksda_i_colgen_list *list = &b->out->list;
    b->start = ksda_i_malloc(ctx, (uint64_t)states + 1, sizeof *b->start);
    list->states = states, list->start = b->start;
    list->left = ksda_i_malloc(ctx, states, sizeof *list->left);
    list->others = ksda_i_malloc(ctx, states, sizeof *list->others);
    return b->start && list->left && list->others ? KSDA_OK : KSDA_NOMEM;
}

ksda_status ksda_i_colgen_members_make(const ksda_i_levels *l, uint32_t c, uint32_t members, uint32_t top,
                                       uint32_t most, ksda_i_colgen_members *out) {
    ksda_ctx *ctx = l->ctx;
    uint32_t begin = l->start[c], size = l->start[c + 1] - begin, states = UINT32_MAX;
    builder b = {.l = l, .out = out, .c = c, .n = members, .top = top};
    ksda_status status = KSDA_NOMEM;
    *out = (ksda_i_colgen_members){.community = c, .list.members = members};
    for (uint32_t i = members; i < size; i++)
        if (l->max_degree[begin + i] > out->highest) out->highest = l->max_degree[begin + i];
    out->other = members < size ? l->degree[begin + members] : 0;
    out->allowed = ksda_i_malloc(ctx, (uint64_t)members * members, sizeof *out->allowed);
    out->max_degree = ksda_i_malloc(ctx, members, sizeof *out->max_degree);
    b.dominators = ksda_i_malloc(ctx, members, sizeof *b.dominators);
    if (!out->allowed || !out->max_degree || !b.dominators) goto done;
    status = KSDA_OK;
    if (members <= MOST_MEMBERS && most > members) {
        find_allowed(&b);
        find_before(&b);
        KSDA_I_TRY(grow_sets(&b, &states, most));
        if (states <= most) ksda_i_sort_by(b.set, states, sizeof *b.set, by_left);
    }
    out->sorted = states > most;
    KSDA_I_TRY(make_room(&b, out->sorted ? members + 1 : states));
    if (out->sorted)
        KSDA_I_TRY(sorted(&b, members < size ? out->other : UINT32_MAX));
    else {
        for (uint32_t i = 0; i < members; i++) out->max_degree[i] = max_degree_of(&b, i);
        describe(&b, states, out->other, out->highest);
        KSDA_I_TRY(link_sets(&b, states));
    }
done:
    out->list.step = b.step;
    ksda_i_free(ctx, b.dominators), ksda_i_free(ctx, b.set);
    if (status < 0) ksda_i_colgen_members_clear(ctx, out);
    return status;
}

void ksda_i_colgen_members_clear(ksda_ctx *ctx, ksda_i_colgen_members *m) {
    ksda_i_free(ctx, (void *)m->list.start), ksda_i_free(ctx, (void *)m->list.step),
        ksda_i_free(ctx, (void *)m->list.left);
    ksda_i_free(ctx, (void *)m->list.others), ksda_i_free(ctx, m->allowed), ksda_i_free(ctx, m->max_degree);
    memset(m, 0, sizeof *m);
}
