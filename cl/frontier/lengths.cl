// Distances in weighted graphs, and the rules for arcs on shortest paths.
// src/cpu/weighted/length.rs has the same rules, and both must agree to the last bit.
//
// Macro from the host:
//   LENGTHS   32: integers, every path shorter than 2^32 - 1
//             64: integers, every path shorter than 2^63
//             0: doubles, stored as their bits. Lengths are not negative, so their bits sort like
//             the numbers, and integer atomic operations compute minima.

#if LENGTHS == 32
typedef uint dist;
#define FAR 0xffffffffu
#define DIST_MIN(place, value) atomic_min(place, value)
#else
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
typedef ulong dist;
#define DIST_MIN(place, value) atom_min(place, value)
#if LENGTHS == 64
#define FAR 0xffffffffffffffffUL
#else
#define FAR 0x7ff0000000000000UL // infinity
#pragma OPENCL FP_CONTRACT OFF
#endif
#endif

// Reads a distance that other work-items may change at the same time.
#define DIST_LOAD(place) DIST_MIN(place, FAR)

// An arc, and a vertex with its distance. Vertex numbers are as wide as lengths, so that the
// structures have no padding.
typedef struct {
    dist length;
    dist target;
} Arc;
typedef struct {
    dist distance;
    dist vertex;
} Settled;

// The shortest arcs at a vertex. Lengths of arcs that do not exist are FAR.
typedef struct {
    // The length and target of the shortest out-arc; the lengths of the second shortest out-arc and
    // of the shortest in-arc.
    dist first;
    dist target;
    dist second;
    dist in;
} Shortest;

// Adds a length, which may be FAR, to a distance, which may not, because integers would overflow.
dist plus(const dist path, const dist length) {
    if (length == FAR) return FAR;
#if LENGTHS
    return path + length;
#else
    return as_ulong(as_double(path) + as_double(length));
#endif
}

#if LENGTHS
#define TOLERANCE_PARAMETER
#define TOLERANCE_MEMBER
#define TOLERANCE_OF_SEARCH
#else
// The kernels get the bits of a double, because `real` may be a float.
#define TOLERANCE_PARAMETER const ulong tolerance,
#define TOLERANCE_MEMBER double tolerance;
#define TOLERANCE_OF_SEARCH as_double(tolerance),
#endif

// True if a path of this length is longer than the shortest one to a vertex at `to`, and not tied
// with it. If BEYOND holds, it also holds for longer paths and for nearer vertices.
#if LENGTHS
#define BEYOND(s, path, to) ((path) > (to))
#else
#define BEYOND(s, path, to) (as_double(path) - as_double(to) > (s)->tolerance * as_double(to))
#endif

// True if an arc of this length from a vertex at `from` to one at `to` is on a shortest path.
// `from` may be FAR, `to` may not.
#define LEADS_TO(s, from, length, to) ((from) < (to) && !BEYOND(s, plus(from, length), to))
