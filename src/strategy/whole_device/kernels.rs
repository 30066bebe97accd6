//! The kernels of searches that give a root the whole device, with the buffers they work on.

use crate::device::DeviceError;
use crate::device::buffers::{BufferSet, DeviceBuffer};
use crate::device::launch::{Arg, Grid, KernelSet, Launcher};
use crate::graph::{Csr, Vertex};
use crate::prepare::Prepared;

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
    pub reset: Vec<Step>,
    /// Launched on every level, from the root down.
    pub forward: Vec<Step>,
    /// Launched once, after the last level.
    pub turn: Vec<Step>,
    /// Launched on every level, from the deepest up to level 1. The first kernel is launched on
    /// level 0 too, if arcs are counted.
    pub backward: Vec<Step>,
    /// Launched once, at the end.
    pub last: Vec<Step>,
}

impl Kernels {
    /// Iterates over all kernels, to set the arguments that they share.
    pub fn all(&self) -> impl Iterator<Item = &Step> {
        let (reset, forward, turn) = (&self.reset, &self.forward, &self.turn);
        let lists = [reset, forward, turn, &self.backward, &self.last];
        lists.into_iter().flatten()
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
    let (mut first, mut runs) = (vec![0], 0);
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
#[derive(Clone)]
pub struct Arcs {
    pub items: usize,
    pub pieces: usize,
    /// The first piece of each vertex, the vertex of each item, CSR offsets and targets.
    arrays: [DeviceBuffer; 4],
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
        let (owner, first) = match degree {
            Some(degree) => virtual_vertices(csr, degree),
            None => (csr.tails(), runs(csr, work_group)),
        };
        Arcs {
            items: owner.len(),
            pieces: first.last().map_or(0, |&pieces| pieces as usize),
            arrays: [
                set.filled("pieces of vertices", first),
                set.filled("vertices of pieces", owner),
                set.filled("CSR offsets", csr.offsets()),
                set.filled("CSR targets", csr.targets()),
            ],
        }
    }
}

/// Plans level, sigma, coefficient and weight of each vertex: a buffer each, or one buffer of
/// `records`.
pub(super) fn plan_numbers<'p>(
    set: &mut BufferSet<'p>,
    weight: &'p [f64],
    records: bool,
) -> [DeviceBuffer; 4] {
    if records {
        let records = weight.iter().flat_map(|&w| [0.0, 0.0, w, 0.0]);
        let records = set.reals("records of vertices", records.collect::<Vec<f64>>());
        return std::array::from_fn(|_| records.clone());
    }
    let (n, reals) = (weight.len(), set.real_bytes() * weight.len());
    [
        set.unset("levels", 4 * n),
        set.unset("path counts", reals),
        set.unset("coefficients", reals),
        set.reals("weights", weight),
    ]
}

/// The buffers of a search.
pub struct Memory {
    pub out_arcs: Arcs,
    /// The in-arcs, for the forward phase; those of undirected graphs are the out-arcs.
    pub in_arcs: Arcs,
    /// Level, sigma, coefficient and weight of each vertex.
    pub numbers: [DeviceBuffer; 4],
    /// The number of twins that each vertex stands for.
    pub multiplicity: DeviceBuffer,
    pub partial: DeviceBuffer,
    pub scores: DeviceBuffer,
    /// Rows of words that tell which levels have vertices, for two chunks of roots.
    pub found: [DeviceBuffer; 2],
    /// The number of vertices reached from each root vertex, if path ends are counted.
    pub reached: DeviceBuffer,
    /// Sums of out-arcs, if the session counts edges.
    pub arc_scores: Option<DeviceBuffer>,
}

impl Memory {
    /// Makes the kernels of a search. With `atomics` the passes over arcs add directly to the sums
    /// of vertices, so that there are no partial sums to reduce.
    pub fn kernels(
        &self,
        set: &KernelSet,
        prepared: &Prepared,
        atomics: bool,
    ) -> Result<Kernels, DeviceError> {
        let [level, sigma, coefficient, weight] = &self.numbers;
        let (partial, scores, n) = (&self.partial, &self.scores, prepared.graph.vertices());
        let (nothing, sources) = (Changing::Nothing, Changing::Sources);
        // Makes a kernel with `items` work-items; `rest` are its last arguments.
        let step = |name, items, changing, buffers: &[&DeviceBuffer], rest: &[Arg]| {
            let mut args = vec![Arg::Uint(0), Arg::Uint(0), Arg::Buffer(&self.found[0])];
            if changing != nothing {
                args.push(Arg::Uint(0));
            }
            if changing == sources {
                args.push(Arg::Real(0.0));
            }
            args.push(Arg::Count(items));
            args.extend(Arg::buffers(buffers));
            args.extend(rest);
            Ok::<_, DeviceError>(Step {
                launcher: set.launcher(name, &args)?,
                grid: Grid::items(items, set.work_group),
                changing,
            })
        };
        let twins = Arg::Uint(prepared.multiplicity.is_some().into());
        let twins = [twins, Arg::Buffer(&self.multiplicity)];
        let (in_items, out_items) = (self.in_arcs.items, self.out_arcs.items);
        let inward = self.in_arcs.arrays.each_ref();
        let outward = self.out_arcs.arrays.each_ref();
        let (changing, of_arcs) = match &self.arc_scores {
            Some(sums) => (sources, vec![sigma, sums]),
            None => (Changing::Planned, Vec::new()),
        };
        let of_forward = [&inward[..], &[level, sigma, partial]].concat();
        let of_backward = [&outward[..], &[level, coefficient, partial], &of_arcs].concat();
        let mut kernels = Kernels {
            reset: vec![step("reset", n, nothing, &[level, sigma], &[])?],
            forward: vec![step("forward", in_items, nothing, &of_forward, &[])?],
            turn: Vec::new(),
            backward: vec![step("backward", out_items, changing, &of_backward, &[])?],
            last: Vec::new(),
        };
        let Kernels { turn, last, .. } = &mut kernels;
        if atomics {
            let buffers = [level, sigma, weight, coefficient];
            turn.push(step("turn", n, nothing, &buffers, &[])?);
            let buffers = [level, sigma, coefficient, weight, scores];
            last.push(step("last", n, sources, &buffers, &[])?);
            return Ok(kernels);
        }
        if prepared.count_endpoints {
            let buffers = [level, &self.reached, scores];
            last.push(step("endpoints", n, sources, &buffers, &[])?);
        }
        let (forward, backward) = (&mut kernels.forward, &mut kernels.backward);
        let buffers = [inward[0], partial, weight, level, sigma, coefficient];
        forward.push(step("forward_reduce", n, nothing, &buffers, &twins)?);
        let buffers = [outward[0], partial, level, sigma, coefficient, scores];
        backward.push(step("backward_reduce", n, sources, &buffers, &twins)?);
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
