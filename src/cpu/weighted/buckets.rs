//! Buckets of arcs by distance, each a linked list in one array of entries.
//!
//! R. B. Dial, "Algorithm 360: Shortest-path forest with topological ordering", 1969. Buckets may
//! be as wide as the shortest arc (Dinitz 1978; Denardo and Fox 1979): then no vertex precedes
//! another one of the same bucket on a shortest path, so a bucket can be taken in any order.

use super::length::Length;
use crate::graph::Vertex;

/// An arc that may be on a shortest path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::cpu) struct Entry<L> {
    /// The head of the arc.
    pub(in crate::cpu) v: Vertex,
    /// The tail of the arc.
    pub(in crate::cpu) from: Vertex,
    /// The number of the arc in the graph.
    pub(in crate::cpu) arc: u32,
    /// The distance of the head by a path through the arc.
    pub(in crate::cpu) dist: L,
}

/// The width and number of the buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cpu) struct Shape {
    /// The width of a bucket is 2^shift.
    pub(in crate::cpu) shift: u32,
    /// The number of buckets, a power of two.
    pub(in crate::cpu) count: usize,
}

impl Shape {
    /// Finds the shape for arcs of these lengths; `None` if they need more than 2^16 buckets.
    pub(in crate::cpu) fn new<L: Length>(lengths: &[L]) -> Option<Shape> {
        let keys = || lengths.iter().map(|length| length.key());
        let (shortest, longest) = (keys().min().unwrap_or(1), keys().max().unwrap_or(1));
        let shift = shortest.max(1).ilog2();
        // The longest arc from the end of the first bucket leads into the last of `count` buckets.
        let count = (longest >> shift) + 2;
        (count <= MOST).then(|| Shape {
            shift,
            count: count.next_power_of_two() as usize,
        })
    }

    /// Returns the bucket of this distance.
    #[inline(always)]
    fn bucket<L: Length>(&self, dist: L) -> usize {
        (dist.key() >> self.shift) as usize & (self.count - 1)
    }
}

/// A search pushes the arcs that it has found when there are at least this many.
pub(in crate::cpu) const BLOCK: usize = 128;

/// The most buckets; a heap is used for lengths that need more.
const MOST: u64 = 1 << 16;

/// The end of a list.
const END: u32 = u32::MAX;

/// A ring of buckets: the distances in it differ by at most the longest arc.
pub(in crate::cpu) struct Buckets<L> {
    shape: Shape,
    /// The first entry of each bucket, or [`END`].
    heads: Vec<u32>,
    /// A bit for each bucket that is not empty.
    nonempty: Vec<u64>,
    /// All entries since the queue was last empty, each with the previous entry of its bucket or
    /// [`END`], and room for more.
    entries: Vec<(Entry<L>, u32)>,
    len: usize,
    /// The bucket that was taken last.
    current: usize,
}

impl<L: Length> Buckets<L> {
    pub(in crate::cpu) fn new(shape: Shape) -> Self {
        let count = shape.count.max(64);
        Buckets {
            shape: Shape { count, ..shape },
            heads: vec![END; count],
            nonempty: vec![0; count / 64],
            entries: vec![(Entry::default(), END)],
            len: 0,
            current: 0,
        }
    }

    /// Returns the first bucket, from the current one on, that is not empty.
    #[inline(always)]
    fn next(&self) -> Option<usize> {
        let words = self.nonempty.len();
        let (first, bit) = (self.current / 64, self.current % 64);
        let ahead = self.nonempty[first] & (u64::MAX << bit);
        if ahead != 0 {
            return Some(first * 64 + ahead.trailing_zeros() as usize);
        }
        // The first word comes again at the end, for the buckets before the current one.
        (1..=words)
            .map(|step| (first + step) & (words - 1))
            .find(|&word| self.nonempty[word] != 0)
            .map(|word| word * 64 + self.nonempty[word].trailing_zeros() as usize)
    }

    /// Adds the entries found, unless their vertices have come nearer since, and updates the
    /// distances of their vertices.
    #[inline(always)]
    pub(super) fn push(&mut self, known: &mut [L], found: &[Entry<L>]) {
        self.reserve(found.len());
        for &entry in found {
            let known = &mut known[entry.v as usize];
            let wanted = entry.dist <= *known;
            *known = if wanted { entry.dist } else { *known };
            self.push_if(wanted, entry);
        }
    }

    /// Makes room for this many more entries.
    #[inline(always)]
    pub(in crate::cpu) fn reserve(&mut self, entries: usize) {
        // One more entry is written when an arc is not wanted.
        let most = self.len + entries + 1;
        if most > self.entries.len() {
            let room = most.next_power_of_two();
            self.entries.resize(room, (Entry::default(), END));
        }
    }

    /// Adds an entry if it is `wanted`, without a branch. Call [`Self::reserve`] before.
    #[inline(always)]
    pub(in crate::cpu) fn push_if(&mut self, wanted: bool, entry: Entry<L>) {
        let bucket = self.shape.bucket(entry.dist);
        let head = &mut self.heads[bucket];
        self.entries[self.len] = (entry, *head);
        *head = if wanted { self.len as u32 } else { *head };
        self.nonempty[bucket / 64] |= u64::from(wanted) << (bucket % 64);
        self.len += usize::from(wanted);
    }

    /// Takes all entries of the next bucket that is not empty. Returns whether there is one.
    #[inline(always)]
    pub(in crate::cpu) fn take(&mut self, mut each: impl FnMut(Entry<L>)) -> bool {
        let Some(bucket) = self.next() else {
            self.len = 0;
            self.current = 0;
            return false;
        };
        self.current = bucket;
        self.nonempty[bucket / 64] &= !(1 << (bucket % 64));
        let mut at = std::mem::replace(&mut self.heads[bucket], END);
        while at != END {
            let (entry, next) = self.entries[at as usize];
            each(entry);
            at = next;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_buckets_are_refused() {
        let shape = |lengths: &[u64]| Shape::new(lengths).map(|shape| (shape.shift, shape.count));
        assert_eq!(shape(&[3, 50]), Some((1, 32)));
        assert_eq!(shape(&[1, 60_000]), Some((0, 1 << 16)));
        assert_eq!(shape(&[1, 70_000]), None);
        assert_eq!(shape(&[100, 4_000_000]), Some((6, 1 << 16)));
        assert_eq!(shape(&[]), Some((0, 4)));
    }
}
