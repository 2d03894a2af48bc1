/* beam.h: the beam search for a plan from inside. beam.c walks down the degrees, beam_states.c keeps the
 * states, beam_splits.c the split vertices on their way. */
#ifndef KSDA_I_BEAM_H
#define KSDA_I_BEAM_H

#include "methods/levelplan/level_plan.h"

#define KSDA_I_NO_LEVEL UINT32_MAX
#define KSDA_I_ITEMS 24u /* split vertices of one community that are on their way at the same time */

/* A split vertex on its way down: `rest` of its degree is not yet on a piece, `pieces` pieces are paid for and not
 * placed. */
typedef struct ksda_i_item {
    uint32_t member; /* list position of the vertex */
    uint32_t rest, pieces;
} ksda_i_item;

/* What few communities have: items on their way and needs without a partner. */
typedef struct ksda_i_load {
    ksda_i_item item[KSDA_I_ITEMS];
    uint16_t rest[KSDA_I_NEAR]; /* the needs, where open says that there are some */
} ksda_i_load;

typedef struct ksda_i_cell {
    uint64_t open;  /* which of the first KSDA_I_NEAR members have needs that found no partner yet */
    uint32_t next;  /* the list is consumed up to here */
    uint32_t spare; /* list position + 1 of a placed member that its community does not need there; 0 for none */
    uint32_t items;
    uint32_t load; /* its load in the search is load[load]; load[0] is empty and nobody's */
} ksda_i_cell;

typedef struct ksda_i_plan_state {
    double cost;
    uint64_t hash;
    struct ksda_i_plan_state *parent;
    uint32_t level; /* opened by the step to this state, or KSDA_I_NO_LEVEL */
    uint32_t top;   /* the highest level opened so far; 0 for none */
    uint32_t loose; /* items in all cells */
    uint32_t changes, placings, splits;
    uint32_t *log;     /* (community, next) of every change; (member, level) of every piece; member of every split */
    ksda_i_cell *cell; /* [communities]; NULL once expanded */
    unsigned char *packed; /* the loads of the cells that have one, as far as they are used; NULL with cell */
} ksda_i_plan_state;

typedef struct ksda_i_column {
    ksda_i_plan_state **item;
    uint64_t count, capacity;
    double bar; /* states as dear as this would be dropped again; 0 for none yet */
} ksda_i_column;

/* A cell as it was before the step being tried. */
typedef struct ksda_i_saved_cell {
    uint32_t community, kept; /* its load is kept[kept], if it has one */
    ksda_i_cell cell;
} ksda_i_saved_cell;

/* How a community can be brought to a level. */
typedef enum ksda_i_way_in {
    KSDA_I_PULL_UP, /* its next member */
    KSDA_I_STAND,   /* a piece of its item number `which` */
    KSDA_I_DIVIDE   /* its spare member, split for the purpose */
} ksda_i_way_in;

typedef struct ksda_i_candidate {
    double cost;
    uint32_t community, which;
    ksda_i_way_in way;
} ksda_i_candidate;

typedef struct ksda_i_search {
    ksda_ctx *ctx;
    const ksda_i_ranks *lists;
    const ksda_i_plan_options *options;
    double limit;          /* states dearer than this are dropped */
    ksda_i_column *column; /* [levels + 1] */
    ksda_i_cell *work;     /* [communities] the state being extended */
    ksda_i_load *load;     /* [loads] of its cells */
    uint64_t loads, load_capacity;
    double cost;              /* of work */
    uint32_t loose;           /* items in work */
    ksda_i_saved_cell *saved; /* [saves] to go back to where a step began, or one of the ways that it may take */
    uint32_t saves, trial, trials;
    uint64_t looks;    /* at items */
    ksda_i_load *kept; /* [keeps] the loads of the saved cells */
    uint64_t keeps, kept_capacity;
    uint32_t *saved_in; /* [communities] the trial in which the cell was saved */
    uint32_t *touched;  /* communities whose list was consumed further, each once */
    uint32_t touches;
    uint32_t *seen; /* [communities] stamp: touched; present at the level */
    uint32_t *present;
    uint32_t stamp, placed;
    bool *safe;         /* [degrees] filled whatever happens above: most of k + 2 communities have several there */
    uint32_t *arrived;  /* [placed] who is present, in order */
    ksda_status status; /* KSDA_NOMEM once a step failed for want of memory */
    uint32_t *split;    /* list positions split in this step */
    uint64_t splits, split_capacity;
    uint32_t *placing; /* (member, level) of the pieces placed in this step */
    uint64_t placings, placing_capacity;
    ksda_i_candidate *candidate; /* [communities] */
    uint32_t top;
} ksda_i_search;

/* --- beam_states.c --- */
void ksda_i_state_free(ksda_ctx *ctx, ksda_i_plan_state *x);
int ksda_i_states_by_cost(const void *a, const void *b); /* for ksda_i_sort_by() of pointers to states */
/* The most states that a column holds before the dearer ones are dropped. */
uint64_t ksda_i_states_most(const ksda_i_ranks *lists, const ksda_i_plan_options *options);
/* Leave the cheapest states of a column. */
void ksda_i_states_trim(ksda_i_search *s, ksda_i_column *col);
/* Would a state of this cost be kept in column j, as far as those there can tell? */
bool ksda_i_states_wanted(const ksda_i_search *s, uint32_t j, double cost);
/* Put the state in s->work into column j, unless a cheaper one with the same future is there. */
ksda_status ksda_i_states_push(ksda_i_search *s, ksda_i_plan_state *parent, uint32_t j, uint32_t level);
/* s->work becomes a copy of x, to be extended. */
void ksda_i_search_start(ksda_i_search *s, const ksda_i_plan_state *x);
/* The list of c is consumed further. */
void ksda_i_search_touch(ksda_i_search *s, uint32_t c);
/* The load of a cell of work, to be changed; it gets one if it has none. Without memory the search has failed, and what
 * is written where it points does not matter. */
ksda_i_load *ksda_i_search_load(ksda_i_search *s, ksda_i_cell *x);
/* Forget what was done to the cells since so many were saved, and so many loads kept. */
void ksda_i_search_restore(ksda_i_search *s, uint32_t saves, uint64_t keeps);
/* The cell of c, to be changed: while a step is being tried its old content is kept. */
ksda_i_cell *ksda_i_search_edit(ksda_i_search *s, uint32_t c);
/* c is present at the level being opened. */
void ksda_i_search_arrive(ksda_i_search *s, uint32_t c);
/* The plan at the end of a path. */
ksda_status ksda_i_states_read(ksda_ctx *ctx, const ksda_i_ranks *l, const ksda_i_plan_state *end, ksda_i_plan *plan);

/* --- beam_splits.c --- */
/* Split the member at that list position, for the price of one piece; false when too many are on their way. */
bool ksda_i_items_split(ksda_i_search *s, uint32_t c, uint32_t member);
/* What it costs to place one piece of an item of c at level t; INFINITY when it cannot be. */
double ksda_i_items_cost(const ksda_i_search *s, const ksda_i_plan_state *from, uint32_t c, const ksda_i_item *x,
                         uint32_t t);
/* Place one piece of item i of c at level t; its cost was finite and is paid by the caller. */
bool ksda_i_items_place(ksda_i_search *s, const ksda_i_plan_state *from, uint32_t c, uint32_t i, uint32_t t);
/* Nothing below t will be taller than below: what could then not be placed any more is placed at t now, or gets one
 * more piece where no level is open at t (t is KSDA_I_NO_LEVEL). changed: only those of communities that the trial has
 * changed, where all were settled before it. */
bool ksda_i_items_settle(ksda_i_search *s, const ksda_i_plan_state *from, uint32_t t, uint32_t below, bool changed);
/* Is there a last piece that would stand at t, linked or not? */
bool ksda_i_items_wanted(const ksda_i_search *s, uint32_t t);

#endif
