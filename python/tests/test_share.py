"""Share bounds: what holds, what is refused, and the same as the command."""

from fractions import Fraction

import pytest

import ksda
from test_choose import network, rows
from test_release import command, write


@pytest.mark.parametrize("seed", range(2))
def test_a_release_with_a_share_bound_is_that_of_the_command(tmp_path, seed):
    pairs, label = network(seed)
    graph, communities = write(tmp_path, (pairs, label))
    code, told = command("anonymize", graph, "-c", communities, "-k", "3", "--max-share", "1/3", "-o", str(tmp_path / "out.edges"))
    release = ksda.anonymize(pairs, label, k=3, max_share="1/k")
    assert code == 0 and release.max_share == Fraction(1, 3)
    assert (release.added_edges, release.added_vertices) == (told["added_edges"], told["added_vertices"])
    assert release.verify()["satisfied"] and release.check()["satisfied"]
    largest = {}
    for degree, community in zip(release.published.degrees.tolist(), release.communities.labels):
        at = largest.setdefault(degree, {})
        at[community] = at.get(community, 0) + 1
    assert all(3 * max(at.values()) <= sum(at.values()) for at in largest.values())
    with pytest.raises(ksda.VerificationError):  # less than any release of eight communities has
        ksda.verify(pairs, release.published, label, release.owner, 3, max_share="1/9")


def test_shares_are_exact_however_they_are_written():
    pairs, label = network(0)
    told = [ksda.check(pairs, label, k=2, max_share=share) for share in ("1/4", 0.25, Fraction(1, 4))]
    assert told[0] == told[1] == told[2] and told[0]["max_share"] == "1/4"
    assert ksda.check(pairs, label, k=2)["max_share"] is None
    for wrong in (0, 1.5, "half", -0.5, "2/1", True, float("nan")):
        with pytest.raises(ksda.InvalidError, match="max_share"):
            ksda.check(pairs, label, k=2, max_share=wrong)


def test_advice_about_shares_is_that_of_the_command(tmp_path):
    pairs, label = network(1)
    graph, communities = write(tmp_path, (pairs, label))
    code, told = command("advise", graph, "-c", communities, "--no-measures", "--max-share", "1/2,1/3,1/4")
    advice = ksda.advise(ksda.Graph.from_file(graph, communities=communities), measures=(), max_shares=["1/4", 0.5, Fraction(1, 3)])
    assert code == 0 and str(advice.max_share) == told["advised_share"] and advice.k == told["advised_k"] == 2
    assert [(p["max_share"], p["added_edges"], p["added_vertices"]) for p in told["points"]] == [
        (str(p["max_share"]), p["added_edges"], p["added_vertices"]) for p in rows(advice.points)
    ]
    with pytest.raises(ksda.InvalidError, match="one k"):
        ksda.advise(pairs, label, ks=(2, 3), max_shares=["1/2"])


def test_the_optimum_with_a_share_bound():
    pairs, label = [(0, 1), (1, 2), (3, 4), (4, 5), (5, 3)], [0, 0, 0, 1, 1, 1]
    release = ksda.optimal(pairs, label, k=2, max_share="1/2", processes=True)
    assert release.status == "optimal" and release.max_share == Fraction(1, 2) and release.check()["share_satisfied"]
    assert release.cost <= ksda.anonymize(pairs, label, k=2, max_share="1/2").cost


def test_a_frontier_with_a_share_bound_is_that_of_the_command(tmp_path):
    pairs, label = network(0)
    graph, communities = write(tmp_path, (pairs, label))
    code, told = command("anonymize", graph, "-c", communities, "-k", "3", "--max-share", "1/3", "--frontier", "--frontier-runs", "4",
                         "--no-measures")  # fmt: skip
    bounded, free = ksda.frontier(pairs, label, k=3, runs=4, max_share="1/k"), ksda.frontier(pairs, label, k=3, runs=4)
    costs = [(point["added_edges"], point["added_vertices"]) for point in bounded]
    assert code == 0 and costs == [(point["added_edges"], point["added_vertices"]) for point in told["frontier"]["points"]]
    assert costs and costs != [(point["added_edges"], point["added_vertices"]) for point in free]  # the bound is not for nothing
    with pytest.raises(ksda.InvalidError, match="max_share"):
        ksda.frontier(pairs, label, k=3, runs=4, max_share=2)
