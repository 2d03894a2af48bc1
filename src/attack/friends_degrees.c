/* The attacker who knows the degrees of all neighbours: a multiset (Hay et al. 2008, doi:10.14778/1453856.1453873;
 * "VRQ" in ANO-NET). The sum of hashes stands for it. O(n + m). */
#include "attack/attack.h"

static ksda_i_hash128 sign(const ksda_i_attacking *a, const ksda_i_attacked *network, uint32_t v, const void *data) {
    const ksda_graph *g = network->g;
    const uint32_t *degree = (const uint32_t *)data + network->first;
    ksda_i_hash128 hash = {{0, 0}};
    for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) ksda_i_hash128_add(&a->key, &hash, degree[g->adj[e]]);
    ksda_i_hash128_next(&a->key, &hash, 0);
    return hash;
}

ksda_status ksda_i_sign_friends_degrees(ksda_i_attacking *a) {
    ksda_status status = ksda_i_refine(a, 0);
    return status < 0 ? status : ksda_i_sign_each(a, sign, a->colour);
}
