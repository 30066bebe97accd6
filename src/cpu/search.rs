//! The engine of a CPU worker: a fast engine, chosen by a [`Trial`] on the first claims, and one
//! with wide numbers for roots with too many shortest paths for the fast one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{CpuEngine, CpuPlan, Trial, clustered, hierarchy, lanes, plain, wide};
use crate::engine::{Engine, EngineError, Root, Sums};
use crate::os::thread_seconds;
use crate::prepare::Prepared;

/// Engines that together can search from every root of a graph.
pub struct CpuSearch<'g> {
    prepared: &'g Prepared,
    trial: Arc<Trial>,
    /// The number of the present fast engine's plan in the trial.
    plan_number: usize,
    /// The present fast engine and others of the trial, by the numbers of their plans. The others
    /// are dropped at each [`Engine::collect`] while the trial is decided.
    engines: BTreeMap<usize, Box<dyn Engine + 'g>>,
    /// The engine with wide numbers, made when it is first needed; hardly any graph needs it.
    wide: Option<Box<dyn Engine + 'g>>,
    /// The number of roots so far with more shortest paths than f64 can count.
    pub wide_roots: usize,
    /// The largest error bound of engines that have been dropped.
    error_bound: f64,
    /// Whether all roots of the last search had too many paths for the fast engine.
    all_wide: bool,
}

impl<'g> CpuSearch<'g> {
    /// Makes the engine that the trial chooses first, with its memory allocated.
    pub fn new(prepared: &'g Prepared, trial: &Arc<Trial>) -> Self {
        let mut search = CpuSearch {
            prepared,
            trial: Arc::clone(trial),
            plan_number: trial.choose(),
            engines: BTreeMap::new(),
            wide: None,
            wide_roots: 0,
            error_bound: 0.0,
            all_wide: false,
        };
        search.fast_mut();
        search
    }

    /// Returns the plan of the present engine.
    pub fn plan(&self) -> CpuPlan {
        self.trial.plan(self.plan_number)
    }

    /// Returns the engine of the present plan, and makes it if necessary.
    fn fast_mut(&mut self) -> &mut Box<dyn Engine + 'g> {
        let (prepared, plan) = (self.prepared, self.plan());
        let engine = self.engines.entry(self.plan_number);
        engine.or_insert_with(|| fast_engine(prepared, &plan))
    }

    fn fast(&self) -> &dyn Engine {
        &*self.engines[&self.plan_number]
    }
}

impl Engine for CpuSearch<'_> {
    fn error_bound(&self) -> f64 {
        let bounds = self.engines.values().map(|engine| engine.error_bound());
        bounds.fold(self.error_bound, f64::max)
    }

    fn roots_wanted(&self) -> usize {
        match self.all_wide {
            // The fast engine does not know how long roots with wide numbers take.
            true => 1,
            false if self.trial.is_decided() => self.fast().roots_wanted(),
            // Some engines of the trial need whole groups.
            false => (self.fast().roots_wanted()).next_multiple_of(self.prepared.root_group),
        }
    }

    fn roots_together(&self) -> usize {
        match self.all_wide {
            true => 1,
            false => self.fast().roots_together(),
        }
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        self.all_wide = false;
        let start = thread_seconds();
        let result = self.fast_mut().search(roots);
        let seconds = thread_seconds() - start;
        match result {
            Err(EngineError::Uncounted(uncounted)) => {
                let wide = self.wide.get_or_insert_with(|| wide::engine(self.prepared));
                wide.search(&uncounted)?;
                self.wide_roots += uncounted.len();
                self.all_wide = uncounted.len() == roots.len();
            }
            result => result?,
        }
        let work = self.prepared.work_of(roots);
        self.trial
            .record(self.plan_number, roots.len(), work, seconds);
        self.plan_number = self.trial.choose();
        self.fast_mut();
        Ok(())
    }

    fn forget(&mut self) {
        self.fast_mut().forget();
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        for engine in self.engines.values_mut() {
            engine.collect(sums)?;
        }
        if self.trial.is_decided() {
            self.error_bound = self.error_bound();
            self.engines
                .retain(|&plan_number, _| plan_number == self.plan_number);
        }
        match &mut self.wide {
            Some(wide) => wide.collect(sums),
            None => Ok(()),
        }
    }
}

/// Makes the engine of the plan, which counts paths in f64. If that engine cannot search the graph,
/// this makes one that searches from a root at a time.
pub(super) fn fast_engine<'g>(prepared: &'g Prepared, plan: &CpuPlan) -> Box<dyn Engine + 'g> {
    let simd = plan.simd.unwrap_or_else(lanes::Simd::best);
    let batch_engine = match plan.engine {
        CpuEngine::Clustered => clustered::engine(prepared, simd),
        CpuEngine::Hierarchy => {
            let hierarchy = prepared.hierarchy().ok();
            hierarchy.map(|overlay| hierarchy::engine(prepared, overlay, simd))
        }
        CpuEngine::Lanes => Some(lanes::engine(prepared, (plan.lanes, plan.mixed), simd)),
        CpuEngine::Plain | CpuEngine::Auto => None,
    };
    batch_engine.unwrap_or_else(|| plain::engine(prepared))
}
