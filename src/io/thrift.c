/* Thrift's compact protocol: numbers are varints, signed ones zigzag; a field has its type and how far its id is from
 * the one before in one byte. */
#include "io/thrift.h"

#define DEEPEST 32 /* of structs and lists inside each other */

static void bad_thrift(ksda_i_thrift *t, const char *expected) {
    if (!t->bad) t->bad = expected;
    t->at = t->end;
}

static unsigned next_byte(ksda_i_thrift *t, const char *expected) {
    if (t->at < t->end) return (unsigned char)*t->at++;
    bad_thrift(t, expected);
    return 0;
}

static uint64_t varint(ksda_i_thrift *t) {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        unsigned byte = next_byte(t, "a number");
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return number;
    }
    bad_thrift(t, "a number of at most 64 bits");
    return 0;
}

static int64_t zigzag(uint64_t number) {
    return (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
}

bool ksda_i_thrift_field(ksda_i_thrift *t, int *id, unsigned *type) {
    unsigned byte = next_byte(t, "a field or the end of a structure");
    *type = byte & 15;
    if (byte == 0 || t->bad) return false;
    int64_t number = byte >> 4 ? *id + (int)(byte >> 4) : zigzag(varint(t));
    if (number < 0 || number > INT16_MAX) bad_thrift(t, "the number of a field");
    *id = t->bad ? 0 : (int)number;
    return !t->bad;
}

int64_t ksda_i_thrift_int(ksda_i_thrift *t, unsigned type) {
    if (type == KSDA_I_THRIFT_I8) return (signed char)next_byte(t, "a byte");
    if (type > KSDA_I_THRIFT_I8 && type <= KSDA_I_THRIFT_I64) return zigzag(varint(t));
    bad_thrift(t, "a number");
    return 0;
}

bool ksda_i_thrift_bool(ksda_i_thrift *t, unsigned type) {
    if (type != KSDA_I_THRIFT_TRUE && type != KSDA_I_THRIFT_FALSE) bad_thrift(t, "true or false");
    return type == KSDA_I_THRIFT_TRUE;
}

const char *ksda_i_thrift_bytes(ksda_i_thrift *t, unsigned type, size_t *length) {
    const char *bytes;
    *length = 0;
    if (type != KSDA_I_THRIFT_BINARY) bad_thrift(t, "a text");
    uint64_t size = varint(t);
    if (size > (uint64_t)(t->end - t->at)) bad_thrift(t, "a text that ends before the end of the file");
    bytes = t->at;
    if (t->bad) return bytes;
    *length = size;
    t->at += size;
    return bytes;
}

uint32_t ksda_i_thrift_list(ksda_i_thrift *t, unsigned type, unsigned *element) {
    *element = 0;
    if (type != KSDA_I_THRIFT_LIST) bad_thrift(t, "a list");
    unsigned byte = next_byte(t, "a list");
    uint64_t count = byte >> 4 == 15 ? varint(t) : byte >> 4;
    *element = byte & 15;
    if (count > (uint64_t)(t->end - t->at) || count > UINT32_MAX)
        bad_thrift(t, "a list that ends before the end of the file");
    return t->bad ? 0 : (uint32_t)count;
}

bool ksda_i_thrift_struct(ksda_i_thrift *t, unsigned type) {
    if (type != KSDA_I_THRIFT_STRUCT) bad_thrift(t, "a structure");
    return !t->bad;
}

static void skip_value(ksda_i_thrift *t, unsigned type, unsigned depth, bool element);

static void skip_list(ksda_i_thrift *t, unsigned type, unsigned depth) {
    unsigned kind;
    uint32_t count = ksda_i_thrift_list(t, type, &kind);
    for (uint32_t i = 0; i < count && !t->bad; i++) skip_value(t, kind, depth + 1, true);
}

static void skip_map(ksda_i_thrift *t, unsigned depth) {
    uint64_t count = varint(t);
    unsigned kinds = count ? next_byte(t, "a map") : 0;
    if (count > (uint64_t)(t->end - t->at)) bad_thrift(t, "a map that ends before the end of the file");
    for (uint64_t i = 0; i < count && !t->bad; i++) {
        skip_value(t, kinds >> 4, depth + 1, true);
        skip_value(t, kinds & 15, depth + 1, true);
    }
}

static void skip_value(ksda_i_thrift *t, unsigned type, unsigned depth, bool element) {
    int id = 0;
    unsigned kind;
    size_t length;
    if (depth > DEEPEST) bad_thrift(t, "structures that are not as deep");
    if (t->bad) return;
    switch (type) {
    case KSDA_I_THRIFT_TRUE:
    case KSDA_I_THRIFT_FALSE:
        if (element) next_byte(t, "true or false");
        break;
    case KSDA_I_THRIFT_I8:
    case 4:
    case KSDA_I_THRIFT_I32:
    case KSDA_I_THRIFT_I64: ksda_i_thrift_int(t, type); break;
    case 7: /* a double */
        if (t->end - t->at < 8) bad_thrift(t, "a number");
        t->at += t->bad ? 0 : 8;
        break;
    case KSDA_I_THRIFT_BINARY: ksda_i_thrift_bytes(t, type, &length); break;
    case KSDA_I_THRIFT_LIST:
    case 10: skip_list(t, KSDA_I_THRIFT_LIST, depth); break;
    case 11: skip_map(t, depth); break;
    case KSDA_I_THRIFT_STRUCT:
        while (ksda_i_thrift_field(t, &id, &kind)) skip_value(t, kind, depth + 1, false);
        break;
    default: bad_thrift(t, "a field of a known type");
    }
}

void ksda_i_thrift_skip(ksda_i_thrift *t, unsigned type) {
    skip_value(t, type, 0, false);
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

static void put_byte(ksda_i_output *out, unsigned byte) {
    char c = (char)byte;
    ksda_i_output_write(out, &c, 1);
}

void ksda_i_thrift_put_varint(ksda_i_output *out, uint64_t number) {
    for (; number >= 128; number >>= 7) put_byte(out, (unsigned)(number & 127) | 128);
    put_byte(out, (unsigned)number);
}

void ksda_i_thrift_put_field(ksda_i_output *out, int *last, int id, unsigned type) {
    put_byte(out, (unsigned)(id - *last) << 4 | type);
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
    put_byte(out, (count < 15 ? count : 15) << 4 | element);
    if (count >= 15) ksda_i_thrift_put_varint(out, count);
}

void ksda_i_thrift_put_stop(ksda_i_output *out) {
    put_byte(out, 0);
}
