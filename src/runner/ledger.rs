//! The ledger records the committed sums of each participant, and its group: the roots that it has
//! claimed since its last commit.
//!
//! A commit adds the sums of the whole group. The whole group goes back to the counter if the
//! participant fails, if its sums cannot be right, or if it does not answer in time. In the last
//! case the participant is still inside a call, usually to OpenCL: the runner closes its
//! account ([`Account::with_limit`]), and the participant ends when the call returns.
//!
//! When nothing is left to claim, an idle participant copies groups of others that it can finish
//! in half of their expected remaining time, and searches them too (speculative re-execution). The
//! owners keep their groups: the first commit wins, and the other participant discards its sums. No
//! run waits for a slow participant, and wrong estimates cost only time.
//!
//! In a reproducible run, groups are blocks of fixed size, added up in the order of their roots.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::ranges::{merged, total};
use super::records::WorkerRecord;
use super::sync::{Mutex, MutexGuard, lock};
use crate::engine::{EngineError, OwnSums, Sums};

/// A group is not re-executed if a participant is expected to commit it within this many seconds.
const MIN_REMAINING: f64 = 0.02;
/// The least ratio of a group's expected remaining time to the time of its re-execution.
const MIN_SPEEDUP: f64 = 2.0;

/// Participants pause when more than this number of blocks wait for an earlier block.
const MAX_WAITING: usize = 64;

/// The accounts of a run.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    accounts: Mutex<Vec<Arc<Account>>>,
    /// The sums of all participants in a reproducible run; `None` in other runs.
    in_order: Mutex<Option<InOrder>>,
}

/// The sums of blocks, added up in the order of their roots.
#[derive(Debug, Default)]
struct InOrder {
    /// The sums contain all roots before this one.
    summed_until: usize,
    sums: OwnSums,
    /// Later blocks, by their first roots: the end of each, and its sums.
    waiting: BTreeMap<usize, (usize, OwnSums)>,
}

impl InOrder {
    fn add(&mut self, block: Range<usize>, sums: OwnSums) {
        self.waiting.insert(block.start, (block.end, sums));
        while let Some((end, sums)) = self.waiting.remove(&self.summed_until) {
            match self.sums.vertices.is_empty() {
                true => self.sums = sums,
                false => self.sums.add_copy(&sums),
            }
            self.summed_until = end;
        }
    }
}

/// The account of a participant.
#[derive(Debug)]
pub(super) struct Account {
    /// The number of the device, if the participant is one.
    pub(super) device: Option<usize>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    committed: Committed,
    /// The ranges claimed since the last commit, or copied from other participants.
    group: Vec<Range<usize>>,
    /// A number that changes when the group ends, or another participant commits a copy of it.
    group_number: usize,
    /// The number of roots of the group that are searched.
    searched: usize,
    /// The number of roots of the group that a worker searched with numbers wider than f64.
    wide: usize,
    /// The groups of others of which this group contains copies.
    copied: Vec<Copied>,
    /// Whether another participant has committed a copy of this group, so that the owner has to
    /// discard its sums.
    superseded: bool,
    /// The times of the last claim, and of the expected end of the search from all claimed roots.
    claimed: f64,
    due: Option<f64>,
    closed: bool,
    /// The record of a worker.
    record: Option<WorkerRecord>,
    /// The deadline and the time limit of the call under way ([`Account::with_limit`]).
    deadline: Option<(Instant, Duration)>,
}

/// A copied group of another participant.
#[derive(Debug, Clone, Copy)]
struct Copied {
    /// The index of the owner's account.
    account: usize,
    /// The number of the group.
    group_number: usize,
    /// The number of claims in the group when it was copied.
    claims: usize,
}

/// Committed roots, and the sums of their searches.
#[derive(Debug, Clone, Default)]
pub struct Committed {
    /// Ranges of roots in rising order. No two are adjacent.
    pub roots: Vec<Range<usize>>,
    /// The sums.
    pub sums: OwnSums,
}

impl Ledger {
    /// Opens an account, for the device of this number if there is one.
    pub(super) fn open(&self, device: Option<usize>) -> Arc<Account> {
        let account = Arc::new(Account {
            device,
            state: Mutex::new(State::default()),
        });
        lock(&self.accounts).push(Arc::clone(&account));
        account
    }

    /// Makes the ledger add up sums in the order of their roots. Each group is then a block.
    pub(super) fn keep_order(&self) {
        *lock(&self.in_order) = Some(InOrder::default());
    }

    /// Returns whether sums are added up in the order of their roots.
    pub(super) fn is_in_order(&self) -> bool {
        lock(&self.in_order).is_some()
    }

    /// Returns whether too many blocks wait for an earlier one.
    pub(super) fn is_full(&self) -> bool {
        let in_order = lock(&self.in_order);
        let full = |order: &InOrder| order.waiting.len() > MAX_WAITING;
        in_order.as_ref().is_some_and(full)
    }

    /// Adds the roots and sums that an earlier run committed.
    pub(super) fn resume_from(&self, mut before: Committed) {
        if let (Some(order), [all]) = (&mut *lock(&self.in_order), &before.roots[..]) {
            order.add(all.clone(), std::mem::take(&mut before.sums));
        }
        self.open(None).state().committed = before;
    }

    /// Returns all committed roots, except blocks that wait for an earlier one, and adds their sums
    /// to `sums`. The lock on the accounts keeps out [`Self::withdraw`], which would let another
    /// account commit roots that are added here.
    pub(super) fn committed(&self, mut sums: OwnSums) -> Committed {
        let mut roots = Vec::new();
        let accounts = lock(&self.accounts);
        if let Some(order) = &*lock(&self.in_order) {
            roots.push(0..order.summed_until);
            sums.add_copy(&order.sums);
        } else {
            for account in &*accounts {
                let state = account.state();
                roots.extend_from_slice(&state.committed.roots);
                sums.add_copy(&state.committed.sums);
            }
        }
        let roots = merged(roots);
        Committed { roots, sums }
    }

    /// Returns the sum of a number over all accounts.
    fn sum(&self, number: impl Fn(&State) -> usize) -> usize {
        let accounts = lock(&self.accounts);
        let numbers = accounts.iter().map(|account| number(&account.state()));
        numbers.sum()
    }

    /// Returns the number of committed roots.
    pub(super) fn roots(&self) -> usize {
        self.sum(|state| total(&state.committed.roots))
    }

    /// Returns the number of searched roots, committed or not.
    pub(super) fn searched(&self) -> usize {
        self.sum(|state| total(&state.committed.roots) + state.searched)
    }

    /// Returns whether any claimed roots are not committed.
    pub(super) fn has_uncommitted(&self) -> bool {
        self.sum(|state| state.group.len()) > 0
    }

    /// Withdraws all commits of an account: their roots belong to its group again. A closed account
    /// keeps its commits, since nothing would give the roots back.
    pub(super) fn withdraw(&self, account: &Account) {
        let _accounts = lock(&self.accounts);
        let mut state = account.state();
        if !state.closed {
            // The roots of a copy belong to their owners.
            let mut group = state.end_group();
            group.append(&mut std::mem::take(&mut state.committed).roots);
            state.group = group;
        }
    }

    /// Returns the records of workers, in the order of their numbers.
    pub(super) fn workers(&self) -> Vec<WorkerRecord> {
        let record = |account: &Arc<Account>| {
            let state = account.state();
            let (roots, record) = (total(&state.committed.roots), state.record.clone()?);
            Some(WorkerRecord { roots, ..record })
        };
        let mut workers: Vec<_> = lock(&self.accounts).iter().filter_map(record).collect();
        workers.sort_by_key(|worker| worker.number);
        workers
    }

    /// Copies groups of others to the account of an idle participant, those with the latest
    /// expected end first, and returns their ranges. `seconds` maps a number of roots to the time
    /// that this participant needs.
    pub(super) fn copy(
        &self,
        idle: &Account,
        now: f64,
        seconds: impl Fn(usize) -> Option<f64>,
    ) -> Vec<Range<usize>> {
        if self.is_in_order() {
            return Vec::new();
        }
        let accounts = lock(&self.accounts).clone();
        // The expected seconds until the owner or a copying participant commits each group.
        let mut left = vec![0.0_f64; accounts.len()];
        let mut copies = Vec::new();
        for (number, account) in accounts.iter().enumerate() {
            let state = account.state();
            if state.copied.is_empty() && !state.group.is_empty() {
                left[number] = state.remaining(now);
            }
            let copied = state.copied.iter();
            copies.extend(copied.map(|copied| (*copied, state.remaining(now))));
        }
        for (copied, end) in copies {
            if accounts[copied.account].state().group_number == copied.group_number {
                left[copied.account] = left[copied.account].min(end);
            }
        }
        let mut last_first: Vec<_> = (0..accounts.len()).collect();
        last_first.retain(|&i| left[i] > MIN_REMAINING);
        last_first.sort_by(|&a, &b| left[b].total_cmp(&left[a]));
        let (mut ranges, mut copied) = (Vec::new(), Vec::new());
        for account in last_first {
            let state = accounts[account].state();
            let roots = total(&ranges) + total(&state.group);
            let sooner = |needed: f64| MIN_SPEEDUP * needed <= left[account];
            if !state.group.is_empty()
                && state.copied.is_empty()
                && seconds(roots).is_some_and(sooner)
            {
                ranges.extend_from_slice(&state.group);
                copied.push(Copied {
                    account,
                    group_number: state.group_number,
                    claims: state.group.len(),
                });
            }
        }
        // `commit` locks the owners in this order.
        copied.sort_by_key(|copied| copied.account);
        let mut state = idle.state();
        (state.group, state.copied) = (ranges.clone(), copied);
        (state.claimed, state.due) = (now, seconds(total(&ranges)).map(|needed| now + needed));
        ranges
    }

    /// Calls `add` to add the sums of an account's group to its committed sums, initially `zero()`.
    /// Returns `false` and commits nothing if the account is closed, or another participant has
    /// committed a part of the group. An error of `add` ends the run.
    pub(super) fn commit<E>(
        &self,
        account: &Account,
        zero: impl FnOnce() -> OwnSums,
        add: impl FnOnce(&mut Sums<'_>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let in_order = self.is_in_order();
        let accounts = lock(&self.accounts).clone();
        let mut state = account.state();
        if state.closed || state.superseded {
            return Ok(false);
        }
        // No participant copies the group of an account that holds copies, so no two commits wait
        // for each other's locks.
        let copied = std::mem::take(&mut state.copied);
        let owners = copied.iter().map(|copied| accounts[copied.account].state());
        let mut owners: Vec<_> = owners.collect();
        let has_uncommitted = |(owner, copied): (&MutexGuard<'_, State>, &Copied)| {
            owner.group_number == copied.group_number
        };
        if !owners.iter().zip(&copied).all(has_uncommitted) {
            state.copied = copied;
            return Ok(false);
        }
        for (owner, copied) in owners.iter_mut().zip(&copied) {
            owner.group.drain(..copied.claims);
            (owner.superseded, owner.searched) = (true, 0);
            owner.group_number += 1;
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
                "sums of several blocks cannot be separated"
            );
            order.add(group[0].clone(), std::mem::take(&mut state.committed.sums));
        }
        let mut roots = std::mem::take(&mut state.committed.roots);
        roots.extend(group);
        state.committed.roots = merged(roots);
        Ok(true)
    }

    /// Returns whether the deadline of a participant has passed.
    pub(super) fn any_late(&self) -> bool {
        let now = Instant::now();
        self.sum(|state| usize::from(state.missed_limit(now).is_some())) > 0
    }

    /// Closes the accounts of participants whose deadlines have passed. Returns these accounts with
    /// their time limits and their groups, which the caller has to give back.
    pub(super) fn close_late(&self) -> Vec<(Arc<Account>, Duration, Vec<Range<usize>>)> {
        let now = Instant::now();
        let close = |account: &Arc<Account>| {
            let mut state = account.state();
            let limit = state.missed_limit(now)?;
            Some((Arc::clone(account), limit, state.close()?))
        };
        lock(&self.accounts).iter().filter_map(close).collect()
    }
}

impl State {
    /// Ends the group, and returns it without its copied ranges. Those are at its front, because a
    /// participant copies only into an empty group.
    fn end_group(&mut self) -> Vec<Range<usize>> {
        self.group_number += 1;
        (self.searched, self.wide, self.superseded) = (0, 0, false);
        let copied = std::mem::take(&mut self.copied);
        let copies: usize = copied.iter().map(|copied| copied.claims).sum();
        let mut group = std::mem::take(&mut self.group);
        group.drain(..copies);
        group
    }

    /// See [`Account::close`].
    fn close(&mut self) -> Option<Vec<Range<usize>>> {
        self.deadline = None;
        let closed = std::mem::replace(&mut self.closed, true);
        (!closed).then(|| self.end_group())
    }

    /// Returns the expected seconds until the last claim is searched. If the expected end (without
    /// an estimate: the claim) was x seconds ago, another x seconds are expected.
    fn remaining(&self, now: f64) -> f64 {
        (self.due.unwrap_or(self.claimed) - now).abs()
    }

    /// Returns the time limit of the call under way if its deadline has passed.
    fn missed_limit(&self, now: Instant) -> Option<Duration> {
        let (by, limit) = self.deadline?;
        (by < now).then_some(limit)
    }
}

impl Account {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Runs `work` with a time limit: the runner may close the account if it takes longer.
    ///
    /// # Errors
    /// Those of `work`; [`EngineError::Stopped`] if the account has been closed.
    pub(super) fn with_limit<T, E: Into<EngineError>>(
        &self,
        limit: Duration,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, EngineError> {
        self.state().deadline = Some((Instant::now() + limit, limit));
        let done = work();
        let mut state = self.state();
        state.deadline = None;
        match state.closed {
            true => Err(EngineError::Stopped),
            false => done.map_err(E::into),
        }
    }

    /// Adds roots that were claimed at time `now`. `seconds` is the expected time for all claims.
    pub(super) fn claim(&self, roots: Range<usize>, now: f64, seconds: Option<f64>) {
        let mut state = self.state();
        (state.claimed, state.due) = (now, seconds.map(|seconds| now + seconds));
        state.group.push(roots);
    }

    /// Counts all claimed roots as searched, also those in flight; not those of copies and of
    /// superseded groups, which would count twice.
    pub(super) fn mark_searched(&self) {
        let mut state = self.state();
        if !state.superseded && state.copied.is_empty() {
            state.searched = total(&state.group);
        }
    }

    /// Counts roots of the group that were searched with numbers wider than f64.
    pub(super) fn add_wide_roots(&self, roots: usize) {
        self.state().wide += roots;
    }

    /// Ends the group without a commit. Call this after [`Ledger::commit`] has returned `false` and
    /// the sums are discarded. Returns the ranges that the caller has to give back.
    pub(super) fn discard_group(&self) -> Vec<Range<usize>> {
        self.state().end_group()
    }

    /// Changes the record of the worker that owns the account.
    pub(super) fn record(&self, change: impl FnOnce(&mut WorkerRecord)) {
        change(self.state().record.get_or_insert_default());
    }

    /// Returns whether another participant has committed a copy of the group.
    pub(super) fn is_superseded(&self) -> bool {
        self.state().superseded
    }

    /// Returns whether there are sums to commit or to discard.
    pub(super) fn has_uncommitted(&self) -> bool {
        let state = self.state();
        state.superseded || !state.group.is_empty()
    }

    /// Returns the ranges that are claimed, or copied, and not committed.
    pub(super) fn group(&self) -> Vec<Range<usize>> {
        self.state().group.clone()
    }

    /// Returns the number of committed roots.
    pub(super) fn roots(&self) -> usize {
        total(&self.state().committed.roots)
    }

    /// Closes the account, so that later commits fail. Returns the group, which the caller has to
    /// give back; `None` if the account was closed before.
    pub(super) fn close(&self) -> Option<Vec<Range<usize>>> {
        self.state().close()
    }
}
