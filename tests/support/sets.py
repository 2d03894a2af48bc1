"""sets.py KSDA NETWORKS: what compare, sweep and the HTML report tell of people in several communities, recounted by the definitions
on so many small random networks. Plain Python, nothing of the library; KSDA is the command."""
import html
import json
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict


def run(*arguments):
    done = subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout


def disjoint(sets):
    """How many can be chosen so that no two have anything in common, by trying all."""
    best = 0
    for i, one in enumerate(sets):
        best = max(best, 1 + disjoint([other for other in sets[i + 1:] if not other & one]))
    return best


def groups(edges, sets):
    """degree -> the sets of those who have it"""
    degree, found = Counter(end for edge in edges for end in edge), defaultdict(list)
    for person, has in sets.items():
        found[degree[person]].append(has)
    return found


def witnesses(group):
    return disjoint([set(one) for one in {frozenset(has) for has in group}])


def largest_share(group):
    return max(Counter(c for has in group for c in has).values()) / len(group)


def pairs(path):
    return [tuple(line.split()) for line in open(path) if line.strip() and line[0] not in "#%"]


def make(seed):
    random.seed(seed)
    people, labels = 12, "abcde"
    sets = {str(v): set(random.sample(labels, random.choice((1, 1, 2, 3)))) for v in range(people)}
    sets["0"], sets["1"] = {"a", "b"}, {"c"}  # somebody has two, and two are disjoint
    edges = {(str(v), str(random.randrange(v))) for v in range(1, people)}
    edges |= {(str(v), str(random.randrange(v))) for v in random.sample(range(1, people), 8)}
    with open("g.edges", "w") as file:
        file.writelines("%s %s\n" % edge for edge in sorted(edges))
    with open("g.sets", "w") as file:
        file.writelines("%s %s\n" % (v, c) for v in sets for c in sorted(sets[v]))
    return edges, sets


def check_measures(told, edges, sets, k):
    at = {degree: witnesses(group) for degree, group in groups(edges, sets).items()}
    violating = sum(len(group) for degree, group in groups(edges, sets).items() if at[degree] < k)
    assert told["violating_vertices"] == violating and told["largest_k"] == min(at.values()), (told, at)
    assert told["communities"] == len(set().union(*sets.values())) and told["overlap"] == "disjoint", told
    assert told["modularity"] is None, told


def check_compare(edges, sets, published, owner, k):
    code, text = run("compare", "g.edges", "p.edges", "--map", "p.map", "-c", "g.sets", "--overlap", "disjoint", "-k", str(k),
                     "--redetect", "leiden", "--attackers", "--json")  # fmt: skip
    told = json.loads(text)
    after = {piece: sets[owner[piece]] for piece in owner}
    check_measures(told["original"], edges, sets, k)
    check_measures(told["published"], published, after, k)
    assert code == 0 and told["given_accuracy"] is told["given_nmi"] is told["given_ari"] is None, text
    assert told["detection_nmi"] is not None and told["attackers"]["release"]["degree"]["exposed"] == 0, text
    found = groups(published, after)
    surest = told["attackers"]["release"]["degree"]["surest"]
    assert abs(surest - max(largest_share(group) for group in found.values())) < 1e-9, text


def check_page(edges, sets, published, owner, k):
    page = open("p.html").read()
    found = groups(published, {piece: sets[owner[piece]] for piece in owner})
    table = page[page.index("Groups of people with the same degree"):]
    rows = re.findall(r'<th scope="row">(\d+)</th><td>(\d+)</td><td>(\d+)[^<]*</td><td>(\d+) %</td>', table)
    expected = {(d, len(g), witnesses(g), round(100 * largest_share(g))) for d, g in found.items()}
    near = {(int(d), int(n), int(w)): int(s) for d, n, w, s in rows}
    assert set(near) == {row[:3] for row in expected}, (rows, expected)
    assert all(abs(near[row[:3]] - row[3]) <= 1 for row in expected), (rows, expected)
    # the heat maps: how many of a community have a degree, everybody in each of their communities
    for name, who in (("before", groups(edges, sets)), ("after", found)):
        cells = page[page.index('id="heat-%s"' % name):]
        cells = re.findall(r"<title>degree (\d+), community (\w+): (\d+)</title>", cells[: cells.index("</figure>")])
        counted = Counter((d, c) for d, group in who.items() for has in group for c in has)
        assert {(int(d), c): int(n) for d, c, n in cells} == dict(counted), (name, cells, counted)
    assert "Each of the %d degrees that occur, has at least" % len(found) in page or "The one degree that occurs, has" in page
    words = html.unescape(page)
    for sentence in ("pairwise disjoint sets", "between people who have a community in common", "not defined where people are in several"):
        assert sentence in words, sentence
    assert "occurs in at least" not in words and "must occur in" not in words


def check_sweep(edges, sets):
    code, text = run("sweep", "g.edges", "-c", "g.sets", "--overlap", "disjoint", "-k", "2", "--csv", "s.csv", "--report", "s.html",
                     "--attackers", "--json")  # fmt: skip
    told = json.loads(text)
    check_measures({**told["original"], "violating_vertices": 0}, edges, sets, 0)
    assert code == 0 and told["overlap"] == "disjoint" and told["communities"] == len(set().union(*sets.values())), text
    outcome = {point["method"]: point for point in told["points"]}
    for method, point in outcome.items():
        knows = method in ("level-plan", "edge-connect", "flex-split")
        assert (point["outcome"] == "refused") == (not knows), point
        if not knows:
            assert point["reason"] == "does not know people in several communities", point
        if point["outcome"] == "done":
            assert point["satisfied"] and point["attackers"]["degree"]["exposed"] == 0 and "modularity" not in point["measures"], point
            assert point["measures"]["violating_vertices"] == 0 and "given_nmi" not in point["differences"], point
    assert outcome["level-plan"]["outcome"] == "done", outcome["level-plan"]
    assert "refused" in open("s.html").read() and "refused" in open("s.csv").read()


def main(networks):
    for seed in range(networks):
        edges, sets = make(seed)
        code, text = run("anonymize", "g.edges", "-c", "g.sets", "--overlap", "disjoint", "-k", "2", "-o", "p.edges", "--map", "p.map",
                         "--report", "p.html", "--force", "--no-proof")  # fmt: skip
        assert code == 0, (seed, text)
        owner = {piece: person for person, piece in pairs("p.map")}
        published = pairs("p.edges")
        check_compare(edges, sets, published, owner, 2)
        check_page(edges, sets, published, owner, 2)
        if seed % 5 == 0:
            check_sweep(edges, sets)


main(int(sys.argv[2]))
