// The kernels of the strategies whose launches pass over the whole graph, level by level: `virtual`
// and `edge-device`. They search from several roots at a time, each in a slot of its own, which is
// the second dimension of every launch. A slot has a row of each array of levels, path counts,
// coefficients, partial sums and scores.
//
// The kernels forward and backward in the strategies' own files, which are compiled after this one,
// divide the arcs of each vertex into pieces and store a sum for each piece in `partial`; vertex v
// has the pieces first[v]..first[v + 1]. The kernels here add up the pieces in a fixed order, with
// a work-item per vertex and slot. There are no atomic operations on floats.
//
// The host does not know the depth of a search. It enqueues `planned` levels for each batch of
// roots. Each slot has a row of `found`, which tells the kernels which levels have vertices:
//
//   found[0]        set when a path count exceeded SIGMA_LIMIT
//   found[1 + L]    set when level L has a vertex; 0 <= L <= planned
//
// A kernel of a level beyond the search returns at once. If found[1 + planned] is set, the search
// may be deeper than planned: the backward kernels then add nothing, and the host searches again.
// Work-items read arrays of other work-items only as earlier kernels wrote them.

// The first parameters of a kernel. Slot k has root begin + k, which stands for some sources.
#define BATCH                                                                           \
    const uint depth, const uint planned, const uint begin, __global const uint *roots, \
        __global const real *sources, __global uint *found, const uint n
// The place of the slot in arrays by vertex, and its row of `found`.
#define BEGIN_SLOT                         \
    const uint slot = get_global_id(1);    \
    const size_t place = (size_t)slot * n; \
    found += (size_t)slot * (planned + 2)
#define ROOT roots[begin + slot]
#define SOURCES sources[begin + slot]

// With COUNT_EDGES, backward also adds to the sums of out-arcs: for an arc (v, w) of a shortest
// path, sources * sigma(v) * coefficient(w). For each root one work-item visits an arc. The host
// then launches backward for level 0 too: the root takes no score, but its arcs do.
#if COUNT_EDGES
#define ARCS_PARAMETER , __global const real *sigma, __global SCORE *arc_scores
#define COUNT_ARC(v, arc, coefficient) \
    (arc_scores[(size_t)slot * offsets[n] + (arc)] += SOURCES * (SIGMA(v) * (coefficient)))
#else
#define ARCS_PARAMETER
#define COUNT_ARC(v, arc, coefficient) (void)0
#endif

// The positions of the numbers of a vertex, which `ablation.cl` replaces.
#ifndef LEVEL
#define LEVEL(v) level[place + (v)]
#define SIGMA(v) sigma[place + (v)]
#define COEFFICIENT(v) coefficient[place + (v)]
#endif

// Adds up the pieces of vertex v in a slot; first[n] is the number of all pieces.
static inline real sum_of_pieces(const uint v, const uint slot, const uint n,
                                 __global const uint *first, __global const real *partial) {
    partial += (size_t)slot * first[n];
    real sum = 0;
    for (uint piece = first[v]; piece < first[v + 1]; piece++) sum += partial[piece];
    return sum;
}

// Clears the levels and puts the root on level 0. A work-item per vertex.
__kernel GROUP_OF_ITEMS void NAMED(reset)(BATCH, __global uint *level, __global real *sigma) {
    BEGIN_SLOT;
    const uint v = get_global_id(0);
    if (v >= n) return;
    const bool is_root = v == ROOT;
    LEVEL(v) = is_root ? 0u : UNSEEN;
    SIGMA(v) = is_root;
    if (is_root) found[1] = 1;
}

// Puts unseen vertices with a path from level `depth` on level depth + 1. A work-item per vertex.
__kernel GROUP_OF_ITEMS void NAMED(forward_reduce)(BATCH, __global const uint *first,
                                                   __global const real *partial,
                                                   __global const real *weight,
                                                   __global uint *level, __global real *sigma,
                                                   __global real *coefficient, const uint twins,
                                                   __global const real *multiplicity) {
    __local uint any;
    BEGIN_SLOT;
    const uint v = get_global_id(0);
    // This does not return early: PoCL 5.0 loses the state of work-items at barriers after a
    // return.
    const bool busy = found[1 + depth] != 0;
    if (get_local_id(0) == 0) any = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (busy && v < n && LEVEL(v) == UNSEEN) {
        const real times = MULTIPLICITY(twins, multiplicity, v);
        const real paths = times * sum_of_pieces(v, slot, n, first, partial);
        if (paths > 0) {
            LEVEL(v) = depth + 1;
            SIGMA(v) = paths;
            COEFFICIENT(v) = times * (weight[v] / paths);
            atomic_or(&any, 1u);
            if (!(paths <= SIGMA_LIMIT)) atomic_or(&found[0], 1u);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && any) atomic_or(&found[2 + depth], 1u);
}

// Computes coefficient = (weight + delta) / sigma of the vertices of level `depth`, for all of
// their twins, and adds their dependencies to the scores. Each vertex is on one level, so this is
// the only addition to its score for this root. A work-item per vertex.
__kernel GROUP_OF_ITEMS void NAMED(backward_reduce)(
    BATCH, __global const uint *first, __global const real *partial, __global const uint *level,
    __global const real *sigma, __global real *coefficient, __global SCORE *scores,
    const uint twins, __global const real *multiplicity) {
    BEGIN_SLOT;
    const uint v = get_global_id(0);
    if (v >= n || !found[2 + depth] || found[1 + planned]) return;
    if (LEVEL(v) != depth) return;
    const real sum = sum_of_pieces(v, slot, n, first, partial);
    COEFFICIENT(v) += MULTIPLICITY(twins, multiplicity, v) * sum;
    scores[place + v] += SOURCES * SIGMA(v) * sum;
}

// Counts path ends of a directed graph: a pair of the root and a reached vertex counts once at each
// end. A work-item per vertex; reached[root] is the number of reached vertices.
__kernel GROUP_OF_ITEMS void NAMED(endpoints)(BATCH, __global const uint *level,
                                              __global uint *reached, __global SCORE *scores) {
    __local uint count;
    BEGIN_SLOT;
    const uint v = get_global_id(0);
    const bool counts = !found[1 + planned];
    if (get_local_id(0) == 0) count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (counts && v < n && v != ROOT && LEVEL(v) != UNSEEN) {
        scores[place + v] += SOURCES;
        atomic_inc(&count);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && count) atomic_add(&reached[ROOT], count);
}

// Adds the sums of all slots in a fixed order, puts them into the first slot and clears the others.
// A work-item per sum.
__kernel GROUP_OF_ITEMS void NAMED(add_slots)(const uint slots, const uint count,
                                              __global SCORE *sums) {
    const uint item = get_global_id(0);
    if (item >= count) return;
    SCORE sum = 0;
    for (size_t slot = 0; slot < slots; slot++) {
        sum += sums[slot * count + item];
        sums[slot * count + item] = 0;
    }
    sums[item] = sum;
}
