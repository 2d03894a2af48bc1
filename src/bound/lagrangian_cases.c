/* Branch and bound over levels: in one case a level is open, and k communities use it, in the other nobody does.
 *
 * The multipliers leave levels half open: communities that have to agree use several levels a little. So the case with
 * the smallest bound is taken apart at an undecided level, the higher the better, because more depends on it, and both
 * cases begin with its multipliers. The smallest bound of all cases holds for every release.
 *
 * Costs are whole numbers of edges mostly, so a bound that grows by less than the next of them needs proves nothing
 * new. What halves have gained lately tells how many more have to be looked at until the next one is reached; where
 * that is more than the work allows, the search ends. */
#include "bound/lagrangian_answers.h"

#include <math.h>

#define CASE_STEPS 60u                   /* of the volume algorithm in every case */
#define FIRST_CASES 4u                   /* are taken apart before that is asked whether it will do */
#define FADING 0.25                      /* of the mean gain is replaced by every case taken apart */
#define UNDECIDED 0.02                   /* a level that is open less than this, or closed, is decided */
#define MOST_NUMBERS (UINT64_C(1) << 22) /* that all cases together may keep */

typedef struct node {
    double bound;
    int8_t *state;    /* [levels] */
    double *variable; /* the best ones */
    uint32_t level;   /* to be decided next; levels: none is undecided */
} node;

typedef struct search {
    ksda_i_lagrangian *b;
    ksda_i_volume problem;
    double *variable; /* of the case in hand */
    node *node;
    uint64_t count, room;
    uint32_t apart; /* cases taken apart, */
    uint64_t begun; /* since so much work was done, */
    double gain;    /* and what that has gained lately, at most one for each half */
} search;

static void node_clear(ksda_ctx *ctx, node *x) {
    ksda_i_free(ctx, x->state), ksda_i_free(ctx, x->variable);
}

/* How far a level is open: as far as the community that uses it the most. */
static double how_open(const ksda_i_lagrangian *b, uint32_t l) {
    float most = 0;
    for (uint64_t c = 0; c < b->communities; c++)
        if (b->lately[c * b->levels.count + l] > most) most = b->lately[c * b->levels.count + l];
    return most;
}

static uint32_t most_undecided(const ksda_i_lagrangian *b) {
    double worst = 0;
    uint32_t best = b->levels.count;
    for (uint32_t l = 0; l < b->levels.count; l++) {
        double open = how_open(b, l), undecided = fmin(open, 1 - open);
        double matters = undecided * (b->levels.level[l] - b->levels.floor);
        if (b->state[l] != KSDA_I_LEVEL_ANY || undecided < UNDECIDED || matters <= worst) continue;
        worst = matters, best = l;
    }
    return best;
}

/* The case in hand becomes one of the search. */
static ksda_status add_node(search *s, const double *variable, double bound) {
    const ksda_i_lagrangian *b = s->b;
    ksda_status status = ksda_i_reserve(b->ctx, &s->node, &s->room, s->count + 1, sizeof *s->node);
    if (status < 0) return status;
    node *x = s->node + s->count++;
    *x = (node){.bound = bound, .level = most_undecided(b)};
    x->state = ksda_i_malloc(b->ctx, b->levels.count, sizeof *x->state);
    x->variable = ksda_i_malloc(b->ctx, s->problem.size, sizeof *x->variable);
    if (!x->state || !x->variable) return KSDA_NOMEM;
    memcpy(x->state, b->state, b->levels.count * sizeof *x->state);
    memcpy(x->variable, variable, s->problem.size * sizeof *variable);
    return KSDA_OK;
}

/* One of the two cases of a node. What was proved about both together holds for each. */
static ksda_status bound_case(search *s, uint64_t at, ksda_i_level_state state) {
    const node *from = s->node + at;
    double value, before = from->bound;
    memcpy(s->b->state, from->state, s->b->levels.count * sizeof *from->state);
    memcpy(s->variable, from->variable, s->problem.size * sizeof *s->variable);
    s->b->state[from->level] = (int8_t)state;
    ksda_status status = ksda_i_volume_raise(s->b->ctx, &s->problem, s->variable, &value);
    return status < 0 ? status : add_node(s, s->variable, fmax(value, before));
}

static uint64_t weakest(const search *s) {
    uint64_t least = 0;
    for (uint64_t i = 1; i < s->count; i++)
        if (s->node[i].bound < s->node[least].bound) least = i;
    return least;
}

/* What the two halves of a case, the last two there are, have gained: the geometric mean, because one that gains
 * nothing leaves as much to do as there was. */
static void learn_gain(search *s, double before) {
    double product = 1;
    for (uint64_t i = s->count - 2; i < s->count; i++) product *= fmin(1, s->node[i].bound - before);
    double gain = sqrt(product);
    s->gain += (s->apart ? FADING : 1) * (gain - s->gain);
    s->apart++;
}

/* Will the work that is left bring the bound to the next whole number? A case that lacks d takes about 2^(d / gain)
 * further ones. The sum of those that lack something stands for all. */
static bool is_hopeless(const search *s, const node *least) {
    if (!s->problem.whole || s->apart < FIRST_CASES) return false;
    double next = fmin(ceil(least->bound), s->problem.enough), cases = 0;
    double each = (double)(ksda_i_work_done(s->b->ctx) - s->begun) / s->apart;
    for (uint64_t i = 0; i < s->count; i++)
        if (s->node[i].bound <= next) cases += exp2((next - s->node[i].bound) / s->gain);
    return !(cases * each <= ksda_i_work_left(s->b->ctx)); /* also where nothing was gained */
}

static bool is_over(const search *s, const node *least) {
    if (least->bound >= s->problem.enough || least->level == s->b->levels.count) return true;
    return (s->count + 2) * s->problem.size > MOST_NUMBERS || ksda_i_work_over(s->b->ctx) ||
           ksda_i_time_left(s->b->ctx) <= 0 || is_hopeless(s, least);
}

ksda_status ksda_i_lagrangian_cases(ksda_i_lagrangian *b, const ksda_i_volume *problem, double *bound) {
    search s = {.b = b, .problem = *problem, .begun = ksda_i_work_done(b->ctx)};
    ksda_status status = KSDA_NOMEM;
    s.problem.between = NULL, s.problem.rounds = 1, s.problem.steps = CASE_STEPS;
    s.variable = ksda_i_malloc(b->ctx, problem->size, sizeof *s.variable);
    if (!s.variable) goto done;
    KSDA_I_TRY(add_node(&s, b->variable, *bound));
    for (uint64_t at = 0; !is_over(&s, s.node + at); at = weakest(&s)) {
        KSDA_I_TRY(bound_case(&s, at, KSDA_I_LEVEL_CLOSED));
        KSDA_I_TRY(bound_case(&s, at, KSDA_I_LEVEL_OPEN));
        learn_gain(&s, s.node[at].bound);
        node_clear(b->ctx, s.node + at);
        s.node[at] = s.node[--s.count];
    }
    *bound = s.node[weakest(&s)].bound;
done:
    for (uint64_t i = 0; i < s.count; i++) node_clear(b->ctx, s.node + i);
    ksda_i_free(b->ctx, s.node), ksda_i_free(b->ctx, s.variable);
    memset(b->state, KSDA_I_LEVEL_ANY, b->levels.count * sizeof *b->state);
    return status;
}
