/* The progress line on stderr: one line, redrawn at most ten times a second, wiped before anything else is printed.
 *
 * It shows where stderr is a terminal or --progress asks for it, never with --quiet. A terminal that cannot wipe
 * (TERM=dumb) and NO_COLOR get plain characters. The library calls back at most ten times a second, but short runs
 * should not flicker: nothing is drawn in the first half second.
 *
 * Where stderr is no terminal but a log, there are whole lines: one a second at first, then one every twentieth of the
 * time that has passed, up to half a minute. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DELAY 0.5 /* seconds of work before anything shows */
#define WIDTH 30

struct cli_bar {
    double start, last;
    size_t drawn; /* characters on the line */
    bool forced, plain, lines;
};

struct cli_bar *cli_bar_new(const cli_shared *shared) {
    const char *term = getenv("TERM"), *color = getenv("NO_COLOR");
    struct cli_bar *bar;
    if (shared->quiet || shared->progress_off) return NULL;
    if (!shared->progress_on && !isatty(STDERR_FILENO)) return NULL;
    if (!(bar = calloc(1, sizeof *bar))) return NULL;
    bar->forced = shared->progress_on;
    bar->plain = !term || strcmp(term, "dumb") == 0 || (color && *color);
    bar->lines = !isatty(STDERR_FILENO);
    bar->start = cli_now();
    return bar;
}

void cli_bar_clear(struct cli_bar *bar) {
    if (!bar || bar->drawn == 0) return;
    if (bar->plain)
        fprintf(stderr, "\r%*s\r", (int)bar->drawn, "");
    else
        fputs("\r\033[K", stderr);
    fflush(stderr);
    bar->drawn = 0;
}

void cli_bar_free(struct cli_bar *bar) {
    cli_bar_clear(bar);
    free(bar);
}

static int describe(const ksda_progress *p, bool drawn, char *line, size_t capacity) {
    char blocks[WIDTH + 4];
    double share;
    if (!isnan(p->incumbent) || !isnan(p->bound)) {
        char best[32] = "none yet", bound[32] = "none yet";
        if (isfinite(p->incumbent)) snprintf(best, sizeof best, "%.6g", p->incumbent);
        if (isfinite(p->bound)) snprintf(bound, sizeof bound, "%.6g", p->bound);
        return snprintf(line, capacity, "%s: best %s, at least %s, %.0f s", p->stage, best, bound, p->seconds);
    }
    if (p->total == 0 || p->done > p->total)
        return snprintf(line, capacity, "%s: %llu, %.0f s", p->stage, (unsigned long long)p->done, p->seconds);
    share = (double)p->done / (double)p->total;
    snprintf(blocks, sizeof blocks, "[%*s] ", WIDTH, "");
    memset(blocks + 1, '.', WIDTH);
    memset(blocks + 1, '#', (size_t)(share * WIDTH));
    if (!drawn) *blocks = '\0';
    if (share < 0.01 || p->seconds < 1) /* too early to tell how long it takes */
        return snprintf(line, capacity, "%s %s%3.0f %%", p->stage, blocks, 100 * share);
    return snprintf(line, capacity, "%s %s%3.0f %%, %.0f s left", p->stage, blocks, 100 * share,
                    p->seconds * (1 - share) / share);
}

/* Between two of them, in seconds. */
static double pause_of(const struct cli_bar *bar, double now) {
    if (!bar->lines) return 0.1;
    return fmin(fmax((now - bar->start) / 20, 1), 30);
}

int cli_bar_progress(const ksda_progress *progress, void *payload) {
    struct cli_bar *bar = payload;
    double now = cli_now();
    char line[200];
    int length;
    if (now - bar->last < pause_of(bar, now) || (!bar->forced && now - bar->start < DELAY)) return 0;
    bar->last = now;
    length = describe(progress, !bar->lines, line, sizeof line);
    if (bar->lines) {
        fprintf(stderr, "%s\n", line);
        return 0;
    }
    if (length >= (int)sizeof line) length = (int)sizeof line - 1;
    cli_bar_clear(bar);
    fputs(line, stderr);
    fflush(stderr);
    bar->drawn = (size_t)length;
    return 0;
}
