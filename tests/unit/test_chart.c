/* Charts: what is drawn is what was given, nothing more, and never outside of the frame. */
#include "report/chart.h"
#include "core/random.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static char *drawn(ksda_ctx *ctx, const ksda_i_chart *chart, bool file, bool *shown) {
    ksda_i_output *out;
    char *text = NULL, *ended;
    size_t size;
    assert_int_equal(ksda_i_output_memory(ctx, &out), KSDA_OK);
    *shown = file ? ksda_i_chart_file(out, chart) : ksda_i_chart_figure(out, chart);
    assert_int_equal(ksda_i_output_take(out, &text, &size), KSDA_OK);
    ended = calloc(size + 1, 1);
    assert_non_null(ended);
    if (size) memcpy(ended, text, size);
    ksda_i_free(ctx, text);
    return ended;
}

static uint32_t count(const char *text, const char *what) {
    uint32_t found = 0;
    for (; (text = strstr(text, what)); text++) found++;
    return found;
}

static void test_gaps_and_escapes(void **state) {
    double x[] = {1, 2, 3, 4}, y[] = {10, NAN, 30, 40};
    ksda_i_chart_line line = {.label = "a <b> & c", .style = 3, .count = 4, .x = x, .y = y};
    ksda_i_chart chart = {.id = "i",
                          .title = "<script>",
                          .x = {.label = "k"},
                          .y = {.label = "edges"},
                          .reference = 20,
                          .reference_label = "original",
                          .line = &line,
                          .count = 1};
    ksda_ctx *ctx;
    bool shown;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    char *text = drawn(ctx, &chart, true, &shown);
    assert_true(shown);
    assert_null(strstr(text, "<script>"));
    assert_null(strstr(text, "<b>"));
    assert_non_null(strstr(text, "a &lt;b&gt; &amp; c, k = 3: 30"));
    assert_int_equal(count(text, ", k = "), 3); /* the gap has no mark */
    assert_int_equal(count(text, "original: 20"), 1);
    free(text);
    for (int i = 0; i < 4; i++) y[i] = NAN;
    text = drawn(ctx, &chart, true, &shown);
    assert_false(shown);
    assert_int_equal(strlen(text), 0);
    free(text);
    ksda_ctx_free(ctx);
}

/* Every coordinate of random charts lies within the drawing; every value that can be shown has its mark. */
static void check_random(ksda_ctx *ctx, ksda_i_rng *r) {
    double x[24], y[24];
    uint32_t n = 1 + (uint32_t)ksda_i_rng_below(r, 24), expected = 0;
    bool logarithmic = ksda_i_rng_below(r, 2), shown;
    for (uint32_t i = 0; i < n; i++) {
        x[i] = pow(10, (double)ksda_i_rng_below(r, 12) - 4) * (double)ksda_i_rng_below(r, 10);
        y[i] = ksda_i_rng_below(r, 5) ? (double)ksda_i_rng_below(r, 1000) * pow(10, (double)ksda_i_rng_below(r, 16) - 8)
                                      : NAN;
        expected += !isnan(y[i]) && (!logarithmic || (x[i] > 0 && y[i] > 0));
    }
    ksda_i_chart_line line = {
        .label = "l", .style = (int)ksda_i_rng_below(r, 40), .count = n, .x = x, .y = y, .marks_only = true};
    ksda_i_chart chart = {.id = "i",
                          .title = "t",
                          .x = {.label = "degree", .logarithmic = logarithmic},
                          .y = {.label = "", .logarithmic = logarithmic},
                          .reference = NAN,
                          .reference_label = "",
                          .line = &line,
                          .count = 1};
    char *text = drawn(ctx, &chart, ksda_i_rng_below(r, 2), &shown);
    assert_int_equal(shown, expected > 0);
    assert_int_equal(count(text, "<title>l, "), expected);
    for (const char *at = text; (at = strstr(at, " d=\"M")); at++) {
        double px, py;
        if (sscanf(at, " d=\"M%lf %lf", &px, &py) != 2) continue;
        assert_true(px >= 0 && px <= 540 && py >= 0 && py <= 400);
    }
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
}

static void test_random(void **state) {
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t i = 0; i < 5000; i++) {
        ksda_i_rng r = ksda_i_rng_stream(1, 77, i);
        check_random(ctx, &r);
    }
    ksda_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gaps_and_escapes), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
