/* Sparse matrices as scipy.sparse.save_npz() writes them: a zip archive of arrays (.npy). CSR and CSC have indptr and
 * indices, COO has row and col; all have shape, format and data, whose values do not matter: an entry that is stored is
 * an edge, as in Matrix Market files. The matrix is square and its rows are the vertices 0 to n - 1. A symmetric one
 * holds every edge twice, which is no repetition; if it is not symmetric that is told, and every entry is an edge.
 *
 * Written as CSR, symmetric, with ones (int8) as data and indices of 32 bits where they fit, stored, as zip64. */
#include "graph/builder.h"
#include "io/extras.h"
#include "io/formats.h"
#include "io/text.h"
#include "io/zip.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <zlib.h>

#define MANY ((uint64_t)1 << 22)
#define CHUNK ((uint64_t)1 << 16) /* edges */

typedef struct array { /* of one dimension, or none */
    ksda_i_zip_member member;
    const char *data;
    uint64_t count;
    size_t width;
    bool whole, is_signed; /* numbers; of them, signed ones */
    bool present;
} array;

typedef struct reader {
    ksda_ctx *ctx;
    ksda_i_zip zip;
    uint64_t n, entries, above, below; /* entries over and under the diagonal */
    array first, second;               /* indptr and indices, or row and col */
    ksda_i_builder *builder;
    uint32_t *pair;
    uint64_t pairs;
} reader;

static bool sniff_npz(const char *data, size_t size) {
    if (size < 30 || memcmp(data, "PK\x03\x04", 4) != 0) return false;
    uint64_t length = ksda_i_zip_number(data + 26, 2);
    return length > 4 && 30 + length <= size && memcmp(data + 30 + length - 4, ".npy", 4) == 0;
}

/* --- arrays ------------------------------------------------------------------------------------------------------ */

static ksda_status bad_array(const reader *x, const char *name, const char *what) {
    return ksda_i_error_at(x->ctx, KSDA_PARSE, x->zip.name, 0, 0, "%s in the archive %s", name, what);
}

/* What stands behind a key of the header, which is a Python dict; NULL: it is not there. */
static const char *behind(const char *header, const char *key) {
    const char *at = strstr(header, key);
    if (!at) return NULL;
    at += strlen(key);
    while (*at == ' ' || *at == ':') at++;
    return at;
}

static bool read_type(const char *header, array *a) {
    const char *at = behind(header, "'descr'");
    unsigned width = 0;
    if (!at || *at != '\'' || !strchr("<|=", at[1]) || at[1] == '\0' || at[2] == '\0') return false;
    for (const char *digit = at + 3; *digit >= '0' && *digit <= '9' && width < 1000; digit++)
        width = 10 * width + (unsigned)(*digit - '0');
    a->whole = at[2] == 'i' || at[2] == 'u';
    a->is_signed = at[2] == 'i';
    a->width = at[2] == 'U' ? 4 * width : width;
    return a->width > 0 && (!a->whole || a->width <= 8);
}

static bool read_shape(const char *header, array *a) {
    const char *at = behind(header, "'shape'");
    a->count = 1;
    if (!at || *at++ != '(') return false;
    for (unsigned dimensions = 0; *at != ')'; dimensions++) {
        ksda_i_text t = {.at = at, .end = at + strspn(at, "0123456789")};
        if (dimensions || !ksda_i_text_number(&t, &a->count)) return false;
        at = t.end;
        while (*at == ',' || *at == ' ') at++;
    }
    return true;
}

static ksda_status read_array(const reader *x, const char *name, array *a) {
    char header[1024];
    ksda_status status = ksda_i_zip_read(&x->zip, name, &a->member);
    if (status < 0 || !a->member.data) return status;
    const char *data = a->member.data;
    if (a->member.size < 12 || memcmp(data, "\x93NUMPY", 6) != 0) return bad_array(x, name, "is no numpy array");
    unsigned wide = data[6] == 1 ? 2 : 4;
    uint64_t length = ksda_i_zip_number(data + 8, wide);
    if (length >= sizeof header || 8 + wide + length > a->member.size)
        return bad_array(x, name, "has a header that is cut off, or far too long");
    memcpy(header, data + 8 + wide, length);
    header[length] = '\0';
    if (!read_type(header, a) || !read_shape(header, a))
        return bad_array(x, name, "is not an array of one dimension and little-endian values");
    a->data = data + 8 + wide + length;
    if ((a->member.size - 8 - wide - length) / a->width < a->count)
        return bad_array(x, name, "is shorter than its header says");
    a->present = true;
    return KSDA_OK;
}

static ksda_status read_numbers(const reader *x, const char *name, array *a) {
    ksda_status status = read_array(x, name, a);
    if (status < 0) return status;
    if (!a->present) return bad_array(x, name, "is missing: this is not what scipy.sparse.save_npz() writes");
    return a->whole ? KSDA_OK : bad_array(x, name, "does not hold whole numbers");
}

/* Negative numbers become larger than any other. */
static inline uint64_t number_at(const array *a, uint64_t i) {
    uint64_t number = 0;
    if (a->width == 4) {
        uint32_t narrow;
        memcpy(&narrow, a->data + 4 * i, 4);
        narrow = le32toh(narrow);
        return a->is_signed ? (uint64_t)(int64_t)(int32_t)narrow : narrow;
    }
    number = ksda_i_zip_number(a->data + a->width * i, (unsigned)a->width);
    unsigned unused = 64 - 8 * (unsigned)a->width;
    return a->is_signed ? (uint64_t)((int64_t)(number << unused) >> unused) : number;
}

static void clear_array(const reader *x, array *a) {
    ksda_i_free(x->ctx, a->member.owned);
    *a = (array){.count = 0};
}

/* --- the matrix -------------------------------------------------------------------------------------------------- */

static ksda_status read_size(reader *x) {
    array shape = {.count = 0};
    ksda_status status = read_numbers(x, "shape.npy", &shape);
    uint64_t rows = 0, columns = 0;
    if (status >= 0 && shape.count == 2) rows = number_at(&shape, 0), columns = number_at(&shape, 1);
    if (status >= 0 && shape.count != 2) status = bad_array(x, "shape.npy", "does not have two numbers");
    clear_array(x, &shape);
    if (status < 0) return status;
    x->n = rows;
    if (rows != columns)
        return ksda_i_error_at(x->ctx, KSDA_PARSE, x->zip.name, 0, 0,
                               "%" PRIu64 " rows but %" PRIu64 " columns; the matrix of a graph is square", rows,
                               columns);
    if (rows > KSDA_MAX_VERTICES)
        return ksda_i_error_at(x->ctx, KSDA_PARSE, x->zip.name, 0, 0, "%" PRIu64 " vertices; at most %u are possible",
                               rows, KSDA_MAX_VERTICES);
    return KSDA_OK;
}

/* "csr" as bytes or in 32 bits a character, into kind. */
static ksda_status read_kind(const reader *x, char kind[4]) {
    array format = {.count = 0};
    ksda_status status = read_array(x, "format.npy", &format);
    if (status >= 0 && !format.present)
        status = bad_array(x, "format.npy", "is missing: this is not what scipy.sparse.save_npz() writes");
    if (status >= 0 && format.count != 1) status = bad_array(x, "format.npy", "is not one word");
    size_t step = format.width == 12 ? 4 : 1;
    for (size_t i = 0; status >= 0 && i < 3; i++) kind[i] = i * step < format.width ? format.data[i * step] : '\0';
    kind[3] = '\0';
    clear_array(x, &format);
    return status;
}

static ksda_status keep_entry(reader *x, uint64_t row, uint64_t column, uint64_t place) {
    if (row >= x->n || column >= x->n)
        return ksda_i_error_at(x->ctx, KSDA_PARSE, x->zip.name, 0, 0,
                               "entry %" PRIu64 " stands in row %" PRId64 ", column %" PRId64
                               ", but rows and columns go from 0 to %" PRId64,
                               place + 1, (int64_t)row, (int64_t)column, (int64_t)x->n - 1);
    x->above += row<column, x->below += row> column;
    if (x->pairs == 0 && !(x->pair = ksda_i_builder_room(x->builder, 0, CHUNK, false))) return KSDA_NOMEM;
    x->pair[2 * x->pairs] = (uint32_t)row;
    x->pair[2 * x->pairs + 1] = (uint32_t)column;
    if (++x->pairs < CHUNK) return KSDA_OK;
    ksda_i_builder_commit(x->builder, 0, x->pairs);
    x->pairs = 0;
    return ksda_i_progress(x->ctx, "reading", place, x->entries);
}

static ksda_status read_rows(reader *x) {
    ksda_status status = KSDA_OK;
    KSDA_I_TRY(read_numbers(x, "indptr.npy", &x->first));
    KSDA_I_TRY(read_numbers(x, "indices.npy", &x->second));
    if (x->first.count != x->n + 1 || number_at(&x->first, 0) != 0)
        KSDA_I_TRY(bad_array(x, "indptr.npy", "does not have a number more than the matrix has rows, the first 0"));
    x->entries = number_at(&x->first, x->n);
    for (uint64_t row = 0, i = 0; row < x->n; row++) {
        uint64_t end = number_at(&x->first, row + 1);
        if (end < i || end > x->second.count)
            KSDA_I_TRY(bad_array(x, "indptr.npy", "descends, or goes beyond the end of indices.npy"));
        for (; i < end; i++) KSDA_I_TRY(keep_entry(x, row, number_at(&x->second, i), i));
        if (row % CHUNK == 0) KSDA_I_TRY(ksda_i_interrupted(x->ctx));
    }
done:
    return status;
}

static ksda_status read_entries(reader *x) {
    ksda_status status = KSDA_OK;
    KSDA_I_TRY(read_numbers(x, "row.npy", &x->first));
    KSDA_I_TRY(read_numbers(x, "col.npy", &x->second));
    x->entries = x->first.count;
    if (x->entries != x->second.count) KSDA_I_TRY(bad_array(x, "col.npy", "is not as long as row.npy"));
    if (x->n > MANY && x->n / 256 > x->entries)
        KSDA_I_TRY(bad_array(x, "shape.npy", "announces far more vertices than there are entries: hardly a graph"));
    for (uint64_t i = 0; i < x->entries; i++)
        KSDA_I_TRY(keep_entry(x, number_at(&x->first, i), number_at(&x->second, i), i));
done:
    return status;
}

static ksda_status read_matrix(reader *x) {
    char kind[4];
    ksda_status status = read_kind(x, kind);
    if (status >= 0) status = read_size(x);
    if (status < 0) return status;
    if (strcmp(kind, "csr") == 0 || strcmp(kind, "csc") == 0) return read_rows(x);
    if (strcmp(kind, "coo") == 0) return read_entries(x);
    bool known = strcmp(kind, "bsr") == 0 || strcmp(kind, "dia") == 0;
    return ksda_i_error_at(x->ctx, KSDA_UNSUPPORTED, x->zip.name, 0, 0,
                           "a matrix in the format %s, which is not read: save matrix.tocsr()", known ? kind : "?");
}

/* An edge that stands in both triangles is no repetition. */
static void settle_symmetry(const reader *x, ksda_i_read *r) {
    ksda_graph *g = r->graph;
    if (x->above == g->m && x->below == g->m) {
        g->cleaning.input_edges -= g->m;
        g->cleaning.duplicate_edges -= g->m;
        return;
    }
    ksda_i_note(r->reading.note, sizeof r->reading.note,
                "the matrix is not symmetric (%" PRIu64 " entries above the diagonal, %" PRIu64
                " below): every entry is an edge, whichever way it points",
                x->above, x->below);
}

static ksda_status read_npz(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *r) {
    ksda_status status;
    reader x = {.ctx = ctx};
    *r = (ksda_i_read){.closed = true};
    if (options->attribute)
        return ksda_i_error_at(ctx, KSDA_UNSUPPORTED, ksda_i_source_name(source), 0, 0,
                               "matrices have no vertex attributes");
    KSDA_I_TRY(ksda_i_zip_open(ctx, source, &x.zip));
    KSDA_I_TRY(ksda_i_builder_new(ctx, 1, &x.builder));
    KSDA_I_TRY(read_matrix(&x));
    if (x.pairs) ksda_i_builder_commit(x.builder, 0, x.pairs);
    ksda_i_builder_declare(x.builder, 0, (uint32_t)x.n);
    status = ksda_i_builder_finish(x.builder, NULL, &r->graph);
    x.builder = NULL; /* freed, whatever happened */
    if (status >= 0) settle_symmetry(&x, r);
done:
    ksda_i_builder_free(ctx, x.builder);
    clear_array(&x, &x.first);
    clear_array(&x, &x.second);
    if (status < 0) ksda_i_read_clear(ctx, r);
    return status;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

typedef struct member {
    const char *name, *type;
    uint64_t count; /* UINT64_MAX: one value without a dimension */
    size_t width;
    uint64_t (*value)(const ksda_graph *g, uint64_t i);
} member;

typedef struct written {
    uint64_t offset, size;
    uLong crc;
} written;

static uint64_t index_value(const ksda_graph *g, uint64_t i) {
    return g->adj[i];
}
static uint64_t start_value(const ksda_graph *g, uint64_t i) {
    return g->off[i];
}
static uint64_t size_value(const ksda_graph *g, uint64_t i) {
    (void)i;
    return g->n;
}
static uint64_t one_value(const ksda_graph *g, uint64_t i) {
    (void)g, (void)i;
    return 1;
}
static uint64_t kind_value(const ksda_graph *g, uint64_t i) {
    (void)g, (void)i;
    return 'c' | 's' << 8 | 'r' << 16;
}

/* The array, once for its checksum and once into the file. Returns how many bytes it has. */
static uint64_t put_array(const ksda_ctx *ctx, const ksda_graph *g, const member *m, ksda_i_output *out, uLong *crc) {
    char block[8 * 4096 + 8], shape[32] = "()";
    uint64_t count = m->count == UINT64_MAX ? 1 : m->count, used = 0, size = 128;
    if (m->count != UINT64_MAX) snprintf(shape, sizeof shape, "(%" PRIu64 ",)", m->count);
    int length =
        snprintf(block, sizeof block, "\x93NUMPY\x01%c%c%c{'descr': '%s', 'fortran_order': False, 'shape': %s, }", 0,
                 118, 0, m->type, shape);
    memset(block + length, ' ', 127 - (size_t)length);
    block[127] = '\n';
    used = 128;
    for (uint64_t i = 0; i < count || used; i++) {
        if (used + 8 > sizeof block || i >= count) {
            if (crc) *crc = crc32(*crc, (const unsigned char *)block, (unsigned)used);
            if (out) ksda_i_output_write(out, block, used);
            used = 0;
        }
        if (i >= count || (used == 0 && ksda_i_cancelled(ctx))) break;
        uint64_t value = htole64(m->value(g, i));
        memcpy(block + used, &value, 8);
        used += m->width, size += m->width;
    }
    return size;
}

static void put_number(ksda_i_output *out, uint64_t number, unsigned bytes) {
    uint64_t little = htole64(number);
    ksda_i_output_write(out, &little, bytes);
}

/* What a local header and an entry of the directory have in common; the sizes stand in the zip64 field. */
static void put_entry(ksda_i_output *out, const member *m, const written *w, bool directory) {
    put_number(out, directory ? 0x02014b50 : 0x04034b50, 4);
    if (directory) put_number(out, 45, 2);
    put_number(out, 45, 2);                   /* zip64 */
    put_number(out, 0, 4);                    /* no flags, stored */
    put_number(out, UINT64_C(0x00210000), 4); /* 1 January 1980 */
    put_number(out, w->crc, 4);
    put_number(out, UINT64_C(0xffffffffffffffff), 8);
    put_number(out, strlen(m->name), 2);
    put_number(out, directory ? 28 : 20, 2);
    if (directory) put_number(out, 0, 8), put_number(out, 0, 2), put_number(out, UINT32_MAX, 4);
    ksda_i_output_text(out, m->name);
    put_number(out, 1, 2);
    put_number(out, directory ? 24 : 16, 2);
    put_number(out, w->size, 8);
    put_number(out, w->size, 8);
    if (directory) put_number(out, w->offset, 8);
}

static void put_end(ksda_i_output *out, uint64_t members, uint64_t directory, uint64_t size) {
    put_number(out, 0x06064b50, 4);
    put_number(out, 44, 8);
    put_number(out, 45, 2), put_number(out, 45, 2);
    put_number(out, 0, 8);
    put_number(out, members, 8), put_number(out, members, 8);
    put_number(out, size, 8), put_number(out, directory, 8);
    put_number(out, 0x07064b50, 4);
    put_number(out, 0, 4), put_number(out, directory + size, 8), put_number(out, 1, 4);
    put_number(out, 0x06054b50, 4);
    put_number(out, 0, 4), put_number(out, members, 2), put_number(out, members, 2);
    put_number(out, UINT64_C(0xffffffffffffffff), 8), put_number(out, 0, 2);
}

static ksda_status write_npz(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *communities,
                             ksda_i_output *out) {
    bool wide = 2 * g->m > INT32_MAX || g->n > INT32_MAX;
    const char *type = wide ? "<i8" : "<i4";
    const member members[] = {{"indices.npy", type, 2 * g->m, wide ? 8 : 4, index_value},
                              {"indptr.npy", type, (uint64_t)g->n + 1, wide ? 8 : 4, start_value},
                              {"format.npy", "|S3", UINT64_MAX, 3, kind_value},
                              {"shape.npy", "<i8", 2, 8, size_value},
                              {"data.npy", "|i1", 2 * g->m, 1, one_value}};
    enum {
        MEMBERS = sizeof members / sizeof *members
    };
    written w[MEMBERS];
    uint64_t offset = 0, size = 0;
    (void)communities;
    for (int i = 0; i < MEMBERS; i++) {
        w[i] = (written){.offset = offset, .crc = crc32(0, NULL, 0)};
        w[i].size = put_array(ctx, g, &members[i], NULL, &w[i].crc);
        put_entry(out, &members[i], &w[i], false);
        put_array(ctx, g, &members[i], out, NULL);
        offset += 30 + strlen(members[i].name) + 20 + w[i].size;
        ksda_status status = ksda_i_progress(ctx, "writing", (uint64_t)i, MEMBERS);
        if (status < 0) return status;
    }
    for (int i = 0; i < MEMBERS; i++) {
        put_entry(out, &members[i], &w[i], true);
        size += 46 + strlen(members[i].name) + 28;
    }
    put_end(out, MEMBERS, offset, size);
    return KSDA_OK;
}

const ksda_i_format ksda_i_format_npz = {
    .name = "npz",
    .endings = ".npz",
    .numbers = true,
    .binary = true,
    .sniff = sniff_npz,
    .read = read_npz,
    .write = write_npz,
};
