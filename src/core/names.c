/* The words for the values of the public enumerations, and back: one table each. Formats, measures and differences have
 * tables of their own. */
#include <ksda/ksda.h>
#include <string.h>

typedef struct word {
    int value;
    const char *name;
} word;

static const char *name_of(const word *list, size_t count, int value, const char *otherwise) {
    for (size_t i = 0; i < count; i++)
        if (list[i].value == value) return list[i].name;
    return otherwise;
}

static const word *find_word(const word *list, size_t count, const char *name) {
    for (size_t i = 0; i < count && name; i++)
        if (strcmp(list[i].name, name) == 0) return &list[i];
    return NULL;
}

/* The two functions of a type; `otherwise` is the name of what is no value of it. */
#define WORDS(type, list, otherwise)                                                                                   \
    const char *type##_name(type value) {                                                                              \
        return name_of(list, sizeof list / sizeof *list, (int)value, otherwise);                                       \
    }                                                                                                                  \
    int type##_from_name(const char *name, type *out) {                                                                \
        const word *found = find_word(list, sizeof list / sizeof *list, name);                                         \
        if (found) *out = (type)found->value;                                                                          \
        return found != NULL;                                                                                          \
    }

static const word statuses[] = {{KSDA_OK, "ok"},
                                {KSDA_LIMIT, "limit reached"},
                                {KSDA_NOMEM, "out of memory"},
                                {KSDA_INVALID, "invalid argument"},
                                {KSDA_IO, "input or output failed"},
                                {KSDA_PARSE, "bad input"},
                                {KSDA_UNSUPPORTED, "not supported"},
                                {KSDA_NOT_FOUND, "no solution found"},
                                {KSDA_INFEASIBLE, "impossible"},
                                {KSDA_VIOLATED, "property does not hold"},
                                {KSDA_INTERRUPTED, "interrupted"},
                                {KSDA_TIMEOUT, "out of time"},
                                {KSDA_INTERNAL, "internal error"}};
WORDS(ksda_status, statuses, "unknown status")

static const word unassigned[] = {{KSDA_UNASSIGNED_REFUSE, "refuse"},
                                  {KSDA_UNASSIGNED_OWN, "own"},
                                  {KSDA_UNASSIGNED_TOGETHER, "together"},
                                  {KSDA_UNASSIGNED_OWN_COUNTED, "own-counted"},
                                  {KSDA_UNASSIGNED_TOGETHER_COUNTED, "together-counted"}};
WORDS(ksda_unassigned, unassigned, NULL)

static const word overlaps[] = {{KSDA_OVERLAP_REFUSE, "refuse"}, {KSDA_OVERLAP_DISJOINT, "disjoint"}};
WORDS(ksda_overlap, overlaps, NULL)

static const word layouts[] = {
    {KSDA_COMMUNITIES_AUTO, "auto"}, {KSDA_COMMUNITIES_PAIRS, "pairs"}, {KSDA_COMMUNITIES_LISTS, "lists"}};
WORDS(ksda_communities_format, layouts, NULL)

static const word headers[] = {{KSDA_HEADER_AUTO, "auto"}, {KSDA_HEADER_YES, "yes"}, {KSDA_HEADER_NO, "no"}};
WORDS(ksda_header, headers, NULL)

static const word favours[] = {{KSDA_FAVOUR_BALANCED, "balanced"},
                               {KSDA_FAVOUR_CLUSTERING, "clustering"},
                               {KSDA_FAVOUR_PATHS, "paths"},
                               {KSDA_FAVOUR_PLAUSIBLE, "plausible"}};
WORDS(ksda_favour, favours, NULL)

static const word flags[] = {{KSDA_METHOD_ADDS, "adds"},       {KSDA_METHOD_SPLITS, "splits"},
                             {KSDA_METHOD_ALWAYS, "always"},   {KSDA_METHOD_BASELINE, "baseline"},
                             {KSDA_METHOD_EXACT, "exact"},     {KSDA_METHOD_STEPS, "steps"},
                             {KSDA_METHOD_OVERLAP, "overlap"}, {KSDA_METHOD_SHARES, "shares"}};
WORDS(ksda_method_flag, flags, NULL)

static const word models[] = {{KSDA_MODEL_OPTIMAL, "optimal"},
                              {KSDA_MODEL_FEASIBLE, "feasible"},
                              {KSDA_MODEL_INFEASIBLE, "infeasible"},
                              {KSDA_MODEL_LIMIT, "limit"}};
WORDS(ksda_model_status, models, "unknown")

static const word detectors[] = {
    {KSDA_DETECTOR_METIS, "metis"}, {KSDA_DETECTOR_LEIDEN, "leiden"}, {KSDA_DETECTOR_NONE, "none"}};
WORDS(ksda_detector, detectors, NULL)

static const word renderings[] = {
    {KSDA_RENDERING_JSON, "json"}, {KSDA_RENDERING_TEXT, "text"}, {KSDA_RENDERING_HTML, "html"}};
WORDS(ksda_rendering, renderings, NULL)

static const word kinds[] = {{KSDA_ABI_UNSIGNED, "unsigned"}, {KSDA_ABI_SIGNED, "signed"}, {KSDA_ABI_REAL, "real"},
                             {KSDA_ABI_POINTER, "pointer"},   {KSDA_ABI_STRUCT, "struct"}, {KSDA_ABI_ARRAY, "array"},
                             {KSDA_ABI_ENUM, "enum"}};
WORDS(ksda_abi_kind, kinds, NULL)
