/* foreign.h: files that are no graphs of ours, but would pass as lists of strange names. */
#ifndef KSDA_I_FOREIGN_H
#define KSDA_I_FOREIGN_H

#include <stddef.h>

/* What the first bytes say that is no text at all, with what to do about it; NULL: it may be text. */
const char *ksda_i_no_text(const char *data, size_t size);
/* What the first bytes look like, with what to do about it; NULL: nothing that is known here. */
const char *ksda_i_foreign(const char *data, size_t size);

#endif
