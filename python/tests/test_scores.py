"""Tests the returned scores and their scaling."""

from __future__ import annotations

import contextlib
import itertools
import shutil
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import brandes

nx = pytest.importorskip("networkx")


def graphs() -> dict[str, object]:
    weighted = nx.gnm_random_graph(30, 60, seed=1)
    for number, (_, _, data) in enumerate(weighted.edges(data=True)):
        data["weight"] = 1 + number % 4
    directed = nx.gnm_random_graph(25, 80, seed=2, directed=True)
    loops = nx.path_graph(6)
    loops.add_edge(2, 2)
    parallel = nx.MultiGraph([(0, 1), (1, 2), (0, 1), (2, 3), (3, 0), (3, 3)])
    for number, (_, _, data) in enumerate(parallel.edges(data=True)):
        data["weight"] = 1 + number % 2
    arcs = nx.MultiDiGraph([("a", "b"), ("b", "c"), ("a", "b"), ("c", "a"), ("c", "d")])
    return {
        "empty": nx.empty_graph(0),
        "two": nx.path_graph(2),
        "karate": nx.karate_club_graph(),
        "two parts": nx.disjoint_union(nx.cycle_graph(5), nx.star_graph(4)),
        "names": nx.relabel_nodes(nx.path_graph(4), {0: "x", 1: (1, 2), 2: 2.5, 3: 0}),
        "weighted": weighted,
        "directed": directed,
        "loops": loops,
        "parallel": parallel,
        "arcs": arcs,
        "view": nx.subgraph_view(nx.karate_club_graph(), filter_node=lambda v: v % 3 != 0),
    }


def same(ours: dict, theirs: dict) -> None:
    assert list(ours) == list(theirs)
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", graphs())
def test_scores_are_those_of_networkx(name: str) -> None:
    graph = graphs()[name]
    weights = [None, "weight"] if nx.get_edge_attributes(graph, "weight") else [None]
    options = itertools.product((True, False), weights, (True, False))
    for normalized, weight, endpoints in options:
        both = {"normalized": normalized, "weight": weight}
        ours = brandes.betweenness(graph, endpoints=endpoints, **both)
        same(ours.to_dict(), nx.betweenness_centrality(graph, endpoints=endpoints, **both))
        ours = brandes.edge_betweenness(graph, **both)
        same(ours.to_dict(), nx.edge_betweenness_centrality(graph, **both))


@pytest.mark.parametrize("name", ["karate", "two parts", "weighted", "directed", "loops", "arcs"])
def test_samples_are_scaled_as_those_of_networkx(name: str) -> None:
    graph = graphs()[name]
    options = itertools.product((1, 4, len(graph)), (True, False), (True, False))
    for k, normalized, endpoints in options:
        both = {"normalized": normalized, "seed": 7}
        ours = brandes.betweenness(graph, sources=k, endpoints=endpoints, **both)
        # With k = len(graph), both return exact scores.
        same(ours.to_dict(), nx.betweenness_centrality(graph, k=k, endpoints=endpoints, **both))
        ours = brandes.edge_betweenness(graph, sources=k, **both)
        same(ours.to_dict(), nx.edge_betweenness_centrality(graph, k=k, **both))


def test_listed_sources_are_labels() -> None:
    graph = nx.relabel_nodes(nx.karate_club_graph(), str)
    names = ["3", "33", "0", "17"]
    listed = brandes.betweenness(graph, sources=names, edges=True)
    turned = brandes.betweenness(graph, sources=names[::-1], edges=True)
    assert np.allclose(listed.values, turned.values, rtol=1e-12)
    assert np.allclose(listed.edges.values, turned.edges.values, rtol=1e-12)
    apart = [brandes.edge_betweenness(graph, sources=[name]).values for name in names]
    assert np.allclose(listed.edges.values, np.sum(apart, axis=0), rtol=1e-12)
    assert not brandes.betweenness(graph, sources=[]).values.any()
    # A string is not a list of its letters.
    for sources, match in [
        (["unknown"], "not a vertex"),
        (35, "cannot be drawn"),
        ("33", "list of"),
    ]:
        with pytest.raises((ValueError, TypeError), match=match):
            brandes.betweenness(graph, sources=sources)


def test_scores_are_a_mapping() -> None:
    graph = nx.path_graph(["a", "b", "c", "d"])
    scores = brandes.betweenness(graph, normalized=False, edges=True)
    assert isinstance(scores, Mapping)
    assert dict(scores) == scores == scores.to_dict() == {"a": 0.0, "b": 2.0, "c": 2.0, "d": 0.0}
    assert type(scores["b"]) is float
    assert "e" not in scores
    with pytest.raises(KeyError):
        scores["e"]
    assert list(scores) == ["a", "b", "c", "d"]
    assert max(scores, key=scores.get) == "b"
    assert scores.top(1) == [("b", 2.0)]
    assert scores.top(0) == []
    assert "'b': 2" in repr(scores)
    assert scores.values.dtype == np.float64
    assert np.array_equal(np.asarray(scores), scores.values)
    assert list(scores.edges.labels) == [("a", "b"), ("b", "c"), ("c", "d")]
    assert scores.edges.values.tolist() == [3.0, 4.0, 3.0]
    pd = pytest.importorskip("pandas")
    assert scores.to_pandas().to_dict() == scores
    series = scores.edges.to_pandas()
    assert isinstance(series.index, pd.MultiIndex)
    assert series["a", "b"] == 3.0


def test_labels_that_parallel_edges_share_are_no_keys() -> None:
    scores = brandes.edge_betweenness([(0, 1), (1, 2), (0, 1)], normalized=False)
    assert scores.values.tolist() == [1.0, 2.0, 1.0]
    with pytest.raises(ValueError, match=r"label \(0, 1\)"):
        scores.to_dict()


def test_reports_have_the_fields_of_the_reports_of_the_program() -> None:
    report = brandes.betweenness(nx.path_graph(5), device=None, cpu_workers=1).report
    assert report["input"]["vertices"] == 5
    assert report["input"]["edges"] == 4
    assert report["plan"]["cpu_workers"] == 1
    assert report["devices"] == []
    assert report["totals"]["seconds"] > 0
    assert {"prepare", "search", "unfold"} <= {span["name"] for span in report["timeline"]}
    assert report["checks"]["warnings"] == []


def test_progress_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = []
    graph = nx.gnm_random_graph(400, 2000, seed=1)
    brandes.betweenness(graph, progress=lambda *roots: calls.append(roots))
    assert calls[-1] == (400, 400)
    with pytest.raises(ZeroDivisionError):
        brandes.betweenness(graph, progress=lambda done, _: 1 // (done - done))
    pytest.importorskip("tqdm")
    brandes.betweenness(nx.path_graph(5), progress=True)
    # This makes the import fail.
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    capsys.readouterr()
    brandes.betweenness(nx.path_graph(5), progress=True, reduce="none")
    assert capsys.readouterr().err.endswith("#] 5 of 5 roots\n")


def test_devices_are_listed() -> None:
    for device in brandes.devices():
        assert device["memory"] > 0
        assert device["name"]


def test_reproducible_scores_have_the_same_bits() -> None:
    rng = np.random.default_rng(3)
    ends = tuple(rng.integers(0, 2000, (2, 9000)))
    options = {"device": None, "reproducible": True}
    one, five = (brandes.betweenness(ends, cpu_workers=n, **options).values for n in (1, 5))
    assert np.array_equal(one, five)
    with pytest.raises(ValueError, match="reproducible"):
        brandes.betweenness(ends, reproducible=True)


def test_reductions_change_no_score() -> None:
    # The graph has leaves, and two blocks that share vertex 0.
    edges = [(i, (i + 1) % 30) for i in range(30)] + [(i, i + 40) for i in range(30)]
    edges += [(0, 90), (90, 91), (91, 92), (92, 0)]
    for directed, reduce in [(False, "fold,blocks,twins"), (True, "blocks,reverse,twins")]:
        options = {"directed": directed, "device": None}
        expected = brandes.betweenness(edges, reduce="none", **options).values
        scores = brandes.betweenness(edges, reduce=reduce, **options)
        np.testing.assert_allclose(scores.values, expected, rtol=1e-12, atol=1e-12)
        assert scores.report["prepared"]["steps"][0]["after"] == "input"
    with pytest.raises(ValueError, match="is not a list of reductions"):
        brandes.betweenness(edges, reduce="trees")
    with pytest.raises(ValueError, match="undirected"):
        brandes.betweenness(edges, directed=True, reduce="chains")


def test_a_search_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    ends = tuple(rng.integers(0, 20_000, (2, 100_000)))
    options = {"device": None, "sources": 2000, "seed": 1}
    expected = brandes.betweenness(ends, **options).values
    kept = tmp_path / "checkpoint"

    def stop(done: int, roots: int) -> None:
        if kept.exists():
            raise InterruptedError

    keeps = {**options, "checkpoint": kept, "checkpoint_every": 0.01}
    with contextlib.suppress(InterruptedError):
        brandes.betweenness(ends, progress=stop, **keeps)
    if kept.exists():
        # The cancelled search may still write the file.
        keeps["checkpoint"] = shutil.copy(kept, tmp_path / "copy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        scores = brandes.betweenness(ends, **keeps).values
    np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-12)
    assert not (tmp_path / "copy").exists()


def test_estimates_have_intervals() -> None:
    graph = nx.barabasi_albert_graph(2000, 3, seed=1)
    exact = brandes.betweenness(graph, device=None)
    assert exact.lower is exact.upper is None
    usual = {"epsilon": 0.05, "confidence": 0.95, "seed": 3, "device": None}
    for draws in ("sources", "paths"):
        some = brandes.betweenness(graph, draws=draws, **usual)
        assert np.all((some.lower <= some.values) & (some.values <= some.upper))
        assert np.max(some.upper - some.lower) <= 0.1
        assert some.report["estimate"]["kind"] == draws
        pairs = brandes.betweenness(graph, draws=draws, normalized=False, **usual)
        np.testing.assert_allclose(pairs.values, some.values * 1999 * 1998 / 2, rtol=1e-9)
    for options, match in [
        ({"epsilon": 0.05, "draws": "edges"}, "'edges' cannot be drawn; use sources or paths"),
        ({"confidence": 0.9}, "give epsilon, top or time"),
        ({"epsilon": 2.0}, "epsilon"),
    ]:
        with pytest.raises(ValueError, match=match):
            brandes.betweenness(graph, **options)
