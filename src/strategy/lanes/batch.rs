//! A batch of roots: its memory, its queue, its kernels, and the levels enqueued so far.

use std::mem;

use super::deal::Deal;
use super::graph::{DeviceChunks, DeviceGraph};
use super::kernels::{Kernels, Memory};
use super::sizes::{Array, ITEM_LANES, Sizes};
use crate::device::buffers::{PendingRead, reals};
use crate::device::launch::{Arg, Grid, KernelSet, Launcher};
use crate::device::wait::{finish, flush};
use crate::device::{DeviceError, Queue, Session};
use crate::engine::{OwnSums, Precision, Root};
use crate::prepare::Prepared;
use crate::strategy::take_reached;

/// The number of levels enqueued at a time for a batch that is deeper than guessed.
const MORE_LEVELS: usize = 3;

/// The bit of `alive[level][tile]` that says that a path count is too large for narrow rows:
/// `TOO_MANY_PATHS` of `cl/lanes/lanes.cl`.
const TOO_MANY_PATHS: u32 = 2;

/// The state of a batch after [`Batch::advance`].
pub enum Progress {
    /// More levels have been enqueued.
    Deeper,
    /// All commands up to the scores have been enqueued.
    Enqueued {
        /// The deepest level of the batch.
        depth: usize,
    },
    /// The batch has more levels than there are masks; it added nothing to the scores.
    TooDeep,
    /// There are more shortest paths than narrow rows can count; the batch added nothing to the
    /// scores.
    TooManyPaths,
}

/// The memory, queue and kernels of one batch at a time.
pub struct Batch {
    // Dropped before the memory that they use.
    kernels: Kernels,
    /// The queue of all commands of this batch.
    pub queue: Queue,
    memory: Memory,

    sizes: Sizes,
    precision: Precision,
    score_precision: Precision,
    work_group: usize,
    /// The host memory from which the queue copies roots, lanes and factors. It may be read until
    /// the batch's first levels have been read back.
    deal: Deal,
    factors: Vec<u8>,
    /// The roots of the last batch.
    pub roots: Vec<Root>,
    /// The number of tiles that have a root.
    used: usize,
    /// The number of levels with cleared masks.
    cleared: usize,
    /// The number of forward levels enqueued so far, and the read of `alive` after them.
    pending: Option<(usize, PendingRead)>,
}

impl Batch {
    /// Allocates the memory and makes the kernels.
    pub fn new(
        session: &Session,
        set: &KernelSet,
        graph: &DeviceGraph,
        sizes: Sizes,
        deal: Deal,
    ) -> Result<Batch, DeviceError> {
        let queue = session.new_queue()?;
        let memory = Memory::new(session, &queue, &graph.needs, &sizes)?;
        Ok(Batch {
            kernels: Kernels::new(set, graph, &memory, &sizes)?,
            queue,
            memory,
            sizes,
            precision: session.options.precision,
            score_precision: session.score_precision(),
            work_group: set.work_group(),
            deal,
            factors: Vec::new(),
            roots: Vec::new(),
            used: 0,
            cleared: 0,
            pending: None,
        })
    }

    /// Begins a batch of the first of these roots, as many as there are lanes for, and returns
    /// their number. All commands of the previous batch must be enqueued. `depth` is the depth of
    /// earlier searches: `begin` enqueues one more level than that.
    pub fn begin(
        &mut self,
        graph: &DeviceGraph,
        (prepared, roots): (&Prepared, &[Root]),
        depth: usize,
    ) -> Result<usize, DeviceError> {
        let factor = |root| prepared.factor(root);
        let dealt = self.deal.deal(roots, self.sizes.lanes(), factor);
        let roots = &roots[..dealt];
        self.roots.clear();
        self.roots.extend_from_slice(roots);
        self.used = self.deal.width().div_ceil(self.sizes.width);
        self.factors = reals(&self.deal.factors, self.precision);
        let (queue, memory) = (&self.queue, &mut self.memory);
        // SAFETY: nothing changes these vectors before the next `begin`, which comes after this
        // batch's first levels have been read back on the same in-order queue; `drop` waits.
        unsafe {
            memory[Array::Roots].write_later(queue, &self.deal.vertices)?;
            memory[Array::RootLanes].write_later(queue, &self.deal.lanes)?;
            memory[Array::UsedLanes].write_later(queue, &self.deal.used)?;
            memory[Array::FirstFactor].write_later(queue, &self.deal.first_factor)?;
            memory[Array::Factors].write_later(queue, &self.factors)?;
        }
        self.start(graph, depth)?;
        Ok(dealt)
    }

    fn start(&mut self, graph: &DeviceGraph, depth: usize) -> Result<(), DeviceError> {
        let guess = (depth + 1).min(self.sizes.planes - 1).min(graph.deepest);
        self.cleared = guess + 1;
        self.kernels.clear.set(0, Arg::Uint(self.cleared as u32))?;
        // One launch clears arrays by vertex, by chunk and by level, with an item for each element
        // of the longest.
        let per_tile = [graph.needs.vertices, graph.in_arcs().chunks, self.cleared];
        let per_tile = per_tile.into_iter().max().unwrap_or(0);
        let items = Grid::items(per_tile * self.sizes.tiles, self.work_group);
        self.kernels.clear.enqueue(&self.queue, items)?;
        let roots = Grid::groups(self.roots.len(), 1, self.group());
        self.kernels.start.enqueue(&self.queue, roots)?;
        self.forward(graph, 1..guess)
    }

    /// Waits for the levels enqueued so far, and enqueues the next commands.
    pub fn advance(&mut self, graph: &DeviceGraph) -> Result<Progress, DeviceError> {
        let Some((reached, read)) = self.pending.take() else {
            return Ok(Progress::Enqueued { depth: 0 });
        };
        let alive = read.wait()?;
        if alive.iter().any(|&alive| alive & TOO_MANY_PATHS != 0) {
            return Ok(Progress::TooManyPaths);
        }
        let tiles = self.sizes.tiles;
        let is_alive = |&level: &usize| alive[level * tiles..][..tiles].iter().any(|&a| a != 0);
        if is_alive(&reached) && reached < graph.deepest {
            let more = (reached + MORE_LEVELS).min(self.sizes.planes - 1);
            let more = more.min(graph.deepest);
            if more == reached {
                return Ok(Progress::TooDeep);
            }
            self.clear_levels(graph.needs.vertices, more + 1)?;
            self.forward(graph, reached..more)?;
            return Ok(Progress::Deeper);
        }
        let depth = (0..=reached).rev().find(is_alive).unwrap_or(0);
        for (pass, limit) in graph.limits.iter().enumerate() {
            let pass = graph.query.is_some().then_some(pass);
            self.backward(graph, depth.min(*limit), pass)?;
        }
        let items = |items| Grid::items(items, self.work_group);
        if let Some([met, reached]) = &self.kernels.path_ends {
            met.enqueue(&self.queue, items(self.sizes.rows(graph.needs.vertices)))?;
            reached.enqueue(&self.queue, items(self.sizes.lanes()))?;
        }
        if let Some(distances) = &self.kernels.distances {
            distances.set(0, Arg::Uint(depth as u32))?;
            distances.enqueue(&self.queue, items(self.sizes.rows(graph.needs.vertices)))?;
        }
        let groups = graph.needs.vertices.div_ceil(self.work_group);
        let per_vertex = Grid::groups(groups, graph.needs.columns, self.work_group);
        self.kernels.add_scores.enqueue(&self.queue, per_vertex)?;
        flush(&self.queue)?;
        Ok(Progress::Enqueued { depth })
    }

    /// Enqueues the backward kernels of the levels up to `depth`. `pass` is the number of the
    /// backward phase of a query.
    fn backward(
        &self,
        graph: &DeviceGraph,
        depth: usize,
        pass: Option<usize>,
    ) -> Result<(), DeviceError> {
        if let Some(pass) = pass {
            for kernel in &self.kernels.backward {
                kernel.set(1, Arg::count(pass))?;
            }
        }
        for level in (1..=depth).rev() {
            self.level(&self.kernels.backward, level, &graph.out_arcs)?;
        }
        if let Some(arcs) = &self.kernels.arcs {
            arcs.set(0, Arg::Uint(depth as u32))?;
            arcs.set(1, Arg::Uint(self.used as u32))?;
            if let Some(pass) = pass {
                arcs.set(2, Arg::count(pass))?;
            }
            arcs.enqueue(&self.queue, Grid::items(graph.arcs, self.group()))?;
        }
        Ok(())
    }

    /// Returns whether a path count exceeded the range of the number type. The queue must be idle.
    pub fn overflowed(&self) -> Result<bool, DeviceError> {
        let mut status = [0u32];
        self.memory[Array::Status].read(&self.queue, &mut status)?;
        Ok(status[0] != 0)
    }

    /// Adds the scores of all batches since the last call to `sums`, and clears them.
    pub fn take_sums(
        &mut self,
        prepared: &Prepared,
        sums: &mut OwnSums,
    ) -> Result<(), DeviceError> {
        let (queue, memory) = (&self.queue, &mut self.memory);
        let vertices = (Array::Scores, &mut sums.vertices);
        let arcs = sums.arcs.as_mut().map(|arcs| (Array::ArcSums, arcs));
        for (id, sums) in [Some(vertices), arcs].into_iter().flatten() {
            memory[id].add_to(queue, self.score_precision, sums)?;
            memory[id].clear(queue)?;
        }
        if self.kernels.path_ends.is_some() {
            let reached = &mut memory[Array::Reached];
            take_reached(reached, queue, &prepared.roots, &mut sums.vertices)?;
        }
        Ok(())
    }

    /// Returns the work-items of a work-group, for kernels with lanes.
    fn group(&self) -> usize {
        self.sizes.width / ITEM_LANES
    }

    /// Enqueues forward kernels for the levels `from`, each of which computes the next level, and
    /// the read of `alive`.
    fn forward(
        &mut self,
        graph: &DeviceGraph,
        from: std::ops::Range<usize>,
    ) -> Result<(), DeviceError> {
        let to = from.end.max(from.start);
        for level in from {
            self.level(&self.kernels.forward, level, graph.in_arcs())?;
        }
        let words = self.cleared * self.sizes.tiles;
        let read = PendingRead::enqueue(&self.queue, &self.memory[Array::Alive], words)?;
        flush(&self.queue)?;
        self.pending = Some((to, read));
        Ok(())
    }

    /// Enqueues a level of a direction: all chunks, then the vertices that are split into pieces.
    fn level(
        &self,
        [chunks, reduce]: &[Launcher; 2],
        level: usize,
        arcs: &DeviceChunks,
    ) -> Result<(), DeviceError> {
        let launch = |launcher: &Launcher, groups: usize| {
            launcher.set(0, Arg::Uint(level as u32))?;
            launcher.enqueue(&self.queue, Grid::groups(groups, self.used, self.group()))
        };
        launch(chunks, arcs.chunks)?;
        if arcs.splits > 0 {
            launch(reduce, arcs.splits)?;
        }
        Ok(())
    }

    /// Clears the masks and `alive` of more levels, up to `levels`.
    fn clear_levels(&mut self, vertices: usize, levels: usize) -> Result<(), DeviceError> {
        let fresh = |bytes: usize| self.cleared * bytes..levels * bytes;
        let masks = fresh(self.sizes.rows(vertices) * self.sizes.words() * 4);
        let alive = fresh(self.sizes.tiles * 4);
        let memory = &mut self.memory;
        memory[Array::Levels].clear_bytes(&self.queue, masks)?;
        memory[Array::Alive].clear_bytes(&self.queue, alive)?;
        self.cleared = levels;
        Ok(())
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // The queue may still be reading these vectors. If the driver cannot report that it has
        // finished, they are leaked.
        if finish(&self.queue).is_err() {
            mem::forget(mem::take(&mut self.deal));
            mem::forget(mem::take(&mut self.factors));
        }
    }
}
