// Strategy "vertex" on weighted graphs: one work-group per root, and every pass looks at all
// vertices, a work-item each. This is the node-parallel method of Fan, Xu and Zhao, with the rules
// of `weighted.cl`.
//
// A round is three passes with barriers between. The first settles vertices and pulls their path
// counts, the second relaxes arcs, which changes distances, and the third updates the bounds.

__kernel GROUP_OF_ITEMS void NAMED(search)(SEARCH_PARAMETERS) {
    __local uint taken, reached;
    // Three pairs of bounds take turns: one is written, one may still be read, one is cleared.
    __local dist bound[3], nearest[3];
    Search s = SEARCH_OF_GROUP;
    __global uint *settled_in = all_settled_in + get_group_id(0) * (size_t)n;
    const uint item = get_local_id(0);
    for (uint position = next_root(status, &taken, NO_ROOT); position < count;
         position = next_root(status, &taken, position)) {
        const uint root = roots[2 * position];
        const real sources = SOURCES_OF(root);
        for (uint v = item; v < n; v += WORK_GROUP) {
            s.distance[v] = v == root ? 0 : FAR;
            settled_in[v] = UNSEEN;
        }
        if (item == 0) bound[0] = nearest[0] = FAR;
        barrier(BOTH_FENCES);

        Horizon horizon = {FAR, 0};
        uint round = 0;
        for (;;) {
            const uint turn = round % 3;
            if (item == 0) bound[(turn + 1) % 3] = nearest[(turn + 1) % 3] = FAR;
            for (uint v = item; v < n; v += WORK_GROUP) {
                const dist d = s.distance[v];
                if (d == FAR || settled_in[v] != UNSEEN || !is_final(&s, horizon, v, d)) continue;
                settled_in[v] = round;
                real sigma = v == root ? 1 : 0;
                const uint end = s.in_offsets[v + 1];
                for (uint i = s.in_offsets[v]; i < end; i++) {
                    const Arc arc = s.in_arcs[i];
                    if (LEADS_TO(&s, s.distance[arc.target], arc.length, d))
                        sigma += s.sigma[arc.target];
                }
                begin_coefficient(&s, v, sigma, position);
            }
            barrier(BOTH_FENCES);
            for (uint v = item; v < n; v += WORK_GROUP) {
                if (settled_in[v] != round) continue;
                const dist d = DIST_LOAD(&s.distance[v]);
                const uint end = s.offsets[v + 1];
                for (uint i = s.offsets[v]; i < end; i++) {
                    const Arc arc = s.arcs[i];
                    DIST_MIN(&s.distance[arc.target], THROUGH(&s, d, arc.length));
                }
            }
            barrier(BOTH_FENCES);
            Horizon mine = NO_HORIZON;
            for (uint v = item; v < n; v += WORK_GROUP) {
                const dist d = s.distance[v];
                if (d != FAR && settled_in[v] == UNSEEN) update_horizon(&s, &mine, v, d);
            }
            combine_horizons(mine, &bound[turn], &nearest[turn]);
            barrier(BOTH_FENCES);
            horizon.bound = bound[turn];
            horizon.nearest = nearest[turn];
            if (horizon.nearest == FAR) break;
            round++;
        }
        if (item == 0) status[STATUS_DEPTHS + position] = round;

        // The vertices settled in the last round have no successors.
        FOR_EACH_PASS
        for (uint back = BEGIN_PASS(round); back-- > LAST_ROUND;) {
            for (uint v = item; v < n; v += WORK_GROUP) {
                if (settled_in[v] != back) continue;
                add_dependency(&s, v, root, sources,
                               pull_coefficients(&s, v, s.distance[v], 0, 1, sources));
            }
            barrier(BOTH_FENCES);
        }

        ADD_ALL_DISTANCES;
        // Counts path ends of a directed graph (--endpoints). A pair of the root and a reached
        // vertex counts once at each end.
        if (endpoints) {
            if (item == 0) reached = 0;
            barrier(BOTH_FENCES);
            uint mine = 0;
            for (uint v = item; v < n; v += WORK_GROUP) {
                if (v == root || s.distance[v] == FAR) continue;
                s.scores[v] += sources;
                mine++;
            }
            if (mine) atomic_add(&reached, mine);
            barrier(BOTH_FENCES);
            if (item == 0) s.scores[root] += sources * (real)reached;
        }
        barrier(BOTH_FENCES);
    }
}
