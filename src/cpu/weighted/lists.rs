//! Many buckets, each a list through one array of entries.

use super::length::Length;
use super::queue::{Entry, Queue, Shape};

/// The end of a list.
const END: u32 = u32::MAX;

/// Buckets for lengths of all sizes; most of them are empty most of the time.
pub(in crate::cpu) struct Lists<L> {
    shape: Shape,
    /// First entry of each bucket, or [`END`].
    heads: Vec<u32>,
    /// A bit for each bucket that is not empty.
    used: Vec<u64>,
    /// All entries since the queue was last found empty, each with the one of the same bucket that
    /// was added before it, or [`END`]; and room for more.
    entries: Vec<(Entry<L>, u32)>,
    len: usize,
    /// The bucket that was taken last.
    current: usize,
}

impl<L: Length> Lists<L> {
    pub(in crate::cpu) fn new(shape: Shape) -> Self {
        let count = shape.count.max(64);
        Lists {
            shape: Shape { count, ..shape },
            heads: vec![END; count],
            used: vec![0; count / 64],
            entries: vec![(Entry::default(), END)],
            len: 0,
            current: 0,
        }
    }

    /// The first bucket from the current one on that is not empty.
    #[inline(always)]
    fn next(&self) -> Option<usize> {
        let words = self.used.len();
        let (first, bit) = (self.current / 64, self.current % 64);
        let ahead = self.used[first] & (u64::MAX << bit);
        if ahead != 0 {
            return Some(first * 64 + ahead.trailing_zeros() as usize);
        }
        // All round, and the first word again for what is behind the current bucket.
        (1..=words)
            .map(|step| (first + step) & (words - 1))
            .find(|&word| self.used[word] != 0)
            .map(|word| word * 64 + self.used[word].trailing_zeros() as usize)
    }
}

impl<L: Length> Queue<L> for Lists<L> {
    #[inline(always)]
    fn reserve(&mut self, entries: usize) {
        // One more, which is written to if nothing is wanted any more.
        let most = self.len + entries + 1;
        if most > self.entries.len() {
            let room = most.next_power_of_two();
            self.entries.resize(room, (Entry::default(), END));
        }
    }

    #[inline(always)]
    fn push_if(&mut self, wanted: bool, entry: Entry<L>) {
        let bucket = self.shape.bucket(entry.dist);
        let head = &mut self.heads[bucket];
        self.entries[self.len] = (entry, *head);
        *head = if wanted { self.len as u32 } else { *head };
        self.used[bucket / 64] |= u64::from(wanted) << (bucket % 64);
        self.len += usize::from(wanted);
    }

    #[inline(always)]
    fn take(&mut self, mut each: impl FnMut(Entry<L>)) -> bool {
        let Some(bucket) = self.next() else {
            self.len = 0;
            self.current = 0;
            return false;
        };
        self.current = bucket;
        self.used[bucket / 64] &= !(1 << (bucket % 64));
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
    use super::super::queue::tests::goes_round;
    use super::*;

    #[test]
    fn buckets_come_in_order_and_go_round() {
        goes_round(Lists::new(Shape::of(&[3u64, 50]).unwrap()));
        goes_round(Lists::new(Shape::of(&[2u64, 190]).unwrap()));
    }
}
