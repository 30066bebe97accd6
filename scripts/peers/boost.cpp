// Computes betweenness with the Boost Graph Library: the program `boost` of scripts/bench-peers.
//
//     boost GRAPH SCORES [--weighted]
//
// Reads lines "u v" or "u v length" with vertices 0 to n-1, and writes one double per vertex. Prints one
// line of JSON before and one after the computation. The graph is in compressed rows with both arcs of
// each edge, which is Boost's fastest form. Path counts are doubles, because the default, unsigned long,
// overflows on grids. Distances are 32-bit integers if no path can be longer.

#include <boost/graph/betweenness_centrality.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/version.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

struct Edges {
    std::vector<std::pair<std::size_t, std::size_t>> arcs;
    std::vector<std::int64_t> lengths;
    std::size_t vertices = 0;
    std::int64_t longest = 0;
};

static bool read(const char *path, bool weighted, Edges &edges) {
    std::ifstream file(path);
    std::size_t u, v;
    std::int64_t length = 1;
    while (file >> u >> v && (!weighted || file >> length)) {
        for (const auto &arc : {std::make_pair(u, v), std::make_pair(v, u)}) {
            edges.arcs.emplace_back(arc.first, arc.second);
            edges.lengths.push_back(length);
        }
        edges.vertices = std::max<std::size_t>(edges.vertices, std::max(u, v) + 1);
        edges.longest = std::max<std::int64_t>(edges.longest, length);
    }
    return file.eof();
}

static long peak_kilobytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    long kilobytes = 0;
    while (word != "VmHWM:" && status >> word) {
    }
    status >> kilobytes;
    return kilobytes;
}

template <typename Length>
static int compute(const Edges &edges, bool weighted, const char *path) {
    struct Arc {
        Length length;
    };
    using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Arc>;
    std::vector<Arc> arcs;
    arcs.reserve(edges.lengths.size());
    for (const std::int64_t length : edges.lengths) {
        arcs.push_back(Arc{static_cast<Length>(length)});
    }
    const Graph graph(boost::edges_are_unsorted_multi_pass, edges.arcs.begin(), edges.arcs.end(),
                      arcs.begin(), edges.vertices);

    std::printf("{\"computes_since\": %.6f}\n",
                std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count());
    std::fflush(stdout);
    const auto start = std::chrono::steady_clock::now();
    const auto index = boost::get(boost::vertex_index, graph);
    const std::size_t n = edges.vertices;
    std::vector<double> scores(n), dependency(n), path_count(n);
    std::vector<Length> distance(n);
    std::vector<std::vector<typename Graph::edge_descriptor>> incoming(n);
    auto per_vertex = [&index](auto &values) {
        return boost::make_iterator_property_map(values.begin(), index);
    };
    auto search = [&](auto... lengths) {
        boost::brandes_betweenness_centrality(
            graph, per_vertex(scores), boost::dummy_property_map(), per_vertex(incoming),
            per_vertex(distance), per_vertex(dependency), per_vertex(path_count), index, lengths...);
    };
    if (weighted) {
        search(boost::get(&Arc::length, graph));
    } else {
        search();
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

    // Both arcs of each edge make every pair count twice.
    for (double &score : scores) {
        score /= 2;
    }
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char *>(scores.data()),
               static_cast<std::streamsize>(n * sizeof(double)));
    if (!file.flush()) {
        std::cerr << path << " cannot be written\n";
        return 1;
    }
    std::printf("{\"version\": \"%d.%d.%d\", \"compute_seconds\": %.9f, \"peak_bytes\": %ld}\n",
                BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100,
                seconds.count(), peak_kilobytes() * 1024);
    return 0;
}

int main(int count, char **arguments) {
    const bool weighted = count == 4 && std::strcmp(arguments[3], "--weighted") == 0;
    if (count != (weighted ? 4 : 3)) {
        std::cerr << "usage: boost GRAPH SCORES [--weighted]\n";
        return 2;
    }
    Edges edges;
    if (!read(arguments[1], weighted, edges)) {
        std::cerr << arguments[1] << " cannot be read\n";
        return 1;
    }
    // In breadth-first searches Boost does not reset the distance of a source to 0, so distances grow
    // from source to source and need 64 bits.
    const bool narrow =
        weighted && edges.longest <= INT32_MAX / static_cast<std::int64_t>(edges.vertices);
    return narrow ? compute<std::int32_t>(edges, weighted, arguments[2])
                  : compute<std::int64_t>(edges, weighted, arguments[2]);
}
