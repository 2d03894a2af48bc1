#!/usr/bin/env bash
# Run every benchmark of a build folder, each under its own heading. Usage: bench/run.sh BUILD [NAME ...]
set -eu
build=${1:-build}
shift || true
echo "# $(uname -sm), $(nproc) cores, $(date +%F)"
found=0 failed=0
for program in "$build"/bench/bench_*; do
    [ -x "$program" ] && [ -f "$program" ] || continue
    name=$(basename "$program")
    name=${name#bench_}
    if [ $# -gt 0 ] && ! printf '%s\n' "$@" | grep -qx "$name"; then continue; fi
    found=1
    printf '\n## %s\n' "$name"
    case $name in # what those that need arguments are shown on
    level_plan) arguments="usairport500 metis8 2,3" ;;
    level_plan_scale) arguments="20 16 6 10 2" ;;
    level_plan_utility) arguments="usairport500 metis8 2,3 edge-connect 0" ;;
    *) arguments="" ;;
    esac
    if { [ "$name" = level_plan ] || [ "$name" = level_plan_utility ]; } && [ ! -d "$(dirname "$0")/../../shared/data" ]; then
        echo "SKIPPED: the data networks are not here"
        continue
    fi
    # shellcheck disable=SC2086
    "$program" $arguments || { echo "bench_$name failed with $?" >&2; failed=1; }
done
if [ $# = 0 ] || printf '%s\n' "$@" | grep -qx python_arrays; then
    found=1
    printf '\n## python_arrays\n'
    python=
    for candidate in python3 /usr/bin/python3; do
        if [ -z "$python" ] && "$candidate" -c 'import numpy' 2>/dev/null; then python=$candidate; fi
    done
    if [ -z "$python" ]; then
        echo "SKIPPED: no Python with numpy"
    else
        KSDA_LIBRARY=$build/libksda.so "$python" "$(dirname "$0")/python_arrays.py" "$build/ksda" || { echo "python_arrays failed" >&2; failed=1; }
    fi
fi
[ $found = 1 ] || { echo "no benchmark in $build/bench" >&2; exit 1; }
exit $failed
