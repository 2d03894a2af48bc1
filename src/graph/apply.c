/* Applying edits: the published graph in one go, under the pieces' own numbers or under new ones.
 *
 * Every row is written once, at its final place, by one thread. Without new numbers a row that no edit touches is
 * copied; a touched one is put together from the original row (a neighbour that was split is replaced by the piece that
 * carries the edge) and the added ends, and sorted. With new numbers each row is written renamed and sorted, so that no
 * second graph is needed in between. Rows of split vertices are dealt out to their pieces first.
 * Time O(n + m + edits) plus sorting what changed; memory beyond the result: 5 bytes a piece and 32 an added edge. The
 * result takes 8 bytes an edge and 8 a vertex. */
#include "core/keyed.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/sized.h"
#include "core/sort.h"
#include "graph/communities.h"
#include "graph/edits.h"
#include "graph/peers.h"

#define ROW_GRAIN 1024
#define AHEAD 16 /* entries between asking for a far value and using it */

/* Both ends of a list of edges as keys, piece in the upper half, neighbour in the lower, ascending. */
typedef struct end_list {
    uint64_t *key;
    uint64_t count;
} end_list;

typedef struct apply_job {
    ksda_ctx *ctx;
    const ksda_edits *edits;
    const uint32_t *to; /* [pieces] new numbers, or NULL */
    uint32_t pieces;
    end_list extra; /* added edges and links */
    end_list removed;
    char *touched;   /* [n] the row is not simply the original one */
    uint32_t *dealt; /* [pieces - n] entries of the original row that a further piece has got */
    uint64_t *off;   /* [pieces + 1] by new number */
    uint32_t *adj;
    uint32_t **scratch; /* [threads] as long as the longest row */
    uint32_t *twice;    /* [ranges] the first piece with a neighbour twice, or KSDA_NO_VERTEX */
} apply_job;

static inline uint32_t number(const apply_job *j, uint32_t p) {
    return j->to ? j->to[p] : p;
}

/* --- ends -------------------------------------------------------------------------------------------------------- */

static inline uint64_t end_key(uint32_t p, uint32_t q) {
    return (uint64_t)p << 32 | q;
}

static void put_ends(end_list *l, const ksda_i_pairs *pairs) {
    for (uint64_t i = 0; i < pairs->count; i++) {
        l->key[l->count++] = end_key(pairs->pair[i].u, pairs->pair[i].v);
        l->key[l->count++] = end_key(pairs->pair[i].v, pairs->pair[i].u);
    }
}

/* Either list may be empty. */
static ksda_status make_ends(ksda_ctx *ctx, const ksda_i_pairs *a, const ksda_i_pairs *b, end_list *out) {
    uint64_t room = 2 * (a->count + b->count), *scratch = ksda_i_malloc(ctx, room, sizeof *scratch);
    *out = (end_list){ksda_i_malloc(ctx, room, sizeof *out->key), 0};
    if (scratch && out->key) {
        put_ends(out, a);
        put_ends(out, b);
        ksda_i_sort_u64(out->key, out->count, scratch);
    }
    ksda_i_free(ctx, scratch);
    return scratch && out->key ? KSDA_OK : KSDA_NOMEM;
}

/* The first position with a key of at least `key`. */
static uint64_t find_end(const end_list *l, uint64_t key) {
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

static bool is_removed(const apply_job *j, uint32_t u, uint32_t v) {
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

static ksda_status check_removed(const apply_job *j) {
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

/* Say which edge is there twice: p's row is known to have one. */
static ksda_status complain_twice(const apply_job *j, uint32_t p) {
    const uint32_t *row = j->adj + j->off[number(j, p)];
    uint32_t length = (uint32_t)(j->off[number(j, p) + 1] - j->off[number(j, p)]), i = 1, q = 0;
    while (i + 1 < length && row[i - 1] != row[i]) i++;
    while (number(j, q) != row[i]) q++;
    return ksda_i_error(j->ctx, KSDA_INVALID, "edge %u-%u of the edits is there already", p, q);
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

/* Lengths of all rows, in off[number + 1]; and which rows are not simply the original's. */
static void measure_rows(apply_job *j) {
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
static inline uint32_t other_end(const apply_job *j, uint32_t v, uint32_t w) {
    const ksda_graph *g = j->edits->graph;
    const ksda_i_split *s = ksda_i_split_of(j->edits, w);
    return s ? s->carrier[ksda_i_graph_position(g, w, v) - g->off[w]] : w;
}

/* Give every entry of a split vertex' row to the piece that carries it. */
static void deal_rows(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    apply_job *j = data;
    const ksda_graph *g = j->edits->graph;
    (void)thread;
    for (uint64_t s = begin; s < end; s++) {
        uint32_t v = j->edits->split[s].vertex, first = 0;
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
            uint32_t p = j->edits->split[s].carrier[i - g->off[v]];
            if (is_removed(j, v, g->adj[i])) continue;
            uint32_t at = p == v ? first++ : j->dealt[p - g->n]++;
            j->adj[j->off[number(j, p)] + at] = other_end(j, v, g->adj[i]);
        }
    }
}

/* The original part of an unsplit vertex' row: first the neighbours that keep their number, in order, then the pieces
 * that others have become. Returns how many are in order. */
static uint32_t copy_row(const apply_job *j, uint32_t v, uint32_t *row, uint32_t *scratch) {
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

/* Rename and sort; false when a neighbour stands there twice. */
static bool finish_row(const apply_job *j, uint32_t *row, uint32_t kept, uint32_t length, uint32_t *scratch) {
    const uint32_t *to = j->to;
    if (to) {
        for (uint32_t i = 0; i < length; i++) row[i] = to[row[i]];
        kept = 0;
    }
    sort_tail(row, kept, length, scratch);
    for (uint32_t i = 1; i < length; i++)
        if (row[i - 1] == row[i]) return false;
    return true;
}

static void write_rows(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    apply_job *j = data;
    const ksda_edits *e = j->edits;
    uint64_t extra = find_end(&j->extra, begin << 32);
    uint32_t twice = KSDA_NO_VERTEX, *scratch = j->scratch[thread];
    if (ksda_i_cancelled(j->ctx)) return;
    for (uint32_t p = (uint32_t)begin; p < end; p++) {
        uint32_t *row = j->adj + j->off[number(j, p)], kept = 0;
        bool plain = p < e->graph->n && !ksda_i_split_of(e, p);
        uint64_t last = extra;
        while (last < j->extra.count && j->extra.key[last] >> 32 == p) last++;
        uint32_t length = (uint32_t)(j->off[number(j, p) + 1] - j->off[number(j, p)] - (last - extra));
        if (plain) kept = copy_row(j, p, row, scratch);
        for (; extra < last; extra++) row[length++] = (uint32_t)j->extra.key[extra];
        if (plain && !j->touched[p] && !j->to) continue;
        if (!finish_row(j, row, kept, length, scratch) && twice == KSDA_NO_VERTEX) twice = p;
    }
    j->twice[begin / ROW_GRAIN] = twice;
}

/* --- all of it --------------------------------------------------------------------------------------------------- */

static ksda_status make_room(apply_job *j) {
    const ksda_edits *e = j->edits;
    uint64_t ends = 2 * e->graph->m + j->extra.count - j->removed.count, longest = 0;
    j->off = ksda_i_calloc(j->ctx, (uint64_t)j->pieces + 1, sizeof *j->off);
    j->adj = ksda_i_malloc(j->ctx, ends, sizeof *j->adj);
    j->touched = ksda_i_calloc(j->ctx, e->graph->n, 1);
    j->dealt = ksda_i_calloc(j->ctx, e->extra, sizeof *j->dealt);
    j->twice = ksda_i_malloc(j->ctx, j->pieces / ROW_GRAIN + 1, sizeof *j->twice);
    j->scratch = ksda_i_calloc(j->ctx, ksda_ctx_threads(j->ctx), sizeof *j->scratch);
    if (!j->off || !j->adj || !j->touched || !j->dealt || !j->twice || !j->scratch) return KSDA_NOMEM;
    memset(j->twice, 0xff, (j->pieces / ROW_GRAIN + 1) * sizeof *j->twice);
    measure_rows(j);
    for (uint32_t p = 0; p < j->pieces; p++)
        if (j->off[p + 1] - j->off[p] > longest) longest = j->off[p + 1] - j->off[p];
    for (unsigned t = 0; t < ksda_ctx_threads(j->ctx); t++) {
        j->scratch[t] = ksda_i_malloc(j->ctx, longest, sizeof **j->scratch);
        if (!j->scratch[t]) return KSDA_NOMEM;
    }
    return KSDA_OK;
}

static void free_job(apply_job *j) {
    for (unsigned t = 0; j->scratch && t < ksda_ctx_threads(j->ctx); t++) ksda_i_free(j->ctx, j->scratch[t]);
    ksda_i_free(j->ctx, j->scratch);
    ksda_i_free(j->ctx, j->extra.key);
    ksda_i_free(j->ctx, j->removed.key);
    ksda_i_free(j->ctx, j->touched);
    ksda_i_free(j->ctx, j->dealt);
    ksda_i_free(j->ctx, j->twice);
    ksda_i_free(j->ctx, j->off);
    ksda_i_free(j->ctx, j->adj);
}

/* key: the one that the new numbers are made of, or NULL. */
static ksda_status apply(ksda_ctx *ctx, const ksda_edits *edits, const uint32_t *to, const uint8_t *key,
                         ksda_graph **out) {
    static const ksda_i_pairs none = {NULL, 0, 0};
    apply_job job = {.ctx = ctx, .edits = edits, .to = to, .pieces = ksda_edits_pieces(edits)};
    ksda_status status;
    *out = NULL;
    if (edits->graph->far && to && edits->removed.count == 0) {
        status = edits->graph->far->apply(ctx, edits, to, key, out);
        if (status < 0 || *out) return status;
    }
    ksda_i_graph_need_all(edits->graph);
    KSDA_I_TRY(check_pairs(ctx, edits, &edits->added, "added edge"));
    KSDA_I_TRY(check_pairs(ctx, edits, &edits->links, "link"));
    KSDA_I_TRY(make_ends(ctx, &edits->added, &edits->links, &job.extra));
    KSDA_I_TRY(make_ends(ctx, &edits->removed, &none, &job.removed));
    KSDA_I_TRY(check_removed(&job));
    KSDA_I_TRY(make_room(&job));
    ksda_i_parallel(ctx, edits->splits, 64, deal_rows, &job);
    ksda_i_parallel(ctx, job.pieces, ROW_GRAIN, write_rows, &job);
    KSDA_I_TRY(ksda_i_interrupted(ctx));
    for (uint64_t i = 0; i <= job.pieces / ROW_GRAIN; i++)
        if (job.twice[i] != KSDA_NO_VERTEX) KSDA_I_TRY(complain_twice(&job, job.twice[i]));
    status = ksda_i_graph_take(ctx, job.pieces, job.off, job.adj, out);
    job.off = NULL, job.adj = NULL;
done:
    free_job(&job);
    return status;
}

ksda_status ksda_edits_apply(ksda_ctx *ctx, const ksda_edits *edits, ksda_graph **out) {
    return apply(ctx, edits, NULL, NULL, out);
}

/* --- releasing --------------------------------------------------------------------------------------------------- */

static const ksda_i_sized kind = KSDA_I_RESULT(ksda_release, communities);

void ksda_release_clear(ksda_ctx *ctx, ksda_release *release) {
    if (!ksda_i_result_holds(&kind, release)) return;
    ksda_graph_free(ctx, release->graph);
    ksda_communities_free(ctx, release->communities);
    ksda_i_free(ctx, release->owner);
    ksda_i_result_empty(&kind, release);
}

static ksda_status permutation(ksda_ctx *ctx, int insecure, uint32_t n, uint32_t *out) {
    if (!insecure) return ksda_i_permutation_secure(ctx, n, out);
    ksda_i_permutation_seeded(ctx, n, out);
    return KSDA_OK;
}

/* The same by a key that others can be told instead of the permutation. */
static ksda_status keyed_permutation(ksda_ctx *ctx, uint32_t n, uint8_t key[KSDA_I_KEY_BYTES], uint32_t *out) {
    ksda_i_keyed keyed;
    ksda_status status = ksda_i_key_draw(ctx, key);
    if (status >= 0) status = ksda_i_keyed_open(ctx, key, n, &keyed);
    if (status < 0) return status;
    for (uint32_t i = 0; i < n; i++) out[i] = ksda_i_keyed_at(&keyed, i);
    ksda_i_keyed_close(ctx, &keyed);
    return KSDA_OK;
}

/* The communities of the pieces. Labels that the user gave are the user's to publish; those that were made here follow
 * the order of the original vertices, so they change places. */
static ksda_status release_communities(ksda_ctx *ctx, const ksda_communities *c, int insecure, uint32_t pieces,
                                       ksda_release *release) {
    ksda_status status = KSDA_NOMEM;
    uint32_t made = c->count - c->given, *to = ksda_i_malloc(ctx, c->count, sizeof *to);
    if (!to) return KSDA_NOMEM;
    for (uint32_t i = 0; i < c->given; i++) to[i] = i;
    KSDA_I_TRY(permutation(ctx, insecure, made, to + c->given));
    for (uint32_t i = c->given; i < c->count; i++) to[i] += c->given;
    KSDA_I_TRY(ksda_i_communities_pull(ctx, c, pieces, release->owner, to, &release->communities));
done:
    ksda_i_free(ctx, to);
    return status;
}

ksda_status ksda_i_release_make(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities,
                                int insecure_ids, uint32_t **numbers, ksda_release *out) {
    ksda_status status = ksda_i_result_check(ctx, &kind, out);
    if (status >= 0 && communities) status = ksda_i_communities_fit(ctx, communities, edits->graph);
    if (status < 0) return status;
    uint32_t pieces = ksda_edits_pieces(edits);
    ksda_release release = KSDA_INIT(ksda_release);
    uint32_t *to = ksda_i_malloc(ctx, pieces, sizeof *to);
    uint8_t key[KSDA_I_KEY_BYTES];
    bool keyed = edits->graph->far && !insecure_ids;
    status = KSDA_NOMEM;
    release.owner = ksda_i_malloc(ctx, pieces, sizeof *release.owner);
    if (!to || !release.owner) goto done;
    KSDA_I_TRY(keyed ? keyed_permutation(ctx, pieces, key, to) : permutation(ctx, insecure_ids, pieces, to));
    for (uint32_t p = 0; p < pieces; p++) release.owner[to[p]] = ksda_edits_owner(edits, p);
    KSDA_I_TRY(apply(ctx, edits, to, keyed ? key : NULL, &release.graph));
    KSDA_I_TRY(release_communities(ctx, communities, insecure_ids, pieces, &release));
    ksda_i_result_give(&kind, out, &release);
    ksda_i_result_empty(&kind, &release);
    if (numbers) *numbers = to, to = NULL;
done:
    explicit_bzero(key, sizeof key);
    ksda_release_clear(ctx, &release);
    ksda_i_free(ctx, to);
    return status;
}

ksda_status ksda_release_make(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities,
                              int insecure_ids, ksda_release *out) {
    return ksda_i_release_make(ctx, edits, communities, insecure_ids, NULL, out);
}
