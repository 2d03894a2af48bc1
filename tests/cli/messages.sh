# What people are told when they mistake one thing for another, and sums that must come out.
. "$SOURCE/tests/support/cli.sh"

# attributes: which there are
cat >g.graphml <<'END'
<graphml><key id="d0" for="node" attr.name="Dept" attr.type="string"/><key id="d1" for="node" attr.name="age" attr.type="int"/>
<key id="e0" for="edge" attr.name="weight" attr.type="int"/>
<graph edgedefault="undirected"><node id="a"><data key="d0">x</data></node><node id="b"/><edge source="a" target="b"/></graph></graphml>
END
printf 'graph [ node [ id 1 Dept "x" age 3 ] node [ id 2 Dept "y" ] edge [ source 1 target 2 weight 4 ] ]\n' >g.gml
for file in g.graphml g.gml; do
    expect 3 ksda stats $file --community-attribute dept
    matches stderr "no node attribute is called 'dept'; there are .*'Dept', 'age' \(did you mean 'Dept'\?\)$"
    expect 3 ksda stats $file --community-attribute weight # of edges
    matches stderr "no node attribute is called 'weight'; there are .*'Dept', 'age'$"
done
printf '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>' >none.graphml
expect 3 ksda stats none.graphml --community-attribute c
says stderr "no node attribute is called 'c'; there is none"

# the map of another release, or of another network
for r in one two; do ksda anonymize builtin:karate -k 2 -o $r.edges --map $r.map --quiet; done
ksda anonymize builtin:lesmis -k 2 -o three.edges --map three.map --quiet
expect 4 ksda verify builtin:karate one.edges --map two.map -k 2
says stdout 'first fault'
matches stdout 'map +does not belong to this release: [0-9]+ of 78 original edges are where it says'
expect 4 ksda verify builtin:karate one.edges --map two.map -k 2 --json
says stdout '"map_fits": false'
matches stdout '"error": "[^"]'
expect 0 ksda compare builtin:karate one.edges --map two.map
says stderr 'two.map does not belong to this release'
expect 3 ksda verify builtin:karate one.edges --map three.map -k 2
matches stderr "^ksda: three.map:1:1: '.*' is no vertex of the original: this map belongs to another network"
head -20 one.map >short.map
expect 3 ksda verify builtin:karate one.edges --map short.map -k 2
says stderr 'this map belongs to another release, or is cut off'
awk -F'\t' -v OFS='\t' 'NR == FNR { at[$1] = $2; next } $1 == 1 { $2 = at[34] } $1 == 34 { $2 = at[1] } { print }' one.map one.map >swapped.map
# two of 34 are wrong, and not alike: it is this map, but damaged
expect 4 ksda verify builtin:karate one.edges --map swapped.map -k 2 --json
says stdout '"map_fits": true'
expect 0 ksda verify builtin:karate one.edges --map one.map -k 2 --json
says stdout '"map_fits": true'

# people without an edge stand in the communities file only
printf 'a b\nb c\nc a\n' >iso.txt
printf '%s red\n' a b >iso.communities
printf '%s blue\n' c d >>iso.communities
ksda anonymize iso.txt -c iso.communities -k 1 -o iso.edges --map iso.map --quiet
expect 3 ksda compare iso.txt iso.edges --map iso.map
says stderr "'d' is no vertex of the original"
says stderr 'give it here too'
expect 0 ksda compare iso.txt iso.edges -c iso.communities --map iso.map

# a file of communities without its -c
expect 2 ksda check iso.txt iso.communities -k 1
usage_error "unexpected argument 'iso.communities'; did you mean '-c iso.communities'?"
expect 2 ksda check iso.txt other.txt -c iso.communities -k 1
usage_error "unexpected argument 'other.txt'"
if grep -q 'did you mean' stderr; then fail "-c is there"; fi
expect 2 ksda check builtin:karate other.txt -k 1
if grep -q 'did you mean' stderr; then fail "a built-in network has communities"; fi
expect 2 ksda convert builtin:karate one two
usage_error "unexpected argument"
# a network in several files, one by one: what is said works
mkdir parts && printf '1 2\n2 3\n' >one.txt && printf '3 4\n4 1\n' >two.txt
for command in stats 'check -c who.txt -k 2' detect; do
    expect 2 ksda $command one.txt two.txt
    usage_error "a network in several files is given as the folder that holds them, or links to them"
done
expect 2 ksda generate rmat one.txt # where -c is a probability
if grep -qE 'folder|did you mean' stderr; then fail "there is no network"; fi
ln -s ../one.txt ../two.txt parts
expect 0 ksda stats parts --json
says stdout '"edges": 4'

# reports are HTML
for command in 'anonymize builtin:karate -k 2' 'check builtin:karate' 'sweep builtin:karate -k 2'; do
    expect 2 ksda $command --report x.pdf
    usage_error "--report 'x.pdf': the report is an HTML page; call it x.html"
    absent x.pdf
done
mkdir dir.v1
expect 0 ksda check builtin:karate --report dir.v1/page
expect 0 ksda check builtin:karate --report x.HTM

# what was there before is told
expect 0 ksda anonymize builtin:karate -k 2 -o new.edges --report new.html --summary new.json
if grep -q replaced stderr; then fail "nothing was there"; fi
expect 0 ksda anonymize builtin:karate -k 2 -o new.edges --report new.html --summary new.json
says stderr 'replaced new.edges, new.json, new.html'
[ "$(grep -c replaced stderr)" = 1 ] || fail "one line"
expect 0 ksda anonymize builtin:karate -k 2 -o new.edges --report new.html --quiet
silent stderr
expect 3 ksda stats iso.txt -c one.map --list-unassigned new.json
says stderr 'replaced new.json'
expect 2 ksda anonymize builtin:karate -k 7 -o new.edges
if grep -q replaced stderr; then fail "a command that fails replaces nothing"; fi

# no limit
expect 0 ksda anonymize builtin:lesmis -k 3 --time-limit 0 -o zero.edges --json --summary zero.json
says stdout '"limited": false'
expect 2 ksda anonymize builtin:lesmis -k 3 --time-limit -1 -o zero.edges
expect 0 ksda anonymize --help
says stdout '0 is no limit'

# vertices in several communities: each once, and how many
{ for v in 1 2 3; do for c in a b c d e f g h i j k l; do echo "$v $c"; done; done; } >overlap.txt
printf '1 2\n2 3\n' >g.txt
expect 3 ksda stats g.txt -c overlap.txt
says stderr "overlap.txt:2:1: vertex '1' is in community a and in community b, '2' too (line 14), '3' too (line 26): overlapping"
for v in $(seq 20); do printf '%s a\n%s b\n' $v $v; done >overlap.txt
expect 3 ksda stats g.txt -c overlap.txt
says stderr "'8' too (line 16) and 12 more, 20 vertices in all: overlapping"

# communities that do not count are not among those that are counted
ksda convert builtin:lesmis -o les.edges --write-communities les.txt
awk 'NR % 9' les.txt >few.txt
expect 0 ksda anonymize les.edges -c few.txt --unassigned together -k 3 -m level-plan -o few.edges --map few.map --publish-communities few.communities
says stdout 'at least 3 of the 4 communities'
expect 0 ksda check les.edges -c few.txt --unassigned together --report few.html
says stdout '77 vertices, 4 communities that count (8 vertices without one), '
printf '1 2\n2 3\n3 1\n4 5\n5 6\n6 4\n7 8\n8 9\n9 7\n' >ring.txt
printf '%s\n' '1 a' '2 b' '3 a' '4 b' '5 a' '6 b' '7 a' '8 b' >ring.c
expect 0 ksda check ring.txt -c ring.c --unassigned together -k 2 --report ring.html
says stdout 'at least 2 of the 2 communities.'
says ring.html 'occurs in at least 2 of the 2 communities'

# edges: the sum comes out, links between the pieces of a vertex and all
sums() { # sums METHOD K
    expect 0 ksda anonymize builtin:lesmis -k $2 -m $1 -o sum.edges --summary sum.json --report sum.html --no-measures
    python3 - "$1" <<'END'
import json, re, sys
s = json.load(open("sum.json"))
total = s["edges"] - s["removed_edges"] + s["added_edges"] + s["links"]
assert total == s["published_edges"] == sum(1 for l in open("sum.edges") if not l.startswith("#")), s
text, page = open("stdout").read(), open("sum.html").read()
line = re.search(r"^ +254 \+ (\d+) added \+ (\d+) links? between pieces of one vertex = (\d+)$", text, re.M)
assert (line is not None) == (s["links"] > 0), text
if line: assert 254 + int(line[1]) + int(line[2]) == int(line[3]) == total, text
card = lambda label: int((re.search(r"<b>([\d,]+)</b><span>" + label, page) or [0, "0"])[1].replace(",", ""))
assert card("connections<") + card("connections added") + card("links between") == card("connections published") == total, page
sys.exit(0 if s["links"] else 9)
END
}
sums create-by-split 3 || fail "create-by-split makes links"
sums level-plan 2 || true

# a page about what there is to choose from
expect 0 ksda anonymize builtin:lesmis -k 2 --frontier --frontier-runs 4 --no-measures --report choice.html
says choice.html '<title>Releases to choose from: '
says choice.html 'Not by the network as it is; by every release below.'
if grep -q 'Who is exposed\|No, it is not met' choice.html; then fail "the page of the frontier is not that of check"; fi

# a heat map has room for names
printf '1 2\n2 3\n3 1\n' >g.txt
printf '1\tPersonalabteilung Süd\n2\tPersonalabteilung Süd\n3\tVertrieb\n' >names.tsv
expect 0 ksda check g.txt -c names.tsv --report heat.html
matches heat.html '<text x="47" y="[0-9.]*" text-anchor="end">Personalabteilung Süd</text>'
