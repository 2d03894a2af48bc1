/* header.h: what stands at the top of a file of lines: comments, a header, and which separator it uses. */
#ifndef KSDA_I_HEADER_H
#define KSDA_I_HEADER_H

#include "io/fields.h"
#include "io/formats.h"

typedef enum ksda_i_header_kind {
    KSDA_I_EDGE_HEADER,     /* source and target, by whatever names */
    KSDA_I_COMMUNITY_HEADER /* vertex and community */
} ksda_i_header_kind;

/* Look at the top of the source: how many lines to pass over before the first one with data, and, if there is a header
 * whose words are known, which columns are wanted. A separator of ',' in the syntax becomes ';' if the file uses that.
 *
 * The first line with fields is a header if its words are known ones (source and target, from and to ...), or if the
 * syntax has a separator, its ids (two of an edge, one of a vertex with its community) are no numbers, and those of the
 * next line are. */
ksda_status ksda_i_find_header(ksda_i_source *source, ksda_i_syntax *syntax, ksda_i_header_kind kind, uint64_t *skip);

/* Is the first line of data surely separated by commas or semicolons? By tabs under a known header? */
bool ksda_i_sniff_csv(const char *data, size_t size);
bool ksda_i_sniff_tsv(const char *data, size_t size);

/* Lines have no vertex attributes: KSDA_UNSUPPORTED if one is asked for. Makes r empty. */
ksda_status ksda_i_no_attribute(ksda_ctx *ctx, ksda_i_source *source, const char *attribute, ksda_i_read *r);

#endif
