/* The way up: dependencies of paths that fall from a vertex, flows and scores. */

/* Stores the coefficients of a vertex of this rank and weight in the lanes of this work-item.
 * Returns what these lanes add to its score, except those in which it is the root. */
static inline real settle(size_t at, real4 below, real4 counts, real4 divisor, real4 sources,
                          real weight, uint rank, uint4 roots, __global number *coefficient) {
    real4 each = below + select((real4)0, sources * weight / divisor, divisor > (real4)0);
    vstore4(TO_NUMBER4(each), 0, coefficient + at);
    real4 score = select(counts * below, (real4)0, MASK(roots == rank));
    return (score.x + score.y) + (score.z + score.w);
}

/* Computes the coefficients of a level, with a work-group for each chunk of at most MOST_ARCS arcs
 * to lower vertices. The arcs chunk.z..chunk.w are all arcs of the vertices chunk.x..chunk.y,
 * or a piece of the arcs of one vertex, whose sums go to `partial`. */
__kernel GROUP_OF_ITEMS void NAMED(backward)(
    uint first, uint lanes, uint arcs, uint vertices, PASSES_PARAMETER __global const uint4 *chunks,
    __global const uint *pieces, __global const uint *lower_offsets,
    __global const uint *lower_ends, __global const uint *lengths, __global const real *paths,
    __global const uint2 *subtrees, __global const real *weight, __global const uint *roots,
    __global const real *sources, __global const uint *chain_of,
    __global const struct chain *chains, __global const uint *thresholds,
    __global const uint *buckets, __global const real *before, __global const uint *group_offsets,
    __global const uint4 *served_list, __global const real *inside,
    __global const uint *end_offsets, __global const uint *ends, __global const uint *distance,
    __global const number *count, __global number *coefficient, __global real *partial,
    __global SCORE *flows, __global SCORE *scores KINDS_PARAMETERS) {
    __local real flow_sums[MOST_ARCS * WORK_GROUP];
    __local real score_sums[MOST_ARCS * WORK_GROUP];
    __local uint4 distances[WORK_GROUP];
    __local real4 paths_of_lanes[WORK_GROUP];
    __local real parts[2 * CHAINS];
    FIND_PASS;
    uint4 chunk = chunks[first + place];
    uint piece = pieces[first + place];
    uint many_arcs = chunk.w - chunk.z, many_vertices = chunk.y - chunk.x;
    uint item = get_local_id(0), tile = get_group_id(1);
    uint lane = first_lane();
    uint4 own_roots = vload4(0, roots + lane);
    struct served served = {chains,      thresholds, buckets,     before, group_offsets,
                            served_list, inside,     end_offsets, ends};
    int serving = piece == NONE && serves(served, tile * TILE, TILE);
    for (uint v = chunk.x; v < chunk.y; v++) {
        size_t at = (size_t)v * lanes + lane;
        uint4 here = vload4(0, distance + at);
        real4 counts = TO_REAL4(vload4(0, count + at));
        real4 all = vload4(0, sources + lane);
        if (serving) {
            distances[item] = here;
            paths_of_lanes[item] = counts;
            all = all_sources(served, chain_of[v], lane, tile * TILE, TILE, sources, distances,
                              paths_of_lanes, parts);
        }
#if QUERY
        all *= factors(here, kinds[pass].x, kinds[passes].x, *decay);
#endif
        real4 below = (real4)0;
        uint end = min(lower_offsets[v + 1], chunk.w);
        for (uint arc = max(lower_offsets[v], chunk.z); arc < end; arc++) {
            size_t to = (size_t)lower_ends[arc] * lanes + lane;
            int4 tight = here + lengths[arc] == vload4(0, distance + to);
            size_t row = OF_PASS(lower_ends[arc]) * lanes + lane;
            real4 part = TO_REAL4(vload4(0, coefficient + row)) * paths[arc];
            part = select((real4)0, part, MASK(tight));
            below += part;
            part *= counts;
            flow_sums[(arc - chunk.z) * WORK_GROUP + item] = (part.x + part.y) + (part.z + part.w);
        }
        if (piece == NONE) {
            score_sums[(v - chunk.x) * WORK_GROUP + item] =
                settle(OF_PASS(v) * lanes + lane, below, counts, DIVISOR(counts), all, weight[v],
                       subtrees[v].y, own_roots, coefficient);
        } else {
            vstore4(below, 0, partial + OF_PASS(piece) * lanes + lane);
        }
    }
    add_rows(flow_sums, many_arcs);
    for (uint row = item; row < many_arcs; row += WORK_GROUP) {
        flows[OF_PASS(tile) * arcs + chunk.z + row] += flow_sums[row * WORK_GROUP];
    }
    if (piece != NONE) return;
    add_rows(score_sums, many_vertices);
    for (uint row = item; row < many_vertices; row += WORK_GROUP) {
        scores[OF_PASS(tile) * vertices + chunk.x + row] += score_sums[row * WORK_GROUP];
    }
}

/* Adds up the pieces of the split vertices of a level. Work-items in `slots` share the pieces. */
__kernel GROUP_OF_ITEMS void NAMED(backward_reduce)(
    uint first, uint slots, uint lanes, uint splits,
    PASSES_PARAMETER __global const uint *split_vertex, __global const uint2 *split_pieces,
    __global const uint2 *subtrees, __global const real *weight, __global const uint *roots,
    __global const real *sources, __global const uint *chain_of,
    __global const struct chain *chains, __global const uint *thresholds,
    __global const uint *buckets, __global const real *before, __global const uint *group_offsets,
    __global const uint4 *served_list, __global const real *inside,
    __global const uint *end_offsets, __global const uint *ends, __global const uint *distance,
    __global const number *count, __global number *coefficient, __global const real *partial,
    __global SCORE *scores KINDS_PARAMETERS) {
    __local real score_sums[WORK_GROUP];
    __local uint4 distances[WORK_GROUP];
    __local real4 paths_of_lanes[WORK_GROUP];
    __local real parts[2 * CHAINS];
    __local real4 below_of_slots[WORK_GROUP];
    FIND_PASS;
    uint split = first + place;
    uint v = split_vertex[split], item = get_local_id(0);
    uint width = WORK_GROUP / slots, slot = item / width;
    uint2 pieces = split_pieces[split];
    uint lane = ((uint)get_group_id(1) * width + item % width) * ITEM_LANES;
    real4 below = (real4)0;
    for (uint piece = pieces.x + slot; piece < pieces.y; piece += slots) {
        below += vload4(0, partial + OF_PASS(piece) * lanes + lane);
    }
    /* PoCL 5.0 loses the value of `item` at these barriers. */
    for (uint left = slots / 2; left > 0; left /= 2) {
        below_of_slots[get_local_id(0)] = below;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (slot < left) below += below_of_slots[get_local_id(0) + left * width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    item = get_local_id(0);
    real score = 0;
    struct served served = {chains,      thresholds, buckets,     before, group_offsets,
                            served_list, inside,     end_offsets, ends};
    uint tile = (uint)get_group_id(1) * width * ITEM_LANES;
    int serving = serves(served, tile, width * ITEM_LANES);
    size_t at = (size_t)v * lanes + lane;
    real4 counts = TO_REAL4(vload4(0, count + at));
    real4 all = vload4(0, sources + lane);
    if (serving) {
        if (slot == 0) {
            distances[item] = vload4(0, distance + at);
            paths_of_lanes[item] = counts;
        }
        all = all_sources(served, chain_of[v], lane, tile, width * ITEM_LANES, sources, distances,
                          paths_of_lanes, parts);
    }
#if QUERY
    all *= factors(vload4(0, distance + at), kinds[pass].x, kinds[passes].x, *decay);
#endif
    if (slot == 0) {
        score = settle(OF_PASS(v) * lanes + lane, below, counts, DIVISOR(counts), all, weight[v],
                       subtrees[v].y, vload4(0, roots + lane), coefficient);
    }
    score_sums[item] = score;
    add_rows(score_sums, 1);
    /* Each work-group has its own row of scores, because `slots` work-groups share a tile. */
    if (item == 0) scores[OF_PASS(get_group_id(1)) * splits + split] += score_sums[0];
}
