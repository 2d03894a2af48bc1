/* What `ksda help` explains besides commands. The texts are Markdown as pandoc takes it for man pages: headings,
 * paragraphs, items, definitions (a term, then ":   text"), tables and indented code. They are compiled in, so the
 * command explains them without its man pages. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

extern const char cli_text_formats[], cli_text_privacy[], cli_text_choosing_k[], cli_text_exit_codes[], cli_text_json[],
    cli_text_overlap[];

static const cli_topic topics[] = {
    {"formats", "the files that ksda reads and writes", cli_text_formats},
    {"privacy", "what a release stops, what it does not, and what must stay private", cli_text_privacy},
    {"choosing-k", "which k: what decides, and what others ask for", cli_text_choosing_k},
    {"overlap", "people in several communities, and what is guaranteed of them", cli_text_overlap},
    {"exit-codes", "what the exit codes mean", cli_text_exit_codes},
    {"json", "what holds for every --json", cli_text_json},
};

enum {
    CELLS = 8, /* columns of a table, at most */
    INDENT = 4
};

const cli_topic *cli_topic_at(size_t i) {
    return i < sizeof topics / sizeof *topics ? &topics[i] : NULL;
}

const cli_topic *cli_topic_find(const char *name) {
    const cli_topic *topic;
    for (size_t i = 0; (topic = cli_topic_at(i)); i++)
        if (strcmp(topic->name, name) == 0) return topic;
    return NULL;
}

/* Copy `length` characters without their Markdown: emphasis goes, `code` becomes 'code', \- a dash. */
static void copy_unmarked(char *to, const char *from, size_t length) {
    bool code = false;
    for (size_t i = 0; i < length; i++) {
        if (from[i] == '`') {
            code = !code;
            *to++ = '\'';
        } else if (code || (from[i] != '*' && from[i] != '\\')) {
            *to++ = from[i];
        } else if (from[i] == '\\' && i + 1 < length) {
            *to++ = from[++i];
        }
    }
    *to = '\0';
}

static const char *after_line(const char *line) {
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

static bool is_code(const char *line) {
    return strncmp(line, "    ", 4) == 0;
}

/* Where the block that begins here ends: at an empty line, or where another item or definition begins. Code goes on
 * over empty lines between its lines. */
static const char *block_end(const char *block) {
    const char *line = after_line(block);
    if (is_code(block)) {
        while (is_code(line) || (*line == '\n' && is_code(line + 1))) line = after_line(line);
        return line;
    }
    if (*block == '#') return line;
    while (*line && *line != '\n' && strncmp(line, "- ", 2) != 0 && *line != ':') line = after_line(line);
    return line;
}

/* The cells of a table's line, as pairs of begin and length without blanks around; returns how many. */
static size_t split_cells(const char *line, const char **cell, size_t *length) {
    size_t count = 0;
    for (line++; *line && *line != '\n' && count < CELLS; count++) {
        size_t whole = strcspn(line, "|\n");
        const char *next = line + whole + (line[whole] == '|');
        while (whole && *line == ' ') line++, whole--;
        while (whole && line[whole - 1] == ' ') whole--;
        cell[count] = line;
        length[count] = whole;
        line = next;
    }
    return count;
}

/* A table, its columns as wide as they must be; the line under the headings is left out. */
static void print_table(FILE *out, const char *block, const char *end, char *buffer) {
    const char *cell[CELLS];
    size_t length[CELLS], width[CELLS] = {0}, count;
    for (int pass = 0; pass < 2; pass++)
        for (const char *line = block; line < end; line = after_line(line)) {
            count = split_cells(line, cell, length);
            if (count && strncmp(cell[0], "--", 2) == 0) continue;
            if (pass) fprintf(out, "%*s", INDENT, "");
            for (size_t i = 0; i < count; i++) {
                copy_unmarked(buffer, cell[i], length[i]);
                if (strlen(buffer) > width[i]) width[i] = strlen(buffer);
                if (pass) fprintf(out, i + 1 < count ? "%-*s  " : "%-.*s\n", (int)width[i], buffer);
            }
        }
}

static void print_code(FILE *out, const char *block, const char *end) {
    for (; block < end; block = after_line(block)) {
        int length = (int)strcspn(block, "\n");
        fprintf(out, "%*s%.*s\n", length ? INDENT : 0, "", length, block);
    }
}

static void block_print(FILE *out, const char *block, const char *end, char *buffer) {
    size_t hashes = strspn(block, "#");
    if (is_code(block)) {
        print_code(out, block, end);
    } else if (*block == '|') {
        print_table(out, block, end, buffer);
    } else if (hashes) {
        copy_unmarked(buffer, block + hashes + 1, (size_t)(end - block) - hashes - 1);
        fprintf(out, "%s%s", hashes > 1 ? "  " : "", buffer);
    } else if (*block == ':' || strncmp(block, "- ", 2) == 0) {
        size_t mark = 1 + strspn(block + 1, " ");
        copy_unmarked(buffer, block + mark, (size_t)(end - block) - mark);
        fprintf(out, *block == ':' ? "        " : "    - ");
        cli_wrap(out, buffer, *block == ':' ? 8 : 6, *block == ':' ? 8 : 6);
    } else {
        copy_unmarked(buffer, block, (size_t)(end - block));
        fprintf(out, "%*s", INDENT, "");
        cli_wrap(out, buffer, INDENT, INDENT);
    }
}

/* A man page's title, NAME and SEE ALSO say nothing here. */
static const char *text_begin(const char *text) {
    const char *description = strstr(text, "# DESCRIPTION\n");
    return *text == '%' && description ? after_line(description) : text;
}

int cli_topic_print(FILE *out, const cli_topic *topic) {
    const char *block = text_begin(topic->text), *see = strstr(block, "# SEE ALSO\n");
    const char *text_end = *topic->text == '%' && see ? see : block + strlen(block);
    char *buffer = malloc(strlen(block) + 1);
    if (!buffer) {
        cli_error("out of memory");
        return CLI_FAILURE;
    }
    fprintf(out, "%s: %s\n", topic->name, topic->summary);
    for (bool apart = true; block < text_end;) {
        const char *end;
        if (*block == '\n') {
            apart = true;
            block++;
            continue;
        }
        if (apart) fputc('\n', out);
        apart = *block == '#';
        end = block_end(block);
        block_print(out, block, end, buffer);
        block = end;
    }
    free(buffer);
    return CLI_OK;
}
