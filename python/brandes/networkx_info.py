"""Describes the backend to networkx.

networkx loads this module when networkx is imported, so it imports only typing.
"""

from __future__ import annotations

from typing import Any

_OPTIONS = {
    "device : str, int or None, default 'auto'": (
        "'auto', 'all', None (CPU only), or the number or a part of the name of a device."
    ),
    "cpu_workers : int or 'auto', default 'auto'": "Threads that search beside devices.",
}
_WEIGHTS = (
    "`weight` (or `distance`) names an edge attribute with values above zero. If it is a function, "
    "networkx's own code runs."
)


def get_info() -> dict[str, Any]:
    """Returns the backend's name, its functions and their additional arguments."""
    functions = (
        "betweenness_centrality",
        "betweenness_centrality_subset",
        "closeness_centrality",
        "diameter",
        "eccentricity",
        "edge_betweenness_centrality",
        "edge_betweenness_centrality_subset",
        "girvan_newman",
        "harmonic_centrality",
    )
    return {
        "backend_name": "brandes",
        "project": "brandes",
        "package": "brandes",
        "short_summary": "Exact centralities on all CPU cores and OpenCL devices.",
        "description": "Centralities (betweenness, closeness, harmonic), eccentricity and "
        "diameter, with or without weights, on CPU cores and GPUs of AMD, Intel and NVIDIA.",
        "functions": {
            name: {"additional_docs": _WEIGHTS, "additional_parameters": _OPTIONS}
            for name in functions
        },
        "default_config": {},
    }
