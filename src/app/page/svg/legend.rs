//! The legend above a chart.

use super::{COLOURS, LINE, Svg, WIDTH, mark, words};

/// What stands for a series, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A box of its colour.
    Box(usize),
    /// Its mark.
    Mark(usize),
}

/// Draws names with their signs, row by row. Returns where the legend ends.
pub fn draw(svg: &mut Svg, entries: &[(Sign, String)]) -> f64 {
    let (sign, gap) = (20.0, 18.0);
    let (mut x, mut y) = (0.0, LINE);
    for (kind, name) in entries {
        let room = WIDTH - sign;
        let width = sign + words::width(name).min(room);
        if x > 0.0 && x + width > WIDTH {
            (x, y) = (0.0, y + LINE + 2.0);
        }
        match *kind {
            Sign::Mark(series) => mark::draw(svg, series, (x + 6.5, y - 4.5), false, ""),
            Sign::Box(colour) => {
                let class = format!("c{}", colour % COLOURS);
                svg.rect(&class, (x, y - 11.0), (13.0, 13.0), "");
            }
        }
        svg.text("", "start", (x + sign, y), room, name);
        x += width + gap;
    }
    if entries.is_empty() { 0.0 } else { y + 10.0 }
}
