/* The footer of a Parquet file. The file ends with the metadata (Thrift, compact), its length in four bytes and PAR1.
 * Of the metadata the schema, the rows and where the chunks lie matter; statistics and indexes are passed over. */
#include "io/parquet_file.h"

#include "io/thrift.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define FREE ((uint64_t)1 << 20) /* rows or bytes that every file may claim */
#define RATIO 4096               /* times its bytes beyond that */

typedef struct element { /* of the schema */
    const char *name;
    size_t length;
    int32_t type, repetition, converted, logical; /* -1: not told */
    uint32_t children;
    bool is_signed;
} element;

typedef struct footer {
    ksda_i_parquet *file;
    ksda_i_thrift t;
    element *element;
    uint32_t elements;
    uint64_t chunks;
    uint64_t rows; /* of all groups */
} footer;

ksda_status ksda_i_parquet_error(const ksda_i_parquet *file, const char *place, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ksda_i_error_at(file->ctx, KSDA_PARSE, file->name, 0, 0, "at offset %" PRIu64 ": %s",
                           (uint64_t)(place - file->data), text);
}

bool ksda_i_parquet_plausible(uint64_t wanted, uint64_t bytes) {
    return wanted <= FREE || wanted / RATIO <= bytes;
}

void ksda_i_parquet_close(ksda_i_parquet *file) {
    ksda_i_free(file->ctx, file->column);
    ksda_i_free(file->ctx, file->group_rows);
    ksda_i_free(file->ctx, file->chunk);
    *file = (ksda_i_parquet){.ctx = file->ctx};
}

/* --- the schema -------------------------------------------------------------------------------------------------- */

/* A union of which the number of the field says which; of integers, whether they have a sign. */
static void read_logical(ksda_i_thrift *t, unsigned type, element *e) {
    int id = 0;
    unsigned kind;
    if (!ksda_i_thrift_struct(t, type)) return;
    while (ksda_i_thrift_field(t, &id, &kind)) {
        e->logical = id;
        if (id != 10) {
            ksda_i_thrift_skip(t, kind);
            continue;
        }
        int inner = 0;
        if (!ksda_i_thrift_struct(t, kind)) return;
        while (ksda_i_thrift_field(t, &inner, &kind)) {
            if (inner == 2)
                e->is_signed = ksda_i_thrift_bool(t, kind);
            else
                ksda_i_thrift_skip(t, kind);
        }
    }
}

static void read_element(ksda_i_thrift *t, element *e) {
    int id = 0;
    unsigned type;
    *e = (element){.name = "", .type = -1, .repetition = -1, .converted = -1, .logical = -1, .is_signed = true};
    while (ksda_i_thrift_field(t, &id, &type)) switch (id) {
        case 1: e->type = (int32_t)ksda_i_thrift_int(t, type); break;
        case 3: e->repetition = (int32_t)ksda_i_thrift_int(t, type); break;
        case 4: e->name = ksda_i_thrift_bytes(t, type, &e->length); break;
        case 5: e->children = (uint32_t)ksda_i_thrift_int(t, type); break;
        case 6: e->converted = (int32_t)ksda_i_thrift_int(t, type); break;
        case 10: read_logical(t, type, e); break;
        default: ksda_i_thrift_skip(t, type);
        }
    if (e->converted >= 11 && e->converted <= 14) e->is_signed = false; /* UINT_8 .. UINT_64 */
}

static ksda_status read_schema(footer *f, unsigned type) {
    unsigned kind;
    f->elements = ksda_i_thrift_list(&f->t, type, &kind);
    ksda_i_free(f->file->ctx, f->element);
    f->element = ksda_i_calloc(f->file->ctx, f->elements, sizeof *f->element);
    if (!f->element) return KSDA_NOMEM;
    for (uint32_t i = 0; i < f->elements && ksda_i_thrift_struct(&f->t, kind); i++) read_element(&f->t, &f->element[i]);
    return KSDA_OK;
}

/* What a column holds that is neither whole numbers nor text, or NULL. */
static const char *other_of(const element *e) {
    static const char *const types[] = {"BOOLEAN", NULL,     NULL, "INT96 (a time)",
                                        "FLOAT",   "DOUBLE", NULL, "FIXED_LEN_BYTE_ARRAY"};
    static const char *const logical[] = {[5] = "DECIMAL", [6] = "DATE",  [7] = "TIME",  [8] = "TIMESTAMP",
                                          [11] = "nulls",  [13] = "BSON", [14] = "UUID", [15] = "FLOAT16"};
    static const char *const converted[] = {[5] = "DECIMAL",   [6] = "DATE",       [7] = "TIME",  [8] = "TIME",
                                            [9] = "TIMESTAMP", [10] = "TIMESTAMP", [20] = "BSON", [21] = "INTERVAL"};
    if (e->children || e->type < 0) return "a structure (nested)";
    if (e->repetition == 2) return "a list (repeated)";
    if (e->type > 7) return "a type that is not known";
    if (types[e->type]) return types[e->type];
    if (e->logical >= 0 && e->logical < 16 && logical[e->logical]) return logical[e->logical];
    return e->converted >= 0 && e->converted < 22 ? converted[e->converted] : NULL;
}

/* How many elements, this one among them, and how many leaves the subtree at i has. Children stand behind parents. */
static bool measure_subtree(const footer *f, uint32_t i, uint32_t *size, uint32_t *leaves) {
    uint64_t open = 1;
    for (*size = *leaves = 0; open > 0; open--, ++*size) {
        if (i + *size >= f->elements) return false;
        open += f->element[i + *size].children;
        *leaves += f->element[i + *size].children == 0;
    }
    return true;
}

static ksda_status make_columns(footer *f) {
    ksda_i_parquet *file = f->file;
    uint32_t size, leaves, count = f->elements ? f->element[0].children : 0;
    if (count == 0 || count >= f->elements)
        return ksda_i_parquet_error(file, f->t.end, "the schema in the metadata before it has no columns");
    file->column = ksda_i_calloc(file->ctx, count, sizeof *file->column);
    if (!file->column) return KSDA_NOMEM;
    for (uint32_t i = 1; file->columns < count; i += size) {
        const element *e = &f->element[i];
        if (i >= f->elements || !measure_subtree(f, i, &size, &leaves))
            return ksda_i_parquet_error(file, f->t.end, "the schema in the metadata before it is cut off");
        file->column[file->columns++] = (ksda_i_parquet_column){.name = e->name,
                                                                .length = e->length,
                                                                .type = (ksda_i_parquet_type)e->type,
                                                                .other = other_of(e),
                                                                .is_unsigned = !e->is_signed,
                                                                .optional = e->repetition != 0,
                                                                .leaf = file->leaves};
        file->leaves += leaves;
    }
    return KSDA_OK;
}

/* --- row groups -------------------------------------------------------------------------------------------------- */

static void read_chunk_metadata(ksda_i_thrift *t, unsigned type, ksda_i_parquet_chunk *c) {
    int id = 0;
    int64_t pages = -1, dictionary = -1;
    if (!ksda_i_thrift_struct(t, type)) return;
    while (ksda_i_thrift_field(t, &id, &type)) switch (id) {
        case 1: c->type = (int32_t)ksda_i_thrift_int(t, type); break;
        case 4: c->codec = (int32_t)ksda_i_thrift_int(t, type); break;
        case 5: c->values = (uint64_t)ksda_i_thrift_int(t, type); break;
        case 7: c->size = (uint64_t)ksda_i_thrift_int(t, type); break;
        case 9: pages = ksda_i_thrift_int(t, type); break;
        case 11: dictionary = ksda_i_thrift_int(t, type); break;
        default: ksda_i_thrift_skip(t, type);
        }
    c->offset = (uint64_t)(dictionary > 0 && dictionary < pages ? dictionary : pages);
}

static void read_chunk(ksda_i_thrift *t, ksda_i_parquet_chunk *c) {
    int id = 0;
    unsigned type;
    *c = (ksda_i_parquet_chunk){.type = -1, .offset = UINT64_MAX};
    while (ksda_i_thrift_field(t, &id, &type)) {
        if (id == 3) {
            read_chunk_metadata(t, type, c);
            continue;
        }
        c->elsewhere |= id == 1;
        c->encrypted |= id == 8 || id == 9;
        ksda_i_thrift_skip(t, type);
    }
}

static ksda_status read_chunks(footer *f, unsigned type) {
    ksda_i_parquet *file = f->file;
    unsigned kind;
    uint32_t count = ksda_i_thrift_list(&f->t, type, &kind);
    ksda_status status = KSDA_OK;
    if (f->t.bad) return KSDA_OK; /* told later */
    if (count != file->leaves)
        return ksda_i_parquet_error(file, f->t.at, "a row group of %u columns, but the schema has %u", count,
                                    file->leaves);
    status = ksda_i_reserve(file->ctx, &file->chunk, &f->chunks, ((uint64_t)file->groups + 1) * file->leaves,
                            sizeof *file->chunk);
    if (status < 0) return status;
    ksda_i_parquet_chunk *chunk = file->chunk + (uint64_t)file->groups * file->leaves;
    for (uint32_t i = 0; i < count && ksda_i_thrift_struct(&f->t, kind); i++) read_chunk(&f->t, &chunk[i]);
    return KSDA_OK;
}

static ksda_status read_group(footer *f, uint64_t *rows) {
    ksda_status status = KSDA_OK;
    int id = 0;
    unsigned type;
    bool chunks = false;
    *rows = 0;
    while (status >= 0 && ksda_i_thrift_field(&f->t, &id, &type)) {
        if (id == 1 && !chunks)
            status = read_chunks(f, type), chunks = true;
        else if (id == 3)
            *rows = (uint64_t)ksda_i_thrift_int(&f->t, type);
        else
            ksda_i_thrift_skip(&f->t, type);
    }
    if (status >= 0 && !chunks && !f->t.bad)
        return ksda_i_parquet_error(f->file, f->t.at, "a row group without columns");
    return status;
}

static ksda_status read_groups(footer *f, unsigned type) {
    ksda_i_parquet *file = f->file;
    ksda_status status = KSDA_OK;
    unsigned kind;
    uint32_t count = ksda_i_thrift_list(&f->t, type, &kind);
    if (!file->column) status = make_columns(f);
    if (status < 0) return status;
    ksda_i_free(file->ctx, file->group_rows);
    file->groups = 0;
    file->group_rows = ksda_i_calloc(file->ctx, count, sizeof *file->group_rows);
    if (!file->group_rows) return KSDA_NOMEM;
    for (; file->groups < count && ksda_i_thrift_struct(&f->t, kind); file->groups++) {
        uint64_t rows;
        const char *place = f->t.at;
        status = read_group(f, &rows);
        if (status < 0 || f->t.bad) return status;
        f->rows += rows;
        if (rows > UINT32_MAX || !ksda_i_parquet_plausible(16 * f->rows, file->size))
            return ksda_i_parquet_error(
                file, place, "%" PRIu64 " rows announced in a file of %zu bytes: hardly a table", rows, file->size);
        file->group_rows[file->groups] = rows;
    }
    return KSDA_OK;
}

/* --- the footer -------------------------------------------------------------------------------------------------- */

static ksda_status read_metadata(footer *f) {
    ksda_i_parquet *file = f->file;
    ksda_status status = KSDA_OK;
    int id = 0;
    unsigned type;
    while (status >= 0 && ksda_i_thrift_field(&f->t, &id, &type)) switch (id) {
        case 2:
            if (!file->column)
                status = read_schema(f, type);
            else
                ksda_i_thrift_skip(&f->t, type);
            break;
        case 4: status = read_groups(f, type); break;
        case 8:
            return ksda_i_error_at(file->ctx, KSDA_UNSUPPORTED, file->name, 0, 0,
                                   "an encrypted Parquet file, which is not read: write it without encryption");
        default: ksda_i_thrift_skip(&f->t, type);
        }
    if (status < 0) return status;
    if (f->t.bad) return ksda_i_parquet_error(file, f->t.at, "the metadata is damaged: expected %s", f->t.bad);
    if (!file->column) status = make_columns(f);
    file->rows = f->rows;
    return status;
}

static ksda_status find_footer(ksda_i_parquet *file, const char **begin, const char **end) {
    const size_t mark = sizeof KSDA_I_PARQUET_MAGIC - 1;
    const char *last = file->data + file->size - mark;
    if (file->size < 2 * mark + 4 || memcmp(file->data, KSDA_I_PARQUET_MAGIC, mark) != 0) {
        if (file->size >= mark && memcmp(file->data, "PARE", mark) == 0)
            return ksda_i_error_at(file->ctx, KSDA_UNSUPPORTED, file->name, 0, 0,
                                   "an encrypted Parquet file, which is not read: write it without encryption");
        return ksda_i_parquet_error(file, file->data, "a Parquet file begins and ends with PAR1");
    }
    if (memcmp(last, KSDA_I_PARQUET_MAGIC, mark) != 0)
        return ksda_i_parquet_error(file, last, "expected PAR1 at the end of the file: it is cut off, or damaged");
    const unsigned char *size = (const unsigned char *)last - 4;
    uint64_t length = size[0] | (uint64_t)size[1] << 8 | (uint64_t)size[2] << 16 | (uint64_t)size[3] << 24;
    *end = last - 4;
    if (length > file->size - 2 * mark - 4)
        return ksda_i_parquet_error(file, *end, "metadata of %" PRIu64 " bytes announced in a file of %zu bytes",
                                    length, file->size);
    *begin = *end - length;
    return KSDA_OK;
}

ksda_status ksda_i_parquet_open(ksda_ctx *ctx, ksda_i_source *source, ksda_i_parquet *file) {
    footer f = {.file = file};
    ksda_status status;
    *file = (ksda_i_parquet){.ctx = ctx, .name = ksda_i_source_name(source)};
    KSDA_I_TRY(ksda_i_source_whole(source, &file->data, &file->size));
    KSDA_I_TRY(find_footer(file, &f.t.at, &f.t.end));
    KSDA_I_TRY(read_metadata(&f));
done:
    ksda_i_free(ctx, f.element);
    if (status < 0) ksda_i_parquet_close(file);
    return status;
}
