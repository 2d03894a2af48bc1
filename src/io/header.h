/* header.h: what stands at the top of a file of lines: comments, a header, how many columns, and which separator. */
#ifndef KSDA_I_HEADER_H
#define KSDA_I_HEADER_H

#include "io/fields.h"
#include "io/formats.h"

typedef enum ksda_i_header_kind {
    KSDA_I_EDGE_HEADER,     /* source and target, by whatever names */
    KSDA_I_COMMUNITY_HEADER /* vertex and community */
} ksda_i_header_kind;

/* What the caller wants to be so. */
typedef struct ksda_i_wish {
    ksda_i_header_kind kind;
    ksda_header header;
    const char *column[2]; /* names, or numbers from 1; NULL: by known words, else the first and the second */
    size_t length[2];
} ksda_i_wish;

typedef struct ksda_i_top {
    uint64_t skip;   /* lines to pass over: comments, and the one that is or may be a header */
    uint64_t header; /* the number of the line that is one; 0: none, or unsure */
    bool known;      /* by its words */
    char *words;     /* that line, where it is one by its words alone: they may still be names that occur again */
    size_t words_length;
    char *unsure; /* the last line passed over, whose ids are no numbers: a header if they do not occur again */
    size_t unsure_length;
    unsigned columns; /* of that line, or of the first one with data; 0: there is none */
    unsigned named;   /* the same without empty ones at its end */
    uint64_t says;    /* the line that says what the separator is (sep=;); 0: none */
    uint64_t tabs;    /* the first line of what is called CSV but separated by tabs; 0: it is not */
    uint64_t empty;   /* lines passed over that hold nothing but separators */
} ksda_i_top;
void ksda_i_top_clear(ksda_ctx *ctx, ksda_i_top *top);

/* Are these two names the words of a header that is known? */
bool ksda_i_edge_words(const char *one, size_t one_length, const char *two, size_t two_length);

/* The two columns whose names are known words, if there are such. */
bool ksda_i_known_columns(const ksda_i_field *field, int count, ksda_i_header_kind kind, unsigned column[2]);
/* What "A,B" wishes; NULL: nothing. KSDA_INVALID: it is not two. */
ksda_status ksda_i_wish_columns(ksda_ctx *ctx, const char *columns, ksda_i_wish *wish);

/* Look at the top of the source. A separator in the syntax becomes what a line sep=; says, and ',' becomes ';' or a
 * tab if the file uses that; its columns become those that are wanted. KSDA_PARSE: no column has the name;
 * KSDA_INVALID: a name, but no header. */
ksda_status ksda_i_find_header(ksda_ctx *ctx, ksda_i_source *source, const ksda_i_wish *wish, ksda_i_syntax *syntax,
                               ksda_i_top *top);

/* The next whole line of a window over a file, without blanks at its end; false: none. A last one that the window cuts
 * off does not count, unless the window holds everything (all). */
bool ksda_i_window_line(const char **data, size_t *size, bool all, const char **line, size_t *length);
/* What is to be told about separators and rows that were empty, the ones at the top and `further` ones. */
void ksda_i_top_note(const ksda_i_top *top, const ksda_i_syntax *syntax, uint64_t further, char *note, size_t size);
/* Is this line blank, or a comment at the top of a file? */
bool ksda_i_top_comment(const char *line, size_t length, const ksda_i_syntax *syntax);

/* Is the first line of data surely separated by commas or semicolons? By tabs, under a known header or with blanks
 * inside fields? */
bool ksda_i_sniff_csv(const char *data, size_t size);
bool ksda_i_sniff_tsv(const char *data, size_t size);

/* Lines have no vertex attributes: KSDA_UNSUPPORTED if one is asked for. Makes r empty. */
ksda_status ksda_i_no_attribute(ksda_ctx *ctx, ksda_i_source *source, const char *attribute, ksda_i_read *r);

#endif
