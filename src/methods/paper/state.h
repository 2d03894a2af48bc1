/* state.h: what the paper's methods share while they run.
 *
 * The pieces of the network are numbered as in ksda_edits. When a vertex is split, the piece that still has to be
 * placed keeps the vertex's own number: so everything that is not yet placed has a number below n. */
#ifndef KSDA_I_STATE_H
#define KSDA_I_STATE_H

#include "methods/paper/lists.h"
#include "methods/methods.h"
#include "core/random.h"

/* One end of an edge that the method made; edge e has the ends 2e and 2e + 1. */
typedef struct ksda_i_half {
    uint32_t to;   /* the piece at the other end */
    uint32_t next; /* the half-edge that this piece got before, or KSDA_I_NONE */
} ksda_i_half;

typedef struct ksda_i_piece {
    uint32_t degree;
    uint32_t made; /* its newest half-edge, or KSDA_I_NONE */
} ksda_i_piece;

/* The degrees of the k-SDA groups made so far, as a set of bits. */
typedef struct ksda_i_groups {
    uint64_t *word;
    uint64_t words;
    uint32_t largest; /* KSDA_I_NONE: there is no group */
} ksda_i_groups;

/* The originals that a piece of a split vertex carries: position[begin .. begin + length - 1] of its owner's row. */
typedef struct ksda_i_piece_row {
    uint64_t begin;
    uint32_t length;
} ksda_i_piece_row;

typedef struct ksda_i_state {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    const ksda_anonymize_options *options;
    const ksda_communities *sets; /* where people have several communities; `communities` are their homes then */
    ksda_communities *homes;      /* the same, owned */
    uint32_t *taken, founding;    /* [communities of sets] equal to founding: a founder of the group at hand has it */
    uint32_t founders;  /* so many communities, with a vertex each, found a group: what an empty degree needs */
    ksda_i_order order; /* of the lists: descending or ascending */
    ksda_i_order reach; /* in which order vertices are connected to and redirected to */
    bool adding;        /* Adding Edge is allowed */

    ksda_i_lists vertices;                /* not yet placed; chain c is community c */
    ksda_i_lists heads;                   /* communities by the degree of their first vertex; one chain */
    uint8_t *head_made;                   /* [communities] its first vertex has made edges */
    uint32_t heads_with_made, heads_left; /* communities with such a vertex; with any vertex left */
    uint32_t *unplaced;                   /* [communities] */
    uint32_t placed;                      /* pieces */
    uint32_t *level_left;                 /* [communities] of the level at hand: see ksda_i_state_place_level() */
    ksda_i_groups groups;

    ksda_i_piece *piece; /* [pieces] */
    uint64_t piece_capacity;
    ksda_i_half *half;
    uint8_t *is_link; /* [edges] */
    uint64_t edges, half_capacity, is_link_capacity;
    uint32_t *mark, epoch; /* [n] marked when equal to epoch */

    /* near[p]: how many neighbours of p in its community are not yet placed. Kept only for communities where it
     * matters: in a community with more vertices left than p has neighbours there is always another vertex. */
    uint32_t *near;
    uint64_t near_capacity;
    uint8_t *tight; /* [communities] near is kept */

    ksda_edits *edits;
    uint32_t *row_of; /* [pieces] row + 1; 0: carries the whole row. NULL until the first split */
    uint64_t row_of_capacity;
    ksda_i_piece_row *row;
    uint64_t rows, row_capacity;
    uint32_t *position;
    uint64_t positions, position_capacity;

    ksda_pair *told; /* the edges of the step being told; only where they are asked for */
    uint64_t told_count, told_capacity;
} ksda_i_state;

ksda_status ksda_i_state_init(ksda_i_state *s, ksda_ctx *ctx, const ksda_graph *graph,
                              const ksda_communities *communities, const ksda_anonymize_options *options,
                              ksda_i_order order);
void ksda_i_state_clear(ksda_i_state *s);
/* Hand the edits out, with the added edges in them, and clear the state. */
ksda_status ksda_i_state_finish(ksda_i_state *s, ksda_edits **out);

/* --- founders.c: who may found a group together --- */
ksda_status ksda_i_founders_init(ksda_i_state *s);
/* A new group is looked at; then each founder is asked for: false where it cannot be one of these. */
void ksda_i_founders_begin(ksda_i_state *s);
bool ksda_i_founders_take(ksda_i_state *s, uint32_t v);
/* Where people have several communities: founders of at least that degree, as many as are needed or there are. */
ksda_status ksda_i_founders_from(ksda_i_state *s, uint32_t degree, uint32_t *member, uint32_t *found);

/* --- for split.c --- */
ksda_status ksda_i_state_connect(ksda_i_state *s, uint32_t p, uint32_t q, bool link);
uint32_t ksda_i_other_end(const ksda_i_state *s, uint32_t v, uint32_t i);
void ksda_i_state_report(ksda_i_state *s, const char *action, uint32_t p, uint32_t degree, uint32_t target,
                         uint64_t cost);

static inline uint32_t ksda_i_state_owner(const ksda_i_state *s, uint32_t piece) {
    return piece < s->graph->n ? piece : ksda_edits_owner(s->edits, piece);
}
static inline uint32_t ksda_i_community(const ksda_i_state *s, uint32_t piece) {
    return s->communities->of[ksda_i_state_owner(s, piece)];
}
/* The same for a vertex, not a later piece; it stands beside what else is looked at. */
static inline uint32_t ksda_i_state_home(const ksda_i_state *s, uint32_t v) {
    return s->vertices.link[v].chain;
}
static inline bool ksda_i_unplaced(const ksda_i_state *s, uint32_t piece) {
    return piece < s->graph->n && ksda_i_lists_has(&s->vertices, piece);
}
/* The first vertex of a community that has one. */
static inline uint32_t ksda_i_state_head(const ksda_i_state *s, uint32_t c) {
    return ksda_i_lists_begin(&s->vertices, c, s->order);
}

/* How many added edges of v, which is not yet placed, can be redirected away from it; counting stops at `enough`. */
uint32_t ksda_i_redirectable(ksda_i_state *s, uint32_t v, uint32_t enough, ksda_status *status);
/* Are there `need` vertices that u, not yet placed, could be connected to? */
bool ksda_i_reachable(ksda_i_state *s, uint32_t u, uint32_t need, ksda_status *status);
/* The original edges that v, not yet placed, still carries. */
uint32_t ksda_i_originals(const ksda_i_state *s, uint32_t v);
/* Bring u to degree t, which must be possible, and place it in that group. */
ksda_status ksda_i_state_place(ksda_i_state *s, uint32_t u, uint32_t t, const char *action);
/* Place all vertices of the smallest degree of all where their group is there and no edge has been made yet: what
 * ksda_i_step() would do with one after the other, in O(communities * k). false: nothing was done. */
bool ksda_i_state_place_level(ksda_i_state *s);

/* Redirect `count` edges away from v, the newest that allow it; so many there must be. */
ksda_status ksda_i_state_lower(ksda_i_state *s, uint32_t v, uint32_t count);

/* Split a new piece with `edges` edges off v, which is not yet placed, and place it; the rest keeps v's number and
 * place in the lists, until ksda_i_resort(). At least `reserve` original edges stay with v, which has more. The new
 * piece gets at least one original edge; then v's links, so that pieces hang together in a chain; then originals drawn
 * at random; added edges, which the rest could still get rid of, only if that does not suffice. link: also connect the
 * two, in addition to the `edges`. */
ksda_status ksda_i_split_off(ksda_i_state *s, uint32_t v, uint32_t edges, uint32_t reserve, bool link, uint32_t *piece);
/* Found a group of that degree from its founders, all of at least it: each that has more is split in two, the piece
 * placed in the group linked to the rest where links are allowed and degree > 2. */
ksda_status ksda_i_split_group(ksda_i_state *s, const uint32_t *member, uint32_t degree, bool links);
/* v, not yet placed, has another degree now. */
void ksda_i_resort(ksda_i_state *s, uint32_t v);

ksda_status ksda_i_groups_add(ksda_i_state *s, uint32_t degree);
bool ksda_i_groups_has(const ksda_i_groups *g, uint32_t degree);
/* The largest group degree <= degree, or KSDA_I_NONE. */
uint32_t ksda_i_groups_down(const ksda_i_groups *g, uint32_t degree);
/* The smallest group degree >= degree, or KSDA_I_NONE. */
uint32_t ksda_i_groups_from(const ksda_i_groups *g, uint32_t degree);

#endif
