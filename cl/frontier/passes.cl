// The backward phases of a query, and its sums of distances, for the strategies of this folder,
// with and without lengths. Each pass has a backward phase, which begins with the coefficients of
// the vertices within its radius. A workspace has a column of scores for each pass, followed by
// those of distances, and a column of sums of arcs for each pass. In a kernel, s.pass is the
// current pass; after the last pass, s.scores is the first column of distances.

#if QUERY
#ifdef LENGTHS
#define DISTANCE_OF(s, v) ((s)->distance[v])
// A pass begins at the last round, because any round may settle vertices within the radius.
#define DEEPEST(s, last) (last)
#else
#define DISTANCE_OF(s, v) ((s)->level[v])
#define FAR UNSEEN
#define DEEPEST(s, last) min(last, (s)->query.limits[(s)->pass])
#endif

#define QUERY_OF_SEARCH , 0, QUERY_OF_PARAMETERS

#define FIRST_SCORES (all_scores + get_group_id(0) * (size_t)n * columns)
#if COUNT_EDGES
#define FIRST_ARC_SCORES s.arc_scores = all_arc_scores + get_group_id(0) * (size_t)arcs * passes
#define NEXT_ARC_SCORES s.arc_scores += arcs
#else
#define FIRST_ARC_SCORES (void)0
#define NEXT_ARC_SCORES (void)0
#endif
#define FOR_EACH_PASS                                                            \
    for (s.pass = 0, s.scores = FIRST_SCORES, FIRST_ARC_SCORES; s.pass < passes; \
         s.pass++, s.scores += n, NEXT_ARC_SCORES)

// Stores the coefficient that a vertex at `d` has before dependencies are added.
void begin_coefficient_of_pass(const Search *s, const uint v, const dist d) {
    s->coefficient[v] = own_coefficient(&s->query, s->pass, s->weight[v], d, s->sigma[v]);
}

// Begins a backward phase in strategies without an explicit frontier (`vertex`, `edge`). Returns
// its deepest level or round, which is at most `last`. Ends with a barrier.
uint begin_pass(const Search *s, const uint last) {
    for (uint v = get_local_id(0); v < s->n; v += WORK_GROUP) {
        const dist d = DISTANCE_OF(s, v);
        if (d != FAR) begin_coefficient_of_pass(s, v, d);
    }
    barrier(BOTH_FENCES);
    return DEEPEST(s, last);
}

// Adds the sums of distances at all vertices, in strategies without an explicit frontier. Ends with
// a barrier.
void add_all_distances(const Search *s, const real sources) {
    for (uint v = get_local_id(0); v < s->n; v += WORK_GROUP) {
        const dist d = DISTANCE_OF(s, v);
        if (d != FAR) add_distances(&s->query, s->scores, s->n, v, d, sources);
    }
    barrier(BOTH_FENCES);
}

#define IS_WITHIN(depth) ((depth) < s.query.farthest)
#define BEGIN_PASS(last) begin_pass(&s, last)
#define BEGIN_PASS_OF_FRONTIER(last) begin_pass_of_frontier(&s, &f, last)
#define ADD_ALL_DISTANCES add_all_distances(&s, sources)
#else
#define IS_WITHIN(depth) true
#define BEGIN_PASS(last) (last)
#define BEGIN_PASS_OF_FRONTIER(last) (last)
#define ADD_ALL_DISTANCES
#define QUERY_OF_SEARCH
#define FOR_EACH_PASS
#endif
