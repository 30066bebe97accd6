"""Tests graphs of every library, and inputs that are refused."""

from __future__ import annotations

import threading
import warnings
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brandes

TAILS, HEADS, WEIGHTS = [0, 1, 2, 3, 0], [1, 2, 3, 0, 4], [1.0, 2.5, 1.0, 0.5, 2.0]
DIRECTED = pytest.mark.parametrize("directed", [False, True])


def expected(directed: bool, weighted: bool) -> dict[int, float]:
    nx = pytest.importorskip("networkx")
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(5))
    graph.add_weighted_edges_from(zip(TAILS, HEADS, WEIGHTS, strict=True))
    scores: dict[int, float] = nx.betweenness_centrality(
        graph, weight="weight" if weighted else None
    )
    return scores


def check(graph: Any, directed: bool, weight: Any = True, **options: Any) -> None:
    for weighted in (False, True):
        scores = brandes.betweenness(
            graph, directed=directed, weight=weight if weighted else False, **options
        )
        assert scores.to_dict() == pytest.approx(expected(directed, weighted)), weighted


@DIRECTED
@pytest.mark.parametrize("integer", ["i4", "i8", "u4", "u8", ">i4", "i2", "u1"])
@pytest.mark.parametrize("real", ["f4", "f8", ">f8", "i4"])
def test_numpy(integer: str, real: str, directed: bool) -> None:
    weights = np.array(WEIGHTS)
    if real == "i4":
        weights *= 2
    ends = np.array([TAILS, HEADS], integer)
    check((*ends, weights.astype(real)), directed)


def test_arrays_need_not_be_in_one_piece() -> None:
    both = np.array([TAILS, HEADS]).T
    check((both[:, 0], both[:, 1], np.array([WEIGHTS, WEIGHTS]).T[:, 0]), False)
    bytes_ = b"x" + np.array(TAILS, "i8").tobytes()
    odd = np.frombuffer(bytes_, "u1")[1:].view("i8")
    check((odd, HEADS, WEIGHTS), False)
    locked = np.array(TAILS)
    locked.flags.writeable = False
    check((locked, HEADS, WEIGHTS), False)


@DIRECTED
@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("integer", [np.int32, np.int64])
def test_scipy(layout: str, kind: str, integer: type, directed: bool) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    make = getattr(sparse, f"coo_{kind}")
    matrix = make((WEIGHTS, (TAILS, HEADS)), shape=(5, 5)).asformat(layout)
    for name in ("indptr", "indices", "row", "col"):
        if layout in ("csr", "csc", "coo") and hasattr(matrix, name):
            setattr(matrix, name, getattr(matrix, name).astype(integer))
    check(matrix, directed)
    if not directed:
        check((matrix + matrix.T).asformat(layout), directed)


@DIRECTED
def test_igraph(directed: bool) -> None:
    ig = pytest.importorskip("igraph")
    graph = ig.Graph(list(zip(TAILS, HEADS, strict=True)), directed=directed)
    graph.es["weight"] = WEIGHTS
    check(graph, directed, "weight")
    check(graph, directed, WEIGHTS)
    graph.vs["name"] = list("abcde")
    assert list(brandes.betweenness(graph).labels) == list("abcde")
    with pytest.raises(ValueError, match="no attribute"):
        brandes.betweenness(graph, weight="length")


@DIRECTED
def test_networkit(directed: bool) -> None:
    nk = pytest.importorskip("networkit")
    graph = nk.Graph(6, weighted=True, directed=directed)
    for tail, head, weight in zip(TAILS, HEADS, WEIGHTS, strict=True):
        graph.addEdge(tail, head, weight)
    graph.removeNode(5)
    check(graph, directed)
    graph.removeNode(1)
    assert list(brandes.betweenness(graph).labels) == [0, 2, 3, 4]


@DIRECTED
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_of_frames(library: str, directed: bool) -> None:
    columns = {"from": TAILS, "to": HEADS, "length": WEIGHTS}
    frame = pytest.importorskip(library).DataFrame(columns)
    check((frame["from"], frame["to"], frame["length"]), directed)


@DIRECTED
def test_arrow(directed: bool) -> None:
    pa = pytest.importorskip("pyarrow")
    chunks = pa.chunked_array([TAILS[:2], [], TAILS[2:]])
    check(tuple(Exports(pa.array(column)) for column in (TAILS, HEADS, WEIGHTS)), directed)
    check(
        (chunks, pa.array([9, *HEADS], pa.int16())[1:], pa.array(WEIGHTS, pa.float32())), directed
    )
    lengths = pa.array([Decimal(str(weight)) for weight in WEIGHTS])
    check((*(pa.array(ends).dictionary_encode() for ends in (TAILS, HEADS)), lengths), directed)
    for kind in (pa.int8(), pa.uint64(), pa.string(), pa.large_string(), pa.string_view()):
        ends = pa.array([7, None]).cast(kind), pa.chunked_array([[1], [2]])
        with pytest.raises(ValueError, match=r"sources\[1\] is (nan|None)"):
            brandes.betweenness(ends)
    weights = pa.array([1.0, None])
    with pytest.raises(ValueError, match=r"edge \(1, 2\): weight 'NaN'"):
        brandes.betweenness((pa.array([0, 1]), pa.array([1, 2]), weights))


NAMES, OTHERS = ["x", "b", "c"], ["b", "c", "d"]


def columns_of_names() -> dict[str, Any]:
    """Returns the types of columns of names, with a function that makes such a column."""
    pa, pd, pl = map(pytest.importorskip, ("pyarrow", "pandas", "polars"))
    ordered = pl.Enum(["d", "c", "b", "x"])
    made: dict[str, Any] = {
        "dictionary": lambda names: pa.array(names).dictionary_encode(),
        "slice": lambda names: pa.array(["d", *names]).dictionary_encode()[1:],
        "chunks": lambda names: pa.chunked_array([names[:1], [], names[1:]]).dictionary_encode(),
        "category": lambda names: pd.Series(names, dtype="category"),
        "arrow category": lambda names: pd.Series(pa.array(names).dictionary_encode()),
        "pandas of arrow": lambda names: pd.Series(names, dtype="string[pyarrow]"),
        "Categorical": lambda names: pl.Series(names, dtype=pl.Categorical),
        "Enum": lambda names: pl.Series(names, dtype=ordered),
        "polars": lambda names: pl.Series(names),
    }
    for kind in (pa.large_string(), pa.string_view()):
        made[str(kind)] = lambda names, kind=kind: pa.array(["d", *names], kind)[1:]
    return made


def test_columns_of_names_in_every_encoding() -> None:
    pa, pd = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    names = {"x": 0.0, "b": 2.0, "c": 2.0, "d": 0.0}
    for kind, make in columns_of_names().items():
        ends = make(NAMES), make(OTHERS)
        assert brandes.betweenness(ends, normalized=False).to_dict() == names, kind
        columns = {"source": ends[0], "target": ends[1]}
        if "pandas" in type(ends[0]).__module__:
            tables = [pd.DataFrame(columns)]
        elif "polars" in type(ends[0]).__module__:
            tables = [pytest.importorskip("polars").DataFrame(columns)]
        else:
            table = pa.table(columns)
            tables = [table, pa.concat_tables([table.slice(0, 1), table.slice(1)])]
            ends = Exports(ends[0]), Exports(ends[1])
            assert brandes.betweenness(ends, normalized=False).to_dict() == names, kind
            tables.append(Exports(table))
        for table in tables:
            assert brandes.betweenness(table, normalized=False).to_dict() == names, kind


class Exports:
    """A column or a table that has only the Arrow C data interface."""

    def __init__(self, column: Any) -> None:
        for name in ("__arrow_c_array__", "__arrow_c_stream__"):
            if hasattr(column, name):
                setattr(self, name, getattr(column, name))


@DIRECTED
def test_files(directed: bool, tmp_path: Path) -> None:
    path = tmp_path / "edges.txt"
    rows = zip(TAILS, HEADS, WEIGHTS, strict=True)
    path.write_text("".join(f"{tail} {head} {weight}\n" for tail, head, weight in rows))
    check(path, directed)
    check(str(path), directed, 3)
    report = brandes.betweenness(path).report
    assert report["input"]["format"] == "edgelist"
    path.write_text("a b\nb c\n")
    assert brandes.betweenness(path, normalized=False).to_dict() == {"a": 0, "b": 1, "c": 0}
    path.write_text("18446744073709551615 5\n5 7\n")
    assert list(brandes.betweenness(path).labels) == [18446744073709551615, 5, 7]


def test_assumptions_about_files_are_warnings(tmp_path: Path) -> None:
    path = tmp_path / "edges.txt"
    sized = "4 3\n1 2\n2 3\n3 4\n"

    def warned(text: str, **options: Any) -> list[str]:
        path.write_text(text)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            brandes.betweenness(path, **options)
        assert all(warning.category is brandes.BrandesWarning for warning in caught)
        return [str(warning.message) for warning in caught]

    assert warned("1,2\n2,3\n") == []
    assert "header=False" in warned(sized)[0]
    assert warned(sized, header=False) == []
    (weights,) = warned("1,2,2.5\n2,3,1.5\n")
    assert weights == "the file has weights, which are not used (give weight=True or False)"
    assert warned("1,2,2.5\n2,3,1.5\n", weight=False) == []
    # The warning has the line of the call in every function.
    path.write_text(sized)
    for name in ("betweenness", "edge_betweenness", "closeness", "centrality"):
        function = getattr(brandes, name)
        with pytest.warns(brandes.BrandesWarning, match="first row") as caught:
            function(path)
        assert caught[0].filename == __file__


def test_the_layout_of_a_file_may_be_given(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text("day,from,to,km\n7,a,b,1.5\n8,b,c,2\n9,a,c,9\n")
    layout = {"header": True, "delimiter": "comma", "weight": True}
    for columns in (("from", "to", "km"), [2, 3, "km"], "source=2,target=to,weight=4"):
        scores = brandes.betweenness(path, columns=columns, **layout)
        assert scores.to_dict() == {"a": 0.0, "b": 1.0, "c": 0.0}
    path.write_text("a;b|c\nb;d|c\n")
    scores = brandes.betweenness(path, delimiter="|", header=False, format="edgelist")
    assert list(scores.labels) == ["a;b", "c", "b;d"]
    path.write_text("1,2\n2,5\n")
    assert len(brandes.betweenness(path, vertices=7)) == 7
    for options, match in [
        ({"columns": (1,)}, "columns of sources, of targets"),
        ({"columns": (0, 1)}, "numbers from 1"),
        ({"columns": "source=1"}, "columns: "),
        ({"delimiter": "xx"}, "delimiter: 'xx' is neither"),
        ({"format": "nope"}, "format: unknown variant `nope`"),
        ({"vertices": "ab"}, "has to be a number"),
    ]:
        with pytest.raises(ValueError, match=match):
            brandes.betweenness(path, **options)
    for name in ("columns", "header", "delimiter", "format"):
        with pytest.raises(ValueError, match=f"{name} is for the path of a file"):
            brandes.betweenness(([0], [1]), **{name: "1"})


def test_unknown_arguments_get_the_nearest_name() -> None:
    calls: list[tuple[Any, str, str]] = [
        (brandes.betweenness, "raduis", r"betweenness\(\) .* \(did you mean 'radius'\?\)"),
        (brandes.edge_betweenness, "weigt", "did you mean 'weight'"),
        (brandes.closeness, "normalized", r"closeness\(\) has no argument 'normalized'$"),
        (brandes.harmonic, "radios", "did you mean 'radius'"),
        (brandes.centrality, "measurez", "did you mean 'measures'"),
        (brandes.streets, "raduis", "did you mean 'radius'"),
    ]
    for function, name, match in calls:
        with pytest.raises(TypeError, match=match):
            function(([0, 1], [1, 2]), **{name: 1})
    with pytest.raises(ValueError, match="`cpu_workers 0`"):
        brandes.betweenness(([0, 1], [1, 2]), device=None, cpu_workers=0)


GRAPHML = """<graphml>
<key id="k" for="node" attr.name="name" attr.type="string"/>
<key id="w" for="edge" attr.name="weight" attr.type="double"/>
<graph edgedefault="undirected">
<node id="n0"><data key="k">a</data></node>
<node id="n1"><data key="k">b</data></node>
<node id="n2"><data key="k">c</data></node>
<edge source="n0" target="n1"><data key="w">2</data></edge>
<edge source="n1" target="n2"/>
<edge source="n0" target="n2"><data key="w">3.5</data></edge>
</graph></graphml>
"""


def test_labels_and_weights_of_files(tmp_path: Path) -> None:
    path = tmp_path / "g.graphml"
    path.write_text(GRAPHML)
    assert list(brandes.betweenness(path).labels) == ["a", "b", "c"]
    assert list(brandes.betweenness(path, labels="id").labels) == ["n0", "n1", "n2"]
    with pytest.raises(ValueError, match="no vertex has it, but they have 'name'"):
        brandes.betweenness(path, labels="label")
    with pytest.raises(ValueError, match=r"default.weight"):
        brandes.betweenness(path, weight=True)
    scores = brandes.betweenness(path, weight=True, default_weight=1, normalized=False)
    assert scores.to_dict() == {"a": 0, "b": 1, "c": 0}
    for options in ({"labels": "id"}, {"default_weight": 1.0}):
        with pytest.raises(ValueError, match="path of a file"):
            brandes.betweenness(([0], [1]), **options)  # type: ignore[arg-type]


def test_scores_are_added_to_the_file_of_a_graph(tmp_path: Path) -> None:
    path, out = tmp_path / "g.graphml", tmp_path / "scores.graphml"
    path.write_text(GRAPHML)
    brandes.betweenness(path, normalized=False).write_graph(out)
    assert out.read_text().count('</data><data key="betweenness">0</data></node>') == 3
    brandes.betweenness(path, edges=True).write_graph(out)
    assert out.read_text().count('"edge-betweenness"') == 4
    with pytest.raises(ValueError, match="not read from a GraphML or GEXF file"):
        brandes.betweenness(([0], [1])).write_graph(out)
    with pytest.raises(ValueError, match="of all vertices"):
        brandes.edge_betweenness(path).write_graph(out)


def test_stored_zeros_are_edges_with_a_warning() -> None:
    matrix = csr(data=np.array([1.0, 0.0]))
    with pytest.warns(RuntimeWarning, match="stored zeros"):
        scores = brandes.betweenness(matrix, normalized=False)
    assert scores.to_dict() == {0: 0, 1: 1, 2: 0}


def csr(**arrays: Any) -> Any:
    """Returns a matrix whose arrays bypass SciPy's checks."""
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_array(([1.0, 1.0], ([0, 1], [1, 2])), shape=(3, 3))
    for name, array in arrays.items():
        setattr(matrix, name, array)
    return matrix


I4, I8 = np.int32, np.int64
GARBAGE: dict[str, Any] = {
    "no weight": lambda: ([0], [1], [np.nan]),
    "weight below zero": lambda: ([0], [1], [-1.0]),
    "weights that are booleans": lambda: ([0], [1], [True]),
    "weights that are words": lambda: ([0], [1], ["one"]),
    "masked vertices": lambda: np.ma.array([[0, 1], [1, 2]], mask=[[0, 0], [1, 0]]),
    "masked columns": lambda: ([0, 1], np.ma.array([0, 1], mask=[1, 0])),
    "too few weights": lambda: ([0, 1], [1, 2], [1.0]),
    "vertex below zero": lambda: ([-1], [1]),
    "unequal arrays": lambda: ([0, 1], [1]),
    "floats as vertices": lambda: ([0.0], [1.0]),
    "booleans as vertices": lambda: ([True], [False]),
    "arrays of two dimensions": lambda: ([[0, 1]], [[1, 2]]),
    "four arrays": lambda: ([0], [1], [1.0], [1.0]),
    "dates": lambda: (np.array(["2026-01-01"], "M8[D]"), np.array(["2026-01-02"], "M8[D]")),
    "lists as names": lambda: ([["a"], ["b", "c"]], ["a", "b"]),
    "nothing": lambda: None,
    "a dense matrix": lambda: np.ones((3, 3)),
    "no such file": lambda: "/no/such/file",
    "a folder": lambda: "/",
    "a file name with a zero": lambda: "a\0b",
    "not square": lambda: pytest.importorskip("scipy.sparse").csr_array((3, 4)),
    "one dimension": lambda: pytest.importorskip("scipy.sparse").coo_array(np.ones(3)),
    "complex values": lambda: csr(data=np.array([1j, 1j])),
    "values below zero": lambda: csr(data=np.array([1.0, -1.0])),
    "indices below zero": lambda: csr(indices=np.array([-1, 1], I8)),
    "offsets that fall": lambda: csr(indptr=np.array([0, 2, 1, 2], I4)),
    "offsets below zero": lambda: csr(indptr=np.array([-1, 1, 2, 2], I8)),
    "2^31 vertices": lambda: pytest.importorskip("scipy.sparse").coo_array((1 << 31, 1 << 31)),
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_ends_in_an_exception(name: str) -> None:
    graph = GARBAGE[name]()
    weight = True if "values" in name else None
    with pytest.raises((ValueError, TypeError, MemoryError, OSError)):
        brandes.betweenness(graph, weight=weight, cpu_workers=1)


WRONG: list[dict[str, Any]] = [
    {"device": "no such device"},
    {"device": 99},
    {"device": None, "strategy": "lanes"},
    {"device": None, "cpu_workers": 0},
    {"strategy": "fastest"},
    {"precision": "f16"},
    {"precision": "f32", "device": None},
    {"cpu_workers": -1},
    {"cpu_workers": "many"},
    {"cpu_workers": True},
    {"verify": 1 << 40},
    {"device_timeout": -1},
    {"weight_is": "time"},
    {"weight": "length"},
    {"weight": len},
    {"sources": 0},
    {"sources": 4},
    {"sources": [3]},
    {"sources": [1 << 40]},
    {"sources": ["a"]},
    {"progress": 3},
    {"normalised": True},
    *({"vertices": count} for count in (-1, 2, 1 << 31, 1 << 40, 1 << 64, 1.5, "3")),
]


@pytest.mark.parametrize("options", WRONG, ids=str)
def test_wrong_options_end_in_an_exception(options: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError, MemoryError, brandes.Error)):
        brandes.betweenness(([0, 1], [1, 2]), **options)


def test_mixed_precision_is_for_cores_too() -> None:
    edges = [(v, (v * i + i) % 300) for v in range(300) for i in (2, 3, 5, 7)]
    exact = brandes.betweenness(edges, device=None)
    mixed = brandes.betweenness(edges, device=None, precision="mixed")
    assert mixed == pytest.approx(dict(exact), rel=1e-4)


def test_arrays_that_change_while_they_are_read() -> None:
    rng = np.random.default_rng(1)
    tails, heads = (rng.integers(0, 2000, 200_000) for _ in range(2))
    good = tails.copy()
    bad = good.copy()
    bad[::100] = -(1 << 40)
    bad[50::100] = 1 << 31
    end = threading.Event()

    def change() -> None:
        # NumPy releases the interpreter's lock while it copies large arrays.
        while not end.is_set():
            np.copyto(tails, bad)
            np.copyto(tails, good)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(20):
            with suppress(ValueError):
                assert len(brandes.betweenness((tails, heads), sources=1, seed=1)) == 2000
    finally:
        end.set()
        thread.join()


def test_computed_lengths_tie() -> None:
    ends, weights = ([0, 1, 2, 0], [1, 2, 3, 3]), [3, 3, 3, 1]
    by_length = brandes.betweenness((*ends, [1 / weight for weight in weights]))
    by_similarity = brandes.betweenness((*ends, weights), weight_is="similarity")
    assert by_length.values.tolist() == by_similarity.values.tolist() == [0, 0.5, 0.5, 0]


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_directions_that_are_not_used_are_a_warning(tmp_path: Path, layout: str) -> None:
    sp = pytest.importorskip("scipy.sparse")
    matrix = sp.coo_array(([1.0, 1.0], ([0, 1], [1, 2])), shape=(3, 3)).asformat(layout)
    network = tmp_path / "arcs.net"
    network.write_text("*Vertices 3\n*Arcs\n1 2\n2 3\n")
    for graph in (matrix, network):
        with pytest.warns(RuntimeWarning, match="directed=True"):
            brandes.betweenness(graph, device=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for directed in (True, False):
            brandes.betweenness(matrix, device=None, directed=directed)
        brandes.betweenness(matrix + matrix.T, device=None)
