/* reference_methods.h: the paper's heuristics again, slow and obvious: an adjacency matrix, sorting at every step,
 * everything recounted whenever it is needed. For networks of a few dozen vertices. */
#ifndef REFERENCE_METHODS_H
#define REFERENCE_METHODS_H

#include "random_graph.h"

#include <ksda/anonymize.h>

#define REFERENCE_PIECES 700 /* at most so many */
#define REFERENCE_STEPS 20000
#define REFERENCE_TOLD 60000

enum {
    NO_EDGE = 0,
    ORIGINAL,
    ADDED,
    LINK
};

typedef struct reference_trace {
    ksda_step step[REFERENCE_STEPS]; /* edges point into told */
    ksda_pair told[REFERENCE_TOLD];
    uint32_t steps, tolds;
} reference_trace;

typedef struct reference {
    uint32_t n, pieces, count; /* count: communities */
    uint8_t edge[REFERENCE_PIECES][REFERENCE_PIECES];
    uint32_t since[REFERENCE_PIECES][REFERENCE_PIECES]; /* [p][q] when p got its made edge to q */
    uint32_t owner[REFERENCE_PIECES], community[REFERENCE_PIECES];
    uint32_t stamp[REFERENCE_PIECES]; /* when it came to its degree */
    bool placed[REFERENCE_PIECES];
    uint32_t row[REFERENCE_PIECES][REFERENCE_PIECES],
        row_length[REFERENCE_PIECES]; /* original edges, by vertex at the other end */
    bool group[REFERENCE_PIECES];
    uint32_t level[REFERENCE_PIECES], level_stamp[REFERENCE_PIECES]; /* of the communities */
    uint32_t clock;
    reference_trace trace;
    uint64_t seed;
    uint32_t k;
    bool descending, reversed, adding, links, group_splitting;
} reference;

/* method: a name of the table. True when everything was placed; the result is then the matrix of r. */
bool reference_run(reference *r, const ksda_network *net, const char *method, uint32_t k, uint64_t seed);

/* A step function that records into a reference_trace. */
void reference_record(const ksda_step *step, void *trace);
/* The first step in which two traces differ, or UINT32_MAX. */
uint32_t reference_difference(const reference_trace *a, const reference_trace *b);

#endif
