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


def by_ends(scores: brandes.Scores) -> dict:
    """Returns scores by sorted ends, or by ends as they are if both directions occur."""
    ends = [tuple(sorted(edge)) for edge in scores]
    if len(set(ends)) < len(ends):
        return scores.to_dict()
    return dict(zip(ends, scores.values, strict=True))


@pytest.mark.parametrize("normalized", [True, False])
def test_parts_make_the_whole(tmp_path: Path, normalized: bool) -> None:
    ends = (np.array([0, 1, 2, 3, 0, 5]), np.array([1, 2, 3, 0, 2, 0]))
    for graph, options in [
        (GRAPH, {"edges": True}),
        (GRAPH, {"endpoints": True}),
        (ends, {"directed": True, "edges": True}),
        ((*ends, np.array([1.0, 2, 1, 2, 3, 4])), {"edges": True}),
    ]:
        whole = brandes.betweenness(graph, normalized=normalized, **options)
        for of in (1, 3):
            merged = brandes.merge(parts(graph, tmp_path, of, **options), normalized=normalized)
            assert merged.report["parts"] == of
            np.testing.assert_allclose(merged.values, whole.values, rtol=1e-12, atol=1e-12)
            assert list(merged.labels) == list(whole.labels)
            assert (merged.edges is None) == (whole.edges is None)
            if merged.edges is not None and whole.edges is not None:
                assert by_ends(merged.edges) == pytest.approx(by_ends(whole.edges))


def test_incomplete_and_wrong_parts_are_refused(tmp_path: Path) -> None:
    paths = parts(GRAPH, tmp_path, 2)
    with pytest.raises(brandes.Error, match="these parts are missing: 2/2"):
        brandes.merge(paths[:1])
    with pytest.raises(brandes.Error, match="part 1/2 is there twice"):
        brandes.merge([*paths, paths[0]])
    with pytest.raises(ValueError, match="no parts"):
        brandes.merge([])
    with pytest.raises(ValueError, match="no part 3 of 2"):
        brandes.search_part(GRAPH, 3, 2, tmp_path / "3.npz")
    with pytest.raises(ValueError, match=r"ends in \.npz"):
        brandes.search_part(GRAPH, 1, 2, tmp_path / "1.csv")
    with pytest.raises(TypeError, match="no argument 'sources'"):
        brandes.search_part(GRAPH, 1, 2, tmp_path / "1.npz", sources=3)
