// The functions of the strategies with an explicit frontier: `work-efficient`, `hybrid` and `warp`.
// A stack has all reached vertices in the order of their levels; level L begins, and level L - 1
// ends, at ends[L]. The deepest level is the frontier.
//
// In one pass, the vertices of the frontier pull sigma from the level before, and claim unseen
// neighbours for the next level. This pass writes no levels, so it reads them without atomics; a
// claim is an atomic operation on a bit map, needed only for unseen neighbours. A second, short
// pass writes the levels of claimed vertices.

typedef struct {
    __global uint *stack;
    __global uint *ends;
    // A bit per vertex: whether it is on the stack.
    __global uint *seen;
    // The number of vertices on the stack.
    __local uint *tail;
} Frontier;

#define SEEN_WORDS(n) ((n) / 32 + 1)

#define FRONTIER_OF_GROUP(tail)                                                               \
    {                                                                                         \
        stacks + get_group_id(0) * (size_t)n, level_ends + get_group_id(0) * ((size_t)n + 2), \
            seen_bits + get_group_id(0) * (size_t)SEEN_WORDS(n), tail                         \
    }

// Clears the workspace before the first search of a launch; each search leaves it clear.
void clear_workspace(const Search *s, const Frontier *f) {
    clear_all(s);
    for (uint word = get_local_id(0); word < SEEN_WORDS(s->n); word += WORK_GROUP) {
        f->seen[word] = 0;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

// Makes the root the frontier.
void begin_search(const Search *s, const Frontier *f, const uint root) {
    if (get_local_id(0) == 0) {
        f->stack[0] = root;
        f->ends[0] = 0;
        f->ends[1] = 1;
        *f->tail = 1;
        f->seen[root / 32] = 1u << root % 32;
        s->level[root] = 0;
        s->sigma[root] = 1;
    }
    barrier(BOTH_FENCES);
}

// Puts an unseen vertex on the stack, unless another work-item has done so.
void claim(const Frontier *f, const uint v) {
    const uint bit = 1u << v % 32;
    if (!(atomic_or(&f->seen[v / 32], bit) & bit)) f->stack[atomic_inc(f->tail)] = v;
}

// Claims an unseen neighbour of level `depth`, if it is within the radius of a query.
#if QUERY
#define CLAIM(s, f, v, depth) \
    if ((depth) < (s)->query.farthest) claim(f, v)
#else
#define CLAIM(s, f, v, depth) claim(f, v)
#endif

// Visits arc `first` of the rows of frontier vertex v and every `stride`-th arc after it: claims
// unseen neighbours, and returns the sum of sigma over neighbours on the level before.
real expand(const Search *s, const Frontier *f, const uint v, const uint depth, const uint first,
            const uint stride) {
    real sum = 0;
    uint end = s->offsets[v + 1];
    for (size_t arc = (size_t)s->offsets[v] + first; arc < end; arc += stride) {
        const uint w = s->targets[arc];
        const uint level = s->level[w];
        // UNSEEN must be tested first, because it equals depth - 1 on level 0.
        if (level == UNSEEN) {
            CLAIM(s, f, w, depth);
        } else if (!s->directed && level == depth - 1) {
            sum += s->sigma[w];
        }
    }
    if (s->directed && depth) {
        end = s->in_offsets[v + 1];
        for (size_t arc = (size_t)s->in_offsets[v] + first; arc < end; arc += stride) {
            const uint u = s->in_targets[arc];
            if (s->level[u] == depth - 1) sum += s->sigma[u];
        }
    }
    return sum;
}

// Stores the complete path count of a frontier vertex; `begin_search` has stored that of the root.
void settle_vertex(const Search *s, const uint v, const uint depth, const real sum,
                   const uint position) {
    if (depth == 0) return;
    const real sigma = multiplicity_of(s, v) * sum;
    s->sigma[v] = sigma;
    begin_coefficient(s, v, sigma, position);
}

// Puts the vertices that were claimed from level `depth` on the next level, which becomes the
// frontier. Returns the number of vertices on the stack. Begins and ends with a barrier.
uint next_frontier(const Search *s, const Frontier *f, const uint depth, const uint end) {
    barrier(BOTH_FENCES);
    const uint tail = *f->tail;
    for (size_t i = (size_t)end + get_local_id(0); i < tail; i += WORK_GROUP) {
        const uint v = f->stack[i];
        s->level[v] = depth + 1;
        s->sigma[v] = 0;
    }
    if (get_local_id(0) == 0) f->ends[depth + 2] = tail;
    barrier(BOTH_FENCES);
    return tail;
}

#if QUERY
// Begins a backward phase, and returns its deepest level, which is at most `depth`. Ends with a
// barrier.
uint begin_pass_of_frontier(const Search *s, const Frontier *f, const uint depth) {
    const uint deepest = DEEPEST(s, depth);
    for (uint i = get_local_id(0); i < f->ends[deepest + 1]; i += WORK_GROUP) {
        const uint v = f->stack[i];
        begin_coefficient_of_pass(s, v, s->level[v]);
    }
    barrier(BOTH_FENCES);
    return deepest;
}
#endif

// For the vertices on the stack, adds sums of distances and, if they are counted, path ends
// (--endpoints). Clears the workspace for the next search. Call this after a barrier; it ends with
// one.
void end_search(const Search *s, const Frontier *f, const uint root, const uint endpoints,
                const real sources, const uint tail) {
    for (uint i = get_local_id(0); i < tail; i += WORK_GROUP) {
        const uint v = f->stack[i];
#if QUERY
        add_distances(&s->query, s->scores, s->n, v, s->level[v], sources);
        // Clears only the words of reached vertices, because a bounded search may reach few.
        atomic_xchg(&f->seen[v / 32], 0u);
#endif
        s->level[v] = UNSEEN;
        // A pair of the root and a reached vertex counts once at each end.
        if (endpoints) s->scores[v] += v == root ? sources * (real)(tail - 1) : sources;
    }
#if !QUERY
    for (uint word = get_local_id(0); word < SEEN_WORDS(s->n); word += WORK_GROUP) {
        f->seen[word] = 0;
    }
#endif
    barrier(BOTH_FENCES);
}
