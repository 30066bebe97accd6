"""Tests that measures, radii and weights of pairs reach the library, on paths."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brandes

PATH = [("a", "b"), ("b", "c"), ("c", "d")]

#: The vertices of another path, and their distances.
N = 6
FAR = np.abs(np.subtract.outer(np.arange(N), np.arange(N))).astype(float)
LINE = (list(range(N - 1)), list(range(1, N)))
ONES, A, B = np.ones(N), np.array([0, 1, 2, 0.5, 0.25, 1]), np.array([1, 0, 0.5, 3, 2, 1])


def counts(a: Any, b: Any, radius: float = np.inf, decay: float = 0.0) -> np.ndarray:
    """Returns how much each pair of vertices of the path counts."""
    return np.outer(a, b) * ((FAR > 0) & (radius >= FAR)) * np.exp(-decay * FAR)


def through(pairs: np.ndarray, edges: bool = False) -> list[float]:
    """Returns the sums of pairs on both sides of each vertex or edge, over both directions."""
    gap = 0 if edges else 1
    sides = [(slice(v + 1 - gap), slice(v + 1, N)) for v in range(N - 1 + gap)]
    return [(pairs[before, after] + pairs[after, before].T).sum() / 2 for before, after in sides]


@pytest.mark.parametrize("radius", [1, 3])
def test_measures_are_those_of_their_definitions(radius: int) -> None:
    frame = brandes.centrality(
        LINE,
        measures=["betweenness", "stress", "closeness", "harmonic", "reach", "eccentricity"],
        radius=[1, 3],
        sources=dict(enumerate(A)),
        decay=0.25,
        normalized=False,
    )
    pairs, near = counts(A, ONES, radius, 0.25), counts(A, ONES, radius)
    reached = near.sum(axis=0)
    for name, expected in {
        "betweenness": through(pairs),
        "stress": through(pairs),
        "closeness": reached**2 / (near * FAR).sum(axis=0) / (A.sum() - A),
        "harmonic": (near / np.where(FAR > 0, FAR, 1)).sum(axis=0),
        "reach": pairs.sum(axis=0),
        "eccentricity": np.where(near > 0, FAR, 0).max(axis=1),
    }.items():
        np.testing.assert_allclose(frame[f"{name}_{radius}"], expected, err_msg=name)
    component = brandes.closeness(
        LINE, radius=radius, sources=dict(enumerate(A)), closeness_scaling="component"
    )
    np.testing.assert_allclose(component.values, reached / (near * FAR).sum(axis=0))
    edges = brandes.edge_betweenness(LINE, radius=radius, normalized=False)
    np.testing.assert_allclose(edges.values, through(counts(ONES, ONES, radius), edges=True))


def test_pairs_count_by_the_weights_of_their_ends() -> None:
    a, b = dict(enumerate(A)), dict(enumerate(B))
    for given, pairs in [
        ({"sources": a}, counts(A, ONES)),
        ({"targets": b}, counts(ONES, B)),
        ({"sources": a, "targets": b}, counts(A, B)),
        ({"vertex_weights": b}, counts(B, B)),
    ]:
        scores = brandes.betweenness(LINE, **given, normalized=False, edges=True)
        np.testing.assert_allclose(scores.values, through(pairs))
        np.testing.assert_allclose(scores.edges.values, through(pairs, edges=True))
        normalized = brandes.betweenness(LINE, **given)
        np.testing.assert_allclose(normalized.values, scores.values * 2 / ((N - 1) * (N - 2)))


def test_trips_are_the_only_pairs() -> None:
    rows = [(0, 3, 1.5), (3, 0, 0.5), (5, 1, 2.0)]
    trips = np.zeros((N, N))
    for s, t, count in rows:
        trips[s, t] = count
    columns = tuple(map(list, zip(*rows, strict=True)))
    for demand in (rows, {(s, t): count for s, t, count in rows}, columns):
        scores = brandes.betweenness(LINE, demand=demand, normalized=False)
        np.testing.assert_allclose(scores.values, 2 * np.array(through(trips)))


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
