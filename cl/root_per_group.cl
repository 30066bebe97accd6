// What the strategies share that give a root to one work-group: `vertex`, `edge`, `work-efficient`,
// `hybrid` and `warp`. As many work-groups as there are slots stay on the device; each has the arrays
// of its slot to itself, and takes its next root from a counter until none of the claim are left.
//
// Put in front of a strategy's own file, behind a line that defines NAMED(name): the kernel's name
// with the strategy in front. All searches have the same parameters, so that the host needs to know
// one engine only.
//
//   roots[2 i], roots[2 i + 1]   vertex of the i-th root of this claim, sources that it stands for
//   status[0]                    roots taken so far
//   status[1]                    0, or 1 + i of a root whose path counts left the range of `real`
//   status[2 + i]                depth of the i-th search
//
// No word is read by one work-item while another may write it: a barrier lies between, or the
// operation is atomic. No atomic operation on a float anywhere.

#define STATUS_TAKEN 0
#define STATUS_OVERFLOW 1
#define STATUS_DEPTHS 2

#define BOTH_FENCES (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

// `knob` is the strategy's own: items of a virtual warp, or the width of a wide frontier.
// Out-arcs are in offsets, targets and tails (the vertex of each arc's row), in-arcs in the same
// with in_; an undirected graph has the same arrays twice. tails are there for `edge` and `hybrid`;
// stacks, ends and seen for those with a frontier. Their places hold a word otherwise.
#define SEARCH_PARAMETERS                                                                         \
    const uint count, const uint knob, __global const uint *roots, __global uint *status,         \
        const uint n, const uint arcs, const uint directed, const uint endpoints,                 \
        __global const uint *offsets, __global const uint *targets, __global const uint *tails,   \
        __global const uint *in_offsets, __global const uint *in_targets,                         \
        __global const uint *in_tails, __global const real *weight, __global uint *levels,        \
        __global real *sigmas, __global real *coefs, __global uint *stacks,                       \
        __global uint *level_ends, __global uint *seen_bits, __global real *all_scores

// A search: the graph and the arrays of the work-group's slot.
typedef struct {
    uint n;
    uint arcs;
    uint directed;
    __global const uint *offsets;
    __global const uint *targets;
    __global const uint *tails;
    __global const uint *in_offsets;
    __global const uint *in_targets;
    __global const uint *in_tails;
    __global const real *weight;
    __global uint *level;
    __global real *sigma;
    __global real *coef;
    __global real *scores;
    __global uint *status;
} Search;

#define SEARCH_OF_GROUP                                                                           \
    {n, arcs, directed, offsets, targets, tails, in_offsets, in_targets, in_tails, weight,        \
     levels + get_group_id(0) * (size_t)n, sigmas + get_group_id(0) * (size_t)n,                  \
     coefs + get_group_id(0) * (size_t)n, all_scores + get_group_id(0) * (size_t)n, status}

// The position of the work-group's next root in the claim; `count` or more if none is left.
uint next_root(__global uint *status, __local uint *taken) {
    if (get_local_id(0) == 0) *taken = atomic_inc(&status[STATUS_TAKEN]);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint position = *taken;
    barrier(CLK_LOCAL_MEM_FENCE);
    return position;
}

// Puts every vertex back to unseen, without paths. Each item takes the vertices that it also has
// in `settle` and in every other loop over all vertices.
void clear_all(const Search *s) {
    for (uint v = get_local_id(0); v < s->n; v += WORK_GROUP) {
        s->level[v] = UNSEEN;
        s->sigma[v] = 0;
    }
}

// coef of a vertex whose path count is complete, but whose dependency is not there yet.
void begin_coef(const Search *s, const uint v, const real sigma, const uint position) {
    s->coef[v] = s->weight[v] / sigma;
    if (!(sigma <= SIGMA_LIMIT)) atomic_cmpxchg(&s->status[STATUS_OVERFLOW], 0u, position + 1);
}

// The sum of coef over the out-arcs of `v` that lead to `level`: arc `first` of its row and every
// `stride`-th after it.
real pull_coef(const Search *s, const uint v, const uint level, const uint first,
               const uint stride) {
    const uint end = s->offsets[v + 1];
    real sum = 0;
    for (size_t arc = (size_t)s->offsets[v] + first; arc < end; arc += stride) {
        const uint w = s->targets[arc];
        if (s->level[w] == level) sum += s->coef[w];
    }
    return sum;
}

// Completes a vertex: coef = (weight + delta) / sigma, and sigma * sum = delta into the scores.
void add_dependency(const Search *s, const uint v, const real sources, const real sum) {
    s->coef[v] += sum;
    s->scores[v] += sources * s->sigma[v] * sum;
}

// Without a queue (`vertex`, `edge`): the vertices that got paths in this pass are on `level`.
// Whether there is one among those of this work-item.
bool settle(const Search *s, const uint level, const uint position) {
    bool any = false;
    for (uint v = get_local_id(0); v < s->n; v += WORK_GROUP) {
        if (s->level[v] != UNSEEN) continue;
        const real sigma = s->sigma[v];
        if (sigma == 0) continue;
        s->level[v] = level;
        begin_coef(s, v, sigma, position);
        any = true;
    }
    return any;
}

// Without a queue: path ends of a directed graph (--endpoints). The root is met once by every vertex
// that it reaches, and each of them by the root. Barriers on both sides.
void count_ends(const Search *s, const uint root, const real sources, __local uint *reached) {
    if (get_local_id(0) == 0) *reached = 0;
    barrier(BOTH_FENCES);
    uint mine = 0;
    for (uint v = get_local_id(0); v < s->n; v += WORK_GROUP) {
        if (v == root || s->level[v] == UNSEEN) continue;
        s->scores[v] += sources;
        mine++;
    }
    if (mine) atomic_add(reached, mine);
    barrier(BOTH_FENCES);
    if (get_local_id(0) == 0) s->scores[root] += (real)*reached;
    barrier(BOTH_FENCES);
}

// Adds up the slots' scores in a fixed order and begins them anew. A work-item per vertex.
__kernel GROUP_OF_ITEMS void NAMED(add_slots)(const uint n, const uint slots,
                                              __global real *all_scores, __global SCORE *sums) {
    const uint v = get_global_id(0);
    if (v >= n) return;
    SCORE sum = 0;
    for (uint slot = 0; slot < slots; slot++) {
        const size_t place = (size_t)slot * n + v;
        sum += all_scores[place];
        all_scores[place] = 0;
    }
    sums[v] = sum;
}
