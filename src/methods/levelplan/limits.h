/* limits.h: up to which size level-plan's stages run, and how much work each may do. All of them stand here, so that
 * they can be seen beside each other.
 *
 * Work is counted in the units of ksda_i_work(), about nanoseconds on one core, and not by the clock: the same run ends
 * at the same place on every machine. A network of up to KSDA_I_SMALL_SIZE vertices and edges has its release within a
 * second or two; larger ones get work in proportion (ksda_i_plan_work()). The bounds have limits of their own, in
 * bound/certificate.c and bound/colgen_certify.c. */
#ifndef KSDA_I_LEVELPLAN_LIMITS_H
#define KSDA_I_LEVELPLAN_LIMITS_H

#include <stdint.h>

/* --- sizes --- */
#define KSDA_I_EXHAUSTIVE_VERTICES 256u /* above, sets of three edges already are too many to be tried */
#define KSDA_I_EXHAUSTIVE_STEPS 300000u
#define KSDA_I_POOL_SIZE 40000u         /* vertices and edges: larger networks are searched with fewer weights */
#define KSDA_I_POOL_WEIGHT 5.0          /* of them smaller ones are left out, */
#define KSDA_I_HUBS_SIZE 102000u        /* likewise: on larger ones only one is left, and hubs are cut first */
#define KSDA_I_WEIGHTS 6u               /* split weights that others are searched with */
#define KSDA_I_LEVELSET_PIECES 40960u   /* adjacency among pieces is kept as bits: 210 MB at most */
#define KSDA_I_LEVELSET_VERTICES 20480u /* half of the pieces, so that there is room for as many more */
#define KSDA_I_PROGRAM_VERTICES 20480u  /* on larger ones only a few hubs would fit into a linear program */
#define KSDA_I_DRAFT_PIECES 4096u       /* likewise */
#define KSDA_I_REWIRE_SIZE (1u << 19)   /* vertices and edges: measuring once takes about as long as the search */
#define KSDA_I_FALLBACK_EDGES 1000000u  /* several sets of low levels are tried, above only the lowest */
#define KSDA_I_FALLBACK_LEVELS 6u
#define KSDA_I_REALIZE_SORTED 2048u   /* in larger communities partners are taken as they come */
#define KSDA_I_BEAM_COMMUNITIES 4096u /* from here on a state is large, and columns are kept short */

/* --- work --- */
#define KSDA_I_SMALL_SIZE 40000u
#define KSDA_I_ROUNDS_WORK UINT64_C(500000000)
#define KSDA_I_ROUNDS_WEIGHT 5.0                     /* after the first the weights come that are nearest to this one */
#define KSDA_I_LIFTS_WORK UINT64_C(300000000)        /* for members out of turn, with each weight of at least */
#define KSDA_I_LIFTS_WEIGHT 20.0                     /* this, */
#define KSDA_I_LIFTS_UNITS UINT64_C(30000)           /* but at most so much for every vertex and edge, */
#define KSDA_I_LIFTS_IDLE 25u                        /* until so many hundredths in a row have led to nothing */
#define KSDA_I_SHARE_WORK UINT64_C(6000000000)       /* up to KSDA_I_HUBS_SIZE, for all plans of a share bound, */
#define KSDA_I_SHARE_BEAM_WORK UINT64_C(1200000000)  /* for each that a beam search makes, */
#define KSDA_I_SHARE_ASK_WORK UINT64_C(2000000000)   /* and for a linear program, whose units take far less */
#define KSDA_I_SHARE_CASES_WORK UINT64_C(3000000000) /* likewise for its cases */
#define KSDA_I_CAPPED_WORK UINT64_C(700000000)
#define KSDA_I_LEVELSET_WORK UINT64_C(1200000000)
#define KSDA_I_LEVELSET_SPLIT_WORK UINT64_C(24000000) /* more for every split of the incumbent, */
#define KSDA_I_LEVELSET_SPLITS 50u                    /* up to this number: there is more to gain */
#define KSDA_I_LEVELSET_SCRATCH 52u                   /* so many hundredths for sets from scratch */
#define KSDA_I_LEVELSET_MEDIUM (4.0 / 3)              /* times as much above KSDA_I_POOL_SIZE, and */
#define KSDA_I_LEVELSET_LARGE 5u                      /* times as much on large networks, all for sets from scratch, */
#define KSDA_I_LEVELSET_LARGEST 8u                    /* in proportion up to so many times KSDA_I_HUBS_SIZE */
#define KSDA_I_LEVELSET_PARTS 8u                      /* of the work, one for each pass */
#define KSDA_I_LEVELSET_PASSES 60u                    /* over all weights, at most, */
#define KSDA_I_LEVELSET_STALE 4u                      /* and so many in a row that lead to nothing, */
#define KSDA_I_LEVELSET_IDLE 25u                      /* or so many hundredths of the work */
#define KSDA_I_LEVELSET_DEAREST 1000.0                /* for a split at most while sets are changed: more hides edges */
#define KSDA_I_ANNEAL_WORK UINT64_C(400000000)
#define KSDA_I_REWIRE_WORK UINT64_C(500000000)
#define KSDA_I_DISGUISE_WORK UINT64_C(100000000)
#define KSDA_I_PLAUSIBLE_WORK UINT64_C(3000000000)
#define KSDA_I_SKETCH_WORK UINT64_C(100000000) /* for a first bound, which tells when annealing may end */
#define KSDA_I_PROOF_TENTHS 6u /* of the search's work for the proof, whose units take up to half as long again, */
#define KSDA_I_PROOF_LEAST UINT64_C(300000000)  /* but at least this, */
#define KSDA_I_PROOF_MOST UINT64_C(10000000000) /* and at most this */
#define KSDA_I_PROGRAM_TENTHS 30u               /* of that for the level program, whose units take a fifth as long, */
#define KSDA_I_PROGRAM_NEAR 0.95                /* where less of the cost is proved by then */
#define KSDA_I_LEVEL_SPLITS_TENTHS 28u          /* likewise for the level program with splits */
#define KSDA_I_LEVEL_SPLITS_REST 3u             /* and then one in so many parts is for the bound before it */
#define KSDA_I_SPLITS_TENTHS 4u                 /* likewise for who must be split, where a release */
#define KSDA_I_SPLITS_MOST 64u                  /* has no more splits than this */
#define KSDA_I_REALIZE_UNITS 10u                /* for realizing a plan, for every vertex and edge */

#endif
