/* The networks built in, for a first try and for examples: the co-appearances in Les Miserables (D. E. Knuth, The
 * Stanford GraphBase, 1993) and Zachary's karate club (J. Anthropol. Res. 33, 1977). The club's communities are its two
 * factions; those of Les Miserables are four parts found by METIS, as `ksda detect builtin:lesmis -m metis:4` finds
 * them. */
#include "cli.h"

#include <string.h>

typedef struct listing {
    const char *name;
    uint8_t vertices, communities;
    uint16_t edges;
    const char *const *vertex; /* names */
    const char *const *community;
    const char *of; /* the community of each vertex, as a letter from 'a' on */
    const uint8_t (*edge)[2];
} listing;

static const char *const lesmis_vertex[] = {
    "Myriel",         "Napoleon",     "Mlle.Baptistine", "Mme.Magloire",
    "CountessdeLo",   "Geborand",     "Champtercier",    "Cravatte",
    "Count",          "OldMan",       "Labarre",         "Valjean",
    "Marguerite",     "Mme.deR",      "Isabeau",         "Gervais",
    "Tholomyes",      "Listolier",    "Fameuil",         "Blacheville",
    "Favourite",      "Dahlia",       "Zephine",         "Fantine",
    "Mme.Thenardier", "Thenardier",   "Cosette",         "Javert",
    "Fauchelevent",   "Bamatabois",   "Perpetue",        "Simplice",
    "Scaufflaire",    "Woman1",       "Judge",           "Champmathieu",
    "Brevet",         "Chenildieu",   "Cochepaille",     "Pontmercy",
    "Boulatruelle",   "Eponine",      "Anzelma",         "Woman2",
    "MotherInnocent", "Gribier",      "Jondrette",       "Mme.Burgon",
    "Gavroche",       "Gillenormand", "Magnon",          "Mlle.Gillenormand",
    "Mme.Pontmercy",  "Mlle.Vaubois", "Lt.Gillenormand", "Marius",
    "BaronessT",      "Mabeuf",       "Enjolras",        "Combeferre",
    "Prouvaire",      "Feuilly",      "Courfeyrac",      "Bahorel",
    "Bossuet",        "Joly",         "Grantaire",       "MotherPlutarch",
    "Gueulemer",      "Babet",        "Claquesous",      "Montparnasse",
    "Toussaint",      "Child1",       "Child2",          "Brujon",
    "Mme.Hucheloup",
};
static const char *const lesmis_community[] = {"0", "1", "2", "3"};
static const uint8_t lesmis_edge[][2] = {
    {0, 1},   {0, 2},   {0, 3},   {0, 4},   {0, 5},   {0, 6},   {0, 7},   {0, 8},   {0, 9},   {0, 11},  {2, 3},
    {2, 11},  {3, 11},  {10, 11}, {11, 12}, {11, 13}, {11, 14}, {11, 15}, {11, 23}, {11, 24}, {11, 25}, {11, 26},
    {11, 27}, {11, 28}, {11, 29}, {11, 31}, {11, 32}, {11, 33}, {11, 34}, {11, 35}, {11, 36}, {11, 37}, {11, 38},
    {11, 43}, {11, 44}, {11, 48}, {11, 49}, {11, 51}, {11, 55}, {11, 58}, {11, 64}, {11, 68}, {11, 69}, {11, 70},
    {11, 71}, {11, 72}, {12, 23}, {16, 17}, {16, 18}, {16, 19}, {16, 20}, {16, 21}, {16, 22}, {16, 23}, {16, 26},
    {16, 55}, {17, 18}, {17, 19}, {17, 20}, {17, 21}, {17, 22}, {17, 23}, {18, 19}, {18, 20}, {18, 21}, {18, 22},
    {18, 23}, {19, 20}, {19, 21}, {19, 22}, {19, 23}, {20, 21}, {20, 22}, {20, 23}, {21, 22}, {21, 23}, {22, 23},
    {23, 24}, {23, 25}, {23, 27}, {23, 29}, {23, 30}, {23, 31}, {24, 25}, {24, 26}, {24, 27}, {24, 41}, {24, 42},
    {24, 50}, {24, 68}, {24, 69}, {24, 70}, {25, 26}, {25, 27}, {25, 39}, {25, 40}, {25, 41}, {25, 42}, {25, 48},
    {25, 55}, {25, 68}, {25, 69}, {25, 70}, {25, 71}, {25, 75}, {26, 27}, {26, 43}, {26, 49}, {26, 51}, {26, 54},
    {26, 55}, {26, 72}, {27, 28}, {27, 29}, {27, 31}, {27, 33}, {27, 43}, {27, 48}, {27, 58}, {27, 68}, {27, 69},
    {27, 70}, {27, 71}, {27, 72}, {28, 44}, {28, 45}, {29, 34}, {29, 35}, {29, 36}, {29, 37}, {29, 38}, {30, 31},
    {34, 35}, {34, 36}, {34, 37}, {34, 38}, {35, 36}, {35, 37}, {35, 38}, {36, 37}, {36, 38}, {37, 38}, {39, 52},
    {39, 55}, {41, 42}, {41, 55}, {41, 57}, {41, 62}, {41, 68}, {41, 69}, {41, 70}, {41, 71}, {41, 75}, {46, 47},
    {47, 48}, {48, 55}, {48, 57}, {48, 58}, {48, 59}, {48, 60}, {48, 61}, {48, 62}, {48, 63}, {48, 64}, {48, 65},
    {48, 66}, {48, 68}, {48, 69}, {48, 71}, {48, 73}, {48, 74}, {48, 75}, {48, 76}, {49, 50}, {49, 51}, {49, 54},
    {49, 55}, {49, 56}, {51, 52}, {51, 53}, {51, 54}, {51, 55}, {54, 55}, {55, 56}, {55, 57}, {55, 58}, {55, 59},
    {55, 61}, {55, 62}, {55, 63}, {55, 64}, {55, 65}, {57, 58}, {57, 59}, {57, 61}, {57, 62}, {57, 63}, {57, 64},
    {57, 65}, {57, 67}, {58, 59}, {58, 60}, {58, 61}, {58, 62}, {58, 63}, {58, 64}, {58, 65}, {58, 66}, {58, 70},
    {58, 76}, {59, 60}, {59, 61}, {59, 62}, {59, 63}, {59, 64}, {59, 65}, {59, 66}, {60, 61}, {60, 62}, {60, 63},
    {60, 64}, {60, 65}, {60, 66}, {61, 62}, {61, 63}, {61, 64}, {61, 65}, {61, 66}, {62, 63}, {62, 64}, {62, 65},
    {62, 66}, {62, 76}, {63, 64}, {63, 65}, {63, 66}, {63, 76}, {64, 65}, {64, 66}, {64, 76}, {65, 66}, {65, 76},
    {66, 76}, {68, 69}, {68, 70}, {68, 71}, {68, 75}, {69, 70}, {69, 71}, {69, 75}, {70, 71}, {70, 75}, {71, 75},
    {73, 74},
};

static const char *const karate_vertex[] = {
    "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",  "10", "11", "12", "13", "14", "15", "16", "17",
    "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "33", "34",
};
static const char *const karate_community[] = {"MrHi", "Officer"};
static const uint8_t karate_edge[][2] = {
    {0, 1},   {0, 2},   {0, 3},   {0, 4},   {0, 5},   {0, 6},   {0, 7},   {0, 8},   {0, 10},  {0, 11},
    {0, 12},  {0, 13},  {0, 17},  {0, 19},  {0, 21},  {0, 31},  {1, 2},   {1, 3},   {1, 7},   {1, 13},
    {1, 17},  {1, 19},  {1, 21},  {1, 30},  {2, 3},   {2, 7},   {2, 8},   {2, 9},   {2, 13},  {2, 27},
    {2, 28},  {2, 32},  {3, 7},   {3, 12},  {3, 13},  {4, 6},   {4, 10},  {5, 6},   {5, 10},  {5, 16},
    {6, 16},  {8, 30},  {8, 32},  {8, 33},  {9, 33},  {13, 33}, {14, 32}, {14, 33}, {15, 32}, {15, 33},
    {18, 32}, {18, 33}, {19, 33}, {20, 32}, {20, 33}, {22, 32}, {22, 33}, {23, 25}, {23, 27}, {23, 29},
    {23, 32}, {23, 33}, {24, 25}, {24, 27}, {24, 31}, {25, 31}, {26, 29}, {26, 33}, {27, 33}, {28, 31},
    {28, 33}, {29, 32}, {29, 33}, {30, 32}, {30, 33}, {31, 32}, {31, 33}, {32, 33},
};

static const listing listings[] = {
    {"lesmis", 77, 4, 254, lesmis_vertex, lesmis_community,
     "ddddddddddcadcccddddddddbaabbbbbccccbccaababccaacbbbabbaacbaaacccacabbbbcaaac", lesmis_edge},
    {"karate", 34, 2, 78, karate_vertex, karate_community, "aaaaaaaaabaaaabbaabababbbbbbbbbbbb", karate_edge},
};

const char *cli_builtin_name(size_t i) {
    return i < sizeof listings / sizeof *listings ? listings[i].name : NULL;
}

enum {
    MOST_VERTICES = 80,
    MOST_EDGES = 256,
    MOST_TEXT = 1024
};

/* Names in one buffer. */
static void join_names(const char *const *name, uint32_t count, char *text, uint64_t *offset) {
    offset[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(name[i]);
        memcpy(text + offset[i], name[i], length);
        offset[i + 1] = offset[i] + length;
    }
}

static ksda_status make_graph(ksda_ctx *ctx, const listing *l, ksda_graph **out) {
    char text[MOST_TEXT];
    uint64_t offset[MOST_VERTICES + 1];
    uint32_t pairs[2 * MOST_EDGES];
    join_names(l->vertex, l->vertices, text, offset);
    for (uint32_t i = 0; i < 2 * l->edges; i++) pairs[i] = l->edge[i / 2][i % 2];
    return ksda_graph_from_named_edges(ctx, l->vertices, l->edges, pairs, text, offset, out);
}

static ksda_status make_communities(ksda_ctx *ctx, const listing *l, ksda_communities **out) {
    char text[MOST_TEXT];
    uint64_t name[MOST_VERTICES + 1];
    uint32_t offset[MOST_VERTICES + 1] = {0}, member[MOST_VERTICES], count = 0;
    join_names(l->community, l->communities, text, name);
    for (uint32_t c = 0; c < l->communities; c++) {
        for (uint32_t v = 0; v < l->vertices; v++)
            if (l->of[v] == (char)('a' + c)) member[count++] = v;
        offset[c + 1] = count;
    }
    return ksda_communities_from_members(ctx, l->vertices, l->communities, offset, member, text, name,
                                         KSDA_UNASSIGNED_REFUSE, out);
}

ksda_status cli_builtin_load(ksda_ctx *ctx, const char *name, ksda_network *out) {
    *out = (ksda_network)KSDA_INIT(ksda_network);
    for (size_t i = 0; i < sizeof listings / sizeof *listings; i++) {
        ksda_status status;
        if (strcmp(listings[i].name, name) != 0) continue;
        status = make_graph(ctx, &listings[i], &out->graph);
        if (status >= 0) status = make_communities(ctx, &listings[i], &out->communities);
        out->format = KSDA_FORMAT_EDGES;
        if (status < 0) ksda_network_clear(ctx, out);
        return status;
    }
    return KSDA_NOT_FOUND;
}
