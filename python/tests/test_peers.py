"""Compares scores of random graphs with those of other libraries."""

from __future__ import annotations

import numpy as np
import pytest

import brandes

GRAPHS = 200


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


def ours(seed: int) -> brandes.Scores:
    vertices, ends, weights, directed, weighted = random_graph(seed)
    arrays = (ends[:, 0], ends[:, 1], *([weights] if weighted else []))
    return brandes.betweenness(
        arrays, directed=directed, vertices=vertices, normalized=False, edges=True
    )


def test_igraph() -> None:
    ig = pytest.importorskip("igraph")
    for seed in range(GRAPHS):
        vertices, ends, weights, directed, weighted = random_graph(seed)
        graph = ig.Graph(vertices, ends.tolist(), directed=directed)
        length = weights.tolist() if weighted else None
        scores = ours(seed)
        theirs = graph.betweenness(directed=directed, weights=length)
        assert np.allclose(scores.values, theirs, rtol=1e-9, atol=1e-9), seed
        # igraph keeps the order of the list, which is sorted.
        theirs = graph.edge_betweenness(directed=directed, weights=length)
        assert np.allclose(scores.edges.values, theirs, rtol=1e-9, atol=1e-9), seed
        graph.es["length"] = weights.tolist()
        converted = brandes.betweenness(
            graph, weight="length" if weighted else None, normalized=False
        )
        assert np.allclose(converted.values, scores.values, rtol=1e-12), seed


def test_networkit() -> None:
    nk = pytest.importorskip("networkit")
    for seed in range(GRAPHS):
        vertices, ends, weights, directed, weighted = random_graph(seed)
        graph = nk.Graph(vertices, weighted=weighted, directed=directed)
        for (tail, head), weight in zip(ends.tolist(), weights.tolist(), strict=True):
            graph.addEdge(tail, head, weight)
        theirs = np.array(nk.centrality.Betweenness(graph).run().scores())
        scores = ours(seed).values
        # NetworKit counts each pair of an undirected graph once or twice, depending on its version.
        factor = 1.0 if directed or np.allclose(scores, theirs) else 2.0
        assert np.allclose(scores * factor, theirs, rtol=1e-9, atol=1e-9), seed
        converted = brandes.betweenness(graph, weight=weighted, normalized=False)
        assert np.allclose(converted.values, scores, rtol=1e-12), seed


def test_rustworkx() -> None:
    rx = pytest.importorskip("rustworkx")
    for seed in range(GRAPHS):
        vertices, ends, weights, directed, weighted = random_graph(seed)
        graph = rx.PyDiGraph() if directed else rx.PyGraph()
        graph.add_nodes_from(range(vertices))
        graph.add_edges_from(
            [(*pair, weight) for pair, weight in zip(ends.tolist(), weights.tolist(), strict=True)]
        )
        if weighted:
            # rustworkx has no weighted betweenness, so this tests only its list of edges.
            arrays = tuple(map(np.array, zip(*graph.weighted_edge_list(), strict=True)))
            converted = brandes.betweenness(
                (arrays[0].astype(int), arrays[1].astype(int), arrays[2]) if arrays else ([], []),
                directed=directed,
                vertices=vertices,
                normalized=False,
            )
            assert np.allclose(converted.values, ours(seed).values, rtol=1e-12), seed
            continue
        theirs = rx.betweenness_centrality(graph, normalized=False)
        scores = ours(seed)
        assert np.allclose(scores.values, [theirs[v] for v in range(vertices)]), seed
        theirs = rx.edge_betweenness_centrality(graph, normalized=False)
        assert np.allclose(scores.edges.values, list(theirs.values())), seed
