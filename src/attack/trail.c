/* The attacker who watches a person over several releases with the same ids, and knows a trail of degrees (Tai, Tseng,
 * Yu and Chen, doi:10.1109/ICDM.2011.59, and their later work on sequential releases). Not to be there is a step of the
 * trail as well. O(n) for each release. */
#include "attack/attack.h"

static ksda_i_hash128 sign(const ksda_i_attacking *a, const ksda_i_attacked *network, uint32_t v, const void *data) {
    const ksda_attack_options *o = data;
    ksda_i_hash128 hash = {{0, 0}};
    ksda_i_hash128_next(&a->key, &hash, ksda_i_degree(network->g, v));
    for (uint32_t i = 0; i < o->earlier_releases && network == &a->release; i++) {
        uint32_t there = o->earlier[i].vertex[v];
        ksda_i_hash128_next(&a->key, &hash,
                            there == KSDA_NO_VERTEX ? UINT64_MAX : ksda_i_degree(o->earlier[i].graph, there));
    }
    return hash;
}

ksda_status ksda_i_sign_trail(ksda_i_attacking *a) {
    return ksda_i_sign_each(a, sign, a->options);
}
