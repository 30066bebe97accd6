//! Dependencies of arcs, of one batch after the other (`cl/lanes_arcs.cl`).

use crate::device::buffers::DeviceBuffer;
use crate::device::launch::{Arg, Grid, Launcher};
use crate::device::profile::Queue;
use crate::device::{DeviceError, Session};
use crate::engine::Precision;

/// What the kernel looks at, in the order of its parameters.
pub struct Batch<'b> {
    /// Lanes of each tile.
    pub width: usize,
    pub vertices: usize,
    pub tiles: usize,
    pub levels: &'b DeviceBuffer,
    pub sigma: &'b DeviceBuffer,
    pub coef: &'b DeviceBuffer,
    pub factors: &'b DeviceBuffer,
}

/// Sums of the arcs over the batches of a slot.
pub struct ArcSums {
    add: Launcher,
    sums: DeviceBuffer,
    grid: Grid,
    precision: Precision,
}

impl ArcSums {
    /// Sums of zero for so many arcs, whose ends are given.
    pub fn new(
        session: &Session,
        queue: &Queue,
        arcs: usize,
        [tails, targets]: [&DeviceBuffer; 2],
        batch: &Batch,
    ) -> Result<Self, DeviceError> {
        let precision = session.options.score_precision(&session.info);
        let sums = DeviceBuffer::zeroed(session, queue, arcs * precision.bytes())?;
        let add = Launcher::new(
            session,
            "lanes_arcs",
            &[
                Arg::Uint(0),
                Arg::Uint(0),
                Arg::Uint(arcs as u32),
                Arg::Buffer(tails),
                Arg::Buffer(targets),
                Arg::Uint(batch.vertices as u32),
                Arg::Uint(batch.tiles as u32),
                Arg::Buffer(batch.levels),
                Arg::Buffer(batch.sigma),
                Arg::Buffer(batch.coef),
                Arg::Buffer(batch.factors),
                Arg::Buffer(&sums),
            ],
        )?;
        Ok(ArcSums {
            add,
            sums,
            grid: Grid::items(arcs, batch.width / super::ITEM_LANES),
            precision,
        })
    }

    /// Enqueues the arcs of a batch behind its way back. `depth`: its deepest level; `used`: its
    /// tiles that have a root.
    pub fn add(&self, queue: &Queue, depth: usize, used: usize) -> Result<(), DeviceError> {
        self.add.set(0, Arg::Uint(depth as u32))?;
        self.add.set(1, Arg::Uint(used as u32))?;
        self.add.enqueue(queue, self.grid)
    }

    /// Adds the sums to `to` and forgets them.
    pub fn take(&mut self, queue: &Queue, to: &mut [f64]) -> Result<(), DeviceError> {
        self.sums.add_to(queue, self.precision, to)?;
        self.sums.clear(queue)
    }
}
