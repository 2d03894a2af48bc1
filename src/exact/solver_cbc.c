/* CBC through its C interface, in a child process.
 *
 * CBC 2.10 prints whatever its log level, may install signal handlers and offers no way to stop it from its callbacks.
 * In a process of its own none of that matters: its standard output is a pipe from which we read the progress lines,
 * its result comes back through a second pipe, and stopping it is killing it. The child dies with its parent. */
#include "exact/solver.h"

#ifdef KSDA_HAVE_CBC

#include <coin/Cbc_C_Interface.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE 2.0 /* seconds beyond the time limit that CBC gets to come back with its incumbent */

bool ksda_i_cbc_available(void) {
    return true;
}

/* --- the child ---------------------------------------------------------------------------------------------------- */

typedef struct answer {
    int status, secondary, has_solution, infeasible, optimal;
    double objective, bound;
} answer;

static bool write_all(int fd, const void *data, size_t size) {
    const char *p = data;
    while (size > 0) {
        ssize_t n = write(fd, p, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n, size -= (size_t)n;
    }
    return true;
}

static double clip(double bound) { /* CBC's infinity is any number beyond 1e30 */
    return isinf(bound) ? (bound < 0 ? -1e50 : 1e50) : bound;
}

/* Column-wise copies of the rows, as CBC wants them; plain malloc, since the child exits anyway. */
static Cbc_Model *load(const ksda_i_model *m) {
    int *start = calloc((size_t)m->columns + 2, sizeof *start);
    int *index = malloc((m->terms + 1) * sizeof *index);
    double *value = malloc((m->terms + 1) * sizeof *value);
    double *lower = malloc((m->columns + 1) * sizeof *lower), *upper = malloc((m->columns + 1) * sizeof *upper);
    double *low = malloc((m->rows + 1) * sizeof *low), *high = malloc((m->rows + 1) * sizeof *high);
    if (!start || !index || !value || !lower || !upper || !low || !high) _exit(3);
    for (uint64_t p = 0; p < m->terms; p++) start[m->term_column[p] + 2]++;
    for (uint32_t j = 1; j <= m->columns; j++) start[j + 1] += start[j];
    for (uint32_t i = 0; i < m->rows; i++) {
        for (uint64_t p = m->row_start[i]; p < m->row_start[i + 1]; p++) {
            int at = start[m->term_column[p] + 1]++;
            index[at] = (int)i, value[at] = m->term_value[p];
        }
        low[i] = clip(m->row_lower[i]), high[i] = clip(m->row_upper[i]);
    }
    for (uint32_t j = 0; j < m->columns; j++) lower[j] = clip(m->lower[j]), upper[j] = clip(m->upper[j]);
    Cbc_Model *model = Cbc_newModel();
    Cbc_loadProblem(model, (int)m->columns, (int)m->rows, start, index, value, lower, upper, m->cost, low, high);
    for (uint32_t j = 0; j < m->columns; j++)
        if (m->integer[j]) Cbc_setInteger(model, (int)j);
    return model;
}

static void set_start(Cbc_Model *model, const ksda_i_model *m, const double *x) {
    int *index = malloc((m->columns + 1) * sizeof *index);
    if (!index) _exit(3);
    for (uint32_t j = 0; j < m->columns; j++)
        index[j] = (int)j, Cbc_setColName(model, (int)j, ksda_i_model_column_name(m, j));
    Cbc_setMIPStartI(model, (int)m->columns, index, x);
}

static void child(const ksda_i_model *m, const ksda_i_solve_options *options, double seconds, int log, int result) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(log, STDOUT_FILENO);
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    setvbuf(stdout, NULL, _IOLBF, 0);
    Cbc_Model *model = load(m);
    if (options->start) set_start(model, m, options->start);
    Cbc_setParameter(model, "timeMode", "elapsed");
    if (!isinf(seconds)) Cbc_setMaximumSeconds(model, seconds > 0.1 ? seconds : 0.1);
    if (!isinf(options->cutoff)) {
        char text[40];
        snprintf(text, sizeof text, "%.9g", options->cutoff - m->offset + 1e-3);
        Cbc_setParameter(model, "cutoff", text);
    }
    Cbc_setAllowableGap(model, 0);
    Cbc_setAllowableFractionGap(model, 0);
    Cbc_setLogLevel(model, 1);
    Cbc_solve(model);
    const double *x = Cbc_bestSolution(model);
    answer a = {Cbc_status(model),
                Cbc_secondaryStatus(model),
                x != NULL,
                Cbc_isProvenInfeasible(model),
                Cbc_isProvenOptimal(model),
                Cbc_getObjValue(model),
                Cbc_getBestPossibleObjValue(model)};
    bool ok = write_all(result, &a, sizeof a);
    if (ok && x) ok = write_all(result, x, m->columns * sizeof *x);
    _exit(ok ? 0 : 4); /* no handlers, no flushing: they are the parent's */
}

/* --- the parent --------------------------------------------------------------------------------------------------- */

typedef struct watcher {
    const ksda_i_model *m;
    const char *stage;
    double incumbent, bound, give_up; /* give_up: on the clock of ksda_i_now() */
    char line[512];
    size_t length;
    char *result; /* what came through the second pipe */
    uint64_t size, room;
} watcher;

static void read_line(watcher *w) {
    double found, possible;
    w->line[w->length] = 0;
    const char *p = strstr(w->line, "best solution, best possible ");
    if (p && sscanf(p, "best solution, best possible %lf", &possible) == 1) {
        w->bound = possible + w->m->offset;
        p = strstr(w->line, "on tree, ");
        if (p && sscanf(p, "on tree, %lf", &found) == 1 && found < 1e40 && !(found + w->m->offset >= w->incumbent))
            w->incumbent = found + w->m->offset;
    } else if (sscanf(w->line, "Continuous objective value is %lf", &possible) == 1) {
        w->bound = possible + w->m->offset;
    }
    w->length = 0;
}

static void read_log(watcher *w, const char *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '\n')
            read_line(w);
        else if (w->length + 1 < sizeof w->line)
            w->line[w->length++] = data[i];
    }
}

/* Read both pipes until the result pipe closes. KSDA_LIMIT when CBC overstays its time. */
static ksda_status watch(watcher *w, int log, int result) {
    ksda_ctx *ctx = w->m->ctx;
    char buffer[8192];
    bool log_open = true;
    for (;;) {
        struct pollfd fd[2] = {{result, POLLIN, 0}, {log_open ? log : -1, POLLIN, 0}};
        poll(fd, 2, 100);
        ksda_status status =
            w->stage ? ksda_i_progress_solver(ctx, w->stage, w->incumbent, w->bound) : ksda_i_interrupted(ctx);
        if (status < 0) return status;
        if (ksda_i_now() > w->give_up) return KSDA_LIMIT;
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
}

static ksda_status interpret(const watcher *w, ksda_i_solution *out) {
    const ksda_i_model *m = w->m;
    answer a;
    if (w->size < sizeof a) return ksda_i_error(m->ctx, KSDA_INTERNAL, "the CBC process ended without an answer");
    memcpy(&a, w->result, sizeof a);
    if (a.infeasible && !a.has_solution && a.status == 0) {
        out->status = KSDA_MODEL_INFEASIBLE;
        out->bound = INFINITY;
        return KSDA_OK;
    }
    out->bound = a.bound < -1e40 || a.bound > 1e40 ? w->bound : a.bound + m->offset;
    if (!a.has_solution || w->size != sizeof a + m->columns * sizeof(double)) return KSDA_OK; /* a limit */
    out->x = ksda_i_malloc(m->ctx, (uint64_t)m->columns + 1, sizeof *out->x);
    if (!out->x) return KSDA_NOMEM;
    memcpy(out->x, w->result + sizeof a, m->columns * sizeof(double));
    for (uint32_t j = 0; j < m->columns; j++)
        if (m->integer[j]) out->x[j] = nearbyint(out->x[j]);
    out->objective = ksda_i_model_objective(m, out->x);
    out->status = a.optimal && a.status == 0 ? KSDA_MODEL_OPTIMAL : KSDA_MODEL_FEASIBLE;
    if (out->status == KSDA_MODEL_OPTIMAL) out->bound = out->objective;
    return KSDA_OK;
}

static void close_both(int fd[2]) {
    for (int i = 0; i < 2; i++)
        if (fd[i] >= 0) close(fd[i]);
}

ksda_status ksda_i_cbc_solve(const ksda_i_model *m, const ksda_i_solve_options *options, ksda_i_solution *out) {
    ksda_ctx *ctx = m->ctx;
    double seconds = ksda_i_time_left(ctx);
    if (options->seconds > 0 && options->seconds < seconds) seconds = options->seconds;
    watcher w = {.m = m,
                 .stage = options->stage,
                 .incumbent = options->known_cost > 0 ? options->known_cost : NAN,
                 .bound = options->known_bound,
                 .give_up = INFINITY};
    int log[2] = {-1, -1}, result[2] = {-1, -1};
    ksda_status status = m->status;
    pid_t pid = -1;
    *out = (ksda_i_solution){KSDA_MODEL_LIMIT, NAN, -INFINITY, NULL};
    if (status < 0) return status;
    if (m->terms > INT32_MAX) return ksda_i_error(ctx, KSDA_UNSUPPORTED, "the integer program is too large for CBC");
    if (!isinf(seconds)) w.give_up = ksda_i_now() + seconds + GRACE;
    if (pipe2(log, O_CLOEXEC) != 0 || pipe2(result, O_CLOEXEC) != 0 || (pid = fork()) < 0) {
        status = ksda_i_error(ctx, KSDA_IO, "CBC could not be started: %s", strerror(errno));
        goto done;
    }
    if (pid == 0) child(m, options, seconds, log[1], result[1]);
    close(log[1]), close(result[1]);
    log[1] = result[1] = -1;
    status = watch(&w, log[0], result[0]);
    kill(pid, SIGKILL); /* it has nothing left to do, or was asked to stop */
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
    if (status == KSDA_OK)
        status = interpret(&w, out);
    else if (status == KSDA_LIMIT)
        out->bound = w.bound, status = KSDA_OK;
done:
    close_both(log), close_both(result);
    ksda_i_free(ctx, w.result);
    return status;
}

#else

bool ksda_i_cbc_available(void) {
    return false;
}

ksda_status ksda_i_cbc_solve(const ksda_i_model *m, const ksda_i_solve_options *options, ksda_i_solution *out) {
    (void)options, (void)out;
    return ksda_i_error(
        m->ctx, KSDA_UNSUPPORTED,
        "this build has no CBC: install coinor-libcbc-dev and build again, or write the integer program "
        "with --write-lp and solve it elsewhere");
}

#endif
