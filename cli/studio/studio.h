/* studio.h: the local page, from inside.
 *
 * The page does nothing by itself: every step is a ksda command that runs as a child, in the folder that the studio was
 * started in, and is shown to the user as it would be typed. What a step told is kept here, so that a reload or a
 * second tab shows the same. server.c answers requests and decides who may ask; steps.c makes command lines; jobs.c
 * runs them; files.c knows the folder. */
#ifndef CLI_STUDIO_H
#define CLI_STUDIO_H

#include "cli.h"

#include <limits.h>
#include <pthread.h>

enum {
    STUDIO_PATH = PATH_MAX + 320, /* the folder, or the scratch folder, and a name in it */
    STUDIO_TOKEN = 32,            /* letters */
    STUDIO_WORDS = 48,            /* of a command line, at most */
    STUDIO_NAME = 200,            /* bytes of a file's name, at most */
    STUDIO_BODY = 64 * 1024,      /* bytes of a request that is no file */
};
#define STUDIO_UPLOAD ((uint64_t)512 << 20) /* bytes of a file, at most */

/* The command line of a step. */
typedef struct studio_command {
    char *word[STUDIO_WORDS + 1]; /* word[0] is "ksda"; NULL after the last */
    size_t count;
    bool failed;            /* no memory, or too many words */
    bool lines;             /* it prints an object a line, as it goes */
    char page[STUDIO_PATH]; /* the page that it writes; empty: none */
    char problem[256];      /* what is wrong with what was asked; empty: nothing */
} studio_command;

typedef struct studio {
    const char *program; /* the ksda that is run */
    char folder[PATH_MAX];
    char scratch[PATH_MAX]; /* a private folder for pages that nobody asked to keep; removed in the end */
    char token[STUDIO_TOKEN + 1];
    unsigned port;
    pthread_mutex_t lock; /* of all that follows, and of every use of jansson */
    pthread_cond_t changed;
    uint64_t version; /* of the state: grows with every change */
    bool stopping;
    json_t *step;     /* by name: command, status, result, messages, version */
    json_t *order;    /* the names of the steps that were run, in order */
    pid_t child;      /* of the step that runs; 0: none does */
    char running[32]; /* its name */
    unsigned stops;   /* how often it was asked to stop */
    double since;     /* when it began, as cli_now() has it */
    char progress[200];
    pthread_t runner;
    bool joinable; /* runner has to be joined */
} studio;

/* --- files.c ------------------------------------------------------------------------------------------------------ */

/* A plain name: no folder, not hidden, nothing that a terminal or a shell would take for something else. */
bool studio_name_fits(const char *name);
/* Is that a regular file of the folder, and not a link that leads out of it? */
bool studio_file_is_there(const studio *s, const char *name);
json_t *studio_files(const studio *s);
/* A file that is being sent: begin, write, and end, which gives it its name, or forget. Each returns an HTTP status. */
typedef struct studio_upload {
    int fd;
    uint64_t size;
    char name[STUDIO_NAME + 1], temporary[STUDIO_PATH];
} studio_upload;
unsigned studio_upload_begin(const studio *s, const char *name, studio_upload *u);
unsigned studio_upload_write(studio_upload *u, const void *data, size_t size);
unsigned studio_upload_end(const studio *s, studio_upload *u);
void studio_upload_forget(studio_upload *u);
bool studio_scratch_make(studio *s);
void studio_scratch_remove(const studio *s);

/* --- steps.c ------------------------------------------------------------------------------------------------------ */

/* The command of a step with what was chosen for it. False when there is no such step. Cleared in any case. */
bool studio_command_make(const studio *s, const char *step, const json_t *choice, studio_command *out);
void studio_command_clear(studio_command *c);
/* Is what the other step told void when this one is done again? */
bool studio_step_outdates(const char *step, const char *other);
/* The step that follows this one by itself where it succeeds; NULL: none. */
const char *studio_step_then(const char *step);
/* As it would be typed, without --json and pages that only the studio needs; to be freed, NULL: no memory. */
char *studio_command_text(const studio *s, const studio_command *c);

/* --- jobs.c; all with the lock held ------------------------------------------------------------------------------- */

/* Run a step in the background. What the step and those after it told before is forgotten. Returns an HTTP status, and
 * says why in `problem` [256]. */
unsigned studio_run(studio *s, const char *step, const json_t *choice, char *problem);
void studio_cancel(studio *s); /* once: hand over what there is; twice: stop */
void studio_touch(studio *s);  /* the state has changed */

/* --- server.c ----------------------------------------------------------------------------------------------------- */

/* Answer requests until `stop` says so. Returns an exit code. */
int studio_serve(studio *s, unsigned port, bool (*stop)(void *payload), void *payload,
                 void (*ready)(const studio *s, void *payload));

#endif
