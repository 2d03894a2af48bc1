#!/usr/bin/env bash
# The table of docs/results/exact.md: every instance the exact methods are judged by, solved and printed as Markdown.
# Usage: exact-table.sh path/to/ksda [folder with the data] [seconds per instance, at most]
set -eu
ksda=${1:?usage: exact-table.sh path/to/ksda [data folder] [seconds]}
data=${2:-$(dirname "$0")/../../shared/data}
most=${3:-3600}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# one NETWORK PARTITION K OPERATIONS SECONDS: a row of the table
one() {
    local graph=$data/$1.edges limit=$5 code=0
    [ -f "$graph" ] || graph=$graph.gz
    [ "$limit" -le "$most" ] || limit=$most
    "$ksda" optimal "$graph" -c "$data/$1.$2.communities" -k "$3" --operations "$4" --time-limit "$limit" --quiet --json --force \
        -o "$scratch/published.edges" --map "$scratch/private.map" >"$scratch/json" 2>"$scratch/error" || code=$?
    case $code in 0 | 4 | 5) ;; *) cat "$scratch/error" >&2; exit "$code" ;; esac
    local verified=-
    if [ "$(jq -r '.objective // "null"' "$scratch/json")" != null ]; then
        verified=no
        "$ksda" verify "$graph" "$scratch/published.edges" -c "$data/$1.$2.communities" --map "$scratch/private.map" -k "$3" \
            --quiet >/dev/null && verified=yes
    fi
    jq -r --arg name "$1.$2" --arg k "$3" --arg what "$4" --arg verified "$verified" '
        "| \($name) | \($k) | \($what) | \(.status) | \(.added_edges // "-") / \(.added_vertices // "-") | \(.objective // "-") | \(.bound // "-") | " +
        (if .gap == null then "-" else "\((.gap * 1000 | round) / 10) %" end) +
        " | \(if .seconds then (.seconds.anonymize * 10 | round) / 10 else "< 1" end) | \($verified) |"' "$scratch/json"
}

echo "| network | k | operations | status | n_a / n_s | cost | proved bound | gap | seconds | verified |"
echo "|---|---|---|---|---|---|---|---|---|---|"
one usairport500 metis8 2 add 300
one usairport500 metis5 2 add 300
one usairport500 metis5 4 add 300
for k in 2 3 4; do one lesmis metis4 $k add+split 600; done
one usairport500 metis8 3 add 3600
one usairport500 metis5 3 add 3600
for k in 5 15 25; do one ca-CondMat metis100 $k add 120; done
