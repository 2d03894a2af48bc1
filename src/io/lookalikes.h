/* lookalikes.h: names that are different to a program and the same to people. */
#ifndef KSDA_I_LOOKALIKES_H
#define KSDA_I_LOOKALIKES_H

#include "graph/ids.h"

#define KSDA_I_LOOKALIKES_TOLD 3 /* pairs that are shown */

typedef struct ksda_i_lookalikes {
    uint32_t count; /* names that look like an earlier one */
    char pairs[200];
} ksda_i_lookalikes;

/* What people see of a name: two names that look alike have the same key. key: [length]; returns how long it is. */
size_t ksda_i_name_key(const char *text, size_t length, char *key);

/* Count the names that look like an earlier one, and show the first pairs. Nothing to find among numbers. */
ksda_status ksda_i_lookalikes_find(ksda_ctx *ctx, const ksda_i_ids *ids, ksda_i_lookalikes *out);

#endif
