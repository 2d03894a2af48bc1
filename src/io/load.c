/* Loading a network: find the format, read the graph, then the communities, then see to vertices that have none. */
#include "core/sized.h"
#include "core/sort.h"
#include "graph/builder.h"
#include "graph/peers.h"
#include "io/adopt.h"
#include "io/communities_file.h"
#include "io/extras.h"
#include "io/lookalikes.h"
#include "io/names.h"
#include "io/parts.h"
#include "io/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

#define MOST_NAMED 8 /* vertices without a community that a message names */

static const ksda_i_sized options_kind = KSDA_I_OPTIONS(ksda_load_options, communities_format);
static const ksda_i_sized network_kind = KSDA_I_RESULT(ksda_network, format);

void ksda_load_options_init_sized(ksda_load_options *options, size_t size) {
    ksda_i_options_init(&options_kind, options, size, &(ksda_load_options){.format = KSDA_FORMAT_AUTO});
}

void ksda_network_clear(ksda_ctx *ctx, ksda_network *network) {
    if (!ksda_i_result_holds(&network_kind, network)) return;
    ksda_graph_free(ctx, network->graph);
    ksda_communities_free(ctx, network->communities);
    ksda_i_result_empty(&network_kind, network);
}

/* Several processes together read what can be cut into shares. */
static ksda_status must_have_shares(ksda_ctx *ctx, const char *path, const ksda_i_format *row) {
    if (row->lines || ksda_i_format_is_raw(row)) return KSDA_OK;
    return ksda_i_error(ctx, KSDA_UNSUPPORTED,
                        "%s: several processes together read lists of edges (edges, csv, tsv) and raw pairs (raw32, "
                        "raw64), not %s; `ksda convert` makes one of the other",
                        path, row->name);
}

/* Open the file, and find out what it is. */
static ksda_status open_graph(ksda_ctx *ctx, const char *path, const ksda_load_options *o, ksda_i_source **out,
                              const ksda_i_format **found) {
    ksda_i_source *source = NULL;
    const ksda_i_format *row = NULL;
    ksda_status status;
    row = o->format == KSDA_FORMAT_AUTO ? ksda_i_format_by_name(path) : ksda_i_format_row(o->format);
    bool raw = ksda_i_format_is_raw(row);
    const char *encoding = row && row->binary ? NULL : o->encoding; /* which is then that of the communities */
    KSDA_I_TRY(raw ? ksda_i_source_open_bytes(ctx, path, &source)
                   : ksda_i_source_open_text(ctx, path, encoding, &source));
    if (o->format == KSDA_FORMAT_AUTO && !raw)
        KSDA_I_TRY(ksda_i_format_guess(ctx, source, &row));
    else if (!row)
        KSDA_I_TRY(ksda_i_error(ctx, KSDA_INVALID, "no format has the number %d", (int)o->format));
    if ((o->header && !row->lines) || (o->columns && !row->lines && !row->columns))
        KSDA_I_TRY(ksda_i_error(ctx, KSDA_UNSUPPORTED,
                                "%s: --header is for edges, csv and tsv, --columns for parquet too, not for %s", path,
                                row->name));
    if (o->name_attribute && !row->attributes)
        KSDA_I_TRY(ksda_i_error(ctx, KSDA_UNSUPPORTED, "%s: vertices of %s files have no attributes to be called by",
                                path, row->name));
    if (row->lines) KSDA_I_TRY(ksda_i_must_be_text(ctx, source));
    if (ctx->gathering && !row->lines && !ksda_i_format_is_raw(row))
        KSDA_I_TRY(ksda_i_error(ctx, KSDA_UNSUPPORTED,
                                "%s: the files of a folder are lists of edges (edges, csv, tsv) or raw pairs (raw32, "
                                "raw64), not %s",
                                path, row->name));
    if (ctx->peers) KSDA_I_TRY(must_have_shares(ctx, path, row));
done:
    *out = source, *found = row;
    return status;
}

static ksda_status read_file(ksda_ctx *ctx, const char *path, const ksda_load_options *o, ksda_i_read *r,
                             ksda_format *format) {
    ksda_i_source *source;
    const ksda_i_format *row;
    ksda_status status = open_graph(ctx, path, o, &source, &row);
    KSDA_I_TRY(ksda_i_agree(ctx, status));
    KSDA_I_TRY(row->read(ctx, source, o, r));
    *format = ksda_i_format_number(row);
done:
    ksda_i_source_close(ctx, source);
    return status;
}

/* The files of a folder, which all processes must see alike. */
static ksda_status list_parts(ksda_ctx *ctx, const char *path, ksda_i_parts *parts) {
    ksda_status status = ksda_i_agree(ctx, ksda_i_parts_list(ctx, path, parts));
    if (status < 0 || !ctx->peers) return status;
    uint64_t least = parts->count, most = parts->count;
    ctx->peers->reduce(KSDA_I_REDUCE_MIN, &least, 1);
    ctx->peers->reduce(KSDA_I_REDUCE_MAX, &most, 1);
    if (least == most) return KSDA_OK;
    return ksda_i_error_at(ctx, KSDA_IO, path, 0, 0,
                           "one process sees %" PRIu64 " files there, another one %" PRIu64
                           ": is it the same folder everywhere?",
                           least, most);
}

static ksda_status read_folder(ksda_ctx *ctx, const char *path, const ksda_load_options *o, ksda_i_read *r,
                               ksda_format *format) {
    const ksda_i_format *row = o->format == KSDA_FORMAT_AUTO ? ksda_i_format_by_name(path) : NULL;
    ksda_load_options each = *o;
    ksda_i_parts parts = {.count = 0};
    ksda_i_gathering gathering = {.builder = NULL};
    ksda_status status;
    if (row) each.format = ksda_i_format_number(row);
    ctx->gathering = &gathering;
    KSDA_I_TRY(list_parts(ctx, path, &parts));
    for (uint64_t i = 0; i < parts.count; i++) {
        gathering.last = i + 1 == parts.count;
        KSDA_I_TRY(read_file(ctx, parts.path[i], &each, r, format));
        each.format = *format;
    }
    ksda_i_parts_note(&parts, "network", r->reading.note, sizeof r->reading.note);
done:
    ctx->gathering = NULL;
    ksda_i_builder_free(ctx, gathering.builder);
    ksda_i_parts_clear(ctx, &parts);
    return status;
}

static ksda_status read_graph(ksda_ctx *ctx, const char *path, const ksda_load_options *o, ksda_i_read *r,
                              ksda_format *format) {
    return ksda_i_is_folder(path) ? read_folder(ctx, path, o, r, format) : read_file(ctx, path, o, r, format);
}

/* From here on it is a graph like others. */
static void bring_all(ksda_graph *g) {
    ksda_i_graph_need_all(g);
    g->far = NULL;
}

/* With others, where there are any. */
ksda_status ksda_i_read_together(ksda_ctx *ctx, const char *path, const ksda_load_options *o, ksda_i_read *r,
                                 ksda_format *format) {
    if (ctx->company && ctx->company->rank == 0) ctx->company->read(ctx, path, o);
    ctx->peers = ctx->company;
    ksda_status status = read_graph(ctx, path, o, r, format);
    ctx->peers = NULL;
    if (status >= 0 && r->graph->far && r->graph->n + r->graph->m <= ctx->company->whole) bring_all(r->graph);
    return status;
}

/* --- the order and the names of communities ---------------------------------------------------------------------- */

/* Further communities get their new numbers, too. */
static void renumber_more(ksda_i_membership *m, const uint32_t *to) {
    for (uint64_t i = 0; i < m->mores; i++) m->more[i] = m->more[i] >> 32 << 32 | to[(uint32_t)m->more[i]];
}

/* If all names are numbers, order the communities by them, ascending. */
static ksda_status order_by_number(ksda_ctx *ctx, ksda_i_membership *m) {
    ksda_status status = KSDA_NOMEM;
    ksda_i_ids *names = &m->names, numbers;
    uint32_t count = names->count;
    uint64_t *number, *scratch = NULL;
    uint32_t *to = NULL;
    if (names->kind != KSDA_I_IDS_NAMES) return KSDA_OK;
    ksda_i_ids_range(&numbers, 0, 0);
    number = ksda_i_malloc(ctx, count, sizeof *number);
    if (!number) return KSDA_NOMEM;
    for (uint32_t i = 0; i < count; i++)
        if (!ksda_i_parse_number(names->text + names->start[i], names->start[i + 1] - names->start[i], &number[i])) {
            status = KSDA_OK; /* they keep the order of appearance */
            goto done;
        }
    scratch = ksda_i_malloc(ctx, count, sizeof *scratch);
    to = ksda_i_malloc(ctx, count, sizeof *to);
    if (!scratch || !to) goto done;
    ksda_i_sort_u64(number, count, scratch);
    ksda_i_ids_numbers_take(&numbers, count, number);
    number = NULL;
    for (uint32_t i = 0; i < count; i++)
        to[i] = ksda_i_ids_find(&numbers, names->text + names->start[i], names->start[i + 1] - names->start[i]);
    for (uint32_t v = 0; v < m->n; v++)
        if (m->of[v] != KSDA_NO_VERTEX) m->of[v] = to[m->of[v]];
    renumber_more(m, to);
    ksda_i_ids_clear(ctx, names);
    *names = numbers;
    ksda_i_ids_range(&numbers, 0, 0);
    status = KSDA_OK;
done:
    ksda_i_free(ctx, number);
    ksda_i_free(ctx, scratch);
    ksda_i_free(ctx, to);
    ksda_i_ids_clear(ctx, &numbers);
    return status;
}

/* Forget communities that no vertex is in (a file has none, an attribute table may). */
static ksda_status drop_empty(ksda_ctx *ctx, ksda_i_membership *m) {
    ksda_status status = KSDA_OK;
    ksda_i_ids kept;
    uint32_t *to = ksda_i_malloc(ctx, m->names.count, sizeof *to), used = 0, item;
    ksda_i_ids_names(&kept);
    if (!to) return KSDA_NOMEM;
    for (uint32_t i = 0; i < m->names.count; i++) to[i] = KSDA_NO_VERTEX;
    for (uint32_t v = 0; v < m->n; v++)
        if (m->of[v] != KSDA_NO_VERTEX && to[m->of[v]] == KSDA_NO_VERTEX) to[m->of[v]] = 0, used++;
    for (uint64_t i = 0; i < m->mores; i++)
        if (to[(uint32_t)m->more[i]] == KSDA_NO_VERTEX) to[(uint32_t)m->more[i]] = 0, used++;
    if (used == m->names.count) goto done;
    for (uint32_t i = 0; i < m->names.count; i++) {
        char number[24];
        bool text = m->names.kind == KSDA_I_IDS_NAMES;
        size_t length =
            text ? m->names.start[i + 1] - m->names.start[i] : ksda_i_ids_name(&m->names, i, number, sizeof number);
        if (to[i] == KSDA_NO_VERTEX) continue;
        KSDA_I_TRY(ksda_i_ids_intern(ctx, &kept, text ? m->names.text + m->names.start[i] : number, length, &item));
        to[i] = item;
    }
    for (uint32_t v = 0; v < m->n; v++)
        if (m->of[v] != KSDA_NO_VERTEX) m->of[v] = to[m->of[v]];
    renumber_more(m, to);
    ksda_i_ids_clear(ctx, &m->names);
    m->names = kept;
    ksda_i_ids_names(&kept);
done:
    ksda_i_free(ctx, to);
    ksda_i_ids_clear(ctx, &kept);
    return status;
}

/* --- communities that may be none -------------------------------------------------------------------------------- */

/* What other programs write where a value is missing. */
static bool looks_missing(const char *text, size_t length) {
    static const char *const words[] = {"NA", "N/A", "#N/A", "NaN", "null", "none", "-", "?"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0) return true;
    return false;
}

/* They are communities like others, but their members may be people of whom none is known: that is said. */
static void note_missing_words(const ksda_i_membership *m, ksda_reading *reading) {
    const ksda_i_ids *names = &m->names;
    char list[160] = "", shown[KSDA_I_SHOWN];
    size_t used = 0;
    for (uint32_t i = 0; names->kind == KSDA_I_IDS_NAMES && i < names->count; i++) {
        const char *name = names->text + names->start[i];
        size_t length = names->start[i + 1] - names->start[i];
        uint32_t members = 0;
        if (!looks_missing(name, length) || used + 40 > sizeof list) continue;
        for (uint32_t v = 0; v < m->n; v++) members += m->of[v] == i;
        for (uint64_t j = 0; j < m->mores; j++) members += (uint32_t)m->more[j] == i;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s (%u %s)", used ? ", " : "",
                                 ksda_i_show(name, length, shown), members, members == 1 ? "vertex" : "vertices");
    }
    if (used)
        ksda_i_note(reading->note, sizeof reading->note,
                    "taken as the name of a community, not as a missing one: %s; it counts towards k, and --unassigned "
                    "does not apply; where it means that none is known, leave it blank",
                    list);
}

/* --- names that look odd ----------------------------------------------------------------------------------------- */

static ksda_status note_alike(ksda_ctx *ctx, const ksda_i_ids *ids, const char *one, const char *more, const char *are,
                              ksda_network *net) {
    ksda_i_lookalikes found;
    ksda_status status = ksda_i_lookalikes_find(ctx, ids, &found);
    if (status < 0 || found.count == 0) return status;
    net->lookalikes += found.count;
    ksda_i_note(net->note, sizeof net->note,
                "%u %s by name like another, but for case, blanks, leading zeros or the way an accent is written%s: "
                "%s%s",
                found.count, found.count == 1 ? one : more, are, found.pairs,
                found.count > KSDA_I_LOOKALIKES_TOLD ? ", ..." : "");
    return KSDA_OK;
}

/* Who stands in the communities file only: people without an edge, or misspelled. */
static void note_extra(const ksda_i_ids *extra, ksda_network *net) {
    char list[200] = "", shown[KSDA_I_SHOWN];
    size_t used = 0;
    uint32_t told = 0;
    for (; told < extra->count && told < MOST_NAMED && used + KSDA_I_SHOWN + 4 < sizeof list; told++)
        used += (size_t)snprintf(
            list + used, sizeof list - used, "%s%s", told ? ", " : "",
            ksda_i_show(extra->text + extra->start[told], extra->start[told + 1] - extra->start[told], shown));
    if (extra->count)
        ksda_i_note(net->note, sizeof net->note,
                    "%u vert%s in the communities file but not in the graph, taken as people without an edge: %s%s",
                    extra->count, extra->count == 1 ? "ex is" : "ices are", list, told < extra->count ? ", ..." : "");
}

/* Is the name made of names of other communities, with this character between them? */
static bool joins_names(const ksda_i_ids *names, const char *text, const char *end, char separator) {
    if (!memchr(text, separator, (size_t)(end - text))) return false;
    for (const char *stop; text <= end; text = stop + 1) {
        stop = memchr(text, separator, (size_t)(end - text));
        if (!stop) stop = end;
        const char *last = stop;
        while (text < last && *text == ' ') text++;
        while (text < last && last[-1] == ' ') last--;
        if (text == last || ksda_i_ids_find(names, text, (size_t)(last - text)) == KSDA_NO_VERTEX) return false;
    }
    return true;
}

/* "physics;chemistry" is a community of its own to us, and often somebody in two of them to whoever wrote it. */
static void note_joined(const ksda_i_ids *names, ksda_network *net) {
    char list[160] = "", shown[KSDA_I_SHOWN];
    size_t used = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; names->kind == KSDA_I_IDS_NAMES && i < names->count; i++) {
        const char *text = names->text + names->start[i], *end = names->text + names->start[i + 1], *mark = ";|,/+&";
        while (*mark && !joins_names(names, text, end, *mark)) mark++;
        if (!*mark) continue;
        if (count++ < MOST_NAMED && used + KSDA_I_SHOWN + 4 < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                     ksda_i_show(text, (size_t)(end - text), shown));
    }
    if (count)
        ksda_i_note(net->note, sizeof net->note,
                    "%u communit%s by names of other communities, and count%s as one more: %s%s; where it means people "
                    "in several, give each a line of its own (ksda help overlap)",
                    count, count == 1 ? "y is called" : "ies are called", count == 1 ? "s" : "", list,
                    count > MOST_NAMED ? ", ..." : "");
}

static ksda_status note_names(ksda_ctx *ctx, const ksda_i_membership *m, ksda_network *net) {
    ksda_status status = note_alike(ctx, &net->graph->ids, "vertex looks", "vertices look", "", net);
    if (status >= 0 && m->of)
        status = note_alike(ctx, &m->names, "community looks", "communities look", ", and each counts", net);
    if (status >= 0 && m->of) note_joined(&m->names, net), note_extra(&m->extra, net);
    return status;
}

/* --- vertices without community ---------------------------------------------------------------------------------- */

/* All of them, one a line. */
static ksda_status list_unassigned(ksda_ctx *ctx, const ksda_graph *g, const ksda_i_membership *m, const char *path) {
    ksda_i_output *out;
    ksda_status status = ksda_i_output_open(ctx, path, true, &out);
    if (status < 0) return status;
    for (uint32_t v = 0; v < m->n; v++) {
        if (m->of[v] != KSDA_NO_VERTEX) continue;
        ksda_i_names_write(&g->ids, v, KSDA_I_NAMING_TAB, 0, out);
        ksda_i_output_text(out, "\n");
    }
    return ksda_i_output_commit(out);
}

/* The first of them by name. */
static void first_unassigned(const ksda_graph *g, const ksda_i_membership *m, uint32_t most, char *list, size_t size) {
    size_t used = 0;
    uint32_t shown = 0;
    for (uint32_t v = 0; v < m->n && shown <= most; v++) {
        char name[256], quoted[KSDA_I_SHOWN];
        if (m->of[v] != KSDA_NO_VERTEX || used + KSDA_I_SHOWN + 8 > size) continue;
        size_t length = ksda_graph_name(g, v, name, sizeof name);
        if (length >= sizeof name) length = sizeof name - 1;
        used += (size_t)snprintf(list + used, size - used, "%s%s", shown ? ", " : "",
                                 shown == most ? "..." : ksda_i_show(name, length, quoted));
        shown++;
    }
}

static ksda_status refuse_unassigned(ksda_ctx *ctx, const ksda_network *net, const ksda_i_membership *m,
                                     const char *where) {
    char list[400] = "";
    uint32_t own = m->n - m->extra.count, known = 0; /* those of the graph come first */
    while (known < own && m->of[known] == KSDA_NO_VERTEX) known++;
    bool strangers = m->extra.count && known == own;
    first_unassigned(net->graph, m, MOST_NAMED, list, sizeof list);
    return ksda_i_error_at(ctx, KSDA_PARSE, where, 0, 0,
                           "%u of %u vertices %s no community: %s; --unassigned says what to do with them, "
                           "--list-unassigned writes them all to a file%s%s%s",
                           net->unassigned, m->n, net->unassigned == 1 ? "has" : "have", list,
                           strangers ? "; nobody in this file is in the graph: are the ids the same, is "
                                       "--vertex-column right?"
                                     : "",
                           *net->note ? "; " : "", net->note);
}

/* Count them, list them where asked, refuse them where nobody says what to do with them. */
static ksda_status check_unassigned(ksda_ctx *ctx, const ksda_load_options *o, const char *where,
                                    const ksda_i_membership *m, ksda_network *net) {
    ksda_status status = KSDA_OK;
    net->unassigned = 0;
    for (uint32_t v = 0; v < m->n; v++) net->unassigned += m->of[v] == KSDA_NO_VERTEX;
    if (o->unassigned_list) status = list_unassigned(ctx, net->graph, m, o->unassigned_list);
    if (net->unassigned == 0 || status < 0) return status;
    if (o->unassigned == KSDA_UNASSIGNED_REFUSE) return refuse_unassigned(ctx, net, m, where);
    char list[240] = "";
    first_unassigned(net->graph, m, 3, list, sizeof list);
    ksda_i_note(net->note, sizeof net->note, "without a community: %s (--list-unassigned writes all of them)", list);
    return KSDA_OK;
}

/* --- putting it together ----------------------------------------------------------------------------------------- */

/* The vertices that only the communities file knows join the graph. */
static ksda_status adopt_membership(ksda_ctx *ctx, ksda_graph *g, ksda_i_membership *m) {
    uint32_t extra = m->extra.count, *place = ksda_i_malloc(ctx, extra, sizeof *place);
    ksda_status status = place ? ksda_i_adopt_vertices(ctx, g, &m->extra, place) : KSDA_NOMEM;
    uint32_t *of = status < 0 ? NULL : ksda_i_realloc(ctx, m->of, g->n, sizeof *of);
    if (of) {
        for (uint32_t i = 0; i < extra; i++) of[place[i]] = m->extra_of[i];
        for (uint64_t i = 0; i < m->mores; i++)
            if (m->more[i] >> 32 >= m->n)
                m->more[i] = (uint64_t)place[(m->more[i] >> 32) - m->n] << 32 | (uint32_t)m->more[i];
        m->of = of;
        m->n = g->n;
    }
    ksda_i_free(ctx, place);
    return status < 0 ? status : of ? KSDA_OK : KSDA_NOMEM;
}

/* Some have several: all memberships together. */
static ksda_status make_sets(ksda_ctx *ctx, const ksda_load_options *o, ksda_i_membership *m, ksda_network *net) {
    ksda_status status = ksda_i_reserve(ctx, &m->more, &m->more_capacity, m->mores + m->n, sizeof *m->more);
    if (status < 0) return status;
    for (uint32_t v = 0; v < m->n; v++)
        if (m->of[v] != KSDA_NO_VERTEX) m->more[m->mores++] = (uint64_t)v << 32 | m->of[v];
    return ksda_i_communities_take_sets(ctx, m->n, o->unassigned, m->more, m->mores, &m->names, &net->communities);
}

static ksda_status make_communities(ksda_ctx *ctx, const char *where, const ksda_load_options *o, ksda_i_membership *m,
                                    ksda_network *net) {
    ksda_status status;
    KSDA_I_TRY(drop_empty(ctx, m));
    KSDA_I_TRY(order_by_number(ctx, m));
    note_missing_words(m, o->attribute ? &net->graph_reading : &net->communities_reading);
    KSDA_I_TRY(check_unassigned(ctx, o, where, m, net));
    if (m->mores) return make_sets(ctx, o, m, net);
    KSDA_I_TRY(ksda_i_communities_take_partial(ctx, m->n, o->unassigned, m->of, &m->names, &net->communities));
    m->of = NULL;
done:
    return status;
}

/* The first line of the graph was taken for a header, and now its words are vertices that have communities. */
static bool header_is_an_edge(const ksda_i_read *r, const ksda_i_membership *m) {
    const char *one = r->header, *two = one ? one + strlen(one) + 1 : NULL;
    return one && (ksda_i_ids_find(&m->extra, one, strlen(one)) != KSDA_NO_VERTEX ||
                   ksda_i_ids_find(&m->extra, two, strlen(two)) != KSDA_NO_VERTEX);
}

/* So it is no header. */
static ksda_status read_again(ksda_ctx *ctx, const char *path, ksda_load_options *o, ksda_i_read *r,
                              ksda_i_membership *m, ksda_network *net) {
    ksda_status status;
    if (strcmp(path, "-") == 0 || strcmp(o->communities, "-") == 0)
        return ksda_i_error_at(ctx, KSDA_PARSE, path, net->graph_reading.header, 1,
                               "is this line a header or an edge? '%s' occurs nowhere else in the graph, but has a "
                               "community: --header says it",
                               r->header);
    ksda_graph_free(ctx, net->graph);
    net->graph = NULL;
    ksda_i_read_clear(ctx, r);
    ksda_i_membership_clear(ctx, m);
    o->header = KSDA_HEADER_NO;
    KSDA_I_TRY(ksda_i_read_together(ctx, path, o, r, &net->format));
    net->graph = r->graph;
    net->graph_reading = r->reading;
    r->graph = NULL;
    KSDA_I_TRY(ksda_i_read_communities(ctx, o, net->graph, r, m, &net->communities_reading));
done:
    return status;
}

static ksda_status check_options(ksda_ctx *ctx, const char *path, const ksda_load_options *o) {
    if (o->communities && o->attribute)
        return ksda_i_error(ctx, KSDA_INVALID, "communities from a file and from an attribute: only one can be");
    if (o->communities && strcmp(path, "-") == 0 && strcmp(o->communities, "-") == 0)
        return ksda_i_error(ctx, KSDA_INVALID, "the graph and its communities cannot both come from standard input");
    return KSDA_OK;
}

ksda_status ksda_load(ksda_ctx *ctx, const char *path, const ksda_load_options *options, ksda_network *out) {
    ksda_status status;
    ksda_load_options o;
    ksda_i_read r;
    ksda_i_membership m;
    ksda_network net = KSDA_INIT(ksda_network);
    memset(&r, 0, sizeof r);
    memset(&m, 0, sizeof m);
    ksda_load_options_init(&o);
    KSDA_I_TRY(ksda_i_result_check(ctx, &network_kind, out));
    KSDA_I_TRY(ksda_i_options_take(ctx, &options_kind, options, &o));
    KSDA_I_TRY(check_options(ctx, path, &o));
    KSDA_I_TRY(ksda_i_read_together(ctx, path, &o, &r, &net.format));
    net.graph = r.graph;
    net.graph_reading = r.reading;
    r.graph = NULL;
    if (o.communities) {
        KSDA_I_TRY(ksda_i_read_communities(ctx, &o, net.graph, &r, &m, &net.communities_reading));
        if (header_is_an_edge(&r, &m)) KSDA_I_TRY(read_again(ctx, path, &o, &r, &m, &net));
        net.only_in_communities = m.extra.count;
        KSDA_I_TRY(adopt_membership(ctx, net.graph, &m));
    } else if (o.attribute) {
        m.of = r.community;
        m.names = r.names;
        m.more = r.more, m.mores = m.more_capacity = r.mores;
        r.more = NULL;
        m.n = net.graph->n;
        r.community = NULL;
        ksda_i_ids_range(&r.names, 0, 0);
    }
    KSDA_I_TRY(note_names(ctx, &m, &net));
    if (m.of) KSDA_I_TRY(make_communities(ctx, o.communities ? o.communities : path, &o, &m, &net));
    ksda_i_result_give(&network_kind, out, &net);
    ksda_i_result_empty(&network_kind, &net);
done:
    ksda_network_clear(ctx, &net);
    ksda_i_read_clear(ctx, &r);
    ksda_i_membership_clear(ctx, &m);
    return status;
}
