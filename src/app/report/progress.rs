//! What a long command is doing, shown on a terminal only: a bar of searches, or a line with a
//! spinner.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::style::TemplateError;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::forecast::Outlook;
use brandes::report::words::{rate, time_left};

/// What is over sooner is not shown.
pub(super) const QUIET_FOR: Duration = Duration::from_secs(1);
/// How often a spinner turns.
const TURN: Duration = Duration::from_millis(100);

/// A line that says what a command is doing, with a spinner; gone when it is dropped.
pub struct Status(Option<ProgressBar>);

impl Status {
    /// A line without text; never shows if not `wanted` or without a terminal.
    pub fn new(wanted: bool) -> Status {
        Status::styled(wanted, ProgressStyle::with_template("{spinner} {wide_msg}"))
    }

    /// The same in a style.
    pub(super) fn styled(wanted: bool, style: Result<ProgressStyle, TemplateError>) -> Status {
        let line = (wanted && stderr().is_terminal()).then(|| {
            let line = drawn(None, style);
            line.enable_steady_tick(TURN);
            line
        });
        Status(line)
    }

    /// Shows `text` from now on.
    pub fn tell(&self, text: impl FnOnce() -> String) {
        if let Some(line) = &self.0 {
            line.set_message(text());
        }
    }

    /// Does something that writes to the terminal, with the line out of its way.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(line) => line.suspend(write),
            None => write(),
        }
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        if let Some(line) = &self.0 {
            line.finish_and_clear();
        }
    }
}

/// Shows how many searches are done, how fast, and how long the rest will take.
pub struct Progress {
    start: Instant,
    total: usize,
    wanted: bool,
    bar: Status,
}

impl Progress {
    /// A display for `total` roots; never shows if not `wanted` or without a terminal.
    pub fn new(total: usize, wanted: bool) -> Self {
        Progress {
            start: Instant::now(),
            total,
            wanted: wanted && stderr().is_terminal(),
            bar: Status(None),
        }
    }

    /// Tells how many roots are done, and what is to be expected.
    pub fn tell(&mut self, done: usize, outlook: Option<Outlook>) {
        if !self.wanted || self.start.elapsed() < QUIET_FOR {
            return;
        }
        let bar = self.bar.0.get_or_insert_with(|| {
            let template = "{wide_bar} {human_pos} of {human_len} searches, {msg}";
            let style = ProgressStyle::with_template(template);
            drawn(Some(self.total as u64), style)
        });
        bar.set_message(pace(outlook));
        bar.set_position(done as u64);
    }

    /// Does something that writes to the terminal, with the bar out of its way.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.aside(write)
    }
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

    #[test]
    fn the_pace_is_claimed_only_where_it_is_known() {
        assert_eq!(pace(None), "estimating");
        let outlook = Outlook {
            seconds: 400.0,
            left: 300.0,
            root_seconds: 1.0 / 12_540.168_6,
        };
        assert_eq!(pace(Some(outlook)), "12,540/s, 5.0 min left");
    }
}
