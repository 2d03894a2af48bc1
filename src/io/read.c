/* What a reader hands over. */
#include "io/formats.h"

void ksda_i_read_clear(ksda_ctx *ctx, ksda_i_read *r) {
    ksda_graph_free(ctx, r->graph);
    ksda_i_free(ctx, r->community);
    ksda_i_ids_clear(ctx, &r->names);
    ksda_i_free(ctx, r->header);
    memset(r, 0, sizeof *r);
}
