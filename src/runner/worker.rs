//! CPU workers: one thread each, its own engine and its own score vector.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam::channel::Sender;

use super::claim::Claim;
use super::counter::SourceCounter;
use super::idle;
use super::ledger::{Account, Ledger};
use super::measured::Kind;
use super::threads::Hold;
use crate::cpu::halt;
use crate::cpu::{CpuSearch, Trial};
use crate::engine::{Engine, EngineError};
use crate::prepare::Prepared;

/// How a worker ended.
pub(super) enum WorkerEvent {
    /// All that it searched is committed. With its number.
    Ended(usize),
    /// On a graph that it cannot compute.
    Failed(EngineError),
    /// By a panic. What it searched is given back. With its number.
    Panicked(usize),
}

/// Committed sums are never older, so that others need not search much again.
const COMMIT_EVERY: Duration = Duration::from_secs(1);

/// What all workers work at.
pub(super) struct Task {
    pub(super) prepared: Arc<Prepared>,
    pub(super) trial: Arc<Trial>,
    pub(super) counter: Arc<SourceCounter>,
    pub(super) ledger: Arc<Ledger>,
    /// Whether searches are to be left, since the run has ended.
    pub(super) halted: Arc<AtomicBool>,
    /// Claims made by all, and the one that fails: [`crate::cpu::CpuOptions::fails_at`].
    pub(super) claims: Arc<AtomicUsize>,
    pub(super) fails_at: Option<usize>,
}

/// Searches until everything is committed, or until it is to `stop`.
pub(super) fn run(
    number: usize,
    task: &Task,
    account: &Account,
    stop: &AtomicBool,
    (events, hold): (&Sender<WorkerEvent>, &Hold),
) {
    let mut engine = None;
    halt::obey(Arc::clone(&task.halted));
    let worker = Worker {
        task,
        account,
        stop,
    };
    let work = AssertUnwindSafe(|| worker.search(number, &mut engine));
    let mut more_work = true;
    let event = match catch_unwind(work) {
        Ok(Ok(())) => {
            more_work = task.counter.has_work();
            WorkerEvent::Ended(number)
        }
        // The run has ended.
        Ok(Err(EngineError::Stopped)) => {
            account.close();
            WorkerEvent::Ended(number)
        }
        Ok(Err(error)) => WorkerEvent::Failed(error),
        Err(_) => {
            // It may have panicked while it added something up.
            if !task.ledger.is_in_order() {
                task.ledger.discard(account);
            }
            let group = account.close();
            task.counter.give_all_back(group.unwrap_or_default());
            WorkerEvent::Panicked(number)
        }
    };
    let _ = events.send(event);
    // Others may need the memory.
    if !more_work {
        let _ = hold.recv();
    }
    // Only now, when no thread waits for this one: freeing a gigabyte takes its time.
    drop(engine);
}

struct Worker<'s> {
    task: &'s Task,
    account: &'s Account,
    stop: &'s AtomicBool,
}

impl<'s> Worker<'s> {
    /// The engine is left in `kept`.
    fn search(&self, number: usize, kept: &mut Option<CpuSearch<'s>>) -> Result<(), EngineError> {
        let (task, account) = (self.task, self.account);
        let (prepared, counter, ledger) = (&task.prepared, &task.counter, &task.ledger);
        let start = Instant::now();
        let likeliest = task.trial.plan(0);
        account.record(|record| (record.number, record.plan) = (number, likeliest));
        let guess = likeliest.seconds(prepared, 1);
        let participant = counter.join(Kind::Worker);
        account.joined_as(participant.number());
        let mut committed = Instant::now();
        let mut asked = ledger.asked();
        let is_stopped = || self.stop.load(Ordering::Relaxed);
        let in_order = ledger.is_in_order();
        while !is_stopped() {
            if in_order {
                idle::until_in_order((counter, ledger), is_stopped);
            }
            // Making an engine maps memory, for which devices may have to wait: not before there
            // is work for it.
            let claim = match kept {
                Some(engine) => participant.claim(engine),
                None => participant.first_claim(likeliest.lanes, guess),
            };
            let range = match claim {
                Claim::Roots(range) => range,
                Claim::Later => {
                    // What there is to add up need not wait for the end.
                    self.commit(kept.as_mut())?;
                    participant.wait();
                    continue;
                }
                Claim::Nothing => {
                    self.commit(kept.as_mut())?;
                    let shared = (&**counter, &**ledger, &prepared.roots[..]);
                    match idle::next(shared, (&participant, account), is_stopped) {
                        idle::Next::Claim => {}
                        idle::Next::End => break,
                        idle::Next::Search(roots) => {
                            if let Some(engine) = kept {
                                engine.search(&roots)?;
                                let bound = engine.error_bound();
                                account.record(|record| record.error_bound = bound);
                                account.searched();
                            }
                        }
                    }
                    continue;
                }
            };
            account.claim(range.clone());
            let engine = kept.get_or_insert_with(|| {
                let engine = CpuSearch::new(prepared, &task.trial);
                // That was not searching.
                participant.begin();
                engine
            });
            let claim = 1 + task.claims.fetch_add(1, Ordering::Relaxed);
            assert!(task.fails_at != Some(claim), "planned panic");
            let claimed = Instant::now();
            engine.search(&prepared.roots[range.clone()])?;
            let ended = Instant::now();
            account.record(|record| {
                record.batches += 1;
                record.busy += (ended - claimed).as_secs_f64();
                record.active = Some((start, ended));
                record.wide_roots = engine.wide_roots();
                record.plan = engine.plan();
                record.error_bound = engine.error_bound();
            });
            if !account.searched() {
                self.commit(Some(engine))?;
            }
            if in_order || asked != ledger.asked() || ended - committed > COMMIT_EVERY {
                (asked, committed) = (ledger.asked(), ended);
                self.commit(Some(engine))?;
            }
        }
        // The others are not to count on this worker any more.
        drop(participant);
        self.commit(kept.as_mut())
    }

    /// Commits the group, if there is one, or discards it, if another participant has taken it
    /// over.
    fn commit(&self, engine: Option<&mut CpuSearch<'_>>) -> Result<(), EngineError> {
        let Some(engine) = engine.filter(|_| self.account.is_open()) else {
            return Ok(());
        };
        let zero = || self.task.prepared.zero_sums();
        let ledger = &self.task.ledger;
        idle::take_back((&self.task.counter, ledger), self.account);
        if !ledger.commit(self.account, zero, |sums| engine.collect(sums))? {
            engine.collect(&mut zero().lend())?;
            let group = self.account.discarded();
            self.task.counter.give_all_back(group);
        }
        if ledger.is_in_order() {
            engine.forget();
        }
        Ok(())
    }
}
