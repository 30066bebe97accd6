//! Generates random graphs and random queries, and computes their columns from the
//! definition.

use std::ops::Range;

use brandes::graph::{Graph, Vertex, WeightOptions};
use brandes::plan::SearchOptions;
use brandes::prepare::{PrepareOptions, Reductions, When};
use brandes::strategy::Feature;
use brandes::{
    Betweenness, ClosenessScaling, Column, Measure, Order, Precision, Query, RootSelection,
};
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};

use super::definition::{AllPairs, Arcs, Pairs};
use super::families::{self, Edges};
use super::weighted::{EXTRA_LENGTH, Weighted};
use super::{difference, graph};

/// The spelling of lengths. The unit of the reference is the largest that divides all lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Text {
    /// The graph has no lengths.
    Hops,
    /// Whole numbers.
    Whole,
    /// Tenths, which are read as 32-bit integers.
    Tenths,
    /// Whole numbers beside a tiny length, which are read as 64-bit integers.
    Tiny,
    /// Tenths beside a length of too many digits, which are read as doubles.
    Doubles,
}

impl Text {
    pub const ALL: [Text; 5] = [
        Text::Hops,
        Text::Whole,
        Text::Tenths,
        Text::Tiny,
        Text::Doubles,
    ];

    fn is_in_tenths(self) -> bool {
        matches!(self, Text::Tenths | Text::Doubles)
    }

    /// Returns the number of units that an integer length of 1 stands for.
    fn units(self) -> u64 {
        match self {
            Text::Tiny => 10_000_000_000,
            _ => 1,
        }
    }

    /// Returns the length of a unit.
    fn unit(self) -> f64 {
        match self {
            Text::Tiny => 1e-10,
            _ if self.is_in_tenths() => 0.1,
            _ => 1.0,
        }
    }

    fn write(self, length: u32) -> String {
        match (self, length) {
            (Text::Tiny, EXTRA_LENGTH) => "0.0000000001".into(),
            (Text::Doubles, EXTRA_LENGTH) => "9.9000000000000000000000000000001".into(),
            _ if self.is_in_tenths() => format!("{}.{}", length / 10, length % 10),
            _ => length.to_string(),
        }
    }
}

/// A graph and a query. Weights of vertices apply in the order of the vertices.
#[derive(Debug, Clone)]
pub struct Case {
    pub weighted: Weighted,
    pub text: Text,
    pub measures: Vec<Measure>,
    /// Radii, in halves of an integer length.
    pub radii: Vec<u32>,
    pub decay: Option<f64>,
    pub sources: Option<Vec<f64>>,
    pub targets: Option<Vec<f64>>,
    pub demand: Option<Vec<(Vertex, Vertex, f64)>>,
    pub component: bool,
    pub edges: bool,
    pub normalized: bool,
    /// The reductions. All are automatic unless the query is the betweenness of all pairs.
    pub reduce: Reductions,
    pub precision: Precision,
    /// Whether the ends of paths count.
    pub endpoints: bool,
    /// The vertices that are sources; `None` if all are.
    pub roots: Option<Range<usize>>,
    pub order: Order,
}

/// The results that the definition gives, in the order of the query's columns.
pub struct Expected {
    pub columns: Vec<Vec<f64>>,
    pub edges: Vec<Vec<f64>>,
}

impl Case {
    pub fn graph(&self) -> Graph {
        let Weighted {
            vertices,
            edges,
            directed,
        } = &self.weighted;
        if self.text == Text::Hops {
            let edges = edges.iter().map(|&(u, v, _)| (u as u32, v as u32));
            return graph(*vertices, &edges.collect::<Vec<_>>(), *directed);
        }
        let write = |length| self.text.write(length);
        self.weighted.read(WeightOptions::default(), write)
    }

    /// Returns the betweenness of all pairs, without reductions.
    pub fn plain(weighted: Weighted, text: Text) -> Case {
        Case {
            weighted,
            text,
            measures: vec![Measure::Betweenness],
            radii: Vec::new(),
            decay: None,
            sources: None,
            targets: None,
            demand: None,
            component: false,
            edges: false,
            normalized: false,
            reduce: Reductions::NONE,
            precision: Precision::F64,
            endpoints: false,
            roots: None,
            order: Order::Bfs,
        }
    }

    /// Replaces required reductions that the kind of the graph or other choices refuse, or that need
    /// a feature which the engine does not cover.
    pub fn fit(&mut self, covers: impl Fn(Feature) -> bool) {
        let has_weights = self.sources.is_some() || self.targets.is_some();
        let (directed, lengths) = (self.weighted.directed, self.text != Text::Hops);
        let reduce = &mut self.reduce;
        let refuse = |when: &mut When, is_refused: bool| {
            if is_refused && *when == When::Always {
                *when = When::Auto;
            }
        };
        refuse(&mut reduce.fold, directed || has_weights);
        refuse(&mut reduce.reverse, !directed);
        let chains = directed || has_weights || !covers(Feature::Chains);
        refuse(&mut reduce.chains, chains);
        let twins = lengths || self.edges || has_weights || !covers(Feature::Twins);
        refuse(&mut reduce.twins, twins || reduce.chains == When::Always);
        if reduce.blocks == When::Always {
            self.order = Order::Bfs;
        }
    }

    /// Returns the case without its choices that some engines refuse.
    pub fn by_default(&self) -> Case {
        Case {
            reduce: Reductions::default(),
            precision: Precision::F64,
            endpoints: false,
            roots: None,
            ..self.clone()
        }
    }

    /// Returns the options of a search with these engines, but for the precision.
    pub fn options(&self, engines: SearchOptions) -> SearchOptions {
        let roots = self.roots.clone().map_or(RootSelection::All, |roots| {
            let [first, last] = [roots.start, roots.end].map(|end| end as u64);
            RootSelection::Range { first, last }
        });
        SearchOptions {
            prepare: PrepareOptions {
                edges: self.edges,
                endpoints: self.endpoints,
                roots,
                reduce: self.reduce,
                order: self.order,
                ..PrepareOptions::default()
            },
            query: self.query(),
            ..engines
        }
    }

    /// Returns a search of the case with these engines.
    pub fn search(&self, engines: SearchOptions) -> Betweenness {
        Betweenness::from(self.options(engines))
            .normalized(self.normalized)
            .precision(self.precision)
    }

    pub fn query(&self) -> Query {
        let halves = if self.text.is_in_tenths() { 20.0 } else { 2.0 };
        Query {
            measures: self.measures.clone(),
            radii: self.radii.iter().map(|&r| f64::from(r) / halves).collect(),
            decay: self.decay,
            sources: self.sources.clone().map(Into::into),
            targets: self.targets.clone().map(Into::into),
            demand: self.demand.clone().map(Into::into),
            closeness_scaling: match self.component {
                true => ClosenessScaling::Component,
                false => ClosenessScaling::Improved,
            },
        }
    }

    fn arcs(&self) -> Arcs {
        let mut arcs = self.weighted.arcs();
        for length in arcs.values_mut() {
            *length = match (self.text, *length) {
                (Text::Hops, _) => 1,
                (Text::Tiny, length) if length == u64::from(EXTRA_LENGTH) => 1,
                (text, length) => length * text.units(),
            };
        }
        arcs
    }

    pub fn expected(&self, graph: &Graph) -> Expected {
        let n = self.weighted.vertices;
        let all = AllPairs::new(n, self.arcs());
        let demand = self.demand.iter().flatten();
        let demand = demand.map(|&(s, t, trips)| (s as usize, t as usize, trips));
        let is_root = |v| f64::from(u8::from(self.roots.as_ref().is_none_or(|r| r.contains(&v))));
        let roots = self.roots.as_ref().map(|_| (0..n).map(is_root).collect());
        let pairs = Pairs {
            sources: self.sources.clone().or(roots),
            targets: self.targets.clone(),
            demand: self.demand.is_some().then(|| demand.collect()),
            decay: self.decay.unwrap_or(0.0),
            unit: self.text.unit(),
            directed: graph.directed(),
            endpoints: self.endpoints,
        };
        let units = |&halves: &u32| Some(u64::from(halves) * self.text.units() / 2);
        let radii = match self.radii.is_empty() {
            true => vec![None],
            false => self.radii.iter().map(units).collect(),
        };
        let size = n as f64;
        let pairs_of = |smallest: usize, pairs: f64| match self.normalized && n >= smallest {
            true if graph.directed() => 1.0 / pairs,
            true => 2.0 / pairs,
            // As in networkx, a graph that is too small for any pair is not normalised.
            false if self.normalized && !graph.directed() => 2.0,
            false => 1.0,
        };
        let edge_factor = pairs_of(2, size * (size - 1.0));
        let factor = match self.endpoints {
            true => edge_factor,
            false => pairs_of(3, (size - 1.0) * (size - 2.0)),
        };
        let scaled = |scores: Vec<f64>, factor| scores.iter().map(|x| x * factor).collect();
        let mut expected = Expected {
            columns: Vec::new(),
            edges: Vec::new(),
        };
        for &measure in &self.measures {
            for &radius in &radii {
                let column = match measure {
                    Measure::Betweenness | Measure::Stress => {
                        let sums = pairs.through(&all, measure == Measure::Stress, radius);
                        let edges = scaled(sums.edges(graph), edge_factor);
                        expected.edges.extend(self.edges.then_some(edges));
                        scaled(sums.scores(graph), factor)
                    }
                    Measure::Closeness => pairs.closeness(&all, radius, self.component),
                    Measure::Harmonic => pairs.harmonic(&all, radius),
                    Measure::Reach => pairs.reach(&all, radius),
                    Measure::Eccentricity => pairs.eccentricity(&all, radius),
                };
                expected.columns.push(column);
            }
        }
        expected
    }
}

/// Panics, with both vectors, if columns differ from the expected ones, or some value is negative or
/// not a number.
pub fn check_columns(what: &str, got: &[Column], expected: &[Vec<f64>], precision: Precision) {
    assert_eq!(got.len(), expected.len(), "{what}");
    for (column, expected) in got.iter().zip(expected) {
        let (name, values) = (column.name(), &column.values);
        // Near served chains, scores are differences of sums, which may be as large as the largest
        // score.
        let largest = expected.iter().copied().fold(1e-3, f64::max);
        let (floor, tolerance) = match precision {
            Precision::F64 => (1e-3, 1e-10),
            Precision::Mixed | Precision::F32 => (largest, 1e-4),
        };
        let off = difference(values, expected, floor);
        assert!(
            off <= tolerance && values.iter().all(|&value| value >= 0.0),
            "{what}, {name}: {off:e}\n     got {values:?}\nexpected {expected:?}"
        );
    }
}

/// Generates graphs of a family. Vertices are numbered in random order. An edge of a directed graph
/// may go both ways.
pub fn graphs(family: impl Strategy<Value = Edges>) -> impl Strategy<Value = Weighted> {
    let lengths = (select(vec![0u32, 1, 1]), select(vec![1u32, 2, 4, 9]));
    let lengths = lengths.prop_flat_map(|(least, most)| prop::collection::vec(least..=most, 80));
    let ways = prop::collection::vec(0..3u8, 80);
    (family, lengths, any::<bool>(), ways, any::<u64>()).prop_map(
        |((n, edges), lengths, directed, ways, seed)| {
            let mut order: Vec<usize> = (0..n).collect();
            if seed % 4 > 0 {
                order.sort_by_key(|&v| (v as u64 + 1).wrapping_mul(seed | 1).rotate_left(32));
            }
            let lengths = lengths.into_iter().cycle();
            let mut all = Vec::new();
            for (((u, v), length), way) in edges.into_iter().zip(lengths).zip(ways.iter().cycle()) {
                let (u, v) = (order[u], order[v]);
                if !directed || *way != 1 {
                    all.push((u, v, length));
                }
                if directed && *way != 0 {
                    all.push((v, u, length));
                }
            }
            Weighted {
                vertices: n,
                edges: all,
                directed,
            }
        },
    )
}

/// Generates weights of vertices: none, weights that are mostly 0, or other weights.
fn weights() -> impl Strategy<Value = Option<Vec<f64>>> {
    let few = prop::collection::vec(select(vec![0.0, 0.0, 0.0, 0.0, 1.0]), 44);
    let some = prop::collection::vec(select(vec![0.0, 1.0, 2.0, 0.5, 3.25]), 44);
    prop_oneof![2 => Just(None), 1 => few.prop_map(Some), 1 => some.prop_map(Some)]
}

/// Generates conditions of reductions.
fn reductions() -> impl Strategy<Value = Reductions> {
    let when = || select(vec![When::Auto, When::Always, When::Never]);
    (when(), when(), when(), when(), when()).prop_map(|(fold, blocks, reverse, twins, chains)| {
        Reductions {
            fold,
            blocks,
            reverse,
            twins,
            chains,
        }
    })
}

/// Generates graphs of all families with queries, and with these spellings of lengths.
pub fn cases(texts: &[Text]) -> impl Strategy<Value = Case> + use<> {
    let plain = prop::option::weighted(0.6, (reductions(), any::<bool>()));
    cases_of(families::all(), texts, plain)
}

/// Generates graphs with many reducible parts, for betweenness with reductions.
pub fn reducible_cases(texts: &[Text]) -> impl Strategy<Value = Case> + use<> {
    let plain = (reductions(), prop::bool::weighted(0.2)).prop_map(Some);
    cases_of(families::reducible(), texts, plain)
}

/// Generates graphs of a family with queries. `plain` generates `None` for any measures, or the
/// reductions for betweenness and whether vertices may have weights.
fn cases_of<P>(
    family: BoxedStrategy<Edges>,
    texts: &[Text],
    plain: P,
) -> impl Strategy<Value = Case> + use<P>
where
    P: Strategy<Value = Option<(Reductions, bool)>>,
{
    let radii = prop::collection::btree_set(0u32..30, 0..4);
    let decay = select(vec![None, None, Some(0.0), Some(0.1), Some(1.5)]);
    let trip = (any::<Index>(), any::<Index>(), select(vec![0.0, 1.0, 2.5]));
    let demand = prop::option::weighted(0.2, prop::collection::vec(trip, 0..12));
    let all = Measure::ALL.to_vec();
    let some = subsequence(all, 1..=Measure::ALL.len());
    let measures = prop_oneof![Just(vec![Measure::Betweenness]), some];
    let graph = (graphs(family), select(texts.to_vec()));
    let query = (measures, radii, decay, weights(), weights(), demand);
    let precision = select(vec![Precision::F64, Precision::Mixed, Precision::F32]);
    let roots = prop::option::weighted(0.3, any::<(Index, Index)>());
    let order = select(vec![Order::Bfs, Order::None]);
    let choices = (plain, precision, any::<[bool; 4]>(), roots, order);
    (graph, query, choices).prop_map(|((mut weighted, text), query, choices)| {
        let (plain, precision, choices, roots, order) = choices;
        let (mut measures, mut radii, mut decay, mut sources, mut targets, mut demand) = query;
        if plain.is_some() {
            measures = vec![Measure::Betweenness];
            radii.clear();
            (decay, demand) = (None, None);
        }
        let (reduce, has_weights) = plain.unwrap_or_default();
        let all_pairs = plain.is_some() && !has_weights;
        if all_pairs {
            (sources, targets) = (None, None);
        }
        if text == Text::Doubles {
            // Lengths of zero need a common unit of the others.
            for (_, _, length) in &mut weighted.edges {
                *length = (*length).max(1);
            }
        }
        let weighted = match text {
            Text::Tiny | Text::Doubles => weighted.beside(EXTRA_LENGTH),
            _ => weighted,
        };
        let n = weighted.vertices;
        if demand.is_some() {
            measures.retain(|measure| measure.counts_paths());
            if measures.is_empty() {
                measures.push(Measure::Betweenness);
            }
        }
        let demand = demand.map(|trips| {
            let end = |index: Index| index.index(n) as Vertex;
            let trips = trips.into_iter();
            trips
                .map(|(s, t, trips)| (end(s), end(t), trips))
                .collect::<Vec<_>>()
        });
        let of_vertices = |weights: Option<Vec<f64>>| {
            let weights = weights.filter(|_| demand.is_none())?;
            Some(weights.into_iter().cycle().take(n).collect())
        };
        let [component, edges, normalized, endpoints] = choices;
        let roots = roots.filter(|_| all_pairs && n > 0).map(|(a, b)| {
            let (a, b) = (a.index(n), b.index(n));
            a.min(b)..a.max(b) + 1
        });
        // Options without effect are refused, and distances belong to no edge.
        let paths = measures.iter().any(|measure| measure.counts_paths());
        let [edges, normalized] = [edges, normalized].map(|given| given && paths);
        let normalized = normalized && roots.is_none();
        let component = component && measures.contains(&Measure::Closeness);
        let decay = decay.filter(|_| paths || measures.contains(&Measure::Reach));
        let sources = of_vertices(sources);
        let targets = of_vertices(targets);
        let have_effect = paths || !weighted.directed || sources.is_some();
        let mut case = Case {
            targets: targets.filter(|_| have_effect),
            sources,
            radii: radii.into_iter().collect(),
            weighted,
            text,
            measures,
            decay,
            demand,
            component,
            edges,
            normalized,
            reduce,
            precision,
            endpoints: endpoints && all_pairs,
            roots,
            order,
        };
        case.fit(|_| true);
        case
    })
}
