//! Changes in percent: a bar to their mean from zero, a dot for each, and a figure to compare with.

use super::legend::{self, Sign};
use super::rows::Rows;
use super::scale::Scale;
use super::{Canvas, Svg, Unit, Width, axis, mark};

/// Colours and marks: of the mean, of single changes, of what they are compared with.
const MEAN: usize = 0;
const OTHER: usize = 3;

/// A chart.
#[derive(Debug)]
pub struct Changes {
    /// What it shows, for those who do not see it.
    pub name: String,
    /// What the bars are.
    pub bars: String,
    /// What the figures to compare with are; they have no legend if no row has one.
    pub others: String,
    /// From top to bottom.
    pub rows: Vec<Row>,
}

/// A row.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub label: String,
    /// Mean of the changes, -0.38 for -38%; none: only what `end` says.
    pub mean: Option<f64>,
    /// Each change, and what is shown when it is pointed at.
    pub each: Vec<(f64, String)>,
    /// Mean and standard deviation to compare with.
    pub other: Option<(f64, f64)>,
    /// Written at its right.
    pub end: String,
}

impl Changes {
    /// Draws it.
    pub fn draw(&self, width: Width) -> Svg {
        let mut canvas = Canvas::new(width);
        let several = self.rows.iter().any(|row| row.each.len() > 1);
        let mut signs = vec![(MEAN, Sign::Box, self.bars.as_str())];
        if several {
            signs.push((MEAN, Sign::Hollow, "one graph"));
        }
        if self.rows.iter().any(|row| row.other.is_some()) {
            signs.push((OTHER, Sign::Mark, self.others.as_str()));
        }
        let top = legend::draw(&mut canvas, 0.0, &signs);
        let rows = Rows::new(
            &canvas,
            top,
            self.rows.iter().map(|row| row.label.as_str()),
            self.rows.iter().map(|row| row.end.as_str()),
        );
        let values = self.rows.iter().flat_map(|row| {
            let other = row.other.map(|(mean, sd)| [mean - sd, mean + sd]);
            let each = row.each.iter().map(|(change, _)| *change);
            each.chain(row.mean).chain(other.into_iter().flatten())
        });
        let scale = Scale::linear(values, rows.ends);
        let bottom = rows.bottom(self.rows.len());
        axis::below(&mut canvas, &scale, Unit::Change, (top, bottom));
        let zero = scale.place(0.0);
        for (index, row) in self.rows.iter().enumerate() {
            let (y, half) = (rows.y(index), rows.bar / 2.0);
            if let Some(mean) = row.mean {
                let x = scale.place(mean);
                let title = format!("{}: {}", row.label, Unit::Change.show(mean));
                let corner = (x.min(zero), y);
                let class = format!("part c{MEAN}");
                canvas.rect(&class, corner, ((x - zero).abs(), rows.bar), &title);
            }
            if several {
                for (change, title) in &row.each {
                    let at = (scale.place(*change), y + half);
                    mark::draw(&mut canvas, MEAN, at, true, title);
                }
            }
            if let Some((mean, sd)) = row.other {
                let (from, to) = (scale.place(mean - sd), scale.place(mean + sd));
                canvas.line("whisker", (from, y + half), (to, y + half));
                let title = format!(
                    "{}: {} ± {:.0}%",
                    self.others,
                    Unit::Change.show(mean),
                    100.0 * sd
                );
                mark::draw(
                    &mut canvas,
                    OTHER,
                    (scale.place(mean), y + half),
                    false,
                    &title,
                );
            }
            rows.write(&mut canvas, index, &row.label, &row.end, rows.ends.1);
        }
        canvas.line("axis", (zero, top), (zero, bottom));
        canvas.finish(bottom + axis::BELOW, &self.name)
    }
}
