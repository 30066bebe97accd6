//! Tests of strategies on OpenCL devices that the matrix cannot make: values of their options,
//! choices, refusals, memory, estimates, and the switches of `brandes bench --ablation`.

use crate::common::weighted::Weighted;
use crate::common::{
    any_device, assert_close, cores, difference, graph, hub, on_device, one_way, searched,
    without_devices,
};
use brandes::device::{DeviceError, DeviceOptions, Numbers, Session, find};
use brandes::graph::{Graph, generate};
use brandes::plan::SearchOptions;
use brandes::prepare::{PrepareOptions, Prepared, Scale, prepare};
use brandes::strategy::{
    ALL, EnginePlan, Feature, NumericOption, Switch, WARP_SIZES, engine_without,
};
use brandes::{
    Betweenness, Drawn, Estimate, Precision, Reductions, RootSelection, Scores, Strategy,
};

/// Returns a search of a folded graph, with scores of edges.
fn device(strategy: Strategy) -> SearchOptions {
    let mut options = on_device(strategy);
    options.prepare.reduce = Reductions::folding(true);
    options.prepare.edges = true;
    options
}

/// Searches on a device, compares the scores with those of cores, and returns the plan.
fn check(graph: &Graph, options: &SearchOptions, what: &str) -> EnginePlan {
    let scores = searched(graph, options);
    let cores = SearchOptions {
        prepare: options.prepare,
        ..without_devices()
    };
    let expected = searched(graph, &cores);
    let edges = |scores: &Scores| scores.edges().unwrap_or_default().to_vec();
    let (floor, tolerance) = match options.device.precision {
        Precision::F32 => (1.0, 1e-4),
        _ => (1e-3, 1e-10),
    };
    let off = difference(scores.vertices(), expected.vertices(), floor);
    let off = off.max(difference(&edges(&scores), &edges(&expected), floor));
    assert!(off < tolerance, "{what}: {off:e}");
    scores.record().outcome.drivers[0].plan.clone().unwrap()
}

/// Searches from some roots are repeated, since they are deeper than planned.
#[test]
fn path_ends_of_a_deep_directed_graph_count_once() {
    let arcs: Vec<(u32, u32)> = (0..40).map(|v| (v, (v + 1) % 40)).collect();
    let cycle = graph(40, &arcs, true);
    for strategy in [Strategy::Virtual, Strategy::EdgeDevice] {
        let mut options = on_device(strategy);
        options.device.numbers.searches = Some(3);
        options.prepare.reduce = Reductions::NONE;
        options.prepare.endpoints = true;
        // Each distance d from 1 to 39 has 40 pairs, whose paths have d + 1 vertices.
        let scores = searched(&cycle, &options);
        assert_close(scores.vertices(), &[819.0; 40], 1e-12);
    }
}

#[test]
fn every_value_of_a_numeric_option_gives_the_scores_of_cores() {
    use NumericOption::{Degree, Lanes, Searches, WarpSize, WorkGroup};
    // Launches in the path have no padding that would hide a level too many.
    let graphs = [hub(150), one_way(&hub(150)), generate::path(64).unwrap()];
    for (strategy, option, values) in [
        (Strategy::Virtual, Degree, &[1, 2, 4, 16, 1024][..]),
        (Strategy::Virtual, Searches, &[1, 3, 64]),
        (Strategy::EdgeDevice, Searches, &[1, 3, 64]),
        (Strategy::Lanes, Lanes, &[32, 96, 128, 256, 512]),
        (Strategy::Lanes, Degree, &[1, 8, 256]),
        (Strategy::Lanes, WorkGroup, &[1, 7, 64]),
        (Strategy::Edge, WorkGroup, &[16, 64]),
        (Strategy::Hybrid, WorkGroup, &[16]),
        (Strategy::Warp, WarpSize, &WARP_SIZES),
        (Strategy::Hierarchy, Lanes, &[32, 96, 320]),
        (Strategy::Hierarchy, Degree, &[1, 16]),
        (Strategy::Hierarchy, WorkGroup, &[7, 8, 16]),
    ] {
        for &value in values {
            let mut options = device(strategy);
            options.prepare.reduce = Reductions::NONE;
            *options.device.numbers.get_mut(option) = Some(value);
            for graph in &graphs {
                let what = format!("{strategy:?}, {option:?} {value}");
                let plan = check(graph, &options, &what);
                if option == WarpSize {
                    assert_eq!(plan.warp_size, Some(value));
                }
            }
        }
    }
}

#[test]
fn many_roots_are_searched() {
    let wide = generate::barabasi_albert(1100, 4, 9).unwrap();
    // `hybrid` samples 512 roots, and other strategies move sums in f32 to the host.
    let many = generate::erdos_renyi(1200, 2000, 4).unwrap();
    for (strategy, precision, graph) in [
        (Strategy::Hybrid, Precision::F64, &wide),
        (Strategy::Hybrid, Precision::F64, &one_way(&wide)),
        (Strategy::Virtual, Precision::F32, &many),
        (Strategy::Lanes, Precision::F32, &many),
        (Strategy::WorkEfficient, Precision::F32, &many),
        (Strategy::Local, Precision::F32, &many),
    ] {
        let mut options = device(strategy);
        options.prepare.reduce = Reductions::NONE;
        options.device.precision = precision;
        check(graph, &options, &format!("{strategy:?}"));
    }
}

#[test]
fn the_plan_has_the_requested_lanes_or_the_reason_for_others() {
    let graph = generate::grid(30, 30, 0.0, 1).unwrap();
    let plan = |lanes, work_group| {
        let mut options = device(Strategy::Hierarchy);
        options.device.numbers = Numbers {
            lanes: Some(lanes),
            work_group,
            ..Numbers::default()
        };
        check(&graph, &options, "a grid")
    };
    for lanes in [32, 96, 320] {
        let plan = plan(lanes, None);
        assert_eq!(plan.lanes, lanes as usize);
        assert!(!plan.why.contains("asked for"), "{}", plan.why);
    }
    // A work-group has four lanes for each work-item.
    let raised = plan(64, Some(64));
    assert_eq!((raised.lanes, raised.work_group), (256, 64));
    let note = "256 lanes (whole work-groups of 256 lanes, in place of the 64 asked for)";
    assert!(raised.why.ends_with(note), "{}", raised.why);
}

#[test]
fn searches_deeper_than_the_masks_of_lanes_use_another_strategy() {
    // A small world beside a cycle that the sample of depths misses.
    let world = generate::rmat(10, 8, 0.57, 0.19, 0.19, 3).unwrap();
    let n = world.vertices() as u32;
    let mut edges: Vec<_> = (0..80).map(|i| (n + i, n + (i + 1) % 80)).collect();
    world.for_each_edge(|u, v| edges.push((u, v)));
    let mixed = graph(n as usize + 80, &edges, false);
    // The sample shows the depth of a cycle, so `lanes` is not tried on it.
    let [cycle, path] = [generate::cycle(600), generate::path(300)].map(Result::unwrap);
    for (graph, roots, strategy) in [
        (cycle, RootSelection::Sample(64), Strategy::Warp),
        (path, RootSelection::Sample(100), Strategy::Warp),
        (mixed, RootSelection::All, Strategy::Lanes),
    ] {
        for edges in [false, true] {
            let mut options = device(Strategy::Lanes);
            options.device.numbers.lanes = Some(128);
            options.prepare.reduce = Reductions::NONE;
            options.prepare.roots = roots;
            options.prepare.edges = edges;
            let plan = check(&graph, &options, "deep");
            assert_eq!(plan.strategy, strategy);
            let why = "lanes have masks for";
            assert_eq!(plan.why.contains(why), strategy == Strategy::Warp);
        }
    }
}

fn with_lengths(graph: &Graph) -> Graph {
    Weighted::with_lengths(graph, |i| 1 + i * 7 % 9).graph()
}

#[test]
fn auto_chooses_a_strategy_and_says_why() {
    let rmat = |scale, degree| generate::rmat(scale, degree, 0.57, 0.19, 0.19, 7).unwrap();
    let grid = with_lengths(&generate::grid(20, 20, 0.1, 2).unwrap());
    let road = generate::grid(2, 150, 0.0, 1).unwrap();
    let warp = (Strategy::Warp, Some(4));
    let [lanes, local] = [Strategy::Lanes, Strategy::Local].map(|one| (one, None));
    for (graph, expected, why) in [
        (rmat(10, 16), lanes, &["median depth", "tiles"][..]),
        (road, local, &["median depth"]),
        (with_lengths(&rmat(7, 8)), warp, &["weighted"]),
        (grid, warp, &["weighted"]),
    ] {
        let plan = check(&graph, &device(Strategy::Auto), "auto");
        assert_eq!((plan.strategy, plan.warp_size), expected);
        let has_reason = why.iter().all(|part| plan.why.contains(part));
        assert!(has_reason, "{}", plan.why);
    }
}

/// Opens a session on the first device.
fn session(strategy: Strategy, options: DeviceOptions) -> Session {
    any_device();
    let found = find::survey().unwrap().devices.swap_remove(0);
    let kernels = |options: &_, info: &_| strategy.kernels(options, info);
    Session::open(&found, options, kernels, &mut Vec::new()).unwrap()
}

fn prepared(graph: &Graph, edges: bool) -> Prepared {
    let options = PrepareOptions {
        edges,
        ..PrepareOptions::default()
    };
    prepare(graph, &options).unwrap()
}

/// Returns the reason why a strategy refuses a graph.
fn refusal(strategy: Strategy, session: &Session, prepared: &Prepared) -> String {
    match strategy.engine(session, prepared).map(|made| made.plan) {
        Err(DeviceError::Refused(text)) => text,
        other => panic!("{strategy:?}: {other:?}"),
    }
}

#[test]
fn engines_refuse_graphs_that_they_do_not_support() {
    let cycle = generate::cycle(10).unwrap();
    let weighted = with_lengths(&cycle);
    let directed = graph(3, &[(0, 1), (1, 2)], true);
    for (strategy, graph, edges, expected) in [
        (Strategy::Local, &directed, false, "undirected"),
        (Strategy::Warp, &cycle, true, "kernels that were built"),
        (Strategy::Virtual, &weighted, false, "without weights"),
        (Strategy::Lanes, &weighted, false, "without weights"),
        (Strategy::Edge, &weighted, false, "without weights"),
        (Strategy::Local, &weighted, false, "without weights"),
    ] {
        let session = session(strategy, DeviceOptions::default());
        let text = refusal(strategy, &session, &prepared(graph, edges));
        assert!(text.contains(expected), "{strategy:?}: {text}");
    }
}

#[test]
fn sums_of_arcs_have_to_fit() {
    let prepared = prepared(&generate::erdos_renyi(100, 4000, 3).unwrap(), true);
    let bytes = 8 * prepared.graph.arcs() as u64;
    for &strategy in ALL.iter().filter(|one| !one.covers(&[Feature::Chains])) {
        let mut options = DeviceOptions::default();
        options.numbers.lanes = strategy.has(NumericOption::Lanes).then_some(64);
        options.count_edges = true;
        let mut session = session(strategy, options);
        let slots = |session: &Session| {
            let engine = strategy.engine(session, &prepared).unwrap();
            engine.plan.slots.unwrap()
        };
        // Slots shrink to fit.
        if [Strategy::WorkEfficient, Strategy::Local].contains(&strategy) {
            assert!(slots(&session) > 1);
            // A record of `local` has eight arcs.
            let records = u64::from(strategy == Strategy::Local) * 100 * 8 * 8;
            session.info.max_buffer = 12 * bytes / 10 + records;
            assert_eq!(slots(&session), 1, "{strategy:?}");
        }
        // A buffer can hold the arcs, but not a double for each of them.
        session.info.max_buffer = bytes - 1;
        let text = refusal(strategy, &session, &prepared);
        assert!(text.contains("buffer 'sums of arcs"), "{text}");
        let numbers = text.split(' ').filter_map(|word| word.parse().ok());
        assert!(numbers.max() >= Some(bytes), "{text}");
        session.info.max_buffer = u64::MAX;
        session.info.memory = bytes;
        let text = refusal(strategy, &session, &prepared);
        assert!(text.contains("device memory"), "{strategy:?}: {text}");
    }
}

#[test]
fn devices_estimate_as_cores_do() {
    // Some roots stand for several sources of a tree, whose squares are summed with this weight.
    let graph = generate::rmat(9, 3, 0.57, 0.19, 0.19, 5).unwrap();
    let options = Estimate {
        epsilon: 0.03,
        draws: Some(Drawn::Sources),
        ..Estimate::default()
    };
    let exact = cores(2).normalized(true).run(&graph).unwrap();
    let expected = cores(2).estimate(options).run(&graph).unwrap();
    let estimated = expected.estimated().unwrap();
    for &strategy in ALL {
        let search = Betweenness::from(on_device(strategy)).estimate(options);
        if !strategy.covers(&[Feature::Squares]) {
            let error = search.run(&graph).err().unwrap().to_string();
            let expected = "does not estimate; use strategy lanes";
            assert!(error.contains(expected), "{error}");
            continue;
        }
        let scores = search.run(&graph).unwrap();
        let found = scores.estimated().unwrap();
        assert_eq!(found.draws, estimated.draws, "{strategy:?}");
        assert_close(&found.lower, &estimated.lower, 1e-9);
        assert_close(&found.upper, &estimated.upper, 1e-9);
        let ends = found.lower.iter().zip(&found.upper);
        for (score, (low, high)) in exact.vertices().iter().zip(ends) {
            assert!(low <= score && score <= high, "{strategy:?}");
        }
    }
}

fn without(session: &Session, graph: &Graph, off: Option<Switch>) -> Vec<f64> {
    let options = PrepareOptions::default();
    let options = off.map_or(options, |off| off.prepare_without(options));
    let prepared = prepare(graph, &options).unwrap();
    let device = match off {
        Some(off) => engine_without(session, &prepared, off),
        None => Strategy::Virtual.engine(session, &prepared),
    };
    let mut device = device.unwrap();
    let mut sums = prepared.zero_sums();
    for roots in prepared.roots.chunks(100) {
        device.engine.search(roots).unwrap();
    }
    device.engine.collect(&mut sums.lend()).unwrap();
    prepared.scores(&sums.vertices, Scale::Pairs)
}

#[test]
fn the_switches_of_an_ablation_change_no_scores() {
    let arcs = [0, 1, 1, 2, 2, 3, 3, 0, 3, 4, 5, 1, 1, 6, 6, 3];
    let arcs: Vec<_> = arcs.chunks(2).map(|arc| (arc[0], arc[1])).collect();
    let graphs = [
        Ok(graph(7, &arcs, true)),
        generate::rmat(8, 8, 0.57, 0.19, 0.19, 7),
        generate::star(300),
        generate::grid(3, 60, 0.05, 2),
        generate::diamonds(30),
        generate::erdos_renyi(400, 330, 3),
    ];
    let graphs = graphs.map(Result::unwrap);
    for (precision, searches, tolerance) in [
        (Precision::F64, 1, 1e-10),
        (Precision::F64, 7, 1e-10),
        (Precision::F32, 64, 1e-3),
    ] {
        let mut options = DeviceOptions::default();
        options.numbers.degree = Some(4);
        options.numbers.searches = Some(searches);
        options.precision = precision;
        let session = session(Strategy::Virtual, options);
        // Three graphs are enough to test sums in f32.
        let count = if precision == Precision::F32 { 3 } else { 6 };
        for graph in &graphs[..count] {
            let expected = cores(2).run(graph).unwrap();
            for off in std::iter::once(None).chain(Switch::ALL.map(Some)) {
                let scores = without(&session, graph, off);
                let off_by = difference(&scores, expected.vertices(), 1.0);
                assert!(off_by < tolerance, "{off:?}, {searches} slots: {off_by:e}");
            }
        }
    }
}
