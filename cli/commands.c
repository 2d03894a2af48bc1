/* The commands, in the order of `ksda help`; a new one is a file cmd_NAME.c, a declaration and a row (see options.h).
 */
#include "cli.h"

extern const cli_command cmd_studio, cmd_advise, cmd_anonymize, cmd_optimal, cmd_check, cmd_attack, cmd_verify,
    cmd_stats, cmd_measure, cmd_compare, cmd_sweep, cmd_detect, cmd_generate, cmd_convert, cmd_methods, cmd_completion,
    cmd_help, cmd_version;

const cli_command *const cli_commands[] = {
    &cmd_anonymize, &cmd_studio,     &cmd_advise,  &cmd_optimal, &cmd_check, &cmd_attack, &cmd_verify, /* Publish */
    &cmd_stats,     &cmd_measure,    &cmd_compare, &cmd_sweep,                                         /* Look */
    &cmd_detect,    &cmd_generate,   &cmd_convert,                                                     /* Prepare */
    &cmd_methods,   &cmd_completion, &cmd_help,    &cmd_version,                                       /* About ksda */
    NULL,
};
