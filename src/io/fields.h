/* fields.h: lines and their fields, shared by all formats that have lines: edge lists, CSV, TSV, communities and maps.
 */
#ifndef KSDA_I_FIELDS_H
#define KSDA_I_FIELDS_H

#include "graph/ids.h"
#include "io/source.h"

#define KSDA_I_COLUMNS 256                /* of a line that can be chosen from */
#define KSDA_I_MAX_LINE ((size_t)1 << 20) /* bytes; a longer line is no line of ours */

/* How fields are told apart. */
typedef struct ksda_i_syntax {
    char separator;      /* 0: any run of blanks and tabs; else this character, once */
    bool quotes;         /* with a separator: fields may be quoted (RFC 4180) */
    const char *comment; /* a line that begins with one of these is passed over */
    unsigned column[2];  /* which fields are wanted, from 0 */
    unsigned columns;    /* that every line must have, empty fields at its end apart; 0: any number */
    unsigned named;      /* with a separator: of these the last one that the first line fills */
} ksda_i_syntax;

typedef struct ksda_i_field {
    const char *text;
    size_t length;
    bool doubled; /* a quoted field in which "" stands for " */
} ksda_i_field;

/* What is wrong with a line. */
typedef struct ksda_i_problem {
    uint64_t column; /* 1-based */
    char text[240];
} ksda_i_problem;

/* Cut a line (without its line end) into fields; the first `room` of them are stored. Returns how many there are, or
 * -1. */
int ksda_i_split(const ksda_i_syntax *syntax, const char *line, size_t length, ksda_i_field *field, unsigned room,
                 ksda_i_problem *problem);

typedef enum ksda_i_line {
    KSDA_I_LINE_BAD = -1, /* see problem */
    KSDA_I_LINE_NONE = 0, /* blank, or a comment */
    KSDA_I_LINE_PAIR,     /* there they are */
    KSDA_I_LINE_EMPTY     /* nothing but separators, as spreadsheets write rows that were cleared */
} ksda_i_line;

/* Are all of these fields empty? */
bool ksda_i_all_empty(const ksda_i_field *field, unsigned count);

/* The two wanted fields of a line. what: "an edge needs two ids". */
ksda_i_line ksda_i_two_fields(const ksda_i_syntax *syntax, const char *line, size_t length, const char *what,
                              ksda_i_field field[2], ksda_i_problem *problem);

/* May this be a name? UTF-8 without control characters, not empty. line tells the column. */
bool ksda_i_name_is_fine(const ksda_i_field *field, const char *line, ksda_i_problem *problem);

/* The field's text with doubled quotes undone; buffer has room for field->length bytes and is used only if need be. */
ksda_i_field ksda_i_plain_field(const ksda_i_field *field, char *buffer);

/* --- lines one by one, for readers that need no speed ------------------------------------------------------------- */

typedef struct ksda_i_lines {
    ksda_ctx *ctx;
    ksda_i_source *source;
    const char *next;
    size_t left;
    uint64_t number; /* of the line handed out last */
    bool ended;
} ksda_i_lines;

void ksda_i_lines_open(ksda_i_lines *lines, ksda_ctx *ctx, ksda_i_source *source);
/* The next line without its end (nor a carriage return), or *line = NULL at the end. It is valid until the next call.
 */
ksda_status ksda_i_lines_next(ksda_i_lines *lines, const char **line, size_t *length);
/* KSDA_PARSE at the present line. */
ksda_status ksda_i_lines_error(const ksda_i_lines *lines, const ksda_i_problem *problem);

#endif
