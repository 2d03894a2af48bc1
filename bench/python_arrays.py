#!/usr/bin/env python3
"""From numpy arrays to a verified release, beside `ksda anonymize` from a raw file of the same pairs.

Usage: python_arrays.py KSDA [SCALE [EDGES]]    2^SCALE vertices, default 20, and 10,000,000 edges; k = 10

Both sides load, anonymize and verify in two threads, without proof; the command also writes. Processor time of a whole
process each, Python's start and the making of the arrays left out, and the seconds of the clock beside it."""
import os
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy as np

import ksda


def processor_seconds(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def timed(who, call):
    processor, clock = processor_seconds(who), time.monotonic()
    result = call()
    return result, processor_seconds(who) - processor, time.monotonic() - clock


def main(program, scale="20", edges="10000000"):
    with tempfile.TemporaryDirectory() as folder:
        pairs, who = os.path.join(folder, "pairs.u32"), os.path.join(folder, "communities")
        subprocess.run([program, "generate", "rmat", "--scale", scale, "--edges", edges, "--blocks", "64", "-q",
                        "-o", pairs, "--communities", who], check=True)
        ends = np.fromfile(pairs, dtype=np.uint32).reshape(-1, 2)
        labels = np.loadtxt(who, dtype=np.int64)
        community = np.zeros(1 << int(scale), dtype=np.int64)
        community[labels[:, 0]] = labels[:, 1]

        def in_python():
            graph = ksda.Graph.from_edges(ends, vertices=len(community))
            return ksda.anonymize(graph, community, k=10, proof=False, threads=2)

        command = [program, "anonymize", pairs, "-c", who, "-k", "10", "--no-proof", "-t", "2", "-q",
                   "-o", os.path.join(folder, "published.u32"), "--map", os.path.join(folder, "map")]
        _, theirs, their_clock = timed(resource.RUSAGE_CHILDREN, lambda: subprocess.run(command, check=True))
        release, ours, our_clock = timed(resource.RUSAGE_SELF, in_python)
        print(f"{len(ends):,} edges; {release.added_edges} added, {release.added_vertices} split")
        print(f"command from a raw file  {theirs:7.2f} s CPU {their_clock:7.2f} s clock")
        print(f"Python from numpy arrays {ours:7.2f} s CPU {our_clock:7.2f} s clock   {ours / theirs:.2f} x CPU, "
              f"{our_clock / their_clock:.2f} x clock")


if __name__ == "__main__":
    main(*sys.argv[1:])
