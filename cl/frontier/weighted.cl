// The functions of the strategies `vertex`, `work-efficient` and `warp` on weighted graphs: a
// parallel Dijkstra search from one root per work-group. Fan, Xu and Zhao, "A GPU-based solution
// for fast calculation of the betweenness centrality in large weighted networks", PeerJ Computer
// Science 3:e140, 2017.
//
// A vertex is *open* from when it is first reached until it is settled: its distance is then final.
// A search is a sequence of rounds, each of which settles all open vertices of which one of the
// following is known. They take the place of levels: both path counts and dependencies are pulled,
// which is right if (*) whatever leads to a vertex by LEADS_TO is settled in an earlier round.
//
// OUT: nothing shorter, and no tie, can come by way of another open vertex. With `bound` the
// smallest over open x of d(x) + length(x, y), over arcs that may still count for y, v is settled
// if BEYOND(bound, d(v)). The paper takes all arcs out of x. Arcs with BEYOND(d(x) + length, d(y))
// need not be taken, which are all that lead to settled vertices, above all the one that x was
// reached through.
//   - d(v) is final: on a shortest path to v, let x be the last vertex whose d(x) is what it will
//     be, and open; y follows. d(y) is not final, so that this arc is in the bound. Sums only grow
//     along a path (in floats too), so v would be at `bound` or behind.
//   - (*): let x be unsettled before the round. If d(x) is final, either the arc (x, v) is in the
//     bound and d(x) + length >= bound, so that BEYOND(d(x) + length, d(v)); or it was left out
//     since it is BEYOND. If d(x) is not final, x will be at `bound` or behind, and v is nearer.
//     IN: nothing can come from an unsettled vertex at all: they are at `nearest`, the smallest
//     distance of an open one, or behind, and v is settled if BEYOND(nearest + shortest arc into v,
//     d(v)). (Crauser, Mehlhorn, Meyer and Sanders, "A Parallelization of Dijkstra's Shortest Path
//     Algorithm", MFCS 1998, have IN and OUT with <=, which would break (*).) Both are made at the
//     beginning of a round from what was open at the end of the one before, so each may be used
//     whether or not a vertex is settled by the other. At last, v is settled if it is at `nearest`
//     itself: what leads to it is nearer by LEADS_TO. Integers do not need that, but a double that
//     is small beside d(v) can be within the tolerance of nothing.
//
// In the road network of New York a root takes 5500 rounds by the paper's rule, 4900 with IN, 4000
// by the bound above, and 3800 by both.
//
// No word is read by one work-item while another may write it: a barrier lies between, or both
// accesses are atomic. There are no atomic operations on floats.

// With COUNT_EDGES each workspace has sums of arcs too; the arcs out of the root count, so the way
// back ends at round 0 then, not at 1.
#if COUNT_EDGES
#define ARCS_PARAMETER , __global real *all_arc_scores
#define ARCS_OF_GROUP , all_arc_scores + get_group_id(0) * (size_t)arcs
#define LAST_ROUND 0
#else
#define ARCS_PARAMETER
#define ARCS_OF_GROUP
#define LAST_ROUND 1
#endif

// `width`: items of a virtual warp. Out-arcs are in offsets and arc_list, in-arcs in the same with
// in_; an undirected graph has the same arrays twice. settled_in is for `vertex`; orders,
// round_ends and open_lists are for the others. The unused arrays hold a word.
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

// A bit of status[STATUS_OVERFLOW], beside the position of a root that has a vertex without paths.
#define STATUS_LENGTH_LOST 0x80000000u

// The bounds that open vertices give at the end of a round.
typedef struct {
    // See OUT and IN.
    dist bound;
    dist nearest;
} Horizon;

// The positions behind the last open vertex, and before the first.
#define NO_HORIZON \
    { FAR, FAR }

// Whether an open vertex at `d` is settled.
bool is_final(const Search *s, const Horizon h, const uint v, const dist d) {
    return BEYOND(s, h.bound, d) || d == h.nearest ||
           BEYOND(s, plus(h.nearest, s->shortest[v].in), d);
}

// Updates the bounds for an open vertex at `d`, while no distance changes. The shortest arc is left
// out if it no longer counts.
void look_out(const Search *s, Horizon *h, const uint v, const dist d) {
    const Shortest out = s->shortest[v];
    dist reach = plus(d, out.first);
    if (out.first != FAR && BEYOND(s, reach, s->distance[out.target])) reach = plus(d, out.second);
    h->bound = min(h->bound, reach);
    h->nearest = min(h->nearest, d);
}

// Updates the bounds for a vertex that an arc from `parent` has just brought to `d`, while
// distances change.
void look_out_from(const Search *s, Horizon *h, const uint v, const dist d, const uint parent) {
    const Shortest out = s->shortest[v];
    h->bound = min(h->bound, plus(d, out.target == parent ? out.second : out.first));
    h->nearest = min(h->nearest, d);
}

// Combines the bounds of all work-items.
void meet(const Horizon mine, __local dist *bound, __local dist *nearest) {
    if (mine.nearest == FAR) return;
    DIST_MIN(bound, mine.bound);
    DIST_MIN(nearest, mine.nearest);
}

// Stores the path count of a settled vertex, which is complete, and begins its coefficient.
void begin_coefficient(const Search *s, const uint v, const real sigma, const uint position) {
    s->sigma[v] = sigma;
#if !QUERY
    s->coefficient[v] = s->weight[v] / sigma;
#endif
    check_paths(s->status, sigma, position);
#if !LENGTHS
    // A length was too small to change the distance it was added to.
    if (sigma == 0) {
        atomic_cmpxchg(&s->status[STATUS_OVERFLOW], 0u, (position + 1) | STATUS_LENGTH_LOST);
    }
#endif
}

// The sum of coefficient over the out-arcs of `v` at `d` that are on a shortest path: arc `first`
// of its row and every `stride`-th after it. `sources` is for the sums of arcs.
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
        // LEADS_TO is for vertices that the search has reached.
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

// Completes a vertex: coefficient = (weight + delta) / sigma, and sigma * sum = delta into the
// scores. The root takes no score.
void add_dependency(const Search *s, const uint v, const uint root, const real sources,
                    const real sum) {
    if (v == root) return;
    s->coefficient[v] += sum;
    s->scores[v] += COUNTED(s, sources, s->sigma[v] * sum);
}

// A distance through an arc. Vertices beyond all radii of a query stay FAR, which changes nothing
// for the others: whatever leads to them is nearer.
#if QUERY
dist through_arc(const Search *s, const dist d, const dist length) {
    const dist through = plus(d, length);
    return through > s->query.farthest ? FAR : through;
}
#define THROUGH(s, d, length) through_arc(s, d, length)
#else
#define THROUGH(s, d, length) plus(d, length)
#endif
