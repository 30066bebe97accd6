"""Runs one Python library on an edge list. scripts/bench-peers starts this in a separate process.

    library.py NAME GRAPH SCORES [--weighted] [--threads N] [--sources FILE] [--epsilon E --seed N]

Reads lines "u v" or "u v length" with vertices 0 to n-1, and writes one double per vertex. Each
undirected pair counts once, as in brandes. Prints one line of JSON before and one after the
computation. Needs NumPy and the library.
"""
import argparse
import importlib.metadata
import json
import time



def read(path, weighted):
    import numpy

    table = numpy.loadtxt(path, dtype=numpy.int64, ndmin=2, usecols=range(3 if weighted else 2))
    n = int(table[:, :2].max()) + 1
    return n, table[:, 0], table[:, 1], table[:, 2] if weighted else None


def igraph(n, u, v, lengths, threads, sources):
    import igraph

    graph = igraph.Graph(n=n, edges=list(zip(u.tolist(), v.tolist())), directed=False)
    weights = None if lengths is None else lengths.tolist()
    return lambda: graph.betweenness(directed=False, weights=weights, sources=sources)


def networkit_graph(n, u, v, lengths, threads):
    import networkit
    import numpy

    networkit.setNumberOfThreads(threads)
    values = numpy.ones(len(u)) if lengths is None else lengths.astype(numpy.float64)
    ends = (u.astype(numpy.uint64), v.astype(numpy.uint64))
    return networkit.GraphFromCoo((values, ends), n=n, weighted=lengths is not None, directed=False)


def networkit(n, u, v, lengths, threads, sources):
    import networkit

    graph = networkit_graph(n, u, v, lengths, threads)
    measure = networkit.centrality.Betweenness(graph, normalized=False)
    # NetworKit counts ordered pairs. `main` halves and copies the scores after the measurement.
    return measure.run, lambda _: [score / 2 for score in measure.scores()]


def kadabra(epsilon, seed, n, u, v, threads):
    """Prepares NetworKit's estimate of normalised scores that fails with a probability of at most 0.1."""
    import networkit

    graph = networkit_graph(n, u, v, None, threads)
    networkit.setSeed(seed, True)
    measure = networkit.centrality.KadabraBetweenness(graph, epsilon, 0.1)

    def call():
        # KadabraBetweenness keeps no reference to its graph.
        return graph, measure.run()

    def listed(_):
        # KadabraBetweenness sorts its `scores`. Half of them are fractions of the n (n - 1) ordered pairs;
        # normalised scores are fractions of the (n - 1) (n - 2) pairs of other vertices.
        scores = dict(measure.ranking())
        return [scores.get(vertex, 0.0) * n / 2 / max(n - 2, 1) for vertex in range(n)]

    return call, listed, measure.getNumberOfIterations


def rustworkx(n, u, v, lengths, threads, sources):
    import rustworkx

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(n))
    graph.add_edges_from_no_data(list(zip(u.tolist(), v.tolist())))
    # RAYON_NUM_THREADS sets the number of threads; smaller graphs than this use one.
    least = 1 if threads > 1 else n + 1
    return (lambda: rustworkx.betweenness_centrality(graph, normalized=False, parallel_threshold=least),
            lambda scores: [scores[vertex] for vertex in range(n)])


LIBRARIES = {"igraph": igraph, "networkit": networkit, "rustworkx": rustworkx}


def peak_bytes():
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=sorted([*LIBRARIES, "kadabra"]))
    parser.add_argument("graph")
    parser.add_argument("scores")
    parser.add_argument("--weighted", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--sources", metavar="FILE")
    parser.add_argument("--epsilon", type=float)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sources = None
    if options.sources:
        with open(options.sources, encoding="ascii") as file:
            sources = [int(line) for line in file]

    n, u, v, lengths = read(options.graph, options.weighted)
    if options.name == "kadabra":
        prepared = kadabra(options.epsilon, options.seed, n, u, v, options.threads)
    else:
        prepared = LIBRARIES[options.name](n, u, v, lengths, options.threads, sources)
    call, listed, *samples = prepared if isinstance(prepared, tuple) else (prepared, list)
    print(json.dumps({"computes_since": time.time()}), flush=True)
    start = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - start

    import numpy

    numpy.array(listed(result), dtype=numpy.float64).tofile(options.scores)
    package = "networkit" if samples else options.name
    print(json.dumps({"version": importlib.metadata.version(package), "compute_seconds": seconds,
                      "peak_bytes": peak_bytes(), "samples": samples[0]() if samples else None}))


if __name__ == "__main__":
    main()
