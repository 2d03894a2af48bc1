/* html.h: the report that a data-protection officer reads: one self-contained page without scripts. */
#ifndef KSDA_I_HTML_H
#define KSDA_I_HTML_H

#include "io/output.h"
#include "report/frontier.h"
#include "report/record.h"
#include "report/report.h"

/* What the page is about. The published part is absent (NULL) for `check`. */
typedef struct ksda_i_html {
    const char *network; /* what the user called it: a file name */
    uint32_t k;          /* 0: not asked */
    const ksda_graph *original;
    const ksda_communities *communities;
    const ksda_diversity *before; /* with this k, or 1 */
    const ksda_i_summary *summary;
    const ksda_release *release;
    const ksda_diversity *after;
    const ksda_comparison *comparison;   /* NULL: the measures were not computed */
    const ksda_frontier_study *frontier; /* NULL: the trade-off was not asked for */
    const ksda_attack_result *attack;    /* NULL: other attackers were not asked for */
    const ksda_i_record *record;         /* NULL: nobody keeps one */
    int public_page;                     /* leave out whatever would help to undo the release */
    int public_communities;              /* the communities are published too: a public page may show who is where */
    int vocabulary;                      /* of `check`: also in the words of those who publish tables */
} ksda_i_html;

/* Write the page. Fails only for memory or Ctrl-C; trouble with the file is told when out is committed.
 * A public page has nothing about the original network but what the release shows anyway: no names, no counts of
 * changes, no measures before, no drawing; degree by community only where the communities are published. */
ksda_status ksda_i_html_write(ksda_ctx *ctx, const ksda_i_html *page, ksda_i_output *out);
/* ksda_report_publication() as a page, with a record. */
ksda_status ksda_i_report_release(ksda_ctx *ctx, const ksda_publication *publication,
                                  const ksda_report_options *options, const ksda_i_record *record, char **out);

#endif
