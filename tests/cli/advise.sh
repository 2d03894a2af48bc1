# ksda advise: rows are those of sweep, guesses those of check on the release, and the knee is where its definition says.
. "$SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null || skip "python3 is not installed"

ksda generate planted --vertices 150 --edges 700 --blocks 10 --seed 5 -o net.edges --communities net.communities
expect 0 ksda advise net.edges -c net.communities --json
cp stdout advice.json
expect 0 ksda advise net.edges -c net.communities --lines
cp stdout lines.json
k=$(python3 -c 'import json; print(",".join(str(p["k"]) for p in json.load(open("advice.json"))["points"]))')
[ "$k" = 2,3,4,5 ] || fail "half of ten communities: $k"
expect 0 ksda sweep net.edges -c net.communities -k 2:5 -m level-plan --only clustering,aspl --json
cp stdout sweep.json
for k in 2 5; do
    ksda anonymize net.edges -c net.communities -k $k -o p$k.edges --publish-communities p$k.communities --no-proof -q
    "$KSDA" check p$k.edges -c p$k.communities -k $k --json >p$k.json 2>stderr
done
python3 - <<'END' 2>stderr || fail "advice"
import json
from fractions import Fraction
advice, sweep = json.load(open("advice.json")), json.load(open("sweep.json"))
lines = [json.loads(line) for line in open("lines.json")]
assert lines[-1]["advised_k"] == advice["advised_k"] and lines[-1]["why"] == advice["why"]
lines = sorted(lines[:-1], key=lambda p: p["k"])
fields = ("k", "outcome", "added_edges", "added_vertices", "cost", "attack", "measures")
def plain(value):  # --json rounds to 12 digits, lines do not
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return round(value, 9) if isinstance(value, float) else value
assert len(advice["points"]) == len(sweep["points"]) == len(lines) == 4
for a, b, c in zip(advice["points"], sweep["points"], lines):
    assert all(plain(a[f]) == plain(b[f]) == plain(c[f]) for f in fields), (a, b, c)
    assert plain(a["price"]) == plain(a["added_edges"] / advice["edges"] + a["added_vertices"] / advice["vertices"])
    for name in ("clustering", "aspl"):
        was = sweep["original"][name]
        assert abs(a["change"][name] - (a["measures"][name] - was) / was) < 1e-6, (a, was)
for k in (2, 5):
    check = json.load(open(f"p{k}.json"))
    point = next(p for p in advice["points"] if p["k"] == k)
    assert abs(check["attack"]["expected_success"] - point["attack"]["expected_success"]) < 1e-9
    assert abs(check["attack"]["largest_posterior"] - point["attack"]["largest_posterior"]) < 1e-9
points = advice["points"]
low, high = points[0], points[-1]
below = lambda p: (p["k"] - low["k"]) / (high["k"] - low["k"]) - (p["price"] - low["price"]) / (high["price"] - low["price"])
best = max(points, key=below) if high["price"] > 0.01 else high
assert advice["advised_k"] == best["k"], (advice["advised_k"], [(p["k"], below(p)) for p in points])
assert f"k = {best['k']} " in advice["why"], advice["why"]
END
expect 0 ksda advise net.edges -c net.communities -k 2,4 --report page.html
matches stdout '^> +[24] '
says page.html "Choosing k"
[ "$(stat -c %a page.html)" = 600 ] || fail "the page is private"
for bad in 0 x 3,2 5:2 2: 2:3:0 2,,3 11; do
    expect 2 ksda advise net.edges -c net.communities -k $bad
done
expect 2 ksda advise net.edges -c net.communities --json --lines
printf 'a b\nb c\n' >one.edges
printf 'a 1\nb 1\nc 1\n' >one.communities
expect 4 ksda advise one.edges -c one.communities
says stderr "nothing to choose"
no_leftovers
# people without a community do not make k larger
printf 'a b\nb c\nc a\nd a\ne b\n' >some.edges
printf 'a 1\nb 2\nc 1\nd 2\n' >some.communities
expect 0 ksda advise some.edges -c some.communities --unassigned together --json
[ "$(jq -c '[.points[].k]' stdout)" = '[2]' ] || fail "k above the communities that count"
# share bounds: each row is the release of anonymize with that bound, and no guess is surer than it
expect 0 ksda advise net.edges -c net.communities -k 3 --max-share 1/2,0.4 --no-measures --json
cp stdout shares.json
[ "$(jq -c '[.points[].max_share]' shares.json)" = '["1/2","2/5"]' ] || fail "the bounds"
ksda anonymize net.edges -c net.communities -k 3 --max-share 2/5 -o q.edges --summary q.json --no-proof -q
for field in added_edges added_vertices; do
    [ "$(jq ".points[1].$field" shares.json)" = "$(jq ".$field" q.json)" ] || fail "$field is not that of anonymize"
done
jq -e '[.points[] | .attack.largest_posterior <= ({"1/2": 0.5, "2/5": 0.4}[.max_share])] | all' shares.json >/dev/null || fail "surer than the bound"
jq -e '[.points[].cost] | . == sort' shares.json >/dev/null || fail "a larger share costs more than a smaller one"
jq -e '[.points[] | has("taken_from")] | all' shares.json >/dev/null || fail "whose release it is"
jq -e '.advised_k == 3 and (.advised_share == "1/2" or .advised_share == "2/5")' shares.json >/dev/null || fail "which is advised"
for bad in 0 x 1/3,1/2 1/2,1/2 1/2, 2; do
    expect 2 ksda advise net.edges -c net.communities --max-share $bad
done
expect 2 ksda advise net.edges -c net.communities --max-share 1/2 -k 2,3
