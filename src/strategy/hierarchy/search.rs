//! Batches of roots on their way through the device, and their sums.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::batch::{Batch, GROUP_ITEMS};
use super::kernels::{Arrays, OnDevice};
use super::layout::Layout;
use super::sizes::{ARCS_OF_SLOT, BATCHES, GROUPS, SLOTS};
use crate::device::buffers::PendingRead;
use crate::device::launch::{Arg, Grid, Launcher};
use crate::device::wait::{finish, flush};
use crate::device::{DeviceError, Session};
use crate::engine::{Engine, EngineError, Root, Sums};
use crate::prepare::Prepared;
use crate::prepare::hierarchy::{Flows, Hierarchy};

/// Searches under way, and their sums.
pub(super) struct HierarchySearch<'s> {
    pub(super) session: &'s Session,
    pub(super) prepared: &'s Prepared,
    pub(super) hierarchy: Arc<Hierarchy>,
    pub(super) layout: Layout,
    pub(super) lanes: usize,
    /// Tiles of lanes, one for a work-group.
    pub(super) tiles: usize,
    pub(super) work_group: usize,
    pub(super) error_bound: f64,
    pub(super) collect_time: Duration,
    /// Batches under way, each with the read that ends it.
    pub(super) under_way: VecDeque<(Batch, PendingRead)>,
    /// Those whose memory may be used again.
    pub(super) spare: Vec<Batch>,
    pub(super) sums: Collected,
    /// Dropped last: the queue reads batches until then.
    pub(super) device: OnDevice,
}

/// What has been read back, in the device's order.
pub(super) struct Collected {
    pub(super) flows: Vec<f64>,
    pub(super) rising: Vec<f64>,
    pub(super) scores: Vec<f64>,
    pub(super) split_scores: Vec<f64>,
    pub(super) climb_scores: Vec<f64>,
}

impl HierarchySearch<'_> {
    /// Enqueues everything that a batch of roots takes.
    fn enqueue(&mut self, roots: &[Root]) -> Result<(), DeviceError> {
        if self.under_way.len() >= BATCHES {
            self.finish_oldest()?;
        }
        let queue = &self.session.queue;
        let mut batch = self.spare.pop().unwrap_or_default();
        let chains = self.prepared.chains.as_deref();
        batch.fill((&self.hierarchy, &self.layout, chains), roots, self.lanes);
        let OnDevice {
            arrays, buffers, ..
        } = &mut self.device;
        // SAFETY: the vectors stay as they are until the batch has been waited for: it is kept in
        // `under_way` until then, and `drop` waits.
        unsafe {
            for (place, numbers) in [
                (arrays.roots, &batch.roots),
                (arrays.root_vertex, &batch.root_vertex),
                (arrays.sorted, &batch.sorted),
                (arrays.lane_of, &batch.lane_of),
                (arrays.group_offsets, &batch.group_offsets),
                (arrays.served, &batch.served),
                (arrays.end_offsets, &batch.end_offsets),
                (arrays.ends, &batch.ends),
            ] {
                buffers[place].write_later(queue, numbers)?;
            }
            for (place, numbers, narrow) in [
                (arrays.sources, &batch.sources, &batch.sources_f32),
                (arrays.inside, &batch.inside, &batch.inside_f32),
            ] {
                match self.session.options.precision.is_double() {
                    true => buffers[place].write_later(queue, numbers)?,
                    false => buffers[place].write_later(queue, narrow)?,
                }
            }
        }
        let launched = self.launch(roots.len());
        let status = &self.device.buffers[self.device.arrays.status];
        let read = PendingRead::enqueue(queue, status, 1)?;
        self.under_way.push_back((batch, read));
        launched?;
        flush(queue)
    }

    /// Launches the search of a batch of so many roots, which have the first lanes.
    fn launch(&self, roots: usize) -> Result<(), DeviceError> {
        let (queue, kernels) = (&self.session.queue, &self.device.kernels);
        let set = |launcher: &Launcher, index, number: usize| {
            launcher.set(index, Arg::Uint(number as u32))
        };
        let groups = |count, slots| Grid::groups(count, self.tiles * slots, self.work_group);
        let each_root = Grid::groups(roots, 1, self.work_group);
        kernels.climb.enqueue(queue, each_root)?;
        let levels = &self.layout.levels;
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
        for level in levels.iter().rev() {
            if !level.chunks.is_empty() {
                set(&kernels.backward, 0, level.chunks.start)?;
                let grid = groups(level.chunks.len(), 1);
                kernels.backward.enqueue(queue, grid)?;
            }
            if !level.splits.is_empty() {
                let slots = self.slots(level.splits.len(), level.most_pieces);
                set(&kernels.backward_reduce, 0, level.splits.start)?;
                set(&kernels.backward_reduce, 1, slots)?;
                let grid = groups(level.splits.len(), slots);
                kernels.backward_reduce.enqueue(queue, grid)?;
            }
        }
        kernels.descend.enqueue(queue, each_root)?;
        let vertices = self.hierarchy.vertices();
        let each_vertex = Grid::groups(vertices, 1, self.work_group);
        kernels.climb_sums.enqueue(queue, each_vertex)?;
        if let Some([met, reached]) = &kernels.path_ends {
            met.enqueue(queue, each_vertex)?;
            reached.enqueue(queue, Grid::items(self.lanes, self.work_group))?;
        }
        Ok(())
    }

    /// How many work-items share the arcs of a vertex, on a level of so many `vertices` of which
    /// one has so many `arcs`: more on levels of few vertices, which leave the device idle
    /// otherwise.
    fn slots(&self, vertices: usize, arcs: usize) -> usize {
        let is_good = |&slots: &usize| {
            self.work_group.is_multiple_of(slots * GROUP_ITEMS)
                && arcs >= ARCS_OF_SLOT * slots
                && vertices * self.tiles * slots <= GROUPS
        };
        let powers = std::iter::successors(Some(2), |slots| Some(2 * slots));
        let most = powers.take_while(|&slots| slots <= SLOTS && is_good(&slots));
        most.last().unwrap_or(1)
    }

    /// Waits for the oldest batch under way.
    fn finish_oldest(&mut self) -> Result<(), DeviceError> {
        if let Some((batch, read)) = self.under_way.pop_front() {
            let waited = read.wait();
            self.spare.push(batch);
            waited?;
        }
        Ok(())
    }

    /// Moves the sums of the device to the host.
    fn move_sums(&mut self) -> Result<(), DeviceError> {
        let queue = &self.session.queue;
        let precision = self.session.score_precision();
        let Arrays {
            flows,
            rising,
            scores,
            split_scores,
            climb_scores,
            ..
        } = self.device.arrays;
        let sums = &mut self.sums;
        let each = |numbers: &Vec<f64>| Grid::items(numbers.len(), self.work_group);
        self.device
            .kernels
            .add_flows
            .enqueue(queue, each(&sums.flows))?;
        let splits = each(&sums.split_scores);
        self.device
            .kernels
            .add_split_scores
            .enqueue(queue, splits)?;
        self.device
            .kernels
            .add_scores
            .enqueue(queue, each(&sums.scores))?;
        for (place, to) in [
            (flows, &mut sums.flows),
            (rising, &mut sums.rising),
            (scores, &mut sums.scores),
            (split_scores, &mut sums.split_scores),
            (climb_scores, &mut sums.climb_scores),
        ] {
            self.device.buffers[place].add_to(queue, precision, to)?;
            self.device.buffers[place].clear(queue)?;
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
        self.device.buffers[self.device.arrays.status].read(queue, &mut status)?;
        if status[0] != 0 {
            return Err(EngineError::too_many_paths(None, self.session));
        }
        let start = Instant::now();
        self.move_sums()?;
        let collected = &mut self.sums;
        let mut flows = Flows::zero(&self.hierarchy);
        let layout = &self.layout;
        layout.add_flows(
            &self.hierarchy,
            &collected.rising,
            &collected.flows,
            &mut flows,
        );
        for (position, &rank) in layout.ranks.iter().enumerate() {
            let vertex = self.hierarchy.vertex[rank as usize] as usize;
            sums.vertices[vertex] += collected.scores[position] + collected.climb_scores[position];
        }
        for (&position, score) in layout.split_vertex.iter().zip(&collected.split_scores) {
            let rank = layout.ranks[position as usize];
            sums.vertices[self.hierarchy.vertex[rank as usize] as usize] += score;
        }
        for numbers in [
            &mut collected.flows,
            &mut collected.rising,
            &mut collected.scores,
            &mut collected.split_scores,
            &mut collected.climb_scores,
        ] {
            numbers.fill(0.0);
        }
        self.hierarchy
            .unpack(&mut flows, &self.prepared.network(), sums);
        self.collect_time = start.elapsed();
        Ok(())
    }
}

impl Drop for HierarchySearch<'_> {
    fn drop(&mut self) {
        // The queue may still be reading the vectors of batches. If the driver cannot say that it
        // is done with them, they are leaked.
        if finish(&self.session.queue).is_err() {
            std::mem::forget(std::mem::take(&mut self.under_way));
        }
    }
}
