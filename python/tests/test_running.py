"""Tests threads, signals, forks and leaks."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import brandes

#: A program that searches for minutes, and continues with another search after Ctrl-C.
LONG = """
import brandes, numpy as np, os, sys
rng = np.random.default_rng(1)
graph = (*rng.integers(0, 50_000, (2, 250_000)), rng.random(250_000) + 0.1)
show = lambda *roots: print("begun" if roots[0] else "", flush=True)
kept = {"checkpoint": "progress"} if sys.argv[1] == "keep" else {}
try:
    print("ready", flush=True)
    device = sys.argv[1] if sys.argv[1] != "keep" else None
    brandes.betweenness(graph, progress=show, device=device, **kept)
except KeyboardInterrupt:
    # The file is written before the exception is raised.
    print("interrupted", os.path.exists("progress"))
# The cancelled search may still run in threads; another search works meanwhile.
assert brandes.betweenness(([0, 1], [1, 2]), normalized=False).values.tolist() == [0, 1, 0]
print("alive")
"""


@pytest.mark.parametrize(
    ("mode", "line"), [("none", "ready\n"), ("all", "begun\n"), ("keep", "begun\n")]
)
def test_ctrl_c_ends_a_search(mode: str, line: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", LONG, mode]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as child:
        assert child.stdout is not None
        while child.stdout.readline() not in (line, ""):
            pass
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        *_, before, last = child.stdout
    assert (before, last, child.returncode) == (f"interrupted {mode == 'keep'}\n", "alive\n", 0)


def test_several_threads_may_search_at_once() -> None:
    rng = np.random.default_rng(2)
    graphs = [tuple(rng.integers(0, 300, (2, 900))) for _ in range(8)]

    def search(graph: tuple) -> list[np.ndarray]:
        return [brandes.betweenness(graph).values for _ in range(5)]

    alone = [search(graph)[0] for graph in graphs]
    with ThreadPoolExecutor(8) as threads:
        for one, several in zip(alone, threads.map(search, graphs), strict=True):
            np.testing.assert_allclose(several, [one] * 5, rtol=1e-12)


def test_other_threads_run_meanwhile() -> None:
    rng = np.random.default_rng(3)
    graph = tuple(rng.integers(0, 20_000, (2, 60_000)))
    ticks, end = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not end.wait(0.01):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks
    brandes.betweenness(graph, sources=2000, seed=1, device=None)
    # A search that holds the lock lets the thread run once before and once after it.
    passed = ticks - before
    end.set()
    thread.join()
    assert passed > 2


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_processes_search_too() -> None:
    graph = tuple(np.random.default_rng(4).integers(0, 2000, (2, 200_000)))
    scores = brandes.betweenness(graph, sources=10, seed=1).values

    def again() -> None:
        assert np.allclose(scores, brandes.betweenness(graph, sources=10, seed=1).values)

    child = multiprocessing.get_context("fork").Process(target=again, daemon=True)
    child.start()
    child.join(60)
    assert child.exitcode == 0, "None: the child hangs"


def leaked(calls: Callable[[int], None], warm: int, count: int) -> int:
    """Returns how many bytes of memory `count` calls add, after some calls to warm up."""
    calls(warm)
    statm = Path("/proc/self/statm")
    before = int(statm.read_text().split()[1])
    calls(count)
    return (int(statm.read_text().split()[1]) - before) * resource.getpagesize()


def test_ten_thousand_calls_leak_no_memory() -> None:
    rng = np.random.default_rng(5)
    tails, heads = rng.integers(0, 40, (2, 80))
    names = [str(v) for v in tails.tolist()], [str(v) for v in heads.tolist()]
    weights = rng.integers(1, 5, 80)

    def calls(count: int) -> None:
        for number in range(count):
            kind = number % 4
            if kind == 0:
                brandes.betweenness((tails, heads), edges=True).report  # noqa: B018
            elif kind == 1:
                brandes.betweenness((tails, heads, weights), directed=True, sources=3, seed=1)
            elif kind == 2:
                assert len(brandes.edge_betweenness(names).labels) > 0
            else:
                with pytest.raises(ValueError, match="above zero"):
                    brandes.betweenness((tails, heads, -weights))

    assert leaked(calls, 1000, 10_000) < 16 << 20


def test_a_thousand_threads_leak_no_memory() -> None:
    def threads(count: int) -> None:
        for _ in range(count):
            with ThreadPoolExecutor(1) as thread:
                scores = thread.submit(brandes.betweenness, [(0, 1), (1, 2)]).result()
            assert scores[1] == 1

    assert leaked(threads, 500, 1000) < 4 << 20


#: A program whose memory suffices for a graph, but not for searching it.
CRAMPED = """
import brandes, numpy as np, resource, sys
from pathlib import Path
brandes.betweenness(([0], [1]))
ends = np.random.default_rng(1).integers(0, 1 << 20, (2, 4_000_000))
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
for spare in range(8, 136, 16):
    resource.setrlimit(resource.RLIMIT_AS, (used + (spare << 20), -1))
    try:
        brandes.betweenness(tuple(ends), sources=1, seed=1, directed=True, cpu_workers=1)
    except MemoryError as error:
        print(error)
    else:
        print("enough")
"""


def test_too_little_memory_is_an_exception() -> None:
    # With several arenas, each thread may reserve 64 MiB of the limited address space at any time.
    env = {**os.environ, "MALLOC_ARENA_MAX": "1"}
    child = subprocess.run([sys.executable, "-c", CRAMPED], capture_output=True, text=True, env=env)
    assert child.returncode == 0, child.stderr
    assert child.stdout.count("memory") > 3
