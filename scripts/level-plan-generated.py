#!/usr/bin/env python3
"""level-plan on generated networks that nothing was tuned on, as Markdown:
  scripts/level-plan-generated.py [--ksda build/ksda] [--first 5000] [--count 200] [--seconds S] [--rows FILE]

Network i is `ksda generate planted --seed i` with parameters drawn from i: 100 to 2,000 vertices, mean degree 4 to 60, 4 to
40 communities of power-law sizes, up to 30 % not stated; k is drawn from {2, 3, 5, |C|/2, |C|} and the split weight from {5,
20, 100, |V|^2}. Best known is the cheapest of level-plan's release, of its release for k + 1, and of the paper's six
heuristics. Releases are counted by tests/support/recount.py. --seconds: begin no network after so many seconds of
processor time; as with Ctrl-C the table is of those that were run, and says how many. Networks of which ksda proves that
there is no release (exit 4: somebody without an edge, alone in a community) are counted and not in the table, and so are draws whose communities have no room for the edges. --rows: what is measured is
appended to FILE, one line of JSON for each network, and networks that are there are not run again."""
import argparse, importlib.util, json, math, os, random, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("attributes", os.path.join(HERE, "level-plan-attributes.py"))
attributes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(attributes)

IMPOSSIBLE = 4  # the exit status of ksda


def generate(ksda, number, folder):
    """Files of the network, number of vertices, k and split weight (0: |V|^2); None where its communities have no room for the edges."""
    draw = random.Random(number)
    vertices = round(100 * 20 ** draw.random())
    edges = round(vertices * min(2 * 15 ** draw.random(), vertices / 8))
    blocks = draw.randint(4, max(4, min(40, vertices // 20)))
    graph, communities = os.path.join(folder, "g.edges"), os.path.join(folder, "g.communities")
    made = subprocess.run([ksda, "generate", "planted", "--seed", str(number), "--vertices", str(vertices), "--edges", str(edges),
                    "--blocks", str(blocks), "--size-exponent", f"{draw.uniform(1.4, 2.4):.2f}", "--not-stated",
                    f"{draw.choice([0, 0.1, 0.2, 0.3])}", "--mixing", f"{draw.uniform(0.1, 0.5):.2f}", "-o", graph,
                    "--communities", communities, "-q"], capture_output=True, text=True)
    if made.returncode:
        if "inside communities" not in made.stderr:
            sys.exit(made.stderr)
        return None
    count = len({line.split()[1] for line in open(communities) if line.strip() and line[0] not in "#%"})
    k = draw.choice([x for x in (2, 3, 5, count // 2, count) if 2 <= x <= count])
    return graph, communities, vertices, count, k, draw.choice([5, 20, 100, 0])


def proved(ksda, graph, communities, k, weight, folder):
    """The report of a default run, counted again, None where there is proved to be no release, and its processor seconds for search and for proof."""
    published, private = os.path.join(folder, "q.edges"), os.path.join(folder, "q.map")
    before = attributes.seconds()
    run = subprocess.run([ksda, "anonymize", graph, "-c", communities, "-k", str(k), "--json", "--threads", "1", "--force",
                          "-o", published, "--map", private]
                         + (["--split-weight", str(weight)] if weight else []), capture_output=True, text=True)
    if run.returncode == IMPOSSIBLE:
        return None, 0, 0
    used, report = attributes.seconds() - before, json.loads(run.stdout)
    counted = subprocess.run([sys.executable, attributes.RECOUNT, graph, communities, published, private, str(k)],
                             capture_output=True, text=True, check=True).stdout.split()
    if list(map(int, counted)) != [report["added_edges"], report["added_vertices"]]:
        sys.exit(f"{graph}, k = {k}: counted {counted}")
    share = report["seconds"]["proof"] / max(report["seconds"]["proof"] + report["seconds"]["search"], 1e-9)
    return report, used * (1 - share), used * share


def measure(ksda, number):
    with tempfile.TemporaryDirectory() as folder:
        network = generate(ksda, number, folder)
        if not network:
            return {"number": number, "no room": True}
        graph, communities, vertices, count, k, weight = network
        omega = weight or vertices * vertices
        ask = lambda k, method: attributes.release(ksda, graph, communities, k, weight, method, folder)
        cost = lambda r: r[0] + omega * r[1] if r else math.inf
        report, search, proof = proved(ksda, graph, communities, k, weight, folder)
        if not report:
            return {"number": number, "impossible": True}
        ours = report["cost"]
        higher = cost(ask(k + 1, "level-plan")) if k < count else math.inf
        six = min(cost(ask(k, method)) for method in attributes.SIX)
        ratio = lambda a, b: a / b if b else 1 if not a else math.inf
        return {"ratio": ratio(ours, min(ours, higher, six)), "six": ours > six, "higher": ours > higher,
                "gap": ratio(ours, report["lower_bound"]) - 1, "search": search, "proof": proof, "splits":
                report["added_vertices"], "unproved": report["added_vertices"] - report["least_added_vertices"], "k": k,
                "weight": weight, "number": number, "n_a": report["added_edges"], "vertices": vertices,
                "communities": count}


def quantiles(values, form):
    values = sorted(values)
    at = lambda q: form.format(values[min(len(values) - 1, int(q * len(values)))])
    return " | ".join(at(q) for q in (0.25, 0.5, 0.75, 0.9, 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ksda", default=os.path.join(attributes.ROOT, "build", "ksda"))
    parser.add_argument("--first", type=int, default=5000)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--rows", metavar="FILE")
    options = parser.parse_args()
    known = [json.loads(line) for line in open(options.rows)] if options.rows and os.path.exists(options.rows) else []
    known, rows = {row["number"]: row for row in known}, []
    try:
        for number in range(options.first, options.first + options.count):
            if number not in known and attributes.seconds() > options.seconds:
                break
            if number not in known:
                known[number] = measure(options.ksda, number)
                if options.rows:
                    with open(options.rows, "a") as out:
                        print(json.dumps(known[number]), file=out)
            rows.append(known[number])
    except KeyboardInterrupt:
        pass  # what there is by now
    tell(rows, options)


def tell(tried, options):
    made = [r for r in tried if "no room" not in r]
    rows = [r for r in made if "impossible" not in r]
    few = [r for r in rows if r["k"] <= 5]
    dear = [r for r in few if not r["weight"]]
    print(f"{len(tried)} of {options.count} networks from seed {options.first}, {len(tried) - len(made)} of them without room for their edges, {len(made) - len(rows)} without any release; above the six: {sum(r['six'] for r in rows)}; "
          f"above its own release for k + 1: {sum(r['higher'] for r in rows)}; k <= 5: n_s proved within 1 in "
          f"{sum(r['unproved'] <= 1 for r in few)} of {len(few)}, with split weight |V|^2 in "
          f"{sum(r['unproved'] <= 1 for r in dear)} of {len(dear)}\n\n| | 25 % | median | 75 % | 90 % | worst |\n|---|---|---|---|---|---|")
    print("| cost / best known |", quantiles([r["ratio"] for r in rows], "{:.3f}"), "|")
    print("| gap, nobody split |", quantiles([r["gap"] for r in rows if not r["splits"]] or [0], "{:.1%}"), "|")
    print("| gap, omega 5 to 100, k <= 5 |", quantiles([r["gap"] for r in few if r["weight"]] or [0], "{:.1%}"), "|")
    print("| gap, all |", quantiles([r["gap"] for r in rows], "{:.1%}"), "|")
    print("| search, processor s |", quantiles([r["search"] for r in rows], "{:.1f}"), "|")
    print("| proof, processor s |", quantiles([r["proof"] for r in rows], "{:.1f}"), "|")


if __name__ == "__main__":
    main()
