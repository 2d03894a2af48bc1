#!/usr/bin/python3
"""A second opinion on the optima that `ksda optimal` proves: other models, written here from the definitions, solved by
HiGHS (scipy.optimize.milp), and releases recounted here.

Usage: second_opinion.py path/to/ksda DATA_FOLDER [SECONDS [PART ...]]    PART: small, hubs, lesmis, airport2, airport3

For every instance the release is recounted (that is "at most") and HiGHS says what every release costs (that is "at
least"). Exit 1 where the two contradict each other or ksda; 77 where scipy or the data are not there.

  small    networks of 6 to 9 vertices with splitting: every piece, every original edge and who carries it, every added
           edge and link is a column of its own
  hubs     networks of 9 to 16 vertices, adding alone: the model for AirPort against one with every edge and degree
  lesmis   how many pieces of whom stand at which degree; that somebody must be split; edges with one split
  airport  which degrees above a floor occur, who ends at which of them, edges between those; the rest free
"""
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
try:
    import numpy as np
    from second_levels import above_floor
    from second_solver import Model
except ImportError:
    print("SKIPPED: second_opinion.py needs scipy 1.9 or later (Debian: python3-scipy)", file=sys.stderr)
    sys.exit(77)


class Network:
    def __init__(self, edges, community):
        self.community = community
        self.vertices = sorted(community)
        self.edges = {frozenset(e) for e in edges}
        self.near = {v: set() for v in self.vertices}
        for e in self.edges:
            u, v = e
            self.near[u].add(v), self.near[v].add(u)
        self.members = {}
        for v in self.vertices:
            self.members.setdefault(community[v], []).append(v)

    def degree(self, v):
        return len(self.near[v])

    def places(self, v):
        """How many new neighbours v can have inside its community."""
        return len(self.members[self.community[v]]) - 1 - sum(self.community[w] == self.community[v] for w in self.near[v])

    def joinable(self, u, v):
        return u != v and self.community[u] == self.community[v] and v not in self.near[u]


def read_pairs(path):
    with open(path) as f:
        return [line.split() for line in f if line.strip() and line[0] not in "#%"]


def read_network(edges, communities):
    return Network([(a[0], a[1]) for a in read_pairs(edges) if a[0] != a[1]], {a[0]: a[1] for a in read_pairs(communities)})


def diverse(degree, community, k):
    seen = {}
    for v, d in degree.items():
        seen.setdefault(d, set()).add(community[v])
    return all(len(s) >= k for s in seen.values())


def recount(net, published, mapping, k):
    """(edges added, vertices added) of a release, recounted from the definition; None where it is no release."""
    owner = {}
    for fields in read_pairs(mapping):
        for piece in fields[1:]:
            owner[piece] = fields[0]
    edges = {frozenset((a[0], a[1])) for a in read_pairs(published)}
    degree = {p: 0 for p in owner}
    carried, carries, added = set(), set(), 0
    for e in edges:
        a, b = e
        degree[a] += 1
        degree[b] += 1
        u, v = owner[a], owner[b]
        if u == v:
            continue
        if v in net.near[u]:
            added += frozenset((u, v)) in carried
            carried.add(frozenset((u, v)))
            carries.add(a), carries.add(b)
        elif net.community[u] == net.community[v]:
            added += 1
        else:
            return None
    pieces = {}
    for p, v in owner.items():
        pieces.setdefault(v, []).append(p)
    whole = all(len(pieces.get(v, [])) == 1 or all(p in carries for p in pieces.get(v, [])) for v in net.vertices)
    if carried != net.edges or not whole or set(pieces) != set(net.vertices):
        return None
    if not diverse(degree, {p: net.community[v] for p, v in owner.items()}, k):
        return None
    return added, len(owner) - len(net.vertices)


def ask_ksda(ksda, folder, edges, communities, k, split, weight, seconds):
    published, mapping = os.path.join(folder, "published.edges"), os.path.join(folder, "private.map")
    for path in (published, mapping):
        if os.path.exists(path):
            os.remove(path)
    command = [ksda, "optimal", edges, "-c", communities, "-k", str(k), "--operations", "add+split" if split else "add",
               "--time-limit", str(seconds), "--json", "--quiet", "-o", published, "--map", mapping]
    command += ["--split-weight", str(weight)] if weight else []
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, 4, 5):
        sys.exit("second_opinion.py: %s: %s" % (" ".join(command), run.stderr))
    return json.loads(run.stdout), published, mapping


# --- every piece and every edge: small networks -----------------------------------------------------------------------


def whole_truth(net, k, weight, pieces, seconds):
    """The cheapest release with at most so many pieces a vertex."""
    m = Model()
    n = len(net.vertices) * pieces  # no piece can have more neighbours
    part = {v: [(v, i) for i in range(max(1, min(pieces, net.degree(v))))] for v in net.vertices}
    every = [p for v in net.vertices for p in part[v]]
    used = {p: m.add(1 if p[1] == 0 else 0, 1, weight if p[1] else 0) for p in every}
    ends = {p: [] for p in every}
    carry = {p: [] for p in every}
    for u, v in itertools.combinations(net.vertices, 2):
        original = v in net.near[u]
        if not original and not net.joinable(u, v):
            continue
        columns = []
        for p, q in itertools.product(part[u], part[v]):
            x = m.add(0, 1, 1)
            columns.append(x)
            for end in (p, q):
                ends[end].append(x)
                m.rule([(x, 1), (used[end], -1)], -np.inf, 0)
                if original:
                    carry[end].append(x)
        if original:
            m.rule([(x, 1) for x in columns], 1, np.inf)
    for v in net.vertices:
        for p, q in itertools.combinations(part[v], 2):
            x = m.add(0, 1)
            for end in (p, q):
                ends[end].append(x)
                m.rule([(x, 1), (used[end], -1)], -np.inf, 0)
    at = {(p, t): m.add(0, 1) for p in every for t in range(n)}
    has = {(c, t): m.add(0, 1) for c in net.members for t in range(n)}
    for p in every:
        m.rule([(at[p, t], 1) for t in range(n)] + [(used[p], -1)], 0, 0)
        m.rule([(x, 1) for x in ends[p]] + [(at[p, t], -t) for t in range(1, n)], 0, 0)
        if len(part[p[0]]) > 1:
            m.rule([(x, 1) for x in carry[p]] + [(used[p], -1)], 0, np.inf)
        if p[1] > 0:
            m.rule([(used[p], 1), (used[p[0], p[1] - 1], -1)], -np.inf, 0)
        for t in range(n):
            others = [(has[c, t], -1) for c in net.members if c != net.community[p[0]]]
            m.rule([(at[p, t], k - 1)] + others, -np.inf, 0)
    for (c, t), x in has.items():
        m.rule([(x, 1)] + [(at[p, t], -1) for p in every if net.community[p[0]] == c], -np.inf, 0)
    state, value = m.solve(seconds)
    return state, value - len(net.edges)


def small(ksda, data, seconds):
    """Random networks of 6 to 9 vertices."""
    rng, wrong, compared = random.Random(20261116), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(24):
            n, k, weight = 6 + number % 4, 2, [3, 17.3, 1.5, 2, 40][number % 5]
            community = {str(v): str(v % 2) for v in range(n)}
            pairs = [e for e in itertools.combinations(range(n), 2) if rng.random() < 0.3]
            edges, communities = os.path.join(folder, "g.edges"), os.path.join(folder, "g.communities")
            with open(edges, "w") as f:
                f.writelines("%d %d\n" % e for e in pairs)
            met = {str(v) for e in pairs for v in e}
            with open(communities, "w") as f:
                f.writelines("%s %s\n" % (v, community[v]) for v in sorted(met))
            net = Network([(str(a), str(b)) for a, b in pairs], {v: community[v] for v in met})
            if len(net.members) < k:
                continue
            answer, published, mapping = ask_ksda(ksda, folder, edges, communities, k, True, weight, seconds)
            if answer["status"] != "optimal":
                continue
            counted = recount(net, published, mapping, k)
            cost = None if counted is None else counted[0] + weight * counted[1]
            state, value = whole_truth(net, k, weight, int(answer["objective"] // weight) + 1, seconds)
            agrees = cost is not None and abs(cost - answer["objective"]) < 1e-6
            agrees = agrees and (state == "stopped" or abs(value - cost) < 1e-6)
            wrong += not agrees
            compared += agrees and state == "optimal"
            if not agrees:
                print("network %d: ksda %s, recounted %s, HiGHS %s %g" % (number, answer["objective"], counted, state, value))
    print("small: %d random networks of 6 to 9 vertices with splitting: the same optimum; %d contradictions" % (compared, wrong))
    return wrong == 0 and compared > 0


# --- pieces at degrees: LesMis ----------------------------------------------------------------------------------------


def pieces_at_degrees(net, k, splits, most, seconds):
    """The fewest edges of releases with exactly so many splits and at most so many edges; none: there is no such release.
    What is left out, so that this is a lower bound: who carries which edge."""
    m = Model()
    top = len(net.vertices) + splits
    more = {v: m.add(0, min(splits, max(0, net.degree(v) - 1))) for v in net.vertices}
    m.rule([(x, 1) for x in more.values()], splits, splits)
    at = {(v, t): m.add(0, splits + 1) for v in net.vertices for t in range(top)}
    has = {(c, t): m.add(0, 1) for c in net.members for t in range(top)}
    gain, every = {v: [] for v in net.vertices}, []
    for u, v in itertools.combinations(net.vertices, 2):
        original = v in net.near[u]
        if original and splits == 0 or not original and not net.joinable(u, v):
            continue
        x = m.add(0, min(most, (splits + 1) ** 2), 1)  # added edges, or further representatives of one that there is
        every.append((x, 1))
        m.rule([(x, 1), (more[u], -(splits + 1)), (more[v], -(splits + 1))], -np.inf, 0 if original else 1)
        gain[u].append(x), gain[v].append(x)
    for v in net.vertices:
        link = m.add(0, splits * (splits + 1) / 2)
        m.rule([(link, 2), (more[v], -(splits + 1))], -np.inf, 0)
        m.rule([(at[v, t], 1) for t in range(top)] + [(more[v], -1)], 1, 1)
        m.rule([(at[v, t], t) for t in range(1, top)] + [(link, -2)] + [(x, -1) for x in gain[v]], net.degree(v), net.degree(v))
        m.rule([(at[v, t], 1) for t in range(net.degree(v))] + [(more[v], -2)], -np.inf, 0)  # lower only in pieces
        for t in range(top):
            others = [(has[c, t], -1) for c in net.members if c != net.community[v]]
            m.rule([(at[v, t], (k - 1) / (splits + 1))] + others, -np.inf, 0)
            m.rule([(at[v, t], 1), (has[net.community[v], t], -1), (more[v], -1)], -np.inf, 0)
    for (c, t), x in has.items():
        m.rule([(x, 1)] + [(at[v, t], -1) for v in net.members[c]], -np.inf, 0)
        m.rule([(x, k - 1)] + [(has[b, t], -1) for b in net.members if b != c], -np.inf, 0)
    m.rule(every, 0, most)
    return m.solve(seconds)


def lesmis(ksda, data, seconds):
    edges, communities = os.path.join(data, "lesmis.edges"), os.path.join(data, "lesmis.metis4.communities")
    net, good = read_network(edges, communities), True
    with tempfile.TemporaryDirectory() as folder:
        for k in (2, 3, 4):
            begin = time.time()
            answer, published, mapping = ask_ksda(ksda, folder, edges, communities, k, True, 0, 600)
            counted = recount(net, published, mapping, k)
            if counted is None or counted[1] != 1:
                good = False
                continue
            none = pieces_at_degrees(net, k, 0, len(net.vertices) ** 2, seconds)[0]
            state, value = pieces_at_degrees(net, k, 1, counted[0] - 1, seconds)
            says = {"none": "at least %d edges with one split" % counted[0], "stopped": "not settled with one split"}
            print("LesMis, 4 parts, k = %d: ksda %s, %s; recounted %s (edges, splits); HiGHS: %s, %s (%.0f s)" %
                  (k, answer["status"], answer["objective"], counted,
                   "no release without a split" if none == "none" else "without a split " + none,
                   says.get(state, "the relaxation with one split has %g edges" % value), time.time() - begin))
            good = good and none != "optimal"
    return good


# --- levels above a floor: AirPort ------------------------------------------------------------------------------------


def floor_of(net, k):
    """The largest degree up to which every degree occurs in k communities or not at all."""
    seen = {}
    for v in net.vertices:
        seen.setdefault(net.degree(v), set()).add(net.community[v])
    floor = -1
    while floor < max(seen) and len(seen.get(floor + 1, "x" * k)) >= k:
        floor += 1
    return floor


def floors(net, k):
    """Higher floors first: they leave more out, and are settled sooner. Every one of them gives a bound."""
    lowest, degrees = floor_of(net, k), sorted((net.degree(v) for v in net.vertices), reverse=True)
    return sorted({max(lowest, degrees[min(above, len(degrees) - 1)]) for above in (32, 60, 80, 100, 130, 500)}, reverse=True)


def lower_floors(net, k, cost, seconds):
    """(bound, floor at which it was settled, what was done): lower and lower floors until none is left below the cost."""
    begin, bound, steps, floor = time.time(), 0, [], None
    for floor in floors(net, k):
        left = seconds - (time.time() - begin)
        if left <= 1:
            break
        state, value = above_floor(net, k, cost - 1, floor, 2, left)
        steps.append("%d: %s" % (floor, state if state == "none" else "%s %.1f" % (state, value)))
        bound = cost if state == "none" else max(bound, math.ceil(value - 1e-4)) if state == "stopped" and value > 0 else bound
        if bound >= cost:
            break
    return bound, floor, steps


def airport(ksda, data, seconds, k):
    """Where the relaxation has no solution below the cost, it must have one at it: the control."""
    edges, good = os.path.join(data, "usairport500.edges"), True
    with tempfile.TemporaryDirectory() as folder:
        for parts in ("metis8", "metis5"):
            communities = os.path.join(data, "usairport500.%s.communities" % parts)
            net = read_network(edges, communities)
            answer, published, mapping = ask_ksda(ksda, folder, edges, communities, k, False, 0, 600)
            counted = recount(net, published, mapping, k)
            if counted is None or counted[1] != 0 or answer["objective"] != counted[0]:
                print("AirPort, %s, k = %d: ksda says %s, recounted %s" % (parts, k, answer["objective"], counted))
                good = False
                continue
            begin, cost = time.time(), counted[0]
            bound, floor, steps = lower_floors(net, k, cost, seconds)
            took = time.time() - begin
            control = above_floor(net, k, cost, floor, 2, seconds) if bound == cost else ("stopped", bound)
            good = good and control[0] != "none" and bound <= cost
            print("AirPort, %s, k = %d: ksda %s, %s; recounted %s (edges, splits); HiGHS: at least %g in %.0f s (floors %s); "
                  "the relaxation with %d allowed: %s %.1f" %
                  (parts, k, answer["status"], answer["objective"], counted, bound, took, "; ".join(steps), cost, *control))
            sys.stdout.flush()
    return good


def hubs(ksda, data, seconds):
    """The relaxation above a floor is never above the optimum of the whole truth: random networks with hubs, adding alone."""
    rng, wrong, compared, equal = random.Random(20261117), 0, 0, 0
    for number in range(1000):
        n, parts, k = rng.randint(9, 16), rng.randint(3, 4), rng.randint(2, 3)
        pull = [1 if rng.random() < 0.7 else 4 for _ in range(n)]
        pairs = [(u, v) for u, v in itertools.combinations(range(n), 2) if rng.random() < 0.1 * math.sqrt(pull[u] * pull[v])]
        net = Network(pairs, {v: rng.randrange(parts) for v in range(n)})
        if len(net.members) < k or not pairs:
            continue
        state, cost = whole_truth(net, k, 1, 1, seconds)
        if state != "optimal":
            continue
        cost = round(cost)
        for floor in {floor_of(net, k), rng.randrange(max(net.degree(v) for v in net.vertices))}:
            below = rng.randint(0, 2)
            compared += 1
            equal += cost > 0 and above_floor(net, k, cost - 1, floor, below, seconds)[0] == "none"
            if above_floor(net, k, cost, floor, below, seconds)[0] != "found":
                wrong += 1
                print("network %d, floor %d: the relaxation has no solution of %d edges, and there is one" % (number, floor, cost))
    print("hubs: %d times the relaxation above a floor has a solution at the optimum, %d times none below; %d contradictions" %
          (compared, equal, wrong))
    return wrong == 0 and compared > 0


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    ksda, data, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 600.0
    wanted = sys.argv[4:] or ["small", "hubs", "lesmis", "airport2", "airport3"]
    if not os.path.isdir(data):
        print("SKIPPED: the data networks are not here: only the small ones", file=sys.stderr)
        wanted = [p for p in wanted if p in ("small", "hubs")]
    parts = {"small": small, "hubs": hubs, "lesmis": lesmis, "airport2": lambda *a: airport(*a, 2), "airport3": lambda *a: airport(*a, 3)}
    good = True
    for name in wanted:
        good = parts[name](ksda, data, seconds) and good
        sys.stdout.flush()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
