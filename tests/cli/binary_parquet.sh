# Parquet by itself: what is written is read again, as edges and as communities; columns; what is refused.
. "$SOURCE/tests/support/cli.sh"

ksda generate planted --vertices 800 --edges 4000 --blocks 15 -o g.edges --communities g.communities -q
ksda convert g.edges -c g.communities -o g.parquet --write-communities c.parquet -q
ksda convert g.parquet -c c.parquet -o again.edges --write-communities again.communities -q 2>stderr
same g.edges again.edges
same <(sort g.communities) <(sort again.communities)
silent stderr # the names of the columns are known: nothing is assumed
ksda convert --format parquet - -o again.edges -q <g.parquet --columns 2,1
[ "$(wc -l <again.edges)" -eq 4000 ] || fail "not 4000 edges"
cp g.parquet g.unknown # told by its content
cat g.unknown | ksda convert - -o again2.edges -q
same g.edges again2.edges
ksda anonymize g.parquet -c c.parquet -k 3 --time-limit 1 -o r.parquet --map r.map --publish-communities rc.parquet -q || [ $? -eq 5 ]
expect 0 ksda verify g.edges r.parquet -c g.communities --map r.map -k 3
expect 0 ksda check r.parquet -c rc.parquet -k 3

# names, numbers of every size, people in several communities
printf 'ann bob\nbob "c\n"c 7\n' >names.edges
ksda convert names.edges -o names.parquet -q
ksda convert names.parquet -o again.edges -q
same names.edges again.edges

# texts stand once in the dictionary of a row group, of which there are two here; too much text for a page stands as it is
awk 'BEGIN { for (i = 0; i < 1100; i++) for (j = i + 1; j < i + 1001; j++) print "p" i, "p" j % 2101 }' >groups.edges
ksda convert groups.edges -o groups.parquet -q
ksda convert groups.parquet -o again.edges -q
ksda convert groups.edges -o once.edges -q
same once.edges again.edges
[ "$(stat -c %s groups.parquet)" -lt 3500000 ] || fail "texts are written again and again: $(stat -c %s groups.parquet) bytes"
if ! sanitized; then
    base64 -w 500000 /dev/urandom | head -n 140 | sed 's/^/c /' >long.edges
    ksda convert long.edges -o long.parquet -q
    ksda convert long.parquet -o again.edges -q
    same long.edges again.edges
    rm long.edges long.parquet again.edges
fi

printf '1 18446744073709551615\n1 4294967296\n' >wide.edges
ksda convert wide.edges -o wide.parquet -q
ksda convert wide.parquet -o again.edges -q
same <(sort wide.edges) <(sort again.edges)

# columns
expect 3 ksda stats g.parquet --columns source,nobody
says stderr "no column is called 'nobody' (there are 'source', 'target')"
expect 3 ksda stats g.edges -c c.parquet --community-column club
says stderr "no column is called 'club' (there are 'vertex', 'community')"

# damage
size=$(stat -c %s g.parquet)
head -c $((size - 1)) g.parquet >cut.parquet
expect 3 ksda stats cut.parquet
says stderr "cut.parquet: at offset $((size - 5)): expected PAR1 at the end of the file"
printf 'PAR1' >short.parquet
expect 3 ksda stats short.parquet
says stderr "at offset 0: a Parquet file begins and ends with PAR1"
{ head -c 100 g.parquet; head -c 400 /dev/zero; tail -c +501 g.parquet; } >damaged.parquet
expect 3 ksda stats damaged.parquet
says stderr "the page of column 'source' that begins here is damaged"
