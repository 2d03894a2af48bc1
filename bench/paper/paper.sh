#!/usr/bin/env bash
# Every experiment of the paper on the networks that are here, as a page with plots, tables and a verdict on each of the paper's claims.
#   paper.sh BUILD [full|quick]      full: docs/results/paper.md and docs/results/paper/*.svg, 36 minutes on 2 busy cores
#                                    quick: the small networks only, into BUILD/paper/quick, under a minute
# DATA=folder     the networks [../shared/data]. One that is absent is skipped, loudly, and then the page in docs is left alone:
#                 everything goes to BUILD/paper/full.
# OUT=folder      where page and plots go instead.
# WORK=folder     where results are kept [BUILD/paper/MODE].
# KEEP=1          keep the results of another build of the command (the page says so). Otherwise a new build starts anew.
# Stopped or killed, the same command goes on where it was: results are in WORK/results, those of a sweep that was not
# finished in its journal.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(cd "${1:?usage: paper.sh BUILD [full|quick]}" && pwd)
mode=${2:-full}
data=${DATA:-$root/../shared/data}
ksda=$build/ksda
work=${WORK:-$build/paper/$mode}
results=$work/results
case $mode in full | quick) ;; *) echo "paper.sh: '$mode' is neither full nor quick" >&2; exit 2 ;; esac
[ -x "$build/bench/paper_charts" ] || { echo "paper.sh: $build/bench/paper_charts is not built" >&2; exit 1; }
command -v jq >/dev/null || { echo "paper.sh: jq is not installed; make setup-test installs it" >&2; exit 1; }
say() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }

# --- results of another build are worth nothing ---------------------------------------------------------------------
made_by=$(sha256sum <"$ksda" | cut -c1-16)
kept=false
mkdir -p "$results"
if [ -e "$work/made-by" ] && [ "$(cat "$work/made-by")" != "$made_by" ]; then
    if [ -n "${KEEP:-}" ]; then
        kept=true
        touch "$work/kept"
        say "KEEP: results of another build of the command are kept"
    else
        say "the command was built anew since: starting from nothing (KEEP=1 keeps what is there)"
        rm -rf "$work"
        mkdir -p "$results"
    fi
fi
[ -e "$work/kept" ] && kept=true
echo "$made_by" >"$work/made-by"

# --- steps: each leaves one file in results -------------------------------------------------------------------------
# step NAME WHAT COMMAND...: its output is the result, computed once
step() {
    local name=$1 what=$2 begin=$SECONDS args
    shift 2
    args=$(printf '%s\n' "$*" | cksum | cut -d' ' -f1)
    if [ -s "$results/$name.json" ] && [ "$(cat "$work/$name.args" 2>/dev/null)" = "$args" ]; then
        say "$what: there already"
        return
    fi
    say "$what"
    "$@" >"$work/$name.new"
    jq -e . "$work/$name.new" >/dev/null || { echo "paper.sh: $what: no result" >&2; exit 1; }
    mv "$work/$name.new" "$results/$name.json"
    echo "$args" >"$work/$name.args"
    echo "$((SECONDS - begin))" >"$work/$name.seconds"
    rm -f "$work/$name".*.journal
}
sweep() { # sweep NAME WHAT ARGUMENTS...
    local name=$1 what=$2
    shift 2
    step "$name" "$what" "$ksda" sweep "$@" --json --journal "$work/$name.$(printf '%s\n' "$*" | cksum | cut -d' ' -f1).journal"
}
check() { "$ksda" check "$@" --json || [ $? = 4 ]; } # "no" is an answer

# --- networks -------------------------------------------------------------------------------------------------------
declare -A graph communities range chosen samples title
absent=()
# network ID TITLE EDGES COMMUNITIES KS CHOSEN SAMPLING: known when its files are there
network() {
    local id=$1 edges=$data/$3
    [ -f "$edges" ] || edges=$edges.gz
    if [ ! -f "$edges" ] || [ ! -f "$data/$4" ]; then
        absent+=("$2")
        say "SKIPPED: $2: no $data/$3 with $4"
        return
    fi
    title[$id]=$2 graph[$id]=$edges communities[$id]=$data/$4 range[$id]=$5 chosen[$id]=$6 samples[$id]=$7
}
# one k after the other
numbers() { IFS=: read -r first last by <<<"$1"; seq "$first" "${by:-1}" "$last"; }
of() { printf '%s\n' "${graph[$1]}" -c "${communities[$1]}"; }

violations() { # violations ID: vertices that violate k-structural diversity in the original
    local k
    for k in $(numbers "${range[$1]}"); do check "${graph[$1]}" -c "${communities[$1]}" -k "$k" --top 0 | jq '{k, violating_vertices}'; done | jq -s .
}
groups() { # groups ID METHOD WEIGHT: how many vertices and communities have each degree, in a release at the chosen k
    local k=${chosen[$1]} weight=()
    if [ "$2" = original ]; then
        check "${graph[$1]}" -c "${communities[$1]}" -k "$k" --top 1000000
        return
    fi
    [ "$3" = 0 ] || weight=(--split-weight "$3")
    if "$ksda" anonymize "${graph[$1]}" -c "${communities[$1]}" -k "$k" -m "$2" "${weight[@]}" -o "$work/p.edges" \
        --publish-communities "$work/p.communities" --quiet 2>/dev/null; then
        check "$work/p.edges" -c "$work/p.communities" -k "$k" --top 1000000
    else
        echo '{"groups": []}'
    fi
    rm -f "$work/p.edges" "$work/p.communities"
}
weights() { # weights ID: the curve between adding and splitting at the chosen k
    local w
    for w in $curve; do
        "$ksda" sweep "${graph[$1]}" -c "${communities[$1]}" -k "${chosen[$1]}" -m level-plan --no-measures --split-weight "$w" --json |
            jq --argjson weight "$w" '.points[0] + {weight: $weight}'
    done | jq -s .
}
study() { # study ID: what is done on every network
    local id=$1 name=${title[$1]} method known
    mapfile -t known < <(of "$id")
    jq -n --arg id "$id" --arg title "$name" --arg chosen "${chosen[$id]}" --arg samples "${samples[$id]}" \
        '{id: $id, title: $title, chosen: ($chosen | tonumber), samples: $samples}' >"$results/network-$id.json"
    step "violations-$id" "$name: violations in the original, k ${range[$id]}" violations "$id"
    # shellcheck disable=SC2086
    sweep "main-$id" "$name: all methods, all measures, k ${range[$id]}" "${known[@]}" -k "${range[$id]}" ${samples[$id]}
    # shellcheck disable=SC2086
    sweep "w20-$id" "$name: level-plan where a split costs 20 edges" "${known[@]}" -k "${range[$id]}" -m level-plan --split-weight 20 ${samples[$id]}
    for method in original k-degree edge-connect create-by-split merge-by-split flex-split level-plan; do
        step "groups-$id-$method" "$name: degrees at k = ${chosen[$id]}, $method" groups "$id" "$method" 0
    done
    step "weights-$id" "$name: the curve between adding and splitting, k = ${chosen[$id]}" weights "$id"
}
optimum() { # optimum ID SECONDS
    local known
    [ -n "${graph[$1]:-}" ] || return 0
    mapfile -t known < <(of "$1")
    # shellcheck disable=SC2086
    sweep "optimal-$1" "${title[$1]}: the optimum, at most $2 s for each k" "${known[@]}" -k "${range[$1]}" -m optimal --point-limit "$2" ${samples[$1]}
}
success() { # success ID PARTS KS SEED...: other partitions
    local id=$1 parts=$2 ks=$3 seed
    [ -n "${graph[$id]:-}" ] || return 0
    shift 3
    for seed in "$@"; do
        sweep "success-$id-$seed" "${title[$id]}: success on METIS partition $seed into $parts" "${graph[$id]}" --detect "metis:$parts" --seed "$seed" \
            -k "$ks" --no-measures
    done
}
sensitivity() { # sensitivity ID KS PARTS...
    local id=$1 ks=$2 parts
    [ -n "${graph[$id]:-}" ] || return 0
    shift 2
    for parts in "$@"; do
        sweep "sensitivity-$id-$parts" "${title[$id]}: sensitivity, METIS partition into $parts" "${graph[$id]}" --detect "metis:$parts" -k "$ks" \
            --only clustering,aspl,degree_centralization,eigenvector_correlation
    done
}
# scale TIMES KS BLOCKS|metis:N GENERATE...: time on an R-MAT network, one thread; of several runs the fastest, but for level-plan, which
# takes longer than a clock is wrong. Blocks are the generator's own communities.
scale() {
    local times=$1 ks=$2 how=$3 edges=$work/r.edges quick=edge-connect,inverse-edge-connect,create-by-split,merge-by-split,flex-split,splitting-only,k-degree i
    shift 3
    if [[ $how = metis:* ]]; then
        "$ksda" generate rmat "$@" --probabilities 0.45,0.15,0.15,0.25 -o "$edges" --quiet
        "$ksda" detect "$edges" -m "$how" -o "$work/r.communities" --quiet
    else
        "$ksda" generate rmat "$@" --probabilities 0.45,0.15,0.15,0.25 -o "$edges" --blocks "$how" --communities "$work/r.communities" --quiet
    fi
    {
        "$ksda" sweep "$edges" -c "$work/r.communities" -k "$ks" --no-measures --threads 1 --json
        for ((i = 1; i < times; i++)); do
            "$ksda" sweep "$edges" -c "$work/r.communities" -k "$ks" -m "$quick" --no-measures --threads 1 --json
        done
    } | jq -s 'map(.seconds.load) as $load | (map(.points) | add | group_by([.method, .k]) | map(min_by(.seconds))) as $points
        | .[0] | .points = $points | .seconds.load = ($load | min)'
    rm -f "$edges" "$work/r.communities"
}

# --- what is run ----------------------------------------------------------------------------------------------------
say "make paper, $mode: results in $work"
if [ "$mode" = full ]; then
    curve="1 5 20 100 1000 0"
    network lesmis LesMis lesmis.edges lesmis.metis4.communities 2:4 3 ""
    network airport AirPort usairport500.edges usairport500.metis5.communities 2:4 3 ""
    network dblp DBLP dblp-csr20p2.edges dblp-csr20p2.communities 2:20:2 10 "--betweenness-samples 4096"
    network condmat ca-CondMat ca-CondMat.edges ca-CondMat.metis100.communities 5:95:10 25 "--betweenness-samples 4096"
else
    curve="5 0"
    network lesmis LesMis lesmis.edges lesmis.metis4.communities 2:4 3 ""
    network airport AirPort usairport500.edges usairport500.metis5.communities 2:3 2 ""
    title[karate]=karate graph[karate]=builtin:karate range[karate]=1:2 chosen[karate]=2 samples[karate]=""
    "$ksda" convert builtin:karate -o "$work/karate.edges" --quiet
    "$ksda" detect "$work/karate.edges" -m metis:2 -o "$work/karate.communities" --quiet
    graph[karate]=$work/karate.edges communities[karate]=$work/karate.communities
fi
for id in karate lesmis airport dblp condmat; do
    [ -z "${graph[$id]:-}" ] || study "$id"
done
if [ "$mode" = full ]; then
    optimum lesmis 120
    optimum airport 120
    success lesmis 4 2:4 1 2 3 4 5
    success airport 5 2:4 1 2 3 4 5
    success condmat 100 5:95:30 1 2
    sensitivity dblp 4:16:4 16 20 24
    for n in 20000 40000 60000 80000 100000; do
        step "scale-$n" "R-MAT, $n vertices, $((8 * n)) edges, 20 METIS parts, k 5, 10, 15" scale 3 5:15:5 metis:20 --vertices "$n" --edges $((8 * n))
    done
    for s in 16 18 20 22; do
        step "rmat-$s" "R-MAT, 2^$s vertices, 2^$((s + 4)) edges, 64 blocks, k = 10" scale $((s <= 18 ? 3 : 1)) 10 64 --scale "$s" --edges $((1 << (s + 4)))
    done
else
    optimum karate 5
    optimum lesmis 5
    success karate 2 2 1 2
    sensitivity karate 2 2 3
    step scale-2000 "R-MAT, 2000 vertices" scale 2 2:4:2 metis:4 --vertices 2000 --edges 8000
    for s in 10 12; do step "rmat-$s" "R-MAT, 2^$s vertices" scale 1 4 8 --scale $s --edges $((1 << (s + 3))); done
fi

# --- the page -------------------------------------------------------------------------------------------------------
out=${OUT:-$root/docs/results}
if [ -z "${OUT:-}" ] && { [ "$mode" = quick ] || [ ${#absent[@]} -gt 0 ]; }; then out=$work; fi
seconds=0
for file in "$results"/*.json; do
    file=$(basename "$file" .json)
    [ -e "$work/$file.seconds" ] && seconds=$((seconds + $(cat "$work/$file.seconds")))
done
jq -n --arg mode "$mode" --arg date "$(date +%F)" --arg version "$("$ksda" version --json | jq -r .version)" \
    --arg code "$(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)" --argjson kept "$kept" --argjson seconds "$seconds" \
    --arg machine "$(nproc) cores $(awk -F': *' '/model name/ {print $2; exit}' /proc/cpuinfo), $(awk '/MemTotal/ {printf "%.0f", $2 / 1048576}' /proc/meminfo) GiB" \
    '{mode: $mode, date: $date, version: $version, code: $code, kept: $kept, seconds: $seconds, machine: $machine, absent: $ARGS.positional}' \
    --args -- "${absent[@]}" >"$results/meta.json"
jq -n 'reduce inputs as $x ({}; .[input_filename | sub(".*/"; "") | rtrimstr(".json")] = $x)' "$results"/*.json >"$work/data.json"
say "drawing the plots"
mkdir -p "$work/svg" "$out/paper"
rm -f "$work/svg"/*.svg
jq -L "$here" -f "$here/figures.jq" "$work/data.json" >"$work/charts.json"
"$build/bench/paper_charts" "$work/svg" <"$work/charts.json" >"$work/drawn"
rm -f "$out/paper"/*.svg
cp "$work/svg"/*.svg "$out/paper/"
say "writing the page"
jq -r -L "$here" --rawfile drawn "$work/drawn" -f "$here/page.jq" "$work/data.json" >"$work/page.new"
mv "$work/page.new" "$out/paper.md"
if [ "$out" = "$root/docs/results" ]; then # the summary in docs/results.md
    jq -r -L "$here" 'include "claims"; summary' "$work/data.json" >"$work/summary"
    awk -v text="$work/summary" '$0 == "<!-- end paper -->" { skipping = 0 } !skipping { print }
        $0 == "<!-- paper -->" { skipping = 1; while ((getline line < text) > 0) print line }' "$root/docs/results.md" >"$work/results.new"
    cp "$work/results.new" "$root/docs/results.md"
fi
for name in "${absent[@]}"; do say "SKIPPED: $name is not in $data"; done
say "$out/paper.md: $(wc -l <"$work/drawn") plots; $(jq -r -L "$here" 'include "claims"; verdicts' "$work/data.json")"
