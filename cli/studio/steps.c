/* From what was chosen on the page to the command line that does it. A table says which choices a step has and which
 * options they become; files must be in the folder, numbers must be numbers, and words go behind "=" so that none is
 * taken for an option. */
#include "studio.h"

#include <stdlib.h>
#include <string.h>

typedef enum choice_kind {
    CHOICE_INPUT,  /* a file of the folder, or builtin:NAME */
    CHOICE_OUTPUT, /* a name of the folder */
    CHOICE_WORD,   /* any text */
    CHOICE_NUMBER, /* a number, as text or as one */
    CHOICE_FLAG
} choice_kind;

typedef struct choice_row {
    const char *name, *option; /* option NULL: the argument */
    choice_kind kind;
    const char *ending; /* the name is that of the release, with this behind */
} choice_row;

static const choice_row network_rows[] = {{"graph", NULL, CHOICE_INPUT, NULL},
                                          {"format", "--format", CHOICE_WORD, NULL},
                                          {"header", "--header", CHOICE_WORD, NULL},
                                          {"columns", "--columns", CHOICE_WORD, NULL},
                                          {0}};
static const choice_row community_rows[] = {{"communities", "--communities", CHOICE_INPUT, NULL},
                                            {"vertex_column", "--vertex-column", CHOICE_WORD, NULL},
                                            {"community_column", "--community-column", CHOICE_WORD, NULL},
                                            {"communities_header", "--communities-header", CHOICE_WORD, NULL},
                                            {"attribute", "--community-attribute", CHOICE_WORD, NULL},
                                            {"detect", "--detect", CHOICE_WORD, NULL},
                                            {"unassigned", "--unassigned", CHOICE_WORD, NULL},
                                            {0}};
static const choice_row no_rows[] = {{0}};
static const choice_row risk_rows[] = {{"k", "-k", CHOICE_NUMBER, NULL}, {0}};
static const choice_row advice_rows[] = {{"ks", "-k", CHOICE_WORD, NULL}, {0}};
static const choice_row share_rows[] = {
    {"k", "-k", CHOICE_NUMBER, NULL}, {"shares", "--max-share", CHOICE_WORD, NULL}, {0}};
static const choice_row release_rows[] = {
    {"k", "-k", CHOICE_NUMBER, NULL},
    {"max_share", "--max-share", CHOICE_WORD, NULL},
    {"split_weight", "--split-weight", CHOICE_NUMBER, NULL},
    {"name", "--output", CHOICE_OUTPUT, ".edges"},
    {"name", "--map", CHOICE_OUTPUT, ".map"},
    {"name", "--summary", CHOICE_OUTPUT, ".summary.json"},
    {"name", "--report", CHOICE_OUTPUT, ".report.html"},
    {"publish_communities", "--publish-communities", CHOICE_OUTPUT, ".communities"},
    {"force", "--force", CHOICE_FLAG, NULL},
    {0}};

static const choice_row verify_rows[] = {{"name", NULL, CHOICE_INPUT, ".edges"},
                                         {"name", "--map", CHOICE_INPUT, ".map"},
                                         {"k", "-k", CHOICE_NUMBER, NULL},
                                         {"max_share", "--max-share", CHOICE_WORD, NULL},
                                         {0}};

static const struct {
    const char *name, *command;
    const choice_row *rows;
    int rank;               /* what is done again makes those of a higher rank void */
    bool communities;       /* needs them */
    const char *page, *own; /* a page in the scratch folder, and what only the studio asks for */
    bool lines;
    const char *option; /* that is always given; NULL: none */
    const char *then;   /* the step that follows by itself; NULL: none */
} steps[] = {
    {"load", "stats", no_rows, 0, false, NULL, "--json", false, NULL, NULL},
    {"communities", "stats", no_rows, 1, true, NULL, "--json", false, NULL, NULL},
    {"risk", "check", risk_rows, 2, true, "risk.html", "--json", false, NULL, NULL},
    {"choose", "advise", advice_rows, 3, true, NULL, "--lines", true, NULL, NULL},
    {"shares", "advise", share_rows, 4, true, NULL, "--lines", true, "--no-measures", NULL},
    {"frontier", "anonymize", risk_rows, 4, true, NULL, "--json", false, "--frontier", NULL},
    {"release", "anonymize", release_rows, 5, true, NULL, "--json", false, NULL, "verify"},
    {"verify", "verify", verify_rows, 6, true, NULL, "--json", false, NULL, NULL},
};

static int row_of(const char *step) {
    int row = (int)(sizeof steps / sizeof *steps) - 1;
    while (row >= 0 && strcmp(steps[row].name, step) != 0) row--;
    return row;
}

bool studio_step_outdates(const char *step, const char *other) {
    int row = row_of(step), later = row_of(other);
    return row >= 0 && later >= 0 && (later == row || steps[later].rank > steps[row].rank);
}

const char *studio_step_then(const char *step) {
    int row = row_of(step);
    return row < 0 ? NULL : steps[row].then;
}

static void add_word(studio_command *c, const char *word) {
    if (c->count == STUDIO_WORDS || !(c->word[c->count] = strdup(word)))
        c->failed = true;
    else
        c->count++;
}

static void add_option(studio_command *c, const char *option, const char *value) {
    char word[STUDIO_PATH];
    if (option[1] != '-') {
        add_word(c, option);
        add_word(c, value);
        return;
    }
    snprintf(word, sizeof word, "%s=%s", option, value);
    add_word(c, word);
}

static bool is_number(const char *text) {
    char *end;
    double value = strtod(text, &end);
    return end != text && *end == '\0' && value >= 0 && strspn(text, "0123456789.eE+") == strlen(text);
}

/* The choice as text, in buffer where it is a number. NULL: not chosen. */
static const char *chosen(const json_t *choice, const char *name, char *buffer, size_t size) {
    const json_t *value = json_object_get(choice, name);
    if (json_is_integer(value)) snprintf(buffer, size, "%lld", (long long)json_integer_value(value));
    if (json_is_real(value)) snprintf(buffer, size, "%.15g", json_real_value(value));
    if (json_is_number(value)) return buffer;
    if (json_is_true(value)) return "yes";
    const char *text = json_string_value(value);
    return text && *text ? text : NULL;
}

static void add_file(const studio *s, studio_command *c, const choice_row *row, const char *name, const char *text) {
    char path[STUDIO_NAME + 64];
    bool builtin = row->kind == CHOICE_INPUT && strncmp(text, "builtin:", 8) == 0 && studio_name_fits(text);
    snprintf(path, sizeof path, "%.*s%s", STUDIO_NAME, text, row->ending ? row->ending : "");
    if (row->kind == CHOICE_OUTPUT ? !studio_name_fits(path) : !builtin && !studio_file_is_there(s, path))
        snprintf(c->problem, sizeof c->problem, "%s: '%.100s' is no file of this folder", name, path);
    else if (row->option)
        add_option(c, row->option, path);
    else
        add_word(c, path);
}

static void add_rows(const studio *s, studio_command *c, const choice_row *rows, const json_t *choice) {
    for (; rows->name; rows++) {
        char buffer[64];
        const char *text = chosen(choice, rows->name, buffer, sizeof buffer);
        bool file = rows->kind == CHOICE_INPUT || rows->kind == CHOICE_OUTPUT;
        if (!text) continue;
        if (strcmp(rows->name, "publish_communities") == 0) text = chosen(choice, "name", buffer, sizeof buffer);
        if (!text || strlen(text) > STUDIO_NAME || strpbrk(text, "\n\r"))
            snprintf(c->problem, sizeof c->problem, "%s: a word of at most %d letters is expected", rows->name,
                     STUDIO_NAME);
        else if (file)
            add_file(s, c, rows, rows->name, text);
        else if (rows->kind == CHOICE_NUMBER && !is_number(text))
            snprintf(c->problem, sizeof c->problem, "%s: '%.100s' is no number", rows->name, text);
        else if (rows->kind == CHOICE_FLAG)
            add_word(c, rows->option);
        else
            add_option(c, rows->option, text);
    }
}

bool studio_command_make(const studio *s, const char *step, const json_t *choice, studio_command *out) {
    *out = (studio_command){.count = 0};
    int i = row_of(step);
    char page[STUDIO_PATH + 16];
    if (i < 0) return false;
    add_word(out, "ksda");
    add_word(out, steps[i].command);
    if (!json_is_string(json_object_get(choice, "graph")))
        snprintf(out->problem, sizeof out->problem, "no network is chosen");
    add_rows(s, out, network_rows, choice);
    if (steps[i].communities) add_rows(s, out, community_rows, choice);
    add_rows(s, out, steps[i].rows, choice);
    if (steps[i].option) add_word(out, steps[i].option);
    if (strcmp(step, "release") == 0) {
        char buffer[64];
        const char *name = chosen(choice, "name", buffer, sizeof buffer);
        if (!name) snprintf(out->problem, sizeof out->problem, "the release needs a name");
        snprintf(out->page, sizeof out->page, "%s/%.*s.report.html", s->folder, STUDIO_NAME, name ? name : "");
    }
    if (steps[i].page) {
        snprintf(out->page, sizeof out->page, "%s/%s", s->scratch, steps[i].page);
        snprintf(page, sizeof page, "--report=%s", out->page);
        add_word(out, page);
    }
    add_word(out, steps[i].own);
    add_word(out, "--progress");
    out->lines = steps[i].lines;
    return true;
}

void studio_command_clear(studio_command *c) {
    for (size_t i = 0; i < c->count; i++) free(c->word[i]);
    c->count = 0;
}

static bool own_word(const studio *s, const char *word) {
    size_t length = strlen(s->scratch);
    return strcmp(word, "--json") == 0 || strcmp(word, "--lines") == 0 || strcmp(word, "--progress") == 0 ||
           (strncmp(word, "--report=", 9) == 0 && strncmp(word + 9, s->scratch, length) == 0);
}

/* As a shell takes it: between quotes where a letter could mean something. */
static void print_quoted(FILE *out, const char *word) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++) *word == '\'' ? (void)fputs("'\\''", out) : (void)fputc(*word, out);
    fputc('\'', out);
}

char *studio_command_text(const studio *s, const studio_command *c) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    for (size_t i = 0; i < c->count; i++) {
        if (own_word(s, c->word[i])) continue;
        if (i) fputc(' ', out);
        print_quoted(out, c->word[i]);
    }
    fclose(out);
    return text;
}
