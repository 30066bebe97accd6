// Strategies "work-efficient" and "warp" on weighted graphs: one work-group per root. A virtual
// warp of `width` work-items shares the arcs of a vertex that is settled in the round; in
// "work-efficient", `width` is 1. These are the work-efficient and warp-centric methods of Fan, Xu
// and Zhao, with the rules of `weighted.cl`.
//
// A virtual warp is an arrangement only: nothing relies on its work-items running in lock-step.
// `warp_sum` adds up their numbers.

__kernel GROUP_OF_ITEMS void NAMED(search)(SEARCH_PARAMETERS) {
    __local uint taken, settled[3], opened[3];
    __local dist bound[3], nearest[3];
    __local real partial[2][WORK_GROUP];
    Search s = SEARCH_OF_GROUP;
    Frontier f = FRONTIER_OF_GROUP(settled, opened, bound, nearest);
    const uint item = get_local_id(0);
    // The host checks that width divides WORK_GROUP.
    const uint warps = WORK_GROUP / width;
    const uint warp = item / width;
    const uint lane = item % width;
    clear_workspace(&s);
    for (uint position = next_root(status, &taken, NO_ROOT); position < count;
         position = next_root(status, &taken, position)) {
        const uint root = roots[2 * position];
        const real sources = SOURCES_OF(root);
        begin_search(&s, &f, root);
        while (f.open_count) {
            Horizon mine = NO_HORIZON;
            const uint end = settle(&s, &f, &mine);
            const uint turns = (end - f.settled_count - 1) / warps + 1;
            // All work-items take all turns, because `warp_sum` has a barrier. Those beyond the end
            // read any valid entry and add 0.
            for (uint turn = 0; turn < turns; turn++) {
                const uint i = f.settled_count + turn * warps + warp;
                const Settled at = f.order[i < end ? i : f.settled_count];
                const real own = i < end ? expand(&s, &f, &mine, at, lane, width) : 0;
                const real sum = warp_sum(partial[turn & 1], own, width, lane);
                if (lane == 0 && i < end) store_path_count(&s, &f, at, sum, position);
            }
            next_round(&f, end, mine);
        }
        if (item == 0) status[STATUS_DEPTHS + position] = f.round - 1;

        // The vertices settled in the last round have no successors.
        FOR_EACH_PASS
        for (uint round = BEGIN_PASS_OF_FRONTIER(f.round - 1); round-- > LAST_ROUND;) {
            const uint begin = f.ends[round];
            const uint end = f.ends[round + 1];
            const uint turns = (end - begin - 1) / warps + 1;
            for (uint turn = 0; turn < turns; turn++) {
                const uint i = begin + turn * warps + warp;
                const Settled at = f.order[i < end ? i : begin];
                const real own =
                    i < end ? pull_coefficients(&s, at.vertex, at.distance, lane, width, sources)
                            : 0;
                const real sum = warp_sum(partial[turn & 1], own, width, lane);
                if (lane == 0 && i < end) add_dependency(&s, at.vertex, root, sources, sum);
            }
            barrier(BOTH_FENCES);
        }
        end_search(&s, &f, root, endpoints, sources);
    }
}
