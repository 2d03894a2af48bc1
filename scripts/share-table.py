#!/usr/bin/env python3
"""Print docs/results/share.md's table: what the share bound 1/k costs on real networks, every release recounted.

    scripts/share-table.py KSDA DATA [NAME...]        NAME: rows whose network is called so; default all
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

ROWS = [
    ("LesMis", "lesmis.edges", "lesmis.metis4.communities"),
    ("football", "football.edges", "football.communities"),
    ("reed98-dorm", "reed98-dorm.edges", "reed98-dorm.communities"),
    ("reed98-year", "reed98-year.edges", "reed98-year.communities"),
    ("reed98-major", "reed98-major.edges", "reed98-major.communities"),
    ("email-Eu-core", "email-Eu-core.edges", "email-Eu-core.communities"),
    ("polblogs", "polblogs.edges", "polblogs.communities"),
    ("AirPort-8", "usairport500.edges", "usairport500.metis8.communities"),
    ("AirPort-5", "usairport500.edges", "usairport500.metis5.communities"),
    ("lastfm", "lastfm.edges", "lastfm.communities"),
    ("ca-CondMat", "ca-CondMat.edges.gz", "ca-CondMat.metis100.communities"),
    ("dblp-csr20p2", "dblp-csr20p2.edges.gz", "dblp-csr20p2.communities"),
]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


def processor_seconds():
    """Of all commands that have ended, user time."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def row(ksda, data, name, graph, communities, k, folder):
    graph, communities = os.path.join(data, graph), os.path.join(data, communities)
    share, out, owners = "1/%d" % k, os.path.join(folder, "out.edges"), os.path.join(folder, "out.map")
    files = [graph, "-c", communities]
    begun = processor_seconds()
    code, s = run(ksda, "anonymize", *files, "-k", str(k), "--max-share", share, "-o", out, "--map", owners, "--force", "-q", "--json", "--publish-communities", out + ".c")
    seconds = processor_seconds() - begun
    if "failure" in s:
        return "| %s | %s | – | – | – | – | – | – | – | %s |" % (name, share, s["failure"]["message"])
    verified, _ = run(ksda, "verify", files[0], out, *files[1:], "--map", owners, "-k", str(k), "--max-share", share, "-q", "--json")
    _, before = run(ksda, "check", *files, "-q", "--json")
    _, after = run(ksda, "check", out, "-c", out + ".c", "-q", "--json")
    attack = "%.1f → %.1f (blind %.1f), surest %.1f" % tuple(
        100 * x for x in (before["attack"]["expected_success"], after["attack"]["expected_success"], after["attack"]["baseline_success"], after["attack"]["largest_posterior"]))
    least = s["least_added_edges"] if s["added_vertices"] == 0 else None
    return "| %s | %s | %d | %.2f | %d | %s | %s | %.1f | %.1f | %s%s |" % (
        name, share, s["added_edges"], 100 * s["added_edges"] / s["edges"], s["added_vertices"],
        "%d (%+.0f %%)" % (least, 100 * (s["added_edges"] / max(least, 1) - 1)) if least else "–", s["least_added_vertices"], s["seconds"]["search"], seconds,
        attack, "" if verified == 0 else " **verify: exit %d**" % verified)


def main(ksda, data, *names):
    print("| network | A | n_a | % of edges | n_s | n_a at least | n_s at least | search, s | processor, s | a guess by degree is right, % |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, graph, communities in ROWS:
            for k in (2, 3, 5):
                if not names or name in names:
                    print(row(ksda, data, name, graph, communities, k, folder), flush=True)


main(*sys.argv[1:])
