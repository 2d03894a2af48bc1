/* ksda-mpi where the address sanitizer watches it, which then tells our leaks from MPI's own: what it has allocated
 * while it starts does not count, nor what its libraries have lost later. It is looked for just before MPI_Finalize(),
 * which unloads plug-ins and with them all trace of whose their memory was, and not again at the end of the process. A
 * leak ends the process with a report and exit code 1. */
#include <mpi.h>
#include <sanitizer/lsan_interface.h>

#define SEEN __attribute__((visibility("default"))) /* by the sanitizer's library */
SEEN const char *__lsan_default_options(void);
SEEN const char *__lsan_default_suppressions(void);

const char *__lsan_default_options(void) {
    return "print_suppressions=0";
}

const char *__lsan_default_suppressions(void) {
    return "leak:libmpi\nleak:libopen-\nleak:libpmix\nleak:libucs\nleak:libuct\nleak:mca_\n";
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    __lsan_disable();
    int code = PMPI_Init_thread(argc, argv, required, provided);
    __lsan_enable();
    return code;
}

int MPI_Finalize(void) {
    __lsan_do_leak_check();
    return PMPI_Finalize();
}
