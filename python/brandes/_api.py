"""The public functions of the package."""

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

#: How many seconds Python waits at exit for threads that are inside an OpenCL driver. Exiting while
#: they run may crash the process.
EXIT_WAIT_SECONDS = 5.0
atexit.register(lambda: _core.wait(EXIT_WAIT_SECONDS))


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
    """Returns the betweenness centrality of every vertex.

    The score of v is the sum, over all pairs of other vertices s and t, of the fraction of shortest
    paths from s to t that pass through v. Loops do not count, and parallel edges count as one edge.

    Args:
        graph: A graph of networkx, igraph or NetworKit; a sparse matrix or array of SciPy of shape
            (n, n), of any layout; the path of a file in any format that `brandes` reads; or edges:

            - Rows: a list or another iterable of pairs (source, target) or triples (source, target,
              weight); an array of shape (m, 2) or (m, 3); `G.edges` of networkx, with or without
              data.
            - Columns: a tuple (sources, targets) or (sources, targets, weights) of arrays, series
              or lists of length m (NumPy, pandas, polars, pyarrow, and any type with the Arrow C
              data interface).
            - A table of pandas, polars or pyarrow with columns `source` and `target`.

            A list is rows and a tuple is columns. A tuple of tuples is columns if it has two or
            three items of equal length, and rows if each item has two or three values. It is
            refused if both are true, and so is a list of two or three arrays.

            The vertices of edges are labelled by integers from 0, by names, or by other hashable
            objects. If all labels are integers, vertices are in ascending order, otherwise in the
            order in which edges first name them.
        directed: Whether edges have a direction. The default is what the graph states; matrices,
            edges and files are undirected, except `G.edges` of a directed graph.
        weight: The lengths of edges, which must be above zero: the name of an edge attribute
            (networkx and edges with data, where an edge without it has length 1, and igraph) or of
            a table's column; True for the values of a matrix or the weights of a NetworKit graph; a
            sequence of length m (igraph); True, a number from 1 or a name for a column of a file.
            Weights in triples or in a third column are used by default; weight=False ignores them.
            Otherwise every edge has length 1 by default. Of parallel edges the shortest counts.
        weight_is: "length", or "similarity" for lengths of 1 / weight.
        normalized: Whether to divide scores by the number of pairs that could have the vertex on
            their paths.
        endpoints: Whether the ends of a path count as lying on it.
        sources: The vertices to search from, if not all; scores are then estimates, as in networkx:
            a number of vertices, which are drawn with `seed`, or a list of vertex labels.
        seed: The seed for drawing the sources, as in networkx; None draws others in each call.
        vertices: All vertices of a list of edges, including those without edges: a number n, for
            the integers from 0 to n - 1, or the labels, in the order that the scores will have.
            Edges between other vertices are refused.
        labels: The labels of vertices of a GraphML, GEXF, GML, Pajek or DL file: "id", or the name
            of an attribute. The default is the name or the label if every vertex has one of its
            own, otherwise the id.
        default_weight: The weight of edges for which a file has none. By default a missing weight
            is an error.
        device: "auto" (the best GPU, if there is one and the graph is large enough), "all", None or
            "none", the number of a device or a part of its name, or a list of these.
        cpu_workers: The number of threads that search on cores; "auto" is one for each core, minus
            one for each device that is not the CPU itself.
        strategy: The strategy of devices; docs/strategies.md lists the names.
        precision: "f64", "mixed", or "f32" for devices.
        verify: The number of sources of each device to search again on a core, to check the device.
        device_timeout: The number of seconds after which a device that does not answer is left out.
        reproducible: Whether to return the same bits in every call with the same arguments. This
            needs device=None, or equal devices with cpu_workers=0.
        reduce: The reductions to apply to an undirected graph before the search; they change no
            score: "auto" (those that save work), "none", or several of "fold", "blocks" and either
            "twins" or "chains", separated by commas. "chains" supports weights and edges, and needs
            all vertices as sources.
        checkpoint: A file to save the progress to. The same call continues from it after a crash or
            Ctrl-C. It is removed at the end of the search.
        checkpoint_every: The number of seconds between two checkpoints.
        edges: Whether to compute the scores of edges too, as `Scores.edges`.
        progress: True for a progress bar on standard error (of tqdm if that is installed), or a
            function that is called on the calling thread several times a second with the number
            of finished searches and the number of all searches.

    Returns:
        The scores, float64 of shape (n,), in the order of the input's vertices. `Scores` is also a
        mapping from labels to scores.

    Raises:
        ValueError: An argument has a wrong value, or the graph is malformed.
        TypeError: An argument or the graph has a wrong type.
        OSError: A file is missing or cannot be opened, as with `open`.
        MemoryError: The graph does not fit into the memory.
        Error: The search failed, or the named device does not exist.

    Example:
        >>> brandes.betweenness([(0, 1), (1, 2), (2, 3)], normalized=False).to_dict()
        {0: 0.0, 1: 2.0, 2: 2.0, 3: 0.0}
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
    """Searches from the vertices `chosen`, or from all if that is None, and returns scaled scores.

    `part` is the number of the part, the number of all parts, and the file to write its sums to.
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

    edge_scores = None
    if edge_sums is not None:
        # Both ends of an edge lie on it.
        edge_scores = _edges(opened, scores(edge_sums, True), report)
    return Scores(scores(sums, endpoints), opened.labels, report, edge_scores, opened.graph)


def edge_betweenness(graph: Any, *, normalized: bool = True, **options: Any) -> Scores:
    """Returns the betweenness centrality of every edge.

    The score of an edge is the sum, over all pairs of vertices s and t, of the fraction of shortest
    paths from s to t that use it. The shortest among parallel edges share it equally, as in
    networkx; loops and longer parallel edges have the score 0.

    Args:
        graph: As for `betweenness`.
        normalized: Whether to divide scores by the number of pairs of vertices.
        **options: The arguments of `betweenness` except `edges` and `endpoints`.

    Returns:
        The scores, float64 of shape (m,), in the order of the input's edges, which is that of
        `G.edges` or `g.es`; `Scores.labels` are pairs of vertex labels. Matrices and files have
        each edge once, sorted by the first, then by the second end.

    Raises:
        The exceptions of `betweenness`.

    Example:
        >>> brandes.edge_betweenness([(0, 1), (1, 2)], normalized=False).to_dict()
        {(0, 1): 2.0, (1, 2): 2.0}
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
    """Searches one of several parts of the sources, so that machines can share a search.

    `merge` adds up the sums of all parts.

    Args:
        graph: As for `betweenness`.
        number: The number of this part, from 1.
        of: The number of parts.
        sums: The file to write the sums to. Its name must end in .npz.
        **options: The arguments of `betweenness` except `normalized`, `sources` and `seed`.

    Returns:
        The report, as `Scores.report`.

    Raises:
        The exceptions of `betweenness`.

    Example:
        >>> for number in (1, 2):
        ...     report = brandes.search_part("graph.txt", number, 2, f"part-{number}.npz")
        >>> scores = brandes.merge(["part-1.npz", "part-2.npz"])
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
    """Returns the scores from the sums of all parts of a search, without the graph.

    Args:
        parts: The files that `search_part` or `brandes run --part` wrote, in any order.
        normalized: Whether to divide scores by the number of pairs that could have the vertex on
            their paths.

    Returns:
        The scores, float64 of shape (n,), with the scores of edges as `Scores.edges` if the parts
        were searched with `edges`. Vertices of files, and integers of a list of edges, keep their
        labels; others are numbered from 0 in the order of the input. The report has the numbers of
        `parts` and `sources`.

    Raises:
        ValueError: `parts` is empty.
        OSError: A file is missing or cannot be opened.
        Error: A part is missing, given twice, of another search, or incomplete.

    Example:
        >>> brandes.merge(["part-1.npz", "part-2.npz"]).top(1)
    """
    files = [os.fspath(path) for path in parts]
    if not files:
        raise ValueError("there are no parts to merge")
    for file in files:
        check_readable(file)
    labels: Any
    labels, values, edges, report = _core.merge(files, bool(normalized))
    edge_scores = None
    if edges is not None:
        *ends, scores = edges
        lists = [array.tolist() for array in ends]

        def pairs() -> Labels:
            return [(labels[tail], labels[head]) for tail, head in zip(*lists, strict=True)]

        edge_scores = Scores(scores, pairs, report)
    return Scores(values, labels, report, edge_scores)


def devices() -> list[dict[str, Any]]:
    """Returns the properties of every OpenCL device of this machine.

    Sizes are in bytes. `betweenness` accepts `number`, or a part of `name` or `platform`, as
    `device`.

    Returns:
        One dict for each device; an empty list without OpenCL.

    Raises:
        Error: The OpenCL library failed.

    Example:
        >>> [device["name"] for device in brandes.devices()]
    """
    found: list[dict[str, Any]] = json.loads(_core.devices())
    return found


def _edges(opened: Input, values: npt.NDArray[np.float64], report: str) -> Scores:
    """Returns the scores of edges, in the order of the input's edges if the input knows it."""
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
    """Returns the numbers of the vertices to search from; None means all."""
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
        # networkx draws from the list of nodes, which selects the same positions.
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
        raise ValueError(f"the source {unknown!r} is not a vertex of the graph") from None
    return np.array(places, np.int64)


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
