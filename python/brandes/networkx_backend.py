"""Implements the networkx backend: `nx.betweenness_centrality(G, backend="brandes")`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _networkx
from ._api import Devices, search
from ._core import Graph
from ._input import Input

Floats = npt.NDArray[np.float64]

NUMBERS = (int, float, np.integer, np.floating)

#: The smallest and the largest length that the library accepts.
LEAST, MOST = 1e-200, 1e200


class BackendGraph:
    """A graph of networkx with its conversions, one for each weight attribute in use."""

    __networkx_backend__ = "brandes"

    def __init__(self, source: Any) -> None:
        self.source = source
        self.nodes = list(source)
        self._graphs: dict[Hashable, Graph] = {}

    def graph(self, weight: Hashable | None) -> Graph:
        """Returns the graph whose lengths are this attribute, and converts it on first use."""
        if weight not in self._graphs:
            self._graphs[weight] = _networkx.converted(self.source, weight)
        return self._graphs[weight]

    def is_directed(self) -> bool:
        """Returns whether edges have a direction."""
        directed: bool = self.source.is_directed()
        return directed

    def is_multigraph(self) -> bool:
        """Returns whether the graph may have parallel edges."""
        multigraph: bool = self.source.is_multigraph()
        return multigraph


def convert_from_nx(
    graph: Any, edge_attrs: Mapping[Hashable, Any] | None = None, **_: Any
) -> BackendGraph:
    """Converts a graph of networkx, with each attribute of `edge_attrs` as lengths."""
    converted = BackendGraph(graph)
    for weight in edge_attrs or [None]:
        converted.graph(weight)
    return converted


def convert_to_nx(result: Any, **_: Any) -> Any:
    """Returns the networkx graph of a converted graph, and every other result unchanged."""
    return result.source if isinstance(result, BackendGraph) else result


def betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Hashable | None = None,
    endpoints: bool = False,
    seed: Any = None,
    *,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
) -> dict[Hashable, float]:
    """Returns a dict from nodes to scores, as `networkx.betweenness_centrality` does.

    `device` and `cpu_workers` are those of `brandes.betweenness`.
    """
    scores = search(
        Input(G.graph(weight), G.nodes),
        None if k == len(G.nodes) else _drawn(G, k, seed),
        normalized=normalized,
        endpoints=endpoints,
        device=device,
        cpu_workers=cpu_workers,
    )
    return scores.to_dict()


def edge_betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Hashable | None = None,
    seed: Any = None,
    *,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
) -> dict[Hashable, float]:
    """Returns a dict from edges to scores, as `networkx.edge_betweenness_centrality` does.

    `device` and `cpu_workers` are those of `brandes.betweenness`.
    """
    graph = G.graph(weight)

    def edges(values: Floats) -> tuple[Floats, Any]:
        return _networkx.edge_scores(G.source, G.nodes, graph, values, weight)

    scores = search(
        Input(graph, G.nodes, edges),
        _drawn(G, k, seed),
        normalized=normalized,
        edges=True,
        device=device,
        cpu_workers=cpu_workers,
    ).edges
    return scores.to_dict() if scores is not None else {}


def can_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool | str:
    """Returns True if the backend supports these arguments, otherwise the reason as text.

    Raises:
        NotImplementedError: The call names this backend. networkx then tries no other one and does
            not show the reason, so the exception does.
    """
    reason = _reason(name, args, kwargs)
    if reason is None:
        return True
    graph = args[0] if args else kwargs.get("G")
    if isinstance(graph, BackendGraph) or _is_automatic():
        return reason
    raise NotImplementedError(f"{reason} (omit backend to compute it with networkx)")


def _reason(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str | None:
    """Returns the reason why the backend does not support these arguments, or None."""
    if name.endswith("_subset"):
        return "sums over chosen targets are not implemented"
    position = {"betweenness_centrality": 3, "edge_betweenness_centrality": 3}.get(name)
    if position is None:
        return f"{name} is not implemented"
    weight = args[position] if len(args) > position else kwargs.get("weight")
    if weight is None:
        return None
    if callable(weight):
        return "weights are attributes of edges; functions are left to networkx"
    graph = args[0] if args else kwargs["G"]
    return _unusable(graph.source if isinstance(graph, BackendGraph) else graph, weight)


def _is_automatic() -> bool:
    """Returns whether networkx may have chosen this backend automatically."""
    from networkx import config

    priority = config.backend_priority
    # Before networkx 3.4 the priority is a list, not a mapping.
    lists = priority.values() if hasattr(priority, "values") else [priority]
    return any("brandes" in names for names in lists)


def should_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool | str:
    """Returns True if converting the graph saves time, otherwise the reason as text."""
    graph = args[0] if args else kwargs["G"]
    if not isinstance(graph, BackendGraph) and len(graph) < 16:
        return "the graph is so small that networkx is as fast"
    return True


def _unusable(graph: Any, weight: Hashable) -> str | None:
    """Returns a message about the first edge whose weight is not a number above zero, or None."""
    lengths = [data.get(weight, 1) for data in _networkx.attributes(graph)]
    if all(issubclass(kind, NUMBERS) for kind in set(map(type, lengths))) and (
        not lengths or (min(lengths) >= LEAST and max(lengths) <= MOST and sum(lengths) < inf)
    ):
        return None
    for *ends, data in graph.edges(data=True):
        length = data.get(weight, 1)
        if not isinstance(length, NUMBERS):
            what = "a number"
        elif not length > 0:
            what = "above zero"
        elif not LEAST <= length <= MOST:
            what = f"between {LEAST} and {MOST}"
        else:
            continue
        return f"edge {tuple(ends)!r}: {weight} {length!r} is not {what}"
    return f"some {weight} is not a number above zero"


def _drawn(G: BackendGraph, k: int | None, seed: Any) -> npt.NDArray[np.int64] | None:
    """Returns the positions of the k nodes that networkx would draw; None means all nodes."""
    if k is None:
        return None
    from networkx.utils import create_py_random_state

    places = create_py_random_state(seed).sample(range(len(G.nodes)), k)
    return np.array(places, np.int64)
