/* ksda.h: publish a social network so that nobody's community can be read off a degree.
 *
 *     ksda_ctx *ctx;
 *     ksda_network net = KSDA_INIT(ksda_network);
 *     ksda_edits *edits;
 *     ksda_release release = KSDA_INIT(ksda_release);
 *     ksda_anonymize_options opt;
 *     ksda_load_options load;
 *     ksda_load_options_init(&load), load.communities = "network.communities";
 *     ksda_anonymize_options_init(&opt), opt.k = 3;
 *     ksda_ctx_new(NULL, &ctx);
 *     ksda_load(ctx, "network.edges", &load, &net);
 *     ksda_anonymize(ctx, net.graph, net.communities, NULL, &opt, &edits, NULL);
 *     ksda_release_make(ctx, edits, net.communities, 0, &release);
 *     ksda_write_graph(ctx, release.graph, NULL, "published.edges", KSDA_FORMAT_AUTO);
 *
 * Every call that can fail returns a ksda_status; details are on the context (ksda_ctx_error()). Pointers that come
 * back through a pointer-to-pointer belong to the caller, returned pointers are borrowed. The library never prints,
 * exits or keeps global state. */
#ifndef KSDA_KSDA_H
#define KSDA_KSDA_H

#include <ksda/abi.h>
#include <ksda/anonymize.h>
#include <ksda/base.h>
#include <ksda/communities.h>
#include <ksda/detect.h>
#include <ksda/edits.h>
#include <ksda/exact.h>
#include <ksda/graph.h>
#include <ksda/io.h>
#include <ksda/measure.h>
#include <ksda/privacy.h>
#include <ksda/publish.h>
#include <ksda/report.h>

#endif
