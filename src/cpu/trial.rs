//! Which of several engines is the fastest on a graph: workers try each on their first claims,
//! whose results count, and go on with the best.
//!
//! No estimate knows how caches, vector units and the shape of a graph go together, so estimates
//! only say which engines are worth a trial (see [`super::candidates`]).

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::CpuPlan;

/// Claims of an engine at least: in the first one its memory is new.
const CLAIMS: usize = 2;
/// An engine is tried with this part of all roots: some roots take longer than others.
const PART: usize = 33;
/// An engine that takes so many times as long as another is eliminated. With a single claim
/// it is the second number if that took [`LONG`] seconds, in which new memory matters little, and
/// else the third.
const ELIMINATED: [f64; 3] = [1.5, 3.0, 8.0];
const LONG: f64 = 0.005;
/// No engine is chosen yet.
const OPEN: usize = usize::MAX;

/// A trial that all workers of a search share.
#[derive(Debug)]
pub struct Trial {
    plans: Vec<CpuPlan>,
    /// Roots that each is to be tried with.
    roots: usize,
    tried: Mutex<Vec<Tried>>,
    /// The plan that has won, or [`OPEN`].
    winner: AtomicUsize,
}

/// What is known of an engine.
#[derive(Debug, Clone, Copy)]
struct Tried {
    claims: usize,
    /// Seconds of the first one.
    first: f64,
    /// Seconds for each root: in all claims but the first, as soon as there are others.
    rate: f64,
    /// Seconds and roots of those.
    counted: (f64, usize),
    /// Workers that have a claim for it.
    at_it: usize,
}

impl Tried {
    /// Whether more claims may change what is known, beside an engine of this rate.
    fn is_open(&self, best: f64, roots: usize) -> bool {
        let [known, long, short] = ELIMINATED;
        let at_once = if self.first >= LONG { long } else { short };
        match self.claims {
            0 => true,
            1 => self.rate <= at_once * best,
            _ => self.rate <= known * best && (self.claims < CLAIMS || self.counted.1 < roots),
        }
    }
}

impl Trial {
    /// Of these plans, of which there is one at least, the likeliest first, for a search from so
    /// many roots.
    pub fn new(plans: Vec<CpuPlan>, roots: usize) -> Trial {
        let nothing = Tried {
            claims: 0,
            first: 0.0,
            rate: f64::INFINITY,
            counted: (0.0, 0),
            at_it: 0,
        };
        Trial {
            tried: Mutex::new(vec![nothing; plans.len()]),
            winner: AtomicUsize::new(if plans.len() == 1 { 0 } else { OPEN }),
            plans,
            roots: roots / PART,
        }
    }

    /// The plan of this number.
    pub fn plan(&self, number: usize) -> CpuPlan {
        self.plans[number]
    }

    /// Whether all workers go on with the same plan.
    pub(super) fn is_decided(&self) -> bool {
        self.winner.load(Relaxed) != OPEN
    }

    /// The number of the plan for the next claim of a worker, which [`Self::note`]s it afterwards.
    pub(super) fn choose(&self) -> usize {
        let winner = self.winner.load(Relaxed);
        if winner != OPEN {
            return winner;
        }
        let mut tried = self.tried.lock().unwrap_or_else(|error| error.into_inner());
        let best = tried.iter().map(|t| t.rate).fold(f64::INFINITY, f64::min);
        let fewest = |&number: &usize| (tried[number].at_it, tried[number].claims, number);
        let next = (0..tried.len())
            .filter(|&number| tried[number].is_open(best, self.roots))
            .min_by_key(fewest);
        let number = next.unwrap_or_else(|| {
            let fastest = |&a: &usize, &b: &usize| tried[a].rate.total_cmp(&tried[b].rate);
            let winner = (0..tried.len()).min_by(fastest).unwrap_or(0);
            self.winner.store(winner, Relaxed);
            winner
        });
        tried[number].at_it += 1;
        number
    }

    /// Notes how many seconds of a core so many roots took by the plan of this number.
    pub(super) fn note(&self, number: usize, roots: usize, seconds: f64) {
        if self.is_decided() {
            return;
        }
        let mut tried = self.tried.lock().unwrap_or_else(|error| error.into_inner());
        let tried = &mut tried[number];
        tried.at_it = tried.at_it.saturating_sub(1);
        if roots > 0 {
            tried.claims += 1;
            tried.rate = seconds / roots as f64;
            if tried.claims == 1 {
                tried.first = seconds;
            } else {
                tried.counted.0 += seconds;
                tried.counted.1 += roots;
                tried.rate = tried.counted.0 / tried.counted.1 as f64;
            }
        }
    }

    /// Seconds for each root by the plan that is the fastest so far; `None` if none was tried.
    pub fn seconds_for_root(&self) -> Option<f64> {
        let tried = self.tried.lock().unwrap_or_else(|error| error.into_inner());
        let best = tried.iter().map(|t| t.rate).fold(f64::INFINITY, f64::min);
        best.is_finite().then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::super::EngineName;
    use super::*;

    fn trial(engines: &[EngineName]) -> Trial {
        let plan = |&engine: &EngineName| CpuPlan {
            engine,
            ..CpuPlan::default()
        };
        Trial::new(engines.iter().map(plan).collect(), 200)
    }

    /// The plans of ten claims, of engines that take so many milliseconds for each root.
    fn claims(trial: &Trial, milliseconds: &[f64]) -> Vec<usize> {
        let claim = |_| {
            let number = trial.choose();
            trial.note(number, 4, 4e-3 * milliseconds[number]);
            number
        };
        (0..10).map(claim).collect()
    }

    #[test]
    fn the_fastest_goes_on() {
        let two = [EngineName::Lanes, EngineName::Plain];
        assert_eq!(
            claims(&trial(&two), &[5.0, 3.0]),
            [0, 1, 0, 1, 1, 1, 1, 1, 1, 1]
        );
        let slow_then_fast = claims(&trial(&two), &[50.0, 3.0]);
        assert_eq!(slow_then_fast, [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn one_plan_needs_no_trial() {
        assert_eq!(claims(&trial(&[EngineName::Plain]), &[1.0]), [0; 10]);
    }

    #[test]
    fn workers_try_different_ones_and_none_waits() {
        let trial = trial(&[EngineName::Lanes, EngineName::Plain]);
        let first: Vec<usize> = (0..4).map(|_| trial.choose()).collect();
        assert_eq!(first, [0, 1, 0, 1]);
        assert_eq!(trial.seconds_for_root(), None);
    }
}
