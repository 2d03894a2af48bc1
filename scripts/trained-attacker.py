#!/usr/bin/env python3
"""The attacker who was trained on other releases of the same method: which edges of a release are false?

    scripts/trained-attacker.py [--ksda build/ksda] [--method level-plan] [--favour plausible] NAME=EDGES,COMMUNITIES,K ...

Makes a release of every network that is named and, for each, fits a logistic regression to the others: differences of
features between added and own edges of one vertex inside its community, so that only what tells them apart at one vertex is
learned. Features of an edge: the five scores of `ksda attack`, each also as its rank among the vertex's edges, and the habits
of a method: how many vertices share the degree of either end, both degrees, and whether the other end is larger. Prints, for
each network, the conditional AUC of the worst single score and of the trained attacker, who has not seen it; 0.5 is chance."""
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


def release(ksda, how, edges, communities, k, folder, most):
    """Of every vertex with added edges and others: features of its edges in the community, and which are added."""
    out, mapped = os.path.join(folder, "out.edges"), os.path.join(folder, "out.map")
    subprocess.run(
        [ksda, "anonymize", edges, "-c", communities, "-k", k, *how, "-o", out, "--map", mapped, "--force",
         "--no-proof", "--insecure-ids", "--quiet"], check=True, stderr=subprocess.DEVNULL)  # fmt: skip
    home = {a[0]: a[1] for a in lines(communities)}
    owner = {a[1]: a[0] for a in lines(mapped)}
    true = {frozenset(a[:2]) for a in lines(edges) if a[0] != a[1]}
    adj, false = collections.defaultdict(set), collections.defaultdict(set)
    for a in lines(out):
        for p, q in ((a[0], a[1]), (a[1], a[0])):
            adj[p].add(q)
            if owner[p] != owner[q] and frozenset((owner[p], owner[q])) not in true:
                false[p].add(q)
    level = collections.Counter(len(row) for row in adj.values())
    found = []
    ends = sorted(false)
    for p in ends if len(ends) <= most else [ends[i] for i in np.random.default_rng(1).choice(len(ends), most, replace=False)]:
        row = sorted(q for q in adj[p] if home[owner[p]] == home[owner[q]] and owner[p] != owner[q])
        added = np.array([q in false[p] for q in row])
        if added.all() or not added.any():
            continue
        score = np.array([scores(adj, p, q) for q in row])
        ranks = np.column_stack([ranked(score[:, s]) for s in range(SCORES)])
        habits = np.array([[math.log(level[len(adj[q])]), math.log(len(adj[q])), float(len(adj[q]) > len(adj[p]))] for q in row])
        found.append((np.column_stack([score, ranks, habits]), added))
    return found


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
    parser.add_argument("--most", type=int, default=3000, help="vertices that are looked at in a network")
    parser.add_argument("network", nargs="+", help="NAME=EDGES,COMMUNITIES,K")
    options = parser.parse_args()
    how = ["-m", options.method] + (["--favour", options.favour] if options.favour else [])
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for word in options.network:
            name, _, files = word.partition("=")
            found[name] = release(options.ksda, how, *files.split(","), folder, options.most)
            print(f"{name}: {len(found[name])} vertices with added edges", file=sys.stderr)
    print(f"| network ({' '.join(how[1:])}) | ends | worst score | trained on the others |\n|---|---|---|---|")
    for name, mine in found.items():
        others = [row for other, rows in found.items() if other != name for row in rows]
        ends = sum(int(added.sum()) for _, added in mine)
        if not mine or not others:
            print(f"| {name} | {ends} | - | - |")
            continue
        single = [conditional(mine, np.eye(mine[0][0].shape[1])[s]) for s in range(SCORES)]
        trained = conditional(mine, fit(differences(others, np.random.default_rng(2))))
        print(f"| {name} | {ends} | {max(max(x, 1 - x) for x in single):.3f} | {trained:.3f} |", flush=True)


main()
