//! Compares every engine on cores and every strategy on an OpenCL device with the definition of
//! every measure, on random graphs of many families with random options: directed or not, lengths,
//! edges, ends of paths, chosen sources, queries, precisions, reductions, and numbers of engines; and
//! with engine `plain` on graphs of special shapes that are too large for the definition.
//! `BRANDES_TEST_CASES` sets the number of random cases. Tests print what is not compared. A new
//! shape is a line of [`shapes`].
//!
//! Other modules have what the matrix cannot reach:
//! - `cpu`: bounds of errors in mixed precision, and which engine is used.
//! - `reductions`: which reductions are made, chains and twins beyond the range of types.
//! - `weighted`: ties, tolerances and lengths that doubles lose.
//! - `devices/limits`, `path_counts`: more paths than numbers can count.
//! - `devices/strategies`: each value of numeric options, what `auto` chooses, refusals, searches
//!   too deep for lanes, memory for sums of edges, estimates.
//! - `devices/sharing`, `devices/faults`: several participants, and those that fail.
#![expect(clippy::print_stdout, reason = "people see what is not compared")]

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::common::queries::{Case, Expected, Text, cases, check_columns, reducible_cases};
use crate::common::subdivided::{roads, subdivided};
use crate::common::weighted::{EXTRA_LENGTH, Weighted};
use crate::common::{self, assert_sound, case_count, graph, hub, one_way};
use brandes::cpu::lanes::{LANES, Simd};
use brandes::cpu::{CpuEngine, CpuOptions};
use brandes::graph::{Graph, generate};
use brandes::plan::SearchOptions;
use brandes::runner::CpuRequest;
use brandes::strategy::{Feature, NumericOption};
use brandes::{
    Column, CpuWorkers, DeviceSelection, Error, Measure, Order, Precision, Reductions, Scores,
    Strategy, When,
};
use proptest::prelude::{ProptestConfig, any};
use proptest::sample::select;
use proptest::test_runner::TestRunner;

/// Returns a configuration with `few` cases, or the number in the environment.
fn config(few: u32) -> ProptestConfig {
    ProptestConfig {
        max_shrink_iters: 20_000,
        ..crate::common::config(case_count(few))
    }
}

const ENGINES: [(&str, CpuEngine); 5] = [
    ("auto", CpuEngine::Auto),
    ("plain", CpuEngine::Plain),
    ("lanes", CpuEngine::Lanes),
    ("clustered", CpuEngine::Clustered),
    ("hierarchy", CpuEngine::Hierarchy),
];

/// Returns searches on cores. `size` chooses lanes, vector instructions and workers.
fn on_cores(engine: CpuEngine, size: usize) -> SearchOptions {
    let simds = Simd::available();
    SearchOptions {
        devices: DeviceSelection::None,
        cpu: CpuRequest {
            workers: CpuWorkers::Count(1 + size % 2),
            options: CpuOptions {
                engine,
                lanes: (engine == CpuEngine::Lanes).then_some(LANES[size % LANES.len()]),
                simd: [CpuEngine::Lanes, CpuEngine::Clustered]
                    .contains(&engine)
                    .then_some(simds[size / LANES.len() % simds.len()]),
                ..CpuOptions::default()
            },
        },
        ..SearchOptions::default()
    }
}

/// Values of all numeric options, 0 for none. D is 1 (each arc is a piece), splits some vertices, or
/// none. There are one and several tiles of lanes, and work-groups of an odd size.
const NUMBERS: [[u32; 5]; 4] = [
    [0; 5],
    [1, 32, 1, 4, 32],
    [4, 96, 3, 32, 64],
    [256, 128, 64, 0, 7],
];

/// Returns searches on the first device. `size` chooses its numbers; 0 leaves them to the strategy.
fn on_device(strategy: Strategy, size: usize) -> SearchOptions {
    let mut options = common::on_device(strategy);
    for (option, value) in NumericOption::ALL.into_iter().zip(NUMBERS[size]) {
        // Sources inside chains need work-groups of a multiple of 4.
        let serves = [Strategy::Hierarchy, Strategy::Auto].contains(&strategy);
        let is_odd = serves && option == NumericOption::WorkGroup;
        if value > 0 && strategy.has(option) && !(is_odd && value % 4 > 0) {
            *options.device.numbers.get_mut(option) = Some(value);
        }
    }
    // Some frontiers are searched by arcs, others by vertices.
    options.device.wide = (strategy == Strategy::Hybrid && size > 0).then_some(3);
    options
}

/// Searches a case, and compares all columns. If the search is refused, repeats it with default
/// choices. Returns the message of any other refusal.
fn compare(engines: &SearchOptions, case: &Case, what: &str) -> Result<(), String> {
    let graph = case.graph();
    match case.search(engines.clone()).run(&graph) {
        Ok(scores) => check(&scores, &case.expected(&graph), case.precision, what),
        Err(Error::Settings(message)) => {
            let is_by_default = (case.reduce, case.precision)
                == (Reductions::default(), Precision::F64)
                && !case.endpoints
                && case.roots.is_none();
            return match is_by_default {
                true => Err(message),
                false => compare(engines, &case.by_default(), what),
            };
        }
        Err(error) => panic!("{what}: {error}"),
    }
    Ok(())
}

/// Compares all columns of scores with the expected ones, and checks that no device failed.
fn check(scores: &Scores, expected: &Expected, precision: Precision, what: &str) {
    assert_sound(scores, what);
    check_columns(what, scores.columns(), &expected.columns, precision);
    let first = scores.columns().first().map(|column| &column.values[..]);
    assert_eq!(first, Some(scores.vertices()), "{what}");
    if let Some(edges) = scores.edge_columns() {
        let what = format!("{what}, edges");
        check_columns(&what, edges, &expected.edges, precision);
    }
}

/// Checks that a refusal names settings that work.
fn check_hint<'a>(
    message: &str,
    others: impl Iterator<Item = (&'a str, SearchOptions)>,
    case: &Case,
) {
    // "leave it out" means `auto`, or cores if it is about the device.
    let advice = message.rsplit_once("; ").map_or("", |(_, advice)| advice);
    let hint = match advice.starts_with("leave ") {
        true if advice.contains("`device`") => "none",
        true => "auto",
        false => advice,
    };
    let words: Vec<&str> = hint
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .collect();
    let named: Vec<_> = others.filter(|(name, _)| words.contains(name)).collect();
    assert!(!named.is_empty(), "{message}");
    // Only the graph shows that its lengths have no common unit, which a hierarchy needs.
    let named = named
        .into_iter()
        .filter(|(name, _)| *name != "hierarchy" || case.text != Text::Doubles);
    for (name, search) in named {
        let refused = compare(&search, case, name);
        assert!(refused.is_ok(), "{message}, but {name}: {refused:?}");
    }
}

/// Returns whether an engine on cores supports a feature.
fn covers(engine: CpuEngine, feature: Feature) -> bool {
    let named = engine.named();
    named.is_none_or(|engine| !engine.lacks().contains(&feature))
}

/// Returns a case with reductions that an engine on cores covers, in doubles where others are
/// refused.
fn fitted(mut case: Case, engine: CpuEngine) -> Case {
    case.fit(|feature| covers(engine, feature));
    let lanes = matches!(engine, CpuEngine::Auto | CpuEngine::Lanes);
    if case.precision == Precision::F32 || !lanes {
        case.precision = Precision::F64;
    }
    case
}

#[test]
fn engines_on_cores_give_every_measure_of_the_definition() {
    for (name, engine) in ENGINES {
        let refused = RefCell::new(BTreeMap::new());
        TestRunner::new(config(150))
            .run(&(cases(&Text::ALL), any::<u8>()), |(case, size)| {
                let (case, engines) = (fitted(case, engine), on_cores(engine, size.into()));
                if let Err(message) = compare(&engines, &case, name) {
                    let others = ENGINES
                        .iter()
                        .map(|&(name, other)| (name, on_cores(other, 0)));
                    check_hint(&message, others, &case);
                    *refused.borrow_mut().entry(message).or_insert(0) += 1;
                }
                Ok(())
            })
            .unwrap();
        println!("engine {name} refused {:#?}", refused.borrow());
    }
}

#[test]
fn reduced_graphs_have_the_scores_of_the_definition() {
    let texts = [Text::Hops, Text::Hops, Text::Whole];
    TestRunner::new(config(1000))
        .run(
            &(reducible_cases(&texts), select(&ENGINES[..]), any::<u8>()),
            |(case, engine, size)| {
                let chains = case.reduce.chains == When::Always;
                let (name, engine) = if chains { ENGINES[0] } else { engine };
                let refused = compare(&on_cores(engine, size.into()), &fitted(case, engine), name);
                if let Err(message) = refused {
                    assert!(message.contains("weight"), "{message}");
                }
                Ok(())
            },
        )
        .unwrap();
}

/// Compares a strategy with the definition in cases that it covers.
fn check_strategy<C>(strategy: Strategy, cases: C, few: u32)
where
    C: proptest::strategy::Strategy<Value = Case>,
{
    let refused = RefCell::new(BTreeMap::new());
    TestRunner::new(config(few))
        .run(&(cases, any::<bool>()), |(mut case, own)| {
            // Each size in each precision would be too many programs to build.
            let size = match case.precision {
                Precision::F64 => usize::from(own),
                Precision::Mixed => 2,
                Precision::F32 => 3,
            };
            // If the strategy does not support directed graphs, cores search this one.
            if case.graph().directed() && !strategy.covers(&[Feature::Directed]) {
                return Ok(());
            }
            case.fit(|feature| strategy.covers(&[feature]));
            if let Err(message) = compare(&on_device(strategy, size), &case, strategy.name()) {
                *refused.borrow_mut().entry(message).or_insert(0) += 1;
            }
            Ok(())
        })
        .unwrap();
    println!("strategy {strategy:?} refused {:#?}", refused.borrow());
}

#[test]
fn strategies_give_every_measure_of_graphs_without_lengths() {
    for strategy in Strategy::all() {
        check_strategy(strategy, cases(&[Text::Hops]), 20);
        check_strategy(strategy, reducible_cases(&[Text::Hops]), 10);
    }
}

#[test]
fn strategies_give_every_measure_of_graphs_with_lengths() {
    for strategy in Strategy::all().filter(|one| one.covers(&[Feature::Lengths])) {
        check_strategy(strategy, cases(&Text::ALL[1..]), 20);
        check_strategy(strategy, reducible_cases(&[Text::Whole]), 5);
    }
}

#[test]
fn strategies_that_refuse_a_search_name_others() {
    let strategies: Vec<Strategy> = Strategy::all().collect();
    let choices = (cases(&Text::ALL), select(strategies));
    TestRunner::new(config(60))
        .run(&choices, |(case, strategy)| {
            let case = case.by_default();
            let (directed, weighted) = (case.weighted.directed, case.text != Text::Hops);
            let options = case.options(on_device(strategy, 0));
            if let Err(error) = options.check(directed, weighted) {
                let others = Strategy::all().map(|other| (other.name(), on_device(other, 0)));
                let cores = ("none", on_cores(CpuEngine::Auto, 0));
                check_hint(&error.to_string(), others.chain([cores]), &case);
            }
            Ok(())
        })
        .unwrap();
}

/// The number of vertices of a shape with more paths than doubles can count.
const TOO_MANY_PATHS: usize = 3301;

fn pairs(ends: &[u32]) -> Vec<(u32, u32)> {
    ends.chunks(2).map(|ends| (ends[0], ends[1])).collect()
}

/// Returns graphs of special shapes, with their names.
fn shapes() -> Vec<(&'static str, Case)> {
    let world = generate::rmat(7, 8, 0.57, 0.19, 0.19, 7).unwrap();
    let two_parts: Vec<(u32, u32)> = (0..350u32)
        .flat_map(|v| {
            let (part, v) = (v % 2 * 175, v / 2);
            [(1, 7), (3, 11), (5, 2)].map(|(a, b)| (part + v, part + (v * a + b) % 175))
        })
        .collect();
    // Roots in the directed graph stand for several sources.
    let tails = pairs(&[0, 1, 1, 2, 2, 3, 3, 0, 3, 4, 5, 1, 1, 6, 6, 3]);
    // More chains end at the hub of the wheel than a batch has roots.
    let spokes = (1..80).map(|v| (0, v));
    let ring = (1..80).map(|v| (v, v % 79 + 1));
    let wheel: Vec<_> = spokes.chain(ring).chain([(0, 0)]).collect();
    let lengths: Vec<u32> = (0..wheel.len() as u32).map(|i| 1 + i * 7 % 13).collect();
    let kinds = pairs(&[0, 0, 1, 1, 2, 3, 2, 3, 2, 3, 4, 5, 5, 6, 6, 4, 7, 8]);
    let kinds_lengths = [5, 4, 3, 3, 4, 6, 6, 7, 9];
    let loops = [(0, 0), (0, 1), (1, 1)];
    let rings: Vec<(u32, u32)> = (0..20).map(|v| (v, v)).collect();
    let built = [
        ("no vertices", graph(0, &[], false)),
        ("a vertex", graph(1, &[], true)),
        ("isolated vertices", graph(5, &[], false)),
        ("an arc", graph(2, &[(0, 1)], true)),
        ("an edge", graph(2, &[(0, 1)], false)),
        ("a directed cycle with tails", graph(8, &tails, true)),
        ("a hub", hub(300)),
        ("arcs of a hub", one_way(&hub(300))),
        ("arcs of a small world", one_way(&world)),
        ("a small world", world.clone()),
        ("two parts", graph(350, &two_parts, false)),
        ("two directed parts", graph(350, &two_parts, true)),
        ("chains", roads(6)),
        ("kinds of chains", subdivided(9, &kinds, &kinds_lengths)),
        // Targets are equally far from both ends of a chain.
        ("rings", subdivided(20, &rings, &[8; 20])),
        ("parallel chains", subdivided(2, &[(0, 1); 300], &[3; 300])),
        ("a flower", subdivided(1, &[(0, 0); 3], &[3, 4, 9])),
    ];
    let generated = [
        ("a clique", generate::complete(33)),
        ("fewer vertices than lanes", generate::complete(13)),
        ("a star", generate::star(300)),
        ("two hubs", generate::complete_bipartite(2, 400)),
        ("high degrees", generate::barabasi_albert(150, 4, 5)),
        ("many components", generate::erdos_renyi(400, 330, 3)),
        ("a path", generate::path(70)),
        ("an even cycle", generate::cycle(102)),
        ("an odd cycle", generate::cycle(101)),
        ("a deep grid", generate::grid(40, 3, 0.05, 2)),
        ("a grid of ties", generate::grid(12, 17, 0.0, 1)),
        ("a broken grid", generate::grid(20, 20, 0.35, 2)),
        ("many paths", generate::diamonds(60)),
    ];
    let grid = |rows, cols, missing| generate::grid(rows, cols, missing, 2).unwrap();
    let components = generate::erdos_renyi(200, 170, 3).unwrap();
    let whole = [
        ("lengths of a small world", one_way(&world), 5),
        ("lengths of a hub", hub(300), 3),
        ("lengths of arcs", one_way(&grid(20, 20, 0.1)), 9),
        ("lengths of 1", grid(15, 9, 0.0), 1),
        ("hardly any tie", grid(60, 3, 0.05), 30_000),
        ("lengths of components", components, 4),
        ("lengths of roads", roads(6), 5),
        (
            "lengths of chains",
            subdivided(9, &kinds, &kinds_lengths),
            5,
        ),
    ];
    let hops = |graph: &Graph| Case::plain(Weighted::with_lengths(graph, |_| 1), Text::Hops);
    let generated = generated.map(|(name, graph)| (name, graph.unwrap()));
    let all = built.into_iter().chain(generated);
    let mut all: Vec<_> = all.map(|(name, graph)| (name, hops(&graph))).collect();
    all.extend(whole.into_iter().map(|(name, graph, longest)| {
        let length = |i: u32| 1 + (i.wrapping_mul(2_654_435_769) >> 16) % longest;
        (
            name,
            Case::plain(Weighted::with_lengths(&graph, length), Text::Whole),
        )
    }));
    // Each round settles one vertex. Distances are near the end of each type's range.
    let path = generate::path(1500).unwrap();
    let narrow = Weighted::with_lengths(&path, |i| (1 + i % 3) * 900_000 + i % 2);
    let wide = Weighted::with_lengths(&path, |i| (1 + i % 3) * 150_000).beside(EXTRA_LENGTH);
    let wheel = subdivided(80, &wheel, &lengths);
    let high = generate::barabasi_albert(1100, 4, 9).unwrap();
    let long_chains = subdivided(2, &loops, &[50, 300, 41]);
    for (name, case, roots) in [
        ("a long path", hops(&generate::path(3000).unwrap()), 2),
        ("a path of long edges", Case::plain(narrow, Text::Whole), 2),
        ("edges of 64 bits", Case::plain(wide, Text::Tiny), 2),
        (
            "too many paths",
            hops(&generate::diamonds(1100).unwrap()),
            2,
        ),
        ("long chains", hops(&long_chains), 60),
        ("a wheel of chains", hops(&wheel), 200),
        // There are frontiers of more than 512 vertices.
        ("wide frontiers", hops(&high), 60),
        ("arcs of wide frontiers", hops(&one_way(&high)), 60),
    ] {
        let roots = Some(0..roots);
        all.push((name, Case { roots, ..case }));
    }
    // Searches stop at the radius, long before they reach all vertices.
    let radii = Case {
        measures: vec![Measure::Betweenness, Measure::Closeness],
        radii: vec![4, 8],
        ..hops(&grid(50, 60, 0.1))
    };
    all.extend([("small radii", radii), ("an absent arc", absent_arc())]);
    all
}

/// Returns a graph with two overlay arcs that are together 2^31 long, like an arc of a hierarchy that
/// does not exist in one direction.
fn absent_arc() -> Case {
    let long = (1 << 29) - 1;
    let long = [(1, 2, long), (2, 3, long), (2, 4, long)];
    let near = [(0, 5), (3, 6), (3, 8), (4, 0), (5, 4), (5, 9)].map(|(v, w)| (v, w, 1));
    let others = [
        0, 1, 0, 8, 3, 1, 4, 7, 4, 8, 6, 7, 7, 8, 9, 10, 9, 14, 10, 12, 11, 10, 13, 12, 13, 14, 15,
        12, 15, 14,
    ];
    let others: Vec<_> = others.chunks(2).map(|arc| (arc[0], arc[1], 2)).collect();
    let weighted = Weighted {
        vertices: 16,
        edges: [&long[..], &near, &others].concat(),
        directed: true,
    };
    Case::plain(weighted, Text::Whole)
}

/// Returns the case with choices of this number: scores of edges, ends of paths, the order and
/// reductions.
fn varied(case: &Case, number: usize) -> Case {
    let reductions = "none auto fold fold,chains blocks blocks,chains twins blocks,reverse,twins";
    let reduce = reductions.split(' ').nth(number / 4 % 8).unwrap();
    let mut case = case.clone();
    if case.radii.is_empty() {
        // Devices count the ends of directed paths for each source of a root.
        case.endpoints = case.weighted.directed || number.is_multiple_of(2);
        case.reduce = reduce.parse().unwrap();
        case.order = [Order::Bfs, Order::None][number / 32 % 2];
    }
    case.edges = (number / 2).is_multiple_of(2);
    case
}

/// Returns scores of vertices and edges by engine `plain`.
fn by_plain(case: &Case, endpoints: bool) -> Expected {
    let mut case = case.clone();
    (case.endpoints, case.edges) = (endpoints, true);
    let search = case.search(on_cores(CpuEngine::Plain, 0));
    let (columns, edges) = search.run(&case.graph()).unwrap().into_columns();
    let values = |columns: Vec<Column>| columns.into_iter().map(|one| one.values).collect();
    Expected {
        columns: values(columns),
        edges: values(edges.unwrap()),
    }
}

/// A search of a shape: its name, the engines and the varied case.
type Variant = (String, SearchOptions, Case);

/// Compares searches with engine `plain` on all shapes.
fn check_shapes(variants: impl Fn(usize, &Case) -> Vec<Variant>) {
    for (i, (shape, case)) in shapes().iter().enumerate() {
        let graph = case.graph();
        let expected = [false, case.radii.is_empty()].map(|ends| by_plain(case, ends));
        for (name, engines, case) in variants(i, case) {
            let what = format!("{shape}, {name}, {}", case.reduce);
            let scores = match case.search(engines.clone()).run(&graph) {
                Ok(scores) => scores,
                Err(Error::Settings(text)) if text.contains("2^31") => {
                    println!("{what}: {text}");
                    continue;
                }
                Err(error) => panic!("{what}: {error}"),
            };
            let expected = &expected[usize::from(case.endpoints)];
            check(&scores, expected, case.precision, &what);
            let workers = &scores.record().outcome.workers;
            assert!(
                workers.is_empty() || engines.devices == DeviceSelection::None,
                "{what}"
            );
            let CpuOptions { engine, lanes, .. } = engines.cpu.options;
            let engine = engine.named().filter(|_| case.text == Text::Hops);
            for worker in workers.iter().filter(|worker| worker.roots > 0) {
                let plan = &worker.plan;
                assert!(engine.is_none_or(|engine| engine == plan.engine), "{what}");
                assert!(lanes.is_none_or(|lanes| lanes == plan.lanes), "{what}");
            }
        }
    }
}

#[test]
fn engines_give_the_scores_of_plain_on_special_shapes() {
    check_shapes(|i, case| {
        let simds = Simd::available().len();
        let has_lengths = case.text != Text::Hops;
        let engines = ENGINES.iter();
        let engines = engines.filter(|one| !has_lengths || covers(one.1, Feature::Lengths));
        let variants = engines.flat_map(|&(name, engine)| {
            let (count, step) = match engine {
                CpuEngine::Lanes => (LANES.len() * simds, 1),
                CpuEngine::Clustered => (2 * simds, LANES.len()),
                CpuEngine::Hierarchy => (8, 1),
                CpuEngine::Auto | CpuEngine::Plain => (4, 1),
            };
            (0..count).map(move |j| {
                let case = fitted(varied(case, i + 5 * j), engine);
                (format!("{name} {j}"), on_cores(engine, j * step), case)
            })
        });
        variants.collect()
    });
}

#[test]
fn strategies_give_the_scores_of_plain_on_special_shapes() {
    check_shapes(|i, case| {
        let needed = [
            (Feature::Directed, case.weighted.directed),
            (Feature::Lengths, case.text != Text::Hops),
        ];
        let needed = Feature::needed(&case.query(), needed);
        let able = Strategy::all()
            .enumerate()
            .filter(|(_, one)| one.covers(&needed));
        let variants = able.map(|(j, strategy)| {
            let mut case = varied(case, (7 * i + 5 * j) % 64);
            case.fit(|feature| strategy.covers(&[feature]));
            let size = (i + j) % 4;
            let precisions = [
                Precision::F64,
                Precision::F64,
                Precision::Mixed,
                Precision::F32,
            ];
            case.precision = precisions[size];
            let name = format!("{strategy:?} {size}");
            (name, on_device(strategy, size), case)
        });
        // Cores would search in place of the devices.
        let is_possible = case.weighted.vertices != TOO_MANY_PATHS;
        variants.filter(|_| is_possible).collect()
    });
}
