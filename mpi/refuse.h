/* refuse.h: what ksda can do and ksda-mpi cannot, said before anything is read, with the command that can. */
#ifndef KSDA_MPI_REFUSE_H
#define KSDA_MPI_REFUSE_H

#include "cli.h"

/* Both return CLI_OK, or CLI_USAGE after a message. */
int mpi_refuse_command(int argc, char **argv);
int mpi_refuse_values(const cli_command *command, const cli_values *values);

#endif
