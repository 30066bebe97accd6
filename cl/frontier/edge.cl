// Strategy "edge": one work-group per root and a work-item per arc; every level looks at all arcs.
// Jia, Lu, Hoberock, Garland and Hart, "Edge v. Node Parallelism for Graph Centrality Metrics", GPU
// Computing Gems Jade Edition, 2011. Their float atomics are replaced by the sums of `tiles.cl`.
//
// A level is a pass over the arcs, which adds to sigma of unseen vertices, and a pass over the
// vertices, which puts those that got paths on the next level.

__kernel GROUP_OF_ITEMS void edge_search(SEARCH_PARAMETERS) {
    __local uint taken, reached, found[2];
    TILE_LOCALS;
    Search s = SEARCH_OF_GROUP;
    const uint item = get_local_id(0);
    const uint tiles = arcs / WORK_GROUP + (arcs % WORK_GROUP != 0);
    for (uint position = next_root(status, &taken, NO_ROOT); position < count;
         position = next_root(status, &taken, position)) {
        const uint root = roots[2 * position];
        const real sources = SOURCES_OF(root);
        begin_search_without_frontier(&s, root);

        uint depth = 0;
        bool more = true;
        while (more && IS_WITHIN(depth)) {
            // This word was last read two levels ago.
            if (item == 0) found[depth & 1] = 0;
            begin_tiles(tile_flags);
            for (uint tile = 0; tile < tiles; tile++) {
                const size_t arc = (size_t)tile * WORK_GROUP + item;
                uint v = UNSEEN;
                real value = 0;
                bool active = false;
                if (arc < arcs) {
                    v = s.in_tails[arc];
                    const uint u = s.in_targets[arc];
                    active = s.level[v] == UNSEEN && s.level[u] == depth;
                    if (active) value = s.sigma[u];
                }
                const real sum =
                    tile_sum(tile, v, active, value, tile_values, tile_rows, tile_flags);
                // Only the first work-items of runs access sigma of unseen vertices.
                if (sum > 0 && (item == 0 || arc == s.in_offsets[v])) s.sigma[v] += sum;
            }
            barrier(BOTH_FENCES);
            if (settle(&s, depth + 1, position)) atomic_or(&found[depth & 1], 1u);
            barrier(BOTH_FENCES);
            more = found[depth & 1];
            if (more) depth++;
        }
        if (item == 0) status[STATUS_DEPTHS + position] = depth;

        // The root takes no score, and the deepest level has nothing to pull.
        FOR_EACH_PASS
        for (uint level = BEGIN_PASS(depth); level-- > LAST_LEVEL;) {
            begin_tiles(tile_flags);
            for (uint tile = 0; tile < tiles; tile++) {
                const size_t arc = (size_t)tile * WORK_GROUP + item;
                uint v = UNSEEN;
                real value = 0;
                bool active = false;
                if (arc < arcs) {
                    v = s.tails[arc];
                    const uint w = s.targets[arc];
                    active = s.level[v] == level && s.level[w] == level + 1;
                    if (active) {
                        value = s.coefficient[w];
                        COUNT_ARC(&s, arc, sources * (s.sigma[v] * value));
                    }
                }
                const real sum =
                    tile_sum(tile, v, active, value, tile_values, tile_rows, tile_flags);
                if (sum > 0 && (item == 0 || arc == s.offsets[v])) {
                    add_dependency(&s, v, sources, sum);
                }
            }
            barrier(BOTH_FENCES);
        }
        ADD_ALL_DISTANCES;
        if (endpoints) count_ends(&s, root, sources, &reached);
    }
}
