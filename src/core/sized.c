/* The one place that looks at the size of a struct of the caller's. */
#include "core/sized.h"

/* No struct of any version is larger: beyond that a size is what happened to lie in memory. */
enum {
    LARGEST = 4096
};

static size_t size_of(const void *object) {
    size_t size;
    memcpy(&size, object, sizeof size);
    return size;
}

static bool is_zero(const unsigned char *from, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (from[i]) return false;
    return true;
}

static ksda_status check_size(ksda_ctx *ctx, const ksda_i_sized *kind, const void *object) {
    if (!object) return ksda_i_error(ctx, KSDA_INVALID, "%s: no struct was given", kind->name);
    size_t size = size_of(object);
    if (size == 0) return ksda_i_error(ctx, KSDA_INVALID, "%s: size is not set: %s", kind->name, kind->ready);
    if (size < kind->first || size > LARGEST)
        return ksda_i_error(ctx, KSDA_INVALID, "%s: size %zu is no size of this struct (%zu to %zu): %s", kind->name,
                            size, kind->first, kind->known, kind->ready);
    if (size > kind->known && !is_zero((const unsigned char *)object + kind->known, size - kind->known))
        return ksda_i_error(ctx, KSDA_INVALID,
                            "%s: size %zu, and what is set beyond byte %zu is unknown to this version of the library: "
                            "%s, and set only what version %s has",
                            kind->name, size, kind->known, kind->ready, ksda_version());
    return KSDA_OK;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

void ksda_i_options_init(const ksda_i_sized *kind, void *options, size_t size, const void *defaults) {
    memset(options, 0, size);
    memcpy(options, defaults, smaller(size, kind->known));
    memcpy(options, &size, sizeof size);
}

ksda_status ksda_i_options_take(ksda_ctx *ctx, const ksda_i_sized *kind, const void *given, void *full) {
    if (!given) return KSDA_OK;
    ksda_status status = check_size(ctx, kind, given);
    if (status < 0) return status;
    memcpy(full, given, smaller(size_of(given), kind->known));
    memcpy(full, &kind->known, sizeof kind->known);
    return KSDA_OK;
}

ksda_status ksda_i_result_check(ksda_ctx *ctx, const ksda_i_sized *kind, void *out) {
    ksda_status status = check_size(ctx, kind, out);
    if (out && (status >= 0 || size_of(out) == 0)) ksda_i_result_empty(kind, out);
    return status;
}

void ksda_i_result_give(const ksda_i_sized *kind, void *out, const void *told) {
    size_t size = smaller(size_of(out), kind->known), head = sizeof size;
    memcpy((char *)out + head, (const char *)told + head, size - head);
}

bool ksda_i_result_holds(const ksda_i_sized *kind, const void *result) {
    size_t size = size_of(result);
    return size == 0 || (size >= kind->first && size <= LARGEST);
}

/* A struct of size 0 is of some published version, so at least as large as the first one. */
void ksda_i_result_empty(const ksda_i_sized *kind, void *result) {
    size_t size = size_of(result), head = sizeof size;
    memset((char *)result + head, 0, smaller(size ? size : kind->first, kind->known) - head);
}
