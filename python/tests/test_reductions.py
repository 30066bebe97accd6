"""Tests graphs with many blocks, twins, trees and chains, which reductions remove."""

from __future__ import annotations

import math
import random

import pytest

import brandes

nx = pytest.importorskip("networkx")

REDUCTIONS = ["auto", "none", "fold", "blocks", "fold,blocks", "fold,chains", "fold,blocks,chains"]
WITH_TWINS = ["twins", "blocks,twins", "fold,blocks,twins"]


def cactus(rng: random.Random) -> nx.Graph:
    """Returns cycles that share vertices."""
    graph = nx.empty_graph(1)
    while len(graph) < 30:
        first = len(graph)
        ring = [rng.randrange(first), *range(first, first + rng.randint(2, 5))]
        nx.add_cycle(graph, ring)
    return graph


def block_tree(rng: random.Random) -> nx.Graph:
    """Returns cliques and cycles that share vertices."""
    graph = nx.complete_graph(3)
    for _ in range(rng.randint(2, 8)):
        piece = rng.choice([nx.complete_graph, nx.cycle_graph])(rng.randint(3, 6))
        joint, first = rng.randrange(len(graph)), len(graph)
        names = {v: joint if v == 0 else first + v - 1 for v in piece}
        graph = nx.compose(graph, nx.relabel_nodes(piece, names))
    return graph


def star_of_stars(rng: random.Random) -> nx.Graph:
    graph = nx.star_graph(rng.randint(2, 6))
    for centre in list(graph):
        for _ in range(rng.randint(0, 5)):
            graph.add_edge(centre, len(graph))
    return graph


def multipartite(rng: random.Random) -> nx.Graph:
    return nx.complete_multipartite_graph(*(rng.randint(1, 6) for _ in range(rng.randint(2, 4))))


def windmill(rng: random.Random) -> nx.Graph:
    return nx.windmill_graph(rng.randint(2, 6), rng.randint(2, 6))


def clones(rng: random.Random) -> nx.Graph:
    """Returns a random graph with false and true twins of some vertices."""
    graph = nx.gnm_random_graph(rng.randint(4, 20), rng.randint(5, 40), seed=rng.randrange(1000))
    for _ in range(rng.randint(1, 20)):
        twin = rng.randrange(len(graph))
        neighbours = [*graph[twin], *([twin] if rng.random() < 0.5 else [])]
        copy = len(graph)
        graph.add_node(copy)
        graph.add_edges_from((copy, u) for u in neighbours)
    return graph


FAMILIES = [cactus, block_tree, star_of_stars, multipartite, windmill, clones]


def attach_trees(graph: nx.Graph, rng: random.Random) -> nx.Graph:
    """Attaches trees and chains to a graph, and shuffles its vertices."""
    for _ in range(rng.randint(0, 8)):
        ends = [rng.randrange(len(graph)), rng.randrange(len(graph))]
        chain = [ends[0], *range(len(graph), len(graph) + rng.randint(1, 4))]
        nx.add_path(graph, chain + ([ends[1]] if rng.random() < 0.5 and ends[0] != ends[1] else []))
    order = rng.sample(range(len(graph)), len(graph))
    return nx.relabel_nodes(graph, dict(enumerate(order)))


def close(ours: dict, theirs: dict) -> None:
    assert set(ours) == set(theirs)
    for key, value in theirs.items():
        assert math.isclose(ours[key], value, rel_tol=1e-9, abs_tol=1e-9), (key, ours[key], value)


@pytest.mark.parametrize("family", FAMILIES)
def test_reduced_graphs_have_the_scores_of_networkx(family: object) -> None:
    for seed in range(60):
        rng = random.Random(seed)
        graph = attach_trees(family(rng), rng)
        weight = "weight" if rng.random() < 0.3 else None
        for _, _, data in graph.edges(data=True):
            data["weight"] = rng.randint(1, 4)
        options = {"normalized": rng.random() < 0.5, "weight": weight}
        workers = {"device": None, "cpu_workers": 1}
        reduce = rng.choice(REDUCTIONS if weight else REDUCTIONS + WITH_TWINS)
        endpoints = rng.random() < 0.3
        ours = brandes.betweenness(graph, endpoints=endpoints, reduce=reduce, **options, **workers)
        close(ours.to_dict(), nx.betweenness_centrality(graph, endpoints=endpoints, **options))
        k = rng.randint(min(2, len(graph)), len(graph))
        ours = brandes.betweenness(graph, sources=k, seed=seed, reduce=reduce, **options, **workers)
        close(ours.to_dict(), nx.betweenness_centrality(graph, k=k, seed=seed, **options))
        if reduce in REDUCTIONS:
            ours = brandes.edge_betweenness(graph, reduce=reduce, **options, **workers)
            theirs = nx.edge_betweenness_centrality(graph, **options)
            ours = {tuple(sorted(edge)): score for edge, score in ours.to_dict().items()}
            close(ours, {tuple(sorted(edge)): score for edge, score in theirs.items()})
