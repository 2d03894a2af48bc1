# anonymize --frontier: what it prints, what it publishes, what does not go with it.
. "$SOURCE/tests/support/cli.sh"
command -v jq >/dev/null || skip "jq is not installed"
ksda convert builtin:lesmis -o g.edges --write-communities g.communities --quiet

# Nothing is published without -o: only the table.
expect 0 ksda anonymize g.edges -c g.communities -k 3 --frontier
says stdout "--split-weight"
says stdout "runs of level-plan"
[ "$(find . -type f | sort | tr '\n' ' ')" = "./g.communities ./g.edges ./stderr ./stdout " ] || fail "something was written: $(ls)"
expect 0 ksda anonymize g.edges -c g.communities -k 3 --frontier --json
silent stderr
jq -e '.schema == 1 and .k == 3 and (.limited | not) and .frontier.complete and (.frontier.points | length) > 1' stdout >/dev/null || fail "the JSON"
# none is beaten; the cheapest cover all weights; costs and bounds agree
jq -e '.frontier.points as $p | [range(1; $p | length) | $p[.].added_vertices > $p[. - 1].added_vertices and
    $p[.].added_edges < $p[. - 1].added_edges] | all' stdout >/dev/null || fail "a release is beaten by another"
jq -e '[.frontier.points[] | select(.cheapest)] | .[0].to_weight == null and .[-1].from_weight == 0 and
    (. as $p | [range(1; length) | $p[. - 1].from_weight == $p[.].to_weight] | all) and
    all((.cost - .added_edges - .split_weight * .added_vertices | fabs) < 1e-6 and .lower_bound <= .cost and .measures.clustering > 0 and
        .measures.change.aspl != null and .measures.eigenvector_correlation <= 1)' stdout >/dev/null || fail "the weights, costs or measures"
# a plain run with the weight shown gives the row shown
jq -r '.frontier.points[] | select(.repeatable) | [.split_weight, .added_edges, .added_vertices] | @tsv' stdout >rows
[ -s rows ] || fail "no row can be had again"
while read -r weight edges vertices; do
    ksda anonymize g.edges -c g.communities -k 3 --split-weight "$weight" -o p.edges --json >plain
    jq -e --argjson e "$edges" --argjson v "$vertices" '.added_edges == $e and .added_vertices == $v' plain >/dev/null ||
        fail "--split-weight $weight gives $(jq -c '[.added_edges, .added_vertices]' plain), not $edges and $vertices"
done <rows
cp stdout first.json
# with -o the cheapest of them for --split-weight is published, starred rows too
jq -r '.frontier.points[] | select(.cheapest) | [.split_weight, .cost] | @tsv' first.json | sed -n '2p;$p' >rows
while read -r weight cost; do
    expect 0 ksda anonymize g.edges -c g.communities -k 3 --frontier --no-measures --split-weight "$weight" -o p.edges --map p.map --force --json
    jq -e --argjson c "$cost" '.cost <= $c + 1e-9 and .valid and .satisfied and .frontier.original == null' stdout >/dev/null || fail "-o with $weight"
    expect 0 ksda verify g.edges p.edges -c g.communities --map p.map -k 3
done <rows
# any number of threads
for threads in 1 3; do ksda anonymize builtin:karate -k 2 --frontier --json -t $threads | jq .frontier.points >t$threads; done
same t1 t3

# The report has the section, with or without a release.
expect 0 ksda anonymize g.edges -c g.communities -k 3 --frontier --frontier-runs 3 --report r.html
says r.html "What is there to choose from?"
[ "$(stat -c %a r.html)" = 600 ] || fail "the report is not private"
expect 0 ksda anonymize g.edges -c g.communities -k 3 --frontier --frontier-runs 3 --report r.html -o p.edges
says r.html "the release of this report"
says stdout "Published:"
says stdout "What k = 3 can cost"
expect 0 ksda anonymize g.edges -c g.communities -k 3 --frontier --frontier-runs 2 --no-measures -o -
matches stdout '^[0-9]+ [0-9]+$'
says stderr "What k = 3 can cost"

# The limits.
expect 5 ksda anonymize g.edges -c g.communities -k 3 --frontier --time-limit 0.000001 --json
jq -e '.limited and (.frontier.complete | not) and (.frontier.points | length) >= 1' stdout >/dev/null || fail "the time limit"
expect 0 ksda anonymize g.edges -c g.communities -k 3 --frontier --frontier-runs 2 --json
jq -e '.frontier.runs == 2' stdout >/dev/null || fail "--frontier-runs"

# What does not go with it.
misuse() {
    local text=$1
    shift
    expect 2 ksda anonymize g.edges -c g.communities -k 3 "$@"
    usage_error "$text"
}
misuse "--frontier goes with level-plan only" --frontier -m edge-connect
misuse "--trace" --frontier --trace t.json
misuse "--bound" --frontier --bound 1
misuse "--public" --frontier --public --report r2.html -o q.edges
misuse "--map: --frontier alone publishes nothing" --frontier --map q.map
misuse "--summary: --frontier alone publishes nothing" --frontier --summary q.json
misuse "--publish-communities: --frontier alone publishes nothing" --frontier --publish-communities q.communities
misuse "--frontier-runs goes with --frontier" --frontier-runs 3 -o q.edges
misuse "--frontier-runs" --frontier --frontier-runs 0
absent t.json r2.html q.edges q.map q.json q.communities
printf '1 2\n2 3\n' >i.edges
printf '1 a\n2 a\n3 b\n9 c\n' >i.communities
expect 4 ksda anonymize i.edges -c i.communities -k 2 --frontier --quiet
one_message
expect 2 ksda anonymize g.edges -c g.communities -k 9 --frontier
no_leftovers
