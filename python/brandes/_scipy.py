"""Reads sparse matrices and arrays of SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import Array, floats, integers
from ._core import Graph
from ._input import Input, ReadOptions, naming
from ._warn import warn


def open_input(matrix: Any, options: ReadOptions) -> Input:
    """Converts an adjacency matrix: the entry in row i and column j is the arc from i to j.

    Unless `directed` is true, the graph is undirected and has an edge {i, j} if at least one of the
    two entries is stored.
    """
    shape = matrix.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        size = " x ".join(map(str, shape))
        raise ValueError(f"a matrix of shape {size} is not a graph (use a square one)")
    weighted = options.weight not in (None, False)
    if options.weight not in (None, False, True):
        raise ValueError(
            f"weight is {options.weight!r} (for a matrix, give True if its values are weights, or "
            "None)"
        )
    if matrix.format not in ("coo", "csr", "csc"):
        matrix = matrix.tocsr()
    if weighted:
        if matrix.dtype.kind == "b":
            raise ValueError("a matrix of booleans has no weights (leave weight out)")
        if not matrix.has_canonical_format:
            # SciPy defines several entries at the same position as their sum.
            matrix = matrix.copy()
            matrix.sum_duplicates()
    if not weighted and len(matrix.data) and not matrix.data.all():
        warn("stored zeros count as edges (A.eliminate_zeros() removes them)")
    weights = floats(matrix.data) if weighted else None
    shared: dict[str, Any] = {"directed": bool(options.directed), "weight_is": options.weight_is}
    rows, columns = entries(matrix)

    def entry_at(entry: int) -> str:
        return f"row {rows[entry]}, column {columns[entry]} (from 0)"

    with naming(entry_at):
        graph = Graph.pairs(rows, columns, weights, vertices=shape[0], **shared)
    return Input(graph, range(shape[0]))


def entries(matrix: Any) -> tuple[Array, Array]:
    """Returns the row and the column of each entry."""
    if matrix.format == "coo":
        return integers(matrix.row), integers(matrix.col)
    count = matrix.shape[0]
    if len(matrix.indptr) != count + 1 or matrix.indptr[0] != 0:
        raise ValueError("the rows of the matrix do not fit its shape")
    others = integers(matrix.indices)
    lines = np.repeat(np.arange(count, dtype=others.dtype), np.diff(matrix.indptr))
    return (others, lines) if matrix.format == "csc" else (lines, others)
