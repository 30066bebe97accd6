// Strategy "local": one work-group per root, with the levels of all vertices in local memory. It is
// for graphs of many levels, like roads and meshes. Scattered access to global memory limits the
// speed of such searches, so there is as little of it as possible:
// - Local memory has three bits per vertex: one to claim it, and two that are 0 if it is unseen,
//   otherwise its level modulo 3, plus 1. These distinguish unseen neighbours from those on the
//   level before, the same level and the next. Neighbours are on no other levels, because the
//   graphs are undirected.
// - Vertices are numbered by their first *record* of RECORD arcs (4 or 8), which is read as a
//   whole, without offsets. Vertices of more arcs have several consecutive records.
// - The path count and score of a vertex are adjacent in memory. In the backward phase, the
//   coefficient replaces the path count, which is not needed any more.
// - The frontier keeps its order: the claims of a work-item follow those of the items before it (up
//   to the order within 32 items), so that vertices next to each other in the frontier are close in
//   the graph, and their records and values often lie in the same lines of memory.
//
// With COUNT_EDGES each workspace also has sums of arcs, four for each quad (four words) of a
// record: for an arc (v, w) of a shortest path, sources * sigma(v) * coefficient(w). Only the
// work-item that pulls for v adds to them.
//
// With QUERY path counts stay, because there may be several backward phases: the coefficient takes
// the place of the score, and a workspace has columns of scores and of sums of arcs, as in
// cl/frontier/passes.cl.
//
// This file is compiled once for each RECORD, after claim.cl and query.cl.

#ifndef LOCAL_SHARED
#define LOCAL_SHARED

#define PAIR_OF(type) type##2
#define PAIR(type) PAIR_OF(type)
// .x: path count, then coefficient = (weight + delta) / sigma; .y: score. With QUERY .x: path
// count; .y: coefficient.
typedef PAIR(REAL) values;

// A word of a record: bits 0 to 17, the record of a neighbour, or of the vertex itself in words
// without an arc; bit 23 of the first word, whether the vertex has another record; bits 24 to 31 of
// the first four words of the first record, a byte each of the weight of the vertex.
#define ID(word) ((word)&0x3ffffu)
#define MORE(word) ((word) >> 23 & 1u)
// Bits 18 to 22 of the same four words: five bits each of the number of twins of the vertex.
#define TWIN_BITS(word) ((word) >> 18 & 31u)
#define TWINS(r) \
    (TWIN_BITS((r).x) | TWIN_BITS((r).y) << 5 | TWIN_BITS((r).z) << 10 | TWIN_BITS((r).w) << 15)
#define WEIGHT(r) ((r).x >> 24 | (r).y >> 24 << 8 | (r).z >> 24 << 16 | (r).w >> 24 << 24)

// Codes of levels: 16 vertices a word.
#define CODE_SHIFT(v) (((v)&15u) * 2u)
#define CODE(v) (codes[(v) >> 4] >> CODE_SHIFT(v) & 3u)
#define CODE_OF_LEVEL(level) ((level) % 3u + 1u)

// Claims are counted for 32 work-items at a time; the counts are read four at a time.
#define CHUNK 32
#define CHUNKS ((WORK_GROUP + 4 * CHUNK - 1) / (4 * CHUNK) * 4)
// The most arcs of a vertex that are visited before their claims get positions: a bit each of
// `claimed_arcs`.
#define ARCS_AT_ONCE 32

#if COUNT_EDGES
#define QUAD_OF(type) type##4
#define QUAD(type) QUAD_OF(type)
typedef QUAD(REAL) arc_sums;

#define ARCS_PARAMETER , __global arc_sums *all_arc_scores
#define QUADS_OF_PASS (QUADS * (size_t)records)
// Words without an arc lead to the vertex itself, which is not on the next level: their sums stay
// 0.
#define COUNT_QUAD(number)         \
    if ((x0 + x1) + (x2 + x3) > 0) \
    arc_score[PASS * QUADS_OF_PASS + number] += sources * (own.x * (arc_sums)(x0, x1, x2, x3))
// Arcs out of the root count too, so the backward phase ends at level 0. Counting down from 0 gives
// UNSEEN.
#define GO_BACK(level) ((level) != UNSEEN)
#else
#define ARCS_PARAMETER
#define COUNT_QUAD(number)
#define GO_BACK(level) ((level) > 0)
#endif

#if QUERY
// The weights of vertices as targets are not in records, which hold whole numbers only.
#define LOCAL_QUERY_PARAMETERS \
    , __global real *all_scores, __global const real *weights QUERY_PARAMETERS
#define IS_WITHIN(depth) ((depth) < query.farthest)
#define PASS pass
#define PASSES passes
#define FOR_EACH_PASS for (uint pass = 0; pass < passes; pass++)
#define FIRST_LEVEL level = min(depth, limits[pass]), last = ends[level + 1]
// No vertex has code 4, so that vertices at the radius have no successors.
#define CODE_OF_SUCCESSORS(level) ((level) == limits[pass] ? 4 : CODE_OF_LEVEL((level) + 1))
#define COEFFICIENT(u) value[u].y
#else
#define LOCAL_QUERY_PARAMETERS
#define IS_WITHIN(depth) true
#define PASS 0
#define PASSES 1
#define FOR_EACH_PASS
#define FIRST_LEVEL level = depth, last = end
#define CODE_OF_SUCCESSORS(level) CODE_OF_LEVEL((level) + 1)
#define COEFFICIENT(u) value[u].x
#endif
#endif

// Claims neighbour `u` if it is unseen and no other work-item has claimed it.
#define CLAIM(u, code, bit)                                                \
    if (code == 0 && IS_WITHIN(depth) &&                                   \
        !(atomic_or(&visited[u >> 5], 1u << (u & 31u)) >> (u & 31u) & 1u)) \
    claimed_arcs |= 1u << (bit)
// Adds up the path counts of those neighbours of a quad that are on the level before, and claims
// unseen ones. All path counts are requested before the first is used.
#define FORWARD_QUAD(quad, bit)                                                        \
    do {                                                                               \
        const uint u0 = ID(quad.x), u1 = ID(quad.y), u2 = ID(quad.z), u3 = ID(quad.w); \
        const uint c0 = CODE(u0), c1 = CODE(u1), c2 = CODE(u2), c3 = CODE(u3);         \
        real x0 = 0, x1 = 0, x2 = 0, x3 = 0;                                           \
        if (c0 == before) x0 = value[u0].x;                                            \
        if (c1 == before) x1 = value[u1].x;                                            \
        if (c2 == before) x2 = value[u2].x;                                            \
        if (c3 == before) x3 = value[u3].x;                                            \
        CLAIM(u0, c0, bit);                                                            \
        CLAIM(u1, c1, (bit) + 1);                                                      \
        CLAIM(u2, c2, (bit) + 2);                                                      \
        CLAIM(u3, c3, (bit) + 3);                                                      \
        sum += (x0 + x1) + (x2 + x3);                                                  \
    } while (0)
// Puts the vertices that a work-item has claimed in a quad on the stack, and on the next level.
#define PUT(word, bit)                                                   \
    if (claimed_arcs >> (bit)&1u) {                                      \
        stack[place++] = ID(word);                                       \
        atomic_or(&codes[ID(word) >> 4], after << CODE_SHIFT(ID(word))); \
    }
#define PUT_QUAD(quad, bit)                                                                   \
    do {                                                                                      \
        PUT(quad.x, bit) PUT(quad.y, (bit) + 1) PUT(quad.z, (bit) + 2) PUT(quad.w, (bit) + 3) \
    } while (0)
// `number` is the number of the quad in all records.
#define BACKWARD_QUAD(quad, number)                                                    \
    do {                                                                               \
        const uint u0 = ID(quad.x), u1 = ID(quad.y), u2 = ID(quad.z), u3 = ID(quad.w); \
        real x0 = 0, x1 = 0, x2 = 0, x3 = 0;                                           \
        if (CODE(u0) == after) x0 = COEFFICIENT(u0);                                   \
        if (CODE(u1) == after) x1 = COEFFICIENT(u1);                                   \
        if (CODE(u2) == after) x2 = COEFFICIENT(u2);                                   \
        if (CODE(u3) == after) x3 = COEFFICIENT(u3);                                   \
        sum += (x0 + x1) + (x2 + x3);                                                  \
        COUNT_QUAD(number);                                                            \
    } while (0)

#if RECORD == 4
#define LOCAL_SEARCH local_search_4
#define QUADS 1
#else
#define LOCAL_SEARCH local_search_8
#define QUADS 2
#endif

// Local memory has `codes`, a word per 16 records, and `visited`, a word per 32 records, whose bits
// are set by claims. Work-items read and change codes in different sections between barriers.
__kernel GROUP_OF_ITEMS void LOCAL_SEARCH(
    const uint count, const uint records, __global const uint *roots, __global uint *status,
    __global const uint4 *quads, const uint level_room, __global uint *stacks,
    __global values *all_values, __global uint *level_ends, __local uint *codes,
    __local uint *visited ARCS_PARAMETER LOCAL_QUERY_PARAMETERS) {
    __local uint taken;
    // Halves take turns: claims are counted in one while the other is cleared.
    __local uint4 claimed_by_chunk[2][CHUNKS / 4];
    __local uint claimed[2], unfinished[2];
    const uint item = get_local_id(0);
    const size_t space = get_group_id(0);
    __global uint *stack = stacks + space * records;
    __global uint *ends = level_ends + space * level_room;
    __global values *value = all_values + space * records;
#if COUNT_EDGES
    __global arc_sums *arc_score = all_arc_scores + space * PASSES * QUADS_OF_PASS;
#endif
#if QUERY
    const Query query = QUERY_OF_PARAMETERS;
    __global real *score = all_scores + space * columns * records;
#endif

    for (uint position = next_root(status, &taken, NO_ROOT); position < count;
         position = next_root(status, &taken, position)) {
        const uint root = roots[2 * position];
        const real sources = SOURCES_OF(root);
        for (uint i = item; i < (records + 15) / 16; i += WORK_GROUP) codes[i] = 0;
        for (uint i = item; i < (records + 31) / 32; i += WORK_GROUP) visited[i] = 0;
        for (uint i = item; i < CHUNKS / 2; i += WORK_GROUP)
            claimed_by_chunk[i & 1][i >> 1] = (uint4)(0);
        if (item < 2) claimed[item] = unfinished[item] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0) {
            codes[root >> 4] = CODE_OF_LEVEL(0) << CODE_SHIFT(root);
            visited[root >> 5] = 1u << (root & 31u);
            stack[0] = root;
            value[root].x = 1;
            ends[0] = 0;
            ends[1] = 1;
        }
        barrier(BOTH_FENCES);

        // Level `depth` is stack[begin..end]; its claims follow, up to `tail`.
        uint depth = 0, begin = 0, end = 1, tail = 1, turn = 0;
        for (;;) {
            const uint before = CODE_OF_LEVEL(depth + 2), after = CODE_OF_LEVEL(depth + 1);
            for (uint start = begin; start < end; start += WORK_GROUP) {
                const uint i = start + item;
                bool more = i < end;
                const uint v = more ? stack[i] : 0;
                const uint chunk = item / CHUNK;
                real sum = 0, twins = 1;
                uint next = v;
                bool again;
                do {
                    uint claimed_arcs = 0;
                    const uint first = next;
                    uint4 q0 = (uint4)(0);
#if RECORD == 8
                    uint4 q1 = (uint4)(0);
#endif
                    if (more) {
                        q0 = quads[QUADS * next];
#if RECORD == 8
                        q1 = quads[QUADS * next + 1];
#endif
                        if (first == v) twins = TWINS(q0);
                        FORWARD_QUAD(q0, 0);
#if RECORD == 8
                        FORWARD_QUAD(q1, 4);
#endif
                        next++;
                        more = MORE(q0.x);
                        for (uint bit = RECORD; more && bit < ARCS_AT_ONCE; bit += RECORD) {
                            const uint4 p0 = quads[QUADS * next];
                            FORWARD_QUAD(p0, bit);
#if RECORD == 8
                            const uint4 p1 = quads[QUADS * next + 1];
                            FORWARD_QUAD(p1, bit + 4);
#endif
                            next++;
                            more = MORE(p0.x);
                        }
                    }
                    // Claims get positions in the order of chunks, in any order within a chunk.
                    uint place = tail;
                    if (claimed_arcs) {
                        const uint number = popcount(claimed_arcs);
                        place += atomic_add((__local uint *)claimed_by_chunk[turn] + chunk, number);
                        atomic_add(&claimed[turn], number);
                    }
                    if (more) atomic_or(&unfinished[turn], 1u);
                    barrier(CLK_LOCAL_MEM_FENCE);
                    if (claimed_arcs) {
#pragma unroll
                        for (uint c = 0; c < CHUNKS; c += 4) {
                            const uint4 x = claimed_by_chunk[turn][c / 4];
                            place += (c < chunk ? x.x : 0) + (c + 1 < chunk ? x.y : 0) +
                                     (c + 2 < chunk ? x.z : 0) + (c + 3 < chunk ? x.w : 0);
                        }
                        PUT_QUAD(q0, 0);
#if RECORD == 8
                        PUT_QUAD(q1, 4);
#endif
                        for (uint bit = RECORD, r = first + 1;
                             bit < ARCS_AT_ONCE && claimed_arcs >> bit; bit += RECORD, r++) {
                            const uint4 p0 = quads[QUADS * r];
                            PUT_QUAD(p0, bit);
#if RECORD == 8
                            const uint4 p1 = quads[QUADS * r + 1];
                            PUT_QUAD(p1, bit + 4);
#endif
                        }
                    }
                    tail += claimed[turn];
                    again = unfinished[turn];
                    turn ^= 1;
                    if (item < CHUNKS / 4) claimed_by_chunk[turn][item] = (uint4)(0);
                    if (item == 0) claimed[turn] = unfinished[turn] = 0;
                    // The next round counts claims and reads codes.
                    if (again || start + WORK_GROUP < end) barrier(CLK_LOCAL_MEM_FENCE);
                } while (again);
                if (i < end && depth) {
                    sum *= twins;
                    value[v].x = sum;
                    check_paths(status, sum, position);
#if QUERY
                    add_distances(&query, score + passes * (size_t)records, records, v, depth,
                                  sources);
#endif
                }
            }
            barrier(BOTH_FENCES);
            if (tail == end) break;
            begin = end;
            end = tail;
            depth++;
            if (item == 0) ends[depth + 1] = end;
        }
        if (item == 0) status[STATUS_DEPTHS + position] = depth;

        // The root takes no score.
        FOR_EACH_PASS
        for (uint FIRST_LEVEL; GO_BACK(level); level--) {
            const uint after = CODE_OF_SUCCESSORS(level);
            const uint from = ends[level];
            for (uint i = from + item; i < last; i += WORK_GROUP) {
                const uint v = stack[i];
                const uint4 q0 = quads[QUADS * v];
                const values own = value[v];
                real sum = 0;
                BACKWARD_QUAD(q0, QUADS * v);
#if RECORD == 8
                const uint4 q1 = quads[QUADS * v + 1];
                BACKWARD_QUAD(q1, QUADS * v + 1);
#endif
                bool more = MORE(q0.x);
                for (uint r = v + 1; more; r++) {
                    const uint4 p0 = quads[QUADS * r];
                    BACKWARD_QUAD(p0, QUADS * r);
#if RECORD == 8
                    const uint4 p1 = quads[QUADS * r + 1];
                    BACKWARD_QUAD(p1, QUADS * r + 1);
#endif
                    more = MORE(p0.x);
                }
#if COUNT_EDGES
                if (level == 0) continue;
#endif
#if QUERY
                value[v].y = own_coefficient(&query, pass, weights[v], level, own.x) + sum;
                add_to_score(&query, pass, score + pass * (size_t)records, records, v, sources,
                             own.x * sum);
#else
                value[v] = (values)((real)TWINS(q0) * ((real)WEIGHT(q0) / own.x + sum),
                                    own.y + sources * own.x * sum);
#endif
            }
            last = from;
            barrier(BOTH_FENCES);
        }
    }
}

#undef LOCAL_SEARCH
#undef QUADS
