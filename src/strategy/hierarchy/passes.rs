//! The backward phases and the sums of distances of a search.

use crate::prepare::hierarchy::FAR;
use crate::prepare::{DistanceSum, Prepared};

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
    /// Makes the tables. Without a query they are those of the betweenness of all pairs.
    pub(super) fn new(prepared: &Prepared) -> Passes {
        let Some(query) = &prepared.query else {
            return Passes {
                kinds: vec![[FAR - 1, 0]],
                distances: Vec::new(),
                decay: 0.0,
            };
        };
        let limit = |limit: f64| limit.min(f64::from(FAR - 1)) as u32;
        let passes = query.passes.iter();
        let distances = query.distances.iter();
        Passes {
            kinds: passes
                .map(|pass| [limit(pass.limit), pass.stress.into()])
                .collect(),
            distances: distances
                .map(|column| [kind(column.sum), limit(column.limit)])
                .collect(),
            decay: query.decay(),
        }
    }
}

/// Returns the number of the kind of a sum in kernel `add_distances`.
fn kind(sum: DistanceSum) -> u32 {
    match sum {
        DistanceSum::Count => 0,
        DistanceSum::Decayed(_) => 1,
        DistanceSum::Distance => 2,
        DistanceSum::Inverse => 3,
        DistanceSum::Eccentricity => unreachable!("the strategy does not take it"),
    }
}
