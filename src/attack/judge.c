/* What candidates tell of a victim.
 *
 * Alone: there is one candidate, and it is the victim. Exposed: candidates are in fewer than k communities that count,
 * and the victim's is one of them. The attacker guesses the community that most candidates are in. Where he searches
 * what he knows, the victim is one of the candidates, and the guess is as good as the share of that community; where he
 * knows the original and searches the release it is right or not, or, between communities with as many candidates,
 * right one time in so many. Without any candidate all that is left to guess is the largest community.
 *
 * Where people have several communities the guess is one community, right where the victim's set has it; the likeliest
 * is the one that most candidates have in their sets. Exposed: k candidates in pairwise disjoint sets were not found,
 * and a candidate's set meets the victim's. Entropy is that of the set. See sets.c. */
#include "attack/attack.h"
#include "core/sort.h"
#include "privacy/census.h"

#include <math.h>

/* --- sorting ------------------------------------------------------------------------------------------------------ */

void ksda_i_sorted_clear(ksda_ctx *ctx, ksda_i_sorted *sorted) {
    ksda_i_free(ctx, sorted->start);
    ksda_i_free(ctx, sorted->order);
    *sorted = (ksda_i_sorted){.start = NULL};
}

ksda_status ksda_i_sorted_new(ksda_ctx *ctx, const ksda_i_attacked *network, const uint32_t *label, uint32_t labels,
                              ksda_i_sorted *out) {
    uint32_t n = network->g->n, *by_member = ksda_i_malloc(ctx, n, sizeof *by_member);
    *out = (ksda_i_sorted){ksda_i_malloc(ctx, (uint64_t)labels + 1, sizeof *out->start),
                           ksda_i_malloc(ctx, n, sizeof *out->order)};
    ksda_status status = by_member && out->start && out->order ? ksda_i_interrupted(ctx) : KSDA_NOMEM;
    if (status >= 0) {
        for (uint32_t i = 0; i < n; i++) by_member[i] = label[network->communities->member[i]];
        ksda_i_group(n, by_member, labels, out->start, out->order);
    } else {
        ksda_i_sorted_clear(ctx, out);
    }
    ksda_i_free(ctx, by_member);
    return status;
}

/* --- counting candidates ------------------------------------------------------------------------------------------ */

ksda_status ksda_i_tallying_new(ksda_ctx *ctx, const ksda_communities *communities, ksda_i_tallying *t) {
    *t = (ksda_i_tallying){.communities = communities,
                           .count = ksda_i_calloc(ctx, communities->count, sizeof *t->count),
                           .touched = ksda_i_malloc(ctx, communities->count, sizeof *t->touched),
                           .listed = ksda_i_calloc(ctx, communities->count, 1)};
    if (!t->count || !t->touched || !t->listed) return KSDA_NOMEM;
    return communities->sets ? ksda_i_spreading_new(ctx, communities, &t->spread) : KSDA_OK;
}

void ksda_i_tallying_clear(ksda_ctx *ctx, ksda_i_tallying *t) {
    ksda_i_free(ctx, t->count);
    ksda_i_free(ctx, t->touched);
    ksda_i_free(ctx, t->listed);
    ksda_i_spreading_free(ctx, t->spread);
}

void ksda_i_tally_kind(ksda_i_tallying *t, uint32_t kind) {
    if (!t->listed[kind]) t->listed[kind] = 1, t->touched[t->used++] = kind;
    t->count[kind]++;
}

void ksda_i_tally_add(ksda_i_tallying *t, const ksda_i_attacked *network, const ksda_i_sorted *sorted, uint32_t from,
                      uint32_t to) {
    for (uint32_t i = from; i < to; i++)
        ksda_i_tally_kind(t, network->communities->of[ksda_i_sorted_vertex(network, sorted, i)]);
}

void ksda_i_tally_drop(ksda_i_tallying *t, const ksda_i_attacked *network, const ksda_i_sorted *sorted, uint32_t from,
                       uint32_t to) {
    for (uint32_t i = from; i < to; i++) t->count[network->communities->of[ksda_i_sorted_vertex(network, sorted, i)]]--;
}

void ksda_i_tally_reset(ksda_i_tallying *t) {
    for (uint32_t i = 0; i < t->used; i++) t->count[t->touched[i]] = t->listed[t->touched[i]] = 0;
    t->used = 0;
}

ksda_status ksda_i_tallied(const ksda_i_tallying *t, uint32_t size, uint32_t last, uint32_t k, ksda_i_candidates *out) {
    ksda_i_candidates c = {.size = size, .last = last};
    const ksda_i_census_model model = ksda_i_census_model_of(t->communities, k);
    double weighted = 0; /* sum of count log count */
    for (uint32_t i = 0; i < t->used; i++) {
        uint32_t here = t->count[t->touched[i]];
        if (here == 0) continue;
        c.communities += ksda_i_model_counts(&model, t->touched[i]);
        c.ties = here > c.most ? 1 : c.ties + (here == c.most);
        if (here > c.most) c.most = here;
        if (here > 1) weighted += here * log2(here);
    }
    c.entropy = c.most < c.size ? log2(c.size) - weighted / c.size : 0;
    *out = c;
    return t->spread ? ksda_i_spread(t, k, out) : KSDA_OK;
}

ksda_i_own ksda_i_tallied_own(const ksda_i_tallying *t, const ksda_i_candidates *c, uint32_t kind) {
    if (t->spread) return ksda_i_spread_own(t, c, kind);
    return (ksda_i_own){t->count[kind], t->count[kind] == c->most};
}

/* --- verdicts ----------------------------------------------------------------------------------------------------- */

/* Without candidates: how often the largest community is one of the victim's. */
static double guess_largest(const ksda_i_attacking *a, const ksda_i_attacked *victims, uint32_t victim) {
    uint32_t size, right = 0;
    const uint32_t *set = ksda_i_set(victims->communities, &victims->communities->of[victim], &size);
    for (uint32_t i = 0; i < size; i++) right += a->size[set[i]] == a->largest;
    return (double)right / a->largest_ties;
}

ksda_i_victim_verdict ksda_i_judge_victim(const ksda_i_attacking *a, const ksda_i_search *search,
                                          const ksda_i_candidates *c, uint32_t victim, ksda_i_own own) {
    const ksda_i_attacked *there = search->candidates;
    const ksda_i_census_model model = ksda_i_census_model_of(there->communities, a->options->k);
    ksda_i_victim_verdict verdict = {.absent = c->size == 0, .entropy = c->entropy};
    if (verdict.absent) {
        verdict.success = guess_largest(a, search->victims, victim);
        verdict.entropy = a->out->baseline_entropy;
        return verdict;
    }
    ksda_i_tally tally = {.communities = c->communities};
    verdict.alone = c->size == 1 && (!search->matched || a->owner[c->last] == victim);
    verdict.exposed = own.most > 0 && !ksda_i_model_enough(&model, &tally);
    verdict.misled = own.most == 0;
    verdict.share = (double)c->most / c->size;
    verdict.success = search->matched ? (double)own.right / c->ties : verdict.share;
    return verdict;
}

void ksda_i_verdict_join(ksda_i_victim_verdict *worst, const ksda_i_victim_verdict *now) {
    if (worst->absent) {
        *worst = *now;
        return;
    }
    worst->alone |= now->alone;
    worst->exposed |= now->exposed;
    worst->misled &= now->misled;
    if (now->entropy < worst->entropy) worst->entropy = now->entropy;
    if (now->share < worst->share || (now->share == worst->share && now->success <= worst->success)) return;
    worst->share = now->share, worst->success = now->success;
}

void ksda_i_tell_verdict(ksda_i_attacking *a, const ksda_i_search *search, uint32_t victim,
                         const ksda_i_victim_verdict *verdict, ksda_finding *found) {
    found->people++;
    found->alone += verdict->alone;
    found->exposed += verdict->exposed;
    found->absent += verdict->absent;
    found->misled += verdict->misled;
    found->expected_success += verdict->success;
    found->entropy += verdict->entropy;
    if (verdict->share > found->surest) found->surest = verdict->share;
    if (!search->who || !a->out->alone_to) return;
    if (verdict->alone) a->out->alone_to[victim] |= a->attacker;
    if (verdict->exposed) a->out->exposed_to[victim] |= a->attacker;
}

void ksda_i_finding_join(ksda_finding *found, const ksda_finding *more) {
    found->people += more->people;
    found->alone += more->alone;
    found->exposed += more->exposed;
    found->absent += more->absent;
    found->misled += more->misled;
    found->expected_success += more->expected_success;
    found->entropy += more->entropy;
    if (more->surest > found->surest) found->surest = more->surest;
}

void ksda_i_finding_finish(ksda_finding *found) {
    found->measured = 1;
    if (found->people == 0) return;
    found->expected_success /= found->people;
    found->entropy /= found->people;
}

void ksda_i_judge_all(ksda_i_attacking *a, const ksda_i_search *search, const ksda_i_candidates *c,
                      const ksda_i_tallying *t, const ksda_i_sorted *victims, uint32_t from, uint32_t to,
                      ksda_finding *found) {
    for (uint32_t i = from; i < to; i++) {
        uint32_t v = ksda_i_sorted_vertex(search->victims, victims, i);
        ksda_i_own own = ksda_i_tallied_own(t, c, search->victims->communities->of[v]);
        ksda_i_victim_verdict verdict = ksda_i_judge_victim(a, search, c, v, own);
        ksda_i_tell_verdict(a, search, v, &verdict, found);
    }
}

/* --- classes ------------------------------------------------------------------------------------------------------ */

static ksda_status judge_classes(ksda_i_attacking *a, const ksda_i_search *search, uint32_t labels,
                                 const ksda_i_sorted *victims, const ksda_i_sorted *candidates, ksda_i_tallying *t,
                                 ksda_finding *found) {
    ksda_i_candidates c;
    for (uint32_t l = 0; l < labels; l++) {
        ksda_status status = ksda_i_look(a->ctx, l);
        if (status < 0) return status;
        uint32_t from = candidates->start[l], to = candidates->start[l + 1];
        found->classes += to > from;
        if (victims->start[l] == victims->start[l + 1]) continue;
        ksda_i_tally_add(t, search->candidates, candidates, from, to);
        status =
            ksda_i_tallied(t, to - from, from < to ? ksda_i_sorted_vertex(search->candidates, candidates, from) : 0,
                           a->options->k, &c);
        if (status < 0) return status;
        ksda_i_judge_all(a, search, &c, t, victims, victims->start[l], victims->start[l + 1], found);
        ksda_i_tally_reset(t);
    }
    return KSDA_OK;
}

ksda_status ksda_i_search_classes(ksda_i_attacking *a, const ksda_i_search *search, const uint32_t *label,
                                  uint32_t labels, ksda_finding *found) {
    ksda_status status = KSDA_OK;
    ksda_i_sorted victims = {.start = NULL}, candidates = {.start = NULL};
    ksda_i_tallying t = {.communities = NULL};
    const ksda_i_attacked *here = search->victims, *there = search->candidates;
    KSDA_I_TRY(ksda_i_tallying_new(a->ctx, there->communities, &t));
    KSDA_I_TRY(ksda_i_sorted_new(a->ctx, there, label + there->first, labels, &candidates));
    if (here != there) KSDA_I_TRY(ksda_i_sorted_new(a->ctx, here, label + here->first, labels, &victims));
    KSDA_I_TRY(judge_classes(a, search, labels, here == there ? &candidates : &victims, &candidates, &t, found));
done:
    ksda_i_sorted_clear(a->ctx, &victims);
    ksda_i_sorted_clear(a->ctx, &candidates);
    ksda_i_tallying_clear(a->ctx, &t);
    return status;
}
