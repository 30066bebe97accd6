// Strategy "virtual" with one of its ideas switched off, only for `brandes bench --ablation`. This
// file is compiled before `root_per_device.cl` and `virtual.cl`, whose macros it replaces. The host
// defines CONTIGUOUS (as D), RECORDS or ATOMICS.

// A virtual vertex has up to D consecutive arcs of its vertex, rather than arcs dealt round-robin.
#ifdef CONTIGUOUS
#define FIRST_ARC(v, piece) (offsets[v] + ((piece)-first[v]) * CONTIGUOUS)
#define END_OF_ARCS(v, piece) (FIRST_ARC(v, piece) + min((uint)CONTIGUOUS, ARCS_LEFT(v, piece)))
#define ARCS_LEFT(v, piece) (offsets[(v) + 1] - FIRST_ARC(v, piece))
#define STRIDE(v) 1
#endif

// A record per vertex, of four reals (sigma, coefficient, weight and level), replaces an array for
// each of these numbers. The kernels get the same buffer for all four.
#ifdef RECORDS
#define WORDS (sizeof(real) / sizeof(uint))
#define LEVEL(v) level[(4 * (v) + 3) * WORDS]
#define SIGMA(v) sigma[4 * (v)]
#define COEFFICIENT(v) coefficient[4 * (v) + 1]
#define WEIGHT(v) weight[4 * (v) + 2]
#endif

// Every virtual vertex adds its sum to that of its vertex in a compare-and-swap loop, which
// replaces the reduction kernels. This leaves one launch per level in each phase, and adds two per
// root: `turn` computes coefficients when all path counts are complete, `last` computes the
// dependencies from the coefficients.
#ifdef ATOMICS
#if REAL_IS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define REAL_BITS ulong
#define REAL_CAS atom_cmpxchg
#define AS_REAL as_double
#define AS_BITS as_ulong
#else
#define REAL_BITS uint
#define REAL_CAS atomic_cmpxchg
#define AS_REAL as_float
#define AS_BITS as_uint
#endif

static inline void add_atomically(__global real *sum, const real more) {
    volatile __global REAL_BITS *bits = (volatile __global REAL_BITS *)sum;
#if EXACT_ACCESS
    REAL_BITS expected = REAL_CAS(bits, (REAL_BITS)0, (REAL_BITS)0);
#else
    REAL_BITS expected = *bits; // formally a race, but the loop checks what is read
#endif
    for (;;) {
        const REAL_BITS actual = REAL_CAS(bits, expected, AS_BITS(AS_REAL(expected) + more));
        if (actual == expected) return;
        expected = actual;
    }
}

// The virtual vertices of v may write its level at the same time, with equal values, and later ones
// must still treat v as unseen. Formally this is a race, but a level changes only from UNSEEN to
// depth + 1, and IS_UNSEEN accepts both. EXACT_ACCESS avoids the race.
#if EXACT_ACCESS
#define LEVEL_NOW(v) atomic_or(&level[v], 0u)
#define SET(word, value) atomic_xchg(&(word), value)
#else
#define LEVEL_NOW(v) level[v]
#define SET(word, value) (word) = (value)
#endif
#define IS_UNSEEN(v) (LEVEL_NOW(v) == UNSEEN || LEVEL_NOW(v) == depth + 1)
#define CLEARS_SIGMA true
#define ADDED_TO __global
#define FORWARD_SUM(sum)                \
    if (sum > 0) {                      \
        SET(level[v], depth + 1);       \
        SET(found[2 + depth], 1u);      \
        add_atomically(&sigma[v], sum); \
    }
#define BACKWARD_SUM(sum) \
    if (sum > 0) add_atomically(&coefficient[v], sum)

__kernel GROUP_OF_ITEMS void NAMED(turn)(const uint root, const uint row, __global uint *found,
                                         const uint n, __global const uint *level,
                                         __global const real *sigma, __global const real *weight,
                                         __global real *coefficient) {
    found += row;
    const uint v = get_global_id(0);
    if (v >= n || level[v] == UNSEEN) return;
    coefficient[v] = weight[v] / sigma[v];
    if (!(sigma[v] <= SIGMA_LIMIT)) atomic_or(&found[0], 1u);
}

__kernel GROUP_OF_ITEMS void NAMED(last)(const uint root, const uint row,
                                         __global const uint *found, const uint planned,
                                         const real sources, const uint n,
                                         __global const uint *level, __global const real *sigma,
                                         __global const real *coefficient,
                                         __global const real *weight, __global real *scores) {
    found += row;
    const uint v = get_global_id(0);
    if (v >= n || v == root || level[v] == UNSEEN || found[1 + planned]) return;
    scores[v] += sources * (sigma[v] * coefficient[v] - weight[v]);
}
#endif
