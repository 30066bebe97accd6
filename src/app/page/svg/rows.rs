//! Charts of one row per name: where labels, bars and the texts at their ends go.

use super::{Anchor, Canvas, LINE, words};

/// From here on rows are set closer.
const MANY: usize = 20;

/// The places of all rows.
#[derive(Debug)]
pub struct Rows {
    /// Labels stand above their bars, for want of width.
    above: bool,
    top: f64,
    pitch: f64,
    /// Height of a bar.
    pub bar: f64,
    /// Where bars begin and may end.
    pub ends: (f64, f64),
    canvas: f64,
}

impl Rows {
    /// Rows from `top` downwards, with these labels and these texts at the ends of bars.
    pub fn new<'t>(
        canvas: &Canvas,
        top: f64,
        labels: impl Iterator<Item = &'t str>,
        ends: impl Iterator<Item = &'t str>,
    ) -> Rows {
        let widths: Vec<f64> = labels.map(words::width).collect();
        let label = widths.iter().fold(0f64, |a, &b| a.max(b));
        let end = ends.map(words::width).fold(0f64, f64::max);
        let units = canvas.units();
        let many = widths.len() > MANY;
        // Short labels leave a bar room beside them even on a phone.
        let above = canvas.narrow() && label > 0.25 * units;
        let (start, stop, bar) = if above {
            (0.0, units, 12.0)
        } else {
            let label = label.min(0.36 * units);
            let end = end.min(0.4 * units);
            let right = units - end - if end > 0.0 { 8.0 } else { 0.0 };
            (label + 10.0, right, if many { 11.0 } else { 18.0 })
        };
        let pitch = match (above, many) {
            (true, _) => LINE + bar + 12.0,
            (false, true) => 16.0,
            (false, false) => 28.0,
        };
        Rows {
            above,
            top,
            pitch,
            bar,
            ends: (start, stop),
            canvas: units,
        }
    }

    /// Top of the bar of a row.
    pub fn y(&self, row: usize) -> f64 {
        let within = if self.above {
            LINE + 3.0
        } else {
            (self.pitch - self.bar) / 2.0
        };
        self.top + self.pitch * row as f64 + within
    }

    /// Below the last of so many rows.
    pub fn bottom(&self, rows: usize) -> f64 {
        self.top + self.pitch * rows as f64 + 2.0
    }

    /// Writes the label of a row, and its text where the bar ends at `x`.
    pub fn write(&self, canvas: &mut Canvas, row: usize, label: &str, end: &str, x: f64) {
        let bar = self.y(row);
        if self.above {
            let room = self.canvas - words::width(end) - 10.0;
            canvas.label("", Anchor::Start, (0.0, bar - 5.0), room, label);
            canvas.text("value", Anchor::End, (self.canvas, bar - 5.0), end);
        } else {
            let y = bar + self.bar / 2.0 + 4.5;
            let room = self.ends.0 - 10.0;
            canvas.label("", Anchor::End, (room, y), room, label);
            let room = self.canvas - x - 8.0;
            canvas.label("value", Anchor::Start, (x + 8.0, y), room, end);
        }
    }
}
