#!/usr/bin/env python3
"""The attacker who was trained on other releases of the same method: which edges of a release are false?

    scripts/trained-attacker.py --table [--ksda build/ksda] >src/attack/trained.def
    scripts/trained-attacker.py [--ksda build/ksda] [--method level-plan] [--favour plausible] [--cost PERCENT] NAME=EDGES,COMMUNITIES,K ...

--table prints what the attackers who come with the library have learned: NETWORKS are generated, released by each method of
METHODS, and `ksda attack --training` is trained on all of them.

With networks: makes a release of each and has it attacked by `ksda attack`, who was trained on the releases of the others. Prints,
for each network, the conditional AUC of the worst single score, of the trained attacker, who has not seen it, and of the
one who comes with the library for the same method; 0.5 is chance. A network that is named twice, with another k, is no
other network.

Then what no choice of edges can change. An end is forced where its vertex was raised and cannot sink, alone, to its own degree:
the census would miss it. Whoever is joined to it, of all members of its community that have an own edge there and are no
friends of it yet, sees an edge to a vertex of that degree: printed is the share of his own edges that lead to smaller ones
(ties half; the AUC of the degree at that end), as it is, and for the best members there are, each taken once for each vertex.

Then what any choice of edges leaves to an attacker by degrees only, while everybody keeps the degree that he has: each raised vertex
has so many added edges, which lead to other raised ones of its community that are no friends; printed is the conditional AUC as
it is, and a lower bound for every such choice, by prices (dual_bound), which need no trust in how they were found.

Then linked pieces: two pieces of a person of degree d have its d edges and the link between them at least, so their degrees sum
up to d + 2 or more, however edges are dealt and wherever the plan puts them. Printed is the AUC of d + 2 against the sums of
edges inside communities. And pieces apart: the AUC of their degrees against those of other pairs, as they are, and for the best
way to deal the edges of each person to two pieces of which none has more than the largest degree of the release, friends being
counted among the others there, which have larger degrees.

Last, unmasking, beside what an attacker has who picks the second member by trust, and the standard error of so many groups. A group is forced where no choice of added edges lets a raised member be less suspicious than the least
suspicious untouched one: its own edges have the likeness that they have, and its t added ones at most that of the t likeliest
members of the community that are no friends, each with t - 1 friends in common more (those that join with it)."""
import argparse
import bisect
import collections
import gzip
import json
import math
import os
import random
import subprocess
import sys
import tempfile

METHODS = [  # name, label, how it is asked for
    ("level_plan", "level-plan", ["-m", "level-plan"]),
    ("level_plan_plausible", "level-plan, plausible", ["-m", "level-plan", "--favour", "plausible"]),
    ("create_by_split", "create-by-split", ["-m", "create-by-split"]),
    ("k_degree", "k-degree", ["-m", "k-degree"]),
]
NETWORKS = [  # of `ksda generate planted`: vertices, edges, blocks, mixing, exponent of the degrees, k; each with seeds SEEDS
    (500, 3000, 8, 0.05, 2.5, 3),
    (1000, 8000, 20, 0.15, 2.3, 5),
    (2000, 8000, 40, 0.1, 2.5, 5),
    (2000, 16000, 30, 0.3, 2.2, 10),
    (4000, 14000, 60, 0.2, 2.4, 5),
    (5000, 20000, 100, 0.1, 2.1, 10),
]
SEEDS = (301, 302)
ENDS = 1000  # of each release from which an attacker by degrees learns


def lines(path):
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as file:
        for line in file:
            if line.strip() and line[0] not in "#%":
                yield line.split()


def auc(pos, neg):
    neg = sorted(neg)
    return sum(bisect.bisect_left(neg, x) + bisect.bisect_right(neg, x) for x in pos) / 2 / len(pos) / len(neg)


class Release:
    """A network as it was and as it is published, in files of the folder that begin with the name. read() fills: home, owner,
    original neighbours (near), adj, and added edges (false)."""

    def __init__(self, ksda, how, edges, communities, k, folder, name):
        out, mapped = (os.path.join(folder, f"{name}.{kind}") for kind in ("out.edges", "map"))
        subprocess.run(
            [ksda, "anonymize", edges, "-c", communities, "-k", k, *how, "-o", out, "--map", mapped, "--force",
             "--no-proof", "--insecure-ids", "--quiet"], check=True, stderr=subprocess.DEVNULL)  # fmt: skip
        self.k, self.edges, self.communities, self.out, self.map = int(k), edges, communities, out, mapped

    def read(self):
        edges, communities, out, mapped = self.edges, self.communities, self.out, self.map
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
        self.level = collections.Counter(self.degree.values())

    def of(self, p):
        return self.home[self.owner[p]]

    def inside(self, p):
        """Neighbours in the community that are other people."""
        return sorted(q for q in self.adj[p] if self.of(p) == self.of(q) and self.owner[p] != self.owner[q])


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


def suspicion(r, largest, p, q):
    """An attacker who goes by degrees only. Hubs have half the largest degree of their community or more: of a hub he suspects those
    edges most that lead to the smallest vertices, of others those that lead to hubs, and the more the larger these are."""
    if 2 * r.degree[p] >= largest[r.of(p)]:
        return -r.degree[q]
    return max(0, 2 * r.degree[q] - largest[r.of(p)])


def dual_bound(cost, need, sweeps=30):
    """A lower bound on the sum of the costs of edges of which every p has need[p]: for any prices u it is at least the sum of
    need * u and of all costs less the prices of both ends that are below 0 (what linear programs call weak duality). In turns
    each price is put where as many edges of p are below 0 as it needs."""
    price = dict.fromkeys(need, 0.0)
    best = 0.0
    for _ in range(sweeps):
        for p, row in cost.items():
            value = sorted(c - price[q] for q, c in row.items())
            t = need[p]
            price[p] = (value[t - 1] + value[t]) / 2 if t < len(value) else value[-1]
        below = sum(min(0.0, c - price[p] - price[q]) for p, row in cost.items() for q, c in row.items()) / 2
        best = max(best, sum(need[p] * price[p] for p in need) + below)
    return best


def by_degrees(r, largest, p, q):
    """What there is to see of an edge of p if nothing but degrees is known."""
    mine, other, hub = math.log(r.degree[p]), math.log(r.degree[q]), 2 * r.degree[p] >= largest[r.of(p)]
    level = math.log(r.level[r.degree[q]])
    return (other, level, float(other > mine), other * hub, float(2 * r.degree[q] >= largest[r.of(p)]), other * mine, abs(other - mine))


def contrasts(r, largest, draw):
    """Differences of an added edge and four own ones of the same vertex, for at most ENDS ends."""
    ends = [(p, q) for p in sorted(r.false) for q in sorted(r.false[p])]
    rows = []
    for p, q in draw.sample(ends, min(ENDS, len(ends))):
        own, x = [y for y in r.inside(p) if y not in r.false[p]], by_degrees(r, largest, p, q)
        for y in draw.choices(own, k=4) if own else ():
            rows.append([a - b for a, b in zip(x, by_degrees(r, largest, p, y))])
    return rows


def solve(a, b):
    """a x = b by Gauss; a has a ridge."""
    n = len(b)
    a = [row[:] + [b[i]] for i, row in enumerate(a)]
    for i in range(n):
        for j in range(i + 1, n):
            f = a[j][i] / a[i][i]
            a[j] = [y - f * x for x, y in zip(a[i], a[j])]
    for i in reversed(range(n)):
        a[i][n] = (a[i][n] - sum(a[i][j] * a[j][n] for j in range(i + 1, n))) / a[i][i]
    return [row[n] for row in a]


def regression(rows):
    """Weights by which the differences are most often above 0: logistic regression as that of src/attack/traits.c."""
    n, count = len(rows[0]), len(rows)
    mean = [sum(x) / count for x in zip(*rows)]
    scale = [math.sqrt(sum((y - m) ** 2 for y in x) / count) + 1e-9 for x, m in zip(zip(*rows), mean)]
    rows, w = [[x / s for x, s in zip(row, scale)] for row in rows], [0.0] * n
    for _ in range(8):
        slope, bend = [-0.001 * count * x for x in w], [[0.001 * count * (i == j) for j in range(n)] for i in range(n)]
        for row in rows:
            rest = 1 / (1 + math.exp(max(-30, min(30, sum(map(float.__mul__, w, row))))))
            steep = rest * (1 - rest)
            for i, x in enumerate(row):
                slope[i] += rest * x
                bend[i] = [b + steep * x * y for b, y in zip(bend[i], row)]
        w = [x + y for x, y in zip(w, solve(bend, slope))]
    return [x / s for x, s in zip(w, scale)]


def largest_of(r):
    largest = collections.Counter()
    for p in r.owner:
        largest[r.of(p)] = max(largest[r.of(p)], r.degree[p])
    return largest


def degrees_only(r, suspects):
    """What an attacker has who suspects the edge of p that leads to q by suspects(p, q), which knows degrees only: ends, conditional
    AUC, and a lower bound of it for every release in which everybody has the degree of this one."""
    raised, share = collections.defaultdict(list), {}
    for p in sorted(r.false):
        raised[r.of(p)].append(p)
    now = least = ends = 0
    for group in raised.values():
        cost, need = collections.defaultdict(dict), {}
        for p in group:
            own = sorted(suspects(p, q) for q in r.inside(p) if q not in r.false[p])
            need[p] = len(r.false[p])
            ends += need[p] if own else 0
            for q in group:
                if r.owner[p] != r.owner[q] and r.owner[q] not in r.near[r.owner[p]]:
                    share[p, q] = auc([suspects(p, q)], own) if own else 0.0
            now += sum(share[p, q] for q in r.false[p])
        for p in group:
            cost[p] = {q: share[p, q] + share[q, p] for q in group if (p, q) in share}
        least += dual_bound(cost, need)
    return ends, now / max(1, ends), math.floor(1000 * least / max(1, ends)) / 1000


def needs_rows(releases):
    """Attackers by degrees: the one of suspicion(), one trained on the other networks, and one on the release itself."""
    largest = {name: largest_of(r) for name, r in releases.items()}
    rows = {name: contrasts(r, largest[name], random.Random(1)) for name, r in releases.items()}
    for name, r in releases.items():

        def trained(learned):
            w = regression(learned) if learned else None
            return lambda p, q: sum(map(float.__mul__, w, by_degrees(r, largest[name], p, q))) if w else 0.0

        others = [row for other, more in rows.items() if releases[other].edges != r.edges for row in more]
        told = [lambda p, q: suspicion(r, largest[name], p, q), trained(others), trained(rows[name])]
        told = [degrees_only(r, suspects) for suspects in told]
        if told[0][0]:
            print(f"| {name} | {told[0][0]} | " + " | ".join(f"{now:.3f} | {least:.3f}" for _, now, least in told) + " |", flush=True)


def pieces_row(name, r):
    """The AUC of the least sum of degrees that two linked pieces can have."""
    pieces = collections.defaultdict(list)
    for p in r.owner:
        pieces[r.owner[p]].append(p)
    least = [len(r.near[v]) + 2 for v, ps in pieces.items() if len(ps) == 2 and ps[1] in r.adj[ps[0]]]
    if least:
        edges = [r.degree[p] + r.degree[q] for p in r.adj for q in r.inside(p) if p < q]
        print(f"| {name} | {len(least)} | {auc(least, edges):.3f} |", flush=True)


def apart_row(name, r):
    """The AUC of the degrees of two pieces that are not adjacent, against pairs of either and others. Where the sums are the
    degrees of the people, how the edges of one person are dealt changes the pairs with its pieces only: so it is best apart."""
    pieces, top, now, best, people = collections.defaultdict(list), max(r.degree.values()), 0.0, 0.0, []
    for p in r.owner:
        pieces[r.owner[p]].append(p)
    for v, (p, *more) in pieces.items():
        if len(more) == 1 and more[0] not in r.adj[p]:
            others = sorted(r.degree[y] for y in r.owner if r.of(y) == r.home[v] and r.owner[y] != v)
            people.append((len(r.near[v]), p, more[0], others))
    people = [x for x in people if x[3]]
    sums = [r.degree[p] + r.degree[q] for _, p, q, _ in people]
    for d, p, q, others in people:
        a, b = r.degree[p], r.degree[q]
        told = []
        for piece in (p, q):  # pairs that are adjacent are none of the others, and a piece may have no other
            apart = [r.degree[y] for y in r.owner if r.of(y) == r.of(p) and r.owner[y] != r.owner[p] and y not in r.adj[piece]]
            told += [auc([s - r.degree[piece] for s in sums], apart)] if apart else []
        now += sum(told) / len(told) if told else 0.5
        ways = [auc([e - x for e, *_ in people for x in (c, d - c)], others) for c in range(max(1, d - top), d // 2 + 1)]
        best += min(ways) if ways else auc([e - x for e, *_ in people for x in (a, b)], others)
    if people:
        print(f"| {name} | {len(people)} | {now / len(people):.3f} | {best / len(people):.3f} |", flush=True)


def likeness(r, p, q, more=0, rise=0):
    common = len(r.adj[p] & r.adj[q]) + more
    return common / max(1, r.degree[p] + r.degree[q] + rise - common - 2)


def most_trusted(r, p, members):
    """The largest mean likeness of the edges of a raised vertex that any choice of its added ones could give."""
    row = [q for q in r.adj[p] if r.of(q) == r.of(p)]
    own = [q for q in row if q not in r.false.get(p, ())]
    t = len(row) - len(own)
    able = [y for y in members[r.of(p)] if r.owner[y] != r.owner[p] and r.owner[y] not in r.near[r.owner[p]]]
    best = sorted((likeness(r, p, y, min(t - 1, r.degree[y]), y not in r.adj[p]) for y in able), reverse=True)[:t] if t else []
    return (sum(likeness(r, p, q) for q in own) + sum(best)) / len(row) if row else -1


def trust(r, p):
    row = [q for q in r.adj[p] if r.of(q) == r.of(p)]
    return sum(likeness(r, p, q) for q in row) / len(row) if row else -1


def unmask_row(name, r):
    members, groups, pieces = collections.defaultdict(list), collections.defaultdict(list), collections.Counter(r.owner.values())
    for p in r.owner:
        members[r.of(p)].append(p)
        groups[r.degree[p]].append(p)
    count, won, second, forced, chance = 0, 0, 0, 0, 0.0
    for group in groups.values():
        raised = [p for p in group if r.false.get(p) or pieces[r.owner[p]] > 1]
        untouched = [p for p in group if not r.false.get(p) and pieces[r.owner[p]] == 1]
        if not untouched or len(untouched) > len(raised):
            continue
        count += 1
        chance += len(untouched) / len(group)
        order = sorted(group, key=lambda p: (-trust(r, p), p))
        second += order[1] in untouched
        first = max(trust(r, p) for p in untouched)
        if first > max(trust(r, p) for p in raised):
            won += 1
            forced += first > max(most_trusted(r, p, members) for p in raised)
    if count:
        tell = [x / count for x in (won, chance, second)]
        print(f"| {name} | {count} | " + " | ".join(f"{x:.2f}" for x in tell) + f" | {math.sqrt(tell[1] * (1 - tell[1]) / count):.2f} | {forced} |", flush=True)


def attack(ksda, release, others, folder):
    """What `ksda attack` tells of added edges, trained on the others."""
    training = os.path.join(folder, "training")
    with open(training, "w") as file:
        for other in others:
            print(other.out, other.edges, other.communities, other.map, file=file)
    told = subprocess.run(
        [ksda, "attack", release.out, "--original", release.edges, "-c", release.communities, "--map", release.map, "-k", "1",
         "--only", "degree", "--training", training, "--json", "--quiet"], check=True, stdout=subprocess.PIPE)  # fmt: skip
    return json.loads(told.stdout)["added_edges"]


TABLE = """\
/* trained.def: what attackers of added edges have learned: every training one row, its name, its label and the weight of
 * each trait in the order of ksda_trait_id. Printed by `scripts/trained-attacker.py --table`, which makes the networks
 * and the releases; docs/attacks.md tells of them. whole.h and trained.c read it. */
#ifndef TRAINED
#define TRAINED(...)
#endif
"""


def table(ksda, folder):
    networks = []
    for i, (vertices, edges, blocks, mixing, exponent, k) in enumerate(NETWORKS):
        for seed in SEEDS:
            graph, home = (os.path.join(folder, f"{i}-{seed}.{kind}") for kind in ("edges", "communities"))
            subprocess.run(
                [ksda, "generate", "planted", "--vertices", str(vertices), "--edges", str(edges), "--blocks", str(blocks),
                 "--mixing", str(mixing), "--degree-exponent", str(exponent), "--seed", str(seed + 10 * i), "--communities", home,
                 "-o", graph, "--quiet"], check=True)  # fmt: skip
            networks.append((graph, home, str(k)))
    print(TABLE)
    for name, label, how in METHODS:
        releases = []
        for i, network in enumerate(networks):
            try:
                releases.append(Release(ksda, how, *network, folder, f"{name}-{i}"))
            except subprocess.CalledProcessError:
                print(f"{name}: no release of network {i}", file=sys.stderr)
        weights = attack(ksda, releases[0], releases, folder)["trained"]["weights"]
        print(f'TRAINED("{name}", "{label}",\n        ' + ", ".join(f"{w:.6g}" for w in weights.values()) + ")", flush=True)
        print(f"{name}: {len(releases)} releases", file=sys.stderr)
    print("\n#undef TRAINED")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ksda", default="build/ksda")
    parser.add_argument("--table", action="store_true", help="print src/attack/trained.def")
    parser.add_argument("--method", default="level-plan")
    parser.add_argument("--favour", help="as of `ksda anonymize`")
    parser.add_argument("--cost", help="as --plausible-cost of `ksda anonymize`")
    parser.add_argument("network", nargs="*", help="NAME=EDGES,COMMUNITIES,K")
    options = parser.parse_args()
    how = ["-m", options.method] + (["--favour", options.favour] if options.favour else [])
    same = next((name for name, _, asked in METHODS if asked == how), None)
    if options.cost:
        how += ["--plausible-cost", options.cost]
    with tempfile.TemporaryDirectory() as folder:
        if options.table:
            table(options.ksda, folder)
            return
        releases = {}
        for word in options.network:
            name, _, files = word.rpartition("=")
            releases[name] = Release(options.ksda, how, *files.split(","), folder, str(len(releases)))
            print(name, file=sys.stderr)
        print(f"| network ({' '.join(how[1:])}) | ends | worst score | trained on the others | on generated ones |\n|---|---|---|---|---|")
        for name, r in releases.items():
            told = attack(options.ksda, r, [other for other in releases.values() if other.edges != r.edges], folder)
            trained = told["trained"]["auc"]
            row = [told["worst"], trained.get("given"), trained.get(same)]
            print(f"| {name} | {told['ends']} | " + " | ".join("-" if x is None else f"{x:.3f}" for x in row) + " |", flush=True)
        for r in releases.values():
            r.read()
    print("\n| network | added edges | ends joined to a forced one | of these to the largest of the community | edges between two forced | degree there, as it is | at best |")
    print("|---|---|---|---|---|---|---|")
    for name, r in releases.items():
        forced_row(name, r)
    print("\n| network | ends | by degrees: hubs | at least | trained on the others | at least | trained on it | at least |")
    print("|---|---|---|---|---|---|---|---|")
    needs_rows(releases)
    print("\n| network | linked pairs of people with two pieces | AUC of the degrees, at least |\n|---|---|---|")
    for name, r in releases.items():
        pieces_row(name, r)
    print("\n| network | pairs of people with two pieces apart | AUC of the degrees | at best |\n|---|---|---|---|")
    for name, r in releases.items():
        apart_row(name, r)
    print("\n| network | groups | unmasked | chance | by the second | error of chance | forced groups |\n|---|---|---|---|---|---|---|")
    for name, r in releases.items():
        unmask_row(name, r)


main()
