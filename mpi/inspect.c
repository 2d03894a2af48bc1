/* Conditions 2 to 4 of privacy/verify.c, with the rows of both graphs where they are.
 *
 * Most people have the edges that they had. So every process first adds up, for everybody, secretly keyed hashes of the
 * published edges less those of the original ones, each counted for one of its two people: where the sum of all
 * processes is 0 they are the same. Only edges of the others, and of those who were split, are looked at one by one:
 *
 * Every process walks its rows of the published graph and sends each such edge, once and as the pair of people whose it
 * is, to the process that has the row of one of them: the smaller where edges are kept there only, else now the one and
 * now the other, so that nobody gets most of them because its people have the small numbers. That looks it up there and
 * marks it: found the first time it is the original edge, found again it is one more representative, not found it must
 * be inside a community. Original edges without a mark are lost. Edges at people who were split go with the two
 * published vertices as well, and those that carry an original edge are marked, too. Sent: 8 bytes a
 * vertex, and 5 or 6 an edge that is looked at, less what stays; memory: a bit for every end, and 8 bytes a vertex for
 * owners and communities; 8 more while sums are made. */
#include "world.h"

#include "core/pages.h"

#define MOST_MAIL ((uint64_t)1 << 18)
#define GROUP 32                        /* edges that are looked up at once */
#define AHEAD 32                        /* ends whose owner is looked up before their turn */
#define ABREAST 8                       /* neighbours that are looked at together, whether any is watched */
#define MOST_WALKED ((uint64_t)1 << 22) /* neighbours in a round, and a row */
#define MOST_SUMS ((uint64_t)1 << 20)   /* that are added up over all processes at a time */

typedef struct inspection {
    ksda_ctx *ctx;
    const mpi_share *original, *published;
    uint64_t size[2];     /* people; published vertices */
    uint32_t *of, *owner; /* [size[0]], [size[1]] */
    uint8_t *pieces;      /* [size[0]] published vertices of each, 2 for more */
    uint64_t *seen;       /* a bit for every end of the original that is here */
    uint64_t *carries;    /* a bit for every published vertex */
    bool split;           /* is anybody? */
    ksda_i_hash_key key;  /* the same everywhere */
    uint64_t *changed;    /* a bit for everybody whose edges are not the same */
    uint64_t *watched;    /* a bit for every published vertex whose edges are looked at one by one */
    uint32_t p;           /* the row that is walked next, from neighbour i on */
    uint64_t i;
    mpi_mail plain, at_split; /* at_split: the pair of people, then the published vertices one by one */
    ksda_i_inspected found;
} inspection;

/* Is the edge of u and v looked up in the row of u? In one of the two. */
static inline bool is_looked_up_at(const inspection *x, uint32_t u, uint32_t v) {
    return x->original->halves && !x->original->turns ? u < v : mpi_is_turn_of(u, v);
}

static bool is_split(const inspection *x, uint32_t v) {
    return x->pieces[v] > 1;
}

static void count_pieces(inspection *x) {
    for (uint64_t p = 0; p < x->size[1]; p++) {
        uint8_t *count = &x->pieces[x->owner[p]];
        *count += *count < 2;
        x->split |= *count > 1;
    }
}

static bool is_plain(const inspection *x, uint32_t u, uint32_t v) {
    return !x->split || (!is_split(x, u) && !is_split(x, v));
}

/* Are the edges that are looked up at u, who is not split, looked at one by one? */
static bool is_changed(const inspection *x, uint32_t u) {
    return x->changed[u >> 6] >> (u & 63) & 1;
}

/* --- sums ------------------------------------------------------------------------------------------------------------
 */

static uint64_t hash_edge(const inspection *x, uint32_t u, uint32_t v) {
    return ksda_i_hash_number(&x->key, u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u);
}

/* Some edges, each with the one of its people that it is counted for. They are added when as many have come after them,
 * so that the sums have come from memory meanwhile. */
typedef struct counted {
    uint32_t who[2][GROUP];
    uint64_t hash[2][GROUP];
    unsigned half, count, waiting; /* in the half that is being filled, and in the other one */
} counted;

static void add_waiting(counted *c, uint64_t *sum) {
    c->half = !c->half;
    for (unsigned i = 0; i < c->waiting; i++) sum[c->who[c->half][i]] += c->hash[c->half][i];
    c->waiting = c->count, c->count = 0;
}

static void sum_published(const inspection *x, uint32_t p, uint64_t *sum, counted *c) {
    const mpi_share *h = x->published;
    const uint32_t *adj = h->adj, *owner = x->owner, u = owner[p];
    uint64_t stop = h->off[p - h->first + 1], last = h->off[h->last - h->first] - 1;
    for (uint64_t i = h->off[p - h->first]; i < stop; i++) {
        uint32_t q = adj[i], v = owner[q];
        __builtin_prefetch(&owner[adj[i + AHEAD < last ? i + AHEAD : last]]);
        uint32_t who = is_looked_up_at(x, u, v) ? u : v;
        __builtin_prefetch(&sum[who], 1);
        c->who[c->half][c->count] = who, c->hash[c->half][c->count] = hash_edge(x, u, v);
        c->count += (q > p) & (u != v) & is_plain(x, u, v);
        if (c->count == GROUP) add_waiting(c, sum);
    }
}

static void sum_original(const inspection *x, uint32_t u, uint64_t *sum) {
    const mpi_share *s = x->original;
    uint64_t all = 0;
    for (uint64_t i = s->off[u - s->first]; i < s->off[u - s->first + 1]; i++)
        if (is_looked_up_at(x, u, s->adj[i]) && is_plain(x, u, s->adj[i])) all += hash_edge(x, u, s->adj[i]);
    sum[u] -= all;
}

/* What this process has of the sums. */
static ksda_status sum_edges(const inspection *x, uint64_t *sum) {
    const mpi_share *h = x->published, *s = x->original;
    ksda_status status = KSDA_OK;
    counted c = {.count = 0};
    for (uint32_t p = h->first; p < h->last && status >= 0; p++) {
        sum_published(x, p, sum, &c);
        if (p % 65536 == 0) status = ksda_i_progress(x->ctx, "verifying", p - h->first, h->last - h->first);
    }
    add_waiting(&c, sum), add_waiting(&c, sum);
    for (uint32_t u = s->first; u < s->last && status >= 0; u++) {
        sum_original(x, u, sum);
        if (u % 65536 == 0) status = ksda_i_progress(x->ctx, "verifying", u - s->first, s->last - s->first);
    }
    return status;
}

static ksda_status find_changed(inspection *x) {
    uint64_t n = x->size[0], *sum = ksda_i_calloc(x->ctx, n, sizeof *sum);
    if (sum) ksda_i_pages_huge(sum, n * sizeof *sum); /* added to in no order */
    ksda_status status = mpi_agree_on_status(x->ctx, sum ? sum_edges(x, sum) : KSDA_NOMEM, 0);
    for (uint64_t at = 0; at < n && status >= 0; at += MOST_SUMS)
        mpi_reduce_all(KSDA_I_REDUCE_SUM, sum + at, n - at < MOST_SUMS ? n - at : MOST_SUMS);
    for (uint64_t u = 0; u < n && status >= 0; u++) x->changed[u >> 6] |= (uint64_t)(sum[u] != 0) << (u & 63);
    ksda_i_free(x->ctx, sum);
    return status;
}

/* Whoever is changed or split, as published: most edges are at nobody of those, and are passed without a look at whose
 * they are. */
static void watch_changed(inspection *x) {
    for (uint64_t p = 0; p < x->size[1]; p++) {
        uint32_t u = x->owner[p];
        x->watched[p >> 6] |= (uint64_t)(is_changed(x, u) || is_split(x, u)) << (p & 63);
    }
}

static bool is_watched(const inspection *x, uint32_t p) {
    return x->watched[p >> 6] >> (p & 63) & 1;
}

/* --- walking ---------------------------------------------------------------------------------------------------------
 */

static void send_edge(inspection *x, uint32_t p, uint32_t q) {
    uint32_t u = x->owner[p], v = x->owner[q];
    if (u == v) {
        x->found.links++;
        return;
    }
    bool here = is_looked_up_at(x, u, v), split = !is_plain(x, u, v);
    uint32_t row = here ? u : v, other = here ? v : u;
    if (!split && !is_changed(x, row)) return;
    mpi_mail *mail = split ? &x->at_split : &x->plain;
    mpi_mail_put(mail, x->original->range, row, other);
    if (!split) return;
    mpi_mail_put(mail, x->original->range, row, here ? p : q);
    mpi_mail_put(mail, x->original->range, row, here ? q : p);
}

/* The first one from i on that is watched, or the end: several are looked at before anything branches. */
static uint64_t next_watched(const inspection *x, const uint32_t *row, uint64_t i, uint64_t length) {
    for (; i + ABREAST <= length; i += ABREAST) {
        uint64_t any = 0;
        for (unsigned j = 0; j < ABREAST; j++) any |= x->watched[row[i + j] >> 6] >> (row[i + j] & 63);
        if (any & 1) break;
    }
    while (i < length && !is_watched(x, row[i])) i++;
    return i;
}

/* As many edges as a round takes; false when there are no more. */
static bool send_published_edges(inspection *x) {
    const mpi_share *h = x->published;
    uint64_t walked = 0;
    for (; x->p < h->last; x->p++, x->i = 0) {
        uint64_t begin = h->off[x->p - h->first], length = h->off[x->p - h->first + 1] - begin;
        bool watched = is_watched(x, x->p);
        if (walked > MOST_WALKED) return true;
        walked += length;
        for (;; x->i++) {
            if (!watched) x->i = next_watched(x, h->adj + begin, x->i, length);
            if (x->i >= length) break;
            uint32_t q = h->adj[begin + x->i];
            if (q < x->p) continue;
            if (!mpi_mail_has_room(&x->plain, 1) || (x->split && !mpi_mail_has_room(&x->at_split, 3))) return true;
            send_edge(x, x->p, q);
        }
    }
    return false;
}

/* --- judging ---------------------------------------------------------------------------------------------------------
 */

static void blame_person(inspection *x, uint32_t u) {
    if (x->found.wrong == KSDA_NO_VERTEX || u < x->found.wrong) x->found.wrong = u;
}

/* Some pairs that came, and the part of the row of u in which the first one is that is not below v. */
typedef struct group {
    uint32_t u[GROUP], v[GROUP];
    uint64_t low[GROUP], stop[GROUP]; /* stop: the end of the row */
    uint32_t left[GROUP], longest;
} group;

/* The i-th pair that has come. */
static void pair_that_came(const inspection *x, const mpi_mail *mail, uint64_t i, uint32_t *u, uint32_t *v) {
    mpi_mail_get(mail, i, u, v);
    *u += x->original->first;
}

static void open_group(const inspection *x, const mpi_mail *mail, uint64_t first, uint64_t step, unsigned count,
                       group *g) {
    const mpi_share *s = x->original;
    g->longest = 0;
    for (unsigned i = 0; i < count; i++) {
        pair_that_came(x, mail, first + i * step, &g->u[i], &g->v[i]);
        __builtin_prefetch(&s->off[g->u[i] - s->first]);
    }
    for (unsigned i = 0; i < count; i++) {
        bool row = g->u[i] < s->last; /* people without an edge have none */
        g->low[i] = row ? s->off[g->u[i] - s->first] : 0;
        g->stop[i] = row ? s->off[g->u[i] - s->first + 1] : 0;
        g->left[i] = (uint32_t)(g->stop[i] - g->low[i]);
        if (g->left[i] > g->longest) g->longest = g->left[i];
        __builtin_prefetch(&s->adj[g->low[i] + g->left[i] / 2]);
    }
}

/* All of them at once, step by step: what one has to wait for from memory comes while the others are looked at, and
 * nothing branches on what is found. Where nothing is left one more is looked at, in vain: behind the last row there is
 * room. */
static void search_group(const inspection *x, unsigned count, group *g) {
    const uint32_t *adj = x->original->adj;
    for (uint32_t longest = g->longest; longest > 0; longest /= 2)
        for (unsigned i = 0; i < count; i++) {
            uint32_t left = g->left[i], half = left / 2;
            uint32_t below = (left > 0) & (adj[g->low[i] + half] < g->v[i]);
            g->low[i] += below ? half + 1 : 0;
            g->left[i] = below ? left - half - 1 : half;
            __builtin_prefetch(&adj[g->low[i] + g->left[i] / 2]);
        }
    for (unsigned i = 0; i < count; i++) __builtin_prefetch(&x->seen[g->low[i] >> 6], 1);
}

/* Is it an original edge? */
static bool judge_edge(inspection *x, const group *g, unsigned i) {
    uint32_t u = g->u[i], v = g->v[i];
    uint64_t at = g->low[i];
    if (at == g->stop[i] || x->original->adj[at] != v) {
        if (x->of[u] == x->of[v])
            x->found.added++;
        else
            blame_person(x, u < v ? u : v);
        return false;
    }
    uint64_t bit = UINT64_C(1) << (at & 63);
    x->found.further += (x->seen[at >> 6] & bit) != 0;
    x->seen[at >> 6] |= bit;
    return true;
}

static void mark_carrier(inspection *x, uint32_t p) {
    x->carries[p >> 6] |= UINT64_C(1) << (p & 63);
}

static void judge_plain(inspection *x, uint64_t came) {
    group g;
    for (uint64_t first = 0; first < came; first += GROUP) {
        unsigned count = came - first < GROUP ? (unsigned)(came - first) : GROUP;
        open_group(x, &x->plain, first, 1, count, &g);
        search_group(x, count, &g);
        for (unsigned i = 0; i < count; i++) judge_edge(x, &g, i);
    }
}

/* In threes: who, and the two published vertices. */
static void judge_at_split(inspection *x, uint64_t came) {
    group g;
    uint32_t u, p, q;
    for (uint64_t first = 0; first < came; first += 3 * GROUP) {
        unsigned count = came - first < 3 * GROUP ? (unsigned)(came - first) / 3 : GROUP;
        open_group(x, &x->at_split, first, 3, count, &g);
        search_group(x, count, &g);
        for (unsigned i = 0; i < count; i++) {
            if (!judge_edge(x, &g, i)) continue;
            pair_that_came(x, &x->at_split, first + 3 * i + 1, &u, &p);
            pair_that_came(x, &x->at_split, first + 3 * i + 2, &u, &q);
            mark_carrier(x, p), mark_carrier(x, q);
        }
    }
}

static ksda_status judge_mail(inspection *x, ksda_status status, bool *more) {
    uint64_t plain, at_split = 0;
    KSDA_I_TRY(mpi_mail_send(&x->plain, status, more, &plain));
    if (x->split) KSDA_I_TRY(mpi_mail_send(&x->at_split, KSDA_OK, more, &at_split));
    judge_plain(x, plain);
    judge_at_split(x, at_split);
done:
    return status;
}

/* Edges that nobody has seen, and published vertices that carry none. */
static void find_missing(inspection *x) {
    const mpi_share *s = x->original;
    for (uint32_t u = s->first; u < s->last; u++)
        for (uint64_t i = s->off[u - s->first]; (x->split || is_changed(x, u)) && i < s->off[u - s->first + 1]; i++)
            if (!(x->seen[i >> 6] >> (i & 63) & 1) && is_looked_up_at(x, u, s->adj[i]) &&
                (is_changed(x, u) || !is_plain(x, u, s->adj[i])))
                blame_person(x, u < s->adj[i] ? u : s->adj[i]);
}

static void find_idle(inspection *x) {
    if (!x->split) return;
    mpi_reduce_all(KSDA_I_REDUCE_OR, x->carries, x->size[1] / 64 + 1);
    for (uint64_t p = 0; p < x->size[1]; p++)
        if (is_split(x, x->owner[p]) && !(x->carries[p >> 6] >> (p & 63) & 1)) blame_person(x, x->owner[p]);
}

/* --- together --------------------------------------------------------------------------------------------------------
 */

/* owner and of at the first process. */
static ksda_status open_inspection(inspection *x, const uint32_t *owner, const uint32_t *of) {
    bool first = world.rank == 0;
    const mpi_share *s = x->original;
    x->of = first ? (uint32_t *)of : ksda_i_malloc(x->ctx, x->size[0], sizeof *x->of);
    x->owner = first ? (uint32_t *)owner : ksda_i_malloc(x->ctx, x->size[1], sizeof *x->owner);
    x->pieces = ksda_i_calloc(x->ctx, x->size[0], sizeof *x->pieces);
    x->seen = ksda_i_calloc(x->ctx, s->off[s->last - s->first] / 64 + 1, sizeof *x->seen);
    x->carries = ksda_i_calloc(x->ctx, x->size[1] / 64 + 1, sizeof *x->carries);
    x->changed = ksda_i_calloc(x->ctx, x->size[0] / 64 + 1, sizeof *x->changed);
    x->watched = ksda_i_calloc(x->ctx, x->size[1] / 64 + 1, sizeof *x->watched);
    bool room = x->of && x->owner && x->pieces && x->seen && x->carries && x->changed && x->watched;
    ksda_status status = room ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0 && !first) ksda_i_pages_huge(x->owner, x->size[1] * sizeof *x->owner); /* read in no order */
    uint64_t n = x->size[0] > x->size[1] ? x->size[0] : x->size[1];
    if (status >= 0) status = mpi_mail_open(x->ctx, &x->plain, MOST_MAIL, s->range, x->size[0]);
    if (status >= 0) status = mpi_mail_open(x->ctx, &x->at_split, MOST_MAIL, s->range, n);
    return mpi_agree_on_status(x->ctx, status, 0);
}

static void close_inspection(inspection *x) {
    if (world.rank > 0) ksda_i_free(x->ctx, x->of), ksda_i_free(x->ctx, x->owner);
    ksda_i_free(x->ctx, x->pieces);
    ksda_i_free(x->ctx, x->seen);
    ksda_i_free(x->ctx, x->carries);
    ksda_i_free(x->ctx, x->changed);
    ksda_i_free(x->ctx, x->watched);
    mpi_mail_close(&x->plain);
    mpi_mail_close(&x->at_split);
}

static void sum_up_findings(inspection *x) {
    uint64_t sum[3] = {x->found.added, x->found.links, x->found.further}, wrong = x->found.wrong;
    mpi_reduce_all(KSDA_I_REDUCE_SUM, sum, 3);
    mpi_reduce_all(KSDA_I_REDUCE_MIN, &wrong, 1);
    x->found = (ksda_i_inspected){sum[0], sum[1], sum[2], (uint32_t)wrong};
}

static ksda_status inspect_together(inspection *x, const uint32_t *owner, const uint32_t *of) {
    ksda_status status;
    mpi_broadcast(x->size, sizeof x->size, 0);
    KSDA_I_TRY(open_inspection(x, owner, of));
    mpi_broadcast(x->of, x->size[0] * sizeof *x->of, 0);
    mpi_broadcast(x->owner, x->size[1] * sizeof *x->owner, 0);
    x->key = x->ctx->hash_key;
    mpi_broadcast(&x->key, sizeof x->key, 0);
    count_pieces(x);
    KSDA_I_TRY(find_changed(x));
    watch_changed(x);
    x->p = x->published->first;
    x->found.wrong = KSDA_NO_VERTEX;
    for (bool more = true; more;) {
        more = send_published_edges(x);
        status =
            ksda_i_progress(x->ctx, "verifying", x->p - x->published->first, x->published->last - x->published->first);
        KSDA_I_TRY(judge_mail(x, status, &more));
    }
    find_missing(x);
    find_idle(x);
    sum_up_findings(x);
done:
    close_inspection(x);
    return status;
}

ksda_status mpi_inspect_release(ksda_ctx *ctx, const ksda_graph *original, const ksda_graph *published,
                                const uint32_t *owner, const uint32_t *of, ksda_i_inspected *out) {
    inspection x = {.ctx = ctx,
                    .original = original->far_data,
                    .published = published->far_data,
                    .size = {original->n, published->n}};
    mpi_work_together(ctx);
    mpi_send_order_to_all(MPI_ORDER_INSPECT, x.original->handle, x.published->handle, 0);
    ksda_status status = inspect_together(&x, owner, of);
    mpi_work_alone(ctx);
    *out = x.found;
    return status;
}

void mpi_inspect_release_serve(unsigned original, unsigned published) {
    inspection x = {.ctx = world.ctx, .original = world.share[original], .published = world.share[published]};
    inspect_together(&x, NULL, NULL);
}
