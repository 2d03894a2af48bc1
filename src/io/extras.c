/* Columns beyond the two ends: weights, times and other things that a list of edges may carry and that are ignored, or
 * the sign that this is another kind of file. A text there that is also the name of a vertex means an adjacency list or
 * names with blanks. Numbers say nothing by themselves, since weights look like ids; but where every line begins with
 * another vertex, and every further number of a line is a vertex whose own line holds the first one, the lines are
 * lists of neighbours. */
#include "io/extras.h"

#include "core/sort.h"
#include "io/text.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_TEXTS 256

enum {
    NUMBERS = 1,
    TIMES = 2,
    DATES = 4,
    TEXTS = 8
};

typedef struct row { /* of numbers: where they stand in numbers[] */
    uint64_t head;
    uint32_t begin, count;
} row;

typedef struct table {
    row *row;
    uint64_t *number;
    uint64_t rows, row_capacity, numbers, number_capacity;
    bool odd; /* something is no number */
} table;

void ksda_i_extras_clear(ksda_ctx *ctx, ksda_i_extras *extras) {
    ksda_i_ids_clear(ctx, &extras->text);
    ksda_i_free(ctx, extras->line);
    memset(extras, 0, sizeof *extras);
}

/* --- one field --------------------------------------------------------------------------------------------------- */

static unsigned kind_of(const ksda_i_field *f) {
    ksda_i_text t = {.at = f->text, .end = f->text + f->length};
    uint64_t whole;
    bool others = false;
    if (f->length == 0 || *f->text == '{') return 0;
    if (ksda_i_parse_number(f->text, f->length, &whole)) return f->length >= 9 ? TIMES : NUMBERS;
    if (ksda_i_text_skip_number(&t) && t.at == t.end) return NUMBERS;
    for (size_t i = 0; i < f->length; i++) others |= !memchr("0123456789-/:.TZ+", f->text[i], 17);
    return !others && *f->text >= '0' && *f->text <= '9' ? DATES : TEXTS;
}

static ksda_status keep_text(ksda_ctx *ctx, ksda_i_extras *x, const ksda_i_field *f, uint64_t line) {
    uint32_t item, known = x->text.count;
    if (known >= MOST_TEXTS) return KSDA_OK;
    ksda_status status = ksda_i_reserve(ctx, &x->line, &x->line_capacity, (uint64_t)known + 1, sizeof *x->line);
    if (status >= 0) status = ksda_i_ids_intern(ctx, &x->text, f->text, f->length, &item);
    if (status >= 0 && x->text.count > known) x->line[item] = line;
    return status;
}

static ksda_status look_at_fields(ksda_ctx *ctx, ksda_i_extras *x, const ksda_i_syntax *syntax,
                                  const ksda_i_field *field, unsigned count, uint64_t line) {
    ksda_status status = KSDA_OK;
    for (unsigned i = 0; i < count && i < KSDA_I_EXTRAS && status >= 0; i++) {
        if (i == syntax->column[0] || i == syntax->column[1]) continue;
        unsigned kind = kind_of(&field[i]);
        x->seen[i] |= kind;
        if (kind == TEXTS) status = keep_text(ctx, x, &field[i], line);
    }
    return status;
}

/* --- lists of neighbours ----------------------------------------------------------------------------------------- */

static ksda_status keep_numbers(ksda_ctx *ctx, table *t, const ksda_i_field *field, unsigned count) {
    if (t->odd) return KSDA_OK;
    ksda_status status = ksda_i_reserve(ctx, &t->row, &t->row_capacity, t->rows + 1, sizeof *t->row);
    if (status >= 0)
        status = ksda_i_reserve(ctx, &t->number, &t->number_capacity, t->numbers + count, sizeof *t->number);
    if (status < 0) return status;
    t->row[t->rows] = (row){.begin = (uint32_t)t->numbers, .count = count};
    for (unsigned i = 0; i < count && !t->odd; i++)
        t->odd = !ksda_i_parse_number(field[i].text, field[i].length, &t->number[t->numbers++]);
    t->row[t->rows].head = t->number[t->row[t->rows].begin];
    t->rows++;
    return KSDA_OK;
}

static int by_head(const void *a, const void *b) {
    const row *x = a, *y = b;
    return (x->head > y->head) - (x->head < y->head);
}

static bool row_has(const table *t, const row *r, uint64_t number) {
    for (uint32_t i = 1; i < r->count; i++)
        if (t->number[r->begin + i] == number) return true;
    return false;
}

/* all: the window holds the whole file, so that every neighbour must have a line. */
static bool are_neighbours(table *t, bool all) {
    uint64_t found = 0, entries = 0;
    if (t->odd || t->rows < 3) return false;
    ksda_i_sort_by(t->row, t->rows, sizeof *t->row, by_head);
    for (uint64_t i = 1; i < t->rows; i++)
        if (t->row[i].head == t->row[i - 1].head) return false;
    for (uint64_t i = 0; i < t->rows; i++)
        for (uint32_t j = 1; j < t->row[i].count; j++) {
            row wanted = {.head = t->number[t->row[i].begin + j]};
            const row *other = bsearch(&wanted, t->row, t->rows, sizeof *t->row, by_head);
            if (other ? !row_has(t, other, t->row[i].head) : all) return false;
            entries++;
            found += other != NULL;
        }
    return 2 * found >= entries;
}

/* As many lines as columns, and nothing but 0 and 1 in them. */
static bool is_matrix(const table *t, unsigned columns) {
    if (t->odd || t->rows != columns || columns < 3) return false;
    for (uint64_t i = 0; i < t->numbers; i++)
        if (t->number[i] > 1) return false;
    return true;
}

/* --- entries ----------------------------------------------------------------------------------------------------- */

static void name_columns(ksda_i_extras *x, const ksda_i_field *field, unsigned count) {
    for (unsigned i = 0; i < count && i < KSDA_I_EXTRAS; i++) {
        char shown[KSDA_I_SHOWN];
        if (field[i].length == 0) continue;
        ksda_i_show(field[i].text, field[i].length < 24 ? field[i].length : 24, shown);
        snprintf(x->name[i], sizeof x->name[i], " (%.*s)", (int)sizeof x->name[i] - 4, shown);
    }
}

ksda_status ksda_i_extras_look(ksda_ctx *ctx, ksda_i_source *source, const ksda_i_syntax *syntax, const ksda_i_top *top,
                               ksda_i_extras *x) {
    const char *data, *text;
    size_t size, length;
    table t = {.row = NULL};
    ksda_status status = ksda_i_source_peek(source, &data, &size);
    memset(x, 0, sizeof *x);
    ksda_i_ids_names(&x->text);
    if (status < 0 || top->columns <= 2) return status;
    x->columns = top->columns;
    x->named = top->named;
    bool all = size < 65536;
    for (uint64_t line = 1; status >= 0 && ksda_i_window_line(&data, &size, all, &text, &length); line++) {
        ksda_i_field field[KSDA_I_COLUMNS];
        ksda_i_problem ignored;
        if (ksda_i_top_comment(text, length, syntax)) continue;
        int count = ksda_i_split(syntax, text, length, field, KSDA_I_COLUMNS, &ignored);
        if (count <= 0) continue;
        if (count > KSDA_I_COLUMNS) count = KSDA_I_COLUMNS;
        if (line == top->header || (top->unsure && line == top->skip)) name_columns(x, field, (unsigned)count);
        if (line <= top->skip) continue;
        status = look_at_fields(ctx, x, syntax, field, (unsigned)count, line);
        if (status >= 0) status = keep_numbers(ctx, &t, field, (unsigned)count);
    }
    if (status >= 0 && (are_neighbours(&t, all) || is_matrix(&t, x->columns)))
        status = ksda_i_error_at(ctx, KSDA_PARSE, ksda_i_source_name(source), top->skip + 1, 1,
                                 "this looks like an adjacency %s, which is not read: write one edge a line, or METIS "
                                 "(.graph); --columns 1,2 takes two columns as they are",
                                 is_matrix(&t, x->columns) ? "matrix" : "list");
    ksda_i_free(ctx, t.row);
    ksda_i_free(ctx, t.number);
    return status;
}

ksda_status ksda_i_extras_check(ksda_ctx *ctx, ksda_i_source *source, const ksda_i_extras *x, const ksda_i_ids *names) {
    for (uint32_t i = 0; i < x->text.count && names->kind == KSDA_I_IDS_NAMES; i++) {
        const char *text = x->text.text + x->text.start[i];
        size_t length = x->text.start[i + 1] - x->text.start[i];
        char shown[KSDA_I_SHOWN];
        if (ksda_i_ids_find(names, text, length) == KSDA_NO_VERTEX) continue;
        return ksda_i_error_at(
            ctx, KSDA_PARSE, ksda_i_source_name(source), x->line[i], 1,
            "%s stands behind the two ends of an edge and is a vertex elsewhere: adjacency lists are not read (one "
            "edge "
            "a line), names with blanks need CSV or TSV; --columns 1,2 takes two columns as they are",
            ksda_i_show(text, length, shown));
    }
    return KSDA_OK;
}

static const char *looks_like(unsigned seen) {
    if (seen & TEXTS) return "text";
    if (seen & DATES) return "dates";
    if (seen & NUMBERS) return "weights";
    return seen & TIMES ? "times" : "nothing";
}

void ksda_i_extras_note(const ksda_i_extras *x, const ksda_i_syntax *syntax, char *note, size_t size) {
    unsigned more = x->columns > KSDA_I_EXTRAS ? x->columns - KSDA_I_EXTRAS : 0;
    for (unsigned i = 0; i < x->columns && i < KSDA_I_EXTRAS; i++)
        if (i != syntax->column[0] && i != syntax->column[1] && (i < x->named || x->seen[i]))
            ksda_i_note(note, size, "column %u%s is ignored (looks like %s)", i + 1, x->name[i],
                        looks_like(x->seen[i]));
    if (more && x->named > KSDA_I_EXTRAS) ksda_i_note(note, size, "%u further columns are ignored", more);
}
