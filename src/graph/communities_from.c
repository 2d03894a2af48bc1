/* Communities from the caller's arrays, and what becomes of vertices that have none. */
#include "core/sort.h"
#include "graph/communities.h"

#include <inttypes.h>
#include <stdio.h>

/* --- vertices without a community --------------------------------------------------------------------------------- */

/* A further community: the next number where they are numbers, else "unassigned" and, if need be, a number behind it.
 */
static ksda_status new_community(ksda_ctx *ctx, ksda_i_ids *names, uint32_t *item) {
    uint64_t last = 0;
    if (names->kind == KSDA_I_IDS_RANGE && names->first + names->count < UINT64_MAX) {
        *item = names->count++;
        return KSDA_OK;
    }
    for (uint32_t i = 0; names->kind == KSDA_I_IDS_NUMBERS && i < names->count; i++)
        last = names->number[i] > last ? names->number[i] : last;
    if (names->kind == KSDA_I_IDS_NUMBERS && last < UINT64_MAX) {
        last++;
        *item = names->count;
        return ksda_i_ids_append_numbers(ctx, names, 1, &last);
    }
    ksda_status status = ksda_i_ids_to_names(ctx, names);
    for (uint64_t i = names->count; status >= 0; i++) {
        char text[48];
        int length = snprintf(text, sizeof text, "unassigned-%" PRIu64, i);
        if (ksda_i_ids_find(names, text, (size_t)length) != KSDA_NO_VERTEX) continue;
        return ksda_i_ids_intern(ctx, names, text, (size_t)length, item);
    }
    return status;
}

ksda_status ksda_i_new_communities(ksda_ctx *ctx, ksda_i_ids *names, uint32_t count, uint32_t *first) {
    *first = names->count;
    if (names->kind == KSDA_I_IDS_NUMBERS && names->sorted == names->count && names->count > 0 &&
        names->number[names->count - 1] < UINT64_MAX - count) {
        uint64_t *number = ksda_i_malloc(ctx, count, sizeof *number);
        if (!number) return KSDA_NOMEM;
        for (uint32_t i = 0; i < count; i++) number[i] = names->number[names->count - 1] + 1 + i;
        ksda_status status = ksda_i_ids_append_numbers(ctx, names, count, number);
        ksda_i_free(ctx, number);
        return status;
    }
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0, item; i < count && status >= 0; i++) status = new_community(ctx, names, &item);
    return status;
}

bool ksda_i_unassigned_counts(ksda_unassigned unassigned) {
    return unassigned == KSDA_UNASSIGNED_OWN_COUNTED || unassigned == KSDA_UNASSIGNED_TOGETHER_COUNTED;
}

ksda_status ksda_i_communities_take_partial(ksda_ctx *ctx, uint32_t n, ksda_unassigned unassigned, uint32_t *of,
                                            ksda_i_ids *names, ksda_communities **out) {
    bool own = unassigned == KSDA_UNASSIGNED_OWN || unassigned == KSDA_UNASSIGNED_OWN_COUNTED;
    uint32_t given = names->count, without = 0, next = 0;
    ksda_status status = KSDA_OK;
    *out = NULL;
    for (uint32_t v = 0; v < n; v++) without += of[v] == KSDA_NO_VERTEX;
    if (without) KSDA_I_TRY(ksda_i_new_communities(ctx, names, own ? without : 1, &next));
    for (uint32_t v = 0; v < n; v++)
        if (of[v] == KSDA_NO_VERTEX) of[v] = own ? next++ : next;
    KSDA_I_TRY(ksda_i_communities_take(ctx, n, names->count, of, names, out));
    (*out)->given = (*out)->unknown = given;
    if (!ksda_i_unassigned_counts(unassigned)) (*out)->counted = given;
done:
    return status;
}

ksda_status ksda_i_refuse_unassigned(ksda_ctx *ctx, uint32_t n, const uint32_t *of, ksda_unassigned unassigned) {
    if ((unsigned)unassigned > KSDA_UNASSIGNED_TOGETHER_COUNTED)
        return ksda_i_error(ctx, KSDA_INVALID, "%d says nothing about vertices without a community", (int)unassigned);
    for (uint32_t v = 0; v < n && unassigned == KSDA_UNASSIGNED_REFUSE; v++)
        if (of[v] == KSDA_NO_VERTEX)
            return ksda_i_error(ctx, KSDA_INVALID,
                                "vertex %u has no community; a ksda_unassigned says what to do with such vertices", v);
    return KSDA_OK;
}

/* --- from labels -------------------------------------------------------------------------------------------------- */

typedef struct labels {
    uint32_t n;
    const uint32_t *of;
    uint64_t none; /* this label is no community; beyond 32 bits: there is none such */
} labels;

/* The different labels in ascending order, in label[0 .. count-1]. Small labels, the usual case, are ticked off in a
 * table. */
static ksda_status different_labels(ksda_ctx *ctx, const labels *l, uint64_t *label, uint32_t *count) {
    uint32_t largest = 0, known = 0;
    *count = 0;
    for (uint32_t v = 0; v < l->n; v++)
        if (l->of[v] != l->none && l->of[v] > largest) largest = l->of[v];
    bool small = largest / 4 <= l->n;
    void *scratch = small ? ksda_i_calloc(ctx, (uint64_t)largest + 1, 1) : ksda_i_malloc(ctx, l->n, sizeof *label);
    if (!scratch) return KSDA_NOMEM;
    if (small) {
        char *there = scratch;
        for (uint32_t v = 0; v < l->n; v++)
            if (l->of[v] != l->none) there[l->of[v]] = 1;
        for (uint64_t i = 0; i <= largest; i++)
            if (there[i]) label[(*count)++] = i;
    } else {
        for (uint32_t v = 0; v < l->n; v++)
            if (l->of[v] != l->none) label[known++] = l->of[v];
        ksda_i_sort_u64(label, known, scratch);
        for (uint32_t i = 0; i < known; i++)
            if (*count == 0 || label[*count - 1] != label[i]) label[(*count)++] = label[i];
    }
    ksda_i_free(ctx, scratch);
    return KSDA_OK;
}

static ksda_status from_labels(ksda_ctx *ctx, const labels *l, ksda_unassigned unassigned, ksda_communities **out) {
    ksda_status status = KSDA_NOMEM;
    ksda_i_ids names;
    uint64_t *label = ksda_i_malloc(ctx, l->n, sizeof *label);
    uint32_t *number = ksda_i_malloc(ctx, l->n, sizeof *number), count = 0;
    *out = NULL;
    ksda_i_ids_range(&names, 0, 0);
    if (!label || !number) goto done;
    KSDA_I_TRY(different_labels(ctx, l, label, &count));
    if (count == 0 || label[count - 1] == count - 1) { /* they are the numbers already */
        ksda_i_ids_range(&names, count, 0);
    } else {
        ksda_i_ids_numbers_take(&names, count, label);
        label = NULL;
    }
    for (uint32_t v = 0; v < l->n; v++)
        number[v] = l->of[v] == l->none ? KSDA_NO_VERTEX : ksda_i_ids_find_number(&names, l->of[v]);
    KSDA_I_TRY(ksda_i_refuse_unassigned(ctx, l->n, number, unassigned));
    KSDA_I_TRY(ksda_i_communities_take_partial(ctx, l->n, unassigned, number, &names, out));
    number = NULL;
done:
    ksda_i_free(ctx, label);
    ksda_i_free(ctx, number);
    ksda_i_ids_clear(ctx, &names);
    return status;
}

ksda_status ksda_communities_from_labels(ksda_ctx *ctx, uint32_t n, const uint32_t *of, ksda_communities **out) {
    labels l = {n, of, UINT64_MAX};
    return from_labels(ctx, &l, KSDA_UNASSIGNED_REFUSE, out);
}

ksda_status ksda_communities_from_partial_labels(ksda_ctx *ctx, uint32_t n, const uint32_t *of, uint32_t none,
                                                 ksda_unassigned unassigned, ksda_communities **out) {
    labels l = {n, of, none};
    return from_labels(ctx, &l, unassigned, out);
}

/* --- from lists of members ---------------------------------------------------------------------------------------- */

static ksda_status put_members(ksda_ctx *ctx, uint32_t n, uint32_t c, const uint32_t *member, uint32_t count,
                               uint32_t *of) {
    if (count == 0) return ksda_i_error(ctx, KSDA_INVALID, "community %u has no members", c);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = member[i];
        if (v >= n)
            return ksda_i_error(ctx, KSDA_INVALID, "community %u has member %u, but there are only %u vertices", c, v,
                                n);
        if (of[v] == c) return ksda_i_error(ctx, KSDA_INVALID, "community %u has member %u twice", c, v);
        if (of[v] != KSDA_NO_VERTEX)
            return ksda_i_error(ctx, KSDA_INVALID, "vertex %u is a member of communities %u and %u", v, of[v], c);
        of[v] = c;
    }
    return KSDA_OK;
}

ksda_status ksda_communities_from_members(ksda_ctx *ctx, uint32_t n, uint32_t count, const uint32_t *offsets,
                                          const uint32_t *members, const char *names, const uint64_t *name_offsets,
                                          ksda_unassigned unassigned, ksda_communities **out) {
    ksda_status status = KSDA_NOMEM;
    ksda_i_ids ids;
    uint32_t *of = ksda_i_malloc(ctx, n, sizeof *of);
    *out = NULL;
    ksda_i_ids_range(&ids, 0, 0);
    if (!of) goto done;
    for (uint32_t v = 0; v < n; v++) of[v] = KSDA_NO_VERTEX;
    for (uint32_t c = 0; c < count; c++) {
        if (offsets[c + 1] < offsets[c])
            KSDA_I_TRY(ksda_i_error(ctx, KSDA_INVALID, "the members of community %u end before they begin", c));
        KSDA_I_TRY(put_members(ctx, n, c, members + offsets[c], offsets[c + 1] - offsets[c], of));
    }
    KSDA_I_TRY(ksda_i_refuse_unassigned(ctx, n, of, unassigned));
    KSDA_I_TRY(ksda_i_ids_from_buffer(ctx, count, names, name_offsets, "community", &ids));
    KSDA_I_TRY(ksda_i_communities_take_partial(ctx, n, unassigned, of, &ids, out));
    of = NULL;
done:
    ksda_i_free(ctx, of);
    ksda_i_ids_clear(ctx, &ids);
    return status;
}
