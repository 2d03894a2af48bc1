/* Small helpers for both renderings. */
#include "report/report.h"

#include <math.h>
#include <string.h>

/* jansson tells of an allocation that fails only to the call that needed it, and its writer not even that. */
static _Thread_local bool incomplete;

json_t *ksda_i_json_begin(void) {
    json_t *object = json_object();
    incomplete = false;
    ksda_i_json_count(object, "schema", 1);
    return object;
}

void ksda_i_json_set(json_t *object, const char *name, json_t *value) {
    if (json_object_set_new(object, name, value) != 0) incomplete = true;
}

void ksda_i_json_append(json_t *array, json_t *value) {
    if (json_array_append_new(array, value) != 0) incomplete = true;
}

typedef struct growing {
    ksda_ctx *ctx;
    char *text;
    uint64_t used, room;
} growing;

static int collect(const char *data, size_t size, void *payload) {
    growing *b = payload;
    if (ksda_i_reserve(b->ctx, &b->text, &b->room, b->used + size + 1, 1) < 0) incomplete = true;
    if (incomplete) return -1;
    memcpy(b->text + b->used, data, size);
    b->used += size;
    b->text[b->used] = '\0';
    return 0;
}

ksda_status ksda_i_json_finish(ksda_ctx *ctx, json_t *object, char **out) {
    growing b = {.ctx = ctx};
    *out = NULL;
    if (!incomplete && json_dump_callback(object, collect, &b, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) != 0)
        incomplete = true;
    json_decref(object);
    if (!incomplete) {
        *out = b.text;
        return KSDA_OK;
    }
    ksda_i_free(ctx, b.text);
    return ksda_i_error(ctx, KSDA_NOMEM, "out of memory for a report");
}

void ksda_i_json_real(json_t *object, const char *name, double value) {
    ksda_i_json_set(object, name, isfinite(value) ? json_real(value) : json_null());
}

void ksda_i_json_count(json_t *object, const char *name, uint64_t value) {
    ksda_i_json_set(object, name, value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value));
}

/* A second try tells a text that is not UTF-8 from one that there was no memory for. */
void ksda_i_json_text(json_t *object, const char *name, const char *value) {
    json_t *text = value ? json_string(value) : json_null();
    if (!text) text = json_string(value);
    ksda_i_json_set(object, name, text ? text : json_string("(not UTF-8)"));
}

void ksda_i_json_bool(json_t *object, const char *name, int value) {
    ksda_i_json_set(object, name, json_boolean(value));
}

const char *ksda_grouped(uint64_t value, char *buffer) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value), used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) buffer[used++] = ',';
        buffer[used++] = digits[i];
    }
    buffer[used] = '\0';
    return buffer;
}

const char *ksda_i_word(double count, const char *plural) {
    static const char *const word[][2] = {
        {"vertices", "vertex"}, {"edges", "edge"},           {"communities", "community"},
        {"people", "person"},   {"degrees", "degree"},       {"runs", "run"},
        {"have", "has"},        {"components", "component"}, {"hops", "hop"},
        {"pairs", "pair"},      {"self-loops", "self-loop"}};
    for (size_t i = 0; count == 1 && i < sizeof word / sizeof *word; i++)
        if (strcmp(word[i][0], plural) == 0) return word[i][1];
    return plural;
}

void ksda_i_paragraph(const char *text, FILE *out) {
    enum {
        COLUMNS = 100
    };
    for (size_t column = 0, word; *text; text += word + (text[word] == ' '), column += word) {
        word = strcspn(text, " ");
        if (column && column + 1 + word > COLUMNS)
            fputc('\n', out), column = 0;
        else if (column)
            fputc(' ', out), column++;
        fwrite(text, 1, word, out);
    }
    fputc('\n', out);
}

const char *ksda_i_share_text(ksda_share share, char *buffer) {
    if (share.denominator == 1)
        snprintf(buffer, KSDA_I_SHARE, "%u", share.numerator);
    else
        snprintf(buffer, KSDA_I_SHARE, "%u/%u", share.numerator, share.denominator);
    return buffer;
}

void ksda_i_json_share(json_t *object, const char *name, ksda_share share) {
    char text[KSDA_I_SHARE];
    ksda_i_json_text(object, name, share.denominator ? ksda_i_share_text(share, text) : NULL);
}
