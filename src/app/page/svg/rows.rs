//! Charts of one row per name: bars, boxes in time, and marks with whiskers, all on one scale.

use super::scale::Scale;
use super::{COLOURS, LINE, Show, Sign, Svg, WIDTH, axis, legend, mark, words};
use crate::app::bench::timing::Spread;

/// From here on rows are set closer.
const MANY: usize = 20;
/// A bar of any length is at least so wide, or it would not be seen.
const LEAST: f64 = 1.5;

/// A chart.
#[derive(Debug)]
pub struct Rows {
    /// What it shows, for those who do not see it.
    pub name: String,
    /// Signs and what they stand for.
    pub legend: Vec<(Sign, String)>,
    /// Which numbers the axis has.
    pub extent: Extent,
    /// How they are written.
    pub show: Show,
    /// From top to bottom.
    pub rows: Vec<Row>,
    /// Lines through all rows, with their names.
    pub moments: Vec<(f64, String)>,
}

/// Which numbers an axis has.
#[derive(Debug, Clone, Copy)]
pub enum Extent {
    /// From zero, or the smallest if it is negative, to a round number that holds all.
    All,
    /// From zero to this one; what reaches beyond is cut.
    To(f64),
    /// All, on a logarithmic scale.
    Log,
}

/// A row.
#[derive(Debug, Default)]
pub struct Row {
    /// Its name.
    pub label: String,
    /// What is drawn, from back to front, and the title of each, shown when pointed at.
    pub shapes: Vec<(Shape, String)>,
    /// Written where the shapes end.
    pub end: String,
}

/// What is drawn in a row.
#[derive(Debug)]
pub enum Shape {
    /// A box of this colour from a number to another one, with a text where there is room for it.
    Bar(usize, (f64, f64), String),
    /// The mark of this series with a whisker; hollow if it is less sure than others.
    Mark(usize, bool, Spread),
}

/// The colour of a bar, its length and its title.
type Bar = (usize, f64, String);

impl Row {
    /// A row of bars, each from the end of the one before.
    pub fn bars(label: &str, bars: impl IntoIterator<Item = Bar>, end: &str) -> Row {
        let mut sum = 0.0;
        let shape = |(colour, length, title): Bar| {
            let from = sum;
            sum += length.max(0.0);
            (Shape::Bar(colour, (from, sum), String::new()), title)
        };
        Row {
            label: label.into(),
            shapes: bars.into_iter().map(shape).collect(),
            end: end.into(),
        }
    }
}

impl Shape {
    /// All numbers that need a place on the axis.
    fn numbers(&self) -> [f64; 3] {
        match *self {
            Shape::Bar(_, (from, to), _) => [from, to, to],
            Shape::Mark(_, _, spread) => [spread.min, spread.median, spread.max],
        }
    }

    /// Draws it into a row that is so high and begins at a place. Returns where it ends.
    fn draw(
        &self,
        svg: &mut Svg,
        scale: &Scale,
        (left, y): (f64, f64),
        height: f64,
        title: &str,
    ) -> f64 {
        let [from, middle, to] = self.numbers().map(|number| scale.place(number));
        match self {
            Shape::Bar(colour, (begin, end), text) => {
                let (colour, x) = (colour % COLOURS, from.min(to));
                let least = if begin == end { 0.0 } else { LEAST };
                let width = (to - from).abs().max(least);
                svg.rect(&format!("part c{colour}"), (x, y), (width, height), title);
                if height >= LINE && words::width(text) + 8.0 < width {
                    let place = (x + 5.0, y + height / 2.0 + 4.5);
                    svg.text(&format!("on on{colour}"), "start", place, width, text);
                }
                x + width
            }
            Shape::Mark(_, _, spread) if !scale.holds(spread.median) => left,
            Shape::Mark(series, hollow, _) => {
                let y = y + height / 2.0;
                // Not where there is a zero that bars begin at.
                if !scale.holds(0.0) {
                    svg.line("guide", (left, y), (middle, y));
                }
                if from < to {
                    svg.line("whisker", (from, y), (to, y));
                    svg.line("whisker", (from, y - 5.0), (from, y + 5.0));
                    svg.line("whisker", (to, y - 5.0), (to, y + 5.0));
                }
                mark::draw(svg, *series, (middle, y), *hollow, title);
                to.max(middle) + 4.0
            }
        }
    }
}

impl Rows {
    /// A chart of these rows without a legend, on a scale that begins at zero.
    pub fn new(name: String, show: Show, rows: impl Iterator<Item = Row>) -> Rows {
        Rows {
            name,
            legend: Vec::new(),
            extent: Extent::All,
            show,
            rows: rows.collect(),
            moments: Vec::new(),
        }
    }

    /// Draws it.
    pub fn draw(&self) -> Svg {
        let mut svg = Svg::new(&self.name);
        let moments = legend::draw(&mut svg, &self.legend);
        let top = moments + LINE * self.moments.len() as f64 + 4.0;
        let label = words::widest(self.rows.iter().map(|row| &row.label)).min(0.36 * WIDTH);
        let end = words::widest(self.rows.iter().map(|row| &row.end)).min(0.4 * WIDTH);
        let (left, right) = (label + 10.0, WIDTH - end - 12.0);
        let shapes = self.rows.iter().flat_map(|row| &row.shapes);
        let numbers = shapes.flat_map(|(shape, _)| shape.numbers());
        let scale = match self.extent {
            Extent::All => Scale::linear(numbers, (left, right)),
            Extent::To(end) => Scale::exact(end, (left, right)),
            Extent::Log => Scale::log(numbers, 3.0, (left + 6.0, right - 6.0)),
        };
        let (bar, pitch) = match self.rows.len() > MANY {
            true => (11.0, 16.0),
            false => (18.0, 28.0),
        };
        let bottom = top + pitch * self.rows.len() as f64 + 2.0;
        let ticks = scale.ticks(((right - left) / 80.0) as usize);
        axis::below(&mut svg, &scale, self.show, &ticks, (top, bottom));
        for (index, row) in self.rows.iter().enumerate() {
            let y = top + pitch * index as f64 + (pitch - bar) / 2.0;
            let base = y + bar / 2.0 + 4.5;
            svg.text("", "end", (label, base), label, &row.label);
            let mut reach = left;
            for (shape, title) in &row.shapes {
                reach = reach.max(shape.draw(&mut svg, &scale, (left, y), bar, title));
            }
            let room = WIDTH - reach - 8.0;
            svg.text("value", "start", (reach + 8.0, base), room, &row.end);
        }
        let zero = scale.place(0.0);
        if scale.holds(0.0) && zero > left {
            svg.line("axis", (zero, top), (zero, bottom));
        }
        for (index, (moment, name)) in self.moments.iter().enumerate() {
            let (x, y) = (scale.place(*moment), moments + LINE * (index + 1) as f64);
            svg.line("moment", (x, y - 10.0), (x, bottom));
            // On the side where there is room.
            match words::width(name) <= WIDTH - x - 6.0 {
                true => svg.text("", "start", (x + 6.0, y), WIDTH, name),
                false => svg.text("", "end", (x - 6.0, y), x - 6.0, name),
            }
        }
        svg.height = bottom + axis::BELOW;
        svg
    }
}
