//! Lines through points; both axes are logarithmic.

use super::scale::Scale;
use super::{COLOURS, LINE, Show, Sign, Svg, WIDTH, axis, legend, mark};
use crate::app::bench::timing::Spread;

/// Height of the part between the axes.
const HEIGHT: f64 = 300.0;

/// What an axis is of, and how its numbers are written.
pub type Axis<'n> = (&'n str, Show);

/// The name of a line and its points by x.
pub type Series = (String, Vec<Point>);

/// A point.
#[derive(Debug)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// Where, with the ends of a whisker.
    pub y: Spread,
    /// Whether y is less sure than others.
    pub hollow: bool,
    /// Shown when pointed at.
    pub title: String,
}

impl Point {
    /// A point without a whisker.
    pub fn new(x: f64, y: f64, title: String) -> Point {
        Point {
            x,
            y: Spread::one(y),
            hollow: false,
            title,
        }
    }
}

/// Draws those lines that have points, if there are any, in the order of the legend. The x axis has
/// numbers at `ticks`, or round ones where there are none.
pub fn draw(
    name: &str,
    (x_name, show_x): Axis,
    (y_name, show_y): Axis,
    ticks: &[f64],
    series: &[Series],
) -> Option<Svg> {
    let series = series.iter().filter(|(_, points)| !points.is_empty());
    let series: Vec<&Series> = series.collect();
    if series.is_empty() {
        return None;
    }
    let mut svg = Svg::new(name);
    let names = series.iter().map(|(name, _)| name.clone());
    let signs: Vec<_> = (0..).map(Sign::Mark).zip(names).collect();
    let top = legend::draw(&mut svg, &signs);
    svg.text("tick", "start", (0.0, top + 12.0), WIDTH, y_name);
    let (top, bottom) = (top + LINE + 10.0, top + LINE + 10.0 + HEIGHT);

    let points = || series.iter().flat_map(|(_, points)| points);
    let values = points().flat_map(|p| [p.y.min, p.y.median, p.y.max]);
    let y = Scale::log(values, 3.0, (bottom, top));
    let right = WIDTH - 14.0;
    let left = axis::beside(&mut svg, &y, show_y, right);
    let x = Scale::log(points().map(|p| p.x), 2.0, (left + 12.0, right - 8.0));
    let ticks = match ticks {
        [] => x.ticks(((right - left) / 60.0) as usize),
        ticks => ticks.to_vec(),
    };
    axis::below(&mut svg, &x, show_x, &ticks, (top, bottom));
    svg.line("axis", (left, bottom), (right, bottom));
    let below = bottom + axis::BELOW + LINE;
    svg.text("tick", "end", (right, below - 2.0), WIDTH, x_name);

    for (index, (_, points)) in series.iter().enumerate() {
        let held = |p: &&Point| x.holds(p.x) && y.holds(p.y.median);
        let points = points.iter().filter(held);
        let place = |p: &Point| (x.place(p.x), y.place(p.y.median));
        let places: Vec<_> = points.clone().map(place).collect();
        let class = format!("curve s{}", index % COLOURS);
        svg.path("polyline", &class, &places, "");
        for (point, at) in points.zip(places) {
            let (low, high) = (y.place(point.y.min), y.place(point.y.max));
            svg.line("whisker", (at.0, low), (at.0, high));
            mark::draw(&mut svg, index, at, point.hollow, &point.title);
        }
    }
    svg.height = below + 6.0;
    Some(svg)
}
