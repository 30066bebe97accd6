"""What a graph is made of, whichever library it is from."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Input:
    """A graph that can be searched, and what its vertices are called."""

    graph: Graph
    labels: Labels
    #: Scores of edges in an order of its own, with their labels, from those of `graph.edges()`.
    edges: Callable[[Floats], tuple[Floats, Callable[[], Labels]]] | None = None


def open_input(graph: Any, wanted: Wanted) -> Input:
    """The graph, by the module that knows its library."""
    if isinstance(graph, str | os.PathLike):
        from . import _file as module
    elif isinstance(graph, tuple | list):
        from . import _arrays as module
    else:
        libraries = {kind.__module__.partition(".")[0] for kind in type(graph).__mro__}
        if "scipy" in libraries:
            from . import _scipy as module
        elif "igraph" in libraries:
            from . import _igraph as module
        elif "networkit" in libraries:
            from . import _networkit as module
        elif hasattr(graph, "adj") and hasattr(graph, "is_multigraph"):
            from . import _networkx as module
        else:
            raise TypeError(
                f"{type(graph).__module__}.{type(graph).__qualname__} is no graph that is known; "
                "give a graph of networkx, igraph or NetworKit, a sparse matrix of SciPy, a tuple "
                "of arrays (sources, targets[, weights]), or the path of a file"
            )
    if wanted.vertices is not None and not isinstance(graph, tuple | list):
        raise ValueError("vertices is for arrays of sources and targets; leave it out")
    opened: Input = module.open_input(graph, wanted)
    return opened
