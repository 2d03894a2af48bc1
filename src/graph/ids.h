/* ids.h: what the vertices (or communities) are called in the input. */
#ifndef KSDA_I_IDS_H
#define KSDA_I_IDS_H

#include "core/ctx.h"

/* Three shapes, cheapest first. Numbers never go through strings. */
typedef enum ksda_i_ids_kind {
    KSDA_I_IDS_RANGE,   /* item i is called first + i */
    KSDA_I_IDS_NUMBERS, /* item i is called number[i]; ascending below `sorted`, and again from there on */
    KSDA_I_IDS_NAMES    /* item i is called by the bytes text[start[i]] .. text[start[i+1]-1] */
} ksda_i_ids_kind;

typedef struct ksda_i_ids {
    ksda_i_ids_kind kind;
    uint32_t count;
    uint64_t first;
    uint64_t *number;
    uint32_t sorted;
    uint64_t *start; /* [count + 1] */
    char *text;
    uint64_t *slot; /* hash table of hash and item + 1, linear probing; slots is a power of two */
    uint64_t slots;
    ksda_i_hash_key key; /* of the table: that of the context which began it */
    uint64_t start_capacity, text_capacity;
} ksda_i_ids;

void ksda_i_ids_range(ksda_i_ids *ids, uint32_t count, uint64_t first);
/* Takes number, which is strictly ascending. */
void ksda_i_ids_numbers_take(ksda_i_ids *ids, uint32_t count, uint64_t *number);
void ksda_i_ids_names(ksda_i_ids *ids); /* no names yet */
void ksda_i_ids_clear(ksda_ctx *ctx, ksda_i_ids *ids);
ksda_status ksda_i_ids_copy(ksda_ctx *ctx, const ksda_i_ids *from, ksda_i_ids *to);

/* The item with that name, or KSDA_NO_VERTEX. */
uint32_t ksda_i_ids_find(const ksda_i_ids *ids, const char *name, size_t length);
uint32_t ksda_i_ids_find_number(const ksda_i_ids *ids, uint64_t number);
/* Names that are looked up next: what that will read is fetched into the cache for all of them at once, instead of
 * waiting for memory once for each. */
#define KSDA_I_IDS_SOON 64
typedef struct ksda_i_name {
    const char *text;
    size_t length;
} ksda_i_name;
void ksda_i_ids_soon(const ksda_i_ids *ids, const ksda_i_name *name, unsigned count); /* KSDA_I_IDS_SOON at most */
/* Find or append a name; for KSDA_I_IDS_NAMES. Fails with KSDA_NOMEM, or KSDA_INVALID beyond KSDA_MAX_VERTICES. */
ksda_status ksda_i_ids_intern(ksda_ctx *ctx, ksda_i_ids *ids, const char *name, size_t length, uint32_t *item);
/* Forget the first names; the others move down. For KSDA_I_IDS_NAMES. */
ksda_status ksda_i_ids_drop(ksda_ctx *ctx, ksda_i_ids *ids, uint32_t count);
/* Append numbers, strictly ascending and none known yet. Turns a range into numbers, and, the second time, into names.
 */
ksda_status ksda_i_ids_append_numbers(ksda_ctx *ctx, ksda_i_ids *ids, uint32_t count, const uint64_t *number);
/* Turn numbers into names (a name that is no number has come up). */
ksda_status ksda_i_ids_to_names(ksda_ctx *ctx, ksda_i_ids *ids);

/* Names from one buffer, the i-th from offset[i] to offset[i + 1]; text NULL: the numbers 0 .. count-1. KSDA_INVALID
 * where two are the same or the offsets descend; `what` is what is called so, for the message. */
ksda_status ksda_i_ids_from_buffer(ksda_ctx *ctx, uint32_t count, const char *text, const uint64_t *offset,
                                   const char *what, ksda_i_ids *ids);
/* All names in such a buffer, and its offsets; both are the caller's. */
ksda_status ksda_i_ids_to_buffer(ksda_ctx *ctx, const ksda_i_ids *ids, char **text, uint64_t **offsets);

/* As ksda_graph_name(). */
size_t ksda_i_ids_name(const ksda_i_ids *ids, uint32_t item, char *buffer, size_t capacity);

/* Decimal digits only, fits 64 bits; leading zeros are allowed only for "0" itself, so that 007 stays a name. */
bool ksda_i_parse_number(const char *text, size_t length, uint64_t *number);

#endif
