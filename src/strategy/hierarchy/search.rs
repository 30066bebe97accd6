//! The engine of strategy `hierarchy`.

use std::collections::VecDeque;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::batch::{self, Batch, GROUP_ITEMS};
use super::kernels::{OnDevice, SLOTS};
use super::layout::Layout;
use crate::device::buffers::{DeviceBuffer, PendingRead};
use crate::device::launch::Grid;
use crate::device::wait::flush;
use crate::device::{DeviceError, Session};
use crate::engine::{Engine, EngineError, Root, Sums};
use crate::prepare::Prepared;
use crate::prepare::hierarchy::{Flows, Hierarchy};

/// Work-items share the arcs of a vertex only if the level then has at most this many work-groups.
const GROUPS: usize = 1 << 14;
/// Work-items share the arcs of a vertex only if the level has a vertex with at least this many
/// arcs for each of them.
const ARCS_OF_SLOT: usize = 8;
/// The index of argument `pass` in the kernels that have it.
const PASS: u32 = 3;
/// The host enqueues this many batches before it waits for the first of them.
const BATCHES: usize = 2;

/// An engine that sweeps over the overlay for batches of roots.
pub(super) struct HierarchySearch<'s> {
    pub(super) session: &'s Session,
    pub(super) prepared: &'s Prepared,
    pub(super) hierarchy: Arc<Hierarchy>,
    pub(super) layout: Layout,
    /// Lanes of a batch.
    pub(super) lanes: usize,
    /// Tiles of a batch. A tile is the lanes of a work-group.
    pub(super) tiles: usize,
    /// The number of backward phases.
    pub(super) passes: usize,
    pub(super) work_group: usize,
    pub(super) error_bound: f64,
    pub(super) collect_time: Duration,
    /// Batches under way, each with the read that ends it. The device may read a batch until that
    /// read is done; if the driver cannot report that, the batch is leaked.
    pub(super) under_way: VecDeque<(ManuallyDrop<Batch>, PendingRead)>,
    pub(super) device: OnDevice,
}

impl HierarchySearch<'_> {
    /// Enqueues all commands of a batch of roots.
    fn enqueue(&mut self, roots: &[Root]) -> Result<(), DeviceError> {
        if self.under_way.len() >= BATCHES {
            self.finish_oldest()?;
        }
        let queue = &self.session.queue;
        let graph = (self.prepared, &*self.hierarchy, &self.layout);
        let precision = self.session.options.precision;
        let batch = batch::assign(graph, roots, self.lanes, precision);
        let batch = ManuallyDrop::new(batch);
        for (buffer, numbers) in self.device.batch.iter().zip(&*batch) {
            // SAFETY: nothing changes the vectors, and they are dropped only after the read that
            // follows these writes.
            unsafe { buffer.write(queue, numbers, false)? };
        }
        self.launch(roots.len())?;
        let read = self.device.status.read_later(queue, 1)?;
        self.under_way.push_back((batch, read));
        flush(queue)
    }

    /// Launches the search of a batch of `roots` roots, which have the first lanes.
    fn launch(&self, roots: usize) -> Result<(), DeviceError> {
        let (queue, kernels) = (&self.session.queue, &self.device);
        let groups = |count, slots| Grid::groups(count, self.tiles * slots, self.work_group);
        let each_root = Grid::groups(roots, 1, self.work_group);
        kernels.climb.enqueue(queue, each_root)?;
        let (levels, passes) = (&self.layout.levels, self.passes);
        for (at, level) in levels.iter().enumerate() {
            let slots = self.slots(level.vertices.len(), level.most_arcs);
            let kernel = match at + 1 == levels.len() {
                true => &kernels.leaves,
                false => &kernels.forward,
            };
            let numbers = [(0, level.vertices.start), (1, slots)];
            kernel.enqueue_with(queue, &numbers, groups(level.vertices.len(), slots))?;
        }
        let backward = levels.iter().rev().filter(|_| passes > 0);
        for level in backward {
            if !level.chunks.is_empty() {
                let grid = groups(level.chunks.len() * passes, 1);
                let numbers = [(0, level.chunks.start)];
                kernels.backward.enqueue_with(queue, &numbers, grid)?;
            }
            if !level.splits.is_empty() {
                let splits = level.splits.len() * passes;
                let slots = self.slots(splits, level.most_pieces);
                let numbers = [(0, level.splits.start), (1, slots)];
                let grid = groups(splits, slots);
                kernels
                    .backward_reduce
                    .enqueue_with(queue, &numbers, grid)?;
            }
        }
        let vertices = self.hierarchy.vertices();
        let each_vertex = Grid::groups(vertices, 1, self.work_group);
        let has_pass = self.session.options.query;
        for pass in 0..passes {
            let number = if has_pass { &[(PASS, pass)][..] } else { &[] };
            kernels.descend.enqueue_with(queue, number, each_root)?;
            kernels
                .climb_sums
                .enqueue_with(queue, number, each_vertex)?;
        }
        if let Some(add_distances) = &kernels.add_distances {
            add_distances.enqueue(queue, each_vertex)?;
        }
        if let Some([met, reached]) = &kernels.path_ends {
            met.enqueue(queue, each_vertex)?;
            reached.enqueue(queue, Grid::items(self.lanes, self.work_group))?;
        }
        Ok(())
    }

    /// Returns how many work-items share the arcs of a vertex in the same lanes, on a level of
    /// `vertices` vertices with at most `arcs` arcs each: more on levels of few vertices, which
    /// would leave the device idle otherwise.
    fn slots(&self, vertices: usize, arcs: usize) -> usize {
        let is_useful = |&slots: &usize| {
            self.work_group.is_multiple_of(slots * GROUP_ITEMS)
                && arcs >= ARCS_OF_SLOT * slots
                && vertices * self.tiles * slots <= GROUPS
        };
        let powers = std::iter::successors(Some(2), |slots| Some(2 * slots));
        let useful = powers.take_while(|&slots| slots <= SLOTS && is_useful(&slots));
        useful.last().unwrap_or(1)
    }

    /// Waits for the oldest batch under way.
    fn finish_oldest(&mut self) -> Result<(), DeviceError> {
        if let Some((batch, read)) = self.under_way.pop_front() {
            read.wait()?;
            drop(ManuallyDrop::into_inner(batch));
        }
        Ok(())
    }
}

impl Engine for HierarchySearch<'_> {
    fn roots_wanted(&self) -> usize {
        self.lanes
    }

    fn roots_together(&self) -> usize {
        self.lanes
    }

    fn roots_in_flight(&self) -> usize {
        self.under_way.len() * self.lanes
    }

    fn collect_time(&self) -> Duration {
        self.collect_time
    }

    fn error_bound(&self) -> f64 {
        self.error_bound
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        for roots in roots.chunks(self.lanes) {
            self.enqueue(roots)?;
        }
        Ok(())
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        while !self.under_way.is_empty() {
            self.finish_oldest()?;
        }
        let queue = &self.session.queue;
        let mut status = [0u32];
        self.device.status.read(queue, &mut status)?;
        if status[0] != 0 {
            return Err(EngineError::too_many_paths(None, self.session));
        }
        let start = Instant::now();
        let precision = self.session.score_precision();
        let (n, arcs) = (self.layout.ranks.len(), self.layout.heads.len());
        let splits = self.layout.split_vertex.len();
        let passes = self.passes;
        let device = &self.device;
        for (kernel, items) in [
            (&device.add_flows, passes * arcs),
            (&device.add_split_scores, passes * splits),
            (&device.add_scores, passes * n),
        ] {
            kernel.enqueue(queue, Grid::items(items, self.work_group))?;
        }
        let take = |buffer: &DeviceBuffer, len| {
            let numbers = buffer.read_reals(queue, precision, len)?;
            buffer.clear(queue)?;
            Ok::<_, DeviceError>(numbers)
        };
        let falling = take(&device.falling_flows, passes * arcs)?;
        let rising = take(&device.rising_flows, passes * arcs)?;
        let scores = take(&device.scores, passes * n)?;
        let split_scores = take(&device.split_scores, passes * splits)?;
        let climb_scores = take(&device.climb_scores, passes * n)?;
        let distances = self.prepared.any_query().distances.len();
        let distances = take(&device.distance_sums, distances * n)?;

        let (hierarchy, layout) = (&self.hierarchy, &self.layout);
        let vertex = |position: usize| hierarchy.vertex[layout.ranks[position] as usize] as usize;
        for pass in 0..passes {
            let mut sums = sums.of_pass(pass, &self.prepared.graph);
            let mut flows = Flows::zero(hierarchy);
            let rising = numbers_of_pass(&rising, pass, passes);
            layout.add_flows(rising, &falling[pass * arcs..][..arcs], &mut flows);
            let scores = &scores[pass * n..][..n];
            let climbed = numbers_of_pass(&climb_scores, pass, passes);
            for (position, (score, climbed)) in scores.iter().zip(climbed).enumerate() {
                sums.vertices[vertex(position)] += score + climbed;
            }
            let split_scores = &split_scores[pass * splits..][..splits];
            for (&position, score) in layout.split_vertex.iter().zip(split_scores) {
                sums.vertices[vertex(position as usize)] += score;
            }
            hierarchy.unpack(&mut flows, self.prepared, &mut sums);
        }
        let columns = sums.vertices[passes * n..].chunks_exact_mut(n.max(1));
        for (column, own) in columns.zip(distances.chunks_exact(n.max(1))) {
            for (position, sum) in own.iter().enumerate() {
                column[vertex(position)] += sum;
            }
        }
        self.collect_time = start.elapsed();
        Ok(())
    }
}

/// Returns the numbers of a pass from an array that has the numbers of all passes side by side.
fn numbers_of_pass(numbers: &[f64], pass: usize, passes: usize) -> impl Iterator<Item = f64> {
    numbers.iter().skip(pass).step_by(passes).copied()
}

impl Drop for HierarchySearch<'_> {
    fn drop(&mut self) {
        while !self.under_way.is_empty() && self.finish_oldest().is_ok() {}
    }
}
