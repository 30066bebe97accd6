"""Reads graphs of networkx, without importing it: its graphs are dicts of dicts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

import numpy as np

from ._core import Graph
from ._input import Floats, Input, Labels, ReadOptions, naming, refuse_unknown
from ._per_edge import shared_scores


def open_input(source: Any, options: ReadOptions) -> Input:
    """Converts the graph; `weight` names an edge attribute. Edges without it have the weight 1.

    Only the shortest of parallel edges counts.
    """
    weight = "weight" if options.weight is True else options.weight
    if weight is False:
        weight = None
    if callable(weight):
        raise ValueError("weights are attributes of edges, not functions (name an attribute)")
    if weight is not None:
        refuse_unknown(attributes(source), weight)
    graph = convert(source, weight, options.directed, options.weight_is)
    nodes = list(source)

    def edges(scores: Floats) -> tuple[Floats, Callable[[], Labels]]:
        return edge_scores(source, nodes, graph, scores, weight, options.weight_is)

    def attribute(name: str) -> list[Any] | None:
        values = [data.get(name) for data in source._node.values()]
        return None if all(value is None for value in values) else values

    return Input(graph, nodes, edges, attribute)


def state(source: Any, weight: Hashable | None) -> list[Any]:
    """Returns all that a conversion depends on. Equal states have equal conversions."""
    rows = source._adj.values()
    found = [list(source._adj), list(map(len, rows)), list(chain.from_iterable(rows))]
    if weight is not None:
        found.append([data.get(weight, 1) for data in attributes(source)])
        if source.is_multigraph():
            arcs = chain.from_iterable(row.values() for row in rows)
            found.append(list(map(len, arcs)))
    return found


def convert(
    source: Any, weight: Hashable | None, directed: bool | None = None, weight_is: str = "length"
) -> Graph:
    """Converts the graph; vertices are numbered in the order of the nodes."""
    adjacency = source._adj
    count = len(adjacency)
    degrees = np.fromiter(map(len, adjacency.values()), np.int64, count)
    tails = np.repeat(np.arange(count), degrees)
    heads: Iterator[Hashable] = chain.from_iterable(adjacency.values())
    if not all(map(int.__eq__, _ints(adjacency), range(count))):
        numbers = dict(zip(adjacency, range(count), strict=True))
        heads = map(numbers.__getitem__, heads)
    targets = np.fromiter(heads, np.int64, len(tails))
    weights = None
    if weight is not None:
        weights = np.fromiter(_lengths(source, weight, weight_is), np.float64, len(tails))

    def name(entry: int) -> str:
        arcs = ((tail, head) for tail, row in adjacency.items() for head in row)
        return f"edge {next(islice(arcs, entry, None))!r}"

    with naming(name):
        return Graph.pairs(
            tails,
            targets,
            weights,
            vertices=count,
            directed=source.is_directed() if directed is None else directed,
            weight_is=weight_is,
        )


def _ints(nodes: Iterable[Hashable]) -> Iterator[int]:
    """Yields each node, or -1, which is not a vertex number, in place of nodes that are no ints."""
    return (node if type(node) is int else -1 for node in nodes)


def attributes(source: Any) -> Iterator[Mapping[Hashable, Any]]:
    """Yields the attributes of each arc, row by row; parallel arcs follow each other."""
    arcs = chain.from_iterable(row.values() for row in source._adj.values())
    if source.is_multigraph():
        return chain.from_iterable(parallel.values() for parallel in arcs)
    return arcs


def _lengths(source: Any, weight: Hashable, weight_is: str) -> list[float]:
    """Returns the weight of each arc, row by row; only the shortest of parallel arcs counts."""
    shortest = max if weight_is == "similarity" else min
    try:
        lengths = [float(data.get(weight, 1)) for data in attributes(source)]
    except (TypeError, ValueError, OverflowError):
        raise ValueError(_not_a_number(source, weight)) from None
    if not source.is_multigraph():
        return lengths
    rest = iter(lengths)
    arcs = chain.from_iterable(row.values() for row in source._adj.values())
    return [shortest(islice(rest, len(parallel))) for parallel in arcs]


def _not_a_number(source: Any, weight: Hashable) -> str:
    """Returns the message about the first edge whose weight is not a number."""
    for *ends, data in source.edges(data=True):
        value = data.get(weight, 1)
        try:
            float(value)
        except (TypeError, ValueError, OverflowError):
            edge = tuple(ends)
            return f"edge {edge!r}: {weight} {value!r} is not a number (give the edge one)"
    return f"some {weight} is not a number"


def edge_scores(
    source: Any,
    nodes: list[Hashable],
    graph: Graph,
    scores: Floats,
    weight: Hashable | None,
    weight_is: str = "length",
) -> tuple[Floats, Callable[[], Labels]]:
    """Returns the scores of edges in the order of `source.edges`, and a function for the labels."""
    numbers = {node: number for number, node in enumerate(nodes)}
    edges = list(source.edges)
    ends = np.empty((len(edges), 2), np.uint64)
    for end in range(2):
        named = (numbers[edge[end]] for edge in edges)
        ends[:, end] = np.fromiter(named, np.uint64, len(edges))
    lengths = None
    if weight is not None and (source.is_multigraph() or source.is_directed() != graph.directed):
        values = (float(data.get(weight, 1)) for *_, data in source.edges(data=True))
        lengths = np.fromiter(values, np.float64, len(edges))
    return shared_scores(graph, ends, scores, lengths, weight_is), lambda: edges
