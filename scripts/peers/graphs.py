"""The graphs to measure: their files, the edge lists that all programs read, and their sources."""
import csv
import json
import math
import re
import zlib
from fractions import Fraction
from pathlib import Path

import tools

BENCH_GRAPHS = tools.ROOT / "bench-graphs"
DOWNLOADS = BENCH_GRAPHS / "downloads"

# The options of `brandes generate` for generated graphs.
GENERATED = {
    "rmat-14": ["rmat", "--scale", "14", "--edge-factor", "8"],
    "barabasi-albert-20000": ["barabasi-albert", "--vertices", "20000", "--edges-per-vertex", "5"],
    "grid-120x120": ["grid", "--rows", "120", "--cols", "120"],
}
# The number of sources, evenly spread, for graphs on which most peers are too slow.
SAMPLES = {"soc-Epinions1": 2000, "luxembourg_osm": 1000, "USA-road-d.NY": 100}

UNWEIGHTED = ["rmat-14", "barabasi-albert-20000", "facebook_combined", "wiki-Vote", "soc-Epinions1",
              "grid-120x120", "delaunay_n14", "luxembourg_osm"]
WEIGHTED = ["rmat-14", "grid-120x120", "facebook_combined", "wiki-Vote", "higgs-mention_network",
            "cond-mat", "rome99", "USA-road-d.NY"]
QUICK = ["karate", "rmat-10", "grid-30x30", "random-tree-1000", "watts-strogatz-200"]

SUFFIX = re.compile(r"\.(txt|edges|edgelist|mtx|graph|metis|gr|gml)(\.gz|\.zst)?")


def catalog():
    """Returns a dict from names of the catalog's graphs to names of their files."""
    with open(BENCH_GRAPHS / "catalog.json", encoding="utf-8") as file:
        return {graph["name"]: graph["file"] for graph in json.load(file)["graphs"]}


def find(name, folder):
    """Returns the file of a graph by its path, or its name in `folder` or bench-graphs; or None."""
    if Path(name).is_file():
        return Path(name)
    for place in (folder, BENCH_GRAPHS):
        listed = place / catalog().get(name, f"{name}.txt")
        paths = [listed, *sorted(place.glob(f"{name}.*"))]
        found = [path for path in paths if path.is_file() and (path == listed or SUFFIX.fullmatch(path.name, len(name)))]
        if found:
            return found[0]
    return None


def source(name, folder, brandes, scratch):
    """Returns the file of a graph, and generates it if necessary."""
    if name in GENERATED:
        path = scratch / f"{name}.txt"
        tools.run([brandes, "generate", *GENERATED[name], "--output", path], f"generating {name}")
        return path
    path = find(name, folder)
    if path is None:
        how = f"scripts/fetch-graphs {name}" if name in catalog() else f"put its file {name}.* there"
        raise tools.Missing(f"{name} is not in {folder}: {how}")
    return path


def label(name):
    """Returns the name of a graph in tables."""
    return re.sub(SUFFIX.pattern + "$", "", Path(name).name)


def source_count(name, requested, vertices):
    """Returns the number of sources to use; None means all."""
    count = SAMPLES.get(name) if requested is None else requested
    return None if count in (None, "all") or count >= vertices else count


class Sources(list):
    """Source vertices, and `option`, the value of `brandes run --roots` that selects them."""

    def __init__(self, option, vertices):
        super().__init__(vertices)
        self.option = option


class SimpleGraph:
    """The edge list `path`: a simple undirected graph with integer lengths, written from a graph file.

    `brandes convert` reads the file. Vertices without edges are omitted, because an edge list cannot name
    them. Vertices are 0 to n-1, in the order of their numbers in the file, or of their appearance if they
    have names. Lengths are integers on a common scale, so that all programs agree on ties."""

    def __init__(self, name, source, path, brandes, weighted):
        self.name, self.path, self.scale, rows = name, path, 1, None
        if weighted:
            rows, self.weights = edges(brandes, source, "--weighted"), "own"
        if rows is None:
            rows, self.weights = edges(brandes, source), "made" if weighted else None
        if not rows:
            raise tools.Missing(f"{source} has no edges")
        names = dict.fromkeys(name for row in rows for name in row[:2])
        if all(name.isdecimal() for name in names):
            names = sorted(names, key=int)
        # The vertices by their names in the file.
        self.number = {name: at for at, name in enumerate(names)}
        pairs = [sorted((self.number[row[0]], self.number[row[1]])) for row in rows]
        lengths = [1] * len(rows)
        if self.weights == "own":
            lengths, self.scale = integers([row[2] for row in rows])
        elif weighted:
            lengths = [zlib.crc32(b"%d %d" % tuple(pair)) % 10 + 1 for pair in pairs]
        # Doubles represent all integers up to 2^53; a shortest path has at most n - 1 edges.
        if len(names) * max(lengths) >= 2**53:
            raise tools.Missing(f"{source}: its lengths have too many digits for exact sums in all programs")
        self.vertices, self.edges = len(names), len(rows)
        # The vertices in the order in which the file mentions them, which is that of brandes' scores.
        self.mentioned = {}
        with open(path, "w", encoding="ascii") as file:
            for (u, v), length in sorted(zip(pairs, lengths)):
                self.mentioned[u] = self.mentioned[v] = None
                file.write(f"{u} {v} {length}\n" if weighted else f"{u} {v}\n")
        self.mentioned = list(self.mentioned)

    def sample(self, count):
        """Returns `count` evenly spread sources."""
        n = self.vertices
        return Sources(str(count), (self.mentioned[i * n // count] for i in range(count)))

    def stretch(self, count):
        """Returns `count` consecutive sources from the middle."""
        first = (self.vertices - count) // 2
        return Sources(f"{first}..{first + count}", self.mentioned[first:first + count])


def edges(brandes, source, *options):
    """Returns the edges of a file as rows of texts; None if it lacks the weights of --weighted."""
    try:
        text = tools.run([brandes, "convert", source, "-", "--to", "csv", *options], f"reading {source}")
    except tools.Missing as error:
        if options and "the file has no weights" in str(error):
            return None
        raise
    return list(csv.reader(text.splitlines()))[1:]


def integers(texts):
    """Converts decimals to the smallest integers on a common scale; returns them and the scale."""
    values = [Fraction(text) for text in texts]
    below = math.lcm(*{value.denominator for value in values})
    lengths = [value.numerator * (below // value.denominator) for value in values]
    unit = math.gcd(*lengths)
    return [length // unit for length in lengths], below / unit
