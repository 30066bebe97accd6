//! The rows of a score file, and the columns after the scores.

use std::borrow::Cow;

use brandes::graph::{Graph, Labels, NamedScores, Vertex};
use brandes::report::words::named;
use brandes::report::{rounded, top};

/// The name of scores of betweenness without a radius.
pub(in crate::app::cli) const BETWEENNESS: &str = "betweenness";
/// The name of the lower ends of the intervals of estimates.
pub(in crate::app::cli) const LOWER: &str = "lower";
/// The name of the upper ends of these intervals.
pub(in crate::app::cli) const UPPER: &str = "upper";

/// A column after the scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Column {
    /// 1 for the highest score; equal scores have the same rank
    Rank,
    /// Neighbours in the input; with --directed those that arcs lead to
    Degree,
    /// Arcs that lead to the vertex
    InDegree,
    /// Arcs that lead away from the vertex
    OutDegree,
    /// The first score as --normalized gives it
    Normalized,
}

/// The contents of a score file.
pub(super) struct Table<'a> {
    pub(super) labels: &'a Labels,
    /// The heading and the numbers of each column after the labels; the scores come first.
    pub(super) columns: Vec<(String, Cow<'a, [f64]>)>,
    /// The vertex of each row.
    pub(super) vertices: Vec<Vertex>,
}

impl<'a> Table<'a> {
    /// Returns a table with `columns` after the scores; with `sort`, the rows are sorted by the
    /// first score. `graph` is needed for degrees, and `normalized` returns the values of
    /// [`Column::Normalized`].
    pub(super) fn new(
        labels: &'a Labels,
        graph: Option<&Graph>,
        scores: &'a [NamedScores<'a>],
        normalized: &dyn Fn() -> Vec<f64>,
        columns: &[Column],
        sort: bool,
    ) -> Self {
        let first = scores.first().map_or(&[][..], |(_, scores)| scores);
        let needs_order = sort || columns.contains(&Column::Rank);
        let order = needs_order.then(|| top(first, first.len()));
        let is_directed = graph.is_some_and(Graph::directed);
        let degrees = |count: fn(&Graph) -> Vec<f64>| graph.map(count).unwrap_or_default().into();
        let values = |column: Column| match column {
            Column::Rank => ranks(first, order.as_deref().unwrap_or_default()).into(),
            Column::InDegree if is_directed => degrees(in_degrees),
            Column::Degree | Column::OutDegree | Column::InDegree => degrees(out_degrees),
            Column::Normalized => normalized().into(),
        };
        let others = columns.iter().map(|&one| (named(one), values(one)));
        let scores = with_headings(scores).into_iter();
        let scores = scores.map(|(heading, all)| (heading, Cow::from(all)));
        let columns = scores.chain(others).collect();
        let in_input_order = || (0..first.len() as Vertex).collect();
        let vertices = order.filter(|_| sort).unwrap_or_else(in_input_order);
        Table {
            labels,
            columns,
            vertices,
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

/// Returns ranks by vertex: one more than the number of vertices with a higher score. Scores that
/// [`top`] takes as equal have the same rank.
fn ranks(scores: &[f64], order: &[Vertex]) -> Vec<f64> {
    let mut ranks = vec![0.0; scores.len()];
    let (mut rank, mut last) = (0.0, f64::NAN);
    for (position, &v) in order.iter().enumerate() {
        let score = rounded(scores[v as usize]);
        if score != last {
            (rank, last) = ((position + 1) as f64, score);
        }
        ranks[v as usize] = rank;
    }
    ranks
}

fn out_degrees(graph: &Graph) -> Vec<f64> {
    let vertices = 0..graph.vertices() as Vertex;
    vertices.map(|v| graph.csr().degree(v) as f64).collect()
}

fn in_degrees(graph: &Graph) -> Vec<f64> {
    let mut degrees = vec![0.0; graph.vertices()];
    graph.for_each_edge(|_, head| degrees[head as usize] += 1.0);
    degrees
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_have_one_rank() {
        let scores = [1.0, 3.0, 1.0, 0.0, -0.0, 3.0];
        let order = top(&scores, scores.len());
        assert_eq!(order, [1, 5, 0, 2, 3, 4]);
        assert_eq!(ranks(&scores, &order), [3.0, 1.0, 3.0, 5.0, 5.0, 1.0]);
        // The first two differ by a rounding error.
        let scores = [0.1 + 0.2, 0.3, 0.3000001];
        let order = top(&[0.3, 0.1 + 0.2, 0.3000001], 3);
        assert_eq!(order, [2, 0, 1]);
        assert_eq!(ranks(&scores, &order), [2.0, 2.0, 1.0]);
    }
}
