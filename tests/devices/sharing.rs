//! Tests CPU workers and devices that share one counter of roots, and devices that fail.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::common::failing::{Failure, failing};
use crate::common::subdivided::roads;
use crate::common::{Setup, assert_sound, difference, on_device, searched};
use brandes::device::{DeviceError, DeviceOptions};
use brandes::engine::Precision;
use brandes::graph::{Graph, generate};
use brandes::plan::SearchOptions;
use brandes::prepare::prepare;
use brandes::runner::{
    Checkpointing, Committed, CpuRequest, CpuWorkers, Devices, DriverState, Outcome, RunOptions,
    Supplied, Supply, SupplyRequest, run,
};
use brandes::{
    Betweenness, CancelToken, DeviceSelection, Error, Reductions, Scores, Strategy, When,
};

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
    let cpu = |workers| CpuRequest {
        workers: CpuWorkers::Count(workers),
        ..CpuRequest::default()
    };
    let result = run(&prepared, &devices, cpu(0), options, &mut |_| {});
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
    let outcome = run(&prepared, &devices, cpu(1), options, &mut |_| {}).unwrap();
    assert_eq!(searched + roots(&outcome), roots(&alone));
    let scores = prepared.scores(&outcome.sums.vertices, setup.scale);
    assert!(difference(&scores, &expected, 1e-3) < 1e-9);
}

/// Returns a search by this strategy on the first device and this many workers, with scores of
/// edges.
fn device(strategy: Strategy, workers: usize) -> SearchOptions {
    let mut options = on_device(strategy);
    options.cpu.workers = CpuWorkers::Count(workers);
    options.prepare.edges = true;
    options.prepare.reduce = Reductions::folding(true);
    options
}

fn cores(workers: usize) -> SearchOptions {
    SearchOptions {
        devices: DeviceSelection::None,
        device: DeviceOptions::default(),
        ..device(Strategy::Auto, workers)
    }
}

/// Returns the record of a search that has the scores and the number of roots of another one.
fn check(graph: &Graph, options: &SearchOptions, expected: &Scores, what: &str) -> Scores {
    let scores = Betweenness::from(options.clone()).run(graph).unwrap();
    let vertices = difference(scores.vertices(), expected.vertices(), 1e-3);
    let edges = difference(scores.edges().unwrap(), expected.edges().unwrap(), 1e-3);
    assert!(
        vertices.max(edges) < 1e-9,
        "{what}: {vertices:e}, of edges {edges:e}"
    );
    let [found, all] = [&scores, expected].map(|scores| roots(&scores.record().outcome));
    assert_eq!(found, all, "{what}");
    scores
}

#[test]
fn the_scores_are_the_same_ten_times() {
    let graph = generate::rmat(9, 8, 0.57, 0.19, 0.19, 11).unwrap();
    let expected = searched(&graph, &cores(1));
    let virtual_ = Strategy::Virtual;
    let searches = [
        cores(3),
        device(virtual_, 0),
        device(virtual_, 2),
        device(Strategy::Local, 1),
    ];
    for round in 0..10 {
        for options in &searches {
            let what = format!("round {round}, {:?}", options.strategy);
            assert_sound(&check(&graph, options, &expected, &what), &what);
        }
    }
}

#[test]
fn scores_are_correct_if_a_device_fails_at_any_step() {
    let graph = graph();
    let expected = searched(&graph, &cores(1));
    use Failure::{Collect, Panic, Search, Upload};
    let few = [Search(1), Collect, Panic];
    for (strategy, steps) in [
        (
            Strategy::Virtual,
            &[Upload, Search(1), Search(2), Search(3), Collect, Panic][..],
        ),
        (Strategy::Lanes, &few),
        (Strategy::Warp, &few),
    ] {
        for &step in steps {
            // The run has no CPU workers, so it starts some after the failure.
            let mut options = device(failing(strategy, step), 0);
            // There are several batches.
            if strategy == Strategy::Lanes {
                options.device.numbers.lanes = Some(32);
            }
            let what = format!("{strategy:?}, {step:?}");
            let scores = check(&graph, &options, &expected, &what);
            let driver = &scores.record().outcome.drivers[0];
            assert_eq!(driver.state, DriverState::Failed, "{what}");
            assert!(driver.error.is_some());
            assert_eq!(driver.returned > 0, step != Upload, "{what}");
        }
    }
}

#[test]
fn a_device_that_does_not_answer_is_left_out() {
    let graph = graph();
    let expected = searched(&graph, &cores(1));
    // This run builds the kernels, so that below only the search exceeds the time-out.
    searched(&graph, &device(Strategy::Virtual, 0));
    for workers in [0, 1] {
        let mut options = device(failing(Strategy::Virtual, Failure::Hang), workers);
        options.device.timeout = Some(3);
        let scores = check(&graph, &options, &expected, "no answer");
        let driver = &scores.record().outcome.drivers[0];
        // A worker may have finished before the device was ready.
        if workers == 0 {
            assert!(matches!(driver.error, Some(DeviceError::NoAnswer { .. })));
            assert!(driver.state == DriverState::Failed && driver.returned > 0);
        }
    }
}

#[test]
fn devices_can_be_compared_with_a_core() {
    for (name, graph) in [
        ("virtual", graph()),
        ("lanes", graph()),
        ("warp", graph()),
        ("hierarchy", roads(14)),
    ] {
        let mut options = device(name.parse().unwrap(), 0);
        options.device.verify = 3;
        let expected = searched(&graph, &cores(1));
        if name == "hierarchy" {
            options.prepare.reduce.chains = When::Always;
        }
        let scores = searched(&graph, &options);
        assert!(
            difference(scores.vertices(), expected.vertices(), 1e-3) < 1e-9,
            "{name}"
        );
        let record = scores.record();
        assert_eq!(record.outcome.drivers[0].state, DriverState::Worked);
        assert_eq!(record.prepared.chains.is_some(), name == "hierarchy");
    }
}
