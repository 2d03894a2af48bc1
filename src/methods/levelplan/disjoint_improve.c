/* Better levels and witnesses, by trying.
 *
 * The shortest path does not see that levels compete for the same witnesses, nor that another packing would have
 * borrowed from nearer. So small changes are tried: a level less, a level more, a vertex that shall not be a witness,
 * or may be one again. Each is judged by assigning the vertices of the tail anew, where levels borrow or take in more
 * than one degree; below it nothing changes. What does not raise degrees by more in all is kept (threshold accepting
 * with threshold 0, Dueck and Scheuer 1990). The number of trials follows from the size, not from the clock; every
 * round of the driver has half of what is left. */
#include "methods/levelplan/disjoint.h"

#include "core/random.h"

#include <math.h>

enum {
    STAGE_IMPROVE = 0x6469736a
};
#define EACH 1000u    /* vertices that a trial counts for beside those it assigns */
#define ENOUGH 20000u /* a vertex of the tail */

typedef struct trial {
    uint32_t level[2], next[2]; /* next[] of these was that */
    uint32_t shunned;           /* a vertex whose flag was changed, or KSDA_NO_VERTEX */
    uint32_t levels;            /* entries of level */
} trial;

static void set_next(ksda_i_disjoint_plan *p, trial *t, uint32_t level, uint32_t next) {
    t->level[t->levels] = level, t->next[t->levels++] = p->next[level];
    p->next[level] = next;
}

static void undo_trial(ksda_i_disjoint_plan *p, const trial *t) {
    for (uint32_t i = t->levels; i-- > 0;) p->next[t->level[i]] = t->next[i];
    if (t->shunned != KSDA_NO_VERTEX) p->shunned[t->shunned] ^= 1;
}

/* A random level of the tail. */
static uint32_t any_level(const ksda_i_disjoint_plan *p, uint32_t from, uint32_t end, ksda_i_rng *rng) {
    uint32_t count = 0, i;
    for (i = from; i < end; i = p->next[i]) count++;
    uint64_t which = ksda_i_rng_below(rng, count);
    for (i = from; which > 0; i = p->next[i]) which--;
    return i;
}

/* Change something; false where nothing can be changed in that way. */
static bool change(ksda_i_disjoint_plan *p, uint32_t from, uint32_t end, ksda_i_rng *rng, trial *t) {
    uint32_t i = any_level(p, from, end, rng), j = p->next[i];
    *t = (trial){.shunned = KSDA_NO_VERTEX};
    switch (ksda_i_rng_below(rng, 4)) {
    case 0: /* a level less */
        if (j >= end) return false;
        set_next(p, t, i, p->next[j]);
        return true;
    case 1: /* a level more */
        if (j - i < 2) return false;
        uint32_t middle = i + 1 + (uint32_t)ksda_i_rng_below(rng, j - i - 1);
        set_next(p, t, middle, j);
        set_next(p, t, i, middle);
        return true;
    default: /* a vertex of the tail, or borrowed by it */
        t->shunned = p->order[ksda_i_rng_below(rng, p->reached)];
        if (!p->shunned[t->shunned] && !p->witness[t->shunned]) return false;
        p->shunned[t->shunned] ^= 1;
        return true;
    }
}

/* Behind the last level that takes in more than its own degree, or borrows. */
static uint32_t end_of_tail(const ksda_i_disjoint_plan *p, uint32_t from) {
    uint32_t end = from;
    for (uint32_t i = from; i < p->groups; i = p->next[i])
        if (p->next[i] != i + 1 || p->cost[i] > p->cost[i + 1]) end = p->next[i];
    return end;
}

ksda_status ksda_i_disjoint_improve(ksda_i_disjoint_plan *p, uint32_t from) {
    ksda_i_rng rng = ksda_i_rng_stream(p->ctx->seed, STAGE_IMPROVE, from);
    uint32_t end = end_of_tail(p, from);
    double best, now;
    ksda_status status = KSDA_OK;
    if (end == from) return KSDA_OK;
    KSDA_I_TRY(ksda_i_disjoint_assign(p, from, end, &best));
    uint64_t left = p->trials / 2, cost;
    if (left > (uint64_t)p->reached * ENOUGH) left = (uint64_t)p->reached * ENOUGH;
    for (; left > 0 && ksda_i_time_left(p->ctx) > 0; left -= cost) {
        trial t;
        cost = p->reached + EACH < left ? p->reached + EACH : left;
        p->trials -= cost;
        if (!change(p, from, end, &rng, &t)) continue;
        KSDA_I_TRY(ksda_i_disjoint_assign(p, from, end, &now));
        if (now <= best)
            best = now;
        else
            undo_trial(p, &t);
        KSDA_I_TRY(ksda_i_progress_stage(p->ctx, KSDA_I_DISJOINT_WORK - p->trials, KSDA_I_DISJOINT_WORK));
    }
    p->limited |= left > 0;
done:
    return status;
}
