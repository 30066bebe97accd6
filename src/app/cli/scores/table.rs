//! The rows and columns of a score file.

use brandes::graph::{Labels, NamedScores, Vertex};
use brandes::report::top;

/// The name of scores of betweenness without a radius.
pub(in crate::app::cli) const BETWEENNESS: &str = "betweenness";
/// The name of the lower ends of the intervals of estimates.
pub(in crate::app::cli) const LOWER: &str = "lower";
/// The name of the upper ends of these intervals.
pub(in crate::app::cli) const UPPER: &str = "upper";

/// The contents of a score file.
pub(super) struct Table<'a> {
    pub(super) labels: &'a Labels,
    /// The heading and the numbers of each column after the labels.
    pub(super) columns: Vec<NamedScores<'a>>,
    /// The vertex of each row.
    pub(super) vertices: Vec<Vertex>,
}

impl<'a> Table<'a> {
    /// Returns a table of scores; with `sort`, the rows are sorted by the first score.
    pub(super) fn new(labels: &'a Labels, scores: &[NamedScores<'a>], sort: bool) -> Self {
        let first = scores.first().map_or(&[][..], |(_, scores)| scores);
        Table {
            labels,
            columns: with_headings(scores),
            vertices: match sort {
                true => top(first, first.len()),
                false => (0..first.len() as Vertex).collect(),
            },
        }
    }
}

/// Returns scores with the headings of their columns: their names, but `score` for betweenness if
/// it is alone or has only its interval beside it.
pub(in crate::app::cli) fn with_headings<'a>(scores: &[NamedScores<'a>]) -> Vec<NamedScores<'a>> {
    let has_interval = scores.get(1).is_some_and(|(name, _)| name == LOWER);
    let is_alone = scores.len() == 1 || has_interval;
    let heading = |name: &str| match name {
        BETWEENNESS if is_alone => "score".to_string(),
        _ => name.to_string(),
    };
    let scores = scores.iter().map(|(name, all)| (heading(name), *all));
    scores.collect()
}
