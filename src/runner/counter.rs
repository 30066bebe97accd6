//! The source counter: it hands out roots, each once, to the participant that asks first.
//!
//! Far from the end a claim is one atomic step. A participant has a lease, which says up to which
//! root it may claim so, and how many roots at a time. Without one it asks the scheduler, which
//! looks at all participants under a lock, and gives the next lease: for half of what is left, if
//! by the rule of shares the participant could even then have what it wants. So each participant
//! asks a few dozen times, most of them near the end, however many claims it makes.
//!
//! Who gets nothing waits. One waiting worker looks at the clock for all of them, since time alone
//! may change the answer (a device may be late); the others sleep until that one gets roots, or
//! something else changes.

use std::cell::Cell;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::claim::{Claim, Lease};
use super::fresh::Fresh;
use super::ledger::Claimed;
use super::measured::{Ask, Kind, Measured};
use super::ranges::{gaps, total};
use super::scheduler::{Share, Situation};
use super::sync::{AtomicUsize, Condvar, Mutex, MutexGuard, Ordering, lock, wait, wait_for};
use crate::engine::Engine;

/// Roots are dealt in about so many blocks, among workers and among drivers, where claims have a
/// fixed size. A block's sums are added up by themselves: too many take time, too few an even end.
const BLOCKS: [usize; 2] = [512, 64];

/// After this time it is worth asking again after [`Claim::Later`].
const RETRY: Duration = Duration::from_millis(1);

/// Hands out the roots `0..total`, each once, in contiguous ranges; or those of them that are
/// supplied ([`SourceCounter::supplied`]).
///
/// Ranges given back by a failed device are handed out again before new ones.
pub struct SourceCounter {
    fresh: Fresh,
    /// The size of all claims, once it is known, where it is not to depend on who makes them.
    block: Option<OnceLock<usize>>,
    /// Grows when leases end and waiting participants have to ask again; written under the lock.
    changes: AtomicUsize,
    state: Mutex<State>,
    /// Where workers and drivers wait.
    idle: [Condvar; 2],
    start: Instant,
}

/// What participants share under the lock.
#[derive(Default)]
struct State {
    /// How many roots there have been to hand out.
    given: usize,
    /// Those given back, or supplied; the last one is handed out next.
    returned: Vec<Range<usize>>,
    closed: bool,
    /// About how many roots will be supplied yet, if some may be.
    more: Option<usize>,
    /// Among how many the work is shared.
    participants: usize,
    /// Participants by number. Each has a lock of its own, under which nothing is waited for.
    measured: Vec<Option<Arc<Mutex<Measured>>>>,
    /// Whether a waiting worker looks at the clock.
    watched: bool,
}

impl SourceCounter {
    /// A counter of `total` roots, which are in groups of so many, for about this many workers and
    /// drivers.
    pub fn new(total: usize, group: usize, participants: usize) -> Self {
        SourceCounter {
            fresh: Fresh::new(total, group),
            block: None,
            changes: AtomicUsize::new(0),
            state: Mutex::new(State {
                given: total,
                participants: participants.max(1),
                ..State::default()
            }),
            idle: [Condvar::new(), Condvar::new()],
            start: Instant::now(),
        }
    }

    /// Lets claims be whole groups.
    pub fn in_whole_groups(mut self, whole: bool) -> Self {
        self.fresh.whole = whole;
        self
    }

    /// A counter that has no roots yet: they will be supplied.
    pub fn supplied(self) -> Self {
        self.fresh.clear();
        let mut state = lock(&self.state);
        (state.given, state.more) = (0, Some(self.fresh.total));
        drop(state);
        self
    }

    /// Hands these roots out too. About so many more will follow.
    pub fn supply(&self, roots: Range<usize>, more: usize) {
        let mut state = lock(&self.state);
        state.given += roots.len();
        state.returned.insert(0, roots);
        state.more = Some(more);
        self.change(&mut state);
    }

    /// No more roots will follow.
    pub fn ends_supply(&self) {
        let mut state = lock(&self.state);
        state.more = None;
        self.change(&mut state);
    }

    /// Whether these are all roots that there will ever be.
    pub fn are_all(&self, roots: usize) -> bool {
        let state = lock(&self.state);
        state.more.is_none() && roots == state.given
    }

    /// Roots that no participant has claimed.
    pub fn unclaimed(&self) -> usize {
        self.rest(&lock(&self.state))
    }

    /// Roots that the participants search at a time, as far as that is known.
    pub fn together(&self) -> usize {
        let state = lock(&self.state);
        let measured = state.measured.iter().flatten();
        measured.map(|measured| lock(measured).together).sum()
    }

    /// Lets all claims have the same size.
    pub fn in_blocks(mut self) -> Self {
        self.block = Some(OnceLock::new());
        self
    }

    /// The size of all claims, if they have the same: a multiple of this batch, if none was told
    /// before.
    pub fn block(&self, batch: usize, kind: Kind) -> Option<usize> {
        let size = || {
            let blocks = BLOCKS[kind as usize];
            let size = self.fresh.total.div_ceil(blocks).max(1);
            size.next_multiple_of(batch.max(1))
                .next_multiple_of(self.fresh.group)
        };
        self.block.as_ref().map(|block| *block.get_or_init(size))
    }

    /// Ends all leases and lets all that wait ask again. With the lock held.
    fn change(&self, _: &mut MutexGuard<'_, State>) {
        self.changes.fetch_add(1, Ordering::Relaxed);
        self.idle.iter().for_each(|idle| idle.notify_all());
    }

    /// Lets all that wait ask again.
    pub fn wake(&self) {
        self.change(&mut lock(&self.state));
    }

    /// Corrects the number of workers and drivers, once it is known.
    pub fn set_participants(&self, participants: usize) {
        let mut state = lock(&self.state);
        if state.participants != participants.max(1) {
            state.participants = participants.max(1);
            self.change(&mut state);
        }
    }

    /// A new participant.
    pub fn join(&self, kind: Kind) -> Participant<'_> {
        let measured = Arc::new(Mutex::new(Measured::new(kind, self.now())));
        let mut state = lock(&self.state);
        state.measured.push(Some(Arc::clone(&measured)));
        self.change(&mut state);
        Participant {
            counter: self,
            number: state.measured.len() - 1,
            kind,
            measured,
            lease: Cell::default(),
            guess: None,
        }
    }

    /// Roots that are left to search when so many are searched.
    pub fn left(&self, searched: usize) -> usize {
        let state = lock(&self.state);
        (state.given + state.more.unwrap_or(0)).saturating_sub(searched)
    }

    /// Whether there is anything to claim, or may be later.
    pub fn has_work(&self) -> bool {
        let state = lock(&self.state);
        !state.closed && (self.rest(&state) > 0 || state.more.is_some())
    }

    /// Puts claimed but unfinished roots back.
    pub fn give_back(&self, range: Range<usize>) {
        if !range.is_empty() {
            let mut state = lock(&self.state);
            state.returned.push(range);
            self.change(&mut state);
        }
    }

    /// Whether any roots were given back and not claimed again.
    pub fn has_returned(&self) -> bool {
        !lock(&self.state).returned.is_empty()
    }

    /// Puts back all that a participant claimed and did not commit. Returns how many roots that
    /// are.
    pub fn give_all_back(&self, group: Vec<Claimed>) -> usize {
        let give = |claimed: Claimed| {
            let count = claimed.roots.len();
            self.give_back(claimed.roots);
            count
        };
        group.into_iter().map(give).sum()
    }

    /// Whether all claims are ended.
    pub fn is_closed(&self) -> bool {
        lock(&self.state).closed
    }

    /// Seconds until the participant of this number has searched what it claimed, at this time of
    /// the clock, if it is known how fast it is.
    pub(super) fn seconds_left(&self, number: usize, now: f64) -> Option<f64> {
        let measured = self.measured(number)?;
        Some(measured.busy(measured.pace()?, now))
    }

    /// Whether the participant of this number should have searched all by then that it claimed.
    pub(super) fn is_late(&self, number: usize, now: f64) -> bool {
        self.measured(number)
            .is_some_and(|measured| measured.is_late(now))
    }

    fn measured(&self, number: usize) -> Option<Measured> {
        let measured = lock(&self.state).measured.get(number)?.clone()?;
        let measured = *lock(&measured);
        Some(measured)
    }

    /// Seconds by the clock that all are measured with.
    pub(super) fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Takes out the participant of this number, as when its [`Participant`] is dropped.
    pub fn leave(&self, number: usize) {
        let mut state = lock(&self.state);
        state.measured[number] = None;
        self.change(&mut state);
    }

    /// Hands these ranges out no more: they are searched already. To be called before any claim.
    pub fn skip(&self, searched: &[Range<usize>]) {
        let mut state = lock(&self.state);
        self.fresh.clear();
        if state.more.is_some() {
            state.given = total(searched);
        } else {
            state.returned = gaps(searched, self.fresh.total);
            state.returned.reverse();
        }
    }

    /// Ends all claims.
    pub fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        self.change(&mut state);
    }

    /// Roots that are left to claim.
    fn rest(&self, state: &State) -> usize {
        self.fresh.left() + total(&state.returned)
    }

    /// Takes about so many roots, those given back first; `None` if there are none.
    fn take(&self, state: &mut State, size: usize) -> Option<Range<usize>> {
        let Some(range) = state.returned.pop() else {
            return self.fresh.take(size, self.fresh.total);
        };
        let end = self.fresh.end(range.start, size, range.end);
        if end < range.end {
            state.returned.push(end..range.end);
        }
        Some(range.start..end)
    }
}

/// A place among the participants; given up when it is dropped.
pub struct Participant<'c> {
    counter: &'c SourceCounter,
    number: usize,
    kind: Kind,
    measured: Arc<Mutex<Measured>>,
    lease: Cell<Lease>,
    /// Seconds that each of many roots may take, as long as nothing is measured.
    guess: Option<f64>,
}

impl Participant<'_> {
    /// Seconds that it takes to search so many roots, if that is known.
    pub fn seconds(&self, roots: usize) -> Option<f64> {
        let pace = lock(&self.measured).pace()?;
        Some((roots as f64 / pace.rate).max(pace.least))
    }

    /// Notes that it searches so many roots now that others had claimed.
    pub fn takes(&self, roots: usize) {
        self.takes_at(roots, self.now());
    }

    /// The same at this time of the clock.
    pub(super) fn takes_at(&self, roots: usize, now: f64) {
        let mut measured = lock(&self.measured);
        measured.claim(roots, now);
        measured.begin(now);
    }

    /// Says that each of many roots may take so many seconds. Nothing is claimed then that may be
    /// worth less than it costs others.
    pub fn guess(&mut self, seconds: f64) {
        self.guess = Some(seconds);
    }

    /// Its number among all there have been.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The next roots for this engine, whose last claim is searched or in flight.
    pub fn claim(&self, engine: &dyn Engine) -> Claim {
        let wanted = engine.roots_wanted();
        let ask = Ask {
            wanted: self.counter.block(wanted, self.kind).unwrap_or(wanted),
            in_flight: engine.roots_in_flight(),
            together: engine.roots_together(),
            guess: self.guess,
        };
        self.ask(&ask, self.now())
    }

    /// The first roots for an engine that is not made yet. It searches so many together, in about
    /// so many seconds each.
    pub fn first_claim(&self, together: usize, guess: f64) -> Claim {
        let ask = Ask {
            wanted: self.counter.block(together, self.kind).unwrap_or(together),
            in_flight: 0,
            together,
            guess: Some(guess),
        };
        self.ask(&ask, self.now())
    }

    /// The search of what was claimed last begins only now.
    pub fn begin(&self) {
        lock(&self.measured).begin(self.now());
    }

    fn now(&self) -> f64 {
        self.counter.now()
    }

    /// The answer at this time of the clock.
    pub(super) fn ask(&self, ask: &Ask, now: f64) -> Claim {
        match self.leased(ask, now) {
            Some(range) => Claim::Roots(range),
            None => self.scheduled(ask, now),
        }
    }

    /// What can be claimed without asking.
    pub(super) fn leased(&self, ask: &Ask, now: f64) -> Option<Range<usize>> {
        let (counter, lease) = (self.counter, self.lease.get());
        if ask.wanted > lease.most || lease.changes != counter.changes.load(Ordering::Relaxed) {
            return None;
        }
        let range = counter.fresh.take(ask.wanted.max(1), lease.until)?;
        let mut measured = lock(&self.measured);
        measured.note(ask, now);
        measured.claim(range.len(), now);
        Some(range)
    }

    /// What the scheduler says.
    fn scheduled(&self, ask: &Ask, now: f64) -> Claim {
        let counter = self.counter;
        let mut state = lock(&counter.state);
        let mut lease = Lease {
            changes: counter.changes.load(Ordering::Relaxed),
            ..Lease::default()
        };
        let others = state.measured.iter().enumerate();
        let others = others.filter(|&(number, _)| number != self.number);
        let others = others.filter_map(|(_, measured)| measured.as_deref());
        let others: Vec<Measured> = others.map(|measured| *lock(measured)).collect();
        let mut measured = lock(&self.measured);
        measured.note(ask, now);
        let waited = measured.waits;
        let claim = loop {
            let rest = counter.rest(&state);
            if state.closed || rest == 0 && state.more.is_none() {
                break Claim::Nothing;
            }
            if rest == 0 {
                break Claim::Later;
            }
            let situation = Situation {
                rest: rest + state.more.unwrap_or(0),
                participants: state.participants,
                others: &others,
                now,
            };
            let share = match counter.block {
                Some(_) => Share {
                    size: ask.wanted,
                    freely: usize::MAX,
                },
                None => situation.share(&measured, ask),
            };
            if share.size == 0 {
                break Claim::Later;
            }
            // Leases of others may have taken the rest in the meantime.
            if let Some(range) = counter.take(&mut state, share.size) {
                if state.returned.is_empty() && share.freely >= ask.wanted {
                    let fresh = &counter.fresh;
                    lease.until = fresh.total - fresh.left().div_ceil(2);
                    lease.most = share.freely;
                }
                break Claim::Roots(range);
            }
        };
        let roots = match &claim {
            Claim::Roots(range) => range.len(),
            Claim::Later | Claim::Nothing => 0,
        };
        measured.claim(roots, now);
        drop(measured);
        self.lease.set(lease);
        if roots > 0 && counter.rest(&state) == 0 {
            counter.change(&mut state);
        } else if roots > 0 && waited {
            // Another one may get roots too, or else looks at the clock from now on.
            counter.idle[Kind::Worker as usize].notify_one();
        }
        claim
    }

    /// Waits until it is worth asking again after [`Claim::Later`].
    pub fn wait(&self) {
        let counter = self.counter;
        let mutex = &counter.state;
        let mut state = lock(mutex);
        let idle = &counter.idle[self.kind as usize];
        if self.lease.get().changes != counter.changes.load(Ordering::Relaxed) {
            return;
        }
        match self.kind {
            Kind::Driver => drop(wait_for(idle, (mutex, state), RETRY)),
            Kind::Worker if state.watched => drop(wait(idle, state)),
            Kind::Worker => {
                state.watched = true;
                wait_for(idle, (mutex, state), RETRY).watched = false;
            }
        }
    }
}

impl Drop for Participant<'_> {
    fn drop(&mut self) {
        self.counter.leave(self.number);
    }
}
