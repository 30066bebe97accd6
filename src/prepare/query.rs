//! A [`Query`] in terms of a prepared graph: the backward phases of a search, and the sums of
//! distances.
//!
//! A query gives sources s the weight a(s), targets t the weight b(t), and distances d the factor
//! g(d). A pair (s, t) that counts a(s) b(t) g(d) in place of 1 changes Brandes' recursion in one
//! place: the coefficient of t becomes (b(t) g(d) + delta(t)) / sigma(t), and the dependencies of a
//! root have the factor a(s). So each radius is a backward phase of its own ([`Pass`]) over the
//! same forward phase, which stops at the largest radius. The coefficient of stress is b(t) g(d) +
//! delta(t) / sigma(t). Distances are summed at the vertices that the forward phase reaches
//! ([`DistanceSum`]).
//!
//! Engines add pass p to `sums.vertices[p * n..]` and `sums.arcs[p * arcs..]`, and distances to
//! further columns of `sums.vertices`.

use std::sync::LazyLock;

use xxhash_rust::xxh3::Xxh3;

use super::blocks::others;
use crate::graph::Vertex;
use crate::query::{ClosenessScaling, Measure, Query};

/// One backward phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pass {
    /// The largest distance of pairs that count, in units of the prepared lengths; infinite without
    /// a radius.
    pub limit: f64,
    /// The decay per unit.
    pub decay: f64,
    /// Whether the pass computes stress: paths count, not shares of pairs. The coefficient is then
    /// b(t) g(d) + the sum of the coefficients of the successors.
    pub stress: bool,
    /// Whether squares of dependencies are summed too, for the variance of an estimate, which has
    /// no other pass. The column after that of the pass has them.
    pub squares: bool,
    /// See [`super::Prepared::zero_bits`].
    pub zero_bits: u32,
}

/// Returns a distance without the fractions of a unit that stand for edges of length zero.
#[inline(always)]
fn whole(distance: f64, zero_bits: u32) -> f64 {
    match zero_bits {
        0 => distance,
        bits => (distance / 2f64.powi(bits as i32)).floor(),
    }
}

impl Pass {
    /// The backward phase of the betweenness of all pairs.
    pub const ALL_PAIRS: Pass = Pass {
        limit: f64::INFINITY,
        decay: 0.0,
        stress: false,
        squares: false,
        zero_bits: 0,
    };

    /// Returns g(d), the factor of pairs at this distance.
    #[inline]
    pub fn factor(&self, distance: f64) -> f64 {
        self.factor_by(distance, f64::exp)
    }

    /// Returns [`Self::factor`] as a number of the type of the exponential function `exp`.
    #[inline]
    pub(crate) fn factor_by<N: From<f64>>(&self, distance: f64, exp: impl Fn(f64) -> N) -> N {
        if distance > self.limit {
            0.0.into()
        } else if self.decay == 0.0 {
            1.0.into()
        } else {
            exp(-self.decay * whole(distance, self.zero_bits))
        }
    }
}

/// The amount that a source of weight 1 adds to a sum at a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// exp(-decay d); 1, which counts sources, with a decay of zero.
    Decayed(f64),
    /// The distance d.
    Distance,
    /// 1 / d; 0 if d is zero, as in networkx.
    Inverse,
}

impl Amount {
    /// Returns the amount at a distance.
    #[inline(always)]
    pub fn at(self, distance: f64) -> f64 {
        match self {
            Amount::Decayed(0.0) => 1.0,
            Amount::Decayed(decay) => (-decay * distance).exp(),
            Amount::Distance => distance,
            Amount::Inverse if distance == 0.0 => 0.0,
            Amount::Inverse => 1.0 / distance,
        }
    }
}

/// A sum, at each vertex, over the sources within a limit: a(s) times an amount that depends on
/// the distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DistanceSum {
    /// The amount that a source of weight 1 adds.
    pub amount: Amount,
    /// The largest distance that counts.
    pub limit: f64,
}

/// A [`Query`] for a prepared graph. Distances are in units of the prepared lengths. The sums of
/// vertices have a column for each pass, then for each sum of distances, then for each radius of
/// the eccentricity.
#[derive(Debug, Clone, Default)]
pub struct PreparedQuery {
    /// The backward phases.
    pub passes: Vec<Pass>,
    /// The sums of distances.
    pub distances: Vec<DistanceSum>,
    /// For each column of eccentricities, the largest distance that counts. The column holds at
    /// each root the largest distance from the root to a vertex.
    pub eccentricities: Vec<f64>,
    /// The largest distance that any column needs: searches stop there.
    pub limit: f64,
    /// The estimated fraction of the arcs of a component that lie within the radius, so that a
    /// search looks at them.
    pub arc_share: f64,
    /// The query before the preparation.
    pub original: Query,
    /// Per prepared vertex, its trips as (target, number), if the query has a demand.
    pub(crate) demand: Option<Vec<Vec<(Vertex, f64)>>>,
    /// The sum of a over the vertices of the input that are not prepared.
    pub(super) outside: f64,
    /// The length in the input of 1 in the prepared lengths, without the shift by `zero_bits`.
    pub(super) unit: f64,
    /// See [`super::Prepared::zero_bits`].
    pub(crate) zero_bits: u32,
}

/// The betweenness of all pairs.
pub(super) static ALL_PAIRS: LazyLock<PreparedQuery> = LazyLock::new(|| PreparedQuery {
    passes: vec![Pass::ALL_PAIRS],
    limit: f64::INFINITY,
    arc_share: 1.0,
    unit: 1.0,
    ..PreparedQuery::default()
});

/// Returns the weights of sources and of targets. If an undirected graph has weights of targets
/// only, they become weights of sources, since pairs have no direction; this needs fewer searches.
pub(super) fn source_and_target_weights(query: &Query, directed: bool) -> [Option<&[f64]>; 2] {
    let (sources, targets) = (query.sources.as_deref(), query.targets.as_deref());
    match (sources, targets) {
        (None, Some(_)) if !directed => [targets, None],
        _ => [sources, targets],
    }
}

impl PreparedQuery {
    /// Returns the number of columns of vertices.
    pub fn columns(&self) -> usize {
        let squares = self.passes.iter().filter(|pass| pass.squares).count();
        self.passes.len() + squares + self.distances.len() + self.eccentricities.len()
    }

    /// Returns the trips from a prepared vertex as (target, number); empty without a demand.
    pub fn trips(&self, root: Vertex) -> &[(Vertex, f64)] {
        let rows = self.demand.as_ref();
        rows.map_or(&[], |rows| &rows[root as usize])
    }

    /// Replaces `amounts` by pairs of a column of sums of distances and the amount that a source of
    /// weight 1 adds to it at a vertex at this distance, other than the root.
    pub fn amounts(&self, distance: f64, amounts: &mut Vec<(usize, f64)>) {
        let sums = (self.passes.len()..).zip(&self.distances);
        let near = sums.filter(|(_, sum)| distance <= sum.limit);
        let distance = whole(distance, self.zero_bits);
        amounts.clear();
        amounts.extend(near.map(|(column, sum)| (column, sum.amount.at(distance))));
    }

    /// Returns the columns of eccentricities, each with the largest distance that counts.
    pub fn eccentricity_columns(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let first = self.passes.len() + self.distances.len();
        (first..).zip(self.eccentricities.iter().copied())
    }

    fn column<'s>(&self, sums: &'s [f64], column: usize) -> &'s [f64] {
        let n = sums.len() / self.columns();
        &sums[column * n..][..n]
    }

    /// Returns the column of a sum of distances, if there is one.
    fn sum<'s>(&self, sums: &'s [f64], amount: Amount, limit: f64) -> Option<&'s [f64]> {
        let wanted = DistanceSum { amount, limit };
        let place = self.distances.iter().position(|&sum| sum == wanted)?;
        Some(self.column(sums, self.passes.len() + place))
    }

    /// Returns the values of prepared vertices for a measure that counts no paths, over the sources
    /// within a limit; `None` if the query does not have the measure. `weights` are those of the
    /// vertices as sources.
    pub(super) fn values(
        &self,
        (measure, limit): (Measure, f64),
        sums: &[f64],
        weights: &[f64],
    ) -> Option<Vec<f64>> {
        let sum = |amount| self.sum(sums, amount, limit);
        let scaled = |sum: &[f64], factor| sum.iter().map(|sum| sum * factor).collect();
        Some(match measure {
            Measure::Betweenness | Measure::Stress => return None,
            Measure::Closeness => {
                self.closeness(sum(Amount::Decayed(0.0))?, sum(Amount::Distance)?, weights)
            }
            Measure::Harmonic => scaled(sum(Amount::Inverse)?, 1.0 / self.unit),
            Measure::Reach => sum(Amount::Decayed(self.decay()))?.to_vec(),
            Measure::Eccentricity => {
                let mut columns = self.eccentricity_columns();
                let (column, _) = columns.find(|&(_, one)| one == limit)?;
                let length = |&largest: &f64| whole(largest, self.zero_bits) * self.unit;
                self.column(sums, column).iter().map(length).collect()
            }
        })
    }

    /// Returns the decay per unit.
    pub fn decay(&self) -> f64 {
        self.original.decay.unwrap_or(0.0) * self.unit
    }

    /// Returns the closeness of prepared vertices from the sums of sources and of distances, and
    /// the weights of the vertices as sources.
    fn closeness(&self, count: &[f64], distance: &[f64], weights: &[f64]) -> Vec<f64> {
        let mut others_in_graph = vec![0.0; weights.len()];
        others(weights, &mut others_in_graph);
        let all = count.iter().zip(distance).zip(&others_in_graph);
        let closeness = all.map(|((&count, &distance), &others)| {
            let inverse_mean = count / (distance * self.unit);
            match self.original.closeness_scaling {
                _ if distance == 0.0 => 0.0,
                ClosenessScaling::Component => inverse_mean,
                // The operations have the order of networkx, so that results have the same bits.
                ClosenessScaling::Improved => inverse_mean * (count / (others + self.outside)),
            }
        });
        closeness.collect()
    }

    /// Returns the mean distance of sources and the vertices that they reach, if closeness was
    /// computed without a radius.
    pub(crate) fn mean_distance(&self, sums: &[f64]) -> Option<f64> {
        let total = |amount| {
            let column = self.sum(sums, amount, f64::INFINITY)?;
            Some(column.iter().sum::<f64>())
        };
        let (distance, count) = (total(Amount::Distance)?, total(Amount::Decayed(0.0))?);
        (count > 0.0).then_some(distance * self.unit / count)
    }

    /// Hashes all data that sums depend on, except those of the graph. `sources` has the weight of
    /// each vertex as a source.
    pub(crate) fn hash(&self, hash: &mut Xxh3, sources: &[f64]) {
        let (measures, radii) = (&self.original.measures, &self.original.radii);
        let kinds = measures.iter().map(|&measure| measure as u8);
        hash.update(&kinds.collect::<Vec<_>>());
        let sizes = [measures.len() as f64, radii.len() as f64];
        let scale = [self.decay(), self.zero_bits.into()];
        // The unit of lengths in the input is 1 on all ranks but the first.
        let radii: Vec<f64> = radii.iter().map(|radius| radius / self.unit).collect();
        for numbers in [&sizes, &scale, &radii[..], sources] {
            hash.update(bytemuck::cast_slice(numbers));
        }
        for (source, trips) in (0..).zip(self.demand.iter().flatten()) {
            for &(target, trips) in trips {
                let trip = [f64::from(source), target.into(), trips];
                hash.update(bytemuck::cast_slice(&trip));
            }
        }
    }
}
