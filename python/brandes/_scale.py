"""Scales sums over pairs to scores, as networkx does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def scale(
    sums: npt.NDArray[np.float64],
    vertices: int,
    *,
    normalized: bool,
    directed: bool,
    endpoints: bool,
    sources: npt.NDArray[np.int64] | None = None,
) -> npt.NDArray[np.float64]:
    """Returns scores from `sums`, which count each unordered pair of an undirected graph once.

    If `sources` is given, the sums are over pairs that begin at these vertices, halved if the graph
    is undirected, and the scores are estimates for all pairs. For scores of edges, `endpoints` is
    true, because the ends of an edge lie on it.
    """
    targets = vertices - 1 if endpoints else vertices - 2
    if targets < 1:
        return sums
    # The number of vertices at which pairs that count for one vertex can begin.
    candidates = targets + 1
    count = candidates if sources is None else len(sources)
    orders = 1 if directed else 2
    scores = sums * _factor(count, candidates, normalized, orders)
    if sources is None or endpoints:
        return scores
    # Pairs that begin at a source do not count for the source itself, so its sum is over one source
    # fewer than other sums. A single source has no estimate for itself.
    factor = _factor(count - 1, candidates, normalized, orders) if count > 1 else math.nan
    scores[sources] = sums[sources] * factor
    return scores


def _factor(sources: int, candidates: int, normalized: bool, orders: int) -> float:
    """Returns the factor of a sum over pairs from `sources` of all `candidates`.

    `orders` is the number of ordered pairs that each pair of the sum stands for.
    """
    if normalized:
        return orders / (sources * (candidates - 1))
    return candidates / sources
