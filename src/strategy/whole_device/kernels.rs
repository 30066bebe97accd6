//! The kernels of searches that give a root the whole device, with the buffers they work on.

use crate::device::DeviceError;
use crate::device::buffers::{BufferSet, Buffers, Place};
use crate::device::launch::{Arg, Grid, KernelSet, Launcher};
use crate::graph::Csr;

/// A kernel and its work-items. The first arguments of every kernel of a search are its level (the
/// root, outside of levels), its row of `found`, and `found`; they are set before each launch.
pub struct Step {
    pub launcher: Launcher,
    pub grid: Grid,
    pub more: More,
}

/// What else changes from launch to launch.
#[derive(Clone, Copy, PartialEq)]
pub enum More {
    /// Nothing.
    Nothing,
    /// The fourth argument: planned levels.
    Planned,
    /// The fourth and the fifth: planned levels, and sources that the root stands for.
    Sources,
}

/// The kernels of a search in the order of their launches.
pub struct Kernels {
    pub reset: Step,
    /// On every level, from the root down.
    pub forward: Vec<Step>,
    /// Once, when the last level is reached.
    pub turn: Vec<Step>,
    /// On every level, back up to the one below the root. The first one is for the root's level
    /// too, if arcs are counted.
    pub backward: Vec<Step>,
    /// Once, at the end.
    pub last: Vec<Step>,
}

impl Kernels {
    /// Every kernel, to set what they have in common.
    pub fn all(&self) -> impl Iterator<Item = &Step> {
        let lists = [&self.forward, &self.turn, &self.backward, &self.last];
        std::iter::once(&self.reset).chain(lists.into_iter().flatten())
    }
}

/// How the arcs of one direction are shared out: the items of a level's pass, and the pieces whose
/// sums they leave behind for each vertex.
pub(super) struct Shares<'p> {
    /// The arcs.
    pub(super) csr: &'p Csr,
    /// Vertex of each item.
    pub(super) owner: Vec<u32>,
    /// Where the pieces of each vertex begin; `n + 1` entries.
    pub(super) first: Vec<u32>,
}

impl Shares<'_> {
    pub(super) fn pieces(&self) -> usize {
        self.first.last().map_or(0, |&pieces| pieces as usize)
    }
}

/// The arcs of one direction on the device, shared out: [`Shares`].
pub struct Arcs {
    /// Work-items that go through them.
    pub items: usize,
    first: Place,
    owner: Place,
    offsets: Place,
    targets: Place,
}

/// How the numbers of vertices lie in memory.
#[derive(Clone, Copy, PartialEq)]
pub enum Layout {
    /// An array per number.
    Arrays,
    /// A record per vertex, all in one buffer.
    Records,
}

impl Layout {
    /// Plans level, sigma, coefficient and weight.
    pub fn plan<'p>(self, set: &mut BufferSet<'p>, weight: &'p [f64]) -> [Place; 4] {
        let n = weight.len();
        let reals = (set.real_bytes() * n) as u64;
        match self {
            Layout::Arrays => [
                set.unset("levels", 4 * n as u64),
                set.unset("path counts", reals),
                set.unset("coefficients", reals),
                set.reals("weights", weight),
            ],
            Layout::Records => {
                let records = weight.iter().flat_map(|&w| [0.0, 0.0, w, 0.0]);
                [set.reals("records of vertices", records.collect::<Vec<f64>>()); 4]
            }
        }
    }
}

/// The buffers of a search.
pub struct Memory {
    pub n: usize,
    /// Work-items of a work-group.
    pub work_group: usize,
    pub out_arcs: Arcs,
    /// Only for directed graphs.
    pub reverse_arcs: Option<Arcs>,
    pub weight: Place,
    /// Whether twins are merged, and how many each vertex stands for then.
    pub twins: bool,
    pub multiplicity: Place,
    pub level: Place,
    pub sigma: Place,
    pub coefficient: Place,
    pub partial: Place,
    pub scores: Place,
    /// Sums of out-arcs, if the session counts edges.
    pub arc_scores: Option<Place>,
    /// Vertices reached from each root vertex, where path ends are counted.
    pub reached: Place,
    /// Rows of found levels, for two chunks of roots.
    pub found: [Place; 2],
    pub buffers: Buffers,
}

impl Arcs {
    /// Plans the arrays of one direction.
    pub fn plan<'p>(set: &mut BufferSet<'p>, shares: Shares<'p>) -> Arcs {
        Arcs {
            items: shares.owner.len(),
            first: set.filled("pieces of vertices", shares.first),
            owner: set.filled("vertices of pieces", shares.owner),
            offsets: set.filled("CSR offsets", shares.csr.offsets()),
            targets: set.filled("CSR targets", shares.csr.targets()),
        }
    }
}

impl Memory {
    /// The arcs to search forward along.
    pub fn in_arcs(&self) -> &Arcs {
        self.reverse_arcs.as_ref().unwrap_or(&self.out_arcs)
    }

    /// Arguments of a kernel with a work-item for each share of arcs: those, and `places`.
    pub fn by_shares(&self, arcs: &Arcs, places: &[Place]) -> Vec<Arg<'_>> {
        let own = [arcs.first, arcs.owner, arcs.offsets, arcs.targets];
        let mut args = vec![Arg::Uint(arcs.items as u32)];
        args.extend(self.buffers.args([&own, places].concat()));
        args
    }

    /// The same with a work-item for each vertex. With `arcs`: the pieces to add up, first.
    pub fn by_vertices(&self, arcs: Option<&Arcs>, places: &[Place]) -> Vec<Arg<'_>> {
        let mut args = vec![Arg::Uint(self.n as u32)];
        args.extend(arcs.map(|arcs| Arg::Buffer(&self.buffers[arcs.first])));
        args.extend(self.buffers.args(places.iter().copied()));
        args
    }

    /// A kernel with so many work-items; `rest` are its arguments behind those that change.
    pub fn step(
        &self,
        set: &KernelSet,
        name: &str,
        items: usize,
        more: More,
        rest: Vec<Arg>,
    ) -> Result<Step, DeviceError> {
        let found = Arg::Buffer(&self.buffers[self.found[0]]);
        let mut args = vec![Arg::Uint(0), Arg::Uint(0), found];
        if more != More::Nothing {
            args.push(Arg::Uint(0));
        }
        if more == More::Sources {
            args.push(Arg::Real(0.0));
        }
        args.extend(rest);
        Ok(Step {
            launcher: set.launcher(name, &args)?,
            grid: Grid::items(items, self.work_group),
            more,
        })
    }
}

/// The kernels of a strategy.
pub fn kernels(
    set: &KernelSet,
    memory: &Memory,
    count_endpoints: bool,
) -> Result<Kernels, DeviceError> {
    let (level, sigma, coefficient) = (memory.level, memory.sigma, memory.coefficient);
    let (partial, scores) = (memory.partial, memory.scores);
    let (inward, outward) = (memory.in_arcs(), &memory.out_arcs);
    let by_vertices = |name, more, places: &[Place]| {
        let args = memory.by_vertices(None, places);
        memory.step(set, name, memory.n, more, args)
    };
    let reduced = |name, more, arcs, places: &[Place]| {
        let mut args = memory.by_vertices(Some(arcs), places);
        args.push(Arg::Uint(u32::from(memory.twins)));
        args.push(Arg::Buffer(&memory.buffers[memory.multiplicity]));
        memory.step(set, name, memory.n, more, args)
    };
    let forward = memory.by_shares(inward, &[level, sigma, partial]);
    let pulled = [partial, memory.weight, level, sigma, coefficient];
    let (more, counted) = match memory.arc_scores {
        Some(sums) => (More::Sources, vec![sigma, sums]),
        None => (More::Planned, Vec::new()),
    };
    let pushed = [&[level, coefficient, partial][..], &counted].concat();
    let backward = memory.by_shares(outward, &pushed);
    let completed = [partial, level, sigma, coefficient, scores];
    let (nothing, sources) = (More::Nothing, More::Sources);
    let mut last = Vec::new();
    if count_endpoints {
        let places = [level, memory.reached, scores];
        last.push(by_vertices("endpoints", sources, &places)?);
    }
    Ok(Kernels {
        reset: by_vertices("reset", nothing, &[level, sigma])?,
        forward: vec![
            memory.step(set, "forward", inward.items, nothing, forward)?,
            reduced("forward_reduce", nothing, inward, &pulled)?,
        ],
        turn: Vec::new(),
        backward: vec![
            memory.step(set, "backward", outward.items, more, backward)?,
            reduced("backward_reduce", sources, outward, &completed)?,
        ],
        last,
    })
}
