//! Axes: ticks with their numbers, and lines across the chart.

use super::scale::Scale;
use super::{Anchor, Canvas, LINE, words};
use crate::app::page::number;

/// What the numbers of an axis count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Seconds, shown as µs, ms or s.
    Seconds,
    /// Things.
    Count,
    /// Parts, shown as percent.
    Share,
    /// Changes, shown as percent with a sign.
    Change,
    /// Numbers of any size.
    Number,
}

impl Unit {
    /// A number of this unit.
    pub fn show(self, value: f64) -> String {
        match self {
            Unit::Seconds => number::duration(value),
            Unit::Count => number::short(value),
            Unit::Share => format!("{:.0}%", 100.0 * value),
            Unit::Change => number::percent(value),
            Unit::Number => number::plain(value),
        }
    }
}

/// Height of the numbers below a chart.
pub const BELOW: f64 = LINE + 4.0;

/// Numbers below the chart, lines from `top` to `bottom`.
pub fn below(canvas: &mut Canvas, scale: &Scale, unit: Unit, (top, bottom): (f64, f64)) {
    let (start, end) = scale.ends();
    let most = ((end - start) / 80.0) as usize;
    let ticks = scale.ticks(most);
    numbers_below(canvas, scale, unit, &ticks, (top, bottom));
}

/// The same at these numbers.
pub fn numbers_below(
    canvas: &mut Canvas,
    scale: &Scale,
    unit: Unit,
    ticks: &[f64],
    (top, bottom): (f64, f64),
) {
    let mut taken = f64::NEG_INFINITY;
    for &tick in ticks {
        let x = scale.place(tick);
        canvas.line("grid", (x, top), (x, bottom));
        let text = unit.show(tick);
        let width = words::width(&text);
        // Within the canvas, and clear of the number before.
        let centre = x.clamp(width / 2.0, (canvas.units() - width / 2.0).max(width / 2.0));
        if centre - width / 2.0 > taken + 6.0 {
            canvas.text("tick", Anchor::Middle, (centre, bottom + LINE), &text);
            taken = centre + width / 2.0;
        }
    }
}

/// Numbers left of the chart, lines from `left` to `right`.
pub fn beside(canvas: &mut Canvas, scale: &Scale, unit: Unit, (left, right): (f64, f64)) {
    for tick in ticks_beside(scale) {
        let y = scale.place(tick);
        canvas.line("grid", (left, y), (right, y));
        canvas.text("tick", Anchor::End, (left - 8.0, y + 4.5), &unit.show(tick));
    }
}

/// How much room the numbers left of a chart take.
pub fn room_beside(scale: &Scale, unit: Unit) -> f64 {
    let widths = ticks_beside(scale).into_iter();
    widths
        .map(|tick| words::width(&unit.show(tick)))
        .fold(0.0, f64::max)
        + 12.0
}

fn ticks_beside(scale: &Scale) -> Vec<f64> {
    let (start, end) = scale.ends();
    scale.ticks(((end - start).abs() / 40.0) as usize)
}
