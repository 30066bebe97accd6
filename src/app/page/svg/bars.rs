//! Bars of one or more parts, one below the other.

use super::legend::{self, Sign};
use super::rows::Rows;
use super::scale::Scale;
use super::{COLOURS, Canvas, Svg, Unit, Width, axis};

/// A chart.
#[derive(Debug)]
pub struct Bars {
    /// What it shows, for those who do not see it.
    pub name: String,
    /// Colours and what they stand for.
    pub legend: Vec<(usize, String)>,
    /// What is counted.
    pub unit: Unit,
    /// From top to bottom.
    pub rows: Vec<Row>,
}

/// A bar.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub label: String,
    /// From left to right.
    pub parts: Vec<Part>,
    /// Written where it ends.
    pub end: String,
}

/// A part of a bar.
#[derive(Debug)]
pub struct Part {
    /// Number of the colour.
    pub colour: usize,
    /// How long it is.
    pub value: f64,
    /// Shown when pointed at.
    pub title: String,
}

impl Bars {
    /// Draws it.
    pub fn draw(&self, width: Width) -> Svg {
        let mut canvas = Canvas::new(width);
        let signs = self.legend.iter();
        let signs: Vec<_> = signs
            .map(|(colour, name)| (*colour, Sign::Box, name.as_str()))
            .collect();
        let top = legend::draw(&mut canvas, 0.0, &signs);
        let rows = Rows::new(
            &canvas,
            top,
            self.rows.iter().map(|row| row.label.as_str()),
            self.rows.iter().map(|row| row.end.as_str()),
        );
        let total = |row: &Row| -> f64 { row.parts.iter().map(|part| part.value.max(0.0)).sum() };
        let scale = if self.unit == Unit::Share {
            Scale::exact(1.0, rows.ends)
        } else {
            Scale::linear(self.rows.iter().map(total), rows.ends)
        };
        let bottom = rows.bottom(self.rows.len());
        axis::below(&mut canvas, &scale, self.unit, (top, bottom));
        for (index, row) in self.rows.iter().enumerate() {
            let y = rows.y(index);
            let mut sum = 0.0;
            for part in &row.parts {
                let from = scale.place(sum);
                sum += part.value.max(0.0);
                let class = format!("part c{}", part.colour % COLOURS);
                let size = (scale.place(sum) - from, rows.bar);
                canvas.rect(&class, (from, y), size, &part.title);
            }
            rows.write(&mut canvas, index, &row.label, &row.end, scale.place(sum));
        }
        canvas.finish(bottom + axis::BELOW, &self.name)
    }
}
