//! The legend above a chart.

use super::{Anchor, COLOURS, Canvas, LINE, mark, words};

/// What stands for a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A box of its colour.
    Box,
    /// Its mark.
    Mark,
    /// Its mark, hollow.
    Hollow,
}

/// Draws names with their signs, row by row; `y` is the top. Returns where it ends.
pub fn draw(canvas: &mut Canvas, y: f64, entries: &[(usize, Sign, &str)]) -> f64 {
    let (sign, gap) = (20.0, 18.0);
    let (mut x, mut y) = (0.0, y + LINE);
    for &(series, kind, name) in entries {
        let room = canvas.units() - sign;
        let width = sign + words::width(name).min(room);
        if x > 0.0 && x + width > canvas.units() {
            (x, y) = (0.0, y + LINE + 2.0);
        }
        match kind {
            Sign::Box => {
                let class = format!("c{}", series % COLOURS);
                canvas.rect(&class, (x, y - 11.0), (13.0, 13.0), "");
            }
            Sign::Mark | Sign::Hollow => {
                let hollow = kind == Sign::Hollow;
                mark::draw(canvas, series, (x + 6.5, y - 4.5), hollow, "");
            }
        }
        canvas.label("", Anchor::Start, (x + sign, y), room, name);
        x += width + gap;
    }
    if entries.is_empty() {
        y - LINE
    } else {
        y + 10.0
    }
}
