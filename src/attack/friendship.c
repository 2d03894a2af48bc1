/* The attacker who knows two friends' degrees, the victim's and one neighbour's (Tai, Yu, Yang and Chen, KDD 2011,
 * doi:10.1145/2020408.2020599).
 *
 * The candidates of a pair (a, b) are the vertices of degree a with a neighbour of degree b. A victim has as many pairs
 * as its neighbours have degrees, and the worst counts: alone or exposed by any of them; the guess is that of the pair
 * with the largest share, and the entropy the least. Who has no neighbour is known by that.
 *
 * Degrees a are taken one by one, and the vertices that have one community by community, so that each pair needs a few
 * counters only, not a list; where people have several communities there is one: friendship_sets.c. O(n + m) on all
 * threads; some 90 bytes a degree for each of them, and 80 a degree that occurs. */
#include "attack/attack.h"
#include "core/parallel.h"
#include "privacy/census.h"

#include <math.h>

/* Counters of the pair (a, b) for the a at hand. */
typedef struct pair {
    ksda_i_candidates c;
    ksda_i_victim_verdict verdict; /* on a vertex that has the pair; where it depends on who that is, it is made anew */
    double weighted;               /* sum of run log run over the communities that are over */
    uint32_t run;                  /* candidates in the community that is being counted, home - 1 */
    uint32_t home;
    uint32_t stamp; /* the last vertex that was counted here, plus one */
} pair;

/* What one thread needs. Of a vertex without neighbours the other degree is `degrees`. */
typedef struct counters {
    pair *pair;        /* [degrees + 1] */
    uint32_t *touched; /* [degrees + 1] */
    uint32_t used;
} counters;

typedef struct hunt {
    ksda_i_attacking *a;
    const ksda_i_search *search;
    uint32_t degrees;
    const uint32_t *degree; /* [pool] */
    ksda_i_census_model model;
    ksda_i_sorted victims, candidates;
    counters *counters;  /* [threads] */
    ksda_finding *found; /* [degrees] */
} hunt;

static uint32_t pairs_of(const ksda_graph *g, uint32_t v) {
    uint32_t d = ksda_i_degree(g, v);
    return d ? d : 1;
}

static uint32_t other_degree(const hunt *h, const ksda_i_attacked *network, uint32_t v, uint32_t i) {
    const ksda_graph *g = network->g;
    return ksda_i_degree(g, v) ? h->degree[network->first + g->adj[g->off[v] + i]] : h->degrees;
}

static void end_run(pair *p) {
    if (p->run > 1) p->weighted += p->run * log2(p->run);
    p->run = 0;
}

static void count_vertex(const hunt *h, counters *k, uint32_t v, uint32_t stamp) {
    const ksda_graph *g = h->search->candidates->g;
    uint32_t home = h->search->candidates->communities->of[v];
    for (uint32_t i = 0; i < pairs_of(g, v); i++) {
        uint32_t b = other_degree(h, h->search->candidates, v, i);
        pair *p = &k->pair[b];
        if (p->stamp == stamp) continue;
        if (p->stamp == 0) k->touched[k->used++] = b;
        p->stamp = stamp;
        if (p->home != home + 1) {
            end_run(p);
            p->home = home + 1;
            p->c.communities += ksda_i_model_counts(&h->model, home);
        }
        p->run++;
        p->c.ties = p->run > p->c.most ? 1 : p->c.ties + (p->run == p->c.most);
        if (p->run > p->c.most) p->c.most = p->run;
        p->c.last = v;
        p->c.size++;
    }
}

static void end_counting(const hunt *h, counters *k) {
    for (uint32_t i = 0; i < k->used; i++) {
        pair *p = &k->pair[k->touched[i]];
        end_run(p);
        p->home = p->stamp = 0;
        p->c.entropy = p->c.most < p->c.size ? log2(p->c.size) - p->weighted / p->c.size : 0;
        if (!h->search->matched)
            p->verdict = ksda_i_judge_victim(h->a, h->search, &p->c, p->c.last, (ksda_i_own){1, 1});
    }
}

/* Candidates of one community only, for what the victims of that community have in common with them: in run. */
static uint32_t count_own(const hunt *h, counters *k, uint32_t at, uint32_t end, uint32_t home) {
    const ksda_i_attacked *there = h->search->candidates;
    while (at < end && there->communities->of[ksda_i_sorted_vertex(there, &h->candidates, at)] < home) at++;
    for (; at < end; at++) {
        uint32_t v = ksda_i_sorted_vertex(there, &h->candidates, at), stamp = at + 1;
        if (there->communities->of[v] != home) break;
        for (uint32_t i = 0; i < pairs_of(there->g, v); i++) {
            pair *p = &k->pair[other_degree(h, there, v, i)];
            if (p->stamp == stamp) continue;
            p->stamp = stamp;
            if (p->home != home + 1) p->run = 0, p->home = home + 1;
            p->run++;
        }
    }
    return at;
}

static ksda_i_victim_verdict judge_victim(const hunt *h, const counters *k, uint32_t v) {
    const ksda_graph *g = h->search->victims->g;
    const ksda_i_candidates nobody = {.size = 0};
    uint32_t home = h->search->victims->communities->of[v];
    ksda_i_victim_verdict worst = ksda_i_judge_victim(h->a, h->search, &nobody, v, (ksda_i_own){0, 0});
    for (uint32_t i = 0; i < pairs_of(g, v); i++) {
        const pair *p = &k->pair[other_degree(h, h->search->victims, v, i)];
        if (p->c.size == 0) continue;
        ksda_i_victim_verdict now = p->verdict;
        uint32_t own = p->home == home + 1 ? p->run : 0;
        if (h->search->matched)
            now = ksda_i_judge_victim(h->a, h->search, &p->c, v, (ksda_i_own){own, own == p->c.most});
        ksda_i_verdict_join(&worst, &now);
    }
    return worst;
}

static bool over(const hunt *h, uint32_t step) {
    return step % 4096 == 0 && ksda_i_cancelled(h->a->ctx);
}

static void judge_victims(hunt *h, counters *k, uint32_t a) {
    const ksda_i_attacked *here = h->search->victims;
    uint32_t at = h->candidates.start[a], end = h->candidates.start[a + 1], last = UINT32_MAX;
    for (uint32_t i = h->victims.start[a]; i < h->victims.start[a + 1] && !over(h, i); i++) {
        uint32_t v = ksda_i_sorted_vertex(here, &h->victims, i), home = here->communities->of[v];
        if (h->search->matched && home != last) at = count_own(h, k, at, end, last = home);
        ksda_i_victim_verdict verdict = judge_victim(h, k, v);
        ksda_i_tell_verdict(h->a, h->search, v, &verdict, &h->found[a]);
    }
}

static void hunt_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    hunt *h = data;
    counters *k = &h->counters[thread];
    for (uint64_t a = begin; a < end && !ksda_i_cancelled(h->a->ctx); a++) {
        if (h->victims.start[a] == h->victims.start[a + 1]) continue;
        for (uint32_t i = h->candidates.start[a]; i < h->candidates.start[a + 1] && !over(h, i); i++)
            count_vertex(h, k, ksda_i_sorted_vertex(h->search->candidates, &h->candidates, i), i + 1);
        end_counting(h, k);
        judge_victims(h, k, (uint32_t)a);
        for (uint32_t i = 0; i < k->used; i++) k->pair[k->touched[i]] = (pair){.stamp = 0};
        k->used = 0;
    }
}

static void hunt_clear(hunt *h) {
    ksda_ctx *ctx = h->a->ctx;
    for (unsigned t = 0; h->counters && t < ksda_ctx_threads(ctx); t++) {
        ksda_i_free(ctx, h->counters[t].pair);
        ksda_i_free(ctx, h->counters[t].touched);
    }
    ksda_i_free(ctx, h->counters);
    ksda_i_free(ctx, h->found);
    ksda_i_sorted_clear(ctx, &h->victims);
    ksda_i_sorted_clear(ctx, &h->candidates);
}

static ksda_status hunt_new(hunt *h, uint32_t *degree) {
    ksda_ctx *ctx = h->a->ctx;
    const ksda_i_attacked *here = h->search->victims, *there = h->search->candidates;
    ksda_status status = KSDA_OK;
    h->degrees = ksda_i_degree_labels(h->a, degree);
    h->degree = degree;
    KSDA_I_TRY(ksda_i_sorted_new(ctx, here, degree + here->first, h->degrees, &h->victims));
    KSDA_I_TRY(ksda_i_sorted_new(ctx, there, degree + there->first, h->degrees, &h->candidates));
    h->found = ksda_i_calloc(ctx, h->degrees, sizeof *h->found);
    h->counters = ksda_i_calloc(ctx, ksda_ctx_threads(ctx), sizeof *h->counters);
    if (!h->found || !h->counters) return KSDA_NOMEM;
    for (unsigned t = 0; t < ksda_ctx_threads(ctx); t++) {
        counters *k = &h->counters[t];
        k->pair = ksda_i_calloc(ctx, (uint64_t)h->degrees + 1, sizeof *k->pair);
        k->touched = ksda_i_malloc(ctx, (uint64_t)h->degrees + 1, sizeof *k->touched);
        if (!k->pair || !k->touched) return KSDA_NOMEM;
    }
done:
    return status;
}

ksda_status ksda_i_candidates_friendship(ksda_i_attacking *a, const ksda_i_search *search, ksda_finding *found) {
    if (search->candidates->communities->sets) return ksda_i_friendship_sets(a, search, found);
    hunt h = {.a = a, .search = search};
    uint32_t *degree = ksda_i_malloc(a->ctx, a->pool, sizeof *degree);
    h.model = ksda_i_census_model_of(search->candidates->communities, a->options->k);
    ksda_status status = degree ? hunt_new(&h, degree) : KSDA_NOMEM;
    if (status >= 0) {
        ksda_i_parallel(a->ctx, h.degrees, 1, hunt_range, &h);
        status = ksda_i_interrupted(a->ctx);
    }
    for (uint32_t d = 0; d < h.degrees && status >= 0; d++) ksda_i_finding_join(found, &h.found[d]);
    hunt_clear(&h);
    ksda_i_free(a->ctx, degree);
    return status;
}
