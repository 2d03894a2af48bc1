/* The options that `measure` and `compare` share. */
#include "measuring.h"

#include <string.h>

static bool is_name(const char *name, const char *text, size_t length) {
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

/* Add the bit of one name; false when no measure is called so. */
static bool want_measure(const char *text, size_t length, ksda_measure_options *out) {
    const ksda_measure_row *row;
    for (int i = 0; (row = ksda_measure_info((ksda_measure_id)i)) != NULL; i++)
        if (is_name(row->name, text, length)) {
            out->measures |= KSDA_MEASURE_BIT(i);
            return true;
        }
    for (int i = 0; (row = ksda_difference_info((ksda_difference_id)i)) != NULL; i++)
        if (is_name(row->name, text, length)) {
            out->differences |= KSDA_MEASURE_BIT(i);
            return true;
        }
    return false;
}

static const char *nearest(const char *text, size_t length) {
    const char *names[64 + 64 + 1]; /* the options have 64 bits for either kind of row */
    const ksda_measure_row *row;
    char word[128];
    size_t count = 0;
    for (int i = 0; (row = ksda_measure_info((ksda_measure_id)i)) != NULL; i++) names[count++] = row->name;
    for (int i = 0; (row = ksda_difference_info((ksda_difference_id)i)) != NULL; i++) names[count++] = row->name;
    names[count] = NULL;
    snprintf(word, sizeof word, "%.*s", (int)(length < 120 ? length : 120), text);
    return cli_nearest(word, names);
}

static int parse_only(cli_run *cli, const char *list, ksda_measure_options *out) {
    out->measures = out->differences = 0;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        if (!want_measure(at, length, out)) {
            const char *meant = nearest(at, length);
            return cli_usage(cli->command, "--only: no measure is called '%.*s'%s%s%s", (int)length, at,
                             meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
        }
        at += length;
        if (*at == '\0') return 0;
    }
}

int cli_measuring_options(cli_run *cli, const cli_measuring *m, ksda_measure_options *out) {
    ksda_measure_options_init(out);
    if (m->exact && m->samples) return cli_usage(cli->command, "--exact and --samples contradict each other");
    if (m->exact && m->betweenness_samples)
        return cli_usage(cli->command, "--exact and --betweenness-samples contradict each other");
    out->exact = m->exact;
    out->samples = (uint32_t)m->samples;
    out->betweenness_samples = (uint32_t)m->betweenness_samples;
    return m->only ? parse_only(cli, m->only, out) : 0;
}
