# Folders of src/ use only those below them, by the symbols of the object files, and no files use each other in a ring.
. "$SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null && command -v nm >/dev/null || skip "no python3 or no nm"
python3 "$SOURCE/tests/support/layers.py" "$BUILD"

# the check itself sees what it is for: an upward link and a ring, in a copy with two more object files
copy=copy/CMakeFiles/ksda_objects.dir/src
mkdir -p copy/CMakeFiles && cp -r "$BUILD/CMakeFiles/ksda_objects.dir" copy/CMakeFiles/
upward() { printf 'void %s(void);\nvoid %s(void);\nvoid %s(void) { %s(); }\n' "$1" "$2" "$1" "$2" | ${CC:-cc} -c -x c - -o "$3"; }
upward ksda_i_low ksda_methods $copy/core/low.c.o
if python3 "$SOURCE/tests/support/layers.py" copy >out; then fail "an upward link was not seen"; fi
grep -q 'src/core/low.c uses ksda_methods of src/anonymize/methods.c' out || fail "the upward link is not named"
upward ksda_i_low qsort $copy/core/low.c.o
if python3 "$SOURCE/tests/support/layers.py" copy >out; then fail "a stray qsort() was not seen"; fi
grep -q 'src/core/low.c calls qsort(), which only core/sort.c may' out || fail "the stray call is not named"
upward ksda_i_low ksda_i_high $copy/core/low.c.o
upward ksda_i_high ksda_i_low $copy/core/high.c.o
if python3 "$SOURCE/tests/support/layers.py" copy 2>err; then fail "a ring was not seen"; fi
grep -q 'in a ring: src/core/' err || fail "the ring is not named"
