# Every method and command over networks of extreme shapes, with a time limit: they end in time, with an answer that holds,
# and in bounded memory. KSDA_TEST_ZOO=large takes stars and matchings of a million, cliques of thousands and all commands.
. "$SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null || skip "there is no python3"
if sanitized; then # what a sanitizer keeps of freed memory is not the command's
    export KSDA_ZOO_FACTOR=6 KSDA_ZOO_EVERY=2 ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=16"
fi
python3 "$SOURCE/tests/support/zoo.py" "${KSDA_TEST_ZOO:-small}" >out 2>&1 || {
    cat out >&2
    exit 1
}
tail -1 out
