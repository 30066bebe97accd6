//! Whether a run will be long, judged while it is under way.

use super::predictions::LONG;

/// Seconds of searching before anything is said.
const AFTER: f64 = 10.0;
/// Seconds over which the rate is taken, at least.
const MEASURED: f64 = 5.0;
/// How often roots must have been reported in that time: engines report batches.
const REPORTS: u32 = 3;
/// A device without results yet, however fast it may be, is waited for so long.
const PATIENCE: f64 = 120.0;

/// What is to be expected at the present rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// Seconds of the whole search.
    pub seconds: f64,
    /// Seconds a root, everybody together.
    pub root_seconds: f64,
}

/// Watches a search, and speaks up once if it will take [`LONG`] or more.
#[derive(Debug)]
pub struct Forecast {
    total: usize,
    /// Seconds and roots from which the rate is taken: not the start, when engines were being made.
    base: Option<(f64, usize)>,
    last: usize,
    reports: u32,
    told: bool,
}

impl Forecast {
    /// Of a search from so many roots.
    pub fn new(total: usize) -> Forecast {
        Forecast {
            total,
            base: None,
            last: 0,
            reports: 0,
            told: false,
        }
    }

    /// Takes in that after `seconds` so many roots are done, and whether somebody who searches has not
    /// reported any yet. Returns the outlook once, when it is long.
    pub fn tell(&mut self, seconds: f64, done: usize, silent: bool) -> Option<Outlook> {
        if self.told || (silent && seconds < PATIENCE) {
            return None;
        }
        match self.base {
            // A device that failed gave its roots back.
            Some(_) if done < self.last => self.base = None,
            Some(_) if done > self.last => self.reports += 1,
            None if done > 0 => {
                self.base = Some((seconds, done));
                self.reports = 0;
            }
            _ => {}
        }
        self.last = done;
        let (since, before) = self.base?;
        if seconds < AFTER || seconds - since < MEASURED || self.reports < REPORTS {
            return None;
        }
        let root_seconds = (seconds - since) / done.saturating_sub(before).max(1) as f64;
        let expected = seconds + root_seconds * self.total.saturating_sub(done) as f64;
        if expected < LONG {
            return None;
        }
        self.told = true;
        Some(Outlook {
            seconds: expected,
            root_seconds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten looks a second at a search that has `done(seconds)` roots; when it spoke, and what it said.
    fn watch(
        total: usize,
        until: f64,
        done: impl Fn(f64) -> usize,
        silent: impl Fn(f64) -> bool,
    ) -> Option<(f64, Outlook)> {
        let mut forecast = Forecast::new(total);
        let mut said = None;
        for tick in 0..(10.0 * until) as usize {
            let seconds = tick as f64 / 10.0;
            if let Some(outlook) = forecast.tell(seconds, done(seconds), silent(seconds)) {
                assert!(said.is_none(), "once");
                said = Some((seconds, outlook));
            }
        }
        said
    }

    #[test]
    fn a_steady_long_run_is_told_of_after_ten_seconds() {
        let (when, outlook) = watch(1_000_000, 60.0, |s| (100.0 * s) as usize, |_| false).unwrap();
        assert!((when - AFTER).abs() < 0.2);
        assert!((outlook.seconds - 10_000.0).abs() < 100.0, "{outlook:?}");
        assert!((outlook.root_seconds - 0.01).abs() < 1e-4);
        assert_eq!(
            watch(300_000, 60.0, |s| (100.0 * s) as usize, |_| false),
            None
        );
    }

    #[test]
    fn batches_are_waited_for() {
        // Four thousand roots every eight seconds: a base, and three reports behind it.
        let batches = |s: f64| 4000 * (s / 8.0) as usize;
        let (when, outlook) = watch(4_000_000, 100.0, batches, |_| false).unwrap();
        assert!((when - 32.0).abs() < 0.2);
        assert!((outlook.seconds - 8000.0).abs() < 100.0, "{outlook:?}");
        // Sixteen workers that end their batches at about the same time are no high rate for long, and
        // never a low one.
        let together = |s: f64| {
            let round = (s / 30.0) as usize;
            let within = ((s - 30.0 * round as f64) * 10.0) as usize;
            if round == 0 {
                0
            } else {
                1024 * (round - 1) + 64 * within.clamp(1, 16)
            }
        };
        let said = watch(100_000, 200.0, together, |_| false);
        assert_eq!(said, None, "3000 s are not long");
    }

    #[test]
    fn a_device_that_comes_late_is_waited_for_but_not_for_ever() {
        // A worker alone would take 28 hours.
        let device = |s: f64| {
            (10.0 * s) as usize
                + if s < 20.0 {
                    0
                } else {
                    (1e4 * (s - 20.0)) as usize
                }
        };
        assert_eq!(watch(1_000_000, 100.0, device, |s| s < 20.0), None);
        let (when, _) = watch(1_000_000, 200.0, |s| (10.0 * s) as usize, |_| true).unwrap();
        assert!((when - PATIENCE - MEASURED).abs() < 0.3, "{when}");
    }

    #[test]
    fn roots_that_come_back_are_no_progress() {
        let failing = |s: f64| {
            if s < 8.0 {
                (1000.0 * s) as usize
            } else {
                (s - 8.0) as usize
            }
        };
        let (when, outlook) = watch(10_000, 60.0, failing, |_| false).unwrap();
        assert!(
            when > 12.0 && outlook.seconds > 8000.0,
            "{when} {outlook:?}"
        );
        assert_eq!(watch(1000, 60.0, |_| 0, |_| false), None);
    }
}
