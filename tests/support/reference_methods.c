#include "reference_methods.h"

#include <stdio.h>
#include <stdlib.h>

#define NONE UINT32_MAX
#define NEVER UINT64_MAX

/* --- the trace --------------------------------------------------------------------------------------------------- */

void reference_record(const ksda_step *step, void *payload) {
    reference_trace *t = payload;
    if (t->steps == REFERENCE_STEPS || t->tolds + step->edge_count > REFERENCE_TOLD) abort();
    t->step[t->steps] = *step;
    t->step[t->steps++].edges = t->told + t->tolds;
    if (step->edge_count) memcpy(t->told + t->tolds, step->edges, step->edge_count * sizeof *step->edges);
    t->tolds += step->edge_count;
}

static bool same_step(const ksda_step *a, const ksda_step *b) {
    return strcmp(a->action, b->action) == 0 && a->vertex == b->vertex && a->piece == b->piece &&
           a->degree == b->degree && a->target == b->target && a->cost == b->cost && a->edge_count == b->edge_count &&
           memcmp(a->edges, b->edges, a->edge_count * sizeof *a->edges) == 0;
}

uint32_t reference_difference(const reference_trace *a, const reference_trace *b) {
    for (uint32_t i = 0; i < a->steps && i < b->steps; i++)
        if (!same_step(&a->step[i], &b->step[i])) return i;
    return a->steps == b->steps ? NONE : (a->steps < b->steps ? a->steps : b->steps);
}

/* Edges told since `from` belong to the step. */
static void emit(reference *r, const char *action, uint32_t p, uint32_t degree, uint32_t target, uint64_t cost,
                 uint32_t from) {
    reference_trace *t = &r->trace;
    if (t->steps == REFERENCE_STEPS) abort();
    t->step[t->steps++] = (ksda_step){action, r->owner[p], p, degree, target, cost, t->told + from, t->tolds - from};
}

static void told(reference *r, uint32_t p, uint32_t q) {
    if (r->trace.tolds == REFERENCE_TOLD) abort();
    r->trace.told[r->trace.tolds++] = (ksda_pair){p, q};
}

/* --- looking ----------------------------------------------------------------------------------------------------- */

static uint32_t degree(const reference *r, uint32_t p) {
    uint32_t d = 0;
    for (uint32_t q = 0; q < r->pieces; q++) d += r->edge[p][q] != NO_EDGE;
    return d;
}

static bool before(const reference *r, uint32_t p, uint32_t q) {
    uint32_t a = degree(r, p), b = degree(r, q);
    if (a != b) return r->descending ? a > b : a < b;
    return r->stamp[p] < r->stamp[q];
}

/* The vertices of c that are not yet placed, in list order. */
static uint32_t in_order(const reference *r, uint32_t c, uint32_t *list) {
    uint32_t length = 0;
    for (uint32_t p = 0; p < r->pieces; p++) {
        if (r->placed[p] || r->community[p] != c) continue;
        uint32_t i = length++;
        for (; i > 0 && before(r, p, list[i - 1]); i--) list[i] = list[i - 1];
        list[i] = p;
    }
    return length;
}

static uint32_t first_of(const reference *r, uint32_t c) {
    uint32_t list[REFERENCE_PIECES];
    return in_order(r, c, list) ? list[0] : NONE;
}

/* The first vertices of the communities that have one, in the order in which they are considered. */
static uint32_t heads(const reference *r, uint32_t *list) {
    uint32_t length = 0;
    for (uint32_t c = 0; c < r->count; c++) {
        uint32_t p = first_of(r, c);
        if (p == NONE) continue;
        uint32_t i = length++;
        for (; i > 0; i--) {
            uint32_t o = r->community[list[i - 1]];
            bool earlier = r->level[c] != r->level[o]
                               ? (r->descending ? r->level[c] > r->level[o] : r->level[c] < r->level[o])
                               : r->level_stamp[c] < r->level_stamp[o];
            if (!earlier) break;
            list[i] = list[i - 1];
        }
        list[i] = p;
    }
    return length;
}

static bool may_take(const reference *r, uint32_t w, uint32_t x) {
    return !r->placed[x] && x != w && r->community[x] == r->community[w] && r->edge[w][x] == NO_EDGE &&
           r->owner[x] != r->owner[w];
}

static bool redirectable(const reference *r, uint32_t w, uint32_t v) {
    if (r->edge[w][v] != ADDED || !r->placed[w]) return false;
    for (uint32_t x = 0; x < r->pieces; x++)
        if (x != v && may_take(r, w, x)) return true;
    return false;
}

static uint32_t count_redirectable(const reference *r, uint32_t v) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < r->pieces; w++) count += redirectable(r, w, v);
    return count;
}

/* The cost of Formula (5). */
static uint64_t cost_to(const reference *r, uint32_t u, uint32_t t) {
    uint32_t d = degree(r, u), free_places = 0;
    if (d >= t) return d - t <= count_redirectable(r, u) ? 0 : NEVER;
    for (uint32_t x = 0; x < r->pieces; x++) free_places += may_take(r, u, x);
    return r->adding && t - d <= free_places ? t - d : NEVER;
}

static uint32_t originals(const reference *r, uint32_t p) {
    uint32_t count = 0;
    for (uint32_t q = 0; q < r->pieces; q++) count += r->edge[p][q] == ORIGINAL;
    return count;
}

/* --- changing ---------------------------------------------------------------------------------------------------- */

static void join(reference *r, uint32_t p, uint32_t q, uint8_t kind) {
    r->edge[p][q] = r->edge[q][p] = kind;
    r->since[p][q] = r->since[q][p] = ++r->clock;
    told(r, p, q);
}

/* The order in which vertices are reached. */
static uint32_t reach(const reference *r, uint32_t c, uint32_t *list) {
    uint32_t length = in_order(r, c, list);
    for (uint32_t i = 0; r->reversed && i < length / 2; i++) {
        uint32_t swap = list[i];
        list[i] = list[length - 1 - i];
        list[length - 1 - i] = swap;
    }
    return length;
}

static void raise_to(reference *r, uint32_t u, uint32_t t) {
    uint32_t list[REFERENCE_PIECES], length = reach(r, r->community[u], list), need = t - degree(r, u);
    for (uint32_t i = 0; i < length && need > 0; i++) {
        if (!may_take(r, u, list[i])) continue;
        join(r, u, list[i], ADDED);
        r->stamp[list[i]] = ++r->clock;
        need--;
    }
    if (need) abort();
}

/* The newest redirectable edge of v that came before `limit`: its other end. */
static uint32_t newest(const reference *r, uint32_t v, uint32_t limit) {
    uint32_t best = NONE;
    for (uint32_t w = 0; w < r->pieces; w++)
        if (redirectable(r, w, v) && r->since[v][w] < limit && (best == NONE || r->since[v][w] > r->since[v][best]))
            best = w;
    return best;
}

static void lower_to(reference *r, uint32_t v, uint32_t t) {
    uint32_t list[REFERENCE_PIECES], limit = NONE;
    while (degree(r, v) > t) {
        uint32_t w = newest(r, v, limit), length = reach(r, r->community[v], list), i = 0;
        if (w == NONE) abort();
        limit = r->since[v][w];
        while (i < length && (list[i] == v || !may_take(r, w, list[i]))) i++;
        if (i == length) abort();
        r->edge[w][v] = r->edge[v][w] = NO_EDGE;
        join(r, w, list[i], ADDED);
        r->stamp[list[i]] = ++r->clock;
    }
}

static void refresh(reference *r, uint32_t c) {
    uint32_t p = first_of(r, c);
    if (p == NONE || degree(r, p) == r->level[c]) return;
    r->level[c] = degree(r, p);
    r->level_stamp[c] = ++r->clock;
}

static void place(reference *r, uint32_t u, uint32_t t, const char *action) {
    uint32_t d = degree(r, u), from = r->trace.tolds;
    if (d > t) {
        lower_to(r, u, t);
        emit(r, "redirect", u, d, t, 0, from);
        from = r->trace.tolds;
    }
    if (d < t) raise_to(r, u, t);
    r->placed[u] = true;
    r->group[t] = true;
    refresh(r, r->community[u]);
    emit(r, action, u, d, t, d < t ? t - d : 0, from);
}

/* Hand v's edge to q over to piece p of the same vertex. */
static void hand_over(reference *r, uint32_t v, uint32_t p, uint32_t q) {
    r->edge[p][q] = r->edge[q][p] = r->edge[v][q];
    r->since[p][q] = r->since[v][q];
    r->since[q][p] = r->since[q][v];
    r->edge[v][q] = r->edge[q][v] = NO_EDGE;
}

static uint32_t take_made(reference *r, uint32_t v, uint32_t p, uint32_t count, uint8_t kind) {
    uint32_t taken = 0;
    for (; taken < count; taken++) {
        uint32_t best = NONE;
        for (uint32_t q = 0; q < r->pieces; q++)
            if (r->edge[v][q] == kind && (best == NONE || r->since[v][q] > r->since[v][best])) best = q;
        if (best == NONE) break;
        hand_over(r, v, p, best);
    }
    return taken;
}

/* The piece of vertex y that carries the original edge to piece v. */
static uint32_t carrier(const reference *r, uint32_t y, uint32_t v) {
    for (uint32_t q = 0; q < r->pieces; q++)
        if (r->owner[q] == y && r->edge[v][q] == ORIGINAL) return q;
    abort();
}

static void split_off(reference *r, uint32_t v, uint32_t edges, uint32_t reserve, bool link) {
    uint32_t p = r->pieces, d = degree(r, v), from = r->trace.tolds;
    if (r->pieces++ == REFERENCE_PIECES) abort();
    r->owner[p] = r->owner[v];
    r->community[p] = r->community[v];
    r->placed[p] = true;
    uint32_t links = take_made(r, v, p, edges - 1, LINK), spare = originals(r, v) - reserve;
    uint32_t from_row = edges - links < spare ? edges - links : spare;
    uint32_t added = take_made(r, v, p, edges - links - from_row, ADDED);
    if (links + from_row + added != edges) abort();
    ksda_i_rng rng = ksda_i_rng_stream(r->seed, 0x6465616c, p);
    for (uint32_t i = 0; i < from_row; i++) {
        uint32_t at = (uint32_t)ksda_i_rng_below(&rng, r->row_length[v]), y = r->row[v][at];
        r->row[v][at] = r->row[v][--r->row_length[v]];
        hand_over(r, v, p, carrier(r, y, v));
    }
    if (link) join(r, p, v, LINK);
    r->group[degree(r, p)] = true;
    emit(r, "split", p, d, degree(r, p), 1, from);
}

static void resort(reference *r, uint32_t v) {
    r->stamp[v] = ++r->clock;
    refresh(r, r->community[v]);
}

/* --- deciding ---------------------------------------------------------------------------------------------------- */

/* Creation, largest first, at target t: members by cost, in the order of the heads. */
static uint64_t creation_at(const reference *r, uint32_t v, uint32_t t, uint32_t *member) {
    uint32_t head[REFERENCE_PIECES], count = heads(r, head), found = 1;
    uint64_t cost[REFERENCE_PIECES], sum = cost_to(r, v, t);
    if (sum == NEVER) return NEVER;
    member[0] = v;
    for (uint32_t i = 0; i < count; i++) cost[i] = head[i] == v ? NEVER : cost_to(r, head[i], t);
    for (; found < r->k; found++) {
        uint32_t best = NONE;
        for (uint32_t i = 0; i < count; i++)
            if (cost[i] != NEVER && (best == NONE || cost[i] < cost[best])) best = i;
        if (best == NONE) return NEVER;
        sum += cost[best];
        cost[best] = NEVER;
        member[found] = head[best];
    }
    return sum;
}

/* The target of creation, smallest first. */
static uint32_t common_target(const reference *r, const uint32_t *member, uint32_t count) {
    uint32_t target = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t lowest = degree(r, member[i]) - count_redirectable(r, member[i]);
        if (lowest > target) target = lowest;
    }
    return target;
}

static bool step(reference *r, uint32_t v) {
    uint32_t member[REFERENCE_PIECES], d = degree(r, v), lowest = d - count_redirectable(r, v), into = 0, target = 0;
    uint64_t merge = NEVER, create = NEVER;
    for (uint32_t t = 0; t < REFERENCE_PIECES; t++) {
        uint64_t cost = r->group[t] ? cost_to(r, v, t) : NEVER;
        if (cost < merge || (cost == 0 && t <= d)) merge = cost, into = t;
    }
    if (r->descending) {
        create = creation_at(r, v, target = lowest, member);
        while (merge == NEVER && create == NEVER && target < d) create = creation_at(r, v, ++target, member);
    } else if (heads(r, member) >= r->k) {
        target = common_target(r, member, r->k);
        create = 0;
        for (uint32_t i = 0; i < r->k && create != NEVER; i++) {
            uint64_t cost = cost_to(r, member[i], target);
            create = cost == NEVER ? NEVER : create + cost;
        }
    }
    if (merge < create)
        place(r, v, into, "merge");
    else if (create != NEVER)
        for (uint32_t i = 0; i < r->k; i++) place(r, member[i], target, "create");
    return merge != NEVER || create != NEVER;
}

/* Fewest group degrees that add up to d, with the largest possible first summand in *coin. */
static uint32_t fewest(const reference *r, uint32_t d, uint32_t *coin) {
    uint32_t best[REFERENCE_PIECES] = {0};
    for (uint32_t x = 1; x <= d; x++) {
        best[x] = NONE;
        for (uint32_t g = 1; g <= x; g++)
            if (r->group[g] && best[x - g] != NONE && best[x - g] + 1 < best[x]) best[x] = best[x - g] + 1;
    }
    for (uint32_t g = 1; g <= d && best[d] != NONE; g++)
        if (r->group[g] && best[d - g] == best[d] - 1) *coin = g;
    return best[d];
}

static void split_group(reference *r, const uint32_t *member, uint32_t d) {
    for (uint32_t i = 0; i < r->k; i++) {
        bool link = r->links && d > 2;
        if (degree(r, member[i]) == d) {
            place(r, member[i], d, "create");
        } else {
            split_off(r, member[i], link ? d - 1 : d, 1, link);
            resort(r, member[i]);
        }
    }
}

static bool can_split_group(const reference *r, const uint32_t *member, uint32_t d) {
    for (uint32_t i = 0; i < r->k; i++)
        if (degree(r, member[i]) > d && originals(r, member[i]) < 2) return false;
    return d > 0;
}

static bool split_largest(reference *r) {
    uint32_t member[REFERENCE_PIECES];
    if (heads(r, member) < r->k) return false;
    uint32_t d = degree(r, member[r->k - 1]);
    if (!can_split_group(r, member, d)) return false;
    split_group(r, member, d);
    return true;
}

/* The paper's X, and the sum of the pieces that Single Splitting would make of its members. */
static uint64_t look_ahead(const reference *r, const uint32_t *member) {
    uint32_t target = common_target(r, member, r->k), limit = NONE, top = NONE, coin;
    uint64_t sum = 0;
    for (uint32_t t = 0; t < REFERENCE_PIECES; t++) top = r->group[t] ? t : top;
    for (uint32_t i = 0; i < r->k; i++)
        if (cost_to(r, member[i], target) == NEVER && (limit == NONE || degree(r, member[i]) > limit))
            limit = degree(r, member[i]);
    for (uint32_t i = 0; i < r->k; i++) {
        uint32_t d = degree(r, member[i]);
        if (limit == NONE || d > limit) continue;
        if (top != NONE && cost_to(r, member[i], top) != NEVER) continue;
        uint32_t count = fewest(r, d, &coin);
        if (count == NONE) return NEVER;
        sum += count;
    }
    return sum;
}

static bool split_smallest(reference *r, uint32_t v) {
    uint32_t member[REFERENCE_PIECES], d = degree(r, v), coin, pieces = 0, from = d - count_redirectable(r, v),
                                       splits = 0;
    for (uint32_t x = d; x > 0 && x >= from && !pieces; x--) {
        uint32_t count = fewest(r, x, &coin);
        if (count != NONE && count <= originals(r, v)) pieces = count, d = x;
    }
    if (r->group_splitting && heads(r, member) >= r->k && can_split_group(r, member, degree(r, v))) {
        for (uint32_t i = 0; i < r->k; i++) splits += degree(r, member[i]) > degree(r, v);
        if (!pieces || 2 * splits < look_ahead(r, member)) {
            split_group(r, member, degree(r, v));
            return true;
        }
    }
    if (!pieces) return false;
    if (degree(r, v) > d) {
        uint32_t was = degree(r, v), told_before = r->trace.tolds;
        lower_to(r, v, d);
        emit(r, "redirect", v, was, d, 0, told_before);
    }
    for (; pieces > 1; pieces--) {
        fewest(r, degree(r, v), &coin);
        split_off(r, v, coin, pieces - 1, false);
    }
    place(r, v, degree(r, v), "split");
    return true;
}

/* The first vertex of c that has at least degree d. */
static uint32_t first_from(const reference *r, uint32_t c, uint32_t d) {
    uint32_t list[REFERENCE_PIECES], length = in_order(r, c, list);
    for (uint32_t i = 0; i < length; i++)
        if (degree(r, list[i]) >= d) return list[i];
    return NONE;
}

static bool seed_group(reference *r, uint32_t d) {
    uint32_t with = 0, found = 0;
    bool used[REFERENCE_PIECES] = {false};
    for (uint32_t c = 0; c < r->count; c++) with += first_from(r, c, d) != NONE;
    if (with < r->k) return false;
    for (uint32_t c = 0; c < r->count && found < r->k; c++) {
        uint32_t v = first_from(r, c, d);
        if (v == NONE || degree(r, v) != d) continue;
        used[c] = true;
        found++;
        place(r, v, d, "create");
    }
    for (uint32_t c = 0; c < r->count && found < r->k; c++) {
        uint32_t v = first_from(r, c, d);
        if (v == NONE || used[c]) continue;
        found++;
        split_off(r, v, d, 1, false);
        resort(r, v);
    }
    return true;
}

/* --- running ----------------------------------------------------------------------------------------------------- */

static void begin(reference *r, const ksda_network *net) {
    r->n = r->pieces = net->graph->n;
    r->count = net->communities->count;
    memset(r->edge, 0, sizeof r->edge);
    memset(r->placed, 0, sizeof r->placed);
    memset(r->group, 0, sizeof r->group);
    r->clock = r->n + r->count;
    for (uint32_t v = 0; v < r->n; v++) {
        r->owner[v] = r->stamp[v] = v;
        r->community[v] = net->communities->of[v];
        r->row_length[v] = ksda_graph_degree(net->graph, v);
        for (uint32_t i = 0; i < r->row_length[v]; i++) {
            r->row[v][i] = net->graph->adj[net->graph->off[v] + i];
            r->edge[v][r->row[v][i]] = ORIGINAL;
        }
    }
    for (uint32_t c = 0; c < r->count; c++) {
        r->level[c] = degree(r, first_of(r, c));
        r->level_stamp[c] = c;
    }
}

/* The vertex that could not be placed, or NONE. */
static uint32_t go(reference *r, bool splitting) {
    uint32_t head[REFERENCE_PIECES];
    while (heads(r, head)) {
        if (step(r, head[0])) continue;
        if (!splitting || !(r->descending ? split_largest(r) : split_smallest(r, head[0]))) return head[0];
    }
    return NONE;
}

static bool smallest_first(reference *r, const ksda_network *net, bool adding) {
    for (int attempt = 0; attempt < 5; attempt++) {
        static const uint32_t seeds[] = {0, 1, 2, 1, 1};
        uint32_t head[REFERENCE_PIECES], stuck = NONE;
        if ((attempt == 3 && !adding) || (attempt == 4 && !r->group_splitting)) continue;
        begin(r, net);
        r->adding = adding && attempt < 3;
        r->links = attempt < 4;
        for (uint32_t d = 1; d <= seeds[attempt] && stuck == NONE; d++)
            if (!seed_group(r, d)) heads(r, head), stuck = head[0];
        if (stuck == NONE) stuck = go(r, true);
        if (stuck == NONE) return true;
        emit(r, "restart", stuck, degree(r, stuck), 0, 0, r->trace.tolds);
    }
    return false;
}

bool reference_run(reference *r, const ksda_network *net, const char *method, uint32_t k, uint64_t seed) {
    r->k = k;
    r->seed = seed;
    r->trace.steps = r->trace.tolds = 0;
    r->reversed = strcmp(method, "inverse-edge-connect") == 0;
    r->descending = r->reversed || strcmp(method, "edge-connect") == 0 || strcmp(method, "create-by-split") == 0;
    r->group_splitting = strcmp(method, "flex-split") == 0 || strcmp(method, "splitting-only") == 0;
    if (!r->descending) return smallest_first(r, net, strcmp(method, "splitting-only") != 0);
    begin(r, net);
    r->adding = r->links = true;
    return go(r, strcmp(method, "create-by-split") == 0) == NONE;
}
