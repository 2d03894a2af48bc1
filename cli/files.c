/* Files on the command line: refused before any work when one would be overwritten that is still read, or written
 * twice.
 *
 * Two names are the same file when device and inode agree, links followed; names that do not exist yet are the same
 * when their folders are and the last parts agree. Devices such as /dev/null may be used as often as one likes. */
#include "cli.h"
#include "io/formats.h"
#include "io/output.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct named_file {
    const char *path;
    char role_text[64];
    bool output;
    bool exists;
    struct stat folder, file;
    char last[256];
} named_file;

enum {
    MOST_FILES = CLI_MOST_FILES
};

static void look_up_file(named_file *f) {
    char copy[4096];
    f->exists = stat(f->path, &f->file) == 0;
    if (f->exists || strlen(f->path) >= sizeof copy) return;
    snprintf(copy, sizeof copy, "%s", f->path);
    snprintf(f->last, sizeof f->last, "%s", basename(copy));
    snprintf(copy, sizeof copy, "%s", f->path);
    if (stat(dirname(copy), &f->folder) != 0) f->last[0] = '\0'; /* no such folder */
}

static bool is_same_file(const named_file *a, const named_file *b) {
    if (strcmp(a->path, "-") == 0 || strcmp(b->path, "-") == 0) return false;
    if (a->exists && b->exists)
        return a->file.st_dev == b->file.st_dev && a->file.st_ino == b->file.st_ino && S_ISREG(a->file.st_mode);
    if (a->exists || b->exists || !a->last[0]) return false;
    return a->folder.st_dev == b->folder.st_dev && a->folder.st_ino == b->folder.st_ino &&
           strcmp(a->last, b->last) == 0;
}

static size_t collect(const cli_command *command, const cli_values *values, named_file *file) {
    size_t count = 0;
    const cli_option *row;
    bool shared;
    for (size_t i = 0; i < values->arguments; i++) {
        const cli_argument *argument = &command->arguments[i];
        if (argument->type != CLI_INPUT && argument->type != CLI_OUTPUT) continue;
        file[count] = (named_file){.path = values->argument[i], .output = argument->type == CLI_OUTPUT};
        snprintf(file[count++].role_text, sizeof file->role_text, "%s", argument->name);
    }
    for (size_t i = 0; (row = cli_option_at(command, i, &shared)) && count < MOST_FILES; i++) {
        const char *path;
        if (row->type != CLI_INPUT && row->type != CLI_OUTPUT) continue;
        path = *(const char *const *)((const char *)values->values + row->at);
        if (!path) continue;
        file[count] = (named_file){.path = path, .output = row->type == CLI_OUTPUT};
        cli_option_name(row, file[count].role_text, sizeof file->role_text);
        count++;
    }
    return count;
}

size_t cli_files_named(const cli_command *command, const cli_values *values, cli_file *file) {
    named_file found[MOST_FILES + 1];
    size_t count = collect(command, values, found);
    for (size_t i = 0; i < count; i++) {
        file[i] = (cli_file){.path = found[i].path, .output = found[i].output};
        memcpy(file[i].role, found[i].role_text, sizeof file->role);
    }
    return count;
}

static int check_standard(const cli_command *command, const cli_values *values, const named_file *file, size_t count) {
    const named_file *in = NULL, *out = NULL;
    for (size_t i = 0; i < count; i++) {
        const named_file **seen = file[i].output ? &out : &in;
        if (strcmp(file[i].path, "-") != 0) continue;
        if (*seen)
            return cli_usage(command, "%s and %s cannot both be standard %s", (*seen)->role_text, file[i].role_text,
                             file[i].output ? "output" : "input");
        *seen = &file[i];
    }
    if (out && values->shared.json)
        return cli_usage(command, "%s and --json cannot both be standard output", out->role_text);
    if (in && isatty(STDIN_FILENO))
        return cli_usage(command, "%s: standard input is a terminal; name a file or use a pipe", in->role_text);
    return 0;
}

/* Better now than after an hour of work. What only shows when a file is opened is told then. */
static int check_writable(const named_file *f) {
    char old[PATH_MAX];
    int error = 0;
    if (!f->output || strcmp(f->path, "-") == 0) return 0;
    if (f->exists && S_ISDIR(f->file.st_mode)) error = EISDIR;
    if (!f->exists && !f->last[0]) error = ENOENT;
    if (!f->exists && f->last[0] && !S_ISDIR(f->folder.st_mode)) error = ENOTDIR;
    if (f->exists && access(f->path, W_OK) != 0) error = errno;
    if (!error && ksda_i_output_left_over(f->path, old)) {
        cli_error("%s: " KSDA_I_LEFT_OVER, f->path, old);
        return CLI_FAILURE;
    }
    if (error) cli_error("%s: cannot be written: %s", f->path, strerror(error));
    return error ? CLI_FAILURE : 0;
}

static const char *text_value(const cli_command *command, const cli_values *values, const char *name) {
    const cli_option *row;
    bool shared;
    for (size_t i = 0; (row = cli_option_at(command, i, &shared)); i++)
        if (!shared && row->name && strcmp(row->name, name) == 0)
            return *(const char *const *)((const char *)values->values + row->at);
    return NULL;
}

/* A graph that is to be written must have a format: where nobody names it the ending does. */
static int check_ending(const cli_command *command, const cli_values *values) {
    const char *path = text_value(command, values, "output");
    const cli_option *row;
    bool shared, graph = false;
    char known[512];
    for (size_t i = 0; (row = cli_option_at(command, i, &shared)); i++)
        graph |= row->name && strcmp(row->name, "output-format") == 0;
    if (!graph || !path || text_value(command, values, "output-format") || ksda_i_format_to_write(path)) return 0;
    return cli_usage(
        command, "'%s': no format that is written is known by this ending; name it by --output-format. There are %s",
        path, ksda_i_formats_text(known, sizeof known));
}

/* A report is a page, whatever it is called: under another name nobody could open it. */
static int check_report(const cli_command *command, const cli_values *values) {
    const char *path = text_value(command, values, "report"), *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : path, *dot = name && *name ? strrchr(name + 1, '.') : NULL;
    if (!dot || strcasecmp(dot, ".html") == 0 || strcasecmp(dot, ".htm") == 0) return 0;
    return cli_usage(command,
                     "--report '%s': the report is an HTML page; call it %.*s.html (a browser opens it, and prints it "
                     "as PDF)",
                     path, (int)(dot - path), path);
}

void cli_files_watch(const cli_command *command, const cli_values *values, cli_watch *watch) {
    named_file file[MOST_FILES + 1];
    size_t count = collect(command, values, file);
    watch->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!file[i].output || strcmp(file[i].path, "-") == 0) continue;
        look_up_file(&file[i]);
        if (!file[i].exists || !S_ISREG(file[i].file.st_mode) || file[i].file.st_size == 0) continue;
        watch->path[watch->count] = file[i].path;
        watch->inode[watch->count++] = file[i].file.st_ino;
    }
}

void cli_files_tell(cli_run *cli, const cli_watch *watch) {
    char list[2048] = "";
    size_t used = 0;
    for (size_t i = 0; i < watch->count && used < sizeof list; i++) {
        struct stat now;
        if (stat(watch->path[i], &now) != 0 || now.st_ino == watch->inode[i]) continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", watch->path[i]);
    }
    if (used) cli_message(cli, "replaced %s", list);
}

int cli_check_files(const cli_command *command, const cli_values *values) {
    named_file file[MOST_FILES + 1];
    size_t count = collect(command, values, file);
    for (size_t i = 0; i < count; i++) look_up_file(&file[i]);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            if (!file[i].output || i == j || (file[j].output && j < i) || !is_same_file(&file[i], &file[j])) continue;
            return cli_usage(command, "%s '%s' is the same file as %s '%s'; nothing was written", file[i].role_text,
                             file[i].path, file[j].role_text, file[j].path);
        }
    for (size_t i = 0; i < count; i++) {
        int code = check_writable(&file[i]);
        if (code) return code;
    }
    int code = check_ending(command, values);
    if (code == 0) code = check_report(command, values);
    return code ? code : check_standard(command, values, file, count);
}
