"""Converts scores of the graph's edges to scores of the input's edges.

The graph has neither loops nor parallel edges; the input may have both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ._core import Graph
from ._input import Floats, Labels


def shared_scores(
    graph: Graph, ends: npt.NDArray[Any], scores: Floats, weights: Any, weight_is: str
) -> Floats:
    """Returns the score of each edge of the input, shape (m,); `ends` has the shape (m, 2).

    Loops have the score 0. The shortest among parallel edges share their score equally.
    """
    ends = ends.astype(np.uint64)
    if not graph.directed:
        ends.sort(axis=1)
    vertices = np.uint64(graph.vertices)
    tails, heads = (array.astype(np.uint64) for array in graph.edges())
    proper = ends[:, 0] != ends[:, 1]
    places = np.searchsorted(tails * vertices + heads, (ends[:, 0] * vertices + ends[:, 1])[proper])
    shares = np.ones(len(places))
    if len(places) > len(scores):
        if weights is not None:
            lengths = np.asarray(weights)[proper]
            lengths = -lengths if weight_is == "similarity" else lengths
            least = np.full(len(scores), np.inf)
            np.minimum.at(least, places, lengths)
            shares[lengths != least[places]] = 0
        shares /= np.bincount(places, shares)[places]
    values = np.zeros(len(ends))
    values[proper] = scores[places] * shares
    return values


def per_edge(
    graph: Graph,
    labels: Labels,
    ends: npt.NDArray[Any],
    scores: Floats,
    weights: Any,
    weight_is: str,
) -> tuple[Floats, Callable[[], Labels]]:
    """Returns the scores of `shared_scores`, and a function that returns the labels of edges."""

    def pairs() -> Labels:
        return [(labels[tail], labels[head]) for tail, head in ends.tolist()]

    return shared_scores(graph, ends, scores, weights, weight_is), pairs
