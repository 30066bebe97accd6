//! What the slots of an engine have summed: added up on the device, then moved to the host.

use crate::device::buffers::DeviceBuffer;
use crate::device::launch::{Arg, Grid, Launcher};
use crate::device::wait::finish;
use crate::device::{DeviceError, Session};
use crate::engine::Precision;
use crate::graph::Csr;
use crate::strategy::Strategy;

/// Sums over the slots: of vertices, or of arcs.
pub struct SlotSums {
    /// Adds the slots' sums up, clearing them; a work-item for each.
    add: Launcher,
    /// Where it leaves them, of type SCORE.
    sums: DeviceBuffer,
    len: usize,
    precision: Precision,
    work_group: usize,
}

impl SlotSums {
    /// `len` sums; `add` makes the launcher that leaves them in a buffer.
    pub fn new(
        session: &Session,
        strategy: Strategy,
        len: usize,
        add: impl FnOnce(&DeviceBuffer) -> Result<Launcher, DeviceError>,
    ) -> Result<Self, DeviceError> {
        let precision = session.options.score_precision(&session.info);
        let sums = DeviceBuffer::unset(session, precision.bytes() * len)?;
        Ok(SlotSums {
            add: add(&sums)?,
            sums,
            len,
            precision,
            work_group: session.work_group(strategy),
        })
    }

    /// The sums of vertices and, if the session counts edges, of arcs, which are in the last of the
    /// slots' buffers in the order of the graph. `kernel` adds them up.
    pub fn in_order(
        session: &Session,
        (strategy, kernel): (Strategy, &str),
        graph: &Csr,
        (slots, of_slots): (usize, &[DeviceBuffer]),
    ) -> Result<(Self, Option<Self>), DeviceError> {
        let sums = |len: usize, from: &DeviceBuffer| {
            SlotSums::new(session, strategy, len, |sums| {
                let args = [
                    Arg::Uint(len as u32),
                    Arg::Uint(slots as u32),
                    Arg::Buffer(from),
                    Arg::Buffer(sums),
                ];
                Launcher::new(session, kernel, &args)
            })
        };
        let last = of_slots.len() - 1;
        if session.options.count_edges {
            let arcs = sums(graph.arcs(), &of_slots[last])?;
            return Ok((sums(graph.vertices(), &of_slots[last - 1])?, Some(arcs)));
        }
        Ok((sums(graph.vertices(), &of_slots[last])?, None))
    }

    /// The buffer for the sums of arcs over all slots, in a plan: what it holds and its bytes.
    pub fn of_arcs(session: &Session, arcs: usize) -> (&'static str, u64) {
        let precision = session.options.score_precision(&session.info);
        ("sums of arcs", (precision.bytes() * arcs) as u64)
    }

    /// A slot's own share of the buffer that `add` reads, where it has so many sums of arcs.
    pub fn of_arcs_in_slot(session: &Session, sums: usize) -> (&'static str, u64) {
        let bytes = session.options.precision.bytes() * sums;
        ("sums of arcs of all slots", bytes as u64)
    }

    /// Zeros on the host to add to.
    pub fn zeros(&self) -> Vec<f64> {
        vec![0.0; self.len]
    }

    /// Adds the slots' sums to `to` and begins them anew.
    pub fn move_to(&self, session: &Session, to: &mut [f64]) -> Result<(), DeviceError> {
        let queue = &session.queue;
        let grid = Grid::items(self.len, self.work_group);
        self.add.enqueue(queue, grid)?;
        finish(queue)?;
        self.sums.add_to(queue, self.precision, to)
    }
}
