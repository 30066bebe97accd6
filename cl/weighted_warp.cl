// Strategy "warp" on weighted graphs: as "work-efficient", but the arcs of a vertex that is settled
// in the round are shared by a virtual warp of `knob` work-items. The work-efficient and
// warp-centric methods of Fan, Xu and Zhao together, with the rules of `weighted.cl`.
//
// A virtual warp is an arrangement only: nothing relies on its work-items running in lock-step.
// Each leaves its sum in local memory, and after a barrier the first one adds them up in order.
// Turns use two halves in turn, so that one barrier each is enough.

__kernel GROUP_OF_ITEMS void NAMED(search)(SEARCH_PARAMETERS) {
    __local uint taken, settled[3], opened[3];
    __local dist bound[3], nearest[3];
    __local real partial[2][WORK_GROUP];
    const Search s = SEARCH_OF_GROUP;
    Frontier f = FRONTIER_OF_GROUP(settled, opened, bound, nearest);
    const uint item = get_local_id(0);
    // The host sees to it that knob divides WORK_GROUP.
    const uint warps = WORK_GROUP / knob;
    const uint warp = item / knob;
    const uint lane = item % knob;
    clear_slot(&s);
    for (uint position = next_root(status, &taken); position < count;
         position = next_root(status, &taken)) {
        const uint root = roots[2 * position];
        const real sources = roots[2 * position + 1];
        begin_search(&s, &f, root);
        while (f.width) {
            Horizon mine = NO_HORIZON;
            const uint end = settle(&s, &f, &mine);
            const uint turns = (end - f.done - 1) / warps + 1;
            for (uint turn = 0; turn < turns; turn++) {
                __local real *part = partial[turn & 1];
                const uint i = f.done + turn * warps + warp;
                const Settled at = f.order[i < end ? i : f.done];
                part[item] = i < end ? expand(&s, &f, &mine, at, lane, knob) : 0;
                barrier(CLK_LOCAL_MEM_FENCE);
                if (lane == 0 && i < end) {
                    real sum = 0;
                    for (uint other = 0; other < knob; other++) sum += part[item + other];
                    count_paths(&s, &f, at, sum, position);
                }
            }
            next_round(&f, end, mine);
        }
        if (item == 0) status[STATUS_DEPTHS + position] = f.round - 1;

        // What is settled in the last round leads nowhere.
        for (uint round = f.round - 1; round-- > LAST_ROUND;) {
            const uint begin = f.ends[round];
            const uint end = f.ends[round + 1];
            const uint turns = (end - begin - 1) / warps + 1;
            for (uint turn = 0; turn < turns; turn++) {
                __local real *part = partial[turn & 1];
                const uint i = begin + turn * warps + warp;
                const Settled at = f.order[i < end ? i : begin];
                const real pulled =
                    i < end ? pull_coef(&s, at.vertex, at.distance, lane, knob, sources) : 0;
                part[item] = pulled;
                barrier(CLK_LOCAL_MEM_FENCE);
                if (lane == 0 && i < end) {
                    real sum = 0;
                    for (uint other = 0; other < knob; other++) sum += part[item + other];
                    add_dependency(&s, at.vertex, root, sources, sum);
                }
            }
            barrier(BOTH_FENCES);
        }
        end_search(&s, &f, root, endpoints, sources);
    }
}
