/* Connected query: of the pairs of people who were connected in the original, the share who no longer are, when any
 * substitute of one may reach any substitute of the other. 0 where no pair was connected.
 *
 * Exact, by counting components. A place is a pair (original component, component of the release); a person has the
 * places of all their substitutes, and two people who were connected still are when they share a place. Sharing is not
 * transitive: a vertex that was split over two components reaches both, their neighbours do not. So pairs are counted
 * at the first place they share, places ordered by size, largest first: at a place with p people that is p (p - 1) / 2
 * less the pairs who share an earlier one, and only people with an earlier place need to be looked at, in pairs. People
 * with the same places are taken together. Time O(n + m + n log n) and the square of the number of different sets of
 * places that meet outside the largest; memory O(n). */
#include "measure/measure.h"

#include "core/sort.h"

#include <stdlib.h>

/* One substitute's place; later (rank of the place, set). */
typedef struct visit {
    uint32_t person, original, published;
    uint32_t place; /* rank by size */
} visit;

/* People with the same places. */
typedef struct group {
    uint64_t first; /* in the list of visits */
    uint32_t places;
    uint64_t people;
} group;

typedef struct query {
    ksda_ctx *ctx;
    visit *visits; /* by person, then place, without repetitions */
    uint64_t count;
    group *groups; /* by their places */
    uint64_t group_count, people;
    uint32_t places;
    uint64_t *size;  /* [places] people at each */
    uint64_t *start; /* [places + 1] groups at each place that also have an earlier one */
    uint32_t *member;
} query;

static int by_place_name(const void *a, const void *b) {
    const visit *x = a, *y = b;
    if (x->original != y->original) return x->original < y->original ? -1 : 1;
    if (x->published != y->published) return x->published < y->published ? -1 : 1;
    return x->person < y->person ? -1 : x->person > y->person;
}

static int by_person(const void *a, const void *b) {
    const visit *x = a, *y = b;
    if (x->person != y->person) return x->person < y->person ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int by_count(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? 1 : -1;
    return x[1] < y[1] ? -1 : x[1] > y[1];
}

static bool same_place(const visit *a, const visit *b) {
    return a->original == b->original && a->published == b->published;
}

/* Number the places by size, largest first. visits are sorted by place name, repetitions removed. */
static ksda_status rank_places(query *q) {
    uint32_t at = 0;
    q->places = 0;
    for (uint64_t i = 0; i < q->count; i++) {
        if (i == 0 || !same_place(&q->visits[i - 1], &q->visits[i])) q->places++;
        q->visits[i].place = q->places - 1;
    }
    uint64_t *by = ksda_i_calloc(q->ctx, q->places, 2 * sizeof *by);
    uint32_t *rank = ksda_i_malloc(q->ctx, q->places, sizeof *rank);
    q->size = ksda_i_malloc(q->ctx, q->places, sizeof *q->size);
    ksda_status status = by && rank && q->size ? KSDA_OK : KSDA_NOMEM;
    for (uint64_t i = 0; i < q->count && status >= 0; i++) by[2 * q->visits[i].place]++;
    for (uint64_t i = 0; i < q->places && status >= 0; i++) by[2 * i + 1] = i;
    if (status >= 0 && q->places) ksda_i_sort_by(by, q->places, 2 * sizeof *by, by_count);
    for (; at < q->places && status >= 0; at++) {
        rank[by[2 * (uint64_t)at + 1]] = at;
        q->size[at] = by[2 * (uint64_t)at];
    }
    for (uint64_t i = 0; i < q->count && status >= 0; i++) q->visits[i].place = rank[q->visits[i].place];
    ksda_i_free(q->ctx, by);
    ksda_i_free(q->ctx, rank);
    return status;
}

static int compare_groups(const void *a, const void *b, void *visits) {
    const group *x = a, *y = b;
    const visit *v = visits;
    if (x->places != y->places) return x->places < y->places ? -1 : 1;
    for (uint32_t i = 0; i < x->places; i++) {
        uint32_t p = v[x->first + i].place, r = v[y->first + i].place;
        if (p != r) return p < r ? -1 : 1;
    }
    return 0;
}

/* Only people with several places can share an earlier one: group those by their places. visits are sorted by person.
 */
static ksda_status make_groups(query *q) {
    uint64_t capacity = 0, kept = 0;
    for (uint64_t i = 0, end; i < q->count; i = end) {
        for (end = i + 1; end < q->count && q->visits[end].person == q->visits[i].person; end++) {
        }
        if (end - i < 2) continue;
        ksda_status status = ksda_i_reserve(q->ctx, &q->groups, &capacity, q->group_count + 1, sizeof *q->groups);
        if (status < 0) return status;
        q->groups[q->group_count++] = (group){i, (uint32_t)(end - i), 1};
    }
    ksda_i_allocator_enter(); /* as in ksda_i_sort_by() */
    if (q->group_count) qsort_r(q->groups, q->group_count, sizeof *q->groups, compare_groups, q->visits);
    ksda_i_allocator_leave();
    for (uint64_t i = 0; i < q->group_count; i++) {
        if (kept > 0 && compare_groups(&q->groups[kept - 1], &q->groups[i], q->visits) == 0)
            q->groups[kept - 1].people++;
        else
            q->groups[kept++] = q->groups[i];
    }
    q->group_count = kept;
    return KSDA_OK;
}

/* For each place the groups that have it, and an earlier one. */
static ksda_status index_groups(query *q) {
    q->start = ksda_i_calloc(q->ctx, (uint64_t)q->places + 2, sizeof *q->start);
    if (!q->start) return KSDA_NOMEM;
    for (uint64_t g = 0; g < q->group_count; g++)
        for (uint32_t i = 1; i < q->groups[g].places; i++) q->start[q->visits[q->groups[g].first + i].place + 2]++;
    for (uint64_t p = 0; p <= q->places; p++) q->start[p + 1] += q->start[p];
    q->member = ksda_i_malloc(q->ctx, q->start[q->places + 1], sizeof *q->member);
    if (!q->member) return KSDA_NOMEM;
    for (uint64_t g = 0; g < q->group_count; g++)
        for (uint32_t i = 1; i < q->groups[g].places; i++)
            q->member[q->start[q->visits[q->groups[g].first + i].place + 1]++] = (uint32_t)g;
    return KSDA_OK;
}

/* Do two groups share a place before this one? Their places ascend. */
static bool share_earlier(const query *q, const group *a, const group *b, uint32_t place) {
    const visit *x = q->visits + a->first, *y = q->visits + b->first;
    while (x->place < place && y->place < place) {
        if (x->place == y->place) return true;
        if (x->place < y->place)
            x++;
        else
            y++;
    }
    return false;
}

/* Pairs of people at this place who met at an earlier one already. */
static double met_before(const query *q, uint32_t place) {
    double pairs = 0;
    for (uint64_t i = q->start[place]; i < q->start[place + 1] && !ksda_i_cancelled(q->ctx); i++) {
        const group *a = &q->groups[q->member[i]];
        pairs += (double)a->people * (double)(a->people - 1) / 2; /* they share all places, and have an earlier one */
        for (uint64_t j = i + 1; j < q->start[place + 1]; j++) {
            const group *b = &q->groups[q->member[j]];
            if (share_earlier(q, a, b, place)) pairs += (double)a->people * (double)b->people;
        }
    }
    return pairs;
}

static ksda_status list_visits(ksda_i_comparing *c, query *q) {
    uint32_t n = c->published->n;
    uint64_t kept = 0;
    q->visits = ksda_i_malloc(c->ctx, n, sizeof *q->visits);
    if (!q->visits) return KSDA_NOMEM;
    for (uint32_t p = 0; p < n; p++)
        q->visits[p] = (visit){c->owner[p], c->before.component[c->owner[p]], c->after.component[p], 0};
    if (n) ksda_i_sort_by(q->visits, n, sizeof *q->visits, by_place_name);
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || by_place_name(&q->visits[kept - 1], &q->visits[i]) != 0) q->visits[kept++] = q->visits[i];
    q->count = kept;
    return KSDA_OK;
}

static ksda_status still_connected(ksda_i_comparing *c, double *pairs) {
    query q = {.ctx = c->ctx};
    ksda_status status = KSDA_OK;
    KSDA_I_TRY(list_visits(c, &q));
    KSDA_I_TRY(rank_places(&q));
    if (q.count) ksda_i_sort_by(q.visits, q.count, sizeof *q.visits, by_person);
    KSDA_I_TRY(make_groups(&q));
    KSDA_I_TRY(index_groups(&q));
    *pairs = 0;
    for (uint32_t p = 0; p < q.places; p++)
        *pairs += (double)q.size[p] * ((double)q.size[p] - 1) / 2 - met_before(&q, p);
    status = ksda_i_interrupted(c->ctx);
done:
    ksda_i_free(c->ctx, q.visits);
    ksda_i_free(c->ctx, q.groups);
    ksda_i_free(c->ctx, q.size);
    ksda_i_free(c->ctx, q.start);
    ksda_i_free(c->ctx, q.member);
    return status;
}

ksda_status ksda_i_pass_connected(ksda_i_comparing *c) {
    ksda_status status = KSDA_OK;
    double before = 0, after = 0;
    KSDA_I_TRY(ksda_i_measuring_components(&c->before));
    KSDA_I_TRY(ksda_i_measuring_components(&c->after));
    for (uint32_t i = 0; i < c->before.components; i++)
        before += c->before.component_size[i] * (c->before.component_size[i] - 1.0) / 2;
    KSDA_I_TRY(still_connected(c, &after));
    ksda_i_set_exact(&c->out->difference[KSDA_DIFFERENCE_DISCONNECTED_PAIRS],
                     before > 0 ? (before - after) / before : 0);
done:
    return status;
}
