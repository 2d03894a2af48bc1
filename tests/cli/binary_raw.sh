# Raw pairs of 32 and 64 bits: the same network as the edge list, whatever their first bytes look like.
. "$SOURCE/tests/support/cli.sh"

ksda generate planted --vertices 800 --edges 4000 --blocks 15 -o g.edges --communities g.communities -q
for width in 32 64; do
    for packed in "" .gz .zst; do
        ksda convert g.edges -o "g.u$width$packed" -q
        ksda convert "g.u$width$packed" -o "again.edges" -q
        same g.edges again.edges
    done
    [ "$(stat -c %s "g.u$width")" -eq $((4000 * width / 4)) ] || fail "raw$width: $(stat -c %s "g.u$width") bytes"
    ksda convert --format "raw$width" - -o again.edges -q <"g.u$width" # standard input, mapped and through a pipe
    same g.edges again.edges
    cat "g.u$width" | ksda convert --format "raw$width" - -o again.edges -q
    same g.edges again.edges
done
for threads in 1 4; do
    ksda anonymize g.u32 -c g.communities -k 3 --threads $threads --time-limit 1 -o r.u64 --map r.map -q --force || [ $? -eq 5 ]
    expect 0 ksda verify g.edges r.u64 -c g.communities --map r.map -k 3
done

# the first id looks like gzip, like UTF-16 and like a byte order mark
for id in 35615 65537 12565487 4247762216; do
    printf '1 %s\n2 %s\n' $id $id >odd.edges
    for width in 32 64; do
        ksda convert odd.edges -o odd.u$width -q
        ksda convert odd.u$width -o again.edges -q
        same odd.edges again.edges
    done
done

printf '1 4294967296\n' >wide.edges
expect 1 ksda convert wide.edges -o wide.u32
says stderr "4294967296"
says stderr "raw64"
ksda convert wide.edges -o wide.u64 -q
ksda convert wide.u64 -o again.edges -q
same wide.edges again.edges
printf 'ann bob\n' >names.edges
expect 1 ksda convert names.edges -o names.u64
says stderr "'ann' cannot be written as raw pairs: it is no number"

head -c 1001 g.u32 >cut.u32
expect 3 ksda stats cut.u32
says stderr "the pair at offset 1000 is cut off"
: >empty.u64
expect 3 ksda stats empty.u64
says stderr "no edges in this file"
expect 3 ksda stats g.u32 --columns 1,2
