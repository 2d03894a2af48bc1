/* Names of vertices and communities. Dense numbers cost nothing, sparse ones 8 bytes each, names their text and a hash.
 */
#include "graph/ids.h"

#include <inttypes.h>
#include <stdio.h>

void ksda_i_ids_range(ksda_i_ids *ids, uint32_t count, uint64_t first) {
    *ids = (ksda_i_ids){.kind = KSDA_I_IDS_RANGE, .count = count, .first = first};
}

void ksda_i_ids_numbers_take(ksda_i_ids *ids, uint32_t count, uint64_t *number) {
    *ids = (ksda_i_ids){.kind = KSDA_I_IDS_NUMBERS, .count = count, .number = number, .sorted = count};
}

void ksda_i_ids_names(ksda_i_ids *ids) {
    *ids = (ksda_i_ids){.kind = KSDA_I_IDS_NAMES};
}

void ksda_i_ids_clear(ksda_ctx *ctx, ksda_i_ids *ids) {
    ksda_i_free(ctx, ids->number);
    ksda_i_free(ctx, ids->start);
    ksda_i_free(ctx, ids->text);
    ksda_i_free(ctx, ids->slot);
    *ids = (ksda_i_ids){.kind = KSDA_I_IDS_RANGE};
}

ksda_status ksda_i_ids_copy(ksda_ctx *ctx, const ksda_i_ids *from, ksda_i_ids *to) {
    ksda_status status = KSDA_OK;
    ksda_i_ids copy = {.kind = from->kind, .count = from->count, .first = from->first, .sorted = from->sorted};
    if (from->kind == KSDA_I_IDS_NUMBERS) {
        copy.number = ksda_i_malloc(ctx, from->count, sizeof *copy.number);
        if (!copy.number) return KSDA_NOMEM;
        memcpy(copy.number, from->number, from->count * sizeof *copy.number);
    } else if (from->kind == KSDA_I_IDS_NAMES) {
        ksda_i_ids_names(&copy);
        for (uint32_t i = 0, item; i < from->count && status >= 0; i++)
            status =
                ksda_i_ids_intern(ctx, &copy, from->text + from->start[i], from->start[i + 1] - from->start[i], &item);
    }
    if (status < 0) ksda_i_ids_clear(ctx, &copy);
    *to = copy;
    return status;
}

bool ksda_i_parse_number(const char *text, size_t length, uint64_t *number) {
    uint64_t value = 0;
    if (length == 0 || length > 20 || (length > 1 && text[0] == '0')) return false;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned char)text[i] - (unsigned)'0';
        if (digit > 9 || __builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value))
            return false;
    }
    *number = value;
    return true;
}

/* Numbers are different and ascend, so one that is d above the first stands at most d behind it, and so from the last:
 * where they are dense that leaves as many places as numbers are missing, near those of the one before. */
static uint32_t search(const uint64_t *number, uint32_t begin, uint32_t end, uint64_t wanted) {
    uint32_t stop = end, items = end - begin;
    if (items == 0 || wanted < number[begin] || wanted > number[end - 1]) return KSDA_NO_VERTEX;
    uint64_t above = wanted - number[begin], below = number[end - 1] - wanted;
    if (above < items) end = begin + (uint32_t)above + 1;
    if (below < items) begin = stop - 1 - (uint32_t)below;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (number[middle] < wanted)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < stop && number[begin] == wanted ? begin : KSDA_NO_VERTEX;
}

uint32_t ksda_i_ids_find_number(const ksda_i_ids *ids, uint64_t number) {
    if (ids->kind == KSDA_I_IDS_RANGE)
        return number >= ids->first && number - ids->first < ids->count ? (uint32_t)(number - ids->first)
                                                                        : KSDA_NO_VERTEX;
    uint32_t item = search(ids->number, 0, ids->sorted, number);
    return item != KSDA_NO_VERTEX ? item : search(ids->number, ids->sorted, ids->count, number);
}

/* Of no length, a name may have no place. */
static const char *somewhere(const char *name) {
    return name ? name : "";
}

/* What a slot that holds the item has: a part of the hash of its name, and the item + 1. */
static uint64_t slot_of(uint32_t hash, uint32_t item) {
    return (uint64_t)hash << 32 | (item + 1);
}

static uint32_t slot_item(uint64_t slot) {
    return (uint32_t)slot - 1;
}

static uint32_t name_hash(const ksda_i_ids *ids, const char *name, size_t length) {
    return (uint32_t)ksda_i_hash_bytes(&ids->key, name, length);
}

/* Where the search for names of that hash begins: spread over the table, however large it is. */
static uint64_t first_slot(uint64_t slots, uint32_t hash) {
    return slots <= UINT32_MAX ? hash * slots >> 32 : (uint64_t)hash * (slots >> 32);
}

/* The slot that holds the name, or the empty one where it belongs. */
static uint64_t probe_name(const ksda_i_ids *ids, uint32_t hash, const char *name, size_t length) {
    uint64_t i = first_slot(ids->slots, hash);
    for (; ids->slot[i] != 0; i = (i + 1) & (ids->slots - 1)) {
        if (ids->slot[i] >> 32 != hash) continue;
        uint32_t item = slot_item(ids->slot[i]);
        if (ids->start[item + 1] - ids->start[item] == length &&
            memcmp(ids->text + ids->start[item], name, length) == 0)
            break;
    }
    return i;
}

uint32_t ksda_i_ids_find(const ksda_i_ids *ids, const char *name, size_t length) {
    name = somewhere(name);
    if (ids->kind == KSDA_I_IDS_NAMES) {
        if (ids->slots == 0) return KSDA_NO_VERTEX;
        uint64_t found = ids->slot[probe_name(ids, name_hash(ids, name, length), name, length)];
        return found ? slot_item(found) : KSDA_NO_VERTEX;
    }
    uint64_t number;
    return ksda_i_parse_number(name, length, &number) ? ksda_i_ids_find_number(ids, number) : KSDA_NO_VERTEX;
}

void ksda_i_ids_soon(const ksda_i_ids *ids, const ksda_i_name *name, unsigned count) {
    uint64_t first[KSDA_I_IDS_SOON];
    if (ids->kind != KSDA_I_IDS_NAMES || ids->slots == 0) return;
    for (unsigned i = 0; i < count; i++) {
        first[i] = first_slot(ids->slots, name_hash(ids, somewhere(name[i].text), name[i].length));
        __builtin_prefetch(&ids->slot[first[i]]);
    }
    for (unsigned i = 0; i < count; i++) /* the item there is the name's more often than not */
        if (ids->slot[first[i]]) __builtin_prefetch(&ids->start[slot_item(ids->slot[first[i]])]);
    for (unsigned i = 0; i < count; i++)
        if (ids->slot[first[i]]) __builtin_prefetch(&ids->text[ids->start[slot_item(ids->slot[first[i]])]]);
}

/* A table twice as large. Slots know the hashes of their names. */
static ksda_status grow_table(ksda_ctx *ctx, ksda_i_ids *ids) {
    uint64_t slots = ids->slots ? 2 * ids->slots : 64;
    uint64_t *slot = ksda_i_calloc(ctx, slots, sizeof *slot);
    if (!slot) return KSDA_NOMEM;
    for (uint64_t old = 0; old < ids->slots; old++) {
        if (ids->slot[old] == 0) continue;
        uint64_t i = first_slot(slots, (uint32_t)(ids->slot[old] >> 32));
        while (slot[i] != 0) i = (i + 1) & (slots - 1);
        slot[i] = ids->slot[old];
    }
    ksda_i_free(ctx, ids->slot);
    if (ids->slots == 0) ids->key = ctx->hash_key;
    ids->slot = slot;
    ids->slots = slots;
    return KSDA_OK;
}

ksda_status ksda_i_ids_intern(ksda_ctx *ctx, ksda_i_ids *ids, const char *name, size_t length, uint32_t *item) {
    name = somewhere(name);
    if ((uint64_t)ids->count * 4 >= ids->slots * 3 && grow_table(ctx, ids) < 0) return KSDA_NOMEM;
    uint32_t hash = name_hash(ids, name, length);
    uint64_t place = probe_name(ids, hash, name, length);
    if (ids->slot[place]) {
        *item = slot_item(ids->slot[place]);
        return KSDA_OK;
    }
    if (ids->count >= KSDA_MAX_VERTICES)
        return ksda_i_error(ctx, KSDA_INVALID, "more than %u names", KSDA_MAX_VERTICES);
    uint64_t used = ids->count ? ids->start[ids->count] : 0;
    if (ksda_i_reserve(ctx, &ids->start, &ids->start_capacity, (uint64_t)ids->count + 2, sizeof *ids->start) < 0 ||
        ksda_i_reserve(ctx, &ids->text, &ids->text_capacity, used + length + 1, 1) < 0)
        return KSDA_NOMEM;
    memcpy(ids->text + used, name, length);
    ids->start[ids->count] = used;
    ids->start[ids->count + 1] = used + length;
    *item = ids->count++;
    ids->slot[place] = slot_of(hash, *item);
    return KSDA_OK;
}

ksda_status ksda_i_ids_drop(ksda_ctx *ctx, ksda_i_ids *ids, uint32_t count) {
    ksda_status status = KSDA_OK;
    ksda_i_ids kept;
    if (count == 0) return KSDA_OK;
    ksda_i_ids_names(&kept);
    for (uint32_t i = count, item; i < ids->count && status >= 0; i++)
        status = ksda_i_ids_intern(ctx, &kept, ids->text + ids->start[i], ids->start[i + 1] - ids->start[i], &item);
    ksda_i_ids_clear(ctx, status < 0 ? &kept : ids);
    if (status >= 0) *ids = kept;
    return status;
}

/* Numbers behind numbers that were appended before: only the hash table of names can find those. */
static ksda_status append_as_names(ksda_ctx *ctx, ksda_i_ids *ids, uint32_t count, const uint64_t *number) {
    ksda_status status = ksda_i_ids_to_names(ctx, ids);
    for (uint32_t i = 0; i < count && status >= 0; i++) {
        char text[24];
        uint32_t item;
        int length = snprintf(text, sizeof text, "%" PRIu64, number[i]);
        status = ksda_i_ids_intern(ctx, ids, text, (size_t)length, &item);
    }
    return status;
}

ksda_status ksda_i_ids_append_numbers(ksda_ctx *ctx, ksda_i_ids *ids, uint32_t count, const uint64_t *number) {
    if (count == 0) return KSDA_OK;
    if (ids->kind == KSDA_I_IDS_NAMES || (ids->kind == KSDA_I_IDS_NUMBERS && ids->sorted < ids->count))
        return append_as_names(ctx, ids, count, number);
    uint64_t *all = ksda_i_malloc(ctx, (uint64_t)ids->count + count, sizeof *all);
    if (!all) return KSDA_NOMEM;
    for (uint32_t i = 0; i < ids->count; i++) all[i] = ids->kind == KSDA_I_IDS_RANGE ? ids->first + i : ids->number[i];
    memcpy(all + ids->count, number, count * sizeof *all);
    ksda_i_free(ctx, ids->number);
    ids->number = all;
    ids->kind = KSDA_I_IDS_NUMBERS;
    ids->sorted = ids->count;
    ids->count += count;
    return KSDA_OK;
}

ksda_status ksda_i_ids_to_names(ksda_ctx *ctx, ksda_i_ids *ids) {
    if (ids->kind == KSDA_I_IDS_NAMES) return KSDA_OK;
    ksda_i_ids names;
    ksda_i_ids_names(&names);
    for (uint32_t i = 0; i < ids->count; i++) {
        char buffer[24];
        uint32_t item;
        size_t length = ksda_i_ids_name(ids, i, buffer, sizeof buffer);
        ksda_status status = ksda_i_ids_intern(ctx, &names, buffer, length, &item);
        if (status < 0) {
            ksda_i_ids_clear(ctx, &names);
            return status;
        }
    }
    ksda_i_ids_clear(ctx, ids);
    *ids = names;
    return KSDA_OK;
}

size_t ksda_i_ids_name(const ksda_i_ids *ids, uint32_t item, char *buffer, size_t capacity) {
    if (ids->kind != KSDA_I_IDS_NAMES) {
        uint64_t number = ids->kind == KSDA_I_IDS_RANGE ? ids->first + item : ids->number[item];
        return (size_t)snprintf(buffer, capacity, "%" PRIu64, number);
    }
    size_t length = ids->start[item + 1] - ids->start[item];
    if (capacity > 0) {
        size_t shown = length < capacity ? length : capacity - 1;
        memcpy(buffer, ids->text + ids->start[item], shown);
        buffer[shown] = '\0';
    }
    return length;
}

/* --- one buffer for all ------------------------------------------------------------------------------------------- */

ksda_status ksda_i_ids_from_buffer(ksda_ctx *ctx, uint32_t count, const char *text, const uint64_t *offset,
                                   const char *what, ksda_i_ids *ids) {
    ksda_status status = KSDA_OK;
    ksda_i_ids_range(ids, count, 0);
    if (!text) return KSDA_OK;
    ksda_i_ids_names(ids);
    if (!offset) return ksda_i_error(ctx, KSDA_INVALID, "names of the %s numbers without offsets", what);
    for (uint32_t i = 0, item; i < count && status >= 0; i++) {
        if (offset[i + 1] < offset[i])
            status = ksda_i_error(ctx, KSDA_INVALID, "the name of %s %u ends before it begins", what, i);
        else
            status = ksda_i_ids_intern(ctx, ids, text + offset[i], offset[i + 1] - offset[i], &item);
        if (status >= 0 && item != i)
            status = ksda_i_error(ctx, KSDA_INVALID, "%s %u and %s %u have the same name", what, item, what, i);
    }
    if (status < 0) ksda_i_ids_clear(ctx, ids);
    return status;
}

ksda_status ksda_i_ids_to_buffer(ksda_ctx *ctx, const ksda_i_ids *ids, char **text, uint64_t **offsets) {
    uint64_t *at = ksda_i_malloc(ctx, (uint64_t)ids->count + 1, sizeof *at), used = 0;
    char short_name[24];
    *text = NULL, *offsets = NULL;
    if (!at) return KSDA_NOMEM;
    for (uint32_t i = 0; i < ids->count; i++) {
        at[i] = used;
        used += ksda_i_ids_name(ids, i, short_name, sizeof short_name);
    }
    at[ids->count] = used;
    char *all = ksda_i_malloc(ctx, used + 1, 1);
    if (!all) {
        ksda_i_free(ctx, at);
        return KSDA_NOMEM;
    }
    all[0] = '\0';
    for (uint32_t i = 0; i < ids->count; i++) ksda_i_ids_name(ids, i, all + at[i], at[i + 1] - at[i] + 1);
    *text = all, *offsets = at;
    return KSDA_OK;
}
