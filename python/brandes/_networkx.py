"""Graphs of networkx. networkx itself is not needed: its graphs are dicts of dicts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from ._core import Graph
from ._input import Input, Labels, Wanted

Floats = npt.NDArray[np.float64]


def open_input(source: Any, wanted: Wanted) -> Input:
    """The graph; `weight` is the name of an edge attribute, which is 1 where it is missing.

    Of parallel edges the shortest one counts.
    """
    weight = "weight" if wanted.weight is True else wanted.weight
    if weight is False:
        weight = None
    if callable(weight):
        raise ValueError("weights are attributes of edges, not functions (name an attribute)")
    graph = converted(source, weight, wanted.directed, wanted.weight_is)
    nodes = list(source)

    def edges(scores: Floats) -> tuple[Floats, Callable[[], Labels]]:
        return edge_scores(source, nodes, graph, scores, weight)

    return Input(graph, nodes, edges)


def converted(
    source: Any, weight: Hashable | None, directed: bool | None = None, weight_is: str = "length"
) -> Graph:
    """The graph, its vertices numbered in their order."""
    adjacency = source._adj
    count = len(adjacency)
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum(np.fromiter(map(len, adjacency.values()), np.int64, count), out=offsets[1:])
    heads: Iterator[Hashable] = chain.from_iterable(adjacency.values())
    if not all(map(int.__eq__, _ints(adjacency), range(count))):
        numbers = dict(zip(adjacency, range(count), strict=True))
        heads = map(numbers.__getitem__, heads)
    targets = np.fromiter(heads, np.int64, offsets[-1])
    weights = None
    if weight is not None:
        weights = np.fromiter(lengths(source, weight), np.float64, offsets[-1])
    return Graph.compressed(
        offsets,
        targets,
        weights,
        by_column=False,
        directed=source.is_directed() if directed is None else directed,
        weight_is=weight_is,
    )


def _ints(nodes: Iterable[Hashable]) -> Iterator[int]:
    """The nodes as far as they are integers; -1, which is no number of a vertex, for others."""
    return (node if type(node) is int else -1 for node in nodes)


def lengths(source: Any, weight: Hashable) -> list[Any]:
    """The weight of each arc, row by row; of parallel ones the least."""
    arcs = chain.from_iterable(row.values() for row in source._adj.values())
    if source.is_multigraph():
        return [min(data.get(weight, 1) for data in parallel.values()) for parallel in arcs]
    return [data.get(weight, 1) for data in arcs]


def edge_scores(
    source: Any, nodes: list[Hashable], graph: Graph, scores: Floats, weight: Hashable | None
) -> tuple[Floats, Callable[[], Labels]]:
    """Scores of edges as `source.edges` has them, with their labels.

    Loops have none. Parallel edges share the score of the shortest among them equally.
    """
    numbers = {node: number for number, node in enumerate(nodes)}
    multigraph = source.is_multigraph()
    edges = list(source.edges)
    ends = np.empty((len(edges), 2), np.uint64)
    for end in range(2):
        named = (numbers[edge[end]] for edge in edges)
        ends[:, end] = np.fromiter(named, np.uint64, len(edges))
    if not graph.directed:
        ends.sort(axis=1)
    vertices = np.uint64(graph.vertices)
    tails, heads = (array.astype(np.uint64) for array in graph.edges())
    values = np.zeros(len(edges))
    proper = ends[:, 0] != ends[:, 1]
    wanted = ends[proper, 0] * vertices + ends[proper, 1]
    values[proper] = scores[np.searchsorted(tails * vertices + heads, wanted)]
    if multigraph:
        values *= _shares(source, edges, weight)
    return values, lambda: edges


def _shares(source: Any, edges: list[Any], weight: Hashable | None) -> Floats:
    """The part of the score of an edge that each of its parallels has."""
    shares = np.zeros(len(edges))
    for at, (tail, head, key) in enumerate(edges):
        parallel = source._adj[tail][head]
        if weight is None:
            shares[at] = 1 / len(parallel)
            continue
        least = min(data.get(weight, 1) for data in parallel.values())
        if parallel[key].get(weight, 1) == least:
            ties = sum(data.get(weight, 1) == least for data in parallel.values())
            shares[at] = 1 / ties
    return shares
