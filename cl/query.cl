// The columns of a query (QUERY), which src/prepare/query.rs defines. The first `passes` columns
// are those of backward phases; the others are that of squares, if any, and sums of distances.
// Distances are levels, or have the type `dist` of `frontier/lengths.cl`, which is compiled before
// this file. With LENGTHS 0, distances are the bits of doubles.

#if QUERY
#ifndef LENGTHS
typedef uint dist;
#endif
#if defined(LENGTHS) && !LENGTHS
#define LENGTH_OF(q, d) ((real)as_double(d))
#else
#define LENGTH_OF(q, d) ((real)((d) >> (q)->kinds[(q)->columns]))
#endif

// The kinds of columns. DECAYED, PATHS and SQUARES have the amount exp(-decay d). PATHS is for a
// backward phase that counts paths, SQUARES for one that also sums squares of dependencies, in the
// column after its own; it is then the only phase.
#define KIND_DECAYED 0
#define KIND_PATHS 1
#define KIND_DISTANCE 2
#define KIND_INVERSE 3
#define KIND_SQUARES 4

// Each column has a kind, the largest distance that counts, and a decay; limits[columns] is the
// distance at which searches stop, and kinds[columns] the number of low bits of integer distances
// that count edges of length zero. Each vertex has a weight as a source.
#define QUERY_PARAMETERS                                                 \
    , const uint passes, const uint columns, __global const uint *kinds, \
        __global const dist *limits, __global const real *decays,        \
        __global const real *source_weights

typedef struct {
    uint passes;
    uint columns;
    dist farthest;
    __global const uint *kinds;
    __global const dist *limits;
    __global const real *decays;
} Query;

#define QUERY_OF_PARAMETERS \
    { passes, columns, limits[columns], kinds, limits, decays }

// Returns whether a pass counts paths (stress) instead of shares of pairs.
bool counts_paths(const Query *q, const uint pass) { return q->kinds[pass] == KIND_PATHS; }

// Returns whether a pass also sums squares of dependencies.
bool sums_squares(const Query *q, const uint pass) { return q->kinds[pass] == KIND_SQUARES; }

// Adds the dependency of a root on vertex v to the scores of a pass and, if the pass sums squares,
// its square to the next column. Columns have `rows` numbers.
void add_to_score(const Query *q, const uint pass, __global real *scores, const uint rows,
                  const uint v, const real sources, const real dependency) {
    scores[v] += sources * dependency;
    if (sums_squares(q, pass)) scores[(size_t)rows + v] += sources * dependency * dependency;
}
#define ADD_TO_SCORE(s, v, sources, dependency) \
    add_to_score(&(s)->query, (s)->pass, (s)->scores, (s)->n, v, sources, dependency)

// Returns what a pair of weight 1 at this distance counts in a column.
real amount_at(const Query *q, const uint column, const dist d) {
    if (d > q->limits[column]) return 0;
    const uint kind = q->kinds[column];
    const real length = LENGTH_OF(q, d), decay = q->decays[column];
    if (kind == KIND_DISTANCE) return length;
    if (kind == KIND_INVERSE) return length > 0 ? 1 / length : 0;
    return decay == 0 ? (real)1 : exp(-decay * length);
}

// Returns the coefficient that a vertex of this weight at `d` has in a pass before the dependencies
// of its successors are added. There is no factor for twins, which queries do not merge.
real own_coefficient(const Query *q, const uint pass, const real weight, const dist d,
                     const real sigma) {
    const real amount = weight * amount_at(q, pass, d);
    return counts_paths(q, pass) ? amount : amount / sigma;
}

// Adds the amounts of distance `d` to the sums of distances of vertex v. `scores` is the first
// column after the passes; columns have `rows` numbers.
void add_distances(const Query *q, __global real *scores, const uint rows, const uint v,
                   const dist d, const real sources) {
    if (d == 0) return;
    for (uint column = q->passes; column < q->columns; column++, scores += rows) {
        // No distance counts in the column of squares, whose limit is 0.
        const real amount = amount_at(q, column, d);
        if (amount != 0) scores[v] += sources * amount;
    }
}

#define SOURCES_OF(root) (roots[2 * position + 1] * source_weights[root])
#else
#define QUERY_PARAMETERS
#define SOURCES_OF(root) (roots[2 * position + 1])
#define ADD_TO_SCORE(s, v, sources, dependency) ((s)->scores[v] += (sources) * (dependency))
#endif
