/* SHA-256 against the vectors of FIPS 180-4 and of the NIST's examples, whole and in pieces of any size. */
#include "core/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void is(const ksda_i_sha256 *hash, const char *expected) {
    char text[KSDA_I_SHA256_TEXT];
    ksda_i_sha256_text(hash, text);
    assert_string_equal(text, expected);
}

static void known_texts_have_known_hashes(void **state) {
    static const char *const known[][2] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqr"
         "stu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ksda_i_sha256 hash;
        ksda_i_sha256_begin(&hash);
        ksda_i_sha256_add(&hash, known[i][0], strlen(known[i][0]));
        is(&hash, known[i][1]);
    }
}

static void a_million_letters_in_pieces_of_any_size(void **state) {
    static char letters[1000];
    (void)state;
    memset(letters, 'a', sizeof letters);
    for (size_t piece = 1; piece <= sizeof letters; piece = piece * 2 + 1) {
        ksda_i_sha256 hash;
        ksda_i_sha256_begin(&hash);
        for (size_t left = 1000000; left > 0;) {
            size_t part = left < piece ? left : piece;
            ksda_i_sha256_add(&hash, letters, part);
            left -= part;
        }
        is(&hash, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}

/* Padding is what goes wrong: every length around the ends of blocks, whole against byte by byte, and asked in between.
 */
static void every_length_is_the_same_in_one_piece_and_in_many(void **state) {
    char data[200], one[KSDA_I_SHA256_TEXT], two[KSDA_I_SHA256_TEXT];
    (void)state;
    for (size_t i = 0; i < sizeof data; i++) data[i] = (char)(i * 37 + 11);
    ksda_i_sha256 many;
    ksda_i_sha256_begin(&many);
    for (size_t size = 0; size < sizeof data; size++) {
        ksda_i_sha256 whole;
        ksda_i_sha256_begin(&whole);
        ksda_i_sha256_add(&whole, data, size);
        ksda_i_sha256_text(&whole, one);
        ksda_i_sha256_text(&many, two);
        assert_string_equal(one, two);
        ksda_i_sha256_add(&many, data + size, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_texts_have_known_hashes),
        cmocka_unit_test(a_million_letters_in_pieces_of_any_size),
        cmocka_unit_test(every_length_is_the_same_in_one_piece_and_in_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
