/* Cutting people into pieces for a share bound: who leaves further ones at degree 2, and who is cut at a cap.
 *
 * Time O(n + pieces log communities), memory 8 bytes a piece. */
#include "core/heap.h"
#include "methods/levelplan/share_search.h"

/* Into how many pieces a vertex of this degree is cut: linked where the cap leaves room for two links and an edge. */
uint32_t ksda_i_share_parts(uint32_t degree, uint32_t cap) {
    if (degree <= cap) return 1;
    return cap > 2 ? (degree - 2 + cap - 3) / (cap - 2) : (degree + cap - 1) / cap;
}

/* The pieces of each community before it leaves any further ones. */
static void count_parts(const ksda_i_share_search *s, uint64_t *pieces) {
    const ksda_i_plan_run *r = s->r;
    for (uint32_t v = 0; v < r->graph->n; v++)
        pieces[r->communities->of[v]] += ksda_i_share_parts(ksda_i_degree(r->graph, v), s->cap);
}

/* The first member of the community that is not cut, by its place in the lists, which have larger degrees first. */
static uint32_t first_whole(const ksda_i_share_search *s, uint32_t c) {
    const ksda_i_ranks *l = &s->r->rounds.lists;
    uint32_t low = l->start[c], high = l->start[c + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (l->degree[middle] > s->cap)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* One more piece from the community, whose members take turns; false where nobody has an edge to spare. next: whose
 * turn it is. Whoever comes after one that has none to spare has no more edges and has left as many pieces: it has none
 * either. */
static bool spawn_one(const ksda_i_share_search *s, uint32_t c, uint32_t *next) {
    const ksda_i_ranks *l = &s->r->rounds.lists;
    for (int turn = 0; turn < 2; turn++, *next = first_whole(s, c)) {
        if (*next == l->start[c + 1] || s->spawn[l->vertex[*next]] + 1 >= l->degree[*next]) continue;
        s->spawn[l->vertex[(*next)++]]++;
        return true;
    }
    return false;
}

/* So many further pieces, for the smallest communities first. next: whose turn it is in each; smallest: room for a
 * heap of them. */
static ksda_status spawn_from_smallest(const ksda_i_share_search *s, const uint64_t *pieces, uint64_t count,
                                       uint32_t *next, ksda_i_ranked *smallest, bool *possible) {
    ksda_status status = KSDA_OK;
    uint32_t size = 0;
    for (uint32_t c = 0; c < s->r->communities->counted; c++)
        ksda_i_heap_push(smallest, &size, (ksda_i_ranked){pieces[c], c}), next[c] = first_whole(s, c);
    for (uint64_t i = 0; i < count && size; i++) {
        ksda_i_ranked x = ksda_i_heap_pop(smallest, &size);
        KSDA_I_TRY(ksda_i_look(s->r->ctx, i));
        if (spawn_one(s, x.item, &next[x.item]))
            ksda_i_heap_push(smallest, &size, (ksda_i_ranked){x.rank + 1, x.item});
        else
            count++; /* nobody of it can leave any more */
    }
    *possible = size > 0 || count == 0;
done:
    return status;
}

/* Further pieces: as many as pigeonhole asks for, and s->extra. */
ksda_status ksda_i_share_spawn(ksda_i_share_search *s, bool *possible) {
    const ksda_i_plan_run *r = s->r;
    uint32_t m = r->communities->count;
    ksda_share share = r->options->max_share;
    uint64_t *pieces = ksda_i_calloc(r->ctx, m, sizeof *pieces), sum = 0, largest = 0;
    uint32_t *next = ksda_i_malloc(r->ctx, m, sizeof *next);
    ksda_i_ranked *smallest = ksda_i_malloc(r->ctx, m, sizeof *smallest);
    ksda_status status = pieces && next && smallest ? KSDA_OK : KSDA_NOMEM;
    memset(s->spawn, 0, r->graph->n * sizeof *s->spawn);
    if (status >= 0) {
        count_parts(s, pieces);
        for (uint32_t c = 0; c < r->communities->counted; c++)
            sum += pieces[c], largest = pieces[c] > largest ? pieces[c] : largest;
        uint64_t wanted = (largest * share.denominator + share.numerator - 1) / share.numerator,
                 count = (wanted > sum ? wanted - sum : 0) + s->extra;
        *possible = count == 0 || s->cap >= 2;
        if (*possible) status = spawn_from_smallest(s, pieces, count, next, smallest, possible);
    }
    ksda_i_free(r->ctx, pieces), ksda_i_free(r->ctx, next), ksda_i_free(r->ctx, smallest);
    return status;
}

uint64_t ksda_i_share_key(const ksda_i_share_search *s) {
    const ksda_i_plan_run *r = s->r;
    uint64_t key = 0;
    for (uint32_t v = 0; v < r->graph->n; v++) {
        uint32_t parts = ksda_i_share_parts(ksda_i_degree(r->graph, v), s->cap);
        key = (key ^ ((uint64_t)parts << 32 | s->spawn[v])) * UINT64_C(0x9e3779b97f4a7c15);
        key ^= key >> 29;
    }
    return key;
}

static ksda_status place_piece(ksda_ctx *ctx, ksda_i_plan *plan, uint64_t *capacity, uint32_t v, uint32_t level) {
    ksda_status status = ksda_i_reserve(ctx, &plan->piece, capacity, (uint64_t)plan->pieces + 1, sizeof *plan->piece);
    if (status >= 0) plan->piece[plan->pieces++] = (ksda_i_placing){v, level};
    return status;
}

/* Where the pieces of a vertex stand. */
static ksda_status place_parts(const ksda_i_share_search *s, uint32_t v, uint32_t parts, ksda_i_plan *plan,
                               uint64_t *capacity) {
    ksda_status status = KSDA_OK;
    uint32_t degree = ksda_i_degree(s->r->graph, v), sum = degree + (s->cap > 2 ? 2 * (parts - 1) : 0);
    if (s->spawn[v]) KSDA_I_TRY(place_piece(s->r->ctx, plan, capacity, v, degree));
    for (uint32_t i = 0; i < s->spawn[v]; i++) KSDA_I_TRY(place_piece(s->r->ctx, plan, capacity, v, 2));
    for (uint32_t i = 0; i < parts && parts > 1; i++) {
        uint32_t level = sum / (parts - i) + (sum % (parts - i) > 0);
        KSDA_I_TRY(place_piece(s->r->ctx, plan, capacity, v, level));
        sum -= level;
    }
done:
    return status;
}

/* Everybody in pieces, each at the degree that it has. */
ksda_status ksda_i_share_cut(const ksda_i_share_search *s, ksda_i_pieces *pieces, bool *found) {
    const ksda_i_plan_run *r = s->r;
    ksda_status status = KSDA_NOMEM;
    ksda_i_plan plan = {.target = ksda_i_malloc(r->ctx, r->graph->n, sizeof *plan.target),
                        .level = ksda_i_malloc(r->ctx, 1, sizeof *plan.level),
                        .levels = 1};
    uint64_t capacity = 0;
    if (!plan.target || !plan.level) goto done;
    plan.level[0] = 1; /* every piece has its place: nothing is left to be cut freely */
    for (uint32_t v = 0; v < r->graph->n; v++) {
        uint32_t degree = ksda_i_degree(r->graph, v), parts = ksda_i_share_parts(degree, s->cap);
        plan.target[v] = parts > 1 || s->spawn[v] ? KSDA_I_SPLIT : degree;
        if (plan.target[v] == KSDA_I_SPLIT) KSDA_I_TRY(place_parts(s, v, parts, &plan, &capacity));
    }
    KSDA_I_TRY(ksda_i_pieces_make(r->ctx, r->graph, r->communities, &plan, r->options->split_weight, pieces, found));
    if (pieces->count) memcpy(pieces->target, pieces->degree, pieces->count * sizeof *pieces->target);
done:
    ksda_i_plan_clear(r->ctx, &plan);
    return status;
}
