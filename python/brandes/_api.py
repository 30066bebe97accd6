"""The public functions of the package."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from inspect import signature
from typing import Any

from . import _core
from ._core import Error as Error
from ._file import check_readable
from ._input import Labels, ReadOptions, open_input
from ._names import takes
from ._query import DEFAULTS
from ._removals import Removal, rows, start
from ._scores import Scores
from ._search import (
    Devices,
    Progress,
    SearchResult,
    compute,
    estimate_of,
    refuse_several_radii,
    search,
)
from ._streets import streets as _streets
from ._warn import BrandesWarning as BrandesWarning

#: Weights of vertices: a mapping from labels to weights, or labels that each have the weight 1.
Weights = Mapping[Hashable, float] | Iterable[Hashable]

#: The arguments of `betweenness` that say how to read the graph, with their default values.
READING: dict[str, Any] = {
    "directed": None,
    "weight": None,
    "weight_is": "length",
    "vertices": None,
    "labels": None,
    "default_weight": None,
    "format": None,
    "columns": None,
    "header": None,
    "delimiter": None,
}

#: The arguments of `betweenness` about estimates.
ESTIMATES = ("epsilon", "confidence", "draws", "top", "time")


@takes()
def betweenness(
    graph: Any,
    *,
    directed: bool | None = None,
    weight: Any = None,
    weight_is: str = "length",
    normalized: bool = True,
    endpoints: bool = False,
    radius: float | None = None,
    decay: float | None = None,
    sources: Weights | int | None = None,
    seed: int | None = None,
    targets: Weights | None = None,
    vertex_weights: Weights | str | None = None,
    demand: Any = None,
    epsilon: float | None = None,
    confidence: float | None = None,
    draws: str | None = None,
    top: int | None = None,
    time: float | None = None,
    vertices: int | Iterable[Hashable] | None = None,
    labels: str | None = None,
    default_weight: float | None = None,
    format: str | None = None,
    columns: str | Sequence[str | int] | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
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
            - A table of pandas, polars or pyarrow. The columns `source` and `target` are the ends;
              without them, the ends are found as in a file with this header.

            A list is rows and a tuple is columns. A tuple of tuples is columns if it has two or
            three items of equal length, and rows if each item has two or three values. A tuple that
            fits both descriptions is rejected, and so is a list of two or three arrays.

            The vertices of edges are labelled by integers from 0, by names, or by other hashable
            objects. If all labels are integers, vertices are in ascending order, otherwise in the
            order in which edges first name them.
        directed: Whether edges have a direction. The default is what the graph states; matrices,
            edges and files are undirected, except `G.edges` of a directed graph.
        weight: The lengths of edges, which must be from zero on: the name of an edge attribute
            of networkx, igraph or edges with data (in networkx and edges with data, an edge without
            it has length 1); for igraph also a sequence of length m; the name of a column of a
            table; True for the values of a matrix or the weights of a NetworKit graph; for a file
            True, or the number (from 1) or name of a column. Weights in triples, and in an array or
            tuple of three columns, are used by default; weight=False ignores them. In all other
            cases the default is length 1. Only the shortest of parallel edges counts.
        weight_is: "length", or "similarity" for lengths of 1 / weight.
        normalized: Whether to divide scores by the number of pairs that could have the vertex on
            their paths. False returns the sums that the command line writes.
        endpoints: Whether a path also counts for the vertices at its ends.
        radius: The largest distance of pairs that count: a number of edges, or a length.
        decay: Each pair at distance d counts exp(-decay d) in place of 1.
        sources: The vertices at which the pairs that count begin: a list of labels, each of which
            counts 1, or a mapping (or a pandas series) from labels to weights. The pair (s, t)
            counts the weight of the source s times that of the target t. A number draws that many
            vertices with `seed` to search from; scores are then estimates, as in networkx.
        seed: The seed for drawing sources; samples have the same sources as in networkx. None is
            another seed in each call.
        epsilon: Estimate scores: draw sources or shortest paths until each normalized score is
            within this distance of the exact score. All exact scores are between `Scores.lower` and
            `Scores.upper` with a probability of at least `confidence` (docs/estimates.md).
        confidence: The least probability that all exact scores are in their intervals; 0.9 by
            default.
        draws: With `epsilon`, `top` or `time`: what to draw, "sources" or "paths". None chooses
            what takes less time on this machine; otherwise `seed` alone fixes the draws.
        top: Estimate scores until the intervals of this many highest scores are separated from
            those of all others; with `epsilon` or `time`, also end the search then.
        time: Estimate scores for about this many seconds at most. Without `epsilon`, the search
            narrows the intervals for the whole time.
        targets: The vertices at which the pairs that count end, in the forms of `sources`.
        vertex_weights: The weights of vertices as sources and as targets, in the forms of
            `sources`, or the name of an attribute of vertices (networkx, igraph, and files of
            GraphML, GEXF, GML, JSON or DOT).
        demand: The only pairs that count, with their numbers of trips: a mapping from pairs
            (source, target) to trips, a list of triples, a tuple of three columns, or a table with
            the columns `source`, `target` and `trips`.
        vertices: All vertices of a list of edges, including those without edges: a number n, for
            the integers from 0 to n - 1, or the labels, in the order that the scores will have.
            Edges between other vertices are refused. For an edge list in a file, only a number.
        labels: The labels of vertices of a GraphML, GEXF, GML, JSON, DOT or Pajek file: "id",
            or the name of an attribute. The default is the name or the label if every vertex has
            one of its own, otherwise the id.
        default_weight: The weight of edges for which a file has none. By default a missing weight
            is an error.
        format: The format of a file; by default its name and content decide. docs/formats.md lists
            the names.
        columns: The columns of a table or of an edge list in a file: the sources, the targets and
            perhaps the weights, each by its number (from 1) or its name in the header, as in
            ("from", "to"); or a text as on the command line, "source=2,target=3".
        header: Whether the first row of an edge list in a file is a header.
        delimiter: What separates the columns of an edge list in a file: "comma", "semicolon",
            "tab", "blanks", or another character. By default the rows decide.
        device: "auto" (the best GPU, if there is one and the graph is large enough), "all", None or
            "none", the number of a device or a part of its name, or a list of these.
        cpu_workers: The number of threads that search on cores; "auto" is one for each core, minus
            one for each device that is not the CPU itself.
        strategy: The strategy of devices; docs/strategies.md lists the names.
        precision: "f64", "mixed", or "f32" for devices. "auto" is "f64", but devices without
            64-bit floats compute in "f32", with a warning.
        verify: The number of sources of each device to search again on a core, to check the device.
        device_timeout: The number of seconds after which the search continues without a device that
            does not answer.
        reproducible: Whether to return the same bits in every call with the same arguments. This
            needs device=None, or equal devices with cpu_workers=0.
        reduce: The reductions to apply to the graph before the search; they change no score: "auto"
            (those that save work), "none", or several of "fold", "blocks", "reverse" and either
            "twins" or "chains", separated by commas. "fold" and "chains" are for undirected graphs,
            "reverse" for directed ones; "twins" needs a graph without weights and edges=False;
            "chains" needs all vertices as sources.
        checkpoint: A file to save the progress to. After a crash or Ctrl-C, the same call continues
            from the file. The end of the search removes the file.
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
    refuse_several_radii(radius)
    reading = ReadOptions(
        directed,
        weight,
        weight_is,
        vertices,
        labels,
        default_weight,
        vertex_weights if isinstance(vertex_weights, str) else None,
        format,
        columns,
        header,
        delimiter,
    )
    found = compute(
        open_input(graph, reading),
        "betweenness",
        radius=radius,
        decay=decay,
        sources=sources,
        seed=seed,
        targets=targets,
        vertex_weights=vertex_weights,
        demand=demand,
        estimate=estimate_of(epsilon, confidence, seed, draws, top, time),
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
    return found.scores()


#: The arguments of `betweenness`.
ARGUMENTS = signature(betweenness).parameters

#: The arguments of `betweenness` that closeness and harmonic centrality lack.
NOT_OF_DISTANCES = ("normalized", "endpoints", "edges", "demand", *ESTIMATES)


@takes(ARGUMENTS, without=("edges", "endpoints"))
def edge_betweenness(graph: Any, *, normalized: bool = True, **options: Any) -> Scores:
    """Returns the betweenness centrality of every edge.

    The score of an edge is the sum, over all pairs of vertices s and t, of the fraction of shortest
    paths from s to t that use it. The shortest among parallel edges share it equally, as in
    networkx; loops and longer parallel edges have the score 0.

    Args:
        graph: As for `betweenness`.
        normalized: Whether to divide scores by the number of pairs of vertices.
        **options: The arguments of `betweenness` except `edges`, `endpoints`, and those of
            estimates: `epsilon`, `confidence`, `draws`, `top` and `time`.

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
    scores = betweenness(graph, normalized=normalized, edges=True, **options).edges
    assert scores is not None, "the scores of edges were requested"
    return scores


@takes(ARGUMENTS, without=NOT_OF_DISTANCES)
def closeness(graph: Any, *, closeness_scaling: str = "improved", **options: Any) -> Scores:
    """Returns the closeness centrality of every vertex.

    The score of v is (r / D) (r / A): r other vertices reach v, D is the sum of their distances to
    v, and A is the number of all other vertices. The score is 0 if r is 0. With `sources`, only
    these vertices count, each by its weight.

    Args:
        graph: As for `betweenness`.
        closeness_scaling: "improved", as networkx by default; or "component" for r / D, which is
            `wf_improved=False` of networkx and `normalized=True` of igraph.
        **options: The arguments of `betweenness` except `normalized`, `endpoints`, `edges`,
            `demand`, `decay`, and those of estimates: `epsilon`, `confidence`, `draws`, `top` and
            `time`.
            `sources` cannot be a number.

    Returns:
        The scores, as those of `betweenness`.

    Raises:
        The exceptions of `betweenness`.

    Example:
        >>> brandes.closeness([(0, 1), (1, 2)])[1]
        1.0
    """
    options["closeness_scaling"] = closeness_scaling
    return _distance_scores("closeness", graph, options)


@takes(ARGUMENTS, without=NOT_OF_DISTANCES)
def harmonic(graph: Any, **options: Any) -> Scores:
    """Returns the harmonic centrality of every vertex.

    The score of v is the sum of 1 / d(s, v) over all other vertices s that reach v.

    Args:
        graph: As for `betweenness`.
        **options: The arguments of `betweenness` except `normalized`, `endpoints`, `edges`,
            `demand`, `decay`, and those of estimates: `epsilon`, `confidence`, `draws`, `top` and
            `time`.
            `sources` cannot be a number.

    Returns:
        The scores, as those of `betweenness`.

    Raises:
        The exceptions of `betweenness`.

    Example:
        >>> brandes.harmonic([(0, 1), (1, 2)]).to_dict()
        {0: 1.5, 1: 2.0, 2: 1.5}
    """
    return _distance_scores("harmonic", graph, options)


@takes([*ARGUMENTS, "closeness_scaling"], without=("edges", *ESTIMATES))
def centrality(
    graph: Any,
    measures: str | Iterable[str] = ("betweenness", "closeness", "harmonic"),
    *,
    radius: float | Iterable[float] | None = None,
    **options: Any,
) -> Any:
    """Returns several measures of every vertex, from the same searches.

    Args:
        graph: As for `betweenness`.
        measures: The names of measures: "betweenness", "stress" (the number of shortest paths
            through the vertex), "closeness", "harmonic", "reach" (the number of vertices that reach
            the vertex) and "eccentricity" (the largest distance to a vertex that it reaches).
        radius: The largest distance that counts, or several.
        **options: The arguments of `betweenness` except `edges` and those of estimates, and
            `closeness_scaling` as for `closeness`. `normalized` applies to betweenness; `decay`
            applies to betweenness, stress and reach.

    Returns:
        A pandas DataFrame indexed by the labels, with a column for each measure and radius, such as
        `closeness`, or `closeness_800` with a radius. If pandas is not installed, a dict from the
        names of columns to `Scores`.

    Raises:
        The exceptions of `betweenness`.

    Example:
        >>> frame = brandes.centrality("graph.txt", ["closeness", "reach"], radius=[2, 3])
        >>> list(frame.columns)
        ['closeness_2', 'closeness_3', 'reach_2', 'reach_3']
    """
    found = _measures(measures, graph, {**options, "radius": radius})
    try:
        import pandas as pd
    except ImportError:
        return {column.name: found.scores(at) for at, column in enumerate(found.columns)}
    labels = pd.Index(found.opened.labels, tupleize_cols=False)
    return pd.DataFrame({column.name: column.values for column in found.columns}, labels)


@takes([*READING, "device", "cpu_workers"])
def removals(
    graph: Any,
    by: str = "vertices",
    *,
    batch: int = 1,
    steps: int | None = None,
    until: int | None = None,
    **options: Any,
) -> Iterator[Removal]:
    """Removes the vertices or edges of the highest betweenness, and computes it again each time.

    Scores that are equal but for rounding tie: the first vertex or edge of the graph is removed, on
    every device. docs/removal.md says more.

    Args:
        graph: As for `betweenness`.
        by: What is removed: "vertices", as in an attack, or "edges", as by Girvan and Newman.
        batch: The number of removals before scores are computed again.
        steps: The largest number of removals.
        until: The number of components at which removals end.
        **options: The arguments of `betweenness` that say how to read the graph, `device` and
            `cpu_workers`.

    Returns:
        An iterator of removals: named tuples of what was `removed` (a label, or a pair of labels),
        its `score` (a sum over pairs), the number of `components`, the number of vertices of the
        `largest` one and, if edges are removed, the `modularity` of the components.

    Raises:
        The exceptions of `betweenness`.

    Example:
        >>> [step.removed for step in brandes.removals([(0, 1), (1, 2), (2, 3)], until=3)]
        [1, 2]
    """
    opened = open_input(graph, ReadOptions(**_reading(options)))
    return rows(opened, start(opened, by, batch, steps, until, **options), by)


streets = takes(
    (ARGUMENTS.keys() | {"closeness_scaling"}) - READING.keys(), without=("edges", *ESTIMATES)
)(_streets)


def _distance_scores(measure: str, graph: Any, options: dict[str, Any]) -> Scores:
    """Returns the scores of closeness or harmonic centrality."""
    refuse_several_radii(options.get("radius"))
    return _measures(measure, graph, options).scores()


def _measures(measures: str | Iterable[str], graph: Any, options: dict[str, Any]) -> SearchResult:
    """Reads the graph and computes the measures."""
    weights = options.get("vertex_weights")
    attribute = weights if isinstance(weights, str) else None
    opened = open_input(graph, ReadOptions(**_reading(options), vertex_weights=attribute))
    return compute(opened, measures, **options)


def _reading(options: dict[str, Any]) -> dict[str, Any]:
    """Removes the arguments that say how to read the graph from `options`, and returns them."""
    return {name: options.pop(name, default) for name, default in READING.items()}


@takes(ARGUMENTS, without=("normalized", "seed", *DEFAULTS, *ESTIMATES))
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
        **options: The arguments of `betweenness` except `normalized`, those about pairs
            (`radius`, `decay`, `sources`, `seed`, `targets`, `vertex_weights`, `demand`) and those
            about estimates (`epsilon`, `confidence`, `draws`, `top`, `time`).

    Returns:
        The report, as `Scores.report`.

    Raises:
        The exceptions of `betweenness`.

    Example:
        >>> for number in (1, 2):
        ...     report = brandes.search_part("graph.txt", number, 2, f"part-{number}.npz")
        >>> scores = brandes.merge(["part-1.npz", "part-2.npz"])
    """
    opened = open_input(graph, ReadOptions(**_reading(options)))
    part = (number, of, os.fspath(sums))
    found = search(opened, None, normalized=False, part=part, **options)
    return found.scores().report


def merge(parts: Iterable[str | os.PathLike[str]], *, normalized: bool = True) -> Scores:
    """Returns the scores from the sums of all parts of a search, without the graph.

    Args:
        parts: The files that `search_part` or `brandes run --part` wrote, in any order.
        normalized: Whether to divide scores by the number of pairs that could have the vertex on
            their paths.

    Returns:
        The scores, float64 of shape (n,), with the scores of edges as `Scores.edges` if the parts
        were searched with `edges`. Vertices of files, and integers of a list of edges, keep their
        labels; others are numbered from 0 in the order of the input. The report has the number of
        `parts` and the number of `sources`.

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

        edge_scores = Scores(scores, pairs, lambda: report)
    return Scores(values, labels, lambda: report, edge_scores)


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
