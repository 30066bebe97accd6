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
    use crate::cpu::CpuEngine;
    use crate::cpu::tests::{fast, set_lengths};
    use crate::graph::generate;
    use crate::prepare::Prepared;

    #[test]
    fn all_engines_return_when_their_thread_is_to_stop() {
        let grid = generate::grid(20, 30, 0.1, 1).unwrap();
        let prepared = Prepared::bare(grid.csr().clone());
        let mut weighted = prepared.clone();
        set_lengths(&mut weighted, 3);
        for (prepared, engine) in [
            (&prepared, CpuEngine::Plain),
            (&prepared, CpuEngine::Lanes),
            (&prepared, CpuEngine::Clustered),
            (&prepared, CpuEngine::Hierarchy),
            (&weighted, CpuEngine::Plain),
        ] {
            let search = |stop| {
                set_stop_flag(Arc::new(AtomicBool::new(stop)));
                fast(prepared, engine).search(&prepared.roots)
            };
            // A search that unwinds fails the test at `unwrap`.
            let [whole, stopped] = [false, true]
                .map(|stop| thread::scope(|scope| scope.spawn(|| search(stop)).join().unwrap()));
            assert!(whole.is_ok(), "{engine:?}");
            assert!(matches!(stopped, Err(EngineError::Stopped)), "{engine:?}");
        }
    }
}
