# Play the attacker on the published file: ids are 0 .. n-1 and as good as random, edges stand in their order, and neither an id nor a
# place in the file tells which vertices are substitutes, which edges are new, or who came first in the input.
. "$SOURCE/tests/support/cli.sh"
ksda convert builtin:lesmis -o g.edges --write-communities g.communities
runs=60
for i in $(seq $runs); do
    ksda anonymize g.edges -c g.communities -k 2 -m flex-split -q -o p.edges --map p.map --force --seed 7
    awk -v run="$i" 'BEGIN { FS = "[ \t]" }
        FILENAME == "p.map" { owner[$2] = $1; pieces[$1]++; n++; next }
        FILENAME == "g.edges" { old[$1 " " $2] = old[$2 " " $1] = 1; if (FNR == 1) first = $1; next }
        {   m++; if (NF != 2 || $1 !~ /^[0-9]+$/ || $2 !~ /^[0-9]+$/) { print "BAD line", $0; exit }
            if ($1 + 0 >= $2 + 0 || ($1 + 0 < a) || ($1 + 0 == a && $2 + 0 <= b)) print "BAD order", $0
            a = $1 + 0; b = $2 + 0; if (b >= n) print "BAD id", $0
            u = owner[$1]; v = owner[$2]
            if (u != v && !((u " " v) in old)) { added++; place[added] = m } }
        END {
            for (id in owner) {
                if (id + 0 >= n) print "BAD id", id
                rank = (id + 0.5) / n
                if (pieces[owner[id]] > 1) print "substitute", rank
                if (owner[id] == first) print "first", rank }
            for (i = 1; i <= added; i++) print "added", (place[i] - 0.5) / m }' p.map g.edges p.edges >>seen
    cp p.map "map.$i"
done
if grep -q BAD seen; then grep BAD seen | head -3 >&2; fail "the file is not in the order of the new ids"; fi
for what in substitute first added; do
    awk -v what=$what '$1 == what { n++; sum += $2 }
        END { if (n == 0) { print what ": none seen"; exit 1 }
              mean = sum / n; slack = what == "first" ? 5 * sqrt(1 / 12 / n) : 0.08
              if (mean < 0.5 - slack || mean > 0.5 + slack) { print what ": mean place " mean; exit 1 } }' seen >&2 ||
        fail "places tell $what"
done
[ "$(cat map.* | sort | uniq -c | awk '$1 > '$runs'/4' | wc -l)" = 0 ] || fail "an id returns far too often"
# the same seed gives other ids every time, unless asked for
cmp -s map.1 map.2 && fail "the ids repeat"
ksda anonymize g.edges -c g.communities -k 2 -m flex-split -q -o a.edges --insecure-ids
ksda anonymize g.edges -c g.communities -k 2 -m flex-split -q -o b.edges --insecure-ids
same a.edges b.edges
# no name, time or comment in any format
for ending in edges csv tsv graph graphml gml mtx edges.gz; do
    ksda anonymize g.edges -c g.communities -k 2 -m flex-split -q -o "secret-name.$ending" --map "m.$ending"
    case $ending in *.gz) file=unpacked; gzip -dc "secret-name.$ending" >unpacked
        [ "$(head -c 8 "secret-name.$ending" | tail -c 4 | od -An -tx1 | tr -d ' ')" = 00000000 ] || fail "the gzip header has a time" ;;
    *) file=secret-name.$ending ;;
    esac
    if grep -qaE 'secret-name|Valjean|lesmis|flex-split|seed|community|20[0-9][0-9]-' "$file"; then fail "$ending tells too much: $(grep -aE 'secret-name|Valjean|lesmis|flex-split|seed|community|20[0-9][0-9]-' "$file" | head -3)"; fi
    if grep -qa 'secret-name' "secret-name.$ending"; then fail "the name of the file is in $ending"; fi
done
