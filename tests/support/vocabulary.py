#!/usr/bin/env python3
"""What a network promises in the words of those who publish tables, by the definitions and without the library.

vocabulary.py LINES LEAST             the lines of unit_test_vocabulary: so many networks, and what the library tells of them
vocabulary.py EDGES COMMUNITIES JSON  plain files, and what `ksda check --json` tells of them
vocabulary.py sets KSDA NETWORKS      so many random networks of people in several communities, asked with `KSDA check --overlap disjoint`

Where people are in several communities, the set is the value: two people are alike where their sets are equal."""
import json
import math
import random
import subprocess
import sys
from collections import Counter, defaultdict
from fractions import Fraction

UNKNOWN = "-"


def share(part, whole):
    return Fraction(part, whole)


def entropy_l(here, everybody, l):
    total = sum(here.values())
    return 2 ** -sum(n / total * math.log2(n / total) for n in here.values())


def recursive_c(here, everybody, l):
    sizes = sorted(here.values(), reverse=True)
    tail = sum(sizes[l - 1:])
    return sizes[0] / tail if tail else math.inf


def t_closeness(here, everybody, l):
    a, b = sum(here.values()), sum(everybody.values())
    return float(sum(abs(share(here[c], a) - share(everybody[c], b)) for c in everybody) / 2)


def beta_likeness(here, everybody, l):
    a, b = sum(here.values()), sum(everybody.values())
    gains = [(share(here[c], a) - share(everybody[c], b)) / share(everybody[c], b) for c in everybody]
    return float(max(0, *gains)) if len(gains) > 1 else float(max(0, gains[0]))


def delta_disclosure(here, everybody, l, occurring=False):
    a, b, worst = sum(here.values()), sum(everybody.values()), 0
    for c in everybody:
        if here[c] or not occurring:
            ratio = share(here[c], a) / share(everybody[c], b)
            worst = max(worst, abs(math.log2(ratio)) if ratio else math.inf)
    return worst


def delta_occurring(here, everybody, l):
    return delta_disclosure(here, everybody, l, True)


SENSITIVE = {
    "entropy_l": (entropy_l, min),
    "recursive_c": (recursive_c, max),
    "t_closeness": (t_closeness, max),
    "beta_likeness": (beta_likeness, max),
    "delta_disclosure": (delta_disclosure, max),
    "delta_occurring": (delta_occurring, max),
}


def tell(people, k):
    """name -> (value, values by degree) for people as (degree, community)."""
    l, classes, everybody = max(k, 2), defaultdict(Counter), Counter()
    for degree, community in people:
        classes[degree][community] += 1
        everybody[community] += 1
    everybody.pop(UNKNOWN, None)
    told = {}
    for name, (function, worst) in SENSITIVE.items():
        at = {}
        for degree, here in classes.items():
            known = Counter({c: n for c, n in here.items() if c != UNKNOWN})
            if known:
                at[degree] = function(known, everybody, l)
        told[name] = (worst(at.values()) if at else math.nan, at)
    sizes = {degree: sum(here.values()) for degree, here in classes.items()}
    risks = {degree: 1 / size for degree, size in sizes.items()}
    told["degree_anonymity"] = (min(sizes.values()), sizes)
    told["prosecutor_risk"] = told["journalist_risk"] = (max(risks.values()), risks)
    # everybody is matched with one of the same degree, at random
    told["marketer_risk"] = (sum(risks[degree] for degree, _ in people) / len(people), None)
    return told


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))


def compare(where, people, k, found):
    """found: name -> (value, degree or None)"""
    told = tell(people, k)
    if set(told) != set(found):
        sys.exit(f"{where}: the notions are {sorted(found)}, not {sorted(told)}")
    for name, (value, at) in told.items():
        got, degree = found[name]
        if not same(value, got):
            sys.exit(f"{where}: {name} is {value}, not {got}")
        if at and (degree not in at or not same(at[degree], value)):
            sys.exit(f"{where}: {name} is not decided by degree {degree}")
        if not at and degree is not None:
            sys.exit(f"{where}: {name} is decided by no degree, not by {degree}")


def lines(path, least):
    count = 0
    for count, line in enumerate(open(path, encoding="utf-8"), 1):
        left, right = line.split("=")
        k, *people = left.split()
        people = [(int(d), c) for d, c in (p.split(":") for p in people)]
        found = {}
        for word in right.split():
            name, value, degree = word.split(":")
            found[name] = (float(value), None if degree == "-1" else int(degree))
        compare(f"line {count}", people, int(k), found)
    if count < least:
        sys.exit(f"only {count} networks")
    print(count)


def network(edges_path, communities_path, json_path):
    ends = set()
    with open(edges_path, encoding="utf-8") as file:
        for line in file:
            if line[0] not in "#%" and line.strip():
                u, v = line.split()[:2]
                if u != v:
                    ends.add((min(u, v), max(u, v)))
    degree = Counter(end for edge in ends for end in edge)
    sets = defaultdict(set)
    with open(communities_path, encoding="utf-8") as file:
        for line in file:
            if line[0] not in "#%" and line.strip():
                sets[line.split()[0]].add(line.split()[1])
    people = [(degree[v], "+".join(sorted(sets[v])) or UNKNOWN) for v in degree | dict.fromkeys(sets, 0)]
    with open(json_path, encoding="utf-8") as file:
        report = json.load(file)
    found = report["vocabulary"]
    if found.pop("l") != max(report["k"] or 1, 2):
        sys.exit("another l")
    for name, term in found.items():
        value = term["value"]
        if value is None:
            value = math.inf if term["degree"] is not None else math.nan
        found[name] = (value, term["degree"])
    compare(edges_path, people, report["k"] or 1, found)


def random_sets(command, networks):
    for seed in range(networks):
        random.seed(seed)
        n, labels = random.randint(3, 16), "abcdef"[: random.randint(2, 6)]
        edges = {(v, random.randrange(v)) for v in range(1, n)} | {(v, random.randrange(v)) for v in random.choices(range(1, n), k=n)}
        with open("sets.edges", "w", encoding="utf-8") as file:
            file.writelines("%d %d\n" % edge for edge in edges)
        with open("sets.communities", "w", encoding="utf-8") as file:
            file.writelines("%d %s\n" % (v, c) for v in range(n) if v < 2 or random.random() < 0.9
                            for c in random.sample(labels, random.randint(1 + (v == 0), 2)))  # fmt: skip
        k = random.randint(1, 3)
        done = subprocess.run([command, "check", "sets.edges", "-c", "sets.communities", "--overlap", "disjoint", "--unassigned",
                               "together", "--json"] + (["-k", str(k)] if k < 3 else []), capture_output=True, text=True)  # fmt: skip
        if done.returncode not in (0, 4):
            sys.exit(f"network {seed}: {done.stderr}")
        with open("sets.json", "w", encoding="utf-8") as file:
            file.write(done.stdout)
        network("sets.edges", "sets.communities", "sets.json")


if __name__ == "__main__":
    if sys.argv[1] == "sets":
        random_sets(sys.argv[2], int(sys.argv[3]))
    elif len(sys.argv) == 3:
        lines(sys.argv[1], int(sys.argv[2]))
    else:
        network(*sys.argv[1:])
