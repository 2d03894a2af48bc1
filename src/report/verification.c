/* Is a release what it claims to be: `ksda verify`. */
#include "report/report.h"

void ksda_i_verification_json(const ksda_verification *v, uint32_t k, json_t *object) {
    ksda_i_json_bool(object, "valid", v->valid);
    ksda_i_json_bool(object, "satisfied", v->satisfied);
    ksda_i_json_count(object, "k", k);
    ksda_i_json_bool(object, "trivial_k", k == 1);
    ksda_i_json_share(object, "max_share", v->max_share);
    ksda_i_json_count(object, "added_edges", v->added_edges);
    ksda_i_json_count(object, "added_vertices", v->added_vertices);
    ksda_i_json_count(object, "split_vertices", v->split_vertices);
    ksda_i_json_count(object, "links", v->links);
    ksda_i_json_text(object, "error", v->error[0] ? v->error : NULL);
}

void ksda_i_verification_text(const ksda_verification *v, uint32_t k, FILE *out) {
    char a[32], b[32], c[32], bound[64] = "";
    if (v->max_share.denominator)
        snprintf(bound, sizeof bound, ", with no community above %s of a degree", ksda_i_share_text(v->max_share, a));
    if (v->valid && v->satisfied)
        fprintf(out,
                "YES: the published network comes from the original by adding edges inside communities and splitting "
                "vertices\n"
                "only, and is %u-structurally diverse%s.\n",
                k, bound);
    else if (v->valid)
        fprintf(out, "NO: the changes are all allowed, but the published network is not %u-structurally diverse%s.\n",
                k, bound);
    else
        fprintf(out, "NO: the published network does not come from the original by allowed changes%s.\n",
                v->satisfied ? "" : ", nor is it diverse enough");
    if (k == 1) fputs("  protection       none: " KSDA_TRIVIAL_K "\n", out);
    if (v->error[0]) fprintf(out, "  first fault      %s\n", v->error);
    if (!v->valid) return;
    fprintf(out, "  added edges      %s\n  added vertices   %s (%s %s split)\n", ksda_grouped(v->added_edges, a),
            ksda_grouped(v->added_vertices, b), ksda_grouped(v->split_vertices, c),
            v->split_vertices == 1 ? "vertex" : "vertices");
    if (v->links) fprintf(out, "  links            %s between pieces of one vertex\n", ksda_grouped(v->links, a));
}
