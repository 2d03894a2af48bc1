"""Before a release: which k, and who is exposed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from ctypes import byref

import numpy as np

from . import _declarations as d
from ._library import Context, InvalidError, lib, sized, take_text
from .graph import as_communities, as_graph
from .release import Share, as_frame, check, share_fraction, sweep

#: A share of the network that is not worth saving.
_LITTLE = 0.01


class Advice:
    """What each k, or share bound, costs and buys: ``points``, a table with a row for each; ``k``, the one that is advised
    (None where there is no release), and ``max_share``, the bound that is (None where k was chosen)."""

    def __init__(self, points, k, max_share=None):
        self.points, self.k, self.max_share = points, k, max_share

    def __repr__(self):
        chosen = "k=%r" % self.k if self.max_share is None else "k=%r, max_share=%s" % (self.k, self.max_share)
        return "Advice(%s)\n%r" % (chosen, self.points)


def _usual_ks(communities):
    most, ks, k = max(communities // 2, min(communities, 5)), [], 2
    while k <= most and len(ks) < 16:
        ks.append(k)
        k += 1 if k < 5 else (k + 3) // 4
    return ks


def _knee(points):
    """The k, or the inverse of the share, whose price lies farthest below the line from the first to the last: as ``ksda advise`` has it."""
    (first, low), (last, high) = points[0], points[-1]
    if high <= _LITTLE or last == first:
        return last
    below = [(k - first) / (last - first) - ((price - low) / (high - low) if high > low else 0) for k, price in points]
    best = int(np.argmax(below))
    return points[best][0] if below[best] > 0 else first


def _take(rows):
    """A release for a larger k, or a smaller share, keeps a smaller k, or a larger share, as well: where it is cheaper it
    stands in both rows."""
    best = None
    for i in range(len(rows) - 1, -1, -1):
        row = rows[i]
        if best and (not row["found"] or best["cost"] < row["cost"]):
            own = {"k": row["k"], "lower_bound": row.get("lower_bound", np.nan), "taken_from": best.get("max_share", best["k"])}
            if "max_share" in row:
                own["max_share"] = row["max_share"]
            rows[i] = {**best, **own}
        elif row["found"]:
            best = row
    return rows


def advise(graph, communities=None, ks: Iterable[int] | None = None, *, measures: Iterable[str] = ("clustering", "aspl"), unassigned: str = "refuse", seed: int = 1, threads: int = 0,
           time_limit: float | None = None, split_weight: float | None = None, max_shares: Iterable[Share] | None = None) -> Advice:  # fmt: skip
    """Which k? A release for each, verified and thrown away: what it adds, what a guess by degree then learns, what
    becomes of the measures, and the k where the price begins to rise faster than the protection. ``ks``: 2 to 5,
    then in growing steps to half of the communities, unless given. ``time_limit`` is for each k. Where the release for a larger k is
    cheaper, which keeps the smaller k as well, it is in both rows, and ``taken_from`` tells its k.

    With ``max_shares``, which share bound? The same at one k (2 unless ``ks`` names one), with a row for each bound.

    >>> advise([(0, 1), (1, 2), (3, 4), (4, 5), (5, 3)], [0, 0, 0, 1, 1, 1], measures=()).k
    2
    """
    graph = as_graph(graph)
    communities = as_communities(graph, communities, unassigned, seed)
    settings = dict(
        measures=measures, seed=seed, threads=threads, time_limit=time_limit, split_weight=split_weight
    )  # fmt: skip
    if max_shares is None:
        ks = _usual_ks(communities.counted) if ks is None else sorted(set(ks))
        if not ks:
            raise InvalidError("there is nothing to choose: the network has one community, and k can only be 1")
        rows = _rows(sweep(graph, communities, ks, **settings))
    else:
        rows = _share_rows(graph, communities, [2] if ks is None else list(ks), max_shares, settings)
    rows = _take(rows)
    for row in rows:
        if row["found"]:
            row["price"] = row["added_edges"] / max(graph.edges, 1) + row["added_vertices"] / max(graph.vertices, 1)
    found = [row for row in rows if row["found"]]
    place = [1 / row["max_share"] if max_shares is not None else row["k"] for row in found]
    knee = _knee(list(zip(place, [row["price"] for row in found]))) if found else None
    chosen = found[place.index(knee)] if found else {}
    return Advice(as_frame(rows), chosen.get("k"), chosen.get("max_share"))


def _rows(table):
    return table if isinstance(table, list) else table.to_dict("records")


def _share_rows(graph, communities, ks, max_shares, settings):
    if len(ks) != 1:
        raise InvalidError("share bounds are compared at one k, not at %d" % len(ks))
    bounds = sorted({share_fraction(share, ks[0]) for share in max_shares}, reverse=True)
    if not bounds:
        raise InvalidError("there is nothing to choose: max_shares is empty")
    rows = []
    for bound in bounds:
        rows += [{**row, "max_share": bound} for row in _rows(sweep(graph, communities, ks, max_share=bound, **settings))]
    return rows


def _people_with_sets(graph, communities, k, seed):
    """The same where people have several communities: the library's list, with the names as they were given."""
    found, context = sized(d.ksda_diversity), Context(seed=seed)
    context.run(lib.ksda_diversity_check, graph, communities, k, byref(found))
    try:
        text = take_text(context, lib.ksda_report_people, graph, communities, byref(found))
    finally:
        lib.ksda_diversity_clear(context.handle, byref(found))
    names = graph.names
    number = {str(name): v for v, name in enumerate(names)}
    return [
        {
            "person": names[v], "community": line["community"], "degree": int(line["degree"]),
            "people_with_degree": int(line["people_with_degree"]),
            "communities_with_degree": int(line["communities_with_degree"]), "exposed": line["exposed"] == "yes",
            "guess_is_right": float(line["guess_is_right"]), "own_community_share": float(line["own_community_share"]),
        }
        for line in csv.DictReader(io.StringIO(text, newline=""))
        for v in [number[line["person"]]]
    ]  # fmt: skip


def people(graph, communities=None, k: int = 2, *, unassigned: str = "refuse", seed: int = 1):
    """Who is exposed: a table with a line for each person, the most exposed first, as ``ksda check --list`` writes it:
    ``person``, ``community``, ``degree``, ``people_with_degree``, ``communities_with_degree``, ``exposed`` (fewer than k
    communities have the degree), ``guess_is_right`` (how often the likeliest community is) and ``own_community_share``.
    Where people have several, ``community`` names all (``a+b``), ``communities_with_degree`` counts witnesses, and the share is of
    those with the same ones. Keep it private."""
    graph = as_graph(graph)
    communities = as_communities(graph, communities, unassigned, seed)
    check(graph, communities, k)  # refuses a k that makes no sense
    if communities.overlap:
        return as_frame(_people_with_sets(graph, communities, k, seed))
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
