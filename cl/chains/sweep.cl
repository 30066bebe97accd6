// Sweeps from junctions, behind rows.cl. A work-group takes a root a, computes the target
// weight Omega of everything seen from a, then goes back over the junctions as in Brandes'
// algorithm.
//
// Masses S and S' go as pairs (S, S'). If sources and weights are the same numbers (`uniform`), so
// are S and S': then it is (S, 0) everywhere.
//
//   sweeps[i]      of the i-th root of the claim; row i is its row. .x: junction; its chain-ends
//   with
//                  an interior are beyond_ends[.y] to beyond_ends[.z - 1]
//   beyond_ends    .x: row of the junction where the chain leads; .y: length, and bit 31 if this is
//                  end 1; .z: the chain; .w: where the interior begins, from end 1: where it ends
//   chains[c]      of those with an interior: .x, .y: junctions at end 0 and 1; .z: length;
//                  .w: where its interior begins
//   chain_ends[c]  its two chain-ends
//   masses[j]      sources and weight of a junction
//   prefix[i]      sums of those of all interior vertices before this one
//   round[e]       mass E of the pairs inside a chain whose paths go round
//   end_chain[e]   the chain of a chain-end, if it has an interior
//
// What a workspace keeps for the search under way:
//   beyond[j]      S of a junction, but for the root's own part
//   inside[e]      what targets inside the chain are reached by this end of it
//   coefficient[j] (Omega + delta) / sigma
//   list           chains to be treated vertex by vertex; with FIXED_DEALING, whether each is, so
//                  that the same work-item treats it in every run

#define LENGTH(end) ((end).y & 0x7fffffffu)
#define FROM_1(end) ((end).y >> 31)
// Positions p with 2p < h, and whether there is one with 2p = h.
#define BELOW(h) ((max(h, 1u) - 1) / 2)
#define TIED(h, length) (((h)&1u) == 0 && (h) > 0 && (h) / 2 < (length))

// Mass of these interior vertices.
real2 mass_of(__global const uint2 *prefix, const uint from, const uint to) {
    const uint2 a = prefix[from], b = prefix[to];
    return (real2)((real)(b.x - a.x), (real)(b.y - a.y));
}

// Mass of the positions after `from` up to `to`, counted from a chain-end.
real2 positions(__global const uint2 *prefix, const uint4 end, const uint from, const uint to) {
    return FROM_1(end) ? mass_of(prefix, end.w - to, end.w - from)
                       : mass_of(prefix, end.w + from, end.w + to);
}

// What to multiply S and S' with for Omega.
real2 factor(const real2 mass, const uint uniform_masses) {
    return uniform_masses ? mass : mass.yx * (real)0.5;
}

// Adds S to a mark.
void mark(__global SCORE *place, const real2 mass, const uint uniform_masses) {
    place[0] += mass.x;
    if (!uniform_masses) place[1] += mass.y;
}

// The sums of a workspace, one after the other:
//   sums      per junction, dependencies
//   via       per interior vertex, Omega that came by end 0 and by end 1
//   marks     per interior vertex, S that counts for it and all before it, reached by end 0; S that
//             counts for it and all after it, reached by end 1 (four numbers)
//   through   per chain with an interior, what flows from end to end
__kernel GROUP_OF_ITEMS void chains_sweep(
    const uint count, const uint n, const uint inner, const uint interiors,
    const uint uniform_masses, __global const uint4 *sweeps, __global const uint4 *beyond_ends,
    __global uint *status, __global const uint *offsets, __global const uint2 *ends,
    __global const uint *end_chain, __global const real *round, __global const uint4 *chains,
    __global const uint2 *chain_ends, __global const real2 *masses, __global const uint2 *prefix,
    __global const uint *distances, __global const real *path_counts, __global const uint2 *orders,
    __global const uint *all_round_ends, __global const uint *round_counts,
    __global real2 *all_beyond, __global real *all_inside, __global real *all_coefficients,
    __global uint *lists, __global SCORE *all_sums) {
    __local uint taken, listed;
    __local SCORE partial[WORK_GROUP];
    const uint item = get_local_id(0);
    const size_t space = get_group_id(0);
    __global real2 *beyond = all_beyond + space * n;
    __global real *inside = all_inside + space * offsets[n];
    __global real *coefficient = all_coefficients + space * n;
    __global uint *list = lists + space * inner;
    __global SCORE *sums = all_sums + space * ((size_t)n + 6 * (size_t)interiors + inner);
    __global SCORE *via = sums + n;
    __global SCORE *marks = via + 2 * (size_t)interiors;
    __global SCORE *through = marks + 4 * (size_t)interiors;

    for (uint position = next_root(status, &taken, NO_ROOT); position < count;
         position = next_root(status, &taken, position)) {
        const uint root = sweeps[position].x;
        const uint first_end = sweeps[position].y, last_end = sweeps[position].z;
        const real2 own = masses[root];
        __global const uint *distance = distances + (size_t)position * n;
        __global const real *sigma = path_counts + (size_t)position * n;
        // Omega that comes from roots inside chains, whose paths meet the root on their way.
        SCORE met_root = 0;
        if (item == 0) listed = 0;

        // S of junctions.
        for (uint v = item; v < n; v += WORK_GROUP) {
            const uint d = distance[v];
            if (d == FAR) continue;
            real2 sum = 0;
            for (uint e = first_end; e < last_end; e++) {
                const uint4 end = beyond_ends[e];
                const size_t there = (size_t)end.x * n + v;
                const uint h = LENGTH(end) + distances[there] - d;
                sum += positions(prefix, end, 0, BELOW(h));
                if (TIED(h, LENGTH(end))) {
                    const real paths = sigma[v];
                    sum += positions(prefix, end, h / 2 - 1, h / 2) *
                           (paths / (paths + path_counts[there]));
                }
            }
            beyond[v] = sum;
            if (v != root) met_root += dot(factor(masses[v], uniform_masses), sum);
        }
        barrier(BOTH_FENCES);

        // Chains on which h is a constant for all chain-ends at the root: S of all vertices nearer
        // to the same end is that of the end, so it is noted once. It is constant if distances from
        // the root and from the other end rise and fall alike. The others are listed.
        for (uint c = item; c < inner; c += WORK_GROUP) {
            const uint4 chain = chains[c];
            const uint low = distance[chain.x];
            if (FIXED_DEALING) list[c] = 0;
            if (low == FAR) continue;
            const uint rise = distance[chain.y] - low, turn = rise + chain.z;
            const uint below = BELOW(turn), not_above = min(turn / 2, chain.z - 1);
            bool whole = chain.x != root && chain.y != root, tied = false;
            for (uint e = first_end; e < last_end && whole; e++) {
                const uint4 end = beyond_ends[e];
                __global const uint *there = distances + (size_t)end.x * n;
                const uint low_there = there[chain.x];
                whole = there[chain.y] - low_there == rise;
                tied |= TIED(LENGTH(end) + low_there - low, LENGTH(end));
            }
            // S at a vertex where both ends tie is that at the ends, unless path counts matter.
            if (!whole || (tied && below != not_above)) {
                if (FIXED_DEALING) {
                    list[c] = 1;
                } else {
                    list[atomic_inc(&listed)] = c;
                }
                continue;
            }
            const uint2 places = chain_ends[c];
            const real2 at_0 = beyond[chain.x], at_1 = beyond[chain.y];
            real by_0 = 0, by_1 = 0;
            if (below > 0) {
                const real2 f = factor(mass_of(prefix, chain.w, chain.w + below), uniform_masses);
                mark(marks + 4 * (size_t)(chain.w + below - 1), at_0 + own, uniform_masses);
                by_0 += dot(f, at_0 + own);
                met_root += dot(f, at_0);
            }
            if (not_above < chain.z - 1) {
                const real2 f = factor(mass_of(prefix, chain.w + not_above, chain.w + chain.z - 1),
                                       uniform_masses);
                mark(marks + 4 * (size_t)(chain.w + not_above) + 2, at_1 + own, uniform_masses);
                by_1 += dot(f, at_1 + own);
                met_root += dot(f, at_1);
            }
            if (below != not_above) {
                const uint i = chain.w + below;
                const real2 f = factor(mass_of(prefix, i, i + 1), uniform_masses);
                const real omega = dot(f, at_0 + own);
                const real paths_0 = sigma[chain.x], paths_1 = sigma[chain.y];
                const real scale = 1 / (paths_0 + paths_1);
                const real omega_0 = omega * (paths_0 * scale), omega_1 = omega * (paths_1 * scale);
                via[2 * (size_t)i] += omega_0;
                via[2 * (size_t)i + 1] += omega_1;
                by_0 += omega_0;
                by_1 += omega_1;
                met_root += dot(f, at_0);
            }
            inside[places.x] = by_0;
            inside[places.y] = by_1;
        }
        barrier(BOTH_FENCES);

        // The others, vertex by vertex.
        const uint places_listed = FIXED_DEALING ? inner : listed;
        for (uint k = item; k < places_listed; k += WORK_GROUP) {
            if (FIXED_DEALING && !list[k]) continue;
            const uint c = FIXED_DEALING ? k : list[k];
            const uint4 chain = chains[c];
            const uint low = distance[chain.x], high = distance[chain.y];
            const real paths_0 = sigma[chain.x], paths_1 = sigma[chain.y];
            const uint turn = high + chain.z - low;
            real by_0 = 0, by_1 = 0;
            for (uint q = 1; q < chain.z; q++) {
                const uint d = 2 * q <= turn ? low + q : high + chain.z - q;
                real2 sum = 0;
                for (uint e = first_end; e < last_end; e++) {
                    const uint4 end = beyond_ends[e];
                    if (end.z == c) continue;
                    const size_t row = (size_t)end.x * n;
                    const uint low_there = distances[row + chain.x];
                    const uint high_there = distances[row + chain.y];
                    const uint turn_there = high_there + chain.z - low_there;
                    const uint d_there =
                        2 * q <= turn_there ? low_there + q : high_there + chain.z - q;
                    const uint h = LENGTH(end) + d_there - d;
                    sum += positions(prefix, end, 0, BELOW(h));
                    if (TIED(h, LENGTH(end))) {
                        const real here =
                            (2 * q <= turn ? paths_0 : 0) + (2 * q >= turn ? paths_1 : 0);
                        const real there = (2 * q <= turn_there ? path_counts[row + chain.x] : 0) +
                                           (2 * q >= turn_there ? path_counts[row + chain.y] : 0);
                        sum += positions(prefix, end, h / 2 - 1, h / 2) * (here / (here + there));
                    }
                }
                const uint i = chain.w + q - 1;
                const real2 f = factor(mass_of(prefix, i, i + 1), uniform_masses);
                const real omega = dot(f, sum + own);
                real omega_0 = 0, omega_1 = 0;
                met_root += dot(f, sum);
                if (2 * q < turn) {
                    omega_0 = omega;
                } else if (2 * q > turn) {
                    omega_1 = omega;
                } else {
                    const real scale = 1 / (paths_0 + paths_1);
                    omega_0 = omega * (paths_0 * scale);
                    omega_1 = omega * (paths_1 * scale);
                }
                if (2 * q <= turn) via[2 * (size_t)i] += omega_0;
                if (2 * q >= turn) via[2 * (size_t)i + 1] += omega_1;
                by_0 += omega_0;
                by_1 += omega_1;
            }
            const uint2 places = chain_ends[c];
            inside[places.x] = by_0;
            inside[places.y] = by_1;
        }
        partial[item] = met_root;
        barrier(BOTH_FENCES);

        // Junctions pull what lies inside the chains at them.
        for (uint v = item; v < n; v += WORK_GROUP) {
            if (v == root || distance[v] == FAR) continue;
            real sum = 0;
            for (uint e = offsets[v]; e < offsets[v + 1]; e++) {
                sum += inside[e];
                // E is the same at both ends of a chain.
                if (ends[e].x == root) sum += round[e];
            }
            sums[v] += sum;
            coefficient[v] =
                (dot(factor(masses[v], uniform_masses), beyond[v] + own) + sum) / sigma[v];
        }
        if (item == 0) {
            SCORE sum = 0;
            for (uint i = 0; i < WORK_GROUP; i++) sum += partial[i];
            for (uint e = offsets[root]; e < offsets[root + 1]; e++) sum += round[e];
            sums[root] += sum;
        }
        barrier(BOTH_FENCES);

        // The way back. The first round is the root alone, which takes nothing.
        __global const uint2 *order = orders + (size_t)position * n;
        __global const uint *round_ends = all_round_ends + (size_t)position * (n + 1);
        const uint rounds = round_counts[position];
        for (uint r = rounds - 1; r > 0; r--) {
            const uint end = round_ends[r + 1];
            for (uint i = round_ends[r] + item; i < end; i += WORK_GROUP) {
                const uint v = order[i].x, d = order[i].y;
                const real paths = sigma[v];
                real sum = 0;
                for (uint e = offsets[v]; e < offsets[v + 1]; e++) {
                    const uint2 to = ends[e];
                    if (distance[to.x] != d + to.y) continue;
                    const real there = coefficient[to.x];
                    sum += there;
                    if (to.y > 1) through[end_chain[e]] += paths * there;
                }
                if (sum != 0) {
                    coefficient[v] += sum;
                    sums[v] += paths * sum;
                }
            }
            barrier(BOTH_FENCES);
        }
        for (uint e = offsets[root] + item; e < offsets[root + 1]; e += WORK_GROUP) {
            const uint2 to = ends[e];
            if (to.y > 1 && distance[to.x] == to.y) through[end_chain[e]] += coefficient[to.x];
        }
        barrier(BOTH_FENCES);
    }
}

// Adds the sums of all workspaces, in their order, and begins them anew. A work-item per number.
__kernel GROUP_OF_ITEMS void chains_add_slots(const uint numbers, const uint spaces,
                                              __global SCORE *all_sums, __global SCORE *sums) {
    const uint i = get_global_id(0);
    if (i >= numbers) return;
    SCORE sum = 0;
    for (uint space = 0; space < spaces; space++) {
        const size_t place = (size_t)space * numbers + i;
        sum += all_sums[place];
        all_sums[place] = 0;
    }
    sums[i] = sum;
}
