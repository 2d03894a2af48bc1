"""What the package gives is what the command gives, and nothing is handed over that verify has not passed."""

import json
import os
import random
import stat
import subprocess

import numpy as np
import pytest

import ksda

COMMAND = os.environ.get("KSDA")


def write(folder, network):
    pairs, label = network
    (folder / "g.edges").write_text("".join("%d %d\n" % pair for pair in pairs))
    (folder / "c.txt").write_text("".join("%d %d\n" % item for item in enumerate(label)))
    return str(folder / "g.edges"), str(folder / "c.txt")


def command(*arguments):
    if not COMMAND:
        pytest.skip("KSDA does not name the command")
    done = subprocess.run([COMMAND, *map(str, arguments), "--json", "--quiet"], capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("method", [m["name"] for m in ksda.methods() if not m["exact"]])
@pytest.mark.parametrize("k", [2, 3])
def test_releases_are_the_command_s(tmp_path, network, method, k):
    graph, communities = write(tmp_path, network)
    published, private = tmp_path / "p.edges", tmp_path / "p.map"
    code, told = command(
        "anonymize", graph, "-c", communities, "-k", k, "-m", method, "-o", published, "--map", private, "--insecure-ids"
    )
    baseline = method == "k-degree"
    if code == 4:
        with pytest.raises(ksda.NotFoundError):
            ksda.anonymize(*network, k=k, method=method, baseline=baseline, insecure_ids=True)
        return
    release = ksda.anonymize(*network, k=k, method=method, baseline=baseline, insecure_ids=True)
    for field in ("added_edges", "added_vertices", "split_vertices", "cost"):
        assert getattr(release, field) == told[field]
    assert told["lower_bound"] is None or release.lower_bound == pytest.approx(told["lower_bound"])
    theirs = sorted(tuple(sorted(map(int, line.split()))) for line in published.read_text().splitlines())
    assert theirs == [tuple(edge) for edge in release.published.edge_array().tolist()]
    owners = dict(reversed(line.split("\t")) for line in private.read_text().splitlines() if not line.startswith("#"))
    assert {int(p): int(o) for p, o in owners.items()} == dict(enumerate(release.owner.tolist()))


def test_check_measure_compare_are_the_command_s(tmp_path, network):
    graph, communities = write(tmp_path, network)
    told = command("check", graph, "-c", communities, "-k", 2)[1]
    ours = ksda.check(*network, k=2)
    assert ours["attack"] == told["attack"] and ours["violating_vertices"] == told["violating_vertices"]
    assert bool(ours) == told["satisfied"]
    told = command("measure", graph, "-c", communities)[1]
    ours = ksda.measure(*network)
    for name in ("clustering", "aspl", "betweenness_centralization", "spectral_radius", "modularity"):
        assert ours[name] == pytest.approx(told[name])
    release = ksda.anonymize(*network, k=3, insecure_ids=True)
    release.save(tmp_path / "out")
    told = command(
        "compare", graph, tmp_path / "out/published.edges", "--map", tmp_path / "out/private.map", "-c", communities, "-k", 3
    )[1]
    ours = release.compare()
    for name in ("eigenvector_correlation", "degree_ks", "added_edges", "disconnected_pairs"):
        assert ours[name] == pytest.approx(told[name])


def test_what_is_saved_is_verified_by_the_command(tmp_path, network):
    graph, communities = write(tmp_path, network)
    out = tmp_path / "release"
    ksda.anonymize(*network, k=3).save(out, communities=True)
    code, told = command("verify", graph, out / "published.edges", "-c", communities, "--map", out / "private.map", "-k", 3)
    assert code == 0 and told["satisfied"]
    for name in ("map", "json", "html"):
        assert stat.S_IMODE((out / ("private." + name)).stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        ksda.anonymize(*network, k=3).save(out)


def test_a_release_is_saved_whole_or_not_at_all(tmp_path, network):
    release = ksda.anonymize(*network, k=3)
    with pytest.raises(ksda.InvalidError, match="no format"):
        release.save(tmp_path / "a", format="xlsx")
    assert not (tmp_path / "a").exists()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "published.edges").symlink_to(tmp_path / "nowhere" / "x")  # cannot be written
    try:
        release.save(tmp_path / "b")
    except OSError:
        assert not list((tmp_path / "b").glob("private.*"))


@pytest.mark.parametrize("format", ["edges", "csv", "graphml", "gexf", "gml", "json", "pajek", "metis", "mtx", "npz", "parquet", "raw32", "raw64"])
def test_every_format_can_be_verified_with_its_map(tmp_path, network, format):
    graph, communities = write(tmp_path, network)
    out = tmp_path / "release"
    ksda.anonymize(*network, k=3).save(out, format=format)
    code, told = command(
        "verify", graph, out / ("published." + format), "-c", communities, "--map", out / "private.map", "-k", 3
    )
    assert code == 0 and told["satisfied"]


@pytest.mark.parametrize("format", ["graphml", "gexf", "gml", "json"])
def test_a_graph_file_can_carry_its_communities(tmp_path, network, format):
    release = ksda.anonymize(*network, k=3)
    release.save(tmp_path / "out", format=format, communities="graph")
    published = ksda.Graph.from_file(tmp_path / "out" / ("published." + format), attribute="community")
    assert published.communities is not None and not (tmp_path / "out" / "published.communities").exists()
    with pytest.raises(ksda.InvalidError, match="do not carry communities"):
        release.save(tmp_path / "none", communities="graph")


def test_verify_sees_what_is_wrong(network):
    pairs, label = network
    release = ksda.anonymize(pairs, label, k=3)
    assert release.verify()["added_edges"] == release.added_edges
    with pytest.raises(ksda.VerificationError):
        ksda.verify(pairs, pairs, label, range(60), 3)
    with pytest.raises(ksda.InvalidError):
        ksda.verify(pairs, pairs, label, range(59), 3)


def test_nothing_of_the_original_is_in_the_published_graph():
    networkx = pytest.importorskip("networkx")
    source = networkx.karate_club_graph()
    release = ksda.anonymize(source, "club", k=2)
    assert type(release.graph) is networkx.Graph
    assert not any(data for _, data in release.graph.nodes(data=True))
    assert sorted(release.mapping) == sorted(source)
    carried = release.graph_with("club")
    assert all(
        carried.nodes[piece]["club"] == source.nodes[person]["club"] for person, pieces in release.mapping.items() for piece in pieces
    )
    other = ksda.anonymize(source, "club", k=2)
    assert other.owner.tolist() != release.owner.tolist()  # ids come from the operating system


def test_optimal_and_bounds_agree(network):
    release = ksda.anonymize(*network, k=2)
    best = ksda.optimal(*network, k=2, time_limit=20)
    assert best.status in ("optimal", "feasible") and best.lower_bound <= best.cost
    assert release.lower_bound <= best.cost and best.lower_bound <= release.cost
    assert best.verify()["satisfied"]


def test_frontier_and_sweep(network):
    points = ksda.frontier(*network, k=3, runs=6)
    assert all(a["added_edges"] > b["added_edges"] for a, b in zip(points, points[1:]))
    table = ksda.sweep(*network, ks=(2, 3), methods=("level-plan", "edge-connect", "k-degree"))
    rows = table.to_dict("records") if hasattr(table, "to_dict") else table
    assert len(rows) == 6 and all(row["found"] or row["why"] for row in rows)


def test_people_in_several_communities():
    """A ring of four: {a, b} and {c} are disjoint, {b} and {a, c} too."""
    pairs, communities = [(0, 1), (1, 2), (2, 3), (3, 0)], [{"a", "b"}, {"b"}, {"c"}, {"a", "c"}]
    table = ksda.sweep(pairs, communities, ks=(2,), methods=("level-plan", "merge-by-split"), measures=())
    rows = table.to_dict("records") if hasattr(table, "to_dict") else table
    assert rows[0]["found"] and not rows[1]["found"] and "does not know people in several" in rows[1]["why"]
    points = ksda.frontier(pairs, communities, k=2, runs=4)
    assert (points[0]["added_edges"], points[0]["added_vertices"]) == (0, 0)
    told = ksda.attack(pairs, communities, k=3)
    degree = told["release"]["degree"]
    assert told["overlap"] == "disjoint" and (degree["exposed"], degree["surest"], degree["entropy"]) == (4, 0.5, 2)
    release = ksda.anonymize(pairs, communities, k=2)
    assert "pairwise disjoint sets" in release.report()
    compared = release.compare()
    assert compared["given_nmi"] is None and compared["original"]["modularity"] is None and compared["published"]["largest_k"] == 2


def test_text_and_pages(network):
    release = ksda.anonymize(*network, k=3)
    assert "Published" in str(release) and "<pre>" in release._repr_html_()
    assert release.summary()["k"] == 3
    assert release.report().startswith("<!") and len(release.report(public=True)) < len(release.report())


def test_random_releases_are_diverse():
    """Recounted here, by hand: every degree that occurs, occurs in k communities; no edge is lost."""
    draw = random.Random(3)
    for _ in range(60):
        n, c = draw.randrange(12, 40), draw.randrange(2, 5)
        label = [v % c for v in range(n)]
        pairs = {(v, (v + 1) % n) if v + 1 < n else (0, v) for v in range(n)}
        pairs |= {tuple(sorted(draw.sample(range(n), 2))) for _ in range(n)}
        k = draw.randrange(2, c + 1)
        release = ksda.anonymize(sorted(pairs), label, k=k, seed=draw.randrange(1000), proof=False)
        degrees, owner, edges = release.published.degrees, release.owner, release.published.edge_array()
        at = {}
        for v, degree in enumerate(degrees.tolist()):
            at.setdefault(degree, set()).add(label[owner[v]])
        assert min(map(len, at.values())) >= k
        there = {tuple(sorted((int(owner[u]), int(owner[v])))) for u, v in edges}
        assert {tuple(sorted(pair)) for pair in pairs} <= there


def without_seconds(told):
    return {k: without_seconds(v) for k, v in told.items() if k != "seconds"} if isinstance(told, dict) else told


def test_attack_is_the_command_s(tmp_path, network):
    graph, communities = write(tmp_path, network)
    release = ksda.anonymize(*network, k=3, insecure_ids=True)
    release.save(tmp_path / "out")
    told = command(
        "attack", tmp_path / "out/published.edges", "--original", graph, "-c", communities, "--map", tmp_path / "out/private.map", "-k", 3
    )[1]
    ours = without_seconds(release.attack(who=True))
    assert ours["release"]["degree"]["exposed"] == 0 and "people" not in told
    for reading in ("matched", "release", "original"):
        assert ours[reading]["refinement_2"] == without_seconds(told[reading]["refinement_2"])
    assert ours["added_edges"]["ends"] == told["added_edges"]["ends"]
    assert len(ours["people"]["friendship"]) == ours["matched"]["friendship"]["exposed"]
    other = ksda.anonymize(*network, k=2)
    trained = release.attack(training=[other, other])["added_edges"]["trained"]
    assert 0 <= trained["auc"]["given"] <= 1 and len(trained["weights"]) == 13
    assert "given" not in release.attack()["added_edges"]["trained"]["auc"]
    with pytest.raises(ksda.InvalidError):
        ksda.attack(release.published, release.communities, training=[other])
    alone = ksda.attack(release.published, release.communities, k=3, only="friends_degrees")
    assert list(alone["release"]) == ["friends_degrees"] and "matched" not in alone
    assert without_seconds(alone["release"])["friends_degrees"] == ours["release"]["friends_degrees"]
    with pytest.raises(ksda.InvalidError, match="nobody"):
        ksda.attack(release.published, release.communities, only=["nobody"])
    with pytest.raises(ksda.InvalidError, match="belong together"):
        ksda.attack(release.published, release.communities, owner=release.owner)


def test_measures_are_networkx_s_where_names_are_the_same():
    networkx = pytest.importorskip("networkx")
    for graph in (networkx.karate_club_graph(), networkx.les_miserables_graph()):
        ours = ksda.measure(graph)
        assert ours["assortativity"] == pytest.approx(networkx.degree_assortativity_coefficient(graph))
        assert ours["aspl"] == pytest.approx(networkx.average_shortest_path_length(graph))
        assert ours["diameter"] == networkx.diameter(graph)
        assert ours["degeneracy"] == max(networkx.core_number(graph).values())
        assert ours["components"] == networkx.number_connected_components(graph)
        local = networkx.clustering(graph)
        assert ours["clustering"] == pytest.approx(np.mean([local[v] for v in graph if graph.degree(v) > 1]))
        assert ours["global_clustering"] == pytest.approx(networkx.transitivity(graph))
