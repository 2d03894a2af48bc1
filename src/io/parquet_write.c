/* Writing Parquet: two columns, required, of whole numbers (INT32 where all are below 2^31, else INT64) or of text
 * (BYTE_ARRAY, UTF-8); row groups of about a million rows, pages packed with zstd, with its checksum. Numbers are
 * plain; each text stands once in the dictionary of its row group, and a reader looks it up once, unless there is too
 * much of it for a page. The footer is written from what the chunks turned out to be. */
#include "io/parquet.h"
#include "io/parquet_file.h"
#include "io/thrift.h"

#include <endian.h>
#include <zstd.h>

#define GROUP_ROWS ((uint64_t)1 << 20)
#define PAGE_ROWS ((uint64_t)1 << 17)
#define PAGE_BYTES ((uint64_t)1 << 26) /* a page with so much text ends */
#define LEVEL 1

#define PLAIN 0
#define RLE 3
#define RLE_DICTIONARY 8
#define DATA_PAGE 0
#define DICTIONARY_PAGE 2

typedef struct written { /* a chunk */
    uint64_t offset, packed, unpacked;
    uint64_t dictionary; /* bytes of its dictionary, which stands first; 0: it has none */
} written;

struct ksda_i_parquet_writer {
    ksda_ctx *ctx;
    ksda_i_output *out;
    uint64_t offset; /* bytes written so far */
    const char *name[2];
    const ksda_i_ids *ids[2];
    ksda_i_parquet_type type[2];
    bool is_unsigned[2];
    uint32_t *pair; /* [2 * GROUP_ROWS] of the row group that is gathered */
    uint64_t rows, groups, all_rows;
    written *chunk; /* [2 * groups] */
    uint64_t *group_rows;
    uint64_t chunk_capacity, group_capacity, page_capacity, packed_capacity;
    char *page, *packed;
    ZSTD_CCtx *zstd;
    uint32_t *place[2]; /* [ids] of texts: its place in the dictionary + 1, where it has one; of both columns once */
    uint32_t *entry;    /* [entries] the dictionary of this chunk: items */
    uint64_t entries, entry_capacity;
};

/* --- what the columns hold --------------------------------------------------------------------------------------- */

static void choose_type(ksda_i_parquet_writer *w, int side) {
    const ksda_i_ids *ids = w->ids[side];
    uint64_t most = ids->count == 0 ? 0 : ids->first + ids->count - 1;
    w->type[side] = KSDA_I_PARQUET_BYTE_ARRAY;
    if (ids->kind == KSDA_I_IDS_NAMES) return;
    for (uint32_t i = 0; i < ids->count && ids->kind == KSDA_I_IDS_NUMBERS; i++)
        if (i == 0 || ids->number[i] > most) most = ids->number[i];
    w->type[side] = most <= INT32_MAX ? KSDA_I_PARQUET_INT32 : KSDA_I_PARQUET_INT64;
    w->is_unsigned[side] = most > INT64_MAX;
}

ksda_status ksda_i_parquet_create(ksda_ctx *ctx, const char *const name[2], const ksda_i_ids *const ids[2],
                                  ksda_i_output *out, ksda_i_parquet_writer **writer) {
    ksda_i_parquet_writer *w = *writer = ksda_i_calloc(ctx, 1, sizeof *w);
    if (!w) return KSDA_NOMEM;
    w->ctx = ctx;
    w->out = out;
    for (int i = 0; i < 2; i++) {
        w->name[i] = name[i];
        w->ids[i] = ids[i];
        choose_type(w, i);
        if (w->type[i] != KSDA_I_PARQUET_BYTE_ARRAY) continue;
        w->place[i] = i && ids[1] == ids[0] ? w->place[0] : ksda_i_calloc(ctx, ids[i]->count, sizeof *w->place[i]);
        if (!w->place[i]) return KSDA_NOMEM;
    }
    w->pair = ksda_i_malloc(ctx, 2 * GROUP_ROWS, sizeof *w->pair);
    w->zstd = ZSTD_createCCtx();
    if (!w->pair) return KSDA_NOMEM;
    if (!w->zstd) return ksda_i_error(ctx, KSDA_NOMEM, "out of memory for zstd");
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
    ksda_i_output_text(out, KSDA_I_PARQUET_MAGIC);
    w->offset = 4;
    return KSDA_OK;
}

/* --- pages ------------------------------------------------------------------------------------------------------- */

static ksda_status put_text(ksda_i_parquet_writer *w, const ksda_i_ids *ids, uint32_t item, uint64_t *used) {
    uint64_t length = ids->start[item + 1] - ids->start[item];
    uint32_t told = htole32((uint32_t)length);
    if (length > INT32_MAX / 4) return ksda_i_error(w->ctx, KSDA_UNSUPPORTED, "a name is too long for Parquet");
    ksda_status status = ksda_i_reserve(w->ctx, &w->page, &w->page_capacity, *used + 4 + length, 1);
    if (status < 0) return status;
    memcpy(w->page + *used, &told, 4);
    memcpy(w->page + *used + 4, ids->text + ids->start[item], length);
    *used += 4 + length;
    return KSDA_OK;
}

static uint64_t number_of(const ksda_i_ids *ids, uint32_t item) {
    return ids->kind == KSDA_I_IDS_RANGE ? ids->first + item : ids->number[item];
}

/* The values of some rows, from *row on, into w->page. */
static ksda_status fill_page(ksda_i_parquet_writer *w, int side, uint64_t *row, uint64_t *size) {
    const ksda_i_ids *ids = w->ids[side];
    uint64_t end = *row + PAGE_ROWS < w->rows ? *row + PAGE_ROWS : w->rows;
    size_t width = w->type[side] == KSDA_I_PARQUET_INT32 ? 4 : 8;
    ksda_status status = KSDA_OK;
    *size = 0;
    if (w->type[side] == KSDA_I_PARQUET_BYTE_ARRAY) {
        for (; *row < end && *size < PAGE_BYTES && status >= 0; ++*row)
            status = put_text(w, ids, w->pair[2 * *row + (uint64_t)side], size);
        return status;
    }
    status = ksda_i_reserve(w->ctx, &w->page, &w->page_capacity, (end - *row) * width, 1);
    for (; *row < end && status >= 0; ++*row, *size += width) {
        uint64_t number = number_of(ids, w->pair[2 * *row + (uint64_t)side]), wide = htole64(number);
        uint32_t narrow = htole32((uint32_t)number);
        memcpy(w->page + *size, width == 4 ? (const void *)&narrow : &wide, width);
    }
    return status;
}

/* What follows is so many values, encoded in that way. */
static ksda_status page_header(ksda_i_parquet_writer *w, bool dictionary, uint64_t values, int32_t encoding,
                               uint64_t unpacked, uint64_t packed, uint64_t *size) {
    ksda_i_output *to;
    char *data;
    size_t length = 0;
    int last = 0, inner = 0;
    ksda_status status = ksda_i_output_memory(w->ctx, &to);
    if (status < 0) return status;
    ksda_i_thrift_put_i32(to, &last, 1, dictionary ? DICTIONARY_PAGE : DATA_PAGE);
    ksda_i_thrift_put_i32(to, &last, 2, (int32_t)unpacked);
    ksda_i_thrift_put_i32(to, &last, 3, (int32_t)packed);
    ksda_i_thrift_put_field(to, &last, dictionary ? 7 : 5, KSDA_I_THRIFT_STRUCT);
    ksda_i_thrift_put_i32(to, &inner, 1, (int32_t)values);
    ksda_i_thrift_put_i32(to, &inner, 2, encoding);
    if (!dictionary) {
        ksda_i_thrift_put_i32(to, &inner, 3, RLE); /* levels, of which there are none */
        ksda_i_thrift_put_i32(to, &inner, 4, RLE);
    }
    ksda_i_thrift_put_stop(to);
    ksda_i_thrift_put_stop(to);
    status = ksda_i_output_take(to, &data, &length);
    if (status < 0) return status;
    ksda_i_output_write(w->out, data, length);
    ksda_i_free(w->ctx, data);
    *size = length;
    return KSDA_OK;
}

/* Pack and write what stands in w->page. */
static ksda_status write_page(ksda_i_parquet_writer *w, bool dictionary, uint64_t values, int32_t encoding,
                              uint64_t size, written *chunk) {
    ksda_status status = KSDA_OK;
    uint64_t header;
    KSDA_I_TRY(ksda_i_reserve(w->ctx, &w->packed, &w->packed_capacity, ZSTD_compressBound(size), 1));
    size_t packed = ZSTD_compress2(w->zstd, w->packed, w->packed_capacity, w->page, size);
    if (ZSTD_isError(packed)) KSDA_I_TRY(ksda_i_error(w->ctx, KSDA_NOMEM, "zstd: %s", ZSTD_getErrorName(packed)));
    KSDA_I_TRY(page_header(w, dictionary, values, encoding, size, packed, &header));
    ksda_i_output_write(w->out, w->packed, packed);
    w->offset += header + packed;
    chunk->unpacked += header + size;
    if (dictionary) chunk->dictionary = header + packed;
    KSDA_I_TRY(ksda_i_interrupted(w->ctx));
done:
    return status;
}

/* --- dictionaries ------------------------------------------------------------------------------------------------ */

/* The texts of this row group, by first occurrence, into w->page. *size: 0 where they are too much for a page. */
static ksda_status fill_dictionary(ksda_i_parquet_writer *w, int side, uint64_t *size) {
    ksda_status status = KSDA_OK;
    *size = w->entries = 0;
    for (uint64_t row = 0; row < w->rows; row++) {
        uint32_t item = w->pair[2 * row + (uint64_t)side];
        if (w->place[side][item]) continue;
        KSDA_I_TRY(ksda_i_reserve(w->ctx, &w->entry, &w->entry_capacity, w->entries + 1, sizeof *w->entry));
        w->entry[w->entries++] = item;
        w->place[side][item] = (uint32_t)w->entries;
        KSDA_I_TRY(put_text(w, w->ids[side], item, size));
        if (*size > PAGE_BYTES) {
            *size = 0;
            break;
        }
    }
done:
    return status;
}

static void forget_dictionary(ksda_i_parquet_writer *w, int side) {
    for (uint64_t i = 0; i < w->entries; i++) w->place[side][w->entry[i]] = 0;
    w->entries = 0;
}

/* Some rows as places in the dictionary: how wide these are, and one run of them, bit by bit, in groups of eight. */
static ksda_status fill_places(ksda_i_parquet_writer *w, int side, uint64_t *row, uint64_t *size) {
    uint64_t end = *row + PAGE_ROWS < w->rows ? *row + PAGE_ROWS : w->rows, groups = (end - *row + 7) / 8;
    uint64_t bits = 0, header = groups << 1 | 1;
    unsigned width = 1, waiting = 0;
    while (w->entries > UINT64_C(1) << width) width++;
    ksda_status status = ksda_i_reserve(w->ctx, &w->page, &w->page_capacity, 16 + groups * width, 1);
    if (status < 0) return status;
    unsigned char *at = (unsigned char *)w->page;
    *at++ = (unsigned char)width;
    for (; header > 127; header >>= 7) *at++ = (unsigned char)(header | 128);
    *at++ = (unsigned char)header;
    for (uint64_t i = 0; i < 8 * groups; i++) {
        uint32_t place = *row < end ? w->place[side][w->pair[2 * *row + (uint64_t)side]] - 1 : 0;
        *row += *row < end;
        bits |= (uint64_t)place << waiting;
        for (waiting += width; waiting >= 8; waiting -= 8, bits >>= 8) *at++ = (unsigned char)bits;
    }
    *size = (uint64_t)(at - (unsigned char *)w->page);
    return KSDA_OK;
}

/* --- chunks and row groups --------------------------------------------------------------------------------------- */

static ksda_status write_chunk(ksda_i_parquet_writer *w, int side, written *chunk) {
    ksda_status status = KSDA_OK;
    uint64_t size = 0;
    *chunk = (written){.offset = w->offset};
    if (w->type[side] == KSDA_I_PARQUET_BYTE_ARRAY) KSDA_I_TRY(fill_dictionary(w, side, &size));
    if (size) KSDA_I_TRY(write_page(w, true, w->entries, PLAIN, size, chunk));
    for (uint64_t row = 0, before = 0; row < w->rows; before = row) {
        KSDA_I_TRY(chunk->dictionary ? fill_places(w, side, &row, &size) : fill_page(w, side, &row, &size));
        KSDA_I_TRY(write_page(w, false, row - before, chunk->dictionary ? RLE_DICTIONARY : PLAIN, size, chunk));
    }
    chunk->packed = w->offset - chunk->offset;
done:
    if (w->place[side]) forget_dictionary(w, side);
    return status;
}

static ksda_status write_group(ksda_i_parquet_writer *w) {
    ksda_status status = KSDA_OK;
    if (w->rows == 0) return KSDA_OK;
    KSDA_I_TRY(ksda_i_reserve(w->ctx, &w->chunk, &w->chunk_capacity, 2 * w->groups + 2, sizeof *w->chunk));
    KSDA_I_TRY(ksda_i_reserve(w->ctx, &w->group_rows, &w->group_capacity, w->groups + 1, sizeof *w->group_rows));
    for (int side = 0; side < 2; side++) KSDA_I_TRY(write_chunk(w, side, &w->chunk[2 * w->groups + (uint64_t)side]));
    w->group_rows[w->groups++] = w->rows;
    w->all_rows += w->rows;
    w->rows = 0;
done:
    return status;
}

ksda_status ksda_i_parquet_add(ksda_i_parquet_writer *w, uint32_t one, uint32_t two) {
    w->pair[2 * w->rows] = one;
    w->pair[2 * w->rows + 1] = two;
    return ++w->rows < GROUP_ROWS ? KSDA_OK : write_group(w);
}

/* --- the footer -------------------------------------------------------------------------------------------------- */

static void put_column(const ksda_i_parquet_writer *w, int side, ksda_i_output *to) {
    int last = 0, logical = 0, integer = 0;
    ksda_i_thrift_put_i32(to, &last, 1, (int32_t)w->type[side]);
    ksda_i_thrift_put_i32(to, &last, 3, 0); /* required */
    ksda_i_thrift_put_text(to, &last, 4, w->name[side]);
    if (w->type[side] == KSDA_I_PARQUET_BYTE_ARRAY) {
        ksda_i_thrift_put_i32(to, &last, 6, 0); /* UTF8 */
        ksda_i_thrift_put_field(to, &last, 10, KSDA_I_THRIFT_STRUCT);
        ksda_i_thrift_put_field(to, &logical, 1, KSDA_I_THRIFT_STRUCT);
        ksda_i_thrift_put_stop(to);
        ksda_i_thrift_put_stop(to);
    } else if (w->is_unsigned[side]) {
        ksda_i_thrift_put_i32(to, &last, 6, 14); /* UINT_64 */
        ksda_i_thrift_put_field(to, &last, 10, KSDA_I_THRIFT_STRUCT);
        ksda_i_thrift_put_field(to, &logical, 10, KSDA_I_THRIFT_STRUCT);
        ksda_i_thrift_put_field(to, &integer, 1, KSDA_I_THRIFT_I8);
        ksda_i_output_write(to, "\x40", 1);
        ksda_i_thrift_put_field(to, &integer, 2, KSDA_I_THRIFT_FALSE);
        ksda_i_thrift_put_stop(to);
        ksda_i_thrift_put_stop(to);
    }
    ksda_i_thrift_put_stop(to);
}

static void put_chunk(const ksda_i_parquet_writer *w, uint64_t group, int side, ksda_i_output *to) {
    const written *chunk = &w->chunk[2 * group + (uint64_t)side];
    int last = 0, inner = 0;
    ksda_i_thrift_put_int(to, &last, 2, (int64_t)chunk->offset);
    ksda_i_thrift_put_field(to, &last, 3, KSDA_I_THRIFT_STRUCT);
    ksda_i_thrift_put_i32(to, &inner, 1, (int32_t)w->type[side]);
    ksda_i_thrift_put_list(to, &inner, 2, chunk->dictionary ? 3 : 2, KSDA_I_THRIFT_I32);
    ksda_i_thrift_put_varint(to, 2 * PLAIN); /* zigzag */
    ksda_i_thrift_put_varint(to, 2 * RLE);
    if (chunk->dictionary) ksda_i_thrift_put_varint(to, 2 * RLE_DICTIONARY);
    ksda_i_thrift_put_list(to, &inner, 3, 1, KSDA_I_THRIFT_BINARY);
    ksda_i_thrift_put_varint(to, strlen(w->name[side]));
    ksda_i_output_text(to, w->name[side]);
    ksda_i_thrift_put_i32(to, &inner, 4, 6); /* zstd */
    ksda_i_thrift_put_int(to, &inner, 5, (int64_t)w->group_rows[group]);
    ksda_i_thrift_put_int(to, &inner, 6, (int64_t)chunk->unpacked);
    ksda_i_thrift_put_int(to, &inner, 7, (int64_t)chunk->packed);
    ksda_i_thrift_put_int(to, &inner, 9, (int64_t)(chunk->offset + chunk->dictionary));
    if (chunk->dictionary) ksda_i_thrift_put_int(to, &inner, 11, (int64_t)chunk->offset);
    ksda_i_thrift_put_stop(to);
    ksda_i_thrift_put_stop(to);
}

static void put_metadata(const ksda_i_parquet_writer *w, ksda_i_output *to) {
    int last = 0, root = 0;
    ksda_i_thrift_put_i32(to, &last, 1, 1);
    ksda_i_thrift_put_list(to, &last, 2, 3, KSDA_I_THRIFT_STRUCT);
    ksda_i_thrift_put_text(to, &root, 4, "schema");
    ksda_i_thrift_put_i32(to, &root, 5, 2);
    ksda_i_thrift_put_stop(to);
    for (int side = 0; side < 2; side++) put_column(w, side, to);
    ksda_i_thrift_put_int(to, &last, 3, (int64_t)w->all_rows);
    ksda_i_thrift_put_list(to, &last, 4, (uint32_t)w->groups, KSDA_I_THRIFT_STRUCT);
    for (uint64_t g = 0; g < w->groups; g++) {
        int inner = 0;
        ksda_i_thrift_put_list(to, &inner, 1, 2, KSDA_I_THRIFT_STRUCT);
        for (int side = 0; side < 2; side++) put_chunk(w, g, side, to);
        ksda_i_thrift_put_int(to, &inner, 2, (int64_t)(w->chunk[2 * g].unpacked + w->chunk[2 * g + 1].unpacked));
        ksda_i_thrift_put_int(to, &inner, 3, (int64_t)w->group_rows[g]);
        ksda_i_thrift_put_stop(to);
    }
    ksda_i_thrift_put_text(to, &last, 6, "ksda");
    ksda_i_thrift_put_stop(to);
}

static ksda_status write_footer(ksda_i_parquet_writer *w) {
    ksda_i_output *to;
    char *data;
    size_t length = 0;
    ksda_status status = ksda_i_output_memory(w->ctx, &to);
    if (status < 0) return status;
    put_metadata(w, to);
    status = ksda_i_output_take(to, &data, &length);
    if (status < 0) return status;
    uint32_t told = htole32((uint32_t)length);
    ksda_i_output_write(w->out, data, length);
    ksda_i_output_write(w->out, &told, 4);
    ksda_i_output_text(w->out, KSDA_I_PARQUET_MAGIC);
    ksda_i_free(w->ctx, data);
    return KSDA_OK;
}

ksda_status ksda_i_parquet_finish(ksda_i_parquet_writer *w, ksda_status status) {
    if (!w) return status;
    ksda_ctx *ctx = w->ctx;
    if (status >= 0) status = write_group(w);
    if (status >= 0) status = write_footer(w);
    ksda_i_free(ctx, w->pair);
    ksda_i_free(ctx, w->chunk);
    ksda_i_free(ctx, w->group_rows);
    ksda_i_free(ctx, w->page);
    ksda_i_free(ctx, w->packed);
    ksda_i_free(ctx, w->entry);
    ksda_i_free(ctx, w->place[0]);
    if (w->place[1] != w->place[0]) ksda_i_free(ctx, w->place[1]);
    ZSTD_freeCCtx(w->zstd);
    ksda_i_free(ctx, w);
    return status;
}
