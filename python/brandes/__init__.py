"""Betweenness, exact or estimated, and other centralities, on CPU cores and OpenCL devices.

`betweenness`, `edge_betweenness`, `closeness`, `harmonic` and `centrality` take graphs of networkx,
igraph and NetworKit, sparse matrices of SciPy, edges in lists, or in arrays of NumPy, pandas,
polars and Arrow, and files. `removals` removes the vertices or edges of the highest scores, and
computes the scores again each time. `streets` takes street networks of OSMnx and geopandas.
`search_part` searches one part of the sources, so that several machines can share a search, and
`merge` adds up the parts. `devices` lists the OpenCL devices.

    import brandes
    scores = brandes.betweenness([(0, 1), (1, 2)])
    scores[1]  # 1.0

The extension module is loaded on first use, because networkx imports the package of every backend
even if it does not use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._api import (
        betweenness,
        centrality,
        closeness,
        devices,
        edge_betweenness,
        harmonic,
        merge,
        removals,
        search_part,
    )
    from ._core import Error
    from ._scores import Scores
    from ._streets import streets
    from ._warn import BrandesWarning

__all__ = [
    "BrandesWarning",
    "Error",
    "Scores",
    "betweenness",
    "centrality",
    "closeness",
    "devices",
    "edge_betweenness",
    "harmonic",
    "merge",
    "removals",
    "search_part",
    "streets",
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
