//! Charts as SVG, written by hand: an element for each box, line and text, scales and axes, and a
//! file per kind of chart. Colours are classes, which `chart.css` gives values for light and dark.

mod axis;
mod legend;
pub mod lines;
mod mark;
pub mod rows;
mod scale;
mod words;

use std::fmt::Write;

use super::escape;
pub use axis::Show;
pub use legend::Sign;

/// Colours and lines of charts: once in a page, and in every chart that is a file of its own.
pub const STYLE: &str = include_str!("chart.css");
/// How many colours `chart.css` has; further series take them again, with other marks.
const COLOURS: usize = 7;
/// The colour of what has no name of its own.
pub const GREY: usize = 6;
/// Width of every chart, in user units. Browsers scale it.
const WIDTH: f64 = 720.0;
/// From one line of text to the next.
const LINE: f64 = 18.0;
/// Around a chart that is a file of its own.
const MARGIN: f64 = 14.0;

/// A chart, drawn element by element.
#[derive(Debug)]
pub struct Svg {
    /// What it shows, for those who do not see it.
    name: String,
    height: f64,
    body: String,
}

// Writing to a String cannot fail.
impl Svg {
    /// A chart without elements.
    fn new(name: &str) -> Svg {
        Svg {
            name: escape(name),
            height: 0.0,
            body: String::new(),
        }
    }

    /// A box; `title` is shown when pointed at, as with all elements that have one.
    fn rect(&mut self, class: &str, (x, y): (f64, f64), (w, h): (f64, f64), title: &str) {
        let places = [("x", x), ("y", y), ("width", w), ("height", h)];
        self.element("rect", class, &places, title);
    }

    fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let places = [("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2)];
        self.element("line", class, &places, "");
    }

    fn circle(&mut self, class: &str, (cx, cy): (f64, f64), r: f64, title: &str) {
        self.element("circle", class, &[("cx", cx), ("cy", cy), ("r", r)], title);
    }

    /// A `polygon`, or the `polyline` through points.
    fn path(&mut self, tag: &str, class: &str, points: &[(f64, f64)], title: &str) {
        let _ = write!(self.body, "<{tag} class=\"{class}\" points=\"");
        for &(x, y) in points {
            let _ = write!(self.body, "{},{} ", units(x), units(y));
        }
        self.body.push('"');
        self.close(tag, title);
    }

    fn element(&mut self, tag: &str, class: &str, places: &[(&str, f64)], title: &str) {
        let _ = write!(self.body, "<{tag} class=\"{class}\"");
        for &(name, place) in places {
            let _ = write!(self.body, " {name}=\"{}\"", units(place));
        }
        self.close(tag, title);
    }

    fn close(&mut self, tag: &str, title: &str) {
        let _ = match title {
            "" => writeln!(self.body, "/>"),
            _ => writeln!(self.body, "><title>{}</title></{tag}>", escape(title)),
        };
    }

    /// A text with its `anchor` (`start`, `middle` or `end`) at a place; cut to `room`, and then
    /// whole when pointed at.
    fn text(&mut self, class: &str, anchor: &str, (x, y): (f64, f64), room: f64, text: &str) {
        let cut = words::cut(text, room);
        let (x, y, shown) = (units(x), units(y), escape(&cut));
        let _ = write!(
            self.body,
            "<text class=\"{class}\" text-anchor=\"{anchor}\" x=\"{x}\" y=\"{y}\">{shown}"
        );
        if cut != text {
            let _ = write!(self.body, "<title>{}</title>", escape(text));
        }
        self.body.push_str("</text>\n");
    }

    /// As a part of a page, which has the style once for all.
    pub fn inline(&self) -> String {
        let (name, height, body) = (&self.name, units(self.height), &self.body);
        format!(
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             aria-label=\"{name}\">\n{body}</svg>\n"
        )
    }

    /// As a file of its own.
    pub fn file(&self) -> String {
        // Beside a page's text, and on paper of its own colour, it needs a margin.
        let (from, width) = (-MARGIN, WIDTH + 2.0 * MARGIN);
        let height = units(self.height + 2.0 * MARGIN);
        let (name, body) = (&self.name, &self.body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"{from} {from} {width} {height}\" role=\"img\" \
             aria-label=\"{name}\">\n<title>{name}</title>\n<style>\n{STYLE}</style>\n\
             <rect class=\"paper\" x=\"{from}\" y=\"{from}\" width=\"{width}\" \
             height=\"{height}\"/>\n{body}</svg>\n"
        )
    }
}

/// A coordinate to be written: a tenth of a user unit is more than eyes see. Always a number, and
/// not -0.
fn units(place: f64) -> f64 {
    let place = (place * 10.0).round() / 10.0;
    if place.is_finite() { place + 0.0 } else { 0.0 }
}
