/* ksda studio: the way from a file to a verified release, as a page in the browser of this machine. */
#include "cli.h"

#ifdef KSDA_HAVE_MICROHTTPD
#include "studio/studio.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#endif

typedef struct studio_options {
    uint64_t port;
    bool no_browser, demo;
} studio_options;

static const studio_options defaults = {.port = 0};

#ifdef KSDA_HAVE_MICROHTTPD

typedef struct visit {
    cli_run *cli;
    const studio_options *options;
} visit;

extern char **environ;

static bool must_stop(void *payload) {
    (void)payload;
    return cli_interrupted();
}

static void open_browser(const char *address) {
    char *const words[] = {"xdg-open", (char *)address, NULL};
    pid_t child;
    posix_spawnp(&child, "xdg-open", NULL, NULL, words, environ); /* reaped when the studio ends */
}

static void announce(const studio *s, void *payload) {
    visit *v = payload;
    char address[128];
    bool screen = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    snprintf(address, sizeof address, "http://127.0.0.1:%u/?token=%s", s->port, s->token);
    puts(address);
    fflush(stdout);
    cli_message(v->cli, "open this address in the browser of this machine; nothing leaves it. Ctrl-C ends the studio");
    if (!v->options->no_browser && screen) open_browser(address);
}

static bool draw_token(char *token) {
    unsigned char bytes[STUDIO_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (int i = 0; i < STUDIO_TOKEN / 2; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* The demonstration begins with the built-in network. */
static void begin_demo(studio *s) {
    char problem[256];
    json_t *choice = json_pack("{s:s}", "graph", "builtin:lesmis");
    pthread_mutex_lock(&s->lock);
    studio_run(s, "load", choice, problem);
    pthread_mutex_unlock(&s->lock);
    json_decref(choice);
}

static int serve_until_stopped(cli_run *cli, const studio_options *o, studio *s) {
    visit v = {.cli = cli, .options = o};
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->step = json_object(), s->order = json_array();
    if (o->demo) begin_demo(s);
    int code = studio_serve(s, (unsigned)o->port, must_stop, &v, announce);
    json_decref(s->step);
    json_decref(s->order);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    return code;
}

static int run_studio(cli_run *cli, const void *values) {
    const studio_options *o = values;
    static char program[PATH_MAX];
    studio s = {.program = program};
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || !getcwd(s.folder, sizeof s.folder) || !draw_token(s.token) || !studio_scratch_make(&s)) {
        cli_error("the studio cannot begin: %s", strerror(errno));
        return CLI_FAILURE;
    }
    signal(SIGPIPE, SIG_IGN);
    int code = serve_until_stopped(cli, o, &s);
    studio_scratch_remove(&s);
    return code;
}

#else

static int run_studio(cli_run *cli, const void *values) {
    (void)values, (void)cli;
    cli_error(
        "this ksda was built without libmicrohttpd, so it has no studio; all steps can be had by commands: check, "
        "advise, anonymize");
    return CLI_FAILURE;
}

#endif

static const cli_option rows[] = {
    {.name = "port",
     .value = "N",
     .type = CLI_COUNT,
     .at = offsetof(studio_options, port),
     .max = 65535,
     .shown = "any that is free",
     .help = "listen on this port of 127.0.0.1"},
    {.name = "no-browser",
     .type = CLI_FLAG,
     .at = offsetof(studio_options, no_browser),
     .help = "only print the address"},
    {.name = "demo", .type = CLI_FLAG, .at = offsetof(studio_options, demo), .help = "begin with the built-in network"},
    {0}};

const cli_command cmd_studio = {
    .name = "studio",
    .group = "Publish",
    .summary = "from a file to a verified release, step by step in the browser",
    .description = "Prints an address and opens it in the browser: a page that goes from the file to the communities, "
                   "the risk, the "
                   "choice of k, the release and its report. Every step shows the command that does the same, and all "
                   "of them can be "
                   "saved as a script.\n\n"
                   "The page is served to this machine only (127.0.0.1), to whoever has the secret in the address, and "
                   "loads nothing "
                   "from the network. It reads and writes files of the folder that it was started in and of no other. "
                   "The map that "
                   "tells who is who is written to the disk, mode 0600, and never sent to the browser. Ctrl-C, or the "
                   "button on the "
                   "page, ends it; what was not released leaves no files.",
    .options = rows,
    .shared = CLI_NO_PROGRESS_OPTIONS,
    .size = sizeof(studio_options),
    .defaults = &defaults,
    .example = "$ timeout --signal=INT 2 ksda studio --demo --no-browser || true",
    .see_also = "**ksda-check**(1), **ksda-advise**(1), **ksda-anonymize**(1)",
    .run = run_studio,
};
