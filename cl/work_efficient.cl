// Strategy "work-efficient": one work-group per root, a work-item per vertex of the frontier, which
// is kept on a stack for the way back. McLaughlin and Bader, "Scalable and High Performance
// Betweenness Centrality on the GPU", SC 2014; their float atomics are replaced by pulling.

__kernel GROUP_OF_ITEMS void work_efficient_search(SEARCH_PARAMETERS) {
    __local uint taken, tail;
    const Search s = SEARCH_OF_GROUP;
    const Frontier f = FRONTIER_OF_GROUP(&tail);
    const uint item = get_local_id(0);
    clear_slot(&s, &f);
    for (uint position = next_root(status, &taken); position < count;
         position = next_root(status, &taken)) {
        const uint root = roots[2 * position];
        const real sources = roots[2 * position + 1];
        begin_search(&s, &f, root);
        uint depth = 0;
        uint begin = 0;
        uint end = 1;
        while (begin < end) {
            for (size_t i = (size_t)begin + item; i < end; i += WORK_GROUP) {
                const uint v = f.stack[i];
                settle_vertex(&s, v, depth, expand(&s, &f, v, depth, 0, 1), position);
            }
            begin = end;
            end = next_frontier(&s, &f, depth, end);
            if (begin < end) depth++;
        }
        if (item == 0) status[STATUS_DEPTHS + position] = depth;

        // The root takes no score, and the deepest level has nothing to pull.
        for (uint level = depth; level-- > LAST_LEVEL;) {
            const uint last = f.ends[level + 1];
            for (size_t i = (size_t)f.ends[level] + item; i < last; i += WORK_GROUP) {
                const uint v = f.stack[i];
                add_dependency(&s, v, sources, pull_coef(&s, v, level + 1, 0, 1, sources));
            }
            barrier(BOTH_FENCES);
        }
        end_search(&s, &f, root, endpoints, sources, end);
    }
}
