/* One person at one degree: see share_ladder.h. */
#include "methods/levelplan/share_ladder.h"

static uint32_t min_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

bool ksda_i_ladder_stands(const ksda_i_ladder *s, uint32_t v, uint32_t level, uint32_t edges, uint32_t parts) {
    uint64_t all = (uint64_t)parts * level, links = (uint64_t)parts * min_of(parts - 1, level - 1);
    if (all < edges || (parts > edges && parts > 1)) return false;
    uint64_t excess = all - edges, rest = excess > links ? excess - links : excess & 1;
    bool none = s->edges == KSDA_I_LADDER_NONE || (s->edges == KSDA_I_LADDER_FEW && excess <= links);
    return rest <= (none && parts > 1 ? 0 : (uint64_t)parts * s->slack[v]);
}

uint32_t ksda_i_ladder_fewest(const ksda_i_ladder *s, uint32_t v, uint32_t level, uint32_t edges) {
    uint32_t parts = edges / level + (edges % level > 0);
    for (parts = parts ? parts : 1; parts == 1 || parts <= edges; parts++)
        if (ksda_i_ladder_stands(s, v, level, edges, parts)) return parts;
    return 0;
}

uint32_t ksda_i_ladder_most(const ksda_i_ladder *s, uint32_t v, uint32_t level, uint32_t edges, uint32_t at_most) {
    for (uint32_t parts = min_of(edges, at_most); parts > 0; parts--)
        if (ksda_i_ladder_stands(s, v, level, edges, parts)) return parts;
    return 0;
}

uint32_t ksda_i_ladder_spare(const ksda_i_ladder *s, uint32_t v, uint32_t level) {
    uint32_t degree = ksda_i_degree(s->r->graph, v), least = level > s->slack[v] ? level - s->slack[v] : 1;
    return level > 1 && degree > least ? degree - least : 0;
}
