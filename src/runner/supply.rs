//! Roots that come bit by bit, for runs that share a search with others.

use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::sharing::Search;

/// The time between two looks at what is left to claim.
const LOOK: Duration = Duration::from_millis(1);

/// Where roots come from.
pub trait Supply: Send + Sync {
    /// The next roots; `None` if there are no more, or as soon as the run `ends`.
    fn next(&self, state: &Stock, ends: &dyn Fn() -> bool) -> Option<Supplied>;

    /// How many roots all runs have searched, of which this one searched its `own`.
    fn done(&self, own: usize) -> usize;
}

/// How far a run is that asks for roots.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stock {
    /// Roots that it has searched.
    pub searched: usize,
    /// Roots that its participants search at a time, as far as that is known.
    pub together: usize,
    /// Seconds since it began to search.
    pub seconds: f64,
}

/// Roots for a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supplied {
    /// These.
    pub roots: Range<usize>,
    /// About as many will follow.
    pub more: usize,
}

/// Fills a counter, whenever half of what came last has been claimed, until the supply or the run
/// ends.
pub(super) fn begin(supply: Arc<dyn Supply>, search: Search) -> Result<(), std::io::Error> {
    let start = Instant::now();
    let mut last = 0;
    let fill = move || {
        let Search {
            counter, ledger, ..
        } = &search;
        let ends = || counter.is_closed();
        loop {
            // The first participant that searches tells how many roots are worth asking for.
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
