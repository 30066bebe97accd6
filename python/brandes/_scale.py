"""Scales sums over pairs to scores, as networkx does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def scaled(
    sums: npt.NDArray[np.float64],
    vertices: int,
    *,
    normalized: bool,
    directed: bool,
    endpoints: bool,
    sources: npt.NDArray[np.int64] | None = None,
) -> npt.NDArray[np.float64]:
    """Returns scores from `sums`, which count each unordered pair of an undirected graph once.

    If `sources` is given, the sums are over pairs that begin at these vertices, and the scores are
    estimates for all pairs. Scores of edges are scaled as if endpoints counted.
    """
    targets = vertices - 1 if endpoints else vertices - 2
    if targets < 1:
        return sums
    choices = targets + 1
    count = choices if sources is None else len(sources)
    twice = 1 if directed else 2
    if sources is None or endpoints:
        return sums * _factor(count, choices, normalized, twice)
    scores = sums * _factor(count, choices, normalized, twice)
    # A source lies between the pairs of the other sources only, so its sum has one source less. A
    # single source has no estimate for itself.
    own = _factor(count - 1, choices, normalized, twice) if count > 1 else math.nan
    scores[sources] = sums[sources] * own
    return scores


def _factor(sources: int, choices: int, normalized: bool, twice: int) -> float:
    if normalized:
        return twice / (sources * (choices - 1))
    return choices / sources
