//! The root counter hands out each root once, to the participant that asks first, and again only
//! if it is given back.
//!
//! One atomic update of a counter claims roots that were never handed out. A list has the roots
//! that participants gave back, that remained after an earlier run, or that arrive in parts during
//! the search, and claims take these first. A lock protects the list and the rates of all
//! participants, from which the size of a claim follows.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::pace::{EngineRoots, Kind, Pace};
use super::ranges::{gaps, total};
use super::sync::{AtomicUsize, Condvar, Mutex, Ordering, lock, wait_for};

/// The approximate number of blocks (claims of a fixed size), indexed by the [`Kind`] of the
/// participant that fixes the size. The sums of each block are added up separately, so more blocks
/// cost time; with fewer blocks, participants wait longer for the last one.
const BLOCKS: [usize; 2] = [512, 64];

/// Relaxed suffices: the counter orders no other access to memory.
const RELAXED: Ordering = Ordering::Relaxed;

/// Hands out the roots `0..total` in contiguous ranges. With
/// [`RootCounter::awaiting_supply`] it hands out only roots that are supplied during the search.
pub struct RootCounter {
    total: usize,
    /// The number of roots of a group. Claims end where groups end ([`RootCounter::claim_end`]).
    root_group: usize,
    /// Whether claims are whole groups, even if a participant wants fewer roots. (The searches of a
    /// group together serve the sources inside chains, which are paths of degree-2 vertices.)
    pub whole_groups: bool,
    /// Whether claims are blocks, which have the same size.
    pub in_blocks: bool,
    /// The first root that was never handed out.
    next: AtomicUsize,
    state: Mutex<State>,
    changed: Condvar,
    start: Instant,
}

#[derive(Default)]
struct State {
    /// Roots that were given back or supplied, or that remained after an earlier run. The last
    /// range is handed out next.
    listed: Vec<Range<usize>>,
    /// The number of roots to search, as far as it is known: `total`, or, with a supply, the roots
    /// supplied so far and those that an earlier run searched.
    known_roots: usize,
    /// The approximate number of roots that are still to be supplied; `None` once the supply has
    /// ended.
    to_follow: Option<usize>,
    closed: bool,
    /// The number of workers and drivers among which the work is divided.
    participants: usize,
    /// The participants that have joined.
    joined: Vec<Joined>,
    /// The size of a block, once it is fixed.
    block_size: Option<usize>,
}

/// The kind and the current speed of a participant.
#[derive(Clone, Copy)]
struct Joined {
    kind: Kind,
    /// Roots a second, if known; 0 when the participant has ended.
    rate: Option<f64>,
    /// The number of roots that it searches at a time; 0 before its first attempt to claim, and
    /// when it has ended.
    batch: usize,
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

impl RootCounter {
    /// Makes a counter of `total` roots, in groups of `root_group`, for about `participants`
    /// workers and drivers.
    pub fn new(total: usize, root_group: usize, participants: usize) -> Self {
        RootCounter {
            total,
            root_group: root_group.max(1),
            whole_groups: false,
            in_blocks: false,
            next: AtomicUsize::new(0),
            state: Mutex::new(State {
                known_roots: total,
                participants: participants.max(1),
                ..State::default()
            }),
            changed: Condvar::new(),
            start: Instant::now(),
        }
    }

    /// Empties the counter: all roots will be supplied.
    pub fn awaiting_supply(self) -> Self {
        self.next.store(self.total, RELAXED);
        let mut state = lock(&self.state);
        (state.known_roots, state.to_follow) = (0, Some(self.total));
        drop(state);
        self
    }

    /// Excludes ranges that an earlier run has searched. Call this before any claim.
    pub fn skip(&self, searched: &[Range<usize>]) {
        self.next.store(self.total, RELAXED);
        let mut state = lock(&self.state);
        if state.to_follow.is_some() {
            state.known_roots = total(searched);
        } else {
            state.listed = gaps(searched, self.total);
            state.listed.reverse();
        }
    }

    /// Adds supplied roots. About `to_follow` more will be supplied.
    pub fn supply(&self, roots: Range<usize>, to_follow: usize) {
        let mut state = lock(&self.state);
        state.known_roots += roots.len();
        state.to_follow = Some(to_follow);
        state.listed.insert(0, roots);
        self.changed.notify_all();
    }

    /// Declares that no more roots will be supplied.
    pub fn end_supply(&self) {
        lock(&self.state).to_follow = None;
        self.changed.notify_all();
    }

    /// Puts back claimed but unfinished roots. Returns their number.
    pub fn give_back(&self, ranges: Vec<Range<usize>>) -> usize {
        let count = total(&ranges);
        lock(&self.state).listed.extend(ranges);
        self.changed.notify_all();
        count
    }

    /// Closes the counter: participants can claim no more roots.
    pub fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }

    /// Returns whether the counter is closed.
    pub fn is_closed(&self) -> bool {
        lock(&self.state).closed
    }

    /// Corrects the number of workers and drivers, once it is known.
    pub fn set_participants(&self, participants: usize) {
        lock(&self.state).participants = participants.max(1);
    }

    /// Returns the size of a block; `None` if claims are no blocks. The first call fixes the size:
    /// a multiple of `wanted`, rounded up to whole groups.
    pub fn block_size(&self, wanted: usize, kind: Kind) -> Option<usize> {
        self.fix_block(&mut lock(&self.state), wanted, kind)
    }

    fn fix_block(&self, state: &mut State, wanted: usize, kind: Kind) -> Option<usize> {
        let size = || {
            let size = self.total.div_ceil(BLOCKS[kind as usize]).max(1);
            size.next_multiple_of(wanted.max(1))
                .next_multiple_of(self.root_group)
        };
        self.in_blocks
            .then(|| *state.block_size.get_or_insert_with(size))
    }

    /// Returns whether `roots` is the number of all roots to search, and no more will be supplied.
    pub fn is_final_count(&self, roots: usize) -> bool {
        let state = lock(&self.state);
        state.to_follow.is_none() && roots == state.known_roots
    }

    /// Returns whether `roots` is the number of roots known so far: those supplied, and those of an
    /// earlier run.
    pub fn has_supplied(&self, roots: usize) -> bool {
        lock(&self.state).known_roots == roots
    }

    /// Returns the number of roots left to search if `searched` are searched.
    pub fn left(&self, searched: usize) -> usize {
        let state = lock(&self.state);
        (state.known_roots + state.to_follow.unwrap_or(0)).saturating_sub(searched)
    }

    /// Returns the number of roots that can be claimed now.
    pub fn unclaimed(&self) -> usize {
        self.fresh() + total(&lock(&self.state).listed)
    }

    /// Returns the number of roots that were neither handed out nor listed.
    fn fresh(&self) -> usize {
        self.total - self.next.load(RELAXED)
    }

    /// Returns whether the counter is open, and there are roots to claim or more may be supplied.
    pub fn has_work(&self) -> bool {
        let state = lock(&self.state);
        let claimable = self.fresh() > 0 || !state.listed.is_empty();
        !state.closed && (claimable || state.to_follow.is_some())
    }

    /// Returns whether the next claim takes listed roots.
    pub fn has_listed(&self) -> bool {
        !lock(&self.state).listed.is_empty()
    }

    /// Returns the number of roots that all participants together search at a time, as far as it is
    /// known.
    pub fn roots_at_a_time(&self) -> usize {
        let state = lock(&self.state);
        state.joined.iter().map(|joined| joined.batch).sum()
    }

    /// Returns the summed rate of all drivers, in roots a second; `None` if there is no driver,
    /// or the rate of one is unknown.
    pub fn drivers_rate(&self) -> Option<f64> {
        let state = lock(&self.state);
        let unmeasured = |joined: &Joined| joined.kind == Kind::Driver && joined.rate.is_none();
        let [_, rate] = state.rates();
        (rate > 0.0 && !state.joined.iter().any(unmeasured)).then_some(rate)
    }

    /// Waits until roots are listed, the supply ends or the counter is closed, at most for `time`.
    pub fn wait(&self, time: Duration) {
        let state = lock(&self.state);
        drop(wait_for(&self.changed, (&self.state, state), time));
    }

    /// Adds a participant. `guess` is its expected rate in roots a second.
    pub fn join(&self, kind: Kind, guess: Option<f64>) -> Participant<'_> {
        let joined = &mut lock(&self.state).joined;
        joined.push(Joined {
            kind,
            rate: guess,
            batch: 0,
        });
        Participant {
            counter: self,
            index: joined.len() - 1,
            pace: Pace::new(kind, guess),
        }
    }

    /// Returns the seconds since the counter was made: the clock of all participants.
    pub(super) fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Returns the end of a claim of `size` roots from `start`. A claim that does not reach `limit`
    /// ends with the last group that ends inside it, if any.
    fn claim_end(&self, start: usize, size: usize, limit: usize) -> usize {
        let least = [1, self.root_group][usize::from(self.whole_groups)];
        let end = start.saturating_add(size.max(least)).min(limit);
        let group_end = end - end % self.root_group;
        let ends_inside = group_end > start && end < limit;
        if ends_inside { group_end } else { end }
    }
}

/// A participant's handle on the counter. Dropping it removes its rate, so that others claim larger
/// shares.
pub struct Participant<'c> {
    counter: &'c RootCounter,
    /// The index in [`State::joined`].
    index: usize,
    pub(super) pace: Pace,
}

impl Participant<'_> {
    /// Claims the next roots at time `now`, listed ones first. Every root of earlier claims must be
    /// searched or in flight, because the pace counts those that are not in flight as searched.
    pub(super) fn claim(&mut self, engine_roots: &EngineRoots, now: f64) -> Option<Range<usize>> {
        let counter = self.counter;
        self.pace.update(engine_roots, now);
        let mut state = lock(&counter.state);
        let joined = &mut state.joined[self.index];
        (joined.rate, joined.batch) = (self.pace.rate(), self.pace.batch);
        let block_size = counter.fix_block(&mut state, engine_roots.wanted, self.pace.kind);
        if state.closed {
            return None;
        }
        let (participants, rates) = (state.participants, state.rates());
        let (pace, wanted) = (&self.pace, engine_roots.wanted);
        let share = |rest| pace.claim_size((rest, wanted), participants, rates);
        let size = |rest| block_size.unwrap_or_else(|| share(rest));
        let range = if let Some(range) = state.listed.pop() {
            let rest = range.len() + total(&state.listed) + state.to_follow.unwrap_or(0);
            let end = counter.claim_end(range.start, size(rest + counter.fresh()), range.end);
            if end < range.end {
                state.listed.push(end..range.end);
            }
            range.start..end
        } else {
            drop(state);
            let (next, last) = (&counter.next, counter.total);
            let end = |start| counter.claim_end(start, size(last - start), last);
            let claimed = |start| Some(end(start)).filter(|&end| start < end);
            let start = next.fetch_update(RELAXED, RELAXED, claimed).ok()?;
            start..end(start)
        };
        self.pace.add_claimed(range.len());
        Some(range)
    }
}

impl Drop for Participant<'_> {
    fn drop(&mut self) {
        let joined = &mut lock(&self.counter.state).joined[self.index];
        (joined.rate, joined.batch) = (Some(0.0), 0);
    }
}
