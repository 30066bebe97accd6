//! Compares every engine on cores and every strategy on an OpenCL device with the definition of
//! every measure, on random graphs with random queries. `BRANDES_TEST_CASES` sets their number.

use crate::common::queries::{Case, Expected, Text, cases, check_columns};
use crate::common::{any_device, case_count};
use brandes::strategy::Feature;
use brandes::{
    Betweenness, CpuEngine, CpuWorkers, DeviceSelection, Error, Precision, Reductions, Scores,
    Strategy,
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

fn on_cores(engine: CpuEngine, workers: usize) -> Betweenness {
    let search = Betweenness::new().devices(DeviceSelection::None);
    search
        .cpu_workers(CpuWorkers::Count(workers))
        .cpu_engine(engine)
}

fn on_device(strategy: Strategy) -> Betweenness {
    let search = Betweenness::new().devices(any_device());
    search.cpu_workers(CpuWorkers::Count(0)).strategy(strategy)
}

/// Searches a case with these settings, and compares all columns. If its reductions or precision are
/// refused, searches it without them. Returns the message of any other refusal.
fn compare(search: Betweenness, case: &Case, what: &str) -> Result<(), String> {
    let graph = case.graph();
    let with_case = search
        .clone()
        .query(case.query())
        .edges(case.edges)
        .normalized(case.normalized)
        .reduce(case.reduce)
        .precision(case.precision);
    let scores = match with_case.run(&graph) {
        Ok(scores) => scores,
        Err(Error::Settings(message)) => {
            let chosen = (case.reduce, case.precision);
            return match chosen == (Reductions::default(), Precision::F64) {
                true => Err(message),
                false => compare(search, &case.by_default(), what),
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
    others: impl Iterator<Item = (&'a str, Betweenness)>,
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
        let refused = compare(search, case, name);
        assert!(refused.is_ok(), "{message}, but {name}: {refused:?}");
    }
}

#[test]
fn engines_on_cores_give_every_measure_of_the_definition() {
    let choices = (cases(), select(ENGINES.to_vec()), any::<bool>());
    TestRunner::new(config(600))
        .run(&choices, |(case, (name, engine), two)| {
            let workers = 1 + usize::from(two);
            if let Err(message) = compare(on_cores(engine, workers), &case, name) {
                let others = ENGINES
                    .iter()
                    .map(|&(name, other)| (name, on_cores(other, 1)));
                check_hint(&message, others, &case);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn strategies_give_every_measure_of_the_definition() {
    let strategies: Vec<Strategy> = Strategy::all().collect();
    TestRunner::new(config(60))
        .run(&(cases(), select(strategies)), |(case, strategy)| {
            // If the strategy does not support directed graphs, cores search this one.
            if case.graph().directed() && !strategy.covers(&[Feature::Directed]) {
                return Ok(());
            }
            if let Err(message) = compare(on_device(strategy), &case, strategy.name()) {
                let others = Strategy::all().map(|other| (other.name(), on_device(other)));
                let cores = ("none", on_cores(CpuEngine::Auto, 1));
                check_hint(&message, others.chain([cores]), &case);
            }
            Ok(())
        })
        .unwrap();
}
