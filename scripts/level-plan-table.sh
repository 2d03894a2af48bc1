#!/usr/bin/env bash
# level-plan against the paper's six methods, as a Markdown table: cost n_a + omega * n_s for omega in {5, 20, 100, |V|^2}.
#   scripts/level-plan-table.sh [BUILD] [NETWORK...]     BUILD defaults to build; networks as listed below
# Every release is verified by the benchmark; a line that is not says so. Runs take a few minutes in all.
set -eu
build=${1:-build}
shift || true
six=edge-connect,inverse-edge-connect,create-by-split,merge-by-split,flex-split,splitting-only
networks=${*:-lesmis usairport500.metis5 usairport500.metis8 football email polblogs dblp condmat}
run() { "$build/bench/bench_level_plan" "$1" "$2" "$3" 5,20,100,0 "level-plan,$six" | sed "s/^$1\t/$1.$2\t/"; }
one() {
    case $1 in
    lesmis) run lesmis metis4 2,3,4 ;;
    usairport500.metis5) run usairport500 metis5 2,3,4,5 ;;
    usairport500.metis8) run usairport500 metis8 2,3,5,8 ;;
    football) run football - 2,4,6,8,10,12 ;;
    email) run email-Eu-core - 2,5,10,20,30,42 ;;
    polblogs) run polblogs - 2 ;;
    dblp) run dblp-csr20p2 - 2,5,10,15,20 ;;
    condmat) run ca-CondMat metis100 5,15,25,35,55,75,95 ;;
    esac
}
for network in $networks; do one "$network"; done | awk -F'\t' '
function key() { return $1 "\t" $2 "\t" $3 }
!(key() in seen) { seen[key()] = 1; order[++rows] = key() }
$11 != "verified" && $5 != "fails" { bad[key()] = bad[key()] " " $4 ":" $11 }
$4 == "level-plan" { na[key()] = $5; ns[key()] = $6; cost[key()] = $7; bound[key()] = $8; gap[key()] = $9; time[key()] = $10; next }
$5 != "fails" && (!(key() in best) || $7 + 0 < best[key()]) { best[key()] = $7 + 0; who[key()] = $4 " " $5 "/" $6 }
END {
    print "| network | k | omega | level-plan n_a/n_s | cost | best of the six | its cost | ratio | lower bound | gap | seconds |"
    print "|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= rows; i++) {
        split(order[i], p, "\t"); o = order[i]
        ratio = na[o] == "fails" ? "fails" : !(o in best) ? "none" : best[o] > 0 ? sprintf("%.3f", cost[o] / best[o]) : cost[o] == 0 ? "1" : "inf"
        printf "| %s | %s | %s | %s/%s | %s | %s | %s | %s | %s | %s | %s |%s\n", p[1], p[2], p[3] == 0 ? "n^2" : p[3], na[o], ns[o],
            cost[o], who[o], best[o], ratio, bound[o], gap[o], time[o], bad[o]
    }
}'
