# Ctrl-C: exit 130, a message, no half-written file, no temporary file; a second one leaves at once.
. "$SOURCE/tests/support/cli.sh"

# finish PID: wait for it, at most two minutes, for the machine may be busy; the exit code goes to $code
finish() {
    (sleep 120; kill -9 "$1") >/dev/null 2>&1 3>&- &
    local watch=$!
    code=0
    wait "$1" || code=$?
    kill $watch 2>/dev/null || true
}
# caught PID: wait until the command has handlers of its own; before that, a signal ends it like any program
caught() {
    local i mask
    for i in $(seq 3000); do
        mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null) || mask=0
        [ $((0x${mask:-0} & 2)) = 0 ] || return 0
        sleep 0.02
    done
    fail "no handler of SIGINT after a minute"
}
# child PID: wait until METIS works, which has a process of its own
child() {
    local i
    for i in $(seq 3000); do
        [ -z "$(cat "/proc/$1/task/$1/children" 2>/dev/null)" ] || return 0
        kill -0 "$1" 2>/dev/null || fail "ended before METIS was asked: $(cat stderr)"
        sleep 0.02
    done
    fail "no METIS after a minute: $(cat stderr)"
}
slow() { while sleep 0.05; do seq 1 200 | paste -d' ' - <(seq 2 201) || exit 0; done; }

for signal in INT TERM; do
    # Background jobs of a script ignore SIGINT, and what is ignored stays so; env starts the command with the default.
    mkfifo pipe
    slow >pipe 2>/dev/null &
    writer=$!
    env --default-signal=INT "$KSDA" anonymize - --detect leiden -k 2 -o out.edges --map out.map <pipe >stdout 2>stderr &
    pid=$!
    caught $pid
    sleep 0.5
    start=$(date +%s%N)
    kill -$signal $pid
    finish $pid
    took=$((($(date +%s%N) - start) / 1000000))
    kill $writer 2>/dev/null || true
    wait $writer 2>/dev/null || true
    [ "$code" = 130 ] || fail "SIG$signal: exit $code"
    [ $took -lt 15000 ] || fail "SIG$signal: took $took ms"
    says stderr "interrupted; nothing was written"
    absent out.edges out.map
    no_leftovers
    rm pipe
done

# a pipe that says nothing at all: the read itself must wake up
mkfifo pipe
sleep 30 >pipe &
writer=$!
env --default-signal=INT "$KSDA" stats - <pipe >stdout 2>stderr &
pid=$!
caught $pid
sleep 0.2
kill -INT $pid
finish $pid
kill $writer
[ $code = 130 ] || fail "silent pipe: exit $code"
silent stdout

# while a file is being written: the temporary file is there, then it is gone; once, and with a second signal on its heels
for times in 1 2; do
    env --default-signal=INT nice -n 5 "$KSDA" generate rmat --scale 16 --edges 900000 -o big.edges.gz >stdout 2>stderr &
    pid=$!
    for i in $(seq 400); do
        [ -z "$(find . -name '.ksda-*' -print -quit)" ] || break
        kill -0 $pid 2>/dev/null || break
        sleep 0.02
    done
    for i in $(seq $times); do kill -INT $pid 2>/dev/null || true; done
    finish $pid
    [ "$code" = 130 ] || fail "while writing, $times signals: exit $code"
    absent big.edges.gz
    no_leftovers
done
# an old file survives
echo old >big.edges.gz
env --default-signal=INT nice -n 5 "$KSDA" generate rmat --scale 16 --edges 900000 -o big.edges.gz >stdout 2>stderr &
pid=$!
caught $pid
kill -INT $pid
finish $pid
[ "$code" = 130 ] || fail "over an old file: exit $code"
[ "$(cat big.edges.gz)" = old ] || fail "the old file was touched"
no_leftovers
rm big.edges.gz

# while a frontier is searched, half-way by processor time: the releases found so far, and the one to publish among them
frontier=(env --default-signal=INT "$KSDA" anonymize builtin:lesmis -k 4 --frontier --frontier-runs 1000 --no-measures -t 1 -o f.edges --map f.map
    --json --force)
TIMEFORMAT='%U %S'
{ time "${frontier[@]}" >stdout 2>stderr; } 2>took
jq -e '.frontier.complete and (.frontier.points | length) >= 2' stdout >/dev/null || fail "the whole frontier: $(cat stdout)"
half=$(awk '{ print int(500 * ($1 + $2)) }' took)
for signal in INT TERM; do
    rm -f f.edges f.map
    "${frontier[@]}" >stdout 2>stderr &
    pid=$!
    until [ "$(busy_ms $pid)" -ge "$half" ]; do
        kill -0 $pid 2>/dev/null || fail "the frontier ended in half the time: $(tail -c 300 stderr)"
        sleep 0.01
    done
    kill -$signal $pid
    finish $pid
    [ "$code" = 5 ] || fail "SIG$signal during a frontier: exit $code: $(tail -c 300 stderr)"
    says stderr "interrupted: these are the releases found so far"
    jq -e '.limited and .valid and .satisfied and (.frontier.complete | not) and (.frontier.points | length) >= 1' stdout >/dev/null ||
        fail "SIG$signal during a frontier: $(cat stdout)"
    expect 0 ksda verify builtin:lesmis f.edges --map f.map -k 4
done
no_leftovers

# METIS prints where it is asked for too many parts, and takes SIGTERM for itself: neither may be seen
ksda version --json | jq -e .libraries.metis >/dev/null || skip "no METIS in this build: its interruption is not tested"
seq 0 139999 | paste -d' ' - - >pairs.edges
expect 0 ksda detect pairs.edges -m metis:35000 -o out.communities --json
jq -e .communities stdout >/dev/null || fail "more than a report on standard output: $(head -c 200 stdout)"
rm out.communities
env --default-signal=INT "$KSDA" detect pairs.edges -m metis:35000 -o out.communities >stdout 2>stderr &
pid=$!
child $pid
kill -TERM $pid
finish $pid
[ "$code" = 130 ] || fail "SIGTERM while METIS works: exit $code: $(cat stderr)"
absent out.communities
no_leftovers

# while the measures of the report are computed there is a release: it is handed over, and the report does without them
head -n 10000 pairs.edges >few.edges
seq 0 19999 | awk '{ print $1, $1 % 5000 }' >few.communities
for signal in TERM INT; do
    rm -f r.edges r.map r.html
    env --default-signal=INT "$KSDA" anonymize few.edges -c few.communities -k 2 --no-proof -o r.edges --map r.map --report r.html -t 1 \
        >stdout 2>stderr &
    pid=$!
    child $pid
    kill -$signal $pid
    finish $pid
    [ "$code" = 5 ] || fail "SIG$signal while it measures: exit $code: $(cat stderr)"
    says stderr "interrupted: the report has no measures"
    present r.edges r.map r.html
    expect 0 ksda verify few.edges r.edges -c few.communities --map r.map -k 2
done
no_leftovers
