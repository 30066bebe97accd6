/* Paths over rising arcs: from a root up to its ancestors, and back. */

/* Searches from a root along rising arcs, with a work-group for each lane with a root. Distances
 * and path counts are stored by lane and depth of the ancestor. */
__kernel GROUP_OF_ITEMS void NAMED(climb)(uint deepest, __global const uint *offsets,
                                          __global const uint *heads, __global const uint *lengths,
                                          __global const real *paths, __global const uint *parent,
                                          __global const uint *depth,
                                          __global const uint *root_vertex,
                                          __global uint *climb_distance,
                                          __global real *climb_count) {
    uint lane = get_group_id(0), item = get_local_id(0), root = root_vertex[lane];
    climb_distance += (size_t)lane * deepest;
    climb_count += (size_t)lane * deepest;
    uint last = depth[root];
    for (uint d = item; d <= last; d += WORK_GROUP) {
        climb_distance[d] = d == last ? 0 : FAR;
        climb_count[d] = d == last ? 1 : 0;
    }
    uint v = root;
    for (uint d = last;; d--) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        uint distance = climb_distance[d];
        real paths_here = climb_count[d];
        uint end = distance < FAR ? offsets[v + 1] : 0;
        for (uint arc = offsets[v] + item; arc < end; arc += WORK_GROUP) {
            uint to = depth[heads[arc]];
            uint known = climb_distance[to], reached = distance + lengths[arc];
            if (reached > known) continue;
            real tied = reached == known ? climb_count[to] : 0;
            climb_distance[to] = reached;
            climb_count[to] = tied + paths_here * paths[arc];
        }
        if (d == 0) break;
        v = parent[v];
    }
}

/* Goes back along the rising arcs, from the highest ancestor of the root down, with a work-group
 * for each lane with a root. Writes E(v) of docs/internals.md to `climb_coefficient`, and the
 * addition to the score to `climb_score`. Where the climb is longer than the distance,
 * `climb_distance` becomes NEVER and `climb_count` 0. */
__kernel GROUP_OF_ITEMS void NAMED(descend)(
    uint lanes, uint deepest, PASS_PARAMETERS __global const uint *offsets,
    __global const uint *heads, __global const uint *lengths, __global const real *paths,
    __global const uint *parent, __global const uint *depth, __global const uint *root_vertex,
    __global uint *path, __global const uint *distance, __global const number *coefficient,
    __global uint *climb_distance, __global real *climb_count, __global real *climb_coefficient,
    __global real *climb_score) {
    __local real sums[WORK_GROUP];
    uint lane = get_group_id(0), item = get_local_id(0), root = root_vertex[lane];
    size_t column = (size_t)lane * deepest;
    climb_distance += column;
    climb_count += column;
    climb_coefficient += column;
    climb_score += column;
    path += column;
    uint last = depth[root];
    if (item == 0) {
        for (uint d = last, v = root;; d--, v = parent[v]) {
            path[d] = v;
            if (d == 0) break;
        }
    }
    for (uint d = 0; d <= last; d++) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint v = path[d];
        size_t row = (size_t)v * lanes + lane;
        uint climbed = climb_distance[d], reached = distance[row];
        int tight = climbed == reached && reached < FAR;
        real rising = 0;
        uint end = tight ? offsets[v + 1] : 0;
        for (uint arc = offsets[v] + item; arc < end; arc += WORK_GROUP) {
            uint to = depth[heads[arc]];
            if (climbed + lengths[arc] == climb_distance[to])
                rising += paths[arc] * climb_coefficient[to];
        }
        sums[item] = rising;
        add_rows(sums, 1);
        /* All work-items have read the values that are written now. */
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (item == 0) {
            real falling = coefficient[OF_PASS(v) * lanes + lane], own = tight ? climb_count[d] : 0;
            rising = sums[0];
            climb_coefficient[d] = tight ? falling + rising : 0;
            climb_count[d] = own;
            if (!tight) climb_distance[d] = NEVER;
            climb_score[d] = v != root ? own * rising : 0;
        }
    }
}

/* Returns the position of the first of the ascending ranks `roots` that is not below `rank`. */
static inline uint lower_bound(__global const uint *roots, uint lanes, uint rank) {
    uint low = 0, high = lanes;
    while (low < high) {
        uint middle = low + (high - low) / 2;
        if (roots[middle] < rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Adds up the results of `descend` for each vertex over the lanes with a root in its subtree, with
 * a work-group for each vertex. `roots` are the ranks of all roots, ascending, and `lane_of` their
 * lanes. */
__kernel GROUP_OF_ITEMS void NAMED(climb_sums)(
    uint lanes, uint deepest, PASS_PARAMETERS __global const uint *offsets,
    __global const uint *heads, __global const uint *lengths, __global const real *paths,
    __global const uint2 *subtrees, __global const uint *depth, __global const uint *roots,
    __global const uint *lane_of, __global const uint *climb_distance,
    __global const real *climb_count, __global const real *climb_coefficient,
    __global const real *climb_score, __global SCORE *flows, __global SCORE *scores) {
    __local real sums[WORK_GROUP];
    uint v = get_group_id(0), item = get_local_id(0);
    uint2 subtree = subtrees[v];
    uint low = lower_bound(roots, lanes, subtree.x);
    uint high = lower_bound(roots, lanes, subtree.y + 1);
    if (low == high) return;
    size_t here = depth[v];
    real score = 0;
    for (uint at = low + item; at < high; at += WORK_GROUP) {
        score += climb_score[(size_t)lane_of[at] * deepest + here];
    }
    sums[item] = score;
    add_rows(sums, 1);
    if (item == 0) scores[OF_PASS(v)] += sums[0];
    for (uint arc = offsets[v] + item; arc < offsets[v + 1]; arc += WORK_GROUP) {
        size_t there = depth[heads[arc]];
        real flow = 0;
        for (uint at = low; at < high; at++) {
            size_t column = (size_t)lane_of[at] * deepest;
            uint from = climb_distance[column + here] + lengths[arc];
            real part = climb_count[column + here] * climb_coefficient[column + there];
            flow += from == climb_distance[column + there] ? part : 0;
        }
        flows[OF_PASS(arc)] += paths[arc] * flow;
    }
}
