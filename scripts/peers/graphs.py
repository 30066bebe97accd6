"""The graphs to measure, their files, and the number of sources of large graphs."""
import json
import re
from pathlib import Path

import tools
from readers import Unreadable

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
        listed = catalog().get(name)
        if listed and (place / listed).is_file():
            return place / listed
        if place.is_dir():
            for path in sorted(place.iterdir()):
                if path.name.startswith(name) and SUFFIX.fullmatch(path.name, len(name)):
                    return path
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
        raise Unreadable(f"{name} is not in {folder}: {how}")
    return path


def label(name):
    """Returns the name of a graph in tables."""
    return re.sub(SUFFIX.pattern + "$", "", Path(name).name)


def source_count(name, requested, vertices):
    """Returns the number of sources to use; None means all."""
    count = SAMPLES.get(name) if requested is None else requested
    return None if count in (None, "all") or count >= vertices else count
