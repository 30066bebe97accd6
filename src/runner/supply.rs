//! The supply of roots to a run that shares a search with other processes.

use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::sharing::Search;

/// The interval at which the supply thread polls the number of unclaimed roots.
const POLL: Duration = Duration::from_millis(1);

/// A supplier of roots, if a run does not know all its roots from the start.
pub trait Supply: Send + Sync {
    /// Returns the next roots; `None` if there are no more, or as soon as `ends` returns true.
    fn next(&self, request: &SupplyRequest, ends: &dyn Fn() -> bool) -> Option<Supplied>;

    /// Returns the number of roots that all processes have searched, as far as this process knows;
    /// it has searched `own` of them itself.
    fn done(&self, own: usize) -> usize;
}

/// A request for roots: the progress of the run that asks for them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SupplyRequest {
    /// The number of roots that the run has searched.
    pub searched: usize,
    /// The number of roots that its participants search at a time, as far as it is known.
    pub batch: usize,
    /// The seconds since the run began to search.
    pub seconds: f64,
}

/// The answer to a [`SupplyRequest`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supplied {
    /// The roots.
    pub roots: Range<usize>,
    /// The approximate number of roots that will follow.
    pub to_follow: usize,
}

/// Starts a thread that adds supplied roots to the counter until the supply or the run ends. The
/// thread requests roots whenever half of the last ones are claimed.
pub(super) fn start(supply: Arc<dyn Supply>, search: Search) -> Result<(), std::io::Error> {
    let start = Instant::now();
    let mut last = 0;
    let fill = move || {
        let (counter, ledger) = (&search.counter, &search.ledger);
        let ends = || counter.is_closed();
        loop {
            // The request needs the size of batches, known once a participant has tried to claim.
            while !ends() && (counter.roots_at_a_time() == 0 || counter.unclaimed() > last / 2) {
                thread::sleep(POLL);
            }
            let request = SupplyRequest {
                searched: ledger.searched(),
                batch: counter.roots_at_a_time(),
                seconds: start.elapsed().as_secs_f64(),
            };
            let Some(supplied) = supply.next(&request, &ends) else {
                break;
            };
            last = supplied.roots.len();
            counter.supply(supplied.roots, supplied.to_follow);
        }
        counter.end_supply();
    };
    let thread = thread::Builder::new().name("supply".into());
    thread.spawn(fill).map(drop)
}
