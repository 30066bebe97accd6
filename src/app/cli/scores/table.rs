//! The rows of a score file, and the columns after the score.

use std::borrow::Cow;

use brandes::graph::{Graph, Labels, Vertex};
use brandes::report::top;
use brandes::report::words::named;

/// A column after the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Column {
    /// 1 for the highest score; equal scores have the same rank
    Rank,
    /// Neighbours in the input; with --directed those that arcs lead to
    Degree,
    /// Arcs that lead to the vertex
    InDegree,
    /// Arcs that lead away from it
    OutDegree,
    /// The score as --normalized gives it
    Normalized,
}

/// The numbers of a column, by vertex.
pub(super) enum Values<'a> {
    Counts(Vec<usize>),
    Scores(Cow<'a, [f64]>),
}

/// The contents of a score file.
pub(super) struct Table<'a> {
    pub(super) labels: &'a Labels,
    /// Columns after the labels, the score first.
    pub(super) columns: Vec<(String, Values<'a>)>,
    rows: usize,
    /// Vertices by row; `None` for the order of the input.
    order: Option<Vec<Vertex>>,
}

impl<'a> Table<'a> {
    /// Returns a table with these columns after the score, sorted by score if `sort`.
    pub(super) fn new(
        labels: &'a Labels,
        graph: Option<&Graph>,
        scores: &'a [f64],
        normalized: &dyn Fn() -> Vec<f64>,
        columns: &[Column],
        sort: bool,
    ) -> Self {
        let ranked = sort || columns.contains(&Column::Rank);
        let order = ranked.then(|| top(scores, scores.len()));
        let directed = graph.is_some_and(Graph::directed);
        let degrees = |of: fn(&Graph) -> _| Values::Counts(graph.map(of).unwrap_or_default());
        let values = |column: Column| match column {
            Column::Rank => Values::Counts(ranks(scores, order.as_deref().unwrap_or_default())),
            Column::InDegree if directed => degrees(in_degrees),
            Column::Degree | Column::OutDegree | Column::InDegree => degrees(out_degrees),
            Column::Normalized => Values::Scores(normalized().into()),
        };
        let score = ("score".to_string(), Values::Scores(scores.into()));
        let others = columns
            .iter()
            .map(|&column| (named(column), values(column)));
        Table {
            labels,
            columns: std::iter::once(score).chain(others).collect(),
            rows: scores.len(),
            order: order.filter(|_| sort),
        }
    }

    /// Returns a table without further columns, in the order of the input.
    #[cfg(test)]
    pub(super) fn plain(labels: &'a Labels, scores: &'a [f64]) -> Self {
        Table::new(labels, None, scores, &Vec::new, &[], false)
    }

    /// Returns the vertex of each row.
    pub(super) fn vertices(&self) -> impl Iterator<Item = Vertex> {
        (0..self.rows).map(|row| match &self.order {
            Some(order) => order[row],
            None => row as Vertex,
        })
    }
}

/// Returns ranks by vertex: one more than the number of vertices with a higher score.
fn ranks(scores: &[f64], order: &[Vertex]) -> Vec<usize> {
    let mut ranks = vec![0; scores.len()];
    let (mut rank, mut last) = (0, f64::NAN);
    for (position, &v) in order.iter().enumerate() {
        let score = scores[v as usize];
        if score != last {
            (rank, last) = (position + 1, score);
        }
        ranks[v as usize] = rank;
    }
    ranks
}

fn out_degrees(graph: &Graph) -> Vec<usize> {
    let vertices = 0..graph.vertices() as Vertex;
    vertices.map(|v| graph.csr().degree(v)).collect()
}

fn in_degrees(graph: &Graph) -> Vec<usize> {
    let mut degrees = vec![0; graph.vertices()];
    graph.for_each_edge(|_, head| degrees[head as usize] += 1);
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
        assert_eq!(ranks(&scores, &order), [3, 1, 3, 5, 5, 1]);
    }
}
