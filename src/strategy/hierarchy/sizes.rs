//! Numbers that host and kernels share, and how large a search is.

/// Lanes of a work-item: a vector load.
pub(super) const ITEM_LANES: usize = 4;
/// Parts at most into which work-items of a group are divided that share the arcs of a vertex.
pub(super) const SLOTS: usize = 16;
/// Each part has at least this many of them.
pub(super) const ARCS_OF_SLOT: usize = 8;
/// A level of more work-groups needs no such division.
pub(super) const GROUPS: usize = 1 << 14;
/// Batches that are enqueued before the host waits for the first of them.
pub(super) const BATCHES: usize = 2;
/// In arrays of lanes: there is no root.
pub(super) const NONE: u32 = u32::MAX;

/// How large a search is.
pub(super) struct Sizes {
    /// Lanes of a batch.
    pub(super) lanes: usize,
    /// Tiles of lanes, one for a work-group.
    pub(super) tiles: usize,
    /// The most ancestors of a vertex, and itself.
    pub(super) deepest: usize,
    /// Bytes of a number that is computed with, and of one in a row.
    pub(super) real: usize,
    pub(super) row: usize,
}
