"""Tests removals against loops with networkx."""

from __future__ import annotations

import os

import pytest

import brandes

nx = pytest.importorskip("networkx")
nx.config.warnings_to_ignore.add("cache")

#: The number of random graphs.
GRAPHS = int(os.environ.get("BRANDES_TEST_REMOVALS", "30"))


def random_graph(seed: int) -> object:
    """Returns a graph of up to 40 nodes, directed or not, connected or not."""
    nodes = 5 + 7 * seed % 36
    return nx.gnm_random_graph(nodes, nodes * (1 + seed % 3), seed=seed, directed=seed % 4 == 0)


@pytest.mark.parametrize("by", ["vertices", "edges"])
@pytest.mark.parametrize("seed", range(GRAPHS))
def test_removals_are_those_of_a_loop(seed: int, by: str) -> None:
    graph = random_graph(seed)
    left = graph.copy()
    of, remove, components = {
        "vertices": (nx.betweenness_centrality, left.remove_node),
        "edges": (nx.edge_betweenness_centrality, lambda ends: left.remove_edge(*ends)),
    }[by] + (nx.weakly_connected_components if graph.is_directed() else nx.connected_components,)
    for step in brandes.removals(graph, by):
        scores = of(left, normalized=False, backend="networkx")
        score = scores.get(step.removed)
        if score is None:
            score = scores[step.removed[::-1]]
        # The sequence differs from that of networkx only among the highest.
        assert score == pytest.approx(max(scores.values()), rel=1e-9, abs=1e-9)
        assert step.score == pytest.approx(score, rel=1e-9, abs=1e-9)
        remove(step.removed)
        found = list(components(left))
        assert (step.components, step.largest) == (len(found), max(map(len, found), default=0))
        if by == "edges":
            expected = nx.community.modularity(graph, found)
            assert step.modularity == pytest.approx(expected, abs=1e-12)
    assert not (left.edges if by == "edges" else left.nodes)


@pytest.mark.parametrize("seed", range(GRAPHS))
def test_girvan_newman_is_that_of_networkx(seed: int) -> None:
    graph = nx.relabel_nodes(random_graph(seed), {2: "two", 4: (4, 4)})
    girvan_newman = nx.community.girvan_newman
    # networkx removes the edges that brandes removes; the other test compares their scores.
    steps = brandes.removals(nx.Graph(graph), "edges")
    theirs = girvan_newman(graph, lambda left: next(steps).removed, backend="networkx")
    assert list(girvan_newman(graph, backend="brandes")) == list(theirs)


def test_girvan_newman_without_any_ties_and_what_is_left_to_networkx() -> None:
    girvan_newman = nx.community.girvan_newman
    graph = nx.karate_club_graph()
    ours, theirs = girvan_newman(graph, backend="brandes"), girvan_newman(graph, backend="networkx")
    assert [next(ours) for _ in range(3)] == [next(theirs) for _ in range(3)]
    assert list(girvan_newman(nx.empty_graph(2), backend="brandes")) == [({0}, {1})]
    path = nx.path_graph(3)
    with pytest.raises(NotImplementedError, match="functions that choose edges"):
        girvan_newman(path, lambda left: next(iter(left.edges)), backend="brandes")
    with pytest.raises(NotImplementedError, match="parallel edges"):
        girvan_newman(nx.MultiGraph(path), backend="brandes")


def test_options() -> None:
    path = [(v, v + 1) for v in range(8)]
    assert [step.removed for step in brandes.removals(path, until=3)] == [4, 1]
    removed = [step.removed for step in brandes.removals(path, batch=3, steps=4, device=None)]
    assert removed == [4, 3, 5, 1]
    for options in ({"by": "nodes"}, {"batch": 0}, {"steps": -1}):
        with pytest.raises(ValueError, match="but has to be"):
            brandes.removals(path, **options)
    with pytest.raises(TypeError, match="did you mean 'batch'"):
        brandes.removals(path, bach=2)
    graph = nx.DiGraph()
    graph.add_weighted_edges_from([("a", "b", 1), ("b", "c", 1), ("a", "c", 3), ("c", "d", 1)])
    first = [next(brandes.removals(graph, weight=weight)) for weight in ("weight", None)]
    assert [(step.removed, step.score) for step in first] == [("b", 2.0), ("c", 2.0)]
