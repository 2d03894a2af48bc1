"""Errors, Ctrl-C, progress, threads, fork, memory."""

import concurrent.futures
import gc
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import ksda


def big(n=20000, m=200000, parts=20):
    rng = np.random.default_rng(5)
    return ksda.Graph.from_edges(rng.integers(0, n, (m, 2)), vertices=n), (np.arange(n) % parts).tolist()


def test_errors_have_the_library_s_words():
    with pytest.raises(ksda.InvalidError, match="k"):
        ksda.anonymize([(0, 1)], [0, 1], k=5)
    with pytest.raises(ksda.InvalidError):
        ksda.anonymize([(0, 1)], [0, 1], k=0)
    with pytest.raises(ksda.InvalidError, match="no method"):
        ksda.anonymize([(0, 1)], [0, 1], k=2, method="magic")
    with pytest.raises(ksda.InfeasibleError) as caught:
        ksda.anonymize(ksda.Graph.from_edges([(0, 1), (1, 2)], vertices=4), [0, 0, 1, 2], k=3)
    assert caught.value.name == "impossible" and caught.value.code < 0
    with pytest.raises(ksda.InvalidError, match="baseline"):
        ksda.anonymize([(0, 1), (2, 3)], [0, 0, 1, 1], k=2, method="k-degree")


def test_ctrl_c_stops_within_a_second_or_two():
    graph, labels = big()
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    begun = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        ksda.measure(graph, labels, exact=True)
        while True:  # measured already: the signal is still to come
            time.sleep(0.1)
    assert time.process_time() - begun < 60
    assert ksda.check(graph, labels, k=2) is not None  # and everything still works


def test_a_call_that_was_interrupted_has_ended_when_it_is_left():
    graph, labels = big(5000, 40000)
    for delay in (0.01, 0.05, 0.1, 0.2, 0.3):
        timers = [threading.Timer(delay * i, os.kill, (os.getpid(), signal.SIGINT)) for i in (1, 1.01, 1.5)]
        try:
            for timer in timers:
                timer.start()
            ksda.measure(graph, labels, exact=True)
            while True:
                time.sleep(0.05)
        except KeyboardInterrupt:
            pass
        while any(timer.is_alive() for timer in timers):  # those that are still to come
            try:
                time.sleep(0.05)
            except KeyboardInterrupt:
                pass
    assert ksda.check(graph, labels, k=2) is not None


def test_progress_is_told_and_can_stop():
    graph, labels = big(800, 4000)
    seen = []
    ksda.anonymize(graph, labels, k=3, progress=lambda stage, done, total: seen.append(stage))
    assert seen

    class Enough(Exception):
        pass

    def stop(stage, done, total):
        raise Enough

    with pytest.raises(Enough):
        ksda.anonymize(graph, labels, k=3, progress=stop)


def test_time_limit_hands_over_a_release():
    graph, labels = big()
    release = ksda.anonymize(graph, labels, k=5, time_limit=0.05)
    assert release.verify()["satisfied"]


def test_calls_from_many_threads():
    graph, labels = big(150, 600, 4)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        costs = list(pool.map(lambda _: ksda.anonymize(graph, labels, k=3, threads=1, proof=False).cost, range(8)))
    assert len(set(costs)) == 1


def test_other_threads_run_during_a_call():
    graph, labels = big(3000, 30000)
    ticks, over = [0], threading.Event()

    def tick():
        while not over.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    clock = threading.Thread(target=tick)
    clock.start()
    ksda.measure(graph, labels)
    over.set()
    clock.join()
    assert ticks[0] > 5


def test_after_a_fork():
    graph, labels = big(300, 1500, 4)
    child = os.fork()
    if child == 0:
        try:
            ok = ksda.anonymize(graph, labels, k=2, proof=False).verify()["satisfied"]
            os._exit(0 if ok else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_thousand_calls_leak_nothing():
    draw = np.random.default_rng(1)
    edges, labels = [(v, (v + 1) % 30) for v in range(30)], [v % 3 for v in range(30)]

    def some_calls(times):
        for i in range(times):
            g = ksda.Graph.from_edges(np.array(edges + [tuple(draw.integers(0, 30, 2))]))
            kind = i % 5
            if kind == 0:
                ksda.anonymize(g, labels, k=2, proof=False).mapping
            elif kind == 1:
                ksda.check(g, labels, k=2)
            elif kind == 2:
                g.to_scipy(), g.names, g.targets
            elif kind == 3:
                ksda.Graph.from_csr(g.offsets, g.targets)
            else:
                with pytest.raises(ksda.InvalidError):
                    ksda.check(g, labels, k=99)
        gc.collect()

    some_calls(200)
    before = memory()
    some_calls(1000)
    assert memory() - before < 8 << 20


@pytest.mark.parametrize(
    "field", ['("vertices", c_uint32),\n        ("other", c_uint64)', '("vertex_count", c_uint32)', '("vertices", c_uint64)']
)
def test_a_library_of_another_release_is_refused(tmp_path, field):
    shutil.copytree(os.path.dirname(ksda.__file__), tmp_path / "ksda")
    declarations = tmp_path / "ksda" / "_declarations.py"
    begin, struct, rest = declarations.read_text().partition("class ksda_csr(Structure):")
    declarations.write_text(begin + struct + rest.replace('("vertices", c_uint32)', field, 1))
    library = {"KSDA_LIBRARY": ksda._library.lib._name}
    done = subprocess.run(
        [sys.executable, "-c", "import ksda"], capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, **library, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode and "ksda_csr" in done.stderr and "different releases" in done.stderr


def test_a_library_that_is_not_there_is_named():
    done = subprocess.run(
        [sys.executable, "-c", "import ksda"], capture_output=True, text=True, env={**os.environ, "KSDA_LIBRARY": "/nowhere.so"}
    )
    assert done.returncode and "/nowhere.so" in done.stderr and "KSDA_LIBRARY" in done.stderr


def test_without_numpy_it_says_what_is_missing(tmp_path):
    (tmp_path / "numpy.py").write_text("raise ImportError('not here')\n")
    done = subprocess.run(
        [sys.executable, "-c", "import ksda"], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.path.dirname(os.path.dirname(ksda.__file__))])},
    )  # fmt: skip
    assert done.returncode and "ksda needs numpy" in done.stderr and sys.executable in done.stderr
