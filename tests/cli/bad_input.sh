# Input that is not what it should be: exit 3, one message with file:line:column, nothing written.
. "$SOURCE/tests/support/cli.sh"

# refused FILE "REGEX": anonymize with communities detected, so that only the graph can be at fault
refused() {
    expect 3 ksda anonymize "$1" --detect leiden -k 2 -o out.edges --map out.map --summary out.json "${@:3}"
    one_message
    matches stderr "$2"
    absent out.edges out.map out.json
    no_leftovers
}

printf 'Dear Madam,\n\nHello.\n' >letter.txt
refused letter.txt '^ksda: letter\.txt:3:7: '
printf '<!DOCTYPE html>\n<html>\n<body>\n</body>\n</html>\n' >page.html
refused page.html '^ksda: page\.html:[0-9]+:[0-9]+: '
printf '{"nodes": [1, 2],\n"edges":\n[[1, 2]]}\n' >graph.json
refused graph.json '^ksda: graph\.json:[0-9]+:[0-9]+: '
head -c 100000 /dev/urandom >garbage.bin
refused garbage.bin '^ksda: garbage\.bin:[0-9]+(:[0-9]+)?: '
: >empty.edges
refused empty.edges '^ksda: empty\.edges'
printf '# only\n# comments\n' >comments.edges
refused comments.edges '^ksda: comments\.edges'
printf '1 2\n3\n' >one_column.edges
refused one_column.edges '^ksda: one_column\.edges:2:[0-9]+: '
printf '1 2\n2 a\0b\n' >nul.edges
refused nul.edges '^ksda: nul\.edges:2:[0-9]+: '
printf 'ann bob\nbob \377\376x\n' >utf8.edges
refused utf8.edges '^ksda: utf8\.edges:2:5: '
printf '18446744073709551616 1\n1 2\n' >huge_number.edges
expect 0 ksda stats huge_number.edges # beyond 64 bits a number is a name

# compressed files that end too soon or are damaged
ksda generate rmat --scale 12 --edges 30000 -o r.edges
gzip -k r.edges
head -c 20000 r.edges.gz >short.edges.gz
refused short.edges.gz '^ksda: short\.edges\.gz:?[0-9:]*: '
{ head -c 5000 r.edges.gz; head -c 100 /dev/zero; tail -c +5100 r.edges.gz; } >damaged.edges.gz
refused damaged.edges.gz '^ksda: damaged\.edges\.gz'
if command -v zstd >/dev/null; then
    zstd -q r.edges
    head -c 20000 r.edges.zst >short.edges.zst
    refused short.edges.zst '^ksda: short\.edges\.zst'
fi

# a line of 100 MB: a name that long is no name
{ printf '1 2\n3 '; head -c 100000000 /dev/zero | tr '\0' x; printf '\n'; } >long.edges
refused long.edges '^ksda: long\.edges:2(:[0-9]+)?: '
[ "$(wc -c <stderr)" -lt 2000 ] || fail "the message repeats the line"
rm long.edges

# formats that say what they hold, and lie
printf '3 3\n2\n1 3\n2\n' >lies.graph
refused lies.graph '^ksda: lies\.graph:[0-9]+(:[0-9]+)?: '
printf '4 2\n2\n1 3\n2\n' >short.graph
refused short.graph '^ksda: short\.graph'
printf '3 2\n2\n1 3\n9\n' >range.graph
refused range.graph '^ksda: range\.graph:4:1: '
printf '99999999999 1\n2\n1\n' >many.graph
refused many.graph '^ksda: many\.graph:1:1: '
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n4294967295 4294967295 1\n1 2\n' >many.mtx
refused many.mtx '^ksda: many\.mtx:2:[0-9]+: '
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 5\n1 2\n' >lies.mtx
refused lies.mtx '^ksda: lies\.mtx'
cat >bomb.graphml <<'END'
<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
<!ENTITY lol3 "&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;">]>
<graphml><graph edgedefault="undirected"><node id="&lol3;"/></graph></graphml>
END
refused bomb.graphml '^ksda: bomb\.graphml:[0-9]+:[0-9]+: '
printf '<graphml><graph edgedefault="undirected"><node id="a"/>' >cut.graphml
refused cut.graphml '^ksda: cut\.graphml:1:[0-9]+: '
printf 'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 3 ] ]\n' >stray.gml
refused stray.gml '^ksda: stray\.gml'
printf 'graph [ node [ id 1 ]\n' >cut.gml
refused cut.gml '^ksda: cut\.gml'

# communities
printf '1 2\n2 3\n3 1\n' >g.edges
partition() {
    expect 3 ksda anonymize g.edges -c "$1" -k 1 -o out.edges "${@:3}"
    one_message
    matches stderr "$2"
    absent out.edges
    no_leftovers
}
printf '1 a\n2 b\n' >missing.communities
partition missing.communities "3"
says stderr "communit"
for how in own together; do expect 0 ksda anonymize g.edges -c missing.communities -k 1 -o out.edges --unassigned $how; rm out.edges; done
printf '1 a\n2 b\n3 a\n2 c\n' >overlap.communities
partition overlap.communities '^ksda: overlap\.communities:4:[0-9]+: .*2'
printf '1 2\n2 3 1\n' >lists.communities
partition lists.communities '^ksda: lists\.communities:2:'
: >empty.communities
partition empty.communities 'communities'
printf '1 a\n2\n3 b\n' >ragged.communities
partition ragged.communities '^ksda: ragged\.communities'

# k, before and after the number of communities is known
printf '1 a\n2 b\n3 b\n' >ok.communities
for k in 0 -1 x 2.5 3; do
    expect 2 ksda anonymize g.edges -c ok.communities -k "$k" -o out.edges
    absent out.edges
    no_leftovers
done
