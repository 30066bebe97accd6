//! What the buckets of a search have in common.
//!
//! R. B. Dial, "Algorithm 360: Shortest-path forest with topological ordering", 1969. Buckets may
//! be as wide as the shortest arc (Dinitz 1978; Denardo and Fox 1979): no vertex of a bucket then
//! comes before another one of it, so they can be taken out in any order.

use super::length::Length;
use crate::graph::Vertex;

/// An arc that may be on a shortest path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::cpu) struct Entry<L> {
    /// Its head.
    pub(in crate::cpu) v: Vertex,
    /// Its tail.
    pub(in crate::cpu) from: Vertex,
    /// Which of the graph's arcs it is.
    pub(in crate::cpu) arc: u32,
    /// Distance of the head through it.
    pub(in crate::cpu) dist: L,
}

/// The buckets that lengths need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cpu) struct Shape {
    /// Width of a bucket: this power of two.
    pub(in crate::cpu) shift: u32,
    /// How many there are; a power of two.
    pub(in crate::cpu) count: usize,
}

impl Shape {
    /// Buckets for arcs of these lengths; `None` if there would be more than 2^16.
    pub(in crate::cpu) fn of<L: Length>(lengths: &[L]) -> Option<Shape> {
        let keys = || lengths.iter().map(|length| length.key());
        let (shortest, longest) = (keys().min().unwrap_or(1), keys().max().unwrap_or(1));
        let shift = shortest.max(1).ilog2();
        // From the end of one bucket the longest arc leads to the beginning of this many further
        // on.
        let count = (longest >> shift) + 2;
        (count <= MOST).then(|| Shape {
            shift,
            count: count.next_power_of_two() as usize,
        })
    }

    /// The bucket of this distance.
    #[inline(always)]
    pub(super) fn bucket<L: Length>(&self, dist: L) -> usize {
        (dist.key() >> self.shift) as usize & (self.count - 1)
    }
}

/// Most buckets; for lengths that need more a heap is used.
const MOST: u64 = 1 << 16;

/// Buckets that go round: distances in them are at most the longest arc apart.
pub(in crate::cpu) trait Queue<L> {
    /// Makes room for so many entries more, wherever they go.
    fn reserve(&mut self, entries: usize);
    /// Adds an entry if it is `wanted`, without a branch. There must be room for it.
    fn push_if(&mut self, wanted: bool, entry: Entry<L>);
    /// Takes all entries of the next bucket that is not empty, if there is one.
    fn take(&mut self, each: impl FnMut(Entry<L>)) -> bool;
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Buckets come in order and go round.
    pub(in super::super) fn goes_round(mut queue: impl Queue<u64>) {
        let entry = |v, dist| Entry {
            v,
            dist,
            ..Entry::default()
        };
        let taken = |queue: &mut dyn FnMut(&mut Vec<Entry<u64>>) -> bool| {
            let mut all = Vec::new();
            let more = queue(&mut all);
            all.sort_by_key(|entry| entry.dist);
            more.then_some(all)
        };
        for round in 0..5 {
            let start = 256 * round;
            queue.reserve(4);
            queue.push_if(true, entry(1, start + 50));
            queue.push_if(true, entry(2, start + 2));
            queue.push_if(false, entry(9, start + 2));
            queue.push_if(true, entry(3, start + 20));
            let mut next = || taken(&mut |all| queue.take(|entry| all.push(entry)));
            assert_eq!(next(), Some(vec![entry(2, start + 2)]));
            queue.reserve(2);
            queue.push_if(true, entry(4, start + 51));
            queue.push_if(true, entry(5, start + 7));
            let mut next = || taken(&mut |all| queue.take(|entry| all.push(entry)));
            assert_eq!(next(), Some(vec![entry(5, start + 7)]));
            assert_eq!(next(), Some(vec![entry(3, start + 20)]));
            assert_eq!(
                next(),
                Some(vec![entry(1, start + 50), entry(4, start + 51)])
            );
            assert_eq!(next(), None);
        }
    }

    #[test]
    fn too_many_buckets_are_refused() {
        let shape = |lengths: &[u64]| Shape::of(lengths).map(|shape| (shape.shift, shape.count));
        assert_eq!(shape(&[3, 50]), Some((1, 32)));
        assert_eq!(shape(&[1, 60_000]), Some((0, 1 << 16)));
        assert_eq!(shape(&[1, 70_000]), None);
        assert_eq!(shape(&[100, 4_000_000]), Some((6, 1 << 16)));
        assert_eq!(shape(&[]), Some((0, 4)));
    }
}
