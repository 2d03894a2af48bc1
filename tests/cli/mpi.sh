# ksda-mpi: for every number of processes the same answers, to the byte, as `ksda`; and what it refuses.
. "$SOURCE/tests/support/cli.sh"
. "$SOURCE/tests/support/mpi.sh"
[ ! "$watched" ] || [ "${KSDA_TEST_TIMES:-}" ] || skip "slow under sanitizers, for which mpi_apart, mpi_ends, mpi_mpich and mpi_options stand; KSDA_TEST_TIMES=1 runs it"

# loops, repetitions that meet only across processes, comments, blank lines, odd spacing, no line end at the end
ksda generate rmat --scale 8 --edges 900 --blocks 4 --communities who.txt -o plain.txt --seed 3 -q
{
    echo '# somebody'"'"'s network'
    cat plain.txt
    echo '7 7'
    echo ''
    awk '{ print $2 "\t" $1 }' plain.txt | head -300
    printf '%s' "$(awk '{ print "  " $1 "   " $2 }' plain.txt | tail -5)"
} >edges.txt
equal 0 stats edges.txt -c who.txt --json
jq -e '.cleaning == {input_edges: 1206, self_loops: 1, duplicate_edges: 305}' wanted >/dev/null || fail "cleaning"
RANKS="2" equal 4 check edges.txt -c who.txt -k 3
RANKS="3" equal 4 check edges.txt -c who.txt -k 3 --json

# sparse ids, CSV with a header, raw pairs
awk 'BEGIN { print "source,target" } { printf "%.0f,%.0f\n", $1 * 10000000019, $2 * 10000000019 }' plain.txt >sparse.csv
RANKS="3" equal 0 stats sparse.csv --json
ksda convert plain.txt -o plain.u32 -q
RANKS=$(some_of 7 2) equal 0 stats plain.u32 --json
# fewer lines than processes
printf '1 2\n2 3\n' >short.txt
RANKS="7" equal 0 stats short.txt

# generated networks: every number of processes draws the same one, in one cell of its matrix or in many
drawn() {
    local ranks=$1
    shift
    ksda generate rmat "$@" --communities wanted.blocks -o wanted.txt --seed 9 -q
    for p in $ranks; do
        on "$p" generate rmat "$@" --communities got.blocks -o got.txt --seed 9 -q
        same got.txt wanted.txt && same got.blocks wanted.blocks
    done
}
drawn "$(some_of 1 7)" --vertices 30000 --edges 70000 --blocks 16 --probabilities 0.57,0.19,0.19,0.05
drawn "3" --vertices 5 --edges 10 --blocks 2
KSDA_MPI_WHOLE=0 drawn "$(some_of 4 2)" --scale 6 --edges 300 --blocks 4
on 3 generate rmat --scale 6 --edges 300 -o got.graphml --seed 9 -q
ksda generate rmat --scale 6 --edges 300 -o wanted.graphml --seed 9 -q && same got.graphml wanted.graphml
RANKS="2" equal 2 generate rmat --scale 2 --edges 7 -o nothing.txt
absent nothing.txt

# what is wrong is told with the line that it stands in, wherever that is
for line in $(some_of 2 700); do
    sed "${line}s/.*/1/" edges.txt >bad.txt
    RANKS="3" equal 3 stats bad.txt
done
: >empty.txt
RANKS="2" equal 3 stats empty.txt
RANKS="2" equal 1 stats nowhere.txt
head -c 1001 plain.u32 >cut.u32
RANKS="2" equal 3 stats cut.u32

# what several processes cannot read together
echo 'anna bert' >names.txt && cat plain.txt >>names.txt && echo 'anna carl' >>names.txt
expect 3 on 2 stats names.txt
says stderr "names.txt:902: an id that is no number"
gzip -k plain.txt
expect 3 on 2 stats plain.txt.gz
says stderr "only a plain file"
ksda convert plain.txt -o plain.graphml -q
expect 3 on 2 stats plain.graphml
says stderr "several processes together read lists of edges"

# the same release, map and communities: small networks are brought to the first process
release() { "$@" anonymize $net -k 3 --no-proof --insecure-ids --seed 5 -o published.txt --map map.txt --force --publish-communities labels.txt -q; }
net="plain.txt -c who.txt"
release ksda
mkdir wanted.d && mv published.txt map.txt labels.txt wanted.d
for p in $(some_of 1 4); do
    release on $p
    for f in published.txt map.txt labels.txt; do same $f wanted.d/$f; done
    [ "$(stat -c %a map.txt)" = 600 ] || fail "the map is not private"
done
expect 0 on 2 verify plain.txt published.txt -c who.txt --map map.txt -k 3
no_leftovers
