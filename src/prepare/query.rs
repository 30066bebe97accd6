//! A [`Query`] in terms of a prepared graph: the backward phases of a search, and the sums of
//! distances.
//!
//! A pair (s, t) that counts a(s) b(t) g(d) in place of 1 changes Brandes' recursion in one place:
//! the coefficient of t becomes (b(t) g(d) + delta(t)) / sigma(t), and the dependencies of a root
//! have the factor a(s). So each radius is a backward phase of its own ([`Pass`]) over the same
//! forward phase, which stops at the largest radius. For stress only b(t) g(d) is not
//! divided: it is b(t) g(d) + delta(t) / sigma(t).
//! Distances are summed at the vertices that the forward phase reaches ([`DistanceColumn`]).
//!
//! Engines add pass p to `sums.vertices[p * n..]` and `sums.arcs[p * arcs..]`, and distances to
//! further columns of `sums.vertices`.

use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use crate::graph::{Graph, Vertex};
use crate::query::{ClosenessScaling, Measure, Query};

/// One backward phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pass {
    /// The largest distance of pairs that count, in units of the prepared lengths; infinite without
    /// a radius.
    pub limit: f64,
    /// The decay per unit.
    pub decay: f64,
    /// Whether paths are counted, not shares of pairs: the coefficient is then b(t) g(d) + the sum
    /// of the coefficients of the successors, without the division by sigma.
    pub stress: bool,
    /// Whether squares of dependencies are summed, for the variance of an estimate.
    pub squares: bool,
}

impl Pass {
    /// The backward phase of the betweenness of all pairs.
    pub const ALL_PAIRS: Pass = Pass {
        limit: f64::INFINITY,
        decay: 0.0,
        stress: false,
        squares: false,
    };

    /// Returns g(d), the factor of pairs at this distance.
    #[inline]
    pub fn factor(&self, distance: f64) -> f64 {
        if distance > self.limit {
            0.0
        } else if self.decay == 0.0 {
            1.0
        } else {
            (-self.decay * distance).exp()
        }
    }
}

/// A sum of distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DistanceSum {
    /// The sum of a(s).
    Count,
    /// The sum of a(s) exp(-decay d).
    Decayed(f64),
    /// The sum of a(s) d.
    Distance,
    /// The sum of a(s) / d.
    Inverse,
    /// The largest distance from a root, in the entry of the root itself.
    Eccentricity,
}

impl DistanceSum {
    /// Returns the amount that a source of weight 1 adds at this distance; 0 for eccentricities.
    #[inline(always)]
    pub fn amount(self, distance: f64) -> f64 {
        match self {
            DistanceSum::Count => 1.0,
            DistanceSum::Decayed(decay) => (-decay * distance).exp(),
            DistanceSum::Distance => distance,
            DistanceSum::Inverse => 1.0 / distance,
            DistanceSum::Eccentricity => 0.0,
        }
    }
}

/// A column of sums of distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DistanceColumn {
    /// The sum.
    pub sum: DistanceSum,
    /// The largest distance that counts.
    pub limit: f64,
}

/// A [`Query`] for a prepared graph. Distances are in units of the prepared lengths.
#[derive(Debug, Clone)]
pub struct PreparedQuery {
    /// The backward phases.
    pub passes: Vec<Pass>,
    /// The sums of distances. Their columns follow those of the passes.
    pub distances: Vec<DistanceColumn>,
    /// Whether this is an estimate: the second of two passes sums squares.
    pub squares: bool,
    /// The largest distance that any pass or sum needs: searches stop there.
    pub limit: f64,
    /// The part of the arcs that a search looks at, by an estimate: those within the radius.
    pub share: f64,
    /// The weight a of each prepared vertex as a source.
    pub(super) sources: Vec<f64>,
    /// The trips from each prepared vertex, if single pairs count.
    pub(super) demand: Option<Vec<Vec<(Vertex, f64)>>>,
    /// The sum of a over the vertices of the input that are not prepared.
    pub(super) outside: f64,
    /// The length of a unit.
    pub(super) unit: f64,
    pub(super) query: Query,
}

/// Returns the weights of sources and targets. Pairs of an undirected graph have no direction, so
/// that targets alone become sources, from which fewer searches start.
pub(super) fn ends(query: &Query, directed: bool) -> [Option<&Arc<[f64]>>; 2] {
    let (sources, targets) = (query.sources.as_ref(), query.targets.as_ref());
    match (sources, targets) {
        (None, Some(_)) if !directed => [targets, None],
        _ => [sources, targets],
    }
}

/// Marks the vertices that are sources.
pub(super) fn mark(query: &Query, graph: &Graph) -> Vec<bool> {
    let mut chosen = vec![true; graph.vertices()];
    if let Some(demand) = &query.demand {
        chosen.fill(false);
        for &(source, _, trips) in demand.iter() {
            chosen[source as usize] |= trips > 0.0;
        }
    }
    if let Some(sources) = ends(query, graph.directed())[0] {
        chosen = sources.iter().map(|&weight| weight > 0.0).collect();
    }
    chosen
}

impl PreparedQuery {
    /// Returns whether coefficients are in the range of f32: if all pairs that count do so equally,
    /// for betweenness.
    pub fn fits_floats(&self) -> bool {
        let fits = |pass: &Pass| !pass.stress && pass.decay == 0.0;
        self.passes.iter().all(fits) && self.query.targets.is_none() && !self.has_demand()
    }

    /// Returns the number of columns of vertices.
    pub fn columns(&self) -> usize {
        self.passes.len() + self.distances.len()
    }

    /// Returns the most levels below a root that searches without lengths need.
    pub fn deepest(&self) -> usize {
        self.limit as usize
    }

    /// Returns whether a largest distance of each root is needed.
    pub fn has_eccentricity(&self) -> bool {
        let mut sums = self.distances.iter().map(|column| column.sum);
        sums.any(|sum| sum == DistanceSum::Eccentricity)
    }

    /// Returns whether only single pairs count.
    pub fn has_demand(&self) -> bool {
        self.demand.is_some()
    }

    /// Returns the trips from a prepared vertex, if single pairs count.
    pub fn trips(&self, root: Vertex) -> Option<&[(Vertex, f64)]> {
        let rows = self.demand.as_ref()?;
        Some(&rows[root as usize])
    }

    /// Replaces `amounts` by the columns, and what a source of weight 1 adds to each of them, at
    /// vertices at this distance, other than the root.
    pub fn amounts(&self, distance: f64, amounts: &mut Vec<(usize, f64)>) {
        amounts.clear();
        for (number, column) in self.distances.iter().enumerate() {
            let amount = match column.sum {
                _ if distance > column.limit => continue,
                DistanceSum::Eccentricity => continue,
                sum => sum.amount(distance),
            };
            amounts.push((self.passes.len() + number, amount));
        }
    }

    /// Calls `add` with each column of eccentricities and its radius.
    pub fn eccentricities(&self, mut add: impl FnMut(usize, f64)) {
        for (number, column) in self.distances.iter().enumerate() {
            if column.sum == DistanceSum::Eccentricity {
                add(self.passes.len() + number, column.limit);
            }
        }
    }

    /// Returns the decay per unit.
    pub fn decay(&self) -> f64 {
        self.query.decay.unwrap_or(0.0) * self.unit
    }

    /// Returns the closeness of prepared vertices from the sums of sources and of distances.
    pub(super) fn closeness(&self, count: &[f64], distance: &[f64]) -> Vec<f64> {
        // The weights of all other sources: sums of those before and behind, since the difference
        // of the sum of all and a large weight would have only rounding errors of small ones.
        let mut others = vec![self.outside; self.sources.len()];
        let (mut before, mut behind) = (0.0, 0.0);
        for (others, own) in others.iter_mut().zip(&self.sources) {
            *others += before;
            before += own;
        }
        for (others, own) in others.iter_mut().zip(&self.sources).rev() {
            *others += behind;
            behind += own;
        }
        let all = count.iter().zip(distance).zip(&others);
        let closeness = all.map(|((&count, &distance), &others)| {
            let mean = count / (distance * self.unit);
            match self.query.closeness_scaling {
                _ if distance == 0.0 => 0.0,
                ClosenessScaling::Component => mean,
                // In the order of networkx, for the same bits.
                ClosenessScaling::Improved => mean * (count / others),
            }
        });
        closeness.collect()
    }

    /// Returns the mean distance of sources and the vertices that they reach, if closeness was
    /// computed without a radius.
    pub(crate) fn mean_distance(&self, sums: &[f64]) -> Option<f64> {
        let n = self.sources.len();
        let total = |sum: DistanceSum| {
            let mut columns = self.distances.iter();
            let limit = f64::INFINITY;
            let number = columns.position(|&one| one == DistanceColumn { sum, limit })?;
            let sums = &sums[(self.passes.len() + number) * n..][..n];
            Some(sums.iter().sum::<f64>())
        };
        let distance = total(DistanceSum::Distance)? * self.unit;
        total(DistanceSum::Count)
            .filter(|&count| count > 0.0)
            .map(|count| distance / count)
    }

    /// Hashes everything that sums depend on.
    pub(crate) fn hash(&self, hash: &mut Xxh3) {
        let phases = (&self.passes, &self.distances, &self.demand);
        hash.update(format!("{phases:?}").as_bytes());
        hash.update(bytemuck::cast_slice(&self.sources));
    }

    /// Returns the query as it was asked.
    pub fn asked(&self) -> &Query {
        &self.query
    }
}

/// Returns the sums of distances that a measure is made of.
pub(super) fn sums_of(measure: Measure, decay: f64) -> [Option<DistanceSum>; 2] {
    match measure {
        Measure::Betweenness | Measure::Stress => [None, None],
        Measure::Closeness => [Some(DistanceSum::Count), Some(DistanceSum::Distance)],
        Measure::Harmonic => [Some(DistanceSum::Inverse), None],
        Measure::Reach if decay > 0.0 => [Some(DistanceSum::Decayed(decay)), None],
        Measure::Reach => [Some(DistanceSum::Count), None],
        Measure::Eccentricity => [Some(DistanceSum::Eccentricity), None],
    }
}
