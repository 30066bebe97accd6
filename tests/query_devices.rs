//! Compares queries on an OpenCL device with the CPU engine `plain`.

use crate::common::weighted::random_weighted;
use crate::common::{any_device, config, difference, graph, random_edges};
use brandes::cpu::{self, CpuEngine, CpuOptions, WorkerBudget};
use brandes::device::{DeviceOptions, Numbers, Session, find};
use brandes::engine::{Engine, OwnSums, Precision, feed};
use brandes::graph::{Graph, WeightOptions, generate};
use brandes::prepare::{PrepareOptions, Prepared, prepare_query};
use brandes::strategy::{Feature, LengthType, NumericOption, Strategy as Search, self_test};
use brandes::{Betweenness, CpuWorkers, DeviceSelection, Drawn, Estimate, Measure, Query};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// Returns the numbers of devices with work-groups of 32.
fn groups_of_32() -> Numbers {
    Numbers {
        work_group: Some(32),
        ..Numbers::default()
    }
}

/// Returns a session with programs for queries.
fn session(search: Search, mut options: DeviceOptions) -> Session {
    any_device();
    let found = find::survey().unwrap().devices.swap_remove(0);
    options.query = true;
    options.numbers.degree = search.has(NumericOption::Degree).then_some(4);
    options.numbers.lanes = search.has(NumericOption::Lanes).then_some(64);
    options.wide = (search == Search::Hybrid).then_some(3);
    let session = Session::open(
        &found,
        options,
        |options, info| search.kernels(options, info),
        &mut Vec::new(),
    )
    .unwrap();
    self_test::run(&session, search, LengthType::U32).unwrap();
    session
}

/// Returns the sums of CPU engine `plain`.
fn by_core(prepared: &Prepared) -> OwnSums {
    let options = CpuOptions {
        engine: CpuEngine::Plain,
        ..CpuOptions::default()
    };
    let plan = cpu::plan(prepared, &options, WorkerBudget::for_all_roots(prepared, 1));
    sums(&mut cpu::engine(prepared, &plan), prepared)
}

/// Returns the sums of all roots by an engine.
fn sums(engine: &mut dyn Engine, prepared: &Prepared) -> OwnSums {
    let mut sums = prepared.zero_sums();
    feed(engine, &prepared.roots, &mut sums).unwrap();
    sums
}

/// Searches by a strategy and by a core, and compares all sums.
fn compare(session: &Session, search: Search, prepared: &Prepared, tolerance: f64) {
    let mut engine = search.engine(session, prepared).unwrap().engine;
    // The second search must clear the values that the first one left in buffers.
    sums(&mut *engine, prepared);
    let found = sums(&mut *engine, prepared);
    let expected = by_core(prepared);
    let different = difference(&found.vertices, &expected.vertices, 1e-9);
    assert!(
        different <= tolerance,
        "{search:?} differs by {different:e}\n   found {:?}\nexpected {:?}",
        found.vertices,
        expected.vertices
    );
    let arcs = |sums: OwnSums| sums.arcs.unwrap_or_default();
    let different = difference(&arcs(found), &arcs(expected), 1e-9);
    assert!(different <= tolerance, "{search:?}, arcs: {different:e}");
}

/// Generates queries of graphs with at most 64 vertices.
fn queries() -> impl Strategy<Value = Query> {
    let measures = prop::sample::subsequence(Measure::ALL[..5].to_vec(), 1..=5);
    let radii = prop::option::of(prop::sample::subsequence(
        vec![0.0, 1.0, 2.0, 3.5, 5.0, 9.0],
        1..=3,
    ));
    let decay = prop::option::of(prop::sample::select(vec![0.0, 0.3, 2.0]));
    let weights = || {
        let weight = prop::sample::select(vec![0.0, 0.0, 1.0, 0.3, 7.5]);
        prop::option::of(prop::collection::vec(weight, 64))
    };
    (measures, radii, decay, weights(), weights()).prop_map(
        |(measures, radii, decay, sources, targets)| Query {
            measures,
            radii: radii.unwrap_or_default(),
            decay,
            sources: sources.map(Into::into),
            targets: targets.map(Into::into),
            ..Query::default()
        },
    )
}

/// Prepares a graph for a query, with its weights truncated to the number of vertices.
fn prepared(graph: &Graph, query: &Query, edges: bool) -> Prepared {
    let n = graph.vertices();
    let options = PrepareOptions {
        edges,
        ..PrepareOptions::default()
    };
    let first = |weights: &std::sync::Arc<[f64]>| weights[..n].into();
    let query = Query {
        sources: query.sources.as_ref().map(first),
        targets: query.targets.as_ref().map(first),
        ..query.clone()
    };
    let mut prepared = prepare_query(graph, &options, &query).unwrap();
    prepared.count_edges = edges;
    prepared
}

/// Compares random queries of random graphs without lengths.
fn check(search: Search, precision: Precision, tolerance: f64) {
    for count_edges in [false, true] {
        let session = session(
            search,
            DeviceOptions {
                count_edges,
                precision,
                numbers: groups_of_32(),
                ..DeviceOptions::default()
            },
        );
        let supports_directed = search.covers(&[Feature::Directed]);
        TestRunner::new(config(60))
            .run(
                &(random_edges(), queries(), any::<bool>()),
                |((n, edges), query, directed)| {
                    let graph = graph(n, &edges, directed && supports_directed);
                    let prepared = prepared(&graph, &query, count_edges);
                    compare(&session, search, &prepared, tolerance);
                    Ok(())
                },
            )
            .unwrap();
    }
}

/// Compares random queries of random graphs with lengths, each type of lengths in turn.
fn check_lengths(search: Search) {
    let texts: [fn(u32) -> String; 3] = [
        |length| length.to_string(),
        |length| match length {
            99 => "0.0000000001".into(),
            _ => length.to_string(),
        },
        |length| match length {
            99 => "1e-40".into(),
            _ => format!("{length}.1"),
        },
    ];
    for count_edges in [false, true] {
        let session = session(
            search,
            DeviceOptions {
                count_edges,
                weighted: true,
                numbers: groups_of_32(),
                ..DeviceOptions::default()
            },
        );
        TestRunner::new(config(90))
            .run(
                &(
                    random_weighted(3),
                    queries(),
                    prop::sample::select(texts.to_vec()),
                ),
                |(weighted, query, text)| {
                    let graph = weighted.beside(99).read(WeightOptions::default(), text);
                    let prepared = prepared(&graph, &query, count_edges);
                    compare(&session, search, &prepared, 1e-11);
                    Ok(())
                },
            )
            .unwrap();
    }
}

#[test]
fn vertex() {
    check(Search::Vertex, Precision::F64, 1e-11);
}

#[test]
fn edge() {
    check(Search::Edge, Precision::F64, 1e-11);
}

#[test]
fn work_efficient() {
    check(Search::WorkEfficient, Precision::F64, 1e-11);
}

#[test]
fn hybrid() {
    check(Search::Hybrid, Precision::F64, 1e-11);
}

#[test]
fn warp() {
    check(Search::Warp, Precision::F64, 1e-11);
    check(Search::Warp, Precision::F32, 1e-4);
}

#[test]
fn lanes() {
    check(Search::Lanes, Precision::F64, 1e-11);
    check(Search::Lanes, Precision::Mixed, 1e-11);
    check(Search::Lanes, Precision::F32, 1e-4);
}

#[test]
fn local() {
    check(Search::Local, Precision::F64, 1e-11);
    check(Search::Local, Precision::F32, 1e-4);
}

#[test]
fn vertex_with_lengths() {
    check_lengths(Search::Vertex);
}

#[test]
fn work_efficient_with_lengths() {
    check_lengths(Search::WorkEfficient);
}

#[test]
fn warp_with_lengths() {
    check_lengths(Search::Warp);
}

/// Searches stop at the radius, long before they reach all vertices.
#[test]
fn small_radii_of_large_graphs() {
    let grid = generate::grid(50, 60, 0.1, 4).unwrap();
    let query = Query {
        measures: vec![Measure::Betweenness, Measure::Closeness],
        radii: vec![2.0, 4.0],
        ..Query::default()
    };
    let prepared = prepared(&grid, &query, false);
    for search in [Search::WorkEfficient, Search::Warp, Search::Local] {
        compare(
            &session(search, DeviceOptions::default()),
            search,
            &prepared,
            1e-11,
        );
    }
}

#[test]
fn devices_estimate_as_cores_do() {
    let graph = generate::barabasi_albert(600, 3, 5).unwrap();
    let options = Estimate {
        epsilon: 0.03,
        draws: Some(Drawn::Sources),
        ..Estimate::default()
    };
    let cores = Betweenness::new().devices(DeviceSelection::None);
    let exact = cores.clone().normalized(true).run(&graph).unwrap();
    let exact = exact.vertices();
    let expected = cores.estimate(options).run(&graph).unwrap();
    let estimated = expected.estimated().unwrap();
    let device = |search| {
        let device = Betweenness::new().devices(any_device()).strategy(search);
        device.cpu_workers(CpuWorkers::Count(0)).estimate(options)
    };
    for search in [Search::Edge, Search::Hybrid] {
        let error = device(search).run(&graph).err().unwrap().to_string();
        assert!(
            error.contains("does not estimate; use strategy lanes"),
            "{error}"
        );
    }
    for search in [
        Search::Lanes,
        Search::Vertex,
        Search::WorkEfficient,
        Search::Warp,
        Search::Local,
    ] {
        let scores = device(search).run(&graph).unwrap();
        let found = scores.estimated().unwrap();
        // Batches may be wider on devices.
        assert!(found.draws >= estimated.draws, "{search:?}");
        let close = |a: &[f64], b: &[f64]| difference(a, b, 1e-3) < 1e-9;
        let are_equal =
            close(&found.lower, &estimated.lower) && close(&found.upper, &estimated.upper);
        assert!(are_equal || found.draws > estimated.draws, "{search:?}");
        let exact = exact.iter().zip(found.lower.iter().zip(&found.upper));
        let mut misses = exact.filter(|&(score, (low, high))| score < low || score > high);
        assert!(misses.next().is_none(), "{search:?}");
    }
}
