//! Numbers that host and kernels share, and the sizes of a search.

/// Lanes of a work-item: a vector load.
pub(super) const ITEM_LANES: usize = 4;
/// The most work-items that share the arcs of a vertex in the same lanes.
pub(super) const SLOTS: usize = 16;

/// The sizes of a search.
pub(super) struct Sizes {
    /// Lanes of a batch.
    pub(super) lanes: usize,
    /// Tiles of lanes, one for a work-group.
    pub(super) tiles: usize,
    /// The largest number of ancestors of a vertex, counting itself.
    pub(super) deepest: usize,
    /// The number of backward phases.
    pub(super) passes: usize,
    /// Bytes of a number in computations.
    pub(super) real: usize,
    /// Bytes of a number in a row.
    pub(super) row: usize,
}
