#!/usr/bin/env python3
"""level-plan on networks whose communities are attributes, as a Markdown table:
  scripts/level-plan-attributes.py [--ksda build/ksda] [--data DIR] [--known] [--proof] [NETWORK...]

NETWORK is GRAPH:COMMUNITIES, files GRAPH.edges and COMMUNITIES.communities of DIR; without any, all below. k in {2, 3, 5,
|C|/2, |C|}, split weight in {5, 20, 100, |V|^2}; --known: only the rows for which a value to reach is known. Every release
is counted by tests/support/recount.py, which shares no code with the library. Beside it stand the cheapest of the paper's
six heuristics, counted likewise, and the known value; a row above one of the two, or one that another weight's release of
the same network and k beats, says so. Processor seconds are those of the search alone; with --proof, where k <= 5, of
search and proof, and what is proved stands beside it: the cost of every release, how far above that ours is, and how many
splits every release has."""
import argparse, json, os, resource, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECOUNT = os.path.join(ROOT, "tests", "support", "recount.py")
SIX = ["edge-connect", "inverse-edge-connect", "create-by-split", "merge-by-split", "flex-split", "splitting-only"]
NETWORKS = [f"reed98-{a}:reed98-{a}" for a in ("dorm", "year", "major")] + [
    f"reed98:reed98.{a}" for a in ("dorm", "year", "major")] + [
    "lastfm:lastfm", "email-Eu-core:email-Eu-core", "football:football", "polbooks:polbooks", "lesmis:lesmis.metis4",
    "usairport500:usairport500.metis5", "usairport500:usairport500.metis8"]
KNOWN = {  # communities, k, weight (0: |V|^2) -> edges and splits known to be possible
    ("reed98-dorm", 5, 0): (157, 0), ("reed98.major", 21, 0): (1299, 36), ("reed98-dorm", 14, 20): (397, 15),
    ("reed98.dorm", 14, 20): (1126, 25), ("lastfm", 18, 0): (81, 1382)}
PROVED = 5  # up to this k


def seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def release(ksda, edges, communities, k, weight, method, folder, prove=False):
    """n_a, n_s, processor seconds and what level-plan says in JSON; None where the method finds nothing."""
    published, private = os.path.join(folder, "p.edges"), os.path.join(folder, "p.map")
    command = [ksda, "anonymize", edges, "-c", communities, "-k", str(k), "-m", method, "-q", "--force", "-o", published,
               "--map", private, "--json"] + (["--split-weight", str(weight)] if weight else [])
    before = seconds()
    run = subprocess.run(command + (["--no-proof"] if method == "level-plan" and not prove else []),
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if run.returncode:
        return None
    used = seconds() - before
    counted = subprocess.run([sys.executable, RECOUNT, edges, communities, published, private, str(k)], text=True,
                             capture_output=True)
    if counted.returncode:
        sys.exit(f"{communities}, k = {k}, {method}: {counted.stderr.strip()}")
    added, splits = map(int, counted.stdout.split())
    return added, splits, used, json.loads(run.stdout)


def rows_of(options, network):
    graph, name = network.split(":")
    edges, communities = (os.path.join(options.data, f) for f in (graph + ".edges", name + ".communities"))
    lines = [line.split() for line in open(communities) if line.strip() and line[0] not in "#%"]
    count, vertices = len({line[1] for line in lines}), len(lines)
    asked = [(k, w) for k in sorted({2, 3, 5, count // 2, count}) if 2 <= k <= count for w in (5, 20, 100, 0)]
    if options.known:
        asked = [(k, w) for c, k, w in KNOWN if c == name]
    with tempfile.TemporaryDirectory() as folder:
        for k in sorted({k for k, _ in asked}):
            six = [(m, r) for m in SIX if (r := release(options.ksda, edges, communities, k, 0, m, folder))]
            prove = options.proof and k <= PROVED
            ours = {w: release(options.ksda, edges, communities, k, w, "level-plan", folder, prove) for q, w in asked
                    if q == k}
            for w, found in ours.items():
                yield row(name, k, w, w or vertices * vertices, found, ours, six) + (
                    proved(found if prove else None) if options.proof else "")


def proved(found):
    if not found:
        return " | | |"
    told = found[3]
    return (f" {told['lower_bound']:.0f} | {100 * told['gap']:.1f} % | {told['least_added_vertices']} |")


def row(name, k, weight, omega, found, ours, six):
    cost = lambda r: r[0] + omega * r[1]
    if not found:
        return f"| {name} | {k} | {weight or 'n^2'} | none found | | | | |"
    best = min(six, key=lambda pair: cost(pair[1]), default=None)
    known = KNOWN.get((name, k, weight))
    marks = ["above the six"] * bool(best and cost(best[1]) < cost(found)) + ["above the known"] * bool(
        known and cost(known) < cost(found)) + [f"beaten by weight {w or 'n^2'}" for w, r in ours.items()
                                                if r and cost(r) < cost(found)]
    return (f"| {name} | {k} | {weight or 'n^2'} | {found[0]}/{found[1]} | "
            f"{f'{best[1][0]}/{best[1][1]} {best[0]}' if best else 'none'} | {'%d/%d' % known if known else ''} | "
            f"{found[2]:.1f} | {', '.join(marks)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ksda", default=os.path.join(ROOT, "build", "ksda"))
    parser.add_argument("--data", default=os.path.join(os.path.dirname(ROOT), "shared", "data"))
    parser.add_argument("--known", action="store_true", help="only the rows for which a value is known")
    parser.add_argument("--proof", action="store_true", help="up to k = 5, with what is proved")
    parser.add_argument("networks", nargs="*", metavar="NETWORK")
    options = parser.parse_args()
    titles = ["communities", "k", "omega", "level-plan n_a/n_s", "best of the six", "known", "seconds", ""] + [
        "at least", "gap", "n_s at least"] * options.proof
    print("| " + " | ".join(titles) + " |\n" + "|---" * len(titles) + "|")
    for network in options.networks or NETWORKS:
        for line in rows_of(options, network):
            print(line, flush=True)


if __name__ == "__main__":
    main()
