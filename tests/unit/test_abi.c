/* The table of the public structs: complete, in order, without a gap that is not padding; and the names of every public
 * enumeration, there and back. */
#include "context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <ksda/ksda.h>

static const ksda_abi_struct *find(const char *name) {
    size_t count;
    const ksda_abi_struct *s = ksda_abi(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(s[i].name, name) == 0) return &s[i];
    fail_msg("%s is not in the table", name);
    return NULL;
}

static const ksda_abi_field *field_of(const char *name, const char *field) {
    const ksda_abi_struct *s = find(name);
    for (uint32_t i = 0; i < s->fields; i++)
        if (strcmp(s->field[i].name, field) == 0) return &s->field[i];
    fail_msg("%s has no %s", name, field);
    return NULL;
}

/* A field that the table lacks would leave a gap that no alignment explains. */
static void structs_have_no_gaps(void **state) {
    (void)state;
    size_t count;
    const ksda_abi_struct *s = ksda_abi(&count);
    assert_true(count > 30);
    for (size_t i = 0; i < count; i++) {
        uint32_t end = 0;
        if (i) assert_true(strcmp(s[i - 1].name, s[i].name) < 0);
        for (uint32_t j = 0; j < s[i].fields; j++) {
            const ksda_abi_field *f = &s[i].field[j];
            uint32_t step = f->kind == KSDA_ABI_STRUCT || f->kind == KSDA_ABI_ARRAY ? 8 : f->size;
            if (f->offset < end || f->offset - end >= step) fail_msg("%s.%s at %u", s[i].name, f->name, f->offset);
            end = f->offset + f->size;
        }
        if (s[i].size < end || s[i].size - end >= 8) fail_msg("%s is %u bytes", s[i].name, s[i].size);
    }
}

static void fields_are_where_the_compiler_has_them(void **state) {
    (void)state;
    assert_int_equal(find("ksda_csr")->size, sizeof(ksda_csr));
    assert_int_equal(field_of("ksda_csr", "targets")->offset, offsetof(ksda_csr, targets));
    assert_int_equal(field_of("ksda_csr", "dispose")->kind, KSDA_ABI_POINTER);
    assert_int_equal(field_of("ksda_anonymize_options", "favour")->kind, KSDA_ABI_ENUM);
    assert_int_equal(field_of("ksda_anonymize_options", "step")->kind, KSDA_ABI_POINTER);
    assert_int_equal(field_of("ksda_anonymize_options", "no_proof")->kind, KSDA_ABI_SIGNED);
    assert_int_equal(field_of("ksda_anonymize_result", "cost")->kind, KSDA_ABI_REAL);
    assert_int_equal(field_of("ksda_verification", "error")->kind, KSDA_ABI_ARRAY);
    assert_int_equal(field_of("ksda_verification", "error")->size, 512);
    assert_int_equal(field_of("ksda_measures", "degrees")->kind, KSDA_ABI_STRUCT);
    assert_int_equal(field_of("ksda_rmat_options", "c")->offset, offsetof(ksda_rmat_options, c));
    assert_int_equal(field_of("ksda_comparison", "published")->offset, offsetof(ksda_comparison, published));
}

/* Every options and result struct begins with its size. */
static void sized_structs_begin_with_it(void **state) {
    (void)state;
    size_t count, sized = 0;
    const ksda_abi_struct *s = ksda_abi(&count);
    for (size_t i = 0; i < count; i++) {
        bool options = strstr(s[i].name, "_options") != NULL, first = strcmp(s[i].field[0].name, "size") == 0;
        if (options) assert_true(first);
        if (first && s[i].field[0].size == sizeof(size_t)) sized++;
    }
    assert_true(sized >= 18);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

#define THERE_AND_BACK(type, count)                                                                                    \
    do {                                                                                                               \
        int names = 0;                                                                                                 \
        for (int i = -200; i < 200; i++) {                                                                             \
            const char *name = type##_name((type)i);                                                                   \
            type value = (type)12345;                                                                                  \
            if (!name || !type##_from_name(name, &value)) continue;                                                    \
            if (value == (type)i) names++;                                                                             \
        }                                                                                                              \
        if (names != (count)) fail_msg(#type ": %d names", names);                                                     \
        type kept = (type)i_kept;                                                                                      \
        assert_false(type##_from_name("no such word", &kept));                                                         \
        assert_int_equal(kept, i_kept);                                                                                \
        assert_false(type##_from_name("", &kept));                                                                     \
    } while (0)

enum {
    i_kept = 1
};

static void names_go_there_and_back(void **state) {
    (void)state;
    THERE_AND_BACK(ksda_status, 13);
    THERE_AND_BACK(ksda_unassigned, 5);
    THERE_AND_BACK(ksda_communities_format, 3);
    THERE_AND_BACK(ksda_header, 3);
    THERE_AND_BACK(ksda_favour, 4);
    THERE_AND_BACK(ksda_method_flag, 8);
    THERE_AND_BACK(ksda_model_status, 4);
    THERE_AND_BACK(ksda_detector, 3);
    THERE_AND_BACK(ksda_rendering, 3);
    THERE_AND_BACK(ksda_abi_kind, 7);
    THERE_AND_BACK(ksda_measure_id, KSDA_MEASURE_COUNT);
    THERE_AND_BACK(ksda_difference_id, KSDA_DIFFERENCE_COUNT);
    ksda_format format = KSDA_FORMAT_CSV;
    assert_false(ksda_format_from_name("word", &format));
    assert_true(ksda_format_from_name("auto", &format));
    assert_int_equal(format, KSDA_FORMAT_AUTO);
    for (ksda_format f = ksda_format_next(KSDA_FORMAT_AUTO); f != KSDA_FORMAT_AUTO; f = ksda_format_next(f)) {
        assert_true(ksda_format_from_name(ksda_format_name(f), &format));
        assert_int_equal(format, f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_have_no_gaps),
        cmocka_unit_test(fields_are_where_the_compiler_has_them),
        cmocka_unit_test(sized_structs_begin_with_it),
        cmocka_unit_test(names_go_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
