// Strategy "vertex": one work-group per root and a work-item per vertex; every level looks at all
// vertices. Jia, Lu, Hoberock, Garland and Hart, "Edge v. Node Parallelism for Graph Centrality
// Metrics", GPU Computing Gems Jade Edition, 2011; there, the frontier pushes with float atomics;
// here, unseen vertices pull.
//
// A level is two passes with a barrier between. The first adds up sigma of unseen vertices, which
// no work-item reads yet; the second sets the levels of the vertices that got paths.

__kernel GROUP_OF_ITEMS void vertex_search(SEARCH_PARAMETERS) {
    __local uint taken, reached, found[2];
    Search s = SEARCH_OF_GROUP;
    const uint item = get_local_id(0);
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
            for (uint v = item; v < n; v += WORK_GROUP) {
                if (s.level[v] != UNSEEN) continue;
                const uint end = s.in_offsets[v + 1];
                real sum = 0;
                for (uint arc = s.in_offsets[v]; arc < end; arc++) {
                    const uint u = s.in_targets[arc];
                    if (s.level[u] == depth) sum += s.sigma[u];
                }
                s.sigma[v] = sum;
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
            for (uint v = item; v < n; v += WORK_GROUP) {
                if (s.level[v] != level) continue;
                add_dependency(&s, v, sources, pull_coefficients(&s, v, level + 1, 0, 1, sources));
            }
            barrier(BOTH_FENCES);
        }
        ADD_ALL_DISTANCES;
        if (endpoints) count_ends(&s, root, sources, &reached);
    }
}
