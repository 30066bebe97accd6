// The kernels of the strategies that give the whole device to one root: `virtual` and
// `edge-device`. The kernels forward and backward in the strategies' own files divide the arcs of
// each vertex into pieces and store a sum for each piece in `partial`; vertex v has the pieces
// first[v]..first[v + 1]. The kernels here add up the pieces in a fixed order, with a work-item per
// vertex. There are no atomic operations on floats.
//
// This file is compiled before a strategy's own file.
//
// The host does not know the depth of a search. It enqueues `planned` levels for each root. Each
// root has a row of `found`, from word `row` on, which tells the kernels which levels have
// vertices:
//
//   found[0]        set when a path count exceeded SIGMA_LIMIT
//   found[1 + L]    set when level L has a vertex; 0 <= L <= planned
//
// A kernel of a level beyond the search returns at once. If found[1 + planned] is set, the search
// may be deeper than planned: the backward kernels then add nothing, and the host searches again.

// Work-items read level, sigma, coefficient, partial and found of other work-items only as earlier
// kernels wrote them.

// With COUNT_EDGES the backward kernels of both strategies also add to the sums of out-arcs: for an
// arc (v, w) of a shortest path, sources * sigma(v) * coefficient(w). For each root one work-item
// visits an arc. The host then launches backward for level 0 too, without backward_reduce: the root
// takes no score, but its arcs do.
#if COUNT_EDGES
#define SOURCES_PARAMETER const real sources,
#define ARCS_PARAMETER , __global const real *sigma, __global real *arc_scores
#define COUNT_ARC(v, arc, coefficient) (arc_scores[arc] += sources * (sigma[v] * (coefficient)))
#else
#define SOURCES_PARAMETER
#define ARCS_PARAMETER
#define COUNT_ARC(v, arc, coefficient)
#endif

// The positions of the numbers of a vertex, which `ablation.cl` replaces.
#ifndef LEVEL
#define LEVEL(v) level[v]
#define SIGMA(v) sigma[v]
#define COEFFICIENT(v) coefficient[v]
#define WEIGHT(v) weight[v]
#endif
// Whether path counts begin with 0, which only sums by atomics need.
#ifndef CLEARS_SIGMA
#define CLEARS_SIGMA false
#endif

// Clears the levels and puts the root on level 0. A work-item per vertex.
__kernel GROUP_OF_ITEMS void NAMED(reset)(const uint root, const uint row, __global uint *found,
                                          const uint n, __global uint *level,
                                          __global real *sigma) {
    found += row;
    const uint v = get_global_id(0);
    if (v >= n) return;
    LEVEL(v) = v == root ? 0u : UNSEEN;
    if (v == root || CLEARS_SIGMA) SIGMA(v) = v == root;
    if (v == root) found[1] = 1;
}

// Puts unseen vertices with a path from level `depth` on level depth + 1. A work-item per vertex.
__kernel GROUP_OF_ITEMS void NAMED(forward_reduce)(
    const uint depth, const uint row, __global uint *found, const uint n,
    __global const uint *first, __global const real *partial, __global const real *weight,
    __global uint *level, __global real *sigma, __global real *coefficient, const uint twins,
    __global const real *multiplicity) {
    __local uint any;
    found += row;
    const uint v = get_global_id(0);
    // This does not return early: PoCL 5.0 loses the state of work-items at barriers after a
    // return.
    const bool busy = found[1 + depth] != 0;
    if (get_local_id(0) == 0) any = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (busy && v < n && LEVEL(v) == UNSEEN) {
        real sum = 0;
        for (uint piece = first[v]; piece < first[v + 1]; piece++) sum += partial[piece];
        if (sum > 0) {
            const real times = MULTIPLICITY(twins, multiplicity, v);
            sum *= times;
            LEVEL(v) = depth + 1;
            SIGMA(v) = sum;
            COEFFICIENT(v) = times * (WEIGHT(v) / sum);
            atomic_or(&any, 1u);
            if (!(sum <= SIGMA_LIMIT)) atomic_or(&found[0], 1u);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && any) atomic_or(&found[2 + depth], 1u);
}

// Computes coefficient = (weight + delta) / sigma of the vertices of level `depth`, for all of
// their twins, and adds their dependencies to the scores. Each vertex is on one level, so this is
// the only addition to its score for this root. A work-item per vertex.
__kernel GROUP_OF_ITEMS void NAMED(backward_reduce)(
    const uint depth, const uint row, __global const uint *found, const uint planned,
    const real sources, const uint n, __global const uint *first, __global const real *partial,
    __global const uint *level, __global const real *sigma, __global real *coefficient,
    __global real *scores, const uint twins, __global const real *multiplicity) {
    found += row;
    const uint v = get_global_id(0);
    if (v >= n || !found[2 + depth] || found[1 + planned]) return;
    if (LEVEL(v) != depth) return;
    real sum = 0;
    for (uint piece = first[v]; piece < first[v + 1]; piece++) sum += partial[piece];
    COEFFICIENT(v) += MULTIPLICITY(twins, multiplicity, v) * sum;
    scores[v] += sources * SIGMA(v) * sum;
}

// Counts path ends of a directed graph (--endpoints): a pair of the root and a reached vertex
// counts once at each end. A work-item per vertex; reached[root] is the number of reached vertices.
__kernel GROUP_OF_ITEMS void NAMED(endpoints)(const uint root, const uint row,
                                              __global const uint *found, const uint planned,
                                              const real sources, const uint n,
                                              __global const uint *level, __global uint *reached,
                                              __global real *scores) {
    __local uint count;
    found += row;
    const uint v = get_global_id(0);
    const bool counts = !found[1 + planned];
    if (get_local_id(0) == 0) count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (counts && v < n && v != root && level[v] != UNSEEN) {
        scores[v] += sources;
        atomic_inc(&count);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && count) atomic_add(&reached[root], count);
}
