"""Compares scores of random graphs with those of other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import brandes

GRAPHS = 60


def random_graph(seed: int) -> tuple[int, np.ndarray, np.ndarray, bool, bool]:
    """Returns the vertex count, the edges, their weights, and the flags directed and weighted."""
    rng = np.random.default_rng(seed)
    vertices = int(rng.integers(2, 60))
    directed, weighted = bool(seed & 1), bool(seed & 2)
    ends = rng.integers(0, vertices, (int(rng.integers(1, 4 * vertices)), 2))
    ends = ends[ends[:, 0] != ends[:, 1]]
    if not directed:
        ends.sort(axis=1)
    ends = np.unique(ends, axis=0).reshape(-1, 2)
    # Sums of multiples of 1/4 are exact, so that all libraries see the same ties.
    weights = rng.integers(1, 6, len(ends)) / 4
    return vertices, ends, weights, directed, weighted


def close(ours: Any, theirs: Any, seed: int) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9, err_msg=f"seed {seed}")


@pytest.mark.parametrize("radius", [None, 1, 1.5])
def test_igraph(radius: float | None) -> None:
    ig = pytest.importorskip("igraph")
    for seed in range(GRAPHS):
        vertices, ends, weights, directed, weighted = random_graph(seed)
        graph = ig.Graph(vertices, ends.tolist(), directed=directed)
        graph.es["length"] = weights.tolist()
        weight = "length" if weighted else None
        options, within = {"weight": weight, "radius": radius}, {"weights": weight}
        if radius:
            within["cutoff"] = radius
        ours = brandes.betweenness(graph, normalized=False, edges=True, **options)
        close(ours.values, graph.betweenness(**within), seed)
        close(ours.edges.values, graph.edge_betweenness(**within), seed)
        within["mode"] = "in"
        ours = brandes.closeness(graph, closeness_scaling="component", **options)
        close(ours.values, np.nan_to_num(graph.closeness(normalized=True, **within)), seed)
        theirs = graph.harmonic_centrality(normalized=False, **within)
        close(brandes.harmonic(graph, **options).values, np.nan_to_num(theirs), seed)


def test_networkit() -> None:
    nk = pytest.importorskip("networkit")
    for seed in range(GRAPHS):
        vertices, ends, weights, directed, weighted = random_graph(seed)
        graph = nk.Graph(vertices, weighted=weighted, directed=directed)
        for (tail, head), weight in zip(ends.tolist(), weights.tolist(), strict=True):
            graph.addEdge(tail, head, weight)
        theirs = np.array(nk.centrality.Betweenness(graph).run().scores())
        arrays = (ends[:, 0], ends[:, 1], *([weights] if weighted else []))
        options = {"directed": directed, "normalized": False}
        scores = brandes.betweenness(arrays, vertices=vertices, **options).values
        # NetworKit counts each pair of an undirected graph once or twice, depending on its version.
        factor = 1.0 if directed or np.allclose(scores, theirs) else 2.0
        close(scores * factor, theirs, seed)
        converted = brandes.betweenness(graph, weight=weighted, normalized=False)
        close(converted.values, scores, seed)
