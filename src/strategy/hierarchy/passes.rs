//! The backward phases and the sums of distances of a search.

use crate::prepare::hierarchy::FAR;
use crate::prepare::{Amount, Prepared};

/// The tables of a search for programs for queries.
pub(super) struct Passes {
    /// Per backward phase, the largest distance that counts, and whether paths are counted.
    pub(super) kinds: Vec<[u32; 2]>,
    /// Per sum of distances, its kind, and the largest distance that counts.
    pub(super) distances: Vec<[u32; 2]>,
    /// The decay per unit.
    pub(super) decay: f64,
}

impl Passes {
    /// Makes the tables.
    pub(super) fn new(prepared: &Prepared) -> Passes {
        let limit = |limit: f64| limit.min(f64::from(FAR - 1)) as u32;
        let passes = prepared.passes().iter();
        let sums = prepared.distance_sums().iter();
        Passes {
            kinds: passes
                .map(|pass| [limit(pass.limit), pass.stress.into()])
                .collect(),
            distances: sums
                .map(|sum| [kind(sum.amount), limit(sum.limit)])
                .collect(),
            decay: prepared.query.as_ref().map_or(0.0, |query| query.decay()),
        }
    }
}

/// Returns the number of an amount in kernel `add_distances`.
fn kind(amount: Amount) -> u32 {
    match amount {
        Amount::One => 0,
        Amount::Decayed(_) => 1,
        Amount::Distance => 2,
        Amount::Inverse => 3,
    }
}
