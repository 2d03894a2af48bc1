/* Several outputs that appear together or not at all. */
#include "publish.h"

ksda_status cli_outputs_open(cli_run *cli, cli_outputs *set, const char *path, bool private_file, ksda_i_output **out) {
    ksda_status status;
    *out = NULL;
    if (set->count == CLI_MOST_OUTPUTS) return KSDA_INTERNAL;
    status = ksda_i_output_open(cli->ctx, path, private_file, out);
    if (status >= 0) set->out[set->count++] = *out;
    return status;
}

ksda_status cli_outputs_commit(cli_run *cli, cli_outputs *set) {
    ksda_status status = ksda_i_interrupted(cli->ctx);
    for (size_t i = 0; i < set->count && status >= 0; i++) status = ksda_i_output_finish(set->out[i]);
    if (status < 0) {
        cli_outputs_abandon(set);
        return status;
    }
    for (size_t i = 0; i < set->count; i++) {
        ksda_status one = ksda_i_output_commit(set->out[i]);
        if (status >= 0) status = one;
    }
    set->count = 0;
    return status;
}

void cli_outputs_abandon(cli_outputs *set) {
    for (size_t i = 0; i < set->count; i++) ksda_i_output_abandon(set->out[i]);
    set->count = 0;
}
