//! Compares every engine on cores and every strategy on an OpenCL device with the definition of
//! every measure, on random graphs of many families with random options: directed or not, lengths,
//! edges, ends of paths, chosen sources, queries, precisions, reductions, and numbers of engines.
//! `BRANDES_TEST_CASES` sets the number of cases. Tests print what an engine or strategy refuses.
#![expect(clippy::print_stdout, reason = "people see what is not compared")]

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::common::queries::{Case, Expected, Text, cases, check_columns};
use crate::common::{any_device, case_count};
use brandes::cpu::lanes::{LANES, Simd};
use brandes::cpu::{CpuEngine, CpuOptions};
use brandes::device::{DeviceOptions, Numbers};
use brandes::plan::SearchOptions;
use brandes::runner::CpuRequest;
use brandes::strategy::{Feature, NumericOption};
use brandes::{CpuWorkers, DeviceSelection, Error, Precision, Reductions, Scores, Strategy};
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

/// Numbers of devices. D is 1 (each arc is a piece), splits some vertices, or none. There are one
/// and several tiles of lanes, and work-groups of an odd size.
const NUMBERS: [Numbers; 3] = [
    numbers([1, 32, 1, 4, 32]),
    numbers([4, 96, 3, 32, 64]),
    numbers([256, 128, 64, 0, 7]),
];

const fn numbers([degree, lanes, searches, warp_size, work_group]: [u32; 5]) -> Numbers {
    Numbers {
        degree: Some(degree),
        lanes: Some(lanes),
        searches: Some(searches),
        warp_size: if warp_size > 0 { Some(warp_size) } else { None },
        work_group: Some(work_group),
    }
}

/// Returns searches on the first device. `size` chooses its numbers; 0 leaves them to the strategy.
fn on_device(strategy: Strategy, size: usize) -> SearchOptions {
    let given = match size {
        0 => Numbers::default(),
        _ => NUMBERS[size - 1],
    };
    let has = |option| strategy.has(option);
    SearchOptions {
        devices: any_device(),
        strategy,
        device: DeviceOptions {
            cache: true,
            numbers: Numbers {
                degree: given.degree.filter(|_| has(NumericOption::Degree)),
                lanes: given.lanes.filter(|_| has(NumericOption::Lanes)),
                searches: given.searches.filter(|_| has(NumericOption::Searches)),
                warp_size: given.warp_size.filter(|_| has(NumericOption::WarpSize)),
                // Sources inside chains need work-groups of a multiple of 4.
                work_group: given
                    .work_group
                    .filter(|group| strategy != Strategy::Hierarchy || group.is_multiple_of(4)),
            },
            // Some frontiers are searched by arcs, others by vertices.
            wide: (strategy == Strategy::Hybrid).then_some(3),
            ..DeviceOptions::default()
        },
        cpu: CpuRequest {
            workers: CpuWorkers::Count(0),
            ..CpuRequest::default()
        },
        ..SearchOptions::default()
    }
}

/// Searches a case, and compares all columns. If the search is refused, repeats it with default choices. Returns the message of any other refusal.
fn compare(engines: &SearchOptions, case: &Case, what: &str) -> Result<(), String> {
    let graph = case.graph();
    let scores = match case.search(engines.clone()).run(&graph) {
        Ok(scores) => scores,
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
    };
    check(&scores, &case.expected(&graph), case.precision, what);
    Ok(())
}

/// Compares all columns of scores with the expected ones, and checks that no device failed.
fn check(scores: &Scores, expected: &Expected, precision: Precision, what: &str) {
    let outcome = &scores.record().outcome;
    // If a device failed, cores would search, and the test would not notice.
    for driver in &outcome.drivers {
        assert!(driver.error.is_none(), "{what}: {:?}", driver.error);
    }
    check_columns(what, scores.columns(), &expected.columns, precision);
    let first = scores.columns().first().map(|column| &column.values[..]);
    assert_eq!(first, Some(scores.vertices()), "{what}");
    let edges = scores.edge_columns().unwrap_or_default();
    let what = format!("{what}, edges");
    check_columns(&what, edges, &expected.edges, precision);
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

#[test]
fn engines_on_cores_give_every_measure_of_the_definition() {
    for (name, engine) in ENGINES {
        let refused = RefCell::new(BTreeMap::new());
        TestRunner::new(config(150))
            .run(&(cases(&Text::ALL), any::<u8>()), |(case, size)| {
                let engines = on_cores(engine, size.into());
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

/// Compares a strategy with the definition in cases that it covers.
fn check_strategy(strategy: Strategy, texts: &[Text], few: u32) {
    let refused = RefCell::new(BTreeMap::new());
    TestRunner::new(config(few))
        .run(&(cases(texts), any::<bool>()), |(case, own)| {
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
        check_strategy(strategy, &[Text::Hops], 20);
    }
}

#[test]
fn strategies_give_every_measure_of_graphs_with_lengths() {
    for strategy in Strategy::all().filter(|one| one.covers(&[Feature::Lengths])) {
        check_strategy(strategy, &Text::ALL[1..], 20);
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
