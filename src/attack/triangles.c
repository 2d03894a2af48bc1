/* The attacker who knows a degree and how many pairs of neighbours are adjacent: as much as the numbers of vertices and
 * edges among a person and its neighbours ("count" in ANO-NET). Time and memory are those of counting triangles. */
#include "attack/attack.h"
#include "measure/measure.h"

static ksda_i_hash128 sign(const ksda_i_attacking *a, const ksda_i_attacked *network, uint32_t v, const void *data) {
    ksda_i_hash128 hash = {{0, 0}};
    ksda_i_hash128_next(&a->key, &hash, ksda_i_degree(network->g, v));
    ksda_i_hash128_next(&a->key, &hash, ((const uint64_t *)data)[network->first + v]);
    return hash;
}

ksda_status ksda_i_sign_triangles(ksda_i_attacking *a) {
    uint64_t *triangles = ksda_i_malloc(a->ctx, a->pool, sizeof *triangles);
    ksda_status status = triangles ? ksda_i_triangles(a->ctx, a->release.g, triangles) : KSDA_NOMEM;
    if (status >= 0 && a->original.g) status = ksda_i_triangles(a->ctx, a->original.g, triangles + a->original.first);
    if (status >= 0) status = ksda_i_sign_each(a, sign, triangles);
    ksda_i_free(a->ctx, triangles);
    return status;
}
