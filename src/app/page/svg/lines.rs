//! Lines through points.

use super::legend::{self, Sign};
use super::scale::Scale;
use super::{Anchor, COLOURS, Canvas, LINE, Svg, Unit, Width, axis, mark};

/// A chart; x is always logarithmic.
#[derive(Debug)]
pub struct Lines {
    /// What it shows, for those who do not see it.
    pub name: String,
    /// What x is, and what it counts.
    pub x: (String, Unit),
    /// Whether the ticks of x are powers of two.
    pub powers_of_two: bool,
    /// What y is, and what it counts.
    pub y: (String, Unit),
    /// Whether y is logarithmic; otherwise it begins at zero.
    pub log: bool,
    /// What a hollow mark means, if there is one.
    pub hollow: String,
    /// In the order of the legend.
    pub series: Vec<Series>,
}

/// A line.
#[derive(Debug)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// By x.
    pub points: Vec<Point>,
}

/// A point.
#[derive(Debug)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// Where.
    pub y: f64,
    /// The ends of the whisker.
    pub range: (f64, f64),
    /// Whether y is less sure than others.
    pub hollow: bool,
    /// Shown when pointed at.
    pub title: String,
}

impl Lines {
    fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| &series.points)
    }

    /// Draws it.
    pub fn draw(&self, width: Width) -> Svg {
        let mut canvas = Canvas::new(width);
        let names = self.series.iter().enumerate();
        let mut signs: Vec<_> = names
            .map(|(index, series)| (index, Sign::Mark, series.name.as_str()))
            .collect();
        if self.points().any(|point| point.hollow) {
            signs.push((0, Sign::Hollow, self.hollow.as_str()));
        }
        let top = legend::draw(&mut canvas, 0.0, &signs);
        canvas.text("tick", Anchor::Start, (0.0, top + 12.0), &self.y.0);
        let top = top + LINE + 10.0;
        let bottom = top + if canvas.narrow() { 220.0 } else { 300.0 };

        let values = self.points().flat_map(|p| [p.y, p.range.0, p.range.1]);
        let y = if self.log {
            Scale::log(values, 3.0, (bottom, top)).rounded()
        } else {
            Scale::linear(values, (bottom, top))
        };
        let left = axis::room_beside(&y, self.y.1);
        let right = canvas.units() - 14.0;
        let x = Scale::log(self.points().map(|p| p.x), 2.0, (left + 12.0, right - 8.0));
        axis::beside(&mut canvas, &y, self.y.1, (left, right));
        let most = ((right - left) / 60.0) as usize;
        let ticks = if self.powers_of_two {
            x.powers_of_two(most)
        } else {
            x.ticks(most)
        };
        axis::numbers_below(&mut canvas, &x, self.x.1, &ticks, (top, bottom));
        canvas.line("axis", (left, bottom), (right, bottom));
        let below = bottom + axis::BELOW + LINE;
        canvas.text("tick", Anchor::End, (right, below - 2.0), &self.x.0);

        for (index, series) in self.series.iter().enumerate() {
            let seen = series.points.iter();
            let seen: Vec<&Point> = seen.filter(|p| x.holds(p.x) && y.holds(p.y)).collect();
            let places: Vec<_> = seen.iter().map(|p| (x.place(p.x), y.place(p.y))).collect();
            if places.len() > 1 {
                canvas.path(&format!("curve s{}", index % COLOURS), &places, false, "");
            }
            for (point, &at) in seen.iter().zip(&places) {
                let (low, high) = point.range;
                if low < high {
                    canvas.line("whisker", (at.0, y.place(low)), (at.0, y.place(high)));
                }
                mark::draw(&mut canvas, index, at, point.hollow, &point.title);
            }
        }
        canvas.finish(below + 6.0, &self.name)
    }
}
