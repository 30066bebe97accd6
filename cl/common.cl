// What every strategy shares. Built with these macros:
//   REAL_IS_DOUBLE   1: path counts and dependencies in double, 0: in float
//   WORK_GROUP       work-items of a group; every kernel is launched with exactly this many

#ifndef REAL_IS_DOUBLE
#define REAL_IS_DOUBLE 1
#endif
#ifndef WORK_GROUP
#define WORK_GROUP 256
#endif

#if REAL_IS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#define SIGMA_LIMIT 0x1p1022
#else
typedef float real;
#define SIGMA_LIMIT 0x1p126f
#endif

// Level of a vertex that the search has not reached. Not -1 as a signed number: a level above
// the root would look like it.
#define UNSEEN 0xffffffffu

#define GROUP __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1)))
