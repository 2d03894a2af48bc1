/* Applying edits: the published graph in one go, under the pieces' own numbers or under new ones.
 *
 * Every row is written once, at its final place, by one thread. Without new numbers a row that no edit touches is
 * copied; a touched one is put together from the original row (a neighbour that was split is replaced by the piece that
 * carries the edge) and the added ends, and sorted. With new numbers each row is written renamed and sorted, so that no
 * second graph is needed in between. Rows of split vertices are dealt out to their pieces first, so that a vertex in
 * many pieces is gone through once.
 * Time O(n + m + edits) plus sorting what changed; memory beyond the result: 1 byte a vertex, 4 a further piece and 32
 * an added edge. The result takes 8 bytes an edge and 8 a vertex. */
#include "graph/apply.h"

#include "core/pages.h"
#include "core/parallel.h"
#include "core/sort.h"
#include "graph/peers.h"

#define ROW_GRAIN 1024
#define AHEAD 16 /* entries between asking for a far value and using it */
#define ROWS_AHEAD 8
#define LINES_AHEAD 4

static inline uint32_t number(const ksda_i_applying *j, uint32_t p) {
    return ksda_i_applying_number(j, p);
}

/* --- ends -------------------------------------------------------------------------------------------------------- */

static inline uint64_t end_key(uint32_t p, uint32_t q) {
    return (uint64_t)p << 32 | q;
}

static void put_ends(ksda_i_end_list *l, const ksda_i_pairs *pairs) {
    for (uint64_t i = 0; i < pairs->count; i++) {
        l->key[l->count++] = end_key(pairs->pair[i].u, pairs->pair[i].v);
        l->key[l->count++] = end_key(pairs->pair[i].v, pairs->pair[i].u);
    }
}

/* Either list may be empty. */
static ksda_status make_ends(ksda_ctx *ctx, const ksda_i_pairs *a, const ksda_i_pairs *b, ksda_i_end_list *out) {
    uint64_t room = 2 * (a->count + b->count), *scratch = ksda_i_malloc(ctx, room, sizeof *scratch);
    *out = (ksda_i_end_list){ksda_i_malloc(ctx, room, sizeof *out->key), 0};
    if (scratch && out->key) {
        put_ends(out, a);
        put_ends(out, b);
        ksda_i_sort_u64(out->key, out->count, scratch);
    }
    ksda_i_free(ctx, scratch);
    return scratch && out->key ? KSDA_OK : KSDA_NOMEM;
}

/* The first position with a key of at least `key`. */
static uint64_t find_end(const ksda_i_end_list *l, uint64_t key) {
    uint64_t low = 0, high = l->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (l->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_removed(const ksda_i_applying *j, uint32_t u, uint32_t v) {
    if (j->removed.count == 0) return false;
    uint64_t at = find_end(&j->removed, end_key(u, v));
    return at < j->removed.count && j->removed.key[at] == end_key(u, v);
}

/* --- checking ---------------------------------------------------------------------------------------------------- */

static ksda_status check_pairs(ksda_ctx *ctx, const ksda_edits *e, const ksda_i_pairs *l, const char *what) {
    uint32_t pieces = ksda_edits_pieces(e);
    for (uint64_t i = 0; i < l->count; i++) {
        uint32_t p = l->pair[i].u, q = l->pair[i].v;
        if (p >= pieces || q >= pieces || p == q)
            return ksda_i_error(ctx, KSDA_INVALID, "%s %u-%u: both ends must be different numbers below %u", what, p, q,
                                pieces);
    }
    return KSDA_OK;
}

static ksda_status check_removed(const ksda_i_applying *j) {
    const ksda_edits *e = j->edits;
    for (uint64_t i = 0; i < e->removed.count; i++) {
        ksda_pair r = e->removed.pair[i];
        if (r.u >= e->graph->n || r.v >= e->graph->n || ksda_i_graph_position(e->graph, r.u, r.v) == UINT64_MAX)
            return ksda_i_error(j->ctx, KSDA_INVALID, "removed edge %u-%u is not in the graph", r.u, r.v);
    }
    for (uint64_t i = 1; i < j->removed.count; i++)
        if (j->removed.key[i - 1] == j->removed.key[i])
            return ksda_i_error(j->ctx, KSDA_INVALID, "edge %u-%u is removed twice",
                                (uint32_t)(j->removed.key[i] >> 32), (uint32_t)j->removed.key[i]);
    return KSDA_OK;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

/* Lengths of all rows, in off[number + 1]; and which rows are not simply the original's. */
static void measure_rows(ksda_i_applying *j) {
    const ksda_edits *e = j->edits;
    const ksda_graph *g = e->graph;
    for (uint32_t v = 0; v < g->n; v++)
        if (!ksda_i_split_of(e, v)) j->off[number(j, v) + 1] = ksda_i_degree(g, v);
    for (uint64_t s = 0; s < e->splits; s++) {
        uint32_t v = e->split[s].vertex, degree = ksda_i_degree(g, v);
        for (uint32_t i = 0; i < degree; i++) {
            j->off[number(j, e->split[s].carrier[i]) + 1]++;
            if (e->split[s].carrier[i] != v) j->touched[g->adj[g->off[v] + i]] = 1;
        }
    }
    for (uint64_t i = 0; i < j->removed.count; i++) {
        uint32_t v = (uint32_t)(j->removed.key[i] >> 32), w = (uint32_t)j->removed.key[i];
        uint32_t at = (uint32_t)(ksda_i_graph_position(g, v, w) - g->off[v]);
        j->off[number(j, ksda_edits_carrier(e, v, at)) + 1]--;
        j->touched[v] = 1;
    }
    for (uint64_t i = 0; i < j->extra.count; i++) {
        uint32_t p = (uint32_t)(j->extra.key[i] >> 32);
        j->off[number(j, p) + 1]++;
        if (p < g->n) j->touched[p] = 1;
    }
    for (uint32_t p = 0; p < j->pieces; p++) j->off[p + 1] += j->off[p];
}

/* The piece that carries the other end of v's edge to w. */
static inline uint32_t other_end(const ksda_i_applying *j, uint32_t v, uint32_t w) {
    const ksda_graph *g = j->edits->graph;
    const ksda_i_split *s = ksda_i_split_of(j->edits, w);
    return s ? s->carrier[ksda_i_graph_position(g, w, v) - g->off[w]] : w;
}

/* How many of piece p's entries are added edges and links, and where they begin. */
static uint64_t extra_ends(const ksda_i_applying *j, uint32_t p, uint64_t *first) {
    uint64_t last = *first = find_end(&j->extra, (uint64_t)p << 32);
    while (last < j->extra.count && j->extra.key[last] >> 32 == p) last++;
    return last - *first;
}

/* How many of its entries are original edges. */
static uint32_t original_ends(const ksda_i_applying *j, uint32_t p, uint64_t extra) {
    return (uint32_t)(j->off[number(j, p) + 1] - j->off[number(j, p)] - extra);
}

/* Where the original edges of a piece of a split vertex are dealt to. */
static uint64_t dealt_number(const ksda_i_applying *j, uint32_t p) {
    const ksda_edits *e = j->edits;
    return p < e->graph->n ? e->split_of[p] - 1 : e->splits + p - e->graph->n;
}
static uint32_t *dealt_place(const ksda_i_applying *j, uint32_t p) {
    return j->adj ? j->adj + j->off[number(j, p)] : j->dealt + j->dealt_off[dealt_number(j, p)];
}

typedef struct dealing {
    const ksda_i_applying *j;
    uint32_t *filled; /* [pieces - n] entries that a further piece has got */
} dealing;

/* Give every entry of a split vertex' row to the piece that carries it. */
static void deal_rows(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const dealing *d = data;
    const ksda_i_applying *j = d->j;
    const ksda_graph *g = j->edits->graph;
    (void)thread;
    for (uint64_t s = begin; s < end; s++) {
        uint32_t v = j->edits->split[s].vertex, first = 0;
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
            uint32_t p = j->edits->split[s].carrier[i - g->off[v]];
            if (is_removed(j, v, g->adj[i])) continue;
            uint32_t at = p == v ? first++ : d->filled[p - g->n]++;
            dealt_place(j, p)[at] = other_end(j, v, g->adj[i]);
        }
    }
}

static ksda_status deal_edges(ksda_i_applying *j) {
    const ksda_edits *e = j->edits;
    dealing d = {j, ksda_i_calloc(j->ctx, e->extra, sizeof *d.filled)};
    if (!d.filled) return KSDA_NOMEM;
    ksda_i_parallel(j->ctx, e->splits, 64, deal_rows, &d);
    ksda_i_free(j->ctx, d.filled);
    return ksda_i_interrupted(j->ctx);
}

/* Room for what is dealt, where not all rows are kept. */
static ksda_status make_dealt(ksda_i_applying *j) {
    const ksda_edits *e = j->edits;
    uint64_t first, count = e->splits + e->extra;
    j->dealt_off = ksda_i_calloc(j->ctx, count + 1, sizeof *j->dealt_off);
    if (!j->dealt_off) return KSDA_NOMEM;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t p = i < e->splits ? e->split[i].vertex : (uint32_t)(e->graph->n + i - e->splits);
        j->dealt_off[i + 1] = j->dealt_off[i] + original_ends(j, p, extra_ends(j, p, &first));
    }
    j->dealt = ksda_i_malloc(j->ctx, j->dealt_off[count], sizeof *j->dealt);
    return j->dealt ? KSDA_OK : KSDA_NOMEM;
}

/* The original part of an unsplit vertex' row: first the neighbours that keep their number, in order, then the pieces
 * that others have become. Returns how many are in order. */
static uint32_t copy_row(const ksda_i_applying *j, uint32_t v, uint32_t *row, uint32_t *scratch) {
    const ksda_graph *g = j->edits->graph;
    uint32_t kept = 0, moved = 0;
    if (!j->touched[v]) {
        kept = ksda_i_degree(g, v);
        memcpy(row, g->adj + g->off[v], kept * sizeof *row);
        return kept;
    }
    const uint32_t *adj = g->adj, *split_of = j->edits->split_of;
    for (uint64_t i = g->off[v], end = g->off[v + 1]; i < end; i++) {
        uint32_t w = adj[i];
        if (split_of && i + AHEAD < end) __builtin_prefetch(&split_of[adj[i + AHEAD]]);
        if (is_removed(j, v, w)) continue;
        uint32_t p = other_end(j, v, w);
        if (p == w)
            row[kept++] = p;
        else
            scratch[moved++] = p;
    }
    memcpy(row + kept, scratch, moved * sizeof *row);
    return kept;
}

/* Sort a row of which the first `kept` entries are in order already. */
static void sort_tail(uint32_t *row, uint32_t kept, uint32_t length, uint32_t *scratch) {
    uint32_t tail = length - kept, to = length;
    ksda_i_sort_u32(row + kept, tail, scratch);
    if (kept == 0 || tail == 0 || row[kept - 1] < row[kept]) return;
    memcpy(scratch, row + kept, tail * sizeof *row);
    while (tail) row[--to] = kept && row[kept - 1] > scratch[tail - 1] ? row[--kept] : scratch[--tail];
}

/* Zeros for those below `limit`, and behind them the others, in any order. Returns how many are below. */
static uint32_t part_below(uint32_t limit, uint32_t *row, uint32_t length) {
    uint32_t above = 0;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t w = row[i];
        row[above] = w; /* overwritten by the next one unless it counts */
        above += w > limit;
    }
    memmove(row + (length - above), row, above * sizeof *row);
    memset(row, 0, (length - above) * sizeof *row);
    return length - above;
}

static bool has_twice(const uint32_t *row, uint32_t length) {
    for (uint32_t i = 1; i < length; i++)
        if (row[i - 1] == row[i]) return true;
    return false;
}

/* The row of somebody whom no edit has touched, renamed. */
static void rename_row(const ksda_i_applying *j, uint32_t v, uint32_t *row) {
    const ksda_graph *g = j->edits->graph;
    const uint32_t *from = g->adj + g->off[v], *to = j->to;
    for (uint32_t i = 0, degree = ksda_i_degree(g, v); i < degree; i++) row[i] = to[from[i]];
}

bool ksda_i_applying_row(const ksda_i_applying *j, uint32_t p, ksda_i_row_order order, uint32_t *row,
                         uint32_t *scratch) {
    const uint32_t n = j->edits->graph->n, *to = j->to;
    bool plain = p < n && !ksda_i_split_of(j->edits, p), touched = p >= n || j->touched[p] || !plain;
    uint64_t first = 0, extra = touched ? extra_ends(j, p, &first) : 0;
    uint32_t length = original_ends(j, p, extra), kept = 0;
    if (!touched && to)
        rename_row(j, p, row);
    else if (plain)
        kept = copy_row(j, p, row, scratch);
    else if (row != dealt_place(j, p))
        memcpy(row, dealt_place(j, p), length * sizeof *row);
    for (; extra; extra--) row[length++] = (uint32_t)j->extra.key[first++];
    if (touched && to) {
        for (uint32_t i = 0; i < length; i++) row[i] = to[row[i]];
        kept = 0;
    }
    if (order == KSDA_I_ROW_ABOVE && to) {
        uint32_t below = part_below(to[p], row, length);
        ksda_i_sort_u32(row + below, length - below, scratch);
        return true;
    }
    if (order == KSDA_I_ROW_ANY || (!touched && !to)) return true;
    sort_tail(row, kept, length, scratch);
    return !touched || !has_twice(row, length);
}

ksda_status ksda_i_applying_complain(const ksda_i_applying *j, uint32_t p, const uint32_t *row) {
    uint32_t length = (uint32_t)(j->off[number(j, p) + 1] - j->off[number(j, p)]), i = 1, q = 0;
    while (i + 1 < length && row[i - 1] != row[i]) i++;
    while (number(j, q) != row[i]) q++;
    return ksda_i_error(j->ctx, KSDA_INVALID, "edge %u-%u of the edits is there already", p, q);
}

/* --- beginning --------------------------------------------------------------------------------------------------- */

static ksda_status make_room(ksda_i_applying *j, bool keep) {
    const ksda_edits *e = j->edits;
    uint64_t ends = 2 * e->graph->m + j->extra.count - j->removed.count;
    j->off = ksda_i_calloc(j->ctx, (uint64_t)j->pieces + 1, sizeof *j->off);
    j->adj = keep ? ksda_i_malloc(j->ctx, ends, sizeof *j->adj) : NULL;
    j->touched = ksda_i_calloc(j->ctx, e->graph->n, 1);
    if (!j->off || (keep && !j->adj) || !j->touched) return KSDA_NOMEM;
    if (keep) ksda_i_pages_huge(j->adj, ends * sizeof *j->adj);
    measure_rows(j);
    for (uint32_t p = 0; p < j->pieces; p++)
        if (j->off[p + 1] - j->off[p] > j->longest) j->longest = (uint32_t)(j->off[p + 1] - j->off[p]);
    return keep ? KSDA_OK : make_dealt(j);
}

ksda_status ksda_i_applying_begin(ksda_ctx *ctx, const ksda_edits *edits, const uint32_t *to, bool keep,
                                  ksda_i_applying *out) {
    static const ksda_i_pairs none = {NULL, 0, 0};
    ksda_status status;
    *out = (ksda_i_applying){.ctx = ctx, .edits = edits, .to = to, .pieces = ksda_edits_pieces(edits)};
    KSDA_I_TRY(check_pairs(ctx, edits, &edits->added, "added edge"));
    KSDA_I_TRY(check_pairs(ctx, edits, &edits->links, "link"));
    KSDA_I_TRY(make_ends(ctx, &edits->added, &edits->links, &out->extra));
    KSDA_I_TRY(make_ends(ctx, &edits->removed, &none, &out->removed));
    KSDA_I_TRY(check_removed(out));
    KSDA_I_TRY(make_room(out, keep));
    KSDA_I_TRY(deal_edges(out));
done:
    return status;
}

void ksda_i_applying_clear(ksda_i_applying *j) {
    ksda_i_free(j->ctx, j->extra.key);
    ksda_i_free(j->ctx, j->removed.key);
    ksda_i_free(j->ctx, j->touched);
    ksda_i_free(j->ctx, j->dealt);
    ksda_i_free(j->ctx, j->dealt_off);
    ksda_i_free(j->ctx, j->off);
    ksda_i_free(j->ctx, j->adj);
}

/* --- all of it --------------------------------------------------------------------------------------------------- */

typedef struct writing {
    const ksda_i_applying *j;
    uint32_t *from;    /* [pieces] the piece of a number; NULL where they are the same */
    uint32_t *scratch; /* [threads * longest] */
    uint32_t *twice;   /* [ranges] the first piece with a neighbour twice, or KSDA_NO_VERTEX */
} writing;

/* Original rows are read in the order of the new numbers: no order at all, but it is known beforehand. */
static void ask_for_row(const writing *w, uint64_t number) {
    const ksda_graph *g = w->j->edits->graph;
    if (!w->from || number + 2 * ROWS_AHEAD >= w->j->pieces) return;
    uint32_t p = w->from[number + ROWS_AHEAD], later = w->from[number + 2 * ROWS_AHEAD];
    if (later < g->n) __builtin_prefetch(&g->off[later]);
    if (p < g->n)
        for (uint64_t i = g->off[p], end = g->off[p + 1], line = 0; i < end && line < LINES_AHEAD; i += 16, line++)
            __builtin_prefetch(&g->adj[i]);
}

static void write_rows(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const writing *w = data;
    const ksda_i_applying *j = w->j;
    uint32_t *twice = &w->twice[begin / ROW_GRAIN], *scratch = w->scratch + (uint64_t)thread * j->longest;
    if (ksda_i_cancelled(j->ctx)) return;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t p = w->from ? w->from[i] : (uint32_t)i;
        ask_for_row(w, i);
        if (!ksda_i_applying_row(j, p, KSDA_I_ROW_SORTED, j->adj + j->off[i], scratch) && p < *twice) *twice = p;
    }
}

static ksda_status invert(const ksda_i_applying *j, uint32_t **from) {
    *from = ksda_i_malloc(j->ctx, j->pieces, sizeof **from);
    if (!*from) return KSDA_NOMEM;
    ksda_i_pages_huge(*from, j->pieces * sizeof **from);
    for (uint32_t p = 0; p < j->pieces; p++) (*from)[j->to[p]] = p;
    return KSDA_OK;
}

static ksda_status write_all(ksda_i_applying *j) {
    uint64_t ranges = j->pieces / ROW_GRAIN + 1;
    writing w = {.j = j,
                 .scratch = ksda_i_malloc(j->ctx, (uint64_t)ksda_ctx_threads(j->ctx) * j->longest, sizeof *w.scratch),
                 .twice = ksda_i_malloc(j->ctx, ranges, sizeof *w.twice)};
    ksda_status status = w.scratch && w.twice ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0 && j->to) status = invert(j, &w.from);
    if (status >= 0) {
        memset(w.twice, 0xff, ranges * sizeof *w.twice);
        ksda_i_parallel(j->ctx, j->pieces, ROW_GRAIN, write_rows, &w);
        status = ksda_i_interrupted(j->ctx);
    }
    uint32_t twice = KSDA_NO_VERTEX;
    for (uint64_t i = 0; i < ranges && status >= 0; i++)
        if (w.twice[i] < twice) twice = w.twice[i];
    if (twice != KSDA_NO_VERTEX) status = ksda_i_applying_complain(j, twice, j->adj + j->off[number(j, twice)]);
    ksda_i_free(j->ctx, w.from);
    ksda_i_free(j->ctx, w.scratch);
    ksda_i_free(j->ctx, w.twice);
    return status;
}

ksda_status ksda_i_edits_apply_as(ksda_ctx *ctx, const ksda_edits *edits, const uint32_t *to, const uint8_t *key,
                                  ksda_graph **out) {
    ksda_i_applying j = {.ctx = ctx};
    ksda_status status;
    *out = NULL;
    if (edits->graph->far && edits->graph->far->apply && to && edits->removed.count == 0) {
        status = edits->graph->far->apply(ctx, edits, to, key, out);
        if (status < 0 || *out) return status;
    }
    ksda_i_graph_need_all(edits->graph);
    KSDA_I_TRY(ksda_i_applying_begin(ctx, edits, to, true, &j));
    KSDA_I_TRY(write_all(&j));
    status = ksda_i_graph_take(ctx, j.pieces, j.off, j.adj, out);
    j.off = NULL, j.adj = NULL;
done:
    ksda_i_applying_clear(&j);
    return status;
}

ksda_status ksda_edits_apply(ksda_ctx *ctx, const ksda_edits *edits, ksda_graph **out) {
    return ksda_i_edits_apply_as(ctx, edits, NULL, NULL, out);
}
