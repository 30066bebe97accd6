"""Tests the commands of docs/converting.md: brandes refuses each file with its command, and reads
what the command writes.

Each sample is a path of four vertices."""

from __future__ import annotations

import pickle
import re
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import brandes

DOCUMENT = Path(__file__).parents[2] / "docs/converting.md"
COMMANDS = re.findall(r"\| `(.+)` \|\n", DOCUMENT.read_text())

GRAPH = nx.path_graph(4)
TUPLES = nx.grid_2d_graph(1, 4)

#: Files of programs that pip does not install, and a file without a graph: their first bytes.
HEADS = {
    "g.rds": b"X\n\0\0\0\3\0\4\3\1",
    "g.gt": b"\xe2\x9a\xbe gt\1\0",
    "lfs": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
}

TEXTS = {
    "g.ttl": "@prefix x: <http://x.org/> .\nx:a x:knows x:b .\nx:b x:knows x:c .\n"
    'x:c x:knows x:d ; x:name "c" .\n',
    "g.mmd": "graph TD\n  a[Start] -->|yes| b{x y}\n  b --> c\n  c -.-> d\n",
    "g.puml": "@startuml\n[a] --> [b] : uses\n(b) ..> c\nc <|-- d\n@enduml\n",
    "g.lgr": "LEDA.GRAPH\nstring\nint\n-1\n4\n|{a}|\n|{b}|\n|{c}|\n|{d}|\n"
    "3\n1 2 0 |{4}|\n2 3 0 |{1}|\n3 4 0 |{1}|\n",
    "g.gdf": "nodedef>name VARCHAR,label VARCHAR\na,A\nb,B\nc,C\nd,D\n"
    "edgedef>node1 VARCHAR,node2 VARCHAR,weight DOUBLE,directed BOOLEAN\n"
    "a,b,2.0,true\nb,c,1.5,true\nc,d,1,true\n",
    "g.tgf": "1 one\n2\n3\n4 two words\n#\n1 2 knows\n2 3 likes a lot\n3 4\n",
    "g.stp": "33D32945 STP File, STP Format Version 1.0\nSECTION Graph\nNodes 4\nEdges 3\n"
    "E 1 2 5\nE 2 3 1\nE 3 4 1\nEND\nEOF\n",
    "g.el": "\n".join(nx.generate_edgelist(TUPLES)),
    "g.py": str(list(GRAPH.edges)),
}


def table() -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"source": ["a", "b", "c"], "target": ["b", "c", "d"]})


def hdf5(path: Path) -> None:
    with pytest.importorskip("h5py").File(path, "w") as file:
        file["edges"] = np.array(GRAPH.edges)


def database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        table().to_sql("edges", connection)


def shapes(path: Path) -> None:
    lines = [f"LINESTRING ({x} 0, {x} 1, {x + 1} 0)" for x in range(3)]
    pytest.importorskip("geopandas").GeoSeries.from_wkt(lines, crs=3857).to_file(path)


def ways(path: Path) -> None:
    osm = pytest.importorskip("osmium")
    with osm.SimpleWriter(str(path)) as writer:
        for node in range(1, 5):
            writer.add_node(osm.osm.mutable.Node(id=node, location=(node / 100, 0)))
        road = {"highway": "path"}
        for way, (nodes, tags) in enumerate([([1, 2, 3], road), ([3, 4], road), ([1, 4], {})], 1):
            writer.add_way(osm.osm.mutable.Way(id=way, nodes=nodes, tags=tags))


WRITERS: dict[str, Callable[[Path], Any]] = {
    "g.xlsx": lambda path: table().to_excel(path, index=False),
    "g.parquet": lambda path: table().to_parquet(path),
    "g.feather": lambda path: table().to_feather(path),
    "g.db": database,
    "g.npy": lambda path: np.save(path, nx.to_numpy_array(GRAPH)),
    "g.h5": hdf5,
    "g.mat": lambda path: pytest.importorskip("scipy.io").savemat(
        path, {"A": nx.to_scipy_sparse_array(GRAPH, dtype=float)}
    ),
    "g.shp": shapes,
    "g.pbf": ways,
    "g.pickle": lambda path: path.write_bytes(pickle.dumps(TUPLES)),
    "g.g6": lambda path: nx.write_graph6(GRAPH, path),
    "g.s6": lambda path: nx.write_sparse6(GRAPH, path),
    "g.utf16": lambda path: path.write_text("a b\nb c\nc d\n", encoding="utf-16"),
    **{name: lambda path, head=head: path.write_bytes(head) for name, head in HEADS.items()},
    **{name: lambda path, text=text: path.write_text(text) for name, text in TEXTS.items()},
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_recipe(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = re.findall(r"g\.\w+", command)
    name = next((name for name in names if name in WRITERS), "lfs")
    monkeypatch.chdir(tmp_path)
    WRITERS[name](tmp_path / name)
    with pytest.raises((ValueError, brandes.Error)) as refusal:
        brandes.betweenness(name)
    assert f"(run: {command})" in str(refusal.value)
    if name in HEADS:
        return
    subprocess.run(command, shell=True, check=True)
    written = re.findall(r" > (\S+)$", command) + [other for other in names if other != name]
    scores = brandes.betweenness(written[0], normalized=False)
    assert sorted(scores.values) == [0, 0, 2, 2]


def test_every_sample_has_a_recipe() -> None:
    assert len(COMMANDS) == len(WRITERS)
