/* release.h: releases from inside. */
#ifndef KSDA_I_RELEASE_H
#define KSDA_I_RELEASE_H

#include "graph/edits.h"

/* Should the rows of this release be made when they are asked for, since two graphs in full would take more than half
 * of the machine's memory? That costs time: some of what it takes to make the rows, each time they are gone through. */
bool ksda_i_release_is_lean(const ksda_ctx *ctx, const ksda_edits *edits);

/* ksda_release_make(), and in *numbers, unless it is NULL, where each piece stands in the release: [pieces], to be
 * freed; untouched on failure. */
ksda_status ksda_i_release_make(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities,
                                int insecure_ids, uint32_t **numbers, ksda_release *out);

/* The same with rows that are made when they are asked for: the graph borrows the edits and theirs, see overlay.h. */
ksda_status ksda_i_release_make_lean(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities,
                                     int insecure_ids, ksda_release *out);

#endif
