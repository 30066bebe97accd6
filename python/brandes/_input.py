"""What a graph is made of, whichever library it is from."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._core import Graph

    Floats = npt.NDArray[np.float64]

Labels = Sequence[Hashable]


@dataclass(frozen=True)
class Wanted:
    """How a graph is to be understood."""

    directed: bool | None
    weight: Any
    weight_is: str
    vertices: int | None
    #: What vertices of a file are called: "id", or an attribute.
    labels: str | None = None
    #: The weight of edges for which a file has none.
    default_weight: float | None = None


@dataclass(frozen=True)
class Input:
    """A graph that can be searched, and what its vertices are called."""

    graph: Graph
    labels: Labels
    #: Scores of edges in an order of its own, with their labels, from those of `graph.edges()`.
    edges: Callable[[Floats], tuple[Floats, Callable[[], Labels]]] | None = None


def open_input(graph: Any, wanted: Wanted) -> Input:
    """The graph, by the module that knows its library."""
    if wanted.vertices is not None and not isinstance(graph, tuple | list):
        raise ValueError("vertices is for arrays of sources and targets; leave it out")
    if _library(graph) != "file":
        for name in ("labels", "default_weight"):
            if getattr(wanted, name) is not None:
                raise ValueError(f"{name} is for the path of a file; leave it out")
    module = import_module(f"._{_library(graph)}", __package__)
    opened: Input = module.open_input(graph, wanted)
    return opened


def _library(graph: Any) -> str:
    if isinstance(graph, str | os.PathLike):
        return "file"
    if isinstance(graph, tuple | list):
        return "arrays"
    libraries = {kind.__module__.partition(".")[0] for kind in type(graph).__mro__}
    for library in ("scipy", "igraph", "networkit"):
        if library in libraries:
            return library
    if hasattr(graph, "_adj") and hasattr(graph, "is_multigraph"):
        return "networkx"
    raise TypeError(
        f"{type(graph).__module__}.{type(graph).__qualname__} is no graph that is known; give a "
        "graph of networkx, igraph or NetworKit, a sparse matrix of SciPy, a tuple of arrays "
        "(sources, targets[, weights]), or the path of a file"
    )
