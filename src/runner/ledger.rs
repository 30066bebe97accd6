//! The ledger: what each participant has committed, and what it has claimed since.
//!
//! The roots that a participant has claimed since its last commit are its group. A group becomes
//! part of the sums as a whole when it is committed, or goes back to the counter as a whole: when
//! its participant fails, when what it has summed cannot be right, or when it does not answer any
//! more. In the last case the runner closes the participant's account while it is inside a call
//! ([`Account::timed`]); when that call returns, the participant ends.
//!
//! When nothing is left to claim, a participant that has committed all it has takes over groups
//! that it would end in half the time that they are expected to take yet. Such times may be far
//! wrong, so that who ends a group first has it: an owner that ends before the other one takes its
//! group back, and else discards what it has summed. So no run waits for a slow participant.
//!
//! Where scores are to have the same bits in every run, each group is a block of roots that no
//! participant has a say in, and the sums of blocks are added up in the order of their roots.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::ranges::{joined, total};
use super::records::WorkerRecord;
use super::sync::lock;
use crate::engine::{EngineError, OwnSums, Sums};

/// A group is left to its owner if it is expected to end within so many seconds.
const SOON: f64 = 0.02;
/// A group is taken over if that ends it in so many times less time: estimates are wrong, and
/// groups must not be taken from each other again and again.
const SOONER: f64 = 2.0;

/// Who has an account. Sums are added up in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    /// The run that this one goes on from.
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
    /// Locked by who changes the states of two accounts together.
    transfers: Mutex<()>,
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
    /// Of the committed roots.
    sums: OwnSums,
    committed: Vec<Range<usize>>,
    group: Vec<Claimed>,
    /// Since when there is a group.
    since: Option<Instant>,
    /// Whether another participant has taken a group over, or back, so that the owner has to
    /// discard its own sums.
    taken: bool,
    /// The group that another participant has taken over, and who that is.
    lost: Option<(Owner, Vec<Claimed>)>,
    closed: bool,
    /// What a worker did.
    record: Option<WorkerRecord>,
    /// When it has to have answered, and how long it had for that.
    answer: Option<(Instant, Duration)>,
    /// Its number among the participants of the counter.
    participant: Option<usize>,
}

/// Roots of a group.
#[derive(Debug, Clone)]
pub(super) struct Claimed {
    pub(super) roots: Range<usize>,
    /// Whether they were noted as searched.
    pub(super) searched: bool,
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
            state: Mutex::default(),
        });
        lock(&self.accounts).push(Arc::clone(&account));
        account
    }

    /// Adds sums up in the order of their roots from now on: each group is then a block.
    pub(super) fn keep_order(&self) {
        *lock(&self.in_order) = Some(InOrder::default());
    }

    /// How many blocks wait for others before them, if sums are added up in order.
    pub(super) fn waiting(&self) -> usize {
        let in_order = lock(&self.in_order);
        in_order.as_ref().map_or(0, |order| order.waiting.len())
    }

    /// Whether sums are added up in order.
    pub(super) fn is_in_order(&self) -> bool {
        lock(&self.in_order).is_some()
    }

    /// An account of what is committed already.
    pub(super) fn begin_with(&self, before: Committed) {
        let account = self.open(Owner::Before);
        let mut state = lock(&account.state);
        match &mut *lock(&self.in_order) {
            None => state.sums = before.sums,
            Some(order) => {
                if let [all] = &before.roots[..] {
                    order.add(all.clone(), before.sums);
                }
            }
        }
        state.committed = before.roots;
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
            let state = lock(&account.state);
            roots.extend_from_slice(&state.committed);
            sums.add_copy(&state.sums);
        }
        Committed {
            roots: joined(roots),
            sums,
        }
    }

    /// The number of roots that are committed.
    pub(super) fn roots(&self) -> usize {
        let accounts = lock(&self.accounts);
        accounts.iter().map(|account| account.roots()).sum()
    }

    /// The number of roots that are searched, committed or not.
    pub(super) fn searched(&self) -> usize {
        let of = |account: &Arc<Account>| {
            let state = lock(&account.state);
            let open = state.group.iter().filter(|claimed| claimed.searched);
            total(&state.committed) + open.map(|claimed| claimed.roots.len()).sum::<usize>()
        };
        lock(&self.accounts).iter().map(of).sum()
    }

    /// Withdraws all that an account has committed: it belongs to the group again. A closed account
    /// keeps what it has, since nothing would give it back.
    pub(super) fn discard(&self, account: &Account) {
        let _accounts = lock(&self.accounts);
        let mut state = lock(&account.state);
        if state.closed {
            return;
        }
        state.sums = OwnSums::default();
        let searched = true;
        let committed = std::mem::take(&mut state.committed).into_iter();
        let committed = committed.map(|roots| Claimed { roots, searched });
        state.group.extend(committed);
    }

    /// Whether anything is claimed that may still be committed.
    pub(super) fn is_open(&self) -> bool {
        let accounts = lock(&self.accounts);
        let open = |account: &Arc<Account>| !lock(&account.state).group.is_empty();
        accounts.iter().any(open)
    }

    /// What workers did, by number.
    pub(super) fn workers(&self) -> Vec<WorkerRecord> {
        let record = |account: &Arc<Account>| {
            let state = lock(&account.state);
            let roots = total(&state.committed);
            let record = state.record.clone()?;
            Some(WorkerRecord { roots, ..record })
        };
        let accounts = lock(&self.accounts);
        sorted(&accounts).into_iter().filter_map(record).collect()
    }

    /// Lets `me`, who has no group, take over groups of others, those that end last first. It
    /// searches so many roots in so many `seconds`. The counter may know how many seconds are
    /// `left` to a participant; else a group is expected to take as long again as it has taken.
    /// Returns what is taken over.
    pub(super) fn take_over(
        &self,
        me: &Account,
        left: impl Fn(usize) -> Option<f64>,
        seconds: impl Fn(usize) -> Option<f64>,
    ) -> Vec<Claimed> {
        if self.is_in_order() {
            return Vec::new();
        }
        let accounts = lock(&self.accounts).clone();
        let left = |account: Arc<Account>| {
            let state = lock(&account.state);
            let so_far = state.since?.elapsed().as_secs_f64();
            let left = state.participant.and_then(&left).unwrap_or(so_far);
            drop(state);
            (left > SOON).then_some((left, account))
        };
        let mut groups: Vec<_> = accounts.into_iter().filter_map(left).collect();
        groups.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let _transfers = lock(&self.transfers);
        let (mut taken, mut roots) = (Vec::new(), 0);
        for (left, account) in groups {
            let mut state = lock(&account.state);
            let size: usize = state.group.iter().map(|claimed| claimed.roots.len()).sum();
            let sooner = |needed: f64| SOONER * needed <= left;
            if size > 0 && seconds(roots + size).is_some_and(sooner) {
                let group = state.end_group();
                // Who has lost a group before discards that in any case.
                let twice = std::mem::replace(&mut state.taken, true);
                state.lost = (!twice).then(|| (me.owner, group.clone()));
                taken.extend(group);
                roots += size;
            }
        }
        for claimed in &taken {
            me.claim(claimed.roots.clone());
        }
        taken
    }

    /// Gives a participant, which has searched all that it claimed, the group back that another one
    /// has taken over, unless that one has searched it too. One that has taken several over would
    /// have to begin again with the others: it keeps them unless it is `late`, by its number.
    pub(super) fn take_back(&self, account: &Account, late: impl Fn(usize) -> bool) {
        let accounts = lock(&self.accounts).clone();
        let _transfers = lock(&self.transfers);
        let mut state = lock(&account.state);
        let Some((taker, mut lost)) = state.lost.take() else {
            return;
        };
        let Some(taker) = accounts.iter().find(|other| other.owner == taker) else {
            return;
        };
        let mut taker = lock(&taker.state);
        let is_lost = |claimed: &&Claimed| lost.iter().any(|own| own.roots == claimed.roots);
        let searches = taker.group.iter().any(|claimed| !claimed.searched);
        let back = taker.group.iter().filter(is_lost).count();
        let keeps = back < taker.group.len() && !taker.participant.is_some_and(late);
        if taker.taken || !searches || keeps || back < lost.len() {
            return;
        }
        taker.group.retain(|claimed| !is_lost(&claimed));
        taker.taken = true;
        lost.append(&mut state.group);
        lost.iter_mut().for_each(|claimed| claimed.searched = true);
        (state.group, state.taken) = (lost, false);
    }

    /// Commits the group of an account: `add` adds its sums. `false` if the account is closed, or
    /// another participant has taken a group over: nothing is done then. The sums begin as `zero`.
    /// After an error of `add`, which must then have added nothing, the group is as before.
    pub(super) fn commit<E>(
        &self,
        account: &Account,
        zero: impl FnOnce() -> OwnSums,
        add: impl FnOnce(&mut Sums<'_>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let in_order = self.is_in_order();
        let mut state = lock(&account.state);
        if state.closed || state.taken {
            return Ok(false);
        }
        if in_order || state.sums.vertices.is_empty() {
            state.sums = zero();
        }
        add(&mut state.sums.lend())?;
        if in_order {
            let sums = std::mem::take(&mut state.sums);
            assert!(
                state.group.len() == 1,
                "sums of several blocks cannot be told apart"
            );
            if let Some(order) = &mut *lock(&self.in_order) {
                order.add(state.group[0].roots.clone(), sums);
            }
        }
        let mut committed = std::mem::take(&mut state.committed);
        committed.extend(state.end_group().into_iter().map(|claimed| claimed.roots));
        state.committed = joined(committed);
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
        let accounts = lock(&self.accounts);
        let late = |account: &Arc<Account>| lock(&account.state).late(now).is_some();
        accounts.iter().any(late)
    }

    /// Closes the accounts of participants that should have answered by now. Returns for each how
    /// long it had for its answer, and its group, whose roots have to go back.
    pub(super) fn close_late(&self) -> Vec<(Arc<Account>, Duration, Vec<Claimed>)> {
        let now = Instant::now();
        let close = |account: &Arc<Account>| {
            let mut state = lock(&account.state);
            let limit = state.late(now)?;
            Some((Arc::clone(account), limit, state.close()?))
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
    fn end_group(&mut self) -> Vec<Claimed> {
        self.since = None;
        std::mem::take(&mut self.group)
    }

    /// How long the owner had to answer, if it should have by now.
    fn late(&self, now: Instant) -> Option<Duration> {
        let (by, limit) = self.answer?;
        (by < now).then_some(limit)
    }

    /// See [`Account::close`].
    fn close(&mut self) -> Option<Vec<Claimed>> {
        (self.answer, self.lost) = (None, None);
        let closed = std::mem::replace(&mut self.closed, true);
        (!closed).then(|| self.end_group())
    }
}

impl Account {
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
        lock(&self.state).answer = Some((Instant::now() + limit, limit));
        let done = work();
        let mut state = lock(&self.state);
        state.answer = None;
        match state.closed {
            true => Err(EngineError::Stopped),
            false => done.map_err(E::into),
        }
    }

    /// Notes by which number the counter knows the owner.
    pub(super) fn joined_as(&self, participant: usize) {
        lock(&self.state).participant = Some(participant);
    }

    /// The number of [`Self::joined_as`].
    pub(super) fn participant(&self) -> Option<usize> {
        lock(&self.state).participant
    }

    /// Notes claimed roots.
    pub(super) fn claim(&self, roots: Range<usize>) {
        let mut state = lock(&self.state);
        state.since.get_or_insert_with(Instant::now);
        state.group.push(Claimed {
            roots,
            searched: false,
        });
    }

    /// Notes that all that is claimed is searched, or in flight. `false` if that does not count,
    /// since another participant has taken a part of it over: see [`Self::discarded`].
    pub(super) fn searched(&self) -> bool {
        let mut state = lock(&self.state);
        let counts = !state.taken;
        for claimed in &mut state.group {
            claimed.searched |= counts;
        }
        counts
    }

    /// Notes that all that was summed since the last commit was discarded, because another
    /// participant has taken a group over. Returns what was claimed since then, which has to go
    /// back.
    pub(super) fn discarded(&self) -> Vec<Claimed> {
        let mut state = lock(&self.state);
        (state.taken, state.lost) = (false, None);
        state.end_group()
    }

    /// Changes what is known of a worker.
    pub(super) fn record(&self, change: impl FnOnce(&mut WorkerRecord)) {
        change(lock(&self.state).record.get_or_insert_default());
    }

    /// Whether another participant has taken a group over.
    pub(super) fn is_taken(&self) -> bool {
        lock(&self.state).taken
    }

    /// Whether there is a group, or one that another participant has taken over.
    pub(super) fn is_open(&self) -> bool {
        let state = lock(&self.state);
        state.taken || !state.group.is_empty()
    }

    /// Ranges of roots that are claimed and not committed.
    pub(super) fn group(&self) -> Vec<Range<usize>> {
        let group = &lock(&self.state).group;
        group.iter().map(|claim| claim.roots.clone()).collect()
    }

    /// Roots that are committed.
    pub(super) fn roots(&self) -> usize {
        total(&lock(&self.state).committed)
    }

    /// Closes the account: nothing can be committed any more. Returns the group, whose roots have
    /// to go back; `None` if the account was closed before.
    pub(super) fn close(&self) -> Option<Vec<Claimed>> {
        lock(&self.state).close()
    }
}
