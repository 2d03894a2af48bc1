/* attack.h: attackers from inside: the table, the networks that are attacked, and how candidates are judged.
 *
 * An attacker who looks at one vertex gives every vertex a signature. Vertices of all networks stand in one pool,
 * those of the release first, so that a signature means the same in each; equal signatures are one class. A *search*
 * then asks, for every victim, what the candidates with the same signature tell: see judge.c. */
#ifndef KSDA_I_ATTACK_H
#define KSDA_I_ATTACK_H

#include "core/alike.h"
#include "graph/communities.h"
#include "graph/graph.h"
#include "privacy/packing.h"

#include <ksda/attack.h>

enum {
    KSDA_I_ATTACKERS_MOST = 64, /* ksda_attack_options has a bit for each */
    KSDA_I_HUBS_MOST = 64       /* a word has a bit for each */
};

/* One network of the pool. */
typedef struct ksda_i_attacked {
    const ksda_graph *g;
    const ksda_communities *communities;
    uint32_t first; /* number of its vertex 0 in the pool */
} ksda_i_attacked;

typedef struct ksda_i_attacking {
    ksda_ctx *ctx;
    const ksda_attack_options *options;
    ksda_i_attacked release, original; /* original.g is NULL where it is not known */
    const uint32_t *owner;             /* [release.g->n], where the original is known */
    uint32_t pool;                     /* vertices of both */
    uint32_t *size;                    /* [communities] of the release, by vertices whose set has it */
    uint32_t largest, largest_ties;    /* size of the largest, and how many have it */
    ksda_i_hash128_key key;
    ksda_i_hash128 *hash; /* [pool] signatures; NULL before the first vertex is signed */
    uint32_t *colour;     /* [pool] after so many rounds of refinement; NULL before the first */
    uint32_t rounds;
    uint32_t refined;  /* not 0: the classes of the signatures at hand are the colours after so many rounds */
    uint64_t attacker; /* the bit of the row that is at work */
    ksda_attack_result *out;
} ksda_i_attacking;

/* Who is asked for, and where. */
typedef struct ksda_i_search {
    const ksda_i_attacked *victims, *candidates;
    bool matched; /* the victims are people of the original, the candidates vertices of the release */
    bool who;     /* the search whose victims are listed */
} ksda_i_search;

/* --- the table ---------------------------------------------------------------------------------------------------- */

/* Give every vertex of the pool a signature, in a->hash. */
typedef ksda_status (*ksda_i_sign_fn)(ksda_i_attacking *a);
/* Search without classes; *found is empty. */
typedef ksda_status (*ksda_i_candidates_fn)(ksda_i_attacking *a, const ksda_i_search *search, ksda_finding *found);

typedef struct ksda_i_attacker {
    ksda_attacker_row info;
    ksda_i_sign_fn sign; /* one of the two is NULL */
    ksda_i_candidates_fn candidates;
} ksda_i_attacker;
extern const ksda_i_attacker ksda_i_attackers[]; /* [ksda_i_attacker_count] of attackers.def */
extern const uint32_t ksda_i_attacker_count;

#define SIGNATURE(name, ...) ksda_status ksda_i_sign_##name(ksda_i_attacking *a);
#define CANDIDATES(name, ...)                                                                                          \
    ksda_status ksda_i_candidates_##name(ksda_i_attacking *a, const ksda_i_search *search, ksda_finding *found);
#include "attack/attackers.def"

/* --- signatures --------------------------------------------------------------------------------------------------- */

/* The signature of vertex v of a network. */
typedef ksda_i_hash128 (*ksda_i_vertex_fn)(const ksda_i_attacking *a, const ksda_i_attacked *network, uint32_t v,
                                           const void *data);
/* Room for the signatures, unless it is there: made late, since an attacker may need as much before. */
ksda_status ksda_i_sign_room(ksda_i_attacking *a);
/* Let fn sign every vertex of the pool, on all threads. */
ksda_status ksda_i_sign_each(ksda_i_attacking *a, ksda_i_vertex_fn fn, const void *data);
/* Colour the pool by so many rounds of refinement, the degrees being round 0; fewer than the last time begins anew. */
ksda_status ksda_i_refine(ksda_i_attacking *a, uint32_t rounds);

/* The degrees of the pool; returns the largest plus one. label [pool]. */
uint32_t ksda_i_degree_labels(const ksda_i_attacking *a, uint32_t *label);

/* --- judging candidates ------------------------------------------------------------------------------------------- */

/* The vertices of a network by a label, in the order of their communities within. */
typedef struct ksda_i_sorted {
    uint32_t *start; /* [labels + 1] */
    uint32_t *order; /* [n] indices into the communities' member */
} ksda_i_sorted;
ksda_status ksda_i_sorted_new(ksda_ctx *ctx, const ksda_i_attacked *network, const uint32_t *label, uint32_t labels,
                              ksda_i_sorted *out);
void ksda_i_sorted_clear(ksda_ctx *ctx, ksda_i_sorted *sorted);
/* The vertex in the i-th place. */
static inline uint32_t ksda_i_sorted_vertex(const ksda_i_attacked *network, const ksda_i_sorted *sorted, uint32_t i) {
    return network->communities->member[sorted->order[i]];
}

/* Candidates, counted by community. A candidate with several communities counts for each of them. */
typedef struct ksda_i_candidates {
    uint32_t size;        /* how many */
    uint32_t communities; /* that count towards k; where people have several, candidates in disjoint sets, up to k */
    uint32_t most, ties;  /* in the likeliest community, and how many communities have as many */
    uint32_t last;        /* one of them: the one where there is one only */
    double entropy;       /* in bits; of the set where people have several communities */
} ksda_i_candidates;

/* What the victim has in common with them. */
typedef struct ksda_i_own {
    uint32_t most;  /* candidates in the one of the victim's communities that most are in */
    uint32_t right; /* how many of the victim's communities are among the likeliest */
} ksda_i_own;

/* What they tell of one victim. */
typedef struct ksda_i_victim_verdict {
    bool alone, exposed, absent, misled;
    double share;   /* of the likeliest community; 0 where there are no candidates */
    double success; /* of guessing it */
    double entropy;
} ksda_i_victim_verdict;

ksda_i_victim_verdict ksda_i_judge_victim(const ksda_i_attacking *a, const ksda_i_search *search,
                                          const ksda_i_candidates *c, uint32_t victim, ksda_i_own own);
/* The worse of two verdicts on a victim of whom an attacker may know either of two things. */
void ksda_i_verdict_join(ksda_i_victim_verdict *worst, const ksda_i_victim_verdict *now);
/* Count a verdict, and note down who it is; sums are made means at the end. Threads may tell of different victims, each
 * in a finding of its own, to be joined in a fixed order. */
void ksda_i_tell_verdict(ksda_i_attacking *a, const ksda_i_search *search, uint32_t victim,
                         const ksda_i_victim_verdict *verdict, ksda_finding *found);
void ksda_i_finding_join(ksda_finding *found, const ksda_finding *more);
void ksda_i_finding_finish(ksda_finding *found);

/* Where people have several communities: what the kinds that were counted mean for communities. */
typedef struct ksda_i_spreading {
    ksda_i_packer packer;
    uint32_t *in;               /* [communities] candidates that have it in their set */
    uint32_t *there;            /* [communities] those that have one */
    uint32_t *present, *chosen; /* [kinds] */
    uint32_t used;              /* entries of there */
} ksda_i_spreading;

/* How many candidates are in which community, while candidates come and go; where people have several, of which kind.
 */
typedef struct ksda_i_tallying {
    const ksda_communities *communities;
    uint32_t *count;       /* [kinds] */
    uint32_t *touched;     /* [kinds] those that were counted since the last reset */
    unsigned char *listed; /* [kinds] whether they are there */
    uint32_t used;
    ksda_i_spreading *spread; /* NULL: everybody has one community */
} ksda_i_tallying;
ksda_status ksda_i_tallying_new(ksda_ctx *ctx, const ksda_communities *communities, ksda_i_tallying *t);
void ksda_i_tallying_clear(ksda_ctx *ctx, ksda_i_tallying *t);
/* A vertex of the kind comes. */
void ksda_i_tally_kind(ksda_i_tallying *t, uint32_t kind);
/* The vertices order[from] .. order[to - 1] of a network come, or go. */
void ksda_i_tally_add(ksda_i_tallying *t, const ksda_i_attacked *network, const ksda_i_sorted *sorted, uint32_t from,
                      uint32_t to);
void ksda_i_tally_drop(ksda_i_tallying *t, const ksda_i_attacked *network, const ksda_i_sorted *sorted, uint32_t from,
                       uint32_t to);
/* What was counted of so many candidates, of which `last` is one. k: with so many in disjoint sets nobody asks for
 * more. KSDA_NOMEM, KSDA_INTERRUPTED: only where people have several communities. */
ksda_status ksda_i_tallied(const ksda_i_tallying *t, uint32_t size, uint32_t last, uint32_t k, ksda_i_candidates *out);
/* What a victim of the kind has in common with the candidates that were tallied. */
ksda_i_own ksda_i_tallied_own(const ksda_i_tallying *t, const ksda_i_candidates *c, uint32_t kind);
void ksda_i_tally_reset(ksda_i_tallying *t);

/* sets.c: what the two before do for people with several communities. */
ksda_status ksda_i_spreading_new(ksda_ctx *ctx, const ksda_communities *communities, ksda_i_spreading **out);
void ksda_i_spreading_free(ksda_ctx *ctx, ksda_i_spreading *s);
ksda_status ksda_i_spread(const ksda_i_tallying *t, uint32_t k, ksda_i_candidates *out);
ksda_i_own ksda_i_spread_own(const ksda_i_tallying *t, const ksda_i_candidates *c, uint32_t kind);
/* friendship_sets.c: the attacker of friendship.c. */
ksda_status ksda_i_friendship_sets(ksda_i_attacking *a, const ksda_i_search *search, ksda_finding *found);

/* Judge the victims order[from] .. order[to - 1] of the search by what was counted. */
void ksda_i_judge_all(ksda_i_attacking *a, const ksda_i_search *search, const ksda_i_candidates *c,
                      const ksda_i_tallying *t, const ksda_i_sorted *victims, uint32_t from, uint32_t to,
                      ksda_finding *found);

/* Judge every victim by the candidates with the same label: [pool], below labels. */
ksda_status ksda_i_search_classes(ksda_i_attacking *a, const ksda_i_search *search, const uint32_t *label,
                                  uint32_t labels, ksda_finding *found);

#endif
