/* Names that look alike: they differ only in case, in blanks (around them, doubled, or not the usual one), in
 * characters that nobody sees, in leading zeros, or in whether an accent is a part of its letter (NFC) or a character
 * of its own behind it (NFD), as macOS and some databases write it.
 *
 * The table of letters with accents is our own and holds Latin and Cyrillic ones only: small letters with each mark
 * that Unicode composes, one mark at a time, so that two marks go by their usual order. Case is known for Latin
 * letters, Greek ones without accents and Cyrillic ones. Whatever is not in these tables looks like itself only.
 *
 * Cost: the keys of all names go through a hash table of 16 bytes a name. */
#include "io/lookalikes.h"

#include "io/text.h"

#include <stdio.h>

/* Behind each mark: a letter, that letter with the mark, and so on. */
static const struct {
    uint32_t mark;
    const char *letters;
} accents[] = {
    {0x0300, "aàeèiìoòuùüǜnǹēḕōṑwẁâầăằêềôồơờưừyỳ"},
    {0x0301, "aáeéiíoóuúyýcćlĺnńrŕsśzźüǘgǵåǻæǽøǿçḉēḗïḯkḱmḿõṍōṓpṕũṹwẃâấăắêếôốơớưứ"},
    {0x0302, "aâeêiîoôuûcĉgĝhĥjĵsŝwŵyŷzẑạậẹệọộ"},
    {0x0303, "aãnñoõiĩuũvṽâẫăẵeẽêễôỗơỡưữyỹ"},
    {0x0304, "aāeēiīoōuūüǖäǟȧǡæǣǫǭöȫõȭȯȱyȳgḡḷḹṛṝ"},
    {0x0306, "aăeĕgğiĭoŏuŭȩḝạặийуў"},
    {0x0307, "cċeėgġzżaȧoȯbḃdḋfḟhḣmṁnṅpṗrṙsṡśṥšṧṣṩtṫwẇxẋyẏſẛ"},
    {0x0308, "aäeëiïoöuüyÿhḧõṏūṻwẅxẍtẗеёії"},
    {0x0309, "aảâẩăẳeẻêểiỉoỏôổơởuủưửyỷ"},
    {0x030a, "aåuůwẘyẙ"},
    {0x030b, "oőuű"},
    {0x030c, "cčdďeělľnňrřsštťzžaǎiǐoǒuǔüǚgǧkǩʒǯjǰhȟ"},
    {0x030f, "aȁeȅiȉoȍrȑuȕ"},
    {0x0311, "aȃeȇiȋoȏrȓuȗ"},
    {0x031b, "oơuư"},
    {0x0323, "bḅdḍhḥkḳlḷmṃnṇrṛsṣtṭvṿwẉzẓaạeẹiịoọơợuụưựyỵ"},
    {0x0324, "uṳ"},
    {0x0325, "aḁ"},
    {0x0326, "sștț"},
    {0x0327, "cçgģkķlļnņrŗsştţeȩdḑhḩ"},
    {0x0328, "aąeęiįuųoǫ"},
    {0x032d, "dḓeḙlḽnṋtṱuṷ"},
    {0x032e, "hḫ"},
    {0x0330, "eḛiḭuṵ"},
    {0x0331, "bḇdḏkḵlḻnṉrṟtṯzẕhẖ"},
};

/* The letter with the mark, or 0. */
static uint32_t compose(uint32_t letter, uint32_t mark) {
    for (size_t i = 0; i < sizeof accents / sizeof *accents; i++)
        for (const char *at = accents[i].letters; accents[i].mark == mark && *at;) {
            uint32_t plain, with;
            at += ksda_i_utf8(at, 4, &plain);
            at += ksda_i_utf8(at, 4, &with);
            if (plain == letter) return with;
        }
    return 0;
}

static bool within(uint32_t c, uint32_t first, uint32_t last) {
    return c >= first && c <= last;
}

/* Small letters; İ, which becomes two, stays. */
static uint32_t small_letter(uint32_t c) {
    if (c < 0x80) return within(c, 'A', 'Z') ? c + 32 : c;
    if (within(c, 0xc0, 0xde)) return c == 0xd7 ? c : c + 32;
    if (within(c, 0x139, 0x148) || within(c, 0x179, 0x17e) || within(c, 0x1cd, 0x1dc)) return c + (c & 1);
    if (within(c, 0x130, 0x131)) return c;
    if (within(c, 0x100, 0x137) || within(c, 0x14a, 0x177) || within(c, 0x1de, 0x1ef) || within(c, 0x1f8, 0x21f) ||
        within(c, 0x222, 0x233) || within(c, 0x1e00, 0x1e95) || within(c, 0x1ea0, 0x1eff) || within(c, 0x460, 0x481) ||
        within(c, 0x48a, 0x4bf) || within(c, 0x4d0, 0x52f))
        return c | 1;
    if (within(c, 0x391, 0x3ab) || within(c, 0x410, 0x42f)) return c + 32;
    if (within(c, 0x400, 0x40f)) return c + 80;
    return c == 0x178 ? 0xff : c == 0x1a0 || c == 0x1af ? c + 1 : c == 0x1e9e ? 0xdf : c;
}

static bool is_mark(uint32_t c) {
    return within(c, 0x300, 0x36f);
}

static bool is_blank(uint32_t c) {
    return c == ' ' || c == '\t' || c == 0xa0 || within(c, 0x2000, 0x200a) || c == 0x202f || c == 0x3000;
}

/* Of no width: nobody sees it. */
static bool is_hidden(uint32_t c) {
    return c == 0xad || within(c, 0x200b, 0x200d) || c == 0x2060 || c == 0xfeff;
}

/* --- keys -------------------------------------------------------------------------------------------------------- */

/* Without leading zeros, if digits are all there is. */
static size_t drop_zeros(char *key, size_t used) {
    size_t digits = 0, zeros = 0;
    while (digits < used && key[digits] >= '0' && key[digits] <= '9') digits++;
    if (digits < used) return used;
    while (zeros + 1 < used && key[zeros] == '0') zeros++;
    memmove(key, key + zeros, used - zeros);
    return used - zeros;
}

size_t ksda_i_name_key(const char *text, size_t length, char *key) {
    size_t used = 0, step, last_at = 0;
    uint32_t last = 0;
    bool blank = false; /* seen since the last character */
    for (size_t i = 0; i < length; i += step) {
        uint32_t c = (unsigned char)text[i], with;
        if (c > ' ' && c < 0x80 && !blank) { /* the usual case, told at once */
            last = small_letter(c), last_at = used, step = 1;
            key[used++] = (char)last;
            continue;
        }
        if (!(step = ksda_i_utf8(text + i, length - i, &c))) { /* no text: as it is */
            key[used++] = text[i];
            step = 1, last = 0;
            continue;
        }
        if (is_hidden(c)) continue;
        if (is_blank(c)) {
            blank = used > 0;
            continue;
        }
        if (blank) key[used++] = ' ', last = 0;
        blank = false;
        if (is_mark(c) && last && (with = compose(last, c)) != 0)
            c = with, used = last_at;
        else
            c = small_letter(c);
        last = c, last_at = used;
        used += ksda_i_utf8_put(c, key + used);
    }
    return drop_zeros(key, used);
}

/* --- finding them ------------------------------------------------------------------------------------------------ */

typedef struct finder {
    ksda_ctx *ctx;
    const ksda_i_ids *ids;
    uint64_t *slot; /* the upper half of a hash, and an item + 1 */
    uint64_t slots;
    char *key[2];
} finder;

static size_t key_of(const finder *f, uint32_t item, char *key) {
    const ksda_i_ids *ids = f->ids;
    return ksda_i_name_key(ids->text + ids->start[item], ids->start[item + 1] - ids->start[item], key);
}

/* The earlier name that this one looks like, or KSDA_NO_VERTEX: it is the first of its kind. */
static uint32_t earlier(finder *f, uint32_t item) {
    size_t length = key_of(f, item, f->key[0]);
    uint64_t hash = ksda_i_hash_bytes(&f->ctx->hash_key, f->key[0], length), i = hash & (f->slots - 1);
    for (; f->slot[i]; i = (i + 1) & (f->slots - 1)) {
        uint32_t other = (uint32_t)f->slot[i] - 1;
        if (f->slot[i] >> 32 == hash >> 32 && key_of(f, other, f->key[1]) == length &&
            memcmp(f->key[0], f->key[1], length) == 0)
            return other;
    }
    f->slot[i] = hash >> 32 << 32 | (item + 1);
    return KSDA_NO_VERTEX;
}

/* A name with what nobody sees made visible. */
static size_t show_name(const ksda_i_ids *ids, uint32_t item, char *buffer, size_t size) {
    const char *text = ids->text + ids->start[item];
    size_t length = ids->start[item + 1] - ids->start[item], used = 0, step;
    buffer[used++] = '\'';
    for (size_t i = 0; i < length; i += step) {
        uint32_t c = 0;
        step = ksda_i_utf8(text + i, length - i, &c);
        if (used + 16 > size) {
            used += (size_t)sprintf(buffer + used, "...");
            break;
        }
        if (step == 0)
            used += (size_t)sprintf(buffer + used, "\\x%02x", (unsigned char)text[i]), step = 1;
        else if (is_mark(c) || is_hidden(c) || (is_blank(c) && c != ' ') || c < ' ')
            used += (size_t)sprintf(buffer + used, "<U+%04X>", (unsigned)c);
        else
            memcpy(buffer + used, text + i, step), used += step;
    }
    buffer[used++] = '\'';
    buffer[used] = '\0';
    return used;
}

static void tell_pair(const ksda_i_ids *ids, uint32_t one, uint32_t two, ksda_i_lookalikes *out) {
    char first[48], second[48];
    size_t used = strlen(out->pairs);
    if (out->count > KSDA_I_LOOKALIKES_TOLD) return;
    show_name(ids, one, first, sizeof first);
    show_name(ids, two, second, sizeof second);
    snprintf(out->pairs + used, sizeof out->pairs - used, "%s%s and %s", used ? ", " : "", first, second);
}

ksda_status ksda_i_lookalikes_find(ksda_ctx *ctx, const ksda_i_ids *ids, ksda_i_lookalikes *out) {
    ksda_status status = KSDA_OK;
    finder f = {.ctx = ctx, .ids = ids, .slots = 16};
    uint64_t longest = 1;
    *out = (ksda_i_lookalikes){.count = 0};
    if (ids->kind != KSDA_I_IDS_NAMES) return KSDA_OK;
    while (f.slots < 2 * (uint64_t)ids->count) f.slots *= 2;
    for (uint32_t i = 0; i < ids->count; i++)
        longest = ids->start[i + 1] - ids->start[i] > longest ? ids->start[i + 1] - ids->start[i] : longest;
    f.slot = ksda_i_calloc(ctx, f.slots, sizeof *f.slot);
    for (int i = 0; i < 2; i++) f.key[i] = ksda_i_malloc(ctx, longest, 1);
    if (!f.slot || !f.key[0] || !f.key[1]) status = KSDA_NOMEM;
    for (uint32_t i = 0; i < ids->count && status >= 0; i++) {
        uint32_t other = earlier(&f, i);
        if (other != KSDA_NO_VERTEX) out->count++, tell_pair(ids, other, i, out);
        if (i % 65536 == 0) status = ksda_i_interrupted(ctx);
    }
    ksda_i_free(ctx, f.slot);
    for (int i = 0; i < 2; i++) ksda_i_free(ctx, f.key[i]);
    return status;
}
