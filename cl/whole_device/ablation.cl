// Strategy "virtual" with one of its ideas switched off, for `brandes bench --ablation`. The host
// defines CONTIGUOUS (as D), RECORDS or ATOMICS. The macros replace those of the files after this.

// A virtual vertex has up to D consecutive arcs of its vertex, rather than arcs dealt round-robin.
#ifdef CONTIGUOUS
#define FIRST_ARC(v, piece) (offsets[v] + ((piece)-first[v]) * CONTIGUOUS)
#define END_OF_ARCS(v, piece) (FIRST_ARC(v, piece) + min((uint)CONTIGUOUS, ARCS_LEFT(v, piece)))
#define ARCS_LEFT(v, piece) (offsets[(v) + 1] - FIRST_ARC(v, piece))
#define STRIDE(v) 1
#endif

// A record per vertex, of three reals (sigma, coefficient and level), replaces an array for each of
// these numbers. The kernels get the same buffer for all three.
#ifdef RECORDS
#define WORDS (sizeof(real) / sizeof(uint))
#define LEVEL(v) level[(3 * (place + (v)) + 2) * WORDS]
#define SIGMA(v) sigma[3 * (place + (v))]
#define COEFFICIENT(v) coefficient[3 * (place + (v)) + 1]
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
#define LEVEL_NOW(v) atomic_or(&LEVEL(v), 0u)
#define SET(word, value) atomic_xchg(&(word), value)
#else
#define LEVEL_NOW(v) LEVEL(v)
#define SET(word, value) (word) = (value)
#endif
#define IS_UNSEEN(v) (LEVEL_NOW(v) == UNSEEN || LEVEL_NOW(v) == depth + 1)
#define ADDED_TO __global
#define FORWARD_SUM(sum)                \
    if (sum > 0) {                      \
        SET(LEVEL(v), depth + 1);       \
        SET(found[2 + depth], 1u);      \
        add_atomically(&SIGMA(v), sum); \
    }
#define BACKWARD_SUM(sum) \
    if (sum > 0) add_atomically(&COEFFICIENT(v), sum)
#endif
