//! Shortest paths from junctions along chains, kept for the neighbours.

use crate::engine::SIGMA_LIMIT_F64;
use crate::prepare::Chains;
use crate::prepare::chains::range;

/// Distance of what cannot be reached.
const FAR: u32 = u32::MAX;
const UNSEEN: Seen = Seen {
    sigma: 0.0,
    distance: FAR,
};
/// No slot, no entry.
const NONE: u32 = u32::MAX;

/// Memory for rows. A sweep needs the rows of all neighbours; junctions are searched in an order
/// in which neighbours come soon after each other.
const BUDGET: usize = 64 << 20;

/// How a junction is reached from another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// Path count; meaningful where there is a distance.
    pub(super) sigma: f64,
    /// [`FAR`] if there is no way.
    pub(super) distance: u32,
}

/// All there is to know of the shortest paths from one junction.
pub(super) struct JunctionPaths {
    /// The junction.
    from: u32,
    /// By which search it was last asked for.
    used: u64,
    /// Per junction.
    pub(super) seen: Vec<Seen>,
    /// Junctions by distance.
    pub(super) order: Vec<u32>,
    /// Whether all path counts are within [`SIGMA_LIMIT_F64`].
    pub(super) in_range: bool,
}

/// The rows used last.
pub(super) struct PathCache<'c> {
    chains: &'c Chains,
    rows: Vec<JunctionPaths>,
    /// How many rows there is room for, at least 4: so many asked for last are there.
    pub(super) most: usize,
    /// Per junction: where its row is.
    slot: Vec<u32>,
    clock: u64,
    queue: BucketQueue,
}

impl<'c> PathCache<'c> {
    pub(super) fn new(chains: &'c Chains) -> Self {
        let row = chains.len() * (size_of::<Seen>() + size_of::<u32>());
        PathCache {
            chains,
            rows: Vec::new(),
            most: (BUDGET / row.max(1)).max(4),
            slot: vec![NONE; chains.len()],
            clock: 0,
            queue: BucketQueue::new(chains.longest()),
        }
    }

    /// Makes the row of junction `j`, if it is not there; says where it is.
    pub(super) fn fetch(&mut self, j: u32) -> usize {
        self.clock += 1;
        if self.slot[j as usize] == NONE {
            let slot = self.free();
            self.queue.search(self.chains, j, &mut self.rows[slot]);
            self.slot[j as usize] = slot as u32;
        }
        let slot = self.slot[j as usize] as usize;
        self.rows[slot].used = self.clock;
        slot
    }

    /// The row at a place that [`PathCache::fetch`] told.
    pub(super) fn at(&self, slot: usize) -> &JunctionPaths {
        &self.rows[slot]
    }

    /// A slot for a new row: a new one, or that of the row not used for longest.
    fn free(&mut self) -> usize {
        if self.rows.len() < self.most {
            let n = self.chains.len();
            self.rows.push(JunctionPaths {
                from: NONE,
                used: 0,
                seen: vec![UNSEEN; n],
                order: Vec::new(),
                in_range: true,
            });
            return self.rows.len() - 1;
        }
        let oldest = (0..self.rows.len()).min_by_key(|&slot| self.rows[slot].used);
        let oldest = oldest.unwrap_or(0);
        self.slot[self.rows[oldest].from as usize] = NONE;
        oldest
    }
}

/// A bucket queue (Dial 1969): a ring of buckets, one for each distance that can be open at a time.
struct BucketQueue {
    /// First entry of each bucket.
    first: Vec<u32>,
    /// Junction and next entry of the same bucket.
    entries: Vec<(u32, u32)>,
    /// A bit for each bucket that has entries.
    filled: Vec<u64>,
}

impl BucketQueue {
    /// For chains of at most this length.
    fn new(longest: u32) -> Self {
        let buckets = (longest as usize + 1).next_power_of_two().max(64);
        BucketQueue {
            first: vec![NONE; buckets],
            entries: Vec::new(),
            filled: vec![0; buckets / 64],
        }
    }

    fn push(&mut self, distance: u32, junction: u32) {
        let bucket = distance as usize & (self.first.len() - 1);
        let next = std::mem::replace(&mut self.first[bucket], self.entries.len() as u32);
        self.entries.push((junction, next));
        self.filled[bucket / 64] |= 1 << (bucket % 64);
    }

    /// The first distance from `distance` on whose bucket has entries.
    fn next(&self, distance: u32) -> Option<u32> {
        let start = distance as usize & (self.first.len() - 1);
        let words = self.filled.len();
        // The first word again at the end, for what is before `start` in it.
        for i in 0..=words {
            let word = (start / 64 + i) % words;
            let mut bits = self.filled[word];
            if i == 0 {
                bits &= !0 << (start % 64);
            }
            if bits != 0 {
                let bucket = word * 64 + bits.trailing_zeros() as usize;
                let steps = bucket.wrapping_sub(start) & (self.first.len() - 1);
                return Some(distance + steps as u32);
            }
        }
        None
    }

    fn search(&mut self, chains: &Chains, start: u32, row: &mut JunctionPaths) {
        for &j in &row.order {
            row.seen[j as usize].distance = FAR;
        }
        row.from = start;
        row.order.clear();
        row.in_range = true;
        row.seen[start as usize] = Seen {
            sigma: 1.0,
            distance: 0,
        };
        self.entries.clear();
        self.push(0, start);
        let mut at = 0;
        while let Some(distance) = self.next(at) {
            at = distance;
            let bucket = distance as usize & (self.first.len() - 1);
            let mut entry = std::mem::replace(&mut self.first[bucket], NONE);
            self.filled[bucket / 64] &= !(1 << (bucket % 64));
            while entry != NONE {
                let (j, next) = self.entries[entry as usize];
                entry = next;
                // There is an entry for each time that a distance shrank.
                let Seen {
                    sigma: paths,
                    distance: known,
                } = row.seen[j as usize];
                if known != distance {
                    continue;
                }
                row.order.push(j);
                row.in_range &= paths <= SIGMA_LIMIT_F64;
                let ends = range(&chains.end_offsets, j as usize);
                let targets = &chains.end_target[ends.clone()];
                for (&to, &length) in targets.iter().zip(&chains.end_length[ends]) {
                    let there = distance + length;
                    let seen = &mut row.seen[to as usize];
                    if there < seen.distance {
                        *seen = Seen {
                            sigma: paths,
                            distance: there,
                        };
                        self.push(there, to);
                    } else if there == seen.distance {
                        seen.sigma += paths;
                    }
                }
            }
        }
    }
}
