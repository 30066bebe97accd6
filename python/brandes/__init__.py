"""Exact betweenness centrality of large graphs, on CPU cores and OpenCL devices.

`betweenness` and `edge_betweenness` take graphs of networkx, igraph and NetworKit, sparse matrices
of SciPy, arrays of NumPy, pandas, polars and Arrow, and files. `search_part` and `merge` are for
machines that share a search. `devices` lists what may search beside the cores.

The extension module is loaded when it is first used: networkx asks every backend what it is, also
where none is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._api import betweenness, devices, edge_betweenness, merge, search_part
    from ._core import Error
    from ._scores import Scores

__all__ = [
    "Error",
    "Scores",
    "betweenness",
    "devices",
    "edge_betweenness",
    "merge",
    "search_part",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("brandes")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _api

    globals().update({name: getattr(_api, name) for name in __all__})
    return globals()[name]


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
