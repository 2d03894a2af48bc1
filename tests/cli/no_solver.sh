# A build without any solver (make test-no-solver) keeps what needs none, and says what it lacks.
. "$SOURCE/tests/support/cli.sh"
if ksda methods --json | jq -e '[.solvers[1:][].available] | any' >/dev/null; then skip "this build has a solver"; fi

expect 0 ksda version
matches stdout 'cbc +not built in: --solver cbc is not available'
matches stdout 'no solver: integer programs can only be written'

# releases with a bound, by level-plan and by the paper's methods; with time for a longer proof as well
expect 0 ksda anonymize builtin:karate -k 2 -o published.edges --map private.map --json
jq -e '.lower_bound > 0 and .verified != false' stdout >/dev/null || fail "no bound without a solver"
expect 0 ksda anonymize builtin:karate -k 2 -m flex-split -o other.edges --map other.map
expect 0 ksda anonymize builtin:lesmis -k 2 --bound 1 -o longer.edges --map longer.map

# integer programs can be written; what is impossible by counting is told; anything else says what is missing
expect 0 ksda optimal builtin:karate -k 2 --write-lp program.lp
[ -s program.lp ] || fail "no LP file"
expect 4 ksda optimal builtin:lesmis -k 2 -o none.edges --map none.map
matches stderr 'proved impossible'
for solver in cbc glpk fast:cbc; do
    if ksda optimal builtin:karate -k 2 --solver $solver -o none.edges --map none.map 2>stderr; then fail "$solver is not there"; fi
    matches stderr 'install .*build again.*--write-lp'
done
[ ! -e none.edges ] || fail "a release that nobody made"
