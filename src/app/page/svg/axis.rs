//! Axes: ticks with their numbers, and lines across the chart.

use super::scale::Scale;
use super::{LINE, Svg, WIDTH, words};

/// How the numbers of an axis are written.
pub type Show = fn(f64) -> String;

/// Height of the numbers below a chart.
pub const BELOW: f64 = LINE + 4.0;

/// Numbers below the chart at these ticks, lines from `top` to `bottom`.
pub fn below(svg: &mut Svg, scale: &Scale, show: Show, ticks: &[f64], (top, bottom): (f64, f64)) {
    let mut taken = f64::NEG_INFINITY;
    for &tick in ticks {
        let x = scale.place(tick);
        svg.line("grid", (x, top), (x, bottom));
        let text = show(tick);
        let half = words::width(&text) / 2.0;
        // Within the chart, and clear of the number before.
        let centre = x.clamp(half, (WIDTH - half).max(half));
        if centre - half > taken + 6.0 {
            svg.text("tick", "middle", (centre, bottom + LINE), WIDTH, &text);
            taken = centre + half;
        }
    }
}

/// Numbers left of the chart, lines from the numbers to `right`. Returns where the chart begins.
pub fn beside(svg: &mut Svg, scale: &Scale, show: Show, right: f64) -> f64 {
    let (start, end) = scale.ends;
    let ticks = scale.ticks(((end - start).abs() / 40.0) as usize);
    let texts: Vec<String> = ticks.iter().map(|&tick| show(tick)).collect();
    let left = words::widest(texts.iter()) + 12.0;
    for (tick, text) in ticks.into_iter().zip(texts) {
        let y = scale.place(tick);
        svg.line("grid", (left, y), (right, y));
        svg.text("tick", "end", (left - 8.0, y + 4.5), left, &text);
    }
    left
}
