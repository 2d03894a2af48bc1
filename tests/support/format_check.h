/* format_check.h: what the tests of readers and writers share. */
#ifndef FORMAT_CHECK_H
#define FORMAT_CHECK_H

#include "context.h"
#include "io/formats.h"

/* Read a text in memory. */
ksda_status read_text(ksda_ctx *ctx, const ksda_i_format *row, const char *text, size_t size, const char *attribute,
                      ksda_i_read *out);

/* Read a text that must be accepted; to be cleared. */
ksda_i_read read_good(const ksda_i_format *row, const char *text, const char *attribute);

/* A text that must be refused with this status, in this place, with these words in the message. */
typedef struct bad_text {
    const char *text;
    uint64_t line, column;
    const char *message;
} bad_text;
void assert_refused(const ksda_i_format *row, const char *attribute, ksda_status status, const bad_text *bad);

/* Are they the same, vertex for vertex in order, with the same names? With `shape`, names do not matter. */
bool same_graph(const ksda_graph *a, const ksda_graph *b, bool shape);
/* Does r give the vertices the communities (by name) that c gives them? */
bool same_communities(const ksda_communities *c, const ksda_i_read *r);

/* Write and read again: the same graph and the same communities. */
void assert_round_trip(ksda_ctx *ctx, const ksda_i_format *row, const ksda_graph *g, const ksda_communities *c,
                       bool shape);

/* The same for many random networks with numbers and names; with communities and names where the format carries them.
 */
void assert_round_trips(const ksda_i_format *row, unsigned cases, bool shape);

/* How a random network is called: 0 .. n-1, sparse 64-bit numbers, or names with all that makes formats trip. */
typedef enum naming {
    NAMING_RANGE,
    NAMING_NUMBERS,
    NAMING_NAMES
} naming;
/* A random network, named so; communities too. Some vertices are isolated. */
void random_named_network(ksda_ctx *ctx, uint64_t seed, naming kind, ksda_network *out);

/* Read a text with the first, second, third ... allocation failing, until it succeeds: every failure is KSDA_NOMEM and
 * nothing is leaked. Then the same for writing what was read. */
void assert_survives_failing_allocations(const ksda_i_format *row, const char *text, const char *attribute);

/* Reading and writing stop when the context is cancelled. */
void assert_interruptible(const ksda_i_format *row, const char *text);

#endif
