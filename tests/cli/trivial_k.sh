# k = 1 holds for every network: every command that takes it says that nothing is guaranteed, and none calls it protected.
. "$SOURCE/tests/support/cli.sh"
nothing="k = 1 guarantees nothing"
expect 0 ksda anonymize builtin:karate -k 1 -o p.edges --map p.map --summary p.json --report p.html
says stderr "$nothing"
says stdout "not protected"
says p.json '"trivial_k": true'
says p.html "Nothing is protected"
if grep -q "verified\|is met" stdout p.html; then fail "called verified or met"; fi
expect 0 ksda verify builtin:karate p.edges --map p.map -k 1
says stderr "$nothing"
says stdout "protection       none"
expect 0 ksda check builtin:karate -k 1
says stderr "$nothing"
if grep -q YES stdout; then fail "check -k 1 says yes"; fi
expect 0 ksda optimal builtin:karate -k 1 -o q.edges --map q.map
says stderr "$nothing"
expect 0 ksda sweep builtin:karate -k 1:2 -m flex-split --no-measures
says stderr "$nothing"
for command in "check builtin:karate" "verify builtin:karate p.edges --map p.map" "anonymize builtin:karate --force -o p.edges --map p.map"; do
    for k in 1 2; do
        # shellcheck disable=SC2086
        "$KSDA" $command -k $k --json >out.json 2>messages || [ $? = 4 ] || fail "$command -k $k --json"
        if [ $k = 1 ]; then says out.json '"trivial_k": true'; else says out.json '"trivial_k": false'; fi
    done
done
expect 0 ksda anonymize builtin:karate -k 2 -o p.edges --map p.map --force
if grep -q "$nothing" stdout stderr; then fail "k = 2 is called k = 1"; fi

# k has no default: every command that makes or checks a release wants it
for command in "anonymize builtin:karate -o r.edges" "optimal builtin:karate -o r.edges" "sweep builtin:karate" "verify builtin:karate p.edges --map p.map"; do
    # shellcheck disable=SC2086
    expect 2 ksda $command
    says stderr "-k"
done

# --trace needs a method that goes step by step: every other one is refused, and no file is left
for method in $(ksda methods | cut -d' ' -f1); do
    rm -f t.trace
    if ksda methods --json | python3 -c "import json, sys; sys.exit(not next(m for m in json.load(sys.stdin)['methods'] if m['name'] == '$method')['traces'])"; then
        ksda anonymize builtin:karate -k 2 -m "$method" -o t.edges --map t.map --force --trace t.trace --quiet >/dev/null 2>&1 || continue # some find no release
        [ -s t.trace ] || fail "$method: an empty trace"
    else
        expect 2 ksda anonymize builtin:karate -k 2 -m "$method" -o t.edges --map t.map --force --trace t.trace
        says stderr "flex-split"
        [ ! -e t.trace ] || fail "$method: a trace"
    fi
done
