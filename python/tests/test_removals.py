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
    edges = nodes * (1 + seed % 3)
    return nx.gnm_random_graph(nodes, edges, seed=seed, directed=seed % 4 == 0)


def components(graph: object) -> list[set]:
    find = nx.weakly_connected_components if graph.is_directed() else nx.connected_components
    return list(find(graph))


@pytest.mark.parametrize("by", ["vertices", "edges"])
@pytest.mark.parametrize("seed", range(GRAPHS))
def test_removals_are_those_of_a_loop(seed: int, by: str) -> None:
    graph = random_graph(seed)
    left, count = graph.copy(), 0
    for step in brandes.removals(graph, by):
        function = nx.betweenness_centrality if by == "vertices" else nx.edge_betweenness_centrality
        scores = function(left, normalized=False, backend="networkx")
        # The sequence differs from that of networkx only among the highest.
        ends = step.removed[::-1] if by == "edges" else None
        score = scores.get(step.removed, scores.get(ends))
        assert score == pytest.approx(max(scores.values()), rel=1e-9, abs=1e-9)
        assert step.score == pytest.approx(score, rel=1e-9, abs=1e-9)
        if by == "vertices":
            left.remove_node(step.removed)
        else:
            left.remove_edge(*step.removed)
        count += 1
        found = components(left)
        assert step.components == len(found)
        assert step.largest == max(map(len, found), default=0)
        if by == "edges":
            expected = nx.community.modularity(graph, found)
            assert step.modularity == pytest.approx(expected, abs=1e-12)
    assert count == (graph.number_of_nodes() if by == "vertices" else graph.number_of_edges())


@pytest.mark.parametrize("seed", range(GRAPHS))
def test_girvan_newman_is_that_of_networkx(seed: int) -> None:
    graph = nx.relabel_nodes(random_graph(seed), {2: "two", 4: (4, 4)})
    steps = iter(brandes.removals(nx.Graph(graph), "edges"))

    def edge_of_brandes(left: object) -> tuple:
        # networkx removes the edges that brandes removes; the other test compares their scores.
        return next(steps).removed

    girvan_newman = nx.community.girvan_newman
    theirs = list(girvan_newman(graph, edge_of_brandes, backend="networkx"))
    assert list(girvan_newman(graph, backend="brandes")) == theirs


def test_communities_of_the_karate_club_are_those_of_networkx_without_any_ties() -> None:
    graph = nx.karate_club_graph()
    ours = nx.community.girvan_newman(graph, backend="brandes")
    theirs = nx.community.girvan_newman(graph, backend="networkx")
    for _ in range(3):
        assert next(ours) == next(theirs)


def test_what_the_backend_lacks_is_left_to_networkx() -> None:
    empty = nx.empty_graph(3)
    assert list(nx.community.girvan_newman(empty, backend="brandes")) == [({0}, {1}, {2})]
    path = nx.path_graph(3)
    with pytest.raises(NotImplementedError, match="functions that choose edges"):
        nx.community.girvan_newman(path, lambda left: next(iter(left.edges)), backend="brandes")
    with pytest.raises(NotImplementedError, match="parallel edges"):
        nx.community.girvan_newman(nx.MultiGraph(path), backend="brandes")


def test_options() -> None:
    path = [(v, v + 1) for v in range(8)]
    removed = [step.removed for step in brandes.removals(path, until=3)]
    assert removed == [4, 1]
    removed = [step.removed for step in brandes.removals(path, batch=3, steps=4, device=None)]
    assert removed == [4, 3, 5, 1]
    for options in ({"by": "nodes"}, {"batch": 0}, {"steps": -1}):
        with pytest.raises(ValueError, match="but has to be"):
            brandes.removals(path, **options)
    with pytest.raises(TypeError, match="did you mean 'batch'"):
        brandes.removals(path, bach=2)


def test_weights_and_directions() -> None:
    graph = nx.DiGraph()
    graph.add_weighted_edges_from([("a", "b", 1), ("b", "c", 1), ("a", "c", 3), ("c", "d", 1)])
    first = next(brandes.removals(graph, weight="weight"))
    assert (first.removed, first.score) == ("b", 2.0)
    first = next(brandes.removals(graph))
    assert (first.removed, first.score) == ("c", 2.0)
