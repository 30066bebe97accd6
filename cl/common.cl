// The beginning of every program. Macros from the host:
//   REAL             double or float: path counts and dependencies
//   REAL_IS_DOUBLE   1 if it is double
//   SCORE            double or float: scores added up over many roots
//   HAS_DOUBLE       1 if the device has double
//   WORK_GROUP       work-items of a work-group, for kernels that do not choose their own
//   COUNT_EDGES      1 if the dependencies of arcs are summed too
//   QUERY            1 if programs are for a query other than the betweenness of all pairs
//   EXACT_ACCESS     see below
//   FIXED_DEALING    1 if the roots of a work-group depend on its number alone

#ifndef REAL
#define REAL double
#endif
#ifndef REAL_IS_DOUBLE
#define REAL_IS_DOUBLE 1
#endif
#ifndef SCORE
#define SCORE REAL
#endif
#ifndef HAS_DOUBLE
#define HAS_DOUBLE 1
#endif
// Scores of edges and queries have programs of their own, so that other searches do not pay for
// them.
#ifndef COUNT_EDGES
#define COUNT_EDGES 0
#endif
#ifndef QUERY
#define QUERY 0
#endif
// Race detectors build the kernels with 1, which avoids the few accesses that are formally races
// but cannot change a result. A comment at each of these accesses gives the reason.
#ifndef EXACT_ACCESS
#define EXACT_ACCESS 0
#endif
#ifndef FIXED_DEALING
#define FIXED_DEALING 0
#endif
#ifndef WORK_GROUP
#define WORK_GROUP 256
#endif

#if HAS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef REAL real;

// The largest path count. With a larger one, coefficient = (weight + delta) / sigma could be
// subnormal.
#if REAL_IS_DOUBLE
#define SIGMA_LIMIT 0x1p1022
#else
#define SIGMA_LIMIT 0x1p126f
#endif

// The level of a vertex that the search has not reached. It equals 0 - 1, so kernels must exclude
// unseen vertices or depth 0 before they compare a level with depth - 1.
#define UNSEEN 0xffffffffu

// The number of twins that vertex v stands for, 1 if no twins are merged. The path count and the
// coefficient of v are multiplied by this number.
#define MULTIPLICITY(twins, multiplicity, v) ((twins) ? (multiplicity)[v] : (real)1)

#define GROUP_OF_ITEMS __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1)))
