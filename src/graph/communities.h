/* communities.h: a partition of the vertices, from inside. */
#ifndef KSDA_I_COMMUNITIES_H
#define KSDA_I_COMMUNITIES_H

#include "graph/ids.h"

#include <ksda/communities.h>

/* Where a vertex has several communities, vertices with the same set of them are of one *kind*, and all that follows in
 * ksda_communities is about kinds. Kinds are in the order of their sets, which tells nothing about the vertices. */
typedef struct ksda_i_sets {
    uint32_t count;   /* communities */
    uint32_t counted; /* those from this number on do not count: nobody knows which they are */
    uint64_t *start;  /* [kinds + 1] the set of kind i is member[start[i]] .. member[start[i + 1] - 1] */
    uint32_t *member; /* ascending within a set */
    ksda_i_ids names; /* of the communities */
} ksda_i_sets;

struct ksda_communities {
    uint32_t n, count;
    uint32_t counted; /* communities from this number on hold vertices of which none is known: they do not count */
    uint32_t unknown; /* communities from this number on hold the vertices without a community, counted or not */
    uint32_t given;  /* labels from this number on were made here, in the order of the vertices: a release mixes them */
    uint32_t *of;    /* [n] */
    uint32_t *start; /* [count + 1] members of c are member[start[c]] .. member[start[c + 1] - 1] */
    uint32_t *member;  /* [n] ascending within a community */
    ksda_i_ids names;  /* of the communities */
    ksda_i_sets *sets; /* NULL: everybody has one community */
};

static inline uint32_t ksda_i_community_size(const ksda_communities *c, uint32_t i) {
    return c->start[i + 1] - c->start[i];
}

/* KSDA_INVALID unless they are communities of this graph's vertices, as far as their number tells: asked by every call
 * that takes both. */
ksda_status ksda_i_communities_fit(ksda_ctx *ctx, const ksda_communities *c, const ksda_graph *graph);

/* Vertices without a community. */
static inline uint32_t ksda_i_unassigned(const ksda_communities *c) {
    return c->start[c->count] - c->start[c->unknown];
}

/* The communities of a vertex of that kind, ascending; how many to *size. */
static inline const uint32_t *ksda_i_set(const ksda_communities *c, const uint32_t *kind, uint32_t *size) {
    if (!c->sets) return *size = 1, kind;
    const uint64_t *start = c->sets->start + *kind;
    *size = (uint32_t)(start[1] - start[0]);
    return c->sets->member + start[0];
}
/* What the communities are called, not the kinds. */
static inline const ksda_i_ids *ksda_i_community_names(const ksda_communities *c) {
    return c->sets ? &c->sets->names : &c->names;
}
/* Do two ascending lists have a number in common? */
bool ksda_i_lists_meet(const uint32_t *a, uint32_t a_size, const uint32_t *b, uint32_t b_size);
/* Have the sets of two kinds? */
bool ksda_i_kinds_meet(const ksda_communities *c, uint32_t a, uint32_t b);
/* The first community that two kinds have in common; UINT32_MAX where there is none. */
uint32_t ksda_i_kinds_common(const ksda_communities *c, uint32_t a, uint32_t b);

/* Who is in each community, where people may be in several. */
typedef struct ksda_i_rolls {
    uint64_t *start;  /* [communities + 1] */
    uint32_t *member; /* [memberships] ascending within a community */
} ksda_i_rolls;
/* Clearing is fine after a failure, and for what is all zero. */
ksda_status ksda_i_rolls_new(ksda_ctx *ctx, const ksda_communities *c, ksda_i_rolls *out);
void ksda_i_rolls_clear(ksda_ctx *ctx, ksda_i_rolls *rolls);

/* Takes of (values below count, every value used) and names on success; on failure they stay the caller's. */
ksda_status ksda_i_communities_take(ksda_ctx *ctx, uint32_t n, uint32_t count, uint32_t *of, ksda_i_ids *names,
                                    ksda_communities **out);
/* The same where of[v] may be KSDA_NO_VERTEX: such vertices get further communities, as `unassigned` says, which must
 * not be KSDA_UNASSIGNED_REFUSE. All that names has are used. */
ksda_status ksda_i_communities_take_partial(ksda_ctx *ctx, uint32_t n, ksda_unassigned unassigned, uint32_t *of,
                                            ksda_i_ids *names, ksda_communities **out);
/* From memberships, vertex * 2^32 + community, in any order and maybe twice; sorts them. Takes names on success. Where
 * nobody has two communities the result is that of the function before. */
ksda_status ksda_i_communities_take_sets(ksda_ctx *ctx, uint32_t n, ksda_unassigned unassigned, uint64_t *membership,
                                         uint64_t memberships, ksda_i_ids *names, ksda_communities **out);
/* Many further communities, called by the next numbers or "unassigned-N"; they are numbered from *first. */
ksda_status ksda_i_new_communities(ksda_ctx *ctx, ksda_i_ids *names, uint32_t count, uint32_t *first);
bool ksda_i_unassigned_counts(ksda_unassigned unassigned);
/* KSDA_INVALID where a vertex has none (of[v] is KSDA_NO_VERTEX) and that is refused, or what to do is no value. */
ksda_status ksda_i_refuse_unassigned(ksda_ctx *ctx, uint32_t n, const uint32_t *of, ksda_unassigned unassigned);
/* Room for so many kinds with so many members in all; no names. NULL: no memory. */
ksda_i_sets *ksda_i_sets_new(ksda_ctx *ctx, uint32_t kinds, uint64_t members);
void ksda_i_sets_free(ksda_ctx *ctx, ksda_i_sets *sets);
ksda_status ksda_i_sets_copy(ksda_ctx *ctx, const ksda_i_sets *from, uint32_t kinds, ksda_i_sets **out);
/* The communities of the pieces: piece p belongs where owner[p] does. Names are copied. to: [count] a permutation, the
 * new numbers of the communities; NULL: they keep theirs. */
ksda_status ksda_i_communities_pull(ksda_ctx *ctx, const ksda_communities *c, uint32_t pieces, const uint32_t *owner,
                                    const uint32_t *to, ksda_communities **out);

#endif
