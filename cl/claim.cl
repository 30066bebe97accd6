// Distributes the roots of a claim, which are the roots of one launch, to work-groups. Each
// work-group has a workspace, and takes one root after another from a counter until no root of the
// claim is left. With FIXED_DEALING, work-group g takes roots g, g + groups, g + 2 groups and so
// on, so that its sums do not depend on timing.
//
//   roots[2 i], roots[2 i + 1]   vertex of the i-th root of this claim, sources that it stands for
//   status[0]                    roots taken so far
//   status[1]                    0, or 1 + i of a root that failed: a path count is above
//                                SIGMA_LIMIT or, with the flag STATUS_LENGTH_LOST, a length is lost
//   status[2 + i]                depth of the i-th search

#define STATUS_TAKEN 0
#define STATUS_OVERFLOW 1
#define STATUS_DEPTHS 2

#define BOTH_FENCES (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

// The value of `last` for a work-group that has had no root yet.
#define NO_ROOT 0xffffffffu

// Returns the position of the work-group's next root in the claim, after position `last`; at or
// beyond the end of the claim if no root is left.
uint next_root(__global uint *status, __local uint *taken, const uint last) {
    if (get_local_id(0) == 0) {
#if FIXED_DEALING
        *taken = last == NO_ROOT ? get_group_id(0) : last + get_num_groups(0);
#else
        *taken = atomic_inc(&status[STATUS_TAKEN]);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint position = *taken;
    barrier(CLK_LOCAL_MEM_FENCE);
    return position;
}

// Records the root at `position` if its path count `sigma` is the first above SIGMA_LIMIT.
void check_paths(__global uint *status, const real sigma, const uint position) {
    if (!(sigma <= SIGMA_LIMIT)) atomic_cmpxchg(&status[STATUS_OVERFLOW], 0u, position + 1);
}

// Adds up the sums of all workspaces in a fixed order and clears them, with a work-item for each of
// the `n` sums. A workspace has `rows` rows of `columns` numbers; the last number of a row is the
// one to add up. Sum i is in row row_of[i] if the sums are `scattered`, otherwise in row i.
__kernel GROUP_OF_ITEMS void NAMED(add_workspaces)(const uint n, const uint spaces, const uint rows,
                                                   const uint columns, const uint scattered,
                                                   __global const uint *row_of,
                                                   __global real *all_sums, __global SCORE *sums) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    const uint row = scattered ? row_of[i] : i;
    SCORE sum = 0;
    for (uint space = 0; space < spaces; space++) {
        const size_t place = ((size_t)space * rows + row) * columns + columns - 1;
        sum += all_sums[place];
        all_sums[place] = 0;
    }
    sums[i] = sum;
}
