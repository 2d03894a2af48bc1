"""Networks go in and come out as they were: names, isolated vertices, attributes, no copies where none is promised."""

import numpy as np
import pytest

import ksda


def test_edges_are_cleaned_and_counted():
    g = ksda.Graph.from_edges([(0, 1), (1, 0), (2, 2), (1, 2)], vertices=5)
    assert (g.vertices, g.edges) == (5, 2)
    assert g.cleaning == {"input_edges": 4, "self_loops": 1, "duplicate_edges": 1}
    assert g.degrees.tolist() == [1, 2, 1, 0, 0]
    assert g.edge_array().tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize(
    "edges", [[(0, 1, 2)], [("a", "b")], [(0, -1)], np.array([0, 1, 2]), np.array([[0, 2**32 - 1]], dtype=np.uint64)]
)
def test_what_are_no_edges_is_refused(edges):
    with pytest.raises(ValueError):
        ksda.Graph.from_edges(edges)


def test_rows_are_used_without_a_copy():
    offsets, targets = np.array([0, 1, 3, 4], np.uint64), np.array([1, 0, 2, 1], np.uint32)
    g = ksda.Graph.from_csr(offsets, targets)
    assert g.offsets.ctypes.data == offsets.ctypes.data
    assert g.targets.ctypes.data == targets.ctypes.data
    copied = ksda.Graph.from_csr(offsets, targets, copy=True)
    assert copied.targets.ctypes.data != targets.ctypes.data
    with pytest.raises(ValueError):
        g.targets[0] = 5


def test_rows_outlive_the_names_of_their_arrays():
    g = ksda.Graph.from_csr(np.array([0, 1, 2], np.uint64), np.array([1, 0], np.uint32))
    view = g.targets
    del g
    assert view.tolist() == [1, 0]


@pytest.mark.parametrize("targets", [[1, 1, 2, 1], [1, 2, 0, 1], [0, 0, 2, 1], [7, 0, 2, 1]])
def test_rows_that_are_no_graph_are_refused(targets):
    with pytest.raises(ksda.InvalidError):
        ksda.Graph.from_csr(np.array([0, 1, 3, 4], np.uint64), np.array(targets, np.uint32))


def test_scipy_there_and_back(network):
    sparse = pytest.importorskip("scipy.sparse")
    pairs, _ = network
    u, v = np.array(pairs).T
    matrix = sparse.coo_matrix((np.ones(2 * len(u)), (np.r_[u, v], np.r_[v, u])), shape=(61, 61)).tocsr()
    matrix.indptr = matrix.indptr.astype(np.int64)
    g = ksda.Graph.from_scipy(matrix)
    assert g.targets.ctypes.data == matrix.indices.ctypes.data and g.offsets.ctypes.data == matrix.indptr.ctypes.data
    back = g.to_scipy()
    assert back.indices.ctypes.data == matrix.indices.ctypes.data
    assert (back != (matrix > 0)).nnz == 0
    with pytest.raises(ksda.InvalidError):
        ksda.Graph.from_scipy(sparse.csr_matrix(np.ones((2, 3))))
    for loop in (0, 1):
        assert ksda.Graph.from_scipy(sparse.csr_matrix(np.array([[loop, 1], [1, 0]]))).edges == 1
        with pytest.raises(ksda.InvalidError):  # not symmetric, with a loop and without
            ksda.Graph.from_scipy(sparse.csr_matrix(np.array([[loop, 1], [0, 0]])))


def test_networkx_there_and_back():
    networkx = pytest.importorskip("networkx")
    source = networkx.les_miserables_graph()
    source.add_node("Nobody", club="none")
    g = ksda.Graph.from_networkx(source)
    assert g.names == list(source.nodes())
    back = g.to_networkx()
    assert set(map(frozenset, back.edges())) == set(map(frozenset, source.edges()))
    assert set(back) == set(source)


def test_igraph_there_and_back():
    igraph = pytest.importorskip("igraph")
    source = igraph.Graph(edges=[(0, 1), (1, 2)], n=4)
    source.vs["name"] = ["ann", "ben", "cem", "dora"]
    g = ksda.as_graph(source)
    back = g.to_igraph()
    assert back.vs["name"] == source.vs["name"] and sorted(back.get_edgelist()) == [(0, 1), (1, 2)]


def test_pandas_there_and_back():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"from": ["ann", "ben", "ann"], "to": ["ben", "cem", "cem"], "weight": [1, 2, 3]})
    g = ksda.as_graph(frame)
    assert g.names == ["ann", "ben", "cem"] and g.edges == 3
    assert set(map(frozenset, g.to_pandas().values.tolist())) == {frozenset(p) for p in frame[["from", "to"]].values.tolist()}
    frame.loc[1, "to"] = None
    with pytest.raises(ksda.InvalidError, match="missing"):
        ksda.as_graph(frame)


def test_files_are_read_as_the_command_reads_them(tmp_path):
    (tmp_path / "g.csv").write_text("source;target\nZoë;Jörg\nJörg;Ann\n", encoding="utf-8")
    (tmp_path / "c.csv").write_text("name;department\nZoë;1\nJörg;2\nAnn;2\n", encoding="utf-8")
    g = ksda.Graph.from_file(tmp_path / "g.csv", communities=tmp_path / "c.csv")
    assert sorted(g.names) == ["Ann", "Jörg", "Zoë"] and g.edges == 2
    assert dict(zip(g.names, g.communities.labels)) == {"Zoë": "1", "Jörg": "2", "Ann": "2"}
    g.save(tmp_path / "out.graphml")
    assert ksda.Graph.from_file(tmp_path / "out.graphml").edges == 2
    (tmp_path / "latin.csv").write_bytes("source,target\nZoë,Ann\n".encode("latin-1"))
    assert ksda.Graph.from_file(tmp_path / "latin.csv", encoding="latin-1").names == ["Zoë", "Ann"]
    (tmp_path / "n.json").write_text('{"nodes": [{"id": 0, "name": "a"}, {"id": 1, "name": "b"}], "links": []}')
    assert ksda.Graph.from_file(tmp_path / "n.json", name_attribute="name").names == ["a", "b"]
    (tmp_path / "bad.edges").write_text("a b\nc\n")
    with pytest.raises(ksda.ParseError) as caught:
        ksda.Graph.from_file(tmp_path / "bad.edges")
    assert caught.value.line == 2 and "bad.edges" in str(caught.value)
    with pytest.raises(OSError):
        ksda.Graph.from_file(tmp_path / "none.edges")


def test_communities_from_everything(network):
    pairs, label = network
    g = ksda.as_graph(pairs)
    by_label = ksda.as_communities(g, label)
    by_dict = ksda.as_communities(g, {v: "c%d" % c for v, c in enumerate(label)})
    by_array = ksda.as_communities(g, np.array(label))
    assert by_label.count == by_dict.count == by_array.count == 3
    assert by_label.labels == label and by_dict.labels == ["c%d" % c for c in label] and by_array.labels == label
    assert ksda.as_communities(g, "metis:4").count == 4
    with pytest.raises(ksda.InvalidError, match="59"):
        ksda.as_communities(g, label[:-1])
    some = [None if v == 5 else c for v, c in enumerate(label)]
    with pytest.raises(ksda.Error):
        ksda.as_communities(g, some)
    assert ksda.as_communities(g, some, unassigned="together").counted == 3


def test_attributes_are_named_where_one_is_missing():
    networkx = pytest.importorskip("networkx")
    with pytest.raises(ksda.InvalidError, match="club"):
        ksda.check(networkx.karate_club_graph(), "clubs")


def test_keys_that_look_alike_are_refused():
    networkx = pytest.importorskip("networkx")
    with pytest.raises(ksda.InvalidError, match="alike"):
        ksda.as_graph(networkx.Graph([(1, "1")]))


def test_people_in_several_communities(tmp_path):
    g = ksda.Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    sets = [{"a", "b"}, {"b"}, ["c"], ("a", "c")]
    c = ksda.Communities.from_sets(g, sets)
    assert c.overlap and c.sets == [(0, 1), (1,), (2,), (0, 2)]
    assert ksda.check(g, sets, k=2) and not ksda.check(g, sets, k=3)
    release = ksda.anonymize(g, sets, k=2)
    assert release.published.edges == 4
    assert not ksda.Communities.from_sets(g, [["a"], ["b"], ["a"], ["b"]]).overlap
    (tmp_path / "g.edges").write_text("1 2\n2 3\n")
    (tmp_path / "c.txt").write_text("1 a\n1 b\n2 b\n3 c\n")
    with pytest.raises(ValueError):
        ksda.Graph.from_file(tmp_path / "g.edges", communities=tmp_path / "c.txt")
    assert ksda.Graph.from_file(tmp_path / "g.edges", communities=tmp_path / "c.txt", overlap="disjoint").communities.overlap


def test_directions_are_dropped_with_a_warning():
    networkx = pytest.importorskip("networkx")
    arcs = networkx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")])
    with pytest.warns(UserWarning, match="directions, which are dropped"):
        assert ksda.Graph.from_networkx(arcs).edges == 2


def test_sets_of_communities_by_vertex():
    networkx = pytest.importorskip("networkx")
    source = networkx.path_graph(["a", "b", "c"])
    by_vertex = {"a": {"x", "y"}, "b": {"z"}, "c": "x"}
    networkx.set_node_attributes(source, by_vertex, "club")
    for communities in (by_vertex, "club", [{"x", "y"}, ["z"], "x"]):
        made = ksda.as_communities(ksda.Graph.from_networkx(source), communities)
        assert made.overlap
    del by_vertex["b"]
    with pytest.raises(ksda.Error, match="communit"):
        ksda.as_communities(ksda.Graph.from_networkx(source), by_vertex)
