//! A batch of roots: its memory, its queue, its kernels, and the levels enqueued so far.

use std::mem;
use std::ops::Range;
use std::rc::Rc;

use super::assignment::Assignment;
use super::graph::{DeviceChunks, DeviceGraph};
use super::kernels::Kernels;
use super::sizes::{ITEM_LANES, Memory, Sizes};
use crate::device::buffers::{DeviceBuffer, PendingRead, reals};
use crate::device::launch::{Arg, Grid, KernelSet, Launcher};
use crate::device::wait::{finish, flush};
use crate::device::{DeviceError, Queue, Session};
use crate::engine::{OwnSums, Root};
use crate::strategy::take_reached;

/// The number of levels enqueued at a time for a batch that is deeper than guessed.
const MORE_LEVELS: usize = 3;

/// The bit of `alive[level][tile]` that says that a path count is too large for narrow rows:
/// `TOO_MANY_PATHS` of `cl/lanes/lanes.cl`.
const TOO_MANY_PATHS: u32 = 2;

/// The state of a batch after [`Batch::finish`].
pub enum Progress {
    /// All commands up to the scores of a batch of this depth have been enqueued.
    Enqueued(usize),
    /// The batch has more levels than there are masks; it added nothing to the scores.
    TooDeep,
    /// There are more shortest paths than narrow rows can count; the batch added nothing to the
    /// scores.
    TooManyPaths,
}

/// The memory, queue and kernels of one batch at a time.
pub struct Batch<'s> {
    session: &'s Session,
    graph: Rc<DeviceGraph<'s>>,
    kernels: Kernels,
    /// The queue of all commands of this batch.
    pub queue: Queue,
    memory: Memory<DeviceBuffer>,

    sizes: Sizes,
    work_group: usize,
    /// The host memory from which the queue copies roots, lanes and factors. The queue may read it
    /// until the first levels of the batch have been read back.
    assignment: Assignment,
    factors: Vec<u32>,
    /// The roots of the last batch.
    pub roots: Vec<Root>,
    /// The number of tiles that have a root.
    used_tiles: usize,
    /// The number of levels whose masks have been cleared for this batch.
    cleared_levels: usize,
    /// The number of forward levels enqueued so far, and the read of `alive` after them.
    pending: Option<(usize, PendingRead)>,
}

impl<'s> Batch<'s> {
    /// Makes the queue and the kernels.
    pub(super) fn new(
        session: &'s Session,
        set: &KernelSet,
        graph: Rc<DeviceGraph<'s>>,
        sizes: Sizes,
        memory: Memory<DeviceBuffer>,
    ) -> Result<Self, DeviceError> {
        Ok(Batch {
            session,
            kernels: Kernels::new(set, &graph, &memory, &sizes)?,
            queue: session.new_queue()?,
            memory,
            sizes,
            work_group: set.work_group,
            assignment: Assignment::new(graph.needs.components),
            factors: Vec::new(),
            roots: Vec::new(),
            used_tiles: 0,
            cleared_levels: 0,
            pending: None,
            graph,
        })
    }

    /// Begins a batch of the first of these roots, as many as there are lanes for, and returns
    /// their number. All commands of the previous batch must be enqueued. `depth` is the depth of
    /// earlier searches: `begin` enqueues one more level than that.
    pub fn begin(&mut self, roots: &[Root], depth: usize) -> Result<usize, DeviceError> {
        let assigned = (self.assignment).assign(self.graph.prepared, roots, self.sizes.lanes());
        self.roots.clear();
        self.roots.extend_from_slice(&roots[..assigned]);
        self.used_tiles = self.assignment.width().div_ceil(self.sizes.width);
        self.factors = reals(&self.assignment.factors, self.session.options.precision);
        let (queue, memory, assignment) = (&self.queue, &self.memory, &self.assignment);
        // SAFETY: nothing changes these vectors before the next `begin`, which comes after this
        // batch's first levels have been read back on the same in-order queue; `drop` waits.
        unsafe {
            memory.roots.write(queue, &assignment.vertices, false)?;
            memory.root_lanes.write(queue, &assignment.lanes, false)?;
            memory
                .used_lanes
                .write(queue, &assignment.lane_counts, false)?;
            memory
                .first_factor
                .write(queue, &assignment.first_factor, false)?;
            memory.factors.write(queue, &self.factors, false)?;
        }
        let guess = (depth + 1).min(self.sizes.planes - 1);
        let guess = guess.min(self.graph.deepest());
        self.cleared_levels = guess + 1;
        // One launch clears arrays by vertex, by chunk and by level, with an item for each element
        // of the longest.
        let per_tile = self.graph.needs.vertices.max(self.graph.in_arcs().chunks);
        let items = per_tile.max(self.cleared_levels) * self.sizes.tiles;
        let grid = self.items(items);
        (self.kernels.clear).enqueue_with(queue, &[(0, self.cleared_levels)], grid)?;
        let roots = Grid::groups(assigned, 1, self.group());
        self.kernels.start.enqueue(queue, roots)?;
        self.forward(1..guess)?;
        Ok(assigned)
    }

    /// Waits for the enqueued levels, and enqueues more levels as long as the batch needs them.
    /// Then enqueues all commands up to the scores, unless the batch has failed.
    pub fn finish(&mut self) -> Result<Progress, DeviceError> {
        let tiles = self.sizes.tiles;
        let deepest = self.graph.deepest().min(self.sizes.planes - 1);
        while let Some((reached, read)) = self.pending.take() {
            let alive = read.wait()?;
            if alive.iter().any(|&alive| alive & TOO_MANY_PATHS != 0) {
                return Ok(Progress::TooManyPaths);
            }
            let is_alive = |&level: &usize| alive[level * tiles..][..tiles].iter().any(|&a| a != 0);
            if !is_alive(&reached) || reached >= self.graph.deepest() {
                let depth = (0..=reached).rev().find(is_alive).unwrap_or(0);
                self.enqueue_end(depth)?;
                return Ok(Progress::Enqueued(depth));
            }
            let more = (reached + MORE_LEVELS).min(deepest);
            if more == reached {
                return Ok(Progress::TooDeep);
            }
            self.clear_levels(more + 1)?;
            self.forward(reached..more)?;
        }
        Ok(Progress::Enqueued(0))
    }

    /// Enqueues all commands after the forward levels of a batch of this depth.
    fn enqueue_end(&self, depth: usize) -> Result<(), DeviceError> {
        for (pass, limits) in self.graph.prepared.passes().iter().enumerate() {
            self.backward(depth.min(limits.limit as usize), pass)?;
        }
        let needs = &self.graph.needs;
        let rows = self.items(self.sizes.rows(needs.vertices));
        if let Some([met, reached]) = &self.kernels.path_ends {
            met.enqueue(&self.queue, rows)?;
            reached.enqueue(&self.queue, self.items(self.sizes.lanes()))?;
        }
        if let Some(distances) = &self.kernels.distances {
            distances.enqueue_with(&self.queue, &[(0, depth)], rows)?;
        }
        let groups = needs.vertices.div_ceil(self.work_group);
        let per_vertex = Grid::groups(groups, needs.columns, self.work_group);
        self.kernels.add_scores.enqueue(&self.queue, per_vertex)?;
        flush(&self.queue)
    }

    /// Enqueues the backward kernels of the levels up to `depth`, for a backward phase.
    fn backward(&self, depth: usize, pass: usize) -> Result<(), DeviceError> {
        // Only programs for a query have an argument for the phase.
        let has_pass = self.graph.query.is_some();
        if has_pass {
            for kernel in &self.kernels.backward {
                kernel.set(1, Arg::Count(pass))?;
            }
        }
        for level in (1..=depth).rev() {
            self.level(&self.kernels.backward, level, &self.graph.out_arcs)?;
        }
        if let Some(arcs) = &self.kernels.arcs {
            let numbers = [(0, depth), (1, self.used_tiles), (2, pass)];
            let numbers = if has_pass { &numbers } else { &numbers[..2] };
            let grid = Grid::items(self.graph.prepared.graph.arcs(), self.group());
            arcs.enqueue_with(&self.queue, numbers, grid)?;
        }
        Ok(())
    }

    /// Returns whether a path count exceeded the range of the number type. The queue must be idle.
    pub fn overflowed(&self) -> Result<bool, DeviceError> {
        let mut status = [0u32];
        self.memory.status.read(&self.queue, &mut status)?;
        Ok(status[0] != 0)
    }

    /// Adds to `sums` the scores of all batches since the last call, and clears them.
    pub fn take_sums(&self, sums: &mut OwnSums) -> Result<(), DeviceError> {
        let (queue, memory) = (&self.queue, &self.memory);
        let precision = self.session.score_precision();
        memory
            .scores
            .move_to(queue, precision, &mut sums.vertices)?;
        if let Some(arcs) = &mut sums.arcs {
            memory.arc_sums.move_to(queue, precision, arcs)?;
        }
        if self.kernels.path_ends.is_some() {
            let roots = &self.graph.prepared.roots;
            take_reached(&memory.reached, queue, roots, &mut sums.vertices)?;
        }
        Ok(())
    }

    /// Returns the work-items of a work-group, for kernels with lanes.
    fn group(&self) -> usize {
        self.sizes.width / ITEM_LANES
    }

    /// Returns the grid of a kernel without lanes.
    fn items(&self, items: usize) -> Grid {
        Grid::items(items, self.work_group)
    }

    /// Enqueues forward kernels for the levels `from`, each of which computes the next level, and
    /// the read of `alive`.
    fn forward(&mut self, from: Range<usize>) -> Result<(), DeviceError> {
        let to = from.end.max(from.start);
        for level in from {
            self.level(&self.kernels.forward, level, self.graph.in_arcs())?;
        }
        let words = self.cleared_levels * self.sizes.tiles;
        let read = self.memory.alive.read_later(&self.queue, words)?;
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
            let grid = Grid::groups(groups, self.used_tiles, self.group());
            launcher.enqueue_with(&self.queue, &[(0, level)], grid)
        };
        launch(chunks, arcs.chunks)?;
        if arcs.splits > 0 {
            launch(reduce, arcs.splits)?;
        }
        Ok(())
    }

    /// Clears the masks and `alive` of the levels below `levels` that are not cleared yet.
    fn clear_levels(&mut self, levels: usize) -> Result<(), DeviceError> {
        let fresh = |bytes: usize| self.cleared_levels * bytes..levels * bytes;
        let rows = self.sizes.rows(self.graph.needs.vertices);
        let masks = fresh(rows * self.sizes.words() * 4);
        let alive = fresh(self.sizes.tiles * 4);
        self.memory.levels.clear_bytes(&self.queue, masks)?;
        self.memory.alive.clear_bytes(&self.queue, alive)?;
        self.cleared_levels = levels;
        Ok(())
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        // The queue may still be reading these vectors. If the driver cannot report that it has
        // finished, they are leaked.
        if finish(&self.queue).is_err() {
            mem::forget(mem::take(&mut self.assignment));
            mem::forget(mem::take(&mut self.factors));
        }
    }
}
