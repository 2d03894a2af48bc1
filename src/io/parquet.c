/* Parquet: a table of edges, of which two columns are the ends. Whole numbers and text are read, flat, with or without
 * nulls, plain, from a dictionary or as deltas, packed with zstd, gzip or snappy, or not. Everything else is refused by
 * name. Where both columns are numbers and none is negative, row groups are read on all threads; else by name, in
 * order. Written as the columns source and target. */
#include "io/parquet.h"

#include "core/parallel.h"
#include "graph/builder.h"
#include "io/extras.h"
#include "io/items.h"
#include "io/nodes.h"
#include "io/parquet_page.h"

#include <inttypes.h>
#include <stdio.h>

#define SOME_ROWS 16384                 /* handed on at once */
#define ROWS_SOON (KSDA_I_IDS_SOON / 2) /* whose names are looked up together */

typedef struct table {
    ksda_ctx *ctx;
    ksda_i_parquet file;
    const ksda_i_parquet_column *column[2];
} table;

bool ksda_i_sniff_parquet(const char *data, size_t size) {
    return size >= 4 && (memcmp(data, KSDA_I_PARQUET_MAGIC, 4) == 0 || memcmp(data, "PARE", 4) == 0);
}

/* --- which columns ----------------------------------------------------------------------------------------------- */

static ksda_status no_column(const table *t, const char *wanted, size_t length) {
    char list[320] = "", shown[KSDA_I_SHOWN];
    size_t used = 0;
    for (uint32_t i = 0; i < t->file.columns && used + KSDA_I_SHOWN + 4 < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 ksda_i_show(t->file.column[i].name, t->file.column[i].length, shown));
    if (!wanted)
        return ksda_i_error_at(t->ctx, KSDA_PARSE, t->file.name, 0, 0,
                               "%u columns, and nobody says which two to take: --columns or --community-column does "
                               "(there are %s)",
                               t->file.columns, list);
    return ksda_i_error_at(t->ctx, KSDA_PARSE, t->file.name, 0, 0, "no column is called %s (there are %s)",
                           ksda_i_show(wanted, length, shown), list);
}

/* By name, else by number from 1. */
static ksda_status find_column(const table *t, const char *wanted, size_t length, unsigned *column) {
    uint64_t number;
    for (uint32_t i = 0; i < t->file.columns; i++)
        if (t->file.column[i].length == length && memcmp(t->file.column[i].name, wanted, length) == 0) {
            *column = i;
            return KSDA_OK;
        }
    if (!ksda_i_parse_number(wanted, length, &number) || number < 1 || number > t->file.columns)
        return no_column(t, wanted, length);
    *column = (unsigned)number - 1;
    return KSDA_OK;
}

/* The first two that can be read; of communities, where there are two columns. */
static ksda_status guess_columns(const table *t, ksda_i_header_kind kind, unsigned column[2]) {
    unsigned found = 0;
    for (uint32_t i = 0; i < t->file.columns && found < 2; i++)
        if (!t->file.column[i].other) column[found++] = i;
    if (found < 2 && t->file.columns >= 2) column[0] = 0, column[1] = 1; /* told what they are */
    if (t->file.columns < 2 || (kind == KSDA_I_COMMUNITY_HEADER && t->file.columns > 2)) return no_column(t, NULL, 0);
    return KSDA_OK;
}

static ksda_status choose_columns(table *t, const ksda_i_wish *wish, unsigned column[2], const char **why) {
    ksda_i_field field[KSDA_I_COLUMNS];
    ksda_status status = KSDA_OK;
    uint32_t count = t->file.columns < KSDA_I_COLUMNS ? t->file.columns : KSDA_I_COLUMNS;
    for (uint32_t i = 0; i < count; i++)
        field[i] = (ksda_i_field){t->file.column[i].name, t->file.column[i].length, false};
    bool known = ksda_i_known_columns(field, (int)count, wish->kind, column);
    *why = known ? "by their names" : "the first ones";
    if ((wish->column[0] && wish->column[1]) || (known && count == 2)) *why = NULL; /* nothing was guessed */
    if (!known && wish->column[1])
        column[0] = 0; /* only the community was named */
    else if (!known)
        KSDA_I_TRY(guess_columns(t, wish->kind, column));
    for (int i = 0; i < 2; i++)
        if (wish->column[i]) KSDA_I_TRY(find_column(t, wish->column[i], wish->length[i], &column[i]));
done:
    return status;
}

static ksda_status check_columns(const table *t) {
    char shown[KSDA_I_SHOWN];
    for (int i = 0; i < 2; i++)
        if (t->column[i]->other)
            return ksda_i_error_at(t->ctx, KSDA_UNSUPPORTED, t->file.name, 0, 0,
                                   "column %s holds %s; only whole numbers and text are read: cast it (to BIGINT or "
                                   "VARCHAR), or choose another column",
                                   ksda_i_show(t->column[i]->name, t->column[i]->length, shown), t->column[i]->other);
    return KSDA_OK;
}

static ksda_status open_table(table *t, ksda_i_source *source, const ksda_i_wish *wish, ksda_reading *reading) {
    ksda_status status;
    unsigned column[2];
    const char *why;
    char one[KSDA_I_SHOWN], two[KSDA_I_SHOWN];
    KSDA_I_TRY(ksda_i_parquet_open(t->ctx, source, &t->file));
    KSDA_I_TRY(choose_columns(t, wish, column, &why));
    reading->columns = t->file.columns;
    for (int i = 0; i < 2; i++) {
        t->column[i] = &t->file.column[column[i]];
        reading->column[i] = column[i] + 1;
    }
    KSDA_I_TRY(check_columns(t));
    if (why)
        ksda_i_note(reading->note, sizeof reading->note, "%s taken from columns %u and %u of %u, %s and %s, %s; %s",
                    wish->kind == KSDA_I_EDGE_HEADER ? "the ends of edges are" : "vertices and communities are",
                    column[0] + 1, column[1] + 1, t->file.columns,
                    ksda_i_show(t->column[0]->name, t->column[0]->length, one),
                    ksda_i_show(t->column[1]->name, t->column[1]->length, two), why,
                    wish->kind == KSDA_I_EDGE_HEADER ? "--columns takes others"
                                                     : "--vertex-column and --community-column take others");
done:
    return status;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

/* Both columns of a row group, side by side. */
typedef struct pair_cursor {
    ksda_i_parquet_cursor side[2];
    uint64_t used[2]; /* rows of the page that were handed out */
    uint32_t group;
} pair_cursor;

static ksda_status start_pair(const table *t, uint32_t group, pair_cursor *c) {
    ksda_status status = KSDA_OK;
    c->group = group;
    for (int i = 0; i < 2 && status >= 0; i++) {
        status = ksda_i_parquet_start(&t->file, t->column[i], group, &c->side[i]);
        c->used[i] = c->side[i].rows;
    }
    return status;
}

/* How many rows both sides have ready, behind those used; 0 at the end. */
static ksda_status some_rows(pair_cursor *c, uint64_t *rows) {
    ksda_status status = KSDA_OK;
    *rows = UINT64_MAX;
    for (int i = 0; i < 2; i++) {
        if (c->used[i] == c->side[i].rows) {
            c->used[i] = 0;
            KSDA_I_TRY(ksda_i_parquet_next(&c->side[i]));
        }
        uint64_t left = c->side[i].rows - c->used[i];
        if (left < *rows) *rows = left;
    }
done:
    return status;
}

static void stop_pair(ksda_ctx *ctx, pair_cursor *c) {
    for (int i = 0; i < 2; i++) ksda_i_parquet_stop(ctx, &c->side[i]);
}

static ksda_status null_end(const table *t, int side, uint64_t row) {
    char shown[KSDA_I_SHOWN];
    return ksda_i_error_at(t->ctx, KSDA_PARSE, t->file.name, 0, 0,
                           "row %" PRIu64 " has no value in column %s: an edge needs two ends; leave such rows out",
                           row, ksda_i_show(t->column[side]->name, t->column[side]->length, shown));
}

/* --- edges between numbers --------------------------------------------------------------------------------------- */

typedef enum outcome {
    DONE,
    FAILED,
    WANTS_NAMES /* a negative number */
} outcome;

typedef struct numbers {
    table *t;
    ksda_i_builder *builder;
    outcome *outcome; /* [groups] */
} numbers;

static bool has_null(const pair_cursor *c, uint64_t rows, int *side, uint64_t *row) {
    for (*side = 0; *side < 2; ++*side)
        for (*row = 0; c->side[*side].null && *row < rows; ++*row)
            if (c->side[*side].null[c->used[*side] + *row]) return true;
    return false;
}

static outcome keep_rows(numbers *x, const pair_cursor *c, uint64_t rows, unsigned lane) {
    const uint64_t *one = c->side[0].number + c->used[0], *two = c->side[1].number + c->used[1];
    uint64_t bits[2] = {0, 0};
    for (uint64_t i = 0; i < rows; i++) bits[0] |= one[i], bits[1] |= two[i];
    for (int i = 0; i < 2; i++)
        if (bits[i] > INT64_MAX && !x->t->column[i]->is_unsigned) return WANTS_NAMES;
    bool wide = (bits[0] | bits[1]) > UINT32_MAX;
    void *pairs = ksda_i_builder_room(x->builder, lane, rows, wide);
    if (!pairs) return FAILED;
    for (uint64_t i = 0; i < rows && wide; i++)
        ((uint64_t *)pairs)[2 * i] = one[i], ((uint64_t *)pairs)[2 * i + 1] = two[i];
    for (uint64_t i = 0; i < rows && !wide; i++)
        ((uint32_t *)pairs)[2 * i] = (uint32_t)one[i], ((uint32_t *)pairs)[2 * i + 1] = (uint32_t)two[i];
    ksda_i_builder_commit(x->builder, lane, rows);
    return DONE;
}

static ksda_status read_group(numbers *x, uint32_t group, unsigned lane, outcome *result) {
    ksda_status status;
    pair_cursor c = {.used = {0, 0}};
    uint64_t rows, row, before = 0;
    int side;
    *result = FAILED;
    for (uint32_t g = 0; g < group; g++) before += x->t->file.group_rows[g];
    KSDA_I_TRY(start_pair(x->t, group, &c));
    for (;;) {
        KSDA_I_TRY(some_rows(&c, &rows));
        if (rows == 0 || ksda_i_cancelled(x->t->ctx)) break;
        if (has_null(&c, rows, &side, &row)) KSDA_I_TRY(null_end(x->t, side, before + row + 1));
        *result = keep_rows(x, &c, rows, lane);
        if (*result != DONE) goto done;
        for (int i = 0; i < 2; i++) c.used[i] += rows;
        before += rows;
    }
    *result = DONE;
done:
    stop_pair(x->t->ctx, &c);
    return status;
}

static void group_task(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    numbers *x = data;
    for (uint64_t g = begin; g < end && !ksda_i_cancelled(x->t->ctx); g++) {
        read_group(x, (uint32_t)g, thread, &x->outcome[g]);
        if (thread == 0) ksda_i_progress(x->t->ctx, "reading", g, x->t->file.groups);
    }
}

/* *again: it must be read by name. */
static ksda_status read_numbers(table *t, ksda_i_read *r, bool *again) {
    ksda_status status;
    numbers x = {.t = t, .outcome = ksda_i_calloc(t->ctx, t->file.groups, sizeof *x.outcome)};
    if (!x.outcome) return KSDA_NOMEM;
    KSDA_I_TRY(ksda_i_builder_new(t->ctx, t->ctx->threads, &x.builder));
    ksda_i_parallel(t->ctx, t->file.groups, 1, group_task, &x);
    KSDA_I_TRY(ksda_i_interrupted(t->ctx));
    for (uint32_t g = 0; g < t->file.groups; g++) {
        *again |= x.outcome[g] == WANTS_NAMES;
        if (x.outcome[g] == FAILED) { /* the first of them is told, whichever thread came first */
            status = read_group(&x, g, 0, &x.outcome[g]);
            if (status >= 0) status = ksda_ctx_error(t->ctx)->status < 0 ? ksda_ctx_error(t->ctx)->status : KSDA_NOMEM;
            goto done;
        }
    }
    if (*again) goto done;
    status = ksda_i_builder_finish(x.builder, NULL, &r->graph);
    x.builder = NULL; /* freed, whatever happened */
done:
    ksda_i_builder_free(t->ctx, x.builder);
    ksda_i_free(t->ctx, x.outcome);
    return status;
}

/* --- fields, whatever they are ----------------------------------------------------------------------------------- */

/* The value of a row as text; buffer has room for a number. */
static ksda_i_field field_of(const ksda_i_parquet_cursor *c, uint64_t row, char buffer[24]) {
    if (c->null && c->null[row]) return (ksda_i_field){"", 0, false};
    if (c->column->type == KSDA_I_PARQUET_BYTE_ARRAY) {
        const ksda_i_parquet_text *text = &c->text[c->index[row]];
        return (ksda_i_field){text->text, text->length, false};
    }
    int length = c->column->is_unsigned ? snprintf(buffer, 24, "%" PRIu64, c->number[row])
                                        : snprintf(buffer, 24, "%" PRId64, (int64_t)c->number[row]);
    return (ksda_i_field){buffer, (size_t)length, false};
}

/* Some rows from that one on, which both pages have: used tells where the first one stands in each. */
typedef ksda_status (*rows_fn)(void *payload, uint64_t row, const pair_cursor *c, uint64_t rows);

static ksda_status all_rows(table *t, rows_fn fn, void *payload) {
    ksda_status status = KSDA_OK;
    pair_cursor c = {.used = {0, 0}};
    uint64_t row = 1, rows;
    for (uint32_t g = 0; g < t->file.groups; g++) {
        KSDA_I_TRY(start_pair(t, g, &c));
        for (;;) {
            KSDA_I_TRY(some_rows(&c, &rows));
            if (rows == 0) break;
            if (rows > SOME_ROWS) rows = SOME_ROWS;
            KSDA_I_TRY(fn(payload, row, &c, rows));
            for (int i = 0; i < 2; i++) c.used[i] += rows;
            row += rows;
            KSDA_I_TRY(ksda_i_progress(t->ctx, "reading", row - 1, t->file.rows));
        }
    }
done:
    stop_pair(t->ctx, &c);
    return status;
}

typedef struct field_rows {
    ksda_i_parquet_row fn;
    void *payload;
} field_rows;

static ksda_status rows_of_fields(void *payload, uint64_t row, const pair_cursor *c, uint64_t rows) {
    const field_rows *x = payload;
    ksda_status status = KSDA_OK;
    for (uint64_t k = 0; k < rows && status >= 0; k++) {
        char buffer[2][24];
        ksda_i_field field[2];
        for (int i = 0; i < 2; i++) field[i] = field_of(&c->side[i], c->used[i] + k, buffer[i]);
        status = x->fn(x->payload, row + k, field);
    }
    return status;
}

ksda_status ksda_i_parquet_rows(ksda_ctx *ctx, ksda_i_source *source, const ksda_i_wish *wish, ksda_i_parquet_row fn,
                                void *payload, ksda_reading *reading) {
    table t = {.ctx = ctx, .file = {.ctx = ctx}};
    ksda_status status = open_table(&t, source, wish, reading);
    if (status >= 0) status = all_rows(&t, rows_of_fields, &(field_rows){fn, payload});
    ksda_i_parquet_close(&t.file);
    return status;
}

/* --- edges between names ----------------------------------------------------------------------------------------- */

/* Vertices of a dictionary are looked up once for each row group. */
typedef struct named {
    table *t;
    ksda_i_nodes nodes;
    uint32_t *vertex[2]; /* [looked_up] of each text of the dictionary; KSDA_NO_VERTEX: not yet */
    uint64_t looked_up[2], capacity[2];
    uint32_t group;
} named;

static ksda_status new_dictionary(named *x, const pair_cursor *c) {
    ksda_status status = KSDA_OK;
    x->group = c->group;
    for (int i = 0; i < 2; i++) {
        uint64_t size = x->looked_up[i] = c->side[i].dictionary;
        KSDA_I_TRY(ksda_i_reserve(x->t->ctx, &x->vertex[i], &x->capacity[i], size, sizeof *x->vertex[i]));
        for (uint64_t k = 0; k < size; k++) x->vertex[i][k] = KSDA_NO_VERTEX;
    }
done:
    return status;
}

/* Where the vertex of that row's text is kept, once it is known; NULL: the text is no dictionary's. */
static uint32_t *kept_vertex(const named *x, int side, const ksda_i_parquet_cursor *c, uint64_t at) {
    if (c->column->type != KSDA_I_PARQUET_BYTE_ARRAY || c->index[at] >= c->dictionary) return NULL;
    return &x->vertex[side][c->index[at]];
}

/* Edges often stand by their first ends: the text of the row before, in the same page. */
static bool same_text(const ksda_i_parquet_cursor *c, uint64_t at) {
    if (at == 0 || c->index[at] >= c->texts || c->index[at - 1] >= c->texts) return false;
    const ksda_i_parquet_text *one = &c->text[c->index[at - 1]], *two = &c->text[c->index[at]];
    return one->length == two->length && memcmp(one->text, two->text, one->length) == 0;
}

/* Texts of these rows that are not known yet are about to be looked up. */
static void names_soon(const named *x, const pair_cursor *c, uint64_t from, uint64_t rows) {
    ksda_i_name soon[KSDA_I_IDS_SOON];
    unsigned count = 0;
    for (uint64_t k = from; k < from + rows; k++)
        for (int i = 0; i < 2; i++) {
            const ksda_i_parquet_cursor *s = &c->side[i];
            uint64_t at = c->used[i] + k;
            if (s->column->type != KSDA_I_PARQUET_BYTE_ARRAY || s->index[at] >= s->texts) continue; /* null */
            const uint32_t *kept = kept_vertex(x, i, s, at);
            if (kept ? *kept != KSDA_NO_VERTEX : k > 0 && same_text(s, at)) continue;
            const ksda_i_parquet_text *text = &s->text[s->index[at]];
            soon[count++] = (ksda_i_name){text->text, text->length};
        }
    ksda_i_ids_soon(&x->nodes.names, soon, count);
}

/* A name is looked at when it comes up for the first time: afterwards it is known to be fine. */
static ksda_status named_vertex(named *x, uint64_t row, int side, const ksda_i_parquet_cursor *c, uint64_t at,
                                uint32_t *vertex) {
    char buffer[24];
    uint64_t number;
    uint32_t known = x->nodes.names.count;
    ksda_i_problem problem;
    ksda_i_field field = field_of(c, at, buffer);
    if (field.length == 0) return null_end(x->t, side, row);
    ksda_status status = ksda_i_nodes_mention(&x->nodes, field.text, field.length, x->nodes.text->begin, vertex);
    if (status < 0 || *vertex != known || ksda_i_parse_number(field.text, field.length, &number) ||
        ksda_i_name_is_fine(&field, field.text, &problem))
        return status;
    return ksda_i_error_at(x->t->ctx, KSDA_PARSE, x->t->file.name, 0, 0, "row %" PRIu64 ": %s", row, problem.text);
}

static ksda_status named_edges(void *payload, uint64_t row, const pair_cursor *c, uint64_t rows) {
    named *x = payload;
    ksda_status status = KSDA_OK;
    uint32_t end[2] = {KSDA_NO_VERTEX, KSDA_NO_VERTEX};
    if (c->group != x->group || c->side[0].dictionary != x->looked_up[0] || c->side[1].dictionary != x->looked_up[1])
        KSDA_I_TRY(new_dictionary(x, c));
    for (uint64_t k = 0; k < rows; k++) {
        if (k % ROWS_SOON == 0) names_soon(x, c, k, rows - k < ROWS_SOON ? rows - k : ROWS_SOON);
        for (int i = 0; i < 2; i++) {
            const ksda_i_parquet_cursor *s = &c->side[i];
            uint64_t at = c->used[i] + k;
            uint32_t *kept = kept_vertex(x, i, s, at);
            bool as_before = !kept && k > 0 && s->column->type == KSDA_I_PARQUET_BYTE_ARRAY && same_text(s, at);
            if (kept) end[i] = *kept;
            if (kept ? *kept == KSDA_NO_VERTEX : !as_before) KSDA_I_TRY(named_vertex(x, row + k, i, s, at, &end[i]));
            if (kept) *kept = end[i];
        }
        KSDA_I_TRY(ksda_i_nodes_edge(&x->nodes, end[0], end[1]));
    }
done:
    return status;
}

static ksda_status read_names(table *t, ksda_i_read *r) {
    ksda_i_text text = {.ctx = t->ctx, .name = t->file.name, .begin = "", .at = "", .end = ""};
    named x = {.t = t, .group = UINT32_MAX};
    ksda_i_nodes_init(&x.nodes, &text);
    ksda_status status = all_rows(t, named_edges, &x);
    if (status >= 0) status = ksda_i_nodes_finish(&x.nodes, false, r);
    ksda_i_nodes_clear(&x.nodes);
    for (int i = 0; i < 2; i++) ksda_i_free(t->ctx, x.vertex[i]);
    return status;
}

/* --- entry ------------------------------------------------------------------------------------------------------- */

static ksda_status read_parquet(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options,
                                ksda_i_read *r) {
    ksda_status status;
    table t = {.ctx = ctx, .file = {.ctx = ctx}};
    ksda_i_wish wish = {.kind = KSDA_I_EDGE_HEADER};
    KSDA_I_TRY(ksda_i_no_attribute(ctx, source, options->attribute, r));
    KSDA_I_TRY(ksda_i_wish_columns(ctx, options->columns, &wish));
    KSDA_I_TRY(open_table(&t, source, &wish, &r->reading));
    if (t.file.rows == 0) KSDA_I_TRY(ksda_i_error_at(ctx, KSDA_PARSE, t.file.name, 0, 0, "no edges in this file"));
    bool by_name = t.column[0]->type == KSDA_I_PARQUET_BYTE_ARRAY || t.column[1]->type == KSDA_I_PARQUET_BYTE_ARRAY;
    if (!by_name) KSDA_I_TRY(read_numbers(&t, r, &by_name));
    if (by_name) KSDA_I_TRY(read_names(&t, r));
done:
    ksda_i_parquet_close(&t.file);
    if (status < 0) ksda_i_read_clear(ctx, r);
    return status;
}

static ksda_status write_edge(const ksda_i_items *items, uint64_t number, uint32_t u, uint32_t v) {
    (void)number;
    return ksda_i_parquet_add(items->payload, u, v);
}

static ksda_status write_parquet(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *communities,
                                 ksda_i_output *out) {
    static const char *const names[2] = {"source", "target"};
    const ksda_i_ids *ids[2] = {&g->ids, &g->ids};
    ksda_i_parquet_writer *writer;
    ksda_status status = ksda_i_parquet_create(ctx, names, ids, out, &writer);
    if (status >= 0) status = ksda_i_write_edges(&(ksda_i_items){ctx, g, communities, out, writer}, write_edge);
    return ksda_i_parquet_finish(writer, status);
}

const ksda_i_format ksda_i_format_parquet = {
    .name = "parquet",
    .endings = ".parquet .pq",
    .binary = true,
    .edges_only = true,
    .columns = true,
    .sniff = ksda_i_sniff_parquet,
    .read = read_parquet,
    .write = write_parquet,
    .by_row = true,
};
