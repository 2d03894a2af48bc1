/* names.h: writing the names of vertices and communities into lines. */
#ifndef KSDA_I_NAMES_H
#define KSDA_I_NAMES_H

#include "graph/ids.h"
#include "io/output.h"

/* Which names can stand in a line as they are. */
typedef enum ksda_i_naming {
    KSDA_I_NAMING_WORD, /* separated by blanks: a name has none, and does not look like a comment */
    KSDA_I_NAMING_TAB,  /* separated by a tab: a name may hold blanks, but not begin or end with one */
    KSDA_I_NAMING_CSV   /* quoted where need be; only line ends and other control characters are impossible */
} ksda_i_naming;

/* Can all names be written so? If not, KSDA_UNSUPPORTED names the first that cannot, and says what: "an edge list". */
ksda_status ksda_i_names_check(ksda_ctx *ctx, const ksda_i_ids *ids, ksda_i_naming naming, const char *what);
/* The same as a question. */
bool ksda_i_names_fit(const ksda_i_ids *ids, ksda_i_naming naming);
/* Write one; separator matters for KSDA_I_NAMING_CSV. */
void ksda_i_names_write(const ksda_i_ids *ids, uint32_t item, ksda_i_naming naming, char separator, ksda_i_output *out);

#endif
