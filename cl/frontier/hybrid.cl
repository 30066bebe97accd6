// Strategy "hybrid" searches like strategy "work-efficient", with a work-item per vertex of the
// frontier, but uses a work-item per arc of the graph if the frontier has more than `width`
// vertices. McLaughlin and Bader, "Scalable and High Performance Betweenness Centrality on the
// GPU", SC 2014.
//
// The host chooses `width` by the median depth of a sample of searches: if that is small, WIDE of
// width.rs, otherwise a value that no frontier exceeds.

// Adds up sigma for the vertices of the frontier, and claims unseen neighbours, with a work-item
// per arc. sigma of the frontier is 0 before. If the frontier is not `wide`, this only executes
// barriers: PoCL 5.0 cannot compile a conditional call of a function with barriers.
void expand_by_arcs(const bool wide, const Search *s, const Frontier *f, const uint depth,
                    __local real *values, __local uint *rows, __local uint *flags) {
    const uint item = get_local_id(0);
    const uint tiles = wide ? s->arcs / WORK_GROUP + (s->arcs % WORK_GROUP != 0) : 0;
    if (wide && s->directed) {
        for (size_t arc = item; arc < s->arcs; arc += WORK_GROUP) {
            const uint w = s->targets[arc];
            if (s->level[s->tails[arc]] == depth && s->level[w] == UNSEEN) CLAIM(s, f, w, depth);
        }
    }
    begin_tiles(flags);
    for (uint tile = 0; tile < tiles; tile++) {
        const size_t arc = (size_t)tile * WORK_GROUP + item;
        uint v = UNSEEN;
        real value = 0;
        bool active = false;
        if (arc < s->arcs) {
            v = s->in_tails[arc];
            if (s->level[v] == depth) {
                const uint u = s->in_targets[arc];
                const uint level = s->level[u];
                active = level == depth - 1;
                if (active) value = s->sigma[u];
                if (level == UNSEEN && !s->directed) CLAIM(s, f, u, depth);
            }
        }
        const real sum = tile_sum(tile, v, active, value, values, rows, flags);
        if (sum > 0 && (item == 0 || arc == s->in_offsets[v])) s->sigma[v] += sum;
    }
    barrier(BOTH_FENCES);
}

// Computes the dependencies of the vertices of `level` with a work-item per arc, if it is `wide`.
void pull_by_arcs(const bool wide, const Search *s, const uint level, const real sources,
                  __local real *values, __local uint *rows, __local uint *flags) {
    const uint item = get_local_id(0);
    const uint tiles = wide ? s->arcs / WORK_GROUP + (s->arcs % WORK_GROUP != 0) : 0;
    begin_tiles(flags);
    for (uint tile = 0; tile < tiles; tile++) {
        const size_t arc = (size_t)tile * WORK_GROUP + item;
        uint v = UNSEEN;
        real value = 0;
        bool active = false;
        if (arc < s->arcs) {
            v = s->tails[arc];
            const uint w = s->targets[arc];
            active = s->level[v] == level && s->level[w] == level + 1;
            if (active) {
                value = s->coefficient[w];
                COUNT_ARC(s, arc, sources * (s->sigma[v] * value));
            }
        }
        const real sum = tile_sum(tile, v, active, value, values, rows, flags);
        if (sum > 0 && (item == 0 || arc == s->offsets[v])) add_dependency(s, v, sources, sum);
    }
}

__kernel GROUP_OF_ITEMS void hybrid_search(SEARCH_PARAMETERS) {
    __local uint taken, tail;
    TILE_LOCALS;
    Search s = SEARCH_OF_GROUP;
    const Frontier f = FRONTIER_OF_GROUP(&tail);
    const uint item = get_local_id(0);
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
            // Level 0 is never wide, because `expand_by_arcs` needs a level before.
            const bool wide = depth > 0 && end - begin > width;
            expand_by_arcs(wide, &s, &f, depth, tile_values, tile_rows, tile_flags);
            for (size_t i = (size_t)begin + item; i < end; i += WORK_GROUP) {
                const uint v = f.stack[i];
                const real sum = wide ? s.sigma[v] : expand(&s, &f, v, depth, 0, 1);
                settle_vertex(&s, v, depth, sum, position);
            }
            begin = end;
            end = next_frontier(&s, &f, depth, end);
            if (begin < end) depth++;
        }
        if (item == 0) status[STATUS_DEPTHS + position] = depth;

        // The root takes no score, and the deepest level has nothing to pull.
        FOR_EACH_PASS
        for (uint level = BEGIN_PASS_OF_FRONTIER(depth); level-- > LAST_LEVEL;) {
            const uint first = f.ends[level];
            const uint last = f.ends[level + 1];
            const bool wide = last - first > width;
            pull_by_arcs(wide, &s, level, sources, tile_values, tile_rows, tile_flags);
            if (!wide) {
                for (size_t i = (size_t)first + item; i < last; i += WORK_GROUP) {
                    const uint v = f.stack[i];
                    add_dependency(&s, v, sources,
                                   pull_coefficients(&s, v, level + 1, 0, 1, sources));
                }
            }
            barrier(BOTH_FENCES);
        }
        end_search(&s, &f, root, endpoints, sources, end);
    }
}
