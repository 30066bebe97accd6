//! Leaving a search in its middle, when its sums are of no use any more.
//!
//! A batch of a large graph takes seconds. Loops of engines that are long pass a [`point`] now and
//! then; where the thread is to halt, that unwinds to who called the engine, past all state that is
//! of no use any more. This takes no result of each step, and nothing has to be undone.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What unwinds.
pub struct Halted;

thread_local! {
    static ORDER: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// From now on searches of this thread are left, by unwinding with [`Halted`], when `order` is
/// true. Their engines are good for nothing then but to be dropped.
pub fn obey(order: Arc<AtomicBool>) {
    ORDER.set(Some(order));
}

/// Leaves the search if that is the order. Not inlined: loops would share their registers with it.
#[inline(never)]
pub(super) fn point() {
    let leaves = |order: &Option<Arc<AtomicBool>>| {
        let is_set = |order: &Arc<AtomicBool>| order.load(Ordering::Relaxed);
        order.as_ref().is_some_and(is_set)
    };
    if ORDER.with_borrow(leaves) {
        resume_unwind(Box::new(Halted));
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    use super::*;
    use crate::cpu::{self, CpuEngine, CpuOptions, Staff};
    use crate::graph::generate;
    use crate::prepare::{PrepareOptions, Prepared, Reductions, prepare};

    /// Whether the engine of these options leaves its search, when that is the order.
    fn leaves(prepared: &Prepared, options: CpuOptions, order: bool) -> bool {
        let search = || {
            obey(Arc::new(AtomicBool::new(order)));
            let plan = cpu::plan(prepared, &options, Staff::of(prepared, 1));
            let mut engine = cpu::engine(prepared, &plan);
            let roots = &prepared.roots;
            catch_unwind(AssertUnwindSafe(|| {
                crate::engine::Engine::search(&mut engine, roots).unwrap();
            }))
        };
        let result = thread::scope(|scope| scope.spawn(search).join().unwrap());
        result.is_err_and(|panic| panic.is::<Halted>())
    }

    #[test]
    fn all_engines_leave_their_searches_when_that_is_the_order() {
        let graph = generate::grid(20, 30, 0.1, 1).unwrap();
        let reduce = Reductions::NONE;
        let options = PrepareOptions {
            reduce,
            ..PrepareOptions::default()
        };
        let mut prepared = prepare(&graph, &options).unwrap();
        let check = |prepared: &Prepared, engine| {
            let options = CpuOptions {
                engine,
                ..CpuOptions::default()
            };
            assert!(!leaves(prepared, options, false), "{engine:?}");
            assert!(leaves(prepared, options, true), "{engine:?}");
        };
        for engine in [CpuEngine::Plain, CpuEngine::Lanes, CpuEngine::Clustered] {
            check(&prepared, engine);
        }
        prepared.contract();
        check(&prepared, CpuEngine::Auto);
    }
}
