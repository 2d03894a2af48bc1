/* The heuristics of the paper beside level-plan's own release: whatever one of them finds cheaper is taken, so
 * level-plan is never above any of the six. They are near-linear, a small part of the time that planning takes, on
 * networks of every size. One that cannot beat what is known is not asked, and where only the cheapest is wanted, one
 * that begins with the hubs ends as soon as it has spent as much: most edges are added there, so that is soon. */
#include "methods/levelplan/rivals.h"

#include "methods/paper/largest_first.h"

static const struct {
    const ksda_i_descent *from_hubs; /* or NULL, and: */
    ksda_i_method *find;
    bool splits; /* splits a vertex, or finds only what one before it does */
    bool sets;   /* knows people in several communities */
} rivals[KSDA_I_RIVALS] = {
    {&ksda_i_edge_connect_rules, NULL, false, true},
    {&ksda_i_inverse_edge_connect_rules, NULL, false, false},
    {&ksda_i_create_by_split_rules, NULL, true, false},
    {NULL, ksda_i_merge_by_split, false, false},
    {NULL, ksda_i_flex_split, false, true},
    {NULL, ksda_i_splitting_only, true, false},
};

bool ksda_i_rival_may_win(uint32_t number, double split_weight, double below) {
    return below > (rivals[number].splits ? split_weight : 0);
}

ksda_status ksda_i_rival(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                         const ksda_anonymize_options *options, uint32_t number, double below, ksda_edits **out) {
    ksda_anonymize_options quiet = *options;
    ksda_anonymize_result unused = KSDA_INIT(ksda_anonymize_result);
    quiet.step = NULL;
    *out = NULL;
    if (communities->sets && !rivals[number].sets) return KSDA_OK;
    if (!ksda_i_rival_may_win(number, options->split_weight, below)) return KSDA_OK;
    ksda_status status = rivals[number].from_hubs ? ksda_i_largest_first(ctx, graph, communities, &quiet,
                                                                         rivals[number].from_hubs, below, out)
                                                  : rivals[number].find(ctx, graph, communities, &quiet, out, &unused);
    return ksda_i_found_none(status) ? KSDA_OK : status;
}
