/* The option parser: every form means the same, numbers are whole and in range, near misses are found. The parser is
 * part of the command, not of the library, so its source is included; what it needs from the rest of the command is
 * played here. */
#include "../../cli/options.c"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

static char last_message[1024];

int cli_usage(const cli_command *command, const char *format, ...) {
    va_list arguments;
    (void)command;
    va_start(arguments, format);
    vsnprintf(last_message, sizeof last_message, format, arguments);
    va_end(arguments);
    return CLI_USAGE;
}
void cli_error(const char *format, ...) {
    (void)format;
}
const char *cli_format_choices(size_t i) {
    return i == 0 ? "auto" : i == 1 ? "edges" : NULL;
}

CLI_CHOICES(colours, "red", "green", "blue")

typedef struct values_of_test {
    uint64_t k;
    double weight;
    const char *colour, *file;
    bool loud;
} values_of_test;
static const values_of_test defaults = {.k = 7, .weight = 0.5};
static const cli_option rows[] = {
    {.letter = 'k',
     .name = "count",
     .value = "K",
     .type = CLI_COUNT,
     .at = offsetof(values_of_test, k),
     .min = 2,
     .max = 1000,
     .help = "k"},
    {.letter = 'w',
     .name = "weight",
     .value = "W",
     .type = CLI_REAL,
     .at = offsetof(values_of_test, weight),
     .min = 0,
     .max = 10,
     .help = "w"},
    {.name = "colour",
     .value = "C",
     .type = CLI_CHOICE,
     .at = offsetof(values_of_test, colour),
     .choices = colours,
     .help = "c"},
    {.letter = 'f',
     .name = "file",
     .value = "F",
     .type = CLI_OUTPUT,
     .at = offsetof(values_of_test, file),
     .help = "f"},
    {.letter = 'l', .name = "loud", .type = CLI_FLAG, .at = offsetof(values_of_test, loud), .help = "l"},
    {0}};
static const cli_argument words[] = {{"A", CLI_TEXT, true, NULL, "a"}, {"B", CLI_CHOICE, false, colours, "b"}, {0}};
static const cli_command command = {.name = "test",
                                    .options = rows,
                                    .arguments = words,
                                    .size = sizeof(values_of_test),
                                    .defaults = &defaults,
                                    .shared = CLI_SEED | CLI_JSON};

/* Parse a line split at spaces; "_" stands for an empty word. */
static int parse(const char *line, cli_values *out) {
    static char copy[1024];
    char *argv[64], *rest = copy;
    int argc = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word; (word = strsep(&rest, " ")) && argc < 64;) {
        if (!*word) continue;
        if (strcmp(word, "_") == 0) *word = '\0';
        argv[argc++] = word;
    }
    last_message[0] = '\0';
    return cli_parse(&command, argc, argv, out);
}

static void test_forms(void **state) {
    static const char *const same[] = {
        "x --count 5 -w 1.5 --file out -l",
        "--count=5 --weight=1.5 --file=out --loud x",
        "-k5 -w1.5 -fout -l x",
        "-k 5 x -lw 1.5 -f out",
        "-lk5 -w1.5 -f out -- x",
        "-l -k 5 --weight 1.5 -fout -- x",
    };
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        cli_values v;
        assert_int_equal(parse(same[i], &v), 0);
        const values_of_test *t = v.values;
        assert_int_equal(t->k, 5);
        assert_true(t->weight == 1.5);
        assert_string_equal(t->file, "out");
        assert_true(t->loud);
        assert_int_equal(v.arguments, 1);
        assert_string_equal(v.argument[0], "x");
        assert_null(v.argument[1]);
        cli_values_clear(&v);
    }
}

static void test_defaults_and_words(void **state) {
    cli_values v;
    (void)state;
    assert_int_equal(parse("-", &v), 0); /* a dash alone is a word */
    assert_int_equal(((values_of_test *)v.values)->k, 7);
    assert_int_equal(v.shared.seed, 1);
    assert_string_equal(v.argument[0], "-");
    cli_values_clear(&v);
    assert_int_equal(parse("-- -k green", &v), 0);
    assert_string_equal(v.argument[0], "-k");
    assert_string_equal(v.argument[1], "green");
    cli_values_clear(&v);
    assert_int_equal(parse("--count nonsense --help", &v), CLI_USAGE); /* mistakes before --help count ... */
    cli_values_clear(&v);
    assert_int_equal(parse("--help --count nonsense", &v), 0); /* ... and those after it do not */
    assert_true(v.shared.help_long);
    cli_values_clear(&v);
}

static void test_mistakes(void **state) {
    static const char *const wrong[][2] = {
        {"", "A is missing"},
        {"x y", "is none of"},
        {"x gren", "did you mean 'green'"},
        {"x red z", "unexpected"},
        {"x --cuont 3", "'--count'?"},
        {"x --colour=blu", "'blue'?"},
        {"x -k", "needs a value"},
        {"x -k 1", "too small"},
        {"x -k 1001", "too large"},
        {"x -k -5", "not a whole"},
        {"x -k 5x", "not a whole"},
        {"x -k _", "not a whole"},
        {"x -k 99999999999999999999999", "too large"},
        {"x -w 11", "too large"},
        {"x -w -0.1", "too small"},
        {"x -w inf", "not a number"},
        {"x -w nan", "not a number"},
        {"x -w 1e400", "not a number"},
        {"x --loud=1", "takes no value"},
        {"x -z", "unknown option '-z'"},
        {"x -lz", "unknown option '-z'"},
        {"x --", NULL},
        {"x --file _", "missing"},
        {"x --file=", "missing"},
        {"x --seed -1", "not a whole"},
        {"x --threads 2", "unknown option"}, /* not asked for */
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cli_values v;
        int code = parse(wrong[i][0], &v);
        assert_int_equal(code, wrong[i][1] ? CLI_USAGE : 0);
        if (wrong[i][1] && !strstr(last_message, wrong[i][1])) fail_msg("'%s': %s", wrong[i][0], last_message);
        cli_values_clear(&v);
    }
}

/* Against arithmetic that cannot overflow: compare digit strings. */
static void test_counts(void **state) {
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        char text[32];
        uint64_t value, parsed;
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        value = x >> (i % 64);
        snprintf(text, sizeof text, "%llu", (unsigned long long)value);
        assert_true(cli_parse_count(text, strlen(text), &parsed));
        assert_true(parsed == value);
        text[(size_t)i % strlen(text)] = (char)(i % 2 ? 'a' : '-');
        assert_false(cli_parse_count(text, strlen(text), &parsed));
    }
    uint64_t top;
    assert_true(cli_parse_count("18446744073709551615", 20, &top) && top == UINT64_MAX);
    assert_false(cli_parse_count("18446744073709551616", 20, &top));
    assert_false(cli_parse_count("184467440737095516150", 21, &top));
    assert_false(cli_parse_count("", 0, &top));
}

/* The definition, by recursion: change, add, drop, or swap two neighbours that are not touched again. */
static size_t slow_distance(const char *a, size_t n, const char *b, size_t m) {
    if (n == 0 || m == 0) return n + m;
    size_t best = slow_distance(a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1]);
    size_t drop = slow_distance(a, n - 1, b, m) + 1, add = slow_distance(a, n, b, m - 1) + 1;
    if (drop < best) best = drop;
    if (add < best) best = add;
    if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1]) {
        size_t swap = slow_distance(a, n - 2, b, m - 2) + 1;
        if (swap < best) best = swap;
    }
    return best;
}

static void test_distance(void **state) {
    (void)state;
    uint64_t x = 362436069u;
    for (int i = 0; i < 3000; i++) {
        char a[8], b[8];
        for (int j = 0; j < 7; j++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            a[j] = (char)('a' + (x >> 40) % 3);
            b[j] = (char)('a' + (x >> 50) % 3);
        }
        a[(x >> 33) % 7] = '\0', b[(x >> 36) % 7] = '\0';
        a[7] = b[7] = '\0';
        assert_int_equal(distance(a, b), slow_distance(a, strlen(a), b, strlen(b)));
    }
    static const char *const names[] = {"anonymize", "check", "verify", NULL};
    assert_string_equal(cli_nearest("anonymise", names), "anonymize");
    assert_string_equal(cli_nearest("chekc", names), "check");
    assert_string_equal(cli_nearest("ver", names), "verify");
    assert_null(cli_nearest("zzz", names));
    assert_null(cli_nearest("", names));
}

static void test_shown_defaults(void **state) {
    const cli_option *row;
    bool shared;
    (void)state;
    for (size_t i = 0; (row = cli_option_at(&command, i, &shared)); i++) {
        char text[64];
        cli_option_default(&command, row, shared, text, sizeof text);
        if (!shared && row->letter == 'k') assert_string_equal(text, "7");
        if (!shared && row->letter == 'w') assert_string_equal(text, "0.5");
        if (!shared && row->name && strcmp(row->name, "colour") == 0) assert_string_equal(text, "red");
        if (shared && row->name && strcmp(row->name, "seed") == 0) assert_string_equal(text, "1");
        if (row->type == CLI_FLAG) assert_string_equal(text, "");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),  cmocka_unit_test(test_defaults_and_words), cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_counts), cmocka_unit_test(test_distance),           cmocka_unit_test(test_shown_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
