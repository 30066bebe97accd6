//! Whether the winner really is faster than what a run does anyway: on roots that it was not chosen
//! by.

use super::race::{Measurer, Track};
use crate::app::bench::timing::Spread;

/// Searches of each, if there is time.
const REPEATS: usize = 5;
/// With fewer of them there is no range to speak of.
const FEWEST: usize = 3;
/// A check from fewer roots decides nothing, unless the graph has no more.
const FEWEST_ROOTS: usize = 64;
/// The winner has to be faster by this part, and by that part with few searches.
const LEAST_GAIN: f64 = 0.01;
const UNSURE_GAIN: f64 = 0.2;

/// The winner against the default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Check {
    /// Roots of each search; 0 if none was made.
    pub roots: usize,
    /// Seconds of the winner, in turns with the default.
    pub best_seconds: Vec<f64>,
    /// Seconds of the default.
    pub default_seconds: Vec<f64>,
    /// Whether the winner is adopted, in place of the default.
    pub adopted: bool,
    /// Why one of them could not search, or why nothing was decided.
    pub failure: Option<String>,
}

impl Check {
    /// Medians and ranges of the winner and the default, if both could search.
    pub fn spreads(&self) -> Option<(Spread, Spread)> {
        Spread::of(&self.best_seconds).zip(Spread::of(&self.default_seconds))
    }

    /// Median of the winner as a multiple of the default's; 1 where the two are the same setting
    /// and nothing was searched, `None` if only one of them could search.
    pub fn ratio(&self) -> Option<f64> {
        match self.spreads() {
            Some((best, default)) => Some(best.median / default.median),
            None => (self.roots == 0 && self.failure.is_none()).then_some(1.0),
        }
    }

    /// Adopts the winner if its median is shorter than the shortest time of the default, by more
    /// than the least gain.
    fn decide(&mut self) {
        let least = match self.default_seconds.len() < FEWEST {
            true => UNSURE_GAIN,
            false => LEAST_GAIN,
        };
        let shorter = |(best, default): (Spread, Spread)| best.median < default.min * (1.0 - least);
        self.adopted = self.failure.is_none() && self.spreads().is_some_and(shorter);
    }
}

/// Searches with both in turns until the clock says `until`, but once at least. `of` are the roots
/// of the graph.
pub fn check<M: Measurer>(
    measurer: &mut M,
    best: &Track,
    default: &Track,
    of: usize,
    until: f64,
) -> Check {
    let mut check = Check::default();
    if best.setting == default.setting {
        return check;
    }
    if default.failure.is_some() {
        // Whatever can search is better than what cannot.
        check.adopted = true;
        check.failure.clone_from(&default.failure);
        return check;
    }
    let both = |size: usize| best.cost(size, of).zip(default.cost(size, of));
    let cost = |size: usize| both(size).map_or(f64::INFINITY, |(a, b)| a + b);
    // The more the better: of batches that are not full, few roots would tell little.
    let mut size = of.max(1);
    let left = until - measurer.now();
    while size > 1 && FEWEST as f64 * cost(size) > left {
        size /= 2;
    }
    while check.best_seconds.len() < REPEATS
        && (check.best_seconds.is_empty() || measurer.now() + cost(size) <= until)
    {
        let mut search = |track: &Track| measurer.search(&track.setting, size, true);
        match search(best).and_then(|a| Ok((a, search(default)?))) {
            Ok((a, b)) => {
                check.roots = b.roots;
                check.best_seconds.push(a.seconds);
                check.default_seconds.push(b.seconds);
            }
            Err(error) => {
                check.failure = Some(error.to_string());
                break;
            }
        }
    }
    // Fewer roots than an engine takes together do not show how fast it is.
    let together = [best, default].map(|track| track.last.map_or(1, |last| last.together));
    let needed = together.into_iter().fold(FEWEST_ROOTS, usize::max);
    if check.failure.is_none() && size < needed.min(of) {
        check.failure = Some("there was no time for enough roots; use a larger --budget".into());
    }
    check.decide();
    check
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(best: &[f64], default: &[f64]) -> bool {
        let mut check = Check {
            roots: 1,
            best_seconds: best.to_vec(),
            default_seconds: default.to_vec(),
            ..Check::default()
        };
        check.decide();
        check.adopted
    }

    #[test]
    fn only_what_is_faster_beyond_noise_is_adopted() {
        assert!(decided(&[1.0, 1.01, 0.99], &[1.2, 1.21, 1.19]));
        assert!(decided(&[1.0, 1.5, 0.99], &[1.2, 1.8, 1.19]), "outliers");
        assert!(!decided(&[1.2, 1.2, 1.2], &[1.0, 1.0, 1.0]));
        assert!(!decided(&[1.0, 1.0, 1.0], &[1.0, 1.0, 1.0]));
        assert!(!decided(&[0.995, 0.995, 0.995], &[1.0, 1.0, 1.0]));
        assert!(!decided(&[0.9, 1.3, 0.7], &[1.0, 1.4, 0.8]), "noise");
        assert!(!decided(&[0.95], &[1.0]), "once is not enough");
        assert!(decided(&[0.5], &[1.0]));
    }

    #[test]
    fn nothing_measured_is_a_ratio_of_one_only_for_the_same_setting() {
        assert_eq!(Check::default().ratio(), Some(1.0));
        let failed = Check {
            failure: Some("gone".into()),
            ..Check::default()
        };
        assert_eq!(failed.ratio(), None);
    }
}
