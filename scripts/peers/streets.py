#!/usr/bin/env python3
"""Compares brandes with cityseer: betweenness and closeness within radii, on a street network.

Prints a Markdown table; --help lists the options. cityseer measures the geometries of edges, so each
edge becomes a line of its length, and coordinates are not needed. Closeness is compared with
density^2 / farness of cityseer, which is n - 1 times that of brandes. Pairs at exactly the radius
count in brandes only, so its radius is smaller by a thousandth of the unit.
"""
import argparse
import csv
import json
import sys
import tempfile
import time
from pathlib import Path

import programs
import tables
import tools

CITYSEER = "cityseer==5.8.0"
MEASURES = ("betweenness", "closeness")


def cityseer(edges, radii, out):
    """Runs cityseer on an edge list with lengths; the virtual environment's Python calls this."""
    from cityseer import rustalgos

    network, numbers = rustalgos.graph.NetworkStructure(), {}
    with open(edges, encoding="utf-8") as file:
        for u, v, length in (line.split() for line in file if not line.startswith("#")):
            for name in (u, v):
                if name not in numbers:
                    numbers[name] = network.add_street_node(name, 0.0, 0.0, True, 1.0)
            line = f"LINESTRING (0 0, {float(length) / 2!r} 0, 0 0)"
            for tail, head in ((u, v), (v, u)):
                network.add_street_edge(numbers[tail], numbers[head], 0, tail, head, line)
    began = time.perf_counter()
    found = network.centrality_shortest(
        distances=radii, closeness_exprs=[("density", "1"), ("farness", "c")],
        betweenness_exprs=[("betweenness", "1")], compute_cycles=False, pbar_disabled=True)
    print(json.dumps(time.perf_counter() - began))
    metrics, others = found.metrics, len(numbers) - 1
    with open(out, "w", encoding="utf-8") as file:
        file.write(f"vertex,{','.join(f'{one}_{nearly(r)}' for one in MEASURES for r in radii)}\n")
        for at, name in enumerate(found.node_keys_py):
            values = [metrics["betweenness"][r][at] for r in radii]
            for r in radii:
                density, farness = metrics["density"][r][at], metrics["farness"][r][at]
                values.append(density**2 / farness / others if farness else 0.0)
            file.write(f"{name},{','.join(map(str, values))}\n")


def nearly(radius):
    """Returns the radius for brandes that excludes pairs at exactly the radius of cityseer."""
    return f"{radius - 0.001:.3f}"


def rows_by_vertex(path):
    """Returns the rows of a file of scores by vertex."""
    with open(path, encoding="utf-8") as file:
        return {row["vertex"]: row for row in csv.DictReader(file)}


def difference(ours, theirs, column):
    """Returns the median relative difference of a column, and the fraction of rows over 1e-3."""
    pairs = [(float(ours[vertex][column]), float(row[column])) for vertex, row in theirs.items()]
    relative = sorted(abs(a - b) / max(abs(a), abs(b), 1e-300) for a, b in pairs)
    return f"{relative[len(relative) // 2]:.0e}, {sum(x > 1e-3 for x in relative) / len(relative):.2%}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("graph", help="a file with lengths, in any format that brandes reads; directions do not count")
    add("--weighted", nargs=1, default=[], metavar="WHICH", help="the column or attribute of lengths")
    add("--radii", default="1000,2000,5000,20000", help="in units of the lengths (%(default)s)")
    add("--threads", type=int, default=1, metavar="N", help="for both programs (1)")
    add("--venv", metavar="DIR", help="with cityseer (default: target/cityseer-venv, made if missing)")
    add("--brandes", metavar="FILE", help="default: target/release/brandes, built if missing")
    given = parser.parse_args()
    radii = sorted(map(int, given.radii.split(",")))
    binary, python = tools.brandes(given.brandes), tools.python(given.venv, [CITYSEER], "cityseer-venv")
    environment, rows = programs.Program(given.threads).environment(), []
    with tempfile.TemporaryDirectory(prefix="streets-") as scratch:
        edges, ours, theirs, report = (Path(scratch) / name for name in ("e.txt", "o.csv", "t.csv", "r.json"))
        convert = [binary, "convert", given.graph, edges, "--weighted", *given.weighted]
        tools.run(convert, "brandes convert")
        run = [binary, "run", edges, "--weighted", "--measures", ",".join(MEASURES), "--device", "none",
               "--quiet", "--cpu-workers", given.threads, "--scores", ours, "--report", report]
        for some in [*([radius] for radius in radii), *([radii] if len(radii) > 1 else [])]:
            names = ",".join(map(str, some))
            programs.say(f"within {names}")
            tools.run([*run, "--radius", ",".join(map(nearly, some))], "brandes run")
            result = json.loads(report.read_text(encoding="utf-8"))
            child = [python, __file__, "--cityseer", edges, names, theirs]
            other = float(tools.run(child, "cityseer", env=environment))
            own = result["seconds"]["prepare"] + result["seconds"]["search"]
            found, expected = rows_by_vertex(ours), rows_by_vertex(theirs)
            rows.append([names, *map(tables.figure, (own, other, other / own)), result["workers"][0]["engine"],
                         *(difference(found, expected, f"{one}_{nearly(some[-1])}") for one in MEASURES)])
    print(f"{Path(given.graph).name}, {len(expected):,} vertices; {given.threads} threads of "
          f"{tables.processor()}; brandes {result['program']['version']}, {CITYSEER}")
    header = ["radius", "brandes, s", "cityseer, s", "ratio", "engine of brandes"]
    print(tables.table([*header, *(f"{one}: median difference, over 0.1%" for one in MEASURES)], rows))


if sys.argv[1:2] == ["--cityseer"]:
    cityseer(sys.argv[2], [int(radius) for radius in sys.argv[3].split(",")], sys.argv[4])
else:
    try:
        main()
    except tools.Missing as error:
        programs.say(error)
        sys.exit(2)
