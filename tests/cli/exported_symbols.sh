# The shared library exports exactly the public functions. After a change on purpose: make update-symbols
. "$SOURCE/tests/support/cli.sh"
library=$(ls "$BUILD"/libksda.so)
nm -D --defined-only "$library" | awk '{print $3}' | grep -vE '^(__odr_asan|_init$|_fini$)' | LC_ALL=C sort >symbols
diff "$SOURCE/tests/exported-symbols.txt" symbols >difference || {
    echo "--- what changed (< listed, > exported):" >&2
    cat difference >&2
    fail "exported symbols changed; if that was meant: make update-symbols"
}
grep -v '^ksda_' symbols && fail "exported without the prefix"
grep '^ksda_i_' symbols && fail "an internal function is exported"
# every function that a public header declares is there
cat "$SOURCE"/include/ksda/*.h | tr '\n' ' ' | grep -oE 'KSDA_API [^;(]*[ *](ksda_[a-z0-9_]+)\(' | grep -oE 'ksda_[a-z0-9_]+\($' | tr -d '(' |
    LC_ALL=C sort >declared
diff declared symbols || fail "declared (<) and exported (>) functions differ"
