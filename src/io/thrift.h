/* thrift.h: Thrift's compact protocol, as far as the metadata of Parquet files needs it. */
#ifndef KSDA_I_THRIFT_H
#define KSDA_I_THRIFT_H

#include "io/output.h"

enum {
    KSDA_I_THRIFT_TRUE = 1,
    KSDA_I_THRIFT_FALSE = 2,
    KSDA_I_THRIFT_I8 = 3,
    KSDA_I_THRIFT_I32 = 5,
    KSDA_I_THRIFT_I64 = 6,
    KSDA_I_THRIFT_BINARY = 8,
    KSDA_I_THRIFT_LIST = 9,
    KSDA_I_THRIFT_STRUCT = 12
};

/* Where the reading is. After the first thing that is wrong every call gives 0 or false. */
typedef struct ksda_i_thrift {
    const char *at, *end;
    const char *bad; /* what was expected there, or NULL */
} ksda_i_thrift;

/* The next field of a struct: *id is that of the field before, 0 at first. False at the end of the struct. */
bool ksda_i_thrift_field(ksda_i_thrift *t, int *id, unsigned *type);
int64_t ksda_i_thrift_int(ksda_i_thrift *t, unsigned type); /* of any width */
bool ksda_i_thrift_bool(ksda_i_thrift *t, unsigned type);
const char *ksda_i_thrift_bytes(ksda_i_thrift *t, unsigned type, size_t *length); /* not terminated */
/* How many elements follow, never more than there are bytes. */
uint32_t ksda_i_thrift_list(ksda_i_thrift *t, unsigned type, unsigned *element);
void ksda_i_thrift_skip(ksda_i_thrift *t, unsigned type);
/* Begin a struct: false if it is none. */
bool ksda_i_thrift_struct(ksda_i_thrift *t, unsigned type);

/* Writing: a field's header (from the id before, which it replaces), then what it holds. */
void ksda_i_thrift_put_field(ksda_i_output *out, int *last, int id, unsigned type);
void ksda_i_thrift_put_varint(ksda_i_output *out, uint64_t number);
void ksda_i_thrift_put_int(ksda_i_output *out, int *last, int id, int64_t number); /* as I64 */
void ksda_i_thrift_put_i32(ksda_i_output *out, int *last, int id, int32_t number);
void ksda_i_thrift_put_text(ksda_i_output *out, int *last, int id, const char *text);
void ksda_i_thrift_put_list(ksda_i_output *out, int *last, int id, uint32_t count, unsigned element);
void ksda_i_thrift_put_stop(ksda_i_output *out);

#endif
