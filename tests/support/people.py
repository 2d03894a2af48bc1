#!/usr/bin/env python3
"""Recount a list of `ksda check --list` by the plain definition. Usage: people.py EDGES COMMUNITIES K LIST"""
import csv
import sys
from collections import Counter
from fractions import Fraction

edges, communities, k, path = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
community = dict(line.split() for line in open(communities) if not line.startswith("#"))
neighbours = {v: set() for v in community}
for line in open(edges):
    if not line.startswith("#"):
        u, v = line.split()[:2]
        if u != v:
            neighbours[u].add(v)
            neighbours[v].add(u)
degree = {v: len(neighbours[v]) for v in community}
counts = {}
for v, d in degree.items():
    counts.setdefault(d, Counter())[community[v]] += 1

before = None
seen = set()
for row in csv.DictReader(open(path, newline="")):
    v = row["person"]
    d = degree[v]
    group = counts[d]
    size, most = sum(group.values()), max(group.values())
    assert v not in seen, f"{v} stands twice"
    seen.add(v)
    assert row["community"] == community[v], row
    assert int(row["degree"]) == d and int(row["people_with_degree"]) == size, row
    assert int(row["communities_with_degree"]) == len(group), row
    assert row["exposed"] == ("yes" if len(group) < k else "no"), row
    assert group[row["guess"]] == most, row
    assert abs(float(row["guess_is_right"]) - most / size) < 1e-6, row
    assert abs(float(row["own_community_share"]) - group[community[v]] / size) < 1e-6, row
    key = (len(group), -Fraction(most, size), -d)
    assert before is None or before <= key, f"{v} stands behind somebody less exposed"
    before = key
assert seen == set(community), "somebody is missing"
print(f"{len(seen)} people, {sum(len(counts[d]) < k for d in degree.values())} exposed")
