/* The attacker of the paper, who knows a degree: what ksda_diversity_check() counts, in one network. O(n). */
#include "attack/attack.h"

static ksda_i_hash128 sign(const ksda_i_attacking *a, const ksda_i_attacked *network, uint32_t v, const void *data) {
    ksda_i_hash128 hash = {{0, 0}};
    (void)data;
    ksda_i_hash128_next(&a->key, &hash, ksda_i_degree(network->g, v));
    return hash;
}

ksda_status ksda_i_sign_degree(ksda_i_attacking *a) {
    return ksda_i_sign_each(a, sign, NULL);
}
