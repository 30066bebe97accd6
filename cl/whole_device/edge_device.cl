// Strategy "edge-device": one root at a time over the whole device (`root_per_device.cl`), with a
// work-item per arc; every level looks at all arcs. Shi and Zhang, "Fast network centrality
// analysis using GPUs" (GPU-FAN), BMC Bioinformatics 2011. Their float atomics are replaced by the
// sums of `tiles.cl`: a work-group is a tile of arcs, and each run of a row in it is a piece.

// The piece of row `v` that lies in this work-group's tile.
uint piece_of_tile(const uint v, __global const uint *first, __global const uint *offsets) {
    return first[v] + ((uint)get_group_id(0) - offsets[v] / WORK_GROUP);
}

// Path counts: every unseen vertex adds up sigma over its in-arcs from level `depth`. A work-item
// per in-arc; offsets, tails (the vertex of each arc's row) and targets are those of the in-arcs.
__kernel GROUP_OF_ITEMS void edge_device_forward(
    const uint depth, const uint row, __global const uint *found, const uint arcs,
    __global const uint *first, __global const uint *tails, __global const uint *offsets,
    __global const uint *targets, __global const uint *level, __global const real *sigma,
    __global real *partial) {
    TILE_LOCALS;
    found += row;
    const bool busy = found[1 + depth] != 0; // the same for the whole group
    const uint arc = get_global_id(0);
    const bool inside = busy && arc < arcs;
    const uint v = inside ? tails[arc] : UNSEEN;
    const bool unseen = inside && level[v] == UNSEEN;
    bool active = false;
    real value = 0;
    if (unseen) {
        const uint u = targets[arc];
        active = level[u] == depth;
        if (active) value = sigma[u];
    }
    begin_tiles(tile_flags);
    const real sum = tile_sum(0, v, active, value, tile_values, tile_rows, tile_flags);
    if (unseen && (get_local_id(0) == 0 || arc == offsets[v])) {
        partial[piece_of_tile(v, first, offsets)] = sum;
    }
}

// Dependencies: every vertex of level `depth` adds up coefficient over its out-arcs to the next
// level. A work-item per out-arc; offsets, tails and targets are those of the out-arcs.
__kernel GROUP_OF_ITEMS void edge_device_backward(
    const uint depth, const uint row, __global const uint *found, const uint planned,
    SOURCES_PARAMETER const uint arcs, __global const uint *first, __global const uint *tails,
    __global const uint *offsets, __global const uint *targets, __global const uint *level,
    __global const real *coefficient, __global real *partial ARCS_PARAMETER) {
    TILE_LOCALS;
    found += row;
    const bool busy = found[2 + depth] && !found[1 + planned]; // the same for the whole group
    const uint arc = get_global_id(0);
    const bool inside = busy && arc < arcs;
    const uint v = inside ? tails[arc] : UNSEEN;
    const bool here = inside && level[v] == depth;
    bool active = false;
    real value = 0;
    if (here) {
        const uint w = targets[arc];
        active = level[w] == depth + 1;
        if (active) {
            value = coefficient[w];
            COUNT_ARC(v, arc, value);
        }
    }
    begin_tiles(tile_flags);
    const real sum = tile_sum(0, v, active, value, tile_values, tile_rows, tile_flags);
    if (here && (get_local_id(0) == 0 || arc == offsets[v])) {
        partial[piece_of_tile(v, first, offsets)] = sum;
    }
}
