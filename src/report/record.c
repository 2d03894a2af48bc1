/* The record of a release: the part of the report that is kept for auditors. Everything stands in tables and
 * plain sentences: it is printed, filed and compared by hand. */
#include "report/record.h"

#include "report/page.h"

#include <inttypes.h>

static void put_html(ksda_i_output *out, const char *text) {
    ksda_i_output_text(out, text);
}

static void row_begin(ksda_i_output *out, const char *name) {
    ksda_i_output_format(out, "<tr><th scope=\"row\">%s</th><td>", name);
}

static void row_end(ksda_i_output *out) {
    put_html(out, "</td></tr>\n");
}

static void record_row(ksda_i_output *out, const char *name, const char *text) {
    row_begin(out, name);
    ksda_i_page_text(out, text);
    row_end(out);
}

/* "1 edge", "2 edges" */
static void put_count(ksda_i_output *out, uint64_t number, const char *one, const char *many) {
    char text[32];
    ksda_i_output_format(out, "%s %s", ksda_grouped(number, text), number == 1 ? one : many);
}

/* --- what was done ------------------------------------------------------------------------------------------------ */

/* A word of the command line so that a shell reads it as that word. */
static void put_word(ksda_i_output *out, const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (*text && text[strspn(text, plain)] == '\0') {
        put_html(out, text);
        return;
    }
    put_html(out, "&#39;");
    for (; *text; text++) {
        char one[2] = {*text, '\0'};
        if (*text == '\'')
            put_html(out, "&#39;\\&#39;&#39;");
        else
            ksda_i_page_text(out, one);
    }
    put_html(out, "&#39;");
}

static void command(ksda_i_output *out, const ksda_i_record *r) {
    row_begin(out, "Command");
    put_html(out, "<code>ksda");
    for (int i = 1; i < r->argc; i++) put_html(out, " "), put_word(out, r->argv[i]);
    put_html(out, "</code>");
    row_end(out);
}

static void program(ksda_i_output *out, const ksda_i_record *r) {
    row_begin(out, "Program");
    ksda_i_output_format(out, "ksda %s%s%s", ksda_version(), r->commit ? ", commit " : ", commit not known",
                         r->commit ? r->commit : "");
    row_end(out);
}

static void asked_rows(ksda_i_output *out, const ksda_i_record *r) {
    char share[KSDA_I_SHARE];
    row_begin(out, "Asked for");
    ksda_i_output_format(out, "k = %u", r->k);
    if (r->max_share.denominator)
        ksda_i_output_format(out, ", no community above %s of a degree", ksda_i_share_text(r->max_share, share));
    row_end(out);
}

static void method(ksda_i_output *out, const ksda_i_record *r, const ksda_i_summary *s) {
    char weight[32];
    record_row(out, "Method", s->method);
    record_row(out, "Split weight", ksda_i_amount(s->result.split_weight, weight));
    row_begin(out, "Seed");
    ksda_i_output_format(out, "%" PRIu64 " (of the method; ", s->seed);
    put_html(out, r->insecure_ids
                      ? "<strong>the published ids were drawn from it as well: they are not secret</strong>)"
                      : "the published ids come from the operating system and cannot be drawn again)");
    row_end(out);
    record_row(out, "Communities", s->detected ? s->detected : "given");
}

static void cleaned(ksda_i_output *out, const ksda_i_record *r) {
    const ksda_cleaning *c = ksda_graph_cleaning(r->original);
    size_t i;
    json_t *entry;
    row_begin(out, "Cleaned");
    if (c->self_loops + c->duplicate_edges == 0) put_html(out, "no edge was removed");
    if (c->self_loops) put_count(out, c->self_loops, "self-loop removed", "self-loops removed");
    if (c->self_loops && c->duplicate_edges) put_html(out, ", ");
    if (c->duplicate_edges)
        put_count(out, c->duplicate_edges, "repeated or reversed edge removed", "repeated or reversed edges removed");
    row_end(out);
    json_array_foreach(r->reading, i, entry) {
        const char *note = json_string_value(json_object_get(entry, "note"));
        const char *file = json_string_value(json_object_get(entry, "file"));
        if (!note || !*note) continue;
        row_begin(out, "Read as");
        ksda_i_page_text(out, file ? file : "");
        put_html(out, ": "), ksda_i_page_text(out, note);
        row_end(out);
    }
}

static void without_community(ksda_i_output *out, const ksda_i_record *r) {
    const char *how = json_string_value(json_object_get(r->unassigned, "how"));
    json_int_t people = json_integer_value(json_object_get(r->unassigned, "vertices"));
    row_begin(out, "Without a community");
    if (people == 0)
        put_html(out, "nobody");
    else
        put_count(out, (uint64_t)people, "person", "people"), put_html(out, ", --unassigned "),
            ksda_i_page_text(out, how ? how : "");
    row_end(out);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static const char *what_is(const char *role) {
    static const char *const known[][2] = {{"GRAPH", "the network"},
                                           {"ORIGINAL", "the network as it was"},
                                           {"PUBLISHED", "the published network"},
                                           {"--communities", "who is in which community"},
                                           {"--output", "the published network"},
                                           {"--publish-communities", "the communities of the published vertices"},
                                           {"--map", "who is who"},
                                           {"--summary", "what was done, for programs"},
                                           {"--trace", "every step of the method"},
                                           {"--witnesses", "the witnesses of every degree"},
                                           {"--list-unassigned", "who has no community"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i][0], role) == 0) return known[i][1];
    return role;
}

static void file_table(ksda_i_output *out, const ksda_i_record *r, bool public_page) {
    put_html(out, "<div class=\"scroll\"><table class=\"record\"><caption>Files, by what is in them: ");
    put_html(out, public_page ? "whoever has a file with the same SHA-256 has what was published"
                              : "publish those marked so, keep the others private");
    put_html(out, "</caption><thead><tr><th scope=\"col\">file</th>");
    put_html(out, public_page ? "" : "<th scope=\"col\">do</th>");
    put_html(out, "<th scope=\"col\">SHA-256</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->files; i++) {
        const ksda_i_record_file *f = &r->file[i];
        if (public_page && !f->published) continue;
        put_html(out, "<tr><th scope=\"row\">");
        if (!public_page) ksda_i_page_text(out, strcmp(f->path, "-") ? f->path : f->written ? "stdout" : "stdin");
        ksda_i_output_format(out, public_page ? "%s</th>" : "<br/><small>%s</small></th>", what_is(f->role));
        if (!public_page) put_html(out, f->published ? "<td>publish</td>" : "<td>keep private</td>");
        ksda_i_output_format(out, "<td><code>%s</code></td></tr>\n",
                             f->sha256[0] ? f->sha256 : "not a file that stays");
    }
    put_html(out, "</tbody></table></div>\n");
    if (!public_page)
        put_html(out,
                 "<p>This report is private as well; it cannot name its own hash. <code>sha256sum FILE</code> gives "
                 "the same digits as long as a file is what it was.</p>\n");
}

/* --- what holds --------------------------------------------------------------------------------------------------- */

/* Every sentence is of the recount; a public page does not tell how much was changed. */
static void guarantee(ksda_i_output *out, const ksda_i_record *r, bool public_page) {
    const ksda_verification *v = &r->recount;
    bool holds = v->satisfied && v->valid;
    char share[KSDA_I_SHARE];
    put_html(out, "<h3>What holds</h3>\n");
    ksda_i_output_format(out, "<p class=\"verdict%s\"><strong>%s</strong> ", holds && r->k > 1 ? "" : " no",
                         holds ? "It holds." : "It does not hold.");
    put_html(out,
             r->read_back ? "Recounted from the published network as it stands in its file, read back: "
             : r->no_time
                 ? "Recounted from what was about to be written, since the time limit left no time to read it back: "
                 : "Recounted from what was about to be written, since the output is no file that can be read back: ");
    put_html(out, v->satisfied ? "every degree" : "not every degree");
    ksda_i_output_format(out,
                         r->overlap ? " that occurs has %u witnesses, in sets of communities of which no two meet"
                                    : " that occurs, occurs in at least %u %s",
                         r->k, ksda_i_word(r->k, "communities"));
    if (r->max_share.denominator)
        ksda_i_output_format(out,
                             v->satisfied ? ", and no community has more than %s of a degree"
                                          : " with no community above %s of a degree",
                             ksda_i_share_text(r->max_share, share));
    const char *where = r->overlap ? "between people who have a community in common" : "inside communities";
    ksda_i_output_format(out,
                         v->valid ? "; edges were only added, and only %s, and no original edge is lost"
                                  : "; the changes are not only added edges %s and splits",
                         where);
    put_html(out, ".");
    if (v->error[0] && !public_page)
        put_html(out, " First fault: "), ksda_i_page_text(out, v->error), put_html(out, ".");
    if (r->k == 1) put_html(out, " " KSDA_TRIVIAL_K ".");
    put_html(out, "</p>\n");
    if (public_page || !v->valid) return;
    put_html(out, "<p>Recounted changes: ");
    put_count(out, v->added_edges, "edge added, ", "edges added, ");
    put_count(out, v->split_vertices, "person split, ", "people split, ");
    put_count(out, v->added_vertices, "vertex more.</p>\n", "vertices more.</p>\n");
}

static void certificate(ksda_i_output *out, const ksda_i_summary *s) {
    char proved[KSDA_I_PROVED];
    put_html(out, "<p>Proved about the cost: ");
    put_html(out, *ksda_i_proved(&s->result, proved) ? proved : "nothing");
    put_html(out, s->limited ? "; the search was stopped at a limit.</p>\n" : ".</p>\n");
}

static void limits(ksda_i_output *out, const ksda_i_record *r) {
    put_html(out,
             "<h3>What it does not say</h3>\n<ul>\n<li>It protects a person&#39;s community from somebody who knows "
             "how many contacts the person has. Somebody who knows more, such as who is connected to whom, can learn "
             "more.</li>\n");
    if (!r->max_share.denominator)
        put_html(
            out,
            r->overlap
                ? "<li>It counts witnesses, not people: a guess can be right more often than 1 time in k "
                  "where most people of a degree have one community in their sets. A share bound limits "
                  "that; none was asked for.</li>\n"
                : "<li>It counts communities, not people: a guess can be right more often than 1 time in k where most "
                  "people of a degree are in one community. A share bound limits that; none was asked for.</li>\n");
    put_html(out,
             "<li>It is about the communities that were given or found. Those that an attacker has in mind may be "
             "others.</li>\n<li>It is about this release alone. Another release of the same network, or other data "
             "about the same people, can be put beside it.</li>\n<li>It is one safeguard, and not by itself anonymity "
             "in the sense of the law: whether people can be identified depends on everything else that is known "
             "about them, on who receives the data and on what is agreed with them.</li>\n</ul>\n");
}

static void definition(ksda_i_output *out, const ksda_measure_row *m) {
    ksda_i_output_format(out, "<dt>%s</dt><dd>%s</dd>\n", m->label, m->definition);
}

static void definitions(ksda_i_output *out, const ksda_comparison *c) {
    put_html(out, "<h3>What the measures are</h3>\n<dl class=\"terms\">\n");
    for (uint32_t i = 0; i < c->original->values; i++)
        if (c->original->value[i].measured && c->published->value[i].measured)
            definition(out, ksda_measure_info((ksda_measure_id)i));
    for (uint32_t i = 0; i < c->differences; i++)
        if (c->difference[i].measured) definition(out, ksda_difference_info((ksda_difference_id)i));
    put_html(out, "</dl>\n");
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

void ksda_i_record_html(const ksda_i_record *r, const ksda_i_summary *s, const ksda_comparison *c, bool public_page,
                        ksda_i_output *out) {
    put_html(out, "<h2 id=\"record\">Record</h2>\n<table class=\"record\"><tbody>\n");
    record_row(out, "Date", r->when);
    program(out, r);
    if (!public_page) command(out, r);
    asked_rows(out, r);
    if (s && !public_page) method(out, r, s);
    if (!public_page) cleaned(out, r), without_community(out, r);
    put_html(out, "</tbody></table>\n");
    file_table(out, r, public_page);
    guarantee(out, r, public_page);
    if (s && !public_page) certificate(out, s);
    limits(out, r);
    if (c && !public_page) definitions(out, c);
}

ksda_status ksda_i_record_page(ksda_ctx *ctx, const ksda_i_record *r, const char *network, char **page) {
    ksda_i_output *out;
    size_t size;
    *page = NULL;
    ksda_status status = ksda_i_output_memory(ctx, &out);
    if (status < 0) return status;
    ksda_i_page_begin(out, "Verification", network, 0);
    ksda_i_record_html(r, NULL, NULL, false, out);
    ksda_i_page_end(out, r->overlap);
    ksda_i_output_write(out, "", 1); /* the end of the string */
    return ksda_i_output_take(out, page, &size);
}
