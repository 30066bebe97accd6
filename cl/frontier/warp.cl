// Strategies "work-efficient" and "warp": one work-group per root and an explicit frontier, which
// stays on a stack for the backward phase. McLaughlin and Bader, "Scalable and High Performance
// Betweenness Centrality on the GPU", SC 2014; their float atomics are replaced by pulling. A
// virtual warp of `width` work-items shares the arcs of a vertex of the frontier; in
// "work-efficient", `width` is 1. Hong, Kim, Oguntebi and Olukotun, "Accelerating CUDA Graph
// Algorithms at Maximum Warp", PPoPP 2011; Fan, Xu and Zhao, "A GPU-based solution for fast
// calculation of the betweenness centrality in large weighted networks", PeerJ Computer Science
// 2017.
//
// A virtual warp is an arrangement only: nothing relies on its work-items running in lock-step.
// `warp_sum` adds up their numbers.

__kernel GROUP_OF_ITEMS void NAMED(search)(SEARCH_PARAMETERS) {
    __local uint taken, tail;
    __local real partial[2][WORK_GROUP];
    Search s = SEARCH_OF_GROUP;
    const Frontier f = FRONTIER_OF_GROUP(&tail);
    const uint item = get_local_id(0);
    // The host checks that width divides WORK_GROUP.
    const uint warps = WORK_GROUP / width;
    const uint warp = item / width;
    const uint lane = item % width;
    clear_workspace(&s, &f);
    for (uint position = next_root(status, &taken, NO_ROOT); position < count;
         position = next_root(status, &taken, position)) {
        const uint root = roots[2 * position];
        const real sources = SOURCES_OF(root);
        begin_search(&s, &f, root);
        uint depth = 0;
        uint begin = 0;
        uint end = 1;
        while (begin < end) {
            const uint rounds = (end - begin - 1) / warps + 1;
            for (uint round = 0; round < rounds; round++) {
                const uint i = begin + round * warps + warp;
                const uint v = i < end ? f.stack[i] : UNSEEN;
                const real own = i < end ? expand(&s, &f, v, depth, lane, width) : 0;
                const real sum = warp_sum(partial[round & 1], own, width, lane);
                if (lane == 0 && i < end) settle_vertex(&s, v, depth, sum, position);
            }
            begin = end;
            end = next_frontier(&s, &f, depth, end);
            if (begin < end) depth++;
        }
        if (item == 0) status[STATUS_DEPTHS + position] = depth;

        // The deepest level has nothing to pull. The root gets no score, so its level is needed for
        // scores of edges only.
        FOR_EACH_PASS
        for (uint level = BEGIN_PASS_OF_FRONTIER(depth); level-- > LAST_LEVEL;) {
            const uint first = f.ends[level];
            const uint last = f.ends[level + 1];
            const uint rounds = (last - first - 1) / warps + 1;
            for (uint round = 0; round < rounds; round++) {
                const uint i = first + round * warps + warp;
                const uint v = i < last ? f.stack[i] : UNSEEN;
                const real own =
                    i < last ? pull_coefficients(&s, v, level + 1, lane, width, sources) : 0;
                const real sum = warp_sum(partial[round & 1], own, width, lane);
                if (lane == 0 && i < last) add_dependency(&s, v, sources, sum);
            }
            barrier(BOTH_FENCES);
        }
        end_search(&s, &f, root, endpoints, sources, end);
    }
}
