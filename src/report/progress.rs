//! A progress bar for runs of more than a second, on a terminal only.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A run that is over sooner shows no bar.
const QUIET_FOR: Duration = Duration::from_secs(1);

/// Shows how many roots are done, how fast, and how long the rest will take.
pub struct Progress {
    start: Instant,
    total: usize,
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A display for `total` roots; never shows if not `wanted` or without a terminal.
    pub fn new(total: usize, wanted: bool) -> Self {
        Progress {
            start: Instant::now(),
            total,
            wanted: wanted && stderr().is_terminal(),
            bar: None,
        }
    }

    /// Tells how many roots are done.
    pub fn tell(&mut self, done: usize) {
        if !self.wanted || self.start.elapsed() < QUIET_FOR {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(
                Some(self.total as u64),
                ProgressDrawTarget::stderr(),
            )
            .with_elapsed(self.start.elapsed());
            let template = "{wide_bar} {human_pos}/{human_len} roots, {per_sec}, {eta} left";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar
        });
        bar.set_position(done as u64);
    }

    /// Does something that writes to the terminal, with the bar out of its way.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
