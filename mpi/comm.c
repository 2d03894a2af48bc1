/* Collective calls of any length, in rounds that an int can count. */
#include "world.h"

#include "core/sort.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUND ((uint64_t)1 << 27) /* numbers, or 8 times as many bytes, at a time */

mpi_world world;

void mpi_count_call(void) {
    int process, signal;
    unsigned long long call;
    const char *wanted = getenv("KSDA_MPI_RAISE");
    world.calls++;
    if (wanted && sscanf(wanted, "%d %llu %d", &process, &call, &signal) == 3 && process == world.rank &&
        call == world.calls)
        raise(signal);
}

void mpi_broadcast(void *data, uint64_t bytes, int from) {
    mpi_count_call();
    for (uint64_t at = 0; at < bytes; at += 8 * ROUND) {
        uint64_t part = bytes - at < 8 * ROUND ? bytes - at : 8 * ROUND;
        MPI_Bcast((char *)data + at, (int)part, MPI_BYTE, from, MPI_COMM_WORLD);
    }
    if (world.rank == from) world.sent += bytes * (uint64_t)(world.size - 1);
}

void mpi_reduce(ksda_i_reduction how, uint64_t *value, uint64_t count) {
    const MPI_Op op[] = {[KSDA_I_REDUCE_SUM] = MPI_SUM,
                         [KSDA_I_REDUCE_MIN] = MPI_MIN,
                         [KSDA_I_REDUCE_MAX] = MPI_MAX,
                         [KSDA_I_REDUCE_OR] = MPI_BOR};
    mpi_count_call();
    for (uint64_t at = 0; at < count; at += ROUND) {
        uint64_t part = count - at < ROUND ? count - at : ROUND;
        MPI_Allreduce(MPI_IN_PLACE, value + at, (int)part, MPI_UINT64_T, op[how], MPI_COMM_WORLD);
    }
    if (world.size > 1) world.sent += 8 * count;
}

void mpi_gather_u32(const uint32_t *mine, uint64_t count, uint32_t *all) {
    for (int r = 0; r < world.size; r++) {
        uint64_t theirs = count;
        MPI_Bcast(&theirs, 1, MPI_UINT64_T, r, MPI_COMM_WORLD);
        for (uint64_t at = 0; at < theirs; at += ROUND) {
            int part = (int)(theirs - at < ROUND ? theirs - at : ROUND);
            if (r == 0 && world.rank == 0)
                memcpy(all + at, mine + at, (size_t)part * sizeof *all);
            else if (world.rank == 0)
                MPI_Recv(all + at, part, MPI_UINT32_T, r, MPI_TAG_ROWS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            else if (world.rank == r)
                MPI_Send(mine + at, part, MPI_UINT32_T, 0, MPI_TAG_ROWS, MPI_COMM_WORLD);
        }
        if (world.rank == 0) all += theirs;
    }
    if (world.rank > 0) world.sent += count * sizeof *mine;
}

uint64_t mpi_exchange(const uint64_t *key, const int *count, uint64_t *got, uint64_t room) {
    size_t size = (size_t)world.size;
    int *layout = malloc(3 * size * sizeof *layout), *from = layout + size, *come = layout + 2 * size;
    uint64_t total = 0;
    mpi_count_call();
    if (!layout) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Alltoall(count, 1, MPI_INT, come, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0, at = 0; r < world.size; r++) {
        layout[r] = at, at += count[r];
        from[r] = (int)total, total += (uint64_t)come[r];
        if (r != world.rank) world.sent += 8 * (uint64_t)count[r];
    }
    if (total > room) MPI_Abort(MPI_COMM_WORLD, 1); /* the callers see to it that there is room */
    MPI_Alltoallv(key, count, layout, MPI_UINT64_T, got, come, from, MPI_UINT64_T, MPI_COMM_WORLD);
    free(layout);
    return total;
}

/* --- mail ----------------------------------------------------------------------------------------------------------
 */

#define MOST_MAIL ((uint64_t)1 << 17)   /* keys that one process sends in a round */
#define MOST_COMING ((uint64_t)1 << 27) /* and that can come */

ksda_status mpi_mail_open(ksda_ctx *ctx, mpi_mail *mail) {
    uint64_t size = (uint64_t)world.size, most = MOST_COMING / size < MOST_MAIL ? MOST_COMING / size : MOST_MAIL;
    *mail = (mpi_mail){.ctx = ctx, .most = most};
    mail->key = ksda_i_malloc(ctx, most, sizeof *mail->key);
    mail->out = ksda_i_malloc(ctx, most, sizeof *mail->out);
    mail->in = ksda_i_malloc(ctx, most * size, sizeof *mail->in);
    mail->to = ksda_i_malloc(ctx, most, sizeof *mail->to);
    mail->count = ksda_i_malloc(ctx, 2 * size, sizeof *mail->count);
    mail->fill = mail->count ? mail->count + size : NULL;
    return mail->key && mail->out && mail->in && mail->to && mail->count ? KSDA_OK : KSDA_NOMEM;
}

void mpi_mail_close(mpi_mail *mail) {
    void *block[] = {mail->key, mail->out, mail->in, mail->to, mail->count};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) ksda_i_free(mail->ctx, block[i]);
}

uint64_t mpi_mail_send(mpi_mail *mail) {
    memset(mail->count, 0, (size_t)world.size * sizeof *mail->count);
    for (uint64_t i = 0; i < mail->used; i++) mail->count[mail->to[i]]++;
    for (int r = 0, at = 0; r < world.size; r++) mail->fill[r] = at, at += mail->count[r];
    for (uint64_t i = 0; i < mail->used; i++) mail->out[mail->fill[mail->to[i]]++] = mail->key[i];
    mail->used = 0;
    return mpi_exchange(mail->out, mail->count, mail->in, mail->most * (uint64_t)world.size);
}

/* --- agreeing ------------------------------------------------------------------------------------------------------
 */

typedef struct told {
    uint64_t line, column;
    char has_source, source[1024], message[1024];
} told;

/* What this process has to say about its failure. */
static told tell(ksda_ctx *ctx, ksda_status status) {
    const ksda_error *error = ksda_ctx_error(ctx);
    told t = {.line = 0};
    bool mine = error->status == status;
    snprintf(t.message, sizeof t.message, "%s", mine && *error->message ? error->message : ksda_status_name(status));
    if (!mine || !error->source) return t;
    t.has_source = 1, t.line = error->line, t.column = error->column;
    snprintf(t.source, sizeof t.source, "%s", error->source);
    return t;
}

ksda_status mpi_agree(ksda_ctx *ctx, ksda_status status, uint64_t lines) {
    int64_t mine[2] = {status, (int64_t)lines}, *all = malloc(2 * (size_t)world.size * sizeof *all);
    uint64_t before = 0;
    int failed = 0;
    mpi_count_call();
    if (!all) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Allgather(mine, 2, MPI_INT64_T, all, 2, MPI_INT64_T, MPI_COMM_WORLD);
    for (; failed < world.size && all[2 * failed] >= 0; failed++) before += (uint64_t)all[2 * failed + 1];
    ksda_status found = failed < world.size ? (ksda_status)all[2 * failed] : KSDA_OK;
    free(all);
    if (found >= 0) return status;
    told t = tell(ctx, found);
    mpi_broadcast(&t, sizeof t, failed);
    if (t.line) t.line += before;
    return t.has_source ? ksda_i_error_at(ctx, found, t.source, t.line, t.column, "%s", t.message)
                        : ksda_i_error(ctx, found, "%s", t.message);
}

/* --- lists of ids ---------------------------------------------------------------------------------------------------
 */

/* Everybody's list, one behind the other. */
static void gather_lists(const uint64_t *list, uint64_t count, uint64_t *all) {
    for (int r = 0; r < world.size; r++) {
        uint64_t theirs = count;
        MPI_Bcast(&theirs, 1, MPI_UINT64_T, r, MPI_COMM_WORLD);
        if (r == world.rank && count) memcpy(all, list, count * sizeof *all);
        mpi_broadcast(all, theirs * sizeof *all, r);
        all += theirs;
    }
}

ksda_status mpi_join(ksda_ctx *ctx, uint64_t **list, uint64_t *count) {
    uint64_t total = *count, kept = 0;
    mpi_reduce(KSDA_I_REDUCE_SUM, &total, 1);
    uint64_t *all = ksda_i_malloc(ctx, total, sizeof *all), *scratch = ksda_i_malloc(ctx, total, sizeof *scratch);
    ksda_status status = mpi_agree(ctx, all && scratch ? KSDA_OK : KSDA_NOMEM, 0);
    if (status >= 0) {
        gather_lists(*list, *count, all);
        ksda_i_sort_u64(all, total, scratch);
        for (uint64_t i = 0; i < total; i++)
            if (kept == 0 || all[kept - 1] != all[i]) all[kept++] = all[i];
        ksda_i_free(ctx, *list);
        *list = all, *count = kept;
        all = NULL;
    }
    ksda_i_free(ctx, all);
    ksda_i_free(ctx, scratch);
    return status;
}
