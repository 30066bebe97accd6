//! The source counter: it hands out roots, each once, to the participant that asks first.
//!
//! A claim of roots that were never handed out is one atomic step, whose size follows from what is
//! left and from the rates of all participants, which are summed up in atomics too. Roots that come
//! back, or are supplied bit by bit, are behind a lock and are handed out first.

use std::ops::Range;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::pace::{Ask, Kind, Pace};
use super::ranges::{gaps, total};
use super::sync::{AtomicBool, AtomicU64, AtomicUsize, Condvar, Mutex, Ordering, lock, wait_for};

/// The approximate number of blocks where claims have a fixed size, if a worker or a driver fixes
/// it. A block's sums are added up by themselves: too many take time, too few an even end.
const BLOCKS: [usize; 2] = [512, 64];

/// Relaxed suffices: these atomics order no other access to memory.
const RELAXED: Ordering = Ordering::Relaxed;

/// Rates are summed up as integers: millionths of a root a second.
const MILLIONTHS: f64 = 1e6;

/// Hands out the roots `0..total`, each once, in contiguous ranges; or those of them that are
/// supplied ([`SourceCounter::supplied`]).
pub struct SourceCounter {
    /// How many roots there are.
    total: usize,
    /// Claims end where groups of so many roots end, unless they are smaller.
    group: usize,
    /// Whether claims are whole groups, however small they should be.
    whole: bool,
    /// The common size of all claims, fixed by the first call of [`Self::block`]; `None` if sizes
    /// follow rates.
    block: Option<OnceLock<usize>>,
    /// Roots from this one on have never been handed out.
    next: AtomicUsize,
    closed: AtomicBool,
    /// Among how many the work is shared.
    participants: AtomicUsize,
    /// Rates of workers and of drivers.
    rates: [AtomicU64; 2],
    /// Drivers whose rate is not known yet.
    unmeasured: AtomicUsize,
    /// Roots that all participants search at a time.
    together: AtomicUsize,
    /// The number of roots in [`State::returned`].
    returned: AtomicUsize,
    state: Mutex<State>,
    changed: Condvar,
    start: Instant,
}

#[derive(Default)]
struct State {
    /// The number of roots known so far: all, or those supplied.
    given: usize,
    /// Those given back, or supplied; the last one is handed out next.
    returned: Vec<Range<usize>>,
    /// About how many roots are still to be supplied; `None` once the supply has ended.
    more: Option<usize>,
}

impl SourceCounter {
    /// A counter of `total` roots, which are in groups of so many, for about this many workers and
    /// drivers.
    pub fn new(total: usize, group: usize, participants: usize) -> Self {
        SourceCounter {
            total,
            group: group.max(1),
            whole: false,
            block: None,
            next: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            participants: AtomicUsize::new(participants.max(1)),
            rates: [AtomicU64::new(0), AtomicU64::new(0)],
            unmeasured: AtomicUsize::new(0),
            together: AtomicUsize::new(0),
            returned: AtomicUsize::new(0),
            state: Mutex::new(State {
                given: total,
                ..State::default()
            }),
            changed: Condvar::new(),
            start: Instant::now(),
        }
    }

    /// Lets claims be whole groups.
    pub fn in_whole_groups(mut self, whole: bool) -> Self {
        self.whole = whole;
        self
    }

    /// Lets all claims have the same size.
    pub fn in_blocks(mut self) -> Self {
        self.block = Some(OnceLock::new());
        self
    }

    /// A counter that has no roots yet: they will be supplied.
    pub fn supplied(self) -> Self {
        self.next.store(self.total, RELAXED);
        let mut state = lock(&self.state);
        (state.given, state.more) = (0, Some(self.total));
        drop(state);
        self
    }

    /// Hands these ranges out no more: they are searched already. Call this before any claim.
    pub fn skip(&self, searched: &[Range<usize>]) {
        let mut state = lock(&self.state);
        self.next.store(self.total, RELAXED);
        if state.more.is_some() {
            state.given = total(searched);
        } else {
            state.returned = gaps(searched, self.total);
            state.returned.reverse();
            self.returned.store(total(&state.returned), RELAXED);
        }
    }

    /// Hands these roots out too. About so many more will follow.
    pub fn supply(&self, roots: Range<usize>, more: usize) {
        let mut state = lock(&self.state);
        state.given += roots.len();
        state.more = Some(more);
        self.returned.fetch_add(roots.len(), RELAXED);
        state.returned.insert(0, roots);
        self.changed.notify_all();
    }

    /// No more roots will follow.
    pub fn ends_supply(&self) {
        lock(&self.state).more = None;
        self.changed.notify_all();
    }

    /// Puts back claimed but unfinished roots. Returns how many these are.
    pub fn give_back(&self, ranges: Vec<Range<usize>>) -> usize {
        let count = total(&ranges);
        let mut state = lock(&self.state);
        state.returned.extend(ranges);
        self.returned.fetch_add(count, RELAXED);
        self.changed.notify_all();
        count
    }

    /// Ends all claims.
    pub fn close(&self) {
        self.closed.store(true, RELAXED);
        self.changed.notify_all();
    }

    /// Whether all claims are ended.
    pub fn is_closed(&self) -> bool {
        self.closed.load(RELAXED)
    }

    /// Corrects the number of workers and drivers, once it is known.
    pub fn set_participants(&self, participants: usize) {
        self.participants.store(participants.max(1), RELAXED);
    }

    /// Returns the common size of all claims, `None` if they have none. The first call fixes it, as
    /// a multiple of its `batch`.
    pub fn block(&self, batch: usize, kind: Kind) -> Option<usize> {
        let size = || {
            let size = self.total.div_ceil(BLOCKS[kind as usize]).max(1);
            size.next_multiple_of(batch.max(1))
                .next_multiple_of(self.group)
        };
        self.block.as_ref().map(|block| *block.get_or_init(size))
    }

    /// Returns whether so many roots are the final total: no more will be supplied.
    pub fn are_all(&self, roots: usize) -> bool {
        let state = lock(&self.state);
        state.more.is_none() && roots == state.given
    }

    /// Roots that are left to search when so many are searched.
    pub fn left(&self, searched: usize) -> usize {
        let state = lock(&self.state);
        (state.given + state.more.unwrap_or(0)).saturating_sub(searched)
    }

    /// Roots that no participant has claimed.
    pub fn unclaimed(&self) -> usize {
        self.total - self.next.load(RELAXED) + self.returned.load(RELAXED)
    }

    /// Whether there is anything to claim, or may be later.
    pub fn has_work(&self) -> bool {
        !self.is_closed() && (self.unclaimed() > 0 || lock(&self.state).more.is_some())
    }

    /// Whether any roots were given back and not claimed again.
    pub fn has_returned(&self) -> bool {
        self.returned.load(RELAXED) > 0
    }

    /// Roots that the participants search at a time, as far as that is known.
    pub fn together(&self) -> usize {
        self.together.load(RELAXED)
    }

    /// Roots a second of all drivers, once each of them is measured.
    pub fn drivers_rate(&self) -> Option<f64> {
        let rate = self.rates[Kind::Driver as usize].load(RELAXED) as f64 / MILLIONTHS;
        (rate > 0.0 && self.unmeasured.load(RELAXED) == 0).then_some(rate)
    }

    /// Waits until roots come back, are supplied or end, or for this time.
    pub fn wait(&self, time: Duration) {
        let state = lock(&self.state);
        drop(wait_for(&self.changed, (&self.state, state), time));
    }

    /// A new participant, expected to search so many roots a second.
    pub fn join(&self, kind: Kind, guess: Option<f64>) -> Participant<'_> {
        let mut participant = Participant {
            counter: self,
            kind,
            pace: Pace::new(kind, guess),
            told: (None, 0),
        };
        self.count_unmeasured(&participant, 1);
        participant.tell(guess, 0);
        participant
    }

    /// Adds to the drivers that are not measured, if this is one.
    fn count_unmeasured(&self, participant: &Participant<'_>, count: usize) {
        if participant.kind == Kind::Driver && participant.told.0.is_none() {
            self.unmeasured.fetch_add(count, RELAXED);
        }
    }

    /// Seconds by the clock that all are measured with.
    pub(super) fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Takes a range of roots, returned ones first; `None` if none are left or the counter is
    /// closed. `size` maps the number of roots left to the number to take.
    fn take(&self, size: impl Fn(usize) -> usize) -> Option<Range<usize>> {
        if self.is_closed() {
            return None;
        }
        if self.has_returned() {
            let mut state = lock(&self.state);
            if let Some(range) = state.returned.pop() {
                let rest = self.unclaimed() + state.more.unwrap_or(0);
                let end = self.end(range.start, size(rest), range.end);
                if end < range.end {
                    state.returned.push(end..range.end);
                }
                self.returned.fetch_sub(end - range.start, RELAXED);
                return Some(range.start..end);
            }
        }
        let end = |start| self.end(start, size(self.total - start), self.total);
        let taken = |start| Some(end(start)).filter(|&end| start < end);
        let start = self.next.fetch_update(RELAXED, RELAXED, taken).ok()?;
        Some(start..end(start))
    }

    /// Returns the end of a claim of `size` roots from `start`: `last` at most, else the last end
    /// of a group inside, if there is one.
    fn end(&self, start: usize, size: usize, last: usize) -> usize {
        let least = if self.whole { self.group } else { 1 };
        let end = start.saturating_add(size.max(least)).min(last);
        let groups = end - end % self.group;
        if groups > start && end < last {
            groups
        } else {
            end
        }
    }
}

/// A participant's handle on the counter. Dropping it removes its rate and its batch from the sums.
pub struct Participant<'c> {
    counter: &'c SourceCounter,
    kind: Kind,
    pub(super) pace: Pace,
    /// The rate, and the roots searched at a time, that are in the sums of the counter.
    told: (Option<f64>, usize),
}

impl Participant<'_> {
    /// Claims the next roots at time `now`, when every root of the last claim is searched or in
    /// flight.
    pub(super) fn claim(&mut self, ask: &Ask, now: f64) -> Option<Range<usize>> {
        let counter = self.counter;
        self.pace.note(ask, now);
        self.tell(self.pace.rate(), self.pace.together);
        let block = counter.block(ask.wanted, self.kind);
        let participants = counter.participants.load(RELAXED);
        let rate = |rate: &AtomicU64| rate.load(RELAXED) as f64 / MILLIONTHS;
        let rates = counter.rates.each_ref().map(rate);
        let share = |rest| self.pace.share((rest, ask.wanted), participants, rates);
        let range = counter.take(|rest| block.unwrap_or_else(|| share(rest)))?;
        self.pace.claim(range.len());
        Some(range)
    }

    /// Replaces the rate and the batch of this participant in the sums of the counter.
    fn tell(&mut self, rate: Option<f64>, together: usize) {
        let counter = self.counter;
        let (old_rate, old_together) = self.told;
        let sum = |rate: Option<f64>| (rate.unwrap_or(0.0) * MILLIONTHS) as u64;
        let more = sum(rate).wrapping_sub(sum(old_rate));
        counter.rates[self.kind as usize].fetch_add(more, RELAXED);
        let more = together.wrapping_sub(old_together);
        counter.together.fetch_add(more, RELAXED);
        if rate.is_some() {
            counter.count_unmeasured(self, usize::MAX);
        }
        self.told = (rate, together);
    }
}

impl Drop for Participant<'_> {
    fn drop(&mut self) {
        self.tell(Some(0.0), 0);
    }
}
