"""Reads edges from rows, columns or tables.

Rows are a sequence or an iterator of pairs (source, target) or triples (source, target, weight), an
array of shape (m, 2) or (m, 3), or the edges of a networkx graph. Columns are a tuple of two or
three columns, or a table. The lengths of its items decide whether a tuple of tuples is rows or
columns; a tuple that could be both is rejected.
"""

from __future__ import annotations

import csv
import io
import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from ._arrays import Array, as_array, floats, from_arrow, from_list, integers, is_column
from ._core import Graph, find_ends
from ._input import Floats, Input, Labels, ReadOptions, labels_of, naming, refuse_unknown
from ._per_edge import per_edge
from ._warn import warn

#: Sources, targets, and weights or None, each of shape (m,).
Columns = tuple[Array, Array, Array | None]

#: The number of rows that show which columns of a table have the ends.
SAMPLE = 10_000

#: Floats represent every integer up to this one.
EXACT = 1 << 53


def open_input(edges: Any, options: ReadOptions) -> Input:
    """Builds the graph from edges in any form.

    Vertices are labelled by integers from 0 or other hashable objects. They are in the order of
    `vertices` if that lists them, otherwise in ascending order if all labels are integers,
    otherwise in the order in which edges first name them.
    """
    directed = bool(options.directed)
    tails, heads, weights = columns(edges, options)
    if len(tails) != len(heads):
        raise ValueError(
            f"there are {len(tails)} sources, but {len(heads)} targets (give each edge one of each)"
        )
    if weights is not None and len(weights) != len(tails):
        raise ValueError(
            f"there are {len(weights)} weights for {len(tails)} edges (give each edge one)"
        )

    def name(entry: int) -> str:
        (tail,), (head,) = (ends[entry : entry + 1].tolist() for ends in (tails, heads))
        return f"edge ({tail!r}, {head!r})"

    shared: dict[str, Any] = {"directed": directed, "weight_is": options.weight_is}
    vertices = _declared(options.vertices)
    labels: Labels
    with naming(name):
        lengths = None if weights is None else floats(weights)
        if numbered := _are_integers(tails, heads, vertices):
            ends = (integers(tails), integers(heads))
            if isinstance(vertices, np.ndarray):
                vertices = integers(vertices)
            graph = Graph.pairs(*ends, lengths, vertices=vertices, **shared)
            labels = labels_of(graph)
        else:
            labels, ends = _named(tails, heads, vertices)
            graph = Graph.pairs(*ends, lengths, vertices=len(labels), **shared)

    def edge_scores(scores: Floats) -> tuple[Floats, Callable[[], Labels]]:
        both = _numbers(ends, labels) if numbered else np.stack(ends, axis=1)
        return per_edge(graph, labels, both, scores, lengths, options.weight_is)

    return Input(graph, labels, edge_scores)


def columns(edges: Any, options: ReadOptions) -> Columns:
    """Returns the sources, targets and weights of edges in any form."""
    names = getattr(edges, "column_names", getattr(edges, "columns", None))
    if names is None and is_column(edges) and not hasattr(edges, "__array__"):
        edges = from_arrow(edges)
        names = getattr(edges, "column_names", None)
    if names is not None:
        return _from_table(edges, list(names), options)
    if options.columns is not None:
        raise ValueError("columns is for the path of a file or a table; leave it out")
    if isinstance(edges, tuple) and _is_columns(edges):
        if not 2 <= len(edges) <= 3:
            raise ValueError(
                f"a tuple has {len(edges)} items, where two or three columns are expected: "
                "(sources, targets) or (sources, targets, weights)"
            )
        tails, heads, *rest = map(as_array, edges)
        weights = rest[0] if rest else None
    elif is_column(edges):
        masked = isinstance(edges, np.ma.MaskedArray)
        tails, heads, weights = _from_array(edges if masked else np.asarray(edges))
    else:
        tails, heads, third = _from_rows(edges)
        if third and all(isinstance(data, Mapping) for data in third):
            return tails, heads, _attribute(third, options.weight)
        weights = from_list(third) if third else None
    if options.weight is not None and not isinstance(options.weight, bool):
        raise ValueError(
            "weight names a column of a table or an attribute of edges, and these edges have "
            "neither (give weights as the third column, and leave weight out)"
        )
    if options.weight is True and weights is None and len(tails):
        raise ValueError("edges have no weights (give them as the third column)")
    return tails, heads, None if options.weight is False else weights


def _is_columns(edges: tuple[Any, ...]) -> bool:
    """Returns whether a tuple holds columns, not rows."""
    if not edges or not all(isinstance(item, tuple) for item in edges):
        return bool(edges)
    rows = all(len(item) in (2, 3) for item in edges)
    columns = len(edges) in (2, 3) and len(set(map(len, edges))) == 1
    if rows and columns:
        raise ValueError(
            f"a tuple of {len(edges)} tuples may be edges or columns (give edges as a list, and "
            "columns as a tuple of lists or arrays)"
        )
    return columns


def _from_table(table: Any, names: list[Any], options: ReadOptions) -> Columns:
    """Reads the columns of the ends, and that of the weights, of a table."""
    weight = "weight" if options.weight is True else options.weight
    required = ["source", "target"]
    if options.columns is not None or not set(required) <= set(names):
        required = _ends(table, names, options)
    if weight is not None and weight is not False:
        required = [*required[:2], weight]
    if required[-1] not in names:
        raise ValueError(
            f"the table has no column {weight!r}, but {', '.join(map(repr, names))} (name one of "
            "these)"
        )
    tails, heads, *rest = [as_array(table[name]) for name in required]
    return _whole(tails), _whole(heads), rest[0] if rest else None


def _ends(table: Any, names: list[Any], options: ReadOptions) -> list[Any]:
    """Returns the names of the columns of the ends, found as in a file, and perhaps the weights."""

    def text(value: Any) -> str:
        return "" if is_missing(value) else " ".join(str(value).splitlines())

    first = table[:SAMPLE]
    columns = [list(map(text, as_array(first[name]))) for name in names]
    file = io.StringIO()
    rows = zip(*columns, strict=True)
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([names, *rows])
    found, warnings = find_ends(file.getvalue().encode(), options.columns)
    for warning in warnings:
        warn(warning)
    return [names[at] for at in found]


def _whole(ends: Array) -> Array:
    """Returns floats as integers if all are whole numbers."""
    if ends.dtype.kind != "f":
        return ends
    are_whole = np.isfinite(ends) & (abs(ends) <= EXACT) & (ends == np.trunc(ends))
    return ends.astype(np.int64) if are_whole.all() else ends


def _from_array(array: Array) -> Columns:
    """Reads an array of shape (m, 2) or (m, 3)."""
    if array.shape == (0,):
        array = array.reshape(0, 2)
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(
            f"an array of shape {array.shape} is not a list of edges (give one of shape (m, 2) or "
            "(m, 3), a tuple of columns, or an adjacency matrix as a scipy.sparse.csr_array)"
        )
    if array.shape == (3, 3) and (array == array.T).all():
        raise ValueError(
            "a symmetric array of shape (3, 3) may be edges or an adjacency matrix (give edges as "
            "a tuple of columns: tuple(A.T), and a matrix as scipy.sparse.csr_array(A))"
        )
    ends = array[:, :2]
    if array.dtype.kind == "f" and array.shape[1] == 3:
        # An array has one type, so integers beside weights are floats.
        ends = _whole(ends)
        if ends.dtype.kind == "f":
            raise ValueError(
                "vertices of an array of floats have to be whole numbers up to 2^53 (give columns: "
                "(sources, targets, weights))"
            )
    tails, heads = as_array(ends[:, 0]), as_array(ends[:, 1])
    return tails, heads, as_array(array[:, 2]) if array.shape[1] == 3 else None


def _from_rows(edges: Iterable[Any]) -> tuple[Array, Array, list[Any]]:
    """Returns the sources, the targets and the third values of rows; the last list may be empty."""
    rows = list(edges)
    if 2 <= len(rows) <= 3 and all(map(is_column, rows)):
        raise ValueError(
            f"a list of {len(rows)} arrays may be edges or columns (give columns as a tuple, and "
            "edges as one array of shape (m, 2) or (m, 3))"
        )
    width = len(rows[0]) if rows and _is_row(rows[0]) else 2
    if not all(map(_is_row_type, set(map(type, rows)))) or set(map(len, rows)) - {width}:
        raise _malformed(rows, width)
    columns: list[Sequence[Any]] = list(zip(*rows, strict=True)) or [(), ()]
    tails, heads = map(_labels, columns[:2])
    return tails, heads, list(columns[2]) if width == 3 else []


def _is_row_type(kind: type) -> bool:
    """Returns whether values of this type can be rows."""
    return issubclass(kind, Sequence | np.ndarray) and not issubclass(kind, str | bytes)


def _is_row(row: Any) -> bool:
    """Returns whether this is a pair or a triple."""
    return _is_row_type(type(row)) and len(row) in (2, 3)


def _malformed(rows: list[Any], width: int) -> ValueError:
    """Returns the error for the first row that is not an edge or not as wide as the first row."""
    at = next(at for at, row in enumerate(rows) if not _is_row(row) or len(row) != width)
    expected = "a pair (source, target) or a triple (source, target, weight)"
    if at and _is_row(rows[at]):
        expected = f"a row of {width} values, like the rows before it"
    return ValueError(
        f"edge {at} (from 0) is {_short(rows[at])}, but has to be {expected}; columns are given as "
        "a tuple (sources, targets[, weights])"
    )


def _short(value: Any) -> str:
    """Returns the `repr` of a value in at most 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _labels(values: Sequence[Any]) -> Array:
    """Returns labels as an array of integers if all are, otherwise as an array of objects."""
    array = from_list(values)
    if array.dtype.kind == "f" and len(values):
        array = np.empty(len(values), object)
        array[:] = values
    return array


def _attribute(attributes: Sequence[Mapping[Hashable, Any]], weight: Any) -> Array | None:
    """Returns an attribute of edges, 1 where it is missing; rejects one that no edge has."""
    weight = "weight" if weight is True else weight
    if weight is None or weight is False:
        return None
    refuse_unknown(attributes, weight)
    return from_list([data.get(weight, 1) for data in attributes])


def _declared(vertices: Any) -> Any:
    """Returns the argument `vertices` as a number, an array of labels, or None."""
    if vertices is None:
        return None
    if isinstance(vertices, str | bytes | bool | float):
        raise ValueError(f"vertices is {vertices!r}, but has to be a number, or a list of labels")
    if hasattr(vertices, "__index__") and not isinstance(vertices, np.ndarray):
        return operator.index(vertices)
    return as_array(vertices) if is_column(vertices) else _labels(list(vertices))


def _are_integers(tails: Array, heads: Array, vertices: Any) -> bool:
    """Returns whether all labels are integers; empty columns may have any type."""
    columns = [tails, heads, *([vertices] if isinstance(vertices, np.ndarray) else [])]
    for name, column in zip(("sources", "targets", "vertices"), columns, strict=False):
        if column.dtype.kind in "OUSTiu" or column.size == 0:
            continue
        if column.dtype.kind == "f" and np.isnan(column).any():
            raise _missing(name, int(np.isnan(column).argmax()), np.nan)
        raise TypeError(
            f"{name} are of type {column.dtype}; give integers from 0 or names (convert whole "
            "numbers with .astype(int))"
        )
    return all(column.dtype.kind in "iu" or column.size == 0 for column in columns)


def _named(tails: Array, heads: Array, vertices: Any) -> tuple[list[Hashable], tuple[Array, Array]]:
    """Returns the labels, and the positions of both ends of every edge in the labels."""
    ends: list[Any] = [tails.tolist(), heads.tolist()]
    try:
        if vertices is None:
            numbers = dict.fromkeys(chain.from_iterable(zip(*ends, strict=True)))
        elif isinstance(vertices, np.ndarray):
            numbers = dict.fromkeys(vertices.tolist())
            if len(numbers) != len(vertices):
                raise ValueError("vertices has a label twice (list each vertex once)")
        else:
            raise ValueError(
                "vertices is a number, but vertices have names (list all names, or leave vertices "
                "out)"
            )
    except TypeError as error:
        raise TypeError(f"a vertex is not hashable, so it cannot be a label: {error}") from None
    labels = list(numbers)
    for label in labels:
        if is_missing(label):
            for name, column in zip(("sources", "targets"), ends, strict=True):
                for at, end in enumerate(column):
                    if is_missing(end):
                        raise _missing(name, at, end)
            raise ValueError(f"vertices has {label!r}, which is not a label")
    texts = {label for label in labels if isinstance(label, str)}
    if len(texts) < len(labels):
        twin = next(
            (n for n in labels if isinstance(n, int | np.integer) and str(n) in texts), None
        )
        if twin is not None:
            raise ValueError(
                f"{twin!r} and {str(twin)!r} would be two vertices (make all labels strings, or "
                "all of them numbers)"
            )
    number = {label: at for at, label in enumerate(labels)}
    found = []
    for name, column in zip(("sources", "targets"), ends, strict=True):
        try:
            found.append(np.fromiter(map(number.__getitem__, column), np.int64, len(column)))
        except KeyError:
            at = next(at for at, end in enumerate(column) if end not in number)
            raise ValueError(
                f"{name}[{at}] is {column[at]!r}, which is not among the vertices (add it to "
                "vertices, or remove the edge)"
            ) from None
    return labels, (found[0], found[1])


def is_missing(label: Any) -> bool:
    """Returns whether a label is a missing value: None, NaN or pandas' NA."""
    if label is None or type(label).__name__ == "NAType":
        return True
    return isinstance(label, float | np.floating) and label != label


def _missing(name: str, at: int, value: Any) -> ValueError:
    """Returns the error for an edge that lacks an end."""
    return ValueError(
        f"{name}[{at}] is {value!r}: the edge has no such end (remove such edges, or name the end)"
    )


def _numbers(ends: tuple[Array, Array], labels: Labels) -> Array:
    """Converts integer labels to vertex numbers. Returns both ends of every edge, shape (m, 2)."""
    both = np.stack([end.astype(np.uint64) for end in ends], axis=1)
    if isinstance(labels, range):
        return both - np.uint64(labels.start)
    known = np.array(labels, np.uint64)
    order = np.argsort(known, kind="stable")
    return order[np.searchsorted(known, both, sorter=order)]
