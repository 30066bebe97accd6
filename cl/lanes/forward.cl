/* Strategy "lanes", forward: the masks and path counts of a level from those of the level before.
 * This file is compiled after lanes.cl, which describes the layout of a batch. */

/* Records that the lanes `hit_lanes`, among the lanes `mine` that have not reached v, reach it now.
 * v stands for `twins` vertices, to each of which `sum` paths lead; sigma is the product. */
static inline void settle_forward(place p, uint v, uint mine, uint hit_lanes, path_counts sum,
                                  real twins, __global path_count *sigma, __global uint *todo,
                                  __global uint *next, uint *reached, bool *overflowed) {
    const uint pick = own_lanes(p, hit_lanes);
    if (pick) {
        if (twins != 1) sum *= (path_count)twins;
        store_count(sigma + (size_t)v * LANES + p.lane, sum, pick);
        if (!all(sum <= COUNT_LIMIT)) *overflowed = true;
    }
    if (p.shift == 0 && hit_lanes) {
        next[v * WORDS + p.word] = hit_lanes;
        todo[v * WORDS + p.word] = mine & ~hit_lanes;
        *reached = 1;
    }
}

/* Reports a path count that is too large. If counts are narrow, this marks the level, and the host
 * searches the batch again with wide counts. Otherwise there is no wider type, and it sets
 * `status`. */
static inline void tell_overflow(__global uint *alive, __global uint *status) {
#if NARROW_COUNTS
    atomic_or(alive, TOO_MANY_PATHS);
#else
    atomic_or(status, STATUS_OVERFLOW);
#endif
}

/* Computes level + 1 from `level`. Grid: (chunks, tiles) work-groups. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void lanes_forward(
    uint level, __global const uint *chunk_first, __global const uint *chunk_piece,
    __global const uint *chunk_component, __global const uint *owners, __global const uint *targets,
    uint n, uint tiles, uint pieces, __global mask *todo, __global mask *levels,
    __global path_count *sigma, __global path_count *partial, __global uint *partial_mask,
    __global uint *alive, __global uint *status, __global uint *chunk_levels, uint components,
    __global const uint *used_lanes, uint twins, __global const real *multiplicity) {
    const uint tile = get_group_id(1);
    if (!alive[level * tiles + tile]) return;
    const place p = find_place(n, tile);
    const size_t plane = (size_t)n * tiles;
    todo += p.rows;
    levels += level * plane + p.rows;
    __global uint *next = (__global uint *)(levels + plane);
    sigma += p.rows * LANES;
    const uint chunk = get_group_id(0), first = chunk_first[chunk], end = chunk_first[chunk + 1];
    const uint piece = chunk_piece[chunk];
    chunk_levels += tile * get_num_groups(0) + chunk;
    if (piece == NONE) {
        if (*chunk_levels & CHUNK_DONE) return;
        if (components > 1 && used_lanes[chunk_component[chunk]] <= tile * LANES) return;
    } else if (!NONEMPTY(todo[owners[first] & ~FIRST_ARC]))
        return; /* lanes_forward_reduce skips this vertex too */
    __local packed list;
    clear_ballots(&list);

    uint current = NONE, mine = 0, hit_lanes = 0, reached = 0;
    bool open = false, overflowed = false;
    path_counts sum = (path_counts)(0);
    arc a;
    load_arc(&a, owners, targets, first + p.item, end);
    for (uint base = first; base < end; base += GROUP) {
        const uint count = scan(&list, p.item, a, false, todo, levels, &open);
        /* The next arcs are requested before the rows of this stage, to hide latency. */
        load_arc(&a, owners, targets, base + GROUP + p.item, end);
        for (uint k = 0; k < count; k += UNROLL) {
            /* All rows are requested before the first is used. */
            uint m[UNROLL];
            path_counts x[UNROLL];
#pragma unroll
            for (uint j = 0; j < UNROLL; j++) {
                m[j] = mask_word(list.masks, k + j, p);
                x[j] = load_count(sigma + (size_t)list.target[k + j] * LANES + p.lane,
                                  own_lanes(p, m[j]));
            }
            const bool one_owner = list.owner[k + UNROLL - 1] ==
                                   current; /* owners ascend, so it is the owner of all */
#pragma unroll
            for (uint j = 0; j < UNROLL; j++) {
                if (!one_owner) {
                    const uint owner = list.owner[k + j];
                    if (owner != current) {
                        if (current != NONE)
                            settle_forward(p, current, mine, hit_lanes, sum,
                                           MULTIPLICITY(twins, multiplicity, current), sigma,
                                           (__global uint *)todo, next, &reached, &overflowed);
                        current = owner;
                        mine = mask_word(list.owner_masks, k + j, p);
                        hit_lanes = 0;
                        sum = (path_counts)(0);
                    }
                }
                hit_lanes |= m[j];
                add_counts(&sum, x[j], own_lanes(p, m[j]));
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (piece != NONE) {
        const size_t slot = (size_t)tile * pieces + piece;
        const uint pick = own_lanes(p, hit_lanes);
        if (pick) store_count(partial + slot * LANES + p.lane, sum, pick);
        if (p.shift == 0) partial_mask[slot * WORDS + p.word] = hit_lanes;
    } else if (current != NONE)
        settle_forward(p, current, mine, hit_lanes, sum, MULTIPLICITY(twins, multiplicity, current),
                       sigma, (__global uint *)todo, next, &reached, &overflowed);
    if (reached) {
        atomic_or(&alive[(level + 1) * tiles + tile], ALIVE);
        atomic_or(chunk_levels, LEVEL_BIT(level + 1));
    }
    if (overflowed) tell_overflow(alive + (level + 1) * tiles + tile, status);
    if (open) atomic_or(&list.ballots[0], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (p.item == 0 && !list.ballots[0]) atomic_or(chunk_levels, CHUNK_DONE);
}

/* Adds the pieces of a split vertex. Grid: (split vertices, tiles) work-groups. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void lanes_forward_reduce(
    uint level, __global const uint *split_vertex, __global const uint *split_first, uint n,
    uint tiles, uint pieces, __global mask *todo, __global mask *levels, __global path_count *sigma,
    __global const path_count *partial, __global const uint *partial_mask, __global uint *alive,
    __global uint *status, uint twins, __global const real *multiplicity) {
    const uint tile = get_group_id(1);
    if (!alive[level * tiles + tile]) return;
    const place p = find_place(n, tile);
    const uint v = split_vertex[get_group_id(0)];
    if (!NONEMPTY(todo[p.rows + v])) return;
    uint hit_lanes = 0, reached = 0;
    bool overflowed = false;
    path_counts sum = (path_counts)(0);
    const uint end = split_first[get_group_id(0) + 1];
    for (uint i = split_first[get_group_id(0)]; i < end; i += UNROLL) {
        uint m[UNROLL];
        path_counts x[UNROLL];
#pragma unroll
        for (uint j = 0; j < UNROLL; j++) {
            const size_t slot = (size_t)tile * pieces + i + j;
            m[j] = i + j < end ? partial_mask[slot * WORDS + p.word] : 0;
            x[j] = load_count(partial + slot * LANES + p.lane, own_lanes(p, m[j]));
        }
        for (uint j = 0; j < UNROLL; j++) {
            add_counts(&sum, x[j], own_lanes(p, m[j]));
            hit_lanes |= m[j];
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE); /* all have read `todo`, which some are about to write */
    const uint mine =
        p.shift == 0 ? ((__global const uint *)(todo + p.rows))[v * WORDS + p.word] : 0;
    settle_forward(p, v, mine, hit_lanes, sum, MULTIPLICITY(twins, multiplicity, v),
                   sigma + p.rows * LANES, (__global uint *)(todo + p.rows),
                   (__global uint *)(levels + (level + 1) * (size_t)n * tiles + p.rows), &reached,
                   &overflowed);
    if (reached) atomic_or(&alive[(level + 1) * tiles + tile], ALIVE);
    if (overflowed) tell_overflow(alive + (level + 1) * tiles + tile, status);
}
