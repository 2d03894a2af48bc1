/* A release while it is being changed edge by edge.
 *
 * Who is adjacent to whom is a bit matrix. Pieces stand in one array by degree, where a change of one moves a piece
 * across one boundary; beside it are counted the pieces of each community at each degree, and the degrees that too few
 * communities have are listed. So a change takes O(n / 64), for the neighbours in common; going back and reading take
 * O(pieces^2 / 64 + m). */
#include "methods/levelplan/draft.h"
#include "core/bits.h"

static uint64_t *row_of(const ksda_i_draft *d, uint64_t *matrix, uint32_t p) {
    return matrix + (uint64_t)p * d->words;
}
static void flip_adjacency(const ksda_i_draft *d, uint64_t *matrix, uint32_t p, uint32_t q) {
    row_of(d, matrix, p)[q / 64] ^= UINT64_C(1) << (q % 64);
    row_of(d, matrix, q)[p / 64] ^= UINT64_C(1) << (p % 64);
}
static bool is_tied(const ksda_i_draft *d, uint32_t p, uint32_t q) {
    return row_of(d, d->tied, p)[q / 64] >> (q % 64) & 1;
}
static bool siblings(const ksda_i_draft *d, uint32_t p, uint32_t q) {
    return d->owner[p] == d->owner[q];
}

/* --- degrees ----------------------------------------------------------------------------------------------------- */

/* The degree has come into order or out of it. */
static void list_other(ksda_i_draft *d, uint32_t degree) {
    if (d->bad_at[degree] == UINT32_MAX) {
        d->bad_at[degree] = d->bads, d->bad[d->bads++] = degree;
    } else {
        uint32_t last = d->bad[--d->bads];
        d->bad[d->bad_at[degree]] = last, d->bad_at[last] = d->bad_at[degree];
        d->bad_at[degree] = UINT32_MAX;
    }
}
static inline void list_bad(ksda_i_draft *d, uint32_t degree) {
    if (ksda_i_census_in_order(&d->census, degree) != (d->bad_at[degree] == UINT32_MAX)) list_other(d, degree);
}

static void exchange_places(ksda_i_draft *d, uint32_t p, uint32_t where) {
    uint32_t other = d->order[where], from = d->at[p];
    d->order[where] = p, d->at[p] = where;
    d->order[from] = other, d->at[other] = from;
}

/* Piece p has one edge more, or one less. */
static void shift_degree(ksda_i_draft *d, uint32_t p, bool up) {
    uint32_t c = d->of[p], from = d->degree[p], to = up ? from + 1 : from - 1;
    if (up)
        exchange_places(d, p, --d->start[from + 1]);
    else
        exchange_places(d, p, d->start[from]++);
    d->degree[p] = to;
    if (ksda_i_census_remove(&d->census, from, c)) list_bad(d, from);
    if (ksda_i_census_add(&d->census, to, c)) list_bad(d, to);
}

/* --- changes ----------------------------------------------------------------------------------------------------- */

/* An edge inside a circle of friends costs nothing; one between strangers most. */
static double distance(const ksda_i_draft *d, uint32_t p, uint32_t q) {
    uint32_t u = d->owner[p], w = d->owner[q], common = 0;
    const uint64_t *a = d->known + (uint64_t)u * d->owner_words, *b = d->known + (uint64_t)w * d->owner_words;
    for (uint32_t i = 0; i < d->owner_words; i++) common += ksda_i_bits_set(a[i] & b[i]);
    uint32_t du = ksda_i_degree(d->graph, u), dw = ksda_i_degree(d->graph, w);
    return 2 * common > (du < dw ? du : dw) ? 0 : common ? d->stranger / 2 : d->stranger;
}

static void toggle(ksda_i_draft *d, uint32_t p, uint32_t q) {
    flip_adjacency(d, d->tied, p, q), flip_adjacency(d, d->made, p, q);
    bool on = ksda_i_draft_is_made(d, p, q);
    if (!siblings(d, p, q)) {
        double price = distance(d, p, q);
        d->added += on ? 1 : UINT64_MAX;
        d->far += on ? price : -price;
    }
    d->making[p] += on ? 1 : UINT32_MAX, d->making[q] += on ? 1 : UINT32_MAX;
    shift_degree(d, p, on), shift_degree(d, q, on);
}

static void hand_over(ksda_i_draft *d, uint64_t place, uint32_t to, uint32_t far) {
    uint32_t from = d->carrier[place];
    flip_adjacency(d, d->tied, from, far), flip_adjacency(d, d->tied, to, far);
    d->carrier[place] = to;
    d->carried[from]--, d->carried[to]++;
    shift_degree(d, from, false), shift_degree(d, to, true);
}

/* The piece at the other end of the original edge at that place in v's row. */
static uint32_t far_end(const ksda_i_draft *d, uint32_t v, uint64_t place) {
    return d->carrier[ksda_i_graph_position(d->graph, d->graph->adj[place], v)];
}

void ksda_i_draft_toggle(ksda_i_draft *d, uint32_t p, uint32_t q) {
    d->step[d->steps++] = (ksda_i_change){.p = p, .q = q};
    toggle(d, p, q);
}

bool ksda_i_draft_hand_over(ksda_i_draft *d, uint32_t v, uint64_t place, uint32_t to) {
    uint32_t far = far_end(d, v, place);
    if (is_tied(d, to, far)) return false;
    d->step[d->steps++] = (ksda_i_change){.carries = true, .p = d->carrier[place], .q = far, .place = place};
    hand_over(d, place, to, far);
    return true;
}

void ksda_i_draft_undo(ksda_i_draft *d) {
    while (d->steps) {
        ksda_i_change c = d->step[--d->steps];
        if (c.carries)
            hand_over(d, c.place, c.p, c.q);
        else
            toggle(d, c.p, c.q);
    }
}

bool ksda_i_draft_may_add(const ksda_i_draft *d, uint32_t p, uint32_t q) {
    if (siblings(d, p, q) || is_tied(d, p, q)) return false;
    return ksda_i_may_connect(d->communities, d->owner[p], d->owner[q]) ||
           ksda_graph_adjacent(d->graph, d->owner[p], d->owner[q]);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

/* Degrees and adjacency from the original edges as they are carried. */
static void tie_originals(ksda_i_draft *d) {
    const ksda_graph *g = d->graph;
    memset(d->carried, 0, d->count * sizeof *d->carried);
    for (uint64_t i = 0; i < 2 * g->m; i++) d->carried[d->carrier[i]]++;
    memcpy(d->degree, d->carried, d->count * sizeof *d->degree);
    memcpy(d->tied, d->made, (uint64_t)d->count * d->words * sizeof *d->tied);
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t place = g->off[v]; place < g->off[v + 1]; place++)
            if (g->adj[place] > v) flip_adjacency(d, d->tied, d->carrier[place], far_end(d, v, place));
}

/* And from the edges made. */
static void count_made(ksda_i_draft *d) {
    d->added = 0, d->far = 0;
    for (uint32_t p = 0; p < d->count; p++) {
        d->making[p] = 0;
        for (uint32_t i = 0; i < d->words; i++)
            for (uint64_t bits = row_of(d, d->made, p)[i]; bits; bits &= bits - 1) {
                uint32_t q = 64 * i + (uint32_t)__builtin_ctzll(bits);
                d->making[p]++, d->degree[p]++;
                if (q > p && !siblings(d, p, q)) d->added++, d->far += distance(d, p, q);
            }
    }
}

/* Sort the pieces by degree and count communities. */
static void sort_degrees(ksda_i_draft *d) {
    memset(d->start, 0, ((uint64_t)d->degrees + 1) * sizeof *d->start);
    ksda_i_census_empty(&d->census, d->degrees);
    for (uint32_t p = 0; p < d->count; p++) {
        d->start[d->degree[p]]++;
        ksda_i_census_add(&d->census, d->degree[p], d->of[p]);
    }
    for (uint32_t i = 1; i <= d->degrees; i++) d->start[i] += d->start[i - 1]; /* where each ends */
    for (uint32_t p = d->count; p-- > 0;) {
        d->at[p] = --d->start[d->degree[p]];
        d->order[d->at[p]] = p;
    }
    d->bads = 0;
    for (uint32_t i = 0; i < d->degrees; i++) {
        d->bad_at[i] = UINT32_MAX;
        list_bad(d, i);
    }
}

static void count_all_degrees(ksda_i_draft *d) {
    tie_originals(d);
    count_made(d);
    sort_degrees(d);
    d->steps = 0;
}

void ksda_i_draft_keep(ksda_i_draft *d) {
    memcpy(d->kept_made, d->made, (uint64_t)d->count * d->words * sizeof *d->made);
    if (d->graph->m) memcpy(d->kept_carrier, d->carrier, 2 * d->graph->m * sizeof *d->carrier);
    d->kept = d->added;
}

void ksda_i_draft_go_back(ksda_i_draft *d) {
    memcpy(d->made, d->kept_made, (uint64_t)d->count * d->words * sizeof *d->made);
    if (d->graph->m) memcpy(d->carrier, d->kept_carrier, 2 * d->graph->m * sizeof *d->carrier);
    count_all_degrees(d);
}

/* The end at place i goes back to who carried it first, for another one that does not belong there. */
static void give_back(ksda_i_draft *d, uint32_t v, uint64_t i) {
    uint32_t from = d->carrier[i], to = d->dealt[i];
    for (uint64_t j = d->graph->off[v]; j < d->graph->off[v + 1]; j++) {
        if (d->carrier[j] != to || d->dealt[j] == to) continue;
        d->steps = 0;
        if (ksda_i_draft_hand_over(d, v, i, to) && ksda_i_draft_hand_over(d, v, j, from)) return;
        ksda_i_draft_undo(d);
    }
}

void ksda_i_draft_deal_again(ksda_i_draft *d) {
    for (uint32_t s = 0; s < d->splits; s++) {
        uint32_t v = d->split[s];
        for (uint64_t i = d->graph->off[v]; i < d->graph->off[v + 1]; i++)
            if (d->carrier[i] != d->dealt[i]) give_back(d, v, i);
    }
}

/* --- from edits and back ----------------------------------------------------------------------------------------- */

static ksda_status allocate(ksda_i_draft *d, uint32_t k, ksda_share share) {
    ksda_ctx *ctx = d->ctx;
    uint64_t n = d->graph->n, count = d->count, m = d->communities->count, bits = count * d->words,
             ends = 2 * d->graph->m;
    d->owner = ksda_i_malloc(ctx, count, sizeof *d->owner);
    d->of = ksda_i_malloc(ctx, count, sizeof *d->of);
    d->sibling = ksda_i_malloc(ctx, count, sizeof *d->sibling);
    d->split = ksda_i_malloc(ctx, count - n, sizeof *d->split);
    d->home = ksda_i_calloc(ctx, m + 2, sizeof *d->home);
    d->member = ksda_i_malloc(ctx, count, sizeof *d->member);
    d->known = ksda_i_calloc(ctx, n * d->owner_words, sizeof *d->known);
    d->carrier = ksda_i_malloc(ctx, ends, sizeof *d->carrier);
    d->kept_carrier = ksda_i_malloc(ctx, ends, sizeof *d->kept_carrier);
    d->dealt = ksda_i_malloc(ctx, ends, sizeof *d->dealt);
    d->made = ksda_i_calloc(ctx, bits, sizeof *d->made);
    d->kept_made = ksda_i_malloc(ctx, bits, sizeof *d->kept_made);
    d->tied = ksda_i_malloc(ctx, bits, sizeof *d->tied);
    d->making = ksda_i_malloc(ctx, count, sizeof *d->making);
    d->carried = ksda_i_malloc(ctx, count, sizeof *d->carried);
    d->degree = ksda_i_malloc(ctx, count, sizeof *d->degree);
    d->order = ksda_i_malloc(ctx, count, sizeof *d->order);
    d->at = ksda_i_malloc(ctx, count, sizeof *d->at);
    d->start = ksda_i_malloc(ctx, (uint64_t)d->degrees + 1, sizeof *d->start);
    d->bad = ksda_i_malloc(ctx, d->degrees, sizeof *d->bad);
    d->bad_at = ksda_i_malloc(ctx, d->degrees, sizeof *d->bad_at);
    if (ksda_i_census_open_share(ctx, d->communities, k, share, d->degrees, d->count, &d->census) < 0)
        return KSDA_NOMEM;
    return d->owner && d->of && d->sibling && d->split && d->home && d->member && d->known && d->carrier &&
                   d->kept_carrier && d->dealt && d->made && d->kept_made && d->tied && d->making && d->carried &&
                   d->degree && d->order && d->at && d->start && d->bad && d->bad_at
               ? KSDA_OK
               : KSDA_NOMEM;
}

void ksda_i_draft_close(ksda_i_draft *d) {
    void *block[] = {d->owner,   d->of,    d->sibling, d->split, d->home,   d->member,    d->known,
                     d->carrier, d->dealt, d->made,    d->tied,  d->making, d->carried,   d->degree,
                     d->order,   d->at,    d->start,   d->bad,   d->bad_at, d->kept_made, d->kept_carrier};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) ksda_i_free(d->ctx, block[i]);
    ksda_i_census_close(d->ctx, &d->census);
}

/* Who is whose piece, and who is where. */
static void list_pieces(ksda_i_draft *d, const ksda_edits *edits) {
    for (uint32_t p = 0; p < d->count; p++) {
        uint32_t v = d->owner[p] = ksda_edits_owner(edits, p);
        d->of[p] = d->communities->of[v];
        d->sibling[p] = p;
        if (p != v) {
            if (d->sibling[v] == v) d->split[d->splits++] = v;
            d->sibling[p] = d->sibling[v], d->sibling[v] = p;
        }
        d->home[d->of[p] + 2]++;
    }
    for (uint32_t c = 0; c < d->communities->count; c++) d->home[c + 2] += d->home[c + 1];
    for (uint32_t p = 0; p < d->count; p++) d->member[d->home[d->of[p] + 1]++] = p;
}

static void read_edges(ksda_i_draft *d, const ksda_edits *edits) {
    const ksda_graph *g = d->graph;
    const ksda_pair *pair;
    for (uint32_t v = 0; v < g->n; v++)
        for (uint32_t i = 0; i < ksda_i_degree(g, v); i++) {
            uint32_t w = g->adj[g->off[v] + i];
            d->dealt[g->off[v] + i] = d->carrier[g->off[v] + i] = ksda_edits_carrier(edits, v, i);
            d->known[(uint64_t)v * d->owner_words + w / 64] |= UINT64_C(1) << (w % 64);
        }
    uint64_t added = ksda_edits_added(edits, &pair);
    for (uint64_t i = 0; i < added; i++) flip_adjacency(d, d->made, pair[i].u, pair[i].v);
    uint64_t links = ksda_edits_links(edits, &pair);
    for (uint64_t i = 0; i < links; i++) flip_adjacency(d, d->made, pair[i].u, pair[i].v);
}

ksda_status ksda_i_draft_open(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
                              ksda_share share, const ksda_edits *edits, double stranger, ksda_i_draft *d) {
    *d = (ksda_i_draft){.ctx = ctx, .graph = graph, .communities = communities, .stranger = stranger};
    d->count = ksda_edits_pieces(edits);
    d->words = (d->count + 63) / 64, d->owner_words = (graph->n + 63) / 64;
    d->degrees = d->count; /* in a simple graph no degree is larger than d->count - 1 */
    ksda_status status = allocate(d, k, share);
    if (status < 0) return status;
    list_pieces(d, edits);
    read_edges(d, edits);
    count_all_degrees(d);
    ksda_i_draft_keep(d);
    return KSDA_OK;
}

ksda_status ksda_i_draft_write(ksda_i_draft *d, ksda_edits **out) {
    const ksda_graph *g = d->graph;
    ksda_status status;
    uint32_t number;
    ksda_i_draft_go_back(d);
    KSDA_I_TRY(ksda_edits_new(d->ctx, g, out));
    for (uint32_t p = g->n; p < d->count; p++) KSDA_I_TRY(ksda_edits_split(d->ctx, *out, d->owner[p], &number));
    for (uint32_t i = 0; i < d->splits; i++) {
        uint32_t v = d->split[i];
        for (uint32_t j = 0; j < ksda_i_degree(g, v); j++)
            KSDA_I_TRY(ksda_edits_carry(d->ctx, *out, v, j, d->carrier[g->off[v] + j]));
    }
    for (uint32_t p = 0; p < d->count; p++)
        for (uint32_t q = p + 1; q < d->count; q++) {
            if (!ksda_i_draft_is_made(d, p, q)) continue;
            if (siblings(d, p, q))
                KSDA_I_TRY(ksda_edits_link(d->ctx, *out, p, q));
            else
                KSDA_I_TRY(ksda_edits_add_edge(d->ctx, *out, p, q));
        }
done:
    if (status < 0) {
        ksda_edits_free(d->ctx, *out);
        *out = NULL;
    }
    return status;
}
