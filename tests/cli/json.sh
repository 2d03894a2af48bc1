# --json: one object that jq reads, with every field the man page names, and no NaN anywhere.
. "$SOURCE/tests/support/cli.sh"
command -v jq >/dev/null || skip "jq is not installed"

# fields COMMAND FILE [EXCEPT]: each field of the command's page is in the object (a list's fields in each of its rows), but for
# those that begin with EXCEPT
fields() {
    "$KSDA" help --man "$1" | sed -n '/^# JSON/,/^# EXIT/p' | sed -nE 's/^`([a-z_.]+)`$/\1/p' | grep -v "^${3:-nothing}" >names
    [ -s names ] || fail "$1 documents no fields"
    jq -e '.schema == 1' "$2" >/dev/null || fail "$1: schema"
    missing=$(jq -r --rawfile names names 'def get(p): reduce p[] as $x (.; if type == "array" then .[0][$x] else .[$x] end);
        . as $top | $names | split("\n")[] | select(. != "") | . as $name | split(".") as $path |
        select(($top | get($path[:-1]) | if type == "array" then .[0] else . end | type == "object" and has($path[-1])) | not) | $name' "$2")
    [ -z "$missing" ] || fail "$1 --json lacks $missing"
    if grep -qiE '\b(nan|inf(inity)?)\b' "$2"; then fail "$1 --json holds NaN"; fi
}

ksda convert builtin:lesmis -o g.edges --write-communities g.communities
expect 0 ksda anonymize g.edges -c g.communities -k 1 -o out.edges --map out.map --summary out.json --json
grep -q 'k = 1 guarantees nothing' stderr || fail "k = 1 without a word: $(cat stderr)"
fields anonymize stdout frontier
same stdout out.json
jq -e '.satisfied and .valid and .k == 1 and .vertices == 77 and .edges == 254 and .communities == 4 and .added_edges == 0
    and .cost == 0 and .seed == 1' stdout >/dev/null || fail "anonymize: values"
expect 0 ksda anonymize g.edges -c g.communities -k 2 -o out.edges --map out.map --force --frontier --summary out.json --json
fields anonymize stdout
same stdout out.json
ksda anonymize g.edges -c g.communities -k 1 -o out.edges --map out.map --force --quiet
expect 0 ksda verify g.edges out.edges -c g.communities --map out.map -k 1 --json
fields verify stdout
jq -e '.valid and .satisfied and .error == null and .added_edges == 0' stdout >/dev/null || fail "verify: values"
expect 4 ksda check g.edges -c g.communities -k 2 --json
fields check stdout
jq -e '(.satisfied | not) and .k == 2 and .violating_vertices > 0 and .largest_k == 1 and .attack.largest_posterior == 1' stdout >/dev/null ||
    fail "check: values"
expect 0 ksda check g.edges -c g.communities --json
jq -e '.satisfied == null and .k == null' stdout >/dev/null || fail "check without k"
printf '1 2\n2 1\n1 1\n2 3\n' >dirty.edges
printf '1 a\n2 a\n3 b\n9 b\n' >dirty.communities
expect 0 ksda stats dirty.edges -c dirty.communities --json
fields stats stdout
jq -e '.vertices == 4 and .edges == 2 and .cleaning.self_loops == 1 and .cleaning.duplicate_edges == 1 and
    .cleaning.input_edges == 4 and .only_in_communities == 1 and .isolated_vertices == 1' stdout >/dev/null || fail "stats: values"
expect 0 ksda stats dirty.edges --json
jq -e '.communities == null' stdout >/dev/null
expect 0 ksda detect g.edges -o found.communities --json
fields detect stdout
expect 0 ksda methods --json
fields methods stdout
jq -e '[.methods[] | select(.default)] | length == 1' stdout >/dev/null || fail "methods: one default"
expect 0 ksda version --json
fields version stdout

# reports on empty or odd networks hold no NaN either
printf '5 5\n' >loop.edges
printf '5 x\n' >loop.communities
expect 0 ksda stats loop.edges -c loop.communities --json
fields stats stdout
expect 0 ksda check loop.edges -c loop.communities -k 1 --json
fields check stdout
# what others report
expect 0 ksda measure builtin:karate --json --distributions
fields measure stdout
ksda anonymize builtin:karate -k 2 -q -o k.edges --map k.map
expect 0 ksda compare builtin:karate k.edges --map k.map --json
fields compare stdout
expect 0 ksda optimal builtin:karate -k 2 -o o.edges --json
fields optimal stdout
jq -e '.status == "optimal" and .gap == 0' stdout >/dev/null || fail "optimal: values"
