//! Computes every measure directly from its definition, with code that shares nothing with the
//! engines: distances and path counts of all pairs, then each pair with each vertex and each arc.

use std::collections::BTreeMap;

use brandes::graph::Graph;

/// The length of each arc, in whole units. An arc of length 0 is infinitesimally short.
pub type Arcs = BTreeMap<(usize, usize), u64>;

/// The distance of a pair without a path; the sum of two does not overflow.
const FAR: u64 = u64::MAX / 4;

/// An arc of length 0 has this fraction of a unit, which more arcs than a path has do not fill.
const FRACTION: u64 = 1000;

/// Distances, in fractions of a unit, and numbers of shortest paths of all ordered pairs.
pub struct AllPairs {
    arcs: Arcs,
    distances: Vec<Vec<u64>>,
    paths: Vec<Vec<f64>>,
}

/// Sums over ordered pairs, for vertices and for arcs.
pub struct Sums {
    pub vertices: Vec<f64>,
    pub arcs: BTreeMap<(usize, usize), f64>,
}

impl AllPairs {
    /// Computes distances by the Floyd-Warshall algorithm, and path counts by induction over
    /// distances.
    pub fn new(n: usize, mut arcs: Arcs) -> Self {
        assert!((n as u64) < FRACTION);
        for length in arcs.values_mut() {
            *length = (*length * FRACTION).max(1);
        }
        let mut distances = vec![vec![FAR; n]; n];
        for (v, row) in distances.iter_mut().enumerate() {
            row[v] = 0;
        }
        for (&(u, v), &length) in &arcs {
            distances[u][v] = distances[u][v].min(length);
        }
        for via in 0..n {
            for s in 0..n {
                for t in 0..n {
                    let around = distances[s][via] + distances[via][t];
                    distances[s][t] = distances[s][t].min(around);
                }
            }
        }
        let mut paths = vec![vec![0.0; n]; n];
        for s in 0..n {
            let mut order: Vec<usize> = (0..n).filter(|&v| distances[s][v] < FAR).collect();
            order.sort_by_key(|&v| distances[s][v]);
            paths[s][s] = 1.0;
            for &v in &order[1..] {
                for (&(u, head), &length) in &arcs {
                    if head == v && distances[s][u] + length == distances[s][v] {
                        paths[s][v] += paths[s][u];
                    }
                }
            }
        }
        AllPairs {
            arcs,
            distances,
            paths,
        }
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.paths.len()
    }

    /// Returns the distance from `s` to another vertex `t` in whole units, if there is a path.
    fn distance(&self, s: usize, t: usize) -> Option<u64> {
        (s != t && self.distances[s][t] < FAR).then_some(self.distances[s][t] / FRACTION)
    }

    /// Returns every ordered pair with a path between its ends, and its distance.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize, u64)> {
        let n = self.vertices();
        let all = (0..n).flat_map(move |s| (0..n).map(move |t| (s, t)));
        all.filter_map(|(s, t)| Some((s, t, self.distance(s, t)?)))
    }

    /// Sums, over all pairs, the share of the shortest paths that contain each vertex and each arc,
    /// or their number if `stress` is set. A pair (s, t) at distance d counts `weight(s, t, d)`.
    /// The ends of a path lie on it if `endpoints` is set.
    pub fn through(
        &self,
        (stress, endpoints): (bool, bool),
        weight: impl Fn(usize, usize, u64) -> f64,
    ) -> Sums {
        let mut vertices = vec![0.0; self.vertices()];
        let mut arcs: BTreeMap<_, f64> = self.arcs.keys().map(|&arc| (arc, 0.0)).collect();
        for (s, t, distance) in self.pairs() {
            let divisor = if stress { 1.0 } else { self.paths[s][t] };
            let each = weight(s, t, distance) / divisor;
            let distance = self.distances[s][t];
            for (v, score) in vertices.iter_mut().enumerate() {
                let inner = v != s && v != t;
                let on_path = self.distances[s][v] + self.distances[v][t] == distance;
                if on_path && (inner || endpoints) {
                    *score += each * self.paths[s][v] * self.paths[v][t];
                }
            }
            for (&(u, v), score) in &mut arcs {
                let length = self.arcs[&(u, v)];
                if self.distances[s][u] + length + self.distances[v][t] == distance {
                    *score += each * self.paths[s][u] * self.paths[v][t];
                }
            }
        }
        Sums { vertices, arcs }
    }
}

impl Sums {
    /// Returns the scores of the edges in the order of [`Graph::for_each_edge`], per unordered
    /// pair.
    pub fn edges(&self, graph: &Graph) -> Vec<f64> {
        let mut scores = Vec::new();
        graph.for_each_edge(|tail, head| {
            let (t, h) = (tail as usize, head as usize);
            scores.push(if graph.directed() {
                self.arcs[&(t, h)]
            } else {
                (self.arcs[&(t, h)] + self.arcs[&(h, t)]) / 2.0
            });
        });
        scores
    }

    /// Returns the scores of the vertices, per unordered pair.
    pub fn scores(&self, graph: &Graph) -> Vec<f64> {
        let factor = if graph.directed() { 1.0 } else { 0.5 };
        self.vertices.iter().map(|score| score * factor).collect()
    }
}

/// The pairs that count, with their weights.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// a(s) of each vertex; `None` means 1 for each.
    pub sources: Option<Vec<f64>>,
    /// b(t) of each vertex; `None` means 1 for each.
    pub targets: Option<Vec<f64>>,
    /// Single pairs (s, t) that count this much, in place of a(s) b(t).
    pub demand: Option<Vec<(usize, usize, f64)>>,
    /// A pair at distance d counts exp(-decay d).
    pub decay: f64,
    /// The length of a unit of distance.
    pub unit: f64,
    pub directed: bool,
    /// Whether the ends of paths count.
    pub endpoints: bool,
}

impl Pairs {
    /// Returns a(s). In an undirected graph with weights of targets only, these are the weights of
    /// sources too.
    fn source(&self, s: usize) -> f64 {
        let only_targets = self.targets.as_ref().filter(|_| !self.directed);
        self.sources.as_ref().or(only_targets).map_or(1.0, |a| a[s])
    }

    /// Returns exp(-decay d) for a distance of this many units.
    fn decayed(&self, units: u64) -> f64 {
        (-self.decay * units as f64 * self.unit).exp()
    }

    /// Returns the weight of an ordered pair, without decay. In undirected graphs both orders of
    /// a pair with demand count, because scores are halved.
    fn count(&self, s: usize, t: usize) -> f64 {
        let Some(demand) = &self.demand else {
            let target = self.targets.as_ref().map_or(1.0, |b| b[t]);
            return self.sources.as_ref().map_or(1.0, |a| a[s]) * target;
        };
        let same = |from, to| (from, to) == (s, t) || !self.directed && (to, from) == (s, t);
        let trips = demand.iter().filter(|&&(from, to, _)| same(from, to));
        trips.map(|&(.., trips)| trips).sum()
    }

    /// Returns betweenness, or stress, within a radius.
    pub fn through(&self, all: &AllPairs, stress: bool, radius: Option<u64>) -> Sums {
        all.through((stress, self.endpoints), |s, t, distance| {
            let near = radius.is_none_or(|radius| distance <= radius);
            f64::from(u8::from(near)) * self.count(s, t) * self.decayed(distance)
        })
    }

    /// Returns, for each vertex, the sum of a(s) times a function of the distance in units over the
    /// vertices s within the radius that reach it.
    fn arriving(
        &self,
        all: &AllPairs,
        radius: Option<u64>,
        amount: impl Fn(u64) -> f64,
    ) -> Vec<f64> {
        let mut sums = vec![0.0; all.vertices()];
        for (s, v, distance) in all.pairs() {
            if radius.is_none_or(|radius| distance <= radius) {
                sums[v] += self.source(s) * amount(distance);
            }
        }
        sums
    }

    pub fn reach(&self, all: &AllPairs, radius: Option<u64>) -> Vec<f64> {
        self.arriving(all, radius, |distance| self.decayed(distance))
    }

    pub fn harmonic(&self, all: &AllPairs, radius: Option<u64>) -> Vec<f64> {
        self.arriving(all, radius, |distance| match distance {
            0 => 0.0,
            _ => 1.0 / (distance as f64 * self.unit),
        })
    }

    /// Returns closeness: the inverse mean distance from the sources that reach a vertex, times
    /// their share of all sources unless `component` is set.
    pub fn closeness(&self, all: &AllPairs, radius: Option<u64>, component: bool) -> Vec<f64> {
        let reached = self.arriving(all, radius, |_| 1.0);
        let distances = self.arriving(all, radius, |distance| distance as f64 * self.unit);
        let n = all.vertices();
        let score = |v| {
            let others: f64 = (0..n).filter(|&s| s != v).map(|s| self.source(s)).sum();
            let share = if component { 1.0 } else { reached[v] / others };
            if distances[v] > 0.0 {
                reached[v] / distances[v] * share
            } else {
                0.0
            }
        };
        (0..n).map(score).collect()
    }

    /// Returns the largest distance from each source within the radius.
    pub fn eccentricity(&self, all: &AllPairs, radius: Option<u64>) -> Vec<f64> {
        let mut largest = vec![0; all.vertices()];
        for (s, _, distance) in all.pairs() {
            if self.source(s) > 0.0 && radius.is_none_or(|radius| distance <= radius) {
                largest[s] = distance.max(largest[s]);
            }
        }
        let length = |units| units as f64 * self.unit;
        largest.into_iter().map(length).collect()
    }
}
