# ksda-mpi with networks and maps in several files of a folder: what they hold, who may read them, that they appear
# together or not at all, and that one process reads them, too.
. "$SOURCE/tests/support/cli.sh"
. "$SOURCE/tests/support/mpi.sh"
[ ! "$watched" ] || [ "${KSDA_TEST_TIMES:-}" ] || skip "slow under sanitizers, for which mpi_apart, mpi_ends, mpi_mpich and mpi_options stand; KSDA_TEST_TIMES=1 runs it"
export KSDA_MPI_WHOLE=0
# the files of a folder, one behind the other, are that file
joined() { cat "$1"/part-* | same /dev/stdin "$2"; }

ksda generate planted --vertices 21000 --edges 40000 --blocks 6 --communities who.txt -o net.txt --seed 3 -q
release() { # HOW FILES...
    local how=$1
    shift
    $how anonymize net.txt -c who.txt -k 3 --no-proof --insecure-ids --seed 5 -q "$@"
}
release ksda -o wanted.txt --map wanted.map

# --- written, each process its part
release "on 3" -o parts/ --map map.d/
[ "$(ls parts)" = "$(printf 'part-0000%d\n' 0 1 2)" ] || fail "parts: $(ls parts)"
joined parts wanted.txt && joined map.d wanted.map
[ "$(stat -c %a map.d map.d/part-00002 | tr '\n' ' ')" = "700 600 " ] || fail "the map is not private"
expect 0 ksda verify net.txt parts -c who.txt --map map.d -k 3
[ "$watched" ] || expect 0 on 2 verify net.txt parts -c who.txt --map map.d -k 3
expect 0 on 2 anonymize net.txt -c who.txt -k 3 --no-proof -q -o secret.u32/ --map secret.d/
[ "$watched" ] || expect 0 ksda verify net.txt secret.u32 -c who.txt --map secret.d -k 3
# a part that is lost is noticed
mkdir lost && cp parts/part-00000 parts/part-00001 lost
expect 4 on 2 verify net.txt lost -c who.txt --map map.d -k 3
mv lost/part-00001 lost/part-00002
expect 3 on 2 verify net.txt lost -c who.txt --map map.d -k 3
says stderr "lost: part-00001 is missing"
# a small network is at the first process, which writes one part
KSDA_MPI_WHOLE=1000000 release "on 2" -o one/
joined one wanted.txt
ksda generate rmat --scale 9 --edges 4000 -o drawn.txt --seed 2 -q
expect 0 on 3 generate rmat --scale 9 --edges 4000 -o drawn/ --seed 2 -q
joined drawn drawn.txt

# --- all or nothing
expect 1 on 2 anonymize net.txt -c who.txt -k 3 --no-proof -q -o parts/ --map other.d/
says stderr "parts/"
absent other.d
joined parts wanted.txt
expect 1 on 2 anonymize net.txt -c who.txt -k 3 --no-proof -q -o full/ --map full.d/ --summary /dev/full
absent full full.d
no_leftovers
KSDA_MPI_STATS=1 on 2 anonymize net.txt -c who.txt -k 3 --no-proof -q -o counted/ --map counted.d/ 2>calls
calls=$(sed -n 's/.*process 1 of .* \([0-9]*\) calls/\1/p' calls)
for back in $(some_of 25 6); do # within the last steps: written, read back, recounted
    code=0
    KSDA_MPI_RAISE="1 $((calls - back)) 9" on 2 anonymize net.txt -c who.txt -k 3 --no-proof -q -o dead/ --map dead.d/ >stdout 2>stderr || code=$?
    [ $code != 0 ] || fail "a process was killed, and nobody noticed"
    absent dead dead.d
    rm -rf .ksda-*
done
expect 2 on 2 anonymize net.txt -c who.txt -k 3 -q -o table.csv/
says stderr "parts are written as edges, raw32 or raw64, not as csv"

# --- read: any names, in their order; empty files and those of other programs do not count
mkdir many && split -n l/4 net.txt many/piece. && : >many/piece.zz && echo done >many/_SUCCESS
ksda stats net.txt -c who.txt --json | jq -S 'del(.reading)' >wanted.stats
for how in "ksda" "on 3"; do
    $how stats many -c who.txt --json | jq -S 'del(.reading)' | same /dev/stdin wanted.stats
done
mkdir raw.u32 && ksda convert net.txt -o all.u32 -q && split -b 80000 all.u32 raw.u32/part-
RANKS="2" equal 0 stats raw.u32 --json
# communities as well
mkdir people && split -n l/3 who.txt people/part-
release "on 2" -o split.txt --map split.map -c people 2>stderr
same split.txt wanted.txt && same split.map wanted.map
sed -i '7s/.*/7/' many/piece.ac
RANKS="3" equal 3 stats many
says stderr "many/piece.ac:7"
mkdir names && echo 'anna bert' >names/part-00000
RANKS="2" equal 3 stats names
says stderr "an id that is no number"
mkdir empty
RANKS="2" equal 1 stats empty
