//! Rows: a distance or a number for each root of a batch.

use crate::cpu::vectors::GROUP;

/// The number of roots of a batch, each in a lane of the rows.
pub const LANES: usize = GROUP;

/// Farther than any distance. Its sum with a length still fits.
pub(super) const FAR: u32 = 1 << 31;

/// A distance per lane.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct Distances(pub(super) [u32; LANES]);

/// A number per lane, on one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Numbers(pub(super) [f64; LANES]);

impl Numbers {
    /// The path counts of a vertex before they are known. Sums of which they are part are unknown
    /// too.
    pub(super) const UNKNOWN: Numbers = Numbers([f64::NAN; LANES]);
}
