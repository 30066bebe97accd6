//! Tests CPU workers and devices that share one counter of roots, and devices that fail.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::common::failing::{Failure, failing};
use crate::common::{Setup, difference};
use brandes::device::DeviceError;
use brandes::engine::Precision;
use brandes::graph::{Graph, generate};
use brandes::prepare::{When, prepare};
use brandes::runner::{
    Checkpointing, Committed, CpuWorkers, Devices, DriverState, Outcome, RunOptions, Supplied,
    Supply, SupplyRequest, run,
};
use brandes::{CancelToken, Error};

fn graph() -> Graph {
    generate::rmat(10, 8, 0.57, 0.19, 0.19, 11).unwrap()
}

/// Returns the number of roots that workers and devices searched.
fn roots(outcome: &Outcome) -> usize {
    let cpu: usize = outcome.workers.iter().map(|worker| worker.roots).sum();
    let devices: usize = outcome.drivers.iter().map(|driver| driver.roots).sum();
    cpu + devices
}

/// Supplies the first half of the roots, then blocks until the run ends.
struct FirstHalf {
    half: usize,
    is_supplied: AtomicBool,
}

impl Supply for FirstHalf {
    fn next(&self, _: &SupplyRequest, ends: &dyn Fn() -> bool) -> Option<Supplied> {
        if !self.is_supplied.swap(true, Ordering::Relaxed) {
            return Some(Supplied {
                roots: 0..self.half,
                to_follow: self.half,
            });
        }
        while !ends() {
            thread::sleep(Duration::from_millis(1));
        }
        None
    }

    fn done(&self, own: usize) -> usize {
        own
    }
}

/// The sums of a device and of a worker are added. So that both search some roots, the device
/// searches alone until it commits, then the worker resumes from its checkpoint.
#[test]
fn workers_and_a_device_that_share_the_work_have_the_scores_of_a_worker_alone() {
    let graph = generate::rmat(12, 4, 0.57, 0.19, 0.19, 11).unwrap();
    let (expected, alone) = Setup::cpu(1).outcome(&graph);
    let setup = Setup::device(8, Precision::F64, 0);
    let prepared = Arc::new(prepare(&graph, &setup.prepare).unwrap());
    let all = prepared.roots.len();
    let (cancel, mut by_device) = (CancelToken::default(), Committed::default());
    let options = RunOptions {
        cancel: cancel.clone(),
        checkpoints: Some(Checkpointing {
            before: Committed::default(),
            every: Duration::ZERO,
            least: Duration::ZERO,
            write: &mut |committed| {
                by_device = committed.clone();
                cancel.cancel();
            },
        }),
        supply: Some(Arc::new(FirstHalf {
            half: all / 2,
            is_supplied: AtomicBool::new(false),
        })),
        batches: None,
    };
    let devices = Devices::start(setup.request.clone());
    let none = CpuWorkers::Count(0);
    let result = run(&prepared, &devices, none, options, &mut |_| {});
    assert!(matches!(result, Err(Error::Cancelled)));
    devices.join();
    let searched: usize = by_device.roots.iter().map(Range::len).sum();
    assert!((1..=all / 2).contains(&searched), "{searched}");

    let options = RunOptions {
        checkpoints: Some(Checkpointing {
            before: by_device,
            every: Duration::MAX,
            least: Duration::ZERO,
            write: &mut |_| {},
        }),
        ..RunOptions::default()
    };
    let devices = Devices::start(Setup::cpu(1).request);
    let one = CpuWorkers::Count(1);
    let outcome = run(&prepared, &devices, one, options, &mut |_| {}).unwrap();
    assert_eq!(searched + roots(&outcome), roots(&alone));
    let scores = prepared.scores(&outcome.sums.vertices, setup.scale);
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
fn scores_are_correct_if_a_device_fails_at_any_step() {
    let graph = graph();
    let (expected, alone) = Setup::cpu(1).outcome(&graph);
    let steps = [
        Failure::Upload,
        Failure::Search(1),
        Failure::Search(2),
        Failure::Search(3),
        Failure::Collect,
        Failure::Panic,
    ];
    for step in steps {
        // The run has no CPU workers, so it starts some after the failure.
        let mut setup = Setup::device(8, Precision::F64, 0);
        setup.may_fail = true;
        setup.request.strategy = failing(setup.request.strategy, step);
        let (scores, outcome) = setup.outcome(&graph);
        let difference = difference(&scores, &expected, 1e-3);
        assert!(difference < 1e-9, "{step:?}: {difference:e}");
        assert_eq!(roots(&outcome), roots(&alone), "{step:?}");
        let driver = &outcome.drivers[0];
        assert_eq!(driver.state, DriverState::Failed, "{step:?}");
        assert!(driver.error.is_some());
        assert_eq!(driver.returned > 0, step != Failure::Upload, "{step:?}");
    }
}

#[test]
fn a_device_that_does_not_answer_is_left_out() {
    let graph = graph();
    let (expected, alone) = Setup::cpu(1).outcome(&graph);
    // This run builds the kernels, so that below only the search exceeds the time-out.
    Setup::device(8, Precision::F64, 0).outcome(&graph);
    for workers in [0, 1] {
        let mut setup = Setup::device(8, Precision::F64, workers);
        setup.may_fail = true;
        setup.request.strategy = failing(setup.request.strategy, Failure::Hang);
        setup.request.options.timeout = Some(3);
        let (scores, outcome) = setup.outcome(&graph);
        assert!(difference(&scores, &expected, 1e-3) < 1e-9);
        assert_eq!(roots(&outcome), roots(&alone));
        let driver = &outcome.drivers[0];
        // A worker may have finished before the device was ready.
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
        setup.request.options.numbers.degree = None;
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
