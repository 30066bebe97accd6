"""Tests the backend of networkx."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

nx = pytest.importorskip("networkx")
# networkx warns that cached conversions become wrong if a graph is not changed by its methods.
# These tests change graphs by methods only.
nx.config.warnings_to_ignore.add("cache")

from brandes import networkx_backend as backend  # noqa: E402


def close(ours: dict, theirs: dict) -> None:
    assert list(ours) == list(theirs)
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


def test_networkx_finds_the_backend_without_loading_the_extension() -> None:
    text = (
        "import sys, networkx as nx; print('brandes' in nx.config.backends, "
        "'brandes._core' in sys.modules, 'numpy' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert found.stdout.split()[:2] == ["True", "False"]


@pytest.mark.parametrize("options", [{}, {"k": 5, "seed": 3}, {"normalized": False}])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_scores_of_calls_are_those_of_networkx(options: dict, weight: str | None) -> None:
    graph = nx.karate_club_graph()
    for name in ("betweenness_centrality", "edge_betweenness_centrality"):
        function = getattr(nx, name)
        theirs = function(graph, weight=weight, backend="networkx", **options)
        close(function(graph, weight=weight, backend="brandes", **options), theirs)
        with nx.config(backend_priority=["brandes"]):
            close(function(graph, weight=weight, **options), theirs)


def random_graph(seed: int, kind: type) -> object:
    """Returns a connected graph with integer lengths, or a strongly connected one."""
    graph = kind(nx.gnm_random_graph(24, 40, seed=seed, directed=kind().is_directed()))
    nx.add_cycle(graph, [*range(0, 24, 2), *range(1, 24, 2)])
    for number, (_, _, data) in enumerate(graph.edges(data=True)):
        data["length"] = 1 + number * number % 5
    return nx.relabel_nodes(graph, {3: "three", 5: (5, 5)})


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("length", [None, "length", "metres"])
@pytest.mark.parametrize("seed", range(4))
def test_other_functions_are_those_of_networkx(kind: type, length: str | None, seed: int) -> None:
    graph = random_graph(seed, kind)
    some = [0, "three", 7, 7]
    subset = (some, ["three", 1, "unknown", 1])
    calls = [
        ("betweenness_centrality_subset", subset, "weight"),
        ("closeness_centrality", (), "distance"),
        ("closeness_centrality", (7,), "distance"),
        ("harmonic_centrality", (), "distance"),
        ("harmonic_centrality", (some,), "distance"),
        ("eccentricity", (), "weight"),
        ("eccentricity", (some,), "weight"),
        ("eccentricity", (7,), "weight"),
        ("diameter", (), "weight"),
    ]
    for number, (name, arguments, argument) in enumerate(calls):
        options = {argument: length}
        if name == "betweenness_centrality_subset":
            options["normalized"] = bool(seed % 2)
        if name == "closeness_centrality":
            options["wf_improved"] = bool(seed % 2)
        if name == "harmonic_centrality" and seed % 2:
            options["sources"] = [1, "three", "unknown"]
        if number == 0 and seed > 1:
            # These two nodes reach no others.
            graph.add_edge(98, 99, length=2)
        if name == "eccentricity" and 98 in graph:
            graph.remove_nodes_from([98, 99])
        function = getattr(nx, name)
        ours = function(graph, *arguments, backend="brandes", **options)
        theirs = function(graph, *arguments, backend="networkx", **options)
        assert ours == pytest.approx(theirs, rel=1e-9), (name, arguments)
        if name in ("eccentricity", "diameter"):
            assert type(ours) is type(theirs)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
def test_edges_between_subsets_are_those_of_networkx(kind: type) -> None:
    # networkx 3.6 returns other scores if predecessors of a node have different numbers of paths.
    graph = kind([(0, 1), (0, 2), (1, 3), (2, 3), (0, 4), (3, 6), (6, 7)])
    function, arguments = nx.edge_betweenness_centrality_subset, (graph, [0, 1], [7, 3])
    close(function(*arguments, backend="brandes"), function(*arguments, backend="networkx"))


def test_disconnected_graphs_have_no_eccentricity() -> None:
    for graph, match in [
        (nx.Graph([(1, 2), (3, 4)]), "the graph is not connected"),
        (nx.DiGraph([(1, 2), (1, 3)]), "the digraph is not strongly connected"),
    ]:
        for name, arguments in [("eccentricity", ()), ("eccentricity", (2,)), ("diameter", ())]:
            for backend_name in ("brandes", "networkx"):
                with pytest.raises(nx.NetworkXError, match=match):
                    getattr(nx, name)(graph, *arguments, backend=backend_name)
    # A source that reaches all others has an eccentricity.
    assert nx.eccentricity(nx.DiGraph([(1, 2), (1, 3)]), 1, backend="brandes") == 1
    assert nx.eccentricity(nx.empty_graph(0), backend="brandes") == {}
    with pytest.raises(nx.NodeNotFound, match="Source 9 is not in G"):
        nx.closeness_centrality(nx.path_graph(3), 9, backend="brandes")


def test_conversions_are_cached() -> None:
    graph = nx.karate_club_graph()
    view = nx.subgraph_view(graph, filter_node=lambda node: node != 5)
    nx.betweenness_centrality(graph, backend="brandes")
    nx.betweenness_centrality(view, backend="brandes")
    assert "brandes" in graph.__networkx_cache__["backends"]
    graph.add_edge(0, 99)
    graph.remove_node(1)
    for changed in (graph, view):
        scores = nx.betweenness_centrality(changed, backend="brandes")
        close(scores, nx.betweenness_centrality(changed, backend="networkx"))
    # An attribute that no edge has is 1, as in networkx.
    ours = nx.betweenness_centrality(graph, weight="metres", backend="brandes")
    close(ours, nx.betweenness_centrality(graph, weight="metres"))


#: Calls with a weight, on a graph whose weights have changed since an earlier call.
WEIGHTED = {
    "betweenness_centrality": {"weight": "weight"},
    "edge_betweenness_centrality": {"weight": "weight"},
    "betweenness_centrality_subset": {"weight": "weight", "sources": [0, 1], "targets": [2, 3]},
    "closeness_centrality": {"distance": "weight"},
    "harmonic_centrality": {"distance": "weight"},
    "eccentricity": {"weight": "weight"},
    "diameter": {"weight": "weight"},
}


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_that_change_in_place_are_read_again(name: str, kind: type) -> None:
    function, options = getattr(nx, name), WEIGHTED[name]
    graph = nx.cycle_graph(5, create_using=kind)
    nx.set_edge_attributes(graph, 1, "weight")
    function(graph, backend="brandes", **options)
    edge = next(iter(graph[0][1].values())) if graph.is_multigraph() else graph[0][1]
    edge["weight"] = 10
    theirs = function(graph, backend="networkx", **options)
    with nx.config(backend_priority=["brandes"]):
        assert function(graph, **options) == pytest.approx(theirs)


def test_seeds_of_every_kind_draw_the_same_vertices() -> None:
    np = pytest.importorskip("numpy")
    graph = nx.karate_club_graph()
    for make in (int, random.Random, np.random.RandomState, np.random.default_rng):
        ours = nx.betweenness_centrality(graph, k=7, seed=make(5), backend="brandes")
        close(ours, nx.betweenness_centrality(graph, k=7, seed=make(5)))
    with pytest.raises(ValueError, match=r"Sample larger"):
        nx.betweenness_centrality(graph, k=99, backend="brandes")


@pytest.mark.parametrize(
    ("weight", "value"),
    [("w", 0), ("w", -1), ("w", "1"), ("w", None), ("w", float("nan")), ("w", float("inf"))],
)
def test_unsupported_weights_are_left_to_networkx(weight: str, value: object) -> None:
    graph = nx.cycle_graph(20)
    nx.set_edge_attributes(graph, 1, "w")
    graph.edges[3, 4]["w"] = value
    for name in ("betweenness_centrality", "edge_betweenness_centrality"):
        with nx.config(backend_priority=["brandes"]):
            assert "edge (3, 4)" in backend.can_run(name, (graph,), {"weight": weight})
        # networkx itself would not show the reason.
        with pytest.raises(NotImplementedError, match=r"edge \(3, 4\): w .* is not"):
            getattr(nx, name)(graph, weight=weight, backend="brandes")
    parallel = nx.MultiGraph([(0, 1, {"w": 1.5}), (0, 1, {"w": value})])
    with pytest.raises(NotImplementedError, match=r"edge \(0, 1\): w .* is not"):
        nx.betweenness_centrality(parallel, weight="w", backend="brandes")


def test_reasons_are_given() -> None:
    graph = nx.cycle_graph(20)
    name = "betweenness_centrality"
    assert backend.can_run(name, (graph,), {}) is True
    assert backend.can_run(name, (graph, None, True, "weight"), {}) is True
    with nx.config(backend_priority=["brandes"]):
        assert "functions" in backend.can_run(name, (graph,), {"weight": lambda u, v, d: 1})
        assert "sp is not used" in backend.can_run("eccentricity", (graph,), {"sp": {}})
        assert "pagerank" in backend.can_run("pagerank", (graph,), {})
    assert backend.should_run(name, (graph,), {}) is True
    assert "small" in backend.should_run(name, (nx.path_graph(3),), {})
    assert "few nodes" in backend.should_run("closeness_centrality", (graph, 0), {})
    assert "few nodes" in backend.should_run("eccentricity", (graph,), {"v": [0, 1]})


def test_converted_graphs_return_their_original() -> None:
    graph = nx.MultiDiGraph([(0, 1), (1, 2)])
    converted = backend.convert_from_nx(graph)
    assert converted.is_directed()
    assert converted.is_multigraph()
    assert backend.convert_to_nx(converted) is graph
    assert backend.convert_to_nx({0: 1.0}) == {0: 1.0}
