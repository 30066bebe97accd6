//! One batch on its way through the levels: its memory, its queue, its kernels.

use std::mem;

use super::deal::Deal;
use super::graph::{DeviceChunks, DeviceGraph};
use super::kernels::{Kernels, Memory};
use super::sizes::{ITEM_LANES, Needs, Of, Sizes};
use crate::device::buffers::PendingRead;
use crate::device::launch::{Arg, Grid, KernelSet, Launcher};
use crate::device::wait::{finish, flush};
use crate::device::{DeviceError, Queue, Session};
use crate::engine::{OwnSums, Precision, Root};
use crate::prepare::Prepared;
use crate::strategy::take_reached;

/// Levels enqueued at a time after a batch turned out deeper than guessed.
const MORE_LEVELS: usize = 3;

/// What a path count that is too large for narrow rows leaves in the signs of life of its level and
/// tile: `TOO_MANY_PATHS` of `cl/lanes/lanes.cl`.
const TOO_MANY_PATHS: u32 = 2;

/// How far a batch is.
pub enum Progress {
    /// More levels have been enqueued.
    Deeper,
    /// Everything up to the scores has been enqueued.
    Enqueued {
        /// Deepest level of the batch.
        depth: usize,
    },
    /// There are no masks for more levels; nothing was added to the scores.
    TooDeep,
    /// There are more shortest paths than narrow rows can count; nothing was added to the scores.
    TooManyPaths,
}

/// Memory, queue and kernels of one batch at a time.
pub struct Batch {
    // Kernels point into the memory, which is dropped last.
    kernels: Kernels,
    /// The queue of everything that this batch does.
    pub queue: Queue,
    memory: Memory,

    sizes: Sizes,
    precision: Precision,
    score_precision: Precision,
    work_group: usize,
    /// What roots, lanes and factors are written from: the queue may still be reading
    /// them until the batch's first levels have come back.
    deal: Deal,
    factors_f32: Vec<f32>,
    /// Those of the batch begun last.
    pub roots: Vec<Root>,
    /// Tiles that have a root.
    used: usize,
    /// Levels whose masks are cleared.
    cleared: usize,
    /// Forward levels enqueued so far, and the read of which of them are alive.
    pending: Option<(usize, PendingRead)>,
}

impl Batch {
    /// Allocates everything.
    pub fn new(
        session: &Session,
        set: &KernelSet,
        graph: &DeviceGraph,
        needs: &Needs,
        sizes: Sizes,
        deal: Deal,
    ) -> Result<Batch, DeviceError> {
        let queue = session.new_queue()?;
        let memory = Memory::new(session, &queue, needs, &sizes)?;
        Ok(Batch {
            kernels: Kernels::new(set, graph, &memory, needs, &sizes)?,
            queue,
            memory,
            sizes,
            precision: session.options.precision,
            score_precision: session.score_precision(),
            work_group: set.work_group(),
            deal,
            factors_f32: Vec::new(),
            roots: Vec::new(),
            used: 0,
            cleared: 0,
            pending: None,
        })
    }

    /// Begins a batch of the first of these roots, as many as there are lanes for, behind the one
    /// before, whose commands must all be enqueued. Returns how many. `depth`: how deep earlier
    /// searches were; so many levels and one more are enqueued without looking.
    pub fn begin(
        &mut self,
        graph: &DeviceGraph,
        roots: &[Root],
        depth: usize,
    ) -> Result<usize, DeviceError> {
        let dealt = self.deal.deal(roots, self.sizes.lanes());
        let roots = &roots[..dealt];
        self.roots.clear();
        self.roots.extend_from_slice(roots);
        self.used = self.deal.width().div_ceil(self.sizes.width);
        let narrow = self.deal.factors.iter().map(|&wide| wide as f32);
        self.factors_f32.clear();
        self.factors_f32.extend(narrow);
        let (queue, memory) = (&self.queue, &mut self.memory);
        // SAFETY: these vectors stay as they are until the next `begin`, which comes after this
        // batch's first levels have been read back on the same in-order queue; `drop` waits.
        unsafe {
            memory[Of::Roots].write_later(queue, &self.deal.vertices)?;
            memory[Of::RootLanes].write_later(queue, &self.deal.lanes)?;
            memory[Of::UsedLanes].write_later(queue, &self.deal.used)?;
            memory[Of::FirstFactor].write_later(queue, &self.deal.first_factor)?;
            let factors = &mut memory[Of::Factors];
            match self.precision.is_double() {
                true => factors.write_later(queue, &self.deal.factors)?,
                false => factors.write_later(queue, &self.factors_f32)?,
            }
        }
        self.start(graph, depth)?;
        Ok(dealt)
    }

    fn start(&mut self, graph: &DeviceGraph, depth: usize) -> Result<(), DeviceError> {
        let guess = (depth + 1).min(self.sizes.planes - 1);
        self.cleared = guess + 1;
        self.kernels.clear.set(0, Arg::Uint(self.cleared as u32))?;
        // One launch clears per vertex, per chunk and per level: as many items as the most of them.
        let per_tile = [graph.vertices, graph.in_arcs().chunks, self.cleared];
        let per_tile = per_tile.into_iter().max().unwrap_or(0);
        let items = Grid::items(per_tile * self.sizes.tiles, self.work_group);
        self.kernels.clear.enqueue(&self.queue, items)?;
        let roots = Grid::groups(self.roots.len(), 1, self.group());
        self.kernels.start.enqueue(&self.queue, roots)?;
        self.forward(graph, 1..guess)
    }

    /// Looks at how far the batch got, waiting for the device, and enqueues what comes next.
    pub fn advance(&mut self, graph: &DeviceGraph) -> Result<Progress, DeviceError> {
        let Some((reached, read)) = self.pending.take() else {
            return Ok(Progress::Enqueued { depth: 0 });
        };
        let alive = read.wait()?;
        if alive.iter().any(|&signs| signs & TOO_MANY_PATHS != 0) {
            return Ok(Progress::TooManyPaths);
        }
        let tiles = self.sizes.tiles;
        let is_alive = |&level: &usize| alive[level * tiles..][..tiles].iter().any(|&a| a != 0);
        if is_alive(&reached) {
            let more = (reached + MORE_LEVELS).min(self.sizes.planes - 1);
            if more == reached {
                return Ok(Progress::TooDeep);
            }
            self.clear_levels(graph.vertices, more + 1)?;
            self.forward(graph, reached..more)?;
            return Ok(Progress::Deeper);
        }
        let depth = (0..reached).rev().find(is_alive).unwrap_or(0);
        for level in (1..=depth).rev() {
            self.level(&self.kernels.backward, level, &graph.out_arcs)?;
        }
        let items = |items| Grid::items(items, self.work_group);
        if let Some([met, reached]) = &self.kernels.path_ends {
            met.enqueue(&self.queue, items(self.sizes.rows(graph.vertices)))?;
            reached.enqueue(&self.queue, items(self.sizes.lanes()))?;
        }
        if let Some(arcs) = &self.kernels.arcs {
            arcs.set(0, Arg::Uint(depth as u32))?;
            arcs.set(1, Arg::Uint(self.used as u32))?;
            arcs.enqueue(&self.queue, Grid::items(graph.arcs, self.group()))?;
        }
        let per_vertex = items(graph.vertices);
        self.kernels.add_scores.enqueue(&self.queue, per_vertex)?;
        flush(&self.queue)?;
        Ok(Progress::Enqueued { depth })
    }

    /// Whether a path count left the range of the number type. The queue must be idle.
    pub fn overflowed(&self) -> Result<bool, DeviceError> {
        let mut status = [0u32];
        self.memory[Of::Status].read(&self.queue, &mut status)?;
        Ok(status[0] != 0)
    }

    /// Adds the scores of all batches since the last call to `sums`, and forgets them.
    pub fn take_sums(
        &mut self,
        prepared: &Prepared,
        sums: &mut OwnSums,
    ) -> Result<(), DeviceError> {
        let (queue, memory) = (&self.queue, &mut self.memory);
        let vertices = (Of::Scores, &mut sums.vertices);
        let arcs = sums.arcs.as_mut().map(|arcs| (Of::ArcSums, arcs));
        for (place, sums) in [Some(vertices), arcs].into_iter().flatten() {
            memory[place].add_to(queue, self.score_precision, sums)?;
            memory[place].clear(queue)?;
        }
        if self.kernels.path_ends.is_some() {
            let reached = &mut memory[Of::Reached];
            take_reached(reached, queue, &prepared.roots, &mut sums.vertices)?;
        }
        Ok(())
    }

    /// Work-items of a work-group of the kernels that go through lanes.
    fn group(&self) -> usize {
        self.sizes.width / ITEM_LANES
    }

    /// Enqueues the levels `from` (each makes the next one) and the read of which are alive.
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
        let read = PendingRead::enqueue(&self.queue, &self.memory[Of::Alive], words)?;
        flush(&self.queue)?;
        self.pending = Some((to, read));
        Ok(())
    }

    /// Enqueues one level of one direction: all chunks, then the vertices split among several.
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

    /// Clears the masks and signs of life of more levels, up to `levels`.
    fn clear_levels(&mut self, vertices: usize, levels: usize) -> Result<(), DeviceError> {
        let fresh = |bytes: usize| self.cleared * bytes..levels * bytes;
        let masks = fresh(self.sizes.rows(vertices) * self.sizes.words() * 4);
        let alive = fresh(self.sizes.tiles * 4);
        let memory = &mut self.memory;
        memory[Of::Levels].clear_bytes(&self.queue, masks)?;
        memory[Of::Alive].clear_bytes(&self.queue, alive)?;
        self.cleared = levels;
        Ok(())
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // The queue may still be reading the lanes' vectors. If the driver cannot say that it is
        // done with them, they are its for good.
        if finish(&self.queue).is_err() {
            mem::forget(mem::take(&mut self.deal));
            mem::forget(mem::take(&mut self.factors_f32));
        }
    }
}
