/* The shared state of the paper's methods: placing vertices, adding and redirecting edges.
 *
 * What must be cheap, and how it is. *The next vertices in list order*: bucket lists (lists.h). *Not adjacent to u*:
 * u's neighbours are marked once, when u is raised; a vertex is raised at most once, so all marking together is O(m +
 * n_a). *Is there anybody else*, for redirectable edges and for raising: a count, vertices left in the community minus
 * those among them that are neighbours. It is kept only from the moment on when the first number no longer settles it,
 * which in a large community is near the end. Memory: some 60 bytes a vertex, 17 an added edge. */
#include "methods/paper/state.h"

#include "core/pages.h"
#include "privacy/census.h"

enum {
    AHEAD = 3
}; /* vertices of a list that are fetched before they are first */

/* --- groups ------------------------------------------------------------------------------------------------------ */

bool ksda_i_groups_has(const ksda_i_groups *g, uint32_t degree) {
    return degree / 64 < g->words && (g->word[degree / 64] >> (degree % 64) & 1);
}

uint32_t ksda_i_groups_from(const ksda_i_groups *g, uint32_t degree) {
    uint64_t i = degree / 64;
    if (i >= g->words) return KSDA_I_NONE;
    uint64_t word = g->word[i] >> (degree % 64) << (degree % 64);
    while (!word) {
        if (++i >= g->words) return KSDA_I_NONE;
        word = g->word[i];
    }
    return (uint32_t)(64 * i) + (uint32_t)__builtin_ctzll(word);
}

uint32_t ksda_i_groups_down(const ksda_i_groups *g, uint32_t degree) {
    if (g->largest == KSDA_I_NONE) return KSDA_I_NONE;
    if (degree > g->largest) degree = g->largest;
    uint64_t i = degree / 64, word = g->word[i] << (63 - degree % 64) >> (63 - degree % 64);
    while (!word) {
        if (i-- == 0) return KSDA_I_NONE;
        word = g->word[i];
    }
    return (uint32_t)(64 * i) + 63 - (uint32_t)__builtin_clzll(word);
}

ksda_status ksda_i_groups_add(ksda_i_state *s, uint32_t degree) {
    ksda_i_groups *g = &s->groups;
    uint64_t had = g->words;
    ksda_status status = ksda_i_reserve(s->ctx, &g->word, &g->words, degree / 64 + 1, sizeof *g->word);
    if (status < 0) return status;
    if (g->words > had) memset(g->word + had, 0, (g->words - had) * sizeof *g->word);
    g->word[degree / 64] |= UINT64_C(1) << (degree % 64);
    if (g->largest == KSDA_I_NONE || degree > g->largest) g->largest = degree;
    return KSDA_OK;
}

/* --- neighbours -------------------------------------------------------------------------------------------------- */

typedef void (*neighbour_fn)(ksda_i_state *s, uint32_t neighbour, uint32_t p);

/* The piece of y, in v's row, that carries their edge. */
static inline uint32_t carrier_of(const ksda_i_state *s, uint32_t v, uint32_t y) {
    if (!s->row_of || !s->row_of[y]) return y;
    return ksda_edits_carrier(s->edits, y, (uint32_t)(ksda_i_graph_position(s->graph, y, v) - s->graph->off[y]));
}

/* The piece at the other end of the i-th edge of v's row. */
uint32_t ksda_i_other_end(const ksda_i_state *s, uint32_t v, uint32_t i) {
    ksda_i_graph_need(s->graph, v);
    return carrier_of(s, v, s->graph->adj[s->graph->off[v] + i]);
}

/* Most vertices are never split, and many methods split none: their rows are gone through as they are. */
static inline void each_neighbour(ksda_i_state *s, uint32_t p, neighbour_fn fn) {
    uint32_t v = ksda_i_state_owner(s, p), row = s->row_of ? s->row_of[p] : 0, length = ksda_i_degree(s->graph, v);
    ksda_i_graph_need(s->graph, v);
    const uint32_t *adj = s->graph->adj + s->graph->off[v];
    if (row) {
        const uint32_t *at = s->position + s->row[row - 1].begin;
        for (uint32_t i = 0; i < s->row[row - 1].length; i++) fn(s, carrier_of(s, v, adj[at[i]]), p);
    } else if (s->row_of) {
        for (uint32_t i = 0; i < length; i++) fn(s, carrier_of(s, v, adj[i]), p);
    } else {
        for (uint32_t i = 0; i < length; i++) fn(s, adj[i], p);
    }
    for (uint32_t h = s->piece[p].made; h != KSDA_I_NONE; h = s->half[h].next) fn(s, s->half[h].to, p);
}

static inline void mark_one(ksda_i_state *s, uint32_t neighbour, uint32_t p) {
    (void)p;
    if (neighbour < s->graph->n) s->mark[neighbour] = s->epoch;
}

/* Mark p, its neighbours, and whatever is left of its own owner: nobody is connected to a piece of the same vertex. */
static void mark_neighbours(ksda_i_state *s, uint32_t p) {
    if (++s->epoch == 0) {
        memset(s->mark, 0, s->graph->n * sizeof *s->mark);
        s->epoch = 1;
    }
    each_neighbour(s, p, mark_one);
    s->mark[ksda_i_state_owner(s, p)] = s->epoch;
}

/* --- counting neighbours that are left --------------------------------------------------------------------------- */

static inline void one_more_near(ksda_i_state *s, uint32_t neighbour, uint32_t p) {
    if (ksda_i_community(s, neighbour) == s->communities->of[p]) s->near[neighbour]++;
}
static inline void one_less_near(ksda_i_state *s, uint32_t neighbour, uint32_t p) {
    if (ksda_i_community(s, neighbour) == s->communities->of[p]) s->near[neighbour]--;
}

/* From now on keep near[] in community c. O(edges of the vertices left in it), once. */
static ksda_status tighten(ksda_i_state *s, uint32_t c) {
    if (s->tight[c]) return KSDA_OK;
    if (!s->near) {
        uint64_t pieces = ksda_edits_pieces(s->edits);
        ksda_status status = ksda_i_reserve(s->ctx, &s->near, &s->near_capacity, pieces, sizeof *s->near);
        if (status < 0) return status;
        memset(s->near, 0, pieces * sizeof *s->near);
    }
    s->tight[c] = 1;
    for (uint32_t v = ksda_i_lists_begin(&s->vertices, c, KSDA_I_DESCENDING); v != KSDA_I_NONE;
         v = ksda_i_lists_after(&s->vertices, v, KSDA_I_DESCENDING))
        each_neighbour(s, v, one_more_near);
    return KSDA_OK;
}

/* Is there a vertex not yet placed in c that w, placed there, is not adjacent to? */
static bool has_unplaced_stranger(ksda_i_state *s, uint32_t w, uint32_t c, ksda_status *status) {
    uint32_t left = s->unplaced[c];
    if (left > s->piece[w].degree + 1) return true;
    if ((*status = tighten(s, c)) < 0) return false;
    uint32_t taken = s->near[w];
    uint32_t self = w < s->graph->n ? w : ksda_i_state_owner(s, w);
    if (self != w &&
        ksda_i_unplaced(s, self)) { /* what is left of w's own vertex is no target; linked, it is in near[] */
        bool linked = false;
        for (uint32_t h = s->piece[w].made; h != KSDA_I_NONE && !linked; h = s->half[h].next)
            linked = s->half[h].to == self;
        taken += !linked;
    }
    return left > taken;
}

uint32_t ksda_i_redirectable(ksda_i_state *s, uint32_t v, uint32_t enough, ksda_status *status) {
    uint32_t count = 0, c = ksda_i_state_home(s, v);
    for (uint32_t h = s->piece[v].made; h != KSDA_I_NONE && count < enough && *status >= 0; h = s->half[h].next)
        if (!s->is_link[h / 2] && has_unplaced_stranger(s, s->half[h].to, c, status)) count++;
    return count;
}

bool ksda_i_reachable(ksda_i_state *s, uint32_t u, uint32_t need, ksda_status *status) {
    if (need == 0) return true;
    uint32_t c = ksda_i_state_home(s, u), others = s->unplaced[c] - 1;
    if (!s->adding || need > others) return false;
    if (others - need >= s->piece[u].degree) return true;
    if ((*status = tighten(s, c)) < 0) return false;
    return others - s->near[u] >= need;
}

/* --- edges ------------------------------------------------------------------------------------------------------- */

static ksda_status tell_edge(ksda_i_state *s, uint32_t p, uint32_t q) {
    if (!s->options->step) return KSDA_OK;
    ksda_status status = ksda_i_reserve(s->ctx, &s->told, &s->told_capacity, s->told_count + 1, sizeof *s->told);
    if (status >= 0) s->told[s->told_count++] = (ksda_pair){p, q};
    return status;
}

void ksda_i_state_report(ksda_i_state *s, const char *action, uint32_t p, uint32_t degree, uint32_t target,
                         uint64_t cost) {
    if (!s->options->step) return;
    ksda_step step = {action, ksda_i_state_owner(s, p), p, degree, target, cost, s->told, (uint32_t)s->told_count};
    s->options->step(&step, s->options->step_payload);
    s->told_count = 0;
}

ksda_status ksda_i_state_connect(ksda_i_state *s, uint32_t p, uint32_t q, bool link) {
    ksda_status status = ksda_i_reserve(s->ctx, &s->half, &s->half_capacity, 2 * s->edges + 2, sizeof *s->half);
    if (status >= 0) status = ksda_i_reserve(s->ctx, &s->is_link, &s->is_link_capacity, s->edges + 1, 1);
    if (status < 0) return status;
    if (s->edges >= UINT32_MAX / 2)
        return ksda_i_error(s->ctx, KSDA_INVALID, "more than %u added edges", UINT32_MAX / 2);
    uint32_t h = (uint32_t)(2 * s->edges);
    s->is_link[s->edges++] = link;
    s->half[h] = (ksda_i_half){q, s->piece[p].made};
    s->half[h + 1] = (ksda_i_half){p, s->piece[q].made};
    s->piece[p].made = h;
    s->piece[q].made = h + 1;
    s->piece[p].degree++;
    s->piece[q].degree++;
    return tell_edge(s, p, q);
}

/* x, not yet placed, has one more edge: to the next bucket. */
static void raised(ksda_i_state *s, uint32_t x) {
    ksda_i_lists_move(&s->vertices, x, s->piece[x].degree);
}

/* Connect u to the next `need` vertices in order that it is not adjacent to. */
static ksda_status raise_by_edges(ksda_i_state *s, uint32_t u, uint32_t need) {
    uint32_t c = ksda_i_state_home(s, u);
    mark_neighbours(s, u);
    uint32_t x = ksda_i_lists_begin(&s->vertices, c, s->reach);
    while (need > 0 && x != KSDA_I_NONE) {
        uint32_t next = ksda_i_lists_after(&s->vertices, x, s->reach);
        if (s->mark[x] != s->epoch) {
            ksda_status status = ksda_i_state_connect(s, u, x, false);
            if (status < 0) return status;
            s->mark[x] = s->epoch; /* it may come up again one bucket further on */
            raised(s, x);
            if (s->tight[c]) s->near[u]++, s->near[x]++;
            need--;
        }
        x = next;
    }
    return need ? ksda_i_error(s->ctx, KSDA_INTERNAL, "vertex %u found too few to connect to", u) : KSDA_OK;
}

/* Is w, placed, adjacent to x, not yet placed, or a piece of the same vertex? Looks at x's edges, and takes what that
 * costs off *budget. */
static bool adjacent(const ksda_i_state *s, uint32_t w, uint32_t x, int64_t *budget) {
    uint32_t v = ksda_i_state_owner(s, w);
    for (uint32_t h = s->piece[x].made; h != KSDA_I_NONE; h = s->half[h].next, --*budget)
        if (s->half[h].to == w) return true;
    *budget -= 8; /* a binary search */
    if (v == x) return true;
    uint64_t at = ksda_i_graph_position(s->graph, x, v);
    if (at == UINT64_MAX) return false;
    uint32_t i = (uint32_t)(at - s->graph->off[x]);
    if (s->row_of && s->row_of[x] && ksda_edits_carrier(s->edits, x, i) != x) return false;
    return ksda_i_other_end(s, x, i) == w;
}

/* The first vertex in order, other than v, that w is not adjacent to. Pairs are tested one by one as long as that is
 * cheaper than going through all neighbours of w, which may be a hub of a million; then these are marked. */
static uint32_t first_not_adjacent(ksda_i_state *s, uint32_t w, uint32_t v) {
    int64_t budget = (int64_t)s->piece[w].degree / 4;
    uint32_t x = ksda_i_lists_begin(&s->vertices, ksda_i_state_home(s, v), s->reach);
    while (x != KSDA_I_NONE && budget > 0 && (x == v || adjacent(s, w, x, &budget)))
        x = ksda_i_lists_after(&s->vertices, x, s->reach);
    if (x == KSDA_I_NONE || budget > 0) return x;
    mark_neighbours(s, w);
    s->mark[v] = s->epoch;
    while (x != KSDA_I_NONE && s->mark[x] == s->epoch) x = ksda_i_lists_after(&s->vertices, x, s->reach);
    return x;
}

/* Replace (w, v) by (w, x) with x the first in order that w is not adjacent to. h is v's half of the edge, already out
 * of v's chain. */
static ksda_status redirect(ksda_i_state *s, uint32_t v, uint32_t h) {
    uint32_t w = s->half[h].to, x = first_not_adjacent(s, w, v);
    if (x == KSDA_I_NONE) return ksda_i_error(s->ctx, KSDA_INTERNAL, "an edge at vertex %u cannot be redirected", v);
    s->half[h].next = s->piece[x].made;
    s->piece[x].made = h;
    s->half[h ^ 1].to = x;
    s->piece[v].degree--;
    s->piece[x].degree++;
    raised(s, x);
    return tell_edge(s, w, x);
}

ksda_status ksda_i_state_lower(ksda_i_state *s, uint32_t v, uint32_t count) {
    uint32_t *from = &s->piece[v].made, c = ksda_i_state_home(s, v);
    ksda_status status = KSDA_OK;
    while (count > 0 && *from != KSDA_I_NONE && status >= 0) {
        uint32_t h = *from;
        if (!s->is_link[h / 2] && has_unplaced_stranger(s, s->half[h].to, c, &status)) {
            *from = s->half[h].next;
            status = redirect(s, v, h);
            count--;
        } else {
            from = &s->half[h].next;
        }
    }
    if (status < 0) return status;
    return count ? ksda_i_error(s->ctx, KSDA_INTERNAL, "vertex %u has too few edges to redirect", v) : KSDA_OK;
}

/* --- placing ----------------------------------------------------------------------------------------------------- */

/* Community c's first vertex may have changed. A vertex that comes after it is first soon: in lists of a million
 * vertices the time goes into waiting for memory, so it is asked for in advance. */
static void refresh_head(ksda_i_state *s, uint32_t c) {
    uint32_t head = ksda_i_state_head(s, c);
    uint8_t made = head != KSDA_I_NONE && s->piece[head].made != KSDA_I_NONE;
    s->heads_with_made += made;
    s->heads_with_made -= s->head_made[c];
    s->head_made[c] = made;
    uint32_t next = head;
    for (int i = 0; i < AHEAD && next != KSDA_I_NONE; i++) next = ksda_i_lists_after(&s->vertices, next, s->order);
    if (next != KSDA_I_NONE) {
        ksda_i_lists_prefetch(&s->vertices, next);
        __builtin_prefetch(&s->piece[next], 1);
    }
    if (head == KSDA_I_NONE) {
        ksda_i_lists_remove(&s->heads, c);
        s->heads_left--;
    } else if (ksda_i_lists_degree(&s->heads, c) != s->piece[head].degree) {
        ksda_i_lists_move(&s->heads, c, s->piece[head].degree);
    }
}

void ksda_i_resort(ksda_i_state *s, uint32_t v) {
    ksda_i_lists_move(&s->vertices, v, s->piece[v].degree);
    refresh_head(s, ksda_i_state_home(s, v));
}

ksda_status ksda_i_state_place(ksda_i_state *s, uint32_t u, uint32_t t, const char *action) {
    uint32_t d = s->piece[u].degree, c = ksda_i_state_home(s, u);
    ksda_status status = KSDA_OK;
    if (d > t) {
        status = ksda_i_state_lower(s, u, d - t);
        ksda_i_state_report(s, "redirect", u, d, t, 0);
    } else if (d < t) {
        status = raise_by_edges(s, u, t - d);
    }
    if (status >= 0) status = ksda_i_groups_add(s, t);
    if (status < 0) return status;
    ksda_i_lists_remove(&s->vertices, u);
    s->unplaced[c]--;
    s->placed++;
    if (s->tight[c]) each_neighbour(s, u, one_less_near);
    refresh_head(s, c);
    ksda_i_state_report(s, action, u, d, t, t > d ? t - d : 0);
    return KSDA_OK;
}

/* --- placing a whole level --------------------------------------------------------------------------------------- */

/* The same steps as with single vertices: the first ones of k communities found the group once more, at no cost; where
 * there are fewer, those of the first community join. As long as no community runs out these repeat. The communities
 * that have run out by then come to their next degree in the order of the list. */
static void repeat_step(ksda_i_state *s) {
    const ksda_i_bucket *level = &s->heads.bucket[s->heads.lowest[0]];
    uint32_t count = level->size < s->founders ? 1 : s->founders, times = UINT32_MAX, c = level->first;
    for (uint32_t i = 0; i < count; i++, c = s->heads.link[c].next)
        if (s->level_left[c] < times) times = s->level_left[c];
    c = level->first;
    for (uint32_t i = 0, next; i < count; i++, c = next) {
        uint32_t size = s->vertices.bucket[s->vertices.lowest[c]].size;
        next = s->heads.link[c].next;
        if (s->level_left[c] -= times) continue;
        ksda_i_lists_remove_lowest(&s->vertices, c);
        s->unplaced[c] -= size, s->placed += size;
        refresh_head(s, c);
    }
}

/* As long as there are no edges to redirect, everybody of the smallest degree of all joins its group. */
bool ksda_i_state_place_level(ksda_i_state *s) {
    const ksda_i_lists *heads = &s->heads;
    const uint32_t d = heads->bucket[heads->lowest[0]].degree;
    if (s->order != KSDA_I_ASCENDING || s->sets || s->options->step || s->row_of || s->edges) return false;
    if (!ksda_i_groups_has(&s->groups, d)) return false;
    for (uint32_t c = heads->bucket[heads->lowest[0]].first; c != KSDA_I_NONE; c = heads->link[c].next) {
        if (s->tight[c]) return false;
        s->level_left[c] = s->vertices.bucket[s->vertices.lowest[c]].size;
    }
    while (heads->lowest[0] != KSDA_I_NONE && heads->bucket[heads->lowest[0]].degree == d) repeat_step(s);
    return true;
}

/* --- beginning and end ------------------------------------------------------------------------------------------- */

static ksda_status fill_lists(ksda_i_state *s) {
    const ksda_communities *groups = s->communities;
    ksda_status status = KSDA_NOMEM;
    uint32_t n = s->graph->n, *degree = ksda_i_malloc(s->ctx, n, sizeof *degree);
    uint32_t *first = ksda_i_malloc(s->ctx, groups->count, sizeof *first);
    if (!degree || !first) goto done;
    for (uint32_t v = 0; v < n; v++) {
        degree[v] = ksda_i_degree(s->graph, v);
        s->piece[v] = (ksda_i_piece){degree[v], KSDA_I_NONE};
    }
    KSDA_I_TRY(ksda_i_lists_insert_sorted(s->ctx, &s->vertices, degree, groups->of));
    for (uint32_t c = 0; c < groups->count; c++) {
        s->unplaced[c] = ksda_i_community_size(groups, c);
        first[c] = degree[ksda_i_state_head(s, c)];
    }
    s->heads_left = groups->count;
    KSDA_I_TRY(ksda_i_lists_insert_sorted(s->ctx, &s->heads, first, NULL));
done:
    ksda_i_free(s->ctx, degree);
    ksda_i_free(s->ctx, first);
    return status;
}

ksda_status ksda_i_state_init(ksda_i_state *s, ksda_ctx *ctx, const ksda_graph *graph,
                              const ksda_communities *communities, const ksda_anonymize_options *options,
                              ksda_i_order order) {
    ksda_status status = KSDA_NOMEM;
    uint32_t n = graph->n;
    const ksda_i_census_model model = ksda_i_census_model_of(communities, options->k);
    *s = (ksda_i_state){.ctx = ctx,
                        .graph = graph,
                        .communities = communities,
                        .options = options,
                        .founders = ksda_i_model_missing(&model, &(ksda_i_tally){0, 0}),
                        .order = order,
                        .reach = order,
                        .adding = true,
                        .groups.largest = KSDA_I_NONE};
    KSDA_I_TRY(ksda_i_founders_init(s));
    communities = s->communities;
    KSDA_I_TRY(ksda_i_lists_init(ctx, &s->vertices, n, communities->count));
    KSDA_I_TRY(ksda_i_lists_init(ctx, &s->heads, communities->count, 1));
    KSDA_I_TRY(ksda_i_reserve(ctx, &s->piece, &s->piece_capacity, n, sizeof *s->piece));
    ksda_i_pages_huge(s->piece, n * sizeof *s->piece);
    KSDA_I_TRY(ksda_edits_new(ctx, graph, &s->edits));
    status = KSDA_NOMEM;
    s->mark = ksda_i_calloc(ctx, n, sizeof *s->mark);
    s->unplaced = ksda_i_malloc(ctx, communities->count, sizeof *s->unplaced);
    s->tight = ksda_i_calloc(ctx, communities->count, sizeof *s->tight);
    s->level_left = ksda_i_malloc(ctx, communities->count, sizeof *s->level_left);
    s->head_made = ksda_i_calloc(ctx, communities->count, sizeof *s->head_made);
    if (!s->mark || !s->unplaced || !s->tight || !s->level_left || !s->head_made) goto done;
    KSDA_I_TRY(fill_lists(s));
done:
    if (status < 0) ksda_i_state_clear(s);
    return status;
}

static void free_block(ksda_i_state *s, void *block_pointer) {
    void *block;
    memcpy(&block, block_pointer, sizeof block); /* a T** seen as void** */
    ksda_i_free(s->ctx, block);
    memset(block_pointer, 0, sizeof block);
}

/* All that only running needs: everything but the made edges and the edits. */
static void clear_lists(ksda_i_state *s) {
    ksda_i_lists_clear(s->ctx, &s->vertices);
    ksda_i_lists_clear(s->ctx, &s->heads);
    void *blocks[] = {&s->unplaced, &s->head_made, &s->groups.word, &s->piece, &s->mark,  &s->near,      &s->tight,
                      &s->row_of,   &s->row,       &s->position,    &s->told,  &s->taken, &s->level_left};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free_block(s, blocks[i]);
    ksda_communities_free(s->ctx, s->homes);
    s->homes = NULL;
}

void ksda_i_state_clear(ksda_i_state *s) {
    clear_lists(s);
    free_block(s, &s->half);
    free_block(s, &s->is_link);
    ksda_edits_free(s->ctx, s->edits);
    s->edits = NULL;
}

ksda_status ksda_i_state_finish(ksda_i_state *s, ksda_edits **out) {
    ksda_status status = KSDA_OK;
    clear_lists(s); /* before the edits grow */
    for (uint64_t e = 0; e < s->edges && status >= 0; e++) {
        uint32_t p = s->half[2 * e + 1].to, q = s->half[2 * e].to;
        status = s->is_link[e] ? ksda_edits_link(s->ctx, s->edits, p, q) : ksda_edits_add_edge(s->ctx, s->edits, p, q);
    }
    if (status >= 0) {
        *out = s->edits;
        s->edits = NULL;
    }
    ksda_i_state_clear(s);
    return status;
}
