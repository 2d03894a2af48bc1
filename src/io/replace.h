/* replace.h: several finished files get their names together. */
#ifndef KSDA_I_REPLACE_H
#define KSDA_I_REPLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct ksda_i_replacement {
    const char *temporary, *target;
    char old[PATH_MAX]; /* the other name of the old file as long as it is kept; "" when there is none */
    bool aside;         /* its only name: the file system has no links */
    bool placed;        /* the target is the new file */
} ksda_i_replacement;

/* What the old file is called while all of them are being replaced: TARGET.ksda-old. False when that is too long. */
bool ksda_i_old_name(const char *target, char old[PATH_MAX]);

/* Give every temporary file its target's name. Returns 0, or the errno of what failed and in *at where. After a failure
 * every target is what it was before, unless even that fails: then placed, old and aside tell of each what is where.
 * Signals are held back meanwhile. What a kill or a power cut leaves is old files beside new ones, the old ones under
 * their other names. */
int ksda_i_replace(ksda_i_replacement *files, size_t count, size_t *at);

#endif
