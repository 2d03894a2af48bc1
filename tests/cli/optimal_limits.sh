# optimal under limits: whatever the clock or Ctrl-C cuts short, what is said is true, and what there is is handed over.
. "$SOURCE/tests/support/cli.sh"

# the truth, without a limit
expect 0 ksda optimal builtin:lesmis -k 3 --operations add+split -o p.edges --json
truth=$(jq .objective stdout)
[ "$(jq -r .status stdout)" = optimal ] || fail "no optimum without a limit"
for limit in 0.0005 0.004 0.01 0.02 0.03 0.05 0.07 0.1 0.15 0.2 0.3 0.5; do
    code=0
    within 60 "$KSDA" optimal builtin:lesmis -k 3 --operations add+split --time-limit $limit -o p.edges --force --json >stdout 2>stderr || code=$?
    case $code in 0 | 5) ;; *) fail "limit $limit: exit $code: $(cat stderr)" ;; esac
    jq -e --argjson truth "$truth" --argjson code $code '
        .valid and .satisfied and .bound <= $truth and .objective >= $truth and .status != "infeasible" and
        (.status != "optimal" or .objective == $truth) and ((.status == "optimal") == ($code == 0))' stdout >/dev/null ||
        fail "limit $limit: $(cat stdout)"
done

# hours of work: the limit and the first Ctrl-C leave the best release with its bound, and no child behind
ksda generate rmat --scale 8 --edges 1500 --blocks 8 -o g.edges --communities g.communities --quiet
most=3.5 # seconds of processor time for a limit of 2: one more, and what starting takes
if sanitized; then most=12; fi
code=0
TIMEFORMAT='%U %S'
{ time timeout 600 "$KSDA" optimal g.edges -c g.communities -k 4 --operations add+split --split-weight 3 --time-limit 2 -t 1 \
    -o q.edges --map q.map --json >stdout 2>stderr; } 2>took || code=$?
[ $code = 5 ] || fail "a limit of 2 s: exit $code"
awk -v most=$most '{ exit !($1 + $2 < most) }' took || fail "a limit of 2 s took $(cat took) s of processor time, user and system"
jq -e '.status == "feasible" and .bound <= .objective' stdout >/dev/null || fail "limited: $(cat stdout)"
expect 0 ksda verify g.edges q.edges -c g.communities --map q.map -k 4
env --default-signal=INT "$KSDA" optimal g.edges -c g.communities -k 4 --operations add+split --split-weight 3 -o r.edges --map r.map --json >stdout 2>stderr &
pid=$!
children=
until [ -n "$children" ] && [ "$(busy_ms "${children%% *}")" -ge 500 ]; do # the solver is at work
    kill -0 $pid || fail "ended before the solver was asked: $(cat stderr)"
    sleep 0.1
    children=$(cat /proc/$pid/task/$pid/children 2>/dev/null || true)
done
kill -INT $pid
(sleep 120; kill -9 $pid) >/dev/null 2>&1 3>&- &
watch=$!
code=0
wait $pid || code=$?
kill $watch 2>/dev/null || true
[ $code = 5 ] || fail "Ctrl-C: exit $code: $(cat stderr)"
jq -e '.status == "feasible" and .bound <= .objective' stdout >/dev/null || fail "interrupted: $(cat stdout)"
expect 0 ksda verify g.edges r.edges -c g.communities --map r.map -k 4
for child in $children; do
    if kill -0 "$child" 2>/dev/null; then fail "the solver is still there after Ctrl-C"; fi
done
no_leftovers
