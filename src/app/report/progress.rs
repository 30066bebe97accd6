//! What a long command is doing: a bar of searches or a line with a spinner on a terminal, a line
//! a minute elsewhere.

use std::cell::Cell;
use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use indicatif::style::TemplateError;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::forecast::Outlook;
use brandes::report::words::{counted, rate, time_left};

/// What is over sooner is not shown.
pub(super) const QUIET_FOR: Duration = Duration::from_secs(1);
/// How often a spinner turns.
const TURN: Duration = Duration::from_millis(100);
/// Time between two lines where there is no terminal.
const PERIOD: Duration = Duration::from_secs(60);

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Shown {
    /// On a terminal from the first second on; elsewhere a line a minute from the first minute on
    #[default]
    Auto,
    /// The same from the start
    Always,
    /// Never
    Never,
    /// A line a minute on standard error, from the start
    Log,
}

impl Shown {
    /// Whether something is drawn on the terminal, and is drawn anew when it changes.
    fn draws(self) -> bool {
        matches!(self, Shown::Auto | Shown::Always) && stderr().is_terminal()
    }

    /// How long a command has to take before anything is shown of it.
    fn after(self, wait: Duration) -> Duration {
        match self {
            Shown::Auto => wait,
            _ => Duration::ZERO,
        }
    }
}

/// Lines where nothing is drawn: when the next one is due, and never again if that is `None`.
struct Log(Cell<Option<Duration>>);

impl Log {
    fn new(shown: Shown) -> Log {
        let first = shown.after(PERIOD);
        Log(Cell::new((shown != Shown::Never).then_some(first)))
    }

    /// Whether a line is due after so much time; then the next one is due a minute later.
    fn is_due(&self, time: Duration) -> bool {
        let due = self.0.get().is_some_and(|next| time >= next);
        if due {
            let minutes = time.as_secs() / PERIOD.as_secs() + 1;
            self.0.set(Some(PERIOD * minutes as u32));
        }
        due
    }
}

fn log(text: impl Display) {
    let _ = writeln!(stderr(), "brandes: {text}");
}

/// A line that says what a command is doing, with a spinner; gone when it is dropped.
pub struct Status {
    line: Option<ProgressBar>,
    log: Log,
    start: Instant,
}

impl Status {
    /// A line without text.
    pub fn new(shown: Shown) -> Status {
        Status::styled(shown, ProgressStyle::with_template("{spinner} {wide_msg}"))
    }

    /// The same in a style.
    pub(super) fn styled(shown: Shown, style: Result<ProgressStyle, TemplateError>) -> Status {
        let line = shown.draws().then(|| {
            let line = drawn(None, style);
            line.enable_steady_tick(TURN);
            line
        });
        Status {
            line,
            log: Log::new(shown),
            start: Instant::now(),
        }
    }

    /// Shows `text` from now on.
    pub fn tell(&self, text: impl FnOnce() -> String) {
        match &self.line {
            Some(line) => line.set_message(text()),
            None if self.log.is_due(self.start.elapsed()) => log(text()),
            None => {}
        }
    }

    /// Does something that writes to the terminal, with the line out of its way.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        aside(self.line.as_ref(), write)
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}

fn aside<T>(bar: Option<&ProgressBar>, write: impl FnOnce() -> T) -> T {
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Shows how many searches are done, how fast, and how long the rest will take.
pub struct Progress {
    start: Instant,
    total: usize,
    shown: Shown,
    draws: bool,
    bar: Option<ProgressBar>,
    log: Log,
}

impl Progress {
    /// A display for `total` roots.
    pub fn new(total: usize, shown: Shown) -> Self {
        Progress {
            start: Instant::now(),
            total,
            shown,
            draws: shown.draws(),
            bar: None,
            log: Log::new(shown),
        }
    }

    /// Tells how many roots are done, and what is to be expected.
    pub fn tell(&mut self, done: usize, outlook: Option<Outlook>) {
        let time = self.start.elapsed();
        if !self.draws {
            if self.log.is_due(time) {
                log(line(time, done, self.total, outlook));
            }
        } else if time >= self.shown.after(QUIET_FOR) {
            let bar = self.bar.get_or_insert_with(|| {
                let template = "{wide_bar} {human_pos} of {human_len} searches, {msg}";
                let style = ProgressStyle::with_template(template);
                drawn(Some(self.total as u64), style)
            });
            bar.set_message(pace(outlook));
            bar.set_position(done as u64);
        }
    }

    /// Does something that writes to the terminal, with the bar out of its way.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        aside(self.bar.as_ref(), write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// How far a search is, for a log.
fn line(time: Duration, done: usize, total: usize, outlook: Option<Outlook>) -> String {
    let percent = 100.0 * done as f64 / total.max(1) as f64;
    let rest = outlook.map_or("no rate yet".into(), |outlook| {
        let a_second = 1.0 / outlook.root_seconds.max(1e-12);
        format!("{a_second:.1} roots/s, {:.0} s left", outlook.left)
    });
    let total = counted(total, "search");
    format!(
        "{} s, {percent:.1}% of {total} done, {rest}",
        time.as_secs()
    )
}

/// How fast, and how long still.
fn pace(outlook: Option<Outlook>) -> String {
    let told = |outlook: Outlook| {
        let (rate, left) = (rate(outlook.root_seconds), time_left(outlook.left));
        format!("{rate}, {left}")
    };
    outlook.map_or("estimating".into(), told)
}

/// A bar on standard error.
fn drawn(length: Option<u64>, style: Result<ProgressStyle, TemplateError>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTLOOK: Outlook = Outlook {
        seconds: 400.0,
        left: 300.0,
        root_seconds: 1.0 / 12_540.168_6,
    };

    #[test]
    fn the_pace_is_claimed_only_where_it_is_known() {
        assert_eq!(pace(None), "estimating");
        assert_eq!(pace(Some(OUTLOOK)), "12,540/s, 5.0 min left");
    }

    #[test]
    fn a_log_has_a_line_a_minute() {
        let seconds = |shown| -> Vec<u64> {
            let log = Log::new(shown);
            let due = |&second: &u64| log.is_due(Duration::from_secs(second));
            (0..200).filter(due).collect()
        };
        assert_eq!(seconds(Shown::Auto), [60, 120, 180]);
        assert_eq!(seconds(Shown::Log), [0, 60, 120, 180]);
        assert_eq!(seconds(Shown::Never), [0; 0]);
        let log = Log::new(Shown::Auto);
        let due = [59, 150, 179, 180].map(|second| log.is_due(Duration::from_secs(second)));
        assert_eq!(due, [false, true, false, true]);
        let line = |outlook| line(Duration::from_secs(90), 125, 1000, outlook);
        assert_eq!(
            line(None),
            "90 s, 12.5% of 1,000 searches done, no rate yet"
        );
        assert_eq!(
            line(Some(OUTLOOK)),
            "90 s, 12.5% of 1,000 searches done, 12540.2 roots/s, 300 s left"
        );
    }
}
