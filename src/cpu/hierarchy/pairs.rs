//! The pairs that batches count, and their sums of distances.
#![expect(
    clippy::needless_range_loop,
    reason = "several rows are indexed by lane"
)]

use std::sync::Arc;

use super::rows::{Distances, LANES, Numbers, ZERO, dot, only, quotients, times, total};
use super::served::ServedChains;
use super::totals::Totals;
use crate::cpu::vectors::Vectors;
use crate::engine::Root;
use crate::prepare::hierarchy::{FAR, Hierarchy};
use crate::prepare::{DistanceSum, Prepared, PreparedQuery};

/// The pairs that count.
pub(super) trait Pairs {
    /// Returns the number of backward phases.
    fn passes(&self) -> usize;

    /// Returns the number of sums of a vertex. Those of the backward phases come first.
    fn columns(&self) -> usize;

    /// Starts a batch.
    fn begin(&mut self, hierarchy: &Hierarchy, roots: &[Root]);

    /// Adds sums of distances to the sums of the vertex of this rank, and computes what its
    /// passes share. Call this before [`Pairs::ends`].
    fn visit<V: Vectors>(
        &mut self,
        v: u32,
        row: (&Distances, &Numbers),
        sources: &Numbers,
        sums: &mut [f64],
    );

    /// Returns the part of the coefficients of the vertex of this rank that is due to pairs that
    /// end there.
    fn ends(&self, pass: usize, v: u32, row: (&Distances, &Numbers), sources: &Numbers) -> Numbers;

    /// Adds the sums of the roots of a batch.
    fn end(&mut self, hierarchy: &Hierarchy, roots: &[Root], totals: &mut Totals);
}

/// Returns the weight of each rank as a target.
fn weights(prepared: &Prepared, hierarchy: &Hierarchy) -> Vec<f64> {
    let vertices = hierarchy.vertex.iter();
    vertices.map(|&v| prepared.weight[v as usize]).collect()
}

/// The betweenness of all pairs.
pub(super) struct AllPairs {
    /// Per rank, the number of input vertices that the vertex stands for.
    weight: Vec<f64>,
    served: Option<ServedChains>,
}

impl AllPairs {
    pub(super) fn new(prepared: &Prepared, hierarchy: &Hierarchy) -> Self {
        let chains = prepared.chains.as_ref();
        AllPairs {
            weight: weights(prepared, hierarchy),
            served: chains.map(|chains| ServedChains::new(chains, hierarchy)),
        }
    }
}

impl Pairs for AllPairs {
    #[inline(always)]
    fn passes(&self) -> usize {
        1
    }

    fn columns(&self) -> usize {
        1
    }

    #[inline(always)]
    fn begin(&mut self, _: &Hierarchy, roots: &[Root]) {
        if let Some(served) = &mut self.served {
            served.begin(roots);
        }
    }

    #[inline(always)]
    fn visit<V: Vectors>(&mut self, _: u32, _: (&Distances, &Numbers), _: &Numbers, _: &mut [f64]) {
    }

    #[inline(always)]
    fn ends(
        &self,
        _: usize,
        v: u32,
        (distances, paths): (&Distances, &Numbers),
        sources: &Numbers,
    ) -> Numbers {
        let weight = self.weight[v as usize];
        let mut sources = *sources;
        if let Some(served) = &self.served {
            served.add(v, (distances, paths), &mut sources);
        }
        quotients(&times(&sources, &[weight; LANES]), paths)
    }

    #[inline(always)]
    fn end(&mut self, _: &Hierarchy, _: &[Root], _: &mut Totals) {}
}

/// The pairs of a query.
pub(super) struct QueryPairs {
    query: Arc<PreparedQuery>,
    /// Per rank, the weight as a target.
    weight: Vec<f64>,
    /// Per pass, the largest distance that counts, and whether paths are counted.
    passes: Vec<(u32, bool)>,
    /// The sums of distances, with the largest distance that counts.
    distances: Vec<(DistanceSum, u32)>,
    decay: Option<Decay>,
    /// The factors of decay at the present vertex.
    factors: Numbers,
    /// The pairs that end at the present vertex, and their shares of a path.
    pairs: Numbers,
    shares: Numbers,
    trips: Option<Trips>,
    /// The largest distance that counts so far, per lane and column of `distances`.
    farthest: Vec<Distances>,
}

impl QueryPairs {
    pub(super) fn new(
        prepared: &Prepared,
        hierarchy: &Hierarchy,
        query: &Arc<PreparedQuery>,
    ) -> Self {
        let limit = |limit: f64| limit.min(f64::from(FAR - 1)) as u32;
        let passes = query.passes.iter();
        let sums = query.distances.iter();
        let decay = query.decay();
        QueryPairs {
            weight: weights(prepared, hierarchy),
            passes: passes
                .map(|pass| (limit(pass.limit), pass.stress))
                .collect(),
            distances: sums
                .map(|column| (column.sum, limit(column.limit)))
                .collect(),
            decay: (decay > 0.0).then(|| Decay::new(decay)),
            factors: [1.0; LANES],
            pairs: ZERO,
            shares: ZERO,
            trips: query.has_demand().then(|| Trips::new(hierarchy)),
            farthest: vec![[0; LANES]; query.distances.len()],
            query: Arc::clone(query),
        }
    }
}

impl Pairs for QueryPairs {
    #[inline(always)]
    fn passes(&self) -> usize {
        self.passes.len()
    }

    fn columns(&self) -> usize {
        self.passes.len() + self.distances.len()
    }

    fn begin(&mut self, hierarchy: &Hierarchy, roots: &[Root]) {
        self.farthest.fill([0; LANES]);
        if let Some(trips) = &mut self.trips {
            trips.begin(&self.query, hierarchy, roots);
        }
    }

    #[inline(always)]
    fn visit<V: Vectors>(
        &mut self,
        v: u32,
        (distances, paths): (&Distances, &Numbers),
        sources: &Numbers,
        sums: &mut [f64],
    ) {
        if let Some(decay) = &self.decay {
            for lane in 0..LANES {
                self.factors[lane] = decay.factor(distances[lane]);
            }
        }
        if !self.passes.is_empty() {
            let weights = match &self.trips {
                None => [self.weight[v as usize]; LANES],
                Some(trips) => trips.trips_to(v),
            };
            self.pairs = times(sources, &weights);
            if self.decay.is_some() {
                self.pairs = times(&self.pairs, &self.factors);
            }
            self.shares = quotients(&self.pairs, paths);
        }
        let sums = &mut sums[self.passes.len()..];
        let mut counted = (0, ZERO);
        for number in 0..self.distances.len() {
            let (sum, limit) = self.distances[number];
            if counted.0 != limit {
                counted.0 = limit;
                for lane in 0..LANES {
                    // The root, at distance 0, wraps around.
                    let counts = distances[lane].wrapping_sub(1) < limit;
                    counted.1[lane] = only(sources[lane], counts);
                }
            }
            // Distances fit 31 bits, which are quicker to convert with a sign.
            let real = |distance: u32| f64::from(distance as i32);
            sums[number] += match sum {
                DistanceSum::Count => total::<V>(&counted.1),
                DistanceSum::Decayed(_) => dot::<V>(&counted.1, &self.factors),
                DistanceSum::Distance => {
                    let mut amounts = ZERO;
                    for lane in 0..LANES {
                        amounts[lane] = real(distances[lane]);
                    }
                    dot::<V>(&counted.1, &amounts)
                }
                DistanceSum::Inverse => {
                    let mut amounts = ZERO;
                    for lane in 0..LANES {
                        amounts[lane] = 1.0 / real(distances[lane].max(1));
                    }
                    dot::<V>(&counted.1, &amounts)
                }
                DistanceSum::Eccentricity => {
                    let farthest = &mut self.farthest[number];
                    for lane in 0..LANES {
                        let counts = distances[lane] <= limit;
                        let distance = if counts { distances[lane] } else { 0 };
                        farthest[lane] = farthest[lane].max(distance);
                    }
                    0.0
                }
            };
        }
    }

    #[inline(always)]
    fn ends(
        &self,
        pass: usize,
        _: u32,
        (distances, _): (&Distances, &Numbers),
        _: &Numbers,
    ) -> Numbers {
        let (limit, stress) = self.passes[pass];
        let all = if stress { &self.pairs } else { &self.shares };
        let mut ends = ZERO;
        for lane in 0..LANES {
            ends[lane] = only(all[lane], distances[lane] <= limit);
        }
        ends
    }

    fn end(&mut self, hierarchy: &Hierarchy, roots: &[Root], totals: &mut Totals) {
        for (number, &(sum, _)) in self.distances.iter().enumerate() {
            if sum == DistanceSum::Eccentricity {
                for (root, &distance) in roots.iter().zip(&self.farthest[number]) {
                    let rank = hierarchy.rank[root.vertex as usize];
                    totals.vertex(rank)[self.passes.len() + number] += f64::from(distance);
                }
            }
        }
    }
}

/// The number of values of a digit of a distance: three digits are 33 bits.
const DIGIT: usize = 1 << 11;

/// The factors exp(-decay d) of the digits of distances.
struct Decay(Box<[[f64; DIGIT]; 3]>);

impl Decay {
    fn new(decay: f64) -> Decay {
        let mut factors = Box::new([[1.0; DIGIT]; 3]);
        let mut unit = 1.0;
        for digit in &mut *factors {
            for (value, factor) in digit.iter_mut().enumerate() {
                *factor = (-decay * unit * value as f64).exp();
            }
            unit *= DIGIT as f64;
        }
        Decay(factors)
    }

    #[inline(always)]
    fn factor(&self, distance: u32) -> f64 {
        let distance = distance as usize;
        let [low, middle, high] = &*self.0;
        low[distance % DIGIT]
            * middle[distance / DIGIT % DIGIT]
            * high[distance / (DIGIT * DIGIT) % DIGIT]
    }
}

/// The trips from the roots of a batch, if only single pairs count.
struct Trips {
    /// Per rank, the place of the vertex in `rows`, where the first row is zero.
    place: Vec<u32>,
    rows: Vec<Numbers>,
    /// The ranks of vertices that have a row.
    ranks: Vec<u32>,
}

impl Trips {
    fn new(hierarchy: &Hierarchy) -> Trips {
        Trips {
            place: vec![0; hierarchy.vertices()],
            rows: vec![ZERO],
            ranks: Vec::new(),
        }
    }

    fn begin(&mut self, query: &PreparedQuery, hierarchy: &Hierarchy, roots: &[Root]) {
        for v in self.ranks.drain(..) {
            self.place[v as usize] = 0;
        }
        self.rows.truncate(1);
        for (lane, root) in roots.iter().enumerate() {
            for &(target, trips) in query.trips(root.vertex).unwrap_or_default() {
                let v = hierarchy.rank[target as usize];
                let place = &mut self.place[v as usize];
                if *place == 0 {
                    *place = self.rows.len() as u32;
                    self.rows.push(ZERO);
                    self.ranks.push(v);
                }
                self.rows[*place as usize][lane] += trips;
            }
        }
    }

    /// Returns the trips to a vertex, per lane.
    #[inline(always)]
    fn trips_to(&self, v: u32) -> Numbers {
        self.rows[self.place[v as usize] as usize]
    }
}
