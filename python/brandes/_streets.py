"""Computes measures of street networks: graphs of OSMnx, and frames of OSMnx, momepy or geopandas.

geopandas is optional: without it, the frames that this module makes are pandas frames.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from . import _edges
from ._arrays import Array
from ._input import Floats, Labels, ReadOptions, refuse_unknown
from ._search import compute
from ._warn import warn

#: The labels of both ends of each edge.
Ends = tuple[list[Hashable], list[Hashable]]

#: The measures that edges have too.
EDGE_MEASURES = {"betweenness", "stress"}

#: The values of `oneway` for streets in the direction of the edge, against it, and in both.
FORWARD = {"true", "yes", "1", "1.0"}
BACKWARD = {"-1", "-1.0", "reverse"}
BOTH = {"false", "no", "0", "0.0", "none", "nan", "<na>", "", "reversible", "alternating"}

#: The coordinate system of OpenStreetMap. Without pyproj, only this one is known to be in degrees.
DEGREES = "epsg:4326"


@dataclass(frozen=True)
class Network:
    """Frames of nodes and edges, and how they form a graph."""

    nodes: Any
    edges: Any
    #: The positions of both ends of each edge in `nodes`.
    tails: Array
    heads: Array
    #: The labels of nodes in arguments, in the order of `nodes`.
    labels: Labels
    #: Whether edges have a direction; None if no source states it.
    directed: bool | None
    #: The coordinate system of geometries: a text, an object of pyproj, or None if none is stated.
    system: Any
    #: Whether edges are lines whose ends are the nodes. Their lengths are then no assumption.
    of_lines: bool = False


def streets(
    graph: Any,
    radius: float | Iterable[float] | None = None,
    weight: str | None = "length",
    *,
    measures: str | Iterable[str] = ("betweenness", "closeness"),
    directed: bool | None = None,
    default: float | None = None,
    normalized: bool = False,
    **options: Any,
) -> tuple[Any, Any]:
    """Returns the nodes and edges of a street network, with columns for each measure and radius.

    The columns are called `betweenness_800`, `closeness_800` and so on, without a number if there
    is no radius. docs/python.md defines the columns and names equal columns of cityseer and momepy.

    Args:
        graph: A graph of networkx as made by OSMnx or momepy's `gdf_to_nx`; the pair (nodes,
            edges) of frames that OSMnx's `graph_to_gdfs` returns; or a frame of edges. The edges
            of a frame have their ends in the index or in columns `u` and `v`; otherwise they are
            the ends of the lines in `geometry`, as for momepy.
        radius: The largest distance of pairs that count, in the unit of the lengths, or several,
            each with its own columns; None for all pairs.
        weight: The name of the column or attribute with the lengths of edges. None gives every edge
            the length 1. An edge without a `length` has that of its geometry, or without a geometry
            the straight distance between its nodes, by their columns x and y. Edges without another
            weight are an error.
        measures: The measures, as for `brandes.centrality`.
        directed: Whether edges have a direction: True for the direction of each row, False for
            none. The default is what the graph states. Frames of edges with `u` and `v` are
            directed, as in OSMnx, if a row has the opposite direction of another one. Otherwise
            each row is a street in both directions, unless its column `oneway` states one (True,
            "yes", or "-1" for the opposite direction); a warning says so. All other frames, and
            those of OSMnx's `to_undirected`, are undirected.
        default: The length of edges that have no weight.
        normalized: Whether to divide betweenness by the number of pairs that could have the vertex
            on their paths.
        **options: Other arguments of `brandes.centrality`, such as `targets`, `decay` and `device`.
            Arguments name nodes by their labels; the ends of lines have no labels and are named by
            their coordinates. `vertex_weights` may name a column or an attribute of nodes.

    Returns:
        The pair (nodes, edges). Edges are a copy of the frame, or the edges of the graph with the
        index (u, v, key), with columns added: betweenness and stress for each radius, and
        `node_start` and `node_end` if the edges are lines without `u` and `v`. Nodes are a copy of
        the frame, or a frame indexed by their labels, with columns of all measures. Copies have the
        type of the frame. Frames of a graph whose nodes have x and y, and the nodes of lines, are
        GeoDataFrames if geopandas is installed; all others are pandas frames.

    Raises:
        ValueError: No edge has the weight, or some lack it; lengths have to be computed, but
            coordinates are degrees; an edge has neither a length nor a geometry.
        Others: The exceptions of `brandes.centrality`.

    Example:
        >>> nodes, edges = brandes.streets(G, radius=[800, 1600])
        >>> edges.plot("betweenness_800")
    """
    network = _network(graph)
    if default is not None and weight is None:
        raise ValueError("default is for edges without a weight; name the weight too")
    lengths = None if weight is None else _lengths(network, weight, default)
    rows, against = np.arange(len(network.edges)), np.zeros(len(network.edges), bool)
    directed = network.directed if directed is None else directed
    if directed is None:
        ways = _ways(network)
        directed = bool(ways.any())
        if directed:
            # A street in both directions has a second arc.
            both = np.flatnonzero(ways == 0)
            rows = np.concatenate([rows, both])
            against = np.concatenate([ways < 0, np.ones(len(both), bool)])
    tails, heads = network.tails[rows], network.heads[rows]
    ends = np.where(against, heads, tails), np.where(against, tails, heads)
    reading = ReadOptions(directed, None, "length", len(network.nodes))
    opened = _edges.open_input(ends if lengths is None else (*ends, lengths[rows]), reading)
    opened = replace(opened, labels=network.labels, attribute=network.nodes.get)
    measures = [measures] if isinstance(measures, str) else list(measures)
    options |= {"radius": radius, "normalized": normalized}
    found = compute(opened, measures, edges=bool({*measures} & EDGE_MEASURES), **options)
    nodes, edges = network.nodes.copy(), network.edges.copy()
    for column in found.columns:
        nodes[column.name] = column.values
    for column in found.edges or []:
        edges[column.name] = np.bincount(rows, column.values, len(edges))
    return nodes, edges


def _network(graph: Any) -> Network:
    """Returns the frames of a graph, of a pair of frames, or of a frame of edges."""
    if hasattr(graph, "_adj") and hasattr(graph, "is_multigraph"):
        return _from_graph(graph)
    nodes, edges = graph if isinstance(graph, tuple) and len(graph) == 2 else (None, graph)
    if not hasattr(edges, "columns") or not (nodes is None or hasattr(nodes, "columns")):
        raise TypeError(
            f"a {type(graph).__name__} is not a street network (give a graph of OSMnx, the frames "
            "(nodes, edges) of its graph_to_gdfs, or a frame of edges)"
        )
    system = getattr(edges, "crs", None)
    ends = _named_ends(edges)
    if ends is None and nodes is not None:
        raise ValueError(
            "the edges have no u and v that name the nodes (give the edges alone if their nodes "
            "are the ends of lines)"
        )
    if ends is None:
        return _from_lines(edges, system)
    if nodes is None:
        nodes = _frame(index=_index(dict.fromkeys(chain.from_iterable(zip(*ends, strict=True)))))
    directed = False if {"from", "to"} <= set(edges.columns) else None
    return _joined(nodes, edges, ends, directed, system)


def _from_graph(graph: Any) -> Network:
    """Returns the frames of a graph of networkx."""
    import pandas as pd

    nodes = _frame([data for _, data in graph.nodes(data=True)], _index(graph))
    keys = {"keys": True} if graph.is_multigraph() else {}
    rows = list(graph.edges(data=True, **keys))
    names = ["u", "v", "key"][: 2 + len(keys)]
    parts = [_index([row[at] for row in rows], name) for at, name in enumerate(names)]
    edges = _frame([row[-1] for row in rows], pd.MultiIndex.from_arrays(parts, names=names))
    system = graph.graph.get("crs")
    ends = [row[0] for row in rows], [row[1] for row in rows]
    network = _joined(nodes, edges, ends, graph.is_directed(), system)
    return replace(network, nodes=_with_points(nodes, system), edges=_with_lines(network))


def _from_lines(edges: Any, system: Any) -> Network:
    """Returns the frames of lines. The ends of lines are the nodes, labelled by coordinates."""
    lines = _lines(edges)
    if lines is None:
        raise ValueError(
            "the frame of edges has neither an index (u, v, key) or columns u and v, nor a geometry"
        )
    ends: Ends = ([], [])
    for at, line in enumerate(lines):
        try:
            points = line.coords
            ends[0].append(tuple(points[0]))
            ends[1].append(tuple(points[-1]))
        except (AttributeError, NotImplementedError, IndexError):
            what = getattr(line, "geom_type", None) or repr(line)
            raise ValueError(
                f"edge {_label(edges, at)}: {what} is not a line with two ends (explode() turns "
                "lines of several parts into lines)"
            ) from None
    labels: list[Any] = list(dict.fromkeys(chain.from_iterable(zip(*ends, strict=True))))
    columns = {"x": [point[0] for point in labels], "y": [point[1] for point in labels]}
    nodes = _frame(columns, _index(range(len(labels)), "nodeID"))
    joined = _joined(nodes, edges, ends, False, system, labels)
    edges = edges.assign(node_start=joined.tails, node_end=joined.heads)
    nodes = _with_points(nodes, system)
    return replace(joined, nodes=nodes, edges=edges, of_lines=True)


def _joined(
    nodes: Any,
    edges: Any,
    ends: Ends,
    directed: bool | None,
    system: Any,
    labels: Labels | None = None,
) -> Network:
    """Returns the network of frames whose edges have these ends.

    `labels` are those of `nodes`, by default its index.
    """
    labels = nodes.index.tolist() if labels is None else labels
    numbers = {label: number for number, label in enumerate(labels)}
    try:
        tails, heads = (
            np.fromiter((numbers[label] for label in named), np.int64, len(named)) for named in ends
        )
    except KeyError as error:
        raise ValueError(
            f"an edge ends at {error.args[0]!r}, which is not among the nodes (add it to the nodes)"
        ) from None
    return Network(nodes, edges, tails, heads, labels, directed, system)


def _named_ends(edges: Any) -> Ends | None:
    """Returns the labels of both ends of each edge from the index or from columns `u` and `v`."""
    if list(edges.index.names[:2]) == ["u", "v"]:
        tails, heads = (edges.index.get_level_values(name).tolist() for name in ("u", "v"))
        return tails, heads
    if {"u", "v"} <= set(edges.columns):
        return edges["u"].tolist(), edges["v"].tolist()
    return None


def _ways(network: Network) -> Array:
    """Returns the direction of each row of a frame that does not state whether it is directed.

    1 is the direction of the row, -1 the opposite one, and 0 both.
    """
    edges, tails, heads = network.edges, network.tails, network.heads
    size, proper = len(network.nodes), tails != heads
    if np.isin((tails * size + heads)[proper], heads * size + tails).any():
        return np.ones(len(edges), np.int64)
    texts = [""] * len(edges)
    if "oneway" in edges.columns:
        texts = [str(value).strip().lower() for value in edges["oneway"].tolist()]
    ways = np.array([(text in FORWARD) - (text in BACKWARD) for text in texts], np.int64)
    if count := len(ways) - np.count_nonzero(ways):
        unknown = sorted({*texts} - FORWARD - BACKWARD - BOTH)
        warn(
            f"no row has the opposite direction of another one, so {count} of {len(ways)} streets "
            f"count in both directions{', also where oneway is ' if unknown else ''}"
            f"{', '.join(map(repr, unknown))} (directed=True takes all directions from the rows, "
            "directed=False none)"
        )
    return ways


def _lengths(network: Network, weight: str, default: float | None) -> Floats:
    """Returns the lengths of all edges: `default`, or that of the geometry, where there is none.

    Loops, which lie on no shortest path, have the length 1.
    """
    import pandas as pd

    edges, tails, heads = network.edges, network.tails, network.heads
    lengths: Floats = np.full(len(edges), np.nan)
    if weight in edges.columns:
        lengths = pd.to_numeric(edges[weight]).to_numpy(np.float64, copy=True, na_value=np.nan)
    none = bool(np.isnan(lengths).all())
    if none and weight != "length":
        refuse_unknown([dict.fromkeys(edges.columns.drop(weight, errors="ignore"))], weight)
    loops = tails == heads
    lengths[loops] = 1
    missing = np.flatnonzero(np.isnan(lengths))
    if default is not None:
        lengths[missing] = default
    elif len(missing) and weight == "length":
        _fill_missing(network, missing, lengths)
        if not (none and network.of_lines):
            warn(
                f"{len(missing)} of {len(edges)} edges have no 'length', so that they have that "
                "of their geometry, or the distance between their nodes (default=X gives another)"
            )
    elif len(missing):
        raise ValueError(
            f"{len(missing)} of {len(edges)} edges have no {weight!r}, such as "
            f"{_label(edges, int(missing[0]))} (give each one, or default=X for all of them)"
        )
    wrong = ~(np.isfinite(lengths) & (lengths >= 0))
    if wrong.any():
        at = int(wrong.argmax())
        raise ValueError(
            f"edge {_label(edges, at)} has the length {lengths[at]} (give it one of at least "
            "zero, or remove it)"
        )
    return lengths


def _fill_missing(network: Network, missing: Array, lengths: Floats) -> None:
    """Writes the lengths of geometries, or of straight lines between nodes, into `lengths`."""
    if _in_degrees(network.system):
        raise ValueError(
            f"edge {_label(network.edges, int(missing[0]))} has no 'length', and its coordinates "
            "are degrees (project them: osmnx.project_graph(G), or "
            "frame.to_crs(frame.estimate_utm_crs()))"
        )
    lines = _lines(network.edges)
    columns = network.nodes.columns
    places = network.nodes[["x", "y"]].to_numpy(np.float64) if {"x", "y"} <= set(columns) else None
    for at in missing.tolist():
        line: Any = None if lines is None else lines[at]
        if hasattr(line, "length"):
            lengths[at] = line.length
        elif places is not None:
            lengths[at] = np.hypot(*(places[network.heads[at]] - places[network.tails[at]]))
        else:
            raise ValueError(
                f"edge {_label(network.edges, at)} has neither a 'length' nor a geometry (name "
                "the column of lengths as weight, or give weight=None)"
            )


def _in_degrees(system: Any) -> bool:
    """Returns whether coordinates are degrees; they are lengths if `system` is None."""
    if system is None or hasattr(system, "is_geographic"):
        return system is not None and bool(system.is_geographic)
    try:
        from pyproj import CRS
    except ImportError:
        return str(system).lower() == DEGREES
    return bool(CRS.from_user_input(system).is_geographic)


def _lines(edges: Any) -> list[Any] | None:
    """Returns the geometries of edges, or None if there are none."""
    lines = getattr(edges, "geometry", None)
    return None if lines is None else list(lines)


def _label(edges: Any, at: int) -> str:
    """Returns the label of a row for messages, with integers as Python writes them."""
    label = edges.index[at]
    parts = label if isinstance(label, tuple) else (label,)
    texts = [repr(part.item() if isinstance(part, np.generic) else part) for part in parts]
    return f"({', '.join(texts)})" if isinstance(label, tuple) else texts[0]


def _index(labels: Iterable[Hashable], name: str = "osmid") -> Any:
    """Returns an index of labels, which may be tuples."""
    import pandas as pd

    return pd.Index(list(labels), name=name, tupleize_cols=False)


def _frame(data: Any = None, index: Any = None) -> Any:
    import pandas as pd

    return pd.DataFrame(data, index=index)


def _with_points(nodes: Any, system: Any) -> Any:
    """Returns the nodes as a GeoDataFrame of points; unchanged without x and y or geopandas."""
    if not {"x", "y"} <= set(nodes.columns) or "geometry" in nodes.columns:
        return nodes
    try:
        import geopandas
    except ImportError:
        return nodes
    points = geopandas.points_from_xy(nodes["x"], nodes["y"])
    return geopandas.GeoDataFrame(nodes, geometry=points, crs=system)


def _with_lines(network: Network) -> Any:
    """Returns the edges as a GeoDataFrame; unchanged without x and y of nodes or geopandas.

    An edge without a geometry becomes a straight line.
    """
    nodes, edges = network.nodes, network.edges
    if not {"x", "y"} <= set(nodes.columns):
        return edges
    try:
        import geopandas
        import shapely
    except ImportError:
        return edges
    lines = np.empty(len(edges), object)
    lines[:] = _lines(edges) or None
    missing = [at for at, line in enumerate(lines) if not hasattr(line, "length")]
    places = nodes[["x", "y"]].to_numpy(np.float64)
    ends = np.stack([places[network.tails[missing]], places[network.heads[missing]]], axis=1)
    lines[missing] = shapely.linestrings(ends)
    return geopandas.GeoDataFrame(edges, geometry=lines, crs=network.system)
