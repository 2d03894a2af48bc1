# Every command looks whether it must stop, often, and does so wherever it is when the time is over or a signal comes
# (tests/looks/looks.c watches it).
. "$SOURCE/tests/support/cli.sh"
WATCHED=$BUILD/tests/ksda_looks
most=250 # milliseconds of processor time between two looks
if sanitized "$WATCHED"; then most=4000; fi

# often COMMAND...: it looks often enough
often() {
    local code=0
    rm -f looks
    KSDA_LOOKS=looks timeout 300 "$WATCHED" "$@" -t 1 -q --time-limit 100000 >stdout 2>stderr </dev/null || code=$?
    case $code in 0 | 4) ;; *) fail "exit $code: $*" ;; esac
    awk -v most=$most '{ exit !($2 < most) }' looks || fail "$(awk '{ print $2 }' looks) ms between two looks: $*"
}

# stops COMMAND...: time over, and SIGTERM, at the first look, the last and some between; under sanitizers, only once
stops() {
    local total code how at
    rm -rf o && mkdir o
    KSDA_LOOKS=looks timeout 300 "$WATCHED" "$@" -t 1 -q --time-limit 100000 >stdout 2>stderr </dev/null || [ $? = 4 ] || fail "$*"
    total=$(awk '{ print $1 }' looks)
    [ "$total" -ge 1 ] || fail "never looks: $*"
    for how in STRIKE SIGNAL; do
        for at in $((2 * total / 3 + 1)) 1 $((total / 3 + 1)) $((total > 1 ? total - 1 : 1)); do
            rm -rf o && mkdir o
            code=0
            env KSDA_$how=$at timeout 120 "$WATCHED" "$@" -t 1 -q --time-limit 100000 >stdout 2>stderr </dev/null || code=$?
            case $how$code in
            STRIKE0 | STRIKE1 | STRIKE4 | STRIKE5 | SIGNAL0 | SIGNAL4 | SIGNAL5 | SIGNAL130) ;;
            *) fail "exit $code, $how at look $at of $total: $*" ;;
            esac
            [ $code = 0 ] || [ $code = 5 ] || matches stderr '^ksda: '
            if [ $code = 1 ] || [ $code = 130 ]; then [ -z "$(ls -A o)" ] || fail "files are left, $how at look $at of $total: $*"; fi
            if [ -e o/map ]; then
                expect 0 "$KSDA" verify g.edges o/p.edges -c g.communities --map o/map -k 2 -q || fail "$how at look $at of $total: $*"
            fi
            ! sanitized "$WATCHED" || break
        done
    done
}

# --- where and when ---
"$KSDA" convert builtin:karate -o g.edges --write-communities g.communities -q
"$KSDA" anonymize g.edges -c g.communities -k 2 -o r.edges --map r.map -q
net="g.edges -c g.communities -k 2"
for method in level-plan edge-connect flex-split merge-by-split optimal; do
    stops anonymize $net -m $method -o o/p.edges --map o/map
done
stops anonymize $net -m k-degree -o o/p.edges
stops anonymize $net -o o/p.edges --map o/map --report o/p.html
stops anonymize $net --frontier --frontier-runs 2 -o o/p.edges --map o/map
stops optimal $net --operations add+split -o o/p.edges --map o/map
stops sweep $net -m flex-split,merge-by-split --csv o/s.csv
stops check $net --report o/c.html
stops verify g.edges r.edges -c g.communities --map r.map -k 2
stops measure g.edges -c g.communities
stops compare g.edges r.edges --map r.map
stops detect g.edges -m leiden -o o/d.communities
stops detect g.edges -m metis:4 -o o/d.communities
stops generate rmat --scale 10 --edges 4000 -o o/r.edges
stops generate planted --vertices 500 --edges 1500 --blocks 8 -o o/r.edges

# what attackers learn, which a report tells last, is left out when the time is over
rm -rf o && mkdir o
report="anonymize $net -o o/p.edges --map o/map --report o/p.html -t 1 --time-limit 100000 --insecure-ids" # as many looks each time
KSDA_LOOKS=looks expect 0 "$WATCHED" $report
rm -rf o && mkdir o
KSDA_STRIKE=$(awk '{ print $1 - 20 }' looks) expect 0 "$WATCHED" $report
says stderr "the attackers were not done in time; the report has none"
present o/p.edges o/map o/p.html

# --- how often ---
"$KSDA" generate planted --vertices 20000 --edges 60000 --blocks 20 --communities n.communities -o n.edges -q
"$KSDA" generate planted --vertices 40000 --edges 60000 --blocks 20 --communities n2.communities -o n2.edges -q
awk '{ print $1, NR % 20000 }' n2.communities >many.communities
often anonymize n2.edges -c many.communities -k 19000 -m k-degree -o p.edges # the cut was O(nk) without a look
often anonymize n.edges -c n.communities -k 3 -m merge-by-split -o p.edges
often detect n.edges -m leiden -o p.communities
often measure n.edges -c n.communities
seq 1 60000 | sed 's/^/0 /' >s.edges
seq 0 60000 | awk '{ print $1, $1 % 3 }' >s.communities
often anonymize s.edges -c s.communities -k 2 --no-proof -o p.edges # a hub in n pieces was dealt out in O(n^2)
