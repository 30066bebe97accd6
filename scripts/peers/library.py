"""Runs one Python library on an edge list. scripts/bench-peers starts this in a separate process.

    library.py NAME GRAPH SCORES [--weighted] [--threads N] [--sources FILE] [--epsilon E --seed N]
    library.py --versions NAME...

Reads lines "u v" or "u v length" with vertices 0 to n-1, and writes one double per vertex. Each
undirected pair counts once, as in brandes. Prints one line of JSON before and one after the
computation. Needs NumPy and the library.
"""
import argparse
import importlib
import json
import sys
import time

# The libraries that can search from chosen sources.
SOURCES = ("igraph", "networkx", "pylibcugraph")


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


def estimate(name, epsilon, seed, n, u, v, threads):
    """Prepares an estimate of normalised scores that fails with a probability of at most 0.1."""
    import networkit

    graph = networkit_graph(n, u, v, None, threads)
    networkit.setSeed(seed, True)
    kind, samples, pairs = ESTIMATES[name]
    measure = getattr(networkit.centrality, kind)(graph, epsilon, 0.1)
    # Normalised scores are fractions of the (n - 1) (n - 2) ordered pairs of other vertices.
    factor = pairs * n / max(n - 2, 1)

    def call():
        # KadabraBetweenness keeps no reference to its graph.
        return graph, measure.run()

    def listed(_):
        # KadabraBetweenness sorts its `scores`.
        scores = dict(measure.ranking())
        return [factor * scores.get(vertex, 0.0) for vertex in range(n)]

    return call, listed, getattr(measure, samples)


def networkx(n, u, v, lengths, threads, sources):
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    values = [1] * len(u) if lengths is None else lengths.tolist()
    graph.add_weighted_edges_from(zip(u.tolist(), v.tolist(), values))
    options = {"normalized": False, "weight": None if lengths is None else "weight"}
    if sources is None:
        def call():
            return networkx.betweenness_centrality(graph, **options)
    else:
        def call():
            return networkx.betweenness_centrality_subset(graph, sources, list(range(n)), **options)
    return call, lambda scores: [scores[vertex] for vertex in range(n)]


def pylibcugraph(n, u, v, lengths, threads, sources):
    """cuGraph on one NVIDIA GPU, by the documentation of version 26.10. This code was never run.

    Weights of 1 in doubles make cuGraph compute in doubles, because its scores in floats differ too
    much from others. Sources are divided into chunks, because its memory grows with their number."""
    import cupy
    import numpy
    import pylibcugraph

    handle = pylibcugraph.ResourceHandle()
    arcs = [cupy.asarray(numpy.concatenate(ends), dtype=cupy.int32) for ends in ((u, v), (v, u))]
    graph = pylibcugraph.SGGraph(
        handle, pylibcugraph.GraphProperties(is_symmetric=True, is_multigraph=False), *arcs,
        weight_array=cupy.ones(2 * len(u), dtype=cupy.float64), store_transposed=False,
        renumber=False, do_expensive_check=False)
    roots = cupy.arange(n, dtype=cupy.int32) if sources is None else cupy.asarray(sources, dtype=cupy.int32)
    size = max(2**28 // n, 1)

    def call():
        total = cupy.zeros(n)
        for first in range(0, len(roots), size):
            chunk = roots[first:first + size]
            vertices, scores = pylibcugraph.betweenness_centrality(
                handle, graph, chunk, None, False, False, False)
            # cuGraph extrapolates from the sources other than the vertex to all n - 1. Undo this.
            factors = cupy.full(n, len(chunk) / (n - 1))
            factors[chunk] = (len(chunk) - 1) / (n - 1)
            total[vertices] += cupy.nan_to_num(scores) * factors[vertices]
        return total.get()

    return call


def rustworkx(n, u, v, lengths, threads, sources):
    import rustworkx

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(n))
    graph.add_edges_from_no_data(list(zip(u.tolist(), v.tolist())))
    # RAYON_NUM_THREADS sets the number of threads; smaller graphs than this use one.
    least = 1 if threads > 1 else n + 1
    return (lambda: rustworkx.betweenness_centrality(graph, normalized=False, parallel_threshold=least),
            lambda scores: [scores[vertex] for vertex in range(n)])


LIBRARIES = {"igraph": igraph, "networkit": networkit, "networkx": networkx,
             "pylibcugraph": pylibcugraph, "rustworkx": rustworkx}
# NetworKit's estimates: the class, the method that returns the number of sampled paths, and the factor
# from its scores to fractions of the n (n - 1) ordered pairs. Their epsilon is an error of such fractions.
ESTIMATES = {"kadabra": ("KadabraBetweenness", "getNumberOfIterations", 0.5),
             "riondato-kornaropoulos": ("ApproxBetweenness", "numberOfSamples", 1.0)}


def versions(names):
    """Returns a dict from each library to its version, or None if it cannot be imported."""
    found = {}
    for name in names:
        try:
            found[name] = importlib.import_module(name).__version__
        except ImportError:
            found[name] = None
    return found


def peak_bytes():
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return None


def main():
    if sys.argv[1:2] == ["--versions"]:
        print(json.dumps(versions(sys.argv[2:])))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=sorted([*LIBRARIES, *ESTIMATES]))
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
        if options.name not in SOURCES:
            parser.error(f"{options.name} cannot search from chosen sources")
        with open(options.sources, encoding="ascii") as file:
            sources = [int(line) for line in file]
    if options.weighted and options.name in ("pylibcugraph", "rustworkx"):
        parser.error(f"{options.name} does not support weights")

    n, u, v, lengths = read(options.graph, options.weighted)
    if options.name in ESTIMATES:
        prepared = estimate(options.name, options.epsilon, options.seed, n, u, v, options.threads)
    else:
        prepared = LIBRARIES[options.name](n, u, v, lengths, options.threads, sources)
    call, listed, *samples = prepared if isinstance(prepared, tuple) else (prepared, list)
    print(json.dumps({"computes_since": time.time()}), flush=True)
    start = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - start

    import numpy

    numpy.array(listed(result), dtype=numpy.float64).tofile(options.scores)
    name = "networkit" if samples else options.name
    print(json.dumps({"version": versions([name])[name], "compute_seconds": seconds,
                      "peak_bytes": peak_bytes(), "samples": samples[0]() if samples else None}))


if __name__ == "__main__":
    main()
