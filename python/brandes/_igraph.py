"""Reads graphs of python-igraph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from ._arrays import as_array, floats
from ._core import Graph
from ._input import Floats, Input, Labels, ReadOptions, naming
from ._per_edge import per_edge
from ._warn import warn


def open_input(source: Any, options: ReadOptions) -> Input:
    """Converts the graph; `weight` is the name of an edge attribute, or a sequence of m numbers.

    The labels are the attribute `name` if it is unique, otherwise the numbers of the vertices.
    """
    directed = source.is_directed() if options.directed is None else options.directed
    ends = np.array(source.get_edgelist(), np.int64).reshape(-1, 2)
    weight = options.weight
    if weight is True:
        weight = "weight"
    if isinstance(weight, str):
        if weight not in source.es.attributes():
            raise ValueError(f"the edges have no attribute {weight!r}")
        weight = source.es[weight]
    labels = _labels(source)

    def name(entry: int) -> str:
        tail, head = ends[entry].tolist()
        return f"edge ({labels[tail]!r}, {labels[head]!r})"

    with naming(name):
        weights = None if weight is None or weight is False else floats(as_array(weight))
        graph = Graph.pairs(
            np.ascontiguousarray(ends[:, 0]),
            np.ascontiguousarray(ends[:, 1]),
            weights,
            vertices=source.vcount(),
            directed=directed,
            weight_is=options.weight_is,
        )

    def edge_scores(scores: Floats) -> tuple[Floats, Callable[[], Labels]]:
        return per_edge(graph, labels, ends, scores, weights, options.weight_is)

    def attribute(name: str) -> list[Any] | None:
        return source.vs[name] if name in source.vs.attributes() else None

    return Input(graph, labels, edge_scores, attribute)


def _labels(source: Any) -> Labels:
    """Returns the names if they are unique, otherwise the numbers, with a warning."""
    numbers = range(source.vcount())
    if "name" not in source.vs.attributes():
        return numbers
    names: list[Any] = source.vs["name"]
    if len(set(names)) == len(names):
        return names
    repeated = Counter(names).most_common(1)[0][0]
    warn(
        f"several vertices have the name {repeated!r}, so the labels are the numbers of the "
        "vertices, from 0 (give each vertex a unique name)"
    )
    return numbers
