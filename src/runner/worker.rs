//! CPU workers: one thread each, its own engine and its own score vector.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crossbeam::channel::Sender;

use super::counter::{Claim, SourceCounter};
use super::ledger::{Account, Ledger};
use super::measured::Kind;
use super::records::WorkerRecord;
use super::threads::Hold;
use crate::cpu::{self, CpuSearch, Trial};
use crate::engine::{Engine, EngineError};
use crate::prepare::Prepared;

/// How a worker ended.
pub(super) enum WorkerEvent {
    /// All that it searched is committed.
    Ended(WorkerRecord),
    /// On a graph that it cannot compute.
    Failed(EngineError),
    /// By a panic.
    Panicked,
}

/// Searches until nothing is left to claim, or until it is to `stop`.
pub(super) fn run(
    number: usize,
    (prepared, trial): (&Prepared, &Arc<Trial>),
    (counter, ledger, account): (&SourceCounter, &Ledger, &Account),
    stop: &AtomicBool,
    (events, hold): (&Sender<WorkerEvent>, &Hold),
) {
    let mut engine = None;
    let work = AssertUnwindSafe(|| {
        let shared = (counter, ledger, account);
        search(number, (prepared, trial), shared, stop, &mut engine)
    });
    let mut more_work = true;
    let event = match catch_unwind(work) {
        Ok(Ok(record)) => {
            more_work = counter.has_work();
            WorkerEvent::Ended(record)
        }
        Ok(Err(error)) => WorkerEvent::Failed(error),
        Err(_) => WorkerEvent::Panicked,
    };
    let _ = events.send(event);
    // Others may need the memory.
    if !more_work {
        hold.wait();
    }
    // Only now, when no thread waits for this one: freeing a gigabyte takes its time.
    drop(engine);
}

/// The engine is left in `kept`.
fn search<'g>(
    number: usize,
    (prepared, trial): (&'g Prepared, &Arc<Trial>),
    (counter, ledger, account): (&SourceCounter, &Ledger, &Account),
    stop: &AtomicBool,
    kept: &mut Option<CpuSearch<'g>>,
) -> Result<WorkerRecord, EngineError> {
    let start = Instant::now();
    let likeliest = trial.plan(0);
    let mut record = WorkerRecord {
        number,
        plan: likeliest,
        ..WorkerRecord::default()
    };
    let guess = likeliest.seconds(prepared, 1);
    let participant = counter.join(Kind::Worker);
    let zero = || prepared.zero_sums();
    let commit = |engine: &mut CpuSearch| account.commit(zero, |sums| engine.collect(sums));
    let mut read = true;
    let mut asked = ledger.asked();
    while !stop.load(Ordering::Relaxed) {
        // Making an engine maps memory, for which devices may have to wait: not before there is
        // work for it.
        let claim = match kept {
            Some(engine) => participant.claim(engine),
            None => participant.first_claim(likeliest.lanes, guess),
        };
        let range = match claim {
            Claim::Roots(range) => range,
            Claim::Later => {
                // What there is to add up need not wait for the end.
                if let Some(engine) = kept.as_mut().filter(|_| !read) {
                    commit(engine)?;
                    read = true;
                }
                participant.wait();
                continue;
            }
            Claim::Nothing => break,
        };
        read = false;
        account.claim(range.clone());
        let engine = kept.get_or_insert_with(|| {
            let engine = cpu::tried_engine(prepared, trial);
            // That was not searching.
            participant.begin();
            engine
        });
        let claimed = Instant::now();
        engine.search(&prepared.roots[range.clone()])?;
        record.roots += range.len();
        record.batches += 1;
        record.busy += claimed.elapsed().as_secs_f64();
        counter.searched(range.len());
        if asked != ledger.asked() {
            asked = ledger.asked();
            commit(engine)?;
            read = true;
        }
    }
    // The others are not to count on this worker any more.
    drop(participant);
    if let Some(engine) = kept {
        record.wide_roots = engine.wide_roots();
        record.plan = engine.plan();
        if !read {
            commit(engine)?;
        }
    }
    record.active = Some((start, Instant::now()));
    Ok(record)
}
