"""Searches graphs with the extension module."""

from __future__ import annotations

import atexit
import os
import random
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._input import Floats, Input, Labels
from ._query import DEFAULTS, query, radii
from ._scale import scale
from ._scores import Scores
from ._warn import warn

Progress = Callable[[int, int], object]
Devices = str | int | Sequence[str | int] | None

#: The number of seconds that Python waits at exit for threads inside an OpenCL driver. The process
#: may crash if it exits while they run.
EXIT_WAIT_SECONDS = 5.0
atexit.register(lambda: _core.wait(EXIT_WAIT_SECONDS))


@dataclass(frozen=True)
class Column:
    """The values of one measure within one radius."""

    #: The name of the measure, with the radius if there is one.
    name: str
    values: Floats


@dataclass(frozen=True)
class SearchResult:
    """The result of a search."""

    opened: Input
    columns: list[Column]
    #: The columns of edges, in the order of the input's edges.
    edges: list[Column] | None
    #: Returns the report as JSON.
    report: Callable[[], str]
    edge_labels: Labels | Callable[[], Labels]

    def scores(self, at: int = 0) -> Scores:
        """Returns one column, with the first column of edges if there is one."""
        edges = None
        if self.edges:
            first = self.edges[0]
            edges = Scores(first.values, self.edge_labels, self.report, name=first.name)
        column = self.columns[at]
        graph, labels = self.opened.graph, self.opened.labels
        scores = Scores(column.values, labels, self.report, edges, graph, column.name)
        ends = {column.name: column.values for column in self.columns}
        scores.lower, scores.upper = ends.get("lower"), ends.get("upper")
        return scores


def compute(
    opened: Input,
    measures: str | Iterable[str],
    *,
    seed: int | None = None,
    **options: Any,
) -> SearchResult:
    """Computes the measures; `options` are those of `betweenness` that do not read the graph."""
    measures = [measures] if isinstance(measures, str) else list(measures)
    if options.get("normalized") and measures and "betweenness" not in measures:
        raise ValueError(
            "normalized changes only betweenness (leave it out, or add betweenness to measures)"
        )
    pairs = {name: options.pop(name, default) for name, default in DEFAULTS.items()}
    chosen = sample(len(opened.labels), pairs["sources"], seed)
    if chosen is not None:
        pairs["sources"] = None
        _check_sample(measures, pairs)
    pairs_query = query(opened, measures, pairs)
    return search(opened, chosen, pairs_query, **options)


def estimate_of(
    epsilon: float | None,
    confidence: float | None,
    seed: int | None,
    draws: str | None,
    top: int | None,
    time: float | None,
) -> tuple[float, float, int, str | None, int | None, float | None] | None:
    """Returns the arguments of an estimate; None if no end of a search is given."""
    if epsilon is None and time is None and top is None:
        if confidence is not None or draws is not None:
            raise ValueError(
                "confidence and draws are for estimates: give epsilon, top or time too"
            )
        return None
    seed = random.getrandbits(63) if seed is None else seed
    return epsilon or 0.0, 0.9 if confidence is None else confidence, seed, draws, top, time


def _check_sample(measures: list[str], pairs: dict[str, Any]) -> None:
    """Raises a `ValueError` if a sample of sources cannot estimate these measures or pairs."""
    given = [name for name in ("targets", "vertex_weights", "demand") if pairs[name] is not None]
    if given or measures != ["betweenness"]:
        what = given[0] if given else "measures besides betweenness"
        raise ValueError(
            f"a number of sources is a sample, which does not go with {what} (list the sources)"
        )


def refuse_several_radii(radius: float | Iterable[float] | None) -> None:
    """Raises a `ValueError` for several radii; the caller returns a single column."""
    if len(radii(radius)) > 1:
        raise ValueError("several radii need a column each: use brandes.centrality or one radius")


def search(
    opened: Input,
    chosen: npt.NDArray[np.int64] | None,
    query: dict[str, Any] | None = None,
    *,
    normalized: bool = True,
    endpoints: bool = False,
    edges: bool = False,
    estimate: tuple[float, float, int, int | None, float | None] | None = None,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
    strategy: str = "auto",
    precision: str = "auto",
    verify: int = 0,
    device_timeout: int | None = None,
    reproducible: bool = False,
    reduce: str = "auto",
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 60.0,
    progress: bool | Progress | None = None,
    part: tuple[int, int, str] | None = None,
) -> SearchResult:
    """Searches from the vertices `chosen`, or from all if that is None, and scales betweenness.

    `part` has the number of the part, the number of all parts, and the file for the part's sums.
    """
    with ExitStack() as stack:
        columns, edge_columns, report, texts = opened.graph.search(
            endpoints=bool(endpoints),
            edges=bool(edges),
            sources=chosen,
            query=query,
            estimate=estimate,
            device=_device(device),
            cpu_workers=_workers(cpu_workers),
            strategy=strategy,
            precision=precision,
            verify=verify,
            device_timeout=device_timeout,
            reproducible=bool(reproducible),
            reduce=reduce,
            checkpoint=None if checkpoint is None else (os.fspath(checkpoint), checkpoint_every),
            progress=_progress(progress, stack),
            part=part,
        )
    for text in texts:
        warn(text)

    # A demand counts the trips from s to t separately from those from t to s.
    ordered = opened.graph.directed or (query is not None and query["demand"] is not None)

    def column(name: str, sums: Floats, endpoints: bool) -> Column:
        if estimate is not None:
            # The extension returns normalized estimates.
            size = len(opened.labels)
            pairs = (size - 1) * (size - 2) / (1 if ordered else 2)
            sums = sums if normalized or pairs < 1 else sums * pairs
        # Other measures need no scaling.
        elif name.startswith("betweenness"):
            sums = scale(
                sums,
                len(opened.labels),
                normalized=normalized,
                directed=ordered,
                endpoints=endpoints,
                sources=chosen,
            )
        return Column(name, sums)

    found = [column(name, sums, endpoints) for name, sums in columns]
    if edge_columns is None:
        return SearchResult(opened, found, None, report, ())
    edge_found, edge_labels = [], None
    for name, sums in edge_columns:
        # Pairs that end at an end of the edge count, as with `endpoints`.
        scaled_column = column(name, sums, True)
        values, edge_labels = _in_order_of_input(opened, scaled_column.values)
        edge_found.append(Column(name, values))
    return SearchResult(opened, found, edge_found, report, edge_labels or ())


def _in_order_of_input(opened: Input, values: Floats) -> tuple[Floats, Callable[[], Labels]]:
    """Returns the scores of edges in the order of the input's edges if that is known."""
    if opened.edges is not None:
        return opened.edges(values)

    def pairs() -> Labels:
        ends = [array.tolist() for array in opened.graph.edges()]
        labels = opened.labels
        return [(labels[tail], labels[head]) for tail, head in zip(*ends, strict=True)]

    return values, pairs


def sample(
    count: int, sources: int | Iterable[Hashable] | None, seed: int | None
) -> npt.NDArray[np.int64] | None:
    """Returns the vertex numbers of a sample of `sources` vertices; None if that is no number."""
    if isinstance(sources, bool) or not isinstance(sources, int | np.integer):
        return None
    if not 0 < sources <= count:
        raise ValueError(f"{sources} sources cannot be drawn from {count} vertices")
    # networkx draws from the list of nodes, and so selects the same positions.
    return np.array(random.Random(seed).sample(range(count), int(sources)), np.int64)


def _device(device: Devices) -> str:
    """Returns the devices as the command line spells them."""
    if device is None:
        return "none"
    if isinstance(device, str | int):
        return str(device)
    return ",".join(map(str, device))


def _workers(workers: int | str) -> int | None:
    """Returns the number of CPU workers; None means automatic."""
    if workers == "auto":
        return None
    if isinstance(workers, bool) or not isinstance(workers, int) or not 0 <= workers < 1 << 16:
        raise ValueError(f"cpu_workers is {workers!r}, but has to be 'auto' or a number from 0")
    return workers


def _progress(progress: bool | Progress | None, stack: ExitStack) -> Progress | None:
    """Returns the function to call with the progress, and adds its clean-up to `stack`."""
    if progress is not True:
        return progress or None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        stack.callback(print, file=sys.stderr)
        return _print_progress
    bar = stack.enter_context(tqdm(unit="root"))

    def show(done: int, roots: int) -> None:
        bar.total = roots
        bar.update(done - bar.n)

    return show


def _print_progress(done: int, roots: int) -> None:
    filled = 40 * done // max(roots, 1)
    text = f"\r[{filled * '#':40}] {done} of {roots} roots"
    print(text, end="", file=sys.stderr, flush=True)
