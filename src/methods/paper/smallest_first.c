/* Smallest degrees first, splitting where adding edges cannot do it: MergeBySplit, FlexSplit and SplittingOnly.
 *
 * Guarantee: on a network without isolated vertices, for every k up to the number of communities, a release is found.
 * Idea: each vertex joins a group or founds one as in EdgeConnect; where neither is possible it is split into pieces
 * whose degrees are degrees of groups (Single Splitting), or the k smallest vertices of k communities are each split in
 * two to found a group of the smallest one's degree (Group Splitting). If a vertex is stuck all the same, everything
 * starts again under a rule that takes one more cause away; under the last one (no added edges, no links, a group of
 * degree 1 from the start) nobody can be stuck, as a vertex of d original edges falls into d pieces of degree 1. Cost:
 * O(n k + m + edges added) and the coin table (coins.c), times at most five attempts. */
#include "methods/paper/smallest_first.h"

#include "methods/paper/coins.h"
#include "methods/paper/steps.h"

#include <stdio.h>

/* The rules of one attempt. */
typedef struct rules {
    bool adding, links;
    uint32_t seeds; /* begin with groups of the degrees 1 .. seeds */
} rules;

typedef struct ascent {
    ksda_i_state s;
    ksda_i_coins coins;
    const ksda_i_ascent *method;
    rules rules;
    uint32_t *member; /* [founders] */
} ascent;

/* --- splitting one vertex ---------------------------------------------------------------------------------------- */

/* The degree, at most v's own and reached by redirecting, from which v can be split into pieces of existing groups, and
 * their number; 0 pieces when there is none. */
static ksda_status single_splitting(ascent *a, uint32_t v, uint32_t *degree, uint32_t *pieces) {
    ksda_status status = KSDA_OK;
    uint32_t d = a->s.piece[v].degree, count, originals = ksda_i_originals(&a->s, v);
    uint32_t lowest = d - ksda_i_redirectable(&a->s, v, UINT32_MAX, &status);
    *pieces = 0;
    for (; status >= 0 && d > 0 && d >= lowest; d--) {
        if ((status = ksda_i_coins_fewest(&a->s, &a->coins, d, &count)) < 0) break;
        if (count == KSDA_I_NONE || count > originals) continue;
        *degree = d;
        *pieces = count;
        break;
    }
    return status;
}

static ksda_status split_single(ascent *a, uint32_t v, uint32_t degree, uint32_t pieces) {
    ksda_i_state *s = &a->s;
    ksda_status status = KSDA_OK;
    uint32_t piece, coin = degree;
    if (s->piece[v].degree > degree) {
        uint32_t before = s->piece[v].degree;
        status = ksda_i_state_lower(s, v, before - degree);
        ksda_i_state_report(s, "redirect", v, before, degree, 0);
    }
    for (; pieces > 1 && status >= 0; pieces--) {
        coin = ksda_i_coins_largest(s, &a->coins, s->piece[v].degree, coin);
        status = ksda_i_split_off(s, v, coin, pieces - 1, false, &piece);
    }
    return status < 0 ? status : ksda_i_state_place(s, v, s->piece[v].degree, "split");
}

/* --- splitting a group ------------------------------------------------------------------------------------------- */

/* The k smallest first vertices that may found a group, v among them, into member; false where there are not. */
static bool smallest(ascent *a, uint32_t v) {
    uint32_t found = 0;
    ksda_i_founders_begin(&a->s);
    const ksda_i_lists *heads = &a->s.heads;
    for (uint32_t c = ksda_i_lists_begin(heads, 0, KSDA_I_ASCENDING); c != KSDA_I_NONE && found < a->s.founders;
         c = ksda_i_lists_after(heads, c, KSDA_I_ASCENDING))
        if (ksda_i_founders_take(&a->s, ksda_i_state_head(&a->s, c))) a->member[found++] = ksda_i_state_head(&a->s, c);
    return found == a->s.founders && a->member[0] == v;
}

/* How many members would be split to found a group of the smallest one's degree; KSDA_I_NONE if that is impossible. */
static uint32_t group_splits(const ascent *a) {
    uint32_t d = a->s.piece[a->member[0]].degree, splits = 0;
    if (d == 0) return KSDA_I_NONE;
    for (uint32_t i = 0; i < a->s.founders; i++) {
        if (a->s.piece[a->member[i]].degree == d) continue;
        if (ksda_i_originals(&a->s, a->member[i]) < 2) return KSDA_I_NONE;
        splits++;
    }
    return splits;
}

/* What Single Splitting would make of the members that Adding Edge cannot place, now or later: the paper's look-ahead.
 * *sum is KSDA_I_IMPOSSIBLE when it cannot split one of them. */
static ksda_status look_ahead(ascent *a, uint64_t *sum) {
    ksda_i_state *s = &a->s;
    ksda_status status = KSDA_OK;
    uint32_t target = 0, limit = 0;
    bool anybody = false;
    for (uint32_t i = 0; i < s->founders && status >= 0; i++) {
        uint32_t u = a->member[i], lowest = s->piece[u].degree - ksda_i_redirectable(s, u, UINT32_MAX, &status);
        if (lowest > target) target = lowest;
    }
    for (uint32_t i = 0; i < s->founders && status >= 0; i++) {
        uint32_t u = a->member[i];
        if (ksda_i_cost_to(s, u, target, &status) != KSDA_I_IMPOSSIBLE) continue;
        anybody = true;
        if (s->piece[u].degree > limit) limit = s->piece[u].degree;
    }
    *sum = 0;
    for (uint32_t i = 0; anybody && i < s->founders && status >= 0; i++) {
        uint32_t u = a->member[i], count = 0;
        if (s->piece[u].degree > limit) continue;
        if (s->groups.largest != KSDA_I_NONE && ksda_i_cost_to(s, u, s->groups.largest, &status) != KSDA_I_IMPOSSIBLE)
            continue;
        if (status >= 0) status = ksda_i_coins_fewest(s, &a->coins, s->piece[u].degree, &count);
        if (count == KSDA_I_NONE)
            *sum = KSDA_I_IMPOSSIBLE;
        else if (*sum != KSDA_I_IMPOSSIBLE)
            *sum += count;
    }
    return status;
}

/* --- one attempt ------------------------------------------------------------------------------------------------- */

/* Neither procedure can place v: split. *stuck becomes v when that is impossible as well. */
static ksda_status fall_back(ascent *a, uint32_t v, uint32_t *stuck) {
    uint32_t degree = 0, pieces, splits = KSDA_I_NONE;
    ksda_status status = single_splitting(a, v, &degree, &pieces);
    if (status < 0) return status;
    if (a->method->group_splitting && a->s.heads_left >= a->s.founders && smallest(a, v)) {
        splits = group_splits(a);
        if (splits != KSDA_I_NONE) {
            uint64_t sum;
            if ((status = look_ahead(a, &sum)) < 0) return status;
            if (pieces && 2 * (uint64_t)splits >= sum) splits = KSDA_I_NONE;
        }
    }
    if (splits != KSDA_I_NONE) return ksda_i_split_group(&a->s, a->member, a->s.piece[v].degree, a->rules.links);
    if (pieces) return split_single(a, v, degree, pieces);
    *stuck = v;
    return KSDA_OK;
}

static ksda_status ascend(ascent *a, uint32_t *stuck) {
    ksda_i_state *s = &a->s;
    ksda_status status = KSDA_OK;
    uint32_t c;
    *stuck = KSDA_I_NONE;
    while (*stuck == KSDA_I_NONE && (c = ksda_i_lists_begin(&s->heads, 0, s->order)) != KSDA_I_NONE) {
        uint32_t v = ksda_i_state_head(s, c);
        bool done;
        if ((status = ksda_i_progress(s->ctx, "anonymizing", s->placed, s->graph->n)) < 0) break;
        if (ksda_i_state_place_level(s)) continue;
        if ((status = ksda_i_step(s, v, a->member, &done)) < 0) break;
        if (!done && (status = fall_back(a, v, stuck)) < 0) break;
    }
    return status;
}

/* The first vertex of c with that degree or a larger one, or KSDA_I_NONE. */
static uint32_t first_from(const ksda_i_state *s, uint32_t c, uint32_t degree) {
    uint32_t b = s->vertices.lowest[c];
    while (b != KSDA_I_NONE && s->vertices.bucket[b].degree < degree) b = s->vertices.bucket[b].above;
    return b == KSDA_I_NONE ? KSDA_I_NONE : s->vertices.bucket[b].first;
}

/* The first vertices of k communities that have it or more, those that need not be split first: how many there are. */
static uint32_t cheapest_founders(const ksda_i_state *s, uint32_t degree, uint32_t *member) {
    uint32_t found = 0;
    for (int splitting = 0; splitting < 2; splitting++)
        for (uint32_t c = 0; c < s->communities->count && found < s->founders; c++) {
            uint32_t v = first_from(s, c, degree);
            if (v != KSDA_I_NONE && (s->piece[v].degree > degree) == splitting) member[found++] = v;
        }
    return found;
}

/* Found the group of a degree in the k communities where that is cheapest: where a vertex has it already, then where a
 * piece must be split off. *possible is false, and nothing done, when fewer than k communities have so large a degree.
 */
static ksda_status found_group(ksda_i_state *s, uint32_t degree, uint32_t *member, bool *possible) {
    ksda_status status = KSDA_OK;
    uint32_t found = 0, piece;
    if (s->sets)
        status = ksda_i_founders_from(s, degree, member, &found);
    else
        found = cheapest_founders(s, degree, member);
    *possible = found == s->founders;
    for (uint32_t i = 0; *possible && i < found && status >= 0; i++) {
        if (s->piece[member[i]].degree > degree) {
            status = ksda_i_split_off(s, member[i], degree, 1, false, &piece);
            ksda_i_resort(s, member[i]);
        } else {
            status = ksda_i_state_place(s, member[i], degree, "create");
        }
    }
    return status;
}

static const char *why_stuck(const ksda_i_state *s, uint32_t v) {
    if (s->piece[v].degree == 0)
        return "it has no edge, cannot reach any group by adding edges, and too few communities have such a vertex";
    return "it cannot reach any group by adding edges, and cannot be split into degrees of groups";
}

/* Under these rules: *stuck is the vertex that could not be placed; KSDA_I_NONE, with the edits in *out, if all were.
 */
static ksda_status attempt(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                           const ksda_anonymize_options *options, const ksda_i_ascent *method, rules r, uint32_t *stuck,
                           ksda_edits **out) {
    ascent a = {.method = method, .rules = r};
    bool possible = true;
    ksda_status status = ksda_i_state_init(&a.s, ctx, graph, communities, options, KSDA_I_ASCENDING);
    if (status < 0) return status;
    a.s.adding = r.adding;
    status = KSDA_NOMEM;
    a.member = ksda_i_malloc(ctx, a.s.founders, sizeof *a.member);
    if (!a.member) goto done;
    status = KSDA_OK;
    for (uint32_t d = 1; d <= r.seeds && possible; d++) KSDA_I_TRY(found_group(&a.s, d, a.member, &possible));
    *stuck = possible ? KSDA_I_NONE : ksda_i_state_head(&a.s, ksda_i_lists_begin(&a.s.heads, 0, KSDA_I_ASCENDING));
    if (possible) KSDA_I_TRY(ascend(&a, stuck));
    if (*stuck == KSDA_I_NONE) {
        status = ksda_i_state_finish(&a.s, out);
    } else {
        ksda_i_state_report(&a.s, "restart", *stuck, a.s.piece[*stuck].degree, 0, 0);
        status = ksda_i_not_found(&a.s, *stuck, why_stuck(&a.s, *stuck));
    }
done:
    ksda_i_free(ctx, a.member);
    ksda_i_coins_clear(ctx, &a.coins);
    ksda_i_state_clear(&a.s);
    return status;
}

ksda_status ksda_i_smallest_first(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                  const ksda_anonymize_options *options, const ksda_i_ascent *method,
                                  ksda_edits **out) {
    static const rules ladder[] = {
        {true, true, 0}, {true, true, 1}, {true, true, 2}, {false, true, 1}, {false, false, 1}};
    ksda_status status = KSDA_NOT_FOUND;
    char first[512] = "";
    uint32_t stuck;
    *out = NULL;
    for (int i = 0; i < 5 && status == KSDA_NOT_FOUND; i++) {
        rules r = ladder[i];
        if (i == 3 && !method->adding) continue;          /* tried already */
        if (i == 4 && !method->group_splitting) continue; /* there are no links anyway */
        r.adding = r.adding && method->adding;
        status = attempt(ctx, graph, communities, options, method, r, &stuck, out);
        if (status == KSDA_NOT_FOUND && i == 0) snprintf(first, sizeof first, "%s", ksda_ctx_error(ctx)->message);
    }
    return status == KSDA_NOT_FOUND ? ksda_i_error(ctx, status, "%s", first) : status;
}
