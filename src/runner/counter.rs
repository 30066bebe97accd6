//! The source counter: it hands out roots, each once, to the participant that asks first.
//!
//! Roots that were never handed out are claimed by one atomic update of a counter. Roots that
//! come back, or are supplied in parts while the search runs, are in a list, which is claimed
//! first. A lock protects the list and the rates of all participants, from which the size of a
//! claim follows.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::pace::{Ask, Kind, Pace};
use super::ranges::{gaps, total};
use super::sync::{AtomicUsize, Condvar, Mutex, Ordering, lock, wait_for};

/// The approximate number of blocks if claims have a fixed size, by the [`Kind`] of the participant
/// that fixes it. The sums of each block are added up separately: more blocks cost time; with
/// fewer, participants finish at more unequal times.
const BLOCKS: [usize; 2] = [512, 64];

/// Relaxed suffices: the counter orders no other access to memory.
const RELAXED: Ordering = Ordering::Relaxed;

/// Hands out the roots `0..total`, each once, in contiguous ranges; or those of them that are
/// supplied ([`SourceCounter::supplied`]).
pub struct SourceCounter {
    total: usize,
    /// A claim of at least one group ends at a multiple of this number.
    group: usize,
    /// Whether claims are whole groups, even if the wanted claim is smaller.
    whole: bool,
    /// Whether all claims have the same size.
    in_blocks: bool,
    /// The roots from this one on were never handed out.
    next: AtomicUsize,
    state: Mutex<State>,
    changed: Condvar,
    start: Instant,
}

#[derive(Default)]
struct State {
    /// Roots that were given back or supplied. The last range is handed out next.
    returned: Vec<Range<usize>>,
    /// The number of roots known so far: all, or those supplied.
    given: usize,
    /// The approximate number of roots that are still to be supplied; `None` once the supply has
    /// ended.
    more: Option<usize>,
    closed: bool,
    /// The number of workers and drivers among which the work is shared.
    expected: usize,
    /// The participants that have joined.
    joined: Vec<Joined>,
    /// The size of all claims, once it is fixed.
    block: Option<usize>,
}

/// The current speed of a participant.
#[derive(Clone, Copy)]
struct Joined {
    kind: Kind,
    /// Roots a second, if known; 0 when the participant has ended.
    rate: Option<f64>,
    /// The number of roots searched at a time, if known; else 0.
    together: usize,
}

impl State {
    /// Returns the summed rates of workers and of drivers.
    fn rates(&self) -> [f64; 2] {
        let mut rates = [0.0; 2];
        for joined in &self.joined {
            rates[joined.kind as usize] += joined.rate.unwrap_or(0.0);
        }
        rates
    }
}

impl SourceCounter {
    /// A counter of `total` roots, in groups of `group`, for about this many workers and drivers.
    pub fn new(total: usize, group: usize, participants: usize) -> Self {
        SourceCounter {
            total,
            group: group.max(1),
            whole: false,
            in_blocks: false,
            next: AtomicUsize::new(0),
            state: Mutex::new(State {
                given: total,
                expected: participants.max(1),
                ..State::default()
            }),
            changed: Condvar::new(),
            start: Instant::now(),
        }
    }

    /// Makes claims whole groups.
    pub fn in_whole_groups(mut self, whole: bool) -> Self {
        self.whole = whole;
        self
    }

    /// Gives all claims the same size.
    pub fn in_blocks(mut self) -> Self {
        self.in_blocks = true;
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

    /// Excludes ranges that are searched already. Call this before any claim.
    pub fn skip(&self, searched: &[Range<usize>]) {
        self.next.store(self.total, RELAXED);
        let mut state = lock(&self.state);
        if state.more.is_some() {
            state.given = total(searched);
        } else {
            state.returned = gaps(searched, self.total);
            state.returned.reverse();
        }
    }

    /// Adds supplied roots. About `more` will follow.
    pub fn supply(&self, roots: Range<usize>, more: usize) {
        let mut state = lock(&self.state);
        state.given += roots.len();
        state.more = Some(more);
        state.returned.insert(0, roots);
        self.changed.notify_all();
    }

    /// Ends the supply.
    pub fn ends_supply(&self) {
        lock(&self.state).more = None;
        self.changed.notify_all();
    }

    /// Puts back claimed but unfinished roots. Returns their number.
    pub fn give_back(&self, ranges: Vec<Range<usize>>) -> usize {
        let count = total(&ranges);
        lock(&self.state).returned.extend(ranges);
        self.changed.notify_all();
        count
    }

    /// Ends all claims.
    pub fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }

    /// Returns whether all claims have ended.
    pub fn is_closed(&self) -> bool {
        lock(&self.state).closed
    }

    /// Corrects the number of workers and drivers, once it is known.
    pub fn set_participants(&self, participants: usize) {
        lock(&self.state).expected = participants.max(1);
    }

    /// Returns the common size of all claims, `None` if they have none. The first call fixes it, as
    /// a multiple of its `batch`.
    pub fn block(&self, batch: usize, kind: Kind) -> Option<usize> {
        self.fix_block(&mut lock(&self.state), batch, kind)
    }

    fn fix_block(&self, state: &mut State, batch: usize, kind: Kind) -> Option<usize> {
        let size = || {
            let size = self.total.div_ceil(BLOCKS[kind as usize]).max(1);
            size.next_multiple_of(batch.max(1))
                .next_multiple_of(self.group)
        };
        self.in_blocks
            .then(|| *state.block.get_or_insert_with(size))
    }

    /// Returns whether this is the final number of roots: no more will be supplied.
    pub fn are_all(&self, roots: usize) -> bool {
        let state = lock(&self.state);
        state.more.is_none() && roots == state.given
    }

    /// Returns whether this is the number of roots supplied so far.
    pub fn has_supplied(&self, roots: usize) -> bool {
        lock(&self.state).given == roots
    }

    /// Returns the number of roots left to search if `searched` are searched.
    pub fn left(&self, searched: usize) -> usize {
        let state = lock(&self.state);
        (state.given + state.more.unwrap_or(0)).saturating_sub(searched)
    }

    /// Returns the number of roots that no participant has claimed.
    pub fn unclaimed(&self) -> usize {
        self.fresh() + total(&lock(&self.state).returned)
    }

    fn fresh(&self) -> usize {
        self.total - self.next.load(RELAXED)
    }

    /// Returns whether there is anything to claim, or may be later.
    pub fn has_work(&self) -> bool {
        let state = lock(&self.state);
        let claimable = self.fresh() > 0 || !state.returned.is_empty();
        !state.closed && (claimable || state.more.is_some())
    }

    /// Returns whether the next claim is of roots that were given back or supplied.
    pub fn has_returned(&self) -> bool {
        !lock(&self.state).returned.is_empty()
    }

    /// Returns the number of roots that all participants search at a time, as far as it is known.
    pub fn together(&self) -> usize {
        let state = lock(&self.state);
        state.joined.iter().map(|joined| joined.together).sum()
    }

    /// Returns the summed rate of all drivers, in roots a second, once each of them is measured.
    pub fn drivers_rate(&self) -> Option<f64> {
        let state = lock(&self.state);
        let unmeasured = |joined: &Joined| joined.kind == Kind::Driver && joined.rate.is_none();
        let [_, rate] = state.rates();
        (rate > 0.0 && !state.joined.iter().any(unmeasured)).then_some(rate)
    }

    /// Waits until roots come back, are supplied or end, or for this time.
    pub fn wait(&self, time: Duration) {
        let state = lock(&self.state);
        drop(wait_for(&self.changed, (&self.state, state), time));
    }

    /// Adds a participant, with its expected rate in roots a second.
    pub fn join(&self, kind: Kind, guess: Option<f64>) -> Participant<'_> {
        let joined = &mut lock(&self.state).joined;
        joined.push(Joined {
            kind,
            rate: guess,
            together: 0,
        });
        Participant {
            counter: self,
            number: joined.len() - 1,
            kind,
            pace: Pace::new(kind, guess),
        }
    }

    /// Returns the seconds since the counter was made: the clock of all participants.
    pub(super) fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Returns the end of a claim of `size` roots from `start`: at most `last`, else the last end
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

/// A participant's handle on the counter. Dropping it removes its rate, so that others claim larger
/// shares.
pub struct Participant<'c> {
    counter: &'c SourceCounter,
    /// The index in [`State::joined`].
    number: usize,
    kind: Kind,
    pub(super) pace: Pace,
}

impl Participant<'_> {
    /// Claims the next roots at time `now`, when every root of the last claim is searched or in
    /// flight. Roots that were given back are claimed first.
    pub(super) fn claim(&mut self, ask: &Ask, now: f64) -> Option<Range<usize>> {
        let counter = self.counter;
        self.pace.note(ask, now);
        let mut state = lock(&counter.state);
        state.joined[self.number].rate = self.pace.rate();
        state.joined[self.number].together = self.pace.together;
        let block = counter.fix_block(&mut state, ask.wanted, self.kind);
        if state.closed {
            return None;
        }
        let (participants, rates) = (state.expected, state.rates());
        let share = |rest| self.pace.share((rest, ask.wanted), participants, rates);
        let size = |rest| block.unwrap_or_else(|| share(rest));
        let range = if let Some(range) = state.returned.pop() {
            let rest = range.len() + total(&state.returned) + state.more.unwrap_or(0);
            let end = counter.end(range.start, size(rest + counter.fresh()), range.end);
            if end < range.end {
                state.returned.push(end..range.end);
            }
            range.start..end
        } else {
            drop(state);
            let (next, last) = (&counter.next, counter.total);
            let end = |start| counter.end(start, size(last - start), last);
            let claimed = |start| Some(end(start)).filter(|&end| start < end);
            let start = next.fetch_update(RELAXED, RELAXED, claimed).ok()?;
            start..end(start)
        };
        self.pace.claim(range.len());
        Some(range)
    }
}

impl Drop for Participant<'_> {
    fn drop(&mut self) {
        let joined = &mut lock(&self.counter.state).joined[self.number];
        (joined.rate, joined.together) = (Some(0.0), 0);
    }
}
