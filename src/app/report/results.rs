//! What came out of a run, for the report and people: the highest scores, and how scores go with
//! degrees.

use serde::Serialize;

use super::columns::{aligned, fit, screen};
use super::words::grouped;
use brandes::graph::{Graph, Vertex};

/// Results small enough for a report; `--scores` writes all of them.
#[derive(Debug, Serialize)]
pub struct Results {
    /// The highest scores, best first; as many as `--top` says.
    pub top: Vec<TopVertex>,
    /// Scores by degree (arcs out of a vertex), in bins 0, 1, 2 to 3, 4 to 7, ...
    pub by_degree: Vec<DegreeBin>,
}

/// A vertex of a high score.
#[derive(Debug, PartialEq, Serialize)]
pub struct TopVertex {
    /// What the input calls it.
    pub vertex: String,
    /// Its score.
    pub score: f64,
    /// Arcs out of it in the input.
    pub degree: u64,
}

/// The vertices whose degree is between two numbers, which are included. There is at least one.
#[derive(Debug, PartialEq, Serialize)]
pub struct DegreeBin {
    /// The smallest degree.
    pub from: u64,
    /// The largest one.
    pub to: u64,
    /// Vertices.
    pub count: usize,
    /// Mean of their scores.
    pub mean: f64,
    /// The highest one.
    pub max: f64,
}

impl Results {
    /// Of this graph, whose vertices have these scores; with so many of the highest.
    pub fn of(graph: &Graph, scores: &[f64], count: usize) -> Results {
        let degree = |v: Vertex| graph.csr().degree(v) as u64;
        let vertex = |v: Vertex| TopVertex {
            vertex: graph.labels().display(v).to_string(),
            score: scores[v as usize],
            degree: degree(v),
        };
        let degrees = (0..graph.vertices() as Vertex).map(degree);
        Results {
            top: top(scores, count).into_iter().map(vertex).collect(),
            by_degree: bins(degrees.zip(scores.iter().copied())),
        }
    }

    /// An aligned table of the highest scores; empty if there are none.
    pub fn table(&self, directed: bool) -> String {
        if self.top.is_empty() {
            return String::new();
        }
        let degree = if directed { "out-degree" } else { "degree" };
        let mut rows = vec![
            ["rank", "vertex", "score", degree]
                .map(String::from)
                .to_vec(),
        ];
        rows.extend(self.top.iter().enumerate().map(|(rank, top)| {
            vec![
                (rank + 1).to_string(),
                top.vertex.clone(),
                format!("{:.6}", top.score),
                grouped(top.degree),
            ]
        }));
        fit(&mut rows, &[1], screen());
        aligned(&rows, &[])
    }
}

/// The highest scores, best first; equal ones in input order.
pub fn top(scores: &[f64], count: usize) -> Vec<Vertex> {
    let mut order: Vec<Vertex> = (0..scores.len() as Vertex).collect();
    let better = |&a: &Vertex, &b: &Vertex| {
        scores[b as usize]
            .total_cmp(&scores[a as usize])
            .then(a.cmp(&b))
    };
    let count = count.min(order.len());
    if count > 0 && count < order.len() {
        order.select_nth_unstable_by(count - 1, better);
    }
    order.truncate(count);
    order.sort_by(better);
    order
}

/// Bin k holds the degrees of k bits.
fn bins(vertices: impl Iterator<Item = (u64, f64)>) -> Vec<DegreeBin> {
    let mut sums = [(0usize, 0.0f64, 0.0f64); u64::BITS as usize + 1];
    for (degree, score) in vertices {
        let (count, sum, max) = &mut sums[(u64::BITS - degree.leading_zeros()) as usize];
        *count += 1;
        *sum += score;
        *max = max.max(score);
    }
    let filled = sums
        .into_iter()
        .enumerate()
        .filter(|(_, (count, ..))| *count > 0);
    filled
        .map(|(bits, (count, sum, max))| DegreeBin {
            from: if bits == 0 { 0 } else { 1 << (bits - 1) },
            to: ((1u128 << bits) - 1) as u64,
            count,
            mean: sum / count as f64,
            max,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn top_is_sorted_and_ties_keep_input_order() {
        let scores = [1.0, 3.0, 0.0, 3.0, 2.0];
        assert_eq!(top(&scores, 3), [1, 3, 4]);
        assert_eq!(top(&scores, 99), [1, 3, 4, 0, 2]);
        assert!(top(&scores, 0).is_empty());
        assert!(top(&[], 5).is_empty());
    }

    #[test]
    fn scores_of_a_bin_are_summed_up() {
        let bin = |from, to, count, mean, max| DegreeBin {
            from,
            to,
            count,
            mean,
            max,
        };
        assert_eq!(
            bins([(0, 0.0), (2, 1.0), (3, 4.0), (8, 9.0)].into_iter()),
            [
                bin(0, 0, 1, 0.0, 0.0),
                bin(2, 3, 2, 2.5, 4.0),
                bin(8, 15, 1, 9.0, 9.0)
            ]
        );
        assert!(bins(std::iter::empty()).is_empty());
    }
}
