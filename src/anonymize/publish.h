/* publish.h: a publication from inside, for the reports. */
#ifndef KSDA_I_PUBLISH_H
#define KSDA_I_PUBLISH_H

#include "graph/edits.h"

#include <ksda/measure.h>
#include <ksda/publish.h>

struct ksda_publication {
    char *method;
    uint32_t k;
    ksda_share max_share;
    uint64_t seed;
    const ksda_graph *original;
    const ksda_communities *communities;
    const ksda_edits *edits;
    ksda_edits *own_edits; /* the same, or NULL where the caller lent them */
    ksda_release release;
    ksda_anonymize_result result;
    ksda_verification verification;
    uint32_t *witness; /* [witnesses] published vertices, where people have several communities; else NULL */
    uint64_t witnesses;
    int baseline, limited, no_proof;
    double anonymize, verify; /* seconds: for the method and applying its edits, for recounting */
    ksda_value added_auc;     /* how well added edges can be told from own ones, with the seconds that took */
    bool unverified;          /* a release that is not to be handed to anybody yet */
};

/* Several processes read back and recount what they have written before any file gets its name; to count it before it
 * is written as well would take them as long again. Who sets ctx->recounts for ksda_publish_edits() promises that: the
 * publication of a network whose rows are apart is then unverified until it is told here what was found, and how long
 * that took. */
void ksda_i_publication_recounted(ksda_publication *publication, const ksda_verification *found, double seconds);

#endif
