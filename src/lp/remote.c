/* Linear programs in a child process, whichever solver it is.
 *
 * Clp's assertions end the process that they fail in, GLPK does so when memory runs out, and neither looks at a clock
 * inside a pivot. So the solver works in a child: changes are written to a socket, and at the end of every slice of
 * pivots prices and values come back. A child that dies has proved nothing, nor has one that is silent for longer than
 * any slice takes; the caller goes on without. */
#include "lp/remote.h"

#include "core/child.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define LOOK 20 /* milliseconds between two looks whether to stop, while the child works */

typedef enum request_kind {
    ROW,
    COLUMN,
    BOUNDS,
    COST,
    RUN
} request_kind;

/* Followed by the terms of a row or column: what they belong to, then their values. */
typedef struct request {
    request_kind kind;
    uint32_t index;            /* of the column; of RUN, whether costs have changed */
    uint32_t terms;            /* of RUN, pivots */
    double lower, upper, cost; /* as far as there are any */
} request;

/* Followed by the columns' values where it is solved, then, unless there are none, by the rows' prices or ray. */
typedef struct reply {
    ksda_i_lp_state state;
    bool has_rows;
    uint64_t pivots;
} reply;

unsigned ksda_i_lp_silence = 120000;

/* --- the child ---------------------------------------------------------------------------------------------------- */

typedef struct server {
    const ksda_i_lp_engine *way;
    void *engine;
    ksda_i_model own; /* the model as it has been told of */
    uint32_t rows;    /* that the engine has */
    int fd;
    int *index; /* terms, and the ray */
    double *value;
} server;

static void exit_unless(bool ok) {
    if (!ok) _exit(3);
}

static void read_all(int fd, void *data, size_t size) {
    char *p = data;
    while (size > 0) {
        ssize_t n = read(fd, p, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(0); /* the parent is gone */
        p += n, size -= (size_t)n;
    }
}

static void read_terms(server *s, uint32_t terms) {
    exit_unless((s->index = realloc(s->index, (terms + 1) * sizeof *s->index)));
    exit_unless((s->value = realloc(s->value, (terms + 1) * sizeof *s->value)));
    read_all(s->fd, s->index, terms * sizeof *s->index);
    read_all(s->fd, s->value, terms * sizeof *s->value);
}

static void hand_over_rows(server *s) {
    if (s->own.rows > s->rows) exit_unless(s->way->add_rows(s->engine, &s->own, s->rows) >= 0);
    s->rows = s->own.rows;
}

static void answer(server *s, const request *q) {
    reply r;
    uint32_t rows = s->own.rows;
    r.state = s->way->run(s->engine, q->index != 0, (int)q->terms, &r.pivots);
    bool priced = r.state == KSDA_I_LP_SOLVED || r.state == KSDA_I_LP_GOES_ON;
    exit_unless((s->value = realloc(s->value, ((size_t)rows + 1) * sizeof *s->value)));
    const double *of_rows = priced ? s->way->dual(s->engine) : s->value;
    r.has_rows = priced || (r.state == KSDA_I_LP_INFEASIBLE && s->way->ray(s->engine, s->value));
    bool ok = ksda_i_write_all(s->fd, &r, sizeof r);
    if (r.state == KSDA_I_LP_SOLVED)
        ok = ok && ksda_i_write_all(s->fd, s->way->x(s->engine), s->own.columns * sizeof(double));
    if (r.has_rows) ok = ok && ksda_i_write_all(s->fd, of_rows, rows * sizeof(double));
    exit_unless(ok);
}

static void obey_request(server *s, const request *q) {
    if (q->kind == ROW || q->kind == COLUMN) read_terms(s, q->terms);
    if (q->kind != ROW) hand_over_rows(s);
    switch (q->kind) {
    case ROW:
        for (uint32_t t = 0; t < q->terms; t++) ksda_i_model_term(&s->own, (uint32_t)s->index[t], s->value[t]);
        ksda_i_model_row(&s->own, q->lower, q->upper, "%s", "");
        break;
    case COLUMN:
        ksda_i_model_column(&s->own, q->lower, q->upper, q->cost, false, "%s", "");
        exit_unless(s->way->add_column(s->engine, &s->own, q->terms, s->index, s->value) >= 0);
        break;
    case BOUNDS: s->way->set_bounds(s->engine, q->index, q->lower, q->upper); break;
    case COST: s->way->set_cost(s->engine, q->index, q->cost); break;
    case RUN: answer(s, q); break;
    }
    exit_unless(s->own.status == KSDA_OK);
}

_Noreturn static void serve(const ksda_i_lp_engine *way, const ksda_i_model *m, int fd) {
    server s = {.way = way, .fd = fd};
    ksda_i_child_begin(-1);
    ksda_i_model_init(&s.own, m->ctx);
    for (uint32_t j = 0; j < m->columns; j++)
        ksda_i_model_column(&s.own, m->lower[j], m->upper[j], m->cost[j], false, "%s", "");
    exit_unless(s.own.status == KSDA_OK && way->open(&s.own, &s.engine) >= 0);
    for (;;) {
        request q;
        read_all(fd, &q, sizeof q);
        obey_request(&s, &q);
    }
}

/* --- the parent --------------------------------------------------------------------------------------------------- */

typedef struct remote {
    ksda_ctx *ctx;
    pid_t pid; /* 0: it has failed, or was ended */
    int fd;
    uint32_t columns, rows;
    double *x, *of_rows; /* [columns]; [rows] prices or ray */
    uint64_t x_room, rows_room;
    bool has_rows; /* of the last answer */
    size_t pending;
    char buffer[1 << 14]; /* requests that are not sent yet */
} remote;

static void lose_server(remote *r, bool failed) {
    if (failed) ksda_i_solver_failed(r->ctx);
    if (r->pid > 0) ksda_i_child_finish(r->pid, true);
    r->pid = 0;
}

/* After a while in which the child neither took nor said anything; false, and it is lost, where that is enough. */
static bool wait_longer(remote *r, unsigned *waited) {
    bool silent = (*waited += LOOK) > ksda_i_lp_silence;
    if (!silent && !ksda_i_cancelled(r->ctx)) return true;
    lose_server(r, silent);
    return false;
}

static void send_requests(remote *r, const void *data, size_t size) {
    const char *p = data;
    unsigned waited = 0;
    while (size > 0 && r->pid > 0) {
        ssize_t n = ksda_i_child_write(r->pid, r->fd, p, size, LOOK);
        if (n < 0) lose_server(r, true);
        if (n < 0 || (n == 0 && !wait_longer(r, &waited))) return;
        p += n, size -= (size_t)n;
        if (n > 0) waited = 0;
    }
}

static void flush_requests(remote *r) {
    send_requests(r, r->buffer, r->pending);
    r->pending = 0;
}

static void put_request(remote *r, const void *data, size_t size) {
    if (r->pending + size > sizeof r->buffer) flush_requests(r);
    if (size > sizeof r->buffer) {
        send_requests(r, data, size);
        return;
    }
    memcpy(r->buffer + r->pending, data, size);
    r->pending += size;
}

/* So much of the answer; false, and it is lost, where the child has ended or is silent, or we must stop. */
static bool take_answer(remote *r, void *data, size_t size) {
    char *p = data;
    unsigned waited = 0;
    while (size > 0) {
        ssize_t n = ksda_i_child_read(r->pid, r->fd, p, size, LOOK);
        if (n < 0) lose_server(r, true);
        if (n < 0 || (n == 0 && !wait_longer(r, &waited))) return false;
        p += n, size -= (size_t)n;
        if (n > 0) waited = 0;
    }
    return true;
}

static void close_remote(void *engine) {
    remote *r = engine;
    lose_server(r, false);
    if (r->fd >= 0) close(r->fd);
    ksda_i_free(r->ctx, r->x), ksda_i_free(r->ctx, r->of_rows);
    ksda_i_free(r->ctx, r);
}

static void start_server(remote *r, const ksda_i_lp_engine *way, const ksda_i_model *m) {
    int fd[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0) {
        lose_server(r, true);
        return;
    }
    pid_t pid = ksda_i_fork();
    if (pid == 0) serve(way, m, fd[1]);
    close(fd[1]);
    r->fd = fd[0];
    if (pid > 0)
        r->pid = pid;
    else
        lose_server(r, true);
}

ksda_status ksda_i_lp_remote_open(const ksda_i_lp_engine *way, const ksda_i_model *m, void **engine) {
    remote *r = ksda_i_calloc(m->ctx, 1, sizeof *r);
    if (!r) return KSDA_NOMEM;
    r->ctx = m->ctx, r->columns = m->columns, r->fd = -1;
    ksda_status status = ksda_i_reserve(m->ctx, &r->x, &r->x_room, (uint64_t)m->columns + 1, sizeof *r->x);
    if (status >= 0) status = ksda_i_reserve(m->ctx, &r->of_rows, &r->rows_room, 1, sizeof *r->of_rows);
    if (status < 0) {
        close_remote(r);
        return status;
    }
    start_server(r, way, m);
    *engine = r;
    return KSDA_OK;
}

static void put_terms(remote *r, const request *q, const void *index, const double *value) {
    put_request(r, q, sizeof *q);
    put_request(r, index, q->terms * sizeof(uint32_t));
    put_request(r, value, q->terms * sizeof *value);
}

static ksda_status add_rows(void *engine, const ksda_i_model *m, uint32_t first) {
    remote *r = engine;
    ksda_status status = ksda_i_reserve(r->ctx, &r->of_rows, &r->rows_room, (uint64_t)m->rows + 1, sizeof *r->of_rows);
    if (status < 0) return status;
    for (uint32_t i = first; i < m->rows; i++) {
        uint64_t begin = m->row_start[i];
        request q = {.kind = ROW,
                     .terms = (uint32_t)(m->row_start[i + 1] - begin),
                     .lower = m->row_lower[i],
                     .upper = m->row_upper[i]};
        put_terms(r, &q, m->term_column + begin, m->term_value + begin);
    }
    r->rows = m->rows;
    return KSDA_OK;
}

static ksda_status add_column(void *engine, const ksda_i_model *m, uint32_t terms, const int *row,
                              const double *value) {
    remote *r = engine;
    uint32_t j = m->columns - 1;
    request q = {.kind = COLUMN, .terms = terms, .lower = m->lower[j], .upper = m->upper[j], .cost = m->cost[j]};
    ksda_status status = ksda_i_reserve(r->ctx, &r->x, &r->x_room, (uint64_t)m->columns + 1, sizeof *r->x);
    if (status < 0) return status;
    put_terms(r, &q, row, value);
    r->columns = m->columns;
    return KSDA_OK;
}

static void set_bounds(void *engine, uint32_t column, double lower, double upper) {
    put_request(engine, &(request){.kind = BOUNDS, .index = column, .lower = lower, .upper = upper}, sizeof(request));
}

static void set_cost(void *engine, uint32_t column, double cost) {
    put_request(engine, &(request){.kind = COST, .index = column, .cost = cost}, sizeof(request));
}

static ksda_i_lp_state remote_run(void *engine, bool repriced, int pivots, uint64_t *done) {
    remote *r = engine;
    reply a = {.state = KSDA_I_LP_TROUBLE};
    put_request(r, &(request){.kind = RUN, .index = repriced, .terms = (uint32_t)pivots}, sizeof(request));
    flush_requests(r);
    *done = 0, r->has_rows = false;
    if (r->pid == 0 || !take_answer(r, &a, sizeof a)) return KSDA_I_LP_TROUBLE;
    *done = a.pivots;
    if (a.state == KSDA_I_LP_SOLVED && !take_answer(r, r->x, r->columns * sizeof *r->x)) return KSDA_I_LP_TROUBLE;
    if (a.has_rows && !take_answer(r, r->of_rows, r->rows * sizeof *r->of_rows)) return KSDA_I_LP_TROUBLE;
    r->has_rows = a.has_rows;
    return a.state;
}

static const double *primal(void *engine) {
    return ((remote *)engine)->x;
}

static const double *remote_dual(void *engine) {
    return ((remote *)engine)->of_rows;
}

static bool remote_ray(void *engine, double *out) {
    const remote *r = engine;
    if (r->has_rows) memcpy(out, r->of_rows, r->rows * sizeof *out);
    return r->has_rows;
}

const ksda_i_lp_engine ksda_i_lp_remote = {NULL,     close_remote, add_rows, add_column,  set_bounds,
                                           set_cost, remote_run,   primal,   remote_dual, remote_ray};
