/* Make a release cheaper by changing its edges a little, again and again.
 *
 * The plan decides by degrees who goes where, and of several members with the same degree it takes the first: that one
 * may be adjacent to the very vertices that are in need, while the next one is not. Nor does it see that the need of a
 * piece can be met by a neighbour of its vertex, in whatever community, with a further representative of their edge.
 * Here a complete release is changed by simulated annealing. An edge comes, goes, or is handed on; two that each lean
 * on a third meet; a vertex falls or rises to the next degree that is in order, the others being looked after; pieces
 * exchange original edges; links come and go. A degree may be short of communities on the way, at the price of what it
 * takes to mend it, and what is out of order is worked on first. Most rounds begin by emptying one degree that few
 * have. Nobody is split and no split is undone.
 *
 * Guarantee: what comes out is diverse and has fewer added edges than what went in, or nothing comes out. Steps are
 * counted, not timed, and drawn from the seed, so a run can be repeated. Of edges that cost the same, one between
 * vertices with few neighbours in common is a little dearer, which keeps distances. Cf. Kirkpatrick, Gelatt, Vecchi
 * 1983, doi:10.1126/science.220.4598.671.
 *
 * Time ROUNDS * STEPS steps of O(n / 64 + degrees out of order), memory pieces^2 / 2 + 4 pieces * communities bytes. */
#include "methods/levelplan/anneal.h"
#include "methods/levelplan/draft.h"
#include "core/random.h"
#include "core/bits.h"

#include <math.h>

#define ROUNDS 64u       /* at most, and at most one for two pieces */
#define STEPS 25000u     /* a round, at most, and at most so many */
#define STEP_UNITS 160u  /* of work, for a step, */
#define PIECES_A_UNIT 5u /* and one more for so many pieces */
#define EACH 320u        /* per piece */
#define HOT 0.3          /* temperatures at the beginning and at the end of a round, in edges */
#define COLD 0.05
#define FROZEN 0.001  /* the temperature of the last round: nothing becomes dearer */
#define DISORDER 1.2  /* what one end of an edge costs that a degree out of order lacks */
#define STRANGER 0.02 /* what an edge costs more that joins two with no neighbour in common */
#define TRIES 8u      /* to find a vertex that fits */
#define THIN 8u       /* so many pieces leave a degree together */
#define LOOK 32u      /* so many pieces below a degree are looked at to mend it */

_Static_assert(2 * THIN <= KSDA_I_DRAFT_STEP && 2 * TRIES <= KSDA_I_DRAFT_STEP, "a step must fit");

#define NOBODY UINT32_MAX

typedef struct polish {
    ksda_i_draft draft;
    uint32_t *seen; /* [communities] stamp */
    uint32_t stamp;
    bool last; /* the round that leaves original edges where they are */
    ksda_i_rng rng;
} polish;

static uint32_t draw_below(polish *s, uint32_t bound) {
    return (uint32_t)ksda_i_rng_below(&s->rng, bound);
}
static void toggle(polish *s, uint32_t p, uint32_t q) {
    ksda_i_draft_toggle(&s->draft, p, q);
}
static bool may_add(const polish *s, uint32_t p, uint32_t q) {
    return ksda_i_draft_may_add(&s->draft, p, q);
}
static bool siblings(const polish *s, uint32_t p, uint32_t q) {
    return s->draft.owner[p] == s->draft.owner[q];
}

/* --- whom to try ------------------------------------------------------------------------------------------------- */

static uint32_t any_piece(polish *s, uint32_t v) {
    uint32_t p = v;
    while (s->draft.sibling[p] != v && draw_below(s, 2)) p = s->draft.sibling[p];
    return p;
}

/* A piece of one of v's neighbours, of which there are some. */
static uint32_t neighbour(polish *s, uint32_t v) {
    const ksda_graph *g = s->draft.graph;
    return any_piece(s, g->adj[g->off[v] + draw_below(s, ksda_i_degree(g, v))]);
}

/* A vertex p might be connected to: of its community, or a piece of a neighbour. */
static uint32_t candidate(polish *s, uint32_t p) {
    const ksda_i_draft *d = &s->draft;
    uint32_t c = d->of[p], v = d->owner[p];
    if (d->splits && ksda_i_degree(d->graph, v) && draw_below(s, 8) == 0) return neighbour(s, v);
    return d->member[d->home[c] + draw_below(s, d->home[c + 1] - d->home[c])];
}

/* A vertex p has a made edge or a link to; there is one. */
static uint32_t made_partner(polish *s, uint32_t p) {
    const uint64_t *row = s->draft.made + (uint64_t)p * s->draft.words;
    uint32_t number = draw_below(s, s->draft.making[p]), i = 0;
    for (uint32_t here; (here = ksda_i_bits_set(row[i])) <= number; i++) number -= here;
    uint64_t bits = row[i];
    while (number--) bits &= bits - 1;
    return 64 * i + (uint32_t)__builtin_ctzll(bits);
}

/* A vertex in the community of p with made edges, other than p, or NOBODY. */
static uint32_t other_with_edges(polish *s, uint32_t p) {
    const ksda_i_draft *d = &s->draft;
    const uint32_t *member = d->member + d->home[d->of[p]];
    uint32_t size = d->home[d->of[p] + 1] - d->home[d->of[p]], at = draw_below(s, size);
    for (uint32_t i = 0; i < size; i++, at = at + 1 < size ? at + 1 : 0)
        if (member[at] != p && d->making[member[at]]) return member[at];
    return NOBODY;
}

/* A piece at a degree out of order, or beside one: below it, to rise, or above it, to fall. */
static uint32_t troubled(polish *s, bool up) {
    const ksda_i_draft *d = &s->draft;
    uint32_t any = draw_below(s, d->count);
    if (!d->bads || draw_below(s, 4) == 0) return any;
    uint32_t degree = d->bad[draw_below(s, d->bads)];
    if (draw_below(s, 2)) degree = !up ? degree + 1 : degree ? degree - 1 : 0;
    if (degree >= d->degrees || d->start[degree] == d->start[degree + 1]) return any;
    return d->order[d->start[degree] + draw_below(s, d->start[degree + 1] - d->start[degree])];
}

static bool in_order(const polish *s, uint32_t degree) {
    return ksda_i_census_enough(&s->draft.census, degree);
}

/* Can p go one up or down without putting any degree out of order? */
static bool is_free(const polish *s, uint32_t p, bool up) {
    const ksda_i_draft *d = &s->draft;
    uint32_t degree = d->degree[p], to = up ? degree + 1 : degree - 1;
    if (to >= d->degrees || !in_order(s, to)) return false;
    if (d->census.crowd && !ksda_i_census_may_come(&d->census, to, d->of[p])) return false;
    return ksda_i_census_spares(&d->census, degree, d->of[p]);
}

/* --- moves ------------------------------------------------------------------------------------------------------- */

/* p gets an edge: a new one, or one that another vertex had. */
static void add_edge_at(polish *s, uint32_t p) {
    if (draw_below(s, 4) == 0) {
        uint32_t q = candidate(s, p);
        if (may_add(s, p, q)) toggle(s, p, q);
        return;
    }
    uint32_t u = other_with_edges(s, p);
    if (u == NOBODY) return;
    uint32_t w = made_partner(s, u);
    if (siblings(s, u, w) || !may_add(s, p, u)) return;
    toggle(s, u, w);
    toggle(s, u, p);
}

/* p loses an edge: it goes, or another vertex gets it. */
static void drop_edge_at(polish *s, uint32_t p) {
    if (!s->draft.making[p]) return;
    uint32_t u = made_partner(s, p), q = candidate(s, u);
    bool hand_on = draw_below(s, 4) > 0;
    if (siblings(s, u, p) || (hand_on && !may_add(s, u, q))) return;
    toggle(s, p, u);
    if (hand_on) toggle(s, u, q);
}

/* Two edges exchange ends: degrees stay, but others can be connected then. */
static void cross_edges(polish *s, uint32_t p) {
    uint32_t u = other_with_edges(s, p);
    if (u == NOBODY) return;
    uint32_t q = made_partner(s, p), w = made_partner(s, u);
    if (q == u || siblings(s, p, q) || siblings(s, u, w) || !may_add(s, p, w) || !may_add(s, u, q)) return;
    toggle(s, p, q);
    toggle(s, u, w);
    toggle(s, p, w);
    toggle(s, u, q);
}

/* Two that each have an edge to a third meet instead: one edge less. Often a piece and its vertex's neighbour. */
static void meet_without_third(polish *s, uint32_t p) {
    const ksda_i_draft *d = &s->draft;
    uint32_t u;
    if (d->splits && draw_below(s, 2)) {
        p = any_piece(s, d->split[draw_below(s, d->splits)]);
        u = neighbour(s, d->owner[p]);
        if (!d->making[p] || !d->making[u]) return;
    } else if ((u = other_with_edges(s, p)) == NOBODY) {
        return;
    }
    uint32_t q = made_partner(s, p), w = made_partner(s, u);
    if (siblings(s, p, q) || siblings(s, u, w) || !may_add(s, p, u)) return;
    toggle(s, p, q);
    toggle(s, u, w);
    toggle(s, p, u);
}

/* The reverse: the ends of an edge find others. */
static void part_ends(polish *s, uint32_t p) {
    uint32_t u = made_partner(s, p), q = candidate(s, p), w = candidate(s, u);
    if (siblings(s, u, p) || !may_add(s, p, q) || !may_add(s, u, w)) return;
    toggle(s, p, u);
    toggle(s, p, q);
    toggle(s, u, w);
}

/* p rises by one: it takes the place of a vertex that can fall, or a vertex rises with it. */
static bool lift_by_one(polish *s, uint32_t p) {
    const uint32_t *degree = s->draft.degree;
    for (uint32_t i = 0; i < TRIES; i++) {
        uint32_t u = other_with_edges(s, p), w;
        if (u == NOBODY) break;
        w = made_partner(s, u);
        if (siblings(s, u, w) || degree[w] == degree[p] || !is_free(s, w, false) || !may_add(s, p, u)) continue;
        toggle(s, u, w);
        toggle(s, u, p);
        return true;
    }
    for (uint32_t i = 0; i < TRIES; i++) {
        uint32_t q = candidate(s, p);
        if (!may_add(s, p, q) || (degree[q] != degree[p] && !is_free(s, q, true))) continue;
        toggle(s, p, q);
        return true;
    }
    return false;
}

/* p rises to the next degree that is in order. */
static void climb_to_level(polish *s, uint32_t p) {
    for (uint32_t i = 0; i < TRIES && lift_by_one(s, p); i++)
        if (in_order(s, s->draft.degree[p])) return;
}

/* p falls to the next degree that is in order; others keep their edge if they need it, with a vertex that can rise. */
static void sink_to_level(polish *s, uint32_t p) {
    for (uint32_t i = 0; i < TRIES && s->draft.making[p]; i++) {
        uint32_t u = made_partner(s, p), q = NOBODY;
        if (siblings(s, u, p)) return;
        bool keeps = !is_free(s, u, false);
        for (uint32_t j = 0; j < TRIES && keeps && q == NOBODY; j++) {
            uint32_t x = candidate(s, u);
            if (is_free(s, x, true) && may_add(s, u, x)) q = x;
        }
        toggle(s, p, u);
        if (q != NOBODY) toggle(s, u, q);
        if (in_order(s, s->draft.degree[p])) return;
    }
}

/* Everybody leaves a degree that few have. */
static void vacate_degree(polish *s) {
    ksda_i_draft *d = &s->draft;
    uint32_t here[THIN], degree = d->degree[d->order[draw_below(s, d->count)]],
                         pieces = d->start[degree + 1] - d->start[degree];
    if (pieces > THIN) return;
    memcpy(here, d->order + d->start[degree], pieces * sizeof *here);
    for (uint32_t i = 0; i < pieces; i++)
        if (d->degree[here[i]] == degree && !lift_by_one(s, here[i])) {
            ksda_i_draft_undo(d);
            return;
        }
}

/* Pieces of one vertex are cut otherwise: a link comes or goes, or one hands an original edge to the other, mostly in
 * exchange. */
static void recut_pieces(polish *s) {
    ksda_i_draft *d = &s->draft;
    uint32_t v = d->split[draw_below(s, d->splits)], p = any_piece(s, v), q = any_piece(s, v),
             degree = ksda_i_degree(d->graph, v);
    if (p == q) return;
    if (draw_below(s, 8) == 0) {
        toggle(s, p, q);
        return;
    }
    uint64_t row = d->graph->off[v], place = row + draw_below(s, degree), other = row + draw_below(s, degree);
    uint32_t from = d->carrier[place], to = from == p ? q : p;
    bool exchange = draw_below(s, 4) > 0;
    if (exchange && d->carrier[other] != to) return;
    if (!exchange && d->carried[from] < 2) return;
    if (!ksda_i_draft_hand_over(d, v, place, to)) return;
    if (exchange && !ksda_i_draft_hand_over(d, v, other, from)) ksda_i_draft_undo(d);
}

static void try_something(polish *s) {
    uint32_t kind = draw_below(s, s->draft.splits && !s->last ? 21 : 19), p = NOBODY;
    if (kind >= 12 && kind < 18 && (p = other_with_edges(s, draw_below(s, s->draft.count))) == NOBODY) return;
    if (kind < 6)
        add_edge_at(s, troubled(s, true));
    else if (kind < 12)
        drop_edge_at(s, troubled(s, false));
    else if (kind < 14)
        cross_edges(s, p);
    else if (kind < 16)
        meet_without_third(s, p);
    else if (kind < 17)
        part_ends(s, p);
    else if (kind < 18)
        sink_to_level(s, p);
    else if (kind < 19)
        climb_to_level(s, troubled(s, true));
    else
        recut_pieces(s);
}

/* --- rounds ------------------------------------------------------------------------------------------------------ */

/* How many ends of edges it takes, about, to mend a degree: all its pieces go up to the next one in order, or the
 * missing communities send up the next from below. */
static double to_mend(polish *s, uint32_t degree) {
    const ksda_i_draft *d = &s->draft;
    uint32_t up = degree + 1, missing = ksda_i_census_missing(&d->census, degree), look = LOOK, sum = 0,
             least = d->count;
    while (up < d->degrees && up - degree < LOOK && !in_order(s, up)) up++;
    if (up < d->degrees && in_order(s, up)) least = (up - degree) * (d->start[degree + 1] - d->start[degree]);
    s->stamp++;
    for (uint32_t i = d->start[degree]; i-- > 0 && look-- && missing && sum < least;) {
        uint32_t p = d->order[i], c = d->of[p];
        if (d->census.crowd ? ksda_i_census_own(&d->census, degree, c) >= d->census.crowd[degree].largest
                            : s->seen[c] == s->stamp || ksda_i_census_own(&d->census, degree, c))
            continue;
        s->seen[c] = s->stamp;
        sum += degree - d->degree[p], missing--;
    }
    return !missing && sum < least ? sum : least;
}

static double energy(polish *s) {
    double lacking = 0;
    for (uint32_t i = 0; i < s->draft.bads; i++) lacking += to_mend(s, s->draft.bad[i]);
    return (double)s->draft.added + DISORDER * lacking + s->draft.far;
}

/* Begin beside what was found before. */
static void disturb_draft(polish *s) {
    s->draft.steps = 0;
    for (uint32_t i = 0; i < 1024 && !s->draft.steps; i++) vacate_degree(s);
}

static ksda_status one_round(polish *s, uint64_t enough) {
    ksda_i_draft *d = &s->draft;
    ksda_status status = KSDA_OK;
    double now = energy(s), heat = s->last ? FROZEN : HOT;
    const uint32_t steps = d->count < STEPS / EACH ? d->count * EACH : STEPS;
    const double factor = s->last ? 1 : exp(log(COLD / HOT) / steps);
    for (uint32_t i = 0; i < steps && d->kept > enough; i++, heat *= factor) {
        if (i % 4096 == 0) {
            KSDA_I_TRY(ksda_i_interrupted(d->ctx));
            if (ksda_i_time_left(d->ctx) <= 0) break;
        }
        d->steps = 0;
        try_something(s);
        if (!d->steps) continue;
        double then = energy(s);
        if (then > now && ksda_i_rng_unit(&s->rng) >= exp((now - then) / heat)) {
            ksda_i_draft_undo(d);
            continue;
        }
        now = then;
        if (!d->bads && d->added < d->kept) ksda_i_draft_keep(d);
    }
    if (!d->bads && d->added == d->kept) ksda_i_draft_keep(d); /* as good, but elsewhere */
    ksda_i_work(d->ctx, (STEP_UNITS + d->count / PIECES_A_UNIT) * (uint64_t)steps);
done:
    return status;
}

/* What was changed on the way for nothing is changed back, or for the better: pieces carry what they carried, as far as
 * can be, and edges that cost the same join those with neighbours in common. */
static ksda_status tidy_up_draft(polish *s) {
    ksda_i_draft_go_back(&s->draft);
    ksda_i_draft_deal_again(&s->draft);
    ksda_i_draft_keep(&s->draft);
    s->last = true;
    return one_round(s, 0);
}

ksda_status ksda_i_anneal(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
                          ksda_share share, const ksda_edits *edits, uint64_t enough, ksda_edits **out) {
    ksda_status status;
    polish s = {.stamp = 0};
    uint64_t before = ksda_edits_added(edits, NULL);
    *out = NULL;
    if (ksda_edits_pieces(edits) > KSDA_I_DRAFT_PIECES || before <= enough) return KSDA_OK;
    KSDA_I_TRY(ksda_i_draft_open(ctx, graph, communities, k, share, edits, STRANGER, &s.draft));
    s.seen = ksda_i_calloc(ctx, communities->count, sizeof *s.seen);
    if (!s.seen) {
        status = KSDA_NOMEM;
        goto done;
    }
    const uint32_t rounds = s.draft.count < 2 * ROUNDS ? s.draft.count / 2 : ROUNDS;
    for (uint32_t round = 0; round < rounds && s.draft.kept > enough && ksda_i_time_left(ctx) > 0; round++) {
        if (ksda_i_work_over(ctx)) break;
        KSDA_I_TRY(ksda_i_progress_stage(ctx, round, rounds));
        s.rng = ksda_i_rng_stream(ksda_ctx_seed(ctx), 0x706f6c69, round);
        if (round % 4) disturb_draft(&s);
        KSDA_I_TRY(one_round(&s, enough));
        ksda_i_draft_go_back(&s.draft);
    }
    if (s.draft.kept < before) {
        KSDA_I_TRY(tidy_up_draft(&s));
        KSDA_I_TRY(ksda_i_draft_write(&s.draft, out));
    }
done:
    ksda_i_draft_close(&s.draft);
    ksda_i_free(ctx, s.seen);
    return status;
}
