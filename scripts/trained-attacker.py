#!/usr/bin/env python3
"""The attacker who was trained on other releases of the same method: which edges of a release are false?

    scripts/trained-attacker.py [--ksda build/ksda] [--method level-plan] [--favour plausible] [--cost PERCENT] NAME=EDGES,COMMUNITIES,K ...

Makes a release of every network that is named and, for each, fits a logistic regression to the others: differences of
features between added and own edges of one vertex inside its community, so that only what tells them apart at one vertex is
learned. Features of an edge: the five scores of `ksda attack`, each also as its rank among the vertex's edges, and the habits
of a method: how many vertices share the degree of either end, both degrees, and whether the other end is larger. Prints, for
each network, the conditional AUC of the worst single score and of the trained attacker, who has not seen it; 0.5 is chance.
A network that is named twice, with another k, is no other network.

Then what no choice of edges can change. An end is forced where its vertex was raised and cannot sink, alone, to its own degree:
the census would miss it. Whoever is joined to it, of all members of its community that have an own edge there and are no
friends of it yet, sees an edge to a vertex of that degree: printed is the share of his own edges that lead to smaller ones
(ties half; the AUC of the degree at that end), as it is, and for the best members there are, each taken once for each vertex.

Last, linked pieces: two pieces of a person of degree d have its d edges and the link between them at least, so their degrees sum
up to d + 2 or more, however edges are dealt and wherever the plan puts them. Printed is the AUC of d + 2 against the sums of
edges inside communities."""
import argparse
import collections
import gzip
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

SCORES = 5


def lines(path):
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as file:
        for line in file:
            if line.strip() and line[0] not in "#%":
                yield line.split()


def auc(pos, neg):
    order = np.concatenate([pos, neg])
    _, where, counts = np.unique(order, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[where]
    return (ranks[: len(pos)].sum() - len(pos) * (len(pos) + 1) / 2) / (len(pos) * len(neg))


def scores(adj, p, q):
    a, b = adj[p], adj[q]
    common = a & b
    weight = sum(1 / math.log(len(adj[x])) for x in common)
    return [len(common), len(common) / max(1, len(a | b) - 2), weight, len(common) / max(1, min(len(a), len(b)) - 1), len(b)]


def ranked(column):
    _, where, counts = np.unique(column, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts + 1) / 2)[where] / max(1, len(column) - 1)


class Release:
    """A network as it was and as it is published: home, owner, original neighbours (near), adj, and added edges (false)."""

    def __init__(self, ksda, how, edges, communities, k, folder):
        out, mapped = os.path.join(folder, "out.edges"), os.path.join(folder, "out.map")
        subprocess.run(
            [ksda, "anonymize", edges, "-c", communities, "-k", k, *how, "-o", out, "--map", mapped, "--force",
             "--no-proof", "--insecure-ids", "--quiet"], check=True, stderr=subprocess.DEVNULL)  # fmt: skip
        self.k, self.edges = int(k), edges
        self.home = {a[0]: a[1] for a in lines(communities)}
        self.owner = {a[1]: a[0] for a in lines(mapped)}
        self.near, self.adj, self.false = (collections.defaultdict(set) for _ in range(3))
        for a in lines(edges):
            if a[0] != a[1]:
                self.near[a[0]].add(a[1])
                self.near[a[1]].add(a[0])
        for a in lines(out):
            for p, q in ((a[0], a[1]), (a[1], a[0])):
                self.adj[p].add(q)
                if self.owner[p] != self.owner[q] and self.owner[q] not in self.near[self.owner[p]]:
                    self.false[p].add(q)
        self.degree = {p: len(self.adj[p]) for p in self.owner}

    def of(self, p):
        return self.home[self.owner[p]]

    def inside(self, p):
        """Neighbours in the community that are other people."""
        return sorted(q for q in self.adj[p] if self.of(p) == self.of(q) and self.owner[p] != self.owner[q])


def features(r, most):
    """Of every vertex with added edges and others: features of its edges in the community, and which are added."""
    level = collections.Counter(r.degree.values())
    found = []
    ends = sorted(r.false)
    for p in ends if len(ends) <= most else [ends[i] for i in np.random.default_rng(1).choice(len(ends), most, replace=False)]:
        row = r.inside(p)
        added = np.array([q in r.false[p] for q in row])
        if added.all() or not added.any():
            continue
        score = np.array([scores(r.adj, p, q) for q in row])
        ranks = np.column_stack([ranked(score[:, s]) for s in range(SCORES)])
        habits = np.array([[math.log(level[r.degree[q]]), math.log(r.degree[q]), float(r.degree[q] > r.degree[p])] for q in row])
        found.append((np.column_stack([score, ranks, habits]), added))
    return found


def forced_ends(r):
    """Of every raised vertex: how many of its added edges it needs while everybody else stays."""
    communities = collections.defaultdict(collections.Counter)
    for p, d in r.degree.items():
        communities[d][r.of(p)] += 1
    forced = {}
    for p, row in r.false.items():
        d, mine = r.degree[p], r.of(p)
        lowest = d
        there = communities[d]
        if len(there) - (there[mine] == 1) >= r.k or sum(there.values()) == 1:
            for e in range(d - len(row), d):
                if e in communities and len(communities[e]) + (mine not in communities[e]) >= r.k:
                    lowest = e
                    break
        if lowest > d - len(row):
            forced[p] = lowest - (d - len(row))
    return forced


def forced_row(name, r):
    forced, members = forced_ends(r), collections.defaultdict(list)
    own = {p: [q for q in r.inside(p) if q not in r.false.get(p, ())] for p in r.adj}
    for p in r.adj:
        members[r.of(p)].append(p)

    def below(y, degree):
        return sum((r.degree[q] < degree) + 0.5 * (r.degree[q] == degree) for q in own[y]) / len(own[y])

    now, best, ends, top = 0.0, 0.0, 0, 0
    for a, need in forced.items():
        able = sorted(below(y, r.degree[a]) for y in members[r.of(a)] if y != a and own[y] and r.owner[y] not in r.near[r.owner[a]])
        joined = [below(y, r.degree[a]) for y in r.false[a] if own[y] and not forced.get(y)]
        if joined and able:
            now += sum(joined)
            best += sum(able[: len(joined)]) + max(0, len(joined) - len(able)) * able[-1]
            ends += len(joined)
            top += len(joined) * (r.degree[a] == max(r.degree[y] for y in members[r.of(a)]))
    edges = sum(map(len, r.false.values())) // 2
    both = sum(q in forced for p in forced for q in r.false[p]) // 2
    tell = f"{now / ends:.3f} | {best / ends:.3f}" if ends else "- | -"
    print(f"| {name} | {edges} | {ends} | {top} | {both} | {tell} |", flush=True)


def pieces_row(name, r):
    """The AUC of the least sum of degrees that two linked pieces can have."""
    pieces = collections.defaultdict(list)
    for p in r.owner:
        pieces[r.owner[p]].append(p)
    least = [len(r.near[v]) + 2 for v, ps in pieces.items() if len(ps) == 2 and ps[1] in r.adj[ps[0]]]
    if least:
        edges = [r.degree[p] + r.degree[q] for p in r.adj for q in r.inside(p) if p < q]
        print(f"| {name} | {len(least)} | {auc(np.array(least), np.array(edges)):.3f} |", flush=True)


def differences(found, generator):
    """Pairs of an added and an own edge of the same vertex: a few for each added edge."""
    rows = []
    for features, added in found:
        own = features[~added]
        for x in features[added]:
            rows.extend(x - own[generator.integers(len(own), size=4)])
    return np.array(rows)


def fit(x):
    """Weights under which an added edge scores above an own one, by Newton's method with a small ridge."""
    scale = x.std(axis=0) + 1e-9
    z, w = x / scale, np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(z @ w, -30, 30)))
        gradient = z.T @ (1 - p) - 1e-2 * len(z) * w / 10
        hessian = (z * (p * (1 - p))[:, None]).T @ z + 1e-3 * len(z) * np.eye(len(w))
        step = np.linalg.solve(hessian, gradient)
        w += step
        if abs(step).max() < 1e-6:
            break
    return w / scale


def conditional(found, weights):
    total = ends = 0
    for features, added in found:
        value = features @ weights
        total += added.sum() * auc(value[added], value[~added])
        ends += added.sum()
    return total / ends if ends else math.nan


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ksda", default="build/ksda")
    parser.add_argument("--method", default="level-plan")
    parser.add_argument("--favour", help="as of `ksda anonymize`")
    parser.add_argument("--cost", help="as --plausible-cost of `ksda anonymize`")
    parser.add_argument("--most", type=int, default=3000, help="vertices that are looked at in a network")
    parser.add_argument("network", nargs="+", help="NAME=EDGES,COMMUNITIES,K")
    options = parser.parse_args()
    how = ["-m", options.method] + (["--favour", options.favour] if options.favour else [])
    if options.cost:
        how += ["--plausible-cost", options.cost]
    releases, found = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for word in options.network:
            name, _, files = word.partition("=")
            releases[name] = Release(options.ksda, how, *files.split(","), folder)
            found[name] = features(releases[name], options.most)
            print(f"{name}: {len(found[name])} vertices with added edges", file=sys.stderr)
    print(f"| network ({' '.join(how[1:])}) | ends | worst score | trained on the others |\n|---|---|---|---|")
    for name, mine in found.items():
        others = [row for other, rows in found.items() if releases[other].edges != releases[name].edges for row in rows]
        ends = sum(int(added.sum()) for _, added in mine)
        if not mine or not others:
            print(f"| {name} | {ends} | - | - |")
            continue
        single = [conditional(mine, np.eye(mine[0][0].shape[1])[s]) for s in range(SCORES)]
        trained = conditional(mine, fit(differences(others, np.random.default_rng(2))))
        print(f"| {name} | {ends} | {max(max(x, 1 - x) for x in single):.3f} | {trained:.3f} |", flush=True)
    print("\n| network | added edges | ends joined to a forced one | of these to the largest of the community | edges between two forced | degree there, as it is | at best |")
    print("|---|---|---|---|---|---|---|")
    for name, r in releases.items():
        forced_row(name, r)
    print("\n| network | linked pairs of people with two pieces | AUC of the degrees, at least |\n|---|---|---|")
    for name, r in releases.items():
        pieces_row(name, r)


main()
