//! The marks of points: they tell series apart where colours do not.

use super::{COLOURS, Svg};

/// Half the size of a mark.
const R: f64 = 5.0;
/// Corners of all marks but the first, which is a circle. As many forms as there are colours but
/// one, so that pairs of both come back late.
const FORMS: [&[(f64, f64)]; COLOURS - 2] = [
    &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
    &[(0.0, -1.3), (1.2, 1.0), (-1.2, 1.0)],
    &[(0.0, -1.4), (1.4, 0.0), (0.0, 1.4), (-1.4, 0.0)],
    &[(0.0, 1.3), (1.2, -1.0), (-1.2, -1.0)],
    &[(-1.2, -1.2), (1.2, -1.2), (-1.2, 1.2), (1.2, 1.2)],
];

/// Draws the mark of a series at a place. Hollow marks stand for what is less sure.
pub fn draw(svg: &mut Svg, series: usize, at: (f64, f64), hollow: bool, title: &str) {
    let colour = series % COLOURS;
    let class = match hollow {
        true => format!("mark hollow s{colour}"),
        false => format!("mark c{colour}"),
    };
    match (series % (FORMS.len() + 1)).checked_sub(1) {
        None => svg.circle(&class, at, R, title),
        Some(form) => {
            let corners = FORMS[form].iter();
            let corners: Vec<_> = corners.map(|(x, y)| (at.0 + R * x, at.1 + R * y)).collect();
            svg.path("polygon", &class, &corners, title);
        }
    }
}
