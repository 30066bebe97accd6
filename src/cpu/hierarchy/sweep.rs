//! The sweep of a batch: down the elimination tree and back up, depth first.

use std::sync::Arc;

use super::climb::Climb;
use super::pairs::Pairs;
use super::rows::{Distances, LANES, Numbers, ZERO, add, dot, move_back, relax, without};
use super::totals::Totals;
use crate::cpu::claim_size::ClaimSize;
use crate::cpu::simd::{BatchSearch, Simd, Vectors};
use crate::engine::{EngineError, Root, SIGMA_LIMIT_F64};
use crate::prepare::Prepared;
use crate::prepare::hierarchy::{FAR, Hierarchy};

/// The row of a vertex on the stack: the current vertex or one of its ancestors.
#[derive(Clone, Copy)]
struct Row {
    distances: Distances,
    paths: Numbers,
}

/// The engine, with the state of a batch.
pub(super) struct Sweep<'g, P> {
    pub(super) prepared: &'g Prepared,
    pub(super) simd: Simd,
    pub(super) claim: ClaimSize,
    pub(super) hierarchy: Arc<Hierarchy>,
    /// Per rank, the place of the vertex on the stack.
    depth: Vec<u32>,
    /// Per rank, the topmost vertex of its elimination tree.
    top: Vec<u32>,
    /// Per rank, the lowest rank in its subtree.
    lowest_in_subtree: Vec<u32>,
    /// Per overlay arc, the place of its higher end on the stack.
    place: Vec<u32>,
    pub(super) pairs: P,
    stack: Vec<Row>,
    /// Per place on the stack and backward phase, the sums of coefficients over the arcs to lower
    /// vertices that have been left already.
    below: Vec<Numbers>,
    /// The ranks of the vertices on the stack.
    on_stack: Vec<u32>,
    climb: Climb,
    pub(super) totals: Totals,
    /// The totals of the present batch, if its path counts may be out of range: these totals are
    /// then dropped.
    batch_totals: Option<Totals>,
}

impl<'g, P: Pairs> Sweep<'g, P> {
    pub(super) fn new(
        prepared: &'g Prepared,
        hierarchy: Arc<Hierarchy>,
        simd: Simd,
        pairs: P,
    ) -> Self {
        let n = hierarchy.vertices();
        let depth = hierarchy.depths();
        let mut top: Vec<u32> = (0..n as u32).collect();
        for v in (0..n).rev() {
            top[v] = top[hierarchy.parent[v] as usize];
        }
        let deepest = depth.iter().max();
        let deepest = deepest.map_or(0, |&deepest| deepest as usize + 1);
        let row = Row {
            distances: [FAR; LANES],
            paths: ZERO,
        };
        let may_overflow = hierarchy.most_paths > SIGMA_LIMIT_F64;
        Sweep {
            prepared,
            simd,
            claim: ClaimSize::default(),
            place: hierarchy.heads.iter().map(|&v| depth[v as usize]).collect(),
            stack: vec![row; deepest],
            below: vec![ZERO; deepest * pairs.passes()],
            on_stack: vec![0; deepest],
            climb: Climb::new(n, pairs.passes()),
            totals: Totals::zero(&hierarchy, prepared.sum_columns()),
            batch_totals: may_overflow.then(|| Totals::zero(&hierarchy, prepared.sum_columns())),
            pairs,
            depth,
            top,
            lowest_in_subtree: hierarchy.subtrees(),
            hierarchy,
        }
    }
}

impl<P: Pairs> BatchSearch for Sweep<'_, P> {
    #[inline(always)]
    fn batch<V: Vectors>(&mut self, roots: &[Root]) -> Result<u64, EngineError> {
        // The factor of each lane's dependencies; 0 in lanes without a root.
        let sources: Numbers = self.prepared.factors(roots);
        let mut climb = std::mem::take(&mut self.climb);
        let mut batch_totals = self.batch_totals.take();
        let mut totals = std::mem::take(&mut self.totals);
        climb.up::<V>(&self.hierarchy, &self.top, roots);
        self.pairs.begin(&self.hierarchy, roots);
        let to = batch_totals.as_mut().unwrap_or(&mut totals);
        let mut most = ZERO;
        let mut reached = ZERO;
        for at in 0..climb.tops.len() {
            let results = (&mut *to, &mut most, &mut reached);
            self.down_and_up::<V>(climb.tops[at], &sources, &mut climb, results);
        }
        for pass in 0..self.pairs.passes() {
            climb.back::<V>(&self.hierarchy, pass, to);
        }
        self.pairs.finish(&self.hierarchy, roots, to);
        if self.prepared.count_endpoints {
            for (lane, root) in roots.iter().enumerate() {
                let rank = self.hierarchy.rank[root.vertex as usize];
                // The root itself was counted twice: in `reached`, and by the visit of its vertex.
                to.sums_of(rank)[0] += sources[lane] * (reached[lane] - 2.0);
            }
        }
        climb.clear();
        let overflowed = (0..LANES).filter(|&lane| most[lane] > SIGMA_LIMIT_F64);
        let overflowed = overflowed.fold(0, |lanes, lane| lanes | 1 << lane);
        if let Some(batch_totals) = &mut batch_totals {
            batch_totals.move_to(&mut totals, overflowed == 0);
        }
        self.climb = climb;
        self.totals = totals;
        self.batch_totals = batch_totals;
        Ok(overflowed)
    }
}

impl<P: Pairs> Sweep<'_, P> {
    /// Visits the elimination tree whose topmost vertex is `top`.
    #[inline(always)]
    fn down_and_up<V: Vectors>(
        &mut self,
        top: u32,
        sources: &Numbers,
        climb: &mut Climb,
        (totals, most, reached): (&mut Totals, &mut Numbers, &mut Numbers),
    ) {
        let hierarchy = Arc::clone(&self.hierarchy);
        let down = hierarchy.down();
        let may_overflow = hierarchy.most_paths > SIGMA_LIMIT_F64;
        let lowest = self.lowest_in_subtree[top as usize];
        let mut height = 0;
        for v in (lowest..=top).rev() {
            let depth = self.depth[v as usize] as usize;
            while height > depth {
                height -= 1;
                self.leave::<V>(height, sources, climb, totals);
            }
            let (mut distances, mut paths) = climb.start(v);
            let arcs = hierarchy.arcs_of(v);
            for arc in arcs.clone() {
                let above = &self.stack[self.place[arc] as usize];
                let arc = (down.lengths[arc], down.paths[arc]);
                let from = (&above.distances, &above.paths);
                relax::<V>((&mut distances, &mut paths), from, arc);
            }
            if may_overflow {
                for lane in 0..LANES {
                    most[lane] = most[lane].max(paths[lane]);
                }
            }
            if self.prepared.count_endpoints {
                let mut path_ends = 0.0;
                for lane in 0..LANES {
                    let there = f64::from(u8::from(distances[lane] < FAR));
                    reached[lane] += there;
                    path_ends += there * sources[lane];
                }
                totals.sums_of(v)[0] += path_ends;
            }
            self.stack[depth] = Row { distances, paths };
            let passes = self.pairs.passes();
            for below in &mut self.below[depth * passes..][..passes] {
                *below = ZERO;
            }
            self.on_stack[depth] = v;
            height = depth + 1;
        }
        while height > 0 {
            height -= 1;
            self.leave::<V>(height, sources, climb, totals);
        }
    }

    /// Leaves the vertex at `place`, the last one of the stack: its coefficients are complete, and
    /// are added to the sums of its higher neighbours.
    #[inline(always)]
    fn leave<V: Vectors>(
        &mut self,
        place: usize,
        sources: &Numbers,
        climb: &mut Climb,
        totals: &mut Totals,
    ) {
        let v = self.on_stack[place];
        let row = &self.stack[place];
        let sums = totals.sums_of(v);
        self.pairs
            .visit::<V>(v, (&row.distances, &row.paths), sources, sums);
        let passes = self.pairs.passes();
        let mut first = 0;
        while first < passes {
            let state = (&mut *climb, &mut *totals);
            match passes - first {
                1 => self.leave_in::<V, 1>(first, place, sources, state),
                2 => self.leave_in::<V, 2>(first, place, sources, state),
                _ => self.leave_in::<V, 3>(first, place, sources, state),
            }
            first += 3;
        }
    }

    /// Leaves a vertex in `PASSES` backward phases, which share the comparisons of distances.
    #[inline(always)]
    fn leave_in<V: Vectors, const PASSES: usize>(
        &mut self,
        first: usize,
        place: usize,
        sources: &Numbers,
        (climb, totals): (&mut Climb, &mut Totals),
    ) {
        let hierarchy = &*self.hierarchy;
        let down = hierarchy.down();
        let v = self.on_stack[place];
        let passes = self.pairs.passes();
        let (above, row) = self.stack.split_at(place);
        let (distances, paths) = (&row[0].distances, &row[0].paths);
        let (below_above, below) = self.below.split_at_mut(place * passes);
        let below = &below[first..first + PASSES];
        let mut coefficients = [ZERO; PASSES];
        for pass in 0..PASSES {
            let ends = self
                .pairs
                .ends(first + pass, v, (distances, paths), sources);
            coefficients[pass] = ends;
            add(&mut coefficients[pass], &below[pass]);
        }
        let arcs = hierarchy.arcs_of(v);
        let flows = &mut totals.flows[first..][..PASSES];
        let places = &self.place[arcs.clone()];
        let lengths = &down.lengths[arcs.clone()];
        let multiplicities = &down.paths[arcs.clone()];
        for arc in 0..places.len() {
            let place = places[arc] as usize;
            let above = &above[place];
            let over = (lengths[arc], multiplicities[arc]);
            let from = (&above.distances, &above.paths);
            for pass in 0..PASSES {
                let below = &mut below_above[place * passes + first + pass];
                flows[pass].down[arcs.start + arc] +=
                    move_back::<V>(from, distances, over, &coefficients[pass], below);
            }
        }
        for pass in 0..PASSES {
            let roots = climb.store(v, first + pass, distances, &coefficients[pass]);
            let sum = dot::<V>(&without(paths, roots), &below[pass]);
            totals.sums_of(v)[first + pass] += sum;
        }
    }
}
