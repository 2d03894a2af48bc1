"""A study: all methods on one network, with what they do to it and what an attacker still learns."""

import networkx as nx

import ksda

network = nx.les_miserables_graph()
graph = ksda.as_graph(network)
communities = ksda.detect(graph, "metis:4")
print(ksda.check(graph, communities, k=3))

names = [method["name"] for method in ksda.methods() if not method["exact"]]
table = ksda.sweep(graph, communities, ks=(2, 3), methods=names, measures=("clustering", "aspl", "spectral_radius"))
print(table.to_string() if hasattr(table, "to_string") else table)

for point in ksda.frontier(graph, communities, k=3, runs=8):
    print("%(added_edges)d edges and %(added_vertices)d vertices" % point)

release = ksda.anonymize(graph, communities, k=3)
change = release.compare()
for name in ("clustering", "aspl", "betweenness_centralization"):
    print("%s: %.4g -> %.4g" % (name, change["original"][name], change["published"][name]))
print("eigenvector centralities correlate by %.4g" % change["eigenvector_correlation"])
