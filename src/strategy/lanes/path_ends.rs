//! Path ends of directed graphs (`--endpoints`), counted when a batch is at its end.

use super::sizes::Sizes;
use crate::device::buffers::DeviceBuffer;
use crate::device::launch::{Arg, Grid, Launcher};
use crate::device::profile::Queue;
use crate::device::{DeviceError, Session};
use crate::strategy::Strategy;

/// What the kernels look at, of a slot.
pub struct Lanes<'b> {
    pub in_use: &'b DeviceBuffer,
    pub roots: &'b DeviceBuffer,
    pub factors: &'b DeviceBuffer,
    pub todo: &'b DeviceBuffer,
    pub levels: &'b DeviceBuffer,
    /// What `met` adds to.
    pub tile_scores: &'b DeviceBuffer,
}

/// The kernels, and how many vertices each root vertex has reached.
pub struct PathEnds {
    met: (Launcher, Grid),
    count: (Launcher, Grid),
    reached: DeviceBuffer,
}

impl PathEnds {
    /// For a slot of these sizes.
    pub fn new(
        session: &Session,
        queue: &Queue,
        vertices: usize,
        sizes: &Sizes,
        lanes: &Lanes,
    ) -> Result<Self, DeviceError> {
        let reached = DeviceBuffer::zeroed(session, queue, vertices * 4)?;
        let (n, tiles) = (Arg::Uint(vertices as u32), Arg::Uint(sizes.tiles as u32));
        let met = Launcher::new(
            session,
            "lanes_met",
            &[
                n,
                tiles,
                Arg::Buffer(lanes.in_use),
                Arg::Buffer(lanes.todo),
                Arg::Buffer(lanes.levels),
                Arg::Buffer(lanes.factors),
                Arg::Buffer(lanes.tile_scores),
            ],
        )?;
        let count = Launcher::new(
            session,
            "lanes_reached",
            &[
                n,
                tiles,
                Arg::Buffer(lanes.roots),
                Arg::Buffer(lanes.todo),
                Arg::Buffer(&reached),
            ],
        )?;
        let items = |items| Grid::items(items, session.work_group(Strategy::Lanes));
        Ok(PathEnds {
            met: (met, items(sizes.rows(vertices))),
            count: (count, items(sizes.lanes())),
            reached,
        })
    }

    /// Enqueues the path ends of a batch.
    pub fn add(&self, queue: &Queue) -> Result<(), DeviceError> {
        [&self.met, &self.count]
            .into_iter()
            .try_for_each(|(launcher, grid)| launcher.enqueue(queue, *grid))
    }

    /// Adds what roots have met to `vertices`, and forgets it.
    pub fn take(&mut self, queue: &Queue, vertices: &mut [f64]) -> Result<(), DeviceError> {
        self.reached.add_numbers::<u32>(queue, vertices)?;
        self.reached.clear(queue)
    }
}
