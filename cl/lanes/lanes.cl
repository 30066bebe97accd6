/* Strategy "lanes": exact betweenness of a batch of roots, one lane of a tile each.
 *
 * A tile is LANES roots searched side by side; a launch works on many tiles (dimension 1 of the
 * grid), so that small levels still fill the device. Arrays of a batch:
 *   sigma[tile][v][LANES]
 *                     number of shortest paths
 *   coefficient[tile][v][LANES]
 *                     (weight of v as a target + delta) / sigma
 *   levels[level][tile][v][WORDS]
 *                     one bit per lane: the root of the lane reaches v at this level
 *   todo[tile][v][WORDS]
 *                     one bit per lane: the lane has not reached v yet
 * Both directions pull: a vertex adds what its neighbours hold, so no sum needs an atomic.
 *
 * Work is cut into chunks of at most D consecutive arcs: either some whole vertices, or one piece
 * (a virtual vertex) of a vertex with more than D arcs. Pieces write partial sums, which a
 * reduction kernel adds per vertex in a fixed order. One work-group takes one chunk of one tile, in
 * stages of two steps. Scan: each work-item looks at one arc for all lanes (mask AND mask); arcs
 * with lanes to work on are packed into local memory, in arc order. Gather: each work-item sums its
 * ITEM_LANES lanes over all packed arcs, so neighbouring items read neighbouring lanes of a row; an
 * item reads nothing of rows without bits for its lanes.
 *
 * Macros from the host, beside those of common.cl: LANES (32, 64, 128, 256 or 512) and ITEM_LANES
 * (2 or 4). A work-group has LANES / ITEM_LANES work-items. Loading rows limits the speed, so with
 * NARROW_COUNTS path counts are floats, which are exact up to 2^24, far more than most graphs need.
 * With MIXED, coefficients are floats too; src/engine.rs derives the error.
 *
 * This file has the beginning and the end of a batch, and the functions that both directions use;
 * the directions are in forward.cl and backward.cl, which are compiled after this file.
 */
#ifndef LANES
#define LANES 128
#endif
#ifndef ITEM_LANES
#define ITEM_LANES 2
#endif
#ifndef NARROW_COUNTS
#define NARROW_COUNTS 0
#endif
#ifndef MIXED
#define MIXED 0
#endif
#ifndef UNROLL /* packed arcs whose rows are requested together */
#define UNROLL 4
#endif
#ifndef SCORE_ROWS /* vertices whose scores are added up across the work-group together */
#define SCORE_ROWS 4
#endif

/* With EXACT_ACCESS (common.cl) the lanes of a row are loaded one by one, and only those that are
 * used. The default build loads the whole vector of a work-item if it uses any lane of it. Formally
 * this is a race: while one work-group reads a lane of row u that an earlier launch settled, the
 * work-group of u may store another lane of the same vector, which this launch settles. No lane
 * that is used can change: earlier launches stored it, and this one stores only lanes that it
 * settles (STORE_PICKED). The values of other lanes are ignored (ADD, settle_backward).
 */

#define GROUP (LANES / ITEM_LANES) /* work-items per work-group, arcs per stage */
/* WORDS is a literal, because it is pasted into type names. */
#if LANES == 32
#define WORDS 1
#elif LANES == 64
#define WORDS 2
#elif LANES == 128
#define WORDS 4
#elif LANES == 256
#define WORDS 8
#elif LANES == 512
#define WORDS 16
#endif
#define BALLOTS ((GROUP + 31) / 32)

/* The barrier of a scan also orders global accesses: after it, work-items may write words of `todo`
 * that others have read in the scan. */
#ifndef SCAN_FENCE
#define SCAN_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

/* A query (query.cl) has a backward phase for each of its passes, which stops at the radius of the
 * pass, and a score of each vertex in each of its columns. */
#if QUERY
#define PASS_PARAMETER uint pass,
#else
#define PASS_PARAMETER
#endif

#define NONE 0xffffffffu
#define FIRST_ARC 0x80000000u /* flag in `owners`: first arc of its vertex */
#define STATUS_OVERFLOW 1u
/* Bits of alive[level][tile]: a vertex is at the level (ALIVE); a path count there is too large for
 * narrow rows. */
#define ALIVE 1u
#define TOO_MANY_PATHS 2u
/* Bits of chunk_levels[tile][chunk]: bit L, a vertex of the chunk is at level L (levels from 31 on
 * share a bit); bit 0, which no level needs, says that all lanes have reached all vertices of the
 * chunk. */
#define CHUNK_DONE 1u
#define LEVEL_BIT(level) (1u << min((uint)(level), 31u))

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(REAL, ITEM_LANES) reals;
typedef JOIN(float, ITEM_LANES) floats;
#define TO_REALS(x) JOIN(convert_, JOIN(REAL, ITEM_LANES))(x)
/* Float sums and products of integers are exact below 2^24, and larger ones never round to below
 * 2^24, so the check against COUNT_LIMIT is exact. */
#if NARROW_COUNTS
typedef float path_count;
typedef floats path_counts;
#define COUNT_LIMIT 0x1.fffffep23f /* 2^24 - 1 */
#else
typedef real path_count;
typedef reals path_counts;
#define COUNT_LIMIT ((real)SIGMA_LIMIT)
#endif
#if MIXED
typedef float coef;
typedef floats coefs;
#define TO_COEFS(x) JOIN(convert_, JOIN(float, ITEM_LANES))(x)
#else
typedef real coef;
typedef reals coefs;
#define TO_COEFS(x) TO_REALS(x)
#endif
/* Rows are aligned to whole vectors. vload and vstore cannot assume this, and compilers would split
 * them. */
#define LOAD_LANES(type, row) (*(__global const type *)(row))
#define STORE_LANES(x, type, row) (*(__global type *)(row) = (x))

#if WORDS == 1
typedef uint mask;
#define NONEMPTY(m) ((m) != 0)
#else
typedef JOIN(uint, WORDS) mask;
#define NONEMPTY(m) any((m) != (mask)(0))
#endif

/* OpenCL C cannot add, load or store only some lanes of a vector. EACH_LANE(DO) expands DO(i, s)
 * for lane number i with component s. */
#if ITEM_LANES == 2
#define EACH_LANE(DO) DO(0, s0) DO(1, s1)
#else
#define EACH_LANE(DO) DO(0, s0) DO(1, s1) DO(2, s2) DO(3, s3)
#endif
#define ALL_LANES ((1u << ITEM_LANES) - 1u)

#define ADD(i, s) \
    if (pick & (1u << i)) sum->s += x.s;
static inline void add_reals(reals *sum, reals x, uint pick) { EACH_LANE(ADD) }
static inline void add_coefs(coefs *sum, coefs x, uint pick) { EACH_LANE(ADD) }
static inline void add_counts(path_counts *sum, path_counts x, uint pick) { EACH_LANE(ADD) }
#undef ADD

/* Return the sum over the lanes of `pick`. */
#define ADD(i, s) \
    if (pick & (1u << i)) sum += x.s;
static inline coef sum_of_coefs(coefs x, uint pick) {
    coef sum = 0;
    EACH_LANE(ADD)
    return sum;
}
static inline real sum_of_reals(reals x, uint pick) {
    real sum = 0;
    EACH_LANE(ADD)
    return sum;
}
#undef ADD

#if EXACT_ACCESS
#define LOAD(i, s) \
    if (pick & (1u << i)) x.s = row[i];
#define LOAD_PICKED(type) EACH_LANE(LOAD)
#else
#define LOAD_PICKED(type) \
    if (pick) x = LOAD_LANES(type, row)
#endif

static inline reals load_real(__global const real *row, uint pick) {
    reals x = (reals)(0);
    LOAD_PICKED(reals);
    return x;
}

static inline coefs load_coef(__global const coef *row, uint pick) {
    coefs x = (coefs)(0);
    LOAD_PICKED(coefs);
    return x;
}

static inline path_counts load_count(__global const path_count *row, uint pick) {
    path_counts x = (path_counts)(0);
    LOAD_PICKED(path_counts);
    return x;
}

/* Other lanes of the row keep what an earlier level wrote. */
#define STORE(i, s) \
    if (pick & (1u << i)) row[i] = x.s;
#define STORE_PICKED(type)                            \
    if (pick == ALL_LANES) STORE_LANES(x, type, row); \
    else {                                            \
        EACH_LANE(STORE)                              \
    }

static inline void store_real(__global real *row, reals x, uint pick) { STORE_PICKED(reals); }

static inline void store_coef(__global coef *row, coefs x, uint pick) { STORE_PICKED(coefs); }

static inline void store_count(__global path_count *row, path_counts x, uint pick) {
    STORE_PICKED(path_counts);
}

/* ---- components ---------------------------------------------------------------------------- */

/* Searches of different components never meet, so a lane searches from one root of each component
 * at once, as long as the component has roots. The roots of a component have the lanes below
 * used_lanes[component]; their factors are factors[first_factor[component] + lane]. */
static inline uint component(uint components, __global const uint *component_of, uint v) {
    return components > 1 ? component_of[v] : 0;
}

/* Returns word `word` of the mask of the first `lane_count` lanes, both counted over all tiles. */
static inline uint lanes_below(uint lane_count, uint word) {
    const uint before = word * 32;
    if (lane_count <= before) return 0;
    return lane_count - before >= 32 ? 0xffffffffu : (1u << (lane_count - before)) - 1u;
}

/* ---- a batch begins ---------------------------------------------------------------------- */

/* Clears a batch: no vertex is reached, and `todo` has every lane in use. One work-item per (tile,
 * vertex), or per (tile, chunk) or (tile, level) if those are more. `planes` is the number of
 * levels to clear. */
__kernel GROUP_OF_ITEMS void lanes_clear(uint planes, uint n, uint tiles, uint chunks,
                                         uint components, __global const uint *component_of,
                                         __global const uint *used_lanes, __global mask *todo,
                                         __global mask *levels, __global uint *alive,
                                         __global uint *chunk_levels) {
    const size_t i = get_global_id(0);
    const size_t plane = (size_t)n * tiles;
    if (i < tiles * planes) alive[i] = 0;
    if (i < (size_t)tiles * chunks) chunk_levels[i] = 0;
    if (i >= plane) return;
    const uint tile = i / n;
    const uint lane_count = used_lanes[component(components, component_of, i - (size_t)tile * n)];
    for (uint word = 0; word < WORDS; word++)
        ((__global uint *)(todo + i))[word] = lanes_below(lane_count, tile * WORDS + word);
    for (uint p = 0; p < planes; p++) levels[p * plane + i] = (mask)(0);
}

/* Puts the roots on level 0 and their out-neighbours on level 1. One work-group per root. Several
 * work-groups may set bits of one word of a vertex, so they use integer atomics. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void lanes_start(
    __global const uint *offsets, __global const uint *targets, uint n, uint tiles,
    __global const uint *roots, __global const uint *root_lanes, __global uint *todo,
    __global uint *levels, __global path_count *sigma, __global uint *alive, uint twins,
    __global const real *multiplicity) {
    const uint root = roots[get_group_id(0)], batch_lane = root_lanes[get_group_id(0)];
    const uint lane = batch_lane % LANES, tile = batch_lane / LANES;
    const uint word = lane / 32, bit = 1u << (lane % 32);
    const size_t rows = (size_t)tile * n;
    const uint first = offsets[root], end = offsets[root + 1];
    __global uint *level1 = levels + (size_t)n * tiles * WORDS;
    if (get_local_id(0) == 0) {
        atomic_or(&levels[(rows + root) * WORDS + word], bit);
        atomic_and(&todo[(rows + root) * WORDS + word], ~bit);
        sigma[(rows + root) * LANES + lane] = 1;
        atomic_or(&alive[tile], ALIVE);
        if (end > first) atomic_or(&alive[tiles + tile], ALIVE);
    }
    bool overflowed = false;
    for (uint arc = first + get_local_id(0); arc < end; arc += GROUP) {
        const uint target = targets[arc];
        const size_t row = rows + target;
        atomic_or(&level1[row * WORDS + word], bit);
        atomic_and(&todo[row * WORDS + word], ~bit);
        const path_count paths = (path_count)MULTIPLICITY(twins, multiplicity, target);
        sigma[row * LANES + lane] = paths;
        overflowed |= !(paths <= COUNT_LIMIT);
    }
    if (overflowed) atomic_or(&alive[tiles + tile], TOO_MANY_PATHS);
}

/* ---- both directions --------------------------------------------------------------------- */

/* The rows of a work-item's tile and its lanes in them. */
typedef struct {
    uint item, lane, word, shift;
    size_t rows; /* first row of the tile */
} place;

static inline place find_place(uint n, uint tile) {
    place p;
    p.item = get_local_id(0);
    p.lane = p.item * ITEM_LANES;
    p.word = p.lane / 32;
    p.shift = p.lane % 32;
    p.rows = (size_t)tile * n;
    return p;
}

/* The bits of the lanes of this work-item in a mask word. */
static inline uint own_lanes(place p, uint word) { return (word >> p.shift) & ALL_LANES; }

/* The arcs of a stage that have lanes to work on, in local memory. The owner of an arc is the
 * vertex that pulls over it. */
typedef struct {
    mask masks[GROUP + UNROLL]; /* own[owner] & neighbours[target] (scan) */
    mask owner_masks[GROUP];    /* own[owner] */
    uint owner[GROUP + UNROLL];
    uint target[GROUP + UNROLL];
    uint ballots[BALLOTS]; /* a bit for each work-item whose arc is packed */
} packed;

/* Prepares the stages. Call this once before the first scan. */
static inline void clear_ballots(__local packed *list) {
    if (get_local_id(0) < BALLOTS) list->ballots[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Returns the word of a mask with the lanes of this work-item. */
static inline uint mask_word(__local const mask *masks, uint i, place p) {
    return ((__local const uint *)masks)[i * WORDS + p.word];
}

/* An arc of the next stage: the word of `owners` and the target, or NONE after the last one. */
typedef struct {
    uint owner, target;
} arc;

static inline void load_arc(arc *a, __global const uint *owners, __global const uint *targets,
                            uint i, uint end) {
    a->owner = i < end ? owners[i] : NONE;
    a->target = i < end ? targets[i] : NONE;
}

/* Packs the arcs of this stage that have lanes to work on, in arc order, and returns their number.
 * Lanes to work on are in `own` of the owner and in `neighbours` of the target. With `keep_owners`
 * the first arc of each vertex with any lane in `own` is packed even without lanes to work on (then
 * with target NONE and an empty mask), so that the vertex is in the list. The list is padded with
 * UNROLL empty entries of the last owner. `a` is this item's arc; `open` is set if its vertex has
 * any lane in `own`. Ends with a barrier. */
static inline uint scan(__local packed *list, uint item, arc a, bool keep_owners,
                        __global const mask *own, __global const mask *neighbours, bool *open) {
    bool hit = false, keep = false;
    const uint owner = a.owner & ~FIRST_ARC;
    mask both = (mask)(0), mine = (mask)(0);
    if (a.owner != NONE) {
        mine = own[owner];
        if (NONEMPTY(mine)) {
            *open = true;
#if QUERY
            if (neighbours) /* null at the radius, where no successors count */
#endif
                both = mine & neighbours[a.target];
            hit = NONEMPTY(both);
            keep = keep_owners && (a.owner & FIRST_ARC);
        }
    }
    if (hit || keep) atomic_or(&list->ballots[item / 32], 1u << (item % 32));
    barrier(SCAN_FENCE);
    uint before = 0, count = 0;
    for (uint b = 0; b < BALLOTS; b++) {
        if (b < item / 32) before += popcount(list->ballots[b]);
        if (b == item / 32) before += popcount(list->ballots[b] & ((1u << (item % 32)) - 1u));
        count += popcount(list->ballots[b]);
    }
    if (hit || keep) {
        list->owner[before] = owner;
        list->target[before] = hit ? a.target : NONE;
        list->masks[before] = both;
        list->owner_masks[before] = mine;
        if (before == count - 1)
            for (uint i = count; i < count + UNROLL; i++) {
                list->owner[i] = owner;
                list->target[i] = NONE;
                list->masks[i] = (mask)(0);
            }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < BALLOTS)
        list->ballots[item] = 0; /* for the next scan, after a barrier of the caller */
    return count;
}

/* ---- a batch ends ------------------------------------------------------------------------ */

/* Adds the scores of tiles in order, and clears them for the next batch. One work-item per vertex;
 * a query has a row of work-items for each column. */
__kernel GROUP_OF_ITEMS void lanes_scores(uint n, uint tiles, __global real *tile_score,
                                          __global SCORE *score) {
    const uint v = get_global_id(0);
    if (v >= n) return;
#if QUERY
    tile_score += get_global_id(1) * (size_t)n * tiles;
    score += get_global_id(1) * (size_t)n;
#endif
    SCORE sum = 0;
    for (uint t = 0; t < tiles; t++) {
        sum += tile_score[(size_t)t * n + v];
        tile_score[(size_t)t * n + v] = 0;
    }
    score[v] += sum;
}

/* ---- path ends of directed graphs (--endpoints) ------------------------------------------- */

/* Counts a path end at v for each other root that reaches it. One work-item per (tile, vertex). */
__kernel GROUP_OF_ITEMS void lanes_met(uint n, uint tiles, __global const uint *used_lanes,
                                       __global const uint *todo, __global const uint *levels,
                                       __global const real *factors, __global real *tile_score) {
    const size_t i = get_global_id(0);
    if (i >= (size_t)n * tiles) return;
    const uint tile = i / n;
    real sum = 0;
    for (uint word = 0; word < WORDS; word++) {
        /* Level 0 is the root itself. */
        const uint met = lanes_below(used_lanes[0], tile * WORDS + word) & ~todo[i * WORDS + word] &
                         ~levels[i * WORDS + word];
        for (uint bit = 0; bit < 32; bit++)
            if (met & (1u << bit)) sum += factors[tile * LANES + word * 32 + bit];
    }
    tile_score[i] += sum;
}

/* Counts the vertices that each root reaches, not including itself. One work-item per lane. */
__kernel GROUP_OF_ITEMS void lanes_reached(uint n, uint tiles, __global const uint *used_lanes,
                                           __global const uint *roots, __global const uint *todo,
                                           __global uint *reached) {
    const uint lane = get_global_id(0);
    if (lane >= used_lanes[0]) return;
    __global const uint *mine = todo + (size_t)(lane / LANES) * n * WORDS + lane % LANES / 32;
    const uint bit = 1u << (lane % 32);
    uint count = 0;
    for (uint v = 0; v < n; v++) count += !(mine[(size_t)v * WORDS] & bit);
    reached[roots[lane]] += count - 1; /* no root is in two lanes of a batch */
}

/* ---- sums of distances (QUERY) ------------------------------------------------------------ */

#if QUERY
/* Sums distances: on each level up to `depth` below the roots, adds the amount of the level times
 * the factors of the roots that reach the vertex there. With `unit_factors`, all factors are 1. One
 * work-item per (tile, vertex). */
__kernel GROUP_OF_ITEMS void lanes_distances(uint depth, uint n, uint tiles, uint unit_factors,
                                             uint components, __global const uint *component_of,
                                             __global const uint *levels,
                                             __global const uint *first_factor,
                                             __global const real *factors,
                                             __global real *tile_score QUERY_PARAMETERS) {
    const size_t i = get_global_id(0), plane = (size_t)n * tiles;
    if (i >= plane) return;
    const Query query = QUERY_OF_PARAMETERS;
    const uint tile = i / n;
    factors += first_factor[component(components, component_of, i - (size_t)tile * n)];
    factors += (size_t)tile * LANES;
    for (uint level = 1; level <= depth; level++) {
        __global const uint *reached = levels + (level * plane + i) * WORDS;
        real sources = 0;
        for (uint word = 0; word < WORDS; word++) {
            uint lanes = reached[word];
            if (unit_factors) {
                sources += popcount(lanes);
                continue;
            }
            for (; lanes; lanes &= lanes - 1)
                sources += factors[word * 32 + popcount((lanes & -lanes) - 1)];
        }
        if (sources == 0) continue;
        for (uint column = passes; column < columns; column++)
            tile_score[column * plane + i] += sources * amount_at(&query, column, level);
    }
}
#endif
