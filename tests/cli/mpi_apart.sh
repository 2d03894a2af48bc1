# ksda-mpi where the rows stay with their processes: releases, recounts and complaints are those of `ksda`, to the byte.
# KSDA_MPI_WHOLE=0: also of small networks, which are otherwise brought to the first process.
. "$SOURCE/tests/support/cli.sh"
. "$SOURCE/tests/support/mpi.sh"
export KSDA_MPI_WHOLE=0

# --- releases; as many vertices as level-plan needs not to look at all rows
ksda generate planted --vertices 21000 --edges 40000 --blocks 6 --communities who.txt -o net.txt --seed 3 -q
release() { "$@" anonymize net.txt -c who.txt -k 3 --no-proof --insecure-ids --seed 5 -o published.txt --map map.txt --force --publish-communities labels.txt -q; }
release ksda
mkdir wanted.d && mv published.txt map.txt labels.txt wanted.d
for p in $(some_of 2 3); do
    release on $p
    for f in published.txt map.txt labels.txt; do same $f wanted.d/$f; done
done
no_leftovers
# with a bound on shares, too
shared() { "$@" anonymize net.txt -c who.txt -k 2 --max-share 1/3 --no-proof --insecure-ids -o shared.txt --map shared.map --force -q; }
shared ksda
mv shared.txt shared.map wanted.d
for p in $(some_of 1 4 2); do
    shared on $p
    same shared.txt wanted.d/shared.txt && same shared.map wanted.d/shared.map
done
RANKS=$(some_of 2 4) equal 0 verify net.txt shared.txt -c who.txt --map shared.map -k 2 --max-share 1/3 --json
RANKS="2" equal 4 verify net.txt shared.txt -c who.txt --map shared.map -k 2 --max-share 1/5 --json
RANKS="4" equal 4 check net.txt -c who.txt --max-share 1/3 --json
# secret ids are others every time, edges are in their order, and the release holds
expect 0 on 2 anonymize net.txt -c who.txt -k 3 --no-proof --seed 5 -o secret.u32 --map secret.map -q
expect 0 ksda verify net.txt secret.u32 -c who.txt --map secret.map -k 3
expect 0 on 3 anonymize net.txt -c who.txt -k 3 --no-proof --seed 5 -o secret.txt --map other.map -q
expect 0 on 2 verify net.txt secret.txt -c who.txt --map other.map -k 3
sort -n -k1,1 -k2,2 -c secret.txt && awk '$1 >= $2 { exit 1 }' secret.txt || fail "the edges are not in order"
[ "$(cut -f 2 other.map | sort -un | wc -l)" = "$(wc -l <other.map)" ] || fail "an id was given twice"
kept=$(sort secret.map | comm -12 - <(sort other.map) | wc -l)
[ "$kept" -lt 20 ] || fail "$kept of 21000 people have the same id in two releases"
# where most people are split the first process makes the release by itself
expect 0 on 2 anonymize net.txt -c who.txt -k 3 -m splitting-only --insecure-ids -o split.txt --map split.map -q
ksda anonymize net.txt -c who.txt -k 3 -m splitting-only --insecure-ids -o split.wanted --map wanted.map --output-format edges -q
same split.txt split.wanted && same split.map wanted.map
# what could not be read back together is not begun
for f in refused.graphml refused.txt.gz; do
    expect 2 on 2 anonymize net.txt -c who.txt -k 3 -o $f --map refused.map -q
    says stderr "several processes read back what they write"
    absent $f refused.map
done

# --- what the first process does alone it does with the processors of all on its machine, to which a launcher binds them one by one
if taskset -c 0 true 2>/dev/null && taskset -c 1 true 2>/dev/null; then
    KSDA_MPI_STATS=1 expect 0 timeout -k 10 120 "$start" -n 1 taskset -c 0 "$mpi" stats net.txt -q : -n 1 taskset -c 1 "$mpi" stats net.txt -q
    matches stderr "process 0 of 2: .* 2 processors while it works alone"
    matches stderr "process 1 of 2: .* 1 processors while it works alone"
fi

# --- rows that nobody has fetched cannot be read: it ends, and does not go on with zeros
for how in $(some_of forget forget-pieces); do
    KSDA_MPI_TEST=$how expect 1 on 2 anonymize net.txt -c who.txt -k 3 --no-proof -o forgot.txt --map forgot.map -q
    says stderr "rows of other processes were read that had not been fetched"
    absent forgot.txt forgot.map
done
rm -f .ksda-*
export KSDA_MPI_TEST=pieces # as kernels before 6.13 have it
release on 3
unset KSDA_MPI_TEST
same published.txt wanted.d/published.txt

# --- recounts: with people in pieces, edges that are missing, foreign, doubled, and a map that lies
ksda generate rmat --scale 7 --edges 500 --blocks 4 --communities few.txt -o small.txt --seed 4 -q
ksda anonymize small.txt -c few.txt -k 4 -m splitting-only --insecure-ids -o pieces.txt --map pieces.map -q
[ "$(wc -l <pieces.map)" -gt 140 ] || fail "nobody was split"
on 3 anonymize small.txt -c few.txt -k 4 -m splitting-only --insecure-ids -o made.txt --map made.map -q # where the rows are: few ends
same made.txt pieces.txt && same made.map pieces.map
RANKS=$(some_of 1 3) equal 0 verify small.txt pieces.txt -c few.txt --map pieces.map -k 4 --json
sed 100d pieces.txt >lost.txt
RANKS="2" equal 4 verify small.txt lost.txt -c few.txt --map pieces.map -k 1 --json
{ cat pieces.txt && for i in 1 2 3 4 5 6 7 8; do echo "$i $((150 - 9 * i))"; done; } >foreign.txt
RANKS="3" equal 4 verify small.txt foreign.txt -c few.txt --map pieces.map -k 1 --json
awk 'NR == 31 { one = $1; at = $2; next } NR == 32 { print $1, at; print one, $2; next } { print }' pieces.map >lie.map
RANKS="4" equal 4 verify small.txt pieces.txt -c few.txt --map lie.map -k 1 --json

# --- endings: a disk that is full, a time limit; processes that die: mpi_ends.sh
expect 1 on 2 anonymize net.txt -c who.txt -k 3 --no-proof -o /dev/full --map full.map -q
absent full.map
# --time-limit is that of the first process, and holds for all: long enough for a release, too short for the proof
if [ "$watched" ]; then exit 0; fi # slow, and nothing in it is mpi/'s
code=0
on 2 anonymize net.txt -c who.txt -k 6 --bound 60 --time-limit 5 -o timely.txt --map timely.map -q >stdout 2>stderr || code=$?
[ $code = 0 ] || [ $code = 5 ] || fail "exit $code"
expect 0 ksda verify net.txt timely.txt -c who.txt --map timely.map -k 6
