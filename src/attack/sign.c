/* Signatures of all vertices of the pool, on all threads. */
#include "attack/attack.h"
#include "core/parallel.h"

enum {
    GRAIN = 4096 /* vertices that a thread takes at a time */
};

typedef struct signing {
    ksda_i_attacking *a;
    ksda_i_vertex_fn fn;
    const void *data;
} signing;

static void sign_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const signing *s = data;
    const ksda_i_attacking *a = s->a;
    (void)thread;
    if (ksda_i_cancelled(a->ctx)) return;
    for (uint64_t i = begin; i < end; i++) {
        const ksda_i_attacked *network = i < a->release.g->n ? &a->release : &a->original;
        a->hash[i] = s->fn(a, network, (uint32_t)i - network->first, s->data);
    }
}

ksda_status ksda_i_sign_room(ksda_i_attacking *a) {
    if (!a->hash) a->hash = ksda_i_malloc(a->ctx, a->pool, sizeof *a->hash);
    return a->hash ? KSDA_OK : KSDA_NOMEM;
}

ksda_status ksda_i_sign_each(ksda_i_attacking *a, ksda_i_vertex_fn fn, const void *data) {
    signing s = {a, fn, data};
    ksda_status status = ksda_i_sign_room(a);
    if (status < 0) return status;
    ksda_i_parallel(a->ctx, a->pool, GRAIN, sign_range, &s);
    return ksda_i_interrupted(a->ctx);
}

static uint32_t degrees_of(const ksda_i_attacked *network, uint32_t *label) {
    uint32_t most = 0;
    for (uint32_t v = 0; network->g && v < network->g->n; v++) {
        uint32_t d = ksda_i_degree(network->g, v);
        label[network->first + v] = d;
        if (d > most) most = d;
    }
    return most + 1;
}

uint32_t ksda_i_degree_labels(const ksda_i_attacking *a, uint32_t *label) {
    uint32_t here = degrees_of(&a->release, label), there = degrees_of(&a->original, label);
    return here > there ? here : there;
}
