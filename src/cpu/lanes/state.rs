//! The levels of a batch, and the lanes at each vertex.

use super::rows::{LaneRow, VertexLanes};
use crate::cpu::halt;
use crate::cpu::vectors::Vectors;
use crate::engine::{EngineError, Root};
use crate::graph::{Csr, Vertex};
use crate::pages::filled;
use crate::prepare::{Prepared, PreparedQuery};

/// Returns whether pulling a level, which looks at `pull` arcs, is cheaper than pushing it, which
/// looks at `push` arcs. Both add the same rows, but pulling writes each sum only once, and an arc
/// without a common lane costs little.
pub(super) fn pull_is_cheaper(pull: usize, push: usize) -> bool {
    pull <= 4 * push
}

/// Returns the number of arcs of `graph` out of these vertices.
pub(super) fn arcs_at(graph: &Csr, pairs: &[VertexLanes]) -> usize {
    pairs.iter().map(|&(v, _)| graph.degree(v)).sum()
}

/// All levels of a batch, kept for the backward phase.
#[derive(Default)]
pub(super) struct Levels {
    /// The vertices of each level with their lanes, one level after another.
    pairs: Vec<VertexLanes>,
    /// The first pair of each level, and the end of the last complete level.
    starts: Vec<usize>,
}

impl Levels {
    /// Returns the number of complete levels.
    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn level(&self, level: usize) -> &[VertexLanes] {
        &self.pairs[self.starts[level]..self.starts[level + 1]]
    }

    /// Adds the distances of all vertices below the roots, and the eccentricities of the roots, to
    /// the columns of a query.
    #[inline(always)]
    pub(super) fn add_distances<V: Vectors, const G: usize>(
        &self,
        (prepared, query): (&Prepared, &PreparedQuery),
        roots: &[Root],
        sums: &mut [f64],
    ) {
        if query.distances.is_empty() && query.eccentricities.is_empty() {
            return;
        }
        let n = prepared.graph.vertices();
        let factor = |&root: &Root| prepared.factor(root);
        let factors = LaneRow::<G>::factors(prepared, roots);
        let first = roots.first().map_or(0.0, factor);
        let all_equal = roots.iter().all(|root| factor(root) == first);
        // The last level of each lane. A lane has vertices on all levels up to its last.
        let mut last = [0; u64::BITS as usize];
        let mut amounts = Vec::new();
        for level in 1..self.count() {
            query.amounts(level as f64, &mut amounts);
            let mut found = 0;
            for &(v, lanes) in self.level(level) {
                found |= lanes;
                let sources = match all_equal {
                    true => first * f64::from(lanes.count_ones()),
                    false => factors.total::<V>(lanes),
                };
                for &(column, amount) in &amounts {
                    sums[column * n + v as usize] += sources * amount;
                }
            }
            for (lane, last) in last.iter_mut().enumerate() {
                *last = if found >> lane & 1 == 1 { level } else { *last };
            }
        }
        for (column, limit) in query.eccentricity_columns() {
            for (root, &last) in roots.iter().zip(&last) {
                sums[column * n + root.vertex as usize] += (last as f64).min(limit.floor());
            }
        }
    }

    /// Counts path ends, for `--endpoints` of a directed graph: each pair of a root and a vertex
    /// that it reaches counts at both.
    pub(super) fn count_endpoints(&self, roots: &[Root], scores: &mut [f64]) {
        for &(v, mut lanes) in &self.pairs[self.starts[1]..] {
            while lanes != 0 {
                let Root { vertex, sources } = roots[lanes.trailing_zeros() as usize];
                lanes &= lanes - 1;
                scores[vertex as usize] += f64::from(sources);
                scores[v as usize] += f64::from(sources);
            }
        }
    }
}

/// The hits of a vertex: its neighbours that share lanes with it.
///
/// Hits are listed before any of their rows is read, so that neighbours without common lanes cause
/// no branch mispredictions, and rows can be prefetched. The list has room for the neighbours of
/// any vertex, along arcs in either direction.
pub(super) struct Hits(Vec<VertexLanes>);

impl Hits {
    /// Returns the neighbours for which `lanes_of` returns any lanes, with these lanes.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        neighbours: &[Vertex],
        mut lanes_of: impl FnMut(Vertex) -> u64,
    ) -> &[VertexLanes] {
        let hits = self.0[..neighbours.len()].as_mut_ptr();
        let mut end = hits;
        for &u in neighbours {
            let lanes = lanes_of(u);
            // SAFETY: there is room for as many hits as neighbours, and each neighbour moves the
            // end by one at most.
            unsafe {
                end.write((u, lanes));
                end = end.add(usize::from(lanes != 0));
            }
        }
        // SAFETY: both pointers are in one allocation, and all hits between them have been written.
        unsafe { std::slice::from_raw_parts(hits, end.offset_from_unsigned(hits)) }
    }
}

/// The lanes at a vertex while levels are found.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    /// Lanes that have reached the vertex, on this level or an earlier one.
    pub(super) seen: u64,
    /// Lanes that reach the vertex for the first time from the present level.
    pub(super) found: u64,
}

/// The state of a batch. Arrays over the prepared vertices are zero between batches.
pub(super) struct LaneState {
    pub(super) marks: Vec<Mark>,
    /// The lanes of each vertex of one level, between `enter` and `leave`.
    pub(super) level_lanes: Vec<u64>,
    pub(super) levels: Levels,
    /// The vertices of the next level. A pull begins with all candidates, some of which no lane
    /// reaches.
    pub(super) fresh: Vec<Vertex>,
    /// All vertices that some lane has reached.
    pub(super) touched: Vec<Vertex>,
    pub(super) hits: Hits,
}

impl LaneState {
    pub(super) fn new(prepared: &Prepared) -> Self {
        let n = prepared.graph.vertices();
        let [out, into] = prepared.ways().map(Csr::max_degree);
        LaneState {
            marks: filled(n, Mark::default()),
            level_lanes: filled(n, 0),
            levels: Levels::default(),
            fresh: Vec::with_capacity(n),
            touched: Vec::with_capacity(n),
            hits: Hits(vec![(0, 0); out.max(into)]),
        }
    }

    /// Finds levels without counting paths.
    #[inline(always)]
    pub(super) fn find_levels(
        &mut self,
        prepared: &Prepared,
        roots: &[Root],
    ) -> Result<(), EngineError> {
        self.start(roots);
        for level in 0..prepared.search_limit() as usize {
            halt::check()?;
            self.discover(&prepared.graph, level);
            if self.fresh.is_empty() {
                break;
            }
            self.settle();
        }
        Ok(())
    }

    /// Begins a batch with level 0. A vertex may be the root of several lanes, as in the joined
    /// batches of an estimate, but is on the level once.
    #[inline(always)]
    pub(super) fn start(&mut self, roots: &[Root]) {
        self.levels.pairs.clear();
        self.levels.starts.clear();
        self.levels.starts.push(0);
        for (lane, root) in roots.iter().enumerate() {
            let seen = &mut self.marks[root.vertex as usize].seen;
            if *seen == 0 {
                self.touched.push(root.vertex);
            }
            *seen |= 1 << lane;
        }
        let roots = self.touched.iter();
        (self.levels.pairs).extend(roots.map(|&v| (v, self.marks[v as usize].seen)));
        self.levels.starts.push(self.levels.pairs.len());
    }

    /// Finds the lanes that reach each vertex for the first time from this level, by multi-source
    /// breadth-first search on bits, without rows.
    #[inline(always)]
    pub(super) fn discover(&mut self, graph: &Csr, level: usize) {
        self.fresh.clear();
        for &(v, lanes) in self.levels.level(level) {
            for &u in graph.neighbours(v) {
                let mark = &mut self.marks[u as usize];
                let new = lanes & !mark.seen;
                if new != 0 {
                    if mark.found == 0 {
                        self.fresh.push(u);
                    }
                    mark.found |= new;
                }
            }
        }
    }

    /// Makes the next level from the vertices in `fresh`.
    #[inline(always)]
    pub(super) fn settle(&mut self) {
        for &u in &self.fresh {
            let mark = &mut self.marks[u as usize];
            let lanes = std::mem::take(&mut mark.found);
            if mark.seen == 0 {
                self.touched.push(u);
            }
            mark.seen |= lanes;
            self.levels.pairs.push((u, lanes));
        }
        self.levels.starts.push(self.levels.pairs.len());
    }

    /// Stores in `level_lanes`, for each vertex of a level, those of its lanes that `select`
    /// returns.
    #[inline(always)]
    pub(super) fn enter(&mut self, level: usize, select: impl Fn(u64) -> u64) {
        for &(v, lanes) in self.levels.level(level) {
            self.level_lanes[v as usize] = select(lanes);
        }
    }

    /// Sets `level_lanes` to zero again.
    #[inline(always)]
    pub(super) fn leave(&mut self, level: usize) {
        self.enter(level, |_| 0);
    }

    /// Sets the marks of all touched vertices to zero.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        for v in self.touched.drain(..) {
            self.marks[v as usize] = Mark::default();
        }
    }
}
