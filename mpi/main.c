/* ksda-mpi: the commands of ksda that many machines can share. mpirun -n P ksda-mpi COMMAND ... */
#include "world.h"

#include "refuse.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* Small networks: what level-plan does to those is worth more rows than there are messages for (levelplan/limits.h). */
#define WHOLE (1u << 20)

static ksda_i_peers peers = {.read = mpi_read,
                             .generate = mpi_generate,
                             .agree = mpi_agree_on_status,
                             .reduce = mpi_reduce_all,
                             .join = mpi_join_lists,
                             .rows = mpi_rows_of_slices};

/* Processes of one machine share its processors, but for the first one while the others wait; unless somebody says how
 * many threads each has. */
static void prepare_context(ksda_ctx *ctx, const cli_shared *shared) {
    unsigned neighbours = shared->threads ? 1 : (unsigned)world.neighbours;
    world.alone = ksda_ctx_threads(ctx);
    world.together = world.alone > neighbours ? world.alone / neighbours : 1;
    ksda_ctx_allow_processes(ctx, 0); /* no fork() beside MPI */
    world.ctx = ctx;
    ctx->company = &peers;
    mpi_work_alone(ctx);
}

static void find_processors(MPI_Comm machine) {
    CPU_ZERO(&world.own);
    sched_getaffinity(0, sizeof world.own, &world.own);
    world.shared = world.own;
    MPI_Allreduce(MPI_IN_PLACE, &world.shared, sizeof world.shared, MPI_BYTE, MPI_BOR, machine);
}

static void join_world(void) {
    MPI_Comm machine;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &world.neighbours);
    find_processors(machine);
    MPI_Comm_free(&machine);
    world.page = (uint32_t)sysconf(_SC_PAGESIZE) / sizeof(uint32_t);
    MPI_Bcast(&world.page, 1, MPI_UINT32_T, 0, MPI_COMM_WORLD); /* machines may have others: the first one's counts */
    const char *whole = getenv("KSDA_MPI_WHOLE");               /* for tests: small networks as large ones */
    peers.whole = whole ? strtoull(whole, NULL, 10) : WHOLE;
    peers.rank = (uint32_t)world.rank, peers.count = (uint32_t)world.size;
}

/* The other processes end with the first one, which the signals are for. */
static int serve_first_process(void) {
    if (ksda_ctx_new(NULL, &world.ctx) < 0) MPI_Abort(MPI_COMM_WORLD, CLI_FAILURE);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    world.ctx->company = &peers;
    int code = mpi_serve();
    ksda_ctx_free(world.ctx);
    return code;
}

/* What this process took, where KSDA_MPI_STATS is set: for bench/cluster.sh. */
static void tell_stats(void) {
    struct rusage used;
    if (!getenv("KSDA_MPI_STATS")) return;
    getrusage(RUSAGE_SELF, &used);
    fprintf(stderr,
            "ksda-mpi: process %d of %d: %llu bytes sent, %ld KiB at most, %.2f s of processor time, %d processors "
            "while it works alone, %llu calls\n",
            world.rank, world.size, (unsigned long long)world.sent, used.ru_maxrss,
            (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec + (double)used.ru_stime.tv_sec +
                1e-6 * (double)used.ru_stime.tv_usec,
            CPU_COUNT(world.rank ? &world.own : &world.shared), (unsigned long long)world.calls);
}

int main(int argc, char **argv) {
    int threads, code;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
    join_world();
    if (world.rank > 0) {
        code = serve_first_process();
    } else {
        cli_prepare = prepare_context;
        cli_refuse = mpi_refuse_values;
        mpi_guard_watch();
        code = mpi_refuse_command(argc, argv);
        if (code == CLI_OK) code = cli_main(argc, argv);
        mpi_send_order_to_all(MPI_ORDER_END, 0, (uint64_t)code, 0);
    }
    tell_stats();
    MPI_Finalize();
    return code;
}
