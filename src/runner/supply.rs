//! The supply of roots to a run that shares a search with other processes.

use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::sharing::Search;

/// The interval at which the supply thread polls the number of unclaimed roots.
const LOOK: Duration = Duration::from_millis(1);

/// A source of roots.
pub trait Supply: Send + Sync {
    /// Returns the next roots; `None` if there are no more, or as soon as `ends` returns true.
    fn next(&self, state: &Stock, ends: &dyn Fn() -> bool) -> Option<Supplied>;

    /// Returns the number of roots that all processes have searched, of which this one searched
    /// `own`.
    fn done(&self, own: usize) -> usize;
}

/// The state of a run that asks for roots.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stock {
    /// The number of roots that it has searched.
    pub searched: usize,
    /// The number of roots that its participants search at a time, as far as it is known.
    pub together: usize,
    /// The seconds since it began to search.
    pub seconds: f64,
}

/// Roots for a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supplied {
    /// The roots.
    pub roots: Range<usize>,
    /// The approximate number of roots that will follow.
    pub more: usize,
}

/// Starts a thread that fills the counter until the supply or the run ends. It asks for roots
/// whenever half of the last ones are claimed.
pub(super) fn begin(supply: Arc<dyn Supply>, search: Search) -> Result<(), std::io::Error> {
    let start = Instant::now();
    let mut last = 0;
    let fill = move || {
        let Search {
            counter, ledger, ..
        } = &search;
        let ends = || counter.is_closed();
        loop {
            // The size of batches is known once a participant searches.
            while !ends() && (counter.together() == 0 || counter.unclaimed() > last / 2) {
                thread::sleep(LOOK);
            }
            let stock = Stock {
                searched: ledger.searched(),
                together: counter.together(),
                seconds: start.elapsed().as_secs_f64(),
            };
            let Some(supplied) = supply.next(&stock, &ends) else {
                break;
            };
            last = supplied.roots.len();
            counter.supply(supplied.roots, supplied.more);
        }
        counter.ends_supply();
    };
    let thread = thread::Builder::new().name("supply".into());
    thread.spawn(fill).map(drop)
}
