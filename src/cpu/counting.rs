//! The engine of a CPU worker: a fast one, and one with wide numbers for roots that the fast one
//! cannot count.

use std::sync::Arc;

use super::fast::fast_engine;
use super::{CpuPlan, Trial, wide};
use crate::cpu_time::thread_seconds;
use crate::engine::{Engine, EngineError, OwnSums, Root, Sums};
use crate::prepare::Prepared;

/// Engines that together search from every root of a graph.
pub struct CpuSearch<'g> {
    prepared: &'g Prepared,
    trial: Arc<Trial>,
    /// The number of the plan of the fast engine.
    number: usize,
    fast: Box<dyn Engine + 'g>,
    /// Engines of other plans, by number, as long as one of them may win.
    others: Vec<(usize, Box<dyn Engine + 'g>)>,
    /// Made when it is first needed: hardly any graph does.
    wide: Option<Box<dyn Engine + 'g>>,
    /// What the losers have summed.
    kept: Option<OwnSums>,
    wide_roots: usize,
    /// Of the losers.
    error_bound: f64,
    /// Whether all roots given last had too many paths for the fast engine.
    all_wide: bool,
}

impl<'g> CpuSearch<'g> {
    pub(super) fn new(prepared: &'g Prepared, trial: &Arc<Trial>) -> Self {
        let number = trial.choose();
        CpuSearch {
            prepared,
            fast: fast_engine(prepared, &trial.plan(number)),
            trial: Arc::clone(trial),
            number,
            others: Vec::new(),
            kept: None,
            wide: None,
            wide_roots: 0,
            error_bound: 0.0,
            all_wide: false,
        }
    }

    /// How many roots so far had more shortest paths than f64 can count.
    pub fn wide_roots(&self) -> usize {
        self.wide_roots
    }

    /// How it searches now.
    pub fn plan(&self) -> CpuPlan {
        self.trial.plan(self.number)
    }

    /// Goes on with the engine that the trial says, if that is another one.
    fn follow_trial(&mut self) -> Result<(), EngineError> {
        let next = self.trial.choose();
        if next != self.number {
            let known = self.others.iter().position(|&(number, _)| number == next);
            let engine = match known {
                Some(place) => self.others.swap_remove(place).1,
                None => fast_engine(self.prepared, &self.trial.plan(next)),
            };
            let before = std::mem::replace(&mut self.fast, engine);
            self.others.push((self.number, before));
            self.number = next;
        }
        if self.trial.is_decided() && !self.others.is_empty() {
            let zero = || self.prepared.zero_sums();
            let mut kept = self.kept.get_or_insert_with(zero).lend();
            for (_, mut loser) in self.others.drain(..) {
                self.error_bound = self.error_bound.max(loser.error_bound());
                loser.collect(&mut kept)?;
            }
        }
        Ok(())
    }
}

impl Engine for CpuSearch<'_> {
    fn error_bound(&self) -> f64 {
        let others = self.others.iter().map(|(_, engine)| engine);
        let engines = others.chain([&self.fast]);
        let bounds = engines.map(|engine| engine.error_bound());
        bounds.fold(self.error_bound, f64::max)
    }

    fn roots_wanted(&self) -> usize {
        match &self.wide {
            // The fast engine does not know how long they take.
            Some(wide) if self.all_wide => wide.roots_wanted(),
            _ if self.trial.is_decided() => self.fast.roots_wanted(),
            // Groups stay whole for the engines that need them.
            _ => (self.fast.roots_wanted()).next_multiple_of(self.prepared.root_group),
        }
    }

    fn roots_together(&self) -> usize {
        match &self.wide {
            Some(wide) if self.all_wide => wide.roots_together(),
            _ => self.fast.roots_together(),
        }
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        self.all_wide = false;
        let start = thread_seconds();
        let result = self.fast.search(roots);
        let seconds = thread_seconds() - start;
        if !self.trial.is_decided() {
            let work = self.prepared.work(roots);
            self.trial.note(self.number, roots.len(), work, seconds);
        }
        match result {
            Err(EngineError::Uncounted { roots: uncounted }) => {
                let wide = self.wide.get_or_insert_with(|| wide::engine(self.prepared));
                wide.search(&uncounted)?;
                self.wide_roots += uncounted.len();
                self.all_wide = uncounted.len() == roots.len();
            }
            result => result?,
        }
        self.follow_trial()
    }

    fn forget(&mut self) {
        self.fast.forget();
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        self.fast.collect(sums)?;
        for (_, other) in &mut self.others {
            other.collect(sums)?;
        }
        if let Some(kept) = &mut self.kept {
            kept.move_to(sums);
        }
        match &mut self.wide {
            Some(wide) => wide.collect(sums),
            None => Ok(()),
        }
    }
}
