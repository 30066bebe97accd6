//! The kernels of searches whose launches pass over the whole graph, with the buffers they work on.

use std::ops::Range;

use crate::device::DeviceError;
use crate::device::buffers::{BufferSet, DeviceBuffer};
use crate::device::launch::{Arg, Grid, KernelSet, Launcher};
use crate::device::{DeviceKind, Queue};
use crate::graph::{Csr, Vertex};
use crate::prepare::Prepared;

/// A kernel and the work-groups of a slot. `BATCH` in `levels.cl` lists its first arguments: level,
/// planned levels, the first root, roots, sources, `found`, and the number of vertices.
pub struct Step {
    launcher: Launcher,
    groups: usize,
    group: usize,
}

impl Step {
    /// Launches the kernel on a level for a range of the written roots.
    pub fn launch(
        &self,
        queue: &Queue,
        level: u32,
        planned: u32,
        roots: &Range<usize>,
    ) -> Result<(), DeviceError> {
        let grid = Grid::groups(self.groups, roots.len(), self.group);
        let numbers = [(0, level as usize), (1, planned as usize), (2, roots.start)];
        self.launcher.enqueue_with(queue, &numbers, grid)
    }
}

/// The kernels of a search in the order of their launches.
#[derive(Default)]
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
    /// Adds up the slots of the scores and, if arcs are counted, of the sums of arcs.
    pub add_slots: Vec<(Launcher, Grid)>,
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

/// Arcs of a launch for each compute unit that hide the latency of launches and memory on a GPU,
/// and those that fit the caches of a CPU.
const ARCS_PER_UNIT: [usize; 2] = [1 << 23, 1 << 18];
/// The most slots of the automatic choice. More gain at most 1% on small graphs.
const MOST_SLOTS: usize = 512;
/// The part of the device's memory that the automatic choice may use.
const MEMORY: f64 = 0.8;

/// Returns the number of roots to search together: as many as the user asked for, or as many as
/// keep the device busy and fit its memory, in batches of equal size. `one` is a plan of the arrays
/// of one slot, `shared` the bytes of all other arrays.
pub fn slots(one: &BufferSet, shared: u64, prepared: &Prepared) -> usize {
    let (info, options) = (&one.session.info, &one.session.options);
    let (roots, arcs) = (prepared.roots.len().max(1), prepared.graph.arcs().max(1));
    let of_unit = ARCS_PER_UNIT[usize::from(info.kind == DeviceKind::Cpu)];
    let busy = (info.compute_units as usize * of_unit).div_ceil(arcs);
    let free = ((info.memory as f64 * MEMORY) as u64).saturating_sub(shared);
    let fitting = (free / one.total().max(1)).min(info.max_buffer / one.largest().max(1));
    let most = busy.min(MOST_SLOTS).min(fitting as usize).max(1);
    let equal = || roots.div_ceil(roots.div_ceil(most));
    (options.numbers.searches).map_or_else(equal, |asked| roots.min(asked as usize))
}

/// The arrays that have a row for each slot.
pub struct SlotArrays {
    /// Level, sigma and coefficient of each vertex: a buffer each, or one buffer of records.
    numbers: Vec<DeviceBuffer>,
    partial: DeviceBuffer,
    pub scores: DeviceBuffer,
    /// Sums of out-arcs, if the session counts edges.
    pub arc_scores: Option<DeviceBuffer>,
}

impl SlotArrays {
    /// Plans the arrays of `slots` slots with `pieces` partial sums each.
    pub fn plan(
        set: &mut BufferSet,
        prepared: &Prepared,
        pieces: usize,
        slots: usize,
        records: bool,
    ) -> Self {
        let (vertices, arcs) = (
            slots * prepared.graph.vertices(),
            slots * prepared.graph.arcs(),
        );
        let (real, score) = (set.real_bytes(), set.score_bytes());
        let numbers = match records {
            true => vec![set.unset("records of vertices", 3 * real * vertices); 3],
            false => vec![
                set.unset("levels", 4 * vertices),
                set.unset("path counts", real * vertices),
                set.unset("coefficients", real * vertices),
            ],
        };
        let counts_edges = set.session.options.count_edges;
        SlotArrays {
            numbers,
            partial: set.unset("partial sums", real * slots * pieces),
            scores: set.zeroed("scores", score * vertices),
            arc_scores: counts_edges.then(|| set.zeroed("sums of arcs", score * arcs)),
        }
    }
}

/// The buffers of a search.
pub struct Memory {
    pub out_arcs: Arcs,
    /// The in-arcs, for the forward phase; those of undirected graphs are the out-arcs.
    pub in_arcs: Arcs,
    pub weight: DeviceBuffer,
    /// The number of twins that each vertex stands for.
    pub multiplicity: DeviceBuffer,
    /// The number of vertices reached from each root vertex, if path ends are counted.
    pub reached: DeviceBuffer,
    /// The roots of a claim, the number of sources that each stands for, and for each slot a row of
    /// words that tell which levels have vertices.
    pub roots: DeviceBuffer,
    pub sources: DeviceBuffer,
    pub found: DeviceBuffer,
    pub slots: SlotArrays,
}

impl Memory {
    /// Makes the kernels of a search in `slots` slots. With `atomics` the passes over arcs add
    /// directly to the sums of vertices, so that there are no partial sums to reduce.
    pub fn kernels(
        &self,
        set: &KernelSet,
        prepared: &Prepared,
        slots: usize,
        atomics: bool,
    ) -> Result<Kernels, DeviceError> {
        let [level, sigma, coefficient] = std::array::from_fn(|i| &self.slots.numbers[i]);
        let (weight, partial, scores) = (&self.weight, &self.slots.partial, &self.slots.scores);
        let (n, arcs) = (prepared.graph.vertices(), prepared.graph.arcs());
        let group = set.work_group;
        // Makes a kernel with `items` work-items; `rest` are its last arguments.
        let step = |name, items: usize, buffers: &[&DeviceBuffer], rest: &[Arg]| {
            let mut args = vec![Arg::Uint(0); 3];
            args.extend(Arg::buffers(&[&self.roots, &self.sources, &self.found]));
            args.push(Arg::Count(n));
            args.extend(Arg::buffers(buffers));
            args.extend(rest);
            Ok::<_, DeviceError>(Step {
                launcher: set.launcher(name, &args)?,
                groups: items.div_ceil(group),
                group,
            })
        };
        let twins = Arg::Uint(prepared.multiplicity.is_some().into());
        let twins = [twins, Arg::Buffer(&self.multiplicity)];
        let (in_items, out_items) = (self.in_arcs.items, self.out_arcs.items);
        let inward = self.in_arcs.arrays.each_ref();
        let outward = self.out_arcs.arrays.each_ref();
        let of_forward = [&inward[..], &[level, sigma, partial]].concat();
        let mut of_backward = [&outward[..], &[level, coefficient, partial]].concat();
        let mut sums = vec![(scores, n)];
        if let Some(arc_scores) = &self.slots.arc_scores {
            of_backward.extend([sigma, arc_scores]);
            sums.push((arc_scores, arcs));
        }
        let add_slots = sums.into_iter().map(|(sums, count)| {
            let args = [Arg::Count(slots), Arg::Count(count), Arg::Buffer(sums)];
            let launcher = set.launcher("add_slots", &args)?;
            Ok((launcher, Grid::items(count, group)))
        });
        let mut kernels = Kernels {
            reset: vec![step("reset", n, &[level, sigma], &[])?],
            forward: vec![step("forward", in_items, &of_forward, &[])?],
            backward: vec![step("backward", out_items, &of_backward, &[])?],
            add_slots: add_slots.collect::<Result<_, DeviceError>>()?,
            ..Kernels::default()
        };
        if atomics {
            let buffers = [level, sigma, weight, coefficient];
            kernels.turn.push(step("turn", n, &buffers, &[])?);
            let buffers = [level, sigma, coefficient, weight, scores];
            kernels.last.push(step("last", n, &buffers, &[])?);
            return Ok(kernels);
        }
        if prepared.count_endpoints {
            let buffers = [level, &self.reached, scores];
            kernels.last.push(step("endpoints", n, &buffers, &[])?);
        }
        let (forward, backward) = (&mut kernels.forward, &mut kernels.backward);
        let buffers = [inward[0], partial, weight, level, sigma, coefficient];
        forward.push(step("forward_reduce", n, &buffers, &twins)?);
        let buffers = [outward[0], partial, level, sigma, coefficient, scores];
        backward.push(step("backward_reduce", n, &buffers, &twins)?);
        Ok(kernels)
    }
}
