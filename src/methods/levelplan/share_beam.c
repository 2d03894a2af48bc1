/* A plan for a share bound by beam search over the levels, from the top down.
 *
 * Of each community the larger degrees go to the higher levels, so that what has been planned is told by how many of
 * each community are placed. A state stands before a level that is to be open: everybody above it is placed. It goes on
 * by choosing the next open level below: whoever stands between the two comes up to the first, and where that leaves a
 * community above its share, the cheapest of others are borrowed from below; once more without one of those that were
 * borrowed first, because cheapest now may be dear later. Prices know about pairs: a rise in a community where others
 * rise is half an edge, that of a hub among hubs a whole one. Of the states before a level the cheapest are kept.
 *
 * Time O(levels * width * skips * communities) and the borrowing; memory 4 bytes for a state that was kept and a
 * community. No chance: equal inputs give equal plans. */
#include "methods/levelplan/share_plan.h"

#include "core/sort.h"

#include <math.h>
#include <stdlib.h>

#define MOST_WIDTH 96u            /* states before a level */
#define LEAST_WIDTH 4u            /* likewise */
#define FIRST_WIDTH 8u            /* of a first search, which tells what a wider one would take */
#define CELLS (UINT64_C(1) << 19) /* width, levels and communities multiplied, about */
#define SKIPS 24u                 /* levels from an open one to the next, at most */
#define RAISED 48u                /* who come up because their level is closed, at most */
#define VARIANTS 3u               /* of those who are borrowed first one is left out */
#define TOPS 4u                   /* largest rises of a community that are kept apart */
#define NEED_WEIGHT 0.05          /* a rise that costs no edge is still worse than none */
#define STEP_UNITS 30u            /* of work, for each community of a step */
#define NO_COMMUNITY UINT32_MAX

/* What has been planned for one community. */
typedef struct community_ledger {
    uint32_t placed;         /* its largest members, so many */
    uint32_t hubs;           /* rises that are larger than what fits among the rises before them */
    uint64_t need;           /* sum of all rises */
    double hub_edges;        /* that the hubs need at least */
    uint32_t top[TOPS];      /* the largest rises, descending */
    uint32_t as_large[TOPS]; /* rises of 1, 2, ... and more */
    double price;            /* of all that */
} community_ledger;

typedef struct beam_state {
    uint64_t key; /* of who is placed */
    double cost;
    uint32_t parent;  /* among the kept ones */
    uint32_t ledgers; /* where its ledgers are, in the beam_bucket */
} beam_state;

/* States before one level. */
typedef struct beam_bucket {
    beam_state *state;         /* [width] */
    community_ledger *ledgers; /* [width * communities] */
    uint32_t count;
} beam_bucket;

/* From one open level to the next. */
typedef struct beam_step {
    uint32_t level, left; /* the open one; levels from the bottom up to the next one */
    uint32_t parent;
    uint32_t without;       /* nobody of this community is borrowed */
    uint32_t lifted, lifts; /* so many of this one come up beside */
} beam_step;

typedef struct kept_state {
    uint32_t beam_bucket, parent;
} kept_state;

typedef struct share_beam {
    ksda_i_share_plan *plan;
    uint32_t communities, levels, width;
    uint32_t *above;             /* [(levels + 1) * communities] members from this level on */
    uint32_t *start;             /* [communities + 1] into level */
    uint32_t *level;             /* [people] of each member, the largest of a community first */
    beam_bucket ring[SKIPS + 1]; /* by how many levels are left, modulo */
    kept_state *kept;
    uint32_t *placed; /* [kept * communities] */
    uint64_t kept_count, kept_capacity, placed_capacity;
    /* the state that is being made */
    community_ledger *now; /* [communities] */
    uint32_t *here;        /* [communities] at the level */
    double *offer;         /* [communities] what its next member costs at the level, NAN where that is not known */
    double cost;
    uint32_t raised, picks, picked[VARIANTS];
} share_beam;

static uint32_t members_above(const share_beam *b, uint32_t level, uint32_t c) {
    return b->above[(uint64_t)level * b->communities + c];
}

/* --- one community ------------------------------------------------------------------------------------------------ */

/* Both are numbers, so that no call is needed. */
static inline double larger_of(double a, double b) {
    return a > b ? a : b;
}

/* Edges that the rises take at least, about; see share_plan.c. */
static double price_of_community(const share_beam *b, const community_ledger *l, uint32_t c) {
    double free = b->plan->free[c], scarce = b->plan->scarce ? b->plan->scarce[c] : 0;
    double best = larger_of((double)(l->need / 2 + l->need % 2), l->hub_edges), sum = 0, pairs = 0;
    double beyond = (double)l->need;
    for (uint32_t h = 1; h <= TOPS && l->top[h - 1] >= h; h++) {
        sum += l->top[h - 1], pairs += free * (h - 1), beyond -= l->as_large[h - 1];
        best = larger_of(best, sum - pairs + (beyond - (sum - (double)h * h)) / 2);
    }
    return best + scarce * (2 * best - (double)l->need) + NEED_WEIGHT * (double)l->need;
}

static void charge_need(community_ledger *l, double free, uint32_t rise) {
    double inner = free * l->hubs;
    l->need += rise;
    for (uint32_t i = 0; i < TOPS && i < rise; i++) l->as_large[i]++;
    for (uint32_t i = 0, more = rise; i < TOPS; i++)
        if (more > l->top[i]) {
            uint32_t less = l->top[i];
            l->top[i] = more, more = less;
        }
    if (rise <= inner) return;
    l->hub_edges += rise - inner, l->hubs++;
}

/* May the next member come up to the level? It stands below; as far as it goes, not more than the most may rise. */
static bool may_rise(const share_beam *b, uint32_t c, uint32_t to) {
    uint32_t rank = b->now[c].placed, from = b->level[b->start[c] + rank];
    for (uint32_t i = from; i < to; i++)
        if (rank + 1 - members_above(b, i + 1, c) > b->plan->levels->most[ksda_i_share_cell(b->plan->levels, i, c)])
            return false;
    return true;
}

static void raise_next(share_beam *b, uint32_t c, uint32_t to) {
    community_ledger *l = &b->now[c];
    const uint32_t *degree = b->plan->levels->degree;
    double before = l->price;
    charge_need(l, b->plan->free[c], degree[to] - degree[b->level[b->start[c] + l->placed]]);
    l->placed++, b->here[c]++;
    l->price = price_of_community(b, l, c);
    b->cost += l->price - before;
    b->offer[c] = NAN;
}

/* --- one level ---------------------------------------------------------------------------------------------------- */

/* Everybody from the level `next` on stands at `to` now. False where somebody cannot, or too many would have to. */
static bool raise_all_between(share_beam *b, uint32_t to, uint32_t next) {
    for (uint32_t c = 0; c < b->communities; c++) {
        uint32_t all = members_above(b, next, c), native = members_above(b, to, c);
        b->here[c] = 0;
        if (b->now[c].placed < native) b->here[c] = native - b->now[c].placed, b->now[c].placed = native;
        while (b->now[c].placed < all) {
            if (++b->raised > RAISED || !may_rise(b, c, to)) return false;
            raise_next(b, c, to);
        }
    }
    return true;
}

/* What it costs that the next member rises by this much. */
static double price_of_rise(const share_beam *b, uint32_t c, uint32_t rise) {
    community_ledger l = b->now[c];
    charge_need(&l, b->plan->free[c], rise);
    return price_of_community(b, &l, c) - l.price;
}

/* The community whose next member is the cheapest to come up; absent: only of those that nobody at the level is of. */
static uint32_t cheapest_to_borrow(share_beam *b, uint32_t to, uint32_t largest, bool absent, uint32_t without) {
    const uint32_t *degree = b->plan->levels->degree;
    uint32_t best = NO_COMMUNITY;
    double least = INFINITY;
    for (uint32_t c = 0; c < b->plan->levels->counted; c++) {
        uint32_t placed = b->now[c].placed;
        if (c == without || (b->here[c] && (absent || b->here[c] >= largest))) continue;
        if (placed == b->start[c + 1] - b->start[c]) continue;
        uint32_t rise = degree[to] - degree[b->level[b->start[c] + placed]];
        if (rise / 2 > least) continue;
        if (isnan(b->offer[c])) b->offer[c] = price_of_rise(b, c, rise);
        if (b->offer[c] >= least || !may_rise(b, c, to)) continue;
        least = b->offer[c], best = c;
    }
    return best;
}

/* Others come up from below until nobody is above its share. */
static bool borrow_lacking(share_beam *b, uint32_t to, uint32_t without) {
    uint32_t largest = 0, known = 0, present = 0, all = 0;
    for (uint32_t c = 0; c < b->communities; c++) {
        all += b->here[c];
        if (c >= b->plan->levels->counted) continue;
        known += b->here[c], present += b->here[c] > 0;
        if (b->here[c] > largest) largest = b->here[c];
    }
    b->picks = 0;
    for (uint32_t c = 0; c < b->communities; c++) b->offer[c] = NAN; /* they are for this level */
    while (all && ksda_i_share_lack(b->plan, known, largest, present)) {
        bool absent = present < b->plan->k && ksda_i_share_lack(b->plan, known, largest, b->plan->k) == 0;
        uint32_t c = cheapest_to_borrow(b, to, largest, absent, without);
        if (c == NO_COMMUNITY) return false;
        ksda_i_work(b->plan->ctx, STEP_UNITS * (uint64_t)b->communities);
        present += b->here[c] == 0, known++;
        if (largest == 0) largest = 1;
        raise_next(b, c, to);
        if (b->picks < VARIANTS) b->picked[b->picks++] = c;
    }
    return true;
}

/* --- states ------------------------------------------------------------------------------------------------------- */

static uint64_t key_of(const share_beam *b) {
    uint64_t key = 0;
    for (uint32_t c = 0; c < b->communities; c++)
        key += b->now[c].placed * (UINT64_C(0x9e3779b97f4a7c15) * (2 * (uint64_t)c + 1) ^ (uint64_t)c << 40);
    return key;
}

/* The place for a state: free, of an equal one that is dearer, or of the dearest; NULL where it is not wanted. */
static beam_state *state_for_key(const share_beam *b, beam_bucket *to, uint64_t key) {
    beam_state *dearest = NULL;
    for (uint32_t i = 0; i < to->count; i++) {
        beam_state *s = &to->state[i];
        if (s->key == key) return b->cost < s->cost ? s : NULL;
        if (!dearest || s->cost > dearest->cost) dearest = s;
    }
    if (to->count < b->width) {
        to->state[to->count].ledgers = to->count;
        return &to->state[to->count++];
    }
    return b->cost < dearest->cost ? dearest : NULL;
}

static void keep_state(share_beam *b, uint32_t left, uint32_t parent) {
    beam_bucket *to = &b->ring[left % (SKIPS + 1)];
    uint64_t key = key_of(b);
    beam_state *s = state_for_key(b, to, key);
    if (!s) return;
    *s = (beam_state){key, b->cost, parent, s->ledgers};
    memcpy(to->ledgers + (uint64_t)s->ledgers * b->communities, b->now, b->communities * sizeof *b->now);
}

static void restore_state(share_beam *b, const beam_bucket *from, const beam_state *s) {
    memcpy(b->now, from->ledgers + (uint64_t)s->ledgers * b->communities, b->communities * sizeof *b->now);
    b->cost = s->cost, b->raised = 0;
}

/* One state more: everybody gathered, so many of a community lifted from the next level, others borrowed. */
static bool make_state(share_beam *b, const beam_bucket *from, const beam_state *s, const beam_step *step) {
    restore_state(b, from, s);
    if (!raise_all_between(b, step->level, step->left)) return false;
    for (uint32_t i = 0; i < step->lifts; i++) {
        if (b->now[step->lifted].placed >= members_above(b, 0, step->lifted) || !may_rise(b, step->lifted, step->level))
            return true;
        raise_next(b, step->lifted, step->level);
    }
    ksda_i_work(b->plan->ctx, STEP_UNITS * (uint64_t)b->communities);
    if (borrow_lacking(b, step->level, step->without)) keep_state(b, step->left, step->parent);
    return true;
}

/* The community that is most above its share at the next level, as it stands in the state that was made last, and by
 * how many; 0 for none. */
static uint32_t surplus_below(const share_beam *b, uint32_t next, uint32_t *community) {
    uint32_t largest = 0, second = 0, known = 0, most = NO_COMMUNITY;
    for (uint32_t c = 0; c < b->plan->levels->counted; c++) {
        uint32_t native = members_above(b, next, c), own = native > b->now[c].placed ? native - b->now[c].placed : 0;
        known += own;
        if (own > largest)
            second = largest, largest = own, most = c;
        else if (own > second)
            second = own;
    }
    *community = most;
    uint32_t surplus = 0;
    while (largest > second && ksda_i_share_lack(b->plan, known, largest, b->plan->k)) largest--, known--, surplus++;
    return surplus;
}

/* From a state before the level to those before `left` levels; false where a lower one is hopeless, too. */
static bool extend_state(share_beam *b, const beam_bucket *from, const beam_state *s, beam_step step) {
    uint32_t first[VARIANTS], firsts, lifted = NO_COMMUNITY, surplus;
    if (!make_state(b, from, s, &step)) return false;
    firsts = b->picks;
    memcpy(first, b->picked, sizeof first);
    surplus = step.left ? surplus_below(b, step.left - 1, &lifted) : 0;
    for (uint32_t i = 0; i < firsts; i++) {
        step.without = first[i];
        make_state(b, from, s, &step);
    }
    step.lifted = lifted, step.without = NO_COMMUNITY;
    for (uint32_t lifts = 1; lifts <= surplus; lifts *= 2) {
        step.lifts = lifts;
        make_state(b, from, s, &step);
    }
    return true;
}

/* A state that is gone on from is kept, so that the plan can be read back. */
static ksda_status archive_state(share_beam *b, const beam_bucket *from, const beam_state *s, uint32_t left) {
    ksda_ctx *ctx = b->plan->ctx;
    uint64_t at = b->kept_count * b->communities;
    if (ksda_i_reserve(ctx, &b->kept, &b->kept_capacity, b->kept_count + 1, sizeof *b->kept) < 0 ||
        ksda_i_reserve(ctx, &b->placed, &b->placed_capacity, at + b->communities, sizeof *b->placed) < 0)
        return KSDA_NOMEM;
    for (uint32_t c = 0; c < b->communities; c++)
        b->placed[at + c] = from->ledgers[(uint64_t)s->ledgers * b->communities + c].placed;
    b->kept[b->kept_count++] = (kept_state){left, s->parent};
    return KSDA_OK;
}

static int by_cost(const void *a, const void *b) {
    const beam_state *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

/* All states before so many levels go on. */
static ksda_status advance_beam(share_beam *b, uint32_t left) {
    ksda_status status = KSDA_OK;
    beam_bucket *from = &b->ring[left % (SKIPS + 1)];
    ksda_i_sort_by(from->state, from->count, sizeof *from->state, by_cost);
    for (uint32_t i = 0; i < from->count; i++) {
        uint32_t parent = (uint32_t)b->kept_count;
        KSDA_I_TRY(archive_state(b, from, &from->state[i], left));
        KSDA_I_TRY(ksda_i_interrupted(b->plan->ctx));
        for (uint32_t next = left; next-- > 0 && left - next <= SKIPS;)
            if (!extend_state(b, from, &from->state[i], (beam_step){left - 1, next, parent, NO_COMMUNITY, 0, 0})) break;
    }
    from->count = 0;
done:
    return status;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static ksda_status list_members(share_beam *b) {
    const ksda_i_share_levels *l = b->plan->levels;
    ksda_ctx *ctx = b->plan->ctx;
    b->above = ksda_i_calloc(ctx, ((uint64_t)l->levels + 1) * l->communities, sizeof *b->above);
    b->start = ksda_i_calloc(ctx, (uint64_t)l->communities + 1, sizeof *b->start);
    if (!b->above || !b->start) return KSDA_NOMEM;
    for (uint32_t i = l->levels; i-- > 0;)
        for (uint32_t c = 0; c < l->communities; c++)
            b->above[(uint64_t)i * l->communities + c] =
                members_above(b, i + 1, c) + l->count[ksda_i_share_cell(l, i, c)];
    for (uint32_t c = 0; c < l->communities; c++) b->start[c + 1] = b->start[c] + members_above(b, 0, c);
    b->level = ksda_i_malloc(ctx, b->start[l->communities], sizeof *b->level);
    if (!b->level) return KSDA_NOMEM;
    for (uint32_t c = 0; c < l->communities; c++)
        for (uint32_t i = l->levels, at = b->start[c]; i-- > 0;)
            for (uint32_t j = l->count[ksda_i_share_cell(l, i, c)]; j > 0; j--) b->level[at++] = i;
    return KSDA_OK;
}

static ksda_status beam_open(share_beam *b) {
    ksda_ctx *ctx = b->plan->ctx;
    if (list_members(b) < 0) return KSDA_NOMEM;
    b->now = ksda_i_calloc(ctx, b->communities, sizeof *b->now);
    b->here = ksda_i_calloc(ctx, b->communities, sizeof *b->here);
    b->offer = ksda_i_malloc(ctx, b->communities, sizeof *b->offer);
    if (!b->now || !b->here || !b->offer) return KSDA_NOMEM;
    for (uint32_t i = 0; i <= SKIPS; i++) {
        b->ring[i].state = ksda_i_malloc(ctx, b->width, sizeof *b->ring[i].state);
        b->ring[i].ledgers = ksda_i_malloc(ctx, (uint64_t)b->width * b->communities, sizeof *b->ring[i].ledgers);
        if (!b->ring[i].state || !b->ring[i].ledgers) return KSDA_NOMEM;
    }
    return KSDA_OK;
}

static void beam_close(share_beam *b) {
    void *block[] = {b->above, b->start, b->level, b->now, b->here, b->offer, b->kept, b->placed};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) ksda_i_free(b->plan->ctx, block[i]);
    for (uint32_t i = 0; i <= SKIPS; i++)
        ksda_i_free(b->plan->ctx, b->ring[i].state), ksda_i_free(b->plan->ctx, b->ring[i].ledgers);
}

/* The plan that led to a state at the end. */
static void read_plan(const share_beam *b, uint32_t parent, uint32_t *here) {
    const ksda_i_share_levels *l = b->plan->levels;
    memset(here, 0, (uint64_t)l->levels * l->communities * sizeof *here);
    for (uint32_t c = 0; c < l->communities; c++) {
        uint32_t after = members_above(b, 0, c);
        for (uint32_t at = parent; b->kept[at].parent != at; at = b->kept[at].parent) {
            uint32_t before = b->placed[(uint64_t)at * l->communities + c];
            here[ksda_i_share_cell(l, b->kept[at].beam_bucket - 1, c)] = after - before;
            after = before;
        }
        here[ksda_i_share_cell(l, l->levels - 1, c)] = after; /* the first one stands before the top */
    }
}

/* With so many states before a level; the plan is taken where it is cheaper than this. */
static ksda_status search_width(ksda_i_share_plan *plan, uint32_t width, double *below, bool *found) {
    share_beam b = {
        .plan = plan, .communities = plan->levels->communities, .levels = plan->levels->levels, .width = width};
    const beam_bucket *end = &b.ring[0];
    ksda_status status;
    KSDA_I_TRY(beam_open(&b));
    keep_state(&b, b.levels, 0);
    for (uint32_t left = b.levels; left > 0 && !ksda_i_work_over(plan->ctx); left--) KSDA_I_TRY(advance_beam(&b, left));
    if (ksda_i_work_over(plan->ctx) || end->count == 0) goto done;
    ksda_i_sort_by(end->state, end->count, sizeof *end->state, by_cost);
    if (end->state[0].cost >= *below) goto done;
    *below = end->state[0].cost;
    read_plan(&b, end->state[0].parent, plan->here);
    ksda_i_share_plan_read(plan);
    *found = true;
done:
    beam_close(&b);
    return status;
}

/* A narrow search first, then one that is as wide as the work that is left allows. */
ksda_status ksda_i_share_beam(ksda_i_share_plan *plan, bool *found) {
    uint64_t cells = (uint64_t)plan->levels->levels * plan->levels->communities, before = ksda_i_work_done(plan->ctx);
    double below = INFINITY, most = (double)(CELLS / cells);
    most = fmin(fmax(most, LEAST_WIDTH), MOST_WIDTH);
    *found = false;
    uint32_t first = most < FIRST_WIDTH ? (uint32_t)most : FIRST_WIDTH;
    ksda_status status = search_width(plan, first, &below, found);
    double each = (double)(ksda_i_work_done(plan->ctx) - before) / first, left = ksda_i_work_left(plan->ctx);
    if (left < most * each) most = left / each;
    if (status < 0 || most < 2 * first) return status;
    return search_width(plan, (uint32_t)most, &below, found);
}
