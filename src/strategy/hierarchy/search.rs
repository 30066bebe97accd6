//! The engine of strategy `hierarchy`.

use std::collections::VecDeque;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::batch::{Batch, GROUP_ITEMS};
use super::kernels::OnDevice;
use super::layout::Layout;
use super::sizes::{SLOTS, Sizes};
use crate::device::buffers::PendingRead;
use crate::device::launch::{Arg, Grid, Launcher};
use crate::device::wait::flush;
use crate::device::{DeviceError, Session};
use crate::engine::{Engine, EngineError, Root, Sums};
use crate::prepare::Prepared;
use crate::prepare::hierarchy::{Flows, Hierarchy};

/// Work-items share the arcs of a vertex only if the level then has at most this many work-groups.
const GROUPS: usize = 1 << 14;
/// Each work-item that shares the arcs of a vertex has at least this many on average.
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
    pub(super) sizes: Sizes,
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
        let batch = Batch::new(graph, roots, self.sizes.lanes, precision);
        let batch = ManuallyDrop::new(batch);
        let OnDevice {
            arrays, buffers, ..
        } = &mut self.device;
        // SAFETY: nothing changes the vectors, and they are dropped only after the read that
        // follows these writes.
        unsafe {
            for (id, numbers) in [
                (arrays.roots, &batch.roots),
                (arrays.root_vertex, &batch.root_vertex),
                (arrays.sorted, &batch.sorted),
                (arrays.lane_of, &batch.lane_of),
                (arrays.group_offsets, &batch.group_offsets),
                (arrays.served, &batch.served),
                (arrays.end_offsets, &batch.end_offsets),
                (arrays.ends, &batch.ends),
            ] {
                buffers[id].write_later(queue, numbers)?;
            }
            buffers[arrays.sources].write_later(queue, &batch.sources)?;
            buffers[arrays.inside].write_later(queue, &batch.inside)?;
        }
        self.launch(roots.len())?;
        let status = &self.device.buffers[self.device.arrays.status];
        let read = PendingRead::enqueue(queue, status, 1)?;
        self.under_way.push_back((batch, read));
        flush(queue)
    }

    /// Launches the search of a batch of `roots` roots, which have the first lanes.
    fn launch(&self, roots: usize) -> Result<(), DeviceError> {
        let (queue, kernels) = (&self.session.queue, &self.device.kernels);
        let set = |launcher: &Launcher, index, number: usize| {
            launcher.set(index, Arg::Uint(number as u32))
        };
        let groups = |count, slots| Grid::groups(count, self.sizes.tiles * slots, self.work_group);
        let each_root = Grid::groups(roots, 1, self.work_group);
        kernels.climb.enqueue(queue, each_root)?;
        let (levels, passes) = (&self.layout.levels, self.sizes.passes);
        for (at, level) in levels.iter().enumerate() {
            let slots = self.slots(level.vertices.len(), level.most_arcs);
            let kernel = match at + 1 == levels.len() {
                true => &kernels.leaves,
                false => &kernels.forward,
            };
            set(kernel, 0, level.vertices.start)?;
            set(kernel, 1, slots)?;
            kernel.enqueue(queue, groups(level.vertices.len(), slots))?;
        }
        let backward = levels.iter().rev().filter(|_| passes > 0);
        for level in backward {
            if !level.chunks.is_empty() {
                set(&kernels.backward, 0, level.chunks.start)?;
                let grid = groups(level.chunks.len() * passes, 1);
                kernels.backward.enqueue(queue, grid)?;
            }
            if !level.splits.is_empty() {
                let splits = level.splits.len() * passes;
                let slots = self.slots(splits, level.most_pieces);
                set(&kernels.backward_reduce, 0, level.splits.start)?;
                set(&kernels.backward_reduce, 1, slots)?;
                let grid = groups(splits, slots);
                kernels.backward_reduce.enqueue(queue, grid)?;
            }
        }
        let vertices = self.hierarchy.vertices();
        let each_vertex = Grid::groups(vertices, 1, self.work_group);
        for pass in 0..passes {
            if self.session.options.query {
                set(&kernels.descend, PASS, pass)?;
                set(&kernels.climb_sums, PASS, pass)?;
            }
            kernels.descend.enqueue(queue, each_root)?;
            kernels.climb_sums.enqueue(queue, each_vertex)?;
        }
        if let Some(add_distances) = &kernels.add_distances {
            add_distances.enqueue(queue, each_vertex)?;
        }
        if let Some([met, reached]) = &kernels.path_ends {
            met.enqueue(queue, each_vertex)?;
            reached.enqueue(queue, Grid::items(self.sizes.lanes, self.work_group))?;
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
                && vertices * self.sizes.tiles * slots <= GROUPS
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
        self.sizes.lanes
    }

    fn roots_together(&self) -> usize {
        self.sizes.lanes
    }

    fn roots_in_flight(&self) -> usize {
        self.under_way.len() * self.sizes.lanes
    }

    fn collect_time(&self) -> Duration {
        self.collect_time
    }

    fn error_bound(&self) -> f64 {
        self.error_bound
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        for roots in roots.chunks(self.sizes.lanes) {
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
        self.device.buffers[self.device.arrays.status].read(queue, &mut status)?;
        if status[0] != 0 {
            return Err(EngineError::too_many_paths(None, self.session));
        }
        let start = Instant::now();
        let precision = self.session.score_precision();
        let (n, arcs) = (self.layout.ranks.len(), self.layout.heads.len());
        let splits = self.layout.split_vertex.len();
        let passes = self.sizes.passes;
        let distances = self.device.distances * n;
        let OnDevice {
            arrays,
            kernels,
            buffers,
            ..
        } = &mut self.device;
        for (kernel, items) in [
            (&kernels.add_flows, passes * arcs),
            (&kernels.add_split_scores, passes * splits),
            (&kernels.add_scores, passes * n),
        ] {
            kernel.enqueue(queue, Grid::items(items, self.work_group))?;
        }
        let mut take = |id, len| {
            let numbers = buffers[id].read_reals(queue, precision, len)?;
            buffers[id].clear(queue)?;
            Ok::<_, DeviceError>(numbers)
        };
        let falling = take(arrays.flows, passes * arcs)?;
        let rising = take(arrays.rising, passes * arcs)?;
        let scores = take(arrays.scores, passes * n)?;
        let split_scores = take(arrays.split_scores, passes * splits)?;
        let climb_scores = take(arrays.climb_scores, passes * n)?;
        let distances = take(arrays.distance_sums, distances)?;

        let (hierarchy, layout) = (&self.hierarchy, &self.layout);
        let vertex = |position: usize| hierarchy.vertex[layout.ranks[position] as usize] as usize;
        for pass in 0..passes {
            let mut sums = sums.of_pass(pass, &self.prepared.graph);
            let rising: Vec<f64> = numbers_of_pass(&rising, pass, passes).collect();
            let mut flows = Flows::zero(hierarchy);
            let falling = &falling[pass * arcs..][..arcs];
            layout.add_flows(hierarchy, &rising, falling, &mut flows);
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
