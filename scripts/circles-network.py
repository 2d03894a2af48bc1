#!/usr/bin/env python3
"""A generated network with circles of friends, which `ksda generate planted` has none of: overlapping cliques, as people who write papers together.

    scripts/circles-network.py VERTICES CIRCLES COMMUNITIES MIXING SEED OUT

writes OUT.edges and OUT.communities. Sizes of communities fall as a power law. Everybody has an activity, Pareto with exponent 1.5; a circle of 2 to
8 people (3 is the most frequent size) begins with somebody, drawn by activity, and the others are, with probability 0.6, somebody whom one of the circle has met in
an earlier one, or else drawn by activity from the same community, or with probability MIXING from anywhere. All people of a circle know each other; who is in no circle is joined to somebody of the community."""
import bisect
import itertools
import random
import sys

SIZES, FREQUENT = (2, 3, 4, 5, 6, 7, 8), (5, 8, 6, 4, 2, 1, 1)
AGAIN = 0.6  # of the others of a circle have met one of it before


class Drawn:
    """People, drawn by activity."""

    def __init__(self, people, activity):
        self.people, self.sums = people, list(itertools.accumulate(activity[v] for v in people))

    def one(self, draw):
        return self.people[bisect.bisect(self.sums, draw.random() * self.sums[-1])]


def network(vertices, circles, communities, mixing, seed):
    """Edges, and the community of each vertex."""
    draw = random.Random(seed)
    weight = [(i + 3) ** -0.7 for i in range(communities)]
    home = list(range(communities)) * 8 + draw.choices(range(communities), weight, k=vertices - 8 * communities)
    activity = [draw.paretovariate(1.5) for _ in home]
    everybody = Drawn(range(vertices), activity)
    of = [Drawn([v for v in range(vertices) if home[v] == c], activity) for c in range(communities)]
    met = [[] for _ in home]
    edges = set()
    for _ in range(circles):
        first = everybody.one(draw)
        circle, known = {first}, [first]
        for _ in range(draw.choices(SIZES, FREQUENT)[0] - 1):
            friends = met[draw.choice(known)]
            if friends and draw.random() < AGAIN:
                other = draw.choice(friends)
            else:
                other = (everybody if draw.random() < mixing else of[home[first]]).one(draw)
            if other not in circle:
                circle.add(other)
                known.append(other)
        for a, b in itertools.combinations(known, 2):
            edges.add((min(a, b), max(a, b)))
            met[a].append(b)
            met[b].append(a)
    for v in range(vertices):
        while not met[v]:
            other = of[home[v]].one(draw)
            if other != v:
                edges.add((min(v, other), max(v, other)))
                met[v].append(other)
    return sorted(edges), home


def main():
    vertices, circles, communities, mixing, seed, out = sys.argv[1:]
    edges, home = network(int(vertices), int(circles), int(communities), float(mixing), int(seed))
    with open(out + ".edges", "w") as file:
        file.writelines(f"{a} {b}\n" for a, b in edges)
    with open(out + ".communities", "w") as file:
        file.writelines(f"{v} {c}\n" for v, c in enumerate(home))


if __name__ == "__main__":
    main()
