// The functions of the strategies that give each root to one work-group: `vertex`, `edge`,
// `work-efficient`, `hybrid` and `warp`. No two work-groups share a workspace.
//
// This file is compiled after `claim.cl` and `query.cl`, and before `passes.cl` and a strategy's
// own file. The kernels of all these strategies have the same parameters, so that they share an
// engine.
//
// A barrier separates every write of a word from accesses by other work-items, or the accesses are
// atomic. There are no atomic operations on floats.

// With COUNT_EDGES each workspace also has a sum for each out-arc: for an arc (v, w) of a shortest
// path, sources * sigma(v) * coefficient(w). For each root only one work-item visits an arc in the
// backward phase, so this is a plain addition. Arcs out of the root count too, so the backward
// phase then ends at level 0 instead of 1.
#if COUNT_EDGES
#define ARCS_PARAMETER , __global real *all_arc_scores
#define ARCS_OF_GROUP , all_arc_scores + get_group_id(0) * (size_t)arcs
#define COUNT_ARC(s, arc, score) ((s)->arc_scores[arc] += (score))
#define LAST_LEVEL 0
#else
#define ARCS_PARAMETER
#define ARCS_OF_GROUP
#define COUNT_ARC(s, arc, score)
#define LAST_LEVEL 1
#endif

// `width` is the number of work-items of a virtual warp, or the number of vertices of the widest
// frontier that is not searched by arcs (width.rs). Out-arcs are in offsets, targets and tails (the
// vertex of each arc's row), in-arcs in the arrays with the prefix in_; for an undirected graph,
// these are the same arrays. Only `edge` and `hybrid` use tails; only strategies with an explicit
// frontier use stacks, level_ends and seen_bits. Unused arrays have 8 bytes.
#define SEARCH_PARAMETERS                                                                      \
    const uint count, const uint width, __global const uint *roots, __global uint *status,     \
        const uint n, const uint arcs, const uint directed, const uint endpoints,              \
        const uint twins, __global const uint *offsets, __global const uint *targets,          \
        __global const uint *tails, __global const uint *in_offsets,                           \
        __global const uint *in_targets, __global const uint *in_tails,                        \
        __global const real *weight, __global const real *multiplicity, __global uint *levels, \
        __global real *sigmas, __global real *coefficients, __global uint *stacks,             \
        __global uint *level_ends, __global uint *seen_bits,                                   \
        __global real *all_scores ARCS_PARAMETER QUERY_PARAMETERS

// A search: the graph and the arrays of the work-group's workspace.
typedef struct {
    uint n;
    uint arcs;
    uint directed;
    __global const uint *offsets;
    __global const uint *targets;
    __global const uint *tails;
    __global const uint *in_offsets;
    __global const uint *in_targets;
    __global const uint *in_tails;
    __global const real *weight;
    // See MULTIPLICITY in common.cl.
    uint twins;
    __global const real *multiplicity;
    __global uint *level;
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

#define SEARCH_OF_GROUP                                                                       \
    {                                                                                         \
        n, arcs, directed, offsets, targets, tails, in_offsets, in_targets, in_tails, weight, \
            twins, multiplicity, levels + get_group_id(0) * (size_t)n,                        \
            sigmas + get_group_id(0) * (size_t)n, coefficients + get_group_id(0) * (size_t)n, \
            all_scores + get_group_id(0) * (size_t)n, status ARCS_OF_GROUP QUERY_OF_SEARCH    \
    }

// Makes every vertex unseen, without paths. A work-item has the same vertices here as in `settle`
// and in every other loop over all vertices.
void clear_all(const Search *s) {
    for (uint v = get_local_id(0); v < s->n; v += WORK_GROUP) {
        s->level[v] = UNSEEN;
        s->sigma[v] = 0;
    }
}

// Returns the number of twins that a vertex stands for.
real multiplicity_of(const Search *s, const uint v) {
    return MULTIPLICITY(s->twins, s->multiplicity, v);
}

// Checks the complete path count of a vertex, and stores the coefficient that the vertex has before
// dependencies are added. A query stores coefficients at the beginning of each pass instead.
void begin_coefficient(const Search *s, const uint v, const real sigma, const uint position) {
#if !QUERY
    s->coefficient[v] = multiplicity_of(s, v) * (s->weight[v] / sigma);
#endif
    check_paths(s->status, sigma, position);
}

// Returns the sum of coefficient over out-arcs of `v` that lead to `level`: arc `first` of its row
// and every `stride`-th arc after it. `sources` is for the sums of arcs.
real pull_coefficients(const Search *s, const uint v, const uint level, const uint first,
                       const uint stride, const real sources) {
#if COUNT_EDGES
    const real sigma = s->sigma[v];
#endif
    const uint end = s->offsets[v + 1];
    real sum = 0;
    for (size_t arc = (size_t)s->offsets[v] + first; arc < end; arc += stride) {
        const uint w = s->targets[arc];
        if (s->level[w] == level) {
            const real coefficient = s->coefficient[w];
            sum += coefficient;
            COUNT_ARC(s, arc, sources * (sigma * coefficient));
        }
    }
    return sum;
}

// Completes the coefficient of a vertex, (weight + delta) / sigma for all of its twins, and adds
// its dependency, delta = sigma * sum, to its score for each of the `sources`.
void add_dependency(const Search *s, const uint v, const real sources, const real sum) {
#if COUNT_EDGES
    // The root takes no score.
    if (s->level[v] == 0) return;
#endif
    s->coefficient[v] += multiplicity_of(s, v) * sum;
    ADD_TO_SCORE(s, v, sources, s->sigma[v] * sum);
}

// Begins a search in strategies without an explicit frontier (`vertex`, `edge`): clears all
// vertices and gives the root a level and a path. Ends with a barrier.
void begin_search_without_frontier(const Search *s, const uint root) {
    clear_all(s);
    barrier(BOTH_FENCES);
    if (get_local_id(0) == 0) {
        s->level[root] = 0;
        s->sigma[root] = 1;
    }
    barrier(BOTH_FENCES);
}

// Puts the vertices that got paths in this pass on `level`, in strategies without an explicit
// frontier. Returns whether this work-item had any.
bool settle(const Search *s, const uint level, const uint position) {
    bool any = false;
    for (uint v = get_local_id(0); v < s->n; v += WORK_GROUP) {
        if (s->level[v] != UNSEEN) continue;
        const real sigma = multiplicity_of(s, v) * s->sigma[v];
        if (sigma == 0) continue;
        s->level[v] = level;
        s->sigma[v] = sigma;
        begin_coefficient(s, v, sigma, position);
        any = true;
    }
    return any;
}

// Counts path ends of a directed graph (--endpoints), in strategies without an explicit frontier. A
// pair of the root and a reached vertex counts once at each end. Begins and ends with a barrier.
void count_ends(const Search *s, const uint root, const real sources, __local uint *reached) {
    if (get_local_id(0) == 0) *reached = 0;
    barrier(BOTH_FENCES);
    uint mine = 0;
    for (uint v = get_local_id(0); v < s->n; v += WORK_GROUP) {
        if (v == root || s->level[v] == UNSEEN) continue;
        s->scores[v] += sources;
        mine++;
    }
    if (mine) atomic_add(reached, mine);
    barrier(BOTH_FENCES);
    if (get_local_id(0) == 0) s->scores[root] += sources * (real)*reached;
    barrier(BOTH_FENCES);
}
