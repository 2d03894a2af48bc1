#!/usr/bin/env bash
# Fuzz every target, or those named, for some seconds each: scripts/fuzz.sh SECONDS [NAME...]
# What the fuzzers learn stays in build-fuzz/corpus; an input that fails is left in build-fuzz/found, and belongs, once the
# reader is mended, into fuzz/corpus/NAME, where the ordinary tests replay it.
set -eu
cd "$(dirname "$0")/.."
duration=${1:?usage: scripts/fuzz.sh SECONDS [NAME...]}
shift
if [ $# -eq 0 ]; then
    for file in fuzz/fuzz_*.c; do
        name=${file#fuzz/fuzz_}
        set -- "$@" "${name%.c}"
    done
fi
command -v clang >/dev/null || { echo "fuzzing needs clang" >&2; exit 1; }
CC=clang cmake -S . -B build-fuzz -DKSDA_BUILD_FUZZERS=ON -DKSDA_SANITIZE=fuzzer-no-link,address,undefined >/dev/null
cmake --build build-fuzz -j"$(nproc)" --target "${@/#/fuzz_}" -- --no-print-directory >/dev/null
mkdir -p build-fuzz/found
failed=0
for name in "$@"; do
    mkdir -p "build-fuzz/corpus/$name"
    options="-max_total_time=$duration -max_len=4096 -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=256 -print_final_stats=1"
    [ -f "fuzz/dict/$name.dict" ] && options="$options -dict=fuzz/dict/$name.dict"
    # shellcheck disable=SC2086
    if build-fuzz/fuzz/fuzz_"$name" $options -artifact_prefix="build-fuzz/found/$name-" \
        "build-fuzz/corpus/$name" "fuzz/corpus/$name" 2>"build-fuzz/$name.log"; then
        echo "$name: $(awk '/number_of_executed_units/ {print $2}' "build-fuzz/$name.log") inputs, nothing found"
    else
        failed=1
        echo "$name: FAILED, see build-fuzz/$name.log"
        tail -n 30 "build-fuzz/$name.log"
    fi
done
exit $failed
