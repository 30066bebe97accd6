"""Converts columns of any library to NumPy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from ._core import WeightError

Array = npt.NDArray[Any]

NUMBERS = (int, float, np.integer, np.floating, np.bool_)


def is_column(source: Any) -> bool:
    """Returns whether this is an array, a series or a column of any library, of any dimension."""
    names = ("__array__", "__arrow_c_array__", "__arrow_c_stream__")
    return any(hasattr(source, name) for name in names)


def as_array(source: Any) -> Array:
    """Returns a column as an array of shape (m,), without a copy if possible.

    A list of mixed types becomes an array of objects, because NumPy would convert its numbers to
    strings.
    """
    array: Array
    library = type(source).__module__.partition(".")[0]
    if library == "pandas":
        array = source.to_numpy()
    elif isinstance(source, list | tuple):
        array = from_list(source)
    else:
        if not hasattr(source, "__array__") and is_column(source):
            source = from_arrow(source)
        if isinstance(source, np.ma.MaskedArray) and source.mask.any():
            raise ValueError("an array has values that are masked (remove such edges)")
        array = np.asarray(source)
    if array.ndim != 1:
        raise ValueError(
            f"a column of type {type(source).__name__} has {array.ndim} dimensions, where one is "
            "expected"
        )
    return from_list(array.tolist()) if array.dtype == object else array


def from_arrow(source: Any) -> Any:
    """Returns a column or a table that has only the Arrow C data interface as one of pyarrow."""
    try:
        import pyarrow
    except ImportError:
        raise TypeError(
            f"{type(source).__name__} is read with pyarrow, which is not installed (install it, or "
            "give arrays of NumPy)"
        ) from None
    if not hasattr(source, "__arrow_c_stream__"):
        return pyarrow.array(source)
    column = pyarrow.chunked_array(source)
    is_table = pyarrow.types.is_struct(column.type)
    return pyarrow.Table.from_struct_array(column) if is_table else column


def from_list(values: Sequence[Any]) -> Array:
    """Returns an array of integers or floats if all values are, otherwise an array of objects."""
    kinds = set(map(type, values))
    if kinds and all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds):
        array = np.array(values)
        if array.dtype.kind in "iu":
            return array
    elif all(issubclass(kind, NUMBERS) for kind in kinds) and (bool not in kinds or len(kinds) < 2):
        return np.array(values)
    objects = np.empty(len(values), object)
    objects[:] = values
    return objects


def integers(array: Array) -> Array:
    """Converts integers for the extension: 32 or 64 bits, aligned and contiguous."""
    kind = array.dtype
    if array.size == 0:
        kind = np.dtype(np.int64)
    elif kind.kind not in "iu":
        raise TypeError(f"integers are expected, but the array is of type {array.dtype}")
    elif kind.itemsize < 4:
        kind = np.dtype(np.int64)
    return np.require(array, kind.newbyteorder("="), ["C", "A"])


def floats(array: Array) -> Array:
    """Converts weights to an aligned, contiguous array of floats; strings are parsed as numbers."""
    if array.dtype.kind in "OUT":
        array = np.array([_number(entry, value) for entry, value in enumerate(array.tolist())])
    if array.size and array.dtype.kind not in "iuf":
        raise TypeError(f"weights are numbers, but their array is of type {array.dtype}")
    kind = np.float32 if array.dtype.kind == "f" and array.dtype.itemsize == 4 else np.float64
    return np.require(array, kind, ["C", "A"])


def _number(entry: int, value: Any) -> float:
    """Converts a weight to a float, or raises an error that names its position."""
    if isinstance(value, Real | Decimal | str):
        with suppress(ValueError, OverflowError):
            return float(value)
    raise WeightError(entry, f"weight {value!r} is not a number (give the edge one)")
