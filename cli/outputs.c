/* Several outputs that appear together or not at all. */
#include "publish.h"

ksda_status cli_outputs_open(cli_run *cli, cli_outputs *set, const char *path, bool private_file, ksda_i_output **out) {
    ksda_status status;
    *out = NULL;
    if (set->count == KSDA_I_MOST_OUTPUTS) return KSDA_INTERNAL;
    status = ksda_i_output_open(cli->ctx, path, private_file, out);
    if (status >= 0) set->out[set->count++] = *out;
    return status;
}

ksda_status cli_outputs_text(cli_run *cli, cli_outputs *set, const char *path, bool private_file, const char *text) {
    ksda_i_output *out;
    ksda_status status = cli_outputs_open(cli, set, path, private_file, &out);
    if (status >= 0) ksda_i_output_text(out, text);
    return status;
}

/* Something failed, and putting everything back failed too: of each file, which one is it? */
static void tell_fates(cli_run *cli, const cli_outputs *set) {
    char text[3 * PATH_MAX];
    bool told = false;
    for (size_t i = 0; i < set->count; i++) told = ksda_i_output_fate(set->out[i], text, sizeof text) || told;
    if (!told) return;
    cli_bar_clear(cli->bar);
    fputs("ksda: writing failed, and not everything could be put back; this is what is there now:\n", stderr);
    for (size_t i = 0; i < set->count; i++) {
        ksda_i_output_fate(set->out[i], text, sizeof text);
        fprintf(stderr, "  %s\n", text);
    }
}

ksda_status cli_outputs_commit(cli_run *cli, cli_outputs *set) {
    ksda_status status = ksda_i_interrupted(cli->ctx);
    if (status >= 0) status = ksda_i_outputs_commit(set->out, set->count);
    if (status < 0) tell_fates(cli, set);
    cli_outputs_abandon(set);
    return status;
}

void cli_outputs_abandon(cli_outputs *set) {
    for (size_t i = 0; i < set->count; i++) ksda_i_output_abandon(set->out[i]);
    set->count = 0;
}
