/* Maximum set packing for sets of communities: a kernel, then branch and bound.
 *
 * The kernel is exact. Equal sets count once. A community that one set only has says nothing and is crossed out. A set
 * of which at most one community is left is taken: every packing has at most one set with that community, and may have
 * this one instead (exchange); all that meet it go. A set that contains another one goes, too. What remains falls into
 * parts without a community in common, and each is searched by itself: a largest independent set in the graph of those
 * that meet. Bound: communities, chosen greedily, that hit every set left; each can be in one set of a packing.
 * Real networks leave little: of the 199 degrees of com-dblp with 13,477 communities 181 are decided to the last.
 *
 * Set packing is as hard as independent set (Karp 1972), so the search has a budget. When it is over, found and most
 * are still true, but may differ: "not decided". Memory: bits for each pair of sets in one part. */
#include "privacy/packing.h"

#define MOST_SETS 4096u  /* of a part that is searched: 2 MB of bits */
#define LOOK_EVERY 4096u /* nodes of the search between two looks at the clock */

ksda_status ksda_i_packer_open(ksda_ctx *ctx, const ksda_communities *communities, ksda_i_packer *out) {
    *out = (ksda_i_packer){.ctx = ctx, .communities = communities};
    out->seen = ksda_i_calloc(ctx, communities->count, sizeof *out->seen);
    out->local = ksda_i_calloc(ctx, ksda_communities_set_count(communities), sizeof *out->local);
    if (out->seen && out->local) return KSDA_OK;
    ksda_i_packer_close(out);
    return KSDA_NOMEM;
}

void ksda_i_packer_close(ksda_i_packer *packer) {
    ksda_i_free(packer->ctx, packer->seen);
    ksda_i_free(packer->ctx, packer->local);
    *packer = (ksda_i_packer){.ctx = packer->ctx};
}

/* --- the sets of one question ------------------------------------------------------------------------------------- */

typedef struct family {
    ksda_ctx *ctx;
    uint32_t sets, communities; /* numbered anew */
    uint32_t *kind;             /* [sets] */
    uint32_t *start, *member;   /* [sets + 1] the communities of each set */
    uint32_t *first, *holder;   /* [communities + 1] the sets that have each community */
    bool *alive;                /* [sets] */
    uint32_t *holders;          /* [communities] sets alive that have it; one that has fewer than 2 is crossed out */
    uint32_t *size;             /* [sets] communities that are not crossed out */
    uint32_t *queue, queued;    /* [2 sets] sets to be taken */
    bool *mark;                 /* [communities] all false between uses */
    uint32_t *chosen, found;
    uint64_t work; /* that is left */
} family;

static void free_family(family *f) {
    void *blocks[] = {f->kind,  f->start,   f->member, f->first, f->holder,
                      f->alive, f->holders, f->size,   f->queue, f->mark};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) ksda_i_free(f->ctx, blocks[i]);
}

/* The different kinds that count, and the sum of their sizes. */
static uint64_t different_kinds(ksda_i_packer *p, const uint32_t *kind, uint32_t count, family *f) {
    uint64_t members = 0;
    uint32_t size;
    p->stamp++;
    for (uint32_t i = 0; i < count; i++) {
        if (p->seen[kind[i]] == p->stamp || !ksda_i_kind_counts(p->communities, kind[i])) continue;
        p->seen[kind[i]] = p->stamp;
        f->kind[f->sets++] = kind[i];
        ksda_i_set(p->communities, &kind[i], &size);
        members += size;
    }
    return members;
}

/* Communities numbered in the order of appearance, and who has each. */
static void number_communities(ksda_i_packer *p, family *f) {
    uint32_t size;
    for (uint32_t i = 0; i < f->sets; i++) {
        const uint32_t *set = ksda_i_set(p->communities, &f->kind[i], &size);
        f->start[i + 1] = f->start[i] + size;
        for (uint32_t j = 0; j < size; j++) {
            if (!p->local[set[j]]) p->local[set[j]] = ++f->communities;
            f->member[f->start[i] + j] = p->local[set[j]] - 1;
        }
    }
    for (uint32_t i = 0; i < f->sets; i++) {
        const uint32_t *set = ksda_i_set(p->communities, &f->kind[i], &size);
        for (uint32_t j = 0; j < size; j++) p->local[set[j]] = 0;
    }
}

static void list_holders(family *f) {
    for (uint32_t i = 0; i < f->start[f->sets]; i++) f->holders[f->member[i]]++;
    for (uint32_t c = 0; c < f->communities; c++) f->first[c + 1] = f->first[c] + f->holders[c];
    for (uint32_t i = 0; i < f->sets; i++)
        for (uint32_t j = f->start[i]; j < f->start[i + 1]; j++) f->holder[f->first[f->member[j]]++] = i;
    for (uint32_t c = f->communities; c > 0; c--) f->first[c] = f->first[c - 1];
    f->first[0] = 0;
    for (uint32_t i = 0; i < f->sets; i++) {
        f->alive[i] = true;
        for (uint32_t j = f->start[i]; j < f->start[i + 1]; j++) f->size[i] += f->holders[f->member[j]] > 1;
    }
}

static ksda_status make_family(ksda_i_packer *p, const uint32_t *kind, uint32_t count, family *f) {
    if (!(f->kind = ksda_i_malloc(p->ctx, count, sizeof *f->kind))) return KSDA_NOMEM;
    uint64_t members = different_kinds(p, kind, count, f), n = f->sets;
    f->start = ksda_i_calloc(p->ctx, n + 1, sizeof *f->start);
    f->member = ksda_i_malloc(p->ctx, members, sizeof *f->member);
    f->first = ksda_i_calloc(p->ctx, members + 1, sizeof *f->first);
    f->holder = ksda_i_malloc(p->ctx, members, sizeof *f->holder);
    f->alive = ksda_i_calloc(p->ctx, n, sizeof *f->alive);
    f->holders = ksda_i_calloc(p->ctx, members, sizeof *f->holders);
    f->size = ksda_i_calloc(p->ctx, n, sizeof *f->size);
    f->queue = ksda_i_malloc(p->ctx, 2 * n, sizeof *f->queue);
    f->mark = ksda_i_calloc(p->ctx, members, sizeof *f->mark);
    if (!f->start || !f->member || !f->first || !f->holder || !f->alive || !f->holders || !f->size || !f->queue ||
        !f->mark)
        return KSDA_NOMEM;
    number_communities(p, f);
    list_holders(f);
    return KSDA_OK;
}

/* --- the kernel --------------------------------------------------------------------------------------------------- */

/* A set goes. A community that only one is left with is crossed out there, and that one may become ripe. */
static void drop_set(family *f, uint32_t i) {
    f->alive[i] = false;
    for (uint32_t j = f->start[i]; j < f->start[i + 1]; j++) {
        uint32_t c = f->member[j], at = f->first[c];
        if (--f->holders[c] != 1) continue;
        while (!f->alive[f->holder[at]]) at++;
        if (--f->size[f->holder[at]] <= 1) f->queue[f->queued++] = f->holder[at];
    }
}

static void take_set(family *f, uint32_t i) {
    f->chosen[f->found++] = f->kind[i];
    for (uint32_t j = f->start[i]; j < f->start[i + 1]; j++)
        for (uint32_t c = f->member[j], at = f->first[c]; f->holders[c] > 1 && at < f->first[c + 1]; at++)
            if (f->alive[f->holder[at]] && f->holder[at] != i) drop_set(f, f->holder[at]);
    drop_set(f, i);
}

static void take_ripe(family *f) {
    while (f->queued) {
        uint32_t i = f->queue[--f->queued];
        if (f->alive[i]) take_set(f, i);
    }
}

/* The community, of those not crossed out, that fewest have. */
static uint32_t rarest(const family *f, uint32_t i) {
    uint32_t best = f->member[f->start[i]], least = UINT32_MAX;
    for (uint32_t j = f->start[i]; j < f->start[i + 1]; j++) {
        uint32_t c = f->member[j];
        if (f->holders[c] > 1 && f->holders[c] < least) best = c, least = f->holders[c];
    }
    return best;
}

/* Sets that contain set i go; true where there were some. */
static bool drop_larger(family *f, uint32_t i) {
    bool dropped = false;
    uint32_t c = rarest(f, i);
    for (uint32_t j = f->start[i]; j < f->start[i + 1]; j++) f->mark[f->member[j]] = f->holders[f->member[j]] > 1;
    for (uint32_t at = f->first[c]; at < f->first[c + 1] && f->alive[i]; at++) {
        uint32_t other = f->holder[at], common = 0;
        if (other == i || !f->alive[other] || f->size[other] < f->size[i]) continue;
        for (uint32_t j = f->start[other]; j < f->start[other + 1]; j++)
            common += f->mark[f->member[j]] && f->holders[f->member[j]] > 1;
        f->work -= f->work < common ? f->work : common;
        if (common < f->size[i]) continue;
        drop_set(f, other);
        dropped = true;
    }
    for (uint32_t j = f->start[i]; j < f->start[i + 1]; j++) f->mark[f->member[j]] = false;
    return dropped;
}

static void reduce(family *f) {
    bool again = true;
    for (uint32_t i = 0; i < f->sets; i++)
        if (f->size[i] <= 1) f->queue[f->queued++] = i;
    while (again && f->work > 0) {
        take_ripe(f);
        again = false;
        for (uint32_t i = 0; i < f->sets && f->work > 0; i++)
            if (f->alive[i]) again |= drop_larger(f, i);
    }
    take_ripe(f);
}

/* --- the search --------------------------------------------------------------------------------------------------- */

/* A part: bit sets of its sets. Rows are `words` long. */
typedef struct part {
    family *f;
    uint32_t count, communities, words;
    uint32_t *set;   /* [count] */
    uint64_t *meets; /* [count rows] */
    uint64_t *holds; /* [communities rows] the sets that have it */
    uint64_t *level; /* [2 (count + 1) rows] what is left at each depth, and scratch */
    uint32_t *start; /* [count + 1] communities of each set, in `of` */
    uint32_t *of;
    uint32_t *now, *best; /* [count] */
    uint32_t chosen, found, enough;
    uint64_t nodes;
    bool cut; /* by the budget, or by the caller */
} part;

static uint64_t *bit_row(uint64_t *rows, const part *p, uint32_t i) {
    return rows + (uint64_t)i * p->words;
}

static uint32_t common_bits(const part *p, const uint64_t *a, const uint64_t *b) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < p->words; w++) count += (uint32_t)__builtin_popcountll(a[w] & b[w]);
    return count;
}

static void clear_bits(const part *p, uint64_t *a, const uint64_t *b) {
    for (uint32_t w = 0; w < p->words; w++) a[w] &= ~b[w];
}

static void clear_bit(uint64_t *a, uint32_t i) {
    a[i / 64] &= ~(UINT64_C(1) << i % 64);
}

static uint32_t first_bit(const part *p, const uint64_t *a) {
    for (uint32_t w = 0; w < p->words; w++)
        if (a[w]) return w * 64 + (uint32_t)__builtin_ctzll(a[w]);
    return UINT32_MAX;
}

/* Communities that hit all sets left: no packing has more sets. Stops at `limit`. */
static uint32_t hitting(const part *p, const uint64_t *left, uint64_t *scratch, uint32_t limit) {
    uint32_t count = 0;
    memcpy(scratch, left, p->words * sizeof *scratch);
    for (uint32_t i; count < limit && (i = first_bit(p, scratch)) != UINT32_MAX; count++) {
        uint32_t best = p->of[p->start[i]], most = 0;
        for (uint32_t j = p->start[i]; j < p->start[i + 1]; j++) {
            uint32_t here = common_bits(p, scratch, bit_row(p->holds, p, p->of[j]));
            if (here > most) most = here, best = p->of[j];
        }
        clear_bits(p, scratch, bit_row(p->holds, p, best));
    }
    return count;
}

static void choose(part *p, uint64_t *left, uint32_t i) {
    p->now[p->chosen++] = i;
    clear_bits(p, left, bit_row(p->meets, p, i));
    clear_bit(left, i);
}

/* Take every set that at most one other meets; the one that most others meet is left to branch on, or UINT32_MAX. */
static uint32_t choose_easy_sets(part *p, uint64_t *left) {
    for (;;) {
        uint32_t pivot = UINT32_MAX, most = 0, easy = UINT32_MAX;
        for (uint32_t w = 0; w < p->words && easy == UINT32_MAX; w++)
            for (uint64_t bits = left[w]; bits && easy == UINT32_MAX; bits &= bits - 1) {
                uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(bits);
                uint32_t degree = common_bits(p, left, bit_row(p->meets, p, i));
                if (degree <= 1) easy = i;
                if (degree > most) most = degree, pivot = i;
            }
        uint64_t cost = (uint64_t)p->count * p->words;
        p->f->work -= p->f->work < cost ? p->f->work : cost;
        if (easy == UINT32_MAX) return pivot;
        choose(p, left, easy);
    }
}

static void search(part *p, uint32_t depth) {
    uint64_t *left = bit_row(p->level, p, 2 * depth), *scratch = left + p->words;
    uint32_t before = p->chosen, pivot;
    if (p->f->work == 0 || (++p->nodes % LOOK_EVERY == 0 && ksda_i_cancelled(p->f->ctx))) p->cut = true;
    if (p->found >= p->enough) return;
    pivot = choose_easy_sets(p, left);
    if (p->chosen > p->found) {
        p->found = p->chosen;
        memcpy(p->best, p->now, p->chosen * sizeof *p->now);
    }
    if (pivot != UINT32_MAX && p->chosen + hitting(p, left, scratch, p->found + 1 - p->chosen) > p->found) {
        uint64_t *next = bit_row(p->level, p, 2 * depth + 2);
        memcpy(next, left, p->words * sizeof *left);
        choose(p, next, pivot);
        search(p, depth + 1);
        p->chosen--;
        clear_bit(left, pivot);
        if (p->cut) goto done; /* what the first way down has found stays */
        memcpy(next, left, p->words * sizeof *left);
        search(p, depth + 1);
    }
done:
    p->chosen = before;
}

/* The bits of a part whose sets are known; *communities numbers those of the family that it has. */
static ksda_status fill_part(part *p, uint32_t *number) {
    const family *f = p->f;
    uint32_t members = 0;
    for (uint32_t i = 0; i < p->count; i++) members += f->size[p->set[i]];
    p->words = p->count / 64 + 1;
    p->start = ksda_i_calloc(f->ctx, (uint64_t)p->count + 1, sizeof *p->start);
    p->of = ksda_i_malloc(f->ctx, members, sizeof *p->of);
    p->holds = ksda_i_calloc(f->ctx, (uint64_t)members * p->words, sizeof *p->holds);
    p->meets = ksda_i_calloc(f->ctx, (uint64_t)p->count * p->words, sizeof *p->meets);
    p->level = ksda_i_calloc(f->ctx, 2 * ((uint64_t)p->count + 1) * p->words, sizeof *p->level);
    p->now = ksda_i_malloc(f->ctx, p->count, sizeof *p->now);
    p->best = ksda_i_malloc(f->ctx, p->count, sizeof *p->best);
    if (!p->start || !p->of || !p->holds || !p->meets || !p->level || !p->now || !p->best) return KSDA_NOMEM;
    for (uint32_t i = 0, at = 0; i < p->count; i++) {
        uint32_t set = p->set[i];
        for (uint32_t j = f->start[set]; j < f->start[set + 1]; j++) {
            uint32_t c = f->member[j];
            if (f->holders[c] < 2) continue;
            if (!number[c]) number[c] = ++p->communities;
            p->of[at++] = number[c] - 1;
            bit_row(p->holds, p, number[c] - 1)[i / 64] |= UINT64_C(1) << i % 64;
        }
        p->start[i + 1] = at;
        p->level[i / 64] |= UINT64_C(1) << i % 64;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        for (uint32_t j = p->start[i]; j < p->start[i + 1]; j++)
            for (uint32_t w = 0; w < p->words; w++) bit_row(p->meets, p, i)[w] |= bit_row(p->holds, p, p->of[j])[w];
        clear_bit(bit_row(p->meets, p, i), i);
    }
    return KSDA_OK;
}

static void free_part(part *p) {
    void *blocks[] = {p->start, p->of, p->holds, p->meets, p->level, p->now, p->best};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) ksda_i_free(p->f->ctx, blocks[i]);
}

/* Search one part; *most grows by what it can have at most. */
static ksda_status solve_part(family *f, uint32_t *set, uint32_t count, uint32_t enough, uint32_t *number,
                              uint32_t *most) {
    part p = {.f = f, .set = set, .count = count, .enough = enough};
    ksda_status status = fill_part(&p, number);
    if (status >= 0) {
        uint32_t bound = hitting(&p, p.level, p.level + p.words, UINT32_MAX);
        search(&p, 0);
        for (uint32_t i = 0; i < p.found; i++) f->chosen[f->found++] = f->kind[set[p.best[i]]];
        *most += p.cut || p.found >= enough ? bound : p.found;
        status = p.cut && f->work > 0 ? ksda_i_interrupted(f->ctx) : KSDA_OK;
    }
    free_part(&p);
    return status;
}

/* A part too large for bits: what is found going from small sets to large, and any number of communities that hit
 * all. */
static void guess_part(family *f, const uint32_t *set, uint32_t count, uint32_t *most) {
    uint32_t largest = 0;
    for (uint32_t i = 0; i < count; i++) largest = largest < f->size[set[i]] ? f->size[set[i]] : largest;
    for (uint32_t size = 1; size <= largest; size++)
        for (uint32_t i = 0; i < count; i++) {
            bool free = f->size[set[i]] == size;
            for (uint32_t j = f->start[set[i]]; j < f->start[set[i] + 1] && free; j++) free = !f->mark[f->member[j]];
            if (!free) continue;
            for (uint32_t j = f->start[set[i]]; j < f->start[set[i] + 1]; j++) f->mark[f->member[j]] = true;
            f->chosen[f->found++] = f->kind[set[i]];
        }
    *most += count;
}

/* The sets that hang together with this one, into list; they are not alive any more. */
static uint32_t gather(family *f, uint32_t first, uint32_t *list) {
    uint32_t count = 0;
    list[count++] = first;
    f->alive[first] = false;
    for (uint32_t done = 0; done < count; done++)
        for (uint32_t j = f->start[list[done]]; j < f->start[list[done] + 1]; j++) {
            uint32_t c = f->member[j];
            if (f->holders[c] < 2) continue;
            for (uint32_t at = f->first[c]; at < f->first[c + 1]; at++)
                if (f->alive[f->holder[at]]) f->alive[f->holder[at]] = false, list[count++] = f->holder[at];
        }
    return count;
}

static ksda_status solve_family(family *f, uint32_t enough, uint32_t *most) {
    ksda_status status = KSDA_OK;
    uint32_t *list = f->queue, *number = ksda_i_calloc(f->ctx, f->communities, sizeof *number);
    if (!number) return KSDA_NOMEM;
    *most = f->found;
    for (uint32_t i = 0; i < f->sets; i++) {
        if (!f->alive[i]) continue;
        uint32_t count = gather(f, i, list), wanted = enough > f->found ? enough - f->found : 0;
        if (count > MOST_SETS)
            guess_part(f, list, count, most);
        else
            KSDA_I_TRY(solve_part(f, list, count, wanted, number, most));
    }
done:
    ksda_i_free(f->ctx, number);
    return status;
}

ksda_status ksda_i_pack(ksda_i_packer *packer, const uint32_t *kind, uint32_t count, uint32_t enough, uint64_t work,
                        uint32_t *chosen, ksda_i_packing *out) {
    family f = {.ctx = packer->ctx, .chosen = chosen, .work = work};
    ksda_status status;
    *out = (ksda_i_packing){0, 0};
    KSDA_I_TRY(make_family(packer, kind, count, &f));
    reduce(&f);
    KSDA_I_TRY(solve_family(&f, enough, &out->most));
    out->found = f.found;
done:
    free_family(&f);
    return status;
}
