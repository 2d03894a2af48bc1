# Every public header compiles on its own, as C99 and as C++11, under the strictest flags.
. "$SOURCE/tests/support/cli.sh"
cxx=$(command -v g++ || command -v clang++) || skip "no C++ compiler"
flags="-fsyntax-only -pedantic -pedantic-errors -Wall -Wextra -Werror -I$SOURCE/include"
for header in "$SOURCE"/include/ksda/*.h; do
    printf '#include <ksda/%s>\nint main(void) { return 0; }\n' "$(basename "$header")" >one.c
    # shellcheck disable=SC2086
    expect 0 cc -std=c99 -Wstrict-prototypes $flags one.c
    # shellcheck disable=SC2086
    expect 0 "$cxx" -x c++ -std=c++11 $flags one.c
done
