// Strategy "chains": sweeps from junctions over a contracted graph. src/prepare/chains/ has the
// mathematics; a *row* is what there is to know of the shortest paths from one junction: distance
// and path count of every junction. This file makes rows, sweep.cl makes sweeps of them.
//
//   offsets[j]..offsets[j + 1]   chain-ends at junction j
//   ends[e]                      .x: junction where the chain leads; .y: its length
//   shortest[j]                  length of the shortest chain at j

#define PAIR_OF(type) type##2
#define PAIR(type) PAIR_OF(type)
typedef PAIR(REAL) real2;

// Distance of what cannot be reached. With the length of a chain added it is still no distance.
#define FAR 0x7fffffffu

// Chain-ends of a junction whose distances are remembered from pulling to relaxing.
#define REMEMBERED 32

// A work-group per row; rows[i] is the junction of row i. The first `roots` rows keep the order in
// which junctions were settled, too.
//
// Dijkstra's algorithm with many junctions settled at a time: with D the smallest of distance plus
// shortest chain over all that is open, nothing below D can become nearer any more, nor get more
// paths (Fan, Xu and Zhao, PeerJ Computer Science 2017, doi.org/10.7717/peerj-cs.100). What a round
// settles has no arcs of the shortest-path DAG among itself, so that rounds take the place of
// levels on the way back. Each round has two phases. In the first, distances are only read: what is
// settled pulls its path count and notes which neighbours to relax. In the second, distances are
// only changed by atomic_min, and what was not reached before joins the open ones.
__kernel GROUP_OF_ITEMS void chains_rows(const uint count, const uint roots, const uint n,
                                         __global const uint *rows, __global uint *status,
                                         __global const uint *offsets, __global const uint2 *ends,
                                         __global const uint *shortest, __global uint *open_lists,
                                         __global uint *distances, __global real *path_counts,
                                         __global uint2 *orders, __global uint *all_round_ends,
                                         __global uint *round_counts) {
    __local uint taken;
    // Of three in turns: one is counted into, one may still be read, one is cleared.
    __local uint settled[3], opened[3], bound[3];
    const uint item = get_local_id(0);
    __global uint *lists = open_lists + (size_t)get_group_id(0) * 2 * n;

    // Not in the head of the loop: PoCL 5.0 loses what is known of a work-item there.
    uint row = NO_ROOT;
    for (;;) {
        row = next_root(status, &taken, row);
        if (row >= count) break;
        const bool keeps_order = row < roots;
        __global uint *distance = distances + (size_t)row * n;
        __global real *sigma = path_counts + (size_t)row * n;
        __global uint2 *order = orders + (size_t)(keeps_order ? row : 0) * n;
        __global uint *round_ends = all_round_ends + (size_t)(keeps_order ? row : 0) * (n + 1);
        for (uint i = item; i < n; i += WORK_GROUP) distance[i] = FAR;
        for (uint i = item; i < 3; i += WORK_GROUP) {
            settled[i] = opened[i] = 0;
            bound[i] = UNSEEN;
        }
        barrier(BOTH_FENCES);
        if (item == 0) {
            distance[rows[row]] = 0;
            lists[0] = rows[row];
            if (keeps_order) round_ends[0] = 0;
        }
        barrier(BOTH_FENCES);

        uint round = 0, width = 1, done = 0, limit = 1, turn = 0;
        while (width) {
            const uint next = turn == 2 ? 0 : turn + 1;
            __global const uint *open = lists + (round & 1) * n;
            __global uint *open_next = lists + (~round & 1) * n;
            if (item == 0) {
                settled[next] = opened[next] = 0;
                bound[next] = UNSEEN;
            }
            for (uint start = 0; start < width; start += WORK_GROUP) {
                uint d = 0, begin = 0, end = 0, relax = 0;
                if (start + item < width) {
                    const uint v = open[start + item];
                    d = distance[v];
                    if (d < limit) {
                        const uint place = atomic_inc(&settled[turn]);
                        begin = offsets[v];
                        end = offsets[v + 1];
                        real paths = d == 0 ? 1 : 0;
                        for (uint e = begin; e < end; e++) {
                            const uint2 to = ends[e];
                            const uint there = distance[to.x];
                            if (there + to.y == d) paths += sigma[to.x];
                            if (there > d + to.y && e - begin < REMEMBERED)
                                relax |= 1u << (e - begin);
                        }
                        sigma[v] = paths;
                        check_paths(status, paths, row);
                        if (keeps_order) order[done + place] = (uint2)(v, d);
                    } else {
                        open_next[atomic_inc(&opened[turn])] = v;
                        atomic_min(&bound[turn], d + shortest[v]);
                    }
                }
                barrier(BOTH_FENCES);
                for (uint e = begin; e < end; e++) {
                    if (e - begin < REMEMBERED && !(relax >> (e - begin) & 1u)) continue;
                    const uint2 to = ends[e];
                    const uint there = d + to.y;
                    const uint old = atomic_min(&distance[to.x], there);
                    if (old == FAR) open_next[atomic_inc(&opened[turn])] = to.x;
                    if (old > there) atomic_min(&bound[turn], there + shortest[to.x]);
                }
                barrier(BOTH_FENCES);
            }
            round++;
            done += settled[turn];
            if (keeps_order && item == 0) round_ends[round] = done;
            width = opened[turn];
            limit = bound[turn];
            turn = next;
        }
        if (keeps_order && item == 0) round_counts[row] = round;
    }
}
