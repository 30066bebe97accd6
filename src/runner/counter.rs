//! The source counter: who searches which roots next.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

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
    /// Among how many the work is shared.
    participants: AtomicUsize,
    start: Instant,
}

/// Seconds of work that nobody minds waiting for at the end. Smaller batches would fill a GPU
/// badly: of 2, 4, 8 and 16 ms, two GPUs ended most evenly with 16.
const SHORT: f64 = 0.016;

impl SourceCounter {
    /// A counter of `total` roots for about this many workers and drivers.
    pub fn new(total: usize, participants: usize) -> Self {
        SourceCounter {
            next: CachePadded::new(AtomicUsize::new(0)),
            total,
            returned: SegQueue::new(),
            closed: AtomicBool::new(false),
            done: AtomicUsize::new(0),
            participants: AtomicUsize::new(participants.max(1)),
            start: Instant::now(),
        }
    }

    /// Corrects the number of workers and drivers, once it is known.
    pub fn set_participants(&self, participants: usize) {
        self.participants
            .store(participants.max(1), Ordering::Relaxed);
    }

    /// The next at most `wanted` roots; `None` when nothing is left to claim (others may still be
    /// searching). `rate`: roots a second of who asks, if known by now.
    ///
    /// Near the end claims shrink, so that all finish together: nobody takes more than half of
    /// what would be its share of the rest by its rate, unless that is over in [`SHORT`].
    pub fn claim(&self, wanted: usize, rate: Option<f64>) -> Option<Range<usize>> {
        if self.closed.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(range) = self.returned.pop() {
            if range.len() > wanted {
                self.returned.push(range.start + wanted..range.end);
            }
            return Some(range.start..range.end.min(range.start + wanted));
        }
        let participants = self.participants.load(Ordering::Relaxed);
        let share = self.share(rate, participants) / 2.0;
        let short = rate.map_or(1.0, |rate| rate * SHORT);
        let size = |next: usize| {
            let rest = self.total - next;
            if participants == 1 {
                return wanted.min(rest);
            }
            let fair = (rest as f64 * share).max(short).ceil() as usize;
            wanted.min(fair).clamp(1, rest)
        };
        self.next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                (next < self.total).then(|| next + size(next))
            })
            .ok()
            .map(|start| start..start + size(start))
    }

    /// The part of all work that somebody does who searches at this rate.
    fn share(&self, rate: Option<f64>, participants: usize) -> f64 {
        let seconds = self.start.elapsed().as_secs_f64();
        match rate {
            Some(rate) if rate > 0.0 => {
                let all = self.done() as f64 / seconds.max(1e-9);
                rate / all.max(rate)
            }
            // Little, until it is known how fast this one is.
            _ => 0.25 / participants as f64,
        }
    }

    /// Notes that so many claimed roots have been searched.
    pub fn searched(&self, roots: usize) {
        self.done.fetch_add(roots, Ordering::Relaxed);
    }

    /// Roots searched so far.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Roots that are not searched yet.
    pub fn left(&self) -> usize {
        self.total.saturating_sub(self.done())
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
                    while let Some(range) = counter.claim(1 + 37 * worker, None) {
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
        assert_eq!(counter.claim(80, None), Some(0..7));
        assert_eq!(counter.claim(80, None), Some(7..13));
        assert_eq!(counter.claim(1, None), Some(13..14));
        let mut last = 0..0;
        while let Some(range) = counter.claim(80, None) {
            last = range;
        }
        assert_eq!(last, 99..100);
    }

    #[test]
    fn the_fast_may_claim_much_and_the_slow_little() {
        let counter = SourceCounter::new(1000, 2);
        // Nothing is done yet, so a rate is all of the rate there is.
        assert_eq!(counter.claim(600, Some(1e3)), Some(0..500));
        // A hundred thousand a second: five hundred are over in a moment.
        assert_eq!(counter.claim(600, Some(1e5)), Some(500..1000));

        let counter = SourceCounter::new(1000, 2);
        counter.searched(1_000_000_000);
        assert_eq!(counter.claim(600, Some(1.0)), Some(0..1));
    }

    #[test]
    fn one_alone_gets_what_it_wants() {
        let counter = SourceCounter::new(100, 1);
        assert_eq!(counter.claim(80, None), Some(0..80));
        assert_eq!(counter.claim(80, None), Some(80..100));
        assert_eq!(counter.claim(80, None), None);
    }

    #[test]
    fn a_closed_counter_gives_nothing() {
        let counter = SourceCounter::new(5, 1);
        counter.give_back(0..1, false);
        assert!(counter.has_work());
        counter.close();
        assert_eq!(counter.claim(1, None), None);
        assert!(!counter.has_work());
    }
}
