/* Sources inside chains of degree-2 vertices. They are not searched from: shortest paths from them
 * leave the chain by one of its ends, so the searches from the two ends serve them. */

/* The tables of a chain, which src/prepare/chains/split.rs describes: the positions of its first
 * and last threshold in `thresholds`, and of its first bucket in `buckets`; a bucket has 2^shift
 * values of x. */
struct chain {
    uint first, last, bucket, shift;
};

/* The chains that a batch serves. The two ends of a chain are in the same group of GROUP_LANES
 * lanes. */
struct served {
    __global const struct chain *chains;
    __global const uint *thresholds, *buckets;
    __global const real *before;
    /* The chains of group g have the entries group_offsets[g]..group_offsets[g + 1] of `list`:
     * x = lane of end 0 * GROUP_LANES + place of end 1 in its group, y = the chain, z = its length,
     * w = its only threshold, or NONE if it has several. `inside` has the number of sources inside
     * the chain of each entry. */
    __global const uint *group_offsets;
    __global const uint4 *list;
    __global const real *inside;
    /* The entries end_offsets[l]..end_offsets[l + 1] of `ends` are the ends in lane l: twice the
     * place of the chain in `list`, plus 1 for end 1. */
    __global const uint *end_offsets, *ends;
};

/* Computes how many sources inside a chain, the entry `place` of `list`, reach a target by end 0
 * and by end 1, from the distances and path counts of the target from the two ends. A source that
 * reaches it by both ends counts for each in proportion to the path counts. */
static inline void by_ends(struct served served, uint place, uint4 chain, uint distance_0,
                           uint distance_1, real paths_0, real paths_1, real *by_0, real *by_1) {
    uint x = min(chain.z + distance_1 - distance_0, 2 * chain.z);
    real all = served.inside[place], both;
    if (chain.w != NONE) {
        *by_0 = x > chain.w ? all : 0;
        *by_1 = x < chain.w ? all : 0;
        both = x == chain.w ? all : 0;
    } else {
        struct chain tables = served.chains[chain.y];
        uint at = tables.first + served.buckets[tables.bucket + (x >> tables.shift)];
        while (served.thresholds[at] < x) at++;
        uint next = at + (served.thresholds[at] == x);
        *by_0 = served.before[at];
        *by_1 = all - served.before[next];
        both = served.before[next] - *by_0;
    }
    if (both > 0) {
        *by_0 += both * (paths_0 / (paths_0 + paths_1));
        *by_1 += both * (paths_1 / (paths_0 + paths_1));
    }
}

/* Whether a group among the `count` lanes from `lane` on serves a chain. Both numbers are multiples
 * of GROUP_LANES. */
static inline int serves(struct served served, uint lane, uint count) {
    return served.group_offsets[lane / GROUP_LANES] <
           served.group_offsets[(lane + count) / GROUP_LANES];
}

/* Returns the sources that lanes lane..lane + 3 stand for at a vertex: those at their roots, and
 * those inside chains that reach the vertex by these roots. `own_chain` is the chain that the
 * vertex is inside of, whose sources do not count here, or NO_CHAIN of src/prepare/chains. The
 * work-group has the distances and path counts of `count` lanes from `first` on in local memory,
 * and room for 2 * CHAINS numbers in `parts`. All its work-items call this together. */
static inline real4 all_sources(struct served served, uint own_chain, uint lane, uint first,
                                uint count, __global const real *sources,
                                __local const uint4 *distances, __local const real4 *counts,
                                __local real *parts) {
    __local const uint *distance = (__local const uint *)distances;
    __local const real *paths = (__local const real *)counts;
    real sum[ITEM_LANES];
    uint at[ITEM_LANES + 1];
    for (uint i = 0; i < ITEM_LANES; i++) sum[i] = sources[lane + i];
    for (uint i = 0; i <= ITEM_LANES; i++) at[i] = served.end_offsets[lane + i];
    uint begin = served.group_offsets[first / GROUP_LANES];
    uint end = served.group_offsets[(first + count) / GROUP_LANES];
    for (uint base = begin; base < end; base += CHAINS) {
        uint chain_count = min(end - base, (uint)CHAINS);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = get_local_id(0); i < chain_count; i += WORK_GROUP) {
            uint4 chain = served.list[base + i];
            uint lane_0 = chain.x / GROUP_LANES - first;
            uint lane_1 = lane_0 / GROUP_LANES * GROUP_LANES + chain.x % GROUP_LANES;
            real by_0 = 0, by_1 = 0;
            if (chain.y != own_chain) {
                by_ends(served, base + i, chain, distance[lane_0], distance[lane_1], paths[lane_0],
                        paths[lane_1], &by_0, &by_1);
            }
            parts[2 * i] = by_0;
            parts[2 * i + 1] = by_1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < ITEM_LANES; i++) {
            for (uint e = at[i]; e < at[i + 1]; e++) {
                uint part = served.ends[e] - 2 * base;
                if (part < 2 * chain_count) sum[i] += parts[part];
            }
        }
    }
    return (real4)(sum[0], sum[1], sum[2], sum[3]);
}
