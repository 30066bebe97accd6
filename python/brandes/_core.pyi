from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

def find_ends(
    table: bytes, columns: str | Sequence[str | int] | None
) -> tuple[list[int], list[str]]: ...

class Error(Exception): ...
class WeightError(ValueError): ...

class Graph:
    vertices: int
    directed: bool
    symmetrised: bool
    weights_dropped: bool
    notes: list[str]
    weighted: bool
    vertex_weights: npt.NDArray[np.float64] | None
    @staticmethod
    def pairs(
        tails: npt.NDArray[Any],
        heads: npt.NDArray[Any],
        weights: npt.NDArray[Any] | None,
        *,
        vertices: int | npt.NDArray[Any] | None,
        directed: bool,
        weight_is: str,
    ) -> Graph: ...
    @staticmethod
    def read(
        path: str | PathLike[str],
        *,
        directed: bool,
        weight: bool | int | str | None,
        weight_is: str,
        default_weight: float | None,
        labels: str | None,
        vertex_weights: str | None,
        format: str,
        columns: str | Sequence[str | int] | None,
        header: bool | None,
        delimiter: str | None,
        vertices: int | None,
    ) -> Graph: ...
    def write_scored(
        self,
        path: str | PathLike[str],
        name: str,
        vertices: npt.NDArray[np.float64],
        edges: npt.NDArray[np.float64] | None,
    ) -> None: ...
    def labels(self) -> range | npt.NDArray[np.uint64] | list[str]: ...
    def edges(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...
    def search(
        self,
        *,
        endpoints: bool,
        edges: bool,
        sources: npt.NDArray[Any] | None,
        query: dict[str, Any] | None,
        estimate: tuple[float, float, int, int | None, float | None] | None,
        device: str,
        cpu_workers: int | None,
        strategy: str,
        precision: str,
        verify: int,
        device_timeout: int | None,
        reproducible: bool,
        reduce: str,
        checkpoint: tuple[str, float] | None,
        progress: Callable[[int, int], object] | None,
        part: tuple[int, int, str] | None,
    ) -> tuple[
        list[tuple[str, npt.NDArray[np.float64]]],
        list[tuple[str, npt.NDArray[np.float64]]] | None,
        Callable[[], str],
        list[str],
    ]: ...

class Removals:
    def __init__(
        self,
        graph: Graph,
        *,
        edges: bool,
        batch: int,
        steps: int | None,
        until: int | None,
        device: str,
        cpu_workers: int | None,
    ) -> None: ...
    def some(self) -> list[tuple[tuple[int, int], float, int, int, float | None]]: ...
    def split(self) -> npt.NDArray[np.uint32] | None: ...
    def warnings(self) -> list[str]: ...

def devices() -> str: ...
def merge(
    paths: list[str], normalized: bool
) -> tuple[
    range | npt.NDArray[np.uint64] | list[str],
    npt.NDArray[np.float64],
    tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]] | None,
    str,
]: ...
def wait(seconds: float) -> None: ...
