/* report.h: result structs as text and as JSON. One struct, both renderings: they cannot disagree.
 * The text goes to a stream of the caller's; JSON fields are added to an object of the caller's. */
#ifndef KSDA_I_REPORT_H
#define KSDA_I_REPORT_H

#include "graph/communities.h"
#include "graph/graph.h"

#include <jansson.h>
#include <ksda/ksda.h>
#include <stdio.h>

/* A report as JSON begins with "schema": 1 and ends as a string of the caller's, which takes the object. In between
 * nothing needs to be checked: what cannot be had is remembered for this thread, and the end is then KSDA_NOMEM. Values
 * are handed over by set and append. */
json_t *ksda_i_json_begin(void);
ksda_status ksda_i_json_finish(ksda_ctx *ctx, json_t *object, char **out);
void ksda_i_json_set(json_t *object, const char *name, json_t *value);
void ksda_i_json_append(json_t *array, json_t *value);
/* NaN and infinity become null: JSON has no word for them. */
void ksda_i_json_real(json_t *object, const char *name, double value);
void ksda_i_json_count(json_t *object, const char *name, uint64_t value);
void ksda_i_json_text(json_t *object, const char *name,
                      const char *value); /* NULL becomes null; bad UTF-8 is replaced */
void ksda_i_json_bool(json_t *object, const char *name, int value);

/* The word for so many: "edges", or "edge" for one. Words that it does not know stay as they are. */
const char *ksda_i_word(double count, const char *plural);
/* One paragraph for the terminal, in lines of at most 100 columns. */
void ksda_i_paragraph(const char *text, FILE *out);
/* What is not told where people are in several communities, and why: a subject and the rest of a sentence. */
#define KSDA_I_UNDEFINED_MEASURES "Modularity and the agreement with given communities"
#define KSDA_I_UNDEFINED_SETS "not defined where people are in several communities"

/* "1/3"; [KSDA_I_SHARE]. In JSON a share is such a text, or null where there is none. */
#define KSDA_I_SHARE 24
const char *ksda_i_share_text(ksda_share share, char *buffer);
void ksda_i_json_share(json_t *object, const char *name, ksda_share share);

/* --- anonymize, optimal ------------------------------------------------------------------------------------------- */

typedef struct ksda_i_summary {
    const char *method;
    uint32_t k;
    uint64_t seed;
    const ksda_graph *original, *published;
    const ksda_communities *communities;
    const char *detected; /* "metis:4", or NULL when the communities were given */
    ksda_anonymize_result result;
    ksda_verification verification;
    uint64_t removed_edges;                                             /* by the baseline only */
    int baseline;                                                       /* the method does not make a k-SDA */
    int limited;                                                        /* stopped at a limit */
    int no_proof;                                                       /* none was asked for */
    double load, communities_seconds, anonymize, verify, write, report; /* seconds; 0: not known */
    uint64_t peak_rss_bytes;
    const uint32_t *witness; /* [witnesses] where people have several communities, else NULL */
    uint64_t witnesses;
    ksda_value added_auc; /* how well added edges can be told from own ones */
} ksda_i_summary;

uint64_t ksda_i_peak_memory(void); /* of this process, in bytes */
/* What a publication has to tell, and what only the caller knows. */
ksda_i_summary ksda_i_summary_of(const ksda_publication *p, const ksda_report_options *options);
/* How far above the proved lower bound the cost may be, as a share of the bound; NaN when nothing is proved. */
double ksda_i_gap(double cost, double bound);
double ksda_i_summary_gap(const ksda_i_summary *s);
/* What is proved of the release, in a sentence: splits and edges apart. Empty when nothing is. */
#define KSDA_I_PROVED 320
const char *ksda_i_proved(const ksda_anonymize_result *result, char *buffer); /* [KSDA_I_PROVED] */
const char *ksda_i_amount(double value, char *buffer);                        /* [32] a cost: whole where it is */
/* How well added edges can be told from own ones, where that was measured: "added edges can be told ...". */
#define KSDA_I_ADDED_AUC 128
const char *ksda_i_added_auc_text(const ksda_value *v, char *buffer); /* [KSDA_I_ADDED_AUC] */
void ksda_i_summary_json(const ksda_i_summary *s, json_t *object);
void ksda_i_summary_text(const ksda_i_summary *s, FILE *out);

/* --- check -------------------------------------------------------------------------------------------------------- */

/* What the degree attack does to some of the vertices. */
typedef struct ksda_i_attack {
    uint64_t vertices;
    double expected_success, largest_posterior, entropy; /* NaN when there are no vertices */
} ksda_i_attack;
/* Over the groups with at least `least` and at most `most` communities. */
ksda_i_attack ksda_i_attack_on(const ksda_diversity *d, uint32_t least, uint32_t most);

/* k_given: a verdict for d->k; else only what the attack learns. top: at most so many degrees are listed. */
void ksda_i_diversity_json(const ksda_diversity *d, const ksda_communities *c, int k_given, uint64_t top,
                           json_t *object);
void ksda_i_diversity_text(const ksda_diversity *d, const ksda_communities *c, int k_given, uint64_t top, int utf8,
                           FILE *out);
/* How often the attack is right, before and after. */
void ksda_i_attack_text(const ksda_diversity *before, const ksda_diversity *after, int utf8, FILE *out);

/* --- verify ------------------------------------------------------------------------------------------------------- */

void ksda_i_verification_json(const ksda_verification *v, uint32_t k, json_t *object);
void ksda_i_verification_text(const ksda_verification *v, uint32_t k, FILE *out);

/* --- stats -------------------------------------------------------------------------------------------------------- */

typedef struct ksda_i_stats {
    const ksda_network *net;
    uint32_t isolated, degree_min, degree_median, degree_max;
    double degree_mean;
    uint32_t community_min, community_median, community_max;
    uint64_t memberships;      /* of vertices in communities */
    double modularity, inside; /* inside: share of edges within communities, or whose ends' sets meet; NaN without
                                  communities. Modularity is NaN where people have several */
} ksda_i_stats;

ksda_status ksda_i_stats_count(ksda_ctx *ctx, const ksda_network *net, ksda_i_stats *out);
void ksda_i_stats_json(const ksda_i_stats *s, json_t *object);
void ksda_i_stats_text(const ksda_i_stats *s, FILE *out);

/* --- measure, compare --------------------------------------------------------------------------------------------- */

/* How a measure changed. Mostly as a share of the original; what lies around 0 (assortativity, modularity) has no such
 * share, so it is the difference; and what the release is made for (violations, largest k) is a difference, but no
 * damage, so no bar shows it. */
typedef struct ksda_i_change {
    double amount; /* NaN where there is none */
    int relative, damage;
} ksda_i_change;
ksda_i_change ksda_i_change_of(ksda_measure_id id, const ksda_value *before, const ksda_value *after);
/* "+3.37 %", with `space` before the sign, "-0.21", "0" or "-"; buffer has at least 32 bytes and is returned. */
const char *ksda_i_change_text(const ksda_i_change *change, const char *space, char *buffer);
/* What a bar shows, 1 being all of the original; 0 where there is nothing to show. */
double ksda_i_change_damage(const ksda_i_change *change);

/* A measured number, and its confidence interval if it was sampled. */
void ksda_i_json_measured(json_t *values, json_t *intervals, const char *name, const ksda_value *v);
/* distributions: also the frequencies of degrees, coreness and distances. */
void ksda_i_measures_json(const ksda_measures *m, int distributions, json_t *object);
void ksda_i_measures_text(const ksda_measures *m, int distributions, FILE *out);
void ksda_i_comparison_json(const ksda_comparison *c, json_t *object);
/* utf8: bars of block characters, else of #. short: the six rows that people look at first. */
void ksda_i_comparison_text(const ksda_comparison *c, int utf8, FILE *out);
void ksda_i_comparison_short(const ksda_comparison *c, int utf8, FILE *out);

#endif
