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
sleep 0.5
kill -INT $pid
finish $pid
kill $writer
[ $code = 130 ] || fail "silent pipe: exit $code"
silent stdout

# while a file is being written: the temporary file is there, then it is gone; once, and with a second signal on its heels
for times in 1 2; do
    env --default-signal=INT "$KSDA" generate rmat --scale 16 --edges 900000 -o big.edges.gz >stdout 2>stderr &
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
env --default-signal=INT "$KSDA" generate rmat --scale 16 --edges 900000 -o big.edges.gz >stdout 2>stderr &
pid=$!
sleep 0.2
kill -INT $pid
finish $pid
[ "$code" = 130 ] || fail "over an old file: exit $code"
[ "$(cat big.edges.gz)" = old ] || fail "the old file was touched"
no_leftovers
