import random

import pytest


@pytest.fixture
def network():
    """Pairs and labels of a random network of three communities, the same for every run."""
    draw = random.Random(7)
    label = [v % 3 for v in range(60)]
    pairs = set()
    while len(pairs) < 150:
        u, v = draw.randrange(60), draw.randrange(60)
        if u != v and (label[u] == label[v] or draw.random() < 0.3):
            pairs.add((min(u, v), max(u, v)))
    for v in range(60):
        pairs.add((min(v, (v + 3) % 60), max(v, (v + 3) % 60)))
    return sorted(pairs), label
