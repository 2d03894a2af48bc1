/* Raw pairs: two unsigned little-endian integers for each edge, of 32 bits (.u32, raw32) or 64 (.u64, raw64), and
 * nothing else. For very large files: reading is copying, on all threads where the file is mapped.
 *
 * Ids are numbers, and the vertices are those that occur, as in an edge list. Nothing in such a file says what it is,
 * so it is told by its ending or by --format only, and its first bytes are never taken for compression or text. Written
 * in the order of an edge list; names that are no numbers, or too large, are refused. */
#include "core/parallel.h"
#include "graph/builder.h"
#include "graph/peers.h"
#include "graph/walk.h"
#include "io/formats.h"
#include "io/parts.h"
#include "io/text.h"

#include <endian.h>
#include <inttypes.h>

#define PIECE ((uint64_t)1 << 17) /* edges */
#define WRITTEN 4096              /* edges that are written at a time */

typedef struct reader {
    ksda_ctx *ctx;
    ksda_i_source *source;
    ksda_i_builder *builder;
    const char *data;
    size_t width; /* bytes of an id */
    atomic_bool failed;
} reader;

/* --- reading ----------------------------------------------------------------------------------------------------- */

static void host_order(void *pairs, uint64_t edges, bool wide) {
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) return;
    for (uint64_t i = 0; i < 2 * edges; i++) {
        if (wide)
            ((uint64_t *)pairs)[i] = le64toh(((uint64_t *)pairs)[i]);
        else
            ((uint32_t *)pairs)[i] = le32toh(((uint32_t *)pairs)[i]);
    }
}

static uint64_t id_at(const char *data, uint64_t i) {
    uint64_t id;
    memcpy(&id, data + 8 * i, sizeof id);
    return le64toh(id);
}

/* Ids of 64 bits that need only 32 take half the memory. */
static bool all_small(const char *data, uint64_t edges) {
    uint64_t bits = 0;
    for (uint64_t i = 0; i < 2 * edges; i++) bits |= id_at(data, i);
    return bits <= UINT32_MAX;
}

static bool keep_edges(reader *x, const char *data, uint64_t edges, unsigned lane) {
    bool narrow = x->width == 8 && all_small(data, edges), wide = x->width == 8 && !narrow;
    void *pairs = ksda_i_builder_room(x->builder, lane, edges, wide);
    if (!pairs) return false;
    if (narrow) {
        for (uint64_t i = 0; i < 2 * edges; i++) ((uint32_t *)pairs)[i] = (uint32_t)id_at(data, i);
    } else {
        memcpy(pairs, data, 2 * edges * x->width);
        host_order(pairs, edges, wide);
    }
    ksda_i_builder_commit(x->builder, lane, edges);
    return true;
}

static void keep_task(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    reader *x = data;
    const char *from = x->data + 2 * begin * x->width;
    if (ksda_i_cancelled(x->ctx) || atomic_load(&x->failed)) return;
    if (!keep_edges(x, from, end - begin, thread)) atomic_store(&x->failed, true);
    ksda_i_source_forget(x->source, from, 2 * (end - begin) * x->width);
    if (thread == 0) ksda_i_progress(x->ctx, "reading", begin, 0);
}

static ksda_status wrong_size(const reader *x, uint64_t size) {
    uint64_t pair = 2 * x->width;
    return ksda_i_error_at(x->ctx, KSDA_PARSE, ksda_i_source_name(x->source), 0, 0,
                           "%" PRIu64 " bytes, but a pair of %u-bit ids has %" PRIu64 ": the pair at offset %" PRIu64
                           " is cut off, or this is no raw%u file",
                           size, (unsigned)(8 * x->width), pair, size - size % pair, (unsigned)(8 * x->width));
}

/* A compressed file, or a pipe. */
static ksda_status read_stream(reader *x, uint64_t *size) {
    ksda_status status = KSDA_OK;
    uint64_t pair = 2 * x->width, room = PIECE * pair;
    size_t used = 0, got;
    char *block = ksda_i_malloc(x->ctx, room, 1);
    if (!block) return KSDA_NOMEM;
    do {
        uint64_t done, total;
        KSDA_I_TRY(ksda_i_source_read(x->source, block + used, room - used, &got));
        used += got;
        *size += got;
        if (used < room && got > 0) continue;
        if (used >= pair && !keep_edges(x, block, used / pair, 0)) status = KSDA_NOMEM;
        if (got > 0) used = 0;
        ksda_i_source_position(x->source, &done, &total);
        if (status >= 0) status = ksda_i_progress(x->ctx, "reading", done, total);
    } while (status >= 0 && got > 0);
done:
    ksda_i_free(x->ctx, block);
    return status;
}

static ksda_status read_pairs(reader *x) {
    size_t mapped = 0, share;
    uint64_t size = 0, pair = 2 * x->width;
    const ksda_i_peers *all = x->ctx->peers;
    ksda_status status = KSDA_OK;
    if (ksda_i_source_mapped(x->source, &mapped) && mapped % pair) return wrong_size(x, mapped);
    if (all) status = ksda_i_source_share_records(x->source, pair, all->rank, all->count);
    if (status < 0) return status;
    if ((x->data = ksda_i_source_mapped(x->source, &share)) != NULL) {
        size = mapped;
        ksda_i_parallel(x->ctx, share / pair, PIECE, keep_task, x);
        status = atomic_load(&x->failed) ? KSDA_NOMEM : ksda_i_interrupted(x->ctx);
    } else {
        status = read_stream(x, &size);
    }
    if (status >= 0 && size % pair) status = wrong_size(x, size);
    if (status >= 0 && size == 0)
        status = ksda_i_error_at(x->ctx, KSDA_PARSE, ksda_i_source_name(x->source), 0, 0, "no edges in this file");
    return status;
}

static ksda_status read_raw(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, size_t width,
                            ksda_i_read *r) {
    ksda_status status;
    reader x = {.ctx = ctx, .source = source, .width = width};
    *r = (ksda_i_read){.graph = NULL};
    atomic_init(&x.failed, false);
    if (options->attribute)
        return ksda_i_error_at(ctx, KSDA_UNSUPPORTED, ksda_i_source_name(source), 0, 0,
                               "vertex attribute '%s' asked for, but raw pairs have no attributes", options->attribute);
    status = ksda_i_gathering_builder(ctx, &x.builder);
    if (status >= 0) status = read_pairs(&x);
    KSDA_I_TRY(ksda_i_agree(ctx, status));
    if (ctx->gathering && !ctx->gathering->last) {
        ctx->gathering->builder = x.builder;
        return KSDA_OK;
    }
    status = ksda_i_builder_finish(x.builder, NULL, &r->graph);
    x.builder = NULL; /* freed, whatever happened */
done:
    ksda_i_builder_free(ctx, x.builder);
    if (status < 0) ksda_i_read_clear(ctx, r);
    return status;
}

static ksda_status read_raw32(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *r) {
    return read_raw(ctx, source, options, 4, r);
}
static ksda_status read_raw64(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *r) {
    return read_raw(ctx, source, options, 8, r);
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

typedef struct writer {
    ksda_i_output *out;
    size_t width;
    uint64_t first;         /* vertex v is called first + v, */
    const uint64_t *number; /* unless here are other numbers */
    size_t used;
    char block[WRITTEN * 16];
} writer;

/* The numbers that the vertices are called by. */
static ksda_status numbers_of(ksda_ctx *ctx, const ksda_i_ids *ids, uint64_t most, uint64_t *number) {
    for (uint32_t v = 0; v < ids->count; v++) {
        char name[KSDA_I_SHOWN], shown[KSDA_I_SHOWN];
        size_t length = ksda_i_ids_name(ids, v, name, sizeof name);
        bool fine = length < sizeof name && ksda_i_parse_number(name, length, &number[v]);
        if (fine && number[v] <= most) continue;
        return ksda_i_error(ctx, KSDA_UNSUPPORTED, "vertex %s cannot be written as raw pairs: %s; csv holds any name",
                            ksda_i_show(name, length < sizeof name ? length : sizeof name - 1, shown),
                            fine ? "raw32 holds numbers below 2^32, raw64 all" : "it is no number");
    }
    return KSDA_OK;
}

/* A table is needed unless the numbers are a range, as those of a release are. */
static ksda_status find_numbers(ksda_ctx *ctx, const ksda_i_ids *ids, uint64_t most, uint64_t **number) {
    if (ids->kind == KSDA_I_IDS_RANGE && ids->first <= most && most - ids->first >= ids->count) return KSDA_OK;
    *number = ksda_i_malloc(ctx, ids->count, sizeof **number);
    return *number ? numbers_of(ctx, ids, most, *number) : KSDA_NOMEM;
}

static inline void put_id(writer *w, uint32_t v) {
    uint64_t id = w->number ? w->number[v] : w->first + v;
    uint32_t small = htole32((uint32_t)id);
    id = htole64(id);
    if (w->width == 4)
        memcpy(w->block + w->used, &small, sizeof small);
    else
        memcpy(w->block + w->used, &id, sizeof id);
    w->used += w->width;
}

static void put_row(writer *w, uint32_t v, const uint32_t *row, uint32_t degree) {
    for (uint32_t i = 0; i < degree; i++) {
        if (row[i] < v) continue;
        put_id(w, v), put_id(w, row[i]);
        if (w->used < sizeof w->block) continue;
        ksda_i_output_write(w->out, w->block, w->used);
        w->used = 0;
    }
}

static ksda_status write_raw(ksda_ctx *ctx, const ksda_graph *g, size_t width, ksda_i_output *out) {
    writer w = {.out = out, .width = width, .first = g->ids.first};
    uint64_t *number = NULL;
    ksda_i_walk walk = {.ctx = ctx};
    const uint32_t *row;
    ksda_status status;
    KSDA_I_TRY(find_numbers(ctx, &g->ids, width == 4 ? UINT32_MAX : UINT64_MAX, &number));
    w.number = number;
    KSDA_I_TRY(ksda_i_walk_begin(ctx, g, &walk));
    for (uint32_t v = 0; v < g->n; v++) {
        KSDA_I_TRY(ksda_i_walk_to(&walk, v, &row));
        put_row(&w, v, row, ksda_i_degree(g, v));
        if (v % 16384 == 0) KSDA_I_TRY(ksda_i_progress(ctx, "writing", v, g->n));
    }
    ksda_i_output_write(out, w.block, w.used);
done:
    ksda_i_walk_end(&walk);
    ksda_i_free(ctx, number);
    return status;
}

static ksda_status write_raw32(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               ksda_i_output *out) {
    (void)communities;
    return write_raw(ctx, graph, 4, out);
}
static ksda_status write_raw64(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               ksda_i_output *out) {
    (void)communities;
    return write_raw(ctx, graph, 8, out);
}

static uint64_t count_edges(const ksda_graph *g) {
    uint64_t edges = 0;
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) edges += g->adj[i] > v;
    return edges;
}

static uint64_t bytes_of_raw32(const ksda_graph *graph) {
    return 8 * count_edges(graph);
}
static uint64_t bytes_of_raw64(const ksda_graph *graph) {
    return 16 * count_edges(graph);
}

const ksda_i_format ksda_i_format_raw32 = {
    .name = "raw32",
    .endings = ".u32 .raw32",
    .binary = true,
    .edges_only = true,
    .read = read_raw32,
    .write = write_raw32,
    .bytes = bytes_of_raw32,
    .by_row = true,
};

const ksda_i_format ksda_i_format_raw64 = {
    .name = "raw64",
    .endings = ".u64 .raw64",
    .binary = true,
    .edges_only = true,
    .read = read_raw64,
    .write = write_raw64,
    .bytes = bytes_of_raw64,
    .by_row = true,
};
