/* verify_degrees.h: what verify.c says of the degrees of a release. */
#ifndef KSDA_I_VERIFY_DEGREES_H
#define KSDA_I_VERIFY_DEGREES_H

#include "privacy/witnesses.h"

enum {
    KSDA_I_NAME_SHOWN = 64 /* bytes of a name in a complaint, with its NUL */
};

/* A name, cut to a readable length. */
const char *ksda_i_verify_name(const ksda_graph *g, uint32_t v, char buffer[KSDA_I_NAME_SHOWN]);
/* Is every degree of the view's graph in k communities, and in none of them in more than this share (0/0: no bound)?
 * out->satisfied, and out->error where a complaint is wanted: about the lowest vertex whose degree is not. Everybody
 * has one community, and the view an owner for each vertex. */
ksda_status ksda_i_verify_degrees(const ksda_i_view *x, const ksda_graph *original, ksda_share most, bool complain,
                                  ksda_verification *out);

#endif
