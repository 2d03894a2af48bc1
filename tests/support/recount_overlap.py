"""recount_overlap.py ORIGINAL COMMUNITIES PUBLISHED MAP SUMMARY K [SHARE]: is a release of people in several communities what it
claims? Plain Python, by the definition: edges kept, added ones between people whose sets meet, the listed witnesses of
every degree k at least, of that degree and in pairwise disjoint sets, and, with SHARE, no community in more than that
part of the known sets of a degree. Files are edge lists and `vertex community` lines; whoever has none of these is not known."""
import collections
import fractions
import itertools
import json
import sys


def may_join(u, v):
    return sets[u] & sets[v] if u in sets and v in sets else u not in sets and v not in sets


def pairs(path):
    with open(path) as lines:
        return [tuple(line.split()) for line in lines if line.strip() and line[0] not in "#%"]


original_file, communities_file, published_file, map_file, summary_file, k = sys.argv[1:7]
k = int(k)
sets = {}
for person, community in pairs(communities_file):
    sets.setdefault(person, set()).add(community)
original = {frozenset(edge) for edge in pairs(original_file)}
owner = {published: person for person, published in pairs(map_file)}
edges = pairs(published_file)
assert len({frozenset(edge) for edge in edges}) == len(edges), "an edge twice"
degree = dict.fromkeys(owner, 0)
carried, carrying = set(), set()
for a, b in edges:
    degree[a] += 1
    degree[b] += 1
    u, v = owner[a], owner[b]
    if frozenset((u, v)) in original:
        carried.add(frozenset((u, v)))
        carrying |= {a, b}
    else:
        assert u == v or may_join(u, v), "an edge between %s and %s, whose sets do not meet" % (u, v)
assert carried == original, "an original edge is missing"
assert set(owner.values()) == set(sets) | {person for edge in original for person in edge}, "somebody is missing"
pieces = {}
for piece, person in owner.items():
    pieces.setdefault(person, []).append(piece)
for person, parts in pieces.items():
    assert len(parts) == 1 or all(p in carrying for p in parts), "a piece of %s carries nothing" % person
listed = {row["degree"]: [str(v) for v in row["vertices"]] for row in json.load(open(summary_file))["witnesses"]}
for d in set(degree.values()):
    witnesses = listed[d]
    assert len(witnesses) >= k and all(degree[w] == d for w in witnesses), "degree %d" % d
    for a, b in itertools.combinations(witnesses, 2):
        assert not sets[owner[a]] & sets[owner[b]], "witnesses %s and %s of degree %d" % (a, b, d)
if len(sys.argv) > 7:
    share, known, has = fractions.Fraction(sys.argv[7]), collections.Counter(), collections.Counter()
    for vertex, person in owner.items():
        if person in sets:
            known[degree[vertex]] += 1
            has.update((degree[vertex], community) for community in sets[person])
    for (d, community), count in has.items():
        assert fractions.Fraction(count, known[d]) <= share, "%d of %d of degree %d are in %s" % (count, known[d], d, community)
