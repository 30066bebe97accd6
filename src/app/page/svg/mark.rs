//! The marks of points: they tell series apart where colours do not.

use super::{COLOURS, Canvas};

/// Draws the mark of a series at a place. Hollow marks stand for what is less sure.
pub fn draw(canvas: &mut Canvas, series: usize, at: (f64, f64), hollow: bool, title: &str) {
    let colour = series % COLOURS;
    let class = if hollow {
        format!("mark hollow s{colour}")
    } else {
        format!("mark c{colour}")
    };
    let (x, y) = at;
    let r = 5.0;
    // As many forms as there are colours but one, so that pairs of both come back late.
    let corners = match series % (COLOURS - 1) {
        0 => return canvas.circle(&class, at, r, title),
        1 => vec![
            (x - r, y - r),
            (x + r, y - r),
            (x + r, y + r),
            (x - r, y + r),
        ],
        2 => vec![(x, y - 1.3 * r), (x + 1.2 * r, y + r), (x - 1.2 * r, y + r)],
        3 => vec![
            (x, y - 1.4 * r),
            (x + 1.4 * r, y),
            (x, y + 1.4 * r),
            (x - 1.4 * r, y),
        ],
        4 => vec![(x, y + 1.3 * r), (x - 1.2 * r, y - r), (x + 1.2 * r, y - r)],
        _ => {
            let (a, b) = (0.4 * r, 1.2 * r);
            vec![
                (x - a, y - b),
                (x + a, y - b),
                (x + a, y - a),
                (x + b, y - a),
                (x + b, y + a),
                (x + a, y + a),
                (x + a, y + b),
                (x - a, y + b),
                (x - a, y + a),
                (x - b, y + a),
                (x - b, y - a),
                (x - a, y - a),
            ]
        }
    };
    canvas.path(&class, &corners, true, title);
}
