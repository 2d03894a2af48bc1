/* Who is exposed, and how well would the attack do: `ksda check`. */
#include "privacy/diversity.h"
#include "report/bars.h"
#include "report/report.h"

#include <math.h>

ksda_i_attack ksda_i_attack_on(const ksda_diversity *d, uint32_t least, uint32_t most) {
    ksda_i_attack a = {.expected_success = NAN, .largest_posterior = NAN, .entropy = NAN};
    double right = 0, bits = 0, largest = 0;
    for (uint32_t i = 0; i < d->groups; i++) {
        const ksda_degree_group *g = &d->group[i];
        if (g->communities < least || g->communities > most) continue;
        a.vertices += g->vertices;
        right += g->likeliest_vertices;
        bits += g->entropy * g->vertices;
        largest = fmax(largest, (double)g->likeliest_vertices / g->vertices);
    }
    if (a.vertices == 0) return a;
    a.expected_success = right / (double)a.vertices;
    a.entropy = bits / (double)a.vertices;
    a.largest_posterior = largest;
    return a;
}

static json_t *attack_json(const ksda_i_attack *a) {
    json_t *object = json_object();
    ksda_i_json_count(object, "vertices", a->vertices);
    ksda_i_json_real(object, "expected_success", a->expected_success);
    ksda_i_json_real(object, "largest_posterior", a->largest_posterior);
    ksda_i_json_real(object, "entropy", a->entropy);
    return object;
}

static json_t *groups_json(const ksda_diversity *d, const ksda_communities *c, uint64_t top) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < d->groups && i < top; i++) {
        const ksda_degree_group *g = &d->group[i];
        json_t *row = json_object();
        char name[256];
        ksda_communities_set_name(c, g->likeliest, name, sizeof name);
        ksda_i_json_count(row, "degree", g->degree);
        ksda_i_json_count(row, "vertices", g->vertices);
        ksda_i_json_count(row, "communities", g->communities);
        ksda_i_json_text(row, "likeliest", name);
        ksda_i_json_real(row, "posterior", (double)g->likeliest_vertices / g->vertices);
        ksda_i_json_real(row, "entropy", g->entropy);
        if (d->overlap) ksda_i_json_count(row, "most", d->group_most[i]);
        ksda_i_json_append(list, row);
    }
    return list;
}

const char *ksda_unassigned_text(const ksda_communities *c) {
    bool counted = c->counted == c->count, own = c->count - c->unknown > 1 || ksda_i_unassigned(c) == 1;
    if (own)
        return counted ? "each is in a community of its own, which counts towards k"
                       : "each is in a community of its own, which does not count towards k";
    return counted ? "they form one further community, which counts towards k"
                   : "they form one further community, which does not count towards k";
}

static void share_json(const ksda_diversity *d, const ksda_communities *c, json_t *object) {
    json_t *least = json_object();
    char name[256];
    ksda_i_json_share(object, "max_share", d->max_share);
    if (d->max_share.denominator)
        ksda_i_json_bool(object, "share_satisfied", d->share_satisfied);
    else
        ksda_i_json_set(object, "share_satisfied", json_null());
    ksda_i_json_count(object, "above_vertices", d->above_vertices);
    ksda_i_json_count(object, "above_degrees", d->above_degrees);
    ksda_i_json_real(least, "value", (double)d->least_share.numerator / d->least_share.denominator);
    ksda_i_json_count(least, "numerator", d->least_share.numerator);
    ksda_i_json_count(least, "denominator", d->least_share.denominator);
    if (d->least_share.denominator) {
        ksda_communities_set_name(c, d->worst_community, name, sizeof name);
        ksda_i_json_count(least, "degree", d->worst_degree);
        ksda_i_json_text(least, "community", name);
    } else {
        ksda_i_json_set(least, "degree", json_null());
        ksda_i_json_set(least, "community", json_null());
    }
    ksda_i_json_set(object, "least_share", least);
}

void ksda_i_diversity_json(const ksda_diversity *d, const ksda_communities *c, int k_given, uint64_t top,
                           json_t *object) {
    json_t *attack = json_object();
    ksda_i_attack safe = ksda_i_attack_on(d, d->k, UINT32_MAX), exposed = ksda_i_attack_on(d, 0, d->k - 1);
    if (k_given) {
        ksda_i_json_bool(object, "satisfied", d->satisfied);
        ksda_i_json_count(object, "k", d->k);
    } else {
        ksda_i_json_set(object, "satisfied", json_null());
        ksda_i_json_set(object, "k", json_null());
    }
    ksda_i_json_bool(object, "trivial_k", k_given && d->k == 1);
    ksda_i_json_count(object, "vertices", d->vertices);
    ksda_i_json_count(object, "communities", d->communities);
    ksda_i_json_count(object, "violating_vertices", d->violating_vertices);
    ksda_i_json_real(object, "violating_share", d->vertices ? (double)d->violating_vertices / d->vertices : 0);
    ksda_i_json_count(object, "largest_k", d->largest_k);
    ksda_i_json_text(object, "overlap", d->overlap ? ksda_overlap_name(KSDA_OVERLAP_DISJOINT) : NULL);
    ksda_i_json_count(object, "undecided_vertices", d->undecided_vertices);
    share_json(d, c, object);
    ksda_i_json_real(attack, "expected_success", d->expected_success);
    ksda_i_json_real(attack, "largest_posterior", d->largest_posterior);
    ksda_i_json_real(attack, "entropy", d->entropy);
    ksda_i_json_real(attack, "baseline_success", d->baseline_success);
    ksda_i_json_real(attack, "baseline_entropy", d->baseline_entropy);
    ksda_i_json_set(attack, "protected", attack_json(&safe));
    ksda_i_json_set(attack, "exposed", attack_json(&exposed));
    ksda_i_json_set(object, "attack", attack);
    ksda_i_json_count(object, "degrees", d->groups);
    ksda_i_json_set(object, "groups", groups_json(d, c, top));
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* The same where people have several communities. */
static void disjoint_verdict(const ksda_diversity *d, FILE *out) {
    char a[32], b[32];
    if (d->violating_vertices == 0)
        fprintf(out, "YES: every degree has at least %u vertices in pairwise disjoint sets of communities.\n", d->k);
    else
        fprintf(out,
                "NO: %s of %s vertices (%.2f %%) %s a degree without %u vertices in pairwise disjoint sets of "
                "communities.\n",
                ksda_grouped(d->violating_vertices, a), ksda_grouped(d->vertices, b),
                100.0 * d->violating_vertices / d->vertices, ksda_i_word(d->violating_vertices, "have"), d->k);
    if (d->undecided_vertices)
        fprintf(out, "Of these, %s %s a degree for which it could not be decided: the search was cut short.\n",
                ksda_grouped(d->undecided_vertices, a), ksda_i_word(d->undecided_vertices, "have"));
}

static void verdict(const ksda_diversity *d, const ksda_communities *c, FILE *out) {
    char a[32], b[32];
    if (d->overlap && d->k > 1)
        disjoint_verdict(d, out);
    else if (d->k == 1)
        fputs("No protection was asked for: " KSDA_TRIVIAL_K ".\n", out);
    else if (d->violating_vertices == 0)
        fprintf(out, "YES, %u-structurally diverse: every degree occurs in at least %u of the %u communities.\n", d->k,
                d->k, c->counted);
    else
        fprintf(
            out,
            "NO, not %u-structurally diverse: %s of %s vertices (%.2f %%) %s a degree in fewer than %u communities.\n",
            d->k, ksda_grouped(d->violating_vertices, a), ksda_grouped(d->vertices, b),
            100.0 * d->violating_vertices / d->vertices, ksda_i_word(d->violating_vertices, "have"), d->k);
}

static void share_verdict(const ksda_diversity *d, const ksda_communities *c, FILE *out) {
    char a[32], b[32], most[KSDA_I_SHARE], name[64];
    ksda_i_share_text(d->max_share, most);
    ksda_communities_set_name(c, d->worst_community, name, sizeof name);
    if (d->share_satisfied)
        fprintf(out, "YES, within the largest share %s: ", most);
    else
        fprintf(
            out,
            "NO, above the largest share %s: %s of %s vertices (%.2f %%) %s a degree where one community has more; ",
            most, ksda_grouped(d->above_vertices, a), ksda_grouped(d->vertices, b),
            100.0 * d->above_vertices / d->vertices, ksda_i_word(d->above_vertices, "have"));
    if (d->least_share.denominator)
        fprintf(out, "the least that holds is %s of %s, by degree %u and community %s.\n",
                ksda_grouped(d->least_share.numerator, a), ksda_grouped(d->least_share.denominator, b), d->worst_degree,
                name);
    else
        fputs("nobody's community is known.\n", out);
}

static bool listed(const ksda_diversity *d, uint32_t i, bool exposed_only) {
    const ksda_share *share = &d->group_share[i];
    return !exposed_only || d->group[i].communities < d->k ||
           (d->max_share.denominator && (uint64_t)share->numerator * d->max_share.denominator >
                                            (uint64_t)share->denominator * d->max_share.numerator);
}

static void degree_table(const ksda_diversity *d, const ksda_communities *c, bool exposed_only, uint64_t top,
                         FILE *out) {
    uint64_t count = 0, shown = 0;
    for (uint32_t i = 0; i < d->groups; i++) count += listed(d, i, exposed_only);
    if (count == 0 || top == 0) return;
    fprintf(out, "\n%s (largest first", exposed_only ? "Degrees that give too much away" : "Degrees");
    if (count > top) fprintf(out, ", %llu of %llu", (unsigned long long)top, (unsigned long long)count);
    fprintf(out, "):\n%10s %10s %12s   %s\n", "degree", "vertices", d->overlap ? "witnesses" : "communities",
            "best guess");
    for (uint32_t i = 0; i < d->groups && shown < top; i++) {
        const ksda_degree_group *g = &d->group[i];
        char name[64];
        if (!listed(d, i, exposed_only)) continue;
        ksda_communities_set_name(c, g->likeliest, name, sizeof name);
        fprintf(out, "%10u %10u %12u   community %s, right %.1f %% of the time\n", g->degree, g->vertices,
                g->communities, name, 100.0 * g->likeliest_vertices / g->vertices);
        shown++;
    }
}

static void attack_row(const char *who, const ksda_i_attack *a, int utf8, FILE *out) {
    char n[32], bar[KSDA_I_BAR_BYTES];
    if (a->vertices == 0) return;
    fprintf(out, "  %-34s %11s %8.1f %%  %s %9.1f %% %10.2f\n", who, ksda_grouped(a->vertices, n),
            100 * a->expected_success, ksda_i_bar(a->expected_success, utf8, 1, bar), 100 * a->largest_posterior,
            a->entropy);
}

static void attack_table(const ksda_diversity *d, int k_given, int utf8, FILE *out) {
    ksda_i_attack all = ksda_i_attack_on(d, 0, UINT32_MAX), safe = ksda_i_attack_on(d, d->k, UINT32_MAX),
                  exposed = ksda_i_attack_on(d, 0, d->k - 1);
    ksda_i_attack blind = {d->vertices, d->baseline_success, d->baseline_success, d->baseline_entropy};
    char text[64];
    fputs("\nThe attack: guess somebody's community from the degree, always the likeliest one.\n", out);
    fprintf(out, "  %-34s %11s %10s  %*s %11s %10s\n", "", "vertices", "right", KSDA_I_BAR_WIDTH, "", "surest",
            "bits left");
    attack_row("everybody", &all, utf8, out);
    if (k_given) {
        snprintf(text, sizeof text,
                 d->overlap ? "degree with %u or more witnesses" : "degree in %u or more communities", d->k);
        attack_row(text, &safe, utf8, out);
        snprintf(text, sizeof text, d->overlap ? "degree with fewer than %u" : "degree in fewer than %u", d->k);
        attack_row(text, &exposed, utf8, out);
    }
    attack_row("for comparison: degree not known", &blind, utf8, out);
}

void ksda_i_attack_text(const ksda_diversity *before, const ksda_diversity *after, int utf8, FILE *out) {
    char a[KSDA_I_BAR_BYTES], b[KSDA_I_BAR_BYTES];
    fputs("The attack: guess somebody's community from the degree, always the likeliest one.\n", out);
    fprintf(out, "  %-10s right %5.1f %%  %s   the surest guess %5.1f %%\n", "original", 100 * before->expected_success,
            ksda_i_bar(before->expected_success, utf8, 1, a), 100 * before->largest_posterior);
    fprintf(out, "  %-10s right %5.1f %%  %s   the surest guess %5.1f %%\n", "published", 100 * after->expected_success,
            ksda_i_bar(after->expected_success, utf8, 1, b), 100 * after->largest_posterior);
}

void ksda_i_diversity_text(const ksda_diversity *d, const ksda_communities *c, int k_given, uint64_t top, int utf8,
                           FILE *out) {
    char a[32];
    if (d->vertices == 0) {
        fputs("The network has no vertices.\n", out);
        return;
    }
    if (k_given) verdict(d, c, out);
    if (d->max_share.denominator) share_verdict(d, c, out);
    fprintf(out, "%s %s, %u %s", ksda_grouped(d->vertices, a), ksda_i_word(d->vertices, "vertices"), ksda_i_most_k(c),
            ksda_i_word(ksda_i_most_k(c), "communities"));
    if (c->counted < c->count)
        fprintf(out, " that count (%s vert%s without one)", ksda_grouped(ksda_i_unassigned(c), a),
                ksda_i_unassigned(c) == 1 ? "ex" : "ices");
    fprintf(out, ", %u different %s; the largest k that holds is %u.\n", d->groups, ksda_i_word(d->groups, "degrees"),
            d->largest_k);
    degree_table(d, c, k_given ? !d->satisfied : !d->share_satisfied, top, out);
    attack_table(d, k_given, utf8, out);
    if (k_given && d->satisfied && !d->max_share.denominator && d->k > 1 && d->largest_posterior > 1.0 / d->k)
        fprintf(out, "\nDiversity counts %s, not people: a guess can still be right more often than 1 time in %u.\n",
                d->overlap ? "disjoint sets" : "communities", d->k);
}
