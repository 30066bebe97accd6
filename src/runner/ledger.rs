//! The ledger: what each participant has committed, and what it has claimed since.
//!
//! The roots that a participant has claimed since its last commit are its group. A group becomes
//! part of the sums as a whole when it is committed, or goes back to the counter as a whole: when
//! its participant fails, when what it has summed cannot be right, or when it does not answer any
//! more. In the last case the runner closes the participant's account while it is inside a call
//! ([`Account::timed`]); when that call returns, the participant ends.
//!
//! When nothing is left to claim, an idle participant re-executes groups of others that it can
//! finish in half of their expected remaining time (speculative re-execution). It takes nothing
//! from them: the first commit wins, and the other participant discards its sums. So no run
//! waits for a slow participant, and no estimate has to be right.
//!
//! Where scores are to have the same bits in every run, each group is a block of roots of fixed
//! size, and the sums of blocks are added up in the order of their roots.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::ranges::{joined, total};
use super::records::WorkerRecord;
use super::sync::{AtomicUsize, Mutex, MutexGuard, Ordering, lock};
use crate::engine::{EngineError, OwnSums, Sums};

/// A group is left to its owner if it is expected to end within so many seconds.
const SOON: f64 = 0.02;
/// A group is re-executed only if that is expected to be so many times as fast: estimates err.
const SOONER: f64 = 2.0;

/// The most blocks of roots that may wait for others before them.
const MOST_WAITING: usize = 64;

/// The owner of an account. Sums are added up in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    /// The earlier run that this one resumes.
    Before,
    /// The worker of this number.
    Worker(usize),
    /// The device of this number.
    Device(usize),
}

/// The accounts of a run.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    accounts: Mutex<Vec<Arc<Account>>>,
    /// How often workers have been asked to commit. (Devices commit without being asked.)
    asked: AtomicUsize,
    /// The sums of all, where they are added up in the order of their roots.
    in_order: Mutex<Option<InOrder>>,
}

/// Sums of blocks of roots, added up in the order of those.
#[derive(Debug, Default)]
struct InOrder {
    /// All roots before this one are in the sums.
    next: usize,
    sums: OwnSums,
    /// Blocks by their first roots: where they end, and their sums.
    waiting: BTreeMap<usize, (usize, OwnSums)>,
}

impl InOrder {
    fn add(&mut self, block: Range<usize>, sums: OwnSums) {
        self.waiting.insert(block.start, (block.end, sums));
        while let Some((end, sums)) = self.waiting.remove(&self.next) {
            if self.sums.vertices.is_empty() {
                self.sums = sums;
            } else {
                self.sums.add_copy(&sums);
            }
            self.next = end;
        }
    }
}

/// The account of a participant.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) owner: Owner,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    committed: Committed,
    /// Ranges claimed since the last commit, or copied.
    group: Vec<Range<usize>>,
    /// The number of groups before it.
    groups: usize,
    /// Roots of the group that are searched.
    searched: usize,
    /// Roots of the group that a worker searched with wide numbers.
    wide: usize,
    /// The groups of others that the group copies; empty if it is no copy.
    copied: Vec<Copied>,
    /// Whether another participant has committed a copy of this group, so that the owner has to
    /// discard its sums.
    lost: bool,
    /// When roots were claimed last, and when they are expected to be searched.
    claimed: f64,
    due: Option<f64>,
    closed: bool,
    /// What a worker did.
    record: Option<WorkerRecord>,
    /// The deadline and the time limit of the call under way ([`Account::timed`]).
    answer: Option<(Instant, Duration)>,
}

/// A group of another participant.
#[derive(Debug, Clone, Copy)]
struct Copied {
    account: usize,
    /// The number of the group.
    group: usize,
    /// How many claims it had.
    claims: usize,
}

/// Roots that are committed, and the sums of their searches.
#[derive(Debug, Clone, Default)]
pub struct Committed {
    /// Ranges of roots in rising order, no two of which touch.
    pub roots: Vec<Range<usize>>,
    /// Their sums.
    pub sums: OwnSums,
}

impl Ledger {
    /// A new account.
    pub(super) fn open(&self, owner: Owner) -> Arc<Account> {
        let account = Arc::new(Account {
            owner,
            state: Mutex::new(State::default()),
        });
        lock(&self.accounts).push(Arc::clone(&account));
        account
    }

    /// Adds sums up in the order of their roots from now on: each group is then a block.
    pub(super) fn keep_order(&self) {
        *lock(&self.in_order) = Some(InOrder::default());
    }

    /// Whether sums are added up in order.
    pub(super) fn is_in_order(&self) -> bool {
        lock(&self.in_order).is_some()
    }

    /// Whether too many blocks wait for one before them, if sums are added up in order.
    pub(super) fn is_full(&self) -> bool {
        let in_order = lock(&self.in_order);
        let full = |order: &InOrder| order.waiting.len() > MOST_WAITING;
        in_order.as_ref().is_some_and(full)
    }

    /// An account of what is committed already.
    pub(super) fn begin_with(&self, mut before: Committed) {
        if let (Some(order), [all]) = (&mut *lock(&self.in_order), &before.roots[..]) {
            order.add(all.clone(), std::mem::take(&mut before.sums));
        }
        self.open(Owner::Before).state().committed = before;
    }

    /// Returns everything that is committed, added to `sums`. No commit is withdrawn meanwhile, so
    /// that no root counts in two accounts.
    pub(super) fn committed(&self, mut sums: OwnSums) -> Committed {
        let mut roots = Vec::new();
        let accounts = lock(&self.accounts);
        if let Some(order) = &*lock(&self.in_order) {
            if order.next > 0 {
                sums = order.sums.clone();
            }
            let all = std::iter::once(0..order.next);
            let roots = all.filter(|all| !all.is_empty()).collect();
            return Committed { roots, sums };
        }
        for account in sorted(&accounts) {
            let state = account.state();
            roots.extend_from_slice(&state.committed.roots);
            sums.add_copy(&state.committed.sums);
        }
        let roots = joined(roots);
        Committed { roots, sums }
    }

    /// The sum of a number of each account.
    fn sum(&self, number: impl Fn(&State) -> usize) -> usize {
        let accounts = lock(&self.accounts);
        accounts
            .iter()
            .map(|account| number(&account.state()))
            .sum()
    }

    /// The number of roots that are committed.
    pub(super) fn roots(&self) -> usize {
        self.sum(|state| total(&state.committed.roots))
    }

    /// The number of roots that are searched, committed or not.
    pub(super) fn searched(&self) -> usize {
        self.sum(|state| total(&state.committed.roots) + state.searched)
    }

    /// Whether anything is claimed that may still be committed.
    pub(super) fn is_open(&self) -> bool {
        self.sum(|state| state.group.len()) > 0
    }

    /// Withdraws all that an account has committed: it belongs to the group again. A closed account
    /// keeps what it has, since nothing would give it back.
    pub(super) fn discard(&self, account: &Account) {
        let _accounts = lock(&self.accounts);
        let mut state = account.state();
        if !state.closed {
            // Copies belong to others.
            let mut group = state.end_group();
            group.append(&mut std::mem::take(&mut state.committed).roots);
            state.group = group;
        }
    }

    /// What workers did, by number.
    pub(super) fn workers(&self) -> Vec<WorkerRecord> {
        let record = |account: &Arc<Account>| {
            let state = account.state();
            let roots = total(&state.committed.roots);
            let record = state.record.clone()?;
            Some(WorkerRecord { roots, ..record })
        };
        let accounts = lock(&self.accounts);
        sorted(&accounts).into_iter().filter_map(record).collect()
    }

    /// Gives `me`, which has no group, copies of groups of others, the latest expected end first,
    /// and returns their ranges. `seconds` maps a number of roots to the time that `me` needs.
    pub(super) fn copy(
        &self,
        me: &Account,
        now: f64,
        seconds: impl Fn(usize) -> Option<f64>,
    ) -> Vec<Range<usize>> {
        if self.is_in_order() {
            return Vec::new();
        }
        let accounts = lock(&self.accounts).clone();
        // Seconds until each group ends, at its owner or at one that copies it already.
        let mut left = vec![0.0_f64; accounts.len()];
        let mut copies = Vec::new();
        for (number, account) in accounts.iter().enumerate() {
            let state = account.state();
            if state.copied.is_empty() && !state.group.is_empty() {
                left[number] = state.left(now);
            }
            let copied = state.copied.iter();
            copies.extend(copied.map(|copied| (*copied, state.left(now))));
        }
        for (copied, end) in copies {
            if accounts[copied.account].state().groups == copied.group {
                left[copied.account] = left[copied.account].min(end);
            }
        }
        let mut last_first: Vec<_> = (0..accounts.len()).filter(|&i| left[i] > SOON).collect();
        last_first.sort_by(|&a, &b| left[b].total_cmp(&left[a]));
        let (mut ranges, mut copied) = (Vec::new(), Vec::new());
        for account in last_first {
            let state = accounts[account].state();
            let roots = total(&ranges) + total(&state.group);
            let sooner = |needed: f64| SOONER * needed <= left[account];
            if !state.group.is_empty()
                && state.copied.is_empty()
                && seconds(roots).is_some_and(sooner)
            {
                ranges.extend_from_slice(&state.group);
                copied.push(Copied {
                    account,
                    group: state.groups,
                    claims: state.group.len(),
                });
            }
        }
        // `commit` locks the owners in this order.
        copied.sort_by_key(|copied| copied.account);
        let mut state = me.state();
        (state.group, state.copied) = (ranges.clone(), copied);
        (state.claimed, state.due) = (now, seconds(total(&ranges)).map(|needed| now + needed));
        ranges
    }

    /// Adds the sums of an account's group with `add` to the committed ones, which start as
    /// `zero()`. Returns `false`, and commits nothing, if the account is closed or another
    /// participant has committed a part of the group. An error of `add` ends the run.
    pub(super) fn commit<E>(
        &self,
        account: &Account,
        zero: impl FnOnce() -> OwnSums,
        add: impl FnOnce(&mut Sums<'_>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let in_order = self.is_in_order();
        let accounts = lock(&self.accounts).clone();
        let mut state = account.state();
        if state.closed || state.lost {
            return Ok(false);
        }
        // An account that holds copies has no group that others could copy, so no two commits wait
        // for each other's locks.
        let copied = std::mem::take(&mut state.copied);
        let owners = copied.iter().map(|copied| accounts[copied.account].state());
        let mut owners: Vec<_> = owners.collect();
        let is_open =
            |(owner, copied): (&MutexGuard<'_, State>, &Copied)| owner.groups == copied.group;
        if !owners.iter().zip(&copied).all(is_open) {
            state.copied = copied;
            return Ok(false);
        }
        for (owner, copied) in owners.iter_mut().zip(&copied) {
            owner.group.drain(..copied.claims);
            (owner.lost, owner.searched) = (true, 0);
            owner.groups += 1;
        }
        drop(owners);
        if in_order || state.committed.sums.vertices.is_empty() {
            state.committed.sums = zero();
        }
        add(&mut state.committed.sums.lend())?;
        let wide = state.wide;
        if let Some(record) = &mut state.record {
            record.wide_roots += wide;
        }
        let group = state.end_group();
        if let Some(order) = &mut *lock(&self.in_order) {
            assert!(
                group.len() == 1,
                "sums of several blocks cannot be told apart"
            );
            order.add(group[0].clone(), std::mem::take(&mut state.committed.sums));
        }
        let mut roots = std::mem::take(&mut state.committed.roots);
        roots.extend(group);
        state.committed.roots = joined(roots);
        Ok(true)
    }

    /// Lets workers commit what they have searched. See [`Self::asked`].
    pub(super) fn ask(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    /// How often workers have been asked to commit.
    pub(super) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// Whether a participant should have answered by now.
    pub(super) fn any_late(&self) -> bool {
        let now = Instant::now();
        self.sum(|state| usize::from(state.late(now).is_some())) > 0
    }

    /// Closes the accounts of participants that should have answered by now. Returns for each how
    /// long it had for its answer, and its group, whose roots have to go back.
    pub(super) fn close_late(&self) -> Vec<(Arc<Account>, Duration, Vec<Range<usize>>)> {
        let now = Instant::now();
        let close = |account: &Arc<Account>| {
            let limit = account.state().late(now)?;
            Some((Arc::clone(account), limit, account.close()?))
        };
        lock(&self.accounts).iter().filter_map(close).collect()
    }
}

/// Accounts in the order of their owners.
fn sorted(accounts: &[Arc<Account>]) -> Vec<&Arc<Account>> {
    let mut sorted: Vec<_> = accounts.iter().collect();
    sorted.sort_by_key(|account| account.owner);
    sorted
}

impl State {
    /// Returns the group, unless it is a copy.
    fn end_group(&mut self) -> Vec<Range<usize>> {
        self.groups += 1;
        (self.searched, self.wide, self.lost) = (0, 0, false);
        let group = std::mem::take(&mut self.group);
        match std::mem::take(&mut self.copied).is_empty() {
            true => group,
            false => Vec::new(),
        }
    }

    /// Returns the expected seconds until the roots claimed last are searched. If they are overdue,
    /// it is as long as they are overdue; without an estimate, the time since the claim.
    fn left(&self, now: f64) -> f64 {
        (self.due.unwrap_or(self.claimed) - now).abs()
    }

    /// How long the owner had to answer, if it should have by now.
    fn late(&self, now: Instant) -> Option<Duration> {
        let (by, limit) = self.answer?;
        (by < now).then_some(limit)
    }
}

impl Account {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Does something that has to be done within this time, or the account may be closed. An
    /// account is not closed for being late at any other time.
    ///
    /// # Errors
    /// Those of the work; [`EngineError::Stopped`] if the account has been closed.
    pub(super) fn timed<T, E: Into<EngineError>>(
        &self,
        limit: Duration,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, EngineError> {
        self.state().answer = Some((Instant::now() + limit, limit));
        let done = work();
        let mut state = self.state();
        state.answer = None;
        match state.closed {
            true => Err(EngineError::Stopped),
            false => done.map_err(E::into),
        }
    }

    /// Notes roots that were claimed now, and in how many `seconds` all that is claimed is expected
    /// to be searched.
    pub(super) fn claim(&self, roots: Range<usize>, now: f64, seconds: Option<f64>) {
        let mut state = self.state();
        (state.claimed, state.due) = (now, seconds.map(|seconds| now + seconds));
        state.group.push(roots);
    }

    /// Notes that all that is claimed is searched, or in flight.
    pub(super) fn searched(&self) {
        let mut state = self.state();
        if !state.lost && state.copied.is_empty() {
            state.searched = total(&state.group);
        }
    }

    /// Notes that so many roots of the group were searched with wide numbers.
    pub(super) fn searched_wide(&self, roots: usize) {
        self.state().wide += roots;
    }

    /// Notes that all that was summed since the last commit was discarded, because another
    /// participant was the first to commit it. Returns what has to go back.
    pub(super) fn discarded(&self) -> Vec<Range<usize>> {
        self.state().end_group()
    }

    /// Changes what is known of a worker.
    pub(super) fn record(&self, change: impl FnOnce(&mut WorkerRecord)) {
        change(self.state().record.get_or_insert_default());
    }

    /// Whether another participant has committed a copy of the group.
    pub(super) fn is_lost(&self) -> bool {
        self.state().lost
    }

    /// Whether there are sums to commit or to discard.
    pub(super) fn is_open(&self) -> bool {
        let state = self.state();
        state.lost || !state.group.is_empty()
    }

    /// Ranges of roots that are claimed, or copied, and not committed.
    pub(super) fn group(&self) -> Vec<Range<usize>> {
        self.state().group.clone()
    }

    /// Roots that are committed.
    pub(super) fn roots(&self) -> usize {
        total(&self.state().committed.roots)
    }

    /// Closes the account: nothing can be committed any more. Returns the group, whose roots have
    /// to go back; `None` if the account was closed before.
    pub(super) fn close(&self) -> Option<Vec<Range<usize>>> {
        let mut state = self.state();
        state.answer = None;
        let closed = std::mem::replace(&mut state.closed, true);
        (!closed).then(|| state.end_group())
    }
}
