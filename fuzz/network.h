/* network.h: bytes as small networks, and a slow recount of releases that shares nothing with the library's own. */
#ifndef FUZZ_NETWORK_H
#define FUZZ_NETWORK_H

#include "fuzz.h"

#include <ksda/io.h>

enum {
    FUZZ_VERTICES = 24,                             /* of a network at most */
    FUZZ_PIECES = 2 * FUZZ_VERTICES * FUZZ_VERTICES /* of a release at most */
};

/* The bytes not used yet. What is taken after the last one is 0. */
typedef struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
} fuzz_bytes;
/* A number from 0 to bound - 1; bound is at most 256. */
uint32_t fuzz_take(fuzz_bytes *in, uint32_t bound);
bool fuzz_flag(fuzz_bytes *in);

/* A network: the number of vertices, that of communities and that of pairs, a community for each vertex, the pairs. A
 * pair of a vertex with itself makes it a hub that is adjacent to all. To be cleared. */
void fuzz_network(fuzz_bytes *in, ksda_network *out);
bool fuzz_isolated(const ksda_graph *g);

/* What ksda_verify() has to say. */
typedef struct fuzz_verdict {
    bool valid, satisfied;
    uint64_t added_edges, added_vertices, links;
    uint32_t split_vertices;
} fuzz_verdict;
fuzz_verdict fuzz_recount(const ksda_network *net, const ksda_graph *published, const uint32_t *owner, uint32_t k);
/* Abort unless ksda_verify() says the same, with a reason where it says no. */
fuzz_verdict fuzz_verify(const ksda_network *net, const ksda_graph *published, const uint32_t *owner, uint32_t k);

#endif
