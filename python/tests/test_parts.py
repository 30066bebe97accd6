"""Tests searches in parts, and their merged scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import brandes

GRAPH = str(Path(__file__).parents[2] / "bench-graphs" / "karate.txt")


def parts(graph: object, folder: Path, of: int, **options: object) -> list[Path]:
    paths = [folder / f"{number}.npz" for number in range(1, of + 1)]
    for number, path in enumerate(paths, 1):
        report = brandes.search_part(graph, number, of, path, **options)
        assert report["prepared"]["part"] == f"{number}/{of}"
    return paths


@pytest.mark.parametrize("normalized", [True, False])
def test_parts_make_the_whole(tmp_path: Path, normalized: bool) -> None:
    ends = (np.array([0, 1, 2, 3, 0, 5]), np.array([1, 2, 3, 0, 2, 0]))
    for graph, options in [
        (GRAPH, {"endpoints": True}),
        (ends, {"directed": True, "edges": True}),
        ((*ends, np.array([1.0, 2, 1, 2, 3, 4])), {"directed": True, "edges": True}),
    ]:
        whole = brandes.betweenness(graph, normalized=normalized, **options)
        merged = brandes.merge(parts(graph, tmp_path, 3, **options), normalized=normalized)
        assert merged.report["parts"] == 3
        np.testing.assert_allclose(merged.values, whole.values, rtol=1e-12, atol=1e-12)
        assert list(merged.labels) == list(whole.labels)
        assert (merged.edges is None) == (whole.edges is None)
        if whole.edges is not None:
            assert merged.edges.to_dict() == pytest.approx(whole.edges.to_dict())


def test_incomplete_and_wrong_parts_are_refused(tmp_path: Path) -> None:
    paths = parts(GRAPH, tmp_path, 2)
    for some, error, match in [
        (paths[:1], brandes.Error, "these parts are missing: 2/2"),
        ([*paths, paths[0]], brandes.Error, "part 1/2 is there twice"),
        ([], ValueError, "no parts"),
        ([tmp_path / "none.npz"], FileNotFoundError, "none"),
    ]:
        with pytest.raises(error, match=match):
            brandes.merge(some)
    for number, name, options, error, match in [
        (3, "3.npz", {}, ValueError, "no part 3 of 2"),
        (1, "1.csv", {}, ValueError, r"ends in \.npz"),
        (1, "1.npz", {"sources": 3}, TypeError, "no argument 'sources'"),
    ]:
        with pytest.raises(error, match=match):
            brandes.search_part(GRAPH, number, 2, tmp_path / name, **options)
