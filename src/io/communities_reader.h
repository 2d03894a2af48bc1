/* communities_reader.h: what reading a communities file keeps in mind, for the files that do it: communities_file.c
 * reads lines, communities_layout.c finds out what they are. */
#ifndef KSDA_I_COMMUNITIES_READER_H
#define KSDA_I_COMMUNITIES_READER_H

#include "io/communities_file.h"
#include "io/header.h"
#include "io/parts.h"
#include "io/text.h"

typedef struct ksda_i_communities_reader {
    ksda_ctx *ctx;
    const ksda_load_options *options;
    ksda_i_lines lines;
    const char *where;         /* the file that is read now, */
    const ksda_i_parts *parts; /* which may be one of several */
    const ksda_graph *graph;
    bool closed;
    ksda_i_syntax syntax;
    ksda_i_top top;
    ksda_i_membership *m;
    ksda_i_field *field; /* of a line */
    uint64_t field_capacity;
    char *buffer;         /* [KSDA_I_MAX_LINE] for quoted names */
    bool held, again;     /* the first line may be a header: vertex 0 of extra in community 0; they occur below */
    uint64_t read;        /* lines with data */
    uint64_t empty;       /* with nothing but separators */
    ksda_i_ids conflicts; /* vertices in two communities */
    ksda_error conflict;  /* the first one: its place */
    char conflict_text[640];
} ksda_i_communities_reader;

/* An error at the line that is read. KSDA_PARSE */
ksda_status ksda_i_communities_refuse(const ksda_i_communities_reader *x, uint64_t column, const char *what);

/* The fields of a line, into x->field. */
ksda_status ksda_i_communities_split(ksda_i_communities_reader *x, const char *line, size_t length, int *count);

/* Tabs or ;;; behind the last column. */
void ksda_i_communities_drop_empty(const ksda_i_communities_reader *x, unsigned columns, int *count);

/* Lists of members, or a vertex and its community a line? *skip: the lines to pass over. */
ksda_status ksda_i_communities_layout(ksda_i_communities_reader *x, ksda_i_source *source, bool *lists, uint64_t *skip);

/* Which of several columns was taken, unasked, because it is called so. */
ksda_status ksda_i_communities_tell_column(ksda_i_communities_reader *x, ksda_i_source *source, ksda_reading *reading);

#endif
