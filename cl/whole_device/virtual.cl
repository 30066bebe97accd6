// Strategy "virtual": one root at a time over the whole device, level by level
// (`root_per_device.cl`). A work-item is a virtual vertex: at most D arcs of a vertex, dealt
// round-robin. It writes the sum over its arcs to `partial`.

// Path counts: every unseen vertex adds up sigma over its in-arcs from level `depth`.
// A work-item per virtual vertex; offsets and targets are those of the in-arcs.
__kernel GROUP_OF_ITEMS void virtual_forward(const uint depth, const uint row,
                                             __global const uint *found, const uint pieces,
                                             __global const uint *first, __global const uint *owner,
                                             __global const uint *offsets,
                                             __global const uint *targets,
                                             __global const uint *level, __global const real *sigma,
                                             __global real *partial) {
    found += row;
    const uint piece = get_global_id(0);
    if (piece >= pieces || !found[1 + depth]) return;
    const uint v = owner[piece];
    if (level[v] != UNSEEN) return;
    const uint stride = first[v + 1] - first[v];
    const uint end = offsets[v + 1];
    real sum = 0;
    for (uint arc = offsets[v] + (piece - first[v]); arc < end; arc += stride) {
        const uint u = targets[arc];
        if (level[u] == depth) sum += sigma[u];
    }
    partial[piece] = sum;
}

// Dependencies: every vertex of level `depth` adds up coefficient over its out-arcs to the next
// level. A work-item per virtual vertex; offsets and targets are those of the out-arcs.
__kernel GROUP_OF_ITEMS void virtual_backward(
    const uint depth, const uint row, __global const uint *found, const uint planned,
    SOURCES_PARAMETER const uint pieces, __global const uint *first, __global const uint *owner,
    __global const uint *offsets, __global const uint *targets, __global const uint *level,
    __global const real *coefficient, __global real *partial ARCS_PARAMETER) {
    found += row;
    const uint piece = get_global_id(0);
    if (piece >= pieces || !found[2 + depth] || found[1 + planned]) return;
    const uint v = owner[piece];
    if (level[v] != depth) return;
    const uint stride = first[v + 1] - first[v];
    const uint end = offsets[v + 1];
    real sum = 0;
    for (uint arc = offsets[v] + (piece - first[v]); arc < end; arc += stride) {
        const uint w = targets[arc];
        if (level[w] == depth + 1) {
            const real below = coefficient[w];
            sum += below;
            COUNT_ARC(v, arc, below);
        }
    }
    partial[piece] = sum;
}
