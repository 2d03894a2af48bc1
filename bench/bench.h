/* bench.h: what several benchmarks need: an end where something fails, processor time, the networks of the data folder.
 */
#ifndef BENCH_H
#define BENCH_H

#include <ksda/ksda.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static inline void must(ksda_ctx *ctx, ksda_status status) {
    if (status >= 0) return;
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, ksda_ctx_error(ctx)->message);
    exit(1);
}

static inline double clock_seconds(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double processor_seconds(void) {
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* A network of the data folder, packed or not; part: which of its communities, "-": the only ones. */
static inline void load_data(ksda_ctx *ctx, const char *name, const char *part, ksda_network *net) {
    char edges[1024], communities[1024];
    ksda_load_options options;
    ksda_load_options_init(&options);
    snprintf(edges, sizeof edges, "%s/%s.edges", KSDA_DATA_DIR, name);
    if (access(edges, R_OK)) snprintf(edges, sizeof edges, "%s/%s.edges.gz", KSDA_DATA_DIR, name);
    if (part[0] == '-')
        snprintf(communities, sizeof communities, "%s/%s.communities", KSDA_DATA_DIR, name);
    else
        snprintf(communities, sizeof communities, "%s/%s.%s.communities", KSDA_DATA_DIR, name, part);
    options.communities = communities;
    *net = (ksda_network)KSDA_INIT(ksda_network);
    must(ctx, ksda_load(ctx, edges, &options, net));
}

#endif
