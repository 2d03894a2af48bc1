# A network as people have them, made by a seed, through every format, with communities that are not complete.
. "$SOURCE/tests/support/cli.sh"

ksda generate planted --vertices 2000 --edges 9000 --blocks 15 --not-stated 0.3 -o g.edges --communities g.communities
same_counts() { # FILE OPTION...: as many vertices, edges and communities
    ksda stats "$@" >stdout
    matches stdout '^vertices +2,000'
    matches stdout '^edges +9,000$'
    matches stdout '^communities +16$'
}
same_counts g.edges -c g.communities
for ending in graphml gml graph mtx csv tsv edges.gz edges.zst; do
    ksda convert g.edges -c g.communities -o "x.$ending" --write-communities "x.$ending.communities" -q
    same_counts "x.$ending" -c "x.$ending.communities"
done
for ending in graphml gml; do
    same_counts "x.$ending" --community-attribute community
done

# people without a community: told, or put together where asked for
awk '$2 != 15' g.communities >partial.communities
expect 3 ksda check g.edges -c partial.communities -k 2
silent stdout
says stderr "no community"
expect 0 ksda stats g.edges -c partial.communities --unassigned together
matches stdout '^communities +16$'

# what was released is verified, also from another format
for ending in graph mtx graphml csv; do
    ksda anonymize x.graphml --community-attribute community -k 4 -o "r.$ending" --map "r.$ending.map" --publish-communities "r.$ending.communities" -q
    expect 0 ksda verify g.edges "r.$ending" -c g.communities --map "r.$ending.map" -k 4
    expect 0 ksda check "r.$ending" -c "r.$ending.communities" -k 4
done

# formats that number the vertices: what stands beside them uses the numbers
for ending in graph mtx; do
    ksda generate rmat --scale 7 --edges 300 --blocks 4 -o "b.$ending" --communities "b.$ending.communities" -q
    expect 0 ksda stats "b.$ending" -c "b.$ending.communities"
    ksda convert builtin:karate -o "k.$ending" --write-communities "k.$ending.communities" -q
    ksda check "k.$ending" -c "k.$ending.communities" -k 2 >converted || true
    ksda check builtin:karate -k 2 >original || true
    same converted original
done
