/* Collective calls of any length, in rounds that an int can count. */
#include "world.h"

#include "core/sort.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUND ((uint64_t)1 << 27) /* numbers, or 8 times as many bytes, at a time */

mpi_world world;

/* Launchers give each process processors of its own; threads have those of whoever starts them. Where that cannot be
 * changed it stays slow, no more. */
static void work_with(ksda_ctx *ctx, unsigned threads, const cpu_set_t *processors) {
    if (world.rank > 0) return;
    ksda_ctx_set_threads(ctx, threads);
    sched_setaffinity(0, sizeof *processors, processors);
}

void mpi_work_together(ksda_ctx *ctx) {
    work_with(ctx, world.together, &world.own);
}

void mpi_work_alone(ksda_ctx *ctx) {
    work_with(ctx, world.alone, &world.shared);
}

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

void mpi_reduce_all(ksda_i_reduction how, uint64_t *value, uint64_t count) {
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

/* The next part of count numbers. */
static int next_part(uint64_t count, uint64_t at) {
    return (int)(count - at < ROUND ? count - at : ROUND);
}

void mpi_sum_u32(uint32_t *value, uint64_t count) {
    mpi_count_call();
    for (uint64_t at = 0; at < count; at += ROUND)
        MPI_Reduce(world.rank ? value + at : MPI_IN_PLACE, value + at, next_part(count, at), MPI_UINT32_T, MPI_SUM, 0,
                   MPI_COMM_WORLD);
    if (world.rank > 0) world.sent += count * sizeof *value;
}

void mpi_sum_ranges(const uint64_t *all, const uint32_t *range, uint64_t *mine) {
    mpi_count_call();
    for (int r = 0; r < world.size; r++) {
        uint64_t count = range[r + 1] - range[r];
        for (uint64_t at = 0; at < count; at += ROUND)
            MPI_Reduce(all + range[r] + at, r == world.rank ? mine + at : NULL, next_part(count, at), MPI_UINT64_T,
                       MPI_SUM, r, MPI_COMM_WORLD);
        if (r != world.rank) world.sent += count * sizeof *all;
    }
}

void mpi_send_u32(const uint32_t *value, uint64_t count, int to) {
    for (uint64_t at = 0; at < count; at += ROUND)
        MPI_Send(value + at, next_part(count, at), MPI_UINT32_T, to, MPI_TAG_ROWS, MPI_COMM_WORLD);
    world.sent += count * sizeof *value;
}

void mpi_receive_u32(uint32_t *value, uint64_t count, int from) {
    for (uint64_t at = 0; at < count; at += ROUND)
        MPI_Recv(value + at, next_part(count, at), MPI_UINT32_T, from, MPI_TAG_ROWS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void mpi_gather_u32(const uint32_t *mine, uint64_t count, uint32_t *all) {
    for (int r = 0; r < world.size; r++) {
        uint64_t theirs = count;
        MPI_Bcast(&theirs, 1, MPI_UINT64_T, r, MPI_COMM_WORLD);
        if (world.rank == r && r > 0) mpi_send_u32(mine, count, 0);
        if (world.rank > 0) continue;
        if (r > 0)
            mpi_receive_u32(all, theirs, r);
        else if (count)
            memcpy(all, mine, count * sizeof *all);
        all += theirs;
    }
}

/* --- agreeing ------------------------------------------------------------------------------------------------------
 */

typedef struct told {
    uint64_t line, column;
    char has_source, source[1024], message[1024];
} told;

/* What this process has to say about its failure. */
static told describe_failure(ksda_ctx *ctx, ksda_status status) {
    const ksda_error *error = ksda_ctx_error(ctx);
    told t = {.line = 0};
    bool mine = error->status == status;
    snprintf(t.message, sizeof t.message, "%s", mine && *error->message ? error->message : ksda_status_name(status));
    if (!mine || !error->source) return t;
    t.has_source = 1, t.line = error->line, t.column = error->column;
    snprintf(t.source, sizeof t.source, "%s", error->source);
    return t;
}

ksda_status mpi_agree_on_status(ksda_ctx *ctx, ksda_status status, uint64_t lines) {
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
    told t = describe_failure(ctx, found);
    mpi_broadcast(&t, sizeof t, failed);
    if (t.line) t.line += before;
    return t.has_source ? ksda_i_error_at(ctx, found, t.source, t.line, t.column, "%s", t.message)
                        : ksda_i_error(ctx, found, "%s", t.message);
}

/* --- parcels -------------------------------------------------------------------------------------------------------
 */

#define MOST_COMING ((uint64_t)1 << 26) /* bytes that can come in a round */
#define SLACK sizeof(uint64_t)          /* keys of mail are written and read as whole words */

/* What a process tells each other one before a round. */
enum {
    BYTES,
    MORE,
    FAILED,
    TOLD
};

uint64_t mpi_parcels_most(void) {
    return MOST_COMING / (uint64_t)world.size;
}

ksda_status mpi_parcels_open(ksda_ctx *ctx, mpi_parcels *parcels, uint64_t most) {
    uint64_t size = (uint64_t)world.size;
    *parcels = (mpi_parcels){.ctx = ctx};
    parcels->out = ksda_i_malloc(ctx, most + size * SLACK, 1);
    parcels->in = ksda_i_malloc(ctx, most * (size - 1) + SLACK, 1); /* what is its own is not sent */
    parcels->count = ksda_i_malloc(ctx, (3 + 2 * TOLD) * size, sizeof *parcels->count);
    if (!parcels->out || !parcels->in || !parcels->count) return KSDA_NOMEM;
    parcels->start = parcels->count + size;
    parcels->work = parcels->start + size;
    return KSDA_OK;
}

void mpi_parcels_close(mpi_parcels *parcels) {
    void *block[] = {parcels->out, parcels->in, parcels->count};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) ksda_i_free(parcels->ctx, block[i]);
    *parcels = (mpi_parcels){.ctx = NULL};
}

ksda_status mpi_parcels_send(mpi_parcels *parcels, ksda_status status, bool *more, uint64_t *came) {
    int *from = parcels->work, *tell = from + world.size, *hear = tell + TOLD * world.size, *come = tell, total = 0;
    bool failed = false;
    mpi_count_call();
    for (int r = 0; r < world.size; r++) {
        tell[TOLD * r + BYTES] = parcels->count[r], tell[TOLD * r + MORE] = *more, tell[TOLD * r + FAILED] = status < 0;
        world.sent += (uint64_t)parcels->count[r];
    }
    MPI_Alltoall(tell, TOLD, MPI_INT, hear, TOLD, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < world.size; r++) {
        come[r] = hear[TOLD * r + BYTES];
        from[r] = total, total += come[r];
        *more = *more || hear[TOLD * r + MORE];
        failed = failed || hear[TOLD * r + FAILED];
    }
    if (failed) return mpi_agree_on_status(parcels->ctx, status, 0);
    MPI_Alltoallv(parcels->out, parcels->count, parcels->start, MPI_BYTE, parcels->in, come, from, MPI_BYTE,
                  MPI_COMM_WORLD);
    *came = (uint64_t)total;
    return KSDA_OK;
}

/* --- mail ----------------------------------------------------------------------------------------------------------
 */

static unsigned bits_of(uint64_t largest) {
    unsigned bits = 0;
    while (bits < 64 && largest >> bits) bits++;
    return bits;
}

ksda_status mpi_mail_open(ksda_ctx *ctx, mpi_mail *mail, uint64_t most, const uint32_t *range, uint64_t n) {
    uint64_t widest = n - range[world.size - 1], room;
    for (int r = 0; r + 1 < world.size; r++)
        if (range[r + 1] - range[r] > widest) widest = range[r + 1] - range[r];
    *mail = (mpi_mail){.bits = bits_of(n)};
    mail->width = (mail->bits + bits_of(widest) + 7) / 8;
    room = mpi_parcels_most() / mail->width;
    mail->most = most < room ? most : room;
    ksda_status status = mpi_parcels_open(ctx, &mail->parcels, mail->most * mail->width);
    mail->key = ksda_i_malloc(ctx, mail->most, sizeof *mail->key);
    mail->to = ksda_i_malloc(ctx, mail->most, sizeof *mail->to);
    return status < 0 || (mail->key && mail->to) ? status : KSDA_NOMEM;
}

void mpi_mail_close(mpi_mail *mail) {
    ksda_i_free(mail->parcels.ctx, mail->key);
    ksda_i_free(mail->parcels.ctx, mail->to);
    mpi_parcels_close(&mail->parcels);
    *mail = (mpi_mail){.key = NULL};
}

/* The keys, sorted by where they go. */
static void pack_keys(mpi_mail *mail) {
    mpi_parcels *p = &mail->parcels;
    int width = (int)mail->width, *at = p->work;
    memset(p->count, 0, (size_t)world.size * sizeof *p->count);
    for (uint64_t i = 0; i < mail->used; i++) p->count[mail->to[i]] += width;
    for (int r = 0, next = 0; r < world.size; r++) {
        p->start[r] = at[r] = next;
        next += p->count[r] + (int)SLACK;
    }
    for (uint64_t i = 0; i < mail->used; i++) {
        uint64_t key = htole64(mail->key[i]);
        memcpy(p->out + at[mail->to[i]], &key, sizeof key);
        at[mail->to[i]] += width;
    }
    mail->used = 0;
}

ksda_status mpi_mail_send(mpi_mail *mail, ksda_status status, bool *more, uint64_t *came) {
    pack_keys(mail);
    status = mpi_parcels_send(&mail->parcels, status, more, came);
    if (status < 0) return status;
    mail->stayed = mail->own, mail->own = 0;
    *came = *came / mail->width + mail->stayed;
    return KSDA_OK;
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

ksda_status mpi_join_lists(ksda_ctx *ctx, uint64_t **list, uint64_t *count) {
    uint64_t total = *count, kept = 0;
    mpi_reduce_all(KSDA_I_REDUCE_SUM, &total, 1);
    uint64_t *all = ksda_i_malloc(ctx, total, sizeof *all), *scratch = ksda_i_malloc(ctx, total, sizeof *scratch);
    ksda_status status = mpi_agree_on_status(ctx, all && scratch ? KSDA_OK : KSDA_NOMEM, 0);
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
