// Sums over rows with a work-item per arc, for the edge-parallel strategies. A tile is WORK_GROUP
// consecutive arcs, one per work-item; the arcs of a row are consecutive too, so a row is a run of
// work-items in each tile that it touches. The numbers of a run are added pairwise in local memory,
// in a fixed order, and its first work-item gets the sum.

#define TILE_LOCALS                       \
    __local real tile_values[WORK_GROUP]; \
    __local uint tile_rows[WORK_GROUP];   \
    __local uint tile_flags[3]

// Call this before the first tile of a pass.
void begin_tiles(__local uint *flags) {
    if (get_local_id(0) == 0) flags[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Returns the sum of `value` over the run of this work-item, from this work-item on. `value` is 0
// unless the work-item is `active`. A tile without active values costs one barrier, which also
// separates the global writes of tiles. `tile` is the number of the tile in the pass. The flag that
// tile t clears for the next tile was last read in tile t - 2, before the barrier of tile t - 1.
real tile_sum(const uint tile, const uint row, const bool active, const real value,
              __local real *values, __local uint *rows, __local uint *flags) {
    const uint item = get_local_id(0);
    values[item] = value;
    rows[item] = row;
    if (item == 0) flags[(tile + 1) % 3] = 0;
    if (active) atomic_or(&flags[tile % 3], 1u);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    real sum = value;
    if (flags[tile % 3]) {
        for (uint step = 1; step < WORK_GROUP; step *= 2) {
            const bool same = item + step < WORK_GROUP && rows[item + step] == row;
            const real other = same ? values[item + step] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += other;
            values[item] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    return sum;
}
