/* Rows of others that are not here yet cannot be read by mistake: their pages are closed until they are brought. Who
 * forgets ksda_i_graph_need() would read zeros and go on; so the first process ends all of them and says why.
 *
 * Linux 6.13 closes single pages at no cost; older ones by mprotect(), of which a process has a limited number of
 * pieces (vm.max_map_count). Where they run out the pages stay open, which is said. */
#include "world.h"

#include "cli.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#define MADV_GUARD_REMOVE 103
#endif
#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif
#define COPIED_PAGES 256 /* at a time */
#define ABORT_SECONDS 10 /* MPI may be busy in another thread */

static bool in_pieces; /* by mprotect() */
static bool open_all;
static struct sigaction before;

static void write_text(const char *text) {
    if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* nobody is left to be told */
}

static void leave_pages_open(void) {
    if (!open_all)
        write_text("ksda: no more pieces of memory to close (vm.max_map_count): reads of rows that were not fetched go "
                   "unnoticed\n");
    open_all = true;
}

void mpi_guard_pages(const mpi_share *s, uint64_t from, uint64_t to) {
    char *at = (char *)(s->view + from * world.page);
    if (from >= to) return;
    uint64_t bytes = (to - from) * world.page * sizeof *s->view;
    if (!in_pieces && madvise(at, bytes, MADV_GUARD_INSTALL) == 0) return;
    in_pieces = true;
    madvise(at, bytes, MADV_DONTNEED);
    if (!open_all && mprotect(at, bytes, PROT_NONE) != 0) leave_pages_open();
}

void mpi_unguard_pages(const mpi_share *s, uint64_t from, uint64_t to) {
    char *at = (char *)(s->view + from * world.page);
    uint64_t bytes = (to - from) * world.page * sizeof *s->view;
    madvise(at, bytes, MADV_GUARD_REMOVE);
    if (!in_pieces || mprotect(at, bytes, PROT_READ | PROT_WRITE) == 0) return;
    leave_pages_open();
    if (mprotect(s->view, s->view_bytes, PROT_READ | PROT_WRITE) != 0) MPI_Abort(MPI_COMM_WORLD, CLI_FAILURE);
}

/* --- pages that move -------------------------------------------------------------------------------------------------
 */

/* Never more of them in both places than a few. */
static void *copy_pages(char *from, uint64_t bytes) {
    const uint64_t most = world.page * COPIED_PAGES * sizeof(uint32_t);
    char *to = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (uint64_t at = 0; to != MAP_FAILED && at < bytes; at += most) {
        uint64_t part = bytes - at < most ? bytes - at : most;
        memcpy(to + at, from + at, part);
        madvise(from + at, part, MADV_DONTNEED);
    }
    return to;
}

/* Linux 5.7 moves pages as they are, where it keeps them as one piece. Not to an address that is asked for: MPIs that
 * watch mremap() lose it. */
void *mpi_take_pages(const mpi_share *s, uint64_t bytes) {
    void *to = in_pieces ? MAP_FAILED : mremap(s->view, bytes, bytes, MREMAP_MAYMOVE | MREMAP_DONTUNMAP);
    if (to == MAP_FAILED) to = copy_pages((char *)s->view, bytes);
    return to == MAP_FAILED ? NULL : to;
}

/* --- what happens to who reads them ----------------------------------------------------------------------------------
 */

static bool is_guarded(const void *address) {
    for (unsigned h = 0; h < world.handles; h++) {
        const mpi_share *s = world.share[h];
        if (s && s->view && (uintptr_t)address - (uintptr_t)s->view < s->view_bytes) return true;
    }
    return false;
}

/* Several threads may come here; the first one ends all processes. */
static void on_fault(int number, siginfo_t *info, void *context) {
    static atomic_flag told = ATOMIC_FLAG_INIT;
    (void)context;
    if (!is_guarded(info->si_addr)) { /* it comes again, to whom it came before */
        sigaction(number, &before, NULL);
        return;
    }
    while (atomic_flag_test_and_set(&told)) pause();
    write_text("ksda: rows of other processes were read that had not been fetched: an error in this program, please "
               "report it; nothing was published\n");
    signal(SIGALRM, SIG_DFL);
    alarm(ABORT_SECONDS);
    MPI_Abort(MPI_COMM_WORLD, CLI_FAILURE);
}

void mpi_guard_watch(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    const char *test = getenv("KSDA_MPI_TEST"); /* for tests: as on an older kernel; as if nobody fetched */
    in_pieces = test && strstr(test, "pieces");
    world.forgetful = test && strstr(test, "forget");
    sigaction(SIGSEGV, &action, &before);
}
