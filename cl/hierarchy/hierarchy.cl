/* Strategy "hierarchy": exact betweenness by sweeps over the overlay of a contraction hierarchy, a
 * lane for each root of a batch. src/prepare/hierarchy/ describes the overlay, and
 * docs/internals.md derives the sweeps.
 *
 * Vertices are numbered by elimination level, the highest first, so that the vertices of a level
 * follow each other and all their higher neighbours come before them. A launch takes one level.
 * Rows of a number per lane, row-major by vertex:
 *   distance[v][lanes]     from the root of the lane; FAR if it is not reached
 *   count[v][lanes]        number of shortest paths
 *   coefficient[v][lanes]  (sources * weight + dependency) / count
 * For leaves of the elimination tree, which are the vertices of the lowest level, counts are not
 * stored, because their coefficients are known on the way down.
 *
 * A root first reaches its ancestors in the elimination tree by rising arcs (`climb`). Their
 * distances and path counts are stored by lane and depth of the ancestor, in rows of `deepest`
 * numbers, and the way down (`forward`) begins with them. The way up (`backward`) adds dependencies
 * of paths that fall from a vertex; `descend` adds those of paths that rise through it. Scores are
 * sums of path counts times the flow below the vertex (`backward`) or above it (`descend`).
 *
 * Macros from the host, beside those of common.cl: MOST_ARCS, the most arcs D of a chunk; MIXED,
 * which stores counts and coefficients as floats and computes in `real`. A work-group has a tile of
 * WORK_GROUP * ITEM_LANES lanes.
 *
 * A query (QUERY) has `passes` backward phases, each with rows of coefficients and sums of its own.
 * On the way up, a work-group takes one phase of a chunk. The work-groups of all phases of a chunk
 * have consecutive numbers, so that they share the rows of distances and counts in the cache. Pass
 * p has
 *   kinds[p]               the largest distance that counts; whether paths are counted (stress)
 * and all have the factor exp(-*decay * distance). The lowest kinds[passes].x bits of distances
 * count edges of length zero. `add_distances` sums distances.
 */
#ifndef MOST_ARCS
#define MOST_ARCS 16
#endif
#ifndef MIXED
#define MIXED 0
#endif
#define ITEM_LANES 4
#define GROUP_LANES 16
#define CHAINS (2 * WORK_GROUP) /* chains that `all_sources` takes at a time */

#define FAR 0x7fffffffu
#define NEVER 0xffffffffu /* a distance that no path has */
#define NONE 0xffffffffu  /* no root in this lane; no piece of a split vertex */

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
#define COUNT_LIMIT SIGMA_LIMIT
#else
typedef float number;
typedef float4 number4;
#define TO_NUMBER4 convert_float4
#define COUNT_LIMIT 0x1p126f /* so that coefficients are normal floats */
#endif

#define TILE (WORK_GROUP * ITEM_LANES)

/* OF_PASS(row): the row of this backward phase if each phase has one, otherwise `row`. FIND_PASS
 * declares `place`, the number of the chunk or vertex of this work-group on the level, and `pass`,
 * its phase. */
#if QUERY
#define PASSES_PARAMETER uint passes,
#define PASS_PARAMETERS uint passes, uint pass,
#define KINDS_PARAMETERS , __global const uint2 *kinds, __global const real *decay
#define PASSES_AND_KINDS , uint passes KINDS_PARAMETERS
#define KINDS_ARGUMENTS , passes, kinds, decay
#define FIND_PASS uint place = (uint)get_group_id(0) / passes, pass = (uint)get_group_id(0) % passes
#define OF_PASS(row) ((size_t)(row)*passes + pass)
#define DIVISOR(counts) (kinds[pass].y ? (real4)1 : (counts))
#else
#define PASSES_PARAMETER
#define PASS_PARAMETERS
#define KINDS_PARAMETERS
#define PASSES_AND_KINDS
#define KINDS_ARGUMENTS
#define FIND_PASS uint place = get_group_id(0)
#define OF_PASS(row) ((size_t)(row))
#define DIVISOR(counts) (counts)
#endif

/* The first lane of this work-item. */
static inline uint first_lane(void) {
    return (uint)get_group_id(1) * TILE + (uint)get_local_id(0) * ITEM_LANES;
}

/* A mask of the lanes whose root is in a subtree of the elimination tree: ranks
 * `subtree.x..=subtree.y`. */
static inline int4 in_subtree(uint4 roots, uint2 subtree) {
    return roots - subtree.x <= (uint4)(subtree.y - subtree.x);
}

/* Adds up each of `rows` rows of WORK_GROUP numbers; the sum replaces the first number of the row.
 * Begins and ends with a barrier. */
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

/* Adds up the sums of all tiles into the first `count` numbers. */
__kernel GROUP_OF_ITEMS void NAMED(add_tiles)(uint count, uint tiles, __global SCORE *sums) {
    size_t at = get_global_id(0);
    if (at >= count) return;
    SCORE sum = 0;
    for (uint tile = 0; tile < tiles; tile++) sum += sums[(size_t)tile * count + at];
    sums[at] = sum;
}

/* Counts path ends of directed graphs at targets, with a work-group for each vertex. */
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

/* Counts path ends of directed graphs at the roots, with a work-item for each lane. */
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

#if QUERY
/* Returns the factors of pairs at these distances, whose `zero_bits` low bits do not count. */
static inline real4 factors(uint4 distance, uint limit, uint zero_bits, real decay) {
    real4 each = decay > 0 ? exp(-decay * TO_REAL4(distance >> zero_bits)) : (real4)1;
    return select((real4)0, each, MASK(distance <= limit));
}

/* Sums distances, with a work-group for each vertex. Each of the `sum_count` sums has a kind, which
 * src/strategy/hierarchy/kernels.rs numbers, and a largest distance that counts; the zero bits of
 * distances follow. */
__kernel GROUP_OF_ITEMS void NAMED(add_distances)(uint lanes, uint vertices, uint sum_count,
                                                  __global const uint2 *kinds,
                                                  __global const real *decay,
                                                  __global const real *sources,
                                                  __global const uint *distance,
                                                  __global SCORE *sums) {
    __local real parts[WORK_GROUP];
    uint v = get_group_id(0), item = get_local_id(0);
    for (uint at = 0; at < sum_count; at++) {
        uint kind = kinds[at].x, limit = kinds[at].y;
        real4 sum = (real4)0;
        for (uint lane = item * ITEM_LANES; lane < lanes; lane += TILE) {
            uint4 here = vload4(0, distance + (size_t)v * lanes + lane);
            real4 amount = TO_REAL4(here >> kinds[sum_count].x);
            if (kind == 0) amount = (real4)1;
            if (kind == 1) amount = exp(-*decay * amount);
            if (kind == 3) amount = select((real4)0, 1 / amount, amount > (real4)0);
            amount *= vload4(0, sources + lane);
            /* Distance 0, that of the root, wraps around and does not count. */
            sum += select((real4)0, amount, MASK(here - 1 < limit));
        }
        parts[item] = (sum.x + sum.y) + (sum.z + sum.w);
        add_rows(parts, 1);
        if (item == 0) sums[(size_t)at * vertices + v] += parts[0];
    }
}
#endif
