//! A trial that finds the fastest of several engines on a graph: workers try each engine on their
//! first claims, whose results count, and continue with the best. When the speed of the best engine
//! changes, they try all engines again, since the first roots of a directed graph may reach much
//! and the last ones little.
//!
//! Estimates cannot predict the combined effect of caches, vector units and the shape of a graph,
//! so they only decide which engines are tried (see [`super::candidates`]).

use std::sync::{Mutex, MutexGuard};

use super::CpuPlan;

/// The fewest claims of an engine. The first one is slower because of page faults.
const CLAIMS: usize = 2;
/// An engine is tried with at least 1/`PART` of all work, since some roots take longer than others.
const PART: f64 = 33.0;
/// An engine that takes this many times as long as the fastest is eliminated. The first factor
/// applies from the second claim on, the second one after a single claim of at least [`LONG`]
/// seconds, in which page faults matter little, and the third after a shorter one.
const ELIMINATED: [f64; 3] = [1.5, 3.0, 8.0];
const LONG: f64 = 0.005;
/// A claim whose roots have less than this part of the mean work, such as roots in small blocks, is
/// ignored, since its time hardly depends on arcs.
const LEAST_SHARE: f64 = 0.25;
/// A trial begins again when the winner's seconds per arc have risen or fallen by this factor.
const CHANGED: f64 = 1.5;

/// A trial that all workers of a search share.
#[derive(Debug)]
pub struct Trial {
    plans: Vec<CpuPlan>,
    /// The mean work of a root: the arcs of its component.
    arcs_per_root: f64,
    /// The work that each plan is tried with, and after which the winner's rate is compared again.
    work: f64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    measurements: Vec<Measurements>,
    /// The number of the plan that has won.
    winner: Option<usize>,
    /// The winner's seconds and work since its rate was last compared with that of the trial.
    since: [f64; 2],
}

impl State {
    /// Makes the state at the start of a trial of so many plans.
    fn new(plans: usize) -> State {
        State {
            measurements: vec![Measurements::default(); plans],
            winner: (plans == 1).then_some(0),
            since: [0.0; 2],
        }
    }
}

/// The measurements of an engine.
#[derive(Debug, Clone, Copy, Default)]
struct Measurements {
    claims: usize,
    /// The seconds and work of the first claim until there is a second, then of all but the first.
    seconds: f64,
    work: f64,
    /// The number of workers that are searching with the engine.
    active: usize,
}

impl Measurements {
    /// Returns the seconds for each arc of work; infinite before the first claim.
    fn rate(&self) -> f64 {
        match self.claims {
            0 => f64::INFINITY,
            _ => self.seconds / self.work,
        }
    }

    /// Whether the engine needs more claims, given the rate `best` of the fastest engine and the
    /// `work` that each engine is tried with.
    fn is_open(&self, best: f64, work: f64) -> bool {
        let [several_claims, one_long_claim, one_short_claim] = ELIMINATED;
        let factor = match self.claims {
            0 => return true,
            1 if self.seconds >= LONG => one_long_claim,
            1 => one_short_claim,
            _ => several_claims,
        };
        self.rate() <= factor * best && (self.claims < CLAIMS || self.work < work)
    }
}

/// Returns the smallest rate of all engines.
fn best(measurements: &[Measurements]) -> f64 {
    let rates = measurements.iter().map(Measurements::rate);
    rates.fold(f64::INFINITY, f64::min)
}

impl Trial {
    /// Makes a trial. `plans` is not empty, and sorted by estimated time. The search has `roots`
    /// roots, whose components have `arcs_per_root` arcs on average.
    pub fn new(plans: Vec<CpuPlan>, roots: usize, arcs_per_root: f64) -> Trial {
        Trial {
            state: Mutex::new(State::new(plans.len())),
            plans,
            arcs_per_root,
            work: roots as f64 * arcs_per_root / PART,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|error| error.into_inner())
    }

    /// Returns the plan with this number.
    pub fn plan(&self, number: usize) -> CpuPlan {
        self.plans[number]
    }

    /// Whether one of the plans has won.
    pub(super) fn is_decided(&self) -> bool {
        self.state().winner.is_some()
    }

    /// Returns the number of the plan for the next claim of a worker. The worker must pass the
    /// measurements of that claim to [`Self::record`].
    pub(super) fn choose(&self) -> usize {
        let state = &mut *self.state();
        if let Some(winner) = state.winner {
            return winner;
        }
        let measurements = &mut state.measurements;
        let best = best(measurements);
        let least_tried = (0..measurements.len())
            .filter(|&number| measurements[number].is_open(best, self.work))
            .min_by_key(|&number| (measurements[number].active, measurements[number].claims));
        let number = least_tried.unwrap_or_else(|| {
            let fastest =
                |&a: &usize, &b: &usize| measurements[a].rate().total_cmp(&measurements[b].rate());
            let winner = (0..measurements.len()).min_by(fastest).unwrap_or(0);
            *state.winner.insert(winner)
        });
        measurements[number].active += 1;
        number
    }

    /// Records a claim that was searched with the plan of this number: the number of its roots,
    /// their work (the sum of the arcs of their components), and the CPU time in seconds.
    pub(super) fn record(&self, number: usize, roots: usize, work: f64, seconds: f64) {
        let state = &mut *self.state();
        let is_typical = work > 0.0 && work >= LEAST_SHARE * roots as f64 * self.arcs_per_root;
        let measurements = &mut state.measurements[number];
        if state.winner.is_none() {
            measurements.active = measurements.active.saturating_sub(1);
            if is_typical {
                measurements.claims += 1;
                if measurements.claims == 2 {
                    (measurements.seconds, measurements.work) = (0.0, 0.0);
                }
                measurements.seconds += seconds;
                measurements.work += work;
            }
        } else if state.winner == Some(number) && is_typical && self.plans.len() > 1 {
            let [all_seconds, all_work] = &mut state.since;
            *all_seconds += seconds;
            *all_work += work;
            if *all_work >= self.work {
                let change = *all_seconds / *all_work / measurements.rate();
                state.since = [0.0; 2];
                if !(1.0 / CHANGED..CHANGED).contains(&change) {
                    *state = State::new(self.plans.len());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::CpuEngine;
    use super::*;

    /// Returns a trial of `lanes` (plan 0) and `plain` (plan 1).
    fn trial(roots: usize, arcs: f64) -> Trial {
        let plan = |engine| CpuPlan {
            engine,
            ..CpuPlan::default()
        };
        let plans = [CpuEngine::Lanes, CpuEngine::Plain].map(plan);
        Trial::new(plans.to_vec(), roots, arcs)
    }

    /// Makes claims of eight roots, each in a component of so many arcs, and returns the plan of
    /// each. Plan i takes a microsecond per root and `nanoseconds[i]` per arc.
    fn claims(trial: &Trial, nanoseconds: &[f64], arcs: &[f64]) -> Vec<usize> {
        let claim = |&arcs: &f64| {
            let number = trial.choose();
            let seconds = 1e-6 + 1e-9 * nanoseconds[number] * arcs;
            trial.record(number, 8, 8.0 * arcs, 8.0 * seconds);
            number
        };
        arcs.iter().map(claim).collect()
    }

    #[test]
    fn the_fastest_engine_wins() {
        let ten = [1e4; 10];
        let close = claims(&trial(200, 1e4), &[500.0, 300.0], &ten);
        assert_eq!(close, [0, 1, 0, 1, 1, 1, 1, 1, 1, 1]);
        let slow_then_fast = claims(&trial(200, 1e4), &[5000.0, 300.0], &ten);
        assert_eq!(slow_then_fast, [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        let one = Trial::new(vec![CpuPlan::default()], 200, 1e4);
        assert_eq!(claims(&one, &[1.0], &ten), [0; 10]);
        // Workers try different engines, and none waits.
        let trial = trial(200, 1e4);
        assert_eq!([(); 4].map(|()| trial.choose()), [0, 1, 0, 1]);
        assert!(best(&trial.state().measurements).is_infinite());
    }

    #[test]
    fn a_trial_begins_again_when_the_speed_of_the_winner_changes() {
        let trial = trial(4000, 1e4);
        let eighty = [1e4; 80];
        assert_eq!(claims(&trial, &[3.0, 5.0], &eighty)[79], 0);
        // The first engine takes 1.3 times as long, then 2 times.
        assert_eq!(claims(&trial, &[3.9, 5.0], &eighty), [0; 80]);
        assert_eq!(claims(&trial, &[6.0, 5.0], &eighty)[79], 1);
        // The winner becomes 5 times as fast, and the other one 10 times.
        assert_eq!(claims(&trial, &[0.6, 1.0], &eighty)[79], 0);
    }

    #[test]
    fn claims_of_roots_in_small_components_are_ignored() {
        // A thousand roots are in triangles, and a thousand in a component of 2,000 arcs.
        const SMALL: f64 = 6.0;
        const LARGE: f64 = 2e3;
        let whole = 1e3 * LARGE + 1e3 * SMALL;
        for first in [
            [SMALL; 4],
            [SMALL, LARGE, SMALL, LARGE],
            [LARGE, SMALL, SMALL, LARGE],
        ] {
            let trial = trial(2000, whole / 2e3);
            claims(&trial, &[5.0, 3.0], &[&first[..], &[LARGE; 16]].concat());
            let last = claims(&trial, &[5.0, 3.0], &[SMALL, LARGE]);
            assert_eq!(last, [1, 1], "{first:?}");
            let seconds = whole * best(&trial.state().measurements);
            assert!((6e-3..9e-3).contains(&seconds), "{first:?}: {seconds}");
        }
        // A trial that has only such claims measures nothing.
        let trial = trial(2000, whole / 2e3);
        assert_eq!(claims(&trial, &[5.0, 3.0], &[SMALL; 4]), [0; 4]);
        assert!(best(&trial.state().measurements).is_infinite());
    }
}
