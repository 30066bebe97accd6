"""Tests lists of edges in every form: the labels of their vertices and the scores of edges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brandes

lib = pytest.importorskip
PATH = [(0, 1), (1, 2), (2, 3)]
LENGTHS = [(0, 1, 1.0), (1, 2, 1.0), (0, 2, 3.0), (2, 3, 0.5)]
SCORES = {0: 0.0, 1: 2.0, 2: 2.0, 3: 0.0}


def scores(graph: Any, **options: Any) -> dict[Any, float]:
    return brandes.betweenness(graph, normalized=False, device=None, **options).to_dict()


ROWS: dict[str, Any] = {
    "list of tuples": lambda: PATH,
    "list of lists": lambda: [list(edge) for edge in PATH],
    "list of arrays": lambda: [*map(np.array, PATH), np.array(PATH[0])],
    "set": lambda: set(PATH),
    "iterator": lambda: iter(PATH),
    "generator": lambda: (edge for edge in PATH),
    "zip": lambda: zip([0, 1, 2], [1, 2, 3], strict=True),
    "tuple of more than three": lambda: (*PATH, PATH[0]),
    "array": lambda: np.array(PATH),
    "array of bytes": lambda: np.array(PATH, np.uint8),
    "array of objects": lambda: np.array(PATH, object),
    "transposed": lambda: np.array(PATH).T.copy().T,
    "tuple of lists": lambda: ([0, 1, 2], [1, 2, 3]),
    "tuple of arrays": lambda: tuple(np.array(PATH).T),
    "tuple of long tuples": lambda: tuple(zip(*PATH, PATH[0], strict=True)),
    "ranges": lambda: (range(3), range(1, 4)),
    "pandas": lambda: lib("pandas").DataFrame(PATH, columns=["source", "target"]),
    "polars": lambda: lib("polars").DataFrame({"source": [0, 1, 2], "target": [1, 2, 3]}),
    "pyarrow": lambda: lib("pyarrow").table({"source": [0, 1, 2], "target": [1, 2, 3]}),
    "networkx edges": lambda: lib("networkx").Graph(PATH).edges,
    "networkx edges called": lambda: lib("networkx").Graph(PATH).edges(),
    "networkx edges with data": lambda: lib("networkx").Graph(PATH).edges(data=True),
    "networkx edges of a multigraph": lambda: lib("networkx").MultiGraph(PATH).edges,
}


@pytest.mark.parametrize("name", ROWS)
def test_edges_may_be_rows_columns_or_tables(name: str) -> None:
    assert scores(ROWS[name]()) == SCORES


TRIPLES: dict[str, Any] = {
    "list": lambda: (LENGTHS, None),
    "iterator": lambda: (iter(LENGTHS), True),
    "array": lambda: (np.array(LENGTHS), None),
    "array of integers": lambda: ((np.array(LENGTHS) * [1, 1, 2]).astype(int), None),
    "columns": lambda: (tuple(map(list, zip(*LENGTHS, strict=True))), None),
    "pandas": lambda: (frame("pandas"), "length"),
    "polars": lambda: (frame("polars"), "length"),
    "networkx": lambda: (network().edges, "length"),
    "networkx with data": lambda: (network().edges(data=True), "length"),
    "networkx with lengths": lambda: (network().edges(data="length"), None),
    "list with data": lambda: (list(network().edges(data=True)), "length"),
}


def frame(library: str) -> Any:
    columns = dict(zip(("source", "target", "length"), zip(*LENGTHS, strict=True), strict=True))
    return lib(library).DataFrame(columns)


def network(kind: str = "Graph") -> Any:
    graph = getattr(lib("networkx"), kind)()
    graph.add_weighted_edges_from(LENGTHS, "length")
    return graph


@pytest.mark.parametrize("name", TRIPLES)
def test_edges_may_have_weights(name: str) -> None:
    graph, weight = TRIPLES[name]()
    assert scores(graph, weight=weight) == SCORES


def test_weights_do_not_count_unless_requested() -> None:
    unweighted = {0: 0.0, 1: 0.0, 2: 2.0, 3: 0.0}
    assert scores(LENGTHS, weight=False) == unweighted
    assert scores(frame("pandas")) == unweighted
    assert scores(network().edges(data=True)) == unweighted


def test_edges_of_networkx_have_the_direction_of_their_graph() -> None:
    nx = lib("networkx")
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0)])
    expected = nx.betweenness_centrality(graph, normalized=False)
    assert scores(graph.edges) == scores(graph.edges(data=True)) == expected
    assert scores(list(graph.edges)) == {0: 0.0, 1: 0.0, 2: 0.0}


AMBIGUOUS: dict[str, Any] = {
    "two pairs in a tuple": lambda: ((0, 1), (2, 3)),
    "three triples in a tuple": lambda: ((0, 1, 2), (1, 2, 3), (2, 3, 4)),
    "two arrays in a list": lambda: [np.array([0, 1, 2, 3]), np.array([1, 2, 3, 4])],
    "two series in a list": lambda: [frame("pandas").source, frame("pandas").target],
    "two columns in a list": lambda: [[0, 1, 2, 3], [1, 2, 3, 4]],
    "rows of columns": lambda: np.array([[0, 1, 2, 3], [1, 2, 3, 4]]),
    "symmetric": lambda: np.array([[0, 1, 1], [1, 0, 2], [1, 2, 0]]),
    "a matrix": lambda: np.eye(4),
    "one column": lambda: np.array([0, 1]),
    "a series": lambda: frame("pandas").source,
    "pairs and triples": lambda: [(0, 1), (1, 2, 3.0)],
    "numbers": lambda: [0, 1, 2],
    "texts": lambda: ["ab", "bc"],
    "rows of four": lambda: [(0, 1, 2, 3)],
    "no ends": lambda: frame("pandas")[["source", "length"]],
    "keys": lambda: network("MultiGraph").edges([0], keys=True),
    "degrees": lambda: network().degree,
    "mapping": lambda: {0: [1], 1: [2]},
    "bytes": lambda: b"file",
    "fractions in an array": lambda: np.array([(0.5, 1.0, 2.0)]),
}


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_ambiguous_and_malformed_edges_are_refused(name: str) -> None:
    with pytest.raises((ValueError, TypeError), match=r"give|has to be|is no"):
        scores(AMBIGUOUS[name]())


@pytest.mark.parametrize("kind", ["i4", "i8", "u4", "u8"])
@pytest.mark.parametrize("first", [1, 7, 1 << 20, 1 << 31, 1 << 33, (1 << 63) - 3])
def test_integers_are_labels(kind: str, first: int) -> None:
    if first + 30 > np.iinfo(kind).max:
        first = int(np.iinfo(kind).max) - 30
    ends = np.array([(first, first + 10), (first + 10, first + 20)], kind)
    expected = {first: 0.0, first + 10: 1.0, first + 20: 0.0}
    for graph in (ends, (ends[:, 0], ends[:, 1]), ends.tolist()):
        found = scores(graph)
        assert found == expected
        assert list(found) == sorted(expected)
        assert all(type(label) is int for label in found)
        listed = [first + 30, first + 20, first + 10, first]
        declared = scores(graph, vertices=listed)
        assert declared == expected | {first + 30: 0.0}
        assert list(declared) == listed
    largest = (1 << 64) - 1
    assert scores(([largest, 0], [5, largest])) == {0: 0.0, 5: 0.0, largest: 1.0}


def test_many_labels_are_found_again() -> None:
    rng = np.random.default_rng(1)
    for most in (1000, 1 << 20, 1 << 32, 1 << 62):
        ends = rng.integers(0, most, (2, 2000))
        known, numbers = np.unique(ends, return_inverse=True)
        ours = brandes.betweenness(tuple(ends), device=None, edges=True)
        numbered = tuple(numbers.reshape(2, -1))
        theirs = brandes.betweenness(numbered, device=None, edges=True, vertices=len(known))
        assert list(ours.labels) == known.tolist()
        assert np.allclose(ours.values, theirs.values, rtol=1e-12)
        assert np.allclose(ours.edges.values, theirs.edges.values, rtol=1e-12)
        assert ours.edges.labels == list(zip(*ends.tolist(), strict=True))


def test_vertices_lists_all_vertices() -> None:
    assert scores(PATH, vertices=5) == SCORES | {4: 0.0}
    assert list(scores(PATH, vertices=np.int64(5))) == [0, 1, 2, 3, 4]
    assert list(scores(PATH, vertices=range(6))) == list(range(6))
    assert list(scores([("b", "a")], vertices=["a", "c", "b"])) == ["a", "c", "b"]
    assert list(scores([(3, 4)], vertices=["x", 4, 3])) == ["x", 4, 3]
    assert list(scores([], vertices=["x"])) == ["x"]
    for graph, vertices, words in [
        (PATH, 3, "vertex 3 is not among"),
        (PATH, [0, 1, 2], r"targets\[2\] is 3, which is not among"),
        ([("a", "b")], ["a"], r"targets\[0\] is 'b', which is not among"),
        ([("a", "b")], 2, "list all names"),
        (PATH, [0, 1, 2, 3, 3], "3 twice"),
        ([("a", "b")], ["a", "b", "a"], "twice"),
        (PATH, "0123", "a list of labels"),
    ]:
        with pytest.raises(ValueError, match=words):
            scores(graph, vertices=vertices)


def test_labels_keep_their_types() -> None:
    assert scores((["a", 1], [1, 2])) == {"a": 0.0, 1: 1.0, 2: 0.0}
    assert scores([((0, 0), (0, 1)), ((0, 1), (1, 1))]) == {(0, 0): 0.0, (0, 1): 1.0, (1, 1): 0.0}
    assert list(scores([("b", "a"), ("a", "c")])) == ["b", "a", "c"]
    assert list(scores([(0.5, 1), (1, 2.5)])) == [0.5, 1, 2.5]


def test_missing_ends_are_refused() -> None:
    pd, pl, nan = lib("pandas"), lib("polars"), float("nan")
    kinds = (object, "str", "category")
    for ends in [
        (["a", None], ["b", "c"]),
        (["a", "b"], ["b", nan]),
        ([1, None], [2, 3]),
        (np.array([1.0, np.nan]), np.array([2, 3])),
        [(1, 2), (2, None)],
        [(1, 2), (2, nan)],
        *((pd.Series(["a", None], dtype=kind), ["b", "c"]) for kind in kinds),
        (pd.Series([1, None], dtype="Int64"), pd.Series([2, 3])),
        (pl.Series(["a", "b"]), pl.Series(["c", None])),
    ]:
        with pytest.raises(ValueError, match=r"(sources|targets)\[1\] is (None|nan|<NA>)"):
            scores(ends)
    assert scores((pd.Series([1, 2], dtype="Int64"), pd.Series([2, 3]))) == {1: 0.0, 2: 1.0, 3: 0.0}


def test_numbers_and_the_same_as_text_are_refused() -> None:
    for graph in ([(1, 2), ("1", 3)], ([1, 2], ["2", "3"])):
        with pytest.raises(ValueError, match="would be two vertices"):
            scores(graph)


def test_weights_that_are_refused_name_their_edge() -> None:
    for weight, words in [(-1, "-1' is not above zero"), (None, "None is not a number")]:
        for graph in (
            [("a", "b", 1.0), ("b", "c", weight)],
            (["a", "b"], ["b", "c"], [1.0, weight]),
        ):
            with pytest.raises(ValueError, match=rf"edge \('b', 'c'\): weight '?{words}"):
                scores(graph)
    with pytest.raises(ValueError, match=r"edge \(1099511627776, 5\)"):
        scores(([1, 1 << 40], [1 << 40, 5], [1.0, -1.0]))
    pairs = [((1.5, 2.5), (3.5, 4.5), 1), ((3.5, 4.5), (5.5, 6.5), -1)]
    graph = lib("networkx").Graph()
    graph.add_weighted_edges_from(pairs, "l")
    with pytest.raises(ValueError, match=r"edge \(\(3.5, 4.5\), \(5.5, 6.5\)\): weight '-1'"):
        scores(graph, weight="l")
    graph = lib("igraph").Graph([(0, 1), (1, 2)], vertex_attrs={"name": list("abc")})
    with pytest.raises(ValueError, match=r"edge \('b', 'c'\)"):
        scores(graph, weight=[1.0, -1.0])
    # Names that several vertices have are no labels.
    graph.vs["name"] = ["x", "x", "y"]
    with pytest.warns(brandes.BrandesWarning, match="the name 'x'"):
        assert scores(graph) == {0: 0.0, 1: 1.0, 2: 0.0}
    matrix = lib("scipy.sparse").coo_array(([1.0, -1.0], ([0, 1], [1, 2])), shape=(3, 3))
    for layout in ("csr", "csc", "coo"):
        with pytest.raises(ValueError, match=r"row 1, column 2 \(from 0\): weight"):
            scores(matrix.asformat(layout), weight=True, directed=True)
    graph = lib("networkit").Graph(3, weighted=True)
    graph.addEdge(1, 2, -1.0)
    with pytest.raises(ValueError, match=r"edge \((1, 2|2, 1)\)"):
        scores(graph, weight=True)


def streets() -> Any:
    """Returns streets with lengths as text, as networkx reads them from GraphML files of OSMnx."""
    graph = lib("networkx").MultiGraph()
    graph.add_edge("home", "work", length="100.5")
    graph.add_edge("home", "work", length="80.25")
    graph.add_edge("home", "park", length="40")
    graph.add_edge("park", "work", length="50")
    return graph


def test_text_lengths_are_numbers() -> None:
    assert scores(streets(), weight="length") == {"home": 0.0, "work": 0.0, "park": 0.0}
    edges = brandes.edge_betweenness(streets(), weight="length", normalized=False, device=None)
    assert edges.to_dict() == {
        ("home", "work", 0): 0.0,
        ("home", "work", 1): 1.0,
        ("home", "park", 0): 1.0,
        ("work", "park", 0): 1.0,
    }
    for edges in (streets().edges, list(streets().edges(data=True))):
        assert scores(edges, weight="length") == {"home": 0.0, "work": 0.0, "park": 0.0}
    assert scores(np.array([(0, 1, "2.5"), (1, 2, "10"), (0, 2, "9")])) == dict.fromkeys("012", 0)
    for word in ("about 9", None, ["1", "2"]):
        graph = streets()
        graph.add_edge("park", "pool", length=word)
        with pytest.raises(ValueError, match=r"edge \('park', 'pool'\): length .* is not a number"):
            scores(graph, weight="length")


def test_of_parallel_similarities_the_largest_is_the_shortest() -> None:
    nx = lib("networkx")
    rows = [(0, 1, 0.1), (0, 1, 4.0), (0, 2, 1.0), (2, 1, 1.0)]
    graph = nx.MultiGraph()
    graph.add_weighted_edges_from(rows)
    options = {"weight": "weight", "weight_is": "similarity", "normalized": False}
    assert scores(graph, weight="weight", weight_is="similarity") == {0: 0.0, 1: 0.0, 2: 0.0}
    assert brandes.edge_betweenness(graph, **options).values.tolist() == [0.0, 1.0, 1.0, 1.0]
    options["weight"] = None
    assert brandes.edge_betweenness(rows, **options).values.tolist() == [0.0, 1.0, 1.0, 1.0]


def test_an_attribute_that_no_edge_has_is_refused() -> None:
    graph = network()
    for edges in (graph, graph.edges, list(graph.edges(data=True))):
        with pytest.raises(ValueError, match=r"no edge has an attribute 'metres', but 'length'"):
            scores(edges, weight="metres")
        with pytest.raises(ValueError, match=r"'lngth', but 'length' \(did you mean 'length'\?\)"):
            scores(edges, weight="lngth")
    graph.add_edge(3, 4)
    assert len(scores(graph, weight="length")) == 5
    graph.remove_edges_from(list(graph.edges))
    assert set(scores(graph, weight="length").values()) == {0.0}
    with pytest.raises(ValueError, match="no column 'metres'"):
        scores(frame("pandas"), weight="metres")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_the_ends_of_a_table_are_found_as_in_a_file(library: str) -> None:
    module = lib(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    streets = {"edge": [9, 8, 7], "fbus": [0.0, 1.0, 2.0], "km": [1.5, 2.5, 0.5], "tbus": [1, 2, 3]}
    assert scores(make(streets)) == SCORES
    with pytest.warns(brandes.BrandesWarning, match="equal numbers in columns 1,2"):
        assert scores(make({"boss": [0, 1, 2], "worker": [1, 2, 3]})) == SCORES
    trips = make({"day": [1, 1, 1], "x": ["a", "b", "c"], "y": [4, 5, 6], "z": ["b", "c", "d"]})
    assert scores(trips, columns=["x", "z"]) == {"a": 0.0, "b": 2.0, "c": 2.0, "d": 0.0}
    assert scores(trips, columns=(2, 4)) == scores(trips, columns="x,z")
    assert len(scores(make(streets), columns=["fbus", "tbus", "km"])) == 4
    with pytest.raises(ValueError, match="there is no column 'w'"):
        scores(trips, columns=["x", "w"])
    with pytest.raises(ValueError, match=r"no two of the 2 columns 'id' 'size' seem .* columns="):
        scores(make({"id": ["a", "b", "c"], "size": [5, 7, 9]}))


#: A triangle with a tail, a loop, and three copies of the edge between 0 and 1.
PARALLEL = [(3, 1), (0, 1), (1, 0), (2, 1), (2, 2), (2, 0), (0, 1)]
PARALLEL_LENGTHS = [1.0, 2.0, 1.0, 1.0, 5.0, 1.0, 1.0]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_each_edge_of_the_input_has_a_score(directed: bool, weighted: bool) -> None:
    nx, ig, pd = map(lib, ("networkx", "igraph", "pandas"))
    weight = "length" if weighted else None
    graph = nx.MultiDiGraph() if directed else nx.MultiGraph()
    rows = zip(PARALLEL, PARALLEL_LENGTHS, strict=True)
    keys = [(*edge, graph.add_edge(*edge, length=length)) for edge, length in rows]
    theirs = nx.edge_betweenness_centrality(graph, weight=weight)
    expected = [theirs.get((u, v, key), theirs.get((v, u, key))) for u, v, key in keys]
    tails, heads = zip(*PARALLEL, strict=True)
    columns = (list(tails), list(heads), *([PARALLEL_LENGTHS] if weighted else []))
    lengths = {"length": PARALLEL_LENGTHS}
    of_igraph = ig.Graph(PARALLEL, directed=directed, edge_attrs=lengths)
    named = ([f"v{v}" for v in tails], [f"v{v}" for v in heads], *columns[2:])
    for ours, argument, labels in [
        (columns, None, PARALLEL),
        (named, None, list(zip(*named[:2], strict=True))),
        (list(zip(*columns, strict=True)), None, PARALLEL),
        (pd.DataFrame({"source": tails, "target": heads, **lengths}), weight, PARALLEL),
        (of_igraph, weight, of_igraph.get_edgelist()),
    ]:
        found = brandes.edge_betweenness(ours, directed=directed, weight=argument, device=None)
        assert found.values == pytest.approx(expected)
        assert list(found.labels) == labels


@pytest.mark.parametrize("directed", [False, True])
def test_scores_of_edges_are_in_the_order_of_networkit(directed: bool) -> None:
    ends = [(4, 2), (4, 0), (0, 3), (0, 1), (4, 3), (1, 2)]
    graph = lib("networkit").Graph(5, directed=directed)
    for edge in ends:
        graph.addEdge(*edge)
    found = brandes.edge_betweenness(graph, device=None)
    assert list(found.labels) == list(graph.iterEdges())
    listed = brandes.edge_betweenness(ends, directed=directed, device=None).to_dict()
    expected = [listed.get(edge, listed.get(edge[::-1])) for edge in graph.iterEdges()]
    assert found.values == pytest.approx(expected)


def test_files_that_cannot_be_opened_raise_what_open_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        scores(tmp_path / "none.csv")
    with pytest.raises(IsADirectoryError):
        scores(tmp_path)


def test_messages_about_files_name_python_arguments(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text("a,b,c\nx,y\n")
    with pytest.raises(ValueError, match=r'is read with format="adjlist"\)') as refused:
        scores(path)
    assert "--" not in str(refused.value)
    path.write_text("1,2\n2,3\n")
    with pytest.raises(ValueError, match="weight") as refused:
        scores(path, weight=True)
    assert "--" not in str(refused.value)
