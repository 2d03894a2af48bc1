/* What a reader hands over, and what it remarks. */
#include "io/extras.h"
#include "io/formats.h"

#include <stdarg.h>
#include <stdio.h>

void ksda_i_read_clear(ksda_ctx *ctx, ksda_i_read *r) {
    ksda_graph_free(ctx, r->graph);
    ksda_i_free(ctx, r->community);
    ksda_i_free(ctx, r->more);
    ksda_i_free(ctx, r->place);
    ksda_i_ids_clear(ctx, &r->names);
    ksda_i_free(ctx, r->header);
    memset(r, 0, sizeof *r);
}

void ksda_i_note(char *note, size_t size, const char *format, ...) {
    size_t used = strlen(note);
    va_list arguments;
    if (used) used += (size_t)snprintf(note + used, size - used, "; ");
    if (used >= size) return;
    va_start(arguments, format);
    vsnprintf(note + used, size - used, format, arguments);
    va_end(arguments);
}
