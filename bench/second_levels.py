"""Adding Edge above a floor of degrees: a lower bound for what every release costs, by linear programs and branching.

A relaxation whose cost no release is below. Of a release only this is kept: who ends at a degree t above the floor (its
level; a vertex of degree d has the need t - d), the new edges between two such vertices of a community, and for each
of them the number of its other new edges, at 1 each. Whatever stays at or below the floor is free. Every level is used
by k communities. The low vertices of a community, those at or below the floor without the largest `below`, are
replaced: for each level there is one vertex with the largest of their degrees that can be joined to everybody; more
than one vertex that is raised only to be at a level is never needed there.

Among the cheapest solutions let one have the least sum of needs. A smaller need never costs more: drop one of the
other edges, or let an edge to w become one of w's others. Hence
  1. every level is the degree of a vertex that is at it, or all needs there could shrink by one: only degrees that
     occur are levels, and the largest is one;
  2. everybody is at the lowest level not below its degree, or stays at or below the floor, unless the community needs
     the vertex at a higher level.
  3. Let u and v be of one community, d(u) >= d(v), and let at most d(u) - d(v) of those who can be joined to v, u
     aside, not be joinable to u. If u ends at a and v at b > a, at most d(u) - d(v) + (a - d(u)) edges of v cannot be
     handed over to u. That leaves b - a: u and v change places at the same cost, and no need has to grow for it. Each change
     puts the higher level first in the order of degrees, so this ends: u is never below v.
Relaxed further, one community (the crowd, with most vertices above the floor) passes for being at every level that
k - 1 others use. Then all its vertices are where 2 says, and the steps from level to level tell where.
"""
import itertools
import math
import time

import numpy as np

from second_solver import Model


class Upper:
    """The relaxation above a floor as columns and rows of a model."""

    def __init__(self, net, k, floor, below):
        self.net, self.floor, self.model, self.degree, self.reach, self.ends = net, floor, Model(), {}, {}, []
        order = {c: sorted(vs, key=lambda v: -net.degree(v)) for c, vs in net.members.items()}
        above = {c: sum(net.degree(v) > floor for v in vs) for c, vs in order.items()}
        crowd = max(above, key=above.get)
        self.levels = sorted({net.degree(v) for v in net.vertices if net.degree(v) > floor})
        self.open = {t: self.model.add(int(t == self.levels[-1]), 1) for t in self.levels}
        self.next_levels()
        use = {t: [] for t in self.levels}
        for c, vs in order.items():
            held = vs[:above[c] + (0 if c == crowd else below)]
            for v in held:
                self.degree[v], self.reach[v] = net.degree(v), net.degree(v) + net.places(v)
            if c == crowd:
                at = {v: {t: self.step_over(v, t) for t in self.levels if t >= self.degree[v]} for v in held}
            else:
                held += self.stand_ins(c, vs[len(held):])
                at = self.choices(held)
                self.in_order(held, at)
                self.uses(held, at, use)
            self.edges(held, at)
        for t in self.levels:
            self.model.rule([(x, 1) for x in use[t]] + [(self.open[t], 1 - k)], 0, np.inf)

    def next_levels(self):
        """step[a, b]: b is the next level above a. A path from the floor to the largest degree."""
        m, steps = self.model, [self.floor] + self.levels
        self.step = {(a, b): m.add(0, 1, 0, False) for a, b in itertools.combinations(steps, 2)}
        m.rule([(self.step[self.floor, b], 1) for b in self.levels], 1, 1)
        for t in self.levels:
            m.rule([(self.step[a, t], 1) for a in steps if a < t] + [(self.open[t], -1)], 0, 0)
            if t != self.levels[-1]:
                m.rule([(self.step[t, b], 1) for b in steps if b > t] + [(self.open[t], -1)], 0, 0)

    def step_over(self, v, t):
        """The columns that add up to 1 where t is the lowest level that is not below v's degree."""
        return [self.step[a, t] for a in [self.floor] + self.levels if a < self.degree[v]]

    def stand_ins(self, c, rest):
        """For each level one vertex in place of all the low ones."""
        if not rest:
            return []
        reach = max(self.net.degree(v) + self.net.places(v) for v in rest)
        made = [("any", c, t) for t in self.levels if t <= reach]
        for v in made:
            self.degree[v], self.reach[v] = self.net.degree(rest[0]), v[2]
        return made

    def joinable(self, u, v):
        return isinstance(u, tuple) or isinstance(v, tuple) or self.net.joinable(u, v)

    def choices(self, held):
        """at[v][t]: v is at level t; whoever is above the floor is at one."""
        at = {}
        for v in held:
            reachable = [t for t in self.levels if self.degree[v] <= t <= self.reach[v]]
            levels = [v[2]] if isinstance(v, tuple) else reachable
            at[v] = {t: [self.model.add(0, 1)] for t in levels}
            self.model.rule([(x, 1) for [x] in at[v].values()], int(self.degree[v] > self.floor), 1)
            for t, [x] in at[v].items():
                self.model.rule([(x, 1), (self.open[t], -1)], -np.inf, 0)
        return at

    def in_order(self, held, at):
        """Fact 3."""
        for u, v in itertools.combinations(held, 2):
            lost = sum(w not in (u, v) and self.joinable(v, w) and not self.joinable(u, w) for w in held)
            if isinstance(u, tuple) or lost > self.degree[u] - self.degree[v] or self.reach[u] < self.reach[v]:
                continue
            for level in at[v]:
                ahead = [(x, -1) for t, [x] in at[u].items() if t >= level]
                self.model.rule([(x, 1) for t, [x] in at[v].items() if t >= level] + ahead, -np.inf, 0)

    def uses(self, held, at, use):
        for t in self.levels:
            there = [(at[v][t][0], -1) for v in held if t in at[v]]
            if there:
                use[t].append(self.model.add(0, 1))
                self.model.rule([(use[t][-1], 1), (self.open[t], -1)], -np.inf, 0)
                self.model.rule([(use[t][-1], 1)] + there, -np.inf, 0)

    def edges(self, held, at):
        """Edges between two of them, at most one for each pair, and others make up the needs."""
        pairs = [pair for pair in itertools.combinations(held, 2) if self.joinable(*pair)]
        edge = {pair: self.model.add(0, 1, 1, False) for pair in pairs}
        for v in held:
            mine = [x for pair, x in edge.items() if v in pair]
            needs = {t - self.degree[v]: columns for t, columns in at[v].items()}
            others = self.model.add(0, max(needs, default=0), 1, False)
            need = [(x, -b) for b, columns in needs.items() for x in columns]
            self.model.rule([(x, 1) for x in mine] + [(others, 1)] + need, 0, 0)
            self.ends.append((mine, needs))

    def whole(self, x):
        return all(abs(v - round(v)) < 1e-6 for v, whole in zip(x, self.model.whole) if whole)

    def undecided(self, x):
        """The column to branch on: a level if any is undecided, else who is there; the one nearest to a half."""
        free = [j for j, whole in enumerate(self.model.whole) if whole and self.model.low[j] < self.model.high[j]]
        levels = [j for j in free if j in self.open.values() and 1e-6 < x[j] < 1 - 1e-6]
        return min(levels or free, key=lambda j: abs(x[j] - 0.5))

    def cuts(self, x):
        """Rows that x breaks: to any set W of others a vertex of need b has at most min(|W|, b) edges. The worst W are
        found by sorting."""
        found = []
        for mine, needs in self.ends:
            share = {b: sum(x[j] for j in columns) for b, columns in needs.items()}
            most, broken, total = sorted(mine, key=lambda j: -x[j]), [], 0.0
            for size, j in enumerate(most, 1):
                total += x[j]
                broken.append((total - sum(min(size, b) * w for b, w in share.items()), size))
            for excess, size in sorted(broken, reverse=True)[:2]:
                if excess > 1e-3:
                    limit = [(j, -min(size, b)) for b, columns in needs.items() if b for j in columns]
                    found.append([(j, 1) for j in most[:size]] + limit)
        return found


def settle(upper, first, cutoff, end, least):
    """One case: linear programs with ever more cuts, until its bound is above the cutoff ("none") or no longer rises by
    `least`."""
    m, bound, still = upper.model, -math.inf, 0
    while True:
        state, value, x, reduced = m.relaxed(max(1.0, end - time.time()))
        if state == "none" and m.impossible(max(1.0, end - time.time())) or state == "optimal" and value > cutoff:
            return "none", math.inf, None
        if state != "optimal" or time.time() >= end:
            return "stopped", bound, None
        still = 0 if value > bound + least else still + 1
        bound = max(bound, value)
        m.exclude(reduced, cutoff - value)
        m.drop_slack(first, x, 0.3)
        new = upper.cuts(x)
        for terms in new:
            m.rule(terms, -np.inf, 0)
        if not new or still >= 3 and not upper.whole(x):
            return "found" if upper.whole(x) else "open", bound, x


def above_floor(net, k, cutoff, floor, below, seconds):
    """("none", inf): the relaxation has no solution of at most `cutoff` edges; ("found", cost): it has this one;
    ("stopped", bound). Branch and bound: cases are closed by linear programs, whose bounds are computed here."""
    if all(net.degree(v) <= floor for v in net.vertices):
        return "found", 0.0
    upper, end, bound, cases = Upper(net, k, floor, below), time.time() + seconds, None, []
    m = upper.model
    first, cases = len(m.row_low), [(list(m.low), list(m.high))]
    while cases:
        m.low, m.high = cases.pop()
        state, value, x = settle(upper, first, cutoff, end, 0.03 if bound is None else 0.1)
        bound = value if bound is None else bound
        if state in ("found", "stopped"):
            return state, value if state == "found" else bound
        if state == "open":
            j = upper.undecided(x)
            for fixed in (1 - round(x[j]), round(x[j])):  # the likelier one comes first
                low, high = list(m.low), list(m.high)
                low[j] = high[j] = fixed
                cases.append((low, high))
    return "none", math.inf
