#!/usr/bin/env python3
"""Compares estimates of brandes and of NetworKit, both with a guarantee, on CPU cores.

Prints a Markdown table: the median seconds of computing, the median number of draws (sources or
paths), and the largest error of a normalised score in all rounds. Each program
reads the same edge list, undirected and without weights, as NetworKit's estimates require, and its
guarantee fails with a probability of at most 0.1.
"""
import argparse
import csv
import gzip
import io
import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import graphs  # noqa: E402  (after the line above)
import measure  # noqa: E402
import programs  # noqa: E402
import tools  # noqa: E402
from tables import figure, processor, table  # noqa: E402

GRAPHS = ["p2p-Gnutella31", "soc-Epinions1", "loc-brightkite_edges", "wiki-Vote", "CA-HepPh", "facebook_combined",
          "rgg_n_2_15_s0", "delaunay_n16", "luxembourg_osm", "USA-road-d.NY"]


class Estimate(programs.Engine):
    """`brandes run --epsilon` on CPU workers."""

    def run(self, graph, epsilon, seed, folder):
        return [*self.command(graph, None, folder), "--epsilon", epsilon, "--confidence", 0.9, "--seed", seed]

    def result(self, graph, folder, stdout):
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        main = {span["name"]: span["end"] for span in report["timeline"] if span["track"] == "main"}
        data = (folder / "scores.npy").read_bytes()
        # Rows of score, lower and upper, in the order in which the file mentions vertices.
        rows = programs.doubles(data[10 + int.from_bytes(data[8:10], "little"):])
        seconds = max(main["search"], main.get("unfold", 0)) - main["read"]
        return seconds, report["estimate"]["draws"], dict(zip(graph.mentioned, rows[::3]))


class Kadabra(programs.Library):
    """An estimate of NetworKit."""

    title = name = "kadabra"

    def run(self, graph, epsilon, seed, folder):
        return [*self.command(graph, None, folder), "--epsilon", epsilon, "--seed", seed]

    def result(self, graph, folder, stdout):
        last = json.loads(stdout.splitlines()[-1])
        self.version = last["version"]
        scores = programs.doubles((folder / "scores").read_bytes())
        return last["compute_seconds"], last["samples"], dict(enumerate(scores))


def reference(folder, graph):
    """Returns the exact normalised scores by vertex, from NAME.csv.gz with unordered pairs; or None."""
    path = folder and folder / f"{graph.name}.csv.gz"
    if not path or not path.is_file():
        return None
    pairs = (graph.vertices - 1) * (graph.vertices - 2) / 2
    rows = csv.DictReader(io.StringIO(gzip.decompress(path.read_bytes()).decode("utf-8")))
    return {graph.number[row["vertex"]]: float(row["score"]) / pairs for row in rows if row["vertex"] in graph.number}


def cells(program, graph, exact, epsilon, options, scratch):
    """Returns the seconds, the samples and the largest error of a program, as text."""
    seconds, samples, worst = [], [], 0.0
    for seed in range(1, options.repeat + 1):
        folder = Path(tempfile.mkdtemp(dir=scratch))
        command = program.run(graph, epsilon, seed, folder)
        code, _, stdout, stderr = measure.child(command, program.environment(), options.limit)
        if code is None:
            return [f"> {figure(options.limit)}", "-", "-"]
        if code != 0:
            raise tools.Missing(f"{program.name} failed on {graph.name}: {stderr.strip()[-500:]}")
        elapsed, count, scores = program.result(graph, folder, stdout)
        seconds.append(elapsed)
        samples.append(count)
        if exact:
            worst = max(worst, *(abs(scores[vertex] - score) for vertex, score in exact.items()))
    error = f"{worst:.5f}" if exact else "-"
    return [figure(statistics.median(seconds)), f"{statistics.median(samples):,.0f}", error]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--graphs", type=lambda text: text.split(","), default=GRAPHS, metavar="NAME,...")
    add("--graphs-dir", type=Path, default=graphs.DOWNLOADS, metavar="DIR")
    add("--reference", type=Path, metavar="DIR", help="folder of exact scores NAME.csv.gz: vertex,score in pairs")
    add("--epsilon", type=lambda text: text.split(","), default=["0.01", "0.005"], metavar="E,...")
    add("--threads", type=int, default=2, metavar="N")
    add("--repeat", type=int, default=3, metavar="N", help="rounds, each with another seed")
    add("--limit", type=float, default=600.0, metavar="SECONDS", help="stop a program that runs longer")
    add("--venv", metavar="DIR", help="a virtual environment with NetworKit and NumPy")
    add("--brandes", metavar="FILE")
    options = parser.parse_args()
    try:
        brandes = Estimate(tools.brandes(options.brandes), "auto", options.threads)
        kadabra = Kadabra(tools.python(options.venv), options.threads)
        rows = []
        with tempfile.TemporaryDirectory(prefix="bench-estimates-") as scratch:
            for name in options.graphs:
                source = graphs.source(name, options.graphs_dir, brandes.binary, Path(scratch))
                graph = graphs.SimpleGraph(graphs.label(name), source, Path(scratch) / "graph.txt", brandes.binary,
                                           False)
                exact = reference(options.reference, graph)
                for epsilon in options.epsilon:
                    programs.say(f"{graph.name}, epsilon {epsilon}")
                    row = [graph.name, f"{graph.vertices:,}", epsilon]
                    for program in (brandes, kadabra):
                        row += cells(program, graph, exact, epsilon, options, scratch)
                    rows.append(row)
    except tools.Missing as error:
        programs.say(error)
        return 2
    header = ["graph", "vertices", "epsilon", "brandes, s", "draws", "largest error", "KADABRA, s", "paths",
              "largest error"]
    print(f"{processor()}, {options.threads} threads, medians of {options.repeat}, NetworKit "
          f"{kadabra.version}\n\n{table(header, rows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
