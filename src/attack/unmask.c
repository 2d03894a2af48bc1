/* For whom was a group made? Among vertices of one degree some were raised to it and some had it: the untouched, for
 * whose sake the others are there. Where there are at least as many raised as untouched, the attacker picks the member
 * whose edges are least suspicious: whose edges inside the community have the largest mean Jaccard likeness. He wins
 * where that one is untouched, and by picking anybody he would win as often as their share is. Pieces count as raised.
 * Exact while that takes at most the budget's comparisons; else groups are drawn at random. */
#include "attack/whole.h"

#include "core/parallel.h"
#include "privacy/census.h"

#define SAME 1e-9 /* means that differ by rounding only */

typedef struct group {
    uint32_t from, to; /* members, in the order by degree */
    uint32_t untouched;
    double won; /* 1, 0, or between where members are equally suspicious */
} group;

typedef struct unmasking {
    ksda_i_attacking *a;
    const unsigned char *raised; /* [n] */
    const uint32_t *order;       /* [n] vertices by degree */
    group *group;
    uint32_t groups;
} unmasking;

double ksda_i_attack_trust(const ksda_graph *g, const ksda_communities *communities, uint32_t v) {
    double sum = 0, score[KSDA_I_LIKENESSES];
    uint32_t count = 0;
    for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) {
        if (!ksda_i_may_connect(communities, v, g->adj[e])) continue;
        ksda_i_likeness(g, v, g->adj[e], true, score);
        sum += score[KSDA_I_LIKE_JACCARD];
        count++;
    }
    return count ? sum / count : -1;
}

static void unmask_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    unmasking *u = data;
    (void)thread;
    for (uint64_t i = begin; i < end; i++) {
        group *x = &u->group[i];
        double best = -2;
        uint32_t members = 0, untouched = 0;
        for (uint32_t j = x->from; j < x->to && !ksda_i_cancelled(u->a->ctx); j++) {
            double now = ksda_i_attack_trust(u->a->release.g, u->a->release.communities, u->order[j]);
            if (now > best + SAME) best = now, members = untouched = 0;
            if (now > best - SAME) members++, untouched += !u->raised[u->order[j]];
        }
        x->won = members ? (double)untouched / members : 0;
    }
}

static ksda_status find_groups(unmasking *u, const uint32_t *start, uint32_t degrees) {
    uint64_t room = 0;
    for (uint32_t d = 0; d < degrees; d++) {
        group x = {.from = start[d], .to = start[d + 1]};
        for (uint32_t i = x.from; i < x.to; i++) x.untouched += !u->raised[u->order[i]];
        if (x.untouched == 0 || 2 * (uint64_t)x.untouched > x.to - x.from) continue;
        ksda_status status = ksda_i_reserve(u->a->ctx, &u->group, &room, u->groups + (uint64_t)1, sizeof *u->group);
        if (status < 0) return status;
        u->group[u->groups++] = x;
    }
    return KSDA_OK;
}

/* Mix the groups, and return how many of them, from the first, the budget allows: at least one. */
static uint32_t choose(unmasking *u) {
    const ksda_graph *g = u->a->release.g;
    ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(u->a->ctx), 0x6d61736b, 0);
    uint64_t cost = 0;
    for (uint32_t i = 0; i < u->groups; i++) {
        uint32_t j = i + (uint32_t)ksda_i_rng_below(&rng, u->groups - i);
        group x = u->group[j];
        u->group[j] = u->group[i], u->group[i] = x;
        for (uint32_t m = x.from; m < x.to && cost <= u->a->options->budget; m++) {
            uint64_t d = ksda_i_degree(g, u->order[m]);
            cost += d * d;
        }
        if (cost > u->a->options->budget && i > 0) return i;
    }
    return u->groups;
}

static void add_up(const unmasking *u, uint32_t chosen) {
    double won = 0, squares = 0, chance = 0;
    for (uint32_t i = 0; i < chosen; i++) {
        const group *x = &u->group[i];
        won += x->won, squares += x->won * x->won;
        chance += (double)x->untouched / (x->to - x->from);
    }
    u->a->out->groups = u->groups;
    u->a->out->unmasked = ksda_i_mean(won, squares, chosen, chosen == u->groups);
    u->a->out->chance = ksda_i_mean(chance, 0, chosen, true);
}

static void mark_raised(const ksda_i_attacking *a, const ksda_i_ends *ends, uint32_t *pieces, unsigned char *raised) {
    for (uint32_t p = 0; p < a->release.g->n; p++) pieces[a->owner[p]]++;
    for (uint32_t p = 0; p < a->release.g->n; p++) raised[p] = pieces[a->owner[p]] > 1;
    for (uint64_t i = 0; i < ends->count; i++) raised[ends->vertex[i]] = 1;
}

ksda_status ksda_i_attack_unmask(ksda_i_attacking *a, const ksda_i_ends *ends) {
    uint32_t n = a->release.g->n, degrees;
    ksda_status status = KSDA_OK;
    ksda_i_sorted by_degree = {.start = NULL};
    unmasking u = {.a = a};
    uint32_t *label = ksda_i_malloc(a->ctx, a->pool, sizeof *label);
    uint32_t *pieces = ksda_i_calloc(a->ctx, a->original.g->n, sizeof *pieces);
    unsigned char *raised = ksda_i_malloc(a->ctx, n, 1);
    KSDA_I_TRY(label && pieces && raised ? KSDA_OK : KSDA_NOMEM);
    mark_raised(a, ends, pieces, raised);
    degrees = ksda_i_degree_labels(a, label);
    KSDA_I_TRY(ksda_i_sorted_new(a->ctx, &a->release, label, degrees, &by_degree));
    for (uint32_t i = 0; i < n; i++) by_degree.order[i] = a->release.communities->member[by_degree.order[i]];
    u.raised = raised, u.order = by_degree.order;
    KSDA_I_TRY(find_groups(&u, by_degree.start, degrees));
    uint32_t chosen = choose(&u);
    ksda_i_parallel(a->ctx, chosen, 1, unmask_range, &u);
    KSDA_I_TRY(ksda_i_interrupted(a->ctx));
    add_up(&u, chosen);
done:
    ksda_i_sorted_clear(a->ctx, &by_degree);
    ksda_i_free(a->ctx, label);
    ksda_i_free(a->ctx, pieces);
    ksda_i_free(a->ctx, raised);
    ksda_i_free(a->ctx, u.group);
    return status;
}
