#!/usr/bin/env bash
# The table of docs/results/methods.md: success, n_a and n_s of every method of the paper on the data networks.
# usage: scripts/methods-table.sh [BUILD] [DATA]   prints Markdown
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
data=${2:-../shared/data}
[ -d "$data" ] || { echo "no folder $data: the data networks are not part of the project" >&2; exit 77; }
cmake -S . -B "$build" -DKSDA_BUILD_BENCH=ON >/dev/null
cmake --build "$build" --target bench_methods_table >/dev/null
exec "$build/bench/bench_methods_table" "$data"
