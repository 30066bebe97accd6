//! Compares every engine on cores and every strategy on an OpenCL device with the definition of
//! every measure, on random graphs of many families with random options: directed or not, lengths,
//! edges, ends of paths, chosen sources, queries, precisions, reductions, and numbers of engines.
//! Graphs of special shapes are too large for the definition, and are compared with engine `plain`.
//! `BRANDES_TEST_CASES` sets the number of random cases. Refused searches are printed. A new
//! shape is a line of [`shapes::all`].
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

use super::shapes;
use crate::common::queries::{Case, Expected, Text, cases, check_columns, reducible_cases};
use crate::common::{self, assert_sound, case_count};
use brandes::cpu::lanes::{LANES, Simd};
use brandes::cpu::{CpuEngine, CpuOptions};
use brandes::plan::SearchOptions;
use brandes::runner::CpuRequest;
use brandes::strategy::{ALL, Feature, NumericOption};
use brandes::{
    Column, CpuWorkers, DeviceSelection, Error, Order, Precision, Reductions, Scores, Strategy,
    When,
};
use proptest::prelude::{ProptestConfig, any};
use proptest::sample::select;
use proptest::test_runner::TestRunner;

/// Returns a configuration with `few` cases, or the number in the environment.
fn config(few: u32) -> ProptestConfig {
    ProptestConfig {
        max_shrink_iters: 20_000,
        // Milliseconds: searches on devices are slow.
        max_shrink_time: 60_000,
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

/// Values of all numeric options, 0 for none. With D of 1 every arc is a piece; 16 splits some
/// vertices into pieces that kernels of `lanes` add up in several parts; 256 splits none. There are
/// one and several tiles of lanes, and work-groups of an odd size.
const NUMBERS: [[u32; 5]; 4] = [
    [0; 5],
    [1, 32, 1, 4, 32],
    [16, 96, 3, 32, 64],
    [256, 128, 64, 0, 7],
];

/// Returns searches on the first device. `size` chooses its numbers; 0 leaves them to the strategy.
fn on_device(strategy: Strategy, size: usize) -> SearchOptions {
    let mut options = common::on_device(strategy);
    for (option, value) in NumericOption::ALL.into_iter().zip(NUMBERS[size]) {
        // Sources inside chains need work-groups of a multiple of 4.
        let serves = [Strategy::Hierarchy, Strategy::Auto].contains(&strategy);
        let needs_four = serves && option == NumericOption::WorkGroup;
        if value > 0 && strategy.has(option) && !(needs_four && value % 4 > 0) {
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
        .run(&cases, |mut case| {
            // To build fewer programs, sizes 2 and 3 have scores of edges only with a query.
            let size = match case.precision {
                Precision::F64 => usize::from(case.edges),
                Precision::Mixed => 2,
                Precision::F32 => 3,
            };
            case.edges &= size < 2 || !case.query().is_plain();
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
    for (i, (shape, all)) in shapes::all().iter().enumerate() {
        let graph = all.graph();
        let expected = [false, all.radii.is_empty()].map(|ends| by_plain(all, ends));
        for (name, engines, case) in variants(i, all) {
            let what = format!("{shape}, {name}, {}", case.reduce);
            let scores = match case.search(engines.clone()).run(&graph) {
                Ok(scores) => scores,
                Err(Error::Settings(text)) if text.contains("2^31") => {
                    println!("{what}: {text}");
                    continue;
                }
                Err(error) => panic!("{what}: {error}"),
            };
            let few;
            let expected = if case.roots == all.roots {
                &expected[usize::from(case.endpoints)]
            } else {
                let mut plain = all.clone();
                plain.roots = case.roots.clone();
                few = by_plain(&plain, case.endpoints);
                &few
            };
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
        let able = ALL.iter().copied().enumerate();
        let able = able.filter(|(_, one)| one.covers(&needed));
        let variants = able.map(|(j, strategy)| {
            let mut case = varied(case, (7 * i + 5 * j) % 64);
            let size = (i + j) % 4;
            // Scores of edges with every size would need twice as many programs.
            case.edges = [1, 2].contains(&size);
            // These strategies process all arcs at each level of a search, which takes long.
            let is_slow = [Strategy::Edge, Strategy::EdgeDevice].contains(&strategy);
            if is_slow && case.radii.is_empty() && case.weighted.vertices > 50 {
                case.roots.get_or_insert(0..50);
            }
            case.fit(|feature| strategy.covers(&[feature]));
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
        let is_possible = case.weighted.vertices != shapes::TOO_MANY_PATHS;
        variants.filter(|_| is_possible).collect()
    });
}
