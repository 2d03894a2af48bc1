/* overlay.h: a published graph whose rows are made when they are asked for. */
#ifndef KSDA_I_OVERLAY_H
#define KSDA_I_OVERLAY_H

#include "graph/edits.h"

/* The graph that ksda_i_edits_apply_as() makes, without its rows: offsets, and far->row() (peers.h) for the others. It
 * borrows the edits and their graph, which must outlive it; to, [pieces], is taken on success. KSDA_INVALID (an edge is
 * there already, an edit that cannot be applied), KSDA_NOMEM, KSDA_INTERRUPTED. */
ksda_status ksda_i_overlay_new(ksda_ctx *ctx, const ksda_edits *edits, uint32_t *to, ksda_graph **out);

#endif
