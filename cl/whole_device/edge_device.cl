// Strategy "edge-device": several roots at a time, level by level (`levels.cl`), with a work-item
// per arc and slot; every level looks at all arcs. Shi and Zhang, "Fast network centrality analysis
// using GPUs" (GPU-FAN), BMC Bioinformatics 2011. Their float atomics are replaced by the sums of
// `tiles.cl`: a work-group is a tile of arcs, and each run of a row in it is a piece.

// Stores the sum of a run of row v; the run is the piece of v in this work-group's tile.
#define STORE_RUN(sum)                                                                 \
    if (looks && (get_local_id(0) == 0 || arc == offsets[v])) {                        \
        const uint piece = first[v] + (uint)get_group_id(0) - offsets[v] / WORK_GROUP; \
        partial[(size_t)slot * first[n] + piece] = sum;                                \
    }

// Path counts: every unseen vertex adds up sigma over its in-arcs from level `depth`. A work-item
// per in-arc; offsets, tails (the vertex of each arc's row) and targets are those of the in-arcs.
__kernel GROUP_OF_ITEMS void edge_device_forward(
    BATCH, __global const uint *first, __global const uint *tails, __global const uint *offsets,
    __global const uint *targets, __global const uint *level, __global const real *sigma,
    __global real *partial) {
    TILE_LOCALS;
    BEGIN_SLOT;
    const uint arc = get_global_id(0);
    const bool inside = found[1 + depth] && arc < offsets[n];
    const uint v = inside ? tails[arc] : UNSEEN;
    const bool looks = inside && LEVEL(v) == UNSEEN;
    const uint u = looks ? targets[arc] : 0;
    const bool active = looks && LEVEL(u) == depth;
    const real value = active ? SIGMA(u) : 0;
    begin_tiles(tile_flags);
    const real sum = tile_sum(0, v, active, value, tile_values, tile_rows, tile_flags);
    STORE_RUN(sum);
}

// Dependencies: every vertex of level `depth` adds up coefficient over its out-arcs to the next
// level. A work-item per out-arc; offsets, tails and targets are those of the out-arcs.
__kernel GROUP_OF_ITEMS void edge_device_backward(
    BATCH, __global const uint *first, __global const uint *tails, __global const uint *offsets,
    __global const uint *targets, __global const uint *level, __global const real *coefficient,
    __global real *partial ARCS_PARAMETER) {
    TILE_LOCALS;
    BEGIN_SLOT;
    const uint arc = get_global_id(0);
    const bool inside = found[2 + depth] && !found[1 + planned] && arc < offsets[n];
    const uint v = inside ? tails[arc] : UNSEEN;
    const bool looks = inside && LEVEL(v) == depth;
    const uint w = looks ? targets[arc] : 0;
    const bool active = looks && LEVEL(w) == depth + 1;
    const real value = active ? COEFFICIENT(w) : 0;
    if (active) COUNT_ARC(v, arc, value);
    begin_tiles(tile_flags);
    const real sum = tile_sum(0, v, active, value, tile_values, tile_rows, tile_flags);
    STORE_RUN(sum);
}
