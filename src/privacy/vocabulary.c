/* What a network promises, in the words of those who publish tables.
 *
 * A network whose vertices show their degree is a table with one quasi-identifier, the degree, and one sensitive
 * attribute, the community: vertices of one degree are an equivalence class. With p(c) = n(d, c) / n(d) at a degree and
 * q(c) over everybody, each notion for tables is a number for each class, and its worst is what the table promises. A
 * notion is one row below and one function of a class. People whose community is not known are in nobody's p and q, but
 * they can be found as others can; where people have several communities, a set is a value.
 *
 *   Samarati, Sweeney: k-anonymity, 1998 (for degrees Liu, Terzi, doi:10.1145/1376616.1376629)
 *   Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: l-diversity, doi:10.1145/1217299.1217302
 *   Li, Li, Venkatasubramanian: t-closeness, doi:10.1109/ICDE.2007.367856
 *   Cao, Karras: beta-likeness, doi:10.14778/2350229.2350255
 *   Brickell, Shmatikov: delta-disclosure privacy, doi:10.1145/1401890.1401904
 *   El Emam, Dankar: prosecutor, journalist and marketer risk, doi:10.1197/jamia.M2716
 *
 * Time O(n log n) for all degrees together, 8 bytes a community. */
#include "privacy/vocabulary.h"

#include "core/sort.h"
#include "privacy/packing.h"

#include <math.h>

/* One degree. */
typedef struct group {
    const ksda_i_vocabulary *network;
    uint32_t vertices, known; /* as in the network */
    uint32_t sizes;           /* communities that count */
    const uint32_t *size;     /* [sizes] ascending */
    double distance;          /* sum of |p - q| over all communities */
    double most, least;       /* of p / q over those that occur here */
} group;

static double degree_anonymity(const group *c) {
    return c->vertices;
}

static double entropy_l(const group *c) {
    double weighted = 0;
    for (uint32_t i = 0; i < c->sizes; i++) weighted += c->size[i] * log2(c->size[i]);
    return c->sizes > 1 ? exp2(log2(c->known) - weighted / c->known) : c->sizes;
}

/* r_1 < c (r_l + ... + r_m): of the communities by descending size, those from the l-th on. */
static double recursive_c(const group *c) {
    uint64_t tail = 0;
    for (uint32_t i = 0; i + c->network->l <= c->sizes; i++) tail += c->size[i];
    return tail ? c->size[c->sizes - 1] / (double)tail : INFINITY;
}

static double t_closeness(const group *c) {
    return c->distance / 2;
}
static double beta_likeness(const group *c) {
    return c->most - 1;
}
static double delta_occurring(const group *c) {
    return fmax(log2(c->most), -log2(c->least));
}
static double delta_disclosure(const group *c) {
    return c->sizes < c->network->values ? INFINITY : delta_occurring(c);
}
static double one_in_class(const group *c) {
    return 1.0 / c->vertices;
}

typedef enum worst {
    LEAST,
    MOST,
    MEAN
} worst;

static const struct {
    ksda_term info;
    double (*of)(const group *c);
    worst worst;
    bool identity; /* about everybody, also those whose community is not known */
} terms[] = {
    {{"degree_anonymity", "k-degree anonymity, k", "people with the rarest degree"}, degree_anonymity, LEAST, true},
    {{"entropy_l", "entropy l-diversity, l", "2 to the entropy of the community at a degree, the least"},
     entropy_l,
     LEAST,
     false},
    {{"recursive_c", "recursive (c, l)-diversity, c above",
      "the largest community at a degree over all from the l-th on, the most; l is k, at least 2"},
     recursive_c,
     MOST,
     false},
    {{"t_closeness", "t-closeness, t", "total variation between a degree's communities and everybody's, the most"},
     t_closeness,
     MOST,
     false},
    {{"beta_likeness", "basic beta-likeness, beta",
      "how much likelier a degree makes a community, relative to its part of all, the most"},
     beta_likeness,
     MOST,
     false},
    {{"delta_disclosure", "delta-disclosure, delta above",
      "bits by which a degree changes the probability of any community, the most"},
     delta_disclosure,
     MOST,
     false},
    {{"delta_occurring", "the same, communities that occur", "as before, of communities that have the degree"},
     delta_occurring,
     MOST,
     false},
    {{"prosecutor_risk", "prosecutor risk", "1 over the people with the rarest degree"}, one_in_class, MOST, true},
    {{"journalist_risk", "journalist risk, at most",
      "as the prosecutor's: no larger population is known than this network"},
     one_in_class,
     MOST,
     true},
    {{"marketer_risk", "marketer risk", "people who are found when everybody is matched at random by the degree"},
     one_in_class,
     MEAN,
     true},
};

const uint32_t ksda_i_term_count = sizeof terms / sizeof *terms;

const ksda_term *ksda_term_info(uint32_t i) {
    return i < ksda_i_term_count ? &terms[i].info : NULL;
}

ksda_status ksda_i_vocabulary_open(ksda_ctx *ctx, const ksda_communities *communities, uint32_t k,
                                   ksda_i_vocabulary *out) {
    *out = (ksda_i_vocabulary){.communities = communities, .l = k > 2 ? k : 2, .vertices = communities->n};
    for (uint32_t c = 0; c < communities->count; c++) {
        if (!ksda_i_kind_counts(communities, c)) continue;
        out->known += ksda_i_community_size(communities, c);
        out->values++;
    }
    out->size = ksda_i_malloc(ctx, 2 * (uint64_t)communities->count, sizeof *out->size);
    return out->size ? KSDA_OK : KSDA_NOMEM;
}

void ksda_i_vocabulary_close(ksda_ctx *ctx, ksda_i_vocabulary *v) {
    ksda_i_free(ctx, v->size);
}

void ksda_i_vocabulary_begin(ksda_term_value *term) {
    for (uint32_t i = 0; i < ksda_i_term_count; i++) term[i] = (ksda_term_value){NAN, KSDA_NO_DEGREE};
}

/* Communities that do not occur at the degree have |p - q| = q. */
static group count_group(ksda_i_vocabulary *v, const uint32_t *community, uint32_t vertices) {
    group c = {.network = v, .vertices = vertices, .size = v->size, .distance = 1, .least = INFINITY};
    for (uint32_t i = 0, run; i < vertices; i += run) {
        for (run = 1; i + run < vertices && community[i + run] == community[i];) run++;
        if (ksda_i_kind_counts(v->communities, community[i])) v->size[c.sizes++] = run, c.known += run;
    }
    for (uint32_t i = 0, run; i < vertices; i += run) {
        for (run = 1; i + run < vertices && community[i + run] == community[i];) run++;
        if (!ksda_i_kind_counts(v->communities, community[i])) continue;
        double p = (double)run / c.known;
        double q = (double)ksda_i_community_size(v->communities, community[i]) / v->known;
        c.distance += fabs(p - q) - q;
        c.most = fmax(c.most, p / q);
        c.least = fmin(c.least, p / q);
    }
    ksda_i_sort_u32(v->size, c.sizes, v->size + v->communities->count);
    return c;
}

void ksda_i_vocabulary_degree(ksda_i_vocabulary *v, uint32_t degree, const uint32_t *community, uint32_t vertices,
                              ksda_term_value *term) {
    group c = count_group(v, community, vertices);
    for (uint32_t i = 0; i < ksda_i_term_count; i++) {
        if (!terms[i].identity && c.known == 0) continue;
        double value = terms[i].of(&c), before = term[i].value;
        if (terms[i].worst == MEAN)
            term[i].value = (isnan(before) ? 0 : before) + value * vertices / v->vertices;
        else if (isnan(before) || (terms[i].worst == LEAST ? value < before : value > before))
            term[i] = (ksda_term_value){value, degree};
    }
}
