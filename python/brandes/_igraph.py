"""Graphs of python-igraph."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import as_array, floats
from ._core import Graph
from ._input import Input, Wanted


def open_input(source: Any, wanted: Wanted) -> Input:
    """The graph; `weight` is the name of an edge attribute, or a sequence of m numbers.

    Vertices are called by their attribute `name`, if they have one.
    """
    directed = source.is_directed() if wanted.directed is None else wanted.directed
    ends = np.array(source.get_edgelist(), np.int64).reshape(-1, 2)
    weight = wanted.weight
    if weight is True:
        weight = "weight"
    if isinstance(weight, str):
        if weight not in source.es.attributes():
            raise ValueError(f"the edges have no attribute {weight!r}")
        weight = source.es[weight]
    weights = None if weight is None or weight is False else floats(as_array(weight))
    graph = Graph.pairs(
        np.ascontiguousarray(ends[:, 0]),
        np.ascontiguousarray(ends[:, 1]),
        weights,
        vertices=source.vcount(),
        directed=directed,
        weight_is=wanted.weight_is,
    )
    names = "name" in source.vs.attributes()
    return Input(graph, source.vs["name"] if names else range(source.vcount()))
