/* Every attacker against his definition: for each victim all vertices are asked one by one whether they are candidates,
 * and counted by hand. Networks are small and many, with random releases; then what the definitions imply, ANO-NET's
 * definitions, the degree attack of ksda_diversity_check(), threads, trails, memory, and arguments that are refused. */
#include "context.h"
#include "failing_memory.h"
#include "random_edits.h"
#include "random_graph.h"

#include <ksda/attack.h>
#include <ksda/privacy.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 96  /* vertices of a network */
#define FAR 4    /* steps that are too many */
#define LABELS 6 /* communities, and one for those who have none */

/* --- the slow reference ------------------------------------------------------------------------------------------- */

/* A network as a matrix, with what attackers may know. */
typedef struct matrix {
    uint32_t n;
    bool edge[MOST][MOST];
    uint32_t degree[MOST], colour[4][MOST];
    uint32_t set[MOST];         /* communities, as bits */
    uint32_t kind[MOST];        /* those with the same set have the same */
    bool counts[MOST];          /* towards k */
    uint32_t steps[MOST][MOST]; /* distances, FAR for more */
    uint32_t among[MOST];       /* edges among a vertex and its neighbours */
    uint32_t hub[MOST], hubs;
    uint32_t earlier[MOST]; /* degree in an earlier release, or UINT32_MAX */
} matrix;

typedef struct world {
    matrix net[2];                  /* release, original */
    bool same[4][2][MOST][2][MOST]; /* same[i][a][u][b][v]: equal after i rounds */
    const uint32_t *owner;
    uint32_t k, tolerance;
} world;

static void fill(matrix *m, const ksda_graph *g, const ksda_communities *c) {
    memset(m, 0, sizeof *m);
    m->n = g->n;
    for (uint32_t v = 0; v < g->n; v++) {
        m->degree[v] = ksda_graph_degree(g, v);
        uint32_t size;
        const uint32_t *set = ksda_communities_set(c, v, &size);
        for (uint32_t i = 0; i < size; i++) m->set[v] |= 1u << set[i];
        m->kind[v] = ksda_communities_of(c, v);
        m->counts[v] = m->kind[v] < ksda_communities_counted(c);
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) m->edge[v][g->adj[e]] = true;
    }
    for (uint32_t u = 0; u < m->n; u++)
        for (uint32_t v = 0; v < m->n; v++) m->steps[u][v] = u == v ? 0 : m->edge[u][v] ? 1 : FAR;
    for (uint32_t w = 0; w < m->n; w++)
        for (uint32_t u = 0; u < m->n; u++)
            for (uint32_t v = 0; v < m->n; v++)
                if (m->steps[u][w] + m->steps[w][v] < m->steps[u][v]) m->steps[u][v] = m->steps[u][w] + m->steps[w][v];
    for (uint32_t v = 0; v < m->n; v++)
        for (uint32_t x = 0; x < m->n; x++)
            for (uint32_t y = 0; y < x; y++)
                m->among[v] += m->edge[x][y] && (x == v || m->edge[v][x]) && (y == v || m->edge[v][y]);
}

/* Neighbours of u in a that are as w of b is. */
static uint32_t like(const world *x, unsigned round, unsigned a, uint32_t u, unsigned b, uint32_t w) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < x->net[a].n; v++) count += x->net[a].edge[u][v] && x->same[round][a][v][b][w];
    return count;
}

static bool same_neighbours(const world *x, unsigned round, unsigned a, uint32_t u, unsigned b, uint32_t v) {
    for (uint32_t w = 0; w < x->net[a].n; w++)
        if (x->net[a].edge[u][w] && like(x, round, a, u, a, w) != like(x, round, b, v, a, w)) return false;
    return x->net[a].degree[u] == x->net[b].degree[v];
}

static void refine(world *x, unsigned networks) {
    for (unsigned round = 0; round < 4; round++)
        for (unsigned a = 0; a < networks; a++)
            for (unsigned b = 0; b < networks; b++)
                for (uint32_t u = 0; u < x->net[a].n; u++)
                    for (uint32_t v = 0; v < x->net[b].n; v++)
                        x->same[round][a][u][b][v] =
                            round == 0 ? x->net[a].degree[u] == x->net[b].degree[v]
                                       : x->same[round - 1][a][u][b][v] && same_neighbours(x, round - 1, a, u, b, v);
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static bool same_degrees(const matrix *a, uint32_t u, const matrix *b, uint32_t v) {
    uint32_t x[MOST], y[MOST], i = 0, j = 0;
    for (uint32_t w = 0; w < a->n; w++)
        if (a->edge[u][w]) x[i++] = a->degree[w];
    for (uint32_t w = 0; w < b->n; w++)
        if (b->edge[v][w]) y[j++] = b->degree[w];
    qsort(x, i, sizeof *x, ascending);
    qsort(y, j, sizeof *y, ascending);
    return i == j && memcmp(x, y, i * sizeof *x) == 0;
}

static bool same_hubs(const matrix *a, uint32_t u, const matrix *b, uint32_t v) {
    for (uint32_t i = 0; i < a->hubs; i++)
        if (a->steps[a->hub[i]][u] != b->steps[b->hub[i]][v]) return false;
    return true;
}

/* Is v of network b a candidate for u of network a? */
static bool candidate(const world *x, ksda_attacker_id id, unsigned a, uint32_t u, unsigned b, uint32_t v) {
    const matrix *p = &x->net[a], *q = &x->net[b];
    switch (id) {
    case KSDA_ATTACKER_DEGREE: return p->degree[u] == q->degree[v];
    case KSDA_ATTACKER_DEGREE_ABOUT:
        return p->degree[u] + x->tolerance >= q->degree[v] && q->degree[v] + x->tolerance >= p->degree[u];
    case KSDA_ATTACKER_FRIENDS_DEGREES: return same_degrees(p, u, q, v);
    case KSDA_ATTACKER_REFINEMENT_1: return x->same[1][a][u][b][v];
    case KSDA_ATTACKER_REFINEMENT_2: return x->same[2][a][u][b][v];
    case KSDA_ATTACKER_REFINEMENT_3: return x->same[3][a][u][b][v];
    case KSDA_ATTACKER_TRIANGLES: return p->degree[u] == q->degree[v] && p->among[u] == q->among[v];
    case KSDA_ATTACKER_HUBS: return same_hubs(p, u, q, v);
    default: return p->degree[u] == q->degree[v] && p->earlier[u] == q->earlier[v];
    }
}

typedef struct verdict {
    bool alone, exposed, absent, misled;
    double share, success, entropy;
} verdict;

/* How many of them can be chosen so that no two have a community in common, by trying all. */
static uint32_t disjoint(const matrix *q, const bool *in, uint32_t from, uint32_t used) {
    uint32_t best = 0, tried[MOST], count = 0;
    for (uint32_t v = from; v < q->n; v++) {
        bool again = false; /* the same set was tried */
        for (uint32_t i = 0; i < count; i++) again |= tried[i] == q->set[v];
        if (!in[v] || !q->counts[v] || again || used & q->set[v]) continue;
        tried[count++] = q->set[v];
        uint32_t here = 1 + disjoint(q, in, v + 1, used | q->set[v]);
        if (here > best) best = here;
    }
    return best;
}

static verdict judge(const world *x, bool matched, unsigned a, uint32_t u, unsigned b, const bool *in) {
    const matrix *q = &x->net[b];
    uint32_t count[LABELS] = {0}, kinds[MOST] = {0}, size = 0, most = 0, ties = 0, last = 0, home = x->net[a].set[u];
    uint32_t own = 0, right = 0;
    bool nobody = true;
    for (uint32_t v = 0; v < q->n; v++) nobody &= !in[v];
    for (uint32_t v = 0; v < q->n; v++) {
        if (!in[v] && !nobody) continue;
        for (uint32_t c = 0; c < LABELS; c++) count[c] += q->set[v] >> c & 1;
        kinds[q->kind[v]]++, size++, last = v;
    }
    verdict r = {.absent = nobody};
    for (uint32_t c = 0; c < LABELS; c++) most = count[c] > most ? count[c] : most;
    for (uint32_t c = 0; c < LABELS; c++) {
        ties += count[c] == most;
        if (home >> c & 1) own += count[c], right += count[c] == most;
    }
    for (uint32_t i = 0; i < MOST; i++)
        if (kinds[i]) r.entropy -= (double)kinds[i] / size * log2((double)kinds[i] / size);
    r.success = matched ? (double)right / ties : (double)most / size;
    if (nobody) return r;
    r.share = (double)most / size;
    r.alone = size == 1 && (matched ? x->owner[last] == u : true);
    r.misled = own == 0;
    r.exposed = disjoint(q, in, 0, 0) < x->k && own > 0;
    return r;
}

static void worse(verdict *worst, const verdict *now) {
    if (now->absent) return;
    if (worst->absent) {
        *worst = *now;
        return;
    }
    worst->alone |= now->alone, worst->exposed |= now->exposed, worst->misled &= now->misled;
    worst->entropy = fmin(worst->entropy, now->entropy);
    if (now->share > worst->share || (now->share == worst->share && now->success > worst->success))
        worst->share = now->share, worst->success = now->success;
}

static verdict judge_victim(const world *x, ksda_attacker_id id, bool matched, unsigned a, uint32_t u, unsigned b) {
    const matrix *p = &x->net[a], *q = &x->net[b];
    bool in[MOST] = {false};
    if (id != KSDA_ATTACKER_FRIENDSHIP || p->degree[u] == 0) {
        for (uint32_t v = 0; v < q->n; v++)
            in[v] = candidate(x, id == KSDA_ATTACKER_FRIENDSHIP ? KSDA_ATTACKER_DEGREE : id, a, u, b, v);
        return judge(x, matched, a, u, b, in);
    }
    verdict worst = judge(x, matched, a, u, b, in);
    for (uint32_t w = 0; w < p->n; w++) {
        if (!p->edge[u][w]) continue;
        for (uint32_t v = 0; v < q->n; v++) {
            in[v] = false;
            for (uint32_t y = 0; y < q->n; y++)
                in[v] |= q->edge[v][y] && q->degree[y] == p->degree[w] && q->degree[v] == p->degree[u];
        }
        verdict now = judge(x, matched, a, u, b, in);
        worse(&worst, &now);
    }
    return worst;
}

static void assert_near(double a, double b) {
    if (!(fabs(a - b) < 1e-9)) fail_msg("%.17g is not %.17g", a, b);
}

static void compare(const world *x, ksda_attacker_id id, bool matched, unsigned a, unsigned b, const ksda_finding *f,
                    const uint64_t *alone_to, const uint64_t *exposed_to) {
    uint32_t alone = 0, exposed = 0, absent = 0, misled = 0, n = x->net[a].n;
    double success = 0, surest = 0, entropy = 0;
    for (uint32_t u = 0; u < n; u++) {
        verdict r = judge_victim(x, id, matched, a, u, b);
        alone += r.alone, exposed += r.exposed, absent += r.absent, misled += r.misled;
        success += r.success / n, entropy += r.entropy / n, surest = fmax(surest, r.share);
        if (alone_to) assert_int_equal((alone_to[u] & KSDA_ATTACKER_BIT(id)) != 0, r.alone);
        if (exposed_to) assert_int_equal((exposed_to[u] & KSDA_ATTACKER_BIT(id)) != 0, r.exposed);
    }
    assert_true(f->measured);
    assert_int_equal(f->people, n);
    assert_int_equal(f->alone, alone);
    assert_int_equal(f->exposed, exposed);
    assert_int_equal(f->absent, absent);
    assert_int_equal(f->misled, misled);
    assert_near(f->expected_success, success);
    assert_near(f->surest, surest);
    assert_near(f->entropy, entropy);
}

/* The largest by degree, lower numbers first; in a release the piece of each with the largest degree. */
static void find_hubs(world *x, bool both, uint32_t wanted) {
    matrix *m = &x->net[both ? 1 : 0], *release = &x->net[0];
    bool taken[MOST] = {false};
    m->hubs = wanted < m->n ? wanted : m->n;
    for (uint32_t i = 0; i < m->hubs; i++) {
        m->hub[i] = UINT32_MAX;
        for (uint32_t v = 0; v < m->n; v++)
            if (!taken[v] && (m->hub[i] == UINT32_MAX || m->degree[v] > m->degree[m->hub[i]])) m->hub[i] = v;
        taken[m->hub[i]] = true;
    }
    if (!both) return;
    release->hubs = m->hubs;
    for (uint32_t i = 0; i < m->hubs; i++) {
        release->hub[i] = UINT32_MAX;
        for (uint32_t p = 0; p < release->n; p++)
            if (x->owner[p] == m->hub[i] &&
                (release->hub[i] == UINT32_MAX || release->degree[p] > release->degree[release->hub[i]]))
                release->hub[i] = p;
    }
}

static ksda_attack_options options_of(uint64_t seed, uint32_t communities) {
    ksda_attack_options o;
    ksda_attack_options_init(&o);
    o.k = 1 + (uint32_t)(seed / 3 % communities);
    o.tolerance = (uint32_t)(seed / 5 % 4);
    o.hubs = 1 + (uint32_t)(seed / 11 % 4);
    o.who = 1;
    return o;
}

static void compare_all(const world *x, bool both, bool trail, const ksda_attack_result *r) {
    for (int i = 0; i < KSDA_ATTACKER_COUNT; i++) {
        ksda_attacker_id id = (ksda_attacker_id)i;
        if (id == KSDA_ATTACKER_TRAIL && !trail) continue;
        compare(x, id, false, 0, 0, &r->release[i], both ? NULL : r->alone_to, both ? NULL : r->exposed_to);
        if (!both || id == KSDA_ATTACKER_TRAIL) continue;
        compare(x, id, false, 1, 1, &r->original[i], NULL, NULL);
        compare(x, id, true, 1, 0, &r->matched[i], r->alone_to, r->exposed_to);
    }
}

static world *world_new(const ksda_attack_options *o, const uint32_t *owner) {
    world *x = calloc(1, sizeof *x);
    assert_non_null(x);
    x->k = o->k, x->tolerance = o->tolerance, x->owner = owner;
    return x;
}

/* sets: people are in several communities. */
static void compare_networks(ksda_ctx *ctx, uint64_t networks, bool sets) {
    for (uint64_t seed = 0; seed < times_as_many(networks); seed++) {
        ksda_network net;
        ksda_attack_result r = KSDA_INIT(ksda_attack_result);
        uint32_t n = 1 + (uint32_t)(seed % 24), communities = 1 + (uint32_t)(seed / 7 % 5);
        if (communities > n) communities = n;
        random_network(ctx, seed, n, 0.03 * (double)(seed % 20), communities, &net);
        if (sets) random_sets(ctx, seed, seed % 3 == 0, &net);
        ksda_attack_options o = options_of(seed, communities);
        uint32_t vertex[MOST]; /* the earlier release is the same one, backwards, without its last vertex */
        for (uint32_t v = 0; v < n; v++) vertex[v] = v == n - 1 ? KSDA_NO_VERTEX : n - 1 - v;
        ksda_earlier earlier = {net.graph, vertex};
        o.earlier = &earlier, o.earlier_releases = 1;
        assert_int_equal(ksda_attack(ctx, net.graph, net.communities, &o, &r), KSDA_OK);
        world *x = world_new(&o, NULL);
        fill(&x->net[0], net.graph, net.communities);
        for (uint32_t v = 0; v < n; v++)
            x->net[0].earlier[v] = v == n - 1 ? UINT32_MAX : ksda_graph_degree(net.graph, n - 1 - v);
        find_hubs(x, false, o.hubs);
        refine(x, 1);
        compare_all(x, false, true, &r);
        free(x);
        ksda_attack_result_clear(ctx, &r);
        ksda_network_clear(ctx, &net);
    }
}

static void networks_as_defined(void **state) {
    compare_networks(*state, 4000, false);
}

static void networks_of_sets_as_defined(void **state) {
    compare_networks(*state, 700, true);
}

static void compare_releases(ksda_ctx *ctx, uint64_t networks, bool sets) {
    for (uint64_t seed = 0; seed < times_as_many(networks); seed++) {
        ksda_network net;
        ksda_release release = KSDA_INIT(ksda_release);
        ksda_attack_result r = KSDA_INIT(ksda_attack_result);
        edit_counts counts;
        uint32_t n = 1 + (uint32_t)(seed % 20), communities = 1 + (uint32_t)(seed / 7 % 5);
        ksda_i_rng rng = ksda_i_rng_stream(seed, 17, 0);
        if (communities > n) communities = n;
        random_network(ctx, seed, n, 0.03 * (double)(seed % 17), communities, &net);
        if (sets) random_sets(ctx, seed, seed % 3 == 0, &net);
        ksda_edits *edits =
            random_edits(ctx, &rng, net.graph, net.communities, (unsigned)(seed % 4), (unsigned)(seed % 9), &counts);
        assert_int_equal(ksda_release_make(ctx, edits, net.communities, 1, &release), KSDA_OK);
        ksda_attack_options o = options_of(seed, communities);
        assert_int_equal(ksda_attack_release(ctx, net.graph, net.communities, release.graph, release.owner, &o, &r),
                         KSDA_OK);
        world *x = world_new(&o, release.owner);
        fill(&x->net[0], release.graph, release.communities);
        fill(&x->net[1], net.graph, net.communities);
        find_hubs(x, true, o.hubs);
        refine(x, 2);
        compare_all(x, true, false, &r);
        free(x);
        ksda_attack_result_clear(ctx, &r);
        ksda_release_clear(ctx, &release);
        ksda_edits_free(ctx, edits);
        ksda_network_clear(ctx, &net);
    }
}

static void releases_as_defined(void **state) {
    compare_releases(*state, 2500, false);
}

static void releases_of_sets_as_defined(void **state) {
    compare_releases(*state, 600, true);
}

/* --- what else must hold ------------------------------------------------------------------------------------------ */

/* Is everything that b tells, told by a as well? */
static void assert_stronger(const ksda_finding *a, const ksda_finding *b) {
    assert_true(a->alone >= b->alone && a->exposed >= b->exposed && a->classes >= b->classes);
    assert_true(a->expected_success >= b->expected_success - 1e-9 && a->entropy <= b->entropy + 1e-9);
}

static void implications(void **state) {
    ksda_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        ksda_network net;
        ksda_diversity d = KSDA_INIT(ksda_diversity);
        ksda_attack_result r = KSDA_INIT(ksda_attack_result);
        ksda_attack_options o = options_of(seed, 4);
        random_network(ctx, seed, 60 + (uint32_t)(seed % 300), 0.02, 4, &net);
        if (seed % 3 == 2) random_sets(ctx, seed, seed % 2, &net);
        assert_int_equal(ksda_attack(ctx, net.graph, net.communities, &o, &r), KSDA_OK);
        assert_int_equal(ksda_diversity_check(ctx, net.graph, net.communities, o.k, &d), KSDA_OK);
        const ksda_finding *degree = &r.release[KSDA_ATTACKER_DEGREE], *one = &r.release[KSDA_ATTACKER_REFINEMENT_1];
        assert_int_equal(degree->exposed, d.violating_vertices);
        assert_int_equal(degree->classes, d.groups);
        assert_near(degree->expected_success, d.expected_success);
        assert_near(degree->surest, d.largest_posterior);
        assert_near(degree->entropy, d.entropy);
        assert_near(r.baseline_success, d.baseline_success);
        assert_near(r.baseline_entropy, d.baseline_entropy);
        assert_stronger(&r.release[KSDA_ATTACKER_FRIENDS_DEGREES], degree);
        assert_stronger(one, &r.release[KSDA_ATTACKER_FRIENDS_DEGREES]);
        assert_stronger(&r.release[KSDA_ATTACKER_FRIENDS_DEGREES], one); /* the same classes */
        assert_stronger(&r.release[KSDA_ATTACKER_REFINEMENT_2], one);
        assert_stronger(&r.release[KSDA_ATTACKER_REFINEMENT_3], &r.release[KSDA_ATTACKER_REFINEMENT_2]);
        assert_stronger(&r.release[KSDA_ATTACKER_TRIANGLES], degree);
        assert_true(r.release[KSDA_ATTACKER_DEGREE_ABOUT].exposed <= degree->exposed);
        assert_true(r.release[KSDA_ATTACKER_FRIENDSHIP].exposed >= degree->exposed);
        assert_true(!r.release[KSDA_ATTACKER_TRAIL].measured && !r.original && !r.matched);
        ksda_diversity_clear(ctx, &d);
        ksda_attack_result_clear(ctx, &r);
        ksda_network_clear(ctx, &net);
    }
}

/* A release that changes nothing: the attacker who knows the original knows the release. */
static void nothing_changed(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_attack_result r = KSDA_INIT(ksda_attack_result);
    uint32_t owner[200];
    random_network(ctx, 5, 200, 0.04, 6, &net);
    for (uint32_t v = 0; v < 200; v++) owner[v] = v;
    assert_int_equal(ksda_attack_release(ctx, net.graph, net.communities, net.graph, owner, NULL, &r), KSDA_OK);
    for (uint32_t i = 0; i < r.attackers; i++) {
        if (i == KSDA_ATTACKER_TRAIL) continue;
        assert_int_equal(r.matched[i].alone, r.release[i].alone);
        assert_int_equal(r.matched[i].exposed, r.original[i].exposed);
        assert_int_equal(r.matched[i].absent + r.matched[i].misled, 0);
        assert_near(r.matched[i].entropy, r.release[i].entropy);
    }
    ksda_attack_result_clear(ctx, &r);
    ksda_network_clear(ctx, &net);
}

static void threads_do_not_matter(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_finding first[KSDA_ATTACKER_COUNT];
    random_network(ctx, 3, 9000, 0.0008, 30, &net);
    for (unsigned threads = 1; threads <= 8; threads *= 2) {
        ksda_attack_result r = KSDA_INIT(ksda_attack_result);
        ksda_ctx *other = new_ctx(); /* with other keys */
        ksda_ctx_set_threads(other, threads);
        assert_int_equal(ksda_attack(other, net.graph, net.communities, NULL, &r), KSDA_OK);
        for (int i = 0; i < KSDA_ATTACKER_COUNT; i++) {
            r.release[i].seconds = 0;
            if (threads == 1) first[i] = r.release[i];
            assert_memory_equal(&r.release[i], &first[i], sizeof first[i]);
        }
        ksda_attack_result_clear(other, &r);
        ksda_ctx_free(other);
    }
    ksda_network_clear(ctx, &net);
}

static const uint64_t set_starts[] = {0, 2, 3, 5, 6};
static const uint32_t set_members[] = {0, 1, 1, 1, 2, 2};

/* sets: 0 is in communities 0 and 1, 1 in 1, 2 in 1 and 2, 3 in 2. */
static ksda_status attack_small(ksda_ctx *ctx, bool sets) {
    static const uint32_t edge[] = {0, 1, 1, 2, 2, 0, 2, 3}, of[] = {0, 0, 1, 1}, owner[] = {0, 1, 2, 3};
    ksda_communities *several = NULL;
    ksda_network net;
    ksda_attack_options o;
    ksda_attack_result r = KSDA_INIT(ksda_attack_result);
    ksda_earlier earlier = {NULL, owner};
    ksda_attack_options_init(&o);
    ksda_status status = listed_network(ctx, 4, 4, edge, of, &net);
    earlier.graph = net.graph, o.earlier = &earlier, o.earlier_releases = 1, o.who = 1;
    if (status >= 0 && sets)
        status = ksda_communities_from_sets(ctx, 4, 3, set_starts, set_members, NULL, NULL, KSDA_UNASSIGNED_REFUSE,
                                            &several);
    if (status >= 0)
        status = ksda_attack_release(ctx, net.graph, sets ? several : net.communities, net.graph, owner, &o, &r);
    ksda_attack_result_clear(ctx, &r);
    ksda_communities_free(ctx, several);
    ksda_network_clear(ctx, &net);
    return status;
}

static ksda_status attack_once(ksda_ctx *ctx) {
    return attack_small(ctx, false);
}

static ksda_status attack_sets_once(ksda_ctx *ctx) {
    return attack_small(ctx, true);
}

static void without_memory(void **state) {
    (void)state;
    assert_survives_failing_memory(attack_once);
    assert_survives_failing_memory(attack_sets_once);
}

static void refused(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net, other;
    ksda_attack_options o;
    ksda_attack_result r = KSDA_INIT(ksda_attack_result);
    uint32_t owner[9] = {0, 1, 2, 3, 4, 5, 6, 7, 9};
    ksda_earlier earlier = {NULL, owner};
    random_network(ctx, 1, 9, 0.4, 3, &net);
    random_network(ctx, 1, 8, 0.4, 3, &other);
    earlier.graph = net.graph;
    ksda_attack_options_init(&o);
    assert_int_equal(ksda_attack(ctx, net.graph, other.communities, NULL, &r), KSDA_INVALID);
    assert_int_equal(ksda_attack_release(ctx, net.graph, net.communities, net.graph, owner, NULL, &r), KSDA_INVALID);
    o.k = 4;
    assert_int_equal(ksda_attack(ctx, net.graph, net.communities, &o, &r), KSDA_INVALID);
    o.k = 2, o.hubs = 65;
    assert_int_equal(ksda_attack(ctx, net.graph, net.communities, &o, &r), KSDA_INVALID);
    o.hubs = 1, o.earlier = &earlier, o.earlier_releases = 1;
    assert_int_equal(ksda_attack(ctx, net.graph, net.communities, &o, &r), KSDA_INVALID);
    o.size = 0;
    assert_int_equal(ksda_attack(ctx, net.graph, net.communities, &o, &r), KSDA_INVALID);
    ksda_ctx_cancel(ctx);
    assert_int_equal(ksda_attack(ctx, net.graph, net.communities, NULL, &r), KSDA_INTERRUPTED);
    ksda_ctx_reset_cancel(ctx);
    ksda_network_clear(ctx, &net);
    ksda_network_clear(ctx, &other);
}

static void rows_have_names(void **state) {
    ksda_attacker_id id;
    (void)state;
    for (int i = 0; i < KSDA_ATTACKER_COUNT; i++) {
        const ksda_attacker_row *row = ksda_attacker_info((ksda_attacker_id)i);
        assert_true(row->name[0] && row->label[0] && row->knows[0]);
        assert_true(ksda_attacker_id_from_name(row->name, &id) && (int)id == i);
    }
    assert_ptr_equal(ksda_attacker_id_name(KSDA_ATTACKER_HUBS), ksda_attacker_info(KSDA_ATTACKER_HUBS)->name);
    assert_string_equal(ksda_attacker_id_name(KSDA_ATTACKER_TRAIL), "trail");
    assert_string_equal(ksda_attacker_id_name(KSDA_ATTACKER_FRIENDS_DEGREES), "friends_degrees");
    assert_false(ksda_attacker_id_from_name("nobody", &id));
    assert_null(ksda_attacker_info((ksda_attacker_id)64));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_as_defined),
        cmocka_unit_test(networks_of_sets_as_defined),
        cmocka_unit_test(releases_as_defined),
        cmocka_unit_test(releases_of_sets_as_defined),
        cmocka_unit_test(implications),
        cmocka_unit_test(nothing_changed),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(refused),
        cmocka_unit_test(rows_have_names),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
