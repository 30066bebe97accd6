//! Charts as SVG, written by hand: a canvas of boxes, lines and texts, scales and axes, and a file
//! per kind of chart. Colours are classes, which `chart.css` gives values for light and dark.

mod axis;
pub mod bars;
pub mod changes;
pub mod dots;
pub mod gantt;
mod legend;
pub mod lines;
mod mark;
mod rows;
mod scale;
mod words;

use std::fmt::Write;

use super::escape;
pub use axis::Unit;

/// How many colours `chart.css` has; further series take them again, with other marks.
pub const COLOURS: usize = 7;
/// The colour of what has no name of its own.
pub const GREY: usize = 6;
/// Size of all text, in user units.
const TEXT: f64 = 13.0;
/// From one line of text to the next.
const LINE: f64 = 18.0;
/// Around a chart that is a file of its own.
const MARGIN: f64 = 14.0;

/// Every chart is drawn twice, and the page shows the one that fits: text would become illegible if
/// a wide chart were scaled down to a phone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// For windows from 640 pixels.
    Wide,
    /// For phones.
    Narrow,
}

impl Width {
    /// In user units.
    pub fn units(self) -> f64 {
        match self {
            Width::Wide => 800.0,
            Width::Narrow => 360.0,
        }
    }

    fn class(self) -> &'static str {
        match self {
            Width::Wide => "wide",
            Width::Narrow => "narrow",
        }
    }
}

/// Where a text begins, or what is at its place.
#[derive(Debug, Clone, Copy)]
enum Anchor {
    Start,
    Middle,
    End,
}

/// An SVG that is being drawn.
#[derive(Debug)]
pub struct Canvas {
    width: Width,
    body: String,
}

// Writing to a String cannot fail.
impl Canvas {
    fn new(width: Width) -> Canvas {
        Canvas {
            width,
            body: String::new(),
        }
    }

    fn units(&self) -> f64 {
        self.width.units()
    }

    fn narrow(&self) -> bool {
        self.width == Width::Narrow
    }

    /// A box; `title` is shown when pointed at.
    fn rect(&mut self, class: &str, (x, y): (f64, f64), (w, h): (f64, f64), title: &str) {
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            Units(x),
            Units(y),
            Units(w.max(0.0)),
            Units(h.max(0.0))
        );
        self.close("rect", title);
    }

    fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let _ = writeln!(
            self.body,
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            Units(x1),
            Units(y1),
            Units(x2),
            Units(y2)
        );
    }

    /// A polygon, or a line through points if the class fills nothing.
    fn path(&mut self, class: &str, points: &[(f64, f64)], closed: bool, title: &str) {
        let _ = write!(self.body, "<path class=\"{class}\" d=\"");
        for (index, &(x, y)) in points.iter().enumerate() {
            let step = if index == 0 { 'M' } else { 'L' };
            let _ = write!(self.body, "{step}{} {}", Units(x), Units(y));
        }
        self.body.push_str(if closed { "Z\"" } else { "\"" });
        self.close("path", title);
    }

    fn circle(&mut self, class: &str, (x, y): (f64, f64), r: f64, title: &str) {
        let _ = write!(
            self.body,
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"",
            Units(x),
            Units(y),
            Units(r)
        );
        self.close("circle", title);
    }

    fn text(&mut self, class: &str, anchor: Anchor, (x, y): (f64, f64), text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let class = match class {
            "" => String::new(),
            class => format!(" class=\"{class}\""),
        };
        let _ = writeln!(
            self.body,
            "<text{class}{anchor} x=\"{}\" y=\"{}\">{}</text>",
            Units(x),
            Units(y),
            escape(text)
        );
    }

    /// A text cut to `room`, whole when pointed at.
    fn label(&mut self, class: &str, anchor: Anchor, at: (f64, f64), room: f64, text: &str) {
        let cut = words::cut(text, room);
        if cut == text {
            self.text(class, anchor, at, text);
            return;
        }
        let _ = write!(self.body, "<g><title>{}</title>", escape(text));
        self.text(class, anchor, at, &cut);
        self.body.push_str("</g>\n");
    }

    fn close(&mut self, tag: &str, title: &str) {
        if title.is_empty() {
            self.body.push_str("/>\n");
        } else {
            let _ = writeln!(self.body, "><title>{}</title></{tag}>", escape(title));
        }
    }

    /// The whole element; `name` is what those are told who do not see it.
    fn finish(self, height: f64, name: &str) -> Svg {
        Svg {
            width: self.width,
            height,
            name: escape(name),
            body: self.body,
        }
    }
}

/// A chart that is drawn.
#[derive(Debug)]
pub struct Svg {
    width: Width,
    height: f64,
    name: String,
    body: String,
}

impl Svg {
    /// As a part of a page, which has the style once for all.
    pub fn inline(&self) -> String {
        format!(
            "<svg class=\"chart {}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
            self.width.class(),
            Units(self.width.units()),
            Units(self.height),
            self.name,
            self.body
        )
    }

    /// As a file of its own.
    pub fn file(&self) -> String {
        // Beside a page's text, and on paper of its own colour, it needs a margin.
        let (from, width) = (Units(-MARGIN), Units(self.width.units() + 2.0 * MARGIN));
        let height = Units(self.height + 2.0 * MARGIN);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"{from} {from} {width} {height}\" role=\"img\" \
             aria-label=\"{name}\">\n<title>{name}</title>\n<style>\n{style}</style>\n\
             <rect class=\"paper\" x=\"{from}\" y=\"{from}\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n",
            name = self.name,
            style = super::html::CHART_STYLE,
            body = self.body
        )
    }
}

/// A coordinate: a tenth of a user unit is more than eyes see. Never anything but a number.
struct Units(f64);

impl std::fmt::Display for Units {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rounded = (self.0 * 10.0).round() / 10.0;
        if rounded.is_finite() {
            // Not -0.
            write!(f, "{}", rounded + 0.0)
        } else {
            f.write_str("0")
        }
    }
}
