//! Integer distances in buckets that go round.
//!
//! R. B. Dial, "Algorithm 360: Shortest-path forest with topological ordering", 1969. Buckets may be as wide
//! as the shortest arc (Dinitz 1978; Denardo and Fox 1979): no vertex of a bucket then comes before another
//! one of it, so they can be taken out in any order.

use super::length::Length;
use super::queue::Queue;
use crate::graph::Vertex;

/// Most buckets; for lengths that need more a heap is used.
const MOST: u64 = 1 << 16;

/// The end of a list.
const END: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    v: Vertex,
    /// The entry of the same bucket that was added before, or [`END`].
    next: u32,
}

/// Buckets of a width of a power of two.
pub(super) struct Buckets {
    shift: u32,
    /// First entry of each bucket, or [`END`]; a power of two of them.
    heads: Vec<u32>,
    /// A bit for each bucket that is not empty.
    used: Vec<u64>,
    /// All entries since the queue was last found empty.
    entries: Vec<Entry>,
    /// The bucket that entries are taken from; that of distance zero in a queue that was found empty.
    current: usize,
    /// Entries that have not been taken out.
    left: usize,
}

impl Buckets {
    /// Buckets for arcs of these lengths; `None` if there would be too many of them.
    pub(super) fn fitting<L: Length>(lengths: &[L]) -> Option<Buckets> {
        let keys = || lengths.iter().map(|length| length.key());
        let (shortest, longest) = (keys().min().unwrap_or(1), keys().max().unwrap_or(1));
        let shift = shortest.max(1).ilog2();
        // From the end of one bucket the longest arc leads to the beginning of this many further on.
        let count = (longest >> shift) + 2;
        (count <= MOST).then(|| {
            let count = count.next_power_of_two().max(64) as usize;
            Buckets {
                shift,
                heads: vec![END; count],
                used: vec![0; count / 64],
                entries: Vec::new(),
                current: 0,
                left: 0,
            }
        })
    }

    /// The first bucket from the current one on that is not empty; there must be one.
    #[inline(always)]
    fn advance(&mut self) {
        let words = self.used.len();
        let mut word = self.current / 64;
        let mut bits = self.used[word] & (u64::MAX << (self.current % 64));
        while bits == 0 {
            word = (word + 1) & (words - 1);
            bits = self.used[word];
        }
        self.current = word * 64 + bits.trailing_zeros() as usize;
    }
}

impl<L: Length> Queue<L> for Buckets {
    #[inline(always)]
    fn push(&mut self, v: Vertex, dist: L) {
        let key = dist.key();
        let bucket = (key >> self.shift) as usize & (self.heads.len() - 1);
        let head = &mut self.heads[bucket];
        let next = std::mem::replace(head, self.entries.len() as u32);
        self.entries.push(Entry { key, v, next });
        self.used[bucket / 64] |= 1 << (bucket % 64);
        self.left += 1;
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(Vertex, L)> {
        if self.left == 0 {
            self.entries.clear();
            self.current = 0;
            return None;
        }
        let mut head = self.heads[self.current];
        if head == END {
            self.advance();
            head = self.heads[self.current];
        }
        let Entry { key, v, next } = self.entries[head as usize];
        self.heads[self.current] = next;
        if next == END {
            self.used[self.current / 64] &= !(1 << (self.current % 64));
        }
        self.left -= 1;
        Some((v, L::of_key(key)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn popped(queue: &mut Buckets) -> Vec<(Vertex, u64)> {
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn buckets_come_in_order_and_go_round() {
        let mut queue = Buckets::fitting(&[3u64, 190]).unwrap();
        assert_eq!((queue.shift, queue.heads.len()), (1, 128));
        queue.push(7, 0u64);
        assert_eq!(popped(&mut queue), [(7, 0)]);
        for round in 0..5 {
            let start = 256 * round;
            queue.push(1, start + 190);
            queue.push(2, start + 3);
            queue.push(3, start + 20);
            assert_eq!(queue.pop(), Some((2, start + 3)));
            queue.push(4, start + 193);
            queue.push(5, start + 6);
            let rest = [(5, 6), (3, 20), (1, 190), (4, 193)];
            let expected = rest.map(|(v, dist)| (v, start + dist));
            assert_eq!(popped(&mut queue), expected);
        }
    }

    #[test]
    fn too_many_buckets_are_refused() {
        assert!(Buckets::fitting(&[1u32, 60_000]).is_some());
        assert!(Buckets::fitting(&[1u32, 70_000]).is_none());
        assert!(Buckets::fitting(&[100u64, 4_000_000]).is_some());
        assert!(Buckets::fitting::<u32>(&[]).is_some());
    }
}
