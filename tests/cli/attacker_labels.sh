# Play the attacker on the labels: those that ksda made say nothing about the order of the original vertices, those that the user gave are
# kept, whichever command makes the release and whatever its format. And a map is not lost by accident.
. "$SOURCE/tests/support/cli.sh"
n=40
# a ring: every vertex has degree 2, so that 40 communities of one vertex are diverse as they are
for i in $(seq $n); do echo "$((100 + i)) $((100 + i % n + 1))"; done >ring.edges
for i in 1 2 3 4; do echo "$((100 + 10 * i)) $i"; done >few.communities
# twenty cliques of four in a ring, which Leiden finds
for i in $(seq 0 19); do for a in 0 1 2 3; do
    for b in $(seq $((a + 1)) 3); do echo "$((100 + 4 * i + a)) $((100 + 4 * i + b))"; done
done; echo "$((103 + 4 * i)) $((100 + (4 * i + 4) % 80))"; done >cliques.edges

# judge NAME: p.communities and p.map: how far the order of the labels follows that of the smallest original vertices (Spearman's
# correlation times the square root of its degrees of freedom: about normal), and how many labels are their vertex' own number
judge() {
    awk -v name="$1" 'NR == FNR { owner[$2] = $1; next }
        { label = $2; sub(/^unassigned-/, "", label); label += 0; v = owner[$1] + 0
          if (name ~ /^own/ && v % 10 == 0) next
          if (!(label in least) || v < least[label]) least[label] = v }
        END { for (l in least) { m++; for (o in least) { below[l] += o + 0 < l + 0; lower[l] += least[o] < least[l] } }
              for (l in least) { d += (below[l] - lower[l]) ^ 2; same += below[l] == lower[l] }
              print name, m, (1 - 6 * d / (m ^ 3 - m)) * sqrt(m - 1), same }' p.map p.communities >>seen
    rm p.map
}
endings=(edges csv tsv graph graphml gml mtx edges.gz)
runs=16
for i in $(seq $runs); do
    out=p.${endings[i % 8]}
    ksda anonymize ring.edges --detect metis:$n -k 2 -q -o "$out" --map p.map --publish-communities p.communities && judge metis
    ksda anonymize cliques.edges --detect leiden -k 2 -q -o "$out" --map p.map --publish-communities p.communities && judge leiden
    ksda anonymize ring.edges -c few.communities --unassigned own-counted -k 2 -q -o "$out" --map p.map --publish-communities p.communities && judge own
    ksda optimal ring.edges -c few.communities --unassigned own-counted -k 2 -q -o "$out" --map p.map --publish-communities p.communities && judge own-optimal
    ksda optimal ring.edges --detect metis:$n -k 2 -q -o "$out" --map p.map --publish-communities p.communities && judge metis-optimal
    ksda anonymize ring.edges --detect metis:$n -k 2 -q -o "$out" --map p.map --publish-communities p.communities --frontier --no-measures >/dev/null && judge metis-frontier
    rm "$out"
done
for name in metis leiden own own-optimal metis-optimal metis-frontier; do
    awk -v name=$name -v runs=$runs '$1 == name { n++; z += $3; same += $4; if ($2 < 8) few = $2 }
        END { if (n != runs || few) { print name ": " n " runs, " few " labels"; exit 1 }
              # the sum of z over its deviation; fixed points of a random permutation are one in the mean, with variance one
              if (z / sqrt(n) > 5 || z / sqrt(n) < -5) { print name ": labels follow the order of the input, z = " z / sqrt(n); exit 1 }
              if (same > n + 6 * sqrt(n)) { print name ": " same " labels in " n " releases tell their vertex"; exit 1 } }' seen >&2 ||
        fail "labels tell the order of the original vertices"
done

# the release can still be checked with its labels, and verified with the map
ksda anonymize cliques.edges --detect leiden -k 3 -q -o p.edges --map p.map --publish-communities p.communities
expect 0 ksda check p.edges -c p.communities -k 3
expect 0 ksda verify cliques.edges p.edges --detect leiden --map p.map -k 3
# labels that were given stay, and are said of the right people
awk '{ print $1, "team-" int($1 / 7) }' <(tr ' ' '\n' <ring.edges | sort -nu) >teams.communities
ksda anonymize ring.edges -c teams.communities -k 2 -q -o t.edges --map t.map --publish-communities t.communities
awk 'FILENAME == "teams.communities" { team[$1] = $2; next } FILENAME == "t.map" { owner[$2] = $1; next }
    team[owner[$1]] != $2 { exit 1 }' teams.communities t.map t.communities || fail "labels that were given changed places"

# a public report shows who is where only when the communities are published; a private one shows both under the published labels
heat='who has which degree in which community'
ksda anonymize cliques.edges --detect leiden -k 3 -q -o r.edges --map r.map --report closed.html --public
if grep -q "$heat" closed.html; then fail "the public report shows degree by community, which is not published"; fi
ksda anonymize cliques.edges --detect leiden -k 3 -q -o r.edges --map r.map --force --report open.html --public --publish-communities r.communities
says open.html "Published: $heat"
if grep -q "Original" open.html; then fail "the public report shows the original"; fi
printf '1 2\n1 3\n1 4\n4 5\n5 6\n6 4\n' >two.edges # degrees 3 1 1 3 2 2
printf '%s late\n' 1 2 3 >two.communities
printf '%s early\n' 4 5 6 >>two.communities
ksda anonymize two.edges -c two.communities -k 1 -q -o r.edges --map r.map --force --report open.html --public --publish-communities r.communities
[ "$(grep -oE 'community (early|late)' open.html | uniq | tr '\n' ' ')" = "community early community late " ] ||
    fail "communities of the report stand in the order of the input"

# an existing map is kept unless it is given up in so many words; an empty file is none
cp p.map before.map
expect 2 ksda anonymize cliques.edges --detect leiden -k 3 -o p.edges --map p.map
usage_error "--force"
expect 2 ksda optimal cliques.edges --detect leiden -k 3 -o p.edges --map p.map
usage_error "could never be verified again"
same p.map before.map
expect 0 ksda verify cliques.edges p.edges --detect leiden --map p.map -k 3
expect 0 ksda anonymize cliques.edges --detect leiden -k 3 -o p.edges --map p.map --force
cmp -s p.map before.map && fail "--force did not replace the map"
: >empty.map
expect 0 ksda anonymize cliques.edges --detect leiden -k 3 -o p.edges --map empty.map
expect 0 ksda anonymize cliques.edges --detect leiden -k 3 -o p.edges --map /dev/null
expect 0 ksda anonymize cliques.edges --detect leiden -k 3 -o p.edges
says stderr "no --map: this release can never be verified or mapped back"
expect 0 ksda optimal cliques.edges --detect leiden -k 3 -o p.edges
says stderr "no --map: this release can never be verified or mapped back"
expect 0 ksda anonymize cliques.edges --detect leiden -k 3 -o p.edges -q
silent stderr
