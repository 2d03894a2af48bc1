/* ksda.h: publish a social network so that nobody's community can be read off a degree.
 *
 *     ksda_ctx *ctx;
 *     ksda_network net = KSDA_INIT(ksda_network);
 *     ksda_publication *publication;
 *     ksda_anonymize_options options;
 *     ksda_load_options load;
 *     ksda_load_options_init(&load), load.communities = "network.communities";
 *     ksda_anonymize_options_init(&options), options.k = 3;
 *     ksda_ctx_new(NULL, &ctx);
 *     ksda_load(ctx, "network.edges", &load, &net);
 *     ksda_publish(ctx, net.graph, net.communities, NULL, &options, NULL, &publication);
 *     ksda_write_graph(ctx, ksda_publication_release(publication)->graph, NULL, "published.edges", KSDA_FORMAT_AUTO);
 *
 * This header includes all the others, which may be read in this order: base.h (status, context; what holds for every
 * call), graph.h and communities.h (networks from arrays), io.h (from files), detect.h (finding communities, making
 * networks), privacy.h (is it diverse, is a release what it claims), anonymize.h and edits.h (methods), publish.h (all
 * of that in one call), report.h (JSON, text, pages), measure.h (what a release costs its users), attack.h (what it
 * still tells), exact.h (proved optima), abi.h (for bindings). examples/ has a program for each way to use it,
 * docs/abi.md what is promised.
 *
 * Every call that can fail returns a ksda_status; details are on the context (ksda_ctx_error()). Pointers that come
 * back through a pointer-to-pointer belong to the caller, returned pointers are borrowed. The library never prints,
 * exits or keeps global state. */
#ifndef KSDA_KSDA_H
#define KSDA_KSDA_H

/* In the order of the alphabet: each includes what it needs. */
#include <ksda/abi.h>         /* struct layouts, for bindings */
#include <ksda/anonymize.h>   /* methods, options, results, the frontier */
#include <ksda/attack.h>      /* what attackers learn who know more than a degree */
#include <ksda/base.h>        /* status, context, stopping, memory */
#include <ksda/communities.h> /* who belongs where */
#include <ksda/detect.h>      /* METIS, Leiden, made-up networks */
#include <ksda/edits.h>       /* changes, and releases made of them */
#include <ksda/exact.h>       /* proved optima */
#include <ksda/graph.h>       /* networks from arrays */
#include <ksda/io.h>          /* networks, releases and maps in files */
#include <ksda/measure.h>     /* what a network is like, and what a release changes */
#include <ksda/privacy.h>     /* is it diverse, is a release what it claims */
#include <ksda/publish.h>     /* anonymize, apply and verify in one call */
#include <ksda/report.h>      /* JSON, text and pages */

#endif
