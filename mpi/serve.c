/* Orders from the first process, and the loop in which the others wait for them. They wait without using the processor:
 * it looks at once for a while, then sleeps longer and longer, up to a millisecond. Who has slept may run on any
 * processor of its machine until all work together again: the first process has threads on all of them, and would wait
 * for rows until one of its own threads has had its turn on the processor of who is to send them. */
#include "world.h"

#define LOOKS 2000       /* before it sleeps */
#define LONGEST 1000000l /* nanoseconds */

void mpi_send_order(int rank, mpi_order order, uint64_t handle, uint64_t a, uint64_t b) {
    uint64_t message[4] = {(uint64_t)order, handle, a, b};
    mpi_count_call();
    MPI_Send(message, 4, MPI_UINT64_T, rank, MPI_TAG_ORDER, MPI_COMM_WORLD);
}

void mpi_send_order_to_all(mpi_order order, uint64_t handle, uint64_t a, uint64_t b) {
    for (int r = 1; r < world.size; r++) mpi_send_order(r, order, handle, a, b);
}

void mpi_pause(mpi_patience *p) {
    struct timespec pause = {.tv_nsec = p->pause};
    if (p->looks++ < LOOKS) return;
    nanosleep(&pause, NULL);
    if (p->pause < p->longest) p->pause += p->pause / 8 + 1;
}

static bool is_for_rows(uint64_t order) {
    return order == MPI_ORDER_FETCH || order == MPI_ORDER_HALVES;
}

/* wanders: whether it may run anywhere. */
static void await_order(uint64_t message[4], bool *wanders) {
    mpi_patience patience = {.pause = 1000, .longest = LONGEST};
    for (int come = 0; !come;) {
        MPI_Iprobe(0, MPI_TAG_ORDER, MPI_COMM_WORLD, &come, MPI_STATUS_IGNORE);
        if (come) break;
        mpi_pause(&patience);
        if (patience.looks <= LOOKS || *wanders) continue;
        *wanders = true;
        sched_setaffinity(0, sizeof world.shared, &world.shared);
    }
    MPI_Recv(message, 4, MPI_UINT64_T, 0, MPI_TAG_ORDER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!*wanders || is_for_rows(message[0])) return;
    *wanders = false;
    sched_setaffinity(0, sizeof world.own, &world.own);
}

int mpi_serve(void) {
    for (bool wanders = false;;) {
        uint64_t message[4];
        await_order(message, &wanders);
        mpi_count_call();
        unsigned handle = (unsigned)message[1];
        switch ((mpi_order)message[0]) {
        case MPI_ORDER_READ: mpi_read_serve(); break;
        case MPI_ORDER_GENERATE: mpi_generate_serve(); break;
        case MPI_ORDER_FETCH: mpi_far_serve_fetch(handle, message[2], message[3]); break;
        case MPI_ORDER_HALVES: mpi_halves_serve(handle, (uint32_t)message[2], (uint32_t)message[3]); break;
        case MPI_ORDER_WRITE: mpi_write_serve(handle, (ksda_format)message[2], message[3]); break;
        case MPI_ORDER_WRITE_FILE: mpi_write_file_serve(handle, (ksda_format)message[2], message[3]); break;
        case MPI_ORDER_INSIDE: mpi_far_serve_inside(handle); break;
        case MPI_ORDER_APPLY: mpi_make_release_serve(handle); break;
        case MPI_ORDER_INSPECT: mpi_inspect_release_serve(handle, (unsigned)message[2]); break;
        case MPI_ORDER_LET_GO: mpi_share_let_go(handle); break;
        case MPI_ORDER_HALVE: mpi_halves_make(handle); break;
        case MPI_ORDER_FREE: mpi_share_free(handle); break;
        case MPI_ORDER_END: return (int)message[2];
        }
    }
}
