//! The source counter: who searches which roots next.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crossbeam::queue::SegQueue;
use crossbeam::utils::CachePadded;

/// Hands out the roots `0..total`, each once, in contiguous ranges, to whoever asks first.
///
/// Ranges given back by a failed device are handed out again before new ones.
pub struct SourceCounter {
    next: CachePadded<AtomicUsize>,
    total: usize,
    returned: SegQueue<Range<usize>>,
    closed: AtomicBool,
    /// Roots searched, for the progress display.
    done: AtomicUsize,
    /// Among how many the rest is to be shared; bounds claims near the end.
    participants: usize,
}

impl SourceCounter {
    /// A counter of `total` roots for about this many workers and drivers.
    pub fn new(total: usize, participants: usize) -> Self {
        SourceCounter {
            next: CachePadded::new(AtomicUsize::new(0)),
            total,
            returned: SegQueue::new(),
            closed: AtomicBool::new(false),
            done: AtomicUsize::new(0),
            participants: participants.max(1),
        }
    }

    /// The next at most `wanted` roots, fewer near the end so that all finish together; `None`
    /// when nothing is left to claim (others may still be searching).
    pub fn claim(&self, wanted: usize) -> Option<Range<usize>> {
        if self.closed.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(range) = self.returned.pop() {
            if range.len() > wanted {
                self.returned.push(range.start + wanted..range.end);
            }
            return Some(range.start..range.end.min(range.start + wanted));
        }
        let share = 2 * self.participants;
        let size = |next: usize| {
            let rest = self.total - next;
            wanted.min(rest.div_ceil(share)).max(1).min(rest)
        };
        self.next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                (next < self.total).then(|| next + size(next))
            })
            .ok()
            .map(|start| start..start + size(start))
    }

    /// Notes that so many claimed roots have been searched.
    pub fn searched(&self, roots: usize) {
        self.done.fetch_add(roots, Ordering::Relaxed);
    }

    /// Roots searched so far.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Whether a claim would get something.
    pub fn has_work(&self) -> bool {
        !self.closed.load(Ordering::Relaxed)
            && (!self.returned.is_empty() || self.next.load(Ordering::Relaxed) < self.total)
    }

    /// Puts claimed but unfinished roots back. Those already noted as searched are told by
    /// `searched`.
    pub fn give_back(&self, range: Range<usize>, searched: bool) {
        if searched {
            self.done.fetch_sub(range.len(), Ordering::Relaxed);
        }
        if !range.is_empty() {
            self.returned.push(range);
        }
    }

    /// Lets nobody claim any more.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn every_root_is_handed_out_once_even_if_some_come_back() {
        let counter = SourceCounter::new(10_000, 4);
        let seen = Mutex::new(vec![0u32; 10_000]);
        std::thread::scope(|scope| {
            for worker in 0..4 {
                let (counter, seen) = (&counter, &seen);
                scope.spawn(move || {
                    let mut claims = 0;
                    while let Some(range) = counter.claim(1 + 37 * worker) {
                        claims += 1;
                        if worker == 3 && claims % 5 == 0 && claims < 50 {
                            counter.give_back(range, false);
                            continue;
                        }
                        for root in range {
                            seen.lock().unwrap()[root] += 1;
                        }
                    }
                });
            }
        });
        assert!(seen.into_inner().unwrap().iter().all(|&times| times == 1));
    }

    #[test]
    fn claims_shrink_towards_the_end() {
        let counter = SourceCounter::new(100, 2);
        assert_eq!(counter.claim(80), Some(0..25));
        assert_eq!(counter.claim(80), Some(25..44));
        assert_eq!(counter.claim(1), Some(44..45));
        let mut last = 0..0;
        while let Some(range) = counter.claim(80) {
            last = range;
        }
        assert_eq!(last, 99..100);
    }

    #[test]
    fn a_closed_counter_gives_nothing() {
        let counter = SourceCounter::new(5, 1);
        counter.give_back(0..1, false);
        assert!(counter.has_work());
        counter.close();
        assert_eq!(counter.claim(1), None);
        assert!(!counter.has_work());
    }
}
