"""Compares measures, radii and weights of pairs with their definitions and other libraries."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_peers import random_graph

import brandes

GRAPHS = 60
PATH = [("a", "b"), ("b", "c"), ("c", "d")]


class Case:
    """A random graph with its distances and numbers of shortest paths, each of shape (n, n)."""

    def __init__(self, seed: int, unit: float = 1.0) -> None:
        """Makes the graph of `seed`, whose lengths are multiples of a quarter of `unit`."""
        self.n, ends, weights, self.directed, self.weighted = random_graph(seed)
        self.ends = ends
        self.lengths = weights if self.weighted else np.ones(len(ends))
        self.rng = np.random.default_rng(seed)
        n = self.n
        arcs = np.full((n, n), np.inf)
        arcs[ends[:, 0], ends[:, 1]] = self.lengths
        if not self.directed:
            arcs = np.minimum(arcs, arcs.T)
        #: Distances in multiples of `unit`, which are exact.
        self.units = arcs.copy()
        np.fill_diagonal(self.units, 0)
        for v in range(n):
            self.units = np.minimum(self.units, self.units[:, v, None] + self.units[None, v])
        self.paths = np.eye(n)
        for s in range(n):
            for t in np.argsort(self.units[s], kind="stable").tolist():
                if t != s and np.isfinite(self.units[s, t]):
                    last = self.units[s] + arcs[:, t] == self.units[s, t]
                    self.paths[s, t] = self.paths[s, last].sum()
        self.unit = unit if self.weighted else 1.0
        self.far = self.units * self.unit
        #: The arguments of `brandes` for this graph.
        columns = (ends[:, 0], ends[:, 1], *([weights * unit] if self.weighted else []))
        self.graph = {"graph": columns, "directed": self.directed, "vertices": n}

    def radius(self) -> float:
        """Returns a radius that equals a distance, or lies between two distances."""
        longest = self.units[np.isfinite(self.units)].max(initial=0)
        units = float(self.rng.integers(0, 4 * longest + 2)) / 4 + self.rng.choice([0, 0.1])
        return units * self.unit

    def weights(self) -> np.ndarray:
        return self.rng.integers(0, 3, self.n) / 2

    def counts(
        self, a: Any, b: Any, radius: float = np.inf, decay: float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Returns the weight of each pair, and of each source at the vertices within the radius.

        Both have the shape (n, n).
        """
        near = (
            (self.far <= radius * (1 + 1e-9)) & np.isfinite(self.far) & ~np.eye(self.n, dtype=bool)
        )
        fade = np.where(near, np.exp(-decay * np.where(near, self.far, 0)), 0)
        return np.asarray(a)[:, None] * np.asarray(b) * fade, np.asarray(a)[:, None] * near

    def betweenness(self, counts: np.ndarray, halved: bool = True, stress: bool = False) -> Any:
        """Returns the scores of vertices for the pairs that count."""
        scores = np.zeros(self.n)
        for v in range(self.n):
            on = self.units[:, v, None] + self.units[None, v] == self.units
            through = np.where(on, self.paths[:, v, None] * self.paths[None, v], 0)
            part = through if stress else through / np.maximum(self.paths, 1)
            pairs = counts * part
            pairs[v], pairs[:, v] = 0, 0
            scores[v] = pairs.sum()
        return scores * (1 if self.directed or not halved else 0.5)

    def edge_betweenness(self, counts: np.ndarray) -> np.ndarray:
        scores = np.zeros(len(self.ends))
        for at, (u, v) in enumerate(self.ends.tolist()):
            for tail, head in [(u, v)] if self.directed else [(u, v), (v, u)]:
                before, after = self.units[:, tail, None], self.units[None, head]
                on = before + self.lengths[at] + after == self.units
                through = np.where(on, self.paths[:, tail, None] * self.paths[None, head], 0)
                scores[at] += (counts * through / np.maximum(self.paths, 1)).sum()
        return scores * (1 if self.directed else 0.5)

    def distances(self, arriving: np.ndarray, a: Any) -> dict[str, np.ndarray]:
        """Returns the measures of distances; `arriving` is the second result of `counts`."""
        far = np.where(arriving > 0, self.far, 0)
        reached, total = arriving.sum(axis=0), (arriving * far).sum(axis=0)
        others = np.sum(a) - np.asarray(a)
        with np.errstate(divide="ignore", invalid="ignore"):
            component = np.where(total > 0, reached / total, 0)
            improved = np.where(total > 0, component * reached / others, 0)
            inverse = np.where(arriving > 0, arriving / self.far, 0)
        return {"component": component, "improved": improved, "harmonic": inverse.sum(axis=0)}


def close(ours: Any, theirs: Any, seed: int) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9, err_msg=f"seed {seed}")


@pytest.mark.parametrize("seed", range(GRAPHS))
def test_measures_are_those_of_their_definitions(seed: int) -> None:
    # Sevenths are no finite decimals, so lengths become floats.
    case = Case(seed, 1 / 7 if seed & 4 else 1)
    radii = sorted({case.radius(), case.radius()})
    a = case.weights()
    frame = brandes.centrality(
        **case.graph,
        measures=["betweenness", "stress", "closeness", "harmonic", "reach", "eccentricity"],
        radius=radii,
        sources=dict(enumerate(a)),
        decay=0.25,
        normalized=False,
    )
    for at, radius in enumerate(radii):
        values = {name.partition("_")[0]: frame[name] for name in list(frame)[at :: len(radii)]}
        pairs, arriving = case.counts(a, np.ones(case.n), radius, 0.25)
        close(values["betweenness"], case.betweenness(pairs), seed)
        close(values["stress"], case.betweenness(pairs, stress=True), seed)
        distances = case.distances(arriving, a)
        close(values["closeness"], distances["improved"], seed)
        close(values["harmonic"], distances["harmonic"], seed)
        close(values["reach"], pairs.sum(axis=0), seed)
        farthest = np.where((arriving > 0), case.far, 0).max(axis=1)
        close(values["eccentricity"], farthest, seed)


@pytest.mark.parametrize("seed", range(GRAPHS))
def test_pairs_count_by_the_weights_of_their_ends(seed: int) -> None:
    case = Case(seed)
    a, b = case.weights(), case.weights()
    ones = np.ones(case.n)
    options = {**case.graph, "normalized": False}
    for given, (sources, targets) in {
        "sources": ({"sources": dict(enumerate(a))}, (a, ones)),
        "targets": ({"targets": dict(enumerate(b))}, (ones, b)),
        "both": ({"sources": dict(enumerate(a)), "targets": dict(enumerate(b))}, (a, b)),
        "vertices": ({"vertex_weights": dict(enumerate(b))}, (b, b)),
    }.values():
        pairs, _ = case.counts(sources, targets)
        scores = brandes.betweenness(**options, **given, edges=True)
        close(scores.values, case.betweenness(pairs), seed)
        close(scores.edges.values, case.edge_betweenness(pairs), seed)
        factor = (1 if case.directed else 2) / max((case.n - 1) * (case.n - 2), 1)
        if case.n > 2:
            normalized = brandes.betweenness(**case.graph, **given)
            close(normalized.values, scores.values * factor, seed)


@pytest.mark.parametrize("seed", range(GRAPHS))
def test_trips_are_the_only_pairs(seed: int) -> None:
    case = Case(seed)
    trips = np.zeros((case.n, case.n))
    for s, t in case.rng.integers(0, case.n, (5, 2)).tolist():
        trips[s, t] += 1.5
    rows = [(int(s), int(t), trips[s, t]) for s, t in np.argwhere(trips)]
    pairs, _ = case.counts(np.ones(case.n), np.ones(case.n))
    expected = case.betweenness(pairs * trips, halved=False)
    columns = tuple(map(list, zip(*rows, strict=True)))
    for demand in (rows, {(s, t): count for s, t, count in rows}, columns):
        scores = brandes.betweenness(**case.graph, demand=demand, normalized=False)
        close(scores.values, expected, seed)


@pytest.mark.parametrize("seed", range(GRAPHS))
def test_cutoffs_are_those_of_igraph(seed: int) -> None:
    ig = pytest.importorskip("igraph")
    case = Case(seed)
    graph = ig.Graph(case.n, case.ends.tolist(), directed=case.directed)
    graph.es["length"] = case.lengths.tolist()
    weight = "length" if case.weighted else None
    radius = case.radius()
    ours = brandes.betweenness(graph, weight=weight, radius=radius, normalized=False, edges=True)
    close(ours.values, graph.betweenness(weights=weight, cutoff=radius), seed)
    close(ours.edges.values, graph.edge_betweenness(weights=weight, cutoff=radius), seed)
    within = {"weights": weight, "mode": "in", "cutoff": radius}
    ours = brandes.closeness(graph, weight=weight, radius=radius, closeness_scaling="component")
    close(ours.values, np.nan_to_num(graph.closeness(normalized=True, **within)), seed)
    ours = brandes.harmonic(graph, weight=weight, radius=radius)
    theirs = graph.harmonic_centrality(normalized=False, **within)
    close(ours.values, np.nan_to_num(theirs), seed)


@pytest.mark.parametrize("seed", range(GRAPHS))
def test_distances_are_those_of_networkx(seed: int) -> None:
    nx = pytest.importorskip("networkx")
    case = Case(seed)
    graph = nx.DiGraph() if case.directed else nx.Graph()
    graph.add_nodes_from(range(case.n))
    for (u, v), length in zip(case.ends.tolist(), case.lengths.tolist(), strict=True):
        graph.add_edge(u, v, length=length)
    weight = "length" if case.weighted else None
    for improved in (True, False):
        ours = brandes.closeness(
            graph, weight=weight, closeness_scaling="improved" if improved else "component"
        )
        theirs = nx.closeness_centrality(graph, distance=weight, wf_improved=improved)
        close(ours.values, list(theirs.values()), seed)
    theirs = nx.harmonic_centrality(graph, distance=weight)
    close(brandes.harmonic(graph, weight=weight).values, [theirs[v] for v in graph], seed)


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
    for options, match in [
        ({"sources": ["a", "x", "y"]}, "sources has 'x', which is not a vertex"),
        ({"targets": {"b": -1}}, "targets of 'b' is -1"),
        ({"vertex_weights": {"b": float("nan")}}, "vertex_weights of 'b' is nan"),
        ({"demand": [("a", "x", 1)]}, "demand has 'x'"),
        ({"demand": {("a", "b"): "many"}}, r"demand of \('a', 'b'\) is 'many'"),
        ({"demand": {("a", "b"): 1}, "sources": ["a"]}, "leave `sources`"),
        ({"vertex_weights": ["a"], "sources": ["a"]}, "omit sources"),
        ({"radius": -5}, "`radius -5` is no distance"),
        ({"radius": []}, "radius is empty"),
        ({"radius": [1, 2]}, "brandes.centrality"),
        ({"decay": -1}, "decay"),
    ]:
        with pytest.raises(ValueError, match=match):
            brandes.betweenness(PATH, **options)
    for options in ({"radius": "far"}, {"sources": "a"}, {"targets": 3}, {"sources": True}):
        with pytest.raises(TypeError, match="has to be"):
            brandes.betweenness(PATH, **options)
    with pytest.raises(ValueError, match="'load' is not a measure"):
        brandes.centrality(PATH, ["load"])
    with pytest.raises(ValueError, match="closeness_scaling"):
        brandes.closeness(PATH, closeness_scaling="none")
    # These arguments would change nothing.
    for measures, options, match in [
        (["closeness"], {"decay": 0.1}, "`decay` changes only betweenness, stress and reach"),
        ("betweenness", {"closeness_scaling": "component"}, "`closeness_scaling` changes only"),
        ("reach", {"normalized": True}, "normalized changes only betweenness"),
        ("reach", {"targets": ["a"], "directed": True}, "in a directed graph `targets` changes"),
    ]:
        with pytest.raises(ValueError, match=match):
            brandes.centrality(PATH, measures, **options)
    with pytest.raises(TypeError, match="no argument 'normalized'"):
        brandes.closeness(PATH, normalized=True)


def test_samples_have_radii() -> None:
    nx = pytest.importorskip("networkx")
    graph = nx.gnm_random_graph(50, 120, seed=1)
    drawn = random.Random(3).sample(range(50), 10)
    for radius in (2, None):
        ours = brandes.edge_betweenness(graph, radius=radius, sources=10, seed=3, normalized=False)
        listed = brandes.edge_betweenness(graph, radius=radius, sources=drawn, normalized=False)
        np.testing.assert_allclose(ours.values, 5 * listed.values)
    with pytest.raises(ValueError, match="does not go with targets"):
        brandes.betweenness(graph, sources=10, targets=[1])
    with pytest.raises(ValueError, match="does not go with measures besides"):
        brandes.closeness(graph, sources=10)
    with pytest.raises(ValueError, match="does not go with measures besides"):
        brandes.centrality(graph, ["betweenness", "reach"], sources=10)


def test_centrality_is_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    frame = brandes.centrality(PATH, ["harmonic", "reach"], radius=[1, 2])
    assert list(frame.columns) == ["harmonic_1", "harmonic_2", "reach_1", "reach_2"]
    assert frame.loc["b"].tolist() == [2.0, 2.5, 2.0, 3.0]
    # This makes the import fail.
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    scores = brandes.centrality(PATH, "reach", radius=1)
    assert scores["reach_1"].to_dict() == {"a": 1.0, "b": 2.0, "c": 2.0, "d": 1.0}


def test_series_are_called_by_their_measure() -> None:
    pytest.importorskip("pandas")
    assert brandes.closeness(PATH).to_pandas().name == "closeness"
    assert brandes.betweenness(PATH, radius=2).to_pandas().name == "betweenness_2"
