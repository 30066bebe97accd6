"""Reads graphs from files with the library's readers."""

from __future__ import annotations

import os
import stat
from typing import Any

from ._core import Graph
from ._input import Input, ReadOptions, labels_of


def open_input(path: str | os.PathLike[str], options: ReadOptions) -> Input:
    """Reads the graph of a file; edges are undirected unless `directed` is true."""
    weight: Any = options.weight
    if weight is not None and not isinstance(weight, bool | int | str):
        raise ValueError(
            f"weight is {weight!r} (for a file, give True, the number of a column from 1, or a "
            "name)"
        )
    if isinstance(weight, int) and not isinstance(weight, bool) and weight < 1:
        raise ValueError(f"weight is {weight}, but columns of a file are numbered from 1")
    if options.default_weight is not None and weight in (None, False):
        raise ValueError("default_weight is for weights; give weight, or leave it out")
    columns: Any = options.columns
    if columns is not None and not isinstance(columns, str):
        columns = list(columns)
        if not all(isinstance(column, str) or _is_from_1(column) for column in columns):
            raise ValueError(f"columns is {columns!r}, but has to be names, or numbers from 1")
    vertices: Any = options.vertices
    if vertices is not None and not _is_from_1(vertices):
        raise ValueError(f"vertices is {vertices!r}, but for a file it has to be a number")
    check_readable(path)
    graph = Graph.read(
        path,
        directed=bool(options.directed),
        weight=weight,
        weight_is=options.weight_is,
        default_weight=options.default_weight,
        labels=options.labels,
        vertex_weights=options.vertex_weights,
        format=options.format or "auto",
        columns=columns,
        header=options.header,
        delimiter=options.delimiter,
        vertices=vertices,
    )
    return Input(graph, labels_of(graph), attribute=lambda _: graph.vertex_weights)


def _is_from_1(number: Any) -> bool:
    """Returns whether this is an integer of at least 1."""
    return isinstance(number, int) and not isinstance(number, bool) and number >= 1


def check_readable(path: str | os.PathLike[str]) -> None:
    """Raises the exception of `open` if the file is missing or cannot be opened.

    Pipes and devices are not opened, because opening them may consume their data.
    """
    if os.fspath(path) == "-":
        return
    mode = os.stat(path).st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        with open(path, "rb"):
            pass
