"""Implements the networkx backend: `nx.betweenness_centrality(G, backend="brandes")`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _networkx
from ._core import Graph
from ._input import Input
from ._removals import splits, start
from ._search import Devices, compute, search

Floats = npt.NDArray[np.float64]

NUMBERS = (int, float, np.integer, np.floating)

#: The smallest and the largest length that the library accepts.
LEAST, MOST = 1e-200, 1e200

#: The functions, with the name and the position of the argument that names lengths.
WEIGHTS = {
    "betweenness_centrality": ("weight", 3),
    "edge_betweenness_centrality": ("weight", 3),
    "betweenness_centrality_subset": ("weight", 4),
    "edge_betweenness_centrality_subset": ("weight", 4),
    "closeness_centrality": ("distance", 2),
    "harmonic_centrality": ("distance", 2),
    "eccentricity": ("weight", 3),
    "diameter": ("weight", 3),
}

#: The arguments that restrict a function to some nodes.
RESTRICTING = {
    "closeness_centrality": ("u", 1),
    "harmonic_centrality": ("nbunch", 1),
    "eccentricity": ("v", 1),
    "diameter": ("e", 1),
}


class BackendGraph:
    """A graph of networkx with its conversions, one for each weight attribute in use.

    networkx keeps this object until a method of the graph changes it. Other changes, such as
    `G[u][v]["weight"] = 2`, or a change of the graph below a view, are found by comparing states.
    """

    __networkx_backend__ = "brandes"

    def __init__(self, source: Any) -> None:
        self.source = source
        self._graphs: dict[Hashable, tuple[list[Any], Graph]] = {}

    @property
    def nodes(self) -> list[Hashable]:
        """The nodes, in the order of the vertices of conversions."""
        return list(self.source)

    def graph(self, weight: Hashable | None) -> Graph:
        """Returns the graph whose lengths are this attribute, converted again if it has changed."""
        state, known = _networkx.state(self.source, weight), self._graphs.get(weight)
        if known is None or known[0] != state:
            known = self._graphs[weight] = state, _networkx.convert(self.source, weight)
        return known[1]

    def is_directed(self) -> bool:
        """Returns whether edges have a direction."""
        directed: bool = self.source.is_directed()
        return directed

    def is_multigraph(self) -> bool:
        """Returns whether the graph may have parallel edges."""
        multigraph: bool = self.source.is_multigraph()
        return multigraph


def convert_from_nx(graph: Any, **_: Any) -> BackendGraph:
    """Wraps a graph of networkx, which is converted on first use."""
    return BackendGraph(graph)


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
    result = search(
        Input(G.graph(weight), G.nodes),
        None if k == len(G.nodes) else _drawn(G, k, seed),
        normalized=normalized,
        endpoints=endpoints,
        device=device,
        cpu_workers=cpu_workers,
    )
    return result.scores().to_dict()


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
    scores = search(
        _with_edges(G, weight),
        _drawn(G, k, seed),
        normalized=normalized,
        edges=True,
        device=device,
        cpu_workers=cpu_workers,
    ).scores()
    return scores.edges.to_dict() if scores.edges is not None else {}


def betweenness_centrality_subset(
    G: BackendGraph,
    sources: Iterable[Hashable],
    targets: Iterable[Hashable],
    normalized: bool = False,
    weight: Hashable | None = None,
    *,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
) -> dict[Hashable, float]:
    """Returns a dict from nodes to scores, as `networkx.betweenness_centrality_subset` does.

    `device` and `cpu_workers` are those of `brandes.betweenness`.
    """
    found = compute(
        Input(G.graph(weight), G.nodes),
        "betweenness",
        normalized=normalized,
        device=device,
        cpu_workers=cpu_workers,
        **_pairs(G, sources, targets),
    )
    return found.scores().to_dict()


def edge_betweenness_centrality_subset(
    G: BackendGraph,
    sources: Iterable[Hashable],
    targets: Iterable[Hashable],
    normalized: bool = False,
    weight: Hashable | None = None,
    *,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
) -> dict[Hashable, float]:
    """Returns a dict from edges to scores, as `networkx.edge_betweenness_centrality_subset` does.

    The scores follow the definition in networkx's documentation. networkx 3.6 itself returns other
    scores for some edges: it divides a score equally among the predecessors of a node that is no
    target, whatever their numbers of paths. `device` and `cpu_workers` are those of
    `brandes.betweenness`.
    """
    found = compute(
        _with_edges(G, weight),
        "betweenness",
        normalized=normalized,
        edges=True,
        device=device,
        cpu_workers=cpu_workers,
        **_pairs(G, sources, targets),
    )
    scores = found.scores().edges
    return scores.to_dict() if scores is not None else {}


def closeness_centrality(
    G: BackendGraph,
    u: Hashable | None = None,
    distance: Hashable | None = None,
    wf_improved: bool = True,
    *,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
) -> Any:
    """Returns a dict from nodes to scores, or the score of `u`, as networkx does.

    `device` and `cpu_workers` are those of `brandes.betweenness`.
    """
    options: dict[str, Any] = {"device": device, "cpu_workers": cpu_workers}
    if u is None:
        scaling = "improved" if wf_improved else "component"
        opened = Input(G.graph(distance), G.nodes)
        found = compute(opened, "closeness", closeness_scaling=scaling, **options)
        return found.scores().to_dict()
    if u not in G.source:
        from networkx import NodeNotFound

        raise NodeNotFound(f"Source {u} is not in G")
    # One search from u against the direction of edges finds 1 / d for each node.
    source = G.source.reverse(copy=False) if G.is_directed() else G.source
    graph = _networkx.convert(source, distance) if G.is_directed() else G.graph(distance)
    found = compute(Input(graph, G.nodes), "harmonic", sources=[u], **options)
    inverse = found.columns[0].values
    inverse = inverse[inverse > 0]
    if not len(inverse):
        return 0.0
    reached = len(inverse) / (len(G.nodes) - 1) if wf_improved else 1.0
    return float(len(inverse) / (1 / inverse).sum() * reached)


def harmonic_centrality(
    G: BackendGraph,
    nbunch: Any = None,
    distance: Hashable | None = None,
    sources: Any = None,
    *,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
) -> dict[Hashable, float]:
    """Returns a dict from nodes to scores, as `networkx.harmonic_centrality` does.

    `device` and `cpu_workers` are those of `brandes.betweenness`.
    """
    found = compute(
        Input(G.graph(distance), G.nodes),
        "harmonic",
        sources=None if sources is None else set(G.source.nbunch_iter(sources)),
        device=device,
        cpu_workers=cpu_workers,
    )
    scores = found.scores().to_dict()
    if nbunch is None:
        return scores
    return {node: scores[node] for node in G.source.nbunch_iter(nbunch)}


def eccentricity(
    G: BackendGraph,
    v: Any = None,
    sp: None = None,
    weight: Hashable | None = None,
    *,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
) -> Any:
    """Returns a dict from nodes to eccentricities, or that of the node `v`, as networkx does.

    `device` and `cpu_workers` are those of `brandes.betweenness`.
    """
    nodes = list(G.source.nbunch_iter(v))
    found = compute(
        Input(G.graph(weight), G.nodes),
        ["reach", "eccentricity"],
        sources=set(nodes),
        device=device,
        cpu_workers=cpu_workers,
    )
    reach, largest = (column.values for column in found.columns)
    # Each source has to reach all other nodes.
    scores = dict(zip(G.nodes, largest.tolist(), strict=True))
    own = np.fromiter(map(set(nodes).__contains__, G.nodes), np.float64, len(G.nodes))
    if (reach + own < len(set(nodes))).any():
        from networkx import NetworkXError

        raise NetworkXError(
            "Found infinite path length because the digraph is not strongly connected"
            if G.is_directed()
            else "Found infinite path length because the graph is not connected"
        )
    whole = weight is None or all(
        isinstance(data.get(weight, 1), int) for data in _networkx.attributes(G.source)
    )
    result = {node: int(scores[node]) if whole else scores[node] for node in nodes}
    return result[v] if v in G.source else result


def diameter(
    G: BackendGraph,
    e: Mapping[Hashable, float] | None = None,
    usebounds: bool = False,
    weight: Hashable | None = None,
    *,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
) -> float:
    """Returns the largest eccentricity, as `networkx.diameter` does.

    `usebounds` changes nothing. `device` and `cpu_workers` are those of `brandes.betweenness`.
    """
    if e is None:
        e = eccentricity(G, weight=weight, device=device, cpu_workers=cpu_workers)
    return max(e.values())


def girvan_newman(
    G: BackendGraph,
    most_valuable_edge: None = None,
    *,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
) -> Iterator[tuple[set[Hashable], ...]]:
    """Returns an iterator over tuples of sets of nodes, as `networkx.community.girvan_newman` does.

    Among edges of the same score, the first in the order of the nodes is removed. `device` and
    `cpu_workers` are those of `brandes.betweenness`.
    """
    if not G.source.number_of_edges():
        return iter([tuple({node} for node in G.nodes)])
    undirected = _networkx.convert(G.source, None, directed=False)
    opened = Input(undirected, G.nodes)
    return splits(opened, start(opened, "edges", device=device, cpu_workers=cpu_workers))


def can_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool | str:
    """Returns True if the backend supports these arguments, otherwise the reason as text.

    Raises:
        NotImplementedError: The arguments are not supported, and the call names this backend.
            networkx would then raise an exception without the reason.
    """
    reason = _unsupported_reason(name, args, kwargs)
    if reason is None:
        return True
    graph = args[0] if args else kwargs.get("G")
    if isinstance(graph, BackendGraph) or _is_automatic():
        return reason
    raise NotImplementedError(f"{reason} (omit backend to compute it with networkx)")


def _unsupported_reason(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str | None:
    """Returns the reason why the backend does not support these arguments, or None."""
    graph = args[0] if args else kwargs["G"]
    if name == "girvan_newman":
        if _argument("most_valuable_edge", 1, args, kwargs) is not None:
            return "functions that choose edges are left to networkx"
        return "parallel edges are left to networkx" if graph.is_multigraph() else None
    if name not in WEIGHTS:
        return f"{name} is not implemented"
    if name == "eccentricity" and _argument("sp", 2, args, kwargs) is not None:
        return "distances are computed, so sp is not used"
    weight = _argument(*WEIGHTS[name], args, kwargs)
    if weight is None:
        return None
    if callable(weight):
        return "weights are attributes of edges; functions are left to networkx"
    return _unusable_weight(graph.source if isinstance(graph, BackendGraph) else graph, weight)


def _argument(name: str, position: int, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Returns an argument that is given by position or by name, or None."""
    return args[position] if len(args) > position else kwargs.get(name)


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
    if name in RESTRICTING and _argument(*RESTRICTING[name], args, kwargs) is not None:
        return "networkx searches from few nodes in less time than converting the graph takes"
    return True


def _unusable_weight(graph: Any, weight: Hashable) -> str | None:
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


def _with_edges(G: BackendGraph, weight: Hashable | None) -> Input:
    """Returns the graph with its edges, for scores of edges."""
    graph = G.graph(weight)

    def edges(values: Floats) -> tuple[Floats, Any]:
        return _networkx.edge_scores(G.source, G.nodes, graph, values, weight)

    return Input(graph, G.nodes, edges)


def _pairs(
    G: BackendGraph, sources: Iterable[Hashable], targets: Iterable[Hashable]
) -> dict[str, Any]:
    """Returns the sources, which may repeat a node, and the targets that are nodes, as a set."""
    return {"sources": list(sources), "targets": {node for node in targets if node in G.source}}
