# A bound above the cost of a release that was seen is an internal error: exit 1, no proof in print, no file. Every prover
# is made to claim too much in turn (tests/claims/claims.c).
. "$SOURCE/tests/support/cli.sh"
LIAR=$BUILD/tests/ksda_claims
files="p.edges p.map p.json p.html"

# refuted CLAIM COMMAND...: the claim is made, and stops the command
refuted() {
    local claim=$1
    shift
    rm -f claimed
    KSDA_CLAIM=$claim expect 1 timeout 120 "$LIAR" "$@" --json
    [ -e claimed ] || fail "'$claim' was not claimed: $*"
    [ "$(wc -l <stderr)" = 1 ] || fail "more than one line of message: $*"
    says stderr "contradicts a release that costs"
    says stdout '"status": "internal error"'
    if grep -qE '"(lower_bound|bound|cost)"' stdout; then fail "a proof in print: $*"; fi
    absent $files
    no_leftovers
}
publish="-t 1 -q -o p.edges --map p.map --summary p.json --report p.html"

# without a lie it is the command as it is
expect 0 "$LIAR" anonymize builtin:karate -k 2 $publish --no-measures
present $files
rm $files
KSDA_CLAIM=lagrangian expect 1 "$LIAR" anonymize builtin:karate -k 2 $publish
one_message
absent $files

"$KSDA" generate planted --vertices 12 --edges 16 --blocks 3 --seed 23 --communities small.communities -o small.edges -q
for claim in lagrangian "splits needed" exhaustive level-plan; do
    refuted "$claim" anonymize builtin:karate -k 2 $publish
    refuted "$claim" anonymize builtin:karate -k 2 $publish --frontier --frontier-runs 3
    refuted "$claim" sweep builtin:karate -k 2 -m level-plan -t 1 -q --csv p.json
done
for claim in lagrangian "level program with splits"; do
    refuted "$claim" anonymize builtin:lesmis -k 3 $publish --split-weight 7
done
refuted lagrangian anonymize builtin:lesmis -k 3 $publish
for claim in "column generation" certificate; do # with splits it is asked where there is time
    refuted "$claim" anonymize builtin:lesmis -k 3 $publish --bound 1
    refuted "$claim" anonymize builtin:lesmis -k 3 $publish --split-weight 3 --bound 1
done
refuted "first solution" anonymize builtin:karate -k 2 -m optimal $publish

# what the exact methods begin with, and their own bounds
if ! ksda version --json | jq -e .libraries.cbc >/dev/null; then skip "no CBC in this build"; fi
publish="-t 1 -q -o p.edges --map p.map --summary p.json"
for claim in lagrangian "splits needed" exhaustive "first solution"; do
    refuted "$claim" optimal builtin:karate -k 2 $publish
done
for claim in lagrangian "splits needed" "column generation" certificate; do
    refuted "$claim" optimal builtin:lesmis -k 3 --operations add+split $publish
done
refuted program optimal builtin:karate -k 2 --solver cbc $publish
refuted "splits counted" optimal small.edges -c small.communities -k 2 --operations add+split $publish

# an assertion of the solver costs the proof, never the release
survives() {
    rm -f claimed $files
    KSDA_CLAIM="the solver's process ends" expect "$1" "$LIAR" "${@:2}" -t 1 -o p.edges --map p.map --json
    [ -e claimed ] || fail "the solver was not asked: $*"
    says stderr "the solver failed; what it would have proved is not claimed"
    jq -e '.solver_failures > 0' stdout >/dev/null || fail "no failures of the solver in the report: $*"
    present p.edges p.map
    no_leftovers
}
survives 0 anonymize builtin:lesmis -k 3 --split-weight 3
survives 0 anonymize builtin:lesmis -k 3 --split-weight 7
# the limit is by the clock: on a busy machine it may be over before the solver is asked
holds=
for limit in 3 12 48; do
    if (survives 5 optimal builtin:lesmis -k 4 --operations add+split --time-limit $limit) >told 2>&1; then holds=1 && break; fi
done
[ "$holds" ] || fail "$(cat told)"
