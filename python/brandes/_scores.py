"""Scores, and what they belong to."""

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
    """The betweenness of all vertices of a graph, or of all its edges.

    A mapping from labels to scores: `scores[label]`, `label in scores`, `scores.items()` and
    `dict(scores)` are those of a dict. `values` is an array, as that of a pandas series, and no
    method.

    Attributes:
        values: The scores, a float64 array of shape (n,) in the order of the input's vertices, or
            of shape (m,) in the order of `labels` for edges. Shares of pairs of vertices if they
            are normalized, else numbers of pairs.
        edges: The scores of edges, if `betweenness` was asked for them.
    """

    values: npt.NDArray[np.float64]  # type: ignore[assignment]
    edges: Scores | None

    def __init__(
        self,
        values: npt.NDArray[np.float64],
        labels: Labels | Callable[[], Labels],
        report: str,
        edges: Scores | None = None,
        graph: Graph | None = None,
    ) -> None:
        self.values = values
        self.edges = edges
        self._labels = labels
        self._report = report
        self._graph = graph

    @cached_property
    def labels(self) -> Labels:
        """What the vertices are called, n of them; of edges the labels of both ends, m pairs.

        Edges come in the order of the input, parallel ones and loops too; those of networkx are
        named as `G.edges` names them. Edges of matrices, files and merged parts come by their
        first, then by their second end, each once.
        """
        return self._labels() if callable(self._labels) else self._labels

    @cached_property
    def report(self) -> dict[str, Any]:
        """How the scores were found: graph, participants, seconds, warnings.

        The names are those of the JSON report of `brandes run`. Times are seconds since the call.
        """
        report: dict[str, Any] = json.loads(self._report)
        return report

    def to_dict(self) -> dict[Hashable, float]:
        """The score of each label, as a float.

        Raises:
            ValueError: Parallel edges have the same label.
        """
        scores = dict(zip(self.labels, self.values.tolist(), strict=True))
        if len(scores) != len(self):
            self._refuse_twins()
        return scores

    @cached_property
    def _scores(self) -> dict[Hashable, float]:
        return self.to_dict()

    def _refuse_twins(self) -> None:
        seen: set[Hashable] = set()
        for label in self.labels:
            if label in seen:
                raise ValueError(
                    f"parallel edges have the label {label!r} (their scores are in values, in the "
                    "order of labels)"
                )
            seen.add(label)

    def to_pandas(self) -> pd.Series[float]:
        """The scores as a series of float64 whose index has the labels, two levels for edges."""
        import pandas as pd

        return pd.Series(self.values, index=pd.Index(self.labels), name="betweenness")

    def write_graph(self, path: str | os.PathLike[str]) -> None:
        """Copies the GraphML or GEXF file of the graph, with the score of each vertex.

        Scores become the attribute `betweenness`, of edges too if they were asked for; all else
        stays as it is. The file is compressed if the name ends in .gz, .bz2, .xz or .zst.

        Raises:
            ValueError: The graph is not of such a file.
            Error: The file cannot be read or written.
        """
        if self._graph is None:
            raise ValueError("write_graph() is for the scores of all vertices of a graph")
        edges = None if self.edges is None else self.edges.values
        self._graph.write_scored(path, self.values, edges)

    def top(self, k: int = 10) -> list[tuple[Hashable, float]]:
        """The k labels with the highest scores, highest first, each with its score."""
        import numpy as np

        best = np.argsort(-self.values, kind="stable")[: max(k, 0)]
        return [(self.labels[at], float(self.values[at])) for at in best.tolist()]

    def __getitem__(self, label: Hashable) -> float:
        return self._scores[label]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.labels)

    def items(self) -> ItemsView[Hashable, float]:
        """The labels with their scores."""
        return self._scores.items()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """`values`, for NumPy."""
        import numpy as np

        return np.array(self.values, dtype) if copy else np.asarray(self.values, dtype)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        best = ", ".join(f"{label!r}: {score:.6g}" for label, score in self.top(3))
        return f"<Scores of {len(self)}; highest {best}>" if len(self) else "<Scores of 0>"
