//! A custom strategy, which the library runs like its own ones: plain breadth-first search, one
//! root at a time on the whole device, with one work-item per vertex.
//!
//!     cargo run --example toy_strategy

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use brandes::device::buffers::{BufferSet, DeviceBuffer};
use brandes::device::launch::{Arg, Grid, Launcher};
use brandes::device::{DeviceError, DeviceInfo, DeviceOptions, Session, Source};
use brandes::engine::{Engine, EngineError, Root, Sums};
use brandes::graph::generate;
use brandes::prepare::Prepared;
use brandes::strategy::{About, DeviceEngine, DeviceStrategy, EnginePlan};
use brandes::{Betweenness, CpuWorkers, DeviceSelection, Strategy};

/// The kernels. The library puts `cl/common.cl` before them, which defines `real`, `UNSEEN` and
/// `GROUP_OF_ITEMS`. `level` and the arrays of `real` have one number per vertex; `coefficient` is
/// (weight + delta) / sigma.
const TEXT: &str = r"
__kernel GROUP_OF_ITEMS void NAMED(begin)(const uint root, const uint n, __global uint *level,
                                          __global real *sigma) {
    const uint v = get_global_id(0);
    if (v >= n) return;
    level[v] = v == root ? 0 : UNSEEN;
    sigma[v] = v == root ? 1 : 0;
}

// Assigns unseen vertices with a neighbour on level `depth` to the next level. Other work-items may
// read a level while it is written, because neither the old nor the new value equals `depth`.
__kernel GROUP_OF_ITEMS void NAMED(forward)(const uint depth, const uint n,
                                            __global const uint *offsets,
                                            __global const uint *targets, __global uint *level,
                                            __global real *sigma, __global uint *found) {
    const uint v = get_global_id(0);
    if (v >= n || level[v] != UNSEEN) return;
    real sum = 0;
    for (uint arc = offsets[v]; arc < offsets[v + 1]; arc++) {
        if (level[targets[arc]] == depth) sum += sigma[targets[arc]];
    }
    if (sum == 0) return;
    level[v] = depth + 1;
    sigma[v] = sum;
    *found = 1;
}

// Computes the dependencies of vertices on level `depth` from those on the next level.
__kernel GROUP_OF_ITEMS void NAMED(backward)(const uint depth, const uint sources, const uint n,
                                             __global const uint *offsets,
                                             __global const uint *targets,
                                             __global const uint *level,
                                             __global const real *sigma,
                                             __global const real *weight,
                                             __global real *coefficient, __global real *scores) {
    const uint v = get_global_id(0);
    if (v >= n || level[v] != depth) return;
    real sum = 0;
    for (uint arc = offsets[v]; arc < offsets[v + 1]; arc++) {
        if (level[targets[arc]] == depth + 1) sum += coefficient[targets[arc]];
    }
    coefficient[v] = weight[v] / sigma[v] + sum;
    scores[v] += sources * sigma[v] * sum;
}
";

struct Toy;

impl DeviceStrategy for Toy {
    fn about(&self) -> About {
        About {
            name: "toy",
            line: "One root at a time over the whole device, a work-item per vertex",
            takes: &[],
            numbers: &[],
        }
    }

    fn kernels(&self, options: &DeviceOptions, info: &DeviceInfo) -> Vec<Source> {
        vec![Source {
            name: "toy".into(),
            texts: vec![TEXT],
            work_group: options.work_group_of(256, info),
            macros: Vec::new(),
            optimise_always: true,
        }]
    }

    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let n = prepared.graph.vertices();
        let mut set = BufferSet::new(session);
        let (words, reals) = (4 * n, set.real_bytes() * n);
        let offsets = set.filled("offsets", prepared.graph.offsets());
        let targets = set.filled("targets", prepared.graph.targets());
        let weight = set.reals("weights", &prepared.weight);
        let level = set.unset("levels", words);
        let sigma = set.unset("path counts", reals);
        let coefficient = set.unset("coefficients", reals);
        let scores = set.zeroed("scores", reals);
        let found = set.unset("found", 4);
        let bytes = set.total();
        set.make()?;

        let [source] = &self.kernels(&session.options, &session.info)[..] else {
            unreachable!("there is one program");
        };
        let kernels = session.build(source)?;
        // Arguments that change between launches are set before each launch.
        let kernel = |name, changing: &[Arg], arrays: &[&DeviceBuffer]| {
            let arrays = Arg::buffers(arrays);
            kernels.launcher(name, &[changing, &[Arg::Count(n)], &arrays].concat())
        };
        let uint = Arg::Uint(0);
        let search = [&offsets, &targets, &level, &sigma];
        Ok(DeviceEngine {
            plan: EnginePlan::new(Strategy::new(self), kernels.work_group, bytes),
            engine: Box::new(Search {
                session,
                begin: kernel("begin", &[uint], &[&level, &sigma])?,
                forward: kernel("forward", &[uint], &[&search[..], &[&found]].concat())?,
                backward: kernel(
                    "backward",
                    &[uint, uint],
                    &[&search[..], &[&weight, &coefficient, &scores]].concat(),
                )?,
                grid: Grid::items(n, kernels.work_group),
                scores,
                found,
            }),
        })
    }
}

struct Search<'s> {
    session: &'s Session,
    begin: Launcher,
    forward: Launcher,
    backward: Launcher,
    scores: DeviceBuffer,
    found: DeviceBuffer,
    grid: Grid,
}

impl Search<'_> {
    fn search_from(&mut self, root: Root) -> Result<(), DeviceError> {
        let queue = &self.session.queue;
        self.begin.set(0, Arg::Uint(root.vertex))?;
        self.begin.enqueue(queue, self.grid)?;
        let mut depth = 0;
        loop {
            self.found.clear(queue)?;
            self.forward.set(0, Arg::Uint(depth))?;
            self.forward.enqueue(queue, self.grid)?;
            let mut found = [0u32];
            self.found.read(queue, &mut found)?;
            if found == [0] {
                break;
            }
            depth += 1;
        }
        self.backward.set(1, Arg::Uint(root.sources))?;
        // A search adds nothing to the score of its root.
        for level in (1..=depth).rev() {
            self.backward.set(0, Arg::Uint(level))?;
            self.backward.enqueue(queue, self.grid)?;
        }
        Ok(())
    }
}

impl Engine for Search<'_> {
    fn roots_wanted(&self) -> usize {
        16
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        for &root in roots {
            self.search_from(root)?;
        }
        Ok(())
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        let (queue, precision) = (&self.session.queue, self.session.options.precision);
        self.scores.move_to(queue, precision, sums.vertices)?;
        Ok(())
    }
}

static TOY: Toy = Toy;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let graph = generate::grid(20, 20, 0.1, 7)?;
    let toy = Betweenness::new()
        // Use the first device of any kind.
        .devices(DeviceSelection::Named(vec!["0".into()]))
        .strategy(Strategy::new(&TOY))
        .cpu_workers(CpuWorkers::Count(0))
        .run(&graph)?;
    let cpu = Betweenness::new()
        .devices(DeviceSelection::None)
        .cpu_workers(CpuWorkers::Count(1))
        .run(&graph)?;
    // If the device had failed, CPU workers would have finished the search.
    for driver in &toy.record().outcome.drivers {
        let name = driver.plan.as_ref().map(|plan| plan.strategy.name());
        println!("{}: {} roots by {name:?}", driver.info.name, driver.roots);
        assert_eq!(name, Some("toy"));
    }
    let (toy, cpu) = (toy.vertices(), cpu.vertices());
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * b.max(1.0);
    assert!(toy.iter().zip(cpu).all(close), "the scores differ");
    println!("{} scores, as by the CPU", toy.len());
    Ok(())
}
