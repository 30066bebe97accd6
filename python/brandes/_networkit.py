"""Reads graphs of NetworKit."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np

from ._core import Graph
from ._input import Floats, Input, Labels, ReadOptions, naming
from ._per_edge import per_edge


def open_input(source: Any, options: ReadOptions) -> Input:
    """Converts the graph, with its weights if `weight` is True. The labels are the ids."""
    if options.weight not in (None, False, True):
        raise ValueError("for a NetworKit graph, weight is True to use its weights, or None")
    directed = source.isDirected() if options.directed is None else options.directed
    weights = None
    if options.weight:
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
            weight_is=options.weight_is,
        )

    def edge_scores(scores: Floats) -> tuple[Floats, Callable[[], Labels]]:
        return per_edge(graph, labels, ends, scores, weights, options.weight_is)

    return Input(graph, labels, edge_scores)
