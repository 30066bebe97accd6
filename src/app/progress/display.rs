//! Progress of a long command: a bar or a line with a spinner on a terminal, a line per minute
//! elsewhere.

use std::cell::Cell;
use std::io::{Write, stderr};
use std::time::{Duration, Instant};

use indicatif::style::TemplateError;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::forecast::{Forecast, Pace};
use brandes::report::words::{counted, rate, time_left};

/// The time after which a command shows progress.
pub(super) const QUIET_FOR: Duration = Duration::from_secs(1);
/// The period of a spinner.
const SPINNER_PERIOD: Duration = Duration::from_millis(100);
/// The time between two lines of a log.
const LOG_PERIOD: Duration = Duration::from_secs(60);

/// The ways to show progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ProgressMode {
    /// On a terminal from the first second on; elsewhere a line a minute from the first minute on
    #[default]
    Auto,
    /// Like auto, but from the start
    Always,
    /// Never
    Never,
    /// A line a minute on standard error, from the start
    Log,
}

impl ProgressMode {
    /// Returns the time before progress is first shown: `wait` in mode auto, otherwise none.
    fn delay(self, wait: Duration) -> Duration {
        match self {
            ProgressMode::Auto => wait,
            _ => Duration::ZERO,
        }
    }
}

/// A line on the terminal that says what a command is doing, removed on drop. Without a terminal,
/// the texts go to a log.
pub struct Status {
    /// The line, hidden without a terminal.
    bar: ProgressBar,
    start: Instant,
    /// When the next line of the log is due; `None` for no log.
    next_line: Cell<Option<Duration>>,
}

impl Status {
    /// Shows a line with a spinner, without text.
    pub fn new(mode: ProgressMode) -> Status {
        let style = ProgressStyle::with_template("{spinner} {wide_msg}");
        Status::styled(mode, style).animated()
    }

    /// Redraws the line periodically, not only when its content changes.
    pub(super) fn animated(self) -> Status {
        if !self.bar.is_hidden() {
            self.bar.enable_steady_tick(SPINNER_PERIOD);
        }
        self
    }

    /// Shows a line in a style.
    pub(super) fn styled(
        mode: ProgressMode,
        style: Result<ProgressStyle, TemplateError>,
    ) -> Status {
        let target = match mode {
            ProgressMode::Auto | ProgressMode::Always => ProgressDrawTarget::stderr(),
            ProgressMode::Never | ProgressMode::Log => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        Status {
            bar: style.into_iter().fold(bar, ProgressBar::with_style),
            start: Instant::now(),
            next_line: Cell::new((mode != ProgressMode::Never).then(|| mode.delay(LOG_PERIOD))),
        }
    }

    /// Replaces the text.
    pub fn show(&self, text: impl FnOnce() -> String) {
        match self.bar.is_hidden() {
            true => self.log(text),
            false => self.bar.set_message(text()),
        }
    }

    fn log(&self, text: impl FnOnce() -> String) {
        if self.is_due(self.start.elapsed()) {
            let _ = writeln!(stderr(), "brandes: {}", text());
        }
    }

    /// Returns whether a line is due at `time`; the next one is then due a minute later.
    fn is_due(&self, time: Duration) -> bool {
        let is_due = self.next_line.get().is_some_and(|next| time >= next);
        if is_due {
            let minutes = time.as_secs() / LOG_PERIOD.as_secs() + 1;
            self.next_line.set(Some(LOG_PERIOD * minutes as u32));
        }
        is_due
    }

    /// Hides the line while `write` writes to the terminal.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Shows the number of searches done, their rate, and the time left.
pub struct SearchBar {
    /// The time before the bar is shown.
    delay: Duration,
    /// The line of the bar.
    pub status: Status,
    forecast: Forecast,
}

impl SearchBar {
    /// Shows the progress of a search.
    pub fn new(mode: ProgressMode) -> Self {
        let template = "{wide_bar} {human_pos} of {human_len} searches, {msg}";
        SearchBar {
            delay: mode.delay(QUIET_FOR),
            status: Status::styled(mode, ProgressStyle::with_template(template)),
            forecast: Forecast::default(),
        }
    }

    /// Shows the progress.
    pub fn show(&mut self, so_far: &brandes::Progress) {
        let counts = (so_far.done, so_far.roots);
        let seconds = so_far.began.elapsed().as_secs_f64();
        self.forecast.update(seconds, counts, so_far.awaits_devices);
        let (time, bar) = (self.status.start.elapsed(), &self.status.bar);
        let within = |half| format!(", scores within {half:.1e}");
        let pace = words(self.forecast.pace) + &so_far.half_width.map_or("".into(), within);
        if bar.is_hidden() {
            self.status.log(|| line(time, counts, &pace));
        } else if time >= self.delay {
            bar.set_length(so_far.roots as u64);
            bar.set_message(pace);
            bar.set_position(so_far.done as u64);
        }
    }
}

/// Returns the progress of a search as a line of a log.
fn line(time: Duration, (done, total): (usize, usize), pace: &str) -> String {
    let percent = 100.0 * done as f64 / total.max(1) as f64;
    let (seconds, total) = (time.as_secs(), counted(total, "search"));
    format!("{seconds} s, {percent:.1}% of {total} done, {pace}")
}

/// Returns the rate and the time left.
fn words(pace: Option<Pace>) -> String {
    let words = |pace: Pace| format!("{}, {}", rate(pace.root_seconds), time_left(pace.left));
    pace.map_or("estimating".into(), words)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace {
        left: 300.0,
        root_seconds: 1.0 / 12_540.168_6,
    };

    #[test]
    fn the_rate_is_shown_once_it_is_known() {
        assert_eq!(words(None), "estimating");
        assert_eq!(words(Some(PACE)), "12,540/s, 5.0 min left");
    }

    #[test]
    fn a_log_has_a_line_a_minute() {
        let seconds = |mode| -> Vec<u64> {
            let status = Status::new(mode);
            let due = |&second: &u64| status.is_due(Duration::from_secs(second));
            (0..200).filter(due).collect()
        };
        assert_eq!(seconds(ProgressMode::Auto), [60, 120, 180]);
        assert_eq!(seconds(ProgressMode::Log), [0, 60, 120, 180]);
        assert_eq!(seconds(ProgressMode::Never), [0; 0]);
        let status = Status::new(ProgressMode::Auto);
        let due = [59, 150, 179, 180].map(|second| status.is_due(Duration::from_secs(second)));
        assert_eq!(due, [false, true, false, true]);
        assert_eq!(
            line(Duration::from_secs(90), (125, 1000), "estimating"),
            "90 s, 12.5% of 1,000 searches done, estimating"
        );
    }
}
