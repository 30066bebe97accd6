// The functions of the strategies `vertex`, `work-efficient` and `warp` on weighted graphs: a
// parallel Dijkstra search from one root per work-group. Fan, Xu and Zhao, "A GPU-based solution
// for fast calculation of the betweenness centrality in large weighted networks", PeerJ Computer
// Science 3:e140, 2017.
//
// A vertex is *open* from when it is first reached until it is settled, which means that its
// distance d is final. A search is a sequence of rounds, which take the place of levels. A round
// settles all open vertices that satisfy OUT, IN or NEAREST. Path counts and dependencies are both
// pulled, which is correct if (*) every vertex that leads to v by LEADS_TO is settled in an earlier
// round than v.
//
// OUT: no shorter or tied path to v can lead through another open vertex. Let `bound` be the
// minimum of d(x) + length(x, y) over the arcs out of open vertices x that may still matter to y; v
// is settled if BEYOND(bound, d(v)). The paper takes all arcs out of x. Arcs with BEYOND(d(x) +
// length, d(y)) can be left out: among them are all arcs to settled vertices, in particular the
// reverse of the arc by which x was reached.
//
//   - d(v) is final. Suppose it is not: on a shortest path to v, let x be the last open vertex with
//     a final distance, and y the next vertex. d(y) is not final, so this arc is in the bound. Sums
//     only grow along a path (in floats too), so the distance of v is at least `bound`.
//   - (*) holds. Let x be unsettled before the round. If d(x) is final, either the arc (x, v) is in
//     the bound and d(x) + length >= bound, so that BEYOND(d(x) + length, d(v)), or it was left out
//     because of BEYOND. If d(x) is not final, the distance of x is at least `bound`, and v is
//     nearer.
//
// IN: no shorter or tied path to v can come from an unsettled vertex: these are at a distance of at
// least `nearest`, the smallest distance of an open vertex. v is settled if BEYOND(nearest + length
// of the shortest arc into v, d(v)). (Crauser, Mehlhorn, Meyer and Sanders, "A Parallelization of
// Dijkstra's Shortest Path Algorithm", MFCS 1998, have IN and OUT with <=, which would break (*).)
//
// NEAREST: v is settled if d(v) = nearest, because LEADS_TO demands a smaller distance. Integers do
// not need this rule. With doubles, an arc into v may be so short that adding its length stays
// within the tolerance, so that BEYOND never holds.
//
// All rules use the open vertices at the beginning of a round, so a vertex may be settled by any
// rule. In the road network of New York a root takes 5500 rounds by the paper's rule, 4900 with IN,
// 4000 by the bound above, and 3800 by both.
//
// A barrier separates every write of a word from accesses by other work-items, or the accesses are
// atomic. There are no atomic operations on floats.

// With COUNT_EDGES each workspace also has a sum for each out-arc. Arcs out of the root count too,
// so the backward phase then ends at round 0 instead of 1.
#if COUNT_EDGES
#define ARCS_PARAMETER , __global real *all_arc_scores
#define ARCS_OF_GROUP , all_arc_scores + get_group_id(0) * (size_t)arcs
#define LAST_ROUND 0
#else
#define ARCS_PARAMETER
#define ARCS_OF_GROUP
#define LAST_ROUND 1
#endif

// `width` is the number of work-items of a virtual warp. Out-arcs are in offsets and arc_list,
// in-arcs in the arrays with the prefix in_; for an undirected graph, these are the same arrays.
// Only `vertex` uses all_settled_in; only the others use orders, all_round_ends and open_lists.
// Unused arrays have 8 bytes.
#define SEARCH_PARAMETERS                                                                         \
    const uint count, const uint width, __global const uint *roots, __global uint *status,        \
        const uint n, const uint arcs, const uint directed, const uint endpoints,                 \
        TOLERANCE_PARAMETER __global const uint *offsets, __global const Arc *arc_list,           \
        __global const uint *in_offsets, __global const Arc *in_arc_list,                         \
        __global const Shortest *shortest, __global const real *weight, __global dist *distances, \
        __global real *sigmas, __global real *coefficients, __global uint *all_settled_in,        \
        __global Settled *orders, __global uint *all_round_ends, __global uint *open_lists,       \
        __global real *all_scores ARCS_PARAMETER QUERY_PARAMETERS

// A search: the graph and the arrays of the work-group's workspace.
typedef struct {
    uint n;
    uint directed;
    TOLERANCE_MEMBER
    __global const uint *offsets;
    __global const Arc *arcs;
    __global const uint *in_offsets;
    __global const Arc *in_arcs;
    __global const Shortest *shortest;
    __global const real *weight;
    __global dist *distance;
    __global real *sigma;
    __global real *coefficient;
    __global real *scores;
    __global uint *status;
#if COUNT_EDGES
    __global real *arc_scores;
#endif
#if QUERY
    uint pass;
    Query query;
#endif
} Search;

#define SEARCH_OF_GROUP                                                                            \
    {                                                                                              \
        n, directed, TOLERANCE_OF_SEARCH offsets, arc_list, in_offsets, in_arc_list, shortest,     \
            weight, distances + get_group_id(0) * (size_t)n, sigmas + get_group_id(0) * (size_t)n, \
            coefficients + get_group_id(0) * (size_t)n, all_scores + get_group_id(0) * (size_t)n,  \
            status ARCS_OF_GROUP QUERY_OF_SEARCH                                                   \
    }

// A bit of status[STATUS_OVERFLOW], set beside the position of a root from which a settled vertex
// has no paths.
#define STATUS_LENGTH_LOST 0x80000000u

// The bounds over all open vertices at the end of a round.
typedef struct {
    // See OUT, IN and NEAREST.
    dist bound;
    dist nearest;
} Horizon;

// The bounds if there are no open vertices.
#define NO_HORIZON \
    { FAR, FAR }

// Returns whether an open vertex at `d` can be settled.
bool is_final(const Search *s, const Horizon h, const uint v, const dist d) {
    return BEYOND(s, h.bound, d) || d == h.nearest ||
           BEYOND(s, plus(h.nearest, s->shortest[v].in), d);
}

// Updates the bounds for an open vertex at `d`, while no distance changes. OUT can leave out
// several arcs, but only the shortest arc is tested.
void update_horizon(const Search *s, Horizon *h, const uint v, const dist d) {
    const Shortest out = s->shortest[v];
    dist reach = plus(d, out.first);
    if (out.first != FAR && BEYOND(s, reach, s->distance[out.target])) reach = plus(d, out.second);
    h->bound = min(h->bound, reach);
    h->nearest = min(h->nearest, d);
}

// Updates the bounds for a vertex that was just reached at `d` by an arc from `parent`, while
// distances change. Of the arcs that OUT can leave out, only that back to `parent` is left out.
void update_horizon_from(const Search *s, Horizon *h, const uint v, const dist d,
                         const uint parent) {
    const Shortest out = s->shortest[v];
    h->bound = min(h->bound, plus(d, out.target == parent ? out.second : out.first));
    h->nearest = min(h->nearest, d);
}

// Combines the bounds of all work-items.
void combine_horizons(const Horizon mine, __local dist *bound, __local dist *nearest) {
    if (mine.nearest == FAR) return;
    DIST_MIN(bound, mine.bound);
    DIST_MIN(nearest, mine.nearest);
}

// Stores and checks the complete path count of a settled vertex, and begins its coefficient.
void begin_coefficient(const Search *s, const uint v, const real sigma, const uint position) {
    s->sigma[v] = sigma;
#if !QUERY
    s->coefficient[v] = s->weight[v] / sigma;
#endif
    check_paths(s->status, sigma, position);
#if !LENGTHS
    // A vertex has no paths if a length was too small to change the distance it was added to.
    if (sigma == 0) {
        atomic_cmpxchg(&s->status[STATUS_OVERFLOW], 0u, (position + 1) | STATUS_LENGTH_LOST);
    }
#endif
}

// Returns the sum of coefficient over out-arcs of `v` at `d` that are on a shortest path: arc
// `first` of its row and every `stride`-th arc after it. `sources` is for the sums of arcs.
real pull_coefficients(const Search *s, const uint v, const dist d, const uint first,
                       const uint stride, const real sources) {
#if QUERY
    const dist limit = s->query.limits[s->pass];
    if (d >= limit) return 0;
#endif
#if COUNT_EDGES
    const real factor = sources * s->sigma[v];
#endif
    const uint end = s->offsets[v + 1];
    real sum = 0;
    for (size_t i = (size_t)s->offsets[v] + first; i < end; i += stride) {
        const Arc arc = s->arcs[i];
#if QUERY
        // Vertices beyond the radius do not count, and may have no distance, which LEADS_TO needs.
        if (s->distance[arc.target] > limit) continue;
#endif
        if (!LEADS_TO(s, d, arc.length, s->distance[arc.target])) continue;
        const real coefficient = s->coefficient[arc.target];
        sum += coefficient;
#if COUNT_EDGES
        s->arc_scores[i] += factor * coefficient;
#endif
    }
    return sum;
}

// Completes the coefficient of a vertex, (weight + delta) / sigma, and adds its dependency, delta =
// sigma * sum, to its score for each of the `sources`. The root takes no score.
void add_dependency(const Search *s, const uint v, const uint root, const real sources,
                    const real sum) {
    if (v == root) return;
    s->coefficient[v] += sum;
    ADD_TO_SCORE(s, v, sources, s->sigma[v] * sum);
}

// The distance through an arc. Vertices beyond all radii of a query stay FAR, which does not affect
// vertices within them, because vertices that lead to these are nearer still.
#if QUERY
dist through_arc(const Search *s, const dist d, const dist length) {
    const dist through = plus(d, length);
    return through > s->query.farthest ? FAR : through;
}
#define THROUGH(s, d, length) through_arc(s, d, length)
#else
#define THROUGH(s, d, length) plus(d, length)
#endif
