/* Strategy "lanes", backward: the coefficients and scores of a level from the coefficients of the
 * level after. This file is compiled after lanes.cl, which describes the layout of a batch. */

/* The shares of the work-items in the scores of SCORE_ROWS vertices are stored in local memory and
 * then added up together: a sum over the work-group for each vertex would need more barriers than
 * the rest of its computation. */
#define PAD 2 /* so that rows start in different banks of local memory */
#define PARTS (GROUP / SCORE_ROWS)
typedef struct {
    coef share[SCORE_ROWS][GROUP + PAD]; /* each item's part */
    size_t place[SCORE_ROWS];            /* where the scores are */
} score_rows;

/* Adds the stored shares to the scores, in a fixed order, so that results do not depend on timing.
 * All work-items call this together. */
static inline void drain(__local score_rows *rows, uint filled, uint item,
                         __global real *tile_score) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const real before =
        item < filled ? tile_score[rows->place[item]] : (real)0; /* loaded early to hide latency */
    const uint row = item / PARTS, part = item % PARTS;
    __local coef *share = rows->share[row];
    real sum = 0;
    if (row < filled)
        for (uint i = part; i < GROUP; i += PARTS) sum += share[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row < filled) share[part] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < filled) {
        share = rows->share[item];
        sum = before;
        for (uint i = 0; i < PARTS; i++) sum += share[i];
        tile_score[rows->place[item]] = sum; /* each vertex has one writer per level and tile */
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Stores the item's share in a score. Returns the new number of filled rows. */
static inline uint add_share(__local score_rows *rows, uint filled, uint item, size_t at,
                             coef share, __global real *tile_score) {
    rows->share[filled][item] = share;
    if (item == 0) rows->place[filled] = at;
    if (++filled < SCORE_ROWS) return filled;
    drain(rows, filled, item, tile_score);
    return 0;
}

/* The shares of a work-item in the score of a vertex and in the sum of squares of dependencies. */
typedef struct {
    coef dependencies, squares;
} shares;

/* Stores the shares in the scores of vertex v: squares are in the next column. */
static inline uint add_shares(__local score_rows *rows, uint filled, uint item, uint v, shares own,
                              bool squares, size_t plane, __global real *tile_score) {
    filled = add_share(rows, filled, item, v, own.dependencies, tile_score);
    if (squares) filled = add_share(rows, filled, item, plane + v, own.squares, tile_score);
    return filled;
}

/* Returns own / paths. A division of doubles costs as much as several arcs, so where counts are
 * floats, a float reciprocal (relative error at most 2^-21) is refined to the last bit or two of a
 * double. */
static inline coefs per_path(coef own, path_counts paths) {
#if NARROW_COUNTS && !MIXED
    const reals guess = TO_REALS(1.0f / paths), error = fma(-TO_REALS(paths), guess, (reals)(1));
    return own * fma(guess, fma(error, error, error), guess);
#else
    return own / paths;
#endif
}

/* The weight of a vertex as a target on this level, and its part of the coefficient: passes that
 * count paths do not divide by the number of paths. Some passes also sum squares of dependencies.
 */
#if QUERY
#define COUNTS_PARAMETER , const bool counts
#define COUNTS , counts
#define OWN_PART(own, paths) (counts ? (coefs)(own) : per_path(own, paths))
#define WEIGHT_OF(v) (omega[v] * of_level)
#else
#define COUNTS_PARAMETER
#define COUNTS
#define OWN_PART(own, paths) per_path(own, paths)
#define WEIGHT_OF(v) omega[v]
#endif

/* Finishes v for the lanes `pick`: computes its coefficient from the sum over its successors, times
 * its twins, stores it, and returns this item's shares in the scores of v. */
static inline shares settle_backward(place p, uint v, uint pick, path_counts paths, real own,
                                     real twins, reals sum, __global coef *coefficient,
                                     coefs weight, bool squares COUNTS_PARAMETER) {
    shares own_shares = {0, 0};
    if (pick) {
        const coefs below = TO_COEFS(sum);
        const coefs x = (coef)twins * (OWN_PART((coef)own, paths) + below);
        store_coef(coefficient + (size_t)v * LANES + p.lane, x, pick);
        const coefs dependency = TO_COEFS(paths) * below, counted = weight * dependency;
        own_shares.dependencies = sum_of_coefs(counted, pick);
        if (squares) own_shares.squares = sum_of_coefs(counted * dependency, pick);
    }
    return own_shares;
}

/* With MIXED, the coefficients of the UNROLL arcs that are requested together are added as floats,
 * and their sum is added as a real: converting each coefficient would cost more than adding it. */
#if MIXED
#define PART part
#define BEGIN_PART coefs part = (coefs)(0)
#define END_PART               \
    do {                       \
        sum += TO_REALS(part); \
        part = (coefs)(0);     \
    } while (0)
#else
#define PART sum
#define BEGIN_PART
#define END_PART
#endif

/* Computes the coefficients of `level` from those of level + 1. Grid: (chunks, tiles) work-groups.
 */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void lanes_backward(
    uint level, PASS_PARAMETER __global const uint *chunk_first, __global const uint *chunk_piece,
    __global const uint *chunk_component, __global const uint *owners, __global const uint *targets,
    uint n, uint tiles, uint pieces, __global const mask *levels, __global const path_count *sigma,
    __global coef *coefficient, __global const real *omega, __global const uint *first_factor,
    __global const real *factors, __global real *partial, __global uint *partial_mask,
    __global real *tile_score, __global const uint *alive, __global const uint *chunk_levels,
    uint components, __global const uint *used_lanes, uint chunks_match, uint twins,
    __global const real *multiplicity QUERY_PARAMETERS) {
    const uint tile = get_group_id(1);
    if (!alive[level * tiles + tile]) return;
    const place p = find_place(n, tile);
    const size_t plane = (size_t)n * tiles;
    levels += level * plane + p.rows;
    __global const mask *deeper = levels + plane;
    const uint chunk = get_group_id(0), first = chunk_first[chunk], end = chunk_first[chunk + 1];
    const uint piece = chunk_piece[chunk];
    if (piece != NONE) {
        /* lanes_backward_reduce skips this vertex too. */
        if (!NONEMPTY(levels[owners[first] & ~FIRST_ARC])) return;
    } else if (chunks_match && level > 1) { /* lanes_start sets no bits of level 1 */
        if (!(chunk_levels[tile * get_num_groups(0) + chunk] & LEVEL_BIT(level))) return;
    }
    if (components > 1) {
        const uint own = chunk_component[chunk];
        if (piece == NONE && used_lanes[own] <= tile * LANES) return;
        factors += first_factor[own];
    }
    sigma += p.rows * LANES;
    coefficient += p.rows * LANES;
    tile_score += p.rows;
#if QUERY
    const Query query = QUERY_OF_PARAMETERS;
    const bool counts = counts_paths(&query, pass), squares = sums_squares(&query, pass);
    const real of_level = amount_at(&query, pass, level);
    if (level == limits[pass]) deeper = 0;
    tile_score += pass * plane;
#else
    const bool squares = false;
#endif
    const coefs weight = TO_COEFS(LOAD_LANES(reals, factors + (size_t)tile * LANES + p.lane));
    __local packed list;
    __local score_rows rows;
    clear_ballots(&list);

    uint current = NONE, mine = 0, hit_lanes = 0, filled = 0;
    bool any_hit = false; /* whether `current` has a successor; the same for all work-items */
    bool open = false;
    reals sum = (reals)(0);
    path_counts paths = (path_counts)(0);
    real own = 0, times = 1;
    arc a;
    load_arc(&a, owners, targets, first + p.item, end);
    for (uint base = first; base < end; base += GROUP) {
        const uint count = scan(&list, p.item, a, true, levels, deeper, &open);
        /* The next arcs are requested before the rows of this stage, to hide latency. */
        load_arc(&a, owners, targets, base + GROUP + p.item, end);
        for (uint k = 0; k < count; k += UNROLL) {
            /* All rows are requested before the first is used. */
            uint m[UNROLL];
            coefs x[UNROLL];
#pragma unroll
            for (uint j = 0; j < UNROLL; j++) {
                m[j] = mask_word(list.masks, k + j, p);
                x[j] = load_coef(coefficient + (size_t)list.target[k + j] * LANES + p.lane,
                                 own_lanes(p, m[j]));
            }
            BEGIN_PART;
            const bool one_owner = list.owner[k + UNROLL - 1] == current; /* owners ascend */
#pragma unroll
            for (uint j = 0; j < UNROLL; j++) {
                if (!one_owner) {
                    const uint owner = list.owner[k + j];
                    if (owner != current) {
                        END_PART;
                        if (current != NONE) {
                            const shares share =
                                settle_backward(p, current, mine, paths, own, times, sum,
                                                coefficient, weight, squares COUNTS);
                            if (any_hit)
                                filled = add_shares(&rows, filled, p.item, current, share, squares,
                                                    plane, tile_score);
                        }
                        current = owner;
                        mine = own_lanes(p, mask_word(list.owner_masks, k + j, p));
                        if (piece == NONE) { /* loaded early to hide latency */
                            paths = load_count(sigma + (size_t)owner * LANES + p.lane, mine);
                            own = WEIGHT_OF(owner);
                            times = MULTIPLICITY(twins, multiplicity, owner);
                        }
                        hit_lanes = 0;
                        any_hit = false;
                        sum = (reals)(0);
                    }
                    any_hit |= list.target[k + j] != NONE;
                }
                hit_lanes |= m[j];
                add_coefs(&PART, x[j], own_lanes(p, m[j]));
            }
            END_PART;
            any_hit |= one_owner; /* only the first entry of a vertex may have no hit */
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (piece != NONE) {
        const size_t slot = (size_t)tile * pieces + piece;
        const uint pick = own_lanes(p, hit_lanes);
        if (pick) store_real(partial + slot * LANES + p.lane, sum, pick);
        if (p.shift == 0) partial_mask[slot * WORDS + p.word] = hit_lanes;
    } else if (current != NONE) {
        const shares share = settle_backward(p, current, mine, paths, own, times, sum, coefficient,
                                             weight, squares COUNTS);
        if (any_hit)
            filled = add_shares(&rows, filled, p.item, current, share, squares, plane, tile_score);
    }
    if (filled) drain(&rows, filled, p.item, tile_score);
}

/* Adds the pieces of a split vertex. Grid: (split vertices, tiles) work-groups. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void lanes_backward_reduce(
    uint level, PASS_PARAMETER __global const uint *split_vertex, __global const uint *split_first,
    uint n, uint tiles, uint pieces, __global const mask *levels, __global const path_count *sigma,
    __global coef *coefficient, __global const real *omega, __global const uint *first_factor,
    __global const real *factors, __global const real *partial, __global const uint *partial_mask,
    __global real *tile_score, __global const uint *alive, uint components,
    __global const uint *component_of, uint twins,
    __global const real *multiplicity QUERY_PARAMETERS) {
    const uint tile = get_group_id(1);
    if (!alive[level * tiles + tile]) return;
    const place p = find_place(n, tile);
    const uint v = split_vertex[get_group_id(0)];
    const size_t plane = (size_t)n * tiles;
    levels += level * plane + p.rows;
    if (!NONEMPTY(levels[v])) return;
    factors += first_factor[component(components, component_of, v)];
    const coefs weight = TO_COEFS(LOAD_LANES(reals, factors + (size_t)tile * LANES + p.lane));
    __local score_rows rows;
#if QUERY
    const Query query = QUERY_OF_PARAMETERS;
    const bool counts = counts_paths(&query, pass), squares = sums_squares(&query, pass);
    const real of_level = amount_at(&query, pass, level);
    tile_score += pass * plane;
#else
    const bool squares = false;
#endif
    reals sum = (reals)(0);
    const uint end = split_first[get_group_id(0) + 1];
    for (uint i = split_first[get_group_id(0)]; i < end; i += UNROLL) {
        uint m[UNROLL];
        reals x[UNROLL];
#pragma unroll
        for (uint j = 0; j < UNROLL; j++) {
            const size_t slot = (size_t)tile * pieces + i + j;
            m[j] = i + j < end ? partial_mask[slot * WORDS + p.word] : 0;
            x[j] = load_real(partial + slot * LANES + p.lane, own_lanes(p, m[j]));
        }
        for (uint j = 0; j < UNROLL; j++) add_reals(&sum, x[j], own_lanes(p, m[j]));
    }
    const uint mine = own_lanes(p, ((__global const uint *)levels)[v * WORDS + p.word]);
    const path_counts paths = load_count(sigma + (p.rows + v) * LANES + p.lane, mine);
    const shares share =
        settle_backward(p, v, mine, paths, WEIGHT_OF(v), MULTIPLICITY(twins, multiplicity, v), sum,
                        coefficient + p.rows * LANES, weight, squares COUNTS);
    tile_score += p.rows;
    const uint filled = add_shares(&rows, 0, p.item, v, share, squares, plane, tile_score);
    drain(&rows, filled, p.item, tile_score);
}
