"""Networks to and from NetworkX, igraph and graphology: exchange.py path/to/ksda. Exit 77: none of them is there."""

import json
import os
import subprocess
import sys
import tempfile

ksda = os.path.abspath(sys.argv[1])
NAMES = ["Anna B.", "Üm läut", "x", "7", "a\\b", "it's", "lonely one", "<&>", "José", "line ]["]
CLUB = {name: "club %d" % (i % 3) for i, name in enumerate(NAMES)}
EDGES = [(0, 1), (0, 1), (1, 0), (2, 2), (3, 4), (5, 7), (7, 0), (8, 9)]
SIMPLE = {frozenset((NAMES[u], NAMES[v])) for u, v in EDGES if u != v}
tried = []


def run(*arguments):
    done = subprocess.run([ksda, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stderr)


def check(names, edges, clubs, what):
    assert set(map(str, names)) == set(NAMES), (what, set(names) ^ set(NAMES))
    assert {frozenset(map(str, e)) for e in edges} == SIMPLE, what
    assert clubs is None or {str(k): v for k, v in clubs.items()} == CLUB, (what, clubs)


def check_ours(path, *options, clubs=True):
    """What we read of a file, told as JSON, which Python reads by itself."""
    more = ["--community-attribute", "club"] if clubs else []
    run("convert", path, *more, *options, "-q", "-o", "ours.json")
    with open("ours.json", encoding="utf-8") as file:
        data = json.load(file)
    found = {n["id"]: n["community"] for n in data["nodes"]} if clubs else None
    check([n["id"] for n in data["nodes"]], [(e["source"], e["target"]) for e in data["links"]], found, path)


def write_ours():
    nodes = [{"id": name, "club": CLUB[name]} for name in NAMES]
    links = [{"source": NAMES[u], "target": NAMES[v], "weight": 2} for u, v in EDGES]
    for key in ("links", "edges"):
        with open(key + ".json", "w", encoding="utf-8") as file:
            json.dump({"directed": False, "multigraph": True, "graph": {}, "nodes": nodes, key: links}, file)
        check_ours(key + ".json")
    for ending in ("gexf", "graphml", "gml", "net", "json"):
        run("convert", "links.json", "--community-attribute", "club", "-q", "-o", "ours2." + ending)


def with_networkx():
    import networkx as nx

    graph = nx.MultiGraph()
    graph.add_nodes_from((name, {"club": CLUB[name]}) for name in NAMES)
    graph.add_edges_from(((NAMES[u], NAMES[v]) for u, v in EDGES), weight=2)
    nx.write_graphml(graph, "nx.graphml")
    nx.write_gexf(graph, "nx.gexf")
    nx.write_pajek(graph, "nx.net")
    for path in ("nx.graphml", "nx.gexf", "nx.net"):
        check_ours(path)
    for path, read in (("ours2.gexf", nx.read_gexf), ("ours2.graphml", nx.read_graphml), ("ours2.net", nx.read_pajek)):
        found = read(path)
        clubs = nx.get_node_attributes(found, "community") if not path.endswith("net") else None
        check(found.nodes, [e[:2] for e in found.edges], clubs, path)
    with open("ours2.json", encoding="utf-8") as file:
        data = json.load(file)
    try:
        found = nx.node_link_graph(data, edges="links")
    except TypeError:  # before version 3.4
        found = nx.node_link_graph(data)
    check(found.nodes, found.edges, nx.get_node_attributes(found, "community"), "ours2.json")


def with_igraph():
    import igraph

    graph = igraph.Graph(n=len(NAMES), edges=EDGES)
    graph.vs["name"], graph.vs["club"] = NAMES, [CLUB[name] for name in NAMES]
    graph.write_graphml("ig.graphml")
    check_ours("ig.graphml", "--name-attribute", "name")
    words = igraph.Graph(n=4, edges=[(0, 1), (1, 2)])
    words.vs["name"] = ["a", "b", "c", "d"]
    words.write_lgl("ig.lgl", names="name", weights=None, isolates=True)
    words.write_ncol("ig.ncol", names="name", weights=None)
    words.write_pajek("ig.net")
    words.write_dimacs("ig.dimacs", source=0, target=3, capacity=[1, 1])
    for path, vertices in (("ig.lgl", 4), ("ig.ncol", 3), ("ig.net", 4), ("ig.dimacs", 4)):
        run("convert", path, "-q", "-o", "w.json")
        with open("w.json", encoding="utf-8") as file:
            data = json.load(file)
        assert len(data["nodes"]) == vertices and len(data["links"]) == 2, (path, data)
    found = igraph.Graph.Read_Pajek("ours2.net")
    assert found.vcount() == len(NAMES) and found.ecount() == len(SIMPLE)
    with open("u.dl", "w", encoding="utf-8") as file:
        file.write("DL n=4\nformat = edgelist1\nlabels embedded\ndata:\na b\nb c 2\nc d\n")
    found = igraph.Graph.Read_DL("u.dl", directed=False)
    run("convert", "u.dl", "-q", "-o", "u.edges")
    with open("u.edges", encoding="utf-8") as file:
        ours = {frozenset(line.split()) for line in file if not line.startswith("#")}
    assert ours == {frozenset(found.vs[v]["name"] for v in e.tuple) for e in found.es}


def with_graphology():
    """By node, where KSDA_NODE_MODULES says where graphology and graphology-gexf are."""
    modules = os.environ.get("KSDA_NODE_MODULES")
    if not modules:
        raise ImportError("KSDA_NODE_MODULES is not set")
    script = """
        const {parse, write} = require('graphology-gexf'), Graph = require('graphology'), fs = require('fs');
        const g = parse(Graph, fs.readFileSync('ours2.gexf', 'utf8'), {addMissingNodes: false});
        fs.writeFileSync('go.gexf', write(g, {version: '1.3'}));
        console.log(JSON.stringify({nodes: g.nodes(), edges: g.mapEdges((e, a, s, t) => [s, t]),
            clubs: Object.fromEntries(g.mapNodes((n, a) => [n, a.community]))}));"""
    environment = dict(os.environ, NODE_PATH=modules)
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    check(told["nodes"], told["edges"], told["clubs"], "graphology")
    run("convert", "go.gexf", "--community-attribute", "community", "-q", "-o", "go.json")
    with open("go.json", encoding="utf-8") as file:
        data = json.load(file)
    found = {n["id"]: n["community"] for n in data["nodes"]}
    check(found, [(e["source"], e["target"]) for e in data["links"]], found, "go.gexf")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    write_ours()
    for attempt in (with_networkx, with_igraph, with_graphology):
        try:
            attempt()
            tried.append(attempt.__name__)
        except ImportError as missing:
            print("%s is left out: %s" % (attempt.__name__, missing))
    os.chdir("/")
print("agreed:", ", ".join(tried) or "nobody")
sys.exit(0 if tried else 77)
