/* sweep.h: many methods and many k on one network, and what came of each. */
#ifndef KSDA_I_SWEEP_H
#define KSDA_I_SWEEP_H

#include "attack/attack.h"
#include "io/output.h"
#include "measure/measure.h"
#include "report/report.h"

/* One method at one k. A method that fails there is a result as well. */
typedef struct ksda_i_point {
    const ksda_method *method;
    uint32_t k;
    ksda_share max_share;                  /* of this point alone; 0 of 0: that of the sweep */
    const struct ksda_i_point *taken_from; /* of the same sweep: the release is that point's; NULL: its own */
    int done;                              /* computed, in this run or an earlier one */
    ksda_status status; /* of the method; KSDA_OK or KSDA_LIMIT with everything below, KSDA_NOT_FOUND, KSDA_INFEASIBLE,
                           KSDA_UNSUPPORTED: it does not know people in several communities */
    char reason[256];   /* why it failed */
    ksda_anonymize_result result;
    int satisfied;              /* a baseline may end without */
    double guess, surest_guess; /* of the degree attack on the release: right on average, and at most; NaN: none */
    double seconds;             /* of the method alone */
    double measure[KSDA_I_ROWS_MOST], difference[KSDA_I_ROWS_MOST];      /* NaN where not measured */
    double alone[KSDA_I_ATTACKERS_MOST], exposed[KSDA_I_ATTACKERS_MOST]; /* people, by attacker, matched; likewise */
    double added_auc;                                                    /* of the worst score; likewise */
} ksda_i_point;

typedef struct ksda_i_sweep {
    const ksda_graph *graph;
    const ksda_communities *communities;
    double split_weight; /* 0 means |V|^2 */
    double time_limit;   /* seconds for the method at each point; 0 for none */
    ksda_measure_options measuring;
    int measured;         /* 0: no measures at all */
    int attackers;        /* who know more than a degree: nonzero where they are asked for */
    int no_proof;         /* the releases only */
    ksda_share max_share; /* 0 of 0: none; methods that do not know it fail */
    ksda_measures original;
    ksda_i_point *point; /* method by method, k ascending */
    uint32_t count;
    /* Called after each point that was computed, by one thread at a time. */
    ksda_status (*finished)(const ksda_i_point *point, void *payload); /* a failure ends the sweep */
    void *payload;
} ksda_i_sweep;

/* A point that is to be computed. */
void ksda_i_point_init(ksda_i_point *point, const ksda_method *method, uint32_t k);
/* Compute the points that are not done yet, several at a time, each on one thread. @return KSDA_OK also when methods
 * fail; KSDA_LIMIT: the context's time is over, some points are not done; KSDA_NOMEM, KSDA_INTERRUPTED, KSDA_TIMEOUT
 * (no point is done): points that are done stay done. A point that the context's time limit cut short is not told to
 * finished(). */
ksda_status ksda_i_sweep_run(ksda_ctx *ctx, ksda_i_sweep *sweep);
/* What the points depend on besides method and k: results of another network or another seed must not be mixed in. */
uint64_t ksda_i_sweep_fingerprint(const ksda_ctx *ctx, const ksda_i_sweep *sweep);

void ksda_i_point_json(const ksda_i_point *point, json_t *object);
/* False when the object is not a point of this sweep. */
bool ksda_i_point_read(const json_t *object, ksda_i_sweep *sweep);

void ksda_i_sweep_json(const ksda_i_sweep *sweep, json_t *object);
void ksda_i_sweep_csv(const ksda_i_sweep *sweep, ksda_i_output *out);
void ksda_i_sweep_text(const ksda_i_sweep *sweep, int utf8, FILE *out); /* utf8: bars of block characters */
ksda_status ksda_i_sweep_html(ksda_ctx *ctx, const ksda_i_sweep *sweep, const char *network,
                              ksda_i_output *out); /* or KSDA_NOMEM */

#endif
