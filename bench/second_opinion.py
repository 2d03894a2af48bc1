#!/usr/bin/python3
"""A second opinion on the optima that `ksda optimal` proves: other models, written here from the definitions, solved by
HiGHS (scipy.optimize.milp), and releases recounted here.

Usage: second_opinion.py path/to/ksda DATA_FOLDER [SECONDS [PART ...]]    PART: small, lesmis, airport2, airport3

For every instance the release is recounted (that is "at most") and HiGHS says what every release costs (that is "at
least"). Exit 1 where the two contradict each other or ksda; 77 where scipy or the data are not there.

  small    networks of 6 to 9 vertices with splitting: every piece, every original edge and who carries it, every added
           edge and link is a column of its own
  lesmis   how many pieces of whom stand at which degree; that somebody must be split; edges with one split
  airport  who ends at which degree above a floor, edges between those vertex by vertex and by degree, the rest free
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

try:
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix
except ImportError:
    print("SKIPPED: second_opinion.py needs scipy 1.9 or later (Debian: python3-scipy)", file=sys.stderr)
    sys.exit(77)


class Model:
    """Columns and rows as they come; minimize."""

    def __init__(self):
        self.cost, self.low, self.high, self.whole = [], [], [], []
        self.row, self.column, self.value, self.row_low, self.row_high = [], [], [], [], []

    def add(self, low, high, cost=0.0, whole=True):
        self.cost.append(cost), self.low.append(low), self.high.append(high), self.whole.append(int(whole))
        return len(self.cost) - 1

    def rule(self, terms, low, high):
        r = len(self.row_low)
        for column, value in terms:
            self.row.append(r), self.column.append(column), self.value.append(value)
        self.row_low.append(low), self.row_high.append(high)

    def solve(self, seconds):
        """("optimal", cost), ("none", inf) or ("stopped", bound)"""
        shape = (len(self.row_low), len(self.cost))
        matrix = csr_matrix((self.value, (self.row, self.column)), shape=shape)
        result = milp(self.cost, integrality=self.whole, bounds=Bounds(self.low, self.high),
                      constraints=LinearConstraint(matrix, self.row_low, self.row_high),
                      options={"time_limit": seconds, "mip_rel_gap": 0.0})
        if result.status == 0:
            return "optimal", result.fun
        if result.status == 2:
            return "none", math.inf
        bound = getattr(result, "mip_dual_bound", None)
        return "stopped", -math.inf if bound is None else bound


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


# --- degrees above a floor: AirPort -----------------------------------------------------------------------------------


def floor_of(net, k):
    """The largest degree up to which every degree occurs in k communities or not at all."""
    seen = {}
    for v in net.vertices:
        seen.setdefault(net.degree(v), set()).add(net.community[v])
    floor = -1
    while floor < max(seen) and len(seen.get(floor + 1, "x" * k)) >= k:
        floor += 1
    return floor


def above_floor(net, k, cutoff, floor, below, seconds):
    """Every release of at most `cutoff` edges has at least so many. Degrees above the floor must occur in k communities; in
    every community the largest `below` vertices under the floor are held one by one like those above it, and the others,
    its pool, may be raised too, all as cheaply as the largest of them."""
    m = Model()
    order = {c: sorted(vs, key=lambda v: -net.degree(v)) for c, vs in net.members.items()}
    held = {c: [v for i, v in enumerate(vs) if net.degree(v) > floor or
                i < sum(net.degree(w) > floor for w in vs) + below] for c, vs in order.items()}
    reach = {v: net.degree(v) + net.places(v) for v in net.vertices}
    top = max(reach.values())
    least = {(c, t): min((t - net.degree(v) for v in vs if net.degree(v) <= t <= reach[v]), default=math.inf)
             for c, vs in net.members.items() for t in range(floor + 1, top + 1)}
    opening = {t: sum(sorted(least[c, t] for c in net.members)[:k]) for t in range(floor + 1, top + 1)}
    open_ = {t for t in opening if opening[t] <= cutoff}
    has = {(c, t): m.add(0, 1) for c in net.members for t in open_ if least[c, t] <= cutoff}

    def affordable(c, v, t):
        return (c, t) in has and net.degree(v) <= t <= reach[v] and \
            opening[t] + max(0, t - net.degree(v) - least[c, t]) <= cutoff

    for c, vs in order.items():
        mine, pool = held[c], [v for v in vs if v not in held[c]]
        at = {(v, t): m.add(0, 1) for v in mine for t in sorted(open_) if affordable(c, v, t)}
        levels = {v: [t for t in sorted(open_) if (v, t) in at] for v in mine}
        edge = {}
        for u, v in itertools.combinations(mine, 2):
            if net.joinable(u, v):
                edge[u, v] = edge[v, u] = m.add(0, 1, 1)
        raised = m.add(0, len(pool), 0, False)
        into = {v: m.add(0, sum(net.joinable(v, p) for p in pool), 1, False) for v in mine}
        shared = []
        for v in mine:
            d = net.degree(v)
            stays = [] if d > floor else [m.add(0, 1)]
            m.rule([(at[v, t], 1) for t in levels[v]] + [(s, 1) for s in stays], 1, 1)
            for t in levels[v]:
                m.rule([(at[v, t], 1), (has[c, t], -1)], -np.inf, 0)
            # every edge of v belongs to one degree that v may end at: it has t - d of them there, one to each other
            parts = {u: [] for u in mine if (v, u) in edge}
            rest = []
            for t in [t for t in levels[v] if t > d]:
                here = []
                for u in parts:
                    x = m.add(0, 1, 0, False)
                    parts[u].append(x), here.append(x)
                    m.rule([(x, 1), (at[v, t], -1)], -np.inf, 0)
                x = m.add(0, max(0, t - d), 0, False)
                rest.append(x)
                m.rule([(y, 1) for y in here] + [(x, 1), (at[v, t], d - t)], 0, 0)
            for s in stays:  # it may take up to floor - d and still be below
                here = []
                for u in parts:
                    x = m.add(0, 1, 0, False)
                    parts[u].append(x), here.append(x)
                    m.rule([(x, 1), (s, -1)], -np.inf, 0)
                x = m.add(0, max(0, floor - d), 0, False)
                rest.append(x)
                m.rule([(y, 1) for y in here] + [(x, 1), (s, d - floor)], -np.inf, 0)
            for u in parts:
                m.rule([(x, 1) for x in parts[u]] + [(edge[v, u], -1)], 0, 0)
            m.rule([(x, 1) for x in rest] + [(into[v], -1)], 0, 0)
            x = m.add(0, len(pool), 0, False)
            shared.append(x)
            m.rule([(x, 1), (into[v], -1)], -np.inf, 0)
            m.rule([(x, 1), (raised, -1)], -np.inf, 0)
        pools = {t: m.add(0, len(pool)) for t in sorted(open_)
                 if pool and (c, t) in has and t <= max(reach[p] for p in pool) and
                 opening[t] + max(0, t - net.degree(pool[0]) - least[c, t]) <= cutoff}
        m.rule([(x, 1) for x in pools.values()] + [(raised, -1)], 0, 0)
        if pool:
            best = net.degree(pool[0])
            many = min(len(pool), 2 * cutoff // (floor + 1 - best))
            inner, outer = m.add(0, cutoff, 1, False), m.add(0, cutoff, 1, False)
            m.rule([(x, t - best) for t, x in pools.items()] + [(x, -1) for x in shared] + [(inner, -2), (outer, -1)], -np.inf, 0)
            m.rule([(inner, 2), (raised, -max(0, many - 1))], -np.inf, 0)
            for t, x in pools.items():
                m.rule([(x, 1), (has[c, t], -len(pool))], -np.inf, 0)
        for t in sorted(open_):
            if (c, t) in has:
                there = [(at[v, t], -1) for v in mine if (v, t) in at] + ([(pools[t], -1)] if t in pools else [])
                m.rule([(has[c, t], 1)] + there, -np.inf, 0)
                m.rule([(has[c, t], k - 1)] + [(has[b, t], -1) for b in net.members if b != c and (b, t) in has], -np.inf, 0)
    m.rule([(j, c) for j, c in enumerate(m.cost) if c], 0, cutoff)
    return m.solve(seconds), len(m.cost), len(m.row_low)


def floors(net, k):
    """Higher floors first: they leave more out, and are settled sooner. Every one of them gives a bound."""
    lowest, degrees = floor_of(net, k), sorted((net.degree(v) for v in net.vertices), reverse=True)
    return sorted({max(lowest, degrees[min(above, len(degrees) - 1)]) for above in (12, 20, 32, 50, 60, 70, 80, 100, 130, 500)}, reverse=True)


def airport(ksda, data, seconds, k):
    """With a solution as the relaxation's optimum more is not to be had at that floor; with time left the next one is taken."""
    edges, good = os.path.join(data, "usairport500.edges"), True
    with tempfile.TemporaryDirectory() as folder:
        for parts in ("metis8", "metis5"):
            communities = os.path.join(data, "usairport500.%s.communities" % parts)
            net = read_network(edges, communities)
            answer, published, mapping = ask_ksda(ksda, folder, edges, communities, k, False, 0, 600)
            counted = recount(net, published, mapping, k)
            begin = time.time()
            cost = counted[0] if counted else 0
            bound, steps = 0, []
            for floor in floors(net, k):
                left = seconds - (time.time() - begin)
                if left <= 1 or bound >= cost:
                    break
                (state, value), columns, rows = above_floor(net, k, cost - 1, floor, 2, left)
                good = good and (state == "none" or value <= cost + 1e-4)  # more than the cost would be a contradiction
                if value > -math.inf:
                    bound = max(bound, min(cost, math.ceil(value - 1e-4) if math.isfinite(value) else cost))
                steps.append("%d: %s %.1f, %d columns" % (floor, state, value, columns))
            print("AirPort, %s, k = %d: ksda %s, %s; recounted %s (edges, splits); HiGHS: at least %g in %.0f s (floors %s)" %
                  (parts, k, answer["status"], answer["objective"], counted, bound, time.time() - begin, "; ".join(steps)))
            sys.stdout.flush()
            good = good and counted is not None and counted[1] == 0 and answer["objective"] == cost
    return good


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    ksda, data, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 600.0
    wanted = sys.argv[4:] or ["small", "lesmis", "airport2", "airport3"]
    if not os.path.isdir(data):
        print("SKIPPED: the data networks are not here: only the small ones", file=sys.stderr)
        wanted = [p for p in wanted if p == "small"]
    parts = {"small": small, "lesmis": lesmis, "airport2": lambda *a: airport(*a, 2), "airport3": lambda *a: airport(*a, 3)}
    good = True
    for name in wanted:
        good = parts[name](ksda, data, seconds) and good
        sys.stdout.flush()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
