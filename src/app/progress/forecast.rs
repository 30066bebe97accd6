//! Estimates during a search how long it will take, for the progress display and for a warning
//! about a long search.

use crate::app::bench::predict::LONG_RUN;

/// The least seconds of searching before the warning.
const WARN_AFTER: f64 = 10.0;
/// The least seconds over which the rate is measured, for the display.
const MIN_MEASURED: f64 = 1.0;
/// The least seconds over which the rate is measured, for the warning.
const MIN_MEASURED_TO_WARN: f64 = 5.0;
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

/// Observes a search from its beginning. Warns once if it will take [`LONG_RUN`] or more.
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
    /// Whether the warning was given.
    has_warned: bool,
}

impl Forecast {
    /// Updates the estimate: `done` of `total` roots are done after `seconds` of searching.
    /// `awaits_devices` means that a device that may still search has no result yet. Returns the
    /// estimate once, if the search is long.
    pub fn update(
        &mut self,
        seconds: f64,
        (done, total): (usize, usize),
        awaits_devices: bool,
    ) -> Option<Pace> {
        if awaits_devices && seconds < MAX_WAIT {
            self.began = seconds;
            return None;
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
        let (since, before) = self.base?;
        let measured = seconds - since;
        let needed = MIN_MEASURED.max(MIN_PART * (since - self.began));
        if measured < needed || self.reports < MIN_REPORTS {
            return None;
        }
        let root_seconds = measured / done.saturating_sub(before).max(1) as f64;
        let left = root_seconds * total.saturating_sub(done) as f64;
        self.pace = Some(Pace { left, root_seconds });
        let is_settled = seconds >= WARN_AFTER && measured >= MIN_MEASURED_TO_WARN;
        let warns = !self.has_warned && is_settled && seconds + left >= LONG_RUN;
        self.has_warned |= warns;
        self.pace.filter(|_| warns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Updates a forecast ten times a second with `done(seconds)` roots. Returns the time and the
    /// estimate of the warning.
    fn watch(
        (total, until): (usize, f64),
        done: impl Fn(f64) -> f64,
        awaits_devices: impl Fn(f64) -> bool,
    ) -> Option<(f64, Pace)> {
        let mut forecast = Forecast::default();
        let mut warning = None;
        for tick in 0..(10.0 * until) as usize {
            let seconds = tick as f64 / 10.0;
            let done = done(seconds) as usize;
            let pace = forecast.update(seconds, (done, total), awaits_devices(seconds));
            if let Some(pace) = pace {
                assert!(warning.is_none(), "once");
                assert_eq!(forecast.pace, Some(pace), "the displayed estimate");
                warning = Some((seconds, pace));
            }
        }
        warning
    }

    fn near(a: f64, b: f64, most: f64) -> bool {
        (a - b).abs() < most
    }

    #[test]
    fn a_steady_long_run_causes_a_warning_after_ten_seconds() {
        let steady = |s| 100.0 * s;
        let (when, pace) = watch((1_000_000, 60.0), steady, |_| false).unwrap();
        assert!(near(when, WARN_AFTER, 0.2) && near(when + pace.left, 10_000.0, 100.0));
        assert!(near(pace.root_seconds, 0.01, 1e-4), "{pace:?}");
        assert_eq!(watch((300_000, 60.0), steady, |_| false), None);
        // Roots that come back are no progress.
        let failing = |s| if s < 8.0 { 1000.0 * s } else { s - 8.0 };
        let (when, pace) = watch((10_000, 60.0), failing, |_| false).unwrap();
        assert!(when > 12.0 && when + pace.left > 8000.0);
        assert_eq!(watch((1000, 60.0), |_| 0.0, |_| false), None);
    }

    #[test]
    fn there_is_no_estimate_before_there_is_a_rate() {
        let mut forecast = Forecast::default();
        // The first batch takes four seconds.
        for tick in 0..60 {
            let seconds = f64::from(tick) / 10.0;
            let done = (100.0 * (seconds - 3.9)).max(0.0) as usize;
            forecast.update(seconds, (if seconds < 4.0 { 0 } else { done }, 1000), false);
            assert_eq!(forecast.pace.is_some(), seconds >= 6.0, "{seconds}");
        }
        forecast.update(7.0, (310, 1000), false);
        let pace = forecast.pace.unwrap();
        assert!(near(pace.left, 6.9, 0.1), "{pace:?}");
        // While a device is initialised, the rate of CPU workers alone is no estimate.
        let mut forecast = Forecast::default();
        for second in 0..20 {
            forecast.update(f64::from(second), (second as usize, 1000), true);
        }
        assert_eq!(forecast.pace, None);
    }

    #[test]
    fn batches_are_waited_for() {
        // There are four thousand roots every eight seconds: the first report, and three later
        // ones.
        let batches = |s: f64| 4000.0 * (s / 8.0).floor();
        let (when, pace) = watch((4_000_000, 100.0), batches, |_| false).unwrap();
        assert!(near(when, 32.0, 0.2) && near(when + pace.left, 8000.0, 100.0));
        // Sixteen workers end their batches at about the same time. The rate must include both the
        // burst of results and the pause before it.
        let together = |s: f64| {
            let round = (s / 30.0).floor();
            let within = ((s - 30.0 * round) * 10.0).floor().clamp(1.0, 16.0);
            if round == 0.0 {
                0.0
            } else {
                1024.0 * (round - 1.0) + 64.0 * within
            }
        };
        let warning = watch((100_000, 200.0), together, |_| false);
        assert_eq!(warning, None, "3000 s are not long");
    }

    #[test]
    fn a_device_that_comes_late_is_waited_for_but_not_for_ever() {
        // A worker alone would take 28 hours.
        let device = |s: f64| 10.0 * s + 1e4 * (s - 20.0).max(0.0);
        assert_eq!(watch((1_000_000, 100.0), device, |s| s < 20.0), None);
        let (when, _) = watch((1_000_000, 200.0), |s| 10.0 * s, |_| true).unwrap();
        assert!(near(when, MAX_WAIT + MIN_MEASURED_TO_WARN, 0.3), "{when}");
    }
}
