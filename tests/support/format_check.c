#include "format_check.h"

#include "core/random.h"
#include "failing_memory.h"
#include "random_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

ksda_status read_text(ksda_ctx *ctx, const ksda_i_format *row, const char *text, size_t size, const char *attribute,
                      ksda_i_read *out) {
    ksda_i_source *source;
    *out = (ksda_i_read){.graph = NULL};
    ksda_status status = ksda_i_source_memory(ctx, "text", text, size, &source);
    if (status < 0) return status;
    ksda_load_options options;
    ksda_load_options_init(&options);
    options.attribute = attribute;
    status = row->read(ctx, source, &options, out);
    ksda_i_source_close(ctx, source);
    return status;
}

ksda_i_read read_good(const ksda_i_format *row, const char *text, const char *attribute) {
    ksda_i_read r;
    const ksda_error *e = ksda_ctx_error(check_ctx);
    if (read_text(check_ctx, row, text, strlen(text), attribute, &r) < 0)
        fail_msg("%s\n%llu:%llu: %s", text, (unsigned long long)e->line, (unsigned long long)e->column, e->message);
    return r;
}

void assert_refused(const ksda_i_format *row, const char *attribute, ksda_status status, const bad_text *bad) {
    ksda_ctx *ctx;
    ksda_i_read r;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    ksda_status got = read_text(ctx, row, bad->text, strlen(bad->text), attribute, &r);
    const ksda_error *e = ksda_ctx_error(ctx);
    if (got != status || e->line != bad->line || e->column != bad->column || !strstr(e->message, bad->message))
        fail_msg("%s: %s\ngave %s at %llu:%llu: %s\nwanted %s at %llu:%llu: %s", row->name, bad->text,
                 ksda_status_name(got), (unsigned long long)e->line, (unsigned long long)e->column, e->message,
                 ksda_status_name(status), (unsigned long long)bad->line, (unsigned long long)bad->column,
                 bad->message);
    assert_string_equal(e->source, "text");
    assert_null(r.graph);
    assert_null(r.community);
    ksda_ctx_free(ctx);
}

static bool same_name(const ksda_i_ids *a, uint32_t i, const ksda_i_ids *b, uint32_t j) {
    char x[256], y[256];
    return ksda_i_ids_name(a, i, x, sizeof x) == ksda_i_ids_name(b, j, y, sizeof y) && strcmp(x, y) == 0;
}

bool same_graph(const ksda_graph *a, const ksda_graph *b, bool shape) {
    if (a->n != b->n || a->m != b->m) return false;
    if (memcmp(a->off, b->off, ((size_t)a->n + 1) * sizeof *a->off) != 0) return false;
    if (a->m && memcmp(a->adj, b->adj, 2 * a->m * sizeof *a->adj) != 0) return false;
    for (uint32_t v = 0; v < a->n && !shape; v++)
        if (!same_name(&a->ids, v, &b->ids, v)) return false;
    return true;
}

bool same_communities(const ksda_communities *c, const ksda_i_read *r) {
    if (!r->community || r->graph->n != c->n) return false;
    for (uint32_t v = 0; v < c->n; v++)
        if (r->community[v] == KSDA_NO_VERTEX || !same_name(&c->names, c->of[v], &r->names, r->community[v]))
            return false;
    return true;
}

static char *written(ksda_ctx *ctx, const ksda_i_format *row, const ksda_graph *g, const ksda_communities *c,
                     size_t *size) {
    ksda_i_output *out;
    char *text;
    assert_int_equal(ksda_i_output_memory(ctx, &out), KSDA_OK);
    ksda_status status = row->write(ctx, g, c, out);
    if (status < 0) fail_msg("%s: %s", row->name, ksda_ctx_error(ctx)->message);
    assert_int_equal(ksda_i_output_take(out, &text, size), KSDA_OK);
    return text;
}

void assert_round_trip(ksda_ctx *ctx, const ksda_i_format *row, const ksda_graph *g, const ksda_communities *c,
                       bool shape) {
    ksda_i_read r;
    size_t size;
    char *text = written(ctx, row, g, c, &size);
    ksda_status status = read_text(ctx, row, text, size, c ? "community" : NULL, &r);
    if (status < 0)
        fail_msg("%s:%llu:%llu: %s\n%.*s", row->name, (unsigned long long)ksda_ctx_error(ctx)->line,
                 (unsigned long long)ksda_ctx_error(ctx)->column, ksda_ctx_error(ctx)->message, (int)size, text);
    if (!same_graph(g, r.graph, shape)) fail_msg("%s: another graph was read from\n%.*s", row->name, (int)size, text);
    if (c && !same_communities(c, &r))
        fail_msg("%s: other communities were read from\n%.*s", row->name, (int)size, text);
    ksda_i_read_clear(ctx, &r);
    ksda_i_free(ctx, text);
}

/* --- random networks ---------------------------------------------------------------------------------------------- */

/* A name of one to four pieces that make formats trip, and a number that makes it unique. */
static size_t awkward_name(ksda_i_rng *r, uint32_t v, char *name) {
    static const char *const piece[] = {
        "\"", "<", ">", "&",  "&amp;", "'", "\xc3\xa9", "\xe6\xbc\xa2", "\xf0\x9f\x8c\x8d",
        "]",  "[", "#", "\\", ";",     "x", "%",        "id",           "-1"};
    size_t used = 0;
    uint64_t pieces = 1 + ksda_i_rng_below(r, 4);
    for (uint64_t i = 0; i < pieces; i++)
        used += (size_t)sprintf(name + used, "%s", piece[ksda_i_rng_below(r, sizeof piece / sizeof *piece)]);
    return used + (size_t)sprintf(name + used, "_%u", v);
}

static void name_items(ksda_ctx *ctx, ksda_i_rng *r, naming kind, ksda_i_ids *ids) {
    uint32_t n = ids->count;
    ksda_i_ids_clear(ctx, ids);
    if (kind == NAMING_NUMBERS) {
        uint64_t *number = ksda_i_malloc(ctx, n, sizeof *number), last = ksda_i_rng_below(r, 3);
        for (uint32_t v = 0; v < n; v++) {
            number[v] = last;
            last += 1 + (ksda_i_rng_next(r) >> (8 + ksda_i_rng_below(r, 56)));
        }
        if (n > 1 && (last & 1)) number[n - 1] = UINT64_MAX;
        ksda_i_ids_numbers_take(ids, n, number);
    } else {
        ksda_i_ids_names(ids);
        for (uint32_t v = 0, item; v < n; v++) {
            char name[128];
            size_t length = awkward_name(r, v, name);
            assert_int_equal(ksda_i_ids_intern(ctx, ids, name, length, &item), KSDA_OK);
        }
    }
}

void random_named_network(ksda_ctx *ctx, uint64_t seed, naming kind, ksda_network *out) {
    ksda_i_rng r = ksda_i_rng_stream(seed, 0x6e616d65, kind);
    uint32_t n = (uint32_t)ksda_i_rng_below(&r, 25);
    random_network(ctx, seed, n, ksda_i_rng_unit(&r) * ksda_i_rng_unit(&r),
                   n ? 1 + (uint32_t)ksda_i_rng_below(&r, n) : 1, out);
    if (kind != NAMING_RANGE) {
        name_items(ctx, &r, kind, &out->graph->ids);
        name_items(ctx, &r, kind, &out->communities->names);
    }
}

void assert_round_trips(const ksda_i_format *row, unsigned cases, bool shape) {
    for (uint64_t seed = 0; seed < cases; seed++) {
        ksda_network net;
        random_named_network(check_ctx, seed, (naming)(seed % 3), &net);
        assert_round_trip(check_ctx, row, net.graph, NULL, shape);
        if (!shape && net.graph->n > 0) assert_round_trip(check_ctx, row, net.graph, net.communities, false);
        ksda_network_clear(check_ctx, &net);
    }
}

/* --- failing allocations ------------------------------------------------------------------------------------------ */

/* What is being read: the work below has no argument for it. */
static const ksda_i_format *failing_row;
static const char *failing_text, *failing_attribute;

static ksda_status read_and_write(ksda_ctx *ctx) {
    ksda_status status;
    ksda_i_output *out = NULL;
    ksda_i_read r;
    char *copy = NULL;
    size_t size;
    KSDA_I_TRY(read_text(ctx, failing_row, failing_text, strlen(failing_text), failing_attribute, &r));
    KSDA_I_TRY(ksda_i_output_memory(ctx, &out));
    if (failing_row->write) KSDA_I_TRY(failing_row->write(ctx, r.graph, NULL, out));
    status = ksda_i_output_take(out, &copy, &size);
    out = NULL;
done:
    ksda_i_output_abandon(out);
    ksda_i_free(ctx, copy);
    ksda_i_read_clear(ctx, &r);
    return status;
}

void assert_survives_failing_allocations(const ksda_i_format *row, const char *text, const char *attribute) {
    failing_row = row;
    failing_text = text;
    failing_attribute = attribute;
    assert_survives_failing_memory(read_and_write);
}

void assert_interruptible(const ksda_i_format *row, const char *text) {
    ksda_i_output *out;
    ksda_i_read r = read_good(row, text, NULL), again;
    assert_int_equal(ksda_i_output_memory(check_ctx, &out), KSDA_OK);
    ksda_ctx_cancel(check_ctx);
    assert_int_equal(read_text(check_ctx, row, text, strlen(text), NULL, &again), KSDA_INTERRUPTED);
    assert_null(again.graph);
    if (row->write) assert_int_equal(row->write(check_ctx, r.graph, NULL, out), KSDA_INTERRUPTED);
    ksda_ctx_reset_cancel(check_ctx);
    ksda_i_output_abandon(out);
    ksda_i_read_clear(check_ctx, &r);
}
