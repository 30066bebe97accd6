//! The graph on the device, in chunks of arcs.

use super::sizes::Needs;
use crate::device::buffers::{BufferSet, DeviceBuffer};
use crate::prepare::Prepared;
use crate::prepare::chunks::Chunks;
use crate::strategy::DeviceQuery;

/// The chunks of one direction on the device.
pub(super) struct DeviceChunks {
    /// The arrays of chunks, in the order of the kernels' parameters.
    pub(super) of_chunks: [DeviceBuffer; 5],
    /// The arrays of split vertices, in the order of the kernels' parameters.
    pub(super) of_splits: [DeviceBuffer; 2],
    pub(super) chunks: usize,
    pub(super) splits: usize,
    pub(super) pieces: usize,
}

impl DeviceChunks {
    pub(super) fn plan<'p>(set: &mut BufferSet<'p>, chunks: &'p Chunks) -> Self {
        DeviceChunks {
            of_chunks: [
                set.filled("chunks", &chunks.first),
                set.filled("pieces of chunks", &chunks.piece),
                set.filled("components of chunks", &chunks.component),
                set.filled("vertices of chunks", &chunks.owners),
                set.filled("targets of chunks", &chunks.targets),
            ],
            of_splits: [
                set.filled("split vertices", &chunks.split_vertex),
                set.filled("pieces of split vertices", &chunks.split_first),
            ],
            chunks: chunks.piece.len(),
            splits: chunks.split_vertex.len(),
            pieces: chunks.pieces(),
        }
    }
}

/// The graph on the device, shared by all batches.
pub(super) struct DeviceGraph<'s> {
    pub(super) prepared: &'s Prepared,
    pub(super) needs: Needs,
    /// CSR of the out-arcs, for the first level.
    pub(super) offsets: DeviceBuffer,
    pub(super) targets: DeviceBuffer,
    /// The tail of each arc, if edges are counted.
    pub(super) tails: Option<DeviceBuffer>,
    pub(super) weight: DeviceBuffer,
    /// The number of twins that each vertex stands for.
    pub(super) multiplicity: DeviceBuffer,
    /// The component of each vertex, if there are several.
    pub(super) component_of: DeviceBuffer,
    pub(super) out_arcs: DeviceChunks,
    /// The in-arcs; None for undirected graphs, where they equal the out-arcs.
    pub(super) in_arcs: Option<DeviceChunks>,
    /// The query, if programs are for one.
    pub(super) query: Option<DeviceQuery>,
}

impl DeviceGraph<'_> {
    pub(super) fn in_arcs(&self) -> &DeviceChunks {
        self.in_arcs.as_ref().unwrap_or(&self.out_arcs)
    }

    /// Returns the deepest level that searches need, at least 1.
    pub(super) fn deepest(&self) -> usize {
        (self.prepared.search_limit() as usize).max(1)
    }
}
