# Runs end: packed counters do not wrap, --time-limit and the first signal are heard, writes that fail end the command.
. "$SOURCE/tests/support/cli.sh"

# star LEAVES COMMUNITIES: vertex 0 and its leaves, the communities in turn
star() {
    seq 1 "$1" | sed 's/^/0 /' >star.edges
    seq 0 "$1" | awk -v c="$2" '{ print $1, $1 % c }' >star.communities
}

# 1,030 leaves once made a counter of ten bits wrap, and 5,000,000 one of 22
star 1030 3
guard=60 # seconds of processor time, for runs that would never end; a sanitizer makes those that do end ten times as long
if sanitized; then guard=300; fi
expect 0 within $guard "$KSDA" anonymize star.edges -c star.communities -k 2 -o p.edges --map p.map --json --split-weight 0.01
expect 0 ksda verify star.edges p.edges -c star.communities --map p.map -k 2
expect 0 within $guard "$KSDA" anonymize star.edges -c star.communities -k 2 -o p.edges
rm -f p.edges p.map

# stars whose centres are all in one community: tens of thousands of pieces with the same needs, paired in seconds
if ! sanitized; then
    awk 'BEGIN { for (s = 0; s < 500; s++) for (i = 1; i <= 1000; i++) print s * 1001, s * 1001 + i }' >stars.edges
    awk 'BEGIN { for (v = 0; v < 500500; v++) print v, v % 1001 ? 1 + v % 1001 % 3 : 0 }' >stars.communities
    expect 0 within 20 "$KSDA" anonymize stars.edges -c stars.communities -k 2 -t 1 -o p.edges --map p.map --quiet
    expect 0 ksda verify stars.edges p.edges -c stars.communities --map p.map -k 2
    rm p.edges p.map
fi

# one large community and 60,000 small ones, which have to leave further pieces for a share of a tenth: who is
# next is found without going through all of them, and the limit is seen on the way
if ! sanitized; then
    awk 'BEGIN { for (v = 0; v < 40000; v += 2) print v, v + 1
        for (v = 40000; v < 280000; v += 4) for (i = 0; i < 4; i++) for (j = i + 1; j < 4; j++) print v + i, v + j }' >crowd.edges
    awk 'BEGIN { for (v = 0; v < 280000; v++) print v, v < 40000 ? 0 : int(v / 4) }' >crowd.communities
    code=0
    within 4 "$KSDA" anonymize crowd.edges -c crowd.communities -k 2 --max-share 1/10 --time-limit 1 -t 1 -o p.edges >stdout 2>stderr || code=$?
    case $code in 1 | 4 | 5) ;; *) fail "many communities, a share bound and a limit: exit $code" ;; esac
    rm -f p.edges
fi

# two thirds of all people in one community, whose members stand lower, many at a time, until the others can meet it
if ! sanitized; then
    awk 'BEGIN { srand(5); n = 60000; G = 40000; for (v = 0; v < n; v++) print v, (v + 1) % n
        for (i = 0; i < 3 * n; i++) { small = rand() < 0.8; a = small ? G + int(rand() * (n - G)) : int(rand() * G)
            b = small ? int(rand() * n) : int(rand() * G); if (a != b) print a, b } }' >giant.edges
    awk 'BEGIN { for (v = 0; v < 60000; v++) print v, v < 40000 ? 0 : 1 + v % 300 }' >giant.communities
    code=0
    within 5 "$KSDA" anonymize giant.edges -c giant.communities -k 3 --max-share 1/3 --time-limit 2 -t 1 -o p.edges >stdout 2>stderr || code=$?
    case $code in 1 | 4 | 5) ;; *) fail "a giant community, a share bound and a limit: exit $code" ;; esac
    rm -f p.edges
fi

# a program too large to be held is a clear no, not a lack of memory
if ! sanitized; then
    seq 0 199998 | awk '{ print $1, $1 + 1 }' >path.edges
    seq 0 199999 | awk '{ print $1, int($1 / 20000) }' >path.communities
    expect 4 within 60 "$KSDA" optimal path.edges -c path.communities -k 3 -o p.edges
    says stderr "the program to be solved would be too large; none is cheaper than 0"
fi

# a pipe that says nothing
mkfifo pipe
sleep 30 >pipe &
writer=$!
code=0
timeout 20 "$KSDA" stats - --time-limit 0.5 <pipe >stdout 2>stderr || code=$?
kill $writer
rm pipe
[ $code = 1 ] || fail "silent pipe: exit $code"
one_message
says stderr "the time limit of 0.5 s is over"

# the first signal hands over the best release, the second one stops
rm -f p.edges p.map
size="--scale 11 --edges 12000"
if sanitized; then size="--scale 9 --edges 2500"; fi
ksda generate rmat $size --blocks 16 -o g.edges --communities g.communities --quiet
for signal in INT TERM; do
    env --default-signal=INT "$KSDA" anonymize g.edges -c g.communities -k 12 --split-weight 20 --bound 60 -t 1 \
        -o p.edges --map p.map --progress >stdout 2>stderr &
    pid=$!
    until grep -qE 'rewiring|bound|column generation|exact method' stderr; do # there is a release, polished or proved
        [ "$(busy_ms $pid)" -lt $((1000 * guard)) ] || fail "no word of a release that is being made better"
        kill -0 $pid || fail "ended before there was word of a release: $(tail -c 300 stderr)"
        sleep 0.1
    done
    kill -$signal $pid
    code=0
    wait $pid || code=$?
    [ $code = 5 ] || fail "SIG$signal: exit $code"
    says stderr "this is the best release so far"
    expect 0 ksda verify g.edges p.edges -c g.communities --map p.map -k 12
    rm p.edges p.map
done
no_leftovers

# nobody can read a device back, and it may have no end
expect 1 within 60 "$KSDA" sweep builtin:karate -k 2 --no-measures --journal /dev/full
one_message
expect 1 within 60 "$KSDA" sweep builtin:karate -k 2 --no-measures --journal /dev/zero
one_message

# an output that cannot be written is a failure, whatever the answer is
ksda anonymize builtin:karate -k 2 -o p.edges --map p.map --quiet
full() {
    local code=0
    within 60 "$KSDA" "$@" >/dev/full 2>stderr </dev/null || code=$?
    [ $code = 1 ] || fail "exit $code with a full disk: $*"
    matches stderr '^ksda: .*(No space left|write failed)'
}
for json in "" --json; do
    if [ -z "$json" ] && sanitized; then continue; fi
    full check builtin:karate -k 2 $json
    full check builtin:lesmis -k 4 $json
    full stats builtin:karate $json
    full measure builtin:karate $json
    full compare builtin:karate p.edges --map p.map $json
    full verify builtin:karate p.edges --map p.map -k 2 $json
    full anonymize builtin:karate -k 2 -o q.edges $json
    full anonymize builtin:karate -k 2 --frontier --frontier-runs 2 $json
    full optimal builtin:karate -k 2 -o q.edges $json
    full sweep builtin:karate -k 2 -m level-plan --no-measures $json
    full methods $json
    full version $json
done
full anonymize builtin:karate -k 2 -o -
full convert builtin:karate -o -
full detect builtin:karate --method leiden -o -
full generate rmat --scale 4 --edges 20 -o -
full help
full check --help
full completion bash
refused() {
    local code=0
    within 60 "$KSDA" "$@" >stdout 2>stderr </dev/null || code=$?
    [ $code = 1 ] || fail "exit $code with a full disk: $*"
    matches stderr '^ksda: .*No space left'
}
refused anonymize builtin:karate -k 2 -o /dev/full
for option in --map --summary --report --publish-communities --trace; do
    refused anonymize builtin:karate -k 2 -m flex-split -o q.edges $option /dev/full
done
refused optimal builtin:karate -k 2 -o q.edges --write-lp /dev/full
refused check builtin:karate --report /dev/full
for option in --csv --report; do refused sweep builtin:karate -k 2 -m level-plan --no-measures $option /dev/full; done
refused convert builtin:karate -o /dev/full
refused detect builtin:karate --method leiden -o /dev/full
refused generate rmat --scale 4 --edges 20 -o /dev/full
refused generate rmat --scale 4 --edges 20 --blocks 2 -o q.edges --communities /dev/full
no_leftovers
