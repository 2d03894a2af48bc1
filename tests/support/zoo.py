#!/usr/bin/env python3
"""Drive every method and command over networks of extreme shapes with a time limit, and measure.

A run passes when it needs at most the limit and a second more of processor time on one thread (and what starting and
reading a network of that size need), ends with an allowed exit code, leaves a release that verifies when it says
that there is one, and has used no more memory than a fixed amount and so many bytes for every vertex and edge.

zoo.py small|large [NAME...]    KSDA: the command; KSDA_ZOO_FACTOR: times slower than a plain build (sanitizers);
                                KSDA_ZOO_EVERY=2: every second animal only
"""
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

KSDA = os.environ["KSDA"]
FACTOR = float(os.environ.get("KSDA_ZOO_FACTOR", "1"))
LIMIT = (3 if sys.argv[1:2] == ["large"] else 0.5) * FACTOR
BASE_BYTES, VERTEX_BYTES, EDGE_BYTES = 96e6, 700, 250
EXACT_BYTES = 8000  # a vertex, for the tables of the exact method
NOTHING_YET = ("measure", "measure --exact", "compare", "detect leiden", "detect metis", "check --report", "sweep")
METHODS = ["level-plan", "edge-connect", "inverse-edge-connect", "create-by-split", "merge-by-split", "flex-split",
           "splitting-only", "k-degree", "optimal"]


# --- the animals: edges, a community for every vertex, k ---------------------------------------------------------------

def star(leaves, communities=3):
    return [(0, v) for v in range(1, leaves + 1)], [v % communities for v in range(leaves + 1)], 2


def stars(count, leaves, communities):
    edges = [(s * (leaves + 1), s * (leaves + 1) + v) for s in range(count) for v in range(1, leaves + 1)]
    return edges, [v % communities for v in range(count * (leaves + 1))], 3


def together(count, leaves, communities):
    """Stars whose centres are all in one community."""
    edges, community, k = stars(count, leaves, communities)
    return edges, [0 if v % (leaves + 1) == 0 else c for v, c in enumerate(community)], k


def unlike(count, least, communities, centre):
    """Stars with least, least + 1, ... leaves, the centres in the communities that `centre` says."""
    edges, community = [], []
    for s in range(count):
        first = len(community)
        edges += [(first, first + v) for v in range(1, least + s + 1)]
        community += [centre(s)] + [v % communities for v in range(first + 1, first + least + s + 1)]
    return edges, community, 3


def clique(n):
    return [(u, v) for u in range(n) for v in range(u)], [v % 5 for v in range(n)], 3


def path(n):
    return [(v, v + 1) for v in range(n - 1)], [v * 10 // n for v in range(n)], 3


def giant(n, singles):
    r = random.Random(1)
    edges = [(v, r.randrange(v)) for v in range(1, n)] + [(r.randrange(n), n + i) for i in range(singles)]
    return edges, [0] * n + list(range(1, singles + 1)), 3


def many_communities(n, communities, k):
    r = random.Random(2)
    edges = [(v, int(v * r.random() ** 2)) for v in range(1, n)] + [(r.randrange(n), r.randrange(n)) for _ in range(n)]
    return edges, [v % communities for v in range(n)], k


def isolated(n, alone):
    r = random.Random(3)
    edges = [(r.randrange(n), r.randrange(n)) for _ in range(3 * n)] + [(v, (v + 1) % n) for v in range(n)]
    return (edges, n + alone), [v % 20 for v in range(n + alone)], 3


def hubs(count, n):
    """Hubs that know everybody, in communities of a few."""
    return [(h, v) for h in range(count) for v in range(count, n)], [v % (n // 8) for v in range(n)], 4


def matching(pairs, communities):
    return [(2 * i, 2 * i + 1) for i in range(pairs)], [v % communities for v in range(2 * pairs)], 2


def bipartite(a, b):
    return [(u, a + v) for u in range(a) for v in range(b)], [v % 4 for v in range(a + b)], 3


def caterpillar(spine, legs):
    edges = [(v, v + 1) for v in range(spine - 1)]
    edges += [(v, spine + v * legs + i) for v in range(spine) for i in range(legs)]
    return edges, [v % 7 for v in range(spine * (legs + 1))], 3


def grid(side):
    edges = [(x * side + y, x * side + y + 1) for x in range(side) for y in range(side - 1)]
    edges += [(x * side + y, x * side + side + y) for x in range(side - 1) for y in range(side)]
    return edges, [(v // side * 4 // side) * 4 + v % side * 4 // side for v in range(side * side)], 4


def steps(n):
    """Every degree once or twice: as many levels as there can be."""
    return [(u, v) for u in range(n) for v in range(u) if u + v >= n], [v % 6 for v in range(n)], 5


ZOO = {
    "small": {
        "star": lambda: star(3000),
        "stars": lambda: stars(30, 200, 6),
        "hubs together": lambda: together(30, 200, 6),
        "clique": lambda: clique(150),
        "path": lambda: path(20000),
        "giant": lambda: giant(4000, 300),
        "many communities": lambda: many_communities(8000, 2000, 5),
        "k = |C|": lambda: many_communities(2000, 60, 60),
        "isolated": lambda: isolated(1500, 200),
        "hubs": lambda: hubs(4, 1500),
        "matching": lambda: matching(10000, 5000),
        "bipartite": lambda: bipartite(10, 400),
        "caterpillar": lambda: caterpillar(400, 12),
        "grid": lambda: grid(60),
        "steps": lambda: steps(160),
    },
    "large": {
        "star 10^3": lambda: star(1030),
        "star 10^5": lambda: star(100000),
        "star 10^6": lambda: star(1000000),
        "stars": lambda: stars(600, 1000, 50),
        "hubs together": lambda: together(600, 1000, 50),
        "unlike hubs": lambda: unlike(400, 800, 50, lambda s: s % 50),
        "unlike hubs in two": lambda: unlike(400, 800, 50, lambda s: s % 2),
        "unlike hubs in one": lambda: unlike(400, 800, 50, lambda s: 0),
        "clique": lambda: clique(2000),
        "path": lambda: path(1000000),
        "giant": lambda: giant(300000, 1000),
        "10^5 communities": lambda: many_communities(300000, 100000, 5),
        "k = |C|": lambda: many_communities(100000, 1000, 1000),
        "k = |C| = 20000": lambda: many_communities(100000, 20000, 20000),
        "isolated": lambda: isolated(200000, 20000),
        "hubs": lambda: hubs(20, 50000),
        "matching 10^5": lambda: matching(100000, 50000),
        "matching 10^6": lambda: matching(1000000, 500000),
        "bipartite": lambda: bipartite(100, 10000),
        "caterpillar": lambda: caterpillar(20000, 40),
        "grid": lambda: grid(800),
        "steps": lambda: steps(1500),
    },
}


def write(animal):
    edges, community, k = animal
    if isinstance(edges, tuple):
        edges, n = edges
    else:
        n = len(community)
    with open("g.mtx", "w") as f:  # the format that knows vertices without edges
        f.write("%%MatrixMarket matrix coordinate pattern symmetric\n")
        f.write(f"{n} {n} {len(edges)}\n")
        f.writelines(f"{max(u, v) + 1} {min(u, v) + 1}\n" for u, v in edges)
    with open("g.communities", "w") as f:
        f.writelines(f"{v + 1} {c}\n" for v, c in enumerate(community))
    return n, len(edges), k


# --- running and judging -------------------------------------------------------------------------------------------------

def run(arguments, limited=True):
    command = [KSDA] + arguments + ["--threads", "1", "--quiet"]
    if limited:
        command += ["--time-limit", str(LIMIT)]
    out = open("stdout", "w")
    err = open("stderr", "w")
    child = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
    give_up = time.monotonic() + 60 + 10 * LIMIT
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > give_up:
            child.kill()
            os.wait4(child.pid, 0)
            return None, give_up, 0
        time.sleep(0.005)
    child.returncode = 0
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


class Judge:
    def __init__(self, size):
        self.bytes = BASE_BYTES + VERTEX_BYTES * size[0] + EDGE_BYTES * size[1]
        self.bytes *= 4 if FACTOR > 1 else 1
        self.exact_bytes = self.bytes + EXACT_BYTES * size[0]
        # what has to be written once there is a release, and is not cut: about what reading takes
        self.seconds = LIMIT + FACTOR * (1 + 1e-6 * (size[0] + size[1]))
        self.failures = []

    @staticmethod
    def excused(what, seconds):
        """Who measures or detects has nothing to show when the time is over; who anonymizes has a release, unless a busy
        machine left it less than half of the limit, which is by the clock, to read the network."""
        return what in NOTHING_YET or seconds < LIMIT / 2

    def look(self, name, what, arguments, allowed):
        code, seconds, memory = run(arguments)
        said = open("stderr").read().strip()[:200]
        bad = []
        if code is None:
            bad.append("does not end")
        elif code not in allowed and not (code == 1 and "the time limit of" in said and self.excused(what, seconds)):
            bad.append(f"exit {code}")
        if seconds > self.seconds:
            bad.append(f"{seconds:.2f} s, allowed {self.seconds:.2f}")
        most = self.exact_bytes if what == "optimal" else self.bytes
        if memory > most:
            bad.append(f"{memory / 1e6:.0f} MB, allowed {most / 1e6:.0f}")
        if code in (1, 4) and not said.startswith("ksda: ") and not what.startswith("check"):
            bad.append("no message")
        print(f"{'FAILED ' if bad else 'ok     '}{name:18} {what:28} exit {code}  {seconds:6.2f} s {memory / 1e6:7.0f} MB  "
              f"{'; '.join(bad)}{' | ' + said if said and bad else ''}", flush=True)
        self.failures += bad
        return code


def bring(animal):
    """Write the network from a process of its own: a child begins with its parent's memory, and that is measured."""
    pid = os.fork()
    if pid == 0:
        with open("size", "w") as f:
            f.write(" ".join(map(str, write(animal()))))
        os._exit(0)
    os.waitpid(pid, 0)
    with open("size") as f:
        return tuple(map(int, f.read().split()))


def visit(name, animal, whole):
    size = bring(animal)
    judge = Judge(size)
    k = str(size[2])
    net = ["g.mtx", "-c", "g.communities"]
    for method in METHODS:
        for f in ("p.edges", "p.map"):
            if os.path.exists(f):
                os.unlink(f)
        code = judge.look(name, method, ["anonymize"] + net + ["-k", k, "-m", method, "-o", "p.edges", "--map", "p.map"],
                          (0, 4, 5))
        if code in (0, 5) and method != "k-degree":
            again, _, _ = run(["verify"] + net[:1] + ["p.edges"] + net[1:] + ["--map", "p.map", "-k", k], limited=False)
            if again != 0:
                judge.failures.append("verify")
                print(f"FAILED {name} {method}: verify says {again}: {open('stderr').read()}")
        if method == "level-plan" and code in (0, 5):
            os.rename("p.edges", "r.edges")
            os.rename("p.map", "r.map")
    others = [
        ("frontier", ["anonymize"] + net + ["-k", k, "--frontier"], (0, 4, 5)),
        ("report", ["anonymize"] + net + ["-k", k, "-o", "q.edges", "--report", "q.html"], (0, 4, 5)),
        ("optimal", ["optimal"] + net + ["-k", k, "-o", "q.edges"], (0, 4, 5)),
        ("check", ["check"] + net + ["-k", k], (0, 4)),
        ("check --report", ["check"] + net + ["-k", k, "--report", "q.html"], (0, 4)),
        ("stats", ["stats"] + net, (0,)),
        ("measure", ["measure"] + net, (0,)),
        ("measure --exact", ["measure"] + net + ["--exact"], (0,)),
        ("detect leiden", ["detect", "g.mtx", "-m", "leiden", "-o", "q.communities"], (0,)),
        ("detect metis", ["detect", "g.mtx", "-m", "metis:8", "-o", "q.communities"], (0,)),
        ("convert", ["convert", "g.mtx", "-o", "q.graphml"], (0,)),
        ("sweep", ["sweep"] + net + ["-k", k, "-m", "level-plan,merge-by-split"], (0, 5)),
    ]
    if os.path.exists("r.map"):
        others.append(("verify", ["verify", "g.mtx", "r.edges", "-c", "g.communities", "--map", "r.map", "-k", k], (0,)))
        others.append(("compare", ["compare", "g.mtx", "r.edges", "--map", "r.map"], (0,)))
    for what, arguments, allowed in others:
        if whole or what in ("frontier", "measure", "compare", "sweep", "detect leiden"):
            judge.look(name, what, arguments, allowed)
    return len(judge.failures)


def main():
    which = sys.argv[1]
    names = sys.argv[2:] or list(ZOO[which])[:: int(os.environ.get("KSDA_ZOO_EVERY", "1"))]
    failures = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            failures += visit(name, ZOO[which][name], which == "large")
            os.chdir("/")
    print(f"{failures} failures, {resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime:.0f} s of processor time")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
