"""Converts the arguments that say what is computed, and over which pairs, to arrays."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from . import _edges
from ._input import Floats, Input, ReadOptions

#: The arguments of `betweenness` about pairs, with their default values. An integer for `sources`
#: is the size of a random sample, which is not part of the query.
DEFAULTS: dict[str, Any] = {
    "radius": None,
    "decay": None,
    "sources": None,
    "targets": None,
    "vertex_weights": None,
    "demand": None,
    "closeness_scaling": "improved",
}


def query(
    opened: Input, measures: list[str], arguments: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Returns the query for the extension, or None for betweenness over all pairs.

    `arguments` has the keys of `DEFAULTS`.
    """
    given = {name: value for name, value in arguments.items() if value is not None}
    if measures == ["betweenness"] and given == {"closeness_scaling": "improved"}:
        return None
    if not measures:
        raise ValueError("measures is empty (name at least one, such as 'betweenness')")
    vertices = _Vertices(opened)
    items: dict[str, Any] = {
        "measures": measures,
        "radii": radii(given.get("radius")),
        "decay": given.get("decay"),
        "sources": None,
        "targets": None,
        "demand": None,
        "closeness_scaling": given.get("closeness_scaling", "improved"),
    }
    if (weights := given.get("vertex_weights")) is not None:
        for name in ("sources", "targets"):
            if name in given:
                raise ValueError(f"vertex_weights are weights of sources and targets: omit {name}")
        items["sources"] = items["targets"] = vertices.weights("vertex_weights", weights)
    for name in ("sources", "targets"):
        if name in given:
            items[name] = vertices.weights(name, given[name])
    if (demand := given.get("demand")) is not None:
        items["demand"] = vertices.demand(demand)
    return items


def radii(radius: float | Iterable[float] | None) -> list[float]:
    """Returns the radii in ascending order, without duplicates."""
    if radius is None:
        return []
    several = isinstance(radius, Iterable) and not isinstance(radius, str | bytes)
    values: Any = radius if several else [radius]
    try:
        found = sorted({float(value) for value in values})
    except (TypeError, ValueError):
        raise TypeError(f"radius is {radius!r}, but has to be a number or several") from None
    if not found:
        raise ValueError("radius is empty (give a number, or leave it out)")
    return found


class _Vertices:
    """Finds the vertices that arguments name by their labels."""

    def __init__(self, opened: Input) -> None:
        self.opened = opened

    @cached_property
    def numbers(self) -> dict[Hashable, int]:
        return {label: number for number, label in enumerate(self.opened.labels)}

    def number(self, name: str, label: Hashable) -> int:
        """Returns the number of a vertex; `name` is the argument that names it."""
        try:
            return self.numbers[label]
        except (KeyError, TypeError):
            raise ValueError(f"{name} has {label!r}, which is not a vertex of the graph") from None

    def weights(self, name: str, argument: Any) -> Floats:
        """Returns the weight of each vertex, which is 0 if the argument does not name the vertex.

        A mapping or a series has weights. In another iterable, each occurrence of a label adds 1.
        """
        if isinstance(argument, str):
            return self._attribute(name, argument)
        if isinstance(argument, bytes | bool) or not isinstance(argument, Iterable):
            raise TypeError(
                f"{name} is a {type(argument).__name__}, but has to be a mapping from labels of "
                "vertices to weights, or a list of their labels"
            )
        items = getattr(argument, "items", None)
        pairs = ((label, 1.0) for label in argument) if items is None else items()
        weights = np.zeros(len(self.opened.labels))
        for label, weight in pairs:
            weights[self.number(name, label)] += _weight(name, label, weight)
        return weights

    def _attribute(self, name: str, attribute: str) -> Floats:
        """Returns the values of an attribute of vertices as weights."""
        read = self.opened.attribute
        if name != "vertex_weights" or read is None:
            raise TypeError(
                f"{name} is {attribute!r}, but has to be a mapping from labels of vertices to "
                "weights, or a list of their labels"
            )
        values = read(attribute)
        if values is None:
            raise ValueError(f"no vertex has an attribute {attribute!r}")
        labels = self.opened.labels
        pairs = zip(labels, values, strict=True)
        return np.array([_weight(attribute, label, value) for label, value in pairs], np.float64)

    def demand(self, demand: Any) -> tuple[Any, Any, Floats]:
        """Returns the sources, the targets and the numbers of trips.

        `demand` is a mapping from pairs to trips, or rows, columns or a table like those of edges.
        """
        if isinstance(demand, Mapping):
            demand = [(*pair, trips) for pair, trips in demand.items()]
        names = getattr(demand, "columns", None)
        column = "trips" if names is not None else None
        tails, heads, trips = _edges.columns(demand, ReadOptions(None, column, "length", None))
        if trips is None:
            trips = np.ones(len(tails))
        ends = [
            np.fromiter((self.number("demand", label) for label in labels), np.int64, len(labels))
            for labels in (tails.tolist(), heads.tolist())
        ]
        pairs = zip(tails.tolist(), heads.tolist(), trips.tolist(), strict=True)
        counts = [_weight("demand", (tail, head), value) for tail, head, value in pairs]
        return ends[0], ends[1], np.array(counts, np.float64)


def _weight(name: str, label: Hashable, weight: Any) -> float:
    """Returns a weight as a float, or raises a `ValueError` that names its vertex or pair."""
    try:
        value = float(weight)
    except (TypeError, ValueError):
        value = math.nan
    if not 0 <= value < math.inf:
        raise ValueError(f"{name} of {label!r} is {weight!r}, but has to be a number of at least 0")
    return value
