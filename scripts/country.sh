#!/usr/bin/env bash
# A network of the size of a country: made as raw pairs, then read, released, verified and written by one command, with
# the time and the memory that it took.
# Usage: country.sh [KSDA [FOLDER]]
# Environment: VERTICES (17000000), EDGES (1600000000), COMMUNITIES (1000), K (10), PARTS (8), THREADS (0: all cores),
# KEEP (1: leave the files). FOLDER, a new one under $TMPDIR, needs 20 bytes an edge: 32 GB.
# Edges are drawn by R-MAT in PARTS parts with a seed each, since the generator takes 16 bytes an edge of a part; those
# that two parts have drawn are removed when the file is read, and the report says how many edges are left. Communities
# are stretches of vertex numbers of the same length.
set -eu
exec 3>&1
ksda=${1:-$(dirname "$0")/../build/ksda}
folder=${2:-$(mktemp -d)}
vertices=${VERTICES:-17000000} edges=${EDGES:-1600000000} communities=${COMMUNITIES:-1000} k=${K:-10} parts=${PARTS:-8}
threads=${THREADS:-0}
mkdir -p "$folder"
pairs=$folder/pairs.u32 part=$folder/part.u32
[ "${KEEP:-0}" = 1 ] || trap 'rm -f "$pairs" "$part" "$folder"/communities "$folder"/release.u32 "$folder"/map' EXIT

# timed WHAT COMMAND...: seconds of the clock and of all cores, and the largest resident set
timed() {
    local what=$1 bytes
    shift
    /usr/bin/time -o "$folder/time" -f '%e %U %S %M' "$@"
    read -r clock user system kilobytes <"$folder/time"
    bytes=$(awk "BEGIN { printf \"%.2f\", 1024 * $kilobytes / $edges }")
    echo "$what: $clock s, processor $(awk "BEGIN { print $user + $system }") s, peak $((kilobytes / 1024)) MiB, $bytes bytes an edge" >&3
}

echo "$vertices vertices, $edges edges, $communities communities, k = $k; $(nproc) cores, $(awk '/MemTotal/ { printf "%.1f GiB", $2 / 1048576 }' /proc/meminfo)"
: >"$pairs"
for i in $(seq "$parts"); do
    timed "part $i of $parts" "$ksda" generate rmat --vertices "$vertices" --edges $((edges / parts)) --seed "$i" \
        -o "$part" --threads "$threads" --quiet
    cat "$part" >>"$pairs"
    rm "$part"
done
awk -v n="$vertices" -v c="$communities" 'BEGIN { for (v = 0; v < n; v++) print v, int(v * c / n) }' >"$folder/communities"
timed anonymize "$ksda" anonymize "$pairs" -c "$folder/communities" -k "$k" -o "$folder/release.u32" --map "$folder/map" --force \
    --threads "$threads" --json --no-progress >"$folder/report.json"
jq '{vertices, edges, communities, added_edges, added_vertices, lower_bound, least_added_edges, gap, seconds, peak_rss_bytes}' \
    "$folder/report.json"
