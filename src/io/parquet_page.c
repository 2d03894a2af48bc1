/* The pages of a column: a header (Thrift), then levels and values, packed. A column that may have nulls has a level
 * for each row, 1 where there is a value. Values come plain, as numbers into the chunk's dictionary, or as deltas.
 * What a page claims is held against its bytes before memory is taken for it. */
#include "io/parquet_page.h"

#include "io/parquet_code.h"
#include "io/snappy.h"
#include "io/text.h"
#include "io/thrift.h"

#include <endian.h>
#include <inttypes.h>
#include <zlib.h>
#include <zstd.h>

enum {
    PLAIN = 0,
    PLAIN_DICTIONARY = 2,
    RLE = 3,
    DELTA_BINARY_PACKED = 5,
    DELTA_LENGTH_BYTE_ARRAY = 6,
    DELTA_BYTE_ARRAY = 7,
    RLE_DICTIONARY = 8
};
enum {
    DATA_PAGE = 0,
    DICTIONARY_PAGE = 2,
    DATA_PAGE_V2 = 3
};

typedef struct page {
    const char *place; /* of its header */
    int32_t kind, encoding, level_encoding;
    int64_t unpacked, packed, values, level_bytes, repetition_bytes;
    bool is_packed;
    const char *at, *end; /* what it holds, unpacked but for the levels of the second version */
} page;

static ksda_status damaged(const ksda_i_parquet_cursor *c, const page *p, const char *what) {
    char shown[KSDA_I_SHOWN];
    return ksda_i_parquet_error(c->file, p->place, "the page of column %s that begins here is damaged: %s",
                                ksda_i_show(c->column->name, c->column->length, shown), what);
}

static ksda_status unsupported(const ksda_i_parquet_cursor *c, const char *what, const char *to_do) {
    char shown[KSDA_I_SHOWN];
    return ksda_i_error_at(c->file->ctx, KSDA_UNSUPPORTED, c->file->name, 0, 0,
                           "column %s is %s, which is not read: %s",
                           ksda_i_show(c->column->name, c->column->length, shown), what, to_do);
}

/* --- headers ----------------------------------------------------------------------------------------------------- */

static void read_data_header(ksda_i_thrift *t, unsigned type, page *p) {
    int id = 0;
    if (!ksda_i_thrift_struct(t, type)) return;
    while (ksda_i_thrift_field(t, &id, &type)) switch (id) {
        case 1: p->values = ksda_i_thrift_int(t, type); break;
        case 2: p->encoding = (int32_t)ksda_i_thrift_int(t, type); break;
        case 3: p->level_encoding = (int32_t)ksda_i_thrift_int(t, type); break;
        default: ksda_i_thrift_skip(t, type);
        }
}

static void read_second_header(ksda_i_thrift *t, unsigned type, page *p) {
    int id = 0;
    if (!ksda_i_thrift_struct(t, type)) return;
    while (ksda_i_thrift_field(t, &id, &type)) switch (id) {
        case 1: p->values = ksda_i_thrift_int(t, type); break;
        case 4: p->encoding = (int32_t)ksda_i_thrift_int(t, type); break;
        case 5: p->level_bytes = ksda_i_thrift_int(t, type); break;
        case 6: p->repetition_bytes = ksda_i_thrift_int(t, type); break;
        case 7: p->is_packed = ksda_i_thrift_bool(t, type); break;
        default: ksda_i_thrift_skip(t, type);
        }
}

static ksda_status read_header(ksda_i_parquet_cursor *c, page *p) {
    ksda_i_thrift t = {.at = c->at, .end = c->end};
    int id = 0;
    unsigned type;
    *p = (page){.place = c->at,
                .kind = -1,
                .unpacked = -1,
                .packed = -1,
                .values = -1,
                .level_encoding = RLE,
                .is_packed = true};
    while (ksda_i_thrift_field(&t, &id, &type)) switch (id) {
        case 1: p->kind = (int32_t)ksda_i_thrift_int(&t, type); break;
        case 2: p->unpacked = ksda_i_thrift_int(&t, type); break;
        case 3: p->packed = ksda_i_thrift_int(&t, type); break;
        case 5:
        case 7: read_data_header(&t, type, p); break;
        case 8: read_second_header(&t, type, p); break;
        default: ksda_i_thrift_skip(&t, type);
        }
    if (t.bad) return damaged(c, p, "its header is cut off, or nonsense");
    if (p->packed < 0 || p->packed > c->end - t.at) return damaged(c, p, "it ends behind its column");
    if (p->unpacked < 0 || p->unpacked > INT32_MAX) return damaged(c, p, "its size is impossible");
    p->at = t.at;
    p->end = c->at = t.at + p->packed;
    return KSDA_OK;
}

/* --- compression ------------------------------------------------------------------------------------------------- */

static ksda_status gunzip(ksda_i_parquet_cursor *c, const page *p, char *out, size_t room) {
    z_stream z = {.next_in = (unsigned char *)p->at, .avail_in = (unsigned)(p->end - p->at)};
    int code = inflateInit2(&z, 15 + 32);
    if (code != Z_OK) return ksda_i_error(c->file->ctx, KSDA_NOMEM, "out of memory for zlib");
    z.next_out = (unsigned char *)out;
    z.avail_out = (unsigned)room;
    code = inflate(&z, Z_FINISH);
    bool whole = code == Z_STREAM_END && z.avail_out == 0;
    inflateEnd(&z);
    if (code == Z_MEM_ERROR) return ksda_i_error(c->file->ctx, KSDA_NOMEM, "out of memory for zlib");
    return whole ? KSDA_OK : damaged(c, p, "its gzip data");
}

static ksda_status refuse_codec(const ksda_i_parquet_cursor *c) {
    static const char *const names[] = {
        [3] = "packed with LZO", [4] = "packed with brotli", [5] = "packed with LZ4", [7] = "packed with LZ4"};
    int codec = c->chunk->codec;
    const char *name = codec >= 0 && codec < 8 ? names[codec] : NULL;
    return unsupported(c, name ? name : "packed in a way that is not known",
                       "write it with zstd, snappy, gzip or no compression");
}

/* Unpack what the page holds behind its first `plain` bytes, which are never packed. */
static ksda_status unpack(ksda_i_parquet_cursor *c, page *p, uint64_t plain, char **buffer, uint64_t *capacity) {
    size_t size = (size_t)(p->end - p->at), room;
    ksda_status status = KSDA_OK;
    if (plain > size || plain > (uint64_t)p->unpacked) return damaged(c, p, "its levels are longer than itself");
    p->at += plain;
    size -= plain;
    room = (size_t)p->unpacked - plain;
    int codec = p->is_packed ? c->chunk->codec : 0;
    if (codec == 0 && room != size) return damaged(c, p, "it is not packed, but has two sizes");
    if (codec == 0) return KSDA_OK;
    if (codec != 1 && codec != 2 && codec != 6) return refuse_codec(c);
    if (!ksda_i_parquet_plausible(room, size)) return damaged(c, p, "it announces far more than it can hold");
    KSDA_I_TRY(ksda_i_reserve(c->file->ctx, buffer, capacity, room + 1, 1));
    if (codec == 1 && !ksda_i_unsnappy(p->at, size, *buffer, room)) status = damaged(c, p, "its snappy data");
    if (codec == 2 && size + room > 0) status = gunzip(c, p, *buffer, room);
    if (codec == 6 && ZSTD_decompress(*buffer, room, p->at, size) != room) status = damaged(c, p, "its zstd data");
    p->at = *buffer;
    p->end = *buffer + room;
done:
    return status;
}

/* --- plain values ------------------------------------------------------------------------------------------------ */

static uint64_t as_read(const ksda_i_parquet_column *column, uint64_t number) {
    if (column->type != KSDA_I_PARQUET_INT32) return number;
    return column->is_unsigned ? (uint32_t)number : (uint64_t)(int64_t)(int32_t)(uint32_t)number;
}

static ksda_status plain_numbers(const ksda_i_parquet_cursor *c, const page *p, uint64_t count, uint64_t *out) {
    size_t width = c->column->type == KSDA_I_PARQUET_INT32 ? 4 : 8;
    if ((uint64_t)(p->end - p->at) / width < count) return damaged(c, p, "it has fewer values than it says");
    for (uint64_t i = 0; i < count && width == 4; i++) {
        uint32_t number;
        memcpy(&number, p->at + 4 * i, 4);
        out[i] = as_read(c->column, le32toh(number));
    }
    for (uint64_t i = 0; i < count && width == 8; i++) {
        uint64_t number;
        memcpy(&number, p->at + 8 * i, 8);
        out[i] = le64toh(number);
    }
    return KSDA_OK;
}

/* Room for more texts behind those that there are; count was held against the bytes before. */
static ksda_status more_texts(ksda_i_parquet_cursor *c, uint64_t count) {
    if (c->texts + count >= UINT32_MAX) return ksda_i_error(c->file->ctx, KSDA_UNSUPPORTED, "too many texts in a page");
    return ksda_i_reserve(c->file->ctx, &c->text, &c->text_capacity, c->texts + count, sizeof *c->text);
}

static ksda_status plain_texts(ksda_i_parquet_cursor *c, const page *p, uint64_t count) {
    const char *at = p->at;
    if ((uint64_t)(p->end - at) / 4 < count) return damaged(c, p, "it has fewer values than it says");
    ksda_status status = more_texts(c, count);
    for (uint64_t i = 0; i < count && status >= 0; i++) {
        uint32_t length;
        if (p->end - at < 4) return damaged(c, p, "a text begins behind its end");
        memcpy(&length, at, 4);
        length = le32toh(length);
        at += 4;
        if (length > (uint64_t)(p->end - at)) return damaged(c, p, "a text ends behind its end");
        c->text[c->texts++] = (ksda_i_parquet_text){at, length};
        at += length;
    }
    return status;
}

/* --- deltas ------------------------------------------------------------------------------------------------------ */

/* Lengths first, then the bytes. Into c->number: the lengths. */
static ksda_status delta_lengths(ksda_i_parquet_cursor *c, page *p, uint64_t count) {
    ksda_status status = more_texts(c, count);
    if (status < 0) return status;
    status = ksda_i_reserve(c->file->ctx, &c->number, &c->number_capacity, count, sizeof *c->number);
    if (status < 0) return status;
    if (!(p->at = ksda_i_parquet_delta(p->at, p->end, count, c->number))) return damaged(c, p, "its lengths");
    for (uint64_t i = 0; i < count; i++) {
        uint32_t length = (uint32_t)c->number[i];
        if (length > (uint64_t)(p->end - p->at)) return damaged(c, p, "a text ends behind its end");
        c->text[c->texts++] = (ksda_i_parquet_text){p->at, length};
        p->at += length;
    }
    return KSDA_OK;
}

/* How much of the text before each one begins with, then the rest of each. */
static ksda_status delta_texts(ksda_i_parquet_cursor *c, page *p, uint64_t count) {
    ksda_status status;
    uint64_t total = 0, used = 0, before = 0, first = c->texts, bytes = (uint64_t)(p->end - p->at);
    uint64_t *shared = ksda_i_malloc(c->file->ctx, count, sizeof *shared);
    if (!shared) return KSDA_NOMEM;
    if (!(p->at = ksda_i_parquet_delta(p->at, p->end, count, shared)))
        KSDA_I_TRY(damaged(c, p, "how much its texts have in common"));
    KSDA_I_TRY(delta_lengths(c, p, count));
    for (uint64_t i = 0; i < count; i++) {
        uint64_t length = (uint32_t)shared[i];
        if (length > before) KSDA_I_TRY(damaged(c, p, "a text has more of the one before than that has"));
        before = length + c->text[first + i].length;
        total += before;
        if (!ksda_i_parquet_plausible(total, bytes))
            KSDA_I_TRY(damaged(c, p, "it announces far more than it can hold"));
    }
    KSDA_I_TRY(ksda_i_reserve(c->file->ctx, &c->arena, &c->arena_capacity, total + 1, 1));
    for (uint64_t i = 0, last = 0; i < count; i++) {
        ksda_i_parquet_text *text = &c->text[first + i];
        uint32_t common = (uint32_t)shared[i];
        memcpy(c->arena + used, c->arena + last, common);
        memcpy(c->arena + used + common, text->text, text->length);
        *text = (ksda_i_parquet_text){c->arena + used, common + text->length};
        last = used;
        used += text->length;
    }
done:
    ksda_i_free(c->file->ctx, shared);
    return status;
}

/* --- one page ---------------------------------------------------------------------------------------------------- */

static ksda_status read_dictionary(ksda_i_parquet_cursor *c, page *p) {
    ksda_status status;
    bool numbers = c->column->type != KSDA_I_PARQUET_BYTE_ARRAY;
    if (c->dictionary) return damaged(c, p, "a second dictionary");
    if (p->values < 0 || p->values > INT32_MAX) return damaged(c, p, "its number of values is impossible");
    if (p->encoding != PLAIN && p->encoding != PLAIN_DICTIONARY)
        return unsupported(c, "encoded in a dictionary that is not plain", "write it with another program");
    c->texts = 0;
    KSDA_I_TRY(unpack(c, p, 0, &c->dictionary_page, &c->dictionary_capacity));
    if (numbers) {
        if ((uint64_t)(p->end - p->at) < (uint64_t)p->values)
            KSDA_I_TRY(damaged(c, p, "it has fewer values than it says"));
        KSDA_I_TRY(ksda_i_reserve(c->file->ctx, &c->dictionary_number, &c->dictionary_numbers, (uint64_t)p->values,
                                  sizeof *c->dictionary_number));
        KSDA_I_TRY(plain_numbers(c, p, (uint64_t)p->values, c->dictionary_number));
    } else {
        KSDA_I_TRY(plain_texts(c, p, (uint64_t)p->values));
    }
    c->dictionary = (uint64_t)p->values;
done:
    return status;
}

/* Which rows have a value: *count of them. Moves over the levels. */
static ksda_status read_levels(ksda_i_parquet_cursor *c, page *p, const char *levels, uint64_t *count) {
    const char *end = levels + p->level_bytes;
    ksda_status status = KSDA_OK;
    *count = c->rows;
    c->null = NULL;
    if (!c->column->optional) return KSDA_OK;
    if (p->kind == DATA_PAGE) {
        uint32_t length;
        if (p->level_encoding != RLE) return unsupported(c, "written with levels that are not RLE", "write it anew");
        if (p->end - p->at < 4) return damaged(c, p, "it has no levels");
        memcpy(&length, p->at, 4);
        length = le32toh(length);
        levels = p->at + 4;
        if (length > (uint64_t)(p->end - levels)) return damaged(c, p, "its levels are longer than itself");
        p->at = end = levels + length;
    }
    KSDA_I_TRY(ksda_i_reserve(c->file->ctx, &c->scratch, &c->scratch_capacity, c->rows, sizeof *c->scratch));
    KSDA_I_TRY(ksda_i_reserve(c->file->ctx, &c->level, &c->level_capacity, c->rows, 1));
    if (!ksda_i_parquet_hybrid(levels, end, 1, c->rows, c->scratch)) return damaged(c, p, "its levels");
    *count = 0;
    for (uint64_t i = 0; i < c->rows; i++) {
        c->level[i] = !c->scratch[i];
        *count += c->scratch[i] != 0;
    }
    if (*count < c->rows) c->null = c->level;
done:
    return status;
}

/* Values stand close together: move those behind a null to their rows. */
static void spread(ksda_i_parquet_cursor *c, uint64_t count, bool numbers) {
    for (uint64_t row = c->rows; c->null && row-- > 0;) {
        bool null = c->null[row];
        count -= !null;
        if (numbers)
            c->number[row] = null ? 0 : c->number[count];
        else
            c->index[row] = null ? UINT32_MAX : c->index[count];
    }
}

static ksda_status read_indices(ksda_i_parquet_cursor *c, page *p, uint64_t count, uint32_t *index) {
    uint32_t most = 0;
    if (p->at == p->end && count > 0) return damaged(c, p, "it has no values");
    if (count == 0) return KSDA_OK;
    unsigned width = (unsigned char)*p->at;
    if (!ksda_i_parquet_hybrid(p->at + 1, p->end, width, count, index)) return damaged(c, p, "its values");
    for (uint64_t i = 0; i < count; i++) most = index[i] > most ? index[i] : most;
    return most < c->dictionary ? KSDA_OK : damaged(c, p, "a value that its dictionary does not have");
}

static ksda_status wrong_encoding(const ksda_i_parquet_cursor *c, const page *p) {
    static const char *const names[] = {
        [3] = "encoded as RLE", [4] = "encoded as BIT_PACKED", [9] = "encoded as BYTE_STREAM_SPLIT"};
    const char *name = p->encoding >= 0 && p->encoding < 10 ? names[p->encoding] : NULL;
    return unsupported(c, name ? name : "encoded in a way that does not fit it",
                       "write it with plain, dictionary or delta encoding");
}

static ksda_status read_numbers(ksda_i_parquet_cursor *c, page *p, uint64_t count) {
    ksda_status status = ksda_i_reserve(c->file->ctx, &c->number, &c->number_capacity, c->rows, sizeof *c->number);
    if (status < 0) return status;
    switch (p->encoding) {
    case PLAIN: return plain_numbers(c, p, count, c->number);
    case PLAIN_DICTIONARY:
    case RLE_DICTIONARY:
        KSDA_I_TRY(ksda_i_reserve(c->file->ctx, &c->scratch, &c->scratch_capacity, c->rows, sizeof *c->scratch));
        KSDA_I_TRY(read_indices(c, p, count, c->scratch));
        for (uint64_t i = 0; i < count; i++) c->number[i] = c->dictionary_number[c->scratch[i]];
        return KSDA_OK;
    case DELTA_BINARY_PACKED:
        if (!ksda_i_parquet_delta(p->at, p->end, count, c->number)) return damaged(c, p, "its values");
        for (uint64_t i = 0; i < count; i++) c->number[i] = as_read(c->column, c->number[i]);
        return KSDA_OK;
    default: return wrong_encoding(c, p);
    }
done:
    return status;
}

static ksda_status read_texts(ksda_i_parquet_cursor *c, page *p, uint64_t count) {
    ksda_status status = ksda_i_reserve(c->file->ctx, &c->index, &c->index_capacity, c->rows, sizeof *c->index);
    if (status < 0) return status;
    c->texts = c->dictionary;
    switch (p->encoding) {
    case PLAIN_DICTIONARY:
    case RLE_DICTIONARY: return read_indices(c, p, count, c->index);
    case PLAIN: status = plain_texts(c, p, count); break;
    case DELTA_LENGTH_BYTE_ARRAY: status = delta_lengths(c, p, count); break;
    case DELTA_BYTE_ARRAY: status = delta_texts(c, p, count); break;
    default: return wrong_encoding(c, p);
    }
    for (uint64_t i = 0; i < count && status >= 0; i++) c->index[i] = (uint32_t)(c->dictionary + i);
    return status;
}

static ksda_status read_data(ksda_i_parquet_cursor *c, page *p) {
    bool numbers = c->column->type != KSDA_I_PARQUET_BYTE_ARRAY;
    const char *levels = p->at;
    uint64_t count, plain = 0;
    ksda_status status;
    if (p->values < 0 || (uint64_t)p->values > c->left) return damaged(c, p, "more rows than the row group has left");
    if (p->kind == DATA_PAGE_V2) {
        if (p->level_bytes < 0 || p->repetition_bytes < 0 || p->level_bytes > p->packed ||
            p->repetition_bytes > p->packed)
            return damaged(c, p, "its levels are longer than itself");
        plain = (uint64_t)(p->level_bytes + p->repetition_bytes);
        levels = p->at + p->repetition_bytes;
    }
    c->rows = (uint64_t)p->values;
    KSDA_I_TRY(unpack(c, p, plain, &c->page, &c->page_capacity));
    KSDA_I_TRY(read_levels(c, p, levels, &count));
    KSDA_I_TRY(numbers ? read_numbers(c, p, count) : read_texts(c, p, count));
    spread(c, count, numbers);
    c->left -= c->rows;
done:
    return status;
}

/* --- entry ------------------------------------------------------------------------------------------------------- */

ksda_status ksda_i_parquet_start(const ksda_i_parquet *file, const ksda_i_parquet_column *column, uint32_t group,
                                 ksda_i_parquet_cursor *c) {
    c->file = file;
    c->column = column;
    c->chunk = &file->chunk[(uint64_t)group * file->leaves + column->leaf];
    c->rows = c->texts = c->dictionary = 0;
    c->left = file->group_rows[group];
    if (c->chunk->encrypted) return unsupported(c, "encrypted", "write it without encryption");
    if (c->chunk->elsewhere) return unsupported(c, "in another file", "write the table as one file");
    if (c->left == 0) return KSDA_OK;
    if (c->chunk->offset >= file->size || c->chunk->size > file->size - c->chunk->offset ||
        c->chunk->type != (int32_t)column->type || c->chunk->values != c->left) {
        char shown[KSDA_I_SHOWN];
        return ksda_i_error_at(file->ctx, KSDA_PARSE, file->name, 0, 0,
                               "the metadata is damaged: column %s of row group %u has another type or number of rows "
                               "than the table, or lies outside of the file (offset %" PRIu64 ", %" PRIu64 " bytes)",
                               ksda_i_show(column->name, column->length, shown), group + 1, c->chunk->offset,
                               c->chunk->size);
    }
    c->at = file->data + c->chunk->offset;
    c->end = c->at + c->chunk->size;
    return KSDA_OK;
}

ksda_status ksda_i_parquet_next(ksda_i_parquet_cursor *c) {
    ksda_status status = KSDA_OK;
    c->rows = 0;
    while (status >= 0 && c->rows == 0 && c->left > 0) {
        page p = {.place = c->at};
        if (c->at == c->end) return damaged(c, &p, "it is not there, though more rows should follow");
        status = read_header(c, &p);
        if (status < 0) return status;
        if (p.kind == DICTIONARY_PAGE)
            status = read_dictionary(c, &p);
        else if (p.kind == DATA_PAGE || p.kind == DATA_PAGE_V2)
            status = read_data(c, &p);
    }
    return status;
}

void ksda_i_parquet_stop(ksda_ctx *ctx, ksda_i_parquet_cursor *c) {
    ksda_i_free(ctx, c->number);
    ksda_i_free(ctx, c->index);
    ksda_i_free(ctx, c->text);
    ksda_i_free(ctx, c->dictionary_number);
    ksda_i_free(ctx, c->page);
    ksda_i_free(ctx, c->dictionary_page);
    ksda_i_free(ctx, c->arena);
    ksda_i_free(ctx, c->level);
    ksda_i_free(ctx, c->scratch);
    *c = (ksda_i_parquet_cursor){.rows = 0};
}
