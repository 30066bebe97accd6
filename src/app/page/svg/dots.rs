//! Dots with whiskers on a logarithmic scale, one below the other.

use super::legend::{self, Sign};
use super::rows::Rows;
use super::scale::Scale;
use super::{Canvas, Svg, Unit, Width, axis, mark};

/// A chart.
#[derive(Debug)]
pub struct Dots {
    /// What it shows, for those who do not see it.
    pub name: String,
    /// Marks (hollow or not) and what they stand for.
    pub legend: Vec<(usize, bool, String)>,
    /// From top to bottom.
    pub rows: Vec<Row>,
}

/// A row: seconds.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub label: String,
    /// Number of the mark and its colour.
    pub series: usize,
    /// Where the dot is; none: only what `end` says.
    pub value: Option<f64>,
    /// The ends of the whisker.
    pub range: (f64, f64),
    /// Whether the value is less sure than others.
    pub hollow: bool,
    /// Written right of it.
    pub end: String,
    /// Shown when pointed at.
    pub title: String,
}

impl Dots {
    /// Draws it.
    pub fn draw(&self, width: Width) -> Svg {
        let mut canvas = Canvas::new(width);
        let sign = |hollow| if hollow { Sign::Hollow } else { Sign::Mark };
        let signs = self.legend.iter();
        let signs: Vec<_> = signs
            .map(|(series, hollow, name)| (*series, sign(*hollow), name.as_str()))
            .collect();
        let top = legend::draw(&mut canvas, 0.0, &signs);
        let rows = Rows::new(
            &canvas,
            top,
            self.rows.iter().map(|row| row.label.as_str()),
            self.rows.iter().map(|row| row.end.as_str()),
        );
        let values = self.rows.iter();
        let values =
            values.filter_map(|row| row.value.map(|value| [value, row.range.0, row.range.1]));
        let scale = Scale::log(
            values.flatten(),
            3.0,
            (rows.ends.0 + 6.0, rows.ends.1 - 6.0),
        )
        .rounded();
        let bottom = rows.bottom(self.rows.len());
        axis::below(&mut canvas, &scale, Unit::Seconds, (top, bottom));
        for (index, row) in self.rows.iter().enumerate() {
            let Some(value) = row.value.filter(|value| scale.holds(*value)) else {
                rows.write(&mut canvas, index, &row.label, &row.end, rows.ends.0);
                continue;
            };
            let y = rows.y(index) + rows.bar / 2.0;
            let (from, to) = (scale.place(row.range.0), scale.place(row.range.1));
            canvas.line("guide", (rows.ends.0, y), (scale.place(value), y));
            if row.range.0 < row.range.1 {
                canvas.line("whisker", (from, y), (to, y));
                canvas.line("whisker", (from, y - 5.0), (from, y + 5.0));
                canvas.line("whisker", (to, y - 5.0), (to, y + 5.0));
            }
            mark::draw(
                &mut canvas,
                row.series,
                (scale.place(value), y),
                row.hollow,
                &row.title,
            );
            let end = to.max(scale.place(value)) + 4.0;
            rows.write(&mut canvas, index, &row.label, &row.end, end);
        }
        canvas.finish(bottom + axis::BELOW, &self.name)
    }
}
