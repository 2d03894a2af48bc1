"""What is advised, and who is listed, is what the command advises and lists."""

import csv
import os
import random
import subprocess

import pytest

import ksda
from test_release import COMMAND, command, write


def network(seed, people=60, groups=8):
    r = random.Random(seed)
    label = [r.randrange(groups) for _ in range(people)]
    pairs = {tuple(sorted(r.sample(range(people), 2))) for _ in range(3 * people)}
    present = sorted({v for pair in pairs for v in pair})
    number = {v: i for i, v in enumerate(present)}
    return sorted((number[a], number[b]) for a, b in pairs), [label[v] for v in present]


def rows(table):
    return table if isinstance(table, list) else table.to_dict("records")


@pytest.mark.parametrize("seed", range(3))
def test_advice_is_that_of_the_command(tmp_path, seed):
    pairs, label = network(seed)
    graph, communities = write(tmp_path, (pairs, label))
    code, told = command("advise", graph, "-c", communities, "--no-measures")
    advice = ksda.advise(pairs, label, measures=())
    assert code == 0 and advice.k == told["advised_k"]
    assert [(p["k"], p["added_edges"], p["added_vertices"]) for p in told["points"]] == [
        (p["k"], p["added_edges"], p["added_vertices"]) for p in rows(advice.points)
    ]
    for mine, theirs in zip(rows(advice.points), told["points"]):
        assert mine["price"] == pytest.approx(theirs["price"])


@pytest.mark.parametrize("seed", range(5))
def test_people_are_those_of_the_command(tmp_path, seed):
    if not COMMAND:
        pytest.skip("KSDA does not name the command")
    pairs, label = network(seed)
    graph, communities = write(tmp_path, (pairs, label))
    list_file = str(tmp_path / "list.csv")
    subprocess.run([COMMAND, "check", graph, "-c", communities, "-k", "3", "--list", list_file, "-q"], capture_output=True)
    assert os.stat(list_file).st_mode & 0o777 == 0o600
    theirs = list(csv.DictReader(open(list_file)))
    mine = rows(ksda.people(pairs, label, k=3))
    assert len(mine) == len(theirs) == len(label)
    exposure = ("communities_with_degree", "people_with_degree", "degree")
    assert [[p[f] for f in exposure] for p in mine] == [[int(p[f]) for f in exposure] for p in theirs]
    by_name = {p["person"]: p for p in theirs}
    for p in mine:
        other = by_name[str(p["person"])]
        assert str(p["community"]) == other["community"] and p["exposed"] == (other["exposed"] == "yes")
        assert p["guess_is_right"] == pytest.approx(float(other["guess_is_right"]), abs=1e-6)
        assert p["own_community_share"] == pytest.approx(float(other["own_community_share"]), abs=1e-6)


def test_people_with_sets_are_those_of_the_command(tmp_path):
    """They were refused."""
    if not COMMAND:
        pytest.skip("KSDA does not name the command")
    pairs, label = network(3)
    sets = [{c, "x"} if v % 7 == 0 else {c} for v, c in enumerate(label)]
    graph, _ = write(tmp_path, (pairs, label))
    communities, list_file = str(tmp_path / "sets.txt"), str(tmp_path / "list.csv")
    with open(communities, "w") as f:
        f.writelines("%s %s\n" % (v, c) for v, one in enumerate(sets) for c in one)
    subprocess.run([COMMAND, "check", graph, "-c", communities, "--overlap", "disjoint", "-k", "3", "--list", list_file, "-q"], capture_output=True)
    theirs = {p["person"]: p for p in csv.DictReader(open(list_file))}
    mine = rows(ksda.people(pairs, sets, k=3))
    assert len(mine) == len(theirs) == len(label)
    assert sum(p["exposed"] for p in mine) == ksda.check(pairs, sets, k=3)["violating_vertices"]
    for p in mine:
        other = theirs[str(p["person"])]
        assert sorted(p["community"].split("+")) == sorted(other["community"].split("+")) == sorted(map(str, sets[p["person"]]))
        for field in ("degree", "people_with_degree", "communities_with_degree"):
            assert p[field] == int(other[field])
        assert p["exposed"] == (other["exposed"] == "yes")
        assert p["own_community_share"] == pytest.approx(float(other["own_community_share"]), abs=1e-6)


def test_one_community_leaves_nothing_to_choose():
    with pytest.raises(ksda.InvalidError, match="nothing to choose"):
        ksda.advise([(0, 1)], [0, 0])
    with pytest.raises(ksda.InvalidError):
        ksda.people([(0, 1)], [0, 0], k=3)
