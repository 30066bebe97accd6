//! Who did what when: a row per track, boxes in time.

use super::legend::{self, Sign};
use super::scale::Scale;
use super::{Anchor, COLOURS, Canvas, LINE, Svg, Unit, Width, axis, words};

/// From here on tracks are set closer.
const MANY: usize = 14;
/// A box is at least so wide, or nobody would see it.
const LEAST: f64 = 1.5;
/// Of the boxes within others, one has to be so wide for any to be drawn.
const SEEN: f64 = 4.0;

/// A chart.
#[derive(Debug)]
pub struct Gantt {
    /// What it shows, for those who do not see it.
    pub name: String,
    /// Colours and what they stand for.
    pub legend: Vec<(usize, String)>,
    /// The end of the time axis, which begins at 0. Boxes are cut there.
    pub end: f64,
    /// From top to bottom.
    pub tracks: Vec<Track>,
    /// Moments with their names.
    pub moments: Vec<(f64, String)>,
}

/// A track.
#[derive(Debug)]
pub struct Track {
    /// Its name.
    pub name: String,
    /// In any order; they may lie within each other.
    pub spans: Vec<Bar>,
}

/// A piece of time.
#[derive(Debug, Clone)]
pub struct Bar {
    /// What was done.
    pub name: String,
    /// Number of the colour.
    pub colour: usize,
    /// Seconds.
    pub start: f64,
    /// Seconds.
    pub end: f64,
    /// Shown when pointed at.
    pub title: String,
}

impl Track {
    /// The spans with the depth at which each lies: what begins within another and ends within it
    /// is one deeper, as are those that only overlap.
    fn nested(&self) -> Vec<(usize, &Bar)> {
        let mut bars: Vec<&Bar> = self.spans.iter().collect();
        // Of two that start together, the longer one is the outer one.
        bars.sort_by(|a, b| a.start.total_cmp(&b.start).then(b.end.total_cmp(&a.end)));
        let mut ends: Vec<f64> = Vec::new();
        bars.into_iter()
            .map(|bar| {
                let free = |end: &f64| *end <= bar.start;
                // The first row below all that are still under way.
                let depth = ends.iter().rposition(|end| !free(end)).map_or(0, |d| d + 1);
                ends.truncate(depth);
                ends.push(bar.end);
                (depth, bar)
            })
            .collect()
    }
}

impl Gantt {
    /// Draws it.
    pub fn draw(&self, width: Width) -> Svg {
        let mut canvas = Canvas::new(width);
        let signs = self.legend.iter();
        let signs: Vec<_> = signs
            .map(|(colour, name)| (*colour, Sign::Box, name.as_str()))
            .collect();
        let mut top = legend::draw(&mut canvas, 0.0, &signs);

        let labels = self.tracks.iter().map(|track| words::width(&track.name));
        let left = labels.fold(0f64, f64::max).min(0.3 * canvas.units()) + 10.0;
        let scale = Scale::exact(self.end, (left, canvas.units() - 4.0));
        let moments = top;
        top += LINE * self.moments.len() as f64 + 4.0;
        let length = |span: &Bar| scale.place(span.end) - scale.place(span.start);
        let nested = |track: &Track| -> bool {
            let mut nested = track.nested().into_iter();
            nested.any(|(depth, span)| depth > 0 && length(span) >= SEEN)
        };
        let tracks: Vec<_> = self
            .tracks
            .iter()
            .map(|track| {
                let mut spans = track.nested();
                // A row of its own for what is too short to be seen would be a gap.
                if !nested(track) {
                    spans.retain(|(depth, _)| *depth == 0);
                }
                (track, spans)
            })
            .collect();
        let (bar, gap) = if tracks.len() > MANY {
            (12.0, 3.0)
        } else {
            (20.0, 6.0)
        };
        let depths =
            |nested: &[(usize, &Bar)]| nested.iter().map(|(d, _)| d + 1).max().unwrap_or(1);
        let rows: usize = tracks.iter().map(|(_, nested)| depths(nested)).sum();
        let bottom = top + rows as f64 * bar + tracks.len() as f64 * gap + 2.0;
        axis::below(&mut canvas, &scale, Unit::Seconds, (top, bottom));

        let mut y = top + gap / 2.0;
        for (track, nested) in &tracks {
            let room = left - 10.0;
            canvas.label(
                "",
                Anchor::End,
                (room, y + bar / 2.0 + 4.5),
                room,
                &track.name,
            );
            for (depth, span) in nested {
                if span.start >= self.end && self.end > 0.0 {
                    continue;
                }
                let (from, to) = (scale.place(span.start), scale.place(span.end));
                let at = (from, y + *depth as f64 * bar);
                let size = ((to - from).max(LEAST), bar - 1.0);
                let class = format!("part c{}", span.colour % COLOURS);
                canvas.rect(&class, at, size, &span.title);
                if bar > LINE && words::width(&span.name) + 8.0 < size.0 {
                    let place = (at.0 + 5.0, at.1 + bar / 2.0 + 4.0);
                    let class = format!("on on{}", span.colour % COLOURS);
                    canvas.text(&class, Anchor::Start, place, &span.name);
                }
            }
            y += depths(nested) as f64 * bar + gap;
        }
        self.moments(&mut canvas, &scale, moments, bottom);
        canvas.finish(bottom + axis::BELOW, &self.name)
    }

    /// A line through all tracks for each moment; each name has a line of text of its own.
    fn moments(&self, canvas: &mut Canvas, scale: &Scale, top: f64, bottom: f64) {
        for (index, (moment, name)) in self.moments.iter().enumerate() {
            let (x, y) = (scale.place(*moment), top + LINE * (index + 1) as f64);
            canvas.line("moment", (x, y - 10.0), (x, bottom));
            // On the side where there is room.
            let room = canvas.units() - x - 6.0;
            if words::width(name) <= room {
                canvas.text("", Anchor::Start, (x + 6.0, y), name);
            } else {
                canvas.label("", Anchor::End, (x - 6.0, y), x - 6.0, name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_within_others_lie_deeper() {
        let bar = |name: &str, start, end| Bar {
            name: name.into(),
            colour: 0,
            start,
            end,
            title: String::new(),
        };
        let track = Track {
            name: "main".into(),
            spans: vec![
                bar("fold", 2.0, 3.0),
                bar("prepare", 1.0, 4.0),
                bar("read", 0.0, 1.0),
                bar("order", 3.0, 4.0),
                bar("search", 4.0, 9.0),
            ],
        };
        let nested: Vec<_> = track
            .nested()
            .into_iter()
            .map(|(depth, bar)| (depth, bar.name.as_str()))
            .collect();
        let expected = [
            (0, "read"),
            (0, "prepare"),
            (1, "fold"),
            (1, "order"),
            (0, "search"),
        ];
        assert_eq!(nested, expected);
    }
}
