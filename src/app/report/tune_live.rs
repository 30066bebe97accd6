//! The table of `brandes tune` as it grows, on a terminal only.

use std::io::{IsTerminal, stderr};

use indicatif::ProgressBar;

use super::columns::error_screen;
use super::progress::drawn;
use super::tune_table::table;
use super::words::counted;
use crate::app::tune::Track;

/// Rows shown: a screen has to hold them.
const ROWS: usize = 16;

/// Redrawn after every search, gone at the end.
pub struct TuneLive {
    bar: Option<ProgressBar>,
    budget: f64,
}

impl TuneLive {
    /// A display for so many seconds; never shows if not `wanted` or without a terminal.
    pub fn new(budget: f64, wanted: bool) -> Self {
        let shown = wanted && stderr().is_terminal();
        let bar = shown.then(|| {
            let bar = drawn(None, "{msg}");
            bar.set_message(format!("measuring for {budget:.0} s"));
            bar.tick();
            bar
        });
        TuneLive { bar, budget }
    }

    /// Shows what is known so far.
    pub fn tell(&mut self, tracks: &[Track], seconds: f64) {
        if let Some(bar) = &self.bar {
            let racing = tracks
                .iter()
                .filter(|t| t.dropped_after.is_none() && t.failure.is_none());
            bar.set_message(format!(
                "{}{seconds:.0} of {:.0} s; {} of {} left",
                table(tracks, None, ROWS, error_screen()),
                self.budget,
                racing.count(),
                counted(tracks.len(), "setting")
            ));
            bar.tick();
        }
    }
}

impl Drop for TuneLive {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
