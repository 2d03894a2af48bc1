# What is read is what the file says: headers are no people, other formats are no edge lists, and nothing is assumed in silence.
. "$SOURCE/tests/support/cli.sh"

# a header is no edge, whatever its words: a triangle with one known community must not become 2-diverse by it
for header in 'Person A;Person B' 'Von;An' 'A;B' 'x,y'; do
    separator=$(printf '%s' "$header" | tr -cd ';,')
    { echo "$header"; printf 'anna%sbob\nbob%scarl\ncarl%sanna\n' "$separator" "$separator" "$separator"; } >g.csv
    { echo "name${separator}team"; printf '%s\n' "anna${separator}red" "bob${separator}blue" "carl${separator}red"; } >c.csv
    expect 0 ksda stats g.csv -c c.csv --json
    says stdout '"vertices": 3'
    says stdout '"header": 1'
    says stdout '"assumed": true'
    matches stderr 'g.csv: line 1 .* is taken for a header: neither occurs again; --header no'
    matches stderr 'c.csv: line 1 .* is taken for a header: neither occurs again; --communities-header no'
    [ "$(wc -l <stderr)" -eq 2 ] || fail "one line for each file"
    expect 0 ksda stats g.csv --header no --json
    says stdout '"vertices": 5'
    silent stderr
done

# what has a community is a person: the first line is an edge after all
printf 'anna,bob\ncarl,dora\ndora,emil\n' >g.csv
printf 'who,team\nanna,red\nbob,blue\ncarl,red\ndora,blue\nemil,red\n' >c.csv
expect 0 ksda stats g.csv -c c.csv --json
says stdout '"edges": 3'
says stdout '"header": null'
expect 3 sh -c "cat g.csv | \"$KSDA\" stats - --format csv -c c.csv"
says stderr 'header or an edge'
expect 0 ksda stats g.csv --json
says stdout '"edges": 2'

# blanks separate: names stay an edge, but it is told; above numbers they are a header
printf 'von an\nanna bob\nbob carl\n' >g.txt
expect 0 ksda stats g.txt --json
says stdout '"edges": 3'
says stderr 'taken for an edge: neither occurs again; --header yes'
printf 'von an\n1 2\n2 3\n' >g.txt
expect 0 ksda stats g.txt --json
says stdout '"edges": 2'
says stderr 'all others are numbers'
printf 'a b\n' >g.txt
expect 0 ksda stats g.txt --json
says stdout '"edges": 1'
says stderr 'there is no other'
expect 3 ksda stats g.txt --header yes
printf '1,2\n2,3\n' >g.csv
expect 0 ksda stats g.csv
silent stderr

# what ksda writes has no doubtful first line
printf 'u,v\nanna,bob\ncarl,dora\n' >g.csv
ksda convert g.csv --header yes -o g.edges 2>/dev/null
expect 0 ksda convert g.edges -o back.csv
silent stderr
[ "$(wc -l <back.csv)" -eq 3 ] || fail "two edges and a header"

# columns by name and by number
printf 'id;from person;to person;note\n1;anna;bob;x\n2;bob;carl;y\n' >g.csv
expect 0 ksda convert g.csv --columns 'from person,TO PERSON' -o -
matches stdout '^anna bob$'
silent stderr
expect 0 ksda convert g.csv --columns 2,3 --header yes -o -
matches stdout '^bob carl$'
expect 3 ksda stats g.csv --columns 'from person,to'
says stderr "g.csv:1:1: no column is called 'to'; there are 'id', 'from person', 'to person', 'note'"
expect 2 ksda stats g.csv --columns only
expect 2 ksda convert builtin:lesmis -o lesmis.gml --columns a,
ksda convert builtin:lesmis -o lesmis.gml
expect 3 ksda stats lesmis.gml --columns 1,2

# tables of vertices
printf 'anna,bob\nbob,carl\ncarl,anna\n' >g.csv
printf 'nr,person,age,team\n1,anna,30,red\n2,bob,41,blue\n3,carl,52,\n' >c.csv
expect 3 ksda stats g.csv -c c.csv
says stderr "community-column says which (there are 'nr', 'person', 'age', 'team')"
expect 0 ksda stats g.csv -c c.csv --vertex-column person --community-column team --unassigned together --json
says stdout '"communities": 3'
says stdout '"unassigned": 1'
expect 0 ksda stats g.csv -c c.csv --vertex-column 2 --community-column 4 --communities-header yes --unassigned together
expect 3 ksda stats g.csv -c c.csv --vertex-column person --community-column group
printf 'Id,Label,Dorm\nanna,A,red\nbob,B,blue\ncarl,C,red\n' >c.csv # a label may be a person's name
expect 3 ksda stats g.csv -c c.csv
says stderr "(there are 'Id', 'Label', 'Dorm')"
printf 'Id,Label,modularity_class\nanna,A,red\nbob,B,blue\ncarl,C,red\n' >c.csv
expect 0 ksda stats g.csv -c c.csv --json
says stderr "the community is taken from column 3 of 3, 'modularity_class'"
says stdout '"communities": 2'
printf 'node;group;department\nanna;A;red\nbob;B;blue\ncarl;C;red\n' >c.csv # two that may be it
expect 3 ksda stats g.csv -c c.csv
says stderr "community-column says which"
printf 'id,label,department\nanna,A,red\nbob,B,blue\ncarl,C,red\n' >c.csv
expect 0 ksda stats g.csv -c c.csv --community-column department --json
says stdout '"communities": 2'

# columns that are ignored are told
printf '1 2 0.5\n2 3 1.5\n3 1 2\n' >g.txt
expect 0 ksda stats g.txt --json
says stderr 'g.txt: column 3 is ignored (looks like weights)'
says stdout 'column 3 is ignored'
printf '%% sym weighted\n1 2 1 1082008561\n2 3 1 1082008562\n1 3 1 1082008563\n' >out.konect
expect 0 ksda stats out.konect
says stderr 'column 4 is ignored (looks like times)'
printf "1 2 {'weight': 3, 'kind': 'x'}\n2 3 {}\n" >g.txt
expect 0 ksda stats g.txt

# other formats are told by name, not read as edges
refused() { # refused NAME TEXT MESSAGE
    printf "$2" >"$1"
    expect 3 ksda stats "$1"
    matches stderr "$1:[0-9]*:"
    says stderr "$3"
}
refused g.adj '1 2 3\n2 1\n3 1 4\n4 3\n' 'looks like an adjacency list'
refused g.adj '1 2 3\n2 3\n3 4 5\n4 5\n' 'adjacency lists are not read'
refused g.adj '1 2 3\n2 1 3\n3 1 2\n' 'looks like an adjacency list'
refused g.adj 'a b c\nb a c\nc a b\n' 'a vertex elsewhere'
refused g.txt '0 1 1\n1 0 1\n1 1 0\n' 'adjacency matrix'
refused g.txt '*Edges\n1 2\n' 'a part of a Pajek network'
refused g.txt '*Matrix\n0 1\n1 0\n' 'a Pajek matrix'
refused g.txt '<html><body>no</body></html>\n' 'neither GraphML nor GEXF'
refused g.txt '[[1, 2]]\n' 'no node-link object'
refused g.dot 'graph G {\na -- b;\n}\n' 'Graphviz'
refused g.txt '{"nodes": []}\n' 'node-link JSON has'
refused g.txt 'Anna Maria Bob\nCarl Dora\n' 'names with blanks need CSV or TSV'
refused g.csv 'anna,bob\nbob,carl,dora\n' '3 columns here, but 2 in the lines before'
refused g.txt '1 2\r3 4\r5 6\r' 'carriage return'
printf '1 2\n2 3 4\n' >g.txt
expect 0 ksda stats g.txt --columns 1,2
printf 'Anna Maria\tBob\nBob\tCarl\nCarl\tAnna Maria\n' >g.txt
expect 0 ksda stats g.txt --json
says stdout '"format": "tsv"'
says stdout '"vertices": 3'

# an output that no format is known by is not written as an edge list
for name in x.gdf x.paj2 x.xlsx x.graphm x.lgl.gz x.dl; do
    expect 2 ksda convert builtin:karate -o $name
    matches stderr 'edges \(.edges .txt .edgelist .el\), .*graphml \(.graphml .xml\)'
    [ ! -e $name ] || fail "$name was written"
    expect 0 ksda convert builtin:karate -o $name --output-format edges
done
expect 2 ksda anonymize builtin:karate -k 2 -o x.net2
expect 0 ksda convert builtin:karate -o plain

# communities: a blank is a missing value, and conflicts are told together
printf '1 2\n2 3\n3 4\n' >g.edges
printf '1,a\n2,\n3,b\n4, \n' >c.csv
expect 3 ksda stats g.edges -c c.csv
says stderr "2 of 4 vertices have no community"
printf '1\ta\n2\t\n3\tb\n4\tb\n' >c.tsv
expect 0 ksda stats g.edges -c c.tsv --unassigned together --json
says stdout '"unassigned": 1'
printf 'graph [ node [ id 1 c "" ] node [ id 2 c "x" ] edge [ source 1 target 2 ] ]\n' >blank.gml
expect 3 ksda stats blank.gml --community-attribute c
says stderr "1 of 2 vertices has no community: '1'"
printf '1 a\n2 a\n1 b\n3 b\n2 b\n4 b\n' >c.txt
expect 3 ksda stats g.edges -c c.txt
says stderr "c.txt:3:1: vertex '1' is in community a and in community b, '2' too (line 5): overlapping"

# several communities in one field are one more community to us, and that is said
printf '1,red\n2,blue\n3,"red; blue"\n4,red|green\n' >c.csv
expect 0 ksda stats g.edges -c c.csv --json
says stderr "1 community is called by names of other communities, and counts as one more: 'red; blue'"
says stdout "'red; blue'"
printf '1,red\n2,blue\n3,red;\n4,red / green\n' >c.csv
expect 0 ksda stats g.edges -c c.csv
silent stderr

# a folder is one network, and that is said; parts that are lost or there twice are noticed
mkdir folder
expect 1 ksda stats folder
printf '1 2\n' >folder/part-00000 && printf '2 3\n' >folder/part-00002 && printf '7 8\n' >folder/part-00001-else
expect 3 ksda stats folder
says stderr "folder: part-00001 is missing"
: >folder/part-00001
expect 0 ksda stats folder
says stderr "a folder: 3 files are read as one network"
says stdout 'edges         3'
gzip -k folder/part-00002
expect 3 ksda stats folder
says stderr "folder/part-00002.gz: part-00002 is there twice"

# a community called NA is one, but may be meant as a missing one: that is said
for word in NA n/a '#N/A' NaN null None - '?'; do
    printf '1,red\n2,%s\n3,blue\n4,%s\n' "$word" "$word" >c.csv
    expect 0 ksda stats g.edges -c c.csv --json
    says stderr "c.csv: taken as the name of a community, not as a missing one: '$word' (2 vertices)"
    says stderr 'leave it blank'
    says stdout '"unassigned": 0'
    says stdout '"vertices": 0'
    says stdout "not as a missing one: '$word' (2 vertices)"
done
printf '1 a\n2 NA\n3 none\n4 a\n' >c.txt
expect 0 ksda stats g.edges -c c.txt
says stderr "'NA' (1 vertex), 'none' (1 vertex)"
printf 'graph [ node [ id 1 c "NA" ] node [ id 2 c "x" ] edge [ source 1 target 2 ] ]\n' >na.gml
expect 0 ksda stats na.gml --community-attribute c --json
says stderr "na.gml: taken as the name of a community, not as a missing one: 'NA' (1 vertex)"
says stdout "'NA' (1 vertex)"
printf '1 Nana\n2 nonesuch\n3 --\n4 Nana\n' >c.txt
expect 0 ksda stats g.edges -c c.txt
silent stderr

# people without a community never count towards k, unless asked for in so many words
printf '1 2\n2 3\n3 1\n' >g.edges
echo '1 red' >c.txt
for how in own together; do
    expect 2 ksda check g.edges -c c.txt --unassigned $how -k 2
    expect 0 ksda check g.edges -c c.txt --unassigned $how --json
    says stdout '"largest_k": 1'
    says stdout '"how": "'$how'"'
    says stderr '2 of 3 vertices have no community: '
    says stderr "without a community: '2', '3' (--list-unassigned writes all of them)"
    says stderr 'does not count'
done
expect 0 ksda check g.edges -c c.txt --unassigned own-counted -k 3
expect 0 ksda check g.edges -c c.txt --unassigned together-counted -k 2
expect 3 ksda check g.edges -c c.txt -k 1 --list-unassigned missing
says stderr "2 of 3 vertices have no community: '2', '3'; --unassigned"
[ "$(tr '\n' ' ' <missing)" = "2 3 " ] || fail "all are listed"
ksda convert builtin:lesmis -o g.edges --write-communities all.txt
awk 'NR % 9' all.txt >c.txt
for method in level-plan flex-split; do
    expect 0 ksda anonymize g.edges -c c.txt --unassigned together -k 2 -m $method -o p.edges --map p.map --force --json
    says stdout '"counted": false'
    expect 0 ksda verify g.edges p.edges -c c.txt --unassigned together --map p.map -k 2
done
expect 2 ksda anonymize g.edges -c c.txt --unassigned own -k 2 -o p.edges --map p.map --force
says stderr 'take them together'
expect 5 ksda optimal g.edges -c c.txt --unassigned together -k 2 --operations add+split --time-limit 2 -o p.edges --map p.map --force
expect 0 ksda verify g.edges p.edges -c c.txt --unassigned together --map p.map -k 2

# people without an edge are not in a list of edges, which is said; other formats hold them
printf 'a b\nb c\nc a\n' >iso.txt
printf '%s red\n' a b >iso.communities
printf '%s blue\n' c d >>iso.communities
expect 0 ksda anonymize iso.txt -c iso.communities -k 1 -o iso.edges --map iso.map
says stderr "1 vertex without an edge is not in iso.edges, which lists edges only"
expect 0 ksda anonymize iso.txt -c iso.communities -k 1 -o iso.graphml --map iso.map --force
if grep -q "is not in iso.graphml" stderr; then fail "GraphML holds all vertices"; fi

# known words that are names after all
printf 'from to\nto be\nbe from\n' >g.txt
expect 0 ksda stats g.txt --json
says stdout '"edges": 3'
says stderr "line 1 ('from', 'to') is taken for an edge: both are vertices below; --header yes if it is a header"
expect 0 ksda stats g.txt --header yes --json
says stdout '"edges": 2'
silent stderr
printf 'source,target\nsource,a\na,b\n' >g.csv
expect 0 ksda stats g.csv --json
says stdout '"edges": 2'
says stderr "line 1 ('source', 'target') is taken for a header: only one is a vertex below; --header no if it is an edge"
expect 0 ksda stats g.csv --header no --json
says stdout '"edges": 3'
printf 'id1 id2\nid3 id4\n' >g.txt
expect 0 ksda stats g.txt --json
says stdout '"edges": 2'
says stderr "line 1 ('id1', 'id2') is taken for an edge: neither occurs again; --header yes if it is a header"
printf 'id1 id2\n3 4\n5 4\n' >g.txt
expect 0 ksda stats g.txt --json
says stdout '"edges": 2'
silent stderr
printf 'vertex node\nnode x\n' >g.txt # in communities too
printf 'vertex community\nnode c\nx d\n' >c.txt
expect 0 ksda stats g.txt -c c.txt --json
says stdout '"communities": 3'
says stderr "c.txt: line 1 is taken for the community of 'vertex', a vertex of the graph; --communities-header yes if it is a header"
printf 'vertex community\nnode c\nx d\nvertex c\n' >c.txt
expect 0 ksda stats g.txt -c c.txt --json
says stdout '"communities": 2'
