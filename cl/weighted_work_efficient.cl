// Strategy "work-efficient" on weighted graphs: one work-group per root, a work-item per vertex
// that is open or settled in the round. The work-efficient method of Fan, Xu and Zhao, with the
// rules of `weighted.cl`.

__kernel GROUP_OF_ITEMS void NAMED(search)(SEARCH_PARAMETERS) {
    __local uint taken, settled[3], opened[3];
    __local dist bound[3], nearest[3];
    const Search s = SEARCH_OF_GROUP;
    Frontier f = FRONTIER_OF_GROUP(settled, opened, bound, nearest);
    const uint item = get_local_id(0);
    clear_slot(&s);
    for (uint position = next_root(status, &taken); position < count;
         position = next_root(status, &taken)) {
        const uint root = roots[2 * position];
        const real sources = roots[2 * position + 1];
        begin_search(&s, &f, root);
        while (f.width) {
            Horizon mine = NO_HORIZON;
            const uint end = settle(&s, &f, &mine);
            for (uint i = f.done + item; i < end; i += WORK_GROUP) {
                const Settled at = f.order[i];
                count_paths(&s, &f, at, expand(&s, &f, &mine, at, 0, 1), position);
            }
            next_round(&f, end, mine);
        }
        if (item == 0) status[STATUS_DEPTHS + position] = f.round - 1;

        // What is settled in the last round leads nowhere.
        for (uint round = f.round - 1; round-- > LAST_ROUND;) {
            const uint last = f.ends[round + 1];
            for (uint i = f.ends[round] + item; i < last; i += WORK_GROUP) {
                const Settled at = f.order[i];
                const real sum = pull_coef(&s, at.vertex, at.distance, 0, 1, sources);
                add_dependency(&s, at.vertex, root, sources, sum);
            }
            barrier(BOTH_FENCES);
        }
        end_search(&s, &f, root, endpoints, sources);
    }
}
