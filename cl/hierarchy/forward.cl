/* The way down: distances and path counts, and the coefficients of leaves. */

/* Adds `more` paths of length `reached` to the known ones: shorter paths replace longer ones. */
static inline void merge(uint4 *known, real4 *sum, uint4 reached, real4 more) {
    *sum = select((real4)0, *sum, MASK(reached >= *known));
    *sum += select((real4)0, more, MASK(reached <= *known));
    *known = min(*known, reached);
}

/* The vertex and lanes of a work-item on the way down. If vertices have many arcs, work-items in
 * several `slots` share the arcs of a vertex. The number of slots divides the work-group. */
struct place {
    uint v, slot, slots, width, lane;
};

static inline struct place place_of(uint first, uint slots) {
    uint item = get_local_id(0), width = WORK_GROUP / slots;
    uint lane = ((uint)get_group_id(1) * width + item % width) * ITEM_LANES;
    struct place place = {first + (uint)get_group_id(0), item / width, slots, width, lane};
    return place;
}

/* Computes distances and path counts of a vertex in four lanes from those of its higher neighbours
 * and the results of `climb`. The work-items of slot 0 have the result. */
static inline void from_above(struct place place, uint lanes, uint deepest,
                              __global const uint *offsets, __global const uint *heads,
                              __global const uint *lengths, __global const real *paths,
                              __global const uint2 *subtrees, __global const uint *depth,
                              __global const uint *roots, __global const uint *climb_distance,
                              __global const real *climb_count, __global const uint *distance,
                              __global const number *count, __local uint4 *known_of_slots,
                              __local real4 *sum_of_slots, uint4 *known, real4 *sum) {
    uint v = place.v, item = get_local_id(0), lane = place.lane;
    *known = (uint4)FAR;
    *sum = (real4)0;
    int4 climbed = in_subtree(vload4(0, roots + lane), subtrees[v]);
    if (place.slot == 0 && any(climbed)) {
        size_t at = (size_t)lane * deepest + depth[v], step = deepest;
        uint4 found = (uint4)(climb_distance[at], climb_distance[at + step],
                              climb_distance[at + 2 * step], climb_distance[at + 3 * step]);
        real4 counts = (real4)(climb_count[at], climb_count[at + step], climb_count[at + 2 * step],
                               climb_count[at + 3 * step]);
        *known = select(*known, found, climbed);
        *sum = select(*sum, counts, MASK(climbed));
    }
    uint end = offsets[v + 1];
    for (uint arc = offsets[v] + place.slot; arc < end; arc += place.slots) {
        size_t from = (size_t)heads[arc] * lanes + lane;
        uint4 reached = vload4(0, distance + from) + lengths[arc];
        real4 more = TO_REAL4(vload4(0, count + from)) * paths[arc];
        merge(known, sum, reached, more);
    }
    for (uint left = place.slots / 2; left > 0; left /= 2) {
        known_of_slots[item] = *known;
        sum_of_slots[item] = *sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (place.slot < left) {
            uint other = item + left * place.width;
            merge(known, sum, known_of_slots[other], sum_of_slots[other]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Computes the distances and path counts of a level, from vertex `first` on. */
__kernel GROUP_OF_ITEMS void NAMED(forward)(
    uint first, uint slots, uint lanes, uint deepest, __global const uint *offsets,
    __global const uint *heads, __global const uint *lengths, __global const real *paths,
    __global const uint2 *subtrees, __global const uint *depth, __global const uint *roots,
    __global const uint *climb_distance, __global const real *climb_count, __global uint *distance,
    __global number *count, __global uint *status) {
    __local uint4 known_of_slots[WORK_GROUP];
    __local real4 sum_of_slots[WORK_GROUP];
    uint4 known;
    real4 sum;
    struct place place = place_of(first, slots);
    from_above(place, lanes, deepest, offsets, heads, lengths, paths, subtrees, depth, roots,
               climb_distance, climb_count, distance, count, known_of_slots, sum_of_slots, &known,
               &sum);
    if (place.slot > 0) return;
    size_t at = (size_t)place.v * lanes + place.lane;
    vstore4(known, 0, distance + at);
    vstore4(TO_NUMBER4(sum), 0, count + at);
    if (any(sum > (real4)COUNT_LIMIT)) atomic_or(status, 1u);
}

/* Stores the distances and coefficients of a leaf, which are known on the way down. */
static inline void store_leaf(struct place place, uint lanes, uint4 known, real4 sum, real4 ends,
                              __global uint *distance, __global number *coefficient,
                              __global uint *status PASSES_AND_KINDS) {
    if (place.slot > 0) return;
    size_t at = (size_t)place.v * lanes + place.lane;
    vstore4(known, 0, distance + at);
#if QUERY
    for (uint pass = 0; pass < passes; pass++) {
        real4 own = ends * factors(known, kinds[pass].x, kinds[passes].x, *decay) / DIVISOR(sum);
        own = select((real4)0, own, MASK(known < FAR));
        vstore4(TO_NUMBER4(own), 0, coefficient + OF_PASS(place.v) * lanes + place.lane);
    }
#else
    real4 each = select((real4)0, ends / sum, MASK(known < FAR));
    vstore4(TO_NUMBER4(each), 0, coefficient + at);
#endif
    if (any(sum > (real4)COUNT_LIMIT)) atomic_or(status, 1u);
}

/* Computes the distances and coefficients of the leaves. */
__kernel GROUP_OF_ITEMS void NAMED(leaves)(
    uint first, uint slots, uint lanes, uint deepest, PASSES_PARAMETER __global const uint *offsets,
    __global const uint *heads, __global const uint *lengths, __global const real *paths,
    __global const uint2 *subtrees, __global const uint *depth, __global const uint *roots,
    __global const uint *climb_distance, __global const real *climb_count, __global uint *distance,
    __global const number *count, __global uint *status, __global const real *weight,
    __global const real *sources, __global number *coefficient KINDS_PARAMETERS) {
    __local uint4 known_of_slots[WORK_GROUP];
    __local real4 sum_of_slots[WORK_GROUP];
    uint4 known;
    real4 sum;
    struct place place = place_of(first, slots);
    from_above(place, lanes, deepest, offsets, heads, lengths, paths, subtrees, depth, roots,
               climb_distance, climb_count, distance, count, known_of_slots, sum_of_slots, &known,
               &sum);
    real4 ends = vload4(0, sources + place.lane) * weight[place.v];
    store_leaf(place, lanes, known, sum, ends, distance, coefficient, status KINDS_ARGUMENTS);
}

#if !QUERY
/* Computes the same where roots also serve sources inside chains. */
__kernel GROUP_OF_ITEMS void NAMED(leaves_serving)(
    uint first, uint slots, uint lanes, uint deepest, __global const uint *offsets,
    __global const uint *heads, __global const uint *lengths, __global const real *paths,
    __global const uint2 *subtrees, __global const uint *depth, __global const uint *roots,
    __global const uint *climb_distance, __global const real *climb_count, __global uint *distance,
    __global const number *count, __global uint *status, __global const real *weight,
    __global const real *sources, __global number *coefficient, __global const uint *chain_of,
    __global const struct chain *chains, __global const uint *thresholds,
    __global const uint *buckets, __global const real *before, __global const uint *group_offsets,
    __global const uint4 *served_list, __global const real *inside,
    __global const uint *end_offsets, __global const uint *ends) {
    __local uint4 known_of_slots[WORK_GROUP];
    __local real4 sum_of_slots[WORK_GROUP];
    __local real parts[2 * CHAINS];
    uint4 known;
    real4 sum;
    struct place place = place_of(first, slots);
    from_above(place, lanes, deepest, offsets, heads, lengths, paths, subtrees, depth, roots,
               climb_distance, climb_count, distance, count, known_of_slots, sum_of_slots, &known,
               &sum);
    struct served served = {chains,      thresholds, buckets,     before, group_offsets,
                            served_list, inside,     end_offsets, ends};
    uint width = place.width * ITEM_LANES, tile = (uint)get_group_id(1) * width;
    real4 all = vload4(0, sources + place.lane);
    if (serves(served, tile, width)) {
        if (place.slot == 0) {
            known_of_slots[get_local_id(0)] = known;
            sum_of_slots[get_local_id(0)] = sum;
        }
        all = all_sources(served, chain_of[place.v], place.lane, tile, width, sources,
                          known_of_slots, sum_of_slots, parts);
    }
    store_leaf(place, lanes, known, sum, all * weight[place.v], distance, coefficient, status);
}
#endif
