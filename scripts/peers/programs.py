"""The programs that are measured: how each is called, and what it says of itself afterwards."""
import array
import json
import os
import sys
from pathlib import Path

LIBRARY = Path(__file__).resolve().parent / "library.py"


class Failed(Exception):
    """A program did not do what it should; one line."""


class Program:
    """One column of the tables, with a number of threads."""

    # Title, name on the command line, and whether it is one of brandes' engines.
    title = name = ""
    ours = False
    # What it can do.
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
        """The command line for a graph (simple.SimpleGraph), a list of sources or None for all."""
        raise NotImplementedError

    def environment(self):
        """What OpenMP and Rayon look at: nobody gets more threads than it should have."""
        threads = str(self.threads)
        return {**os.environ, "OMP_NUM_THREADS": threads, "RAYON_NUM_THREADS": threads}

    def result(self, graph, sources, folder, stdout):
        """After a run: (seconds computing, peak bytes, scores by vertex, remark)."""
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
    """`brandes run` on CPU workers with one of its engines."""

    ours = True

    def __init__(self, binary, engine, threads):
        super().__init__(threads)
        self.binary, self.engine = binary, engine
        self.title = f"brandes {engine}"
        self.name = f"brandes-{engine}"

    def command(self, graph, sources, folder):
        command = [self.binary, "run", graph.path, "--device", "none", "--no-profile", "--quiet",
                   "--cpu-workers", self.threads, "--cpu-engine", self.engine,
                   "--scores", folder / "scores.npy", "--report", folder / "report.json"]
        if graph.weights:
            command.append("--weighted")
        if sources is not None:
            command += ["--roots", sources.asked]
        return command

    def result(self, graph, sources, folder, stdout):
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        self.version = f"{report['program']['version']} ({report['program']['commit'] or 'no commit'})"
        read = report["input"]
        if (read["vertices"], read["edges"]) != (graph.vertices, graph.edges):
            raise Failed(f"{self.title} read {read['vertices']} vertices and {read['edges']} edges of "
                         f"{graph.name}, which has {graph.vertices} and {graph.edges}")
        if (report["weights"] is not None) != (graph.weights is not None):
            raise Failed(f"{self.title} did not take {graph.name} as weighted as it is")
        main = {span["name"]: span for span in report["timeline"] if span["track"] == "main"}
        seconds = main["unfold"]["end"] - main["read"]["end"]
        engines = {worker["engine"] for worker in report["workers"]}
        # An array of a number per vertex, in the order in which the file mentions them.
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
    """A Python library, through library.py."""

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


class Networkx(Library):
    """Only to check small graphs with."""

    title, name, parallel = "networkx", "networkx", False


class Boost(Program):
    """The program made of boost.cpp."""

    title, name, parallel, sources = "Boost", "boost", False, False

    def __init__(self, binary, threads):
        super().__init__(threads)
        self.binary = binary

    def command(self, graph, sources, folder):
        command = [self.binary, graph.path, folder / "scores"]
        return command + ["--weighted"] if graph.weights else command


LIBRARIES = {kind.name: kind for kind in (Igraph, NetworKit, Rustworkx)}
PEERS = (*LIBRARIES, Boost.name)
TITLES = {kind.name: kind.title for kind in (*LIBRARIES.values(), Boost)}
ENGINES = ("plain", "lanes", "clustered", "auto")


def say(text):
    print(f"bench-peers: {text}", file=sys.stderr, flush=True)
