//! Compares engines `lanes`, `clustered` and `plain` with the definition of measures, on random
//! graphs and queries.

use std::sync::Arc;

use proptest::prelude::*;

use super::clustered;
use super::lanes::{LANES, Simd};
use super::search::fast_engine;
use super::{CpuPlan, EngineName};
use crate::engine::{OwnSums, feed};
use crate::graph::{Format, Graph, ReadOptions, WeightOptions, generate, read_stream};
use crate::prepare::{Column, PrepareOptions, Prepared, Scale, prepare_query};
use crate::query::{ClosenessScaling, Measure, Query};

/// The most vertices of random graphs.
const MOST: usize = 26;

/// Returns a graph with these edges. Without `lengths`, all edges have length 1.
fn graph(edges: &[(usize, usize, u32)], directed: bool, lengths: bool) -> Graph {
    let mut file = format!("p sp {MOST} {}\n", edges.len());
    for (tail, head, length) in edges {
        file += &format!("a {} {} {length}\n", tail + 1, head + 1);
    }
    let options = ReadOptions {
        format: Format::Dimacs,
        directed,
        weights: lengths.then(WeightOptions::default),
        ..ReadOptions::default()
    };
    let (graph, _) = read_stream(Box::new(file.as_bytes()), "test.gr", &options).unwrap();
    graph
}

fn random_graph() -> impl Strategy<Value = Graph> {
    let edge = (0..MOST, 0..MOST, 1..5u32);
    let edges = prop::collection::vec(edge, 0..3 * MOST);
    (edges, any::<(bool, bool)>())
        .prop_map(|(edges, (directed, lengths))| graph(&edges, directed, lengths))
}

fn random_weights() -> impl Strategy<Value = Option<Arc<[f64]>>> {
    let weight = prop_oneof![Just(0.0), Just(1.0), 0.1..3.0f64];
    let weights = prop::collection::vec(weight, MOST).prop_map(Arc::from);
    prop::option::of(weights)
}

fn random_query() -> impl Strategy<Value = Query> {
    let measures = prop::sample::subsequence(&Measure::ALL[..], 1..=6);
    let radii = prop::sample::subsequence(vec![0.0, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0], 0..3);
    let decay = prop::option::of(prop_oneof![Just(0.0), 0.1..2.0]);
    (
        measures,
        radii,
        decay,
        random_weights(),
        random_weights(),
        any::<bool>(),
    )
        .prop_map(
            |(measures, radii, decay, sources, targets, component)| Query {
                measures,
                radii,
                decay,
                sources,
                targets,
                closeness_scaling: match component {
                    true => ClosenessScaling::Component,
                    false => ClosenessScaling::Improved,
                },
                ..Query::default()
            },
        )
}

/// The distances and path counts of all pairs.
struct Pairs {
    distance: Vec<Vec<f64>>,
    paths: Vec<Vec<f64>>,
}

impl Pairs {
    fn new(graph: &Graph) -> Pairs {
        let n = graph.vertices();
        let mut distance = vec![vec![f64::INFINITY; n]; n];
        let length = |arc: usize| graph.lengths().map_or(1.0, |lengths| lengths.at(arc));
        let unit = graph.weights().and_then(|info| info.unit).unwrap_or(1.0);
        let tails = graph.csr().tails();
        let arcs = tails.iter().zip(graph.csr().targets()).enumerate();
        let arcs = arcs.map(|(arc, (&v, &w))| (v as usize, w as usize, unit * length(arc)));
        let arcs: Vec<_> = arcs.collect();
        for (v, row) in distance.iter_mut().enumerate() {
            row[v] = 0.0;
        }
        for &(v, w, length) in &arcs {
            distance[v][w] = length;
        }
        for (via, s, t) in (0..n * n * n).map(|i| (i / n / n, i / n % n, i % n)) {
            distance[s][t] = distance[s][t].min(distance[s][via] + distance[via][t]);
        }
        let mut paths = vec![vec![0.0; n]; n];
        for s in 0..n {
            let from = &distance[s];
            let mut order: Vec<usize> = (0..n).filter(|&v| from[v].is_finite()).collect();
            order.sort_by(|&v, &w| from[v].total_cmp(&from[w]));
            paths[s][s] = 1.0;
            for &w in &order {
                let into = arcs.iter().filter(|&&(_, to, _)| to == w);
                for &(v, ..) in into.filter(|&&(v, _, length)| from[v] + length == from[w]) {
                    paths[s][w] += paths[s][v];
                }
            }
        }
        Pairs { distance, paths }
    }
}

/// Computes the columns of a query from its definition.
fn definition(graph: &Graph, query: &Query) -> Vec<Vec<f64>> {
    let (n, Pairs { distance, paths }) = (graph.vertices(), Pairs::new(graph));
    let (mut sources, mut targets) = (query.sources.clone(), query.targets.clone());
    if sources.is_none() && !graph.directed() {
        std::mem::swap(&mut sources, &mut targets);
    }
    let weight = |of: &Option<Arc<[f64]>>, v: usize| of.as_ref().map_or(1.0, |weights| weights[v]);
    let decayed = |d: f64| (-query.decay.unwrap_or(0.0) * d).exp();
    let half = if graph.directed() { 1.0 } else { 0.5 };
    let column = |(measure, radius): (Measure, Option<f64>)| -> Vec<f64> {
        let near = |d: f64| d <= radius.unwrap_or(f64::MAX);
        let sum_of_pairs = |v: usize| {
            let mut sum = 0.0;
            for (s, t) in (0..n * n).map(|i| (i / n, i % n)) {
                let d = distance[s][t];
                let through = distance[s][v] + distance[v][t];
                if s != t && v != s && v != t && near(d) && through == d {
                    let pair = half * weight(&sources, s) * weight(&targets, t) * decayed(d);
                    let passing = paths[s][v] * paths[v][t];
                    sum += match measure {
                        Measure::Stress => pair * passing,
                        _ => pair * passing / paths[s][t],
                    };
                }
            }
            sum
        };
        let sum_of_sources = |v: usize, amount: &dyn Fn(f64) -> f64| {
            let others = (0..n).filter(|&s| s != v && near(distance[s][v]));
            others
                .map(|s| weight(&sources, s) * amount(distance[s][v]))
                .sum::<f64>()
        };
        let value = |v: usize| match measure {
            Measure::Betweenness | Measure::Stress => sum_of_pairs(v),
            Measure::Harmonic => sum_of_sources(v, &|d| 1.0 / d),
            Measure::Reach => sum_of_sources(v, &decayed),
            Measure::Closeness => {
                let (count, sum) = (sum_of_sources(v, &|_| 1.0), sum_of_sources(v, &|d| d));
                let others = (0..n).filter(|&s| s != v);
                let all = others.map(|s| weight(&sources, s)).sum::<f64>();
                match query.closeness_scaling {
                    _ if count == 0.0 => 0.0,
                    ClosenessScaling::Component => count / sum,
                    ClosenessScaling::Improved => count / sum * count / all,
                }
            }
            Measure::Eccentricity if weight(&sources, v) == 0.0 => 0.0,
            Measure::Eccentricity => {
                let near = distance[v].iter().filter(|&&d| near(d));
                near.fold(0.0, |most: f64, &d| most.max(d))
            }
        };
        (0..n).map(value).collect()
    };
    query.columns().map(column).collect()
}

fn prepared(graph: &Graph, query: &Query) -> Prepared {
    let options = PrepareOptions {
        edges: true,
        ..PrepareOptions::default()
    };
    prepare_query(graph, &options, query).unwrap()
}

fn plan(engine: EngineName, lanes: usize, simd: Simd) -> CpuPlan {
    CpuPlan {
        engine,
        lanes,
        simd: Some(simd),
        ..CpuPlan::default()
    }
}

/// Returns plans of engines `lanes` and `clustered` with each kind of vector instructions.
fn plans(prepared: &Prepared) -> Vec<CpuPlan> {
    let simds = Simd::available().into_iter();
    let lanes = match prepared.lengths {
        None => &LANES[..],
        Some(_) => &[],
    };
    let plans = simds.flat_map(|simd| {
        let lanes = lanes
            .iter()
            .map(move |&lanes| plan(EngineName::Lanes, lanes, simd));
        lanes.chain([plan(EngineName::Clustered, clustered::LANES, simd)])
    });
    plans.collect()
}

fn sums(prepared: &Prepared, plan: &CpuPlan) -> OwnSums {
    let mut engine = fast_engine(prepared, plan);
    let mut sums = prepared.zero_sums();
    feed(&mut *engine, &prepared.roots, &mut sums).unwrap();
    sums
}

fn assert_close(found: &[f64], expected: &[f64], what: &dyn std::fmt::Debug) {
    assert_eq!(found.len(), expected.len(), "{what:?}");
    for (v, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        let tolerance = 1e-10 * expected.abs().max(1.0);
        let close = (found - expected).abs() <= tolerance;
        assert!(close, "{what:?}: {found} at {v}, not {expected}");
    }
}

/// Compares the engines of [`plans`] with `plain`, and all of them with the expected columns, if
/// given.
fn compare(graph: &Graph, query: &Query, expected: Option<&[Vec<f64>]>) {
    let prepared = prepared(graph, query);
    let plain = sums(&prepared, &plan(EngineName::Plain, 1, Simd::Portable));
    let compare_columns = |sums: &OwnSums, plan: Option<CpuPlan>| {
        let found: Vec<Column> = prepared.columns(&sums.vertices, Scale::Pairs);
        for (found, expected) in found.iter().zip(expected.into_iter().flatten()) {
            assert_close(&found.values, expected, &(found.name(), plan));
        }
    };
    compare_columns(&plain, None);
    for plan in plans(&prepared) {
        let found = sums(&prepared, &plan);
        assert_close(&found.vertices, &plain.vertices, &plan);
        let arcs = |sums: &OwnSums| sums.arcs.clone().unwrap_or_default();
        assert_close(&arcs(&found), &arcs(&plain), &plan);
        compare_columns(&found, Some(plan));
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn batches_give_the_columns_of_the_definition(
        graph in random_graph(),
        query in random_query(),
    ) {
        compare(&graph, &query, Some(&definition(&graph, &query)));
    }
}

#[test]
fn larger_graphs_have_the_columns_of_plain() {
    let query = Query {
        measures: Measure::ALL.to_vec(),
        radii: vec![2.0, 4.0, 30.0],
        decay: Some(0.1),
        ..Query::default()
    };
    // The chain of diamonds has 2^20 paths from end to end, more than 16 bits can count.
    for graph in [
        generate::rmat(8, 8, 0.57, 0.19, 0.19, 1).unwrap(),
        generate::grid(16, 20, 0.1, 1).unwrap(),
        generate::diamonds(20).unwrap(),
    ] {
        compare(&graph, &query, None);
    }
}
