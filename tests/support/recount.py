#!/usr/bin/env python3
"""Recount a release from its files alone, without the library: recount.py EDGES COMMUNITIES PUBLISHED MAP K [SHARE]

Reads plain text: "u v" a line, "vertex community" a line, "original<TAB>published" a line. Whoever has no line in the
communities is not known: these count for nothing, and may be joined to each other. Prints "n_a n_s" for a release that holds; says what does not hold and exits 1 otherwise."""
import sys
from collections import Counter, defaultdict
from fractions import Fraction


def lines(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            if line.strip() and line[0] not in "#%":
                yield line.rstrip("\n")


def refuse(what):
    sys.exit("recount: " + what)


def edges_of(path):
    edges = set()
    for line in lines(path):
        u, v = line.split()[:2]
        if u != v:
            edges.add((min(u, v), max(u, v)))
    return edges


def main(original_path, communities_path, published_path, map_path, k, share=None):
    original, published = edges_of(original_path), edges_of(published_path)
    community = dict(line.split("\t" if "\t" in line else None)[:2] for line in lines(communities_path))
    owner, pieces = {}, defaultdict(list)
    for line in lines(map_path):
        who, vertex = line.split("\t")
        if vertex in owner:
            refuse(f"published vertex {vertex} stands twice in the map")
        owner[vertex] = who
        pieces[who].append(vertex)

    # who is there
    degree_before = Counter(end for edge in original for end in edge)
    for who in set(community) | set(degree_before):
        if who not in pieces:
            refuse(f"{who} has no published vertex")
        if len(pieces[who]) > 1 and len(pieces[who]) > degree_before[who]:
            refuse(f"{who} has {len(pieces[who])} pieces, but only {degree_before[who]} edges")
    for who in pieces:
        if who not in community and who not in degree_before:
            refuse(f"{who} is in the map, but not in the original")
    for edge in published:
        for vertex in edge:
            if vertex not in owner:
                refuse(f"published vertex {vertex} is nobody's")

    # every published edge is a representative, a link, or added inside a community
    representatives, carrying, added = Counter(), set(), 0
    for p, q in published:
        u, v = owner[p], owner[q]
        edge = (min(u, v), max(u, v))
        if u == v:
            continue
        if edge in original:
            representatives[edge] += 1
            carrying |= {p, q}
        elif community.get(u) == community.get(v):
            added += 1
        else:
            refuse(f"{p}-{q} joins {u} and {v} across communities")
    for edge in original:
        if representatives[edge] == 0:
            refuse(f"the edge {edge[0]}-{edge[1]} is lost")
    for who, own in pieces.items():
        for vertex in own:
            if len(own) > 1 and vertex not in carrying:
                refuse(f"{vertex}, a piece of {who}, carries no original edge")

    # every degree that occurs, occurs in k communities
    degree = Counter(end for edge in published for end in edge)
    seen = defaultdict(set)
    for vertex, who in owner.items():
        seen[degree[vertex]] |= {community[who]} if who in community else set()
    for d, where in sorted(seen.items()):
        if len(where) < k:
            refuse(f"degree {d} occurs in {len(where)} communities only")

    # with a share bound, no community has a larger part of a degree
    at = defaultdict(Counter)
    for vertex, who in owner.items():
        if who in community:
            at[degree[vertex]][community[who]] += 1
    for d, where in sorted(at.items()):
        largest = Fraction(max(where.values()), sum(where.values()))
        if share is not None and largest > share:
            refuse(f"at degree {d} one community has {largest} of the vertices")

    n_a = added + sum(count - 1 for count in representatives.values())
    n_s = sum(len(own) - 1 for own in pieces.values())
    print(n_a, n_s)


if __name__ == "__main__":
    main(*sys.argv[1:5], int(sys.argv[5]), Fraction(sys.argv[6]) if len(sys.argv) > 6 else None)
