#!/usr/bin/env bash
# Two builds of the command give the same releases, maps, bounds and reports, byte for byte but for times: what a change
# that is to change nothing is judged by. Every network of the data folder, every method, three seeds, one and two threads.
# Usage: same-results.sh OLD/ksda NEW/ksda [folder with the data] [only networks that match this pattern]
# Environment: SEEDS ("1 2 3"), THREADS ("1 2"), KS ("2 3 5"), METHODS (all that 'ksda methods' lists, but optimal),
# ADDED=ignore (fields of the report that only the new build has are no difference), RELEASES=only (nothing but releases,
# maps and exit codes is compared: what is said about them may have changed)
set -eu
old=${1:?usage: same-results.sh OLD/ksda NEW/ksda [data folder] [pattern]}
new=${2:?usage: same-results.sh OLD/ksda NEW/ksda [data folder] [pattern]}
data=${3:-$(dirname "$0")/../../shared/data}
pattern=${4:-.}
seeds=${SEEDS:-1 2 3} threads=${THREADS:-1 2} ks=${KS:-2 3 5}
methods=${METHODS:-$("$new" methods --json | jq -r '.methods[].name' | grep -vx optimal)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
runs=0 different=0 releases=0

# one COMMAND...: run by both builds, each in a folder of its own; everything that they print and write is compared
one() {
    local build
    for build in old new; do
        rm -rf "${scratch:?}/$build" && mkdir "$scratch/$build"
        (cd "$scratch/$build" && code=0 && "${!build}" "$@" --quiet --json >json.all 2>stderr || code=$?
            echo "${code:-0}" >code
            jq -S 'del(.seconds, .peak_rss_bytes, .version)' json.all >json 2>/dev/null || cp json.all json
            rm -f json.all
            [ "${RELEASES:-}" != only ] || rm -f json stderr)
    done
    runs=$((runs + 1))
    if [ "${ADDED:-}" = ignore ]; then
        jq -S --slurpfile old "$scratch/old/json" 'with_entries(select(.key as $key | $old[0] | has($key)))' "$scratch/new/json" >"$scratch/both"
        mv "$scratch/both" "$scratch/new/json"
    fi
    if ! diff -r "$scratch/old" "$scratch/new" >"$scratch/diff"; then
        different=$((different + 1))
        echo "different: $*"
        head -5 "$scratch/diff"
    fi
}

# people without a community would be refused by both builds, which says nothing
release() { # GRAPH COMMUNITIES K METHOD SEED THREADS
    one anonymize "$1" -c "$2" -k "$3" -m "$4" --seed "$5" --threads "$6" --insecure-ids -o published.edges --map private.map --unassigned together
    [ ! -s "$scratch/new/published.edges" ] || releases=$((releases + 1))
}

old=$(realpath "$old") new=$(realpath "$new") data=$(realpath "$data")
for communities in "$data"/*.communities*; do
    name=$(basename "$communities")
    name=${name%%.communities*}
    graph=
    for candidate in "$data/$name.edges" "$data/$name.edges.gz" "$data/${name%.*}.edges" "$data/${name%.*}.edges.gz"; do
        [ -f "$candidate" ] && graph=$candidate && break
    done
    [ -n "$graph" ] && grep -q "$pattern" <<<"$name" || continue
    case $name in *overlap*) continue ;; esac
    before=$different
    for k in $ks; do
        for method in $methods; do
            for seed in $seeds; do
                for t in $threads; do release "$graph" "$communities" "$k" "$method" "$seed" "$t"; done
            done
        done
        [ "${RELEASES:-}" = only ] || one check "$graph" -c "$communities" -k "$k"
    done
    echo "$name: $((different - before)) different"
done
echo "$runs commands with $releases releases, $different different"
[ "$runs" -gt 0 ] && [ "$different" -eq 0 ]
