/* ksda_optimal(): checks the question, lets one of the ways answer it, and believes no answer before it is verified. */
#include "bound/certificate.h"
#include "core/sized.h"
#include "exact/exact.h"
#include "exact/formulation.h"
#include "lp/solver.h"
#include "privacy/diversity.h"

#include <ksda/privacy.h>
#include <math.h>
#include <stdio.h>

static const ksda_i_sized options_kind = KSDA_I_OPTIONS(ksda_optimal_options, start);
static const ksda_i_sized result_kind = KSDA_I_RESULT(ksda_optimal_result, reason);

void ksda_optimal_options_init_sized(ksda_optimal_options *options, size_t size) {
    ksda_i_options_init(&options_kind, options, size, &(ksda_optimal_options){.k = 0});
}

const ksda_solver_info *ksda_solver(size_t i) {
    static const ksda_solver_info fast = {"fast", "levels planned and needs matched, the default", 1, NULL};
    size_t rows = 0;
    while (ksda_i_solver_at(rows)) rows++;
    if (i == 0) return &fast;
    return i <= rows ? &ksda_i_solver_at(i - 1)->info : i <= 2 * rows ? &ksda_i_solver_at(i - 1 - rows)->fast : NULL;
}

/* --- the paper's integer programs --------------------------------------------------------------------------------- */

ksda_status ksda_optimal_write_lp(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                  const ksda_optimal_options *options, const char *path) {
    ksda_i_add_edge_ip ip;
    ksda_optimal_options o;
    char title[128];
    ksda_optimal_options_init(&o);
    ksda_status status = ksda_i_options_take(ctx, &options_kind, options, &o);
    if (status >= 0) status = ksda_i_communities_fit(ctx, communities, graph);
    if (status >= 0) status = ksda_i_check_k(ctx, o.k, ksda_i_most_k(communities), "communities");
    if (status >= 0) status = ksda_i_check_share(ctx, &o.max_share, &o.max_share);
    if (status < 0) return status;
    if (o.split) return ksda_i_write_split_lp(ctx, graph, communities, &o, path);
    snprintf(title, sizeof title, "k-structural diversity by Adding Edge, k = %u", o.k);
    KSDA_I_TRY(ksda_i_add_edge_ip_build(ctx, graph, communities, o.k, o.max_share, &ip));
    status = ksda_i_model_write_lp(&ip.model, title, path);
done:
    ksda_i_add_edge_ip_clear(&ip);
    return status;
}

/* --- the entry ---------------------------------------------------------------------------------------------------- */

static ksda_status complete(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_optimal_options *o) {
    ksda_status status = ksda_i_communities_fit(ctx, c, g);
    if (status >= 0) status = ksda_i_check_k(ctx, o->k, ksda_i_most_k(c), "communities");
    if (status >= 0) status = ksda_i_check_share(ctx, &o->max_share, &o->max_share);
    if (status < 0) return status;
    if (o->split_weight == 0) o->split_weight = (double)g->n * g->n;
    if (!(o->split_weight > 0) || isinf(o->split_weight))
        return ksda_i_error(ctx, KSDA_INVALID, "split weight %g: must be a positive number", o->split_weight);
    return KSDA_OK;
}

/* Which solver is asked for by that name, and for the fast method or the paper's program? */
static ksda_status choose(ksda_ctx *ctx, const char *name, const ksda_i_solver **solver, bool *fast) {
    char known[200] = "fast";
    *solver = ksda_i_solver_default(), *fast = true;
    if (!name || strcmp(name, "fast") == 0) return KSDA_OK; /* it may do without */
    for (size_t i = 0; (*solver = ksda_i_solver_at(i)); i++) {
        size_t length = strlen(known);
        *fast = strcmp(name, (*solver)->fast.name) == 0;
        if (*fast || strcmp(name, (*solver)->info.name) == 0) break;
        snprintf(known + length, sizeof known - length, ", %s, %s", (*solver)->info.name, (*solver)->fast.name);
    }
    if (!*solver) return ksda_i_error(ctx, KSDA_INVALID, "solver '%s' is unknown: expected one of %s", name, known);
    if (!*fast && (*solver)->info.available && !ctx->processes)
        return ksda_i_error(ctx, KSDA_UNSUPPORTED,
                            "solver '%s' works in a process of its own, which ksda_ctx_allow_processes() must allow",
                            name);
    if (*fast && (*solver)->info.available && !(*solver)->lp)
        return ksda_i_error(ctx, KSDA_UNSUPPORTED,
                            "solver '%s': the fast method needs linear programs, which %s does not solve", name,
                            (*solver)->title);
    return ksda_i_solver_need(ctx, *solver);
}

/* For what only an integer program can do. */
static ksda_status need_program(ksda_ctx *ctx, const ksda_i_solver *solver) {
    if (!solver)
        return ksda_i_error(
            ctx, KSDA_UNSUPPORTED,
            "people in several communities and share bounds need an integer program, and this build has no "
            "solver");
    if (!ctx->processes)
        return ksda_i_error(
            ctx, KSDA_UNSUPPORTED,
            "people in several communities and share bounds need solver '%s', which works in a process of its "
            "own: ksda_ctx_allow_processes() must allow it",
            solver->info.name);
    return ksda_i_solver_need(ctx, solver);
}

/* Recount everything from the edits; a solution that does not hold or costs something else is a bug, not an answer. */
static ksda_status recount(ksda_ctx *ctx, const ksda_i_exact_problem *p, const ksda_edits *edits,
                           ksda_optimal_result *result) {
    ksda_graph *published = NULL;
    ksda_verification v = KSDA_INIT(ksda_verification);
    ksda_status status;
    uint32_t pieces = ksda_edits_pieces(edits), *owner = ksda_i_malloc(ctx, pieces, sizeof *owner);
    if (!owner) return KSDA_NOMEM;
    for (uint32_t i = 0; i < pieces; i++) owner[i] = ksda_edits_owner(edits, i);
    KSDA_I_TRY(ksda_edits_apply(ctx, edits, &published));
    KSDA_I_TRY(
        ksda_verify_share(ctx, p->graph, p->communities, published, owner, p->options->k, &p->options->max_share, &v));
    result->added_edges = ksda_edits_added(edits, NULL);
    result->added_vertices = pieces - p->graph->n;
    result->objective = (double)result->added_edges + result->split_weight * (double)result->added_vertices;
    if (!v.valid || !v.satisfied || v.added_edges != result->added_edges || v.added_vertices != result->added_vertices)
        status = ksda_i_error(ctx, KSDA_INTERNAL, "the solution found does not pass verification: %s",
                              v.error[0] ? v.error : "it is not diverse or costs something else");
    else
        status = ksda_i_bound_check(ctx, result->bound, result->objective);
done:
    ksda_graph_free(ctx, published);
    ksda_i_free(ctx, owner);
    return status;
}

/* What is handed over because the time is up must be recounted all the same: that is linear, and not stopped by it. */
static ksda_status verify(ksda_ctx *ctx, const ksda_i_exact_problem *p, const ksda_edits *edits,
                          ksda_optimal_result *result) {
    int finishing = atomic_exchange(&ctx->finishing, 0);
    double end = ctx->end;
    ctx->end = 0;
    ksda_status status = recount(ctx, p, edits, result);
    ctx->end = end;
    if (finishing) ksda_ctx_finish(ctx);
    return status;
}

static ksda_i_exact_way *way_of(const ksda_optimal_options *o, bool fast) {
    if (o->split) return fast ? ksda_i_exact_split_fast : ksda_i_exact_split_ip;
    return fast ? ksda_i_exact_add_fast : ksda_i_exact_add_ip;
}

/* Vertices without a known community form one that does not count, and the ways count all alike. A release in which k
 * known communities have every degree is one in which k of all do: what is proved of the latter is proved, and if the
 * cheapest of them is one of the former, it is the optimum. If not, k + 1 of all are at least k known ones: that is a
 * release, and what it costs beyond the bound is not proved to be needed. */
static ksda_status solve_with_unknown(ksda_ctx *ctx, const ksda_i_exact_problem *p, ksda_i_exact_way *way,
                                      ksda_edits **out, ksda_optimal_result *answer) {
    ksda_communities all = *p->communities; /* borrows everything */
    ksda_optimal_options more = *p->options;
    ksda_i_exact_problem relaxed = *p, dearer = {p->graph, &all, &more, p->solver, {0, false}};
    bool yes = false;
    all.counted = all.count, relaxed.communities = &all;
    double deadline = ctx->deadline, left = ksda_i_time_left(ctx);
    if (!isinf(left)) ksda_i_limit_part(ctx, left / 2); /* the other half is for k + 1 */
    ksda_status status = way(ctx, &relaxed, out, answer);
    ctx->deadline = deadline;
    if (status < 0 || answer->status == KSDA_MODEL_INFEASIBLE) return status;
    if (*out) status = ksda_i_holds(ctx, p->graph, p->communities, *out, p->options->k, &yes);
    if (status < 0 || yes) return status;
    ksda_edits_free(ctx, *out);
    *out = NULL;
    double bound = answer->bound;
    more.k++, more.start = NULL;
    status = way(ctx, &dearer, out, answer);
    answer->bound = bound, answer->status = *out ? KSDA_MODEL_FEASIBLE : KSDA_MODEL_LIMIT;
    snprintf(answer->reason, sizeof answer->reason,
             "vertices without a community do not count towards k, and the bound is proved as if they did");
    return status;
}

ksda_status ksda_i_optimal_from(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                const ksda_optimal_options *options, const ksda_i_exact_known *known, ksda_edits **out,
                                ksda_optimal_result *result) {
    ksda_optimal_options full;
    ksda_optimal_result answer = {.status = KSDA_MODEL_LIMIT, .objective = NAN, .bound = 0};
    ksda_i_exact_problem problem = {graph, communities, &full, NULL, *known};
    double begin = ksda_i_now();
    bool fast;
    ksda_status status;
    *out = NULL;
    ksda_optimal_options_init(&full);
    if (result) KSDA_I_TRY(ksda_i_result_check(ctx, &result_kind, result));
    KSDA_I_TRY(ksda_i_options_take(ctx, &options_kind, options, &full));
    KSDA_I_TRY(complete(ctx, graph, communities, &full));
    KSDA_I_TRY(choose(ctx, full.solver, &problem.solver, &fast));
    if ((communities->sets || full.max_share.denominator) && fast) { /* which knows one community each, and k, only */
        fast = false;
        KSDA_I_TRY(need_program(ctx, problem.solver));
    }
    answer.split_weight = full.split_weight;
    bool unknown = fast && communities->counted < communities->count; /* the programs leave them out */
    if (unknown) KSDA_I_TRY(ksda_i_check_together(ctx, communities));
    if (unknown)
        KSDA_I_TRY(solve_with_unknown(ctx, &problem, way_of(&full, fast), out, &answer));
    else
        KSDA_I_TRY(way_of(&full, fast)(ctx, &problem, out, &answer));
    if (*out) KSDA_I_TRY(verify(ctx, &problem, *out, &answer));
    if (*out && unknown && ksda_i_bound_meets(answer.bound, answer.objective))
        answer.status = KSDA_MODEL_OPTIMAL, answer.reason[0] = 0;
    answer.bound += 0.0; /* rounded up from a little less than 0 it is -0 */
    answer.seconds = ksda_i_now() - begin;
    if (result) ksda_i_result_give(&result_kind, result, &answer);
    return KSDA_OK;
done:
    ksda_edits_free(ctx, *out);
    *out = NULL;
    return status;
}

ksda_status ksda_optimal(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                         const ksda_optimal_options *options, ksda_edits **out, ksda_optimal_result *result) {
    const ksda_i_exact_known nothing = {0, false};
    return ksda_i_optimal_from(ctx, graph, communities, options, &nothing, out, result);
}
