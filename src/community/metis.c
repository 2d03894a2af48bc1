/* Partitions by METIS (Karypis, Kumar 1998, doi:10.1137/S1064827595287997), k-way, with its default balance of 3 %.
 *
 * METIS cannot be asked to stop and reports nothing while it works; it prints to standard output where it is asked for
 * too many parts, and takes SIGTERM for itself, with a jump that is wrong in any other thread. So it works in a child
 * process, where the caller allows one, while the caller reports progress and watches for an interruption, which ends
 * the child. Where none is allowed, or none is to be had, it works in a thread, which an interruption leaves behind: it
 * ends by itself and gives its memory back, which is why that memory comes from malloc() and not from the context,
 * which may be gone by then. METIS seeds rand(), which is global: twice at a time in one process neither run would be
 * repeatable, so threads take turns. */
#include "core/child.h"
#include "core/ctx.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/detect.h>

#include <stdlib.h>

/* The labels as communities; the parts nobody is in are counted and dropped. */
static ksda_status take_parts(ksda_ctx *ctx, uint32_t n, const uint32_t *part, uint32_t parts, uint32_t *empty,
                              ksda_communities **out) {
    ksda_status status = ksda_communities_from_labels(ctx, n, part, out);
    if (status < 0) return status;
    (*out)->given = 0;
    if (empty) *empty = parts - (*out)->count;
    return KSDA_OK;
}

/* What METIS must not be asked: one part, as many parts as vertices, no edges. Consecutive vertices stay together. */
static ksda_status cut_evenly(ksda_ctx *ctx, uint32_t n, uint32_t parts, uint32_t *part) {
    for (uint64_t v = 0; v < n; v++) part[v] = (uint32_t)(v * parts / n);
    return ksda_i_interrupted(ctx);
}

#ifdef KSDA_HAVE_METIS
#include <metis.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define LOOK 50 /* milliseconds between two looks whether to stop */

typedef struct metis_job {
    idx_t n, parts, options[METIS_NOPTIONS];
    idx_t *off, *adj, *part;
    int answer;
    bool done, abandoned; /* under the lock */
    pthread_mutex_t lock;
    pthread_cond_t finished;
} metis_job;

static void job_free(metis_job *j) {
    if (!j) return;
    pthread_cond_destroy(&j->finished);
    pthread_mutex_destroy(&j->lock);
    ksda_i_allocator_enter();
    free(j->off);
    free(j->adj);
    free(j->part);
    free(j);
    ksda_i_allocator_leave();
}

/* A job with room for the graph. */
static metis_job *job_for(const ksda_graph *g) {
    ksda_i_allocator_enter();
    metis_job *j = calloc(1, sizeof *j);
    if (j) {
        j->off = malloc(((size_t)g->n + 1) * sizeof *j->off);
        j->adj = malloc((size_t)(2 * g->m) * sizeof *j->adj);
        j->part = calloc(g->n, sizeof *j->part);
    }
    ksda_i_allocator_leave();
    return j;
}

static metis_job *job_new(const ksda_graph *g, uint32_t parts, uint64_t seed) {
    metis_job *j = job_for(g);
    if (!j) return NULL;
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->finished, NULL);
    j->n = (idx_t)g->n;
    j->parts = (idx_t)parts;
    METIS_SetDefaultOptions(j->options);
    j->options[METIS_OPTION_SEED] = (idx_t)(seed & 0x7fffffff);
    if (!j->off || !j->adj || !j->part) {
        job_free(j);
        return NULL;
    }
    for (uint64_t v = 0; v <= g->n; v++) j->off[v] = (idx_t)g->off[v];
    for (uint64_t i = 0; i < 2 * g->m; i++) j->adj[i] = (idx_t)g->adj[i];
    return j;
}

static int call_metis(metis_job *j) {
    idx_t constraints = 1, cut;
    return METIS_PartGraphKway(&j->n, &constraints, j->off, j->adj, NULL, NULL, NULL, &j->parts, NULL, NULL, j->options,
                               &cut, j->part);
}

/* --- in a child process ------------------------------------------------------------------------------------------- */

_Noreturn static void answer_and_exit(metis_job *j, int fd) {
    ksda_i_child_begin(-1);
    j->answer = call_metis(j);
    bool ok = ksda_i_write_all(fd, &j->answer, sizeof j->answer) &&
              ksda_i_write_all(fd, j->part, (size_t)j->n * sizeof *j->part);
    _exit(ok ? 0 : 1);
}

/* So much of the child's answer. */
static ksda_status read_answer(ksda_ctx *ctx, pid_t pid, int fd, void *data, size_t size) {
    char *p = data;
    while (size > 0) {
        ssize_t n = ksda_i_child_read(pid, fd, p, size, LOOK);
        ksda_status status = ksda_i_progress(ctx, "partitioning", 0, 0);
        if (status < 0) return status; /* also where the same signal has ended the child */
        if (n < 0) return ksda_i_error(ctx, KSDA_INTERNAL, "METIS has ended without an answer");
        p += n, size -= (size_t)n;
    }
    return KSDA_OK;
}

/* KSDA_UNSUPPORTED where there is no process to be had. */
static ksda_status run_in_child(ksda_ctx *ctx, metis_job *j) {
    int fd[2];
    if (!ctx->processes || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0) return KSDA_UNSUPPORTED;
    pid_t pid = ksda_i_fork();
    if (pid == 0) answer_and_exit(j, fd[1]);
    close(fd[1]);
    ksda_status status = pid < 0 ? KSDA_UNSUPPORTED : read_answer(ctx, pid, fd[0], &j->answer, sizeof j->answer);
    if (status >= 0) status = read_answer(ctx, pid, fd[0], j->part, (size_t)j->n * sizeof *j->part);
    if (pid > 0) ksda_i_child_finish(pid, true);
    close(fd[0]);
    return status;
}

/* --- in a thread -------------------------------------------------------------------------------------------------- */

static void *run_in_turn(void *data) {
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    metis_job *j = data;
    pthread_mutex_lock(&turn);
    int answer = call_metis(j);
    pthread_mutex_unlock(&turn);
    pthread_mutex_lock(&j->lock);
    bool abandoned = j->abandoned;
    j->answer = answer;
    j->done = true;
    pthread_cond_signal(&j->finished);
    pthread_mutex_unlock(&j->lock);
    if (abandoned) job_free(j);
    return NULL;
}

/* Wait for the job. On KSDA_INTERRUPTED it no longer belongs to the caller. */
static ksda_status wait_for(ksda_ctx *ctx, metis_job *j) {
    ksda_status status = KSDA_OK;
    pthread_mutex_lock(&j->lock);
    while (!j->done && (status = ksda_i_progress(ctx, "partitioning", 0, 0)) >= 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK * 1000 * 1000;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&j->finished, &j->lock, &until);
    }
    bool done = j->done;
    if (!done) j->abandoned = true;
    pthread_mutex_unlock(&j->lock);
    return done ? KSDA_OK : status;
}

static ksda_status run_in_thread(ksda_ctx *ctx, metis_job **job) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_in_turn, *job) != 0) { /* no thread to be had: without progress, then */
        run_in_turn(*job);
        return KSDA_OK;
    }
    pthread_detach(thread);
    ksda_status status = wait_for(ctx, *job);
    if (status < 0) *job = NULL;
    return status;
}

static ksda_status partition(ksda_ctx *ctx, const ksda_graph *g, uint32_t parts, uint32_t *part) {
    const uint64_t most = sizeof(idx_t) == 4 ? INT32_MAX : INT64_MAX;
    if (2 * g->m > most || g->n > most)
        return ksda_i_error(ctx, KSDA_UNSUPPORTED,
                            "this METIS counts with 32 bits: at most %llu edges, the graph has %llu",
                            (unsigned long long)(most / 2), (unsigned long long)g->m);
    metis_job *job = job_new(g, parts, ctx->seed);
    if (!job) return ksda_i_error(ctx, KSDA_NOMEM, "out of memory for METIS");
    ksda_status status = run_in_child(ctx, job);
    if (status == KSDA_UNSUPPORTED) status = run_in_thread(ctx, &job);
    if (status >= 0 && job->answer == METIS_ERROR_MEMORY)
        status = ksda_i_error(ctx, KSDA_NOMEM, "METIS is out of memory");
    if (status >= 0 && job->answer != METIS_OK)
        status = ksda_i_error(ctx, KSDA_INTERNAL, "METIS failed with code %d", job->answer);
    for (uint32_t v = 0; status >= 0 && v < g->n; v++) part[v] = (uint32_t)job->part[v];
    job_free(job);
    return status;
}
#else
static ksda_status partition(ksda_ctx *ctx, const ksda_graph *g, uint32_t parts, uint32_t *part) {
    (void)g, (void)parts, (void)part;
    return ksda_i_error(ctx, KSDA_UNSUPPORTED,
                        "this build has no METIS; detect with leiden, or name a communities file");
}
#endif

ksda_status ksda_detect_metis(ksda_ctx *ctx, const ksda_graph *graph, uint32_t parts, uint32_t *empty,
                              ksda_communities **out) {
    ksda_status status;
    *out = NULL;
    if (parts == 0 || parts > graph->n)
        return ksda_i_error(ctx, KSDA_INVALID, "%u parts of %u vertices", parts, graph->n);
    uint32_t *part = ksda_i_malloc(ctx, graph->n, sizeof *part);
    if (!part) return KSDA_NOMEM;
    ksda_i_graph_need_all(graph);
    if (parts == 1 || parts == graph->n || graph->m == 0)
        status = cut_evenly(ctx, graph->n, parts, part);
    else
        status = partition(ctx, graph, parts, part);
    if (status >= 0) status = take_parts(ctx, graph->n, part, parts, empty, out);
    ksda_i_free(ctx, part);
    return status;
}
