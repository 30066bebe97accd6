// Strategy "virtual": several roots at a time, level by level (`levels.cl`). A work-item is a
// virtual vertex of a slot: at most D arcs of a vertex, dealt round-robin. It writes the sum over
// its arcs to `partial`.

// The arcs of vertex v in a piece, which `ablation.cl` replaces.
#ifndef STRIDE
#define FIRST_ARC(v, piece) (offsets[v] + ((piece)-first[v]))
#define END_OF_ARCS(v, piece) offsets[(v) + 1]
#define STRIDE(v) (first[(v) + 1] - first[v])
#endif
// Stores the sum of a piece; `ablation.cl` adds it to the vertex at once.
#ifndef ADDED_TO
#define ADDED_TO __global const
#define LEVEL_NOW(v) LEVEL(v)
#define IS_UNSEEN(v) (LEVEL(v) == UNSEEN)
#define FORWARD_SUM(sum) partial[(size_t)slot * pieces + piece] = sum
#define BACKWARD_SUM FORWARD_SUM
#endif

// Path counts: every unseen vertex adds up sigma over its in-arcs from level `depth`. A work-item
// per virtual vertex; offsets and targets are those of the in-arcs.
__kernel GROUP_OF_ITEMS void virtual_forward(BATCH, __global const uint *first,
                                             __global const uint *owner,
                                             __global const uint *offsets,
                                             __global const uint *targets, ADDED_TO uint *level,
                                             ADDED_TO real *sigma, __global real *partial) {
    BEGIN_SLOT;
    const uint piece = get_global_id(0), pieces = first[n];
    if (piece >= pieces || !found[1 + depth]) return;
    const uint v = owner[piece];
    if (!IS_UNSEEN(v)) return;
    const uint stride = STRIDE(v), end = END_OF_ARCS(v, piece);
    real sum = 0;
    for (uint arc = FIRST_ARC(v, piece); arc < end; arc += stride) {
        const uint u = targets[arc];
        if (LEVEL_NOW(u) == depth) sum += SIGMA(u);
    }
    FORWARD_SUM(sum);
}

// Dependencies: every vertex of level `depth` adds up coefficient over its out-arcs to the next
// level. A work-item per virtual vertex; offsets and targets are those of the out-arcs.
__kernel GROUP_OF_ITEMS void virtual_backward(
    BATCH, __global const uint *first, __global const uint *owner, __global const uint *offsets,
    __global const uint *targets, __global const uint *level, ADDED_TO real *coefficient,
    __global real *partial ARCS_PARAMETER) {
    BEGIN_SLOT;
    const uint piece = get_global_id(0), pieces = first[n];
    if (piece >= pieces || !found[2 + depth] || found[1 + planned]) return;
    const uint v = owner[piece];
    if (LEVEL(v) != depth) return;
    const uint stride = STRIDE(v), end = END_OF_ARCS(v, piece);
    real sum = 0;
    for (uint arc = FIRST_ARC(v, piece); arc < end; arc += stride) {
        const uint w = targets[arc];
        if (LEVEL(w) == depth + 1) {
            const real below = COEFFICIENT(w);
            sum += below;
            COUNT_ARC(v, arc, below);
        }
    }
    BACKWARD_SUM(sum);
}

#ifdef ATOMICS
__kernel GROUP_OF_ITEMS void NAMED(turn)(BATCH, __global const uint *level,
                                         __global const real *sigma, __global const real *weight,
                                         __global real *coefficient) {
    BEGIN_SLOT;
    const uint v = get_global_id(0);
    if (v >= n || LEVEL(v) == UNSEEN) return;
    COEFFICIENT(v) = weight[v] / SIGMA(v);
    if (!(SIGMA(v) <= SIGMA_LIMIT)) atomic_or(&found[0], 1u);
}

__kernel GROUP_OF_ITEMS void NAMED(last)(BATCH, __global const uint *level,
                                         __global const real *sigma,
                                         __global const real *coefficient,
                                         __global const real *weight, __global SCORE *scores) {
    BEGIN_SLOT;
    const uint v = get_global_id(0);
    if (v >= n || v == ROOT || LEVEL(v) == UNSEEN || found[1 + planned]) return;
    scores[place + v] += SOURCES * (SIGMA(v) * COEFFICIENT(v) - weight[v]);
}
#endif
