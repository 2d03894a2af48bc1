"""Before a release: which k, and who is exposed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ._library import InvalidError
from .graph import as_communities, as_graph
from .release import as_frame, check, sweep

#: A share of the network that is not worth saving.
_LITTLE = 0.01


class Advice:
    """What each k costs and buys: ``points``, a table with a row for each k; ``k``, the one that is advised (None where
    there is no release)."""

    def __init__(self, points, k):
        self.points, self.k = points, k

    def __repr__(self):
        return "Advice(k=%r)\n%r" % (self.k, self.points)


def _usual_ks(communities):
    most, ks, k = max(communities // 2, min(communities, 5)), [], 2
    while k <= most and len(ks) < 16:
        ks.append(k)
        k += 1 if k < 5 else (k + 3) // 4
    return ks


def _knee(points):
    """The k whose price lies farthest below the line from the first to the last: as ``ksda advise`` has it."""
    (first, low), (last, high) = points[0], points[-1]
    if high <= _LITTLE or last == first:
        return last
    below = [(k - first) / (last - first) - ((price - low) / (high - low) if high > low else 0) for k, price in points]
    best = int(np.argmax(below))
    return points[best][0] if below[best] > 0 else first


def _take(rows):
    """A release for a larger k keeps a smaller one as well: where it is cheaper it stands in both rows."""
    best = None
    for i in range(len(rows) - 1, -1, -1):
        row = rows[i]
        if best and (not row["found"] or best["cost"] < row["cost"]):
            own = {"k": row["k"], "lower_bound": row.get("lower_bound", np.nan), "taken_from": best["k"]}
            rows[i] = {**best, **own}
        elif row["found"]:
            best = row
    return rows


def advise(graph, communities=None, ks: Iterable[int] | None = None, *, measures: Iterable[str] = ("clustering", "aspl"), unassigned: str = "refuse", seed: int = 1, threads: int = 0,
           time_limit: float | None = None, split_weight: float | None = None) -> Advice:  # fmt: skip
    """Which k? A release for each, verified and thrown away: what it adds, what a guess by degree then learns, what
    becomes of the measures, and the k where the price begins to rise faster than the protection. ``ks``: 2 to half of
    the communities, in growing steps, unless given. ``time_limit`` is for each k. Where the release for a larger k is
    cheaper, which keeps the smaller k as well, it is in both rows, and ``taken_from`` tells its k.

    >>> advise([(0, 1), (1, 2), (3, 4), (4, 5), (5, 3)], [0, 0, 0, 1, 1, 1], measures=()).k
    2
    """
    graph = as_graph(graph)
    communities = as_communities(graph, communities, unassigned, seed)
    ks = _usual_ks(communities.counted) if ks is None else sorted(set(ks))
    if not ks:
        raise InvalidError("there is nothing to choose: the network has one community, and k can only be 1")
    table = sweep(
        graph, communities, ks, measures=measures, seed=seed, threads=threads, time_limit=time_limit,
        split_weight=split_weight,
    )  # fmt: skip
    rows = _take(table if isinstance(table, list) else table.to_dict("records"))
    for row in rows:
        if row["found"]:
            row["price"] = row["added_edges"] / max(graph.edges, 1) + row["added_vertices"] / max(graph.vertices, 1)
    found = [(row["k"], row["price"]) for row in rows if row["found"]]
    return Advice(as_frame(rows), _knee(found) if found else None)


def people(graph, communities=None, k: int = 2, *, unassigned: str = "refuse", seed: int = 1):
    """Who is exposed: a table with a line for each person, the most exposed first, as ``ksda check --list`` writes it:
    ``person``, ``community``, ``degree``, ``people_with_degree``, ``communities_with_degree``, ``exposed`` (fewer than k
    communities have the degree), ``guess_is_right`` (how often the likeliest community is) and ``own_community_share``.
    Keep it private."""
    graph = as_graph(graph)
    communities = as_communities(graph, communities, unassigned, seed)
    check(graph, communities, k)  # refuses a k that makes no sense
    if communities.overlap:
        raise InvalidError("people in several communities are not listed; ask check()")
    degrees, number = np.asarray(graph.degrees), np.asarray(communities.numbers)
    cells, cell, size = np.unique(degrees.astype(np.int64) * communities.count + number, return_inverse=True, return_counts=True)
    degree, largest, known = cells // communities.count, np.zeros(degrees.max(initial=0) + 1), np.bincount(degrees) * 0
    np.maximum.at(largest, degree, size)
    np.add.at(known, degree, cells % communities.count < communities.counted)
    total, alike = np.bincount(degrees), size[cell.reshape(-1)]
    surest = largest / np.maximum(total, 1)
    order = np.lexsort((number, -degrees.astype(np.int64), -surest[degrees], known[degrees]))
    names, labels = graph.names, communities.labels
    return as_frame([
        {
            "person": names[v], "community": labels[v], "degree": int(degrees[v]), "people_with_degree": int(total[degrees[v]]),
            "communities_with_degree": int(known[degrees[v]]), "exposed": bool(known[degrees[v]] < k),
            "guess_is_right": float(surest[degrees[v]]), "own_community_share": float(alike[v] / total[degrees[v]]),
        }
        for v in order
    ])  # fmt: skip
