"""Chooses the module that reads a graph, and defines types and functions of these modules."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import is_column
from ._core import Graph, WeightError
from ._names import near
from ._warn import warn

Floats = npt.NDArray[np.float64]
Labels = Sequence[Hashable]


@dataclass(frozen=True)
class ReadOptions:
    """The arguments of `betweenness` that say how to read the graph."""

    directed: bool | None
    weight: Any
    weight_is: str
    vertices: Any
    #: The labels of vertices of a file: "id", or the name of an attribute.
    labels: str | None = None
    #: The weight of edges for which a file has none.
    default_weight: float | None = None
    #: The attribute of vertices of a file that holds their weights.
    vertex_weights: str | None = None
    #: The format of a file, and the layout of an edge list.
    format: str | None = None
    columns: str | Sequence[str | int] | None = None
    header: bool | None = None
    delimiter: str | None = None


#: The options that are for files.
OF_FILES = ("labels", "default_weight", "format", "columns", "header", "delimiter")


@dataclass(frozen=True)
class Input:
    """A graph that can be searched, and the labels of its vertices."""

    graph: Graph
    labels: Labels
    #: Converts scores in the order of `graph.edges()` to scores and labels of the input's edges.
    edges: Callable[[Floats], tuple[Floats, Callable[[], Labels]]] | None = None
    #: Returns the values of an attribute of vertices in the order of `labels`, None where a vertex
    #: has none; or None if no vertex has it.
    attribute: Callable[[str], Iterable[Any] | None] | None = None


def open_input(graph: Any, options: ReadOptions) -> Input:
    """Reads a graph with the module for its library."""
    library = _library(graph)
    if library == "reportviews":
        library = "edges"
        graph, options = _edges_of_view(graph, options)
    if options.vertices is not None and library not in ("edges", "file"):
        raise ValueError("vertices is for edges and files; leave it out")
    if library != "file":
        for name in OF_FILES:
            if getattr(options, name) is not None and (name, library) != ("columns", "edges"):
                raise ValueError(f"{name} is for the path of a file; leave it out")
    module = import_module(f"._{library}", __package__)
    opened: Input = module.open_input(graph, options)
    for text in _assumptions(opened.graph, options, library):
        warn(text)
    return opened


def _assumptions(graph: Graph, options: ReadOptions, library: str) -> list[str]:
    """Returns the assumptions about an input that may change scores."""
    texts = graph.notes
    if library == "file" and options.weight is None and graph.weights_dropped:
        texts.append("the file has weights, which are not used (give weight=True or False)")
    # Entries of matrices and lines of files are arcs; graphs of other libraries state whether they
    # are directed.
    if library in ("file", "scipy") and options.directed is None and graph.symmetrised:
        texts.append("the edges have directions, which are not used (give directed=True or False)")
    return texts


def _library(graph: Any) -> str:
    """Returns the name of the module that reads this graph, without its underscore.

    Views of the edges of a networkx graph give "reportviews", which is no such module.
    """
    if isinstance(graph, str | os.PathLike):
        return "file"
    if isinstance(graph, tuple | list):
        return "edges"
    modules = {kind.__module__ for kind in type(graph).__mro__}
    libraries = {module.partition(".")[0] for module in modules}
    for library in ("scipy", "igraph", "networkit"):
        if library in libraries:
            return library
    if hasattr(graph, "_adj") and hasattr(graph, "is_multigraph"):
        return "networkx"
    if "networkx.classes.reportviews" in modules:
        return "reportviews"
    iterable = isinstance(graph, Iterable) and not isinstance(graph, bytes | Mapping)
    if iterable or is_column(graph):
        return "edges"
    raise TypeError(
        f"{type(graph).__module__}.{type(graph).__qualname__} is not a type of graph that brandes "
        "reads; give a graph of networkx, igraph or NetworKit, a sparse matrix of SciPy, a "
        "DataFrame of edges, a list of edges, a tuple of columns (sources, "
        "targets[, weights]) such as (frame['a'], frame['b']), or the path of a file"
    )


def _edges_of_view(view: Any, options: ReadOptions) -> tuple[Any, ReadOptions]:
    """Returns the rows of `G.edges`, and options that state whether they are directed."""
    name = type(view).__name__
    if name.endswith("EdgeView"):
        view = view(data=True)
    elif not name.endswith("EdgeDataView"):
        raise TypeError(f"networkx's {name} is not a graph (give G or G.edges)")
    if getattr(view, "keys", False) is True:
        raise ValueError("the third value of edges with keys is not a weight (omit keys=True)")
    if options.directed is None:
        options = replace(options, directed=view._viewer._graph.is_directed())
    return view, options


def labels_of(graph: Graph) -> Labels:
    """Returns the vertex labels as a range or a list."""
    labels = graph.labels()
    return labels if isinstance(labels, range | list) else labels.tolist()


@contextmanager
def naming(edge: Callable[[int], str]) -> Iterator[None]:
    """Replaces a `WeightError` by a `ValueError` that names the edge at its position."""
    try:
        yield
    except WeightError as error:
        entry, reason = error.args
        raise ValueError(f"{edge(entry)}: {reason}") from None


def refuse_unknown(attributes: Iterable[Mapping[Hashable, Any]], weight: Any) -> None:
    """Raises a `ValueError` if there are edges and none has the attribute."""
    names: dict[Hashable, None] = {}
    edges = False
    for data in attributes:
        if weight in data:
            return
        names.update(dict.fromkeys(data))
        edges = True
    if not edges:
        return
    others = f", but {', '.join(map(repr, names))}" if names else ""
    hint = near(weight, names) or " (name one that is there, or leave weight out)"
    raise ValueError(f"no edge has an attribute {weight!r}{others}{hint}")
