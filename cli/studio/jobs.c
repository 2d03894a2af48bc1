/* Running a step: a child that is ksda itself, its two outputs read until they end. One step runs at a time. */
#include "studio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_OUTPUT = 64 << 20, /* bytes that a step may print */
    MOST_MESSAGES = 100
};

typedef struct job {
    studio *s;
    char step[32];
    studio_command command;
    int out, err; /* what the child prints */
    char *text;   /* of out */
    size_t size, taken;
    char line[1024]; /* of err, up to its end */
    size_t length;
    sem_t begun; /* the thread has tried to start the first child: */
    bool running;
} job;

void studio_touch(studio *s) {
    s->version++;
    pthread_cond_broadcast(&s->changed);
}

static json_t *step_of(const job *j) {
    return json_object_get(j->s->step, j->step);
}

/* --- what the child says ------------------------------------------------------------------------------------------ */

static void end_of_line(job *j) {
    while (j->length && j->line[j->length - 1] == ' ') j->length--;
    j->line[j->length] = '\0';
    if (j->length == 0) return;
    pthread_mutex_lock(&j->s->lock);
    json_t *messages = json_object_get(step_of(j), "messages");
    if (strncmp(j->line, "ksda: ", 6) == 0 && json_array_size(messages) < MOST_MESSAGES)
        json_array_append_new(messages, json_string(j->line + 6));
    else
        snprintf(j->s->progress, sizeof j->s->progress, "%.190s", j->line);
    studio_touch(j->s);
    pthread_mutex_unlock(&j->s->lock);
    j->length = 0;
}

/* Messages begin with the command's name, lines of progress do not. */
static bool read_messages(job *j) {
    char block[4096];
    ssize_t n = read(j->err, block, sizeof block);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    for (ssize_t i = 0; i < n; i++) {
        if (block[i] == '\n')
            end_of_line(j);
        else if (j->length + 1 < sizeof j->line)
            j->line[j->length++] = block[i];
    }
    return n > 0;
}

/* Whole lines are rows of the step's result. */
static void take_lines(job *j) {
    char *end;
    while (j->taken < j->size && (end = memchr(j->text + j->taken, '\n', j->size - j->taken))) {
        pthread_mutex_lock(&j->s->lock);
        json_t *row = json_loadb(j->text + j->taken, (size_t)(end - j->text) - j->taken, 0, NULL);
        json_t *rows = json_object_get(step_of(j), "rows");
        if (row) json_array_append_new(rows, row);
        studio_touch(j->s);
        pthread_mutex_unlock(&j->s->lock);
        j->taken = (size_t)(end - j->text) + 1;
    }
}

static bool read_output(job *j) {
    char block[65536];
    ssize_t n = read(j->out, block, sizeof block);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (n <= 0) return false;
    char *larger = j->size + (size_t)n < MOST_OUTPUT ? realloc(j->text, j->size + (size_t)n + 1) : NULL;
    if (!larger) return false;
    j->text = larger;
    memcpy(j->text + j->size, block, (size_t)n);
    j->size += (size_t)n;
    j->text[j->size] = '\0';
    if (j->command.lines) take_lines(j);
    return true;
}

static void listen_to_child(job *j) {
    struct pollfd file[2] = {{.fd = j->out, .events = POLLIN}, {.fd = j->err, .events = POLLIN}};
    while (file[0].fd >= 0 || file[1].fd >= 0) {
        if (poll(file, 2, -1) < 0 && errno != EINTR) break;
        if (file[0].revents && !read_output(j)) file[0].fd = -1;
        if (file[1].revents && !read_messages(j)) file[1].fd = -1;
    }
    end_of_line(j);
}

/* --- its beginning ------------------------------------------------------------------------------------------------ */

/* A studio that is killed takes its step with it, in order. The kernel goes by the thread that forks, not by the
 * process: it must be the one that waits for the child. */
static pid_t start_child(const studio *s, const studio_command *c, const int out[2], const int err[2]) {
    pid_t parent = getpid(), child = fork();
    if (child != 0) return child;
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent) _exit(127);
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0 || chdir(s->folder) != 0)
        _exit(127);
    signal(SIGINT, SIG_DFL), signal(SIGTERM, SIG_DFL), signal(SIGHUP, SIG_DFL), signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0); /* Ctrl-C in the terminal is for the studio, which ends its child in order */
    execv(s->program, c->word);
    _exit(127);
}

static void forget_from(studio *s, const char *step) {
    const char *name;
    json_t *value;
    void *next;
    json_object_foreach_safe(s->step, next, name, value) if (studio_step_outdates(step, name))
        json_object_del(s->step, name);
}

static void remember(studio *s, const char *step, const json_t *choice, const studio_command *c) {
    char *text = studio_command_text(s, c);
    json_t *object = json_object();
    forget_from(s, step);
    json_object_set_new(object, "command", json_string(text ? text : "ksda"));
    json_object_set_new(object, "choice", json_deep_copy(choice));
    json_object_set_new(object, "running", json_true());
    json_object_set_new(object, "messages", json_array());
    json_object_set_new(object, "rows", json_array());
    json_object_set_new(s->step, step, object);
    json_array_append_new(s->order, json_string(text ? text : ""));
    free(text);
}

/* Start the child of a step whose command is made. */
static bool spawn_step(studio *s, job *j) {
    int out[2], err[2];
    if (pipe2(out, O_CLOEXEC) != 0) return false;
    if (pipe2(err, O_CLOEXEC) != 0) {
        close(out[0]), close(out[1]);
        return false;
    }
    pid_t child = start_child(s, &j->command, out, err);
    close(out[1]), close(err[1]);
    if (child < 0) {
        close(out[0]), close(err[0]);
        return false;
    }
    j->out = out[0], j->err = err[0];
    j->size = j->taken = j->length = 0;
    s->child = child, s->stops = 0, s->since = cli_now();
    snprintf(s->running, sizeof s->running, "%s", j->step);
    return true;
}

/* The command of a step. Returns an HTTP status, and says why in `problem` [256]. */
static unsigned prepare(studio *s, job *j, const char *step, const json_t *choice, char *problem) {
    snprintf(j->step, sizeof j->step, "%s", step);
    if (!studio_command_make(s, step, choice, &j->command)) {
        snprintf(problem, 256, "there is no such step");
        return 404;
    }
    snprintf(problem, 256, "%s", j->command.problem);
    return *problem ? 422 : j->command.failed ? 500 : 202;
}

/* --- its end ------------------------------------------------------------------------------------------------------ */

static void keep_result(job *j, int code) {
    studio *s = j->s;
    json_t *step = step_of(j);
    json_t *result = j->command.lines || !j->size ? NULL : json_loads(j->text, 0, NULL);
    json_object_set_new(step, "code", json_integer(code));
    json_object_set_new(step, "running", json_false());
    json_object_set_new(step, "stopped", json_boolean(s->stops > 0));
    json_object_set_new(step, "seconds", json_real(cli_now() - s->since));
    if (result) json_object_set_new(step, "result", result);
    if (*j->command.page && access(j->command.page, R_OK) == 0)
        json_object_set_new(step, "page", json_string(j->command.page));
    s->child = 0;
    *s->running = *s->progress = '\0';
}

/* Go on with the step that follows by itself, if there is one. */
static bool begin_next_step(job *j, int code) {
    studio *s = j->s;
    const char *next = studio_step_then(j->step);
    char problem[256];
    if (!next || s->stopping || (code != CLI_OK && code != CLI_LIMITED)) return false;
    json_t *choice = json_deep_copy(json_object_get(step_of(j), "choice"));
    studio_command_clear(&j->command);
    bool gone = prepare(s, j, next, choice, problem) == 202;
    if (gone) {
        remember(s, next, choice, &j->command);
        gone = spawn_step(s, j);
        if (!gone) json_object_del(s->step, next);
    }
    json_decref(choice);
    return gone;
}

/* True: the job goes on with another step. */
static bool finish(job *j, int status) {
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    close(j->out);
    close(j->err);
    pthread_mutex_lock(&j->s->lock);
    keep_result(j, code);
    bool more = begin_next_step(j, code);
    studio_touch(j->s);
    pthread_mutex_unlock(&j->s->lock);
    return more;
}

static void *run_job(void *data) {
    job *j = data;
    int status = 0;
    bool running = j->running = spawn_step(j->s, j);
    sem_post(&j->begun);
    if (!running) return NULL;
    do {
        pthread_mutex_lock(&j->s->lock);
        pid_t child = j->s->child;
        pthread_mutex_unlock(&j->s->lock);
        listen_to_child(j);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    } while (finish(j, status));
    studio_command_clear(&j->command);
    free(j->text);
    free(j);
    return NULL;
}

/* Start the thread that starts the child and listens to it. */
static unsigned launch(studio *s, job *j) {
    if (s->joinable) pthread_join(s->runner, NULL), s->joinable = false;
    if (sem_init(&j->begun, 0, 0) != 0) return 500;
    s->joinable = pthread_create(&s->runner, NULL, run_job, j) == 0;
    while (s->joinable && sem_wait(&j->begun) != 0) continue;
    sem_destroy(&j->begun);
    return s->joinable && j->running ? 202 : 500;
}

unsigned studio_run(studio *s, const char *step, const json_t *choice, char *problem) {
    job *j = calloc(1, sizeof *j);
    unsigned status = 409;
    *problem = '\0';
    if (!j) return 500;
    j->s = s;
    if (s->child)
        snprintf(problem, 256, "a step is running; wait for it, or stop it");
    else
        status = prepare(s, j, step, choice, problem);
    if (status == 202) {
        remember(s, step, choice, &j->command);
        status = launch(s, j);
        if (status != 202) json_object_del(s->step, step);
        studio_touch(s);
        if (status == 202) return status;
    }
    studio_command_clear(&j->command);
    free(j);
    return status;
}

void studio_cancel(studio *s) {
    if (s->child <= 0) return;
    kill(s->child, s->stops == 0 ? SIGINT : s->stops == 1 ? SIGTERM : SIGKILL);
    s->stops++;
    studio_touch(s);
}
