//! The kernels of searches that give a root the whole device, with the buffers they work on.

use crate::device::DeviceError;
use crate::device::buffers::{BufferId, BufferSet, Buffers};
use crate::device::launch::{Arg, Grid, KernelSet, Launcher};
use crate::graph::{Csr, Vertex};

/// A kernel and its work-items. The first arguments of every kernel are its level (or the root,
/// outside of levels), its row of `found`, and `found`; they are set before each launch.
pub struct Step {
    pub launcher: Launcher,
    pub grid: Grid,
    pub changing: Changing,
}

/// The arguments after `found` that change from launch to launch.
#[derive(Clone, Copy, PartialEq)]
pub enum Changing {
    /// None.
    Nothing,
    /// The number of planned levels.
    Planned,
    /// The number of planned levels, and the sources that the root stands for.
    Sources,
}

/// The kernels of a search in the order of their launches.
pub struct Kernels {
    pub reset: Step,
    /// Launched on every level, from the root down.
    pub forward: Vec<Step>,
    /// Launched once, after the last level.
    pub turn: Vec<Step>,
    /// Launched on every level, back up to the one below the root. The first one is launched for
    /// the root's level too, if arcs are counted.
    pub backward: Vec<Step>,
    /// Launched once, at the end.
    pub last: Vec<Step>,
}

impl Kernels {
    /// Iterates over all kernels, to set the arguments that they share.
    pub fn all(&self) -> impl Iterator<Item = &Step> {
        let lists = [&self.forward, &self.turn, &self.backward, &self.last];
        std::iter::once(&self.reset).chain(lists.into_iter().flatten())
    }
}

/// Splits every vertex into virtual vertices of at most `limit` arcs, so that several work-items
/// share a vertex with many arcs. Returns the vertex of each virtual vertex, and the first virtual
/// vertex of each vertex, `n + 1` entries.
///
/// A vertex has k = ceil(degree / limit) virtual vertices. Kernels deal its arcs to them
/// round-robin: the j-th takes arcs j, j + k, j + 2k, ... so that neighbouring work-items read
/// neighbouring arcs. (Sariyuce, Kaya, Saule, Catalyurek: "Betweenness Centrality on GPUs and
/// Heterogeneous Architectures", GPGPU 2013.)
fn virtual_vertices(csr: &Csr, limit: u32) -> (Vec<Vertex>, Vec<u32>) {
    let (mut owner, mut first) = (Vec::new(), vec![0]);
    for v in 0..csr.vertices() as Vertex {
        let pieces = csr.degree(v).div_ceil(limit as usize);
        owner.resize(owner.len() + pieces, v);
        first.push(owner.len() as u32);
    }
    (owner, first)
}

/// Returns the number of the first run of each row, `n + 1` entries, when arcs are cut into tiles
/// of `tile` arcs: a row has one run in every tile that it touches.
fn runs(csr: &Csr, tile: usize) -> Vec<u32> {
    let mut first = Vec::with_capacity(csr.vertices() + 1);
    let mut runs = 0;
    first.push(0);
    for row in csr.offsets().windows(2) {
        let (begin, end) = (row[0] as usize, row[1] as usize);
        if begin < end {
            runs += (end - 1) / tile - begin / tile + 1;
        }
        first.push(runs as u32);
    }
    first
}

/// The arcs of one direction on the device, divided among work-items (*items*), which leave a
/// number of partial sums (*pieces*) for each vertex.
pub struct Arcs {
    pub items: usize,
    pub pieces: usize,
    first: BufferId,
    owner: BufferId,
    offsets: BufferId,
    targets: BufferId,
}

impl Arcs {
    /// Plans the arrays of arcs. With a `degree`, a work-item has a virtual vertex of at most
    /// `degree` arcs, which is a piece. Otherwise it has one arc, and each run of a row in a
    /// work-group is a piece.
    pub fn plan<'p>(
        set: &mut BufferSet<'p>,
        csr: &'p Csr,
        degree: Option<u32>,
        work_group: usize,
    ) -> Arcs {
        // The vertex of each item, and the first piece of each vertex.
        let (owner, first) = match degree {
            Some(degree) => virtual_vertices(csr, degree),
            None => (csr.tails(), runs(csr, work_group)),
        };
        Arcs {
            items: owner.len(),
            pieces: first.last().map_or(0, |&pieces| pieces as usize),
            first: set.filled("pieces of vertices", first),
            owner: set.filled("vertices of pieces", owner),
            offsets: set.filled("CSR offsets", csr.offsets()),
            targets: set.filled("CSR targets", csr.targets()),
        }
    }
}

/// Plans level, sigma, coefficient and weight of each vertex: a buffer each, or one buffer of
/// `records`.
pub(super) fn plan_numbers<'p>(
    set: &mut BufferSet<'p>,
    weight: &'p [f64],
    records: bool,
) -> [BufferId; 4] {
    if records {
        let records = weight.iter().flat_map(|&w| [0.0, 0.0, w, 0.0]);
        return [set.reals("records of vertices", records.collect::<Vec<f64>>()); 4];
    }
    let n = weight.len();
    let reals = (set.real_bytes() * n) as u64;
    [
        set.unset("levels", 4 * n as u64),
        set.unset("path counts", reals),
        set.unset("coefficients", reals),
        set.reals("weights", weight),
    ]
}

/// The buffers of a search.
pub struct Memory {
    pub n: usize,
    /// Work-items of a work-group.
    pub work_group: usize,
    pub out_arcs: Arcs,
    /// The in-arcs, for the forward phase, if the graph is directed.
    pub reverse_arcs: Option<Arcs>,
    pub weight: BufferId,
    /// Whether twins are merged.
    pub twins: bool,
    /// The number of twins that each vertex stands for.
    pub multiplicity: BufferId,
    pub level: BufferId,
    pub sigma: BufferId,
    pub coefficient: BufferId,
    pub partial: BufferId,
    pub scores: BufferId,
    /// Sums of out-arcs, if the session counts edges.
    pub arc_scores: Option<BufferId>,
    /// The number of vertices reached from each root vertex, where path ends are counted.
    pub reached: BufferId,
    /// Rows of words that tell which levels have vertices, for two chunks of roots.
    pub found: [BufferId; 2],
    pub buffers: Buffers,
}

impl Memory {
    /// Returns the in-arcs, for the forward phase.
    pub fn in_arcs(&self) -> &Arcs {
        self.reverse_arcs.as_ref().unwrap_or(&self.out_arcs)
    }

    /// Returns the arguments of a kernel with a work-item for each item of `arcs`.
    fn by_shares(&self, arcs: &Arcs, buffers: &[BufferId]) -> Vec<Arg<'_>> {
        let own = [arcs.first, arcs.owner, arcs.offsets, arcs.targets];
        let mut args = vec![Arg::count(arcs.items)];
        args.extend(self.buffers.args([&own, buffers].concat()));
        args
    }

    /// Returns the arguments of a kernel with a work-item for each vertex.
    fn by_vertices(&self, buffers: &[BufferId]) -> Vec<Arg<'_>> {
        let mut args = vec![Arg::count(self.n)];
        args.extend(self.buffers.args(buffers.iter().copied()));
        args
    }

    /// Makes a kernel with `items` work-items; `rest` are its arguments after those that change.
    fn step(
        &self,
        set: &KernelSet,
        name: &str,
        items: usize,
        changing: Changing,
        rest: Vec<Arg>,
    ) -> Result<Step, DeviceError> {
        let found = Arg::Buffer(&self.buffers[self.found[0]]);
        let mut args = vec![Arg::Uint(0), Arg::Uint(0), found];
        if changing != Changing::Nothing {
            args.push(Arg::Uint(0));
        }
        if changing == Changing::Sources {
            args.push(Arg::Real(0.0));
        }
        args.extend(rest);
        Ok(Step {
            launcher: set.launcher(name, &args)?,
            grid: Grid::items(items, self.work_group),
            changing,
        })
    }

    /// Makes the kernels of a search. With `atomics` the passes over arcs add directly to the sums
    /// of vertices, so that there are no partial sums to reduce.
    pub(super) fn kernels(
        &self,
        set: &KernelSet,
        count_endpoints: bool,
        atomics: bool,
    ) -> Result<Kernels, DeviceError> {
        let (nothing, sources) = (Changing::Nothing, Changing::Sources);
        let &Memory {
            level,
            sigma,
            coefficient,
            weight,
            partial,
            scores,
            ..
        } = self;
        let (inward, outward) = (self.in_arcs(), &self.out_arcs);
        let by_vertices = |name, changing, buffers: &[BufferId]| {
            self.step(set, name, self.n, changing, self.by_vertices(buffers))
        };
        let reduced = |name, changing, arcs: &Arcs, buffers: &[BufferId]| {
            let mut args = self.by_vertices(&[&[arcs.first], buffers].concat());
            args.push(Arg::Uint(u32::from(self.twins)));
            args.push(Arg::Buffer(&self.buffers[self.multiplicity]));
            self.step(set, name, self.n, changing, args)
        };
        let forward = self.by_shares(inward, &[level, sigma, partial]);
        let (changing, counted) = match self.arc_scores {
            Some(sums) => (Changing::Sources, vec![sigma, sums]),
            None => (Changing::Planned, Vec::new()),
        };
        let pushed = [&[level, coefficient, partial][..], &counted].concat();
        let backward = self.by_shares(outward, &pushed);
        let mut kernels = Kernels {
            reset: by_vertices("reset", nothing, &[level, sigma])?,
            forward: vec![self.step(set, "forward", inward.items, nothing, forward)?],
            turn: Vec::new(),
            backward: vec![self.step(set, "backward", outward.items, changing, backward)?],
            last: Vec::new(),
        };
        if atomics {
            let turn = [level, sigma, weight, coefficient];
            let last = [level, sigma, coefficient, weight, scores];
            kernels.turn.push(by_vertices("turn", nothing, &turn)?);
            kernels.last.push(by_vertices("last", sources, &last)?);
            return Ok(kernels);
        }
        let pulled = [partial, weight, level, sigma, coefficient];
        let completed = [partial, level, sigma, coefficient, scores];
        let (forward, backward) = (&mut kernels.forward, &mut kernels.backward);
        forward.push(reduced("forward_reduce", nothing, inward, &pulled)?);
        backward.push(reduced("backward_reduce", sources, outward, &completed)?);
        if count_endpoints {
            let buffers = [level, self.reached, scores];
            kernels
                .last
                .push(by_vertices("endpoints", sources, &buffers)?);
        }
        Ok(kernels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_a_run_in_every_tile_they_touch() {
        // Rows of 3, 0, 5 and 1 arcs.
        let csr = Csr::new(vec![0, 3, 3, 8, 9], vec![1, 2, 3, 0, 1, 3, 0, 1, 2]);
        assert_eq!(runs(&csr, 4), [0, 1, 1, 3, 4]);
        assert_eq!(runs(&csr, 1), [0, 3, 3, 8, 9]);
        assert_eq!(runs(&csr, 100), [0, 1, 1, 2, 3]);
    }

    #[test]
    fn rows_are_split_by_the_limit() {
        let star = Csr::new(vec![0, 3, 4, 5, 6, 6], vec![1, 2, 3, 0, 0, 0]);
        let (owner, first) = virtual_vertices(&star, 2);
        assert_eq!(first, [0, 2, 3, 4, 5, 5]);
        assert_eq!(owner, [0, 0, 1, 2, 3]);
        assert_eq!(virtual_vertices(&star, 1).0.len(), 6);
        assert_eq!(virtual_vertices(&star, 100).0.len(), 4);
    }
}
