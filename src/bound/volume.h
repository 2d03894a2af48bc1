/* volume.h: the volume algorithm, which raises a concave function of many variables that are not negative. */
#ifndef KSDA_I_VOLUME_H
#define KSDA_I_VOLUME_H

#include "core/ctx.h"

typedef struct ksda_i_volume {
    uint64_t size; /* variables */
    /* The function at x, and a supergradient of it. */
    double (*value)(void *data, const double *x, double *gradient);
    /* Move x, whose variables are at least 0, to the nearest point that is allowed otherwise; may be NULL. */
    void (*project)(void *data, double *x);
    /* Called between rounds at the best x: may change the function, but must not make it smaller there; may be NULL. */
    void (*between)(void *data, const double *x);
    void *data;
    double ceiling;  /* the function is not expected to get higher */
    double enough;   /* stop above this */
    uint64_t steps;  /* and after so many */
    uint32_t rounds; /* and after so many rounds; 0: as long as they gain anything */
    bool whole;      /* only whole numbers count: stop where the next one is out of reach of the steps that are left */
    const char *stage; /* for progress */
} ksda_i_volume;

/* Raise the function from *x, which is replaced by the best point found; *out is its value. Stops at the context's time
 * limit with what it has. */
ksda_status ksda_i_volume_raise(ksda_ctx *ctx, const ksda_i_volume *problem, double *x, double *out);

#endif
