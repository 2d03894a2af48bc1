/* nodes.h: gathering a graph whose file declares its vertices by id and may use them before (GraphML, GEXF, GML, JSON).
 */
#ifndef KSDA_I_NODES_H
#define KSDA_I_NODES_H

#include "io/formats.h"
#include "io/text.h"

typedef struct ksda_i_nodes {
    ksda_i_text *text;   /* for messages */
    ksda_i_ids names;    /* of the vertices, by first mention */
    uint64_t *mention;   /* [names.count] 0: declared; else where it was mentioned first, an offset into the text + 1 */
    uint32_t *community; /* [names.count] KSDA_NO_VERTEX: none */
    ksda_i_ids community_names;
    uint32_t *title; /* [names.count] what it may be called instead; KSDA_NO_VERTEX: nothing */
    ksda_i_ids titles;
    ksda_i_ids attributes; /* that vertices have, for messages; not more than a message can name */
    uint32_t *edge;        /* [2 * edges] */
    uint32_t *direct;      /* [direct_size] for names that are small numbers: the vertex + 1, without hashing */
    uint64_t *more;        /* [mores] further communities, vertex * 2^32 + community, where `several` may be */
    bool several;
    bool directed; /* the file gives its edges directions, which are dropped; that is remarked */
    uint64_t mores, more_capacity;
    uint64_t edges, mention_capacity, community_capacity, title_capacity, edge_capacity, direct_size;
} ksda_i_nodes;

void ksda_i_nodes_init(ksda_i_nodes *nodes, ksda_i_text *text);
/* The same for a reader of whole texts: nodes that are empty, the text, and what is read, a file that declares its
 * vertices. Clear the nodes, and after a failure what was read, whatever comes of it. */
ksda_status ksda_i_nodes_open(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_text *text,
                              ksda_i_nodes *nodes, ksda_i_read *out);
void ksda_i_nodes_clear(ksda_i_nodes *nodes);

/* This vertex exists. KSDA_PARSE at place: it was declared before. */
ksda_status ksda_i_nodes_declare(ksda_i_nodes *nodes, const char *name, size_t length, const char *place,
                                 uint32_t *item);
/* The number of a vertex that is mentioned at place. */
ksda_status ksda_i_nodes_mention(ksda_i_nodes *nodes, const char *name, size_t length, const char *place,
                                 uint32_t *item);
/* The number of vertices that a file announces stands here. KSDA_PARSE: it does not, or nothing in the file pays for so
 * many. */
ksda_status ksda_i_nodes_count(ksda_i_text *t, uint64_t *n);
/* The vertices are 1 to n: vertex i is number i - 1. For nodes that are empty. */
ksda_status ksda_i_nodes_number(ksda_i_nodes *nodes, uint64_t n);
ksda_status ksda_i_nodes_edge(ksda_i_nodes *nodes, uint32_t u, uint32_t v);
/* The vertex is in that community; in this one, too, where it may be in several. */
ksda_status ksda_i_nodes_community(ksda_i_nodes *nodes, uint32_t item, const char *name, size_t length);
/* What a vertex may be called instead of its id; blank: nothing. */
ksda_status ksda_i_nodes_title(ksda_i_nodes *nodes, uint32_t item, const char *name, size_t length);
/* Call the vertices by their titles. attribute: the one that titles were taken from because that was asked for:
 * KSDA_PARSE where a vertex has none, or two have the same. NULL: only if each has one of its own. */
ksda_status ksda_i_nodes_rename(ksda_i_nodes *nodes, const char *attribute);
/* Vertices may have this attribute. */
ksda_status ksda_i_nodes_attribute(ksda_i_nodes *nodes, const char *name, size_t length);
/* KSDA_INVALID: none is called so, but these are there. */
ksda_status ksda_i_nodes_no_attribute(const ksda_i_nodes *nodes, const char *wanted);
/* KSDA_PARSE at the first mention of a vertex that was never declared. */
ksda_status ksda_i_nodes_check(const ksda_i_nodes *nodes);
/* The same, and KSDA_INVALID where an attribute is asked for, of communities or of titles, that no vertex has. */
ksda_status ksda_i_nodes_complete(const ksda_i_nodes *nodes, const char *attribute, bool has_attribute,
                                  const char *called, bool has_called);
/* Make the graph of checked nodes: with numeric ids, ascending, if all names are numbers, else by name in this order.
 * attribute: whether communities are wanted. Leaves the nodes to be cleared. */
ksda_status ksda_i_nodes_finish(ksda_i_nodes *nodes, bool attribute, ksda_i_read *out);

#endif
