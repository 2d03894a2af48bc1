/* Everybody in pieces at the levels of a set: who goes where, who is missing, who is out of reach.
 *
 * A piece of u can be adjacent to the pieces of u's neighbours, of its community and its siblings, and so reach no
 * level above their number; it can reach one up to it if the others have needs as well. A vertex out of reach is
 * helped by splitting its neighbours, the one that helps most first; a vertex that lacks too much can be cut into two
 * lower pieces instead. Time O(n + m) for the first layout and O(n + neighbours) for every split. */
#include "methods/levelplan/levelset.h"

#include "core/sort.h"

#include <math.h>
#include <stdlib.h>

#define HELP_UNITS 2u  /* of work, for one further piece, for every vertex and piece */
#define COVER_UNITS 6u /* the same, for one look at a level */
#define ALONE_EDGES 4u /* looked at for one unit */

/* --- pieces and levels ----------------------------------------------------------------------------------------- */

static uint32_t community_of(const ksda_i_levelset *f, uint32_t x) {
    return f->communities->of[f->owner[x]];
}

/* What piece x lacks, where its vertex is whole. */
static uint32_t need_of(const ksda_i_levelset *f, uint32_t x) {
    uint32_t degree = ksda_i_degree(f->graph, f->owner[x]);
    return f->pieces[f->owner[x]] == 1 && f->level[f->at[x]] > degree ? f->level[f->at[x]] - degree : 0;
}

static void arrive_at_level(ksda_i_levelset *f, uint32_t x, uint32_t level) {
    f->at[x] = level;
    f->degrees += f->level[level];
    f->raised[community_of(f, x)] += need_of(f, x) > 0;
    ksda_i_census_add(&f->census, level, community_of(f, x));
}

void ksda_i_levelset_move(ksda_i_levelset *f, uint32_t x, uint32_t to) {
    f->raised[community_of(f, x)] -= need_of(f, x) > 0;
    f->degrees -= f->level[f->at[x]];
    ksda_i_census_remove(&f->census, f->at[x], community_of(f, x));
    arrive_at_level(f, x, to);
}

bool ksda_i_levelset_may_leave(const ksda_i_levelset *f, uint32_t x) {
    return ksda_i_census_spares(&f->census, f->at[x], community_of(f, x));
}

/* The lowest level that is at least that high; there is one. */
static uint32_t level_from(const ksda_i_levelset *f, uint32_t degree) {
    uint32_t low = 0, high = f->levels - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (f->level[middle] < degree)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Call for v's neighbours in other communities. */
#define EACH_OUTSIDE(f, v, w)                                                                                          \
    for (uint64_t i_ = (f)->graph->off[v]; i_ < (f)->inside[v] && ((w) = (f)->around_row[i_], true); i_++)

static bool may_split(const ksda_i_levelset *f, uint32_t v) {
    return f->pieces[v] < ksda_i_degree(f->graph, v) && f->count < KSDA_I_LEVELSET_PIECES;
}

/* v, which may_split(), gets one more piece at that level. */
static void add_piece(ksda_i_levelset *f, uint32_t v, uint32_t level) {
    uint32_t w;
    f->raised[f->communities->of[v]] -= need_of(f, v) > 0;
    f->owner[f->count] = v;
    f->pieces[v]++;
    arrive_at_level(f, f->count++, level);
    f->extra[f->communities->of[v]]++;
    EACH_OUTSIDE(f, v, w) f->around[w]++;
}

/* Rows ascend, so going over all of them in order each row is met in its own. */
static void find_mirrors(ksda_i_levelset *f, uint64_t *next) {
    const ksda_graph *g = f->graph;
    memcpy(next, g->off, g->n * sizeof *next);
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) f->mirror[next[g->adj[i]]++] = (uint32_t)(i - g->off[v]);
}

/* Members of every community, the largest degrees first. */
static ksda_status rank_members(ksda_i_levelset *f) {
    const ksda_communities *c = f->communities;
    uint64_t *key = ksda_i_malloc(f->ctx, 2 * (uint64_t)f->graph->n, sizeof *key);
    if (!key) return KSDA_NOMEM;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t size = ksda_i_community_size(c, i), from = c->start[i];
        for (uint32_t j = 0; j < size; j++) {
            uint32_t v = c->member[from + j];
            key[j] = (uint64_t)(UINT32_MAX - ksda_i_degree(f->graph, v)) << 32 | v;
        }
        ksda_i_sort_u64(key, size, key + f->graph->n);
        for (uint32_t j = 0; j < size; j++) f->ranked[from + j] = (uint32_t)key[j];
    }
    ksda_i_free(f->ctx, key);
    return KSDA_OK;
}

ksda_status ksda_i_levelset_look_around(ksda_i_levelset *f) {
    const ksda_graph *g = f->graph;
    find_mirrors(f, f->inside);
    for (uint32_t v = 0; v < g->n; v++) {
        uint64_t outside = g->off[v], inside = g->off[v + 1];
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
            bool own = f->communities->of[g->adj[i]] == f->communities->of[v];
            f->around_row[own ? --inside : outside++] = g->adj[i];
        }
        f->inside[v] = inside;
        f->whole[v] = (uint32_t)(inside - g->off[v]) + ksda_i_community_size(f->communities, f->communities->of[v]) - 1;
    }
    return rank_members(f);
}

/* Everybody at the next level above, those beyond the top in pieces; false when there are too many of them. */
static bool place_pieces(ksda_i_levelset *f) {
    uint32_t top = f->level[f->levels - 1], n = f->graph->n;
    f->count = n, f->degrees = 0;
    ksda_i_census_empty(&f->census, f->levels);
    memcpy(f->around, f->whole, n * sizeof *f->around);
    memset(f->extra, 0, f->communities->count * sizeof *f->extra);
    memset(f->raised, 0, f->communities->count * sizeof *f->raised);
    for (uint32_t v = 0; v < n; v++) f->owner[v] = v, f->pieces[v] = 1;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t degree = ksda_i_degree(f->graph, v), rest = degree;
        arrive_at_level(f, v, level_from(f, degree < top ? degree : top));
        while (rest > top) {
            rest -= top;
            if (!may_split(f, v)) return false;
            add_piece(f, v, level_from(f, rest < top ? rest : top));
        }
    }
    return true;
}

/* --- who is missing -------------------------------------------------------------------------------------------- */

/* So many splits of others it takes, about, until a piece of v can reach that degree: one often serves several. */
static double out_of_reach(const ksda_i_levelset *f, uint32_t v, uint32_t degree) {
    uint32_t around = ksda_i_levelset_around(f, v);
    if (f->learning && f->reach[v] < around) around = f->reach[v];
    return degree > around ? 0.5 * f->weight * (degree - around) : 0;
}

double ksda_i_levelset_shaken(const ksda_i_levelset *f, uint64_t number, double cost) {
    if (!f->shake) return cost;
    uint64_t mix = (f->shake ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return cost * (1 + (double)(mix >> 40) * 0x1p-24 / 3);
}

/* The edges that it takes to raise piece x to that degree: half of one for each need that meets another. */
static double raise_cost(const ksda_i_levelset *f, uint32_t x, uint32_t degree) {
    uint32_t v = f->owner[x], more = degree - f->level[f->at[x]], before = need_of(f, x);
    if (f->pieces[v] > 1) return 0.5 * more;
    uint32_t others = f->raised[f->communities->of[v]] - (before > 0), need = degree - ksda_i_degree(f->graph, v);
    uint32_t alone = need > others ? need - others : 0, was = before > others ? before - others : 0;
    return 0.5 * (more + (alone - was));
}

/* Neither is looked at where the least that it can cost is too much. */
static void consider(const ksda_i_levelset *f, uint32_t level, uint32_t x, ksda_i_levelset_option *best) {
    uint32_t v = f->owner[x], degree = f->level[level];
    if (f->at[x] < level && 0.5 * (degree - f->level[f->at[x]]) < best->cost && ksda_i_levelset_may_leave(f, x)) {
        double cost = ksda_i_levelset_shaken(f, x, raise_cost(f, x, degree) + out_of_reach(f, v, degree));
        if (cost < best->cost) best->cost = cost, best->piece = x, best->split = UINT32_MAX;
    }
    if (x < f->graph->n && f->weight + 0.5 * degree < best->cost && may_split(f, v)) {
        double cost = ksda_i_levelset_shaken(f, x, f->weight + 0.5 * degree + out_of_reach(f, v, degree - 1));
        if (cost < best->cost) best->cost = cost, best->split = v;
    }
}

static int by_cost(const void *a, const void *b) {
    const ksda_i_levelset_option *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return (x->community > y->community) - (x->community < y->community);
}

/* The cheapest way of a community. Levels above are complete, so those below stand where their degrees put them, in the
 * order of the list: once the next of them is too low to be cheaper, and so is a further piece, nobody else is. */
static uint32_t find_option(ksda_i_levelset *f, uint32_t level, uint32_t c) {
    ksda_i_levelset_option *best = &f->option[c];
    uint32_t degree = f->level[level], i = f->communities->start[c];
    for (; i < f->communities->start[c + 1]; i++) {
        uint32_t x = f->ranked[i];
        if (f->at[x] < level && f->pieces[x] == 1 && best->cost <= 0.5 * (degree - f->level[f->at[x]]) &&
            best->cost <= f->weight + 0.5 * degree)
            break;
        consider(f, level, x, best);
    }
    return i - f->communities->start[c];
}

/* The cheapest way of every community that is missing at the level, cheapest communities first. */
static void find_options(ksda_i_levelset *f, uint32_t level) {
    uint32_t communities = f->communities->count, looks = communities + f->count - f->graph->n;
    for (uint32_t c = 0; c < communities; c++) f->option[c] = (ksda_i_levelset_option){INFINITY, 0, UINT32_MAX, c};
    for (uint32_t c = 0; c < communities; c++)
        if (!ksda_i_census_own(&f->census, level, c)) looks += find_option(f, level, c);
    for (uint32_t x = f->graph->n; x < f->count; x++)
        if (!ksda_i_census_own(&f->census, level, community_of(f, x)))
            consider(f, level, x, &f->option[community_of(f, x)]);
    ksda_i_sort_by(f->option, communities, sizeof *f->option, by_cost);
    ksda_i_work(f->ctx, COVER_UNITS * looks);
}

/* Is it still so? Others may have left the level of the piece, and a vertex has only so many pieces. */
static bool option_holds(const ksda_i_levelset *f, const ksda_i_levelset_option *x) {
    return x->split != UINT32_MAX ? may_split(f, x->split) : ksda_i_levelset_may_leave(f, x->piece);
}

/* What it costs if every need meets another: it only grows while pieces are laid out. */
static double cost_of_degrees(const ksda_i_levelset *f) {
    return 0.5 * ((double)f->degrees - 2.0 * (double)f->graph->m) + f->weight * (f->count - f->graph->n);
}

/* Bring enough communities to every level, the highest first. */
static bool cover_levels(ksda_i_levelset *f) {
    for (uint32_t level = f->levels; level-- > 0;)
        while (!ksda_i_census_enough(&f->census, level)) {
            bool any = false;
            if (cost_of_degrees(f) >= f->bar) return false;
            find_options(f, level);
            for (ksda_i_levelset_option *x = f->option; x < f->option + f->communities->count; x++) {
                if (x->cost == INFINITY || ksda_i_census_enough(&f->census, level)) break;
                if (!option_holds(f, x)) continue;
                any = true;
                if (x->split != UINT32_MAX)
                    add_piece(f, x->split, level);
                else
                    ksda_i_levelset_move(f, x->piece, level);
            }
            if (!any) return false;
        }
    return true;
}

/* --- who is out of reach --------------------------------------------------------------------------------------- */

/* The level at which a further piece stands: low, but with room for edges to those who lack. */
static uint32_t modest_level(const ksda_i_levelset *f, uint32_t lacking) {
    uint32_t level = 0;
    while (level + 1 < f->levels && (f->level[level] < 4 || f->level[level + 1] <= lacking + 2)) level++;
    return level;
}

/* How many who lack are around each vertex. */
static void count_lacking(ksda_i_levelset *f, uint32_t pieces) {
    uint32_t w;
    memset(f->score, 0, f->graph->n * sizeof *f->score);
    memset(f->lacking, 0, f->communities->count * sizeof *f->lacking);
    for (uint32_t x = 0; x < pieces; x++) {
        if (!f->lacks[x]) continue;
        f->lacking[community_of(f, x)]++;
        EACH_OUTSIDE(f, f->owner[x], w) f->score[w]++;
    }
}

static uint32_t lacking_around(const ksda_i_levelset *f, uint32_t v) {
    return f->score[v] + f->lacking[f->communities->of[v]];
}

/* Does splitting v help more than splitting w? */
static bool helps_more(const ksda_i_levelset *f, uint32_t v, uint32_t w) {
    uint32_t near_v = lacking_around(f, v), near_w = lacking_around(f, w);
    if (near_v != near_w) return near_v > near_w;
    return (uint64_t)ksda_i_degree(f->graph, v) * f->pieces[w] > (uint64_t)ksda_i_degree(f->graph, w) * f->pieces[v];
}

/* Vertex v has one piece more: each of its neighbours lacks one less. needing [*count]: who lacks anything. */
static void lack_less(ksda_i_levelset *f, uint32_t v, uint32_t *count) {
    uint32_t w, own = f->communities->of[v], left = 0;
    f->stamp++;
    EACH_OUTSIDE(f, v, w) f->near[w] = f->stamp;
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t x = f->needing[i];
        if ((f->near[f->owner[x]] == f->stamp || community_of(f, x) == own) && !--f->lacks[x]) {
            f->lacking[community_of(f, x)]--;
            EACH_OUTSIDE(f, f->owner[x], w) f->score[w]--;
        } else {
            f->needing[left++] = x;
        }
    }
    *count = left;
}

/* Split the vertex that helps most of those that lack, until each has as many further pieces around as it lacks, with
 * fewer than so many splits in all. lacks is by piece. */
bool ksda_i_levelset_help(ksda_i_levelset *f, double splits) {
    uint32_t pieces = f->count, n = f->graph->n, needing = 0;
    uint64_t left = 0; /* lacks[] is set for all pieces */
    count_lacking(f, pieces);
    for (uint32_t x = 0; x < pieces; x++) {
        left += f->lacks[x];
        if (f->lacks[x]) f->needing[needing++] = x;
    }
    while (left) {
        uint32_t best = UINT32_MAX;
        ksda_i_work(f->ctx, HELP_UNITS * ((uint64_t)n + pieces));
        for (uint32_t v = 0, most = 1; v < n; v++) {
            if (lacking_around(f, v) < most || !may_split(f, v) || (best != UINT32_MAX && !helps_more(f, v, best)))
                continue;
            best = v, most = lacking_around(f, v);
        }
        if (best == UINT32_MAX || f->count + 1 - n >= splits) return false;
        uint32_t helped = lacking_around(f, best);
        add_piece(f, best, modest_level(f, helped));
        left -= helped;
        lack_less(f, best, &needing);
    }
    return true;
}

/* Everybody can reach its level. */
static bool widen_reach(ksda_i_levelset *f, double splits) {
    bool any = false;
    for (uint32_t x = 0; x < f->count; x++) {
        uint32_t degree = f->level[f->at[x]], around = ksda_i_levelset_around(f, f->owner[x]);
        f->lacks[x] = degree > around ? degree - around : 0;
        any |= f->lacks[x] > 0;
    }
    return !any || ksda_i_levelset_help(f, splits);
}

/* Cut vertex v, which lacks too much at its level, into two lower pieces that lack nothing; false when no two levels
 * fit. */
bool ksda_i_levelset_cut(ksda_i_levelset *f, uint32_t v) {
    uint32_t degree = ksda_i_degree(f->graph, v);
    if (f->pieces[v] > 1 || !may_split(f, v) || !ksda_i_levelset_may_leave(f, v)) return false;
    for (uint32_t high = f->at[v]; high-- > 0;) {
        if (f->level[high] >= degree || f->level[high] < 2) continue;
        uint32_t rest = degree - f->level[high], low = level_from(f, rest);
        bool linked = f->level[low] < rest + 2 && low + 1 < f->levels && f->level[low + 1] == rest + 2;
        low += linked;
        if (low > high) return false;
        if (f->level[low] != rest && f->level[low] != rest + 2) continue;
        ksda_i_levelset_move(f, v, high);
        add_piece(f, v, low);
        return true;
    }
    return false;
}

/* Members of v's community that have needs and are adjacent to it. */
static uint32_t needy_neighbours(const ksda_i_levelset *f, uint32_t v) {
    uint32_t count = 0;
    for (uint64_t i = f->inside[v]; i < f->graph->off[v + 1]; i++) count += need_of(f, f->around_row[i]) > 0;
    return count;
}

/* Needs of whole vertices beyond the number of others who have needs and are not adjacent to them. */
static uint64_t needs_alone(const ksda_i_levelset *f) {
    uint64_t alone = 0, edges = 0;
    for (uint32_t v = 0; v < f->graph->n; v++) {
        uint32_t need = need_of(f, v), raised = f->raised[f->communities->of[v]];
        if (!need || (need < 2 && raised > 1)) continue; /* as good as met */
        uint32_t others = raised - 1 - needy_neighbours(f, v);
        if (others < need) alone += need - others;
        edges += ksda_i_degree(f->graph, v);
    }
    ksda_i_work(f->ctx, edges / ALONE_EDGES);
    return alone;
}

double ksda_i_levelset_estimate(const ksda_i_levelset *f) {
    return cost_of_degrees(f) + 0.5 * (double)needs_alone(f);
}

double ksda_i_levelset_least(const ksda_i_levelset *f) {
    uint64_t links = 0;
    for (uint32_t v = 0; v < f->graph->n; v++) links += (uint64_t)f->pieces[v] * (f->pieces[v] - 1) / 2;
    return ksda_i_levelset_estimate(f) - (double)links;
}

bool ksda_i_levelset_learn(ksda_i_levelset *f) {
    bool any = false;
    for (uint32_t v = 0; v < f->graph->n; v++) {
        uint32_t degree = ksda_i_degree(f->graph, v), level = f->level[f->at[v]];
        if (!f->lacks[v] || f->pieces[v] > 1 || level <= degree || level_from(f, degree) == f->at[v]) continue;
        uint32_t reached = level - f->lacks[v];
        if (reached < f->reach[v]) f->reach[v] = reached, any = true;
    }
    return any;
}

bool ksda_i_levelset_lay_out(ksda_i_levelset *f, double splits) {
    if (!f->levels) return false;
    return place_pieces(f) && f->count - f->graph->n < splits && cover_levels(f) && widen_reach(f, splits);
}
