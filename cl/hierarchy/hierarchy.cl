/* Strategy "hierarchy": exact betweenness by sweeps over the overlay of a contraction hierarchy, a
 * lane for each root of a batch. src/prepare/hierarchy/ says what the overlay is, and
 * docs/internals.md derives the sweeps.
 *
 * Vertices are numbered by elimination level, the last level first, so that the vertices of a level
 * follow each other and all their higher neighbours come before them. A launch takes one level.
 * Rows of a number per lane, row-major by vertex:
 *   distance[v][lanes]     from the root of the lane; FAR if it is not reached
 *   count[v][lanes]        number of shortest paths
 *   coefficient[v][lanes]  (sources * weight + dependency) / count
 * Leaves of the elimination tree, which are the vertices of the last level, have no row of counts:
 * their coefficients are known on the way down.
 *
 * A root reaches its ancestors in the elimination tree by rising arcs first (`climb`). What that
 * finds is kept by lane and depth of the ancestor, and is where the way down (`forward`) begins.
 * The way up (`backward`) adds dependencies of paths that fall from a vertex; `descend` adds those
 * of paths that rise through it. Scores are sums of paths times what flows on below the vertex
 * (`backward`) or above it (`descend`).
 *
 * Macros from the host, beside those of common.cl: MOST_ARCS, the degree D of virtual vertices;
 * MIXED, which stores counts and coefficients as floats and computes in `real`. A work-group has a
 * tile of WORK_GROUP * ITEM_LANES lanes.
 */
#ifndef MOST_ARCS
#define MOST_ARCS 16
#endif
#ifndef MIXED
#define MIXED 0
#endif
#define ITEM_LANES 4
#define GROUP_LANES 16
#define CHAINS (2 * WORK_GROUP)

#define FAR 0x7fffffffu
#define NEVER 0xffffffffu /* a distance that no path has */
#define NONE 0xffffffffu  /* no root in this lane; no piece of a virtual vertex */

#if REAL_IS_DOUBLE
typedef double4 real4;
#define TO_REAL4 convert_double4
#define MASK(comparison) convert_long4(comparison)
#else
typedef float4 real4;
#define TO_REAL4 convert_float4
#define MASK(comparison) (comparison)
#endif
#if REAL_IS_DOUBLE && !MIXED
typedef double number;
typedef double4 number4;
#define TO_NUMBER4 convert_double4
#else
typedef float number;
typedef float4 number4;
#define TO_NUMBER4 convert_float4
#endif

#define TILE (WORK_GROUP * ITEM_LANES)

/* The first lane of this work-item. */
static inline uint first_lane(void) {
    return (uint)get_group_id(1) * TILE + (uint)get_local_id(0) * ITEM_LANES;
}

/* The lanes whose root is in a subtree of the elimination tree: ranks `subtree.x..=subtree.y`. */
static inline int4 in_subtree(uint4 roots, uint2 subtree) {
    return roots - subtree.x <= (uint4)(subtree.y - subtree.x);
}

/* Tables of a chain of degree-2 vertices, whose inner sources the roots at its two ends serve: its
 * first and its last threshold, its first bucket, and how many values there are for a bucket, as a
 * power of two. src/prepare/chains/split.rs says what these are. */
struct chain {
    uint first, last, bucket, shift;
};

/* The chains that a batch serves, by groups of GROUP_LANES lanes. */
struct served {
    __global const struct chain *chains;
    __global const uint *thresholds, *buckets;
    __global const real *before;
    /* Chains of group g are group_offsets[g]..group_offsets[g + 1]: the lane of end 0 times
     * GROUP_LANES and the place of end 1 in its group, the chain, its length, and its only
     * threshold, or NONE if it has several; and the sources inside. */
    __global const uint *group_offsets;
    __global const uint4 *list;
    __global const real *inside;
    /* Ends in lane l are end_offsets[l]..end_offsets[l + 1]: twice the place in `list`, plus 1 for
     * end 1. */
    __global const uint *end_offsets, *ends;
};

/* The sources inside chain `place` of the batch that reach a target by end 0, and by end 1: the
 * target is at these distances from the ends, with so many paths. */
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

/* Whether any of `count` lanes from a group on is at the end of a chain. */
static inline int serves(struct served served, uint lane, uint count) {
    return served.group_offsets[lane / GROUP_LANES] <
           served.group_offsets[(lane + count) / GROUP_LANES];
}

/* The sources of lanes lane..lane + 3 at a vertex inside chain `inside`: those of their roots, and
 * those inside chains that reach the vertex by them. The work-group has the distances and path
 * counts of `count` lanes from `first` on in local memory, and room for 2 * CHAINS numbers. All its
 * work-items call this together. */
static inline real4 all_sources(struct served served, uint inside, uint lane, uint first,
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
        uint many = min(end - base, (uint)CHAINS);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = get_local_id(0); i < many; i += WORK_GROUP) {
            uint4 chain = served.list[base + i];
            uint lane_0 = chain.x / GROUP_LANES - first;
            uint lane_1 = lane_0 / GROUP_LANES * GROUP_LANES + chain.x % GROUP_LANES;
            real by_0 = 0, by_1 = 0;
            if (chain.y != inside) {
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
                if (part < 2 * many) sum[i] += parts[part];
            }
        }
    }
    return (real4)(sum[0], sum[1], sum[2], sum[3]);
}

/* Adds up each of `rows` rows of a number per work-item; the sum is the first number. */
static inline void add_rows(__local real *sums, uint rows) {
    for (uint count = WORK_GROUP; count > 1; count -= count / 2) {
        uint pairs = count / 2, left = count - pairs;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = get_local_id(0); i < rows * pairs; i += WORK_GROUP) {
            uint at = i / pairs * WORK_GROUP + i % pairs;
            sums[at] += sums[at + left];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* A work-group for each lane: the search from its root along rising arcs. What it finds is kept by
 * lane and depth of the ancestor. */
__kernel GROUP_OF_ITEMS void NAMED(climb)(uint deepest, __global const uint *offsets,
                                          __global const uint *heads, __global const uint *lengths,
                                          __global const real *paths, __global const uint *parent,
                                          __global const uint *depth,
                                          __global const uint *root_vertex,
                                          __global uint *climb_distance,
                                          __global real *climb_count) {
    uint lane = get_group_id(0), item = get_local_id(0), root = root_vertex[lane];
    if (root == NONE) return;
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
            real kept = reached == known ? climb_count[to] : 0;
            climb_distance[to] = reached;
            climb_count[to] = kept + paths_here * paths[arc];
        }
        if (d == 0) break;
        v = parent[v];
    }
}

/* Takes paths into account that come from other work-items: shorter ones replace those known. */
static inline void merge(uint4 *known, real4 *sum, uint4 reached, real4 more) {
    *sum = select((real4)0, *sum, MASK(reached >= *known));
    *sum += select((real4)0, more, MASK(reached <= *known));
    *known = min(*known, reached);
}

/* Where a work-item is on the way down: work-items in as many `slots` as divide the group share the
 * arcs of a vertex, where vertices have many. */
struct place {
    uint v, slot, slots, width, lane;
};

static inline struct place place_of(uint first, uint slots) {
    uint item = get_local_id(0), width = WORK_GROUP / slots;
    uint lane = ((uint)get_group_id(1) * width + item % width) * ITEM_LANES;
    struct place place = {first + (uint)get_group_id(0), item / width, slots, width, lane};
    return place;
}

/* Distances and path counts of a vertex in four lanes, by those of its higher neighbours. The
 * work-items of slot 0 have them afterwards. */
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

/* One level of the way down: distances and path counts. Vertices `first` and on. */
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
    if (any(sum > (real4)SIGMA_LIMIT)) atomic_or(status, 1u);
}

/* Stores what is known of a leaf: its coefficients are known on the way down. */
static inline void store_leaf(struct place place, uint lanes, uint4 known, real4 sum, real4 ends,
                              __global uint *distance, __global number *coefficient,
                              __global uint *status) {
    if (place.slot > 0) return;
    size_t at = (size_t)place.v * lanes + place.lane;
    vstore4(known, 0, distance + at);
    real4 each = select((real4)0, ends / sum, MASK(known < FAR));
    vstore4(TO_NUMBER4(each), 0, coefficient + at);
    if (any(sum > (real4)SIGMA_LIMIT)) atomic_or(status, 1u);
}

/* The last level of the way down. */
__kernel GROUP_OF_ITEMS void NAMED(leaves)(
    uint first, uint slots, uint lanes, uint deepest, __global const uint *offsets,
    __global const uint *heads, __global const uint *lengths, __global const real *paths,
    __global const uint2 *subtrees, __global const uint *depth, __global const uint *roots,
    __global const uint *climb_distance, __global const real *climb_count, __global uint *distance,
    __global const number *count, __global uint *status, __global const real *weight,
    __global const real *sources, __global number *coefficient) {
    __local uint4 known_of_slots[WORK_GROUP];
    __local real4 sum_of_slots[WORK_GROUP];
    uint4 known;
    real4 sum;
    struct place place = place_of(first, slots);
    from_above(place, lanes, deepest, offsets, heads, lengths, paths, subtrees, depth, roots,
               climb_distance, climb_count, distance, count, known_of_slots, sum_of_slots, &known,
               &sum);
    real4 ends = vload4(0, sources + place.lane) * weight[place.v];
    store_leaf(place, lanes, known, sum, ends, distance, coefficient, status);
}

/* The same where sources inside chains are served. */
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

/* Stores the coefficients of a vertex of this rank and weight in the lanes of this work-item;
 * returns what they add to its score: nothing where it is the root. */
static inline real settle(size_t at, real4 below, real4 counts, real4 sources, real weight,
                          uint rank, uint4 roots, __global number *coefficient) {
    real4 each = below + select((real4)0, sources * weight / counts, counts > (real4)0);
    vstore4(TO_NUMBER4(each), 0, coefficient + at);
    real4 score = select(counts * below, (real4)0, MASK(roots == rank));
    return (score.x + score.y) + (score.z + score.w);
}

/* One level of the way up, by chunks of at most MOST_ARCS arcs to lower vertices: those of the
 * vertices chunk.x..chunk.y, or a piece of those of one vertex, whose sums go to `partial`. The
 * arcs are chunk.z..chunk.w. */
__kernel GROUP_OF_ITEMS void NAMED(backward)(
    uint first, uint lanes, uint arcs, uint vertices, __global const uint4 *chunks,
    __global const uint *pieces, __global const uint *lower_offsets, __global const uint *lower,
    __global const uint *lengths, __global const real *paths, __global const uint2 *subtrees,
    __global const real *weight, __global const uint *roots, __global const real *sources,
    __global const uint *chain_of, __global const struct chain *chains,
    __global const uint *thresholds, __global const uint *buckets, __global const real *before,
    __global const uint *group_offsets, __global const uint4 *served_list,
    __global const real *inside, __global const uint *end_offsets, __global const uint *ends,
    __global const uint *distance, __global const number *count, __global number *coefficient,
    __global real *partial, __global SCORE *flows, __global SCORE *scores) {
    __local real flow_sums[MOST_ARCS * WORK_GROUP];
    __local real score_sums[MOST_ARCS * WORK_GROUP];
    __local uint4 distances[WORK_GROUP];
    __local real4 paths_of_lanes[WORK_GROUP];
    __local real parts[2 * CHAINS];
    uint4 chunk = chunks[first + (uint)get_group_id(0)];
    uint piece = pieces[first + (uint)get_group_id(0)];
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
        real4 below = (real4)0;
        uint end = min(lower_offsets[v + 1], chunk.w);
        for (uint arc = max(lower_offsets[v], chunk.z); arc < end; arc++) {
            size_t to = (size_t)lower[arc] * lanes + lane;
            int4 tight = here + lengths[arc] == vload4(0, distance + to);
            real4 part = TO_REAL4(vload4(0, coefficient + to)) * paths[arc];
            part = select((real4)0, part, MASK(tight));
            below += part;
            part *= counts;
            flow_sums[(arc - chunk.z) * WORK_GROUP + item] = (part.x + part.y) + (part.z + part.w);
        }
        if (piece == NONE) {
            score_sums[(v - chunk.x) * WORK_GROUP + item] =
                settle(at, below, counts, all, weight[v], subtrees[v].y, own_roots, coefficient);
        } else {
            vstore4(below, 0, partial + (size_t)piece * lanes + lane);
        }
    }
    add_rows(flow_sums, many_arcs);
    for (uint row = item; row < many_arcs; row += WORK_GROUP) {
        flows[(size_t)tile * arcs + chunk.z + row] += flow_sums[row * WORK_GROUP];
    }
    if (piece != NONE) return;
    add_rows(score_sums, many_vertices);
    for (uint row = item; row < many_vertices; row += WORK_GROUP) {
        scores[(size_t)tile * vertices + chunk.x + row] += score_sums[row * WORK_GROUP];
    }
}

/* Adds up the pieces of the split vertices of a level. Work-items in `slots` share the pieces. */
__kernel GROUP_OF_ITEMS void NAMED(backward_reduce)(
    uint first, uint slots, uint lanes, uint splits, __global const uint *split_vertex,
    __global const uint2 *split_pieces, __global const uint2 *subtrees, __global const real *weight,
    __global const uint *roots, __global const real *sources, __global const uint *chain_of,
    __global const struct chain *chains, __global const uint *thresholds,
    __global const uint *buckets, __global const real *before, __global const uint *group_offsets,
    __global const uint4 *served_list, __global const real *inside,
    __global const uint *end_offsets, __global const uint *ends, __global const uint *distance,
    __global const number *count, __global number *coefficient, __global const real *partial,
    __global SCORE *scores) {
    __local real score_sums[WORK_GROUP];
    __local uint4 distances[WORK_GROUP];
    __local real4 paths_of_lanes[WORK_GROUP];
    __local real parts[2 * CHAINS];
    __local real4 below_of_slots[WORK_GROUP];
    uint split = first + (uint)get_group_id(0);
    uint v = split_vertex[split], item = get_local_id(0);
    uint width = WORK_GROUP / slots, slot = item / width;
    uint2 pieces = split_pieces[split];
    uint lane = ((uint)get_group_id(1) * width + item % width) * ITEM_LANES;
    real4 below = (real4)0;
    for (uint piece = pieces.x + slot; piece < pieces.y; piece += slots) {
        below += vload4(0, partial + (size_t)piece * lanes + lane);
    }
    for (uint left = slots / 2; left > 0; left /= 2) {
        below_of_slots[item] = below;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (slot < left) below += below_of_slots[item + left * width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
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
    if (slot == 0) {
        score = settle(at, below, counts, all, weight[v], subtrees[v].y, vload4(0, roots + lane),
                       coefficient);
    }
    score_sums[item] = score;
    add_rows(score_sums, 1);
    /* A tile is as many groups as there are slots. */
    if (item == 0) scores[(size_t)get_group_id(1) * splits + split] += score_sums[0];
}

/* A work-group for each lane: back along the rising arcs, from the last ancestor of the root down.
 * Leaves dependencies of paths that rise through a vertex in `climb_any`, and what the vertex adds
 * to its score in `climb_score`. */
__kernel GROUP_OF_ITEMS void NAMED(descend)(
    uint lanes, uint deepest, __global const uint *offsets, __global const uint *heads,
    __global const uint *lengths, __global const real *paths, __global const uint *parent,
    __global const uint *depth, __global const uint *root_vertex, __global uint *path,
    __global const uint *distance, __global const number *coefficient,
    __global uint *climb_distance, __global real *climb_count, __global real *climb_any,
    __global real *climb_score) {
    __local real sums[WORK_GROUP];
    uint lane = get_group_id(0), item = get_local_id(0), root = root_vertex[lane];
    if (root == NONE) return;
    size_t column = (size_t)lane * deepest;
    climb_distance += column;
    climb_count += column;
    climb_any += column;
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
            if (climbed + lengths[arc] == climb_distance[to]) rising += paths[arc] * climb_any[to];
        }
        sums[item] = rising;
        add_rows(sums, 1);
        /* All have read what is written now. */
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (item == 0) {
            real falling = coefficient[row], own = tight ? climb_count[d] : 0;
            rising = sums[0];
            climb_any[d] = tight ? falling + rising : 0;
            climb_count[d] = own;
            if (!tight) climb_distance[d] = NEVER;
            climb_score[d] = v != root ? own * rising : 0;
        }
    }
}

/* The first of the ascending ranks of `roots` that is not below `rank`. */
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

/* A work-group for each vertex: adds up what the lanes with a root below it have left. `roots` are
 * the ranks of all roots, ascending, and `lane_of` their lanes. */
__kernel GROUP_OF_ITEMS void NAMED(climb_sums)(
    uint lanes, uint deepest, __global const uint *offsets, __global const uint *heads,
    __global const uint *lengths, __global const real *paths, __global const uint2 *subtrees,
    __global const uint *depth, __global const uint *roots, __global const uint *lane_of,
    __global const uint *climb_distance, __global const real *climb_count,
    __global const real *climb_any, __global const real *climb_score, __global SCORE *flows,
    __global SCORE *scores) {
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
    if (item == 0) scores[v] += sums[0];
    for (uint arc = offsets[v] + item; arc < offsets[v + 1]; arc += WORK_GROUP) {
        size_t there = depth[heads[arc]];
        real flow = 0;
        for (uint at = low; at < high; at++) {
            size_t column = (size_t)lane_of[at] * deepest;
            uint from = climb_distance[column + here] + lengths[arc];
            real part = climb_count[column + here] * climb_any[column + there];
            flow += from == climb_distance[column + there] ? part : 0;
        }
        flows[arc] += paths[arc] * flow;
    }
}

/* Adds up sums that each tile has: the first `count` numbers become those of all. */
__kernel GROUP_OF_ITEMS void NAMED(add_tiles)(uint count, uint tiles, __global SCORE *sums) {
    size_t at = get_global_id(0);
    if (at >= count) return;
    SCORE sum = 0;
    for (uint tile = 0; tile < tiles; tile++) sum += sums[(size_t)tile * count + at];
    sums[at] = sum;
}

/* Path ends of directed graphs, if they count. A work-group for each vertex: the roots meet it. */
__kernel GROUP_OF_ITEMS void NAMED(met)(uint lanes, __global const uint *root_vertex,
                                        __global const real *sources, __global const uint *distance,
                                        __global SCORE *scores) {
    __local real sums[WORK_GROUP];
    uint v = get_group_id(0), item = get_local_id(0);
    real sum = 0;
    for (uint lane = item; lane < lanes; lane += WORK_GROUP) {
        int meets = distance[(size_t)v * lanes + lane] < FAR && root_vertex[lane] != v;
        if (meets) sum += sources[lane];
    }
    sums[item] = sum;
    add_rows(sums, 1);
    if (item == 0) scores[v] += sums[0];
}

/* The same for the roots, with a work-item for each lane: they meet the vertices. */
__kernel GROUP_OF_ITEMS void NAMED(reached)(uint lanes, uint vertices,
                                            __global const uint *root_vertex,
                                            __global const real *sources,
                                            __global const uint *distance, __global SCORE *scores) {
    uint lane = get_global_id(0);
    if (lane >= lanes || root_vertex[lane] == NONE) return;
    uint count = 0;
    for (uint v = 0; v < vertices; v++) count += distance[(size_t)v * lanes + lane] < FAR;
    scores[root_vertex[lane]] += sources[lane] * (count - 1);
}
