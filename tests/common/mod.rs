//! Helpers of the tests: small graphs, a slow and simple reference, and runs of the library.

pub mod definition;
pub mod diamonds;
pub mod failing;
pub mod families;
pub mod program;
pub mod queries;
pub mod subdivided;
pub mod table;
pub mod weighted;

use std::fmt::Debug;
use std::sync::Arc;

use brandes::cpu::{CpuEngine, CpuOptions};
use brandes::device::{DeviceOptions, DeviceSelection, Numbers, find};
use brandes::engine::Precision;
use brandes::graph::{EdgeList, Graph, Labels};
use brandes::plan::SearchOptions;
use brandes::prepare::{PrepareOptions, Reductions, Scale, prepare};
use brandes::runner::{
    self, CpuRequest, CpuWorkers, DeviceRequest, Devices, DriverRecord, DriverState, Outcome,
    RunOptions,
};
use brandes::strategy::Strategy;
use brandes::{Betweenness, Scores};
use proptest::prelude::ProptestConfig;

/// Returns a graph from a list of edges, which may contain loops and repetitions.
pub fn graph(n: usize, edges: &[(u32, u32)], directed: bool) -> Graph {
    let mut list = EdgeList::with_capacity(edges.len());
    for &(u, v) in edges {
        list.push(u, v);
    }
    list.build(Labels::consecutive(0, n), directed).unwrap()
}

/// Returns a directed graph with the edges of another one, two thirds of them in one way only.
pub fn one_way(graph: &Graph) -> Graph {
    let mut list = EdgeList::default();
    graph.for_each_edge(|u, v| {
        let way = u.wrapping_mul(31).wrapping_add(v) % 3;
        if way != 1 {
            list.push(u, v);
        }
        if way != 0 {
            list.push(v, u);
        }
    });
    list.build(Labels::consecutive(0, graph.vertices()), true)
        .unwrap()
}

/// Returns a star whose hub is the last vertex. Some of its leaves have more edges.
pub fn hub(leaves: u32) -> Graph {
    let spokes = (0..leaves).map(|v| (v, leaves));
    let extras = (0..leaves - 3).step_by(3).map(|v| (v, v + 3));
    let edges: Vec<(u32, u32)> = spokes.chain(extras).collect();
    graph(leaves as usize + 1, &edges, false)
}

/// Returns options for engine `plain`.
pub fn plain() -> CpuOptions {
    CpuOptions {
        engine: CpuEngine::Plain,
        ..CpuOptions::default()
    }
}

/// Returns a search by this many CPU workers, without devices.
pub fn cores(workers: usize) -> Betweenness {
    Betweenness::new()
        .devices(DeviceSelection::None)
        .cpu_workers(CpuWorkers::Count(workers))
}

/// Returns the options of a search by a strategy on the first OpenCL device alone, which may take
/// long on a busy machine.
pub fn on_device(strategy: Strategy) -> SearchOptions {
    let device = DeviceOptions {
        timeout: Some(600),
        cache: true,
        ..DeviceOptions::default()
    };
    SearchOptions {
        devices: any_device(),
        strategy,
        device,
        cpu: CpuRequest {
            workers: CpuWorkers::Count(0),
            ..CpuRequest::default()
        },
        ..SearchOptions::default()
    }
}

/// Returns the options of a search on cores.
pub fn without_devices() -> SearchOptions {
    SearchOptions {
        devices: DeviceSelection::None,
        ..SearchOptions::default()
    }
}

/// Searches a graph. Panics if a device failed or left roots to cores, which tests would not notice.
pub fn searched(graph: &Graph, options: &SearchOptions) -> Scores {
    let scores = Betweenness::from(options.clone()).run(graph).unwrap();
    assert_sound(&scores, "");
    scores
}

/// Panics if a device failed or left roots to cores.
pub fn assert_sound(scores: &Scores, what: &str) {
    for driver in &scores.record().outcome.drivers {
        assert!(driver.error.is_none(), "{what}: {:?}", driver.error);
        assert_ne!(driver.state, DriverState::PathCounts, "{what}");
    }
}

/// Returns the configuration of a property with this many cases. Failures are not stored.
pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Returns the number of cases of a property: `usual`, or the number in the environment.
pub fn case_count(usual: u32) -> u32 {
    let requested = std::env::var("BRANDES_TEST_CASES").ok();
    let requested = requested.and_then(|count| count.parse().ok());
    requested.unwrap_or(usual)
}

/// The settings of a search.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    pub prepare: PrepareOptions,
    pub scale: Scale,
    pub request: DeviceRequest,
    pub cpu_workers: Option<usize>,
}

impl Setup {
    /// Returns settings for CPU workers only.
    pub fn cpu(workers: usize) -> Self {
        Setup {
            request: DeviceRequest {
                selection: DeviceSelection::None,
                ..DeviceRequest::default()
            },
            cpu_workers: Some(workers),
            ..Setup::default()
        }
    }

    /// Returns settings for strategy `virtual` on the first OpenCL device and this many CPU
    /// workers.
    pub fn device(degree: u32, precision: Precision, workers: usize) -> Self {
        Setup {
            request: DeviceRequest {
                selection: any_device(),
                options: DeviceOptions {
                    numbers: Numbers {
                        degree: Some(degree),
                        work_group: Some(64),
                        ..Numbers::default()
                    },
                    precision,
                    ..DeviceOptions::default()
                },
                strategy: Strategy::Virtual,
                is_explicit: true,
                workers: CpuWorkers::Count(workers),
                local: None,
                probe: None,
            },
            cpu_workers: Some(workers),
            ..Setup::default()
        }
    }

    pub fn fold(mut self, fold: bool) -> Self {
        self.prepare.reduce = Reductions::folding(fold);
        self
    }

    /// Searches a graph with more paths than the device can count, and checks that the device stops
    /// and CPU workers search the remaining roots.
    pub fn too_many_paths(&self, graph: &Graph) -> (Vec<f64>, Outcome) {
        let (scores, outcome) = self.any_outcome(graph);
        assert_eq!(outcome.drivers[0].state, DriverState::PathCounts);
        assert!(outcome.drivers[0].error.is_none() && outcome.drivers[0].returned > 0);
        assert!(outcome.workers.iter().map(|w| w.roots).sum::<usize>() > 0);
        (scores, outcome)
    }

    pub fn outcome(&self, graph: &Graph) -> (Vec<f64>, Outcome) {
        let (scores, outcome) = self.any_outcome(graph);
        // If the device stopped, the CPU would compute the scores, and the test would not notice.
        let stopped = |d: &DriverRecord| d.state == DriverState::PathCounts;
        assert!(!outcome.drivers.iter().any(stopped));
        (scores, outcome)
    }

    fn any_outcome(&self, graph: &Graph) -> (Vec<f64>, Outcome) {
        let workers = self.cpu_workers.map_or(CpuWorkers::Auto, CpuWorkers::Count);
        let devices = Devices::start(DeviceRequest {
            workers,
            ..self.request.clone()
        });
        let prepared = Arc::new(prepare(graph, &self.prepare).unwrap());
        let cpu = CpuRequest {
            workers,
            ..CpuRequest::default()
        };
        let options = RunOptions::default();
        let outcome = runner::run(&prepared, &devices, cpu, options, &mut |_| {});
        let mut outcome = outcome.unwrap();
        devices.join();
        // If the device failed, the CPU would compute the scores, and the test would not notice.
        for driver in &outcome.drivers {
            assert!(driver.error.is_none(), "{:?}", driver.error);
        }
        prepared.complete(&mut outcome.sums);
        (prepared.scores(&outcome.sums.vertices, self.scale), outcome)
    }

    pub fn scores(&self, graph: &Graph) -> Vec<f64> {
        self.outcome(graph).0
    }
}

/// Selects the first device. Panics if there is none, so that tests that need one fail loudly.
pub fn any_device() -> DeviceSelection {
    match find::survey() {
        Ok(survey) if !survey.devices.is_empty() => DeviceSelection::Named(vec!["0".into()]),
        other => panic!("this test needs an OpenCL device (scripts/test installs PoCL): {other:?}"),
    }
}

/// Returns the largest difference of two scores, divided by the larger of them, or by `floor` if
/// both are smaller.
pub fn difference(a: &[f64], b: &[f64], floor: f64) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .map(|(x, y)| {
            assert!(x.is_finite() && y.is_finite(), "{x} against {y}");
            (x - y).abs() / x.abs().max(y.abs()).max(floor)
        })
        .fold(0.0, f64::max)
}

/// Panics, with all scores, if two score vectors differ by more than `tolerance`, relative to scores
/// above 1.
pub fn assert_close(got: &[f64], expected: &[f64], tolerance: f64) {
    let difference = difference(got, expected, 1.0);
    assert!(
        difference <= tolerance,
        "scores differ by {difference:e}\n     got {got:?}\nexpected {expected:?}"
    );
}
