/* Small helpers for both renderings. */
#include "report/report.h"

#include <math.h>

void ksda_i_json_real(json_t *object, const char *name, double value) {
    json_object_set_new(object, name, isfinite(value) ? json_real(value) : json_null());
}

void ksda_i_json_count(json_t *object, const char *name, uint64_t value) {
    json_object_set_new(object, name, value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value));
}

void ksda_i_json_text(json_t *object, const char *name, const char *value) {
    json_t *text = value ? json_string(value) : json_null();
    json_object_set_new(object, name, text ? text : json_string("(not UTF-8)"));
}

void ksda_i_json_bool(json_t *object, const char *name, int value) {
    json_object_set_new(object, name, json_boolean(value));
}

const char *ksda_i_grouped(uint64_t value, char *buffer) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value), used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) buffer[used++] = ',';
        buffer[used++] = digits[i];
    }
    buffer[used] = '\0';
    return buffer;
}
