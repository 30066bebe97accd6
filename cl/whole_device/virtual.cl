// Strategy "virtual": one root at a time over the whole device, level by level
// (`root_per_device.cl`). A work-item is a virtual vertex: at most D arcs of a vertex, dealt
// round-robin. It writes the sum over its arcs to `partial`.

// The arcs of vertex v in a piece, which `ablation.cl` replaces.
#ifndef STRIDE
#define FIRST_ARC(v, piece) (offsets[v] + ((piece)-first[v]))
#define END_OF_ARCS(v, piece) offsets[(v) + 1]
#define STRIDE(v) (first[(v) + 1] - first[v])
#endif
// Stores the sum of a piece; `ablation.cl` adds it to the vertex at once.
#ifndef ADDED_TO
#define ADDED_TO __global const
#define LEVEL_NOW(v) LEVEL(v)
#define IS_UNSEEN(v) (LEVEL(v) == UNSEEN)
#define FORWARD_SUM(sum) partial[piece] = sum
#define BACKWARD_SUM(sum) partial[piece] = sum
#endif

// Path counts: every unseen vertex adds up sigma over its in-arcs from level `depth`. A work-item
// per virtual vertex; offsets and targets are those of the in-arcs.
__kernel GROUP_OF_ITEMS void virtual_forward(const uint depth, const uint row, ADDED_TO uint *found,
                                             const uint pieces, __global const uint *first,
                                             __global const uint *owner,
                                             __global const uint *offsets,
                                             __global const uint *targets, ADDED_TO uint *level,
                                             ADDED_TO real *sigma, __global real *partial) {
    found += row;
    const uint piece = get_global_id(0);
    if (piece >= pieces || !found[1 + depth]) return;
    const uint v = owner[piece];
    if (!IS_UNSEEN(v)) return;
    const uint stride = STRIDE(v);
    const uint end = END_OF_ARCS(v, piece);
    real sum = 0;
    for (uint arc = FIRST_ARC(v, piece); arc < end; arc += stride) {
        const uint u = targets[arc];
        if (LEVEL_NOW(u) == depth) sum += SIGMA(u);
    }
    FORWARD_SUM(sum);
}

// Dependencies: every vertex of level `depth` adds up coefficient over its out-arcs to the next
// level. A work-item per virtual vertex; offsets and targets are those of the out-arcs.
__kernel GROUP_OF_ITEMS void virtual_backward(
    const uint depth, const uint row, __global const uint *found, const uint planned,
    SOURCES_PARAMETER const uint pieces, __global const uint *first, __global const uint *owner,
    __global const uint *offsets, __global const uint *targets, __global const uint *level,
    ADDED_TO real *coefficient, __global real *partial ARCS_PARAMETER) {
    found += row;
    const uint piece = get_global_id(0);
    if (piece >= pieces || !found[2 + depth] || found[1 + planned]) return;
    const uint v = owner[piece];
    if (LEVEL(v) != depth) return;
    const uint stride = STRIDE(v);
    const uint end = END_OF_ARCS(v, piece);
    real sum = 0;
    for (uint arc = FIRST_ARC(v, piece); arc < end; arc += stride) {
        const uint w = targets[arc];
        if (LEVEL(w) == depth + 1) {
            const real below = COEFFICIENT(w);
            sum += below;
            COUNT_ARC(v, arc, below);
        }
    }
    BACKWARD_SUM(sum);
}
