/* random_graph.h: small random networks for tests, and the networks of the data folder where it is present. */
#ifndef RANDOM_GRAPH_H
#define RANDOM_GRAPH_H

#include "core/random.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/io.h>

/* n vertices, each pair adjacent with probability p, each vertex in one of `communities` communities (none empty when
 * n allows it). Everything comes from the stream (seed, "test", item). */
void random_network(ksda_ctx *ctx, uint64_t seed, uint32_t n, double p, uint32_t communities, ksda_network *out);

/* Give people further communities: each keeps the one there is, and about half get one or two more. unknown: some
 * have none at all, which does not count. */
void random_sets(ksda_ctx *ctx, uint64_t seed, bool unknown, ksda_network *net);

/* So many networks, or a multiple of it: KSDA_TEST_TIMES times as many where that is set. docs/results/exact.md has a
 * run with 10. Where sanitizers watch, a sixth: they look for what any network shows, and each takes ten times as
 * long. */
uint64_t times_as_many(uint64_t networks);
/* Has the test met more than `least` such cases? Asked where all networks are tried: of a sixth it is not known. */
bool enough(uint64_t count, uint64_t least);

/* The network of n vertices with these m edges, two numbers each, and the communities of[n]. To be cleared, also after
 * a failure. */
ksda_status listed_network(ksda_ctx *ctx, uint32_t n, uint64_t m, const uint32_t *edges, const uint32_t *of,
                           ksda_network *out);

/* Load NAME.edges[.gz] and NAME[.PART].communities[.gz] from the data folder; part may be "" (NAME.communities) or NULL
 * (no communities). False, with a line on stderr, where the folder or the file is absent: the test then skips. */
bool data_network(ksda_ctx *ctx, const char *name, const char *part, ksda_network *out);

#endif
