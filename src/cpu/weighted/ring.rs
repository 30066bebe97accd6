//! A few buckets, each with its entries side by side.

use super::length::Length;
use super::queue::{Entry, Queue, Shape};

/// Most buckets: as many as are looked at for the next one that is not empty.
pub(in crate::cpu) const MOST: usize = 64;

/// Buckets for short lengths. Their memory is used again each time round, and so stays in the
/// nearest cache.
pub(in crate::cpu) struct Ring<L> {
    shape: Shape,
    buckets: Vec<Bucket<L>>,
    /// The bucket that was taken last.
    current: usize,
}

struct Bucket<L> {
    /// Its entries, and room for more.
    entries: Vec<Entry<L>>,
    len: usize,
}

impl<L: Length> Ring<L> {
    pub(in crate::cpu) fn new(shape: Shape) -> Self {
        let empty = || Bucket {
            entries: vec![Entry::default()],
            len: 0,
        };
        Ring {
            shape,
            buckets: (0..shape.count).map(|_| empty()).collect(),
            current: 0,
        }
    }
}

impl<L: Length> Queue<L> for Ring<L> {
    #[inline(always)]
    fn reserve(&mut self, entries: usize) {
        for bucket in &mut self.buckets {
            // One more, which is written to if nothing is wanted any more.
            let most = bucket.len + entries + 1;
            if most > bucket.entries.len() {
                bucket
                    .entries
                    .resize(most.next_power_of_two(), Entry::default());
            }
        }
    }

    #[inline(always)]
    fn push_if(&mut self, wanted: bool, entry: Entry<L>) {
        let at = self.shape.bucket(entry.dist);
        let bucket = &mut self.buckets[at];
        bucket.entries[bucket.len] = entry;
        bucket.len += usize::from(wanted);
    }

    #[inline(always)]
    fn take(&mut self, mut each: impl FnMut(Entry<L>)) -> bool {
        for step in 0..self.buckets.len() {
            let at = (self.current + step) & (self.shape.count - 1);
            let bucket = &mut self.buckets[at];
            if bucket.len > 0 {
                self.current = at;
                for &entry in &bucket.entries[..bucket.len] {
                    each(entry);
                }
                bucket.len = 0;
                return true;
            }
        }
        self.current = 0;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::queue::tests::goes_round;
    use super::*;

    #[test]
    fn buckets_come_in_order_and_go_round() {
        goes_round(Ring::new(Shape::of(&[3u64, 50]).unwrap()));
    }
}
