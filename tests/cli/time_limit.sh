# anonymize --time-limit: the best complete release so far, verified, and exit 5.
. "$SOURCE/tests/support/cli.sh"
ksda generate rmat --scale 13 --edges 60000 --blocks 16 -o g.edges --communities g.communities --quiet
expect 5 ksda anonymize g.edges -c g.communities -k 4 --time-limit 0.000001 -o p.edges --map p.map --json
[ "$(jq .limited stdout)" = true ] || fail "not said to be limited"
jq -e '.valid and .satisfied and .lower_bound <= .cost' stdout >/dev/null || fail "not a valid release"
expect 0 ksda verify g.edges p.edges -c g.communities --map p.map -k 4
expect 5 ksda anonymize g.edges -c g.communities -k 4 --time-limit 0.000001 -o p.edges
says stdout "stopped    before its end"
no_leftovers
# enough time is as good as none
expect 0 ksda anonymize builtin:lesmis -k 3 --time-limit 600 -o p.edges --json
[ "$(jq .limited stdout)" = false ] || fail "said to be limited"
