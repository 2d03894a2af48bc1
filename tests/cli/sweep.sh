# Sweeps: the same figures for any number of threads, and after being killed.
fail() { echo "FAILED: $*" >&2; exit 1; }
expect() { # expect CODE TEXT COMMAND...: exit code and a text on stderr
    local code=0 want=$1 text=$2
    shift 2
    "$@" > out.txt 2> err.txt || code=$?
    [ "$code" = "$want" ] || fail "exit $code instead of $want: $* $(cat err.txt)"
    grep -qF -- "$text" err.txt || fail "no '$text' in: $(cat err.txt)"
}
untimed() { python3 -c "
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    row.pop('seconds')
    print(sorted(row.items()))" "$1"; }

expect 2 "is none of K, FIRST:LAST" "$KSDA" sweep builtin:lesmis -k 4:2
expect 2 "is none of K, FIRST:LAST" "$KSDA" sweep builtin:lesmis -k 0:2
expect 2 "above the number of communities" "$KSDA" sweep builtin:lesmis -k 2:5
expect 2 "no method is called 'nonsense'" "$KSDA" sweep builtin:lesmis -k 2 -m edge-connect,nonsense
expect 1 "" "$KSDA" sweep builtin:lesmis -k 2 --journal missing/folder/j

"$KSDA" sweep builtin:lesmis -k 2:4 --csv one.csv --report page.html --threads 1 --quiet
"$KSDA" sweep builtin:lesmis -k 2:4 --csv two.csv --threads 2 --quiet
untimed one.csv > one.txt
untimed two.csv > two.txt
cmp one.txt two.txt || fail "the figures depend on the number of threads"
[ "$(stat -c %a one.csv)" = 600 ] || fail "the table is not private"
methods=$(tail -n +3 one.csv | cut -d, -f1 | sort -u | wc -l)
[ "$methods" -ge 8 ] || fail "only $methods methods"
[ "$(wc -l < one.csv)" = $((2 + 3 * methods)) ] || fail "rows are missing"
grep -q '^edge-connect,2,failed,"vertex Valjean' one.csv || fail "a failure is not a data point"
python3 -c "import xml.dom.minidom as x; x.parseString(open('page.html').read().replace('<!DOCTYPE html>', ''))" || fail "the page is not well formed"
"$KSDA" sweep builtin:lesmis -k 2:3 -m level-plan --no-measures --json | jq -e '.schema == 1 and (.points | length) == 2 and .points[0].outcome == "done"' > /dev/null ||
    fail "JSON"

# A time limit is for each point, and a point that hits it says so, with its bound.
"$KSDA" sweep builtin:lesmis -k 4 -m optimal --point-limit 0.01 --no-measures --json --journal limited > limited.json
jq -e '.points[0] | .outcome == "limit" and .satisfied and .lower_bound > 0 and .lower_bound <= .cost' limited.json > /dev/null || fail "time limit: $(cat limited.json)"
jq -e '.seconds.load > 0' limited.json > /dev/null || fail "the time of loading is missing"
expect 2 "results of another sweep" "$KSDA" sweep builtin:lesmis -k 4 -m optimal --point-limit 60 --no-measures --journal limited
"$KSDA" sweep builtin:karate -k 2 -m optimal,level-plan --point-limit 60 --json | jq -e '[.points[].outcome] == ["done", "done"]' > /dev/null || fail "time limit, not hit"

# Killed in the middle, then continued: nothing is computed twice or lost. Half a line, as a power cut leaves it, is dropped.
"$KSDA" sweep builtin:lesmis -k 2:4 --csv three.csv --journal j --quiet
cut -c1-40 <(sed -n 9p j) | tr -d '\n' > half
head -n 8 j > j2
cat half >> j2
"$KSDA" sweep builtin:lesmis -k 2:4 --csv four.csv --journal j2 2> err.txt > /dev/null
grep -q "7 of $((3 * methods)) points were done before" err.txt || fail "not resumed: $(cat err.txt)"
untimed four.csv > four.txt
cmp one.txt four.txt || fail "a resumed sweep differs"
[ "$(wc -l < j2)" = $((1 + 3 * methods)) ] || fail "the journal has $(wc -l < j2) lines"
for i in 1 2 3 4 5 6; do
    timeout -s KILL 0.0$i "$KSDA" sweep builtin:lesmis -k 2:4 --csv five.csv --journal j3 --quiet || true
done
[ ! -e five.csv ] || [ "$(wc -l < five.csv)" = $((2 + 3 * methods)) ] || fail "a killed sweep left half a table"
"$KSDA" sweep builtin:lesmis -k 2:4 --csv five.csv --journal j3 --quiet
untimed five.csv > five.txt
cmp one.txt five.txt || fail "a killed and resumed sweep differs"
[ "$(tail -n +2 j3 | jq -r '"\(.method) \(.k)"' | sort | uniq -d | wc -l)" = 0 ] || fail "a point was computed twice"
expect 2 "results of another sweep" "$KSDA" sweep builtin:lesmis -k 2:4 --journal j3 --seed 7
expect 2 "results of another sweep" "$KSDA" sweep builtin:karate -k 2 --journal j3
echo "not a journal" > other
expect 2 "results of another sweep" "$KSDA" sweep builtin:karate -k 2 --journal other
[ "$(cat other)" = "not a journal" ] || fail "a file that is no journal was changed"
exit 0
