#!/usr/bin/env bash
# Run every benchmark of a build folder, each under its own heading. Usage: bench/run.sh BUILD [NAME ...]
set -eu
build=${1:-build}
shift || true
echo "# $(uname -sm), $(nproc) cores, $(date +%F)"
found=0
for program in "$build"/bench/bench_*; do
    [ -x "$program" ] && [ -f "$program" ] || continue
    name=$(basename "$program")
    name=${name#bench_}
    if [ $# -gt 0 ] && ! printf '%s\n' "$@" | grep -qx "$name"; then continue; fi
    found=1
    printf '\n## %s\n' "$name"
    "$program" || { echo "bench_$name failed with $?" >&2; exit 1; }
done
[ $found = 1 ] || { echo "no benchmark in $build/bench" >&2; exit 1; }
