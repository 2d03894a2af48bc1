# ksda-mpi ends as it should: a process that is killed at any moment, signals, communities that one process has alone.
# KSDA_TEST_TIMES=5 kills at 20 moments instead of 4.
. "$SOURCE/tests/support/cli.sh"
. "$SOURCE/tests/support/mpi.sh"
export KSDA_MPI_WHOLE=0

# communities are ranges of ids, as are the rows that a process keeps
ksda generate rmat --scale 8 --edges 900 --blocks 4 --communities random.txt -o net.txt --seed 3 -q
awk '{ print $1, int($1 / 16) }' random.txt >who.txt
release() { "$@" anonymize net.txt -c who.txt -k 3 --no-proof --insecure-ids --seed 5 -o published.txt --map map.txt --force -q; }
release ksda
mkdir wanted.d && mv published.txt map.txt wanted.d
whole() { for f in published.txt map.txt; do same $f wanted.d/$f && rm $f; done; }
KSDA_MPI_STATS=1 release on 3 2>calls
whole
RANKS="3" equal 4 check net.txt -c who.txt -k 3 --json
RANKS="2" equal 0 stats net.txt -c who.txt --json

# --- killed at one of its calls of MPI, whichever: all end, and nothing is published
RANDOM=7
for i in $(seq $((4 * ${KSDA_TEST_TIMES:-1}))); do
    process=$((i % 3))
    calls=$(sed -n "s/.*process $process of .* \([0-9]*\) calls/\1/p" calls)
    [ "$calls" -gt 20 ] || fail "$calls calls of process $process"
    code=0 moment=$((RANDOM % calls + 1))
    KSDA_MPI_RAISE="$process $moment 9" release on 3 >stdout 2>killed || code=$?
    [ $code != 0 ] && [ $code != 124 ] || fail "process $process killed at call $moment of $calls: exit $code"
    # the last calls are orders to end: everything has its name by then
    if [ -e published.txt ]; then whole; else absent map.txt; fi
    rm -f .ksda-*
done

# --- what is recounted is what was written: the first process is stopped when the release is written and has no name yet,
# 40 to 42 calls before the end, and an edge of it is lost meanwhile
stopped() { # the process of this test that was stopped
    local p
    for p in /proc/[0-9]*; do
        if [ "$(readlink "$p/cwd" 2>/dev/null)" = "$PWD" ] && grep -q '^State:.T' "$p/status" 2>/dev/null; then echo "${p#/proc/}"; fi
    done
}
lose_an_edge() {
    local calls process file code=0
    calls=$(KSDA_MPI_STATS=1 release on 2 2>&1 | sed -n 's/.*process 0 of .* \([0-9]*\) calls/\1/p')
    whole
    KSDA_MPI_RAISE="0 $((calls - 44)) 19" release on 2 >stdout 2>stderr &
    until process=$(stopped) && [ -n "$process" ]; do
        kill -0 $! 2>/dev/null || fail "nobody was stopped"
        sleep 0.1
    done
    file=$(find . -name '.ksda-*' -size "$(stat -c %s wanted.d/published.txt)c")
    [ -f "$file" ] || fail "not written yet, or named already: $(ls -A)"
    sed 5d "$file" >less && cat less >"$file"
    kill -CONT "$process"
    wait $! || code=$?
    [ $code = 1 ] || fail "exit $code: an edge was lost after it was written"
    says stderr "read back, the release does not hold: original edge"
    absent published.txt map.txt
    no_leftovers
}
[ "$watched" ] || lose_an_edge

# --- signals are for the first process; the others go on
KSDA_MPI_RAISE="1 20 15" release on 2
whole
code=0
KSDA_MPI_RAISE="0 20 2" release on 2 >stdout 2>stderr || code=$?
[ $code = 130 ] || fail "interrupted while reading: exit $code"
absent published.txt map.txt
no_leftovers
