/* Strategy "lanes", dependencies of arcs (COUNT_EDGES): for an arc (v, w), the sum of factor *
 * sigma(v) * coefficient(w) over the lanes in which w is one level after v. This file is compiled
 * after lanes.cl.
 *
 * After the backward phase, sigma and coefficient of all levels are stored, so one pass over the
 * arcs covers all levels, and the kernels of the search stay unchanged. A work-group has GROUP
 * arcs, for all tiles one after the other, so that no other work-group adds to their sums. Each
 * work-item first finds the lanes of one arc; then teams of TEAM work-items go through the rows of
 * an arc, 32 lanes at a time, and their parts are added in a fixed order.
 */
#if COUNT_EDGES
#define TEAM (32 / ITEM_LANES)
#define TEAMS (GROUP / TEAM)

/* `depth`: deepest level of the batch; `used_tiles`: tiles that have a root. Grid: a work-item per
 * arc. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void lanes_arcs(
    uint depth, uint used_tiles, PASS_PARAMETER uint arcs, __global const uint *tails,
    __global const uint *targets, uint n, uint tiles, __global const mask *levels,
    __global const path_count *sigma, __global const coef *coefficient, uint components,
    __global const uint *component_of, __global const uint *first_factor,
    __global const real *factors, __global SCORE *arc_scores) {
    __local mask masks[GROUP];
    __local uint tail_rows[GROUP], target_rows[GROUP];
    __local real parts[GROUP * (TEAM + 1)]; /* rows start in different banks */
    const uint item = get_local_id(0), team = item / TEAM, part = item % TEAM;
    const uint arc = get_global_id(0);
    const bool inside = arc < arcs;
    const size_t plane = (size_t)n * tiles;
    const uint v = inside ? tails[arc] : 0, w = inside ? targets[arc] : 0;
    tail_rows[item] = v;
    target_rows[item] = w;
    SCORE sum = 0;
    for (uint tile = 0; tile < used_tiles; tile++) {
        const size_t rows = (size_t)tile * n;
        mask lanes = (mask)(0);
        if (inside)
            for (uint level = 0; level < depth; level++)
                lanes |= levels[level * plane + rows + v] & levels[(level + 1) * plane + rows + w];
        masks[item] = lanes;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = team; i < GROUP; i += TEAMS) {
            real share = 0;
            for (uint word = 0; word < WORDS; word++) {
                const uint lane = word * 32 + part * ITEM_LANES;
                const uint m = ((__local const uint *)masks)[i * WORDS + word];
                const uint pick = (m >> (part * ITEM_LANES)) & ALL_LANES;
                if (pick) {
                    const reals paths =
                        TO_REALS(load_count(sigma + (rows + tail_rows[i]) * LANES + lane, pick));
                    const reals below = TO_REALS(
                        load_coef(coefficient + (rows + target_rows[i]) * LANES + lane, pick));
                    const uint of = component(components, component_of, tail_rows[i]);
                    const reals weight =
                        LOAD_LANES(reals, factors + first_factor[of] + (size_t)tile * LANES + lane);
                    share += sum_of_reals(weight * (paths * below), pick);
                }
            }
            parts[i * (TEAM + 1) + part] = share;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        real of_tile = 0;
        for (uint i = 0; i < TEAM; i++) of_tile += parts[item * (TEAM + 1) + i];
        sum += of_tile;
    }
#if QUERY
    arc_scores += pass * (size_t)arcs;
#endif
    if (inside) arc_scores[arc] += sum;
}
#endif
