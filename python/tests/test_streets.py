"""Tests measures of street networks from graphs and frames."""

from __future__ import annotations

import gzip
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brandes

nx = pytest.importorskip("networkx")
pd = pytest.importorskip("pandas")
gpd = pytest.importorskip("geopandas")
shapely = pytest.importorskip("shapely")

METRES, DEGREES = "epsg:32633", "epsg:4326"
#: A block of streets, a dead end, and a detour beside the street from 1 to 2.
PLACES = {1: (0, 0), 2: (100, 0), 3: (100, 100), 4: (0, 100), 5: (200, 100)}
DETOUR = [(0, 0), (50, 40), (100, 0)]


def osmnx_graph(system: str = METRES, kind: Any = nx.MultiDiGraph) -> Any:
    """Returns a graph as OSMnx makes it: some edges have geometries, all have lengths."""
    graph = kind(crs=system)
    for node, (x, y) in PLACES.items():
        graph.add_node(node, x=x, y=y, street_count=2)
    for tail, head in [(1, 2), (2, 3), (3, 4), (4, 1), (3, 5)]:
        for one, other in [(tail, head), (head, tail)][: 2 if graph.is_directed() else 1]:
            graph.add_edge(one, other, osmid=7, length=100.0, highway="residential")
    shape = shapely.LineString(DETOUR)
    graph.add_edge(1, 2, osmid=8, length=128.0, geometry=shape, highway="path")
    return graph


def lines(system: str | None = METRES) -> Any:
    """Returns the same streets as lines, without labels of their ends."""
    pairs = [(1, 2), (2, 3), (3, 4), (4, 1), (3, 5)]
    shapes = [shapely.LineString([PLACES[one], PLACES[other]]) for one, other in pairs]
    index = pd.Index(list("abcdef"), name="street")
    frame = gpd.GeoDataFrame({"lanes": 2}, index, geometry=[*shapes, shapely.LineString(DETOUR)])
    return frame.set_crs(system) if system else frame


def expected(graph: Any, **options: Any) -> brandes.Scores:
    return brandes.betweenness(graph, weight="length", normalized=False, edges=True, **options)


@pytest.mark.parametrize("kind", [nx.MultiDiGraph, nx.MultiGraph])
def test_graphs_become_frames(kind: Any) -> None:
    graph = osmnx_graph(kind=kind)
    nodes, edges = brandes.streets(graph, radius=[150, 250])
    assert list(edges.index) == list(graph.edges(keys=True))
    assert edges.index.names == ["u", "v", "key"]
    assert nodes.index.tolist() == list(graph)
    for radius in (150, 250):
        scores = expected(graph, radius=radius)
        np.testing.assert_allclose(nodes[f"betweenness_{radius}"], scores.values)
        np.testing.assert_allclose(edges[f"betweenness_{radius}"], scores.edges.values)
        closeness = brandes.closeness(graph, weight="length", radius=radius)
        np.testing.assert_allclose(nodes[f"closeness_{radius}"], closeness.values)
    assert edges.loc[(1, 2, 1), "betweenness_250"] == 0
    assert isinstance(nodes, gpd.GeoDataFrame)
    assert isinstance(edges, gpd.GeoDataFrame)
    assert nodes.crs == edges.crs == METRES
    assert edges.geometry.iloc[0].length == 100
    assert nodes.geometry.loc[3].coords[0] == PLACES[3]
    # The graph stays as it was.
    assert "betweenness_150" not in graph.nodes[1]
    assert "geometry" not in graph.edges[2, 3, 0]


def test_frames_of_osmnx_keep_their_index_and_type() -> None:
    osmnx = pytest.importorskip("osmnx")
    for graph in (osmnx_graph(), osmnx.convert.to_undirected(osmnx_graph())):
        points, streets = osmnx.convert.graph_to_gdfs(graph)
        scores = expected(graph)
        plain = pd.DataFrame(points.drop(columns="geometry"))
        for given, frame, kind in [
            ((points, streets), streets, gpd.GeoDataFrame),
            ((plain, streets), streets, pd.DataFrame),
            (streets, streets, pd.DataFrame),
            (streets.reset_index(), streets.reset_index(), pd.DataFrame),
        ]:
            nodes, edges = brandes.streets(given)
            assert (type(nodes), type(edges)) == (kind, gpd.GeoDataFrame)
            assert edges.index.equals(frame.index)
            assert list(edges.columns) == [*frame.columns, "betweenness"]
            ours = dict(zip(nodes.index, nodes["betweenness"], strict=True))
            assert ours == pytest.approx(scores.to_dict())
            np.testing.assert_allclose(edges["betweenness"], scores.edges.values)
        assert "betweenness" not in streets.columns
    # `directed` overrides the direction of a frame.
    nodes, _ = brandes.streets(streets, directed=True)
    assert nodes["betweenness"].sum() != pytest.approx(scores.values.sum())


#: A chain of streets and a dead end, each as one row in an arbitrary direction.
ONCE = pd.DataFrame({"u": [10, 12, 12, 14], "v": [11, 11, 13, 11], "length": 100.0})


def test_streets_that_have_one_row_count_in_both_directions() -> None:
    both = "so 4 of 4 streets count in both"
    oneway = ONCE.assign(oneway=[False, None, "no", np.nan])
    for frame in (ONCE, ONCE.set_index(["u", "v"]), oneway):
        with pytest.warns(brandes.BrandesWarning, match=both) as caught:
            nodes, edges = brandes.streets(frame)
        assert len(caught) == 1
        assert edges["betweenness"].tolist() == [4, 6, 4, 4]
        assert nodes["betweenness"].to_dict() == {10: 0, 11: 5, 12: 3, 13: 0, 14: 0}


@pytest.mark.filterwarnings("error")
def test_streets_with_a_direction_need_no_assumption() -> None:
    for frame, directed, scores in [
        (ONCE, False, [4, 6, 4, 4]),
        (ONCE, True, [1, 1, 1, 1]),
        (ONCE.assign(oneway=True), None, [1, 1, 1, 1]),
    ]:
        assert brandes.streets(frame, directed=directed)[1]["betweenness"].tolist() == scores


@pytest.mark.parametrize("yes", [True, "yes", "True", 1, "-1", "reverse"])
def test_oneway_is_the_direction_of_a_street(yes: Any) -> None:
    # The last street leads from 14 to 11.
    turned = yes in ("-1", "reverse")
    frame = ONCE.assign(oneway=pd.Series([None, "no", False, yes], dtype=object))
    if turned:
        frame.loc[3, ["u", "v"]] = [11, 14]
    with pytest.warns(brandes.BrandesWarning, match="so 3 of 4 streets"):
        nodes, edges = brandes.streets(frame)
    assert nodes["betweenness"].to_dict() == {10: 0, 11: 7, 12: 5, 13: 0, 14: 0}
    assert edges["betweenness"].tolist() == [7, 10, 7, 4]
    with pytest.warns(brandes.BrandesWarning, match="also where oneway is 'ft', 'n'"):
        brandes.streets(ONCE.assign(oneway=["FT", "N", "no", yes]))


def test_lines_are_those_of_momepy() -> None:
    momepy = pytest.importorskip("momepy")
    frame = lines()
    graph = momepy.gdf_to_nx(frame)
    nodes, edges = brandes.streets(frame, radius=250, measures=["betweenness", "closeness"])
    assert edges.index.equals(frame.index)
    assert list(zip(nodes["x"], nodes["y"], strict=True)) == list(graph)
    options = {"radius": 250, "weight": "mm_len"}
    scores = brandes.betweenness(graph, normalized=False, edges=True, **options)
    np.testing.assert_allclose(nodes["betweenness_250"], scores.values)
    by_ends = {frozenset(edge[:2]): score for edge, score in scores.edges.items() if score}
    for start, end, score in edges[["node_start", "node_end", "betweenness_250"]].to_numpy():
        ends = [tuple(nodes.loc[node, ["x", "y"]]) for node in (start, end)]
        assert score in (0, by_ends[frozenset(ends)])
    theirs = momepy.closeness_centrality(graph, distance="mm_len", verbose=False, **options)
    theirs = [data["closeness"] for _, data in theirs.nodes(data=True)]
    np.testing.assert_allclose(nodes["closeness_250"], theirs)
    theirs = momepy.betweenness_centrality(graph, endpoints=False, verbose=False)
    theirs = [data["betweenness"] for _, data in theirs.nodes(data=True)]
    np.testing.assert_allclose(brandes.streets(frame, normalized=True)[0]["betweenness"], theirs)
    # `streets` also reads momepy's graphs, whose nodes are coordinates.
    again, _ = brandes.streets(graph, **options)
    np.testing.assert_allclose(again["betweenness_250"], nodes["betweenness_250"])
    assert again.index.tolist() == list(graph)


def test_columns_are_those_of_cityseer() -> None:
    io = pytest.importorskip("cityseer.tools.io")
    networks = pytest.importorskip("cityseer.metrics.networks")
    # cityseer counts paths of nearly equal length as ties. This network has no such paths.
    rng = np.random.default_rng(4)
    shifts = rng.integers(0, 30, (6, 6, 2))
    grid = nx.grid_2d_graph(6, 6)
    place = {node: 100 * np.array(node) + shifts[node] for node in grid}
    kept = [edge for edge in grid.edges if rng.random() < 0.9]
    streets = [shapely.LineString([place[u], place[v]]) for u, v in kept]
    frame = gpd.GeoDataFrame(geometry=streets, crs=METRES)
    structure = io.network_structure_from_nx(io.nx_from_generic_geopandas(frame))
    theirs = networks.centrality_shortest(
        structure[2],
        structure[0],
        distances=[800],
        closeness={"density": "1", "farness": "c", "harmonic": "1/c", "decay": "exp(-4 * p)"},
        betweenness={"betweenness": "1", "betweenness_decay": "exp(-4 * p)"},
        postprocess={"hillier": "density**2 / farness"},
    )
    measures = ["betweenness", "closeness", "harmonic", "reach"]
    ours, _ = brandes.streets(frame, radius=800, measures=measures)
    fading = {"measures": ["betweenness", "reach"], "decay": 4 / 800}
    fading, _ = brandes.streets(frame, radius=800, **fading)
    there, here = theirs[["x", "y"]].to_numpy(), ours[["x", "y"]].to_numpy()
    order = np.hypot(*(there[:, None] - here).T).argmin(axis=0)
    assert sorted(order) == list(range(len(ours)))
    for name, column in [
        ("density", ours["reach_800"]),
        ("harmonic", ours["harmonic_800"]),
        ("hillier", ours["closeness_800"] * (len(ours) - 1)),
        ("betweenness", ours["betweenness_800"]),
        ("decay", fading["reach_800"]),
        ("betweenness_decay", fading["betweenness_800"]),
    ]:
        values, column = theirs[f"cc_{name}_800"], column.iloc[order]
        np.testing.assert_allclose(column, values, rtol=1e-4, err_msg=name)


def test_lengths_are_computed_where_they_are_missing() -> None:
    graph = osmnx_graph()
    scores = expected(graph)
    for _, _, data in graph.edges(data=True):
        if data["highway"] == "residential":
            del data["length"]
    for change, count in (({}, 10), ({"length": None}, 10), ({"length": "100"}, 9)):
        graph.edges[2, 3, 0].update(change)
        with pytest.warns(brandes.BrandesWarning, match=f"{count} of 11 edges have no 'length'"):
            nodes, _ = brandes.streets(graph)
        np.testing.assert_allclose(nodes["betweenness"], scores.values)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        by_default, _ = brandes.streets(graph, default=100)
    np.testing.assert_allclose(by_default["betweenness"], scores.values)
    # The detour is longer than the street beside it, but both count as one edge.
    hops, edges = brandes.streets(graph, weight=None)
    assert edges.loc[(1, 2, 1), "betweenness"] == edges.loc[(1, 2, 0), "betweenness"] > 0
    assert hops["betweenness"].sum() > 0


def test_only_lengths_are_computed_from_geometries() -> None:
    graph = osmnx_graph()
    with pytest.raises(ValueError, match=r"no edge has .* 'lngth', .* \(did you mean 'length'\?\)"):
        brandes.streets(graph, weight="lngth", default=3)
    nx.set_edge_attributes(graph, 60.0, "travel_time")
    for edge in [(2, 3, 0), (3, 5, 0)]:
        del graph.edges[edge]["travel_time"]
    with pytest.raises(ValueError, match=r"2 of 11 edges .* 'travel_time', .* default=X"):
        brandes.streets(graph, weight="travel_time")
    nodes, _ = brandes.streets(graph, weight="travel_time", default=45)
    nx.set_edge_attributes(graph, {(2, 3, 0): 45.0, (3, 5, 0): 45.0}, "travel_time")
    scores = brandes.betweenness(graph, weight="travel_time", normalized=False)
    assert nodes["betweenness"].tolist() == scores.values.tolist()
    with pytest.raises(ValueError, match="default is for edges without a weight"):
        brandes.streets(graph, weight=None, default=1)
    with pytest.raises(ValueError, match=r"the length -1\.0"):
        brandes.streets(lines().assign(length=None), default=-1)


@pytest.mark.parametrize("system", [DEGREES, "EPSG:4258", "object"])
def test_degrees_are_not_lengths(system: str) -> None:
    # Coordinates without a system are lengths.
    stated, unstated = brandes.streets(lines())[0], brandes.streets(lines(None))[0]
    assert stated["betweenness"].tolist() == unstated["betweenness"].tolist()
    if system == "object":
        system = pytest.importorskip("pyproj").CRS(4326)
    with pytest.raises(ValueError, match=r"edge 'a' has no 'length', .* degrees .*to_crs"):
        brandes.streets(lines().set_crs(system, allow_override=True))
    graph = osmnx_graph(system)
    nodes, _ = brandes.streets(graph)
    np.testing.assert_allclose(nodes["betweenness"], expected(graph).values)
    del graph.edges[3, 5, 0]["length"]
    with pytest.raises(ValueError, match=r"edge \(3, 5, 0\) has no 'length'.*project_graph"):
        brandes.streets(graph)


def test_the_town_is_a_file_of_osmnx(tmp_path: Path) -> None:
    osmnx = pytest.importorskip("osmnx")
    town = Path(__file__).parents[2] / "bench-graphs/town.graphml.gz"
    graph = osmnx.load_graphml(town)
    osmnx.save_graphml(graph, tmp_path / "again.graphml")
    assert (tmp_path / "again.graphml").read_bytes() == gzip.decompress(town.read_bytes())
    # The program computes the same columns from the file.
    nodes, edges = brandes.streets(graph, radius=[400, 800])
    assert type(edges) is gpd.GeoDataFrame
    assert len(edges) == graph.number_of_edges()
    options = {"radius": [400, 800], "weight": "length", "directed": True, "normalized": False}
    read = brandes.centrality(town, ["betweenness", "closeness"], **options)
    for column in read.columns:
        np.testing.assert_allclose(nodes[column], read[column])


def test_shops_are_targets() -> None:
    graph = osmnx_graph()
    nodes, edges = brandes.streets(graph, targets=[5, 5], radius=250, measures="betweenness")
    scores = expected(graph, targets={5: 2.0}, radius=250)
    assert nodes["betweenness_250"].tolist() == scores.values.tolist()
    nodes, edges = brandes.streets(lines(), targets=[(200, 100)], radius=250)
    assert edges.loc["e", "betweenness_250"] == 1.5
    nodes, edges = brandes.streets(graph, vertex_weights="street_count")
    np.testing.assert_allclose(nodes["betweenness"], 4 * expected(graph).values)


def test_frames_need_no_geopandas(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = brandes.streets(osmnx_graph())
    frame = pd.DataFrame({"u": [1, 2], "v": [2, 3], "length": [5.0, 7.0]})
    # This makes the imports fail.
    for name in ("geopandas", "shapely", "pyproj"):
        monkeypatch.setitem(sys.modules, name, None)
    nodes, edges = brandes.streets(osmnx_graph())
    assert type(nodes) is type(edges) is pd.DataFrame
    assert nodes["betweenness"].tolist() == whole[0]["betweenness"].tolist()
    nodes, edges = brandes.streets(frame, directed=False)
    assert nodes["betweenness"].to_dict() == {1: 0, 2: 1, 3: 0}
    assert edges.columns.tolist() == ["u", "v", "length", "betweenness"]
    graph = osmnx_graph(DEGREES)
    del graph.edges[3, 5, 0]["length"]
    with pytest.raises(ValueError, match="degrees"):
        brandes.streets(graph)


def test_streets_of_length_zero_are_infinitesimally_short() -> None:
    frame = pd.DataFrame({"u": [1, 2, 3, 1, 5], "v": [2, 3, 4, 5, 4], "length": [1.0, 0, 1, 1, 1]})
    with pytest.warns(RuntimeWarning, match="length 0 and count as infinitesimally short"):
        nodes, _ = brandes.streets(frame, directed=False)
    assert nodes["betweenness"].tolist() == [1.0, 1.0, 1.0, 1.0, 1.0]


def test_inputs_without_streets_are_refused() -> None:
    frame = pd.DataFrame({"u": [1, 2], "v": [2, 3], "length": [5.0, -1.0]})
    bare = frame.drop(columns="length")
    parts = gpd.GeoDataFrame(geometry=[shapely.MultiLineString([DETOUR, DETOUR[:2]])], crs=METRES)
    for given, match in [
        (frame, r"edge 1 has the length -1.0"),
        (bare, r"edge 0 has neither a 'length' nor a geometry"),
        (bare.rename(columns={"u": "from"}), "neither an index"),
        (parts, "edge 0: MultiLineString is not a line with two ends"),
        ((frame, lines()), "have no u and v that name the nodes"),
        ((frame.iloc[:0], frame), "an edge ends at 1, which is not among the nodes"),
    ]:
        with pytest.raises(ValueError, match=match):
            brandes.streets(given)
    with pytest.raises(TypeError, match="list is not a street network"):
        brandes.streets([(0, 1)])
    # Loops lie on no shortest path, whatever their length.
    nodes, _ = brandes.streets(frame.assign(v=[2, 2]), directed=False)
    assert nodes.index.tolist() == [1, 2]
