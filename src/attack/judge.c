/* What candidates tell of a victim.
 *
 * Alone: there is one candidate, and it is the victim. Exposed: candidates are in fewer than k communities that count,
 * and the victim's is one of them. The attacker guesses the community that most candidates are in. Where he searches
 * what he knows, the victim is one of the candidates, and the guess is as good as the share of that community; where he
 * knows the original and searches the release it is right or not, or, between communities with as many candidates,
 * right one time in so many. Without any candidate all that is left to guess is the largest community. */
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

ksda_status ksda_i_tallying_new(ksda_ctx *ctx, uint32_t communities, ksda_i_tallying *t) {
    *t = (ksda_i_tallying){ksda_i_calloc(ctx, communities, sizeof *t->count),
                           ksda_i_malloc(ctx, communities, sizeof *t->touched), ksda_i_calloc(ctx, communities, 1), 0};
    return t->count && t->touched && t->listed ? KSDA_OK : KSDA_NOMEM;
}

void ksda_i_tallying_clear(ksda_ctx *ctx, ksda_i_tallying *t) {
    ksda_i_free(ctx, t->count);
    ksda_i_free(ctx, t->touched);
    ksda_i_free(ctx, t->listed);
}

static uint32_t vertex_at(const ksda_i_attacked *network, const ksda_i_sorted *sorted, uint32_t i) {
    return network->communities->member[sorted->order[i]];
}

void ksda_i_tally_add(ksda_i_tallying *t, const ksda_i_attacked *network, const ksda_i_sorted *sorted, uint32_t from,
                      uint32_t to) {
    for (uint32_t i = from; i < to; i++) {
        uint32_t c = network->communities->of[vertex_at(network, sorted, i)];
        if (!t->listed[c]) t->listed[c] = 1, t->touched[t->used++] = c;
        t->count[c]++;
    }
}

void ksda_i_tally_drop(ksda_i_tallying *t, const ksda_i_attacked *network, const ksda_i_sorted *sorted, uint32_t from,
                       uint32_t to) {
    for (uint32_t i = from; i < to; i++) t->count[network->communities->of[vertex_at(network, sorted, i)]]--;
}

void ksda_i_tally_reset(ksda_i_tallying *t) {
    for (uint32_t i = 0; i < t->used; i++) t->count[t->touched[i]] = t->listed[t->touched[i]] = 0;
    t->used = 0;
}

ksda_i_candidates ksda_i_tallied(const ksda_i_tallying *t, const ksda_i_attacked *network, const ksda_i_sorted *sorted,
                                 uint32_t from, uint32_t to) {
    ksda_i_candidates c = {.size = to - from};
    const ksda_i_census_model model = ksda_i_census_model_of(network->communities, 1);
    double weighted = 0; /* sum of count log count */
    if (c.size) c.last = vertex_at(network, sorted, from);
    for (uint32_t i = 0; i < t->used; i++) {
        uint32_t here = t->count[t->touched[i]];
        if (here == 0) continue;
        c.communities += ksda_i_model_counts(&model, t->touched[i]);
        c.ties = here > c.most ? 1 : c.ties + (here == c.most);
        if (here > c.most) c.most = here;
        if (here > 1) weighted += here * log2(here);
    }
    c.entropy = c.most < c.size ? log2(c.size) - weighted / c.size : 0;
    return c;
}

/* --- verdicts ----------------------------------------------------------------------------------------------------- */

ksda_i_victim_verdict ksda_i_judge_victim(const ksda_i_attacking *a, const ksda_i_search *search,
                                          const ksda_i_candidates *c, uint32_t victim, uint32_t own) {
    const ksda_i_attacked *there = search->candidates;
    const ksda_i_census_model model = ksda_i_census_model_of(there->communities, a->options->k);
    ksda_i_victim_verdict verdict = {.absent = c->size == 0, .entropy = c->entropy};
    if (verdict.absent) {
        uint32_t home = search->victims->communities->of[victim];
        if (ksda_i_community_size(there->communities, home) == a->largest) verdict.success = 1.0 / a->largest_ties;
        verdict.entropy = a->out->baseline_entropy;
        return verdict;
    }
    ksda_i_tally tally = {.communities = c->communities};
    verdict.alone = c->size == 1 && (!search->matched || a->owner[c->last] == victim);
    verdict.exposed = own > 0 && !ksda_i_model_enough(&model, &tally);
    verdict.misled = own == 0;
    verdict.share = (double)c->most / c->size;
    verdict.success = !search->matched ? verdict.share : own == c->most ? 1.0 / c->ties : 0;
    return verdict;
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
        uint32_t v = vertex_at(search->victims, victims, i);
        ksda_i_victim_verdict verdict =
            ksda_i_judge_victim(a, search, c, v, t->count[search->victims->communities->of[v]]);
        ksda_i_tell_verdict(a, search, v, &verdict, found);
    }
}

/* --- classes ------------------------------------------------------------------------------------------------------ */

static ksda_status judge_classes(ksda_i_attacking *a, const ksda_i_search *search, uint32_t labels,
                                 const ksda_i_sorted *victims, const ksda_i_sorted *candidates, ksda_i_tallying *t,
                                 ksda_finding *found) {
    for (uint32_t l = 0; l < labels; l++) {
        ksda_status status = ksda_i_look(a->ctx, l);
        if (status < 0) return status;
        uint32_t from = candidates->start[l], to = candidates->start[l + 1];
        found->classes += to > from;
        if (victims->start[l] == victims->start[l + 1]) continue;
        ksda_i_tally_add(t, search->candidates, candidates, from, to);
        ksda_i_candidates c = ksda_i_tallied(t, search->candidates, candidates, from, to);
        ksda_i_judge_all(a, search, &c, t, victims, victims->start[l], victims->start[l + 1], found);
        ksda_i_tally_reset(t);
    }
    return KSDA_OK;
}

ksda_status ksda_i_search_classes(ksda_i_attacking *a, const ksda_i_search *search, const uint32_t *label,
                                  uint32_t labels, ksda_finding *found) {
    ksda_status status = KSDA_OK;
    ksda_i_sorted victims = {.start = NULL}, candidates = {.start = NULL};
    ksda_i_tallying t = {.count = NULL};
    const ksda_i_attacked *here = search->victims, *there = search->candidates;
    KSDA_I_TRY(ksda_i_tallying_new(a->ctx, there->communities->count, &t));
    KSDA_I_TRY(ksda_i_sorted_new(a->ctx, there, label + there->first, labels, &candidates));
    if (here != there) KSDA_I_TRY(ksda_i_sorted_new(a->ctx, here, label + here->first, labels, &victims));
    KSDA_I_TRY(judge_classes(a, search, labels, here == there ? &candidates : &victims, &candidates, &t, found));
done:
    ksda_i_sorted_clear(a->ctx, &victims);
    ksda_i_sorted_clear(a->ctx, &candidates);
    ksda_i_tallying_clear(a->ctx, &t);
    return status;
}
