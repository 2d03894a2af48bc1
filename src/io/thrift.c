/* Thrift's compact protocol: numbers are varints, signed ones zigzag; a field has its type and how far its id is from
 * the one before in one byte. */
#include "io/thrift.h"

#define DEEPEST 32 /* of structs and lists inside each other */

static void bad(ksda_i_thrift *t, const char *expected) {
    if (!t->bad) t->bad = expected;
    t->at = t->end;
}

static unsigned next(ksda_i_thrift *t, const char *expected) {
    if (t->at < t->end) return (unsigned char)*t->at++;
    bad(t, expected);
    return 0;
}

static uint64_t varint(ksda_i_thrift *t) {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        unsigned byte = next(t, "a number");
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return number;
    }
    bad(t, "a number of at most 64 bits");
    return 0;
}

static int64_t zigzag(uint64_t number) {
    return (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
}

bool ksda_i_thrift_field(ksda_i_thrift *t, int *id, unsigned *type) {
    unsigned byte = next(t, "a field or the end of a structure");
    *type = byte & 15;
    if (byte == 0 || t->bad) return false;
    int64_t number = byte >> 4 ? *id + (int)(byte >> 4) : zigzag(varint(t));
    if (number < 0 || number > INT16_MAX) bad(t, "the number of a field");
    *id = t->bad ? 0 : (int)number;
    return !t->bad;
}

int64_t ksda_i_thrift_int(ksda_i_thrift *t, unsigned type) {
    if (type == KSDA_I_THRIFT_I8) return (signed char)next(t, "a byte");
    if (type > KSDA_I_THRIFT_I8 && type <= KSDA_I_THRIFT_I64) return zigzag(varint(t));
    bad(t, "a number");
    return 0;
}

bool ksda_i_thrift_bool(ksda_i_thrift *t, unsigned type) {
    if (type != KSDA_I_THRIFT_TRUE && type != KSDA_I_THRIFT_FALSE) bad(t, "true or false");
    return type == KSDA_I_THRIFT_TRUE;
}

const char *ksda_i_thrift_bytes(ksda_i_thrift *t, unsigned type, size_t *length) {
    const char *bytes;
    *length = 0;
    if (type != KSDA_I_THRIFT_BINARY) bad(t, "a text");
    uint64_t size = varint(t);
    if (size > (uint64_t)(t->end - t->at)) bad(t, "a text that ends before the end of the file");
    bytes = t->at;
    if (t->bad) return bytes;
    *length = size;
    t->at += size;
    return bytes;
}

uint32_t ksda_i_thrift_list(ksda_i_thrift *t, unsigned type, unsigned *element) {
    *element = 0;
    if (type != KSDA_I_THRIFT_LIST) bad(t, "a list");
    unsigned byte = next(t, "a list");
    uint64_t count = byte >> 4 == 15 ? varint(t) : byte >> 4;
    *element = byte & 15;
    if (count > (uint64_t)(t->end - t->at) || count > UINT32_MAX) bad(t, "a list that ends before the end of the file");
    return t->bad ? 0 : (uint32_t)count;
}

bool ksda_i_thrift_struct(ksda_i_thrift *t, unsigned type) {
    if (type != KSDA_I_THRIFT_STRUCT) bad(t, "a structure");
    return !t->bad;
}

static void skip(ksda_i_thrift *t, unsigned type, unsigned depth, bool element);

static void skip_list(ksda_i_thrift *t, unsigned type, unsigned depth) {
    unsigned kind;
    uint32_t count = ksda_i_thrift_list(t, type, &kind);
    for (uint32_t i = 0; i < count && !t->bad; i++) skip(t, kind, depth + 1, true);
}

static void skip_map(ksda_i_thrift *t, unsigned depth) {
    uint64_t count = varint(t);
    unsigned kinds = count ? next(t, "a map") : 0;
    if (count > (uint64_t)(t->end - t->at)) bad(t, "a map that ends before the end of the file");
    for (uint64_t i = 0; i < count && !t->bad; i++) {
        skip(t, kinds >> 4, depth + 1, true);
        skip(t, kinds & 15, depth + 1, true);
    }
}

static void skip(ksda_i_thrift *t, unsigned type, unsigned depth, bool element) {
    int id = 0;
    unsigned kind;
    size_t length;
    if (depth > DEEPEST) bad(t, "structures that are not as deep");
    if (t->bad) return;
    switch (type) {
    case KSDA_I_THRIFT_TRUE:
    case KSDA_I_THRIFT_FALSE:
        if (element) next(t, "true or false");
        break;
    case KSDA_I_THRIFT_I8:
    case 4:
    case KSDA_I_THRIFT_I32:
    case KSDA_I_THRIFT_I64: ksda_i_thrift_int(t, type); break;
    case 7: /* a double */
        if (t->end - t->at < 8) bad(t, "a number");
        t->at += t->bad ? 0 : 8;
        break;
    case KSDA_I_THRIFT_BINARY: ksda_i_thrift_bytes(t, type, &length); break;
    case KSDA_I_THRIFT_LIST:
    case 10: skip_list(t, KSDA_I_THRIFT_LIST, depth); break;
    case 11: skip_map(t, depth); break;
    case KSDA_I_THRIFT_STRUCT:
        while (ksda_i_thrift_field(t, &id, &kind)) skip(t, kind, depth + 1, false);
        break;
    default: bad(t, "a field of a known type");
    }
}

void ksda_i_thrift_skip(ksda_i_thrift *t, unsigned type) {
    skip(t, type, 0, false);
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

static void put(ksda_i_output *out, unsigned byte) {
    char c = (char)byte;
    ksda_i_output_write(out, &c, 1);
}

void ksda_i_thrift_put_varint(ksda_i_output *out, uint64_t number) {
    for (; number >= 128; number >>= 7) put(out, (unsigned)(number & 127) | 128);
    put(out, (unsigned)number);
}

void ksda_i_thrift_put_field(ksda_i_output *out, int *last, int id, unsigned type) {
    put(out, (unsigned)(id - *last) << 4 | type);
    *last = id;
}

void ksda_i_thrift_put_int(ksda_i_output *out, int *last, int id, int64_t number) {
    ksda_i_thrift_put_field(out, last, id, KSDA_I_THRIFT_I64);
    ksda_i_thrift_put_varint(out, (uint64_t)number << 1); /* never negative */
}

void ksda_i_thrift_put_i32(ksda_i_output *out, int *last, int id, int32_t number) {
    ksda_i_thrift_put_field(out, last, id, KSDA_I_THRIFT_I32);
    ksda_i_thrift_put_varint(out, (uint64_t)number << 1);
}

void ksda_i_thrift_put_text(ksda_i_output *out, int *last, int id, const char *text) {
    ksda_i_thrift_put_field(out, last, id, KSDA_I_THRIFT_BINARY);
    ksda_i_thrift_put_varint(out, strlen(text));
    ksda_i_output_text(out, text);
}

void ksda_i_thrift_put_list(ksda_i_output *out, int *last, int id, uint32_t count, unsigned element) {
    ksda_i_thrift_put_field(out, last, id, KSDA_I_THRIFT_LIST);
    put(out, (count < 15 ? count : 15) << 4 | element);
    if (count >= 15) ksda_i_thrift_put_varint(out, count);
}

void ksda_i_thrift_put_stop(ksda_i_output *out) {
    put(out, 0);
}
