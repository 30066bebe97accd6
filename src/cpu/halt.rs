//! Cooperative cancellation of searches on cores.
//!
//! A search of a large graph takes seconds. Engines check a flag of their thread at every root,
//! level or batch ([`check`]). When it is set, the search returns [`EngineError::Stopped`].

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::EngineError;

thread_local! {
    static STOP: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Makes the searches of this thread return [`EngineError::Stopped`] as soon as `stop` is true.
pub fn set_stop_flag(stop: Arc<AtomicBool>) {
    STOP.set(Some(stop));
}

/// Returns [`EngineError::Stopped`] if this thread is to stop; the state of its engine is invalid
/// from then on. This is not inlined, so that it takes no registers of the loops around it.
#[inline(never)]
pub(super) fn check() -> Result<(), EngineError> {
    let stop = |stop: &Arc<AtomicBool>| stop.load(Ordering::Relaxed);
    match STOP.with_borrow(|flag| flag.as_ref().is_some_and(stop)) {
        true => Err(EngineError::Stopped),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::cpu::{self, CpuEngine, CpuOptions, WorkerBudget};
    use crate::engine::Engine;
    use crate::graph::{Lengths, generate};
    use crate::prepare::{PrepareOptions, Prepared, Reductions, prepare};

    /// Searches with these options in a thread that is to stop if `stop`.
    fn search(prepared: &Prepared, options: CpuOptions, stop: bool) -> Result<(), EngineError> {
        let search = || {
            set_stop_flag(Arc::new(AtomicBool::new(stop)));
            let plan = cpu::plan(prepared, &options, WorkerBudget::for_all_roots(prepared, 1));
            cpu::engine(prepared, &plan).search(&prepared.roots)
        };
        // A search that unwinds fails the test at `unwrap`.
        thread::scope(|scope| scope.spawn(search).join().unwrap())
    }

    #[test]
    fn all_engines_return_when_their_thread_is_to_stop() {
        let graph = generate::grid(20, 30, 0.1, 1).unwrap();
        let reduce = Reductions::NONE;
        let options = PrepareOptions {
            reduce,
            ..PrepareOptions::default()
        };
        let prepared = prepare(&graph, &options).unwrap();
        let check = |prepared: &Prepared, engine| {
            let options = CpuOptions {
                engine,
                ..CpuOptions::default()
            };
            assert!(search(prepared, options, false).is_ok(), "{engine:?}");
            let stopped = search(prepared, options, true);
            assert!(matches!(stopped, Err(EngineError::Stopped)), "{engine:?}");
        };
        for engine in [CpuEngine::Plain, CpuEngine::Lanes, CpuEngine::Clustered] {
            check(&prepared, engine);
        }
        let mut weighted = prepared.clone();
        weighted.lengths = Some(Lengths::U32(vec![2; weighted.graph.arcs()]));
        check(&weighted, CpuEngine::Plain);
        check(&prepared, CpuEngine::Hierarchy);
    }
}
