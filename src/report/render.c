/* The reports as strings: one entry for each result, which picks the rendering. What it looks like stands in the files
 * of the results. */
#include "anonymize/publish.h"
#include "core/sized.h"
#include "report/attacks.h"
#include "report/html.h"
#include "report/people.h"
#include "report/page.h"
#include "report/vocabulary.h"

#include <stdlib.h>

static const ksda_i_sized kind = KSDA_I_OPTIONS(ksda_report_options, public_communities);

void ksda_report_options_init_sized(ksda_report_options *options, size_t size) {
    static const ksda_report_options defaults = {.size = sizeof defaults, .top = 10};
    ksda_i_options_init(&kind, options, size, &defaults);
}

static ksda_status begin_report(ksda_ctx *ctx, const ksda_report_options *given, ksda_report_options *o, char **out) {
    *out = NULL;
    ksda_report_options_init(o);
    ksda_status status = ksda_i_options_take(ctx, &kind, given, o);
    if (status >= 0 && (unsigned)o->rendering > KSDA_RENDERING_HTML)
        status = ksda_i_error(ctx, KSDA_INVALID, "%d is no rendering", (int)o->rendering);
    return status;
}

static ksda_status no_page(ksda_ctx *ctx, const char *what) {
    return ksda_i_error(ctx, KSDA_UNSUPPORTED, "%s has no page of its own: text and JSON can be had", what);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

typedef struct text {
    FILE *file; /* NULL: no memory */
    char *data;
    size_t size;
} text;

static void text_begin(text *t) {
    *t = (text){.file = NULL};
    t->file = open_memstream(&t->data, &t->size);
}

/* The string in memory of the context's. */
static ksda_status text_finish(ksda_ctx *ctx, text *t, char **out) {
    bool whole = t->file && !ferror(t->file);
    if (t->file && fclose(t->file) != 0) whole = false;
    *out = whole ? ksda_i_malloc(ctx, t->size + 1, 1) : NULL;
    if (*out) memcpy(*out, t->data, t->size), (*out)[t->size] = '\0';
    free(t->data);
    return *out ? KSDA_OK : ksda_i_error(ctx, KSDA_NOMEM, "out of memory for a report");
}

/* --- pages -------------------------------------------------------------------------------------------------------- */

/* What was written to memory, as a string; status: of the writing. */
static ksda_status output_string(ksda_i_output *output, ksda_status status, char **out) {
    size_t size;
    if (status < 0) {
        ksda_i_output_abandon(output);
        return status;
    }
    ksda_i_output_write(output, "", 1); /* the end of the string */
    return ksda_i_output_take(output, out, &size);
}

static ksda_status page_string(ksda_ctx *ctx, const ksda_i_html *page, char **out) {
    ksda_i_output *output;
    ksda_status status = ksda_i_output_memory(ctx, &output);
    return status < 0 ? status : output_string(output, ksda_i_html_write(ctx, page, output), out);
}

static const char *name_of(const ksda_report_options *o) {
    return o->network ? o->network : "the network";
}

/* What attackers learn, as a field of another report; null where nobody asked. */
static void attackers_json(const ksda_report_options *o, json_t *object) {
    json_t *attackers = o->attack ? json_object() : json_null();
    if (o->attack) ksda_i_attacks_json(o->attack, attackers);
    ksda_i_json_set(object, "attackers", attackers);
}

/* --- one by one --------------------------------------------------------------------------------------------------- */

static ksda_status publication_page(ksda_ctx *ctx, const ksda_publication *p, const ksda_report_options *o,
                                    const ksda_i_summary *s, const ksda_i_record *record, char **out) {
    ksda_diversity before = KSDA_INIT(ksda_diversity), after = KSDA_INIT(ksda_diversity);
    ksda_i_html page = {.network = name_of(o),
                        .k = p->k,
                        .original = p->original,
                        .communities = p->communities,
                        .before = o->before ? o->before : &before,
                        .summary = s,
                        .release = &p->release,
                        .after = o->after ? o->after : &after,
                        .comparison = o->comparison,
                        .frontier = o->frontier,
                        .attack = o->attack,
                        .record = record,
                        .public_page = o->public_page,
                        .public_communities = o->public_communities};
    ksda_status status = KSDA_OK;
    if (!o->before)
        KSDA_I_TRY(ksda_diversity_check_share(ctx, p->original, p->communities, p->k, &p->max_share, &before));
    if (!o->after)
        KSDA_I_TRY(
            ksda_diversity_check_share(ctx, p->release.graph, p->release.communities, p->k, &p->max_share, &after));
    KSDA_I_TRY(page_string(ctx, &page, out));
done:
    ksda_diversity_clear(ctx, &before);
    ksda_diversity_clear(ctx, &after);
    return status;
}

static ksda_status publication_text(ksda_ctx *ctx, const ksda_report_options *o, const ksda_i_summary *s, char **out) {
    text t;
    text_begin(&t);
    if (!t.file) return text_finish(ctx, &t, out);
    ksda_i_summary_text(s, t.file);
    if (o->before && o->after) fputc('\n', t.file), ksda_i_attack_text(o->before, o->after, o->utf8, t.file);
    if (o->attack) fputc('\n', t.file), ksda_i_attacks_text(o->attack, t.file);
    if (o->comparison) fputc('\n', t.file), ksda_i_comparison_short(o->comparison, o->utf8, t.file);
    return text_finish(ctx, &t, out);
}

ksda_status ksda_report_publication(ksda_ctx *ctx, const ksda_publication *publication,
                                    const ksda_report_options *options, char **out) {
    return ksda_i_report_release(ctx, publication, options, NULL, out);
}

ksda_status ksda_i_report_release(ksda_ctx *ctx, const ksda_publication *publication,
                                  const ksda_report_options *options, const ksda_i_record *record, char **out) {
    ksda_report_options o;
    ksda_status status = begin_report(ctx, options, &o, out);
    if (status < 0) return status;
    ksda_i_summary s = ksda_i_summary_of(publication, &o);
    if (o.rendering == KSDA_RENDERING_HTML) return publication_page(ctx, publication, &o, &s, record, out);
    if (o.rendering == KSDA_RENDERING_TEXT) return publication_text(ctx, &o, &s, out);
    json_t *object = ksda_i_json_begin();
    if (o.frontier) ksda_i_frontier_json(o.frontier, object);
    ksda_i_summary_json(&s, object);
    if (o.attack) attackers_json(&o, object);
    return ksda_i_json_finish(ctx, object, out);
}

ksda_status ksda_report_diversity(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                  const ksda_diversity *diversity, const ksda_report_options *options, char **out) {
    ksda_report_options o;
    text t;
    ksda_status status = begin_report(ctx, options, &o, out);
    if (status < 0) return status;
    if (o.rendering == KSDA_RENDERING_HTML) {
        ksda_i_html page = {.network = name_of(&o),
                            .k = o.no_verdict ? 0 : diversity->k,
                            .original = graph,
                            .communities = communities,
                            .before = diversity,
                            .attack = o.attack,
                            .vocabulary = o.vocabulary};
        return page_string(ctx, &page, out);
    }
    if (o.rendering == KSDA_RENDERING_JSON) {
        json_t *object = ksda_i_json_begin();
        ksda_i_diversity_json(diversity, communities, !o.no_verdict, o.top, object);
        ksda_i_vocabulary_json(diversity, object);
        attackers_json(&o, object);
        return ksda_i_json_finish(ctx, object, out);
    }
    text_begin(&t);
    if (t.file) ksda_i_diversity_text(diversity, communities, !o.no_verdict, o.top, o.utf8, t.file);
    if (t.file && o.vocabulary) fputc('\n', t.file), ksda_i_vocabulary_text(diversity, t.file);
    if (t.file && o.attack) fputc('\n', t.file), ksda_i_attacks_text(o.attack, t.file);
    return text_finish(ctx, &t, out);
}

ksda_status ksda_report_people(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               const ksda_diversity *diversity, char **out) {
    ksda_i_output *output;
    *out = NULL;
    ksda_status status = ksda_i_output_memory(ctx, &output);
    if (status < 0) return status;
    return output_string(output, ksda_i_people_csv(ctx, graph, communities, diversity, output), out);
}

ksda_status ksda_report_verification(ksda_ctx *ctx, const ksda_verification *verification, uint32_t k,
                                     const ksda_report_options *options, char **out) {
    ksda_report_options o;
    text t;
    ksda_status status = begin_report(ctx, options, &o, out);
    if (status < 0) return status;
    if (o.rendering == KSDA_RENDERING_HTML) return no_page(ctx, "a verification");
    if (o.rendering == KSDA_RENDERING_JSON) {
        json_t *object = ksda_i_json_begin();
        ksda_i_verification_json(verification, k, object);
        return ksda_i_json_finish(ctx, object, out);
    }
    text_begin(&t);
    if (t.file) ksda_i_verification_text(verification, k, t.file);
    return text_finish(ctx, &t, out);
}

ksda_status ksda_report_measures(ksda_ctx *ctx, const ksda_measures *measures, const ksda_report_options *options,
                                 char **out) {
    ksda_report_options o;
    text t;
    ksda_status status = begin_report(ctx, options, &o, out);
    if (status < 0) return status;
    if (o.rendering == KSDA_RENDERING_HTML) return no_page(ctx, "a list of measures");
    if (o.rendering == KSDA_RENDERING_JSON) {
        json_t *object = ksda_i_json_begin();
        ksda_i_measures_json(measures, o.distributions, object);
        return ksda_i_json_finish(ctx, object, out);
    }
    text_begin(&t);
    if (t.file) ksda_i_measures_text(measures, o.distributions, t.file);
    return text_finish(ctx, &t, out);
}

ksda_status ksda_report_comparison(ksda_ctx *ctx, const ksda_comparison *comparison, const ksda_report_options *options,
                                   char **out) {
    ksda_report_options o;
    text t;
    ksda_status status = begin_report(ctx, options, &o, out);
    if (status < 0) return status;
    if (o.rendering == KSDA_RENDERING_HTML) return no_page(ctx, "a comparison");
    if (o.rendering == KSDA_RENDERING_JSON) {
        json_t *object = ksda_i_json_begin();
        ksda_i_comparison_json(comparison, object);
        attackers_json(&o, object);
        return ksda_i_json_finish(ctx, object, out);
    }
    text_begin(&t);
    if (t.file) ksda_i_comparison_text(comparison, o.utf8, t.file);
    if (t.file && o.attack) fputc('\n', t.file), ksda_i_attacks_text(o.attack, t.file);
    return text_finish(ctx, &t, out);
}

static ksda_status attack_page(ksda_ctx *ctx, const ksda_attack_result *result, const ksda_report_options *o,
                               char **out) {
    ksda_i_output *output;
    size_t size;
    ksda_status status = ksda_i_output_memory(ctx, &output);
    if (status < 0) return status;
    ksda_i_page_begin(output, "What attackers learn", name_of(o), 0);
    ksda_i_attacks_html(result, output);
    ksda_i_page_end(output, result->overlap);
    ksda_i_output_write(output, "", 1); /* the end of the string */
    return ksda_i_output_take(output, out, &size);
}

ksda_status ksda_report_attack(ksda_ctx *ctx, const ksda_attack_result *result, const ksda_report_options *options,
                               char **out) {
    ksda_report_options o;
    text t;
    ksda_status status = begin_report(ctx, options, &o, out);
    if (status < 0) return status;
    if (o.rendering == KSDA_RENDERING_HTML) return attack_page(ctx, result, &o, out);
    if (o.rendering == KSDA_RENDERING_JSON) {
        json_t *object = ksda_i_json_begin();
        ksda_i_attacks_json(result, object);
        return ksda_i_json_finish(ctx, object, out);
    }
    text_begin(&t);
    if (t.file) ksda_i_attacks_text(result, t.file);
    return text_finish(ctx, &t, out);
}

ksda_status ksda_report_network(ksda_ctx *ctx, const ksda_network *network, const ksda_report_options *options,
                                char **out) {
    ksda_report_options o;
    ksda_i_stats stats;
    text t;
    ksda_status status = begin_report(ctx, options, &o, out);
    if (status >= 0 && o.rendering == KSDA_RENDERING_HTML) status = no_page(ctx, "a network");
    if (status >= 0) status = ksda_i_stats_count(ctx, network, &stats);
    if (status < 0) return status;
    if (o.rendering == KSDA_RENDERING_JSON) {
        json_t *object = ksda_i_json_begin();
        ksda_i_stats_json(&stats, object);
        return ksda_i_json_finish(ctx, object, out);
    }
    text_begin(&t);
    if (t.file) ksda_i_stats_text(&stats, t.file);
    return text_finish(ctx, &t, out);
}

static ksda_status frontier_page(ksda_ctx *ctx, const ksda_frontier_study *f, const ksda_report_options *o,
                                 char **out) {
    ksda_diversity before = KSDA_INIT(ksda_diversity);
    ksda_i_html page = {.network = name_of(o),
                        .k = f->found.k,
                        .original = f->graph,
                        .communities = f->communities,
                        .before = &before,
                        .frontier = f};
    ksda_status status =
        ksda_diversity_check_share(ctx, f->graph, f->communities, f->found.k, &f->found.max_share, &before);
    if (status >= 0) status = page_string(ctx, &page, out);
    ksda_diversity_clear(ctx, &before);
    return status;
}

ksda_status ksda_report_frontier(ksda_ctx *ctx, const ksda_frontier_study *study, const ksda_report_options *options,
                                 char **out) {
    ksda_report_options o;
    text t;
    ksda_status status = begin_report(ctx, options, &o, out);
    if (status < 0) return status;
    if (o.rendering == KSDA_RENDERING_HTML) return frontier_page(ctx, study, &o, out);
    if (o.rendering == KSDA_RENDERING_TEXT) {
        text_begin(&t);
        if (t.file) ksda_i_frontier_text(study, t.file);
        return text_finish(ctx, &t, out);
    }
    json_t *object = ksda_i_json_begin();
    ksda_i_json_text(object, "method", "level-plan");
    ksda_i_json_count(object, "k", study->found.k);
    ksda_i_json_share(object, "max_share", study->found.max_share);
    ksda_i_json_count(object, "seed", ksda_ctx_seed(ctx));
    ksda_i_json_count(object, "vertices", ksda_graph_vertices(study->graph));
    ksda_i_json_count(object, "edges", ksda_graph_edges(study->graph));
    ksda_i_json_count(object, "communities", ksda_communities_count(study->communities));
    ksda_i_json_text(object, "detected", o.detected);
    ksda_i_json_bool(object, "limited", study->found.limited);
    ksda_i_frontier_json(study, object);
    ksda_i_json_count(object, "peak_rss_bytes", ksda_i_peak_memory());
    ksda_i_json_text(object, "version", ksda_version());
    return ksda_i_json_finish(ctx, object, out);
}
