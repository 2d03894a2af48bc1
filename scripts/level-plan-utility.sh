#!/usr/bin/env bash
# What level-plan's releases do to six measures, against EdgeConnect where it succeeds and FlexSplit where splitting is needed, as a
# Markdown table with the number of measures on which level-plan's release is nearer to the original.
#   scripts/level-plan-utility.sh [BUILD] [NETWORK...]     BUILD defaults to build; networks as listed below
set -eu
build=${1:-build}
shift || true
networks=${*:-lesmis usairport500.metis5 usairport500.metis8 email dblp condmat}
run() { "$build/bench/bench_level_plan_utility" "$@"; }
one() {
    case $1 in
    lesmis) run lesmis metis4 2,3,4 flex-split 0,15,20 ;;
    usairport500.metis5) run usairport500 metis5 2,3 edge-connect 0 && run usairport500 metis5 4,5 flex-split 0,15,20 ;;
    usairport500.metis8) run usairport500 metis8 2,3 edge-connect 0 && run usairport500 metis8 5,8 flex-split 0,15,20 ;;
    email) run email-Eu-core - 5,10 flex-split 0,15,20 ;;
    dblp) run dblp-csr20p2 - 2,5,10 edge-connect 0 ;;
    condmat) run ca-CondMat metis100 5,15,25 edge-connect 0 && run ca-CondMat metis100 35,55 flex-split 0,15,20 ;;
    esac
}
echo "| network | k | method | n_a/n_s | CC | ASPL | DC | BC | EigC | accuracy | level-plan nearer |"
echo "|---|---|---|---|---|---|---|---|---|---|---|"
for network in $networks; do one "$network"; done
