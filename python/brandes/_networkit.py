"""Reads graphs of NetworKit."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np

from ._core import Graph
from ._input import Floats, Input, Labels, Wanted, naming
from ._per_edge import per_edge


def open_input(source: Any, wanted: Wanted) -> Input:
    """Converts the graph, with its weights if `weight` is True. The labels are the ids."""
    if wanted.weight not in (None, False, True):
        raise ValueError("the weight of a NetworKit graph is True, if it counts, or None")
    directed = source.isDirected() if wanted.directed is None else wanted.directed
    weights = None
    if wanted.weight:
        if not source.isWeighted():
            raise ValueError("the graph has no weights (leave weight out)")
        rows = chain.from_iterable(source.iterEdgesWeights())
        flat = np.fromiter(rows, np.float64, 3 * source.numberOfEdges()).reshape(-1, 3)
        ends = flat[:, :2].astype(np.int64)
        weights = np.ascontiguousarray(flat[:, 2])
    else:
        rows = chain.from_iterable(source.iterEdges())
        ends = np.fromiter(rows, np.int64, 2 * source.numberOfEdges()).reshape(-1, 2)
    labels: Any = range(source.numberOfNodes())
    if source.upperNodeIdBound() != len(labels):
        # Some vertices were removed; NetworKit does not reuse their ids.
        labels = list(source.iterNodes())
        ends = np.searchsorted(np.array(labels), ends)

    def name(entry: int) -> str:
        tail, head = ends[entry].tolist()
        return f"edge ({labels[tail]!r}, {labels[head]!r})"

    with naming(name):
        graph = Graph.pairs(
            np.ascontiguousarray(ends[:, 0]),
            np.ascontiguousarray(ends[:, 1]),
            weights,
            vertices=len(labels),
            directed=directed,
            weight_is=wanted.weight_is,
        )

    def edge_scores(scores: Floats) -> tuple[Floats, Callable[[], Labels]]:
        return per_edge(graph, labels, ends, scores, weights, wanted.weight_is)

    return Input(graph, labels, edge_scores)
