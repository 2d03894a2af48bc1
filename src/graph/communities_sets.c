/* People in several communities.
 *
 * Vertices with the same set of communities are of the same kind: kinds are found by a hash table of the sets, then put
 * in the order of the sets. All that is counted for each community of a partition can be counted for each kind, and two
 * people of one kind may always be joined by an edge. Time O(memberships) and sorting. */
#include "core/sort.h"
#include "graph/communities.h"

#include <stdlib.h>

/* --- kinds -------------------------------------------------------------------------------------------------------- */

typedef struct kind {
    const uint32_t *member;
    uint32_t size, item; /* in the hash table */
} kind;

static int by_set(const void *a, const void *b) {
    const kind *x = a, *y = b;
    for (uint32_t i = 0; i < x->size && i < y->size; i++)
        if (x->member[i] != y->member[i]) return x->member[i] < y->member[i] ? -1 : 1;
    return (x->size > y->size) - (x->size < y->size);
}

/* Sorted memberships without repetitions: their number. */
static uint64_t sort_memberships(uint64_t *membership, uint64_t memberships, uint64_t *scratch) {
    uint64_t kept = 0;
    ksda_i_sort_u64(membership, memberships, scratch);
    for (uint64_t i = 0; i < memberships; i++)
        if (kept == 0 || membership[kept - 1] != membership[i]) membership[kept++] = membership[i];
    return kept;
}

/* The item of each vertex's set in a table of them (the bytes of its numbers); KSDA_NO_VERTEX where it is empty. */
static ksda_status find_kinds(ksda_ctx *ctx, const uint64_t *membership, uint64_t memberships, const uint32_t *member,
                              uint32_t *of, ksda_i_ids *sets) {
    ksda_status status = KSDA_OK;
    for (uint64_t i = 0, end; i < memberships && status >= 0; i = end) {
        for (end = i + 1; end < memberships && membership[end] >> 32 == membership[i] >> 32;) end++;
        status = ksda_i_ids_intern(ctx, sets, (const char *)(member + i), (end - i) * sizeof *member,
                                   &of[membership[i] >> 32]);
    }
    return status;
}

/* The name of a set: those of its communities with + between. Where names have a +, two sets could be called alike: the
 * second gets one more. */
static ksda_status name_kind(ksda_ctx *ctx, const ksda_i_ids *names, const kind *k, ksda_i_ids *out) {
    ksda_status status = KSDA_OK;
    uint64_t capacity = 0, used = 0;
    uint32_t known = out->count, item;
    char *text = NULL;
    for (uint32_t i = 0; i < k->size; i++) {
        size_t length = ksda_i_ids_name(names, k->member[i], NULL, 0);
        KSDA_I_TRY(ksda_i_reserve(ctx, &text, &capacity, used + length + 2, 1));
        if (i) text[used++] = '+';
        used += ksda_i_ids_name(names, k->member[i], text + used, length + 1);
    }
    do {
        KSDA_I_TRY(ksda_i_ids_intern(ctx, out, text, used, &item));
        KSDA_I_TRY(ksda_i_reserve(ctx, &text, &capacity, used + 1, 1));
        text[used++] = '+';
    } while (out->count == known);
done:
    ksda_i_free(ctx, text);
    return status;
}

/* Put the kinds in the order of their sets: names, sets and what each item becomes (of, where it is one). */
static ksda_status order_kinds(ksda_ctx *ctx, uint32_t n, const ksda_i_ids *table, const ksda_i_ids *names,
                               uint32_t *of, ksda_i_ids *kind_names, ksda_i_sets *sets) {
    ksda_status status = KSDA_NOMEM;
    uint32_t kinds = table->count, *to = ksda_i_malloc(ctx, kinds, sizeof *to);
    kind *all = ksda_i_malloc(ctx, kinds, sizeof *all);
    uint32_t *member = ksda_i_malloc(ctx, table->start[kinds] / sizeof *member, sizeof *member);
    if (!all || !to || !member) goto done;
    memcpy(member, table->text, table->start[kinds]);
    for (uint32_t i = 0; i < kinds; i++)
        all[i] = (kind){member + table->start[i] / sizeof *member,
                        (uint32_t)((table->start[i + 1] - table->start[i]) / sizeof *member), i};
    ksda_i_sort_by(all, kinds, sizeof *all, by_set);
    status = KSDA_OK;
    for (uint32_t i = 0; i < kinds; i++) {
        to[all[i].item] = i;
        memcpy(sets->member + sets->start[i], all[i].member, all[i].size * sizeof *member);
        sets->start[i + 1] = sets->start[i] + all[i].size;
        KSDA_I_TRY(name_kind(ctx, names, &all[i], kind_names));
    }
    for (uint32_t v = 0; v < n; v++)
        if (of[v] != KSDA_NO_VERTEX) of[v] = to[of[v]];
done:
    ksda_i_free(ctx, to);
    ksda_i_free(ctx, all);
    ksda_i_free(ctx, member);
    return status;
}

/* Vertices without a community have kinds behind the others by now: each is one further community, which they get. */
static ksda_status add_unassigned(ksda_ctx *ctx, ksda_unassigned unassigned, ksda_i_ids *names, ksda_communities *c,
                                  ksda_i_sets *sets) {
    uint32_t first, made = c->count - c->given, given = names->count;
    ksda_status status = ksda_i_new_communities(ctx, names, made, &first);
    if (status < 0) return status;
    for (uint32_t i = 0; i < made; i++) {
        uint64_t *start = sets->start + c->given + i;
        sets->member[start[0]] = given + i;
        start[1] = start[0] + 1;
    }
    sets->count = names->count;
    sets->counted = ksda_i_unassigned_counts(unassigned) ? names->count : given;
    sets->names = *names;
    ksda_i_ids_range(names, 0, 0);
    c->sets = sets;
    return KSDA_OK;
}

static ksda_status take_kinds(ksda_ctx *ctx, uint32_t n, ksda_unassigned unassigned, const uint64_t *membership,
                              uint64_t memberships, uint32_t **of, ksda_i_ids *names, ksda_communities **out) {
    ksda_status status = KSDA_NOMEM;
    ksda_i_ids table, kind_names;
    ksda_i_sets *sets = NULL;
    uint32_t *member = ksda_i_malloc(ctx, memberships, sizeof *member);
    ksda_i_ids_names(&table);
    ksda_i_ids_names(&kind_names);
    if (!member) goto done;
    for (uint64_t i = 0; i < memberships; i++) member[i] = (uint32_t)membership[i];
    KSDA_I_TRY(find_kinds(ctx, membership, memberships, member, *of, &table));
    status = KSDA_NOMEM;
    if (!(sets = ksda_i_sets_new(ctx, n, memberships + n))) goto done; /* a vertex more for each that has none */
    KSDA_I_TRY(order_kinds(ctx, n, &table, names, *of, &kind_names, sets));
    KSDA_I_TRY(ksda_i_communities_take_partial(ctx, n, unassigned, *of, &kind_names, out));
    *of = NULL;
    KSDA_I_TRY(add_unassigned(ctx, unassigned, names, *out, sets));
    sets = NULL;
done:
    if (status < 0) ksda_communities_free(ctx, *out), *out = NULL;
    ksda_i_sets_free(ctx, sets);
    ksda_i_free(ctx, member);
    ksda_i_ids_clear(ctx, &table);
    ksda_i_ids_clear(ctx, &kind_names);
    return status;
}

ksda_status ksda_i_communities_take_sets(ksda_ctx *ctx, uint32_t n, ksda_unassigned unassigned, uint64_t *membership,
                                         uint64_t memberships, ksda_i_ids *names, ksda_communities **out) {
    ksda_status status = KSDA_NOMEM;
    uint64_t *scratch = ksda_i_malloc(ctx, memberships, sizeof *scratch);
    uint32_t *of = ksda_i_malloc(ctx, n, sizeof *of);
    bool several = false;
    *out = NULL;
    if (!scratch || !of) goto done;
    memberships = sort_memberships(membership, memberships, scratch);
    for (uint32_t v = 0; v < n; v++) of[v] = KSDA_NO_VERTEX;
    for (uint64_t i = 0; i < memberships; i++) {
        several |= of[membership[i] >> 32] != KSDA_NO_VERTEX;
        of[membership[i] >> 32] = (uint32_t)membership[i];
    }
    KSDA_I_TRY(ksda_i_refuse_unassigned(ctx, n, of, unassigned));
    if (several) {
        KSDA_I_TRY(take_kinds(ctx, n, unassigned, membership, memberships, &of, names, out));
    } else {
        KSDA_I_TRY(ksda_i_communities_take_partial(ctx, n, unassigned, of, names, out));
        of = NULL;
    }
done:
    ksda_i_free(ctx, scratch);
    ksda_i_free(ctx, of);
    return status;
}

/* --- from the caller's arrays ------------------------------------------------------------------------------------- */

/* Every number is in range, and every community used. */
static ksda_status check_sets(ksda_ctx *ctx, uint32_t n, uint32_t count, const uint64_t *offsets,
                              const uint32_t *communities, char *used) {
    for (uint32_t v = 0; v < n; v++) {
        if (offsets[v + 1] < offsets[v])
            return ksda_i_error(ctx, KSDA_INVALID, "the communities of vertex %u end before they begin", v);
        for (uint64_t i = offsets[v]; i < offsets[v + 1]; i++) {
            if (communities[i] >= count)
                return ksda_i_error(ctx, KSDA_INVALID, "vertex %u is in community %u, but there are only %u", v,
                                    communities[i], count);
            used[communities[i]] = 1;
        }
    }
    for (uint32_t c = 0; c < count; c++)
        if (!used[c]) return ksda_i_error(ctx, KSDA_INVALID, "community %u has no members", c);
    return KSDA_OK;
}

ksda_status ksda_communities_from_sets(ksda_ctx *ctx, uint32_t n, uint32_t count, const uint64_t *offsets,
                                       const uint32_t *communities, const char *names, const uint64_t *name_offsets,
                                       ksda_unassigned unassigned, ksda_communities **out) {
    ksda_status status = KSDA_NOMEM;
    ksda_i_ids ids;
    uint64_t memberships = n ? offsets[n] - offsets[0] : 0, at = 0;
    uint64_t *membership = ksda_i_malloc(ctx, memberships, sizeof *membership);
    char *used = ksda_i_calloc(ctx, count, 1);
    *out = NULL;
    ksda_i_ids_range(&ids, 0, 0);
    if (!membership || !used) goto done;
    KSDA_I_TRY(check_sets(ctx, n, count, offsets, communities, used));
    for (uint32_t v = 0; v < n; v++)
        for (uint64_t i = offsets[v]; i < offsets[v + 1]; i++) membership[at++] = (uint64_t)v << 32 | communities[i];
    KSDA_I_TRY(ksda_i_ids_from_buffer(ctx, count, names, name_offsets, "community", &ids));
    KSDA_I_TRY(ksda_i_communities_take_sets(ctx, n, unassigned, membership, at, &ids, out));
done:
    ksda_i_free(ctx, membership);
    ksda_i_free(ctx, used);
    ksda_i_ids_clear(ctx, &ids);
    return status;
}
