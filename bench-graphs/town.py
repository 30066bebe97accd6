"""Makes town.graphml.gz by `brandes generate road` and OSMnx: python town.py BRANDES

The town lies in the Atlantic. Bends of streets become geometries, as in networks of OpenStreetMap.
"""

import csv
import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

import networkx as nx
import osmnx as ox

#: Metres in a degree of latitude; the square root of two is that of longitude at 45 degrees.
DEGREE = 111_195


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        roads, places, town = (Path(folder) / name for name in ("t.gr", "t.csv", "t.graphml"))
        options = ["--vertices", "1550", "--seed", "4", "-o", roads, "--coordinates", places]
        subprocess.run([sys.argv[1], "generate", "road", *options], check=True)
        graph = nx.MultiDiGraph(crs="epsg:4326")
        for vertex, x, y in list(csv.reader(places.open()))[1:]:
            lon, lat = -30 + float(x) / DEGREE * 2**0.5, 45 + float(y) / DEGREE
            graph.add_node(int(vertex), y=round(lat, 7), x=round(lon, 7))
        for line in roads.read_text().splitlines():
            if line.startswith("a"):
                u, v = map(int, line.split()[1:3])
                street = {"highway": "residential", "oneway": False, "reversed": u > v}
                graph.add_edge(u, v, osmid=1000 + min(u, v), **street)
        graph = ox.distance.add_edge_lengths(graph)
        nx.set_node_attributes(graph, ox.stats.count_streets_per_node(graph), "street_count")
        ox.save_graphml(ox.simplify_graph(graph), town)
        packed = gzip.compress(town.read_bytes(), 9, mtime=0)
        Path(__file__).with_name("town.graphml.gz").write_bytes(packed)


main()
