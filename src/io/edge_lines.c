/* Files of edges, one a line: the fast path of loading.
 *
 * The input comes in blocks that end at line ends. A block is cut, again at line ends, into pieces of half a MiB, and
 * threads parse pieces at the same time; where the cuts are does not depend on the number of threads.
 *
 * Numbers: lines of two plain numbers are read eight bytes at a time into pairs of 32-bit ids, anything else about a
 * line (comments, odd spacing, quotes) goes through the field splitter. A piece with an id above 32 bits is parsed
 * again into pairs of 64 bits. No string is ever made. Names: at the first id that is no number everything becomes
 * names. Each piece then numbers its own names in order of appearance; the pieces are merged in file order into one
 * table, so that a vertex's number is the order of its first appearance in the file, for any number of threads. What
 * was read as numbers before is turned into names the same way. */
#include "io/edge_lines.h"

#include "core/parallel.h"
#include "graph/builder.h"
#include "graph/peers.h"
#include "io/edge_numbers.h"
#include "io/extras.h"
#include "io/parts.h"
#include "io/text.h"

#include <inttypes.h>
#include <stdio.h>

#define PIECE ((size_t)1 << 19) /* bytes of text */
#define MARGIN 64               /* the fast path reads a little ahead: not in the last bytes of a block */
#define NEEDS "an edge needs two ids"
#define NO_NAMES                                                                                                       \
    "an id that is no number: several processes that read together, and the files of a folder, know numbers only; "    \
    "`ksda` knows names, in one file"

typedef enum outcome {
    DONE,
    WANTS_WIDE,  /* an id above 32 bits */
    WANTS_NAMES, /* an id that is no number */
    BAD,         /* see problem */
    NO_MEMORY
} outcome;

typedef struct piece {
    const char *begin, *end;
    const void *pairs; /* what was made of it: ids, or numbers of names */
    uint64_t edges;
    bool wide;
    uint64_t lines; /* ended in it; before the problem, if there is one */
    uint64_t empty; /* of these nothing but separators */
    outcome outcome;
    ksda_i_problem problem;
    ksda_i_ids names; /* names: its own, in order */
    uint32_t *global; /* [names.count] their numbers in the whole file */
} piece;

/* Pairs that stand for numbers, from pieces long gone, in file order. */
typedef struct span {
    const void *pairs;
    uint64_t edges;
    bool wide;
} span;

typedef struct reader {
    ksda_ctx *ctx;
    ksda_i_source *source;
    const ksda_i_syntax *syntax;
    ksda_i_builder *builder;
    const char *block_end;
    piece *piece;
    uint64_t pieces, piece_capacity;
    span *span;
    uint64_t spans, span_capacity;
    bool by_name;
    ksda_i_ids names; /* of the vertices, once they are names */
    atomic_bool wide; /* a piece had an id above 32 bits: begin others so */
    uint64_t lines;   /* before this block */
    uint64_t edges, empty;
    const ksda_i_top *top;
    ksda_i_field first[2];      /* of the line that may be a header; the names 0 and 1, or both 0 */
    uint32_t firsts;            /* how many names they are, once there are names */
    atomic_uint_fast64_t again; /* how often they occur below */
} reader;

static bool plain_columns(const ksda_i_syntax *s) {
    return s->column[0] == 0 && s->column[1] == 1;
}

/* --- numbers ----------------------------------------------------------------------------------------------------- */

/* Any other line. */
static outcome slow_line(const reader *x, const piece *p, ksda_i_cursor *c, void *pairs, bool wide,
                         ksda_i_problem *problem) {
    const char *end = memchr(c->at, '\n', (size_t)(p->end - c->at));
    size_t length = (size_t)((end ? end : p->end) - c->at);
    ksda_i_field field[2];
    uint64_t id[2];
    ksda_i_line found = ksda_i_two_fields(x->syntax, c->at, length, NEEDS, field, problem);
    if (found == KSDA_I_LINE_BAD) return BAD;
    for (int i = 0; found == KSDA_I_LINE_PAIR && i < 2; i++) {
        if (!ksda_i_parse_number(field[i].text, field[i].length, &id[i]))
            return ksda_i_name_is_fine(&field[i], c->at, problem) ? WANTS_NAMES : BAD;
        if (!wide && id[i] > UINT32_MAX) return WANTS_WIDE;
    }
    if (found == KSDA_I_LINE_PAIR) ksda_i_store_pair(pairs, wide, c->edges++, id[0], id[1]);
    c->empty += found == KSDA_I_LINE_EMPTY;
    c->lines++;
    c->at = end ? end + 1 : p->end;
    return DONE;
}

static void parse_numbers(reader *x, piece *p, unsigned thread, bool wide) {
    size_t ahead = (size_t)(x->block_end - p->end), margin = ahead < MARGIN ? MARGIN - ahead : 0;
    const char *stop = (size_t)(p->end - p->begin) > margin ? p->end - margin : p->begin;
    char separator = x->syntax->separator ? x->syntax->separator : ' ', other = x->syntax->separator ? separator : '\t';
    unsigned extras = x->syntax->columns > 2 ? x->syntax->columns - 2 : 0;
    ksda_i_cursor c = {.at = p->begin};
    void *pairs = ksda_i_builder_room(x->builder, thread, (uint64_t)(p->end - p->begin) / 4 + 1, wide);
    p->outcome = pairs ? DONE : NO_MEMORY;
    while (p->outcome == DONE && c.at < p->end) {
        if (c.at < stop && plain_columns(x->syntax)) {
            if (wide)
                ksda_i_number_lines(&c, stop, p->end, separator, other, pairs, true, extras);
            else
                ksda_i_number_lines(&c, stop, p->end, separator, other, pairs, false, extras);
        }
        if (c.at < p->end) p->outcome = slow_line(x, p, &c, pairs, wide, &p->problem);
    }
    p->lines = c.lines;
    p->empty = c.empty;
    p->pairs = pairs;
    p->edges = c.edges;
    p->wide = wide;
    if (p->outcome == DONE) ksda_i_builder_commit(x->builder, thread, c.edges);
}

static void numbers_task(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    reader *x = data;
    for (uint64_t k = begin; k < end && !ksda_i_cancelled(x->ctx); k++) {
        piece *p = &x->piece[k];
        parse_numbers(x, p, thread, atomic_load_explicit(&x->wide, memory_order_relaxed));
        if (p->outcome == WANTS_WIDE) {
            atomic_store_explicit(&x->wide, true, memory_order_relaxed);
            parse_numbers(x, p, thread, true);
        }
        ksda_i_source_forget(x->source, p->begin, (size_t)(p->end - p->begin));
    }
}

/* --- names ------------------------------------------------------------------------------------------------------- */

/* A name is looked at when it comes up for the first time: afterwards it is known to be fine. */
static outcome intern(const reader *x, piece *p, const ksda_i_field *field, const char *line, char *buffer,
                      uint32_t *item) {
    uint64_t number;
    uint32_t known = p->names.count;
    ksda_i_field plain = ksda_i_plain_field(field, buffer);
    if (ksda_i_ids_intern(x->ctx, &p->names, plain.text, plain.length, item) < 0) return NO_MEMORY;
    if (*item != known || ksda_i_parse_number(field->text, field->length, &number)) return DONE;
    return ksda_i_name_is_fine(field, line, &p->problem) ? DONE : BAD;
}

static outcome name_lines(const reader *x, piece *p, uint32_t *pairs, char *buffer) {
    outcome result = DONE;
    for (const char *line = p->begin, *end; line < p->end && result == DONE; line = end + 1) {
        ksda_i_field field[2];
        end = memchr(line, '\n', (size_t)(p->end - line));
        if (!end) end = p->end;
        ksda_i_line found = ksda_i_two_fields(x->syntax, line, (size_t)(end - line), NEEDS, field, &p->problem);
        if (found == KSDA_I_LINE_BAD) return BAD;
        for (int i = 0; found == KSDA_I_LINE_PAIR && i < 2 && result == DONE; i++)
            result = intern(x, p, &field[i], line, buffer, &pairs[2 * p->edges + (unsigned)i]);
        p->edges += found == KSDA_I_LINE_PAIR && result == DONE;
        p->empty += found == KSDA_I_LINE_EMPTY;
        p->lines += result == DONE;
    }
    return result;
}

/* The names of what was read as numbers: the same ids, spelled out. */
static outcome name_numbers(const reader *x, piece *p, const span *s, uint32_t *pairs) {
    for (uint64_t i = 0; i < 2 * s->edges; i++) {
        uint64_t id = s->wide ? ((const uint64_t *)s->pairs)[i] : ((const uint32_t *)s->pairs)[i];
        char text[24];
        int length = snprintf(text, sizeof text, "%" PRIu64, id);
        if (ksda_i_ids_intern(x->ctx, &p->names, text, (size_t)length, &pairs[i]) < 0) return NO_MEMORY;
    }
    p->edges = s->edges;
    return DONE;
}

static void names_task(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    reader *x = data;
    for (uint64_t k = begin; k < end && !ksda_i_cancelled(x->ctx); k++) {
        piece *p = &x->piece[k];
        const span *s = x->spans ? &x->span[k] : NULL; /* spans: pieces stand for them, not for text */
        uint64_t most = s ? s->edges : (uint64_t)(p->end - p->begin) / 4 + 1;
        uint32_t *pairs = ksda_i_builder_room(x->builder, thread, most, false);
        char *buffer = ksda_i_malloc(x->ctx, x->syntax->separator ? KSDA_I_MAX_LINE : 1, 1); /* for quoted fields */
        ksda_i_ids_names(&p->names);
        p->edges = p->lines = p->empty = 0;
        p->outcome = !pairs || !buffer ? NO_MEMORY : s ? name_numbers(x, p, s, pairs) : name_lines(x, p, pairs, buffer);
        p->pairs = pairs;
        if (p->outcome == DONE) ksda_i_builder_commit(x->builder, thread, p->edges);
        ksda_i_free(x->ctx, buffer);
        if (!s) ksda_i_source_forget(x->source, p->begin, (size_t)(p->end - p->begin));
    }
}

static void translate_task(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    reader *x = data;
    (void)thread;
    for (uint64_t k = begin; k < end; k++) {
        uint32_t *pairs = (uint32_t *)x->piece[k].pairs;
        uint64_t again = 0;
        for (uint64_t i = 0; i < 2 * x->piece[k].edges; i++) {
            pairs[i] = x->piece[k].global[pairs[i]];
            again += pairs[i] < x->firsts;
        }
        if (again) atomic_fetch_add_explicit(&x->again, again, memory_order_relaxed);
    }
}

/* Give the names of a piece their numbers in the whole file. */
static ksda_status merge_names(reader *x, piece *p) {
    p->global = ksda_i_malloc(x->ctx, p->names.count, sizeof *p->global);
    if (!p->global) return KSDA_NOMEM;
    for (uint32_t i = 0; i < p->names.count; i++) {
        const char *text = p->names.text + p->names.start[i];
        ksda_status status =
            ksda_i_ids_intern(x->ctx, &x->names, text, p->names.start[i + 1] - p->names.start[i], &p->global[i]);
        if (status < 0) return status;
    }
    return KSDA_OK;
}

static void clear_names(reader *x) {
    for (uint64_t k = 0; k < x->pieces; k++) {
        ksda_i_ids_clear(x->ctx, &x->piece[k].names);
        ksda_i_free(x->ctx, x->piece[k].global);
        x->piece[k].global = NULL;
    }
}

/* --- blocks ------------------------------------------------------------------------------------------------------ */

static ksda_status add_piece(reader *x, const char *begin, const char *end) {
    ksda_status status = ksda_i_reserve(x->ctx, &x->piece, &x->piece_capacity, x->pieces + 1, sizeof *x->piece);
    if (status < 0) return status;
    piece *p = &x->piece[x->pieces++];
    memset(p, 0, sizeof *p);
    p->begin = begin;
    p->end = end;
    return KSDA_OK;
}

static ksda_status cut_pieces(reader *x, const char *data, size_t size) {
    const char *end = data + size;
    x->pieces = 0;
    x->block_end = end;
    while (data < end) {
        const char *stop =
            (size_t)(end - data) <= PIECE ? NULL : memchr(data + PIECE, '\n', (size_t)(end - data) - PIECE);
        stop = stop ? stop + 1 : end;
        ksda_status status = add_piece(x, data, stop);
        if (status < 0) return status;
        data = stop;
    }
    return KSDA_OK;
}

/* The first piece that did not work out, in file order, or NULL. */
static piece *first_trouble(reader *x) {
    for (uint64_t k = 0; k < x->pieces; k++)
        if (x->piece[k].outcome != DONE) return &x->piece[k];
    return NULL;
}

static ksda_status report_problem(reader *x, const piece *p) {
    uint64_t line = x->lines + 1;
    if (p->outcome == NO_MEMORY) return ksda_ctx_error(x->ctx)->status;
    for (const piece *before = x->piece; before < p; before++) line += before->lines;
    return ksda_i_error_at(x->ctx, KSDA_PARSE, ksda_i_source_name(x->source), line + p->lines, p->problem.column, "%s",
                           p->problem.text);
}

/* Run the pieces as names and join them to the table. */
static ksda_status run_names(reader *x) {
    ksda_status status = KSDA_OK;
    ksda_i_parallel(x->ctx, x->pieces, 1, names_task, x);
    KSDA_I_TRY(ksda_i_interrupted(x->ctx));
    const piece *trouble = first_trouble(x);
    if (trouble) KSDA_I_TRY(report_problem(x, trouble));
    for (uint64_t k = 0; k < x->pieces; k++) KSDA_I_TRY(merge_names(x, &x->piece[k]));
    ksda_i_parallel(x->ctx, x->pieces, 1, translate_task, x);
done:
    clear_names(x);
    return status;
}

/* The names of the line that may be a header come first, as they do in the file. */
static ksda_status name_first(reader *x) {
    ksda_status status = KSDA_OK;
    for (int i = 0; x->first[i % 2].text && i < 2 && status >= 0; i++) {
        uint32_t item;
        char *buffer = ksda_i_malloc(x->ctx, x->first[i].length, 1);
        if (!buffer) return KSDA_NOMEM;
        ksda_i_field plain = ksda_i_plain_field(&x->first[i], buffer);
        status = ksda_i_ids_intern(x->ctx, &x->names, plain.text, plain.length, &item);
        ksda_i_free(x->ctx, buffer);
    }
    x->firsts = x->names.count;
    return status;
}

/* Everything so far was numbers: start a new builder with the same edges between names. */
static ksda_status switch_to_names(reader *x) {
    ksda_status status = KSDA_OK;
    ksda_i_builder *numbers = x->builder;
    x->builder = NULL;
    x->by_name = true;
    x->pieces = 0;
    KSDA_I_TRY(ksda_i_builder_new(x->ctx, x->ctx->threads, &x->builder));
    KSDA_I_TRY(name_first(x));
    for (uint64_t k = 0; k < x->spans; k++) KSDA_I_TRY(add_piece(x, NULL, NULL));
    KSDA_I_TRY(run_names(x));
    x->spans = 0;
done:
    ksda_i_builder_free(x->ctx, numbers);
    return status;
}

/* Several processes that read together, and several files, have no table of names. */
static bool knows_no_names(const reader *x) {
    return x->ctx->peers || x->ctx->gathering;
}

static void refuse_names(piece *p) {
    p->outcome = BAD;
    p->problem = (ksda_i_problem){.column = 0};
    snprintf(p->problem.text, sizeof p->problem.text, "%s", NO_NAMES);
}

static ksda_status run_numbers(reader *x) {
    ksda_i_parallel(x->ctx, x->pieces, 1, numbers_task, x);
    ksda_status status = ksda_i_interrupted(x->ctx);
    piece *trouble = first_trouble(x);
    if (trouble && trouble->outcome == WANTS_NAMES && knows_no_names(x)) refuse_names(trouble);
    if (status >= 0 && trouble && trouble->outcome != WANTS_NAMES) status = report_problem(x, trouble);
    if (status < 0 || trouble) return status;
    status = ksda_i_reserve(x->ctx, &x->span, &x->span_capacity, x->spans + x->pieces, sizeof *x->span);
    for (uint64_t k = 0; status >= 0 && k < x->pieces; k++)
        x->span[x->spans++] = (span){x->piece[k].pairs, x->piece[k].edges, x->piece[k].wide};
    return status;
}

static ksda_status read_block(reader *x, const char *data, size_t size) {
    ksda_status status = KSDA_OK;
    KSDA_I_TRY(cut_pieces(x, data, size));
    if (!x->by_name) KSDA_I_TRY(run_numbers(x));
    if (!x->by_name && first_trouble(x)) { /* a name: the whole block again */
        KSDA_I_TRY(switch_to_names(x));
        KSDA_I_TRY(cut_pieces(x, data, size));
    }
    if (x->by_name) KSDA_I_TRY(run_names(x));
    for (uint64_t k = 0; k < x->pieces; k++) {
        x->lines += x->piece[k].lines;
        x->edges += x->piece[k].edges;
        x->empty += x->piece[k].empty;
    }
done:
    return status;
}

static void pass_over(const char **data, size_t *size, uint64_t lines) {
    for (; lines > 0 && *size > 0; lines--) {
        const char *end = memchr(*data, '\n', *size);
        size_t whole = end ? (size_t)(end - *data) + 1 : *size;
        *data += whole;
        *size -= whole;
    }
}

static ksda_status read_all(reader *x, uint64_t skip) {
    for (;;) {
        const char *data;
        size_t size;
        uint64_t done, total;
        ksda_status status = ksda_i_source_block(x->source, &data, &size);
        if (status < 0) return status;
        if (size == 0) break;
        if (x->lines == 0 && skip) {
            pass_over(&data, &size, skip);
            x->lines = skip;
        }
        status = read_block(x, data, size);
        ksda_i_source_position(x->source, &done, &total);
        if (status >= 0) status = ksda_i_progress(x->ctx, "reading", done, total);
        if (status < 0) return status;
    }
    return KSDA_OK;
}

/* --- the line that may be a header -------------------------------------------------------------------------------- */

static ksda_status split_first(reader *x) {
    ksda_i_problem problem;
    if (!x->top->unsure) return KSDA_OK;
    ksda_i_line found = ksda_i_two_fields(x->syntax, x->top->unsure, x->top->unsure_length, NEEDS, x->first, &problem);
    if (found == KSDA_I_LINE_PAIR) return KSDA_OK;
    return ksda_i_error_at(x->ctx, KSDA_PARSE, ksda_i_source_name(x->source), x->top->skip, problem.column, "%s",
                           problem.text);
}

/* It is an edge after all. */
static ksda_status add_first(reader *x) {
    ksda_status status = KSDA_OK;
    if (knows_no_names(x))
        return ksda_i_error_at(x->ctx, KSDA_PARSE, ksda_i_source_name(x->source), x->top->skip, 0, "%s", NO_NAMES);
    if (!x->by_name) status = switch_to_names(x);
    if (status >= 0) status = ksda_i_builder_edge(x->builder, 0, 0, x->firsts - 1);
    x->edges++;
    x->firsts = 0;
    return status;
}

/* Its two fields, ended by NUL: the reader of communities may find them to be vertices. */
static ksda_status keep_header(reader *x, ksda_i_read *r) {
    size_t room = x->first[0].length + x->first[1].length + 2;
    char *at = r->header = ksda_i_malloc(x->ctx, room, 1);
    if (!at) return KSDA_NOMEM;
    for (int i = 0; i < 2; i++) {
        ksda_i_field plain = ksda_i_plain_field(&x->first[i], at);
        memmove(at, plain.text, plain.length);
        at[plain.length] = '\0';
        at += plain.length + 1;
    }
    return KSDA_OK;
}

/* Lines of numbers below it, or names that do not occur again: a header. But where blanks separate the fields (such
 * lists have none as a rule, and are written without) names stay an edge. */
static ksda_status judge_first(reader *x, ksda_i_read *r) {
    char one[KSDA_I_SHOWN], two[KSDA_I_SHOWN];
    bool alone = x->edges == 0, again = x->by_name && atomic_load(&x->again) > 0;
    bool header = !alone && !again && (!x->by_name || x->syntax->separator);
    r->reading.header = header ? x->top->skip : x->top->header;
    if (!x->top->unsure) return KSDA_OK;
    if (!again) {
        r->reading.assumed = 1;
        ksda_i_note(r->reading.note, sizeof r->reading.note, "line %llu (%s, %s) is taken for %s: %s; --header %s",
                    (unsigned long long)x->top->skip, ksda_i_show(x->first[0].text, x->first[0].length, one),
                    ksda_i_show(x->first[1].text, x->first[1].length, two), header ? "a header" : "an edge",
                    alone        ? "there is no other"
                    : x->by_name ? "neither occurs again"
                                 : "all others are numbers",
                    header ? "no if it is an edge" : "yes if it is a header");
    }
    return header ? keep_header(x, r) : add_first(x);
}

/* Known words above names: a header, unless both of them are vertices below. (Then they come in the order in which they
 * are found there.) */
static ksda_status judge_known(reader *x, ksda_i_read *r) {
    char one[KSDA_I_SHOWN], two[KSDA_I_SHOWN];
    ksda_i_field word[2];
    ksda_i_problem ignored;
    uint32_t vertex[2];
    if (!x->by_name || !x->top->words) return KSDA_OK;
    if (ksda_i_two_fields(x->syntax, x->top->words, x->top->words_length, NEEDS, word, &ignored) != KSDA_I_LINE_PAIR)
        return KSDA_OK;
    for (int i = 0; i < 2; i++) vertex[i] = ksda_i_ids_find(&x->names, word[i].text, word[i].length);
    bool edge = vertex[0] != KSDA_NO_VERTEX && vertex[1] != KSDA_NO_VERTEX;
    if (!edge && vertex[0] == vertex[1]) return KSDA_OK;
    r->reading.assumed = 1;
    r->reading.header = edge ? 0 : x->top->header;
    ksda_i_note(r->reading.note, sizeof r->reading.note, "line %llu (%s, %s) is taken for %s: %s below; --header %s",
                (unsigned long long)x->top->header, ksda_i_show(word[0].text, word[0].length, one),
                ksda_i_show(word[1].text, word[1].length, two), edge ? "an edge" : "a header",
                edge ? "both are vertices" : "only one is a vertex",
                edge ? "yes if it is a header" : "no if it is an edge");
    x->edges += edge;
    return edge ? ksda_i_builder_edge(x->builder, 0, vertex[0], vertex[1]) : KSDA_OK;
}

/* --- entry -------------------------------------------------------------------------------------------------------- */

static ksda_status make_graph(reader *x, ksda_i_read *r) {
    ksda_status status = KSDA_OK;
    if (x->ctx->gathering && !x->ctx->gathering->last) {
        x->ctx->gathering->builder = x->builder;
        x->builder = NULL;
        return KSDA_OK;
    }
    uint32_t drop = x->by_name && r->reading.header && x->top->unsure ? x->firsts : 0;
    if (x->by_name) KSDA_I_TRY(ksda_i_ids_drop(x->ctx, &x->names, drop));
    if (x->by_name) ksda_i_builder_declare(x->builder, drop, x->names.count);
    status = ksda_i_builder_finish(x->builder, x->by_name ? &x->names : NULL, &r->graph);
    x->builder = NULL;
done:
    return status;
}

/* The lines of this process, where there are several: it begins at a line that is not the file's first. */
static ksda_status read_share(reader *x) {
    const ksda_i_peers *all = x->ctx->peers;
    ksda_status status = ksda_i_source_share(x->source, x->top->skip, all->rank, all->count);
    if (all->rank == 0) x->lines = x->top->skip;
    return status < 0 ? status : read_all(x, 0);
}

/* How the others fared, and what all of them have read. */
static ksda_status agree_with_peers(reader *x, ksda_status status) {
    uint64_t sum[2] = {x->edges, x->empty};
    status = x->ctx->peers->agree(x->ctx, status, x->lines);
    if (status >= 0) x->ctx->peers->reduce(KSDA_I_REDUCE_SUM, sum, 2);
    x->edges = sum[0], x->empty = sum[1];
    return status;
}

static ksda_status read_lines(reader *x) {
    ksda_status status;
    KSDA_I_TRY(split_first(x));
    KSDA_I_TRY(ksda_i_gathering_builder(x->ctx, &x->builder));
    KSDA_I_TRY(x->ctx->peers ? read_share(x) : read_all(x, x->top->skip));
done:
    return status;
}

static ksda_status make_of_edges(reader *x, ksda_i_extras *extras, ksda_i_read *r) {
    ksda_status status;
    KSDA_I_TRY(judge_first(x, r));
    KSDA_I_TRY(judge_known(x, r));
    if (x->edges == 0)
        KSDA_I_TRY(ksda_i_error_at(x->ctx, KSDA_PARSE, ksda_i_source_name(x->source), 0, 0, "no edges in this file"));
    KSDA_I_TRY(ksda_i_extras_check(x->ctx, x->source, extras, &x->names));
    ksda_i_top_note(x->top, x->syntax, x->empty, r->reading.note, sizeof r->reading.note);
    ksda_i_extras_note(extras, x->syntax, r->reading.note, sizeof r->reading.note);
    KSDA_I_TRY(make_graph(x, r));
done:
    return status;
}

/* The top of the file, and its lines. */
static ksda_status look_and_read(reader *x, const ksda_load_options *options, ksda_i_syntax *syntax, ksda_i_top *top,
                                 ksda_i_extras *extras, ksda_i_read *r) {
    ksda_i_wish wish = {.kind = KSDA_I_EDGE_HEADER, .header = options->header};
    ksda_status status;
    KSDA_I_TRY(ksda_i_no_attribute(x->ctx, x->source, options->attribute, r));
    KSDA_I_TRY(ksda_i_wish_columns(x->ctx, options->columns, &wish));
    KSDA_I_TRY(ksda_i_find_header(x->ctx, x->source, &wish, syntax, top));
    if (!options->columns) { /* a user who names two columns knows what the others are */
        KSDA_I_TRY(ksda_i_extras_look(x->ctx, x->source, syntax, top, extras));
        syntax->columns = top->columns;
        syntax->named = top->named;
    }
    r->reading.columns = top->columns;
    for (int i = 0; i < 2; i++) r->reading.column[i] = syntax->column[i] + 1;
    KSDA_I_TRY(read_lines(x));
done:
    return status;
}

ksda_status ksda_i_read_edge_lines(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options,
                                   ksda_i_syntax *syntax, ksda_i_read *r) {
    ksda_i_top top = {.skip = 0};
    ksda_i_extras extras = {.columns = 0};
    reader x = {.ctx = ctx, .source = source, .syntax = syntax, .top = &top};
    atomic_init(&x.wide, false);
    atomic_init(&x.again, 0);
    ksda_i_ids_names(&x.names);
    ksda_status status = look_and_read(&x, options, syntax, &top, &extras, r);
    if (ctx->peers) status = agree_with_peers(&x, status);
    if (status >= 0) status = make_of_edges(&x, &extras, r);
    ksda_i_builder_free(ctx, x.builder);
    ksda_i_ids_clear(ctx, &x.names);
    ksda_i_free(ctx, x.piece);
    ksda_i_free(ctx, x.span);
    ksda_i_extras_clear(ctx, &extras);
    ksda_i_top_clear(ctx, &top);
    if (status < 0) ksda_i_read_clear(ctx, r);
    return status;
}
