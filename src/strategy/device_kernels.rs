//! The kernels of searches that give a root the whole device, with the buffers they work on.

use opencl3::kernel::Kernel;

use crate::device::buffers::DeviceBuffer;
use crate::device::launch::{Arg, Grid, Launcher};
use crate::device::{DeviceError, Session};

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

/// What the work-items of a step stand for.
#[derive(Clone, Copy)]
pub enum Items {
    /// A vertex each.
    Vertices,
    /// An item each of the shares of in-arcs.
    InArcs,
    /// An item each of the shares of out-arcs.
    OutArcs,
}

/// The kernels of a search in the order of their launches.
pub struct Kernels {
    pub reset: Step,
    /// On every level, from the root down.
    pub forward: Vec<Step>,
    /// Once, when the last level is reached.
    pub turn: Vec<Step>,
    /// On every level, back up to the one below the root.
    pub backward: Vec<Step>,
    /// On the root's level: its arcs have sums, where they are wanted.
    pub top: Vec<Step>,
    /// Once, at the end.
    pub last: Vec<Step>,
    /// Buffers that only these kernels use; they live as long.
    pub _own: Vec<DeviceBuffer>,
}

impl Kernels {
    /// Every kernel, to set what they have in common.
    pub fn all(&self) -> impl Iterator<Item = &Step> {
        let lists = [
            &self.forward,
            &self.turn,
            &self.backward,
            &self.top,
            &self.last,
        ];
        std::iter::once(&self.reset).chain(lists.into_iter().flatten())
    }
}

/// The arcs of one direction on the device, shared out: [`super::root_per_device::Shares`].
pub struct Arcs {
    pub items: usize,
    pub first: DeviceBuffer,
    pub owner: DeviceBuffer,
    pub offsets: DeviceBuffer,
    pub targets: DeviceBuffer,
}

impl Arcs {
    /// As kernel arguments, their number first.
    pub fn args(&self) -> [Arg<'_>; 5] {
        [
            Arg::Uint(self.items as u32),
            Arg::Buffer(&self.first),
            Arg::Buffer(&self.owner),
            Arg::Buffer(&self.offsets),
            Arg::Buffer(&self.targets),
        ]
    }
}

/// All buffers of a search.
pub struct Buffers {
    pub n: usize,
    /// Work-items of a work-group.
    pub work_group: usize,
    pub out_arcs: Arcs,
    /// Only for directed graphs.
    pub reverse_arcs: Option<Arcs>,
    pub weight: DeviceBuffer,
    pub level: DeviceBuffer,
    pub sigma: DeviceBuffer,
    pub coef: DeviceBuffer,
    pub partial: DeviceBuffer,
    pub scores: DeviceBuffer,
    /// Sums of out-arcs, if the session counts edges.
    pub arc_scores: Option<DeviceBuffer>,
    /// Vertices reached from each root vertex, where path ends are counted.
    pub reached: DeviceBuffer,
    /// Rows of found levels, for two chunks of roots.
    pub found: [DeviceBuffer; 2],
}

impl Buffers {
    /// The arcs to search forward along.
    pub fn in_arcs(&self) -> &Arcs {
        self.reverse_arcs.as_ref().unwrap_or(&self.out_arcs)
    }

    /// A kernel of the session by name; `rest` are its arguments behind those that change.
    pub fn step(
        &self,
        session: &Session,
        name: &str,
        items: Items,
        more: More,
        rest: &[Arg],
    ) -> Result<Step, DeviceError> {
        self.step_of(session, session.kernel(name)?, name, items, more, rest)
    }

    /// As [`Self::step`] for a kernel of any program.
    pub fn step_of(
        &self,
        session: &Session,
        kernel: Kernel,
        name: &str,
        items: Items,
        more: More,
        rest: &[Arg],
    ) -> Result<Step, DeviceError> {
        let mut args = vec![Arg::Uint(0), Arg::Uint(0), Arg::Buffer(&self.found[0])];
        if more != More::Nothing {
            args.push(Arg::Uint(0));
        }
        if more == More::Sources {
            args.push(Arg::Real(0.0));
        }
        args.extend(rest);
        let items = match items {
            Items::Vertices => self.n,
            Items::InArcs => self.in_arcs().items,
            Items::OutArcs => self.out_arcs.items,
        };
        Ok(Step {
            launcher: Launcher::of(session, kernel, name, &args)?,
            grid: Grid::items(items, self.work_group),
            more,
        })
    }
}

/// The kernels of a strategy whose names begin with `prefix`.
pub fn kernels(
    session: &Session,
    buffers: &Buffers,
    prefix: &str,
    count_endpoints: bool,
) -> Result<Kernels, DeviceError> {
    let at = Arg::Buffer;
    let count = Arg::Uint(buffers.n as u32);
    let (inward, outward) = (buffers.in_arcs(), &buffers.out_arcs);
    let (level, sigma, coef) = (at(&buffers.level), at(&buffers.sigma), at(&buffers.coef));
    let (partial, scores) = (at(&buffers.partial), at(&buffers.scores));
    let step = |name: &str, items, more, rest: &[Arg]| {
        buffers.step(session, &format!("{prefix}{name}"), items, more, rest)
    };
    let forward = step(
        "forward",
        Items::InArcs,
        More::Nothing,
        &[&inward.args()[..], &[level, sigma, partial]].concat(),
    )?;
    let forward_reduce = step(
        "forward_reduce",
        Items::Vertices,
        More::Nothing,
        &[
            count,
            at(&inward.first),
            partial,
            at(&buffers.weight),
            level,
            sigma,
            coef,
        ],
    )?;
    let mut rest = [&outward.args()[..], &[level, coef, partial]].concat();
    let mut more = More::Planned;
    if let Some(arc_scores) = &buffers.arc_scores {
        rest.extend([sigma, at(arc_scores)]);
        more = More::Sources;
    }
    let backward = || step("backward", Items::OutArcs, more, &rest);
    let top = match &buffers.arc_scores {
        Some(_) => vec![backward()?],
        None => Vec::new(),
    };
    let backward_reduce = step(
        "backward_reduce",
        Items::Vertices,
        More::Sources,
        &[
            count,
            at(&outward.first),
            partial,
            level,
            sigma,
            coef,
            scores,
        ],
    )?;
    let mut last = Vec::new();
    if count_endpoints {
        let rest = [count, level, at(&buffers.reached), scores];
        last.push(step("endpoints", Items::Vertices, More::Sources, &rest)?);
    }
    Ok(Kernels {
        reset: step(
            "reset",
            Items::Vertices,
            More::Nothing,
            &[count, level, sigma],
        )?,
        forward: vec![forward, forward_reduce],
        turn: Vec::new(),
        backward: vec![backward()?, backward_reduce],
        top,
        last,
        _own: Vec::new(),
    })
}
