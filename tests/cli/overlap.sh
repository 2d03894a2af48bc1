# People in several communities: read, written, and refused where nobody asked for them.
. "$SOURCE/tests/support/cli.sh"

printf '1 2\n2 3\n3 4\n4 1\n' >g.edges
printf '1 a\n1 b\n2 b\n3 c\n4 a\n4 c\n4 a\n9 z\n9 a\n' >c.txt
expect 3 ksda convert g.edges -c c.txt -o p.gml
says stderr "c.txt:2:1: vertex '1' is in community a and in community b, '4' too (line 6), '9' too (line 9): overlapping"
says stderr "with --overlap disjoint"
absent p.gml

# pairs, lists, GML and GraphML say the same
expect 0 ksda convert g.edges -c c.txt --overlap disjoint -o p.graphml
says p.graphml '<node id="4"><data key="community">[&quot;a&quot;,&quot;c&quot;]</data></node>'
expect 0 ksda convert p.graphml --community-attribute community --overlap disjoint -o p.gml
expect 0 ksda convert p.gml --community-attribute community --overlap disjoint -o q.graphml
same p.graphml q.graphml
expect 3 ksda convert p.gml --community-attribute community -o r.gml
says stderr "'community' is given twice"
printf '1 4 9\n1 2\n3 4\n9\n' >lists.txt
expect 0 ksda convert g.edges -c lists.txt --communities-format lists --overlap disjoint -o l.graphml
expect 0 ksda convert g.edges -c c.txt --overlap disjoint -o p.graphml
[ "$(sed 's/\[&quot;a&quot;,&quot;b&quot;\]/[0,1]/; s/\[&quot;b&quot;\]/[1]/; s/\[&quot;c&quot;\]/[2]/; s/\[&quot;a&quot;,&quot;c&quot;\]/[0,2]/; s/\[&quot;a&quot;,&quot;z&quot;\]/[0,3]/; /<key/d' p.graphml)" = \
    "$(sed '/<key/d' l.graphml)" ] || fail "lists and pairs differ"

# which of the two it is, is a guess that is told; a vertex with all its communities behind it is neither
expect 0 ksda stats g.edges -c lists.txt --overlap disjoint
says stderr "lists.txt: lines of three fields or more: each line is taken for the members of one community; --communities-format pairs"
expect 0 ksda stats g.edges -c lists.txt --communities-format lists --overlap disjoint
! grep -q 'for the members' stderr || fail "what was asked for is told as a guess"
printf '1 a b\n2 b\n3 c\n4 a c\n' >behind.txt
for overlap in refuse disjoint; do
    expect 3 ksda stats g.edges -c behind.txt --overlap $overlap
    says stderr "behind.txt: lines begin with a vertex of the graph, some have three fields or more"
    says stderr "write a line 'vertex community' for each"
done
expect 0 ksda stats g.edges -c behind.txt --communities-format lists --overlap disjoint

# the data may stand more than once, too; a header that is a guess, strangers and numbers as names
sed 's|<data key="community">\[&quot;a&quot;,&quot;c&quot;\]</data>|<data key="community">c</data><data key="community">a</data>|' p.graphml >twice.graphml
expect 0 ksda convert twice.graphml --community-attribute community --overlap disjoint -o q.graphml
same p.graphml q.graphml
# lists as Gephi and Python write them
sed "s|\[&quot;a&quot;,&quot;c&quot;\]|[a, c ]|; s|\[&quot;b&quot;\]|['b']|; s|\[&quot;a&quot;,&quot;z&quot;\]|['a', z]|" p.graphml >loose.graphml
expect 0 ksda convert loose.graphml --community-attribute community --overlap disjoint -o q.graphml
same p.graphml q.graphml
for list in "[a,]" "[,a]" "[a,,b]" "['a]" "['a'b]" "['']"; do
    sed "s|\[&quot;b&quot;\]|$list|" p.graphml >odd.graphml
    expect 3 ksda convert odd.graphml --community-attribute community --overlap disjoint -o q.graphml
    says stderr 'expected a list of numbers and strings'
done
# and the same by GEXF and JSON
for ending in gexf json; do
    expect 0 ksda convert p.graphml --community-attribute community --overlap disjoint -o p.$ending
    expect 0 ksda convert p.$ending --community-attribute community --overlap disjoint -o q.graphml
    same p.graphml q.graphml
    expect 3 ksda convert p.$ending --community-attribute community -o r.gml
    matches stderr "'community' is a list.*--overlap disjoint"
done
expect 3 ksda convert p.graphml --community-attribute community -o r.gml
matches stderr "'community' is a list, .*--overlap disjoint"
sed 's|\[&quot;b&quot;\]|[1.5]|' p.graphml >odd.graphml
expect 3 ksda convert odd.graphml --community-attribute community --overlap disjoint -o q.graphml
says stderr 'expected a list of numbers and strings'
{ echo 'who where'; printf '1 7\n1 10\n2 7\n3 9\n4 9\n9 7\n9 9\n'; } >h.txt
expect 0 ksda convert g.edges -c h.txt --overlap disjoint -o h.graphml
says h.graphml '<node id="1"><data key="community">[7,10]</data></node>'
says h.graphml '<node id="9"><data key="community">[7,9]</data></node>'

# one community each: nothing changes
printf '1 a\n2 b\n3 a\n4 b\n' >one.txt
expect 0 ksda convert g.edges -c one.txt -o one.gml
expect 0 ksda convert g.edges -c one.txt --overlap disjoint -o two.gml
same one.gml two.gml

# witnesses: four people of degree 2; {b} and {c} are disjoint, {a, b} meets {b} and {a, c}, {a, c} meets {c}
printf '1 2\n2 3\n3 4\n4 1\n' >g.edges
printf '1 a\n1 b\n2 b\n3 c\n4 a\n4 c\n' >c.txt
expect 0 ksda check g.edges -c c.txt --overlap disjoint -k 2 --json
python3 - <<'END'
import json
d = json.load(open("stdout"))
assert d["overlap"] == "disjoint" and d["satisfied"] and d["communities"] == 3 and d["largest_k"] == 2, d
assert d["undecided_vertices"] == 0 and d["groups"][0]["most"] == 2 and d["groups"][0]["communities"] == 2, d
assert d["groups"][0]["likeliest"] == "a" and d["attack"]["largest_posterior"] == 0.5, d
END
expect 4 ksda check g.edges -c c.txt --overlap disjoint -k 3
says stdout 'NO: 4 of 4 vertices (100.00 %) have a degree without 3 vertices in pairwise disjoint sets'
expect 2 ksda check g.edges -c c.txt --overlap disjoint -k 4
expect 4 ksda check g.edges -c c.txt --overlap disjoint --max-share 2/5
expect 0 ksda check g.edges -c c.txt --overlap disjoint --max-share 1/2
printf '1 a\n2 b\n3 a\n4 b\n' >one.txt
expect 0 ksda check g.edges -c one.txt -k 2 --json
mv stdout before
expect 0 ksda check g.edges -c one.txt -k 2 --json --overlap disjoint
same before stdout

# stats: of the four edges three join sets that meet, and modularity is not made up; one community each: as before
expect 0 ksda stats g.edges -c c.txt --overlap disjoint --json
python3 - <<'END'
import json
d = json.load(open("stdout"))
assert d["communities"] == 3 and d["memberships"] == 6 and d["edges_inside"] == 0.75 and d["modularity"] is None, d
assert d["community_size"] == {"min": 2, "median": 2, "max": 2} and d["overlap"] == "disjoint", d
END
expect 0 ksda stats g.edges -c c.txt --overlap disjoint
says stdout '75.0 % of the edges join vertices whose sets meet'
expect 0 ksda stats g.edges -c one.txt
mv stdout before
expect 0 ksda stats g.edges -c one.txt --overlap disjoint
same before stdout

# attackers: four candidates of degree 2, each community in two sets, two of the sets disjoint
expect 3 ksda attack g.edges -c c.txt
expect 0 ksda attack g.edges -c c.txt --overlap disjoint -k 3 --json --only degree,friendship
python3 - <<'END'
import json
d = json.load(open("stdout"))
assert d["overlap"] == "disjoint" and d["communities"] == 3 and d["baseline_success"] == 0.5, d
for name in ("degree", "friendship"):
    f = d["release"][name]
    assert f["exposed"] == 4 and f["expected_success"] == f["surest"] == 0.5 and f["entropy"] == 2, (name, f)
END
expect 0 ksda attack g.edges -c c.txt --overlap disjoint -k 2 --only degree --report attack.html
says stdout 'in pairwise disjoint sets of the 3 communities'
matches stdout 'Degree  *0   0.0 %  *0   0.0 %  *50.0 %  *50.0 %  *2.00'
says attack.html 'People are in several communities: a guess is one community'
expect 0 ksda attack g.edges -c one.txt --json --overlap disjoint
python3 -c 'import json; assert json.load(open("stdout"))["overlap"] is None'

# releases: recounted by hand, with the witnesses of the summary, and without
python3 - <<'END'
import random
random.seed(5)
people, groups = 240, 24
home = [random.sample(range(groups), random.choice((1, 1, 1, 2, 2, 3))) for _ in range(people)]
edges = set()
while len(edges) < 900:
    u, v = sorted((int(people * random.random() ** 2), random.randrange(people)))
    if u != v and (set(home[u]) & set(home[v]) or random.random() < 0.05):
        edges.add((u, v))
open("n.edges", "w").writelines("%d %d\n" % e for e in sorted(edges))
open("n.sets", "w").writelines("%d g%d\n" % (v, c) for v in range(people) for c in home[v])
END
release() { # release METHOD K: publish, and recount in three ways
    expect "${3:-0}" ksda anonymize n.edges -c n.sets --overlap disjoint -m "$1" -k "$2" -o p.edges --map p.map --summary p.json --force
    [ "${3:-0}" = 0 ] || return 0
    says stdout "every degree now has $2 people in pairwise disjoint sets"
    python3 "$SOURCE/tests/support/recount_overlap.py" n.edges n.sets p.edges p.map p.json "$2" || fail "$1, k = $2: recount"
    expect 0 ksda verify n.edges p.edges -c n.sets --overlap disjoint --map p.map -k "$2"
    expect 0 ksda verify n.edges p.edges -c n.sets --overlap disjoint --map p.map -k "$2" --witnesses p.json
}
release flex-split 3
for k in 2 4; do release level-plan $k; done
expect 0 ksda optimal g.edges -c c.txt --overlap disjoint -k 2 --write-lp x.lp
matches x.lp '^ *k_2: .*l_0_2.*y_2'
matches x.lp '^ *c_0_2: l_0_2 \+ l_3_2 <= 1'

# with a share bound beside the witnesses, and with people whose communities are not known
head -n -60 n.sets >some.sets
for sets in n.sets some.sets; do
    expect 0 ksda anonymize n.edges -c $sets --unassigned together --overlap disjoint -k 2 --max-share 1/3 -o s.edges --map s.map --summary s.json --force
    says stdout 'No guess about anybody'
    python3 "$SOURCE/tests/support/recount_overlap.py" n.edges $sets s.edges s.map s.json 2 1/3 || fail "share: recount"
    expect 0 ksda verify n.edges s.edges -c $sets --unassigned together --overlap disjoint --map s.map -k 2 --max-share 1/3 --witnesses s.json
    expect 4 ksda verify n.edges s.edges -c $sets --unassigned together --overlap disjoint --map s.map -k 2 --max-share 1/1000
    expect 4 ksda anonymize n.edges -c $sets --unassigned together --overlap disjoint -k 2 --max-share 1/1000 -o x.edges
    says stderr 'impossible: where no community has more than 1/1000'
done
expect 2 ksda anonymize n.edges -c n.sets --overlap disjoint -m flex-split -k 2 --max-share 1/3 -o x.edges
says stderr 'flex-split counts communities and does not know a largest share'
expect 0 ksda optimal g.edges -c c.txt --overlap disjoint -k 2 --max-share 1/2 --write-lp share.lp
matches share.lp '^ *share_0_2: '

# witnesses that are none
python3 - <<'END'
import json
d = json.load(open("p.json"))
d["witnesses"][0]["vertices"] = d["witnesses"][0]["vertices"][1:]
json.dump(d, open("few.json", "w"))
d["witnesses"][0]["vertices"].append(d["witnesses"][0]["vertices"][0])
json.dump(d, open("twice.json", "w"))
json.dump({"witnesses": [{"degree": 1, "vertices": [99999]}]}, open("nobody.json", "w"))
END
expect 4 ksda verify n.edges p.edges -c n.sets --overlap disjoint --map p.map -k 4 --witnesses few.json
says stdout 'which has 3 witnesses; k is 4'
expect 4 ksda verify n.edges p.edges -c n.sets --overlap disjoint --map p.map -k 4 --witnesses twice.json
says stdout 'are both in community g'
expect 3 ksda verify n.edges p.edges -c n.sets --overlap disjoint --map p.map -k 4 --witnesses nobody.json
says stderr 'witness 99999 is not in the published network'
expect 3 ksda verify n.edges p.edges -c n.sets --overlap disjoint --map p.map -k 4 --witnesses p.map
# an edge between people whose sets do not meet
python3 - <<'END'
sets, owner, degree = {}, {}, {}
for line in open("n.sets"): sets.setdefault(line.split()[0], set()).add(line.split()[1])
for line in open("p.map"): owner[line.split()[1]] = line.split()[0]
known = {frozenset(line.split()) for line in open("n.edges")}
a, b = next((a, b) for a in owner for b in owner
            if a != b and not sets[owner[a]] & sets[owner[b]] and frozenset((owner[a], owner[b])) not in known)
open("q.edges", "w").write(open("p.edges").read() + "%s %s\n" % (a, b))
END
expect 4 ksda verify n.edges q.edges -c n.sets --overlap disjoint --map p.map -k 4
says stdout 'belong to different communities'
# the frontier: releases with more and more splits, each with its witnesses, and the one that is asked for published
shares="1 1/3"
if sanitized; then shares=1/3; fi
for share in $shares; do
    expect 0 ksda anonymize n.edges -c n.sets --overlap disjoint -k 2 --max-share $share --frontier --no-measures --json -o t.edges --map t.map --summary t.json --split-weight 3 --force
    expect 0 python3 - <<'END'
import json
p = json.load(open("stdout"))["frontier"]["points"]
assert len(p) >= 3 and p[0]["added_vertices"] == 0 and all(a["added_edges"] > b["added_edges"] for a, b in zip(p, p[1:])), p
assert all(x["repeatable"] for x in p if x["cheapest"]), p
END
    python3 "$SOURCE/tests/support/recount_overlap.py" n.edges n.sets t.edges t.map t.json 2 $share || fail "frontier with share $share: recount"
    cost=$(python3 -c 'import json; print(json.load(open("t.json"))["cost"])')
    expect 0 ksda anonymize n.edges -c n.sets --overlap disjoint -k 2 --max-share $share --split-weight 3 -o t.edges --map t.map --summary t.json --force
    [ "$cost" = "$(python3 -c 'import json; print(json.load(open("t.json"))["cost"])')" ] || fail "one run with that weight gives another release"
done
# the same edges, or some more, that look like own ones
expect 0 ksda anonymize n.edges -c n.sets --overlap disjoint -k 4 --favour plausible --plausible-cost 50 -o f.edges --map f.map --summary f.json
expect 0 ksda verify n.edges f.edges -c n.sets --overlap disjoint --map f.map -k 4 --witnesses f.json
# what does not know them says so
expect 1 ksda anonymize n.edges -c n.sets --overlap disjoint -m merge-by-split -k 2 -o x.edges
says stderr 'merge-by-split does not know people in several communities'
expect 0 ksda check n.edges -c n.sets --overlap disjoint --report n.html
says n.html 'No number of witnesses was asked for'
expect 4 ksda check n.edges -c n.sets --overlap disjoint -k 3 --report n.html
matches n.html 'people \([0-9.]* %\) have a degree with fewer than 3 witnesses'
says n.html 'how many witnesses it has'
expect 2 ksda sweep g.edges -c c.txt --overlap disjoint -k 4
says stderr 'above the number of communities, 3'
expect 3 ksda sweep g.edges -c c.txt -k 2
expect 3 ksda compare g.edges g.edges -c c.txt --map p.map
expect 0 ksda sweep g.edges -c c.txt --overlap disjoint -k 2 -m level-plan,merge-by-split --no-measures --journal points
matches stdout 'merge-by-split  *refused'
# the same kinds of people, other communities: another sweep, not this one's journal
expect 0 ksda sweep g.edges -c c.txt --overlap disjoint -k 2 -m level-plan,merge-by-split --no-measures --journal points
says stderr '2 of 2 points were done before'
printf '1 a\n1 b\n2 b\n3 c\n4 b\n4 c\n' >d.txt
expect 2 ksda sweep g.edges -c d.txt --overlap disjoint -k 2 -m level-plan,merge-by-split --no-measures --journal points
says stderr 'holds the results of another sweep'
expect 4 ksda anonymize g.edges -c c.txt --overlap disjoint -k 3 -o x.edges
says stderr 'at most 2 are in pairwise disjoint sets of communities'

expect 0 ksda help overlap
says stdout 'HOW IT IS DECIDED'

# compare, sweep and the page, recounted by the definitions
networks=12
if sanitized; then networks=3; fi
expect 0 python3 "$SOURCE/tests/support/sets.py" "$KSDA" $networks
