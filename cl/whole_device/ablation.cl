// Variants of the kernels of strategy "virtual", each with one of its ideas taken back. They exist
// for the table of `brandes bench --ablation` alone: no strategy uses them, and ordinary runs do
// not build them. Arguments are as in virtual.cl where nothing else is said.

// --- Contiguous arcs ---------------------------------------------------------------------------
// A virtual vertex has the next `degree` arcs of its vertex in place of every so-manieth one.

__kernel GROUP_OF_ITEMS void ablation_contiguous_forward(
    const uint depth, const uint row, __global const uint *found, const uint pieces,
    __global const uint *first, __global const uint *owner, __global const uint *offsets,
    __global const uint *targets, __global const uint *level, __global const real *sigma,
    __global real *partial, const uint degree) {
    found += row;
    const uint piece = get_global_id(0);
    if (piece >= pieces || !found[1 + depth]) return;
    const uint v = owner[piece];
    if (level[v] != UNSEEN) return;
    const uint begin = offsets[v] + (piece - first[v]) * degree;
    const uint end = begin + min(degree, offsets[v + 1] - begin);
    real sum = 0;
    for (uint arc = begin; arc < end; arc++) {
        const uint u = targets[arc];
        if (level[u] == depth) sum += sigma[u];
    }
    partial[piece] = sum;
}

__kernel GROUP_OF_ITEMS void ablation_contiguous_backward(
    const uint depth, const uint row, __global const uint *found, const uint planned,
    const uint pieces, __global const uint *first, __global const uint *owner,
    __global const uint *offsets, __global const uint *targets, __global const uint *level,
    __global const real *coefficient, __global real *partial, const uint degree) {
    found += row;
    const uint piece = get_global_id(0);
    if (piece >= pieces || !found[2 + depth] || found[1 + planned]) return;
    const uint v = owner[piece];
    if (level[v] != depth) return;
    const uint begin = offsets[v] + (piece - first[v]) * degree;
    const uint end = begin + min(degree, offsets[v + 1] - begin);
    real sum = 0;
    for (uint arc = begin; arc < end; arc++) {
        const uint w = targets[arc];
        if (level[w] == depth + 1) sum += coefficient[w];
    }
    partial[piece] = sum;
}

// --- Emulated float atomics --------------------------------------------------------------------
// In place of the reduction kernels, every virtual vertex adds its sum to that of its vertex in a
// compare-and-swap loop. That leaves one launch a level, and two more a root: `turn` makes
// coefficient when all path counts are there, `last` takes the dependencies out of it.

#if REAL_IS_DOUBLE
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define ABLATION_HAS_CAS 1
#define REAL_BITS ulong
#define REAL_CAS atom_cmpxchg
#define AS_REAL as_double
#define AS_BITS as_ulong
#endif
#else
#define ABLATION_HAS_CAS 1
#define REAL_BITS uint
#define REAL_CAS atomic_cmpxchg
#define AS_REAL as_float
#define AS_BITS as_uint
#endif

#ifdef ABLATION_HAS_CAS
static inline void ablation_add(volatile __global real *sum, const real more) {
    volatile __global REAL_BITS *bits = (volatile __global REAL_BITS *)sum;
#if EXACT_ACCESS
    REAL_BITS seen = REAL_CAS(bits, (REAL_BITS)0, (REAL_BITS)0);
#else
    REAL_BITS seen = *bits; // formally a race; whatever it reads, the next line checks it
#endif
    for (;;) {
        const REAL_BITS before = REAL_CAS(bits, seen, AS_BITS(AS_REAL(seen) + more));
        if (before == seen) return;
        seen = before;
    }
}

__kernel GROUP_OF_ITEMS void ablation_atomic_reset(const uint root, const uint row,
                                                   __global uint *found, const uint n,
                                                   __global uint *level, __global real *sigma) {
    found += row;
    const uint v = get_global_id(0);
    if (v >= n) return;
    level[v] = v == root ? 0u : UNSEEN;
    sigma[v] = v == root;
    if (v == root) found[1] = 1;
}

// The virtual vertices of v may write its level at the same time, all the same one: the one that
// comes later must not take v for seen. Formally a race, and harmless: a level changes only from
// UNSEEN to depth + 1, which mean the same to all of them.
#if EXACT_ACCESS
#define LEVEL_NOW(v) atomic_or(&level[v], 0u)
#define SET(word, value) atomic_xchg(&(word), value)
#else
#define LEVEL_NOW(v) level[v]
#define SET(word, value) (word) = (value)
#endif
__kernel GROUP_OF_ITEMS void ablation_atomic_forward(
    const uint depth, const uint row, __global uint *found, const uint pieces,
    __global const uint *first, __global const uint *owner, __global const uint *offsets,
    __global const uint *targets, __global uint *level, volatile __global real *sigma) {
    found += row;
    const uint piece = get_global_id(0);
    if (piece >= pieces || !found[1 + depth]) return;
    const uint v = owner[piece];
    const uint of_v = LEVEL_NOW(v);
    if (of_v != UNSEEN && of_v != depth + 1) return;
    const uint stride = first[v + 1] - first[v];
    const uint end = offsets[v + 1];
    real sum = 0;
    for (uint arc = offsets[v] + (piece - first[v]); arc < end; arc += stride) {
        const uint u = targets[arc];
        if (LEVEL_NOW(u) == depth) sum += sigma[u];
    }
    if (sum > 0) {
        SET(level[v], depth + 1);
        SET(found[2 + depth], 1u);
        ablation_add(&sigma[v], sum);
    }
}

__kernel GROUP_OF_ITEMS void ablation_atomic_turn(
    const uint root, const uint row, __global uint *found, const uint n, __global const uint *level,
    __global const real *sigma, __global const real *weight, __global real *coefficient) {
    found += row;
    const uint v = get_global_id(0);
    if (v >= n || level[v] == UNSEEN) return;
    coefficient[v] = weight[v] / sigma[v];
    if (!(sigma[v] <= SIGMA_LIMIT)) atomic_or(&found[0], 1u);
}

__kernel GROUP_OF_ITEMS void ablation_atomic_backward(
    const uint depth, const uint row, __global const uint *found, const uint planned,
    const uint pieces, __global const uint *first, __global const uint *owner,
    __global const uint *offsets, __global const uint *targets, __global const uint *level,
    volatile __global real *coefficient) {
    found += row;
    const uint piece = get_global_id(0);
    if (piece >= pieces || !found[2 + depth] || found[1 + planned]) return;
    const uint v = owner[piece];
    if (level[v] != depth) return;
    const uint stride = first[v + 1] - first[v];
    const uint end = offsets[v + 1];
    real sum = 0;
    for (uint arc = offsets[v] + (piece - first[v]); arc < end; arc += stride) {
        const uint w = targets[arc];
        if (level[w] == depth + 1) sum += coefficient[w];
    }
    if (sum > 0) ablation_add(&coefficient[v], sum);
}

__kernel GROUP_OF_ITEMS void ablation_atomic_last(
    const uint root, const uint row, __global const uint *found, const uint planned,
    const real sources, const uint n, __global const uint *level, __global const real *sigma,
    __global const real *coefficient, __global const real *weight, __global real *scores) {
    found += row;
    const uint v = get_global_id(0);
    if (v >= n || v == root || level[v] == UNSEEN || found[1 + planned]) return;
    scores[v] += sources * (sigma[v] * coefficient[v] - weight[v]);
}
#endif

// --- Array of structures -----------------------------------------------------------------------
// One record per vertex in place of an array per number. A kernel fetches the record of its own
// vertex whole.

typedef struct {
    real sigma;
    real coefficient;
    real weight;
    uint level;
} ablation_record; // as large as four reals: `level` is padded where real is double

__kernel GROUP_OF_ITEMS void ablation_records_reset(const uint root, const uint row,
                                                    __global uint *found, const uint n,
                                                    __global ablation_record *vertices) {
    found += row;
    const uint v = get_global_id(0);
    if (v >= n) return;
    vertices[v].level = v == root ? 0u : UNSEEN;
    if (v == root) {
        vertices[v].sigma = 1;
        found[1] = 1;
    }
}

__kernel GROUP_OF_ITEMS void ablation_records_forward(
    const uint depth, const uint row, __global const uint *found, const uint pieces,
    __global const uint *first, __global const uint *owner, __global const uint *offsets,
    __global const uint *targets, __global const ablation_record *vertices,
    __global real *partial) {
    found += row;
    const uint piece = get_global_id(0);
    if (piece >= pieces || !found[1 + depth]) return;
    const uint v = owner[piece];
    if (vertices[v].level != UNSEEN) return;
    const uint stride = first[v + 1] - first[v];
    const uint end = offsets[v + 1];
    real sum = 0;
    for (uint arc = offsets[v] + (piece - first[v]); arc < end; arc += stride) {
        const ablation_record u = vertices[targets[arc]];
        if (u.level == depth) sum += u.sigma;
    }
    partial[piece] = sum;
}

__kernel GROUP_OF_ITEMS void ablation_records_forward_reduce(const uint depth, const uint row,
                                                             __global uint *found, const uint n,
                                                             __global const uint *first,
                                                             __global const real *partial,
                                                             __global ablation_record *vertices) {
    __local uint any;
    found += row;
    const uint v = get_global_id(0);
    const bool busy = found[1 + depth] != 0;
    if (get_local_id(0) == 0) any = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (busy && v < n && vertices[v].level == UNSEEN) {
        ablation_record own = vertices[v];
        own.sigma = 0;
        for (uint piece = first[v]; piece < first[v + 1]; piece++) own.sigma += partial[piece];
        if (own.sigma > 0) {
            own.level = depth + 1;
            own.coefficient = own.weight / own.sigma;
            vertices[v] = own;
            atomic_or(&any, 1u);
            if (!(own.sigma <= SIGMA_LIMIT)) atomic_or(&found[0], 1u);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && any) atomic_or(&found[2 + depth], 1u);
}

__kernel GROUP_OF_ITEMS void ablation_records_backward(
    const uint depth, const uint row, __global const uint *found, const uint planned,
    const uint pieces, __global const uint *first, __global const uint *owner,
    __global const uint *offsets, __global const uint *targets,
    __global const ablation_record *vertices, __global real *partial) {
    found += row;
    const uint piece = get_global_id(0);
    if (piece >= pieces || !found[2 + depth] || found[1 + planned]) return;
    const uint v = owner[piece];
    if (vertices[v].level != depth) return;
    const uint stride = first[v + 1] - first[v];
    const uint end = offsets[v + 1];
    real sum = 0;
    for (uint arc = offsets[v] + (piece - first[v]); arc < end; arc += stride) {
        const ablation_record w = vertices[targets[arc]];
        if (w.level == depth + 1) sum += w.coefficient;
    }
    partial[piece] = sum;
}

__kernel GROUP_OF_ITEMS void ablation_records_backward_reduce(
    const uint depth, const uint row, __global const uint *found, const uint planned,
    const real sources, const uint n, __global const uint *first, __global const real *partial,
    __global ablation_record *vertices, __global real *scores) {
    found += row;
    const uint v = get_global_id(0);
    if (v >= n || !found[2 + depth] || found[1 + planned]) return;
    const ablation_record own = vertices[v];
    if (own.level != depth) return;
    real sum = 0;
    for (uint piece = first[v]; piece < first[v + 1]; piece++) sum += partial[piece];
    vertices[v].coefficient = own.coefficient + sum;
    scores[v] += sources * own.sigma * sum;
}
