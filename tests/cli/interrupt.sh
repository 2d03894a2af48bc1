# Ctrl-C: exit 130, a message, no half-written file, no temporary file; a second one leaves at once.
. "$SOURCE/tests/support/cli.sh"

# finish PID: wait for it, at most 20 s; the exit code goes to $code
finish() {
    (sleep 20; kill -9 "$1") >/dev/null 2>&1 3>&- &
    local watch=$!
    code=0
    wait "$1" || code=$?
    kill $watch 2>/dev/null || true
}
slow() { while sleep 0.05; do seq 1 200 | paste -d' ' - <(seq 2 201) || exit 0; done; }

for signal in INT TERM; do
    # Background jobs of a script ignore SIGINT, and what is ignored stays so; env starts the command with the default.
    mkfifo pipe
    slow >pipe 2>/dev/null &
    writer=$!
    env --default-signal=INT "$KSDA" anonymize - --detect leiden -k 2 -o out.edges --map out.map <pipe >stdout 2>stderr &
    pid=$!
    sleep 1
    start=$(date +%s%N)
    kill -$signal $pid
    finish $pid
    took=$((($(date +%s%N) - start) / 1000000))
    kill $writer 2>/dev/null || true
    wait $writer 2>/dev/null || true
    [ "$code" = 130 ] || fail "SIG$signal: exit $code"
    [ $took -lt 3000 ] || fail "SIG$signal: took $took ms"
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
sleep 0.5
kill -INT $pid
finish $pid
kill $writer
[ $code = 130 ] || fail "silent pipe: exit $code"
silent stdout
