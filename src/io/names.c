/* Names in lines: which can stand there, and how. What a reader would not take back is refused when it is written. */
#include "io/names.h"

#include "io/text.h"

static const char *text_of(const ksda_i_ids *ids, uint32_t item, size_t *length) {
    *length = ids->start[item + 1] - ids->start[item];
    return ids->text + ids->start[item];
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* At the start of a file this would be taken for a byte order mark. */
static bool begins_with_mark(const char *text, size_t length) {
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
}

static bool name_fits(const char *text, size_t length, ksda_i_naming naming) {
    if (length == 0) return false;
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) return false;
        if (naming == KSDA_I_NAMING_WORD && is_blank(text[i])) return false;
    }
    if (naming == KSDA_I_NAMING_CSV) return true;
    if (begins_with_mark(text, length)) return false;
    return text[0] != '#' && text[0] != '%' && !is_blank(text[0]) && !is_blank(text[length - 1]);
}

static uint32_t first_unfit(const ksda_i_ids *ids, ksda_i_naming naming) {
    size_t length;
    for (uint32_t i = 0; ids->kind == KSDA_I_IDS_NAMES && i < ids->count; i++) {
        const char *text = text_of(ids, i, &length);
        if (!name_fits(text, length, naming)) return i;
    }
    return KSDA_NO_VERTEX;
}

bool ksda_i_names_fit(const ksda_i_ids *ids, ksda_i_naming naming) {
    return first_unfit(ids, naming) == KSDA_NO_VERTEX;
}

ksda_status ksda_i_names_check(ksda_ctx *ctx, const ksda_i_ids *ids, ksda_i_naming naming, const char *what) {
    uint32_t item = first_unfit(ids, naming);
    char shown[KSDA_I_SHOWN];
    size_t length;
    if (item == KSDA_NO_VERTEX) return KSDA_OK;
    const char *text = text_of(ids, item, &length);
    return ksda_i_error(ctx, KSDA_UNSUPPORTED, "the name %s cannot stand in %s", ksda_i_show(text, length, shown),
                        what);
}

static bool wants_quotes(const char *text, size_t length, char separator) {
    if (is_blank(text[0]) || is_blank(text[length - 1]) || begins_with_mark(text, length)) return true;
    return memchr(text, '"', length) || memchr(text, separator, length);
}

void ksda_i_names_write(const ksda_i_ids *ids, uint32_t item, ksda_i_naming naming, char separator,
                        ksda_i_output *out) {
    if (ids->kind == KSDA_I_IDS_RANGE) {
        ksda_i_output_number(out, ids->first + item);
    } else if (ids->kind == KSDA_I_IDS_NUMBERS) {
        ksda_i_output_number(out, ids->number[item]);
    } else {
        size_t length;
        const char *text = text_of(ids, item, &length);
        if (naming != KSDA_I_NAMING_CSV || !wants_quotes(text, length, separator)) {
            ksda_i_output_write(out, text, length);
            return;
        }
        ksda_i_output_write(out, "\"", 1);
        for (size_t i = 0; i < length; i++)
            ksda_i_output_write(out, text[i] == '"' ? "\"\"" : text + i, text[i] == '"' ? 2 : 1);
        ksda_i_output_write(out, "\"", 1);
    }
}
