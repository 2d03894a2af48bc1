/* extras.h: the columns of a file of edges that are not read. What they hold tells whether the file is a list of edges
 * at all. */
#ifndef KSDA_I_EXTRAS_H
#define KSDA_I_EXTRAS_H

#include "io/header.h"

#define KSDA_I_EXTRAS 8 /* columns that are told apart */

typedef struct ksda_i_extras {
    unsigned columns; /* of a line, the two ends among them */
    unsigned named;   /* of these the last one that the first line fills */
    unsigned seen[KSDA_I_EXTRAS];
    char name[KSDA_I_EXTRAS][32]; /* from the header, or empty */
    ksda_i_ids text;              /* fields at the top that are neither numbers nor dates */
    uint64_t *line, line_capacity;
} ksda_i_extras;
void ksda_i_extras_clear(ksda_ctx *ctx, ksda_i_extras *extras);

/* Look at the lines in the first 64 KiB. KSDA_PARSE: every line holds a vertex and all its neighbours. */
ksda_status ksda_i_extras_look(ksda_ctx *ctx, ksda_i_source *source, const ksda_i_syntax *syntax, const ksda_i_top *top,
                               ksda_i_extras *extras);
/* KSDA_PARSE: one of these fields is the name of a vertex, so this is no list of edges. */
ksda_status ksda_i_extras_check(ksda_ctx *ctx, ksda_i_source *source, const ksda_i_extras *extras,
                                const ksda_i_ids *names);
/* Add to the note what is ignored. */
void ksda_i_extras_note(const ksda_i_extras *extras, const ksda_i_syntax *syntax, char *note, size_t size);
/* Add a sentence to a note, behind a semicolon where there is one already. */
void ksda_i_note(char *note, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
