"""Which k? What each costs and what it hides, as a table, and as a picture where there is matplotlib."""

import os
import sys
import tempfile

import networkx as nx

import ksda

graph = ksda.as_graph(nx.les_miserables_graph())
communities = ksda.detect(graph, "metis:4")
rows = ksda.sweep(graph, communities, ks=(2, 3, 4), methods=("level-plan", "flex-split"), measures=("clustering",))
print(rows)

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    sys.exit()

records = rows.to_dict("records") if hasattr(rows, "to_dict") else rows
figure, (cost, guess) = pyplot.subplots(1, 2, figsize=(9, 3.5))
for method in ("level-plan", "flex-split"):
    mine = [row for row in records if row["method"] == method and row["found"]]
    cost.plot([row["k"] for row in mine], [row["added_edges"] for row in mine], marker="o", label=method + ": edges")
    cost.plot([row["k"] for row in mine], [row["added_vertices"] for row in mine], marker="s", ls=":", label=method + ": vertices")
    guess.plot([row["k"] for row in mine], [100 * row["guess_after"] for row in mine], marker="o", label=method)
guess.axhline(100 * records[0]["guess_before"], color="grey", label="original")
cost.set(xlabel="k", title="added"), guess.set(xlabel="k", title="a guess by degree is right (%)")
cost.legend(), guess.legend()
figure.tight_layout()
figure.savefig(os.path.join(tempfile.gettempdir() if len(sys.argv) < 2 else sys.argv[1], "choose_k.png"))
