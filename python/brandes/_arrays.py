"""Arrays of sources, targets and weights, of whatever library."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from ._core import Graph, column
from ._input import Input, Wanted

Array = npt.NDArray[Any]


def open_input(arrays: Any, wanted: Wanted) -> Input:
    """The graph of edges `(sources, targets)` or `(sources, targets, weights)`.

    Integers are numbers of vertices from 0. Anything else that can be hashed is a name, and
    vertices come in the order in which they are first named, sources before targets.
    """
    if not 2 <= len(arrays) <= 3:
        raise ValueError(
            f"there are {len(arrays)} arrays, where (sources, targets) or (sources, targets, "
            "weights) are expected"
        )
    tails, heads, *rest = [as_array(array) for array in arrays]
    if wanted.weight not in (None, False, True):
        raise ValueError("the weights of arrays are a third array; leave weight out")
    if wanted.weight is True and not rest:
        raise ValueError("there is no array of weights (give it as the third one)")
    weights = floats(rest[0]) if rest and wanted.weight is not False else None
    options: dict[str, Any] = {"directed": bool(wanted.directed), "weight_is": wanted.weight_is}
    # Empty lists have no type that tells.
    empty = tails.size == 0 and heads.size == 0 and "O" not in tails.dtype.char + heads.dtype.char
    if empty or (tails.dtype.kind in "iu" and heads.dtype.kind in "iu"):
        ends = (integers(tails), integers(heads))
        graph = Graph.pairs(*ends, weights, vertices=wanted.vertices, **options)
        return Input(graph, range(graph.vertices))
    if any(array.dtype.kind not in "OUSTiu" for array in (tails, heads)):
        raise TypeError(
            f"sources and targets are of types {tails.dtype} and {heads.dtype}; give integers, "
            "which are numbers of vertices from 0, or names"
        )
    if wanted.vertices is not None:
        raise ValueError("vertices is for vertices that are numbers; leave it out")
    numbers: dict[Hashable, int] = {}
    ends = (named(tails, numbers), named(heads, numbers))
    graph = Graph.pairs(*ends, weights, vertices=len(numbers), **options)
    return Input(graph, list(numbers))


def as_array(source: Any) -> Array:
    """A column as an array of one dimension, without a copy where that is possible."""
    array: Array
    library = type(source).__module__.partition(".")[0]
    if library == "pandas":
        array = source.to_numpy()
    elif not isinstance(source, np.ndarray) and (
        hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")
    ):
        try:
            array = column(source)
        except TypeError:
            # No numbers, but perhaps names.
            array = np.asarray(source)
    else:
        array = np.asarray(source)
    if array.ndim != 1:
        raise ValueError(f"an array has {array.ndim} dimensions, where one is expected")
    return array


def named(names: Array, numbers: dict[Hashable, int]) -> npt.NDArray[np.int64]:
    """The numbers of these names; new ones get the next numbers."""
    number = (numbers.setdefault(name, len(numbers)) for name in names.tolist())
    return np.fromiter(number, np.int64, len(names))


def integers(array: Array) -> Array:
    """The same integers as the extension takes them: 32 or 64 bits, aligned, in one piece."""
    kind = array.dtype
    if array.size == 0:
        kind = np.dtype(np.int64)
    elif kind.kind not in "iu":
        raise TypeError(f"integers are expected, but the array is of type {array.dtype}")
    elif kind.itemsize < 4:
        kind = np.dtype(np.int64)
    return np.require(array, kind.newbyteorder("="), ["C", "A"])


def floats(array: Array) -> Array:
    """Weights as the extension takes them."""
    if array.size and array.dtype.kind not in "iuf":
        raise TypeError(f"weights are numbers, but their array is of type {array.dtype}")
    kind = np.float32 if array.dtype.kind == "f" and array.dtype.itemsize == 4 else np.float64
    return np.require(array, kind, ["C", "A"])
