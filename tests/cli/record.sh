# The record in reports: hashes are those of sha256sum, the fields are there, what holds comes from the files as written, a public page has nothing that helps
# to undo the release, and verify --report says the same to who has only the files.
. "$SOURCE/tests/support/cli.sh"

ksda convert builtin:lesmis -o g.edges --write-communities g.communities --quiet
printf 'Valjean Valjean\nValjean Myriel\n' >>g.edges

# hash_of FILE PAGE: the page has it.
hash_of() { says "$2" "<code>$(sha256sum <"$1" | cut -d' ' -f1)</code>"; }
record() { sed -n '/<h2 id="record">/,$p' "$1" >record; }

start=$(date -u +%Y-%m-%d)
expect 0 ksda anonymize g.edges -c g.communities -k 3 --seed 7345 -o p.edges --map "who's who.map" --summary s.json --publish-communities p.communities --report r.html --no-measures
record r.html
for file in g.edges g.communities p.edges "who's who.map" s.json p.communities; do hash_of "$file" record; done
says record "ksda $(ksda version | sed -n '1s/ksda //p')"
matches record "Date</th><td>($start|$(date -u +%Y-%m-%d)) [0-9:]{8} UTC<"
says record "--map &#39;who&#39;\\&#39;&#39;s who.map&#39; --summary s.json"
says record "<td>k = 3</td>"
says record "<td>level-plan</td>"
says record "<td>7345 (of the method; the published ids come from the operating system"
says record "1 self-loop removed, 1 repeated or reversed edge removed"
says record "Without a community</th><td>nobody"
says record "It holds.</strong> Recounted from the published network as it stands in its file, read back: every degree that occurs, occurs in at least 3 communities"
says record "Proved about the cost: "
says record "not by itself anonymity in the sense of the law"
[ "$(grep -c '<td>publish</td>' record)" = 2 ] || fail "the graph and its communities are to be published, nothing else"
[ "$(grep -c '<td>keep private</td>' record)" = 4 ] || fail "both inputs, the map and the summary are to be kept"
grep -q "r.html.*<td>" record && fail "the report hashes itself"
no_leftovers

# every format is read back under the name it does not have yet, compressed or not, with a map or without
for file in p.csv p.tsv.gz p.graph p.graphml p.gexf p.gml p.json p.net p.mtx.zst p.npz p.parquet p.u32 p.u64.gz; do
    expect 0 ksda anonymize g.edges -c g.communities -k 3 -o $file --report f.html --no-measures --quiet
    says f.html "as it stands in its file, read back"
    hash_of $file f.html
done
# what goes to no file cannot be read back, and that is said
"$KSDA" anonymize - -c g.communities -k 3 --format edges --report f.html --no-measures --quiet <g.edges >out.edges
says f.html "Recounted from what was about to be written"
says f.html "not a file that stays"
# ids from the seed are not secret
expect 0 ksda anonymize builtin:karate -k 2 -o q.edges --insecure-ids --report f.html --no-measures
says f.html "they are not secret"
# the measures of the page are defined
expect 0 ksda optimal builtin:karate -k 2 -o q.edges --report f.html
says f.html "<dt>Average shortest path length (ASPL)</dt><dd>mean distance over connected pairs</dd>"
# a baseline is no release of ours
expect 0 ksda anonymize builtin:karate -m k-degree -k 2 -o q.edges --report f.html --no-measures
says f.html "It does not hold."

# a public page: what was published, and nothing of where it comes from
expect 0 ksda anonymize g.edges -c g.communities -k 3 --seed 7345 -o p.edges --map public.map --report public.html --public
record public.html
hash_of p.edges record
says record "read back: every degree that occurs, occurs in at least 3 communities"
says record "not by itself anonymity in the sense of the law"
for secret in 7345 g.edges g.communities p.edges public.map level-plan anonymize Seed Command Cleaned "Recounted changes" Proved $(sha256sum g.edges g.communities public.map | cut -d' ' -f1); do
    grep -qF "$secret" public.html && fail "the public page has '$secret'"
done

# verify --report: the same of the files
expect 0 ksda verify g.edges p.edges -c g.communities --map public.map -k 3 --report v.html
[ "$(stat -c %a v.html)" = 600 ] || fail "the record of verify is not private"
says v.html "<h2 id=\"record\">Record</h2>"
for file in g.edges g.communities p.edges public.map; do hash_of $file v.html; done
[ "$(grep -c '<td>publish</td>' v.html)" = 1 ] || fail "only the release is to be published"
says v.html "It holds.</strong> Recounted from the published network as it stands in its file, read back: every degree that occurs, occurs in at least 3 communities"
expect 4 ksda verify g.edges p.edges -c g.communities --map public.map -k 4 --report v.html
says v.html "It does not hold."
says v.html "not every degree that occurs, occurs in at least 4 communities"
expect 2 ksda verify g.edges p.edges -c g.communities --map public.map -k 3 --report p.edges
expect 1 ksda verify g.edges p.edges -c g.communities --map public.map -k 3 --report /dev/full

# the legend has what is drawn
expect 0 ksda anonymize builtin:karate -k 1 -o q.edges --report f.html --no-measures
grep -q "added edge</li>\|substitute of a split person</li>\|link between" f.html && fail "the legend explains what is not there"
for page in r.html public.html v.html; do
    python3 -c "import sys, xml.dom.minidom as x; x.parseString(open(sys.argv[1], encoding='utf-8').read().replace('<!DOCTYPE html>', ''))" $page || fail "$page is not well formed"
done

# where people are in several communities, degrees have witnesses
printf '1 2\n2 3\n3 4\n4 1\n' >n.edges
printf '1 A\n1 B\n2 C\n3 A\n4 C\n4 D\n' >n.sets
expect 0 ksda anonymize n.edges -c n.sets --overlap disjoint -k 2 -o n.out.edges --map n.map --quiet
expect 0 ksda verify n.edges n.out.edges -c n.sets --overlap disjoint --map n.map -k 2 --report v.html
says v.html "every degree that occurs has 2 witnesses, in sets of communities of which no two meet"

ksda convert builtin:karate -o late.edges --write-communities late.communities --quiet
# after the time limit files are not read back, and the report says so: they are read for two seconds of three, so there
# is no time to read them again. On a machine that is too busy to read them at all in time it is tried again.
for i in 1 2 3 4 5; do
    code=0
    (sleep 2; cat late.edges) | ksda anonymize - -c late.communities -k 2 --time-limit 3 --no-measures -o late.out.edges --map late.map \
        --force --report late.html >stdout 2>stderr || code=$?
    [ $code = 0 ] || [ $code = 5 ] || continue
    says stderr "there was no time to read the files back"
    says late.html "since the time limit left no time to read it back"
    expect 0 ksda verify late.edges late.out.edges -c late.communities --map late.map -k 2
    break
done
[ $code = 0 ] || [ $code = 5 ] || fail "exit $code in each of $i runs"
