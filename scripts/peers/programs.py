"""The programs to measure: their command lines and the results of a run."""
import array
import json
import os
import sys
from pathlib import Path

LIBRARY = Path(__file__).resolve().parent / "library.py"


class Failed(Exception):
    """A program failed or returned a wrong result; the text is one line."""


class Program:
    """A program with a number of threads: one column of the tables."""

    # The title, the name on the command line, and whether it is an engine of brandes.
    title = name = ""
    ours = False
    # Whether it supports several threads, weights, and chosen sources.
    parallel = True
    weighted = True
    sources = True

    def __init__(self, threads=1):
        self.threads = threads
        self.version = None

    @property
    def key(self):
        return f"{self.name}@{self.threads}"

    def command(self, graph, sources, folder):
        """Returns the command line for a graph and its sources; None means all vertices."""
        raise NotImplementedError

    def environment(self):
        """Returns the environment, which limits the threads of OpenMP and Rayon."""
        threads = str(self.threads)
        return {**os.environ, "OMP_NUM_THREADS": threads, "RAYON_NUM_THREADS": threads}

    def result(self, graph, folder, stdout):
        """Returns (seconds of computing, peak bytes, scores by vertex, remark) of a run."""
        lines = [json.loads(line) for line in stdout.splitlines() if line.startswith("{")]
        if not lines or "compute_seconds" not in lines[-1]:
            raise Failed(f"{self.title} printed no result")
        last = lines[-1]
        self.version = last["version"]
        scores = doubles((folder / "scores").read_bytes())
        return last["compute_seconds"], last["peak_bytes"], scores, None


def doubles(data):
    values = array.array("d")
    values.frombytes(data)
    return values


class Engine(Program):
    """`brandes run` on CPU workers with one engine, or on the first OpenCL device alone."""

    ours = True

    def __init__(self, binary, engine, threads):
        super().__init__(threads)
        self.binary, self.engine = binary, engine
        self.title = f"brandes {engine}"
        self.name = f"brandes-{engine}"

    def command(self, graph, sources, folder):
        where = (["--device", "0", "--cpu-workers", "0"] if self.engine == "device" else
                 ["--device", "none", "--cpu-workers", self.threads, "--cpu-engine", self.engine])
        command = [self.binary, "run", graph.path, *where, "--quiet",
                   "--scores", folder / "scores.npy", "--report", folder / "report.json"]
        if graph.weights:
            command.append("--weighted")
        if sources is not None:
            command += ["--roots", sources.option]
        return command

    def result(self, graph, folder, stdout):
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        self.version = f"{report['program']['version']} ({report['program']['commit'] or 'no commit'})"
        read = report["input"]
        if (read["vertices"], read["edges"]) != (graph.vertices, graph.edges):
            raise Failed(f"{self.title} read {read['vertices']} vertices and {read['edges']} edges of "
                         f"{graph.name}, which has {graph.vertices} and {graph.edges}")
        if (report["weights"] is not None) != (graph.weights is not None):
            raise Failed(f"{self.title} read the weights of {graph.name} incorrectly")
        main = {span["name"]: span for span in report["timeline"] if span["track"] == "main"}
        seconds = main["unfold"]["end"] - main["read"]["end"]
        if self.engine == "device":
            # The start of the device does not count.
            seconds = report["totals"]["search_seconds"]
        engines = {worker["engine"] for worker in report["workers"]}
        # The array has one score per vertex, in the order in which the file mentions them.
        data = (folder / "scores.npy").read_bytes()
        values = doubles(data[10 + int.from_bytes(data[8:10], "little"):])
        if len(values) != graph.vertices:
            raise Failed(f"{self.title} wrote {len(values)} scores for {graph.vertices} vertices")
        scores = array.array("d", bytes(8 * graph.vertices))
        for vertex, score in zip(graph.mentioned, values):
            scores[vertex] = score
        remark = ", ".join(sorted(filter(None, engines))) or "nothing to search"
        return seconds, report["totals"]["peak_rss_bytes"], scores, remark


class Library(Program):
    """A Python library, run by library.py."""

    def __init__(self, python, threads):
        super().__init__(threads)
        self.python = python

    def command(self, graph, sources, folder):
        command = [self.python, LIBRARY, self.name, graph.path, folder / "scores",
                   "--threads", self.threads]
        if graph.weights:
            command.append("--weighted")
        if sources is not None:
            listed = folder / "sources"
            listed.write_text("".join(f"{vertex}\n" for vertex in sources), encoding="ascii")
            command += ["--sources", listed]
        return command


class Igraph(Library):
    title, name, parallel = "igraph", "igraph", False


class NetworKit(Library):
    title, name, sources = "NetworKit", "networkit", False


class Rustworkx(Library):
    title, name, sources, weighted = "rustworkx", "rustworkx", False, False


class Boost(Program):
    """The program compiled from boost.cpp."""

    title, name, parallel, sources = "Boost", "boost", False, False

    def __init__(self, binary, threads):
        super().__init__(threads)
        self.binary = binary

    def command(self, graph, sources, folder):
        command = [self.binary, graph.path, folder / "scores"]
        return command + ["--weighted"] if graph.weights else command


LIBRARIES = {kind.name: kind for kind in (Igraph, NetworKit, Rustworkx)}
PEERS = (*LIBRARIES, Boost.name)
ENGINES = ("plain", "lanes", "clustered", "auto", "device")


def say(text):
    print(f"bench-peers: {text}", file=sys.stderr, flush=True)
