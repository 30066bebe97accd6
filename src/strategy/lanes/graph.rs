//! The graph on the device, in chunks of arcs.

use super::sizes::Needs;
use crate::device::buffers::{BufferId, BufferSet, Buffers};
use crate::prepare::chunks::Chunks;
use crate::strategy::DeviceQuery;

/// The chunks of one direction on the device.
pub(super) struct DeviceChunks {
    /// The arrays of chunks, in the order of the kernels' parameters.
    pub(super) of_chunks: [BufferId; 5],
    /// The arrays of split vertices, in the order of the kernels' parameters.
    pub(super) of_splits: [BufferId; 2],
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
pub(super) struct DeviceGraph {
    pub(super) needs: Needs,
    pub(super) arcs: usize,
    /// CSR of the out-arcs, for the first level.
    pub(super) offsets: BufferId,
    pub(super) targets: BufferId,
    /// The tail of each arc, if edges are counted.
    pub(super) tails: Option<BufferId>,
    pub(super) weight: BufferId,
    /// Whether twins are merged.
    pub(super) twins: bool,
    /// The number of twins that each vertex stands for.
    pub(super) multiplicity: BufferId,
    /// The component of each vertex, if there are several.
    pub(super) component_of: BufferId,
    pub(super) out_arcs: DeviceChunks,
    /// The in-arcs; None for undirected graphs, where they equal the out-arcs.
    pub(super) in_arcs: Option<DeviceChunks>,
    /// The largest level of pairs that count, in each backward phase.
    pub(super) limits: Vec<usize>,
    /// The deepest level that searches need, at least 1.
    pub(super) deepest: usize,
    /// Whether all sources have weight 1.
    pub(super) is_unweighted: bool,
    /// The query, if programs are for one.
    pub(super) query: Option<DeviceQuery>,
    pub(super) buffers: Buffers,
}

impl DeviceGraph {
    pub(super) fn in_arcs(&self) -> &DeviceChunks {
        self.in_arcs.as_ref().unwrap_or(&self.out_arcs)
    }
}
