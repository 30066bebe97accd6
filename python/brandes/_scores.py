"""The result of a search: scores with their labels."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Hashable, ItemsView, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from ._core import Graph

Labels = Sequence[Hashable]


class Scores(Mapping[Hashable, float]):
    """The scores of all vertices or all edges of a graph in one measure.

    This is a mapping from labels to scores: `scores[label]`, `label in scores`, `scores.items()`
    and `dict(scores)` work as for a dict. Unlike `values` of a dict, `values` is an array, as for a
    pandas series.

    Attributes:
        values: The scores, a float64 array of shape (n,) in the order of the input's vertices, or
            of shape (m,) in the order of `labels` for edges. Betweenness is a number of pairs of
            vertices, or a fraction of them if it is normalized.
        edges: The scores of edges if `betweenness` was called with `edges=True`, otherwise None.
        lower: The lower ends of the intervals of estimates, in the order of `values`; None if
            scores are exact.
        upper: The upper ends.

    Example:
        >>> scores = brandes.betweenness([("a", "b"), ("b", "c")], normalized=False)
        >>> scores["b"], scores.top(1)
        (1.0, [('b', 1.0)])
    """

    values: npt.NDArray[np.float64]  # type: ignore[assignment]
    edges: Scores | None
    lower: npt.NDArray[np.float64] | None = None
    upper: npt.NDArray[np.float64] | None = None

    def __init__(
        self,
        values: npt.NDArray[np.float64],
        labels: Labels | Callable[[], Labels],
        report: Callable[[], str],
        edges: Scores | None = None,
        graph: Graph | None = None,
        name: str = "betweenness",
    ) -> None:
        self.values = values
        self.edges = edges
        self._labels = labels
        self._report = report
        self._graph = graph
        self._name = name

    @cached_property
    def labels(self) -> Labels:
        """The n labels of the vertices, or for edges the m pairs of labels of both ends.

        Edges are in the order of the input, including parallel edges and loops; edges of networkx
        have the labels of `G.edges`. Matrices, files and merged parts have each edge once, sorted
        by the first, then by the second end.
        """
        return self._labels() if callable(self._labels) else self._labels

    @cached_property
    def report(self) -> dict[str, Any]:
        """The report of the search: graph, participants, seconds, warnings.

        The fields are those of the JSON report of `brandes run` (docs/report.md). Times are seconds
        since the call.
        """
        report: dict[str, Any] = json.loads(self._report())
        return report

    def to_dict(self) -> dict[Hashable, float]:
        """Returns a dict from each label to its score, a float.

        Raises:
            ValueError: Parallel edges have the same label.
        """
        scores = dict(zip(self.labels, self.values.tolist(), strict=True))
        if len(scores) != len(self):
            self._raise_repeated_label()
        return scores

    @cached_property
    def _scores(self) -> dict[Hashable, float]:
        return self.to_dict()

    def _raise_repeated_label(self) -> None:
        seen: set[Hashable] = set()
        for label in self.labels:
            if label in seen:
                raise ValueError(
                    f"parallel edges have the label {label!r} (their scores are in values, in the "
                    "order of labels)"
                )
            seen.add(label)

    def to_pandas(self) -> pd.Series[float]:
        """Returns a pandas series of float64 indexed by the labels, with two levels for edges.

        Raises:
            ImportError: pandas is not installed.
        """
        import pandas as pd

        return pd.Series(self.values, index=pd.Index(self.labels), name=self._name)

    def write_graph(self, path: str | os.PathLike[str]) -> None:
        """Copies the GraphML or GEXF file of the graph and adds the score of each vertex.

        Scores become the attribute `betweenness`, or the name of another measure, of vertices, and
        of edges if `edges` is not None; everything else stays the same. The copy is compressed if
        `path` ends in .gz, .bz2, .xz or .zst.

        Raises:
            ValueError: The graph was not read from such a file.
            Error: The file cannot be read or written.

        Example:
            >>> brandes.betweenness("graph.graphml").write_graph("scores.graphml")
        """
        if self._graph is None:
            raise ValueError("write_graph() is for the scores of all vertices of a graph")
        edges = None if self.edges is None else self.edges.values
        self._graph.write_scored(path, self._name, self.values, edges)

    def top(self, k: int = 10) -> list[tuple[Hashable, float]]:
        """Returns the k highest scores, highest first, as pairs (label, score)."""
        import numpy as np

        best = np.argsort(-self.values, kind="stable")[: max(k, 0)]
        return [(self.labels[at], float(self.values[at])) for at in best.tolist()]

    def __getitem__(self, label: Hashable) -> float:
        return self._scores[label]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.labels)

    def items(self) -> ItemsView[Hashable, float]:
        """Returns the pairs (label, score)."""
        return self._scores.items()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Returns `values` for NumPy."""
        import numpy as np

        return np.array(self.values, dtype) if copy else np.asarray(self.values, dtype)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        best = ", ".join(f"{label!r}: {score:.6g}" for label, score in self.top(3))
        return f"<Scores of {len(self)}; highest {best}>" if len(self) else "<Scores of 0>"
