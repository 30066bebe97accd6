//! Estimates during a search how long it will take.

/// The least seconds over which the rate is measured.
const MIN_MEASURED: f64 = 1.0;
/// The rate is measured over at least this fraction of the time until the first result, since
/// workers that began together end their first batches at about the same time.
const MIN_PART: f64 = 0.5;
/// The least number of reports in the measured time. Engines report roots by batches.
const MIN_REPORTS: u32 = 3;
/// Seconds to wait for the first result of a device before estimating without it.
const MAX_WAIT: f64 = 120.0;

/// The estimate at the present rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Seconds left.
    pub left: f64,
    /// Seconds per root, of all workers and devices together.
    pub root_seconds: f64,
}

/// Observes a search from its beginning.
#[derive(Debug, Default)]
pub struct Forecast {
    /// The latest estimate; `None` before there is a rate.
    pub pace: Option<Pace>,
    /// When the time until the first result began: when all devices had a result, or when one
    /// returned its roots.
    began: f64,
    /// Seconds and roots at the beginning of the measured time, when the first roots were reported.
    base: Option<(f64, usize)>,
    /// The number of roots at the last update.
    last_done: usize,
    /// The number of updates with more roots since `base`.
    reports: u32,
}

impl Forecast {
    /// Updates the estimate: `done` of `total` roots are done after `seconds` of searching.
    /// `awaits_devices` means that a device that may still search has no result yet.
    pub fn update(&mut self, seconds: f64, (done, total): (usize, usize), awaits_devices: bool) {
        if awaits_devices && seconds < MAX_WAIT {
            self.began = seconds;
            return;
        }
        if done < self.last_done {
            // A device that failed has returned its roots.
            (self.base, self.pace, self.began) = (None, None, seconds);
        } else if done > self.last_done && self.base.is_some() {
            self.reports += 1;
        } else if done > self.last_done {
            (self.base, self.reports) = (Some((seconds, done)), 0);
        }
        self.last_done = done;
        let Some((since, before)) = self.base else {
            return;
        };
        let measured = seconds - since;
        let needed = MIN_MEASURED.max(MIN_PART * (since - self.began));
        if measured < needed || self.reports < MIN_REPORTS {
            return;
        }
        let root_seconds = measured / done.saturating_sub(before).max(1) as f64;
        let left = root_seconds * total.saturating_sub(done) as f64;
        self.pace = Some(Pace { left, root_seconds });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Updates a forecast ten times a second with `done(seconds)` roots. Returns the last estimate
    /// of the seconds of the whole search.
    fn watch(
        (total, until): (usize, f64),
        done: impl Fn(f64) -> f64,
        awaits_devices: impl Fn(f64) -> bool,
    ) -> Option<f64> {
        let mut forecast = Forecast::default();
        for tick in 0..=(10.0 * until) as usize {
            let seconds = tick as f64 / 10.0;
            let counts = (done(seconds) as usize, total);
            forecast.update(seconds, counts, awaits_devices(seconds));
        }
        Some(until + forecast.pace?.left)
    }

    fn is_about(seconds: Option<f64>, expected: f64) -> bool {
        seconds.is_some_and(|seconds| (seconds - expected).abs() < 0.02 * expected)
    }

    #[test]
    fn the_rate_decides() {
        let steady = |s| 100.0 * s;
        assert!(is_about(watch((100_000, 60.0), steady, |_| false), 1000.0));
        // Roots that come back are no progress.
        let failing = |s| if s < 8.0 { 1000.0 * s } else { s - 8.0 };
        assert!(is_about(
            watch((10_000, 60.0), failing, |_| false),
            10_008.0
        ));
        assert_eq!(watch((1000, 60.0), |_| 0.0, |_| false), None);
    }

    #[test]
    fn there_is_no_estimate_before_there_is_a_rate() {
        // The first batch takes four seconds.
        let done = |s| if s < 4.0 { 0.0 } else { 100.0 * (s - 3.9) };
        assert_eq!(watch((1000, 5.9), done, |_| false), None);
        assert!(is_about(watch((1000, 7.0), done, |_| false), 13.9));
        // While a device is initialised, the rate of CPU workers alone is no estimate.
        assert_eq!(watch((1000, 20.0), |s| s, |_| true), None);
    }

    #[test]
    fn batches_are_waited_for() {
        let batches = |s: f64| 4000.0 * (s / 8.0).floor();
        assert_eq!(watch((400_000, 31.9), batches, |_| false), None);
        assert!(is_about(watch((400_000, 32.0), batches, |_| false), 800.0));
        // Sixteen workers end their batches at about the same time. The rate must include both the
        // burst of results and the pause before it.
        let together = |s: f64| {
            let round = (s / 30.0).floor();
            let within = ((s - 30.0 * round) * 10.0).floor().clamp(1.0, 16.0);
            (1024.0 * (round - 1.0) + 64.0 * within).max(0.0)
        };
        let seconds = watch((100_000, 200.0), together, |_| false).unwrap();
        assert!((2500.0..3500.0).contains(&seconds), "{seconds}");
    }

    #[test]
    fn a_device_that_comes_late_is_waited_for_but_not_for_ever() {
        // A worker alone would take 28 hours.
        let device = |s: f64| 10.0 * s + 1e4 * (s - 20.0).max(0.0);
        let late = |s| s < 20.0;
        assert!(is_about(watch((1_000_000, 30.0), device, late), 120.0));
        assert_eq!(watch((1_000_000, MAX_WAIT), |s| 10.0 * s, |_| true), None);
        assert!(watch((1_000_000, MAX_WAIT + 5.0), |s| 10.0 * s, |_| true).is_some());
    }
}
