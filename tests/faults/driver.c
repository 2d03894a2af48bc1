/* Whole commands, with every call to the outside failing in turn.
 *
 *   ksda_faults memory|files|sites [name of a command ...]
 *
 * Each command is run once as it is, to count its calls and to see what it writes; then again and again, each time with
 * another call failing: once, for good, and with everything after it. After each run:
 * - the command has ended by itself, with an exit code for a failure and a message, or as if nothing had been;
 * - every output is the whole old file or the whole new one, and all are old or all new; where that could not be, the
 *   message says of each what it is, and no old file is lost;
 * - JSON has all its fields; no temporary file is left.
 * And killed before the call: no public file is new unless the map is, and no old file is lost.
 *
 * Some calls of each command are tried, spread evenly; KSDA_TEST_TIMES times as many where that is set. With `sites`
 * every place in the program that allocates memory fails once, in the first command that comes by, on a tiny network:
 * some minutes, on demand. */
#include "faults.h"

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_WORDS = 48,
    MOST_OUTPUTS = 8,
    KILL_AFTER = 120, /* seconds */
    WRONG = 99        /* exit code of a sanitizer that has found something */
};

typedef struct command {
    const char *name, *line, *outputs; /* names with blanks between them; those that are public begin with p. */
    const char *json;                  /* "stdout" when that is a JSON object */
} command;

/* --force: the outputs are there already. --insecure-ids: the same release each time. */
static const command commands[] = {
    {"anonymize",
     "anonymize g.edges -c g.communities -k 2 -m flex-split -t 1 -o p.edges --map o.map --summary o.json --trace "
     "o.trace "
     "--publish-communities p.communities --report o.html --no-measures --insecure-ids --force --json",
     "o.map o.json o.trace o.html p.edges p.communities", "stdout"},
    {"level-plan",
     "anonymize g.edges -c g.communities -k 2 -t 1 -o p.edges.gz --map o.map --publish-communities p.communities.zst "
     "--report p.html --public --insecure-ids --force --no-measures",
     "o.map p.edges.gz p.communities.zst p.html", NULL},
    {"report",
     "anonymize k.graphml --community-attribute community -k 2 -m flex-split -t 2 -o p.graphml --map o.map --report "
     "o.html "
     "--insecure-ids --force",
     "o.map o.html p.graphml", NULL},
    {"detect-and-publish",
     "anonymize k.gml --detect metis:4 -k 2 -m flex-split -t 1 -o p.gml --map o.map --publish-communities "
     "p.communities "
     "--insecure-ids --force",
     "o.map p.gml p.communities", NULL},
    {"frontier",
     "anonymize builtin:karate -k 2 --frontier --frontier-runs 3 -t 1 -o p.edges --map o.map --summary o.json --report "
     "o.html --insecure-ids --force --json",
     "o.map o.json o.html p.edges", "stdout"},
    {"optimal",
     "optimal builtin:karate -k 2 -t 1 -o p.edges --map o.map --summary o.json --insecure-ids --force --json",
     "o.map o.json p.edges", "stdout"},
    {"measure", "measure k.edges.zst -c k.communities -t 1 --json --distributions", "", "stdout"},
    {"compare", "compare g.edges release.edges -c g.communities --map release.map -k 2 -t 1 --json", "", "stdout"},
    {"sweep",
     "sweep builtin:karate -k 1:2 -m level-plan,flex-split -t 1 --no-measures --csv o.csv --report o.times.html --json",
     "o.csv o.times.html", "stdout"},
    {"journal", "sweep builtin:karate -k 2 -m flex-split,edge-connect -t 1 --journal journal.jsonl --json", "",
     "stdout"},
    {"resume",
     "sweep builtin:karate -k 2 -m flex-split,edge-connect,level-plan -t 1 --no-measures --journal journal.jsonl "
     "--json",
     "", "stdout"},
    {"check", "check g.csv -c g.communities -k 1 -t 1 --report o.html --json", "o.html", "stdout"},
    {"verify", "verify g.edges release.edges -c g.communities --map release.map -k 2 -t 1 --json", "", "stdout"},
    {"stats", "stats g.edges.gz -c g.communities --json", "", "stdout"},
    {"detect", "detect g.edges -m leiden -t 1 -o p.communities --json", "p.communities", "stdout"},
    {"convert", "convert g.edges -c g.communities -t 1 -o p.graphml --write-communities p.communities",
     "p.graphml p.communities", NULL},
    {"write-lp", "optimal builtin:karate -k 2 --write-lp o.lp", "o.lp", NULL},
};

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

static fault_plan *plan; /* in shared memory */
static int failures;

/* --- files -------------------------------------------------------------------------------------------------------- */

/* The whole file, NUL-terminated, or NULL when there is none. */
static char *slurp(const char *path, size_t *size) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    *size = 0;
    if (!file) return NULL;
    do {
        if (*size + 65536 > room) text = realloc(text, room = 2 * room + 65536 + 1);
        if (!text) abort();
        *size += fread(text + *size, 1, room - *size - 1, file);
    } while (!feof(file) && !ferror(file));
    text[*size] = '\0';
    fclose(file);
    return text;
}

static void spit(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) abort();
}

static void old_content(const char *name, char text[64]) {
    snprintf(text, 64, "what was in %s before\n", name);
}

static bool ends_in(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

/* --- what a run left ---------------------------------------------------------------------------------------------- */

/* The same fields and values, but for times and memory. */
static bool json_like(json_t *a, json_t *b) {
    const char *key;
    json_t *value;
    size_t i;
    if (json_typeof(a) != json_typeof(b))
        return (json_is_real(a) && json_is_integer(b)) || (json_is_integer(a) && json_is_real(b));
    if (json_is_array(a)) {
        if (json_array_size(a) != json_array_size(b)) return false;
        json_array_foreach(a, i, value) if (!json_like(value, json_array_get(b, i))) return false;
        return true;
    }
    if (!json_is_object(a)) return json_is_real(a) || json_equal(a, b);
    if (json_object_size(a) != json_object_size(b)) return false;
    json_object_foreach(a, key, value) {
        json_t *other = json_object_get(b, key);
        if (!other || (!strstr(key, "seconds") && !strstr(key, "rss") && !json_like(value, other))) return false;
    }
    return true;
}

static bool same_json(const char *a, const char *b) {
    json_t *one = json_loads(a, 0, NULL), *two = json_loads(b, 0, NULL);
    bool like = one && two && json_like(one, two);
    json_decref(one);
    json_decref(two);
    return like;
}

/* Pages and tables show how long things took, when, and hashes of files that do. */
static bool same_but_for_numbers(const char *a, const char *b) {
    for (;; a++, b++) {
        a += strspn(a, "0123456789abcdef.+-");
        b += strspn(b, "0123456789abcdef.+-");
        if (*a != *b) return false;
        if (*a == '\0') return true;
    }
}

/* And some draw it. */
static bool same_ends(const char *a, size_t a_size, const char *b, size_t b_size) {
    const size_t ends = 64;
    if (a_size < ends || b_size < ends) return false;
    return memcmp(a, b, ends) == 0 && memcmp(a + a_size - ends, b + b_size - ends, ends) == 0;
}

static bool same_as_reference(const char *path, const char *reference, bool json) {
    size_t size, wanted;
    char *have = slurp(path, &size), *want = slurp(reference, &wanted);
    bool same = have && want;
    if (same && json)
        same = same_json(have, want);
    else if (same && ends_in(reference, ".times.html"))
        same = same_ends(have, size, want, wanted);
    else if (same && (ends_in(reference, ".html") || ends_in(reference, ".csv")))
        same = same_but_for_numbers(have, want);
    else if (same)
        same = size == wanted && memcmp(have, want, size) == 0;
    free(have);
    free(want);
    return same;
}

typedef enum content {
    ABSENT,
    OLD,
    NEW,
    NEITHER
} content;

static const char *const content_names[] = {"absent", "old", "new", "neither old nor new"};

static content look(const char *path, const char *name) {
    char old[64], reference[300];
    size_t size;
    char *have = slurp(path, &size);
    content what = NEITHER;
    old_content(name, old);
    snprintf(reference, sizeof reference, "new/%s", name);
    if (!have)
        what = ABSENT;
    else if (strcmp(have, old) == 0)
        what = OLD;
    else if (same_as_reference(path, reference, ends_in(name, ".json")))
        what = NEW;
    free(have);
    return what;
}

static bool left_over(char name[256]) {
    DIR *folder = opendir(".");
    bool found = false;
    for (struct dirent *e; !found && (e = readdir(folder));) {
        found = strncmp(e->d_name, ".ksda-", 6) == 0 || ends_in(e->d_name, ".ksda-old");
        if (found) snprintf(name, 256, "%s", e->d_name);
    }
    closedir(folder);
    return found;
}

static void clean_up(void) {
    char name[256];
    while (left_over(name)) unlink(name);
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static int split(const char *line, char *buffer, size_t size, char **word) {
    int count = 0;
    snprintf(buffer, size, "%s", line);
    for (char *at = strtok(buffer, " "); at && count < MOST_WORDS - 1; at = strtok(NULL, " ")) word[count++] = at;
    word[count] = NULL;
    return count;
}

static void redirect(const char *path, int fd) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, fd) < 0) _exit(WRONG);
    close(file);
}

/* In a process of its own. Returns what waitpid() says. */
static int run(const char *line, fault_kind kind, fault_mode mode, long at) {
    char buffer[1024], *word[MOST_WORDS], program[] = "ksda";
    int status, count;
    plan->kind = kind, plan->mode = mode, plan->at = at, plan->function[0] = '\0', plan->callers = 0;
    atomic_store(&plan->calls, 0);
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        word[0] = program;
        count = split(line, buffer, sizeof buffer, word + 1);
        redirect("stdout", STDOUT_FILENO);
        redirect("stderr", STDERR_FILENO);
        alarm(KILL_AFTER);
        faults_begin(plan);
        exit(__real_main(count + 1, word));
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

static void must(const char *line) {
    int status = run(line, FAULT_FILES, FAULT_ONCE, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    size_t size;
    char *said = slurp("stderr", &size);
    fprintf(stderr, "ksda %s: status %d\n%s", line, status, said);
    exit(1);
}

static void prepare(bool tiny) {
    must(tiny ? "convert builtin:karate -o g.edges --write-communities g.communities"
              : "convert builtin:lesmis -o g.edges --write-communities g.communities");
    must("convert g.edges -o g.edges.gz");
    must("convert g.edges -o g.csv");
    must("convert builtin:karate -o k.edges.zst --write-communities k.communities");
    must("convert builtin:karate -o k.graphml");
    must("convert builtin:karate -o k.gml");
    must("anonymize g.edges -c g.communities -k 2 -o release.edges --map release.map");
    must("sweep builtin:karate -k 2 -m flex-split,edge-connect -t 1 --no-measures --journal journal.before");
    if (mkdir("new", 0700) != 0) abort();
}

/* --- judging ------------------------------------------------------------------------------------------------------ */

typedef struct trial {
    const command *c;
    char *output[MOST_OUTPUTS + 1], names[256];
    int outputs, wanted; /* exit code without a fault */
    bool old_files;
    long at;
    fault_mode mode;
} trial;

static void complain(const trial *t, const char *what, const char *which) {
    static const char *const modes[] = {"once", "for good", "with everything after it", "killed"};
    size_t size;
    char *said = slurp("stderr", &size);
    fprintf(stderr, "%s, call %ld (%s) fails %s, %s files before: %s %s\n", t->c->name, t->at, plan->function,
            modes[t->mode], t->old_files ? "old" : "no", which, what);
    if (said) fprintf(stderr, "    %.600s\n", said);
    if (t->at) backtrace_symbols_fd(plan->caller, plan->callers, STDERR_FILENO);
    free(said);
    failures++;
}

/* Of one output that is not what it was although the command failed: is it said, and is the old one there? */
static bool is_told(const trial *t, const char *name, content now, const char *said) {
    char kept[300], line[700];
    snprintf(kept, sizeof kept, "%s.ksda-old", name);
    bool aside = look(kept, name) == OLD;
    if (t->old_files && now != OLD && !aside) return false; /* lost */
    const char *state = now == NEW ? "new" : now == ABSENT && t->old_files ? "missing" : "as before";
    if (aside)
        snprintf(line, sizeof line, "  %s: %s; the old file is %s\n", name, state, kept);
    else
        snprintf(line, sizeof line, "  %s: %s\n", name, state);
    return strstr(said, line) != NULL;
}

/* All new is in order: standard output may fail when the files are in place, and a single file is replaced at once,
 * before its folder is synced. */
static void judge_failure(const trial *t) {
    size_t size;
    char *said = slurp("stderr", &size);
    bool told = strstr(said, "this is what is there now:") != NULL, all_new = true;
    for (int i = 0; i < t->outputs; i++) all_new = all_new && look(t->output[i], t->output[i]) == NEW;
    for (int i = 0; i < t->outputs && (!all_new || (told && t->outputs > 1)); i++) {
        content now = look(t->output[i], t->output[i]);
        if (now == (t->old_files ? OLD : ABSENT) && !told) continue;
        if (now == NEITHER || !told || !is_told(t, t->output[i], now, said))
            complain(t, content_names[now], t->output[i]);
    }
    if (strncmp(said, "ksda: ", 6) != 0) complain(t, "fails without a message", "it");
    char *printed = slurp("stdout", &size);
    if (t->c->json && size > 0 && !same_json(printed, printed)) complain(t, "is no JSON", "standard output");
    free(printed);
    free(said);
}

static void judge_success(const trial *t) {
    for (int i = 0; i < t->outputs; i++) {
        content now = look(t->output[i], t->output[i]);
        if (now != NEW) complain(t, content_names[now], t->output[i]);
    }
    if (t->c->json && !same_as_reference("stdout", "new/stdout", true)) complain(t, "is not whole", "standard output");
}

/* Old files beside new ones: there must be a sign of it, and a way back. */
static void judge_mixture(const trial *t) {
    int old = 0, new = 0;
    for (int i = 0; i < t->outputs; i++) {
        char kept[300];
        snprintf(kept, sizeof kept, "%s.ksda-old", t->output[i]);
        content now = look(t->output[i], t->output[i]);
        bool aside = look(kept, t->output[i]) == OLD;
        old += now == OLD && !aside;
        new += now == NEW && !aside;
    }
    if (t->old_files && old && new) complain(t, "old files beside new ones, and the others are gone", "there are");
}

/* Killed: what is new and public has its map, and the old files are there, under one name or the other. */
static void judge_killed(const trial *t) {
    for (int i = 0; i < t->outputs; i++) {
        char kept[300];
        const char *name = t->output[i];
        content now = look(name, name);
        snprintf(kept, sizeof kept, "%s.ksda-old", name);
        if (now == NEITHER || (now == ABSENT && t->old_files && look(kept, name) != OLD))
            complain(t, content_names[now], name);
        if (now == NEW && strncmp(name, "p.", 2) == 0 && strcmp(t->output[0], "o.map") == 0 &&
            look("o.map", "o.map") != NEW)
            complain(t, "is new, its map is not", name);
    }
    judge_mixture(t);
}

static void judge(const trial *t, int status) {
    char name[256];
    bool no_unlink = strcmp(plan->function, "unlink") == 0 || t->mode == FAULT_EVERYTHING;
    if (t->mode == FAULT_KILL && WIFSIGNALED(status)) {
        judge_killed(t);
    } else if (!WIFEXITED(status)) {
        complain(t, "by a signal", "it ends");
    } else if (WEXITSTATUS(status) == t->wanted) {
        judge_success(t);
    } else if (WEXITSTATUS(status) != 1 && WEXITSTATUS(status) != 3 && WEXITSTATUS(status) != 5) {
        snprintf(name, sizeof name, "with exit code %d", WEXITSTATUS(status));
        complain(t, name, "it ends");
    } else {
        judge_failure(t);
    }
    if (t->mode != FAULT_KILL && left_over(name) && !no_unlink) {
        size_t size;
        char *said = slurp("stderr", &size);
        if (!ends_in(name, ".ksda-old") || !strstr(said, name)) complain(t, "is left over", name);
        free(said);
    }
    clean_up();
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* A journal goes on from what an earlier run left; that is never lost. */
static void put_journal(const trial *t) {
    size_t size;
    char *text = slurp("journal.before", &size);
    if (strcmp(t->c->name, "resume") == 0)
        spit("journal.jsonl", text);
    else
        unlink("journal.jsonl");
    free(text);
}

static void judge_journal(const trial *t) {
    size_t size, left;
    char *before = slurp("journal.before", &size), *after = slurp("journal.jsonl", &left);
    if (strcmp(t->c->name, "resume") == 0 && (!after || left < size || memcmp(before, after, size) != 0))
        complain(t, "has lost what was done before", "the journal");
    free(before);
    free(after);
}

static void before_run(const trial *t) {
    char old[64];
    put_journal(t);
    for (int i = 0; i < t->outputs; i++) {
        old_content(t->output[i], old);
        unlink(t->output[i]);
        if (t->old_files) spit(t->output[i], old);
    }
}

/* What it writes when nothing fails, kept in new/. */
static long first_run(trial *t, fault_kind kind) {
    char to[300];
    t->old_files = false;
    before_run(t);
    int status = run(t->c->line, kind, FAULT_ONCE, 0);
    t->wanted = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (t->wanted != 0) {
        t->at = 0;
        complain(t, "without any fault", "it fails");
    }
    for (int i = 0; i < t->outputs; i++) {
        snprintf(to, sizeof to, "new/%s", t->output[i]);
        if (rename(t->output[i], to) != 0) complain(t, "was not written", t->output[i]);
    }
    if (rename("stdout", "new/stdout") != 0) abort();
    return atomic_load(&plan->calls);
}

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ /* several times slower */
#define MEMORY_CASES 12
#define FILE_CASES 7
#else
#define MEMORY_CASES 30
#define FILE_CASES 16
#endif

static long times(void) {
    const char *text = getenv("KSDA_TEST_TIMES");
    long value = text ? atol(text) : 1;
    return value > 0 ? value : 1;
}

static void try_command(const command *c, fault_kind kind, long most) {
    trial t = {.c = c};
    t.outputs = split(c->outputs, t.names, sizeof t.names, t.output);
    long calls = first_run(&t, kind), cases = calls < most ? calls : most, done = 0;
    for (int mode = 0; mode < FAULT_MODES && t.wanted == 0; mode++) {
        if (kind == FAULT_MEMORY && mode == FAULT_KILL) continue;
        t.mode = (fault_mode)mode;
        for (long i = 0; i < cases && failures < 40; i++, done++) {
            t.at = 1 + (i * calls + (calls * mode) / (2 * FAULT_MODES)) / cases; /* other calls in each mode */
            if (t.at > calls) t.at = calls;
            t.old_files = (i + mode) % 2;
            before_run(&t);
            judge(&t, run(c->line, kind, t.mode, t.at));
            judge_journal(&t);
        }
    }
    printf("%-20s %6ld calls, %5ld runs\n", c->name, calls, done);
}

/* --- every place -------------------------------------------------------------------------------------------------- */

static bool done_before(uint64_t *done, uint64_t place) {
    uint64_t at = place % FAULT_SITES;
    while (done[at] && done[at] != place) at = (at + 1) % FAULT_SITES;
    bool known = done[at] == place;
    done[at] = place;
    return known;
}

/* Each place that this command comes by and none before it did. */
static void try_sites(const command *c, uint64_t *done) {
    trial t = {.c = c, .mode = FAULT_ONCE};
    long places = 0, fresh = 0;
    t.outputs = split(c->outputs, t.names, sizeof t.names, t.output);
    memset(plan->site, 0, sizeof plan->site);
    plan->watch = true;
    first_run(&t, FAULT_MEMORY);
    plan->watch = false;
    for (int i = 0; i < FAULT_SITES && t.wanted == 0 && failures < 40; i++) {
        if (!plan->site[i].place) continue;
        places++;
        if (done_before(done, plan->site[i].place)) continue;
        fresh++;
        t.at = plan->site[i].first, t.old_files = i % 2;
        before_run(&t);
        judge(&t, run(c->line, FAULT_MEMORY, t.mode, t.at));
        judge_journal(&t);
    }
    printf("%-20s %6ld places, %5ld of them new\n", c->name, places, fresh);
    fflush(stdout);
}

int __wrap_main(int argc, char **argv) {
    const char *base = getenv("TMPDIR");
    char folder[512], remove[600];
    fault_kind kind = argc > 1 && strcmp(argv[1], "memory") == 0 ? FAULT_MEMORY : FAULT_FILES;
    bool sites = argc > 1 && strcmp(argv[1], "sites") == 0;
    uint64_t *done = calloc(FAULT_SITES, sizeof *done);
    snprintf(folder, sizeof folder, "%s/ksda-faults-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0) return 1;
    plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (plan == MAP_FAILED || !done) return 1;
    prepare(sites);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        bool wanted = argc < 3;
        for (int j = 2; j < argc; j++) wanted = wanted || strcmp(argv[j], commands[i].name) == 0;
        if (wanted && sites)
            try_sites(&commands[i], done);
        else if (wanted)
            try_command(&commands[i], kind, (kind == FAULT_MEMORY ? MEMORY_CASES : FILE_CASES) * times());
    }
    free(done);
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    if (chdir("/") != 0 || system(remove) != 0) return 1;
    return failures ? 1 : 0;
}
