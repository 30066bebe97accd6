"""Tests that measures, radii and weights of pairs reach the library, on paths."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import brandes

PATH = [("a", "b"), ("b", "c"), ("c", "d")]


def test_pairs_count_by_their_ends_and_distances() -> None:
    trips = [("a", "c", 1.5), ("d", "a", 0.5)]
    for options, b, c in [
        ({"sources": {"a": 2, "c": 1}}, 2.5, 1),
        ({"targets": {"d": 2}}, 1, 2),
        ({"sources": {"a": 2}, "targets": {"d": 3}}, 3, 3),
        ({"vertex_weights": {"a": 2, "d": 3}}, 6, 6),
        ({"demand": trips}, 2, 0.5),
        ({"demand": {(s, t): count for s, t, count in trips}}, 2, 0.5),
        ({"demand": tuple(map(list, zip(*trips, strict=True)))}, 2, 0.5),
        ({"radius": 2}, 1, 1),
        ({"decay": np.log(2)}, 0.375, 0.375),
    ]:
        scores = brandes.betweenness(PATH, **options, normalized=False)
        assert scores.values == pytest.approx([0, b, c, 0]), options
    weights = {"a": 2, "d": 3}
    normalized = brandes.betweenness(PATH, vertex_weights=weights)
    assert normalized.values == pytest.approx([0, 2, 2, 0])
    edges = brandes.edge_betweenness(PATH, vertex_weights=weights, normalized=False)
    assert edges.values.tolist() == [6, 6, 6]


def test_measures_are_those_of_their_definitions() -> None:
    expected = {
        "betweenness": [0, 1, 1, 0],
        "stress": [0, 1, 1, 0],
        "closeness": [4 / 9, 0.75, 0.75, 4 / 9],
        "harmonic": [1.5, 2.5, 2.5, 1.5],
        "reach": [2, 3, 3, 2],
        "eccentricity": [2, 2, 2, 2],
    }
    frame = brandes.centrality(PATH, measures=list(expected), radius=[1, 2], normalized=False)
    for name, values in expected.items():
        np.testing.assert_allclose(frame[f"{name}_2"], values, err_msg=name)
    component = brandes.closeness(PATH, radius=2, closeness_scaling="component")
    np.testing.assert_allclose(component.values, [2 / 3, 0.75, 0.75, 2 / 3])
    edges = brandes.edge_betweenness(PATH, radius=2, normalized=False)
    np.testing.assert_allclose(edges.values, [2, 3, 2])


def test_weights_are_given_by_labels() -> None:
    pd = pytest.importorskip("pandas")
    for sources in ({"a": 2.0}, ["a", "a"], pd.Series([2.0], ["a"]), iter(["a", "a"])):
        scores = brandes.betweenness(PATH, sources=sources, normalized=False)
        assert scores.to_dict() == {"a": 0.0, "b": 2.0, "c": 1.0, "d": 0.0}
    table = pd.DataFrame({"source": ["a"], "target": ["d"], "trips": [7]})
    scores = brandes.betweenness(PATH, demand=table, normalized=False)
    assert scores.to_dict() == {"a": 0.0, "b": 7.0, "c": 7.0, "d": 0.0}


def test_weights_are_given_by_attributes(tmp_path: Path) -> None:
    nx = pytest.importorskip("networkx")
    ig = pytest.importorskip("igraph")
    graph = nx.path_graph(["a", "b", "c"])
    nx.set_node_attributes(graph, {"a": 2, "b": 5, "c": 3}, "people")
    assert brandes.betweenness(graph, vertex_weights="people", normalized=False)["b"] == 6.0
    other = ig.Graph(3, [(0, 1), (1, 2)], vertex_attrs={"people": [2, 5, 3]})
    assert brandes.betweenness(other, vertex_weights="people", normalized=False)[1] == 6.0
    nx.write_graphml(graph, file := tmp_path / "people.graphml")
    assert brandes.betweenness(file, vertex_weights="people", normalized=False)["b"] == 6.0
    frame = brandes.centrality(file, "reach", vertex_weights="people")
    assert frame["reach"].to_dict() == {"a": 8.0, "b": 5.0, "c": 7.0}
    with pytest.raises(ValueError, match="no vertex has an attribute 'jobs'"):
        brandes.betweenness(file, vertex_weights="jobs")
    brandes.closeness(file).write_graph(tmp_path / "scored.graphml")
    assert nx.read_graphml(tmp_path / "scored.graphml").nodes["b"]["closeness"] == 1.0
    with pytest.raises(ValueError, match="no vertex has an attribute 'jobs'"):
        brandes.betweenness(graph, vertex_weights="jobs")
    with pytest.raises(TypeError, match="mapping from labels"):
        brandes.betweenness(PATH, vertex_weights="jobs")


def test_wrong_arguments_are_named() -> None:
    for measures, options, match in [
        (None, {"sources": ["a", "x", "y"]}, "sources has 'x', which is not a vertex"),
        (None, {"targets": {"b": -1}}, "targets of 'b' is -1"),
        (None, {"vertex_weights": {"b": float("nan")}}, "vertex_weights of 'b' is nan"),
        (None, {"demand": [("a", "x", 1)]}, "demand has 'x'"),
        (None, {"demand": {("a", "b"): "many"}}, r"demand of \('a', 'b'\) is 'many'"),
        (None, {"demand": {("a", "b"): 1}, "sources": ["a"]}, "leave `sources`"),
        (None, {"vertex_weights": ["a"], "sources": ["a"]}, "omit sources"),
        (None, {"radius": -5}, "`radius -5` is no distance"),
        (None, {"radius": []}, "radius is empty"),
        (None, {"radius": [1, 2]}, "brandes.centrality"),
        (None, {"decay": -1}, "decay"),
        (None, {"sources": 2, "targets": ["a"]}, "does not go with targets"),
        (None, {"radius": "far"}, "has to be"),
        (None, {"sources": "a"}, "has to be"),
        (None, {"targets": 3}, "has to be"),
        (None, {"sources": True}, "has to be"),
        (["load"], {}, "'load' is not a measure"),
        ("closeness", {"closeness_scaling": "none"}, "closeness_scaling"),
        (["betweenness", "reach"], {"sources": 2}, "does not go with measures besides"),
        # These arguments would change nothing.
        (["closeness"], {"decay": 0.1}, "`decay` changes only betweenness, stress and reach"),
        ("betweenness", {"closeness_scaling": "component"}, "`closeness_scaling` changes only"),
        ("reach", {"normalized": True}, "normalized changes only betweenness"),
        ("reach", {"targets": ["a"], "directed": True}, "in a directed graph `targets` changes"),
    ]:
        function, names = (
            (brandes.centrality, [measures]) if measures else (brandes.betweenness, [])
        )
        with pytest.raises((ValueError, TypeError), match=match):
            function(PATH, *names, **options)


def test_samples_have_radii() -> None:
    nx = pytest.importorskip("networkx")
    graph = nx.gnm_random_graph(50, 120, seed=1)
    drawn = random.Random(3).sample(range(50), 10)
    for radius in (2, None):
        ours = brandes.edge_betweenness(graph, radius=radius, sources=10, seed=3, normalized=False)
        listed = brandes.edge_betweenness(graph, radius=radius, sources=drawn, normalized=False)
        np.testing.assert_allclose(ours.values, 5 * listed.values)


def test_centrality_is_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    assert brandes.closeness(PATH).to_pandas().name == "closeness"
    assert brandes.betweenness(PATH, radius=2).to_pandas().name == "betweenness_2"
    frame = brandes.centrality(PATH, ["harmonic", "reach"], radius=[1, 2])
    assert list(frame.columns) == ["harmonic_1", "harmonic_2", "reach_1", "reach_2"]
    assert frame.loc["b"].tolist() == [2.0, 2.5, 2.0, 3.0]
    # This makes the import fail.
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    scores = brandes.centrality(PATH, "reach", radius=1)
    assert scores["reach_1"].to_dict() == {"a": 1.0, "b": 2.0, "c": 2.0, "d": 1.0}
