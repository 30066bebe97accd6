//! CPU workers and devices on one counter; devices that fail.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use brandes::device::{DeviceError, Faults, Step};
use brandes::engine::Precision;
use brandes::graph::{Graph, generate};
use brandes::prepare::{When, prepare};
use brandes::runner::{
    CpuWorkers, Devices, DriverState, Outcome, SoFar, Stock, Supplied, Supply, Terms, run_until,
};
use common::{Setup, difference};

fn graph() -> Graph {
    generate::rmat(10, 8, 0.57, 0.19, 0.19, 11).unwrap()
}

fn roots(outcome: &Outcome) -> usize {
    let cpu: usize = outcome.workers.iter().map(|worker| worker.roots).sum();
    let devices: usize = outcome.drivers.iter().map(|driver| driver.roots).sum();
    cpu + devices
}

/// Hands out some roots at a time, until every device has searched some of them.
struct UntilShared {
    roots: usize,
    given: Mutex<usize>,
    /// Whether a device has had no result yet.
    silent: AtomicBool,
}

/// Roots handed out at a time.
const PIECE: usize = 16;

impl Supply for UntilShared {
    fn next(&self, _: &Stock, ends: &dyn Fn() -> bool) -> Option<Supplied> {
        if ends() {
            return None;
        }
        let mut given = self.given.lock().unwrap();
        let start = *given;
        *given = self.roots;
        if self.silent.load(Ordering::Relaxed) {
            // Time for the device to ask.
            thread::sleep(Duration::from_millis(20));
            *given = self.roots.min(start + PIECE);
        }
        let more = self.roots - *given;
        (start < *given).then_some(Supplied {
            roots: start..*given,
            more,
        })
    }

    fn done(&self, own: usize) -> usize {
        own
    }
}

#[test]
fn workers_and_a_device_that_share_the_work_have_the_scores_of_a_worker_alone() {
    let graph = generate::rmat(14, 4, 0.57, 0.19, 0.19, 11).unwrap();
    let (expected, alone) = Setup::cpu(1).outcome(&graph);
    let setup = Setup::device(8, Precision::F64, 1);
    let devices = Devices::start(setup.request.clone());
    // So that only the graph has to be uploaded when the first roots are handed out.
    devices.wait_until_ready();
    let prepared = Arc::new(prepare(&graph, &setup.prepare).unwrap());
    let supply = Arc::new(UntilShared {
        roots: prepared.roots.len(),
        given: Mutex::new(0),
        silent: AtomicBool::new(true),
    });
    let terms = Terms {
        supply: Some(Arc::clone(&supply) as Arc<dyn Supply>),
        ..Terms::default()
    };
    let mut progress = |so_far: SoFar| supply.silent.store(so_far.silent, Ordering::Relaxed);
    let workers = CpuWorkers::Count(1);
    let outcome = run_until(&prepared, &devices, workers, terms, &mut progress).unwrap();
    devices.join();
    let by_device = outcome.drivers[0].roots;
    assert!(by_device > 0, "the device has searched nothing");
    assert!(
        outcome.workers[0].roots > 0,
        "the worker has searched nothing"
    );
    assert_eq!(roots(&outcome), roots(&alone));
    let scores = prepared.scores(&outcome.sums, setup.scale);
    assert!(difference(&scores, &expected, 1e-3) < 1e-9);
}

#[test]
fn the_scores_are_the_same_twenty_times() {
    let graph = generate::rmat(9, 8, 0.57, 0.19, 0.19, 11).unwrap();
    let (expected, alone) = Setup::cpu(1).outcome(&graph);
    for round in 0..20 {
        for setup in [
            Setup::cpu(3),
            Setup::device(8, Precision::F64, 0),
            Setup::device(8, Precision::F64, 2),
        ] {
            let (scores, outcome) = setup.outcome(&graph);
            let difference = difference(&scores, &expected, 1e-3);
            assert!(difference < 1e-9, "round {round}: {difference:e}");
            assert_eq!(roots(&outcome), roots(&alone));
        }
    }
}

#[test]
fn a_device_that_fails_at_any_step_costs_nothing_but_time() {
    let graph = graph();
    let (expected, alone) = Setup::cpu(1).outcome(&graph);
    let steps = [
        Step::Platform,
        Step::Context,
        Step::Build,
        Step::WarmUp,
        Step::Allocate,
        Step::Search(1),
        Step::Search(2),
        Step::Search(3),
        Step::Collect,
        Step::Panic,
    ];
    for step in steps {
        // Without CPU workers of its own, the run has to hire some to finish; a run that may use
        // devices only and finds no platform is refused, so that step has one worker.
        let workers = usize::from(step == Step::Platform);
        let mut setup = Setup::device(8, Precision::F64, workers);
        setup.request.options.faults = Faults(Some(step));
        let (scores, outcome) = setup.outcome(&graph);
        let difference = difference(&scores, &expected, 1e-3);
        assert!(difference < 1e-9, "{step}: {difference:e}");
        assert_eq!(roots(&outcome), roots(&alone), "{step}");
        match outcome.drivers.first() {
            None => assert!(outcome.no_device.is_some() && step == Step::Platform),
            Some(driver) => {
                assert_eq!(driver.state, DriverState::Failed, "{step}");
                assert!(driver.error.is_some());
                let searched = matches!(step, Step::Search(_) | Step::Collect | Step::Panic);
                assert_eq!(driver.returned > 0, searched, "{step}");
            }
        }
    }
}

#[test]
fn a_device_that_does_not_answer_is_left_out() {
    let graph = graph();
    let (expected, alone) = Setup::cpu(1).outcome(&graph);
    // Kernels are built without a limit first: then only the search takes longer than allowed.
    Setup::device(8, Precision::F64, 0).outcome(&graph);
    for workers in [0, 1] {
        let mut setup = Setup::device(8, Precision::F64, workers);
        setup.request.options.faults = Faults(Some(Step::Hang));
        setup.request.options.timeout = Some(3);
        let (scores, outcome) = setup.outcome(&graph);
        assert!(difference(&scores, &expected, 1e-3) < 1e-9);
        assert_eq!(roots(&outcome), roots(&alone));
        let driver = &outcome.drivers[0];
        // Workers may have been done before it was ready.
        if workers == 0 {
            assert!(matches!(driver.error, Some(DeviceError::NoAnswer { .. })));
            assert!(driver.state == DriverState::Failed && driver.returned > 0);
        }
    }
}

#[test]
fn devices_can_be_compared_with_a_core() {
    let graph = graph();
    let (expected, _) = Setup::cpu(1).outcome(&graph);
    for strategy in ["virtual", "lanes", "warp", "hierarchy"] {
        let mut setup = Setup::device(8, Precision::F64, 0);
        setup.request.options.degree = None;
        setup.request.options.verify = 3;
        setup.request.strategy = strategy.parse().unwrap();
        if strategy == "hierarchy" {
            setup.prepare.reduce.chains = When::Always;
        }
        let (scores, outcome) = setup.outcome(&graph);
        assert!(difference(&scores, &expected, 1e-3) < 1e-9, "{strategy}");
        assert_eq!(outcome.drivers[0].state, DriverState::Worked);
    }
}

#[test]
fn a_run_that_may_use_devices_only_and_has_none_is_refused() {
    use brandes::prepare::{PrepareOptions, prepare};
    use brandes::runner::{CpuWorkers, Devices, RunError, run};

    let mut setup = Setup::device(8, Precision::F64, 0);
    setup.request.options.faults = Faults(Some(Step::Platform));
    let devices = Devices::start(setup.request);
    let prepared = std::sync::Arc::new(prepare(&graph(), &PrepareOptions::default()).unwrap());
    let result = run(&prepared, &devices, CpuWorkers::Count(0), &mut |_| {});
    assert!(matches!(result, Err(RunError::Device(_))));
}
