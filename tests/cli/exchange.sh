# What we write is read by NetworkX, igraph and graphology, and what they write by us: names with blanks, quotes and umlauts,
# people without an edge, self-loops, parallel edges, attributes. Whatever of the three is missing is said and left out.
# The communities that a published graph carries, and names from an attribute, go through the whole command.
. "$SOURCE/tests/support/cli.sh"
ran=0
for python in python3 /usr/bin/python3; do
    "$python" "$SOURCE/tests/support/exchange.py" "$KSDA" >told 2>&1 && code=0 || code=$?
    cat told
    [ $code = 0 ] && ran=1
    [ $code = 0 ] || [ $code = 77 ] || fail "$python: exchange.py"
done

# published communities stand in the graph, under labels that tell nothing where they were made here, and a file without room for them is refused
for ending in graphml gexf gml json; do
    expect 0 ksda anonymize builtin:karate -k 2 -o p.$ending --map p.map --force --communities-in-graph --publish-communities p.txt
    expect 0 ksda convert p.$ending --community-attribute community -o q.edges --write-communities q.txt
    cmp p.txt q.txt || fail "$ending carries other communities"
    expect 0 ksda verify builtin:karate p.$ending --map p.map -k 2
    expect 0 ksda anonymize builtin:karate -k 2 -o p.$ending
    expect 3 ksda stats p.$ending --community-attribute community
done
for ending in edges csv net mtx; do
    expect 2 ksda anonymize builtin:karate -k 2 -o p.$ending --communities-in-graph
    says stderr 'do not carry communities; graphml, gexf, gml and json do'
done
seq 0 29 | awk '{ print $1, ($1 + 1) % 30 }' >ring.edges
for run in 1 2 3 4 5 6 7 8; do # labels that were made here are dealt out anew each time
    ksda anonymize ring.edges --detect metis:10 -k 2 -q -o r.json --map r.map --force --communities-in-graph
    ksda convert r.json --community-attribute community -q -o /dev/null --output-format edges --write-communities r.txt
    awk 'NR == FNR { of[$1] = $2; next } $1 == 0 { print of[$2] }' r.txt r.map
done | sort -u >labels
[ "$(wc -l <labels)" -gt 1 ] || fail "the label of the first vertex is always the same"

# names from an attribute reach the map; look-alikes are told in every format
printf '{"nodes": [{"id": "n0", "name": "Anna"}, {"id": "n1", "name": "anna"}], "links": [{"source": "n0", "target": "n1"}]}' >n.json
expect 0 ksda stats n.json --name-attribute name
says stderr '1 vertex looks by name like another'
expect 0 ksda anonymize n.json --name-attribute name --detect metis:1 -k 1 -o n.edges --map n.map
matches n.map '^Anna'
expect 3 ksda stats n.json --name-attribute label
says stderr "there are 'id', 'name'"
expect 3 ksda stats ring.edges --name-attribute name

# directions are dropped, and that is said, once, where the file has them
nodes='"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]'
xml='<nodes><node id="1"/><node id="2"/></nodes>'
for way in directed undirected; do
    [ $way = directed ] && flag=1 word=true arcs=Arcs || flag=0 word=false arcs=Edges
    echo "graph [ directed $flag node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]" >d.gml
    echo "{\"directed\": $word, $nodes}" >d.json
    printf '*Vertices 2\n1 "a"\n2 "b"\n*%s\n1 2\n' $arcs >d.net
    echo "<graphml><graph edgedefault=\"$way\"><node id=\"1\"/><node id=\"2\"/><edge source=\"1\" target=\"2\"/></graph></graphml>" >d.graphml
    echo "<graphml><graph><node id=\"1\"/><node id=\"2\"/><edge source=\"1\" target=\"2\" directed=\"$word\"/></graph></graphml>" >e.graphml
    echo "<gexf><graph defaultedgetype=\"$way\">$xml<edges><edge source=\"1\" target=\"2\"/></edges></graph></gexf>" >d.gexf
    echo "<gexf><graph>$xml<edges><edge source=\"1\" target=\"2\" type=\"$way\"/></edges></graph></gexf>" >e.gexf
    for file in d.gml d.json d.net d.graphml e.graphml d.gexf e.gexf; do
        expect 0 ksda stats $file
        [ "$(grep -c "$file: the edges of this file have directions, which are dropped" stderr)" = $flag ] || fail "$file, $way: $(cat stderr)"
    done
done

# encodings, through a pipe and compressed as well
printf 'source,target\nJos\351,Ren\351e\n' >latin.csv
expect 3 ksda stats latin.csv
says stderr '--encoding windows-1252'
for encoding in latin-1 windows-1252; do
    ksda convert latin.csv --encoding $encoding -q -o u.csv
    says u.csv 'José,Renée'
    gzip -c latin.csv | ksda convert - --encoding $encoding -q --output-format csv -o - >u.csv
    says u.csv 'José,Renée'
done
[ $ran = 1 ] || { echo "neither NetworkX nor igraph is there: only the command was tried"; exit 77; }
