//! CPU workers: one thread each, with an engine and sums of its own.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam::channel::Sender;

use super::counter::Participant;
use super::ledger::Account;
use super::pace::{EngineRoots, Kind};
use super::shared::Event;
use super::sharing::{Search, Searcher, take_part};
use super::threads::Release;
use crate::cpu::halt;
use crate::cpu::{CpuSearch, Trial};
use crate::engine::{Engine, EngineError, Root};

/// The longest interval of a worker's commits. With frequent commits, others have little to search
/// again if the worker fails.
pub(super) const COMMIT_EVERY: Duration = Duration::from_secs(1);

/// The state that all workers share.
#[derive(Clone)]
pub(super) struct Task {
    pub(super) search: Search,
    pub(super) trial: Arc<Trial>,
    /// Whether workers abandon their searches, because the run has ended.
    pub(super) halted: Arc<AtomicBool>,
    /// The number of claims of all workers, which tests of failures name.
    pub(super) claims: Arc<AtomicUsize>,
    /// The interval of commits.
    pub(super) commit_every: Duration,
}

/// Searches until all roots are committed, or until `stop` is set.
pub(super) fn run(
    number: usize,
    task: &Task,
    account: &Account,
    stop: &AtomicBool,
    (events, release): (&Sender<Event>, &Release),
) {
    let (counter, ledger) = (&task.search.counter, &task.search.ledger);
    halt::set_stop_flag(Arc::clone(&task.halted));
    let plan = task.trial.plan(0);
    account.record(|record| (record.number, record.plan) = (number, plan));
    let now = Instant::now();
    let mut worker = Worker {
        task,
        account,
        stop,
        engine: None,
        start: now,
        last_commit: now,
    };
    let work = || {
        let rate = 1.0 / plan.seconds(&task.search.prepared, 1).max(1e-12);
        let participant = counter.join(Kind::Worker, Some(rate));
        take_part(&mut worker, &task.search, account, participant)
    };
    let (mut more_work, mut lost) = (true, Vec::new());
    let event = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => {
            more_work = counter.has_work();
            Event::WorkerEnded(number)
        }
        // The run has ended.
        Ok(Err(EngineError::Stopped)) => {
            account.close();
            Event::WorkerEnded(number)
        }
        Ok(Err(error)) => Event::WorkerFailed(error),
        Err(_) => {
            // If the worker panicked during an addition to its sums, they are wrong.
            if !ledger.is_in_order() {
                ledger.withdraw(account);
            }
            lost = account.close().unwrap_or_default();
            Event::WorkerPanicked(number)
        }
    };
    let _ = events.send(event);
    // The roots go back after the event, because others may search these roots and end the run at
    // once.
    counter.give_back(lost);
    // The thread keeps its memory for a while (see `WorkerThreads`), unless other workers may need
    // it.
    if !more_work {
        let _ = release.recv();
    }
    // This comes last, since freeing a gigabyte takes time.
    drop(worker);
}

struct Worker<'s> {
    task: &'s Task,
    account: &'s Account,
    stop: &'s AtomicBool,
    /// The engine, made at the first claim: making it allocates memory, which delays devices.
    engine: Option<CpuSearch<'s>>,
    start: Instant,
    /// The time of the last commit.
    last_commit: Instant,
}

impl Searcher for Worker<'_> {
    fn engine_roots(&self) -> EngineRoots {
        let lanes = self.task.trial.plan(0).lanes;
        let first = EngineRoots {
            wanted: lanes,
            in_flight: 0,
            batch: lanes,
        };
        (self.engine.as_ref()).map_or(first, |engine| EngineRoots::new(engine))
    }

    fn search(
        &mut self,
        roots: &[Root],
        participant: &mut Participant<'_>,
    ) -> Result<(), EngineError> {
        let (task, counter) = (self.task, &self.task.search.counter);
        let engine = self.engine.get_or_insert_with(|| {
            let engine = CpuSearch::new(&task.search.prepared, &task.trial);
            // The time to make the engine is not part of the measured rate.
            participant.pace.begin(counter.now());
            engine
        });
        if cfg!(debug_assertions) {
            // Tests plan a failure.
            let claim = 1 + task.claims.fetch_add(1, Ordering::Relaxed);
            let planned = env::var("BRANDES_FAIL_WORKER_AT");
            assert_ne!(planned, Ok(claim.to_string()), "planned panic");
        }
        let (began, wide_before) = (Instant::now(), engine.wide_roots);
        engine.search(roots)?;
        self.account.add_wide_roots(engine.wide_roots - wide_before);
        let ended = Instant::now();
        self.account.record(|record| {
            record.batches += 1;
            record.busy += (ended - began).as_secs_f64();
            record.active = Some((self.start, ended));
            record.plan = engine.plan();
            record.error_bound = engine.error_bound();
        });
        Ok(())
    }

    fn is_due(&mut self) -> bool {
        self.last_commit.elapsed() > self.task.commit_every
    }

    fn commit(&mut self, _: bool) -> Result<(), EngineError> {
        let (search, ledger) = (&self.task.search, &self.task.search.ledger);
        let Some(engine) = &mut self.engine else {
            return Ok(());
        };
        self.last_commit = Instant::now();
        let zero = || search.prepared.zero_sums();
        if !ledger.commit(self.account, zero, |sums| engine.collect(sums))? {
            engine.collect(&mut zero().lend())?;
            search.counter.give_back(self.account.discard_group());
        }
        if ledger.is_in_order() {
            engine.forget();
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
