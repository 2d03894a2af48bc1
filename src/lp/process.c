/* An integer program in a child process, whichever solver it is.
 *
 * Solvers print whatever their log level, may install signal handlers, end the process when memory runs out, and offer
 * no way to stop them at once. In a process of its own none of that matters: its standard output is a pipe from which
 * we read the progress lines, its claim comes back through a second pipe, and stopping it is killing it. The child dies
 * with its parent. */
#include "core/child.h"
#include "lp/solver.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE 0.5      /* seconds beyond the time limit that a solver gets to come back with its incumbent */
#define IN_TIME 0.9    /* of its time: what a solver claims later it may claim because its time was over */
#define ROUNDED 1e-7   /* what a bound may lose in print, as a share of it */
#define TOLERANCE 1e-5 /* by which a solution may break a row */

/* --- the child ---------------------------------------------------------------------------------------------------- */

/* The later one of two clocks, since solvers look at the one that can be set. */
static double seconds_since(double begin, const struct timeval *then) {
    struct timeval now;
    gettimeofday(&now, NULL);
    double set = (double)(now.tv_sec - then->tv_sec) + 1e-6 * (double)(now.tv_usec - then->tv_usec);
    return fmax(ksda_i_now() - begin, set);
}

/* CBC 2.10 calls a program infeasible, search complete, when its time is over while it preprocesses. So the child says
 * whether time was left, and without that no word of a solver is a proof. */
static ksda_i_claim search_in_time(const ksda_i_mip_engine *way, void *engine, double seconds) {
    struct timeval then;
    double begin = ksda_i_now();
    gettimeofday(&then, NULL);
    ksda_i_claim claim = way->search(engine, seconds);
    claim.in_time = isinf(seconds) || seconds_since(begin, &then) < IN_TIME * seconds;
    return claim;
}

static void run_child(const ksda_i_mip_engine *way, const ksda_i_model *m, const ksda_i_solve_options *options,
                      double seconds, int log, int result) {
    double begin = ksda_i_now();
    ksda_i_child_begin(log);
    setvbuf(stdout, NULL, _IOLBF, 0);
    void *engine = way->load(m, options);
    seconds -= ksda_i_now() - begin; /* loading took some */
    if (seconds <= 0) _exit(5);
    ksda_i_claim claim = search_in_time(way, engine, seconds);
    bool ok = ksda_i_write_all(result, &claim, sizeof claim);
    if (ok && claim.has_solution) ok = ksda_i_write_all(result, way->solution(engine), m->columns * sizeof(double));
    _exit(ok ? 0 : 4); /* no handlers, no flushing: they are the parent's */
}

/* --- the parent --------------------------------------------------------------------------------------------------- */

typedef struct watcher {
    const ksda_i_solver *solver;
    const ksda_i_model *m;
    const ksda_i_solve_options *options;
    pid_t pid;
    double incumbent, bound; /* as the solver prints them; NaN and -INFINITY before */
    double give_up;          /* on the clock of ksda_i_now() */
    char line[512];
    size_t length;
    char *result; /* what came through the second pipe */
    uint64_t size, room;
} watcher;

static void read_line(watcher *w) {
    double cost = NAN, bound = NAN, offset = w->m->offset;
    w->line[w->length] = 0;
    w->length = 0;
    w->solver->mip->read_line(w->line, &cost, &bound);
    if (!isnan(bound)) w->bound = bound + offset;
    if (cost < 1e40 && !(cost + offset >= w->incumbent)) w->incumbent = cost + offset;
}

static void read_log(watcher *w, const char *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '\n')
            read_line(w);
        else if (w->length + 1 < sizeof w->line)
            w->line[w->length++] = data[i];
    }
}

static ksda_status report_progress(const watcher *w) {
    const ksda_i_solve_options *o = w->options;
    double known = o->known_cost > 0 ? o->known_cost : NAN;
    if (!o->stage) return ksda_i_interrupted(w->m->ctx);
    return ksda_i_progress_solver(w->m->ctx, o->stage, fmin(known, w->incumbent), fmax(o->known_bound, w->bound));
}

/* Has all of the answer come? */
static bool complete(const watcher *w) {
    ksda_i_claim a;
    if (w->size < sizeof a) return false;
    memcpy(&a, w->result, sizeof a);
    return w->size >= sizeof a + (a.has_solution ? w->m->columns * sizeof(double) : 0);
}

/* Read both pipes until the answer is there or the child has ended. KSDA_LIMIT when it overstays its time. */
static ksda_status watch_child(watcher *w, int log, int result) {
    ksda_ctx *ctx = w->m->ctx;
    char buffer[8192];
    bool log_open = true;
    while (!complete(w)) {
        struct pollfd fd[2] = {{result, POLLIN, 0}, {log_open ? log : -1, POLLIN, 0}};
        if (poll(fd, 2, 100) == 0 && ksda_i_child_ended(w->pid)) break;
        ksda_status status = report_progress(w);
        if (status < 0) return status;
        if (ksda_i_now() > w->give_up || ksda_i_time_left(ctx) < -GRACE) return KSDA_LIMIT;
        if (fd[1].revents) {
            ssize_t n = read(log, buffer, sizeof buffer);
            if (n > 0)
                read_log(w, buffer, (size_t)n);
            else if (n == 0)
                log_open = false;
        }
        if (fd[0].revents) {
            ssize_t n = read(result, buffer, sizeof buffer);
            if (n == 0) return KSDA_OK;
            if (n < 0) continue;
            status = ksda_i_reserve(ctx, &w->result, &w->room, w->size + (uint64_t)n, 1);
            if (status < 0) return status;
            memcpy(w->result + w->size, buffer, (size_t)n);
            w->size += (uint64_t)n;
        }
    }
    return KSDA_OK;
}

/* The solution that came with the answer, if it is one; *out is NULL when not. */
static ksda_status take_solution(const watcher *w, double **out) {
    const ksda_i_model *m = w->m;
    char reason[128];
    double *x = ksda_i_malloc(m->ctx, (uint64_t)m->columns + 1, sizeof *x);
    if (!x) return KSDA_NOMEM;
    memcpy(x, w->result + sizeof(ksda_i_claim), m->columns * sizeof(double));
    for (uint32_t j = 0; j < m->columns; j++)
        if (m->integer[j]) x[j] = nearbyint(x[j]);
    if (ksda_i_model_check(m, x, TOLERANCE, reason, sizeof reason))
        *out = x;
    else
        ksda_i_free(m->ctx, x);
    return KSDA_OK;
}

/* What is proved about solutions within the cutoff by a search that was stopped: the smaller one of what the solver
 * printed last and what it says at the end. */
static double stopped_bound(const watcher *w, const ksda_i_claim *a) {
    double bound = w->bound;
    if (a && fabs(a->bound) < 1e40) bound = fmin(bound, a->bound + w->m->offset);
    return fmin(bound - ROUNDED * (1 + fabs(bound - w->m->offset)), w->options->cutoff);
}

static ksda_status interpret(const watcher *w, ksda_i_solution *out) {
    ksda_i_claim a;
    memcpy(&a, w->result, sizeof a);
    if (a.has_solution) {
        ksda_status status = take_solution(w, &out->x);
        if (status < 0) return status;
        if (!out->x) return KSDA_OK; /* then nothing else that it says is to be believed */
        out->objective = ksda_i_model_objective(w->m, out->x);
        out->verdict = a.in_time && a.optimal ? KSDA_I_CHEAPEST : KSDA_I_FOUND;
        out->bound = out->verdict == KSDA_I_CHEAPEST ? out->objective : stopped_bound(w, &a);
    } else if (a.in_time && a.infeasible) {
        out->verdict = KSDA_I_NONE, out->bound = INFINITY;
    } else {
        out->bound = stopped_bound(w, &a);
    }
    return KSDA_OK;
}

static void tell_trouble(const watcher *w, int state, ksda_i_solution *out) {
    const char *name = w->solver->title;
    if (WIFSIGNALED(state))
        snprintf(out->trouble, sizeof out->trouble, "the %s process was ended by signal %d", name, WTERMSIG(state));
    else if (WEXITSTATUS(state) != 5)
        snprintf(out->trouble, sizeof out->trouble, "the %s process ended without an answer, perhaps out of memory",
                 name);
}

static void close_both(int fd[2]) {
    for (int i = 0; i < 2; i++)
        if (fd[i] >= 0) close(fd[i]);
}

/* Watch the child until it has answered or has to be stopped, and see it off. */
static ksda_status attend(watcher *w, int log, int result, ksda_i_solution *out) {
    ksda_status status = watch_child(w, log, result);
    int state = ksda_i_child_finish(w->pid, status != KSDA_OK || complete(w)); /* else it has ended by itself */
    if (status < 0) return status;
    if (status == KSDA_OK && complete(w)) return interpret(w, out);
    out->bound = stopped_bound(w, NULL);
    if (status == KSDA_OK) tell_trouble(w, state, out);
    return KSDA_OK;
}

ksda_status ksda_i_mip_solve(const ksda_i_solver *solver, const ksda_i_model *m, const ksda_i_solve_options *options,
                             ksda_i_solution *out) {
    ksda_ctx *ctx = m->ctx;
    double seconds = ksda_i_time_left(ctx);
    if (options->seconds > 0 && options->seconds < seconds) seconds = options->seconds;
    watcher w = {
        .solver = solver, .m = m, .options = options, .incumbent = NAN, .bound = -INFINITY, .give_up = INFINITY};
    int log[2] = {-1, -1}, result[2] = {-1, -1};
    ksda_status status = ksda_i_solver_need(ctx, solver);
    if (status >= 0) status = m->status;
    *out = (ksda_i_solution){.verdict = KSDA_I_STOPPED, .objective = NAN, .bound = -INFINITY};
    if (status != KSDA_OK) return status < 0 ? status : KSDA_OK; /* the model is not whole */
    if (m->terms > INT32_MAX)
        return ksda_i_error(ctx, KSDA_UNSUPPORTED, "the integer program is too large for %s", solver->title);
    if (seconds <= 0) return KSDA_OK;
    if (!ctx->processes) {
        snprintf(out->trouble, sizeof out->trouble, "%s needs a process of its own, which the context does not allow",
                 solver->title);
        return KSDA_OK;
    }
    if (!isinf(seconds)) w.give_up = ksda_i_now() + seconds + GRACE;
    if (pipe2(log, O_CLOEXEC) != 0 || pipe2(result, O_CLOEXEC) != 0 || (w.pid = ksda_i_fork()) < 0) {
        snprintf(out->trouble, sizeof out->trouble, "%s could not be started: %s", solver->title, strerror(errno));
        goto done;
    }
    if (w.pid == 0) run_child(solver->mip, m, options, seconds, log[1], result[1]);
    close(log[1]), close(result[1]);
    log[1] = result[1] = -1;
    status = attend(&w, log[0], result[0], out);
done:
    close_both(log), close_both(result);
    ksda_i_free(ctx, w.result);
    return status;
}
