//! The pairs of vertices that a search counts, and the sums of their distances.
#![expect(
    clippy::needless_range_loop,
    reason = "several rows are indexed by lane"
)]

use std::sync::Arc;

use super::rows::{Distances, LANES, Numbers, ZERO, dot, quotients, times, total};
use super::served::ServedChains;
use super::totals::Totals;
use crate::cpu::vectors::{Vectors, only};
use crate::engine::Root;
use crate::prepare::hierarchy::{FAR, Hierarchy};
use crate::prepare::{Amount, Prepared, PreparedQuery};

/// The pairs of a source and a target that a search counts.
pub(super) trait Pairs {
    /// Returns the number of backward phases.
    fn passes(&self) -> usize;

    /// Begins a batch.
    fn begin(&mut self, hierarchy: &Hierarchy, roots: &[Root]);

    /// Adds distances to the sums of the vertex of this rank, and computes the values that the
    /// backward phases of the vertex share. Call this before [`Pairs::ends`].
    #[inline(always)]
    fn visit<V: Vectors>(
        &mut self,
        _v: u32,
        _row: (&Distances, &Numbers),
        _sources: &Numbers,
        _sums: &mut [f64],
    ) {
    }

    /// Returns the part of the coefficients of the vertex of this rank that is due to pairs that
    /// end there.
    fn ends(&self, pass: usize, v: u32, row: (&Distances, &Numbers), sources: &Numbers) -> Numbers;

    /// Finishes a batch: adds the eccentricities of its roots.
    #[inline(always)]
    fn finish(&mut self, _hierarchy: &Hierarchy, _roots: &[Root], _totals: &mut Totals) {}
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

    #[inline(always)]
    fn begin(&mut self, _: &Hierarchy, roots: &[Root]) {
        if let Some(served) = &mut self.served {
            served.begin(roots);
        }
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
}

/// The pairs of a query.
pub(super) struct QueryPairs {
    query: Arc<PreparedQuery>,
    /// Per rank, the weight as a target.
    weight: Vec<f64>,
    /// Per pass, the largest distance that counts, and whether the measure is stress.
    passes: Vec<(u32, bool)>,
    /// The sums of distances: their amounts, and the largest distance that counts.
    distances: Vec<(Amount, u32)>,
    /// Per column of eccentricities, the largest distance that counts, and per lane the largest
    /// such distance so far.
    eccentricities: Vec<(u32, Distances)>,
    decay: Option<Decay>,
    /// The factors of decay at the present vertex.
    factors: Numbers,
    /// Per lane, the weight of the pairs that end at the present vertex, and this weight divided by
    /// the path count.
    pairs: Numbers,
    pairs_per_path: Numbers,
    trips: Option<Trips>,
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
            distances: sums.map(|sum| (sum.amount, limit(sum.limit))).collect(),
            eccentricities: (query.eccentricities.iter())
                .map(|&farthest| (limit(farthest), [0; LANES]))
                .collect(),
            decay: (decay > 0.0).then(|| Decay::new(decay, query.zero_bits)),
            factors: [1.0; LANES],
            pairs: ZERO,
            pairs_per_path: ZERO,
            trips: query.demand.is_some().then(|| Trips::new(hierarchy)),
            query: Arc::clone(query),
        }
    }
}

impl Pairs for QueryPairs {
    #[inline(always)]
    fn passes(&self) -> usize {
        self.passes.len()
    }

    fn begin(&mut self, hierarchy: &Hierarchy, roots: &[Root]) {
        for (_, farthest) in &mut self.eccentricities {
            *farthest = [0; LANES];
        }
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
            self.pairs_per_path = quotients(&self.pairs, paths);
        }
        let whole = match self.query.zero_bits {
            0 => *distances,
            bits => distances.map(|distance| distance >> bits),
        };
        let sums = &mut sums[self.passes.len()..];
        let mut counted = (0, ZERO);
        for (&(amount, limit), sum) in self.distances.iter().zip(sums) {
            if counted.0 != limit {
                counted.0 = limit;
                for lane in 0..LANES {
                    // The distance of the root, 0, wraps around to a number above the limit.
                    let counts = distances[lane].wrapping_sub(1) < limit;
                    counted.1[lane] = only(sources[lane], counts);
                }
            }
            // Distances fit 31 bits, and signed integers are faster to convert.
            let real = |distance: u32| f64::from(distance as i32);
            *sum += match amount {
                Amount::Decayed(0.0) => total::<V>(&counted.1),
                Amount::Decayed(_) => dot::<V>(&counted.1, &self.factors),
                Amount::Distance => {
                    let mut amounts = ZERO;
                    for lane in 0..LANES {
                        amounts[lane] = real(whole[lane]);
                    }
                    dot::<V>(&counted.1, &amounts)
                }
                Amount::Inverse => {
                    let mut amounts = ZERO;
                    for lane in 0..LANES {
                        amounts[lane] = only(1.0 / real(whole[lane]), whole[lane] > 0);
                    }
                    dot::<V>(&counted.1, &amounts)
                }
            };
        }
        for (limit, farthest) in &mut self.eccentricities {
            for lane in 0..LANES {
                let counts = distances[lane] <= *limit;
                let distance = if counts { distances[lane] } else { 0 };
                farthest[lane] = farthest[lane].max(distance);
            }
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
        let all = if stress {
            &self.pairs
        } else {
            &self.pairs_per_path
        };
        let mut ends = ZERO;
        for lane in 0..LANES {
            ends[lane] = only(all[lane], distances[lane] <= limit);
        }
        ends
    }

    fn finish(&mut self, hierarchy: &Hierarchy, roots: &[Root], totals: &mut Totals) {
        for (place, (column, _)) in self.query.eccentricity_columns().enumerate() {
            let (_, farthest) = &self.eccentricities[place];
            for (root, &distance) in roots.iter().zip(farthest) {
                let rank = hierarchy.rank[root.vertex as usize];
                totals.sums_of(rank)[column] += f64::from(distance);
            }
        }
    }
}

/// The number of values of a digit of a distance: a digit has 11 bits, so three digits suffice.
const DIGIT: usize = 1 << 11;

/// The factors exp(-decay d) for each value of each digit of a distance d.
struct Decay(Box<[[f64; DIGIT]; 3]>);

impl Decay {
    fn new(decay: f64, zero_bits: u32) -> Decay {
        let mut factors = Box::new([[1.0; DIGIT]; 3]);
        let mut unit = 1;
        for digit in &mut *factors {
            for (value, factor) in digit.iter_mut().enumerate() {
                *factor = (-decay * ((value * unit) >> zero_bits) as f64).exp();
            }
            unit *= DIGIT;
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

/// The trips from the roots of a batch, for a query with a demand between single pairs.
struct Trips {
    /// Per rank, the place of the vertex in `rows`; without trips 0, the place of a row of zeros.
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
            for &(target, trips) in query.trips(root.vertex) {
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
