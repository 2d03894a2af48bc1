/* level-plan against the paper's methods: cost n_a + omega * n_s on one network, every release verified.
 *
 *     bench_level_plan NAME PART K[,K...] [OMEGA[,OMEGA...]] [METHOD[,METHOD...]]
 *
 * reads NAME.edges and NAME.PART.communities (PART "-" for NAME.communities) from the data folder. OMEGA 0 is |V|^2.
 * With BOUND_SECONDS in the environment the exact method may work so long on the bound. One line per run, tab
 * separated: network, k, omega, method, n_a, n_s, cost, lower bound, gap, seconds, verdict. */
#include "bench.h"
#include "core/ctx.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/ksda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *verdict(ksda_ctx *ctx, const ksda_network *net, const ksda_edits *edits, uint32_t k) {
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    must(ctx, ksda_release_make(ctx, edits, net->communities, 1, &release));
    must(ctx, ksda_verify(ctx, net->graph, net->communities, release.graph, release.owner, k, &v));
    ksda_release_clear(ctx, &release);
    if (!v.valid) fprintf(stderr, "%s\n", v.error);
    return v.valid && v.satisfied ? "verified" : v.valid ? "NOT DIVERSE" : "INVALID";
}

static void one(ksda_ctx *ctx, const char *name, const ksda_network *net, uint32_t k, double omega,
                const ksda_method *method) {
    ksda_anonymize_options options;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits = NULL;
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = omega;
    options.bound_seconds = getenv("BOUND_SECONDS") ? atof(getenv("BOUND_SECONDS")) : 0;
    double start = ksda_i_now();
    ksda_status status = ksda_anonymize(ctx, net->graph, net->communities, method, &options, &edits, &result);
    double seconds = ksda_i_now() - start;
    printf("%s\t%u\t%g\t%s\t", name, k, omega, method->name);
    if (status < 0) {
        printf("fails\t\t\t\t\t%.3f\t%s\n", seconds, ksda_ctx_error(ctx)->message);
    } else {
        double gap = 100 * (result.cost - result.lower_bound) / fmax(result.lower_bound, 1);
        printf("%llu\t%llu\t%g\t%g\t%.1f%%\t%.3f\t%s\n", (unsigned long long)result.added_edges,
               (unsigned long long)result.added_vertices, result.cost, result.lower_bound, gap, seconds,
               verdict(ctx, net, edits, k));
    }
    fflush(stdout);
    ksda_edits_free(ctx, edits);
}

int main(int argc, char **argv) {
    ksda_ctx *ctx;
    ksda_network net = KSDA_INIT(ksda_network);
    if (argc < 4) return fprintf(stderr, "usage: bench_level_plan NAME PART KS [OMEGAS [METHODS]]\n"), 2;
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    ksda_ctx_allow_processes(ctx, 1);
    load_data(ctx, argv[1], argv[2], &net);
    const char *methods = argc > 5 ? argv[5] : "level-plan";
    for (const char *k = argv[3]; k; k = strchr(k, ',') ? strchr(k, ',') + 1 : NULL) {
        uint32_t kk = (uint32_t)atoi(k);
        const char *omega = argc > 4 ? argv[4] : "0";
        while (omega) {
            double w = atof(omega);
            const char *m = methods;
            while (m) {
                char one_name[64];
                size_t length = strcspn(m, ",");
                snprintf(one_name, sizeof one_name, "%.*s", (int)length, m);
                const ksda_method *method = ksda_method_find(one_name);
                if (method) one(ctx, argv[1], &net, kk, w, method);
                m = m[length] ? m + length + 1 : NULL;
            }
            omega = strchr(omega, ',');
            if (omega) omega++;
        }
    }
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
    return 0;
}
