// The functions of the strategies with an explicit frontier on weighted graphs: `work-efficient`
// and `warp`. `order` lists all settled vertices with their distances in the order of their rounds;
// round r begins, and round r - 1 ends, at ends[r]. Open vertices are in one of two lists, which
// alternate.
//
// A round is two passes with a barrier between. The first only reads distances: each open vertex is
// settled or goes to the other list. The second changes distances by atomic operations only:
// settled vertices relax their out-arcs, and pull their path counts. In undirected graphs one
// atomic operation on a neighbour serves both, because it returns the old distance, and distances
// of neighbours that contribute paths are final.

typedef struct {
    __global Settled *order;
    __global uint *ends;
    __global uint *lists;
    // Three sets of counters and bounds take turns: one is written, one may still be read, one is
    // cleared.
    __local uint *settled;
    __local uint *opened;
    __local dist *bound;
    __local dist *nearest;
    // The numbers of settled and open vertices before the round.
    uint settled_count;
    uint open_count;
    // The number of the round, and the set that is written in it.
    uint round;
    uint turn;
    Horizon horizon;
} Frontier;

#define FRONTIER_OF_GROUP(settled, opened, bound, nearest)                                         \
    {                                                                                              \
        orders + get_group_id(0) * (size_t)n, all_round_ends + get_group_id(0) * ((size_t)n + 2),  \
            open_lists + get_group_id(0) * ((size_t)n * 2), settled, opened, bound, nearest, 0, 0, \
            0, 0, NO_HORIZON                                                                       \
    }

// Clears the workspace before the first search of a launch; each search leaves it clear.
void clear_workspace(const Search *s) {
    for (uint v = get_local_id(0); v < s->n; v += WORK_GROUP) s->distance[v] = FAR;
    barrier(CLK_GLOBAL_MEM_FENCE);
}

// Makes the root open.
void begin_search(const Search *s, Frontier *f, const uint root) {
    f->settled_count = f->round = f->turn = 0;
    f->open_count = 1;
    f->horizon.bound = FAR;
    f->horizon.nearest = 0;
    if (get_local_id(0) == 0) {
        s->distance[root] = 0;
        f->lists[0] = root;
        f->ends[0] = 0;
        f->settled[0] = f->opened[0] = 0;
        f->bound[0] = f->nearest[0] = FAR;
    }
    barrier(BOTH_FENCES);
}

__global uint *open_list(const Search *s, const Frontier *f, const uint round) {
    return f->lists + (round & 1) * (size_t)s->n;
}

// Makes the first pass of a round, and returns the new number of settled vertices. Ends with a
// barrier.
uint settle(const Search *s, const Frontier *f, Horizon *mine) {
    const uint turn = f->turn;
    if (get_local_id(0) == 0) {
        const uint next = turn == 2 ? 0 : turn + 1;
        f->settled[next] = f->opened[next] = 0;
        f->bound[next] = f->nearest[next] = FAR;
    }
    __global const uint *open = open_list(s, f, f->round);
    __global uint *next_open = open_list(s, f, f->round + 1);
    for (uint i = get_local_id(0); i < f->open_count; i += WORK_GROUP) {
        const uint v = open[i];
        const dist d = s->distance[v];
        if (is_final(s, f->horizon, v, d)) {
            __global Settled *place = &f->order[f->settled_count + atomic_inc(&f->settled[turn])];
            place->distance = d;
            place->vertex = v;
        } else {
            next_open[atomic_inc(&f->opened[turn])] = v;
            update_horizon(s, mine, v, d);
        }
    }
    barrier(BOTH_FENCES);
    return f->settled_count + f->settled[turn];
}

// Visits arc `first` of the rows of a vertex settled in this round and every `stride`-th arc after
// it: relaxes out-arcs, and returns the sum of sigma over neighbours that lead to the vertex.
real expand(const Search *s, const Frontier *f, Horizon *mine, const Settled from, const uint first,
            const uint stride) {
    const uint v = from.vertex;
    const dist d = from.distance;
    __global uint *next_open = open_list(s, f, f->round + 1);
    real sum = 0;
    uint end = s->offsets[v + 1];
    for (size_t i = (size_t)s->offsets[v] + first; i < end; i += stride) {
        const Arc arc = s->arcs[i];
        const uint w = arc.target;
        const dist through = THROUGH(s, d, arc.length);
        const dist old = DIST_MIN(&s->distance[w], through);
        if (through < old) {
            if (old == FAR) next_open[atomic_inc(&f->opened[f->turn])] = w;
            update_horizon_from(s, mine, w, through, v);
        } else if (!s->directed && LEADS_TO(s, old, arc.length, d)) {
            sum += s->sigma[w];
        }
    }
    if (s->directed) {
        end = s->in_offsets[v + 1];
        for (size_t i = (size_t)s->in_offsets[v] + first; i < end; i += stride) {
            const Arc arc = s->in_arcs[i];
            const dist there = DIST_LOAD(&s->distance[arc.target]);
            if (LEADS_TO(s, there, arc.length, d)) sum += s->sigma[arc.target];
        }
    }
    return sum;
}

// Stores the complete path count of a vertex that was settled in this round. The root has one path.
void store_path_count(const Search *s, const Frontier *f, const Settled at, const real sum,
                      const uint position) {
    begin_coefficient(s, at.vertex, f->round ? sum : 1, position);
}

// Ends a round after its second pass; `end` is the number of settled vertices. Ends with a barrier.
void next_round(Frontier *f, const uint end, const Horizon mine) {
    const uint turn = f->turn;
    combine_horizons(mine, &f->bound[turn], &f->nearest[turn]);
    f->round++;
    if (get_local_id(0) == 0) f->ends[f->round] = end;
    barrier(BOTH_FENCES);
    f->settled_count = end;
    f->open_count = f->opened[turn];
    f->horizon.bound = f->bound[turn];
    f->horizon.nearest = f->nearest[turn];
    f->turn = turn == 2 ? 0 : turn + 1;
}

#if QUERY
// Begins a backward phase, and returns `last`, its last round. Ends with a barrier.
uint begin_pass_of_frontier(const Search *s, const Frontier *f, const uint last) {
    for (uint i = get_local_id(0); i < f->settled_count; i += WORK_GROUP) {
        begin_coefficient_of_pass(s, f->order[i].vertex, f->order[i].distance);
    }
    barrier(BOTH_FENCES);
    return last;
}
#endif

// For the settled vertices, adds sums of distances and, if they are counted, path ends
// (--endpoints). Clears the workspace for the next search. Call this after a barrier; it ends with
// one.
void end_search(const Search *s, const Frontier *f, const uint root, const uint endpoints,
                const real sources) {
    for (uint i = get_local_id(0); i < f->settled_count; i += WORK_GROUP) {
        const uint v = f->order[i].vertex;
#if QUERY
        add_distances(&s->query, s->scores, s->n, v, f->order[i].distance, sources);
#endif
        s->distance[v] = FAR;
        // A pair of the root and a reached vertex counts once at each end.
        if (endpoints) s->scores[v] += v == root ? sources * (real)(f->settled_count - 1) : sources;
    }
    barrier(BOTH_FENCES);
}
