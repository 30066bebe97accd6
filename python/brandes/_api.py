"""The functions of the package."""

from __future__ import annotations

import atexit
import json
import os
import random
import sys
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Error as Error
from ._file import check_readable
from ._input import Input, Labels, Wanted, open_input
from ._scale import scaled
from ._scores import Scores

Progress = Callable[[int, int], object]
Devices = str | int | Sequence[str | int] | None

#: So many seconds Python's end waits for threads that are inside an OpenCL driver: ending under
#: their feet may crash the process.
LAST_WAIT = 5.0
atexit.register(lambda: _core.wait(LAST_WAIT))


def betweenness(
    graph: Any,
    *,
    directed: bool | None = None,
    weight: Any = None,
    weight_is: str = "length",
    normalized: bool = True,
    endpoints: bool = False,
    sources: int | Iterable[Hashable] | None = None,
    seed: int | None = None,
    vertices: int | Iterable[Hashable] | None = None,
    labels: str | None = None,
    default_weight: float | None = None,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
    strategy: str = "auto",
    precision: str = "f64",
    verify: int = 0,
    device_timeout: int | None = None,
    reproducible: bool = False,
    reduce: str = "auto",
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 60.0,
    edges: bool = False,
    progress: bool | Progress | None = None,
) -> Scores:
    """The betweenness centrality of every vertex.

    The score of v is the sum, over all pairs of other vertices s and t, of the share of shortest
    paths from s to t that go through v. Loops do not count, and parallel edges are one edge.

    Args:
        graph: A graph of networkx, igraph or NetworKit; a sparse matrix or array of SciPy of shape
            (n, n), of any layout; the path of a file in any format that `brandes` reads; or edges:

            - Rows: a list, or whatever else is iterated, of pairs (source, target) or triples
              (source, target, weight); an array of shape (m, 2) or (m, 3); `G.edges` of networkx,
              with or without data.
            - Columns: a tuple (sources, targets) or (sources, targets, weights) of arrays, series
              or lists of length m (NumPy, pandas, polars, pyarrow and whatever else has the Arrow C
              data interface).
            - A table of pandas, polars or pyarrow with columns `source` and `target`.

            So a list is rows and a tuple is columns. A tuple of tuples is columns if there are two
            or three of equal length, and rows if each has two or three items. It is refused if
            both are true, as is a list of two or three arrays.

            Vertices of edges are called by any integers from 0, by names, or by whatever else can
            be hashed. If all are integers, they come in ascending order, else in the order in which
            edges first name them.
        directed: Whether edges have a direction. By default as the graph says; matrices, edges and
            files are undirected, but for `G.edges` of a directed graph.
        weight: The lengths of edges, which have to be above zero: the name of an edge attribute
            (networkx and edges with data, where some may lack it and have length 1, and igraph), or
            of a column of a table; True for the values of a matrix or the weights of a NetworKit
            graph; a sequence of length m (igraph); True, a number from 1 or a name for a column of
            a file. Weights in triples or a third column count without being asked for, but for
            weight=False. By default every edge has length 1. Of parallel edges the shortest counts.
        weight_is: "length", or "similarity": then lengths are 1 / weight.
        normalized: Whether scores are divided by the number of pairs that could meet a vertex.
        endpoints: Whether the ends of a path lie on it.
        sources: Searches from a part of the vertices only, and estimates the scores from that, as
            networkx does: a number of vertices, which are drawn with `seed`, or a list of the
            vertices themselves, by their labels.
        seed: What draws the sources, as in networkx; None draws others each time.
        vertices: All vertices of a list of edges, so that those without edges count too: a number
            n, for the integers from 0 to n - 1, or the labels, in the order that is wanted. Edges
            that name others are refused.
        labels: What vertices of a file of GraphML, GEXF, GML, Pajek or DL are called: "id", or the
            name of an attribute. By default their name or label, if each has one of its own, else
            their id.
        default_weight: The weight of edges for which a file has none; by default these are an
            error.
        device: "auto" (the best GPU, if there is one and the graph is worth it), "all", None or
            "none", the number or a part of the name of a device, or a list of such.
        cpu_workers: Threads that search beside devices; "auto" is as many as there are cores left.
        strategy: How devices search; the names are in docs/strategies.md.
        precision: "f64", "mixed", or "f32" for devices.
        verify: Checks devices with so many sources.
        device_timeout: Seconds after which a device that does not answer is left out.
        reproducible: Whether scores have the same bits in every call with the same arguments: with
            device=None, or on equal devices with cpu_workers=0.
        reduce: What is done to undirected graphs first, which changes no score: "auto" (what makes
            less work), "none", or some of "fold", "blocks" and "twins" or "chains", with commas
            between them. "chains" goes with weights and edges, if all vertices are sources.
        checkpoint: A file in which what is searched is kept; the same call goes on from it after a
            crash, or Ctrl-C. It is removed with the end of the search.
        checkpoint_every: Seconds between two times that it is written.
        edges: Whether the scores of edges are wanted too, as `Scores.edges`.
        progress: True for a bar, of tqdm if that is installed, on standard error; or a function
            that is called with the number of searches that are done and of all of them, on the
            calling thread, several times a second.

    Returns:
        The scores, float64, in the order of the input's vertices; a mapping from their labels.

    Raises:
        ValueError: The arguments make no sense, or the graph is none.
        TypeError: The same, by its type.
        OSError: A file is missing or cannot be opened, as of `open`.
        MemoryError: The graph does not fit into the memory.
        Error: The search failed, or a device that was named is not there.
    """
    wanted = Wanted(directed, weight, weight_is, vertices, labels, default_weight)
    opened = open_input(graph, wanted)
    return search(
        opened,
        _chosen(opened.labels, sources, seed),
        normalized=normalized,
        endpoints=endpoints,
        edges=edges,
        device=device,
        cpu_workers=cpu_workers,
        strategy=strategy,
        precision=precision,
        verify=verify,
        device_timeout=device_timeout,
        reproducible=reproducible,
        reduce=reduce,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        progress=progress,
    )


def search(
    opened: Input,
    chosen: npt.NDArray[np.int64] | None,
    *,
    normalized: bool,
    endpoints: bool = False,
    edges: bool = False,
    device: Devices = "auto",
    cpu_workers: int | str = "auto",
    strategy: str = "auto",
    precision: str = "f64",
    verify: int = 0,
    device_timeout: int | None = None,
    reproducible: bool = False,
    reduce: str = "auto",
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 60.0,
    progress: bool | Progress | None = None,
    part: tuple[int, int, str] | None = None,
) -> Scores:
    """Scores of a graph by searches from these vertices, or from all.

    A part is its number, that of all parts, and the file that its sums are written to.
    """
    with ExitStack() as stack:
        sums, edge_sums, report, texts = opened.graph.search(
            endpoints=bool(endpoints),
            edges=bool(edges),
            sources=chosen,
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
        warnings.warn(text, RuntimeWarning, stacklevel=3)

    def scores(sums: npt.NDArray[np.float64], endpoints: bool) -> npt.NDArray[np.float64]:
        return scaled(
            sums,
            len(opened.labels),
            normalized=normalized,
            directed=opened.graph.directed,
            endpoints=endpoints,
            sources=chosen,
        )

    of_edges = None
    if edge_sums is not None:
        # Both ends of an edge lie on it.
        of_edges = _edges(opened, scores(edge_sums, True), report)
    return Scores(scores(sums, endpoints), opened.labels, report, of_edges, opened.graph)


def edge_betweenness(graph: Any, *, normalized: bool = True, **options: Any) -> Scores:
    """The betweenness centrality of every edge.

    The score of an edge is the sum, over all pairs of vertices s and t, of the share of shortest
    paths from s to t that go through it. The shortest of parallel edges share it, as in networkx;
    loops and longer parallel edges have none.

    Args:
        graph: As for `betweenness`.
        normalized: Whether scores are divided by the number of pairs of vertices.
        **options: Those of `betweenness`, but for `edges` and `endpoints`.

    Returns:
        The scores, float64, one for each edge of the input in its order, that of `G.edges` or
        `g.es`; `Scores.labels` are pairs of vertices. Edges of matrices and files are each there
        once, by their first, then by their second end.

    Raises:
        As `betweenness`.
    """
    for name in ("edges", "endpoints"):
        if name in options:
            raise TypeError(f"edge_betweenness() has no argument {name!r}")
    scores = betweenness(graph, normalized=normalized, edges=True, **options).edges
    assert scores is not None, "scores of edges were asked for"
    return scores


def search_part(
    graph: Any, number: int, of: int, sums: str | os.PathLike[str], **options: Any
) -> dict[str, Any]:
    """Searches one of several parts of the sources, for machines that share a search.

    `merge` makes scores of the sums of all parts.

    Args:
        graph: As for `betweenness`.
        number: Which part, from 1.
        of: How many there are.
        sums: The file to write the sums to, whose name ends in .npz.
        **options: Those of `betweenness`, but for `normalized`, `sources` and `seed`.

    Returns:
        The report, as `Scores.report`.

    Raises:
        As `betweenness`.
    """
    for name in ("normalized", "sources", "seed"):
        if name in options:
            raise TypeError(f"search_part() has no argument {name!r}")
    about = {"directed": None, "weight": None, "weight_is": "length", "vertices": None}
    about |= {"labels": None, "default_weight": None}
    opened = open_input(graph, Wanted(*(options.pop(*item) for item in about.items())))
    part = (number, of, os.fspath(sums))
    return search(opened, None, normalized=False, part=part, **options).report


def merge(parts: Iterable[str | os.PathLike[str]], *, normalized: bool = True) -> Scores:
    """The scores that the parts of a search make together, without the graph.

    Args:
        parts: The files of all parts, in any order, that `search_part` or `brandes run --part`
            wrote.
        normalized: Whether scores are divided by the number of pairs that could meet a vertex.

    Returns:
        The scores, with those of edges as `Scores.edges` if parts were searched with `edges`.
        Vertices of files, and those that are integers of a list of edges, are called as in the
        input, others by their places, from 0. The report has the numbers of `parts` and `sources`.

    Raises:
        ValueError: No parts are given.
        OSError: A file is missing or cannot be opened.
        Error: Some part is missing, twice there, of another search, or not whole.
    """
    files = [os.fspath(path) for path in parts]
    if not files:
        raise ValueError("there are no parts to merge")
    for file in files:
        check_readable(file)
    labels: Any
    labels, values, edges, report = _core.merge(files, bool(normalized))
    of_edges = None
    if edges is not None:
        *ends, scores = edges
        lists = [array.tolist() for array in ends]

        def pairs() -> Labels:
            return [(labels[tail], labels[head]) for tail, head in zip(*lists, strict=True)]

        of_edges = Scores(scores, pairs, report)
    return Scores(values, labels, report, of_edges)


def devices() -> list[dict[str, Any]]:
    """What every OpenCL device of this machine says of itself; none without OpenCL.

    Sizes are bytes. `number` and parts of `name` or `platform` are what `betweenness` takes as
    `device`.
    """
    found: list[dict[str, Any]] = json.loads(_core.devices())
    return found


def _edges(opened: Input, values: npt.NDArray[np.float64], report: str) -> Scores:
    if opened.edges is not None:
        values, labels = opened.edges(values)
        return Scores(values, labels, report)

    def pairs() -> Labels:
        ends = [array.tolist() for array in opened.graph.edges()]
        name = opened.labels
        return [(name[tail], name[head]) for tail, head in zip(*ends, strict=True)]

    return Scores(values, pairs, report)


def _chosen(
    labels: Labels, sources: int | Iterable[Hashable] | None, seed: int | None
) -> npt.NDArray[np.int64] | None:
    """Numbers of the vertices to search from."""
    if sources is None:
        return None
    if isinstance(sources, Mapping | str | bytes | bool):
        raise TypeError(
            f"sources is a {type(sources).__name__}, but has to be a number of vertices, or a list "
            "of their labels"
        )
    count = len(labels)
    if isinstance(sources, int | np.integer):
        if not 0 < sources <= count:
            raise ValueError(f"{sources} sources cannot be drawn from {count} vertices")
        # networkx draws from a list of the nodes, which comes to the same places.
        return np.array(random.Random(seed).sample(range(count), int(sources)), np.int64)
    wanted = list(sources)
    if not wanted:
        raise ValueError("at least one source is needed")
    numbers: Any = labels
    if not (isinstance(labels, range) and labels.start == 0):
        numbers = {label: number for number, label in enumerate(labels)}
    try:
        places = [numbers.index(s) if numbers is labels else numbers[s] for s in wanted]
    except (KeyError, ValueError):
        unknown = next(s for s in wanted if s not in numbers)
        raise ValueError(f"the source {unknown!r} is no vertex of the graph") from None
    return np.array(places, np.int64)


def _device(device: Devices) -> str:
    if device is None:
        return "none"
    if isinstance(device, str | int):
        return str(device)
    return ",".join(map(str, device))


def _workers(workers: int | str) -> int | None:
    if workers == "auto":
        return None
    if isinstance(workers, bool) or not isinstance(workers, int) or not 0 <= workers < 1 << 16:
        raise ValueError(f"cpu_workers is {workers!r}, but has to be 'auto' or a number from 0")
    return workers


def _progress(progress: bool | Progress | None, stack: ExitStack) -> Progress | None:
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
