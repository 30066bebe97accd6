"""Which graphs are measured, where they come from, and how many sources those with slow searches get."""
import json
import re
from pathlib import Path

import tools
from readers import Unreadable

BENCH_GRAPHS = tools.ROOT / "bench-graphs"
DOWNLOADS = BENCH_GRAPHS / "downloads"

# Graphs that `brandes generate` makes, by name.
GENERATED = {
    "rmat-14": ["rmat", "--scale", "14", "--edge-factor", "8"],
    "barabasi-albert-20000": ["barabasi-albert", "--vertices", "20000", "--edges-per-vertex", "5"],
    "grid-120x120": ["grid", "--rows", "120", "--cols", "120"],
}
# Sources, evenly spread over the vertices, where all of them would take most peers too long.
SAMPLES = {"soc-Epinions1": 2000, "luxembourg_osm": 1000, "USA-road-d.NY": 100}

UNWEIGHTED = ["rmat-14", "barabasi-albert-20000", "facebook_combined", "wiki-Vote", "soc-Epinions1",
              "grid-120x120", "delaunay_n14", "luxembourg_osm"]
WEIGHTED = ["rmat-14", "grid-120x120", "facebook_combined", "wiki-Vote", "higgs-mention_network",
            "cond-mat", "rome99", "USA-road-d.NY"]
QUICK = ["karate", "rmat-10", "grid-30x30", "random-tree-1000", "watts-strogatz-200"]

SUFFIX = re.compile(r"\.(txt|edges|edgelist|mtx|graph|metis|gr|gml)(\.gz|\.zst)?")


def catalog():
    """Names of the catalog's graphs and of their files."""
    with open(BENCH_GRAPHS / "catalog.json", encoding="utf-8") as file:
        return {graph["name"]: graph["file"] for graph in json.load(file)["graphs"]}


def find(name, folder):
    """The file of a graph: a path, or a name in `folder` or among the small graphs of the project."""
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
    """The file of a graph, generated if it is such a one."""
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
    """What a graph is called in tables."""
    return re.sub(SUFFIX.pattern + "$", "", Path(name).name)


def sample_of(name, asked, vertices):
    """How many sources to take: None for all."""
    count = SAMPLES.get(name) if asked is None else asked
    return None if count in (None, "all") or count >= vertices else count
