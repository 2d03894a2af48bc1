# Pipes, compression, formats by name, the same result for every number of threads, and the whole way round.
. "$SOURCE/tests/support/cli.sh"
ksda convert builtin:lesmis -o g.edges --write-communities g.communities
# the same edges, whatever the order of lines and ends
canon() { awk '{ if ($1 "" < $2 "") print $1, $2; else print $2, $1 }' "$1" | LC_ALL=C sort >"$1.canon"; }
same_edges() { canon "$1"; canon "$2"; same "$1.canon" "$2.canon"; }
same_lines() { LC_ALL=C sort "$1" >one; LC_ALL=C sort "$2" >two; same one two; }

# stdin and stdout
ksda convert - <g.edges >copy.edges
same_edges g.edges copy.edges
gzip -c g.edges | ksda convert - -o - >copy.edges
same_edges g.edges copy.edges
ksda convert g.edges -o g.edges.gz
gzip -dc g.edges.gz >copy.edges
same_edges g.edges copy.edges
ksda convert g.edges.gz -o g2.edges.zst
ksda convert g2.edges.zst -o g2.edges
same_edges g.edges g2.edges
ksda anonymize - -c g.communities -k 1 --insecure-ids <g.edges >out1.edges 2>report
says report "Published"
ksda anonymize g.edges -c g.communities -k 1 --insecure-ids -o out2.edges >report 2>stderr
says report "Published"
same out1.edges out2.edges
ksda check g.edges -c - -k 1 <g.communities >/dev/null

# quiet is quiet
expect 0 ksda anonymize g.edges -c g.communities -k 1 -q -o out.edges --map out.map
silent stdout
silent stderr

# every format there and back
for format in edges csv tsv graphml gml; do
    ksda convert g.edges -c g.communities -o "x.$format" --output-format $format
    ksda convert "x.$format" --format $format -o back.edges
    ksda stats g.edges --json | sed '/"format"/d; /"reading"/,$d' >want
    ksda stats "x.$format" --json | sed '/"format"/d; /"reading"/,$d' >have
    same want have
    same_edges g.edges back.edges
done
for ending in graph mtx; do # these number their vertices
    ksda convert g.edges -o "x.$ending"
    expect 0 ksda stats "x.$ending"
    matches stdout '^edges +254$'
done
for ending in graphml gml; do
    ksda convert "x.$ending" --community-attribute community -o back.edges --write-communities back.communities
    same_lines g.communities back.communities
done

# threads do not matter
ksda generate rmat --scale 11 --edges 12000 --blocks 16 --communities r.communities -o r.edges --threads 1
for threads in 2 8; do
    ksda generate rmat --scale 11 --edges 12000 --blocks 16 --communities r2.communities -o r2.edges --threads $threads
    same r.edges r2.edges
    same r.communities r2.communities
done
ksda generate planted --vertices 3000 --edges 12000 --blocks 16 --not-stated 0.2 --communities p.communities -o p.edges --threads 1
ksda generate planted --vertices 3000 --edges 12000 --blocks 16 --not-stated 0.2 --communities p2.communities -o p2.edges --threads 8
same p.edges p2.edges
same p.communities p2.communities
for threads in 1 2 8; do
    ksda anonymize r.edges -c r.communities -k 2 --insecure-ids -t $threads -o "out$threads.edges" --map "out$threads.map" -q
    ksda detect r.edges -m leiden -t $threads -q -o "found$threads"
done
for threads in 2 8; do
    same out1.edges out$threads.edges
    same out1.map out$threads.map
    same found1 found$threads
done

# the release: verify agrees, the ids differ from run to run
ksda anonymize r.edges -c r.communities -k 2 -o a.edges --map a.map --publish-communities a.communities -q
ksda anonymize r.edges -c r.communities -k 2 -o b.edges --map b.map -q
cmp -s a.edges b.edges && fail "two releases have the same ids"
expect 0 ksda verify r.edges a.edges -c r.communities --map a.map -k 2
says stdout "YES"
expect 0 ksda check a.edges -c a.communities -k 2
says stdout "YES"
expect 4 ksda verify r.edges b.edges -c r.communities --map a.map -k 2 # the other release's map
says stdout "NO"
sed "1,$(($(wc -l <a.edges) - $(wc -l <r.edges) + 1))d" a.edges >fewer.edges # more than were added: a true edge is among them
expect 4 ksda verify r.edges fewer.edges -c r.communities --map a.map -k 2
says stdout "first fault"
expect 4 ksda verify r.edges a.edges -c r.communities --map a.map -k 16
