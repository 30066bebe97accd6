"""Repeatedly removes the vertices or edges of the highest scores from a graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from . import _core
from ._input import Input
from ._search import Devices, _device, _workers
from ._warn import warn


class Removal(NamedTuple):
    """A removal, and the graph after all removals of its batch."""

    #: The label of the vertex, or the labels of both ends of the edge.
    removed: Hashable
    #: Its score before the batch: a sum over pairs.
    score: float
    #: The number of (weakly) connected components.
    components: int
    #: The number of vertices of the largest one.
    largest: int
    #: The modularity of the components, if edges are removed.
    modularity: float | None


def start(
    opened: Input,
    by: str,
    batch: int = 1,
    steps: int | None = None,
    until: int | None = None,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
) -> _core.Removals:
    """Prepares removals; the first one is computed on request."""
    if by not in ("vertices", "edges"):
        raise ValueError(f"by is {by!r}, but has to be 'vertices' or 'edges'")
    for name, number in (("batch", batch), ("steps", steps), ("until", until)):
        least = 1 if name == "batch" else 0
        if number is not None and number < least:
            raise ValueError(f"{name} is {number}, but has to be at least {least}")
    return _core.Removals(
        opened.graph,
        edges=by == "edges",
        batch=batch,
        steps=steps,
        until=until,
        device=_device(device),
        cpu_workers=_workers(cpu_workers),
    )


def rows(opened: Input, removals: _core.Removals, by: str) -> Iterator[Removal]:
    """Yields all removals."""
    labels = opened.labels
    while some := removals.some():
        for (tail, head), score, components, largest, modularity in some:
            removed = (labels[tail], labels[head]) if by == "edges" else labels[tail]
            yield Removal(removed, score, components, largest, modularity)
    for text in removals.warnings():
        warn(text)


def splits(opened: Input, removals: _core.Removals) -> Iterator[tuple[set[Hashable], ...]]:
    """Yields the components, as sets of labels, whenever there are more."""
    while (communities := removals.split()) is not None:
        sets: tuple[set[Hashable], ...] = tuple(set() for _ in range(communities.max() + 1))
        for label, community in zip(opened.labels, communities.tolist(), strict=True):
            sets[community].add(label)
        yield sets
    for text in removals.warnings():
        warn(text)
